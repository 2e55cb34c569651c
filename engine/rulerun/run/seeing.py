"""What a choice may read: what is offered must not tell what is hidden from the seat that reads it: the one that is
asked, or whichever the planner names (see `planner.Planner`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulerun.ir.program import seats_by_word

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulerun.run.closures import Vector
    from rulerun.run.planner import Planner


def face_guard(plan: Planner, at: int) -> Callable[[Vector, int], int]:
    """Gives a card back; a fault unless the seat that reads it sees its face or knows its position."""
    seen_by, location, fault = plan.table.seen_by, plan.layout.loc_base, plan.faults["unseen_face"]
    zones, known = plan.program.zones, plan.layout.place_base if plan.knowledge else -1
    reader = plan.reader

    def seen(v: Vector, card: int) -> int:
        zone = v[location + card]
        seats = seen_by[zone] | (v[known + card] if known >= 0 else 0)
        if not seats >> v[reader] & 1:
            fault(at, f"P{v[reader] + 1}", zones[zone].name)
        return card

    return seen


def word_guard(plan: Planner, at: int) -> Callable[[Vector, int], None]:
    """A fault unless the seat that reads it sees a word of a state variable."""
    hidden, fault, variables = seats_by_word(plan.program), plan.faults["unseen_value"], plan.program.variables
    reader = plan.reader

    def see(v: Vector, word: int) -> None:
        if word in hidden and not hidden[word] >> v[reader] & 1:
            named = next(x.name for x in variables if x.offset <= word < x.offset + x.words and x.unit < 0)
            fault(at, f"P{v[reader] + 1}", named)

    return see
