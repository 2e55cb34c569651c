"""Boards are zones like any other: both executors do the same with them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

pytest.importorskip("llvmlite")

from executors_agree import Pair

import rulerun

LANGUAGE = Path(__file__).parents[1] / "language"
FULL = """\
rulerun: 1
game: Full
players: 1
cards:
  face: {number: int}
  deck: [{each: {number: 1..9}}]
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  grid: {kind: board, places: 3..5, seen_by: everyone}
rules:
  play: |
    shuffle deck
    let me = first p in players where true
    repeat:
      me chooses n from 2..6 as "to {n}"
      me chooses:
        "as it is": move top of deck to grid at n
        "on the next": move top of deck to grid
result:
  score(Player p): sum(c.number for c in grid)
  winner: [highest score]
"""
"""Ends in a fault of one sort or another: a place that is taken, or outside, or no place that is free."""


@pytest.mark.parametrize(("game", "players"), [("pairs", 3), ("layouts", 3), ("close_up", 1)])
def test_games_with_boards_do_the_same_in_both(game: str, players: int) -> None:
    text = (LANGUAGE / f"{game}.yaml").read_text(encoding="utf-8")
    unasking = text.replace(" where not knows(me, slot)", "")  # which only the interpreter plays
    pair = Pair(rulerun.load(unasking, players=players).program)
    assert sum(pair.play(seed, Random(seed), 60) for seed in range(6)) > 60
    pair.compare_playouts(0, 20, players)


def test_the_faults_of_boards_are_the_same_in_both() -> None:
    pair = Pair(rulerun.load(FULL, players=1).program)
    codes = set()
    for seed in range(30):
        pair.play(seed, Random(seed), 60)
        game = rulerun.load(FULL, players=1).new(seed)
        random = Random(seed)
        try:
            while True:
                game.choose(random.randrange(len(game.options)))
        except rulerun.RulesFault as fault:
            codes.add((fault.code, fault.message))
    assert {code for code, _ in codes} == {"RR0604", "RR0618"}
    assert ("RR0618", "no place of `grid` is free for one more card") in codes
    assert ("RR0618", "a place of a board holds one card, and `grid at n` is taken") in codes
