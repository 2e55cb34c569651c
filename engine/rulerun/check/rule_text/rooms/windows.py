"""Choices of several players: reaction windows, and choices made at once.

A window asks the seats of its domain round by round, each with a pass; a reaction begins a new round; a full round of
passes closes it. Choices at once are all asked from one state, and carried out afterwards, one player after the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from rulerun.check.rule_text import driver, looping, offers, simplify
from rulerun.check.rule_text.driver import effect
from rulerun.check.rule_text.offers import PreparedLine
from rulerun.check.rule_text.scope import Binding
from rulerun.check.rule_text.typed import DomainUse, describe
from rulerun.check.rule_text.units import Exit, ProcedureUnit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import BOOL, INT, PLAYER, SetType, Type
from rulerun.syntax import nodes as syn

_SEATS: Final = SetType(PLAYER)


def _players(unit: ProcedureUnit, node: syn.Expr) -> DomainUse:
    domain = driver.domain_of(unit, node, PLAYER)
    if domain.element != PLAYER:
        unit.refuse(
            "RR0403", f"players are asked, and `{source_text(node.span)}` holds {describe(domain.element)}s", node.span
        )
    return domain


def _bind_seat(unit: ProcedureUnit, name: syn.Ident, seat: ir.Place) -> None:
    unit.bind(Binding(name.text, "loop name", name.span, PLAYER, ir.Load(seat), seat))


# ----------------------------------------------------------------------- windows


@dataclass(frozen=True, slots=True)
class _Queue:
    """Who has not been asked in this round. ``waiting``: whether there is anybody; ``next``: writes that the next one
    is asked; ``clear``: clears what the queue needs."""

    waiting: ir.Expr
    next: Callable[[], None]
    clear: Callable[[], None]


def _in_order(unit: ProcedureUnit, domain: DomainUse, seat: ir.Place, at: int) -> _Queue:
    order = looping.snapshot(unit, domain.domain, PLAYER, at)
    unit.flow.op(ir.Store(order.counter, simplify.number(0), at))
    return _Queue(order.more(at), lambda: order.next_into(unit, seat, at), lambda: order.clear(unit))


def _at_random(unit: ProcedureUnit, domain: DomainUse, seat: ir.Place, at: int) -> _Queue:
    flow = unit.flow
    pending = unit.temporary(_SEATS, at)
    local = unit.local(PLAYER)
    all_ = ir.Fold(ir.FoldKind.SET, local, domain.domain, None, ir.Local(local, PLAYER), None, _SEATS, at)
    flow.op(ir.Store(pending, domain.domain.of if isinstance(domain.domain, ir.SetDomain) else all_, at))

    def ask_next() -> None:
        flow.across(lambda asked: ir.Pick(ir.SetDomain(ir.Load(pending)), seat, asked, None, False, at))
        rest = ir.Binary("without", ir.Load(pending), ir.Single(ir.Load(seat), _SEATS), _SEATS, at)
        flow.op(ir.Store(pending, rest, at))

    waiting = ir.Binary(">", ir.Size(ir.Load(pending)), simplify.number(0), BOOL, at)
    return _Queue(waiting, ask_next, lambda: unit.clear(pending))


@effect(syn.Window)
def window(unit: ProcedureUnit, node: syn.Window) -> None:
    _refuse_idle(unit, node)
    flow, at = unit.flow, unit.at(node.span)
    seat = unit.variable(node.name.text, PLAYER, at)
    round_, left, done = flow.new(), flow.new(), flow.new()
    looping.forget_changes(unit, node.lines)
    unit.drop_state_facts()
    head = unit.facts
    flow.jump(round_)
    flow.start(round_)
    queue = (_at_random if node.at_random else _in_order)(unit, _players(unit, node.domain), seat, at)
    exit_ = Exit(left, None, "window", [])
    with flow.while_(queue.waiting) as asking:
        queue.next()
        _react(unit, node, seat, round_, asking.again, exit_)
    unit.clear(seat)
    queue.clear()
    unit.facts = head
    if node.otherwise is not None:
        driver.body(unit, node.otherwise)
    flow.jump(done)
    flow.start(left)
    unit.clear(seat)
    queue.clear()
    flow.jump(done)
    flow.start(done)
    unit.facts = head.intersection(unit.facts, *exit_.facts)


def _react(unit: ProcedureUnit, node: syn.Window, seat: ir.Place, round_: int, passing: int, exit_: Exit) -> None:
    """One seat is asked; what a reaction does goes on with a new round."""
    flow, at, head = unit.flow, unit.at(node.span), unit.facts
    with unit.block():
        _bind_seat(unit, node.name, seat)
        chooser = ir.Load(seat)
        number = offers.site(unit)
        lines = [offers.prepare(unit, line, chooser, offers.in_frame(unit, at), "reaction") for line in node.lines]
        offered, silent = offers.offered(lines), node.at_random
        flow.end(ir.Choose(number, chooser, offered, passing, True, False, False, True, at, silent=silent))
        unit.exits.append(exit_)
        for prepared in lines:
            flow.start(prepared.target)
            unit.facts = head
            with unit.block():
                offers.bind_chosen(unit, prepared, chooser)
                driver.body(unit, prepared.node.body or ())
            flow.jump(round_)
        unit.exits.pop()


def _refuse_idle(unit: ProcedureUnit, node: syn.Window) -> None:
    """A reaction that does nothing would only have the round begin anew, with the same on offer."""
    for line in node.lines:
        if line.body == ():
            unit.refuse(
                "RR0515",
                "after a reaction all are asked anew, so one that does nothing could be chosen for ever",
                line.span,
                help="passing is offered anyway: take the line out, or say below it what happens",
            )


# ----------------------------------------------------------------------- at once


@effect(syn.AtOnce)
def at_once(unit: ProcedureUnit, node: syn.AtOnce) -> None:
    flow, at = unit.flow, unit.at(node.span)
    players = unit.symbols.players
    if not node.may and len(node.lines) == 1 and node.lines[0].body is None:
        unit.refuse(
            "RR0515",
            "each of them chooses something of their own: say in a block what then happens",
            node.span,
            help="end the line with `:` and write below what happens with each choice",
        )
    order = looping.snapshot(unit, _players(unit, node.domain).domain, PLAYER, at)
    seat = unit.variable(node.name.text, PLAYER, at)
    per_seat: list[ir.Op] = []

    def place_for(_name: str, type_: Type) -> ir.Place:
        size = unit.compilation.words(type_)
        offset = unit.words(size * players)
        per_seat.append(ir.Clear(offset, size * players))
        return ir.Place(offset, (ir.Axis(ir.Load(seat), 0, players, size, False),), type_, at)

    chosen = place_for("", INT)
    unit.drop_state_facts()
    head = unit.facts
    looping.forget_changes(unit, node.lines, node.otherwise)
    with unit.block():
        _bind_seat(unit, node.name, seat)
        chooser = ir.Load(seat)
        number = offers.site(unit)
        with looping.each(unit, order, seat, at) as asking:
            lines = [offers.prepare(unit, line, chooser, place_for) for line in node.lines]
            lines.sort(key=lambda p: p.line is None or p.dropped)  # an offered line has its number in the choice
            passing = flow.new() if node.may or node.otherwise is not None else None
            flow.end(ir.Choose(number, chooser, offers.offered(lines), passing, node.may, False, True, False, at))
            answers = [prepared.target for prepared in lines] + ([] if passing is None else [passing])
            for i, answer in enumerate(answers):
                flow.start(answer)
                if i < len(lines) and lines[i].line is not None:
                    # Later, when others have moved cards, the one that was chosen might lie elsewhere.
                    offers.settle_alike(unit, lines[i], chooser)
                flow.op(ir.Store(chosen, simplify.number(i), at))
                flow.jump(asking.again)
        flow.op(ir.Store(order.counter, simplify.number(0), at))
        with looping.each(unit, order, seat, at) as telling:
            flow.op(ir.Tell(number, chooser, at, chosen))
            if unit.compilation.leaving:
                goes_on = flow.new()
                flow.branch(ir.Contains(ir.Load(seat), ir.PlayersIn()), goes_on, telling.again)
                flow.start(goes_on)
            _carry_out(unit, node, lines, chosen, chooser, telling.again)
    order.clear(unit)
    unit.clear(seat)
    for op in per_seat:
        flow.op(op)
    unit.facts = head & unit.facts


def _carry_out(
    unit: ProcedureUnit,
    node: syn.AtOnce,
    lines: list[PreparedLine],
    chosen: ir.Place,
    chooser: ir.Expr,
    after: int,
) -> None:
    """What each player's choice leads to."""
    flow = unit.flow
    targets = tuple(flow.new() for _ in lines)
    passed = flow.new()
    if len(targets) == 1 and not node.may and node.otherwise is None:
        flow.jump(targets[0])
    else:
        flow.end(ir.Switch(ir.Load(chosen), targets, passed))
    before = unit.facts
    unit.exits.append(Exit(-1, after, "at once", []))
    for target, prepared in zip(targets, lines, strict=True):
        flow.start(target)
        unit.facts = before
        with unit.block():
            offers.bind_chosen(unit, prepared, chooser, settled=True)
            driver.body(unit, prepared.node.body or ())
        flow.jump(after)
    flow.start(passed)
    unit.facts = before
    if node.otherwise is not None:
        driver.body(unit, node.otherwise)
    flow.jump(after)
    unit.exits.pop()
    unit.facts = before
