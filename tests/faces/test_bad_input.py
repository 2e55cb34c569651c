"""What bad input gets: a message that says where and what to do, the exit code of the contract, never a traceback.

A table of rulesets gone wrong, then command lines, logs, saves and streams gone wrong. All run in this process; what
needs a process of its own is in test_contract.py.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from pathlib import Path

import pytest

from rulerun.facts.faults import RulesFault
from rulerun.game import load
from rulerun.source.diagnostic import RulesetError, UsageError
from rulerun.view.log import read_log

HIGH = "high.yaml"
DECK = "- {each: {number: 1..20}}"
PLAY = "    shuffle deck\n"


def spoilt(old: str, new: str) -> str:
    text = Path(HIGH).read_text()
    assert old in text
    return text.replace(old, new, 1)


def play(*statements: str) -> str:
    """The small game with other rules."""
    text = Path(HIGH).read_text()
    start, end = text.index("  play: |\n"), text.index("result:\n")
    body = "".join(f"    {line}\n" for line in statements)
    return (text[:start] + "  play: |\n" + body + text[end:]).replace("state:\n", "state:\n  n: int\n")


RULESETS = {
    "a list that is not closed": (
        lambda: spoilt("[highest score]", "[highest score"),
        "x.yaml:38:9",
        "a `,` or the closing `]` is missing",
        "put a text that holds",
    ),
    "an alias": (lambda: "a: &a [x]\nb: *a\n", "x.yaml:1:4", "an anchor", "write out what is meant"),
    "a merge key": (lambda: "a: 1\n<<: {b: 2}\n", "x.yaml:2:1", "<<", "write"),
    "a tag": (lambda: spoilt("2..4", "!!int 3"), "x.yaml:4:10", "as a tag", "delete it"),
    "a wrong key": (
        lambda: spoilt("seen_by: nobody", "seenby: nobody"),
        "x.yaml:13:22",
        "`seenby` is not known",
        "did you mean `seen_by`?",
    ),
    "a misspelt section": (lambda: spoilt("zones:", "zoens:"), "x.yaml:12:1", "`zoens`", "did you mean `zones`?"),
    "a misspelt zone": (
        lambda: spoilt("shuffle deck", "shuffle dekc"),
        "x.yaml:21:13",
        "no zone named `dekc`",
        "did you mean `deck`?",
    ),
    "a misspelt field": (
        lambda: spoilt(".number", ".numbr"),
        "x.yaml:31:53",
        "no field `numbr`",
        "did you mean `number`?",
    ),
    "a misspelt value": (
        lambda: spoilt("seen_by: nobody", "seen_by: noboddy"),
        "x.yaml:13:31",
        "`noboddy` is not a value",
        "did you mean `nobody`?",
    ),
    "a type fault": (
        lambda: spoilt("leader = random of players", "leader = 3"),
        "x.yaml:24:14",
        "a player is wanted",
        "",
    ),
    "a missing index": (
        lambda: spoilt("move card to table[p]", "move card to table"),
        "x.yaml:30:20",
        "one `table` per player",
        "did you mean `table[p]`?",
    ),
    "a key twice": (
        lambda: spoilt("state:\n", "zones: {}\nstate:\n"),
        "x.yaml:17:1",
        "`zones` stands here a second time",
        "rename one of them or delete it",
    ),
    "a number out of range": (lambda: spoilt("default: 2", "default: 9"), "x.yaml:6:24", "cannot be 9", "from 1 to 5"),
    "a number past all bounds": (
        lambda: spoilt("default: 2", "default: 99999999999999999999"),
        "x.yaml:6:24",
        "99999999999999999999 is out of range",
        "",
    ),
    "a number of another notation": (lambda: spoilt("2..4", "1e999"), "x.yaml:4:10", "`1e999`", "from 1 to 20"),
    "a huge number in rule text": (lambda: play("n = 99999999999999999999"), "x.yaml:22:9", "too large", ""),
    "a later language": (lambda: spoilt("rulerun: 1", "rulerun: 2"), "x.yaml:1:10", "2", "1"),
    "a million copies": (
        lambda: spoilt(DECK, "- {number: 3, copies: 1000000}"),
        "x.yaml:11:27",
        "at most 1,000 cards",
        "",
    ),
    "a product of a million": (
        lambda: spoilt(DECK, "- {each: {number: 1..1000000}}"),
        "x.yaml:11:23",
        "at most 1,000 cards",
        "",
    ),
    "a product past all bounds": (
        lambda: spoilt(DECK, "- {each: {number: 1..2000000000}, copies: 1000000000}"),
        "x.yaml:11:23",
        "at most 1,000 cards",
        "",
    ),
    "a CSV file that is not there": (
        lambda: spoilt(DECK, "- {csv: crads.csv}"),
        "x.yaml:11:13",
        "there is no file crads.csv",
        "did you mean `cards.csv`?",
    ),
    "a CSV file outside": (
        lambda: spoilt(DECK, "- {csv: ../../etc/passwd}"),
        "x.yaml:11:13",
        "in or below the folder of the ruleset",
        "",
    ),
    "a CSV file of a million cells": (
        lambda: spoilt(DECK, "- {csv: wide.csv}"),
        "wide.csv:1:",
        "more than 200 cells",
        "leave out the columns",
    ),
    "a CSV file of too many rows": (
        lambda: spoilt(DECK, "- {csv: long.csv}"),
        "long.csv:2002:1",
        "more than 2,000 rows",
        "use `copies`",
    ),
    "a CSV cell that is no number": (lambda: spoilt(DECK, "- {csv: cards.csv}"), "cards.csv:3:1", "`three`", ""),
    "a loop that nothing ends": (
        lambda: play("repeat:", "  n = 1 - n"),
        "x.yaml:22:5",
        "this never ends",
        "leave it with `stop if",
    ),
    "a fold past all bounds": (
        lambda: play("n = sum(i for i in 1..2000000000)"),
        "x.yaml:22:24",
        "4,000,000,003 steps",
        "let one loop do the work of two",
    ),
    "rules that call each other": (
        lambda: play("one()").replace("result:\n", "  one: two()\n  two: one()\nresult:\n"),
        "x.yaml:23:3",
        "`one` → `two` → `one`",
        "say it with a loop",
    ),
    "functions that call each other": (
        lambda: play("n = f(1)").replace("rules:\n", "functions:\n  f(int a): g(a)\n  g(int a): f(a)\nrules:\n"),
        "x.yaml:21:3",
        "`f` → `g` → `f`",
        "say it with a loop",
    ),
    "a tab in the margin": (
        lambda: spoilt(PLAY, "\tshuffle deck\n"),
        "x.yaml:21:1",
        "with a tab",
        "indent with spaces",
    ),
    "a tab in rule text": (
        lambda: spoilt("      deal", "    \tdeal"),
        "x.yaml:23:5",
        "a tab stands in the indentation",
        "indent with spaces",
    ),
    "a space that does not break": (
        lambda: spoilt("shuffle deck", "shuffle\u00a0deck"),
        "x.yaml:21:12",
        "cannot stand here",
        "write a space",
    ),
    "a letter of another script": (
        lambda: spoilt("shuffle deck", "shuffle d\u0435ck"),
        "x.yaml:21:13",
        "no zone named",
        "did you mean `deck`?",
    ),
    "a mark that turns the text round": (
        lambda: spoilt("shuffle deck", "shuffle \u202edeck"),
        "x.yaml:21:13",
        "U+202E",
        "",
    ),
    "an escape for terminals": (lambda: spoilt("High Card", '"\\e[31mHigh"'), "x.yaml:2:7", "U+001B", ""),
    "brackets without end": (lambda: "[" * 900_000, "x.yaml:1:1001", "too deep", ""),
    "brackets without end in rule text": (
        lambda: play("n = " + "(" * 900_000),
        "x.yaml:22:5",
        "at most 100,000 are read",
        "split it",
    ),
    "brackets in rule text": (lambda: play("n = " + "(" * 900), "x.yaml:22:", "RR0217", ""),
    "entries in entries": (
        lambda: "".join(f"{' ' * i}a:\n" for i in range(900)),
        "x.yaml:31:31",
        "more than 30 deep",
        "",
    ),
    "a hundred thousand keys": (
        lambda: "".join(f"k{i}: 1\n" for i in range(40_000)),
        "x.yaml:15000:9",
        "more than 30,000 values",
        "",
    ),
    "an empty file": (lambda: "", "x.yaml:1:1", "the file is empty", "rulerun: 1"),
    "a list": (lambda: "- a\n", "x.yaml:1:1", "a YAML mapping of sections", "rulerun: 1"),
    "a second document": (
        lambda: spoilt("zones:", "---\nzones:"),
        "x.yaml:12:1",
        "a second document",
        "delete the line",
    ),
    "a file that extends itself": (lambda: "extends: x.yaml\n", "x.yaml:1:10", "extends itself", "take one `extends:`"),
    "a base that is not there": (
        lambda: "extends: hihg.yaml\n",
        "x.yaml:1:10",
        "there is no file hihg.yaml",
        "did you mean `high.yaml`?",
    ),
    "a base outside": (lambda: "extends: ../high.yaml\n", "x.yaml:1:10", "in or below the folder", ""),
    "a base of bytes": (lambda: "extends: bytes.yaml\n", "x.yaml:1:10", "not a text file", ""),
}


@pytest.mark.parametrize("name", RULESETS)
def test_rulesets(rulerun, name: str) -> None:
    make, place, message, way_out = RULESETS[name]
    Path("cards.csv").write_text("number\n1\nthree\n")
    Path("wide.csv").write_text("number," + "a," * 400_000 + "\n")
    Path("long.csv").write_text("number\n" + "3\n" * 3_000)
    Path("bytes.yaml").write_bytes(bytes(range(256)))
    Path("x.yaml").write_text(make(), encoding="utf-8")
    result = rulerun("check", "x.yaml")
    assert result.code == 1, result
    assert result.err == ""
    assert f"--> {place}" in result.out
    assert message in result.out
    assert way_out in result.out
    assert len(result.out) < 20_000
    ran = rulerun("run", "x.yaml", "--seed", "1")
    assert (ran.code, ran.out) == (1, "")
    assert message in ran.err
    assert "Traceback" not in result.out + ran.err
    with pytest.raises(RulesetError):
        load("x.yaml")


FILES = {
    "bytes": (bytes(range(256)), "is not a text file"),
    "UTF-16": ("game: x\n".encode("utf-16"), "save it as UTF-8"),
    "UTF-32": ("game: x\n".encode("utf-32"), "save it as UTF-8"),
    "Latin 1": ("game: Caf\xe9\n".encode("latin-1"), "line 1 holds the byte 0xe9"),
    "half a surrogate": (b"game: \xed\xa0\x80\n", "line 1 holds the byte 0xed"),
    "a zero byte": (b"game: a\x00b\n", "zero bytes"),
    "compressed": (b"\x1f\x8b\x08\x00", "unpack it first"),
    "ten million brackets": (b"[" * 10_000_000, "larger than 1,000,000 bytes"),
    "accents without end": (('game: "a' + "\u0301\u0323" * 200_000 + '"\n').encode(), "more than 30 accents"),
}


@pytest.mark.parametrize("name", FILES)
def test_files_that_are_no_text(rulerun, name: str) -> None:
    content, message = FILES[name]
    Path("x.yaml").write_bytes(content)
    for words in (["check", "x.yaml"], ["run", "x.yaml"], ["sim", "x.yaml"], ["play", "x.yaml"]):
        result = rulerun(*words)
        assert (result.code, result.out) == (2, "")
        assert message in result.err
        assert len(result.err) < 300


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_marks_do_not_matter(rulerun, line_end: str, mark: str) -> None:
    text = Path(HIGH).read_text()
    Path("x.yaml").write_bytes((mark + text.replace("\n", line_end)).encode())
    assert rulerun("check", "x.yaml").out == "x.yaml: ok (High Card, 2-4 players, 1 variant)\n"
    Path("x.yaml").write_bytes((mark + text.replace("shuffle deck", "shuffle dekc").replace("\n", line_end)).encode())
    assert "--> x.yaml:21:13" in rulerun("check", "x.yaml").out


def test_composed_and_decomposed_letters_are_one(rulerun) -> None:
    Path("x.yaml").write_text(spoilt("leader", "le\u0301ader").replace("leader", "l\u00e9ader"), encoding="utf-8")
    assert rulerun("check", "x.yaml").code == 0


ASKED = ("for p in players:", '  p chooses k from 1..2 as "say {k}"')
FAULTS = {
    "a loop that never ends": ((*ASKED, "repeat:", "  n = 1 - n", "  stop if n > 1"), "RR0601", "x.yaml:24:5", "2"),
    "times without end": ((*ASKED, "repeat 1000000000 times:", "  n = 1 - n"), "RR0601", "x.yaml:24:5", "2"),
    "times in times": (
        (*ASKED, "repeat 90000 times:", "  repeat 90000 times:", "    n = 1 - n"),
        "RR0601",
        "x.yaml:25:7",
        "2",
    ),
    "a range without end": ((*ASKED, "for i in 1..2000000000:", "  n = i"), "RR0601", "x.yaml:24:5", "2"),
    "a choice without options": (
        (*ASKED, "for p in players:", '  p chooses c from hand[p] as "play {c}"', "  move c to table[p]"),
        "RR0607",
        "x.yaml:25:7",
        "2",
    ),
    "a million options": (
        (*ASKED, "for p in players:", '  p chooses i from 1..1000000 as "say {i}"'),
        "RR0608",
        "x.yaml:25:17",
        "2",
    ),
    "division by zero": ((*ASKED, "n = 5 // n"), "RR0603", "x.yaml:24:9", "2"),
    "overflow": ((*ASKED, "n = 2000000000", "n = n + n"), "RR0602", "x.yaml:25:9", "2"),
    "nothing on a pile": ((*ASKED, "for p in players:", "  move top of won[p] to deck"), "RR0606", "x.yaml:25:12", "2"),
}


@pytest.mark.long
@pytest.mark.parametrize("name", FAULTS)
def test_faults_during_play_name_line_seed_and_choices(rulerun, name: str) -> None:
    statements, code, place, choices = FAULTS[name]
    Path("x.yaml").write_text(play(*statements))
    ran = rulerun("run", "x.yaml", "--seed", "5")
    told = [f"error[{code}]: ", f"  --> {place}\n", "  help: ", "  seed: 5\n", "  choices (option numbers): "]
    assert ran.code == 1
    for part in told:
        assert part in ran.err
    assert "again: rulerun run x.yaml --players 2 --seed 5" in ran.out
    if code == "RR0601" and name != "a loop that never ends":
        return  # these use up all fuel each time
    played = rulerun("play", "x.yaml", "--seed", "5", "--seat", "1", "--seat", "2", stdin="2\n1\n")
    assert played.code == 1
    for part in told:
        assert part in played.err
    assert "  choices (option numbers): 2 1\n" in played.err
    simulated = rulerun("sim", "x.yaml", "-n", "3", "--seed", "5")
    assert simulated.code == 1
    assert f"x.yaml:{place.split(':', 1)[1]}: {code}" in simulated.out + simulated.err
    assert (
        f"after {choices} decisions; to see it: rulerun run x.yaml --players 2 --seed " in simulated.out + simulated.err
    )
    state = load("x.yaml").new(5)
    state.choose(1)
    with pytest.raises(RulesFault) as caught:
        state.choose(0)
    assert (caught.value.code, str(caught.value.origin), caught.value.seed) == (code, place, 5)
    assert caught.value.choices == (1, 0)
    assert len(state) == 1
    assert state.options[0].label == "say 1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--set", "hand_sise=3"], "did you mean `hand_size`?"),
        (["--set", "hand_size=9"], "it goes from 1 to 5"),
        (["--set", "hand_size=lots"], "nothing is called `lots`"),
        (["--set", "hand_size="], "the value is missing"),
        (["--set", "=3"], "write the option's name"),
        (["--set", "hand_size=" + "9" * 5000], "too large"),
        (["--set", "hand_size=[1,2"], "this '[' is not closed"),
        (["--with", "lnog"], "did you mean `long`?"),
        (["--with", ""], "there is no variant ``"),
        (["--players", "0"], "is for 2 to 4 players, not 0"),
        (["--players", "9" * 30], "is for 2 to 4 players, not 9"),
        (["--players", "two"], "not a valid integer"),
    ],
)
@pytest.mark.parametrize("command", ["run", "sim", "play", "check"])
def test_settings(rulerun, command: str, words: list[str], message: str) -> None:
    result = rulerun(command, HIGH, *words)
    assert result.code == 2
    assert message in result.out + result.err
    assert "high card" not in result.out.lower()


@pytest.mark.parametrize("command", ["run", "sim", "play", "check", "test"])
def test_a_ruleset_may_not_be_named_without_its_ending_but_is_found(rulerun, command: str) -> None:
    result = rulerun(command, HIGH.removesuffix(".yaml").upper())
    assert result.code == 2
    assert f"; did you mean '{HIGH}'?" in result.err


def logged(rulerun) -> str:
    assert rulerun("run", HIGH, "--seed", "1", "--log", "l.jsonl").code == 0
    return Path("l.jsonl").read_text()


DAMAGED = {
    "half": (lambda t: t[: t.index('"key"') + 3], "is cut off in line 2: remove that line to play what is left"),
    "nothing": (lambda _: "", "is empty: a log begins with"),
    "a ruleset": (lambda _: Path(HIGH).read_text(), "line 1 is damaged: it is not a JSON object"),
    "a list": (lambda _: "[1, 2]\n", "line 1 is damaged: it is not a JSON object"),
    "an object": (lambda _: "{}\n", "is not a log of rulerun"),
    "a later version": (lambda t: t.replace('"rulerun_log": 2', '"rulerun_log": 3'), "is a log of version 3"),
    "brackets": (lambda _: "[" * 200_000 + "\n", "line 1 is damaged"),
    "a seed too large": (lambda t: t.replace('"seed": 1', '"seed": 99999999999999999999'), '"seed" is too large'),
    "no seed": (lambda t: t.replace('"seed"', '"sead"'), 'line 1 is damaged: "seed" is missing'),
    "a truth for a seed": (lambda t: t.replace('"seed": 1', '"seed": true'), 'line 1 is damaged: "seed" is missing'),
    "players": (lambda t: t.replace('"players": 2', '"players": 9'), "is for 2 to 4 players, not 9"),
    "options": (lambda t: t.replace('"options": {}', '"options": {"hnad": 1}'), "there is no option `hnad`"),
    "another order": (lambda t: "".join(swap(t.splitlines(keepends=True))), "choice 1 of this log does not fit"),
    "a choice twice": (lambda t: "".join(double(t.splitlines(keepends=True))), "choice 3 of this log does not fit"),
    "another result": (lambda t: t.replace('"scores": [2, 2]', '"scores": [4, 0]'), "its result is not that of its"),
    "more after the end": (lambda t: t + t, "nothing may follow the result"),
    "a ruleset that is gone": (lambda t: t.replace("high.yaml", "gone.yaml"), "--ruleset FILE"),
    "larger than any": (lambda _: "x" * 20_000_001, "larger than 20,000,000 bytes"),
}


def swap(lines: list[str]) -> list[str]:
    return [lines[0], lines[2], lines[1], *lines[3:]]


def double(lines: list[str]) -> list[str]:
    return [*lines[:3], lines[2], *lines[3:]]


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_logs(rulerun, name: str) -> None:
    spoil, message = DAMAGED[name]
    text = spoil(logged(rulerun))
    Path("x.jsonl").write_text(text)
    for words in (["replay", "x.jsonl"], ["play", "--resume", "x.jsonl"]):
        result = rulerun(*words)
        assert (result.code, result.out) == (2, "")
        assert message in result.err
        assert "this is a bug" not in result.err
    assert Path("x.jsonl").read_text() == text


def test_a_log_of_another_ruleset(rulerun) -> None:
    logged(rulerun)
    Path("x.yaml").write_text(spoilt("1..20", "1..21"))
    for ruleset in ("x.yaml", "cucumber"):
        result = rulerun("replay", "l.jsonl", "--ruleset", ruleset)
        assert result.code == 2
    result = rulerun("replay", "l.jsonl", "--ruleset", "x.yaml")
    assert "this log of High Card was written for another ruleset, options or variants" in result.err


def test_a_log_without_its_last_line_end_is_whole(rulerun) -> None:
    text = logged(rulerun)
    assert read_log(text.rstrip("\n")) == read_log(text)
    assert read_log(text.replace("\n", "\r\n")) == read_log(text)


def test_saves_of_another_ruleset_or_cut_in_half(tmp_path: Path, rulerun) -> None:
    del rulerun
    state = load(HIGH).new(3)
    state.choose(0)
    data = state.to_bytes()
    assert load(HIGH).restore(data).vector == state.vector
    Path("x.yaml").write_text(spoilt("1..20", "1..21"))
    with pytest.raises(UsageError, match="ruleset"):
        load("x.yaml").restore(data)
    for wrong in (b"", data[: len(data) // 2], data[:-1], data + b"x", data[:50] + b"?" + data[51:], b"\xff" * 400):
        with pytest.raises(UsageError):
            load(HIGH).restore(wrong)
    assert tmp_path.is_dir()


def test_a_save_is_written_whole_or_not_at_all(rulerun, monkeypatch: pytest.MonkeyPatch) -> None:
    before = logged(rulerun)

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = rulerun("run", HIGH, "--seed", "2", "--log", "l.jsonl")
    assert result.code == 2
    assert "cannot write l.jsonl: No space left on device" in result.err
    assert Path("l.jsonl").read_text() == before
    assert [p.name for p in Path().iterdir() if p.name.endswith(".tmp")] == []


def test_a_log_never_takes_the_place_of_a_folder_or_device(rulerun) -> None:
    Path("folder").mkdir()
    assert "it is a folder" in rulerun("run", HIGH, "--seed", "1", "--log", "folder").err
    os.mkfifo("pipe")
    assert "it is a device" in rulerun("run", HIGH, "--seed", "1", "--log", "pipe").err
    assert stat.S_ISFIFO(os.stat("pipe").st_mode)
    assert "cannot write no/where.jsonl" in rulerun("run", HIGH, "--seed", "1", "--log", "no/where.jsonl").err


def test_a_file_of_tests_is_no_ruleset(rulerun) -> None:
    Path("high.test.yaml").write_text("tests: {}\n")
    result = rulerun("check", "high.test.yaml")
    assert (result.code, result.out) == (2, "")
    assert "high.test.yaml is a file of tests: use 'rulerun test high.test.yaml'" in result.err


def test_closed_streams(rulerun, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service may start without any stream open: Python then has None for them."""
    from rulerun.faces.cli import call

    del rulerun
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    assert call(["run", HIGH, "--seed", "1"]) == 0
    assert call(["check", "-"]) == 1
    assert call(["nonsense"]) == 2
    for name in ("stdin", "stdout", "stderr"):
        getattr(sys, name).close()


def test_a_full_disk_behind_stdout(rulerun, monkeypatch: pytest.MonkeyPatch) -> None:
    import click

    echo = click.echo

    def full(message: str, *, err: bool = False, **words: object) -> None:
        if not err:
            raise OSError(28, "No space left on device")
        echo(message, err=True, **words)

    monkeypatch.setattr(click, "echo", full)
    result = rulerun("schema")
    assert (result.code, result.out) == (2, "")
    assert result.err == "error: the output cannot be written: No space left on device\n"


def test_a_name_longer_than_any_file_is_refused(rulerun) -> None:
    for length in (300, 5_000):
        result = rulerun("run", "y" * length)
        assert (result.code, result.out) == (2, "")
        assert result.err.startswith("error: there is no file")


def test_a_log_of_a_ruleset_that_was_reworded_fits(rulerun) -> None:
    logged(rulerun)
    Path("x.yaml").write_text("# the same game\n" + spoilt('as "play {card}"', 'as "put {card} down"'))
    result = rulerun("replay", "l.jsonl", "--ruleset", "x.yaml")
    assert (result.code, result.err) == (0, "")


def test_a_log_of_other_rules_is_carried_over_as_far_as_it_fits(rulerun) -> None:
    logged(rulerun)
    Path("x.yaml").write_text(spoilt("1..20", "1..21"))
    refused = rulerun("replay", "l.jsonl", "--ruleset", "x.yaml")
    assert refused.code == 2
    assert "--carry-over or Game.carry_over plays what still fits" in refused.err
    told = rulerun("replay", "l.jsonl", "--ruleset", "x.yaml", "--carry-over")
    assert told.code == 0
    said = r"l\.jsonl: [0-3] of 4 choices fit; the next does not: no option has the key 's\S+'\n"
    assert re.fullmatch(said, told.err)
    assert "again: rulerun replay l.jsonl --ruleset x.yaml --carry-over" in told.out
    played = rulerun("play", "--resume", "l.jsonl", "x.yaml", "--carry-over", stdin="quit\n")
    assert played.code == 0
    assert played.err == told.err
    assert "resumed after " in played.out
    assert rulerun("replay", "l.jsonl", "--carry-over").err == ""
    alone = rulerun("play", HIGH, "--carry-over")
    assert (alone.code, alone.out) == (2, "")
    assert "--carry-over goes with --resume" in alone.err
