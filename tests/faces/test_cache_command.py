"""`rulerun cache` says what is kept where, and clears it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rulerun.source import cache


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "kept"
    monkeypatch.setenv(cache.VARIABLE, str(folder))
    return folder


def test_it_tells_where_and_how_much(rulerun: Callable, place: Path) -> None:
    assert rulerun("cache").out == f"{place}\n0 files, 0 kB of at most 250.0 MB\n"
    cache.write(cache.name_of("code", "a"), bytes(2_500_000))
    assert rulerun("cache").out == f"{place}\n1 file, 2.5 MB of at most 250.0 MB\n"


def test_clear_removes_what_is_kept_and_nothing_else(rulerun: Callable, place: Path) -> None:
    for part in "ab":
        cache.write(cache.name_of("code", part), b"content")
    (place / "mine.txt").write_text("mine")
    assert rulerun("cache", "--clear").out == f"{place}\nremoved 2 files\n0 files, 0 kB of at most 250.0 MB\n"
    assert [path.name for path in place.iterdir()] == ["mine.txt"]


def test_as_json(rulerun: Callable, place: Path) -> None:
    cache.write(cache.name_of("code", "a"), b"content")
    told = json.loads(rulerun("cache", "--json").out)
    assert told == {
        "schema_version": 1, "folder": str(place), "unused_because": None, "files": 1, "bytes": 55,
        "most_bytes": 250_000_000, "removed": 0,
    }  # fmt: skip
    assert json.loads(rulerun("cache", "--clear", "--json").out)["removed"] == 1


def test_why_nothing_is_kept(rulerun: Callable, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place.write_text("in the way")
    assert rulerun("cache").out == f"{place}\nnothing is kept: it is not a folder\n"
    monkeypatch.setenv(cache.VARIABLE, "off")
    assert rulerun("cache").out == "nothing is kept: keeping is switched off (RULERUN_CACHE)\n"
    monkeypatch.setenv(cache.VARIABLE, "~a_stranger_without_a_home/kept")
    told = "nothing is kept: no home folder is found (RULERUN_CACHE may name another folder)\n"
    assert rulerun("cache").out == told


def test_a_home_that_cannot_be_written_in_is_named(
    rulerun: Callable, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda path, _mode: path != place.parent)  # root may write anywhere
    told = f"{place}\nnothing is kept: it cannot be made ({place.parent} cannot be written in)\n"
    assert rulerun("cache").out == told


def test_what_it_cannot_read_is_wrong_usage(rulerun: Callable) -> None:
    assert rulerun("cache", "--purge").code == 2
