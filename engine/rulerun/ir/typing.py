"""The types of what a program computes: of every expression, and of the elements of every domain.

It imports the nodes and the types only.
"""

from __future__ import annotations

from typing import assert_never

from rulerun.ir import nodes as ir
from rulerun.ir.types import BOOL, CARD, CARDS, INT, PLAYER, CardType, OptionalType, SetType, Type


def type_of(expr: ir.Expr) -> Type:
    """The type of an expression's value."""
    match expr:
        case ir.Load(place):
            return place.type
        case ir.Unary(op):
            return BOOL if op == "not" else INT
        case ir.And() | ir.Or() | ir.Contains() | ir.InZone() | ir.Sees() | ir.Knows() | ir.Alike():
            return BOOL
        case ir.Size() | ir.SumOf() | ir.ZoneCount() | ir.UndrawnCount() | ir.SnapshotCount():
            return INT
        case ir.ZoneCards() | ir.ZoneTop() | ir.CardTable() | ir.HoldersOf():
            return CARDS
        case ir.Cover():
            return INT if expr.best else CARDS
        case ir.ZoneEnd():
            return CARD
        case ir.PlayersIn():
            return SetType(PLAYER)
        case ir.Neighbour():
            return PLAYER
        case (
            ir.Const()
            | ir.Local()
            | ir.Binary()
            | ir.Conditional()
            | ir.Single()
            | ir.Lookup()
            | ir.CardField()
            | ir.Fold()
            | ir.CallFunction()
            | ir.SnapshotItem()
        ):
            return expr.type
        case _:
            assert_never(expr)


def element_type(domain: ir.Domain) -> Type:
    """The type of a domain's elements."""
    match domain:
        case ir.NumberDomain() | ir.SteppedDomain():
            return INT
        case ir.SubsetDomain() | ir.GroupDomain() | ir.RunDomain():
            return CARDS
        case ir.SetDomain(of):
            of_type = type_of(of)
            return of_type.of if isinstance(of_type, SetType) else INT
        case ir.SeatDomain():
            return PLAYER
        case ir.ZoneDomain() | ir.BoardDomain():
            return CARD
        case ir.FilteredDomain():
            return element_type(domain.domain)
        case _:
            assert_never(domain)


def is_card_set(type_: Type) -> bool:
    return isinstance(type_, SetType) and isinstance(type_.of, CardType)


def is_optional(type_: Type) -> bool:
    return isinstance(type_, OptionalType)


def is_card(type_: Type) -> bool:
    """A card, or a card or none."""
    return isinstance(type_.inner if isinstance(type_, OptionalType) else type_, CardType)
