"""What an `Inform` means: facts about the cards of a zone, or one fact, told to everyone.

Imports facts, ir and run only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulerun.facts.calls import called
from rulerun.facts.events import Hinted
from rulerun.facts.known import Known
from rulerun.facts.observations import HintedKinds
from rulerun.ir import nodes as ir
from rulerun.ir.program import Program, is_hidden
from rulerun.ir.traverse import walk
from rulerun.ir.types import CARD
from rulerun.run.places import always, is_ordered, zone

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulerun.run.closures import Registers, Step, Vector
    from rulerun.run.planner import Planner

LOOKS = ir.ZoneCards | ir.ZoneEnd | ir.ZoneTop | ir.ZoneDomain | ir.BoardDomain | ir.InZone | ir.Knows
"""What looks at cards that lie in zones."""


def inform(plan: Planner, op: ir.Inform) -> Step:
    """The facts are worked out even where nobody is told: they may fault."""
    to = always((1 << plan.program.players) - 1) if op.to is None else plan.value(op.to)
    test, teller, at = plan.number(op.test), plan.teller, op.at
    if op.zone is not None:
        return _inform_of_cards(plan, op, op.zone)

    def inform_of_one(v: Vector, r: Registers) -> None:
        seats = to(v, r)
        fact = test(v, r)
        if teller is not None:
            teller.tell(v, Hinted(at, seats, -1, (fact,)))

    return inform_of_one


def _inform_of_cards(plan: Planner, op: ir.Inform, ref: ir.ZoneRef) -> Step:
    program, teller, local, at, ordered = plan.program, plan.teller, op.local, op.at, is_ordered(plan, ref)
    to = always((1 << program.players) - 1) if op.to is None else plan.value(op.to)
    test, instance, cards = plan.number(op.test), zone(plan, ref), plan.elements(ir.ZoneDomain(ref), 0, at)
    by_kind = teller is not None and is_by_kind(program, op.test, local)
    aloud = by_kind and ordered and is_said_aloud(program, op.test, local)
    lowest = [program.kinds.index(kind) for kind in sorted(set(program.kinds))]

    def holds(v: Vector, r: Registers, card: int) -> int:
        r[local] = card
        return test(v, r)

    def inform_of_each(v: Vector, r: Registers) -> None:
        seats, where = to(v, r), instance(v, r)
        facts = [holds(v, r, card) for card in cards(v, r)]
        if teller is None:
            return
        passing = tuple(program.kinds[card] for card in lowest if holds(v, r, card)) if by_kind else None
        if aloud and passing is not None:
            teller.tell(v, HintedKinds(where, passing))
        teller.tell(v, Hinted(at, seats, where, tuple(facts) if ordered else (sum(facts),), passing))

    return inform_of_each


def is_said_aloud(program: Program, test: ir.Expr, local: int) -> bool:
    """Whether everybody hears what the facts are about: the test looks at no card but the one that it is about, and
    not at what lies where. (What is kept in a `let` is said as a note would say it.)"""
    own = ir.Local(local, CARD)
    if any(isinstance(node, ir.CardField) and node.card != own for node in walk(test)):
        return False
    in_functions = list(_in_functions(program, test))
    if any(isinstance(node, ir.CardField) for node in in_functions):
        return False
    return not any(isinstance(node, LOOKS) for node in [*walk(test), *in_functions])


def is_by_kind(program: Program, test: ir.Expr, local: int) -> bool:
    """Whether a test reads nothing of a card but what is printed on it, and nothing of the state that some seat does
    not see, and cannot fault for any card."""
    if not Known(program).is_quiet(test):
        return False
    nodes = [*walk(test), *_in_functions(program, test)]
    if any(isinstance(node, ir.Load) and is_hidden(program, node.place.offset) for node in nodes):
        return False
    own = ir.Local(local, CARD)
    in_fields = sum(isinstance(node, ir.CardField) and node.card == own for node in walk(test))
    return in_fields == sum(isinstance(node, ir.Local) and node.index == local for node in walk(test))


def _in_functions(program: Program, expr: ir.Expr) -> Iterator[Any]:
    """Every node of the functions that an expression calls, and of those that they call."""
    known: set[int] = set()
    waiting = list(called(expr))
    while waiting:
        number = waiting.pop()
        if number not in known:
            known.add(number)
            blocks = program.functions[number].blocks
            waiting += called(blocks)
            yield from walk(blocks)
