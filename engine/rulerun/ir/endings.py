"""How basic blocks end: jumps, calls, choices, chance, the end of the game; and the blocks themselves.

It imports expressions and operations only.
"""

from __future__ import annotations

from enum import Enum

from rulerun.ir.expressions import Domain, Expr, Place, ZoneRef
from rulerun.ir.operations import Label, Op, Spot
from rulerun.source.node import node

UNSEEN = -2
"""What a choice stores for "a card of that zone" whose faces the chooser cannot tell apart."""


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
    """Arguments are stored into the callee's parameter places, ``back`` into its return place; then its entry runs.

    A callee that is in progress already (its return place holds a block) is one that may be ``nested``: after the
    arguments have been worked out its frame is kept, and zeroed for the new call. Fault if no more frames can be kept.
    """

    procedure: int
    arguments: tuple[Expr, ...]
    back: int
    at: int


@node
class Return:
    """Leaves procedure ``procedure``: stores ``value`` (if any) into its result place, clears its frame (all but the
    result; where frames are kept, the last one comes back into it) and jumps to what its return place held. In a
    function (``procedure`` None): the function's value."""

    procedure: int | None
    value: Expr | None


class Identity(Enum):
    """What makes two elements of a binder's domain one option or two, and what is stored for them. (Cards of a binder
    ``by_sight`` are told apart as that says.)"""

    EXACT = "value"
    """A number, enum value, player; or a card of a set or of an ordered zone without undrawn cards: itself.
    A card in an unordered zone counts once per kind (the lowest number stands for all)."""
    BY_KIND = "kind"
    """A card of an unordered zone: one option per kind if the chooser sees the zone, else one option for all that
    pass, stored as UNSEEN (a Pick follows)."""
    BY_POSITION = "place"
    """A card of an ordered zone that may hold undrawn ones: the place, counted from HEAD from 0 (a Draw follows)."""
    MULTISET = "set"
    """A set of cards, within ``least`` and ``most``: one option per multiset of kinds of an unordered zone, per set of
    places of an ordered one. Smaller sets first; of equal size the one with more of the first kind (or the first
    place), then of the second, comes first. The lowest cards of a kind stand for it."""
    GIVEN_SET = "whole"
    """A set of cards out of a domain of sets (SubsetDomain and its kin): itself. Sets whose cards lie in the same
    zones and are, zone by zone, of the same kinds (of the same cards in an ordered zone) count once, the first stands
    for all. Named in keys as a MULTISET is."""


@node
class Binder:
    """``local`` is what the line's where and label read; ``place`` is where the choice is stored.

    For MULTISET and GIVEN_SET, ``local`` and ``place`` hold the set; for MULTISET ``most`` None means as many as there
    are.
    """

    local: int
    domain: Domain
    identity: Identity
    place: Place
    least: Expr | None = None
    most: Expr | None = None
    fuel: int = 0
    """Burned for each element of the domain, as by a fold; for a MULTISET of n cards ``2**min(n, 12)`` times."""
    by_sight: bool = False
    """Whether cards (EXACT, MULTISET, GIVEN_SET) are told apart, and ordered, by what the chooser sees of them, and
    never by their numbers. That is their *name by sight*: of a card that it sees (its zone is one whose faces the
    chooser sees, or it lies face up) its kind, zone and place; of another its zone and place. A place is -1 in a zone
    without order or on an undrawn place; of an unseen card without a place the class of its back belongs to the name.
    Marks (what was shown before) count for nothing.

    Names of cards that are seen come before others, and go by kind, then zone, then place; others by zone, place, back.
    Wherever the domain would go by card numbers it goes by these names (cards with equal names by number):
    a card by its name; subsets, groups and runs are made of the cards in that order. Of a MULTISET the cards with one
    name are a kind. Elements with equal names (sets: the same names, each as often) are one option: the first that
    passes stands for all. Where that is a card among several, `Pick`s of those `Alike` follow."""


@node
class Sifted:
    """What the one binder of a line runs over, as a set of cards: those elements of its domain that pass the first
    tests of the line's `where`. ``rest`` is what of these tests is left (None: nothing). See `facts.masks`."""

    cards: Expr
    rest: Expr | None


@node
class Line:
    """One line of a choice. Options of a line come in the order of its binders' domains, the first slowest.

    ``sifted``: the same options, where they can be said so; nothing of it burns fuel, whether it is used or not."""

    guard: Expr | None
    binders: tuple[Binder, ...]
    where: Expr | None
    label: Label | None
    target: int
    at: int
    sifted: Sifted | None = None


@node
class Choose:
    """Suspends: the player ``chooser`` picks one of the options of ``lines`` (in order), or passes.

    ``passing`` is the block that a pass goes to. With ``optional`` the pass is an option of its own, always the last;
    without, the block is entered, nobody asked, when there is no option. No option and no ``passing`` is a fault.

    Sets of cards: up to ``MAX_SET_OPTIONS`` (4,096) options are listed. Beyond, without ``where``, the set is picked
    card by card, ascending (header word PICKED counts, the binder's place holds what is picked so far; once ``least``
    are picked a "done" option comes last). Beyond, with ``where``: a fault."""

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
    fuel: int = 0
    """Burned when it has no option and goes on without a decision."""
    silent: bool = False
    """Others are told neither that the seat is asked nor that it passes: of a window in an order that chance settles.
    """


@node
class Draw:
    """Chance: settles which card lies at a spot of an ordered zone and stores it into ``into``; a settled place costs
    no chance.

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
    a card picked out of a hidden hand: no). ``kept``: the place of a state variable that it is put into next; then only
    the seats that see it there are told (None: everyone).
    """

    domain: Domain
    into: Place
    next: int
    empty: int | None
    told: bool
    at: int
    fuel: int = 0
    """Burned for each element of the domain, as by a fold."""
    kept: Place | None = None


@node
class Finish:
    """The game is over: all frames are cleared, the program counter is 0."""


@node
class Fail:
    """A fault that the rules run into: ``fault`` is its name in `facts.faults`, ``message`` what it tells of."""

    message: str
    at: int
    fault: str = "no_way_on"


Terminator = Jump | Branch | Switch | CallProcedure | Return | Choose | Draw | Pick | Finish | Fail


@node
class Block:
    """Operations one after the other, then the end. ``unit``: the procedure it belongs to (for the printer).
    ``fuel``: burned whenever it begins, before all else; see `facts.fuel`.

    ``closed``: the secrets that decide where cards go in it or which way the rules take at its end, or that have
    decided how they came here if that does not show yet; of each the words (not written in this block) that hold
    players who know it. None: that was not worked out. It changes nothing but what may be taken back."""

    ops: tuple[Op, ...]
    end: Terminator
    unit: int
    at: int
    fuel: int = 0
    closed: tuple[tuple[int, ...], ...] | None = None
