"""Writing Python source: lines with their depth, fresh names, and buffers that can be captured and put in later.

What is written comes from integers of the IR alone. No name or text of a ruleset ever gets in here, so an untrusted
ruleset cannot inject code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

ATOM = re.compile(r"-?\d+|[A-Za-z_]\w*")

Lines = list[tuple[int, str]]


class Writer:
    """Collects the lines of one Python function (or module)."""

    def __init__(self) -> None:
        self.lines: Lines = []
        self.depth = 0
        self.fresh_names = 0

    def line(self, text: str) -> None:
        self.lines.append((self.depth, text))

    def fresh(self, prefix: str = "t") -> str:
        """A name that this writer has not given before."""
        self.fresh_names += 1
        return f"{prefix}{self.fresh_names}"

    @contextmanager
    def indented(self) -> Iterator[None]:
        """Writes one level deeper."""
        self.depth += 1
        yield
        self.depth -= 1

    @contextmanager
    def captured(self) -> Iterator[Lines]:
        """Keeps what is written apart, to be put in by `splice`."""
        outer, self.lines = self.lines, []
        try:
            yield self.lines
        finally:
            self.lines = outer

    def splice(self, lines: Lines, deeper: int = 0) -> None:
        self.lines.extend((depth + deeper, text) for depth, text in lines)

    def text(self) -> str:
        return "".join(f"{' ' * depth}{text}\n" for depth, text in self.lines)


def is_atom(text: str) -> bool:
    """Whether a text is a name or a number: free to be read twice."""
    return ATOM.fullmatch(text) is not None
