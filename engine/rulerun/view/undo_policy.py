"""When a player may take a choice back: only while the player has learnt nothing since, and nobody else has acted.

The seat's record may have grown since by its own choice and by what it was offered next, and by moves of cards whose
faces it saw before. What it was offered must have followed from what it saw: where chance had a part in it, or the
rules looked at a face or a value that is hidden from the seat, there is no way back. Nor is there one after a card was
turned up, a draw, a note, a change of an open variable, or a question to anybody else. May not import check, syntax or
document.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulerun.facts.events import Became, Chose, Event, Moved, Offered, Swapped, observe
from rulerun.facts.faults import RulesFault
from rulerun.ir.program import RNG, Program
from rulerun.run.machine import Machine
from rulerun.view.table import Table


class UndoPolicy:
    """Judges choices of games of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._watched: Machine | None = None

    def may_undo(self, before: Sequence[int], index: int, events: Sequence[Event], seat: int) -> bool:
        """Whether ``seat`` may take back the choice of option ``index`` in the vector ``before``, from which
        ``events`` came."""
        if Table(self._program, before).chooser != seat:
            return False
        if not all(_teaches_nothing(self._program, event, seat) for event in events):
            return False
        return self._follows_from_seen(before, index, seat)

    def _follows_from_seen(self, before: Sequence[int], index: int, seat: int) -> bool:
        """Whether what followed needed neither chance nor anything that the seat does not see."""
        if self._watched is None:
            self._watched = Machine(self._program, knowledge=True, watched=True)
        vector = [*before, seat]
        try:
            self._watched.choose(vector, index)
        except RulesFault:
            return False
        return vector[RNG] == before[RNG]


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
        case Became():
            return observe(event, seat) is None
        case _:
            return False
