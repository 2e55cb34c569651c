"""Tests of rulesets in text form over state variables that not everyone sees: they set and expect all, and ask what a
seat sees."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulerun.document.yaml import read_yaml
from rulerun.game import Game, load
from rulerun.play.scenario_form import read_scenarios
from rulerun.play.scenarios import Rehearsals, Verdict
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.files import text_source

PURSES = Path(__file__).parents[1] / "language" / "purses.yaml"
TURN = """\
tests:
  it:
    players: 3
    given:
      purse: {P1: 2, P2: 5, P3: 0}
      fate: {P1: fame, P2: gold, P3: peace}
      hand: {P1: [3, 11], P2: [7, 9], P3: [1, 2]}
      pot: 4
    start: turn(P1)
    when:
      - P1: pay 1 of 2
    expect:
"""


def verdict(expect: str) -> Verdict:
    def loaded(players: int | None, options: tuple[tuple[str, str], ...], variants: tuple[str, ...]) -> Game:
        return load(PURSES, players=players, options=dict(options), variants=variants)

    found = Diagnostics()
    form = read_scenarios(read_yaml(text_source("t.test.yaml", f"{TURN}      {expect}\n"), found), found)
    assert form is not None, [d.message for d in found]
    [result] = [Rehearsals(loaded).run(scenario) for scenario in form.scenarios]
    return result


@pytest.mark.parametrize(
    "expect",
    [
        "purse: {P1: 1, P2: 5, P3: 0}",
        "pot: 5",
        "fate[P2]: gold",
        'P1 sees: {"purse[P1]": 1, "purse[P2]": "?", pot: "?", "hand[P1]": [3, 11]}',
        'P2 sees: {purse: {P1: "?", P2: 5, P3: "?"}, fate: {P1: fame, P2: "?"}, open_sum: 0}',
        'P2 does not see: ["purse[P1]", pot, "fate[P2]", "hand[P1]"]',
    ],
)
def test_what_holds_is_accepted(expect: str) -> None:
    problem = verdict(expect).problem
    assert problem is None, (problem.message, problem.details)


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ('P2 sees: {"purse[P1]": 1}', "expected purse[P1] as P2 sees it to be 1, found ?"),
        ('P1 sees: {"purse[P1]": 2}', "expected purse[P1] as P1 sees it to be 2, found 1"),
        ('P1 sees: {"purse[P1]": "?"}', "expected purse[P1] as P1 sees it to be ?, found 1"),
        ("P1 sees: {purse: {P1: 1, P3: 0}}", "expected purse[P3] as P1 sees it to be 0, found ?"),
        ("P1 sees: {pot: 5}", "expected pot as P1 sees it to be 5, found ?"),
        ('P1 sees: {purse: "?"}', "'purse' holds several values: name them by their keys, as in {P1: 3}"),
        ("P1 does not see: purse[P1]", "P1 sees purse[P1], or some of it"),
        ("P1 does not see: purse", "P1 sees purse, or some of it"),
        ("P1 does not see: open_sum", "P1 sees open_sum, or some of it"),
        ("purse[P2]: 4", "expected purse[P2] to be 4, found 5"),
    ],
)
def test_what_does_not_hold_is_told(expect: str, message: str) -> None:
    problem = verdict(expect).problem
    assert problem is not None
    assert problem.message == message
