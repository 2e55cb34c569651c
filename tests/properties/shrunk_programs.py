"""Cuts a ruleset's text down, line by line, as long as something stays true of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

SIMPLER = (
    (re.compile(r"\((?:min|max)\((.*)\) or else \w+\)"), r"\1"),
    (re.compile(r" where (?!true)[^:\"]*(?=\))"), ""),
    (re.compile(r"players: \d"), "players: 2"),
    (re.compile(r"deal 2 from"), "deal 1 from"),
)
"""What may be written shorter."""


def shrunk(text: str, still: Callable[[str], bool]) -> str:
    """The text without the lines (each with those below it), and the words, that ``still`` can do without."""
    lines = text.splitlines()
    done = False
    while not done:
        done = True
        for shorter in _shorter(lines):
            if still("\n".join(shorter) + "\n"):
                lines, done = shorter, False
                break
    return "\n".join(lines) + "\n"


def _shorter(lines: list[str]) -> Iterator[list[str]]:
    for first in range(len(lines) - 1, -1, -1):
        last = first + 1
        while last < len(lines) and _depth(lines[last]) > _depth(lines[first]):
            last += 1
        yield lines[:first] + lines[last:]
        if last > first + 1 and lines[first].lstrip().startswith(("if ", "for ", "repeat")):
            yield lines[:first] + [line[2:] for line in lines[first + 1 : last]] + lines[last:]
    for number, line in enumerate(lines):
        for pattern, instead in SIMPLER:
            simpler = pattern.sub(instead, line)
            if simpler != line:
                yield [*lines[:number], simpler, *lines[number + 1 :]]


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())
