"""Invariants 1 and 6 over every configuration: cards are kept, games end, no state is without an option, results
exist."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from configurations import Configuration, all_configurations

from rulerun import PlayError, State
from rulerun.view.table import Table

LONG_GAMES = 600
"""Decisions after which a game of many hands is left unfinished here: a whole game of the plain ruleset is played
anyway."""


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
    while not state.is_over and len(state) < LONG_GAMES:
        assert cards_of(state) == everything
        assert state.seat is not None
        assert state.options
        with pytest.raises(PlayError, match="not over"):
            _ = state.scores
        state.choose(random.randrange(len(state.options)))
    assert cards_of(state) == everything
    if not state.is_over:
        assert dict(configuration.options), "a plain game is to end"
        return
    assert state.options == ()
    assert state.seat is None
    assert len(state.scores) == game.players
    assert state.winners
    assert set(state.winners) <= set(range(game.players))
    with pytest.raises(PlayError, match="over"):
        state.choose(0)
