"""The planner: the switchboard between the pages that say what each node of the IR means.

A program is planned once: every node becomes a closure that holds the closures of its parts, so that names, modes and
constants are settled when the game runs. The pages (`expressions`, `folds`, `domains`, `operations`, `blocks`, …) do
not import each other; where one needs a part planned it asks the planner. Imports facts, ir and run only.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from rulerun.facts.calls import callees_first
from rulerun.ir import nodes as ir
from rulerun.ir.program import Program
from rulerun.ir.types import BOOL
from rulerun.ir.typing import type_of
from rulerun.run import blocks, covers, domains, expressions, folds, functions, operations
from rulerun.run.closures import Elements, Faults, Fuel, Step, Value, Vector, Way
from rulerun.run.held_cards import HeldCards
from rulerun.run.places import as_value, place_address
from rulerun.run.sets import bits_of
from rulerun.run.sight import Order, Sight
from rulerun.run.table import Table
from rulerun.run.teller import Teller

TellChoice = Callable[[Vector, int, int, int], None]
"""``(v, site, chooser, line)``"""
Trace = Callable[[int, str], None]
CACHED = 4_096
"""So many sets and orders of seats are kept."""


class Planner:
    """Plans the parts of one program for one machine.

    ``teller`` None: quiet. ``guarded``: for what a choice offers; to read a face or a value there that the seat asked
    does not see is a fault. ``annotations``: whether what the IR says again by sets of cards may be used.
    """

    def __init__(
        self,
        program: Program,
        table: Table,
        faults: Faults,
        fuel: Fuel,
        teller: Teller | None = None,
        *,
        held: HeldCards | None = None,
        knowledge: bool = False,
        tell_choice: TellChoice | None = None,
        explicit_chance: bool = False,
        annotations: bool = True,
        guarded: bool = False,
    ) -> None:
        self.program = program
        self.layout = program.layout
        self.table = table
        self.sight = Sight(program, table)
        self.faults = faults
        self.fuel = fuel
        self.teller = teller
        self.held = held
        """Tells of variables that hold cards, and of tokens on cards; None where there are none."""
        self.knowledge = knowledge
        self.tell_choice = tell_choice
        """Tells what a seat chose before; see `ir.operations.Tell`."""
        self.explicit_chance = explicit_chance
        self.annotations = annotations and not guarded
        self.guarded = guarded
        self.members = lru_cache(CACHED)(lambda of: tuple(bits_of(of)))
        """The elements of a set, lowest first. Rules look through the same sets again and again."""
        self.seats_around = lru_cache(CACHED)(domains.seats_around)
        self.functions: dict[int, Value] = {}
        """The bodies of the functions, over their registers."""
        self.memoized: dict[int, Callable[..., int] | None] = {}
        """The stateless functions, over their arguments. (What looks at faces is guarded by who sees them.)"""
        stateless = set[int]() if guarded else functions.stateless(program)
        for number in callees_first(program):
            function = program.functions[number]
            self.functions[number] = functions.body(self, function)
            if number in stateless:
                self.memoized[number] = functions.memoized(function, self.functions[number])

    def value(self, expr: ir.Expr) -> Value:
        """An expression; a bool may come as a Python bool."""
        return expressions.value(self, expr)

    def number(self, expr: ir.Expr) -> Value:
        """An expression, a bool as 0 or 1: for what is stored or told."""
        value = self.value(expr)
        if type_of(expr) != BOOL or isinstance(expr, ir.Const):
            return value
        return lambda v, r: int(value(v, r))

    def test(self, expr: ir.Expr | None) -> Value | None:
        """A condition, if there is one."""
        return None if expr is None else self.value(expr)

    def fold(self, fold: ir.Fold) -> Value:
        return folds.value(self, fold)

    def cover(self, cover: ir.Cover) -> Value:
        return covers.value(self, cover)

    def elements(self, domain: ir.Domain, fuel: int, at: int, order: Order | None = None) -> Elements:
        """A domain. ``fuel`` units are burned for each element (filters aside) before the first is looked at; ``at``
        is told if that is too much. ``order``: of cards, where the domain would go by their numbers."""
        return domains.elements(self, domain, fuel, at, order)

    def steps(self, block: ir.Block, trace: Trace | None = None) -> list[Step]:
        """The fuel that a block burns, and its operations. ``trace`` gets the origin and the sort of each."""
        steps = [self.fuel.burning(block.fuel, block.at)] if block.fuel else []
        last = -1

        def traced(part: ir.Op | ir.Terminator) -> None:
            nonlocal last
            at = getattr(part, "at", -1)
            if trace is not None and at not in (-1, last):
                steps.append(_tracing(trace, at, type(part).__name__))
                last = at

        for op in block.ops:
            traced(op)
            steps.append(self._told(op, operations.step(self, op)))
        traced(block.end)
        return steps

    def end(self, number: int, end: ir.Terminator) -> Way:
        """How block ``number`` of a procedure ends."""
        way = blocks.way(self, number, end)
        return way if self.held is None or not isinstance(end, ir.Draw | ir.Pick) else self.held.watched(way)

    def _told(self, op: ir.Op, step: Step) -> Step:
        """A step, with what is told of variables that hold cards."""
        if self.held is None or not self.held.may_change(op):
            return step
        again = as_value(place_address(self, op.place)) if isinstance(op, ir.Store) and op.told else None
        return self.held.watched(step, again)


def _tracing(trace: Trace, at: int, what: str) -> Step:
    return lambda _v, _r: trace(at, what)
