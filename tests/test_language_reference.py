"""Every example of `docs/language.md` is run. What a fenced block is, its first words say.

* ``yaml ruleset``: a whole ruleset; it is checked and played for every number of players.
* ``yaml extends``: a file that changes a shipped game; it is checked and played.
* ``yaml host``: the small game that the other examples are parts of.
* ``yaml part``: sections laid over the host; checked and played. ``with NAME`` lays on a variant.
* ``rules``: rule text, the turn of a player of the host; checked and played.
* ``error CODE`` behind ``yaml part`` or ``rules``: exactly this code is found.
* ``console``, ``text``: not run.

``EXPRESSION  # => VALUE`` on a line of rule text, and ``# EXPRESSION => VALUE`` on a line of a part, say what a value
is; ``# offers: A | B`` says what the next choice offers.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

import rulerun
from rulerun.source.diagnostic import RulesetError, Severity
from rulerun.source.render import render

PAGE = Path(__file__).parent.parent / "docs" / "language.md"
PLAYERS = 3


@dataclass(frozen=True)
class Block:
    """A fenced block: the words behind its fence, its line in the page, its text."""

    words: tuple[str, ...]
    line: int
    text: str

    @property
    def id(self) -> str:
        return f"line {self.line}: {' '.join(self.words)}"

    @property
    def error(self) -> str | None:
        return self.words[self.words.index("error") + 1] if "error" in self.words else None

    @property
    def variants(self) -> list[str]:
        return [" ".join(self.words[self.words.index("with") + 1 :])] if "with" in self.words else []


def blocks() -> list[Block]:
    """The blocks of the page."""
    result: list[Block] = []
    words: tuple[str, ...] | None = None
    lines: list[str] = []
    start = 0
    for number, line in enumerate(PAGE.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            if words is None:
                words, lines, start = tuple(line[3:].split()), [], number
            else:
                result.append(Block(words, start, "\n".join(lines) + "\n"))
                words = None
        elif words is not None:
            lines.append(line)
    assert words is None, "a block is not closed"
    return result


BLOCKS = blocks()
HOST = next(block.text for block in BLOCKS if block.words == ("yaml", "host"))
RUN = [block for block in BLOCKS if block.words[0] not in ("console", "text")]


def sections(text: str) -> dict[str, str]:
    """Top-level sections of a YAML text by name, with their text."""
    result: dict[str, str] = {}
    name = ""
    for line in text.splitlines(keepends=True):
        head = re.match(r"([a-z]\w*):", line)
        if head:
            name = head.group(1)
            result[name] = ""
        result[name] = result.get(name, "") + line
    return {key: value for key, value in result.items() if key}


def entries(section: str) -> dict[str, str]:
    """The entries of a section, by the name that leads each."""
    result: dict[str, str] = {}
    name = ""
    for line in section.splitlines(keepends=True)[1:]:
        head = re.match(r"  (\S[^(:]*)", line)
        if head and not line.lstrip().startswith("#"):
            name = head.group(1)
            result[name] = ""
        if name:
            result[name] += line
    return result


def laid_over(host: str, part: str) -> str:
    """The host with the sections of a part: entries of the same name are replaced, others added."""
    whole = sections(host)
    for name, text in sections(part).items():
        nested = name in ("options", "types", "zones", "state", "tables", "functions", "rules", "events", "triggers")
        if name in whole and nested:
            text = f"{name}:\n" + "".join({**entries(whole[name]), **entries(text)}.values())
        whole[name] = text if text.endswith("\n") else text + "\n"
    return "".join(whole.values())


def in_turn(text: str) -> str:
    """A part whose turn is a piece of rule text, with the values to be told as notes."""
    told = re.sub(r"(?m)^( *)(\S.*?) +# => .*$", r'\1note "=> {\2}"', text)
    return "rules:\n  turn(Player me): |\n" + re.sub(r"(?m)^(?=.)", "    ", told)


def promised(block: Block) -> list[str]:
    """The values that a block promises, in order."""
    return re.findall(r"=> (.*)$", block.text, re.MULTILINE)


def ruleset(block: Block) -> str:
    """The whole ruleset that a block stands for."""
    if block.words[:2] in (("yaml", "ruleset"), ("yaml", "host"), ("yaml", "extends")):
        return block.text
    if block.words[0] == "rules":
        return laid_over(HOST, in_turn(block.text))
    assert block.words[:2] == ("yaml", "part"), block.id
    asked = re.findall(r"^ *# (.*) => .*$", block.text, re.MULTILINE)
    whole = laid_over(HOST, block.text)
    return laid_over(whole, in_turn("".join(f"{text}  # => \n" for text in asked))) if asked else whole


def play(text: str, players: int, variants: list[str], seed: int = 1) -> tuple[list[str], list[list[str]]]:
    """One game by random choices: the story, and the labels offered at each choice."""
    try:
        game = rulerun.load(text, players=players, variants=variants)
    except RulesetError as error:
        pytest.fail(render(error.diagnostics, "full") + text)
    state = game.new(seed)
    chance = random.Random(seed)
    offered = []
    while not state.is_over:
        offered.append([option.label for option in state.options])
        state.choose(chance.randrange(len(state.options)))
        assert len(offered) < 2000
    assert state.winners or "won:" in text
    return state.story(), offered


def codes(text: str, variants: list[str], players: int) -> set[str]:
    try:
        rulerun.load(text, players=players, variants=variants)
    except RulesetError as error:
        return {d.code for d in error.diagnostics if d.severity is Severity.ERROR}
    return set()


@pytest.mark.parametrize("block", RUN, ids=lambda block: block.id)
def test_example(block: Block) -> None:
    text = ruleset(block)
    alone = re.search(r"(?m)^players: (\d)$", text)
    table = int(alone[1]) if alone else PLAYERS
    if block.error:
        assert codes(text, block.variants, table) == {block.error}
        return
    seats = re.search(r"(?m)^players: (\d)\.\.(\d)$", text)
    whole = block.words[1:2] in (("ruleset",), ("host",))
    for players in range(int(seats[1]), int(seats[2]) + 1) if whole and seats else [table]:
        story, offered = play(text, players, block.variants)
    told = [line.removeprefix("=> ").removesuffix(".") for line in story if line.startswith("=> ")]
    assert told == promised(block)
    for wanted in re.findall(r"# offers: (.*)$", block.text, re.MULTILINE):
        assert wanted.split(" | ") in offered


def test_the_page_holds_examples_of_every_sort() -> None:
    sorts = {block.words[:2] if block.words[0] == "yaml" else block.words[:1] for block in BLOCKS}
    assert sorts >= {("yaml", "ruleset"), ("yaml", "host"), ("yaml", "part"), ("rules",)}
    assert sum(len(promised(block)) for block in RUN) > 40
    assert sum(block.error is not None for block in RUN) > 10
