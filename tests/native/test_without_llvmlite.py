"""Where llvmlite is not installed everything works; only machine code cannot be had."""

from __future__ import annotations

import sys

import pytest

import rulerun
from rulerun.play.volume import ExecutorError, play_many


@pytest.fixture(autouse=True)
def _nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite", None)


def test_auto_falls_back_on_the_interpreter() -> None:
    volume = play_many(rulerun.load("kuhn").program, 20, 1)
    assert (volume.executor, volume.tally.games) == ("interpreter", 20)
    assert volume.why == "the native executor wants llvmlite (pip install 'rulerun[native]')"


def test_asking_for_it_says_how_to_get_it() -> None:
    with pytest.raises(ExecutorError, match=r"pip install 'rulerun\[native\]'"):
        play_many(rulerun.load("kuhn").program, 20, 1, executor="native")
