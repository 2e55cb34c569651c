"""Plays of one ruleset, alike but for something hidden from a seat, held against each other.

A play is led by numbers: one for each outcome of chance, one for each choice, and two kinds of cards that stand for
each other throughout. Its twins differ from it in what some seat was not told: two kinds that it saw none of, a number
by lot, a choice of somebody else. Whatever a seat is offered, and whatever a note says, must be the same wherever the
seat's record before it was; and so must be all else that the seat is given at a decision. All plays are held against
each other, so it does not matter which one was meant to differ for whom.

This is the plain judge beside that of `rulerun.play.exchange`: two that were written apart seldom miss the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from rulerun import Game, State
from rulerun.facts.events import observe
from rulerun.facts.faults import RulesFault
from rulerun.facts.observations import ObservedFaces, ObservedMove, ObservedOffer, ObservedSwap, Said
from rulerun.ir.nodes import Choose, Draw, Pick
from rulerun.ir.program import PC
from rulerun.ir.typing import is_card
from rulerun.state import Root, drain
from rulerun.view.table import Table
from rulerun.view.worlds.sampling import Stretch

ENOUGH = 2
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

    def with_chance(self, number: int, to: float) -> Lead:
        return replace(self, chances=(*self.chances[:number], to, *self.chances[number + 1 :]))

    def with_choice(self, number: int, to: float) -> Lead:
        return replace(self, choices=(*self.choices[:number], to, *self.choices[number + 1 :]))

    def stands_for(self, kind: int) -> int:
        left, right = self.kinds
        return right if kind == left else left if kind == right else kind


@dataclass
class Play:
    """What can be exchanged in a play."""

    kinds: int
    """How many kinds of cards there are."""
    lots: list[int] = field(default_factory=list)
    """Which outcomes of chance were none of drawing a card from a pile."""
    secrets: list[int] = field(default_factory=list)
    """Which choices were secret."""
    choices: int = 0
    drawn: list[int] = field(default_factory=list)
    """The kinds of the cards that came into being."""
    seen: list[set[int]] = field(default_factory=list)
    """Per seat the kinds that it saw a card of."""

    def twins(self, lead: Lead, random: Random) -> list[Lead]:
        """Leads that differ from that of this play in something hidden from some seat, in random order, each sort in
        turn."""
        drawn = list(dict.fromkeys(self.drawn))
        pairs = [
            (kind, other)
            for seen in self.seen
            for kind in drawn
            for other in range(self.kinds)
            if other != kind and not {kind, other} & seen and (kind < other or other not in drawn)
        ]
        cards = [replace(lead, kinds=pair) for pair in dict.fromkeys(pairs)]
        lots = [lead.with_chance(n, random.random()) for n in self.lots * 2 if n < LENGTH]
        secrets = [lead.with_choice(n, random.random()) for n in self.secrets * 2 if n < LENGTH]
        wild = [lead.with_chance(n, random.random()) for n in range(min(len(self.drawn) + len(self.lots), LENGTH))]
        wild += [lead.with_choice(n, random.random()) for n in range(min(self.choices, LENGTH))]
        sorts = [leads for leads in (cards, lots, secrets, wild) if leads]
        for leads in sorts:
            random.shuffle(leads)
        return [leads[n] for n in range(max(map(len, sorts), default=0)) for leads in sorts if n < len(leads)]


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
class First:
    """The first position with a record, what the seat is given there once it was asked for, and how many others it was
    compared with."""

    state: State
    given: dict[str, str] | None = None
    compared: int = 0


class Twins:
    """What was given so far in plays of a game, by seat and record."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.faults: Counter[str] = Counter()
        """Plays that the rules broke down in, by the fault."""
        self._positions: set[tuple[int, ...]] = set()
        self._told: dict[tuple[int, int, str, int], Said | ObservedOffer] = {}
        """Seat, record before, sort and place in the rules -> what was told there."""
        self._first: dict[tuple[int, int], First] = {}
        self._found: dict[str, Difference] = {}

    def differences(self, seed: int, bases: int, twins: int, decisions: int) -> list[Difference]:
        """Plays so many games, each with so many twins; the first difference of each sort that comes up."""
        random = Random(seed)
        for _ in range(bases):
            lead = Lead.at_random(random)
            for twin in self._play(lead, decisions).twins(lead, random)[:twins]:
                self._play(twin, decisions)
        return list(self._found.values())

    def _play(self, lead: Lead, decisions: int) -> Play:
        game, machine = self.game, self.game.chancer
        blocks = game.program.blocks
        play = Play(len(game.program.kind_names), seen=[set() for _ in range(game.players)])
        names = [0] * game.players
        count = 0

        def settle(vector: list[int]) -> Stretch:
            nonlocal count
            settled = []
            while outcomes := machine.outcomes(vector):
                end = blocks[vector[PC]].end
                index = self._outcome(is_of_cards(end), outcomes, lead, count)
                if isinstance(end, Draw):
                    play.drawn.append(game.program.kinds[outcomes[index][0]])
                else:
                    play.lots.append(count)
                machine.settle(vector, index)
                settled.append(index)
                count += 1
            return Stretch(tuple(settled), vector, drain(machine))

        try:
            first = settle(machine.start(0))
            state = State(game, Root(0, first.chances, first.vector, first.events), None, first.vector)
            names = self._hear(state, names, play)
            while not state.is_over and len(state) < decisions:
                choose = blocks[state.vector[PC]].end
                if isinstance(choose, Choose) and (choose.secret or choose.sealed):
                    play.secrets.append(len(state))
                play.choices += 1
                index = int(lead.choices[len(state) % LENGTH] * len(state._offered().raw))
                vector = state.vector.copy()
                machine.choose(vector, index, state._offered().raw)
                state._push(index, settle(vector))
                names = self._hear(state, names, play)
        except RulesFault as fault:
            self.faults[fault.code] += 1
        finally:
            machine.log.clear()
        return play

    def _outcome(self, cards: bool, outcomes: Sequence[tuple[int, int]], lead: Lead, number: int) -> int:
        """The index of the outcome that a number leads to, in the order of what the kinds stand for."""
        kinds = self.game.program.kinds
        order = list(range(len(outcomes)))
        if cards:
            order.sort(key=lambda i: lead.stands_for(kinds[outcomes[i][0]]))
        left = lead.chances[number % LENGTH] * sum(weight for _, weight in outcomes)
        for index in order:
            left -= outcomes[index][1]
            if left < 0:
                return index
        return order[-1]

    def _hear(self, state: State, before: list[int], play: Play) -> list[int]:
        """Holds what each seat was told since, and is given now, against what it was before; names of the records."""
        table = Table(self.game.program, state.vector)
        names = [table.digest(seat) for seat in range(self.game.players)]
        events = state.events()[-1]
        position = tuple(state.vector)
        known = position in self._positions
        self._positions.add(position)
        for seat, name in enumerate(before):
            for event in events:
                entry = observe(event, seat, self.game.backs)
                if entry is None:
                    continue
                play.seen[seat].update(kinds_in(entry))
                if known:
                    continue
                if isinstance(entry, Said) or (isinstance(entry, ObservedOffer) and entry.keys is not None):
                    self._hold(seat, name, entry)
                name = hash((name, entry.numbers()))
            if not known:
                self._compare(state, seat, names[seat])
        return names

    def _hold(self, seat: int, name: int, entry: Said | ObservedOffer) -> None:
        """Holds a note or an offer against what was told after the same record at the same place in the rules."""
        match entry:
            case Said(at=at):
                where = (seat, name, "note", at)
            case ObservedOffer(site=site):
                where = (seat, name, "offer", site)
        known = self._told.setdefault(where, entry)
        if known != entry:
            self._differs(seat, where[2], repr(known), repr(entry))

    def _compare(self, state: State, seat: int, name: int) -> None:
        """Holds all that a seat is given against what it is given in the first position that it had this record in."""
        first = self._first.get((seat, name))
        if first is None:
            self._first[seat, name] = First(state.clone())
            return
        if first.compared >= ENOUGH:
            return
        first.compared += 1
        if first.given is None:
            first.given = given_to(first.state, seat)
        for what, given in given_to(state, seat).items():
            if given != first.given[what]:
                self._differs(seat, what, first.given[what], given)

    def _differs(self, seat: int, what: str, left: str, right: str) -> None:
        self._found.setdefault(what, Difference(seat, what, left, right))


def given_to(state: State, seat: int) -> dict[str, str]:
    """What a seat is given at a position, beside its record."""
    asked = state.seat == seat
    return {
        "choices": repr(state.told_choices(seat)),
        "options": repr([(option.key, option.label) for option in state.options]) if asked else "",
        "view": repr(state.view(seat).as_dict()),
        "story": "\n".join(state.story(seat)),
        "may take back": repr(state.may_take_back(seat)),
    }


def is_of_cards(end: object) -> bool:
    """Whether chance that waits gives a card."""
    return isinstance(end, Draw) or (isinstance(end, Pick) and is_card(end.into.type))


def kinds_in(entry: object) -> tuple[int, ...]:
    """The kinds that an observation shows; below 0 they are not told."""
    match entry:
        case ObservedMove(kind=kind):
            return (kind,)
        case ObservedSwap(left=left, right=right):
            return (left.kind, right.kind)
        case ObservedFaces(cards=cards):
            return tuple(face.kind for face in cards)
        case _:
            return ()
