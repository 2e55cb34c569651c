"""Where each character of a YAML scalar stands in the file.

YAML tells the value of a scalar and where the scalar begins and ends, not where its characters are: a block is
indented, a quoted text has escapes, a text over several lines is folded. These functions find out. They know the
presentation of scalars and nothing else of YAML, and import neither yaml nor another part of this package.
"""

from __future__ import annotations

from rulerun.source.text import Piece, Source

_ESCAPE_DIGITS = {"x": 2, "u": 4, "U": 8}


def piece_of(source: Source, value: str, style: str | None, start: int, end: int) -> tuple[Piece, bool]:
    """The scalar `value` of presentation `style` at ``start:end`` of `source` as a piece, and whether it is exact.

    `style` as PyYAML names it: None or "" plain, ``'``, ``"``, ``|``, ``>``. Not exact are folded texts: there a
    line break of the file became a space or nothing, and columns can only be told of what is not white space.
    """
    match style:
        case "|":
            offsets = _literal(source.text, value, start)
        case ">":
            offsets = None
        case "'" | '"':
            offsets = _quoted(source.text, value, start, end, style)
        case _:
            same = end - start == len(value) and source.text.startswith(value, start)
            offsets = tuple(range(start, start + len(value) + 1)) if same else None
    if offsets is None:
        return Piece(value, source, _folded(source.text, value, start, end)), False
    return Piece(value, source, offsets), True


def _literal(text: str, value: str, start: int) -> tuple[int, ...] | None:
    """A ``|`` block: its lines are those after the header, each cut by the indentation."""
    line_start = text.find("\n", start) + 1
    if line_start == 0:
        return (start,) if value == "" else None
    offsets: list[int] = []
    lines = value.split("\n")
    last = len(lines) - 1
    for number, line in enumerate(lines):
        if number == last and line == "":
            break
        line_end = text.find("\n", line_start)
        line_end = len(text) if line_end < 0 else line_end
        first = line_end - len(line)
        if first < line_start or not text.startswith(line, first):
            return None
        offsets.extend(range(first, line_end))
        if number != last:
            offsets.append(line_end)
        line_start = line_end + 1
    offsets.append(min(offsets[-1] + 1, len(text)) if offsets else start)
    return tuple(offsets)


def _quoted(text: str, value: str, start: int, end: int, quote: str) -> tuple[int, ...] | None:
    """A quoted scalar on one line, with ``''`` or with escapes."""
    offsets: list[int] = []
    at, stop = start + 1, end - 1
    if text.find("\n", start, end) >= 0:
        return None
    while at < stop:
        offsets.append(at)
        if quote == "'" and text[at] == "'":
            at += 2
        elif quote == '"' and text[at] == "\\":
            at += 2 + _ESCAPE_DIGITS.get(text[at + 1], 0)
        else:
            at += 1
    offsets.append(stop)
    return tuple(offsets) if len(offsets) == len(value) + 1 else None


def _folded(text: str, value: str, start: int, end: int) -> tuple[int, ...]:
    """A best effort: white space lies where the scan stands, every other character at its next occurrence."""
    offsets: list[int] = []
    at = start
    for c in value:
        found = at if c.isspace() else text.find(c, at, end)
        if found < 0:
            offsets.append(at)
        else:
            offsets.append(found)
            at = min(found + (0 if c.isspace() else 1), max(end - 1, start))
    offsets.append(max(at, offsets[-1] if offsets else start))
    return tuple(offsets)
