"""When a player may take a choice back: only while the player has learnt nothing since, and nobody else has acted.

The seat's record may have grown since by its own choices and by what it was offered next, and by moves of cards whose
faces it saw before: they follow from its choice alone. A card turned up, a draw, a note, anybody else's being asked:
no way back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulerun.facts.events import Chose, Event, Moved, Offered, Swapped

if TYPE_CHECKING:
    from rulerun.game import State


def may_take_back(state: State, seat: int) -> bool:
    """Whether ``seat`` may undo the last choice that was made in the game."""
    if len(state) == 0:
        return False
    before = state.clone()
    before.undo()
    if before.seat != seat:
        return False
    return all(_harmless(state, event, seat) for event in state.events()[-1])


def _harmless(state: State, event: Event, seat: int) -> bool:
    zones = state.game.program.zones
    match event:
        case Chose() | Offered():
            return event.seat == seat
        case Moved():
            return bool(zones[event.source].seen >> seat & 1)
        case Swapped():
            return bool(zones[event.left_zone].seen >> seat & zones[event.right_zone].seen >> seat & 1)
        case _:
            return False
