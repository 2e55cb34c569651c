"""Folds: sum, count, min, max, some, every, same, distinct, best and first, over one `for` or several."""

from __future__ import annotations

from typing import assert_never

from rulerun.check.rule_text import cost, driver, elements, fitting, simplify
from rulerun.check.rule_text.driver import expression
from rulerun.check.rule_text.typed import DomainUse, Typed, describe, is_ordered, optional
from rulerun.check.rule_text.units import Unit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import BOOL, CARD, INT, OptionalType, SetType, Type
from rulerun.syntax import nodes as syn

_KINDS = {
    "sum": ir.FoldKind.SUM,
    "count": ir.FoldKind.COUNT,
    "min": ir.FoldKind.MIN,
    "max": ir.FoldKind.MAX,
    "some": ir.FoldKind.SOME,
    "every": ir.FoldKind.EVERY,
    "same": ir.FoldKind.SAME,
    "distinct": ir.FoldKind.DISTINCT,
}


@expression(syn.Fold)
def fold(unit: Unit, node: syn.Fold) -> Typed:
    kind = _KINDS.get(node.kind.text)
    if kind is None:
        near = unit.suggestion(node.kind.text, (tuple(_KINDS),))
        unit.refuse(
            "RR0401",
            f"`{node.kind.text}` is nothing that can be done over a `for`",
            node.kind.span,
            help=f"did you mean `{near}`?" if near else f"these can: {', '.join(_KINDS)}",
        )
    if len(node.clauses) > 1 and kind in (ir.FoldKind.SAME, ir.FoldKind.DISTINCT):
        unit.refuse("RR0403", f"`{node.kind.text}` takes a single `for`", node.span)
    return _clauses(unit, node, kind, 0)


def _clauses(unit: Unit, node: syn.Fold, kind: ir.FoldKind, number: int) -> Typed:
    """The fold over clause `number` and those after it."""
    at = unit.at(node.span)
    clause = node.clauses[number]
    last = number == len(node.clauses) - 1
    domain = driver.domain_of(unit, clause.domain)
    with elements.each(unit, clause.name, domain, clause.where) as (local, where):
        inner = _value(unit, node, kind) if last else _clauses(unit, node, kind, number + 1)
    if not last:
        if kind is ir.FoldKind.COUNT:
            kind = ir.FoldKind.SUM
        if kind in (ir.FoldKind.MIN, ir.FoldKind.MAX):
            where = _guard(where, inner.expr)
    default = None
    if node.default is not None and number == 0:
        default = driver.expect(unit, node.default, inner.type, "after `or else`")
    type_ = _result(kind, inner.type)
    value = None if kind is ir.FoldKind.COUNT else inner.expr
    result = ir.Fold(kind, local, domain.domain, where, value, default, type_, at)
    cost.check(unit, result, clause, domain)
    return Typed(result, type_)


def _guard(where: ir.Expr | None, inner: ir.Expr) -> ir.Expr:
    """An outer element counts only if the inner fold runs over something."""
    assert isinstance(inner, ir.Fold)
    any_ = ir.Fold(ir.FoldKind.SOME, inner.local, inner.domain, inner.where, simplify.TRUE, None, BOOL, inner.at)
    return any_ if where is None else simplify.both(where, any_)


def _value(unit: Unit, node: syn.Fold, kind: ir.FoldKind) -> Typed:
    word = node.kind.text
    match kind:
        case ir.FoldKind.SUM:
            return Typed(driver.expect(unit, node.value, INT, f"in `{word}`"), INT)
        case ir.FoldKind.SOME | ir.FoldKind.EVERY:
            return Typed(driver.expect(unit, node.value, BOOL, f"in `{word}`"), BOOL)
        case ir.FoldKind.COUNT:
            typed = driver.lower(unit, node.value)
            if typed.type == BOOL:
                unit.refuse(
                    "RR0403",
                    "`count` counts the elements, whether this is true or not",
                    node.value.span,
                    help=f"put the condition last: `count({node.clauses[-1].name.text} for … where "
                    f"{source_text(node.value.span)})`",
                )
            return Typed(typed.expr, INT)
        case ir.FoldKind.MIN | ir.FoldKind.MAX:
            typed = driver.lower(unit, node.value)
            if not is_ordered(typed.type):
                unit.refuse(
                    "RR0403",
                    f"`{word}` is for numbers and ordered types, and `{source_text(node.value.span)}` is "
                    f"{describe(typed.type)}",
                    node.value.span,
                )
            return typed
        case ir.FoldKind.SAME | ir.FoldKind.DISTINCT:
            typed = driver.lower(unit, node.value)
            if isinstance(typed.type, SetType):
                unit.refuse("RR0403", f"`{word}` compares single values, not sets", node.value.span)
            return typed
        case ir.FoldKind.SET | ir.FoldKind.BEST | ir.FoldKind.FIRST:
            raise AssertionError(f"{kind} has a form of its own")
        case _:
            assert_never(kind)


def _result(kind: ir.FoldKind, value: Type) -> Type:
    match kind:
        case ir.FoldKind.SUM | ir.FoldKind.COUNT | ir.FoldKind.DISTINCT:
            return INT
        case ir.FoldKind.SOME | ir.FoldKind.EVERY | ir.FoldKind.SAME:
            return BOOL
        case ir.FoldKind.MIN | ir.FoldKind.MAX:
            return value
        case ir.FoldKind.SET | ir.FoldKind.BEST | ir.FoldKind.FIRST:
            raise AssertionError(f"{kind} has a form of its own")
        case _:
            assert_never(kind)


@expression(syn.Best)
def best(unit: Unit, node: syn.Best) -> Typed:
    domain = _ordered_domain(unit, node.domain, "best")
    with elements.each(unit, node.name, domain, node.where) as (local, where):
        value = driver.lower(unit, node.by)
    if not is_ordered(value.type):
        unit.refuse(
            "RR0403",
            f"`best … by` wants a number, and `{source_text(node.by.span)}` is {describe(value.type)}",
            node.by.span,
        )
    return _element(unit, node, ir.FoldKind.BEST, local, domain, where, value.expr)


@expression(syn.First)
def first(unit: Unit, node: syn.First) -> Typed:
    domain = _ordered_domain(unit, node.domain, "first")
    local, where = elements.tested(unit, node.name, domain, node.where)
    return _element(unit, node, ir.FoldKind.FIRST, local, domain, where, None)


def _ordered_domain(unit: Unit, node: syn.Expr, word: str) -> DomainUse:
    domain = driver.domain_of(unit, node)
    if domain.undrawn:
        assert domain.source is not None
        unit.refuse(
            "RR0516",
            f"`{domain.source.symbol.name}` is shuffled: its cards have no order yet that `{word}` could follow",
            node.span,
            help="draw cards from it first",
        )
    return domain


def _element(
    unit: Unit,
    node: syn.Best | syn.First,
    kind: ir.FoldKind,
    local: int,
    domain: DomainUse,
    where: ir.Expr | None,
    value: ir.Expr | None,
) -> Typed:
    type_: Type = domain.element
    default = None
    if node.default is not None:
        given = driver.lower(unit, node.default, type_)
        if given.nothing or isinstance(given.type, OptionalType):
            type_ = optional(type_)
        if not given.nothing:
            fitting.check(unit, given, type_, node.default.span, "after `or else`")
        default = given.expr
    result = ir.Fold(kind, local, domain.domain, where, value, default, type_, unit.at(node.span))
    cost.check(unit, result, syn.Clause(node.name, node.domain, node.where, node.span), domain)
    return Typed(result, type_, domain.source if domain.element == CARD else None)
