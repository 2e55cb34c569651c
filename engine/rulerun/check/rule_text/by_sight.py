"""Cards that are chosen by what the chooser sees of them: which binders need it, and chance that settles which card was
meant where it cannot tell several apart. See `ir.nodes.Binder.by_sight`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulerun.check.declarations.symbols import ZoneSymbol
from rulerun.check.rule_text import drawing, elements, simplify, visibility
from rulerun.check.rule_text.typed import DomainUse, ZoneUse
from rulerun.check.rule_text.units import ProcedureUnit, Unit
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import Identity
from rulerun.ir.program import SeenBy
from rulerun.ir.traverse import base_of
from rulerun.ir.types import BOOL, CARD, CARDS, INT
from rulerun.ir.typing import element_type
from rulerun.source.text import Span


def is_needed(unit: Unit, domain: ir.Domain, identity: Identity, chooser: ir.Expr, span: Span) -> bool:
    """Whether the order of card numbers, or that cards have one, might tell the chooser what it does not see: unless
    all cards lie where it surely sees them, or are listed by place anyway."""
    base = base_of(domain)
    if element_type(base) not in (CARD, CARDS) or identity in (Identity.BY_KIND, Identity.BY_POSITION):
        return False
    if isinstance(base, ir.BoardDomain):
        return False
    if isinstance(base, ir.ZoneDomain) and _symbol(unit, base.zone).kind.ordered:
        return False
    zones = _zones(base)
    if zones is None or not all(_surely_seen(unit, zone, chooser, span) for zone in zones):
        return True
    if len(set(unit.symbols.kinds)) == unit.symbols.card_count:
        return False
    # Copies of a card have numbers, too: they count as one where they lie in one zone without order.
    counts_by_kind = identity is Identity.GIVEN_SET or isinstance(base, ir.ZoneDomain)
    return not counts_by_kind or len(zones) > 1 or any(_symbol(unit, zone).kind.ordered for zone in zones)


def may_be_alike(unit: Unit, domain: ir.Domain, chooser: ir.Expr, span: Span) -> bool:
    """Whether a domain may hold cards that the chooser cannot tell apart and that are not the same."""
    zones = _zones(base_of(domain))
    if zones is None:
        return True
    return any(
        not _surely_seen(unit, zone, chooser, span)
        and (not _symbol(unit, zone).kind.ordered or zone.family in unit.compilation.shuffled)
        for zone in zones
    )


def alike(unit: Unit, domain: DomainUse, place: ir.Place, chooser: ir.Expr) -> DomainUse:
    """Of a domain the cards that the chooser cannot tell from the one that it chose."""
    local = unit.local(CARD)
    return elements.only(domain, local, ir.Alike(chooser, ir.Local(local, CARD), ir.Load(place)))


def settle_set(unit: ProcedureUnit, domain: ir.Domain, place: ir.Place, chooser: ir.Expr, at: int) -> None:
    """Each card of a chosen set becomes, by chance, one of those of the domain that the chooser cannot tell from it."""
    flow = unit.flow
    rest, taken = unit.temporary(CARDS, at), unit.temporary(CARDS, at)
    card, one, left = unit.temporary(CARD, at), unit.temporary(CARD, at), unit.temporary(INT, at)
    first, local = unit.local(CARD), unit.local(CARD)
    flow.op(ir.Store(rest, ir.Load(place), at))
    flow.op(ir.Store(taken, ir.Const(0, CARDS), at))
    flow.op(ir.Store(left, ir.Size(ir.Load(place)), at))
    with flow.while_(ir.Binary(">", ir.Load(left), simplify.number(0), BOOL, at), drawing.counted(left, at, -1)):
        lowest = ir.Fold(ir.FoldKind.FIRST, first, ir.SetDomain(ir.Load(rest)), None, None, None, CARD, at)
        flow.op(ir.Store(card, lowest, at))
        free = ir.SetDomain(ir.Binary("without", _cards(unit, domain, at), ir.Load(taken), CARDS, at))
        alike = ir.FilteredDomain(local, free, ir.Alike(chooser, ir.Local(local, CARD), ir.Load(card)))
        flow.across(lambda after: ir.Pick(alike, one, after, None, False, at))
        flow.op(ir.Store(taken, _with(ir.Load(taken), ir.Load(one), "union", at), at))
        flow.op(ir.Store(rest, _with(ir.Load(rest), ir.Load(card), "without", at), at))
    flow.op(ir.Store(place, ir.Load(taken), at))
    for used in (rest, taken, card, one, left):
        unit.clear(used)


def _with(cards: ir.Expr, card: ir.Expr, op: str, at: int) -> ir.Expr:
    return ir.Binary(op, cards, ir.Single(card, CARDS), CARDS, at)


def _cards(unit: ProcedureUnit, domain: ir.Domain, at: int) -> ir.Expr:
    """The cards that sets of a domain are made of, or that it holds."""
    match base_of(domain):
        case ir.SubsetDomain(of) | ir.GroupDomain(of) | ir.RunDomain(of):
            return of
        case _:
            local = unit.local(CARD)
            return ir.Fold(ir.FoldKind.SET, local, domain, None, ir.Local(local, CARD), None, CARDS, at)


# ----------------------------------------------------------------- where cards lie


def _symbol(unit: Unit, zone: ir.ZoneRef) -> ZoneSymbol:
    return next(symbol for symbol in unit.symbols.zones() if symbol.index == zone.family)


def _surely_seen(unit: Unit, zone: ir.ZoneRef, chooser: ir.Expr, span: Span) -> bool:
    symbol = _symbol(unit, zone)
    if symbol.seen_by is SeenBy.EVERYONE:
        return True
    keys = tuple(axis.index for axis in zone.axes)
    return visibility.surely_sees(ZoneUse(symbol, zone, keys, span), chooser)


def _zones(of: ir.Domain | ir.Expr) -> Sequence[ir.ZoneRef] | None:
    """The zones where the cards of a domain, or of a set, lie when it is looked at; None if that is not known."""
    match of:
        case ir.ZoneDomain(zone) | ir.ZoneCards(zone) | ir.ZoneTop(zone) | ir.ZoneEnd(zone):
            return [zone]
        case ir.BoardDomain(zone):
            return [replace(zone, axes=())]  # it may be the boards of several players
        case ir.SetDomain(inner) | ir.SubsetDomain(inner) | ir.GroupDomain(inner) | ir.RunDomain(inner):
            return _zones(inner)
        case ir.FilteredDomain(_, domain):
            return _zones(domain)
        case ir.Fold(ir.FoldKind.SET, local, domain, value=ir.Local(index)) if index == local:
            return _zones(domain)
        case ir.Fold(ir.FoldKind.BEST | ir.FoldKind.FIRST, _, domain, default=None):
            return _zones(domain)
        case ir.Single(item):
            return _zones(item)
        case ir.Const(0):
            return []
        case ir.Binary("without", left):
            return _zones(left)
        case ir.Binary("common", left, right):
            first = _zones(left)
            return _zones(right) if first is None else first
        case ir.Binary("union", left, right) | ir.Conditional(_, left, right):
            first, second = _zones(left), _zones(right)
            return None if first is None or second is None else [*first, *second]
        case _:
            return None
