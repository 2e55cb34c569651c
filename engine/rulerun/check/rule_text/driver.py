"""The switchboard of rule texts: it knows which room lowers a node, and leads there.

The language is recursive, so every room needs every other. None imports another: each enters what it knows here, with
`expression`, `guided`, `statement`, `effect` or `domain`, and asks `lower`, `run` or `domain_of` for the parts of its
nodes. A fault gives up its statement only: what it would have named is bound as unknown, so that one slip is told once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from rulerun.check.rule_text import fitting
from rulerun.check.rule_text.scope import Binding
from rulerun.check.rule_text.survey import leaves
from rulerun.check.rule_text.typed import DomainUse, Typed
from rulerun.check.rule_text.units import ProcedureUnit, Unit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import BOOL, Type
from rulerun.source.diagnostic import ToldError
from rulerun.syntax import nodes as syn

N = TypeVar("N")
F = TypeVar("F")

Expression = Callable[[Unit, N], Typed]
Guided = Callable[[Unit, N, Type | None], Typed]
Statement = Callable[[Unit, N], None]
Effect = Callable[[ProcedureUnit, N], None]
Domain = Callable[[Unit, N, Type | None], DomainUse]

EXPRESSIONS: Final[dict[type, Expression[Any]]] = {}
GUIDED: Final[dict[type, Guided[Any]]] = {}
STATEMENTS: Final[dict[type, Statement[Any]]] = {}
EFFECTS: Final[dict[type, Effect[Any]]] = {}
DOMAINS: Final[dict[type, Domain[Any]]] = {}

# ------------------------------------------------------------------ what rooms enter


def expression(kind: type[N]) -> Callable[[Expression[N]], Expression[N]]:
    """What follows lowers a kind of expression."""
    return lambda function: _enter(EXPRESSIONS, kind, function, GUIDED)


def guided(kind: type[N]) -> Callable[[Guided[N]], Guided[N]]:
    """What follows lowers a kind of expression that reads otherwise where another type is wanted."""
    return lambda function: _enter(GUIDED, kind, function, EXPRESSIONS)


def statement(kind: type[N]) -> Callable[[Statement[N]], Statement[N]]:
    """What follows lowers a kind of statement that functions may hold, too."""
    return lambda function: _enter(STATEMENTS, kind, function, EFFECTS)


def effect(kind: type[N]) -> Callable[[Effect[N]], Effect[N]]:
    """What follows lowers a kind of statement that makes something happen, which a function may not."""
    return lambda function: _enter(EFFECTS, kind, function, STATEMENTS)


def domain(kind: type[N]) -> Callable[[Domain[N]], Domain[N]]:
    """What follows lowers a kind of expression as a domain."""
    return lambda function: _enter(DOMAINS, kind, function)


def any_other_domain(function: Domain[syn.Expr]) -> Domain[syn.Expr]:
    """What follows lowers every kind of expression as a domain that has no way of its own."""
    return _enter(DOMAINS, object, function)


def _enter(table: dict[type, F], kind: type, function: F, *others: dict[type, Any]) -> F:
    if any(kind in entered for entered in (table, *others)):
        raise ValueError(f"two rooms lower {kind.__name__}")
    table[kind] = function
    return function


# ----------------------------------------------------------------------- expressions


def lower(unit: Unit, node: syn.Expr, wanted: Type | None = None) -> Typed:
    """The meaning of an expression. `wanted` guides enum values, none and sets, but is not enforced: see `expect`."""
    kind = type(node)
    plain = EXPRESSIONS.get(kind)
    if plain is not None:
        return plain(unit, node)
    return GUIDED[kind](unit, node, wanted)


def expect(unit: Unit, node: syn.Expr, wanted: Type, what: str | None = None) -> ir.Expr:
    """The expression, where only `wanted` will do. `what` says in a message what the value is for."""
    return expect_typed(unit, node, wanted, what).expr


def expect_typed(unit: Unit, node: syn.Expr, wanted: Type, what: str | None = None) -> Typed:
    typed = lower(unit, node, wanted)
    fitting.check(unit, typed, wanted, node.span, what)
    return typed


def condition(unit: Unit, node: syn.Expr) -> ir.Expr:
    """An expression that is asked: true or false."""
    return expect(unit, node, BOOL, "as a condition")


def domain_of(unit: Unit, node: syn.Expr, wanted: Type | None = None) -> DomainUse:
    """The domain that an expression names. `wanted`: the type of its elements, where it is known."""
    own = DOMAINS.get(type(node))
    return (own or DOMAINS[object])(unit, node, wanted)


# ------------------------------------------------------------------------ statements


def body(unit: Unit, statements: syn.Body) -> None:
    """A block of statements, with names of its own."""
    at = unit.flow.at
    with unit.block():
        run(unit, statements)
    unit.flow.at = at


def run(unit: Unit, statements: syn.Body) -> None:
    """Statements one after the other, in the block at hand."""
    for i, node in enumerate(statements):
        if i and leaves((statements[i - 1],)):
            unit.found.error(
                "RR0504",
                "this is never reached: the statement before it always leaves",
                node.span,
                help="take it out, or put a condition before it",
            )
            return
        unit.flow.at = unit.at(node.span)
        try:
            _run_one(unit, node)
        except ToldError:
            unit.give_up()
            _bind_unknown(unit, node)


def _run_one(unit: Unit, node: syn.Stmt) -> None:
    kind = type(node)
    if isinstance(unit, ProcedureUnit):
        if not isinstance(node, syn.Let | syn.Say):
            unit.provenance.clear()
        effects = EFFECTS.get(kind)
        if effects is not None:
            effects(unit, node)
            return
    elif kind in EFFECTS:
        _refuse_effect(unit, node)
    STATEMENTS[kind](unit, node)


def _refuse_effect(unit: Unit, node: syn.Stmt) -> None:
    if isinstance(node, syn.Repeat):
        unit.refuse(
            "RR0501", "a function may not `repeat`", node.span, help="`for n in 1..10:` has an end that is known"
        )
    unit.refuse(
        "RR0501",
        f"a function only computes: `{source_text(node.span)}` would make something happen",
        node.span,
        help="make it a rule (under `rules:`), and call that as a statement",
    )


def _bind_unknown(unit: Unit, node: syn.Stmt) -> None:
    """The names that a faulty statement would have bound for those after it."""
    names: list[syn.Ident] = []
    match node:
        case syn.Let():
            names = [node.name]
        case syn.Choose(lines=(syn.Line(pick=syn.Pick() as pick, body=None),)):
            names = [b.name for b in pick.binders]
        case _:  # what a block binds is gone after it
            pass
    for name in names:
        if unit.scope.find(name.text) is None:
            unit.scope.add(Binding(name.text, "let", name.span, None, assignable=True))
