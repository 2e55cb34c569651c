"""Telling diagnostics: in full with the line and a caret, on one line each, or as JSON. Text in, text out.

Only this file knows how a diagnostic looks. It writes nothing and asks nothing about the terminal.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from rulerun.source.diagnostic import Diagnostic, Severity
from rulerun.source.text import Span

SCHEMA_VERSION = 1
MOST_SHOWN = 20
TAB = 4
WIDTH = 96
"""Columns of a source line that are shown at most."""

LONGEST = 1000
"""Characters of a message that are shown at most."""

STYLES = ("full", "concise", "json")


def render(diags: Iterable[Diagnostic], style: str = "full", colour: bool = False, *, most: int = MOST_SHOWN) -> str:
    """All of `diags`, sorted by place, each once, as text that ends in a line end (or empty).

    `style` is one of `STYLES`. In ``full`` and ``concise`` at most `most` are shown, and how many more there are.
    ``json`` holds them all: a list of objects with the keys schema_version, code, severity, message, file, line,
    column, end_line, end_column, help, expected, notes; lines and columns count from 1, the end is exclusive.
    """
    told = in_order(diags)
    if style == "json":
        return json.dumps([_object(d) for d in told], ensure_ascii=False, indent=2) + "\n"
    if style not in STYLES:
        raise ValueError(f"there is no style {style!r}: one of {', '.join(STYLES)}")
    paint = _Paint(colour)
    shown = told[:most]
    parts = [_concise(d, paint) if style == "concise" else _full(d, paint) for d in shown]
    if len(told) > len(shown):
        more = len(told) - len(shown)
        parts.append(f"… and {more} more {'finding' if more == 1 else 'findings'}\n")
    return ("\n" if style == "full" else "").join(parts)


def in_order(diags: Iterable[Diagnostic]) -> list[Diagnostic]:
    """By file and place, those without a place first; what is said twice at one place is kept once."""
    kept: dict[tuple[object, ...], Diagnostic] = {}
    for d in diags:
        kept.setdefault((d.code, d.message, _place(d.span)), d)
    return sorted(kept.values(), key=lambda d: (*_place(d.span), d.severity is not Severity.ERROR, d.code, d.message))


def _place(span: Span | None) -> tuple[str, int, int]:
    return (span.source.name, span.start, span.end) if span is not None else ("", 0, 0)


@dataclass(frozen=True, slots=True)
class _Paint:
    """ANSI colours, or none."""

    on: bool

    def __call__(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on and text else text

    def severity(self, text: str, severity: Severity) -> str:
        return self(text, "1;31" if severity is Severity.ERROR else "1;33")

    def bold(self, text: str) -> str:
        return self(text, "1")

    def frame(self, text: str) -> str:
        return self(text, "1;34")


def _object(d: Diagnostic) -> dict[str, object]:
    return {
        "schema_version": SCHEMA_VERSION,
        "code": d.code,
        "severity": d.severity.value,
        "message": d.message,
        **_place_object(d.span),
        "help": d.help,
        "expected": list(d.expected),
        "notes": [{"message": n.message, **_place_object(n.span)} for n in d.notes],
    }


def _place_object(span: Span | None) -> dict[str, object]:
    if span is None:
        return {"file": None, "line": None, "column": None, "end_line": None, "end_column": None}
    end_line, end_column = span.source.position(span.end)
    return {
        "file": span.source.name,
        "line": span.line,
        "column": span.column,
        "end_line": end_line,
        "end_column": end_column,
    }


def _concise(d: Diagnostic, paint: _Paint) -> str:
    place = f"{_clean(str(d.span))}: " if d.span is not None else ""
    head = paint.severity(f"{d.severity.value}[{d.code}]", d.severity)
    message = " ".join(_clean(d.message).split("\n"))
    return f"{place}{head} {message}\n"


def _full(d: Diagnostic, paint: _Paint) -> str:
    spans = [s for s in (d.span, *(n.span for n in d.notes)) if s is not None]
    gutter = max((len(str(s.line)) for s in spans), default=1)
    bar = paint.frame(" " * gutter + " |")
    head = paint.severity(f"{d.severity.value}[{d.code}]", d.severity) + paint.bold(f": {_clean(d.message)}")
    lines = [head]
    if d.span is not None:
        lines += _excerpt(d.span, gutter, "^", d.severity, paint)
    rest: list[str] = []
    if d.expected:
        rest += _remark("expected", _list(d.expected), gutter, paint)
    if d.help:
        rest += _remark("help", d.help, gutter, paint)
    if rest and d.span is not None:
        lines.append(bar)
    lines += rest
    for note in d.notes:
        lines += _remark("note", note.message, gutter, paint)
        if note.span is not None:
            lines += _excerpt(note.span, gutter, "-", None, paint)
    return "\n".join(lines) + "\n"


def _list(words: tuple[str, ...]) -> str:
    shown = [_clean(w) for w in words[:24]]
    more = f", … ({len(words) - 24} more)" if len(words) > 24 else ""
    return ", ".join(shown) + more


def _remark(label: str, text: str, gutter: int, paint: _Paint) -> list[str]:
    """``= help: text``; further lines of the text stand below its first."""
    first, *rest = _clean(text).split("\n")
    lead = " " * gutter + " "
    indent = lead + " " * (len(label) + 4)
    return [lead + paint.frame("=") + " " + paint.bold(label) + f": {first}", *(indent + line for line in rest)]


def _excerpt(span: Span, gutter: int, mark: str, severity: Severity | None, paint: _Paint) -> list[str]:
    """The place, the first line of the span and marks below it."""
    line_number, column = span.source.position(span.start)
    text = span.source.line(line_number)
    first = column - 1
    last = min(max(first + (span.end - span.start), first + 1), max(len(text), first + 1))
    shown, left, width = _window(text, first, last)
    arrow = paint.frame(" " * gutter + "-->")
    marks = " " * left + mark * width
    painted = paint.frame(marks) if severity is None else paint.severity(marks, severity)
    return [
        f"{arrow} {_clean(str(span))}",
        paint.frame(" " * gutter + " |"),
        paint.frame(f"{line_number:>{gutter}} |") + (f" {shown}" if shown else ""),
        paint.frame(" " * gutter + " |") + f" {painted}",
    ]


def _window(text: str, first: int, last: int) -> tuple[str, int, int]:
    """`text` as shown, and the column and width of its characters ``first:last`` in it.

    Tabs become spaces, wide characters count two columns, what would upset a terminal is shown as `�`. Of a long
    line only the surroundings of the characters are shown.
    """
    cells = [_cell(c) for c in text]
    widths = [_width(c) for c in cells]
    begin, end = 0, len(cells)
    if sum(widths) > WIDTH:
        begin, end = _surroundings(widths, first, last)
    head = "…" if begin > 0 else ""
    tail = "…" if end < len(cells) else ""
    left = len(head) + sum(widths[begin:first])
    width = max(1, sum(widths[first : min(last, end)]))
    return head + "".join(cells[begin:end]).rstrip() + tail, left, width


def _surroundings(widths: list[int], first: int, last: int) -> tuple[int, int]:
    """The part of a long line to show: a third of the room before the place, the rest from there on."""
    begin, room = min(first, len(widths)), WIDTH // 3
    while begin > 0 and room >= widths[begin - 1]:
        begin -= 1
        room -= widths[begin]
    end, room = begin, WIDTH - 2
    while end < len(widths) and room >= widths[end]:
        room -= widths[end]
        end += 1
    while begin > 0 and room >= widths[begin - 1]:
        begin -= 1
        room -= widths[begin]
    del last
    return begin, end


def _cell(c: str) -> str:
    if c == "\t":
        return " " * TAB
    return c if c.isprintable() or unicodedata.combining(c) else "�"


def _width(cell: str) -> int:
    if len(cell) != 1:
        return len(cell)
    if unicodedata.combining(cell) or unicodedata.category(cell) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(cell) in ("W", "F") else 1


def _clean(text: str) -> str:
    """Text without what could upset a terminal, and not endless: a ruleset and a file name are strangers' text."""
    if len(text) > LONGEST:
        text = text[: LONGEST - 1] + "…"
    return "".join(c if c.isprintable() or c == "\n" else "�" for c in text)
