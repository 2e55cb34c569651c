"""`examine` finds nothing on games that are right, and finds what is broken, with a short list of choices."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

import rulerun
from rulerun import PlayError, State
from rulerun.game import Game
from rulerun.play import conformance
from rulerun.play.conformance import Report, examine
from rulerun.play.invariants import INVARIANTS
from rulerun.run.machine import Machine
from rulerun.source.shipped import shipped_names
from rulerun.testing import conforms
from rulerun.view.view import View

DEEP = int(os.environ.get("RULERUN_DEEP", "0"))
ORIGINAL = ("ouch", "cactus", "cucumber")
SOME = ("agram", "euchre", "kuhn", "no_thanks", "snap", "golf")

GUESS = """rulerun: 1
game: Guess
players: 2
cards:
  face: {number: int}
  name: "{number}"
  deck:
    - {each: {number: 1..12}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  table: {kind: row, seen_by: everyone}
rules:
  play: |
    shuffle deck
    for p in players:
      deal 3 from deck to hand[p]
    repeat 3 times:
      for p in players:
        p chooses card from hand[p] as "lay {card}"
        move card to table
result:
  score(Player p): |
    count(table)
  winner: [highest score]
"""


@pytest.fixture
def guess() -> Game:
    return rulerun.load(GUESS)


def broken(report: Report) -> dict[str, tuple[str, int]]:
    """What failed: message, and number of choices."""
    return {f.invariant: (f.message, len(f.choices)) for f in report.findings}


def test_a_sound_game_has_no_finding(guess: Game) -> None:
    report = examine(guess, games=2)
    assert report.findings == []
    assert [asked.name for asked in report.asked if asked.outcome != "ok"] == []
    assert report.of("cards").positions == 2 * 7 + 4 * 4
    assert report.decisions == 2 * 6 + 4 * 4
    assert report.of("executors").remark == ""


def test_the_same_seed_gives_the_same_report(guess: Game) -> None:
    assert examine(guess, games=1, seed=5) == examine(guess, games=1, seed=5)


@pytest.mark.long
@pytest.mark.parametrize("name", shipped_names() if DEEP else ORIGINAL + SOME)
def test_shipped_rulesets_conform(name: str) -> None:
    reports = conforms(name, games=3, depth=40, seed=DEEP) if DEEP else [examine(rulerun.load(name), games=1, depth=12)]
    for report in reports:
        assert [str(finding) for finding in report.findings] == []
        left = [asked.name for asked in report.asked if asked.outcome != "ok"]
        assert left in ([], ["variety"], ["worlds", "variety"])


def test_progress_is_told_and_ends_at_the_end(guess: Game) -> None:
    told: list[tuple[int, int]] = []
    examine(guess, games=1, show=lambda done, parts: told.append((done, parts)))
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1]


# ------------------------------------------------------------------------- broken on purpose


def test_a_view_that_shows_a_hidden_card_is_found(guess: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    true_view = State.view

    def leaking(self: State, seat: int) -> View:
        view = true_view(self, seat)
        if len(self) < 2:
            return view
        other = true_view(self, 1 - seat)
        name = f"hand of P{2 - seat}"
        zones = tuple(other.zone(name) if zone.name == name else zone for zone in view.zones)
        return replace(view, zones=zones)

    monkeypatch.setattr(State, "view", leaking)
    found = broken(examine(guess))
    assert set(found) == {"exchange", "worlds"}
    message, choices = found["worlds"]
    assert "is given another view" in message
    assert choices == 2


def test_an_undo_that_goes_wrong_is_found(guess: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    true_undo = State.undo

    def wrong(self: State) -> None:
        true_undo(self)
        if len(self) == 3:
            self.vector = [*self.vector[:-1], self.vector[-1] ^ 1]

    monkeypatch.setattr(State, "undo", wrong)
    found = broken(examine(guess))
    assert found["undo"] == ("undo does not lead to the position before the last choice", 4)
    assert found["undo all"][1] == 4


def test_a_lost_card_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = rulerun.load(GUESS)
    true_take, layout = Machine.take, game.program.layout
    hand = next(n for n, zone in enumerate(game.program.zones) if zone.name == "hand of P2")

    def losing(self: Machine, v: list[int], option: object) -> object:
        options = true_take(self, v, option)  # type: ignore[arg-type]
        if v[2] >= 3:
            v[layout.zone(hand) + 4] &= v[layout.zone(hand) + 4] - 1
        return options

    monkeypatch.setattr(Machine, "take", losing)
    report = examine(game)
    message, choices = broken(report)["cards"]
    assert message.endswith("lies in no zone")
    assert choices == 3
    assert report.of("cards").finding is not None
    with pytest.raises(AssertionError, match=r"Guess for 2: cards: \d+ lies in no zone, with seed \d+ after 3 choices"):
        conforms(game)


def test_a_choice_that_breaks_down_is_found_with_few_choices(guess: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    true_choose = State.choose

    def choose(self: State, index: int) -> None:
        true_choose(self, index)
        if len(self) >= 2 and index == 0:
            raise RuntimeError("out of order")

    monkeypatch.setattr(State, "choose", choose)
    found = broken(examine(guess))
    assert found["steps"] == ("RuntimeError: out of order", 2)


def test_options_of_one_name_are_found(guess: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulerun.view.offer.unique_labels", lambda _m, _n, _v, raw: ["lay a card"] * len(raw))
    found = broken(examine(guess))
    assert found == {"options": ("two options of P1 have the label 'lay a card'", 0)}


def test_seats_that_are_not_there_must_be_refused(guess: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    true_view = State.view
    monkeypatch.setattr(State, "view", lambda self, seat: true_view(self, 0 if seat == -1 else seat))
    assert broken(examine(guess)) == {"seats": ("the view of seat -1 was not refused", 0)}


def test_forgetful_information_states_are_found(guess: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(State, "information_state", lambda self, seat: f"P{seat + 1}:{len(self)}")
    found = broken(examine(guess))
    assert found["recall"][1] == 1
    assert found["alike"][1] == 0


def test_an_outcome_without_weight_is_found(guess: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    true_outcomes = Machine.outcomes

    def outcomes(self: Machine, v: list[int]) -> list[tuple[int, int]]:
        found = true_outcomes(self, v)
        return [(value, 0 if place == 10 else weight) for place, (value, weight) in enumerate(found)]

    monkeypatch.setattr(Machine, "outcomes", outcomes)
    finding = examine(guess).of("chance").finding
    assert finding is not None
    assert finding.message.startswith("chance has an outcome that cannot be: weights [1, 1, ")
    assert finding.choices == ()


def test_a_world_that_cannot_be_found_is_skipped(guess: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    true_resample = State.resample

    def resample(self: State, seat: int, seed: int = 0, most: int = 0) -> State:
        if seat not in (0, 1):
            raise PlayError("no such seat")
        if len(self) > 0:
            raise rulerun.NoWorldFound("none")
        return true_resample(self, seat, seed, most or 60_000)

    monkeypatch.setattr(State, "resample", resample)
    report = examine(guess, games=2)
    assert report.findings == []
    assert (report.of("worlds").positions, report.of("worlds").skipped) == (1, 2)
    assert report.of("worlds").remark == "no world was found within the tries allowed; given up"


def test_every_invariant_has_a_name_of_its_own() -> None:
    names = [i.name for i in INVARIANTS] + [conformance.STEPS[0], conformance.CHANCE[0], conformance.VARIETY[0]]
    assert len(set(names)) == len(names) == 19
