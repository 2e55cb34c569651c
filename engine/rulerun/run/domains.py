"""What domains mean: a closure for each node that gives the elements in order.

Imports facts, ir and run only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations
from math import comb
from typing import TYPE_CHECKING, assert_never

from rulerun.facts.domains import count_runs
from rulerun.ir import nodes as ir
from rulerun.ir.program import DIRECTION, MAX_FUEL, MAX_SUBSETS, ZONE_COUNT, ZONE_HEAD
from rulerun.run.places import as_value, is_ordered, load, zone, zone_word
from rulerun.run.seeing import face_guard
from rulerun.run.sets import bits_of

if TYPE_CHECKING:

    from rulerun.run.closures import Elements, Registers, Value, Vector
    from rulerun.run.planner import Planner
    from rulerun.run.sight import Order


def elements(plan: Planner, domain: ir.Domain, fuel: int, at: int, order: Order | None = None) -> Elements:
    """Plans a domain. ``fuel`` units are burned for each element (filters aside) before the first is looked at.
    ``order``: how cards come, and sets of them are made, where the domain would go by their numbers."""
    if order is not None and isinstance(domain, ir.SetDomain | ir.ZoneDomain | ir.BoardDomain):
        unordered = elements(plan, domain, fuel, at)
        return lambda v, r: order(v, unordered(v, r))
    match domain:
        case ir.NumberDomain(ir.Const(low), ir.Const(high)) if not fuel:
            numbers = range(low, high + 1)
            return lambda _v, _r: numbers
        case ir.NumberDomain(low, high):
            return _numbers(plan, low, high, 1, fuel, at)
        case ir.SteppedDomain(low, high, step):
            return _numbers(plan, low, high, step, fuel, at)
        case ir.SetDomain(of):
            members = _burning_each(plan, plan.value(of), fuel, at)
            listed = plan.members
            return lambda v, r: listed(members(v, r))
        case ir.SeatDomain():
            return _seats(plan, domain, fuel, at)
        case ir.ZoneDomain(ref):
            return _zone(plan, ref, fuel, at)
        case ir.BoardDomain(ref, places):
            return _board(plan, ref, places, fuel, at)
        case ir.SubsetDomain():
            return _subsets(plan, domain, fuel, order)
        case ir.GroupDomain():
            return _groups(plan, domain, fuel, at, order)
        case ir.RunDomain():
            return _runs(plan, domain, fuel, at, order)
        case ir.FilteredDomain():
            return _filtered(plan, domain, fuel, at, order)
        case _:
            assert_never(domain)


def _burning_each(plan: Planner, members: Value, fuel: int, at: int) -> Value:
    """A set; fuel is burned for each of its elements."""
    if not fuel:
        return members
    burn = plan.fuel.burn

    def burning(v: Vector, r: Registers) -> int:
        found = members(v, r)
        burn(found.bit_count() * fuel, at)
        return found

    return burning


def _numbers(plan: Planner, low: ir.Expr, high: ir.Expr, step: int, fuel: int, at: int) -> Elements:
    first, last, burn, beyond = plan.value(low), plan.value(high), plan.fuel.burn, 1 if step > 0 else -1
    too_many = plan.faults["endless_range"]

    def numbers(v: Vector, r: Registers) -> range:
        start, end = first(v, r), last(v, r)
        found = range(start, end + beyond, step)
        if len(found) * fuel > MAX_FUEL:
            too_many(at, start, end)
        if fuel:
            burn(len(found) * fuel, at)
        return found

    return numbers


def seats_around(players: int, of: int, start: int, inclusive: bool, step: int) -> tuple[int, ...]:
    """The seats of a set in the order of the table, from ``start`` on in steps of 1 or -1."""
    around = [(start + step * i) % players for i in range(0 if inclusive else 1, players)]
    return tuple(seat for seat in around if of >> seat & 1)


def _seats(plan: Planner, domain: ir.SeatDomain, fuel: int, at: int) -> Elements:
    of, start = _burning_each(plan, plan.value(domain.of), fuel, at), plan.value(domain.start)
    inclusive, way = domain.inclusive, -1 if domain.backwards else 1
    players, around = plan.program.players, plan.seats_around
    return lambda v, r: around(players, of(v, r), start(v, r), inclusive, way * v[DIRECTION])


def _zone(plan: Planner, ref: ir.ZoneRef, fuel: int, at: int) -> Elements:
    instance, count, burn = zone(plan, ref), load(zone_word(plan, ref, ZONE_COUNT), 1), plan.fuel.burn
    ordered, in_order, members = is_ordered(plan, ref), plan.table.in_order, plan.value(ir.ZoneCards(ref))
    if not fuel:
        if ordered:
            return lambda v, r: in_order(v, instance(v, r))
        return lambda v, r: bits_of(members(v, r))

    def burning(v: Vector, r: Registers) -> list[int]:
        burn(count(v, r) * fuel, at)
        return in_order(v, instance(v, r)) if ordered else bits_of(members(v, r))

    return burning


def _board(plan: Planner, ref: ir.ZoneRef, places: int, fuel: int, at: int) -> Elements:
    first, words, burn = as_value(zone_word(plan, ref, ZONE_HEAD)), plan.layout.zone_words, plan.fuel.burn

    def heads(v: Vector, r: Registers) -> list[int]:
        head = first(v, r)
        if fuel:
            burn(places * fuel, at)
        return [v[word] - 1 for word in range(head, head + places * words, words) if v[word]]

    return heads


def _by_number(_v: Vector, cards: Iterable[int]) -> Sequence[int]:
    return tuple(cards)


def _subsets(plan: Planner, domain: ir.SubsetDomain, fuel: int, order: Order | None) -> Elements:
    """Too many subsets are told where the subsets are named, whatever runs over them."""
    of, least = plan.value(domain.of), plan.value(domain.least)
    most = None if domain.most is None else plan.value(domain.most)
    too_many, origin, burn = plan.faults["too_many_subsets"], domain.at, plan.fuel.burn
    in_order = order or _by_number

    def found(v: Vector, r: Registers) -> Iterator[int]:
        cards, fewest = of(v, r), least(v, r)
        number = count_subsets(cards, fewest, last := None if most is None else most(v, r))
        if number > MAX_SUBSETS:
            too_many(origin, number)
        if fuel:
            burn(number * fuel, origin)
        return subsets(in_order(v, bits_of(cards)), fewest, last)

    return found


def _sizes(size: int, least: int, most: int | None) -> range:
    return range(max(0, least), (size if most is None else min(most, size)) + 1)


def count_subsets(of: int, least: int, most: int | None) -> int:
    """How many subsets of a set of cards have ``least`` to ``most`` cards."""
    number = of.bit_count()
    return sum(comb(number, size) for size in _sizes(number, least, most))


def subsets(cards: Sequence[int], least: int, most: int | None) -> Iterator[int]:
    """These subsets: smaller ones first, then in the order of the cards."""
    bits = [1 << card for card in cards]
    return chain.from_iterable(map(sum, combinations(bits, size)) for size in _sizes(len(bits), least, most))


def _groups(plan: Planner, domain: ir.GroupDomain, fuel: int, at: int, order: Order | None) -> Elements:
    of, column = _burning_each(plan, plan.value(domain.of), fuel, at), plan.program.fields[domain.field]
    values, see = column.values, face_guard(plan, domain.at)
    in_order = order or _by_number
    if not plan.guarded or column.on_back:
        return lambda v, r: groups(in_order(v, bits_of(of(v, r))), values)

    def seen(v: Vector, r: Registers) -> Iterator[int]:
        cards = bits_of(of(v, r))
        for card in cards:
            see(v, card)
        return groups(in_order(v, cards), values)

    return seen


def groups(cards: Iterable[int], column: Sequence[int]) -> Iterator[int]:
    """Per value of a field, lowest first, the first card with it, the first two, and so on."""
    held: dict[int, list[int]] = {}
    for card in cards:
        held.setdefault(column[card], []).append(card)
    for value in sorted(held):
        group = 0
        for card in held[value]:
            group |= 1 << card
            yield group


def _runs(plan: Planner, domain: ir.RunDomain, fuel: int, at: int, order: Order | None) -> Elements:
    of, column, burn = plan.value(domain.of), plan.program.fields[domain.field], plan.fuel.burn
    values, see = column.values, face_guard(plan, domain.at) if plan.guarded and not column.on_back else None
    in_order = order or _by_number

    def found(v: Vector, r: Registers) -> Iterator[int]:
        cards = bits_of(of(v, r))
        if see is not None:
            for card in cards:
                see(v, card)
        if fuel:
            burn(count_runs([values[card] for card in cards]) * fuel, at)
        return runs(in_order(v, cards), values)

    return found


def runs(cards: Iterable[int], column: Sequence[int]) -> Iterator[int]:
    """Sets of two and more cards whose values of a field follow each other, the first card of each value: by the
    lowest value, shorter ones first."""
    lowest: dict[int, int] = {}
    for card in cards:
        lowest.setdefault(column[card], card)
    for first in sorted(lowest):
        run, last = 1 << lowest[first], first
        while (card_after := lowest.get(last + 1)) is not None:
            run, last = run | 1 << card_after, last + 1
            yield run


def _filtered(plan: Planner, domain: ir.FilteredDomain, fuel: int, at: int, order: Order | None) -> Elements:
    if plan.annotations and domain.sets is not None and not fuel and order is None:
        members = plan.value(domain.sets)
        return lambda v, r: bits_of(members(v, r))
    base, test = plan.elements(domain.domain, fuel, at, order), plan.value(domain.where)
    local = domain.local

    def passing(v: Vector, r: Registers) -> Iterator[int]:
        for element in base(v, r):
            r[local] = element
            if test(v, r):
                yield element

    return passing
