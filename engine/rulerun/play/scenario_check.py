"""What a test expects, held against a position: zones, state, who is asked, what is offered, what a seat sees, the
result.

Every expectation that fails says what was expected, what was found, and where in the test file it stands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rulerun.document.model import Entries, Items, Scalar, Value, Word
from rulerun.facts.faults import RulesFault
from rulerun.ir.program import SeenBy
from rulerun.ir.types import INT, ArrayType
from rulerun.play.scenario_stage import count_of
from rulerun.play.scenario_words import ANY, TRUTHS, Cards, Reference, ScenarioError, Words, reference, seat, shown
from rulerun.source.spell import nearest
from rulerun.source.text import Span
from rulerun.view.known import Followed
from rulerun.view.names import Namer
from rulerun.view.table import UNDRAWN, Table
from rulerun.view.view import ZoneView, zone_view

MORE = "..."
_SEES = re.compile(r"(P[1-9][0-9]?) (sees|does not see)\Z")
_END = re.compile(r"(top|bottom) of (.+)\Z")
_COUNT = re.compile(r"count\((.+)\)\Z")
_SCORE = re.compile(r"score\((P[1-9][0-9]?)\)\Z")


@dataclass(frozen=True, slots=True)
class Position:
    """All that an expectation may ask about. ``labels`` are those of the seat that is asked."""

    table: Table
    labels: tuple[str, ...]
    scores: tuple[int, ...] | None
    """Of each seat as things stand; None where they cannot be told."""
    winners: tuple[int, ...]
    fault: RulesFault | None
    followed: Callable[[int], Followed | None]
    """Where a seat knows cards to lie that it lost sight of."""


class Expectations:
    """Checks the entries of one ``expect:`` in file order; the first that does not hold raises ScenarioError."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self._namer = Namer(words.program)
        self.plain_keys: dict[str, Callable[[Position, Word, Value], None]] = {
            "asked": self.asked,
            "offered": self.offered,
            "not offered": self.not_offered,
            "options": self.options,
            "over": self.over,
            "scores": self.scores,
            "winners": self.winners,
            "fault": self.fault,
        }

    def check(self, position: Position, entries: Entries) -> None:
        """Hold a whole ``expect:`` against a position."""
        if position.fault is not None and entries.get("fault") is None:
            raise fault_error(position.fault, entries.span)
        for word, value in entries.entries:
            self.entry(position, word, value)

    def entry(self, position: Position, word: Word, value: Value) -> None:
        key = " ".join(word.text.split())
        plain = self.plain_keys.get(key)
        if plain is not None:
            plain(position, word, value)
        elif found := _SEES.match(key):
            who = seat(found[1], self.words.program.players, word.span)
            (self.sees if found[2] == "sees" else self.sees_not)(position, who, value)
        elif found := _COUNT.match(key):
            self.compare_number(word, value, position.table.count(self.zone(found[1], word.span)))
        elif found := _SCORE.match(key):
            if position.scores is None:
                raise ScenarioError("the scores cannot be told here", word.span)
            self.compare_number(word, value, position.scores[seat(found[1], self.words.program.players, word.span)])
        elif found := _END.match(key):
            self.end(position, word, value, found[1] == "top", self.zone(found[2], word.span))
        else:
            self.named(position, word, value, reference(key, word.span))

    # ------------------------------------------------------------ zones, state

    def zone(self, text: str, span: Span) -> int:
        ref = reference(text, span)
        if ref.name not in self.words.families:
            raise self.words.unknown(ref.name, span, self.words.families, "zone")
        return self.words.zone(ref)

    def named(self, position: Position, word: Word, value: Value, ref: Reference) -> None:
        """``hand[P1]: [22]``, ``rule: high``; a mapping by key for several at once."""
        if ref.name in self.words.families:
            family = self.words.families[ref.name]
            if isinstance(value, Entries) and len(ref.keys) < len(family.keys):
                for key, inner in value.entries:
                    self.named(position, key, inner, Reference(ref.name, (*ref.keys, key.text), key.span))
                return
            self.zone_holds(position.table, self.words.zone(ref), value)
        elif ref.name in self.words.variables:
            offset, type_ = self.words.variable(ref)
            found = self.words.read(position.table.vector, offset, type_)
            if not self.words.fits(value, type_, found):
                wanted = self.words.tell(self.words.plain(value, type_), type_)
                raise _differs(word.text, wanted, self.words.tell(found, type_), value.span)
        else:
            known = [*self.plain_keys, *self.words.families, *self.words.variables]
            near = nearest(ref.name, known)
            raise ScenarioError(
                f"nothing is called '{ref.name}' that can be expected",
                word.span,
                [
                    f"did you mean '{near}'?"
                    if near
                    else f"there are: {', '.join(known)}, count(ZONE), score(P1), P1 sees"
                ],
            )

    def zone_holds(self, table: Table, zone: int, value: Value) -> None:
        name = self.words.program.zones[zone].name
        number = count_of(value)
        if number is not None:
            if table.count(zone) != number:
                raise _differs(name, _cards_text(number), _cards_text(table.count(zone)), value.span)
            return
        kinds = [None if card == UNDRAWN else self.words.program.kinds[card] for card in table.cards(zone)]
        items = list(value.items) if isinstance(value, Items) else [value]
        self.lie(name, items, kinds, table.ordered(zone), value.span)
        self.ways(table, zone, items)

    def ways(self, table: Table, zone: int, items: Sequence[Value]) -> None:
        """Whether the cards that are listed lie face up or down, as is said of them: ``queen of hearts face up``."""
        for place, (item, card) in enumerate(zip(items, table.cards(zone), strict=False)):
            if not (isinstance(item, Scalar) and item.piece.text.strip() in (MORE, "…")):
                self.way(table, zone, self.words.lying(item), card, self._namer.place(zone, place))

    def way(self, table: Table, zone: int, wanted: Cards, card: int, place: str) -> None:
        name = self.words.program.zones[zone].name
        if wanted.up is None:
            return
        if not table.ordered(zone):
            raise ScenarioError(f"in {name}, which has no order, cards lie neither face up nor face down", wanted.span)
        everyone = self.words.program.families[self.words.program.zones[zone].family].seen_by is SeenBy.EVERYONE
        lies_up = everyone or (card != UNDRAWN and table.lies_open(card))
        if wanted.up != lies_up:
            ways = ("face down", "face up")
            raise _differs(f"{place} of {name}", ways[wanted.up], ways[lies_up], wanted.span)

    def lie(self, name: str, items: Sequence[Value], kinds: Sequence[int | None], ordered: bool, span: Span) -> None:
        """Whether cards are those that are listed; a kind of None is one that cannot be told, which only ``?`` fits."""
        more = bool(items) and isinstance(items[-1], Scalar) and items[-1].piece.text.strip() in (MORE, "…")
        wanted = [self.words.lying(item) for item in (items[:-1] if more else items)]
        found = self.list_kinds(kinds)
        expected = "[" + ", ".join([w.text for w in wanted] + [MORE] * more) + "]"
        if len(kinds) < len(wanted) or (len(kinds) > len(wanted) and not more):
            raise _differs(
                name, f"{expected} ({_cards_text(len(wanted))})", f"{found} ({_cards_text(len(kinds))})", span
            )
        if ordered:
            for place, (card, kind) in enumerate(zip(wanted, kinds, strict=False), 1):
                if not _fits(card, kind):
                    raise _differs(
                        f"place {place} of {name}", card.text, self.kind(kind), card.span, f"all of it: {found}"
                    )
        else:
            missing = _unmatched(wanted, kinds)
            if missing is not None:
                raise _differs(name, expected, found, missing.span, f"no card for {missing.text}")

    def end(self, position: Position, word: Word, value: Value, top: bool, zone: int) -> None:
        """``top of discard: queen of hearts``."""
        table = position.table
        family = self.words.program.families[self.words.program.zones[zone].family]
        if not family.kind.ordered:
            raise ScenarioError(
                f"{self.words.program.zones[zone].name} has no order, so no top and no bottom", word.span
            )
        cards = table.cards(zone)
        if not cards:
            raise _differs(word.text, shown(value), "no card there", value.span)
        first = top == (family.kind.value == "pile")
        card = cards[0] if first else cards[-1]
        kind = None if card == UNDRAWN else self.words.program.kinds[card]
        wanted = self.words.lying(value)
        if not _fits(wanted, kind):
            raise _differs(word.text, wanted.text, self.kind(kind), value.span)
        self.way(table, zone, wanted, card, self._namer.place(zone, 0 if first else len(cards) - 1))

    def kind(self, kind: int | None) -> str:
        return "a card that nobody has drawn or seen yet" if kind is None else self.words.kind_name(kind)

    def list_kinds(self, kinds: Sequence[int | None]) -> str:
        shown_ = [ANY if k is None else self.words.kind_name(k) for k in kinds[:60]]
        return "[" + ", ".join(shown_ + ["…"] * (len(kinds) > 60)) + "]"

    def compare_number(self, word: Word, value: Value, found: int) -> None:
        wanted = self.words.plain(value, INT)
        if wanted != found:
            raise _differs(word.text, str(wanted), str(found), value.span)

    # ----------------------------------------------------------------- choices

    def asked(self, position: Position, word: Word, value: Value) -> None:
        """``asked: P2``; ``asked: nobody`` when the game is over."""
        found = "nobody" if position.table.is_over else f"P{position.table.chooser + 1}"
        wanted = shown(value)
        if wanted not in ("nobody", "none"):
            wanted = f"P{seat(wanted, self.words.program.players, value.span) + 1}"
        if wanted.replace("none", "nobody") != found:
            raise _differs(word.text, wanted, found, value.span, *offered_lines(position))

    def offered(self, position: Position, word: Word, value: Value) -> None:  # noqa: ARG002
        for label, span in _texts(value):
            if plain_text(label) not in {plain_text(found) for found in position.labels}:
                raise ScenarioError(f"'{label}' is not offered", span, offered_lines(position))

    def not_offered(self, position: Position, word: Word, value: Value) -> None:  # noqa: ARG002
        for label, span in _texts(value):
            if plain_text(label) in {plain_text(found) for found in position.labels}:
                raise ScenarioError(f"'{label}' is offered, but should not be", span, offered_lines(position))

    def options(self, position: Position, word: Word, value: Value) -> None:
        """All options, in any order."""
        self.offered(position, word, value)
        wanted = {plain_text(label) for label, _ in _texts(value)}
        for found in position.labels:
            if plain_text(found) not in wanted:
                raise ScenarioError(
                    f"'{found}' is offered too, which is not among the options expected",
                    value.span,
                    offered_lines(position),
                )

    # ------------------------------------------------------------------ result

    def over(self, position: Position, word: Word, value: Value) -> None:
        wanted = TRUTHS.get(value.piece.text.strip().casefold()) if isinstance(value, Scalar) else None
        if wanted is None:
            raise ScenarioError("'over' is true or false", value.span)
        if wanted != position.table.is_over:
            raise _differs(word.text, shown(value), "false" if wanted else "true", value.span, *offered_lines(position))

    def scores(self, position: Position, word: Word, value: Value) -> None:  # noqa: ARG002
        if position.scores is None:
            raise ScenarioError("the scores cannot be told here", value.span)
        if isinstance(value, Items):
            pairs: list[tuple[int, Value]] = list(enumerate(value.items))
            if len(pairs) != len(position.scores):
                raise ScenarioError(f"here must stand {len(position.scores)} scores, one a player", value.span)
        elif isinstance(value, Entries):
            pairs = [(seat(w.text, len(position.scores), w.span), v) for w, v in value.entries]
        else:
            raise ScenarioError("'scores' is a mapping, as in {P1: 3, P2: 5}", value.span)
        for who, item in pairs:
            wanted = self.words.plain(item, INT)
            if wanted != position.scores[who]:
                everyone = ", ".join(f"P{p + 1} {s}" for p, s in enumerate(position.scores))
                raise _differs(
                    f"the score of P{who + 1}", str(wanted), str(position.scores[who]), item.span, f"scores: {everyone}"
                )

    def winners(self, position: Position, word: Word, value: Value) -> None:
        if not position.table.is_over:
            raise ScenarioError("the game is not over, so nobody has won yet", word.span, offered_lines(position))
        wanted = sorted(seat(text, self.words.program.players, span) for text, span in _texts(value))
        if wanted != sorted(position.winners):
            names = [", ".join(f"P{p + 1}" for p in seats) or "nobody" for seats in (wanted, sorted(position.winners))]
            score = ", ".join(f"P{p + 1} {s}" for p, s in enumerate(position.scores or ()))
            raise _differs(word.text, names[0], names[1], value.span, f"scores: {score}")

    def fault(self, position: Position, word: Word, value: Value) -> None:
        found = "no fault" if position.fault is None else position.fault.code
        if shown(value) != found:
            details = [] if position.fault is None else [str(position.fault)]
            raise _differs(word.text, shown(value), found, value.span, *details)

    # ------------------------------------------------------- what a seat knows

    def sees(self, position: Position, who: int, value: Value) -> None:
        """``P1 sees: {hand[P1]: [22], layout[P2]: ["?", king of hearts], chips[P2]: "?"}``: faces that the seat knows,
        values that it sees, ``?`` for the others.
        """
        if not isinstance(value, Entries):
            raise ScenarioError(
                "what a player sees is a mapping by zone, with ? for a face that is not known", value.span
            )
        for word, inner in value.entries:
            ref = reference(word.text, word.span)
            if ref.name in self.words.variables:
                self.sees_value(position, who, ref, inner)
                continue
            zone = self.zone(word.text, word.span)
            number = count_of(inner)
            seen = self.seen(position, who, zone)
            name = f"{seen.name} as P{who + 1} sees it"
            if number is not None:
                if seen.count != number:
                    raise _differs(name, _cards_text(number), _cards_text(seen.count), inner.span)
                continue
            items = list(inner.items) if isinstance(inner, Items) else [inner]
            if all(isinstance(i, Scalar) and i.piece.text.strip() == "nothing" for i in items):
                items = []
                if any(self.known(seen)):
                    raise _differs(name, "no face", str(self.known(seen)), inner.span)
                continue
            self.faces(name, items, self.known(seen), position.table.ordered(zone), inner.span)
            self.ways(position.table, zone, items)

    def sees_value(self, position: Position, who: int, ref: Reference, value: Value) -> None:
        """``chips[P1]: 11``, or a mapping by key; ``?`` for a value that the seat does not see, and only for such."""
        if isinstance(value, Entries):
            for word, inner in value.entries:
                self.sees_value(position, who, Reference(ref.name, (*ref.keys, word.text), word.span), inner)
            return
        offset, type_ = self.words.variable(ref)
        if isinstance(type_, ArrayType):
            raise ScenarioError(f"'{ref}' holds several values: name them by their keys, as in {{P1: 3}}", ref.span)
        name = f"{ref} as P{who + 1} sees it"
        if not self.words.sees(who, offset, type_):
            if shown(value) != ANY:
                raise _differs(name, shown(value), ANY, value.span)
            return
        found = self.words.read(position.table.vector, offset, type_)
        if shown(value) == ANY:
            raise _differs(name, ANY, self.words.tell(found, type_), value.span)
        if not self.words.fits(value, type_, found):
            wanted = self.words.tell(self.words.plain(value, type_), type_)
            raise _differs(name, wanted, self.words.tell(found, type_), value.span)

    def faces(self, name: str, items: Sequence[Value], known: Sequence[str | None], ordered: bool, span: Span) -> None:
        """Whether the faces that a seat knows are those that are listed, exactly: ``?`` fits only what is not known."""
        more = bool(items) and isinstance(items[-1], Scalar) and items[-1].piece.text.strip() in (MORE, "…")
        wanted = [self.words.lying(item) for item in (items[:-1] if more else items)]
        found = "[" + ", ".join(ANY if face is None else face for face in known) + "]"
        expected = "[" + ", ".join([w.text for w in wanted] + [MORE] * more) + "]"
        if len(known) < len(wanted) or (len(known) > len(wanted) and not more):
            raise _differs(name, expected, found, span)
        names = [None if w.text == ANY else {self.words.program.kind_names[k] for k in w.kinds} for w in wanted]
        if ordered:
            for place, (card, name_set, face) in enumerate(zip(wanted, names, known, strict=False), 1):
                if (name_set is None) != (face is None) or (name_set is not None and face not in name_set):
                    raise _differs(f"place {place} of {name}", card.text, face or ANY, card.span, f"all of it: {found}")
            return
        left = Counter(known)
        for card, name_set in sorted(zip(wanted, names, strict=True), key=lambda pair: len(pair[1] or ())):
            fit = next((f for f in left if left[f] and (f is None if name_set is None else f in name_set)), MORE)
            if fit == MORE:
                raise _differs(name, expected, found, card.span, f"no card for {card.text}")
            left[fit] -= 1

    def sees_not(self, position: Position, who: int, value: Value) -> None:
        """``P2 does not see: hand[P1]``: no face in it is known to that seat; of a state variable, no value of it."""
        for text, span in _texts(value):
            ref = reference(text, span)
            if ref.name in self.words.variables:
                offset, type_ = self.words.variable(ref)
                if self.words.sees(who, offset, type_):
                    raise ScenarioError(f"P{who + 1} sees {ref}, or some of it", span)
                continue
            zone = self.zone(text, span)
            seen = self.seen(position, who, zone)
            faces = [face for face in self.known(seen) if face is not None]
            if faces:
                raise ScenarioError(f"P{who + 1} knows of {seen.name}: {', '.join(faces)}", span)

    def seen(self, position: Position, who: int, zone: int) -> ZoneView:
        """A zone as a seat sees it; of a board one place."""
        return zone_view(self._namer, position.table, zone, who, followed=position.followed(who))

    @staticmethod
    def known(seen: ZoneView) -> list[str | None]:
        """The faces that a seat knows in a zone, place by place; None for one it does not know. In a zone without
        order, and behind the places of an ordered one, kinds that it knows to lie there count too."""
        faces: list[str | None] = [card.name if card.face else None for card in seen.cards]
        if seen.kind == "hand":
            for name, count in seen.at_least:
                for _ in range(count):
                    faces[faces.index(None)] = name
        return faces


def offered_lines(position: Position) -> list[str]:
    """The options that there are, for messages."""
    if position.fault is not None:
        return [str(position.fault)]
    if position.table.is_over:
        return ["the game is over"]
    lines = [f"P{position.table.chooser + 1} is asked, with the options:"]
    lines += [f"  {label}" for label in position.labels[:30]]
    if len(position.labels) > 30:
        lines.append(f"  … and {len(position.labels) - 30} more")
    return lines


def fault_error(fault: RulesFault, span: Span) -> ScenarioError:
    """The message for a game that the rules could not go on with."""
    details = [f"at {fault.origin}: {fault.origin.text}"] if fault.origin else []
    return ScenarioError(f"the game stopped with a fault: {fault.code} {fault.message}", span, details)


def plain_text(label: str) -> str:
    """A label as it is compared: without regard to case and spaces."""
    return " ".join(label.split()).casefold()


def _fits(card: Cards, kind: int | None) -> bool:
    return card.text == ANY or (kind is not None and kind in card.kinds)


def _unmatched(wanted: Sequence[Cards], kinds: Sequence[int | None]) -> Cards | None:
    """The first wanted card that finds no partner, in the best matching."""
    partner: dict[int, int] = {}

    def find(index: int, seen: set[int]) -> bool:
        for at, kind in enumerate(kinds):
            if at not in seen and _fits(wanted[index], kind):
                seen.add(at)
                if at not in partner or find(partner[at], seen):
                    partner[at] = index
                    return True
        return False

    return next((wanted[i] for i in range(len(wanted)) if not find(i, set())), None)


def _texts(value: Value) -> list[tuple[str, Span]]:
    items = value.items if isinstance(value, Items) else (value,)
    result = []
    for item in items:
        if not isinstance(item, Scalar):
            raise ScenarioError("here stands a mapping where a text should (put a text with ': ' in quotes)", item.span)
        result.append((" ".join(item.piece.text.split()), item.span))
    return result


def _cards_text(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'}"


def _differs(what: str, expected: str, found: str, span: Span, *details: str) -> ScenarioError:
    return ScenarioError(f"expected {what} to be {expected}, found {found}", span, details)
