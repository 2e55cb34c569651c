"""Playing a supposed stretch of a game so that it meets one seat's record, entry by entry.

Chance is in our hands: at each draw a card is chosen that the plan allows, at each choice that another seat made one
that tells the record's seat the same. Where the play would part from the record, whoever runs the meeting may mend what
was supposed and go on. May not import check, syntax or document.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from rulerun.facts.events import Moved, Swapped
from rulerun.facts.observations import Collected, Key, ObservedChoice, Rearrangement
from rulerun.view.tracker import Pool, swap
from rulerun.view.worlds.blame import ContradictionError, Study
from rulerun.view.worlds.dealing import Deal
from rulerun.view.worlds.planning import Plan
from rulerun.view.worlds.situation import Situation, Stretch, Wish
from rulerun.view.worlds.stepping import Stepper, Taken
from rulerun.view.worlds.trying import Tried, Trier


class Meeting:
    """Plays one stretch, up to entry ``end`` of the record, or to the choice at which the record ends."""

    def __init__(
        self,
        stepper: Stepper,
        now: Situation,
        plan: Plan,
        random: Random,
        study: Study,
        wish: Wish,
    ) -> None:
        """``study`` grows as facts are heard."""
        self.now = now
        self.plan = plan
        self.study = study
        self.stepper = stepper
        self.trier = Trier(stepper, now, plan, random, study, wish.keys)
        self.taken: dict[int, Key] = {}
        """By entry the options that others took, of which the seat was told nothing."""
        self._random = random
        self._wish = wish
        self._settled: set[int] = set()

    def run(self, end: int, mend: Callable[[Tried], bool]) -> bool:
        """Plays on; whether it went without mending (only then the steps are those of a world). ``mend`` is asked where
        a step goes otherwise than the record tells, and may change the situation so that more of it is met. Raises
        `ContradictionError` where it cannot."""
        now, trier, clean = self.now, self.trier, True
        last = len(self.stepper.record)
        while now.at < end or end == last:
            drawn = trier.drawn()
            if drawn is not None:
                self.settle(drawn[0])
            if not trier.waits_for_chance():
                if now.at == last:
                    self._close()
                    return clean
                if self.stepper.machine.is_over(now.vector):
                    raise ContradictionError
            tried = trier.tried(now.vector, now.options, now.keys, now.kinds)
            if tried.taken is None:
                if not mend(tried):
                    raise ContradictionError
                clean = False
                continue
            if trier.waits_for_chance():
                now.chances.append(tried.outcome)
            else:
                self._close()
                told = self.stepper.record[now.at]
                if isinstance(told, ObservedChoice) and told.key is None:
                    self.taken[now.at] = self.stepper.machine.key(now.vector, now.options[tried.outcome])
                now.index = tried.outcome
            self.follow(tried.taken)
        return clean

    def _close(self) -> None:
        """A choice is reached: what happened up to it is a step."""
        now = self.now
        now.steps.append((now.index, Stretch(tuple(now.chances), now.vector.copy(), tuple(now.events))))
        now.chances, now.events = [], []

    # ------------------------------------------------------------------- dealing

    def settle(self, token: int) -> None:
        """Sees to it that a token has a kind: all cards of its pool are dealt at once, so that every later need is met.
        """
        number = self.now.tracker.pool_of(token)
        if number < 0 or number in self._settled or token in self.now.kinds:
            return
        self.deal(self.now.tracker.pools[number], number)

    def deal(self, pool: Pool, number: int) -> None:
        """Deals the cards of a pool, as wished if that can be."""
        kinds = self.now.kinds
        for token in pool.old:
            self.settle(token)
        self._settled.add(number)
        left = Counter(kinds[token] for token in pool.old)
        fresh = []
        for token in pool.fresh:
            wished = self._wish.kinds.get(token, -1)
            if left[wished] > 0:
                left[wished] -= 1
                kinds[token] = wished
            else:
                fresh.append(token)
        rest = list(left.elements())
        try:
            kinds.update(Deal(fresh, rest, self.plan, self.stepper.backs, kinds).run(self._random))
        except ContradictionError:
            if not self._wish.kinds:
                raise
            self._random.shuffle(rest)
            kinds.update(zip(fresh, rest, strict=True))

    # ---------------------------------------------------------------- the tokens

    def follow(self, taken: Taken) -> None:
        """Goes on to where a step led that fits the record, and follows the tokens."""
        now = self.now
        now.meet(taken)
        for event, entry in zip(taken.events, taken.entries, strict=True):
            if entry is None:
                continue
            if isinstance(event, Moved):
                self._moved(event)
            elif isinstance(event, Swapped):
                left = self._token(event.left_zone, event.left_place, event.left_kind, ())
                right = self._token(event.right_zone, event.right_place, event.right_kind, ())
                swap(now.tracker, event.left_zone, left, event.right_zone, right)
            else:
                if isinstance(entry, Collected) and not now.tracker.ordered[entry.target]:
                    sources = now.tracker.zones if entry.source < 0 else [now.tracker.zones[entry.source]]
                    for token in [t for lying in sources for t in lying]:
                        self.settle(token)
                if isinstance(entry, Rearrangement):
                    now.tracker.rearrange(entry)
            now.at += 1

    def _moved(self, event: Moved) -> None:
        now = self.now
        token = self._token(event.source, event.source_place, event.kind, self.plan.leaves.get(now.at, ()))
        now.tracker.remove(event.source, token)
        now.tracker.add(event.target, event.target_place, token)

    def _token(self, zone: int, place: int, kind: int, planned: Sequence[int]) -> int:
        lying, kinds = self.now.tracker.zones[zone], self.now.kinds
        if self.now.tracker.ordered[zone]:
            token = lying[place]
            kinds.setdefault(token, kind)
            return token
        for token in (*planned, *lying):
            if kinds.get(token) == kind and token in lying:
                return token
        raise ContradictionError
