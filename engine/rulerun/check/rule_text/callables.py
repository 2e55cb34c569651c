"""What can be called: whether there is such a thing, and whether a call gives it what it takes."""

from __future__ import annotations

from typing import NoReturn

from rulerun.check.declarations.symbols import ProcedureSymbol, Symbol
from rulerun.check.declarations.teams import FUNCTIONS
from rulerun.check.rule_text import driver, false_friends, finishing
from rulerun.check.rule_text.context import BUILTINS, Unit, source_text, symbol_sort
from rulerun.check.rule_text.typed import Typed
from rulerun.ir.types import Type
from rulerun.syntax import nodes as syn


def is_built_in(unit: Unit, name: str) -> bool:
    """Whether a name is that of a function of the language in this game."""
    symbols = unit.symbols
    return (
        name in BUILTINS
        or (name in FUNCTIONS and symbols.teams > 0)
        or (name == finishing.NAME and symbols.places >= 0)
    )


def refuse_call(unit: Unit, node: syn.Call, symbol: Symbol | None) -> NoReturn:
    """Tells that there is nothing of this name to call; never returns."""
    name = node.name.text
    if symbol is not None:
        inside = ", ".join(source_text(a.span) for a in node.arguments)
        unit.refuse(
            "RR0413",
            f"`{name}` is {symbol_sort(symbol)}, and cannot be called",
            node.span,
            help=f"an index stands in square brackets: `{name}[{inside}]`" if inside else None,
        )
    callable_ = tuple(n for n, s in unit.symbols.names.items() if isinstance(s, ProcedureSymbol))
    near = unit.suggestion(name, ((*callable_, *BUILTINS),))
    unit.refuse(
        "RR0401",
        f"there is no function or rule named `{name}`",
        node.name.span,
        help=f"did you mean `{near}`?" if near else false_friends.call_hint(name),
    )


def arguments(unit: Unit, node: syn.Call, params: tuple[tuple[str, Type], ...], sort: str) -> list[Typed]:
    """The arguments of a call, each checked against its parameter."""
    check_arity(unit, node, params, sort)
    return [
        driver.expect_typed(unit, argument, type_, f"as `{name}` of `{node.name.text}`")
        for argument, (name, type_) in zip(node.arguments, params, strict=True)
    ]


def check_arity(unit: Unit, node: syn.Call, params: tuple[tuple[str, Type], ...], sort: str) -> None:
    if len(node.arguments) == len(params):
        return
    wanted = ", ".join(f"{type_} {name}" for name, type_ in params) or "nothing"
    unit.refuse(
        "RR0406",
        f"`{node.name.text}` takes {len(params)} ({wanted}), and here {are(len(node.arguments))}",
        node.span,
        help=f"{sort} {node.name.text}({wanted if params else ''})",
    )


def are(n: int) -> str:
    return "is 1" if n == 1 else f"are {n}"
