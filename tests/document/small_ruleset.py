"""A small whole ruleset for the tests of this floor to change, and short ways to read one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rulerun.document import read
from rulerun.document.model import Ruleset
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.files import Folder, text_source
from rulerun.source.render import render

SMALL = """\
rulerun: 1
game: Small
players: 2..4
options:
  hands: {default: 3, range: 1..9, about: how many hands}
  sting: {default: true}
types:
  Colour: [red, blue]
  Rank: {ordered: [low, high]}
cards:
  back: {mark: int}
  face:
    colour: Colour
    flowers: int per Colour
    sides: set of Side
  name: "{colour}"
  deck:
    - {each: {colour: Colour}, copies: "2 if colour == red else 1", where: colour == red, mark: 1}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck, refill: {from: spent, keep: 1, shuffle: true}}
  spent: {kind: pile, seen_by: everyone}
  hand: {kind: hand, per: player}
  meld: {kind: row, per: [player, 1..7], seen_by: everyone, columns: 2, about: laid down}
state:
  total: int per Player
  best: {type: int per Player, start: 999}
tables:
  points: {of: Rank, low: 1, else: 5}
  pairs: {of: [Rank, Rank], type: int, low: {low: 1, high: 2}, high: {low: 3, high: 4}}
functions:
  twice(int n): 2 * n
rules:
  play: |
    shuffle deck
    raise stung(next(me))
  turn(Player me): |
    note "turn"
events:
  stung(Player victim): |
    note "ouch"
triggers:
  red sting:
    after: stung(p)
    if: sting
    do: |
      note "again"
  second:
    instead of: stung(p)
    do: as usual
result:
  score(Player p): |
    total[p]
  winner: [highest score, lowest best]
limit: {decisions: 500, then: draw}
sources: [the book, a page]
variants:
  little ones:
    about: without stings
    options: {sting: false}
    triggers: {red sting: null}
  can't lose:
    rules:
      turn(Player me, int n): |
        note "other turn"
      extra: note "extra"
    triggers:
      zeroth: {ahead of: red sting, before: stung(p), do: note "zeroth"}
"""


def attempt(
    text: str,
    variants: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> tuple[Ruleset | None, Diagnostics]:
    """The ruleset in `text`, if it is one, and what was found."""
    found = Diagnostics()
    source = text_source("small.yaml", text)
    ruleset = read(source, folder=Folder(folder), variants=variants, settings=settings or {}, found=found)
    assert (ruleset is None) == found.has_errors
    return ruleset, found


def ruleset_of(
    text: str = SMALL,
    variants: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Ruleset:
    """The ruleset in `text`, in which nothing is wrong."""
    ruleset, found = attempt(text, variants, settings, folder)
    assert render(found) == ""
    assert ruleset is not None
    return ruleset


def concise(text: str, variants: Sequence[str] = (), folder: Path | None = None) -> list[str]:
    """What is found in `text`, a line each."""
    return render(attempt(text, variants, folder=folder)[1], "concise").splitlines()
