"""Supposed hands: a vector changed so that an unordered zone holds other cards, to ask what a step would have told
then.

Only for asking, and only for one step: what is taken out lies nowhere, what is put in lies where it was as well, so
that no other zone is changed by the supposition; but it is undrawn no more, or it might be drawn into a chain that it
is moved out of. May not import check, syntax, document or the executors."""

from __future__ import annotations

from collections.abc import Sequence

from rulerun.ir.program import ZONE_COUNT, ZONE_SET, Program
from rulerun.ir.types import WORD_BITS
from rulerun.view.table import Table


class Supposer:
    """Puts supposed cards into the unordered zone ``zone`` of a position."""

    def __init__(self, program: Program, vector: Sequence[int], zone: int) -> None:
        self.program = program
        self.vector = vector
        self.zone = zone
        self.table = Table(program, vector)
        self.count = self.table.count(zone)
        """How many cards lie in the zone in truth."""
        undrawn = {card for n in range(len(program.zones)) for card in self.table.undrawn(n)}
        self._loose: dict[int, int] = {}
        for card, kind in enumerate(program.kinds):
            if card in undrawn or not self.table.ordered(self.table.zone_of(card)):
                self._loose.setdefault(kind, card)

    def with_cards(self, wanted: Sequence[int]) -> list[int] | None:
        """A vector where the zone holds one card of each kind ``wanted`` and no other. None if no card of a kind can
        lie in the zone."""
        v = list(self.vector)
        held = 0
        for kind in wanted:
            card = self._loose.get(kind, -1)
            if card < 0 or held >> card & 1:
                return None
            held |= 1 << card
            self._draw(v, card)
            v[self.program.layout.loc_base + card] = self.zone
        base = self.program.layout.zone(self.zone)
        for i in range(self.program.layout.words_per_set):
            v[base + ZONE_SET + i] = held >> (WORD_BITS * i) & ((1 << WORD_BITS) - 1)
        v[base + ZONE_COUNT] = held.bit_count()
        return v

    def _draw(self, v: list[int], card: int) -> None:
        """Takes a card out of the undrawn ones of an ordered zone, if it is among them; its place stays."""
        zone = self.table.zone_of(card)
        if self.table.ordered(zone):
            base = self.program.layout.zone(zone)
            v[base + ZONE_SET + card // WORD_BITS] &= ~(1 << card % WORD_BITS)
