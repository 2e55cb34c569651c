"""Warnings for what is never used."""

from __future__ import annotations

from rulerun.check import check_ruleset
from rulerun.check.declare import declare
from rulerun.check.unused import warn_unused, words_in
from rulerun.document import read
from rulerun.source.diagnostic import Diagnostics, Severity
from rulerun.source.files import Folder
from rulerun.source.text import Source

RULESET = """\
rulerun: 1
game: Test
players: 2
options:
  enough: {default: 8}
  size: {default: 3}
types:
  Colour: [red, blue]
  Mood: [gay, grim]
cards:
  face: {colour: Colour}
  deck:
  - {colour: red, copies: size}
zones:
  stock: {kind: pile, seen_by: nobody, start: deck, refill: {from: spent}}
  spent: {kind: pile, seen_by: everyone}
  hand: {kind: hand, per: player}
state:
  total: int per Player
  best_hand: int per Player
  leader: Player
tables:
  points: {of: Colour, else: 1}
functions:
  twice(int n): |
    2 * n
  again(int n): |
    again(n)       # twice
rules:
  play: |
    shuffle stock
    note "the hand of {leader}, size"
  lonely: |
    total[leader] = 3
events:
  caught(Player p): |
    shuffle stock
result:
  score(Player p): |
    total[p]
  winner: [highest score, lowest best_hand]
"""


def test_unused_names_are_told_once_each() -> None:
    found = Diagnostics()
    ruleset = read(Source("ruleset.yaml", RULESET), folder=Folder(None), found=found)
    assert ruleset is not None
    symbols = declare(ruleset, 2, found)
    assert list(found) == []
    warn_unused(ruleset, symbols, found)
    assert [(d.code, d.severity, d.message) for d in found] == [
        ("RR0341", Severity.WARNING, "the type `Mood` is never used"),
        ("RR0341", Severity.WARNING, "the option `enough` is never used"),
        ("RR0341", Severity.WARNING, "the table `points` is never used"),
        ("RR0341", Severity.WARNING, "the zone `hand` is never used"),
        ("RR0341", Severity.WARNING, "the function `twice` is never used"),
        ("RR0341", Severity.WARNING, "the function `again` is never used"),
        ("RR0341", Severity.WARNING, "the rule `lonely` is never used"),
        ("RR0341", Severity.WARNING, "the event `caught` is never used"),
    ]


def test_words_of_labels_count_only_in_braces() -> None:
    assert words_in('me chooses c as "take {c} from stock"  # not here') == ["me", "chooses", "c", "as", "c"]


def test_an_extending_file_is_not_blamed_for_what_its_base_has_no_more_use_for() -> None:
    change = "triggers: {a red flower stings: null}\noptions: {x: {default: 1}}\n"
    source = Source("wild.yaml", "rulerun: 1\nextends: ouch\n" + change)
    found = Diagnostics()
    ruleset = read(source, folder=Folder(None), found=found)
    assert ruleset is not None
    assert check_ruleset(ruleset, found) is not None
    assert [(d.code, d.message) for d in found] == [("RR0341", "the option `x` is never used")]
