"""What a seat can tell apart of cards by sight alone: their *names by sight*, see `ir.endings.Binder.by_sight`.

Imports facts, ir and run only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rulerun.facts.observations import back_classes
from rulerun.ir.program import CHOOSER, Program
from rulerun.ir.types import WORD_BITS
from rulerun.run.table import Table, Vector

Order = Callable[[Vector, Iterable[int]], Sequence[int]]
"""Puts cards in order."""


class Sight:
    """Names by sight of the cards of one program. Names are numbers whose order is that of the options."""

    def __init__(self, program: Program, table: Table) -> None:
        self._table = table
        self._kinds, self._location, self._face_up = program.kinds, program.layout.loc_base, program.face_up
        backs = back_classes(program)
        self._backs = [backs[kind] for kind in program.kinds]
        self._zones, self._places = program.layout.zones, program.layout.cards + 1
        self._classes = max(backs, default=0) + 1
        self._unseen = (max(program.kinds, default=0) + 1) * self._zones * self._places

    def sees(self, v: Vector, seat: int, card: int) -> bool:
        """Whether a seat sees a card's face where it lies."""
        if self._table.seen_by[v[self._location + card]] >> seat & 1:
            return True
        return self._face_up >= 0 and bool(v[self._face_up + card // WORD_BITS] >> card % WORD_BITS & 1)

    def name(self, v: Vector, card: int) -> int:
        """The name of a card as the seat that is asked sees it."""
        zone, place = v[self._location + card], self._table.position(v, card)
        if self.sees(v, v[CHOOSER], card):
            return (self._kinds[card] * self._zones + zone) * self._places + place + 1
        back = self._backs[card] if place < 0 else 0
        return self._unseen + (zone * self._places + place + 1) * self._classes + back

    def names(self, v: Vector, cards: Iterable[int]) -> tuple[int, ...]:
        """The names of the cards of a set, in order."""
        return tuple(sorted(self.name(v, card) for card in cards))

    def in_order(self, v: Vector, cards: Iterable[int]) -> list[int]:
        """Cards by their names; those with one name by number."""
        return [card for _, card in sorted((self.name(v, card), card) for card in cards)]

    def has_place(self, v: Vector, seat: int, card: int) -> bool:
        """Whether a card that a seat does not see is told by its zone and place; always, if it sees it."""
        return self.sees(v, seat, card) or self._table.position(v, card) >= 0

    def alike(self, v: Vector, seat: int, one: int, other: int) -> bool:
        """See `ir.nodes.Alike`."""
        if one == other:
            return True
        if v[self._location + one] != v[self._location + other] or self._backs[one] != self._backs[other]:
            return False
        return not self.has_place(v, seat, one) and not self.has_place(v, seat, other)
