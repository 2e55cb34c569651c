"""Cards that go from one place to another: `move`, `deal`, `swap`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from rulerun.check.rule_text import boards, drawing, driver, operands, simplify, sources
from rulerun.check.rule_text.drawing import Top
from rulerun.check.rule_text.driver import effect
from rulerun.check.rule_text.operands import CardSet, OneCard, Zones
from rulerun.check.rule_text.typed import ZoneUse
from rulerun.check.rule_text.units import ProcedureUnit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.program import ZoneKind
from rulerun.ir.types import INT
from rulerun.syntax import nodes as syn

# ------------------------------------------------------------------ where cards come to


@dataclass(frozen=True, slots=True)
class _ToZone:
    """A place in a zone that is no board."""

    unit: ProcedureUnit
    use: ZoneUse
    spot: ir.Spot
    at: int

    def take_zone(self, source: ZoneUse) -> None:
        self.unit.flow.op(ir.MoveAll(source.ref, self.use.ref, self.spot, self.at))

    def take_card(self, card: ir.Expr) -> None:
        self.unit.flow.op(ir.MoveCard(card, self.use.ref, self.spot, self.at))

    def take_set(self, cards: ir.Expr) -> None:
        self.unit.flow.op(ir.MoveCards(cards, self.use.ref, self.spot, self.at))


@dataclass(frozen=True, slots=True)
class _ToBoard:
    """A place of a board, or its free places one after the other."""

    unit: ProcedureUnit
    board: boards.BoardTarget
    at: int

    def take_zone(self, source: ZoneUse) -> None:
        boards.put_each(self.unit, ir.ZoneDomain(source.ref), self.board, self.at)

    def take_card(self, card: ir.Expr) -> None:
        boards.put(self.unit, card, self.board, self.at)

    def take_set(self, cards: ir.Expr) -> None:
        boards.put_each(self.unit, ir.SetDomain(cards), self.board, self.at)


def _to(unit: ProcedureUnit, node: syn.Spot, at: int) -> _ToZone | _ToBoard:
    board = boards.target(unit, node)
    if board is not None:
        return _ToBoard(unit, board, at)
    use, spot = _spot(unit, node)
    return _ToZone(unit, use, spot, at)


def _spot(unit: ProcedureUnit, node: syn.Spot) -> tuple[ZoneUse, ir.Spot]:
    use = sources.one(unit, node.zone, "to put cards into")
    kind = use.symbol.kind
    if node.at is not None:
        if not kind.ordered:
            unit.refuse("RR0403", f"the cards of `{use.symbol.name}` have no places", node.span)
        typed = driver.expect_typed(unit, node.at, INT, "after `at`")
        if kind is ZoneKind.PILE:
            return use, ir.Depth(typed.expr, typed.secret)
        if isinstance(typed.expr, ir.Const) and typed.expr.value < 1:
            unit.refuse("RR0412", "the places of a row are counted from 1", node.at.span)
        index = simplify.binary("-", typed.expr, simplify.number(1), INT, unit.at(node.at.span))
        return use, ir.Depth(index, typed.secret)
    if not kind.ordered:
        return use, ir.End.HEAD
    if node.position is not None:
        return use, sources.end_of(kind, node.position)
    return use, ir.End.HEAD if kind is ZoneKind.PILE else ir.End.TAIL


# ------------------------------------------------------------------------ statements


@effect(syn.Move)
def move(unit: ProcedureUnit, node: syn.Move) -> None:
    at = unit.at(node.span)
    what = operands.operand(unit, node.what, "to move")
    to = _to(unit, node.to, at)
    if isinstance(to, _ToBoard) and not to.board.whole and not isinstance(what, OneCard):
        boards.refuse_several(unit, node, to.board)
    match what:
        case Zones(zones):
            for use in zones:
                drawing.draw_all(unit, use, at)
                to.take_zone(use)
        case Top():
            operands.take(unit, what, to.take_card, at)
        case OneCard(typed, drawn):
            to.take_card(typed.expr)
            unit.clear(drawn)
        case CardSet(typed):
            to.take_set(typed.expr)
        case _:
            assert_never(what)
    unit.drop_known_facts()
    unit.drop_open_facts()


@effect(syn.Deal)
def deal(unit: ProcedureUnit, node: syn.Deal) -> None:
    count = driver.expect(unit, node.count, INT, "as the number of cards to deal")
    use = sources.one(unit, node.source, "to deal from")
    if not use.symbol.kind.ordered:
        unit.refuse(
            "RR0403",
            f"the cards of `{use.symbol.name}` have no order in which they could be dealt",
            node.source.span,
            help=f"`move random of {source_text(node.source.span)} to …` takes one by chance",
        )
    at = unit.at(node.span)
    to = _to(unit, node.to, at)
    if isinstance(to, _ToBoard):
        _refuse_dealing_to_a_place(unit, node, to.board, count)
    operands.take(unit, Top(use, sources.end_of(use.symbol.kind, "top"), count), to.take_card, at)
    unit.drop_open_facts()


def _refuse_dealing_to_a_place(unit: ProcedureUnit, node: syn.Deal, to: boards.BoardTarget, count: ir.Expr) -> None:
    if not to.whole and isinstance(count, ir.Const) and count.value > 1:
        unit.refuse(
            "RR0403",
            f"`{to.text}` is a place for one card, and {count.value} are dealt to it",
            node.to.span,
            help="deal them to the board: then each takes the next free place",
        )


@effect(syn.Swap)
def swap(unit: ProcedureUnit, node: syn.Swap) -> None:
    at = unit.at(node.span)
    left, right = operands.operand(unit, node.left, "to swap"), operands.operand(unit, node.right, "to swap it with")
    match left, right:
        case OneCard(lies_at=ZoneUse() as one), OneCard(lies_at=ZoneUse() as other) if one.symbol is other.symbol:
            unit.flow.op(ir.SwapZones(one.ref, other.ref, at))  # one of the two places may be empty
        case OneCard(), OneCard():
            unit.flow.op(ir.SwapCards(left.typed.expr, right.typed.expr, at))
            unit.clear(left.drawn)
            unit.clear(right.drawn)
        case Zones((one,)), Zones((other,)):
            _swap_zones(unit, node, one, other)
        case _:  # one of a sort and one of another, or several
            unit.refuse("RR0403", "two cards change places, or two zones", node.span)
    unit.drop_open_facts()


def _swap_zones(unit: ProcedureUnit, node: syn.Swap, one: ZoneUse, other: ZoneUse) -> None:
    if one.symbol.index != other.symbol.index:
        unit.refuse(
            "RR0403",
            f"`{one.symbol.name}` and `{other.symbol.name}` are different zones: two of one sort change contents",
            node.span,
            help="move the cards one after the other",
        )
    at = unit.at(node.span)
    drawing.draw_all(unit, one, at)
    drawing.draw_all(unit, other, at)
    unit.flow.op(ir.SwapZones(one.ref, other.ref, at))
