"""How secrets go through the rules: from `play` on, block by block and call by call, until nothing more is learnt.

A call is followed with what is known of its arguments (once for each that differs, `CONTEXTS` times at most; then with
what they have in common), so what a rule tells is judged by what it was given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rulerun.check.sight.effects import carry_out, moves_by, nothing_lies, store
from rulerun.check.sight.expressions import Scope, elements_of, faces_in, value_of
from rulerun.check.sight.facts import Sights
from rulerun.check.sight.labels import OPEN, Label, Secret, Sort, Source, Symbol, shared
from rulerun.check.sight.told import Foretold, not_empty, reunions
from rulerun.check.sight.values import (
    ANYWHERE,
    PUBLIC,
    State,
    Value,
    join,
    meeting,
    merged,
    symbols_of,
    tainted,
)
from rulerun.facts.domains import base_zone
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import Identity
from rulerun.ir.program import Function, Procedure, Program
from rulerun.ir.traverse import targets_of, walk
from rulerun.ir.types import PlayerType
from rulerun.ir.typing import is_card

CONTEXTS = 16
"""So many calls of a rule are told apart."""

PATIENCE = 40
"""So often a block is come to before what is known there can only get less."""

Point = tuple[int, frozenset[int]]
"""A block, and the snapshots of which no element has had its turn (`State.fresh`)."""
NONE_FRESH: frozenset[int] = frozenset()
NOTHING_FULL: Mapping[int, int | None] = {}
Visit = Callable[[int, Scope], None]
"""Looks at a block with what is known at its end."""
Note = Callable[[ir.Announce, Scope], None]
Done = Callable[[int, int, ir.Op, Scope], None]


@dataclass
class _Context:
    """A rule as called with ``entry``; ``exit`` is what is known when it returns (None: it never has)."""

    procedure: int
    entry: State
    exit: State | None = None
    users: set[int] = field(default_factory=set)
    """Contexts that call it."""


class Analysis:
    """Follows a program. ``offered`` is called at every choice, ``said`` at every note and ``done`` at every
    operation, with what is known there; they may be called several times, each time with more secrets than before."""

    def __init__(self, program: Program, offered: Visit, said: Note, done: Done) -> None:
        self.program = program
        self.sights = Sights(program)
        self._foretold = Foretold(program, self.sights)
        self._reunions = reunions(program)
        self._ends: dict[int, list[int]] = {}
        """Per block the forks whose ways meet there."""
        for fork, block in enumerate(self._reunions):
            if block is not None:
                self._ends.setdefault(block, []).append(fork)
        self._offered = offered
        self._said = said
        self._done = done
        self._functions: dict[tuple[int, tuple[Value, ...], bool, State], Value] = {}
        self._contexts: list[_Context] = []
        self._by_procedure: dict[int, list[int]] = {}
        self._waiting: dict[int, None] = {}
        self._types = {v.offset: v.type for v in program.variables if v.unit >= 0}
        self.closed: dict[int, set[tuple[int, ...]]] = {}
        """Of each block that was come to the secrets that `ir.Block.closed` tells of."""
        self._entries = {procedure.entry: number for number, procedure in enumerate(program.procedures)}

    def run(self) -> None:
        """Follows the program from its begin."""
        start = State({}, {})
        for variable in self.program.variables:
            if variable.unit < 0 and _is_seat(variable.type):
                start.put(variable.offset, Value(symbol=("state", variable.offset)))
        program = self.program
        nothing_lies(Scope(self.sights, start, self._call, {}), {program.zones[zone].family for zone in program.start})
        self._context(self._entries[program.entry], start, None)
        while self._waiting:
            number = next(iter(self._waiting))
            del self._waiting[number]
            self._follow(number)

    # ---------------------------------------------------------------- procedures

    def _context(self, procedure: int, entry: State, user: int | None) -> _Context:
        """The context for a call with what is known; it is followed first if it is new."""
        known = self._by_procedure.setdefault(procedure, [])
        number = next((n for n in known if self._contexts[n].entry == entry), None)
        if number is None and len(known) >= CONTEXTS:
            number = known[-1]
            context = self._contexts[number]
            context.entry, grown = merged(self.program.procedures[procedure].entry, context.entry, entry)
            if grown:
                self._waiting[number] = None
        if number is None:
            number = len(self._contexts)
            self._contexts.append(_Context(procedure, entry))
            known.append(number)
            self._follow(number)
        if user is not None:
            self._contexts[number].users.add(user)
        return self._contexts[number]

    def _follow(self, number: int) -> None:
        """Follows a procedure from its entry until nothing more is learnt in it."""
        context = self._contexts[number]
        known: dict[Point, State] = {}
        arriving: dict[Point, dict[tuple[Point, int], State]] = {}
        visits: dict[Point, int] = {}
        waiting: dict[Point, None] = {}

        def come(point: Point, way: tuple[Point, int], state: State) -> None:
            ways = arriving.setdefault(point, {})
            before = known.get(point)
            visits[point] = visits.get(point, 0) + 1
            if before is not None and visits[point] > PATIENCE:
                state, _ = merged(point[0], ways.get(way), state)
            ways[way] = state
            now = meeting(point[0], ways.values())
            if now != before:
                known[point] = now
                waiting[point] = None

        start = self.program.procedures[context.procedure].entry
        come((start, NONE_FRESH), ((-1, NONE_FRESH), 0), context.entry)
        while waiting:
            point = min(waiting, key=lambda point: (point[0], sorted(point[1])))
            del waiting[point]
            onward: list[tuple[int, State]] = []
            self._block(number, point[0], known[point].copy(), lambda to, state: onward.append((to, state.copy())))  # noqa: B023
            for i, (to, state) in enumerate(onward):
                for fork in self._ends.get(to, ()):
                    if fork in state.ways:
                        state = state.copy()
                        del state.ways[fork]
                come((to, state.fresh), (point, i), state)

    def _block(self, number: int, block: int, state: State, come: Callable[[int, State], None]) -> None:
        """Follows a block and hands on what is known behind it."""
        scope = Scope(self.sights, state, self._call, {})
        self.closed.setdefault(block, set())
        for i, op in enumerate(self.program.blocks[block].ops):
            self._decides(block, moves_by(scope, op), state)
            told, surely = self._foretold.of_op(op, state.full)
            if told is not None:
                state.tell(told, surely=surely)
            if isinstance(op, ir.Announce):
                self._said(op, scope)
            self._done(block, i, op, scope)
            carry_out(scope, op, (block, i), state.way)
        end = self.program.blocks[block].end
        match end:
            case ir.Jump(to):
                come(to, state)
            case ir.Branch(condition, then, otherwise):
                self._branch(block, condition, then, otherwise, scope, come)
            case ir.Switch(value):
                ways = [(target, state.copy()) for target in dict.fromkeys(targets_of(end))]
                self._decides(block, value_of(scope, value).label, state)
                self._fork(block, value_of(scope, value).label, ways, come)
            case ir.CallProcedure():
                self._called(number, block, end, scope, come)
            case ir.Return(procedure, value):
                if procedure is not None:
                    self._returned(number, procedure, value, scope, block)
            case ir.Choose():
                self._decides(block, value_of(scope, end.chooser).label, state)
                if not (end.sealed or end.silent):
                    asked = end.passing is None or end.optional
                    state.tell(("asked", end.site), surely=asked)
                    state.told(value_of(scope, end.chooser).symbol)
                else:
                    state.knows_itself(value_of(scope, end.chooser).symbol)
                self._decides(block, state.way, state)
                self._offered(block, scope)
                self._chosen(block, end, scope, come)
            case ir.Draw() | ir.Pick():
                if isinstance(end, ir.Pick) and end.told and end.kept is None:
                    state.tell(("chance", end.at), surely=True)
                self._by_chance(block, end, scope, come)
            case ir.Finish() | ir.Fail():
                pass

    def _decides(self, block: int, label: Label, state: State) -> None:
        """Something that the seats are told (or that decides what they are told) in a block depends on secrets."""
        if not label:
            return
        ops = self.program.blocks[block].ops
        written = {op.place.offset for op in ops if isinstance(op, ir.Store)}
        cleared = [range(op.offset, op.offset + op.words) for op in ops if isinstance(op, ir.Clear)]
        for secret in label:
            places = {place for knower in secret.knowers for place in state.same_as(knower)}
            kept = [p for p in places - written if not any(p in words for words in cleared)]
            self.closed[block].add(tuple(sorted(kept)))

    def _branch(
        self,
        block: int,
        condition: ir.Expr,
        then: int,
        otherwise: int,
        scope: Scope,
        come: Callable[[int, State], None],
    ) -> None:
        state = scope.state
        label = value_of(scope, condition).label
        holds = scope.narrowed(condition).state
        fails = state
        if isinstance(condition, ir.Unary) and condition.op == "not":
            fails = scope.narrowed(condition.operand).state
        holds, fails = holds.copy(), fails.copy()
        full, full_else = not_empty(condition)
        holds.full |= {full} if full is not None else frozenset()
        fails.full |= {full_else} if full_else is not None else frozenset()
        ways = [(then, holds), (otherwise, fails)]
        self._decides(block, label, state)
        if any(isinstance(part, ir.UndrawnCount) for part in walk(condition)):
            self.closed[block].add(())  # what has been drawn is told to nobody
        match condition:
            case ir.Binary("<", _, ir.SnapshotCount(offset)) if offset in state.fresh:
                ways = ways[:1]
        by = _settled_by(scope, condition) if label else frozenset()
        self._fork(block, label, ways, come, {then: full, otherwise: full_else}, by)

    def _fork(
        self,
        block: int,
        label: Label,
        ways: list[tuple[int, State]],
        come: Callable[[int, State], None],
        full: Mapping[int, int | None] = NOTHING_FULL,
        by: frozenset[Symbol] = frozenset(),
    ) -> None:
        """The rules go one of several ways; ``label``: who may know which. ``full``: per way the place of a set that is
        not empty there; ``by``: see `Way`."""
        if not label or len({to for to, _ in ways}) < 2:
            for to, state in ways:
                come(to, state)
            return
        for to, state in ways:
            state.begin_fork(block)
            others = [self._foretold.of_way(other, full.get(other)) for other, _ in ways if other != to]
            state.fork(block, label, frozenset().union(*others), by)
            come(to, state)

    def _called(
        self,
        number: int,
        block: int,
        end: ir.CallProcedure,
        scope: Scope,
        come: Callable[[int, State], None],
    ) -> None:
        procedure = self.program.procedures[end.procedure]
        state = scope.state
        for i in range(len(procedure.params)):
            state.forget(("given", block, i))
        arguments = [tainted(value_of(scope, argument), state.way) for argument in end.arguments]
        given = State({}, state.shown.copy(), state.ways.copy())
        for offset, value in state.values.items():
            if offset in self.sights.variables or (value.home is not None and not _in_frame(procedure, offset)):
                given.put(offset, value)
        for i, (offset, value) in enumerate(zip(procedure.params, arguments, strict=True)):
            if value.symbol is None and (value.home is not None or self._names_somebody(offset)):
                value = value._replace(symbol=("given", block, i))
            given.put(offset, value)
        exit_ = self._context(end.procedure, given, number).exit
        if exit_ is None:
            return
        told = exit_.copy()
        after = State(state.values.copy(), told.shown, told.ways, state.full, state.fresh)
        for fork in state.ways.keys() - told.ways.keys():
            after.ways[fork] = state.ways[fork]
            after.show(fork)
        _rename_for_caller(block, (state, given), told, after)
        for offset in given.values.keys() | told.values.keys():
            if offset in self.sights.variables or not _in_frame(procedure, offset):
                after.put(offset, told.get(offset))
            elif procedure.result_place <= offset < procedure.result_place + procedure.result_words:
                after.put(offset, tainted(told.get(offset), told.way))
        after.shown, after.ways = told.shown, told.ways
        if procedure.nested > 1:
            self._lose_frames(state, after, procedure, end.at)
        come(end.back, after)

    def _lose_frames(self, before: State, after: State, procedure: Procedure, at: int) -> None:
        """The kept frame of a rule that has called itself comes back; where its cards went meanwhile is not known."""
        nobody = frozenset((Secret(frozenset(), Source(Sort.MIXED, "", at)),))
        for offset, value in before.values.items():
            if _in_frame(procedure, offset) and value.home is not None:
                after.put(offset, value._replace(label=value.label | nobody, home=ANYWHERE))

    def _names_somebody(self, offset: int) -> bool:
        type_ = self._types.get(offset)
        return type_ is not None and (_is_seat(type_) or is_card(type_))

    def _returned(self, number: int, procedure: int, value: ir.Expr | None, scope: Scope, block: int) -> None:
        info = self.program.procedures[procedure]
        state = scope.state
        state.full = state.fresh = frozenset()
        result = None if value is None else tainted(value_of(scope, value), state.way)
        for fork in [fork for fork in state.ways if self.program.blocks[fork].unit == self.program.blocks[block].unit]:
            del state.ways[fork]
        for offset in list(state.values):
            if _in_frame(info, offset):
                state.values.pop(offset)
        if result is not None and info.result_place >= 0:
            if result.symbol is None and result.home is not None:
                result = result._replace(symbol=("at", block, -1, info.result_place))
            state.put(info.result_place, result)
        context = self._contexts[number]
        if context.exit is None:
            grown = True
            context.exit = state
        else:
            context.exit, grown = merged(-1 - procedure, context.exit, state)
        if grown:
            for user in context.users:
                if user != number or info.nested > 1:
                    self._waiting[user] = None

    # ------------------------------------------------------------ choices and chance

    def _chosen(self, block: int, end: ir.Choose, scope: Scope, come: Callable[[int, State], None]) -> None:
        """What is known of what was chosen: all are told, but for what is chosen secretly."""
        chooser = value_of(scope, end.chooser).symbol
        only = frozenset(() if chooser is None else (chooser,))
        ways: list[tuple[int, State]] = []
        is_secret = end.secret and self.program.players > 1
        for line in end.lines:
            state = scope.state.copy()
            if not end.sealed:
                state.told(chooser)
            inner = Scope(self.sights, state, self._call, {})
            name = self.sights.names.get(line.binders[0].place.offset, "") if line.binders else ""
            secret = frozenset((Secret(only, Source(Sort.CHOSEN, name, line.at)),)) if is_secret else OPEN
            for i, binder in enumerate(line.binders):
                value = self._option(inner, binder, only)
                inner.locals[binder.local] = value
                store(inner, binder.place, tainted(value, secret), (block, -2 - i), scope.state.way)
            if line.where is not None:
                state = inner.narrowed(line.where).state
            if end.silent:
                state.told(chooser)
            ways.append((line.target, state))
        if end.passing is not None:
            ways.append((end.passing, scope.state))
        secret = frozenset((Secret(only, Source(Sort.CHOSEN, "", end.at)),)) if is_secret else OPEN
        self._fork(block, secret, ways, come)

    def _option(self, scope: Scope, binder: ir.Binder, chooser: frozenset[Symbol]) -> Value:
        """What all know of a value that was chosen openly: a value itself; of a card where it lay, and who sees it
        which it was."""
        elements = elements_of(scope, binder.domain)
        each = elements.each
        if binder.identity is Identity.BY_POSITION or each.home is None:
            return Value(symbol=each.symbol)
        zone = base_zone(binder.domain)
        if zone is not None:
            ordered = self.program.families[zone.family].kind.ordered
            which = OPEN if ordered else faces_in(scope, zone, Sort.WHICH)
        else:
            which = shared(each.label | each.member, chooser)
        whole = binder.identity in (Identity.MULTISET, Identity.GIVEN_SET)
        return Value(which, None, each.face, which | each.face if whole else OPEN, OPEN, each.home)

    def _by_chance(
        self, block: int, end: ir.Draw | ir.Pick, scope: Scope, come: Callable[[int, State], None]
    ) -> None:
        if end.empty is not None:
            come(end.empty, scope.state)
        if isinstance(end, ir.Draw):
            spot = value_of(scope, end.spot.index).label if isinstance(end.spot, ir.Depth) else OPEN
            value = Value(spot, None, faces_in(scope, end.zone), home=end.zone.family)
            if not self.program.families[end.zone.family].kind.ordered:
                value = value._replace(label=spot | faces_in(scope, end.zone, Sort.WHICH))
        else:
            each = elements_of(scope, end.domain).each
            untold = frozenset((Secret(frozenset(), Source(Sort.CHANCE, "", end.at)),))
            zone = base_zone(end.domain)
            if _settles(end.domain):
                untold = each.label  # it is one of those that look like the one that was chosen
            elif zone is not None and not self.program.families[zone.family].kind.ordered:
                untold = frozenset((Secret(frozenset(), Source(Sort.WHICH, self._name(zone), end.at)),))
            value = Value(OPEN if end.told and end.kept is None else untold, None, each.face, home=each.home)
        store(scope, end.into, value, (block, -1), scope.state.way)
        come(end.next, scope.state)

    def _name(self, zone: ir.ZoneRef) -> str:
        return self.program.families[zone.family].name

    # ------------------------------------------------------------------- functions

    def _call(self, number: int, arguments: tuple[Value, ...], scope: Scope) -> Value:
        """What a function gives, by what is known of its arguments."""
        function = self.program.functions[number]
        key = (number, arguments, scope.guarded, _of_state(self.sights, scope.state))
        if key not in self._functions:
            self._functions[key] = self._computed(function, arguments, scope)
        return self._functions[key]

    def _computed(self, function: Function, arguments: tuple[Value, ...], scope: Scope) -> Value:
        blocks = function.blocks
        if len(blocks) == 1 and not blocks[0].ops and isinstance(blocks[0].end, ir.Return):
            inner = Scope(self.sights, scope.state, self._call, dict(enumerate(arguments)), guarded=scope.guarded)
            assert blocks[0].end.value is not None
            return value_of(inner, blocks[0].end.value)
        states: dict[int, dict[int, Value]] = {0: dict(enumerate(arguments))}
        waiting: dict[int, None] = {0: None}
        result: Value | None = None
        # Which way a function goes is told by nothing, so all that it gives is as secret as any of its tests.
        tests: Label = OPEN
        while waiting:
            number = min(waiting)
            del waiting[number]
            inner = Scope(self.sights, scope.state, self._call, states[number].copy(), guarded=scope.guarded)
            for i, op in enumerate(blocks[number].ops):
                carry_out(inner, op, (number, i), tests)
            end = blocks[number].end
            asked = OPEN
            if isinstance(end, ir.Branch):
                asked = value_of(inner, end.condition).label
            elif isinstance(end, ir.Switch):
                asked = value_of(inner, end.value).label
            elif isinstance(end, ir.Return) and end.value is not None:
                given = value_of(inner, end.value)
                result = given if result is None else join(result, given)
            if not asked <= tests:
                tests |= asked
                waiting.update(dict.fromkeys(states))
            for to in targets_of(end):
                locals_ = inner.locals
                if isinstance(end, ir.Branch) and to == end.then:
                    locals_ = inner.narrowed(end.condition).locals
                before = states.get(to)
                found = locals_ if before is None else _joined_locals(before, locals_)
                if found != before:
                    states[to] = dict(found)
                    waiting[to] = None
        return PUBLIC if result is None else tainted(result, tests)


def _settled_by(scope: Scope, condition: ir.Expr) -> frozenset[Symbol]:
    """The players who by themselves make a condition secret, as nobody is to know who they are; none if there is more
    to it."""
    known = scope.state.copy()
    found: set[Symbol] = set()
    for node in walk(condition):
        if isinstance(node, ir.Load) and not node.place.axes:
            value = scope.state.get(node.place.offset)
            if value.symbol is not None and value.label and value.home is None:
                found.add(value.symbol)
                known.put(node.place.offset, value._replace(label=OPEN))
    again = Scope(scope.sights, known, scope.call, scope.locals.copy(), guarded=scope.guarded)
    return frozenset() if not found or value_of(again, condition).label else frozenset(found)


def _settles(domain: ir.Domain) -> bool:
    """Whether chance picks one of the cards that nobody could tell apart when one of them was chosen."""
    while isinstance(domain, ir.FilteredDomain):
        if isinstance(domain.where, ir.Alike):
            return True
        domain = domain.domain
    return False


def _of_state(sights: Sights, state: State) -> State:
    """What of a state a function can read: functions see no frames."""
    values = {offset: value for offset, value in state.values.items() if offset in sights.variables}
    return State(values, state.shown)


def _joined_locals(left: dict[int, Value], right: dict[int, Value]) -> dict[int, Value]:
    return {index: join(left.get(index, PUBLIC), right.get(index, PUBLIC)) for index in left.keys() | right.keys()}


def _rename_for_caller(block: int, known: tuple[State, State], told: State, after: State) -> None:
    """Symbols that a rule made up itself mean nothing to its caller, but where they name what it gives back: these get
    names of the call."""
    used = {symbol for value in told.values.values() for symbol in symbols_of(value)}
    foreign = {symbol for symbol in used if symbol[0] not in ("seat", "state")}
    for state in known:
        for value in state.values.values():
            if not foreign:
                return
            foreign.difference_update(symbols_of(value))
    if not foreign:
        return
    names: dict[Symbol, Symbol] = {}
    for offset, value in told.values.items():
        if value.symbol in foreign and value.symbol is not None and value.symbol not in names:
            names[value.symbol] = ("called", block, offset)
    for name in names.values():
        after.forget(name)
    told.rename(lambda symbol: names.get(symbol) if symbol in foreign else symbol)


def _in_frame(procedure: Procedure, offset: int) -> bool:
    return procedure.frame <= offset < procedure.end


def _is_seat(type_: object) -> bool:
    return isinstance(type_, PlayerType) or isinstance(getattr(type_, "inner", None), PlayerType)

