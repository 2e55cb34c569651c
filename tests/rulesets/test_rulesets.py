"""The shipped rulesets: their own text tests, their length, and games of every form of them played to the end."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import rulerun
from rulerun.faces.test import read_file, run_file
from rulerun.play.simulate import Faulted, Played, simulate
from rulerun.source.shipped import shipped_names

ROOT = Path(__file__).parents[2]
TEXT_TESTS = sorted([*(ROOT / "rulesets").rglob("*.test.yaml"), *(ROOT / "examples").rglob("*.test.yaml")])
MOST_LINES = {"ouch": 140, "cactus": 150, "cucumber": 170}
FEWEST_TESTS = {"ouch": 25, "cactus": 25, "cucumber": 20, "gloves": 1, "golden-gherkin": 1, "first-peek": 1}
BOTH_CUCUMBERS = ("surprise cucumber", "if you can't beat 'em")
GAMES = 10
"""Of each form. All forms together are some hundred games of each ruleset."""


NAMES = [(path, scenario.name) for path in TEXT_TESTS for scenario in read_file(str(path)).scenarios]


@cache
def problems(path: Path) -> dict[str, str]:
    """What went wrong in each test of a file, "" where nothing did."""
    found = {}
    for verdict in run_file(str(path), None).verdicts:
        problem = verdict.problem
        lines = [] if problem is None else [f"line {problem.span.line}: {problem.message}", *problem.details]
        found[verdict.scenario.name] = "\n".join(lines)
    return found


@pytest.mark.parametrize(("path", "name"), NAMES, ids=[f"{p.name.partition('.')[0]}: {n}" for p, n in NAMES])
def test_text_tests(path: Path, name: str) -> None:
    assert problems(path)[name] == ""


def test_every_ruleset_and_example_has_its_tests() -> None:
    counts = {name: sum(p.name == f"{name}.test.yaml" for p, _ in NAMES) for name in FEWEST_TESTS}
    assert {name: count for name, count in counts.items() if count < FEWEST_TESTS[name]} == {}


RULESETS = sorted(p for p in (ROOT / "rulesets").glob("*/*.yaml") if not p.name.endswith(".test.yaml"))
IN_FILES_OF_THEIR_OWN = [path for path in RULESETS if path.stem != path.parent.name]
"""Other ways to play a game, which extend its ruleset."""


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_no_ruleset_is_too_long_or_without_tests(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 160
    assert path.with_suffix(".test.yaml") in {tested for tested, _ in NAMES}


@pytest.mark.long
@pytest.mark.parametrize("path", IN_FILES_OF_THEIR_OWN, ids=lambda path: path.stem)
def test_a_variant_in_a_file_of_its_own_is_told_of_and_ends(path: Path) -> None:
    page = path.parent / f"{path.parent.name}.md"
    assert f"`rulerun {path.parent.name}/{path.stem}`" in page.read_text(encoding="utf-8")
    for players in dict.fromkeys(rulerun.load(path).player_range):
        ends = list(simulate(rulerun.load(path, players=players).program, GAMES, seed=1))
        assert [type(end) for end in ends] == [Played] * GAMES


def test_what_is_shipped() -> None:
    assert {"cactus", "cucumber", "ouch"} <= set(shipped_names())


@pytest.mark.parametrize("name", MOST_LINES)
def test_length(name: str) -> None:
    text = (ROOT / "rulesets" / name / f"{name}.yaml").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MOST_LINES[name]


@pytest.mark.parametrize("name", ["gloves", "golden-gherkin", "first-peek"])
def test_examples_are_short(name: str) -> None:
    assert len((ROOT / "examples" / f"{name}.yaml").read_text(encoding="utf-8").splitlines()) <= 15


PLAYERS = {"ouch": (2, 5), "cactus": (2, 2), "cucumber": (3, 6)}
VARIANTS = {
    "ouch": ("little ones", "calm desert", "gentle reds", "no red cards"),
    "cactus": (),
    "cucumber": BOTH_CUCUMBERS,
}
FORMS = [
    (name, players, variants)
    for name, (fewest, most) in PLAYERS.items()
    for players in range(fewest, most + 1)
    for variants in dict.fromkeys([(), *((v,) for v in VARIANTS[name]), VARIANTS[name]])
]
"""Each number of players with no variant, with each, and with all at once."""


@pytest.mark.parametrize("name", PLAYERS)
def test_no_form_is_left_out(name: str) -> None:
    game = rulerun.load(name)
    assert game.player_range == PLAYERS[name]
    assert set(game.offered_variants) == set(VARIANTS[name])


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "players", "variants"), FORMS, ids=lambda v: "+".join(v) if isinstance(v, tuple) else str(v)
)
def test_games_of_every_form_end(name: str, players: int, variants: tuple[str, ...]) -> None:
    game = rulerun.load(name, players=players, variants=variants)
    games = 2 if name == "cactus" else GAMES
    played = list(simulate(game.program, games, seed=1))
    assert [str(p.fault) for p in played if isinstance(p, Faulted)] == []
    ends = [p for p in played if isinstance(p, Played)]
    assert len(ends) == games
    for end in ends:
        assert len(end.scores) == players
        assert end.winners
        best = min(end.scores) if name != "ouch" else max(end.scores)
        assert all(end.scores[w] == best for w in end.winners)


def test_a_cucumber_game_has_four_hands_of_ten_tricks() -> None:
    game = rulerun.load("cucumber", players=4)
    for end in simulate(game.program, 5, seed=3):
        assert isinstance(end, Played)
        assert end.decisions == 4 * 10 * 4


def test_six_players_with_a_surprise_play_eight_tricks() -> None:
    game = rulerun.load("cucumber", players=6, variants=["surprise cucumber"])
    for end in simulate(game.program, 5, seed=3):
        assert isinstance(end, Played)
        assert end.decisions == 4 * 8 * 6


EXTREMES = [
    (name, option, value)
    for name, ranges in {
        "ouch": {
            "enough": (1, 44), "row_size": (1, 12), "animals": (False,), "red_sting": (False,), "red_cards": (False,),
            "red_bonus": (0, 20), "red_needed": (False,), "bouquet_bonus": (0, 20),
        },
        "cactus": {"layout_size": (1, 10), "penalty": (0, 5), "plain_discard": (False,), "race": (True,)},
        "cucumber": {"hands": (1, 20), "hand_size": (1, 10)},
    }.items()
    for option, values in ranges.items()
    for value in values
]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize(("name", "option", "value"), EXTREMES)
def test_options_at_their_ends(name: str, option: str, value: int | bool) -> None:
    fewest, most = rulerun.load(name).player_range
    for players in dict.fromkeys((fewest, most)):
        game = rulerun.load(name, players=players, options={option: value})
        assert game.options[option] == value
        ends = list(simulate(game.program, 1 if name == "cactus" else 3, seed=5))
        assert [str(e.fault) for e in ends if isinstance(e, Faulted)] == []


def test_every_option_is_tried_at_its_ends() -> None:
    tried = {name: {o for n, o, _ in EXTREMES if n == name} for name in MOST_LINES}
    assert tried == {name: set(rulerun.load(name).options) for name in MOST_LINES}


def test_a_small_deck_of_both_cucumber_variants_plays_with_one_card_each() -> None:
    game = rulerun.load("cucumber", players=3, options={"hand_size": 1}, variants=BOTH_CUCUMBERS)
    assert [type(e) for e in simulate(game.program, 5, seed=2)] == [Played] * 5


def test_two_who_never_stop_matching_draw() -> None:
    text = (ROOT / "rulesets" / "cactus" / "cactus.yaml").read_text(encoding="utf-8")
    assert "decisions: 20000, then: draw" in text
    state = rulerun.load(text.replace("decisions: 20000", "decisions: 300"), options={"penalty": 0}).new(4)
    while not state.is_over:
        tried = [i for i, option in enumerate(state.options) if option.label.startswith("match")]
        state.choose(tried[0] if tried else 0)
    assert len(state) == 300
    assert state.winners == (0, 1)


def test_a_turned_up_lead_never_lies_in_a_hand() -> None:
    game = rulerun.load("cucumber", players=5, variants=BOTH_CUCUMBERS)
    state = game.new(8)
    leads = []
    while not state.is_over and len(state) < 50:
        view = state.view(0)
        leads += [card.name for card in view.zone("turned").cards]
        state.choose(0)
    assert len(set(leads)) == 10
    assert not {"5", "15", "25", "35", "45", "55"} & set(leads)
