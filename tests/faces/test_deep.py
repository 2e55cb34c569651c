"""`rulerun check --deep`: what it says, its exit codes, its JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulerun.game import State
from rulerun.play import conformance

NO_WAY_ON = """rulerun: 1
game: Stuck
players: 2
cards:
  face: {number: int}
  name: "{number}"
  deck:
    - {each: {number: 1..3}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
rules:
  play: |
    for p in players:
      deal 1 from deck to hand[p]
      p chooses card from hand[p] as "lay {card}"
      move card to deck
      p chooses more from hand[p] as "lay {more}"
      move more to deck
result:
  score(Player p): |
    count(hand[p])
  winner: [highest score]
"""


BURY = (
    NO_WAY_ON[: NO_WAY_ON.index("    for p in players:")]
    + """\
    shuffle deck
    for p in players: deal 1 from deck to hand[p]
    for p in players:
      p secretly chooses r from 1..2 as "bury {r}"
    for p in players: p chooses r from 1..2
"""
    + NO_WAY_ON[NO_WAY_ON.index("result:") :]
)


def test_a_sound_ruleset(rulerun) -> None:
    result = rulerun("check", "--deep", "kuhn")
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0] == "kuhn.yaml: ok (Kuhn poker, 2-3 players)"
    assert lines[1] == "Kuhn poker, 2 players: ok (2 games, 14 choices, seed 0)"
    assert lines[3] == "  ok      cards      each card lies in exactly one zone (20 positions)"
    assert "Kuhn poker, 3 players: ok (2 games, 20 choices, seed 0)" in lines
    assert result.err == ""
    assert len(lines) == 1 + 2 * (1 + 20)


def test_just_what_is_asked_for(rulerun) -> None:
    result = rulerun("check", "--deep", "kuhn", "--players", "3", "--games", "1", "--seed", "7", "--json")
    assert result.code == 0
    document = json.loads(result.out)
    assert document["diagnostics"] == []
    (report,) = document["deep"]
    assert (report["players"], report["games"], report["seed"], report["ok"]) == (3, 1, 7, True)
    names = [invariant["name"] for invariant in report["invariants"]]
    assert names[0] == "steps"
    assert names[-1] == "chance"


def test_a_leak_is_told_with_the_line_and_what_was_exchanged(
    rulerun, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    passages = State.passages
    monkeypatch.setattr(State, "passages", lambda self, _seat, since: passages(self, None, since))
    path = tmp_path / "bury.yaml"
    path.write_text(BURY, encoding="utf-8")
    result = rulerun("check", "--deep", str(path))
    assert result.code == 1
    lines = [line.strip() for line in result.out.splitlines()]
    at = next(i for i, line in enumerate(lines) if line.startswith("FAILED  exchange"))
    assert "is given another story by what it cannot know: " in lines[at + 1]
    assert lines[at + 2] != lines[at + 3]
    again = next(line for line in lines[at:] if line.startswith("in Python: "))
    assert again.startswith(
        f"in Python: from rulerun.play.exchange import leaks; leaks(rulerun.load('{path}', players=2), "
    )
    exchange = json.loads(rulerun("check", "--deep", str(path), "--json").out)["deep"][0]["exchange"]
    assert exchange["pairs"] >= exchange["disclosed"] >= 0
    assert {leak["what"] for leak in exchange["leaks"]} >= {"story"}


def test_every_variant(rulerun, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def examine(game, **_options) -> conformance.Report:
        seen.append((game.players, game.variants))
        return conformance.Report(game.name, game.players, game.variants, 0, 0)

    monkeypatch.setattr("rulerun.faces.deep.examine", examine)
    assert rulerun("check", "--deep", "--all", "cucumber", "--players", "3").code == 0
    assert seen[0] == (3, ())
    assert len(seen) > 2
    assert len(set(seen)) == len(seen)
    assert all(len(variants) == 1 for _, variants in seen[1:])


def test_rules_that_break_down_are_told_with_the_choices_that_lead_there(rulerun, tmp_path: Path) -> None:
    path = tmp_path / "stuck.yaml"
    path.write_text(NO_WAY_ON, encoding="utf-8")
    result = rulerun("check", "--deep", str(path))
    assert result.code == 1
    lines = [line.strip() for line in result.out.splitlines()]
    assert "Stuck, 2 players: 1 FAILED (2 games, 0 choices, seed 0)" in lines
    at = next(i for i, line in enumerate(lines) if line.startswith("FAILED"))
    assert lines[at].startswith("FAILED  steps")
    assert "RR0607" in lines[at + 1]
    assert lines[at + 2] == "seed 2, after 1 choice:"
    assert lines[at + 3].startswith("P1: lay ")
    assert lines[at + 4].startswith(f"in Python: rulerun.load('{path}', players=2).replay(2, ['s0:0:")


def test_a_fault_of_ours_is_told_in_json(rulerun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(State, "information_state", lambda _self, _seat: "the same")
    result = rulerun("check", "--deep", "kuhn", "--players", "2", "--json")
    assert result.code == 1
    (report,) = json.loads(result.out)["deep"]
    failed = {i["name"]: i["finding"] for i in report["invariants"] if i["outcome"] == "failed"}
    assert failed["own states"]["choices"] == []
    assert failed["own states"]["message"] == "P1 and P2 have the same information state"


def test_a_ruleset_with_errors_is_not_played(rulerun, tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(NO_WAY_ON.replace("from hand[p]", "from hnad[p]"), encoding="utf-8")
    result = rulerun("check", "--deep", str(path))
    assert result.code == 1
    assert "did you mean" in result.out
    assert "positions" not in result.out


@pytest.mark.parametrize("option", [["--games", "3"], ["--seed", "1"], ["--all"]])
def test_options_of_deep_alone_are_refused(rulerun, option: list[str]) -> None:
    result = rulerun("check", "kuhn", *option)
    assert result.code == 2
    assert result.err == "error: --games, --seed and --all go with --deep\n"
