"""Cribbage and Gin Rummy against OpenSpiel's games, decision by decision. Their cards are counted suit by suit."""

from __future__ import annotations

import pyspiel
import pytest
from lockstep import RANKS, SUITS, Adapter, NotCompared, load

RANKS_FROM_ACE = (RANKS[-1], *RANKS[:-1])


def card_name(action: int, suits: tuple[str, ...] = SUITS) -> str:
    return f"{RANKS_FROM_ACE[action % 13]} of {suits[action // 13]}"


def card_number(name: str, suits: tuple[str, ...] = SUITS) -> int:
    rank, suit = name.split(" of ")
    return 13 * suits.index(suit) + RANKS_FROM_ACE.index(rank)


def named(cards: str) -> list[str]:
    """The cards of a label: "a, b and c"."""
    return cards.replace(" and ", ", ").split(", ")


class Cribbage(Adapter):
    """Who can only say go is asked there and not here. All hands are counted before anybody has won, and the crib
    counts a flush of four, which pagat.com knows as a mistake: both are options of ours."""

    PASS = 2756

    def __init__(self, players: int) -> None:
        theirs = {"players": players, "winner_bonus_reward": 0.0}
        self.theirs = pyspiel.load_game("cribbage", theirs).new_initial_state()
        self.game = load("cribbage", players, show_all=True, crib_flush_of_four=True)
        self.dealt = False

    def chance(self, action):
        if not self.dealt:
            self.dealt = True
            yield "0"
        yield card_name(action)

    def forced(self):
        return self.PASS if not self.theirs.is_terminal() and self.theirs.legal_actions() == [self.PASS] else None

    def action(self, label):
        rest = label.partition(" ")[2]
        numbers = [card_number(name) for name in named(rest.removesuffix(" in the crib"))]
        if len(numbers) == 1:
            return (numbers[0],)
        first, second = sorted(numbers, key=lambda card: (card % 13, card // 13))
        return (52 + 52 * first + second,)


@pytest.mark.parametrize("players", [2, 3])
def test_cribbage(run, players):
    assert 50 < run(Cribbage, players, share=1 if players == 2 else 4) < 300


class GinRummy(Adapter):
    """OpenSpiel allows to discard what was just taken, ends the game when that happens twice in a row or when fifty
    cards were taken, and gives nothing for an undercut with as much deadwood. Its players lay melds one by one, as
    ours do.

    Not compared: a knock with the last discard after the stock has run out, which only OpenSpiel knows; hands with
    which it forbids to knock, taking the first of two equally good layouts for the only one; a third card laid off on
    one end of a run, which it forbids; a card that can be laid off on two melds, of which it keeps no account.
    """

    SUITS = ("spades", "clubs", "diamonds", "hearts")
    TAKE, DRAW, PASS, KNOCK, MELDS = 52, 53, 54, 55, 56
    RULES = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)

    def __init__(self, theirs: str, ours: dict[str, object]) -> None:
        self.theirs = pyspiel.load_game(theirs).new_initial_state()
        self.game = load("gin_rummy", 2, most_deals=1, target=500, keep_the_taken=False, tie_undercuts=False, **ours)
        self.begun = False
        self.laid_off = set()

    def chance(self, action):
        if not self.begun:
            self.begun = True
            yield "1"
        yield card_name(action, self.SUITS)

    def forced(self):
        if self.theirs.current_phase() == pyspiel.gin_rummy.Phase.WALL:
            return self.PASS
        legal = self.theirs.legal_actions() if not self.theirs.is_terminal() else []
        return self.DRAW if legal == [self.DRAW] else None

    def action(self, label):
        word, _, rest = label.partition(" ")
        match word:
            case "take":
                return (self.TAKE,)
            case "draw":
                return (self.DRAW,)
            case "pass" | "that":
                return (self.PASS,)
            case "knock":
                hand = self.theirs.hands()[self.theirs.current_player()]
                if self.KNOCK not in self.theirs.legal_actions() and self.RULES.legal_discards(hand, self.limit()):
                    raise NotCompared
                return (self.KNOCK,)
            case "meld":
                return (self.RULES.meld_to_int(self.numbers(rest)) + self.MELDS,)
            case "lay":
                card, _, _ = rest.removeprefix("off ").partition(" on ")
                (number,) = self.numbers(card)
                if (self.theirs.move_number(), number) in self.laid_off:
                    raise NotCompared
                self.laid_off.add((self.theirs.move_number(), number))
                return (number,)
        return tuple(self.numbers(rest))

    def numbers(self, names):
        return sorted(card_number(name, self.SUITS) for name in named(names))

    def limit(self):
        return self.theirs.knock_card()

    def pick(self, rng, offered):
        """Whoever discards at random does not come to knock: keeps what is near other cards, and knocks."""
        phase = self.theirs.current_phase()
        rules = pyspiel.gin_rummy.Phase
        if (self.KNOCK,) in offered:
            return (self.KNOCK,)
        if phase == rules.DRAW and rng.random() < 0.5:
            return (self.DRAW,)
        if phase == rules.LAYOFF and not self.theirs.finished_layoffs():
            beside = {(card + step,) for card in self.theirs.layoffs() for step in (-1, 1)}
            return rng.choice([action for action in offered if action not in beside])
        if phase != rules.DISCARD:
            return super().pick(rng, offered)
        cards = [card for (card,) in offered if card != self.theirs.prev_upcard()]

        def company(card):
            return sum(
                other % 13 == card % 13 or (other // 13 == card // 13 and abs(other - card) < 3)
                for other in cards
                if other != card
            )

        if rng.random() < 0.05:
            return (rng.choice(cards),)
        return (min(cards, key=lambda card: (company(card), -(card % 13))),)

    def returns(self, result):
        gain = float(result.scores[0] - result.scores[1])
        return [gain, -gain]


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("gin_rummy", {}),
        ("gin_rummy(oklahoma=True)", {"oklahoma": True}),
        ("gin_rummy(knock_card=5,gin_bonus=20,undercut_bonus=10)",
         {"knock_with": 5, "gin_bonus": 20, "undercut_bonus": 10}),
    ],
    ids=["plain", "oklahoma", "other bonuses"],
)  # fmt: skip
def test_gin_rummy(run, theirs, ours):
    assert 20 < run(GinRummy, theirs, ours, share=1 if not ours else 8) < 130
