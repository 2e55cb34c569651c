"""What is known of an expression before the game runs: its value for every card, that it never faults, that a call is
the same as an expression.

Imports the IR and `ranges`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from rulerun.facts.ranges import Range, is_always_defined, range_of, raw_range, raw_sum_range
from rulerun.ir import arithmetic
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import FoldKind
from rulerun.ir.program import Function, Program
from rulerun.ir.traverse import Ways, is_node, targets_of, walk
from rulerun.ir.types import INT_MAX, INT_MIN
from rulerun.ir.typing import is_optional, type_of

EXPANDED: Final = 200
"""Nodes of a function that a call of it may be replaced by."""
GIVEN: Final = 6
"""Nodes of an argument that may be put in wherever the parameter stands."""
FRESH: Final = 1_000_000
"""From here on the locals of functions put in place of calls are numbered, until `renamed`."""

T = TypeVar("T")


class NotKnownError(Exception):
    """The value depends on more than the card, or would be a fault."""


class Known:
    """What is known in one place of a program; ``ranges`` are those of the locals there."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.ranges: dict[int, Range] = {}
        self._fresh = FRESH
        self._columns: dict[tuple[ir.Expr, int], tuple[int, ...] | None] = {}
        self._values: dict[int, ir.Expr | None] = {}
        self._bodies: dict[ir.CallFunction, ir.Expr | None] = {}

    def bind(self, local: int, range_: Range | None) -> None:
        self.ranges.pop(local, None)
        if range_ is not None:
            self.ranges[local] = range_

    # ------------------------------------------------------------------ values

    def column(self, expr: ir.Expr, local: int) -> tuple[int, ...] | None:
        """The value of an expression for every card that ``local`` may hold; None if it depends on anything else."""
        key = expr, local
        if key not in self._columns:
            try:
                self._columns[key] = tuple(self._value(expr, local, card) for card in range(self.program.card_count))
            except NotKnownError:
                self._columns[key] = None
        return self._columns[key]

    def _value(self, expr: ir.Expr, local: int, card: int) -> int:
        """The value of an expression for one card."""

        def of(part: ir.Expr) -> int:
            return self._value(part, local, card)

        match expr:
            case ir.Const(value):
                return value
            case ir.Local(index) if index == local:
                return card
            case ir.CardField(field, ir.Local(index), axes) if index == local:
                column = self.program.fields[field]
                return column.values[card * column.width + _offset(of, axes)]
            case ir.Lookup(table, axes):
                return self.program.tables[table].values[_offset(of, axes)]
            case ir.Unary(op, operand):
                return _sure(arithmetic.unary(op, of(operand)))
            case ir.Binary(op, left, right):
                return _sure(arithmetic.binary(op, of(left), of(right)))
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
            case ir.CallFunction():
                body = self.expanded(expr)
                if body is not None:
                    return of(body)
        raise NotKnownError

    # ------------------------------------------------------------ what is quiet

    def is_quiet(self, part: ir.Expr | ir.Axis) -> bool:
        """Whether evaluating a part can never fault, and burns no fuel. A fold that is said by sets is as they are."""
        waiting: list[Any] = [part]
        while waiting:
            node = waiting.pop()
            if isinstance(node, tuple):
                waiting += node
            elif isinstance(node, ir.Fold) and node.sets is not None:
                waiting.append(node.sets)
            elif is_node(node):
                if not self._is_quiet(node):
                    return False
                waiting += [getattr(node, slot) for slot in type(node).__slots__]
        return True

    def _is_quiet(self, node: Any) -> bool:
        match node:
            case ir.Axis(index, low, size, _, checked):
                least, most = self.range(index)
                return not checked or low <= least <= most < low + size
            case ir.Binary(op) if op not in arithmetic.CHECKED:
                return True
            case ir.Unary("neg") | ir.Binary():
                least, most = raw_range(node, self.program, self.ranges)
                fits = least >= INT_MIN and most <= INT_MAX
                if isinstance(node, ir.Binary) and node.op in arithmetic.PARTIAL:
                    return fits and is_always_defined(node.op, self.range(node.right))
                return fits
            case ir.CardField(card=whose) | ir.Neighbour(player=whose):
                return not is_optional(type_of(whose))
            case ir.ZoneEnd() | ir.SubsetDomain() | ir.Cover() | ir.SteppedDomain():
                return False
            case ir.NumberDomain(low, high):
                return isinstance(low, ir.Const) and isinstance(high, ir.Const)
            case ir.Fold(kind, default=default, fuel=fuel):
                if fuel or (default is None and kind in (FoldKind.MIN, FoldKind.MAX, FoldKind.BEST, FoldKind.FIRST)):
                    return False
                if kind is not FoldKind.SUM:
                    return True
                least, most = raw_sum_range(node, self.program, self.ranges)
                return least >= INT_MIN and most <= INT_MAX
            case ir.CallFunction():
                body = self.expanded(node)
                return body is not None and self.is_quiet(body)
            case _:
                return True

    def range(self, expr: ir.Expr) -> Range:
        return range_of(expr, self.program, self.ranges)

    # ------------------------------------------------------------------- calls

    def expanded(self, call: ir.CallFunction) -> ir.Expr | None:
        """A call of a small function as its body with the arguments put in; None if the one or the others are not
        small. What the body binds gets locals from `FRESH` on."""
        if call not in self._bodies:
            self._bodies[call] = self._expanded(call)
        return self._bodies[call]

    def _expanded(self, call: ir.CallFunction) -> ir.Expr | None:
        if call.function not in self._values:
            self._values[call.function] = as_expression(self.program.functions[call.function])
        body = self._values[call.function]
        if body is None or any(_size(argument) > GIVEN for argument in call.arguments):
            return None
        fresh: dict[int, int] = {}
        for node in walk(body):
            if isinstance(node, ir.Fold | ir.FilteredDomain | ir.Cover) and node.local not in fresh:
                fresh[node.local] = self._fresh
                self._fresh += 1
        return renamed(body, fresh, dict(enumerate(call.arguments)))


def as_expression(function: Function) -> ir.Expr | None:
    """What a function gives, as one expression; None if it sets locals, may fail, burns fuel or is not small."""
    blocks = function.blocks
    if any(block.ops or block.fuel for block in blocks) or Ways([targets_of(block.end) for block in blocks], [0]).heads:
        return None
    left = EXPANDED

    def value(number: int) -> ir.Expr | None:
        nonlocal left
        left -= 1
        match blocks[number].end:
            case ir.Return(_, given):
                return given
            case ir.Jump(to):
                return value(to) if left > 0 else None
            case ir.Branch(condition, then, otherwise) if left > 0:
                first, second = value(then), value(otherwise)
                if first is None or second is None:
                    return None
                return ir.Conditional(condition, first, second, function.result)
            case _:
                return None

    body = value(0)
    return body if body is not None and _size(body) <= EXPANDED else None


# --------------------------------------------------------------------- expressions


def reads(expr: ir.Expr, local: int) -> bool:
    """Whether an expression reads a local."""
    return any(isinstance(node, ir.Local) and node.index == local for node in walk(expr))


def flattened(expr: ir.Expr, kind: type[ir.And] | type[ir.Or]) -> list[ir.Expr]:
    """The parts of a chain of `and` (or of `or`), in order."""
    if isinstance(expr, kind):
        return flattened(expr.left, kind) + flattened(expr.right, kind)
    return [expr]


def chain(parts: Sequence[ir.Expr], kind: type[ir.And] | type[ir.Or] = ir.And) -> ir.Expr:
    """The chain of such parts."""
    result = parts[0]
    for part in parts[1:]:
        result = kind(result, part)
    return result


def renamed(node: T, names: Mapping[int, int], given: Mapping[int, ir.Expr] | None = None) -> T:
    """A part of the IR with other numbers of locals, or (``given``) expressions in place of some."""
    made: Any = node
    if isinstance(node, tuple):
        made = tuple(renamed(part, names, given) for part in node)
    elif isinstance(node, ir.Local):
        if node.index in names:
            made = replace(node, index=names[node.index])
        elif given is not None:
            made = given.get(node.index, node)
    elif is_node(node):
        slots = type(node).__slots__  # type: ignore[attr-defined]
        parts = {slot: renamed(getattr(node, slot), names, given) for slot in slots}
        if isinstance(node, ir.Fold | ir.FilteredDomain | ir.Cover):
            parts["local"] = names.get(node.local, node.local)
        made = type(node)(**parts)
    return made  # type: ignore[no-any-return]


def _size(expr: ir.Expr) -> int:
    return sum(1 for _ in walk(expr))


def _sure(value: int | None) -> int:
    if value is None:
        raise NotKnownError
    return value


def _offset(of: Callable[[ir.Expr], int], axes: tuple[ir.Axis, ...]) -> int:
    total = 0
    for axis in axes:
        value = of(axis.index)
        if not axis.low <= value < axis.low + axis.size:
            raise NotKnownError
        total += (value - axis.low) * axis.stride
    return total
