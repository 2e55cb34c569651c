"""How much work the parts of a program are, and which of them are counted while the game runs.

A game may run through `MAX_STEPS` blocks without a decision, and each of them may hold text that looks at every card
for every other card. So that no ruleset can hang whoever plays it, the executors keep a second count: of work, in units
of about `UNIT` small operations. Most of a program is so small that counting it would cost more than doing it; `weigh`
says once, for both executors, where to count and how much: in the ``weight`` of folds, covers, binders and blocks
(0: nothing is counted there).

A fold that is short for all the cards there are is reckoned into what holds it: the fold around it, the function, the
block. One that may be long is counted for each element of its domain whenever it runs, as are subsets and numbers that
are not known beforehand. A block is counted if all that is reckoned into it is more than `FREE`, a function (at its
begin) if that is more than `SHORT`. What is told costs more than it seems, since every seat is told.

Imports the IR only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from rulerun.facts.calls import callees_first, has_loop, longest
from rulerun.facts.small_sets import Sizes, least_known, note_size, size_in, size_of_binder
from rulerun.ir import nodes as ir
from rulerun.ir.program import MAX_COVERED, MAX_SET_OPTIONS, MAX_WORK, Function, Program
from rulerun.ir.traverse import is_node, walk
from rulerun.ir.types import CardType, EnumType, OptionalType, PlayerType, SetType, Type

UNIT: Final = 16
"""Small operations that are a unit of work."""
FREE: Final = 256
"""A block of no more small operations is counted as a step only."""
SHORT: Final = 2_048
"""A fold, or a function, of no more small operations, for all the cards there are, is not counted by itself."""
FEW: Final = 64
"""Numbers, all known beforehand, that are reckoned beforehand."""
TOLD: Final = 64
"""Small operations of telling one thing to everybody."""
MANY_NUMBERS: Final = 100
BY_MASK: Final = 12
"""Small operations of a fold over a set of cards that is done by masks."""
SMALL: Final = 40
"""Nodes of a function that is looked into for tests by masks."""
MOST_WEIGHT: Final = 2 * MAX_WORK

T = TypeVar("T")
Cost = int
"""Small operations at most, without what is counted when it is done."""


def weigh(program: Program) -> Program:
    """The program with the weights of all that is counted."""
    return _Weigher(program).program()


def units(cost: Cost, least: int = 0) -> int:
    """A weight for so many small operations."""
    return min(MOST_WEIGHT, max(least, cost // UNIT))


class _Weigher:
    def __init__(self, program: Program) -> None:
        self.given = program
        self.cards = max(1, program.card_count)
        self.functions: dict[int, Function] = {}
        self.costs: dict[int, Cost] = {}
        self.small_costs: dict[tuple[int, tuple[tuple[int, int], ...]], Cost] = {}
        """What a call costs whose sets of cards are known to be small: parameters with the most cards in them."""
        self.settled = False
        """Whether all weights are as they stay, and only the cost is wanted."""
        self.given_sizes = Sizes(program).of_parameters()
        self.sizes: dict[int, int] = {}
        """Per local that holds a set of cards: how many they are at most, if that is known."""

    def program(self) -> Program:
        given = self.given
        for number in callees_first(given):
            self.functions[number], self.costs[number] = self.function(number, given.functions[number])
        blocks = tuple(self.block(block) for block in given.blocks)
        functions = tuple(self.functions[number] for number in range(len(given.functions)))
        return replace(given, functions=functions, blocks=blocks)

    # ------------------------------------------------------------------ functions

    def function(self, number: int, function: Function) -> tuple[Function, Cost]:
        """A function with its weights, and what a call of it costs."""
        self.sizes = dict(self.given_sizes.get(number, {}))
        looping = has_loop(function.blocks)
        blocks: list[ir.Block] = []
        costs: list[Cost] = []
        for block in function.blocks:
            ops, cost = self.parts(block.ops)
            end, more = self.end(block.end)
            weight = units(cost + more) if looping and cost + more > FREE else 0
            weight = block.weight if self.settled else weight
            blocks.append(_changed(block, ops=ops, end=end, weight=weight))
            costs.append(1 if weight else cost + more)
        total = longest(function.blocks, costs)
        if total > SHORT and not self.settled:
            blocks[0] = _changed(blocks[0], weight=max(blocks[0].weight, units(total)))
            total = 1
        return replace(function, blocks=tuple(blocks)), total

    def call(self, function: int, arguments: Sequence[ir.Expr]) -> Cost:
        """What the function of a call costs, its weights aside. It is less for a set of few cards."""
        sizes = tuple(
            (i, self.sizes[argument.index])
            for i, argument in enumerate(arguments)
            if isinstance(argument, ir.Local) and argument.index in self.sizes
        )
        if not sizes:
            return self.costs[function]
        key = (function, sizes)
        if key not in self.small_costs:
            kept = self.sizes, self.settled, self.given_sizes.get(function, {})
            self.given_sizes[function] = {**kept[2], **dict(sizes)}
            self.settled = True
            self.small_costs[key] = self.function(function, self.functions[function])[1]
            self.sizes, self.settled, self.given_sizes[function] = kept
        return self.small_costs[key]

    # --------------------------------------------------------------------- blocks

    def block(self, block: ir.Block) -> ir.Block:
        """A block of a procedure."""
        self.sizes = {}
        ops: list[ir.Op] = []
        cost = 0
        for op in block.ops:
            weighed, more = self.op(op)
            ops.append(weighed)
            cost += more
        end, more = self.end(block.end)
        cost += more
        return _changed(block, ops=_kept(block.ops, ops), end=end, weight=units(cost) if cost > FREE else 0)

    def op(self, op: ir.Op) -> tuple[ir.Op, Cost]:
        match op:
            case ir.Snapshot(domain):
                weighed, each, setup = self.domain(domain)
                return _changed(op, domain=weighed), setup + (2 + each) * self.most(domain)
            case ir.Inform(_, zone, _, test):
                test, cost = self.part(test)
                return _changed(op, test=test), 8 + (1 + cost) * (self.cards if zone is not None else 1)
            case ir.Announce(text):
                parts, cost = self.parts(text.parts)
                sets = sum(_is_card_set(part) for part in text.parts)
                cost += TOLD + 4 * len(text.parts) + sets * self.cards * UNIT
                return _changed(op, text=_changed(text, parts=parts)), cost
            case ir.MoveCards(cards=cards) | ir.Reveal(cards=cards) | ir.Flip(cards=cards):
                weighed_op, cost = self.part(op)
                return weighed_op, cost + TOLD * (1 if isinstance(cards, ir.Single) else self.cards)
            case ir.MoveAll() | ir.SwapZones():
                weighed_op, cost = self.part(op)
                return weighed_op, cost + TOLD * self.cards
            case ir.CollectAll() | ir.Collect() | ir.Shuffle() | ir.Refill():
                weighed_op, cost = self.part(op)
                return weighed_op, cost + 4 * self.cards
            case ir.MoveCard() | ir.SwapCards() | ir.Leave() | ir.Reverse() | ir.Tell():
                weighed_op, cost = self.part(op)
                return weighed_op, cost + TOLD
            case ir.Store(place) if place.offset < self.given.layout.frames:
                weighed_op, cost = self.part(op)
                return weighed_op, cost + TOLD // 2
            case _:
                return self.part(op)

    def end(self, end: ir.Terminator) -> tuple[ir.Terminator, Cost]:
        match end:
            case ir.Choose(_, chooser, lines):
                chooser, cost = self.part(chooser)
                weighed: list[ir.Line] = []
                looked = 0
                for line in lines:
                    one, more = self.line(line)
                    weighed.append(one)
                    looked += more
                weight = units(looked) if looked > FREE and end.passing is not None and not end.optional else 0
                return _changed(end, chooser=chooser, lines=_kept(lines, weighed), weight=weight), cost
            case ir.Pick(domain):
                of, each, setup = self.domain(domain)
                return _changed(end, domain=of), setup + (2 + each) * self.most(domain)
            case ir.Draw():
                drawn, cost = self.part(end)
                return drawn, cost + 16
            case _:
                return self.part(end)

    def line(self, line: ir.Line) -> tuple[ir.Line, Cost]:
        """A line of a choice. With an option it leads to a decision, after which all is counted anew; so only a choice
        that may have none is counted. Its first binder is reckoned beforehand; those that run once for each element of
        one before are counted if they may be long, and so are sets that a `where` tests, or out of a domain of sets."""
        guard, cost = self.part(line.guard)
        for binder in line.binders:
            note_size(self.sizes, binder.local, size_of_binder(binder))
        where, test = self.part(line.where)
        binders: list[ir.Binder] = []
        inside = test
        for number, binder in reversed(list(enumerate(line.binders))):
            domain, each, setup = self.domain(binder.domain)
            least, more = self.part(binder.least)
            most, still_more = self.part(binder.most)
            setup += more + still_more
            per_element = 2 + each + inside
            if binder.held is ir.Held.SET:
                setup += (2 + each) * self.most(binder.domain)
                elements, per_element = min(MAX_SET_OPTIONS, 1 << min(self.cards, 60)), 2 + inside
            else:
                elements = self.most(binder.domain)
            tested_sets = binder.held is ir.Held.SET and line.where is not None
            long = number > 0 and elements * per_element > SHORT
            if long or tested_sets or _of_sets(binder.domain):
                weight, inside = units(per_element, 1), setup + 4
            else:
                weight, inside = 0, setup + elements * per_element
            binders.insert(0, _changed(binder, domain=domain, least=least, most=most, weight=weight))
        label = line.label
        if label is not None:
            parts, _ = self.parts(label.parts)
            label = _changed(label, parts=parts)
        weighed = _changed(line, guard=guard, binders=_kept(line.binders, binders), where=where, label=label)
        return weighed, cost + inside

    # ---------------------------------------------------------------- expressions

    def parts(self, nodes: Sequence[T]) -> tuple[tuple[T, ...], Cost]:
        weighed: list[T] = []
        total = 0
        for node in nodes:
            one, cost = self.part(node)
            weighed.append(one)
            total += cost
        return _kept(nodes, weighed), total

    def part(self, node: Any) -> tuple[Any, Cost]:
        """Any part of the IR with its weights, and what it costs."""
        if isinstance(node, tuple):
            return self.parts(node)
        if not is_node(node):
            return node, 0
        match node:
            case ir.Const() | ir.Local():
                return node, 1
            case ir.Fold():
                return self.fold(node)
            case ir.Cover():
                return self.cover(node)
            case ir.CallFunction(function, arguments):
                weighed, cost = self.parts(arguments)
                return _changed(node, arguments=weighed), 4 + cost + self.call(function, arguments)
            case ir.Conditional(condition, then, otherwise):
                condition, cost = self.part(condition)
                then, first = self.part(then)
                otherwise, second = self.part(otherwise)
                return _changed(node, condition=condition, then=then, otherwise=otherwise), cost + max(first, second)
            case ir.Size(ir.ZoneCards(zone)):
                zone, cost = self.part(zone)
                return _changed(node, of=_changed(node.of, zone=zone)), 1 + cost
        changes: dict[str, Any] = {}
        total = 1
        for slot in type(node).__slots__:
            value = getattr(node, slot)
            changes[slot], cost = self.part(value)
            total += cost
        if isinstance(node, ir.ZoneCards | ir.ZoneTop) and self.given.families[node.zone.family].kind.ordered:
            total += self.cards
        return _changed(node, **changes), total

    def fold(self, fold: ir.Fold) -> tuple[ir.Fold, Cost]:
        domain, each, setup = self.domain(fold.domain)
        note_size(self.sizes, fold.local, size_in(fold.domain))
        where, test = self.part(fold.where)
        value, work = self.part(fold.value)
        default, more = self.part(fold.default)
        setup += more
        per_element = 2 + each + test + work
        total = self.most(fold.domain) * per_element
        if self.by_masks(fold):
            weight, cost = 0, BY_MASK + each + test + work
        elif self.is_counted(fold.domain):
            weight, cost = units(per_element, 1), 4
        elif total <= SHORT:
            weight, cost = 0, total
        else:
            weight, cost = units(per_element, 1), 4
        if self.settled:
            weight, cost = fold.weight, 4 if fold.weight else cost if weight == 0 else total
        weighed = _changed(fold, domain=domain, where=where, value=value, default=default, weight=weight)
        return weighed, setup + cost

    def cover(self, cover: ir.Cover) -> tuple[ir.Cover, Cost]:
        of, setup = self.part(cover.of)
        least, more = self.part(cover.least)
        most, still_more = self.part(cover.most)
        note_size(self.sizes, cover.local, least_known(cover.most, MAX_COVERED))
        where, test = self.part(cover.where)
        value, work = self.part(cover.value)
        weight = units(4 + test + work, 1)
        weighed = _changed(cover, of=of, least=least, most=most, where=where, value=value, weight=weight)
        return weighed, setup + more + still_more + 8

    # -------------------------------------------------------------------- domains

    def domain(self, domain: ir.Domain) -> tuple[ir.Domain, Cost, Cost]:
        """A domain with its weights, what its filters cost for each element, and what it costs to begin."""
        if isinstance(domain, ir.FilteredDomain):
            base, each, setup = self.domain(domain.domain)
            note_size(self.sizes, domain.local, size_in(domain.domain))
            where, test = self.part(domain.where)
            return _changed(domain, domain=base, where=where), each + test, setup
        weighed, setup = self.part(domain)
        return weighed, 0, setup

    def most(self, domain: ir.Domain) -> int:
        """How many elements a domain has at most, as far as that is known."""
        match domain:
            case ir.FilteredDomain():
                return self.most(domain.domain)
            case ir.NumberDomain(ir.Const(low), ir.Const(high)):
                return max(0, high - low + 1)
            case ir.SteppedDomain(ir.Const(low), ir.Const(high), step):
                return len(range(low, high + (1 if step > 0 else -1), step))
            case ir.NumberDomain() | ir.SteppedDomain():
                return MANY_NUMBERS
            case ir.SeatDomain():
                return self.given.players
            case ir.SetDomain(ir.Local(index, type_)):
                return min(self.members(type_), self.sizes.get(index, MOST_WEIGHT))
            case ir.SetDomain(of):
                return self.members(_type_of(of))
            case _:
                return self.cards

    def members(self, type_: Type | None) -> int:
        match type_:
            case SetType(of=of):
                return self.members(of)
            case OptionalType(inner=inner):
                return self.members(inner)
            case EnumType(values=values):
                return len(values)
            case PlayerType():
                return self.given.players
            case _:
                return self.cards

    def is_counted(self, domain: ir.Domain) -> bool:
        """Whether a domain is counted wherever it stands: sets of cards, and numbers that are not known or many."""
        if isinstance(domain, ir.FilteredDomain):
            return self.is_counted(domain.domain)
        if isinstance(domain, ir.NumberDomain | ir.SteppedDomain):
            ends = isinstance(domain.low, ir.Const) and isinstance(domain.high, ir.Const)
            return not ends or self.most(domain) > FEW or isinstance(domain, ir.SteppedDomain)
        return _of_sets(domain)

    # ---------------------------------------------------------------------- masks

    def by_masks(self, fold: ir.Fold) -> bool:
        """Whether a fold over cards is surely done by sets and masks, whatever cards there are."""
        kinds = (ir.FoldKind.COUNT, ir.FoldKind.SOME, ir.FoldKind.EVERY, ir.FoldKind.FIRST, ir.FoldKind.SET)
        if fold.kind not in kinds or not self.is_mask_domain(fold.domain):
            return False
        if fold.kind is ir.FoldKind.SET and not (isinstance(fold.value, ir.Local) and fold.value.index == fold.local):
            return False
        if fold.kind is ir.FoldKind.FIRST and fold.default is not None and not isinstance(fold.default, ir.Const):
            return False
        tests = [fold.where, fold.value if fold.kind in (ir.FoldKind.SOME, ir.FoldKind.EVERY) else None]
        return all(test is None or self.is_test(test, frozenset({fold.local})) for test in tests)

    def is_mask_domain(self, domain: ir.Domain) -> bool:
        match domain:
            case ir.ZoneDomain(zone):
                return not self.given.families[zone.family].kind.ordered
            case ir.SetDomain(of):
                of_type = _type_of(of)
                return isinstance(of_type, SetType) and isinstance(of_type.of, CardType)
            case ir.FilteredDomain(local, inner, where):
                return self.is_mask_domain(inner) and self.is_test(where, frozenset({local}))
            case _:
                return False

    def is_test(self, test: ir.Expr, cards: frozenset[int], depth: int = 0) -> bool:
        """Whether a test compares what is printed on the card, which the locals ``cards`` hold, with what is known
        without looking at any other card."""
        match test:
            case ir.And(left, right) | ir.Or(left, right):
                return self.is_test(left, cards, depth) and self.is_test(right, cards, depth)
            case ir.Unary("not", operand):
                return self.is_test(operand, cards, depth)
            case ir.Conditional(condition, then, otherwise):
                ways = self.is_test(then, cards, depth) and self.is_test(otherwise, cards, depth)
                return ways and self.is_test(condition, frozenset(), depth)
            case ir.Binary("==" | "!=" | "<" | "<=" | ">" | ">=", left, right):
                first, second = self.is_plain(left, cards), self.is_plain(right, cards)
                return (first or self.is_print(left, cards, depth)) and (second or self.is_print(right, cards, depth))
            case ir.Contains(item, of):
                return self.is_plain(of, cards) and self.is_print(item, cards, depth)
            case ir.CallFunction():
                return self.in_body(test, cards, depth, self.is_test)
            case _:
                return self.is_plain(test, cards) or self.is_print(test, cards, depth)

    def is_print(self, expr: ir.Expr, cards: frozenset[int], depth: int = 0) -> bool:
        """Whether a value follows from the print of the card alone."""
        match expr:
            case ir.Const():
                return True
            case ir.Local(index):
                return index in cards
            case ir.CardField(_, ir.Local(index), axes):
                return index in cards and not axes
            case ir.Lookup(_, axes):
                return all(self.is_print(axis.index, cards, depth) for axis in axes)
            case ir.Conditional(condition, then, otherwise):
                ways = self.is_print(then, cards, depth) and self.is_print(otherwise, cards, depth)
                return ways and self.is_print(condition, cards, depth)
            case ir.And(left, right) | ir.Or(left, right):
                return self.is_print(left, cards, depth) and self.is_print(right, cards, depth)
            case ir.Unary("not", operand):
                return self.is_print(operand, cards, depth)
            case ir.Contains(item, of):
                return self.is_print(of, cards, depth) and self.is_print(item, cards, depth)
            case ir.Binary("==" | "!=" | "<" | "<=" | ">" | ">=", left, right):
                return self.is_print(left, cards, depth) and self.is_print(right, cards, depth)
            case ir.CallFunction():
                return self.in_body(expr, cards, depth, self.is_print)
            case _:
                return False

    def is_plain(self, expr: ir.Expr, cards: frozenset[int]) -> bool:
        """Whether a value is at hand and the same for all cards."""
        match expr:
            case ir.Const():
                return True
            case ir.Local(index):
                return index not in cards
            case ir.Load(place):
                return not place.axes
            case ir.CardField(_, ir.Local(index, type_), axes):
                return index not in cards and not axes and isinstance(type_, CardType)
            case _:
                return False

    def in_body(
        self, call: ir.CallFunction, cards: frozenset[int], depth: int, holds: Callable[..., bool]
    ) -> bool:
        """Whether something holds of the one expression that a small function consists of."""
        blocks = self.given.functions[call.function].blocks
        end = blocks[0].end
        if len(blocks) > 1 or blocks[0].ops or not isinstance(end, ir.Return) or end.value is None or depth > 2:
            return False
        given = [isinstance(argument, ir.Local) and argument.index in cards for argument in call.arguments]
        if not all(card or self.is_plain(a, cards) for card, a in zip(given, call.arguments, strict=True)):
            return False
        small = sum(1 for _ in walk(end.value)) <= SMALL
        return small and holds(end.value, frozenset(i for i, card in enumerate(given) if card), depth + 1)


def _of_sets(domain: ir.Domain) -> bool:
    """Whether a domain holds the subsets of a set of cards, which may be far more than cards."""
    if isinstance(domain, ir.FilteredDomain):
        return _of_sets(domain.domain)
    return isinstance(domain, ir.SubsetDomain)


# --------------------------------------------------------------------- small tools


def _changed(node: T, **parts: Any) -> T:
    """The node with other parts; itself if they are the same."""
    if all(getattr(node, name) is value or (name == "weight" and getattr(node, name) == value)
           for name, value in parts.items()):  # fmt: skip
        return node
    return replace(node, **parts)  # type: ignore[type-var]


def _kept(old: Sequence[T], new: Sequence[T]) -> tuple[T, ...]:
    """The old tuple if nothing in it was changed."""
    if isinstance(old, tuple) and all(a is b for a, b in zip(old, new, strict=True)):
        return old
    return tuple(new)


def _type_of(expr: ir.Expr) -> Type | None:
    """The type of an expression that is a set."""
    match expr:
        case ir.Load(place):
            return place.type
        case ir.PlayersIn():
            return SetType(PlayerType())
        case ir.ZoneCards() | ir.ZoneTop() | ir.Cover():
            return SetType(CardType())
        case _:
            return getattr(expr, "type", None)


def _is_card_set(part: str | ir.Expr) -> bool:
    type_ = None if isinstance(part, str) else _type_of(part)
    return isinstance(type_, SetType) and isinstance(type_.of, CardType)
