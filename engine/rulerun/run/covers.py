"""Sets of cards as elements: subsets, groups of a field, and the best cover by disjoint groups (see `ir.expressions`).

The functions here are what generated code calls; `emit_cover` writes the code of a `Cover`. Imports run and ir only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, NoReturn

from rulerun.ir import nodes as ir
from rulerun.ir.program import MAX_COVERED, MAX_SUBSETS
from rulerun.ir.types import INT_MAX, INT_MIN
from rulerun.run.sets import bits_of, mask_of

if TYPE_CHECKING:
    from rulerun.run.expressions import Emitter


def subsets(
    of: int,
    least: int,
    most: int | None,
    too_many: Callable[[int], NoReturn],
    count: Callable[[int], None] | None = None,
) -> Iterator[int]:
    """The subsets of a set of cards with ``least`` to ``most`` cards: smaller ones first, then by card numbers.
    ``count`` is told how many they are before the first."""
    cards = bits_of(of)
    first, last = max(0, least), len(cards) if most is None else min(most, len(cards))
    total = sum(comb(len(cards), size) for size in range(first, last + 1))
    if total > MAX_SUBSETS:
        too_many(total)
    if count is not None:
        count(total)
    return (mask_of(chosen) for size in range(first, last + 1) for chosen in combinations(cards, size))


def groups(of: int, column: Sequence[int]) -> Iterator[int]:
    """Per value of a field, lowest first, the lowest card with it, the two lowest, and so on."""
    held: dict[int, list[int]] = {}
    for card in bits_of(of):
        held.setdefault(column[card], []).append(card)
    for value in sorted(held):
        mask = 0
        for card in held[value]:
            mask |= 1 << card
            yield mask


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


def emit_cover(e: Emitter, cover: ir.Cover) -> str:
    """Writes the evaluation of a cover and gives the name of its value."""
    from rulerun.run.loops import DEEPEST, outlined

    if e.loops >= DEEPEST:
        return outlined(e, cover)
    e.loops += 1
    e.at = cover.at
    w = e.w
    of = e.atom(e.emit(cover.of))
    least, most = e.atom(e.emit(cover.least)), e.atom(e.emit(cover.most))
    w.line(f"if ({of}).bit_count() > {MAX_COVERED}: too_many_covered({cover.at}, ({of}).bit_count())")
    worth, group = w.fresh("worth"), w.fresh("g")
    w.line(f"{worth} = []")
    w.line(f"for {group} in subsets({of}, max(1, {least}), {most}, {cover.at}, {cover.fuel}):")
    e.scope.names[cover.local] = group
    e.scope.ranges.pop(cover.local, None)
    with w.indented():
        depth = w.depth
        if cover.where is not None:
            w.line(f"if {e.emit(cover.where)}:")
            w.depth += 1
        w.line(f"{worth}.append(({group}, {e.emit(cover.value)}))")
        w.depth = depth
    e.loops -= 1
    result = w.fresh("r")
    w.line(f"{result} = best_layout({of}, {worth}, {cover.at})[{0 if cover.best else 1}]")
    if cover.best:
        w.line(f"if not {INT_MIN} <= {result} <= {INT_MAX}: overflow({cover.at}, {result})")
    return result
