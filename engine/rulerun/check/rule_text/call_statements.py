"""Statements that call and leave: rules, events, `as usual`, `return`."""

from __future__ import annotations

from rulerun.check.declarations.symbols import ProcedureSymbol
from rulerun.check.rule_text import assignments, calls, chance, expressions, usual
from rulerun.check.rule_text.typed import Typed, accepts, describe, optional
from rulerun.check.rule_text.unit import Unit, source_text, symbol_sort
from rulerun.ir import nodes as ir
from rulerun.ir.types import OptionalType, SetType
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn


def do(unit: Unit, node: syn.Do) -> None:
    if isinstance(node.call, syn.AsUsual):
        as_usual(unit, node.call)
        return
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
        elif symbol is not None or not calls.is_built_in(unit, name):
            calls.refuse_call(unit, node.call, symbol)
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
    _run(unit, node, symbol, node.span)


def _run(unit: Unit, call: syn.Call, symbol: ProcedureSymbol, span: Span) -> None:
    """Runs the procedure of a rule or an event, and goes on behind it."""
    values = _arguments(unit, call, symbol)
    info = unit.checker.procedures[symbol.name]
    back = unit.flow.new()
    unit.flow.end(ir.CallProcedure(info.index, tuple(v for v, _ in values), back, unit.at(span)))
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


def raise_event(unit: Unit, node: syn.Raise) -> None:
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
    _run(unit, node.event, symbol, node.span)


def as_usual(unit: Unit, node: syn.AsUsual) -> None:
    """The own text of the event that a trigger stands for. In a text that replaces another it is a call already."""
    if unit.own_text is None:
        usual.refuse(unit, node)
    info = unit.checker.own_texts[unit.own_text]
    back = unit.flow.new()
    arguments = tuple(ir.Load(place) for place in unit.event_params)
    unit.flow.end(ir.CallProcedure(info.index, arguments, back, unit.at(node.span)))
    unit.flow.start(back)
    unit.drop_state_facts()


def give_back(unit: Unit, node: syn.Return) -> None:
    if unit.trigger_end is not None:
        if node.value is not None:
            unit.checker.refuse("RR0517", "an event gives no value", node.span, help="`return` alone leaves this text")
        unit.flow.jump(unit.trigger_end)
        return
    if unit.in_function:
        if node.value is None:
            unit.checker.refuse("RR0511", "a function gives a value: `return` what?", node.span)
        typed = expressions.lower(unit, node.value, unit.result_type)
        assignments.charge(unit, typed.expr)
        unit.results.append((typed, node.value.span))
        _agree(unit, typed, node.value.span)
        unit.flow.end(ir.Return(None, typed.expr))
        return
    if node.value is None:
        _leave(unit, None)
        return
    if unit.name == "play":
        unit.checker.refuse("RR0517", "`play` gives no value", node.span, help="the result is told under `result:`")
    right = assignments.right_side(unit, node.value, unit.result_type)
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
