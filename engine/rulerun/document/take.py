"""Taking typed things out of YAML values: the quick walk over the shape of a document.

A value of another shape than is wanted raises `MisshapenError`; then, and only then, the whole file is held against the
JSON schema (`document.shape`), which says what is wrong and where for all of it. The codes for rule text that
is there but cannot be used are given here, since no schema can see how a text is presented.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from rulerun.document.misread import block_help
from rulerun.document.model import Entries, Items, Scalar, Value, Word
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.text import Piece, Source, Span

NAME = re.compile(r"[^\W\d]\w*")
SIGNATURE = re.compile(r"[^\W\d]\w*\s*(\(.*\))?")


class MisshapenError(Exception):
    """A value has another shape than its place wants; the words are a last resort, the schema speaks first."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


def is_null(value: Value) -> bool:
    """Whether the file says nothing here, or ``null``."""
    return isinstance(value, Scalar) and value.value is None


def what_is(value: Value) -> str:
    """The shape of a value in a word or two."""
    match value:
        case Items():
            return "a list"
        case Entries():
            return "a mapping"
        case Scalar():
            match value.value:
                case None:
                    return "nothing"
                case bool():
                    return f"`{value.piece.text}`"
                case int() | float():
                    return "a number"
                case str():
                    return "a text"


def entries(value: Value, allowed: Collection[str] | None = None, required: Collection[str] = ()) -> Entries:
    """The mapping `value`; with `allowed`, of no other keys than these; with all `required` ones."""
    if not isinstance(value, Entries):
        raise MisshapenError(f"a mapping is expected here, not {what_is(value)}", value.span)
    if allowed is not None:
        for key, _ in value.entries:
            if key.text not in allowed:
                raise MisshapenError(f"`{key.text}` is not known here", key.span)
    for name in required:
        if value.get(name) is None:
            raise MisshapenError(f"`{name}` is missing here", value.span)
    return value


def items(value: Value) -> tuple[Value, ...]:
    """The items of a list; a single value is a list of itself."""
    return value.items if isinstance(value, Items) else (value,)


def scalar(value: Value) -> Scalar:
    """A scalar that says something."""
    if not isinstance(value, Scalar) or value.value is None:
        raise MisshapenError(f"a text is expected here, not {what_is(value)}", value.span)
    return value


def text(value: Value) -> str:
    """A text for people."""
    return scalar(value).piece.text.strip()


def word(value: Value) -> Word:
    """A text as a word with its place."""
    taken = scalar(value)
    return Word(taken.piece.text, taken.span, taken.piece)


def one_of(value: Value, allowed: Collection[str]) -> Word:
    """One of a few words."""
    taken = word(value)
    if taken.text not in allowed:
        raise MisshapenError(f"`{taken.text}` is not one of {', '.join(allowed)}", taken.span)
    return taken


def truth(value: Value) -> bool:
    """``true`` or ``false``."""
    if not isinstance(value, Scalar) or not isinstance(value.value, bool):
        raise MisshapenError(f"`true` or `false` is expected here, not {what_is(value)}", value.span)
    return value.value


def number(value: Value, least: int, most: int) -> int:
    """A whole number within bounds."""
    if not isinstance(value, Scalar) or isinstance(value.value, bool) or not isinstance(value.value, int):
        raise MisshapenError(f"a whole number is expected here, not {what_is(value)}", value.span)
    if not least <= value.value <= most:
        raise MisshapenError(f"a number from {least} to {most} is expected here", value.span)
    return value.value


def name(key: Word) -> Word:
    """A key that names something rule text speaks of."""
    if not NAME.fullmatch(key.text):
        raise MisshapenError(f"`{key.text}` is not a name", key.span)
    return key


def piece_of_key(key: Word) -> Piece:
    """The text of a key with its places."""
    if key.piece is not None:
        return key.piece
    return Piece(key.text, key.span.source, tuple(range(key.span.start, key.span.start + len(key.text) + 1)))


def leading_word(key: Word) -> Word:
    """``turn`` of the signature ``turn(Player me)``."""
    if not SIGNATURE.fullmatch(key.text):
        raise MisshapenError(f"`{key.text}` is not a name with its parameters", key.span)
    match = NAME.match(key.text)
    assert match is not None
    return Word(match.group(), piece_of_key(key).span(0, match.end()))


def rule_text(key: str, value: Value, found: Diagnostics) -> Piece:
    """The rule text at `value`, the value of `key`. What cannot be used as such is told; then the piece is empty."""
    if not isinstance(value, Scalar):
        return not_a_text(key, value, found)
    source, span = value.span.source, value.span
    if value.value is None and value.piece.text == "":
        rest = _rest_of_line(source, span.end)
        if rest.startswith("#"):
            at = source.text.index("#", span.end)
            message = "a text cannot begin with `#` in YAML: what follows is a comment, so there is no rule text here"
            found.error("RR0108", message, Span(source, at, at + 1), help=block_help(key, rest))
        else:
            tell_missing_text(key, span, found)
        return value.piece
    if not value.piece.text.strip():
        tell_missing_text(key, span, found)
        return value.piece
    if value.folded:
        folded_block = source.text.startswith(">", span.start)
        what = "stands in a folded block (`>`)" if folded_block else "runs over several lines without a `|`"
        message = f"this rule text {what}: YAML joins its lines, so the lines it was written in are lost"
        written = source.text[span.start : span.end]
        body = re.sub(r"^>.*\n", "", written) if folded_block else written.strip("\"'")
        lines = "\n".join(line.strip() for line in body.split("\n"))
        first = source.text.find("\n", span.start, span.end)
        place = Span(source, span.start, first if first >= 0 else span.end)
        found.error("RR0109", message, place, help=block_help(key, lines))
        return value.piece
    _tell_cut(key, value, found)
    return value.piece


def tell_missing_text(key: str, span: Span, found: Diagnostics) -> None:
    """Rule text is wanted at `span` and there is none."""
    help_ = f"write it below, indented:\n{key}: |\n  …"
    found.error("RR0118", f"`{key}` has no rule text", span, help=help_)


def _rest_of_line(source: Source, at: int) -> str:
    end = source.text.find("\n", at)
    return source.text[at : end if end >= 0 else len(source.text)].strip()


def not_a_text(key: str, value: Value, found: Diagnostics) -> Piece:
    """A list or mapping where rule text is wanted: most often a text whose first sign YAML took for its own."""
    source, span = value.span.source, value.span
    first = source.text[span.start : span.start + 1]
    written = source.text[span.start : span.end]
    line_end = source.text.find("\n", span.start)
    stop = min(span.end, line_end) if line_end >= 0 else span.end
    if first in ("{", "[", "-"):
        kind = "mapping" if first == "{" else "list"
        message = f"a text is expected here, but YAML reads what begins with `{first}` as a {kind}"
    else:
        message = f"a text is expected here, but YAML reads {what_is(value)}: a `|` after the key is missing"
    found.error("RR0108", message, Span(source, span.start, stop), help=block_help(key, written))
    return Piece("", source, (span.start,))


def _tell_cut(key: str, value: Scalar, found: Diagnostics) -> None:
    """A plain text that YAML ended at `` #`` where a quote or bracket was open is not a comment but a cut."""
    source, span = value.span.source, value.span
    rest = _rest_of_line(source, span.end)
    if value.quoted or not rest.startswith("#") or source.text.startswith("|", span.start):
        return
    kept = value.piece.text
    opened = any(kept.count(a) > kept.count(b) for a, b in ("()", "[]", "{}"))
    if kept.count('"') % 2 or opened:
        at = source.text.index("#", span.end)
        message = "YAML ends the text before ` #` and takes the rest for a comment"
        found.error("RR0108", message, Span(source, at, at + 1), help=block_help(key, f"{kept} {rest}"))


def plain(value: Value) -> object:
    """`value` as dicts, lists and scalars, without places: for the schema and for comparison."""
    match value:
        case Scalar():
            return value.value
        case Items():
            return [plain(v) for v in value.items]
        case Entries():
            return {k.text: plain(v) for k, v in value.entries}
