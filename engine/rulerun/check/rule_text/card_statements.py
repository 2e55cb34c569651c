"""Statements that touch cards: move, deal, shuffle, collect, swap, flip, reveal, show.

Here cards of shuffled zones get their identities: every statement that needs to know which cards it touches draws them
first, so that the operations of the IR never meet an undrawn card but where they say so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import assert_never

from rulerun.check.rule_text import boards, chance, domains, expressions, facing, simplify, zone_uses
from rulerun.check.rule_text.typed import DomainUse, Typed, ZoneUse, bare, describe
from rulerun.check.rule_text.unit import Unit, source_text
from rulerun.ir import nodes as ir
from rulerun.ir.program import ZoneKind
from rulerun.ir.types import BOOL, CARD, CARDS, INT, PLAYER, SetType, Type
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn

CardStatement = (
    syn.Move | syn.Deal | syn.Shuffle | syn.ShuffleInto | syn.Collect | syn.Swap | syn.Flip | syn.Reveal | syn.Show
)


def lower(unit: Unit, node: CardStatement) -> None:
    match node:
        case syn.Move():
            _move(unit, node)
        case syn.Deal():
            _deal(unit, node)
        case syn.Shuffle():
            use = zone_uses.mixable(unit, node.zone, "to shuffle")
            unit.flow.op(ir.Shuffle(use.ref, unit.at(node.span)))
        case syn.ShuffleInto():
            to = _collect(unit, node)
            unit.flow.op(ir.Shuffle(to.ref, unit.at(node.span)))
        case syn.Collect():
            _collect(unit, node)
        case syn.Swap():
            _swap(unit, node)
        case syn.Flip():
            facing.flip(unit, node)
        case syn.Reveal():
            _show(unit, node.what, None, node.span)
        case syn.Show():
            _show(unit, node.what, audience(unit, node.to, "after `to`"), node.span)
        case _:
            assert_never(node)
    if not isinstance(node, syn.Reveal | syn.Show):
        unit.drop_open_facts()


# --------------------------------------------------------------------- operands


@dataclass(frozen=True, slots=True)
class _Zones:
    """All cards of these zones."""

    zones: list[ZoneUse]


@dataclass(frozen=True, slots=True)
class _Top:
    """So many cards from an end of a zone."""

    use: ZoneUse
    spot: ir.End
    count: ir.Expr


@dataclass(frozen=True, slots=True)
class _Card:
    typed: Typed
    place: ir.Place | None


@dataclass(frozen=True, slots=True)
class _Set:
    typed: Typed


def _operand(unit: Unit, node: syn.Expr, what: str) -> _Zones | _Top | _Card | _Set:
    """The cards that a statement is about."""
    place = zone_uses.board_place(unit, node)
    if place is not None:
        return _Card(Typed(ir.ZoneEnd(place.ref, ir.End.HEAD, unit.at(node.span)), CARD, place), None)
    zones = zone_uses.several(unit, node)
    if zones is not None:
        return _Zones(zones)
    if isinstance(node, syn.End) and node.count is not None:
        use = zone_uses.one(unit, node.zone, f"after `{node.which} … of`")
        zone_uses.want_order(unit, use.symbol, node.span)
        count = expressions.expect(unit, node.count, INT, f"after `{node.which}`")
        return _Top(use, zone_uses.spot_of(use.symbol.kind, node.which), count)
    drawn = chance.draw_operand(unit, node)
    if drawn is not None:
        expressions.check(unit, drawn.typed, CARD, node.span, what)
        return _Card(drawn.typed, drawn.place)
    _refuse_misspelt(unit, node, what)
    typed = expressions.lower(unit, node, CARD)
    if typed.type == CARDS:
        return _Set(typed)
    if bare(typed.type) != CARD or typed.nothing:
        unit.checker.refuse(
            "RR0403",
            f"a card, a set of cards or a zone is wanted {what}, and `{source_text(node.span)}` is "
            f"{'none' if typed.nothing else describe(typed.type)}",
            node.span,
        )
    expressions.check(unit, typed, CARD, node.span, what)
    return _Card(typed, None)


def _refuse_misspelt(unit: Unit, node: syn.Expr, what: str) -> None:
    """``move all of hnad[me]``: where only cards can stand, an unknown name with an index is a misspelt zone."""
    inner = node.zone if isinstance(node, syn.AllOf) else node
    base = inner.of if isinstance(inner, syn.Index) else inner
    known = unit.checker.symbols
    if (
        isinstance(base, syn.Name)
        and unit.scope.find(base.text) is None
        and base.text not in known.names
        and (inner is not base or node is not inner)
    ):
        zone_uses.one(unit, inner, what)


def _clear(unit: Unit, place: ir.Place | None) -> None:
    if place is not None:
        unit.flow.op(ir.Clear(place.offset, unit.checker.words(place.type)))


# ------------------------------------------------------------------ move and deal


def _spot(unit: Unit, node: syn.Spot) -> tuple[ZoneUse, ir.Spot]:
    use = zone_uses.one(unit, node.zone, "to put cards into")
    kind = use.symbol.kind
    if node.at is not None:
        if not kind.ordered:
            unit.checker.refuse("RR0403", f"the cards of `{use.symbol.name}` have no places", node.span)
        typed = expressions.expect_typed(unit, node.at, INT, "after `at`")
        if kind is ZoneKind.PILE:
            return use, ir.Depth(typed.expr, typed.secret)
        if isinstance(typed.expr, ir.Const) and typed.expr.value < 1:
            unit.checker.refuse("RR0412", "the places of a row are counted from 1", node.at.span)
        index = simplify.binary("-", typed.expr, simplify.number(1), INT, unit.at(node.at.span))
        return use, ir.Depth(index, typed.secret)
    if not kind.ordered:
        return use, ir.End.HEAD
    if node.position is not None:
        return use, zone_uses.spot_of(kind, node.position)
    return use, ir.End.HEAD if kind is ZoneKind.PILE else ir.End.TAIL


def _move(unit: Unit, node: syn.Move) -> None:
    at = unit.at(node.span)
    what = _operand(unit, node.what, "to move")
    board = boards.target(unit, node.to)
    if board is not None:
        _to_board(unit, node, what, board, at)
        return
    to, spot = _spot(unit, node.to)
    match what:
        case _Zones(zones):
            for use in zones:
                chance.draw_all(unit, use, at)
                unit.flow.op(ir.MoveAll(use.ref, to.ref, spot, at))
        case _Top(use, end, count):
            _take(unit, use, end, count, _mover(unit, to, spot, at), at)
        case _Card(typed, place):
            unit.flow.op(ir.MoveCard(typed.expr, to.ref, spot, at))
            _clear(unit, place)
        case _Set(typed):
            unit.flow.op(ir.MoveCards(typed.expr, to.ref, spot, at))
        case _:
            assert_never(what)
    _forget_who_knows(unit)


def _to_board(
    unit: Unit, node: syn.Move, what: _Zones | _Top | _Card | _Set, to: boards.Target, at: int
) -> None:
    if not isinstance(what, _Card) and not to.whole:
        boards.refuse_several(unit, node, to)
    match what:
        case _Zones(zones):
            for use in zones:
                chance.draw_all(unit, use, at)
                boards.put_each(unit, ir.ZoneDomain(use.ref), to, at)
        case _Top(use, end, count):
            _take(unit, use, end, count, lambda card: boards.put(unit, card, to, at), at)
        case _Card(typed, place):
            boards.put(unit, typed.expr, to, at)
            _clear(unit, place)
        case _Set(typed):
            boards.put_each(unit, ir.SetDomain(typed.expr), to, at)
        case _:
            assert_never(what)
    _forget_who_knows(unit)


def _forget_who_knows(unit: Unit) -> None:
    unit.facts = frozenset(f for f in unit.facts if not f.startswith("knows "))


def _deal(unit: Unit, node: syn.Deal) -> None:
    count = expressions.expect(unit, node.count, INT, "as the number of cards to deal")
    use = zone_uses.one(unit, node.source, "to deal from")
    if not use.symbol.kind.ordered:
        unit.checker.refuse(
            "RR0403",
            f"the cards of `{use.symbol.name}` have no order in which they could be dealt",
            node.source.span,
            help=f"`move random of {source_text(node.source.span)} to …` takes one by chance",
        )
    at = unit.at(node.span)
    board = boards.target(unit, node.to)
    if board is not None:
        _refuse_dealing_to_a_place(unit, node, board, count)
        put: Mover = lambda card: boards.put(unit, card, board, at)  # noqa: E731 - the form is fixed by Mover
    else:
        to, spot = _spot(unit, node.to)
        put = _mover(unit, to, spot, at)
    _take(unit, use, zone_uses.spot_of(use.symbol.kind, "top"), count, put, at)


def _refuse_dealing_to_a_place(unit: Unit, node: syn.Deal, to: boards.Target, count: ir.Expr) -> None:
    if not to.whole and isinstance(count, ir.Const) and count.value > 1:
        unit.checker.refuse(
            "RR0403",
            f"`{to.text}` is a place for one card, and {count.value} are dealt to it",
            node.to.span,
            help="deal them to the board: then each takes the next free place",
        )


Mover = Callable[[ir.Expr], None]
"""Writes where one card goes."""


def _mover(unit: Unit, to: ZoneUse, spot: ir.Spot, at: int) -> Mover:
    return lambda card: unit.flow.op(ir.MoveCard(card, to.ref, spot, at))


def _take(unit: Unit, use: ZoneUse, end: ir.End, count: ir.Expr, put: Mover, at: int) -> None:
    """Up to `count` cards go one by one from an end of a zone to where `put` says; falls short silently."""
    flow = unit.flow
    done = flow.new()
    if isinstance(count, ir.Const) and count.value <= 1:
        if count.value == 1:
            place = _take_one(unit, use, end, put, done, at)
            flow.jump(done)
            flow.start(done)
            _clear(unit, place)
        else:
            flow.jump(done)
            flow.start(done)
        return
    counter = unit.temporary(INT, at)
    flow.op(ir.Store(counter, count, at))
    loop, inside = flow.new(), flow.new()
    flow.jump(loop)
    flow.start(loop)
    flow.branch(ir.Binary(">", ir.Load(counter), simplify.number(0), BOOL, at), inside, done)
    flow.start(inside)
    place = _take_one(unit, use, end, put, done, at)
    flow.op(ir.Store(counter, ir.Binary("-", ir.Load(counter), simplify.number(1), INT, at), at))
    flow.jump(loop)
    flow.start(done)
    _clear(unit, counter)
    _clear(unit, place)


def _take_one(unit: Unit, use: ZoneUse, end: ir.End, put: Mover, empty: int, at: int) -> ir.Place | None:
    """One card; the block `empty` where there is none. The frame place that held it, if any."""
    if zone_uses.is_undrawn(unit, use):
        place = unit.temporary(CARD, at)
        chance.draw(unit, use, end, place, empty, at)
        put(ir.Load(place))
        return place
    chance.refill(unit, use, at)
    some = unit.flow.new()
    unit.flow.branch(ir.Binary(">", ir.ZoneCount(use.ref), simplify.number(0), BOOL, at), some, empty)
    unit.flow.start(some)
    put(ir.ZoneEnd(use.ref, end, at))
    return None


# ------------------------------------------------------------- collect and swap


def _collect(unit: Unit, node: syn.Collect | syn.ShuffleInto) -> ZoneUse:
    at = unit.at(node.span)
    to = zone_uses.mixable(unit, node.to, "to collect cards in")
    if node.what is None:
        unit.flow.op(ir.CollectAll(to.ref, at))
        return to
    what = _operand(unit, node.what, "to collect")
    match what:
        case _Zones(zones):
            for use in zones:
                unit.flow.op(ir.Collect(use.ref, to.ref, at))
        case _Card(typed, place):
            unit.flow.op(ir.MoveCard(typed.expr, to.ref, ir.End.HEAD, at))
            unit.flow.op(ir.Shuffle(to.ref, at))
            _clear(unit, place)
        case _Set(typed):
            unit.flow.op(ir.MoveCards(typed.expr, to.ref, ir.End.HEAD, at))
            unit.flow.op(ir.Shuffle(to.ref, at))
        case _Top(use, end, count):
            _take(unit, use, end, count, _mover(unit, to, ir.End.HEAD, at), at)
            unit.flow.op(ir.Shuffle(to.ref, at))
        case _:
            assert_never(what)
    return to


def _swap(unit: Unit, node: syn.Swap) -> None:
    at = unit.at(node.span)
    if boards.swap(unit, node):
        return
    left, right = _operand(unit, node.left, "to swap"), _operand(unit, node.right, "to swap it with")
    if isinstance(left, _Zones) and isinstance(right, _Zones) and len(left.zones) == len(right.zones) == 1:
        one, other = left.zones[0], right.zones[0]
        if one.symbol.index != other.symbol.index:
            unit.checker.refuse(
                "RR0403",
                f"`{one.symbol.name}` and `{other.symbol.name}` are different zones: two of one sort change contents",
                node.span,
                help="move the cards one after the other",
            )
        chance.draw_all(unit, one, at)
        chance.draw_all(unit, other, at)
        unit.flow.op(ir.SwapZones(one.ref, other.ref, at))
        return
    if not isinstance(left, _Card) or not isinstance(right, _Card):
        unit.checker.refuse("RR0403", "two cards change places, or two zones", node.span)
    unit.flow.op(ir.SwapCards(left.typed.expr, right.typed.expr, at))
    _clear(unit, left.place)
    _clear(unit, right.place)


# -------------------------------------------------------------- reveal and show


def audience(unit: Unit, node: syn.Expr, what: str) -> ir.Expr | None:
    """A player or a set of players; None for all of them."""
    if isinstance(node, syn.Players):
        return None
    seats = SetType(PLAYER)
    typed = expressions.lower(unit, node, PLAYER)
    if typed.type == seats:
        return typed.expr
    if bare(typed.type) != PLAYER or typed.nothing:
        unit.checker.refuse(
            "RR0403",
            f"players are wanted {what}, and `{source_text(node.span)}` is {describe(typed.type)}",
            node.span,
        )
    expressions.check(unit, typed, PLAYER, node.span, what)
    return simplify.single(typed.expr, seats)


def _show(unit: Unit, node: syn.Expr, to: ir.Expr | None, span: Span) -> None:
    for cards, place in drawn_cards(unit, node, "to be seen", unit.at(span)):
        unit.flow.op(ir.Reveal(cards, to, unit.at(span)))
        _clear(unit, place)


def drawn_cards(unit: Unit, node: syn.Expr, what: str, at: int) -> Iterator[tuple[ir.Expr, ir.Place | None]]:
    """The cards that a statement is about, drawn, as sets one after the other; and what is to be cleared when that is
    done."""
    operand = _operand(unit, node, what)
    match operand:
        case _Zones(zones):
            for use in zones:
                chance.draw_all(unit, use, at)
                yield ir.ZoneCards(use.ref), None
        case _Top(use, end, count):
            cards = gather(unit, use, end, count, at)
            yield ir.Load(cards), cards
        case _Card(typed, place):
            yield simplify.single(typed.expr, CARDS), place
        case _Set(typed):
            yield typed.expr, None
        case _:
            assert_never(operand)


def drawn_domain(unit: Unit, node: syn.Expr, wanted: Type | None = None) -> tuple[DomainUse, ir.Place | None]:
    """A domain of a statement: ``top 3 of Z`` is drawn first, into a frame place that is to be cleared afterwards."""
    if not isinstance(node, syn.End) or node.count is None:
        return domains.lower(unit, node, wanted), None
    top = _operand(unit, node, "here")
    assert isinstance(top, _Top)
    cards = gather(unit, top.use, top.spot, top.count, unit.at(node.span))
    size = unit.checker.symbols.card_count
    return DomainUse(ir.SetDomain(ir.Load(cards)), CARD, top.use, size), cards


def gather(unit: Unit, use: ZoneUse, end: ir.End, count: ir.Expr, at: int) -> ir.Place:
    """The set of up to `count` cards at an end of a zone, in a new frame place; undrawn ones are drawn."""
    flow = unit.flow
    chance.refill(unit, use, at)
    cards = unit.temporary(CARDS, at)
    most, counter = unit.temporary(INT, at), unit.temporary(INT, at)
    card = unit.temporary(CARD, at)
    flow.op(ir.Store(cards, ir.Const(0, CARDS), at))
    flow.op(ir.Store(most, simplify.binary("min", count, ir.ZoneCount(use.ref), INT, at), at))
    loop, inside, after, done = flow.new(), flow.new(), flow.new(), flow.new()
    flow.jump(loop)
    flow.start(loop)
    flow.branch(ir.Binary("<", ir.Load(counter), ir.Load(most), BOOL, at), inside, done)
    flow.start(inside)
    index: ir.Expr = ir.Load(counter)
    if end is ir.End.TAIL:
        last = ir.Binary("-", ir.ZoneCount(use.ref), simplify.number(1), INT, at)
        index = ir.Binary("-", last, index, INT, at)
    flow.end(ir.Draw(use.ref, ir.Depth(index), card, after, done, at))
    flow.start(after)
    more = ir.Binary("union", ir.Load(cards), ir.Single(ir.Load(card), CARDS), CARDS, at)
    flow.op(ir.Store(cards, more, at))
    flow.op(ir.Store(counter, ir.Binary("+", ir.Load(counter), simplify.number(1), INT, at), at))
    flow.jump(loop)
    flow.start(done)
    for place in (most, counter, card):
        _clear(unit, place)
    return cards
