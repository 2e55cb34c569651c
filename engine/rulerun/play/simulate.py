"""Many games of one program, each played to its end by random choices: the path for volume, with no view and no
telling.

Game number g of a simulation has a seed of its own, derived from the simulation's seed and g alone, and its choices
come from a generator derived from that seed. So a game is the same in whatever order or number it is played, and
`rulerun run --seed` with a game's own seed plays (and tells) just that game: `bots.RandomBot` makes the same choices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulerun.arguments import SEED_HIGH, seed_number, whole_number
from rulerun.facts.faults import RulesFault
from rulerun.facts.rng import Stream, derive
from rulerun.ir.program import LIMITED, Program
from rulerun.run.machine import Machine

POLICY = 1
"""Names the stream of choices among those derived from a game's seed."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game that came to its end."""

    seed: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: int
    options: int
    """Options offered, over all decisions."""
    limited: bool = False
    """Whether the decision limit ended it, as a draw."""


@dataclass(frozen=True, slots=True)
class Faulted:
    """A game that the rules could not finish."""

    seed: int
    fault: RulesFault
    decisions: int


def game_seed(seed: int, number: int) -> int:
    """The seed of game ``number`` (from 0) of a simulation."""
    return derive(seed_number(seed), whole_number(number, "the number of a game", 0, SEED_HIGH))


def policy_stream(seed: int) -> Stream:
    """The generator that the random choices of the game of this seed come from."""
    return Stream(derive(seed_number(seed), POLICY))


def play_out(machine: Machine, seed: int) -> Played | Faulted:
    """Play one game to its end."""
    stream = policy_stream(seed)
    below = stream.below
    decisions = offered = 0
    try:
        vector, options = machine.begin(seed)
        while options:
            offered += len(options)
            decisions += 1
            options = machine.take(vector, options[below(len(options))])
        return Played(seed, machine.scores(vector), machine.winners(vector), decisions, offered, bool(vector[LIMITED]))
    except RulesFault as fault:
        return Faulted(seed, fault, decisions)


def simulate(program: Program, games: int, seed: int) -> Iterator[Played | Faulted]:
    """Game after game, as each ends. The program is made ready before the first is asked for."""
    whole_number(games, "a number of games", 0)
    seed_number(seed)
    machine = Machine(program)
    return (play_out(machine, game_seed(seed, number)) for number in range(games))
