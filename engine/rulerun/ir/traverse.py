"""Going through the IR: every node of an expression or block, the blocks that an end names, and the loops they make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, assert_never

from rulerun.ir import endings, expressions, operations
from rulerun.ir import nodes as ir

_NODES = frozenset(
    kind
    for module in (endings, expressions, operations)
    for kind in vars(module).values()
    if isinstance(kind, type) and kind.__module__ == module.__name__ and hasattr(kind, "__dataclass_fields__")
)


def is_node(value: Any) -> bool:
    """Whether a value is a node of the IR (no type, number or enum)."""
    return type(value) in _NODES


def walk(node: Any) -> Iterator[Any]:
    """Every node of an expression, itself included."""
    if isinstance(node, tuple):
        for part in node:
            yield from walk(part)
    elif is_node(node):
        yield node
        for slot in type(node).__slots__:
            yield from walk(getattr(node, slot))


def base_of(domain: ir.Domain) -> ir.Domain:
    """A domain without its filters."""
    while isinstance(domain, ir.FilteredDomain):
        domain = domain.domain
    return domain


def targets_of(end: ir.Terminator) -> list[int]:
    """All blocks that an end names."""
    match end:
        case ir.Jump(to):
            return [to]
        case ir.Branch(_, then, otherwise):
            return [then, otherwise]
        case ir.Switch(_, targets, default):
            return [*targets, default]
        case ir.CallProcedure(_, _, back):
            return [back]
        case ir.Choose():
            return [line.target for line in end.lines] + ([] if end.passing is None else [end.passing])
        case ir.Draw() | ir.Pick():
            return [end.next] + ([] if end.empty is None else [end.empty])
        case ir.Return() | ir.Finish() | ir.Fail():
            return []
        case _:
            assert_never(end)


def undecided(end: ir.Terminator) -> list[int]:
    """The blocks of its own procedure that an end may lead to without a decision; a call is taken as a way to where it
    returns."""
    if isinstance(end, ir.Choose):
        return [] if end.passing is None or end.optional else [end.passing]
    return targets_of(end)


class Ways:
    """The blocks that can be reached from ``roots``, where ``ways[block]`` says which blocks follow on which.

    ``heads``: the blocks that a way leads back to; each loop passes at least one. ``onward``: the ways but for those
    that lead back. ``order``: the blocks so that each comes before all that it leads on to."""

    def __init__(self, ways: Sequence[Sequence[int]], roots: Iterable[int]) -> None:
        self.heads: set[int] = set()
        self.onward: dict[int, list[int]] = {}
        left: list[int] = []
        under_way: set[int] = set()
        waiting: list[tuple[int, Iterator[int]]] = []

        def enter(block: int) -> None:
            self.onward[block] = []
            under_way.add(block)
            waiting.append((block, iter(ways[block])))

        for root in roots:
            if root not in self.onward:
                enter(root)
            while waiting:
                block, following = waiting[-1]
                to = next(following, None)
                if to is None:
                    waiting.pop()
                    under_way.discard(block)
                    left.append(block)
                elif to in under_way:
                    self.heads.add(to)
                else:
                    self.onward[block].append(to)
                    if to not in self.onward:
                        enter(to)
        self.order = left[::-1]
