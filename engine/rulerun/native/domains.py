"""Domains as loops, in machine code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from rulerun.facts.ranges import element_range
from rulerun.ir import nodes as ir
from rulerun.ir.program import DIRECTION, ZONE_HEAD
from rulerun.ir.types import PlayerType, SetType
from rulerun.ir.typing import element_type, is_card_set, type_of
from rulerun.native.arithmetic import floored
from rulerun.native.counting import UNMETERED, Rate, burn_each, burn_set, burn_zone
from rulerun.native.expressions import Emitter
from rulerun.native.sets.elements import Order, each_group, each_run, each_subset

Words = list[str]
Item = list[str]
"""An element of a domain: the words of a set of cards, else one."""


def single(item: Item) -> str:
    """An element that is one word."""
    assert len(item) == 1
    return item[0]


def bind(e: Emitter, local: int, item: Item, domain: ir.Domain) -> None:
    """Names an element of a domain."""
    e.scope.names[local] = item
    e.scope.slots.pop(local, None)
    e.scope.ranges[local] = element_range(domain, e.program, e.scope.ranges)


class ListedOrder(Order, Protocol):
    """An order of cards that are put into it first."""

    def put_all(self, words: Words) -> object:
        """Puts the cards of a set into it."""


def each(
    e: Emitter, domain: ir.Domain, body: Callable[[Item], None], rate: Rate = UNMETERED,
    order: ListedOrder | None = None,
) -> None:  # fmt: skip
    """Writes a loop over a domain. ``order``: of the cards that its sets are made of, if not by number."""
    w = e.w

    def one(item: str) -> None:
        body([item])

    match domain:
        case ir.NumberDomain(low, high):
            first, last = number_bounds(e, low, high, rate)
            i = w.slot(first)
            with w.loop() as loop:
                value = w.get(i)
                loop.leave_if(w.compare("sgt", value, last))
                w.put(i, w.add(value, "1"))
                body([value])
        case ir.SteppedDomain():
            each_step(e, domain, body, rate)
        case ir.SubsetDomain(of, least, most, at):
            words, fewest = e.words(of), e.emit(least)
            largest = None if most is None else e.emit(most)
            put_in(order, words)
            each_subset(e, words, fewest, largest, Rate(rate.fuel, at), lambda item, _: body(item), order)
        case ir.GroupDomain(of, field):
            words = e.words(of)
            burn_set(e, words, rate)
            put_in(order, words)
            each_group(e, words, field, body, order)
        case ir.RunDomain(of, field):
            words = e.words(of)
            put_in(order, words)
            each_run(e, words, field, rate, body, order)
        case ir.SetDomain(of):
            sets = e.sets(type_of(of))
            if sets is not None:
                words = e.words(of)
                burn_set(e, words, rate)
                sets.each_card(w, words, one)
            else:
                held = e.emit(of)
                burn_set(e, [held], rate)
                e.cards.each_bit(w, held, one)
        case ir.SeatDomain():
            each_seat(e, domain, body, rate)
        case ir.ZoneDomain(zone):
            burn_zone(e, zone, rate)
            z = e.record(zone)
            family = e.family(zone)
            e.cards.each_in_zone(w, z, family.kind.ordered, one)
            if family.kind.ordered and family.shuffled:
                e.cards.each_card(w, e.cards.read_set(w, z), one)
        case ir.BoardDomain(zone, places):
            first = e.record(zone)
            burn_each(e, str(places), rate)
            with w.counting("0", str(places)) as place:
                z = w.add(first, w.mul(place, str(e.layout.zone_words)))
                head = w.get(e.cards.word(w, z, ZONE_HEAD))
                with w.when(w.compare("ne", head, "0")):
                    body([w.sub(head, "1")])
        case ir.FilteredDomain(sets=cards) if cards is not None:
            e.cards.each_card(w, e.words(cards), one)
        case ir.FilteredDomain(local, inner, where):

            def filtered(item: Item) -> None:
                bind(e, local, item, inner)
                with w.when(e.test(where)):
                    body(item)

            each(e, inner, filtered, rate)


def put_in(order: ListedOrder | None, cards: Words) -> None:
    if order is not None:
        order.put_all(cards)


def number_bounds(e: Emitter, low: ir.Expr, high: ir.Expr, rate: Rate = UNMETERED) -> tuple[str, str]:
    """The least and greatest of a domain of numbers."""
    w = e.w
    first, last = e.emit(low), e.emit(high)
    if rate.fuel:
        burn_each(e, w.greatest(w.add(w.sub(last, first), "1"), "0"), rate)
    return first, last


def each_step(e: Emitter, domain: ir.SteppedDomain, body: Callable[[Item], None], rate: Rate) -> None:
    """A loop over numbers with a step."""
    w = e.w
    first, last = e.emit(domain.low), e.emit(domain.high)
    step = domain.step
    if rate.fuel:
        width = w.sub(last, first) if step > 0 else w.sub(first, last)
        many = w.add(w.op(f"sdiv i64 {width}, {abs(step)}"), "1")
        burn_each(e, w.pick(w.compare("slt", width, "0"), "0", many), rate)
    i = w.slot(first)
    with w.loop() as loop:
        value = w.get(i)
        loop.leave_if(w.compare("sgt" if step > 0 else "slt", value, last))
        w.put(i, w.add(value, str(step)))
        body([value])


def each_seat(e: Emitter, domain: ir.SeatDomain, body: Callable[[Item], None], rate: Rate) -> None:
    w = e.w
    players = e.program.players
    of = e.emit(domain.of)
    burn_set(e, [of], rate)
    start = e.emit(domain.start)
    if not isinstance(type_of(domain.start), PlayerType):
        start = floored(e, "%", start, str(players))
    step = e.read(DIRECTION)
    if domain.backwards:
        step = w.sub("0", step)
    at = w.slot(start if domain.inclusive else e.wrapped(w.add(start, step)))
    with w.counting("0" if domain.inclusive else "1", str(players)):
        seat = w.get(at)
        w.put(at, e.wrapped(w.add(seat, step)))
        with w.when(w.has(of, seat)):
            body([seat])


def card_set(e: Emitter, domain: ir.Domain) -> Words | None:
    """The domain as a set of cards where it is one that runs by number; None if it is not."""
    match domain:
        case ir.ZoneDomain(zone) if not e.family(zone).kind.ordered:
            return e.cards_in(zone)
        case ir.SetDomain(of) if is_card_set(type_of(of)):
            return e.words(of)
        case ir.FilteredDomain(sets=cards) if cards is not None:
            return e.words(cards)
        case _:
            return None


def pick_set(e: Emitter, domain: ir.Domain) -> Words | None:
    """The elements of a domain as bits, lowest first, where that is their order: cards, enum values, players of a
    set."""
    words = card_set(e, domain)
    if words is not None:
        return words
    base = domain
    while isinstance(base, ir.FilteredDomain):
        base = base.domain
    is_cards = isinstance(base, ir.ZoneDomain) and not e.family(base.zone).kind.ordered
    if not is_cards and not isinstance(base, ir.SetDomain):
        return None
    w = e.w
    sets = e.sets(SetType(element_type(domain)))
    slots = [w.slot("0") for _ in range(1 if sets is None else sets.width)]

    def include(item: Item) -> None:
        bits = [w.bit(single(item))] if sets is None else sets.single(w, single(item))
        for slot, word in zip(slots, bits, strict=True):
            w.put(slot, w.either(w.get(slot), word))

    if isinstance(domain, ir.SetDomain):
        return e.value(domain.of)
    each(e, domain, include)
    return [w.get(slot) for slot in slots]
