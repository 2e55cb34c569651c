"""Sets of cards as elements of a domain, and the best cover by disjoint groups, in machine code (see `run.covers`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from typing import Protocol

from rulerun.facts import faults
from rulerun.ir import nodes as ir
from rulerun.ir.program import MAX_COVERED, MAX_SUBSETS
from rulerun.ir.types import INT_MIN
from rulerun.native.counting import Rate, burn, burn_each
from rulerun.native.expressions import Emitter
from rulerun.native.sets.carried import set_test
from rulerun.native.sets.search import each_passing
from rulerun.native.text import Writer

Words = list[str]


class Order(Protocol):
    """In which order cards come: by number (`WordSets`), or by sight."""

    def each_card(self, w: Writer, words: Sequence[str], body: Callable[[str], None]) -> None:
        """A loop over a set of cards."""

    def first(self, w: Writer, words: Sequence[str]) -> str:
        """The first card of a set that is not empty."""


def each_subset(
    e: Emitter, of: Words, least: str, most: str | None, rate: Rate, body: Callable[[Words, str], None],
    order: Order | None = None,
) -> str:  # fmt: skip
    """A loop over the subsets of a set, smaller ones first, then in the order of the cards. ``body`` gets the subset
    and the bits of its cards' places in the list of all cards, whose address is the result."""
    w, cards = e.w, e.cards
    held = w.slot(words=cards.cards + 1)
    length = w.slot("0")

    def keep(card: str) -> None:
        have = w.get(length)
        w.store(held, have, card)
        w.put(length, w.add(have, "1"))

    (order or cards).each_card(w, of, keep)
    n = w.get(length)
    first = w.greatest(least, "0")
    last = n if most is None else w.least(most, n)
    check_number(e, n, first, last, rate)
    index = w.slot(words=cards.cards + 1)
    with w.counting(first, w.add(last, "1")) as size:
        with w.counting("0", size) as i:
            w.store(index, i, i)
        with w.loop() as loop:
            chosen = [w.slot("0") for _ in of]
            bits = w.slot("0")
            with w.counting("0", size) as i:
                place = w.load(index, i)
                w.put(bits, w.either(w.get(bits), w.bit(place)))
                for slot, word in zip(chosen, cards.single(w, w.load(held, place)), strict=True):
                    w.put(slot, w.either(w.get(slot), word))
            body([w.get(slot) for slot in chosen], w.get(bits))
            # The last place that can go up goes up by one, those behind it follow.
            i = w.slot(w.sub(size, "1"))
            with w.loop() as search:
                here = w.get(i)
                search.leave_if(w.compare("slt", here, "0"))
                most_here = w.add(w.sub(n, size), here)
                search.leave_if(w.compare("slt", w.load(index, here), most_here))
                w.put(i, w.sub(here, "1"))
            up = w.get(i)
            loop.leave_if(w.compare("slt", up, "0"))
            start = w.add(w.load(index, up), "1")
            with w.counting(up, size) as j:
                w.store(index, j, w.add(start, w.sub(j, up)))
    return held


def check_number(e: Emitter, n: str, first: str, last: str, rate: Rate) -> None:
    """A fault if there are too many subsets of ``first`` to ``last`` of ``n`` cards; else they are counted."""
    w = e.w
    total = w.slot("0")
    with w.counting(first, w.add(last, "1")) as size:
        ways = w.slot("1")
        with w.counting("0", w.least(size, w.sub(n, size))) as k:
            more = w.op(f"sdiv i64 {w.mul(w.get(ways), w.sub(n, k))}, {w.add(k, '1')}")
            w.put(ways, w.least(more, str(2**40)))
        w.put(total, w.add(w.get(total), w.get(ways)))
    e.fail_if(w.compare("sgt", w.get(total), str(MAX_SUBSETS)), faults.TOO_MANY_SUBSETS, rate.at)
    burn_each(e, w.get(total), rate)


def each_group(
    e: Emitter, of: Words, field: int, body: Callable[[Words], None], order: Order | None = None
) -> None:
    """A loop over the groups of equal cards: per value the first card, the first two, and so on."""
    w, cards = e.w, e.cards
    values = sorted(set(e.program.fields[field].values))
    with w.counting("0", str(max(1, len(values)))) as i:
        here = with_value(e, of, field, values, i)
        group = [w.slot("0") for _ in of]

        def one(card: str) -> None:
            for slot, word in zip(group, cards.single(w, card), strict=True):
                w.put(slot, w.either(w.get(slot), word))
            body([w.get(slot) for slot in group])

        (order or cards).each_card(w, here, one)


def with_value(e: Emitter, of: Words, field: int, values: Sequence[int], number: str) -> Words:
    """The cards of a set that have one of the values of a field, told by its number in the list of them."""
    w, cards = e.w, e.cards
    column = e.program.fields[field].values[: cards.cards]
    words = [cards.split(sum(1 << card for card, v in enumerate(column) if v == value)) for value in values]
    words = words or [cards.split(0)]
    return [w.both(of[j], w.look_up([int(entry[j]) for entry in words], number)) for j in range(cards.width)]


def each_run(
    e: Emitter, of: Words, field: int, rate: Rate, body: Callable[[Words], None], order: Order | None = None
) -> None:
    """A loop over the runs of a set: by their lowest value, shorter ones first, the first card of each value."""
    w, cards = e.w, e.cards
    values = sorted(set(e.program.fields[field].values)) or [0]
    number = str(len(values))
    follows = [int(n > 0 and value == values[n - 1] + 1) for n, value in enumerate(values)]
    lowest, length, found = w.slot(words=len(values) + 1), w.slot("0"), w.slot("0")
    with w.counting("0", number) as i:
        here = with_value(e, of, field, values, i)
        some = cards.some(w, here)
        w.store(lowest, i, w.pick(some, (order or cards).first(w, here), "-1"))
        goes_on = w.compare("ne", w.look_up(follows, i), "0")
        longer = w.pick(some, w.add(w.pick(goes_on, w.get(length), "0"), "1"), "0")
        w.put(length, longer)
        w.put(found, w.add(w.get(found), w.greatest(w.sub(longer, "1"), "0")))
    burn_each(e, w.get(found), rate)
    with w.counting("0", number) as first, w.when(w.compare("sge", w.load(lowest, first), "0")):
        run = [w.slot(word) for word in cards.single(w, w.load(lowest, first))]
        at = w.slot(first)
        with w.loop() as loop:
            following = w.add(w.get(at), "1")
            w.put(at, following)
            loop.leave_if(w.compare("sge", following, number))
            loop.leave_if(w.compare("eq", w.look_up(follows, following), "0"))
            card = w.load(lowest, following)
            loop.leave_if(w.compare("slt", card, "0"))
            for slot, word in zip(run, cards.single(w, card), strict=True):
                w.put(slot, w.either(w.get(slot), word))
            body([w.get(slot) for slot in run])


def check_known(e: Emitter, of: Words, least: int, most: int, rate: Rate) -> None:
    """`check_number` where the sizes are known: by a table."""
    w = e.w
    totals = [sum(comb(n, size) for size in range(least, most + 1)) for n in range(e.cards.cards + 1)]
    totals = [min(total, MAX_SUBSETS + 1) for total in totals]
    if rate.fuel or totals[-1] > MAX_SUBSETS:
        total = w.look_up(totals, e.cards.size(w, of))
        e.fail_if(w.compare("sgt", total, str(MAX_SUBSETS)), faults.TOO_MANY_SUBSETS, rate.at)
        burn_each(e, total, rate)


def cover(e: Emitter, expr: ir.Cover) -> Words:
    """The worth of the best layout, or the cards that it covers."""
    w, cards = e.w, e.cards
    e.at = expr.at
    of = e.words(expr.of)
    least, most = e.emit(expr.least), e.emit(expr.most)
    size = cards.size(w, of)
    e.fail_if(w.compare("sgt", size, str(MAX_COVERED)), faults.TOO_MANY_COVERED, expr.at)
    # Groups by their lowest card: those of card b begin at 2**n - 2**(n - b).
    groups, best = w.slot(words=1 << MAX_COVERED), w.slot(words=1 << MAX_COVERED)
    lengths = w.slot(words=MAX_COVERED + 1)
    w.clear(lengths, "0", MAX_COVERED + 1)
    every = w.up("1", size)
    compared, grouped = w.slot(every), w.slot("0")

    def begins(card: str) -> str:
        return w.sub(every, w.down(every, card))

    def keep(value: str, bits: str) -> None:
        lowest = w.lowest(bits)
        length = w.load(lengths, lowest)
        entry = w.either(w.up(w.sub(value, str(INT_MIN)), "16"), bits)
        w.store(groups, w.add(begins(lowest), length), entry)
        w.store(lengths, lowest, w.add(length, "1"))
        w.put(compared, w.add(w.get(compared), w.up("1", w.sub(w.sub(size, "1"), lowest))))
        w.put(grouped, w.either(w.get(grouped), bits))

    find_groups(e, expr, of, least, most, keep)
    burn(e, w.down(w.get(compared), "3"), expr.at)
    # Of the cards left: the worth above bit 16, the covered cards below. Cards in no group are left uncovered anyway:
    # only the subsets of the others are gone through, in their order as numbers.
    w.store(best, "0", "0")
    inside = w.get(grouped)
    at_set = w.slot("0")
    with w.loop() as loop:
        loop.leave_if(w.compare("eq", w.get(at_set), inside))
        left = w.both(w.sub(w.get(at_set), inside), inside)
        w.put(at_set, left)
        lowest = w.lowest(left)
        found, have = w.slot("0"), w.slot("0")
        first = begins(lowest)
        with w.counting(first, w.add(first, w.load(lengths, lowest))) as at:
            entry = w.load(groups, at)
            bits = w.both(entry, "65535")
            with w.when(w.compare("eq", w.both(bits, left), bits)):
                rest = w.load(best, w.differ(left, bits))
                value = w.add(w.down(entry, "16"), str(INT_MIN))
                worth = w.add(w.op(f"ashr i64 {rest}, 16"), value)
                total = w.either(w.up(worth, "16"), w.either(w.both(rest, "65535"), bits))
                better = w.compare("sgt", worth, w.op(f"ashr i64 {w.get(found)}, 16"))
                with w.when(w.any_of(w.compare("eq", w.get(have), "0"), better)):
                    w.put(found, total)
                w.put(have, "1")
        rest = w.load(best, w.both(left, w.sub(left, "1")))
        better = w.compare("sgt", w.op(f"ashr i64 {rest}, 16"), w.op(f"ashr i64 {w.get(found)}, 16"))
        with w.when(w.any_of(w.compare("eq", w.get(have), "0"), better)):
            w.put(found, rest)
        w.store(best, left, w.get(found))
    result = w.load(best, inside)
    if expr.best:
        worth = w.op(f"ashr i64 {result}, 16")
        return [e.checked(worth, (2 * INT_MIN, -2 * INT_MIN), expr.at)]
    covered = [w.slot("0") for _ in of]

    def include(place: str) -> None:
        for slot, word in zip(covered, cards.single(w, cards.nth(w, of, place)), strict=True):
            w.put(slot, w.either(w.get(slot), word))

    cards.each_bit(w, w.both(result, "65535"), include)
    return [w.get(slot) for slot in covered]


def find_groups(e: Emitter, expr: ir.Cover, of: Words, least: str, most: str, keep: Callable[[str, str], None]) -> None:
    """The groups of a cover, smaller ones first, then by card numbers: ``keep`` gets what one is worth and the bits of
    its cards' places in ``of``."""
    w = e.w
    rate = Rate(expr.fuel, expr.at)
    test = set_test(e, expr.local, at_least_one(expr.least), expr.most, expr.where, expr.value)
    if test is None:

        def look(words: Words, bits: str) -> None:
            e.scope.names[expr.local] = words
            e.scope.slots.pop(expr.local, None)
            e.scope.ranges.pop(expr.local, None)
            if expr.where is None:
                keep(e.emit(expr.value), bits)
                return
            with w.when(e.test(expr.where)):
                keep(e.emit(expr.value), bits)

        each_subset(e, of, w.greatest(least, "1"), most, rate, look)
        return

    def passed(words: Words) -> None:
        assert test is not None
        assert test.value is not None
        keep(e.emit(test.value), places_in(e, of, words))

    check_known(e, of, test.least, test.most, rate)
    sizes = range(test.least, test.most + 1)
    # Which layout is the first best one depends on the order of the groups, what it is worth does not.
    for part in [sizes] if expr.best else [range(size, size + 1) for size in sizes]:
        each_passing(e, test, expr.local, of, part, passed)


def at_least_one(least: ir.Expr) -> ir.Expr:
    return ir.Const(1, least.type) if isinstance(least, ir.Const) and least.value < 1 else least


def places_in(e: Emitter, of: Words, words: Words) -> str:
    """The bits of the places that the cards of a set have among those of ``of``."""
    w, cards = e.w, e.cards
    below = [cards.split((1 << card) - 1) for card in range(cards.cards)]
    bits = w.slot("0")

    def one(card: str) -> None:
        before = [w.both(of[i], w.look_up([int(entry[i]) for entry in below], card)) for i in range(cards.width)]
        w.put(bits, w.either(w.get(bits), w.bit(cards.size(w, before))))

    cards.each_card(w, words, one)
    return w.get(bits)
