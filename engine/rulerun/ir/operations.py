"""What rules do: the operations of basic blocks, one after the other, which change the state or tell of it.

It imports expressions and types only.
"""

from __future__ import annotations

from rulerun.ir.expressions import Domain, End, Expr, Place, ZoneRef
from rulerun.source.node import node

SNAPSHOT_PER_WORD = 6
SNAPSHOT_BITS = 10


def snapshot_words(capacity: int) -> int:
    """Words that a snapshot of so many elements takes, its count included."""
    return 1 + -(-capacity // SNAPSHOT_PER_WORD)


@node
class Label:
    """What people read: texts and values. An expression may read the locals of its option line.

    ``hidden``: in the label of an option, the numbers of the parts that only the seat asked may be told."""

    parts: tuple[str | Expr, ...]
    hidden: tuple[int, ...] = ()


@node
class Depth:
    """Place number ``index`` of an ordered zone, counted from HEAD, from 0. As a target 0..count, else 0..count-1."""

    index: Expr
    secret: bool = False
    """Told to nobody but ``by`` of the operation (a secret choice of the place)."""


Spot = End | Depth


@node
class Store:
    """``told``: whoever sees the place is told of it even if the value is what it was before."""

    place: Place
    value: Expr
    at: int
    told: bool = False


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
    """Stores the elements of a domain (players, cards, enum values; in order) for a loop: their count at word
    ``offset``, then six elements a word, ten bits each, the first lowest. ``capacity`` elements fit; a zone must hold
    no undrawn card."""

    domain: Domain
    offset: int
    capacity: int
    at: int


@node
class MoveCard:
    """One card (not none), wherever it lies, goes to a zone. Fault if it is none. To an unordered zone the spot means
    nothing."""

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
    """The cards of a zone to another, in no order: the target (if ordered) is then as if shuffled. Who knew a face
    keeps a member mark."""

    source: ZoneRef
    to: ZoneRef
    at: int


@node
class Shuffle:
    """All cards of an ordered zone become undrawn; place marks become member marks. Of an unordered one: nothing."""

    zone: ZoneRef
    at: int


@node
class TurnOver:
    """The order of an ordered zone is turned round: HEAD becomes TAIL. Undrawn places, and who knows what lies where,
    go along. Told to everyone. Of an unordered one: nothing."""

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
class Flip:
    """Everyone is told that the cards of a set (drawn ones, in ordered zones) come to lie face up where they are, or
    face down, and of those turned up everyone is shown the face, as by Reveal. That is all: which cards lie face up is
    kept at `Program.face_up` by a Store beside it, as beside whatever moves cards or takes their order."""

    cards: Expr
    up: bool
    at: int


@node
class Announce:
    """A note, told to everyone: text and values (an expression that reads what is hidden is refused by the checker)."""

    text: Label
    at: int


@node
class Tell:
    """After sealed choices: everyone is told what ``chooser`` chose at ``site`` (the stored line and places). ``line``
    is where the number of the chosen line was stored (past the last: a pass); None: the first."""

    site: int
    chooser: Expr
    at: int
    line: Place | None = None


@node
class Leave:
    """A player leaves the game: the bit goes out of header word PLAYING, so that PlayersIn and Neighbour pass over the
    seat from now on. Told to everyone. Who is out already: nothing, and nothing told. Fault if it is none."""

    player: Expr
    at: int


@node
class Rejoin:
    """The players ``seats`` (a set) come back into the game: their bits go into header word PLAYING. Told to everyone
    in one. Who is in already: nothing, and nothing told."""

    seats: Expr
    at: int


@node
class Reverse:
    """The direction of play turns round: header word DIRECTION changes its sign. Told to everyone."""

    at: int


@node
class Inform:
    """Facts are told to everyone: whether ``test`` holds. Changes nothing but records; without telling it does nothing
    at all, but its expressions are evaluated as ever (``to``, the axes of ``zone``, ``test`` card by card), so that
    they fault in every executor.

    ``to``: the set of seats that it is said to (None: all of them), which everyone is told, too. ``zone`` None: one
    fact. Else a fact for each card of the zone, with ``local`` bound to it: of an ordered zone (which holds no undrawn
    card) place by place from HEAD, of an unordered one only how many hold."""

    to: Expr | None
    zone: ZoneRef | None
    local: int
    test: Expr
    at: int


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
    | TurnOver
    | Refill
    | SwapCards
    | SwapZones
    | Reveal
    | Flip
    | Announce
    | Tell
    | Leave
    | Rejoin
    | Reverse
    | Inform
)
