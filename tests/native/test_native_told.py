"""Chance into hidden variables, windows in an order that nobody learns, sets picked in secret card by card, notes of
hidden cards: whoever is told what, all executors do the same."""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("llvmlite")

from executors_agree import Pair

import rulerun
from rulerun.run.machine import Machine

RULES = """
rulerun: 1
game: Told
players: 3
cards:
  face: {number: int}
  name: "{number}"
  deck: {each: {number: 1..45}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  away: {kind: pile, seen_by: nobody}
  table: {kind: row, seen_by: everyone}
state:
  die: {type: int per Player, seen_by: owner}
  traitor: {type: Player or none, seen_by: nobody}
  points: int per Player
rules:
  play: |
    shuffle deck
    traitor = random of players
    for p in players:
      die[p] = random of 1..6
      deal 14 from deck to hand[p]
    for p in players:
      p secretly chooses 0..13 gone from hand[p] as "bury {gone}"
      move gone to away
    for p in players:
      if count(hand[p]) > 0:
        p chooses c from hand[p] as "show {c}"
        move c to table
        note "{p} shows {c}"
    any player p at random may choose:
      "snap":
        points[p] += 1
        stop
      "snatch" if points[p] == 0: points[p] += 2
result:
  score(Player p): points[p] + die[p] + (1 if traitor == p else 0)
  winner: [highest score]
"""


def test_both_executors_do_the_same() -> None:
    pair = Pair(rulerun.load(RULES).program)
    assert sum(pair.play(seed, Random(seed), 100) for seed in range(6)) > 60
    pair.compare_playouts(0, 20, 3)


def test_telling_changes_nothing_but_what_is_told() -> None:
    program = rulerun.load(RULES).program
    quiet, telling = Machine(program), Machine(program, telling=True)
    for seed in range(4):
        random = Random(seed)
        v, w = quiet.start(seed), telling.start(seed)
        while not quiet.is_over(v):
            assert w[: len(v)] == v
            index = random.randrange(len(quiet.options(v)))
            quiet.choose(v, index)
            telling.choose(w, index)
        assert w[: len(v)] == v
