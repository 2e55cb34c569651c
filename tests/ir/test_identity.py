"""What saves and logs name their ruleset by: the meaning of the rules, and nothing that only people read."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import typing

import pytest

import rulerun
from rulerun.ir import nodes, program
from rulerun.ir.identity import FOR_PEOPLE
from rulerun.ir.program import Program
from rulerun.ir.types import EnumType
from rulerun.source.shipped import shipped_names

pytestmark = pytest.mark.usefixtures("shared_cache")

RULES = """\
rulerun: 1
game: Bids
about: A game for tests.
players: 2..3
options:
  size: {default: 2, range: 1..3, about: cards in a hand}
types:
  Mood: [calm, wild]
cards:
  face: {rank: int}
  name: "the {rank}"
  deck:
    - {each: {rank: 1..6}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player, about: what a player holds}
  table: {kind: row, seen_by: everyone}
state:
  peak: int
  mood: Mood
functions:
  worth(Card c): |
    c.rank + peak
rules:
  play: |
    shuffle deck
    for p in players:
      deal size from deck to hand[p]
    for p in players:
      p chooses card from hand[p] as "play {card}"
      note "{p} plays {count(table)} cards on"
      move card to table
      peak = max(peak, worth(card))
      if peak > 9:
        mood = wild
result:
  score(Player p): |
    count(hand[p]) if mood == wild else peak
  winner: [highest score]
variants:
  short:
    about: one card each
    options: {size: 1}
"""


def identity(text: str, **arguments: typing.Any) -> str:
    return rulerun.load(text, **arguments).identity


def changed(*pairs: tuple[str, str]) -> str:
    text = RULES
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


FOR_READERS = {
    "a comment": [("rules:\n", "# how it is played\nrules:\n")],
    "a comment in rule text": [("    shuffle deck\n", "    # first of all\n\n    shuffle deck\n")],
    "another title": [("game: Bids", "game: Offers")],
    "another about": [("A game for tests.", "Better words."), ("what a player holds", "cards"), ("one card", "one")],
    "another label": [('as "play {card}"', 'as "lay {card} down"')],
    "other words in a note": [('"{p} plays {count(table)} cards on"', '"{p}: {count(table)} cards"')],
    "another name of a card": [('"the {rank}"', '"card {rank}"')],
    "another name of a zone": [("hand:", "cards_of:"), ("hand[p]", "cards_of[p]")],
    "another name of a variable": [("peak", "top_rank")],
    "another name of a function": [("worth", "value_of")],
    "another name of a value": [("wild", "furious")],
    "sections in another order": [("about: A game for tests.\nplayers: 2..3\n", "players: 2..3\nabout: Tests.\n")],
}
MEANT = {
    "a face": [("rank: 1..6", "rank: 2..7")],
    "more cards": [("rank: 1..6", "rank: 1..7")],
    "who sees a zone": [("hand: {kind: hand, per: player", "hand: {kind: hand, seen_by: everyone, per: player")],
    "a number": [("peak > 9", "peak > 8")],
    "an operator": [("c.rank + peak", "c.rank - peak")],
    "what a note computes": [("count(table)", "count(deck)")],
    "a value more": [("[calm, wild]", "[calm, wild, odd]")],
    "who wins": [("highest score", "lowest score")],
    "the order of statements": [("      move card to table\n      peak = max(peak, worth(card))\n",
                                 "      peak = max(peak, worth(card))\n      move card to table\n")],
    "an option's value": [("size: {default: 2", "size: {default: 3")],
    "a limit": [("result:\n", "limit: {decisions: 50, then: draw}\nresult:\n")],
}  # fmt: skip


@pytest.mark.parametrize("edit", FOR_READERS)
def test_what_only_people_read_leaves_it(edit: str) -> None:
    assert identity(changed(*FOR_READERS[edit])) == identity(RULES)


@pytest.mark.parametrize("edit", MEANT)
def test_what_the_rules_mean_is_in_it(edit: str) -> None:
    assert identity(changed(*MEANT[edit])) != identity(RULES)


def test_players_options_and_variants_count_by_what_they_make_of_the_rules() -> None:
    plain = identity(RULES)
    assert identity(RULES, players=3) != plain
    assert identity(RULES, options={"size": 3}) != plain
    assert identity(RULES, variants=["short"]) == identity(RULES, options={"size": 1}) != plain


def test_shipped_rulesets_have_identities_of_their_own() -> None:
    names = shipped_names()
    found = {identity(name) for name in names}
    assert len(found) == len(names)


def test_every_process_gives_the_same() -> None:
    code = "import rulerun, sys; print(rulerun.load('cribbage').identity)"
    outputs = [
        subprocess.run(
            [sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, text=True,
            check=True,
        ).stdout
        for seed in ("1", "77")
    ]  # fmt: skip
    assert outputs[0] == outputs[1] == f"{identity('cribbage')}\n"


TEXTS_THAT_MEAN = {("Unary", "op"), ("Binary", "op"), ("Fail", "fault"), ("Procedure", "kind")}


def test_every_text_in_the_ir_is_either_for_people_or_part_of_the_meaning() -> None:
    """A new field that holds text must be decided on: here, or in `FOR_PEOPLE`."""
    classes = {
        value
        for module in (nodes, program)
        for value in vars(module).values()
        if isinstance(value, type) and dataclasses.is_dataclass(value)
    }
    assert {EnumType, nodes.Choose, Program} <= classes | {EnumType}
    undecided = [
        (cls.__name__, field.name)
        for cls in classes - {program.Origin, program.Option}
        for field in dataclasses.fields(cls)
        if "str" in str(field.type) and field.name not in FOR_PEOPLE.get(cls.__name__, ())
    ]
    assert set(undecided) - TEXTS_THAT_MEAN == {("Label", "parts")}
    assert set(FOR_PEOPLE) <= {cls.__name__ for cls in classes}
