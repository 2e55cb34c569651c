"""How messages about rule text name things: what was written, and what sort of thing a name is."""

from __future__ import annotations

from rulerun.check.declarations.symbols import ProcedureSymbol
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn


def symbol_sort(symbol: object) -> str:
    """What sort of thing a symbol is, for messages: ``a zone``, ``an option``."""
    if isinstance(symbol, ProcedureSymbol):
        return "an event" if symbol.sort == "event" else f"a {symbol.sort}"
    names = {
        "OptionSymbol": "an option",
        "EnumSymbol": "a type",
        "ZoneSymbol": "a zone",
        "VariableSymbol": "a state variable",
        "TableSymbol": "a table",
    }
    return names.get(type(symbol).__name__, "something else")


def source_text(span: Span, most: int = 40) -> str:
    """What was written there, on one line, cut if long."""
    text = " ".join(span.source.text[span.start : span.end].split())
    return text if len(text) <= most else text[: most - 1] + "…"


def reads_as(node: syn.Expr) -> str | None:
    """The text of a plain name, for facts."""
    return node.text if isinstance(node, syn.Name) else None
