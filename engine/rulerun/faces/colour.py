"""Whether to colour: only on a terminal, and never against NO_COLOR (https://no-color.org)."""

from __future__ import annotations

import os
from typing import IO


def wants_colour(stream: IO[str]) -> bool:
    """Whether escape codes may be written to this stream. NO_COLOR set to anything but nothing says no; so does
    TERM=dumb.
    """
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return is_terminal(stream)


def is_terminal(stream: IO[str]) -> bool:
    """Whether a person looks at this stream."""
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


class Paint:
    """Words in colour, or plain where colour is not wanted. Only a few meanings, so that output stays calm."""

    def __init__(self, on: bool) -> None:
        self.on = on

    def _wrap(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on else text

    def strong(self, text: str) -> str:
        return self._wrap("1", text)

    def faint(self, text: str) -> str:
        return self._wrap("2", text)

    def good(self, text: str) -> str:
        return self._wrap("32", text)

    def bad(self, text: str) -> str:
        return self._wrap("1;31", text)

    def name(self, text: str) -> str:
        return self._wrap("36", text)
