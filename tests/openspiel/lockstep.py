"""Two engines play the same game: OpenSpiel deals and draws lots, a random player chooses, rulerun follows.

At each decision both must ask the same seat and offer the same; at the end both must give the same returns. What one
game's actions are in the other's words is said by an `Adapter` per game.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from statistics import mean

import pyspiel

import rulerun
from rulerun.facts.options import Option
from rulerun.run.machine import Machine
from rulerun.view.labels import label_for
from rulerun.view.table import Table

GAMES = int(os.environ.get("RULERUN_LOCKSTEP", "150"))
"""Games played per game that is compared, and a thousand where CI runs; fewer with each further set of house rules."""

RANKS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
SUITS = ("clubs", "diamonds", "hearts", "spades")

Action = tuple[int, ...]
"""What one decision of ours is in OpenSpiel: an action, or several in a row."""


def french_name(action: int) -> str:
    """The card of an OpenSpiel game that counts cards rank by rank, from the two of clubs on."""
    return f"{RANKS[action // 4]} of {SUITS[action % 4]}"


@cache
def load(name: str, players: int, variants: tuple[str, ...] = (), **options: str | int | bool) -> rulerun.Game:
    """Our game, compiled once."""
    return rulerun.load(name, players=players, options=options, variants=variants)


class NotCompared(Exception):  # noqa: N818 - nothing is wrong
    """A deal that OpenSpiel plays by a rule of its own which is no option of ours; the ruleset's page tells it."""


@cache
def machine_of(game: rulerun.Game) -> Machine:
    """A machine that asks for chance and keeps no knowledge: the other tests see to that."""
    return Machine(game.program, explicit_chance=True)


@cache
def _labels_of(game: rulerun.Game) -> dict[object, str]:
    """Labels that were made already, by what stands in them."""
    del game
    return {}


def labels(game: rulerun.Game, machine: Machine, vector: list[int], options: Sequence[Option]) -> list[str]:
    """The labels of all options as one who knows all reads them. What has been read before is not put in words again:
    most of a comparison's time would go there. (Where cards of a set lie is not in the key: they lie in hands.)"""
    known, found = _labels_of(game), []
    for option in options:
        parts = machine.label(vector, option)
        label = known.get(parts)
        if label is None:
            label = known[parts] = label_for(machine, game.namer, vector, option, None)
        found.append(label)
    return found


@dataclass(frozen=True)
class Result:
    """The end of our game; ``hands`` are the names of the cards left in each hand."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    hands: list[list[str]]


class Adapter:
    """How one of our games and one of OpenSpiel's go together. One object per played game."""

    game: rulerun.Game
    theirs: pyspiel.State

    def begin(self, rng: random.Random) -> None:
        """Settles what OpenSpiel leaves to chance and we to an option."""

    def chance(self, action: int) -> Iterator[str]:
        """What chance brings to ours when ``theirs`` has just taken this chance action: names of cards or seats."""
        raise NotImplementedError

    def offered(self) -> Iterable[Action]:
        """What OpenSpiel offers now."""
        return [(action,) for action in self.theirs.legal_actions()]

    def action(self, label: str) -> Action:
        """Our label in OpenSpiel's actions."""
        raise NotImplementedError

    def forced(self) -> int | None:
        """OpenSpiel's action at a decision of its own that is none of ours, or None."""
        return None

    def pick(self, rng: random.Random, offered: list[Action]) -> Action:
        """What the player does: any option, each as likely."""
        return rng.choice(offered)

    def returns(self, result: Result) -> list[float]:
        """Our result in OpenSpiel's returns."""
        return [float(score) for score in result.scores]


def play(adapter: Adapter, rng: random.Random) -> int:
    """Plays one game to its end in both engines; the number of decisions. AssertionError at the first difference."""
    adapter.begin(rng)
    game, theirs = adapter.game, adapter.theirs
    machine = machine_of(game)
    vector = machine.start(0)
    drawn: list[str] = []
    count = 0
    while True:
        while theirs.is_chance_node() or adapter.forced() is not None:
            if (only := adapter.forced()) is not None:
                theirs.apply_action(only)
                continue
            actions, chances = zip(*theirs.chance_outcomes(), strict=True)
            (action,) = rng.choices(actions, chances)
            theirs.apply_action(action)
            drawn += adapter.chance(action)
        while outcomes := machine.outcomes(vector):
            names = [_name(game, vector, value) for value, _ in outcomes]
            while drawn and drawn[0] not in names:
                drawn.pop(0)  # the last card of a pile: ours asks nobody for it
            assert drawn, f"ours waits for one of {names}; OpenSpiel:\n{theirs}"
            machine.give(vector, outcomes[names.index(drawn.pop(0))][0])
        drawn.clear()
        assert machine.is_over(vector) == theirs.is_terminal(), f"after {count} decisions; OpenSpiel:\n{theirs}"
        if theirs.is_terminal():
            result = Result(machine.scores(vector), machine.winners(vector), _hands(game, vector))
            found = adapter.returns(result)
            assert found == theirs.returns(), f"{found} here, {theirs.returns()} there; OpenSpiel:\n{theirs}"
            return count
        assert machine.chooser(vector) == theirs.current_player(), f"after {count} decisions; OpenSpiel:\n{theirs}"
        options = machine.options(vector)
        read = labels(game, machine, vector, options)
        ours = {adapter.action(label): index for index, label in enumerate(read)}
        assert len(ours) == len(read), read
        assert set(ours) == set(adapter.offered()), f"{read}\nOpenSpiel:\n{theirs}"
        taken = adapter.pick(rng, sorted(ours))
        machine.choose(vector, ours[taken], options)
        for action in taken:
            theirs.apply_action(action)
        count += 1


def play_games(part: int, parts: int, adapter: type[Adapter], *arguments: object, share: int = 1) -> float:
    """Plays part ``part`` of ``parts`` of `GAMES` games divided by ``share``; decisions a game. A second set of house
    rules needs fewer."""
    seeds = range(part, max(parts, GAMES // share), parts)
    played = []
    for seed in seeds:
        with suppress(NotCompared):
            played.append(play(adapter(*arguments), random.Random(seed)))
    assert len(played) > 0.98 * len(seeds) - 1, "hardly any deal is OpenSpiel's own"
    return mean(played)


def _name(game: rulerun.Game, vector: list[int], value: int) -> str:
    """The name of what a pending chance may bring: a card, else a number."""
    end = game.program.blocks[vector[0]].end
    if type(end).__name__ == "Draw":
        return game.program.kind_names[game.program.kinds[value]]
    return str(value)


def _hands(game: rulerun.Game, vector: list[int]) -> list[list[str]]:
    program, table = game.program, Table(game.program, vector)
    zones = [number for number, zone in enumerate(program.zones) if program.families[zone.family].name == "hand"]
    return [[program.kind_names[program.kinds[card]] for card in table.cards(zone)] for zone in zones]
