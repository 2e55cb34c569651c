"""Constants in words, as people read them on cards and in the names of zones."""

from __future__ import annotations

from typing import assert_never

from rulerun.check.declarations.constants import Constant
from rulerun.check.declarations.symbols import Symbols
from rulerun.ir.nodes import key_size
from rulerun.ir.types import (
    NONE,
    ArrayType,
    BoolType,
    CardType,
    EnumType,
    IntType,
    OptionalType,
    PlayerType,
    RangeKey,
    SetType,
)


def text_of(value: Constant, symbols: Symbols) -> str:
    """A constant as people read it: enum values by name, sets and lists joined with spaces, none as nothing.

    Of a list of numbers only those other than 0 are told: ``2 red 1 blue``.
    """
    match value.type:
        case None:
            return ""
        case IntType():
            return str(value.value)
        case BoolType():
            return "yes" if value.value else "no"
        case EnumType(_, values):
            return values[value.value].replace("_", " ")
        case OptionalType(inner):
            return "" if value.value == NONE else text_of(Constant(inner, value.words), symbols)
        case SetType(of):
            bits = value.value
            members = (Constant(of, (i,)) for i in range(bits.bit_length()) if bits >> i & 1)
            return " ".join(text_of(m, symbols) for m in members)
        case PlayerType():
            return f"P{value.value + 1}"
        case ArrayType(inner, key):
            size = key_size(key, symbols.players, 0)
            width = len(value.words) // size
            parts = []
            for i in range(size):
                words = value.words[i * width : (i + 1) * width]
                text = text_of(Constant(inner, words), symbols)
                name = str(key.low + i) if isinstance(key, RangeKey) else text_of(Constant(key, (i,)), symbols)
                if isinstance(inner, IntType | BoolType) and not any(words):
                    continue
                parts.append(name if isinstance(inner, BoolType) else f"{text} {name}")
            return " ".join(p for p in parts if p)
        case CardType():
            return str(value.value)
        case _:
            assert_never(value.type)
