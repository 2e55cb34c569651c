"""The gate before a terminal: what a command writes there passes it, and what a terminal would obey is made visible.

Only colours pass as they are. A stream that is no terminal has no gate: who reads a file or a pipe gets what was said.
It imports `source` only: every command stands behind it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, TextIO, cast

from rulerun.source.visible import visible


class Gate:
    """A terminal behind a gate; otherwise the stream that it is. It has no ``buffer``: there is no way round it."""

    def __init__(self, terminal: IO[str]) -> None:
        self.terminal = terminal

    def write(self, text: str) -> int:
        self.terminal.write(visible(text, coloured=True))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        if name == "buffer":
            raise AttributeError(name)
        return getattr(self.terminal, name)


@contextmanager
def gated() -> Iterator[None]:
    """Puts a gate before stdout and before stderr while it lasts, where a person looks at them."""
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (_gate(stream) for stream in streams)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = streams


def _gate(stream: TextIO) -> TextIO:
    return cast(TextIO, Gate(stream)) if is_terminal(stream) else stream


def is_terminal(stream: IO[str]) -> bool:
    """Whether a person looks at this stream."""
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def behind(stream: IO[str]) -> IO[str]:
    """The stream behind the gate, for words and controls that are all our own: clearing a screen, a bar that grows."""
    return stream.terminal if isinstance(stream, Gate) else stream
