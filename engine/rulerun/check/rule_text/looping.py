"""Loops of a procedure over the elements of a domain or over numbers, whatever they do each time; and what is known in
and after a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rulerun.check.rule_text import drawing, driver, elements, narrowing, simplify
from rulerun.check.rule_text.flow import OpenLoop
from rulerun.check.rule_text.narrowing import facts_but
from rulerun.check.rule_text.scope import Binding
from rulerun.check.rule_text.survey import assigned, may_leave, unsettles
from rulerun.check.rule_text.typed import DomainUse
from rulerun.check.rule_text.units import Exit, ProcedureUnit, Unit
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import snapshot_words
from rulerun.ir.types import BOOL, INT, PLAYER, SetType, Type
from rulerun.syntax import nodes as syn

Inside = Callable[[Exit], None]
"""Writes what a loop does each time. It knows where the loop goes on and where it ends."""

Numbers = ir.NumberDomain | ir.SteppedDomain

# ------------------------------------------------------------------------- snapshots


@dataclass(frozen=True, slots=True)
class TakenElements:
    """The elements of a domain as they were when a loop began, in words of the frame; ``counter`` counts those that
    have had their turn."""

    offset: int
    words: int
    counter: ir.Place
    element: Type

    def more(self, at: int) -> ir.Expr:
        """Whether some have not had their turn."""
        return ir.Binary("<", ir.Load(self.counter), ir.SnapshotCount(self.offset), BOOL, at)

    def next_into(self, unit: ProcedureUnit, item: ir.Place, at: int) -> None:
        """The next one has its turn."""
        unit.flow.op(ir.Store(item, ir.SnapshotItem(self.offset, ir.Load(self.counter), self.element), at))
        unit.flow.op(drawing.counted(self.counter, at))

    def clear(self, unit: ProcedureUnit) -> None:
        unit.flow.op(ir.Clear(self.offset, self.words))
        unit.clear(self.counter)


def snapshot(unit: ProcedureUnit, domain: ir.Domain, element: Type, at: int) -> TakenElements:
    """Takes down the elements of a domain."""
    most = unit.compilation.set_size(element)
    words = snapshot_words(most)
    offset = unit.words(words)
    counter = unit.temporary(INT, at)
    unit.flow.op(ir.Snapshot(domain, offset, most, at))
    return TakenElements(offset, words, counter, element)


@contextmanager
def each(unit: ProcedureUnit, taken: TakenElements, item: ir.Place, at: int) -> Iterator[OpenLoop]:
    """What follows inside is done for each element, which then lies in `item`."""
    with unit.flow.while_(taken.more(at)) as loop:
        taken.next_into(unit, item, at)
        yield loop


# ----------------------------------------------------------------- what is known


def forget_changes(unit: Unit, *texts: object) -> None:
    """Before a loop: forgets what its texts may change, since they run again."""
    for text in texts:
        unit.facts = facts_but(unit.facts, assigned(text))
        if unsettles(text):
            unit.drop_state_facts()


@contextmanager
def leaving(unit: Unit, loop: OpenLoop, texts: object) -> Iterator[Exit]:
    """Inside is what a loop does each time. Behind it holds what held before it and wherever it is left."""
    forget_changes(unit, texts)
    head = unit.facts
    exit_ = Exit(loop.done, loop.again, "loop", [])
    yield exit_
    unit.facts = head.intersection(*exit_.facts)


# ---------------------------------------------------------------------------- `for`


def run_for(unit: ProcedureUnit, node: syn.Clause, texts: object, inside: Inside) -> None:
    """A loop in a procedure. `texts` are what it runs each time, for what they may change."""
    domain, drawn = drawing.drawn_domain(unit, node.domain)
    elements.refuse_loop(unit, domain, node.domain)
    if isinstance(domain.domain, ir.NumberDomain | ir.SteppedDomain):
        _numbers(unit, node, texts, inside, domain.domain)
        return
    if domain.undrawn:
        assert domain.source is not None
        drawing.draw_all(unit, domain.source, unit.at(node.span))
    domain = elements.filtered(unit, domain, node.name, node.where)
    _elements(unit, node, texts, inside, domain, drawn)


def _elements(
    unit: ProcedureUnit, node: syn.Clause, texts: object, inside: Inside, domain: DomainUse, drawn: ir.Place | None
) -> None:
    flow, at = unit.flow, unit.at(node.span)
    taken = snapshot(unit, domain.domain, domain.element, at)
    item = unit.variable(node.name.text, domain.element, at)
    began: ir.Place | None = None
    if domain.element == PLAYER and unit.compilation.leaving and may_leave(texts):
        began = unit.temporary(SetType(PLAYER), at)
        flow.op(ir.Store(began, ir.PlayersIn(), at))
    unit.clear(drawn)
    with each(unit, taken, item, at) as loop, leaving(unit, loop, texts) as exit_:
        if began is not None:
            _pass_over_who_left(unit, ir.Load(item), ir.Load(began), loop.again, at)
        with unit.block():
            unit.bind(Binding(node.name.text, "loop name", node.name.span, domain.element, ir.Load(item), item))
            unit.facts |= narrowing.holding(node.where)
            inside(exit_)
    taken.clear(unit)
    unit.clear(item)
    unit.clear(began)


def _pass_over_who_left(unit: ProcedureUnit, player: ir.Expr, began: ir.Expr, otherwise: int, at: int) -> None:
    """Who was in play when a loop began and is out by now has no turn in it any more."""
    goes_on = unit.flow.new()
    was_out = simplify.negation(ir.Contains(player, began), at)
    unit.flow.branch(ir.Or(ir.Contains(player, ir.PlayersIn()), was_out), goes_on, otherwise)
    unit.flow.start(goes_on)


def step_of(domain: Numbers) -> tuple[int, str]:
    """From one number to the next, and how it compares with the end while the loop goes on."""
    step = domain.step if isinstance(domain, ir.SteppedDomain) else 1
    return step, "<=" if step > 0 else ">="


def _numbers(unit: ProcedureUnit, node: syn.Clause, texts: object, inside: Inside, domain: Numbers) -> None:
    by, sign = step_of(domain)
    flow, at = unit.flow, unit.at(node.span)
    counter = unit.variable(node.name.text, INT, at)
    flow.op(ir.Store(counter, domain.low, at))
    high = domain.high
    kept: ir.Place | None = None
    if not isinstance(high, ir.Const):
        kept = unit.temporary(INT, at)
        flow.op(ir.Store(kept, high, at))
        high = ir.Load(kept)
    within = ir.Binary(sign, ir.Load(counter), high, BOOL, at)
    with (
        flow.while_(within, drawing.counted(counter, at, by)) as loop,
        leaving(unit, loop, texts) as exit_,
        unit.block(),
    ):
        unit.bind(Binding(node.name.text, "loop name", node.name.span, INT, ir.Load(counter), counter))
        if node.where is not None:
            test = driver.condition(unit, node.where)
            passed = flow.new()
            flow.branch(test, passed, loop.again)
            flow.start(passed)
            unit.facts |= narrowing.holding(node.where)
        inside(exit_)
    unit.clear(counter)
    unit.clear(kept)
