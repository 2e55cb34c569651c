"""The example script and the example variants, run as a reader would run them. Their text tests run with the others
in tests/rulesets."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import rulerun
from rulerun.play.simulate import Played, simulate

pytestmark = pytest.mark.usefixtures("shared_cache")

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.long
def test_the_bot_beats_random_play() -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "bot.py")], capture_output=True, text=True, timeout=60, check=True
    )
    rows = re.findall(r"^P(\d) (\w+) +([\d.]+) of 200$", done.stdout, re.MULTILINE)
    wins = {int(seat): float(won) for seat, _, won in rows}
    assert [kind for _, kind, _ in rows] == ["counting", "random", "random"]
    assert sum(wins.values()) == pytest.approx(200, abs=0.2)
    assert wins[1] > 120  # a player no better than the others wins 67
    assert done.stderr == ""


def test_the_script_is_short() -> None:
    assert len((EXAMPLES / "bot.py").read_text(encoding="utf-8").splitlines()) <= 40


@pytest.mark.parametrize("file", sorted(p.name for p in EXAMPLES.glob("*.yaml") if not p.name.endswith(".test.yaml")))
def test_an_example_variant_plays_for_all_numbers_of_players(file: str) -> None:
    fewest, most = rulerun.load(EXAMPLES / file).player_range
    for players in range(fewest, most + 1):
        game = rulerun.load(EXAMPLES / file, players=players)
        assert [type(end) for end in simulate(game.program, 2, seed=1)] == [Played, Played]


def test_a_variant_of_the_base_goes_with_an_example() -> None:
    game = rulerun.load(EXAMPLES / "gloves.yaml", players=3, variants=["no red cards"])
    assert game.name == "Ouch! with gloves"
    assert game.variants == ("no red cards",)
    assert [type(end) for end in simulate(game.program, 3, seed=1)] == [Played] * 3
