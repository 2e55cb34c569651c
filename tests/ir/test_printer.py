"""The printer: every node has its words, and a whole program reads as it should."""

from __future__ import annotations

import pytest

from ir_builder import (
    HAND,
    NOBODY,
    OWNER,
    PILE,
    Builder,
    add,
    choose,
    eq,
    line,
    num,
    seat,
    zone_at,
)
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import FoldKind, Identity
from rulerun.ir.printer import Printer, show
from rulerun.ir.program import ConstantTable
from rulerun.ir.types import BOOL, CARD, CARDS, INT


class Table(Builder):
    def __init__(self) -> None:
        super().__init__(2, (0, 1, 1))
        self.field("number", (3, 1, 1))
        self.field("rings", (0, 1, 2, 3, 2, 3), INT, back=True, width=2)
        self.hand = self.zone("hand", HAND, OWNER, per_player=True)
        self.pile = self.zone("pile", PILE, NOBODY, shuffled=True)
        self.x = self.variable("x", INT, (5,))
        self.tables.append(ConstantTable("points", (4, 5)))


C = ir.Local(0, CARD)
X = ir.Place(8, (), INT, 0)
LOADED = ir.Load(X)
HAND_OF = zone_at(0, seat(1))
PILE_ZONE = zone_at(1)
AXIS = (ir.Axis(LOADED, 1, 2, 1, True),)


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (num(-3), "-3"),
        (LOADED, "v[8]"),
        (ir.Load(ir.Place(9, (ir.Axis(C, 0, 3, 2, False),), INT, 0)), "v[9 + l0 * 2]"),
        (ir.Unary("neg", LOADED, 0), "(neg v[8])"),
        (add(LOADED, num(1)), "(v[8] + 1)"),
        (ir.And(eq(C, C), ir.Or(num(1, BOOL), num(0, BOOL))), "((l0 == l0) and (1 or 0))"),
        (ir.Conditional(num(1, BOOL), num(2), num(3), INT), "(2 if 1 else 3)"),
        (ir.Contains(C, num(3, CARDS)), "(l0 in 3)"),
        (ir.Single(C, CARDS), "{l0}"),
        (ir.Size(num(3, CARDS)), "size(3)"),
        (ir.Lookup(0, AXIS, INT, 0), "points[v[8] - 1!]"),
        (ir.CardField(0, C, (), INT, 0), "l0.number"),
        (ir.CardField(1, C, AXIS, INT, 0), "l0.rings[v[8] - 1!]"),
        (ir.ZoneCount(HAND_OF), "count(hand[1])"),
        (ir.UndrawnCount(PILE_ZONE), "undrawn(pile)"),
        (ir.ZoneCards(PILE_ZONE), "cards(pile)"),
        (ir.ZoneEnd(PILE_ZONE, ir.End.TAIL, 0), "tail(pile)"),
        (ir.InZone(C, PILE_ZONE), "(l0 lies in pile)"),
        (ir.PlayersIn(), "players"),
        (ir.Neighbour(seat(0), 1, 0), "next(0)"),
        (ir.Neighbour(seat(0), -1, 0), "previous(0)"),
        (ir.Sees(seat(0), PILE_ZONE), "sees(0, pile)"),
        (ir.Knows(seat(0), C), "knows(0, l0)"),
        (ir.CallFunction(0, (seat(1),), INT), "f0(1)"),
        (ir.SnapshotCount(12), "count(snapshot v[12])"),
        (ir.SnapshotItem(12, num(1), CARD), "snapshot v[12][1]"),
        (
            ir.Fold(FoldKind.MIN, 0, ir.ZoneDomain(HAND_OF), eq(C, C), num(1), num(2), INT, 0),
            "min(1 for l0 in hand[1] where (l0 == l0) or else 2)",
        ),
        (
            ir.Fold(FoldKind.COUNT, 0, ir.BoardDomain(HAND_OF, 2), None, None, None, INT, 0),
            "count(for l0 in board(hand[1], 2))",
        ),
        (
            ir.Fold(FoldKind.COUNT, 0, ir.RunDomain(ir.ZoneCards(HAND_OF), 0, 0), None, None, None, INT, 0),
            "count(for l0 in runs(cards(hand[1]) by number))",
        ),
        (
            ir.Fold(FoldKind.COUNT, 0, ir.NumberDomain(num(1), LOADED), None, None, None, INT, 0),
            "count(for l0 in 1..v[8])",
        ),
    ],
)
def test_expressions(expr: ir.Expr, text: str) -> None:
    assert Printer(Table().program(0)).expr(expr) == text


@pytest.mark.parametrize(
    ("op", "text"),
    [
        (ir.Store(X, num(1), 0), "v[8] = 1"),
        (ir.SetLocal(2, num(1)), "l2 = 1"),
        (ir.Clear(9, 2), "clear v[9] for 2"),
        (
            ir.Snapshot(ir.SeatDomain(ir.PlayersIn(), seat(0), True, True), 9, 2, 0),
            "snapshot v[9] of players starting with 0 backwards (room for 2)",
        ),
        (ir.MoveCard(C, PILE_ZONE, ir.Depth(num(2), True), 0), "move l0 -> pile at 2 in secret"),
        (ir.MoveCards(num(3, CARDS), HAND_OF, ir.End.HEAD, 0), "move each of 3 -> hand[1] head"),
        (ir.MoveAll(HAND_OF, PILE_ZONE, ir.End.TAIL, 0), "move all hand[1] -> pile tail"),
        (ir.CollectAll(PILE_ZONE, 0), "collect all -> pile"),
        (ir.Collect(HAND_OF, PILE_ZONE, 0), "collect hand[1] -> pile"),
        (ir.Shuffle(PILE_ZONE, 0), "shuffle pile"),
        (ir.TurnOver(PILE_ZONE, 0), "turn over pile"),
        (ir.Refill(PILE_ZONE, HAND_OF, 1, False, 0), "refill pile from hand[1] keeping 1, turned over"),
        (ir.SwapCards(C, num(1, CARD), 0), "swap l0 with 1"),
        (ir.SwapZones(HAND_OF, HAND_OF, 0), "swap zones hand[1] with hand[1]"),
        (ir.Reveal(num(1, CARDS), None, 0), "reveal 1 to all"),
        (ir.Reveal(num(1, CARDS), num(2), 0), "reveal 1 to 2"),
        (ir.Flip(num(1, CARDS), True, 0), "flip 1 face up"),
        (ir.Flip(num(1, CARDS), False, 0), "flip 1 face down"),
        (ir.Announce(ir.Label(("x is ", LOADED)), 0), 'note "x is {v[8]}"'),
        (ir.Tell(0, seat(0), 0), "tell choice 0 of 0"),
        (ir.Tell(0, seat(0), 0, X), "tell choice 0 of 0, line v[8]"),
    ],
)
def test_operations(op: ir.Op, text: str) -> None:
    assert Printer(Table().program(0)).op(op) == text


PROGRAM = """\
program by hand for 2 players
state of 41 words (52 with knowledge)

cards 3 of 2 kinds
  face number: int
  back rings: int

v[14] zone hand: hand per Player, seen by owner
v[24] zone pile: pile, seen by nobody, shuffled

v[8] x: int = [5]
table points = [4, 5]

function f0 f0(l0: Player): int
b0: return 0                                                                  # hand.yaml:7

rule p0 rule(v[11]): enters b3, returns by v[9], result v[10]
b0: finish                                                                    # hand.yaml:7
b1: v[8] = 1                                                                  # hand.yaml:7
    shuffle pile                                                              # hand.yaml:9
    call p0 rule(2) back to b2                                                # hand.yaml:7
b2: switch v[8] -> b4, b5 else b0                                             # hand.yaml:7
b3: return 7                                                                  # hand.yaml:7
b4: choose 0 by 0 secretly, pass -> b5                                        # hand.yaml:7
      if 1: v[8] = l0 from hand[0] by kind where (l0 == l0) as "play {l0}" -> b5
      v[12] = l1 2..all from (l2 in cards(pile) where 1) by set -> b5
b5: draw v[8] = head of pile -> b6, empty -> b0                               # hand.yaml:7
b6: pick v[8] = one of players -> b7                                          # hand.yaml:7
b7: if (v[8] == 1) -> b8 else b0                                              # hand.yaml:7
b8: fail "no way"                                                             # hand.yaml:7

begin at b1
score by f0 f0
winner by highest f0 score
limit of 1000 decisions, then a fault
"""


def test_a_whole_program() -> None:
    b = Table()
    blocks = [b.reserve() for _ in range(8)]
    one, two, body, four, five, six, seven, eight = blocks
    procedure = b.procedure(body, (INT,), INT, local_words=2)
    cards = ir.Place(b.procedures[0].params[0] + 1, (), CARDS, 0)
    b.block([ir.Store(X, num(1), 0), ir.Shuffle(PILE_ZONE, 1)], ir.CallProcedure(procedure, (num(2),), two, 0), one)
    b.block([], ir.Switch(LOADED, (four, five), 0), two)
    b.block([], ir.Return(procedure, num(7)), body)
    lines = (
        line(
            five,
            [ir.Binder(0, ir.ZoneDomain(zone_at(0, seat(0))), Identity.BY_KIND, X)],
            guard=num(1, BOOL),
            where=eq(C, C),
            label=ir.Label(("play ", C)),
        ),
        line(
            five,
            [
                ir.Binder(
                    1,
                    ir.FilteredDomain(2, ir.SetDomain(ir.ZoneCards(PILE_ZONE)), num(1, BOOL)),
                    Identity.MULTISET,
                    cards,
                    num(2),
                )
            ],
        ),
    )
    b.block([], choose(seat(0), lines, five, True, secret=True), four)
    b.block([], ir.Draw(PILE_ZONE, ir.End.HEAD, X, six, 0, 0), five)
    b.block([], ir.Pick(ir.SetDomain(ir.PlayersIn()), X, seven, None, True, 0), six)
    b.block([], ir.Branch(eq(LOADED, num(1)), eight, 0), seven)
    b.block([], ir.Fail("no way", 0), eight)
    assert show(b.program(one)) == PROGRAM
