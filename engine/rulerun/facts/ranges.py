"""The range that a number stays in, known before the game runs.

A check that a range makes needless is left out: most sums of a card game are of counts and printed values.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulerun.facts.domains import domain_size
from rulerun.ir import nodes as ir
from rulerun.ir.arithmetic import PARTIAL, power
from rulerun.ir.program import Program
from rulerun.ir.types import INT_MAX, INT_MIN, BoolType, CardType, EnumType, OptionalType, PlayerType, Type
from rulerun.ir.typing import element_type, type_of

Range = tuple[int, int]
WHOLE: Range = (INT_MIN, INT_MAX)
WIDEST: Range = (INT_MIN * 2**31, INT_MAX * 2**31)


def of_type(type_: Type, program: Program) -> Range:
    """The range that a type alone gives."""
    match type_:
        case BoolType():
            return 0, 1
        case EnumType():
            return 0, max(0, len(type_.values) - 1)
        case PlayerType():
            return 0, program.players - 1
        case CardType():
            return 0, max(0, program.card_count - 1)
        case OptionalType(inner):
            return -1, of_type(inner, program)[1]
        case _:
            return WHOLE


def range_of(expr: ir.Expr, program: Program, known: Mapping[int, Range]) -> Range:
    """Bounds of an int expression; ``known`` holds those of locals. Of what is no number: of its type."""

    def of(part: ir.Expr) -> Range:
        return range_of(part, program, known)

    match expr:
        case ir.Const(value):
            return value, value
        case ir.Local(index):
            return known.get(index, of_type(expr.type, program))
        case ir.Unary("neg") | ir.Binary("+" | "-" | "*" | "**"):
            return within(*raw_range(expr, program, known))
        case ir.Binary("min", left, right):
            (a, b), (c, d) = of(left), of(right)
            return min(a, c), min(b, d)
        case ir.Binary("max", left, right):
            (a, b), (c, d) = of(left), of(right)
            return max(a, c), max(b, d)
        case ir.Binary("%", _, ir.Const(value)) if value > 0:
            return 0, value - 1
        case ir.Conditional(_, then, otherwise):
            (a, b), (c, d) = of(then), of(otherwise)
            return min(a, c), max(b, d)
        case ir.Size() | ir.ZoneCount() | ir.UndrawnCount() | ir.SnapshotCount():
            return 0, 1_024
        case ir.CardField(field):
            values = program.fields[field].values
            return (min(values), max(values)) if values else (0, 0)
        case ir.Lookup(table):
            values = program.tables[table].values
            return (min(values), max(values)) if values else (0, 0)
        case ir.Fold(kind) if kind in (ir.FoldKind.COUNT, ir.FoldKind.DISTINCT):
            return 0, INT_MAX
        case ir.Fold():
            return fold_range(expr, program, known)
        case _:
            return of_type(type_of(expr), program)


def element_range(domain: ir.Domain, program: Program, known: Mapping[int, Range]) -> Range:
    """Bounds of a domain's elements."""
    match domain:
        case ir.NumberDomain(low, high):
            return range_of(low, program, known)[0], range_of(high, program, known)[1]
        case ir.SteppedDomain(low, high, step):
            first, last = range_of(low, program, known), range_of(high, program, known)
            return (first[0], last[1]) if step > 0 else (last[0], first[1])
        case ir.FilteredDomain():
            return element_range(domain.domain, program, known)
        case _:
            return of_type(element_type(domain), program)


def raw_range(expr: ir.Binary | ir.Unary, program: Program, known: Mapping[int, Range]) -> Range:
    """As `range_of` for an operator of `CHECKED` or a negation, but before the check cuts it to a word."""
    match expr:
        case ir.Unary(_, operand):
            low, high = range_of(operand, program, known)
            return -high, -low
        case ir.Binary(op, left, right):
            (a, b), (c, d) = range_of(left, program, known), range_of(right, program, known)
            if op == "+":
                return a + c, b + d
            if op == "-":
                return a - d, b - c
            if op == "*":
                products = (a * c, a * d, b * c, b * d)
                return min(products), max(products)
            if op == "//":
                return (min(a, 0), max(b, 0)) if c > 0 else WIDEST
            return _power_range((a, b), (max(c, 0), max(d, 0))) if op == "**" else WHOLE


def _power_range(base: Range, exponent: Range) -> Range:
    """Bounds of a power whose exponent is at least 0."""
    (a, b), (c, d) = base, exponent
    if a < 0:
        most = max(1, power(max(-a, b), d))
        return -most, most
    return min(power(a, c), power(a, d)), max(power(b, c), power(b, d))


def is_always_defined(op: str, right: Range) -> bool:
    """Whether an operator has a value for all right operands in a range."""
    return right[0] >= 0 if op == "**" else op not in PARTIAL or not right[0] <= 0 <= right[1]


def fold_range(fold: ir.Fold, program: Program, known: Mapping[int, Range]) -> Range:
    """Bounds of a sum, least or greatest value over a domain whose size is bounded."""
    if fold.value is None or fold.kind not in (ir.FoldKind.SUM, ir.FoldKind.MIN, ir.FoldKind.MAX):
        return of_type(fold.type, program)
    inner = dict(known)
    inner[fold.local] = of_type(element_type(fold.domain), program)
    if fold.kind is ir.FoldKind.SUM:
        return within(*raw_sum_range(fold, program, known))
    low, high = range_of(fold.value, program, inner)
    if fold.default is not None:
        a, b = range_of(fold.default, program, known)
        low, high = min(low, a), max(high, b)
    return low, high


def raw_sum_range(fold: ir.Fold, program: Program, known: Mapping[int, Range]) -> Range:
    """Bounds of a sum before the check cuts it to a word."""
    assert fold.value is not None
    inner = dict(known)
    inner[fold.local] = of_type(element_type(fold.domain), program)
    low, high = range_of(fold.value, program, inner)
    size = domain_size(fold.domain, program)
    return min(0, low * size), max(0, high * size)


def within(low: int, high: int) -> Range:
    """Cut to what a checked number can be."""
    return max(low, INT_MIN), min(high, INT_MAX)
