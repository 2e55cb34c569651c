"""`runs of X by FIELD`: the sets of two and more cards whose values follow each other."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from language_games import codes, play

from rulerun.facts.domains import count_runs
from rulerun.run.domains import runs
from rulerun.run.sets import bits_of
from rulerun.testing import conforms

FOLDER = Path(__file__).parent
ROW = "move (c for c in stock where c.colour == red and c.number != 4) to row\n"
"""Red 1 to 3, red 5 and 6."""
ME = "let me = first p in players where true\n"


def test_the_lowest_run_comes_first_and_a_short_one_before_a_long_one() -> None:
    body = ROW + ME + 'move all of row to hand[me]\nme chooses r from runs of hand[me] by number as "{r}"'
    assert play(body).offered == [["red 1, red 2", "red 1, red 2, red 3", "red 2, red 3", "red 5, red 6"]]


def test_of_cards_with_the_same_value_the_first_stands_for_all() -> None:
    body = ROW + "move (c for c in stock where c.number == 2) to row\n"
    assert play(body + 'note "{count(r for r in runs of row by number)} {first r in runs of row by number}"').notes == [
        "4 red 1, red 2"
    ]


def test_they_are_gathered_over() -> None:
    body = ROW + 'note "{max(count(r) for r in runs of row by number)}"\n'
    body += 'note "{sum(worth(r) for r in runs of row by number)}"\n'
    nothing = 'note "{count(r for r in runs of pile by number)} {first r in runs of pile by number or else {}}"'
    assert play(body + nothing).notes == ["3", "25", "0 "]


def test_the_values_of_an_ordered_type_follow_each_other() -> None:
    types = "Colour: {ordered: [red, green, blue]}"
    body = 'move (c for c in stock where c.number == 1) to row\nnote "{count(r for r in runs of row by colour)}"'
    assert play(body, types=types).notes == ["3"]


values = st.lists(st.integers(-3, 9), min_size=1, max_size=7)


@given(values, st.integers(0, 127))
def test_they_are_the_sets_of_first_cards_with_values_side_by_side(column: list[int], of: int) -> None:
    cards = [card for card in bits_of(of) if card < len(column)]
    first = [card for card in cards if all(column[card] != column[other] for other in cards if other < card)]
    first.sort(key=lambda card: column[card])
    expected = [
        (column[chosen[0]], size, sum(1 << card for card in chosen))
        for size in range(2, len(first) + 1)
        for chosen in combinations(first, size)
        if column[chosen[-1]] - column[chosen[0]] == size - 1
    ]
    found = list(runs(sorted(cards), column))
    assert found == [run for *_, run in sorted(expected)]
    assert count_runs(column[card] for card in cards) == len(found)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("let s = runs of row by number", "RR0409"),
        ("total = count(s for s in runs of row by size)", "RR0405"),
        ("total = count(s for s in runs of row by colour)", "RR0411"),
        ("total = count(s for s in runs of total by number)", "RR0403"),
        ("shuffle stock\ntotal = count(s for s in runs of stock by number)", "RR0516"),
        (ME + 'me chooses r from runs of hand[next(me)] by number as "{r}"', "RR0507"),
    ],
)
def test_what_is_wrong_is_told(text: str, code: str) -> None:
    assert codes(text) == [code]


@pytest.mark.parametrize("players", [2, 3])
def test_games_with_runs_keep_every_promise(players: int) -> None:
    conforms(FOLDER / "runs.yaml", players=players, games=2)
