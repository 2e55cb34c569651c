"""The verifier: a sound program has no problems, and each promise that is broken is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from ir_builder import HAND, NOBODY, OWNER, PILE, Builder, choose, eq, line, num, seat, zone_at
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import FoldKind, Identity
from rulerun.ir.program import ConstantTable, Function, Program, RefillRule
from rulerun.ir.types import BOOL, CARD, CARDS, INT, PLAYER, ArrayType
from rulerun.ir.verifier import verify

C = ir.Local(0, CARD)


class Table(Builder):
    def __init__(self) -> None:
        super().__init__(2, (0, 1, 1))
        self.field("number", (3, 1, 1))
        self.field("rings", (0, 1, 2, 3, 2, 3), INT, width=2)
        self.hand = self.zone("hand", HAND, OWNER, per_player=True)
        self.pile = self.zone("pile", PILE, NOBODY, shuffled=True)
        self.plain = self.zone("plain", PILE, NOBODY)
        self.x = self.variable("x", INT, (5,))
        self.per = self.variable("per", ArrayType(INT, PLAYER))
        self.tables.append(ConstantTable("points", (4, 5)))

    def sound(self) -> Program:
        entry, back, body = self.reserve(), self.reserve(), self.reserve()
        procedure = self.procedure(body, (INT,), INT, 3)
        self.block([ir.Store(self.x, num(1), 0)], ir.CallProcedure(procedure, (num(1),), back, 0), entry)
        hand = ir.Binder(0, ir.ZoneDomain(zone_at(self.hand, seat(0))), Identity.BY_KIND, self.x)
        self.block([ir.Shuffle(zone_at(self.pile), 0)], choose(seat(0), [line(0, [hand], where=eq(C, C))]), back)
        self.block([], ir.Return(procedure, num(1)), body)
        return self.bare_program(entry)


def with_op(op: ir.Op) -> list[str]:
    table = Table()
    return verify(table.bare_program(table.block([op], ir.Finish())))


def with_end(end: ir.Terminator) -> list[str]:
    table = Table()
    return verify(table.bare_program(table.block([], end)))


def with_expr(expr: ir.Expr) -> list[str]:
    return with_end(ir.Branch(expr, 0, 0))


def test_a_sound_program_has_no_problems() -> None:
    assert verify(Table().sound()) == []


def axis(size: int, index: ir.Expr | None = None, stride: int = 1) -> tuple[ir.Axis, ...]:
    return (ir.Axis(index or num(0), 0, size, stride, False),)


X = ir.Place(8, (), INT, 0)


@pytest.mark.parametrize(
    ("expr", "problem"),
    [
        (C, "l0 is read where nothing binds it"),
        (num(2**31), "the constant 2147483648 is no word of a int"),
        (ir.Load(ir.Place(7, (), INT, 0)), "a place at words 7 to 7, outside the variables and frames"),
        (ir.Load(ir.Place(9, axis(3), INT, 0)), "a place at words 9 to 11, outside the variables and frames"),
        (ir.Load(ir.Place(9, (), ArrayType(INT, PLAYER), 0)), "a place of a whole array"),
        (ir.Load(replace(X, at=9)), "origin 9 does not exist"),
        (ir.Load(ir.Place(9, axis(2, stride=0), INT, 0)), "an axis of size 2 and stride 0"),
        (ir.Binary("<>", num(1), num(1), BOOL, 0), "no such operator: <>"),
        (ir.Unary("abs", num(1), 0), "no such operator: abs"),
        (ir.ZoneCount(ir.ZoneRef(9, (), 0)), "zone family 9 does not exist"),
        (ir.ZoneCount(zone_at(0)), "0 indices for zone hand, which has 1"),
        (ir.ZoneCount(zone_at(0, seat(0), 3)), "an index of zone hand reaches past its 2 instances"),
        (ir.ZoneCount(zone_at(0, seat(0), 1)), "an index of zone hand runs over 1 from 0, not 2 from 0"),
        (ir.Lookup(4, (), INT, 0), "table 4 does not exist"),
        (ir.Lookup(0, axis(3), INT, 0), "an index of table points reaches past its end"),
        (ir.CardField(7, num(0, CARD), (), INT, 0), "field 7 does not exist"),
        (ir.CardField(1, num(0, CARD), axis(3), INT, 0), "an index of field rings reaches past its width"),
        (ir.Neighbour(seat(0), 2, 0), "a neighbour 2 seats away"),
        (ir.Knows(seat(0), num(0, CARD)), "it asks what a player knows, but the program does not say so"),
        (ir.CallFunction(5, (), INT), "function 5 does not exist"),
        (ir.CallFunction(0, (), INT), "0 arguments for function f0"),
        (ir.SnapshotCount(2), "a snapshot at words 2 to 3, outside the frames"),
        (
            ir.Fold(FoldKind.SUM, 0, ir.ZoneDomain(zone_at(1)), None, None, None, INT, 0),
            "sum without a value",
        ),
    ],
)
def test_expressions(expr: ir.Expr, problem: str) -> None:
    assert f"b1: {problem}" in with_expr(expr)


def test_a_fold_binds_its_local_inside_only() -> None:
    inside = ir.Fold(FoldKind.COUNT, 0, ir.ZoneDomain(zone_at(1)), eq(C, C), None, None, INT, 0)
    assert with_expr(inside) == []
    after = ir.Fold(FoldKind.FIRST, 0, ir.ZoneDomain(zone_at(1)), None, None, C, CARD, 0)
    assert with_expr(after) == ["b1: l0 is read where nothing binds it"]


@pytest.mark.parametrize(
    ("op", "problem"),
    [
        (ir.SetLocal(0, num(1)), "SetLocal outside a function"),
        (ir.Clear(2, 3), "it clears words 2 to 4, outside the variables and frames"),
        (ir.Snapshot(ir.SetDomain(ir.PlayersIn()), 8, 60, 0), "a snapshot at words 8 to 18, outside the frames"),
        (ir.Shuffle(zone_at(2), 0), "zone plain is shuffled, but not said to be"),
        (ir.CollectAll(zone_at(2), 0), "zone plain is shuffled, but not said to be"),
        (ir.Refill(zone_at(1), zone_at(2), -1, True, 0), "a refill that keeps -1"),
        (ir.SwapZones(zone_at(1), zone_at(2), 0), "it swaps zones of two families"),
        (
            ir.Flip(num(0, CARDS), True, 0),
            "it turns cards over, but the program has no room for which of them lie face up",
        ),
        (ir.Tell(3, seat(0), 0), "it tells choice site 3, which does not exist"),
        (ir.MoveCard(C, zone_at(1), ir.Depth(C), 0), "l0 is read where nothing binds it"),
    ],
)
def test_operations(op: ir.Op, problem: str) -> None:
    assert f"b1: {problem}" in with_op(op)


HAND_BINDER = ir.Binder(0, ir.ZoneDomain(zone_at(0, seat(0))), Identity.BY_KIND, X)


@pytest.mark.parametrize(
    ("end", "problem"),
    [
        (ir.Jump(99), "block 99 does not exist"),
        (ir.Switch(num(0), (0, 77), 0), "block 77 does not exist"),
        (ir.CallProcedure(4, (), 0, 0), "procedure 4 does not exist"),
        (ir.Return(None, None), "it returns from no procedure"),
        (ir.Return(3, None), "procedure 3 does not exist"),
        (ir.Draw(zone_at(0, seat(0)), ir.End.HEAD, X, 0, None, 0), "a draw from a zone without order"),
        (ir.Fail("no", 12), "origin 12 does not exist"),
        (choose(seat(0), []), "a choice without lines"),
        (choose(seat(0), [line(0)], optional=True), "an optional choice without a block for a pass"),
        (choose(seat(0), [line(0)], site=3), ""),
        (choose(seat(0), [line(50)]), "block 50 does not exist"),
        (
            choose(seat(0), [line(0, [replace(HAND_BINDER, identity=Identity.BY_POSITION)])]),
            "a choice by place that is not from a zone with order",
        ),
        (
            choose(seat(0), [line(0, [replace(HAND_BINDER, domain=ir.ZoneDomain(zone_at(1)))])]),
            "a choice by kind that is not from a zone without order",
        ),
        (
            choose(seat(0), [line(0, [replace(HAND_BINDER, identity=Identity.MULTISET)])]),
            "a choice of a set into a place that holds none",
        ),
        (
            choose(
                seat(0), [line(0, [replace(HAND_BINDER, identity=Identity.EXACT, place=ir.Place(8, (), CARDS, 0))])]
            ),
            "a choice of one value into a place of a set",
        ),
    ],
)
def test_ends_of_blocks(end: ir.Terminator, problem: str) -> None:
    found = with_end(end)
    if problem:
        assert f"b1: {problem}" in found
    else:
        assert found == ["program: choice sites are not numbered one after the other: [3]"]


def broken(change: Callable[[Program], Program]) -> list[str]:
    return verify(change(Table().sound()))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda p: replace(p, kinds=(0, 1)), "program: 2 kinds for 3 cards"),
        (lambda p: replace(p, kinds=(0, 2, 1)), "program: kind 2 of card 1 comes before kind 1"),
        (lambda p: replace(p, kinds=(0, 0, 1)), "program: cards of kind 0 differ in field number"),
        (lambda p: replace(p, kind_names=("a",)), "program: 1 names of faces, 2 of backs for 2 kinds"),
        (lambda p: replace(p, score=9), "program: the score is no function"),
        (lambda p: replace(p, entry=99), "program: it begins at block 99, which does not exist"),
        (lambda p: replace(p, blocks=p.blocks[1:]), "program: block 0 is not a bare Finish"),
        (lambda p: replace(p, start=(0, 0, 9)), "program: a card starts in a zone that does not exist"),
        (lambda p: replace(p, zones=p.zones[:-1]), "program: 3 zone instances, the families make 4"),
        (
            lambda p: replace(p, families=(*p.families[:2], replace(p.families[2], refill=RefillRule(0, 1, True)))),
            "program: zone plain is refilled from hand, which has other keys",
        ),
        (
            lambda p: replace(p, variables=(p.variables[0], replace(p.variables[1], offset=8))),
            "program: variable per overlaps another",
        ),
        (
            lambda p: replace(p, variables=(replace(p.variables[0], start=(1, 2)), p.variables[1])),
            "program: variable x starts with 2 words of 1",
        ),
        (
            lambda p: replace(p, variables=(*p.variables, replace(p.variables[0], unit=0))),
            "program: local x lies outside the frame of rule",
        ),
        (
            lambda p: replace(p, procedures=(replace(p.procedures[0], return_place=8),)),
            "procedure rule: a place of it lies outside its frame",
        ),
        (
            lambda p: replace(p, procedures=(replace(p.procedures[0], params=()),)),
            "b1: 1 arguments for rule",
        ),
        (lambda p: replace(p, face_up=7), "program: which cards lie face up is kept outside the variables"),
        (lambda p: replace(p, layout=replace(p.layout, size=99)), "program: the layout does not belong to the program"),
    ],
)
def test_declarations(change: Callable[[Program], Program], problem: str) -> None:
    assert problem in broken(change)


def test_functions() -> None:
    table = Table()
    table.functions.append(Function("odd", (), INT, (), (ir.Block((ir.Clear(8, 1),), ir.Finish(), -1, 0),), 0))
    table.functions.append(Function("loop", (), INT, (), (ir.Block((), ir.Return(None, call(2)), -1, 0),), 0))
    table.functions.append(Function("none", (), INT, (), (), 0))
    found = verify(table.sound())
    assert "function odd b0: a function cannot do Clear" in found
    assert "function odd b0: a function cannot end in Finish" in found
    assert "function loop: it calls itself" in found
    assert "function none: it has no blocks" in found


def call(number: int) -> ir.Expr:
    return ir.CallFunction(number, (), INT)


def test_a_procedure_that_never_ends() -> None:
    table = Table()
    entry = table.reserve()
    table.procedure(entry)
    table.block([], ir.Jump(entry), entry)
    assert verify(table.program(entry)) == ["program: procedure rule never ends"]


def test_a_loop_that_burns_no_fuel() -> None:
    table = Table()
    entry, other = table.reserve(), table.reserve()
    table.block([], ir.Jump(other), entry)
    table.block([], ir.Branch(ir.Const(0, BOOL), entry, 0), other)
    assert verify(table.bare_program(entry)) == [f"program: the loop of b{entry} burns no fuel"]
    assert verify(table.program(entry)) == []
