"""Tests of cards as sets of cards: `c.suit == led` over a whole hand at once is one AND with a mask.

For every card the fields are known while planning, so a test that compares them with what does not change from card to
card becomes a table of masks, looked up by that value. Only what can never fault is taken out of its loop so: a test
that might fault stays where it was and is evaluated card by card.
"""

from __future__ import annotations

import dataclasses
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulerun.facts.ranges import raw_range, raw_sum_range
from rulerun.facts.types import is_card, is_card_set, is_optional, type_of
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import FoldKind
from rulerun.ir.traverse import is_node, walk
from rulerun.ir.types import INT_MAX, INT_MIN

if TYPE_CHECKING:
    from rulerun.run.expressions import Emitter

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
FLIPPED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
ARGUMENT_NODES = 6
FRESH_LOCALS = 1_000_000
CACHED_SETS = 4_096


class NotFixedError(Exception):
    """The value depends on more than the card."""


def card_test(e: Emitter, test: ir.Expr, local: int) -> str | None:
    """The set of all cards for which ``test`` holds with ``local`` bound to them, as a text; None if it is no such
    test."""
    every = (1 << e.program.card_count) - 1
    fixed = column(e, test, local)
    if fixed is not None:
        return str(sum(1 << card for card, holds in enumerate(fixed) if holds))
    if not reads(test, local):
        return f"({every} if {e.emit(test)} else 0)" if is_total(e, test) else None
    match test:
        case ir.And() | ir.Or():
            return joined(e, test, local, every)
        case ir.Unary("not", operand):
            mask = card_test(e, operand, local)
            return f"({every} ^ {mask})" if mask is not None else None
        case ir.Conditional(condition, then, otherwise):
            if reads(condition, local) or not is_total(e, condition):
                return None
            with e.w.captured() as lines:
                text = e.emit(condition)
                first = card_test(e, then, local)
                second = card_test(e, otherwise, local) if first is not None else None
            if first is None or second is None:
                return None
            e.w.splice(lines)
            return f"({first} if {text} else {second})"
        case ir.CallFunction():
            body = expanded(e, test)
            return card_test(e, body, local) if body is not None else None
        case ir.Binary(op, left, right) if op in COMPARISONS:
            if reads(right, local):
                left, right, op = right, left, FLIPPED[op]
            return compared(e, op, left, right, local, every)
        case ir.Contains(item, of):
            return membership(e, item, of, local)
        case ir.InZone(ir.Local(index), zone) if index == local:
            if all(is_total_axis(e, axis) and not reads(axis.index, local) for axis in zone.axes):
                return e.cards_in(zone)
            return None
        case _:
            return None


def joined(e: Emitter, test: ir.And | ir.Or, local: int, every: int) -> str | None:
    """A chain of `and` or of `or`; what is the same for all cards is looked at first."""
    parts = flattened(test, type(test))
    same = [part for part in parts if not reads(part, local)]
    if not all(is_total(e, part) for part in same):
        return None
    with e.w.captured() as lines:
        masks = [card_test(e, part, local) for part in parts if reads(part, local)]
        quick: list[str] = []
        costly: list[str] = []
        for part in same:
            text = e.emit(part)
            (costly if is_costly(part) else quick).append(text)
    if any(mask is None for mask in masks):
        return None
    e.w.splice(lines)
    is_and = isinstance(test, ir.And)
    masks += [f"({every} if {text} else 0)" for text in costly]
    result = (" & " if is_and else " | ").join(str(mask) for mask in masks)
    result = f"({result})"
    for text in reversed(quick):
        result = f"({result} if {text} else 0)" if is_and else f"({every} if {text} else {result})"
    return result


def is_costly(expr: ir.Expr) -> bool:
    return not isinstance(expr, ir.Const | ir.Load | ir.Local | ir.Binary | ir.Unary) or (
        isinstance(expr, ir.Unary) and is_costly(expr.operand)
    )


def flattened(expr: ir.Expr, kind: type) -> list[ir.Expr]:
    """The parts of a chain of `and` (or of `or`), in order."""
    if isinstance(expr, kind):
        assert isinstance(expr, ir.And | ir.Or)
        return flattened(expr.left, kind) + flattened(expr.right, kind)
    return [expr]


def split(e: Emitter, where: ir.Expr | None, local: int) -> tuple[str | None, ir.Expr | None]:
    """The leading tests of a where-clause as one mask, and what is left of it."""
    if where is None:
        return None, None
    whole = card_test(e, where, local)
    if whole is not None:
        return whole, None
    parts = flattened(where, ir.And)
    masks = []
    while parts:
        mask = card_test(e, parts[0], local)
        if mask is None:
            break
        masks.append(mask)
        del parts[0]
    if not masks:
        return None, where
    rest = parts[0]
    for part in parts[1:]:
        rest = ir.And(rest, part)
    return f"({' & '.join(masks)})", rest


def compared(e: Emitter, op: str, left: ir.Expr, right: ir.Expr, local: int, every: int) -> str | None:
    """``left op right`` where only ``left`` reads the card."""
    if reads(right, local) or not is_total(e, right):
        return None
    if isinstance(left, ir.Local) and is_card(type_of(left)) and op in ("==", "!="):
        card = e.atom(e.emit(right))
        mask = f"(1 << {card} if {card} >= 0 else 0)" if is_optional(type_of(right)) else f"(1 << {card})"
        return mask if op == "==" else f"({every} ^ {mask})"
    values = column(e, left, local)
    if values is None or is_card_set(type_of(left)):
        return None
    text = e.emit(right)
    if op in ("==", "!="):
        table: dict[int, int] = {}
        for holder, value in enumerate(values):
            table[value] = table.get(value, 0) | 1 << holder
        if isinstance(right, ir.Const):
            holders = table.get(right.value, 0)
            return str(holders if op == "==" else every ^ holders)
        name = e.pool.name("E", values, table)
        mask_text = f"{name}.get({text}, 0)"
        return mask_text if op == "==" else f"({every} ^ {mask_text})"
    steps = sorted(set(values))
    below = tuple(
        sum(1 << card for card, value in enumerate(values) if value < step) for step in [*steps, max(steps) + 1]
    )
    search = bisect_left if op in ("<", ">=") else bisect_right
    if isinstance(right, ir.Const):
        holders = below[search(steps, right.value)]
        return str(holders if op in ("<", "<=") else every ^ holders)
    masks = e.pool.name("B", values, below)
    keys = e.pool.name("S", values, steps)
    name = "bisect_left" if op in ("<", ">=") else "bisect_right"
    mask_text = f"{masks}[{name}({keys}, {text})]"
    return mask_text if op in ("<", "<=") else f"({every} ^ {mask_text})"


def membership(e: Emitter, item: ir.Expr, of: ir.Expr, local: int) -> str | None:
    """``item in of`` where one of both reads the card."""
    if not reads(of, local):
        if not is_total(e, of):
            return None
        if isinstance(item, ir.Local) and item.index == local:
            return e.emit(of)
        values = column(e, item, local)
        if values is None:
            return None
        name = e.pool.name("I", values, members_of(values))
        return f"{name}({e.emit(of)})"
    if reads(item, local) or not is_total(e, item):
        return None
    sets = column(e, of, local)
    if sets is None or is_card_set(type_of(of)):
        return None
    masks = tuple(sum(1 << card for card, held in enumerate(sets) if held >> bit & 1) for bit in range(64))
    return f"{e.pool.name('J', sets, masks)}[{e.emit(item)}]"


def members_of(values: tuple[int, ...]) -> Callable[[int], int]:
    """The cards whose value belongs to a set, remembered per set."""
    known: dict[int, int] = {}

    def cards(of: int) -> int:
        found = known.get(of)
        if found is None:
            if len(known) >= CACHED_SETS:
                known.clear()
            found = known[of] = sum(1 << card for card, value in enumerate(values) if of >> value & 1)
        return found

    return cards


# -------------------------------------------------- what is known while planning


def reads(expr: ir.Expr, local: int) -> bool:
    """Whether an expression reads a local."""
    return any(isinstance(node, ir.Local) and node.index == local for node in walk(expr))


def column(e: Emitter, expr: ir.Expr, local: int) -> tuple[int, ...] | None:
    """The value of an expression for every card, if it depends on nothing else."""
    key = ("column", expr, local)
    if key not in e.pool.columns:
        try:
            values: tuple[int, ...] | None = tuple(fixed(e, expr, local, c) for c in range(e.program.card_count))
        except NotFixedError:
            values = None
        e.pool.columns[key] = values
    return e.pool.columns[key]


def fixed(e: Emitter, expr: ir.Expr, local: int, card: int) -> int:
    """The value of an expression for one card; NotFixedError if it depends on more or would fault."""

    def of(part: ir.Expr) -> int:
        return fixed(e, part, local, card)

    match expr:
        case ir.Const(value):
            return value
        case ir.Local(index) if index == local:
            return card
        case ir.CardField(field, ir.Local(index), axes) if index == local:
            column_ = e.program.fields[field]
            return column_.values[card * column_.width + fixed_axes(of, axes)]
        case ir.Lookup(table, axes):
            return e.program.tables[table].values[fixed_axes(of, axes)]
        case ir.Unary("not", operand):
            return int(not of(operand))
        case ir.Unary(_, operand):
            return in_range(-of(operand))
        case ir.And(left, right):
            return int(bool(of(left) and of(right)))
        case ir.Or(left, right):
            return int(bool(of(left) or of(right)))
        case ir.Conditional(condition, then, otherwise):
            return of(then) if of(condition) else of(otherwise)
        case ir.Contains(item, held):
            return of(held) >> of(item) & 1
        case ir.Single(item):
            return 1 << of(item)
        case ir.Size(held):
            return of(held).bit_count()
        case ir.Binary(op, left, right):
            return combined(op, of(left), of(right))
        case ir.CallFunction():
            body = expanded(e, expr)
            if body is not None:
                return of(body)
    raise NotFixedError


def fixed_axes(of: Callable[[ir.Expr], int], axes: tuple[ir.Axis, ...]) -> int:
    total = 0
    for axis in axes:
        value = of(axis.index)
        if not axis.low <= value < axis.low + axis.size:
            raise NotFixedError
        total += (value - axis.low) * axis.stride
    return total


def in_range(value: int) -> int:
    if not INT_MIN <= value <= INT_MAX:
        raise NotFixedError
    return value


def combined(op: str, a: int, b: int) -> int:
    """A binary operation on known values."""
    if op in ("//", "%") and b == 0:
        raise NotFixedError
    results: dict[str, Callable[[], int]] = {
        "+": lambda: in_range(a + b),
        "-": lambda: in_range(a - b),
        "*": lambda: in_range(a * b),
        "//": lambda: in_range(a // b),
        "%": lambda: a % b,
        "min": lambda: min(a, b),
        "max": lambda: max(a, b),
        "==": lambda: int(a == b),
        "!=": lambda: int(a != b),
        "<": lambda: int(a < b),
        "<=": lambda: int(a <= b),
        ">": lambda: int(a > b),
        ">=": lambda: int(a >= b),
        "union": lambda: a | b,
        "common": lambda: a & b,
        "without": lambda: a & ~b,
    }
    return results[op]()


def expanded(e: Emitter, call: ir.CallFunction) -> ir.Expr | None:
    """The body of a small function with the arguments put in; None if it is not small or an argument is not."""
    from rulerun.run.expressions import only_value, size_of

    body = only_value(e.program, e.pool, call.function)
    if body is None or any(size_of(argument) > ARGUMENT_NODES for argument in call.arguments):
        return None
    given: dict[int, ir.Expr] = dict(enumerate(call.arguments))
    renamed: dict[int, int] = {}

    def put_in(node: Any) -> Any:
        if isinstance(node, tuple):
            return tuple(put_in(part) for part in node)
        if not is_node(node):
            return node
        if isinstance(node, ir.Local):
            if node.index in given:
                return given[node.index]
            return dataclasses.replace(node, index=fresh(node.index))
        changes: dict[str, Any] = {slot: put_in(getattr(node, slot)) for slot in node.__slots__}
        if isinstance(node, ir.Fold | ir.FilteredDomain | ir.Cover):
            changes["local"] = fresh(node.local)
        return type(node)(**changes)

    def fresh(index: int) -> int:
        if index not in renamed:
            e.pool.fresh_locals += 1
            renamed[index] = FRESH_LOCALS + e.pool.fresh_locals
        return renamed[index]

    key = ("body", call)
    if key not in e.pool.bodies:
        e.pool.bodies[key] = put_in(body)
    return e.pool.bodies[key]


# ---------------------------------------------------------------- what cannot fault


def is_total_axis(e: Emitter, axis: ir.Axis) -> bool:
    if not is_total(e, axis.index):
        return False
    if not axis.checked:
        return True
    low, high = e.range(axis.index)
    return axis.low <= low and high < axis.low + axis.size


def is_total(e: Emitter, expr: ir.Expr) -> bool:
    """Whether evaluating an expression can never fault."""
    for node in walk(expr):
        match node:
            case ir.Axis():
                low, high = e.range(node.index)
                if node.checked and not (axis_low := node.low) <= low <= high < axis_low + node.size:
                    return False
            case ir.Unary("neg") | ir.Binary("+" | "-" | "*" | "//" | "%"):
                low, high = raw_range(node, e.program, e.scope.ranges)
                if low < INT_MIN or high > INT_MAX:
                    return False
                if isinstance(node, ir.Binary) and node.op in ("//", "%"):
                    low, high = e.range(node.right)
                    if low <= 0 <= high:
                        return False
            case ir.CardField():
                if is_optional(type_of(node.card)):
                    return False
            case ir.Neighbour():
                if is_optional(type_of(node.player)):
                    return False
            case ir.ZoneEnd():
                return False
            case ir.SubsetDomain() | ir.Cover() | ir.SteppedDomain():
                return False
            case ir.NumberDomain(low_expr, high_expr):
                (a, b), (c, d) = e.range(low_expr), e.range(high_expr)
                if a != b or c != d:
                    return False
            case ir.Fold():
                if node.fuel:
                    return False
                if node.kind in (FoldKind.MIN, FoldKind.MAX, FoldKind.BEST, FoldKind.FIRST) and node.default is None:
                    return False
                if node.kind is FoldKind.SUM:
                    low, high = raw_sum_range(node, e.program, e.scope.ranges)
                    if low < INT_MIN or high > INT_MAX:
                        return False
            case ir.CallFunction():
                body = expanded(e, node)
                if body is None or not is_total(e, body):
                    return False
            case _:
                pass
    return True
