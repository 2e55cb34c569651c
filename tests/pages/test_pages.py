"""The pages on games and limits say what is so."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

import rulerun
from rulerun import RulesetError
from rulerun.play.conformance import CHANCE, STEPS, VARIETY
from rulerun.play.invariants import INVARIANTS
from rulerun.source.shipped import shipped_names

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


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("kind: row,", "kind: board,", "RR0130"),
        ("move card to table\n", "move card to table\n      flip card face down\n", "RR0513"),
        ("  table:", '  kept: {kind: pile, per: 1..2, seen_by: everyone, start: "number == 1"}\n  table:', "RR0326"),
        ("kind: hand, per: player", 'kind: hand, per: player, seen_by: "everyone if open else owner"', "RR0113"),
        ("rules:\n", "triggers:\n  t: {for: c in table, after: laid(x), do: stop}\nrules:\n", "RR0130"),
        ("rules:\n", "rules:\n  again(int n): |\n    if n > 0: again(n - 1)\n", "RR0503"),
        ("move card to table\n", "move card to table\n      end game for p\n", "RR0513"),
    ],
)  # fmt: skip
def test_what_cannot_be_said_is_refused_with_the_code_on_the_page(old: str, new: str, code: str) -> None:
    assert old in GAME
    rulerun.load(GAME)
    with pytest.raises(RulesetError) as caught:
        rulerun.load(GAME.replace(old, new, 1))
    assert code in [d.code for d in caught.value.diagnostics]
    assert code in (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")


def test_the_games_named_on_the_page_of_limits_use_the_words_that_they_stand_beside() -> None:
    page = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
    uses = {
        r"^teams: ": "Euchre, Klaverjassen, Spades, Sueca, Whist",
        r" leaves$": "Cuckoo, Schwimmen",
        r"tell \w+ whether|seen_by: others|^  won: ": "Harbour Lights",
        r"subsets\(": "Cribbage, Scopa",
        r"groups of": "President",
        r"cover of": "Gin Rummy",
        r"per: \[": "Gin Rummy, Golf",
        r"at once": "Goofspiel, Hearts, Cribbage",
        r"chooses? \w+ from [^,]+, \w+ from": "Go Fish, Golf, Gin Rummy",
        r"any player": "Snap, Cactus",
        r"Suit or none": "Pitch, Scarto, Skat, Whist",
    }
    for pattern, names in uses.items():
        assert f"| {names} |" in page
        for name in names.split(", "):
            slug = name.lower().replace(" ", "_")
            text = (ROOT / "rulesets" / slug / f"{slug}.yaml").read_text(encoding="utf-8")
            assert re.search(pattern, text, re.MULTILINE), f"{name} does not use {pattern}"


def test_the_page_of_invariants_names_them_all() -> None:
    page = (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| ([a-z, ]+) \| ", page, re.MULTILINE)
    told = {name for cell in named[named.index("steps") :] for name in cell.split(", ")}
    assert told == {i.name for i in INVARIANTS} | {STEPS[0], CHANCE[0], VARIETY[0]}
