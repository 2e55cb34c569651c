"""When a player may take a choice back: only while the player has learnt nothing since, and nobody else has acted.

The seat's record may have grown since by its own choice and by what it was offered next, and by moves of cards whose
faces it saw before. A card turned up, a draw, a note, an open variable that changed, anybody else's being asked: no way
back. Nor is there one if what was told was decided by something that the seat does not know, or might have been: else
it could try, look, and try again. That is found by going the way again, block by block: each says by what secrets it
is decided (`ir.Block.closed`). As long as none of them is unknown to the seat, the way was the only one that it could
have expected, so whether it may take back is itself a function of its record. May not import check, syntax or document.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulerun.facts.events import Became, Chose, Event, Held, Moved, Offered, Swapped, observe
from rulerun.facts.observations import back_classes
from rulerun.ir.nodes import Choose, Draw, Pick
from rulerun.ir.program import CHOOSER, PC, RNG, Program
from rulerun.run.machine import Machine
from rulerun.view.table import Table


def may_undo(
    machine: Machine, before: list[int], index: int, events: Sequence[Event], after: Sequence[int], seat: int
) -> bool:
    """Whether ``seat`` may take back the choice of option ``index`` that led from the vector ``before`` to ``after`` by
    ``events``."""
    program = machine.program
    if Table(program, before).chooser != seat:
        return False
    if before[RNG] != after[RNG]:
        return False  # which card went, and so what the seat now knows, may have been left to chance
    if not all(_teaches_nothing(program, event, seat) for event in events):
        return False
    return _is_open(program, before, before[PC], seat) and machine.retrace(
        before, index, lambda v, block: _is_open(program, v, block, seat)
    )


def _is_open(program: Program, v: Sequence[int], number: int, seat: int) -> bool:
    """Whether a seat knows by what a block decides what is told. Chance decides by nothing that anybody knows, and
    whether somebody else has an option may not be known either."""
    block = program.blocks[number]
    if isinstance(block.end, Draw | Pick) or block.closed is None:
        return False
    if isinstance(block.end, Choose) and v[PC] == number and v[CHOOSER] != seat:
        return False
    return all(any(v[place] == seat for place in places) for places in block.closed)


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
