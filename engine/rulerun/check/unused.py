"""Warnings for what is declared and never used: mostly a slip, or what a variant left behind.

Words are looked for in all texts of the ruleset but a thing's own declaration, comments and the plain words of labels
left out. That is coarse in one direction only: a warning is never wrong for lack of analysis, it may just be missing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from rulerun.check.declarations.symbols import (
    EnumSymbol,
    OptionSymbol,
    ProcedureSymbol,
    Symbol,
    Symbols,
    TableSymbol,
    VariableSymbol,
    ZoneSymbol,
)
from rulerun.check.declare import ENTRY
from rulerun.check.rule_text.super_calls import is_usual
from rulerun.document.model import ProcedureDecl, Ruleset, Scalar, TypeDecl, Word
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.text import Piece, Source, Span

_WORD = re.compile(r"[^\W\d]\w*")
_COMMENT = re.compile(r"#[^\n]*")
_LABEL = re.compile(r'"([^"\n]*)"')
_BRACE = re.compile("([{}])")
_NOT_NAMES = frozenset(("kind", "timing", "game", "choices", "ranks"))
"""Words of the language or of people, which name nothing that a ruleset declares."""


def words_in(text: str) -> list[str]:
    """The names in a rule text: comments do not count, and of labels only what stands in braces."""
    bare = _COMMENT.sub("", text)
    labels = _LABEL.findall(bare)
    return _WORD.findall(_LABEL.sub(" ", bare)) + [w for label in labels for w in _WORD.findall(_in_braces(label))]


def _in_braces(label: str) -> str:
    """What stands within braces; time goes with the length, however many are open."""
    depth, inside = 0, []
    for part in _BRACE.split(label):
        if part == "{":
            depth += 1
        elif part == "}":
            depth = max(0, depth - 1)
        if depth:
            inside.append(part)
    return " ".join(inside)


def warn_unused(ruleset: Ruleset, symbols: Symbols, found: Diagnostics) -> None:
    """RR0341 for options, types, zones, variables, tables, functions, rules and events that nothing uses. What a file
    that is extended declares is not looked at: a variant may well take away the one use of a thing."""
    used: Counter[str] = Counter()
    for text in _texts(ruleset):
        used.update(words_in(text))
    for name in symbols.replaced.values():
        below = symbols.names.get(name)
        if isinstance(below, ProcedureSymbol):
            used.update(words_in(below.decl.body.text) + words_in(below.decl.signature.text.partition("(")[2]))
    own: dict[str, Counter[str]] = {}
    for decl in (*ruleset.functions, *ruleset.rules, *ruleset.events):
        own[decl.name.text] = Counter(words_in(decl.body.text))
    values = {
        value for s in symbols.names.values() if isinstance(s, EnumSymbol) for value in s.type.values if used[value]
    }
    criteria = {criterion.name.text for criterion in symbols.criteria}
    for name, symbol in symbols.names.items():
        if symbol.span is None or name == ENTRY or name in criteria or is_usual(name):
            continue
        if ruleset.outermost is not None and symbol.span.source is not ruleset.outermost:
            continue
        if used[name] - own.get(name, Counter())[name] > 0:
            continue
        if isinstance(symbol, EnumSymbol) and any(value in values for value in symbol.type.values):
            continue
        found.warning("RR0341", f"{_what(symbol)} `{name}` is never used", symbol.span, help="take it out, or use it")


def _what(symbol: Symbol) -> str:
    match symbol:
        case OptionSymbol():
            return "the option"
        case EnumSymbol():
            return "the type"
        case ZoneSymbol():
            return "the zone"
        case VariableSymbol():
            return "the variable"
        case TableSymbol():
            return "the table"
        case ProcedureSymbol():
            return "the event" if symbol.sort == "event" else f"the {symbol.sort}"


def _texts(node: object) -> Iterator[str]:
    """Every text of the ruleset in which a name may be used."""
    match node:
        case Piece():
            yield node.text
        case Scalar():
            yield node.piece.text
        case ProcedureDecl():
            yield node.body.text
            # of the signature what follows the name: the types of the parameters
            yield node.signature.text.partition("(")[2]
        case Word():
            yield node.text
        case tuple():
            for item in node:
                yield from _texts(item)
        case Span() | Source() | TypeDecl():
            return
        case _ if is_dataclass(node):
            for f in fields(node):
                if f.name not in _NOT_NAMES and not (f.name == "name" and isinstance(getattr(node, f.name), Word)):
                    yield from _texts(getattr(node, f.name))
