"""How the words of this folder read in the IR, and what its verifier refuses of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from language_games import compiled, with_body

from rulerun.ir import nodes as ir
from rulerun.ir.printer import show
from rulerun.ir.program import Program
from rulerun.ir.types import CARDS, INT
from rulerun.ir.verifier import verify

BODY = """\
let me = first p in players where true
me leaves
reverse play
tell me whether (c.number > 2 for c in rack[me])
tell players whether me is out
total = count(top 3 of row)
total = sum(i for i in 9..1 by -2)
total = count(s for s in subsets(row, 2..3))
total = count(g for g in groups of row by colour)
total = best cover of row by g of 3..4 where total > 1 by worth(g)
me chooses s from subsets(hand[me]) as "{s}"
"""


def lines() -> list[str]:
    text = show(compiled(with_body(BODY), 2))
    return [line.split("  #")[0].strip() for line in text.splitlines()]


@pytest.mark.parametrize(
    "line",
    [
        "v[13] leaves",
        "reverse play",
        "tell {v[13]} whether (l1.number > 2) for l1 in rack[v[13]]",
        "tell all whether (not (v[13] in players))",
        "v[10] = size(tail(row, 3))",
        "v[10] = sum(l2 for l2 in 9..1 by -2)",
        "v[10] = count(for l3 in subsets(cards(row), 2..3))",
        "v[10] = count(for l4 in groups(cards(row) by colour))",
        "v[10] = best cover(cards(row): l5 of 3..4 where (v[10] > 1) by worth(l5))",
        'v[14] = l6 from subsets(cards(hand[v[13]]), 1..all) by whole as "{l6}" -> b2',
    ],
)
def test_printed(line: str) -> None:
    assert line in lines()


def with_first(program: Program, op: ir.Op) -> list[str]:
    """The problems of a program whose entry does something first."""
    blocks = list(program.blocks)
    blocks[program.entry] = replace(blocks[program.entry], ops=(op, *blocks[program.entry].ops))
    return [problem.split(": ", 1)[1] for problem in verify(replace(program, blocks=tuple(blocks)))]


TOTAL = ir.Place(10, (), INT, 0)
ROW = ir.ZoneCards(ir.ZoneRef(1, (), 0))
STOCK = ir.ZoneRef(0, (), 0)


def counted(domain: ir.Domain) -> ir.Op:
    return ir.Store(TOTAL, ir.Fold(ir.FoldKind.COUNT, 0, domain, None, None, None, INT, 0), 0)


@pytest.mark.parametrize(
    ("op", "problem"),
    [
        (counted(ir.SteppedDomain(ir.Const(1, INT), ir.Const(2, INT), 0)), "a range that does not get on"),
        (counted(ir.GroupDomain(ROW, 9, 0)), "field 9 does not exist"),
        (counted(ir.SubsetDomain(ir.Local(5, CARDS), ir.Const(1, INT), None, 0)), "l5 is read where nothing binds it"),
        (
            ir.Store(TOTAL, ir.Size(ir.ZoneTop(STOCK, ir.End.HEAD, ir.Const(1, INT), 0)), 0),
            "the top of a zone that has no settled order, read inside an expression",
        ),
        (
            ir.Store(TOTAL, ir.Cover(ROW, 0, ir.Const(1, INT), ir.Const(2, INT), None, ir.Local(1, INT), True, 0), 0),
            "l1 is read where nothing binds it",
        ),
        (counted(ir.BoardDomain(STOCK, 2)), "2 zones of stock are no board"),
        (ir.Leave(ir.Local(3, INT), 0), "l3 is read where nothing binds it"),
        (ir.Reverse(99), "origin 99 does not exist"),
        (ir.Inform(None, None, 0, ir.Local(0, INT), 0), "l0 is read where nothing binds it"),
    ],
)
def test_what_breaks_a_promise_is_named(op: ir.Op, problem: str) -> None:
    program = compiled(with_body("shuffle stock"), 2)
    assert problem in with_first(program, op)


def test_the_result_is_looked_at() -> None:
    program = compiled(with_body("shuffle stock"), 2)
    assert verify(replace(program, won=99)) == ["program: whether anybody wins is no function"]
    assert verify(replace(program, won=program.score)) == ["program: whether anybody wins is asked of somebody"]
    assert verify(replace(program, teams=3)) == ["program: 2 players in 3 teams"]
