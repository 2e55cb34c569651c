"""Completion of command lines, by the protocol that the shells speak; and the name that a program was called by."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulerun.source.shipped import shipped_names

pytestmark = pytest.mark.usefixtures("shared_cache")


@pytest.fixture
def complete(rulerun: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What bash is told for a line that the cursor stands at the end of: sorts and words."""

    def ask(line: str, shell: str = "bash") -> list[tuple[str, str]]:
        words = line.split(" ")
        monkeypatch.setenv("_RULERUN_COMPLETE", f"{shell}_complete")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", words[-1] if shell == "fish" else str(len(words) - 1))
        result = rulerun()
        assert (result.code, result.err) == (0, "")
        return [tuple(answer.split(",", 1)) for answer in result.out.split("\n") if answer]

    return ask


def words(found: list[tuple[str, str]]) -> list[str]:
    return [word for sort, word in found if sort == "plain"]


def test_commands_and_rulesets(complete: Any) -> None:
    assert words(complete("rulerun si")) == ["sim"]
    assert words(complete("rulerun ru")) == ["run", "rummy"]
    assert set(words(complete("rulerun "))) >= {"run", "completion", *shipped_names()}
    assert complete("rulerun sim cucu") == [("file", "cucu"), ("plain", "cucumber")]
    assert words(complete("rulerun --v")) == ["--version"]


@pytest.mark.parametrize("command", ["run", "sim", "play", "check", "test", "ir", "list"])
def test_every_command_that_takes_a_ruleset_knows_those_that_come_along(complete: Any, command: str) -> None:
    assert complete(f"rulerun {command} kuh") == [("file", "kuh"), ("plain", "kuhn")]


def test_options_of_a_command_are_those_of_run_where_no_command_is_named(complete: Any) -> None:
    assert words(complete("rulerun cucumber --se")) == ["--set", "--seed"]
    assert words(complete("rulerun run cucumber --se")) == ["--set", "--seed"]


def test_settings_and_variants_of_the_ruleset_that_was_named(complete: Any) -> None:
    assert words(complete("rulerun run high.yaml --set ")) == ["hand_size=2"]
    assert words(complete("rulerun high.yaml --players 3 --with ")) == ["long"]
    assert words(complete("rulerun sim high.yaml --with lo")) == ["long"]
    assert words(complete("rulerun sim high.yaml --with x")) == []
    text = Path("high.yaml").read_text()
    options = "  mood: {default: calm, one_of: [calm, wild]}\n  open: {default: true}\n  hand_size"
    Path("more.yaml").write_text(text.replace("  hand_size", options, 1).replace("  long:", "  very long:"))
    assert words(complete("rulerun run more.yaml --set m")) == ["mood=calm", "mood=wild"]
    assert words(complete("rulerun run more.yaml --set o")) == ["open=true", "open=false"]
    assert words(complete("rulerun run more.yaml --with ")) == ["'very long'"]  # as bash reads it


def test_the_other_shells_get_words_as_they_are_and_what_they_are_about(complete: Any) -> None:
    text = Path("high.yaml").read_text()
    Path("more.yaml").write_text(text.replace("  long:", "  very long:"))
    assert complete("rulerun run more.yaml --with ", "zsh") == [("plain",), ("very long",), ("five tricks",)]


@pytest.mark.parametrize("ruleset", ["nowhere.yaml", "broken.yaml", "-", "bytes.yaml"])
def test_a_ruleset_that_cannot_be_read_has_nothing_to_offer(complete: Any, ruleset: str) -> None:
    Path("broken.yaml").write_text("game: [\n")
    Path("bytes.yaml").write_bytes(bytes(range(256)))
    assert complete(f"rulerun run {ruleset} --set ") == []
    assert complete(f"rulerun play {ruleset} --with ") == []


def test_files_and_eyes(complete: Any) -> None:
    assert complete("rulerun replay x") == [("file", "x")]
    assert complete("rulerun play --resume x") == [("file", "x")]
    assert words(complete("rulerun run high.yaml --eyes ")) == ["table", "all", "P1", "P2"]


def test_a_wish_that_is_not_known_is_left_without_a_word(rulerun: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMP_WORDS", raising=False)
    for wish in ("bash_complete", "tcsh_complete", "bash_sing", "x"):
        monkeypatch.setenv("_RULERUN_COMPLETE", wish)
        result = rulerun("run", "high.yaml")
        assert (result.code, result.out, result.err) == (1, "", "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_each_shell(rulerun: Any, shell: str) -> None:
    result = rulerun("completion", shell)
    assert result.code == 0
    assert f"_RULERUN_COMPLETE={shell}_complete" in result.out
    assert rulerun("completion", "tcsh").code == 2


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_with_the_script(rulerun: Any, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "rulerun"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rulerun "$@"\n')
    program.chmod(0o755)
    script = rulerun("completion", "bash").out
    asked = 'COMP_WORDS=(rulerun play cuc); COMP_CWORD=2; _rulerun_completion rulerun; echo "${COMPREPLY[@]}"'
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    shell = subprocess.run(
        ["bash", "-c", f"compopt() {{ :; }}\n{script}\n{asked}"],
        env=os.environ | {"PATH": path}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert shell.stdout == "cuckoo cucumber\n"


def test_python_m_rulerun_is_the_command_under_its_own_name(rulerun: Any) -> None:
    del rulerun

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, check=False)

    assert run("rulerun", "--help").stdout.startswith("Usage: python -m rulerun COMMAND | FILE ...\n")
    assert run("rulerun.faces", "--help").stdout.startswith("Usage: rulerun COMMAND | FILE ...\n")
    wrong = run("rulerun", "run", "high.yaml", "--nonsense")
    assert wrong.returncode == 2
    assert "see: python -m rulerun run --help" in wrong.stderr
    played = run("rulerun", "high.yaml", "--seed", "5")
    assert "again: python -m rulerun run high.yaml --players 2 --seed 5" in played.stdout
