"""What is said of cards by sets of them, in machine code: ``c.suit == led`` over a whole hand is one AND with a table's
entry. Which tests these are is decided by `facts.masks`; here its nodes become words.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulerun.ir import nodes as ir
from rulerun.ir.typing import type_of
from rulerun.native.expressions import Emitter

FEW_HOLDERS = 12
"""Of so many values each is looked for in the set; of more, the set's elements are gone through."""
FEW_SUMMANDS = 6
"""Cards of so many values are counted value by value; of more, each is looked up."""
Words = list[str]


def card_table(e: Emitter, expr: ir.CardTable) -> Words:
    """An entry of a table of sets, the first or the last for an index beyond it."""
    w = e.w
    least, most = e.range(expr.index)
    index = w.sub(e.emit(expr.index), str(expr.low))
    last = len(expr.sets) - 1
    if most - expr.low > last:
        index = w.least(index, str(last))
    if least < expr.low:
        index = w.greatest(index, "0")
    return look_up_sets(e, expr.sets, index)


def holders_of(e: Emitter, expr: ir.HoldersOf) -> Words:
    """The union of the table's sets of the elements of a set."""
    w = e.w
    sets = e.sets(type_of(expr.of))
    of = e.value(expr.of)
    held = [(value, e.cards.split(cards)) for value, cards in enumerate(expr.sets) if cards]
    if len(held) <= FEW_HOLDERS:
        result = ["0"] * e.cards.width
        for value, holders in held:
            there = w.has(of[0], str(value)) if sets is None else sets.contains(w, of, str(value))
            result = [w.either(word, w.pick(there, more, "0")) for word, more in zip(result, holders, strict=True)]
        return result
    found = [w.slot("0") for _ in range(e.cards.width)]

    def one(value: str) -> None:
        with w.when(w.compare("slt", value, str(len(expr.sets)))):
            for slot, word in zip(found, look_up_sets(e, expr.sets, value), strict=True):
                w.put(slot, w.either(w.get(slot), word))

    if sets is None:
        e.cards.each_bit(w, of[0], one)
    else:
        sets.each_card(w, of, one)
    return [w.get(slot) for slot in found]


def sum_of(e: Emitter, expr: ir.SumOf) -> str:
    """The sum of the values of the cards of a set."""
    w = e.w
    of = e.words(expr.of)
    summands = sum_parts(expr.values)
    if len(summands) <= FEW_SUMMANDS:
        result = "0"
        for value, cards in summands:
            holders = e.cards.split(cards)
            number = e.cards.size(w, [w.both(word, mask) for word, mask in zip(of, holders, strict=True)])
            result = w.add(result, w.mul(number, str(value)))
        return result
    total = w.slot("0")
    e.cards.each_card(w, of, lambda card: w.put(total, w.add(w.get(total), w.look_up(expr.values, card))))
    return w.get(total)


def sum_parts(values: Sequence[int]) -> list[tuple[int, int]]:
    """Sets of cards, each with what a card of it counts, that make up a sum of values: one for each value, or one for
    each binary digit where those are fewer."""
    different = sorted(set(values) - {0})
    digits = max(values, default=0).bit_length()
    if min(values, default=0) >= 0 and digits < len(different):
        return [(1 << digit, holders([value >> digit & 1 for value in values], 1)) for digit in range(digits)]
    return [(value, holders(values, value)) for value in different]


def holders(values: Sequence[int], value: int) -> int:
    """The cards with a value."""
    return sum(1 << card for card, other in enumerate(values) if other == value)


def look_up_sets(e: Emitter, sets: Sequence[int], index: str) -> Words:
    """An entry of a table of sets of cards, word by word."""
    entries = [e.cards.split(cards) for cards in sets]
    return [e.w.look_up([int(words[i]) for words in entries], index) for i in range(e.cards.width)]
