"""The contract of the command line: exit codes, which stream says what, colour, suggestions, bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rulerun.faces import cli

pytestmark = pytest.mark.usefixtures("shared_cache")


def test_help_names_every_command_and_imports_none(rulerun) -> None:
    result = rulerun("--help")
    assert result.code == 0
    assert result.err == ""
    for name in cli.COMMANDS:
        assert f"\n  {name} " in result.out


def test_every_command_has_the_help_line_that_the_overview_tells() -> None:
    for name, (_, about) in cli.COMMANDS.items():
        command = cli.commands.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        assert command.help is not None
        first = " ".join(command.help.split("\n\n")[0].split())
        assert first.casefold().startswith(about.rstrip(".").casefold()), name


def test_no_arguments_show_the_help(rulerun) -> None:
    result = rulerun()
    assert result.code == 0
    assert "Commands:" in result.out


def test_help_as_a_word(rulerun) -> None:
    assert "Play many games" in rulerun("help", "sim").out
    assert "Commands:" in rulerun("help").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["chek"], "there is no command (and no ruleset) 'chek'; did you mean 'check'?"),
        (["cactsu"], "did you mean 'cactus'?"),
        (["hihg.yaml"], "there is no file 'hihg.yaml'; did you mean 'high.yaml'?"),
        (["check", "nowhere/x.yaml"], "there is no file nowhere/x.yaml (there is no folder nowhere)"),
        (["check", "skat/pbu"], "there is no file and no ruleset 'skat/pbu'; did you mean 'skat/pub'?"),
        (["sim", "high.yaml", "--gams", "3"], "did you mean '--games'?"),
        (["run", "high.yaml", "--set", "hand_size"], "--set hand_size: write the option's name, '=' and its value"),
        (["run", "high.yaml", "--seed", "-1"], "a seed is a whole number from 0 to"),
        (["run", "high.yaml", "--players", "many"], "'many' is not a valid integer"),
        (["run", "high.yaml", "--players", "7"], "High Card is for 2 to 4 players, not 7"),
        (["check", "high.yaml", "--players", "1"], "High Card is for 2 to 4 players, not 1"),
        (["play", "high.yaml", "--seat", "3"], "--seat 3: there are the seats 1 to 2"),
        (["play"], "name a ruleset"),
        (["run"], "missing argument 'FILE'"),
        (["check"], "missing argument 'FILES...'"),
        (["explain", "RR9999"], "there is no code RR9999"),
        (["test", "-"], "tests are read from files"),
        (["test", "high.yaml"], "there are no tests beside high.yaml"),
        (["replay", "nothing.jsonl"], "cannot read nothing.jsonl"),
        (["play", "--resume", "high.yaml"], "high.yaml"),
        (["play", "--resume", "x", "--players", "3"], "a saved game brings its own players"),
    ],
)
def test_wrong_usage_is_told_on_stderr_with_exit_code_2(rulerun, words: list[str], message: str) -> None:
    result = rulerun(*words)
    assert result.code == 2, result
    assert result.out == ""
    assert result.err.startswith("error: ")
    assert message.lower() in result.err.lower()
    assert "Traceback" not in result.err


def bomb() -> bytes:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    for left, right in zip("abcdefgh", "bcdefghi", strict=True):
        lines.append(f"{right}: &{right} [{', '.join([f'*{left}'] * 9)}]")
    return "\n".join(lines).encode()


@pytest.mark.parametrize(
    ("content", "code", "message"),
    [
        (b"", 1, "the file is empty"),
        (bomb(), 1, "an anchor"),
        (b"\x00\x01\x02\xff", 2, "not a text file"),
        (b"\xff\xfea\x00", 2, "UTF-16"),
        (b"[" * 10_000_000, 2, "larger than"),
        (b"[" * 500_000, 1, "RR01"),
        (b"- a\n- b\n", 1, "mapping"),
        (b"rulerun: 1\ngame: X\ngame: Y\n", 1, "second time"),
        (b"a: [1, 2\n", 1, "RR01"),
        (b"game: \xe9\n", 2, "UTF-8"),
    ],
)
def test_bad_files_get_a_message_and_no_traceback(rulerun, content: bytes, code: int, message: str) -> None:
    Path("bad.yaml").write_bytes(content)
    for command in ("check", "run"):
        result = rulerun(command, "bad.yaml")
        assert result.code == code, result.err[:500]
        said = result.out + result.err
        assert message in said
        assert "Traceback" not in said
        assert len(said) < 5000


def test_a_directory_is_no_ruleset(rulerun) -> None:
    Path("folder").mkdir()
    result = rulerun("check", "folder")
    assert result.code == 2
    assert "folder is a directory" in result.err


def test_a_bug_of_ours_asks_for_a_report_and_shows_no_traceback(rulerun, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_name: str) -> object:
        raise ZeroDivisionError("oh\nno")

    monkeypatch.setattr("rulerun.source.files.read_source", broken)
    result = rulerun("check", "high.yaml")
    assert result.code == 3
    assert f"this is a bug in rulerun {cli.version()}, please report it: ZeroDivisionError: oh no" in result.err
    assert "Traceback" not in result.err
    monkeypatch.setenv("RULERUN_DEBUG", "1")
    assert "Traceback" in rulerun("check", "high.yaml").err


def test_an_interruption_ends_with_130(rulerun, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_name: str) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr("rulerun.source.files.read_source", interrupted)
    result = rulerun("check", "high.yaml")
    assert result.code == 130
    assert result.err.strip() == "interrupted"


def test_explain_tells_a_code_with_both_examples(rulerun) -> None:
    result = rulerun("explain", "rr0104")
    assert result.code == 0
    assert "RR0104" in result.out
    assert "Not so:" in result.out
    assert json.loads(rulerun("explain", "104", "--json").out)["code"] == "RR0104"
    everything = rulerun("explain").out.splitlines()
    assert len(everything) > 50
    assert everything == sorted(everything)


def test_schema_is_json(rulerun) -> None:
    schema = json.loads(rulerun("schema").out)
    assert schema["$schema"].startswith("http://json-schema.org/draft-07")


def test_list_tells_players_and_variants(rulerun) -> None:
    listed = json.loads(rulerun("list", "--json").out)
    assert listed["schema_version"] == 1
    names = [entry["name"] for entry in listed["rulesets"]]
    assert names == sorted(names)
    assert {"ouch", "cactus", "cucumber"} <= set(names)
    high = rulerun("list", "high.yaml").out.splitlines()
    assert high == [
        "high.yaml  High Card, 2-4 players",
        "  The higher card takes the trick.",
        "  --with long        five tricks",
        "  --set hand_size=2  cards dealt to each player (1..5)",
    ]


def test_another_form_of_a_game_is_named_behind_it(rulerun) -> None:
    about = "A game may be doubled by kontra and re, and when all pass, everybody plays for taking little."
    assert f"  skat/pub            {about}" in rulerun("list", "skat").out.splitlines()
    assert rulerun("list", "skat/pub").out.splitlines()[:2] == ["skat/pub  Pub Skat, 3-4 players", f"  {about}"]
    (skat,) = json.loads(rulerun("list", "skat", "--json").out)["rulesets"]
    assert [(form["name"], form["game"]) for form in skat["forms"]] == [("skat/pub", "Pub Skat")]
    assert rulerun("check", "skat/pub").out == "pub.yaml: ok (Pub Skat, 3-4 players)\n"


def test_list_tells_the_words_that_an_option_can_be(rulerun, tmp_path) -> None:
    text = Path("high.yaml").read_text(encoding="utf-8").replace(
        "cards:\n",
        "  way: {one_of: [left, right], default: left, about: which}\n  size: {type: Size, default: big}\n"
        "types: {Size: {ordered: [small, big]}}\ncards:\n",
        1,
    )
    (tmp_path / "ways.yaml").write_text(text, encoding="utf-8")
    told = rulerun("list", "ways.yaml").out.splitlines()
    assert told[-2:] == ["  --set way=left     which (left, right)", "  --set size=big     (small, big)"]
    (listed,) = json.loads(rulerun("list", "ways.yaml", "--json").out)["rulesets"]
    assert [option["one_of"] for option in listed["options"]] == [None, ["left", "right"], ["small", "big"]]


@pytest.mark.parametrize("setting", ["1", "yes"])
def test_no_colour_against_the_wish_of_no_color(rulerun, monkeypatch: pytest.MonkeyPatch, setting: str) -> None:
    assert "\x1b[" in rulerun("list", terminal=True).out
    monkeypatch.setenv("NO_COLOR", setting)
    assert "\x1b[" not in rulerun("list", terminal=True).out


def test_no_colour_off_a_terminal(rulerun) -> None:
    assert "\x1b[" not in rulerun("list").out


def process(*words: str, stdin: str = "", **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **settings}
    return subprocess.run(
        [sys.executable, "-m", "rulerun.faces", *words],
        input=stdin,
        capture_output=True,
        text=True,
        env=environment,
        timeout=60,
        check=False,
    )


def test_a_whole_process_keeps_the_streams_apart() -> None:
    good = process("list", "--json")
    assert (good.returncode, good.stderr) == (0, "")
    assert json.loads(good.stdout)["schema_version"] == 1
    bad = process("check", "-", stdin="")
    assert bad.returncode == 1
    assert "empty" in bad.stdout
    assert bad.stderr == ""
    assert process("nonsense").returncode == 2


def test_a_reader_that_leaves_is_no_error() -> None:
    writer = subprocess.Popen(
        [sys.executable, "-m", "rulerun.faces", "explain"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )
    assert writer.stdout is not None
    assert writer.stderr is not None
    writer.stdout.close()
    assert writer.stderr.read() == b""
    writer.stderr.close()
    assert writer.wait(30) in (0, cli.PIPE_CLOSED)


def test_help_imports_neither_the_compiler_nor_rich() -> None:
    script = (
        "import sys; from rulerun.faces.cli import call; call(['--help']); "
        "print([m for m in ('yaml', 'lark', 'rich', 'jsonschema', 'rulerun.check', 'rulerun.run') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("words", [["check", "ouch"], ["list"], ["schema"], ["explain", "RR0203"]])
def test_what_must_answer_at_once_does_not_import_rich(words: list[str]) -> None:
    script = (
        f"import sys; from rulerun.faces.cli import call; call({words!r}); "
        "print([m for m in sys.modules if m.split('.')[0] == 'rich'])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_explain_tells_all_codes_at_once(rulerun) -> None:
    page = rulerun("explain", "--all", "--markdown").out
    assert page.startswith("# Diagnostics\n")
    assert page.count("\n### RR") == len(rulerun("explain").out.splitlines())
    assert rulerun("explain", "RR0104", "--markdown").out.strip() in page
    assert rulerun("explain", "--markdown").out.startswith("* RR0101: ")
    plain = rulerun("explain", "--all").out
    assert rulerun("explain", "RR0104").out.strip() in plain
    everything = json.loads(rulerun("explain", "--all", "--json").out)["codes"]
    assert everything["RR0104"]["code"] == "RR0104"
    for words in (["RR0104", "--all"], ["--json", "--markdown"]):
        assert rulerun("explain", *words).code == 2
