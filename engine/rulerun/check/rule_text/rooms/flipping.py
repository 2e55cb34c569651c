"""`flip X face up`, `flip X face down`; `turn over Z`."""

from __future__ import annotations

from rulerun.check.declarations.symbols import ZoneSymbol
from rulerun.check.rule_text import facing, operands, simplify, sources
from rulerun.check.rule_text.driver import effect
from rulerun.check.rule_text.narrowing import DOWN, UP
from rulerun.check.rule_text.units import ProcedureUnit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import BOOL, CARDS
from rulerun.syntax import nodes as syn


@effect(syn.Flip)
def flip(unit: ProcedureUnit, node: syn.Flip) -> None:
    """``flip X face up``: those that lie so already are passed over."""
    at = unit.at(node.span)
    zone = facing.zone_named(unit.symbols, node.what)
    if zone is not None:
        _refuse_zone(unit, zone, node)
    how = UP if node.up else DOWN
    for cards, drawn in operands.card_sets(unit, node.what, f"to turn {how}", at):
        turned = unit.temporary(CARDS, at)
        flow = unit.flow
        flow.op(ir.Store(turned, cards, at))
        if zone is None:
            _fail_in_hand(unit, turned, node)
        open_ = facing.face_up(unit.symbols, at)
        changing = ir.Binary("without" if node.up else "common", ir.Load(turned), ir.Load(open_), CARDS, at)
        for ref in facing.open_zones(unit, node.what, zone):
            changing = ir.Binary("without", changing, ir.ZoneCards(ref), CARDS, at)
        flow.op(ir.Store(turned, changing, at))
        flow.op(ir.Flip(ir.Load(turned), node.up, at))
        result = ir.Binary("union" if node.up else "without", ir.Load(open_), ir.Load(turned), CARDS, at)
        flow.op(ir.Store(open_, result, at))
        unit.clear(turned)
        unit.clear(drawn)
    unit.drop_open_facts()


@effect(syn.TurnOver)
def turn_over(unit: ProcedureUnit, node: syn.TurnOver) -> None:
    """``turn over Z``: whatever its cards are, none of them is drawn for it."""
    zone = facing.zone_named(unit.symbols, node.zone)
    if zone is not None:
        _refuse_without_order(unit, zone, node)
    use = sources.one(unit, node.zone, "to turn over")
    unit.flow.op(ir.TurnOver(use.ref, unit.at(node.span)))
    unit.drop_open_facts()


def _refuse_without_order(unit: ProcedureUnit, zone: ZoneSymbol, node: syn.TurnOver) -> None:
    if zone.place_key is not None:
        unit.refuse(
            "RR0403",
            f"each place of `{zone.name}`, a board, holds one card: there is no order to turn round",
            node.span,
            help="`flip … face up` turns the card of a place, `swap` exchanges two of them",
        )
    if not zone.kind.ordered:
        unit.refuse(
            "RR0403",
            f"the cards of `{zone.name}`, a hand, have no order to turn round",
            node.span,
            help="a `row` or a `pile` has one",
        )


def _refuse_zone(unit: ProcedureUnit, zone: ZoneSymbol, node: syn.Flip) -> None:
    if not zone.kind.ordered:
        unit.refuse(
            "RR0519",
            f"the cards of `{zone.name}`, a hand, lie neither face up nor face down",
            node.span,
            help=f"`reveal {source_text(node.what.span)}` shows them to all; a `row` holds cards that lie either way"
            if node.up
            else "a `row` or a `pile` holds cards that lie either way",
        )
    if zone.always_open:
        unit.refuse(
            "RR0519",
            f"everyone sees the faces of `{zone.name}`, so its cards always lie face up",
            node.span,
            help="declare it `seen_by: nobody`, and flip face up what is to be seen",
        )


def _fail_in_hand(unit: ProcedureUnit, cards: ir.Place, node: syn.Flip) -> None:
    """A fault where a card, of which it is not known beforehand where it lies, lies in a hand."""
    at = unit.at(node.span)
    held: ir.Expr | None = None
    for ref in facing.references(unit, node.what, lambda zone: not zone.kind.ordered):
        of = ir.ZoneCards(ref)
        held = of if held is None else ir.Binary("union", held, of, CARDS, at)
    if held is None:
        return
    in_hand = ir.Binary("common", ir.Load(cards), held, CARDS, at)
    none_there = ir.Binary("==", ir.Size(in_hand), simplify.number(0), BOOL, at)
    unit.flow.require(none_there, ir.Fail(source_text(node.what.span), at, "flip_in_hand"))
