"""All subsets of a few cards at once, in machine code: a lane of a vector for each, its number the bits of its cards.

Five cards have 32 subsets. A carried value (`carried`) of all of them is a vector that each card changes by one step:
its own value in the lanes whose subset holds it. A test is then worked out for all lanes together, without a branch
that the processor would guess wrong half of the time, as it does in the loops of `search`.
"""

from __future__ import annotations

from collections.abc import Callable

from rulerun.facts.ranges import range_of
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import FoldKind
from rulerun.ir.typing import is_card_set, type_of
from rulerun.native.expressions import SIGNS, Emitter
from rulerun.native.sets.carried import Carried, Carry, SetTest
from rulerun.native.sets.unrank import lowest_alone

MOST_LANED = 5
"""Cards whose subsets are looked at together."""
LANES = 1 << MOST_LANED
VECTOR = f"<{LANES} x i16>"
TRUTHS = f"<{LANES} x i1>"
LARGEST = 2**15 - 1
KINDS = (FoldKind.COUNT, FoldKind.SOME, FoldKind.EVERY, FoldKind.MIN, FoldKind.MAX)
ARITHMETIC = {"+": "add", "-": "sub", "*": "mul"}


def fits_lanes(e: Emitter, fold: ir.Fold, found: SetTest, local: int) -> bool:
    """Whether a fold over sets can be worked out in lanes: nothing but small numbers is carried and compared."""
    if fold.kind not in KINDS:
        return False
    for which in found.carried:
        low, high = which.of_any(found.most)
        if which.carry is Carry.VALUES:
            high = 1 << max(which.column)
        if not -LARGEST <= low <= high <= LARGEST:
            return False
    parts = [part for part in (found.by_size, found.test, found.value) if part is not None]
    return all(is_laned(e, part, local) for part in parts)


def is_laned(e: Emitter, expr: ir.Expr, local: int) -> bool:
    """Whether an expression is worked out for a whole vector."""
    match expr:
        case ir.Local(index) if index == local or is_card_set(type_of(expr)):
            return False
        case ir.And(left, right) | ir.Or(left, right):
            return is_laned(e, left, local) and is_laned(e, right, local)
        case ir.Unary("not", operand):
            return is_laned(e, operand, local)
        case ir.Binary(op, left, right) if op in SIGNS or op in ARITHMETIC or op in ("min", "max"):
            if is_card_set(type_of(left)):
                return False
            return small(e, expr) and is_laned(e, left, local) and is_laned(e, right, local)
        case ir.Local() | ir.Const():
            return small(e, expr)
        case _:
            return False


def small(e: Emitter, expr: ir.Expr) -> bool:
    low, high = range_of(expr, e.program, e.scope.ranges)
    return -LARGEST <= low <= high <= LARGEST


class Lanes:
    """Writes the evaluation of expressions for all subsets of a set of few cards."""

    def __init__(self, e: Emitter, found: SetTest, of: list[str]) -> None:
        self.e, self.w = e, e.w
        self.places: list[str] = []
        """The cards; any one where there are fewer."""
        self.vectors: dict[int, str] = {}
        rest = of
        for _ in range(MOST_LANED):
            there = e.cards.some(self.w, rest)
            self.places.append(self.w.pick(there, e.cards.first(self.w, rest), "0"))
            one = lowest_alone(self.w, rest)
            rest = [self.w.differ(a, b) for a, b in zip(rest, one, strict=True)]
        for which in found.carried:
            self.vectors[which.local] = self.carried(which)
        self.found = found
        self.size = e.cards.size(self.w, of)

    def constant(self, value: Callable[[int], int], of: str = "i16") -> str:
        return "<" + ", ".join(f"{of} {value(lane)}" for lane in range(LANES)) + ">"

    def spread(self, value: str) -> str:
        """A number in all lanes."""
        if value.lstrip("-").isdecimal():
            return self.constant(lambda _: int(value))
        short = self.w.op(f"trunc i64 {value} to i16")
        first = self.w.op(f"insertelement {VECTOR} poison, i16 {short}, i32 0")
        return self.w.op(f"shufflevector {VECTOR} {first}, {VECTOR} poison, <{LANES} x i32> zeroinitializer")

    def carried(self, which: Carried) -> str:
        """A carried value of all subsets."""
        w = self.w
        if which.carry is Carry.SIZE:
            return self.constant(int.bit_count)
        none = {Carry.LEAST: max, Carry.GREATEST: min}.get(which.carry)
        total = self.constant(lambda _: none(which.column) if none else 0)
        for place, card in enumerate(self.places):
            value = w.look_up(which.column, card)
            mine = self.constant(lambda lane, place=place: -(lane >> place & 1))  # type: ignore[misc]
            if which.carry in (Carry.SUM, Carry.VALUES):
                value = self.spread(w.bit(value) if which.carry is Carry.VALUES else value)
                here = w.op(f"and {VECTOR} {value}, {mine}")
                total = w.op(f"{'add' if which.carry is Carry.SUM else 'or'} {VECTOR} {total}, {here}")
                continue
            better = "slt" if which.carry is Carry.LEAST else "sgt"
            value = self.spread(value)
            holds = self.constant(lambda lane, place=place: lane >> place & 1, "i1")  # type: ignore[misc]
            beats = w.op(f"and {TRUTHS} {holds}, {w.op(f'icmp {better} {VECTOR} {value}, {total}')}")
            total = w.op(f"select {TRUTHS} {beats}, {VECTOR} {value}, {VECTOR} {total}")
        if which.carry is Carry.VALUES:
            return w.op(f"call {VECTOR} @llvm.ctpop.v{LANES}i16({VECTOR} {total})")
        return total

    def number(self, expr: ir.Expr) -> str:
        w = self.w
        match expr:
            case ir.Local(index) if index in self.vectors:
                return self.vectors[index]
            case ir.Local() | ir.Const():
                return self.spread(self.e.emit(expr))
            case ir.Binary(op, left, right) if op in ARITHMETIC:
                first = self.number(left)
                return w.op(f"{ARITHMETIC[op]} {VECTOR} {first}, {self.number(right)}")
            case ir.Binary("min" | "max" as op, left, right):
                a, b = self.number(left), self.number(right)
                first_wins = w.op(f"icmp {'slt' if op == 'min' else 'sgt'} {VECTOR} {a}, {b}")
                return w.op(f"select {TRUTHS} {first_wins}, {VECTOR} {a}, {VECTOR} {b}")
            case _:
                return w.op(f"zext {TRUTHS} {self.truths(expr)} to {VECTOR}")

    def truths(self, expr: ir.Expr) -> str:
        w = self.w
        match expr:
            case ir.And(left, right) | ir.Or(left, right):
                first = self.truths(left)
                return w.op(f"{'and' if isinstance(expr, ir.And) else 'or'} {TRUTHS} {first}, {self.truths(right)}")
            case ir.Unary("not", operand):
                return w.op(f"xor {TRUTHS} {self.truths(operand)}, {self.constant(lambda _: 1, 'i1')}")
            case ir.Binary(op, left, right) if op in SIGNS:
                first = self.number(left)
                return w.op(f"icmp {SIGNS[op]} {VECTOR} {first}, {self.number(right)}")
            case _:
                return w.op(f"icmp ne {VECTOR} {self.number(expr)}, zeroinitializer")

    def bits(self, truths: str) -> str:
        """Truth values as the bits of a word."""
        return self.w.op(f"zext i{LANES} {self.w.op(f'bitcast {TRUTHS} {truths} to i{LANES}')} to i64")

    def passing(self) -> str:
        """Which subsets are of a size that is looked at and pass the tests, as bits."""
        w, found = self.w, self.found
        sized = sum(1 << lane for lane in range(LANES) if found.least <= lane.bit_count() <= found.most)
        there = w.sub(w.up("1", w.up("1", self.size)), "1")
        bits = w.both(there, str(sized))
        for test in (found.by_size, found.test):
            if test is not None:
                bits = w.both(bits, self.bits(self.truths(test)))
        return bits

    def fold(self, fold: ir.Fold) -> tuple[str, str]:
        """What a fold makes of the subsets that pass, and whether there are any."""
        w, value = self.w, self.found.value
        bits = self.passing()
        have = w.number(w.compare("ne", bits, "0"))
        if fold.kind is FoldKind.COUNT:
            return w.ones(bits), have
        if fold.kind in (FoldKind.SOME, FoldKind.EVERY):
            holds = bits if value is None else w.both(bits, self.bits(self.truths(value)))
            result = "ne" if fold.kind is FoldKind.SOME else "eq"
            return w.number(w.compare(result, holds, "0" if fold.kind is FoldKind.SOME else bits)), have
        assert value is not None
        low = fold.kind is FoldKind.MIN
        passed = w.op(f"bitcast i{LANES} {w.op(f'trunc i64 {bits} to i{LANES}')} to {TRUTHS}")
        others = self.constant(lambda _: LARGEST if low else -LARGEST)
        values = w.op(f"select {TRUTHS} {passed}, {VECTOR} {self.number(value)}, {VECTOR} {others}")
        found = w.op(f"call i16 @llvm.vector.reduce.{'smin' if low else 'smax'}.v{LANES}i16({VECTOR} {values})")
        return w.op(f"sext i16 {found} to i64"), have
