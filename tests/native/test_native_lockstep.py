"""Both executors hold the same words and offer the same options after every decision.

By default a few games of each shipped ruleset; with ``RULERUN_DEEP=20`` in the environment all player counts,
variants and ends of options.
"""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("llvmlite")

from configurations import DEPTH, Configuration, all_configurations, one_of_each
from executors_agree import Pair

from rulerun.native import UnsupportedError

QUICK = ("agram", "blackjack", "cucumber", "kuhn", "ouch")
"""Rulesets whose games the interpreter plays in no time, and whose code is quickly compiled."""


CHOSEN = all_configurations() if DEPTH > 1 else one_of_each()

@pytest.mark.parametrize(
    "configuration",
    [c if c.ruleset in QUICK else pytest.param(c, marks=pytest.mark.long) for c in CHOSEN],
    ids=str,
)
def test_every_word_and_every_option_is_the_same(configuration: Configuration) -> None:
    random = Random(str(configuration))
    pair = Pair(configuration.load().program)
    if pair.native.program.uses_knowledge:
        with pytest.raises(UnsupportedError):
            pair.native.start(1)
        return
    games, most = (4, 150) if configuration.ruleset in QUICK else (1, 40)
    played = sum(pair.play(random.randrange(2**32), random, most) for _ in range(games * DEPTH))
    assert played > 0


@pytest.mark.parametrize("configuration", [c for c in CHOSEN if DEPTH > 1 or c.ruleset in QUICK], ids=str)
def test_whole_games_add_up_to_the_same(configuration: Configuration) -> None:
    pair = Pair(configuration.load().program)
    games = 5
    pair.compare_playouts(0, games, 11)
    if DEPTH > 1:
        pair.compare_playouts(games, 50 * DEPTH, 11)
