"""What a condition lets us know about names (occurrence typing): that one is not none, or a field of the card that it
names; that a player knows a card, that a card lies face up.

Works on syntax alone; the unit keeps what holds at a point of its text.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from typing import Final, NamedTuple

from rulerun.syntax import nodes as syn

UP: Final = "face up"
DOWN: Final = "face down"


class Says(Enum):
    SOME = "some"
    """It is not none."""
    KNOWN = "known"
    """Who reads the card knows it."""
    OPEN = "open"
    """The card lies face up."""


class Fact(NamedTuple):
    """What is known about a name; or about a field of the card that it names, which is printed and so stays as long as
    the name means this card."""

    name: str
    says: Says = Says.SOME
    field: str = ""


Facts = frozenset[Fact]
NOTHING: Final[Facts] = frozenset()


def facts_but(facts: Facts, names: Collection[str]) -> Facts:
    """The facts that are not about any of these names."""
    return frozenset(f for f in facts if f.name not in names)


def field_is_some(facts: Facts, card: syn.Name, field: syn.Ident) -> bool:
    """Whether a field of a named card is known not to be none."""
    return Fact(card.text, Says.SOME, field.text) in facts


def holding(node: syn.Expr | None) -> Facts:
    """What is known where a condition holds; nothing where there is none."""
    return NOTHING if node is None else by(node)[0]


def by(node: syn.Expr) -> tuple[Facts, Facts]:
    """What is known where a condition holds, and where it fails."""
    match node:
        case syn.Is(syn.Name(name), predicate, negated):
            yes, no = _by_predicate(name, predicate)
            return (no, yes) if negated else (yes, no)
        case syn.Is(syn.Field() as field, "none" | "some" as predicate, negated):
            some = _is_some(field)
            return (NOTHING, some) if (predicate == "none") != negated else (some, NOTHING)
        case syn.Compare(op, left, right) if op in ("==", "!="):
            for one, other in ((left, right), (right, left)):
                if isinstance(one, syn.Name | syn.Field) and isinstance(other, syn.NoneValue):
                    here = _is_some(one)
                    return (NOTHING, here) if op == "==" else (here, NOTHING)
            return NOTHING, NOTHING
        case syn.Call(name, (_, syn.Name(card))) if name.text == "knows":
            return frozenset({Fact(card, Says.KNOWN)}), NOTHING
        case syn.Not(operand):
            yes, no = by(operand)
            return no, yes
        case syn.And(left, right):
            first, second = by(left), by(right)
            return first[0] | second[0], first[1] & second[1]
        case syn.Or(left, right):
            first, second = by(left), by(right)
            return first[0] & second[0], first[1] | second[1]
        case _:  # any other condition tells nothing
            return NOTHING, NOTHING


def _is_some(node: syn.Name | syn.Field) -> Facts:
    """That a name, or the field of a named card, is not none."""
    match node:
        case syn.Name(name):
            return frozenset({Fact(name)})
        case syn.Field(syn.Name(card), field):
            return frozenset({Fact(card, Says.SOME, field.text)})
        case _:  # of a card without a name: which it is may be another one when it is asked again
            return NOTHING


def _by_predicate(name: str, predicate: str) -> tuple[Facts, Facts]:
    """What ``name is predicate`` tells."""
    match predicate:
        case "a player" | "a card" | "some":
            return frozenset({Fact(name)}), NOTHING
        case "none":
            return NOTHING, frozenset({Fact(name)})
        case "face up":
            return _lies_open(name), NOTHING
        case "face down":
            return NOTHING, _lies_open(name)
        case _:  # `is empty`, `is out`
            return NOTHING, NOTHING


def _lies_open(card: str) -> Facts:
    return frozenset({Fact(card, Says.OPEN), Fact(card, Says.KNOWN)})
