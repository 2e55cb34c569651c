"""Frames that are kept, triggers that are run for each, and places: both executors do the same with them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

pytest.importorskip("llvmlite")

from executors_agree import Pair

import rulerun

LANGUAGE = Path(__file__).parents[1] / "language"


@pytest.mark.parametrize(
    ("name", "players", "options", "most"),
    [
        ("chains", 2, {}, 40),
        ("chains", 4, {"deepest": "6"}, 25),
        ("shedding", 2, {}, 40),
        ("shedding", 5, {}, 60),
        ("deals", 2, {}, 60),
        ("deals", 5, {}, 90),
    ],
)
def test_a_game_does_the_same_in_both(name: str, players: int, options: dict[str, str], most: int) -> None:
    game = rulerun.load(LANGUAGE / f"{name}.yaml", players=players, options=options)
    pair = Pair(game.program)
    for seed in range(4):
        pair.play(seed, Random(seed), most)
    pair.compare_playouts(0, 30, players)


def test_one_time_more_is_the_same_fault_in_both(tmp_path: Path) -> None:
    text = (LANGUAGE / "chains.yaml").read_text(encoding="utf-8")
    file = tmp_path / "shallow.yaml"
    file.write_text(text.replace("nested: 8\n    if: chain < 8\n", "nested: 2\n"), encoding="utf-8")
    pair = Pair(rulerun.load(file, players=2).program)
    pair.compare_playouts(0, 60, 5)
    sums = pair.native.playouts(0, 60, 5)
    assert sums.faults
    codes = {pair.native.fault(code, at).code for _, code, at, _ in sums.faults}
    assert codes == {"RR0617"}
