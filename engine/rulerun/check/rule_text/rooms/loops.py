"""Loops of statements: `for`, `repeat`, and how they are left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import assert_never

from rulerun.check.rule_text import conditions, cost, driver, elements, looping, narrowing, simplify
from rulerun.check.rule_text.driver import effect, statement
from rulerun.check.rule_text.scope import Binding
from rulerun.check.rule_text.survey import called, can_leave, stops, walk
from rulerun.check.rule_text.typed import DomainUse
from rulerun.check.rule_text.units import Exit, FunctionUnit, ProcedureUnit, Unit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import BOOL, CARD, INT, PLAYER, SetType
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn


@statement(syn.For)
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
        unit.found.error(
            "RR0509",
            f"this `stop` stands in {len(heads)} loops that share a line: which of them should it leave?",
            stop_.span,
            help=f"write them below each other, {', then '.join(heads)}: there `stop` leaves the inner one",
        )


def _loop(unit: Unit, node: syn.Clause, body: syn.Body) -> None:
    match unit:
        case ProcedureUnit():
            looping.run_for(unit, node, body, lambda exit_: _inside(unit, body, exit_))
        case FunctionUnit():
            domain = driver.domain_of(unit, node.domain)
            elements.refuse_loop(unit, domain, node.domain)
            if isinstance(domain.domain, ir.NumberDomain | ir.SteppedDomain):
                _numbers_in_function(unit, node, body, domain, domain.domain)
            else:
                _elements_in_function(unit, node, body, domain)
        case _:
            assert_never(unit)


def _inside(unit: Unit, body: syn.Body, exit_: Exit) -> None:
    unit.exits.append(exit_)
    driver.body(unit, body)
    unit.exits.pop()


# ------------------------------------------------------------------ in functions


def _numbers_in_function(
    unit: FunctionUnit, node: syn.Clause, body: syn.Body, domain: DomainUse, numbers: looping.Numbers
) -> None:
    by, sign = looping.step_of(numbers)
    flow, at = unit.flow, unit.at(node.span)
    counter, high = unit.local(INT), unit.local(INT)
    read = ir.Local(counter, INT)
    flow.op(ir.SetLocal(counter, numbers.low))
    flow.op(ir.SetLocal(high, numbers.high))
    within = ir.Binary(sign, read, ir.Local(high, INT), BOOL, at)
    step = ir.SetLocal(counter, ir.Binary("+", read, simplify.number(by), INT, at))
    with (
        flow.while_(within, step) as loop,
        looping.leaving(unit, loop, body) as exit_,
        unit.block(),
        _repeated(unit, domain.size, node.span),
    ):
        unit.bind(Binding(node.name.text, "loop name", node.name.span, INT, read, local=counter))
        _test_in_function(unit, node.where, loop.again)
        _inside(unit, body, exit_)


def _elements_in_function(unit: FunctionUnit, node: syn.Clause, body: syn.Body, domain: DomainUse) -> None:
    """The elements that are left are a set; the next is the first of the domain that is among them."""
    flow, at, element = unit.flow, unit.at(node.span), domain.element
    rest_type = SetType(element)
    walker, test = unit.local(element), unit.local(element)
    rest, item = unit.local(rest_type), unit.local(element)
    if element == PLAYER:
        unit.roaming |= {walker, item}
    read, left = ir.Local(item, element), ir.Local(rest, rest_type)
    everything = ir.Fold(ir.FoldKind.SET, walker, domain.domain, None, ir.Local(walker, element), None, rest_type, at)
    cost.charge(unit, everything)
    flow.op(ir.SetLocal(rest, everything))
    among: ir.Expr | None = ir.Contains(ir.Local(test, element), left)
    over = domain.domain
    if isinstance(over, ir.SetDomain):
        over, among = ir.SetDomain(left), None
    first = ir.Fold(ir.FoldKind.FIRST, test, over, among, None, None, element, at)
    with (
        flow.while_(ir.Binary(">", ir.Size(left), simplify.number(0), BOOL, at)) as loop,
        looping.leaving(unit, loop, body) as exit_,
        unit.block(),
        _repeated(unit, domain.size, node.span),
    ):
        flow.op(ir.SetLocal(item, first))
        flow.op(ir.SetLocal(rest, ir.Binary("without", left, ir.Single(read, rest_type), rest_type, at)))
        cost.charge(unit, first)
        source = domain.source if element == CARD else None
        unit.bind(Binding(node.name.text, "loop name", node.name.span, element, read, local=item, source=source))
        _test_in_function(unit, node.where, loop.again)
        _inside(unit, body, exit_)


def _test_in_function(unit: FunctionUnit, where: syn.Expr | None, otherwise: int) -> None:
    if where is None:
        return
    test = driver.condition(unit, where)
    cost.charge(unit, test)
    passed = unit.flow.new()
    unit.flow.branch(test, passed, otherwise)
    unit.flow.start(passed)
    unit.facts |= narrowing.holding(where)


@contextmanager
def _repeated(unit: FunctionUnit, times: int, span: Span) -> Iterator[None]:
    """What is lowered inside runs so many times as often; too much work is refused at the loop."""
    times = max(1, times)
    unit.times *= times
    yield
    unit.times //= times
    if unit.cost > cost.LIMIT and unit.times == 1:
        work, unit.cost = unit.cost, 1
        unit.found.error(
            "RR0506",
            f"this loop may take {work:,} steps each time the function is asked: it repeats "
            f"{work // times:,} steps up to {times} times",
            span,
            help=f"at most {cost.LIMIT:,} are allowed",
        )


# ----------------------------------------------------------------------- repeat


@effect(syn.Repeat)
def repeat(unit: ProcedureUnit, node: syn.Repeat) -> None:
    if node.times is None:
        _repeat_until_left(unit, node)
        return
    flow, at = unit.flow, unit.at(node.span)
    times = driver.expect(unit, node.times, INT, "before `times`")
    counter = unit.temporary(INT, at)
    flow.op(ir.Store(counter, times, at))
    with (
        flow.while_(ir.Binary(">", ir.Load(counter), simplify.number(0), BOOL, at)) as loop,
        looping.leaving(unit, loop, node.body) as exit_,
    ):
        flow.op(ir.Store(counter, ir.Binary("-", ir.Load(counter), simplify.number(1), INT, at), at))
        _inside(unit, node.body, exit_)
    unit.clear(counter)


def _repeat_until_left(unit: ProcedureUnit, node: syn.Repeat) -> None:
    """Behind it holds what holds wherever it is left: nothing falls out of it."""
    _refuse_endless(unit, node)
    looping.forget_changes(unit, node.body)
    with unit.flow.while_(simplify.TRUE) as loop:
        exit_ = Exit(loop.done, loop.again, "loop", [])
        _inside(unit, node.body, exit_)
    if exit_.facts:
        unit.facts = frozenset.intersection(*exit_.facts)


def _refuse_endless(unit: Unit, node: syn.Repeat) -> None:
    if can_leave(node.body):
        return
    if any(isinstance(n, syn.Choose | syn.Window | syn.AtOnce) for n in walk(node.body)):
        return
    if any(call.name.text in unit.compilation.pausing for call in called(node.body)):
        return
    unit.found.error(
        "RR0505",
        "this never ends: nothing in it leaves the loop, and nobody is asked anything",
        node.span,
        help="leave it with `stop if …`, or `end game`",
    )


# ------------------------------------------------------------------- leaving loops


@statement(syn.Stop)
def stop(unit: Unit, node: syn.Stop) -> None:
    exit_ = _nearest(unit, "stop", node.span)
    if exit_.sort == "trigger":
        unit.refuse(
            "RR0509",
            "`stop` has no loop here: what `for:` of a trigger names is gone through to its end",
            node.span,
            help="`return` leaves this text, or say in `if:` when it is done no more",
        )
    if exit_.stop < 0:
        unit.refuse(
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
    yes, no = narrowing.by(node.condition)
    exit_.facts.append(unit.facts | yes)
    unit.flow.start(after)
    unit.facts |= no


@statement(syn.Skip)
def skip(unit: Unit, node: syn.Skip) -> None:
    exit_ = _nearest(unit, "skip to next", node.span)
    if exit_.skip is None:
        unit.refuse(
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
    unit.facts |= narrowing.by(node.condition)[1]


def _named(sort: str) -> str:
    return {"window": "a reaction window", "at once": "a choice at once"}.get(sort, f"a {sort}")


def _nearest(unit: Unit, word: str, span: Span) -> Exit:
    if not unit.exits:
        unit.refuse(
            "RR0509",
            f"`{word}` stands in no loop",
            span,
            help="`return` leaves the rule, `end game` the game"
            if word == "stop"
            else "it belongs into a `for` or `repeat`",
        )
    return unit.exits[-1]
