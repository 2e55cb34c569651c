"""What an observer (a seat or the `ONLOOKER`) is told and given in a play, and where two plays first differ in it.

Plays differ in a record by a *disclosure*, which something at the table makes (a move, a face, who is asked), or by a
leak: an offer or a note that is not the same after the same record, a fault, or anything else that is given. May not
import faces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

from rulerun.facts.faults import RulesFault
from rulerun.facts.observations import Chance, Observation, ObservedChoice, ObservedOffer, ObservedValue, Said
from rulerun.game import NoWorldFound, State
from rulerun.ir.nodes import Choose, Pick
from rulerun.ir.program import PC, PICKED, Origin, Program, seats_by_word
from rulerun.ir.types import ArrayType, CardType
from rulerun.play.led import Play
from rulerun.view.onlooker import ONLOOKER, observed_by

SEARCH = 1_500
"""Steps of the game after which the search for a world is given up."""
STORIES = 2
"""At so many positions after an exchange, and at the last that gives an observer an equal record, the story is told."""
NOTHING = "(nothing)"


@dataclass(frozen=True, slots=True)
class Difference:
    """Where an observer is given two things after the same record. ``what`` was given, at the rule text ``origin``
    (None: no one place); ``position``: after how many choices."""

    what: str
    origin: Origin | None
    position: int
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Heard:
    """What an observer was told in a play from some stretch on; ``upto``: by position how much of it had been told
    there."""

    entries: tuple[Observation, ...]
    upto: dict[int, int]
    stopped: RulesFault | None
    """What stopped the play after all entries."""


def heard(play: Play, observer: int, stretch: int) -> Heard:
    """What an observer was told from a stretch on."""
    program, backs = play.game.program, play.game.backs
    entries: list[Observation] = []
    upto: dict[int, int] = {}

    def hear(number: int) -> None:
        for event in play.events[number] if number < len(play.events) else play.last:
            entry = observed_by(event, observer, program, backs)
            if entry is not None:
                entries.append(entry)

    for number in range(stretch, len(play.states)):
        hear(number)
        upto[number] = len(entries)
    if play.fault is not None:
        hear(len(play.states))
    return Heard(tuple(entries), upto, play.fault)


class Sides:
    """Two plays that went the same way up to a stretch, held against each other for one observer."""

    def __init__(self, left: Play, right: Play, observer: int, stretch: int) -> None:
        self.left = left
        self.right = right
        self.observer = observer
        self.stretch = stretch
        self.told = heard(left, observer, stretch), heard(right, observer, stretch)
        left_entries, right_entries = self.told[0].entries, self.told[1].entries
        both = min(len(left_entries), len(right_entries))
        self.same = next((n for n in range(both) if left_entries[n] != right_entries[n]), both)
        """How many entries are the same in both."""

    @property
    def parted(self) -> bool:
        """Whether the records differ."""
        return any(len(told.entries) > self.same for told in self.told)

    @property
    def alike(self) -> bool:
        """Whether the records are equal at some position of both."""
        left, right = ({upto for upto in told.upto.values() if upto <= self.same} for told in self.told)
        return not left.isdisjoint(right)

    def difference(self, *, world: int | None = None) -> Difference | None:
        """The first thing that was given to the observer otherwise after the same record; None: there is none, or the
        records differ by a disclosure before. ``world``: a seed with which worlds are sampled, too."""
        return self._given(world) or self._told() or self._taken_back()

    def _given(self, world: int | None) -> Difference | None:
        """What differs at positions with equal records, of both plays or of one."""
        alike: dict[int, list[State]] = {}
        for told, play in zip(self.told, (self.left, self.right), strict=True):
            for number, upto in told.upto.items():
                if upto <= self.same:
                    alike.setdefault(upto, []).append(play.states[number])
        for number, (first, *others) in enumerate(alike.values()):
            for other in others:
                stories = number < STORIES or number == len(alike) - 1
                found = self._compare(first, other, stories, world if number == 0 else None)
                if found is not None:
                    return found
        return None

    def _compare(self, left: State, right: State, stories: bool, world: int | None) -> Difference | None:
        since = self.stretch if stories else None
        for (what, one), (_, two) in zip(
            given_to(left, self.observer, since, world), given_to(right, self.observer, since, world), strict=True
        ):
            if one != two:
                texts = parted(one, two)
                return Difference(what, origin_of(left), len(left), *texts)
        return None

    def _told(self) -> Difference | None:
        """What the first entry that differs says."""
        left, right = (told.entries[self.same] if self.same < len(told.entries) else None for told in self.told)
        program = self.left.game.program
        match left, right:
            case None, None:
                return self._stopped()
            case ObservedOffer(seat, site, keys), ObservedOffer(other, same, others) if (seat, site) == (other, same):
                if keys is None or others is None:
                    return None
                return self._offers()
            case Said(at, values), Said(same, others) if at == same:
                return Difference("note", program.origins[at], self._position(0), repr(values), repr(others))
            case Chance(at), Chance(same) if at == same and self._kept_from_it(at):
                return Difference("outcome of chance", program.origins[at], self._position(0), repr(left), repr(right))
            case ObservedValue(place, _), ObservedValue(other, _) if place != other:
                return self._token(place, other)
            case ObservedChoice(seat, site, None), ObservedChoice(other, same, None) if site == same and seat != other:
                return self._order(site, seat, other)
            case _:
                return self._size() or (self._stopped() if left is None or right is None else None)

    def _kept_from_it(self, at: int) -> bool:
        """Whether what the chance at an origin gives goes into a hidden variable, of which the observer does not see
        what became otherwise."""
        program = self.left.game.program
        hidden = seats_by_word(program)
        place = next((p for p in kept_picks(program) if p.at == at), None)
        if place is None or place.kept is None:
            return False
        offset = place.kept.offset
        variable = next(v for v in program.variables if v.unit < 0 and v.offset <= offset < v.offset + v.words)
        positions = [self._position(n) for n in (0, 1)]
        if any(n >= len(side.states) for n, side in zip(positions, (self.left, self.right), strict=True)):
            return False  # the rules broke down before the next position: what became of the variable is not known
        vectors = [side.states[n].vector for n, side in zip(positions, (self.left, self.right), strict=True)]
        words = [
            word
            for word in range(variable.offset, variable.offset + variable.words)
            if vectors[0][word] != vectors[1][word]
        ]
        everyone = (1 << program.players) - 1
        return bool(words) and not any(_has(hidden.get(word, everyone), self.observer, everyone) for word in words)

    def _token(self, place: int, other: int) -> Difference | None:
        """Entries of one card that are told by the number of the card."""
        program = self.left.game.program
        for variable in program.variables:
            words = range(variable.offset, variable.offset + variable.words)
            if place not in words or other not in words or not isinstance(variable.type, ArrayType):
                continue
            if isinstance(variable.type.key, CardType):
                position = self._position(0)
                one, two = (
                    f"{variable.name} of card {(w - variable.offset) // _width(variable.words, program)}"
                    for w in (place, other)
                )
                return Difference("entry of a card", origin_of(self.left.states[position]), position, one, two)
        return None

    def _order(self, site: int, seat: int, other: int) -> Difference | None:
        """Choices made at once, told in another order."""
        program = self.left.game.program
        choose = next(b.end for b in program.blocks if isinstance(b.end, Choose) and b.end.site == site)
        if not choose.sealed:
            return None
        one, two = (f"P{number + 1} has chosen" for number in (seat, other))
        return Difference("order of choices made at once", program.origins[choose.at], self._position(0), one, two)

    def _taken_back(self) -> Difference | None:
        """A choice that may be taken back after it was told what depends on what the seat cannot know."""
        if self.observer == ONLOOKER or not self.parted:
            return None
        for play, told in zip((self.left, self.right), self.told, strict=True):
            number = next((n for n, upto in told.upto.items() if upto > self.same), None)
            if number is None or (number == self.stretch and self.same == 0 and not self._knew_nothing()):
                continue
            state = play.states[number]
            if state.may_take_back(self.observer):
                told_now = [told.entries[self.same] if self.same < len(told.entries) else NOTHING for told in self.told]
                one, two = (f"may be taken back after {entry}" for entry in told_now)
                return Difference("taking back", origin_of(play.states[number - 1]), number, one, two)
        return None

    def _knew_nothing(self) -> bool:
        """Whether the exchange lies in what the seat's own choice led to, and the choice was the same."""
        position = self.stretch - 1
        return position >= 0 and self.left.chosen[position] == self.right.chosen[position]

    def _stopped(self) -> Difference | None:
        """A fault in one play where the other goes on, or has another."""
        ends = [
            told.stopped if told.stopped is not None and len(told.entries) == self.same else None for told in self.told
        ]
        left, right = ends
        if left is None and right is None:
            return None
        if any(end is None and self._ends(side) for side, end in enumerate(ends)):
            return None
        one, two = ("the rules go on" if end is None else str(end) for end in ends)
        fault = left or right
        assert fault is not None
        return None if one == two else Difference("fault", fault.origin, self._position(0), one, two)

    def _ends(self, side: int) -> bool:
        """Whether a play was not played on beyond the entries that are the same."""
        return len(self.told[side].entries) == self.same

    def _size(self) -> Difference | None:
        """A secret set that goes on being picked in one play, and has been picked in the other."""
        going = [self._picks_on(side) for side in (0, 1)]
        if going[0] == going[1]:
            return None
        at = next(state for state in going if state is not None)
        texts = ("one more card is picked", "no more card is picked")
        one, two = texts if going[0] is not None else texts[::-1]
        return Difference("size of a secret set", origin_of(at), self._position(0), one, two)

    def _picks_on(self, side: int) -> State | None:
        """The position where the entry that differs asks somebody else for one more card of a secret set."""
        play, told = (self.left, self.right)[side], self.told[side]
        entry = told.entries[self.same] if self.same < len(told.entries) else None
        if not isinstance(entry, ObservedOffer) or entry.seat == self.observer:
            return None
        state = next((play.states[n] for n, upto in told.upto.items() if upto == self.same + 1), None)
        if state is None or not state.vector[PICKED]:
            return None
        choose = play.game.program.blocks[state.vector[PC]].end
        return state if isinstance(choose, Choose) and (choose.secret or choose.sealed) else None

    def _position(self, side: int) -> int:
        """After how many choices the records differ."""
        told = self.told[side]
        return next((n for n, upto in told.upto.items() if upto > self.same), max(told.upto, default=self.stretch))

    def _offers(self) -> Difference:
        """Offers with other keys at the same place."""
        states = [
            next(play.states[n] for n, upto in told.upto.items() if upto > self.same)
            for play, told in zip((self.left, self.right), self.told, strict=True)
        ]
        one, two = (_offer(state) for state in states)
        if one == two:
            one, two = (repr(told.entries[self.same]) for told in self.told)
        return Difference("offer", origin_of(states[0]), len(states[0]), one, two)


def kept_picks(program: Program) -> list[Pick]:
    """The picks that go into a state variable which not everyone sees."""
    return [b.end for b in program.blocks if isinstance(b.end, Pick) and b.end.kept is not None]


def _has(seats: int, observer: int, everyone: int) -> bool:
    return seats & everyone == everyone if observer == ONLOOKER else bool(seats >> observer & 1)


def _width(words: int, program: Program) -> int:
    return words // max(program.card_count, 1)


def doubled(state: State) -> Difference | None:
    """Options of one choice that share a key: logs, saves and replays may then lead elsewhere."""
    keys = state._offered().keys
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice is None:
        return None
    one, two = [option for option in state.options if option.key == twice][:2]
    return Difference("key", origin_of(state), len(state), f"{one.label} ({twice})", f"{two.label} ({twice})")


def _offer(state: State) -> str:
    """An offer in words."""
    try:
        return ", ".join(f"{option.label} ({option.key})" for option in state.options)
    except RulesFault as fault:
        return str(fault)


def given_to(state: State, observer: int, since: int | None, world: int | None) -> Iterator[tuple[str, object]]:
    """What an observer is given at a position, beside its record, one after the other, by name. ``since``: from which
    choice on the story is told (None: it is left out); ``world``: the seed of a world, if one is sampled."""

    def story() -> object:
        if since is None:
            return NOTHING
        return [[passage.seat, passage.reaction, *passage.sentences] for passage in state.passages(observer, since)]

    if observer == ONLOOKER:
        yield "story", _or_fault(story)
        return
    asked = state.seat == observer
    yield "offer", _or_fault(lambda: [[o.label, o.key] for o in state.options] if asked else NOTHING)
    yield "view", _or_fault(lambda: state.view(observer).as_dict())
    yield "information state", state.information_state(observer)
    yield "story", _or_fault(story)
    yield "taking back", state.may_take_back(observer)
    if world is not None:
        yield "world", _or_fault(lambda: _world(state, observer, world))


def _world(state: State, seat: int, seed: int) -> object:
    try:
        world = state.resample(seat, seed=seed, most=SEARCH)
    except NoWorldFound as error:
        return str(error)
    return [choice.key for choice in world.history], tuple(world.vector)


def _or_fault(give: Callable[[], object]) -> object:
    """What is given, or the fault that is given instead."""
    try:
        return give()
    except RulesFault as fault:
        return str(fault)


def origin_of(state: State) -> Origin | None:
    """The rule text of the choice that waits; at the end, of the last one."""
    program: Program = state.game.program
    vector = state._last.before if state.is_over and state._last is not None else state.vector
    end = program.blocks[vector[PC]].end
    at = end.at if isinstance(end, Choose) else -1
    return program.origins[at] if at >= 0 else None


def parted(left: object, right: object, path: str = "") -> tuple[str, str]:
    """Two things that differ, cut down to the first parts that do, in words."""
    match left, right:
        case dict(), dict():
            for name in chain(left, right):
                one, two = left.get(name, NOTHING), right.get(name, NOTHING)
                if one != two:
                    return parted(one, two, f"{path}{'.' if path else ''}{name}")
        case ((list() | tuple()), (list() | tuple())) if len(left) == len(right):
            number = next(n for n, (one, two) in enumerate(zip(left, right, strict=True)) if one != two)
            return parted(left[number], right[number], f"{path}[{number + 1}]" if path else "")
    begin = f"{path}: " if path else ""
    return f"{begin}{left}", f"{begin}{right}"
