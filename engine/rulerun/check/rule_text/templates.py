"""Texts with ``{expression}`` in them: labels and notes, and what they may say to whom."""

from __future__ import annotations

from rulerun.check.rule_text import driver, visibility
from rulerun.check.rule_text.narrowing import Fact, Says
from rulerun.check.rule_text.typed import ZoneUse
from rulerun.check.rule_text.units import ProcedureUnit
from rulerun.ir import nodes as ir
from rulerun.ir.types import CARD, CARDS
from rulerun.syntax import nodes as syn


def template(unit: ProcedureUnit, text: syn.Template) -> tuple[str | ir.Expr, ...]:
    """The parts of a label or note."""
    return tuple(part if isinstance(part, str) else _part(unit, part) for part in text.parts)


def _part(unit: ProcedureUnit, part: syn.Expr) -> ir.Expr:
    to_all = unit.observer is not None and unit.observer.who is None
    if isinstance(part, syn.Name):
        binding = unit.scope.find(part.text)
        if binding is not None and binding.unsettled:
            assert binding.local is not None
            return ir.Local(binding.local, CARD)
        if to_all:
            _refuse_unseen(unit, part, unit.provenance.get(part.text))
    typed = driver.lower(unit, part)
    if typed.nothing:
        unit.refuse("RR0403", "`none` says nothing in a text", part.span)
    if to_all and typed.type in (CARD, CARDS):
        _refuse_unseen(unit, part, typed.source)
    return typed.expr


def _refuse_unseen(unit: ProcedureUnit, part: syn.Expr, lies_in: ZoneUse | None) -> None:
    """A text for all may not name cards that not all see, unless they have just been found to lie face up."""
    lies_open = isinstance(part, syn.Name) and Fact(part.text, Says.OPEN) in unit.facts
    if lies_in is not None and not lies_open and not visibility.may_see(unit, lies_in):
        visibility.refuse_read(unit, lies_in.symbol, part.span)
