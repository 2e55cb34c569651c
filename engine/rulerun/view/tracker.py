"""Following hidden cards through one seat's record: a token stands for a card whose face may not be known yet.

`Tracker` says which token lies where, and follows what is told of whole zones; what a token may be is for others to
say (`possible`, `worlds`). May not import check, syntax, document or the executors.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import assert_never

from rulerun.facts.observations import Collected, Exchanged, Rearrangement, Refilled, Shuffled, TurnedOver
from rulerun.ir.program import Program


class Pool:
    """A zone whose cards were put in no order: the new tokens stand for its places, the old ones went into it."""

    __slots__ = ("fresh", "old")

    def __init__(self, fresh: list[int], old: list[int]) -> None:
        self.fresh = fresh
        self.old = old


class Tracker:
    """Which token lies where. Ordered zones list them place by place from HEAD, others in no order."""

    def __init__(self, program: Program) -> None:
        self.ordered = [program.families[zone.family].kind.ordered for zone in program.zones]
        self.hands = [
            [n for n, zone in enumerate(program.zones) if not self.ordered[n] and zone.seen >> seat & 1]
            for seat in range(program.players)
        ]
        """Per seat the unordered zones that it sees."""
        self.zones: list[list[int]] = [[] for _ in program.zones]
        for card, zone in enumerate(program.start):
            self.zones[zone].append(card)
        self.tokens = program.card_count
        """How many tokens there are; those below the number of cards are the cards as they lay at the start."""
        self.pools: list[Pool] = []

    def copy(self) -> Tracker:
        """A tracker of its own in the same situation."""
        other = Tracker.__new__(Tracker)
        other.ordered = self.ordered
        other.hands = self.hands
        other.zones = [zone.copy() for zone in self.zones]
        other.tokens = self.tokens
        other.pools = self.pools.copy()
        return other

    def fresh(self) -> int:
        """A new token."""
        self.tokens += 1
        return self.tokens - 1

    def gather(self, sources: Sequence[int], target: int) -> None:
        """The cards of some zones come to ``target`` in no order, with those that lie there."""
        moved: list[int] = []
        for source in sources:
            if source != target:
                moved += self.zones[source]
                self.zones[source] = []
        self.zones[target] += moved
        if self.ordered[target]:
            self.shuffle(target)

    def shuffle(self, zone: int) -> None:
        """The cards of an ordered zone lose their order."""
        if not self.ordered[zone]:
            return
        self.loosen(zone)

    def loosen(self, zone: int) -> Pool:
        """The cards of a zone get new tokens: nobody can say any more which of them is which old one."""
        old = self.zones[zone]
        fresh = [self.fresh() for _ in old]
        self.zones[zone] = fresh
        pool = Pool(list(fresh), old)
        if fresh:
            self.pools.append(pool)
        return pool

    def refill(self, zone: int, source: int, count: int, shuffled: bool) -> None:
        """The lowest ``count`` cards of ``source`` become ``zone``, shuffled or turned over."""
        lying = self.zones[source]
        keep = len(lying) - count
        moved = lying[keep:]
        self.zones[source] = lying[:keep]
        self.zones[zone] = moved[::-1] if not shuffled else moved
        if shuffled:
            self.shuffle(zone)

    def pool_of(self, token: int) -> int:
        """The number of the pool that a token came out of; -1 for a card as it lay at the start."""
        return bisect_right(self.pools, token, key=lambda pool: pool.fresh[0]) - 1

    def remove(self, zone: int, token: int) -> None:
        self.zones[zone].remove(token)

    def add(self, zone: int, place: int, token: int) -> None:
        """Puts a token at a place of an ordered zone, or into another."""
        if self.ordered[zone]:
            self.zones[zone].insert(place, token)
        else:
            self.zones[zone].append(token)

    def rearrange(self, observed: Rearrangement) -> None:
        """Follows what happens to whole zones."""
        match observed:
            case Exchanged(left, right):
                self.zones[left], self.zones[right] = self.zones[right], self.zones[left]
            case Collected(source, target, _):
                self.gather(range(len(self.zones)) if source < 0 else [source], target)
            case Shuffled(zone):
                self.shuffle(zone)
            case TurnedOver(zone):
                self.zones[zone].reverse()
            case Refilled(zone, source, count, shuffled):
                self.refill(zone, source, count, shuffled)
            case _:
                assert_never(observed)


def swap(tracker: Tracker, left_zone: int, left: int, right_zone: int, right: int) -> None:
    """Two tokens change places."""
    if left == right:
        return
    i = tracker.zones[left_zone].index(left)
    j = tracker.zones[right_zone].index(right)
    tracker.zones[left_zone][i] = right
    tracker.zones[right_zone][j] = left
