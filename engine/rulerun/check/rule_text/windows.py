"""Choices of several players: reaction windows, and choices made at once.

A window asks the seats of its domain round by round, each with a pass; a reaction begins a new round; a full round of
passes closes it. Choices at once are all asked from one state, and carried out afterwards, one player after the other.
"""

from __future__ import annotations

from rulerun.check.rule_text import choices, domains, loops, simplify, statements
from rulerun.check.rule_text.choices import Prepared
from rulerun.check.rule_text.scope import Binding
from rulerun.check.rule_text.typed import DomainUse, describe
from rulerun.check.rule_text.unit import Exit, Unit, source_text
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import snapshot_words
from rulerun.ir.types import BOOL, INT, PLAYER, SetType, Type
from rulerun.syntax import nodes as syn

_SEATS = SetType(PLAYER)


def _players(unit: Unit, node: syn.Expr) -> DomainUse:
    domain = domains.lower(unit, node, PLAYER)
    if domain.element != PLAYER:
        unit.checker.refuse(
            "RR0403", f"players are asked, and `{source_text(node.span)}` holds {describe(domain.element)}s", node.span
        )
    return domain


def _clear(unit: Unit, places: list[tuple[int, int]]) -> None:
    for offset, words in places:
        unit.flow.op(ir.Clear(offset, words))


# ----------------------------------------------------------------------- windows


def window(unit: Unit, node: syn.Window) -> None:
    _refuse_idle(unit, node)
    flow, at = unit.flow, unit.at(node.span)
    players = unit.checker.symbols.players
    seat = unit.variable(node.name.text, PLAYER, at)
    used = [(seat.offset, 1)]
    round_, ask, closed, left, done = flow.new(), flow.new(), flow.new(), flow.new(), flow.new()
    loops.settle(unit, node.lines)
    unit.drop_state_facts()
    head = unit.facts
    flow.jump(round_)
    flow.start(round_)
    domain = _players(unit, node.domain)
    if node.at_random:
        pending = unit.temporary(_SEATS, at)
        used.append((pending.offset, 1))
        local = unit.local(PLAYER)
        all_ = ir.Fold(ir.FoldKind.SET, local, domain.domain, None, ir.Local(local, PLAYER), None, _SEATS, at)
        of_set = domain.domain.of if isinstance(domain.domain, ir.SetDomain) else all_
        flow.op(ir.Store(pending, of_set, at))
        flow.jump(ask)
        flow.start(ask)
        next_seat, asked = flow.new(), flow.new()
        flow.branch(ir.Binary(">", ir.Size(ir.Load(pending)), simplify.number(0), BOOL, at), next_seat, closed)
        flow.start(next_seat)
        flow.end(ir.Pick(ir.SetDomain(ir.Load(pending)), seat, asked, None, False, at))
        flow.start(asked)
        rest = ir.Binary("without", ir.Load(pending), ir.Single(ir.Load(seat), _SEATS), _SEATS, at)
        flow.op(ir.Store(pending, rest, at))
    else:
        order = unit.words(snapshot_words(players))
        counter = unit.temporary(INT, at)
        used += [(order, snapshot_words(players)), (counter.offset, 1)]
        flow.op(ir.Snapshot(domain.domain, order, players, at))
        flow.op(ir.Store(counter, simplify.number(0), at))
        flow.jump(ask)
        flow.start(ask)
        next_seat = flow.new()
        flow.branch(ir.Binary("<", ir.Load(counter), ir.SnapshotCount(order), BOOL, at), next_seat, closed)
        flow.start(next_seat)
        flow.op(ir.Store(seat, ir.SnapshotItem(order, ir.Load(counter), PLAYER), at))
        flow.op(ir.Store(counter, ir.Binary("+", ir.Load(counter), simplify.number(1), INT, at), at))
    exit_ = Exit(left, None, "window", [])
    with unit.block():
        _bind_seat(unit, node.name, seat)
        chooser = ir.Load(seat)
        number = choices.site(unit)
        lines = [choices.prepare(unit, line, chooser, _frame(unit, at), "reaction") for line in node.lines]
        offered = tuple(p.line for p in lines if p.line is not None and not p.dropped)
        flow.end(ir.Choose(number, chooser, offered, ask, True, False, False, True, at))
        unit.exits.append(exit_)
        for prepared in lines:
            flow.start(prepared.target)
            unit.facts = head
            with unit.block():
                choices.settle(unit, prepared, chooser)
                statements.body(unit, prepared.node.body or ())
            flow.jump(round_)
        unit.exits.pop()
    flow.start(closed)
    _clear(unit, used)
    unit.facts = head
    if node.otherwise is not None:
        statements.body(unit, node.otherwise)
    flow.jump(done)
    flow.start(left)
    _clear(unit, used)
    flow.jump(done)
    flow.start(done)
    unit.facts = frozenset.intersection(head, unit.facts, *exit_.facts)


def _refuse_idle(unit: Unit, node: syn.Window) -> None:
    """A reaction that does nothing would only have the round begin anew, with the same on offer."""
    for line in node.lines:
        if line.body == ():
            unit.checker.refuse(
                "RR0515",
                "after a reaction all are asked anew, so one that does nothing could be chosen for ever",
                line.span,
                help="passing is offered anyway: take the line out, or say below it what happens",
            )


def _frame(unit: Unit, at: int) -> choices.PlaceFor:
    return lambda name, type_: unit.variable(name, type_, at)


def _bind_seat(unit: Unit, name: syn.Ident, seat: ir.Place) -> None:
    unit.bind(Binding(name.text, "loop name", name.span, PLAYER, ir.Load(seat), seat))


# ----------------------------------------------------------------------- at once


def at_once(unit: Unit, node: syn.AtOnce) -> None:
    flow, at = unit.flow, unit.at(node.span)
    players = unit.checker.symbols.players
    if not node.may and len(node.lines) == 1 and node.lines[0].body is None:
        unit.checker.refuse(
            "RR0515",
            "each of them chooses something of their own: say in a block what then happens",
            node.span,
            help="end the line with `:` and write below what happens with each choice",
        )
    domain = _players(unit, node.domain)
    order = unit.words(snapshot_words(players))
    counter = unit.temporary(INT, at)
    seat = unit.variable(node.name.text, PLAYER, at)
    chosen = unit.words(players)
    used = [(order, snapshot_words(players)), (counter.offset, 1), (seat.offset, 1), (chosen, players)]
    chosen_place = ir.Place(chosen, (ir.Axis(ir.Load(seat), 0, players, 1, False),), INT, at)

    def place_for(name: str, type_: Type) -> ir.Place:
        size = unit.checker.words(type_)
        offset = unit.words(size * players)
        used.append((offset, size * players))
        del name
        return ir.Place(offset, (ir.Axis(ir.Load(seat), 0, players, size, False),), type_, at)

    flow.op(ir.Snapshot(domain.domain, order, players, at))
    unit.drop_state_facts()
    head = unit.facts
    loops.settle(unit, node.lines, node.otherwise)
    tell_loop, done = flow.new(), flow.new()
    ask = _each(unit, order, counter, seat, tell_loop, at)
    with unit.block():
        _bind_seat(unit, node.name, seat)
        chooser = ir.Load(seat)
        number = choices.site(unit)
        lines = [choices.prepare(unit, line, chooser, place_for) for line in node.lines]
        lines.sort(key=lambda p: p.line is None or p.dropped)  # so that an offered line has its number in the choice
        offered = tuple(p.line for p in lines if p.line is not None and not p.dropped)
        passing = flow.new() if node.may or node.otherwise is not None else None
        flow.end(ir.Choose(number, chooser, offered, passing, node.may, False, True, False, at))
        for i, prepared in enumerate(lines):
            flow.start(prepared.target)
            flow.op(ir.Store(chosen_place, simplify.number(i), at))
            flow.jump(ask)
        if passing is not None:
            flow.start(passing)
            flow.op(ir.Store(chosen_place, simplify.number(len(lines)), at))
            flow.jump(ask)
        flow.start(tell_loop)
        flow.op(ir.Store(counter, simplify.number(0), at))
        after = _each(unit, order, counter, seat, done, at)
        flow.op(ir.Tell(number, chooser, at, chosen_place))
        if unit.checker.leaving:
            goes_on = flow.new()
            flow.branch(ir.Contains(ir.Load(seat), ir.PlayersIn()), goes_on, after)
            flow.start(goes_on)
        _carry_out(unit, node, lines, chosen_place, chooser, after)
    flow.start(done)
    _clear(unit, used)
    unit.facts = frozenset(f for f in head if f in unit.facts)


def _each(unit: Unit, order: int, counter: ir.Place, seat: ir.Place, done: int, at: int) -> int:
    """Begins a loop over the stored seats; its head is returned, what follows is its inside."""
    flow = unit.flow
    loop, inside = flow.new(), flow.new()
    flow.jump(loop)
    flow.start(loop)
    flow.branch(ir.Binary("<", ir.Load(counter), ir.SnapshotCount(order), BOOL, at), inside, done)
    flow.start(inside)
    flow.op(ir.Store(seat, ir.SnapshotItem(order, ir.Load(counter), PLAYER), at))
    flow.op(ir.Store(counter, ir.Binary("+", ir.Load(counter), simplify.number(1), INT, at), at))
    return loop


def _carry_out(
    unit: Unit, node: syn.AtOnce, lines: list[Prepared], chosen: ir.Place, chooser: ir.Expr, after: int
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
            choices.settle(unit, prepared, chooser)
            statements.body(unit, prepared.node.body or ())
        flow.jump(after)
    flow.start(passed)
    unit.facts = before
    if node.otherwise is not None:
        statements.body(unit, node.otherwise)
    flow.jump(after)
    unit.exits.pop()
    unit.facts = before
