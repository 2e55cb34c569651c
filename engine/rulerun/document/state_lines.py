"""Several state variables on one line: ``dealer, leader: Player``.

Such a line is taken apart before anything else looks at the document, so that every variable is a part with a name
and a place of its own, which a variant replaces by that name. What the line says holds for each of them.
"""

from __future__ import annotations

from rulerun.document import take
from rulerun.document.model import Entries, Scalar, Value, Word
from rulerun.source.diagnostic import Diagnostics, Note
from rulerun.source.text import Span

SECTION = "state"


def separated(root: Entries, found: Diagnostics) -> Entries:
    """The document with every state variable by itself, those of its variants too. RR0131 for a name that is missing
    beside a comma, RR0104 for one that stands twice, RR0117 for a key that its comma ends."""
    return Entries(tuple((key, _inside(key, value, found)) for key, value in root.entries), root.span)


def _inside(key: Word, value: Value, found: Diagnostics) -> Value:
    if not isinstance(value, Entries):
        return value
    if key.text == SECTION:
        return _section(value, found)
    if key.text == "variants":
        named = ((k, separated(v, found) if isinstance(v, Entries) else v) for k, v in value.entries)
        return Entries(tuple(named), value.span)
    return value


def _section(section: Entries, found: Diagnostics) -> Entries:
    entries: list[tuple[Word, Value]] = []
    first: dict[str, Word] = {}
    for key, value in section.entries:
        if _ended_by_comma(key, value, found):
            continue
        for name in _names(key, found):
            earlier = first.setdefault(name.text, name)
            if earlier is name:
                entries.append((name, value))
                continue
            found.error(
                "RR0104",
                f"`{name.text}` stands here a second time",
                name.span,
                notes=(Note("it stands here first", earlier.span),),
                help="rename one of them or delete it: of two equal keys only one would count",
            )
    return Entries(tuple(entries), section.span)


def _names(key: Word, found: Diagnostics) -> list[Word]:
    """The names in a key, with their places."""
    if "," not in key.text:
        return [key]
    piece, names, at = take.piece_of_key(key), list[Word](), 0
    for number, part in enumerate(key.text.split(",")):
        name = part.strip()
        if name:
            start = at + part.index(name)
            places = piece.offsets[start : start + len(name) + 1]
            span = piece.span(start, start + len(name))
            names.append(Word(name, span, type(piece)(name, piece.source, places)))
        else:
            comma = at - 1 if number else at + len(part)
            message = f"a name is missing {'behind' if number else 'before'} this comma"
            help_ = "take the comma out, or name one more variable: `dealer, leader: Player`"
            found.error("RR0131", message, piece.span(comma, comma + 1), help=help_)
        at += len(part) + 1
    return names


def _ended_by_comma(key: Word, value: Value, found: Diagnostics) -> bool:
    """``{dealer, leader: Player}``: in braces YAML ends an entry at the comma, so that `dealer` would be nothing, and a
    variant would take it away. Whether that is so, which is told."""
    if not isinstance(value, Scalar) or value.value is not None or value.piece.text:
        return False
    source, end = key.span.source, key.span.end
    if not source.text[end:].lstrip().startswith(","):
        return False
    found.error(
        "RR0117",
        f"`{key.text}` says nothing here: in braces the comma ends its entry",
        Span(source, key.span.start, source.text.index(",", end) + 1),
        help='in braces several names stand in quotes: `{"dealer, leader": Player}`',
    )
    return True
