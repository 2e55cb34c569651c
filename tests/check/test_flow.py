"""Control flow under construction: what the builders leave behind."""

from __future__ import annotations

from rulerun.check.rule_text.flow import FlowBuilder
from rulerun.ir import nodes as ir
from rulerun.ir.types import BOOL, INT

X = ir.Place(9, (), INT, 0)
HOLDS = ir.Binary(">", ir.Load(X), ir.Const(0, INT), BOOL, 0)
TRUE, FALSE = ir.Const(1, BOOL), ir.Const(0, BOOL)


def store(value: int) -> ir.Op:
    return ir.Store(X, ir.Const(value, INT), 0)


def blocks(flow: FlowBuilder) -> list[tuple[tuple[ir.Op, ...], ir.Terminator]]:
    made, _ = flow.finish(0, ir.Finish)
    return [(block.ops, block.end) for block in made]


def test_a_loop_asks_its_condition_before_each_time() -> None:
    flow = FlowBuilder(0)
    with flow.while_(HOLDS):
        flow.op(store(1))
    flow.op(store(2))
    assert blocks(flow) == [
        ((), ir.Branch(HOLDS, 1, 2)),
        ((store(1),), ir.Jump(0)),
        ((store(2),), ir.Finish()),
    ]


def test_the_step_of_a_loop_is_done_by_who_goes_on_early_too() -> None:
    flow = FlowBuilder(0)
    with flow.while_(HOLDS, store(3)) as loop, flow.if_(HOLDS):
        flow.jump(loop.again)
    assert blocks(flow) == [
        ((), ir.Branch(HOLDS, 1, 3)),
        ((), ir.Branch(HOLDS, 2, 2)),
        ((store(3),), ir.Jump(0)),
        ((), ir.Finish()),
    ]


def test_a_loop_can_be_left_from_inside() -> None:
    flow = FlowBuilder(0)
    with flow.while_(TRUE) as loop:
        flow.branch(HOLDS, loop.done, loop.again)
    assert blocks(flow) == [((), ir.Branch(HOLDS, 1, 0)), ((), ir.Finish())]


def test_a_loop_that_never_begins_vanishes() -> None:
    flow = FlowBuilder(0)
    with flow.while_(FALSE):
        flow.op(store(1))
    assert blocks(flow) == [((), ir.Finish())]


def test_what_follows_an_if_is_done_in_any_case() -> None:
    flow = FlowBuilder(0)
    with flow.if_(HOLDS):
        flow.op(store(1))
    flow.op(store(2))
    assert blocks(flow) == [
        ((), ir.Branch(HOLDS, 1, 2)),
        ((store(1),), ir.Jump(2)),
        ((store(2),), ir.Finish()),
    ]


def test_a_fault_stands_where_a_condition_fails_or_holds() -> None:
    flow, fail = FlowBuilder(0), ir.Fail("no", 0)
    flow.require(HOLDS, fail)
    flow.refuse(HOLDS, fail)
    assert blocks(flow) == [
        ((), ir.Branch(HOLDS, 1, 4)),
        ((), ir.Branch(HOLDS, 2, 3)),
        ((), fail),
        ((), ir.Finish()),
        ((), fail),
    ]


def test_an_end_with_one_way_on_is_gone_across() -> None:
    flow = FlowBuilder(0)
    flow.across(lambda back: ir.CallProcedure(7, (), back, 0))
    flow.op(store(1))
    assert blocks(flow) == [((), ir.CallProcedure(7, (), 1, 0)), ((store(1),), ir.Finish())]
