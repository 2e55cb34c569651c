"""When a player may take a choice back: only while the player has learnt nothing since, and nobody else has acted.

The seat's record may have grown since by its own choice and by what it was offered next, and by moves of cards whose
faces it saw before, unless chance had a part in what followed. A card turned up, a draw, a note, an open variable that
changed, anybody else's being asked: no way back. May not import check, syntax or document.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulerun.facts.events import Became, Chose, Event, Held, Moved, Offered, Swapped, observe
from rulerun.facts.observations import back_classes
from rulerun.ir.program import RNG, Program
from rulerun.view.table import Table


def may_undo(
    program: Program, before: Sequence[int], events: Sequence[Event], after: Sequence[int], seat: int
) -> bool:
    """Whether ``seat`` may take back the choice that led from the vector ``before`` to ``after`` by ``events``."""
    if Table(program, before).chooser != seat:
        return False
    if before[RNG] != after[RNG] and any(isinstance(event, Moved | Swapped) for event in events):
        return False  # which card went, and so what the seat now knows, may have been left to chance
    return all(_teaches_nothing(program, event, seat) for event in events)


def _teaches_nothing(program: Program, event: Event, seat: int) -> bool:
    """Whether an event after the seat's choice tells the seat nothing but what follows from the choice."""
    zones = program.zones
    match event:
        case Chose() | Offered():
            return event.seat == seat
        case Moved():
            return bool(zones[event.source].seen >> seat & 1)
        case Swapped():
            return bool(zones[event.left_zone].seen >> seat & zones[event.right_zone].seen >> seat & 1)
        case Became() | Held():
            return observe(event, seat, back_classes(program)) is None
        case _:
            return False
