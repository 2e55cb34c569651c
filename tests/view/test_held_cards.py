"""Variables that hold cards, and tokens on cards: told in the record as what a seat sees of them, and shown as that."""

from __future__ import annotations

from random import Random

import pytest
from tests.unguarded import unguarded

from rulerun.facts.events import Held
from rulerun.facts.held import holdings
from rulerun.facts.observations import (
    Face,
    Observation,
    ObservedCards,
    ObservedTokens,
    ObservedValue,
    Token,
    back_classes,
)
from rulerun.state import State
from rulerun.view.held import Holdings
from rulerun.view.onlooker import ONLOOKER, observed_by
from rulerun.view.table import Table
from rulerun.view.wording import Wording

GAME = """
rulerun: 1
game: M
players: 2
cards:
  face: {number: int}
  name: "{number}"
  deck: {each: {number: 1..6}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  away: {kind: row, seen_by: nobody}
  seen: {kind: row, seen_by: everyone}
state:
  STATE
rules:
  play: |
    let me = first p in players where true
    let you = next(me)
    shuffle deck
    RULES
result:
  score(Player p): 0
  winner: [highest score]
"""

BEST = """deal 2 from deck to hand[you]
    deal 3 from deck to away
    best_one = best c in away by c.number
    me chooses:
      "look"
"""
SECRET = """deal 2 from deck to hand[you]
    pick = first c in hand[you] where true
    you secretly chooses c from hand[you]
    move c to away
    me chooses:
      "look"
"""
TOKEN = """deal 2 from deck to hand[you]
    deal 2 from deck to away
    mark[top of away] = 1
    me chooses:
      "look"
"""


def state_of(variables: str, rules: str, seed: int = 1, players: int | None = None) -> State:
    text = GAME.replace("STATE", variables.strip()).replace("RULES", rules.strip())
    return unguarded(text, players).new(seed=seed)


def told(state: State, seat: int) -> list[Observation]:
    """What the record of a seat tells of variables of cards."""
    return [seen for seen in state.record(seat) if isinstance(seen, ObservedCards | ObservedTokens)]


def zone(state: State, name: str) -> int:
    return [z.name for z in state.game.program.zones].index(name)


def shown(state: State, seat: int, name: str) -> object:
    return dict(state.view(seat).variables)[name]


def test_a_card_in_a_variable_is_told_by_its_place() -> None:
    found = set()
    for seed in range(8):
        state = state_of("best_one: Card or none", BEST, seed)
        (last,) = told(state, 0)
        assert isinstance(last, ObservedCards)
        ((kind, lies, place),) = last.cards
        assert (kind, lies) == (-1, zone(state, "away"))
        assert shown(state, 0, "best_one") == f"slot {place + 1} of away"
        found.add(place)
    assert found == {0, 1, 2}


def test_a_card_in_a_variable_is_told_again_when_it_is_chosen_in_secret_and_moved() -> None:
    views = {}
    for index in range(2):
        state = state_of("pick: Card or none", SECRET)
        hand, away = zone(state, "hand of P2"), zone(state, "away")
        assert [o.cards for o in told(state, 0) if isinstance(o, ObservedCards)] == [(Face(-1, hand, -1),)]
        (seen,) = [o.cards for o in told(state, 1) if isinstance(o, ObservedCards)]
        assert seen[0].kind >= 0
        state.choose(index)
        views[index] = (tuple(told(state, 0)), shown(state, 0, "pick"))
        lies = views[index][0][-1]
        assert isinstance(lies, ObservedCards)
        assert lies.cards in ((Face(-1, hand, -1),), (Face(-1, away, 0),))
    assert views[0] != views[1]
    assert {view[1] for view in views.values()} == {"a card in hand of P2", "slot 1 of away"}


def test_no_story_says_in_words_what_a_variable_holds() -> None:
    for rules, variables in ((SECRET, "pick: Card or none"), (TOKEN, "mark: int per Card")):
        state = state_of(variables, rules)
        (last,) = told(state, 0)
        assert Wording(state.game.namer, 0).happening(last) == ""


def test_a_token_is_told_and_shown_by_the_place_of_its_card() -> None:
    state = state_of("mark: int per Card", TOKEN)
    away = zone(state, "away")
    place = len(state.view(0).zone("away").cards) - 1
    (last,) = told(state, 0)
    assert isinstance(last, ObservedTokens)
    assert last.tokens == (Token((Face(-1, away, place),), 1),)
    assert last.numbers() == (22, last.place, -1, away, place, 1)
    assert shown(state, 0, "mark") == [{"card": f"slot {place + 1} of away", "value": 1}]


def test_only_who_sees_a_variable_is_told_of_its_cards() -> None:
    state = state_of("pick: {type: Card or none, seen_by: nobody}", SECRET)
    assert [told(state, seat) for seat in range(2)] == [[], []]
    assert "pick" not in dict(state.view(0).variables)
    rules = SECRET.replace("pick =", "pick[you] =")
    state = state_of("pick: {type: Card or none per Player, seen_by: owner}", rules)
    assert told(state, 0) == []
    assert len(told(state, 1)) == 1
    assert list(shown(state, 0, "pick")) == ["P1"]  # type: ignore[call-overload]


WILD = """
rulerun: 1
game: M
players: 3..4
TEAMS
cards:
  face: {number: int}
  name: "{number}"
  deck: {each: {number: 1..4}, copies: 4}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  away: {kind: row, seen_by: nobody}
  heap: {kind: pile, seen_by: nobody}
  open: {kind: row, seen_by: everyone}
state:
  mark: int per Card
  marks: {type: bool per Player per Card, seen_by: owner}
  several: Cards
  one: Card or none
  of: Card or none per Player
  own: {type: Cards per Player, seen_by: owner}
  secret: {type: Cards, seen_by: nobody}
  turns: int
rules:
  play: |
    shuffle deck
    for p in players: deal 2 from deck to hand[p]
    deal 3 from deck to away
    deal 1 from deck to open
    for p in players:
      mark[first c in hand[p] where true] = 2
      of[p] = first c in hand[p] where true
      own[p] = hand[p]
      marks[p, first c in hand[p] where true] = true
    several = hand[first p in players where true] union away
    secret = away
    repeat 10 times:
      for p in players:
        turns += 1
        p chooses:
          "nothing"
          c from hand[p] as "away":
            move c to away
          c from hand[p] as "heap":
            move c to heap
            one = c
          c from hand[p] as "show":
            move c to open
            mark[c] += 1
          "peek": show away to p
          "turn":
            if count(away) > 0:
              flip top of away face up
          "gather": collect away to deck
          "over": collect heap to away
          "change": swap hand[p] with hand[next(p)]
          "all":
            collect all cards to deck
            shuffle deck
            for q in players: deal 2 from deck to hand[q]
          "take":
            if count(deck) > 0: deal 1 from deck to hand[p]
result:
  score(Player p): 0
  winner: [highest score]
"""


def wild(players: int, seed: int, choices: int) -> State:
    teams = "teams: 2" if players == 4 else ""
    state = unguarded(WILD.replace("TEAMS", teams), players).new(seed=seed)
    random = Random(seed)
    for _ in range(choices):
        if state.is_over:
            break
        state.choose(random.randrange(len(state.options)))
    return state


def remembered(record: tuple[Observation, ...]) -> dict[int, Observation]:
    """Of each variable of cards what a record told last."""
    return {o.place: o for o in record if isinstance(o, ObservedCards | ObservedTokens)}


@pytest.mark.parametrize("players", [3, 4])
def test_what_is_shown_is_what_the_record_told_last(players: int) -> None:
    shown_at_all = 0
    for seed in range(3):
        state = wild(players, seed, 0)
        random = Random(seed)
        parts = Holdings(state.game.namer)
        while not state.is_over:
            state.choose(random.randrange(len(state.options)))
            table = Table(state.game.program, state.vector)
            for seat in range(players):
                last = remembered(state.record(seat))
                for holding in holdings(state.game.program):
                    if not table.sees_value(seat, holding.seen):
                        assert holding.place not in last
                        continue
                    now = parts.told(table, seat, holding)
                    shown_at_all += holding.place in last
                    assert last.get(holding.place, now) == now
                    empty = isinstance(now, ObservedCards) and not now.cards
                    assert holding.place in last or empty or now == ObservedTokens(holding.place, ())
    assert shown_at_all > 500


def test_no_word_of_a_variable_of_cards_is_told_as_a_number() -> None:
    state = wild(3, 5, 25)
    words = {
        word
        for holding in holdings(state.game.program)
        for entry in holding.entries
        for word in range(entry.word, entry.word + len(entry.start))
    }
    for seat in range(3):
        values = [o.place for o in state.record(seat) if isinstance(o, ObservedValue)]
        assert values
        assert not words.intersection(values)


@pytest.mark.parametrize(
    ("variables", "rules"),
    [("best_one: Card or none", BEST), ("pick: Card or none", SECRET), ("mark: int per Card", TOKEN)],
)
def test_sampled_worlds_are_found_that_show_the_same(variables: str, rules: str) -> None:
    for seed in range(3):
        state = state_of(variables, rules, seed)
        while not state.is_over:
            for seat in range(2):
                world = state.resample(seat, seed=seed)
                assert world.record(seat) == state.record(seat)
                assert world.view(seat) == state.view(seat)
            state.choose(0)


TWINS = """deal 1 from deck to away
    deal 2 from deck to hand[you]
    several = hand[you]
    mark[first c in hand[you] where true] = 1
    shuffle away
    me chooses:
      "look"
    move top of away to hand[me]
    several = hand[you] union hand[me]
    me chooses:
      "look"
"""


def test_cards_in_a_set_are_told_in_an_order_that_hides_their_faces() -> None:
    orders = set()
    for seed in range(6):
        state = state_of("several: Cards\n  mark: int per Card", TWINS, seed)
        state.choose(0)
        mine, yours = zone(state, "hand of P1"), zone(state, "hand of P2")
        (*_, last) = [o for o in told(state, 0) if isinstance(o, ObservedCards)]
        hidden = Face(-1, yours, -1)
        assert last.cards[:2] == (hidden, hidden)
        assert last.cards[2].zone == mine
        orders.add(tuple(face.kind >= 0 for face in last.cards))
        (mark,) = [o for o in told(state, 0) if isinstance(o, ObservedTokens)]
        assert mark.tokens == (Token((hidden,), 1),)
    assert orders == {(False, False, True)}


def test_an_onlooker_is_told_what_the_table_sees() -> None:
    state = state_of("pick: Card or none", SECRET)
    backs = back_classes(state.game.program)
    events = [e for stretch in state.events() for e in stretch if isinstance(e, Held)]
    (public,) = [observed_by(e, ONLOOKER, state.game.program, backs) for e in events]
    (truth,) = [observed_by(e, None, state.game.program, backs) for e in events]
    assert isinstance(public, ObservedCards)
    assert isinstance(truth, ObservedCards)
    assert (public.cards[0].kind, truth.cards[0].kind >= 0) == (-1, True)


def test_the_same_choices_tell_the_same() -> None:
    state = wild(3, 2, 12)
    again = wild(3, 2, 12)
    for seat in range(3):
        assert again.record(seat) == state.record(seat)
        assert again.view(seat).as_dict() == state.view(seat).as_dict()
        assert again.information_state(seat) == state.information_state(seat)
