"""Sets of cards by their place in the list of `run.offered_sets`, in machine code: how many there are, and the one at a
place, without listing any.

A list holds smaller sets first, and those of one size in the order of their card numbers. So of the sets of ``r`` of
``n`` cards the first ``C(n - 1, r - 1)`` hold the lowest card, and the rest do not: the set at a place is found by one
look at each card. Only for cards that all differ: equal ones are listed (`lists`).
"""

from __future__ import annotations

from math import comb

from rulerun.ir.program import MAX_SET_OPTIONS
from rulerun.native.cards.words import WordSets
from rulerun.native.text import Writer

MOST_CARDS = 128
"""Cards of a deck whose sets are counted by a table; it has the square of so many entries."""


def ways(w: Writer, cards: WordSets, n: str, r: str) -> str:
    """In how many ways ``r`` of ``n`` cards can be chosen, ``0 <= r`` and ``0 <= n``; one too many stands for more."""
    side = cards.cards + 1
    table = [min(comb(i, j), MAX_SET_OPTIONS + 1) for i in range(side) for j in range(side)]
    return w.look_up(table, w.add(w.mul(n, str(side)), r))


def count_sets(w: Writer, cards: WordSets, n: str, least: str, most: str) -> str:
    """How many sets of ``least`` to ``most`` (at most ``n``) of ``n`` cards there are; more than `MAX_SET_OPTIONS` are
    only said to be more."""
    total = w.slot("0")
    with w.counting(least, w.add(most, "1")) as size:
        w.put(total, w.add(w.get(total), ways(w, cards, n, size)))
    return w.get(total)


def nth_set(w: Writer, cards: WordSets, of: list[str], least: str, k: str) -> list[str]:
    """The set at place ``k`` of the list, which holds as many."""
    n = w.slot(cards.size(w, of))
    place, size = w.slot(k), w.slot(least)
    with w.loop() as loop:  # past the smaller sets
        here = ways(w, cards, w.get(n), w.get(size))
        loop.leave_if(w.compare("slt", w.get(place), here))
        w.put(place, w.sub(w.get(place), here))
        w.put(size, w.add(w.get(size), "1"))
    chosen = [w.slot("0") for _ in of]
    rest = [w.slot(word) for word in of]
    with w.loop() as loop:
        wanted = w.get(size)
        loop.leave_if(w.compare("eq", wanted, "0"))
        left = [w.get(slot) for slot in rest]
        one = lowest_alone(w, left)
        for slot, word, bit in zip(rest, left, one, strict=True):
            w.put(slot, w.differ(word, bit))
        others = w.sub(w.get(n), "1")
        w.put(n, others)
        have = w.get(place)
        with_it = ways(w, cards, others, w.sub(wanted, "1"))
        takes = w.compare("slt", have, with_it)
        for slot, bit in zip(chosen, one, strict=True):
            w.put(slot, w.either(w.get(slot), w.pick(takes, bit, "0")))
        w.put(size, w.sub(wanted, w.number(takes)))
        w.put(place, w.sub(have, w.pick(takes, "0", with_it)))
    return [w.get(slot) for slot in chosen]


def lowest_alone(w: Writer, words: list[str]) -> list[str]:
    """The set of the lowest card of a set that is not empty."""
    found: list[str] = []
    before = "0"
    for word in words:
        bit = w.both(word, w.sub("0", word))
        found.append(bit if before == "0" else w.pick(w.compare("eq", before, "0"), bit, "0"))
        before = w.either(before, word)
    return found
