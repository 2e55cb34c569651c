"""How many cards are at most in a set that a local holds, where the text that made it says so: ``subsets(X, 2..3)``.

Functions that are given such sets only are cheaper than for all cards there are; see `reckon`. Imports the IR only.
"""

from __future__ import annotations

from typing import Any

from rulerun.facts.calls import callees_first
from rulerun.ir import nodes as ir
from rulerun.ir.program import MAX_COVERED, MAX_SUBSETS, Program
from rulerun.ir.traverse import base_of, is_node


def note_size(sizes: dict[int, int], local: int, size: int | None) -> None:
    if size is None:
        sizes.pop(local, None)
    else:
        sizes[local] = size


def least_known(most: ir.Expr | None, otherwise: int) -> int:
    return min(otherwise, max(0, most.value)) if isinstance(most, ir.Const) else otherwise


def size_in(domain: ir.Domain) -> int | None:
    """How many cards a set out of a domain of sets holds at most; None if that is not known."""
    base = base_of(domain)
    return least_known(base.most, MAX_SUBSETS.bit_length()) if isinstance(base, ir.SubsetDomain) else None


def size_of_binder(binder: ir.Binder) -> int | None:
    if binder.identity is ir.Identity.MULTISET and isinstance(binder.most, ir.Const):
        return max(0, binder.most.value)
    return size_in(binder.domain)


class Sizes:
    """Looks, callers first, how many cards are in the sets that functions are given."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.found: dict[int, dict[int, int | None]] = {}
        self.sizes: dict[int, int] = {}

    def of_parameters(self) -> dict[int, dict[int, int]]:
        """Per function and parameter the most cards in the sets that it is given, where that is known."""
        for block in self.program.blocks:
            self.sizes = {}
            self.look(block)
        for number in reversed(callees_first(self.program)):
            self.sizes = {i: size for i, size in self.found.get(number, {}).items() if size is not None}
            self.look(self.program.functions[number].blocks)
        return {
            number: {i: size for i, size in sizes.items() if size is not None} for number, sizes in self.found.items()
        }

    def look(self, node: Any) -> None:
        if isinstance(node, tuple):
            for part in node:
                self.look(part)
            return
        if not is_node(node):
            return
        match node:
            case ir.CallFunction(function, arguments):
                known = self.found.setdefault(function, {})
                for i, argument in enumerate(arguments):
                    size = self.sizes.get(argument.index) if isinstance(argument, ir.Local) else None
                    before = known.get(i, 0)
                    known[i] = None if size is None or before is None else max(size, before)
            case ir.Fold(domain=domain, local=local) | ir.FilteredDomain(domain=domain, local=local):
                self.look(domain)
                note_size(self.sizes, local, size_in(domain))
            case ir.Cover():
                note_size(self.sizes, node.local, least_known(node.most, MAX_COVERED))
            case ir.Line():
                for binder in node.binders:
                    note_size(self.sizes, binder.local, size_of_binder(binder))
            case _:
                pass
        for slot in type(node).__slots__:
            self.look(getattr(node, slot))
