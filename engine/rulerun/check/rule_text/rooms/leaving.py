"""Who is in play: `p leaves`, `p returns`, `end game`, `end game for p`; and which way play goes round."""

from __future__ import annotations

from typing import Final

from rulerun.check.rule_text import driver, elements, finishing, fitting, simplify
from rulerun.check.rule_text.driver import effect
from rulerun.check.rule_text.units import ProcedureUnit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import BOOL, INT, PLAYER, SetType
from rulerun.syntax import nodes as syn

_SEATS: Final = SetType(PLAYER)


@effect(syn.ReversePlay)
def reverse(unit: ProcedureUnit, node: syn.ReversePlay) -> None:
    unit.flow.op(ir.Reverse(unit.at(node.span)))


@effect(syn.Leave)
def leave(unit: ProcedureUnit, node: syn.Leave) -> None:
    player = driver.expect(unit, node.player, PLAYER, "before `leaves`")
    unit.flow.op(ir.Leave(player, unit.at(node.span)))


@effect(syn.EndGame)
def end_game(unit: ProcedureUnit, node: syn.EndGame) -> None:
    if node.player is None:
        unit.flow.end(ir.Finish())
    else:
        _end_game_for(unit, node.player, unit.at(node.span))


def _end_game_for(unit: ProcedureUnit, asked: syn.Expr, at: int) -> None:
    """``end game for p``, p a player or a set of players: who of them is in play is done next, all at the same place,
    and leaves; if nobody is left then, the game ends."""
    flow, symbols = unit.flow, unit.symbols
    given = elements.audience(unit, asked, "after `end game for`") or ir.PlayersIn()
    seats, number, seat = unit.temporary(_SEATS, at), unit.temporary(INT, at), unit.temporary(PLAYER, at)
    first = ir.Fold(ir.FoldKind.FIRST, unit.local(PLAYER), ir.SetDomain(ir.Load(seats)), None, None, None, PLAYER, at)
    rest = ir.Binary("without", ir.Load(seats), simplify.single(ir.Load(seat), _SEATS), _SEATS, at)
    goes, gone, nobody, end = flow.new(), flow.new(), flow.new(), flow.new()
    flow.op(ir.Store(seats, ir.Binary("common", given, ir.PlayersIn(), _SEATS, at), at))
    flow.op(ir.Store(number, finishing.next_finish(symbols, unit.local(PLAYER), at), at))
    flow.branch(_some(ir.Load(seats), at), goes, end)
    flow.start(goes)
    flow.op(ir.Store(seat, first, at))
    flow.op(ir.Store(finishing.finish_of(symbols, ir.Load(seat), at), ir.Load(number), at))
    flow.op(ir.Leave(ir.Load(seat), at))
    flow.op(ir.Store(seats, rest, at))
    flow.branch(_some(ir.Load(seats), at), goes, gone)
    flow.start(gone)
    flow.branch(_some(ir.PlayersIn(), at), end, nobody)
    flow.start(nobody)
    flow.end(ir.Finish())
    flow.start(end)
    for used in (seats, number, seat):
        unit.clear(used)


@effect(syn.Rejoin)
def rejoin(unit: ProcedureUnit, node: syn.Rejoin) -> None:
    """``p returns`` and ``all players return``. Who returns gives the place back, and those behind move up."""
    at = unit.at(node.span)
    if node.player is None:
        _all_return(unit, at)
        return
    typed = driver.lower(unit, node.player, PLAYER)
    if typed.type == _SEATS:
        text = source_text(node.player.span)
        unit.refuse(
            "RR0403",
            f"`{text}` are several players, and one is wanted before `returns`",
            node.player.span,
            help="did you mean `all players return`?"
            if isinstance(node.player, syn.Players)
            else "one after the other: `for p in seats where CONDITION: p returns`",
        )
    fitting.check(unit, typed, PLAYER, node.player.span, "before `returns`")
    if unit.symbols.places < 0:
        unit.flow.op(ir.Rejoin(simplify.single(typed.expr, _SEATS), at))
    else:
        _give_back_place(unit, typed.expr, at)


def _all_return(unit: ProcedureUnit, at: int) -> None:
    symbols = unit.symbols
    unit.flow.op(ir.Rejoin(ir.Const((1 << symbols.players) - 1, _SEATS), at))
    if symbols.places >= 0:
        for number in range(symbols.players):
            finish = finishing.finish_of(symbols, ir.Const(number, PLAYER), at)
            unit.flow.op(ir.Store(finish, simplify.number(0), at))


def _give_back_place(unit: ProcedureUnit, player: ir.Expr, at: int) -> None:
    """A player returns, and all who were done after them move up."""
    flow, symbols = unit.flow, unit.symbols
    seat, had = unit.temporary(PLAYER, at), unit.temporary(INT, at)
    flow.op(ir.Store(seat, player, at))
    finish = finishing.finish_of(symbols, ir.Load(seat), at)
    flow.op(ir.Store(had, ir.Load(finish), at))
    flow.op(ir.Rejoin(simplify.single(ir.Load(seat), _SEATS), at))
    with flow.if_(ir.Binary(">", ir.Load(had), simplify.number(0), BOOL, at)):
        flow.op(ir.Store(finish, simplify.number(0), at))
        for number in range(symbols.players):
            other = finishing.finish_of(symbols, ir.Const(number, PLAYER), at)
            behind = ir.Binary(">", ir.Load(other), ir.Load(had), BOOL, at)
            before = ir.Binary("-", ir.Load(other), simplify.number(1), INT, at)
            flow.op(ir.Store(other, ir.Conditional(behind, before, ir.Load(other), INT), at))
    unit.clear(seat)
    unit.clear(had)


def _some(seats: ir.Expr, at: int) -> ir.Expr:
    return ir.Binary(">", ir.Size(seats), simplify.number(0), BOOL, at)
