"""What is said and shown: `reveal`, `show`, `tell P whether …`, `note`."""

from __future__ import annotations

from rulerun.check.rule_text import drawing, driver, elements, operands, simplify, sources, templates
from rulerun.check.rule_text.driver import effect
from rulerun.check.rule_text.typed import DomainUse, ZoneUse
from rulerun.check.rule_text.units import Observer, ProcedureUnit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import BOOL, CARD
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn


@effect(syn.Say)
def say(unit: ProcedureUnit, node: syn.Say) -> None:
    with unit.shown_to(Observer(None, "a note")):
        parts = templates.template(unit, node.text)
    unit.flow.op(ir.Announce(ir.Label(parts), unit.at(node.span)))


@effect(syn.Reveal)
def reveal(unit: ProcedureUnit, node: syn.Reveal) -> None:
    _show(unit, node.what, None, node.span)


@effect(syn.Show)
def show(unit: ProcedureUnit, node: syn.Show) -> None:
    _show(unit, node.what, elements.audience(unit, node.to, "after `to`"), node.span)


def _show(unit: ProcedureUnit, node: syn.Expr, to: ir.Expr | None, span: Span) -> None:
    for cards, drawn in operands.card_sets(unit, node, "to be seen", unit.at(span)):
        unit.flow.op(ir.Reveal(cards, to, unit.at(span)))
        unit.clear(drawn)


@effect(syn.Tell)
def tell(unit: ProcedureUnit, node: syn.Tell) -> None:
    """One fact, ``tell p whether E``, or one for each card of a zone, ``tell p whether (E for c in hand[p])``."""
    at = unit.at(node.span)
    to = elements.audience(unit, node.to, "after `tell`")
    fact = node.fact
    if not isinstance(fact, syn.Generator):
        unit.flow.op(ir.Inform(to, None, 0, driver.expect(unit, fact, BOOL, "after `whether`"), at))
        return
    clause = fact.clauses[0]
    if len(fact.clauses) > 1 or clause.where is not None:
        unit.refuse(
            "RR0403",
            "a fact is told about each card of one zone, without a `where`",
            node.span,
            help="put the condition before `for`: `tell p whether (A and B for c in hand[p])`",
        )
    source = sources.named(unit, clause.domain)
    whole = source.use if isinstance(source, sources.Board) and source.single else None
    zones = sources.zones_of(unit, source) if source is not None else ()
    if whole is None and len(zones) != 1:
        _refuse_others(unit, clause)
    use = whole or zones[0]
    drawing.draw_all(unit, use, at)
    cards = DomainUse(ir.ZoneDomain(use.ref), CARD, use, unit.symbols.card_count)
    with elements.each(unit, clause.name, cards, None) as (local, _):
        test = driver.expect(unit, fact.value, BOOL, "after `whether`")
    if whole is None:
        unit.flow.op(ir.Inform(to, use.ref, local, test, at))
        return
    for place in zones:
        with unit.flow.if_(_holds_cards(place, at)):
            unit.flow.op(ir.Inform(to, place.ref, local, test, at))


def _refuse_others(unit: ProcedureUnit, clause: syn.Clause) -> None:
    elements.refuse_unknown(unit, clause.domain)
    unit.refuse(
        "RR0403",
        f"facts are told about the cards of a zone, and `{source_text(clause.domain.span)}` is none",
        clause.domain.span,
    )


def _holds_cards(use: ZoneUse, at: int) -> ir.Expr:
    return ir.Binary(">", ir.ZoneCount(use.ref), simplify.number(0), BOOL, at)
