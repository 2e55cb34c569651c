"""``p chooses …`` and ``p may …``: one player is asked, with one line or a menu of them."""

from __future__ import annotations

from rulerun.check.rule_text import driver, offers
from rulerun.check.rule_text.driver import effect
from rulerun.check.rule_text.narrowing import Facts
from rulerun.check.rule_text.survey import leaves
from rulerun.check.rule_text.units import ProcedureUnit
from rulerun.ir import nodes as ir
from rulerun.ir.types import PLAYER
from rulerun.source.diagnostic import ToldError
from rulerun.syntax import nodes as syn


@effect(syn.Choose)
def choose(unit: ProcedureUnit, node: syn.Choose) -> None:
    """``p chooses …`` and ``p may …``: one line or a menu of them."""
    flow, at = unit.flow, unit.at(node.span)
    chooser = driver.expect(unit, node.chooser, PLAYER, "as the one who chooses")
    first = node.lines[0]
    open_form = len(node.lines) == 1 and first.body is None and first.pick is not None
    if open_form and (node.may or node.otherwise is not None) and not (node.otherwise and leaves(node.otherwise)):
        name = first.pick.binders[0].name.text if first.pick is not None else "x"
        unit.refuse(
            "RR0515",
            f"nothing may have been chosen here, and then `{name}` would be nothing",
            node.span,
            help="put what happens with it into a block: end the line with `:`",
        )
    number = offers.site(unit)
    lines = [offers.prepare(unit, line, chooser, offers.in_frame(unit, at)) for line in node.lines]
    done = flow.new()
    passing = flow.new() if node.may or node.otherwise is not None else None
    flow.end(ir.Choose(number, chooser, offers.offered(lines), passing, node.may, node.secret, False, False, at))
    unit.drop_state_facts()
    before = unit.facts
    ways: list[Facts] = []
    secret, unit.secret = unit.secret, node.secret
    for prepared in lines:
        unit.facts = before
        flow.start(prepared.target)
        if open_form:
            offers.bind_chosen(unit, prepared, chooser)
            ways.append(unit.facts)
        else:
            with unit.block():
                _bind_and_run(unit, prepared, chooser)
            if not leaves(prepared.node.body or ()):
                ways.append(unit.facts)
        flow.jump(done)
    unit.secret = secret
    if passing is not None:
        unit.facts = before
        flow.start(passing)
        for prepared in lines:
            prepared.clean_up(unit)
        if node.otherwise is not None:
            driver.body(unit, node.otherwise)
        if node.otherwise is None or not leaves(node.otherwise):
            ways.append(unit.facts)
        flow.jump(done)
    flow.start(done)
    unit.facts = frozenset.intersection(*ways) if ways else before


def _bind_and_run(unit: ProcedureUnit, prepared: offers.PreparedLine, chooser: ir.Expr) -> None:
    try:
        offers.bind_chosen(unit, prepared, chooser)
    except ToldError:
        unit.give_up()
        return
    driver.body(unit, prepared.node.body or ())
