"""Texts that a variant replaces and runs by `as usual`: both executors do the same with them."""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("llvmlite")

from executors_agree import Pair

import rulerun

GAME = """\
rulerun: 1
game: Usual
players: 2..4
cards: {deck: french24}
zones:
  stock: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  heap: {kind: row, seen_by: everyone}
state: {points: int per Player}
functions:
  worth(Card c): order(c.rank)
rules:
  play: |
    shuffle stock
    for p in players: deal 3 from stock to hand[p]
    repeat 3 times: for p in players: turn(p, 1)
  turn(Player me, int n): |
    me chooses c from hand[me] as "lay {c}"
    raise laid(me, c)
    let more = bonus(n)
    points[me] += more
  bonus(int n): |
    return n + count(heap)
  dig(Player me, int n):
    nested: 4
    do: |
      points[me] += n
      if n > 0: dig(me, n - 1)
events:
  laid(Player p, Card c): |
    move c to heap
    points[p] += worth(c)
triggers:
  twice:
    instead of: laid(q, c)
    if: c.suit == hearts
    do: |
      as usual
      points[q] += 1
result: {score(Player p): "points[p]", winner: [highest score]}
variants:
  slow:
    functions:
      worth(Card c): as usual + 10 if c.suit == clubs else as usual
    rules:
      turn(Player who, int k): |
        k += count(hand[who])
        as usual
        dig(who, k % 3)
      bonus(int m): |
        let first_time = as usual
        m = first_time
        return as usual
      dig(Player me, int n): |
        n = min(n, 2)
        as usual
        points[me] += 1
    events:
      laid(Player p, Card card): |
        p = next(p)
        as usual
  slower:
    after: slow
    rules:
      turn(Player them, int m): |
        them may "wait": m += 1
        as usual
    result: {score(Player p): as usual * 2}
"""


@pytest.mark.parametrize(("players", "variants"), [(2, ["slow"]), (3, ["slow", "slower"]), (4, ["slower"])])
def test_a_game_does_the_same_in_both(players: int, variants: list[str]) -> None:
    game = rulerun.load(GAME, players=players, variants=variants)
    assert any(p.name == "turn (as usual)" for p in game.program.procedures)
    pair = Pair(game.program)
    for seed in range(4):
        pair.play(seed, Random(seed), 60)
    pair.compare_playouts(0, 30, players)
