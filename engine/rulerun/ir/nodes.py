"""The nodes of the IR: expressions, operations, and the ends of basic blocks. This is what rules *mean*.

Past the checker there are integers: word offsets, zone instances, seats, card numbers, block numbers. Each
node says exactly what it does, since two executors carry it out and must agree in every bit.

Reading rules:

* An expression has no effect. Evaluation is left to right; ``And``, ``Or`` and ``Conditional`` evaluate only
  what they need. A fault stops the game at the origin ``at`` (an index into ``Program.origins``).
* A *local* is a register of the code unit (function, or procedure with its choices) that a fold, a domain or
  a choice line binds; it lives within one expression (or one option line), never across a block.
* A *place* is a word (or words) of the state vector.
* ``HEAD`` of an ordered zone is a pile's top or a row's first place; ``TAIL`` the pile's bottom, the row's last.
* A shuffled zone may hold *undrawn* cards: their places are known, which card lies where is not settled yet.
  A ``Card`` value never means an undrawn card; ``Draw`` settles one place (see there).
"""

from __future__ import annotations

from enum import Enum

from rulerun.ir.types import BoolType, CardType, EnumType, PlayerType, RangeKey, Type
from rulerun.source.node import node

UNSEEN = -2
"""What a choice stores for "a card of that zone" whose faces the chooser cannot tell apart."""


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
class FilteredDomain:
    """The elements of ``domain`` for which ``where`` holds, with ``local`` bound to the element."""

    local: int
    domain: Domain
    where: Expr


Domain = NumberDomain | SetDomain | SeatDomain | ZoneDomain | FilteredDomain


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
    """

    kind: FoldKind
    local: int
    domain: Domain
    where: Expr | None
    value: Expr | None
    default: Expr | None
    type: Type
    at: int


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
    | Size
    | Lookup
    | CardField
    | ZoneCount
    | UndrawnCount
    | ZoneCards
    | ZoneEnd
    | InZone
    | PlayersIn
    | Neighbour
    | Sees
    | Knows
    | Fold
    | CallFunction
    | SnapshotCount
    | SnapshotItem
)


# ----------------------------------------------------------------- operations


class End(Enum):
    HEAD = "head"
    TAIL = "tail"


@node
class Depth:
    """Place number ``index`` of an ordered zone, counted from HEAD, from 0. As a target 0..count, else 0..count-1."""

    index: Expr
    secret: bool = False
    """Told to nobody but ``by`` of the operation (a secret choice of the place)."""


Spot = End | Depth


@node
class Store:
    place: Place
    value: Expr
    at: int


@node
class SetLocal:
    """Only in functions: assigns a local."""

    local: int
    value: Expr


@node
class Clear:
    """Zeroes words ``offset .. offset + words``: a dead frame or slot."""

    offset: int
    words: int


@node
class Snapshot:
    """Stores the elements of a domain (players, cards, enum values; in order) for a loop: their count at word ``offset``, then
    six elements a word, ten bits each, the first lowest. ``capacity`` elements fit; a zone must hold no undrawn card."""

    domain: Domain
    offset: int
    capacity: int
    at: int


@node
class MoveCard:
    """One card (not none), wherever it lies, goes to a zone. Fault if it is none. To an unordered zone the spot means nothing."""

    card: Expr
    to: ZoneRef
    spot: Spot
    at: int


@node
class MoveCards:
    """The cards of a set, lowest number first, each as by MoveCard."""

    cards: Expr
    to: ZoneRef
    spot: Spot
    at: int


@node
class MoveAll:
    """All cards of a zone (no undrawn ones) as a packet: from a pile to HEAD, TAIL first (so that order is kept);
    otherwise HEAD first, or by number. Each as by MoveCard. To itself: nothing."""

    source: ZoneRef
    to: ZoneRef
    spot: Spot
    at: int


@node
class CollectAll:
    """All cards of the game to one zone, in no order (an ordered zone: all undrawn). Every mark goes."""

    to: ZoneRef
    at: int


@node
class Collect:
    """The cards of a zone to another, in no order: the target (if ordered) is then as if shuffled. Who knew a face keeps a member mark."""

    source: ZoneRef
    to: ZoneRef
    at: int


@node
class Shuffle:
    """All cards of an ordered zone become undrawn; place marks become member marks. Of an unordered one: nothing."""

    zone: ZoneRef
    at: int


@node
class Refill:
    """If ``zone`` is empty: all but the ``keep`` topmost cards of ``source`` go to it; then shuffled, or turned over
    (the lowest card of the source comes to lie on top). Otherwise nothing."""

    zone: ZoneRef
    source: ZoneRef
    keep: int
    shuffle: bool
    at: int


@node
class SwapCards:
    """Two cards change places. The same card twice: nothing. Fault if one is none."""

    left: Expr
    right: Expr
    at: int


@node
class SwapZones:
    """Two zones of one family change contents, order and marks with them."""

    left: ZoneRef
    right: ZoneRef
    at: int


@node
class Reveal:
    """Everybody in ``to`` (a set of players; None: everyone) is shown the faces of a set of cards; who looks on is told
    that it happened and to whom, not what."""

    cards: Expr
    to: Expr | None
    at: int


@node
class Announce:
    """A note, told to everyone: text and values (an expression that reads what is hidden is refused by the checker)."""

    text: Label
    at: int


@node
class Tell:
    """After sealed choices: everyone is told what ``chooser`` chose at ``site`` (the stored line and places). ``line`` is where the
    number of the chosen line was stored (past the last: a pass); None: the first."""

    site: int
    chooser: Expr
    at: int
    line: Place | None = None


Op = (
    Store
    | Snapshot
    | SetLocal
    | Clear
    | MoveCard
    | MoveCards
    | MoveAll
    | CollectAll
    | Collect
    | Shuffle
    | Refill
    | SwapCards
    | SwapZones
    | Reveal
    | Announce
    | Tell
)


# ---------------------------------------------------------- the ends of blocks


@node
class Label:
    """What people read: texts and values. An expression may read the locals of its option line."""

    parts: tuple[str | Expr, ...]


@node
class Jump:
    to: int


@node
class Branch:
    condition: Expr
    then: int
    otherwise: int


@node
class Switch:
    """To ``targets[value]``; out of range to ``default``."""

    value: Expr
    targets: tuple[int, ...]
    default: int


@node
class CallProcedure:
    """Arguments are stored into the callee's parameter places, ``back`` into its return place; then its entry runs."""

    procedure: int
    arguments: tuple[Expr, ...]
    back: int
    at: int


@node
class Return:
    """Leaves procedure ``procedure``: stores ``value`` (if any) into its result place, clears its frame (all but the
    result) and jumps to what its return place held. In a function (``procedure`` None): the function's value."""

    procedure: int | None
    value: Expr | None


class Held(Enum):
    """How the cards of a binder's domain are told apart, and what is stored for them."""

    VALUE = "value"
    """A number, enum value, player; or a card of a set or of an ordered zone without undrawn cards: itself.
    A card in an unordered zone counts once per kind (the lowest number stands for all)."""
    KIND = "kind"
    """A card of an unordered zone: one option per kind if the chooser sees the zone, else one option for all that
    pass, stored as UNSEEN (a Pick follows)."""
    PLACE = "place"
    """A card of an ordered zone that may hold undrawn ones: the place, counted from HEAD from 0 (a Draw follows)."""
    SET = "set"
    """A set of cards, within ``least`` and ``most``: one option per multiset of kinds of an unordered zone, per set of
    places of an ordered one. Smaller sets first; of equal size the one with more of the first kind (or the first place), then
    of the second, comes first. The lowest cards of a kind stand for it."""


@node
class Binder:
    """``local`` is what the line's where and label read; ``place`` is where the choice is stored.

    For SET, ``local`` and ``place`` hold the set, and ``most`` None means as many as there are.
    """

    local: int
    domain: Domain
    held: Held
    place: Place
    least: Expr | None = None
    most: Expr | None = None


@node
class Line:
    """One line of a choice. Options of a line come in the order of its binders' domains, the first slowest."""

    guard: Expr | None
    binders: tuple[Binder, ...]
    where: Expr | None
    label: Label | None
    target: int
    at: int


@node
class Choose:
    """Suspends: the player ``chooser`` picks one of the options of ``lines`` (in order), or passes.

    ``passing`` is the block that a pass goes to. With ``optional`` the pass is an option of its own, always the last;
    without, the block is entered, nobody asked, when there is no option. No option and no ``passing`` is a fault.

    Sets of cards: up to ``MAX_SET_OPTIONS`` (4,096) options are listed. Beyond, without ``where``, the set is picked
    card by card, ascending (header word PICKED counts, the binder's place holds what is picked so far; once ``least`` are
    picked a "done" option comes last). Beyond, with ``where``: a fault.
    """

    site: int
    chooser: Expr
    lines: tuple[Line, ...]
    passing: int | None
    optional: bool
    secret: bool
    """Others learn only that a choice was made."""
    sealed: bool
    """Part of choices made at once: nobody learns anything yet."""
    window: bool
    """Part of a reaction window."""
    at: int


@node
class Draw:
    """Chance: settles which card lies at a spot of an ordered zone and stores it into ``into``; a settled place costs no chance.

    The card stays where it lies. An undrawn place gets each undrawn card of the zone with the same probability.
    ``empty`` is the block for a place that does not exist (None: a fault).
    """

    zone: ZoneRef
    spot: Spot
    into: Place
    next: int
    empty: int | None
    at: int


@node
class Pick:
    """Chance: stores one element of a domain, each as likely. ``empty`` as in Draw.

    ``told``: whether everyone learns which (``random of players``: yes; a window in random order: no;
    a card picked out of a hidden hand: no).
    """

    domain: Domain
    into: Place
    next: int
    empty: int | None
    told: bool
    at: int


@node
class Finish:
    """The game is over: all frames are cleared, the program counter is 0."""


@node
class Fail:
    """A fault that the rules run into (a rule without a way on)."""

    message: str
    at: int


Terminator = Jump | Branch | Switch | CallProcedure | Return | Choose | Draw | Pick | Finish | Fail


@node
class Block:
    """Operations one after the other, then the end. ``unit``: the procedure it belongs to (for the printer)."""

    ops: tuple[Op, ...]
    end: Terminator
    unit: int
    at: int


SNAPSHOT_PER_WORD = 6
SNAPSHOT_BITS = 10


def snapshot_words(capacity: int) -> int:
    """Words that a snapshot of so many elements takes, its count included."""
    return 1 + -(-capacity // SNAPSHOT_PER_WORD)


def key_size(key: Type | RangeKey, players: int, cards: int) -> int:
    """How many values a key of an array or a zone has."""
    match key:
        case RangeKey(low, high):
            return high - low + 1
        case EnumType():
            return len(key.values)
        case BoolType():
            return 2
        case PlayerType():
            return players
        case CardType():
            return cards
        case _:
            raise ValueError(f"{key} cannot be a key")
