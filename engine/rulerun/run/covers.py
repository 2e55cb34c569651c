"""What a cover means: the best way to lay out disjoint groups of a set of cards. See `ir.expressions.Cover`.

Imports facts, ir and run only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulerun.ir import nodes as ir
from rulerun.ir.program import MAX_COVERED
from rulerun.ir.types import INT_MAX, INT_MIN
from rulerun.run.domains import count_subsets, subsets
from rulerun.run.sets import bits_of

if TYPE_CHECKING:
    from rulerun.run.closures import Registers, Value, Vector
    from rulerun.run.planner import Planner


def value(plan: Planner, cover: ir.Cover) -> Value:
    """Plans a cover."""
    of, least_of, most_of = plan.value(cover.of), plan.value(cover.least), plan.value(cover.most)
    test, worth_of, local = plan.test(cover.where), plan.value(cover.value), cover.local
    too_many, overflow, burn = plan.faults["too_many_covered"], plan.faults["overflow"], plan.fuel.burn
    at, fuel, best = cover.at, cover.fuel, cover.best

    def covered(v: Vector, r: Registers) -> int:
        cards, least, most = of(v, r), max(1, least_of(v, r)), most_of(v, r)
        if cards.bit_count() > MAX_COVERED:
            too_many(at, cards.bit_count())
        burn(count_subsets(cards, least, most) * fuel, at)
        worth: list[tuple[int, int]] = []
        for group in subsets(bits_of(cards), least, most):
            r[local] = group
            if test is None or test(v, r):
                worth.append((group, worth_of(v, r)))
        burn(families_compared(cards, worth) // 8, at)
        total, covers = best_layout(cards, worth)
        if best and not INT_MIN <= total <= INT_MAX:
            overflow(at, total)
        return total if best else covers

    return covered


def families_compared(of: int, worth: Sequence[tuple[int, int]]) -> int:
    """How many families of groups are compared at most to find the best layout; ``worth`` as in `best_layout`."""
    cards = of.bit_count()
    places = {1 << card: place for place, card in enumerate(bits_of(of))}
    return (1 << cards) + sum(1 << cards - 1 - places[group & -group] for group, _ in worth)


def best_layout(of: int, worth: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The greatest worth of disjoint groups of a set of cards, and the cards that the first such layout covers.
    ``worth``: the groups in their order, each with what it is worth."""
    by_lowest: dict[int, list[tuple[int, int]]] = {}
    for group, value in worth:
        by_lowest.setdefault(group & -group, []).append((group, value))
    known: dict[int, tuple[int, int]] = {0: (0, 0)}

    def best(left: int) -> tuple[int, int]:
        found = known.get(left)
        if found is not None:
            return found
        lowest = left & -left
        ways: list[tuple[int, int]] = []
        for group, value in by_lowest.get(lowest, ()):
            if group & left == group:
                total, covered = best(left ^ group)
                ways.append((total + value, covered | group))
        ways.append(best(left ^ lowest))
        known[left] = max(ways, key=lambda way: way[0])  # the first of equals
        return known[left]

    return best(of)
