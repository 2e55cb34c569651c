"""What a function means: its blocks, one after the other, over registers of its own.

The registers are the arguments, the other locals, and one more for the result. A function that loops over sets and
looks at nothing but its arguments and what is printed on cards is worked out once for the same arguments. Imports
facts, ir and run only.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rulerun.facts.calls import callees_first
from rulerun.facts.known import as_expression
from rulerun.ir import nodes as ir
from rulerun.ir.program import Function, Program
from rulerun.ir.traverse import walk
from rulerun.run.places import always

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulerun.run.closures import Registers, Value, Vector, Way
    from rulerun.run.planner import Planner

_RESULT = -1
"""The register of the result, and the block that a `Return` goes to."""
KEPT = 16_384
"""So many values of a function are kept."""
_STATELESS = (
    *(ir.Const, ir.Local, ir.Unary, ir.Binary, ir.And, ir.Or, ir.Conditional, ir.Contains, ir.Single, ir.Size),
    *(ir.CardTable, ir.HoldersOf, ir.SumOf, ir.Lookup, ir.CardField, ir.Axis, ir.Fold),
    *(ir.SetDomain, ir.NumberDomain, ir.SteppedDomain, ir.FilteredDomain, ir.GroupDomain, ir.RunDomain),
    *(ir.Block, ir.SetLocal, ir.Jump, ir.Branch, ir.Switch, ir.Return, ir.Fail),
)
"""Nodes that read nothing of the state."""


def body(plan: Planner, function: Function) -> Value:
    """Plans a function; those that it calls are planned already."""
    expression = as_expression(function)
    if expression is not None:
        return plan.value(expression)  # as most functions are
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


def stateless(program: Program) -> set[int]:
    """The functions whose value follows from their arguments alone, and that burn no fuel."""
    found: set[int] = set()
    for number in callees_first(program):
        if all(_is_stateless(node, found) for node in walk(program.functions[number].blocks)):
            found.add(number)
    return found


def _is_stateless(node: Any, known: set[int]) -> bool:
    if isinstance(node, ir.CallFunction):
        return node.function in known
    return isinstance(node, _STATELESS) and not getattr(node, "fuel", 0)


def memoized(function: Function, body: Value) -> Callable[..., int] | None:
    """A stateless function of its arguments that keeps what it has given; None where there is nothing to go through."""
    if not any(isinstance(node, ir.Fold) for node in walk(function.blocks)):
        return None
    others = [0] * (len(function.locals) - len(function.params) + 1)
    return lru_cache(KEPT)(lambda *arguments: body([], [*arguments, *others]))


def _way(plan: Planner, end: ir.Terminator) -> Way:
    """How a block of a function ends: the next block, or `_RESULT`."""
    if not isinstance(end, ir.Return):
        return plan.end(-1, end)
    result = always(0) if end.value is None else plan.value(end.value)

    def leave(v: Vector, r: Registers) -> int:
        r[_RESULT] = result(v, r)
        return _RESULT

    return leave
