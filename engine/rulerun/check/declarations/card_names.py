"""What people call the cards: a name for each kind's face, and one for what shows while the face is hidden.

The two rules that everything here serves: two kinds never share a face name (else a choice between them could not
be read), and what names a face-down card is made of back fields alone (else the name would tell what is hidden).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import assert_never

from rulerun.check.declarations.constant_text import text_of
from rulerun.check.declarations.constants import Constant, ConstantScope, evaluate
from rulerun.check.declarations.decks import StandardCard, standard_name
from rulerun.check.declarations.symbols import FieldSymbol, Symbols
from rulerun.document.model import CardsDecl
from rulerun.ir.types import ArrayType, BoolType, CardType, EnumType, IntType, OptionalType, PlayerType, SetType
from rulerun.source.diagnostic import Diagnostics, ToldError
from rulerun.source.text import Piece
from rulerun.syntax import nodes as syn
from rulerun.syntax import parse_template


@dataclass
class Printed:
    """The fields of one card as names of a template. Implements `constants.Names`."""

    symbols: Symbols
    card: int

    def names(self) -> list[str]:
        return list(self.symbols.fields)

    def get(self, name: str) -> Constant | None:
        symbol = self.symbols.fields.get(name)
        if symbol is None:
            return None
        column = self.symbols.fields_data[symbol.index]
        words = column.values[self.card * column.width : (self.card + 1) * column.width]
        return Constant(symbol.type, words)


def fields_named(template: syn.Template, symbols: Symbols) -> dict[str, syn.Name | syn.Field]:
    """The fields that a template reads, with one place each."""
    read: dict[str, syn.Name | syn.Field] = {}
    for node in _nodes(template):
        if isinstance(node, syn.Name) and node.text in symbols.fields:
            read.setdefault(node.text, node)
        elif isinstance(node, syn.Field) and node.name.text in symbols.fields:
            read.setdefault(node.name.text, node)
    return read


def _nodes(node: object) -> Iterator[object]:
    if isinstance(node, tuple):
        for item in node:
            yield from _nodes(item)
    elif is_dataclass(node) and type(node).__module__.startswith("rulerun.syntax."):
        yield node
        for f in fields(node):
            yield from _nodes(getattr(node, f.name))


def name_cards(cards: CardsDecl, symbols: Symbols, scope: ConstantScope, found: Diagnostics) -> None:
    """Fills ``kind_names`` and ``back_names``. RR0318 if the name of a back reads a face field."""
    first: dict[int, int] = {}
    for card, kind in enumerate(symbols.kinds):
        first.setdefault(kind, card)
    rows = [Printed(symbols, card) for card in first.values()]
    face_fields = [f for f in symbols.fields.values() if not f.on_back]
    face = _template(cards.name, found)
    back = _template(cards.back_name, found)
    used: set[str] = set()
    if face is not None:
        read = fields_named(face, symbols)
        used = set(read)
        if back is None and face_fields and not any(f.name in used for f in face_fields):
            back = face
    if back is not None:
        for name, node in fields_named(back, symbols).items():
            if not symbols.fields[name].on_back:
                found.error(
                    "RR0318",
                    f"the name of a face-down card would tell its `{name}`, which is printed on the face",
                    node.span,
                    help="name it by fields declared under `back:`, and the face by `name: {face: ..., back: ...}`",
                )
                back = None
                break
    try:
        heads = [_text(face, row, scope) if face is not None else _plain_name(row) for row in rows]
        symbols.back_names = tuple(_text(back, row, scope) if back is not None else _plain_back(row) for row in rows)
    except ToldError:
        heads = [f"card {i + 1}" for i in range(len(rows))]
        symbols.back_names = ("a card",) * len(rows)
    symbols.kind_names = tuple(_told_apart(heads, rows, [f for f in symbols.fields.values() if f.name not in used]))


def _template(piece: Piece | None, found: Diagnostics) -> syn.Template | None:
    return None if piece is None else parse_template(piece, found)


def _text(template: syn.Template, row: Printed, scope: ConstantScope) -> str:
    inner = scope.with_fields(row)
    parts = [p if isinstance(p, str) else text_of(evaluate(p, inner), row.symbols) for p in template.parts]
    text = " ".join("".join(parts).split())
    return text.strip(" ,;") or "card"


def _told_apart(heads: list[str], rows: list[Printed], spare: list[FieldSymbol]) -> list[str]:
    """Where kinds share a name, the fields that differ among the kinds that share one follow in brackets."""
    shared = {name for name, n in Counter(heads).items() if n > 1}
    if not shared:
        return heads
    ambiguous = [row for head, row in zip(heads, rows, strict=True) if head in shared]
    varying = [f for f in spare if len({_words(row, f) for row in ambiguous}) > 1]
    names = []
    for head, row in zip(heads, rows, strict=True):
        more = ", ".join(p for f in varying if (p := _part(f, row, len(varying) > 1))) if head in shared else ""
        names.append(f"{head} ({more})" if more else head)
    # Two kinds may still read alike (a number that is a word of the template already): they are counted.
    again = {name for name, n in Counter(names).items() if n > 1}
    seen: Counter[str] = Counter()
    for i, name in enumerate(names):
        if name in again:
            seen[name] += 1
            names[i] = f"{name} #{seen[name]}"
    return names


def _words(row: Printed, symbol: FieldSymbol) -> tuple[int, ...]:
    value = row.get(symbol.name)
    return value.words if value is not None else ()


def _part(symbol: FieldSymbol, row: Printed, several: bool) -> str:
    """A field in words: ``snake``, ``2 red 1 blue``, ``needles left top``; numbers with the field's name; of a value
    that is called `nothing`, nothing."""
    value = row.get(symbol.name)
    if value is None:
        return ""
    name = symbol.name.replace("_", " ")
    text = text_of(value, row.symbols)
    match symbol.type:
        case BoolType():
            return name if value.value else f"not {name}"
        case IntType():
            return f"{name} {text}" if several else text
        case EnumType() | ArrayType():
            return "" if text == "nothing" else text
        case OptionalType() | SetType() | PlayerType() | CardType():
            return f"{name} {text}" if text else ""
        case _:
            assert_never(symbol.type)


def _plain_name(row: Printed) -> str:
    """A readable name where the ruleset gives no template: ``queen of hearts``, ``red 3``, ``guard``."""
    symbols = row.symbols
    declared = [f for f in symbols.fields.values() if f.span is not None]
    parts = []
    suit, rank = symbols.fields.get("suit"), symbols.fields.get("rank")
    if suit is not None and suit.span is None and rank is not None:
        suit_text, rank_text = (text_of(v, symbols) if (v := row.get(n)) else "" for n in ("suit", "rank"))
        number = row.get("number")
        parts.append(standard_name(StandardCard(suit_text or None, rank_text, number.value if number else 0)))
        declared = []
    numbers = [f for f in declared if isinstance(f.type, IntType)]
    for symbol in declared:
        value = row.get(symbol.name)
        if value is None or (isinstance(symbol.type, BoolType) and not value.value):
            continue
        alone = isinstance(symbol.type, IntType) and symbol is numbers[0]
        parts.append(text_of(value, symbols) if alone else _part(symbol, row, True))
    return " ".join(p for p in parts if p) or "card"


def _plain_back(row: Printed) -> str:
    """What shows of a face-down card where no template says it: ``3 buds``; ``a card`` if nothing is on the back."""
    parts = []
    for symbol in row.symbols.fields.values():
        value = row.get(symbol.name)
        if not symbol.on_back or value is None:
            continue
        text = text_of(value, row.symbols)
        parts.append(
            f"{text} {symbol.name.replace('_', ' ')}" if isinstance(symbol.type, IntType) else _part(symbol, row, True)
        )
    return ", ".join(p for p in parts if p) or "a card"
