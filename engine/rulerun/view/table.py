"""Reading a state vector: which card lies where, and what a seat's marks say. By the layout that `ir.program`
documents.

The one place of this floor that knows the layout; nothing here changes a vector. Card numbers are for this floor only.
May not import check, syntax, document or the executors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rulerun.ir.nodes import Choose
from rulerun.ir.program import (
    CHOOSER,
    PC,
    PLAYING,
    ZONE_COUNT,
    ZONE_GAP,
    ZONE_HEAD,
    ZONE_SET,
    Program,
)
from rulerun.ir.types import WORD_BITS
from rulerun.view.onlooker import ONLOOKER

UNDRAWN = -1
"""Stands for a place of a shuffled zone of which nobody has settled yet which card lies there."""


class Table:
    """One position, read only. Seats and places are counted from 0, HEAD (a pile's top, a row's first place) first."""

    __slots__ = ("_layout", "program", "vector")

    def __init__(self, program: Program, vector: Sequence[int]) -> None:
        self.program = program
        self.vector = vector
        self._layout = program.layout

    @property
    def is_over(self) -> bool:
        return self.vector[PC] == 0

    @property
    def chooser(self) -> int:
        """The seat that is asked, -1 if none."""
        return -1 if self.is_over else self.vector[CHOOSER]

    @property
    def playing(self) -> int:
        """The set of the seats in play."""
        return self.vector[PLAYING]

    @property
    def block(self) -> int:
        """The number of the block that waits for a choice."""
        return self.vector[PC]

    @property
    def asks_unheard(self) -> bool:
        """Whether a seat is asked and the others are not told that it is."""
        end = self.program.blocks[self.block].end
        return isinstance(end, Choose) and (end.sealed or end.silent)

    def zone_of(self, card: int) -> int:
        """The zone instance in which a card lies."""
        return self.vector[self._layout.loc_base + card]

    def ordered(self, zone: int) -> bool:
        return self.program.families[self.program.zones[zone].family].kind.ordered

    def count(self, zone: int) -> int:
        """How many cards lie in a zone, undrawn ones included."""
        if self.ordered(zone):
            return self.vector[self._layout.zone(zone) + ZONE_COUNT]
        return self._word_set(self._layout.zone(zone) + ZONE_SET).bit_count()

    def undrawn(self, zone: int) -> list[int]:
        """The cards of an ordered zone that lie in it in no settled order, by number."""
        return bits(self._word_set(self._layout.zone(zone) + ZONE_SET)) if self.ordered(zone) else []

    def cards(self, zone: int) -> list[int]:
        """The cards of a zone: an ordered one place by place from HEAD, `UNDRAWN` where unsettled; others by number."""
        layout, v = self._layout, self.vector
        base = layout.zone(zone)
        if not self.ordered(zone):
            return bits(self._word_set(base + ZONE_SET))
        places = [UNDRAWN] * v[base + ZONE_GAP]
        card = v[base + ZONE_HEAD] - 1
        while card >= 0:
            places.append(card)
            places.extend([UNDRAWN] * v[layout.gap_base + card])
            card = v[layout.next_base + card] - 1
        return places

    def place_of(self, card: int) -> int:
        """The place of a card in its ordered zone, from HEAD from 0; -1 in an unordered one, or while it is undrawn."""
        zone = self.zone_of(card)
        if not self.ordered(zone):
            return -1
        places = self.cards(zone)
        return places.index(card) if card in places else -1

    def sees_zone(self, seat: int, zone: int) -> bool:
        """Whether every face in the zone is open to the seat (to an onlooker: to all seats)."""
        return self._has(self.program.zones[zone].seen, seat)

    def marked(self, seat: int, card: int) -> bool:
        """Whether the seat knows the face of this card at its place, by a place mark."""
        return self._has(self.vector[self._layout.place_base + card], seat)

    def knows(self, seat: int, card: int) -> bool:
        """Whether the seat knows this very card where it lies: it sees the zone, or holds a place mark."""
        return self.sees(seat, card) or (self.ordered(self.zone_of(card)) and self.marked(seat, card))

    def sees(self, seat: int, card: int) -> bool:
        """Whether the seat sees the face of this card: it sees the zone, or the card lies face up."""
        return self.sees_zone(seat, self.zone_of(card)) or self.lies_open(card)

    def lies_open(self, card: int) -> bool:
        """Whether a card lies face up for all in a zone that not everyone sees."""
        first = self.program.face_up
        return first >= 0 and bool(self.vector[first + card // WORD_BITS] >> card % WORD_BITS & 1)

    def sees_value(self, seat: int, seen: int) -> bool:
        """Whether the seat is among those who see a word of the state (an onlooker: whether all are)."""
        return self._has(seen, seat)

    def _has(self, seats: int, seat: int) -> bool:
        """Whether a seat is in a set of seats; for an onlooker, whether all are."""
        if seat == ONLOOKER:
            every = (1 << self.program.players) - 1
            return seats & every == every
        return bool(seats >> seat & 1)

    def at_least(self, seat: int, zone: int) -> Counter[int]:
        """Per kind how many cards at least the seat knows to lie in the zone, besides those at places that it knows."""
        kinds = self.program.kinds
        return Counter(kinds[card] for card in bits(self._word_set(self._layout.member(seat, zone))))

    def digest(self, seat: int) -> int:
        """The rolling digest of the seat's record, 0 .. 2**64-1."""
        return self.vector[self._layout.digest_base + seat] & (2**64 - 1)

    def _word_set(self, offset: int) -> int:
        result = 0
        for i in range(self._layout.words_per_set):
            result |= self.vector[offset + i] << (WORD_BITS * i)
        return result


def bits(value: int) -> list[int]:
    """The numbers of the bits that are set, lowest first."""
    result = []
    while value:
        low = value & -value
        result.append(low.bit_length() - 1)
        value ^= low
    return result
