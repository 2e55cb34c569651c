"""Statements: names and assignments, branches, calls of rules, returns, notes. Loops, cards and choices have files.

A fault gives up its statement only: what it would have named is bound as unknown, so that one slip is told once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from rulerun.check import (
    calls,
    card_statements,
    chance,
    choices,
    cost,
    expressions,
    loops,
    operators,
    simplify,
    windows,
)
from rulerun.check.scope import Binding
from rulerun.check.survey import leaves
from rulerun.check.symbols import OptionSymbol, ProcedureSymbol, VariableSymbol, ZoneSymbol
from rulerun.check.typed import RefusedError, Typed, accepts, describe, optional, zero
from rulerun.check.types import resolve_type
from rulerun.check.unit import BUILTINS, Looker, Unit, source_text, symbol_sort
from rulerun.ir import nodes as ir
from rulerun.ir.types import INT, ArrayType, OptionalType, SetType, Type
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn


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
            unit.checker.found.error(
                "RR0504",
                "this is never reached: the statement before it always leaves",
                node.span,
                help="take it out, or put a condition before it",
            )
            return
        unit.flow.at = unit.at(node.span)
        try:
            statement(unit, node)
        except RefusedError:
            unit.give_up()
            _bind_unknown(unit, node)


def _bind_unknown(unit: Unit, node: syn.Stmt) -> None:
    """The names that a faulty statement would have bound for those after it."""
    names: list[syn.Ident] = []
    match node:
        case syn.Let():
            names = [node.name]
        case syn.Choose(lines=lines) if len(lines) == 1 and lines[0].body is None and lines[0].pick is not None:
            names = [b.name for b in lines[0].pick.binders]
        case _:
            pass
    for name in names:
        if unit.scope.find(name.text) is None:
            unit.scope.add(Binding(name.text, "let", name.span, None, assignable=True))


def statement(unit: Unit, node: syn.Stmt) -> None:
    if unit.in_function:
        _refuse_effects(unit, node)
    match node:
        case syn.Let():
            _let(unit, node)
        case syn.Assign():
            _assign(unit, node)
        case syn.If():
            _if(unit, node)
        case syn.For():
            loops.for_each(unit, node)
        case syn.Repeat():
            loops.repeat(unit, node)
        case syn.Stop():
            loops.stop(unit, node)
        case syn.Skip():
            loops.skip(unit, node)
        case syn.Return():
            _return(unit, node)
        case syn.Do():
            _do(unit, node)
        case syn.Move() | syn.Deal() | syn.Shuffle() | syn.Collect() | syn.Swap() | syn.Reveal() | syn.Show():
            card_statements.lower(unit, node)
        case syn.Raise():
            _raise(unit, node)
        case syn.AsUsual():
            _as_usual(unit, node)
        case syn.Say():
            with unit.shown_to(Looker(None, "a note")):
                parts = choices.template(unit, node.text)
            unit.flow.op(ir.Announce(ir.Label(parts), unit.at(node.span)))
        case syn.EndGame():
            if node.player is not None:
                not_yet(unit, "`end game for`", node.span)
            unit.flow.end(ir.Finish())
        case syn.Choose():
            choices.choose(unit, node)
        case syn.Window():
            windows.window(unit, node)
        case syn.AtOnce():
            windows.at_once(unit, node)
        case syn.Flip():
            not_yet(unit, "`flip`", node.span)
        case syn.Tell():
            not_yet(unit, "`tell`", node.span)
        case syn.Leave():
            not_yet(unit, "`leaves`", node.span)
        case syn.ReversePlay():
            not_yet(unit, "`reverse play`", node.span)
        case _:
            assert_never(node)


def not_yet(unit: Unit, what: str, span: Span) -> None:
    unit.checker.refuse("RR0513", f"{what} is not part of version 1 of the language yet", span)


def _refuse_effects(unit: Unit, node: syn.Stmt) -> None:
    match node:
        case syn.Let() | syn.Assign() | syn.If() | syn.For() | syn.Return() | syn.Stop() | syn.Skip() | syn.Do():
            return
        case syn.Repeat():
            unit.checker.refuse(
                "RR0501", "a function may not `repeat`", node.span, help="`for n in 1..10:` has an end that is known"
            )
        case _:
            unit.checker.refuse(
                "RR0501",
                f"a function only computes: `{source_text(node.span)}` would make something happen",
                node.span,
                help="make it a rule (under `rules:`), and call that as a statement",
            )


# ------------------------------------------------------------- names and values


@dataclass(frozen=True, slots=True)
class Right:
    """A whole right side. ``fresh``: a frame place that holds the value and belongs to nobody yet."""

    typed: Typed
    fresh: ir.Place | None = None
    result: tuple[int, int] | None = None
    """Result words of a called rule, to be cleared when read."""


def right_side(unit: Unit, node: syn.Expr, wanted: Type | None) -> Right:
    """What may stand as the whole right side of `let` and `=`: an expression, a call of a rule, or a chance event."""
    if isinstance(node, syn.Call):
        symbol = unit.checker.symbols.names.get(node.name.text)
        if isinstance(symbol, ProcedureSymbol) and symbol.sort == "rule" and unit.scope.find(node.name.text) is None:
            return _rule_value(unit, node, symbol)
    if not unit.in_function:
        drawn = chance.draw_operand(unit, node, wanted)
        if drawn is not None:
            return Right(drawn.typed, drawn.place)
    return Right(expressions.lower(unit, node, wanted))


def _rule_value(unit: Unit, node: syn.Call, symbol: ProcedureSymbol) -> Right:
    call_rule(unit, node, symbol)
    info = unit.checker.procedures[symbol.name]
    if info.faulty or not info.lowered:
        raise RefusedError
    if info.result is None:
        unit.checker.refuse(
            "RR0517",
            f"the rule `{symbol.name}` gives no value",
            node.span,
            help=f"write `{source_text(node.span)}` alone on the line, or let the rule `return` something",
        )
    place = ir.Place(info.result_place, (), info.result, unit.at(node.span))
    return Right(Typed(ir.Load(place), info.result), None, (info.result_place, unit.checker.words(info.result)))


def _let(unit: Unit, node: syn.Let) -> None:
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
    read = ir.Load(place)
    unit.bind(Binding(name, "let", node.name.span, type_, read, place, assignable=True, secret=secret))


def _lasting(unit: Unit, node: syn.Expr) -> bool:
    """Whether an expression over players keeps its value: a neighbour of a local name that is never assigned."""
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
            place = expressions.variable_place(unit, symbol, node)
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


def _assign(unit: Unit, node: syn.Assign) -> None:
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
        unit.facts -= {target.name, f"knows {target.name}"}
        if isinstance(target.type, OptionalType) and right.typed.type == target.type.inner and not right.typed.nothing:
            unit.facts |= {target.name}


# --------------------------------------------------------------------- branches


def _if(unit: Unit, node: syn.If) -> None:
    flow = unit.flow
    end = flow.new()
    ways: list[frozenset[str]] = []
    for test, then_body in node.branches:
        try:
            condition = expressions.condition(unit, test)
        except RefusedError:
            unit.give_up()
            condition = ir.Load(ir.Place(0, (), INT, 0))  # told already; both ways are still looked at
        charge(unit, condition)
        yes, no = operators.facts(unit, test)
        before = unit.facts
        then, otherwise = flow.new(), flow.new()
        flow.branch(condition, then, otherwise)
        flow.start(then)
        unit.facts = before | yes
        body(unit, then_body)
        if not leaves(then_body):
            ways.append(unit.facts)
        flow.jump(end)
        flow.start(otherwise)
        unit.facts = before | no
    if node.otherwise is not None:
        body(unit, node.otherwise)
    if node.otherwise is None or not leaves(node.otherwise):
        ways.append(unit.facts)
    flow.jump(end)
    flow.start(end)
    if ways:
        unit.facts = frozenset.intersection(*ways)


# ------------------------------------------------------------------ calls, ends


def _do(unit: Unit, node: syn.Do) -> None:
    if isinstance(node.call, syn.Call):
        name = node.call.name.text
        symbol = unit.checker.symbols.names.get(name)
        if isinstance(symbol, ProcedureSymbol):
            if symbol.sort == "rule":
                call_rule(unit, node.call, symbol)
                return
            if symbol.sort == "event":
                unit.checker.refuse(
                    "RR0413", f"`{name}` is an event: it is raised", node.span, help=f"`raise {source_text(node.span)}`"
                )
        elif symbol is not None or name not in BUILTINS:
            calls.refuse_call(unit, node.call, symbol)
    if isinstance(node.call, syn.Name):
        symbol = unit.checker.symbols.names.get(node.call.text)
        if isinstance(symbol, ProcedureSymbol) and symbol.sort == "rule":
            unit.checker.refuse("RR0413", f"`{symbol.name}` is a rule", node.span, help=f"call it: `{symbol.name}()`")
    expressions.lower(unit, node.call)
    unit.checker.refuse(
        "RR0413",
        f"`{source_text(node.span)}` is a value, and nothing is done with it",
        node.span,
        help=f"give it a name: `let x = {source_text(node.span)}`" if not unit.in_function else "`return` it",
    )


def call_rule(unit: Unit, node: syn.Call, symbol: ProcedureSymbol) -> None:
    """A call of a rule as a statement; its value, if any, lies in its result place afterwards."""
    if unit.in_function:
        unit.checker.refuse(
            "RR0501",
            f"a function only computes: it may not call the rule `{symbol.name}`",
            node.span,
            help="make this a rule too, or that a function",
        )
    if symbol.name == "play" and "play" not in unit.checker.cyclic:
        unit.checker.refuse("RR0510", "`play` is where the game begins; it cannot be called", node.span)
    calls.check_arity(unit, node, symbol.params, "the rule is")
    values = _arguments(unit, node, symbol)
    info = unit.checker.procedures[symbol.name]
    back = unit.flow.new()
    unit.flow.end(ir.CallProcedure(info.index, tuple(v for v, _ in values), back, unit.at(node.span)))
    unit.flow.start(back)
    for _, place in values:
        if place is not None:
            unit.flow.op(ir.Clear(place.offset, unit.checker.words(place.type)))
    unit.drop_state_facts()


def _arguments(unit: Unit, node: syn.Call, symbol: ProcedureSymbol) -> list[tuple[ir.Expr, ir.Place | None]]:
    """Arguments of a rule or event: operands of a statement, so a card may be drawn for one."""
    result: list[tuple[ir.Expr, ir.Place | None]] = []
    for argument, (name, type_) in zip(node.arguments, symbol.params, strict=True):
        what = f"as `{name}` of `{symbol.name}`"
        drawn = chance.draw_operand(unit, argument, type_)
        if drawn is not None:
            expressions.check(unit, drawn.typed, type_, argument.span, what)
            result.append((drawn.typed.expr, drawn.place))
        else:
            result.append((expressions.expect(unit, argument, type_, what), None))
    return result


def _raise(unit: Unit, node: syn.Raise) -> None:
    name = node.event.name.text
    symbol = unit.checker.symbols.names.get(name)
    if not isinstance(symbol, ProcedureSymbol) or symbol.sort != "event":
        events = tuple(s.name for s in unit.checker.symbols.of_sort("event"))
        near = unit.suggestion(name, (events,))
        if symbol is not None:
            call = f"`{source_text(node.event.span)}`" if isinstance(symbol, ProcedureSymbol) else None
            unit.checker.refuse(
                "RR0413",
                f"`{name}` is {symbol_sort(symbol)}, and not an event",
                node.span,
                help=f"call it without `raise`: {call}" if call else None,
            )
        unit.checker.refuse(
            "RR0401",
            f"there is no event named `{name}`",
            node.event.name.span,
            help=f"did you mean `{near}`?" if near else f"the events are {', '.join(events)}" if events else None,
        )
    calls.check_arity(unit, node.event, symbol.params, "the event is")
    values = _arguments(unit, node.event, symbol)
    info = unit.checker.procedures[name]
    back = unit.flow.new()
    unit.flow.end(ir.CallProcedure(info.index, tuple(v for v, _ in values), back, unit.at(node.span)))
    unit.flow.start(back)
    for _, place in values:
        if place is not None:
            unit.flow.op(ir.Clear(place.offset, unit.checker.words(place.type)))
    unit.drop_state_facts()


def _as_usual(unit: Unit, node: syn.AsUsual) -> None:
    if unit.own_text is None:
        unit.checker.refuse(
            "RR0514",
            "`as usual` runs an event's own text: it may stand only in a trigger with `instead of:`",
            node.span,
        )
    info = unit.checker.own_texts[unit.own_text]
    back = unit.flow.new()
    arguments = tuple(ir.Load(place) for place in unit.event_params)
    unit.flow.end(ir.CallProcedure(info.index, arguments, back, unit.at(node.span)))
    unit.flow.start(back)
    unit.drop_state_facts()


def _return(unit: Unit, node: syn.Return) -> None:
    if unit.trigger_end is not None:
        if node.value is not None:
            unit.checker.refuse("RR0517", "an event gives no value", node.span, help="`return` alone leaves this text")
        unit.flow.jump(unit.trigger_end)
        return
    if unit.in_function:
        if node.value is None:
            unit.checker.refuse("RR0511", "a function gives a value: `return` what?", node.span)
        typed = expressions.lower(unit, node.value, unit.result_type)
        charge(unit, typed.expr)
        unit.results.append((typed, node.value.span))
        _agree(unit, typed, node.value.span)
        unit.flow.end(ir.Return(None, typed.expr))
        return
    if node.value is None:
        _leave(unit, None)
        return
    if unit.name == "play":
        unit.checker.refuse("RR0517", "`play` gives no value", node.span, help="the result is told under `result:`")
    right = right_side(unit, node.value, unit.result_type)
    unit.results.append((right.typed, node.value.span))
    _agree(unit, right.typed, node.value.span)
    if unit.result_place < 0 and unit.result_type is not None:
        unit.result_place = unit.words(unit.checker.words(unit.result_type))
    if right.result is not None:
        # the callee's words are read by the return itself and cleared only there: keep the value in a name of our own
        place = unit.temporary(right.typed.type, unit.at(node.span))
        unit.flow.op(ir.Store(place, right.typed.expr, unit.at(node.span)))
        unit.flow.op(ir.Clear(*right.result))
        _leave(unit, ir.Load(place))
        return
    _leave(unit, right.typed.expr)


def _leave(unit: Unit, value: ir.Expr | None) -> None:
    unit.flow.end(ir.Finish() if unit.name == "play" else ir.Return(unit.index, value))


def _agree(unit: Unit, typed: Typed, span: Span) -> None:
    """All values that a function or rule returns have one type (with ``or none`` where one of them may be)."""
    if typed.nothing:
        if unit.result_type is not None and not isinstance(unit.result_type, OptionalType):
            unit.result_type = optional(unit.result_type) if not isinstance(unit.result_type, SetType) else None
        return
    if unit.result_type is None:
        none_before = any(t.nothing for t, _ in unit.results)
        unit.result_type = optional(typed.type) if none_before else typed.type
        return
    if accepts(unit.result_type, typed.type):
        return
    if accepts(typed.type, unit.result_type):
        unit.result_type = typed.type
        return
    unit.checker.refuse(
        "RR0403",
        f"`{source_text(span)}` is {describe(typed.type)}, and elsewhere this gives {describe(unit.result_type)}",
        span,
    )
