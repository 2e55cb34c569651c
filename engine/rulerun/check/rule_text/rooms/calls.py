"""Calls of functions inside expressions. A call of a rule is a statement."""

from __future__ import annotations

from rulerun.check.declarations.symbols import ProcedureSymbol
from rulerun.check.rule_text import callables, elements, visibility
from rulerun.check.rule_text.driver import expression
from rulerun.check.rule_text.typed import Typed
from rulerun.check.rule_text.units import Unit
from rulerun.check.rule_text.wording import source_text, symbol_sort
from rulerun.ir import nodes as ir
from rulerun.source.diagnostic import ToldError
from rulerun.syntax import nodes as syn


@expression(syn.Call)
def call(unit: Unit, node: syn.Call) -> Typed:
    """A call whose value is used in an expression."""
    name = node.name.text
    if elements.is_subsets(unit, node):
        elements.refuse_as_value(unit, node)
    built_in = callables.find_built_in(unit, name)
    if built_in is not None:
        return callables.call_built_in(unit, node, built_in)
    symbol = unit.symbols.names.get(name)
    score = unit.symbols.score
    if symbol is None and score is not None and name == score.name:
        symbol = score
    if not isinstance(symbol, ProcedureSymbol):
        callables.refuse_call(unit, node, symbol)
    if symbol.sort == "rule":
        unit.refuse(
            "RR0518",
            f"`{name}` is a rule: something may happen in it, so its value cannot be asked inside an expression",
            node.span,
            help=f"write `let x = {source_text(node.span)}` on a line of its own, and then use `x`",
        )
    if symbol.sort == "event":
        unit.refuse(
            "RR0413", f"`{name}` is an event: it is raised", node.span, help=f"`raise {source_text(node.span)}`"
        )
    values = callables.arguments(unit, node, symbol.params, symbol_sort(symbol))
    info = unit.compilation.functions.get(name)
    if info is None or info.result is None:
        raise ToldError
    visibility.function_reads(unit, node, info, values)
    return Typed(ir.CallFunction(info.index, tuple(v.expr for v in values), info.result), info.result)
