"""The team of a player; and scores that are a team's or common to all, as functions of a player."""

from __future__ import annotations

from rulerun.check.declarations.symbols import ProcedureSymbol, Symbols
from rulerun.check.declarations.teams import team_type
from rulerun.check.rule_text import simplify
from rulerun.check.rule_text.compilation import Compilation, FunctionInfo
from rulerun.ir import nodes as ir
from rulerun.ir.program import Function
from rulerun.ir.types import INT, PLAYER


def team_of(player: ir.Expr, symbols: Symbols, at: int) -> ir.Expr:
    """The team of a player."""
    return simplify.binary("%", player, simplify.number(symbols.teams), team_type(symbols.teams), at)


def of_player(compilation: Compilation, info: FunctionInfo, symbol: ProcedureSymbol, functions: list[Function]) -> int:
    """The function of a player that gives what ``symbol`` gives: itself; or one that asks it for the player's team, or
    for all."""
    params = tuple(type_ for _, type_ in symbol.params)
    if params == (PLAYER,):
        return info.index
    at = compilation.origin(symbol.span)
    arguments = (team_of(ir.Local(0, PLAYER), compilation.symbols, at),) if params else ()
    value = ir.CallFunction(info.index, arguments, INT)
    block = ir.Block((), ir.Return(None, value), -1, at)
    functions.append(Function(symbol.name, (PLAYER,), INT, (PLAYER,), (block,), at))
    return len(functions) - 1


def of_team_variable(offset: int, name: str, compilation: Compilation, at: int, functions: list[Function]) -> int:
    """A function of a player that reads a variable ``int per Team``."""
    symbols = compilation.symbols
    axis = ir.Axis(team_of(ir.Local(0, PLAYER), symbols, at), 0, symbols.teams, 1, False)
    block = ir.Block((), ir.Return(None, ir.Load(ir.Place(offset, (axis,), INT, at))), -1, at)
    functions.append(Function(name, (PLAYER,), INT, (PLAYER,), (block,), at))
    return len(functions) - 1
