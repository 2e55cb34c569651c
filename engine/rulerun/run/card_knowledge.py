"""What each seat knows of cards in zones that it does not see, as words of the state vector.

There are two sorts of knowledge, and both are functions of what the seat was told:

* a *known position*, bit s of ``v[place_base + card]``: seat s knows the face at the place where the card lies
  (drawn, in an ordered zone);
* a *known count* m of kind k, for seat s and zone z: at least m cards of kind k lie in z, beside those whose positions
  s knows. It is kept as the m lowest card numbers of the kind: a set, W words for each seat and zone.

A seat that sees a zone has no knowledge of this kind there. Nothing is kept of what the ruleset alone says (how the
cards lie at the start; that all of them are in one zone after a ``collect all``). This module changes single facts;
what happens when is `knowledge`. Imports facts, ir and `sets` only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from rulerun.facts.observations import back_classes
from rulerun.ir.program import Program
from rulerun.ir.types import WORD_BITS
from rulerun.run.sets import bits_of

Vector = list[int]
_WORD = (1 << WORD_BITS) - 1


class CardKnowledge:
    """Reads and changes what seats know in the vectors of one program. Seats, zones and kinds are numbers, sets of
    seats or cards one number each."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.place_base = program.layout.place_base
        self.kinds = program.kinds
        self.backs = back_classes(program)
        """Per kind the class of its back."""
        of_kind = [0] * len(program.kind_names)
        for card, kind in enumerate(program.kinds):
            of_kind[kind] |= 1 << card
        self._of_kind = tuple(of_kind)
        self._other_backs = tuple(
            sum(cards for kind, cards in enumerate(of_kind) if self.backs[kind] != back) for back in range(len(of_kind))
        )
        """Per class of backs the cards with another back."""

    # ----------------------------------------------------------------- positions

    def seats_at(self, v: Vector, card: int) -> int:
        """The seats that know the position of a card."""
        return v[self.place_base + card]

    def positions_to_counts(self, v: Vector, seats: int, zone: int, cards: Iterable[int]) -> None:
        """Seats lose the positions of these cards (of an ordered zone), and keep what they know as counts there."""
        lost: dict[int, list[int]] = {}
        for card in cards:
            knowing = v[self.place_base + card] & seats
            v[self.place_base + card] ^= knowing
            for seat in bits_of(knowing):
                lost.setdefault(seat, []).append(self.kinds[card])
        for seat, kinds in lost.items():
            self.add(v, seat, zone, kinds)

    # -------------------------------------------------------------------- counts

    def counted(self, v: Vector, seat: int, zone: int) -> int:
        """The known counts of a seat in a zone, as the set of lowest card numbers."""
        at = self.program.layout.member(seat, zone)
        found = 0
        for i in range(self.program.layout.words_per_set - 1, -1, -1):
            found = found << WORD_BITS | v[at + i]
        return found

    def set_counted(self, v: Vector, seat: int, zone: int, counted: int) -> None:
        """Puts other counts in the place of those of a seat in a zone."""
        at = self.program.layout.member(seat, zone)
        for i in range(at, at + self.program.layout.words_per_set):
            v[i] = counted & _WORD
            counted >>= WORD_BITS

    def counts(self, v: Vector, seat: int, zone: int) -> list[tuple[int, int]]:
        """(kind, m) of every known count, lowest kind first."""
        return sorted(Counter(self.kinds[card] for card in bits_of(self.counted(v, seat, zone))).items())

    def add(self, v: Vector, seat: int, zone: int, kinds: Iterable[int]) -> None:
        """One more card of each of the kinds (of a kind as often as it is named)."""
        counted = self.counted(v, seat, zone)
        for kind in kinds:
            free = self._of_kind[kind] & ~counted
            counted |= free & -free
        self.set_counted(v, seat, zone, counted)

    def at_least(self, v: Vector, seat: int, zone: int, counts: Mapping[int, int]) -> None:
        """At least so many cards of each kind: raises the counts that are lower."""
        counted = self.counted(v, seat, zone)
        for kind, least in counts.items():
            cards = self._of_kind[kind]
            while (counted & cards).bit_count() < least:
                free = cards & ~counted
                counted |= free & -free
        self.set_counted(v, seat, zone, counted)

    def drop(self, v: Vector, seat: int, zone: int, kind: int) -> None:
        """A card of the kind left, or its position is known now: one fewer."""
        counted = self.counted(v, seat, zone)
        here = counted & self._of_kind[kind]
        if here:
            self.set_counted(v, seat, zone, counted ^ 1 << here.bit_length() - 1)

    def drop_hidden(self, v: Vector, seat: int, zone: int, back: int) -> None:
        """A card left whose face the seat did not see, with such a back: one fewer of every kind that has it."""
        counted = self.counted(v, seat, zone)
        if counted:
            others = counted & self._other_backs[back]
            self.set_counted(v, seat, zone, self._lowered(counted ^ others, 1) | others)

    def split(self, v: Vector, seat: int, source: int, target: int, left: int, went: int) -> None:
        """Of the cards of ``source`` whose positions the seat does not know, ``went`` unseen ones went to ``target``
        and ``left`` stayed."""
        counted = self.counted(v, seat, source)
        if counted:
            self.set_counted(v, seat, source, self._lowered(counted, went))
            self.add(v, seat, target, [self.kinds[card] for card in bits_of(self._lowered(counted, left))])

    def _lowered(self, counted: int, by: int) -> int:
        """Every kind's count lowered, not below 0."""
        result = 0
        while counted:
            here = counted & self._of_kind[self.kinds[(counted & -counted).bit_length() - 1]]
            counted ^= here
            for card in bits_of(here)[: max(0, here.bit_count() - by)]:
                result |= 1 << card
        return result
