"""How large the code of a part of a program becomes, before it is written."""

from __future__ import annotations

from typing import Any

from rulerun.ir import nodes as ir
from rulerun.ir.traverse import is_node


def size(tree: Any) -> int:
    """The nodes of a tree that code is written of: what is said by sets of cards counts as it is said there."""
    if isinstance(tree, tuple):
        return sum(map(size, tree))
    if not is_node(tree):
        return 0
    match tree:
        case ir.Fold(sets=sets) | ir.FilteredDomain(sets=sets) if sets is not None:
            return 1 + size(sets)
        case ir.Line(sifted=ir.Sifted(cards, rest)):
            return 1 + sum(map(size, (cards, rest, tree.guard, tree.label)))
        case _:
            return 1 + sum(size(getattr(tree, slot)) for slot in type(tree).__slots__)
