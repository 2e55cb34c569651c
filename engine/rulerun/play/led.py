"""A led play: a game with chance and choices in our hands, so that it can be played again with one thing changed.

A play keeps what chance gave and what was chosen. Another play follows it: it gives and chooses the same wherever it
can, but for what it `Change`s. May not import faces.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from rulerun.facts.events import Event
from rulerun.facts.faults import RulesFault
from rulerun.facts.options import Option
from rulerun.facts.rng import below
from rulerun.game import Game, State
from rulerun.ir.nodes import Choose, Draw, Pick
from rulerun.ir.program import PC
from rulerun.ir.typing import is_card
from rulerun.run.machine import Machine
from rulerun.state import Root, drain
from rulerun.view.worlds.sampling import Stretch

Spot = tuple[int, int]
"""A stretch (from 0: before the first choice) and a chance in it, from 0."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What chance gave: a value (of a card its number), out of which values; ``cards``: whether they are cards, and
    ``drawn``: whether it was settled which card lies at a place. ``told``: the set of seats that are told it (-1: all).
    """

    value: int
    values: tuple[int, ...]
    cards: bool
    drawn: bool
    told: int
    at: int


@dataclass(frozen=True, slots=True)
class Change:
    """How a play differs from the one that it follows: ``chances``: what chance gives instead (a kind, if it gives
    cards); ``choices``: by number of the choice another option. ``kinds`` stand for each other where what the other
    play got cannot be had."""

    chances: Mapping[Spot, int] = field(default_factory=dict)
    choices: Mapping[int, int] = field(default_factory=dict)
    kinds: tuple[int, int] = (-1, -1)

    @property
    def stretch(self) -> int:
        """The first stretch that may be another."""
        return min([*(stretch for stretch, _ in self.chances), *(number + 1 for number in self.choices)])


class Play:
    """One play. Position k (``states[k]``) is that after k choices; stretch k led to it."""

    def __init__(self, game: Game, name: str) -> None:
        """``name``: what random numbers are made from."""
        self.game = game
        self.name = name
        self.states: list[State] = []
        self.events: list[tuple[Event, ...]] = []
        self.settled: list[list[Settled]] = []
        self.chosen: list[int] = []
        """By position the option that was taken there."""
        self.fault: RulesFault | None = None
        """What stopped the play in the stretch after the last position."""
        self.last: tuple[Event, ...] = ()
        """What happened in that stretch before it."""

    @property
    def machine(self) -> Machine:
        return self.game.chancer

    def goes_on(self) -> bool:
        """Whether there is a choice to make."""
        return self.fault is None and (not self.states or not self.states[-1].is_over)


def play_on(play: Play, choices: int, led: Play | None = None, change: Change | None = None) -> None:
    """Plays on to position ``choices`` at most; as ``led`` went but for the change, else at random."""
    if not play.states:
        _start(play, led, change)
    while play.goes_on() and len(play.states) <= choices:
        _choose(play, led, change)


def branch(base: Play, change: Change) -> Play:
    """A play that has gone with ``base`` up to the stretch in which the change comes, and stops before that."""
    play = Play(base.game, base.name)
    stretch = change.stretch
    play.states = [state.clone() for state in base.states[:stretch]]
    play.events = base.events[:stretch]
    play.settled = base.settled[:stretch]
    play.chosen = base.chosen[: max(stretch - 1, 0)]
    return play


def _start(play: Play, led: Play | None, change: Change | None) -> None:
    machine = play.machine
    try:
        vector = machine.start(0)
    except RulesFault as fault:
        play.fault, play.last = fault, drain(machine)
        return
    stretch = _settle(play, vector, led, change)
    if stretch is not None:
        root = Root(0, stretch.chances, stretch.vector, stretch.events)
        play.states.append(State(play.game, root, None, stretch.vector))


def _choose(play: Play, led: Play | None, change: Change | None) -> None:
    state, machine = play.states[-1].clone(), play.machine
    number = len(play.states) - 1
    raw = state._offered().raw
    index = _option(play, state, number, led, change)
    play.chosen.append(index)
    vector = state.vector.copy()
    try:
        machine.take(vector, raw[index])
    except RulesFault as fault:
        play.fault, play.last = fault, drain(machine)
        return
    stretch = _settle(play, vector, led, change)
    if stretch is not None:
        state._push(index, stretch)
        play.states.append(state)


def _settle(play: Play, vector: list[int], led: Play | None, change: Change | None) -> Stretch | None:
    """Settles chance until a choice or the end; None if the rules break down."""
    machine, program = play.machine, play.game.program
    number = len(play.events)
    settled: list[Settled] = []
    indices: list[int] = []
    try:
        while outcomes := machine.outcomes(vector):
            end = program.blocks[vector[PC]].end
            assert isinstance(end, Draw | Pick)
            drawn = isinstance(end, Draw)
            cards = drawn or is_card(end.into.type)
            index = _outcome(play, outcomes, (number, len(settled)), cards, led, change)
            told = 0 if drawn else machine.told_of_pick(vector)
            values = tuple(value for value, _ in outcomes)
            settled.append(Settled(values[index], values, cards, drawn, told, end.at))
            indices.append(index)
            below(vector, 2)  # the generator goes on, as it would if it had drawn: that chance had a part is seen by it
            machine.give(vector, values[index])
    except RulesFault as fault:
        play.fault, play.last = fault, drain(machine)
        return None
    events = drain(machine)
    play.events.append(events)
    play.settled.append(settled)
    return Stretch(tuple(indices), vector, events)


def _outcome(
    play: Play,
    outcomes: list[tuple[int, int]],
    spot: Spot,
    cards: bool,
    led: Play | None,
    change: Change | None,
) -> int:
    """The outcome that a play takes: what is changed, else what the other play got, else one at random."""
    kinds = play.game.program.kinds
    names = [kinds[value] if cards and value >= 0 else value for value, _ in outcomes]
    wanted: list[int] = []
    stretch, number = spot
    if change is not None and spot in change.chances:
        wanted.append(change.chances[spot])
    if led is not None and stretch < len(led.settled) and number < len(led.settled[stretch]):
        before = led.settled[stretch][number]
        if before.cards == cards:
            name = kinds[before.value] if cards and before.value >= 0 else before.value
            wanted.append(name)
            if cards and change is not None and name in change.kinds:
                wanted.append(change.kinds[1 - change.kinds.index(name)])
    for name in wanted:
        if name in names:
            return names.index(name)
    weights = [weight for _, weight in outcomes]
    return Random(f"{play.name} chance {stretch} {number}").choices(range(len(weights)), weights)[0]


def _option(play: Play, state: State, number: int, led: Play | None, change: Change | None) -> int:
    """The option that a play takes: what is changed, else the one of the key that the other play took, else one that
    others are told as that one, else by its place."""
    raw = state._offered().raw
    if change is not None and number in change.choices:
        return change.choices[number] % len(raw)
    if led is None or number >= len(led.chosen):
        return Random(f"{play.name} choice {number}").randrange(len(raw))
    index, before = led.chosen[number], led.states[number]
    machine, old, new = play.machine, before.vector, state.vector
    if old[PC] != new[PC]:
        return index % len(raw)
    taken = before._offered().raw[index]
    key = machine.key(old, taken)
    keys = [machine.key(new, option) for option in raw]
    if index < len(keys) and keys[index] == key:
        return index
    if key in keys:
        return keys.index(key)
    public = public_key(machine, old, taken)
    same = [i for i, option in enumerate(raw) if public_key(machine, new, option) == public]
    return same[0] if same else index % len(raw)


def public_key(machine: Machine, vector: list[int], option: Option) -> tuple[int, ...]:
    """How an option is told to seats that may not know the faces in it, if it is told."""
    choose = machine.program.blocks[vector[PC]].end
    assert isinstance(choose, Choose)
    if choose.secret or choose.sealed:
        return ()
    return machine.naming.for_others(vector, choose, option, machine.key(vector, option))[0]
