"""A field of a named card that was asked about is not none there; subsets of a known size are few."""

from __future__ import annotations

import pytest

from rulerun.check import compile_ruleset
from rulerun.document import read
from rulerun.game import load
from rulerun.run.machine import Machine
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.files import Folder
from rulerun.source.text import Source

RULESET = """\
rulerun: 1
game: Narrow
players: 2
types: {Colour: [blue, red]}
cards:
  face: {colour: Colour or none, number: int}
  deck: [{colour: red, number: 1}, {number: 2}]
zones:
  deck: {kind: row, seen_by: everyone, start: deck}
state:
  colour: Colour
  shown: Card or none
rules:
  play: |
BODY
    for p in players: p chooses n from 1..2
  change: |
    shown = bottom of deck
result: {score(Player p): "1 if colour == red else 0", winner: [highest score]}
"""


def codes(body: str) -> list[str]:
    text = RULESET.replace("BODY", "\n".join(f"    {line}" for line in body.splitlines()))
    found = Diagnostics()
    ruleset = read(Source("x.yaml", text), folder=Folder(None), found=found)
    assert ruleset is not None, list(found)
    program = compile_ruleset(ruleset, 2, found)
    if program is not None:
        Machine(program).start(1)
        state = load(Source("x.yaml", text)).new(1)
        while not state.is_over:
            state.choose(0)
        assert state.scores == (1, 1)  # the colour is that of the one card that has one
    return [d.code for d in found if d.severity.value == "error"]


@pytest.mark.parametrize(
    "body",
    [
        "for c in deck:\n  if c.colour is not none: colour = c.colour",
        "for c in deck:\n  if c.colour is none: colour = red\n  else: colour = c.colour",
        "for c in deck:\n  if none != c.colour and c.number == 1: colour = c.colour",
        "for c in deck:\n  if not (c.colour is none or c.number == 2): colour = c.colour",
        "for c in deck: colour = c.colour if c.colour is not none else red",
        "for c in deck where c.colour is not none: colour = c.colour",
        "for c in deck:\n  skip to next if c.colour is none\n  colour = c.colour",
        "let c = top of deck\nif c.colour is some: colour = c.colour\nelse: colour = red",
        "shown = top of deck\nif shown.colour is not none: colour = shown.colour\nelse: colour = red",
    ],
)
def test_a_field_that_was_asked_about_is_not_none(body: str) -> None:
    assert codes(body) == []


@pytest.mark.parametrize(
    "body",
    [
        "for c in deck:\n  if c.colour is none: colour = c.colour",
        "for c in deck:\n  if c.colour is not none or c.number == 1: colour = c.colour",
        "for c in deck:\n  for d in deck:\n    if c.colour is not none: colour = d.colour",
        "for c in deck:\n  if c.number == 1: colour = c.colour",
        "let c = top of deck\nif c.colour is not none:\n  c = bottom of deck\n  colour = c.colour",
        "let c = top of deck\nfor i in 1..2:\n  if c.colour is not none: colour = red\n  colour = c.colour",
        "if (top of deck).colour is not none: colour = (top of deck).colour",
        "shown = top of deck\nif shown.colour is not none:\n  change()\n  if shown is a card: colour = shown.colour",
    ],
)
def test_another_card_or_another_time_is_not_known(body: str) -> None:
    assert codes(body) == ["RR0407"]


FIVE_OF_SEVEN = """\
rulerun: 1
game: Five of seven
players: 2
cards: {deck: french52}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  board: {kind: row, seen_by: everyone}
functions:
  held(Cards s, Rank r): count(c for c in s where c.rank == r)
  worth(Cards s): sum(n * order(r) for n in 1..4 for r in Rank where held(s, r) == n) + max(held(s, c.rank) for c in s)
  best_of(Player p): max(worth(s) for s in subsets(hand[p] union board, SIZE))
rules:
  play: |
    shuffle deck
    for p in players: deal 2 from deck to hand[p]
    deal 5 from deck to board
    for p in players: p chooses n from 1..2
result: {score(Player p): "best_of(p)", winner: [highest score]}
"""


def test_subsets_of_a_known_size_are_counted_by_it() -> None:
    game = load(Source("x.yaml", FIVE_OF_SEVEN.replace("SIZE", "5")))
    state = game.new(1)
    state.choose(0)
    state.choose(0)
    assert state.scores == (41, 28)


def test_subsets_of_any_size_are_counted_as_many() -> None:
    found = Diagnostics()
    text = FIVE_OF_SEVEN.replace(", SIZE)", ")")
    ruleset = read(Source("x.yaml", text), folder=Folder(None), found=found)
    assert ruleset is not None
    compile_ruleset(ruleset, 2, found)
    assert "RR0506" in [d.code for d in found]
