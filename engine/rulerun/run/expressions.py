"""Expressions of the IR as Python: whatever may fault or loops becomes statements written ahead; what is left is a
text that can be read any number of times and never fails.

So statements stand in the order of evaluation, and a fault is the first that the rules run into. What `and`, `or` and
`if` must not evaluate is written below an `if` of its own.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import assert_never

from rulerun.facts.ranges import Range, range_of, raw_range
from rulerun.facts.spots import HEAD, TAIL
from rulerun.facts.types import is_card_set, is_optional, type_of
from rulerun.ir import nodes as ir
from rulerun.ir.program import (
    HEADER_WORDS,
    PLAYING,
    ZONE_COUNT,
    ZONE_HEAD,
    ZONE_SET,
    ZONE_TAIL,
    Program,
    ZoneFamily,
    is_hidden,
)
from rulerun.ir.traverse import walk
from rulerun.ir.types import BOOL, INT_MAX, INT_MIN, WORD_BITS, Type
from rulerun.run.source import Lines, Writer, is_atom

INLINE_NODES = 120
"""A function is written in place of its calls if it has no more nodes than this, what it calls in turn included."""
INLINE_DEPTH = 6
LONG_TEXT = 400
assert HEADER_WORDS == 8


@dataclass
class Pool:
    """Values that generated code reads by name: tables, masks, functions. Filled while planning, the code's globals."""

    values: dict[str, object] = field(default_factory=dict)
    names: dict[Hashable, str] = field(default_factory=dict)
    known: dict[str, ir.Expr | None] = field(default_factory=dict)
    """What planning steps remember about the program (for instance which functions can be written in place)."""
    columns: dict[Hashable, tuple[int, ...] | None] = field(default_factory=dict)
    bodies: dict[Hashable, ir.Expr] = field(default_factory=dict)
    fresh_locals: int = 0
    sizes: dict[int, int] = field(default_factory=dict)
    """Per function of one expression: its nodes, with what is written in place of the calls in it."""
    outlined: list[str] = field(default_factory=list)
    """Folds written as functions of their own."""

    def name(self, prefix: str, key: Hashable, value: object) -> str:
        """The name of ``value``; the same ``key`` gives the same name."""
        found = self.names.get((prefix, key))
        if found is None:
            found = f"{prefix}{len(self.names)}"
            self.names[prefix, key] = found
            self.values[found] = value
        return found


@dataclass
class Scope:
    """The locals of a code unit: what each is called in Python, and the range it is known to keep."""

    names: dict[int, str] = field(default_factory=dict)
    ranges: dict[int, Range] = field(default_factory=dict)


class Emitter:
    """Writes expressions into a `Writer`.

    ``guarded``: reads of a card's face are checked against what the asked seat (header word CHOOSER) sees and knows.
    ``plain``: no shortcuts (sets of cards tested by masks); for tests that compare.
    """

    def __init__(
        self, program: Program, pool: Pool, writer: Writer, guarded: bool = False, plain: bool = False
    ) -> None:
        self.program = program
        self.layout = program.layout
        self.pool = pool
        self.w = writer
        self.guarded = guarded
        self.plain = plain or guarded
        self.scope = Scope()
        self.inlined = 0
        self.loops = 0
        self.at = -1
        """Origin of what is being written, for faults of parts that have none of their own."""

    # ------------------------------------------------------------- small tools

    def atom(self, text: str) -> str:
        """A name for a text that is read more than once."""
        if is_atom(text):
            return text
        name = self.w.fresh()
        self.w.line(f"{name} = {text}")
        return name

    def shorter(self, text: str) -> str:
        """Long texts are given a name, so that no line nests without end."""
        return self.atom(text) if len(text) > LONG_TEXT else text

    @contextmanager
    def within(self, scope: Scope) -> Iterator[None]:
        outer, self.scope = self.scope, scope
        try:
            yield
        finally:
            self.scope = outer

    def bind(self, local: int, prefix: str = "c", range_: Range | None = None) -> str:
        """A fresh Python name for a local."""
        name = self.w.fresh(prefix)
        self.scope.names[local] = name
        self.scope.ranges.pop(local, None)
        if range_ is not None:
            self.scope.ranges[local] = range_
        return name

    def range(self, expr: ir.Expr) -> Range:
        return range_of(expr, self.program, self.scope.ranges)

    # ------------------------------------------------------- places and zones

    def offset(self, base: int, axes: tuple[ir.Axis, ...], at: int, scale: int = 1) -> str:
        """``base`` plus the sum of the axes (times ``scale``), as a text; a number if all is constant."""
        parts: list[str] = []
        for axis in axes:
            if isinstance(axis.index, ir.Const) and axis.low <= axis.index.value < axis.low + axis.size:
                base += (axis.index.value - axis.low) * axis.stride * scale
                continue
            text = self.emit(axis.index)
            if axis.checked:
                text = self.atom(text)
                last = axis.low + axis.size - 1
                self.w.line(f"if not {axis.low} <= {text} <= {last}: index({at}, {text}, {axis.low}, {last})")
            base -= axis.low * axis.stride * scale
            stride = axis.stride * scale
            parts.append(text if stride == 1 else f"{text} * {stride}")
        return " + ".join([*parts, str(base)]) if parts else str(base)

    def words(self, base: str, count: int) -> str:
        """A set of cards that lies in ``count`` words."""
        if count == 1:
            return f"v[{base}]"
        if not base.isdigit():
            base = self.atom(base)
        parts = [
            f"v[{plus(base, i)}]" + (f" << {WORD_BITS * i}" if i else "") for i in range(count)
        ]
        return f"({' | '.join(parts)})"

    def store(self, base: str, type_: Type, value: str) -> None:
        """Writes a value of a type at word ``base``."""
        if not is_card_set(type_) or self.layout.words_per_set == 1:
            self.w.line(f"v[{base}] = {value}")
            return
        base = self.atom(base)
        value = self.atom(value)
        for i in range(self.layout.words_per_set):
            part = f"{value} >> {WORD_BITS * i} & {2**WORD_BITS - 1}" if i else f"{value} & {2**WORD_BITS - 1}"
            self.w.line(f"v[{plus(base, i)}] = {part}")

    def family(self, zone: ir.ZoneRef) -> ZoneFamily:
        return self.program.families[zone.family]

    def instance(self, zone: ir.ZoneRef) -> str:
        """The number of a zone instance."""
        return self.offset(self.family(zone).first, zone.axes, zone.at)

    def zone_word(self, zone: ir.ZoneRef, word: int) -> str:
        """The index of word ``word`` of a zone's record."""
        first = self.layout.zone(self.family(zone).first) + word
        return self.offset(first, zone.axes, zone.at, self.layout.zone_words)

    def cards_in(self, zone: ir.ZoneRef) -> str:
        """The set of cards in a zone."""
        if self.family(zone).kind.ordered:
            return f"set_of(v, {self.instance(zone)})"
        return self.words(self.zone_word(zone, ZONE_SET), self.layout.words_per_set)

    def count_in(self, zone: ir.ZoneRef) -> str:
        return f"v[{self.zone_word(zone, ZONE_COUNT)}]"

    # ------------------------------------------------------------- expressions

    def number(self, expr: ir.Expr) -> str:
        """As `emit`, but a bool comes as 0 or 1, to be stored."""
        text = self.emit(expr)
        if isinstance(expr, ir.Const | ir.Load | ir.CardField | ir.Lookup | ir.SnapshotItem):
            return text
        return f"+({text})" if type_of(expr) == BOOL else text

    def later(self, expr: ir.Expr) -> tuple[Lines, str]:
        """Statements and text of an expression that may not be needed."""
        with self.w.captured() as lines:
            text = self.emit(expr)
        return lines, text

    def emit(self, expr: ir.Expr) -> str:
        """Writes the statements of an expression and gives the text of its value."""
        return self.shorter(self.value(expr))

    def value(self, expr: ir.Expr) -> str:
        from rulerun.run.covers import emit_cover
        from rulerun.run.loops import emit_fold

        match expr:
            case ir.Const(value):
                return str(value) if value >= 0 else f"({value})"
            case ir.Local(index):
                return self.scope.names[index]
            case ir.Load(place):
                base = self.offset(place.offset, place.axes, place.at)
                if self.guarded and is_hidden(self.program, place.offset):
                    base = self.atom(base)
                    self.w.line(f"see_word(v, {base}, {place.at})")
                return self.words(base, self.layout.words_per_set if is_card_set(place.type) else 1)
            case ir.Unary("not", operand):
                return f"(not {self.emit(operand)})"
            case ir.Unary(_, operand, at):
                return self.checked(f"-{self.emit(operand)}", raw_range(expr, self.program, self.scope.ranges), at)
            case ir.Binary():
                return self.binary(expr)
            case ir.And(left, right):
                return self.short_circuit("and", left, right)
            case ir.Or(left, right):
                return self.short_circuit("or", left, right)
            case ir.Conditional():
                return self.conditional(expr)
            case ir.Contains(item, of):
                shift = self.emit(item)
                return f"({self.emit(of)} >> {shift} & 1)"
            case ir.Single(item):
                return f"(1 << {self.emit(item)})"
            case ir.Size(ir.ZoneCards(zone)):
                return self.count_in(zone)
            case ir.Size(of):
                return f"({self.emit(of)}).bit_count()"
            case ir.Lookup(table, axes, _, at):
                name = self.pool.name("T", table, self.program.tables[table].values)
                return f"{name}[{self.offset(0, axes, at)}]"
            case ir.CardField():
                return self.card_field(expr)
            case ir.ZoneCount(zone):
                return self.count_in(zone)
            case ir.UndrawnCount(zone):
                if not self.family(zone).kind.ordered:
                    return "0"
                return f"{self.words(self.zone_word(zone, ZONE_SET), self.layout.words_per_set)}.bit_count()"
            case ir.ZoneCards(zone):
                return self.cards_in(zone)
            case ir.ZoneEnd(zone, end, at):
                return self.zone_end(zone, end, at)
            case ir.ZoneTop(zone, end, count):
                family_end = HEAD if end is ir.End.HEAD else TAIL
                instance = self.instance(zone)
                return self.atom(f"top_cards(v, {instance}, {family_end}, {self.emit(count)})")
            case ir.InZone(card, zone):
                where = self.emit(card)
                return f"(v[{where} + {self.layout.loc_base}] == {self.instance(zone)})"
            case ir.PlayersIn():
                return f"v[{PLAYING}]"
            case ir.Neighbour(player, step, at):
                seat = self.not_none(player, at)
                return f"neighbour(v, {seat}, {step})"
            case ir.Sees(player, zone):
                seat = self.emit(player)
                return f"(SEEN[{self.instance(zone)}] >> {seat} & 1)"
            case ir.Knows(player, card):
                seat = self.emit(player)
                which = self.atom(self.emit(card))
                layout = self.layout
                return f"((SEEN[v[{which} + {layout.loc_base}]] | v[{which} + {layout.place_base}]) >> {seat} & 1)"
            case ir.Fold():
                return emit_fold(self, expr)
            case ir.Cover():
                return emit_cover(self, expr)
            case ir.CallFunction():
                return self.call(expr)
            case ir.SnapshotCount(offset):
                return f"v[{offset}]"
            case ir.CardTable(sets, low, index):
                name = self.pool.name("T", sets, sets)
                return f"{name}[max(0, min({self.emit(index)} - {low}, {len(sets) - 1}))]"
            case ir.HoldersOf(sets, of):
                name = self.pool.name("T", sets, sets)
                return f"sum({name}[i] for i in elements({self.emit(of)}) if i < {len(sets)})"
            case ir.SumOf(values, of):
                name = self.pool.name("T", values, values)
                return f"sum({name}[i] for i in elements({self.emit(of)}))"
            case ir.SnapshotItem(offset, index):
                text = self.atom(self.emit(index))
                per, bits = ir.SNAPSHOT_PER_WORD, ir.SNAPSHOT_BITS
                return f"(v[{text} // {per} + {offset + 1}] >> {text} % {per} * {bits} & {2**bits - 1})"
            case _:
                assert_never(expr)

    def checked(self, text: str, bounds: Range, at: int) -> str:
        """A number that may leave the range of a word."""
        if bounds[0] >= INT_MIN and bounds[1] <= INT_MAX:
            return f"({text})"
        name = self.w.fresh()
        self.w.line(f"{name} = {text}")
        self.w.line(f"if not {INT_MIN} <= {name} <= {INT_MAX}: overflow({at}, {name})")
        return name

    def binary(self, expr: ir.Binary) -> str:
        left = self.emit(expr.left)
        right = self.emit(expr.right)
        op = expr.op
        if op in ("+", "-", "*"):
            return self.checked(f"{left} {op} {right}", raw_range(expr, self.program, self.scope.ranges), expr.at)
        if op in ("//", "%"):
            low, high = self.range(expr.right)
            if low <= 0 <= high:
                right = self.atom(right)
                self.w.line(f"if {right} == 0: division({expr.at})")
            return self.checked(f"{left} {op} {right}", raw_range(expr, self.program, self.scope.ranges), expr.at)
        if op in ("min", "max"):
            left, right = self.atom(left), self.atom(right)
            return f"({left} if {left} {'<' if op == 'min' else '>'} {right} else {right})"
        if op == "union":
            return f"({left} | {right})"
        if op == "common":
            return f"({left} & {right})"
        if op == "without":
            return f"({left} & ~{right})"
        return f"({left} {op} {right})"

    def short_circuit(self, word: str, left: ir.Expr, right: ir.Expr) -> str:
        first = self.emit(left)
        lines, second = self.later(right)
        if not lines:
            return f"({first} {word} {second})"
        name = self.w.fresh()
        self.w.line(f"{name} = {first}")
        self.w.line(f"if {name}:" if word == "and" else f"if not {name}:")
        self.w.splice(lines, 1)
        with self.w.indented():
            self.w.line(f"{name} = {second}")
        return name

    def conditional(self, expr: ir.Conditional) -> str:
        condition = self.emit(expr.condition)
        then_lines, then = self.later(expr.then)
        else_lines, otherwise = self.later(expr.otherwise)
        if not then_lines and not else_lines:
            return f"({then} if {condition} else {otherwise})"
        name = self.w.fresh()
        self.w.line(f"if {condition}:")
        self.w.splice(then_lines, 1)
        with self.w.indented():
            self.w.line(f"{name} = {then}")
        self.w.line("else:")
        self.w.splice(else_lines, 1)
        with self.w.indented():
            self.w.line(f"{name} = {otherwise}")
        return name

    def not_none(self, expr: ir.Expr, at: int) -> str:
        """The value of an expression that may be `none` only at the price of a fault."""
        text = self.emit(expr)
        if is_optional(type_of(expr)):
            text = self.atom(text)
            self.w.line(f"if {text} < 0: none_used({at})")
        return text

    def card_field(self, expr: ir.CardField) -> str:
        column = self.program.fields[expr.field]
        card = self.not_none(expr.card, expr.at)
        if self.guarded and not column.on_back:
            card = self.atom(card)
            self.w.line(f"see(v, {card}, {expr.at})")
        name = self.pool.name("F", expr.field, column.values)
        if column.width == 1:
            return f"{name}[{card}]"
        return f"{name}[{card} * {column.width} + {self.offset(0, expr.axes, expr.at)}]"

    def zone_end(self, zone: ir.ZoneRef, end: ir.End, at: int) -> str:
        family = self.family(zone)
        if family.kind.ordered and family.shuffled:
            name = self.atom(f"end(v, {self.instance(zone)}, {HEAD if end is ir.End.HEAD else TAIL})")
            self.w.line(f"if {name} < 0: nothing({at}, {self.instance(zone)})")
            return name
        if family.kind.ordered:
            word = ZONE_HEAD if end is ir.End.HEAD else ZONE_TAIL
            name = self.atom(f"v[{self.zone_word(zone, word)}]")
            self.w.line(f"if not {name}: nothing({at}, {self.instance(zone)})")
            return f"({name} - 1)"
        name = self.atom(self.cards_in(zone))
        self.w.line(f"if not {name}: nothing({at}, {self.instance(zone)})")
        self.w.line(f"if {name} & ({name} - 1): several({at}, {self.instance(zone)})")
        return f"({name}.bit_length() - 1)"

    # ------------------------------------------------------------------- calls

    def call(self, expr: ir.CallFunction) -> str:
        body = self.inlinable(expr.function)
        arguments = [self.emit(argument) for argument in expr.arguments]
        if body is None:
            return self.atom(f"{'g' if self.guarded else 'f'}{expr.function}({', '.join(['v', *arguments])})")
        scope = Scope()
        for i, (text, argument) in enumerate(zip(arguments, expr.arguments, strict=True)):
            scope.names[i] = self.atom(text)
            scope.ranges[i] = self.range(argument)
        self.inlined += 1
        with self.within(scope):
            text = self.emit(body)
        self.inlined -= 1
        return text

    def inlinable(self, function: int) -> ir.Expr | None:
        """The value of a function that is so small that it is written in place of its call."""
        if self.inlined >= INLINE_DEPTH:
            return None
        return only_value(self.program, self.pool, function)


def only_value(program: Program, pool: Pool, function: int) -> ir.Expr | None:
    """The value of a function that consists of one small expression."""
    key = f"value {function}"
    if key not in pool.known:
        blocks = program.functions[function].blocks
        value: ir.Expr | None = None
        if len(blocks) == 1 and not blocks[0].ops and not blocks[0].fuel and isinstance(blocks[0].end, ir.Return):
            value = blocks[0].end.value
        if value is not None:
            pool.sizes[function] = size_of(value)
            for callee in [node.function for node in walk(value) if isinstance(node, ir.CallFunction)]:
                if only_value(program, pool, callee) is not None:
                    pool.sizes[function] += pool.sizes[callee]
        pool.known[key] = value if pool.sizes.get(function, INLINE_NODES + 1) <= INLINE_NODES else None
    return pool.known[key]


def size_of(expr: ir.Expr) -> int:
    """How many nodes an expression has."""
    return sum(1 for _ in walk(expr))


def plus(base: str, i: int) -> str:
    """``base + i``, computed at once where ``base`` is a number."""
    if base.isdigit():
        return str(int(base) + i)
    return f"{base} + {i}" if i else base



