"""Syntax nodes of statements, choices and the small texts beside bodies. See `nodes`, which offers them all."""

from __future__ import annotations

from rulerun.source.node import node
from rulerun.source.text import Span
from rulerun.syntax.expression_nodes import Call, Clause, Expr, Ident, Template


@node
class Let:
    """``let x = E`` or ``let x: T = E`` or ``let x: T`` (starts as none, 0, false, the first value, the empty set)."""

    name: Ident
    type: TypeText | None
    value: Expr | None
    span: Span


@node
class Assign:
    """``op``: ``= += -= *=``"""

    target: Expr
    op: str
    value: Expr
    span: Span


@node
class If:
    """Branches in order, each a condition and a body; then ``else``."""

    branches: tuple[tuple[Expr, Body], ...]
    otherwise: Body | None
    span: Span


@node
class For:
    """``for x in X where C:``; with several clauses in a line, loops in one another."""

    clauses: tuple[Clause, ...]
    body: Body
    span: Span


@node
class Repeat:
    """``repeat:`` or, with ``times``, ``repeat N times:``"""

    times: Expr | None
    body: Body
    span: Span


@node
class Stop:
    """``stop``, ``stop if C``: leaves the nearest loop or window."""

    condition: Expr | None
    span: Span


@node
class Skip:
    """``skip to next``, ``skip to next if C``"""

    condition: Expr | None
    span: Span


@node
class Return:
    value: Expr | None
    span: Span


@node
class Do:
    """An expression as a statement: a call of a rule, or `as usual`."""

    call: Expr
    span: Span


@node
class Spot:
    """Where cards go. ``position``: None (a pile's top, a row's end), "top", "bottom" or, with ``at``, a place."""

    zone: Expr
    position: str | None
    at: Expr | None
    span: Span


@node
class Move:
    """``move X to SPOT``; X is a card, a set of cards, ``top of Z``, ``all of Z``, ``random of Z``."""

    what: Expr
    to: Spot
    span: Span


@node
class Deal:
    """``deal N from Z to SPOT``: one after the other from the top, as many as there are."""

    count: Expr
    source: Expr
    to: Spot
    span: Span


@node
class Shuffle:
    zone: Expr
    span: Span


@node
class TurnOver:
    """``turn over Z``: the order of a pile or row is turned round."""

    zone: Expr
    span: Span


@node
class ShuffleInto:
    """``shuffle all cards into Z`` (``what`` None) or ``shuffle X into Z``: collected there, then shuffled."""

    what: Expr | None
    to: Expr
    span: Span


@node
class Collect:
    """``collect all cards to Z`` (``what`` None) or ``collect X to Z``: cards come together, no place is remembered."""

    what: Expr | None
    to: Expr
    span: Span


@node
class Swap:
    """Two cards change places, or two zones their contents."""

    left: Expr
    right: Expr
    span: Span


@node
class Flip:
    """``flip X face up``, ``flip X face down``"""

    what: Expr
    up: bool
    span: Span


@node
class Reveal:
    """Everyone sees the face of a card, a set, ``all of Z``."""

    what: Expr
    span: Span


@node
class Show:
    """``show X to P``; P is a player or a set of players."""

    what: Expr
    to: Expr
    span: Span


@node
class Tell:
    """``tell P whether E`` ◇"""

    to: Expr
    fact: Expr
    span: Span


@node
class Raise:
    event: Call
    span: Span


@node
class Say:
    """``note "..."``: told to everyone."""

    text: Template
    span: Span


@node
class EndGame:
    """``end game``; ``end game for p`` ◇"""

    player: Expr | None
    span: Span


@node
class Leave:
    """``p leaves`` ◇"""

    player: Expr
    span: Span


@node
class Rejoin:
    """``p returns``; without a player ``all players return``."""

    player: Expr | None
    span: Span


@node
class ReversePlay:
    """``reverse play`` ◇"""

    span: Span


@node
class Quantity:
    """How many are picked: exactly ``low`` (``high`` None), ``low..high``, or ``some`` (low 1) and ``any`` (low 0)."""

    low: Expr
    high: Expr | None
    open: bool
    """True for ``some`` and ``any``."""
    span: Span


@node
class Binder:
    """``card from hand[me]``"""

    name: Ident
    domain: Expr


@node
class Ladder:
    """``A if possible, else B if possible, else C``: the first rung that some option satisfies; if there is none,
    ``last`` must hold, or, without one, nothing needs to."""

    rungs: tuple[Expr, ...]
    last: Expr | None
    span: Span


@node
class Pick:
    """``[QUANTITY] card from X[, i from Y] [where C]``"""

    quantity: Quantity | None
    binders: tuple[Binder, ...]
    where: Expr | Ladder | None
    span: Span


@node
class Line:
    """One line of a choice: a pick or a plain text, its label, ``if`` (plain texts), what then happens.

    ``body`` is None only for the form without a block, whose binders live on in the statements that follow. It is empty
    for a text of a menu without a block: nothing happens then.
    """

    pick: Pick | None
    label: Template | None
    condition: Expr | None
    body: Body | None
    span: Span


@node
class Choose:
    """``p chooses ...`` (``may`` False) or ``p may choose ...`` / ``p may "..."``; one line or a menu of them.

    ``otherwise`` of a ``may`` is what a pass does; of a plain choice, what happens where no option exists.
    """

    chooser: Expr
    may: bool
    secret: bool
    lines: tuple[Line, ...]
    otherwise: Body | None
    span: Span


@node
class Window:
    """``any player p [in D | starting with q | after q] [at random] may ...``: a reaction window."""

    name: Ident
    domain: Expr
    """As written after ``any player p``, or ``players``."""
    at_random: bool
    lines: tuple[Line, ...]
    otherwise: Body | None
    """What happens once when the window closes without ``stop``."""
    span: Span


@node
class AtOnce:
    """``each player p [in D] at once chooses ...`` (or ``may choose``)."""

    name: Ident
    domain: Expr
    may: bool
    lines: tuple[Line, ...]
    otherwise: Body | None
    span: Span


Stmt = (
    Let
    | Assign
    | If
    | For
    | Repeat
    | Stop
    | Skip
    | Return
    | Do
    | Move
    | Deal
    | Shuffle
    | ShuffleInto
    | Collect
    | Swap
    | Flip
    | TurnOver
    | Reveal
    | Show
    | Tell
    | Raise
    | Say
    | EndGame
    | Leave
    | Rejoin
    | ReversePlay
    | Choose
    | Window
    | AtOnce
)
Body = tuple[Stmt, ...]


# ------------------------------------------------- the small texts beside bodies


@node
class TypeText:
    """A type as written. ``shape``: "name" (``name``), "set" (``set of name``), "optional" (``inner or none``),
    "per" (``inner per key``)."""

    shape: str
    name: Ident | None
    inner: TypeText | None
    key: TypeText | None
    span: Span


@node
class Param:
    type: TypeText
    name: Ident


@node
class Signature:
    """``turn(Player me, Card c)`` or ``play``"""

    name: Ident
    params: tuple[Param, ...]
    span: Span


@node
class EventPattern:
    """``taken(taker, card)``: a trigger's names for the parameters of its event."""

    name: Ident
    params: tuple[Ident, ...]
    span: Span


@node
class Criterion:
    """``highest score``, ``lowest best_hand``"""

    highest: bool
    name: Ident
    span: Span
