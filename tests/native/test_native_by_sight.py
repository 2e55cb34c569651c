"""What is chosen by sight: both executors list the same options in the same order, and let chance settle the same."""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("llvmlite")

from executors_agree import Pair

import rulerun
from rulerun.ir import nodes as ir
from unguarded import unguarded

GAME = """
rulerun: 1
game: By sight
players: 3
cards:
  face: {number: int}
  back: {side: int}
  name: "{number}{side}"
  deck: DECK
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  row: {kind: row, seen_by: nobody}
  shown: {kind: row, seen_by: everyone}
  heap: {kind: hand, seen_by: nobody}
  away: {kind: pile, seen_by: everyone}
state:
  pool: Cards
  got: int per Player
rules:
  play: |
    shuffle deck
    for p in players: deal 3 from deck to hand[p]
    deal 3 from deck to row
    deal 2 from deck to shown
    deal 3 from deck to heap
    let any = random of row
    flip any face up
    repeat 3 times:
      for me in players:
        let you = next(me)
        let low = min(c.side for c in shown) or else 1
        CHOICE
        got[me] += sum(c.number + c.side for c in away)
result: {score(Player p): "got[p]", winner: [highest score]}
"""
SMALL = "{each: {number: 1..9, side: 1..2}}"
TWINS = "{each: {number: 1..4, side: 1..2}, copies: 3}"
LARGE = "{each: {number: 1..50, side: 1..2}}"
ONE = "move c to away"
SET = "move s to away"
LINES = {
    "a named set": ("let s = (c for c in hand[you])", 'me may choose c from s as "take {c}": ' + ONE),
    "hidden zones together": ("pool = all of hand union row", 'me may choose c from pool as "take {c}": ' + ONE),
    "all zones together": (
        "pool = all of hand union row union shown union heap",
        'me may choose c from pool where c.side >= low as "take {c}": ' + ONE,
    ),
    "a filter of a zone": ("", 'me may choose c from (c for c in heap union hand[me] where c.side > 1): ' + ONE),
    "a fallback": (
        "pool = heap union hand[me]",
        'me may choose c from pool where c.side > 1 if possible as "take {c}": ' + ONE,
    ),
    "two at once": (
        "pool = all of hand union heap",
        'me may choose c from pool, d from hand[me] where c != d as "take {c} for {d}": ' + ONE,
    ),
    "subsets": ("", 'me may choose s from subsets(row, 1..2) as "take {s}": ' + SET),
    "subsets of several zones": (
        "pool = all of hand union row union heap",
        'me may choose s from subsets(pool, 2) where some(c in hand[me] for c in s) as "take {s}": ' + SET,
    ),
    "groups by the back": ("pool = all of hand union row", 'me may choose s from groups of pool by side: ' + SET),
    "runs by the back": ("pool = all of hand union heap", 'me may choose s from runs of pool by side: ' + SET),
    "several cards": (
        "pool = all of hand union row union shown",
        'me may choose 1..2 s from pool as "take {s}": ' + SET,
    ),
    "several cards picked one by one": (
        "pool = all of hand union row union shown union heap union away",
        'me may choose some s from pool as "take {s}": ' + SET,
    ),
    "at once": (
        "pool = heap union row",
        'each player p at once may choose c from pool as "take {c}": ' + ONE,
    ),
    "cards of another": ("", 'me may choose 2 s from hand[first p in players after me where true] as "{s}": ' + SET),
}


def game_of(deck: str, choice: str) -> rulerun.Game:
    lines = "\n        ".join(line for line in LINES[choice] if line)
    return unguarded(GAME.replace("DECK", deck).replace("CHOICE", lines))


@pytest.mark.parametrize("deck", [SMALL, TWINS, LARGE], ids=["all differ", "twins", "two words"])
@pytest.mark.parametrize("choice", LINES)
def test_what_is_chosen_by_sight_is_the_same_in_both(deck: str, choice: str) -> None:
    game = game_of(deck, choice)
    ends = [block.end for block in game.program.blocks]
    binders = [b for end in ends if isinstance(end, ir.Choose) for line in end.lines for b in line.binders]
    assert any(binder.by_sight for binder in binders)
    pair = Pair(game.program)
    for seed in range(4):
        pair.play(seed, Random(seed), 12)
    pair.compare_playouts(0, 20, 5)
