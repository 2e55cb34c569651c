"""The part of the verifier that looks at code: expressions, domains, operations and the ends of blocks.

It imports only the IR. `verifier` goes through a whole program with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from rulerun.ir import nodes as ir
from rulerun.ir.arithmetic import BINARY
from rulerun.ir.program import Program, words_of
from rulerun.ir.traverse import base_of, targets_of
from rulerun.ir.types import CARD, CARDS, ArrayType, RangeKey, SetType
from rulerun.ir.typing import element_type, type_of

Locals = frozenset[int]


class CodeVerifier:
    """Collects the problems of the code of one program; ``where`` says what is looked at."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.problems: list[str] = []
        self.where = "program"
        layout = program.layout
        self.state = range(layout.variables, layout.zone_base)
        self.in_function = False

    def wrong(self, text: str) -> None:
        self.problems.append(f"{self.where}: {text}")

    def origin(self, at: int) -> None:
        if not 0 <= at < len(self.program.origins):
            self.wrong(f"origin {at} does not exist")

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
                if end.kept is not None:
                    self.place(end.kept, bound)
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
            if line.sifted is not None:
                self.sifted(line, line.sifted)
            if line.label is not None:
                for part in line.label.parts:
                    if not isinstance(part, str):
                        self.expr(part, bound)

    def sifted(self, line: ir.Line, sifted: ir.Sifted) -> None:
        self.expr(sifted.cards, frozenset())
        self.is_card_set(sifted.cards)
        identities = [binder.identity for binder in line.binders if not binder.by_sight]
        if identities not in ([ir.Identity.EXACT], [ir.Identity.BY_KIND]):
            self.wrong("cards sifted for a line that does not choose just one")
        elif sifted.rest is not None:
            self.expr(sifted.rest, frozenset({line.binders[0].local}))

    def card_sets(self, sets: tuple[int, ...]) -> None:
        if not sets:
            self.wrong("a table without entries")
        if any(cards < 0 or cards >> self.program.card_count for cards in sets):
            self.wrong("a table of cards that do not exist")

    def is_card_set(self, expr: ir.Expr) -> None:
        if type_of(expr) != CARDS:
            self.wrong(f"an annotation by sets of cards of type {type_of(expr)}")

    def binder(self, binder: ir.Binder) -> None:
        base = base_of(binder.domain)
        zone = base.zone if isinstance(base, ir.ZoneDomain) else None
        is_set = isinstance(binder.place.type, SetType)
        match binder.identity:
            case ir.Identity.BY_KIND:
                if zone is None or self.is_ordered(zone):
                    self.wrong("a choice by kind that is not from a zone without order")
            case ir.Identity.BY_POSITION:
                if zone is None or not self.is_ordered(zone):
                    self.wrong("a choice by place that is not from a zone with order")
            case ir.Identity.MULTISET:
                if not is_set:
                    self.wrong("a choice of a set into a place that holds none")
            case ir.Identity.GIVEN_SET:
                if not is_set or element_type(base) != CARDS:
                    self.wrong("a choice of a whole set that is not from a domain of sets of cards")
            case ir.Identity.EXACT:
                if is_set:
                    self.wrong("a choice of one value into a place of a set")
        if binder.by_sight:
            self.by_sight(binder)

    def by_sight(self, binder: ir.Binder) -> None:
        if binder.identity in (ir.Identity.BY_KIND, ir.Identity.BY_POSITION):
            self.wrong("a choice by kind or by place that is by sight, too")
        elif element_type(base_of(binder.domain)) not in (CARD, CARDS):
            self.wrong("a choice by sight of what is no card")

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

    def board(self, zone: ir.ZoneRef, places: int) -> None:
        families = self.program.families
        if not 0 <= zone.family < len(families):
            return
        family = families[zone.family]
        if not family.kind.ordered or family.shuffled or not 1 <= places <= family.size:
            self.wrong(f"{places} zones of {family.name} are no board")

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
            case ir.BoardDomain(zone, places):
                self.zone(zone, bound)
                self.board(zone, places)
            case ir.FilteredDomain(local, inner, where):
                self.domain(inner, bound)
                self.expr(where, bound | {local})
                if domain.sets is not None:
                    self.expr(domain.sets, bound)
                    self.is_card_set(domain.sets)
            case ir.SteppedDomain(low, high, step):
                self.expr(low, bound)
                self.expr(high, bound)
                if step == 0:
                    self.wrong("a range that does not get on")
            case ir.SubsetDomain(of, least, most, at):
                self.origin(at)
                for part in (of, least, most):
                    if part is not None:
                        self.expr(part, bound)
            case ir.GroupDomain(of, field, at) | ir.RunDomain(of, field, at):
                self.origin(at)
                self.expr(of, bound)
                if not 0 <= field < len(self.program.fields):
                    self.wrong(f"field {field} does not exist")
                elif self.program.fields[field].width != 1:
                    self.wrong(f"cards sorted by field {self.program.fields[field].name}, which has several values")
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
                if op not in BINARY:
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
            case ir.CardTable(sets, _, index):
                self.card_sets(sets)
                self.expr(index, bound)
            case ir.SumOf(values, of):
                if len(values) != self.program.card_count:
                    self.wrong(f"a sum of {len(values)} values of {self.program.card_count} cards")
                self.expr(of, bound)
            case ir.HoldersOf(sets, of):
                self.card_sets(sets)
                self.expr(of, bound)
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
            case ir.ZoneTop(zone, _, count, at):
                self.origin(at)
                self.zone(zone, bound)
                self.expr(count, bound)
                if not self.is_ordered(zone) or self.program.families[zone.family].shuffled:
                    self.wrong("the top of a zone that has no settled order, read inside an expression")
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
            case ir.Alike(player, left, right):
                for part in (player, left, right):
                    self.expr(part, bound)
            case ir.Fold():
                self.fold(expr, bound)
            case ir.Cover(of, local, least, most, where, value, _, at):
                self.origin(at)
                for part in (of, least, most):
                    self.expr(part, bound)
                if where is not None:
                    self.expr(where, bound | {local})
                self.expr(value, bound | {local})
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
        if fold.sets is not None:
            self.expr(fold.sets, bound)
            if type_of(fold.sets) != fold.type:
                self.wrong(f"a fold of type {fold.type} that is said again as {type_of(fold.sets)}")
            if fold.fuel:
                self.wrong(f"a fold that is said by sets of cards and burns {fold.fuel}")
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
            case ir.TurnOver(zone):
                self.zone(zone, bound)
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
            case ir.Flip(cards):
                self.expr(cards, bound)
                if self.program.face_up < 0:
                    self.wrong("it turns cards over, but the program has no room for which of them lie face up")
            case ir.Announce(label):
                for part in label.parts:
                    if not isinstance(part, str):
                        self.expr(part, bound)
            case ir.Tell(_, chooser, _, line):
                self.expr(chooser, bound)
                if line is not None:
                    self.place(line, bound)
            case ir.Leave(player):
                self.expr(player, bound)
            case ir.Rejoin(seats):
                self.expr(seats, bound)
            case ir.Reverse():
                pass
            case ir.Inform(audience, about, local, test):
                if audience is not None:
                    self.expr(audience, bound)
                if about is not None:
                    self.zone(about, bound)
                self.expr(test, bound | {local} if about is not None else bound)
            case _:
                assert_never(op)

    def gap_allowed(self, zone: ir.ZoneRef) -> None:
        """A zone that gets undrawn cards must be declared as one that may hold them."""
        if self.is_ordered(zone) and not self.program.families[zone.family].shuffled:
            self.wrong(f"zone {self.program.families[zone.family].name} is shuffled, but not said to be")
