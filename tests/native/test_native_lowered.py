"""Words that are lowered to operations which both executors have: rules as conditions, idle lines, the next value."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

pytest.importorskip("llvmlite")

from executors_agree import Pair

import rulerun

ASKING = Path(__file__).parents[1] / "language" / "asking.yaml"


@pytest.mark.parametrize("players", [2, 4])
def test_what_is_lowered_does_the_same_in_both(players: int) -> None:
    pair = Pair(rulerun.load(ASKING, players=players).program)
    assert sum(pair.play(seed, Random(seed), 80) for seed in range(5)) > 120
    pair.compare_playouts(0, 20, players)
