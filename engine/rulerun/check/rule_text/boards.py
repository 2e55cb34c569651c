"""Cards that come to a board: to a place of it, or to the next free one.

A place is a zone of its own (`ZoneKind.BOARD`), so that nothing here needs an operation of its own: what makes a board
is that a place is asked whether it is free before a card comes there.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulerun.check.rule_text import driver, looping, simplify, sources
from rulerun.check.rule_text.typed import ZoneUse
from rulerun.check.rule_text.units import ProcedureUnit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import BOOL, CARD, INT
from rulerun.syntax import nodes as syn


@dataclass(frozen=True, slots=True)
class BoardTarget:
    """Where cards come to: ``use`` is a place, or with ``whole`` a board, whose first free place is meant."""

    use: ZoneUse
    whole: bool
    text: str


def target(unit: ProcedureUnit, node: syn.Spot) -> BoardTarget | None:
    """The board, or the place of one, that cards are put into; None if it is any other zone."""
    symbol = sources.symbol_of(unit, node.zone.zone if isinstance(node.zone, syn.AllOf) else node.zone)
    if symbol is None or symbol.place_key is None:
        return None
    text = source_text(node.zone.span)
    match sources.named(unit, node.zone):
        case sources.Board(use, single=True) if node.position is None:
            if node.at is None:
                return BoardTarget(use, True, text)
            number = driver.expect(unit, node.at, INT, "after `at`")
            place = sources.place(unit, use, number, node.at.span)
            return BoardTarget(place, False, source_text(node.span))
        case sources.BoardPlace(use):
            if node.at is not None:
                unit.refuse(
                    "RR0404",
                    f"`{text}` is a single place already",
                    node.at.span,
                    help=f"leave `at {source_text(node.at.span)}` out",
                )
            return BoardTarget(use, False, text)
        case _:  # several boards, or an end of one: refused where a single zone is wanted
            return None


def put(unit: ProcedureUnit, card: ir.Expr, to: BoardTarget, at: int) -> None:
    """One card comes to a place, or to the first free place of a board. No room there is a fault."""
    flow = unit.flow
    if not to.whole:
        ref = to.use.ref
        empty = ir.Binary("==", ir.ZoneCount(ref), simplify.number(0), BOOL, at)
        flow.require(ir.Or(empty, ir.InZone(card, ref)), ir.Fail(to.text, at, "place_taken"))
        flow.op(ir.MoveCard(card, ref, ir.End.HEAD, at))
        return
    key = to.use.symbol.place_key
    assert key is not None
    number, local = unit.temporary(INT, at), unit.local(INT)
    numbers = ir.NumberDomain(simplify.number(key.low), simplify.number(key.high))
    place = sources.place(unit, to.use, ir.Local(local, INT), to.use.span)
    is_free = ir.Binary("==", ir.ZoneCount(place.ref), simplify.number(0), BOOL, at)
    beyond = simplify.number(key.low - 1)
    first = ir.Fold(ir.FoldKind.FIRST, local, numbers, is_free, None, beyond, INT, at)
    flow.op(ir.Store(number, first, at))
    full = ir.Binary("<", ir.Load(number), simplify.number(key.low), BOOL, at)
    flow.refuse(full, ir.Fail(to.text, at, "board_full"))
    flow.op(ir.MoveCard(card, sources.place(unit, to.use, ir.Load(number), to.use.span).ref, ir.End.HEAD, at))
    unit.clear(number)


def put_each(unit: ProcedureUnit, cards: ir.Domain, to: BoardTarget, at: int) -> None:
    """The cards of a domain come to a board, one after the other, in its order."""
    snapshot = looping.snapshot(unit, cards, CARD, at)
    card = unit.temporary(CARD, at)
    with looping.each(unit, snapshot, card, at):
        put(unit, ir.Load(card), to, at)
    snapshot.clear(unit)
    unit.clear(card)


def refuse_several(unit: ProcedureUnit, node: syn.Move, to: BoardTarget) -> None:
    """Cards that may be several cannot come to one place."""
    unit.refuse(
        "RR0403",
        f"`{to.text}` is a place for one card, and `{source_text(node.what.span)}` may be several",
        node.span,
        help="move a single card there, or the cards to the board: then each takes the next free place",
    )
