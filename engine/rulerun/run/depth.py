"""How deep closures call each other while a program runs, known when it is planned.

Each node of an expression calls the nodes of its parts, and a call of a function those of its body, so a chain of
functions that call each other is as deep as all of them together. Python stops at a depth of its own (1,000 frames),
which is no limit of the rules. Imports facts and ir only.
"""

from __future__ import annotations

import sys
from typing import Any, Final

from rulerun.facts.calls import callees_first
from rulerun.ir import nodes as ir
from rulerun.ir.program import Program
from rulerun.ir.traverse import is_node

FRAMES: Final = 3
"""Python frames that a node takes at most: a check, a loop, a filter."""
ENOUGH: Final = 100
"""So many nodes in each other need no more than Python gives."""


def make_room(program: Program) -> None:
    """Lets Python call as deep as the rules of a program need. The limit is the whole interpreter's, so it is
    raised for deep programs only, and never lowered."""
    deepest = nodes_deep(program)
    if deepest > ENOUGH:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 1_000 + FRAMES * deepest))


def nodes_deep(program: Program) -> int:
    """How many nodes lie in each other at most, the bodies of functions taken into their calls."""
    bodies: dict[int, int] = {}
    for number in callees_first(program):
        bodies[number] = _depth(program.functions[number].blocks, bodies)
    return max(_depth(program.blocks, bodies), *bodies.values(), 0)


def _depth(part: Any, bodies: dict[int, int]) -> int:
    if isinstance(part, tuple):
        return max((_depth(one, bodies) for one in part), default=0)
    if not is_node(part):
        return 0
    inside = max((_depth(getattr(part, slot), bodies) for slot in type(part).__slots__), default=0)
    return 1 + max(inside, bodies[part.function] if isinstance(part, ir.CallFunction) else 0)
