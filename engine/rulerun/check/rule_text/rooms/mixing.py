"""Cards that come together in no order: `shuffle`, `collect`, `shuffle … into`."""

from __future__ import annotations

from typing import assert_never

from rulerun.check.rule_text import operands, sources
from rulerun.check.rule_text.drawing import Top
from rulerun.check.rule_text.driver import effect
from rulerun.check.rule_text.operands import CardSet, OneCard, Zones
from rulerun.check.rule_text.typed import ZoneUse
from rulerun.check.rule_text.units import ProcedureUnit
from rulerun.ir import nodes as ir
from rulerun.syntax import nodes as syn


@effect(syn.Shuffle)
def shuffle(unit: ProcedureUnit, node: syn.Shuffle) -> None:
    use = sources.mixable(unit, node.zone, "to shuffle")
    unit.flow.op(ir.Shuffle(use.ref, unit.at(node.span)))
    unit.drop_open_facts()


@effect(syn.ShuffleInto)
def shuffle_into(unit: ProcedureUnit, node: syn.ShuffleInto) -> None:
    to = _collect(unit, node)
    unit.flow.op(ir.Shuffle(to.ref, unit.at(node.span)))
    unit.drop_open_facts()


@effect(syn.Collect)
def collect(unit: ProcedureUnit, node: syn.Collect) -> None:
    _collect(unit, node)
    unit.drop_open_facts()


def _collect(unit: ProcedureUnit, node: syn.Collect | syn.ShuffleInto) -> ZoneUse:
    """The cards come together; where."""
    flow, at = unit.flow, unit.at(node.span)
    to = sources.mixable(unit, node.to, "to collect cards in")
    if node.what is None:
        flow.op(ir.CollectAll(to.ref, at))
        return to
    what = operands.operand(unit, node.what, "to collect")
    match what:
        case Zones(zones):
            for use in zones:
                flow.op(ir.Collect(use.ref, to.ref, at))
            return to
        case OneCard(typed, drawn):
            flow.op(ir.MoveCard(typed.expr, to.ref, ir.End.HEAD, at))
            flow.op(ir.Shuffle(to.ref, at))
            unit.clear(drawn)
        case CardSet(typed):
            flow.op(ir.MoveCards(typed.expr, to.ref, ir.End.HEAD, at))
            flow.op(ir.Shuffle(to.ref, at))
        case Top():
            operands.take(unit, what, lambda card: flow.op(ir.MoveCard(card, to.ref, ir.End.HEAD, at)), at)
            flow.op(ir.Shuffle(to.ref, at))
        case _:
            assert_never(what)
    return to
