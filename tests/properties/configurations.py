"""Every game that the properties are tried on: all shipped rulesets, player counts, variants, both ends of every
option.

How deep they dig: by default within a minute; with ``RULERUN_DEEP=20`` in the environment twenty times as deep, at
random. The games of the library are tried once each, for the fewest players (and where it matters, for four).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path

from hypothesis import HealthCheck, settings

import rulerun
from rulerun import document
from rulerun.ir.types import BoolType, EnumType
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.shipped import find_shipped, shipped_names

DEPTH = int(os.environ.get("RULERUN_DEEP", "1"))
PROFILE = settings(
    deadline=None,
    derandomize=DEPTH == 1,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)

CORE = ("cactus", "cucumber", "ouch")


@dataclass(frozen=True)
class Configuration:
    """What `rulerun.load` is called with. ``options`` as name and text."""

    ruleset: str
    players: int
    variants: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        parts = [self.ruleset, str(self.players), *self.variants, *(f"{k}={v}" for k, v in self.options)]
        return "-".join(parts).replace(" ", "_")

    def load(self) -> rulerun.Game:
        """The game; compiled once a configuration."""
        return _load(self)


@cache
def as_shipped(name: str) -> rulerun.Game:
    """A ruleset with the fewest players, nothing changed."""
    return rulerun.load(name)


def fewest_players(name: str) -> int:
    """The fewest players of a shipped ruleset, which is read for that and not compiled: every worker of a test run
    asks for all of them before its first test."""
    found = find_shipped(name)
    assert found is not None
    source, folder = found
    ruleset = document.read(source, folder=folder, variants=(), settings={}, found=Diagnostics())
    assert ruleset is not None
    return ruleset.players[0]


@cache
def _load(configuration: Configuration) -> rulerun.Game:
    if configuration == Configuration(configuration.ruleset, as_shipped(configuration.ruleset).players):
        return as_shipped(configuration.ruleset)
    return rulerun.load(
        configuration.ruleset,
        players=configuration.players,
        options=dict(configuration.options),
        variants=configuration.variants,
    )


@cache
def plain_and_variants() -> tuple[Configuration, ...]:
    """Each core ruleset with every number of players, as it is, with each variant, and with each pair of variants that
    go together."""
    found = []
    for name in CORE:
        game = as_shipped(name)
        fewest, most = game.player_range
        names = sorted(game.offered_variants)
        sets: list[tuple[str, ...]] = [(), *((v,) for v in names)]
        sets += [pair for pair in combinations(names, 2) if _go_together(name, pair)]
        found += [Configuration(name, players, s) for s in sets for players in range(fewest, most + 1)]
    return tuple(found)


def _go_together(name: str, pair: tuple[str, ...]) -> bool:
    try:
        rulerun.load(name, variants=pair)
    except rulerun.RulesetError:
        return False
    return True


@cache
def option_ends() -> tuple[Configuration, ...]:
    """Each core ruleset with each option at each end of its range, for the fewest and the most players."""
    found = []
    for name in CORE:
        game = as_shipped(name)
        for option in game.program.options:
            if isinstance(option.type, BoolType):
                ends = ["false" if option.default else "true"]
            elif isinstance(option.type, EnumType):
                ends = list(option.type.values)
            else:
                ends = [str(end) for end in (option.low, option.high) if end is not None]
            for players in sorted(set(game.player_range)):
                found += [Configuration(name, players, (), ((option.name, end),)) for end in ends]
    return tuple(found)


@cache
def library() -> tuple[Configuration, ...]:
    """The other rulesets, each with the fewest players; and with four, those that are then played by two sides."""
    others = [name for name in shipped_names() if name not in CORE]
    sides = (Configuration("cribbage", 4), Configuration("scopa", 4))
    return (*(Configuration(name, fewest_players(name)) for name in others), *sides)


def hidden_values() -> tuple[Configuration, ...]:
    """A small ruleset with every sort of state variable that not everyone sees."""
    purses = str(Path(__file__).parents[1] / "language" / "purses.yaml")
    return (*(Configuration(purses, n) for n in (2, 3, 4)), Configuration(purses, 3, (), (("open_purses", "true"),)))


def boards() -> tuple[Configuration, ...]:
    """Small rulesets with boards: hidden from all, of each player, open to all."""
    language = Path(__file__).parents[1] / "language"
    games = (("pairs", 2), ("layouts", 2), ("layouts", 4), ("close_up", 1))
    return tuple(Configuration(str(language / f"{name}.yaml"), players) for name, players in games)


def turned_over() -> tuple[Configuration, ...]:
    """Small rulesets in which cards lie face up or face down one by one."""
    language = Path(__file__).parents[1] / "language"
    turning = str(language / "turning.yaml")
    games = (("stud", 3), ("turned_trump", 2), ("patience", 1))
    return (
        Configuration(turning, 2),
        Configuration(turning, 3, (), (("secrets", "false"),)),
        *(Configuration(str(language / f"{name}.yaml"), players) for name, players in games),
    )


def of_small_rulesets() -> tuple[Configuration, ...]:
    """All configurations of rulesets that were written for tests."""
    return hidden_values() + boards() + turned_over()


def all_configurations() -> tuple[Configuration, ...]:
    """All of them."""
    return plain_and_variants() + option_ends() + library() + of_small_rulesets()


def one_of_each() -> tuple[Configuration, ...]:
    """The first configuration of each ruleset. None is compiled to find them."""
    first: dict[str, Configuration] = {}
    for configuration in (*(Configuration(n, fewest_players(n)) for n in CORE), *library(), *of_small_rulesets()):
        if not configuration.options:
            first.setdefault(configuration.ruleset, configuration)
    return tuple(first.values())
