"""Our rulesets against OpenSpiel's games, decision by decision."""

from __future__ import annotations

from itertools import combinations

import pyspiel
import pytest
from lockstep import RANKS, SUITS, Adapter, NotCompared, french_name, load


class Kuhn(Adapter):
    def __init__(self, players: int) -> None:
        self.game = load("kuhn", players)
        self.theirs = pyspiel.load_game(f"kuhn_poker(players={players})").new_initial_state()
        self.cards = ("jack", "queen", "king") if players == 2 else ("ten", "jack", "queen", "king")

    def chance(self, action):
        yield self.cards[action]

    def action(self, label):
        return ({"pass": 0, "fold": 0, "bet": 1, "call": 1}[label],)


@pytest.mark.parametrize("players", [2, 3])
def test_kuhn(run, players):
    assert 2 <= run(Kuhn, players) <= 5


class Leduc(Adapter):
    """Cards 0 to 5: two jacks, two queens, two kings."""

    def __init__(self) -> None:
        self.game = load("leduc", 2)
        self.theirs = pyspiel.load_game("leduc_poker").new_initial_state()

    def chance(self, action):
        yield f"{('jack', 'queen', 'king')[action // 2]} of {('hearts', 'spades')[action % 2]}"

    def action(self, label):
        return ({"fold": 0, "call": 1, "check": 1, "raise": 2}[label],)


def test_leduc(run):
    assert 3 < run(Leduc) < 5


class Goofspiel(Adapter):
    def __init__(self, players: int, cards: int, order: str, hidden: bool) -> None:
        self.game = load(
            "goofspiel",
            players,
            ("hidden bids",) if hidden else (),
            cards_each=cards,
            prize_order={"random": "shuffled", "descending": "falling", "ascending": "rising"}[order],
            last_by_itself=True,
        )
        theirs = pyspiel.load_game_as_turn_based(
            "goofspiel",
            {"players": players, "num_cards": cards, "points_order": order, "imp_info": hidden,
             "returns_type": "total_points"},
        )
        self.theirs = theirs.new_initial_state()

    def chance(self, action):
        yield str(action + 1)

    def action(self, label):
        return (int(label.removeprefix("bid ")) - 1,)


@pytest.mark.parametrize(
    ("players", "cards", "order", "hidden"),
    [(2, 13, "random", False), (2, 13, "descending", True), (3, 6, "ascending", False), (3, 8, "random", True)],
)
def test_goofspiel(run, players, cards, order, hidden):
    assert run(Goofspiel, players, cards, order, hidden, share=2) == players * (cards - 1)


class Hearts(Adapter):
    """OpenSpiel deals round the table, we deal hand by hand. Its pass is three actions, ours is one."""

    PASSES = ("hold", "left", "across", "right")

    def __init__(self, theirs: str, ours: dict[str, object]) -> None:
        self.theirs = pyspiel.load_game(theirs).new_initial_state()
        self.options = ours
        self.passing = "pass_cards=False" not in theirs
        self.dealt = []

    def begin(self, rng):
        self.pass_to = rng.randrange(4) if self.passing else 0
        self.theirs.apply_action(self.pass_to)
        self.game = load("hearts", 4, target=1, first_pass=self.PASSES[self.pass_to], **self.options)

    def chance(self, action):
        self.dealt.append(action)
        if len(self.dealt) == 52:
            for seat in range(4):
                yield from (french_name(card) for card in self.dealt[seat::4])

    def offered(self):
        if self.pass_to and len(self.theirs.history()) < 1 + 52 + 12:
            return list(combinations(self.theirs.legal_actions(), 3))
        return super().offered()

    def action(self, label):
        names = label.split(" ", 1)[1].replace(" and ", ", ").split(", ")
        return tuple(sorted(number(name) for name in names))

    def returns(self, result):
        return [26.0 - score for score in result.scores]


def number(name: str) -> int:
    """A card as OpenSpiel counts them: rank by rank."""
    rank, suit = name.split(" of ")
    return 4 * RANKS.index(rank) + SUITS.index(suit)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("hearts", {}),
        ("hearts(pass_cards=False)", {"passing": False}),
        ("hearts(jd_bonus=True,avoid_all_tricks_bonus=True,can_lead_any_club=True)",
         {"jack_bonus": 10, "no_trick_bonus": 5, "opening": "any_club"}),
        ("hearts(no_pts_on_first_trick=False,qs_breaks_hearts=False,can_lead_hearts_instead_of_qs=True)",
         {"points_in_first_trick": True, "queen_breaks": False, "spare_the_queen": True}),
        ("hearts(must_break_hearts=False)", {"hearts_must_break": False}),
    ],
    ids=["plain", "without passing", "bonuses", "other first trick", "hearts may lead"],
)  # fmt: skip
def test_hearts(run, theirs, ours):
    assert 52 <= run(Hearts, theirs, ours, share=1 if not ours else 4) <= 56


class CrazyEights(Adapter):
    """OpenSpiel deals round the table from the dealer's neighbour on, we deal hand by hand."""

    def __init__(self, players: int, reshuffle: bool, special: bool) -> None:
        theirs = {"players": players, "reshuffle": reshuffle, "use_special_cards": special}
        self.theirs = pyspiel.load_game("crazy_eights", theirs).new_initial_state()
        self.game = load(
            "crazy_eights",
            players,
            ("special cards",) if special else (),
            target=1,
            reshuffle=reshuffle,
            extra_passes=1,
        )
        self.players = players
        self.dealt = []
        self.to_deal = players * (7 if players == 2 else 5)

    def chance(self, action):
        if not self.dealt and action >= 52:
            yield str(action - 52)
            return
        self.dealt.append(action)
        if len(self.dealt) == self.to_deal:
            for place in range(self.players):
                yield from (french_name(card) for card in self.dealt[place :: self.players])
        elif len(self.dealt) > self.to_deal:
            yield french_name(action)

    def action(self, label):
        if label in ("draw", "pass"):
            return (52 if label == "draw" else 53,)
        word, name = label.split(" ", 1)
        return (54 + SUITS.index(name),) if word == "call" else (number(name),)

    def returns(self, result):
        """OpenSpiel means to count pips, but takes the number of the card for its rank (``card + 2`` in ``ScoreUp``):
        the four of clubs costs 10 and not 4. Its hands are ours; so we count them its way."""
        return [-float(sum(self.faulty_worth(name) for name in hand)) for hand in result.hands]

    @staticmethod
    def faulty_worth(name):
        rank, card = RANKS.index(name.split()[0]), number(name)
        return 50 if name.startswith("eight") else 10 if rank >= RANKS.index("jack") else card + 2


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize(
    ("reshuffle", "special"),
    # Special cards without a new stock are left out: OpenSpiel takes drawing the very last cards for a two as a pass.
    [(False, False), (True, False), (True, True)],
    ids=["plain", "reshuffle", "special cards"],
)
def test_crazy_eights(run, players, reshuffle, special):
    assert 20 < run(CrazyEights, players, reshuffle, special, share=1 if players == 2 else 4) < 300


class GoFish(Adapter):
    """OpenSpiel knows ranks only: of a rank it draws, any card will do. The first player is the first seat. Whoever is
    dealt a whole book gets four more cards there."""

    def __init__(self, players: int, theirs: dict[str, object], ours: dict[str, object]) -> None:
        self.theirs = pyspiel.load_game("go_fish", {"players": players, **theirs}).new_initial_state()
        self.game = load("go_fish", players, **ours)
        self.dealt = 0
        self.drawn = [0] * 13
        self.to_deal = players * (7 if players == 2 else 5)

    def chance(self, action):
        suit = SUITS[self.drawn[action]]
        self.drawn[action] += 1
        self.dealt += 1
        if self.dealt <= self.to_deal and ":1" in str(self.theirs):
            raise NotCompared
        yield f"{RANKS[action]} of {suit}"
        if self.dealt == self.to_deal:
            yield "0"

    def action(self, label):
        _, seat, _, rank = label.split()
        return ((int(seat[1:]) - 1) * 13 + RANKS.index(rank),)

    def returns(self, result):
        seats, winners = range(len(result.scores)), result.winners
        if len(winners) == len(seats):
            return [0.0 for _ in seats]
        lost = -1.0 / (len(seats) - len(winners))
        return [1.0 / len(winners) if seat in winners else lost for seat in seats]


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ({}, {}),
        ({"ask_after_empty_draw": False}, {"ask_after_drawing": False}),
        ({"end_on_first_out": True, "most_books_wins": False}, {"first_out_wins": True}),
    ],
    ids=["plain", "no asking after drawing", "first out"],
)
def test_go_fish(run, players, theirs, ours):
    assert 20 < run(GoFish, players, theirs, ours, share=1 if players == 2 else 4) < 150


class OhHell(Adapter):
    """OpenSpiel counts cards rank by rank, too, and bids from 52 on."""

    def __init__(self, players: int, theirs: dict[str, object], ours: dict[str, object]) -> None:
        self.theirs = pyspiel.load_game("oh_hell", {"players": players, **theirs}).new_initial_state()
        self.options = ours
        self.players = players
        self.dealt = None

    def begin(self, rng):
        self.size = rng.randrange(1, min(10, 51 // self.players) + 1)
        self.theirs.apply_action(self.size)
        self.game = load("oh_hell", self.players, first_size=self.size, last_size=self.size, **self.options)

    def chance(self, action):
        if self.dealt is None:
            self.dealt = []
            yield str(action)
            return
        self.dealt.append(action)
        if len(self.dealt) == self.players * self.size + 1:
            for seat in range(self.players):
                yield from (french_name(card) for card in self.dealt[seat : -1 : self.players])
            yield french_name(action)

    def action(self, label):
        word, name = label.split(" ", 1)
        return (52 + int(name),) if word == "bid" else (number(name),)


@pytest.mark.parametrize("players", [3, 5, 7])
@pytest.mark.parametrize(
    ("theirs", "ours"),
    [({}, {}), ({"off_bid_penalty": True, "points_per_trick": 2},
               {"missed_tricks_count": False, "trick_points": 2, "miss_costs": 2})],
    ids=["plain", "penalty"],
)  # fmt: skip
def test_oh_hell(run, players, theirs, ours):
    assert run(OhHell, players, theirs, ours, share=2) > 2 * players


class Blackjack(Adapter):
    """OpenSpiel counts suit by suit from the ace on, and deals the bank's hidden card first."""

    RANKS_FROM_ACE = (RANKS[-1], *RANKS[:-1])

    def __init__(self) -> None:
        self.theirs = pyspiel.load_game("blackjack").new_initial_state()
        self.game = load("blackjack", 1, deals=1, bet=1, naturals=False, doubling=False, asked_at_21=True)
        self.dealt = []

    def chance(self, action):
        self.dealt.append(f"{self.RANKS_FROM_ACE[action % 13]} of {SUITS[action // 13]}")
        if len(self.dealt) == 4:
            yield from (self.dealt[place] for place in (0, 1, 3, 2))
        elif len(self.dealt) > 4:
            yield self.dealt[-1]

    def action(self, label):
        return ({"hit": 0, "stand": 1}[label],)


def test_blackjack(run):
    assert 1 < run(Blackjack) < 3
