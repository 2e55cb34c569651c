"""Statements: one after the other, each handed to the file that knows its sort; branches and notes stay here.

A fault gives up its statement only: what it would have named is bound as unknown, so that one slip is told once.
"""

from __future__ import annotations

from typing import assert_never

from rulerun.check.rule_text import (
    assignments,
    call_statements,
    card_statements,
    choices,
    conditions,
    expressions,
    facts,
    loops,
    operators,
    places,
    windows,
)
from rulerun.check.rule_text.scope import Binding
from rulerun.check.rule_text.survey import leaves
from rulerun.check.rule_text.typed import RefusedError
from rulerun.check.rule_text.unit import Looker, Unit, source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import INT, PLAYER
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
    if not isinstance(node, syn.Let | syn.Say):
        unit.lying.clear()
    match node:
        case syn.Let():
            assignments.let(unit, node)
        case syn.Assign():
            assignments.assign(unit, node)
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
            call_statements.give_back(unit, node)
        case syn.Do():
            call_statements.do(unit, node)
        case (
            syn.Move()
            | syn.Deal()
            | syn.Shuffle()
            | syn.ShuffleInto()
            | syn.Collect()
            | syn.Swap()
            | syn.Flip()
            | syn.Reveal()
            | syn.Show()
        ):
            card_statements.lower(unit, node)
        case syn.Raise():
            call_statements.raise_event(unit, node)
        case syn.Say():
            with unit.shown_to(Looker(None, "a note")):
                parts = choices.template(unit, node.text)
            unit.flow.op(ir.Announce(ir.Label(parts), unit.at(node.span)))
        case syn.EndGame():
            if node.player is None:
                unit.flow.end(ir.Finish())
            else:
                places.end_game_for(unit, node.player, unit.at(node.span))
        case syn.Choose():
            choices.choose(unit, node)
        case syn.Window():
            windows.window(unit, node)
        case syn.AtOnce():
            windows.at_once(unit, node)
        case syn.Tell():
            facts.tell(unit, node)
        case syn.Leave():
            player = expressions.expect(unit, node.player, PLAYER, "before `leaves`")
            unit.flow.op(ir.Leave(player, unit.at(node.span)))
        case syn.Rejoin():
            places.rejoin(unit, node)
        case syn.ReversePlay():
            unit.flow.op(ir.Reverse(unit.at(node.span)))
        case _:
            assert_never(node)


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


# --------------------------------------------------------------------- branches


def _if(unit: Unit, node: syn.If) -> None:
    flow = unit.flow
    end = flow.new()
    ways: list[frozenset[str]] = []
    for test, then_body in node.branches:
        then, otherwise = flow.new(), flow.new()
        try:
            conditions.branch(unit, test, then, otherwise)
        except RefusedError:
            unit.give_up()
            # told already; both ways are still looked at
            flow.branch(ir.Load(ir.Place(0, (), INT, 0)), then, otherwise)
        yes, no = operators.facts(unit, test)
        before = unit.facts
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
