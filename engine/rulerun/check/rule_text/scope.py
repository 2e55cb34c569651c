"""The names that a rule text brings along itself: parameters, `let`, loop names, what a choice binds.

Names of the ruleset (zones, state, functions) are `Symbols`; enum values are found by the type that is wanted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rulerun.check.rule_text.typed import ZoneUse
from rulerun.ir import nodes as ir
from rulerun.ir.types import Type
from rulerun.source.text import Span


@dataclass(frozen=True, slots=True)
class Binding:
    """A name and how it is read. ``type`` None: what it stands for was faulty, and has been told."""

    name: str
    sort: str
    """"parameter", "let", "loop name", "choice" (for messages)."""
    span: Span
    type: Type | None
    read: ir.Expr | None = None
    place: ir.Place | None = None
    """Where it is stored (in a procedure)."""
    local: int | None = None
    """Its register (in a function, or bound by a fold or an option line)."""
    assignable: bool = False
    source: ZoneUse | None = None
    secret: bool = False
    unsettled: bool = False
    """Whether it stands for a place of a shuffled pile: which card lies there is not settled yet."""


@dataclass
class LocalNames:
    """The names of a text in nested blocks, the innermost last."""

    blocks: list[dict[str, Binding]] = field(default_factory=lambda: [{}])

    def find(self, name: str) -> Binding | None:
        for block in reversed(self.blocks):
            if name in block:
                return block[name]
        return None

    def add(self, binding: Binding) -> None:
        self.blocks[-1][binding.name] = binding

    def push(self) -> None:
        self.blocks.append({})

    def pop(self) -> None:
        self.blocks.pop()

    def __iter__(self) -> Iterator[Binding]:
        for block in self.blocks:
            yield from block.values()
