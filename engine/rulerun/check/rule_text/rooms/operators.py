"""Arithmetic, comparison and logic."""

from __future__ import annotations

from rulerun.check.declarations.types import how_to_order
from rulerun.check.rule_text import driver, fitting, narrowing, simplify
from rulerun.check.rule_text.driver import expression
from rulerun.check.rule_text.typed import Typed, bare, describe, is_ordered
from rulerun.check.rule_text.units import Unit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import BOOL, CARD, CARDS, INT, NONE, EnumType, OptionalType, SetType
from rulerun.syntax import nodes as syn


@expression(syn.Negate)
def negated(unit: Unit, node: syn.Negate) -> Typed:
    return Typed(simplify.minus(driver.expect(unit, node.operand, INT), unit.at(node.span)), INT)


@expression(syn.Not)
def opposite(unit: Unit, node: syn.Not) -> Typed:
    return Typed(simplify.negation(driver.condition(unit, node.operand), unit.at(node.span)), BOOL)


@expression(syn.And)
def both(unit: Unit, node: syn.And) -> Typed:
    left = driver.condition(unit, node.left)
    with unit.narrowed(narrowing.by(node.left)[0]):
        right = driver.condition(unit, node.right)
    return Typed(simplify.both(left, right), BOOL)


@expression(syn.Or)
def either(unit: Unit, node: syn.Or) -> Typed:
    left = driver.condition(unit, node.left)
    with unit.narrowed(narrowing.by(node.left)[1]):
        right = driver.condition(unit, node.right)
    return Typed(simplify.either(left, right), BOOL)


@expression(syn.Arithmetic)
def arithmetic(unit: Unit, node: syn.Arithmetic) -> Typed:
    left = driver.lower(unit, node.left, INT)
    right = driver.lower(unit, node.right, INT)
    if isinstance(left.type, SetType) and isinstance(right.type, SetType) and node.op in "+-":
        word = "union" if node.op == "+" else "without"
        unit.refuse("RR0403", f"`{node.op}` is for numbers", node.span, help=f"sets are put together with `{word}`")
    fitting.check(unit, left, INT, node.left.span, f"before `{node.op}`")
    fitting.check(unit, right, INT, node.right.span, f"after `{node.op}`")
    if node.op in ("//", "%") and isinstance(right.expr, ir.Const) and right.expr.value == 0:
        unit.refuse("RR0412", "division by zero", node.span)
    if node.op == "**" and isinstance(right.expr, ir.Const) and right.expr.value < 0:
        fraction = f"an exponent of {right.expr.value} gives no whole number"
        unit.refuse("RR0412", fraction, node.span, help="keep the exponent at 0 or more")
    result = simplify.binary(node.op, left.expr, right.expr, INT, unit.at(node.span))
    return Typed(result, INT, secret=left.secret or right.secret)


def _pair(unit: Unit, first: syn.Expr, second: syn.Expr) -> tuple[Typed, Typed]:
    """Two expressions that should have one type: the one that says more is read first."""
    if fitting.leaves_type_open(unit, first) and not fitting.leaves_type_open(unit, second):
        right = driver.lower(unit, second)
        return driver.lower(unit, first, right.type), right
    left = driver.lower(unit, first)
    return left, driver.lower(unit, second, None if left.nothing else left.type)


@expression(syn.Compare)
def compare(unit: Unit, node: syn.Compare) -> Typed:
    left, right = _pair(unit, node.left, node.right)
    at = unit.at(node.span)
    if node.op in ("==", "!="):
        _check_equal(unit, node, left, right)
    else:
        _check_ordered(unit, node, left, right)
    return Typed(simplify.binary(node.op, left.expr, right.expr, BOOL, at), BOOL)


def _check_equal(unit: Unit, node: syn.Compare, left: Typed, right: Typed) -> None:
    for none, other, span in ((left, right, node.right.span), (right, left, node.left.span)):
        if _is_none(none) and not _is_none(other) and not isinstance(other.type, OptionalType):
            unit.refuse(
                "RR0411",
                f"`{source_text(span)}` is {describe(other.type)} and never none",
                node.span,
                help="only what is declared `… or none` can be none",
            )
    if left.nothing or right.nothing or bare(left.type) == bare(right.type):
        return
    help_ = None
    if {left.type, right.type} == {CARD, CARDS}:
        help_ = "is the card among them? use `in`"
    for one, other, text in ((left, right, node.left), (right, left, node.right)):
        if bare(one.type) == CARD and isinstance(other.type, EnumType):
            near = [f.name for f in unit.symbols.fields.values() if f.value == other.type]
            if near:
                help_ = f"compare a field of the card: `{source_text(text.span)}.{near[0]}`"
    unit.refuse(
        "RR0411",
        f"{describe(left.type)} is never equal to {describe(right.type)}",
        node.span,
        help=help_,
    )


def _is_none(typed: Typed) -> bool:
    return typed.nothing or (isinstance(typed.expr, ir.Const) and typed.expr.value == NONE and typed.type != INT)


def _check_ordered(unit: Unit, node: syn.Compare, left: Typed, right: Typed) -> None:
    for typed, side in ((left, node.left), (right, node.right)):
        if isinstance(typed.type, EnumType) and not typed.type.ordered:
            unit.refuse(
                "RR0411",
                f"the values of `{typed.type.name}` have no order, so `{node.op}` means nothing for them",
                node.span,
                help=how_to_order(typed.type),
            )
        if isinstance(typed.type, OptionalType) and is_ordered(typed.type.inner):
            fitting.check(unit, typed, typed.type.inner, side.span, f"beside `{node.op}`")
        if typed.type == CARDS:
            text = source_text(side.span)
            unit.refuse(
                "RR0411",
                f"`{node.op}` compares numbers, and `{text}` is a set of cards",
                side.span,
                help=f"`count({text})`",
            )
        if not is_ordered(typed.type):
            unit.refuse(
                "RR0411",
                f"`{node.op}` compares numbers, and `{source_text(side.span)}` is {describe(typed.type)}",
                side.span,
            )
    if left.type != right.type:
        unit.refuse("RR0411", f"{describe(left.type)} cannot be compared with {describe(right.type)}", node.span)
