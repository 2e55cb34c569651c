"""A first look over all rule texts, before any is lowered: what they are, who calls whom, which zones get shuffled.

Works on syntax alone: no names are settled but those of zones, rules and events.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Literal

from rulerun import syntax
from rulerun.check.declarations.symbols import ProcedureSymbol, Symbols, TriggerSymbol, ZoneSymbol
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn

_FIELDS: dict[type, tuple[str, ...]] = {}


def walk(node: object) -> Iterator[object]:
    """A syntax node and all nodes in it, in the order of the text."""
    if isinstance(node, tuple):
        for item in node:
            yield from walk(item)
        return
    if not is_dataclass(node) or isinstance(node, type | Span):
        return
    yield node
    kind = type(node)
    names = _FIELDS.get(kind)
    if names is None:
        names = _FIELDS[kind] = tuple(f.name for f in fields(node))
    for name in names:
        yield from walk(getattr(node, name))


@dataclass(frozen=True, slots=True)
class TriggerText:
    symbol: TriggerSymbol
    condition: syn.Expr | None
    body: syn.Body
    over: tuple[syn.Clause, ...] = ()
    """What it is run for, each in turn; nothing: once."""


@dataclass(frozen=True, slots=True)
class Texts:
    """All rule texts as syntax. Functions, rules, events and the score by name; triggers by their event."""

    bodies: dict[str, syn.Body]
    triggers: dict[str, list[TriggerText]]
    won: syn.Body = ()
    """Whether anybody wins, where the result says so."""

    def of(self, symbol: ProcedureSymbol) -> syn.Body:
        return self.bodies.get(symbol.name, ())

    def parts(self, name: str) -> tuple[object, ...]:
        """All syntax that runs when `name` does: its body and, of an event, its triggers."""
        more = tuple((t.over, t.condition, t.body) for t in self.triggers.get(name, ()))
        return (self.bodies.get(name, ()), *more)


def read_texts(symbols: Symbols, found: Diagnostics) -> Texts:
    """Parses every body and condition; faults go to `found`."""
    bodies: dict[str, syn.Body] = {}
    for symbol in symbols.names.values():
        if isinstance(symbol, ProcedureSymbol):
            parse = syntax.parse_function_body if symbol.sort == "function" else syntax.parse_body
            bodies[symbol.name] = parse(symbol.decl.body, found)
    if symbols.score is not None:
        bodies[symbols.score.name] = syntax.parse_function_body(symbols.score.decl.body, found)
    triggers: dict[str, list[TriggerText]] = {}
    for trigger in symbols.triggers:
        piece = trigger.decl.condition
        condition = syntax.parse_expression(piece, found) if piece is not None else None
        body = syntax.parse_body(trigger.decl.body, found)
        over = syntax.parse_over(trigger.decl.over, found) if trigger.decl.over is not None else ()
        triggers.setdefault(trigger.pattern.name.text, []).append(TriggerText(trigger, condition, body, over))
    won = syntax.parse_function_body(symbols.won.decl.body, found) if symbols.won is not None else ()
    return Texts(bodies, triggers, won)


def shuffled_families(symbols: Symbols, texts: Texts) -> frozenset[int]:
    """Ordered zones that may hold undrawn cards: targets of a shuffle, a collect or a shuffling refill."""
    result: set[int] = set()

    def mark(node: syn.Expr) -> None:
        while isinstance(node, syn.Index | syn.AllOf):
            node = node.of if isinstance(node, syn.Index) else node.zone
        symbol = symbols.names.get(node.text) if isinstance(node, syn.Name) else None
        if isinstance(symbol, ZoneSymbol) and symbol.kind.ordered:
            result.add(symbol.index)

    for name in (*texts.bodies, *texts.triggers):
        for node in walk(texts.parts(name)):
            if isinstance(node, syn.Shuffle):
                mark(node.zone)
            elif isinstance(node, syn.Collect | syn.ShuffleInto):
                mark(node.to)
    for symbol in symbols.names.values():
        if isinstance(symbol, ZoneSymbol) and symbol.kind.ordered:
            refill = symbol.refill
            result |= {symbol.index} if refill is not None and refill.shuffle else set()
    return frozenset(result)


def holds(texts: Texts, sort: type) -> bool:
    """Whether any text holds a statement of a sort."""
    return any(isinstance(n, sort) for name in (*texts.bodies, *texts.triggers) for n in walk(texts.parts(name)))


def ends_for(texts: Texts) -> bool:
    """Whether any text ends the game for one player."""
    names = (*texts.bodies, *texts.triggers)
    return any(isinstance(n, syn.EndGame) and n.player is not None for name in names for n in walk(texts.parts(name)))


def called(node: object) -> list[syn.Call]:
    """The calls (and raised events) in a text, in order."""
    return [n for n in walk(node) if isinstance(n, syn.Call)]


@dataclass(frozen=True, slots=True)
class Order:
    """Names so that whatever one calls comes before it; and each cycle found: the calls that close it."""

    names: tuple[str, ...]
    cycles: tuple[tuple[str, ...], ...]


def dependency_order(texts: Texts, nested: frozenset[str] = frozenset()) -> Order:
    """Functions, rules and events, callees first, else in file order. Cycles through those that may be ``nested`` are
    not told."""
    names, cycles = _search(texts, frozenset())
    if nested:
        cycles = _search(texts, nested)[1]
    return Order(names, cycles)


def _search(texts: Texts, without: frozenset[str]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    done: dict[str, None] = {}
    path: list[str] = []
    cycles: list[tuple[str, ...]] = []

    def visit(name: str) -> None:
        if name in done or name in without:
            return
        if name in path:
            cycles.append((*path[path.index(name) :], name))
            return
        path.append(name)
        for call in called(texts.parts(name)):
            if call.name.text in texts.bodies:
                visit(call.name.text)
        path.pop()
        done[name] = None

    for name in texts.bodies:
        visit(name)
    return tuple(done), tuple(cycles)


def assigned(node: object) -> frozenset[str]:
    """Names that a text assigns (or the base of an indexed target)."""
    result = set()
    for n in walk(node):
        if isinstance(n, syn.Assign):
            target = n.target
            while isinstance(target, syn.Index):
                target = target.of
            if isinstance(target, syn.Name):
                result.add(target.text)
    return frozenset(result)


def unsettles(node: object) -> bool:
    """Whether a text may change state variables other than by its own assignments: a call, raise or choice."""
    unsettling = syn.Call | syn.Raise | syn.Choose | syn.Window | syn.AtOnce | syn.AsUsual
    return any(isinstance(n, unsettling) for n in walk(node))


def may_leave(node: object) -> bool:
    """Whether a text may let a player leave, itself or through what it calls."""
    leaving = syn.Leave | syn.EndGame | syn.Call | syn.Raise | syn.AsUsual
    return any(isinstance(n, leaving) for n in walk(node))


def pausing(texts: Texts) -> frozenset[str]:
    """Rules and events that make a choice or end the game, themselves or through what they call."""
    result = {
        name
        for name in texts.bodies
        if any(isinstance(n, syn.Choose | syn.Window | syn.AtOnce | syn.EndGame) for n in walk(texts.parts(name)))
    }
    calls = {name: {c.name.text for c in called(texts.parts(name))} for name in texts.bodies}
    grown = True
    while grown:
        grown = False
        for name, callees in calls.items():
            if name not in result and callees & result:
                result.add(name)
                grown = True
    return frozenset(result)


_Plain = (
    syn.Let
    | syn.Assign
    | syn.Do
    | syn.Move
    | syn.Deal
    | syn.Shuffle
    | syn.ShuffleInto
    | syn.Collect
    | syn.Swap
    | syn.Flip
    | syn.TurnOver
    | syn.Reveal
    | syn.Show
    | syn.Tell
    | syn.Raise
    | syn.Say
    | syn.Leave
    | syn.Rejoin
    | syn.ReversePlay
)
"""Statements that hold no others."""


def _goes_on(_statement: _Plain) -> Literal[True]:
    """The next statement follows. (A new kind of statement must be taken up in `_Plain`, or looked into.)"""
    return True


def leaves(body: syn.Body) -> bool:
    """Whether a body always ends in stop, skip, return or the end of the game, by its syntax."""
    return any(_leaves(statement) for statement in body)


def _leaves(statement: syn.Stmt) -> bool:
    match statement:
        case syn.Stop(condition) | syn.Skip(condition):
            return condition is None
        case syn.Return():
            return True
        case syn.EndGame(player):
            return player is None
        case syn.If(branches, otherwise):
            return otherwise is not None and leaves(otherwise) and all(leaves(body) for _, body in branches)
        case syn.Repeat(times):
            return times is None and not _stops(statement.body)
        case syn.For() | syn.Choose() | syn.Window() | syn.AtOnce():
            return False  # there may be nothing to run over, or nothing to do for whoever passes
        case _:
            return not _goes_on(statement)


def stops(body: syn.Body) -> Iterator[syn.Stop]:
    """Every `stop` in the body of a loop that leaves that loop."""
    for statement in body:
        inside: list[syn.Body | None] = []
        match statement:
            case syn.Stop():
                yield statement
            case syn.If(branches, otherwise):
                inside = [*(inner for _, inner in branches), otherwise]
            case syn.Choose(lines=lines, otherwise=otherwise):
                inside = [*(line.body for line in lines), otherwise]
            case syn.Window(otherwise=otherwise):
                inside = [otherwise]
            case syn.For() | syn.Repeat() | syn.AtOnce():
                pass  # a `stop` in there leaves that
            case syn.Skip() | syn.Return() | syn.EndGame():
                pass
            case _:
                _goes_on(statement)
        for inner in inside:
            yield from stops(inner or ())


def _stops(body: syn.Body) -> bool:
    return next(stops(body), None) is not None


def can_leave(body: syn.Body) -> bool:
    """Whether a `repeat` with this body can be left: a stop of its own, a return or the end of the game."""
    return _stops(body) or any(isinstance(n, syn.Return | syn.EndGame) for n in walk(body))
