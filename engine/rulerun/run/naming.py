"""How a choice is named in records and keys: kinds, places and values, never the number of a card.

Names of a card by where it was chosen from: out of an ordered zone its place; out of an unordered one its kind, where
the seat may know it; out of a set that spans zones ``zone * 4096`` plus its place, or plus 2048 and its kind, or plus
4095 less the class of its back. A set of cards is its size and the names in order.
"""

from __future__ import annotations

from rulerun.facts.domains import base_zone
from rulerun.facts.observations import HIDDEN, back_classes
from rulerun.facts.options import CardPick, Option
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import Identity
from rulerun.ir.program import MAX_CARDS, Program
from rulerun.ir.typing import element_type, is_card
from rulerun.run.sets import bits_of
from rulerun.run.table import Table

ACROSS = 4_096
"""Names out of a set of cards: so many per zone."""
KINDS_FROM = 2_048
UNKNOWN = 4_095
"""Less the class of the back, of which there are no more than kinds: so no kind is named like it."""

Vector = list[int]


class Naming:
    """Names options of one program."""

    def __init__(self, program: Program, table: Table) -> None:
        self.program = program
        self.table = table
        self.backs = back_classes(program)
        self.everyone = (1 << program.players) - 1

    def public(self, domain: ir.Domain, value: int) -> int:
        """What everyone is told of an element."""
        return self.program.kinds[value] if is_card(element_type(domain)) else value

    def key(self, v: Vector, choose: ir.Choose, option: Option, seat: int) -> tuple[int, ...]:
        """(line, then per binder the name that ``seat`` has for what would be stored)."""
        return self._named(v, choose, option, 1 << seat)[0]

    def for_others(
        self, v: Vector, choose: ir.Choose, option: Option, key: tuple[int, ...]
    ) -> tuple[tuple[int, ...], int]:
        """The key as seats get it who may not know its kinds, and the set of seats who may."""
        others, full = self._named(v, choose, option, 0)
        return (key if full == self.everyone else others), full

    def _named(self, v: Vector, choose: ir.Choose, option: Option, eyes: int) -> tuple[tuple[int, ...], int]:
        """The key with every kind hidden that none of the seats ``eyes`` may know; and the seats who may know all."""
        names = [option.line]
        full = self.everyone
        if option.line < 0:
            return tuple(names), full
        binders = choose.lines[option.line].binders
        for binder, value in zip(binders, option.values, strict=True):
            is_set = binder.identity in (Identity.MULTISET, Identity.GIVEN_SET) and not isinstance(option, CardPick)
            cards = bits_of(value) if is_set else [value]
            found = []
            for card in cards:
                name, known = self._name(v, binder, card, eyes)
                found.append(name)
                full &= known
            if is_set:
                names.append(len(found))
                found.sort()
            names += found
        return tuple(names), full

    def _name(self, v: Vector, binder: ir.Binder, value: int, eyes: int) -> tuple[int, int]:
        is_card_binder = is_card(element_type(binder.domain)) or binder.identity is Identity.GIVEN_SET
        if binder.identity is Identity.BY_POSITION or value < 0 or not is_card_binder:
            return value, self.everyone
        zone = v[self.program.layout.loc_base + value]
        place = self.table.position(v, value)
        if place >= 0:
            return (place if base_zone(binder.domain) is not None else zone * ACROSS + place), self.everyone
        seen = self.program.zones[zone].seen
        kind = self.program.kinds[value]
        if base_zone(binder.domain) is not None:
            return (kind if seen & eyes else HIDDEN - self.backs[kind]), seen
        return zone * ACROSS + (KINDS_FROM + kind if seen & eyes else UNKNOWN - self.backs[kind]), seen


def is_unknown(name: int) -> bool:
    """Whether a card out of a set that spans zones is named by its zone and back alone."""
    return name % ACROSS > UNKNOWN - MAX_CARDS
