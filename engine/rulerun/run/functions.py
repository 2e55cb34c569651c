"""What a function means: its blocks, one after the other, over registers of its own.

The registers are the arguments, the other locals, and one more for the result. Imports facts, ir and run only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulerun.ir import nodes as ir
from rulerun.ir.program import Function
from rulerun.run.places import always

if TYPE_CHECKING:
    from rulerun.run.closures import Registers, Value, Vector, Way
    from rulerun.run.planner import Planner

_RESULT = -1
"""The register of the result, and the block that a `Return` goes to."""


def body(plan: Planner, function: Function) -> Value:
    """Plans a function; those that it calls are planned already."""
    first = function.blocks[0]
    alone = len(function.blocks) == 1 and not first.ops and not first.fuel
    if alone and isinstance(first.end, ir.Return) and first.end.value is not None:
        return plan.value(first.end.value)  # most functions are one expression
    blocks = [(plan.steps(block), _way(plan, block.end)) for block in function.blocks]

    def run(v: Vector, r: Registers) -> int:
        at = 0
        while at >= 0:
            steps, way = blocks[at]
            for step in steps:
                step(v, r)
            at = way(v, r)
        return r[_RESULT]

    return run


def _way(plan: Planner, end: ir.Terminator) -> Way:
    """How a block of a function ends: the next block, or `_RESULT`."""
    if not isinstance(end, ir.Return):
        return plan.end(-1, end)
    result = always(0) if end.value is None else plan.value(end.value)

    def leave(v: Vector, r: Registers) -> int:
        r[_RESULT] = result(v, r)
        return _RESULT

    return leave
