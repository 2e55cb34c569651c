"""The cards: their fields, and every card that `deck:` makes, from standard decks, rows, products and CSV files.

Cards are numbered in file order. The number of cards is bounded before they are made, so that a slip (``copies:
1000000``) costs a message and no memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product

from rulerun.check.declarations.constants import Constant, ConstantScope, elements, evaluate
from rulerun.check.declarations.decks import STANDARD_DECKS, StandardDeckFacts, rank_type, standard_cards, suit_type
from rulerun.check.declarations.ranks import in_one_order, ranks_of
from rulerun.check.declarations.symbols import EnumSymbol, FieldSymbol, Symbols
from rulerun.check.declarations.types import did_you_mean, element, is_plain_value, keys_of, listed, resolve_type
from rulerun.check.declarations.values import condition, empty_words, parse_piece, read_int, read_scalar, read_value
from rulerun.document.model import CardsDecl, CsvDeck, Items, RowDeck, Scalar, StandardDeck, Value, Word
from rulerun.ir.program import MAX_CARDS, CardColumn, words_of
from rulerun.ir.types import INT, NONE, EnumType, IntType, OptionalType, Type
from rulerun.source.diagnostic import Diagnostics, Note, ToldError
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn
from rulerun.syntax import parse_range, parse_type

MAX_COMBINATIONS = 20_000
"""Rows that the `each:` of one deck part may make before `where:` and `copies:` are looked at."""

Words = tuple[int, ...]


def standard_parts(cards: CardsDecl) -> list[StandardDeck]:
    """The parts of the deck that are standard decks."""
    return [part for part in cards.deck if isinstance(part, StandardDeck)]


def standard_facts(cards: CardsDecl, found: Diagnostics) -> StandardDeckFacts | None:
    """The standard deck in use, if any, with the ranks that its entries list. RR0316 for an unknown one, or for two
    different ones, RR0345 for ranks that cannot be."""
    first: StandardDeck | None = None
    for part in standard_parts(cards):
        name = part.name.text
        if name not in STANDARD_DECKS:
            near = did_you_mean(name, STANDARD_DECKS)
            help_ = near or f"the standard decks are {listed(STANDARD_DECKS)}; cards of your own are rows under `deck:`"
            found.error("RR0316", f"there is no standard deck `{name}`", part.name.span, help=help_)
        elif first is None:
            first = part
        elif first.name.text != name:
            found.error(
                "RR0316",
                f"`{name}` and `{first.name.text}` cannot be mixed: their suits and ranks differ",
                part.name.span,
                notes=(Note("the first one is here", first.name.span),),
                help="use one of them, with `where:` or `copies:`",
            )
    if first is None:
        return None
    alike = [part for part in standard_parts(cards) if part.name.text == first.name.text]
    return in_one_order(alike, STANDARD_DECKS[first.name.text], found)


def has_jokers(cards: CardsDecl) -> bool:
    return any(part.jokers is not None for part in standard_parts(cards))


def standard_enums(cards: CardsDecl, found: Diagnostics) -> list[EnumType]:
    """`Suit` and `Rank` as the standard deck in use has them."""
    facts = standard_facts(cards, found)
    return [] if facts is None else [suit_type(facts), rank_type(facts, has_jokers(cards))]


# --------------------------------------------------------------------- fields


def declare_fields(cards: CardsDecl, symbols: Symbols, found: Diagnostics) -> None:
    """Fills ``symbols.fields``: those of the standard deck first, then the declared ones in file order."""
    parts = [p for p in standard_parts(cards) if p.name.text in STANDARD_DECKS]
    if parts:
        facts = STANDARD_DECKS[parts[0].name.text]
        suit = symbols.names["Suit"]
        rank = symbols.names["Rank"]
        assert isinstance(suit, EnumSymbol)
        assert isinstance(rank, EnumSymbol)
        built_in: list[tuple[str, Type]] = [
            ("suit", OptionalType(suit.type) if has_jokers(cards) else suit.type),
            ("rank", rank.type),
        ]
        if facts.trumps:
            built_in.append(("number", INT))
        for name, type_ in built_in:
            symbols.fields[name] = FieldSymbol(name, len(symbols.fields), (), type_, type_, False, None)
    for decl in cards.fields:
        text = parse_type(decl.type, found)
        resolved = resolve_type(text, symbols, found) if text is not None else None
        if resolved is None:
            resolved = INT if decl.name.text not in symbols.fields else symbols.fields[decl.name.text].type
        elif not _may_be_printed(resolved):
            found.error(
                "RR0304",
                f"a card cannot have `{resolved}` printed on it",
                decl.type.span(),
                help="fields are `int`, `bool`, an enum (`or none`), `set of` an enum, or one of them `per` an enum",
            )
            resolved = INT
        known = symbols.fields.get(decl.name.text)
        if known is not None:
            if known.span is None and known.type == resolved and decl.printed_on == "face":
                continue  # the field of the standard deck, said again
            where = "by the standard deck" if known.span is None else "here"
            found.error(
                "RR0301",
                f"the cards have a field `{decl.name.text}` already",
                decl.name.span,
                notes=(Note(f"it is declared {where}", known.span),),
            )
            continue
        symbols.fields[decl.name.text] = FieldSymbol(
            decl.name.text,
            len(symbols.fields),
            keys_of(resolved),
            element(resolved),
            resolved,
            decl.printed_on == "back",
            decl.name.span,
        )


def _may_be_printed(type_: Type) -> bool:
    return all(isinstance(key, EnumType) for key in keys_of(type_)) and is_plain_value(element(type_))


# ----------------------------------------------------------------------- rows


@dataclass
class DeckRow:
    """One row while it is being worked out: fields get their values when they are first asked for, so that an
    expression may name fields that are written after it. Implements `constants.Names`."""

    scope: ConstantScope
    given: dict[str, Value]
    known: dict[str, Constant] = field(default_factory=dict)
    busy: list[str] = field(default_factory=list)

    def names(self) -> list[str]:
        return list(self.scope.symbols.fields)

    def get(self, name: str) -> Constant | None:
        symbol = self.scope.symbols.fields.get(name)
        if symbol is None:
            return None
        if name not in self.known:
            value = self.given.get(name)
            if value is None:
                words = empty_words(symbol.type, self.scope)
            else:
                if name in self.busy:
                    raise self.scope.refusal("RR0312", f"the value of `{name}` is worked out from itself", value.span)
                self.busy.append(name)
                words = read_value(value, symbol.type, self.scope.with_fields(self))
                self.busy.pop()
            self.known[name] = Constant(symbol.type, words)
        return self.known[name]

    def cells(self) -> tuple[Words, ...]:
        """The words of every field, in the order of the fields."""
        values = [self.get(name) for name in self.scope.symbols.fields]
        return tuple(value.words for value in values if value is not None)


@dataclass
class Maker:
    """Collects the cards, and refuses more than `MAX_CARDS` of them before any is made."""

    scope: ConstantScope
    cards: list[tuple[Words, ...]] = field(default_factory=list)

    def add(self, cells: tuple[Words, ...], copies: int, span: Span) -> None:
        if copies < 0:
            raise self.scope.refusal("RR0317", f"there cannot be {copies} copies of a card", span)
        if len(self.cards) + copies > MAX_CARDS:
            more = "" if copies <= MAX_CARDS else f", and these are {copies:,} copies of one"
            raise self.scope.refusal("RR0314", f"a game has at most {MAX_CARDS:,} cards{more}", span)
        self.cards.extend([cells] * copies)


def make_cards(cards: CardsDecl, symbols: Symbols, scope: ConstantScope, found: Diagnostics) -> None:
    """Fills ``card_count``, ``kinds`` and ``fields_data``. RR0312 to RR0319 for what is wrong with the deck."""
    maker = Maker(scope)
    sound = True
    for part in cards.deck:
        try:
            match part:
                case StandardDeck():
                    _standard(part, maker, scope)
                case CsvDeck():
                    _csv(part, maker, scope)
                case RowDeck():
                    _row(part, maker, scope)
        except ToldError:
            sound = False
    if sound and not maker.cards:
        found.error(
            "RR0315",
            "the deck has no cards",
            cards.span,
            help="`deck:` names a standard deck (`deck: french52`) or lists rows, each with the values of its fields",
        )
    symbols.card_count = len(maker.cards)
    numbers: dict[tuple[Words, ...], int] = {}
    for cells in maker.cards:
        numbers.setdefault(cells, len(numbers))
    # Copies stand side by side, so that what goes by number goes by kind: else the order would tell copies apart.
    maker.cards.sort(key=numbers.__getitem__)
    symbols.kinds = tuple(numbers[cells] for cells in maker.cards)
    symbols.fields_data = tuple(
        CardColumn(
            f.name,
            f.type,
            f.on_back,
            words_of(f.type, symbols.players, 0),
            tuple(word for cells in maker.cards for word in cells[f.index]),
        )
        for f in symbols.fields.values()
    )


def _standard(part: StandardDeck, maker: Maker, scope: ConstantScope) -> None:
    facts = STANDARD_DECKS.get(part.name.text)
    if facts is None:
        raise ToldError
    scope = scope.at("in a standard deck")
    jokers = read_int(part.jokers, scope) if part.jokers is not None else 0
    copies = read_int(part.copies, scope) if part.copies is not None else 1
    if part.jokers is not None and not 0 <= jokers <= MAX_CARDS:
        raise scope.refusal("RR0317", f"there cannot be {jokers:,} jokers", part.jokers.span)
    fields = scope.symbols.fields
    suit, rank = scope.symbols.names["Suit"], scope.symbols.names["Rank"]
    assert isinstance(suit, EnumSymbol)
    assert isinstance(rank, EnumSymbol)
    facts = replace(facts, ranks=ranks_of(part, facts, Diagnostics()))
    if suit.type != suit_type(facts) or not set(rank_type(facts, jokers=False).values) <= set(rank.type.values):
        raise ToldError  # two decks that cannot be mixed: told by `standard_facts`
    for _ in range(min(copies, MAX_CARDS) if copies > 0 else 1):
        for card in standard_cards(facts, jokers):
            row = DeckRow(scope, {})
            row.known["suit"] = Constant(
                fields["suit"].type, (NONE if card.suit is None else suit.type.values.index(card.suit),)
            )
            row.known["rank"] = Constant(fields["rank"].type, (rank.type.values.index(card.rank),))
            if facts.trumps:
                row.known["number"] = Constant(INT, (card.number,))
            if part.where is None or condition(part.where, scope.with_fields(row)):
                span = part.copies.span if part.copies is not None else part.span
                maker.add(row.cells(), min(copies, 1), span)


def _csv(part: CsvDeck, maker: Maker, scope: ConstantScope) -> None:
    scope = scope.at("in a deck row")
    told: set[Span] = set()
    for cells in part.rows:
        given: dict[str, Value] = {}
        copies: Scalar | None = None
        span = cells[0][0].span if cells else part.span
        for word, value in cells:
            if word.text == "copies" and "copies" not in scope.symbols.fields and isinstance(value, Scalar):
                copies, span = value, value.span
            elif _known_field(word, word.text, told, scope):
                given[word.text] = value
                span = value.span
        if told:
            raise ToldError
        row = DeckRow(scope, given)
        maker.add(row.cells(), read_int(copies, scope.with_fields(row)) if copies is not None else 1, span)


def _known_field(word: Word, name: str, told: set[Span], scope: ConstantScope) -> bool:
    if name in scope.symbols.fields:
        return True
    if word.span not in told:
        told.add(word.span)
        fields = list(scope.symbols.fields)
        near = did_you_mean(name, fields)
        help_ = near or (
            f"the fields are {listed(fields)}" if fields else "fields are declared under `face:` or `back:` of `cards:`"
        )
        scope.found.error("RR0313", f"the cards have no field `{name}`", word.span, help=help_)
    return False


def _row(part: RowDeck, maker: Maker, scope: ConstantScope) -> None:
    scope = scope.at("in a deck row")
    told: set[Span] = set()
    for word, _ in (*part.each, *part.cells):
        _known_field(word, word.text, told, scope)
    if told:
        raise ToldError
    both = {w.text for w, _ in part.each} & {w.text for w, _ in part.cells}
    for word, _ in part.cells:
        if word.text in both:
            raise scope.refusal("RR0319", f"`{word.text}` stands in `each:` and beside it", word.span)
    choices = [(word.text, _each_values(word, value, scope)) for word, value in part.each]
    combinations = 1
    for _, values in choices:
        combinations *= len(values)
    if combinations > MAX_COMBINATIONS:
        raise scope.refusal(
            "RR0314", f"this `each:` makes {combinations:,} rows; a game has at most {MAX_CARDS:,} cards", part.span
        )
    cells = {word.text: value for word, value in part.cells}
    names = [name for name, _ in choices]
    for combination in product(*(values for _, values in choices)):
        row = DeckRow(scope, cells, dict(zip(names, combination, strict=True)))
        inner = scope.with_fields(row)
        if part.where is not None and not condition(part.where, inner):
            continue
        copies = read_int(part.copies, inner) if part.copies is not None else 1
        maker.add(row.cells(), copies, part.copies.span if part.copies is not None else part.span)


def _each_values(word: Word, value: Value, scope: ConstantScope) -> list[Constant]:
    """The values of one entry of ``each:``: a range, a list, or the name of an enum, meaning all of its values."""
    type_ = scope.symbols.fields[word.text].type
    if isinstance(value, Items):
        return [c for item in value.items for c in _each_item(item, type_, scope)]
    return list(_each_item(value, type_, scope, alone=True))


def _each_item(value: Value, type_: Type, scope: ConstantScope, alone: bool = False) -> Iterator[Constant]:
    inner = type_.inner if isinstance(type_, OptionalType) else type_
    if isinstance(value, Scalar) and isinstance(value.value, str):
        text = value.value.strip()
        if isinstance(inner, IntType) and ".." in text:
            yield from _range(value, scope)
            return
        if alone and isinstance(inner, IntType) and (ends := re.fullmatch(r"(\d+) *[-\N{EN DASH}] *(\d+)", text)):
            message = f"`{text}` is one number, since `-` takes away; a range has two dots"
            raise scope.refusal("RR0308", message, value.span, f"write `{ends[1]}..{ends[2]}`")
        if isinstance(inner, EnumType) and text == inner.name:
            yield from (Constant(type_, c.words) for c in elements(syn.Name(text, value.span), scope))
            return
        if alone and (isinstance(inner, EnumType) and ("{" in text or ".." in text)):
            expr = parse_piece(value.piece, scope)
            yield from (Constant(type_, c.words) for c in elements(expr, scope))
            return
    if isinstance(value, Scalar):
        yield (
            read_scalar(value, type_, scope) if not keys_of(type_) else Constant(type_, read_value(value, type_, scope))
        )
        return
    yield Constant(type_, read_value(value, type_, scope))


def _range(scalar: Scalar, scope: ConstantScope) -> Iterator[Constant]:
    text = parse_range(scalar.piece, scope.found)
    if text is None:
        raise ToldError
    low, high = evaluate(text.low, scope, INT).value, evaluate(text.high, scope, INT).value
    if low > high:
        raise scope.refusal(
            "RR0308", f"the range {low}..{high} holds nothing: its first number is the lower one", scalar.span
        )
    if high - low >= MAX_COMBINATIONS:
        raise scope.refusal(
            "RR0314", f"{high - low + 1:,} values are too many: a game has at most {MAX_CARDS:,} cards", scalar.span
        )
    for number in range(low, high + 1):
        yield Constant(INT, (number,))
