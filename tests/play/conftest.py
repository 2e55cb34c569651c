"""The game of `docs/tests.md`, so that the page and these tests cannot part."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from rulerun.document.yaml import read_yaml
from rulerun.game import Game, load
from rulerun.play.scenario_form import read_scenarios
from rulerun.play.scenarios import Rehearsals, Verdict
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.files import text_source

PAGE = Path(__file__).parents[2] / "docs" / "tests.md"


def block(name: str) -> str:
    """The fenced block of the page that is called so."""
    found = re.search(rf"```yaml {name}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture(scope="session")
def rehearsals() -> Rehearsals:
    """Plays tests of the page's game."""
    text = block("ruleset")
    games: dict[object, Game] = {}

    def loaded(players: int | None, options: tuple[tuple[str, str], ...], variants: tuple[str, ...]) -> Game:
        key = (players, options, variants)
        if key not in games:
            games[key] = load(text, players=players, options=dict(options), variants=variants)
        return games[key]

    return Rehearsals(loaded)


@pytest.fixture
def page_tests() -> str:
    """The tests of the page."""
    return block("tests")


@pytest.fixture
def verdicts(rehearsals: Rehearsals) -> Callable[[str], list[Verdict]]:
    """The verdicts on the tests of a file's text."""

    def run(text: str) -> list[Verdict]:
        found = Diagnostics()
        form = read_scenarios(read_yaml(text_source("t.test.yaml", text), found), found)
        assert form is not None, [d.message for d in found]
        return [rehearsals.run(scenario) for scenario in form.scenarios]

    return run
