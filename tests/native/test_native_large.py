"""Both executors do the same with as much of everything as the language allows."""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("llvmlite")

from executors_agree import Pair

import rulerun
from rulerun.ir.program import MAX_CARDS, MAX_PLAYERS

SIZES = (62, 63, 64, 65, 128, 1_000)
OF_VALUES = {
    "a loop": "for v in Many: seen[v] += 1\n    n = sum(seen[v] for v in Many)",
    "a loop in a function": "n = in_function(2)",
    "a count": "n = count(v for v in Many where v != v0)",
    "a set given by hand": "n = count(v for v in {v0, LAST})",
    "a choice between sets": "n = count(v for v in (Many if n > 0 else {LAST}))",
    "a set that a loop makes": "n = count((v for v in Many where seen[v] == 0))",
    "membership": "n = count(v for v in Many where v in {v1, LAST})",
    "chance": "kept = random of Many",
    "chance with a condition": "kept = random of (v for v in Many where v != v0)",
    "a choice": 'me chooses v from Many where seen[v] == 0 and v != v0 as "{v}": kept = v',
    "a choice of two": 'me chooses a from Many, b from {v0, LAST} where a == b as "{a} {b}": kept = a',
    "a choice from a set by hand": 'me chooses v from {v0, v1, LAST} where seen[v] == 0 as "{v}": kept = v',
    "an index that is chosen": (
        'me chooses v from Many where v != v0 as "{v}": seen[v] += 7\n    n = count(v for v in Many where seen[v] == 7)'
    ),
    "an index by lot": "let lot = random of Many\n    seen[lot] = 5\n    n = sum(seen[v] for v in Many where v == lot)",
    "indices by cards": "for c in hand: seen[c.much] += 1\n    n = 100 * seen[LAST] + 10 * seen[v0] + seen[v1]",
    "a loop over a set by hand": "for v in {v1, LAST}: seen[v] += 3\n    n = 10 * seen[LAST] + seen[v0]",
    "the best": "kept = best v in Many by (2 if v == LAST else 0)",
    "values of cards": "kept = LAST\n    n = count(c for c in hand where c.much == kept)",
    "cards by a set": "n = count(c for c in hand where c.much in {v1, LAST})",
    "cards by a loop": "n = count(c for c in hand where some(v == c.much for v in Many where v != v0))",
}


def with_many_values(size: int, body: str) -> str:
    values = ", ".join(f"v{i}" for i in range(size))
    return f"""\
rulerun: 1
game: Many
players: 2
types:
  Many: [{values}]
cards:
  face: {{number: int, much: Many}}
  deck: {{each: {{number: 1..4, much: [v0, v{size // 2}, LAST]}}}}
zones:
  deck: {{kind: pile, seen_by: nobody, start: deck}}
  hand: {{kind: hand, seen_by: everyone}}
state:
  kept: Many
  n: int
  seen: int per Many
functions:
  in_function(int a): |
    let t = 0
    for v in Many:
      if v != v0: t += a
    t
rules:
  play: |
    move all of deck to hand
    let me = first p in players where true
    {body}
    me chooses more from 1..3 as "{{more}}": n += more
result:
  score(Player p): 2 * n + (1 if kept == LAST else 0)
  winner: [highest score]
""".replace("LAST", f"v{size - 1}")


@pytest.mark.parametrize("name", OF_VALUES)
@pytest.mark.parametrize("size", SIZES)
def test_types_may_have_many_values(size: int, name: str) -> None:
    pair = Pair(rulerun.load(with_many_values(size, OF_VALUES[name])).program)
    assert sum(pair.play(seed, Random(seed), 10) for seed in range(3)) >= 3
    pair.compare_playouts(0, 10, 1)


TABLE = """\
rulerun: 1
game: Large
players: 2..20
cards:
  face: {number: int, sort: int}
  deck: {each: {number: 1..250, sort: 1..4}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player, seen_by: owner}
  heap: {kind: pile, per: [player, 0..11], seen_by: everyone}
  line: {kind: row, per: [player, 0..10], seen_by: everyone}
state:
  turns: int
rules:
  play: |
    shuffle deck
    for p in players: deal 40 from deck to hand[p]
    let me = first p in players where true
    repeat 40 times:
      turn(me)
      me = next(me)
  turn(Player me): |
    turns += 1
    me chooses card from hand[me] where card.number % 3 == turns % 3 or card.number > 200 as "{card}":
      move card to heap[me, card.number % 12]
    otherwise:
      move top of deck to line[me, turns % 11]
    if count(heap[me, 3]) > 1: move all of heap[me, 3] to line[next(me), 5]
    if turns % 7 == 0: swap hand[me] with hand[next(me)]
result:
  score(Player p): sum(c.number for c in hand[p]) + count(c for c in line[p, 5] where c.sort == 4)
  winner: [highest score]
"""


def test_a_table_may_be_as_large_as_it_can() -> None:
    """1,000 cards, 20 players, nearly 500 zones."""
    program = rulerun.load(TABLE, players=MAX_PLAYERS).program
    assert (program.card_count, program.players) == (MAX_CARDS, 20)
    assert len(program.zones) > 480
    pair = Pair(program)
    assert sum(pair.play(seed, Random(seed), 25) for seed in range(2)) == 50
    pair.compare_playouts(0, 5, 1)


def of_blocks(ifs: int, calls: int) -> str:
    """A function of so many branches, called so often without a decision."""
    tests = "\n".join(f"    if a % {i + 2} == {i % 3}: t += {i}" for i in range(ifs))
    return f"""\
rulerun: 1
game: Branches
players: 2
cards: {{deck: french32}}
zones:
  deck: {{kind: pile, seen_by: nobody, start: deck}}
state:
  n: int
functions:
  long(int a): |
    let t = 0
{tests}
    t
rules:
  play: |
    let me = first p in players where true
    me chooses more from 1..9 as "{{more}}": n += more
    repeat {calls} times: n = (n + long(n)) % 1000
    me chooses more from 1..9 as "{{more}}": n += more
result:
  score(Player p): n
  winner: [highest score]
"""


@pytest.mark.parametrize(("ifs", "calls"), [(83, 900), (200, 30), (83, 9_000), (200, 9_000)])
def test_functions_may_have_many_blocks(ifs: int, calls: int) -> None:
    program = rulerun.load(of_blocks(ifs, calls)).program
    assert max(len(function.blocks) for function in program.functions) > 2 * ifs
    pair = Pair(program)
    pair.play(1, Random(1), 5)
    pair.compare_playouts(0, 3, 1)


NESTED = """\
rulerun: 1
game: Nested
players: 2
cards: {deck: french52}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player, seen_by: owner}
state:
  deep: int
  deepest: int
rules:
  play: |
    shuffle deck
    for p in players: deal 20 from deck to hand[p]
    let me = first p in players where true
    repeat 3 times: chain(me)
  chain(Player me):
    nested: 64
    do: |
      deep += 1
      deepest = max(deep, deepest)
      let kept = deep * 2
      if deep < 64:
        me chooses:
          card from hand[me] as "{card}":
            if deep % 9 == 0: move card to hand[next(me)]
            chain(next(me))
          "stop" if deep > 40
        otherwise: chain(next(me))
      deep -= 1
      deepest += kept % 5
result:
  score(Player p): deepest * 10 + count(hand[p])
  winner: [highest score]
"""


def test_rules_may_be_in_progress_64_times() -> None:
    pair = Pair(rulerun.load(NESTED).program)
    assert sum(pair.play(seed, Random(seed), 200) for seed in range(4)) > 400
    pair.compare_playouts(0, 20, 1)
