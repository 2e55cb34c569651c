"""The pages on games and limits say what is so."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import rulerun
from rulerun import RulesetError
from rulerun.play.conformance import CHANCE, EXCHANGE, STEPS, VARIETY
from rulerun.play.invariants import INVARIANTS
from rulerun.source.shipped import shipped_names

pytestmark = pytest.mark.usefixtures("shared_cache")

ROOT = Path(__file__).parents[2]
QUICK = ("agram", "cuckoo", "kuhn", "leduc", "ouch", "snap")
GAME = """rulerun: 1
game: Small
players: 2
cards:
  face: {number: int}
  name: "{number}"
  deck:
    - {each: {number: 1..12}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  table: {kind: row, seen_by: everyone}
rules:
  play: |
    shuffle deck
    for p in players:
      deal 3 from deck to hand[p]
      p chooses card from hand[p]
      move card to table
result:
  score(Player p): |
    count(hand[p])
  winner: [highest score]
"""


@pytest.fixture(scope="module")
def table() -> ModuleType:
    """The script that makes the page."""
    path = ROOT / "benchmarks" / "games_table.py"
    spec = importlib.util.spec_from_file_location("games_table", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["games_table"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.long
def test_the_table_of_games_is_up_to_date(table: ModuleType) -> None:
    """All but the speeds; figures of some games, of all with RULERUN_DEEP."""
    rows = table.read_table(table.PAGE.read_text(encoding="utf-8"))
    assert list(rows) == list(shipped_names()), "run: python benchmarks/games_table.py --keep-speed"
    for name, row in rows.items():
        settled = table.settled(name)
        figures = (row[5], row[6])
        if name in QUICK or "RULERUN_DEEP" in os.environ:
            figures = table.figures(name)
        whole = table.Row(**{**vars(settled), "decisions": figures[0], "branching": figures[1]})
        expected = table.cells(whole, (row[7], row[8]))
        assert row == expected, "run: python benchmarks/games_table.py --keep-speed"


def test_what_cannot_be_said_is_refused_with_the_code_on_the_page() -> None:
    page = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
    assert re.findall(r"RR\d{4}", page) == ["RR0326"]
    line = '  kept: {kind: pile, per: 1..2, seen_by: everyone, start: "number == 1"}\n'
    rulerun.load(GAME)
    with pytest.raises(RulesetError) as caught:
        rulerun.load(GAME.replace("  table:", line + "  table:", 1))
    assert "RR0326" in [d.code for d in caught.value.diagnostics]


WORDS = {
    "`teams`, ": r"^teams: ",
    "`teams: 2 if": r"^teams: .* if ",
    "`score` without": r"^  score: |^result: \{score: ",
    "`p leaves`": r" leaves$",
    "`p returns`": r"all players return|\w+ returns$",
    "`end game for": r"end game for ",
    "`reverse play`": r"reverse play",
    "standard decks": r"standard: \w+(, |\n +).*(where|copies): ",
    "`ranks:": r"ranks: \[",
    "`kind: board`": r"kind: board",
    "`per: [player": r"per: \[",
    "`flip": r"\bflip \w+",
    "`turn over": r"^ *turn over ",
    "`shuffle all": r"shuffle all cards into",
    "`top n of`": r"(top|bottom) n of|\.\.\w+ by -?\d",
    "`subsets(": r"subsets\(",
    "`groups of": r"groups of ",
    "`runs of": r"runs of ",
    "`best cover": r"cover of ",
    "`seen_by: others`": r"seen_by: others",
    "`tell P": r"tell \w+ whether",
    "`seen_by` on a state": r"\{type: .*seen_by: ",
    "`seen_by: everyone if": r"seen_by: \w+ if ",
    "`where A if": r" if possible",
    "`some …": r"\b(some|\d|n|extra) [a-z]+ from (?!\d)",
    "two binders": r"\w+ from [^,\n]+(\([^)]*\))?, \w+ from ",
    "a text of a menu": r'^ +"[^"]*"( if [^:\n]*)?$',
    "`each player": r"each player \w+ at once",
    "windows:": r"any player \w+",
    "`one_of:": r"one_of: \[",
    "an enum that": r"(Suit|Rank) or none",
    "`next(v)`": r"(next|previous)\((direction|\w*trump|suit|\w+\.\w+)\)",
    "`a ** n`": r"\*\*",
    "`count(A,": r"count\(\s*(\w+\([^()]*\)|from_hand|some\(.*\)), ",
    "`for … for": r"^ +for \w+ in [^:\n]* for \w+ in ",
    "`a, b: T`": r"^  \w+, \w+[\w, ]*: ",
    "`if asks(me)": r"^ +(if|elif|stop if|skip to next if) (not )?(RULES)\(",
    "`as usual`": r"\bas usual\b",
    "`for: c in": r"^    for: ",
    "`nested: N`": r"\bnested: ",
}
"""How a row of the page's first tables begins, and how a ruleset that uses its word looks."""
MOST = 12
"""Users of a word from whose number on the page says `most`."""


def users(pattern: str) -> list[str]:
    """The games whose rulesets, without remarks, hold the pattern; RULES stands for the names of the game's rules."""
    found = []
    for name in shipped_names():
        text = (ROOT / "rulesets" / name / f"{name}.yaml").read_text(encoding="utf-8")
        text = re.sub(r"(^|\s+)#.*$", "", text, flags=re.MULTILINE)
        rules = re.findall(r"^  (\w+)", text.partition("\nrules:\n")[2].partition("\nresult:")[0], re.MULTILINE)
        if re.search(pattern.replace("RULES", "|".join(rules)), text, re.MULTILINE):
            found.append(str(re.findall(r"^game: (.*)$", text, re.MULTILINE)[0]))
    return found


def test_the_page_of_limits_says_who_uses_each_word() -> None:
    page = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8").partition("## What it cannot say yet")[0]
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    rows = [row for row in rows if row[0] != "word"]
    assert [next((head for head in WORDS if row[0].startswith(head)), row[0]) for row in rows] == list(WORDS)
    for row, pattern in zip(rows, WORDS.values(), strict=True):
        found = users(pattern)
        told = "most" if len(found) >= MOST else ", ".join(found)
        assert row[-1] == told or (not found and row[-1].startswith("nobody here")), (row[0], told)


@pytest.mark.parametrize("name", shipped_names())
def test_the_page_of_a_game_names_its_options_and_variants(name: str) -> None:
    page = (ROOT / "rulesets" / name / f"{name}.md").read_text(encoding="utf-8")
    game = rulerun.load(name)
    told = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", page))))
    assert set(game.options) <= told
    assert [variant for variant in game.offered_variants if variant not in page.lower()] == []


def test_the_map_of_the_house_names_the_files_of_the_floors_of_many_rooms() -> None:
    told = set(re.findall(r"`(\w+)`", (ROOT / "docs" / "house.md").read_text(encoding="utf-8")))
    for floor in ("check", "view"):
        files = {path.stem for path in (ROOT / "engine" / "rulerun" / floor).rglob("*.py")} - {"__init__"}
        assert files - told == set()


def test_the_glossary_names_words_where_they_stand() -> None:
    """Each place is there, and each word of ours that is written as code stands in it."""
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+) \| .+ \| (.+) \|$", page, re.MULTILINE)
    assert len(rows) > 30
    for ours, where in rows[1:]:
        texts = []
        for place in re.findall(r"`([^`]+)`", where):
            path = next(p for p in (ROOT / "engine" / "rulerun" / place, ROOT / place) if p.exists())
            files = path.rglob("*.py") if path.is_dir() else [path]
            texts += [file.read_text(encoding="utf-8") for file in files]
        for word in re.findall(r"`([^`]+)`", ours):
            assert any(re.search(rf"\b{word}\b", text) for text in texts), f"{word} does not stand in {where}"


README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readme_shows_what_is_printed() -> None:
    told = re.search(r"    \$ rulerun ouch\.yaml --players 2 --seed 7\n((?:    .*\n|\n)*)", README)
    assert told
    head, _, tail = re.sub(r"(?m)^    ", "", told[1]).partition("...\n")
    done = subprocess.run(
        [sys.executable, "-m", "rulerun.faces", "ouch.yaml", "--players", "2", "--seed", "7"],
        capture_output=True, text=True, timeout=60, check=True, env={**os.environ, "COLUMNS": "100"},
    )  # fmt: skip
    assert done.stdout.startswith(head)
    assert done.stdout.endswith(tail.rstrip() + "\n")


def test_the_variant_of_the_readme_is_five_lines_that_play() -> None:
    text = README.partition("```yaml\n")[2].partition("```")[0]
    assert len(text.splitlines()) == 5
    game = rulerun.load(text)
    assert "a red flower stings" in (ROOT / "rulesets" / "ouch" / "ouch.yaml").read_text(encoding="utf-8")
    state = game.new(seed=1)
    while not state.is_over:
        state.choose(0)
    assert game.options["enough"] == 12


@pytest.mark.long
def test_the_python_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(README.partition("```python\n")[2].partition("```")[0], {})
    assert re.fullmatch(r"\(.+\) \(.+\)\n", capsys.readouterr().out)


def test_the_page_of_invariants_names_them_all() -> None:
    page = (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| ([a-z, ]+) \| ", page, re.MULTILINE)
    told = {name for cell in named[named.index("steps") :] for name in cell.split(", ")}
    assert told == {i.name for i in INVARIANTS} | {STEPS[0], EXCHANGE[0], CHANCE[0], VARIETY[0]}
