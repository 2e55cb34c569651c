"""How blocks end: jumps, calls and returns of procedures, questions. (Chance has a page of its own.)

A frame is static, so a call is a few stores and a return a few zeros. Where a procedure may be in progress several
times, the frames of the earlier calls are kept behind its own (see `ir.program.Procedure`). Imports facts, ir and run
only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from rulerun.ir import nodes as ir
from rulerun.ir.program import CHOOSER, Procedure
from rulerun.ir.types import BOOL, CARDS
from rulerun.ir.typing import is_card_set, type_of
from rulerun.run import chance
from rulerun.run.places import not_none, put_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulerun.run.closures import Put, Registers, Vector, Way
    from rulerun.run.planner import Planner


def way(plan: Planner, number: int, end: ir.Terminator) -> Way:
    """Plans the end of block ``number``. Next comes the block that it gives, or ``~number`` where it stops to be asked
    or for chance, or nothing more: 0."""
    match end:
        case ir.Jump(to):
            return lambda _v, _r: to
        case ir.Branch(condition, then, otherwise):
            holds = plan.value(condition)
            return lambda v, r: then if holds(v, r) else otherwise
        case ir.Switch(value, targets, default):
            chosen, among = plan.value(value), range(len(targets))
            return lambda v, r: targets[which] if (which := chosen(v, r)) in among else default
        case ir.CallProcedure():
            return _call(plan, end)
        case ir.Return(procedure, value):
            assert procedure is not None
            return _return(plan, plan.program.procedures[procedure], value)
        case ir.Choose():
            return _ask(plan, number, end)
        case ir.Draw():
            return chance.draw(plan, number, end)
        case ir.Pick():
            return chance.pick(plan, number, end)
        case ir.Finish():
            return lambda _v, _r: 0
        case ir.Fail(message, at, fault):
            fail = plan.faults[fault]
            return lambda _v, _r: fail(at, message)
        case _:
            assert_never(end)


def _ask(plan: Planner, number: int, choose: ir.Choose) -> Way:
    chooser = not_none(plan, choose.chooser, choose.at)

    def ask(v: Vector, r: Registers) -> int:
        v[CHOOSER] = chooser(v, r)
        return ~number

    return ask


def _put_given(plan: Planner, offset: int, given: ir.Expr, at: int) -> Put:
    """Stores an argument or a result: a set of cards takes several words."""
    return put_in(plan, ir.Place(offset, (), CARDS if is_card_set(type_of(given)) else BOOL, at))


def _call(plan: Planner, call: ir.CallProcedure) -> Way:
    callee = plan.program.procedures[call.procedure]
    values = [plan.number(argument) for argument in call.arguments]
    puts = [_put_given(plan, o, given, call.at) for o, given in zip(callee.params, call.arguments, strict=True)]
    keep = _keep_frame(plan, callee, call.at) if callee.nested > 1 else None
    back, place, entry = call.back, callee.return_place, callee.entry

    def enter(v: Vector, r: Registers) -> int:
        given = [value(v, r) for value in values]
        if keep is not None and v[place]:
            keep(v)
        for put, argument in zip(puts, given, strict=True):
            put(v, r, argument)
        v[place] = back
        return entry

    def enter_plainly(v: Vector, _r: Registers) -> int:
        v[place] = back
        return entry

    return enter if values or keep is not None else enter_plainly


def _return(plan: Planner, mine: Procedure, result: ir.Expr | None) -> Way:
    place, start, end = mine.return_place, mine.frame, mine.kept
    kept_from = mine.result_place if mine.result_place >= 0 else end
    kept_to = kept_from + mine.result_words if mine.result_place >= 0 else end
    above, below = [0] * (kept_from - start), [0] * (end - kept_to)
    restore = _restore_frame(mine) if mine.nested > 1 else None

    def leave(v: Vector, _r: Registers) -> int:
        back = v[place]
        v[start:kept_from] = above
        v[kept_to:end] = below
        if restore is not None:
            restore(v)
        return back

    if result is None or mine.result_place < 0:
        return leave
    value, put = plan.number(result), _put_given(plan, mine.result_place, result, mine.at)

    def leave_with_result(v: Vector, r: Registers) -> int:
        put(v, r, value(v, r))
        return leave(v, r)

    return leave_with_result


def _keep_frame(plan: Planner, mine: Procedure, at: int) -> Callable[[Vector], None]:
    """Puts the frame of a procedure that is in progress aside, for a call of it that is nested in that one."""
    words, fault = mine.frame_words, plan.faults["too_deep"]

    def keep(v: Vector) -> None:
        kept = v[mine.kept]
        if kept >= mine.nested - 1:
            fault(at, mine.name, mine.nested)
        to = mine.kept + 1 + kept * words
        v[to : to + words] = v[mine.frame : mine.kept]
        v[mine.frame : mine.kept] = [0] * words
        v[mine.kept] = kept + 1

    return keep


def _restore_frame(mine: Procedure) -> Callable[[Vector], None]:
    """Brings the frame that was put aside last back, but for the result of the call that has just ended."""
    words, result = mine.frame_words, slice(mine.result_place, mine.result_place + mine.result_words)

    def restore(v: Vector) -> None:
        if not v[mine.kept]:
            return
        kept = v[mine.kept] - 1
        start = mine.kept + 1 + kept * words
        given = v[result] if mine.result_place >= 0 else []
        v[mine.frame : mine.kept] = v[start : start + words]
        if given:
            v[result] = given
        v[start : start + words] = [0] * words
        v[mine.kept] = kept

    return restore
