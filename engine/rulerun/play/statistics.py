"""What many games add up to: wins by seat with intervals, scores, length and branching. Plain numbers in, plain
numbers out.

It imports nothing of the engine, so that every executor and every report can use it.

*Wins.* A win shared by k seats counts 1/k for each. The interval of a seat's win rate is Wilson's score interval
(E. B. Wilson, JASA 22, 1927; recommended over the normal one by Brown, Cai and DasGupta, Statistical Science 16,
2001). It is made for shares of 0 and 1; a share x between has a variance of at most p(1-p), the one Wilson assumes,
so with shared wins the interval is, if anything, too wide.

*Means* come from exact sums of whole numbers, rounded once: the same to the last digit for every executor. ``sd`` is
that of a sample (n - 1), and the interval of a mean is the normal one, mean -+ 1.96 sd / sqrt(n): games are
independent, and there are many of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt

Z95 = 1.959963984540054
"""The 97.5 % point of the normal distribution: two-sided 95 % intervals."""


def wilson(share: float, games: int, z: float = Z95) -> tuple[float, float]:
    """Wilson's score interval of a rate, from the observed ``share`` (0 to 1) in so many games; (0, 1) for none.

    >>> [round(x, 4) for x in wilson(0.5, 100)]
    [0.4038, 0.5962]
    """
    if games == 0:
        return 0.0, 1.0
    spread = z * z / games
    middle = (share + spread / 2) / (1 + spread)
    half = z * sqrt(share * (1 - share) / games + spread / (4 * games)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(slots=True)
class Running:
    """Count, mean, sample standard deviation, least and greatest of whole numbers that come one by one."""

    count: int = 0
    total: int = 0
    raw: int = 0
    """Sum of the squares."""
    least: int = 0
    greatest: int = 0

    def add(self, value: int) -> None:
        if self.count == 0:
            self.least = self.greatest = value
        elif value < self.least:
            self.least = value
        elif value > self.greatest:
            self.greatest = value
        self.count += 1
        self.total += value
        self.raw += value * value

    @property
    def mean(self) -> float:
        """0 for no numbers."""
        return self.total / self.count if self.count else 0.0

    @property
    def squares(self) -> float:
        """Sum of squared differences from the mean."""
        return (self.raw * self.count - self.total * self.total) / self.count if self.count else 0.0

    @property
    def sd(self) -> float:
        """Sample standard deviation; 0 for fewer than two numbers."""
        return sqrt(self.squares / (self.count - 1)) if self.count > 1 else 0.0

    def interval(self, z: float = Z95) -> tuple[float, float]:
        """The normal interval of the mean."""
        half = z * self.sd / sqrt(self.count) if self.count else 0.0
        return self.mean - half, self.mean + half


@dataclass(slots=True)
class Tally:
    """The sums over games of one program. Feed it with ``add``; faulty games are only counted."""

    players: int
    games: int = 0
    """Games that came to an end."""
    faults: int = 0
    decisions: int = 0
    """In all finished games together."""
    options: int = 0
    """Options offered, over all decisions."""
    limited: int = 0
    """Games among the finished ones that the decision limit ended as a draw."""
    shared: list[list[int]] = field(default_factory=list)
    """For each seat, how often it won alone, with one other, with two others and so on."""
    scores: list[Running] = field(default_factory=list)
    length: Running = field(default_factory=Running)

    def __post_init__(self) -> None:
        self.shared = [[0] * self.players for _ in range(self.players)]
        self.scores = [Running() for _ in range(self.players)]

    def add(
        self, scores: tuple[int, ...], winners: tuple[int, ...], decisions: int, options: int, *, limited: bool = False
    ) -> None:
        """A finished game: the score of each seat, the winning seats, how many decisions and options there were, and
        whether the decision limit ended it."""
        self.games += 1
        self.limited += limited
        self.decisions += decisions
        self.options += options
        for seat in winners:
            self.shared[seat][len(winners) - 1] += 1
        for running, score in zip(self.scores, scores, strict=True):
            running.add(score)
        self.length.add(decisions)

    @property
    def wins(self) -> list[float]:
        """Wins of each seat, a shared one as a fraction."""
        return [sum(count / sharing for sharing, count in enumerate(counts, 1)) for counts in self.shared]

    def win_rate(self, seat: int) -> tuple[float, float, float]:
        """Share of wins of a seat with its 95 % interval: (rate, low, high)."""
        rate = min(1.0, self.wins[seat] / self.games) if self.games else 0.0
        low, high = wilson(rate, self.games)
        return rate, low, high

    def team_rates(self, teams: int) -> list[tuple[float, float, float]]:
        """The same for each of so many teams, whose seats come in turn. Empty without teams."""
        rates = []
        for team in range(teams):
            rate = sum(self.wins[team::teams]) / self.games if self.games else 0.0
            rates.append((rate, *wilson(min(1.0, rate), self.games)))
        return rates

    @property
    def mean_options(self) -> float:
        """Options a decision, over all decisions (a game of many decisions weighs more)."""
        return self.options / self.decisions if self.decisions else 0.0
