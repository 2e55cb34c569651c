"""Whose turn it is and how many choices were made follow from what a seat is told: not from how many cards were picked
in secret, nor from the order in which others are asked that nobody learns."""

from __future__ import annotations

import pytest

import rulerun
from rulerun.facts.observations import ObservedChoice, ObservedOffer
from rulerun.testing import conforms
from rulerun.view.onlooker import ONLOOKER

SECRET_SET = """
rulerun: 1
game: Secret set
players: 2
cards:
  face: {number: int}
  name: "{number}"
  deck: {each: {number: 1..40}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
rules:
  play: |
    shuffle deck
    for p in players: deal 14 from deck to hand[p]
    let me = first p in players where true
    let you = next(me)
    you secretly chooses 0..13 kept from hand[you] as "keep {kept}"
    for p in players: p chooses n from 1..2
result:
  score(Player p): 0
  winner: [highest score]
"""
AT_ONCE = """
rulerun: 1
game: At once
players: 3
cards:
  face: {number: int}
  name: "{number}"
  deck: {each: {number: 1..9}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  away: {kind: pile, seen_by: nobody}
rules:
  play: |
    shuffle deck
    for p in players: deal 2 from deck to hand[p]
    each player p at once chooses gone from hand[p] as "pass {gone}": move gone to hand[next(p)]
    for p in players: p chooses n from 1..2
result:
  score(Player p): 0
  winner: [highest score]
"""
AT_RANDOM = """
rulerun: 1
game: At random
players: 3
cards:
  face: {number: int}
  deck: {each: {number: 1..2}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
state:
  points: int per Player
rules:
  play: |
    any player p at random may "snap":
      points[p] += 1
      stop
    for p in players: p chooses n from 1..2
result:
  score(Player p): points[p]
  winner: [highest score]
"""


def picked(count: int) -> rulerun.State:
    """P2 has kept so many cards, and P1 is asked."""
    state = rulerun.load(SECRET_SET).new(4)
    for _ in range(count):
        state.choose(0)
    if count < 13:
        state.choose_key("s0:done")
    assert state.seat == 0
    return state


def told(state: rulerun.State, seat: int) -> tuple[object, ...]:
    return (state.record(seat), state.information_state(seat), state.view(seat), state.story(seat), state.options)


@pytest.mark.parametrize("count", [1, 2, 7, 12, 13])
def test_the_size_of_a_set_that_is_picked_in_secret_is_not_told(count: int) -> None:
    none, some = picked(0), picked(count)
    assert told(none, 0) == told(some, 0)
    assert none.story(ONLOOKER) == some.story(ONLOOKER)
    assert none.story(ONLOOKER).count("P2 makes a secret choice.") == 1
    assert none.view(0).decisions == 1
    assert (none.view(1).decisions, some.view(1).decisions) == (1, count + (count < 13))


def test_while_a_set_is_picked_in_secret_nothing_is_told() -> None:
    state = rulerun.load(SECRET_SET).new(4)
    before = told(state, 0)[:4]
    assert state.view(0).turn == 1
    for _ in range(5):
        state.choose(0)
        assert told(state, 0)[:4] == before
        assert state.resample(0, 1).record(0) == state.record(0)
    assert state.view(1).decisions == 5


def test_worlds_hold_other_sets_that_were_picked_in_secret() -> None:
    state = picked(3)
    sizes = {len(state.resample(0, seed)) for seed in range(12)}
    assert len(sizes) > 3
    for seed in range(3):
        assert told(state.resample(0, seed), 0)[:4] == told(state, 0)[:4]


def test_an_open_set_is_picked_before_all_eyes() -> None:
    text = SECRET_SET.replace("you secretly chooses", "you chooses")
    state = rulerun.load(text).new(4)
    for count in range(1, 4):
        state.choose(0)
        assert state.view(0).decisions == state.view(1).decisions == count
        assert state.view(0).turn == 1


def test_of_choices_at_once_nobody_is_told_who_is_being_asked() -> None:
    state = rulerun.load(AT_ONCE).new(2)
    assert [state.view(seat).turn for seat in range(3)] == [0, None, None]
    state.choose(0)
    assert [state.view(seat).turn for seat in range(3)] == [None, 1, None]
    assert [state.view(seat).decisions for seat in range(3)] == [1, 1, 1]
    state.choose(0)
    state.choose(0)
    assert [state.view(seat).turn for seat in range(3)] == [0, 0, 0]
    assert [state.view(seat).decisions for seat in range(3)] == [3, 3, 3]


def all_pass(seed: int) -> tuple[rulerun.State, list[int]]:
    state = rulerun.load(AT_RANDOM).new(seed)
    order = []
    while state.options[-1].key.endswith("pass"):
        assert state.seat is not None
        order.append(state.seat)
        assert [state.view(seat).turn for seat in range(3)] == [s if s == state.seat else None for s in range(3)]
        state.choose(len(state.options) - 1)
    return state, order


def test_the_order_of_a_window_at_random_is_not_told() -> None:
    played = [all_pass(seed) for seed in range(12)]
    assert len({tuple(order) for _, order in played}) > 3
    for seat in range(3):
        assert all(told(state, seat)[:4] == told(played[0][0], seat)[:4] for state, _ in played)
    assert len({tuple(state.story(ONLOOKER)) for state, _ in played}) == 1
    state, _ = played[0]
    passes = [e for e in state.record(0) if isinstance(e, ObservedChoice | ObservedOffer)]
    assert [type(entry).__name__ for entry in passes] == ["ObservedOffer", "ObservedChoice", "ObservedOffer"]


def test_a_reaction_in_a_window_at_random_is_told() -> None:
    state = rulerun.load(AT_RANDOM).new(1)
    state.choose(len(state.options) - 1)
    who = state.seat
    assert who is not None
    state.choose(0)
    for seat in range(3):
        assert f"P{who + 1} snaps." in state.story(seat)
        assert ObservedChoice(who, 0, (0,)) in state.record(seat)
        for seed in range(6):
            assert state.resample(seat, seed).record(seat) == state.record(seat)


@pytest.mark.parametrize("text", [SECRET_SET, AT_ONCE, AT_RANDOM])
def test_what_is_held_back_keeps_all_promises(text: str) -> None:
    conforms(text, games=1)
