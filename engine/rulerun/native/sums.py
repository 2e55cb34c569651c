"""What many playouts add up to: whole numbers only, so that merging them in any grouping gives the same."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

from rulerun.native.expressions import FAULTS
from rulerun.native.playout import (
    DECIDED,
    FAULT_WORDS,
    FIRST_TIE,
    GAMES,
    LIMIT_GAMES,
    LONGEST,
    LONGEST_GAME,
    OFFERED,
    SCORE,
    SCORE_GREATEST,
    SCORE_LEAST,
    SCORE_SQUARES,
    SEATS,
    SHORTEST,
    SHORTEST_GAME,
    SQUARES,
    TIES,
    WINS,
    seat_words,
    sums_words,
)
from rulerun.native.playout import FAULTS as FAULT_COUNT

MOST = 2**62
FAULTS_KEPT = 16
"""Faults of which the game's number is kept."""


@dataclass(slots=True)
class Sums:
    """Sums over games. Games are named by their numbers in the series (`play.simulate.game_seed` gives the seed)."""

    players: int
    words: array[int]
    faults: list[tuple[int, str, int, int]] = field(default_factory=list)
    """The first faults: game, code, origin, decisions made."""
    fault_counts: dict[tuple[str, int], int] = field(default_factory=dict)
    """How many games ended in each fault, by code and origin."""

    @classmethod
    def empty(cls, players: int) -> Sums:
        words = array("q", bytes(8 * sums_words(players)))
        words[SHORTEST], words[LONGEST] = MOST, -1
        words[SHORTEST_GAME] = words[LONGEST_GAME] = words[FIRST_TIE] = -1
        for seat in range(players):
            base = SEATS + seat * seat_words(players)
            words[base + SCORE_LEAST], words[base + SCORE_GREATEST] = MOST, -MOST
        return cls(players, words)

    def take_faults(self, faults: array[int]) -> None:
        """Reads the faults that a call has left."""
        for i in range(self.words[FAULT_COUNT]):
            game, fault, decisions = faults[i * FAULT_WORDS : (i + 1) * FAULT_WORDS]
            key = FAULTS[(fault >> 32) - 1], (fault & 0xFFFFFFFF) - 1
            self.fault_counts[key] = self.fault_counts.get(key, 0) + 1
            if len(self.faults) < FAULTS_KEPT:
                self.faults.append((game, *key, decisions))

    def merge(self, later: Sums) -> None:
        """Adds the sums of games that come later in the series."""
        mine, theirs = self.words, later.words
        for word in (GAMES, FAULT_COUNT, DECIDED, OFFERED, TIES, LIMIT_GAMES):
            mine[word] += theirs[word]
        if theirs[SHORTEST] < mine[SHORTEST]:
            mine[SHORTEST], mine[SHORTEST_GAME] = theirs[SHORTEST], theirs[SHORTEST_GAME]
        if theirs[LONGEST] > mine[LONGEST]:
            mine[LONGEST], mine[LONGEST_GAME] = theirs[LONGEST], theirs[LONGEST_GAME]
        if mine[FIRST_TIE] < 0:
            mine[FIRST_TIE] = theirs[FIRST_TIE]
        self._add_wide(SQUARES, later)
        for seat in range(self.players):
            base = SEATS + seat * seat_words(self.players)
            mine[base + SCORE] += theirs[base + SCORE]
            self._add_wide(base + SCORE_SQUARES, later)
            mine[base + SCORE_LEAST] = min(mine[base + SCORE_LEAST], theirs[base + SCORE_LEAST])
            mine[base + SCORE_GREATEST] = max(mine[base + SCORE_GREATEST], theirs[base + SCORE_GREATEST])
            for word in range(base + WINS, base + WINS + self.players):
                mine[word] += theirs[word]
        self.faults = (self.faults + later.faults)[:FAULTS_KEPT]
        for key, count in later.fault_counts.items():
            self.fault_counts[key] = self.fault_counts.get(key, 0) + count

    def _wide(self, word: int) -> int:
        return (self.words[word + 1] << 64) + (self.words[word] & 2**64 - 1)

    def _add_wide(self, word: int, later: Sums) -> None:
        total = self._wide(word) + later._wide(word)
        low = total & 2**64 - 1
        self.words[word] = low - 2**64 if low >> 63 else low
        self.words[word + 1] = total >> 64

    # ------------------------------------------------------------------- reading

    @property
    def games(self) -> int:
        """Games that came to an end."""
        return self.words[GAMES]

    @property
    def faulty(self) -> int:
        """Games that the rules could not finish."""
        return self.words[FAULT_COUNT]

    @property
    def decisions(self) -> int:
        return self.words[DECIDED]

    @property
    def options(self) -> int:
        """Options offered, over all decisions."""
        return self.words[OFFERED]

    @property
    def decision_squares(self) -> int:
        """Sum of the squared numbers of decisions."""
        return self._wide(SQUARES)

    @property
    def decision_range(self) -> tuple[int, int]:
        return self.words[SHORTEST], self.words[LONGEST]

    @property
    def longest_game(self) -> int:
        """Number of the (first) longest game; -1 for none."""
        return self.words[LONGEST_GAME]

    @property
    def shortest_game(self) -> int:
        return self.words[SHORTEST_GAME]

    @property
    def ties(self) -> int:
        """Games with more than one winner."""
        return self.words[TIES]

    @property
    def limited(self) -> int:
        """Games that the decision limit ended as a draw."""
        return self.words[LIMIT_GAMES]

    @property
    def first_tie(self) -> int:
        """Number of the first of them; -1 for none."""
        return self.words[FIRST_TIE]

    def _seat(self, seat: int) -> int:
        return SEATS + seat * seat_words(self.players)

    def score_sum(self, seat: int) -> int:
        return self.words[self._seat(seat) + SCORE]

    def score_squares(self, seat: int) -> int:
        return self._wide(self._seat(seat) + SCORE_SQUARES)

    def score_range(self, seat: int) -> tuple[int, int]:
        base = self._seat(seat)
        return self.words[base + SCORE_LEAST], self.words[base + SCORE_GREATEST]

    def wins(self, seat: int) -> tuple[int, ...]:
        """Games that a seat won alone, with one other, ..."""
        base = self._seat(seat) + WINS
        return tuple(self.words[base : base + self.players])
