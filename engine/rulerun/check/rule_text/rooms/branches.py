"""`if`, `elif`, `else`."""

from __future__ import annotations

from rulerun.check.rule_text import conditions, driver, narrowing
from rulerun.check.rule_text.driver import statement
from rulerun.check.rule_text.narrowing import Facts
from rulerun.check.rule_text.survey import leaves
from rulerun.check.rule_text.units import Unit
from rulerun.ir import nodes as ir
from rulerun.ir.types import INT
from rulerun.source.diagnostic import ToldError
from rulerun.syntax import nodes as syn


@statement(syn.If)
def branch(unit: Unit, node: syn.If) -> None:
    flow = unit.flow
    end = flow.new()
    ways: list[Facts] = []
    for test, then_body in node.branches:
        then, otherwise = flow.new(), flow.new()
        try:
            conditions.branch(unit, test, then, otherwise)
        except ToldError:
            unit.give_up()
            # told already; both ways are still looked at
            flow.branch(ir.Load(ir.Place(0, (), INT, 0)), then, otherwise)
        yes, no = narrowing.by(test)
        before = unit.facts
        flow.start(then)
        unit.facts = before | yes
        driver.body(unit, then_body)
        if not leaves(then_body):
            ways.append(unit.facts)
        flow.jump(end)
        flow.start(otherwise)
        unit.facts = before | no
    if node.otherwise is not None:
        driver.body(unit, node.otherwise)
    if node.otherwise is None or not leaves(node.otherwise):
        ways.append(unit.facts)
    flow.jump(end)
    flow.start(end)
    if ways:
        unit.facts = frozenset.intersection(*ways)
