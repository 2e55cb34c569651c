"""Tests of whole sets of cards at once: machine code finds the cards that the interpreter finds one by one."""

from __future__ import annotations

import pytest

pytest.importorskip("llvmlite")

from executors_agree import Pair

from rulerun.check import compile_ruleset
from rulerun.document import read
from rulerun.ir.program import Program
from rulerun.run.machine import Machine
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.files import Folder
from rulerun.source.text import Source

HOST = """\
rulerun: 1
game: Masks
players: 3
types:
  Colour: [red, green, blue]
cards:
  face: {colour: Colour, number: int, thorns: set of Colour, worth: int}
  name: "{colour} {number}"
  deck:
    - {each: {number: 1..5}, colour: red, thorns: [red, blue], worth: "number * number"}
    - {each: {number: 1..5}, colour: green, thorns: [green], worth: "number * 100000"}
    - {each: {number: 1..5}, colour: blue, worth: "0 - number"}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  pool: {kind: hand, seen_by: everyone}
  hand: {kind: hand, per: player, seen_by: everyone}
  slot: {kind: hand, per: 1..3, seen_by: everyone}
state:
  total: int
  wanted: int
  colours: set of Colour
  kept: Card or none
  counts: int per Player
functions:
  likes(Card c, Player p): c.number == counts[p]
  odd_one(Card c): c.number % 2 == 1
rules:
  play: |
    let me = first p in players where true
    move all of deck to pool
    colours = {green, blue}
    counts[me] = 4
    wanted = 3
    total = EXPRESSION
    me chooses n from 1..2 as "{n}"
result:
  score(Player p): "total"
  winner: [highest score]
"""


def program(expression: str) -> Program:
    found = Diagnostics()
    text = HOST.replace("EXPRESSION", expression)
    made = compile_ruleset(read(Source("masks.yaml", text), folder=Folder(None), found=found), 3, found)  # type: ignore[arg-type]
    assert made is not None, [d.message for d in found]
    return made


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("count(c for c in pool where c.number == wanted)", 3),
        ("count(c for c in pool where c.number != wanted)", 12),
        ("count(c for c in pool where c.number == wanted + 7)", 0),
        ("count(c for c in pool where c.number < wanted)", 6),
        ("count(c for c in pool where c.number >= wanted)", 9),
        ("count(c for c in pool where wanted < c.number)", 6),
        ("count(c for c in pool where c.number <= total - 9)", 0),
        ("count(c for c in pool where c.number > total - 9)", 15),
        # The values lie too far apart for a table.
        ("count(c for c in pool where c.worth > wanted * 3)", 7),
        # Sets: of the card, and around it.
        ("count(c for c in pool where c.colour in colours)", 10),
        ("count(c for c in pool where c.colour not in colours)", 5),
        ("count(c for c in pool where red in c.thorns)", 5),
        ("count(c for c in pool where some(k in c.thorns for k in colours))", 10),
        ("sum(count(c for c in pool where k in c.thorns) for k in Colour)", 15),
        ("count(c for c in pool where c.number in {3} or c.number == 5)", 6),
        # A card by itself, which may be none.
        ("count(c for c in pool where c == kept)", 0),
        ("count(c for c in pool where c != kept)", 15),
        ("sum(count(c for c in pool where c != d) for d in pool)", 210),
        ("count(c for c in pool where c in hand[me] or c in pool)", 15),
        ("sum(count(c for c in pool where c in slot[n]) for n in 1..3)", 0),
        # What is the same for all cards, cheap and dear.
        ("count(c for c in pool where wanted == 3 and c.colour == red)", 5),
        ("count(c for c in pool where wanted == 4 and c.colour == red)", 0),
        ("count(c for c in pool where wanted == 3 or c.colour == red)", 15),
        ("count(c for c in pool where c.colour == red and count(hand[me]) == 0)", 5),
        ("count(c for c in pool where c.colour == red or some(d.number == 9 for d in pool))", 5),
        ("count(c for c in pool where c.colour == red and every(some(d == e for d in pool) for e in hand[me]))", 5),
        ("count(c for c in pool where not (c.colour == red or c.number > wanted))", 6),
        ("count(c for c in pool where (c.colour == red if wanted == 3 else c.colour == blue))", 5),
        ("count(c for c in pool where (c.number == 1 if c.colour == red else c.number == 2))", 3),
        # Functions, and what might fault and so is looked at card by card.
        ("count(c for c in pool where likes(c, me))", 3),
        ("count(c for c in pool where odd_one(c) and c.number > 1)", 6),
        ("count(c for c in pool where c.number * 1000000000 > wanted)", -1),
        ("count(c for c in pool where c.colour == red and 6 // (wanted - 3) == c.number)", -1),
        ("count(c for c in pool where 2 ** (wanted - 4) == c.number)", -1),
        ("count(c for c in pool where 2 ** c.number == 8)", 3),
        ("count(c for c in pool where c.colour == red and c.number <= 2 and c.number * 1000000000 > wanted)", 2),
        ("every(c.number < 6 for c in pool where c.colour == red) and total == 0 and wanted == 3", None),
        ("(first c in pool where c.number > wanted and c.colour == blue).number", 4),
        ("(first c in pool where c.number > 9 or else bottom of hand[me]).number", -1),
    ],
)
def test_both_executors_find_the_same_cards(expression: str, expected: int | None) -> None:
    if expected is None:
        expression, expected = f"1 if {expression} else 0", 1
    made = program(expression)
    pair = Pair(made)
    if not pair.begin(1):
        assert expected == -1, "a fault in both"
        return
    pair.compare()
    total = next(variable.offset for variable in made.variables if variable.name == "total")
    assert (pair.v[total], pair.n[total]) == (expected, expected)
    plain = Machine(made, plain=True)
    assert plain.start(1)[total] == expected
