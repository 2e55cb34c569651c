"""What the operators of `Binary` and `Unary` give for known values. Imports the types only."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Final

from rulerun.ir.types import INT_MAX, INT_MIN

BITS: Final = 32
"""Of a word: a power of anything but -1, 0 and 1 with this exponent is out of range."""



def power(base: int, exponent: int) -> int:
    """``base ** exponent`` where a word holds it, for an exponent of at least 0; else a number that is out of range on
    the same side: a great exponent would take long."""
    return int(base ** (exponent if exponent <= BITS else BITS + exponent % 2))


COMPARE: Final[dict[str, Callable[[int, int], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
CHECKED: Final[dict[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": power,
}
"""On numbers; a result that leaves the range of a word is a fault."""
PARTIAL: Final[dict[str, str]] = {"//": "division", "%": "division", "**": "negative_power"}
"""Operators that have no value for some right operands, and what that fault is called."""
PLAIN: Final[dict[str, Callable[[int, int], int]]] = {
    "min": min,
    "max": max,
    "union": operator.or_,
    "common": operator.and_,
    "without": lambda a, b: a & ~b,
}
BINARY: Final = frozenset((*COMPARE, *CHECKED, *PLAIN))
"""All operators of `Binary`."""


def is_defined(op: str, right: int) -> bool:
    """Whether an operator has a value for this right operand, large as it may be."""
    return right >= 0 if op == "**" else right != 0 or op not in PARTIAL


def binary(op: str, left: int, right: int) -> int | None:
    """The value of ``left op right``; None where that is a fault."""
    if op in COMPARE:
        return int(COMPARE[op](left, right))
    if op in PLAIN:
        return PLAIN[op](left, right)
    if not is_defined(op, right):
        return None
    return in_range(CHECKED[op](left, right))


def unary(op: str, operand: int) -> int | None:
    """The value of ``op operand``; None where that is a fault."""
    return int(not operand) if op == "not" else in_range(-operand)


def in_range(value: int) -> int | None:
    """The number, if a word holds it."""
    return value if INT_MIN <= value <= INT_MAX else None
