"""Supposed hands: a vector changed so that an unseen, unordered zone holds other cards, to ask what could be chosen
then.

Only for asking: the places of what is taken out are not told by any record. Every card stays in exactly one zone, so
that the rules can be run on. May not import check, syntax, document or the executors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rulerun.ir.program import ZONE_COUNT, ZONE_GAP, ZONE_SET, ZONE_TAIL, Program
from rulerun.ir.types import WORD_BITS
from rulerun.view.table import Table


class Supposer:
    """Puts supposed cards into the zone ``zone`` (unordered) of a position; what it takes out goes where ``seat`` sees
    nothing."""

    def __init__(self, program: Program, vector: Sequence[int], zone: int, seat: int) -> None:
        self.program = program
        self.vector = vector
        self.zone = zone
        self._table = Table(program, vector)
        self._away = self._hiding_place(seat)

    def _hiding_place(self, seat: int) -> int:
        """The zone that cards taken out go to: the largest that the seat does not see and that needs no places told."""
        table = self._table
        fit = [
            n
            for n in range(len(self.program.zones))
            if n != self.zone and not table.sees_zone(seat, n) and (not table.ordered(n) or table.undrawn(n))
        ]
        return max(fit, key=lambda n: (table.ordered(n), table.count(n), -n), default=-1)

    def with_cards(self, sure: Counter[int], extra: int | None) -> list[int] | None:
        """A vector where the zone holds only cards of the kinds ``sure`` (all of which lie in it) and, if given, one
        more of kind ``extra`` from elsewhere. None if that cannot be made."""
        left = Counter(sure)
        spare = []
        kinds = self.program.kinds
        for card in self._table.cards(self.zone):
            if left[kinds[card]] > 0:
                left[kinds[card]] -= 1
            elif extra is not None and kinds[card] == extra:
                extra = None
            else:
                spare.append(card)
        v = list(self.vector)
        if extra is not None:
            if not spare:
                return None
            source = self._elsewhere(extra)
            if source is None:
                return None
            self._exchange(v, spare.pop(), source)
        if spare and self._away < 0:
            return None
        for card in spare:
            self._take_out(v, card)
        return v

    def _elsewhere(self, kind: int) -> int | None:
        """A card of the kind in no settled place outside the zone."""
        for card, of in enumerate(self.program.kinds):
            if of == kind:
                zone = self._table.zone_of(card)
                if zone != self.zone and (not self._table.ordered(zone) or card in self._table.undrawn(zone)):
                    return card
        return None

    def _exchange(self, v: list[int], mine: int, theirs: int) -> None:
        other = v[self.program.layout.loc_base + theirs]
        self._put(v, mine, other)
        self._put(v, theirs, self.zone)
        self._clear(v, mine, self.zone)
        self._clear(v, theirs, other)

    def _take_out(self, v: list[int], card: int) -> None:
        layout = self.program.layout
        base = layout.zone(self._away)
        self._clear(v, card, self.zone)
        self._put(v, card, self._away)
        v[layout.zone(self.zone) + ZONE_COUNT] -= 1
        v[base + ZONE_COUNT] += 1
        if self._table.ordered(self._away):
            tail = v[base + ZONE_TAIL] - 1
            v[base + ZONE_GAP if tail < 0 else layout.gap_base + tail] += 1

    def _put(self, v: list[int], card: int, zone: int) -> None:
        layout = self.program.layout
        v[layout.zone(zone) + ZONE_SET + card // WORD_BITS] |= 1 << card % WORD_BITS
        v[layout.loc_base + card] = zone

    def _clear(self, v: list[int], card: int, zone: int) -> None:
        v[self.program.layout.zone(zone) + ZONE_SET + card // WORD_BITS] &= ~(1 << card % WORD_BITS)
