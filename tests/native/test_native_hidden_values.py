"""State variables that not everyone sees are words like any other: both executors do the same with them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

pytest.importorskip("llvmlite")

from executors_agree import Pair

import rulerun

PURSES = Path(__file__).parents[1] / "language" / "purses.yaml"


@pytest.mark.parametrize("players", [2, 4])
def test_a_game_with_hidden_values_does_the_same_in_both(players: int) -> None:
    pair = Pair(rulerun.load(PURSES, players=players).program)
    decisions = sum(pair.play(seed, Random(seed), 100) for seed in range(6))
    assert decisions == 6 * 6 * players
    pair.compare_playouts(0, 20, players)
