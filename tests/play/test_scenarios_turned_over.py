"""Tests of rulesets in text form say how cards lie, face up or face down, and ask for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulerun.document.yaml import read_yaml
from rulerun.game import Game, load
from rulerun.play.scenario_form import read_scenarios
from rulerun.play.scenarios import Rehearsals, Verdict
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.files import text_source

LANGUAGE = Path(__file__).parents[1] / "language"
COLUMNS = """\
column: {1: [five of clubs, nine of hearts face up, eight of clubs face up], 2: [ten of spades face up]}
home[clubs]: [ace of clubs]
waste: [two of hearts face up]
rest: stock
"""


def verdict(
    expect: str, given: str = COLUMNS, move: str = "move nine of hearts to column 2", ruleset: str = ""
) -> Verdict:
    def loaded(players: int | None, options: tuple[tuple[str, str], ...], variants: tuple[str, ...]) -> Game:
        path = LANGUAGE / "patience.yaml"
        return load(ruleset or path, players=players, options=dict(options), variants=variants)

    lines = "".join(f"      {line}\n" for line in given.splitlines())
    text = f"tests:\n  it:\n    given:\n{lines}    start: turn(P1)\n    when:\n      - P1: {move}\n    expect:\n"
    found = Diagnostics()
    form = read_scenarios(read_yaml(text_source("t.test.yaml", f"{text}      {expect}\n"), found), found)
    assert form is not None, [d.message for d in found]
    [result] = [Rehearsals(loaded).run(scenario) for scenario in form.scenarios]
    return result


@pytest.mark.parametrize(
    "expect",
    [
        "column[2]: [ten of spades face up, nine of hearts face up, eight of clubs face up]",
        "column[2]: [ten of spades, nine of hearts face up, ...]",
        "column[1]: [five of clubs face up]",
        "top of column[2]: eight of clubs face up",
        "top of waste: two of hearts face up",
        "top of stock: \"? face down\"",
        'P1 sees: {"column[1]": [five of clubs face up], "column[2]": [ten of spades face up, ...]}',
    ],
)
def test_what_holds_is_accepted(expect: str) -> None:
    problem = verdict(expect).problem
    assert problem is None, (problem.message, problem.details)


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ("column[2]: [ten of spades face down, ...]", "expected slot 1 of column 2 to be face down, found face up"),
        ("top of column[1]: five of clubs face down", "expected slot 1 of column 1 to be face down, found face up"),
        ("top of waste: two of hearts face down", "expected the top card of waste to be face down, found face up"),
        ("top of stock: \"? face up\"", "expected the top card of stock to be face up, found face down"),
        (
            'P1 sees: {"column[2]": [ten of spades face down, ...]}',
            "expected slot 1 of column 2 to be face down, found face up",
        ),
    ],
)
def test_what_does_not_hold_is_told(expect: str, message: str) -> None:
    problem = verdict(expect).problem
    assert problem is not None
    assert problem.message == message


def test_what_is_not_said_to_lie_face_up_lies_face_down() -> None:
    given = "column: {1: [five of clubs, eight of clubs face down, nine of hearts face up], 2: [ten of spades face up]}"
    sees = 'P1 sees: {"column[1]": ["? face down", eight of clubs face up]}'
    assert verdict(sees, f"{given}\nrest: stock").problem is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("waste: [two of hearts face down]", "everyone sees the faces in waste: no card lies face down there"),
        ("column[1]: [two of herats face up]", "there is no card 'two of herats'"),
    ],
)
def test_what_cannot_lie_so_is_refused(given: str, message: str) -> None:
    problem = verdict("asked: P1", f"{given}\nrest: stock").problem
    assert problem is not None
    assert problem.message == message


def test_a_game_that_turns_no_cards_over_knows_no_face_up() -> None:
    problem = verdict("asked: P1", "layout: [\"? face up\"]", "pass", "ouch").problem
    assert problem is not None
    assert problem.message == "in this game no rule turns cards over or asks how they lie"
