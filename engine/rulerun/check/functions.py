"""Functions, the score, and the criteria of the result: everything that only computes."""

from __future__ import annotations

from rulerun.check import statements
from rulerun.check.scope import Binding
from rulerun.check.survey import assigned
from rulerun.check.symbols import ProcedureSymbol, VariableSymbol
from rulerun.check.typed import RefusedError
from rulerun.check.types import noun
from rulerun.check.unit import Checker, FunctionInfo, Unit, symbol_sort
from rulerun.ir import nodes as ir
from rulerun.ir.program import Criterion, Function
from rulerun.ir.types import INT, PLAYER, ArrayType
from rulerun.source.spell import nearest
from rulerun.syntax import nodes as syn


def lower_function(checker: Checker, info: FunctionInfo, symbol: ProcedureSymbol, body: syn.Body) -> Function:
    """A function of the ruleset; its result type is that of what it returns."""
    at = checker.origin(symbol.span)
    unit = Unit(checker, symbol.name, -1, at, in_function=True)


    unit.assigned = assigned(body)
    for param, (name, type_) in zip(symbol.signature.params, symbol.params, strict=True):
        local = unit.local(type_)
        unit.bind(
            Binding(name, "parameter", param.name.span, type_, ir.Local(local, type_), local=local, assignable=True)
        )
    unit.params = len(symbol.params)
    errors = len(checker.found.found)
    statements.run(unit, body)
    blocks, falls = unit.flow.finish(-1, lambda: ir.Fail("the function came to its end without a value", at))
    sound = len(checker.found.found) == errors
    if sound and unit.result_type is None and unit.results:
        checker.found.error("RR0408", "none of what? no other way through this function says it", unit.results[0][1])
        sound = False
    if sound and falls:
        checker.found.error(
            "RR0511",
            f"the function `{symbol.name}` can come to its end without a value",
            symbol.span,
            help="let every way end in `return …` or in an expression",
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


def check_score(checker: Checker, info: FunctionInfo, symbol: ProcedureSymbol) -> None:
    """The score takes a player and gives a number."""
    if len(symbol.params) != 1 or symbol.params[0][1] != PLAYER:
        checker.found.error(
            "RR0512", "the score is asked of one player", symbol.span, help="write `score(Player p): |`"
        )
    elif info.result is not None and info.result != INT:
        checker.found.error("RR0512", f"the score is a number, and this gives {noun(info.result)}", symbol.span)


def criteria(checker: Checker, functions: list[Function]) -> tuple[Criterion, ...]:
    """The criteria of `winner:`. A state variable ``int per Player`` gets a function that reads it."""
    result: list[Criterion] = []
    for criterion in checker.symbols.criteria:
        try:
            result.append(Criterion(criterion.highest, criterion.name.text, _measure(checker, criterion, functions)))
        except RefusedError:
            continue
    return tuple(result)


def _measure(checker: Checker, criterion: syn.Criterion, functions: list[Function]) -> int:
    name, span = criterion.name.text, criterion.name.span
    word = "highest" if criterion.highest else "lowest"
    symbols = checker.symbols
    score = symbols.score
    symbol = symbols.names.get(name)
    if symbol is None and score is not None and name == score.name:
        return checker.functions[score.name].index
    if isinstance(symbol, VariableSymbol):
        if symbol.type != ArrayType(INT, PLAYER):
            checker.refuse(
                "RR0512",
                f"`{word} {name}` compares the players, and `{name}` is not one number per player",
                span,
                help="a state variable `int per Player`, or a function of a player, can be compared",
            )
        at = checker.origin(span)
        axis = ir.Axis(ir.Local(0, PLAYER), 0, symbols.players, 1, False)
        value = ir.Load(ir.Place(symbol.offset, (axis,), INT, at))
        block = ir.Block((), ir.Return(None, value), -1, at)
        functions.append(Function(name, (PLAYER,), INT, (PLAYER,), (block,), at))
        return len(functions) - 1
    if isinstance(symbol, ProcedureSymbol) and symbol.sort == "function":
        info = checker.functions[name]
        if tuple(type_ for _, type_ in symbol.params) != (PLAYER,) or info.result not in (INT, None):
            checker.refuse(
                "RR0512",
                f"`{word} {name}` compares the players: the function must take one player and give a number",
                span,
            )
        return info.index
    if symbol is not None:
        checker.refuse("RR0512", f"`{name}` is {symbol_sort(symbol)}: it cannot be compared", span)
    candidates = [n for n, s in symbols.names.items() if isinstance(s, VariableSymbol | ProcedureSymbol)]


    near = nearest(name, ["score", *candidates])
    return checker.refuse(
        "RR0401", f"there is nothing named `{name}` to compare the players by", span, help=f"did you mean `{near}`?" if near else None
    )
