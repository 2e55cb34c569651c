"""Choices with conditions that hold if they can: both executors offer the same."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

pytest.importorskip("llvmlite")

from executors_agree import Pair

import rulerun

LADDERS = Path(__file__).parents[1] / "language" / "ladders.yaml"


@pytest.mark.parametrize("players", [2, 4])
def test_every_choice_with_a_ladder_does_the_same_in_both(players: int) -> None:
    pair = Pair(rulerun.load(LADDERS, players=players).program)
    assert sum(pair.play(seed, Random(seed), 150) for seed in range(6)) > 300
    pair.compare_playouts(0, 30, players)
