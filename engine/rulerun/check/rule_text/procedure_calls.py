"""Running the procedure of a rule or an event, and going on behind it."""

from __future__ import annotations

from rulerun.check.declarations.symbols import ProcedureSymbol
from rulerun.check.rule_text import callables, drawing, driver, fitting
from rulerun.check.rule_text.units import ProcedureUnit, Unit
from rulerun.ir import nodes as ir
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn


def call_rule(unit: Unit, node: syn.Call, symbol: ProcedureSymbol) -> None:
    """A call of a rule as a statement; its value, if any, lies in its result place afterwards."""
    if not isinstance(unit, ProcedureUnit):
        unit.refuse(
            "RR0501",
            f"a function only computes: it may not call the rule `{symbol.name}`",
            node.span,
            help="make this a rule too, or that a function",
        )
    if symbol.name == "play" and "play" not in unit.compilation.cyclic:
        unit.refuse("RR0510", "`play` is where the game begins; it cannot be called", node.span)
    callables.check_arity(unit, node, symbol.params, "the rule is")
    run_procedure(unit, node, symbol, node.span)


def run_procedure(unit: ProcedureUnit, call: syn.Call, symbol: ProcedureSymbol, span: Span) -> None:
    """Runs the procedure of a rule or an event, and goes on behind it."""
    values = _arguments(unit, call, symbol)
    info = unit.compilation.procedures[symbol.name]
    arguments = tuple(value for value, _ in values)
    unit.flow.across(lambda back: ir.CallProcedure(info.index, arguments, back, unit.at(span)))
    for _, drawn in values:
        unit.clear(drawn)
    unit.drop_state_facts()


def _arguments(unit: ProcedureUnit, node: syn.Call, symbol: ProcedureSymbol) -> list[tuple[ir.Expr, ir.Place | None]]:
    """Arguments of a rule or event: operands of a statement, so a card may be drawn for one."""
    result: list[tuple[ir.Expr, ir.Place | None]] = []
    for argument, (name, type_) in zip(node.arguments, symbol.params, strict=True):
        what = f"as `{name}` of `{symbol.name}`"
        drawn = drawing.draw_operand(unit, argument, type_)
        if drawn is not None:
            fitting.check(unit, drawn.typed, type_, argument.span, what)
            result.append((drawn.typed.expr, drawn.place))
        else:
            result.append((driver.expect(unit, argument, type_, what), None))
    return result
