"""How single happenings are worded, from what a reader is told of them (`onlooker.observed_by`), without their context.

May not import check, syntax or document.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from rulerun.facts.domains import base_zone
from rulerun.facts.observations import (
    LYING_OPEN,
    Chance,
    Collected,
    Ended,
    Exchanged,
    Face,
    Hint,
    HintedKinds,
    Left,
    Observation,
    ObservedCards,
    ObservedChoice,
    ObservedFaces,
    ObservedMove,
    ObservedOffer,
    ObservedSwap,
    ObservedTokens,
    ObservedValue,
    Refilled,
    Rejoined,
    Reversed,
    Said,
    Shuffled,
    TurnedDown,
    TurnedOver,
)
from rulerun.facts.options import PASS
from rulerun.ir.nodes import Announce, Choose, Identity, Label, Local, Pick
from rulerun.ir.program import ZoneKind
from rulerun.ir.types import INT, Type
from rulerun.ir.typing import element_type, is_card, is_card_set, type_of
from rulerun.run.naming import ACROSS
from rulerun.view.english import (
    PREPOSITIONS,
    a_thing,
    counted,
    first_word,
    is_plural,
    listed,
    noun,
    number_of_cards,
    verbs_behind_and,
)
from rulerun.view.labels import HOLE
from rulerun.view.names import Namer, inner
from rulerun.view.table import Table, bits

ALL_AGAIN = "all are in again"
NO_FACE = "a card"
MANY = 4
"""From so many cards on, their number is told first and their names after a colon."""


class Wording:
    """Words for one program and one reader (a seat, `ONLOOKER`, or None: one who knows all)."""

    def __init__(self, namer: Namer, eyes: int | None) -> None:
        self.namer = namer
        self.program = namer.program
        self.eyes = eyes
        self._choices = {b.end.site: b.end for b in self.program.blocks if isinstance(b.end, Choose)}
        self._units = {b.end.site: b.unit for b in self.program.blocks if isinstance(b.end, Choose)}

    # ------------------------------------------------------------------- names

    def player(self, seat: int) -> str:
        return self.namer.player(seat)

    def zone(self, zone: int) -> str:
        """``P2's hand``, ``the draw pile``, ``place 3 of the grid``."""
        number = self.namer.place_number(zone)
        return self.board(zone) if number is None else f"place {number} of {self.board(zone)}"

    def board(self, zone: int) -> str:
        """As `zone`, of a place of a board the whole board."""
        name = self.namer.board(zone)
        owner = self.program.zones[zone].owner
        mine = f" of {self.player(owner)}" if owner >= 0 else ""
        if mine and mine in name:
            return f"{self.player(owner)}'s {noun(name.replace(mine, '', 1))}"
        if first_word(name) in PREPOSITIONS:
            return f'"{name}"'
        if name.startswith("the ") or name.rsplit(" ", 1)[-1].isdecimal():  # "meld 2" is a name
            return name
        return f"the {noun(name)}"

    def face(self, kind: int) -> str:
        """A card as observed: its face, or with an article what shows of its back."""
        return self.namer.kind(kind) if kind >= 0 else a_thing(self.namer.hidden(kind))

    def spot(self, card: Face) -> str:
        """A card with where it lies: ``slot 2 of P1's layout (ace of spades)``."""
        if card.place < 0:
            return f"{self.face(card.kind)} of {self.zone(card.zone)}"
        where = self._where(card.zone, card.place)
        return f"{where} ({self.namer.kind(card.kind)})" if card.kind >= 0 else where

    def _where(self, zone: int, place: int) -> str:
        if self.namer.place_number(zone) is not None:
            return self.zone(zone)
        return f"{self.namer.place(zone, place)} of {self.zone(zone)}"

    def value(self, value: int, type_: Type) -> str:
        """A value that was told."""
        if is_card(type_):
            return self.namer.kind(value) if value >= 0 else HOLE
        return self.namer.value(Table(self.program, ()), value, type_, self.eyes)

    # ------------------------------------------------------------------ choices

    def choice(self, site: int) -> Choose | None:
        """The choice of a site."""
        return self._choices.get(site)

    def unit(self, site: int) -> int:
        """The procedure that a choice stands in."""
        return self._units.get(site, -1)

    def template(self, site: int, line: int) -> tuple[Label | None, list[int]]:
        """The label of a line of a choice as written, and the binders of that line."""
        choice = self.choice(site)
        if choice is None or not 0 <= line < len(choice.lines):
            return None, []
        return choice.lines[line].label, [binder.local for binder in choice.lines[line].binders]

    def chosen_from(self, site: int) -> set[int]:
        """The families of the zones in no order from which cards are chosen. Empty: not so simple."""
        choice = self.choice(site)
        binders = [b for line in choice.lines for b in line.binders] if choice is not None else []
        zones = [base_zone(b.domain) for b in binders if is_card(element_type(b.domain))]
        families = {zone.family for zone in zones if zone is not None}
        plain = {f for f in families if not self.program.families[f].kind.ordered}
        return plain if None not in zones else set()

    def second_verbs(self, site: int) -> set[str]:
        """Verbs that the labels of a choice have behind an "and", as they are written and not in what fills them."""
        choice = self.choice(site)
        labels = [line.label for line in choice.lines if line.label is not None] if choice is not None else []
        texts = [part for label in labels for part in label.parts if isinstance(part, str)]
        return set().union(*(verbs_behind_and(text) for text in texts))

    def only_label(self, site: int) -> str | None:
        """The label of a choice that offers nothing else but to pass, if it is the same every time."""
        choice = self.choice(site)
        if choice is None or len(choice.lines) != 1 or choice.lines[0].label is None or choice.lines[0].binders:
            return None
        parts = choice.lines[0].label.parts
        return "".join(p for p in parts if isinstance(p, str)) if all(isinstance(p, str) for p in parts) else None

    def label_of_key(self, chose: ObservedChoice) -> str | None:
        """The label of a choice from its key as told: binders by their values, all else is left open. None where
        only that a choice was made is told."""
        if chose.key is None:
            return None
        line = chose.key[0]
        if line < 0:
            return "pass" if line == PASS else "done"
        label, values = self.template(chose.site, line)[0], self._values(chose.site, line, chose.key[1:])
        if label is None or values is None:
            return None
        texts = []
        for part in label.parts:
            if isinstance(part, str):
                texts.append(part)
            elif isinstance(part, Local) and part.index in values:
                texts.append(values[part.index])
            else:
                texts.append("…")
        return "".join(texts)

    def _values(self, site: int, line: int, named: Sequence[int]) -> dict[int, str] | None:
        """What the binders of a choice stand for, by the names in its key (see `run.naming`)."""
        choice = self.choice(site)
        if choice is None or not 0 <= line < len(choice.lines):
            return None
        names = list(named)
        values = {}
        for binder in choice.lines[line].binders:
            if not names:
                return None
            type_ = element_type(binder.domain)
            zone = base_zone(binder.domain)
            row = is_card(type_) and zone is not None and self.program.families[zone.family].kind.ordered
            if binder.identity in (Identity.MULTISET, Identity.GIVEN_SET):
                count = names.pop(0)
                chosen, names = names[:count], names[count:]
                known = not row and zone is not None and is_card(type_) and all(name >= 0 for name in chosen)
                values[binder.local] = (
                    counted([self.namer.kind(k) for k in chosen]) if known and chosen else number_of_cards(count)
                )
            elif not is_card(type_):
                values[binder.local] = self.value(names.pop(0), type_)
            elif row:
                values[binder.local] = self._row_place(zone.family if zone is not None else 0, names.pop(0))
            else:
                name = names.pop(0)
                if zone is not None:
                    values[binder.local] = self.namer.kind(name) if name >= 0 else HOLE
                else:
                    values[binder.local] = self._across(name)
        return values

    def _across(self, name: int) -> str:
        """A card out of a domain that spans zones (see `run.naming`): the place of a board has a name."""
        zone = name // ACROSS
        if 0 <= zone < len(self.program.zones) and self.namer.place_number(zone) is not None:
            return self.namer.place_on_board(zone)
        return HOLE

    def _row_place(self, family: int, place: int) -> str:
        return f"slot {place + 1}" if self.program.families[family].kind is ZoneKind.ROW else HOLE

    # -------------------------------------------------------------------- cards

    def went(self, source: int, target: int, moves: Sequence[ObservedMove], *, origin: bool = True) -> str:
        """Cards that went the same way. Without ``origin``, where from is known."""
        kinds = [move.kind for move in moves]
        verb = "goes" if len(moves) == 1 else "go"
        if source == target:
            return f"{self._cards(source, moves)} {verb} to another place in {self.zone(target)}"
        way = f"{f'from {self.zone(source)} ' if origin else ''}to {self.zone(target)}"
        if len(moves) >= MANY and (known := self.known(kinds)):
            return f"{number_of_cards(len(moves))} {verb} {way}: {known}"
        return f"{self._cards(source, moves)} {verb} {way}"

    def _cards(self, source: int, moves: Sequence[ObservedMove]) -> str:
        kinds = [move.kind for move in moves]
        place = moves[0].source_place
        if len(moves) == 1 and kinds[0] < 0 and place >= 0 and self.namer.place(source, place).startswith("slot"):
            return self.namer.place(source, place)
        if any(kind >= 0 for kind in kinds):
            return self.known(kinds)
        backs = [self.namer.hidden(kind) for kind in kinds]
        if len(set(backs)) == 1:
            return self.face(kinds[0]) if len(backs) == 1 else self._several(backs[0], len(backs))
        return counted([a_thing(b) if backs.count(b) == 1 else b for b in backs])

    def _several(self, back: str, count: int) -> str:
        return number_of_cards(count) if back == "a card" else f"{count} x {back}"

    def known(self, kinds: Sequence[int]) -> str:
        """The faces among cards, and how many others there are; nothing if no more than their number is known."""
        named = [self.namer.kind(kind) for kind in kinds if kind >= 0]
        backs = [self.namer.hidden(kind) for kind in kinds if kind < 0]
        if not named and set(backs) <= {"a card"}:
            return ""
        rest = [b for b in backs if b != "a card"]
        plain = len(backs) - len(rest)
        names = named + [a_thing(b) if rest.count(b) == 1 else b for b in rest]
        if plain:
            names.append(number_of_cards(plain))
        return counted(names)

    def dealt(self, source: int, targets: dict[int, list[ObservedMove]]) -> str:
        """As many cards from one zone to each of several."""
        count = len(next(iter(targets.values())))
        if self.namer.place_number(next(iter(targets))) is not None:
            return self._dealt_to_boards(source, targets)
        zones = [self.program.zones[t] for t in targets]
        owners = [zone.owner for zone in zones]
        family = {zone.family for zone in zones}
        if len(family) == 1 and -1 not in owners and sorted(owners) == list(range(self.program.players)) != [0]:
            own = self.zone(next(iter(targets))).split("'s ", 1)[1]
            to = f"each player's {own}"
        else:
            to = listed([self.zone(t) for t in targets])
        each = "each " if "each player" not in to else ""
        verb = "goes" if count == 1 else "go"
        text = f"{number_of_cards(count)} {each}{verb} from {self.zone(source)} to {to}"
        lists = {self.known(sorted(move.kind for move in moves)) for moves in targets.values()}
        if len(lists) == 1 and (same := lists.pop()):
            return f"{text}: {same}"
        shares = [
            f"{self.player(self.program.zones[target].owner)} gets {names}"
            if self.program.zones[target].owner >= 0
            else f"{names} to {self.zone(target)}"
            for target, moves in targets.items()
            if (names := self.known([move.kind for move in moves]))
        ]
        return f"{text}: {'; '.join(shares)}" if shares else text

    def _dealt_to_boards(self, source: int, targets: dict[int, list[ObservedMove]]) -> str:
        """Cards from one zone to places of boards of one sort."""
        kinds = [move.kind for moves in targets.values() for move in moves]
        boards: dict[str, list[int]] = {}
        for target in targets:
            boards.setdefault(self.board(target), []).append(self.namer.place_number(target) or 0)
        owners = [self.program.zones[target].owner for target in targets]
        spans = {_span(numbers) for numbers in boards.values()}
        everyone = sorted(set(owners)) == list(range(self.program.players)) != [0] and len(boards) == len(set(owners))
        if len(spans) == 1 and everyone:
            to = f"{spans.pop()} of each player's {next(iter(boards)).split(chr(39) + 's ', 1)[1]}"
        else:
            to = listed([f"{_span(numbers)} of {board}" for board, numbers in boards.items()])
        verb = "goes" if len(kinds) == 1 else "go"
        text = f"{number_of_cards(len(kinds))} {verb} from {self.zone(source)} to {to}"
        known = self.known(kinds)
        return f"{text}: {known}" if known else text

    def shown(self, shown: ObservedFaces) -> list[str]:
        """Faces that were shown, to all or to some; a sentence a zone."""
        seats = self._seats(shown.seats)
        if len(seats) == self.program.players:
            zones = _by_zone(shown.cards)
            if shown.seats == LYING_OPEN:
                return [self._turned(lying, "up") for lying in zones]
            return [self._open(lying) for lying in zones]
        spots = listed([self.spot(card) for card in shown.cards]) if shown.cards else "nothing"
        if self.eyes in seats:
            return [f"you are shown {spots}"]
        who = listed([self.player(s) for s in seats]) if seats else "nobody"
        return [f"{who} look{'s' if len(seats) <= 1 else ''} at {spots}"]

    def _open(self, cards: Sequence[Face]) -> str:
        first = cards[0]
        if len(cards) == 1 and first.place >= 0:
            return f"{self._where(first.zone, first.place)} shows {self.face(first.kind)}"
        name = self.zone(first.zone)
        return f"{name} show{'' if is_plural(name) else 's'} {counted([self.face(card.kind) for card in cards])}"

    def _turned(self, cards: Sequence[Face], way: str) -> str:
        """Cards of a zone that were turned over where they lie."""
        first = cards[0]
        if len(cards) == 1:
            return f"{self._where(first.zone, first.place)} is turned {way}: {self.face(first.kind)}"
        names = counted([self.face(card.kind) for card in cards])
        return f"{number_of_cards(len(cards))} of {self.zone(first.zone)} are turned {way}: {names}"

    # ----------------------------------------------------------------- all else

    def happening(self, observed: Observation) -> str:
        """What is neither a choice, nor a move, nor a face shown. Empty: not worth telling."""
        zone = self.zone
        match observed:
            case ObservedSwap(left, right):
                return f"{self.spot(left)} and {self.spot(right)} change places"
            case Exchanged(left, right):
                one = zone(left)
                if self.namer.place_number(left) is not None and self.board(left) == self.board(right):
                    one = f"place {self.namer.place_number(left)}"
                return f"{one} and {zone(right)} are exchanged"
            case Collected(source, target, count):
                if source < 0:
                    return f"all cards are gathered in {zone(target)}"
                return f"{_number(count)} of {zone(source)} {_are(count)} gathered in {zone(target)}"
            case Shuffled():
                return f"{zone(observed.zone)} {_is(zone(observed.zone))} shuffled"
            case TurnedOver():
                return f"{zone(observed.zone)} {_is(zone(observed.zone))} turned over"
            case Refilled(target, source, count, shuffled):
                how = "shuffled" if shuffled else "turned over"
                return f"{_number(count)} of {zone(source)} {_are(count)} {how} into {zone(target)}"
            case Said():
                return self._said(observed)
            case Chance(at, value):
                return f"chance picks {self.value(value, self._picked_type(at))}"
            case Ended():
                return self._ended(observed)
            case Left(seat):
                return self.gone(seat, 0)
            case Reversed(direction):
                return f"play now goes {'clockwise' if direction > 0 else 'counter-clockwise'}"
            case Rejoined(seats):
                return self._returned(self._seats(seats))
            case Hint():
                return self._hint(observed)
            case TurnedDown(cards):
                return listed([self._turned(lying, "down") for lying in _by_zone(cards)])
            case ObservedMove() | ObservedFaces() | ObservedOffer() | ObservedChoice():
                return ""
            case ObservedValue() | ObservedCards() | ObservedTokens() | HintedKinds():
                return ""
            case _:
                assert_never(observed)

    def gone(self, seat: int, place: int) -> str:
        """A player is out. ``place``: the one that was given with it, 0 if none; where the last to go is the best it is
        not told, since it would sound like a win."""
        if place == 0 or any(c.highest and c.name == "place" for c in self.program.criteria):
            return f"{self.player(seat)} is out"
        return f"{self.player(seat)} is done, in place {place}"

    def placed(self, observed: Observation) -> tuple[int, int]:
        """The seat that has been given a place, and which; (-1, 0) if something else has happened."""
        first = self.program.places
        if isinstance(observed, ObservedValue) and first >= 0 and 0 <= observed.place - first < self.program.players:
            return observed.place - first, observed.value
        return -1, 0

    def _seats(self, seats: int) -> list[int]:
        """The seats of a set of bits, in order; -1 is all of them."""
        return bits(seats & (1 << self.program.players) - 1)

    def _returned(self, seats: Sequence[int]) -> str:
        if len(seats) > 1 and len(seats) >= self.program.players - 1:
            return ALL_AGAIN
        return f"{listed([self.player(seat) for seat in seats])} {'is' if len(seats) == 1 else 'are'} in again"

    def _said(self, said: Said) -> str:
        label = next(
            (op.text for b in self.program.blocks for op in b.ops if isinstance(op, Announce) and op.at == said.at),
            None,
        )
        if label is None:
            return "…"
        values = iter(said.values)
        texts = []
        for part in label.parts:
            if isinstance(part, str):
                texts.append(part)
                continue
            value = next(values)
            if isinstance(value, int):
                texts.append(self.value(value, type_of(part)))
            else:
                nothing = "nothing" if is_card_set(type_of(part)) else "none"
                texts.append(self._all_named(value) if value else nothing)
        return "".join(texts)

    def _all_named(self, cards: Sequence[Face]) -> str:
        """Cards in a note, those that the reader cannot tell apart by their number."""
        names = [self._named(card) for card in sorted(cards, key=lambda card: card.kind < 0)]
        unnamed = names.count(NO_FACE)
        rest = [name for name in names if name != NO_FACE]
        return counted([*rest, number_of_cards(unnamed)] if unnamed else rest)

    def _named(self, card: Face) -> str:
        """A card in a note, as a label names it."""
        name = self.namer.kind(card.kind) if card.kind >= 0 else self.namer.hidden(card.kind)
        if card.zone < 0 or (card.kind >= 0 and self._sees(card.zone)):
            return name
        where = self.namer.place(card.zone, card.place)
        return where if card.kind < 0 and self.namer.backs_are_alike else f"{where} ({inner(name)})"

    def _sees(self, zone: int) -> bool:
        """Whether the faces of a zone lie open to the reader: to one who knows all, if to anybody."""
        seen = self.program.zones[zone].seen
        return bool(seen) if self.eyes is None else Table(self.program, ()).sees_zone(self.eyes, zone)

    def _hint(self, hint: Hint) -> str:
        """Facts said aloud: a single one, of the places of a zone, or of how many cards of a zone."""
        zone, facts = hint.zone, hint.facts
        seats = self._seats(hint.seats)
        everyone = len(seats) == self.program.players
        whom = "everyone" if everyone else listed([self.player(seat) for seat in seats])
        said = f"{whom} {'is' if everyone or len(seats) == 1 else 'are'} told"
        if zone < 0:
            return f"{said}: {'yes' if facts[0] else 'no'}"
        if not self.program.families[self.program.zones[zone].family].kind.ordered:
            return f"{said} of {self.zone(zone)}: yes for {_number(facts[0])}"
        if self.namer.place_number(zone) is not None:
            return f"{said} of {self.zone(zone)}: {'yes' if facts[0] else 'no'}"
        texts = []
        for word, truth in (("yes", True), ("no", False)):
            places = [self.namer.place(zone, place) for place, fact in enumerate(facts) if bool(fact) == truth]
            texts += [f"{word} for {listed(places)}"] if places else []
        return f"{said} of {self.zone(zone)}: {'; '.join(texts) or 'no card lies there'}"

    def _picked_type(self, at: int) -> Type:
        for block in self.program.blocks:
            if isinstance(block.end, Pick) and block.end.at == at:
                return block.end.into.type
        return INT

    def _ended(self, ended: Ended) -> str:
        scores = ", ".join(f"{self.player(seat)} {score}" for seat, score in enumerate(ended.scores))
        winners = [self.player(seat) for seat in bits(ended.winners)]
        wins = "nobody wins" if not winners else f"{listed(winners)} {'wins' if len(winners) == 1 else 'share the win'}"
        return f"the game is over: {scores}; {wins}"


def _by_zone(cards: Sequence[Face]) -> list[list[Face]]:
    """The cards of each zone, in the order in which the zones are named first."""
    zones: dict[int, list[Face]] = {}
    for card in cards:
        zones.setdefault(card.zone, []).append(card)
    return list(zones.values())


def _span(numbers: Sequence[int]) -> str:
    """``place 3``, ``places 1 to 6``, ``places 1, 3 and 4``."""
    if len(numbers) == 1:
        return f"place {numbers[0]}"
    if len(numbers) > 2 and list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return f"places {numbers[0]} to {numbers[-1]}"
    return f"places {listed([str(number) for number in numbers])}"


def _number(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _is(name: str) -> str:
    return "are" if is_plural(name) else "is"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
