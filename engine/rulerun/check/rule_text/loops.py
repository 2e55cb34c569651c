"""Loops of statements: `for` over a snapshot or numbers, `repeat`, and how they are left."""

from __future__ import annotations

from collections.abc import Callable

from rulerun.check.rule_text import (
    assignments,
    card_sets,
    card_statements,
    chance,
    conditions,
    cost,
    domains,
    expressions,
    operators,
    simplify,
    statements,
)
from rulerun.check.rule_text.scope import Binding
from rulerun.check.rule_text.survey import assigned, called, can_leave, stops, unsettles, walk
from rulerun.check.rule_text.typed import DomainUse
from rulerun.check.rule_text.unit import Exit, Unit, facts_but, source_text
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import snapshot_words
from rulerun.ir.types import BOOL, CARD, INT, PLAYER, SetType, Type
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn

Inside = Callable[[Exit], None]
"""Writes what a loop does each time. It knows where the loop goes on and where it ends."""


def settle(unit: Unit, *texts: object) -> None:
    """Before a loop: forget what its texts may change, since they run again."""
    for text in texts:
        changed = assigned(text)
        unit.facts = facts_but(unit.facts, changed)
        if unsettles(text):
            unit.drop_state_facts()


def for_each(unit: Unit, node: syn.For) -> None:
    first, *more = node.clauses
    if more:
        _refuse_stop(unit, node)
        rest = syn.For(tuple(more), node.body, more[0].span.to(more[-1].span))
        _loop(unit, first, (rest,))
    else:
        _loop(unit, first, node.body)


def _refuse_stop(unit: Unit, node: syn.For) -> None:
    """Out of a line of several loops a `stop` could lead to two places: the text must say to which."""
    heads = ["`" + " ".join(source_text(clause.span).split()) + ":`" for clause in node.clauses]
    for stop_ in stops(node.body):
        unit.checker.found.error(
            "RR0509",
            f"this `stop` stands in {len(heads)} loops that share a line: which of them should it leave?",
            stop_.span,
            help=f"write them below each other, {', then '.join(heads)}: there `stop` leaves the inner one",
        )


def _loop(unit: Unit, node: syn.Clause, body: syn.Body) -> None:
    if not unit.in_function:
        run_for(unit, node, body, lambda exit_: _inside(unit, body, exit_))
        return
    domain = domains.lower(unit, node.domain)
    card_sets.refuse_loop(unit, domain, node.domain)
    if isinstance(domain.domain, ir.NumberDomain | ir.SteppedDomain):
        _numbers_in_function(unit, node, body, domain, domain.domain)
    else:
        _elements_in_function(unit, node, body, domain)


def run_for(unit: Unit, node: syn.Clause, texts: object, inside: Inside) -> None:
    """A loop in a procedure. `texts` are what it runs each time, for what they may change."""
    domain, drawn = card_statements.drawn_domain(unit, node.domain)
    card_sets.refuse_loop(unit, domain, node.domain)
    if isinstance(domain.domain, ir.NumberDomain | ir.SteppedDomain):
        _numbers(unit, node, texts, inside, domain.domain)
        return
    if domain.undrawn:
        assert domain.source is not None
        chance.draw_all(unit, domain.source, unit.at(node.span))
    domain = domains.narrow(unit, domain, node.name, node.where)
    _snapshot(unit, node, texts, inside, domain, drawn)


def capacity(unit: Unit, element: Type) -> int:
    return domains.set_size(unit, element)


def _snapshot(
    unit: Unit, node: syn.Clause, texts: object, inside: Inside, domain: DomainUse, drawn: ir.Place | None
) -> None:
    flow, at = unit.flow, unit.at(node.span)
    most = capacity(unit, domain.element)
    words = snapshot_words(most)
    offset = unit.words(words)
    counter = unit.temporary(INT, at)
    item = unit.variable(node.name.text, domain.element, at)
    flow.op(ir.Snapshot(domain.domain, offset, most, at))
    began: ir.Place | None = None
    if domain.element == PLAYER and unit.checker.leaving:
        began = unit.temporary(SetType(PLAYER), at)
        flow.op(ir.Store(began, ir.PlayersIn(), at))
    if drawn is not None:
        flow.op(ir.Clear(drawn.offset, unit.checker.words(drawn.type)))
    loop, entered, done = flow.new(), flow.new(), flow.new()
    settle(unit, texts)
    head = unit.facts
    flow.jump(loop)
    flow.start(loop)
    more = ir.Binary("<", ir.Load(counter), ir.SnapshotCount(offset), BOOL, at)
    flow.branch(more, entered, done)
    flow.start(entered)
    flow.op(ir.Store(item, ir.SnapshotItem(offset, ir.Load(counter), domain.element), at))
    flow.op(ir.Store(counter, ir.Binary("+", ir.Load(counter), simplify.number(1), INT, at), at))
    if began is not None:
        _pass_over_who_left(unit, ir.Load(item), ir.Load(began), loop, at)
    exit_ = Exit(done, loop, "loop", [])
    yes = operators.facts(unit, node.where)[0] if node.where is not None else frozenset()
    with unit.block():
        unit.bind(Binding(node.name.text, "loop name", node.name.span, domain.element, ir.Load(item), item))
        unit.facts |= yes
        inside(exit_)
    flow.jump(loop)
    flow.start(done)
    for place, size in ((offset, words), (counter.offset, 1), (item.offset, 1)):
        flow.op(ir.Clear(place, size))
    if began is not None:
        flow.op(ir.Clear(began.offset, 1))
    unit.facts = frozenset.intersection(head, *exit_.facts)


def _pass_over_who_left(unit: Unit, player: ir.Expr, began: ir.Expr, otherwise: int, at: int) -> None:
    """Who was in play when a loop began and is out by now has no turn in it any more."""
    goes_on = unit.flow.new()
    was_out = simplify.negation(ir.Contains(player, began), at)
    unit.flow.branch(ir.Or(ir.Contains(player, ir.PlayersIn()), was_out), goes_on, otherwise)
    unit.flow.start(goes_on)


def _inside(unit: Unit, body: syn.Body, exit_: Exit) -> None:
    unit.exits.append(exit_)
    statements.body(unit, body)
    unit.exits.pop()


def _step(domain: ir.NumberDomain | ir.SteppedDomain) -> tuple[int, str]:
    """From one number to the next, and how it compares with the end while the loop goes on."""
    step = domain.step if isinstance(domain, ir.SteppedDomain) else 1
    return step, "<=" if step > 0 else ">="


def _numbers(
    unit: Unit, node: syn.Clause, texts: object, inside: Inside, domain: ir.NumberDomain | ir.SteppedDomain
) -> None:
    by, sign = _step(domain)
    flow, at = unit.flow, unit.at(node.span)
    counter = unit.variable(node.name.text, INT, at)
    flow.op(ir.Store(counter, domain.low, at))
    high = domain.high
    kept: ir.Place | None = None
    if not isinstance(high, ir.Const):
        kept = unit.temporary(INT, at)
        flow.op(ir.Store(kept, high, at))
        high = ir.Load(kept)
    loop, entered, step, done = flow.new(), flow.new(), flow.new(), flow.new()
    settle(unit, texts)
    head = unit.facts
    flow.jump(loop)
    flow.start(loop)
    flow.branch(ir.Binary(sign, ir.Load(counter), high, BOOL, at), entered, done)
    flow.start(entered)
    exit_ = Exit(done, step, "loop", [])
    with unit.block():
        unit.bind(Binding(node.name.text, "loop name", node.name.span, INT, ir.Load(counter), counter))
        if node.where is not None:
            test = expressions.condition(unit, node.where)
            passed = flow.new()
            flow.branch(test, passed, step)
            flow.start(passed)
            unit.facts |= operators.facts(unit, node.where)[0]
        inside(exit_)
    flow.jump(step)
    flow.start(step)
    flow.op(ir.Store(counter, ir.Binary("+", ir.Load(counter), simplify.number(by), INT, at), at))
    flow.jump(loop)
    flow.start(done)
    flow.op(ir.Clear(counter.offset, 1))
    if kept is not None:
        flow.op(ir.Clear(kept.offset, 1))
    unit.facts = frozenset.intersection(head, *exit_.facts)


# ------------------------------------------------------------------ in functions


def _numbers_in_function(
    unit: Unit, node: syn.Clause, body: syn.Body, domain: DomainUse, numbers: ir.NumberDomain | ir.SteppedDomain
) -> None:
    by, sign = _step(numbers)
    flow, at = unit.flow, unit.at(node.span)
    counter, high = unit.local(INT), unit.local(INT)
    flow.op(ir.SetLocal(counter, numbers.low))
    flow.op(ir.SetLocal(high, numbers.high))
    loop, inside, step, done = flow.new(), flow.new(), flow.new(), flow.new()
    settle(unit, body)
    head = unit.facts
    flow.jump(loop)
    flow.start(loop)
    flow.branch(ir.Binary(sign, ir.Local(counter, INT), ir.Local(high, INT), BOOL, at), inside, done)
    flow.start(inside)
    exit_ = Exit(done, step, "loop", [])
    with unit.block(), _repeated(unit, domain.size, node.span):
        read = ir.Local(counter, INT)
        unit.bind(Binding(node.name.text, "loop name", node.name.span, INT, read, local=counter))
        _test_in_function(unit, node.where, step)
        _inside(unit, body, exit_)
    flow.jump(step)
    flow.start(step)
    flow.op(ir.SetLocal(counter, ir.Binary("+", ir.Local(counter, INT), simplify.number(by), INT, at)))
    flow.jump(loop)
    flow.start(done)
    unit.facts = frozenset.intersection(head, *exit_.facts)


def _elements_in_function(unit: Unit, node: syn.Clause, body: syn.Body, domain: DomainUse) -> None:
    """The elements that are left are a set; the next is the first of the domain that is among them."""
    flow, at = unit.flow, unit.at(node.span)
    rest_type = SetType(domain.element)
    walker, test = unit.local(domain.element), unit.local(domain.element)
    if domain.element == PLAYER:
        unit.roaming.add(walker)
    rest, item = unit.local(rest_type), unit.local(domain.element)
    everything = ir.Fold(
        ir.FoldKind.SET, walker, domain.domain, None, ir.Local(walker, domain.element), None, rest_type, at
    )
    assignments.charge(unit, everything)
    flow.op(ir.SetLocal(rest, everything))
    loop, inside, done = flow.new(), flow.new(), flow.new()
    settle(unit, body)
    head = unit.facts
    flow.jump(loop)
    flow.start(loop)
    left = ir.Binary(">", ir.Size(ir.Local(rest, rest_type)), simplify.number(0), BOOL, at)
    flow.branch(left, inside, done)
    flow.start(inside)
    among = ir.Contains(ir.Local(test, domain.element), ir.Local(rest, rest_type))
    first = ir.Fold(ir.FoldKind.FIRST, test, domain.domain, among, None, None, domain.element, at)
    if isinstance(domain.domain, ir.SetDomain):
        over = ir.SetDomain(ir.Local(rest, rest_type))
        first = ir.Fold(ir.FoldKind.FIRST, test, over, None, None, None, domain.element, at)
    flow.op(ir.SetLocal(item, first))
    gone = ir.Single(ir.Local(item, domain.element), rest_type)
    flow.op(ir.SetLocal(rest, ir.Binary("without", ir.Local(rest, rest_type), gone, rest_type, at)))
    exit_ = Exit(done, loop, "loop", [])
    with unit.block(), _repeated(unit, domain.size, node.span):
        assignments.charge(unit, first)
        source = domain.source if domain.element == CARD else None
        read = ir.Local(item, domain.element)
        if domain.element == PLAYER:
            unit.roaming.add(item)
        unit.bind(Binding(node.name.text, "loop name", node.name.span, domain.element, read, local=item, source=source))
        _test_in_function(unit, node.where, loop)
        _inside(unit, body, exit_)
    flow.jump(loop)
    flow.start(done)
    unit.facts = frozenset.intersection(head, *exit_.facts)


def _test_in_function(unit: Unit, where: syn.Expr | None, otherwise: int) -> None:
    if where is None:
        return
    test = expressions.condition(unit, where)
    assignments.charge(unit, test)
    passed = unit.flow.new()
    unit.flow.branch(test, passed, otherwise)
    unit.flow.start(passed)
    unit.facts |= operators.facts(unit, where)[0]


class _repeated:  # noqa: N801 - a context manager, used like a function
    """What is lowered inside runs so many times as often; too much work is refused at the loop."""

    def __init__(self, unit: Unit, times: int, span: Span) -> None:
        self.unit, self.times, self.span = unit, max(1, times), span

    def __enter__(self) -> None:
        self.unit.times *= self.times

    def __exit__(self, *_: object) -> None:
        unit = self.unit
        unit.times //= self.times
        if unit.cost > cost.LIMIT and unit.times == 1:
            work, unit.cost = unit.cost, 1
            unit.checker.found.error(
                "RR0506",
                f"this loop may take {work:,} steps each time the function is asked: it repeats "
                f"{work // self.times:,} steps up to {self.times} times",
                self.span,
                help=f"at most {cost.LIMIT:,} are allowed",
            )


# ----------------------------------------------------------------------- repeat


def repeat(unit: Unit, node: syn.Repeat) -> None:
    flow, at = unit.flow, unit.at(node.span)
    if node.times is None:
        _refuse_endless(unit, node)
        loop, done = flow.new(), flow.new()
        settle(unit, node.body)
        exit_ = Exit(done, loop, "loop", [])
        flow.jump(loop)
        flow.start(loop)
        _inside(unit, node.body, exit_)
        flow.jump(loop)
        flow.start(done)
        if exit_.facts:
            unit.facts = frozenset.intersection(*exit_.facts)
        return
    times = expressions.expect(unit, node.times, INT, "before `times`")
    counter = unit.temporary(INT, at)
    flow.op(ir.Store(counter, times, at))
    loop, inside, done = flow.new(), flow.new(), flow.new()
    settle(unit, node.body)
    head = unit.facts
    flow.jump(loop)
    flow.start(loop)
    flow.branch(ir.Binary(">", ir.Load(counter), simplify.number(0), BOOL, at), inside, done)
    flow.start(inside)
    flow.op(ir.Store(counter, ir.Binary("-", ir.Load(counter), simplify.number(1), INT, at), at))
    exit_ = Exit(done, loop, "loop", [])
    _inside(unit, node.body, exit_)
    flow.jump(loop)
    flow.start(done)
    flow.op(ir.Clear(counter.offset, 1))
    unit.facts = frozenset.intersection(head, *exit_.facts)


def _refuse_endless(unit: Unit, node: syn.Repeat) -> None:
    if can_leave(node.body):
        return
    if any(isinstance(n, syn.Choose | syn.Window | syn.AtOnce) for n in walk(node.body)):
        return
    if any(call.name.text in unit.checker.pausing for call in called(node.body)):
        return
    unit.checker.found.error(
        "RR0505",
        "this never ends: nothing in it leaves the loop, and nobody is asked anything",
        node.span,
        help="leave it with `stop if …`, or `end game`",
    )


def stop(unit: Unit, node: syn.Stop) -> None:
    exit_ = _exit(unit, "stop", node.span)
    if exit_.sort == "trigger":
        unit.checker.refuse(
            "RR0509",
            "`stop` has no loop here: what `for:` of a trigger names is gone through to its end",
            node.span,
            help="`return` leaves this text, or say in `if:` when it is done no more",
        )
    if exit_.stop < 0:
        unit.checker.refuse(
            "RR0509",
            "`stop` has no loop here: what players chose at once is carried out for each of them",
            node.span,
            help="leave the loop around it after the choice",
        )
    if node.condition is None:
        exit_.facts.append(unit.facts)
        unit.flow.jump(exit_.stop)
        return
    after = unit.flow.new()
    conditions.branch(unit, node.condition, exit_.stop, after)
    yes, no = operators.facts(unit, node.condition)
    exit_.facts.append(unit.facts | yes)
    unit.flow.start(after)
    unit.facts |= no


def skip(unit: Unit, node: syn.Skip) -> None:
    exit_ = _exit(unit, "skip to next", node.span)
    if exit_.skip is None:
        unit.checker.refuse(
            "RR0509",
            f"`skip to next` has no next here: the nearest thing around it is {_named(exit_.sort)}",
            node.span,
            help="put what follows into an `if`",
        )
    if node.condition is None:
        unit.flow.jump(exit_.skip)
        return
    after = unit.flow.new()
    conditions.branch(unit, node.condition, exit_.skip, after)
    unit.flow.start(after)
    unit.facts |= operators.facts(unit, node.condition)[1]


def _named(sort: str) -> str:
    return {"window": "a reaction window", "at once": "a choice at once"}.get(sort, f"a {sort}")


def _exit(unit: Unit, word: str, span: Span) -> Exit:
    if not unit.exits:
        unit.checker.refuse(
            "RR0509",
            f"`{word}` stands in no loop",
            span,
            help="`return` leaves the rule, `end game` the game"
            if word == "stop"
            else "it belongs into a `for` or `repeat`",
        )
    return unit.exits[-1]
