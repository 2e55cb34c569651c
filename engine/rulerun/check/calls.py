"""Calls inside expressions: functions of the ruleset and the built-in ones. A call of a rule is a statement."""

from __future__ import annotations

from typing import NoReturn

from rulerun.check import domains, expressions, operators, simplify, team_functions, visibility, zone_uses
from rulerun.check.symbols import ProcedureSymbol, Symbol
from rulerun.check.typed import RefusedError, Typed, describe
from rulerun.check.unit import BUILTINS, Unit, source_text, symbol_sort
from rulerun.ir import nodes as ir
from rulerun.ir.types import BOOL, CARD, CARDS, INT, PLAYER, EnumType, SetType, Type
from rulerun.syntax import nodes as syn

_ARITY = {
    "count": (1, 1),
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
        help=f"did you mean `{near}`?" if near else None,
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
        wanted = "two or more" if most > 2 else {1: "one", 2: "two"}[least]
        unit.checker.refuse("RR0406", f"`{name}` takes {wanted}, and here {_are(len(node.arguments))}", node.span)
    at = unit.at(node.span)
    match name:
        case "count":
            return _count(unit, node)
        case "next" | "previous":
            player = expressions.expect(unit, node.arguments[0], PLAYER, f"in `{name}`")
            return Typed(ir.Neighbour(player, 1 if name == "next" else -1, at), PLAYER)
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
                )
            if isinstance(typed.expr, ir.Const):
                return Typed(simplify.number(typed.expr.value), INT)
            return Typed(typed.expr, INT)
        case _:
            player = expressions.expect(unit, node.arguments[0], PLAYER, "in `knows`")
            card = expressions.expect(unit, node.arguments[1], CARD, "in `knows`")
            unit.checker.uses_knowledge = True
            return Typed(ir.Knows(player, card), BOOL)


def _count(unit: Unit, node: syn.Call) -> Typed:
    """``count(Z)``, of a set, of all instances of a zone, of a type."""
    argument = node.arguments[0]
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
        )
    return Typed(simplify.size(typed.expr), INT)
