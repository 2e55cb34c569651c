"""Sums over games, against figures from tables and by hand."""

from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerun.play.statistics import Running, Tally, wilson


@pytest.mark.parametrize(
    ("share", "games", "low", "high"),
    [
        (0.5, 100, 0.4038, 0.5962),
        (0.0, 10, 0.0, 0.2775),
        (1.0, 10, 0.7225, 1.0),
        (0.81, 100, 0.7222, 0.8749),
        (0.3, 0, 0.0, 1.0),
    ],
)
def test_wilson_interval_as_tables_give_it(share: float, games: int, low: float, high: float) -> None:
    assert [round(x, 4) for x in wilson(share, games)] == [low, high]


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=60))
def test_running_mean_and_deviation_are_those_of_the_whole_list(numbers: list[int]) -> None:
    running = Running()
    for number in numbers:
        running.add(number)
    assert running.count == len(numbers)
    assert running.mean == pytest.approx(statistics.mean(numbers), abs=1e-9)
    assert running.sd == pytest.approx(statistics.stdev(numbers), abs=1e-9)
    assert (running.least, running.greatest) == (min(numbers), max(numbers))


def test_deviation_of_one_number_is_zero() -> None:
    running = Running()
    running.add(7)
    assert (running.mean, running.sd) == (7, 0.0)


def test_running_keeps_its_digits_far_from_zero() -> None:
    running = Running()
    for number in (10**9 + 4, 10**9 + 7, 10**9 + 13, 10**9 + 16):
        running.add(number)
    assert running.sd**2 == pytest.approx(30.0)


def test_shared_wins_count_as_fractions() -> None:
    tally = Tally(3)
    tally.add((5, 5, 1), (0, 1), decisions=4, options=10)
    tally.add((2, 9, 1), (1,), decisions=6, options=10)
    assert tally.wins == [0.5, 1.5, 0.0]
    assert tally.win_rate(1)[0] == 0.75
    assert [s.mean for s in tally.scores] == [3.5, 7.0, 1.0]
    assert tally.length.mean == 5.0
    assert tally.mean_options == 2.0


def test_no_games_give_no_division() -> None:
    tally = Tally(2)
    assert tally.win_rate(0) == (0.0, 0.0, 1.0)
    assert tally.mean_options == 0.0
    assert Running().interval() == (0.0, 0.0)
