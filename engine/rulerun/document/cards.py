"""The ``cards`` section: the fields printed on the cards, their name for people, and the deck.

A deck is a standard one by name, rows, products of rows, CSV files, or a mix. What a field's type or a
text over a row means is not known here, but one thing: a CSV cell under a field whose type says ``set of`` is a list.
"""

from __future__ import annotations

from collections.abc import Callable

from rulerun.document import take
from rulerun.document.model import (
    CardsDecl,
    CsvDeck,
    DeckPart,
    Entries,
    FieldDecl,
    RowDeck,
    Scalar,
    StandardDeck,
    Value,
    Word,
)
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.text import Piece

Rows = tuple[tuple[tuple[Word, Value], ...], ...]
CsvReader = Callable[[Word, frozenset[str]], Rows]
"""Reads the CSV file named by a word, given the names of the fields that hold sets."""


def build_cards(value: Value, found: Diagnostics, read_csv: CsvReader | None, *, partial: bool) -> CardsDecl:
    """The section. Raises `MisshapenError`. With `partial`, anything may be missing, and fields may be ``null``."""
    written = take.entries(value, ("face", "back", "name", "deck"), () if partial else ("deck",))
    fields: list[FieldDecl] = []
    for side in ("back", "face"):
        printed = written.get(side)
        if printed is None:
            continue
        for key, type_ in take.entries(printed).entries:
            take.name(key)
            if not (partial and take.is_null(type_)):
                fields.append(FieldDecl(key, take.scalar(type_).piece, side, key.span))
    sets = frozenset(f.name.text for f in fields if f.type.text.split()[:2] == ["set", "of"])
    deck = written.get("deck")
    parts = tuple(_deck_part(p, found, read_csv, sets) for p in take.items(deck)) if deck is not None else ()
    name, back_name = written.get("name"), None
    if isinstance(name, Entries):
        both = take.entries(name, ("face", "back"))
        name, back_name = both.get("face"), both.get("back")
    return CardsDecl(tuple(fields), _template(name, found), parts, written.span, _template(back_name, found))


def _template(value: Value | None, found: Diagnostics) -> Piece | None:
    if value is None:
        return None
    return take.rule_text("name", value, found)


def _deck_part(value: Value, found: Diagnostics, read_csv: CsvReader | None, sets: frozenset[str]) -> DeckPart:
    if isinstance(value, Scalar):
        return StandardDeck(take.word(value), None, None, None, value.span)
    row = take.entries(value)
    where = row.get("where")
    condition = take.rule_text("where", where, found) if where is not None else None
    if (standard := row.get("standard")) is not None:
        take.entries(row, ("standard", "ranks", "where", "jokers", "copies"))
        ranks, jokers, copies = row.get("ranks"), row.get("jokers"), row.get("copies")
        return StandardDeck(
            take.word(standard),
            condition,
            take.scalar(jokers) if jokers is not None else None,
            take.scalar(copies) if copies is not None else None,
            row.span,
            tuple(take.word(rank) for rank in take.items(ranks)) if ranks is not None else None,
        )
    if (csv := row.get("csv")) is not None:
        take.entries(row, ("csv",))
        file = take.word(csv)
        return CsvDeck(file, read_csv(file, sets) if read_csv else (), row.span)
    each, copies = row.get("each"), row.get("copies")
    product = tuple((take.name(k), _cell(v)) for k, v in take.entries(each).entries) if each is not None else ()
    cells = tuple((take.name(k), _cell(v)) for k, v in row.entries if k.text not in ("each", "copies", "where"))
    return RowDeck(product, cells, take.scalar(copies) if copies is not None else None, condition, row.span)


def _cell(value: Value) -> Value:
    """A value of a row: a scalar, a list of scalars, or entries for a field of the form ``T per K``."""
    match value:
        case Scalar():
            return take.scalar(value)
        case Entries():
            for _, inner in value.entries:
                take.scalar(inner)
        case _:
            for inner in value.items:
                take.scalar(inner)
    return value
