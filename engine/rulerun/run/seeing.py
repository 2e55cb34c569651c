"""What a choice may read: what is offered must not tell what is hidden from the seat that is asked (header CHOOSER)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulerun.ir.program import CHOOSER, seats_by_word

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulerun.run.closures import Vector
    from rulerun.run.planner import Planner


def face_guard(plan: Planner, at: int) -> Callable[[Vector, int], int]:
    """Gives a card back; a fault unless the seat that is asked sees its face or knows its position."""
    seen_by, location, fault = plan.table.seen_by, plan.layout.loc_base, plan.faults["unseen_face"]
    zones, known = plan.program.zones, plan.layout.place_base if plan.knowledge else -1

    def seen(v: Vector, card: int) -> int:
        zone = v[location + card]
        seats = seen_by[zone] | (v[known + card] if known >= 0 else 0)
        if not seats >> v[CHOOSER] & 1:
            fault(at, f"P{v[CHOOSER] + 1}", zones[zone].name)
        return card

    return seen


def word_guard(plan: Planner, at: int) -> Callable[[Vector, int], None]:
    """A fault unless the seat that is asked sees a word of a state variable."""
    hidden, fault, variables = seats_by_word(plan.program), plan.faults["unseen_value"], plan.program.variables

    def see(v: Vector, word: int) -> None:
        if word in hidden and not hidden[word] >> v[CHOOSER] & 1:
            named = next(x.name for x in variables if x.offset <= word < x.offset + x.words and x.unit < 0)
            fault(at, f"P{v[CHOOSER] + 1}", named)

    return see
