"""Observations: what one seat is told of what happens at the table.

A seat's *record* (in the terms of the field: its observation history) is a tuple of these, and everything that a seat
may know follows from it. `events.observe` makes an observation of an event for a seat; two events that a seat cannot
tell apart give it equal observations. They compare and hash by sort and fields, and name no card number: a face is
given as its kind, a position as a place in a zone.

Units of the fields, everywhere:

- a *kind* is an index into `Program.kind_names`; below 0 the seat is not told the face: ``HIDDEN - b`` stands for a
  card whose back is of class b (see `back_classes`);
- a *zone* is an instance, an index into `Program.zones`;
- a *place* is counted from HEAD from 0; -1 in a zone without order, or where the seat is not told it;
- a *seat* is counted from 0, *seats* are a set of bits, bit n for seat n (-1: all of them);
- ``at`` is an index into `Program.origins`, ``site`` the number of a choice in the rules.

`numbers` is the form in plain integers, the same in every executor: the code of the sort, then the fields in order,
with tuples laid flat and nothing for what is None. Digests are rolled over it (see `run.teller`).
``docs/observations.md`` lists all sorts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import ClassVar, NamedTuple

from rulerun.ir.program import Program
from rulerun.source.node import node

HIDDEN = -1
"""Stands for a kind that a seat is not told. A hidden face whose back is of class b is given as ``HIDDEN - b``."""

LYING_OPEN = -1
"""In the place of the seats to whom faces were shown: all of them, since the cards now lie face up."""

Key = tuple[int, ...]
"""How an option is named: (line of the choice, then per binder what it stores, as a seat may name it). Line -1 is a
pass, -2 "done" of a set that is picked card by card."""


def back_classes(program: Program) -> tuple[int, ...]:
    """Per kind the class of its back: kinds that look alike from behind share one, numbered from 0 by lowest kind."""
    classes: dict[tuple[int, ...], int] = {}
    result: dict[int, int] = {}
    for card, kind in enumerate(program.kinds):
        if kind not in result:
            back: tuple[int, ...] = ()
            for column in program.fields:
                if column.on_back:
                    back += column.values[card * column.width : (card + 1) * column.width]
            result[kind] = classes.setdefault(back, len(classes))
    return tuple(result[kind] for kind in range(len(result)))


def hidden(kind: int, backs: Sequence[int]) -> int:
    """What is told of a card whose face is not: its back. ``backs``: the `back_classes`; empty: all are alike."""
    return HIDDEN - backs[kind] if backs else HIDDEN


class Face(NamedTuple):
    """A card where it lies: its kind as far as it is told, its zone and its place."""

    kind: int
    zone: int
    place: int


# ------------------------------------------------------------------ seen by each seat in its own way


@node
class ObservedMove:
    """A card goes from one zone to another, or to another place of the same."""

    code: ClassVar[int] = 1
    kind: int
    source: int
    source_place: int
    target: int
    target_place: int

    def numbers(self) -> tuple[int, ...]:
        return (1, self.kind, self.source, self.source_place, self.target, self.target_place)


@node
class ObservedSwap:
    """Two cards change places; where each lay before."""

    code: ClassVar[int] = 2
    left: Face
    right: Face

    def numbers(self) -> tuple[int, ...]:
        return (2, *self.left, *self.right)


@node
class ObservedFaces:
    """Cards are shown to ``seats`` where they lie; `LYING_OPEN`: they are turned face up. A seat that is not shown them
    is told whose they are seen by, and their backs."""

    code: ClassVar[int] = 7
    seats: int
    cards: tuple[Face, ...]

    def numbers(self) -> tuple[int, ...]:
        return (7, self.seats, *chain.from_iterable(self.cards))


@node
class ObservedOffer:
    """A seat is asked at a choice site. ``keys`` of its options in order, told to that seat alone (None to the others);
    in numbers how many there are, then each with its length before it."""

    code: ClassVar[int] = 9
    seat: int
    site: int
    keys: tuple[Key, ...] | None

    def numbers(self) -> tuple[int, ...]:
        if self.keys is None:
            return (9, self.seat, self.site)
        flat = [9, self.seat, self.site, len(self.keys)]
        for key in self.keys:
            flat += (len(key), *key)
        return tuple(flat)


@node
class ObservedChoice:
    """A seat chooses. ``key`` names what, with kinds hidden that the observer may not know; None: only that a choice
    was made is told, as of a secret one, or of a sealed one until all are in."""

    code: ClassVar[int] = 10
    seat: int
    site: int
    key: Key | None

    def numbers(self) -> tuple[int, ...]:
        return (10, self.seat, self.site) if self.key is None else (10, self.seat, self.site, *self.key)


@node
class Hint:
    """A public announcement: ``seats`` are told facts, and everyone hears it. ``zone`` -1: one fact; an ordered zone:
    one fact a place from HEAD (0 or 1); a zone without order: of how many of its cards it holds."""

    code: ClassVar[int] = 15
    at: int
    seats: int
    zone: int
    facts: tuple[int, ...]

    def numbers(self) -> tuple[int, ...]:
        return (15, self.at, self.seats, self.zone, *self.facts)


@node
class ObservedValue:
    """A word of the state variables has another value: its place in the vector, and the value."""

    code: ClassVar[int] = 16
    place: int
    value: int

    def numbers(self) -> tuple[int, ...]:
        return (16, self.place, self.value)


@node
class TurnedDown:
    """Cards that lay face up are turned face down where they lie."""

    code: ClassVar[int] = 17
    cards: tuple[Face, ...]

    def numbers(self) -> tuple[int, ...]:
        return (17, *chain.from_iterable(self.cards))


@node
class Chance:
    """Which player, number or value chance gives (of a card its kind). What it puts into a state variable is told to
    those who see it there."""

    code: ClassVar[int] = 11
    at: int
    value: int

    def numbers(self) -> tuple[int, ...]:
        return (11, self.at, self.value)


@node
class Said:
    """A note: the `Announce` at origin ``at`` with the values of its parts. A card (none: no face) or a set of cards is
    a tuple of faces, each with the zone and the place where it lies if it has a place of its own there that not all see
    into, else -1; in numbers how many there are, then these."""

    code: ClassVar[int] = 8
    at: int
    values: tuple[int | tuple[Face, ...], ...]

    def numbers(self) -> tuple[int, ...]:
        flat = [8, self.at]
        for value in self.values:
            flat += [value] if isinstance(value, int) else [len(value), *chain.from_iterable(value)]
        return tuple(flat)


class Token(NamedTuple):
    """What lies on a card: the keys of the entry from the first card on (a card as a face), and its value (a card or a
    set of cards as faces)."""

    keys: tuple[int | Face, ...]
    value: int | tuple[Face, ...]

    def numbers(self) -> tuple[int, ...]:
        """The keys, faces laid flat; then the value, of cards how many they are before their faces."""
        flat: list[int] = []
        for key in self.keys:
            flat += [key] if isinstance(key, int) else key
        flat += [self.value] if isinstance(self.value, int) else [len(self.value), *chain.from_iterable(self.value)]
        return tuple(flat)


@node
class ObservedCards:
    """A state variable (of an array the entry) at ``place`` holds other cards, or the seat knows them otherwise, or
    they lie elsewhere: where each lies now, with its face if the seat knows it. In a zone that is shuffled somewhere
    the place is not told."""

    code: ClassVar[int] = 21
    place: int
    cards: tuple[Face, ...]

    def numbers(self) -> tuple[int, ...]:
        return (21, self.place, *chain.from_iterable(self.cards))


@node
class ObservedTokens:
    """What lies on cards, by the state variable at ``place``, is not as it was: all entries that differ from the start
    value, with where the cards lie now, as in `ObservedCards`."""

    code: ClassVar[int] = 22
    place: int
    tokens: tuple[Token, ...]

    def numbers(self) -> tuple[int, ...]:
        return (22, self.place, *chain.from_iterable([token.numbers() for token in self.tokens]))


# --------------------------------------------------------------------------- seen by all seats alike


@node
class Exchanged:
    """Two zones exchange their contents. Faces that a seat newly sees follow as `ObservedFaces`."""

    code: ClassVar[int] = 3
    left: int
    right: int

    def numbers(self) -> tuple[int, ...]:
        return (3, self.left, self.right)


@node
class Collected:
    """All cards of ``source`` (-1: of the game) come to ``target``, in no order: so many."""

    code: ClassVar[int] = 4
    source: int
    target: int
    count: int

    def numbers(self) -> tuple[int, ...]:
        return (4, self.source, self.target, self.count)


@node
class Shuffled:
    """The cards of a zone are shuffled."""

    code: ClassVar[int] = 5
    zone: int

    def numbers(self) -> tuple[int, ...]:
        return (5, self.zone)


@node
class TurnedOver:
    """The order of a zone is turned round: what lay lowest lies on top."""

    code: ClassVar[int] = 20
    zone: int

    def numbers(self) -> tuple[int, ...]:
        return (20, self.zone)


@node
class Refilled:
    """An empty zone gets the last ``count`` cards of ``source``, shuffled or turned over."""

    code: ClassVar[int] = 6
    zone: int
    source: int
    count: int
    shuffled: bool

    def numbers(self) -> tuple[int, ...]:
        return (6, self.zone, self.source, self.count, int(self.shuffled))


@node
class Ended:
    """The game is over: who wins (a set of seats), and the score of each seat."""

    code: ClassVar[int] = 12
    winners: int
    scores: tuple[int, ...]

    def numbers(self) -> tuple[int, ...]:
        return (12, self.winners, *self.scores)


@node
class Left:
    """A player leaves the game."""

    code: ClassVar[int] = 13
    seat: int

    def numbers(self) -> tuple[int, ...]:
        return (13, self.seat)


@node
class Reversed:
    """The direction of play turns round; it is ``direction`` now (1 clockwise, -1 counter-clockwise)."""

    code: ClassVar[int] = 14
    direction: int

    def numbers(self) -> tuple[int, ...]:
        return (14, self.direction)


@node
class Rejoined:
    """Players who were out are in the game again."""

    code: ClassVar[int] = 18
    seats: int

    def numbers(self) -> tuple[int, ...]:
        return (18, self.seats)


@node
class HintedKinds:
    """What the `Hint` that follows means: which kinds, of all that there are, its facts hold of. Only where the rules
    work that out from what is printed on a card and from what is not hidden: conclusions are drawn from it."""

    code: ClassVar[int] = 19
    zone: int
    kinds: tuple[int, ...]

    def numbers(self) -> tuple[int, ...]:
        return (19, self.zone, *self.kinds)


Rearrangement = Exchanged | Collected | Shuffled | TurnedOver | Refilled
"""What concerns whole zones, and not single cards."""

PublicEvent = Rearrangement | Ended | Left | Reversed | Rejoined | HintedKinds
"""What hides nothing: an event of this sort is what every seat observes of it."""

Observation = (
    ObservedMove
    | ObservedSwap
    | ObservedFaces
    | ObservedOffer
    | ObservedChoice
    | Hint
    | ObservedValue
    | ObservedCards
    | ObservedTokens
    | TurnedDown
    | Chance
    | Said
    | PublicEvent
)
