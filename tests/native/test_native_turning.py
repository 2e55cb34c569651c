"""Which cards lie face up is kept by operations that both executors have: they agree in it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

pytest.importorskip("llvmlite")

from executors_agree import Pair

import rulerun
from rulerun.ir.program import Program
from rulerun.ir.types import WORD_BITS

LANGUAGE = Path(__file__).parents[1] / "language"


def program(name: str, players: int) -> Program:
    return rulerun.load(LANGUAGE / f"{name}.yaml", players=players).program


@pytest.mark.parametrize("players", [2, 3])
def test_every_way_of_turning_does_the_same_in_both(players: int) -> None:
    """With two packs which cards lie face up takes two words."""
    of_two_packs = program("turning", players)
    assert of_two_packs.layout.words_per_set == 2
    pair = Pair(of_two_packs)
    assert sum(pair.play(seed, Random(seed), 60) for seed in range(5)) > 150
    pair.compare_playouts(0, 20, players)


@pytest.mark.parametrize("players", [2, 3])
def test_piles_turned_over_lie_the_same_in_both(players: int) -> None:
    """Drawn and undrawn places, in piles and rows, cards coming to either end."""
    pair = Pair(program("turning_over", players))
    assert sum(pair.play(seed, Random(seed), 60) for seed in range(40)) > 200
    pair.compare_playouts(0, 200, players)


@pytest.mark.parametrize(("name", "players"), [("patience", 1), ("stud", 4), ("turned_trump", 3)])
def test_games_with_open_cards_do_the_same_in_both(name: str, players: int) -> None:
    pair = Pair(program(name, players))
    assert sum(pair.play(seed, Random(seed), 60) for seed in range(3)) > 10
    pair.compare_playouts(0, 20, players)


def test_what_lies_face_up_is_not_only_ever_nothing() -> None:
    """The games above turn cards up, in both words of the set."""
    state = rulerun.load(LANGUAGE / "turning.yaml", players=2).new(5)
    random, seen = Random(5), 0
    while not state.is_over:
        state.choose(random.randrange(len(state.options)))
        first = state.game.program.face_up
        seen |= state.vector[first] | state.vector[first + 1] << WORD_BITS
    assert 0 < seen % (1 << WORD_BITS) < seen
