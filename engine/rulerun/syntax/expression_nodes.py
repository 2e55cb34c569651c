"""Syntax nodes of expressions, and of the texts that hold some. See `nodes`, which offers them all."""

from __future__ import annotations

from rulerun.source.node import node
from rulerun.source.text import Span


@node
class Ident:
    """A name where a new thing is named or an old one is meant outside an expression."""

    text: str
    span: Span


@node
class Name:
    text: str
    span: Span


@node
class Int:
    value: int
    span: Span


@node
class Bool:
    value: bool
    span: Span


@node
class NoneValue:
    span: Span


@node
class Players:
    """``players``"""

    span: Span


@node
class SetOf:
    """``{queen, jack}``"""

    items: tuple[Expr, ...]
    span: Span


@node
class Range:
    """``1..7`` with ``by n`` ◇; both ends belong to it."""

    low: Expr
    high: Expr
    step: Expr | None
    span: Span


@node
class Negate:
    operand: Expr
    span: Span


@node
class Not:
    operand: Expr
    span: Span


@node
class Arithmetic:
    """``op``: ``+ - * // % **``"""

    op: str
    left: Expr
    right: Expr
    span: Span


@node
class Compare:
    """``op``: ``== != < <= > >=``"""

    op: str
    left: Expr
    right: Expr
    span: Span


@node
class And:
    left: Expr
    right: Expr
    span: Span


@node
class Or:
    left: Expr
    right: Expr
    span: Span


@node
class In:
    """``x in X``, ``x not in X``"""

    item: Expr
    domain: Expr
    negated: bool
    span: Span


@node
class Is:
    """``x is a player``, ``is a card``, ``is none``, ``is empty``, ``is out`` ◇, each with ``not`` before the word.

    ``predicate``: "a player", "a card", "none", "empty", "out", "some" (``is some``: not none, for any type),
    "face up", "face down".
    """

    operand: Expr
    predicate: str
    negated: bool
    span: Span


@node
class Conditional:
    """``then if condition else otherwise``"""

    condition: Expr
    then: Expr
    otherwise: Expr
    span: Span


@node
class Field:
    """``card.rank``"""

    of: Expr
    name: Ident
    span: Span


@node
class Index:
    """``hand[me]``, ``meld[me, 3]``"""

    of: Expr
    indices: tuple[Expr, ...]
    span: Span


@node
class Call:
    """A function, a rule, or a built-in with plain arguments: ``count(hand[p])``, ``next(p)``, ``min(a, b)``."""

    name: Ident
    arguments: tuple[Expr, ...]
    span: Span


@node
class Clause:
    """``for x in X where C``"""

    name: Ident
    domain: Expr
    where: Expr | None
    span: Span


@node
class Fold:
    """``sum(E for x in X where C)``; ``kind``: sum, count, min, max, some, every, same, distinct.

    ``count(p for p in players where C)`` counts. ``default`` is what ``or else`` gives to min and max of nothing.
    """

    kind: Ident
    value: Expr
    clauses: tuple[Clause, ...]
    default: Expr | None
    span: Span


@node
class Best:
    """``best p in players where C by E`` (the first of equals), ``or else V``."""

    name: Ident
    domain: Expr
    where: Expr | None
    by: Expr
    default: Expr | None
    span: Span


@node
class First:
    """``first c in hand[p] where C``, ``or else V``."""

    name: Ident
    domain: Expr
    where: Expr | None
    default: Expr | None
    span: Span


@node
class Generator:
    """``(q for q in players where C)`` as a domain or a set."""

    value: Expr
    clauses: tuple[Clause, ...]
    span: Span


@node
class Seats:
    """``players after p`` (without p), ``players starting with p`` (p first), ``players before p`` (the other way)."""

    domain: Expr
    how: str
    """"after", "starting with", "before"."""
    player: Expr
    span: Span


@node
class SetOperation:
    """``op``: union, common, without"""

    op: str
    left: Expr
    right: Expr
    span: Span


@node
class End:
    """``top of Z``, ``bottom of Z``; with ``count``: ``top 3 of Z`` (the cards, the topmost first)."""

    which: str
    """"top" or "bottom"."""
    count: Expr | None
    zone: Expr
    span: Span


@node
class AllOf:
    """``all of Z``: as an operand of a statement, or as a set of cards."""

    zone: Expr
    span: Span


@node
class Groups:
    """``groups of X by rank``: per value of a field of the cards the sets of one, two and so on cards with it."""

    of: Expr
    field: Ident
    span: Span


@node
class Runs:
    """``runs of X by rank``: the sets of two and more cards whose values of a field follow each other."""

    of: Expr
    field: Ident
    span: Span


@node
class Cover:
    """``best cover of X by g of 3..4 where C by E``: the greatest total of E over disjoint groups; ``cover of …``: the
    cards that these groups hold. ``best``: which of both."""

    of: Expr
    name: Ident
    low: Expr
    high: Expr
    where: Expr | None
    by: Expr
    best: bool
    span: Span


@node
class RandomOf:
    """``random of X``: one element, each as likely."""

    domain: Expr
    span: Span


@node
class AsUsual:
    """``as usual``: what would be done, or given, if a variant or trigger had not put its own text there."""

    span: Span


@node
class Broken:
    """Stands where an expression could not be read; a diagnostic has been told already."""

    span: Span


Expr = (
    Name
    | Int
    | Bool
    | NoneValue
    | Players
    | SetOf
    | Range
    | Negate
    | Not
    | Arithmetic
    | Compare
    | And
    | Or
    | In
    | Is
    | Conditional
    | Field
    | Index
    | Call
    | Fold
    | Best
    | First
    | Generator
    | Seats
    | SetOperation
    | End
    | AllOf
    | Groups
    | Runs
    | Cover
    | RandomOf
    | AsUsual
    | Broken
)


@node
class Template:
    """A text with ``{expression}`` in it; ``{{`` and ``}}`` stand for the braces."""

    parts: tuple[str | Expr, ...]
    span: Span
