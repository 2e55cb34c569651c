"""Where chance happens: drawing a card of a shuffled zone, picking at random. Only as a whole right side, or as the
operand of a statement; never inside an expression.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulerun.check.declarations.symbols import ZoneSymbol
from rulerun.check.rule_text import card_statements, simplify, zone_uses
from rulerun.check.rule_text.typed import Typed, ZoneUse, bare
from rulerun.check.rule_text.unit import Unit, source_text
from rulerun.ir import nodes as ir
from rulerun.ir.program import SeenBy
from rulerun.ir.types import CARD, CARDS, INT, Type
from rulerun.syntax import nodes as syn


@dataclass(frozen=True, slots=True)
class Drawn:
    """What chance gave, and the frame place that holds it (None: it is read where it lies)."""

    typed: Typed
    place: ir.Place | None


def draw_operand(unit: Unit, node: syn.Expr, wanted: Type | None = None) -> Drawn | None:
    """``top of Z`` and ``random of X`` where chance may happen; None for anything else, which is an expression."""
    if isinstance(node, syn.RandomOf):
        return random_of(unit, node, wanted)
    if isinstance(node, syn.End) and node.count is None:
        use = zone_uses.one(unit, node.zone, f"after `{node.which} of`")
        spot = zone_uses.spot_of(use.symbol.kind, node.which)
        at = unit.at(node.span)
        if not zone_uses.is_undrawn(unit, use):
            refill(unit, use, at)
            return Drawn(Typed(ir.ZoneEnd(use.ref, spot, at), CARD, use), None)
        place = unit.temporary(CARD, at)
        draw(unit, use, spot, place, None, at)
        return Drawn(Typed(ir.Load(place), CARD, use), place)
    return None


def refill(unit: Unit, use: ZoneUse, at: int) -> None:
    """The refilling of an empty zone, if it has any."""
    rule = use.symbol.refill
    if rule is None:
        return
    source = next(z for z in zone_symbols(unit) if z.index == rule.source)
    axes = use.ref.axes if source.keys else ()
    unit.flow.op(ir.Refill(use.ref, ir.ZoneRef(rule.source, axes, at), rule.keep, rule.shuffle, at))


def zone_symbols(unit: Unit) -> list[ZoneSymbol]:
    return [s for s in unit.checker.symbols.names.values() if isinstance(s, ZoneSymbol)]


def draw(unit: Unit, use: ZoneUse, spot: ir.Spot, into: ir.Place, empty: int | None, at: int) -> None:
    """Settles the card at a spot, after a refill where the zone is empty and has one."""
    refill(unit, use, at)
    after = unit.flow.new()
    unit.flow.end(ir.Draw(use.ref, spot, into, after, empty, at))
    unit.flow.start(after)


def draw_all(unit: Unit, use: ZoneUse, at: int) -> None:
    """Settles every card of a zone that may hold undrawn ones, from HEAD on."""
    if not zone_uses.is_undrawn(unit, use):
        return
    flow = unit.flow
    counter = unit.temporary(INT, at)
    card = unit.temporary(CARD, at)
    loop, inside, after, done = flow.new(), flow.new(), flow.new(), flow.new()
    flow.jump(loop)
    flow.start(loop)
    left = ir.Binary(">", ir.UndrawnCount(use.ref), simplify.number(0), simplify.TRUE.type, at)
    flow.branch(left, inside, done)
    flow.start(inside)
    flow.end(ir.Draw(use.ref, ir.Depth(ir.Load(counter)), card, after, done, at))
    flow.start(after)
    flow.op(ir.Store(counter, ir.Binary("+", ir.Load(counter), simplify.number(1), INT, at), at))
    flow.jump(loop)
    flow.start(done)
    flow.op(ir.Clear(counter.offset, 1))
    flow.op(ir.Clear(card.offset, 1))


def random_of(unit: Unit, node: syn.RandomOf, wanted: Type | None) -> Drawn:
    """``random of X``: one element, each as likely. Told to all, but for cards of zones that not everyone sees."""
    at = unit.at(node.span)
    domain, drawn = card_statements.drawn_domain(unit, node.domain, bare(wanted) if wanted is not None else None)
    if domain.element == CARDS:
        unit.checker.refuse(
            "RR0409",
            f"chance takes one card, player, value or number; `{source_text(node.domain.span)}` holds sets of cards",
            node.span,
            help="take the cards one by one",
        )
    if domain.undrawn:
        assert domain.source is not None
        draw_all(unit, domain.source, at)
    place = unit.temporary(domain.element, at)
    told = domain.element != CARD or (domain.source is not None and domain.source.symbol.seen_by is SeenBy.EVERYONE)
    after = unit.flow.new()
    unit.flow.end(ir.Pick(domain.domain, place, after, None, told, at))
    unit.flow.start(after)
    if drawn is not None:
        unit.flow.op(ir.Clear(drawn.offset, unit.checker.words(drawn.type)))
    return Drawn(Typed(ir.Load(place), domain.element, domain.source), place)
