"""Where llvmlite is not installed everything works; only machine code cannot be had."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import rulerun
from rulerun.play.volume import ExecutorError, play_many

pytestmark = pytest.mark.usefixtures("shared_cache")

WITHOUT = "import sys; sys.modules['llvmlite'] = None; from rulerun.faces.cli import main; main()"
WHY = "the native executor wants llvmlite, which is not installed (pip install llvmlite)"


def command(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """A command line in a process that cannot import llvmlite."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *words], input=stdin, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.fixture
def _nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite", None)


@pytest.mark.usefixtures("_nowhere")
def test_auto_falls_back_on_the_interpreter() -> None:
    volume = play_many(rulerun.load("kuhn").program, 20, 1)
    assert (volume.executor, volume.tally.games) == ("interpreter", 20)
    assert volume.why == WHY


@pytest.mark.usefixtures("_nowhere")
def test_asking_for_it_says_how_to_get_it() -> None:
    with pytest.raises(ExecutorError, match=r"pip install llvmlite"):
        play_many(rulerun.load("kuhn").program, 20, 1, executor="native")


def test_a_library_that_cannot_be_loaded_is_told_and_the_interpreter_plays(tmp_path: Path) -> None:
    (tmp_path / "llvmlite").mkdir()
    (tmp_path / "llvmlite" / "__init__.py").write_text("raise OSError('libllvmlite.so: no such file')\n")
    broken = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from rulerun.faces.cli import main; main()"

    def sim(*words: str) -> subprocess.CompletedProcess[str]:
        words = ("sim", "kuhn", "-n", "20", "--seed", "1", "--json", *words)
        return subprocess.run(
            [sys.executable, "-c", broken, *words], capture_output=True, text=True, timeout=60, check=False
        )

    done, refused = sim(), sim("--executor", "native")
    assert (done.returncode, json.loads(done.stdout)["executor"]) == (0, "interpreter")
    assert (refused.returncode, refused.stdout) == (2, "")
    for told in (done.stderr, refused.stderr):
        assert "llvmlite, which cannot be imported: libllvmlite.so: no such file" in told


def test_sim_plays_and_names_the_interpreter() -> None:
    done = command("sim", "kuhn", "-n", "20", "--seed", "1", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert (told["executor"], told["games"]) == ("interpreter", 20)


def test_sim_says_why_when_asked() -> None:
    done = command("sim", "kuhn", "-n", "2", "--seed", "1", "--verbose")
    assert done.returncode == 0
    assert "executor: interpreter" in done.stderr
    assert WHY in done.stderr
    refused = command("sim", "kuhn", "-n", "2", "--executor", "native")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert WHY in refused.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "stdin", "told"),
    [
        (["list"], "", "kuhn"),
        (["check", "kuhn"], "", ""),
        (["run", "kuhn", "--seed", "1"], "", "Kuhn"),
        (["play", "kuhn", "--seed", "1"], "1\n1\n1\n1\n", "Kuhn"),
        (["test", "kuhn"], "", "passed"),
        (["cache"], "", "of at most 250.0 MB"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "",
)
def test_every_other_command_does_what_it_does(words: list[str], stdin: str, told: str) -> None:
    done = command(*words, stdin=stdin)
    assert done.returncode == 0, done.stderr
    assert told in done.stdout
