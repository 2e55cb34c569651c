"""Fuel: so that no ruleset can hang whoever plays it.

While the rules run from one decision to the next they burn fuel; more than `MAX_FUEL` is a fault, told at the block or
fold that burned too much, for a loop without an end and for rules that only think too long alike. What burns how much
stands in the program itself (``fuel`` of blocks, folds, covers, binders, choices, picks), written by `meter` when a
ruleset is compiled. An executor burns what is written, when the node says, and nothing else: so all executors stop at
the same place.

**What is counted.** A unit of fuel is about `UNIT` small operations (see `reckon`). Counting costs time itself, so as
little as possible is counted:

* *Blocks of procedures.* The entry of a procedure, and the head of each loop, burn `STEP`. In between, what the blocks
  cost is gathered along the way; where it comes to more than `FREE` small operations, the block that it is reached in
  burns it.
* *Functions* with a loop are counted like procedures. One without is reckoned into what calls it; if that is more than
  `SHORT`, its first block burns it all.
* *Folds* that are short, for all the cards there are, or that are said by sets of cards (`masks`), are reckoned into
  what holds them. One that may be long burns for each element of its domain; so do subsets, and numbers not known
  beforehand or many.
* *Binders of a choice* burn the same way, where they run once for each element of another. Before the first there is a
  decision, after which all is counted anew; so what a choice costs is burned (by the `Choose`) only where it may turn
  out to have no option and go on without one.

**Why every run ends.** Between two decisions a run without end would have to pass a block, or an element of a fold,
infinitely often. Folds run over finite domains. A block that is passed twice in one call lies on a loop, and each loop
has a head, which burns. Calls do not go on for ever, since functions call in no circle and a procedure is in progress
at most ``nested`` times at once; and if there are exponentially many, each burns at its entry, or was reckoned in full
into a block that burns.

Imports the IR, `calls` and `reckon`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from rulerun.facts.calls import callees_first
from rulerun.facts.flow import resumed
from rulerun.facts.reckon import Cost, Reckoner
from rulerun.ir import nodes as ir
from rulerun.ir.program import MAX_FUEL, Function, Program
from rulerun.ir.traverse import Ways, is_node, targets_of, undecided

UNIT: Final = 16
"""Small operations that burn one of fuel."""
STEP: Final = 5
"""What an entry of a procedure or a turn of a loop burns at least: 200,000 of them are too many."""
FREE: Final = 256
"""So many small operations of blocks in a row burn nothing."""
SHORT: Final = 2_048
"""A fold, or a function without a loop, of no more small operations burns nothing by itself."""
FEW: Final = 64
"""So many numbers, known beforehand, are reckoned beforehand."""
MOST_AT_ONCE: Final = 2 * MAX_FUEL

T = TypeVar("T")


def meter(program: Program) -> Program:
    """The program with the fuel of all that burns some. What it had before is forgotten."""
    return _Meter(program).program()


def units(cost: Cost, least: int = 0) -> int:
    """What so many small operations burn."""
    return min(MOST_AT_ONCE, max(least, cost // UNIT))


class _Meter:
    def __init__(self, program: Program) -> None:
        self.given = program
        self.reckon = Reckoner(program)

    def program(self) -> Program:
        given, functions = self.given, self.reckon.functions
        for number in callees_first(given):
            functions[number] = self.function(number, given.functions[number])
            self.reckon.costs[number] = self.reckon.function(number, functions[number])
        blocks = [self.block(block) for block in given.blocks]
        ways = [undecided(block.end) for block in blocks]
        entries = [procedure.entry for procedure in given.procedures]
        roots = [given.entry, *entries, *(to for block in blocks for to in resumed(block.end))]
        return replace(
            given,
            functions=tuple(functions[number] for number in range(len(given.functions))),
            blocks=self.counted(blocks, Ways(ways, roots), {given.entry, *entries}),
        )

    def function(self, number: int, function: Function) -> Function:
        self.reckon.sizes = dict(self.reckon.given.get(number, {}))
        blocks = [self.block(block) for block in function.blocks]
        ways = Ways([targets_of(block.end) for block in blocks], [0])
        if ways.heads:
            return replace(function, blocks=self.counted(blocks, ways, {0}))
        cost = self.reckon.function(number, replace(function, blocks=tuple(blocks)))
        if cost > SHORT:
            blocks[0] = replace(blocks[0], fuel=units(cost))
        return replace(function, blocks=tuple(blocks))

    # --------------------------------------------------------------------- blocks

    def counted(self, blocks: Sequence[ir.Block], ways: Ways, entries: set[int]) -> tuple[ir.Block, ...]:
        """The blocks with what they burn: entries and heads of loops a step, and all of them what is gathered on the
        way to them since something was burned, if it is much."""
        done = list(blocks)
        gathered: dict[int, Cost] = {}
        for number in ways.order:
            self.reckon.sizes = {}
            cost = gathered.get(number, 0) + self.reckon.block(blocks[number])
            step = STEP if number in entries or number in ways.heads else 0
            fuel = step + (units(cost) if cost > FREE else 0)
            if fuel:
                done[number] = replace(blocks[number], fuel=fuel)
                cost = 0
            for to in ways.onward[number]:
                gathered[to] = max(cost, gathered.get(to, 0))
        return tuple(done)

    def block(self, block: ir.Block) -> ir.Block:
        """A block with the fuel of what is in it; its own comes later."""
        return replace(block, ops=self.within(block.ops), end=self.end(block.end), fuel=0)

    def end(self, end: ir.Terminator) -> ir.Terminator:
        match end:
            case ir.Choose(_, chooser, lines):
                chooser, lines = self.within(chooser), tuple(map(self.line, lines))
                cost = sum(map(self.reckon.line, lines))
                may_go_on = end.passing is not None and not end.optional
                return replace(end, chooser=chooser, lines=lines, fuel=units(cost) if may_go_on and cost > FREE else 0)
            case ir.Pick():
                domain = self.within(end.domain)
                each = 2 + self.reckon.filters(domain)
                return replace(end, domain=domain, fuel=units(each, 1) if _is_counted(domain) else 0)
            case _:
                return self.within(end)

    def line(self, line: ir.Line) -> ir.Line:
        """A line of a choice, its binders from the last to the first."""
        line = self.within(line)
        self.reckon.line(line)  # which notes how large the sets are
        inside = self.reckon.of(line.where)
        binders: list[ir.Binder] = []
        for number, binder in reversed(list(enumerate(line.binders))):
            each = self.reckon.per_option(binder, inside)
            long = number > 0 and self.reckon.options(binder) * each > SHORT
            tested_sets = binder.identity is ir.Identity.MULTISET and line.where is not None
            if long or tested_sets or _is_of_sets(binder.domain) or _is_of_unknown_numbers(binder.domain):
                binder = replace(binder, fuel=units(each, 1), domain=_looped(binder.domain))
            else:
                binder = replace(binder, fuel=0)
            binders.insert(0, binder)
            inside = self.reckon.binder(binder, inside)
        return replace(line, binders=tuple(binders))

    # ---------------------------------------------------------------- expressions

    def within(self, node: T) -> T:
        """A part of the IR with the fuel of all that it holds."""
        if isinstance(node, tuple):
            inner: Any = tuple(map(self.within, node))
            return inner if any(a is not b for a, b in zip(inner, node, strict=True)) else node
        if not is_node(node):
            return node
        parts = {}
        for slot in type(node).__slots__:  # type: ignore[attr-defined]
            old = getattr(node, slot)
            new = self.within(old)
            if new is not old:
                parts[slot] = new
        made: Any = replace(node, **parts) if parts else node  # type: ignore[type-var]
        match made:
            case ir.Fold():
                made = self.fold(made)
            case ir.Cover():
                fuel = units(self.reckon.per_group(made), 1)
                made = made if made.fuel == fuel else replace(made, fuel=fuel)
        whole: T = made
        return whole

    def fold(self, fold: ir.Fold) -> ir.Fold:
        """A fold whose parts have their fuel."""
        each = self.reckon.per_element(fold)
        long = self.reckon.most(fold.domain) * each > SHORT
        looped = fold.sets is None or (isinstance(fold.sets, ir.Fold) and fold.sets.kind is not ir.FoldKind.FIRST)
        if _is_counted(fold.domain) or (long and looped):
            return replace(fold, fuel=units(each, 1), sets=None)
        if isinstance(fold.sets, ir.Fold) and fold.sets.fuel:
            return replace(fold, fuel=0, sets=None)
        return replace(fold, fuel=0) if fold.fuel else fold


# --------------------------------------------------------------------- domains


def _is_counted(domain: ir.Domain) -> bool:
    """Whether the elements of a domain are counted wherever it stands: sets of cards, and numbers that are not known or
    many."""
    if isinstance(domain, ir.FilteredDomain):
        return _is_counted(domain.domain)
    return _is_of_sets(domain) or _is_of_unknown_numbers(domain)


def _is_of_sets(domain: ir.Domain) -> bool:
    """Whether a domain holds the subsets of a set of cards, which may be far more than cards."""
    if isinstance(domain, ir.FilteredDomain):
        return _is_of_sets(domain.domain)
    return isinstance(domain, ir.SubsetDomain)


def _is_of_unknown_numbers(domain: ir.Domain) -> bool:
    """Whether a domain holds numbers that are not known beforehand, or many."""
    match domain:
        case ir.FilteredDomain():
            return _is_of_unknown_numbers(domain.domain)
        case ir.NumberDomain(ir.Const(low), ir.Const(high)):
            return high - low >= FEW
        case ir.SteppedDomain(ir.Const(low), ir.Const(high), step):
            return abs(high - low) // abs(step) >= FEW
        case ir.NumberDomain() | ir.SteppedDomain():
            return True
        case _:
            return False


def _looped(domain: ir.Domain) -> ir.Domain:
    """The domain without what says it by sets of cards: what is counted is gone through as it stands."""
    if isinstance(domain, ir.FilteredDomain):
        return replace(domain, domain=_looped(domain.domain), sets=None)
    return domain
