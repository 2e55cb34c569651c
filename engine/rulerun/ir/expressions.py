"""What rules compute: references into the state, domains, and expressions. Read the rules of reading in `nodes`.

It imports the types only; operations and the ends of blocks hold expressions, never the other way round.
"""

from __future__ import annotations

from enum import Enum

from rulerun.ir.types import Type
from rulerun.source.node import node

# ----------------------------------------------------------------- references


@node
class Axis:
    """One index of a place, zone or column: ``(value - low) * stride``. With ``checked`` the executor
    faults unless ``low <= value < low + size``; otherwise the type already guarantees it."""

    index: Expr
    low: int
    size: int
    stride: int
    checked: bool


@node
class Place:
    """Words of the vector: ``offset`` plus the sum of the axes. ``type`` is that of the value there."""

    offset: int
    axes: tuple[Axis, ...]
    type: Type
    at: int


@node
class ZoneRef:
    """One zone instance: ``Program.families[family].first`` plus the sum of the axes."""

    family: int
    axes: tuple[Axis, ...]
    at: int


class End(Enum):
    """The two ends of an ordered zone."""

    HEAD = "head"
    TAIL = "tail"


# -------------------------------------------------------------------- domains


@node
class NumberDomain:
    """``low, low + 1, ... high``; empty if high < low."""

    low: Expr
    high: Expr


@node
class SetDomain:
    """The elements of a set value (enum values, players or cards), lowest number first."""

    of: Expr


@node
class SeatDomain:
    """Players of the set ``of``, clockwise (with ``backwards`` counter-clockwise), beginning at ``start`` where
    ``inclusive``, else with its neighbour, and then ``start`` is left out. Direction of play turns both round."""

    of: Expr
    start: Expr
    inclusive: bool
    backwards: bool


@node
class ZoneDomain:
    """The cards of a zone: ordered ones from HEAD to TAIL, unordered ones by number. In an expression, the
    undrawn cards of a shuffled zone follow the drawn ones, by number."""

    zone: ZoneRef


@node
class BoardDomain:
    """The cards at HEAD of ``places`` zone instances from ``zone`` on, in their order; an empty zone has none. The
    zones are those of one family, ordered, and hold no undrawn card. Where elements are counted it has ``places`` of
    them, empty or not."""

    zone: ZoneRef
    places: int


@node
class SteppedDomain:
    """``low, low + step, low + 2 * step, …`` as long as not beyond ``high``: not above it where ``step`` is positive,
    not below it where it is negative. ``step`` is not 0. Empty if ``low`` is beyond ``high`` already."""

    low: Expr
    high: Expr
    step: int


@node
class SubsetDomain:
    """Sets of cards: every subset of the set of cards ``of`` whose size is at least ``least`` and at most ``most``
    (None: the size of ``of``). A ``least`` below 0 counts as 0, a ``most`` above the size of ``of`` as that size; none
    if ``most < least``.

    Smaller sets first; of equal size in the order of their sorted card numbers, compared number by number (so for the
    cards 1, 2, 3 and size 2: {1, 2}, {1, 3}, {2, 3}). More than ``MAX_SUBSETS`` (65,536) sets are a fault, found before
    the first of them is looked at. Evaluated in order: ``of``, ``least``, ``most``."""

    of: Expr
    least: Expr
    most: Expr | None
    at: int


@node
class GroupDomain:
    """Sets of cards: for each value of field ``field`` (of width 1) among the cards of the set ``of``, lowest value
    first (none, -1, before all), for each size from 1 to the number k of cards with that value: the ``size`` cards of
    the lowest numbers among these."""

    of: Expr
    field: int
    at: int


@node
class RunDomain:
    """Sets of cards: for each value of field ``field`` (of width 1, numbers or an ordered enum) among the cards of the
    set ``of``, lowest value first, for each size from 2 on, as long as a card has the next value: the cards of the
    lowest numbers with this value, the next, and so on."""

    of: Expr
    field: int
    at: int


@node
class FilteredDomain:
    """The elements of ``domain`` for which ``where`` holds, with ``local`` bound to the element.

    ``sets``: the same elements as a set of cards, lowest number first, where the test can be said so, see
    `facts.masks`. The domain of a fold has none, since the fold says it."""

    local: int
    domain: Domain
    where: Expr
    sets: Expr | None = None


Domain = (
    NumberDomain
    | SetDomain
    | SeatDomain
    | ZoneDomain
    | BoardDomain
    | FilteredDomain
    | SteppedDomain
    | SubsetDomain
    | GroupDomain
    | RunDomain
)


# ---------------------------------------------------------------- expressions


@node
class Const:
    """A number, bool, enum value, player, none or set as its word value (a set of cards as one big number)."""

    value: int
    type: Type


@node
class Local:
    index: int
    type: Type


@node
class Load:
    """The value at a place. A set of cards is read as one number, word i shifted by 62 i."""

    place: Place


@node
class Unary:
    """``op``: "neg" (int), "not" (bool)."""

    op: str
    operand: Expr
    at: int


@node
class Binary:
    """``+ - * // %`` on int (floored; overflow and division by zero are faults),
    ``== != < <= > >=`` on words, "min" and "max" on int,
    "union", "common", "without" on sets of one type."""

    op: str
    left: Expr
    right: Expr
    type: Type
    at: int


@node
class And:
    left: Expr
    right: Expr


@node
class Or:
    left: Expr
    right: Expr


@node
class Conditional:
    condition: Expr
    then: Expr
    otherwise: Expr
    type: Type


@node
class Contains:
    """Whether ``item`` (not none) belongs to the set ``of``."""

    item: Expr
    of: Expr


@node
class Single:
    """The set that holds just ``item``."""

    item: Expr
    type: Type


@node
class CardTable:
    """A set of cards out of a constant table: ``sets[index - low]``, below the first entry the first, beyond the last
    the last. Made by `facts.masks`: ``c.suit == x`` of all cards at once."""

    sets: tuple[int, ...]
    low: int
    index: Expr


@node
class HoldersOf:
    """A set of cards: of each element ``v`` of the set ``of`` (no set of cards) those in ``sets[v]``; an element beyond
    the last entry has none. Made by `facts.masks`: ``c.suit in trumps`` of all cards at once."""

    sets: tuple[int, ...]
    of: Expr


@node
class SumOf:
    """The sum of ``values[c]`` of the cards ``c`` of the set ``of``; no such sum leaves the range of a word. Made by
    `facts.masks`."""

    values: tuple[int, ...]
    of: Expr


@node
class Size:
    """How many elements a set has."""

    of: Expr


@node
class Lookup:
    """A constant table: ``Program.tables[table].values[sum of axes]``."""

    table: int
    axes: tuple[Axis, ...]
    type: Type
    at: int


@node
class CardField:
    """A field printed on a card: ``Program.fields[field].values[card * width + sum of axes]``.
    Fault if ``card`` is none."""

    field: int
    card: Expr
    axes: tuple[Axis, ...]
    type: Type
    at: int


@node
class ZoneCount:
    """How many cards lie in a zone, undrawn ones included."""

    zone: ZoneRef


@node
class UndrawnCount:
    zone: ZoneRef


@node
class ZoneCards:
    """The set of cards in a zone, undrawn ones included."""

    zone: ZoneRef


@node
class ZoneEnd:
    """The card at HEAD or TAIL of an ordered zone that is never shuffled; the one card of an unordered zone.
    Fault if there is none (or, in an unordered zone, more than one)."""

    zone: ZoneRef
    end: End
    at: int


@node
class ZoneTop:
    """The set of the ``count`` cards nearest to HEAD (or TAIL) of an ordered zone that is never shuffled: all of them
    if there are fewer, none if ``count`` is below 1."""

    zone: ZoneRef
    end: End
    count: Expr
    at: int


@node
class InZone:
    """Whether ``card`` (not none) lies in a zone."""

    card: Expr
    zone: ZoneRef


@node
class PlayersIn:
    """The set of the players in play."""


@node
class Neighbour:
    """``next(p)`` (``step`` 1) or ``previous(p)`` (-1) among the players in play, with the direction of play.
    p itself where nobody else plays. Fault if p is none."""

    player: Expr
    step: int
    at: int


@node
class Sees:
    """Whether a seat may look at the faces in a zone (by ``seen_by`` alone)."""

    player: Expr
    zone: ZoneRef


@node
class Knows:
    """``knows(p, c)``: whether p sees the zone where c lies or holds a place mark of c. Wants knowledge switched on."""

    player: Expr
    card: Expr


@node
class Alike:
    """Whether ``player`` cannot tell card ``left`` from card ``right`` by sight: they are one card, or they lie in one
    zone whose faces it does not see, neither at a place of its own there (the zone has no order, or its places are
    undrawn), and have equal backs."""

    player: Expr
    left: Expr
    right: Expr


class FoldKind(Enum):
    """What a fold makes of the elements of its domain."""

    SUM = "sum"
    """The sum of ``value``; 0 for none. A sum outside the range of a word is a fault, its parts may pass it."""
    COUNT = "count"
    """How many elements pass."""
    SOME = "some"
    """Whether ``value`` holds for one of them."""
    EVERY = "every"
    """Whether ``value`` holds for all of them."""
    MIN = "min"
    MAX = "max"
    """The least or greatest ``value``; ``default`` or a fault for none."""
    SAME = "same"
    """Whether all values are equal; true for none."""
    DISTINCT = "distinct"
    """How many different values there are."""
    BEST = "best"
    """The first *element* with the greatest ``value``; ``default`` or a fault for none."""
    FIRST = "first"
    """The first *element*; ``default`` or a fault for none."""
    SET = "set"
    """The set of the values."""


@node
class Fold:
    """``local`` runs over ``domain``; elements for which ``where`` fails are passed over.

    Two clauses (``for p in A for q in B``) are a fold whose ``value`` is a fold for sum, count (as SUM of COUNT),
    some, every, min and max.

    ``sets``: the same value by sets of cards, where that can be said, see `facts.masks`; ``fuel`` is 0 then. Whoever
    evaluates it in place of the fold gets the same value, burns the same fuel and meets the same faults.

    ``fuel``: burned for each element of the domain, filters aside, see `facts.fuel`: all at once, when the domain has
    been evaluated and before its first element is looked at.
    """

    kind: FoldKind
    local: int
    domain: Domain
    where: Expr | None
    value: Expr | None
    default: Expr | None
    type: Type
    at: int
    fuel: int = 0
    sets: Expr | None = None


@node
class Cover:
    """The best way to lay out disjoint groups of a set of cards.

    The *groups* are the subsets of ``of`` with ``least`` to ``most`` cards (in the order of SubsetDomain; a ``least``
    below 1 counts as 1) for which ``where`` (None: all) holds with ``local`` bound to the set; each is worth ``value``
    (int), evaluated after ``where`` and before the next group is looked at. A *layout* is a family of disjoint groups,
    worth the sum of them; the empty one is worth 0.

    With ``best``: the greatest worth of a layout, an int (outside the range of a word: a fault). Without: the set of
    the cards that the first best layout covers. *First*: the groups of a layout are chosen from the lowest card left
    on: the groups that hold it (with all their cards still left) are tried in their order, and after them to leave the
    card uncovered; of several ways with the same greatest worth the one tried first is taken.

    More than ``MAX_COVERED`` (14) cards in ``of`` are a fault, found before anything is looked at. Evaluated in order:
    ``of``, ``least``, ``most``, then the groups.

    ``fuel``: burned for each subset that might be a group, before the first is looked at. When the groups are known, 1
    is burned for every 8 families that are compared: ``2**n`` and, for each group, ``2**(n - 1 - p)``, where ``n`` are
    the cards in ``of`` and ``p`` is the place of its lowest card among them."""

    of: Expr
    local: int
    least: Expr
    most: Expr
    where: Expr | None
    value: Expr
    best: bool
    at: int
    fuel: int = 0


@node
class CallFunction:
    function: int
    arguments: tuple[Expr, ...]
    type: Type


@node
class SnapshotCount:
    """How many elements the snapshot at word ``offset`` holds."""

    offset: int


@node
class SnapshotItem:
    """Element ``index`` (0 <= index < count, by construction) of the snapshot at word ``offset``."""

    offset: int
    index: Expr
    type: Type


Expr = (
    Const
    | Local
    | Load
    | Unary
    | Binary
    | And
    | Or
    | Conditional
    | Contains
    | Single
    | CardTable
    | HoldersOf
    | SumOf
    | Size
    | Lookup
    | CardField
    | ZoneCount
    | UndrawnCount
    | ZoneCards
    | ZoneEnd
    | ZoneTop
    | InZone
    | PlayersIn
    | Neighbour
    | Sees
    | Knows
    | Alike
    | Fold
    | Cover
    | CallFunction
    | SnapshotCount
    | SnapshotItem
)
