"""Reading rule text in tests: pieces out of plain text, nodes without their places, the text that a span covers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from rulerun import syntax
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.text import Piece, Source, Span

FRAGMENTS = Path(__file__).parent / "fragments"
READERS = {"rule": syntax.parse_body, "function": syntax.parse_function_body, "expression": syntax.parse_expression}


def piece(text: str) -> Piece:
    """The text as a piece that stands alone."""
    return Piece.whole(Source("text", text))


def read(parse: Any, text: str) -> Any:
    """What a text without faults reads as."""
    found = Diagnostics()
    result = parse(piece(text), found)
    assert [f"{d.code} {d.message}" for d in found] == []
    return result


def one(text: str) -> Any:
    """The only statement of a body."""
    (statement,) = read(syntax.parse_body, text)
    return statement


def expression(text: str) -> Any:
    return read(syntax.parse_expression, text)


def faults(parse: Any, text: str) -> list[str]:
    """The findings, each as ``code line:column message``."""
    found = Diagnostics()
    parse(piece(text), found)
    return [f"{d.code} {d.span.line}:{d.span.column} {d.message}" for d in found if d.span is not None]


def bare(node: Any) -> Any:
    """The node with every span at nothing, to compare what was said and not where."""
    if isinstance(node, tuple):
        return tuple(bare(part) for part in node)
    if is_dataclass(node) and not isinstance(node, type):
        changed = {f.name: bare(getattr(node, f.name)) for f in fields(node) if f.name != "span"}
        if hasattr(node, "span"):
            return replace(node, **changed, span=_NOWHERE)
        return replace(node, **changed)
    return node


_NOWHERE = Span(Source("", ""), 0, 0)


def covered(span: Span) -> str:
    """The text under a span."""
    return span.source.text[span.start : span.end]


def walk(node: Any) -> Iterator[Any]:
    """Every node of a tree."""
    if isinstance(node, tuple):
        for part in node:
            yield from walk(part)
    elif is_dataclass(node) and not isinstance(node, (type, Span)):
        yield node
        for f in fields(node):
            yield from walk(getattr(node, f.name))


def fragments() -> list[tuple[str, str, str]]:
    """Bodies of many games: an id, the kind of text, the text."""
    result = []
    for file in sorted(FRAGMENTS.glob("*.rules")):
        for part in file.read_text(encoding="utf-8").split("=== ")[1:]:
            head, text = part.split("\n", 1)
            kind, title = head.split(" ", 1)
            result.append((f"{file.stem}: {title}", kind, text))
    return result
