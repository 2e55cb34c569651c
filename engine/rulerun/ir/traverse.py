"""Going through the IR: every node of an expression or block, and the blocks that an end names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_never

from rulerun.ir import endings, expressions, operations
from rulerun.ir import nodes as ir

_MODULES = frozenset(part.__name__ for part in (endings, expressions, operations))


def is_node(value: Any) -> bool:
    """Whether a value is a node of the IR (no type, number or enum)."""
    return type(value).__module__ in _MODULES and hasattr(type(value), "__dataclass_fields__")


def walk(node: Any) -> Iterator[Any]:
    """Every node of an expression, itself included."""
    if isinstance(node, tuple):
        for part in node:
            yield from walk(part)
    elif is_node(node):
        yield node
        for slot in type(node).__slots__:
            yield from walk(getattr(node, slot))


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
