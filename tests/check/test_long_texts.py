"""Texts of one sign, over and over: each text of a ruleset is looked through in time that goes with its length."""

from __future__ import annotations

import json
import resource
import time

import pytest

from rulerun.check import check_ruleset
from rulerun.document import read
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.files import Folder
from rulerun.source.render import render
from rulerun.source.text import Source

RULESET = """\
rulerun: 1
game: @X@
about: @a@
players: 2
types: {Colour: [red, @blue@]}
options:
  size: {default: 2, range: 1..5, about: @cards each@}
cards:
  face: {number: @int@}
  name: @"{number}"@
  deck: [{each: {number: 1..9}}]
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
state:
  n: @int @
tables:
  values: {of: Colour, else: @2@}
functions:
  f(int a): @a @
rules:
  play: |
    for p in players:
      p chooses k from 1..2 as @"say {k}"@
      note @"{k}"@
      n = @n@
result:
  score(Player p): @1@
  winner: [highest score]
variants:
  @long@:
    about: five
    options: {size: 5}
"""
PARTS = RULESET.split("@")
PLACES = range(1, len(PARTS), 2)
LENGTH = 20_000
SIGNS = ("{", "}", "{k}{{", "(", '"', '\\"', "\\", "1+", "not ", "#", "\n      n = n", "- ")


def test_the_ruleset_without_long_texts_is_right() -> None:
    assert examined("".join(PARTS))[0] == []


def examined(text: str) -> tuple[list[str], str]:
    """The codes of the errors, and all that is told."""
    found = Diagnostics()
    ruleset = read(Source("x.yaml", text), folder=Folder(None), found=found)
    if ruleset is not None and not found.has_errors:
        check_ruleset(ruleset, found)
    return [d.code for d in found if d.severity.value == "error"], render(found)


@pytest.mark.long
@pytest.mark.parametrize("sign", SIGNS)
def test_a_long_text_costs_what_its_length_costs(sign: str) -> None:
    body = (sign * LENGTH)[:LENGTH]
    for place in PLACES:
        for written in (f'"{body}"', json.dumps(body) if place > 5 else body):
            begun = time.process_time()
            _, told = examined("".join([*PARTS[:place], written, *PARTS[place + 1 :]]))
            assert time.process_time() - begun < 2, (place, written[:9])
            assert len(told) < 60_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 1_000_000  # KB, of the whole process
