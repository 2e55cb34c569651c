"""What rule text says of teams: `team(p)` and `partner(p)`; and scores that are a team's or common to all, as functions
of a player. It knows nothing of statements.
"""

from __future__ import annotations

from rulerun.check.declarations.symbols import ProcedureSymbol, Symbols
from rulerun.check.declarations.teams import FUNCTIONS, team_type
from rulerun.check.rule_text import driver, simplify
from rulerun.check.rule_text.context import Compilation, FunctionInfo, Unit
from rulerun.check.rule_text.typed import Typed
from rulerun.ir import nodes as ir
from rulerun.ir.program import Function
from rulerun.ir.types import INT, PLAYER
from rulerun.syntax import nodes as syn


def built_in(unit: Unit, node: syn.Call) -> Typed | None:
    """``team(p)`` and ``partner(p)`` where the game has teams; None for any other call."""
    symbols = unit.symbols
    name = node.name.text
    if not symbols.teams or name not in FUNCTIONS:
        return None
    if len(node.arguments) != 1:
        is_ = "is 1" if len(node.arguments) == 1 else f"are {len(node.arguments)}"
        unit.refuse("RR0406", f"`{name}` takes one player, and here {is_}", node.span)
    player = driver.expect(unit, node.arguments[0], PLAYER, f"in `{name}`")
    at = unit.at(node.span)
    if name == "team":
        return Typed(team_of(player, symbols, at), team_type(symbols.teams))
    if symbols.players != 2 * symbols.teams:
        size = symbols.players // symbols.teams
        unit.refuse(
            "RR0406",
            f"a player has one partner in a team of two, and here {'nobody plays' if size == 1 else f'{size} play'} "
            "together",
            node.span,
            help="the others of a team: `(q for q in players where team(q) == team(p) and q != p)`",
        )
    across = simplify.binary("+", player, simplify.number(symbols.teams), INT, at)
    return Typed(simplify.binary("%", across, simplify.number(symbols.players), PLAYER, at), PLAYER)


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
