"""Where things lie in the vector: places, zones and tables by their axes; reading and writing the values there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulerun.facts.spots import HEAD, TAIL
from rulerun.ir import nodes as ir
from rulerun.ir.program import ZONE_COUNT, is_hidden
from rulerun.ir.types import WORD_BITS, Type
from rulerun.ir.typing import is_card_set, is_optional, type_of

if TYPE_CHECKING:
    from rulerun.run.closures import Put, Registers, Value, Vector
    from rulerun.run.planner import Planner

_WORD = (1 << WORD_BITS) - 1


def address(plan: Planner, base: int, axes: tuple[ir.Axis, ...], at: int, scale: int = 1) -> int | Value:
    """``base`` plus the sum of the axes (times ``scale``): a number if all of it is known, else how to work it out."""
    varying: list[tuple[ir.Axis, int]] = []
    for axis in axes:
        stride = axis.stride * scale
        base -= axis.low * stride
        if isinstance(axis.index, ir.Const) and axis.low <= axis.index.value < axis.low + axis.size:
            base += axis.index.value * stride
        else:
            varying.append((axis, stride))
    match [(_within(plan, axis, at), stride) for axis, stride in varying]:
        case []:
            return base
        case [(index, stride)]:
            return _scaled(plan, varying[0][0], index, stride, base)
        case [(first, high), (second, low)]:
            return lambda v, r: first(v, r) * high + second(v, r) * low + base
        case indices:
            return lambda v, r: sum([index(v, r) * stride for index, stride in indices], base)


def _scaled(plan: Planner, axis: ir.Axis, index: Value, stride: int, base: int) -> Value:
    """An address by one axis. Nearly all go by a register or by a fixed word."""
    if not axis.checked and isinstance(axis.index, ir.Local):
        register = axis.index.index
        return lambda _v, r: r[register] * stride + base
    word = None if axis.checked else fixed_word(plan, axis.index)
    if word is not None:
        return lambda v, _r: v[word] * stride + base
    return lambda v, r: index(v, r) * stride + base


def fixed_word(plan: Planner, expr: ir.Expr) -> int | None:
    """The word of the vector that holds an expression's value, if it is always the same one, and all may read it."""
    match expr:
        case ir.Load(place):
            if words(plan, place.type) > 1 or (plan.guarded and is_hidden(plan.program, place.offset)):
                return None
            at = place_address(plan, place)
        case ir.Size(ir.ZoneCards(ref)) | ir.ZoneCount(ref):
            at = zone_word(plan, ref, ZONE_COUNT)
        case _:
            return None
    return at if isinstance(at, int) else None


def _within(plan: Planner, axis: ir.Axis, at: int) -> Value:
    """An index; a fault outside its range, where it is checked."""
    index, low, high, fault = plan.value(axis.index), axis.low, axis.low + axis.size - 1, plan.faults["index"]
    if not axis.checked:
        return index

    def checked(v: Vector, r: Registers) -> int:
        found = index(v, r)
        if not low <= found <= high:
            fault(at, found, low, high)
        return found

    return checked


def always(value: int) -> Value:
    """A value that is known beforehand."""
    return lambda _v, _r: value


def as_value(found: int | Value) -> Value:
    return always(found) if isinstance(found, int) else found


def zone(plan: Planner, ref: ir.ZoneRef) -> Value:
    """The number of a zone instance."""
    return as_value(address(plan, plan.program.families[ref.family].first, ref.axes, ref.at))


def zone_word(plan: Planner, ref: ir.ZoneRef, word: int) -> int | Value:
    """The address of word ``word`` of a zone's record."""
    first = plan.layout.zone(plan.program.families[ref.family].first)
    return address(plan, first + word, ref.axes, ref.at, plan.layout.zone_words)


def is_ordered(plan: Planner, ref: ir.ZoneRef) -> bool:
    return plan.program.families[ref.family].kind.ordered


def spot_of(plan: Planner, spot: ir.Spot, ref: ir.ZoneRef, at: int, *, beyond: int) -> Value:
    """A spot of a zone. A depth of ``count + beyond`` or more is a fault."""
    if isinstance(spot, ir.End):
        return always(HEAD if spot is ir.End.HEAD else TAIL)
    index, instance = plan.value(spot.index), zone(plan, ref)
    fault, zones = plan.faults["bad_place"], plan.program.zones
    count = load(zone_word(plan, ref, ZONE_COUNT), 1)

    def depth(v: Vector, r: Registers) -> int:
        found, lying = index(v, r), count(v, r)
        if not 0 <= found < lying + beyond:
            fault(at, found, zones[instance(v, r)].name, lying)
        return found

    return depth


def place_address(plan: Planner, place: ir.Place) -> int | Value:
    return address(plan, place.offset, place.axes, place.at)


def words(plan: Planner, type_: Type) -> int:
    """How many words a value of a type takes."""
    return plan.layout.words_per_set if is_card_set(type_) else 1


def load(at: int | Value, count: int) -> Value:
    """The value that lies in ``count`` words."""
    if count == 1:
        if isinstance(at, int):
            return lambda v, _r: v[at]
        return lambda v, r: v[at(v, r)]
    first = as_value(at)

    def joined(v: Vector, r: Registers) -> int:
        found, base = 0, first(v, r)
        for i in range(base + count - 1, base - 1, -1):
            found = found << WORD_BITS | v[i]
        return found

    return joined


def store(at: int | Value, count: int) -> Put:
    """Writes a value into ``count`` words. The value has been worked out before the place is."""
    if count == 1:
        if isinstance(at, int):

            def put_at(v: Vector, _r: Registers, value: int) -> None:
                v[at] = value

            return put_at

        def put(v: Vector, r: Registers, value: int) -> None:
            v[at(v, r)] = value

        return put
    first = as_value(at)

    def spread(v: Vector, r: Registers, value: int) -> None:
        base = first(v, r)
        for i in range(base, base + count):
            v[i] = value & _WORD
            value >>= WORD_BITS

    return spread


def put_in(plan: Planner, place: ir.Place) -> Put:
    """Stores into a place."""
    return store(place_address(plan, place), words(plan, place.type))


def not_none(plan: Planner, expr: ir.Expr, at: int) -> Value:
    """A card or player that may be `none` only at the price of a fault."""
    value, fault = plan.value(expr), plan.faults["none_used"]
    if not is_optional(type_of(expr)):
        return value

    def some(v: Vector, r: Registers) -> int:
        found = value(v, r)
        if found < 0:
            fault(at)
        return found

    return some
