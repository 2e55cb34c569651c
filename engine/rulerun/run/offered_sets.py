"""The sets of cards that a choice offers: counted, listed, or picked card by card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from rulerun.facts.options import DONE, CardPick, Option
from rulerun.run.sets import mask_of


def grouped(cards: Sequence[int], kinds: Sequence[int] | None) -> list[list[int]]:
    """Cards that count as equal, together: by kind (the lowest kind first), or with ``kinds`` None each on its own."""
    if kinds is None:
        return [[card] for card in cards]
    groups: dict[int, list[int]] = {}
    for card in sorted(cards):
        groups.setdefault(kinds[card], []).append(card)
    return [groups[kind] for kind in sorted(groups)]


def named_alike(v: list[int], cards: Sequence[int], name: Callable[[list[int], int], int]) -> list[list[int]]:
    """Cards in the order of their names, those with one name together."""
    return [list(alike) for _, alike in groupby(cards, lambda card: name(v, card))]


def count_sets(groups: Sequence[Sequence[int]], least: int, most: int) -> int:
    """How many different sets of ``least`` to ``most`` cards there are."""
    ways = [1] + [0] * most
    for group in groups:
        ways = [sum(ways[size - k] for k in range(min(len(group), size) + 1)) for size in range(most + 1)]
    return sum(ways[max(0, least) :])


def list_sets(groups: Sequence[Sequence[int]], least: int, most: int) -> list[int]:
    """Every set, smaller ones first; of equal size, those with more of the first groups first. Of a group the first
    cards stand for all."""
    found: list[int] = []
    rest = [0] * (len(groups) + 1)
    for i in range(len(groups) - 1, -1, -1):
        rest[i] = rest[i + 1] + len(groups[i])

    def extend(i: int, wanted: int, mask: int) -> None:
        if wanted == 0:
            found.append(mask)
            return
        if wanted > rest[i]:
            return
        group = groups[i]
        for k in range(min(len(group), wanted), -1, -1):
            extend(i + 1, wanted - k, mask | mask_of(group[:k]))

    for size in range(max(0, least), most + 1):
        extend(0, size, 0)
    return found


def picks(line: int, groups: Sequence[Sequence[int]], picked: int, least: int, most: int) -> list[Option]:
    """The next picks of a set that is picked card by card, ascending; "done" comes last once ``least`` are picked."""
    have = picked.bit_count()
    options: list[Option] = []
    start = 0
    for i, group in enumerate(groups):
        if picked & mask_of(group):
            start = i
    for i in range(start, len(groups)):
        free = [card for card in groups[i] if not picked >> card & 1]
        left = len(free) + sum(len(group) for group in groups[i + 1 :])
        if free and have < most and have + left >= least:
            options.append(CardPick(line, (free[0],)))
    if have >= least:
        options.append(Option(DONE, (line,)))
    return options
