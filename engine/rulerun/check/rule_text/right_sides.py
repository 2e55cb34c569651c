"""What may be a whole right side of `let`, `=` and `return`: an expression, a call of a rule, or a chance event."""

from __future__ import annotations

from dataclasses import dataclass

from rulerun.check.declarations.symbols import ProcedureSymbol
from rulerun.check.rule_text import drawing, driver, procedure_calls
from rulerun.check.rule_text.typed import Typed
from rulerun.check.rule_text.units import ProcedureUnit, Unit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import Type
from rulerun.source.diagnostic import ToldError
from rulerun.syntax import nodes as syn


@dataclass(frozen=True, slots=True)
class Right:
    """A whole right side. ``fresh``: a frame place that holds the value and belongs to nobody yet."""

    typed: Typed
    fresh: ir.Place | None = None
    result: ir.Place | None = None
    """Where a called rule left it, to be cleared when read."""


def right_side(unit: Unit, node: syn.Expr, wanted: Type | None, kept: ir.Place | None = None) -> Right:
    """What may stand as the whole right side of `let` and `=`: an expression, a call of a rule, or a chance event.
    ``kept``: the place of a hidden state variable that it is put into."""
    of_rule = rule_value(unit, node)
    if of_rule is not None:
        return of_rule
    if isinstance(unit, ProcedureUnit):
        drawn = drawing.draw_operand(unit, node, wanted, kept)
        if drawn is not None:
            return Right(drawn.typed, drawn.place)
    return Right(driver.lower(unit, node, wanted))


def rule_value(unit: Unit, node: syn.Expr) -> Right | None:
    """The value of a rule, which is run for it; None where this is no call of a rule."""
    if not isinstance(node, syn.Call) or unit.scope.find(node.name.text) is not None:
        return None
    symbol = unit.symbols.names.get(node.name.text)
    if not isinstance(symbol, ProcedureSymbol) or symbol.sort != "rule":
        return None
    procedure_calls.call_rule(unit, node, symbol)
    info = unit.compilation.procedures[symbol.name]
    if info.result is None:
        if info.faulty or not info.lowered:
            raise ToldError
        unit.refuse(
            "RR0517",
            f"the rule `{symbol.name}` gives no value",
            node.span,
            help=f"write `{source_text(node.span)}` alone on the line, or let the rule `return` something",
        )
    place = ir.Place(info.result_place, (), info.result, unit.at(node.span))
    return Right(Typed(ir.Load(place), info.result), None, place)
