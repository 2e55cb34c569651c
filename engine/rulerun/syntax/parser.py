"""Reading rule text: bodies, expressions and the small texts beside them. Every function adds to `found`, none raises.

After an error the parser goes on with the next line, so that one reading tells several errors: the line that cannot be
read is replaced by a harmless one of the same build. A text with errors gives a body of one broken statement, or None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rulerun.source.diagnostic import Diagnostics
from rulerun.source.text import Piece
from rulerun.syntax import nodes as n
from rulerun.syntax.build import RefusedError
from rulerun.syntax.depth import too_deep
from rulerun.syntax.errors import explain
from rulerun.syntax.grammar import Reading
from rulerun.syntax.layout import Layout, Row, lay_out
from rulerun.syntax.lexer import Lexeme, Line, read_lines
from rulerun.syntax.tails import give_tail, tell_idle
from rulerun.syntax.templates import IN_NAMES, read_template

MOST_ERRORS = 10
"""After so many errors in one text the rest is not told."""


def parse_body(piece: Piece, found: Diagnostics) -> n.Body:
    """The statements of a rule, an event or a trigger."""
    body: n.Body = _once("body", piece, found, lambda told: _finish(_parse_statements(piece, told), piece, told))
    return body


def parse_function_body(piece: Piece, found: Diagnostics) -> n.Body:
    """The statements of a function; an expression that stands last is what it gives (`Return`)."""
    body: n.Body = _once(
        "function body", piece, found, lambda told: _finish(give_tail(_parse_statements(piece, told)), piece, told)
    )
    return body


def parse_expression(piece: Piece, found: Diagnostics) -> n.Expr:
    """One expression, over as many lines as it takes; `Broken` after an error."""
    result = _parse_text(piece, found, "expr", "an expression")
    return n.Broken(piece.span()) if result is None else result


def parse_type(piece: Piece, found: Diagnostics) -> n.TypeText | None:
    """``int per Player``, ``Card or none``, ``set of Side``."""
    result: n.TypeText | None = _parse_text(piece, found, "kind", "a type", links=False)
    return result


def parse_signature(piece: Piece, found: Diagnostics) -> n.Signature | None:
    """``turn(Player me, Card c)`` or ``play``."""
    result: n.Signature | None = _parse_text(piece, found, "signature", "a signature", links=False)
    return result


def parse_pattern(piece: Piece, found: Diagnostics) -> n.EventPattern | None:
    """``taken(taker, card)``."""
    result: n.EventPattern | None = _parse_text(piece, found, "pattern", "the pattern of an event", links=False)
    return result


def parse_over(piece: Piece, found: Diagnostics) -> tuple[n.Clause, ...]:
    """``card in hand[who] where card.rank == ace``: what a trigger is run for, each in turn. Nothing after an error."""
    result: tuple[n.Clause, ...] | None = _parse_text(piece, found, "over", "the `for` of a trigger")
    return result or ()


def parse_criterion(piece: Piece, found: Diagnostics) -> n.Criterion | None:
    """``highest score``."""
    result: n.Criterion | None = _parse_text(piece, found, "criterion", "a criterion", links=False)
    return result


def parse_range(piece: Piece, found: Diagnostics) -> n.Range | None:
    """``1..44``."""
    result: n.Range | None = _parse_text(piece, found, "reach", "a range")
    return result


def parse_template(piece: Piece, found: Diagnostics) -> n.Template:
    """A text with ``{expression}`` in it, without quotes around it (as in ``cards: name:``)."""
    return read_template(piece, 0, len(piece.text), found, parse_expression, IN_NAMES)


# ----------------------------------------------------------------- one-line texts


def _parse_text(piece: Piece, found: Diagnostics, start: str, what: str, *, links: bool = True) -> Any:
    return _once(start, piece, found, lambda told: _parse_whole(piece, told, start, what, links))


def _once(kind: str, piece: Piece, found: Diagnostics, read: Callable[[Diagnostics], Any]) -> Any:
    """Reads a text, or remembers that it was read. Adds the findings about it: the first ones in its order, since later
    ones are often their consequence."""
    key = (kind, piece.offsets[0], piece.text)
    known: Any = piece.source.readings.get(key)
    if known is None:
        told = Diagnostics()
        result = read(told)
        told.found.sort(key=lambda d: d.span.start if d.span is not None else 0)
        known = piece.source.readings[key] = (result, tuple(told.found[:MOST_ERRORS]))
    found.found.extend(known[1])
    return known[0]


def _finish(body: n.Body, piece: Piece, told: Diagnostics) -> n.Body:
    """The body, or one broken statement where anything was told about it."""
    tell_idle(body, told)
    return (n.Do(n.Broken(piece.span()), piece.span()),) if told.found else body


def _parse_whole(piece: Piece, found: Diagnostics, start: str, what: str, links: bool) -> Any:
    before = len(found.found)
    lines = read_lines(piece, found, lines=False, links=links)
    if len(found.found) > before:
        return None
    lexemes = [lexeme for line in lines for lexeme in line.lexemes]
    if start == "criterion":
        lexemes = _extremes(lexemes)
    if not lexemes:
        found.error("RR0221", f"{what} is missing here", piece.span(0, min(1, len(piece.text))))
        return None
    _fill_templates(lines, piece, found)
    reading = Reading.begin(start)
    row = [*lexemes, _end(lexemes[-1], piece)]
    try:
        result, taken = reading.feed(row)
    except RefusedError as refused:
        found.error(refused.code, refused.message, refused.span, help=refused.advice)
        return None
    if taken < len(row):
        explain(found, row, taken, reading.accepts(), start, what)
        return None
    if len(found.found) > before or _is_too_deep(result, lexemes, found):
        return None
    return result


def _end(last: Lexeme, piece: Piece) -> Lexeme:
    return Lexeme("$END", "", last.end, last.end, piece.span(last.end, last.end))


def _extremes(lexemes: list[Lexeme]) -> list[Lexeme]:
    """In a criterion the first word says which end wins."""
    if lexemes and lexemes[0].text in ("highest", "lowest"):
        first = lexemes[0]
        return [Lexeme("EXTREME", first.text, first.start, first.end, first.span), *lexemes[1:]]
    return lexemes


def _fill_templates(lines: list[Line], piece: Piece, found: Diagnostics) -> None:
    """Read the texts in quotes, so that the builder finds them done."""
    for line in lines:
        for number, lexeme in enumerate(line.lexemes):
            if lexeme.type == "STRING":
                before = len(found.found)
                template = read_template(piece, lexeme.start + 1, lexeme.end - 1, found, parse_expression)
                line.lexemes[number] = Lexeme(
                    "STRING", lexeme.text, lexeme.start, lexeme.end, lexeme.span, template
                )
                if len(found.found) > before + MOST_ERRORS:
                    return
                if any(d.span is not None and d.span.end > lexeme.span.end for d in found.found[before:]):
                    line.damaged = True  # the text went on behind its quote: what stands there has been told
                    break


# -------------------------------------------------------------------- statements


def _parse_statements(piece: Piece, found: Diagnostics) -> n.Body:
    before = len(found.found)
    lines = read_lines(piece, found)
    if not lines:
        if len(found.found) == before:
            found.error(
                "RR0221",
                "this text is empty",
                piece.span(0, min(1, len(piece.text))),
                help="say what happens; a rule that does nothing may be left out",
            )
        return ()
    _fill_templates(lines, piece, found)
    layout = lay_out(lines, piece, found)
    if len(found.found) == before:
        body = _straight(layout, piece)
        if body is not None:
            return () if _is_too_deep(body, lines, found) else body
    _with_recovery(layout, piece, found)
    return ()


def _straight(layout: Layout, piece: Piece) -> n.Body | None:
    """Parse a text without faults; None where it has one."""
    lexemes = [lexeme for row in layout.rows for lexeme in (*row.before, *row.lexemes)]
    lexemes += [*layout.closing, _end(lexemes[-1], piece)]
    try:
        body, taken = Reading.begin("body").feed(lexemes)
    except RefusedError:
        return None
    return body if taken == len(lexemes) else None


def _with_recovery(layout: Layout, piece: Piece, found: Diagnostics) -> None:
    """Parse row by row, telling each row that cannot be read and putting a harmless one in its place."""
    reading = Reading.begin("body")
    told = 0
    rows = layout.rows
    for number, row in enumerate(rows):
        following = rows[number + 1] if number + 1 < len(rows) else None
        reading.feed(row.before)
        kept = reading.copy()
        sound = not row.damaged and bool(row.lexemes)
        if sound:
            try:
                _, taken = reading.feed(row.lexemes)
                if taken < len(row.lexemes):
                    above = rows[number - 1].lexemes if number and not row.before else None
                    explain(found, row.lexemes, taken, reading.accepts(), "body", "a statement", kept.accepts(), above)
                    sound = False
                elif row.missing_block:
                    reading.feed(_stand_ins(["INDENT", "STOP", "NL", "DEDENT"], row, piece))
            except RefusedError as refused:
                found.error(refused.code, refused.message, refused.span, help=refused.advice)
                sound = False
            told += not sound
        if not sound:
            reading = kept
            reading.feed(_stand_ins(_like(row, following, kept.accepts()), row, piece))
        if told >= MOST_ERRORS:
            return


def _like(row: Row, following: Row | None, accepts: set[str]) -> list[str]:
    """The token types of a row that means nothing, of the same build as one that cannot be read."""
    first = row.lexemes[0].type if row.lexemes else "NL"
    types = {lexeme.type for lexeme in row.lexemes}
    opens = row.opens and not row.missing_block
    end = ["NL"] if opens else ["STOP", "NL"]
    if "STRING" in accepts:
        return ["STRING", "COLON", *end]
    if first in ("ELIF", "ELSE", "OTHERWISE") and first in accepts:
        return [first, *(["TRUE"] if first == "ELIF" else []), "COLON", *end]
    if first in ("IF", "ELIF", "ELSE", "OTHERWISE"):
        return ["IF", "TRUE", "COLON", *end]
    if opens and types & {"CHOOSES", "MAY"}:
        if following is not None and _is_menu_line(following):
            return ["NAME", "CHOOSES", "COLON", "NL"]
        return ["NAME", "MAY", "STRING", "COLON", "NL"]
    return ["REPEAT", "COLON", "NL"] if opens else ["STOP", "NL"]


def _is_menu_line(row: Row) -> bool:
    types = [lexeme.type for lexeme in row.lexemes]
    return bool(types) and (
        types[0] == "STRING" or ("FROM" in types and row.opens and not {"CHOOSES", "MAY", "DEAL", "FOR"} & set(types))
    )


def _stand_ins(types: list[str], row: Row, piece: Piece) -> Iterator[Lexeme]:
    place = row.lexemes[0].start if row.lexemes else 0
    span = piece.span(place, place)
    for kind in types:
        yield Lexeme(kind, "x", place, place, span, n.Template(("x",), span) if kind == "STRING" else None)


def _is_too_deep(tree: Any, read: list[Line] | list[Lexeme], found: Diagnostics) -> bool:
    """Whether the tree has more storeys than those who walk it can bear; told."""
    longest = max((len(x.lexemes) for x in read if isinstance(x, Line)), default=len(read))
    span = too_deep(tree) if longest > 60 else None
    if span is not None:
        found.error(
            "RR0217",
            "this expression has too many parts",
            span,
            help="give a part a name of its own with 'let', or make it a function",
        )
    return span is not None
