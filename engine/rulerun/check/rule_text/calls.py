"""Calls inside expressions: functions of the ruleset and the built-in ones. A call of a rule is a statement."""

from __future__ import annotations

from typing import NoReturn

from rulerun.check.declarations.symbols import ProcedureSymbol, Symbol
from rulerun.check.declarations.teams import FUNCTIONS
from rulerun.check.declarations.types import how_to_order
from rulerun.check.rule_text import (
    domains,
    expressions,
    habits,
    operators,
    places,
    simplify,
    team_functions,
    visibility,
    zone_uses,
)
from rulerun.check.rule_text.typed import RefusedError, Typed, bare, describe
from rulerun.check.rule_text.unit import BUILTINS, Unit, source_text, symbol_sort
from rulerun.ir import nodes as ir
from rulerun.ir.types import BOOL, CARD, CARDS, INT, PLAYER, EnumType, PlayerType, SetType, Type
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


def call(unit: Unit, node: syn.Call) -> Typed:
    """A call whose value is used in an expression."""
    name = node.name.text
    if name in BUILTINS:
        return _builtin(unit, node)
    of_teams = team_functions.built_in(unit, node)
    if of_teams is not None:
        return of_teams
    of_places = places.call(unit, node)
    if of_places is not None:
        return of_places
    symbol = unit.checker.symbols.names.get(name)
    score = unit.checker.symbols.score
    if symbol is None and score is not None and name == score.name:
        symbol = score
    if not isinstance(symbol, ProcedureSymbol):
        refuse_call(unit, node, symbol)
    if symbol.sort == "rule":
        unit.checker.refuse(
            "RR0518",
            f"`{name}` is a rule: something may happen in it, so its value cannot be asked inside an expression",
            node.span,
            help=f"write `let x = {source_text(node.span)}` on a line of its own, and then use `x`",
        )
    if symbol.sort == "event":
        unit.checker.refuse(
            "RR0413", f"`{name}` is an event: it is raised", node.span, help=f"`raise {source_text(node.span)}`"
        )
    values = arguments(unit, node, symbol.params, symbol_sort(symbol))
    info = unit.checker.functions.get(name)
    if info is None or info.result is None:
        raise RefusedError
    visibility.function_reads(unit, node, info, values)
    return Typed(ir.CallFunction(info.index, tuple(v.expr for v in values), info.result), info.result)


def is_built_in(unit: Unit, name: str) -> bool:
    """Whether a name is that of a function of the language in this game."""
    symbols = unit.checker.symbols
    return (
        name in BUILTINS
        or (name in FUNCTIONS and symbols.teams > 0)
        or (name == places.NAME and symbols.places >= 0)
    )


def refuse_call(unit: Unit, node: syn.Call, symbol: Symbol | None) -> NoReturn:
    """Tells that there is nothing of this name to call; never returns."""
    name = node.name.text
    if symbol is not None:
        inside = ", ".join(source_text(a.span) for a in node.arguments)
        unit.checker.refuse(
            "RR0413",
            f"`{name}` is {symbol_sort(symbol)}, and cannot be called",
            node.span,
            help=f"an index stands in square brackets: `{name}[{inside}]`" if inside else None,
        )
    callable_ = tuple(n for n, s in unit.checker.symbols.names.items() if isinstance(s, ProcedureSymbol))
    near = unit.suggestion(name, ((*callable_, *BUILTINS),))
    unit.checker.refuse(
        "RR0401",
        f"there is no function or rule named `{name}`",
        node.name.span,
        help=f"did you mean `{near}`?" if near else habits.call_hint(name),
    )


def arguments(unit: Unit, node: syn.Call, params: tuple[tuple[str, Type], ...], sort: str) -> list[Typed]:
    """The arguments of a call, each checked against its parameter."""
    check_arity(unit, node, params, sort)
    return [
        expressions.expect_typed(unit, argument, type_, f"as `{name}` of `{node.name.text}`")
        for argument, (name, type_) in zip(node.arguments, params, strict=True)
    ]


def check_arity(unit: Unit, node: syn.Call, params: tuple[tuple[str, Type], ...], sort: str) -> None:
    if len(node.arguments) == len(params):
        return
    wanted = ", ".join(f"{type_} {name}" for name, type_ in params) or "nothing"
    unit.checker.refuse(
        "RR0406",
        f"`{node.name.text}` takes {len(params)} ({wanted}), and here {_are(len(node.arguments))}",
        node.span,
        help=f"{sort} {node.name.text}({wanted if params else ''})",
    )


def _are(n: int) -> str:
    return "is 1" if n == 1 else f"are {n}"


def _builtin(unit: Unit, node: syn.Call) -> Typed:
    name = node.name.text
    least, most = _ARITY[name]
    if not least <= len(node.arguments) <= most:
        wanted = {1: "one", 2: "two"}[least] + (" or more" if most > 2 else "")
        unit.checker.refuse("RR0406", f"`{name}` takes {wanted}, and here {_are(len(node.arguments))}", node.span)
    at = unit.at(node.span)
    match name:
        case "count":
            return _count(unit, node) if len(node.arguments) == 1 else _how_many_hold(unit, node)
        case "next" | "previous":
            return _neighbour(unit, node, 1 if name == "next" else -1)
        case "min" | "max":
            result = expressions.expect(unit, node.arguments[0], INT, f"in `{name}`")
            for argument in node.arguments[1:]:
                other = expressions.expect(unit, argument, INT, f"in `{name}`")
                result = simplify.binary(name, result, other, INT, at)
            return Typed(result, INT)
        case "order":
            typed = expressions.lower(unit, node.arguments[0])
            if not isinstance(typed.type, EnumType) or not typed.type.ordered:
                unit.checker.refuse(
                    "RR0411",
                    f"`order` is for values of an ordered type, and `{source_text(node.arguments[0].span)}` is "
                    f"{describe(typed.type)}",
                    node.span,
                    help=how_to_order(typed.type) if isinstance(typed.type, EnumType) else None,
                )
            if isinstance(typed.expr, ir.Const):
                return Typed(simplify.number(typed.expr.value), INT)
            return Typed(typed.expr, INT)
        case _:
            player = expressions.expect(unit, node.arguments[0], PLAYER, "in `knows`")
            card = expressions.expect(unit, node.arguments[1], CARD, "in `knows`")
            unit.checker.uses_knowledge = True
            return Typed(ir.Knows(player, card), BOOL)


def _neighbour(unit: Unit, node: syn.Call, step: int) -> Typed:
    """``next(x)``, ``previous(x)``: of a player, or of a value in the order of its type, the first after the last."""
    at, argument, what = unit.at(node.span), node.arguments[0], f"in `{node.name.text}`"
    typed = expressions.lower(unit, argument)
    if isinstance(typed.type, EnumType):
        count = len(typed.type.values)
        moved = simplify.binary("+", typed.expr, simplify.number(step % count), INT, at)
        return Typed(simplify.binary("%", moved, simplify.number(count), typed.type, at), typed.type)
    if typed.nothing or isinstance(bare(typed.type), PlayerType):
        expressions.check(unit, typed, PLAYER, argument.span, what)
        return Typed(ir.Neighbour(typed.expr, step, at), PLAYER)
    if isinstance(bare(typed.type), EnumType):
        expressions.check(unit, typed, bare(typed.type), argument.span, what)
    text = source_text(argument.span)
    return unit.checker.refuse(
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
        typed = expressions.lower(unit, argument, BOOL)
        if typed.type != BOOL:
            text = source_text(argument.span)
            help_ = None
            if isinstance(typed.type, SetType):
                help_ = " + ".join(f"count({source_text(a.span)})" for a in node.arguments)
                help_ = f"each counted by itself: `{help_}`"
            unit.checker.refuse(
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
    whole = zone_uses.boards(unit, argument)
    if whole is not None:
        use, places = whole
        over = ir.BoardDomain(use.ref, places)
        at = unit.at(node.span)
        return Typed(ir.Fold(ir.FoldKind.COUNT, unit.local(CARD), over, None, None, None, INT, at), INT)
    zones = zone_uses.several(unit, argument)
    if zones is not None:
        result: ir.Expr = ir.ZoneCount(zones[0].ref)
        for use in zones[1:]:
            result = simplify.binary("+", result, ir.ZoneCount(use.ref), INT, unit.at(node.span))
        return Typed(result, INT)
    enum = operators.names_enum(unit, argument)
    if enum is not None:
        return Typed(simplify.number(len(enum.values)), INT)
    if isinstance(argument, syn.Generator) and domains.is_filter(argument):
        domain = domains.lower(unit, argument)
        local = unit.local(domain.element)
        return Typed(ir.Fold(ir.FoldKind.COUNT, local, domain.domain, None, None, None, INT, unit.at(node.span)), INT)
    domains.refuse_unknown(unit, argument)
    by_elements = isinstance(argument, syn.SetOf | syn.SetOperation)
    typed = expressions.lower(unit, argument, None if by_elements else CARDS)
    if not isinstance(typed.type, SetType):
        unit.checker.refuse(
            "RR0403",
            f"`count` counts a zone or a set, and `{source_text(argument.span)}` is {describe(typed.type)}",
            argument.span,
            help=f"as a number: `1 if {source_text(argument.span)} else 0`" if typed.type == BOOL else None,
        )
    return Typed(simplify.size(typed.expr), INT)
