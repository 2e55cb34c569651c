"""YAML read by a loader of our own: values that keep the place of every character, and nothing that can explode.

It stands on PyYAML's stream of events (libyaml's where it is there: fifteen times quicker, with the same marks), and
refuses while the events come in, before anything is built: aliases, anchors, tags, merge keys, further documents,
depth, number of values. Scalars follow the YAML 1.2 core schema, and keys stay text: ``on``, ``no``, ``010``, ``1:30``
and dates are what they look like. Only this file imports yaml. What a document means is not known here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from yaml import MarkedYAMLError, YAMLError, events, parse

try:
    from yaml import CSafeLoader as _Loader
except ImportError:  # a PyYAML without libyaml
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]

from rulerun.document.misread import explain
from rulerun.document.model import Entries, Items, Scalar, Value, Word
from rulerun.document.places import piece_of
from rulerun.source.diagnostic import Diagnostics, Note
from rulerun.source.files import MAX_BYTES
from rulerun.source.text import Source, Span

MAX_DEPTH = 30
MAX_NODES = 30_000
MAX_KEY = 400

_FORBIDDEN = re.compile("[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|[\u2028\u2029]")
_INT = re.compile(r"[-+]?[0-9]{1,18}|0o[0-7]{1,18}|0x[0-9a-fA-F]{1,14}")
_FLOAT = re.compile(r"[-+]?(\.[0-9]{1,30}|[0-9]{1,30}(\.[0-9]{0,30})?)([eE][-+]?[0-9]{1,3})?")
_WORDS: dict[str, bool | None] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}


def core_value(text: str) -> str | int | float | bool | None:
    """What a plain scalar `text` is by the YAML 1.2 core schema. A number too long to be meant stays text."""
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text):
        return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


def read_yaml(source: Source, found: Diagnostics) -> Entries | None:
    """The one document of `source`, a mapping; None where it cannot be read, with the reason added to `found`."""
    if not _readable(source, found):
        return None
    before = len(found.found)
    try:
        root = _Composer(source, found).document()
    except _RefusedError:
        return None
    except YAMLError as error:
        problem, at, begun = str(error), None, None
        if isinstance(error, MarkedYAMLError):
            problem, begun = str(error.problem or error.context), error.context_mark
            at = error.problem_mark or begun
        found.found.append(explain(source, at.index if at else 0, problem, begun.index if begun else None))
        return None
    except ValueError:  # without libyaml: the number of an escape is that of no character
        found.found.append(explain(source, max(source.text.find("\\U"), 0), "escape code"))
        return None
    if root is None or (isinstance(root, Scalar) and root.value is None):
        _say_empty(source, found)
        return None
    if not isinstance(root, Entries):
        what = "list" if isinstance(root, Items) else "text"
        help_ = "a ruleset begins with lines such as `rulerun: 1` and `game: NAME`"
        found.error("RR0114", f"a ruleset is a YAML mapping of sections, but this is a {what}", root.span, help=help_)
        return None
    return root if len(found.found) == before else None


def _say_empty(source: Source, found: Diagnostics) -> None:
    what = "holds nothing but comments" if source.text.strip() else "is empty"
    help_ = "a ruleset begins with lines such as `rulerun: 1` and `game: NAME`; `rulerun list` names some to look at"
    found.error("RR0114", f"the file {what}", Span(source, 0, 0), help=help_)


def _readable(source: Source, found: Diagnostics) -> bool:
    text = source.text
    if len(text) > MAX_BYTES:
        found.error("RR0107", f"the file is longer than {MAX_BYTES:,} characters", Span(source, 0, 0))
        return False
    bad = _FORBIDDEN.search(text)
    if bad:
        c = bad.group()
        name = unicodedata.name(c, "").lower() or "a control character"
        message = f"the file holds a character that may not stand in it: {name} (U+{ord(c):04X})"
        found.error("RR0103", message, Span(source, bad.start(), bad.end()), help="delete it or type the line anew")
        return False
    return True


class _RefusedError(Exception):
    """The document is refused; the diagnostic has been added."""


class _Composer:
    """Values out of events. Recursion is bounded by `MAX_DEPTH`."""

    def __init__(self, source: Source, found: Diagnostics) -> None:
        self.source = source
        self.found = found
        self.nodes = 0
        self.stream: Iterator[Any] = parse(source.text, Loader=_Loader)

    def document(self) -> Value | None:
        root: Value | None = None
        seen = False
        for event in self.stream:
            match event:
                case events.DocumentStartEvent():
                    if event.version or event.tags:
                        self.refuse(
                            "RR0106", "YAML directives (`%…`) are not read here", event, help_="delete the line"
                        )
                    if seen:
                        self.refuse(
                            "RR0106",
                            "a second document begins here, but a ruleset is one",
                            event,
                            help_="delete the line `---`, or put what follows into a file of its own",
                        )
                    seen = True
                    root = self.value(next(self.stream), 1)
                case _:
                    pass
        return root

    def refuse(self, code: str, message: str, event: Any, help_: str | None = None) -> None:
        start = event.start_mark.index
        end = max(event.end_mark.index, start)
        line_end = self.source.text.find("\n", start)
        end = min(end, line_end if line_end >= 0 else len(self.source.text))
        self.found.error(code, message, Span(self.source, start, max(end, start)), help=help_)
        raise _RefusedError

    def value(self, event: Any, depth: int) -> Value:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self.refuse("RR0107", f"the file has more than {MAX_NODES:,} values", event)
        if depth > MAX_DEPTH:
            self.refuse("RR0107", f"values lie more than {MAX_DEPTH} deep in each other here", event)
        if isinstance(event, events.AliasEvent):
            self.refuse_reference(event, f"`*{event.anchor}`", "an alias")
        if event.anchor is not None:
            self.refuse_reference(event, f"`&{event.anchor}`", "an anchor")
        if event.tag is not None:
            help_ = "delete it; put the text in quotes if it shall begin with `!`"
            self.refuse("RR0105", f"YAML reads the word with `!` here as a tag (`{event.tag}`)", event, help_)
        match event:
            case events.ScalarEvent():
                return self.scalar(event)
            case events.SequenceStartEvent():
                items = []
                while not isinstance(inner := next(self.stream), events.SequenceEndEvent):
                    items.append(self.value(inner, depth + 1))
                return Items(tuple(items), self.extent(event, inner))
            case _:
                return self.mapping(event, depth)

    def refuse_reference(self, event: Any, shown: str, what: str) -> None:
        help_ = "write out what is meant; put the text in quotes if it shall begin with this sign"
        self.refuse("RR0105", f"YAML reads {shown} as {what}, a reference to another place", event, help_)

    def mapping(self, start: Any, depth: int) -> Entries:
        entries: list[tuple[Word, Value]] = []
        first: dict[str, Word] = {}
        while not isinstance(event := next(self.stream), events.MappingEndEvent):
            key = self.key(event)
            value = self.value(next(self.stream), depth + 1)
            earlier = first.setdefault(key.text, key)
            if earlier is key:
                entries.append((key, value))
                continue
            self.found.error(
                "RR0104",
                f"`{key.text}` stands here a second time",
                key.span,
                notes=(Note("it stands here first", earlier.span),),
                help="rename one of them or delete it: of two equal keys only one would count",
            )
        return Entries(tuple(entries), self.extent(start, event))

    def key(self, event: Any) -> Word:
        if not isinstance(event, events.ScalarEvent):
            what = "list" if isinstance(event, events.SequenceStartEvent) else "mapping"
            if isinstance(event, events.AliasEvent):
                self.refuse_reference(event, f"`*{event.anchor}`", "an alias")
            message = f"the key of an entry must be a text, but YAML reads a {what} here"
            self.refuse("RR0117", message, event, "put it in quotes if these signs are meant as text")
        scalar = self.value(event, 1)
        assert isinstance(scalar, Scalar)
        if event.value == "<<" and not scalar.quoted:
            self.refuse("RR0105", "merge keys (`<<`) are not read here", event, "write out the entries that are meant")
        if event.value == "":
            before = self.source.text[: int(event.start_mark.index)].rstrip(" ,]")
            if before.endswith("?"):
                span = Span(self.source, len(before) - 1, len(before))
                self.found.error("RR0117", "`?` alone begins a key for YAML", span, help='put it in quotes: "?"')
                raise _RefusedError
            self.refuse("RR0117", "this entry has no key before its `:`", event)
        if "\n" in self.source.text[scalar.span.start : scalar.span.end] or len(event.value) > MAX_KEY:
            self.refuse("RR0117", f"the key of an entry must be short, {MAX_KEY} characters on one line at most", event)
        return Word(event.value, scalar.span, scalar.piece)

    def scalar(self, event: Any) -> Scalar:
        start, end = int(event.start_mark.index), int(event.end_mark.index)
        text: str = event.value
        quoted = event.style in ("'", '"')
        plain = not event.style
        piece, exact = piece_of(self.source, text, event.style, start, end)
        bad = _FORBIDDEN.search(text)
        if bad or not (text.isascii() or unicodedata.is_normalized("NFC", text)):
            what = f"U+{ord(bad.group()):04X}" if bad else "a letter with a separate accent"
            self.refuse("RR0103", f"an escape in this text stands for {what}, which may not stand here", event)
        value = core_value(text) if plain else text
        return Scalar(value, piece, self.trimmed(start, end), quoted, folded=not exact)

    def extent(self, first: Any, last: Any) -> Span:
        return self.trimmed(first.start_mark.index, last.end_mark.index)

    def trimmed(self, start: int, end: int) -> Span:
        text = self.source.text
        while end > start and text[end - 1] in " \t\n":
            end -= 1
        return Span(self.source, start, end)
