"""Where machine code cannot be had the interpreter plays, and it is said why."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("llvmlite")

import rulerun
from costly_rules import Costly
from rulerun.faces.cli import call
from rulerun.native import UnsupportedError, compiler
from rulerun.native.machine import NativeMachine
from rulerun.play.volume import ExecutorError, play_many

REFUSAL = "LLVM ERROR: Cannot select: t1\nwith a second line"


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM refuses everything."""

    def refuse(*_: object) -> compiler.Code:
        raise RuntimeError(REFUSAL)

    monkeypatch.setattr(compiler, "_compiled", refuse)


@pytest.mark.usefixtures("refusing")
def test_auto_goes_on_with_the_interpreter_where_llvm_refuses() -> None:
    volume = play_many(rulerun.load("kuhn").program, 20, 1)
    assert (volume.executor, volume.tally.games, volume.native_failed) == ("interpreter", 20, True)
    assert volume.why == "the native executor fails on this ruleset: LLVM ERROR: Cannot select: t1"


@pytest.mark.usefixtures("refusing")
def test_asked_for_by_name_it_is_an_error() -> None:
    with pytest.raises(ExecutorError) as raised:
        play_many(rulerun.load("kuhn").program, 20, 1, executor="native")
    assert str(raised.value) == "the native executor fails on this ruleset: LLVM ERROR: Cannot select: t1"


@pytest.mark.usefixtures("refusing")
def test_sim_says_so_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["sim", "kuhn", "-n", "3", "--seed", "1"]) == 0
    told = capsys.readouterr()
    assert told.err.splitlines() == [
        "played by the interpreter: the native executor fails on this ruleset: LLVM ERROR: Cannot select: t1"
    ]
    assert "3 games" in told.out


KNOWING = """\
rulerun: 1
game: Peek
players: 2
cards: {deck: french52}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, seen_by: owner, per: player}
rules:
  play: |
    shuffle deck
    for p in players:
      deal 2 from deck to hand[p]
      p chooses c from hand[p] where knows(p, c) as "keep {c}"
result:
  score(Player p): 1
  winner: [highest score]
"""


def test_rules_that_ask_what_a_player_knows_are_left_to_the_interpreter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "peek.yaml"
    file.write_text(KNOWING, encoding="utf-8")
    program = rulerun.load(file).program
    why = "the rules ask what a player knows (`knows`), and machine code does not follow that"
    for use in (NativeMachine(program).compile, lambda: NativeMachine(program).start(1)):
        with pytest.raises(UnsupportedError) as raised:
            use()
        assert str(raised.value) == why
    volume = play_many(program, 20, 1)
    assert (volume.executor, volume.tally.games, volume.tally.decisions) == ("interpreter", 20, 40)
    assert call(["sim", str(file), "-n", "3", "--seed", "1"]) == 0
    told = capsys.readouterr()
    assert told.err.splitlines() == []
    assert "3 games" in told.out
    assert call(["sim", str(file), "-n", "3", "--executor", "native"]) == 2
    assert why in capsys.readouterr().err


def test_a_very_long_text_is_left_to_the_interpreter() -> None:
    lines = "\n".join(["  total = (total + 1) % 7"] * 400)
    program = Costly(f"repeat 3 times:\n{lines}", "").program()
    with pytest.raises(UnsupportedError) as raised:
        _ = NativeMachine(program).stepper
    assert str(raised.value) == "a text without a branch is too long for machine code (slow.yaml:24:5)"
    volume = play_many(program, 2, 1)
    assert (volume.executor, volume.native_failed) == ("interpreter", False)
    assert volume.why.startswith("the native executor cannot play this ruleset: a text without a branch is too long")


def test_very_long_rules_are_left_to_the_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "LARGEST", 50)
    with pytest.raises(UnsupportedError, match=r"^the rules are too long for machine code$"):
        NativeMachine(rulerun.load("kuhn").program).compile()
