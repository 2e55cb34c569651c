"""Characters of rule text to words, numbers, texts and signs, line by line. What can be no part of it is told here.

The first half of the lexer; `lexer` settles what each word is. It imports only the source floor.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from rulerun.source.diagnostic import Diagnostics
from rulerun.source.text import Piece
from rulerun.syntax.words import SIGNS

MOST_FINDINGS: Final = 20
"""After so many findings in one piece the rest is not looked at."""
LARGEST_INT: Final = 2**31 - 1

_RAW = re.compile(
    r"(?P<space>[ ]+)|(?P<comment>\#[^\n]*)|(?P<newline>\n)|(?P<word>[^\W\d]\w*)|(?P<int>[0-9]+)"
    r'|(?P<string>"(?:[^"\\\n]|\\[^\n])*")'
    rf"|(?P<sign>{'|'.join(re.escape(sign) for sign in sorted(SIGNS, key=len, reverse=True))})"
)
_TYPOGRAPHIC = {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "−": "-", "–": "-", "×": "*",
                "≤": "<=", "≥": ">=", "≠": "!=", "…": "..", "\u00a0": "a space", "→": "to"}  # fmt: skip
_ADVICE = {
    "&&": "write 'and'",
    "&": "write 'and'",
    "||": "write 'or'",
    "|": "write 'or'",
    "!": "write 'not'",
    "->": "write 'to'",
    "=>": "write '>=' or a colon",
    "===": "write '=='",
    "!==": "write '!='",
    "<>": "write '!='",
    "++": "write 'x += 1'",
    ";": "put each statement on a line of its own",
    "?": "write 'x if condition else y'",
    "/": "whole division is written '//'",
    "\\": "a line goes on by itself inside brackets, or where the next one begins with an operator",
}
_FOREIGN = re.compile(r"&&|\|\||->|=>|===|!==|<>|\+\+|--|[&|!;?'`~^$@\\/]")
_OWNED = re.compile(r"['’]s +([^\W\d]\w*)")
_FOREIGN_PAIR = re.compile(r"->|=>|===|!==|<>|\+\+")


@dataclass(slots=True)
class Raw:
    kind: str
    text: str
    start: int
    end: int


@dataclass(slots=True)
class Written:
    """A line of the file that holds more than a remark."""

    indent: int
    items: list[Raw] = field(default_factory=list)
    damaged: bool = False


def scan(piece: Piece, found: Diagnostics) -> list[Written]:
    """Split into raw items a line; tabs, strange characters and unclosed texts are told here."""
    result: list[Written] = []
    text, place = piece.text, 0
    told_tab = False
    current = Written(0)
    fresh = True
    while place < len(text):
        if fresh:
            stop = place
            while stop < len(text) and text[stop] in " \t":
                stop += 1
            lead = text[place:stop]
            current = Written(len(lead.expandtabs(4)))
            fresh = False
            if "\t" in lead and not told_tab and text[stop : stop + 1] not in ("\n", "#", ""):
                told_tab = True
                at = place + lead.index("\t")
                found.error(
                    "RR0208", "a tab stands in the indentation", piece.span(at, at + 1), help="indent with spaces only"
                )
            place = stop
            continue
        match = _RAW.match(text, place)
        if match is None or (match.lastgroup == "sign" and _FOREIGN_PAIR.match(text, place)):
            place = _strange(piece, found, place, current)
            continue
        place = match.end()
        kind = match.lastgroup
        if kind == "newline":
            if current.items or current.damaged:
                result.append(current)
            fresh = True
        elif kind == "comment" or kind == "space" or kind is None:
            continue
        else:
            if kind == "int" and (len(match.group()) > 10 or int(match.group()) > LARGEST_INT):
                found.error(
                    "RR0219",
                    f"the number is too large; numbers go up to {LARGEST_INT}",
                    piece.span(match.start(), match.end()),
                )
                current.damaged = True
            current.items.append(Raw(kind, match.group(), match.start(), match.end()))
        if len(found.found) > MOST_FINDINGS:
            break
    if not fresh and (current.items or current.damaged):
        result.append(current)
    return result


def _strange(piece: Piece, found: Diagnostics, place: int, line: Written) -> int:
    """Tell what stands at ``place`` and cannot; answer where to go on."""
    text = piece.text
    char = text[place]
    end_of_line = text.find("\n", place)
    end_of_line = len(text) if end_of_line < 0 else end_of_line
    if line.damaged and char == '"':  # looked through to its end already: not again from the next quote on
        return end_of_line
    if line.damaged or char == "\t":
        return place + 1
    line.damaged = True
    if char == '"':
        found.error(
            "RR0209",
            "the text that begins here is not closed on its line",
            piece.span(place, end_of_line),
            help='end it with a double quote: "play {card}"',
        )
        return end_of_line
    owned = _OWNED.match(text, place)
    if owned is not None and line.items and line.items[-1].kind == "word" and line.items[-1].end == place:
        owner = line.items[-1]
        found.error(
            "RR0209",
            "whose is said in square brackets, not with 's",
            piece.span(owner.start, owned.end()),
            help=f"write '{owned[1]}[{owner.text}]'",
        )
        return end_of_line
    if char in "'‘’`" or _TYPOGRAPHIC.get(char) == '"':
        found.error(
            "RR0209",
            f"texts stand in straight double quotes, not in {char}",
            piece.span(place, place + 1),
            help='write "play {card}"',
        )
        return end_of_line
    foreign = _FOREIGN.match(text, place)
    sign = foreign.group() if foreign else char
    span = piece.span(place, place + len(sign))
    advice = _ADVICE.get(sign)
    if advice is not None:
        found.error("RR0205", f"'{sign}' is not a sign of the rules language", span, help=advice)
    elif char in _TYPOGRAPHIC:
        found.error("RR0210", f"the character '{char}' cannot stand here", span, help=f"write {_TYPOGRAPHIC[char]}")
    else:
        shown = f"'{char}'" if char.isprintable() else f"with the number U+{ord(char):04X}"
        found.error("RR0210", f"the character {shown} cannot stand here", span)
    return place + len(sign)
