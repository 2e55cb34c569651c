"""Small texts of the command line: faults, winners, commands to type again, files that are no logs."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from rulerun.faces.faults import fault_document, fault_text
from rulerun.faces.loading import shell_word
from rulerun.faces.result import winners_line
from rulerun.faces.saving import autosave_path, read_log_file, write_whole
from rulerun.facts.faults import RulesFault
from rulerun.ir.program import Origin
from rulerun.source.diagnostic import UsageError


def test_a_fault_with_all_that_is_known() -> None:
    fault = RulesFault("RR0603", "division by zero", Origin("g.yaml", 7, 3, "x = 1 // y"), "ask first")
    fault.seed, fault.choices = 9, (0, 2)
    assert fault_text(fault, "rulerun run g.yaml --seed 9").splitlines() == [
        "error[RR0603]: division by zero",
        "  --> g.yaml:7:3",
        "   |  x = 1 // y",
        "  help: ask first",
        "  this is a fault of the rules during play, found only when it happened",
        "  seed: 9",
        "  choices (option numbers): 1 3",
        "  to see it again: rulerun run g.yaml --seed 9",
    ]
    assert fault_document(fault)["choices"] == [1, 3]


def test_a_fault_of_which_little_is_known() -> None:
    fault = RulesFault("RR0601", "the game runs on", None)
    assert fault_text(fault).splitlines() == [
        "error[RR0601]: the game runs on",
        "  this is a fault of the rules during play, found only when it happened",
    ]
    assert fault_document(fault)["place"] is None
    fault.choices = tuple(range(50))
    assert "  choices (option numbers): … 11 12" in fault_text(fault)
    assert fault_text(fault).endswith("50 (the last 40 of 50)")


@pytest.mark.parametrize(
    ("winners", "scores", "text"),
    [
        ((1,), (3, 4, 4), "P2 wins."),
        ((1, 2), (3, 4, 4), "P2 and P3 share the win."),
        ((0, 1, 2), (4, 4, 4), "All share the win."),
        ((0, 1, 3), (4, 4, 1, 4), "P1, P2 and P4 share the win."),
    ],
)
def test_who_wins(winners: tuple[int, ...], scores: tuple[int, ...], text: str) -> None:
    state = SimpleNamespace(winners=winners, scores=scores)
    assert winners_line(state) == text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("ouch", "ouch"),
        ("little ones", '"little ones"'),
        ("can't", '"can\'t"'),
        ('say "$x"', "'say \"$x\"'"),
        ("", '""'),
    ],
)
def test_words_for_a_shell(word: str, shown: str) -> None:
    assert shell_word(word) == shown


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"\xff\xfe\x00", "it is not text"),
        (b"hello\n", "damaged"),
        (b'{"a": 1}\n', "is not a log of rulerun"),
        (b"[" * 100_000 + b"\n", "damaged"),
        (b'{"rulerun_log": 99}\n', "version 99"),
        (b'{"rulerun_log": 1}\n', "damaged"),
    ],
)
def test_what_is_no_log(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)
    with pytest.raises(UsageError, match=message):
        read_log_file(str(path))


def test_a_folder_is_neither_read_nor_written_as_a_log(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a folder, not a saved game"):
        read_log_file(str(tmp_path))
    with pytest.raises(UsageError, match="it is a folder"):
        write_whole(str(tmp_path), "x")


def test_writing_replaces_as_a_whole_and_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "save.jsonl"
    write_whole(str(path), "first\n")
    write_whole(str(path), "second\n")
    assert path.read_text() == "second\n"

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UsageError, match="No space left on device"):
        write_whole(str(path), "third\n")
    assert path.read_text() == "second\n"
    assert os.listdir(tmp_path) == ["save.jsonl"]


def test_no_place_to_keep_a_game_in_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert autosave_path(SimpleNamespace(name="X"), 1) is None  # type: ignore[arg-type]
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    kept = autosave_path(SimpleNamespace(name="Über: alles!"), 1)  # type: ignore[arg-type]
    assert kept == tmp_path / "state" / "rulerun" / "ber-alles-1.jsonl"


def test_without_a_home_nothing_is_kept_in_the_root_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", "")
    assert autosave_path(SimpleNamespace(name="X"), 1) is None  # type: ignore[arg-type]


def test_who_plays_is_warned_that_the_game_cannot_be_kept(
    rulerun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    result = rulerun("play", "high.yaml", "--seed", "1", stdin="quit\n")
    assert result.err.startswith("warning: the game is not kept: there is no folder for it (XDG_STATE_HOME may name")
    assert rulerun("play", "high.yaml", "--seed", "1", "--log", "game.log", stdin="quit\n").err == ""
