"""Where a run goes on: the blocks that an end of a block leads to."""

from __future__ import annotations

from typing import assert_never

from rulerun.ir import nodes as ir
from rulerun.ir.program import Program


def successors(end: ir.Terminator, program: Program) -> list[int]:
    """The blocks that an end may lead to within one run (not over a question)."""
    match end:
        case ir.Jump(to):
            return [to]
        case ir.Branch(_, then, otherwise):
            return [then, otherwise]
        case ir.Switch(_, targets, default):
            return [*targets, default]
        case ir.CallProcedure(procedure):
            return [program.procedures[procedure].entry]
        case ir.Draw() | ir.Pick():
            return [end.next] if end.empty is None else [end.next, end.empty]
        case ir.Choose() | ir.Return() | ir.Finish() | ir.Fail():
            return []
        case _:
            assert_never(end)


def resumed(end: ir.Terminator) -> list[int]:
    """The blocks that are entered from outside: after a question, or when a procedure returns."""
    match end:
        case ir.Choose():
            return [line.target for line in end.lines] + ([] if end.passing is None else [end.passing])
        case ir.CallProcedure():
            return [end.back]
        case _:
            return []
