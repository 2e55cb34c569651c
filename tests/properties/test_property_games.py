"""Invariants 1 and 6 over every configuration: cards are kept, games end, no state is without an option, results
exist."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from configurations import Configuration, all_configurations

from rulerun import PlayError, State
from rulerun.view.table import Table

CHECKED = 150
"""So many decisions are looked at one by one; from there on the game is only played."""


def cards_of(state: State) -> Counter[int]:
    """All cards of all zones, however they lie."""
    table = Table(state.game.program, state.vector)
    found: Counter[int] = Counter()
    for zone in range(len(state.game.program.zones)):
        lying = table.cards(zone)
        drawn = [card for card in lying if card >= 0]
        assert len(lying) == table.count(zone)
        undrawn = table.undrawn(zone)
        assert len(lying) - len(drawn) == len(undrawn)
        for card in drawn + undrawn:
            assert table.zone_of(card) == zone
        found.update(drawn + undrawn)
    return found


@pytest.mark.parametrize("configuration", all_configurations(), ids=str)
def test_a_game_keeps_its_cards_and_comes_to_an_end(configuration: Configuration) -> None:
    game = configuration.load()
    everything = Counter(range(game.program.card_count))
    random = Random(str(configuration))
    state = game.new(random.randrange(2**32))
    while not state.is_over and len(state) < CHECKED:
        assert cards_of(state) == everything
        assert state.seat is not None
        assert state.options
        with pytest.raises(PlayError, match="not over"):
            _ = state.scores
        state.choose(random.randrange(len(state.options)))
    while not state.is_over:
        state.choose(random.randrange(len(state.options)))
    assert cards_of(state) == everything
    assert state.options == ()
    assert state.seat is None
    assert len(state.scores) == game.players
    assert state.winners or game.program.won >= 0  # a game that players win together can be lost
    assert set(state.winners) <= set(range(game.players))
    with pytest.raises(PlayError, match="over"):
        state.choose(0)
