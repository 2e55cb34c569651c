"""IR expressions made as small as they can be: what is constant is computed here, so that a switched-off rule vanishes.

Only what cannot fault is folded; an overflow or a division by zero stays for the executor to tell at its place.
"""

from __future__ import annotations

from rulerun.ir import arithmetic
from rulerun.ir import nodes as ir
from rulerun.ir.types import BOOL, INT, INT_MIN, SetType, Type

TRUE, FALSE = ir.Const(1, BOOL), ir.Const(0, BOOL)


def number(value: int) -> ir.Const:
    return ir.Const(value, INT)


def truth(expr: ir.Expr) -> bool | None:
    """The value of a constant condition; None if it is not constant."""
    return bool(expr.value) if isinstance(expr, ir.Const) else None


def negation(expr: ir.Expr, at: int) -> ir.Expr:
    match expr:
        case ir.Const(value, type_) if type_ == BOOL:
            return FALSE if value else TRUE
        case ir.Unary("not", operand, _):
            return operand
        case ir.Binary(op, left, right, type_, where) if op in _OPPOSITE:
            return ir.Binary(_OPPOSITE[op], left, right, type_, where)
        case _:
            return ir.Unary("not", expr, at)


_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def minus(expr: ir.Expr, at: int) -> ir.Expr:
    if isinstance(expr, ir.Const) and expr.value != INT_MIN:
        return number(-expr.value)
    return ir.Unary("neg", expr, at)


def both(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    match truth(left), truth(right):
        case (False, _):
            return FALSE
        case (True, _):
            return right
        case (_, True):
            return left
        case _:
            return ir.And(left, right)


def either(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    match truth(left), truth(right):
        case (True, _):
            return TRUE
        case (False, _):
            return right
        case (_, False):
            return left
        case _:
            return ir.Or(left, right)


def conditional(condition: ir.Expr, then: ir.Expr, otherwise: ir.Expr, type_: Type) -> ir.Expr:
    known = truth(condition)
    if known is None:
        return ir.Conditional(condition, then, otherwise, type_)
    return then if known else otherwise


def binary(op: str, left: ir.Expr, right: ir.Expr, type_: Type, at: int) -> ir.Expr:
    if isinstance(left, ir.Const) and isinstance(right, ir.Const):
        value = arithmetic.binary(op, left.value, right.value)
        if value is not None:
            return ir.Const(value, type_)
    if op in ("+", "-") and isinstance(right, ir.Const) and right.value == 0 and not isinstance(type_, SetType):
        return left
    return ir.Binary(op, left, right, type_, at)


def contains(item: ir.Expr, of: ir.Expr) -> ir.Expr:
    if isinstance(item, ir.Const) and isinstance(of, ir.Const):
        return TRUE if item.value >= 0 and of.value >> item.value & 1 else FALSE
    if isinstance(of, ir.Const) and of.value == 0:
        return FALSE
    return ir.Contains(item, of)


def single(item: ir.Expr, type_: Type) -> ir.Expr:
    if isinstance(item, ir.Const) and item.value >= 0:
        return ir.Const(1 << item.value, type_)
    return ir.Single(item, type_)


def size(of: ir.Expr) -> ir.Expr:
    return number(of.value.bit_count()) if isinstance(of, ir.Const) else ir.Size(of)


def place(offset: int, axes: tuple[ir.Axis, ...], type_: Type, at: int) -> ir.Place:
    """A place whose constant axes are already added to its offset."""
    rest: list[ir.Axis] = []
    for axis in axes:
        if isinstance(axis.index, ir.Const) and axis.low <= axis.index.value < axis.low + axis.size:
            offset += (axis.index.value - axis.low) * axis.stride
        else:
            rest.append(axis)
    return ir.Place(offset, tuple(rest), type_, at)
