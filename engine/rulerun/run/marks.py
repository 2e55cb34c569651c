"""Marks: what each seat knows of cards in zones that it does not see, as words of the state vector.

Two sorts, both a function of what the seat was told:

* a *place mark*, ``v[place_base + card]`` bit s: seat s knows the face at the place where the card lies (drawn, in an
  ordered zone);
* a *member mark* m of kind k for seat s and zone z: at least m cards of kind k lie in z, beside those whose places s
  marks. It is kept as the m lowest card numbers of the kind: a set, W words per seat and zone.

A seat that sees a zone has no marks there. No mark is kept of what the ruleset alone says (how the cards lie at the
start; that all of them are in one zone after a ``collect all``). This module changes single marks; what happens when is
`knowledge`. Imports run, ir only.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulerun.facts.observations import back_classes
from rulerun.ir.program import Program
from rulerun.ir.types import WORD_BITS
from rulerun.run.operations import Vector, bits_of

_WORD = (1 << WORD_BITS) - 1


class Marks:
    """Reads and changes the marks in vectors of one program. Seats, zones, kinds by number; sets as one number."""

    __slots__ = ("_kind_masks", "_layout", "_unlike", "backs", "kinds", "place_base")

    def __init__(self, program: Program) -> None:
        self._layout = program.layout
        self.place_base = program.layout.place_base
        self.kinds = program.kinds
        kinds = len(program.kind_names)
        masks = [0] * kinds
        for card, kind in enumerate(program.kinds):
            masks[kind] |= 1 << card
        self._kind_masks = tuple(masks)
        self.backs = back_classes(program)
        self._unlike = tuple(
            sum(mask for kind, mask in enumerate(masks) if self.backs[kind] != back) for back in range(kinds)
        )

    def members(self, v: Vector, seat: int, zone: int) -> int:
        """The member marks of a seat on a zone, as the set of lowest copies."""
        at = self._layout.member(seat, zone)
        found = 0
        for i in range(self._layout.words_per_set - 1, -1, -1):
            found = found << WORD_BITS | v[at + i]
        return found

    def set_members(self, v: Vector, seat: int, zone: int, members: int) -> None:
        at = self._layout.member(seat, zone)
        for i in range(at, at + self._layout.words_per_set):
            v[i] = members & _WORD
            members >>= WORD_BITS

    def known_members(self, v: Vector, seat: int, zone: int) -> list[tuple[int, int]]:
        """(kind, m) of every member mark, lowest kind first."""
        counts: dict[int, int] = {}
        for card in bits_of(self.members(v, seat, zone)):
            counts[self.kinds[card]] = counts.get(self.kinds[card], 0) + 1
        return sorted(counts.items())

    def add(self, v: Vector, seat: int, zone: int, kinds: Iterable[int]) -> None:
        """One more card of each of the kinds (a kind as often as it is named)."""
        members = self.members(v, seat, zone)
        for kind in kinds:
            free = self._kind_masks[kind] & ~members
            members |= free & -free
        self.set_members(v, seat, zone, members)

    def at_least(self, v: Vector, seat: int, zone: int, counts: dict[int, int]) -> None:
        """At least so many cards of each kind: raises marks that are lower."""
        members = self.members(v, seat, zone)
        for kind, least in counts.items():
            mask = self._kind_masks[kind]
            while (members & mask).bit_count() < least:
                free = mask & ~members
                members |= free & -free
        self.set_members(v, seat, zone, members)

    def drop(self, v: Vector, seat: int, zone: int, kind: int) -> None:
        """A card of the kind left (or got a place mark): one fewer."""
        members = self.members(v, seat, zone)
        here = members & self._kind_masks[kind]
        if here:
            self.set_members(v, seat, zone, members ^ 1 << here.bit_length() - 1)

    def drop_hidden(self, v: Vector, seat: int, zone: int, back: int) -> None:
        """A card left whose face the seat did not see, with such a back: one fewer of every kind that has it."""
        members = self.members(v, seat, zone)
        if members:
            unlike = self._unlike[back]
            self.set_members(v, seat, zone, self._lowered(members & ~unlike, 1) | members & unlike)

    def split(self, v: Vector, seat: int, source: int, target: int, left: int, went: int) -> None:
        """Of the unmarked cards of ``source``, ``went`` unseen ones went to ``target`` and ``left`` stayed."""
        members = self.members(v, seat, source)
        if members:
            self.set_members(v, seat, source, self._lowered(members, went))
            self.add(v, seat, target, [self.kinds[card] for card in bits_of(self._lowered(members, left))])

    def _lowered(self, members: int, by: int) -> int:
        """Every kind's mark lowered, not below 0."""
        result = members
        rest = members
        while rest:
            mask = self._kind_masks[self.kinds[(rest & -rest).bit_length() - 1]]
            here = rest & mask
            rest &= ~mask
            for _ in range(min(by, here.bit_count())):
                top = 1 << here.bit_length() - 1
                here ^= top
                result ^= top
        return result

    def places_to_members(self, v: Vector, seats: int, zone: int, cards: Iterable[int]) -> None:
        """These cards (of an ordered zone) lose the place marks of the seats, who keep member marks of the zone."""
        lost: dict[int, list[int]] = {}
        for card in cards:
            marked = v[self.place_base + card] & seats
            if marked:
                v[self.place_base + card] ^= marked
                for seat in bits_of(marked):
                    lost.setdefault(seat, []).append(self.kinds[card])
        for seat, kinds in lost.items():
            self.add(v, seat, zone, kinds)
