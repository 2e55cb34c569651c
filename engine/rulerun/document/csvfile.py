"""Decks in CSV files: a header of field names, a row a card. Every cell keeps its place in the CSV file.

Python's own csv module does not tell where a cell stands, so the little that is needed is read here: cells separated
by commas (or semicolons, as some spreadsheets write), quotes doubled inside quotes, no cell over several lines, lines
that begin with ``#`` and blank lines passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulerun.document.cards import Rows
from rulerun.document.model import Entries, Items, Scalar, Value, Word
from rulerun.document.yaml import core_value
from rulerun.source.diagnostic import Diagnostics, Note
from rulerun.source.text import Piece, Source, Span

MAX_ROWS = 2_000
MAX_COLUMNS = 200
MAX_CELLS = 60_000
"""A thousand cards with sixty fields each: more than any game has, and read in half a second."""
_BLANKS = re.compile(r"[ \t]*")


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    offsets: tuple[int, ...]
    span: Span
    quoted: bool


def read_csv(source: Source, sets: frozenset[str], found: Diagnostics) -> Rows:
    """The rows of `source`; cells under a name in `sets` are lists of words. Faults go to `found`."""
    lines = [n for n in range(1, len(source.line_starts) + 1) if _says_something(source.line(n))]
    if not lines:
        found.error("RR0121", "this CSV file is empty", Span(source, 0, 0), help="its first line names the fields")
        return ()
    separator = ";" if ";" in source.line(lines[0]) and "," not in source.line(lines[0]) else ","
    before = len(found.found)
    header = _header(source, lines[0], separator, found)
    if len(found.found) > before:
        return ()
    if len(lines) - 1 > MAX_ROWS:
        place = Span(source, source.line_starts[lines[MAX_ROWS + 1] - 1], source.line_starts[lines[MAX_ROWS + 1] - 1])
        found.error(
            "RR0121", f"this CSV file has more than {MAX_ROWS:,} rows", place, help="use `copies` for equal cards"
        )
        return ()
    if (len(lines) - 1) * len(header) > MAX_CELLS:
        message = f"this CSV file has more than {MAX_CELLS:,} cells"
        found.error("RR0121", message, header[0][0].span, help="leave out the columns that the game has no use for")
        return ()
    rows = []
    for number in lines[1:]:
        cells = _cells(source, number, separator, found, len(header) + 9)
        if cells is None:
            continue
        while len(cells) > len(header) and not cells[-1].text:
            cells.pop()
        if len(cells) != len(header):
            line_start = source.line_starts[number - 1]
            extra = cells[len(header)].span if len(cells) > len(header) else None
            found.error(
                "RR0121",
                f"this row has {_count(len(cells), 'cell')}, but the header names {_count(len(header), 'field')}",
                extra or Span(source, line_start, line_start + len(source.line(number))),
                help="put a cell that holds a separator in double quotes; leave a cell empty for the usual value",
            )
            continue
        rows.append(_row(header, cells, sets))
    return tuple(rows)


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def _says_something(line: str) -> bool:
    stripped = line.strip()
    return bool(stripped) and not stripped.startswith("#")


def _header(source: Source, number: int, separator: str, found: Diagnostics) -> list[tuple[Word, Word | None]]:
    """Names of the columns: a field, and the key after the dot in ``flowers.red``."""
    cells = _cells(source, number, separator, found, MAX_COLUMNS) or []
    while cells and not cells[-1].text:
        cells.pop()
    header: list[tuple[Word, Word | None]] = []
    first: dict[str, Span] = {}
    for cell in cells:
        name, dot, key = cell.text.partition(".")
        if not name or (dot and not key):
            found.error("RR0121", "this column has no name", cell.span, help="the first line names a field a column")
            continue
        if cell.text in first:
            note = Note("it stands here first", first[cell.text])
            found.error(
                "RR0104", f"there are two columns `{cell.text}`", cell.span, notes=(note,), help="rename one of them"
            )
            continue
        first[cell.text] = cell.span
        whole = next((h for h, k in header if h.text == name and (k is None) != (not key)), None)
        if whole is not None:
            note = Note("the other one", whole.span)
            message = f"`{name}` has a column for the whole field and one for a part of it"
            found.error("RR0121", message, cell.span, notes=(note,), help=f"name all of them `{name}.KEY`, or none")
            continue
        piece = Piece(cell.text, source, cell.offsets)
        second = Word(key, piece.span(len(name) + 1)) if key else None
        header.append((Word(name, piece.span(0, len(name))), second))
    return header


def _row(
    header: list[tuple[Word, Word | None]], cells: list[_Cell], sets: frozenset[str]
) -> tuple[tuple[Word, Value], ...]:
    row: dict[str, tuple[Word, Value]] = {}
    for (name, key), cell in zip(header, cells, strict=True):
        if not cell.text:
            continue
        if key is not None:
            inner = (key, _scalar(cell, 0, len(cell.text)))
            earlier = row.get(name.text)
            before = earlier[1].entries if earlier and isinstance(earlier[1], Entries) else ()
            row[name.text] = (name, Entries((*before, inner), cell.span))
        elif name.text in sets:
            row[name.text] = (name, Items(tuple(_words(cell)), cell.span))
        else:
            row[name.text] = (name, _scalar(cell, 0, len(cell.text)))
    return tuple(row.values())


def _words(cell: _Cell) -> list[Scalar]:
    words, at = [], 0
    for word in cell.text.split():
        at = cell.text.index(word, at)
        words.append(_scalar(cell, at, at + len(word)))
        at += len(word)
    return words


def _scalar(cell: _Cell, start: int, end: int) -> Scalar:
    piece = Piece(cell.text[start:end], cell.span.source, cell.offsets[start : end + 1])
    value = piece.text if cell.quoted else core_value(piece.text)
    return Scalar(value if value is not None else piece.text, piece, piece.span(), cell.quoted)


def _after_blanks(line: str, at: int) -> int:
    blanks = _BLANKS.match(line, at)
    return blanks.end() if blanks else at


def _cells(source: Source, number: int, separator: str, found: Diagnostics, most: int) -> list[_Cell] | None:
    """The cells of a line, at most `most` and empty ones; None after a fault. White space around a cell does not
    count.
    """
    base = source.line_starts[number - 1]
    line = source.line(number)
    cells: list[_Cell] = []
    at = 0
    while True:
        if len(cells) >= most:
            if line[at:].strip(separator + " \t"):
                place = Span(source, base + at, base + at + 1)
                help_ = "leave out the columns that the game has no use for"
                found.error("RR0121", f"more than {most} cells are too many here", place, help=help_)
                return None
            return cells
        start = _after_blanks(line, at)
        if line.startswith('"', start):
            chars: list[str] = []
            offsets: list[int] = []
            i = start + 1
            while i < len(line) and (line[i] != '"' or line.startswith('""', i)):
                chars.append(line[i])
                offsets.append(base + i)
                i += 2 if line[i] == '"' else 1
            if i >= len(line):
                place = Span(source, base + start, base + start + 1)
                found.error(
                    "RR0121",
                    "this cell opens with a quote that the line does not close",
                    place,
                    help='close it with `"`',
                )
                return None
            cells.append(_Cell("".join(chars), (*offsets, base + i), Span(source, base + start, base + i + 1), True))
            at = _after_blanks(line, i + 1)
            if at < len(line) and line[at] != separator:
                place = Span(source, base + at, base + at + 1)
                found.error(
                    "RR0121", "after a closing quote the cell must end", place, help='write `""` for a quote inside'
                )
                return None
        else:
            at = line.find(separator, start)
            at = len(line) if at < 0 else at
            text = line[start:at].rstrip()
            first = base + start
            offsets_ = tuple(range(first, first + len(text) + 1))
            cells.append(_Cell(text, offsets_, Span(source, first, first + len(text)), False))
        if at >= len(line):
            return cells
        at += 1
