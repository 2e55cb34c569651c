"""Indentation: lines become rows, each with the INDENT and DEDENT tokens that go before it.

Faults of indentation are told here and then mended, so that the rest of the text can still be read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from rulerun.source.diagnostic import Diagnostics
from rulerun.source.text import Piece, Span
from rulerun.syntax.lexer import Lexeme, Line

MOST_LEVELS: Final = 24
"""How deep blocks may lie in each other."""

_HEADS = frozenset(("IF", "ELIF", "ELSE", "FOR", "REPEAT", "OTHERWISE", "ANY_PLAYER", "EACH_PLAYER", "STRING"))
_CHOOSERS = frozenset(("CHOOSES", "MAY", "FROM"))


@dataclass(slots=True)
class Row:
    """A line with what stands before it. ``before``: INDENT and DEDENT tokens; ``lexemes`` end in NL."""

    before: list[Lexeme]
    lexemes: list[Lexeme]
    damaged: bool
    opens: bool
    missing_block: bool = False
    """It ends in a colon, but no indented lines follow (told already)."""


@dataclass(slots=True)
class Layout:
    """The rows of a text and the DEDENT tokens at its end."""

    rows: list[Row] = field(default_factory=list)
    closing: list[Lexeme] = field(default_factory=list)


def lay_out(lines: list[Line], piece: Piece, found: Diagnostics) -> Layout:
    """Rows from lines. Every fault is told once and mended as the author most likely meant it."""
    result = Layout()
    if not lines:
        return result
    # (columns, whether an INDENT token belongs to it)
    levels: list[tuple[int, bool]] = [(lines[0].indent, True)]
    before: Line | None = None
    for line in lines:
        marks: list[Lexeme] = []
        row = result.rows[-1] if result.rows else None
        deeper = line.indent > levels[-1][0]
        if before is not None and row is not None:
            if before.opens and not deeper:
                _missing_block(row, before, found)
            elif deeper and not before.opens:
                if _needs_colon(before):
                    _missing_colon(row, before, piece, found)
                else:
                    found.error(
                        "RR0207",
                        "this line is indented more than the one before it, but that one opens no block",
                        _head(line, piece),
                        help="give it the same indentation as the line before",
                    )
                    levels.append((line.indent, False))
                    deeper = False
            if deeper and row.opens and not row.missing_block:
                if len(levels) == MOST_LEVELS:
                    found.error(
                        "RR0217",
                        f"more than {MOST_LEVELS} blocks lie in each other here",
                        _head(line, piece),
                        help="make a part a rule of its own",
                    )
                    row.missing_block = True
                    before = None
                    break
                levels.append((line.indent, True))
                marks.append(_mark("INDENT", line, piece))
        while line.indent < levels[-1][0] and len(levels) > 1:
            if levels.pop()[1]:
                marks.append(_mark("DEDENT", line, piece))
        if line.indent != levels[-1][0]:
            known = " or ".join(str(columns) for columns in sorted({columns - levels[0][0] for columns, _ in levels}))
            found.error(
                "RR0207",
                f"this line is indented by {line.indent - levels[0][0]}, which fits no block before it",
                _head(line, piece),
                help=f"indent it by {known} spaces" if known != "0" else "take its indentation away",
            )
            if line.indent > levels[-1][0]:
                levels.append((line.indent, False))
        lexemes = [*line.lexemes, _end(line, piece)] if line.lexemes else []
        result.rows.append(Row(marks, lexemes, line.damaged, line.opens))
        before = line
    if before is not None and before.opens:
        _missing_block(result.rows[-1], before, found)
    last = lines[-1]
    result.closing = [_mark("DEDENT", last, piece, at_end=True) for _, real in levels[1:] if real]
    return result


def _missing_block(row: Row, line: Line, found: Diagnostics) -> None:
    row.missing_block = True
    if not line.damaged and _needs_colon(line):
        found.error(
            "RR0215",
            "after this colon, indented lines are missing",
            line.lexemes[-1].span,
            help="take the ':' away if nothing happens then; else indent what happens by two more spaces"
            if line.lexemes[0].type == "STRING"
            else "indent what belongs to it by two more spaces",
        )


def _needs_colon(line: Line) -> bool:
    if not line.lexemes or line.damaged:
        return False
    return line.lexemes[0].type in _HEADS or any(lexeme.type in _CHOOSERS for lexeme in line.lexemes[1:])


def _missing_colon(row: Row, line: Line, piece: Piece, found: Diagnostics) -> None:
    last = line.lexemes[-1]
    found.error(
        "RR0203",
        f"a ':' is missing at the end of this line, after '{last.text}'",
        last.span,
        help="lines that belong to the one above follow a colon",
    )
    colon = Lexeme("COLON", ":", last.end, last.end, piece.span(last.end, last.end))
    row.lexemes.insert(len(row.lexemes) - 1, colon)
    row.opens = True


def _head(line: Line, piece: Piece) -> Span:
    return line.lexemes[0].span if line.lexemes else piece.span(0, 0)


def _mark(kind: str, line: Line, piece: Piece, *, at_end: bool = False) -> Lexeme:
    if not line.lexemes:
        return Lexeme(kind, "", 0, 0, piece.span(0, 0))
    place = line.lexemes[-1].end if at_end else line.lexemes[0].start
    return Lexeme(kind, "", place, place, piece.span(place, place))


def _end(line: Line, piece: Piece) -> Lexeme:
    last = line.lexemes[-1]
    return Lexeme("NL", "", last.end, last.end, piece.span(last.end, last.end))
