"""Types: from what was written (``int per Player``) to what it means, what a variable of it starts as, what goes where.

Shared by the declarations and by the checks of rule text. Imports nothing above `ir`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from rulerun.check.declarations.symbols import EnumSymbol, OptionSymbol, Symbols
from rulerun.ir.program import words_of
from rulerun.ir.types import (
    BOOL,
    CARD,
    CARDS,
    INT,
    NONE,
    PLAYER,
    WORD_BITS,
    ArrayType,
    BoolType,
    CardType,
    EnumType,
    IntType,
    OptionalType,
    PlayerType,
    RangeKey,
    SetType,
    Type,
)
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.spell import nearest
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn

BUILT_IN: dict[str, Type] = {"int": INT, "bool": BOOL, "Player": PLAYER, "Card": CARD, "Cards": CARDS}


def type_names(symbols: Symbols) -> list[str]:
    """Every name of a type, built-in ones first."""
    return [*BUILT_IN, *(n for n, s in symbols.names.items() if isinstance(s, EnumSymbol))]


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """``did you mean `x`?`` for the nearest candidate, None if nothing is near."""
    near = nearest(word, list(candidates))
    return f"did you mean `{near}`?" if near else None


def listed(words: Iterable[str], most: int = 12) -> str:
    """``a, b, c`` for a message, cut short where there are many."""
    many = list(words)
    shown = ", ".join(f"`{w}`" for w in many[:most])
    return shown if len(many) <= most else f"{shown} and {len(many) - most} more"


def named_type(name: str, span: Span, symbols: Symbols, found: Diagnostics) -> Type | None:
    """The type of this name. RR0303 if there is none."""
    if name in BUILT_IN:
        return BUILT_IN[name]
    symbol = symbols.names.get(name)
    if isinstance(symbol, EnumSymbol):
        return symbol.type
    near = did_you_mean(name, type_names(symbols))
    if isinstance(symbol, OptionSymbol) and isinstance(symbol.type, EnumType) and symbol.type.of_option:
        near = "`one_of` makes no type to be named: declare one under `types:` and name it in the option by `type:`"
    found.error(
        "RR0303",
        f"there is no type `{name}`",
        span,
        help=near or f"the types are {listed(type_names(symbols))}; a new one is declared under `types:`",
    )
    return None


def resolve_type(text: syn.TypeText, symbols: Symbols, found: Diagnostics) -> Type | None:
    """What a written type means. RR0303 for an unknown name, RR0304 for a type that cannot be."""
    match text.shape:
        case "name":
            assert text.name is not None
            return named_type(text.name.text, text.name.span, symbols, found)
        case "set":
            inner = _inner(text, symbols, found)
            return None if inner is None else _set_of(inner, text.span, found)
        case "optional":
            inner = _inner(text, symbols, found)
            if inner is None:
                return None
            if not isinstance(inner, EnumType | PlayerType | CardType):
                found.error(
                    "RR0304",
                    f"`{inner} or none` cannot be: only an enum, `Player` or `Card` may be none",
                    text.span,
                    help="let a number of its own, such as -1, stand for none" if isinstance(inner, IntType) else None,
                )
                return None
            return OptionalType(inner)
        case _:  # "per"
            return _array(text, symbols, found)


def _inner(text: syn.TypeText, symbols: Symbols, found: Diagnostics) -> Type | None:
    if text.inner is not None:
        return resolve_type(text.inner, symbols, found)
    assert text.name is not None
    return named_type(text.name.text, text.name.span, symbols, found)


def _set_of(inner: Type, span: Span, found: Diagnostics) -> Type | None:
    if not isinstance(inner, EnumType | PlayerType | CardType):
        found.error("RR0304", f"`set of {inner}` cannot be: a set holds values of an enum, players or cards", span)
        return None
    if isinstance(inner, EnumType) and len(inner.values) > WORD_BITS:
        what, help_ = too_large(inner)
        found.error("RR0304", what, span, help=help_)
        return None
    return SetType(inner)


def too_large(of: EnumType) -> tuple[str, str]:
    """Why no set of values of a type with so many can be kept, and the way out."""
    what = f"`set of {of}` cannot be: `{of}` has {len(of.values)} values, a set takes at most {WORD_BITS}"
    return what, f"`bool per {of}` holds the same and takes any number"


def _array(text: syn.TypeText, symbols: Symbols, found: Diagnostics) -> Type | None:
    """``T per K per L``: read ``x[k, l]``, the keys in the order in which they are written."""
    keys: list[Type] = []
    rest: syn.TypeText = text
    ok = True
    while rest.shape == "per":
        assert rest.inner is not None
        assert rest.key is not None
        key = resolve_type(rest.key, symbols, found)
        if key is None:
            ok = False
        elif not isinstance(key, EnumType | PlayerType | CardType):
            found.error("RR0304", f"`per {key}` cannot be: the key is an enum, `Player` or `Card`", rest.key.span)
            ok = False
        else:
            keys.append(key)
        rest = rest.inner
    value = resolve_type(rest, symbols, found)
    if value is None or not ok:
        return None
    for key in keys:  # the last written key lies innermost
        value = ArrayType(value, key)
    return value


def how_to_order(type_: EnumType) -> str:
    """What makes the values of an enum comparable."""
    ordered = f"{{ordered: [{', '.join(type_.values)}]}}"
    if type_.of_option:
        return f"`one_of` has no order: declare a type `{ordered}` and name it in the option by `type:`"
    if type_.name == "Suit":  # most likely that of a standard deck, which nobody declares
        return "give each a number in a table: `height: {of: Suit, clubs: 1, diamonds: 2, hearts: 3, spades: 4}`"
    return f"declare it so: `{type_.name}: {ordered}`"


def element(type_: Type) -> Type:
    """The type of one element of an array; of anything else, itself."""
    while isinstance(type_, ArrayType):
        type_ = type_.value
    return type_


def is_plain_value(type_: Type) -> bool:
    """Whether a value of it can be written in a deck row or a table: a number, a truth, words of one enum."""
    match type_:
        case IntType() | BoolType() | EnumType():
            return True
        case OptionalType(inner):
            return isinstance(inner, EnumType)
        case SetType(of):
            return isinstance(of, EnumType)
        case PlayerType() | CardType() | ArrayType():
            return False
        case _:
            assert_never(type_)


def keys_of(type_: Type) -> tuple[Type | RangeKey, ...]:
    """The keys of an array, outermost first; none for anything else."""
    keys: list[Type | RangeKey] = []
    while isinstance(type_, ArrayType):
        keys.append(type_.key)
        type_ = type_.value
    return tuple(keys)


def plain(type_: Type) -> Type:
    """The type without ``or none``."""
    return type_.inner if isinstance(type_, OptionalType) else type_


def default_words(type_: Type, players: int, cards: int) -> tuple[int, ...]:
    """What a variable of a type starts as: none, 0, false, the first value, the first player, the empty set."""
    one = element(type_)
    return (NONE if isinstance(one, OptionalType) else 0,) * words_of(type_, players, cards)


def fits(have: Type, wanted: Type) -> bool:
    """Whether a value of the one type may stand where the other is wanted."""
    return have == wanted or (isinstance(wanted, OptionalType) and have == wanted.inner)


def noun(type_: Type) -> str:
    """A type with its article, for a message: "a number", "true or false", "a Colour"."""
    match type_:
        case IntType():
            return "a whole number"
        case BoolType():
            return "true or false"
        case PlayerType():
            return "a player"
        case CardType():
            return "a card"
        case OptionalType(inner):
            return f"{noun(inner)} or none"
        case SetType(CardType()):
            return "a set of cards"
        case SetType(of):
            return f"a set of {of}"
        case ArrayType():
            return f"a list of values ({type_})"
        case EnumType(name, of_option=True):
            return f"a choice of `{name}`"
        case EnumType(name):
            return f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"
