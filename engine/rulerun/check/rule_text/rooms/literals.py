"""Values that are written down, and expressions that are no values where one is wanted."""

from __future__ import annotations

from rulerun.check.rule_text import simplify
from rulerun.check.rule_text.driver import expression, guided
from rulerun.check.rule_text.typed import Typed, can_be_none, optional
from rulerun.check.rule_text.units import Unit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import BOOL, INT, INT_MAX, NONE, PLAYER, OptionalType, SetType, Type
from rulerun.source.diagnostic import ToldError
from rulerun.syntax import nodes as syn


@expression(syn.Int)
def number(unit: Unit, node: syn.Int) -> Typed:
    if node.value > INT_MAX:
        unit.refuse("RR0412", f"{node.value} is too big: numbers end at {INT_MAX}", node.span)
    return Typed(simplify.number(node.value), INT)


@expression(syn.Bool)
def truth(_unit: Unit, node: syn.Bool) -> Typed:
    return Typed(simplify.TRUE if node.value else simplify.FALSE, BOOL)


@guided(syn.NoneValue)
def nothing(_unit: Unit, _node: syn.NoneValue, wanted: Type | None) -> Typed:
    if wanted is not None and can_be_none(wanted):
        type_ = optional(wanted)
        return Typed(ir.Const(NONE, type_), type_, nothing=wanted != type_)
    return Typed(ir.Const(NONE, OptionalType(PLAYER)), OptionalType(PLAYER), nothing=True)


@expression(syn.Players)
def players(_unit: Unit, _node: syn.Players) -> Typed:
    return Typed(ir.PlayersIn(), SetType(PLAYER))


@expression(syn.RandomOf)
def chance_inside(unit: Unit, node: syn.RandomOf) -> Typed:
    return unit.refuse(
        "RR0502",
        "chance cannot happen inside an expression",
        node.span,
        help=f"write `let x = {source_text(node.span)}` on a line of its own, and then use `x`",
    )


@expression(syn.Range)
def bare_range(unit: Unit, node: syn.Range) -> Typed:
    return unit.refuse(
        "RR0409",
        "a range of numbers is not a value",
        node.span,
        help="a range may follow `in` or `from`: `x in 1..3`, `for x in 1..3`",
    )


@expression(syn.Broken)
def broken(_unit: Unit, _node: syn.Broken) -> Typed:
    raise ToldError
