"""Exchanging hidden cards in a supposed position, each taking the other's place, as if they had been dealt so.

A `Draft` changes a copy; whoever made it takes it over if the game goes better with it. The words of the vector that
hold cards by number outside the zones (variables, frames) stay as they are: only a replay tells whether the whole
holds. May not import check, syntax, document or the executors.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from rulerun.ir.program import ZONE_HEAD, ZONE_SET, ZONE_TAIL, Program
from rulerun.ir.types import WORD_BITS
from rulerun.view.table import UNDRAWN, Table
from rulerun.view.tracker import Tracker
from rulerun.view.worlds.planning import Plan


class Draft:
    """A situation in which hidden cards are exchanged."""

    def __init__(
        self,
        program: Program,
        tracker: Tracker,
        plan: Plan,
        backs: Sequence[int],
        vector: list[int],
        kinds: dict[int, int],
        random: Random,
    ) -> None:
        """From a vector that ``tracker`` is in step with, and the kinds of its tokens."""
        self.program = program
        self.tracker = tracker
        self.vector = vector
        self.kinds = dict(kinds)
        self.changed = False
        self._plan = plan
        self._backs = backs
        self._random = random

    def held(self, zone: int) -> list[int]:
        """The kinds in a zone."""
        return [self.kinds.get(token, -1) for token in self.tracker.zones[zone]]

    def others(self, zone: int) -> list[int]:
        """The tokens that lie elsewhere, in random order, those of which nothing is planned first."""
        found = [t for n, lying in enumerate(self.tracker.zones) if n != zone for t in lying]
        return self._loose_first(found)

    def _loose_first(self, tokens: Iterable[int]) -> list[int]:
        found = list(tokens)
        self._random.shuffle(found)
        found.sort(key=lambda token: token in self._plan.soft)
        return found

    def fixed(self, token: int) -> bool:
        """Whether the record itself tells what a token is."""
        return token in self._plan.pins and token not in self._plan.soft

    def may_exchange(self, left: int, right: int) -> bool:
        """Whether two tokens may change kinds, as far as the plan tells."""
        kinds, plan, backs = self.kinds, self._plan, self._backs
        if left not in kinds or right not in kinds or kinds[left] == kinds[right]:
            return False
        if self.fixed(left) or self.fixed(right):
            return False
        if not plan.allows(left, kinds[right], backs) or not plan.allows(right, kinds[left], backs):
            return False
        return self._chains(left, right) is not None

    def exchange(self, left: int, right: int) -> bool:
        """Two tokens change kinds, and the cards that stand for them places; whether that can be."""
        chains = self._chains(left, right)
        if chains is None:
            return False
        a, b = self._card(left), self._card(right)
        if a < 0 or b < 0:
            return False
        kind, other = self.kinds[left], self.kinds[right]
        self.vector = exchanged(self.program, self.vector, a, b)
        self.kinds.update(dict.fromkeys(chains[0], other))
        self.kinds.update(dict.fromkeys(chains[1], kind))
        self.changed = True
        return True

    def bring(self, zone: int, some: frozenset[int], tried: set[int]) -> bool:
        """Brings one of some kinds to a zone; whether that can be. ``tried``: the tokens that have been such in vain:
        another is taken as long as there is one."""
        coming = [t for t in self.others(zone) if self.kinds.get(t) in some]
        going = self._loose_first(self.tracker.zones[zone])
        going.sort(key=lambda token: token in tried)
        for token in coming:
            for other in going:
                if self.may_exchange(other, token) and self.exchange(other, token):
                    tried.add(other)
                    return True
        return False

    def clear(self, zone: int, never: frozenset[int]) -> None:
        """Takes cards of some kinds out of a zone, as far as that can be."""
        for token in list(self.tracker.zones[zone]):
            if self.kinds.get(token) in never:
                for other in self.others(zone):
                    if self.kinds.get(other) not in never and self.may_exchange(token, other):
                        self.exchange(token, other)
                        break

    def _chains(self, left: int, right: int) -> tuple[list[int], list[int]] | None:
        """The tokens that must change kinds with two tokens, because they are what these were before a shuffle; None
        if they cannot."""
        kinds, tracker = self.kinds, self.tracker
        chains = [left], [right]
        while True:
            pools = [tracker.pool_of(chain[-1]) for chain in chains]
            if pools[0] == pools[1]:
                return chains if pools[0] >= 0 else None
            chain, pool = (chains[0], pools[0]) if pools[0] > pools[1] else (chains[1], pools[1])
            kind = kinds[chain[0]]
            old = tracker.pools[pool].old
            before = next((t for t in old if kinds.get(t) == kind and t not in self._plan.pins), None)
            if before is None:
                return None
            chain.append(before)

    def _card(self, token: int) -> int:
        """The card that stands for a token; -1 if there is none. Of several undrawn ones of a kind, or in no order, the
        lowest."""
        zone = next((n for n, lying in enumerate(self.tracker.zones) if token in lying), -1)
        if zone < 0:
            return -1
        table = Table(self.program, self.vector)
        cards = table.cards(zone)
        if table.ordered(zone):
            card = cards[self.tracker.zones[zone].index(token)]
            if card != UNDRAWN:
                return card
            cards = table.undrawn(zone)
        return next((card for card in cards if self.program.kinds[card] == self.kinds[token]), -1)


def exchanged(program: Program, vector: Sequence[int], a: int, b: int) -> list[int]:
    """A vector in which two cards have changed places."""
    layout = program.layout
    v = list(vector)
    for base in (layout.next_base, layout.previous_base, layout.gap_base, layout.loc_base, layout.place_base):
        if base + max(a, b) < len(v):
            v[base + a], v[base + b] = v[base + b], v[base + a]
    names = {a + 1: b + 1, b + 1: a + 1}
    for base in (layout.next_base, layout.previous_base):
        for i in range(base, base + program.card_count):
            if v[i] in names:
                v[i] = names[v[i]]
    word_a, bit_a = ZONE_SET + a // WORD_BITS, 1 << a % WORD_BITS
    word_b, bit_b = ZONE_SET + b // WORD_BITS, 1 << b % WORD_BITS
    for zone in range(len(program.zones)):
        base = layout.zone(zone)
        for i in (base + ZONE_HEAD, base + ZONE_TAIL):
            if v[i] in names:
                v[i] = names[v[i]]
        has_a, has_b = bool(v[base + word_a] & bit_a), bool(v[base + word_b] & bit_b)
        if has_a != has_b:
            v[base + word_a] ^= bit_a
            v[base + word_b] ^= bit_b
    return v
