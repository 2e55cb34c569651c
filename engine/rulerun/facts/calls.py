"""Which functions a program's functions call, and the costliest way through one.

Imports the IR only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rulerun.ir import nodes as ir
from rulerun.ir.program import Program
from rulerun.ir.traverse import targets_of, walk


def called(node: Any) -> Iterator[int]:
    """The functions that a part of the IR calls."""
    return (part.function for part in walk(node) if isinstance(part, ir.CallFunction))


def callees_first(program: Program) -> list[int]:
    """The functions so that each comes after those it calls."""
    callees = [sorted(set(called(function.blocks))) for function in program.functions]
    return children_first(range(len(callees)), callees)[0]


def children_first(roots: Iterable[int], children: Sequence[Sequence[int]]) -> tuple[list[int], bool]:
    """The nodes of a graph, children before parents; and whether a way leads back to where it came from."""
    order: list[int] = []
    done: set[int] = set()
    under_way: set[int] = set()
    circle = False
    for root in roots:
        waiting = [(root, False)]
        while waiting:
            node, left = waiting.pop()
            if left:
                under_way.discard(node)
                done.add(node)
                order.append(node)
            elif node in under_way:
                circle = True
            elif node not in done:
                under_way.add(node)
                waiting.append((node, True))
                waiting += [(child, False) for child in reversed(children[node])]
    return order, circle


def longest(blocks: Sequence[ir.Block], costs: Sequence[int]) -> int:
    """What the costliest way through a function costs, loops gone through once."""
    ways = [targets_of(block.end) for block in blocks]
    total: dict[int, int] = {}
    for number in children_first([0], ways)[0]:
        total[number] = costs[number] + max((total.get(to, 0) for to in ways[number]), default=0)
    return total[0]
