"""A small ruleset whose rule `play` each test writes itself, and what is said about it."""

from __future__ import annotations

import textwrap

from rulerun.check import compile_ruleset
from rulerun.document import read
from rulerun.ir.program import Program
from rulerun.source.diagnostic import Diagnostic, Diagnostics
from rulerun.source.files import Folder
from rulerun.source.text import Source

DECLARED = """\
rulerun: 1
game: Test
players: 2..4
options:
  size: {default: 3, range: 0..9}
  wild: {default: false}
types:
  Colour: [red, blue, green]
  Light: [red, amber]
  Level: {ordered: [low, mid, high]}
cards:
  face:
    colour: Colour
    number: int
    worth: int per Colour
    sides: set of Colour
  back:
    stripes: int
  deck:
    - {each: {colour: Colour, number: 1..4}, sides: [red], stripes: 1}
zones:
  stock: {kind: pile, seen_by: nobody, start: deck}
  table: {kind: row, seen_by: everyone}
  heap: {kind: pile, seen_by: everyone}
  hand: {kind: hand, per: player}
  sack: {kind: hand, seen_by: nobody}
  lane: {kind: row, per: [player, 1..3], seen_by: everyone}
  shown: {kind: row, per: player, seen_by: others}
state:
  total: int per Player
  grid: int per Colour per Player
  leader: Player
  caller: Player or none
  level: Level
  mood: Colour
  light: Light
  last: Card or none
  kept: Cards
  open: bool
  round: int
tables:
  points: {of: Colour, red: 1, blue: 2, green: 3}
functions:
  value(Card c): |
    c.number
  hand_value(Player p): |
    sum(c.number for c in hand[p])
  pick_any(): |
    caller
"""

REST = """\
rules:
  play: |
    shuffle stock
{body}
  ask(Player me, int n): |
    me chooses k from 0..n as "{{k}}"
    return k
  helper: |
    round += 1
events:
  taken(Player who, Card what): |
    move what to heap
result:
  score(Player p): |
    total[p]
  winner: [highest score]
"""


def ruleset(body: str, functions: str = "") -> str:
    """The whole text: statements of `play`, and more functions (``name(...): |`` and their bodies)."""
    more = textwrap.indent(textwrap.dedent(functions).strip() + "\n", "  ") if functions else ""
    return DECLARED + more + REST.format(body=textwrap.indent(textwrap.dedent(body), "    "))


def compiled(text: str, players: int = 2) -> tuple[Program | None, list[Diagnostic]]:
    found = Diagnostics()
    document = read(Source("ruleset.yaml", text), folder=Folder(None), found=found)
    program = compile_ruleset(document, players, found) if document is not None else None
    return program, list(found)


def lowered(body: str, functions: str = "", players: int = 2) -> Program:
    """The program of a sound body."""
    program, found = compiled(ruleset(body, functions), players)
    assert [(d.code, d.message) for d in found] == []
    assert program is not None
    return program


def faults(body: str, functions: str = "", players: int = 2) -> list[tuple[str, str, str, str | None]]:
    """Code, message, blamed text and help of everything that is wrong."""
    _, found = compiled(ruleset(body, functions), players)
    blamed = [d.span.source.text[d.span.start : d.span.end] if d.span else "" for d in found]
    return [(d.code, d.message, text, d.help) for d, text in zip(found, blamed, strict=True)]
