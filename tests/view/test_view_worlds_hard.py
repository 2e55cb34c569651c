"""Worlds where they are rare: endgames that leave one or two, hands that have shown voids, cards passed on unseen."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from test_view_worlds import Truth, lying

import rulerun
from rulerun import State
from rulerun.view.table import Table


def played(ruleset: str, players: int, seed: int, choices: int) -> State:
    """A game played on at random."""
    state = rulerun.load(ruleset, players=players).new(seed)
    random = Random(seed)
    for _ in range(choices):
        state.choose(random.randrange(len(state.options)))
    return state


def worlds(state: State, seat: int, number: int) -> list[State]:
    """Sampled worlds, each of which gives the seat what the true state gives it."""
    found = [state.resample(seat, seed=n) for n in range(number)]
    for world in found:
        assert world.record(seat) == state.record(seat)
        assert world.view(seat) == state.view(seat)
    return found


def truths(states: list[State]) -> Counter[Truth]:
    return Counter(lying(state.game, state.vector) for state in states)


def test_where_only_one_world_is_left_it_is_found() -> None:
    state = played("go_fish", 2, seed=8, choices=58)
    assert truths(worlds(state, 0, 4)) == {lying(state.game, state.vector): 4}


def test_where_two_worlds_are_left_both_are_found() -> None:
    state = played("go_fish", 2, seed=5, choices=50)
    found = truths(worlds(state, 0, 8))
    assert len(found) == 2
    assert lying(state.game, state.vector) in found


def test_six_ask_each_other_and_worlds_heed_every_answer() -> None:
    state = played("go_fish", 6, seed=1, choices=20)
    found = worlds(state, 0, 2)
    assert len(truths(found)) == 2


def suits_shown(state: State) -> list[set[str]]:
    """Per seat the suits that it did not follow, from the choices of a game with tricks."""
    void: list[set[str]] = [set() for _ in range(state.game.players)]
    tricks: list[tuple[int, str]] = []
    for choice in state.history:
        if not choice.label.startswith("play "):
            continue
        suit = choice.label.rsplit(" ", 1)[1]
        tricks.append((choice.seat, suit))
        if len(tricks) % state.game.players:
            led = tricks[len(tricks) // state.game.players * state.game.players][1]
            if suit != led:
                void[choice.seat].add(led)
    return void


def test_after_passing_who_did_not_follow_holds_no_card_of_the_suit() -> None:
    state = played("hearts", 4, seed=3, choices=4 + 44)
    void = suits_shown(state)
    assert sum(map(len, void)) >= 4
    program = state.game.program
    hands = [next(n for n, z in enumerate(program.zones) if z.name == f"hand of P{p + 1}") for p in range(4)]
    for world in worlds(state, 1, 4):
        table = Table(program, world.vector)
        for p, zone in enumerate(hands):
            names = [program.kind_names[program.kinds[card]] for card in table.cards(zone)]
            assert not [name for name in names if name.rsplit(" ", 1)[1] in void[p]]


def test_the_best_cards_were_handed_over_and_others_came_back() -> None:
    state = played("president", 4, seed=2, choices=150)
    assert sum(choice.label.startswith("give ") for choice in state.history) >= 2
    for seat in (0, 3):
        assert len(truths(worlds(state, seat, 3))) > 1


@pytest.mark.parametrize("players", [2, 3])
def test_cards_were_played_unseen_and_what_they_took_tells_their_value(players: int) -> None:
    state = played("scopa", players, seed=4, choices=63)
    assert len(truths(worlds(state, 1, 3))) > 1


def test_who_laid_no_pair_held_none() -> None:
    state = played("old_maid", 6, seed=1, choices=6)
    assert len(truths(worlds(state, 5, 2))) == 2


def test_hands_are_counted_at_the_end_of_a_deal() -> None:
    state = played("crazy_eights", 3, seed=1, choices=216)
    assert any(" has " in line for line in state.story(0))
    assert len(truths(worlds(state, 0, 2))) == 2


def test_a_card_that_is_drawn_and_turned_up_at_once_is_the_one_that_was_seen() -> None:
    state = played("durak", 2, seed=1, choices=30)
    assert len(truths(worlds(state, 1, 3))) == 3
