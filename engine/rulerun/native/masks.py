"""Tests of cards as sets of cards, in machine code: ``c.suit == led`` over a whole hand is one AND with a table's
entry.

What can be said of a test while planning is said by `run.masks`; here the sets become words. Only what can never
fault is taken out of its loop.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulerun.facts.types import is_card, is_card_set, is_optional, type_of
from rulerun.ir import nodes as ir
from rulerun.native.expressions import Emitter
from rulerun.run.masks import (
    COMPARISONS,
    FLIPPED,
    column,
    expanded,
    flattened,
    is_costly,
    is_total,
    is_total_axis,
    reads,
)

WIDEST_TABLE = 4_096
MOST_MEMBERS = 12
Words = list[str]


def holders(e: Emitter, cards: int) -> Words:
    return e.cards.split(cards)


def every(e: Emitter) -> Words:
    return e.cards.every_card


def apply(e: Emitter, op: str, a: Sequence[str], b: Sequence[str]) -> Words:
    do = {"and": e.w.both, "or": e.w.either, "xor": e.w.differ}[op]
    return [do(x, y) for x, y in zip(a, b, strict=True)]


def if_so(e: Emitter, condition: str, then: Sequence[str], otherwise: Sequence[str]) -> Words:
    return [e.w.pick(condition, x, y) for x, y in zip(then, otherwise, strict=True)]


def card_test(e: Emitter, test: ir.Expr, local: int) -> Words | None:
    """The set of all cards for which ``test`` holds with ``local`` bound to them; None if it is no such test."""
    mark = e.w.mark()
    found = _card_test(e, test, local)
    if found is None:
        e.w.back(mark)
    return found


def _card_test(e: Emitter, test: ir.Expr, local: int) -> Words | None:
    fixed = column(e, test, local)  # type: ignore[arg-type]
    if fixed is not None:
        return holders(e, sum(1 << card for card, holds in enumerate(fixed) if holds))
    zero = ["0"] * e.cards.width
    if not reads(test, local):
        if not is_total(e, test):  # type: ignore[arg-type]
            return None
        return if_so(e, e.test(test), every(e), zero)
    match test:
        case ir.And() | ir.Or():
            return joined(e, test, local)
        case ir.Unary("not", operand):
            mask = card_test(e, operand, local)
            return apply(e, "xor", mask, every(e)) if mask is not None else None
        case ir.Conditional(condition, then, otherwise):
            if reads(condition, local) or not is_total(e, condition):  # type: ignore[arg-type]
                return None
            first = card_test(e, then, local)
            second = card_test(e, otherwise, local) if first is not None else None
            if first is None or second is None:
                return None
            return if_so(e, e.test(condition), first, second)
        case ir.CallFunction():
            body = expanded(e, test)  # type: ignore[arg-type]
            return card_test(e, body, local) if body is not None else None
        case ir.Binary(op, left, right) if op in COMPARISONS:
            if reads(right, local):
                left, right, op = right, left, FLIPPED[op]
            return compared(e, op, left, right, local)
        case ir.Contains(item, of):
            return membership(e, item, of, local)
        case ir.InZone(ir.Local(index), zone) if index == local:
            if all(is_total_axis(e, axis) and not reads(axis.index, local) for axis in zone.axes):  # type: ignore[arg-type]
                return e.cards_in(zone)
            return None
        case _:
            return None


def joined(e: Emitter, test: ir.And | ir.Or, local: int) -> Words | None:
    """A chain of `and` or of `or`: what is the same for all cards is looked at first, what costs most last."""
    w = e.w
    is_and = isinstance(test, ir.And)
    parts = flattened(test, type(test))
    same = [part for part in parts if not reads(part, local)]
    if not all(is_total(e, part) for part in same):  # type: ignore[arg-type]
        return None
    quick = [part for part in same if not is_costly(part)]
    costly = [part for part in same if is_costly(part)]
    result = every(e) if is_and else ["0"] * e.cards.width
    for part in parts:
        if reads(part, local):
            mask = card_test(e, part, local)
            if mask is None:
                return None
            result = apply(e, "and" if is_and else "or", result, mask)
    decided = "false"
    for part in quick:
        holds = e.test(part)
        decided = w.any_of(decided, w.no(holds) if is_and else holds)
    # Where the quick ones decide, nothing else matters.
    settled = ["0"] * e.cards.width if is_and else every(e)
    for part in costly:
        mark, labels = w.mark(), w.labels
        holds = e.test(part)
        if w.labels != labels:
            w.back(mark)
            slot = w.slot(w.number("true" if is_and else "false"))
            with w.when(w.no(decided)):
                w.put(slot, w.number(e.test(part)))
            holds = e.truth(w.get(slot))
        decided = w.any_of(decided, w.no(holds) if is_and else holds)
    return if_so(e, decided, settled, result)


def split(e: Emitter, where: ir.Expr | None, local: int) -> tuple[Words | None, ir.Expr | None]:
    """The leading tests of a where-clause as one set, and what is left of it."""
    if where is None:
        return None, None
    whole = card_test(e, where, local)
    if whole is not None:
        return whole, None
    parts = flattened(where, ir.And)
    masks: Words | None = None
    while parts:
        mask = card_test(e, parts[0], local)
        if mask is None:
            break
        masks = mask if masks is None else apply(e, "and", masks, mask)
        del parts[0]
    if masks is None:
        return None, where
    rest = parts[0]
    for part in parts[1:]:
        rest = ir.And(rest, part)
    return masks, rest


def look_up_sets(e: Emitter, sets: Sequence[int], index: str) -> Words:
    """An entry of a table of sets of cards, word by word."""
    split_sets = [e.cards.split(cards) for cards in sets]
    return [e.w.look_up([int(words[i]) for words in split_sets], index) for i in range(e.cards.width)]


def compared(e: Emitter, op: str, left: ir.Expr, right: ir.Expr, local: int) -> Words | None:
    """``left op right`` where only ``left`` reads the card."""
    w = e.w
    if reads(right, local) or not is_total(e, right):  # type: ignore[arg-type]
        return None
    if isinstance(left, ir.Local) and is_card(type_of(left)) and op in ("==", "!="):
        card = e.emit(right)
        mask = e.cards.single(w, card)
        if is_optional(type_of(right)):
            mask = if_so(e, w.compare("sge", card, "0"), mask, ["0"] * e.cards.width)
        return mask if op == "==" else apply(e, "xor", mask, every(e))
    values = column(e, left, local)  # type: ignore[arg-type]
    if values is None or is_card_set(type_of(left)) or not values:
        return None
    low, high = min(values), max(values)
    if high - low > WIDEST_TABLE:
        return None
    wanted = e.emit(right)
    first, last = e.range(right)
    if op in ("==", "!="):
        # One entry per value, and one for all others.
        table = [sum(1 << card for card, value in enumerate(values) if value == v) for v in range(low, high + 1)]
        index = w.sub(wanted, str(low))
        if first < low or last > high:
            index = w.op(f"call i64 @llvm.umin.i64(i64 {index}, i64 {high - low + 1})")
            table.append(0)
        mask = look_up_sets(e, table, index)
        return mask if op == "==" else apply(e, "xor", mask, every(e))
    # Entry i: the cards whose value is below low + i.
    table = [sum(1 << card for card, value in enumerate(values) if value < v) for v in range(low, high + 2)]
    index = w.sub(wanted, str(low if op in ("<", ">=") else low - 1))
    index = w.greatest(w.least(index, str(high - low + 1)), "0")
    mask = look_up_sets(e, table, index)
    return mask if op in ("<", "<=") else apply(e, "xor", mask, every(e))


def membership(e: Emitter, item: ir.Expr, of: ir.Expr, local: int) -> Words | None:
    """``item in of`` where one of both reads the card."""
    w = e.w
    if not reads(of, local):
        if not is_total(e, of):  # type: ignore[arg-type]
            return None
        if isinstance(item, ir.Local) and item.index == local:
            return e.words(of)
        values = column(e, item, local)  # type: ignore[arg-type]
        if values is None or is_card_set(type_of(of)) or len(set(values)) > MOST_MEMBERS or min(values) < 0:
            return None
        held = e.emit(of)
        result = ["0"] * e.cards.width
        for value in sorted(set(values)):
            mask = holders(e, sum(1 << card for card, other in enumerate(values) if other == value))
            there = w.has(held, str(value))
            result = apply(e, "or", result, if_so(e, there, mask, ["0"] * e.cards.width))
        return result
    if reads(item, local) or not is_total(e, item):  # type: ignore[arg-type]
        return None
    sets = column(e, of, local)  # type: ignore[arg-type]
    if sets is None or is_card_set(type_of(of)):
        return None
    masks = [sum(1 << card for card, held in enumerate(sets) if held >> bit & 1) for bit in range(64)]
    return look_up_sets(e, masks, w.both(e.emit(item), "63"))
