"""Forks of the rules that show by themselves: whoever hears what is told next knows which way was taken.

``for c in hand[you] where …: move c to hand[me]`` asks hidden faces, but all see each card that moves; so what was
counted meanwhile everyone could have counted. In general: of a fork that depends on a secret, let the *next* things
told on each way be of different sorts or places; then what is told settles the fork, before anything that follows on
it can be read (what reads is told, too). That is a test of one symbol ahead, as in LL(1) parsing.
"""

from __future__ import annotations

from typing import assert_never

from rulerun.check.sight.facts import Sights
from rulerun.check.sight.values import Told
from rulerun.ir import nodes as ir
from rulerun.ir.program import Program, SeenBy
from rulerun.ir.traverse import targets_of


class Foretold:
    """``first[block]``: what may be told next when a block begins."""

    def __init__(self, program: Program, sights: Sights) -> None:
        self._program = program
        self._sights = sights
        self.first: list[frozenset[Told]] = [frozenset()] * len(program.blocks)
        self._follow: dict[int, set[int]] = {number: set() for number in range(len(program.procedures))}
        for block in program.blocks:
            if isinstance(block.end, ir.CallProcedure):
                self._follow[block.end.procedure].add(block.end.back)
        self._heads = [self._of_ops(block.ops) for block in program.blocks]
        self._close()

    def of_way(self, block: int, full: int | None = None) -> frozenset[Told]:
        """What may be told next on the way to a block, where the set at place ``full`` is not empty."""
        if full is None:
            return self.first[block]
        told, surely = self._of_ops(self._program.blocks[block].ops, full)
        return told if surely else told | self._of_end(block)

    def _close(self) -> None:
        changed = True
        while changed:
            changed = False
            for number in reversed(range(len(self._program.blocks))):
                told, surely = self._heads[number]
                found = told if surely else told | self._of_end(number)
                if found != self.first[number]:
                    self.first[number] = found
                    changed = True

    def _of_end(self, number: int) -> frozenset[Told]:
        end = self._program.blocks[number].end
        match end:
            case ir.Jump() | ir.Branch() | ir.Switch() | ir.Draw():
                return self._of_blocks(targets_of(end))
            case ir.Pick(told=True, kept=None):
                return frozenset((("chance", end.at),))
            case ir.Pick():
                return self._of_blocks(targets_of(end))
            case ir.CallProcedure(procedure):
                return self.first[self._program.procedures[procedure].entry]
            case ir.Return(procedure):
                return self._of_blocks(self._follow[procedure]) if procedure is not None else frozenset()
            case ir.Choose(sealed=True) | ir.Choose(silent=True):
                return self._of_blocks(targets_of(end))
            case ir.Choose(site, passing=passing, optional=optional):
                asked = frozenset((("asked", site),))
                return asked if optional or passing is None else asked | self.first[passing]
            case ir.Finish():
                return frozenset((("end", 0),))
            case ir.Fail():
                return frozenset((("fault", end.at),))
            case _:
                assert_never(end)

    def _of_blocks(self, blocks: set[int] | list[int]) -> frozenset[Told]:
        return frozenset().union(*(self.first[block] for block in blocks))

    def _of_ops(self, ops: tuple[ir.Op, ...], full: int | None = None) -> tuple[frozenset[Told], bool]:
        """What may be told first by operations; whether one of them surely tells."""
        found: set[Told] = set()
        filled = set() if full is None else {full}
        for op in ops:
            told, surely = self.of_op(op, frozenset(filled))
            if told is not None:
                found.add(told)
            if surely:
                return frozenset(found), True
            if isinstance(op, ir.Store) and not op.place.axes:
                (filled.add if isinstance(op.value, ir.Single) else filled.discard)(op.place.offset)
        return frozenset(found), False

    def of_op(self, op: ir.Op, full: frozenset[int]) -> tuple[Told | None, bool]:
        """What an operation tells everyone (maybe), and whether it surely does. ``full``: places of sets that are not
        empty."""
        families = self._program.families
        match op:
            case ir.Store(place):
                variable = self._sights.variables.get(place.offset)
                if variable is None or variable.seen_by is not SeenBy.EVERYONE:
                    return None, False
                return ("value", variable.offset), False
            case ir.Snapshot() | ir.SetLocal() | ir.Clear():
                return None, False
            case ir.MoveCard():
                return ("moved", op.to.family), True
            case ir.MoveCards(cards):
                return ("moved", op.to.family), place_read(cards) in full
            case ir.MoveAll():
                return ("moved", op.to.family), False
            case ir.CollectAll() | ir.Collect():
                return ("collected", op.to.family), True
            case ir.Shuffle():
                return ("shuffled", op.zone.family), families[op.zone.family].kind.ordered
            case ir.TurnOver():
                return ("turned over", op.zone.family), families[op.zone.family].kind.ordered
            case ir.Refill():
                return ("refilled", op.zone.family), False
            case ir.SwapCards():
                return ("swapped", 0), False
            case ir.SwapZones():
                return ("exchanged", op.left.family), True
            case ir.Reveal(cards):
                return ("shown", 0), place_read(cards) in full
            case ir.Flip():
                return ("flipped", int(op.up)), False
            case ir.Announce():
                return ("said", op.at), True
            case ir.Tell():
                return ("chosen", op.site), True
            case ir.Leave():
                return ("left", 0), False
            case ir.Rejoin():
                return ("rejoined", 0), False
            case ir.Reverse():
                return ("reversed", 0), True
            case ir.Inform():
                return ("fact", op.at), True
            case _:
                assert_never(op)


def place_read(expr: ir.Expr) -> int | None:
    """The place that an expression just reads."""
    return expr.place.offset if isinstance(expr, ir.Load) and not expr.place.axes else None


def not_empty(condition: ir.Expr) -> tuple[int | None, int | None]:
    """The place of a set that is not empty where a condition holds; and where it does not."""
    match condition:
        case ir.Binary(op, ir.Size(of), ir.Const(0)) if op in ("==", "!=", ">"):
            place = place_read(of)
            return (None, place) if op == "==" else (place, None)
        case ir.Unary("not", operand):
            holds, fails = not_empty(operand)
            return fails, holds
        case _:
            return None, None


def reunions(program: Program) -> list[int | None]:
    """Per block the nearest one of its procedure that all ways from it pass, where they end at all; None: there is
    none. A call is taken as a way to where it returns."""
    return _postdominators([list(dict.fromkeys(targets_of(block.end))) for block in program.blocks])


def _postdominators(ways: list[list[int]]) -> list[int | None]:
    """The nearest block that every way out passes (Cooper, Harvey and Kennedy, A Simple, Fast Dominance Algorithm, on
    the reverse graph); None where there is none."""
    leaving = len(ways)
    ways = _with_a_way_out(ways, leaving)
    into: list[list[int]] = [[] for _ in range(leaving + 1)]
    for number, targets in enumerate(ways):
        for to in targets:
            into[to].append(number)
    order: list[int] = []
    seen = {leaving}
    stack = [(leaving, iter(into[leaving]))]
    while stack:
        block, left = stack[-1]
        following = next(left, None)
        if following is None:
            order.append(block)
            stack.pop()
        elif following not in seen:
            seen.add(following)
            stack.append((following, iter(into[following])))
    rank = {block: place for place, block in enumerate(order)}
    nearest: dict[int, int] = {leaving: leaving}
    changed = True
    while changed:
        changed = False
        for block in reversed(order[:-1]):
            found: int | None = None
            for to in ways[block]:
                if to in nearest:
                    found = to if found is None else _meet(found, to, nearest, rank)
            if found is not None and nearest.get(block) != found:
                nearest[block] = found
                changed = True
    return [None if (after := nearest.get(block)) == leaving else after for block in range(leaving)]


def _with_a_way_out(ways: list[list[int]], leaving: int) -> list[list[int]]:
    """The same ways, and one out of the first block of each loop that has none."""
    result = [targets or [leaving] for targets in ways]
    into: dict[int, list[int]] = {}
    for number, targets in enumerate(result):
        for to in targets:
            into.setdefault(to, []).append(number)
    reached = {leaving}
    waiting = [leaving]
    unreached = iter(range(leaving))
    while True:
        while waiting:
            for number in into.get(waiting.pop(), ()):
                if number not in reached:
                    reached.add(number)
                    waiting.append(number)
        head = next((n for n in unreached if n not in reached and any(m >= n for m in into.get(n, ()))), None)
        if head is None:
            return result
        result[head] = [*result[head], leaving]
        reached.add(head)
        waiting.append(head)


def _meet(one: int, other: int, nearest: dict[int, int], rank: dict[int, int]) -> int:
    while one != other:
        while rank[one] < rank[other]:
            one = nearest[one]
        while rank[other] < rank[one]:
            other = nearest[other]
    return one
