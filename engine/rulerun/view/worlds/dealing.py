"""Dealing unseen cards: each token of a pool gets one of the kinds that went into it.

At random among all ways that go with a plan: plain shuffling as long as that succeeds, then a way that fits, mixed by
exchanges. May not import check, syntax, document or the executors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from rulerun.view.worlds.blame import ContradictionError
from rulerun.view.worlds.planning import Plan

SHUFFLES = 20
"""How often a pool is shuffled in the hope that it falls as it must."""
MATCHES = 10
"""How often a way is looked for that meets all needs."""
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
        """The kind of each token. Where no way is found that meets all needs, one that leaves them aside. Raises
        `ContradictionError` if there is none."""
        free, rest, plan = self._free, self._rest, self._plan
        bound = [t for t in free if t in plan.backs or plan.never.get(t)]
        for _ in range(SHUFFLES if bound or self._needs else 1):
            random.shuffle(rest)
            dealt = dict(zip(free, rest, strict=True))
            if all(self._fits(t, dealt[t], frozenset()) for t in bound) and self._met(dealt):
                return self.dealt | dealt
        for _ in range(MATCHES if self._needs else 1):
            try:
                return self.dealt | self._mixed(self._match(random), random)
            except ContradictionError:
                continue
        self._needs = []
        return self.dealt | self._mixed(self._match(random), random)

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
