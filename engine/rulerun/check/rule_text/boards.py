"""Boards in statements: cards that come to a place, or to the next free one; two places that change contents.

A place is a zone of its own (`ZoneKind.BOARD`), so that nothing here needs an operation of its own: what makes a board
is that a place is asked whether it is free before a card comes there.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulerun.check.rule_text import expressions, simplify, zone_uses
from rulerun.check.rule_text.typed import ZoneUse
from rulerun.check.rule_text.unit import Unit, source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import BOOL, CARD, INT
from rulerun.syntax import nodes as syn


@dataclass(frozen=True, slots=True)
class Target:
    """Where cards come to: ``use`` is a place, or with ``whole`` a board, whose first free place is meant."""

    use: ZoneUse
    whole: bool
    text: str


def target(unit: Unit, node: syn.Spot) -> Target | None:
    """The board, or the place of one, that cards are put into; None if it is any other zone."""
    whole = zone_uses.board(unit, node.zone)
    if whole is not None and node.position is None:
        if node.at is None:
            return Target(whole, True, source_text(node.zone.span))
        number = expressions.expect(unit, node.at, INT, "after `at`")
        return Target(zone_uses.place(unit, whole, number, node.at.span), False, source_text(node.span))
    use = zone_uses.board_place(unit, node.zone)
    if use is None:
        return None
    if node.at is not None:
        unit.checker.refuse(
            "RR0404",
            f"`{source_text(node.zone.span)}` is a single place already",
            node.at.span,
            help=f"leave `at {source_text(node.at.span)}` out",
        )
    return Target(use, False, source_text(node.zone.span))


def put(unit: Unit, card: ir.Expr, to: Target, at: int) -> None:
    """One card comes to a place, or to the first free place of a board. No room there is a fault."""
    flow = unit.flow
    full, free = flow.new(), flow.new()
    if not to.whole:
        ref = to.use.ref
        empty = ir.Binary("==", ir.ZoneCount(ref), simplify.number(0), BOOL, at)
        flow.branch(ir.Or(empty, ir.InZone(card, ref)), free, full)
        flow.start(full)
        flow.end(ir.Fail(to.text, at, "place_taken"))
        flow.start(free)
        flow.op(ir.MoveCard(card, ref, ir.End.HEAD, at))
        return
    key = to.use.symbol.place_key
    assert key is not None
    number, local = unit.temporary(INT, at), unit.local(INT)
    numbers = ir.NumberDomain(simplify.number(key.low), simplify.number(key.high))
    place = zone_uses.place(unit, to.use, ir.Local(local, INT), to.use.span)
    is_free = ir.Binary("==", ir.ZoneCount(place.ref), simplify.number(0), BOOL, at)
    beyond = simplify.number(key.low - 1)
    first = ir.Fold(ir.FoldKind.FIRST, local, numbers, is_free, None, beyond, INT, at)
    flow.op(ir.Store(number, first, at))
    flow.branch(ir.Binary("<", ir.Load(number), simplify.number(key.low), BOOL, at), full, free)
    flow.start(full)
    flow.end(ir.Fail(to.text, at, "board_full"))
    flow.start(free)
    flow.op(ir.MoveCard(card, zone_uses.place(unit, to.use, ir.Load(number), to.use.span).ref, ir.End.HEAD, at))
    flow.op(ir.Clear(number.offset, 1))


def put_each(unit: Unit, cards: ir.Domain, to: Target, at: int) -> None:
    """The cards of a domain come to a board, one after the other, in its order."""
    from rulerun.check.rule_text import loops

    flow = unit.flow
    most = loops.capacity(unit, CARD)
    words = ir.snapshot_words(most)
    offset = unit.words(words)
    counter, card = unit.temporary(INT, at), unit.temporary(CARD, at)
    flow.op(ir.Snapshot(cards, offset, most, at))
    loop, inside, done = flow.new(), flow.new(), flow.new()
    flow.jump(loop)
    flow.start(loop)
    flow.branch(ir.Binary("<", ir.Load(counter), ir.SnapshotCount(offset), BOOL, at), inside, done)
    flow.start(inside)
    flow.op(ir.Store(card, ir.SnapshotItem(offset, ir.Load(counter), CARD), at))
    flow.op(ir.Store(counter, ir.Binary("+", ir.Load(counter), simplify.number(1), INT, at), at))
    put(unit, ir.Load(card), to, at)
    flow.jump(loop)
    flow.start(done)
    for place, size in ((offset, words), (counter.offset, 1), (card.offset, 1)):
        flow.op(ir.Clear(place, size))


def refuse_several(unit: Unit, node: syn.Move, to: Target) -> None:
    """Cards that may be several cannot come to one place."""
    unit.checker.refuse(
        "RR0403",
        f"`{to.text}` is a place for one card, and `{source_text(node.what.span)}` may be several",
        node.span,
        help="move a single card there, or the cards to the board: then each takes the next free place",
    )


def swap(unit: Unit, node: syn.Swap) -> bool:
    """``swap grid[1] with grid[4]``: two places of a board change what lies there, if anything; whether it was that."""
    left, right = zone_uses.board_place(unit, node.left), zone_uses.board_place(unit, node.right)
    if left is None or right is None or left.symbol.index != right.symbol.index:
        return False
    unit.flow.op(ir.SwapZones(left.ref, right.ref, unit.at(node.span)))
    return True
