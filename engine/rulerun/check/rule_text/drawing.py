"""Where chance happens: drawing a card of a shuffled zone, picking at random. Only as a whole right side, or as the
operand of a statement; never inside an expression.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulerun.check.rule_text import driver, simplify, sources
from rulerun.check.rule_text.typed import DomainUse, Typed, ZoneUse, bare
from rulerun.check.rule_text.units import ProcedureUnit, Unit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.program import SeenBy
from rulerun.ir.types import BOOL, CARD, CARDS, INT, Type
from rulerun.syntax import nodes as syn


def refill(unit: ProcedureUnit, use: ZoneUse, at: int) -> None:
    """The refilling of an empty zone, if it has any."""
    rule = use.symbol.refill
    if rule is None:
        return
    source = next(z for z in unit.symbols.zones() if z.index == rule.source)
    axes = use.ref.axes if source.keys else ()
    unit.flow.op(ir.Refill(use.ref, ir.ZoneRef(rule.source, axes, at), rule.keep, rule.shuffle, at))


def draw(unit: ProcedureUnit, use: ZoneUse, spot: ir.Spot, into: ir.Place, empty: int | None, at: int) -> None:
    """Settles the card at a spot, after a refill where the zone is empty and has one."""
    refill(unit, use, at)
    unit.flow.across(lambda after: ir.Draw(use.ref, spot, into, after, empty, at))


def draw_all(unit: ProcedureUnit, use: ZoneUse, at: int) -> None:
    """Settles every card of a zone that may hold undrawn ones, from HEAD on."""
    if not sources.is_undrawn(unit, use):
        return
    flow = unit.flow
    counter, card = unit.temporary(INT, at), unit.temporary(CARD, at)
    left = ir.Binary(">", ir.UndrawnCount(use.ref), simplify.number(0), BOOL, at)
    with flow.while_(left, counted(counter, at)) as loop:
        flow.across(lambda after: ir.Draw(use.ref, ir.Depth(ir.Load(counter)), card, after, loop.done, at))
    unit.clear(counter)
    unit.clear(card)


def counted(counter: ir.Place, at: int, by: int = 1) -> ir.Op:
    """What counts a number of the frame on."""
    return ir.Store(counter, ir.Binary("+", ir.Load(counter), simplify.number(by), INT, at), at)


# --------------------------------------------------------------- the ends of a zone


@dataclass(frozen=True, slots=True)
class Top:
    """So many cards from an end of a zone."""

    use: ZoneUse
    end: ir.End
    count: ir.Expr


def top(unit: Unit, node: syn.End) -> Top:
    """``top 3 of Z``"""
    assert node.count is not None
    use = sources.one(unit, node.zone, f"after `{node.which} … of`")
    sources.want_order(unit, use.symbol, node.span)
    count = driver.expect(unit, node.count, INT, f"after `{node.which}`")
    return Top(use, sources.end_of(use.symbol.kind, node.which), count)


def gather(unit: ProcedureUnit, top: Top, at: int) -> ir.Place:
    """The set of the cards at an end of a zone, in a new frame place; undrawn ones are drawn."""
    flow, ref = unit.flow, top.use.ref
    refill(unit, top.use, at)
    cards = unit.temporary(CARDS, at)
    most, counter = unit.temporary(INT, at), unit.temporary(INT, at)
    card = unit.temporary(CARD, at)
    flow.op(ir.Store(cards, ir.Const(0, CARDS), at))
    flow.op(ir.Store(most, simplify.binary("min", top.count, ir.ZoneCount(ref), INT, at), at))
    index: ir.Expr = ir.Load(counter)
    if top.end is ir.End.TAIL:
        last = ir.Binary("-", ir.ZoneCount(ref), simplify.number(1), INT, at)
        index = ir.Binary("-", last, index, INT, at)
    left = ir.Binary("<", ir.Load(counter), ir.Load(most), BOOL, at)
    with flow.while_(left, counted(counter, at)) as loop:
        flow.across(lambda after: ir.Draw(ref, ir.Depth(index), card, after, loop.done, at))
        more = ir.Binary("union", ir.Load(cards), ir.Single(ir.Load(card), CARDS), CARDS, at)
        flow.op(ir.Store(cards, more, at))
    for place in (most, counter, card):
        unit.clear(place)
    return cards


def drawn_domain(unit: ProcedureUnit, node: syn.Expr, wanted: Type | None = None) -> tuple[DomainUse, ir.Place | None]:
    """A domain of a statement: ``top 3 of Z`` is drawn first, into a frame place that is to be cleared afterwards."""
    if not isinstance(node, syn.End) or node.count is None:
        return driver.domain_of(unit, node, wanted), None
    cards_on_top = top(unit, node)
    cards = gather(unit, cards_on_top, unit.at(node.span))
    size = unit.symbols.card_count
    return DomainUse(ir.SetDomain(ir.Load(cards)), CARD, cards_on_top.use, size), cards


# ------------------------------------------------------------------ single outcomes


@dataclass(frozen=True, slots=True)
class Drawn:
    """What chance gave, and the frame place that holds it (None: it is read where it lies)."""

    typed: Typed
    place: ir.Place | None


def draw_operand(
    unit: ProcedureUnit, node: syn.Expr, wanted: Type | None = None, kept: ir.Place | None = None
) -> Drawn | None:
    """``top of Z`` and ``random of X`` where chance may happen; None for anything else, which is an expression.
    ``kept``: the place of a hidden state variable that it is put into."""
    if isinstance(node, syn.RandomOf):
        return _random_of(unit, node, wanted, kept)
    if not isinstance(node, syn.End) or node.count is not None:
        return None
    use = sources.one(unit, node.zone, f"after `{node.which} of`")
    end = sources.end_of(use.symbol.kind, node.which)
    at = unit.at(node.span)
    if not sources.is_undrawn(unit, use):
        refill(unit, use, at)
        return Drawn(Typed(ir.ZoneEnd(use.ref, end, at), CARD, use), None)
    place = unit.temporary(CARD, at)
    draw(unit, use, end, place, None, at)
    return Drawn(Typed(ir.Load(place), CARD, use), place)


def _random_of(unit: ProcedureUnit, node: syn.RandomOf, wanted: Type | None, kept: ir.Place | None) -> Drawn:
    """``random of X``: one element, each as likely. Told to all, but for cards of zones that not everyone sees; what is
    put into a hidden state variable, to those who see it there."""
    at = unit.at(node.span)
    domain, drawn = drawn_domain(unit, node.domain, bare(wanted) if wanted is not None else None)
    if domain.element == CARDS:
        unit.refuse(
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
    unit.flow.across(lambda after: ir.Pick(domain.domain, place, after, None, told, at, kept=kept if told else None))
    unit.clear(drawn)
    return Drawn(Typed(ir.Load(place), domain.element, domain.source), place)
