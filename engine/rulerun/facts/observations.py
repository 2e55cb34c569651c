"""What happens at the table, told so that each seat can be given its own form of it.

The reference executor in its telling mode appends these to its log. An event holds the whole truth;
`told` turns it into what one seat is told: a tuple of plain numbers, the same in every executor, which is what a
seat's *record* is made of and what its digest is rolled over. Two events that a seat cannot tell apart give equal
tuples. Nothing that leaves this floor names a card number: a face is told as its kind, a place as its position.

Zones are instances, places are counted from HEAD from 0 (-1 in an unordered zone, or where the seat may not know),
sets of seats are bit sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from rulerun.ir.program import Program

HIDDEN = -1
"""Stands for a kind that a seat is not told. A hidden face whose back is of class b is told as ``HIDDEN - b``."""

LYING_OPEN = -1
"""In the place of the seats to whom faces were shown: all of them, since the cards now lie face up."""


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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Exchanged:
    """Two zones changed their contents. Faces that a seat newly sees follow as `Shown`."""

    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Collected:
    """All cards of ``source`` (-1: of the game) came to ``target``, in no order."""

    source: int
    target: int
    count: int


@dataclass(frozen=True, slots=True)
class Shuffled:
    zone: int


@dataclass(frozen=True, slots=True)
class Refilled:
    zone: int
    source: int
    count: int
    shuffled: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """Faces were shown to the seats ``to``: kind, zone and place of each card. ``seen``: per card the seats that see or
    know its face already, who see which card it is that the others are shown (empty: nobody)."""

    cards: tuple[tuple[int, int, int], ...]
    to: int
    seen: tuple[int, ...] = ()
    aside: bool = False
    """Told to ``to`` alone: faces that they see because of where the cards now lie."""


@dataclass(frozen=True, slots=True)
class Turned:
    """Cards came to lie face up where they are, or face down: kind, zone and place of each. Everyone is told their
    kinds: what lay face up was seen by all. That cards are turned down by being moved, or by their zone losing its
    order, is not told: it follows from what is told of that."""

    cards: tuple[tuple[int, int, int], ...]
    up: bool


@dataclass(frozen=True, slots=True)
class Said:
    """A note: the `Announce` at origin ``at`` with the values of its parts (told to all alike)."""

    at: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Offered:
    """A seat was asked: the choice site, and the key of every option (see `Chose`), in order. Told to that seat; the
    others are told that it was asked, and where."""

    seat: int
    site: int
    keys: tuple[tuple[int, ...], ...]
    sealed: bool


@dataclass(frozen=True, slots=True)
class Chose:
    """A choice. ``key``: (line, then per binder what it stored as the chooser may name it); line -1 is a pass, -2
    "done" of a set picked card by card. ``others``: the same as a seat not in ``full`` is told it (kinds that it may
    not know are HIDDEN). ``full``: seats told the whole key. ``told``: seats told anything beyond that a choice was
    made."""

    seat: int
    site: int
    key: tuple[int, ...]
    others: tuple[int, ...]
    full: int
    told: int


@dataclass(frozen=True, slots=True)
class Chance:
    """A `Pick` with ``told``: which player, number or enum value chance gave."""

    at: int
    value: int


@dataclass(frozen=True, slots=True)
class Left:
    """A player left the game."""

    seat: int


@dataclass(frozen=True, slots=True)
class Rejoined:
    """Players who were out are in the game again: a set of seats."""

    seats: int


@dataclass(frozen=True, slots=True)
class Reversed:
    """The direction of play turned round; it is ``direction`` now (1 clockwise, -1 counter-clockwise)."""

    direction: int


@dataclass(frozen=True, slots=True)
class Facts:
    """The seats ``to`` were told facts, and everyone heard it: the `Inform` at origin ``at``. ``zone`` -1: one fact;
    an ordered zone: one per place from HEAD; an unordered one: how many hold. ``passing``: the kinds of which the fact
    holds, where it depends on a card's kind alone (told to nobody: for the search of worlds)."""

    at: int
    to: int
    zone: int
    facts: tuple[int, ...]
    passing: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """What is told by the `Facts` that follow, said aloud: of which ``kinds`` it holds, of those there are. Only where
    the rules work that out from what is printed on a card and from what is not hidden (see `run.effects`): it is what
    conclusions are drawn from."""

    zone: int
    kinds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Became:
    """A state variable's word ``place`` became ``value``; ``seen``: the seats that see it. The others are told nothing,
    not even that something changed. Where no `seen_by` says otherwise all see it, so whoever lets hidden cards count
    into such a variable has said it aloud; that it is told makes every view a function of the record. Variables that
    hold cards are not told of: a card in them is named as each seat may see it."""

    place: int
    value: int
    seen: int = -1
    """A set of seats; -1: all of them."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over; what is public then (scores, winners) is told to all."""

    scores: tuple[int, ...]
    winners: int


Event = (
    Moved
    | Swapped
    | Exchanged
    | Collected
    | Shuffled
    | Refilled
    | Shown
    | Turned
    | Said
    | Offered
    | Chose
    | Chance
    | Ended
    | Left
    | Rejoined
    | Reversed
    | Asked
    | Facts
    | Became
)
Told = tuple[int, ...]


def told(event: Event, seat: int, backs: Sequence[int] = ()) -> Told | None:
    """What ``seat`` is told of an event; None if nothing at all. The first number names the sort of event.

    ``backs`` are the `back_classes` of the program: backs are always seen, so a hidden face that moves tells its back.
    Empty: all backs are alike.
    """
    bit = 1 << seat
    match event:
        case Moved():
            return (
                1,
                event.kind if event.seen & bit else _hidden(event.kind, backs),
                event.source,
                event.source_place if event.source_told & bit else -1,
                event.target,
                event.target_place if event.target_told & bit else -1,
            )
        case Swapped():
            return (
                2,
                event.left_kind if event.left_seen & bit else _hidden(event.left_kind, backs),
                event.left_zone,
                event.left_place,
                event.right_kind if event.right_seen & bit else _hidden(event.right_kind, backs),
                event.right_zone,
                event.right_place,
            )
        case Exchanged(left, right):
            return (3, left, right)
        case Collected(source, target, count):
            return (4, source, target, count)
        case Shuffled(zone):
            return (5, zone)
        case Refilled(zone, source, count, shuffled):
            return (6, zone, source, count, int(shuffled))
        case Shown(cards, to, seen, aside):
            if aside and not to & bit:
                return None
            flat: list[int] = [7, to]
            for i, (kind, zone, place) in enumerate(cards):
                open_ = (to | seen[i] if seen else to) & bit
                flat += (kind if open_ else _hidden(kind, backs), zone, place)
            return tuple(flat)
        case Turned(cards, up):
            faces = tuple(number for card in cards for number in card)
            return (7, LYING_OPEN, *faces) if up else (17, *faces)
        case Said(at, values):
            return (8, at, *values)
        case Offered():
            if event.seat != seat:
                return None if event.sealed else (9, event.seat, event.site)
            keys: list[int] = [9, seat, event.site, len(event.keys)]
            for key in event.keys:
                keys += (len(key), *key)
            return tuple(keys)
        case Chose():
            if event.full & bit or event.seat == seat:
                return (10, event.seat, event.site, *event.key)
            if event.told & bit:
                return (10, event.seat, event.site, *event.others)
            return (10, event.seat, event.site)
        case Chance(at, value):
            return (11, at, value)
        case Ended(scores, winners):
            return (12, winners, *scores)
        case Left(who):
            return (13, who)
        case Rejoined(seats):
            return (18, seats)
        case Reversed(direction):
            return (14, direction)
        case Asked(zone, asked):
            return (19, zone, *asked)
        case Facts(at, to, zone, facts):
            return (15, at, to, zone, *facts)
        case Became(place, value, seen):
            return (16, place, value) if seen & bit else None
        case _:
            assert_never(event)


def _hidden(kind: int, backs: Sequence[int]) -> int:
    return HIDDEN - backs[kind] if backs else HIDDEN
