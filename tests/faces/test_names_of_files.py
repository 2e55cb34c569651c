"""Names of files that come from outside: whatever is said, there is a message, and a game goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rulerun.game import load
from rulerun.source.diagnostic import UsageError
from rulerun.source.paths import files_below, is_file, is_folder, is_there, names_in, resolved

HIGH = "high.yaml"
NAMES = {
    "as long as no name may be": "a" * 256,
    "longer, with an ending": "a" * 300 + ".yaml",
    "few letters of many bytes": "字" * 90,
    "few letters of many bytes, with an ending": "字" * 90 + ".yaml",
    "such a folder": "字" * 90 + "/x",
    "a shipped folder, and such a name": "ouch/" + "字" * 90,
    "deeper than any path": "a/" * 2_600 + "x.yaml",
    "a file as a folder": HIGH + "/",
    "a file in a file": HIGH + "/x.yaml",
    "a folder": ".",
    "a folder with a slash": "state/",
    "nothing": "",
    "a circle of links": "circle.yaml",
    "half a surrogate pair": "a\ud800b.yaml",
    "a byte that is no text": "a\udc80b.yaml",
    "a closed folder": "/proc/1/fdinfo/x/y.yaml",
    "no place for files": "/proc/x.yaml",
}
WRITABLE = ("a circle of links", "a byte that is no text")
"""Of these: a link is replaced by the file, and a name may hold any byte."""
ZERO = "a\0b.yaml"


@pytest.fixture
def named(rulerun) -> None:  # noqa: ARG001 - the folder of the command line
    os.symlink("circle.yaml", "circle.yaml")
    Path("state").mkdir()


@pytest.mark.usefixtures("named")
@pytest.mark.parametrize("name", [*NAMES.values(), ZERO], ids=[*NAMES, "a zero byte"])
def test_a_file_that_cannot_be_read_is_wrong_usage(rulerun, name: str) -> None:
    commands = [["check"], ["run"], ["play"], ["sim", "-n", "2"], ["test"], ["ir"], ["list"], ["replay"], []]
    for words in [*commands, ["play", "--resume"], ["replay", "l.jsonl", "--ruleset"]]:
        Path("l.jsonl").write_text(load(HIGH).new(1).log())
        result = rulerun(*words, name)
        assert (result.code, result.out) == (2, ""), (words, result)
        assert result.err.startswith("error: ")
        assert "this is a bug" not in result.err
    with pytest.raises(UsageError):
        load(name)


@pytest.mark.usefixtures("named")
@pytest.mark.parametrize("name", [*NAMES.values(), ZERO], ids=[*NAMES, "a zero byte"])
def test_a_file_named_in_a_text_that_cannot_be_read_has_a_place(rulerun, name: str) -> None:
    shown = json.dumps(name)
    texts = {
        f"extends: {shown}\ngame: X\n": "x.yaml:1:1",
        Path(HIGH).read_text().replace("- {each: {number: 1..20}}", f"- {{csv: {shown}}}"): "x.yaml:11:1",
    }
    for text, place in texts.items():
        Path("x.yaml").write_text(text)
        result = rulerun("check", "x.yaml")
        assert result.code == 1
        assert f"--> {place}" in result.out  # at the name, or at an escape in it
    Path("x.test.yaml").write_text(f"ruleset: {shown}\ntests: {{a: {{seed: 1}}}}\n")
    assert rulerun("test", "x.test.yaml").code in (1, 2)
    head, *rest = load(HIGH).new(1).log().splitlines(keepends=True)
    Path("l.jsonl").write_text(json.dumps(json.loads(head) | {"ruleset": name}) + "\n" + "".join(rest))
    result = rulerun("replay", "l.jsonl")
    assert (result.code, result.out) == (2, "")
    assert "--ruleset FILE" in result.err


@pytest.mark.usefixtures("named")
@pytest.mark.parametrize("name", [*(NAMES[n] for n in NAMES if n not in WRITABLE), ZERO, "-"])
def test_a_file_that_cannot_be_written_ends_no_game(rulerun, name: str) -> None:
    before = Path(HIGH).read_bytes()
    result = rulerun("run", HIGH, "--seed", "1", "--log", name)
    assert result.code == 2
    assert "error: cannot write " in result.err
    typed = f"save {name}\n1\nview\nquit\n"
    played = rulerun("play", HIGH, "--seed", "1", "--players", "2", stdin=typed)
    assert (played.code, played.err) == (0, "")
    assert ("cannot write " if name else "save where?") in played.out
    assert played.out.count("P1, choose:") == 3  # asked, asked after the choice, shown again
    assert "the game is kept; to go on:" in played.out
    told = rulerun("play", HIGH, "--seed", "1", "--log", name, stdin="1\nquit\n")
    assert told.code == 0
    assert "warning: the game is not kept: cannot write " in told.err
    assert Path(HIGH).read_bytes() == before


def test_a_game_of_a_long_name_is_kept(rulerun) -> None:
    for name in ("a" * 300, "字" * 300, '"..//..//x"', '"-"'):
        Path("x.yaml").write_text(Path(HIGH).read_text().replace("High Card", name))
        result = rulerun("play", "x.yaml", "--seed", "1", stdin="quit\n")
        assert (result.code, result.err) == (0, "")
        assert "the game is kept; to go on:" in result.out
    assert len(list(Path("state/rulerun").iterdir())) == 3  # two names have no letter that a file's name may have


def test_a_full_disk_ends_no_game(rulerun, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = rulerun("play", HIGH, "--seed", "1", stdin="save x.jsonl\n1\n1\n")
    assert result.code == 0
    assert "cannot write x.jsonl: No space left on device" in result.out
    assert "the game is not kept" in result.err
    assert sorted(p.name for p in Path().iterdir()) == ["endless.yaml", HIGH, "state"]


KILLED = """
import os, signal, sys
from rulerun.faces.saving import write_whole
os.fsync = lambda handle: os.kill(os.getpid(), signal.SIGKILL)
write_whole("x.jsonl", "half of it")
"""


def test_what_a_killed_process_left_goes_with_the_next_save(rulerun) -> None:
    for _ in range(2):
        subprocess.run([sys.executable, "-c", KILLED], check=False)
        assert len(list(Path().glob(".*"))) == 1
    Path(".x.jsonl.tmp").write_text("of somebody else")
    assert rulerun("run", HIGH, "--seed", "1", "--log", "x.jsonl").code == 0
    assert [p.name for p in Path().glob(".*")] == [".x.jsonl.tmp"]


def test_what_another_process_writes_now_stays(rulerun) -> None:
    from rulerun.faces import saving

    handle, part = saving._part_of(Path("x.jsonl"))
    assert rulerun("run", HIGH, "--seed", "1", "--log", "x.jsonl").code == 0
    assert Path(part).is_file()
    os.close(handle)
    assert rulerun("run", HIGH, "--seed", "1", "--log", "x.jsonl").code == 0
    assert not Path(part).exists()


@pytest.mark.usefixtures("named")
@pytest.mark.parametrize("name", [*NAMES.values(), ZERO], ids=[*NAMES, "a zero byte"])
def test_questions_about_a_path_have_an_answer(name: str) -> None:
    folder = name in (".", "state/")
    assert not is_file(name)
    assert is_folder(name) is folder
    assert is_there(name) is folder
    assert names_in(name, ".never") == []
    assert list(files_below(name, ".never")) == []
    assert resolved(Path(name)) is None or resolved(Path(name)).is_absolute()


def log_naming(ruleset: str) -> None:
    head = json.loads(load(HIGH).new(1).log().splitlines()[0])
    Path("l.jsonl").write_text(json.dumps(head | {"ruleset": ruleset}) + "\n")


def test_a_log_of_a_stranger_opens_no_file_but_a_ruleset(rulerun) -> None:
    Path("secret").write_text("password: hunter2\n")
    Path("secret.yaml").write_text("password: hunter2\n")
    os.mkfifo("pipe.yaml")
    os.mkfifo("pipe")
    for name in ("secret", "secret.yaml", "pipe.yaml", "pipe", "/dev/zero", "/etc/passwd", ".", "state/../secret"):
        log_naming(name)
        for words in (["replay", "l.jsonl"], ["play", "--resume", "l.jsonl"]):
            result = rulerun(*words)
            assert (result.code, result.out) == (2, ""), name
            assert "--ruleset FILE" in result.err
            assert "hunter" not in result.err
            assert "password" not in result.err
            assert "root" not in result.err


def test_a_log_whose_ruleset_has_mistakes_says_where_to_look(rulerun) -> None:
    log_naming(HIGH)
    Path(HIGH).write_text(Path(HIGH).read_text().replace("shuffle deck", "shuffle dekc"))
    result = rulerun("replay", "l.jsonl")
    assert result.code == 2
    assert "is of the ruleset high.yaml, which has mistakes: see 'rulerun check high.yaml'" in result.err
    asked = rulerun("replay", "l.jsonl", "--ruleset", HIGH)
    assert asked.code == 1
    assert "did you mean `deck`?" in asked.err
