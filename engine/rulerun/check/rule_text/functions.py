"""Functions, the score, and the criteria of the result: everything that only computes."""

from __future__ import annotations

from rulerun.check.declarations.symbols import ProcedureSymbol, VariableSymbol
from rulerun.check.declarations.types import noun
from rulerun.check.rule_text import cost, driver, team_functions
from rulerun.check.rule_text.compilation import Compilation, FunctionInfo
from rulerun.check.rule_text.scope import Binding
from rulerun.check.rule_text.survey import assigned
from rulerun.check.rule_text.units import FunctionUnit
from rulerun.ir import nodes as ir
from rulerun.ir.program import Criterion, Function
from rulerun.ir.types import BOOL, INT, PLAYER, ArrayType
from rulerun.source.diagnostic import ToldError
from rulerun.syntax import nodes as syn


def lower_function(compilation: Compilation, info: FunctionInfo, symbol: ProcedureSymbol, body: syn.Body) -> Function:
    """A function of the ruleset; its result type is that of what it returns."""
    at = compilation.origin(symbol.span)
    unit = FunctionUnit(compilation, symbol.name, at)
    unit.assigned = assigned(body)
    for param, (name, type_) in zip(symbol.signature.params, symbol.params, strict=True):
        local = unit.local(type_)
        unit.scope.add(
            Binding(name, "parameter", param.name.span, type_, ir.Local(local, type_), local=local, assignable=True)
        )
    unit.param_count = len(symbol.params)
    errors = len(compilation.found.found)
    driver.run(unit, body)
    blocks, falls = unit.flow.finish(-1, lambda: ir.Fail("the function came to its end without a value", at))
    sound = len(compilation.found.found) == errors and not unit.refused
    if sound and unit.result_type is None and unit.results:
        compilation.found.error(
            "RR0408", "none of what? no other way through this function says it", unit.results[0][1]
        )
        sound = False
    if sound and falls:
        compilation.found.error(
            "RR0511",
            f"the function `{symbol.name}` can come to its end without a value",
            symbol.span,
            help="let every way end in `return …` or in an expression",
        )
        sound = False
    if sound and unit.cost > cost.LIMIT:
        compilation.found.error(
            "RR0506",
            f"`{symbol.name}` may take {unit.cost:,} steps each time it is asked",
            symbol.span,
            help=f"at most {cost.LIMIT:,} are allowed: let it ask other functions less often",
        )
        sound = False
    info.result = unit.result_type if sound else None
    info.reads = tuple(dict.fromkeys(unit.reads))
    info.cost = max(1, unit.cost)
    return Function(
        name=symbol.name,
        params=tuple(type_ for _, type_ in symbol.params),
        result=unit.result_type or INT,
        locals=tuple(unit.locals),
        blocks=tuple(blocks),
        at=at,
    )


def check_score(compilation: Compilation, info: FunctionInfo, symbol: ProcedureSymbol) -> None:
    """The score is a number."""
    if info.result is not None and info.result != INT:
        compilation.found.error("RR0512", f"the score is a number, and this gives {noun(info.result)}", symbol.span)


def criteria(compilation: Compilation, functions: list[Function]) -> tuple[Criterion, ...]:
    """The criteria of `winner:`. A state variable ``int per Player`` gets a function that reads it."""
    result: list[Criterion] = []
    for criterion in compilation.symbols.criteria:
        try:
            result.append(
                Criterion(criterion.highest, criterion.name.text, _measure(compilation, criterion, functions))
            )
        except ToldError:
            continue
    return tuple(result)


def _measure(compilation: Compilation, criterion: syn.Criterion, functions: list[Function]) -> int:
    """The function that a criterion compares; `declare` has seen to it that it is one of a player, or a variable."""
    name, span = criterion.name.text, criterion.name.span
    symbol = compilation.symbols.names.get(name)
    if isinstance(symbol, VariableSymbol):
        at = compilation.origin(span)
        if symbol.type != ArrayType(INT, PLAYER):
            return team_functions.of_team_variable(symbol.offset, name, compilation, at, functions)
        axis = ir.Axis(ir.Local(0, PLAYER), 0, compilation.symbols.players, 1, False)
        value = ir.Load(ir.Place(symbol.offset, (axis,), INT, at))
        block = ir.Block((), ir.Return(None, value), -1, at)
        functions.append(Function(name, (PLAYER,), INT, (PLAYER,), (block,), at))
        return len(functions) - 1
    info = compilation.functions.get(name)
    if info is None:
        raise ToldError
    if info.symbol is None:
        return info.index
    if name == "score" and info.result != INT:
        raise ToldError  # told already
    if info.result not in (INT, None):
        compilation.refuse("RR0512", f"players are compared by numbers, and `{name}` gives {noun(info.result)}", span)
    of = compilation.symbols.score if name == "score" else symbol
    assert isinstance(of, ProcedureSymbol)
    return team_functions.of_player(compilation, info, of, functions)


def score(compilation: Compilation, functions: list[Function]) -> int:
    """The function of a player that gives the score."""
    symbol = compilation.symbols.score
    assert symbol is not None
    return team_functions.of_player(compilation, compilation.functions[symbol.name], symbol, functions)


def lower_won(compilation: Compilation, functions: list[Function]) -> int:
    """The function that says whether anybody wins; -1 if the result does not say it, or says it wrongly."""
    symbol = compilation.symbols.won
    if symbol is None:
        return -1
    info = FunctionInfo(symbol, len(functions))
    functions.append(lower_function(compilation, info, symbol, compilation.texts.won))
    if info.result not in (BOOL, None):
        compilation.found.error(
            "RR0512", f"whether the game is won is a condition, and this gives {noun(info.result)}", symbol.span
        )
    return info.index
