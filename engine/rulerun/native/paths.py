"""Where the reference executor counts steps: at which edges between blocks, and with which rule line it gives up.

The reference compiles trees of blocks to Python functions (`run.blocks`); leaving one counts a step of the run, jumping
back to its root a step of a loop. A loop without end is a fault at the line where the count overflows, so the native
executor must know the same trees. Imports ir and run's shape only.
"""

from __future__ import annotations

from collections import Counter

from rulerun.facts.flow import resumed, successors
from rulerun.ir import nodes as ir
from rulerun.ir.program import Function, Program
from rulerun.run.blocks import DEEPEST_TREE, LONGEST_TREE


class Trees:
    """The trees of a program's procedures: the root of every block, and which blocks lead a tree."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.root: dict[int, int] = {}
        self.leaders: list[int] = []
        self.is_leader: set[int] = set()
        ways: Counter[int] = Counter()
        self._lead(program.entry)
        for block in program.blocks:
            for to in resumed(block.end):
                self._lead(to)
            ways.update(successors(block.end, program))
        for to, count in sorted(ways.items()):
            if count > 1:
                self._lead(to)
        for leader in self.leaders:  # which grows while this runs
            self._size = 0
            self._block(leader, leader, 0)

    def _lead(self, block: int) -> None:
        if block not in self.is_leader:
            self.is_leader.add(block)
            self.leaders.append(block)

    def _go(self, to: int, root: int, depth: int) -> None:
        if to == root:
            return
        if to in self.is_leader or depth > DEEPEST_TREE or self._size > LONGEST_TREE:
            self._lead(to)
        else:
            self._block(to, root, depth)

    def _block(self, number: int, root: int, depth: int) -> None:
        self._size += 1
        self.root[number] = root
        match self.program.blocks[number].end:
            case ir.Jump(to):
                self._go(to, root, depth)
            case ir.Branch(_, then, otherwise):
                self._go(then, root, depth + 1)
                self._go(otherwise, root, depth)
            case ir.Switch(_, targets, default):
                for to in targets:
                    self._go(to, root, depth + 1)
                self._go(default, root, depth)
            case ir.CallProcedure(procedure):
                self._go(self.program.procedures[procedure].entry, root, depth)
            case ir.Draw() | ir.Pick() as end:
                if end.empty is not None:
                    self._go(end.empty, root, depth + 1)
                self._go(end.next, root, depth)
            case _:
                pass


def function_leaders(function: Function, program: Program) -> tuple[int, ...]:
    """The blocks of a function whose entry counts a step; none if the function is a single tree."""
    ways: Counter[int] = Counter()
    for block in function.blocks:
        ways.update(successors(block.end, program))
    leaders = [0] + [to for to, count in sorted(ways.items()) if count > 1 and to != 0]
    waiting = list(leaders)
    done = []

    def go(to: int, depth: int) -> None:
        if to in leaders or depth > DEEPEST_TREE:
            if to not in leaders:
                leaders.append(to)
                waiting.append(to)
        else:
            body(to, depth)

    def body(at: int, depth: int) -> None:
        match function.blocks[at].end:
            case ir.Jump(to):
                go(to, depth)
            case ir.Branch(_, then, otherwise):
                go(then, depth + 1)
                go(otherwise, depth)
            case ir.Switch(_, targets, default):
                for to in targets:
                    go(to, depth + 1)
                go(default, depth)
            case _:
                pass

    while waiting:
        leader = waiting.pop(0)
        done.append(leader)
        body(leader, 0)
    return () if len(done) == 1 and not ways[0] else tuple(done)
