"""The shipped games in every mode of the machine: the same vectors, no card lost, chance in the open where wanted."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from rulerun import document
from rulerun.check import compile_ruleset
from rulerun.ir.program import Program
from rulerun.ir.verifier import verify
from rulerun.run.machine import Machine
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.shipped import find_shipped

GAMES = [("ouch", 2), ("ouch", 5), ("cactus", 2), ("cucumber", 3), ("cucumber", 6)]


@cache
def program(name: str, players: int, variants: tuple[str, ...] = ()) -> Program:
    shipped = find_shipped(name)
    assert shipped is not None
    found = Diagnostics()
    ruleset = document.read(shipped[0], folder=shipped[1], variants=variants, settings={}, found=found)
    assert ruleset is not None, found.found
    made = compile_ruleset(ruleset, players, found)
    assert made is not None, found.found
    return made


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_a_shipped_game_is_well_formed(name: str, players: int) -> None:
    assert verify(program(name, players)) == []


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_all_modes_play_the_same_game(name: str, players: int) -> None:
    made = program(name, players)
    quiet, plain, telling = Machine(made), Machine(made, plain=True), Machine(made, telling=True)
    random = Random(players)
    for seed in range(2):
        v, options = quiet.begin(seed)
        w, told = plain.start(seed), telling.start(seed)
        decisions = 0
        while options:
            assert plain.options(w) == options
            assert telling.options(told) == options
            assert v == w == told[: len(v)]
            assert telling.cards.check(told) == []
            assert quiet.load(v) == v
            keys = [telling.key(told, option) for option in options]
            assert len(set(keys)) == len(keys)
            assert all(quiet.label(v, option) == telling.label(told, option) for option in options)
            index = random.randrange(len(options))
            options = quiet.take(v, options[index])
            plain.choose(w, index)
            telling.choose(told, index)
            decisions += 1
        assert quiet.is_over(v)
        assert v == w == told[: len(v)]
        assert decisions > 10
        assert quiet.scores(v) == telling.scores(told)
        assert quiet.winners(v) == telling.winners(told) != ()


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_chance_in_the_open(name: str, players: int) -> None:
    machine = Machine(program(name, players), explicit_chance=True)
    random = Random(7)
    v = machine.start(1)
    generator = v[1]
    settled = 0
    while not machine.is_over(v):
        outcomes = machine.outcomes(v)
        if outcomes:
            settled += 1
            assert machine.chooser(v) == -1
            assert len({value for value, _ in outcomes}) == len(outcomes)
            assert all(weight > 0 for _, weight in outcomes)
            machine.settle(v, random.randrange(len(outcomes)))
        else:
            machine.choose(v, random.randrange(len(machine.options(v))))
        assert machine.cards.check(v) == []
    assert settled > 0
    assert v[1] == generator


def test_a_playout_counts_its_decisions() -> None:
    machine = Machine(program("cucumber", 4))
    random = Random(1)
    v = machine.start(1)
    assert machine.playout(v, random.randrange) == 160
    assert machine.is_over(v)
    assert machine.playout(v, random.randrange) == 0
