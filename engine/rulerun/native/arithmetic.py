"""Sums, products, quotients and powers in machine code: a number that leaves the range of a word is a fault."""

from __future__ import annotations

from rulerun.facts import faults
from rulerun.facts.ranges import is_always_defined, raw_range
from rulerun.ir import nodes as ir
from rulerun.ir.arithmetic import BITS
from rulerun.native.expressions import Emitter


def binary(e: Emitter, expr: ir.Binary) -> str:
    """The value of an operator that gives no truth."""
    w = e.w
    left = e.emit(expr.left)
    right = e.emit(expr.right)
    op = expr.op
    simple = {"+": w.add, "-": w.sub, "*": w.mul}
    if op in simple:
        bounds = raw_range(expr, e.program, e.scope.ranges)
        return e.checked(simple[op](left, right), bounds, expr.at)
    if op in ("//", "%"):
        if not is_always_defined(op, e.range(expr.right)):
            e.fail_if(w.compare("eq", right, "0"), faults.DIVISION, expr.at)
        bounds = raw_range(expr, e.program, e.scope.ranges)
        return e.checked(floored(e, op, left, right), bounds, expr.at)
    match op:
        case "**":
            return power(e, expr, left, right)
        case "min":
            return w.least(left, right)
        case "max":
            return w.greatest(left, right)
        case "union":
            return w.either(left, right)
        case "common":
            return w.both(left, right)
        case _:
            return w.without(left, right)


def floored(e: Emitter, op: str, left: str, right: str) -> str:
    """Quotient or remainder, rounded down."""
    w = e.w
    quotient = w.op(f"sdiv i64 {left}, {right}")
    rest = w.sub(left, w.mul(quotient, right))
    signs = w.compare("slt", w.differ(rest, right), "0")
    down = w.all_of(w.compare("ne", rest, "0"), signs)
    if op == "//":
        return w.sub(quotient, w.number(down))
    return w.pick(down, w.add(rest, right), rest)


def power(e: Emitter, expr: ir.Binary, base: str, exponent: str) -> str:
    """A power, multiplied until it is done or out of range, which happens before a product leaves 64 bits."""
    w = e.w
    if not is_always_defined("**", e.range(expr.right)):
        e.fail_if(w.compare("slt", exponent, "0"), faults.NO_POWER, expr.at)
    bounds = raw_range(expr, e.program, e.scope.ranges)
    most = w.add(str(BITS), w.both(exponent, "1"))  # enough for all bases but -1, 0 and 1, and as odd
    left = w.slot(w.pick(w.compare("sgt", exponent, str(BITS)), most, exponent))
    product = w.slot("1")
    with w.loop() as loop:
        more = w.get(left)
        loop.leave_if(w.compare("eq", more, "0"))
        w.put(left, w.sub(more, "1"))
        found = w.mul(w.get(product), base)
        w.put(product, found)
        loop.leave_if(w.compare("ne", e.low_word(found), found))
    return e.checked(w.get(product), bounds, expr.at)
