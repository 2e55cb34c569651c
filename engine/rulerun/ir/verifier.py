"""Whether a program keeps the promises that its executors rely on. Run over every program
that a test makes; a sound checker makes none that fails.

It imports only the IR. Problems are sentences; an empty list means that the program is well formed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from rulerun.ir import nodes as ir
from rulerun.ir.program import HEADER_WORDS, Function, Program, layout_of, words_of
from rulerun.ir.traverse import targets_of, walk
from rulerun.ir.types import ArrayType, RangeKey, SetType

Locals = frozenset[int]


def verify(program: Program) -> list[str]:
    """All problems of a program."""
    return Verifier(program).run()


class Verifier:
    """Goes through one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.problems: list[str] = []
        self.where = "program"
        layout = program.layout
        self.state = range(layout.variables, layout.zone_base)
        self.in_function = False

    def run(self) -> list[str]:
        self.tables()
        self.zones()
        self.variables()
        self.procedures()
        for number, function in enumerate(self.program.functions):
            self.function(number, function)
        self.blocks()
        self.sites()
        self.reachable()
        return self.problems

    def wrong(self, text: str) -> None:
        self.problems.append(f"{self.where}: {text}")

    def origin(self, at: int) -> None:
        if not 0 <= at < len(self.program.origins):
            self.wrong(f"origin {at} does not exist")

    # --------------------------------------------------------------- declarations

    def tables(self) -> None:
        program = self.program
        if len(program.kinds) != program.card_count:
            self.wrong(f"{len(program.kinds)} kinds for {program.card_count} cards")
        seen = 0
        for card, kind in enumerate(program.kinds):
            if kind > seen or kind < 0:
                self.wrong(f"kind {kind} of card {card} comes before kind {seen}")
            seen = max(seen, kind + 1)
        if len(program.kind_names) != seen or len(program.back_names) != seen:
            self.wrong(f"{len(program.kind_names)} names of faces, {len(program.back_names)} of backs for {seen} kinds")
        for column in program.fields:
            if len(column.values) != program.card_count * column.width:
                self.wrong(f"field {column.name} has {len(column.values)} values")
                continue
            first: dict[int, tuple[int, ...]] = {}
            for card, kind in enumerate(program.kinds):
                values = column.values[card * column.width : (card + 1) * column.width]
                if first.setdefault(kind, values) != values:
                    self.wrong(f"cards of kind {kind} differ in field {column.name}")
        if not 0 <= program.score < len(program.functions):
            self.wrong("the score is no function")
        for criterion in program.criteria:
            if not 0 <= criterion.function < len(program.functions):
                self.wrong(f"criterion {criterion.name} is no function")

    def zones(self) -> None:
        program = self.program
        first = 0
        for number, family in enumerate(program.families):
            if family.first != first:
                self.wrong(f"zone {family.name} begins at instance {family.first}, not {first}")
            size = 1
            for key in family.keys:
                size *= ir.key_size(key, program.players, program.card_count)
            if family.size != size:
                self.wrong(f"zone {family.name} has {family.size} instances, its keys make {size}")
            for instance in range(family.first, min(family.first + family.size, len(program.zones))):
                if program.zones[instance].family != number:
                    self.wrong(f"instance {instance} belongs to another family than {family.name}")
            if family.refill is not None:
                source = program.families[family.refill.source]
                if source.keys not in ((), family.keys):
                    self.wrong(f"zone {family.name} is refilled from {source.name}, which has other keys")
            first += family.size
        if first != len(program.zones):
            self.wrong(f"{len(program.zones)} zone instances, the families make {first}")
        if len(program.start) != program.card_count:
            self.wrong(f"{len(program.start)} starting places for {program.card_count} cards")
        if any(not 0 <= zone < len(program.zones) for zone in program.start):
            self.wrong("a card starts in a zone that does not exist")

    def variables(self) -> None:
        program = self.program
        layout = program.layout
        wanted = layout_of(
            program.card_count,
            program.players,
            len(program.zones),
            layout.frames - layout.variables,
            layout.zone_base - layout.frames,
        )
        if wanted != layout or layout.variables != HEADER_WORDS:
            self.wrong("the layout does not belong to the program")
        end = layout.variables
        for variable in sorted((v for v in program.variables if v.unit < 0), key=lambda v: v.offset):
            words = words_of(variable.type, program.players, program.card_count)
            if variable.words != words:
                self.wrong(f"variable {variable.name} has {variable.words} words, its type takes {words}")
            if variable.offset < end:
                self.wrong(f"variable {variable.name} overlaps another")
            if variable.start and len(variable.start) != words:
                self.wrong(f"variable {variable.name} starts with {len(variable.start)} words of {words}")
            end = variable.offset + variable.words
        if end > layout.frames:
            self.wrong("variables reach into the frames")
        for variable in program.variables:
            if variable.unit >= 0:
                if not variable.unit < len(program.procedures):
                    self.wrong(f"local {variable.name} belongs to no procedure")
                    continue
                procedure = program.procedures[variable.unit]
                frame = range(procedure.frame, procedure.frame + procedure.frame_words)
                if variable.offset not in frame or variable.offset + variable.words - 1 not in frame:
                    self.wrong(f"local {variable.name} lies outside the frame of {procedure.name}")

    def procedures(self) -> None:
        end = self.program.layout.frames
        for procedure in sorted(self.program.procedures, key=lambda p: p.frame):
            self.where = f"procedure {procedure.name}"
            frame = range(procedure.frame, procedure.frame + procedure.frame_words)
            if procedure.frame < end:
                self.wrong("its frame overlaps another")
            end = max(end, procedure.frame + procedure.frame_words)
            places = [procedure.return_place, *procedure.params]
            if procedure.result_place >= 0:
                places += [procedure.result_place, procedure.result_place + procedure.result_words - 1]
            if any(place not in frame for place in places):
                self.wrong("a place of it lies outside its frame")
            if not 0 < procedure.entry < len(self.program.blocks):
                self.wrong(f"its entry, block {procedure.entry}, does not exist")
        self.where = "program"
        if end > self.program.layout.zone_base:
            self.wrong("frames reach into the zones")

    # --------------------------------------------------------------------- code

    def function(self, number: int, function: Function) -> None:
        self.in_function = True
        bound: Locals = frozenset(range(len(function.params)))
        for block in function.blocks:
            bound |= {op.local for op in block.ops if isinstance(op, ir.SetLocal)}
        for at, block in enumerate(function.blocks):
            self.where = f"function {function.name} b{at}"
            for op in block.ops:
                if not isinstance(op, ir.SetLocal):
                    self.wrong(f"a function cannot do {type(op).__name__}")
                self.op(op, bound)
            match block.end:
                case ir.Jump() | ir.Branch() | ir.Switch() | ir.Return() | ir.Fail():
                    self.end(block.end, bound, len(function.blocks))
                case _:
                    self.wrong(f"a function cannot end in {type(block.end).__name__}")
        self.where = f"function {function.name}"
        if not function.blocks:
            self.wrong("it has no blocks")
        self.in_function = False
        calls = {n.function for n in walk(function.blocks) if isinstance(n, ir.CallFunction)}
        if any(callee >= len(self.program.functions) for callee in calls):
            self.wrong("it calls a function that does not exist")
        if number in self.calls_of(calls):
            self.wrong("it calls itself")

    def calls_of(self, calls: set[int]) -> set[int]:
        """All functions that these call, themselves included."""
        seen: set[int] = set()
        waiting = list(calls)
        while waiting:
            number = waiting.pop()
            if number in seen or not 0 <= number < len(self.program.functions):
                continue
            seen.add(number)
            body = self.program.functions[number].blocks
            waiting += [n.function for n in walk(body) if isinstance(n, ir.CallFunction)]
        return seen

    def blocks(self) -> None:
        program = self.program
        self.where = "program"
        if not program.blocks or not isinstance(program.blocks[0].end, ir.Finish) or program.blocks[0].ops:
            self.wrong("block 0 is not a bare Finish")
        if not 0 <= program.entry < len(program.blocks):
            self.wrong(f"it begins at block {program.entry}, which does not exist")
        for number, block in enumerate(program.blocks):
            self.where = f"b{number}"
            for op in block.ops:
                if isinstance(op, ir.SetLocal):
                    self.wrong("SetLocal outside a function")
                self.op(op, frozenset())
            if isinstance(block.end, ir.Return) and block.end.procedure is None:
                self.wrong("it returns from no procedure")
            self.end(block.end, frozenset(), len(program.blocks))

    def sites(self) -> None:
        self.where = "program"
        sites = sorted(block.end.site for block in self.program.blocks if isinstance(block.end, ir.Choose))
        if sites != list(range(len(sites))):
            self.wrong(f"choice sites are not numbered one after the other: {sites}")
        for number, block in enumerate(self.program.blocks):
            for op in block.ops:
                if isinstance(op, ir.Tell) and not 0 <= op.site < len(sites):
                    self.where = f"b{number}"
                    self.wrong(f"it tells choice site {op.site}, which does not exist")

    def reachable(self) -> None:
        """Every procedure that is called can come to an end: it returns, finishes, waits, fails or calls."""
        self.where = "program"
        for procedure in self.program.procedures:
            seen: set[int] = set()
            waiting = [procedure.entry]
            ends = False
            while waiting:
                number = waiting.pop()
                if number in seen or not 0 <= number < len(self.program.blocks):
                    continue
                seen.add(number)
                end = self.program.blocks[number].end
                ends = ends or isinstance(end, ir.Return | ir.Finish | ir.Fail | ir.Choose | ir.CallProcedure)
                waiting += targets_of(end)
            if not ends:
                self.wrong(f"procedure {procedure.name} never ends")

    # -------------------------------------------------------------------- parts

    def target(self, block: int, blocks: int) -> None:
        if not 0 <= block < blocks:
            self.wrong(f"block {block} does not exist")

    def end(self, end: ir.Terminator, bound: Locals, blocks: int) -> None:
        for to in targets_of(end):
            self.target(to, blocks)
        match end:
            case ir.Jump() | ir.Finish():
                pass
            case ir.Branch(condition):
                self.expr(condition, bound)
            case ir.Switch(value):
                self.expr(value, bound)
            case ir.CallProcedure(number, arguments, _, at):
                self.origin(at)
                for argument in arguments:
                    self.expr(argument, bound)
                if not 0 <= number < len(self.program.procedures):
                    self.wrong(f"procedure {number} does not exist")
                elif len(self.program.procedures[number].params) != len(arguments):
                    self.wrong(f"{len(arguments)} arguments for {self.program.procedures[number].name}")
            case ir.Return(number, value):
                if value is not None:
                    self.expr(value, bound)
                if number is not None:
                    if not 0 <= number < len(self.program.procedures):
                        self.wrong(f"procedure {number} does not exist")
                    elif value is not None and self.program.procedures[number].result_place < 0:
                        self.wrong(f"{self.program.procedures[number].name} has no place for a result")
            case ir.Choose():
                self.choose(end)
            case ir.Draw(zone, spot, into, _, _, at):
                self.origin(at)
                self.zone(zone, bound)
                self.spot(spot, bound)
                self.place(into, bound)
                if not self.is_ordered(zone):
                    self.wrong("a draw from a zone without order")
            case ir.Pick(domain, into, _, _, _, at):
                self.origin(at)
                self.domain(domain, bound)
                self.place(into, bound)
            case ir.Fail(_, at):
                self.origin(at)
            case _:
                assert_never(end)

    def choose(self, end: ir.Choose) -> None:
        self.origin(end.at)
        self.expr(end.chooser, frozenset())
        if end.optional and end.passing is None:
            self.wrong("an optional choice without a block for a pass")
        if not end.lines:
            self.wrong("a choice without lines")
        for line in end.lines:
            self.origin(line.at)
            bound: Locals = frozenset()
            if line.guard is not None:
                self.expr(line.guard, bound)
            for binder in line.binders:
                self.domain(binder.domain, bound)
                self.place(binder.place, frozenset())
                for size in (binder.least, binder.most):
                    if size is not None:
                        self.expr(size, bound)
                self.binder(binder)
                bound |= {binder.local}
            if line.where is not None:
                self.expr(line.where, bound)
            if line.label is not None:
                for part in line.label.parts:
                    if not isinstance(part, str):
                        self.expr(part, bound)

    def binder(self, binder: ir.Binder) -> None:
        base = binder.domain
        while isinstance(base, ir.FilteredDomain):
            base = base.domain
        zone = base.zone if isinstance(base, ir.ZoneDomain) else None
        is_set = isinstance(binder.place.type, SetType)
        match binder.held:
            case ir.Held.KIND:
                if zone is None or self.is_ordered(zone):
                    self.wrong("a choice by kind that is not from a zone without order")
            case ir.Held.PLACE:
                if zone is None or not self.is_ordered(zone):
                    self.wrong("a choice by place that is not from a zone with order")
            case ir.Held.SET:
                if not is_set:
                    self.wrong("a choice of a set into a place that holds none")
            case ir.Held.VALUE:
                if is_set:
                    self.wrong("a choice of one value into a place of a set")

    def is_ordered(self, zone: ir.ZoneRef) -> bool:
        families = self.program.families
        return not 0 <= zone.family < len(families) or families[zone.family].kind.ordered

    def axes(self, axes: Iterable[ir.Axis], bound: Locals) -> int:
        """Checks axes; the greatest that their sum can be."""
        most = 0
        for axis in axes:
            self.expr(axis.index, bound)
            if axis.size < 1 or axis.stride < 1:
                self.wrong(f"an axis of size {axis.size} and stride {axis.stride}")
            most += (axis.size - 1) * axis.stride
        return most

    def place(self, place: ir.Place, bound: Locals) -> None:
        self.origin(place.at)
        most = self.axes(place.axes, bound)
        words = words_of(place.type, self.program.players, self.program.card_count)
        if isinstance(place.type, ArrayType):
            self.wrong("a place of a whole array")
        last = place.offset + most + words - 1
        if place.offset not in self.state or last not in self.state:
            self.wrong(f"a place at words {place.offset} to {last}, outside the variables and frames")

    def zone(self, zone: ir.ZoneRef, bound: Locals) -> None:
        self.origin(zone.at)
        if not 0 <= zone.family < len(self.program.families):
            self.wrong(f"zone family {zone.family} does not exist")
            return
        family = self.program.families[zone.family]
        if self.axes(zone.axes, bound) >= family.size:
            self.wrong(f"an index of zone {family.name} reaches past its {family.size} instances")
        if len(zone.axes) != len(family.keys):
            self.wrong(f"{len(zone.axes)} indices for zone {family.name}, which has {len(family.keys)}")
            return
        for axis, key in zip(zone.axes, family.keys, strict=True):
            size = ir.key_size(key, self.program.players, self.program.card_count)
            low = key.low if isinstance(key, RangeKey) else 0
            if axis.size != size or axis.low != low:
                has = f"runs over {axis.size} from {axis.low}"
                self.wrong(f"an index of zone {family.name} {has}, not {size} from {low}")

    def spot(self, spot: ir.Spot, bound: Locals) -> None:
        if isinstance(spot, ir.Depth):
            self.expr(spot.index, bound)

    def snapshot(self, offset: int, capacity: int) -> None:
        words = ir.snapshot_words(capacity)
        if offset not in self.state or offset + words - 1 not in self.state:
            self.wrong(f"a snapshot at words {offset} to {offset + words - 1}, outside the frames")

    def domain(self, domain: ir.Domain, bound: Locals) -> None:
        match domain:
            case ir.NumberDomain(low, high):
                self.expr(low, bound)
                self.expr(high, bound)
            case ir.SetDomain(of):
                self.expr(of, bound)
            case ir.SeatDomain(of, start):
                self.expr(of, bound)
                self.expr(start, bound)
            case ir.ZoneDomain(zone):
                self.zone(zone, bound)
            case ir.FilteredDomain(local, inner, where):
                self.domain(inner, bound)
                self.expr(where, bound | {local})
            case _:
                assert_never(domain)

    def expr(self, expr: ir.Expr, bound: Locals) -> None:
        match expr:
            case ir.Const(value, type_):
                if not isinstance(type_, SetType) and not -(2**31) <= value < 2**31:
                    self.wrong(f"the constant {value} is no word of a {type_}")
            case ir.Local(index):
                if index not in bound:
                    self.wrong(f"l{index} is read where nothing binds it")
            case ir.Load(place):
                self.place(place, bound)
            case ir.Unary(op, operand, at):
                self.origin(at)
                if op not in ("neg", "not"):
                    self.wrong(f"no such operator: {op}")
                self.expr(operand, bound)
            case ir.Binary(op, left, right, _, at):
                self.origin(at)
                if op not in OPERATORS:
                    self.wrong(f"no such operator: {op}")
                self.expr(left, bound)
                self.expr(right, bound)
            case ir.And(left, right) | ir.Or(left, right):
                self.expr(left, bound)
                self.expr(right, bound)
            case ir.Conditional(condition, then, otherwise):
                for part in (condition, then, otherwise):
                    self.expr(part, bound)
            case ir.Contains(item, of):
                self.expr(item, bound)
                self.expr(of, bound)
            case ir.Single(item) | ir.Size(item):
                self.expr(item, bound)
            case ir.Lookup(table, axes, _, at):
                self.origin(at)
                most = self.axes(axes, bound)
                if not 0 <= table < len(self.program.tables):
                    self.wrong(f"table {table} does not exist")
                elif most >= len(self.program.tables[table].values):
                    self.wrong(f"an index of table {self.program.tables[table].name} reaches past its end")
            case ir.CardField(field, card, axes, _, at):
                self.origin(at)
                self.expr(card, bound)
                most = self.axes(axes, bound)
                if not 0 <= field < len(self.program.fields):
                    self.wrong(f"field {field} does not exist")
                elif most >= self.program.fields[field].width:
                    self.wrong(f"an index of field {self.program.fields[field].name} reaches past its width")
            case ir.ZoneCount(zone) | ir.UndrawnCount(zone) | ir.ZoneCards(zone):
                self.zone(zone, bound)
            case ir.ZoneEnd(zone, _, at):
                self.origin(at)
                self.zone(zone, bound)
            case ir.InZone(item, zone) | ir.Sees(item, zone):
                self.expr(item, bound)
                self.zone(zone, bound)
            case ir.PlayersIn():
                pass
            case ir.Neighbour(player, step, at):
                self.origin(at)
                self.expr(player, bound)
                if step not in (1, -1):
                    self.wrong(f"a neighbour {step} seats away")
            case ir.Knows(player, card):
                self.expr(player, bound)
                self.expr(card, bound)
                if not self.program.uses_knowledge:
                    self.wrong("it asks what a player knows, but the program does not say so")
            case ir.Fold():
                self.fold(expr, bound)
            case ir.CallFunction(number, arguments):
                for argument in arguments:
                    self.expr(argument, bound)
                if not 0 <= number < len(self.program.functions):
                    self.wrong(f"function {number} does not exist")
                elif len(self.program.functions[number].params) != len(arguments):
                    self.wrong(f"{len(arguments)} arguments for function {self.program.functions[number].name}")
            case ir.SnapshotCount(offset):
                self.snapshot(offset, 1)
            case ir.SnapshotItem(offset, index):
                self.snapshot(offset, 1)
                self.expr(index, bound)
            case _:
                assert_never(expr)

    def fold(self, fold: ir.Fold, bound: Locals) -> None:
        self.origin(fold.at)
        self.domain(fold.domain, bound)
        inner = bound | {fold.local}
        for part in (fold.where, fold.value):
            if part is not None:
                self.expr(part, inner)
        if fold.default is not None:
            self.expr(fold.default, bound)
        valued = fold.kind not in (ir.FoldKind.COUNT, ir.FoldKind.FIRST, ir.FoldKind.SOME, ir.FoldKind.EVERY)
        if valued and fold.value is None:
            self.wrong(f"{fold.kind.value} without a value")

    def op(self, op: ir.Op, bound: Locals) -> None:
        self.origin(getattr(op, "at", 0))
        match op:
            case ir.Store(place, value):
                self.place(place, bound)
                self.expr(value, bound)
            case ir.SetLocal(_, value):
                self.expr(value, bound)
            case ir.Clear(offset, words):
                if words > 0 and (offset not in self.state or offset + words - 1 not in self.state):
                    self.wrong(f"it clears words {offset} to {offset + words - 1}, outside the variables and frames")
            case ir.Snapshot(domain, offset, capacity):
                self.domain(domain, bound)
                self.snapshot(offset, capacity)
            case ir.MoveCard(card, to, spot) | ir.MoveCards(card, to, spot):
                self.expr(card, bound)
                self.zone(to, bound)
                self.spot(spot, bound)
            case ir.MoveAll(source, to, spot):
                self.zone(source, bound)
                self.zone(to, bound)
                self.spot(spot, bound)
            case ir.CollectAll(to):
                self.zone(to, bound)
                self.gap_allowed(to)
            case ir.Collect(source, to):
                self.zone(source, bound)
                self.zone(to, bound)
                self.gap_allowed(to)
            case ir.Shuffle(zone):
                self.zone(zone, bound)
                self.gap_allowed(zone)
            case ir.Refill(zone, source, keep, shuffle):
                self.zone(zone, bound)
                self.zone(source, bound)
                if keep < 0:
                    self.wrong(f"a refill that keeps {keep}")
                if shuffle:
                    self.gap_allowed(zone)
            case ir.SwapCards(left, right):
                self.expr(left, bound)
                self.expr(right, bound)
            case ir.SwapZones(left_zone, right_zone):
                self.zone(left_zone, bound)
                self.zone(right_zone, bound)
                if left_zone.family != right_zone.family:
                    self.wrong("it swaps zones of two families")
            case ir.Reveal(cards, to_seats):
                self.expr(cards, bound)
                if to_seats is not None:
                    self.expr(to_seats, bound)
            case ir.Announce(label):
                for part in label.parts:
                    if not isinstance(part, str):
                        self.expr(part, bound)
            case ir.Tell(_, chooser, _, line):
                self.expr(chooser, bound)
                if line is not None:
                    self.place(line, bound)
            case _:
                assert_never(op)

    def gap_allowed(self, zone: ir.ZoneRef) -> None:
        """A zone that gets undrawn cards must be declared as one that may hold them."""
        if self.is_ordered(zone) and not self.program.families[zone.family].shuffled:
            self.wrong(f"zone {self.program.families[zone.family].name} is shuffled, but not said to be")


OPERATORS = frozenset(
    ("+", "-", "*", "//", "%", "==", "!=", "<", "<=", ">", ">=", "min", "max", "union", "common", "without")
)
