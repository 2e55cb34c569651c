"""Supposed hands: a vector changed so that an unordered zone holds other cards, to ask what a step would have told
then.

Only for asking, and only for one step: what is taken out lies nowhere, what is put in lies where it was as well, so
that no other zone is changed by the supposition. May not import check, syntax, document or the executors."""

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
        table = Table(program, vector)
        undrawn = {card for n in range(len(program.zones)) for card in table.undrawn(n)}
        self._loose: dict[int, int] = {}
        for card, kind in enumerate(program.kinds):
            if card in undrawn or not table.ordered(table.zone_of(card)):
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
            v[self.program.layout.loc_base + card] = self.zone
        self._set(v, self.zone, held)
        return v

    def _set(self, v: list[int], zone: int, cards: int) -> None:
        base = self.program.layout.zone(zone)
        for i in range(self.program.layout.words_per_set):
            v[base + ZONE_SET + i] = cards >> (WORD_BITS * i) & ((1 << WORD_BITS) - 1)
        v[base + ZONE_COUNT] = cards.bit_count()
