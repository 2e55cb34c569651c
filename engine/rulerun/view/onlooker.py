"""Who a story is for: a seat, one who looks on at the table, or one who knows all; and what each is told of an event.

An onlooker is told what every seat is told, and nothing else. May not import check, syntax or document.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from rulerun.facts.events import (
    Announced,
    Became,
    Carried,
    Chose,
    Event,
    Held,
    Hinted,
    Moved,
    Named,
    Offered,
    Picked,
    Shown,
    Swapped,
    Turned,
    observe,
)
from rulerun.facts.observations import (
    Chance,
    Face,
    Observation,
    ObservedChoice,
    ObservedFaces,
    ObservedMove,
    ObservedSwap,
    ObservedValue,
)
from rulerun.ir.program import Program

ONLOOKER = 61
"""Stands for the onlooker where a seat is asked for. No game has so many seats."""


def observed_by(event: Event, eyes: int | None, program: Program, backs: Sequence[int]) -> Observation | None:
    """What is told of an event to the seat ``eyes``, to the `ONLOOKER`, or (None) to one who knows all; None: nothing.
    """
    if eyes is None:
        return _everything(event, backs)
    if eyes != ONLOOKER:
        return observe(event, eyes, backs)
    return _in_public(event, program, backs)


def _in_public(event: Event, program: Program, backs: Sequence[int]) -> Observation | None:
    """What every seat is told. Not a face that goes from one seat's eyes to another's: each sees it, the table does
    not."""
    all_seats = (1 << program.players) - 1

    def common(seats: int) -> int:
        return 1 << ONLOOKER if seats & all_seats == all_seats else 0

    def in_sight(seen: int, *zones: int) -> int:
        sees = [program.zones[zone].seen & all_seats for zone in zones]
        together = 0
        for seats in sees:
            together |= seats
        return common(seen) if all_seats in sees or together != all_seats else 0

    match event:
        case Moved():
            event = replace(
                event,
                seen=in_sight(event.seen, event.source, event.target),
                source_told=common(event.source_told),
                target_told=common(event.target_told),
            )
        case Swapped():
            zones = (event.left_zone, event.right_zone)
            event = replace(
                event, left_seen=in_sight(event.left_seen, *zones), right_seen=in_sight(event.right_seen, *zones)
            )
        case Chose():
            full = event.full | 1 << event.seat
            event = replace(event, full=common(full), told=common(event.told | full), heard=common(event.heard))
        case Shown(cards, to, _, aside):
            if aside and not common(to):
                return None
            zone_seen = [common(program.zones[zone].seen) for _, zone, _ in cards]
            public = replace(event, to=common(to), seen=tuple(common(to) | seen for seen in zone_seen), aside=False)
            shown = observe(public, ONLOOKER, backs)
            return replace(shown, seats=to) if isinstance(shown, ObservedFaces) else None
        case Became() | Picked():
            event = replace(event, seen=common(event.seen))
        case Announced():
            event = replace(event, values=tuple(_named(value, common) for value in event.values))
        case Held():
            event = replace(_held(event, common), seen=common(event.seen))
        case Offered() | Turned() | Hinted():
            pass
        case _:
            return event
    return observe(event, ONLOOKER, backs)


def _everything(event: Event, backs: Sequence[int]) -> Observation | None:
    """The whole truth, but for what each seat is told of its own."""
    match event:
        case Moved(kind, source, source_place, target, target_place):
            return ObservedMove(kind, source, source_place, target, target_place)
        case Swapped():
            return ObservedSwap(
                Face(event.left_kind, event.left_zone, event.left_place),
                Face(event.right_kind, event.right_zone, event.right_place),
            )
        case Chose(seat, site, key):
            return ObservedChoice(seat, site, key)
        case Shown(cards, to, _, aside):
            return None if aside else ObservedFaces(to, tuple(Face(*card) for card in cards))
        case Became(place, value):
            return ObservedValue(place, value)
        case Picked(at, value):
            return Chance(at, value)
        case Announced():
            public = replace(event, values=tuple(_named(value, lambda _: 1 << ONLOOKER) for value in event.values))
            return observe(public, ONLOOKER, backs)
        case Held():
            return observe(replace(_held(event, lambda _: 1 << ONLOOKER), seen=-1), ONLOOKER, backs)
        case Offered():
            return None
        case Turned() | Hinted():
            return observe(event, ONLOOKER, backs)
        case _:
            return event


def _held(event: Held, seen: Callable[[int], int]) -> Held:
    """What a variable holds of cards, with other seats that know them."""

    def entries(carried: tuple[Carried, ...]) -> tuple[Carried, ...]:
        return tuple(
            Carried(
                tuple(key if isinstance(key, int) else key._replace(seen=seen(key.seen)) for key in entry.keys),
                _named(entry.value, seen),
            )
            for entry in carried
        )

    return replace(event, before=None if event.before is None else entries(event.before), now=entries(event.now))


def _named(value: int | tuple[Named, ...], seen: Callable[[int], int]) -> int | tuple[Named, ...]:
    """A value of a note with other seats that know the cards in it."""
    return value if isinstance(value, int) else tuple(card._replace(seen=seen(card.seen)) for card in value)
