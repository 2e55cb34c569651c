"""A vector with words that no rule has put there is refused or plays on: it never hangs, and shows no traceback."""

from __future__ import annotations

import random

import pytest

from rulerun.facts.faults import RulesFault
from rulerun.game import Game, load
from rulerun.ir import nodes as ir
from rulerun.ir.traverse import walk

GAMES = ("hearts", "durak", "cribbage", "skat")


def positions(game: Game, most: int = 30) -> list[list[int]]:
    state, pick, found = game.new(1), random.Random(1), []
    while not state.is_over and len(found) < most:
        found.append(list(state.vector))
        state.choose(pick.randrange(len(state._offered().raw)))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_words_at_random(name: str) -> None:
    game, pick = load(name), random.Random(2)
    machine, found = game.machine, positions(game)
    for vector in found:
        machine.load(vector)
    accepted = 0
    for _ in range(600):
        v = list(pick.choice(found))
        for _ in range(pick.choice((1, 1, 2, 5))):
            at = pick.randrange(len(v))
            v[at] = pick.choice((-1, -2, 1, 2, v[at] + 1, -5, 100, 2**31, 2**63 - 1, -(2**63), 0, pick.randrange(60)))
        try:
            machine.load([min(word, 2**63 - 1) for word in v])
        except ValueError:
            continue
        accepted += 1
        try:
            for _ in range(8):
                options = [] if machine.is_over(v) else machine.options(v)
                if not options:
                    break
                machine.choose(v, pick.randrange(len(options)), options)
        except RulesFault:
            pass
        finally:
            machine.log.clear()
    assert accepted > 5


def test_a_loop_that_goes_through_what_is_not_there_is_refused() -> None:
    game = load("hearts")
    found = positions(game)
    counters = {
        node.index.place.offset
        for block in game.program.blocks
        for node in walk((block.ops, block.end))
        if isinstance(node, ir.SnapshotItem) and isinstance(node.index, ir.Load)
    }
    assert counters
    for offset in counters:
        for wrong in (-1, -(2**63), 1_000, 2**63 - 1):
            v = list(found[-1])
            v[offset] = wrong
            with pytest.raises(ValueError, match=r"a loop in the state|a value of a rule"):
                game.machine.load(v)
