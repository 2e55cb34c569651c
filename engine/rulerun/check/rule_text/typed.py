"""What an expression of rule text comes to in the checker: an IR expression, its type, and where a card was read from.

Also how types relate: what may stand where another is wanted, and what two branches have in common. Knows nothing of
scopes or statements.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import assert_never

from rulerun.check.declarations.symbols import ZoneSymbol
from rulerun.check.declarations.types import noun
from rulerun.ir import nodes as ir
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
    Type,
)
from rulerun.source.text import Span


@dataclass(frozen=True, slots=True)
class ZoneUse:
    """One zone instance as read by a rule: its symbol, its IR reference and its key values, outermost first. Of a whole
    board the reference is that of its first place, and the key of the place is missing."""

    symbol: ZoneSymbol
    ref: ir.ZoneRef
    keys: tuple[ir.Expr, ...]
    span: Span

    @property
    def owner(self) -> ir.Expr | None:
        """The key that names the owning player, if the zone has one."""
        for key, type_ in zip(self.keys, self.symbol.keys, strict=False):
            if isinstance(type_, PlayerType):
                return key
        return None


@dataclass(frozen=True, slots=True)
class Typed:
    """``source``: the zone that a card (or a set of cards) was read from, as far as known. ``secret``: read from a
    secret choice. ``nothing``: the word ``none`` where no type was wanted; then ``type`` means nothing."""

    expr: ir.Expr
    type: Type
    source: ZoneUse | None = None
    secret: bool = False
    nothing: bool = False


@dataclass(frozen=True, slots=True)
class DomainUse:
    """A domain, the type of its elements, the zone that they lie in, and how many there are at most."""

    domain: ir.Domain
    element: Type
    source: ZoneUse | None
    size: int
    undrawn: bool = False
    """Whether its zone may hold undrawn cards: then its order means nothing."""


def accepts(wanted: Type, given: Type) -> bool:
    """Whether a value of type `given` may stand where `wanted` is wanted."""
    if wanted == given:
        return True
    return isinstance(wanted, OptionalType) and wanted.inner == given


def optional(type_: Type) -> Type:
    """``T or none``; of a type that has none already, itself."""
    return type_ if isinstance(type_, OptionalType) else OptionalType(type_)


def can_be_none(type_: Type) -> bool:
    """Whether a type has an optional form, or is one."""
    return isinstance(type_, EnumType | PlayerType | CardType | OptionalType)


def bare(type_: Type) -> Type:
    """The type without ``or none``."""
    return type_.inner if isinstance(type_, OptionalType) else type_


def join(left: Typed, right: Typed) -> Type | None:
    """The type of ``left if C else right``; None where they have none in common."""
    if left.nothing and right.nothing:
        return None
    if left.nothing:
        return optional(right.type) if can_be_none(right.type) else None
    if right.nothing:
        return optional(left.type) if can_be_none(left.type) else None
    if accepts(left.type, right.type):
        return left.type
    if accepts(right.type, left.type):
        return right.type
    return None


def is_ordered(type_: Type) -> bool:
    """Whether ``<`` means something between two values of the type."""
    return isinstance(type_, IntType) or (isinstance(type_, EnumType) and type_.ordered)


def describe(type_: Type) -> str:
    """A type for messages, with its article: "a player", "a number", "a set of cards"."""
    return "a number" if isinstance(type_, IntType) else noun(type_)


def key_text(key: Type | RangeKey) -> str:
    """A key type as an author would name an example of it."""
    return f"a number {key}" if isinstance(key, RangeKey) else describe(key)


def zero(type_: Type) -> int | None:
    """What a variable without a start begins with: none, 0, false, the first value, the empty set; a Card has none."""
    match type_:
        case OptionalType():
            return NONE
        case CardType() | ArrayType():
            return None
        case IntType() | BoolType() | EnumType() | PlayerType() | SetType():
            return 0
        case _:
            assert_never(type_)


def shape(node: object) -> object:
    """An IR expression without its origins, for comparing two that were written at different places."""
    if isinstance(node, tuple):
        return tuple(shape(item) for item in node)
    if is_dataclass(node) and not isinstance(node, type):
        return (type(node).__name__, *(shape(getattr(node, f.name)) for f in fields(node) if f.name != "at"))
    return node


def same_expression(left: ir.Expr, right: ir.Expr) -> bool:
    """Whether two expressions read the same, wherever they were written."""
    return shape(left) == shape(right)
