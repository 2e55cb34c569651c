"""Statements that give names and places their values: `let` and `=`, and what may be a whole right side."""

from __future__ import annotations

from dataclasses import dataclass

from rulerun.check.declarations.symbols import OptionSymbol, ProcedureSymbol, VariableSymbol, ZoneSymbol
from rulerun.check.declarations.types import resolve_type, too_large
from rulerun.check.rule_text import call_statements, chance, cost, expressions, indices, simplify
from rulerun.check.rule_text.scope import Binding
from rulerun.check.rule_text.typed import RefusedError, Typed, bare, describe, zero
from rulerun.check.rule_text.unit import Unit, facts_but, source_text, symbol_sort
from rulerun.ir import nodes as ir
from rulerun.ir.types import CARD, CARDS, INT, WORD_BITS, ArrayType, EnumType, OptionalType, SetType, Type
from rulerun.syntax import nodes as syn


@dataclass(frozen=True, slots=True)
class Right:
    """A whole right side. ``fresh``: a frame place that holds the value and belongs to nobody yet."""

    typed: Typed
    fresh: ir.Place | None = None
    result: tuple[int, int] | None = None
    """Result words of a called rule, to be cleared when read."""


def right_side(unit: Unit, node: syn.Expr, wanted: Type | None) -> Right:
    """What may stand as the whole right side of `let` and `=`: an expression, a call of a rule, or a chance event."""
    of_rule = rule_value(unit, node)
    if of_rule is not None:
        return of_rule
    if not unit.in_function:
        drawn = chance.draw_operand(unit, node, wanted)
        if drawn is not None:
            return Right(drawn.typed, drawn.place)
    return Right(expressions.lower(unit, node, wanted))


def rule_value(unit: Unit, node: syn.Expr) -> Right | None:
    """The value of a rule, which is run for it; None where this is no call of a rule."""
    if not isinstance(node, syn.Call) or unit.scope.find(node.name.text) is not None:
        return None
    symbol = unit.checker.symbols.names.get(node.name.text)
    if not isinstance(symbol, ProcedureSymbol) or symbol.sort != "rule":
        return None
    call_statements.call_rule(unit, node, symbol)
    info = unit.checker.procedures[symbol.name]
    if info.result is None:
        if info.faulty or not info.lowered:
            raise RefusedError
        unit.checker.refuse(
            "RR0517",
            f"the rule `{symbol.name}` gives no value",
            node.span,
            help=f"write `{source_text(node.span)}` alone on the line, or let the rule `return` something",
        )
    place = ir.Place(info.result_place, (), info.result, unit.at(node.span))
    return Right(Typed(ir.Load(place), info.result), None, (info.result_place, unit.checker.words(info.result)))


def let(unit: Unit, node: syn.Let) -> None:
    checker = unit.checker
    declared: Type | None = None
    if node.type is not None:
        declared = resolve_type(node.type, checker.symbols, checker.found)
        if declared is None:
            raise RefusedError
        if isinstance(declared, ArrayType):
            checker.refuse(
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
            checker.refuse(
                "RR0403",
                f"`{node.name.text}` needs a value: there is no first card",
                node.span,
                help="`Card or none` starts as none",
            )
        right = Right(Typed(ir.Const(start, declared), declared))
    else:
        right = right_side(unit, node.value, declared)
        if declared is not None:
            expressions.check(unit, right.typed, declared, node.value.span, f"for `{node.name.text}`")
        elif right.typed.nothing:
            checker.refuse(
                "RR0408",
                "none of what? nothing here says it",
                node.value.span,
                help=f"say the type: `let {node.name.text}: Player or none = none`",
            )
    type_ = declared or right.typed.type
    if isinstance(type_, SetType) and isinstance(type_.of, EnumType) and len(type_.of.values) > WORD_BITS:
        what, help_ = too_large(type_.of)
        checker.refuse("RR0304", what, node.value.span if node.value is not None else node.span, help=help_)
    _store_new(unit, node, right, type_, at)
    if isinstance(type_, OptionalType) and right.typed.type == type_.inner and not right.typed.nothing:
        unit.facts |= {node.name.text}


def _store_new(unit: Unit, node: syn.Let, right: Right, type_: Type, at: int) -> None:
    name = node.name.text
    secret = right.typed.secret
    if unit.in_function:
        local = unit.local(type_)
        charge(unit, right.typed.expr)
        unit.flow.op(ir.SetLocal(local, right.typed.expr))
        unit.bind(Binding(name, "let", node.name.span, type_, ir.Local(local, type_), local=local, assignable=True))
        return
    place = unit.adopt(right.fresh, name, type_) if right.fresh is not None else unit.variable(name, type_, at)
    if right.fresh is None:
        unit.flow.op(ir.Store(place, right.typed.expr, at))
    if right.result is not None:
        unit.flow.op(ir.Clear(*right.result))
    if node.value is not None and name not in unit.assigned and _lasting(unit, node.value):
        unit.aliases[place.offset] = right.typed.expr
    if right.typed.source is not None and bare(type_) in (CARD, CARDS):
        unit.lying[name] = right.typed.source
    read = ir.Load(place)
    unit.bind(Binding(name, "let", node.name.span, type_, read, place, assignable=True, secret=secret))


def _lasting(unit: Unit, node: syn.Expr) -> bool:
    """Whether an expression over players keeps its value: a neighbour of a local name that is never assigned."""
    if isinstance(node, syn.Call) and unit.checker.turning:
        return False
    if isinstance(node, syn.Call) and node.name.text in ("next", "previous") and len(node.arguments) == 1:
        return _lasting(unit, node.arguments[0])
    return isinstance(node, syn.Name) and unit.scope.find(node.text) is not None and node.text not in unit.assigned


def charge(unit: Unit, expr: ir.Expr) -> None:
    """Counts the work of a statement of a function."""
    unit.cost += unit.times * cost.of(unit, expr)


@dataclass(frozen=True, slots=True)
class _Target:
    type: Type
    read: ir.Expr
    place: ir.Place | None
    local: int | None
    name: str
    fact: bool
    """Whether `name` alone is the target, so that facts about it change."""


def _target(unit: Unit, node: syn.Expr) -> _Target:
    checker = unit.checker
    base = node.of if isinstance(node, syn.Index) else node
    if not isinstance(base, syn.Name):
        checker.refuse("RR0410", f"`{source_text(node.span)}` is not something that can be assigned", node.span)
    binding = unit.scope.find(base.text)
    if binding is not None:
        if binding.type is None or binding.read is None:
            raise RefusedError
        if isinstance(node, syn.Index):
            checker.refuse("RR0404", f"`{base.text}` takes no index", node.span)
        if not binding.assignable:
            what = {"loop name": "a loop gives it its value", "choice": "the choice gave it its value"}
            checker.refuse(
                "RR0410",
                f"`{base.text}` cannot be assigned: {what.get(binding.sort, 'it is fixed')}",
                node.span,
                help=f"take another name: `let x = {base.text}`",
            )
        return _Target(binding.type, binding.read, binding.place, binding.local, base.text, True)
    symbol = checker.symbols.names.get(base.text)
    if isinstance(symbol, VariableSymbol):
        if unit.in_function:
            checker.refuse(
                "RR0501",
                f"a function only computes: it may not change `{base.text}`",
                node.span,
                help="make it a rule, or work on a name of its own (`let`)",
            )
        if isinstance(node, syn.Index):
            place = indices.variable_place(unit, symbol, node)
            return _Target(place.type, ir.Load(place), place, None, base.text, False)
        if isinstance(symbol.type, ArrayType):
            expressions.lower(unit, node)
        place = ir.Place(symbol.offset, (), symbol.type, unit.at(node.span))
        return _Target(symbol.type, ir.Load(place), place, None, base.text, True)
    if symbol is None:
        return _unknown_target(unit, base)
    help_ = None
    if isinstance(symbol, ZoneSymbol):
        help_ = "cards are moved: `move … to …`"
    elif isinstance(symbol, OptionSymbol):
        help_ = "an option is set before the game; what changes is declared under `state:`"
    return checker.refuse(
        "RR0410", f"`{base.text}` is {symbol_sort(symbol)}, and cannot be assigned", node.span, help=help_
    )


def _unknown_target(unit: Unit, base: syn.Name) -> _Target:
    names = tuple(n for n, s in unit.checker.symbols.names.items() if isinstance(s, VariableSymbol))
    near = unit.suggestion(base.text, ((*(b.name for b in unit.scope), *names),))
    return unit.checker.refuse(
        "RR0401",
        f"there is nothing named `{base.text}` that could be assigned",
        base.span,
        help=f"did you mean `{near}`?" if near else f"a new name begins with `let`: `let {base.text} = …`",
    )


def assign(unit: Unit, node: syn.Assign) -> None:
    target = _target(unit, node.target)
    at = unit.at(node.span)
    what = f"for `{source_text(node.target.span)}`"
    if node.op != "=":
        if target.type != INT:
            unit.checker.refuse(
                "RR0403",
                f"`{node.op}` is for numbers, and `{source_text(node.target.span)}` is {describe(target.type)}",
                node.span,
            )
        change = expressions.expect(unit, node.value, INT, f"after `{node.op}`")
        right = Right(Typed(simplify.binary(node.op[0], target.read, change, INT, at), INT))
    else:
        right = right_side(unit, node.value, target.type)
        expressions.check(unit, right.typed, target.type, node.value.span, what)
    if target.place is not None:
        unit.flow.op(ir.Store(target.place, right.typed.expr, at))
        if right.fresh is not None:
            unit.flow.op(ir.Clear(right.fresh.offset, unit.checker.words(right.fresh.type)))
        if right.result is not None:
            unit.flow.op(ir.Clear(*right.result))
    else:
        assert target.local is not None
        charge(unit, right.typed.expr)
        unit.flow.op(ir.SetLocal(target.local, right.typed.expr))
    if target.fact:
        unit.facts = facts_but(unit.facts, {target.name})
        if isinstance(target.type, OptionalType) and right.typed.type == target.type.inner and not right.typed.nothing:
            unit.facts |= {target.name}
