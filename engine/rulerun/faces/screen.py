"""What is written to a terminal or a pipe, by way of rich: width, colour, tables, passages of a story.

Only the commands that play import this: rich takes a while to start. Colour is for terminals, and never against
NO_COLOR (https://no-color.org); a pipe gets plain lines of at most `WIDTH` columns, whatever the surroundings.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import IO, TYPE_CHECKING

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from rulerun.faces.gate import is_terminal

if TYPE_CHECKING:
    from rulerun.view.story import Passage

WIDTH = 100
WIDEST = 120
HANGING = "    "
SEAT = re.compile(r"P[1-9][0-9]*(?:(?:, P[1-9][0-9]*)* and P[1-9][0-9]*)?(?=[ :])")
_NO_BREAK = "\N{NO-BREAK SPACE}"


def no_colour() -> bool:
    """Whether the surroundings ask for text without colour."""
    return bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"


class Screen:
    """A stream for people. Everything goes out as it is: no markup, no highlighting, no spaces at line ends."""

    def __init__(self, stream: IO[str] | None = None) -> None:
        self.stream = sys.stdout if stream is None else stream
        self.on_terminal = is_terminal(self.stream)
        self.width = min(shutil.get_terminal_size((WIDTH, 24)).columns, WIDEST) if self.on_terminal else WIDTH
        self.console = Console(
            file=self.stream,
            width=self.width,
            force_terminal=self.on_terminal,
            color_system="auto" if self.on_terminal and not no_colour() else None,
            markup=False,
            highlight=False,
            emoji=False,
            legacy_windows=False,
        )

    def line(self, text: str = "", style: str = "") -> None:
        """One line, however long."""
        self.console.print(Text(text, style=style), soft_wrap=True)

    def put(self, shown: RenderableType) -> None:
        """A table."""
        for line in self.lines(shown):
            self.stream.write(f"{line}\n")

    def lines(self, shown: RenderableType) -> list[str]:
        """A table as lines, with their colours."""
        with self.console.capture() as capture:
            self.console.print(shown)
        return [line.rstrip() for line in capture.get().splitlines()]

    def story(self, passages: Sequence[Passage], indent: str = "", *, spaced: bool = False) -> None:
        """Passages, each a paragraph with a hanging indent, reactions set in. ``spaced``: with an empty line before
        each turn, unless most turns take one line."""
        told = [self.wrapped(passage, indent) for passage in passages]
        turns: list[int] = []
        for passage, lines in zip(passages, told, strict=True):
            if passage.reaction and turns:
                turns[-1] += len(lines)
            else:
                turns.append(len(lines))
        spaced = spaced and 2 * sum(count > 1 for count in turns) > len(turns)
        for number, (passage, lines) in enumerate(zip(passages, told, strict=True)):
            anew = passage.seat < 0 and number > 0
            if number and ((spaced and not passage.reaction) or anew):
                self.line()
            for line in lines:
                self.console.print(line, soft_wrap=True)

    def wrapped(self, passage: Passage, indent: str = "") -> list[Text]:
        """One passage in lines that fit."""
        first = indent + ("  " if passage.reaction else "")
        lines = [Text(line) for line in filled(" ".join(passage.sentences), self.width, first, first + HANGING)]
        head = SEAT.match(lines[0].plain, len(first)) if lines and passage.seat >= 0 else None
        if head is not None:
            lines[0].stylize("cyan" if passage.reaction else "bold cyan", head.start(), head.end())
        return lines


def filled(text: str, width: int, first: str = "", later: str = "") -> list[str]:
    """Text in lines of at most ``width`` columns; a number stays with what it counts."""
    text = re.sub(r"(?<=\d) x (?=\S)", f"{_NO_BREAK}x{_NO_BREAK}", text)
    lines = textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=later, break_long_words=False, break_on_hyphens=False
    )
    return [line.replace(_NO_BREAK, " ") for line in lines]


def together(items: Iterable[str], gap: str = "  ") -> str:
    """Items in a row that `filled` breaks only between them."""
    return gap.join(item.replace(" ", _NO_BREAK) for item in items)


def grid(*columns: str) -> Table:
    """A table without lines; a column is "left" or "right"."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(justify="right" if column == "right" else "left", no_wrap=True)
    return table
