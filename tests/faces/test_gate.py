"""What reaches a terminal: no control, no mark that turns words round, nothing of no width; and pipes get all of it."""

from __future__ import annotations

import json
import re
import secrets
from pathlib import Path

import pytest

from rulerun.faces.loading import MAX_SEED, chosen_seed
from rulerun.game import load

HIGH = "high.yaml"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
CLEAR = "\x1b[2J\x1b[3J\x1b[H"
TRICKS = "\u202eevil\u202c \u2066x\u2069 a\u200bb \u200ex \ufeffy so\u00adft \U000e0041"
"""What a ruleset may hold: YAML takes it for text."""
CONTROLS = "\x1b]0;pwned\x07\x1b[2J\x1b[8m\x1b[31m\r\x9b1m\x08\x7f"


@pytest.fixture
def sly(rulerun) -> str:  # noqa: ARG001 - the folder of the command line
    """A game whose every name and text holds what is not seen."""
    text = Path(HIGH).read_text()
    for old, new in (
        ("game: High Card", f'game: "High{TRICKS}"'),
        ("about: The higher", f"about: {TRICKS}The higher"),
        ('name: "{number}"', f'name: "{TRICKS}{{number}}"'),
        ('"play {card}"', f'"play{TRICKS} {{card}}"'),
        ("about: five tricks", f'about: "five{TRICKS}"'),
        ("shuffle deck", f'shuffle deck\n    note "so{TRICKS}"'),
    ):
        assert old in text
        text = text.replace(old, new, 1)
    Path("sly.yaml").write_text(text.replace(TRICKS, TRICKS.replace("\ufeff", "")), encoding="utf-8")
    return "sly.yaml"


def plain(text: str) -> str:
    """The text without colours; nothing that is not seen may be left."""
    rest = COLOUR.sub("", text.replace(CLEAR, ""))
    hidden = {hex(ord(c)) for c in rest if c not in "\n" and not c.isprintable()}
    assert not hidden, (hidden, rest[-300:])
    return rest


def test_a_ruleset_shows_a_terminal_nothing_that_is_not_seen(rulerun, sly: str) -> None:
    Path("sly.test.yaml").write_text(  # a test that fails, so that its words are told
        f'tests:\n  "a{TRICKS[:6]}": {{seed: 1, expect: {{asked: P9}}}}\n', encoding="utf-8"
    )
    for words in (
        ["run", sly, "--seed", "1"],
        ["run", sly, "--seed", "1", "--trace"],
        ["run", sly, "--seed", "1", "--json"],
        ["sim", sly, "-n", "3", "--seed", "1"],
        ["check", sly],
        ["list", sly],
        ["ir", sly],
        ["test", sly],
    ):
        result = rulerun(*words, terminal=True)
        assert "this is a bug" not in result.err
        bar = words[0] == "sim"  # our own, on stderr
        assert "\\u202e" in plain(result.out + ("" if bar else result.err)), words
    played = rulerun("play", sly, "--seat", "all", "--seed", "1", stdin="\n1\nstory\nview\nxx\n\n1\n", terminal=True)
    assert played.out.count(CLEAR) >= 2
    assert plain(played.out + played.err).count("\\u202eevil") > 5


def test_json_is_the_same_document_on_a_terminal(rulerun, sly: str) -> None:
    words = ["run", sly, "--seed", "1", "--json"]
    piped, shown = rulerun(*words), rulerun(*words, terminal=True)
    assert "\u202eevil" in piped.out
    assert json.loads(piped.out) == json.loads(shown.out)
    assert piped.out != shown.out


def test_a_foreign_log_shows_a_terminal_nothing_that_it_would_obey(rulerun) -> None:
    head, *rest = load(HIGH).new(1).log().splitlines(keepends=True)
    nasty = CONTROLS + TRICKS
    for field, value in (
        ("ruleset", nasty),
        ("ruleset", nasty + ".yaml"),
        ("game", nasty),
        ("variants", [nasty]),
        ("options", {nasty: nasty}),
        ("identity", nasty),
        ("rulerun_log", nasty),
    ):
        Path("l.jsonl").write_text(json.dumps(json.loads(head) | {field: value}) + "\n" + "".join(rest))
        for words in (["replay", "l.jsonl"], ["play", "--resume", "l.jsonl"], ["replay", "l.jsonl", "--carry-over"]):
            result = rulerun(*words, terminal=True)
            plain(result.out + result.err)
            assert "\x1b[31m" not in result.err  # a colour that is not ours
    log = load(HIGH).new(1).log() + json.dumps({"seat": 1, "key": nasty, "label": nasty}) + "\n"
    Path("l.jsonl").write_text(log)
    for words in (["replay", "l.jsonl"], ["replay", "l.jsonl", "--carry-over"]):
        plain("".join(rulerun(*words, terminal=True).err))


@pytest.mark.parametrize("command", ["run", "sim", "check", "test", "replay", "play", "ir", "list"])
def test_names_on_the_command_line_are_no_controls(rulerun, command: str) -> None:
    for words in ([CONTROLS + TRICKS], [HIGH, "--with", CONTROLS], [HIGH, "--set", CONTROLS + "=1"], [HIGH, CONTROLS]):
        result = rulerun(command, *words, terminal=True)
        assert result.code in (1, 2)
        plain(result.out + result.err)
        assert "\x1b[31m\r" not in result.err


def test_our_own_colours_reach_the_terminal(rulerun) -> None:
    assert "\x1b[32mok\x1b[0m" in rulerun("check", HIGH, terminal=True).out
    Path("x.yaml").write_text(Path(HIGH).read_text().replace("shuffle deck", "shuffle dekc"))
    assert "\x1b[1;31merror[RR0401]\x1b[0m" in rulerun("check", "x.yaml", terminal=True).out


def test_fresh_seeds_have_as_many_bits_as_a_seed_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def below(most: int) -> int:
        asked.append(most)
        return most - 1

    monkeypatch.setattr(secrets, "randbelow", below)
    assert chosen_seed(None) == MAX_SEED == 2**63 - 1
    assert asked == [2**63]
    assert chosen_seed(7) == 7
