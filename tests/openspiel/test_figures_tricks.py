"""Decisions and branching of games with partners and trumps against what CardStock's rules give (`design/peers.md`).

The figures there have one decimal and come from a sample; the tolerance is both roundings and their errors.
"""

from __future__ import annotations

from math import sqrt
from statistics import mean, pstdev

import pytest
from test_figures import figures


@pytest.mark.parametrize(
    ("name", "players", "options", "expected", "branching"),
    [
        ("whist", 4, {"target": 1}, 52, 3.9),
        # One deal in fifty ends 60 to 60; here it is played again.
        ("sueca", 4, {"target": 1}, 40, 3.3),
        # There, nobody may trump a partner's trump higher: 2.65 options and not 2.66.
        ("klaverjassen", 4, {"deals": 1}, 33, 2.6),
        ("pitch", 4, {"deals": 1}, 28, 2.6),
        ("scarto", 3, {"deals": 1, "exchange": False}, 75, 6.7),
    ],
)
def test_random_play(name, players, options, expected, branching):
    decisions, found = figures(name, players, 400, options)
    assert abs(mean(decisions) - expected) <= 0.5 + 3 * pstdev(decisions) / sqrt(len(decisions))
    assert abs(found - branching) <= 0.07


def test_euchre_differs():
    """CardStock counts 24.6 decisions with 2.2 options: players who can only pass, while the dealer discards and when
    their partner plays alone, are asked there. Without those five the options per choice are the same."""
    decisions, found = figures("euchre", 4, 400, {"target": 1})
    assert 19.5 < mean(decisions) < 20.5
    assert abs((mean(decisions) * found + 24.6 - mean(decisions)) / 24.6 - 2.2) <= 0.07
