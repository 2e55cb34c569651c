"""Following hidden cards through one seat's record: a token stands for a card whose face may not be known yet.

`Plan` goes through a stretch of the record ahead of time and finds what must have lain where: a card that was seen
leaving a hand was among those that came in. `Tracker` keeps the tokens in step with a replay. May not import check,
syntax or document.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from math import log
from random import Random

from rulerun.ir.program import Program
from rulerun.run.events import Told
from rulerun.view.blame import Lesson

MOVED, SWAPPED, EXCHANGED, COLLECTED, SHUFFLED, REFILLED, SHOWN, SAID, OFFERED, CHOSE, CHANCE, ENDED = range(1, 13)


NEWEST = 0.9
"""How often a face shown right after a card came in unseen is taken to be that card's."""


class ContradictionError(Exception):
    """What was supposed about hidden cards cannot be."""


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
        other.zones = [zone.copy() for zone in self.zones]
        other.tokens = self.tokens
        other.pools = self.pools.copy()
        return other

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
        fresh = list(range(self.tokens, self.tokens + len(old)))
        self.tokens += len(old)
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

    def remove(self, zone: int, token: int) -> None:
        self.zones[zone].remove(token)

    def add(self, zone: int, place: int, token: int) -> None:
        """Puts a token at a place of an ordered zone, or into another."""
        if self.ordered[zone]:
            self.zones[zone].insert(place, token)
        else:
            self.zones[zone].append(token)

    def rearrange(self, entry: Told) -> bool:
        """Follows an entry that concerns whole zones; whether it was one."""
        match entry[0]:
            case 3:
                left, right = entry[1], entry[2]
                self.zones[left], self.zones[right] = self.zones[right], self.zones[left]
            case 4:
                self.gather(range(len(self.zones)) if entry[1] < 0 else [entry[1]], entry[2])
            case 5:
                self.shuffle(entry[1])
            case 6:
                self.refill(entry[1], entry[2], entry[3], bool(entry[4]))
            case _:
                return False
        return True


class Plan:
    """What a stretch of the record says about hidden cards, with a random choice wherever it leaves one open.

    ``pins``: the kind that a token must be of. ``backs``: the back it must have. ``never``: kinds that it cannot be
    of. ``leaves`` (by entry): the tokens that left unordered or unknown places; ``spots``: the places where cards were
    put untold.
    """

    def __init__(
        self,
        tracker: Tracker,
        kinds: dict[int, int],
        record: Sequence[Told],
        start: int,
        stop: int,
        backs: Sequence[int],
        lessons: Mapping[int, Sequence[Lesson]],
        random: Random,
    ) -> None:
        """Plans entries ``start`` to ``stop`` from the situation of ``tracker`` (which is left as it is), where
        ``kinds`` are known. ``rules``: kinds that the unknown cards of a zone cannot be of, at an entry. Raises
        `ContradictionError`."""
        self._at = tracker.copy()
        self._backs_of = backs
        self._random = random
        self.pins: dict[int, int] = dict(kinds)
        self.backs: dict[int, int] = {}
        self.never: dict[int, set[int]] = {}
        self.leaves: dict[int, tuple[int, ...]] = {}
        self.spots: dict[int, int] = {}
        self.weight = 0.0
        self.open = False
        self.needs: list[tuple[list[int], frozenset[int]]] = []
        self._rooms: dict[int, Room] = {}
        self._newest = (-1, -1)
        self._entry = start
        watched: list[tuple[list[int], frozenset[int]]] = []
        for i in range(start, stop):
            for lesson in lessons.get(i, ()):
                tokens = self._at.zones[lesson.zone].copy()
                for token in tokens:
                    if lesson.never and token not in self.pins:
                        self.never.setdefault(token, set()).update(lesson.never)
                for token, never in zip(tokens, lesson.places, strict=False):
                    if token not in self.pins:
                        self.never.setdefault(token, set()).update(never)
                if lesson.some:
                    watched.append((tokens, lesson.some))
            self._follow(i, record[i])
        for tokens, some in watched:
            if not any(self.pins.get(token) in some for token in tokens):
                self.needs.append(([token for token in tokens if token not in self.pins], some))

    def _follow(self, i: int, entry: Told) -> None:
        at = self._at
        self._entry = i
        if entry[0] == MOVED:
            _, kind, source, source_place, target, target_place = entry
            token = self._take(source, source_place, kind)
            if not at.ordered[source] or source_place < 0:
                self.leaves[i] = (token,)
            if at.ordered[target] and target_place < 0:
                target_place = self._random.randint(0, len(at.zones[target]))
                self.spots[i] = target_place
            at.add(target, target_place, token)
            self._newest = (i, token)
        elif entry[0] == SWAPPED:
            left = self._find(entry[2], entry[3], entry[1])
            right = self._find(entry[5], entry[6], entry[4])
            self.leaves[i] = (left, right)
            swap(at, entry[2], left, entry[5], right)
        elif entry[0] == SHOWN:
            taken: set[int] = set()
            for n in range(2, len(entry), 3):
                if entry[n] >= 0:
                    taken.add(self._find(entry[n + 1], entry[n + 2], entry[n], taken))
        elif entry[0] < SHOWN:
            at.rearrange(entry)

    def _take(self, zone: int, place: int, kind: int) -> int:
        token = self._find(zone, place, kind)
        self._at.remove(zone, token)
        return token

    def _find(self, zone: int, place: int, kind: int, taken: set[int] | None = None) -> int:
        """The token that was at a place (or, where that is not told, one of those that may have been), told as
        ``kind``."""
        lying = self._at.zones[zone]
        if self._at.ordered[zone] and place >= 0:
            if place >= len(lying):
                raise ContradictionError
            token = lying[place]
        else:
            fit = [t for t in lying if self._may_be(t, kind) and not (taken and t in taken)]
            sure = [t for t in fit if kind >= 0 and t in self.pins]
            if not fit:
                raise ContradictionError
            self.open = self.open or (kind < 0 and len({t in self.pins for t in fit}) > 1)
            if kind >= 0 and not sure:
                self.weight += log(len(fit))
            token = self._random.choice(sure or fit)
            entry, newest = self._newest
            if kind >= 0 and not sure and entry == self._entry - 1 and newest in fit and self._random.random() < NEWEST:
                token = newest
        self._learn(token, kind)
        return token

    def _may_be(self, token: int, kind: int) -> bool:
        back = self._backs_of[kind] if kind >= 0 else -1 - kind
        pinned = self.pins.get(token)
        if pinned is not None:
            return pinned == kind if kind >= 0 else self._backs_of[pinned] == back
        if self.backs.get(token, back) != back:
            return False
        return kind < 0 or (kind not in self.never.get(token, ()) and self._has_room(self._pool_of(token), kind))

    def _learn(self, token: int, kind: int) -> None:
        if not self._may_be(token, kind):
            raise ContradictionError
        if kind < 0:
            if token not in self.pins:
                self.backs[token] = -1 - kind
        elif token not in self.pins:
            self.pins[token] = kind
            self._use_room(self._pool_of(token), kind)

    def allows(self, token: int, kind: int, backs: Sequence[int]) -> bool:
        """Whether an unknown token may be of a kind, by its back and by what was learnt."""
        return self.backs.get(token, backs[kind]) == backs[kind] and kind not in self.never.get(token, ())

    def _pool_of(self, token: int) -> int:
        """The number of the pool that an unknown token came out of."""
        return bisect_right(self._at.pools, token, key=lambda pool: pool.fresh[0]) - 1

    def _room(self, number: int) -> Room:
        if number not in self._rooms:
            pool = self._at.pools[number]
            known = Counter(self.pins[t] for t in pool.old if t in self.pins)
            known -= Counter(self.pins[t] for t in pool.fresh if t in self.pins)
            self._rooms[number] = Room(known, [t for t in pool.old if t not in self.pins], len(pool.old))
        return self._rooms[number]

    def _has_room(self, number: int, kind: int) -> bool:
        """Whether a card of the kind may still come out of a pool."""
        room = self._room(number)
        return room.known[kind] > 0 or any(self._may_be(token, kind) for token in room.open)

    def _use_room(self, number: int, kind: int) -> None:
        """A card of the kind came out of a pool: so it went in, if need be as one of the unknown cards."""
        room = self._room(number)
        if room.known[kind] > 0:
            self.weight += log(room.known[kind])
            room.known[kind] -= 1
        else:
            fit = [token for token in room.open if self._may_be(token, kind)]
            if not fit:
                raise ContradictionError
            self.weight += log(len(fit))
            token = self._random.choice(fit)
            room.open.remove(token)
            self._learn(token, kind)
        self.weight -= log(room.left)
        room.left -= 1


class Room:
    """What may still come out of a pool: known cards by kind, and unknown ones."""

    __slots__ = ("known", "left", "open")

    def __init__(self, known: Counter[int], open_tokens: list[int], left: int) -> None:
        self.known = known
        self.open = open_tokens
        self.left = left


def swap(tracker: Tracker, left_zone: int, left: int, right_zone: int, right: int) -> None:
    """Two tokens change places."""
    if left == right:
        return
    i = tracker.zones[left_zone].index(left)
    j = tracker.zones[right_zone].index(right)
    tracker.zones[left_zone][i] = right
    tracker.zones[right_zone][j] = left


SHUFFLES = 20
"""How often a pool is shuffled in the hope that it falls as it must."""
MIXES = 30
"""Exchanges per card that mix an assignment which plain shuffling did not find."""


class Deal:
    """Gives each token of a pool one of the kinds (a multiset of the same size), at random among all ways that go with
    a plan."""

    def __init__(
        self, tokens: Sequence[int], kinds: Sequence[int], plan: Plan, backs: Sequence[int], known: Mapping[int, int]
    ) -> None:
        """``known``: kinds of other tokens. Raises `ContradictionError` where pins ask for more than there is."""
        self._plan = plan
        self._backs = backs
        left = Counter(kinds)
        self.dealt: dict[int, int] = {}
        for token in tokens:
            if token in plan.pins:
                kind = plan.pins[token]
                left[kind] -= 1
                if left[kind] < 0:
                    raise ContradictionError
                self.dealt[token] = kind
        self._free = [token for token in tokens if token not in self.dealt]
        self._rest = sorted(left.elements())
        mine = set(self._free)
        self._needs: list[tuple[list[int], frozenset[int]]] = []
        for group, some in plan.needs:
            if all(t in mine or t in known or t in plan.pins for t in group) and not any(
                known.get(t) in some for t in group if t not in mine
            ):
                self._needs.append(([t for t in group if t in mine], some))

    def run(self, random: Random) -> dict[int, int]:
        """The kind of each token. Raises `ContradictionError` if no way is found."""
        free, rest, plan = self._free, self._rest, self._plan
        bound = [t for t in free if t in plan.backs or plan.never.get(t)]
        for _ in range(SHUFFLES if bound or self._needs else 1):
            random.shuffle(rest)
            dealt = dict(zip(free, rest, strict=True))
            if all(self._fits(t, dealt[t], frozenset()) for t in bound) and self._met(dealt):
                return self.dealt | dealt
        for last in (False,) * 9 + (True,):
            try:
                return self.dealt | self._mixed(self._match(random), random)
            except ContradictionError:
                if last or not self._needs:
                    raise
        raise ContradictionError

    def _fits(self, token: int, kind: int, only: frozenset[int]) -> bool:
        return (not only or kind in only) and self._plan.allows(token, kind, self._backs)

    def _met(self, dealt: Mapping[int, int]) -> bool:
        return all(any(dealt[t] in some for t in group) for group, some in self._needs)

    def _match(self, random: Random) -> dict[int, int]:
        """Some way to deal, by augmenting paths; one token of each group that needs a kind is held to it."""
        rest = self._rest
        held: dict[int, frozenset[int]] = {}
        for group, some in sorted(self._needs, key=lambda need: len(need[0])):
            fit = [t for t in group if any(self._fits(t, kind, held.get(t, some) & some) for kind in some)]
            if any(held.get(t, frozenset()) and held[t] <= some for t in group):
                continue
            if not fit:
                raise ContradictionError
            token = random.choice([t for t in fit if t not in held] or fit)
            held[token] = held.get(token, some) & some
        choices = {
            t: [n for n, kind in enumerate(rest) if self._fits(t, kind, held.get(t, frozenset()))] for t in self._free
        }
        holder: list[int | None] = [None] * len(rest)

        def seat(token: int, tried: set[int]) -> bool:
            for n in choices[token]:
                if n in tried:
                    continue
                tried.add(n)
                other = holder[n]
                if other is None or seat(other, tried):
                    holder[n] = token
                    return True
            return False

        for token in sorted(self._free, key=lambda t: len(choices[t])):
            random.shuffle(choices[token])
            if not seat(token, set()):
                raise ContradictionError
        return {token: rest[n] for n, token in enumerate(holder) if token is not None}

    def _mixed(self, dealt: dict[int, int], random: Random) -> dict[int, int]:
        """A way to deal, mixed by exchanges at random: each way is about as likely."""
        tokens = list(dealt)
        if len(tokens) > 1:
            for _ in range(MIXES * len(tokens)):
                a, b = random.sample(tokens, 2)
                if self._fits(a, dealt[b], frozenset()) and self._fits(b, dealt[a], frozenset()):
                    dealt[a], dealt[b] = dealt[b], dealt[a]
                    if not self._met(dealt):
                        dealt[a], dealt[b] = dealt[b], dealt[a]
        return dealt
