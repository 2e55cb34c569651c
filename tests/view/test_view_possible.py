"""What a hidden card may still be, from facts that were told about it and from the cards that a seat knows."""

from __future__ import annotations

import json
from io import StringIO
from random import Random

import pytest

import rulerun
from rulerun.faces.board import board
from rulerun.faces.screen import Screen
from rulerun.testing import conforms
from rulerun.view.possible import Follower
from rulerun.view.table import Table
from rulerun.view.view import View

RULES = """\
rulerun: 1
game: Hints
players: 2
types:
  Colour: [red, green]
cards:
  face: {colour: Colour, number: int}
  name: "{colour} {number}"
  deck:
    - {each: {colour: Colour, number: 1..3}, copies: "2 if number == 1 else 1"}
zones:
  stock: {kind: pile, seen_by: nobody, start: deck}
  rack: {kind: row, per: player, seen_by: others}
  grid: {kind: board, places: 3, seen_by: nobody}
  heap: {kind: pile, seen_by: nobody}
  open: {kind: row, seen_by: everyone}
  hand: {kind: hand, per: player}
state:
  secret: {type: int, start: 2, seen_by: nobody}
functions:
  is_low(Card c): c.number == 1
rules:
  play: |
    let me = first p in players where true
    let you = next(me)
    BODY
    me chooses k from 1..2
result:
  score(Player p): 0
  winner: [highest score]
"""
"""Red 1, red 1, red 2, red 3, green 1, green 1, green 2, green 3: a stock in this order, not shuffled."""
DEAL = "move (c for c in stock where c.number == 2 or c.colour == green and c.number == 3) to rack[me]\n"
"""P1, who does not see it, holds red 2, green 2, green 3."""


def view(body: str, seat: int = 0, deal: str = DEAL) -> View:
    text = RULES.replace("BODY", (deal + body).strip().replace("\n", "\n    "))
    return rulerun.load(text, players=2).new(1).view(seat)


def kinds(body: str, zone: str = "rack of P1", seat: int = 0, deal: str = DEAL) -> list[str | None]:
    """Per card of the zone what it may be."""
    cards = view(body, seat, deal).zone(zone).cards
    return [None if c.possible is None else ", ".join(c.possible.kinds) for c in cards]


RED = "tell me whether (c.colour == red for c in rack[me])\n"
TWO = "tell me whether (c.number == 2 for c in rack[me])\n"


def test_nothing_told_nothing_concluded() -> None:
    assert kinds("") == [None, None, None]
    assert kinds("tell me whether rack[me] is empty") == [None, None, None]


def test_each_fact_takes_away_kinds() -> None:
    green = "green 1, green 2, green 3"
    assert kinds(RED) == ["red 1, red 2, red 3", green, green]
    assert kinds(TWO) == ["red 2, green 2", "red 2, green 2", "red 1, red 3, green 1, green 3"]
    assert kinds(RED + TWO) == ["red 2", "green 2", "green 1, green 3"]
    assert kinds("tell me whether (c.number > 1 and c.colour == red for c in rack[me])") == [
        "red 2, red 3", "red 1, green 1, green 2, green 3", "red 1, green 1, green 2, green 3",
    ]  # fmt: skip


def test_who_sees_the_cards_needs_no_conclusions() -> None:
    assert kinds(RED, seat=1) == [None, None, None]
    cards = view(RED, seat=1).zone("rack of P1").cards
    assert [card.name for card in cards] == ["red 2", "green 2", "green 3"]


def test_everyone_hears_it() -> None:
    body = "deal 2 from stock to rack[you]\ntell players whether (c.number == 1 for c in rack[you])\n"
    assert kinds(body, "rack of P2", seat=1) == ["red 1, green 1", "red 1, green 1"]
    assert kinds(body, "rack of P2", seat=0) == [None, None]
    hidden = "deal 2 from stock to heap\ntell you whether (c.number == 1 for c in heap)\n"
    assert [kinds(hidden, "heap", seat) for seat in (0, 1)] == [["red 1, green 1", "red 1, green 1"]] * 2


def test_what_is_concluded_of_a_card_goes_where_it_goes() -> None:
    assert kinds(RED + "let c = top of stock\nmove bottom of rack[me] to open\nmove c to rack[me]") == [
        "green 1, green 2, green 3", "green 1, green 2, green 3", None,
    ]  # fmt: skip
    front = RED + "move top of rack[me] to bottom of rack[me]"
    assert kinds(front) == ["green 1, green 2, green 3", "red 1, red 2, red 3", "green 1, green 2, green 3"]
    across = RED + "move bottom of rack[me] to grid at 3"
    assert kinds(across, "grid") == ["red 1, red 2, red 3"]
    assert kinds(across + "\nswap grid[3] with grid[1]\nswap grid[1] with top of rack[me]", "grid") == [
        "green 1, green 2, green 3"
    ]
    assert kinds(RED + "swap rack[me] with rack[you]", "rack of P2", seat=1) == [None, None, None]
    piled = RED + "move all of rack[me] to heap"
    assert kinds(piled, "heap") == ["green 1, green 2, green 3", "green 1, green 2, green 3", "red 1, red 2, red 3"]


def test_what_was_shown_is_known_and_not_concluded() -> None:
    cards = view(RED + "show bottom of rack[me] to me").zone("rack of P1").cards
    assert [(card.name, card.possible is None) for card in cards] == [
        ("red 2", True), ("a card", False), ("a card", False),
    ]  # fmt: skip


def test_cards_that_nobody_can_follow_are_forgotten() -> None:
    assert kinds(RED + "move all of rack[me] to heap\nshuffle heap", "heap") == [None, None, None]
    assert kinds(RED + "move all of rack[me] to hand[you]\nmove all of hand[you] to heap", "heap") == [None, None, None]
    assert kinds(RED + "collect rack[me] to heap\nmove all of heap to rack[me]") == [None, None, None]


def test_a_kind_that_lies_elsewhere_is_out() -> None:
    assert kinds(RED + "move (c for c in stock where c.number == 3) to open") == [
        "red 1, red 2", "green 1, green 2, green 3", "green 1, green 2, green 3",
    ]  # fmt: skip
    one = "move (first c in stock where c.colour == green and c.number == 1) to open\n"
    assert kinds(RED + one)[1] == "green 1, green 2, green 3"
    assert kinds(RED + one + one)[1] == "green 2, green 3"


def test_a_card_that_is_settled_takes_its_kind_from_the_others() -> None:
    both = RED + TWO + "tell me whether (c.number > 1 for c in rack[me])"
    assert kinds(both) == ["red 2", "green 2", "green 3"]
    last = "tell me whether (c.colour == green and c.number > 1 for c in rack[me])\n"
    settled = "tell me whether (c.number == 3 for c in rack[me])\n"
    assert kinds(last) == ["red 1, red 2, red 3, green 1", "green 2, green 3", "green 2, green 3"]
    assert kinds(last + settled) == ["red 1, red 2, green 1", "green 2", "green 3"]


@pytest.mark.parametrize(
    "fact",
    [
        "c.number == max(d.number for d in rack[me])",  # reads other cards: what is asked is not said
        "c.number == secret",
        "c == top of rack[me]",
        "c.number == count(d for d in rack[me] where d.number > 1)",
        "c.number == (top of stock).number",
    ],
)
def test_a_fact_about_what_is_hidden_says_no_more_than_itself(fact: str) -> None:
    assert kinds(f"tell me whether ({fact} for c in rack[me])") == [None, None, None]


def test_a_fact_may_be_about_what_has_a_name() -> None:
    assert kinds("let n = 2\ntell me whether (c.number == n for c in rack[me])") == kinds(TWO)
    assert kinds("tell me whether (c.number == count(rack[me]) for c in rack[me])")[2] == "red 3, green 3"


def test_how_it_is_told() -> None:
    seen = view(RED + TWO)
    told = json.loads(json.dumps(seen.zone("rack of P1").as_dict()))["cards"]
    assert told[0] == {
        "name": "a card",
        "face": False,
        "place": 1,
        "remembered": False,
        "possible": {"kinds": ["red 2"], "fields": {"colour": ["red"], "number": [2]}},
    }
    assert "possible" not in view("").zone("rack of P1").as_dict()["cards"][0]  # type: ignore[index, operator]
    lines = Screen(StringIO()).lines(board(seen))
    assert [line for line in lines if line.startswith("  rack (yours)")] == [
        "  rack (yours)  [1] ? (red 2)  [2] ? (green 2)  [3] ? (green, 1 or 3)"
    ]
    texts = [card.possible.text for card in view(RED).zone("rack of P1").cards if card.possible is not None]
    assert texts == ["red", "green", "green"]


@pytest.mark.parametrize("players", [2, 4])
def test_the_true_card_is_always_among_those_that_are_possible(players: int) -> None:
    game = rulerun.load("harbour_lights", players=players)
    program = game.program
    said = 0
    for seed in range(4):
        state, random = game.new(seed), Random(seed)
        while not state.is_over:
            table = Table(program, state.vector)
            for seat in range(players):
                follower = Follower(program)
                for observed in state.record(seat):
                    follower.hear(observed)
                found = game.conclusions.of(table, seat, state.record(seat))
                for zone in range(len(program.zones)):
                    lying = table.cards(zone)
                    assert len(follower.tracker.zones[zone]) == len(lying)
                    for place, card in enumerate(lying):
                        if (zone, place) in found:
                            assert program.kind_names[program.kinds[card]] in found[zone, place].kinds
                            said += 1
            state.choose(random.randrange(len(state.options)))
    assert said > 100


OF_ALL_SORTS = ("cactus", "crazy_eights", "durak", "golf", "harbour_lights", "klaverjassen", "ouch", "scopa", "skat")


@pytest.mark.parametrize("name", OF_ALL_SORTS)
def test_every_card_is_followed_by_what_each_seat_was_told(name: str) -> None:
    """As many cards lie where they are followed to, and each is of a kind that it may still be."""
    game = rulerun.load(name)
    program = game.program
    narrowed = 0
    for seed in range(2):
        state, random = game.new(seed), Random(seed)
        followers, heard = [Follower(program) for _ in range(game.players)], [0] * game.players
        while not state.is_over and len(state) < 60:
            state.choose(random.randrange(len(state.options)))
            table = Table(program, state.vector)
            for seat, follower in enumerate(followers):
                record = state.record(seat)
                for observed in record[heard[seat] :]:
                    follower.hear(observed)
                heard[seat] = len(record)
                for zone, lying in enumerate(follower.tracker.zones):
                    cards = table.cards(zone)
                    assert len(lying) == len(cards)
                    for place, card in enumerate(cards):
                        if table.ordered(zone) and card >= 0:
                            possible = follower.kinds(zone, place)
                            assert possible >> program.kinds[card] & 1
                            narrowed += possible.bit_count() == 1
    assert narrowed > 0


def test_the_first_signals_of_a_game_as_they_stand() -> None:
    state = rulerun.load("harbour_lights", players=3).new(3)
    labels = [option.label for option in state.options]
    assert state.seat is not None
    to = (state.seat + 1) % 3
    signal = next(label for label in labels if label.startswith("signal ") and label.endswith(f"P{to + 1}"))
    state.choose(labels.index(signal))
    word = signal.split(" ")[1]
    hand = state.view(to).zone(f"hand of P{to + 1}")
    truth = [card.name for card in state.view((to + 1) % 3).zone(f"hand of P{to + 1}").cards]
    for card, true in zip(hand.cards, truth, strict=True):
        assert card.possible is not None
        assert true in card.possible.kinds
        assert all((word in kind.split(" ")) == (word in true.split(" ")) for kind in card.possible.kinds)


def test_a_game_that_tells_nothing_costs_nothing() -> None:
    game = rulerun.load("cactus", players=2)
    assert not game.conclusions.any
    state = game.new(1)
    assert game.conclusions.of(Table(game.program, state.vector), 0, state.record(0)) == {}


def test_the_law_holds_with_conclusions() -> None:
    conforms("harbour_lights", players=3, games=2, seed=4)
