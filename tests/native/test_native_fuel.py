"""Both executors burn the same fuel at the same places: too much is the same fault after the same decisions."""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("llvmlite")

from configurations import DEPTH
from executors_agree import Pair, outcome
from random_programs import random_program

from costly_rules import COSTLY, FEW, Costly, tower
from rulerun.facts import fuel
from rulerun.facts.faults import RulesFault
from rulerun.native import UnsupportedError, counting
from rulerun.native.machine import NativeMachine
from rulerun.run import closures, domains


def little_fuel(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Makes the limit so small that ordinary programs reach it."""
    for module in (counting, closures, domains):
        monkeypatch.setattr(module, "MAX_FUEL", most)


@pytest.mark.parametrize("first", range(0, 6 * DEPTH, 6))
def test_random_programs_that_burn_much_fault_alike(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    left = decisions = 0
    for number in range(first, first + 6):
        little_fuel(monkeypatch, (20, 150, 1_500)[number % 3])
        monkeypatch.setattr(fuel, "SHORT", (0, 60)[number % 2])
        monkeypatch.setattr(fuel, "FREE", (0, 60)[number // 2 % 2])
        try:
            pair = Pair(random_program(1_000 + number))
            decisions += sum(pair.play(seed, Random(seed), 40) for seed in range(4))
            pair.compare_playouts(0, 10, number)
        except UnsupportedError:
            left += 1
    assert left <= 1, "hardly any program is left to the interpreter"
    assert decisions >= 12, "programs come to choices"


@pytest.mark.parametrize("name", COSTLY)
def test_machine_code_stops_a_costly_ruleset_where_the_reference_does(name: str) -> None:
    """`run/test_costly_rules.py` has the reference stop at the same places."""
    game = COSTLY[name]
    native = NativeMachine(game.program())
    with pytest.raises(RulesFault) as raised:
        native.start(1)
    assert game.told_at(raised.value) == ("RR0601", game.place)
    (_, code, at, decisions), *_ = native.playouts(0, 1, 1).faults
    assert (native.fault(code, at).code, decisions) == ("RR0601", 0)
    assert game.told_at(native.fault(code, at)) == ("RR0601", game.place)


FUNCTIONS = tower("f0(int n): n", 6, "FUNCTION(n) + FUNCTION(n + 1) + FUNCTION(n - 1)") + """
most(int n): |
  let t = n
  for a in 1..30:
    if some(c.number + a == n for c in pool): t += 1
  t
"""
OFTEN_ENOUGH = {
    "cards of a hand": "total = count(c for c in pool where some(c.number + d.number == 99 for d in pool))",
    "places of a row": "total = sum(sum(c.number * d.number * 2 for c in row) for d in row)",
    "cards of a set": "total = sum(sum(c.number * d.number for c in pool union row) for d in pool)",
    "numbers": "total = count(k for k in 1..total + 9)",
    "numbers with a step": "total = count(k for k in total + 99..1 by -2)",
    "subsets": "total = count(s for s in subsets(row, 2..3) where sum(c.number for c in s) == 9)",
    "a cover": "total = best cover of row by g of 1..2 where count(g) + total > 0 by 1",
    "values of a type": "total = count(a for a in Many for b in Many where a == b)",
    "seats": "total = count(1 for a in players after me for b in seats for c in seats for d in seats for e in seats)",
    "runs": "total = count(g for g in runs of pool by number where sum(c.number * 2 for d in row for c in g) > 3)",
    "groups": "total = count(g for g in groups of pool by colour where sum(c.number * 2 for d in row for c in g) > 3)",
    "a block": "shuffle all cards into stock",
    "a function": "total = f6(1)",
    "a loop in a function": "total = most(total)",
    "a choice of a card": 'me chooses c from pool where some(c.number + d.number > 99 for d in pool) as "{c}": stop',
    "a choice of three": 'me chooses c from row, d from pool, e from row where c.number + d.number > 99 as "{c}": stop',
    "a choice of a set": 'me chooses some s from pair where sum(c.number for c in s) > 999 as "{s}": stop',
    "chance": "let c = random of (c for c in pool where some(c.number + d.number == 19 for d in pool))",
}


@pytest.mark.parametrize("name", OFTEN_ENOUGH)
def test_both_executors_count_to_the_last_unit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As often as the reference can do it without a fault, and not once more, can the native executor."""
    little_fuel(monkeypatch, 30_000)
    body = FEW + "let pair = (c for c in row where c.number < 3)\n"
    body += 'me chooses n from 1..9999 as "{n}"\nrepeat n times:\n  ' + OFTEN_ENOUGH[name]
    if "chooses" in OFTEN_ENOUGH[name]:
        body += "\n  otherwise: total += 1"
    pair = Pair(Costly(body, "", FUNCTIONS).program())
    assert pair.begin(1)
    before = list(pair.v)

    def ends_well(times: int) -> bool:
        return outcome(lambda: pair.reference.choose(list(before), times - 1)) is None

    most, too_many = 1, 9_999
    assert ends_well(most)
    assert not ends_well(too_many)
    while too_many - most > 1:
        middle = (most + too_many) // 2
        most, too_many = (middle, too_many) if ends_well(middle) else (most, middle)
    assert not pair.choose(too_many - 1)
    assert pair.choose(most - 1)
    pair.compare()
