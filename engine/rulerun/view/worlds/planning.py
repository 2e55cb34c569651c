"""What a stretch of one seat's record says about hidden cards, found by going through it ahead of time.

A card that was seen leaving a hand was among those that came in; what lessons rule out it was not. May not import
check, syntax, document or the executors.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from math import log
from random import Random

from rulerun.facts.observations import (
    Face,
    Observation,
    ObservedChoice,
    ObservedFaces,
    ObservedMove,
    ObservedSwap,
    Rearrangement,
)
from rulerun.view.tracker import Tracker, swap
from rulerun.view.worlds.blame import ContradictionError, Lesson

NEWEST = 0.9
"""How often a face shown right after a card came in unseen is taken to be that card's."""
URGENT = 0.8
"""How often a face seen leaving is taken to be that of a card which must have been there when such a one was needed."""
LIKELY = 30.0
"""How much more likely than others a card is taken to leave unseen if it is seen where it went; how much less if it is
seen where it was."""


class Plan:
    """What a stretch of the record says about hidden cards, with a random choice wherever it leaves one open.

    ``pins``: the kind that a token must be; ``soft``: pinned tokens that were chosen among those of an unordered
    zone or a pool, and these. ``backs``: the back that a token must have. ``never``: kinds that it cannot be.
    ``needs``: groups of tokens of which one must be of one of some kinds. ``leaves`` (by entry): the tokens that left
    unordered or unknown places; ``spots``: the places where cards were put untold. ``weight``: the logarithm of how
    likely the plan is, beside how often it is made; ``open``: whether others may be as good.
    """

    def __init__(
        self,
        tracker: Tracker,
        kinds: dict[int, int],
        record: Sequence[Observation],
        start: int,
        stop: int,
        backs: Sequence[int],
        sightings: Sightings,
        lessons: Mapping[int, Sequence[Lesson]],
        random: Random,
    ) -> None:
        """Plans entries ``start`` to ``stop`` from the situation of ``tracker`` (which is left as it is), where
        ``kinds`` are known. ``lessons``: by entry what was learnt of the unknown cards of a zone. Raises
        `ContradictionError`."""
        self._at = tracker.copy()
        self._backs_of = backs
        self._sightings = sightings
        self._sealed: set[int] = set()
        self._offered: dict[int, frozenset[int]] = {}
        """Per zone what lay in it when its owner chose last; of a sealed choice, when it was made."""
        self._shown: tuple[int, list[int]] = (-1, [])
        self._random = random
        self.pins: dict[int, int] = dict(kinds)
        self.backs: dict[int, int] = {}
        self.never: dict[int, set[int]] = {}
        self.soft: dict[int, frozenset[int]] = {}
        self.leaves: dict[int, tuple[int, ...]] = {}
        self.spots: dict[int, int] = {}
        self.weight = 0.0
        self.open = False
        self.needs: list[tuple[list[int], frozenset[int]]] = []
        self._rooms: dict[int, Room] = {}
        self._newest = (-1, -1)
        self._entry = start
        self._watched: list[Need] = []
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
                    met = any(self.pins.get(token) in lesson.some for token in tokens)
                    self._watched.append(Need(frozenset(tokens), lesson.some, met))
            self._follow(i, record[i])
        for need in self._watched:
            if not need.met:
                self.needs.append(([t for t in sorted(need.tokens) if t not in self.pins], need.some))

    def _follow(self, i: int, observed: Observation) -> None:
        at = self._at
        self._entry = i
        match observed:
            case ObservedMove(kind, source, source_place, target, target_place):
                token = self._take(source, source_place, kind, target)
                if not at.ordered[source] or source_place < 0:
                    self.leaves[i] = (token,)
                if at.ordered[target] and target_place < 0:
                    target_place = self._random.randint(0, len(at.zones[target]))
                    self.spots[i] = target_place
                at.add(target, target_place, token)
                self._newest = (i, token)
            case ObservedSwap(left, right):
                one = self._find(left.zone, left.place, left.kind)
                other = self._find(right.zone, right.place, right.kind)
                self.leaves[i] = (one, other)
                swap(at, left.zone, one, right.zone, other)
            case ObservedFaces(_, cards):
                taken: list[int] = []
                for kind, zone, place in cards:
                    if kind >= 0:
                        taken.append(self._find(zone, place, kind, taken))
                self._shown = (i, taken)
            case ObservedChoice(seat, _, key):
                if key is None or seat not in self._sealed:
                    self._offered.update((zone, frozenset(at.zones[zone])) for zone in at.hands[seat])
                if key is None:
                    self._sealed.add(seat)
                else:
                    self._sealed.discard(seat)
            case _:
                if isinstance(observed, Rearrangement):
                    at.rearrange(observed)

    def _take(self, zone: int, place: int, kind: int, target: int) -> int:
        token = self._find(zone, place, kind, (), target)
        self._at.remove(zone, token)
        return token

    def _find(self, zone: int, place: int, kind: int, taken: Sequence[int] = (), target: int = -1) -> int:
        """The token that was at a place (or, where that is not told, one of those that may have been), told as
        ``kind``. ``target``: the zone that it goes to."""
        lying = self._at.zones[zone]
        if self._at.ordered[zone] and place >= 0:
            if place >= len(lying):
                raise ContradictionError
            token = lying[place]
        else:
            fit = [t for t in lying if self._may_be(t, kind) and t not in taken]
            sure = [t for t in fit if kind >= 0 and t in self.pins]
            if not fit:
                raise ContradictionError
            self.open = self.open or (kind < 0 and len({t in self.pins for t in fit}) > 1)
            if kind >= 0 and not sure:
                self.weight += log(len(fit))
            token = self._random.choice(sure or fit) if kind >= 0 else self._left(fit, zone, target)
            if kind >= 0 and not sure:
                token = self._preferred(fit, kind, token) if len(fit) > 1 else token
                self.soft[token] = frozenset(fit)
        self._learn(token, kind)
        return token

    def _left(self, fit: Sequence[int], zone: int, target: int) -> int:
        """Which of several tokens it was that left unseen: those are likely that are seen where it went later on, or
        were shown just now; those hardly that are seen again where they are, or could not be chosen."""
        at, shown = self._shown
        offered = self._offered.get(zone)
        weights = []
        for token in fit:
            weight = LIKELY if token in shown and self._entry - at <= len(shown) else 1.0
            where = self._sightings.next(self.pins[token], self._entry) if token in self.pins else -1
            if where >= 0:
                weight *= LIKELY if where == target else 1 / LIKELY if where == zone else 1.0
            if offered is not None and token not in offered:
                weight /= LIKELY
            weights.append(weight)
        token = self._random.choices(fit, weights)[0]
        self.weight += log(sum(weights) / len(fit) / weights[fit.index(token)])
        return token

    def _preferred(self, fit: Sequence[int], kind: int, token: int) -> int:
        """Which of several tokens a face seen leaving is taken to be: ``token``, unless another is more likely by far.
        """
        entry, newest = self._newest
        if entry == self._entry - 1 and newest in fit:
            return newest if self._random.random() < NEWEST else token
        needs = [need for need in self._watched if not need.met and kind in need.some]
        urgent = [t for t in fit if any(t in need.tokens for need in needs)] if needs else []
        return self._random.choice(urgent) if urgent and self._random.random() < URGENT else token

    def _may_be(self, token: int, kind: int) -> bool:
        back = self._backs_of[kind] if kind >= 0 else -1 - kind
        pinned = self.pins.get(token)
        if pinned is not None:
            return pinned == kind if kind >= 0 else self._backs_of[pinned] == back
        if self.backs.get(token, back) != back:
            return False
        return kind < 0 or (kind not in self.never.get(token, ()) and self._has_room(self._at.pool_of(token), kind))

    def _learn(self, token: int, kind: int) -> None:
        if not self._may_be(token, kind):
            raise ContradictionError
        if kind < 0:
            if token not in self.pins:
                self.backs[token] = -1 - kind
        elif token not in self.pins:
            self.pins[token] = kind
            for need in self._watched:
                need.met = need.met or (kind in need.some and token in need.tokens)
            self._use_room(self._at.pool_of(token), kind)

    def allows(self, token: int, kind: int, backs: Sequence[int]) -> bool:
        """Whether an unknown token may be of a kind, by its back and by what was learnt."""
        return self.backs.get(token, backs[kind]) == backs[kind] and kind not in self.never.get(token, ())

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
            self.soft[token] = frozenset(fit)
            self._learn(token, kind)
        self.weight -= log(room.left)
        room.left -= 1


class Sightings:
    """Where each kind is seen in a record, for kinds of which there is one card only."""

    def __init__(self, kinds: Sequence[int], record: Sequence[Observation]) -> None:
        """``kinds`` of the cards."""
        single = {kind for kind, number in Counter(kinds).items() if number == 1}
        self._entries: dict[int, list[int]] = {kind: [] for kind in single}
        self._zones: dict[int, list[int]] = {kind: [] for kind in single}
        for i, observed in enumerate(record):
            for card in faces(observed):
                if card.kind in single:
                    self._entries[card.kind].append(i)
                    self._zones[card.kind].append(card.zone)

    def next(self, kind: int, entry: int) -> int:
        """The zone where a kind is seen first after an entry; -1 if it is not seen again."""
        if kind not in self._entries:
            return -1
        n = bisect_right(self._entries[kind], entry)
        return self._zones[kind][n] if n < len(self._zones[kind]) else -1


def faces(observed: Observation) -> Sequence[Face]:
    """The cards that an observation names, each where it lay."""
    match observed:
        case ObservedMove(kind, source, place):
            return (Face(kind, source, place),)
        case ObservedSwap(left, right):
            return (left, right)
        case ObservedFaces(_, cards):
            return cards
        case _:
            return ()


class Need:
    """One of some tokens must be of one of some kinds; whether that is so already."""

    __slots__ = ("met", "some", "tokens")

    def __init__(self, tokens: frozenset[int], some: frozenset[int], met: bool) -> None:
        self.tokens = tokens
        self.some = some
        self.met = met


class Room:
    """What may still come out of a pool: known cards by kind, and unknown ones."""

    __slots__ = ("known", "left", "open")

    def __init__(self, known: Counter[int], open_tokens: list[int], left: int) -> None:
        self.known = known
        self.open = open_tokens
        self.left = left
