"""What chance means: drawing an undrawn card, and picking one element of a domain.

With explicit chance the machine stops where there is more than one outcome. Imports facts, ir and run only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulerun.facts.domains import base_zone
from rulerun.facts.events import Picked
from rulerun.facts.rng import below
from rulerun.ir import nodes as ir
from rulerun.ir.program import seats_by_word
from rulerun.ir.typing import element_type, is_card
from rulerun.run.places import always, as_value, place_address, put_in, spot_of, zone
from rulerun.run.sets import bits_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulerun.run.closures import Registers, Value, Vector, Way
    from rulerun.run.planner import Planner

_NOWHERE = 2**30
"""A place that no zone has."""


def spot_drawn(plan: Planner, draw: ir.Draw) -> Value:
    """The spot of a draw. One that does not exist is a fault, unless the draw says what happens then."""
    if not isinstance(draw.spot, ir.Depth) or draw.empty is None:
        return spot_of(plan, draw.spot, draw.zone, draw.at, beyond=0)
    index = plan.value(draw.spot.index)
    return lambda v, r: depth if (depth := index(v, r)) >= 0 else _NOWHERE


def draw(plan: Planner, number: int, end: ir.Draw) -> Way:
    """Plans a draw."""
    instance, spot_at, put = zone(plan, end.zone), spot_drawn(plan, end), put_in(plan, end.into)
    table, then, empty, at, explicit = plan.table, end.next, end.empty, end.at, plan.explicit_chance
    nothing, zones = plan.faults["nothing_there"], plan.program.zones
    family = plan.program.families[end.zone.family].name

    def drawn(v: Vector, r: Registers) -> int:
        where = instance(v, r)
        spot = spot_at(v, r)
        if explicit and table.is_chance(v, where, spot):
            return ~number
        card = table.draw(v, where, spot)
        if card >= 0:
            put(v, r, card)
            return then
        if empty is None:
            nothing(at, zones[where].name, family)
            return 0
        return empty

    return drawn


def pick(plan: Planner, number: int, end: ir.Pick) -> Way:
    """Plans a pick."""
    elements, put = plan.elements(end.domain, end.fuel, end.at), put_in(plan, end.into)
    then, empty, at, explicit = end.next, end.empty, end.at, plan.explicit_chance
    nothing = plan.faults["nothing_to_pick"]
    tell = telling_pick(plan, end)

    def picked(v: Vector, r: Registers) -> int:
        found = list(elements(v, r))
        if not found:
            if empty is None:
                nothing(at)
                return 0
            return empty
        if explicit and len(found) > 1:
            return ~number
        element = found[below(v, len(found))]
        put(v, r, element)
        if tell is not None:
            tell(v, r, element)
        return then

    return picked


def telling_pick(plan: Planner, end: ir.Pick) -> Callable[[Vector, Registers, int], None] | None:
    """Tells what was picked, a card as its kind; None if nobody is told."""
    teller, kinds, at = plan.teller, plan.program.kinds, end.at
    if teller is None or not end.told:
        return None
    to, of_card = told_of_pick(plan, end), is_card(element_type(end.domain))

    def tell(v: Vector, r: Registers, element: int) -> None:
        teller.tell(v, Picked(at, kinds[element] if of_card and element >= 0 else element, to(v, r)))

    return tell


def told_of_pick(plan: Planner, end: ir.Pick) -> Value:
    """The set of seats that are told what is picked: all (-1), none, or those that see the place where it is kept."""
    if not end.told or end.kept is None:
        return always(-1 if end.told else 0)
    word, hidden = as_value(place_address(plan, end.kept)), seats_by_word(plan.program)
    return lambda v, r: hidden.get(word(v, r), -1)


class Chance:
    """The chance that a block may stop for: what may come, and how it goes on. ``registers`` is how many locals
    its procedure has."""

    def __init__(self, plan: Planner, end: ir.Draw | ir.Pick, registers: int) -> None:
        self.end = end
        self._kinds = plan.program.kinds
        self._table = plan.table
        self._registers = registers
        self._put = put_in(plan, end.into)
        if isinstance(end, ir.Draw):
            self._zone, self._spot = zone(plan, end.zone), spot_drawn(plan, end)
            self._merges = True
        else:
            self._elements, self._tell = plan.elements(end.domain, 0, end.at), telling_pick(plan, end)
            self._told = told_of_pick(plan, end)
            ref = base_zone(end.domain)
            self._merges = ref is not None and not plan.program.families[ref.family].kind.ordered

    def drawn_from(self, v: Vector) -> tuple[int, int]:
        """The zone and the spot of a draw."""
        r = [0] * self._registers
        return self._zone(v, r), self._spot(v, r)

    def told(self, v: Vector) -> int:
        """The set of seats that are told what a pick gives."""
        return self._told(v, [0] * self._registers)

    def outcomes(self, v: Vector) -> list[tuple[int, int]]:
        """What may come, with weights. Equal kinds come together where nothing tells the cards apart; the lowest card
        stands for them."""
        if isinstance(self.end, ir.Draw):
            items = bits_of(self._table.undrawn_set(v, self.drawn_from(v)[0]))
        else:
            items = list(self._elements(v, [0] * self._registers))
        if not self._merges:
            return [(item, 1) for item in items]
        alike: dict[int, list[int]] = {}
        for card in items:
            alike.setdefault(self._kinds[card], []).append(card)
        return sorted((min(cards), len(cards)) for cards in alike.values())

    def give(self, v: Vector, value: int) -> int:
        """Lets ``value`` come; the block to go on with."""
        if isinstance(self.end, ir.Draw):
            value = self._table.draw_as(v, *self.drawn_from(v), value)
        elif self._tell is not None:
            self._tell(v, [0] * self._registers, value)
        self._put(v, [0] * self._registers, value)
        return self.end.next
