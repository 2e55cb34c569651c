"""Scalar promotion: which words of the vector are only ever reached by their number, so that a playout may keep them in
registers.

A word that some place reaches by an index (a variable per player, a long snapshot) must stay in memory. Imports ir
only.
"""

from __future__ import annotations

from typing import Any

from rulerun.ir import nodes as ir
from rulerun.ir.program import CHOOSER, DIRECTION, HEADER_WORDS, PLAYING, RNG, Program
from rulerun.ir.traverse import walk
from rulerun.ir.types import CardType, SetType


def is_fixed(axis: ir.Axis) -> bool:
    """Whether an axis adds a known number."""
    return isinstance(axis.index, ir.Const) and axis.low <= axis.index.value < axis.low + axis.size


class Promotion:
    """What is known of the words below the zones."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.capacity: dict[int, int] = {}
        """Elements that the snapshot at an offset can hold."""
        self.indexed: set[int] = set()
        """Words that are reached by an index."""
        self._read: dict[int, frozenset[int]] = {}
        for node in walk((program.blocks, tuple(function.blocks for function in program.functions))):
            if isinstance(node, ir.Snapshot):
                self.capacity[node.offset] = max(self.capacity.get(node.offset, 0), node.capacity)
            elif isinstance(node, ir.Place):
                first = node.offset
                extent = self.words(node)
                moving = False
                for axis in node.axes:
                    if is_fixed(axis):
                        assert isinstance(axis.index, ir.Const)
                        first += (axis.index.value - axis.low) * axis.stride
                    else:
                        extent += (axis.size - 1) * axis.stride
                        moving = True
                if moving:
                    self.indexed.update(range(first, first + extent))
        for procedure in program.procedures:
            self.indexed.update(range(procedure.kept + 1, procedure.end))
        for offset, capacity in self.capacity.items():
            if capacity > ir.SNAPSHOT_PER_WORD:
                self.indexed.update(range(offset + 1, offset + ir.snapshot_words(capacity)))

    def words(self, place: ir.Place) -> int:
        type_ = place.type
        wide = isinstance(type_, SetType) and isinstance(type_.of, CardType)
        return self.program.layout.words_per_set if wide else 1

    def is_scalar(self, word: int) -> bool:
        """Whether a word is only ever reached by its number (the generator's is a variable of its own)."""
        return word != RNG and word < self.program.layout.zone_base and word not in self.indexed

    def read_by(self, function: int) -> frozenset[int]:
        """The words that a function reads by their numbers, in calls of it too."""
        found = self._read.get(function)
        if found is None:
            self._read[function] = frozenset()
            found = self._read[function] = frozenset(self.read_in(self.program.functions[function].blocks))
        return found

    def read_in(self, tree: Any) -> set[int]:
        """The words that a tree reads by their numbers."""
        found: set[int] = set()
        for node in walk(tree):
            match node:
                case ir.Place():
                    first = node.offset
                    if not node.axes or all(is_fixed(axis) for axis in node.axes):
                        for axis in node.axes:
                            assert isinstance(axis.index, ir.Const)
                            first += (axis.index.value - axis.low) * axis.stride
                        found.update(range(first, first + self.words(node)))
                case ir.PlayersIn():
                    found.add(PLAYING)
                case ir.Neighbour():
                    found |= {PLAYING, DIRECTION}
                case ir.SeatDomain():
                    found.add(DIRECTION)
                case ir.Binder():
                    found.add(CHOOSER)
                    first = self.program.face_up
                    if node.by_sight and first >= 0:
                        found.update(range(first, first + self.program.layout.words_per_set))
                case ir.SnapshotCount(offset):
                    found.add(offset)
                case ir.SnapshotItem(offset):
                    found.update((offset, offset + 1))
                case ir.CallFunction(function):
                    found |= self.read_by(function)
        return {word for word in found if self.is_scalar(word)}


assert HEADER_WORDS == 8
