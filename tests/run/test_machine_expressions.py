"""Every expression of the IR against literal values, in the quick plan, the plain one and the guarded one."""

from __future__ import annotations

import pytest

from ir_builder import (
    CARD_OR_NONE,
    HAND,
    NOBODY,
    OWNER,
    PILE,
    ROW,
    SUIT,
    Builder,
    add,
    at,
    eq,
    less,
    num,
    seat,
    zone_at,
)  # fmt: skip
from rulerun.facts.faults import RulesFault
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import FoldKind
from rulerun.ir.program import ConstantTable
from rulerun.ir.types import BOOL, CARD, CARDS, INT, PLAYER, ArrayType, SetType, Type
from rulerun.ir.verifier import verify
from rulerun.run.machine import Machine

CARD_LOCAL = ir.Local(0, CARD)
PLAYERS = SetType(PLAYER)


class Table(Builder):
    """Six cards: 0 1 2 in the hand of P1, 3 in that of P2, 4 5 on the pile (4 on top)."""

    def __init__(self, players: int = 2) -> None:
        super().__init__(players)
        self.number = self.field("number", (3, 1, 2, 7, 5, 5))
        self.suit = self.field("suit", (0, 1, 0, 2, 1, 1), SUIT)
        self.rings = self.field("rings", (1, 0, 2, 0, 0, 4, 9, 9, 9, 9, 9, 9), INT, width=2)
        self.marks = self.field("marks", (1, 2, 3, 0, 4, 7), SetType(SUIT))
        self.hand = self.zone("hand", HAND, OWNER, per_player=True)
        self.pile = self.zone("pile", PILE, NOBODY)
        self.row = self.zone("row", ROW)
        self.deck = self.zone("deck", PILE, NOBODY, shuffled=True)
        pile = players
        self.start = (0, 0, 0, 1, pile, pile)
        self.x = self.variable("x", INT, (5,))
        self.seat = self.variable("p", PLAYER, (1,))
        self.per = self.variable("per", ArrayType(INT, PLAYER), (10, 20, 30, 40, 50, 60)[:players])
        self.maybe = self.variable("maybe", CARD_OR_NONE, (-1,))
        self.some_cards = self.variable("cards", CARDS, (0b101001,))
        self.tables.append(ConstantTable("points", (4, 5, 6, 7, 8, 9)))

    def field_of(self, field: int, card: ir.Expr = CARD_LOCAL, type_: Type = INT) -> ir.CardField:
        return ir.CardField(field, card, (), type_, 0)

    def in_hand(self, player: int = 0) -> ir.ZoneDomain:
        return ir.ZoneDomain(zone_at(self.hand, seat(player), self.players))

    def fold(
        self,
        kind: FoldKind,
        value: ir.Expr | None = None,
        where: ir.Expr | None = None,
        domain: ir.Domain | None = None,
        default: ir.Expr | None = None,
        type_: Type = INT,
    ) -> ir.Fold:
        return ir.Fold(kind, 0, domain or self.in_hand(), where, value, default, type_, 0)


def value(table: Table, expr: ir.Expr, type_: Type = INT) -> int:
    """The value of an expression at the start; all ways of planning must agree."""
    f = table.function((), expr, type_)
    program = table.program(0)
    assert verify(program) == []
    found = []
    for options in ({}, {"plain": True}, {"telling": True}):
        machine = Machine(program, **options)
        v = machine.start(1)
        before = v.copy()
        found.append(machine.evaluate(v, f))
        assert v == before
    assert found[0] == found[1] == found[2]
    return found[0]


def fault(table: Table, expr: ir.Expr, type_: Type = INT) -> RulesFault:
    with pytest.raises(RulesFault) as caught:
        value(table, expr, type_)
    assert caught.value.origin is not None
    assert caught.value.origin.line == 7
    return caught.value


def binary(op: str, left: int, right: int, type_: Type = INT) -> int:
    table = Table()
    x = table.variable("left", INT, (left,))
    y = table.variable("right", INT, (right,))
    return value(table, ir.Binary(op, ir.Load(x), ir.Load(y), type_, 0), type_)


@pytest.mark.parametrize(
    ("op", "left", "right", "result"),
    [
        ("+", 2, 3, 5),
        ("-", 2, 3, -1),
        ("*", -4, 3, -12),
        ("//", -7, 2, -4),
        ("%", -7, 2, 1),
        ("//", 7, -2, -4),
        ("%", 7, -2, -1),
        ("**", 2, 30, 2**30),
        ("**", -2, 31, -(2**31)),
        ("**", 0, 0, 1),
        ("**", 0, 2**31 - 1, 0),
        ("**", -1, 2**31 - 1, -1),
        ("min", 4, 9, 4),
        ("max", 4, 9, 9),
        ("==", 3, 3, 1),
        ("!=", 3, 3, 0),
        ("<", 2, 3, 1),
        ("<=", 3, 3, 1),
        (">", 2, 3, 0),
        (">=", 2, 3, 0),
        ("union", 0b101, 0b110, 0b111),
        ("common", 0b101, 0b110, 0b100),
        ("without", 0b101, 0b110, 0b001),
        ("+", 2**31 - 2, 1, 2**31 - 1),
    ],
)
def test_binary(op: str, left: int, right: int, result: int) -> None:
    assert binary(op, left, right) == result


@pytest.mark.parametrize(
    ("op", "left", "right"),
    [("+", 2**31 - 1, 1), ("-", -(2**31), 1), ("*", 2**20, 2**20), ("//", -(2**31), -1), ("**", 2, 31), ("**", -2, 32),
     ("**", 3, 2**31 - 1)],
)
def test_overflow_is_a_fault(op: str, left: int, right: int) -> None:
    with pytest.raises(RulesFault) as caught:
        binary(op, left, right)
    assert caught.value.code == "RR0602"
    assert "2147483647" in caught.value.message


@pytest.mark.parametrize("op", ["//", "%"])
def test_division_by_zero_is_a_fault(op: str) -> None:
    with pytest.raises(RulesFault) as caught:
        binary(op, 5, 0)
    assert caught.value.code == "RR0603"
    assert str(caught.value) == "hand.yaml:7:3: RR0603 division by zero"


def test_negation() -> None:
    table = Table()
    assert value(table, ir.Unary("neg", ir.Load(table.x), 0)) == -5
    least = table.variable("least", INT, (-(2**31),))
    assert fault(table, ir.Unary("neg", ir.Load(least), 0)).code == "RR0602"


def test_not_and_or_evaluate_only_what_they_need() -> None:
    table = Table()
    bad = eq(ir.Binary("//", num(1), ir.Load(table.variable("zero")), INT, 0), num(1))
    yes, no = eq(ir.Load(table.x), num(5)), eq(ir.Load(table.x), num(6))
    assert value(table, ir.Unary("not", no, 0), BOOL) == 1
    assert value(table, ir.And(no, bad), BOOL) == 0
    assert value(table, ir.Or(yes, bad), BOOL) == 1
    assert fault(table, ir.And(yes, bad), BOOL).code == "RR0603"
    assert value(table, ir.Conditional(yes, num(3), ir.Conditional(bad, num(1), num(2), INT), INT)) == 3
    assert fault(table, ir.Conditional(no, num(3), ir.Conditional(bad, num(1), num(2), INT), INT)).code == "RR0603"


def test_loads_and_indices() -> None:
    table = Table()
    assert value(table, ir.Load(table.x)) == 5
    assert value(table, ir.Load(at(table.per, ir.Load(table.seat), 2))) == 20
    assert value(table, ir.Load(at(table.per, num(1), 2, low=1))) == 10
    wrong = fault(table, ir.Load(at(table.per, ir.Load(table.x), 2, checked=True)))
    assert (wrong.code, wrong.message) == ("RR0604", "the index 5 is outside 0 .. 1")


def test_tables_and_fields() -> None:
    table = Table()
    axis = (ir.Axis(ir.Load(table.x), 0, 6, 1, True),)
    assert value(table, ir.Lookup(0, axis, INT, 0)) == 9
    assert value(table, table.field_of(table.number, num(3, CARD))) == 7
    ring = ir.CardField(table.rings, num(2, CARD), (ir.Axis(ir.Load(table.seat), 0, 2, 1, False),), INT, 0)
    assert value(table, ring) == 4
    assert fault(table, table.field_of(table.number, ir.Load(table.maybe))).code == "RR0605"


def test_sets() -> None:
    table = Table()
    assert value(table, ir.Contains(num(3, CARD), ir.Load(table.some_cards)), BOOL) == 1
    assert value(table, ir.Contains(num(4, CARD), ir.Load(table.some_cards)), BOOL) == 0
    assert value(table, ir.Single(num(4, CARD), CARDS), CARDS) == 16
    assert value(table, ir.Size(ir.Load(table.some_cards))) == 3
    assert value(table, ir.PlayersIn(), PLAYERS) == 3


def test_zones() -> None:
    table = Table()
    hand = zone_at(table.hand, seat(0))
    dynamic = zone_at(table.hand, ir.Load(table.seat))
    assert value(table, ir.ZoneCount(hand)) == 3
    assert value(table, ir.ZoneCount(dynamic)) == 1
    assert value(table, ir.ZoneCards(hand), CARDS) == 0b111
    assert value(table, ir.ZoneCards(zone_at(table.pile)), CARDS) == 0b110000
    assert value(table, ir.Size(ir.ZoneCards(zone_at(table.pile)))) == 2
    assert value(table, ir.UndrawnCount(zone_at(table.deck))) == 0
    assert value(table, ir.UndrawnCount(hand)) == 0
    assert value(table, ir.InZone(num(3, CARD), dynamic), BOOL) == 1
    assert value(table, ir.InZone(num(3, CARD), hand), BOOL) == 0


def test_ends_of_zones() -> None:
    table = Table()
    assert value(table, ir.ZoneEnd(zone_at(table.pile), ir.End.HEAD, 0), CARD) == 4
    assert value(table, ir.ZoneEnd(zone_at(table.pile), ir.End.TAIL, 0), CARD) == 5
    assert value(table, ir.ZoneEnd(zone_at(table.hand, seat(1)), ir.End.HEAD, 0), CARD) == 3
    empty = fault(table, ir.ZoneEnd(zone_at(table.row), ir.End.TAIL, 0), CARD)
    assert (empty.code, empty.message) == ("RR0606", "there is no card in row")
    assert empty.help == "ask first: `if row is not empty:`, or give the zone a `refill`"
    assert fault(table, ir.ZoneEnd(zone_at(table.deck), ir.End.HEAD, 0), CARD).code == "RR0606"
    several = fault(table, ir.ZoneEnd(zone_at(table.hand, seat(0)), ir.End.HEAD, 0), CARD)
    assert several.message == "hand of P1 holds more than one card and has no order, so it has no top"


def test_neighbours_and_who_sees() -> None:
    table = Table(3)
    assert value(table, ir.Neighbour(seat(2), 1, 0), PLAYER) == 0
    assert value(table, ir.Neighbour(seat(0), -1, 0), PLAYER) == 2
    nobody = table.variable("nobody", CARD_OR_NONE, (-1,))
    assert fault(table, ir.Neighbour(ir.Load(nobody), 1, 0), PLAYER).code == "RR0605"
    assert value(table, ir.Sees(seat(1), zone_at(table.hand, seat(1), 3)), BOOL) == 1
    assert value(table, ir.Sees(seat(0), zone_at(table.hand, seat(1), 3)), BOOL) == 0


def test_knowing_is_seeing_or_having_seen() -> None:
    table = Table()
    table.uses_knowledge = True
    assert value(table, ir.Knows(seat(0), num(1, CARD)), BOOL) == 1
    assert value(table, ir.Knows(seat(1), num(1, CARD)), BOOL) == 0


def test_folds() -> None:
    table = Table()
    number = table.field_of(table.number)
    big = less(num(1), number)
    fold = table.fold
    assert value(table, fold(FoldKind.SUM, number)) == 6
    assert value(table, fold(FoldKind.SUM, number, big)) == 5
    assert value(table, fold(FoldKind.COUNT, None, big)) == 2
    assert value(table, fold(FoldKind.COUNT)) == 3
    assert value(table, fold(FoldKind.SOME, eq(number, num(2)), type_=BOOL), BOOL) == 1
    assert value(table, fold(FoldKind.SOME, eq(number, num(7)), type_=BOOL), BOOL) == 0
    assert value(table, fold(FoldKind.SOME, None, big, type_=BOOL), BOOL) == 1
    assert value(table, fold(FoldKind.EVERY, big, type_=BOOL), BOOL) == 0
    assert value(table, fold(FoldKind.EVERY, big, big, type_=BOOL), BOOL) == 1
    assert value(table, fold(FoldKind.MIN, number)) == 1
    assert value(table, fold(FoldKind.MAX, number)) == 3
    assert value(table, fold(FoldKind.SAME, table.field_of(table.suit), type_=BOOL), BOOL) == 0
    assert value(table, fold(FoldKind.SAME, table.field_of(table.suit), big, type_=BOOL), BOOL) == 1
    assert value(table, fold(FoldKind.DISTINCT, table.field_of(table.suit))) == 2
    assert value(table, fold(FoldKind.BEST, table.field_of(table.suit), type_=CARD), CARD) == 1
    assert value(table, fold(FoldKind.FIRST, None, big, type_=CARD), CARD) == 0
    assert value(table, fold(FoldKind.SET, CARD_LOCAL, big, type_=CARDS), CARDS) == 0b101
    assert value(table, fold(FoldKind.SET, table.field_of(table.suit), type_=SetType(SUIT)), SetType(SUIT)) == 0b011


def test_folds_of_nothing() -> None:
    table = Table()
    never = eq(table.field_of(table.number), num(99))
    number = table.field_of(table.number)
    fold = table.fold
    assert value(table, fold(FoldKind.SUM, number, never)) == 0
    assert value(table, fold(FoldKind.COUNT, None, never)) == 0
    assert value(table, fold(FoldKind.SOME, None, never, type_=BOOL), BOOL) == 0
    assert value(table, fold(FoldKind.EVERY, never, never, type_=BOOL), BOOL) == 1
    assert value(table, fold(FoldKind.SAME, number, never, type_=BOOL), BOOL) == 1
    assert value(table, fold(FoldKind.DISTINCT, number, never)) == 0
    for kind in (FoldKind.MIN, FoldKind.MAX, FoldKind.BEST, FoldKind.FIRST):
        body = None if kind is FoldKind.FIRST else number
        assert value(table, fold(kind, body, never, default=add(ir.Load(table.x), num(1)))) == 6
        caught = fault(table, fold(kind, body, never))
        assert (caught.code, caught.message) == ("RR0611", f"`{kind.value}` of nothing")


def test_the_first_of_equals_is_the_best() -> None:
    table = Table(3)
    points = ir.Load(at(table.variable("pts", ArrayType(INT, PLAYER), (4, 9, 9)), ir.Local(0, PLAYER), 3))
    after = ir.SeatDomain(ir.PlayersIn(), seat(2), True, False)
    assert (
        value(table, table.fold(FoldKind.BEST, points, domain=ir.SetDomain(ir.PlayersIn()), type_=PLAYER), PLAYER) == 1
    )
    assert value(table, table.fold(FoldKind.BEST, points, domain=after, type_=PLAYER), PLAYER) == 2


def test_seats_in_order() -> None:
    for start, inclusive, backwards, order in [
        (1, True, False, [1, 2, 3, 0]),
        (1, False, False, [2, 3, 0]),
        (1, False, True, [0, 3, 2]),
        (3, True, True, [3, 2, 1, 0]),
    ]:
        table = Table(4)
        left: ir.Expr = ir.PlayersIn()
        found = []
        for _ in order:
            domain = ir.SeatDomain(left, seat(start), inclusive, backwards)
            first = value(table, table.fold(FoldKind.FIRST, domain=domain, type_=PLAYER), PLAYER)
            found.append(first)
            left = ir.Binary("without", left, num(1 << first, PLAYERS), PLAYERS, 0)
        assert found == order
        rest = ir.SeatDomain(left, seat(start), inclusive, backwards)
        assert value(table, table.fold(FoldKind.COUNT, domain=rest)) == 0


def test_domains() -> None:
    table = Table()
    i = ir.Local(0, INT)
    fold = table.fold
    numbers = ir.NumberDomain(num(2), ir.Load(table.x))
    assert value(table, fold(FoldKind.SUM, i, domain=numbers)) == 14
    assert value(table, fold(FoldKind.SUM, i, domain=ir.NumberDomain(num(3), num(2)))) == 0
    even = ir.FilteredDomain(0, numbers, eq(ir.Binary("%", i, num(2), INT, 0), num(0)))
    assert value(table, fold(FoldKind.SUM, i, domain=even)) == 6
    assert value(table, fold(FoldKind.SUM, i, domain=ir.SetDomain(num(0b1101, SetType(SUIT))))) == 5
    cards = ir.SetDomain(ir.Load(table.some_cards))
    assert value(table, fold(FoldKind.SUM, table.field_of(table.number), domain=cards)) == 15
    assert value(table, fold(FoldKind.FIRST, domain=ir.ZoneDomain(zone_at(table.pile)), type_=CARD), CARD) == 4
    assert (
        value(table, fold(FoldKind.SUM, table.field_of(table.number), domain=ir.ZoneDomain(zone_at(table.pile)))) == 10
    )
    assert value(table, fold(FoldKind.COUNT, domain=ir.ZoneDomain(zone_at(table.deck)))) == 0


def test_a_range_of_millions_is_a_fault() -> None:
    table = Table()
    huge = table.variable("huge", INT, (2_000_000_000,))
    caught = fault(table, table.fold(FoldKind.COUNT, domain=ir.NumberDomain(num(1), ir.Load(huge))))
    assert caught.code == "RR0601"


def test_a_sum_may_pass_the_range_on_its_way_but_not_end_there() -> None:
    table = Table()
    big = ir.Binary("*", ir.Binary("-", ir.Load(table.x), table.field_of(table.number), INT, 0), num(10**9), INT, 0)
    assert fault(table, table.fold(FoldKind.SUM, big)).code == "RR0602"
    shifted = ir.Conditional(eq(table.field_of(table.number), num(1)), num(-(2**31)), num(2**31 - 1), INT)
    assert value(table, table.fold(FoldKind.SUM, shifted)) == 2**31 - 2


def test_functions_small_and_large() -> None:
    table = Table()
    double = table.function((INT,), ir.Binary("*", ir.Local(0, INT), num(2), INT, 0))
    assert value(table, ir.CallFunction(double, (ir.Load(table.x),), INT)) == 10
    count = ir.Local(1, INT)
    blocks = (
        ir.Block((ir.SetLocal(1, num(0)),), ir.Jump(1), -1, 0),
        ir.Block((), ir.Branch(less(count, ir.Local(0, INT)), 2, 3), -1, 0),
        ir.Block((ir.SetLocal(1, add(count, num(3))),), ir.Jump(1), -1, 0),
        ir.Block((), ir.Return(None, count), -1, 0),
    )
    threes = table.function((INT,), None, blocks=blocks)
    assert value(table, ir.CallFunction(threes, (ir.Load(table.x),), INT)) == 6
    assert value(table, add(ir.CallFunction(threes, (num(7),), INT), num(1))) == 10


def test_a_function_that_fails_or_never_ends() -> None:
    table = Table()
    stuck = table.function((), None, blocks=(ir.Block((), ir.Fail("no way on from here", 0), -1, 0),))
    caught = fault(table, ir.CallFunction(stuck, (), INT))
    assert (caught.code, caught.message) == ("RR0613", "no way on from here")
    loop = table.function((), None, blocks=(ir.Block((), ir.Jump(0), -1, 0),))
    assert fault(table, ir.CallFunction(loop, (), INT)).code == "RR0601"


def test_folds_nested_deep() -> None:
    table = Table()
    expr: ir.Expr = num(1)
    for local in range(30, 8, -1):
        expr = ir.Fold(FoldKind.SUM, local, ir.SetDomain(num(1, SetType(SUIT))), None, expr, None, INT, 0)
    assert value(table, expr) == 1


def test_a_long_sum() -> None:
    table = Table()
    expr: ir.Expr = ir.Load(table.x)
    for _ in range(150):
        expr = ir.Binary("min", add(expr, ir.Load(table.x)), num(1000), INT, 0)
    assert value(table, expr) == 755


def test_functions_may_call_each_other_often() -> None:
    table = Table()
    last = table.function((INT,), ir.Binary("min", ir.Local(0, INT), ir.Load(table.x), INT, 0))
    for _ in range(9):
        call = ir.CallFunction(last, (ir.Local(0, INT),), INT)
        last = table.function((INT,), ir.Binary("min", add(add(call, call), call), num(1000), INT, 0))
    assert value(table, ir.CallFunction(last, (num(1),), INT)) == 1000


def test_functions_may_call_each_other_deep() -> None:
    table = Table()
    last = table.function((INT,), ir.Local(0, INT))
    for _ in range(400):
        call = ir.CallFunction(last, (ir.Local(0, INT),), INT)
        last = table.function((INT,), ir.Binary("min", add(num(2), call), num(999), INT, 0))
    assert value(table, ir.CallFunction(last, (num(1),), INT)) == 801
