"""Cribbage and Gin Rummy against OpenSpiel's games, decision by decision. Their cards are counted suit by suit."""

from __future__ import annotations

import re

import pyspiel
import pytest
from lockstep import RANKS, SUITS, Adapter, NotCompared, load
from test_lockstep import run

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
        word, _, rest = label.partition(" ")
        numbers = [card_number(name) for name in named(rest.removesuffix(" in the crib"))]
        if len(numbers) == 1:
            return (numbers[0],)
        first, second = sorted(numbers, key=lambda card: (card % 13, card // 13))
        return (52 + 52 * first + second,)


@pytest.mark.parametrize("players", [2, 3])
def test_cribbage(players):
    assert 50 < run(Cribbage, players, share=2) < 300


def place(suit: str, rank: str) -> tuple[int, int]:
    """Suit and rank of a card as OpenSpiel's Gin Rummy writes it."""
    return "scdh".find(suit), "A23456789TJQK".find(rank)


class GinRummy(Adapter):
    """OpenSpiel allows to discard what was just taken, ends the game when that happens twice in a row or when fifty cards
    were taken, and gives nothing for an undercut with as much deadwood. Its players lay melds one by one, as ours do."""

    SUITS = ("spades", "clubs", "diamonds", "hearts")
    TAKE, DRAW, PASS, KNOCK, MELDS = 52, 53, 54, 55, 56

    def __init__(self, theirs: str, ours: dict[str, object]) -> None:
        self.theirs = pyspiel.load_game(theirs).new_initial_state()
        self.game = load(
            "gin_rummy", 2, most_deals=1, target=500, keep_the_taken=False, tie_undercuts=False, wall_knock=True, **ours
        )
        self.begun = False

    def chance(self, action):
        if not self.begun:
            self.begun = True
            yield "1"
        yield card_name(action, self.SUITS)

    def forced(self):
        legal = self.theirs.legal_actions() if not self.theirs.is_terminal() else []
        return self.DRAW if legal == [self.DRAW] else None

    def offered(self):
        if self.theirs.history().count(self.TAKE) >= 49:
            raise NotCompared
        return super().offered()

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
                return (self.KNOCK,)
            case "meld":
                return (self.melds()[frozenset(card_number(name, self.SUITS) for name in named(rest))],)
        return (card_number(rest.removeprefix("off ").split(" on ")[0], self.SUITS),)

    def melds(self):
        """OpenSpiel's number of each meld that it offers, by its cards."""
        found = {}
        for action in self.theirs.legal_actions():
            if action >= self.MELDS:
                text = self.theirs.action_to_string(action).rsplit(" ", 1)[1]
                pairs = [text[at : at + 2] for at in range(0, len(text), 2)]
                places = (place(suit, rank) for rank, suit in pairs)
                found[frozenset(13 * suit + rank for suit, rank in places)] = action
        return found

    def pick(self, rng, offered):
        """Whoever discards at random does not come to knock: keeps what is near other cards, and knocks."""
        if (self.KNOCK,) in offered:
            return (self.KNOCK,)
        if (self.TAKE,) in offered and rng.random() < 0.5:
            return offered[-1]
        cards = [action for (action,) in offered if action < 52]
        text = str(self.theirs)
        if len(cards) > 9 and "Repeated move: 1" in text:
            seen = re.search("Prev upcard: (.)(.)", text)
            cards = [card for card in cards if (card // 13, card % 13) != place(seen[2], seen[1])]
            return (rng.choice(cards),)
        if "Phase: Layoff" in text and len(offered) > 1 and max(offered)[0] < self.MELDS:
            seen = re.search("Layoffs: (.*)", text)
            laid = [place(pair[1], pair[0]) for pair in re.findall("..", seen[1])] if seen else []
            beside = {13 * suit + rank + step for suit, rank in laid for step in (-1, 1)}
            return rng.choice([action for action in offered if action[0] not in beside])
        if len(cards) < 9 or rng.random() < 0.05:
            return super().pick(rng, offered)

        def company(card):
            return sum(
                (other % 13 == card % 13 or other // 13 == card // 13 and abs(other - card) < 3)
                for other in cards if other != card
            )  # fmt: skip

        return (min(cards, key=lambda card: (company(card), -(card % 13))),)

    def returns(self, result):
        gain = float(result.scores[0] - result.scores[1])
        return [gain, -gain]


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("gin_rummy", {}),
        ("gin_rummy(oklahoma=True)", {"oklahoma": True}),
        ("gin_rummy(knock_card=5,gin_bonus=20,undercut_bonus=10)", {"knock_with": 5, "gin_bonus": 20, "undercut_bonus": 10}),
    ],
    ids=["plain", "oklahoma", "other bonuses"],
)
def test_gin_rummy(theirs, ours):
    assert 20 < run(GinRummy, theirs, ours, share=4) < 130
