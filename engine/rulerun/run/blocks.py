"""Basic blocks as Python functions. A function holds a tree of blocks: all that is reached from its first block before
a block that can be reached in another way. It gives the next block to run, ``~block`` where the game stops to be
asked, or 0 at its end (the driver then does what `Finish` says).

A jump back to the function's own first block becomes a loop inside it, so dealing ten cards does not return to the
driver.
"""

from __future__ import annotations

from collections import Counter
from typing import assert_never

from rulerun.facts.flow import resumed, successors
from rulerun.facts.types import element_type, is_card, is_card_set, type_of
from rulerun.ir import nodes as ir
from rulerun.ir.program import CHOOSER, Function, Program
from rulerun.ir.types import BOOL, Type
from rulerun.run.effects import clear_words, spot_text, write_op
from rulerun.run.expressions import Emitter, Pool
from rulerun.run.loops import Charge, tally, write_loop
from rulerun.run.source import Writer

DEEPEST_TREE = 8
LONGEST_TREE = 80


class Blocks:
    """Writes the functions ``b`` of all procedures."""

    def __init__(
        self, program: Program, pool: Pool, *, telling: bool, explicit: bool, trace: bool, plain: bool
    ) -> None:
        self.program = program
        self.pool = pool
        self.telling = telling
        self.explicit = explicit
        self.trace = trace
        self.plain = plain
        self.leaders: list[int] = []
        self.is_leader: set[int] = set()
        self.find_leaders()

    def lead(self, block: int) -> None:
        if block not in self.is_leader:
            self.is_leader.add(block)
            self.leaders.append(block)

    def find_leaders(self) -> None:
        ways: Counter[int] = Counter()
        self.lead(self.program.entry)
        for block in self.program.blocks:
            for to in resumed(block.end):
                self.lead(to)
            ways.update(successors(block.end, self.program))
            if self.explicit and isinstance(block.end, ir.Draw | ir.Pick):
                for to in successors(block.end, self.program):
                    self.lead(to)
        for to, count in sorted(ways.items()):
            if count > 1:
                self.lead(to)

    def write(self) -> list[str]:
        """All functions; tree cut off for their size become leaders on the way."""
        return [self.function(leader) for leader in self.leaders]  # which grows while this runs

    def function(self, root: int) -> str:
        e = Emitter(self.program, self.pool, Writer(), plain=self.plain)
        e.w.depth = 1
        tree = Tree(self, e, root)
        with e.w.captured() as lines:
            tree.block(root, 0)
        if tree.loops:
            e.w.line("while True:")
            e.w.splice(lines, 1)
        else:
            e.w.splice(lines)
        return f"def b{root}(v):\n{e.w.text()}"

    def chance(self) -> list[str]:
        """For explicit chance: what may come (``d``: zone and spot of a draw, or ``p``: elements of a pick), and
        ``s``, which
        stores an outcome and gives the next block."""
        texts = []
        for number, block in enumerate(self.program.blocks):
            end = block.end
            if not isinstance(end, ir.Draw | ir.Pick):
                continue
            e = Emitter(self.program, self.pool, Writer(), plain=True)
            e.w.depth = 1
            if isinstance(end, ir.Draw):
                zone = e.atom(e.instance(end.zone))
                spot = spot_text(e, end.spot, end.zone, zone, end.at, False)
                e.w.line(f"return {zone}, {spot}")
                texts.append(f"def d{number}(v):\n{e.w.text()}")
            else:
                e.w.line("items = []")
                write_loop(e, end.domain, lambda item, e=e: e.w.line(f"items.append({item})"))  # type: ignore[misc]
                e.w.line("return items")
                texts.append(f"def p{number}(v):\n{e.w.text()}")
            e = Emitter(self.program, self.pool, Writer(), plain=True)
            e.w.depth = 1
            e.store(e.offset(end.into.offset, end.into.axes, end.into.at), end.into.type, "value")
            e.w.line(f"return {end.next}")
            texts.append(f"def s{number}(v, value):\n{e.w.text()}")
        return texts


class Tree:
    """Writes the blocks of one function."""

    def __init__(self, owner: Blocks, e: Emitter, root: int) -> None:
        self.owner = owner
        self.program = owner.program
        self.e = e
        self.root = root
        self.loops = False
        self.size = 0

    def block(self, number: int, depth: int) -> None:
        self.size += 1
        block = self.program.blocks[number]
        last = -1
        if block.fuel:
            tally(self.e, str(block.fuel), block.at)
        for op in block.ops:
            at = getattr(op, "at", -1)
            if self.owner.trace and at >= 0 and at != last:
                self.e.w.line(f"trace({at}, {type(op).__name__!r})")
                last = at
            write_op(self.e, op, self.owner.telling)
        at = getattr(block.end, "at", -1)
        if self.owner.trace and at >= 0 and at != last:
            self.e.w.line(f"trace({at}, {type(block.end).__name__!r})")
        self.end(number, block, depth)

    def go(self, to: int, depth: int, at: int) -> None:  # noqa: ARG002
        """Continues with a block: here, in a loop, or by leaving the function."""
        w = self.e.w
        if to == self.root:
            self.loops = True
            w.line("continue")
        elif to in self.owner.is_leader or depth > DEEPEST_TREE or self.size > LONGEST_TREE:
            self.owner.lead(to)
            w.line(f"return {to}")
        else:
            self.block(to, depth)

    def end(self, number: int, block: ir.Block, depth: int) -> None:
        e, w = self.e, self.e.w
        at = block.at
        match block.end:
            case ir.Jump(to):
                self.go(to, depth, at)
            case ir.Branch(condition, then, otherwise):
                w.line(f"if {e.emit(condition)}:")
                with w.indented():
                    self.go(then, depth + 1, at)
                self.go(otherwise, depth, at)
            case ir.Switch(value, targets, default):
                chosen = e.atom(e.emit(value))
                for i, to in enumerate(targets):
                    w.line(f"if {chosen} == {i}:")
                    with w.indented():
                        self.go(to, depth + 1, at)
                self.go(default, depth, at)
            case ir.CallProcedure(procedure, arguments, back):
                self.call(procedure, arguments, back, depth, at, block.end.at)
            case ir.Return(procedure, value):
                self.leave(procedure, value)
            case ir.Choose(_, chooser, _, _, _, _, _, _, choose_at):
                w.line(f"v[{CHOOSER}] = {e.not_none(chooser, choose_at)}")
                w.line(f"return {~number}")
            case ir.Draw():
                self.draw(number, block.end, depth)
            case ir.Pick():
                self.pick(number, block.end, depth)
            case ir.Finish():
                w.line("return 0")
            case ir.Fail(message, fail_at, fault):
                text = e.pool.name("W", message, message)
                w.line(f"{fault}({fail_at}, {text})")
                w.line("return 0")
            case _:
                assert_never(block.end)

    def call(
        self, procedure: int, arguments: tuple[ir.Expr, ...], back: int, depth: int, at: int, call_at: int
    ) -> None:
        e, w = self.e, self.e.w
        callee = self.program.procedures[procedure]
        texts = [e.number(argument) for argument in arguments]
        if len(texts) > 1 or callee.nested > 1:
            texts = [e.atom(text) for text in texts]
        if callee.nested > 1:
            w.line(f"if v[{callee.return_place}]: keep_frame(v, {procedure}, {call_at})")
        for offset, text, argument in zip(callee.params, texts, arguments, strict=True):
            e.store(str(offset), parameter_type(argument), text)
        w.line(f"v[{callee.return_place}] = {back}")
        self.go(callee.entry, depth, at)

    def leave(self, procedure: int | None, value: ir.Expr | None) -> None:
        e, w = self.e, self.e.w
        assert procedure is not None
        mine = self.program.procedures[procedure]
        back = w.fresh("back")
        if value is not None and mine.result_place >= 0:
            text = e.number(value)
            e.store(str(mine.result_place), parameter_type(value), text)
        w.line(f"{back} = v[{mine.return_place}]")
        first, last = mine.frame, mine.frame + mine.frame_words
        if mine.result_place < 0:
            clear_words(e, first, last - first)
        else:
            clear_words(e, first, mine.result_place - first)
            after = mine.result_place + mine.result_words
            clear_words(e, after, last - after)
        if mine.nested > 1:
            w.line(f"if v[{mine.kept}]: restore_frame(v, {procedure})")
        w.line(f"return {back}")

    def draw(self, number: int, end: ir.Draw, depth: int) -> None:
        e, w = self.e, self.e.w
        zone = e.atom(e.instance(end.zone))
        if isinstance(end.spot, ir.Depth) and end.empty is not None:
            given = e.atom(e.emit(end.spot.index))
            spot = e.atom(f"{given} if {given} >= 0 else {2**30}")
        else:
            spot = spot_text(e, end.spot, end.zone, zone, end.at, False)
        if self.owner.explicit:
            w.line(f"if is_open(v, {zone}, {spot}): return {~number}")
        card = w.fresh("card")
        w.line(f"{card} = draw(v, {zone}, {spot})")
        w.line(f"if {card} < 0:")
        with w.indented():
            if end.empty is None:
                w.line(f"nothing({end.at}, {zone})")
            else:
                self.go(end.empty, depth + 1, end.at)
        e.store(e.offset(end.into.offset, end.into.axes, end.into.at), end.into.type, card)
        self.go(end.next, depth, end.at)

    def pick(self, number: int, end: ir.Pick, depth: int) -> None:
        e, w = self.e, self.e.w
        items = w.fresh("items")
        w.line(f"{items} = []")
        write_loop(e, end.domain, lambda item: w.line(f"{items}.append({item})"), charge=Charge(end.fuel, end.at))
        w.line(f"if not {items}:")
        with w.indented():
            if end.empty is None:
                w.line(f"nothing_to_pick({end.at})")
            else:
                self.go(end.empty, depth + 1, end.at)
        if self.owner.explicit:
            w.line(f"if len({items}) > 1: return {~number}")
        chosen = w.fresh("x")
        w.line(f"{chosen} = {items}[below(v, len({items}))]")
        e.store(e.offset(end.into.offset, end.into.axes, end.into.at), end.into.type, chosen)
        if end.told and self.owner.telling:
            said = f"kind_or_none({chosen})" if is_card(element_type(end.domain)) else chosen
            w.line(f"tell_chance(v, {end.at}, {said})")
        self.go(end.next, depth, end.at)


def parameter_type(given: ir.Expr) -> Type:
    """The type of the value that is stored at a parameter or result place: a set of cards takes several words."""
    type_ = type_of(given)
    return type_ if is_card_set(type_) else BOOL


def write_function(program: Program, pool: Pool, number: int, function: Function, guarded: bool, plain: bool) -> str:
    """A pure function: one expression, or blocks that a small loop goes through."""
    e = Emitter(program, pool, Writer(), guarded, plain)
    w = e.w
    w.depth = 1
    params = []
    for i in range(len(function.params)):
        e.scope.names[i] = f"l{i}"
        params.append(f"l{i}")
    for block in function.blocks:
        for op in block.ops:
            if isinstance(op, ir.SetLocal):
                e.scope.names[op.local] = f"l{op.local}"
    head = f"def {'g' if guarded else 'f'}{number}({', '.join(['v', *params])}):\n"
    ways: Counter[int] = Counter()
    for block in function.blocks:
        ways.update(successors(block.end, program))
    leaders = [0] + [to for to, count in sorted(ways.items()) if count > 1 and to != 0]
    if ways[0]:
        leaders = [0, *(to for to in leaders if to != 0)]
    waiting = list(leaders)
    bodies: dict[int, list[tuple[int, str]]] = {}
    size = 0

    def go(to: int, depth: int) -> None:
        if to in leaders or depth > DEEPEST_TREE or size > LONGEST_TREE:
            if to not in leaders:
                leaders.append(to)
                waiting.append(to)
            w.line(f"at = {to}")
            w.line("continue")
        else:
            body(to, depth)

    def body(at: int, depth: int) -> None:
        nonlocal size
        size += 1
        block = function.blocks[at]
        if block.fuel:
            tally(e, str(block.fuel), block.at)
        for op in block.ops:
            write_op(e, op, False)
        match block.end:
            case ir.Jump(to):
                go(to, depth)
            case ir.Branch(condition, then, otherwise):
                w.line(f"if {e.emit(condition)}:")
                with w.indented():
                    go(then, depth + 1)
                go(otherwise, depth)
            case ir.Switch(value, targets, default):
                chosen = e.atom(e.emit(value))
                for i, to in enumerate(targets):
                    w.line(f"if {chosen} == {i}:")
                    with w.indented():
                        go(to, depth + 1)
                go(default, depth)
            case ir.Return(_, value):
                w.line(f"return {e.emit(value) if value is not None else 0}")
            case ir.Fail(message, at_origin, fault):
                w.line(f"{fault}({at_origin}, {pool.name('W', message, message)})")
                w.line("return 0")
            case _:
                raise ValueError(f"a function cannot hold {type(block.end).__name__}")

    while waiting:
        leader = waiting.pop(0)
        w.depth = 1
        size = 0
        with w.captured() as lines:
            body(leader, 0)
        bodies[leader] = lines
    if len(bodies) == 1 and not ways[0]:
        w.splice(bodies[0])
        return head + w.text()
    w.depth = 1
    w.line("at = 0")
    w.line("while True:")
    w.depth = 2
    for leader in bodies:
        w.line(f"if at == {leader}:")
        w.splice(bodies[leader], 2)
    return head + w.text()

