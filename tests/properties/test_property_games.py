"""Invariants 1 and 6 over every configuration: cards are kept, games end, no state is without an option, results
exist."""

from __future__ import annotations

from random import Random

import pytest
from configurations import Configuration, all_configurations

from rulerun.play.state_invariants import (
    a_result_stands_at_the_end_alone,
    cards_are_kept,
    options_are_sound,
    wrong_choices_are_refused,
)
from rulerun.play.walk import Notes, Walk

CHECKED = 150
"""So many decisions are looked at one by one; from there on the game is only played."""
EVERY_TIME = (cards_are_kept, a_result_stands_at_the_end_alone)


@pytest.mark.parametrize("configuration", all_configurations(), ids=str)
def test_a_game_keeps_its_cards_and_comes_to_an_end(configuration: Configuration) -> None:
    game = configuration.load()
    random = Random(str(configuration))
    walk, notes = Walk(game, random.randrange(2**32)), Notes(game)
    state = walk.state
    while not state.is_over and len(state) < CHECKED:
        assert [problem for law in EVERY_TIME if (problem := law(walk, notes))] == []
        assert state.seat is not None
        assert state.options
        state.choose(random.randrange(len(state.options)))
    while not state.is_over:
        state.choose(random.randrange(len(state.options)))
    laws = (*EVERY_TIME, options_are_sound, wrong_choices_are_refused)
    assert [problem for law in laws if (problem := law(walk, notes))] == []
