"""Texts with ``{expression}`` in them: labels, notes and the names of cards."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from rulerun.source.diagnostic import Diagnostics
from rulerun.source.text import Piece
from rulerun.syntax import nodes as n

IN_TEXTS: Final = "say each text whole, with an `if` for each, or show a value of a type of your own: {mood}"
IN_NAMES: Final = "give the cards a field of a type of your own that says it, and show that: {mark}"
"""The ways out for a text within the braces of a text: of labels and notes, of the names of cards."""

_QUOTED: Final = re.compile(r"""(?<![\w"'])\\?["'‘“][^"'‘’“”{}]*["'’”]?""")
_PLAIN: Final = re.compile(r"[^{}\\]+")
_BEHIND: Final = re.compile(r"""[^"{}\n]*"[^"{}\n]*\}""")


def read_template(
    piece: Piece,
    start: int,
    end: int,
    found: Diagnostics,
    parse: Callable[[Piece, Diagnostics], n.Expr],
    way: str = IN_TEXTS,
) -> n.Template:
    """The template in ``piece.text[start:end]``; ``{{``, ``}}`` and ``\\"`` stand for the signs themselves.

    ``way``: the way out for a text in quotes within braces."""
    text = piece.text
    parts: list[str | n.Expr] = []
    plain = ""
    at = start
    while at < end:
        char = text[at]
        if char in "{}" and text[at : at + 2] == char * 2 and at + 2 <= end:
            plain += char
            at += 2
        elif char == "\\" and text[at + 1 : at + 2] in ('"', "\\") and at + 2 <= end:
            plain += text[at + 1]
            at += 2
        elif char == "{":
            close = _closing(text, at, end)
            if close < 0 and _BEHIND.match(text, end + 1):
                _refuse_quoted(piece, end, text.index('"', end + 1) + 1, found, way)
                break
            if close < 0:
                found.error(
                    "RR0218",
                    "this '{' is not closed",
                    piece.span(at, at + 1),
                    help="write {name}; for a brace itself write {{",
                )
                break
            if plain:
                parts.append(plain)
                plain = ""
            quoted = _QUOTED.search(text, at + 1, close)
            if quoted is not None:
                _refuse_quoted(piece, quoted.start(), quoted.end(), found, way)
                parts.append(n.Broken(piece.span(at, close + 1)))
            else:
                parts.append(_inner(piece, at, close, found, parse))
            at = close + 1
        elif char == "}":
            found.error(
                "RR0218", "no '{' is open here", piece.span(at, at + 1), help="for a brace itself write }}"
            )
            at += 1
        else:
            run = _PLAIN.match(text, at, end)
            plain += run[0] if run else char
            at += len(run[0]) if run else 1
    if plain:
        parts.append(plain)
    return n.Template(tuple(parts), piece.span(start, end))


def _refuse_quoted(piece: Piece, start: int, end: int, found: Diagnostics, way: str) -> None:
    message = "within the braces of a text stands a value, and no other text in quotes"
    found.error("RR0218", message, piece.span(start, end), help=way)


def _closing(text: str, opening: int, end: int) -> int:
    """The place of the brace that closes the one at ``opening``; -1 if none does."""
    depth = 0
    for at in range(opening, end):
        depth += (text[at] == "{") - (text[at] == "}")
        if not depth:
            return at
    return -1


def _inner(
    piece: Piece, opening: int, close: int, found: Diagnostics, parse: Callable[[Piece, Diagnostics], n.Expr]
) -> n.Expr:
    """The expression between two braces."""
    if not piece.text[opening + 1 : close].strip():
        span = piece.span(opening, close + 1)
        found.error("RR0218", "nothing stands between these braces", span, help="name what is to be shown: {card}")
        return n.Broken(span)
    return parse(
        Piece(piece.text[opening + 1 : close], piece.source, piece.offsets[opening + 1 : close + 1]), found
    )
