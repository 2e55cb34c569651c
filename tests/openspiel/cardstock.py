"""How CardStock's texts count the decisions and options of a game, where they ask otherwise than we do.

CardStock is a program in C# that is not run here. Its texts say who is asked what; a `Counting` goes along with one of
our games and counts what its text would have counted in the same game: a choice that is two there, a player who can
only pass, two choices that are one. So it is our rules that are compared with its figures, not a second set of rules.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import rulerun

Counted = tuple[int, int]
"""Decisions, and the options of all of them together."""


class Counting:
    """One game as CardStock counts it. One object per played game."""

    over = False
    """Whether what is counted has come to its end before our game has."""

    def weights(self, labels: Sequence[str]) -> list[int]:
        """How many options of CardStock's each of ours is: a random player there chooses it so much more often."""
        return [1 for _ in labels]

    def asked(self, seat: int, labels: Sequence[str], chosen: str) -> Counted:  # noqa: ARG002
        """What CardStock counts for a decision of ours, and for what it asks besides until our next one."""
        return 1, sum(self.weights(labels))


def play(game: rulerun.Game, counting: Counting, seed: int) -> Counted:
    """Plays a game at random; what CardStock would have counted."""
    rng = random.Random(seed)
    state = game.new(seed)
    decisions = options = 0
    while not state.is_over and not counting.over:
        seat = state.seat
        assert seat is not None
        labels = [option.label for option in state.options]
        (index,) = rng.choices(range(len(labels)), counting.weights(labels))
        more, wider = counting.asked(seat, labels, labels[index])
        decisions, options = decisions + more, options + wider
        state.choose(index)
    return decisions, options


class OneDeal(Counting):
    """The first deal only, of so many decisions."""

    def __init__(self, decisions: int) -> None:
        self.left = decisions

    def asked(self, seat, labels, chosen):
        self.left -= 1
        self.over = self.left == 0
        return super().asked(seat, labels, chosen)


class Euchre(Counting):
    """Also asked, with one option: three players while the dealer discards, and a lone player's partner in each trick,
    unless the other three have played before. A dealer whose partner plays alone discards all the same (of six)."""

    def __init__(self) -> None:
        self.first: int | None = None
        self.idle: int | None = None
        self.plays = 0

    def asked(self, seat, labels, chosen):
        decisions, options = super().asked(seat, labels, chosen)
        if self.first is None:
            self.first = seat
        if chosen.endswith("play alone"):
            self.idle = (seat + 2) % 4
        if chosen.startswith("order up"):
            decisions, options = decisions + 3, options + 3
            if self.idle == (self.first + 3) % 4:
                decisions, options = decisions + 1, options + 6
        if chosen.startswith("play"):
            if self.idle is not None and self.plays % 3 == 0:
                leader = seat if self.plays else self.first
                if (self.idle - leader) % 4 != 3:
                    decisions, options = decisions + 1, options + 1
            self.plays += 1
        return decisions, options


class Cribbage(Counting):
    """Each of the two cards for the crib is chosen by itself, and who cannot play has to say go, even without cards."""

    def __init__(self) -> None:
        self.deal()

    def deal(self) -> None:
        self.hands: dict[int, list[int]] = {}
        self.gone: set[int] = set()
        self.total = 0

    def asked(self, seat, labels, chosen):
        if chosen.startswith("lay"):
            self.deal()
            return 2, 6 + 5
        pips = [PIPS[label.split()[1]] for label in labels]
        hand = self.hands.setdefault(seat, pips)
        assert sorted(pips) == sorted(card for card in hand if self.total + card <= 31)
        self.total += PIPS[chosen.split()[1]]
        self.hands[seat] = [*hand]
        self.hands[seat].remove(PIPS[chosen.split()[1]])
        went = self.goes(seat, 1 - seat)
        return 1 + went, len(labels) + went

    def goes(self, seat: int, other: int) -> int:
        """How often go is said after a card of this seat, until the next card."""
        if len(self.hands) < 2 or not any(self.hands.values()):
            return 0
        before = len(self.gone)
        if self.total < 31:
            self.stuck(other)
            if other not in self.gone or not self.stuck(seat):
                return len(self.gone) - before
        went = len(self.gone) - before if self.total < 31 else 0
        self.total, self.gone = 0, set()
        return went + self.stuck(other)

    def stuck(self, seat: int) -> bool:
        """Whether a seat cannot play, which it then says."""
        can = any(self.total + card <= 31 for card in self.hands[seat])
        if not can:
            self.gone.add(seat)
        return not can


class CrazyEights(Counting):
    """An eight and the suit that is called are one choice: four options for each eight."""

    def weights(self, labels):
        return [4 if label.startswith("play eight") else 1 for label in labels]

    def asked(self, seat, labels, chosen):
        return (0, 0) if chosen.startswith("call") else super().asked(seat, labels, chosen)


PIPS = {
    "ace": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "jack": 10, "queen": 10, "king": 10,
}  # fmt: skip
"""What cards count in the play of cribbage."""
