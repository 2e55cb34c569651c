"""State variables and constant tables: their types, keys, places and values."""

from __future__ import annotations

from contextlib import suppress
from itertools import product

from rulerun.check.declarations.constants import ConstantScope
from rulerun.check.declarations.names import Namespace
from rulerun.check.declarations.seen_by import has_owner, owners, seats, words_said
from rulerun.check.declarations.symbols import Symbols, TableSymbol, VariableSymbol
from rulerun.check.declarations.types import default_words, element, is_plain_value, keys_of, listed, resolve_type
from rulerun.check.declarations.values import key_indices, key_names, read_value
from rulerun.check.declarations.zones import zone_key
from rulerun.document.model import Entries, Items, Scalar, StateDecl, TableDecl, Value
from rulerun.ir.nodes import key_size
from rulerun.ir.program import HEADER_WORDS, ConstantTable, SeenBy, words_of
from rulerun.ir.types import BOOL, INT, CardType, RangeKey, Type
from rulerun.source.diagnostic import Diagnostics, ToldError
from rulerun.source.text import Piece
from rulerun.syntax import parse_type

MAX_VARIABLE_WORDS = 20_000
MAX_TABLE_VALUES = 20_000

# ---------------------------------------------------------------------- state


def declare_state(decls: tuple[StateDecl, ...], space: Namespace, scope: ConstantScope, found: Diagnostics) -> None:
    """Fills the state variables. RR0328 if they take too much room, RR0329 for a card that starts as none."""
    symbols = space.symbols
    offset = HEADER_WORDS
    for decl in decls:
        text = parse_type(decl.type, found)
        type_ = resolve_type(text, symbols, found) if text is not None else None
        if type_ is None:
            type_ = INT  # stands in, so that the name is known
            words: int = 1
            start: tuple[int, ...] = (0,)
        else:
            words = words_of(type_, symbols.players, symbols.card_count)
            if offset - HEADER_WORDS + words > MAX_VARIABLE_WORDS:
                found.error(
                    "RR0328",
                    f"the state takes too much room: `{decl.name}` alone has {words:,} numbers, all of it may have"
                    f" {MAX_VARIABLE_WORDS:,}",
                    decl.type.span(),
                )
                continue
            if isinstance(element(type_), CardType):
                found.error(
                    "RR0329",
                    f"`{decl.name}` would hold a card before there is one",
                    decl.type.span(),
                    help=f"write `{str(type_).replace('Card', 'Card or none', 1)}`: it starts as none",
                )
            start = default_words(type_, symbols.players, symbols.card_count)
            if decl.start is not None:
                with suppress(ToldError):
                    start = read_value(decl.start, type_, scope)
        seen_by, seen = _seen(decl, type_, words, scope, found)
        symbol = VariableSymbol(decl.name.text, type_, offset, words, start, decl.name.span, seen_by, seen)
        if space.declare(decl.name, "a state variable", symbol):
            offset += words
    symbols.variable_words = offset - HEADER_WORDS


def _seen(
    decl: StateDecl, type_: Type, words: int, scope: ConstantScope, found: Diagnostics
) -> tuple[SeenBy, tuple[int, ...]]:
    """Who sees a variable, and per word the seats that do (nothing where all see it). RR0321 for one without owner."""
    symbols = scope.symbols
    said = words_said(decl.seen_by, scope) if decl.seen_by is not None else ()
    if decl.seen_by is None or not said:
        return SeenBy.EVERYONE, ()
    keys, seen_by = keys_of(type_), said[0]
    owned = next((word for word in said if word in {SeenBy.OWNER, SeenBy.OTHERS}), None)
    if owned is not None and not has_owner(keys, symbols):
        found.error(
            "RR0321",
            f"`{decl.name}` has no owner, so it cannot be seen by `{owned.value}`",
            decl.seen_by.span(),
            help=f"write `{type_} per Player`, which has owners; what has none is seen by `everyone` or `nobody`",
        )
        return SeenBy.EVERYONE, ()
    if seen_by is SeenBy.EVERYONE:
        return seen_by, ()
    sizes = [range(key_size(key, symbols.players, symbols.card_count)) for key in keys]
    values = list(product(*sizes))
    each = words // len(values)
    by_value = (seats(seen_by, owners(keys, at, symbols), symbols.players) for at in values)
    return seen_by, tuple(s for s in by_value for _ in range(each))


# --------------------------------------------------------------------- tables


def declare_table(decl: TableDecl, space: Namespace, scope: ConstantScope, found: Diagnostics) -> None:
    """A table with its values, row by row. RR0330 for missing keys, RR0331 for unknown ones, RR0332 if the type of the
    values cannot be told."""
    symbols = space.symbols
    keys = [key for piece in decl.of if (key := _table_key(piece, decl, scope, found)) is not None]
    type_ = _value_type(decl, symbols, found)
    size = 1
    for key in keys:
        size *= key_size(key, symbols.players, 0)
    if size > MAX_TABLE_VALUES:
        found.error(
            "RR0328",
            f"the table `{decl.name}` has {size:,} values, at most {MAX_TABLE_VALUES:,} are possible",
            decl.span,
        )
        keys = []
    values: tuple[int, ...] = ()
    sound = type_ is not None and len(keys) == len(decl.of)
    if sound and type_ is not None:
        try:
            entries = Entries(decl.entries, decl.span)
            values = _rows(entries, decl.otherwise, keys, type_, decl, scope)
        except ToldError:
            sound = False
    if not sound:
        values = (0,) * size
    symbol = TableSymbol(decl.name.text, len(symbols.tables_data), tuple(keys), type_ or INT, decl.name.span)
    if space.declare(decl.name, "a table", symbol):
        symbols.tables_data = (*symbols.tables_data, ConstantTable(decl.name.text, values))


def _table_key(piece: Piece, decl: TableDecl, scope: ConstantScope, found: Diagnostics) -> Type | RangeKey | None:
    if piece.text.strip() == "bool":
        return BOOL
    return zone_key(piece, scope, found, f"the table `{decl.name}`")


def _rows(
    value: Value,
    otherwise: Value | None,
    keys: list[Type | RangeKey],
    type_: Type,
    decl: TableDecl,
    scope: ConstantScope,
) -> tuple[int, ...]:
    """The values under one entry, for the keys that are left."""
    if not keys:
        return read_value(value, type_, scope)
    key, rest = keys[0], keys[1:]
    width = 1
    for inner in rest:
        width *= key_size(inner, scope.symbols.players, 0)
    if not isinstance(value, Entries):
        if isinstance(value, Items):
            raise scope.refusal("RR0305", f"an entry per {key} is wanted here, not a list", value.span)
        return read_value(value, type_, scope) * (width * key_size(key, scope.symbols.players, 0))
    rows: dict[int, tuple[int, ...]] = {}
    for word, entry in value.entries:
        if word.text == "else":
            otherwise = entry
            continue
        row = _rows(entry, otherwise, rest, type_, decl, scope)
        for at in key_indices(word, key, scope):
            rows[at] = row
    size = key_size(key, scope.symbols.players, 0)
    missing = [i for i in range(size) if i not in rows]
    if missing:
        if otherwise is None:
            names = key_names(key, scope.symbols.players)
            lost = listed(names[i] if i < len(names) else str(i) for i in missing)
            raise scope.refusal(
                "RR0330",
                f"the table `{decl.name}` has no value for {lost}",
                decl.name.span if value.span == decl.span else value.span,
                help="give every key a value, or the rest of them one with `else:`",
            )
        rest_words = _rows(otherwise, None, rest, type_, decl, scope)
        for i in missing:
            rows[i] = rest_words
    return tuple(word for i in range(size) for word in rows[i])


def _value_type(decl: TableDecl, symbols: Symbols, found: Diagnostics) -> Type | None:
    """The written type, or the one that all values have in common."""
    if decl.type is not None:
        text = parse_type(decl.type, found)
        type_ = resolve_type(text, symbols, found) if text is not None else None
        if type_ is not None and not is_plain_value(type_):
            found.error(
                "RR0304",
                f"a table cannot hold `{type_}`",
                decl.type.span(),
                help="it holds numbers, true and false, values of an enum (or none), or sets of them",
            )
            return None
        return type_
    leaves = [leaf for _, value in decl.entries for leaf in _leaves(value)]
    leaves += _leaves(decl.otherwise) if decl.otherwise is not None else []
    candidates: list[Type] | None = None
    for leaf in leaves:
        possible = _possible_types(leaf, symbols)
        if possible is None:
            continue
        candidates = possible if candidates is None else [t for t in candidates if t in possible]
        if not candidates:
            found.error(
                "RR0332",
                f"the values of the table `{decl.name}` are not of one type",
                leaf.span,
                help="say which with `type:`, such as `type: int`",
            )
            return None
    if candidates is None:
        return INT
    if len(candidates) > 1:
        found.error(
            "RR0332",
            f"the values of the table `{decl.name}` may be of {' or of '.join(str(t) for t in candidates)}",
            decl.name.span,
            help=f"say which with `type: {candidates[0]}`",
        )
        return None
    return candidates[0]


def _leaves(value: Value) -> list[Scalar]:
    match value:
        case Scalar():
            return [value]
        case Items(items):
            return [leaf for item in items for leaf in _leaves(item)]
        case Entries(entries):
            return [leaf for _, entry in entries for leaf in _leaves(entry)]


def _possible_types(leaf: Scalar, symbols: Symbols) -> list[Type] | None:
    """The types that a plain value may have; None if it is an expression, which tells nothing by itself."""
    value = leaf.value
    if isinstance(value, bool):
        return [BOOL]
    if isinstance(value, int):
        return [INT]
    if isinstance(value, str) and value.strip() in symbols.enum_values:
        return list(symbols.enum_values[value.strip()])
    return None
