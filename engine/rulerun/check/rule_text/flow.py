"""A control-flow graph under construction, and what is left of it when done: reachable blocks, densely numbered.

Knows blocks and their ends, nothing of rule text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import assert_never

from rulerun.check.rule_text.simplify import truth
from rulerun.ir import nodes as ir
from rulerun.ir.traverse import targets_of


@dataclass
class _Open:
    at: int
    ops: list[ir.Op] = field(default_factory=list)
    end: ir.Terminator | None = None


@dataclass(frozen=True, slots=True)
class OpenLoop:
    """Where a loop under construction can be gone on with: ``again``, the next time; ``done``, behind it."""

    again: int
    done: int


class FlowBuilder:
    """Blocks of one procedure or function. Block 0 is where it begins; `at` is the origin of what is lowered now."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.given_up = False
        """Whether a statement was at fault: then blocks may lack their ends, and nobody will run them."""
        self._blocks: list[_Open] = [_Open(at)]
        self._current = 0

    def new(self) -> int:
        """A new empty block; `start` continues there."""
        self._blocks.append(_Open(self.at))
        return len(self._blocks) - 1

    def start(self, block: int) -> None:
        self._current = block
        self._blocks[block].at = self.at

    def op(self, op: ir.Op) -> None:
        self._here().ops.append(op)

    def end(self, terminator: ir.Terminator) -> None:
        """Ends the block at hand. What follows before the next `start` cannot be reached."""
        self._here().end = terminator
        self._current = -1

    def jump(self, to: int) -> None:
        if self._current >= 0:
            self.end(ir.Jump(to))

    def branch(self, condition: ir.Expr, then: int, otherwise: int) -> None:
        known = truth(condition)
        if known is None:
            self.end(ir.Branch(condition, then, otherwise))
        else:
            self.end(ir.Jump(then if known else otherwise))

    def across(self, make: Callable[[int], ir.Terminator]) -> None:
        """Ends the block at hand with what `make` gives for a new one, and goes on in that."""
        after = self.new()
        self.end(make(after))
        self.start(after)

    @contextmanager
    def if_(self, condition: ir.Expr) -> Iterator[None]:
        """What follows inside is done if `condition` holds."""
        then, after = self.new(), self.new()
        self.branch(condition, then, after)
        self.start(then)
        yield
        self.jump(after)
        self.start(after)

    def require(self, condition: ir.Expr, otherwise: ir.Fail) -> None:
        """A fault where `condition` does not hold."""
        sound, wrong = self.new(), self.new()
        self.branch(condition, sound, wrong)
        self._fail(wrong, otherwise, sound)

    def refuse(self, condition: ir.Expr, fault: ir.Fail) -> None:
        """A fault where `condition` holds."""
        sound, wrong = self.new(), self.new()
        self.branch(condition, wrong, sound)
        self._fail(wrong, fault, sound)

    def _fail(self, wrong: int, fault: ir.Fail, sound: int) -> None:
        self.start(wrong)
        self.end(fault)
        self.start(sound)

    @contextmanager
    def while_(self, condition: ir.Expr, step: ir.Op | None = None) -> Iterator[OpenLoop]:
        """What follows inside is done as long as `condition` holds, and after each time `step`."""
        head, inside, done = self.new(), self.new(), self.new()
        again = head if step is None else self.new()
        self.jump(head)
        self.start(head)
        self.branch(condition, inside, done)
        self.start(inside)
        yield OpenLoop(again, done)
        self.jump(again)
        if step is not None:
            self.start(again)
            self.op(step)
            self.jump(head)
        self.start(done)

    def _here(self) -> _Open:
        if self._current < 0:
            self._current = self.new()
        return self._blocks[self._current]

    def finish(self, unit: int, last: Callable[[], ir.Terminator]) -> tuple[list[ir.Block], bool]:
        """The reachable blocks as they run; and whether the text can come to its end, which `last` makes."""
        falling = self.new() if self._current < 0 else self._current
        self._blocks[falling].end = last()
        forward = [self._through(i) for i in range(len(self._blocks))]
        order = self._reachable(forward)
        falls = forward[falling] in order
        merged = self._merged(order, forward)
        numbers = {block: i for i, block in enumerate(b for b in order if b in merged)}
        result = []
        for block in numbers:
            ops, end = merged[block]
            moved = retarget(end, lambda b: numbers[forward[b]])
            result.append(ir.Block(tuple(ops), moved, unit, self._blocks[block].at))
        return result, falls

    def _reachable(self, forward: list[int]) -> list[int]:
        order: dict[int, None] = {}
        waiting = [forward[0]]
        while waiting:
            block = waiting.pop()
            if block not in order:
                order[block] = None
                waiting.extend(forward[target] for target in reversed(targets_of(self._end(block))))
        return list(order)

    def _end(self, block: int) -> ir.Terminator:
        end = self._blocks[block].end
        if end is None:
            if not self.given_up:
                raise AssertionError("a block without an end")
            return ir.Fail("a statement was given up", self.at)
        return end

    def _merged(self, order: list[int], forward: list[int]) -> dict[int, tuple[list[ir.Op], ir.Terminator]]:
        """Operations and end of each block; a block that one jump alone leads to joins the one before."""
        ways: dict[int, int] = dict.fromkeys(order, 0)
        ways[order[0]] += 1
        for block in order:
            for target in targets_of(self._end(block)):
                ways[forward[target]] += 1
        result = {block: (list(self._blocks[block].ops), self._end(block)) for block in order}
        for block in order:
            while block in result:
                ops, end = result[block]
                if not isinstance(end, ir.Jump):
                    break
                target = forward[end.to]
                if ways[target] != 1 or target == block:
                    break
                more, then = result.pop(target)
                result[block] = ([*ops, *more], then)
        return result

    def _through(self, block: int) -> int:
        """Past blocks that do nothing but jump on."""
        seen = {block}
        while True:
            item = self._blocks[block]
            if item.ops or not isinstance(item.end, ir.Jump) or item.end.to in seen:
                return block
            block = item.end.to
            seen.add(block)


def retarget(end: ir.Terminator, to: Callable[[int], int]) -> ir.Terminator:
    """The same end with every block number mapped."""
    match end:
        case ir.Jump():
            return ir.Jump(to(end.to))
        case ir.Branch():
            return ir.Branch(end.condition, to(end.then), to(end.otherwise))
        case ir.Switch():
            return ir.Switch(end.value, tuple(to(t) for t in end.targets), to(end.default))
        case ir.CallProcedure():
            return replace(end, back=to(end.back))
        case ir.Choose():
            lines = tuple(replace(line, target=to(line.target)) for line in end.lines)
            return replace(end, lines=lines, passing=None if end.passing is None else to(end.passing))
        case ir.Draw() | ir.Pick():
            return replace(end, next=to(end.next), empty=None if end.empty is None else to(end.empty))
        case ir.Return() | ir.Finish() | ir.Fail():
            return end
        case _:
            assert_never(end)
