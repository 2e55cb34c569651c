"""Expressions of the IR in machine code, each fault a jump to the function's way out.

Evaluation goes from left to right as in the reference, so a fault is the first that the rules run into. A set of
cards is as many operands as it has words, all else is one; a truth value is an ``i1`` from `Emitter.test`, a number
from `Emitter.emit`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import assert_never

from rulerun.facts import faults
from rulerun.facts.known import Known
from rulerun.facts.ranges import Range, of_type, range_of, raw_range
from rulerun.ir import nodes as ir
from rulerun.ir.program import DIRECTION, PLAYING, ZONE_COUNT, Program, ZoneFamily
from rulerun.ir.types import INT_MAX, INT_MIN, WORD_BITS, CardType, EnumType, SetType, Type
from rulerun.ir.typing import is_card_set, is_optional, type_of
from rulerun.native import UnsupportedError
from rulerun.native.cards import CardStore, WordSets
from rulerun.native.promotion import Promotion, is_fixed
from rulerun.native.regions import arguments
from rulerun.native.text import Module, Writer, is_number

ASKS_KNOWLEDGE = "the rules ask what a player knows (`knows`), and machine code does not follow that"
FAULTS: tuple[str, ...] = tuple(dict.fromkeys(code for code, _, _ in faults.MESSAGES.values()))
"""Codes of faults; a fault is ``(place of its code here + 1) << 32 | origin + 1``."""
SIGNS = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}
WORDS = {"union": "or", "common": "and"}


def packed(code: str, at: int) -> int:
    """A fault as one number."""
    return FAULTS.index(code) + 1 << 32 | at + 1


@dataclass
class Scope:
    """The locals of a code unit: their operands (or, while they change, the variables that hold them) and ranges."""

    names: dict[int, list[str]] = field(default_factory=dict)
    slots: dict[int, list[str]] = field(default_factory=dict)
    ranges: dict[int, Range] = field(default_factory=dict)


@dataclass
class Shared:
    """What all functions of one compilation share."""

    program: Program
    module: Module
    cards: CardStore
    promotion: Promotion
    written: set[int] = field(default_factory=set)
    """Functions of the program that have been written."""
    faulting: set[int] = field(default_factory=set)
    """Those among them that may fault."""
    burning: set[int] = field(default_factory=set)
    """Those among them that may burn fuel."""
    known: Known | None = None
    """What follows from the program alone; see `Emitter.known`."""

    def sets(self, type_: Type) -> WordSets | None:
        """How sets of a type are held if they may take several words: those of cards, and of more values than a word
        has room for. None for other types."""
        if is_card_set(type_):
            return self.cards
        if not isinstance(type_, SetType) or not isinstance(type_.of, EnumType) or len(type_.of.values) <= WORD_BITS:
            return None
        return WordSets(len(type_.of.values), self.cards.pdep)


class Emitter:
    """Writes expressions into one function.

    ``scalars``: variables (by word) that stand for words of the vector; other words are in memory.
    """

    def __init__(self, shared: Shared, w: Writer, scalars: dict[int, str]) -> None:
        self.shared = shared
        self.program = shared.program
        self.layout = shared.program.layout
        self.cards = shared.cards
        self.promotion = shared.promotion
        self.w = w
        self.scalars = scalars
        self.scope = Scope()
        self.at = -1
        self.fault = ""
        self.burns = False
        """Whether fuel is burned in this function, or in one that it calls."""
        self._exits: dict[tuple[str, int], str] = {}

    # ------------------------------------------------------------------- faults

    def way_out(self, code: str, at: int) -> str:
        """The label to go to for a fault."""
        found = self._exits.get((code, at))
        if found is None:
            found = self._exits[code, at] = self.w.new_label("fault")
        return found

    def fail(self, code: str, at: int) -> None:
        self.w.jump(self.way_out(code, at))

    def fail_if(self, condition: str, code: str, at: int) -> None:
        if condition == "false":
            return
        go = self.w.new_label("ok")
        self.w.branch(condition, self.way_out(code, at), go, rare=True)
        self.w.label(go)

    def pass_on(self, fault: str) -> None:
        """Stops if a called function gave a fault."""
        if fault == "0":
            return
        w = self.w
        with w.when(w.compare("ne", fault, "0"), rare=True):
            w.put(self.fault_slot(), fault)
            w.jump("fail")

    @property
    def may_fault(self) -> bool:
        return bool(self._exits) or bool(self.fault)

    def fault_slot(self) -> str:
        if not self.fault:
            self.fault = self.w.slot()
        return self.fault

    def write_exits(self) -> str:
        """The blocks of all faults; the function then goes on at ``fail``. Gives the operand that holds the fault."""
        slot = self.fault_slot()
        for (code, at), label in self._exits.items():
            self.w.label(label)
            self.w.put(slot, str(packed(code, at)))
            self.w.jump("fail")
        self.w.label("fail")
        return self.w.get(slot)

    # -------------------------------------------------------------- small tools

    @contextmanager
    def within(self, scope: Scope) -> Iterator[None]:
        outer, self.scope = self.scope, scope
        try:
            yield
        finally:
            self.scope = outer

    def range(self, expr: ir.Expr) -> Range:
        return range_of(expr, self.program, self.scope.ranges)

    def truth(self, value: str) -> str:
        return self.w.compare("ne", value, "0")

    # --------------------------------------------------------- places and zones

    def address(self, word: int) -> str:
        """Where a word that is known by its number lies."""
        return self.scalars.get(word) or self.w.at("%v", str(word))

    def read(self, word: int) -> str:
        return self.w.get(self.address(word))

    def write(self, word: int, value: str) -> None:
        self.w.put(self.address(word), value)

    def offset(self, base: int, axes: tuple[ir.Axis, ...], at: int, scale: int = 1) -> str:
        """``base`` plus the sum of the axes (times ``scale``); a number if all is constant."""
        w = self.w
        parts: list[str] = []
        for axis in axes:
            if is_fixed(axis):
                assert isinstance(axis.index, ir.Const)
                base += (axis.index.value - axis.low) * axis.stride * scale
                continue
            value = self.emit(axis.index)
            if axis.checked:
                inside = w.op(f"icmp ult i64 {w.sub(value, str(axis.low))}, {axis.size}")
                self.fail_if(w.no(inside), faults.INDEX, at)
            base -= axis.low * axis.stride * scale
            parts.append(w.mul(value, str(axis.stride * scale)))
        total = str(base)
        for part in parts:
            total = w.add(part, total)
        return total

    def addresses(self, place: ir.Place) -> list[str]:
        """Where the words of a place lie."""
        base = self.offset(place.offset, place.axes, place.at)
        count = self.layout.words_per_set if is_card_set(place.type) else 1
        return self.words_at(base, count)

    def words_at(self, base: str, count: int) -> list[str]:
        if is_number(base):
            return [self.address(int(base) + i) for i in range(count)]
        return [self.w.at("%v", self.w.add(base, str(i))) for i in range(count)]

    def family(self, zone: ir.ZoneRef) -> ZoneFamily:
        return self.program.families[zone.family]

    def kind(self, zone: ir.ZoneRef) -> str:
        return self.family(zone).kind.value

    def instance(self, zone: ir.ZoneRef) -> str:
        """The number of a zone instance."""
        return self.offset(self.family(zone).first, zone.axes, zone.at)

    def record(self, zone: ir.ZoneRef) -> str:
        """Index of a zone's record among the records."""
        words = self.layout.zone_words
        return self.offset(self.family(zone).first * words, zone.axes, zone.at, words)

    def zone_word(self, zone: ir.ZoneRef, word: int) -> str:
        return self.w.get(self.cards.word(self.w, self.record(zone), word))

    # ------------------------------------------------------------------- values

    def test(self, expr: ir.Expr) -> str:
        """The value of a truth expression as an ``i1``."""
        w = self.w
        match expr:
            case ir.Const(value):
                return "true" if value else "false"
            case ir.Unary("not", operand):
                return w.no(self.test(operand))
            case ir.Binary(op, left, right) if op in SIGNS:
                sets = self.sets(type_of(left))
                if sets is not None:
                    a, b = self.words(left), self.words(right)
                    same = w.no(sets.some(w, [w.differ(x, y) for x, y in zip(a, b, strict=True)]))
                    return same if op == "==" else w.no(same)
                first = self.emit(left)
                return w.compare(SIGNS[op], first, self.emit(right))
            case ir.And(left, right):
                return self.short_circuit(left, right, is_and=True)
            case ir.Or(left, right):
                return self.short_circuit(left, right, is_and=False)
            case ir.Contains(item, of):
                index = self.emit(item)
                sets = self.sets(type_of(of))
                if sets is not None:
                    return sets.contains(w, self.words(of), index)
                return w.has(self.emit(of), index)
            case ir.InZone(card, zone):
                where = w.load("%lc", self.emit(card))
                return w.compare("eq", where, self.instance(zone))
            case ir.Sees(player, zone):
                seat = self.emit(player)
                return w.has(w.look_up(self.cards.sees, self.instance(zone)), seat)
            case ir.Knows():
                raise UnsupportedError(ASKS_KNOWLEDGE)
            case ir.Alike():
                return self.truth(self.emit(expr))
            case ir.Fold():
                from rulerun.native.folds import test_fold

                return test_fold(self, expr)
            case _:
                return self.truth(self.emit(expr))

    def short_circuit(self, left: ir.Expr, right: ir.Expr, is_and: bool) -> str:
        w = self.w
        first = self.test(left)
        if first in ("true", "false"):
            return self.test(right) if (first == "true") is is_and else first
        mark = w.mark()
        labels = w.labels
        second = self.test(right)
        if w.labels == labels:  # neither loops nor faults: both at once
            return w.all_of(first, second) if is_and else w.any_of(first, second)
        w.back(mark)
        result = w.slot(w.number(first))
        with w.when(first if is_and else w.no(first)):
            w.put(result, w.number(self.test(right)))
        return self.truth(w.get(result))

    def sets(self, type_: Type) -> WordSets | None:
        """See `Shared.sets`."""
        return self.shared.sets(type_)

    def words(self, expr: ir.Expr) -> list[str]:
        """The words of a set that may take several."""
        w = self.w
        sets = self.sets(type_of(expr))
        if sets is None:
            raise ValueError(f"{type(expr).__name__} is no set of several words")
        match expr:
            case ir.Const(value):
                return sets.split(value)
            case ir.Local(index):
                return self.local(index)
            case ir.Load(place):
                return [w.get(address) for address in self.addresses(place)]
            case ir.Binary(op, left, right):
                pairs = list(zip(self.words(left), self.words(right), strict=True))
                if op == "union":
                    return [w.either(a, b) for a, b in pairs]
                return [w.both(a, b) if op == "common" else w.without(a, b) for a, b in pairs]
            case ir.Conditional(condition, then, otherwise):
                return self.one_of(condition, then, otherwise)
            case ir.Single(item):
                return sets.single(w, self.emit(item))
            case ir.ZoneCards(zone):
                return self.cards_in(zone)
            case ir.Fold():
                from rulerun.native.folds import set_fold

                return set_fold(self, expr)
            case ir.Cover():
                from rulerun.native.sets.elements import cover

                return cover(self, expr)
            case ir.CardTable():
                from rulerun.native.card_tables import card_table

                return card_table(self, expr)
            case ir.HoldersOf():
                from rulerun.native.card_tables import holders_of

                return holders_of(self, expr)
            case ir.ZoneTop():
                from rulerun.native.zone_ends import zone_top

                return zone_top(self, expr)
            case ir.CallFunction():
                return self.call(expr)
            case _:
                raise ValueError(f"{type(expr).__name__} is no set")

    def cards_in(self, zone: ir.ZoneRef) -> list[str]:
        return self.cards.set_of(self.w, self.record(zone), self.kind(zone))

    def local(self, index: int) -> list[str]:
        if index in self.scope.slots:
            return [self.w.get(slot) for slot in self.scope.slots[index]]
        return self.scope.names[index]

    def value(self, expr: ir.Expr) -> list[str]:
        """The operands of any expression."""
        return self.words(expr) if self.sets(type_of(expr)) is not None else [self.emit(expr)]

    def emit(self, expr: ir.Expr) -> str:
        """The value of an expression that is one word."""
        w = self.w
        match expr:
            case ir.Const(value):
                return str(value)
            case ir.Local(index):
                return self.local(index)[0]
            case ir.Load(place):
                return w.get(self.addresses(place)[0])
            case ir.Unary("not") | ir.And() | ir.Or() | ir.Contains() | ir.InZone() | ir.Sees() | ir.Knows():
                return w.number(self.test(expr))
            case ir.Alike(player, left, right):
                return self.cards.call(w, "alike", [self.emit(player), self.emit(left), self.emit(right)])[0]
            case ir.Unary(_, operand, at):
                return self.checked(
                    w.sub("0", self.emit(operand)), raw_range(expr, self.program, self.scope.ranges), at
                )
            case ir.Binary(op):
                from rulerun.native.arithmetic import binary

                return w.number(self.test(expr)) if op in SIGNS else binary(self, expr)
            case ir.Conditional(condition, then, otherwise):
                return self.one_of(condition, then, otherwise)[0]
            case ir.Single(item):
                return w.bit(self.emit(item))
            case ir.Size(ir.ZoneCards(zone)):
                return self.zone_word(zone, ZONE_COUNT)
            case ir.Size(of):
                sets = self.sets(type_of(of))
                if sets is not None:
                    return sets.size(w, self.words(of))
                return w.ones(self.emit(of))
            case ir.Lookup(table, axes, _, at):
                return w.look_up(self.program.tables[table].values, self.offset(0, axes, at))
            case ir.CardField():
                return self.card_field(expr)
            case ir.ZoneCount(zone):
                return self.zone_word(zone, ZONE_COUNT)
            case ir.UndrawnCount(zone):
                if not self.family(zone).kind.ordered:
                    return "0"
                return self.cards.size(w, self.cards.read_set(w, self.record(zone)))
            case ir.ZoneEnd(zone, end, at):
                from rulerun.native.zone_ends import zone_end

                return zone_end(self, zone, end, at)
            case ir.PlayersIn():
                return self.read(PLAYING)
            case ir.Neighbour(player, step, at):
                return self.neighbour(self.not_none(player, at), step)
            case ir.Fold():
                from rulerun.native.folds import number_fold

                return number_fold(self, expr)
            case ir.CallFunction():
                return self.call(expr)[0]
            case ir.SnapshotCount(offset):
                return self.read(offset)
            case ir.SnapshotItem(offset, index):
                return self.snapshot_item(offset, self.emit(index), expr.type)
            case ir.Cover():
                from rulerun.native.sets.elements import cover

                return cover(self, expr)[0]
            case ir.SumOf():
                from rulerun.native.card_tables import sum_of

                return sum_of(self, expr)
            case ir.ZoneCards() | ir.ZoneTop() | ir.CardTable() | ir.HoldersOf():
                raise ValueError("a set of cards is no number")
            case _:
                assert_never(expr)

    def snapshot_item(self, offset: int, index: str, type_: Type) -> str:
        w = self.w
        capacity = self.promotion.capacity.get(offset, 1)
        bits, per = ir.SNAPSHOT_BITS, ir.SNAPSHOT_PER_WORD
        if capacity <= per:
            word = self.read(offset + 1)
            shift = w.both(w.mul(index, str(bits)), "63")
        else:
            inside = w.op(f"call i64 @llvm.umin.i64(i64 {index}, i64 {capacity - 1})")
            number = w.op(f"udiv i64 {inside}, {per}")
            word = w.load("%v", w.add(number, str(offset + 1)))
            shift = w.mul(w.sub(inside, w.mul(number, str(per))), str(bits))
        item = w.both(w.down(word, shift), str((1 << bits) - 1))
        most = of_type(type_, self.program)[1]
        return w.op(f"call i64 @llvm.umin.i64(i64 {item}, i64 {most})") if most < (1 << bits) - 1 else item

    def checked(self, value: str, bounds: Range, at: int) -> str:
        """A number that may leave the range of a word."""
        if bounds[0] >= INT_MIN and bounds[1] <= INT_MAX:
            return value
        self.fail_if(self.w.compare("ne", self.low_word(value), value), faults.OVERFLOW, at)
        return value

    def low_word(self, value: str) -> str:
        """The number in the lower 32 bits of a value: itself if it is in range."""
        return self.w.op(f"ashr i64 {self.w.op(f'shl i64 {value}, 32')}, 32")

    def one_of(self, condition: ir.Expr, then: ir.Expr, otherwise: ir.Expr) -> list[str]:
        """The value of one expression or another; of both at once, if neither has loops or faults."""
        w = self.w
        holds = self.test(condition)
        if holds in ("true", "false"):
            return self.value(then if holds == "true" else otherwise)
        mark, labels = w.mark(), w.labels
        first, second = self.value(then), self.value(otherwise)
        if w.labels == labels:
            return [w.pick(holds, a, b) for a, b in zip(first, second, strict=True)]
        w.back(mark)
        results = [w.slot() for _ in first]
        with w.when(holds) as which:
            for slot, word in zip(results, self.value(then), strict=True):
                w.put(slot, word)
            which.otherwise()
            for slot, word in zip(results, self.value(otherwise), strict=True):
                w.put(slot, word)
        return [w.get(slot) for slot in results]

    def not_none(self, expr: ir.Expr, at: int) -> str:
        """The value of an expression that may be `none` only at the price of a fault."""
        value = self.emit(expr)
        if is_optional(type_of(expr)):
            self.fail_if(self.w.compare("slt", value, "0"), faults.NONE_USED, at)
        return value

    def card_field(self, expr: ir.CardField) -> str:
        w = self.w
        column = self.program.fields[expr.field]
        card = self.not_none(expr.card, expr.at)
        if column.width == 1:
            return w.look_up(column.values, card)
        return w.look_up(column.values, w.add(w.mul(card, str(column.width)), self.offset(0, expr.axes, expr.at)))

    def neighbour(self, seat: str, step: int) -> str:
        """The next of the players in play in a direction."""
        w = self.w
        around = self.read(DIRECTION)
        if step < 0:
            around = w.sub("0", around)
        playing = self.read(PLAYING)
        players = self.program.players
        at, tried = w.slot(seat), w.slot("0")
        with w.loop() as loop:
            loop.leave_if(w.compare("eq", w.get(tried), str(players)))
            w.put(tried, w.add(w.get(tried), "1"))
            here = self.wrapped(w.add(w.get(at), around))
            w.put(at, here)
            loop.leave_if(w.has(playing, here))
        return w.get(at)

    def wrapped(self, seat: str) -> str:
        """A seat that may be one step beside the table."""
        w = self.w
        players = self.program.players
        seat = w.pick(w.compare("sge", seat, str(players)), w.sub(seat, str(players)), seat)
        return w.pick(w.compare("slt", seat, "0"), w.add(seat, str(players)), seat)

    # -------------------------------------------------------------------- calls

    @contextmanager
    def lent_fuel(self, is_burned: bool) -> Iterator[str]:
        """The pointer to the count of fuel for a call: of a copy, which is read back afterwards; ``null`` for what does
        not burn any."""
        if not is_burned:
            yield "null"
            return
        self.burns = True
        copy = self.w.slot(self.w.get("%fuel"))
        yield copy
        self.w.put("%fuel", self.w.get(copy))

    def known(self) -> Known:
        """What is known of expressions here."""
        if self.shared.known is None:
            self.shared.known = Known(self.program)
        self.shared.known.ranges = self.scope.ranges
        return self.shared.known

    def printed_by(self, call: ir.CallFunction) -> tuple[int, ...] | None:
        """What a function of one card gives for each card, if it looks at nothing but what is printed on it."""
        callee = self.program.functions[call.function]
        if len(callee.params) != 1 or not isinstance(callee.params[0], CardType) or is_card_set(callee.result):
            return None
        card = ir.Local(0, callee.params[0])
        return self.known().column(ir.CallFunction(call.function, (card,), call.type), 0)

    def call(self, expr: ir.CallFunction) -> list[str]:
        if (printed := self.printed_by(expr)) is not None:
            return [self.w.look_up(printed, self.emit(expr.arguments[0]))]
        values = [word for argument in expr.arguments for word in self.value(argument)]
        return self.call_with(expr.function, values)

    def call_with(self, function: int, values: Sequence[str]) -> list[str]:
        """The value of a function of the program."""
        from rulerun.native.functions import need_function, result_words

        need_function(self.shared, function)
        w = self.w
        count = result_words(self.shared, function)
        known = [self.read(word) for word in sorted(self.promotion.read_by(function))]
        passed = "".join(f", i64 {value}" for value in [*values, *known])
        kind = "{ " + ", ".join(["i64"] * (count + 1)) + " }"
        with self.lent_fuel(function in self.shared.burning) as fuel:
            answer = w.op(f"call {kind} @f{function}({arguments('null', fuel)}{passed})")
        if function in self.shared.faulting:
            self.pass_on(w.op(f"extractvalue {kind} {answer}, {count}"))
        return [w.op(f"extractvalue {kind} {answer}, {i}") for i in range(count)]
