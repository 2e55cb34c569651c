"""Bounds of numbers hold, and are no wider than they need be."""

from __future__ import annotations

from itertools import product

import pytest

import rulerun
from rulerun.facts.ranges import Range, is_always_defined, raw_range
from rulerun.ir import nodes as ir
from rulerun.ir.arithmetic import CHECKED, PARTIAL, is_defined
from rulerun.ir.types import INT

PROGRAM = rulerun.load("kuhn").program


def bounds(op: str, left: Range, right: Range) -> Range:
    """What is said of ``a op b`` for operands in these ranges."""
    return raw_range(ir.Binary(op, ir.Local(0, INT), ir.Local(1, INT), INT, 0), PROGRAM, {0: left, 1: right})


SPANS = [(a, b) for a in range(-3, 4) for b in range(a, 4)]


@pytest.mark.parametrize("op", sorted(CHECKED))
def test_the_bounds_of_an_operator_hold_for_all_its_operands(op: str) -> None:
    tried = 0
    for left, right in product(SPANS, SPANS):
        low, high = bounds(op, left, right)
        for a, b in product(range(left[0], left[1] + 1), range(right[0], right[1] + 1)):
            if is_defined(op, b):
                tried += 1
                assert low <= CHECKED[op](a, b) <= high, (op, left, right)
    assert tried > 3_000


@pytest.mark.parametrize("op", sorted(PARTIAL))
def test_an_operator_is_always_defined_where_each_right_operand_is(op: str) -> None:
    for low, high in SPANS:
        assert is_always_defined(op, (low, high)) == all(is_defined(op, b) for b in range(low, high + 1))


def test_the_bounds_of_a_power_are_narrow() -> None:
    assert bounds("**", (2, 2), (0, 10)) == (1, 1024)
    assert bounds("**", (0, 3), (0, 2)) == (0, 9)
    assert bounds("**", (0, 0), (0, 4)) == (0, 1)
    assert bounds("**", (-3, 2), (1, 3)) == (-27, 27)
    assert bounds("**", (2, 2), (0, 31))[1] > 2**31 - 1
    assert bounds("**", (2, 2), (5, 2**31 - 1))[1] > 2**31 - 1
