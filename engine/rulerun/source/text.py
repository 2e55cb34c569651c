"""Where text comes from: a source file, a span in it, and a piece of rule text that lies inside it.

A `Piece` is a scalar of the YAML file whose text the rules language reads. Its characters stand somewhere
in the file, but not one after the other (a block scalar is indented, a quoted one has escapes), so a piece
carries a map from its own offsets to the file's. All faults are told in places of the file.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True, eq=False)
class Source:
    """A file as read: its name for people, its whole text (line ends normalised to ``\\n``, NFC)."""

    name: str
    text: str

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """Offset of the first character of every line."""
        starts = [0]
        starts.extend(i + 1 for i, c in enumerate(self.text) if c == "\n")
        return tuple(starts)

    @cached_property
    def readings(self) -> dict[object, object]:
        """What the floors above have read out of this text already, by what and where: a ruleset that is compiled for
        several numbers of players is read once."""
        return {}

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        line = bisect_right(self.line_starts, offset) - 1
        return line + 1, offset - self.line_starts[line] + 1

    def line(self, number: int) -> str:
        """The text of line `number` (from 1) without its line end; empty past the end."""
        if not 1 <= number <= len(self.line_starts):
            return ""
        start = self.line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]


@dataclass(frozen=True, slots=True)
class Span:
    """Characters ``start`` to ``end`` (exclusive) of a source."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of `other`."""
        return Span(self.source, self.start, max(self.end, other.end))

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"


@dataclass(frozen=True, eq=False)
class Piece:
    """A text inside a source: its characters, and for each of them (and for the end) its offset in the file."""

    text: str
    source: Source
    offsets: tuple[int, ...] = field(repr=False)
    """``len(text) + 1`` file offsets, never falling."""

    def span(self, start: int = 0, end: int | None = None) -> Span:
        """The file span of ``text[start:end]``."""
        last = len(self.text) if end is None else end
        first = self.offsets[start]
        # The last character's own place plus one: what follows it may lie on another line.
        stop = self.offsets[last - 1] + 1 if last > start else first
        return Span(self.source, first, stop)

    @staticmethod
    def whole(source: Source) -> Piece:
        """The whole of a source as one piece, for rule text that stands alone (tests, snippets)."""
        return Piece(source.text, source, tuple(range(len(source.text) + 1)))
