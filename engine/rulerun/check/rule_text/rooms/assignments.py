"""Statements that give names and places their values: `let` and `=`."""

from __future__ import annotations

from dataclasses import dataclass

from rulerun.check.declarations.symbols import OptionSymbol, VariableSymbol, ZoneSymbol
from rulerun.check.declarations.types import resolve_type, too_large
from rulerun.check.rule_text import cost, driver, fitting, indexing, right_sides, simplify
from rulerun.check.rule_text.driver import statement
from rulerun.check.rule_text.narrowing import Fact, facts_but
from rulerun.check.rule_text.right_sides import Right
from rulerun.check.rule_text.scope import Binding
from rulerun.check.rule_text.typed import Typed, bare, describe, zero
from rulerun.check.rule_text.units import ProcedureUnit, Unit
from rulerun.check.rule_text.wording import source_text, symbol_sort
from rulerun.ir import nodes as ir
from rulerun.ir.types import CARD, CARDS, INT, WORD_BITS, ArrayType, EnumType, OptionalType, SetType, Type
from rulerun.source.diagnostic import ToldError
from rulerun.syntax import nodes as syn


@statement(syn.Let)
def let(unit: Unit, node: syn.Let) -> None:
    declared: Type | None = None
    if node.type is not None:
        declared = resolve_type(node.type, unit.symbols, unit.found)
        if declared is None:
            raise ToldError
        if isinstance(declared, ArrayType):
            unit.refuse(
                "RR0403",
                "a name in rule text holds a single value",
                node.type.span,
                help="what holds one value per key is declared under `state:`",
            )
    at = unit.at(node.span)
    if node.value is None:
        assert declared is not None
        start = zero(declared)
        if start is None:
            unit.refuse(
                "RR0403",
                f"`{node.name.text}` needs a value: there is no first card",
                node.span,
                help="`Card or none` starts as none",
            )
        right = Right(Typed(ir.Const(start, declared), declared))
    else:
        right = right_sides.right_side(unit, node.value, declared)
        if declared is not None:
            fitting.check(unit, right.typed, declared, node.value.span, f"for `{node.name.text}`")
        elif right.typed.nothing:
            unit.refuse(
                "RR0408",
                "none of what? nothing here says it",
                node.value.span,
                help=f"say the type: `let {node.name.text}: Player or none = none`",
            )
    type_ = declared or right.typed.type
    if isinstance(type_, SetType) and isinstance(type_.of, EnumType) and len(type_.of.values) > WORD_BITS:
        what, help_ = too_large(type_.of)
        unit.refuse("RR0304", what, node.value.span if node.value is not None else node.span, help=help_)
    _store_new(unit, node, right, type_, at)
    if isinstance(type_, OptionalType) and right.typed.type == type_.inner and not right.typed.nothing:
        unit.facts |= {Fact(node.name.text)}


def _store_new(unit: Unit, node: syn.Let, right: Right, type_: Type, at: int) -> None:
    name = node.name
    if not isinstance(unit, ProcedureUnit):
        local = unit.local(type_)
        cost.charge(unit, right.typed.expr)
        unit.flow.op(ir.SetLocal(local, right.typed.expr))
        unit.bind(Binding(name.text, "let", name.span, type_, ir.Local(local, type_), local=local, assignable=True))
        return
    if right.fresh is not None:
        place = unit.adopt(right.fresh, name.text, type_)
    else:
        place = unit.variable(name.text, type_, at)
        unit.flow.op(ir.Store(place, right.typed.expr, at))
    unit.clear(right.result)
    if node.value is not None and name.text not in unit.assigned and _lasting(unit, node.value):
        unit.aliases[place.offset] = right.typed.expr
    if right.typed.source is not None and bare(type_) in (CARD, CARDS):
        unit.provenance[name.text] = right.typed.source
    secret = right.typed.secret
    unit.bind(Binding(name.text, "let", name.span, type_, ir.Load(place), place, assignable=True, secret=secret))


def _lasting(unit: Unit, node: syn.Expr) -> bool:
    """Whether an expression over players keeps its value: a neighbour of a local name that is never assigned."""
    if isinstance(node, syn.Call) and unit.compilation.turning:
        return False
    if isinstance(node, syn.Call) and node.name.text in ("next", "previous") and len(node.arguments) == 1:
        return _lasting(unit, node.arguments[0])
    return isinstance(node, syn.Name) and unit.scope.find(node.text) is not None and node.text not in unit.assigned


@dataclass(frozen=True, slots=True)
class _Target:
    type: Type
    read: ir.Expr
    place: ir.Place | None
    local: int | None
    name: str
    fact: bool
    """Whether `name` alone is the target, so that facts about it change."""
    hidden: bool = False
    """Whether it is of a state variable that not everyone sees all of."""


def _target(unit: Unit, node: syn.Expr) -> _Target:
    base = node.of if isinstance(node, syn.Index) else node
    if not isinstance(base, syn.Name):
        unit.refuse("RR0410", f"`{source_text(node.span)}` is not something that can be assigned", node.span)
    binding = unit.scope.find(base.text)
    if binding is not None:
        if binding.type is None or binding.read is None:
            raise ToldError
        if isinstance(node, syn.Index):
            unit.refuse("RR0404", f"`{base.text}` takes no index", node.span)
        if not binding.assignable:
            what = {"loop name": "a loop gives it its value", "choice": "the choice gave it its value"}
            unit.refuse(
                "RR0410",
                f"`{base.text}` cannot be assigned: {what.get(binding.sort, 'it is fixed')}",
                node.span,
                help=f"take another name: `let x = {base.text}`",
            )
        return _Target(binding.type, binding.read, binding.place, binding.local, base.text, True)
    symbol = unit.symbols.names.get(base.text)
    if isinstance(symbol, VariableSymbol):
        if not isinstance(unit, ProcedureUnit):
            unit.refuse(
                "RR0501",
                f"a function only computes: it may not change `{base.text}`",
                node.span,
                help="make it a rule, or work on a name of its own (`let`)",
            )
        if isinstance(node, syn.Index):
            place = indexing.variable_place(unit, symbol, node)
            return _Target(place.type, ir.Load(place), place, None, base.text, False, bool(symbol.seen))
        if isinstance(symbol.type, ArrayType):
            driver.lower(unit, node)
        place = ir.Place(symbol.offset, (), symbol.type, unit.at(node.span))
        return _Target(symbol.type, ir.Load(place), place, None, base.text, True, bool(symbol.seen))
    if symbol is None:
        return _unknown_target(unit, base)
    help_ = None
    if isinstance(symbol, ZoneSymbol):
        help_ = "cards are moved: `move … to …`"
    elif isinstance(symbol, OptionSymbol):
        help_ = "an option is set before the game; what changes is declared under `state:`"
    return unit.refuse(
        "RR0410", f"`{base.text}` is {symbol_sort(symbol)}, and cannot be assigned", node.span, help=help_
    )


def _unknown_target(unit: Unit, base: syn.Name) -> _Target:
    names = tuple(n for n, s in unit.symbols.names.items() if isinstance(s, VariableSymbol))
    near = unit.suggestion(base.text, ((*(b.name for b in unit.scope), *names),))
    return unit.refuse(
        "RR0401",
        f"there is nothing named `{base.text}` that could be assigned",
        base.span,
        help=f"did you mean `{near}`?" if near else f"a new name begins with `let`: `let {base.text} = …`",
    )


@statement(syn.Assign)
def assign(unit: Unit, node: syn.Assign) -> None:
    target = _target(unit, node.target)
    at = unit.at(node.span)
    what = f"for `{source_text(node.target.span)}`"
    if node.op != "=":
        if target.type != INT:
            unit.refuse(
                "RR0403",
                f"`{node.op}` is for numbers, and `{source_text(node.target.span)}` is {describe(target.type)}",
                node.span,
            )
        change = driver.expect(unit, node.value, INT, f"after `{node.op}`")
        right = Right(Typed(simplify.binary(node.op[0], target.read, change, INT, at), INT))
    else:
        kept = target.place if target.hidden else None
        right = right_sides.right_side(unit, node.value, target.type, kept)
        fitting.check(unit, right.typed, target.type, node.value.span, what)
    if isinstance(unit, ProcedureUnit):
        assert target.place is not None
        unit.flow.op(ir.Store(target.place, right.typed.expr, at))
        unit.clear(right.fresh)
        unit.clear(right.result)
    else:
        assert target.local is not None
        cost.charge(unit, right.typed.expr)
        unit.flow.op(ir.SetLocal(target.local, right.typed.expr))
    if target.fact:
        unit.facts = facts_but(unit.facts, {target.name})
        if isinstance(target.type, OptionalType) and right.typed.type == target.type.inner and not right.typed.nothing:
            unit.facts |= {Fact(target.name)}
