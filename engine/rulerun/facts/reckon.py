"""What parts of a program cost at most, in small operations: looking something up, adding, comparing.

An estimate, made beforehand, of what is not counted while the game runs: what burns fuel by itself (`facts.fuel`) costs
next to nothing here, so that nothing is counted twice. A domain is taken to be as long as it can get: all the cards
there are, all seats, all values of its type; unless the text says less, as `subsets(X, 2..3)` does.

Imports the IR, `calls`, `domains` and `small_sets`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rulerun.facts.calls import longest
from rulerun.facts.domains import domain_size, set_size
from rulerun.facts.small_sets import Sizes, least_known, note_size, size_in, size_of_binder
from rulerun.ir import nodes as ir
from rulerun.ir.program import MAX_COVERED, MAX_SET_OPTIONS, Function, Program
from rulerun.ir.traverse import is_node
from rulerun.ir.typing import is_card_set, type_of

Cost = int
"""Small operations."""

COUNTED: Final = 4
"""What is counted while the game runs costs no more beforehand."""
TOLD: Final = 64
"""Telling one thing to everybody."""
NOTED: Final = 16
"""Telling one card of a set to everybody, in a note."""
DRAWN: Final = 16
MANY_NUMBERS: Final = 100
"""So many numbers a domain of numbers is taken to have at most: more are counted."""
COSTLIEST: Final = 1 << 60


class Reckoner:
    """Reckons parts of a program whose fuel is settled. ``functions`` and ``costs`` are filled, callees first, by
    whoever settles it; ``sizes`` holds, for locals that hold sets of cards, how many they are at most, if known."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.cards = max(1, program.card_count)
        self.functions: dict[int, Function] = {}
        self.costs: dict[int, Cost] = {}
        self.given = Sizes(program).of_parameters()
        self.sizes: dict[int, int] = {}
        self._of_small_sets: dict[tuple[int, tuple[tuple[int, int], ...]], Cost] = {}

    # ------------------------------------------------------------------ functions

    def function(self, number: int, function: Function, sizes: dict[int, int] | None = None) -> Cost:
        """What a call of a function costs, its arguments aside. ``sizes``: those of the sets that are given to it."""
        outer, self.sizes = self.sizes, {**self.given.get(number, {}), **(sizes or {})}
        blocks = function.blocks
        cost = 1 if blocks[0].fuel else longest(blocks, [1 if block.fuel else self.block(block) for block in blocks])
        self.sizes = outer
        return min(cost, COSTLIEST)

    def call(self, number: int, arguments: Sequence[ir.Expr]) -> Cost:
        """What the function of a call costs. It is less for a set of few cards."""
        sizes = tuple(
            (i, self.sizes[argument.index])
            for i, argument in enumerate(arguments)
            if isinstance(argument, ir.Local) and argument.index in self.sizes
        )
        if not sizes:
            return self.costs[number]
        if (number, sizes) not in self._of_small_sets:
            cost = self.function(number, self.functions[number], dict(sizes))
            self._of_small_sets[number, sizes] = cost
        return self._of_small_sets[number, sizes]

    # --------------------------------------------------------------------- blocks

    def block(self, block: ir.Block) -> Cost:
        return 1 + sum(self.op(op) for op in block.ops) + self.end(block.end)

    def op(self, op: ir.Op) -> Cost:
        match op:
            case ir.Snapshot(domain):
                return self.elements(domain)
            case ir.Inform(_, zone, _, test):
                return 8 + (1 + self.of(test)) * (self.cards if zone is not None else 1)
            case ir.Announce(text):
                sets = sum(not isinstance(part, str) and is_card_set(type_of(part)) for part in text.parts)
                return TOLD + self.of(text.parts) + 4 * len(text.parts) + sets * self.cards * NOTED
            case ir.MoveCards(cards=cards) | ir.Reveal(cards=cards) | ir.Flip(cards=cards):
                return self.each(op) + TOLD * (1 if isinstance(cards, ir.Single) else self.cards)
            case ir.MoveAll() | ir.SwapZones():
                return self.each(op) + TOLD * self.cards
            case ir.CollectAll() | ir.Collect() | ir.Shuffle() | ir.TurnOver() | ir.Refill():
                return self.each(op) + 4 * self.cards
            case ir.MoveCard() | ir.SwapCards() | ir.Leave() | ir.Reverse() | ir.Tell():
                return self.each(op) + TOLD
            case ir.Store(place) if place.offset < self.program.layout.frames:
                return self.each(op) + TOLD // 2
            case _:
                return self.each(op)

    def end(self, end: ir.Terminator) -> Cost:
        match end:
            case ir.Choose(_, chooser):
                return self.of(chooser)
            case ir.Pick(domain):
                return COUNTED + self.setup(domain) if end.fuel else self.elements(domain)
            case ir.Draw():
                return self.each(end) + DRAWN
            case _:
                return self.each(end)

    # --------------------------------------------------------------------- choices

    def line(self, line: ir.Line) -> Cost:
        """What it costs to look for the options of a line."""
        for binder in line.binders:
            note_size(self.sizes, binder.local, size_of_binder(binder))
        inside = self.of(line.where)
        for binder in reversed(line.binders):
            inside = self.binder(binder, inside)
        return self.of(line.guard) + inside

    def binder(self, binder: ir.Binder, inside: Cost) -> Cost:
        """What a binder of a line costs, where for each of its elements ``inside`` is done."""
        setup = self.setup(binder.domain) + self.of(binder.least) + self.of(binder.most)
        if binder.identity is ir.Identity.MULTISET:
            setup += (2 + self.filters(binder.domain)) * self.most(binder.domain)
        if binder.fuel:
            return setup + COUNTED
        return setup + self.options(binder) * self.per_option(binder, inside)

    def options(self, binder: ir.Binder) -> int:
        """How many elements a binder runs over at most."""
        if binder.identity is ir.Identity.MULTISET:
            return min(MAX_SET_OPTIONS, 1 << min(self.cards, 60))
        return self.most(binder.domain)

    def per_option(self, binder: ir.Binder, inside: Cost) -> Cost:
        """What each element of a binder costs."""
        return 2 + inside + (0 if binder.identity is ir.Identity.MULTISET else self.filters(binder.domain))

    # ---------------------------------------------------------------- expressions

    def of(self, node: Any) -> Cost:
        """What a part of an expression costs."""
        if isinstance(node, tuple):
            return sum(map(self.of, node))
        if not is_node(node):
            return 0
        match node:
            case ir.Const() | ir.Local():
                return 1
            case ir.Fold():
                return self.fold(node)
            case ir.Cover(of, _, least, most):
                return self.of(of) + self.of(least) + self.of(most) + 2 * COUNTED
            case ir.CallFunction(function, arguments):
                return 4 + self.of(arguments) + self.call(function, arguments)
            case ir.Conditional(condition, then, otherwise):
                return self.of(condition) + max(self.of(then), self.of(otherwise))
            case ir.Size(ir.ZoneCards(zone)):
                return 1 + self.of(zone)
            case ir.ZoneCards(zone) | ir.ZoneTop(zone) if self.program.families[zone.family].kind.ordered:
                return self.each(node) + self.cards
            case ir.CardTable(_, _, index):
                return 2 + self.of(index)
            case ir.HoldersOf(sets, of):
                return len(sets) + self.of(of)
            case ir.SumOf(_, of):
                return self.cards + self.of(of)
            case _:
                return self.each(node)

    def each(self, node: Any) -> Cost:
        """What all parts of a node cost."""
        return 1 + sum(self.of(getattr(node, slot)) for slot in type(node).__slots__)

    def fold(self, fold: ir.Fold) -> Cost:
        setup = self.setup(fold.domain) + self.of(fold.default)
        if fold.fuel:
            return setup + COUNTED
        if fold.kind is ir.FoldKind.FIRST and isinstance(fold.domain, ir.SetDomain) and fold.where is None:
            return setup + COUNTED  # the lowest of a set
        looped = setup + self.most(fold.domain) * self.per_element(fold)
        return looped if fold.sets is None else min(looped, self.of(fold.sets))

    def per_element(self, fold: ir.Fold) -> Cost:
        note_size(self.sizes, fold.local, size_in(fold.domain))
        return 2 + self.filters(fold.domain) + self.of(fold.where) + self.of(fold.value)

    def per_group(self, cover: ir.Cover) -> Cost:
        note_size(self.sizes, cover.local, least_known(cover.most, MAX_COVERED))
        return 4 + self.of(cover.where) + self.of(cover.value)

    # -------------------------------------------------------------------- domains

    def elements(self, domain: ir.Domain) -> Cost:
        """What it costs to go through a domain."""
        return self.setup(domain) + (2 + self.filters(domain)) * self.most(domain)

    def setup(self, domain: ir.Domain) -> Cost:
        """What it costs to begin with a domain."""
        match domain:
            case ir.FilteredDomain():
                return self.setup(domain.domain)
            case ir.RunDomain():  # all cards are looked at, even if there is no run
                return self.each(domain) + 2 * self.cards
            case _:
                return self.each(domain)

    def filters(self, domain: ir.Domain) -> Cost:
        """What the filters of a domain cost for each element."""
        if not isinstance(domain, ir.FilteredDomain):
            return 0
        note_size(self.sizes, domain.local, size_in(domain.domain))
        return self.filters(domain.domain) + self.of(domain.where)

    def most(self, domain: ir.Domain) -> int:
        """How many elements a domain has at most, as far as that is known."""
        match domain:
            case ir.FilteredDomain():
                return self.most(domain.domain)
            case ir.SetDomain(of):
                return self.size(of)
            case ir.NumberDomain() | ir.SteppedDomain():
                return min(domain_size(domain, self.program), MANY_NUMBERS)
            case _:
                return domain_size(domain, self.program)

    def size(self, of: ir.Expr) -> int:
        """How many elements a set has at most."""
        match of:
            case ir.Local(index, type_):
                return min(set_size(type_, self.program), self.sizes.get(index, COSTLIEST))
            case ir.Binary("common", left, right):
                return min(self.size(left), self.size(right))
            case ir.Binary("without", left):
                return self.size(left)
            case _:
                return set_size(type_of(of), self.program)
