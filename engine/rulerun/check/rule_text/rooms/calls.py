"""Calls inside expressions: functions of the ruleset and the built-in ones. A call of a rule is a statement."""

from __future__ import annotations

from rulerun.check.declarations.symbols import EnumSymbol, ProcedureSymbol
from rulerun.check.declarations.types import how_to_order
from rulerun.check.rule_text import (
    callables,
    driver,
    elements,
    finishing,
    fitting,
    simplify,
    sources,
    team_functions,
    visibility,
)
from rulerun.check.rule_text.context import BUILTINS, Unit, source_text, symbol_sort
from rulerun.check.rule_text.driver import expression
from rulerun.check.rule_text.typed import (
    Typed,
    bare,
    describe,
)
from rulerun.ir import nodes as ir
from rulerun.ir.types import (
    BOOL,
    CARD,
    CARDS,
    INT,
    PLAYER,
    EnumType,
    PlayerType,
    SetType,
)
from rulerun.source.diagnostic import ToldError
from rulerun.syntax import nodes as syn

_ARITY = {
    "count": (1, 99),
    "next": (1, 1),
    "previous": (1, 1),
    "min": (2, 99),
    "max": (2, 99),
    "order": (1, 1),
    "knows": (2, 2),
}


@expression(syn.Call)
def call(unit: Unit, node: syn.Call) -> Typed:
    """A call whose value is used in an expression."""
    name = node.name.text
    if elements.is_subsets(unit, node):
        elements.refuse_as_value(unit, node)
    if name in BUILTINS:
        return _builtin(unit, node)
    of_teams = team_functions.built_in(unit, node)
    if of_teams is not None:
        return of_teams
    of_places = finishing.call(unit, node)
    if of_places is not None:
        return of_places
    symbol = unit.symbols.names.get(name)
    score = unit.symbols.score
    if symbol is None and score is not None and name == score.name:
        symbol = score
    if not isinstance(symbol, ProcedureSymbol):
        callables.refuse_call(unit, node, symbol)
    if symbol.sort == "rule":
        unit.refuse(
            "RR0518",
            f"`{name}` is a rule: something may happen in it, so its value cannot be asked inside an expression",
            node.span,
            help=f"write `let x = {source_text(node.span)}` on a line of its own, and then use `x`",
        )
    if symbol.sort == "event":
        unit.refuse(
            "RR0413", f"`{name}` is an event: it is raised", node.span, help=f"`raise {source_text(node.span)}`"
        )
    values = callables.arguments(unit, node, symbol.params, symbol_sort(symbol))
    info = unit.compilation.functions.get(name)
    if info is None or info.result is None:
        raise ToldError
    visibility.function_reads(unit, node, info, values)
    return Typed(ir.CallFunction(info.index, tuple(v.expr for v in values), info.result), info.result)


def _builtin(unit: Unit, node: syn.Call) -> Typed:
    name = node.name.text
    least, most = _ARITY[name]
    if not least <= len(node.arguments) <= most:
        wanted = {1: "one", 2: "two"}[least] + (" or more" if most > 2 else "")
        unit.refuse("RR0406", f"`{name}` takes {wanted}, and here {callables.are(len(node.arguments))}", node.span)
    at = unit.at(node.span)
    match name:
        case "count":
            return _count(unit, node) if len(node.arguments) == 1 else _how_many_hold(unit, node)
        case "next" | "previous":
            return _neighbour(unit, node, 1 if name == "next" else -1)
        case "min" | "max":
            result = driver.expect(unit, node.arguments[0], INT, f"in `{name}`")
            for argument in node.arguments[1:]:
                other = driver.expect(unit, argument, INT, f"in `{name}`")
                result = simplify.binary(name, result, other, INT, at)
            return Typed(result, INT)
        case "order":
            typed = driver.lower(unit, node.arguments[0])
            if not isinstance(typed.type, EnumType) or not typed.type.ordered:
                unit.refuse(
                    "RR0411",
                    f"`order` is for values of an ordered type, and `{source_text(node.arguments[0].span)}` is "
                    f"{describe(typed.type)}",
                    node.span,
                    help=how_to_order(typed.type) if isinstance(typed.type, EnumType) else None,
                )
            if isinstance(typed.expr, ir.Const):
                return Typed(simplify.number(typed.expr.value), INT)
            return Typed(typed.expr, INT)
        case "knows":
            player = driver.expect(unit, node.arguments[0], PLAYER, "in `knows`")
            card = driver.expect(unit, node.arguments[1], CARD, "in `knows`")
            unit.compilation.uses_knowledge = True
            return Typed(ir.Knows(player, card), BOOL)
        case _:
            raise AssertionError(f"nobody knows the built-in function {name}")


def _neighbour(unit: Unit, node: syn.Call, step: int) -> Typed:
    """``next(x)``, ``previous(x)``: of a player, or of a value in the order of its type, the first after the last."""
    at, argument, what = unit.at(node.span), node.arguments[0], f"in `{node.name.text}`"
    typed = driver.lower(unit, argument)
    if isinstance(typed.type, EnumType):
        count = len(typed.type.values)
        moved = simplify.binary("+", typed.expr, simplify.number(step % count), INT, at)
        return Typed(simplify.binary("%", moved, simplify.number(count), typed.type, at), typed.type)
    if typed.nothing or isinstance(bare(typed.type), PlayerType):
        fitting.check(unit, typed, PLAYER, argument.span, what)
        return Typed(ir.Neighbour(typed.expr, step, at), PLAYER)
    if isinstance(bare(typed.type), EnumType):
        fitting.check(unit, typed, bare(typed.type), argument.span, what)
    text = source_text(argument.span)
    return unit.refuse(
        "RR0403",
        f"`{text}` is {describe(typed.type)}, and a player or a value of a type is wanted {what}",
        argument.span,
        help=f"write `{text} {'+' if step > 0 else '-'} 1`" if typed.type == INT else None,
    )


def _how_many_hold(unit: Unit, node: syn.Call) -> Typed:
    """``count(a, b, …)``: how many of several conditions are true."""
    at = unit.at(node.span)
    result: ir.Expr = simplify.number(0)
    for argument in node.arguments:
        typed = driver.lower(unit, argument, BOOL)
        if typed.type != BOOL:
            text = source_text(argument.span)
            help_ = None
            if isinstance(typed.type, SetType):
                help_ = " + ".join(f"count({source_text(a.span)})" for a in node.arguments)
                help_ = f"each counted by itself: `{help_}`"
            unit.refuse(
                "RR0403",
                f"`count` of several things counts which conditions hold, and `{text}` is {describe(typed.type)}",
                argument.span,
                help=help_,
            )
        one = simplify.conditional(typed.expr, simplify.number(1), simplify.number(0), INT)
        empty = isinstance(result, ir.Const) and result.value == 0
        result = one if empty else simplify.binary("+", result, one, INT, at)
    return Typed(result, INT)


def _count(unit: Unit, node: syn.Call) -> Typed:
    """``count(Z)``, of a set, of all instances of a zone, of a type."""
    argument = node.arguments[0]
    source = sources.named(unit, argument)
    if source is not None:
        return Typed(sources.count_of(unit, source, unit.at(node.span)), INT)
    enum = names_enum(unit, argument)
    if enum is not None:
        return Typed(simplify.number(len(enum.values)), INT)
    if isinstance(argument, syn.Generator) and elements.is_filter(argument):
        domain = driver.domain_of(unit, argument)
        local = unit.local(domain.element)
        return Typed(ir.Fold(ir.FoldKind.COUNT, local, domain.domain, None, None, None, INT, unit.at(node.span)), INT)
    elements.refuse_unknown(unit, argument)
    by_elements = isinstance(argument, syn.SetOf | syn.SetOperation)
    typed = driver.lower(unit, argument, None if by_elements else CARDS)
    if not isinstance(typed.type, SetType):
        unit.refuse(
            "RR0403",
            f"`count` counts a zone or a set, and `{source_text(argument.span)}` is {describe(typed.type)}",
            argument.span,
            help=f"as a number: `1 if {source_text(argument.span)} else 0`" if typed.type == BOOL else None,
        )
    return Typed(simplify.size(typed.expr), INT)


def names_enum(unit: Unit, node: syn.Expr) -> EnumType | None:
    """The enum that a node names as a whole, if it does."""
    if isinstance(node, syn.Name) and unit.scope.find(node.text) is None:
        symbol = unit.symbols.names.get(node.text)
        if isinstance(symbol, EnumSymbol):
            return symbol.type
    return None
