"""Whether a program keeps the promises that its executors rely on. Run over every program
that a test makes; a sound checker makes none that fails.

It imports only the IR. Problems are sentences; an empty list means that the program is well formed.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulerun.ir import nodes as ir
from rulerun.ir.code_verifier import CodeVerifier, Locals
from rulerun.ir.program import HEADER_WORDS, Function, Program, SeenBy, layout_of, words_of
from rulerun.ir.traverse import Ways, targets_of, undecided, walk


def verify(program: Program) -> list[str]:
    """All problems of a program."""
    return Verifier(program).run()


class Verifier(CodeVerifier):
    """Goes through one program."""

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
        if not -1 <= program.won < len(program.functions):
            self.wrong("whether anybody wins is no function")
        elif program.won >= 0 and program.functions[program.won].params:
            self.wrong("whether anybody wins is asked of somebody")
        if program.teams and program.players % program.teams:
            self.wrong(f"{program.players} players in {program.teams} teams")

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
            if variable.seen and len(variable.seen) != words:
                self.wrong(f"variable {variable.name} says of {len(variable.seen)} words of {words} who sees them")
            if any(not 0 <= seats < 1 << program.players for seats in variable.seen):
                self.wrong(f"variable {variable.name} is seen by seats that do not exist")
            if not variable.seen and variable.seen_by is not SeenBy.EVERYONE:
                self.wrong(f"variable {variable.name} is seen by {variable.seen_by.value}, and says not by whom")
            end = variable.offset + variable.words
        if end > layout.frames:
            self.wrong("variables reach into the frames")
        room = 2 * layout.words_per_set
        if program.face_up >= 0 and not layout.variables <= program.face_up <= layout.frames - room:
            self.wrong("which cards lie face up is kept outside the variables")
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
            end = max(end, procedure.end)
            if procedure.nested < 1:
                self.wrong("it can never be in progress")
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
        self.loops(function.blocks)
        self.in_function = False
        calls = {n.function for n in walk(function.blocks) if isinstance(n, ir.CallFunction)}
        if any(callee >= len(self.program.functions) for callee in calls):
            self.wrong("it calls a function that does not exist")
        if number in self.calls_of(calls):
            self.wrong("it calls itself")

    def loops(self, blocks: Sequence[ir.Block]) -> None:
        """Every loop passes a block that burns fuel, so none is without an end."""
        ways = [
            [] if block.fuel else [to for to in undecided(block.end) if 0 <= to < len(blocks)] for block in blocks
        ]
        for head in sorted(Ways(ways, range(len(blocks))).heads):
            self.wrong(f"the loop of b{head} burns no fuel")

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

        self.where = "program"
        self.loops(program.blocks)

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
        """Every procedure that is called can come to an end: it returns, finishes, waits, fails or calls. One that
        leads back to itself keeps frames."""
        self.where = "program"
        calls: dict[int, set[int]] = {}
        for at, procedure in enumerate(self.program.procedures):
            seen: set[int] = set()
            waiting = [procedure.entry]
            ends = False
            while waiting:
                number = waiting.pop()
                if number in seen or not 0 <= number < len(self.program.blocks):
                    continue
                seen.add(number)
                end = self.program.blocks[number].end
                if isinstance(end, ir.CallProcedure):
                    calls.setdefault(at, set()).add(end.procedure)
                ends = ends or isinstance(end, ir.Return | ir.Finish | ir.Fail | ir.Choose | ir.CallProcedure)
                waiting += targets_of(end)
            if not ends:
                self.wrong(f"procedure {procedure.name} never ends")
        for at, procedure in enumerate(self.program.procedures):
            found: set[int] = set()
            waiting = [at]
            while waiting:
                more = calls.get(waiting.pop(), set()) - found
                found |= more
                waiting += more
            if at in found and procedure.nested == 1:
                self.wrong(f"procedure {procedure.name} leads back to itself, and keeps no frames")
