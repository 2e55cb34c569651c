"""What folds mean: a loop for each kind. See `ir.expressions.FoldKind`.

The register of the fold holds the element that is looked at; an element for which ``test`` (None: there is none) fails
is passed over. Imports facts, ir and run only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from rulerun.ir import nodes as ir
from rulerun.ir.nodes import FoldKind
from rulerun.ir.types import INT_MAX, INT_MIN
from rulerun.run.places import always

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rulerun.run.closures import Elements, Registers, Value, Vector
    from rulerun.run.planner import Planner

    Fault = Callable[..., object]


def value(plan: Planner, fold: ir.Fold) -> Value:
    """Plans a fold."""
    if plan.annotations and fold.sets is not None:
        return plan.value(fold.sets)
    elements, local, test = plan.elements(fold.domain, fold.fuel, fold.at), fold.local, plan.test(fold.where)
    of = always(1) if fold.value is None else plan.value(fold.value)
    match fold.kind:
        case FoldKind.SUM:
            return _sum(elements, local, test, of, fold.at, plan.faults["overflow"])
        case FoldKind.COUNT:
            return _count(elements, local, test)
        case FoldKind.SOME:
            return _some(elements, local, test, of)
        case FoldKind.EVERY:
            return _every(elements, local, test, of)
        case FoldKind.SAME:
            return _same(elements, local, test, of)
        case FoldKind.DISTINCT:
            return lambda v, r: len(set(_values(elements, local, test, of, v, r)))
        case FoldKind.SET:
            return _set(elements, local, test, of)
        case FoldKind.MIN:
            return _extreme(elements, local, test, of, min, _otherwise(plan, fold))
        case FoldKind.MAX:
            return _extreme(elements, local, test, of, max, _otherwise(plan, fold))
        case FoldKind.BEST:
            return _best(elements, local, test, of, _otherwise(plan, fold))
        case FoldKind.FIRST:
            return _first(elements, local, test, _otherwise(plan, fold))
        case _:
            assert_never(fold.kind)


def _otherwise(plan: Planner, fold: ir.Fold) -> Value:
    """The value of a fold over nothing."""
    if fold.default is not None:
        return plan.value(fold.default)
    fault, at, name = plan.faults["empty_fold"], fold.at, fold.kind.value
    return lambda _v, _r: fault(at, name)


def _values(
    elements: Elements, local: int, test: Value | None, of: Value, v: Vector, r: Registers
) -> Iterator[int]:
    """The values of the elements that pass, one after the other."""
    for element in elements(v, r):
        r[local] = element
        if test is None or test(v, r):
            yield of(v, r)


def _sum(elements: Elements, local: int, test: Value | None, of: Value, at: int, fault: Fault) -> Value:
    def total(v: Vector, r: Registers) -> int:
        found = 0
        for element in elements(v, r):
            r[local] = element
            if test is None or test(v, r):
                found += of(v, r)
        if not INT_MIN <= found <= INT_MAX:
            fault(at, found)
        return found

    return total


def _count(elements: Elements, local: int, test: Value | None) -> Value:
    def count(v: Vector, r: Registers) -> int:
        found = 0
        for element in elements(v, r):
            r[local] = element
            if test is None or test(v, r):
                found += 1
        return found

    return count


def _some(elements: Elements, local: int, test: Value | None, of: Value) -> Value:
    def some(v: Vector, r: Registers) -> bool:
        for element in elements(v, r):
            r[local] = element
            if (test is None or test(v, r)) and of(v, r):
                return True
        return False

    return some


def _every(elements: Elements, local: int, test: Value | None, of: Value) -> Value:
    def every(v: Vector, r: Registers) -> bool:
        for element in elements(v, r):
            r[local] = element
            if (test is None or test(v, r)) and not of(v, r):
                return False
        return True

    return every


def _same(elements: Elements, local: int, test: Value | None, of: Value) -> Value:
    def same(v: Vector, r: Registers) -> bool:
        first = None
        for element in elements(v, r):
            r[local] = element
            if test is None or test(v, r):
                found = of(v, r)
                if first is None:
                    first = found
                elif found != first:
                    return False
        return True

    return same


def _set(elements: Elements, local: int, test: Value | None, of: Value) -> Value:
    def members(v: Vector, r: Registers) -> int:
        found = 0
        for element in elements(v, r):
            r[local] = element
            if test is None or test(v, r):
                found |= 1 << of(v, r)
        return found

    return members


def _extreme(
    elements: Elements, local: int, test: Value | None, of: Value, best: Callable[[list[int]], int], otherwise: Value
) -> Value:
    def extreme(v: Vector, r: Registers) -> int:
        found = list(_values(elements, local, test, of, v, r))
        return best(found) if found else otherwise(v, r)

    return extreme


def _best(elements: Elements, local: int, test: Value | None, of: Value, otherwise: Value) -> Value:
    def best(v: Vector, r: Registers) -> int:
        found = most = None
        for element in elements(v, r):
            r[local] = element
            if test is None or test(v, r):
                worth = of(v, r)
                if most is None or worth > most:
                    found, most = element, worth
        return otherwise(v, r) if found is None else found

    return best


def _first(elements: Elements, local: int, test: Value | None, otherwise: Value) -> Value:
    def first(v: Vector, r: Registers) -> int:
        for element in elements(v, r):
            r[local] = element
            if test is None or test(v, r):
                return element
        return otherwise(v, r)

    return first
