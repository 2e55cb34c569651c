"""Functions that look at nothing but their arguments keep what they gave; all others are worked out anew."""

from __future__ import annotations

import pytest

import rulerun
from rulerun.facts.faults import RulesFault
from rulerun.ir.program import Program
from rulerun.run.functions import stateless
from rulerun.run.machine import Machine

RULES = """\
rulerun: 1
game: Prices
players: 1
cards:
  face: {number: int}
  name: "the {number}"
  deck:
    - {each: {number: 1..6}}
zones:
  row: {kind: row, seen_by: everyone, start: deck}
  away: {kind: row, seen_by: everyone}
state:
  price: int
  total: int
functions:
  spread(Cards s): max(c.number for c in s) - min(c.number for c in s)
  wide(Cards s, int n): spread(s) > n
  priced(Cards s): spread(s) * price
  priced_each(Cards s): max(c.number * price for c in s)
  lying(Cards s): count(c for c in s where c in row)
  seats(int n): count(p for p in players) + n
  dear(Cards s): best cover of s by g of 1..2 by spread(g)
  shared(Cards s, int n): spread(s) // n
rules:
  play: |
BODY
result:
  score(Player p): total
  winner: [highest score]
"""


def program(body: str) -> Program:
    return rulerun.load(RULES.replace("BODY", "\n".join("    " + line for line in body.splitlines()))).program


def test_only_what_follows_from_the_arguments_is_kept() -> None:
    found = program("total = 1")
    assert {found.functions[number].name for number in stateless(found)} == {"spread", "wide", "shared"}


def test_what_reads_the_state_is_worked_out_anew() -> None:
    found = program(
        """\
price = 1
total = priced(row) + priced_each(row) + lying(row) * 1000
price = 10
total += priced(row) + priced_each(row)
let lain = (c for c in row)
move top of row to away
total += lying(lain) * 1000"""
    )
    v = Machine(found).start(1)
    assert Machine(found).scores(v) == ((5 + 6 + 6000) + (50 + 60) + 5000,)


def test_a_set_that_changes_has_another_value() -> None:
    found = program(
        """\
total = spread(row)
move top of row to away
total = total * 10 + spread(row)
move top of away to row
total = total * 10 + spread(row)"""
    )
    v = Machine(found).start(1)
    assert Machine(found).scores(v) == (545,)


def test_a_fault_is_a_fault_each_time() -> None:
    machine = Machine(program("total = shared(row, total)"))
    for seed in (1, 2):
        with pytest.raises(RulesFault) as raised:
            machine.start(seed)
        assert raised.value.code == "RR0603"
