"""Words for each sort of observation, as they come in whole games."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import get_args

import rulerun
from rulerun.facts.observations import (
    HintedKinds,
    Observation,
    ObservedCards,
    ObservedChoice,
    ObservedFaces,
    ObservedMove,
    ObservedOffer,
    ObservedTokens,
    ObservedValue,
    Reversed,
    TurnedDown,
)
from rulerun.view.wording import Wording

TURNING_OVER = Path(__file__).parents[1] / "language" / "turning_over.yaml"
GAMES = ("cactus", "cuckoo", "harbour_lights", "president", TURNING_OVER)
ELSEWHERE = (ObservedMove, ObservedFaces, ObservedChoice, ObservedOffer)
"""What is put into words by other methods, or is no news."""
UNSAID = (ObservedValue, ObservedCards, ObservedTokens, HintedKinds)


def observed(name: str | Path) -> list[tuple[rulerun.Game, int, Observation]]:
    game = rulerun.load(name)
    found = []
    for seed in range(2):
        state, random = game.new(seed), Random(seed)
        while not state.is_over and len(state) < 120:
            state.choose(random.randrange(len(state.options)))
        found += [(game, seat, each) for seat in range(game.players) for each in state.record(seat)]
    return found


def test_every_sort_has_words_or_is_left_to_others() -> None:
    met = set()
    for name in GAMES:
        for game, seat, each in observed(name):
            met.add(type(each))
            text = Wording(game.namer, seat).happening(each)
            assert bool(text) != isinstance(each, (*ELSEWHERE, *UNSAID)), each
    assert met == set(get_args(Observation)) - {Reversed, TurnedDown, ObservedCards, ObservedTokens}


def test_faces_are_told_zone_by_zone() -> None:
    words = Wording(rulerun.load("cactus").namer, 0)
    shown = [each for _, seat, each in observed("cactus") if seat == 0 and isinstance(each, ObservedFaces)]
    assert shown
    for each in shown:
        assert all(words.shown(each))
        if all(card.kind >= 0 and card.place >= 0 for card in each.cards):
            assert "turned down" in words.happening(TurnedDown(each.cards))


def test_the_direction_of_play_is_told() -> None:
    words = Wording(rulerun.load("ouch").namer, 0)
    assert words.happening(Reversed(1)) == "play now goes clockwise"
    assert words.happening(Reversed(-1)) == "play now goes counter-clockwise"
