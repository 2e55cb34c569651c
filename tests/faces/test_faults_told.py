"""A fault of the rules is told whenever it happens: one JSON document with the fault in it, exit 1, words on stderr."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

HOST = """\
rulerun: 1
game: Faulty
players: 2
cards:
  face: {number: int}
  name: "{number}"
  deck:
    - {each: {number: 1..5}}
zones:
  stock: {kind: pile, seen_by: everyone, start: deck}
state:
  zero: int
  total: int
functions:
  bad(int n): n // zero
rules:
  play: |
    let me = first p in players where true
BODY
result:
  score(Player p): SCORE
  winner: [highest score]
"""
SOUND = 'me chooses k from 1..5 as "take {k}"\ntotal += k\n'
MOMENTS = {
    "before the first choice": "total = bad(1)\n" + SOUND,
    "in what is offered": SOUND + 'me chooses j from 1..5 where bad(j) == 1 as "take {j}"',
    "with nothing to choose": SOUND + 'me chooses j from 1..5 where j > 9 as "take {j}"',
    "after a choice": SOUND + "total = bad(1)",
    "in a note": SOUND + 'note "{bad(1)}"',
    "in a label": SOUND + 'me chooses j from 1..5 as "take {bad(j)}"\n' + SOUND.replace("k", "l"),
    "in the first label": 'me chooses j from 1..5 as "take {bad(j)}"\n' + SOUND,
    "in a score": SOUND,
}


def faulty(folder: Path, moment: str) -> str:
    path = folder / "faulty.yaml"
    body = "\n".join("    " + line for line in MOMENTS[moment].splitlines())
    path.write_text(HOST.replace("BODY", body).replace("SCORE", "bad(1)" if moment == "in a score" else "total"))
    return str(path)


@pytest.mark.parametrize("moment", MOMENTS)
def test_run_and_replay_tell_a_fault_in_json(rulerun, tmp_path: Path, moment: str) -> None:
    path, log = faulty(tmp_path, moment), tmp_path / "game.log"
    result = rulerun("run", path, "--json", "--seed", "1", "--log", str(log))
    document = json.loads(result.out)
    assert result.code == 1
    assert document["fault"]["code"] == ("RR0607" if moment == "with nothing to choose" else "RR0603")
    assert result.err.startswith(f"error[{document['fault']['code']}]: {document['fault']['message']}\n")
    led_there = moment not in ("before the first choice", "in the first label")
    assert len(document["fault"]["choices"] or ()) == led_there
    assert [choice["label"][:5] for choice in document["choices"]] == ["take "] * (moment == "in a label")
    assert [sentence[:9] for sentence in document["story"]] == ["P1 takes "] * (moment == "in a label")
    if moment != "before the first choice":
        again = rulerun("replay", str(log), "--json")
        told = json.loads(again.out)
        assert (told["choices"], told["story"], told["decisions"]) == tuple(
            document[part] for part in ("choices", "story", "decisions")
        )
        in_label = moment in ("in a label", "in the first label")
        assert (again.code, told["fault"]) == ((1, document["fault"]) if in_label else (0, None))


def test_a_game_is_told_as_text_up_to_a_label_that_is_a_fault(rulerun, tmp_path: Path) -> None:
    result = rulerun("run", faulty(tmp_path, "in a label"), "--seed", "1")
    assert result.code == 1
    assert "P1 takes " in result.out
    assert "3 choices; again: " in result.out
    assert result.err.startswith("error[RR0603]: ")


def test_a_log_names_a_choice_without_a_label_by_its_key(rulerun, tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    assert rulerun("run", faulty(tmp_path, "in a label"), "--seed", "1", "--log", str(log)).code == 1
    choices = [json.loads(line) for line in log.read_text().splitlines()[1:-1]]
    assert [choice["label"] == choice["key"] for choice in choices] == [False, True, False]


def test_a_game_is_kept_for_later_though_a_bot_has_chosen_what_cannot_be_told(rulerun, tmp_path: Path) -> None:
    path, log = faulty(tmp_path, "in the first label"), tmp_path / "game.log"
    text = Path(path).read_text()
    Path(path).write_text(text.replace("first p in players where true", "next(first p in players)"))
    result = rulerun("play", path, "--seed", "1", "--log", str(log), stdin="quit\n")
    assert (result.code, result.err.splitlines()[0]) == (1, "error[RR0603]: division by zero")
    choice = json.loads(log.read_text().splitlines()[1])
    assert choice["label"] == choice["key"]


def test_a_log_whose_next_label_is_a_fault_is_told_up_to_it(rulerun, tmp_path: Path) -> None:
    """The words of a label can change under a log: they are no part of what a game is."""
    path, log = tmp_path / "faulty.yaml", tmp_path / "game.log"
    faulty(tmp_path, "in a label")
    text = path.read_text()
    path.write_text(text.replace('"take {bad(j)}"', '"take {j} {zero}"'))
    assert rulerun("run", str(path), "--seed", "1", "--log", str(log)).code == 0
    path.write_text(text)
    result = rulerun("replay", str(log), "--json")
    document = json.loads(result.out)
    assert (result.code, document["fault"]["code"], document["decisions"]) == (1, "RR0603", 3)
    assert len(document["choices"]) == 1


@pytest.mark.parametrize("moment", ["in what is offered", "in a score"])
def test_sim_tells_faults_on_stderr_beside_json(rulerun, tmp_path: Path, moment: str) -> None:
    result = rulerun("sim", faulty(tmp_path, moment), "-n", "3", "--json")
    assert (result.code, json.loads(result.out)["faults"]) == (1, 3)
    assert "RR0603 division by zero" in result.err


def test_sim_leaves_labels_to_deep_checks(rulerun, tmp_path: Path) -> None:
    path = faulty(tmp_path, "in a label")
    assert rulerun("sim", path, "-n", "3", "--json").code == 0
    result = rulerun("check", path, "--deep", "--json", "-n", "1")
    assert result.code == 1
    assert "RR0603" in result.out
