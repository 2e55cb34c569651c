"""Cuts a list of choices that breaks an invariant down to the shortest one that still breaks it.

First all short lists are tried, shortest first, as far as the budget goes; then pieces are left out of the list that is
known to break it (delta debugging). Choices are named by keys; a key that is not offered is passed over. Everything is
counted in positions looked at, never in time, so the same game gives the same list.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rulerun.game import Game
from rulerun.play.walk import Walk, said

BUDGET = 600
"""Positions looked at, for the cheapest of the invariants."""
STEPS = 30_000
"""Choices made in all."""
WIDTH = 12
"""Options of one choice that are tried in the search for short lists."""


@dataclass(frozen=True, slots=True)
class Broken:
    """Choices that lead to a position that breaks an invariant, and how it does."""

    keys: tuple[str, ...]
    problem: str


Wrong = Callable[[Walk], str | None]
"""Says what is wrong where a walk is."""


class _SpentError(Exception):
    """The budget is used up."""


class _Trials:
    def __init__(self, game: Game, seed: int, wrong: Wrong | None, budget: int) -> None:
        self.game = game
        self.seed = seed
        self.wrong = wrong
        self.looks = budget
        self.steps = STEPS

    def look(self, walk: Walk) -> str | None:
        """What is wrong at a position."""
        if self.wrong is None:
            return None
        self.looks -= 1
        if self.looks < 0:
            raise _SpentError
        return self.wrong(walk)

    def take(self, walk: Walk, key: str) -> str | None:
        """Makes a choice, if it is offered; what went wrong, where steps are what is looked at."""
        self.steps -= 1
        if self.steps < 0:
            raise _SpentError
        keys = walk.state._offered().keys
        if key not in keys:
            return None
        try:
            walk.take(keys.index(key))
        except Exception as error:
            if self.wrong is not None:
                raise
            return said(error)
        return None

    def start(self) -> Walk | Broken | None:
        """A fresh game; None if it cannot be begun, which is Broken where steps are what is looked at."""
        try:
            return Walk(self.game, self.seed)
        except Exception as error:
            return Broken((), said(error)) if self.wrong is None else None

    def play(self, keys: Sequence[str], sound: int) -> Broken | None:
        """The first position on the way of ``keys`` that is broken; the first ``sound`` are known not to be."""
        walk = self.start()
        if not isinstance(walk, Walk):
            return walk
        try:
            for number, key in enumerate((*keys, "")):
                problem = self.look(walk) if number >= sound else None
                if problem is not None:
                    return Broken(tuple(walk.keys), problem)
                if walk.state.is_over:
                    return None
                problem = self.take(walk, key)
                if problem is not None:
                    return Broken((*walk.keys, key), problem)
        except _SpentError:
            raise
        except Exception:
            return None
        return None


def shorten(game: Game, seed: int, found: Broken, wrong: Wrong | None, *, cost: int) -> Broken:
    """The shortest list known to break what ``wrong`` looks at (None: the steps themselves). ``cost``: how dear a look
    is."""
    trials = _Trials(game, seed, wrong, max(1, BUDGET // cost))
    best = found
    try:
        best = _short_lists(trials, best, trials.looks // 2)
    except _SpentError:
        trials.steps = STEPS
    trials.looks = max(trials.looks, BUDGET // cost // 2)
    size = max(1, len(best.keys) // 2)
    while size and best.keys:
        best, size = _left_out(trials, best, size), size // 2
    return best


def _short_lists(trials: _Trials, best: Broken, most: int) -> Broken:
    """All lists shorter than ``best``, shortest first, until ``most`` were tried."""
    waiting: deque[tuple[str, ...]] = deque([()])
    for _ in range(most):
        if not waiting or len(waiting[0]) >= len(best.keys):
            return best
        keys = waiting.popleft()
        found = trials.play(keys, len(keys))
        if found is not None and len(found.keys) < len(best.keys):
            return found
        walk = trials.start()
        if not isinstance(walk, Walk):
            return best
        try:
            for key in keys:
                trials.take(walk, key)
            offered = walk.state._offered().keys
        except _SpentError:
            raise
        except Exception:
            continue
        waiting.extend((*keys, key) for key in offered[:WIDTH])
    return best


def _left_out(trials: _Trials, best: Broken, size: int) -> Broken:
    """Leaves out pieces of ``size`` choices, from the last to the first, as long as it stays broken, or until the
    budget is used up."""
    at = len(best.keys) - size
    while at >= 0:
        try:
            found = trials.play((*best.keys[:at], *best.keys[at + size :]), at)
        except _SpentError:
            return best
        if found is not None and len(found.keys) < len(best.keys):
            best = found
            at = min(at, len(best.keys))
        at -= size
    return best

