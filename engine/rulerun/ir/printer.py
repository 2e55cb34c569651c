"""The IR as text: what `rulerun ir FILE` shows, and what the tests compare. Deterministic.

It imports only the IR. One line per operation, with the rule line that it came from where that changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rulerun.ir import nodes as ir
from rulerun.ir.program import Function, Option, Program
from rulerun.ir.types import CARDS, EnumType

SPACE = "  "
COMMENT_COLUMN = 76


def show(program: Program, *, annotated: bool = False) -> str:
    """The whole program as text. ``annotated``: with the fuel of all that burns some, and with what is said again by
    sets of cards."""
    return "\n".join(Printer(program, annotated=annotated).lines()) + "\n"


def _setting(option: Option) -> str:
    """The value of an option; of an enum by name, with what else it can be."""
    match option.type:
        case EnumType(values=values):
            return f"{values[option.value]} of {', '.join(values)}"
        case _:
            return str(option.value)


def card_set(cards: int) -> str:
    """A set of cards by their numbers, neighbours as a range: ``{0-12, 40}``."""
    parts: list[str] = []
    number = 0
    while cards >> number:
        if cards >> number & 1:
            first = number
            while cards >> number + 1 & 1:
                number += 1
            parts.append(f"{first}" if first == number else f"{first}-{number}")
        number += 1
    return "{" + ", ".join(parts) + "}"


class Printer:
    """Prints one program; names of its parts stand for their numbers where they have some."""

    def __init__(self, program: Program, *, annotated: bool = False) -> None:
        self.program = program
        self.annotated = annotated

    def lines(self) -> Iterator[str]:
        program = self.program
        layout = program.layout
        yield f"program {program.game} for {program.players} players"
        for option in program.options:
            yield f"option {option.name} = {_setting(option)}"
        if program.variants:
            yield f"with {', '.join(program.variants)}"
        yield f"state of {layout.size} words ({layout.full_size} with knowledge)"
        yield ""
        kinds = len(set(program.kinds))
        yield f"cards {program.card_count} of {kinds} kinds"
        for column in program.fields:
            side = "back" if column.on_back else "face"
            yield f"{SPACE}{side} {column.name}: {column.type}"
        yield ""
        yield from self.zone_lines()
        yield ""
        for variable in program.variables:
            if variable.unit < 0:
                start = f" = {list(variable.start)}" if variable.start else ""
                seen = f", seen by {variable.seen_by.value}" if variable.seen else ""
                yield f"v[{variable.offset}] {variable.name}: {variable.type}{start}{seen}"
        if program.face_up >= 0:
            yield f"v[{program.face_up}] the cards that lie face up"
        for table in program.tables:
            yield f"table {table.name} = {list(table.values)}"
        for number, function in enumerate(program.functions):
            yield ""
            yield from self.function_lines(number, function)
        units: dict[int, list[int]] = {}
        for number, block in enumerate(program.blocks):
            units.setdefault(block.unit, []).append(number)
        for unit, numbers in sorted(units.items()):
            yield ""
            yield from self.procedure_lines(unit)
            for number in numbers:
                yield from self.block_lines(number, program.blocks[number])
        yield ""
        yield f"begin at b{program.entry}"
        yield f"score by f{program.score} {program.functions[program.score].name}" if program.functions else "no score"
        for criterion in program.criteria:
            word = "highest" if criterion.highest else "lowest"
            yield f"winner by {word} f{criterion.function} {criterion.name}"
        if program.won >= 0:
            yield f"won if f{program.won} {program.functions[program.won].name}"
        if program.teams:
            yield f"{program.teams} teams"
        then = "a draw" if program.limit_is_draw else "a fault"
        yield f"limit of {program.decision_limit} decisions, then {then}"

    def zone_lines(self) -> Iterator[str]:
        for family in self.program.families:
            keys = f" per {', '.join(str(key) for key in family.keys)}" if family.keys else ""
            shuffled = ", shuffled" if family.shuffled else ""
            refill = ""
            if family.refill is not None:
                source = self.program.families[family.refill.source].name
                how = "shuffled" if family.refill.shuffle else "turned over"
                refill = f", refilled from {source} (keep {family.refill.keep}, {how})"
            offset = self.program.layout.zone(family.first)
            yield (
                f"v[{offset}] zone {family.name}: {family.kind.value}{keys}, seen by {family.seen_by.value}"
                f"{shuffled}{refill}"
            )

    def function_lines(self, number: int, function: Function) -> Iterator[str]:
        params = ", ".join(f"l{i}: {type_}" for i, type_ in enumerate(function.params))
        yield f"function f{number} {function.name}({params}): {function.result}"
        for at, block in enumerate(function.blocks):
            yield from self.block_lines(at, block)

    def procedure_lines(self, unit: int) -> Iterator[str]:
        if not 0 <= unit < len(self.program.procedures):
            yield "no procedure"
            return
        procedure = self.program.procedures[unit]
        result = f", result v[{procedure.result_place}]" if procedure.result_place >= 0 else ""
        params = ", ".join(f"v[{offset}]" for offset in procedure.params)
        nested = f", nested {procedure.nested}, kept at v[{procedure.kept}]" if procedure.nested > 1 else ""
        yield (
            f"{procedure.kind} p{unit} {procedure.name}({params}): enters b{procedure.entry}, "
            f"returns by v[{procedure.return_place}]{result}{nested}"
        )
        for variable in self.program.variables:
            if variable.unit == unit:
                yield f"{SPACE}v[{variable.offset}] {variable.name}: {variable.type}"

    def block_lines(self, number: int, block: ir.Block) -> Iterator[str]:
        last = -1
        head = f"b{number}: " + (f"burn {block.fuel}; " if self.annotated and block.fuel else "")
        for op in block.ops:
            at = getattr(op, "at", -1)
            yield self.with_place(head + self.op(op), at if at != last else -1)
            head = " " * len(head)
            last = at if at >= 0 else last
        at = getattr(block.end, "at", block.at)
        first, *rest = self.end(block.end)
        yield self.with_place(head + first, at if at != last else -1)
        for text in rest:
            yield " " * len(head) + text

    def with_place(self, text: str, at: int) -> str:
        if not 0 <= at < len(self.program.origins):
            return text
        origin = self.program.origins[at]
        return f"{text.ljust(COMMENT_COLUMN)}  # {origin.file}:{origin.line}"

    def burned(self, fuel: int) -> str:
        return f" burning {fuel} each" if self.annotated and fuel else ""

    def again(self, sets: ir.Expr | None) -> str:
        """What is said again by sets of cards."""
        return f" = [{self.expr(sets)}]" if self.annotated and sets is not None else ""

    # -------------------------------------------------------------------- parts

    def axes(self, axes: tuple[ir.Axis, ...]) -> str:
        parts = []
        for axis in axes:
            low = f" - {axis.low}" if axis.low else ""
            check = "!" if axis.checked else ""
            stride = f" * {axis.stride}" if axis.stride != 1 else ""
            parts.append(f"{self.expr(axis.index)}{low}{check}{stride}")
        return "".join(f" + {part}" for part in parts)

    def place(self, place: ir.Place) -> str:
        return f"v[{place.offset}{self.axes(place.axes)}]"

    def zone(self, zone: ir.ZoneRef) -> str:
        family = self.program.families[zone.family]
        if not zone.axes:
            return family.name
        parts = [self.expr(axis.index) + ("!" if axis.checked else "") for axis in zone.axes]
        return f"{family.name}[{', '.join(parts)}]"

    def spot(self, spot: ir.Spot) -> str:
        if isinstance(spot, ir.End):
            return spot.value
        return f"at {self.expr(spot.index)}" + (" in secret" if spot.secret else "")

    def label(self, label: ir.Label) -> str:
        parts = [
            part if isinstance(part, str) else "{" + self.expr(part) + (", hidden" if i in label.hidden else "") + "}"
            for i, part in enumerate(label.parts)
        ]
        return '"' + "".join(parts) + '"'

    def domain(self, domain: ir.Domain) -> str:
        match domain:
            case ir.NumberDomain(low, high):
                return f"{self.expr(low)}..{self.expr(high)}"
            case ir.SetDomain(of):
                return self.expr(of)
            case ir.SeatDomain(of, start, inclusive, backwards):
                word = "starting with" if inclusive else "after"
                way = " backwards" if backwards else ""
                return f"{self.expr(of)} {word} {self.expr(start)}{way}"
            case ir.ZoneDomain(zone):
                return self.zone(zone)
            case ir.BoardDomain(zone, places):
                return f"board({self.zone(zone)}, {places})"
            case ir.FilteredDomain(local, inner, where):
                return f"(l{local} in {self.domain(inner)} where {self.expr(where)})" + self.again(domain.sets)
            case ir.SteppedDomain(low, high, step):
                return f"{self.expr(low)}..{self.expr(high)} by {step}"
            case ir.SubsetDomain(of, least, most):
                return f"subsets({self.expr(of)}, {self.sizes(least, most)})"
            case ir.GroupDomain(of, field):
                return f"groups({self.expr(of)} by {self.program.fields[field].name})"
            case ir.RunDomain(of, field):
                return f"runs({self.expr(of)} by {self.program.fields[field].name})"
            case _:
                assert_never(domain)

    def sizes(self, least: ir.Expr, most: ir.Expr | None) -> str:
        return f"{self.expr(least)}..{self.expr(most) if most is not None else 'all'}"

    def expr(self, expr: ir.Expr) -> str:
        match expr:
            case ir.Const(value, type_):
                return card_set(value) if self.annotated and type_ == CARDS else str(value)
            case ir.Local(index):
                return f"l{index}"
            case ir.Load(place):
                return self.place(place)
            case ir.Unary(op, operand):
                return f"({op} {self.expr(operand)})"
            case ir.Binary(op, left, right):
                return f"({self.expr(left)} {op} {self.expr(right)})"
            case ir.And(left, right):
                return f"({self.expr(left)} and {self.expr(right)})"
            case ir.Or(left, right):
                return f"({self.expr(left)} or {self.expr(right)})"
            case ir.Conditional(condition, then, otherwise):
                return f"({self.expr(then)} if {self.expr(condition)} else {self.expr(otherwise)})"
            case ir.Contains(item, of):
                return f"({self.expr(item)} in {self.expr(of)})"
            case ir.Single(item):
                return f"{{{self.expr(item)}}}"
            case ir.CardTable(sets, low, index):
                return f"cards[{self.expr(index)} from {low} of {', '.join(card_set(cards) for cards in sets)}]"
            case ir.SumOf(values, of):
                return f"sum({self.expr(of)} of {list(values)})"
            case ir.HoldersOf(sets, of):
                return f"cards[all of {self.expr(of)} of {', '.join(card_set(cards) for cards in sets)}]"
            case ir.Size(of):
                return f"size({self.expr(of)})"
            case ir.Lookup(table, axes):
                return f"{self.program.tables[table].name}[{self.axes(axes).removeprefix(' + ')}]"
            case ir.CardField(field, card, axes):
                return f"{self.expr(card)}.{self.program.fields[field].name}" + (
                    f"[{self.axes(axes).removeprefix(' + ')}]" if axes else ""
                )
            case ir.ZoneCount(zone):
                return f"count({self.zone(zone)})"
            case ir.UndrawnCount(zone):
                return f"undrawn({self.zone(zone)})"
            case ir.ZoneCards(zone):
                return f"cards({self.zone(zone)})"
            case ir.ZoneEnd(zone, end):
                return f"{end.value}({self.zone(zone)})"
            case ir.ZoneTop(zone, end, count):
                return f"{end.value}({self.zone(zone)}, {self.expr(count)})"
            case ir.InZone(card, zone):
                return f"({self.expr(card)} lies in {self.zone(zone)})"
            case ir.PlayersIn():
                return "players"
            case ir.Neighbour(player, step):
                return f"{'next' if step > 0 else 'previous'}({self.expr(player)})"
            case ir.Sees(player, zone):
                return f"sees({self.expr(player)}, {self.zone(zone)})"
            case ir.Knows(player, card):
                return f"knows({self.expr(player)}, {self.expr(card)})"
            case ir.Alike(player, left, right):
                return f"alike({self.expr(player)}, {self.expr(left)}, {self.expr(right)})"
            case ir.Fold(kind, local, domain, where, value, default):
                body = f"{self.expr(value)} " if value is not None else ""
                test = f" where {self.expr(where)}" if where is not None else ""
                other = f" or else {self.expr(default)}" if default is not None else ""
                said = f"{kind.value}({body}for l{local} in {self.domain(domain)}{test}{other})"
                return said + self.burned(expr.fuel) + self.again(expr.sets)
            case ir.Cover(of, local, least, most, where, value, best):
                test = f" where {self.expr(where)}" if where is not None else ""
                groups = f"l{local} of {self.sizes(least, most)}{test} by {self.expr(value)}"
                return f"{'best cover' if best else 'cover'}({self.expr(of)}: {groups})" + self.burned(expr.fuel)
            case ir.CallFunction(function, arguments):
                name = self.program.functions[function].name
                return f"{name}({', '.join(self.expr(argument) for argument in arguments)})"
            case ir.SnapshotCount(offset):
                return f"count(snapshot v[{offset}])"
            case ir.SnapshotItem(offset, index):
                return f"snapshot v[{offset}][{self.expr(index)}]"
            case _:
                assert_never(expr)

    def op(self, op: ir.Op) -> str:
        match op:
            case ir.Store(place, value):
                return f"{self.place(place)} = {self.expr(value)}" + (", told in any case" if op.told else "")
            case ir.SetLocal(local, value):
                return f"l{local} = {self.expr(value)}"
            case ir.Clear(offset, words):
                return f"clear v[{offset}] for {words}"
            case ir.Snapshot(domain, offset, capacity):
                return f"snapshot v[{offset}] of {self.domain(domain)} (room for {capacity})"
            case ir.MoveCard(card, to, spot):
                return f"move {self.expr(card)} -> {self.zone(to)} {self.spot(spot)}"
            case ir.MoveCards(cards, to, spot):
                return f"move each of {self.expr(cards)} -> {self.zone(to)} {self.spot(spot)}"
            case ir.MoveAll(source, to, spot):
                return f"move all {self.zone(source)} -> {self.zone(to)} {self.spot(spot)}"
            case ir.CollectAll(to):
                return f"collect all -> {self.zone(to)}"
            case ir.Collect(source, to):
                return f"collect {self.zone(source)} -> {self.zone(to)}"
            case ir.Shuffle(zone):
                return f"shuffle {self.zone(zone)}"
            case ir.TurnOver(zone):
                return f"turn over {self.zone(zone)}"
            case ir.Refill(zone, source, keep, shuffle):
                how = "shuffled" if shuffle else "turned over"
                return f"refill {self.zone(zone)} from {self.zone(source)} keeping {keep}, {how}"
            case ir.SwapCards(left, right):
                return f"swap {self.expr(left)} with {self.expr(right)}"
            case ir.SwapZones(left, right):
                return f"swap zones {self.zone(left)} with {self.zone(right)}"
            case ir.Reveal(cards, to):
                return f"reveal {self.expr(cards)} to {'all' if to is None else self.expr(to)}"
            case ir.Flip(cards, up):
                return f"flip {self.expr(cards)} face {'up' if up else 'down'}"
            case ir.Announce(text):
                return f"note {self.label(text)}"
            case ir.Tell(site, chooser, _, line):
                number = f", line {self.place(line)}" if line is not None else ""
                return f"tell choice {site} of {self.expr(chooser)}{number}"
            case ir.Leave(player):
                return f"{self.expr(player)} leaves"
            case ir.Rejoin(seats):
                return f"{self.expr(seats)} rejoin"
            case ir.Reverse():
                return "reverse play"
            case ir.Inform(to_whom, about, local, fact):
                whom = "all" if to_whom is None else self.expr(to_whom)
                over = f" for l{local} in {self.zone(about)}" if about is not None else ""
                return f"tell {whom} whether {self.expr(fact)}{over}"
            case _:
                assert_never(op)

    def end(self, end: ir.Terminator) -> list[str]:
        match end:
            case ir.Jump(to):
                return [f"-> b{to}"]
            case ir.Branch(condition, then, otherwise):
                return [f"if {self.expr(condition)} -> b{then} else b{otherwise}"]
            case ir.Switch(value, targets, default):
                ways = ", ".join(f"b{target}" for target in targets)
                return [f"switch {self.expr(value)} -> {ways} else b{default}"]
            case ir.CallProcedure(procedure, arguments, back):
                name = self.program.procedures[procedure].name
                given = ", ".join(self.expr(argument) for argument in arguments)
                return [f"call p{procedure} {name}({given}) back to b{back}"]
            case ir.Return(_, value):
                return ["return" + (f" {self.expr(value)}" if value is not None else "")]
            case ir.Choose():
                return self.choose(end)
            case ir.Draw(zone, spot, into, to, empty):
                other = f", empty -> b{empty}" if empty is not None else ""
                return [f"draw {self.place(into)} = {self.spot(spot)} of {self.zone(zone)} -> b{to}{other}"]
            case ir.Pick(domain, into, to, empty, told):
                other = f", empty -> b{empty}" if empty is not None else ""
                word = "pick" if told else "pick untold"
                kept = f", told as {self.place(end.kept)}" if told and end.kept is not None else ""
                burned = self.burned(end.fuel)
                return [f"{word} {self.place(into)} = one of {self.domain(domain)}{burned}{kept} -> b{to}{other}"]
            case ir.Finish():
                return ["finish"]
            case ir.Fail(message, _, fault):
                return [f'fail {"" if fault == "no_way_on" else f"{fault} "}"{message}"']
            case _:
                assert_never(end)

    def choose(self, end: ir.Choose) -> list[str]:
        words = [
            word
            for word, holds in (
                ("secretly", end.secret),
                ("sealed", end.sealed),
                ("in a window", end.window),
                ("silently", end.silent),
            )
            if holds
        ]
        passing = ""
        if end.passing is not None:
            passing = f", pass -> b{end.passing}" if end.optional else f", none -> b{end.passing}"
        burned = f", burn {end.fuel}" if self.annotated and end.fuel else ""
        lines = [
            f"choose {end.site} by {self.expr(end.chooser)}{''.join(f' {word}' for word in words)}{passing}{burned}"
        ]
        for line in end.lines:
            guard = f"if {self.expr(line.guard)}: " if line.guard is not None else ""
            binders = ", ".join(self.binder(binder) for binder in line.binders)
            where = f" where {self.expr(line.where)}" if line.where is not None else ""
            label = f" as {self.label(line.label)}" if line.label is not None else ""
            sifted = self.sifted(line.sifted) if self.annotated and line.sifted is not None else ""
            lines.append(f"{SPACE}{guard}{binders}{where}{sifted}{label} -> b{line.target}".replace("   ", "  "))
        return lines

    def sifted(self, sifted: ir.Sifted) -> str:
        rest = f" where {self.expr(sifted.rest)}" if sifted.rest is not None else ""
        return f" = [{self.expr(sifted.cards)}{rest}]"

    def binder(self, binder: ir.Binder) -> str:
        size = ""
        if binder.identity is ir.Identity.MULTISET:
            least = self.expr(binder.least) if binder.least is not None else "0"
            most = self.expr(binder.most) if binder.most is not None else "all"
            size = f" {least}..{most}"
        domain = self.domain(binder.domain)
        burned = self.burned(binder.fuel)
        identity = f"{binder.identity.value}{' by sight' if binder.by_sight else ''}"
        return f"{self.place(binder.place)} = l{binder.local}{size} from {domain} by {identity}{burned}"
