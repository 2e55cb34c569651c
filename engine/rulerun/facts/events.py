"""Events: what happens at the table, the whole truth; and `observe`, which makes of it what one seat is told.

The reference executor in its telling mode appends events to its log. No seat ever gets one: a seat gets
`observations`. What hides nothing is both (`PublicEvent`). Units are those of `observations`; kinds are never hidden
here, and the fields that hold seats say who is told what.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rulerun.facts.observations import (
    LYING_OPEN,
    Chance,
    Face,
    Hint,
    Key,
    Observation,
    ObservedCards,
    ObservedChoice,
    ObservedFaces,
    ObservedMove,
    ObservedOffer,
    ObservedSwap,
    ObservedTokens,
    ObservedValue,
    PublicEvent,
    Said,
    Token,
    TurnedDown,
    hidden,
)
from rulerun.source.node import node


@node
class Moved:
    """A card went from one zone to another (or within one). ``seen``: seats that see or know its face as it goes."""

    kind: int
    source: int
    source_place: int
    target: int
    target_place: int
    seen: int
    source_told: int
    """Seats told the source place."""
    target_told: int
    """Seats told the target place."""


@node
class Swapped:
    """Two cards changed places; each side with kind, where it lay, and who sees its face."""

    left_kind: int
    left_zone: int
    left_place: int
    left_seen: int
    right_kind: int
    right_zone: int
    right_place: int
    right_seen: int


@node
class Shown:
    """Faces were shown to the seats ``to``: kind, zone and place of each card. ``seen``: per card the seats that see or
    know its face already, who see which card it is that the others are shown (empty: nobody)."""

    cards: tuple[tuple[int, int, int], ...]
    to: int
    seen: tuple[int, ...] = ()
    aside: bool = False
    """Told to ``to`` alone: faces that they see because of where the cards now lie."""


@node
class Turned:
    """Cards came to lie face up where they are, or face down: kind, zone and place of each. Everyone is told their
    kinds: what lay face up was seen by all. That cards are turned down by being moved, or by their zone losing its
    order, is not told: it follows from what is told of that."""

    cards: tuple[tuple[int, int, int], ...]
    up: bool


@node
class Offered:
    """A seat was asked: the choice site, and the key of every option, in order. Told to that seat; the others are told
    that it was asked, and where; not if ``sealed``."""

    seat: int
    site: int
    keys: tuple[Key, ...]
    sealed: bool


@node
class Chose:
    """A choice. ``key``: as the chooser may name it. ``others``: as a seat not in ``full`` is told it (kinds that it
    may not know are hidden). ``full``: seats told the whole key. ``told``: seats told anything beyond that a choice was
    made. ``heard``: seats told that one was made (-1: all of them); it is told of the last card alone where a set is
    picked secretly card by card, or its size would be known."""

    seat: int
    site: int
    key: Key
    others: Key
    full: int
    told: int
    heard: int = -1


@node
class Hinted:
    """The seats ``to`` were told facts, and everyone heard it: the `Inform` at origin ``at`` (see `Hint`).
    ``passing``: the kinds of which the fact holds, where it depends on a card's kind alone (told to nobody: for the
    search of worlds)."""

    at: int
    to: int
    zone: int
    facts: tuple[int, ...]
    passing: tuple[int, ...] | None = None


@node
class Became:
    """A state variable's word ``place`` became ``value``; ``seen``: the seats that see it. The others are told nothing,
    not even that something changed. Where no `seen_by` says otherwise all see it, so whoever lets hidden cards count
    into such a variable has said it aloud; that it is told makes every view a function of the record. Of variables that
    have cards for values or for keys `Held` tells."""

    place: int
    value: int
    seen: int = -1
    """A set of seats; -1: all of them."""


@node
class Picked:
    """A `Pick` gave ``value`` (of a card its kind). ``seen``: the seats that are told (-1: all of them); the others are
    told nothing."""

    at: int
    value: int
    seen: int


class Named(NamedTuple):
    """A card that a note names: its kind, where it lies (-1 both: that is not told), and the seats that see or know its
    face."""

    kind: int
    zone: int
    place: int
    seen: int


@node
class Announced:
    """A note, told to everyone: the `Announce` at origin ``at`` with the values of its parts; a card or a set of cards
    as the cards that it names."""

    at: int
    values: tuple[int | tuple[Named, ...], ...]


class Carried(NamedTuple):
    """An entry of a variable of cards: its keys from the first card on, and its value; cards as they may be named."""

    keys: tuple[int | Named, ...]
    value: int | tuple[Named, ...]


@node
class Held:
    """What a state variable holds of cards, or what lies on cards by it (``by_card``), may be seen otherwise than
    before: ``before`` and ``now``, see `held`. Told to those of ``seen`` (-1: all of them) for whom the two differ;
    ``before`` None: to all of these."""

    place: int
    by_card: bool
    before: tuple[Carried, ...] | None
    now: tuple[Carried, ...]
    seen: int = -1


Event = Held | Moved | Swapped | Shown | Turned | Offered | Chose | Hinted | Became | Picked | Announced | PublicEvent


def observe(event: Event, seat: int, backs: Sequence[int] = ()) -> Observation | None:
    """What ``seat`` is told of an event; None if nothing at all.

    ``backs`` are the `back_classes` of the program: backs are always seen, so a hidden face that moves tells its back.
    Empty: all backs are alike.
    """
    bit = 1 << seat
    match event:
        case Moved():
            return ObservedMove(
                event.kind if event.seen & bit else hidden(event.kind, backs),
                event.source,
                event.source_place if event.source_told & bit else -1,
                event.target,
                event.target_place if event.target_told & bit else -1,
            )
        case Swapped():
            left = event.left_kind if event.left_seen & bit else hidden(event.left_kind, backs)
            right = event.right_kind if event.right_seen & bit else hidden(event.right_kind, backs)
            return ObservedSwap(
                Face(left, event.left_zone, event.left_place), Face(right, event.right_zone, event.right_place)
            )
        case Became(place, value, seen):
            return ObservedValue(place, value) if seen & bit else None
        case Held(place, by_card, before, now, seen):
            if not seen & bit or (before is not None and _carried(before, bit, backs) == _carried(now, bit, backs)):
                return None
            return held_by(by_card, place, now, seat, backs)
        case Picked(at, value, seen):
            return Chance(at, value) if seen & bit else None
        case Announced(at, values):
            return Said(at, tuple([v if isinstance(v, int) else _named(v, bit, backs) for v in values]))
        case Offered():
            if event.seat == seat:
                return ObservedOffer(seat, event.site, event.keys)
            return None if event.sealed else ObservedOffer(event.seat, event.site, None)
        case Chose():
            if event.full & bit or event.seat == seat:
                return ObservedChoice(event.seat, event.site, event.key)
            if not event.heard & bit:
                return None
            return ObservedChoice(event.seat, event.site, event.others if event.told & bit else None)
        case Shown(cards, to, seen, aside):
            if aside and not to & bit:
                return None
            open_ = [to | known for known in seen] if seen else [to] * len(cards)
            faces = [
                Face(kind if seats & bit else hidden(kind, backs), zone, place)
                for (kind, zone, place), seats in zip(cards, open_, strict=True)
            ]
            return ObservedFaces(to, tuple(faces))
        case Turned(cards, up):
            lying = tuple([Face(*card) for card in cards])
            return ObservedFaces(LYING_OPEN, lying) if up else TurnedDown(lying)
        case Hinted():
            return Hint(event.at, event.to, event.zone, event.facts)
        case _:
            return event  # a `PublicEvent`: a type checker refuses any other that has no case


def held_by(by_card: bool, place: int, now: Sequence[Carried], seat: int, backs: Sequence[int]) -> Observation:
    """What ``seat`` is told of a variable of cards that it sees, see `Held`."""
    told = _carried(now, 1 << seat, backs)
    return ObservedTokens(place, told) if by_card else ObservedCards(place, _faces(told))


def _carried(entries: Sequence[Carried], bit: int, backs: Sequence[int]) -> tuple[Token, ...]:
    """Entries of a variable of cards as a seat is told them, in an order that does not tell hidden faces."""
    return tuple(
        sorted(
            [
                Token(
                    tuple([key if isinstance(key, int) else _named((key,), bit, backs)[0] for key in entry.keys]),
                    entry.value if isinstance(entry.value, int) else _named(entry.value, bit, backs),
                )
                for entry in entries
            ],
            key=Token.numbers,
        )
    )


def _faces(told: Sequence[Token]) -> tuple[Face, ...]:
    """The cards of a variable that has one entry."""
    (token,) = told
    return () if isinstance(token.value, int) else token.value


def _named(cards: Sequence[Named], bit: int, backs: Sequence[int]) -> tuple[Face, ...]:
    """Cards of a note as a seat is told them, in an order that does not tell hidden faces."""
    told = [Face(kind if seen & bit else hidden(kind, backs), zone, place) for kind, zone, place, seen in cards]
    return tuple(sorted(told))
