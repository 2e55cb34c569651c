"""Reading files: clean text comes out, everything else is refused with a reason."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from rulerun.source.diagnostic import UsageError
from rulerun.source.files import MAX_BYTES, Folder, read_source, source_of, text_source


def refusal(path: Path) -> str:
    with pytest.raises(UsageError) as caught:
        read_source(str(path))
    return str(caught.value).replace(str(path.parent), "DIR")


def test_line_ends_marks_and_letters_are_made_one(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbfgame: cafe\xcc\x81\r\nplayers: 2\rx\n")
    assert read_source(str(path)).text == "game: caf\u00e9\nplayers: 2\nx\n"
    assert read_source(str(path)).name == str(path)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"game: x\r\n")))
    source = read_source("-")
    assert (source.name, source.text) == ("<stdin>", "game: x\n")


def test_missing_file_names_its_like(tmp_path: Path) -> None:
    (tmp_path / "whist.yaml").write_text("")
    assert refusal(tmp_path / "whsit.yaml") == "there is no file DIR/whsit.yaml; did you mean DIR/whist.yaml?"
    assert refusal(tmp_path / "unlike.yaml") == "there is no file DIR/unlike.yaml"


def test_directory(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    assert refusal(folder) == "DIR/games is a directory"
    (folder / "whist.yaml").write_text("")
    assert refusal(folder) == "DIR/games is a directory: name the ruleset in it, such as DIR/games/whist.yaml"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"a\x00b", "x is not a text file (it holds zero bytes)"),
        (b"\xff\xfea\x00", "x is saved as UTF-16: save it as UTF-8"),
        (b"a\nb\ncaf\xe9\n", "x is not UTF-8 text: line 3 holds the byte 0xe9; save it as UTF-8"),
        (b"\x1f\x8b\x08", "x is compressed: unpack it first"),
        (b"[" * (MAX_BYTES + 1), "x is larger than 1,000,000 bytes, the most that a file of a ruleset may have"),
    ],
)
def test_what_is_no_clean_text_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(UsageError) as caught:
        source_of("x", data)
    assert str(caught.value) == reason


def test_endless_file_is_not_read_to_its_end() -> None:
    with pytest.raises(UsageError, match="larger than"):
        read_source("/dev/zero")


def test_unreadable_names() -> None:
    for name in ("", "a\x00b", "x" * 5000, "/dev/null/x"):
        with pytest.raises(UsageError):
            read_source(name)


def test_folder_reads_what_lies_below(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "cards.csv").write_text("n\n1\n")
    folder = Folder(tmp_path)
    assert folder.read("sub/cards.csv").text == "n\n1\n"
    assert folder.below("sub/cards.csv").read("cards.csv").text == "n\n1\n"
    assert folder.below("sub/cards.csv").names(".csv") == ["cards.csv"]


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a/../../secret", "C:\\x", "..\\secret", "", "a\x00"])
def test_folder_refuses_escapes(tmp_path: Path, name: str) -> None:
    inner = tmp_path / "games"
    inner.mkdir()
    (tmp_path / "secret").write_text("secret")
    with pytest.raises(UsageError, match="is not the name of a file in or below the folder"):
        Folder(inner).read(name)


def test_folder_refuses_links_that_lead_out(tmp_path: Path) -> None:
    inner = tmp_path / "games"
    inner.mkdir()
    (tmp_path / "secret").write_text("secret")
    (inner / "link").symlink_to(tmp_path / "secret")
    with pytest.raises(UsageError, match="leads out of the folder"):
        Folder(inner).read("link")


def test_folder_refuses_pipes(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="is not a plain file"):
        Folder(tmp_path).read("pipe")


def test_no_folder() -> None:
    with pytest.raises(UsageError, match="was not read from a file"):
        Folder.of("-").read("cards.csv")
    assert Folder(None).names(".csv") == []


def test_folder_of_a_file() -> None:
    assert Folder.of("games/whist.yaml").path == Path("games")


def test_text_source() -> None:
    assert text_source("a", "x\r\ny").line(2) == "y"
