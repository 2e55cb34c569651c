"""Tests of small sets of cards, said by values that are carried along while a set grows card by card.

``same(c.suit for c in s) and max(c.rank …) - min(c.rank …) == count(s) - 1`` folds over the cards of ``s`` what is
printed on them. A `SetTest` is such a test with each fold replaced by a local, a `Carried` value: a sum, least,
greatest or set of values that one more card changes by one step. So nothing loops over the cards of a set, and pairs of
cards of which no set that passes holds both are known beforehand (`SetTest.friends`).

Only tests that can never fault and count no fuel are taken: how many sets are looked at must not show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from rulerun.facts.known import chain, flattened, reads
from rulerun.facts.ranges import Range, range_of
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import FoldKind
from rulerun.ir.program import Program
from rulerun.ir.traverse import is_node, walk
from rulerun.ir.types import BOOL, INT, INT_MAX, INT_MIN
from rulerun.ir.typing import is_card_set, type_of
from rulerun.native.expressions import SIGNS, Emitter

LARGEST = 6
"""Cards of the largest sets: there is a loop for each card."""
MOST_PAIRED = 64
"""Cards of a deck whose pairs are looked at."""
MOST_VALUES = 62
FRESH = 2_000_000
FRESH_EACH = 64
"""Locals in place of folds are numbered from here, so many for each set."""


class Carry(Enum):
    """What is carried along."""

    SIZE = "size"
    SUM = "sum"
    LEAST = "least"
    GREATEST = "greatest"
    VALUES = "values"
    """The set of the values, as bits; the local is their number."""


@dataclass(frozen=True)
class Carried:
    """A value carried along: ``column`` is what each card adds, ``local`` stands for the value in the test."""

    carry: Carry
    column: tuple[int, ...]
    local: int

    def of_pair(self, a: int, b: int, size: int) -> Range:
        """Bounds of the value for the sets of ``size`` cards that hold ``a`` and ``b``."""
        if self.carry is Carry.SIZE:
            return size, size
        here, there = self.column[a], self.column[b]
        low, high = min(here, there), max(here, there)
        others = size - 2
        match self.carry:
            case Carry.SUM:
                return low + high + others * min(self.column), low + high + others * max(self.column)
            case Carry.LEAST:
                return (min(self.column) if others else low), low
            case Carry.GREATEST:
                return high, (max(self.column) if others else high)
            case _:
                different = 1 if here == there else 2
                return different, different + others

    def of_any(self, most: int) -> Range:
        """Bounds of the value for the sets of at most ``most`` cards."""
        match self.carry:
            case Carry.SIZE | Carry.VALUES:
                return 0, most
            case Carry.SUM:
                return most * min(0, *self.column), most * max(0, *self.column)
            case _:
                return min(self.column), max(self.column)


@dataclass(frozen=True)
class SetTest:
    """Expressions over a set of ``least`` to ``most`` cards, by carried values.

    ``by_size`` looks at the size of the set alone, and at what is the same for all sets; ``test`` is the rest.
    ``friends``: for each card the cards that can be in a set together with it where both hold; None if that rules
    nothing out.
    """

    least: int
    most: int
    by_size: ir.Expr | None
    test: ir.Expr | None
    value: ir.Expr | None
    carried: tuple[Carried, ...]
    friends: tuple[int, ...] | None


def set_test(
    e: Emitter, local: int, least: ir.Expr, most: ir.Expr | None, test: ir.Expr | None, value: ir.Expr | None
) -> SetTest | None:
    """The test and the value of a domain of sets by carried values; None if they are not such. ``local`` is the set."""
    if not isinstance(least, ir.Const) or not isinstance(most, ir.Const):
        return None
    first, last = max(1, least.value), most.value
    if least.value < 1 or not first <= last <= LARGEST:
        return None
    rewriting = Rewriting(e, local)
    new_test = None if test is None else rewriting.of(test)
    new_value = None if value is None else rewriting.of(value)
    for carried in rewriting.carried:
        low, high = carried.of_any(last)
        if low < INT_MIN or high > INT_MAX:
            return None
        e.scope.ranges[carried.local] = low, high
    parts = [part for part in (new_test, new_value) if part is not None]
    if not rewriting.carried or not all(map(e.known().is_quiet, parts)):
        return None
    friends = None
    if new_test is not None and e.program.card_count <= MOST_PAIRED:
        friends = friends_by(e.program, new_test, rewriting.carried, range(max(2, first), last + 1))
    by_size: list[ir.Expr] = []
    by_cards: list[ir.Expr] = []
    looked_at = {one.local for one in rewriting.carried if one.carry is not Carry.SIZE} | {local}
    for part in flattened(new_test, ir.And) if new_test is not None else []:
        (by_cards if any(reads(part, one) for one in looked_at) else by_size).append(part)
    return SetTest(
        first, last, conjunction(by_size), conjunction(by_cards), new_value, tuple(rewriting.carried), friends
    )


def conjunction(parts: Sequence[ir.Expr]) -> ir.Expr | None:
    """Whether all of some tests hold; None for none."""
    return chain(parts) if parts else None


class Rewriting:
    """Puts locals in place of folds over a set."""

    def __init__(self, e: Emitter, local: int) -> None:
        self.e = e
        self.local = local
        self.carried: list[Carried] = []

    def of(self, node: Any) -> Any:
        """A node with the folds over the set replaced, small functions looked into."""
        if isinstance(node, tuple):
            return tuple(self.of(part) for part in node)
        if not is_node(node):
            return node
        match node:
            case ir.Size(ir.Local(index)) if index == self.local:
                return self.carry(Carry.SIZE, ())
            case ir.Fold(domain=ir.SetDomain(ir.Local(index))) if index == self.local:
                return self.fold(node) or node
            case ir.CallFunction() if reads(node, self.local):
                body = self.e.known().expanded(node)
                return self.of(body) if body is not None else node
        if not reads(node, self.local):
            return node
        return type(node)(*[self.of(getattr(node, slot)) for slot in node.__match_args__])

    def carry(self, carry: Carry, values: tuple[int, ...]) -> ir.Expr:
        """The local of a carried value."""
        for carried in self.carried:
            if (carried.carry, carried.column) == (carry, values):
                return ir.Local(carried.local, INT)
        number = FRESH + self.local * FRESH_EACH + len(self.carried) % FRESH_EACH
        self.carried.append(Carried(carry, values, number))
        return ir.Local(number, INT)

    def fold(self, fold: ir.Fold) -> ir.Expr | None:
        """What stands for a fold over the cards of the set; None if nothing does."""
        if fold.fuel or len(self.carried) > FRESH_EACH - 3:
            return None
        passing = self.column(fold.where, fold)
        values = self.column(fold.value, fold)
        if passing is None or (values is None and fold.kind is not FoldKind.COUNT):
            return None
        zero = ir.Const(0, INT)
        all_pass = all(passing)
        match fold.kind:
            case FoldKind.COUNT:
                return self.carry(Carry.SUM, tuple(int(bool(holds)) for holds in passing))
            case FoldKind.SUM:
                assert values is not None
                return self.carry(Carry.SUM, tuple(v if holds else 0 for v, holds in zip(values, passing, strict=True)))
            case FoldKind.SOME | FoldKind.EVERY:
                assert values is not None
                wanted = fold.kind is FoldKind.SOME
                found = (int(bool(h) and bool(v) is wanted) for v, h in zip(values, passing, strict=True))
                number = self.carry(Carry.SUM, tuple(found))
                return ir.Binary(">" if wanted else "==", number, zero, BOOL, fold.at)
            case FoldKind.MIN if all_pass and values:  # the set is not empty
                return self.carry(Carry.LEAST, values)
            case FoldKind.MAX if all_pass and values:
                return self.carry(Carry.GREATEST, values)
            case FoldKind.SAME if all_pass and values:
                least, greatest = self.carry(Carry.LEAST, values), self.carry(Carry.GREATEST, values)
                return ir.Binary("==", least, greatest, BOOL, fold.at)
            case FoldKind.DISTINCT if all_pass and values and max(values) - min(values) < MOST_VALUES:
                return self.carry(Carry.VALUES, tuple(value - min(values) for value in values))
            case _:
                return None

    def column(self, part: ir.Expr | None, fold: ir.Fold) -> tuple[int, ...] | None:
        """The value of a part of a fold for each card; ones where there is no part."""
        if part is None:
            return (1,) * self.e.program.card_count
        if is_card_set(type_of(part)):
            return None
        return self.e.known().column(part, fold.local)


# ------------------------------------------------------------------------- pairs


def friends_by(program: Program, test: ir.Expr, carried: Sequence[Carried], sizes: range) -> tuple[int, ...] | None:
    """For each card the cards with which it can be in a set of one of the sizes that passes; None if with all."""
    wanted = {node.index for node in walk(test) if isinstance(node, ir.Local)}
    used = [one for one in carried if one.local in wanted]
    friends = [0] * program.card_count
    known: dict[tuple[tuple[int, int], ...], bool] = {}
    for a in range(program.card_count):
        for b in range(a + 1, program.card_count):
            # Cards alike in what the test looks at are alike in this, too.
            alike = tuple((one.column[a], one.column[b]) for one in used if one.column)
            if alike not in known:
                known[alike] = any(
                    truth(program, test, {one.local: one.of_pair(a, b, size) for one in used})[1] for size in sizes
                )
            if known[alike]:
                friends[a] |= 1 << b
                friends[b] |= 1 << a
    every = (1 << program.card_count) - 1
    return None if all(mask | 1 << card == every for card, mask in enumerate(friends)) else tuple(friends)


def truth(program: Program, test: ir.Expr, known: Mapping[int, Range]) -> tuple[bool, bool]:
    """Whether a test may fail, and whether it may hold, where locals are within bounds."""
    match test:
        case ir.Const(value):
            return not value, bool(value)
        case ir.Unary("not", operand):
            fails, holds = truth(program, operand, known)
            return holds, fails
        case ir.And(left, right):
            (a, b), (c, d) = truth(program, left, known), truth(program, right, known)
            return a or c, b and d
        case ir.Or(left, right):
            (a, b), (c, d) = truth(program, left, known), truth(program, right, known)
            return a and c, b or d
        case ir.Binary(op, left, right) if op in SIGNS and not is_card_set(type_of(left)):
            return compare(op, range_of(left, program, known), range_of(right, program, known))
        case _:
            return True, True


def compare(op: str, a: Range, b: Range) -> tuple[bool, bool]:
    """For bounds of both sides: whether a comparison may fail, and whether it may hold."""
    match op:
        case "!=":
            fails, holds = compare("==", a, b)
            return holds, fails
        case "==":
            return not a[0] == a[1] == b[0] == b[1], a[0] <= b[1] and b[0] <= a[1]
        case ">" | ">=":
            return compare("<" if op == ">" else "<=", b, a)
        case "<":
            return a[1] >= b[0], a[0] < b[1]
        case _:
            return a[1] > b[0], a[0] <= b[1]
