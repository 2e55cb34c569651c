"""What happened, told in passages of English sentences: to a seat (from what it is told, no more), to an onlooker, or
by one who knows all.

Generic: no game's words. A passage is what one seat does in its own right, with all that follows from it; a reaction in
a window is a passage of its own below it. What a choice has already said is not told again: the card that it named and
that then moves, the place that it named and that is then turned up. May not import check, syntax or document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rulerun.facts.events import Became, Chose, Event, Held, Moved, Offered, Picked, Shown, Turned
from rulerun.facts.observations import (
    Collected,
    Ended,
    HintedKinds,
    Left,
    Observation,
    ObservedCards,
    ObservedChoice,
    ObservedFaces,
    ObservedMove,
    ObservedSwap,
    ObservedTokens,
    ObservedValue,
    Said,
    Shuffled,
)
from rulerun.ir.nodes import CallProcedure
from rulerun.ir.typing import is_card, is_card_set, type_of
from rulerun.run.machine import Machine
from rulerun.view.english import PREPOSITIONS, counted, first_word, is_verb, listed, sentence, third_person
from rulerun.view.labels import HOLE, UNTOLD, fill, open_label, reads_cards
from rulerun.view.names import Namer, inner
from rulerun.view.onlooker import observed_by
from rulerun.view.table import Table, bits
from rulerun.view.wording import ALL_AGAIN, Wording

PASS = "pass"
NOBODY = -1
ANYWHERE = -1


@dataclass(frozen=True, slots=True)
class Passage:
    """Sentences that belong together. ``seat`` acts (-1: nobody, as when cards are dealt); ``reaction``: in a window,
    while it is another's turn."""

    seat: int
    reaction: bool
    sentences: tuple[str, ...]


@dataclass(slots=True)
class _Speech:
    """Choices in a row of one seat (or passes of several), not yet put into a sentence."""

    seats: list[int]
    phrases: list[str]
    verbs: set[str] = field(default_factory=set)
    """Verbs in these phrases, besides those that they begin with."""
    way: tuple[int, int] | None = None
    """From where to where cards that the last phrase names have gone already."""
    drawn: list[int] = field(default_factory=list)
    """Cards, as told, that the speaker took from where the last phrase said."""
    after: str = ""
    """What the choice turned up."""
    zones: set[int] = field(default_factory=set)
    """Where the cards lay that were chosen by name or by place (`ANYWHERE`: that is not known). What is shown elsewhere
    was not named, even if it is called the same."""
    turned: bool = False
    """Whether a card that it named was shown: where that card then goes may hang on its face, and is told."""


class Narrator:
    """Collects the story of a stretch of a game for ``eyes`` (a seat, `ONLOOKER`; None: one who knows all). Feed it in
    order, then read `passages`."""

    def __init__(self, machine: Machine, namer: Namer, backs: Sequence[int], eyes: int | None) -> None:
        self._machine = machine
        self._namer = namer
        self._words = Wording(namer, eyes)
        self._backs = backs
        self._eyes = eyes
        self._done: list[tuple[int, bool, list[str]]] = []
        self._speech: _Speech | None = None
        self._moves: list[ObservedMove] = []
        self._it: tuple[tuple[int, ...], int] | None = None
        """The cards that were told of last, and no others since: their kinds as told, in order, and the zone."""
        self._turn = NOBODY
        """Whose passage it is, windows apart."""
        self._sites: set[int] = set()
        """Sites at which that seat has chosen in this passage."""
        self._unit = -1
        """The procedure of its last choice."""
        self._quiet = True
        """Whether nothing has happened since the last choice."""
        self._at_once = False
        """Whether the last choice was one of several made at once."""
        self._within = _within(namer)
        self._placed = (NOBODY, 0)
        """Who was given a place last, and which."""

    def passages(self) -> list[Passage]:
        """All that was told."""
        self._settle()
        return [Passage(seat, reaction, tuple(lines)) for seat, reaction, lines in self._done if lines]

    def tell(self, events: Iterable[Event]) -> None:
        """Tells events among which no choice is (or only choices told late, after sealed ones)."""
        rest = [event for event in events if not isinstance(event, Offered)]
        for number, event in enumerate(rest):
            observation = self._observe(event)
            if observation is None:
                continue
            if isinstance(observation, ObservedChoice):
                label = self.label_of(observation)
                self._choose(observation.seat, observation.site, label, rest[number + 1 :], {ANYWHERE})
                continue
            self._quiet = False
            match observation:
                case ObservedMove():
                    self._move(observation)
                case ObservedFaces():
                    self._show(observation)
                case _:
                    self._happen(observation)

    def step(self, before: list[int], index: int, events: Sequence[Event]) -> None:
        """Tells a choice, taken in the position ``before``, and what followed. A sealed one is told when it is known to
        all."""
        chooser, site = Table(self._namer.program, before).chooser, self._machine.site(before)
        choice = self._words.choice(site)
        if choice is not None and choice.sealed:
            sealed = next((e for e in events if isinstance(e, Chose) and e.seat == chooser), None)
            self.tell([e for e in events if e is not sealed])
            return
        chose = next((e for e in events if isinstance(e, Chose)), None)
        rest = [e for e in events if e is not chose and not isinstance(e, Offered)]
        if chose is not None and self._observe(chose) is None:
            self.tell(rest)
            return
        zones = self._chosen_in(before, index)
        self._choose(chooser, site, self.label(before, index, chose), rest, zones)
        self.tell(rest)

    def _observe(self, event: Event) -> Observation | None:
        return observed_by(event, self._eyes, self._namer.program, self._backs)

    # ---------------------------------------------------------------- choices

    def label(self, before: list[int], index: int, chose: Chose | None) -> str | None:
        """The label of a choice as the reader is told it, open where it may not name a card; None where it is not."""
        option = self._machine.options(before)[index]
        if chose is None:
            return open_label(self._machine, self._namer, before, option, self._eyes)
        observed = self._observe(chose)
        if not isinstance(observed, ObservedChoice) or observed.key is None:
            return None
        if observed.key != chose.key and self._reads_faces(chose):
            label, _ = self._words.template(chose.site, chose.others[0])
            assert label is not None
            return "".join(p if isinstance(p, str) else HOLE if is_card(type_of(p)) else UNTOLD for p in label.parts)
        return open_label(self._machine, self._namer, before, option, self._eyes)

    def _chosen_in(self, before: list[int], index: int) -> set[int]:
        """The zones of the cards that the label of an option names."""
        option, table = self._machine.options(before)[index], Table(self._namer.program, before)
        zones = set()
        for part in self._machine.label(before, option):
            if isinstance(part, str):
                continue
            if is_card_set(part.type):
                zones |= {table.zone_of(card) for card in bits(part.value)}
            elif is_card(part.type) and part.zone >= 0:
                zones.add(part.zone)
        return zones

    def label_of(self, observed: ObservedChoice) -> str | None:
        """The label of a choice that is told after all were in, made of its key."""
        return self._words.label_of_key(observed)

    def _reads_faces(self, chose: Chose) -> bool:
        """Whether the label of a choice tells more of cards than their names."""
        label, _ = self._words.template(chose.site, chose.others[0])
        parts = [p for p in label.parts if not isinstance(p, str)] if label is not None else []
        return any(not is_card(type_of(p)) and reads_cards(p) for p in parts)

    def _choose(self, seat: int, site: int, label: str | None, rest: Sequence[Event], zones: set[int]) -> None:
        """A choice. ``rest``: what follows, which may name a card that the label leaves open; ``zones``: where the
        cards lay that it names."""
        if label is None:
            choice = self._words.choice(site)
            label = "make a choice" if choice is not None and choice.sealed else "make a secret choice"
        if HOLE in label:
            label = self._filled(label, rest, self._words.chosen_from(site))
        if label == PASS:
            label = self._not_done(site)
        choice = self._words.choice(site)
        self._speak(seat, site, label, window=choice is not None and choice.window)
        if self._speech is not None:
            self._speech.zones |= zones
        self._quiet = True
        self._at_once = choice is not None and choice.sealed

    def _filled(self, label: str, rest: Sequence[Event], families: set[int]) -> str:
        """A label that leaves cards open, with the names of the cards that then move out of zones of these families (no
        matter of which, if empty), as far as they are told."""
        several = re.search(rf"(\d+) x {HOLE}", label)
        count = int(several[1]) if several is not None else 1
        other = Became | Held | Offered | Picked | Shown | Turned
        happened = [e for e in rest if not isinstance(e, other) and not self._from_the_open(e)]
        zones = self._namer.program.zones
        fits = [isinstance(e, Moved) and (not families or zones[e.source].family in families) for e in happened[:count]]
        moves = [self._observe(e) for e in happened[: run_of(fits)]]
        kinds = [move.kind for move in moves if isinstance(move, ObservedMove) and move.kind >= 0]
        known = len(kinds) == count
        if several is not None:
            names = counted([self._namer.kind(k) for k in kinds]) if known else f"{count} cards"
            return fill(label.replace(several[0], names, 1), ())
        return fill(label, (self._namer.kind(kinds[0]),) if known else ())

    def _from_the_open(self, event: Event) -> bool:
        """Whether a card goes out of a zone that everyone sees: the label would have named it."""
        program = self._namer.program
        return isinstance(event, Moved) and program.zones[event.source].seen == (1 << program.players) - 1

    def _not_done(self, site: int) -> str:
        """A pass: what is not done, if that is one thing with a name."""
        label = self._words.only_label(site)
        return f"not {label.rstrip('.!')}" if label is not None and is_verb(label) else PASS

    def _speak(self, seat: int, site: int, phrase: str, *, window: bool) -> None:
        passes = phrase == PASS or phrase.startswith("not ")
        speech = self._speech
        if speech is not None and passes and speech.phrases == [phrase] and self._quiet:
            if seat not in speech.seats:
                speech.seats.append(seat)
            return
        self._end_moves()
        speech = self._speech
        unit, choice = self._words.unit(site), self._words.choice(site)
        if window:
            fresh = speech is None or speech.seats != [seat] or passes or not self._quiet
        else:
            again = site in self._sites and not self._quiet
            on = unit == self._unit or (self._unit, unit) in self._within
            back = self._unit >= 0 and not on and not self._quiet and not passes
            below = bool(self._done) and self._done[-1][1] and not passes
            alone = self._at_once and not (choice is not None and choice.sealed)
            fresh = seat != self._turn or again or back or below or alone
        if fresh:
            self._settle()
            self._done.append((seat, window, []))
            if not window:
                self._turn, self._sites = seat, set()
        if not window:
            self._sites.add(site)
            self._unit = unit
        speech = self._speech
        goes_on = speech is not None and speech.seats == [seat] and not speech.after and not passes
        if speech is not None and goes_on and self._joins(speech, phrase):
            speech.phrases.append(phrase)
            speech.verbs |= self._words.second_verbs(site)
            speech.way, speech.drawn = None, []
            return
        self._end_speech()
        self._speech = _Speech([seat], [phrase], self._words.second_verbs(site))
        self._it = None

    def _joins(self, speech: _Speech, phrase: str) -> bool:
        if len(speech.drawn) > 1 or (speech.drawn and self._words.known(speech.drawn)):
            return False
        return is_verb(phrase) or not is_verb(speech.phrases[0]) or first_word(phrase) in PREPOSITIONS

    def _end_speech(self) -> None:
        speech, self._speech = self._speech, None
        if speech is None:
            return
        names = listed([self._namer.player(seat) for seat in speech.seats])
        after = speech.after
        if speech.drawn:
            names_drawn = self._words.known(speech.drawn)
            count = len(speech.drawn)
            after = names_drawn or ("" if count == 1 else f"{count} cards")
        text = f"{names} {self._acts(speech)}" if self._told_as_act(speech) else f"{names}: {', '.join(speech.phrases)}"
        if after:
            text = f"{text.rstrip('.!')}: {after}"
        self._say(text)

    def _told_as_act(self, speech: _Speech) -> bool:
        phrase = speech.phrases[0]
        return is_verb(phrase.removeprefix("not "))

    def _acts(self, speech: _Speech) -> str:
        several = len(speech.seats) > 1
        phrase = speech.phrases[0]
        if phrase.startswith("not "):
            return f"do{'' if several else 'es'} {phrase}"
        if several:
            return phrase
        groups: list[str] = []
        for phrase in speech.phrases:
            if first_word(phrase) in PREPOSITIONS and groups:
                groups[-1] += f" {phrase}"
            else:
                groups.append(third_person(phrase, speech.verbs))
        return listed(groups)

    # ------------------------------------------------------------------- cards

    def _move(self, move: ObservedMove) -> None:
        way = (move.source, move.target)
        speech = self._speech
        if speech is not None and not speech.after and not speech.turned:
            phrase = speech.phrases[-1]
            chosen = ANYWHERE in speech.zones or move.source in speech.zones
            fits = chosen and speech.way in (None, way) and not speech.drawn
            if move.kind >= 0 and fits and _names(phrase, self._namer.kind(move.kind)):
                speech.way = way
                return
            owner = self._namer.program.zones[move.target].owner
            if owner == speech.seats[0] and _names(phrase, self._namer.zone(move.source)) and speech.way is None:
                speech.drawn.append(move.kind)
                return
        self._end_speech()
        self._moves.append(move)

    def _show(self, shown: ObservedFaces) -> None:
        self._end_moves()
        speech = self._speech
        program = self._namer.program
        everyone = (1 << program.players) - 1
        if len(shown.cards) == 1 and speech is not None and not speech.after and not speech.drawn:
            kind, zone, place = shown.cards[0]
            name = self._namer.kind(kind) if kind >= 0 else ""
            phrase = next((p for p in reversed(speech.phrases) if self._points(speech, p, zone, place, name)), None)
            seats = shown.seats & everyone
            if phrase is not None and (seats == everyone or speech.seats[0] in bits(seats)):
                self._turned_up(speech, phrase, kind)
                self._it = ((kind,), zone)
                return
        self._end_speech()
        for text in self._words.shown(shown):
            self._say(text)
        kinds, zones = sorted(card.kind for card in shown.cards), {card.zone for card in shown.cards}
        self._it = (tuple(kinds), zones.pop()) if len(zones) == 1 and kinds[0] >= 0 else None

    def _points(self, speech: _Speech, phrase: str, zone: int, place: int, name: str) -> bool:
        """Whether a phrase has said which card it is that lies in a zone: by its place, or by its name."""
        gone_to = speech.way[1] if speech.way is not None else ANYWHERE
        if ANYWHERE not in speech.zones and (not speech.zones or zone not in {*speech.zones, gone_to}):
            return False
        if place >= 0 and _names(phrase, self._namer.place(zone, place)):
            return True
        return bool(name) and _names(phrase, name)

    def _turned_up(self, speech: _Speech, phrase: str, kind: int) -> None:
        """A card that the choice has pointed at: only what is new of it is told."""
        speech.turned = True
        if kind >= 0:
            name, back = self._namer.kind(kind), self._namer.back(kind)
            if not _names(phrase, name) and not _names(phrase, inner(name)):
                prefix = f"{back} ("
                short = name.startswith(prefix) and name.endswith(")") and back in phrase
                speech.after = name[len(prefix) : -1] if short else name

    def _end_moves(self) -> None:
        """Tells the moves held back: those from one zone together, grouped by target."""
        moves, self._moves = self._moves, []
        while moves:
            source, target = moves[0].source, moves[0].target
            same = run_of([move.source == source and move.target == target for move in moves])
            run = run_of([move.source == source and move.target != source for move in moves])
            gathered = run_of([move.target == target and move.kind >= 0 and move.source != target for move in moves])
            kinds = tuple(sorted(move.kind for move in moves[:same]))
            if self._it == (kinds, source) and source != target:
                run = same
                self._say(f"{'it goes' if same == 1 else 'they go'} to {self._words.zone(target)}")
            elif gathered > run:
                run = gathered
                names = self._words.known([move.kind for move in moves[:gathered]])
                self._say(f"{names} go to {self._words.zone(target)}")
            else:
                run = max(run, 1)
                self._moved(moves[:run])
            kinds = tuple(sorted(move.kind for move in moves[:run]))
            one = len({move.target for move in moves[:run]}) == 1
            self._it = (kinds, target) if one and kinds[0] >= 0 else None
            moves = moves[run:]

    def _moved(self, moves: Sequence[ObservedMove]) -> None:
        targets: dict[int, list[ObservedMove]] = {}
        for move in moves:
            targets.setdefault(move.target, []).append(move)
        source = moves[0].source
        zones = self._namer.program.zones
        while targets:
            first = next(iter(targets))
            alike = run_of(
                [zones[t].family == zones[first].family and len(targets[t]) == len(targets[first]) for t in targets]
            )
            group = {target: targets.pop(target) for target in list(targets)[:alike]}
            if len(group) > 1:
                self._say(self._words.dealt(source, group))
            else:
                self._say(self._words.went(source, first, group[first]))

    # ----------------------------------------------------------------- all else

    def _happen(self, observed: Observation) -> None:
        if isinstance(observed, ObservedValue | ObservedCards | ObservedTokens | HintedKinds):
            self._placed = self._words.placed(observed)
            return  # not told in words, and so it divides nothing; a place is told with who goes
        self._end_moves()
        speech = self._speech
        if isinstance(observed, ObservedSwap) and speech is not None and self._swap_was_named(speech, observed):
            self._end_speech()
            return
        seat, place = self._placed
        text = self._words.gone(seat, place) if observed == Left(seat) else self._words.happening(observed)
        all_gathered = isinstance(observed, Collected) and observed.source < 0
        if text == ALL_AGAIN or all_gathered:  # something begins anew
            self._settle()
            if not self._done or self._done[-1] != (NOBODY, False, [sentence(ALL_AGAIN)]):
                self._done.append((NOBODY, False, []))
            self._turn = NOBODY
        self._end_speech()
        if isinstance(observed, Shuffled) and self._done and self._done[-1][2]:
            last = self._done[-1][2]
            gathered = sentence(f"all cards are gathered in {self._words.zone(observed.zone)}")
            if last[-1] == gathered:
                last[-1] = f"{gathered[:-1]} and shuffled."
                return
        if isinstance(observed, Ended):
            self._settle()
            self._done.append((NOBODY, False, []))
        if text:
            self._say(text)
        if not isinstance(observed, Said):
            self._it = None

    def _swap_was_named(self, speech: _Speech, swap: ObservedSwap) -> bool:
        """Whether the choice has said which cards change places."""
        said = " ".join(speech.phrases)
        sides = (swap.left, swap.right)
        return any(c.place >= 0 and _names(said, self._namer.place(c.zone, c.place)) for c in sides)

    def _settle(self) -> None:
        self._end_moves()
        self._end_speech()

    def _say(self, text: str) -> None:
        if not self._done:
            self._done.append((NOBODY, False, []))
        self._done[-1][2].append(sentence(text))


def _names(phrase: str, name: str) -> bool:
    """Whether a name stands in a phrase, as words of its own."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", phrase) is not None


def _within(namer: Namer) -> frozenset[tuple[int, int]]:
    """Pairs of procedures of which the first calls the second, directly or not."""
    calls: dict[int, set[int]] = {}
    for block in namer.program.blocks:
        if isinstance(block.end, CallProcedure):
            calls.setdefault(block.unit, set()).add(block.end.procedure)
    pairs = set()
    for start in calls:
        reached: set[int] = set()
        open_ = [start]
        while open_:
            for callee in calls.get(open_.pop(), ()):
                if callee not in reached:
                    reached.add(callee)
                    open_.append(callee)
        pairs |= {(start, callee) for callee in reached}
    return frozenset(pairs)


def run_of(fits: Sequence[bool]) -> int:
    """How many of the first are true."""
    return next((i for i, fit in enumerate(fits) if not fit), len(fits))
