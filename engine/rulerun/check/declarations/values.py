"""Values of the YAML file - scalars, lists, mappings - as constants of a wanted type.

A scalar may be a plain value (``3``, ``red``, ``true``) or an expression (``"5 if number % 10 == 5 else 1"``). Plain
ones are read here without the parser of rule text: decks hold hundreds of them.
"""

from __future__ import annotations

import re

from rulerun.check.declarations.constants import Constant, ConstantScope, conform, evaluate, whole_number
from rulerun.check.declarations.ranks import left_out, standard_rank
from rulerun.check.declarations.types import did_you_mean, element, listed, noun
from rulerun.document.model import Entries, Items, Scalar, Value, Word
from rulerun.ir.nodes import key_size
from rulerun.ir.program import words_of
from rulerun.ir.types import (
    BOOL,
    INT,
    INT_MAX,
    NONE,
    ArrayType,
    BoolType,
    EnumType,
    IntType,
    OptionalType,
    PlayerType,
    RangeKey,
    SetType,
    Type,
)
from rulerun.source.diagnostic import ToldError
from rulerun.source.text import Piece
from rulerun.syntax import nodes as syn
from rulerun.syntax import parse_expression

NUMBER = re.compile(r"[-+]?[0-9]+")
WORDS = re.compile(r"[\s,;+|]+")


def parse_piece(piece: Piece, scope: ConstantScope) -> syn.Expr:
    """The expression of a piece, parsed once however often it is evaluated. Raises `ToldError` if it is broken."""
    if piece not in scope.parsed:
        scope.parsed[piece] = parse_expression(piece, scope.found)
    expr = scope.parsed[piece]
    if isinstance(expr, syn.Broken):
        raise ToldError
    return expr


def condition(piece: Piece, scope: ConstantScope) -> bool:
    """Whether a `where` holds."""
    return bool(evaluate(parse_piece(piece, scope), scope, BOOL).value)


def read_value(value: Value, wanted: Type, scope: ConstantScope) -> tuple[int, ...]:
    """The words of a value of the wanted type. Raises `ToldError` after telling what is wrong."""
    if isinstance(wanted, ArrayType):
        return _read_array(value, wanted, scope)
    if isinstance(value, Items) and isinstance(wanted, SetType):
        bits = 0
        for item in value.items:
            bits |= 1 << read_value(item, wanted.of, scope)[0]
        return (bits,)
    if isinstance(value, Items | Entries):
        what = "a list" if isinstance(value, Items) else "a mapping"
        several = isinstance(value, Items) and scope.place == "in a deck row"
        help_ = "for a card of each, put it under `each:`, as in `each: {colour: [red, blue]}`" if several else None
        raise scope.refusal("RR0305", f"{noun(wanted)} is wanted {scope.place}, and this is {what}", value.span, help_)
    return read_scalar(value, wanted, scope).words


def read_int(scalar: Scalar, scope: ConstantScope) -> int:
    """A whole number, written plainly or as an expression."""
    return read_scalar(scalar, INT, scope).value


def read_scalar(scalar: Scalar, wanted: Type, scope: ConstantScope) -> Constant:
    """The constant that a scalar stands for. RR0305 if it is of another type."""
    value, span = scalar.value, scalar.span
    if value is None:
        if isinstance(wanted, OptionalType):
            return Constant(wanted, (NONE,))
        raise scope.refusal("RR0305", f"{noun(wanted)} is wanted {scope.place}, and nothing is written", span)
    if isinstance(value, bool):
        return conform(Constant(BOOL, (int(value),)), wanted, span, scope)
    if isinstance(value, int):
        return conform(whole_number(value, span, scope), wanted, span, scope)
    if isinstance(value, float):
        if abs(value) > INT_MAX and value == value // 1:  # so long that YAML takes it for no whole number
            raise scope.refusal("RR0312", f"{scalar.piece.text} is out of range: numbers go up to {INT_MAX}", span)
        raise scope.refusal("RR0305", f"{noun(wanted)} is wanted {scope.place}, and this is a fraction", span)
    text = value.strip()
    if isinstance(wanted, IntType) and NUMBER.fullmatch(text) and len(text) < 20:
        return whole_number(int(text), span, scope)
    if isinstance(wanted, BoolType) and text in {"true", "false"}:
        return Constant(BOOL, (int(text == "true"),))
    if isinstance(wanted, OptionalType) and text == "none":
        return Constant(wanted, (NONE,))
    if isinstance(wanted, SetType) and (words := _plain_set(text, wanted)) is not None:
        return Constant(wanted, words)
    if text.isidentifier() and text not in {"true", "false", "none", "players"}:
        return evaluate(syn.Name(text, span), scope, wanted)
    if not text:
        raise scope.refusal("RR0305", f"{noun(wanted)} is wanted {scope.place}, and nothing is written", span)
    return evaluate(parse_piece(scalar.piece, scope), scope, wanted)


def _plain_set(text: str, wanted: SetType) -> tuple[int, ...] | None:
    """Names of values side by side (``left top``), as a cell of a CSV file has them. An empty text is the empty set."""
    if not isinstance(wanted.of, EnumType):
        return None
    values = wanted.of.values
    words = [w for w in WORDS.split(text) if w]
    if not all(w in values for w in words):
        return None
    bits = 0
    for word in words:
        bits |= 1 << values.index(word)
    return (bits,)


def _read_array(value: Value, wanted: ArrayType, scope: ConstantScope) -> tuple[int, ...]:
    """A mapping per key (missing keys keep the default), or one value for all elements."""
    symbols = scope.symbols
    if isinstance(value, Items):
        raise scope.refusal(
            "RR0305", f"a mapping with an entry per {wanted.key} is wanted {scope.place}, not a list", value.span
        )
    if isinstance(value, Entries):
        size = key_size(wanted.key, symbols.players, symbols.card_count)
        width = words_of(wanted.value, symbols.players, symbols.card_count)
        words = list(empty_words(wanted, scope))
        for key, entry in value.entries:
            part = read_value(entry, wanted.value, scope)
            if key.text == "else":
                named = {i for k, _ in value.entries if k.text != "else" for i in key_indices(k, wanted.key, scope)}
                where = [i for i in range(size) if i not in named]
            else:
                where = key_indices(key, wanted.key, scope)
            for at in where:
                words[at * width : (at + 1) * width] = part
        return tuple(words)
    one = read_scalar(value, element(wanted), scope).words
    return one * (words_of(wanted, symbols.players, symbols.card_count) // len(one))


def empty_words(type_: Type, scope: ConstantScope) -> tuple[int, ...]:
    """The words of a value that nobody wrote: none, 0, false, the first value of an enum, the empty set."""
    fill = NONE if isinstance(element(type_), OptionalType) else 0
    return (fill,) * words_of(type_, scope.symbols.players, scope.symbols.card_count)


def key_indices(word: Word, key: Type | RangeKey, scope: ConstantScope) -> list[int]:
    """Which elements a key of a mapping means: ``king``, ``3``, ``1..3``, ``true``, ``P2``. RR0331 if none."""
    text = word.text
    numbers = _numbers(text)
    match key:
        case EnumType(_, values) if text in values:
            return [values.index(text)]
        case RangeKey(low, high) if numbers and all(low <= n <= high for n in numbers):
            return [n - low for n in numbers]
        case BoolType() if text in {"true", "false"}:
            return [int(text == "true")]
        case PlayerType():
            number = int(text.removeprefix("P")) if text.removeprefix("P").isdecimal() and len(text) < 6 else 0
            if 1 <= number <= 20:
                return [number - 1] if number <= scope.symbols.players else []
        case _:  # no such key
            pass
    known = key_names(key, scope.symbols.players)
    way = did_you_mean(text, known) or f"the keys are {listed(known)}"
    message = f"`{text}` is no key of {_key_noun(key)}"
    if isinstance(key, EnumType) and key == standard_rank(scope.symbols) and left_out(text, key.values):
        message = f"the deck has no {text}, so `{text}` is no key of {key}"
    raise scope.refusal("RR0331", message, word.span, way)


def _numbers(text: str) -> range:
    parts = text.split("..")
    if len(parts) > 2 or not all(NUMBER.fullmatch(p) and len(p) < 12 for p in parts):
        return range(0)
    return range(int(parts[0]), int(parts[-1]) + 1)


def _key_noun(key: Type | RangeKey) -> str:
    match key:
        case EnumType(name):
            return name
        case PlayerType():
            return "Player: seats are counted from 1"
        case _:  # by its own name
            return f"{key}"


def key_names(key: Type | RangeKey, players: int) -> list[str]:
    """The keys as they are written in a mapping."""
    match key:
        case RangeKey(low, high):
            return [str(n) for n in range(low, min(high, low + 200) + 1)]
        case EnumType(_, values):
            return list(values)
        case BoolType():
            return ["false", "true"]
        case _:
            return [str(p + 1) for p in range(players)]
