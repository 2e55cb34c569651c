"""`tell P whether …`: facts about cards, or about anything, said aloud."""

from __future__ import annotations

from rulerun.check.rule_text import card_statements, chance, domains, expressions, simplify, zone_uses
from rulerun.check.rule_text.typed import DomainUse
from rulerun.check.rule_text.unit import Unit, source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import BOOL, CARD
from rulerun.syntax import nodes as syn


def tell(unit: Unit, node: syn.Tell) -> None:
    """One fact, ``tell p whether E``, or one for each card of a zone, ``tell p whether (E for c in hand[p])``."""
    at = unit.at(node.span)
    to = card_statements.audience(unit, node.to, "after `tell`")
    fact = node.fact
    if not isinstance(fact, syn.Generator):
        unit.flow.op(ir.Inform(to, None, 0, expressions.expect(unit, fact, BOOL, "after `whether`"), at))
        return
    clause = fact.clauses[0]
    if len(fact.clauses) > 1 or clause.where is not None:
        unit.checker.refuse(
            "RR0403",
            "a fact is told about each card of one zone, without a `where`",
            node.span,
            help="put the condition before `for`: `tell p whether (A and B for c in hand[p])`",
        )
    zones = zone_uses.several(unit, clause.domain)
    whole = zone_uses.board(unit, clause.domain)
    if zones is None or (len(zones) != 1 and whole is None):
        domains.refuse_unknown(unit, clause.domain)
        unit.checker.refuse(
            "RR0403",
            f"facts are told about the cards of a zone, and `{source_text(clause.domain.span)}` is none",
            clause.domain.span,
        )
    use = whole or zones[0]
    chance.draw_all(unit, use, at)
    cards = DomainUse(ir.ZoneDomain(use.ref), CARD, use, unit.checker.symbols.card_count, is_zone=True)
    with unit.block():
        local = domains.bind_element(unit, clause.name, cards)
        test = expressions.expect(unit, fact.value, BOOL, "after `whether`")
    if whole is None:
        unit.flow.op(ir.Inform(to, use.ref, local, test, at))
        return
    for place in zones:
        some, after = unit.flow.new(), unit.flow.new()
        unit.flow.branch(ir.Binary(">", ir.ZoneCount(place.ref), simplify.number(0), BOOL, at), some, after)
        unit.flow.start(some)
        unit.flow.op(ir.Inform(to, place.ref, local, test, at))
        unit.flow.jump(after)
        unit.flow.start(after)
