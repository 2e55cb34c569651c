"""The ruleset as written: every section of the YAML file as typed data with places, rule text still unread.

Built by `document.build` from a file whose shape the schema has already accepted, with variants laid over.
Names are as written; what they mean is settled by `check`. This floor knows nothing of the rules language:
signatures, types, ranges and bodies are `Piece`s of text for `syntax` to read.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulerun.source.node import node
from rulerun.source.text import Piece, Source, Span


@node
class Word:
    """A name as written, with its place."""

    text: str
    span: Span
    piece: Piece | None = field(default=None, compare=False, repr=False)
    """The same text with the place of each character, where the name was a key of the file."""

    def __str__(self) -> str:
        return self.text


@node
class Scalar:
    """A YAML scalar: its value by the YAML 1.2 core schema, and its text for reading as rule text.

    ``value`` of a quoted or block scalar is always a str. A plain ``3`` is an int, ``true`` a bool.
    """

    value: str | int | float | bool | None
    piece: Piece
    span: Span
    quoted: bool = False
    folded: bool = False
    """Whether it spreads over lines that YAML joined: then columns inside ``piece`` are a best effort."""


@node
class Items:
    """A YAML list of values."""

    items: tuple[Value, ...]
    span: Span


@node
class Entries:
    """A YAML mapping of values, in file order."""

    entries: tuple[tuple[Word, Value], ...]
    span: Span

    def get(self, key: str) -> Value | None:
        return next((v for k, v in self.entries if k.text == key), None)


Value = Scalar | Items | Entries


@node
class OptionDecl:
    """``name: {default, range, about, type, one_of}``. ``default`` may have been set by a variant or by ``--set``."""

    name: Word
    type: Piece | None
    default: Scalar
    range: Piece | None
    about: str
    span: Span
    declared: Scalar | None = None
    """The default that the option was declared with, which tells its type where none is written."""
    choices: tuple[Word, ...] | None = None
    """``one_of``: the values of a type that is this option's alone."""


@node
class TypeDecl:
    """An enum: ``Side: [left, right]`` or ``Rank: {ordered: [two, three]}``."""

    name: Word
    values: tuple[Word, ...]
    ordered: bool
    span: Span


@node
class FieldDecl:
    """A field of the cards. ``printed_on``: "face" (hidden while the card lies face down) or "back"."""

    name: Word
    type: Piece
    printed_on: str
    span: Span


@node
class StandardDeck:
    """``{standard: french52, where: TEXT, jokers: N, copies: N, ranks: [ace, two..king]}`` or ``deck: french52``."""

    name: Word
    where: Piece | None
    jokers: Scalar | None
    copies: Scalar | None
    span: Span
    ranks: tuple[Word, ...] | None = None
    """Which ranks the deck has, from low to high: names, and spans of names in the deck's usual order."""


@node
class CsvDeck:
    """``{csv: cards.csv}``: a header of field names (``copies`` among them if wanted), a row a card kind."""

    name: Word
    rows: tuple[tuple[tuple[Word, Value], ...], ...]
    """A cell of a ``set of T`` field is `Items`, cells under ``flowers.red`` and ``flowers.blue`` are one `Entries`:
    the same as a `RowDeck` would hold. Empty cells are left out."""
    span: Span


@node
class RowDeck:
    """A row: values per field; ``each`` makes the cartesian product of its entries; ``copies`` and ``where``
    may be expressions over the row's fields, and so may be the value of a field (a quoted or plain text)."""

    each: tuple[tuple[Word, Value], ...]
    cells: tuple[tuple[Word, Value], ...]
    copies: Scalar | None
    where: Piece | None
    span: Span


DeckPart = StandardDeck | CsvDeck | RowDeck


@node
class CardsDecl:
    """``name`` is the template for people (``"{number}"``), over the fields: of the face, or, where it reads no face
    field, of the back too. ``back_name`` (``name: {face: ..., back: ...}``) names a card that lies face down, by back
    fields only."""

    fields: tuple[FieldDecl, ...]
    name: Piece | None
    deck: tuple[DeckPart, ...]
    span: Span
    back_name: Piece | None = None


@node
class RefillDecl:
    """``{from: discard, keep: 1, shuffle: true}``."""

    source: Word
    keep: Scalar | None
    shuffle: bool
    span: Span


@node
class ZoneDecl:
    """``kind``: pile, row, board, hand. ``per``: the keys as written (player, an enum, a range), outermost first.
    ``seen_by``: everyone, owner, others, nobody, or a text over the options that gives one of them; None where not
    said. ``start``: "deck" or a filter over ``card``.
    """

    name: Word
    kind: Word
    per: tuple[Piece, ...]
    seen_by: Piece | None
    start: Scalar | None
    refill: RefillDecl | None
    columns: int | None
    about: str
    span: Span
    places: Piece | None = None
    """Of a board: the numbers of its places as written, a range or how many."""


@node
class StateDecl:
    """``total: int per Player`` or ``{type: ..., start: ..., seen_by: ...}``; ``start`` is one value, or a mapping by
    key for a ``T per K``. ``seen_by``: everyone, owner, others, nobody, or a text over the options that gives one of
    them; None where not said."""

    name: Word
    type: Piece
    start: Value | None
    span: Span
    seen_by: Piece | None = None


@node
class TableDecl:
    """``{of: Rank, king: 0, else: 1}``. ``of`` holds one key type or several (nested entries for further ones)."""

    name: Word
    of: tuple[Piece, ...]
    type: Piece | None
    entries: tuple[tuple[Word, Value], ...]
    otherwise: Value | None
    span: Span


@node
class ProcedureDecl:
    """A function, a rule or an event: ``turn(Player me): |`` and its text. ``name``: the leading word of the signature.
    ``nested``: how often a rule or event may be in progress at once, where it says so."""

    name: Word
    signature: Piece
    body: Piece
    span: Span
    nested: Scalar | None = None
    replaced: ProcedureDecl | None = None
    """What a variant or an extending file wrote this in place of; `as usual` runs it."""


@node
class TriggerDecl:
    """``timing``: "before", "instead of" or "after"; ``event``: ``taken(taker, card)`` as written; ``over``: what it is
    run for, ``card in hand[taker]``, None where it is run once."""

    name: Word
    timing: str
    event: Piece
    condition: Piece | None
    body: Piece
    span: Span
    over: Piece | None = None
    nested: Scalar | None = None
    """How often its event may be in progress at once."""


@node
class ResultDecl:
    """``score(Player p): |`` and ``winner: [lowest score, lowest best_hand]``. A common ``score: |`` may have no
    winner: then all win. ``won``: a condition, without which nobody wins."""

    score: ProcedureDecl
    winner: tuple[Piece, ...]
    span: Span
    won: ProcedureDecl | None = None


@node
class LimitDecl:
    """``{decisions: 5000, then: draw}``; without ``then`` reaching it is a fault."""

    decisions: Scalar
    then_draw: bool
    span: Span


@node
class VariantInfo:
    """A variant that the ruleset offers."""

    name: str
    about: str
    span: Span


@dataclass(frozen=True)
class Ruleset:
    """The whole document after all overlays. Sequences keep file order; a variant's new parts follow the base's."""

    game: Word
    about: str
    language: int
    players: tuple[int, int]
    """Fewest and most players."""
    players_span: Span
    options: tuple[OptionDecl, ...]
    types: tuple[TypeDecl, ...]
    cards: CardsDecl
    zones: tuple[ZoneDecl, ...]
    state: tuple[StateDecl, ...]
    tables: tuple[TableDecl, ...]
    functions: tuple[ProcedureDecl, ...]
    rules: tuple[ProcedureDecl, ...]
    events: tuple[ProcedureDecl, ...]
    triggers: tuple[TriggerDecl, ...]
    result: ResultDecl | None
    limit: LimitDecl | None
    variants: tuple[VariantInfo, ...]
    """All variants on offer, laid on or not."""
    applied: tuple[str, ...]
    """Names of the variants that were laid on, in order."""
    sources: tuple[str, ...] = ()
    """The ``sources`` section: where the rules come from (books, pages)."""
    teams: Scalar | None = None
    """How many teams play; None: everyone plays alone."""
    outermost: Source | None = None
    """The file that was read; parts of a file that it extends come from another one."""
    settings: tuple[tuple[str, str], ...] = field(default=())
    """What ``--set`` changed, as text."""
