"""The user's cache folder gives back what was put in, or nothing: never what an accident or somebody else left."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rulerun.source import cache

NAME = cache.name_of("code", "one", "two")
CONTENT = bytes(range(256)) * 40

posix = pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners and modes are POSIX's")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own, not made yet."""
    folder = tmp_path / "rulerun"
    monkeypatch.setenv(cache.VARIABLE, str(folder))
    return folder


def test_what_was_written_is_read_again(place: Path) -> None:
    assert cache.read(NAME) is None
    cache.write(NAME, CONTENT)
    assert cache.read(NAME) == CONTENT
    assert [file.path for file in cache.kept()] == [place / NAME]
    cache.write(NAME, b"")
    assert cache.read(NAME) == b""


def test_a_name_tells_apart_all_that_it_is_made_of() -> None:
    parts = [("a", "bc"), ("ab", "c"), ("abc",)]
    names = {cache.name_of(kind, *of) for kind in ("code", "tables") for of in parts}
    assert len(names) == 2 * len(parts)


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("value", cache.OFF)
def test_it_can_be_switched_off(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.write(NAME, CONTENT)
    monkeypatch.setenv(cache.VARIABLE, value)
    cache.write(NAME, CONTENT)
    assert (cache.folder(), cache.read(NAME), cache.kept(), cache.clear()) == (None, None, [], 0)


def test_without_the_variable_it_lies_in_the_users_own_cache_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(cache.VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = cache.folder()
    assert found is not None
    assert "rulerun" in found.parts
    if sys.platform == "linux":
        assert found == tmp_path / "rulerun"


def damaged(whole: bytes) -> dict[str, bytes]:
    """A file with something wrong in each of its parts."""
    regions = {"magic": 0, "digest": 20, "digest's end": 47, "first of the content": 48, "middle": len(whole) // 2}
    found = {name: whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for name, at in regions.items()}
    found |= {f"cut at {at}": whole[:at] for at in (0, 1, 15, 16, 17, 47, 48, 49, len(whole) // 2, len(whole) - 1)}
    return found | {"longer": whole + b"\0", "zeros": bytes(len(whole)), "another's": whole[::-1]}


def test_a_damaged_file_is_not_read_and_can_be_written_anew(place: Path) -> None:
    cache.write(NAME, CONTENT)
    whole = (place / NAME).read_bytes()
    for what, wrong in damaged(whole).items():
        (place / NAME).write_bytes(wrong)
        assert cache.read(NAME) is None, what
        cache.write(NAME, CONTENT)
        assert cache.read(NAME) == CONTENT, what


def test_every_single_byte_counts(place: Path) -> None:
    cache.write(NAME, b"a short one")
    whole = (place / NAME).read_bytes()
    for at in range(len(whole)):
        (place / NAME).write_bytes(whole[:at] + bytes([whole[at] ^ 0x80]) + whole[at + 1 :])
        assert cache.read(NAME) is None, at


def test_a_file_under_another_name_is_not_read(place: Path) -> None:
    other = cache.name_of("code", "another")
    cache.write(NAME, CONTENT)
    (place / NAME).rename(place / other)
    assert cache.read(other) is None


@posix
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_may_write_is_not_read(place: Path, mode: int) -> None:
    cache.write(NAME, CONTENT)
    (place / NAME).chmod(mode)
    assert cache.read(NAME) is None


@posix
@pytest.mark.parametrize("mode", [0o720, 0o777])
def test_a_folder_that_others_may_write_in_is_not_used(place: Path, mode: int) -> None:
    cache.write(NAME, CONTENT)
    place.chmod(mode)
    assert cache.read(NAME) is None
    assert cache.trouble(place) == "others may write in it"
    (place / NAME).unlink()
    cache.write(NAME, CONTENT)
    assert list(place.iterdir()) == []


@posix
def test_what_belongs_to_somebody_else_is_not_used(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.write(NAME, CONTENT)
    monkeypatch.setattr(os, "getuid", lambda: place.stat().st_uid + 1)
    assert cache.read(NAME) is None
    assert cache.trouble(place) == "it belongs to somebody else"
    assert cache.clear() == 0
    assert (place / NAME).exists()


@posix
def test_neither_a_link_nor_a_pipe_nor_a_folder_is_read(place: Path, tmp_path: Path) -> None:
    cache.write(NAME, CONTENT)
    elsewhere = tmp_path / "elsewhere"
    (place / NAME).rename(elsewhere)
    (place / NAME).symlink_to(elsewhere)
    assert cache.read(NAME) is None
    (place / NAME).unlink()
    os.mkfifo(place / NAME)
    assert cache.read(NAME) is None
    (place / NAME).unlink()
    (place / NAME).mkdir()
    assert cache.read(NAME) is None
    cache.write(NAME, CONTENT)  # cannot be; nothing is left lying about
    assert [path.name for path in place.iterdir()] == [NAME]


def test_a_folder_that_is_a_file_does_no_harm(place: Path) -> None:
    place.write_text("in the way")
    cache.write(NAME, CONTENT)
    assert cache.read(NAME) is None
    assert cache.trouble(place) == "it is not a folder"


def test_a_folder_that_cannot_be_written_does_no_harm(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.write(NAME, CONTENT)
    place.chmod(0o500)
    other = cache.name_of("code", "other")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:  # root may write anywhere, so the refusal is played
        patched.setattr("tempfile.mkstemp", refuse)
        cache.write(other, CONTENT)
        assert (cache.read(NAME), cache.read(other)) == (CONTENT, None)
    place.chmod(0o700)


def test_a_full_disk_leaves_nothing_lying_about(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    cache.write(NAME, CONTENT)
    monkeypatch.setattr(os, "replace", full)
    cache.write(NAME, b"new")
    assert cache.read(NAME) == CONTENT
    assert [path.name for path in place.iterdir()] == [NAME]


def test_beyond_its_size_those_longest_unused_go(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_BYTES", 3 * (len(CONTENT) + 48))
    names = [cache.name_of("code", str(i)) for i in range(5)]
    for i, name in enumerate(names[:3]):
        cache.write(name, CONTENT)
        os.utime(place / name, (i, i))
    assert cache.read(names[0]) == CONTENT  # which makes it the one used last
    for name in names[3:]:
        cache.write(name, CONTENT)
    assert [name for name in names if cache.read(name) is not None] == [names[0], names[3], names[4]]


def test_nothing_else_in_the_folder_is_touched(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place.mkdir(mode=0o700)
    (place / "letter.txt").write_text("dear")
    (place / f"{NAME}.abc.part").write_text("of a process that was killed")
    monkeypatch.setattr(cache, "MOST_BYTES", 10)
    cache.write(NAME, CONTENT)
    assert cache.clear() == 0  # all of ours went when there was no room
    assert [path.name for path in place.iterdir()] == ["letter.txt"]


WRITER = """\
import sys
from rulerun.source import cache
name = cache.name_of("code", "shared")
for i in range(200):
    cache.write(name, bytes([i]) * 50_000)
    found = cache.read(name)
    assert found is not None and len(found) == 50_000 and len(set(found)) == 1, "half a file"
"""


def test_processes_may_write_the_same_file_at_once(place: Path) -> None:
    running = [subprocess.Popen([sys.executable, "-c", WRITER], env=dict(os.environ)) for _ in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    assert [file.path.name for file in cache.kept()] == [cache.name_of("code", "shared")]
    assert place.exists()
