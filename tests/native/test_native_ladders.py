"""Choices with conditions that hold if they can: both executors offer the same."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

pytest.importorskip("llvmlite")

from executors_agree import Pair

import rulerun

LADDERS = Path(__file__).parents[1] / "language" / "ladders.yaml"


ASKING_KNOWLEDGE = {
    "where knows(p, card) if possible": "where points[p] < 3 if possible",
    "where knows(p, slot) and slot.rank > jack if possible": "where points[q] < 9 if possible",
}
"""What only the interpreter plays, and something else in its place."""


@pytest.mark.parametrize("players", [2, 4])
def test_every_choice_with_a_ladder_does_the_same_in_both(players: int) -> None:
    text = LADDERS.read_text(encoding="utf-8")
    for asking, instead in ASKING_KNOWLEDGE.items():
        assert asking in text
        text = text.replace(asking, instead)
    pair = Pair(rulerun.load(text, players=players).program)
    assert sum(pair.play(seed, Random(seed), 150) for seed in range(6)) > 300
    pair.compare_playouts(0, 30, players)
