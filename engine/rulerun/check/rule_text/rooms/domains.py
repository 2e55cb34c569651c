"""Domains: what folds, loops and choices run over: a zone, a set, an enum, numbers, players in an order, generators."""

from __future__ import annotations

from rulerun.check.rule_text import driver, elements, narrowing, simplify
from rulerun.check.rule_text.driver import any_other_domain, domain, expression
from rulerun.check.rule_text.narrowing import Fact, Says
from rulerun.check.rule_text.typed import DomainUse, Typed, describe
from rulerun.check.rule_text.units import Unit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import CARD, INT, PLAYER, CardType, EnumType, PlayerType, SetType, Type
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn

_MANY_NUMBERS = 100
"""How many numbers a range with unknown ends is taken to hold, for estimates."""


@domain(syn.Range)
def numbers(unit: Unit, node: syn.Range, _wanted: Type | None) -> DomainUse:
    low = driver.expect(unit, node.low, INT, "as the lower end")
    high = driver.expect(unit, node.high, INT, "as the upper end")
    if node.step is not None:
        return _stepped(unit, node, low, high)
    size = _MANY_NUMBERS
    if isinstance(low, ir.Const) and isinstance(high, ir.Const):
        size = max(0, high.value - low.value + 1)
        if size == 0 and isinstance(node.low, syn.Int) and isinstance(node.high, syn.Int):
            unit.refuse(
                "RR0412",
                f"{low.value}..{high.value} holds no number",
                node.span,
                help=f"write {high.value}..{low.value}",
            )
    return DomainUse(ir.NumberDomain(low, high), INT, None, size)


def _stepped(unit: Unit, node: syn.Range, low: ir.Expr, high: ir.Expr) -> DomainUse:
    """``7..1 by -2``"""
    assert node.step is not None
    step = driver.expect(unit, node.step, INT, "as the step")
    if not isinstance(step, ir.Const) or step.value == 0:
        what = "0 leads nowhere" if isinstance(step, ir.Const) else "its sign says which way the numbers go"
        unit.refuse("RR0412", f"a step is a number that is known beforehand, and not 0: {what}", node.step.span)
    size = _MANY_NUMBERS
    if isinstance(low, ir.Const) and isinstance(high, ir.Const):
        size = len(range(low.value, high.value + (1 if step.value > 0 else -1), step.value))
        if size == 0 and isinstance(node.low, syn.Int) and isinstance(node.high, syn.Int):
            unit.refuse(
                "RR0412",
                f"{low.value}..{high.value} by {step.value} holds no number",
                node.span,
                help=f"write {low.value}..{high.value} by {-step.value}",
            )
    return DomainUse(ir.SteppedDomain(low, high, step.value), INT, None, size)


def _seats(unit: Unit, node: syn.Seats) -> ir.SeatDomain:
    of = driver.expect(unit, node.domain, SetType(PLAYER), f"before `{node.how}`")
    start = driver.expect(unit, node.player, PLAYER, f"after `{node.how}`")
    return ir.SeatDomain(of, start, node.how == "starting with", node.how == "before")


@domain(syn.Seats)
def seats(unit: Unit, node: syn.Seats, _wanted: Type | None) -> DomainUse:
    return DomainUse(_seats(unit, node), PLAYER, None, unit.symbols.players)


@domain(syn.Players)
def players(unit: Unit, _node: syn.Players, _wanted: Type | None) -> DomainUse:
    return DomainUse(ir.SetDomain(ir.PlayersIn()), PLAYER, None, unit.symbols.players)


@domain(syn.Generator)
def generated(unit: Unit, node: syn.Generator, wanted: Type | None) -> DomainUse:
    if not elements.is_filter(node):
        return elements.members(unit, node, wanted)
    clause = node.clauses[0]
    inner = driver.domain_of(unit, clause.domain)
    return elements.filtered(unit, inner, clause.name, clause.where)


@any_other_domain
def members(unit: Unit, node: syn.Expr, wanted: Type | None) -> DomainUse:
    return elements.members(unit, node, wanted)


# -------------------------------------------------------------------- as set values


@expression(syn.Seats)
def seats_as_set(unit: Unit, node: syn.Seats) -> Typed:
    """Players in an order, without the order."""
    order, type_ = _seats(unit, node), SetType(PLAYER)
    if order.inclusive:
        return Typed(order.of, type_)
    alone = simplify.single(order.start, type_)
    return Typed(simplify.binary("without", order.of, alone, type_, unit.at(node.span)), type_)


@expression(syn.Generator)
def generated_set(unit: Unit, node: syn.Generator) -> Typed:
    """``(E for x in D where C)``"""
    at = unit.at(node.span)
    if len(node.clauses) != 1:
        unit.refuse(
            "RR0403", "a set is made with a single `for` here", node.span, help="put two sets together with `union`"
        )
    clause = node.clauses[0]
    over = driver.domain_of(unit, clause.domain)
    with elements.each(unit, clause.name, over, clause.where) as (local, where):
        value = driver.lower(unit, node.value)
    of = _set_element(unit, value, node.value.span)
    fold = ir.Fold(ir.FoldKind.SET, local, over.domain, where, value.expr, None, SetType(of), at)
    open_name = Fact(node.value.text, Says.OPEN) if isinstance(node.value, syn.Name) else None
    all_open = open_name in narrowing.holding(clause.where)  # whoever sees the other cards
    return Typed(fold, SetType(of), over.source if of == CARD and not all_open else None)


def _set_element(unit: Unit, value: Typed, span: Span) -> Type:
    if not isinstance(value.type, EnumType | PlayerType | CardType):
        unit.refuse(
            "RR0403",
            f"a set holds values of a type, players or cards, and `{source_text(span)}` is {describe(value.type)}",
            span,
        )
    return value.type
