"""Plays of one ruleset, many of them alike but for something hidden, held against each other seat by seat.

A play is led by numbers: one for each outcome of chance, one for each choice, and two kinds of cards that are exchanged
throughout. Its twins differ from it in one of these. Whatever a seat is offered, and whatever a note says, must be the
same wherever the seat's record before it was; and so must be all else that the seat is given at a decision. What differs
then is a `Difference`, whatever the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from rulerun import Game, State
from rulerun.facts.events import observe
from rulerun.facts.faults import RulesFault
from rulerun.facts.observations import Observation, ObservedOffer, Said
from rulerun.ir.nodes import Draw, Pick
from rulerun.ir.program import PC
from rulerun.ir.typing import is_card
from rulerun.state import Root, drain
from rulerun.view.worlds.sampling import Stretch

ENOUGH = 3
"""With so many positions is the first one of a record compared."""
LENGTH = 64
"""So many outcomes of chance, and so many choices, are led by numbers of their own; then these come again."""


@dataclass(frozen=True)
class Lead:
    """What leads a play: numbers from 0 to 1 for the outcomes of chance and for choices, and two kinds that stand for
    each other."""

    chances: tuple[float, ...]
    choices: tuple[float, ...]
    kinds: tuple[int, int] = (0, 0)

    @classmethod
    def at_random(cls, random: Random) -> Lead:
        return cls(tuple(random.random() for _ in range(LENGTH)), tuple(random.random() for _ in range(LENGTH)))

    def twin(self, random: Random, kinds: int) -> Lead:
        """The same but for two kinds, or one outcome, or one choice."""
        what = random.randrange(4)
        if what < 2 and kinds > 1:
            left, right = random.sample(range(kinds), 2)
            return replace(self, kinds=(left, right))
        of = "choices" if what == 3 else "chances"
        numbers = list(getattr(self, of))
        numbers[random.randrange(6 if what == 3 else 12)] = random.random()
        return replace(self, **{of: tuple(numbers)})

    def stands_for(self, kind: int) -> int:
        left, right = self.kinds
        return right if kind == left else left if kind == right else kind


@dataclass(frozen=True)
class Difference:
    """Two things that a seat was given after the same record. ``what``: an offer, a note, or what of the position."""

    seat: int
    what: str
    left: str
    right: str

    def __str__(self) -> str:
        return f"P{self.seat + 1} is given another {self.what}:\n  {self.left}\n  {self.right}"


@dataclass
class Heard:
    """A seat's record so far, as a number."""

    name: int = 0


@dataclass
class First:
    """The first position with a record, what the seat is given there once it was asked for, and how many others it was
    compared with."""

    state: State
    given: dict[str, str] | None = None
    vectors: int = 0


class Twins:
    """What was given so far in plays of a game, by seat and record."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.faults = 0
        """Plays that the rules broke down in."""
        self._told: dict[tuple[int, int, int, int], Observation] = {}
        """Seat, record before, sort and place in the rules -> what was told there."""
        self._first: dict[tuple[int, int], First] = {}

    def differences(self, seed: int, bases: int, twins: int, decisions: int) -> list[Difference]:
        """Plays so many games, each with so many twins; the first difference of each sort that comes up."""
        random = Random(seed)
        found: dict[str, Difference] = {}
        for _ in range(bases):
            base = Lead.at_random(random)
            for lead in (base, *(base.twin(random, len(self.game.program.kind_names)) for _ in range(twins))):
                for difference in self._play(lead, decisions):
                    found.setdefault(difference.what, difference)
        return list(found.values())

    def _play(self, lead: Lead, decisions: int) -> list[Difference]:
        game, machine = self.game, self.game.chancer
        heard = [Heard() for _ in range(game.players)]
        found: list[Difference] = []
        chance = 0

        def settle(vector: list[int]) -> Stretch:
            nonlocal chance
            settled = []
            while outcomes := machine.outcomes(vector):
                index = self._outcome(vector, outcomes, lead, chance)
                machine.settle(vector, index)
                settled.append(index)
                chance += 1
            return Stretch(tuple(settled), vector, drain(machine))

        try:
            first = settle(machine.start(0))
            state = State(game, Root(0, first.chances, first.vector, first.events), None, first.vector)
            self._hear(state, heard, found)
            while not state.is_over and len(state) < decisions:
                number = lead.choices[len(state) % LENGTH]
                index = int(number * len(state._offered().raw))
                vector = state.vector.copy()
                machine.choose(vector, index, state._offered().raw)
                state._push(index, settle(vector))
                self._hear(state, heard, found)
        except RulesFault:
            self.faults += 1
        finally:
            machine.log.clear()
        return found

    def _outcome(self, vector: list[int], outcomes: Sequence[tuple[int, int]], lead: Lead, number: int) -> int:
        """The index of the outcome that a number leads to, in the order of the kinds that stand for each other."""
        program = self.game.program
        kinds, end = program.kinds, program.blocks[vector[PC]].end
        order = list(range(len(outcomes)))
        if isinstance(end, Draw) or (isinstance(end, Pick) and is_card(end.into.type)):
            order.sort(key=lambda i: lead.stands_for(kinds[outcomes[i][0]]))
        left = lead.chances[number % LENGTH] * sum(weight for _, weight in outcomes)
        for index in order:
            left -= outcomes[index][1]
            if left < 0:
                return index
        return order[-1]

    def _hear(self, state: State, heard: list[Heard], found: list[Difference]) -> None:
        """Holds what each seat was told since, and is given now, against what it was before."""
        events = state.events()[-1]
        for seat, so_far in enumerate(heard):
            for event in events:
                entry = observe(event, seat, self.game.backs)
                if entry is None:
                    continue
                if _is_no_disclosure(entry):
                    where = (seat, so_far.name, *_sort(entry))
                    known = self._told.setdefault(where, entry)
                    if known != entry:
                        what = "note" if isinstance(entry, Said) else "offer"
                        found.append(Difference(seat, what, repr(known), repr(entry)))
                so_far.name = hash((so_far.name, entry.numbers()))
            self._compare(state, seat, so_far.name, found)

    def _compare(self, state: State, seat: int, name: int, found: list[Difference]) -> None:
        """Holds all that a seat is given against what it is given in the first position that it had this record in."""
        first = self._first.setdefault((seat, name), First(state.clone()))
        if first.vectors >= ENOUGH or first.state.vector == state.vector:
            return
        first.vectors += 1
        if first.given is None:
            first.given = given_to(first.state, seat)
        for what, given in given_to(state, seat).items():
            if given != first.given[what]:
                found.append(Difference(seat, what, first.given[what], given))


def given_to(state: State, seat: int) -> dict[str, str]:
    """What a seat is given at a position, beside its record."""
    asked = state.seat == seat
    return {
        "turn": repr(state.seat),
        "count of choices": repr([choice.seat for choice in state.history]),
        "options": repr([(option.key, option.label) for option in state.options]) if asked else "",
        "view": repr(state.view(seat).as_dict()),
        "story": "\n".join(state.story(seat)),
        "may take back": repr(state.may_take_back(seat)),
    }


def _is_no_disclosure(entry: Observation) -> bool:
    """Whether what an observation holds must follow from what was told before."""
    return isinstance(entry, Said) or (isinstance(entry, ObservedOffer) and entry.keys is not None)


def _sort(entry: Observation) -> tuple[int, int]:
    """The sort of an observation and its place in the rules: notes and offers elsewhere are a disclosure."""
    match entry:
        case Said(at=at):
            return 0, at
        case ObservedOffer(site=site):
            return 1, site
    raise AssertionError(entry)
