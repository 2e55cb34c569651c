"""What expressions mean: a closure for each node of `ir.expressions`. Folds and covers have pages of their own.

Parts are evaluated left to right, and only those that are needed. Where an operand is a constant, a register or a fixed
word there is a closure without a call for it: that is most of the speed of the rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from rulerun.facts.ranges import raw_range
from rulerun.facts.spots import HEAD, TAIL
from rulerun.ir import nodes as ir
from rulerun.ir.arithmetic import CHECKED, PARTIAL, is_defined, power
from rulerun.ir.program import DIRECTION, PLAYING, ZONE_COUNT, ZONE_HEAD, ZONE_SET, ZONE_TAIL, is_hidden
from rulerun.ir.types import INT_MAX, INT_MIN
from rulerun.ir.typing import is_optional
from rulerun.run.places import (
    address,
    always,
    as_value,
    fixed_word,
    is_ordered,
    load,
    not_none,
    place_address,
    words,
    zone,
    zone_word,
)
from rulerun.run.seeing import face_guard, word_guard
from rulerun.run.sets import bits_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulerun.run.closures import Registers, Value, Vector
    from rulerun.run.planner import Planner

    Pair = Callable[[Value, Value], Value]
    WithNumber = Callable[[Value, int], Value]

PLAIN: dict[str, Pair] = {
    "==": lambda a, b: lambda v, r: a(v, r) == b(v, r),
    "!=": lambda a, b: lambda v, r: a(v, r) != b(v, r),
    "<": lambda a, b: lambda v, r: a(v, r) < b(v, r),
    "<=": lambda a, b: lambda v, r: a(v, r) <= b(v, r),
    ">": lambda a, b: lambda v, r: a(v, r) > b(v, r),
    ">=": lambda a, b: lambda v, r: a(v, r) >= b(v, r),
    "min": lambda a, b: lambda v, r: min(a(v, r), b(v, r)),
    "max": lambda a, b: lambda v, r: max(a(v, r), b(v, r)),
    "union": lambda a, b: lambda v, r: a(v, r) | b(v, r),
    "common": lambda a, b: lambda v, r: a(v, r) & b(v, r),
    "without": lambda a, b: lambda v, r: a(v, r) & ~b(v, r),
}
"""Operators that cannot fault."""
PLAIN_WITH_NUMBER: dict[str, WithNumber] = {
    "==": lambda a, k: lambda v, r: a(v, r) == k,
    "!=": lambda a, k: lambda v, r: a(v, r) != k,
    "<": lambda a, k: lambda v, r: a(v, r) < k,
    "<=": lambda a, k: lambda v, r: a(v, r) <= k,
    ">": lambda a, k: lambda v, r: a(v, r) > k,
    ">=": lambda a, k: lambda v, r: a(v, r) >= k,
    "common": lambda a, k: lambda v, r: a(v, r) & k,
}
WORD_WITH_NUMBER: dict[str, Callable[[int, int], Value]] = {
    "==": lambda at, k: lambda v, _r: v[at] == k,
    "!=": lambda at, k: lambda v, _r: v[at] != k,
    "<": lambda at, k: lambda v, _r: v[at] < k,
    "<=": lambda at, k: lambda v, _r: v[at] <= k,
    ">": lambda at, k: lambda v, _r: v[at] > k,
    ">=": lambda at, k: lambda v, _r: v[at] >= k,
}
"""For a word that is always the same."""


def value(plan: Planner, expr: ir.Expr) -> Value:
    """Plans an expression."""
    match expr:
        case ir.Const(known):
            return always(known)
        case ir.Local(register):
            return lambda _v, r: r[register]
        case ir.Load(place):
            return _load(plan, place)
        case ir.Unary("not", operand):
            negated = plan.value(operand)
            return lambda v, r: not negated(v, r)
        case ir.Unary(_, operand, at):
            number_of = plan.value(operand)
            return _in_range(plan, expr, lambda v, r: -number_of(v, r), at)
        case ir.Binary():
            return _binary(plan, expr)
        case ir.And():
            return _every(plan, expr)
        case ir.Or():
            return _some(plan, expr)
        case ir.Conditional(condition, then, otherwise):
            holds, yes, no = plan.value(condition), plan.value(then), plan.value(otherwise)
            return lambda v, r: yes(v, r) if holds(v, r) else no(v, r)
        case ir.Contains(item, of):
            return _contains(plan, item, of)
        case ir.Single(item):
            element = plan.value(item)
            return lambda v, r: 1 << element(v, r)
        case ir.CardTable():
            return _card_table(plan, expr)
        case ir.HoldersOf(sets, of):
            return _holders(plan, sets, of)
        case ir.SumOf(values, of):
            summed = plan.value(of)
            return lambda v, r: sum([values[card] for card in bits_of(summed(v, r))])
        case ir.Size(ir.ZoneCards(ref)) | ir.ZoneCount(ref):
            return load(zone_word(plan, ref, ZONE_COUNT), 1)
        case ir.Size(of):
            members = plan.value(of)
            return lambda v, r: members(v, r).bit_count()
        case ir.Lookup(table, axes, _, at):
            column, entry = plan.program.tables[table].values, as_value(address(plan, 0, axes, at))
            return lambda v, r: column[entry(v, r)]
        case ir.CardField():
            return _card_field(plan, expr)
        case ir.UndrawnCount(ref):
            undrawn = _set_in(plan, ref) if is_ordered(plan, ref) else always(0)
            return lambda v, r: undrawn(v, r).bit_count()
        case ir.ZoneCards(ref):
            return _zone_cards(plan, ref)
        case ir.ZoneEnd(ref, end, at):
            return _zone_end(plan, ref, end, at)
        case ir.ZoneTop(ref, end, count):
            instance, number, top = zone(plan, ref), plan.value(count), plan.table.top
            spot = HEAD if end is ir.End.HEAD else TAIL
            return lambda v, r: top(v, instance(v, r), spot, number(v, r))
        case ir.InZone(card, ref):
            which, instance, location = plan.value(card), zone(plan, ref), plan.layout.loc_base
            return lambda v, r: v[location + which(v, r)] == instance(v, r)
        case ir.PlayersIn():
            return lambda v, _r: v[PLAYING]
        case ir.Neighbour():
            return _neighbour(plan, expr)
        case ir.Sees(player, ref):
            seat, instance, seen_by = plan.value(player), zone(plan, ref), plan.table.seen_by
            return lambda v, r: seen_by[instance(v, r)] >> seat(v, r) & 1
        case ir.Knows(player, card):
            seat, which, knows = plan.value(player), plan.value(card), plan.table.knows
            return lambda v, r: knows(v, seat(v, r), which(v, r))
        case ir.Alike(player, left, right):
            seat, one, other, alike = plan.value(player), plan.value(left), plan.value(right), plan.sight.alike
            return lambda v, r: alike(v, seat(v, r), one(v, r), other(v, r))
        case ir.Fold():
            return plan.fold(expr)
        case ir.Cover():
            return plan.cover(expr)
        case ir.CallFunction():
            return _call(plan, expr)
        case ir.SnapshotCount(offset):
            return lambda v, _r: v[offset]
        case ir.SnapshotItem(offset, index):
            return _snapshot_item(plan, offset + 1, index)
        case _:
            assert_never(expr)


# ------------------------------------------------------------ numbers and truth


def _binary(plan: Planner, expr: ir.Binary) -> Value:
    match expr:
        case ir.Binary(op, left, ir.Const(k)) if op in PLAIN_WITH_NUMBER:
            word = fixed_word(plan, left)
            if word is not None and op in WORD_WITH_NUMBER:
                return WORD_WITH_NUMBER[op](word, k)
            return PLAIN_WITH_NUMBER[op](plan.value(left), k)
        case ir.Binary(op, left, right) if op in PLAIN:
            return PLAIN[op](plan.value(left), plan.value(right))
        case ir.Binary("+" | "-" as op, left, ir.Const(k)):
            return _shifted(plan, expr, k if op == "+" else -k)
        case ir.Binary("**"):
            return _power(plan, expr)
        case ir.Binary(op, left, right, _, at):
            a, b, compute = plan.value(left), plan.value(right), CHECKED[op]
            if op not in PARTIAL:
                return _computed(plan, expr, a, b, compute)
            fault = plan.faults[PARTIAL[op]]

            def computed(v: Vector, r: Registers) -> int:
                x, y = a(v, r), b(v, r)
                if not is_defined(op, y):
                    fault(at)
                return compute(x, y)

            return _in_range(plan, expr, computed, at)


def _fits(plan: Planner, expr: ir.Unary | ir.Binary) -> bool:
    """Whether a number is known to keep the range of a word."""
    low, high = raw_range(expr, plan.program, {})
    return low >= INT_MIN and high <= INT_MAX


def _shifted(plan: Planner, expr: ir.Binary, by: int) -> Value:
    """A number and a constant. As `_in_range`, in one closure: no sums are worked out more often."""
    term = plan.value(expr.left)
    if _fits(plan, expr):
        return lambda v, r: term(v, r) + by
    fault, at = plan.faults["overflow"], expr.at

    def checked(v: Vector, r: Registers) -> int:
        found = term(v, r) + by
        if not INT_MIN <= found <= INT_MAX:
            fault(at, found)
        return found

    return checked


def _computed(plan: Planner, expr: ir.Binary, a: Value, b: Value, compute: Callable[[int, int], int]) -> Value:
    """A sum, difference or product; in one closure, too."""
    if _fits(plan, expr):
        return lambda v, r: compute(a(v, r), b(v, r))
    fault, at = plan.faults["overflow"], expr.at

    def checked(v: Vector, r: Registers) -> int:
        found = compute(a(v, r), b(v, r))
        if not INT_MIN <= found <= INT_MAX:
            fault(at, found)
        return found

    return checked


def _power(plan: Planner, expr: ir.Binary) -> Value:
    """A power; one out of range is told by what it is of, for the number itself may be endless."""
    a, b, at = plan.value(expr.left), plan.value(expr.right), expr.at
    negative, overflow = plan.faults["negative_power"], plan.faults["overflow"]

    def raised(v: Vector, r: Registers) -> int:
        base, exponent = a(v, r), b(v, r)
        if exponent < 0:
            negative(at)
        found = power(base, exponent)
        if not INT_MIN <= found <= INT_MAX:
            overflow(at, f"{base} ** {exponent}")
        return found

    return raised


def _in_range(plan: Planner, expr: ir.Unary | ir.Binary, result: Value, at: int) -> Value:
    """A number that is a fault outside the range of a word, unless it is known to keep it."""
    if _fits(plan, expr):
        return result
    fault = plan.faults["overflow"]

    def checked(v: Vector, r: Registers) -> int:
        found = result(v, r)
        if not INT_MIN <= found <= INT_MAX:
            fault(at, found)
        return found

    return checked


def _parts(expr: ir.Expr, node: type[ir.And | ir.Or]) -> list[ir.Expr]:
    """``a and (b and c)``: a, b, c."""
    found: list[ir.Expr] = []
    waiting = [expr]
    while waiting:
        part = waiting.pop()
        if isinstance(part, node):
            waiting += [part.right, part.left]
        else:
            found.append(part)
    return found


def _every(plan: Planner, expr: ir.And) -> Value:
    match [plan.value(part) for part in _parts(expr, ir.And)]:
        case [a, b]:
            return lambda v, r: a(v, r) and b(v, r)
        case [a, b, c]:
            return lambda v, r: a(v, r) and b(v, r) and c(v, r)
        case tests:

            def all_hold(v: Vector, r: Registers) -> bool:
                for test in tests:  # noqa: SIM110 - a generator would take twice as long
                    if not test(v, r):
                        return False
                return True

            return all_hold


def _some(plan: Planner, expr: ir.Or) -> Value:
    match [plan.value(part) for part in _parts(expr, ir.Or)]:
        case [a, b]:
            return lambda v, r: a(v, r) or b(v, r)
        case [a, b, c]:
            return lambda v, r: a(v, r) or b(v, r) or c(v, r)
        case tests:

            def any_holds(v: Vector, r: Registers) -> bool:
                for test in tests:  # noqa: SIM110 - a generator would take twice as long
                    if test(v, r):
                        return True
                return False

            return any_holds


def _contains(plan: Planner, item: ir.Expr, of: ir.Expr) -> Value:
    element, members = plan.value(item), plan.value(of)
    if isinstance(of, ir.Const):
        known = of.value
        return lambda v, r: known >> element(v, r) & 1

    def contains(v: Vector, r: Registers) -> int:
        which = element(v, r)
        return members(v, r) >> which & 1

    return contains


def _card_table(plan: Planner, expr: ir.CardTable) -> Value:
    index, sets, low, last = plan.value(expr.index), expr.sets, expr.low, len(expr.sets) - 1

    def entry(v: Vector, r: Registers) -> int:
        at = index(v, r) - low
        return sets[0 if at < 0 else last if at > last else at]

    return entry


def _holders(plan: Planner, sets: tuple[int, ...], of: ir.Expr) -> Value:
    members, listed = plan.value(of), plan.members

    def holders(v: Vector, r: Registers) -> int:
        found = 0
        for element in listed(members(v, r)):
            if element < len(sets):
                found |= sets[element]
        return found

    return holders


def _call(plan: Planner, call: ir.CallFunction) -> Value:
    """A function gets registers of its own: the arguments, then its other locals and its result."""
    memoized = plan.memoized.get(call.function)
    if memoized is not None:
        return _call_memoized(memoized, [plan.value(argument) for argument in call.arguments])
    body, rest = plan.functions[call.function], [0] * (
        len(plan.program.functions[call.function].locals) - len(call.arguments) + 1
    )
    match [plan.value(argument) for argument in call.arguments]:
        case []:
            return lambda v, _r: body(v, rest.copy())
        case [a]:
            return lambda v, r: body(v, [a(v, r), *rest])
        case [a, b]:
            return lambda v, r: body(v, [a(v, r), b(v, r), *rest])
        case [a, b, c]:
            return lambda v, r: body(v, [a(v, r), b(v, r), c(v, r), *rest])
        case given:
            return lambda v, r: body(v, [a(v, r) for a in given] + rest)


def _call_memoized(memoized: Callable[..., int], arguments: list[Value]) -> Value:
    match arguments:
        case [a]:
            return lambda v, r: memoized(a(v, r))
        case [a, b]:
            return lambda v, r: memoized(a(v, r), b(v, r))
        case _:
            return lambda v, r: memoized(*[argument(v, r) for argument in arguments])


# -------------------------------------------------------------- state and cards


def _load(plan: Planner, place: ir.Place) -> Value:
    at = place_address(plan, place)
    found = load(at, words(plan, place.type))
    if not plan.guarded or not is_hidden(plan.program, place.offset):
        return found
    where, see = as_value(at), word_guard(plan, place.at)

    def seen(v: Vector, r: Registers) -> int:
        see(v, where(v, r))
        return found(v, r)

    return seen


def _card_field(plan: Planner, expr: ir.CardField) -> Value:
    column, card = plan.program.fields[expr.field], not_none(plan, expr.card, expr.at)
    values, width = column.values, column.width
    seen = face_guard(plan, expr.at) if plan.guarded and not column.on_back else None
    if width == 1 and isinstance(expr.card, ir.Local) and not is_optional(expr.card.type):
        index = expr.card.index
        if seen is None:
            return lambda _v, r: values[r[index]]
        return lambda v, r: values[seen(v, r[index])]
    if seen is not None:
        card = _looked_at(card, seen)
    if width == 1:
        return lambda v, r: values[card(v, r)]
    entry = as_value(address(plan, 0, expr.axes, expr.at))
    return lambda v, r: values[card(v, r) * width + entry(v, r)]


def _looked_at(card: Value, seen: Callable[[Vector, int], int]) -> Value:
    """A card whose face is about to be read."""
    return lambda v, r: seen(v, card(v, r))


def _set_in(plan: Planner, ref: ir.ZoneRef) -> Value:
    """The set in a zone's record."""
    return load(zone_word(plan, ref, ZONE_SET), plan.layout.words_per_set)


def _zone_cards(plan: Planner, ref: ir.ZoneRef) -> Value:
    if not is_ordered(plan, ref):
        return _set_in(plan, ref)
    instance, set_of = zone(plan, ref), plan.table.set_of
    return lambda v, r: set_of(v, instance(v, r))


def _zone_end(plan: Planner, ref: ir.ZoneRef, end: ir.End, at: int) -> Value:
    instance, nothing, several = zone(plan, ref), plan.faults["nothing_there"], plan.faults["several_there"]
    zones, family = plan.program.zones, plan.program.families[ref.family]
    spot = HEAD if end is ir.End.HEAD else TAIL
    find = plan.table.end

    def missing(number: int, found: int) -> None:
        if found == -1:
            nothing(at, zones[number].name, family.name)
        several(at, zones[number].name)

    def at_end(v: Vector, r: Registers) -> int:
        number = instance(v, r)
        card = find(v, number, spot)
        if card < 0:
            missing(number, card)
        return card

    if not family.kind.ordered or family.shuffled:
        return at_end
    word = zone_word(plan, ref, ZONE_HEAD if spot == HEAD else ZONE_TAIL)
    if isinstance(word, int):

        def linked_to_one(v: Vector, r: Registers) -> int:
            card = v[word] - 1
            if card < 0:
                missing(instance(v, r), -1)
            return card

        return linked_to_one
    at_word = as_value(word)

    def linked(v: Vector, r: Registers) -> int:
        card = v[at_word(v, r)] - 1
        if card < 0:
            missing(instance(v, r), -1)
        return card

    return linked


def _neighbour(plan: Planner, expr: ir.Neighbour) -> Value:
    seat_of, step, players = not_none(plan, expr.player, expr.at), expr.step, plan.program.players

    def neighbour(v: Vector, r: Registers) -> int:
        seat, way, playing = seat_of(v, r), step * v[DIRECTION], v[PLAYING]
        for _ in range(players):
            seat = (seat + way) % players
            if playing >> seat & 1:
                break
        return seat

    return neighbour


def _snapshot_item(plan: Planner, first: int, index: ir.Expr) -> Value:
    number, per, bits = plan.value(index), ir.SNAPSHOT_PER_WORD, ir.SNAPSHOT_BITS
    mask = (1 << bits) - 1

    def item(v: Vector, r: Registers) -> int:
        word, place = divmod(number(v, r), per)
        return v[first + word] >> place * bits & mask

    return item
