"""Folds over a set of cards by what is printed on them (`same`, `distinct`, `min`, `max`), in machine code without a
loop."""

from __future__ import annotations

from collections.abc import Sequence

from rulerun.facts import faults
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import FoldKind
from rulerun.ir.typing import is_card_set, type_of
from rulerun.native.card_tables import holders, look_up_sets
from rulerun.native.expressions import Emitter

MOST_MET = 16
"""Different values of which it is worked out which are met."""
Words = list[str]


def printed_fold(e: Emitter, fold: ir.Fold) -> str | None:
    """A fold over a set of cards by a printed value; a truth value as 0 or 1. None if it is no such fold."""
    of = cards_of(fold)
    if fold.fuel or fold.where is not None or fold.value is None or of is None or is_card_set(type_of(fold.value)):
        return None
    values = e.known().column(fold.value, fold.local)
    if values is None:
        return None
    if fold.kind is FoldKind.SAME:
        return e.w.number(are_alike(e, e.words(of), values))
    if fold.kind not in (FoldKind.DISTINCT, FoldKind.MIN, FoldKind.MAX) or len(set(values)) > MOST_MET:
        return None
    met = met_values(e, e.words(of), values)
    return e.w.ones(met) if fold.kind is FoldKind.DISTINCT else outermost(e, fold, met, sorted(set(values)))


def cards_of(fold: ir.Fold) -> ir.Expr | None:
    """The set of cards that a fold runs over, in whatever order."""
    match fold.domain:
        case ir.SetDomain(of) if is_card_set(type_of(of)):
            return of
        case ir.ZoneDomain(zone):
            return ir.ZoneCards(zone)
        case ir.FilteredDomain(sets=cards):
            return cards
        case _:
            return None


def are_alike(e: Emitter, of: Words, values: Sequence[int]) -> str:
    """Whether all cards of a set have the value of its first one: whether none is beside those that have it."""
    w = e.w
    first = w.pick(e.cards.some(w, of), e.cards.first(w, of), "0")
    by_value = {value: holders(values, value) for value in set(values)}
    alike = look_up_sets(e, [by_value[value] for value in values], first)
    return w.no(e.cards.some(w, [w.without(a, b) for a, b in zip(of, alike, strict=True)]))


def met_values(e: Emitter, of: Words, values: Sequence[int]) -> str:
    """Which of a few printed values the cards of a set have, as bits in their order. Without a loop, whose end the
    processor would guess wrong, and written once for all folds of a block that ask."""
    w = e.w
    bits = "0"
    order = sorted(set(values))
    many = len(order)
    if e.cards.width == 1 and all(order[card % many] == value for card, value in enumerate(values)):
        # A deck that lists its ranks suit by suit: the suits are laid over one another.
        for first in range(0, len(values), many):
            bits = w.either(bits, w.down(of[0], str(first)))
        return w.both(bits, str((1 << many) - 1))
    for place, value in enumerate(order):
        held = [w.both(a, b) for a, b in zip(of, e.cards.split(holders(values, value)), strict=True)]
        bits = w.either(bits, w.up(w.number(e.cards.some(w, held)), str(place)))
    return bits


def outermost(e: Emitter, fold: ir.Fold, met: str, values: Sequence[int]) -> str:
    """The least or greatest of the values met, given as bits."""
    w = e.w
    none = w.compare("eq", met, "0")
    place = w.lowest(met) if fold.kind is FoldKind.MIN else w.highest(met)
    if fold.default is None:
        e.fail_if(none, faults.EMPTY_FOLD, fold.at)
        return w.look_up(values, place)
    result = w.slot()
    with w.when(none) as which:
        w.put(result, e.emit(fold.default))
        which.otherwise()
        w.put(result, w.look_up(values, place))
    return w.get(result)
