"""What the checker accepts tells no seat what it cannot know: programs made of hidden values and those who read them.

``RULERUN_PROGRAMS=20000`` tries so many; ``python tests/properties/secret_survey.py 20000`` prints figures.
"""

from __future__ import annotations

import os
from collections import Counter

import hypothesis.strategies as st
import pytest
from configurations import PROFILE
from hypothesis import given, note, settings
from secret_parts import CARRIERS, FRAMES, SINKS, SOURCES
from secret_programs import Tape, program_of
from secret_survey import compiled, survey, verdict_of
from shrunk_programs import shrunk
from twin_plays import Twins

PROGRAMS = int(os.environ.get("RULERUN_PROGRAMS", "120"))
TAPES = st.lists(st.integers(0, 2**16 - 1), min_size=20, max_size=120).map(Tape)
NAGGING = 0.35
"""Of the programs that are refused so many at most show no difference: constants that only look like secrets."""

WITH_SECRETS = """
rulerun: 1
game: Secrets
players: 2
cards:
  face: {number: int}
  deck: {each: {number: 1..6}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
state:
  n: int
rules:
  play: |
    let me = first p in players where true
    let you = next(me)
    shuffle deck
    for p in players: deal 2 from deck to hand[p]
    RULES
    me chooses:
      "go on"
result: {score(Player p): 0, winner: [highest score]}
"""


@settings(PROFILE, max_examples=PROGRAMS)
@given(tape=TAPES)
def test_what_is_accepted_tells_no_seat_what_it_cannot_know(tape: Tape) -> None:
    text = program_of(tape).text()
    verdict = verdict_of(text, 1)
    note(text)
    assert verdict.sort != "accepted, a difference", str(verdict.found[0])


def test_what_is_accepted_and_what_is_refused_are_balanced() -> None:
    figures = survey(range(PROGRAMS))
    sorts = figures.sorts
    refused = sum(number for sort, number in sorts.items() if sort.startswith("refused"))
    accepted = sum(number for sort, number in sorts.items() if sort.startswith("accepted"))
    assert sorts["no program"] <= 0.05 * figures.count, figures.table()
    assert min(refused, accepted) >= 0.3 * figures.count, figures.table()
    assert sorts["accepted, a difference"] == 0, figures.table()
    assert sorts["refused, no difference"] <= NAGGING * refused, figures.table()


def test_every_part_takes_part() -> None:
    chains = [chain for seed in range(2_500) for chain in program_of(Tape.of_seed(seed)).chains]
    assert {chain.source for chain in chains} == set(SOURCES)
    assert {carrier for chain in chains for carrier in chain.carriers} == set(CARRIERS)
    assert {chain.frame for chain in chains} == set(FRAMES)
    assert {chain.sink for chain in chains} == set(SINKS)
    pairs = Counter((chain.source.gives, chain.sink.name) for chain in chains)
    assert len(pairs) > 200


@pytest.mark.parametrize(
    ("rules", "what"),
    [
        ("let k = max(c.number for c in hand[you])\n    me chooses n2 from 0..k", "offer"),
        ('let k = max(c.number for c in hand[you])\n    note "it is {k}"', "note"),
        ('let k = max(c.number for c in hand[you])\n    me chooses:\n      "say {k}"', "options"),
        ("you secretly chooses k from 1..4\n    me chooses n2 from 1..4 where n2 != k", "offer"),
    ],
)
def test_twins_show_what_is_told_where_nothing_is_checked(rules: str, what: str) -> None:
    game, _ = compiled(WITH_SECRETS.replace("RULES", rules), guarded=False)
    assert game is not None
    assert what in {difference.what for difference in Twins(game).differences(1, 4, 8, 4)}


@pytest.mark.parametrize(
    "rules",
    [
        "n = max(c.number for c in hand[you])\n    me chooses n2 from 0..n",
        'if max(c.number for c in hand[you]) > 4:\n      me chooses:\n        "yes"',
        "me chooses k from hand[you]\n    move k to hand[me]",
        "reveal hand[you]\n    me chooses n2 from 0..max(c.number for c in hand[you] where knows(me, c))",
    ],
)
def test_twins_show_nothing_where_all_is_told(rules: str) -> None:
    game, _ = compiled(WITH_SECRETS.replace("RULES", rules), guarded=False)
    assert game is not None
    assert Twins(game).differences(1, 6, 10, 4) == []


def test_a_text_is_cut_down_to_what_it_takes() -> None:
    text = WITH_SECRETS.replace("RULES", "n = 1\n    if n > 0:\n      n = 2\n      reveal hand[me]")
    small = shrunk(text, lambda shorter: "reveal" in shorter and "rules" in shorter)
    assert [line.strip() for line in small.splitlines()] == ["rules:", "play: |", "reveal hand[me]"]
