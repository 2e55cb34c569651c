"""What can be called: whether there is such a thing, and whether a call gives it what it takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NoReturn

from rulerun.check.declarations.symbols import ProcedureSymbol, Symbol, Symbols
from rulerun.check.rule_text import driver, false_friends
from rulerun.check.rule_text.typed import Typed
from rulerun.check.rule_text.units import BUILTINS, Unit
from rulerun.check.rule_text.wording import source_text, symbol_sort
from rulerun.ir.types import Type
from rulerun.syntax import nodes as syn

Lowering = Callable[[Unit, syn.Call], Typed]


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A function of the language. ``takes`` says in a message what it takes; ``exists``, whether a game has it."""

    lower: Lowering
    takes: str
    least: int
    most: int
    exists: Callable[[Symbols], bool]


BUILT_INS: Final[dict[str, BuiltIn]] = {}


def built_in(
    name: str, takes: str, *, least: int = 1, most: int = 1, exists: Callable[[Symbols], bool] = lambda _: True
) -> Callable[[Lowering], Lowering]:
    """What follows lowers the calls of a function of the language, which takes from `least` to `most` arguments."""

    def enter(lower: Lowering) -> Lowering:
        if name in BUILT_INS:
            raise ValueError(f"two functions of the language are named {name}")
        BUILT_INS[name] = BuiltIn(lower, takes, least, most, exists)
        return lower

    return enter


def find_built_in(unit: Unit, name: str) -> BuiltIn | None:
    """The function of the language of this name, if this game has it."""
    found = BUILT_INS.get(name)
    return found if found is not None and found.exists(unit.symbols) else None


def call_built_in(unit: Unit, node: syn.Call, function: BuiltIn) -> Typed:
    """The value of a call of a function of the language."""
    given = len(node.arguments)
    if not function.least <= given <= function.most:
        unit.refuse("RR0406", f"`{node.name.text}` takes {function.takes}, and here {_are(given)}", node.span)
    return function.lower(unit, node)


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
        f"`{node.name.text}` takes {len(params)} ({wanted}), and here {_are(len(node.arguments))}",
        node.span,
        help=f"{sort} {node.name.text}({wanted if params else ''})",
    )


def _are(n: int) -> str:
    return "is 1" if n == 1 else f"are {n}"
