"""Statements that call and leave: rules, events, `as usual`, `return`."""

from __future__ import annotations

from typing import NoReturn, assert_never

from rulerun.check.declarations.symbols import ProcedureSymbol
from rulerun.check.rule_text import callables, cost, driver, procedure_calls, right_sides, super_calls
from rulerun.check.rule_text.driver import effect, expression, statement
from rulerun.check.rule_text.typed import Typed, accepts, describe, optional
from rulerun.check.rule_text.units import EventText, FunctionUnit, ProcedureUnit, Unit
from rulerun.check.rule_text.wording import source_text, symbol_sort
from rulerun.ir import nodes as ir
from rulerun.ir.types import OptionalType, SetType
from rulerun.source.spell import nearest
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn


@statement(syn.Do)
def do(unit: Unit, node: syn.Do) -> None:
    if isinstance(node.call, syn.AsUsual):
        _as_usual(unit, node.call)
        return
    if isinstance(node.call, syn.Call):
        name = node.call.name.text
        symbol = unit.symbols.names.get(name)
        if isinstance(symbol, ProcedureSymbol):
            if symbol.sort == "rule":
                procedure_calls.call_rule(unit, node.call, symbol)
                return
            if symbol.sort == "event":
                unit.refuse(
                    "RR0413", f"`{name}` is an event: it is raised", node.span, help=f"`raise {source_text(node.span)}`"
                )
        elif symbol is not None or callables.find_built_in(unit, name) is None:
            callables.refuse_call(unit, node.call, symbol)
    driver.lower(unit, node.call)
    unit.refuse(
        "RR0413",
        f"`{source_text(node.span)}` is a value, and nothing is done with it",
        node.span,
        help="`return` it" if isinstance(unit, FunctionUnit) else f"give it a name: `let x = {source_text(node.span)}`",
    )


@effect(syn.Raise)
def raise_event(unit: ProcedureUnit, node: syn.Raise) -> None:
    name = node.event.name.text
    symbol = unit.symbols.names.get(name)
    if not isinstance(symbol, ProcedureSymbol) or symbol.sort != "event":
        events = tuple(s.name for s in unit.symbols.of_sort("event"))
        near = unit.suggestion(name, (events,))
        if symbol is not None:
            call = f"`{source_text(node.event.span)}`" if isinstance(symbol, ProcedureSymbol) else None
            unit.refuse(
                "RR0413",
                f"`{name}` is {symbol_sort(symbol)}, and not an event",
                node.span,
                help=f"call it without `raise`: {call}" if call else None,
            )
        unit.refuse(
            "RR0401",
            f"there is no event named `{name}`",
            node.event.name.span,
            help=f"did you mean `{near}`?" if near else f"the events are {', '.join(events)}" if events else None,
        )
    callables.check_arity(unit, node.event, symbol.params, "the event is")
    procedure_calls.run_procedure(unit, node.event, symbol, node.span)


@statement(syn.Return)
def give_back(unit: Unit, node: syn.Return) -> None:
    match unit:
        case FunctionUnit():
            _return_from_function(unit, node)
        case ProcedureUnit(event=EventText(end=int(end))):
            if node.value is not None:
                unit.refuse("RR0517", "an event gives no value", node.span, help="`return` alone leaves this text")
            unit.flow.jump(end)
        case ProcedureUnit():
            _return_from_rule(unit, node)
        case _:
            assert_never(unit)


def _return_from_function(unit: FunctionUnit, node: syn.Return) -> None:
    if node.value is None:
        unit.refuse("RR0511", "a function gives a value: `return` what?", node.span)
    typed = driver.lower(unit, node.value, unit.result_type)
    cost.charge(unit, typed.expr)
    _agree(unit, typed, node.value.span)
    unit.flow.end(ir.Return(None, typed.expr))


def _return_from_rule(unit: ProcedureUnit, node: syn.Return) -> None:
    if node.value is None:
        _leave(unit, None)
        return
    if unit.name == "play":
        unit.refuse("RR0517", "`play` gives no value", node.span, help="the result is told under `result:`")
    right = right_sides.right_side(unit, node.value, unit.result_type)
    _agree(unit, right.typed, node.value.span)
    if unit.result_place < 0 and unit.result_type is not None:
        unit.result_place = unit.words(unit.compilation.words(unit.result_type))
    if right.result is not None:
        # the callee's words are read by the return itself and cleared only there: keep the value in a name of our own
        place = unit.temporary(right.typed.type, unit.at(node.span))
        unit.flow.op(ir.Store(place, right.typed.expr, unit.at(node.span)))
        unit.clear(right.result)
        _leave(unit, ir.Load(place))
        return
    _leave(unit, right.typed.expr)


def _leave(unit: ProcedureUnit, value: ir.Expr | None) -> None:
    unit.flow.end(ir.Finish() if unit.name == "play" else ir.Return(unit.index, value))


def _agree(unit: Unit, typed: Typed, span: Span) -> None:
    """All values that a function or rule returns have one type (with ``or none`` where one of them may be)."""
    unit.results.append((typed, span))
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
    unit.refuse(
        "RR0403",
        f"`{source_text(span)}` is {describe(typed.type)}, and elsewhere this gives {describe(unit.result_type)}",
        span,
    )


# -------------------------------------------------------------------------- as usual


def _as_usual(unit: Unit, node: syn.AsUsual) -> None:
    """The own text of the event that a trigger stands for. In a text that replaces another it is a call already."""
    if not isinstance(unit, ProcedureUnit) or unit.event is None or unit.event.timing != "instead of":
        _refuse_as_usual(unit, node)
    info = unit.compilation.own_texts[unit.name]
    arguments = tuple(ir.Load(place) for place in unit.params)
    unit.flow.across(lambda back: ir.CallProcedure(info.index, arguments, back, unit.at(node.span)))
    unit.drop_state_facts()


@expression(syn.AsUsual)
def as_usual_as_value(unit: Unit, node: syn.AsUsual) -> Typed:
    _refuse_as_usual(unit, node)


def _refuse_as_usual(unit: Unit, node: syn.AsUsual) -> NoReturn:
    """`as usual` where there is nothing to run, or no value to be had. Never returns."""
    match unit:
        case ProcedureUnit(event=EventText(timing=timing, end=end)):
            if timing == "instead of" or (timing is None and end is not None and unit.name in unit.symbols.replaced):
                unit.refuse("RR0517", "an event gives no value", node.span, help="write `as usual` alone on its line")
            if timing is not None:
                unit.refuse(
                    "RR0514",
                    "`as usual` runs an event's own text: it may stand only in a trigger with `instead of:`",
                    node.span,
                )
        case _:  # a function, or a rule: is there a text that it replaces?
            pass
    symbol = unit.symbols.names.get(unit.name)
    sort = symbol.sort if isinstance(symbol, ProcedureSymbol) else "function"
    others = [s.name for s in unit.symbols.of_sort(sort) if s.name != unit.name and not super_calls.is_usual(s.name)]
    near = nearest(unit.name, others)
    what = f"{symbol_sort(symbol)}" if symbol is not None else "one"
    name = unit.name.removesuffix(super_calls.SUFFIX)
    unit.refuse(
        "RR0514",
        f"`as usual` runs the text that this one replaces, and `{name}` replaces none",
        node.span,
        help=f"if it is to replace `{near}`, it must have that name"
        if near
        else f"it may stand where a variant, or a file that extends another, writes {what} anew",
    )
