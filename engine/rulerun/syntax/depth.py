"""How deep a syntax tree is: those who walk it later do so by recursion, and must not be sent too deep."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any, Final

from rulerun.source.text import Span

MOST_STOREYS: Final = 120
"""How many nodes may lie in each other."""


def too_deep(tree: Any) -> Span | None:
    """The place of the first node that lies too deep, or None. Walks without recursion."""
    waiting: list[tuple[Any, int, Span | None]] = [(tree, 0, None)]
    while waiting:
        node, depth, span = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend((part, depth, span) for part in node)
        elif is_dataclass(node) and not isinstance(node, (Span, type)):
            span = getattr(node, "span", span)
            if depth > MOST_STOREYS:
                return span
            waiting.extend((getattr(node, f.name), depth + 1, span) for f in fields(node))
    return None
