"""What `if`, `elif`, `stop if` and `skip to next if` ask: an expression, or the value of a rule, which is run first."""

from __future__ import annotations

from rulerun.check.rule_text import cost, driver, fitting, right_sides, simplify
from rulerun.check.rule_text.units import ProcedureUnit, Unit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir.types import BOOL, INT
from rulerun.syntax import nodes as syn


def branch(unit: Unit, node: syn.Expr, then: int, otherwise: int) -> None:
    """Leads to the block ``then`` where a condition holds, else to ``otherwise``."""
    flow = unit.flow
    asked, negated = node, False
    while isinstance(asked, syn.Not):
        asked, negated = asked.operand, not negated
    right = right_sides.rule_value(unit, asked)
    if right is None or not isinstance(unit, ProcedureUnit):
        test = driver.condition(unit, node)
        cost.charge(unit, test)
        flow.branch(test, then, otherwise)
        return
    if right.typed.type == INT:
        text = source_text(asked.span)
        unit.refuse(
            "RR0403",
            f"`{text}` is a number, and true or false is wanted as a condition",
            asked.span,
            help=f"give it a name first, `let x = {text}`, and compare that: `x > 0`",
        )
    fitting.check(unit, right.typed, BOOL, asked.span, "as a condition")
    held, failed = flow.new(), flow.new()
    test = right.typed.expr
    flow.branch(simplify.negation(test, unit.at(node.span)) if negated else test, held, failed)
    for block, target in ((held, then), (failed, otherwise)):
        flow.start(block)
        unit.clear(right.result)
        flow.jump(target)
