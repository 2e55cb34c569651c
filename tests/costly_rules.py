"""Rulesets made to be slow: each passes the check, and each would keep the game busy for minutes, hours or for ever."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from rulerun.check import compile_ruleset
from rulerun.document import read
from rulerun.facts.faults import RulesFault
from rulerun.ir.program import Program
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.files import Folder
from rulerun.source.text import Source

HOST = """\
rulerun: 1
game: Slow
players: 2..20
types:
  Colour: [red, green, blue]
  Many: [PLACES]
cards:
  face: {colour: Colour, number: int}
  name: "{colour} {number}"
  deck:
    - each: {colour: Colour, number: 1..LAST}
zones:
  stock: {kind: pile, seen_by: nobody, start: deck}
  row: {kind: row, seen_by: everyone}
  pool: {kind: hand, seen_by: everyone}
state:
  points: int per Player
  total: int
functions:
FUNCTIONS
rules:
  play: |
    let me = first p in players where true
BODY
result:
  score(Player p): "points[p]"
  winner: [highest score]
"""


@dataclass(frozen=True)
class Costly:
    """A text for `play`; ``place`` is how the rule text goes on where the fault is told."""

    body: str
    place: str
    functions: str = "nothing(): 0"
    players: int = 3
    last: int = 20

    def text(self) -> str:
        text = HOST.replace("PLACES", ", ".join(f"m{i}" for i in range(60))).replace("LAST", str(self.last))
        return text.replace("FUNCTIONS", indented(self.functions, 2)).replace("BODY", indented(self.body, 4))

    def program(self) -> Program:
        found = Diagnostics()
        ruleset = read(Source("slow.yaml", self.text()), folder=Folder(None), found=found)
        program = compile_ruleset(ruleset, self.players, found) if ruleset is not None else None
        assert program is not None, [d.code for d in found]
        return program

    def told_at(self, fault: RulesFault) -> tuple[str, str]:
        """The code of a fault, and as much of the text at its place as is expected."""
        assert fault.origin is not None
        line = self.text().splitlines()[fault.origin.line - 1]
        return fault.code, line[fault.origin.column - 1 :][: len(self.place)]


def indented(text: str, columns: int) -> str:
    return textwrap.indent(textwrap.dedent(text).strip("\n"), " " * columns)


def tower(lowest: str, storeys: int, storey: str) -> str:
    """Functions each of which calls the one before: FUNCTION stands for its name in ``storey``."""
    texts = [lowest, *(f"f{i}(int n): {storey.replace('FUNCTION', f'f{i - 1}')}" for i in range(1, storeys + 1))]
    return "\n".join(texts)


ALL = "move all of stock to pool\n"
FEW = ALL + "move (c for c in pool where c.number < 5) to row\n"
OFTEN = "repeat 190000 times"

COSTLY = {
    "a fold in a fold": Costly(
        ALL + f"{OFTEN}: total = count(c for c in pool where some(c.number + d.number == 99 for d in pool))",
        "count(c for c",
    ),
    "a fold that is not nested": Costly(ALL + f"{OFTEN}: total = sum(c.number * 2 + count(row) for c in pool)", OFTEN),
    "distinct values": Costly(ALL + f"{OFTEN}: total = distinct(c.number + total for c in pool)", OFTEN),
    "a tower of functions": Costly(
        f"{OFTEN}: total = f7(1)", "f5(int n)",
        tower("f0(int n): n", 7, "FUNCTION(n) + FUNCTION(n + 1) + FUNCTION(n - 1)"),
    ),
    "a tower of folds": Costly(
        ALL + f"{OFTEN}: total = f4(1)", "sum(f1(k) for k in 1..5)",
        tower("f0(int n): sum(c.number * n for c in pool where c.number != n)", 4, "sum(FUNCTION(k) for k in 1..5)"),
    ),
    "all subsets, often": Costly(
        FEW + f"{OFTEN}: total = count(s for s in subsets(row) where sum(c.number for c in s) == 9)", "subsets(row)"
    ),
    "all subsets for each pair of cards": Costly(
        FEW + "total = sum(count(s for s in subsets(row)) for c in pool for d in pool)", "subsets(row)"
    ),
    "covers, often": Costly(
        FEW + "repeat 1900 times: total = best cover of row by g of 1..14 by 1", "best cover of row"
    ),
    "a cover by any groups of many cards": Costly(
        "deal 14 from stock to row\ntotal = best cover of row by g of 1..14 by 1", "best cover of row"
    ),
    "a cover by costly groups": Costly(
        ALL + "move (c for c in pool where c.number < 5) to row\nrepeat 90 times: "
        "total = best cover of row by g of 3..4 where sum(d.number * count(g) for d in pool) == 1 by 1",
        "best cover of row",
    ),
    "groups": Costly(
        ALL + f"{OFTEN}: total = count(g for g in groups of pool by colour where count(g) + total == 3)", OFTEN
    ),
    "long notes": Costly(ALL + f'{OFTEN}: note "' + "{pool} " * 200 + '"', OFTEN),
    "many cards shuffled": Costly(f"{OFTEN}: shuffle all cards into stock", OFTEN, last=330),
    "many cards moved": Costly(
        ALL + f"{OFTEN}:\n  move all of pool to row\n  move all of row to pool", OFTEN, last=330
    ),
    "many cards shown": Costly(ALL + f"{OFTEN}:\n  reveal pool", OFTEN, last=330),
    "facts about many cards": Costly(
        ALL + f"{OFTEN}: tell me whether (c.number > 3 for c in pool)", OFTEN, last=330
    ),
    "sets out of ordered zones": Costly(
        "move all of stock to row\n" + f"{OFTEN}: total = count(row union pool)", OFTEN, last=330
    ),
    "chance among cards": Costly(
        ALL + f"{OFTEN}:\n  let c = random of (c for c in pool where c.number + total > 3)", OFTEN
    ),
    "a choice without options": Costly(
        ALL + f"{OFTEN}:\n"
        "  me chooses c from pool where some(d.number + c.number == 999 for d in pool) as \"take {c}\":\n"
        "    stop\n"
        "  otherwise: total += 1",
        "me chooses c",
    ),
    "many numbers in a choice": Costly(
        "me chooses a from 1..60, b from 1..60, c from 1..60, d from 1..60 where a + b + c + d == 999 as \"{a}\":\n"
        "  total = 1\n"
        "otherwise: total = 2",
        "a from 1..60",
    ),
    "many cards in a choice": Costly(
        ALL + "me chooses a from pool, b from pool, c from pool, d from pool "
        "where a.number + b.number + c.number + d.number == 999 as \"{a}\":\n  total = 1\notherwise: total = 2",
        "a from pool",
    ),
    "a long text": Costly(f"{OFTEN}:\n" + "\n".join(["  total = 1 - total"] * 150), OFTEN),
    "players": Costly(
        f"{OFTEN}: total = count(a for a in players for b in players for c in players where a == b)", "count(a for a",
        players=20,
    ),
    "values of a type": Costly(
        f"{OFTEN}: total = count(a for a in Many for b in Many where a == b)", "count(a for a"
    ),
    "loops": Costly(ALL + "for c in pool for d in pool for e in pool: total += 1", "for e in pool"),
    "folds in loops": Costly(
        ALL + "for c in pool for d in pool for e in pool: total = sum(x.number + c.number for x in pool)",
        "for e in pool",
    ),
    "a loop in a function": Costly(
        ALL + f"{OFTEN}: total = most(total)", "for a in 1..90",
        "most(int n): |\n  let t = n\n  for a in 1..90:\n    if some(c.number == a + n for c in pool): t += 1\n  t",
    ),
}  # fmt: skip
