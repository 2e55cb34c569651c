"""Zones as values: `top of Z` where no chance may happen, `all of Z`."""

from __future__ import annotations

from rulerun.check.rule_text import driver, fitting, sources
from rulerun.check.rule_text.driver import expression
from rulerun.check.rule_text.typed import Typed, ZoneUse
from rulerun.check.rule_text.units import Unit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import CARD, CARDS, INT
from rulerun.syntax import nodes as syn


@expression(syn.End)
def end_in_expression(unit: Unit, node: syn.End) -> Typed:
    """``top of Z`` where no chance may happen."""
    use = sources.one(unit, node.zone, f"after `{node.which} of`")
    text = source_text(node.span)
    if node.count is not None:
        return _top_cards(unit, node, use)
    if sources.is_undrawn(unit, use):
        unit.refuse(
            "RR0502",
            f"`{use.symbol.name}` is shuffled, so chance decides what `{text}` is: not inside an expression",
            node.span,
            help=f"write `let c = {text}` on a line of its own, and then use `c`",
        )
    return Typed(ir.ZoneEnd(use.ref, sources.end_of(use.symbol.kind, node.which), unit.at(node.span)), CARD, use)


def _top_cards(unit: Unit, node: syn.End, use: ZoneUse) -> Typed:
    """``top 3 of Z`` as a set of cards."""
    assert node.count is not None
    symbol, text = use.symbol, source_text(node.span)
    sources.want_order(unit, symbol, node.span)
    if sources.is_undrawn(unit, use):
        unit.refuse(
            "RR0502",
            f"`{symbol.name}` is shuffled, so chance decides what `{text}` are: not inside an expression",
            node.span,
            help="move, deal, reveal or show them, or choose from them",
        )
    count = driver.expect(unit, node.count, INT, f"after `{node.which}`")
    expr = ir.ZoneTop(use.ref, sources.end_of(symbol.kind, node.which), count, unit.at(node.span))
    return Typed(expr, CARDS, use)


@expression(syn.AllOf)
def all_cards(unit: Unit, node: syn.AllOf) -> Typed:
    """``all of Z`` as a set of cards."""
    source = sources.named(unit, node)
    if source is not None:
        return sources.cards_of(unit, source, unit.at(node.span))
    typed = driver.lower(unit, node.zone, CARDS)
    fitting.check(unit, typed, CARDS, node.zone.span, "after `all of`")
    return typed
