"""What operations do: a closure for each node of `ir.operations`.

What moves cards is a method of the table, which also tells of it; the rest are changes of words, told here if there
is a teller. Imports facts, ir and run only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from rulerun.facts.events import Announced, Became, Named
from rulerun.facts.held import lies_in_holding
from rulerun.facts.observations import Left, Rejoined, Reversed
from rulerun.facts.spots import plain_spot
from rulerun.ir import nodes as ir
from rulerun.ir.program import CHOOSER, DIRECTION, PLAYING, ZONE_COUNT, ZoneKind, seats_by_word
from rulerun.ir.typing import is_card, is_card_set, type_of
from rulerun.run.informing import inform
from rulerun.run.places import (
    always,
    as_value,
    is_ordered,
    load,
    not_none,
    place_address,
    spot_of,
    store,
    words,
    zone,
    zone_word,
)
from rulerun.run.sets import bits_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulerun.run.closures import Registers, Step, Value, Vector
    from rulerun.run.planner import Planner


def step(plan: Planner, op: ir.Op) -> Step:
    """Plans an operation."""
    table = plan.table
    match op:
        case ir.Store():
            return _store(plan, op)
        case ir.SetLocal(local, value):
            return _set_local(local, plan.value(value))
        case ir.Clear(offset, count):
            return _clear(offset, count)
        case ir.Snapshot():
            return _snapshot(plan, op)
        case ir.MoveCard():
            return _move_card(plan, op)
        case ir.MoveCards(cards, to, spot, at):
            members, target = plan.value(cards), zone(plan, to)
            where, by = _target(plan, spot, to, at), _told_alone(spot)
            return lambda v, r: table.move_cards(v, members(v, r), target(v, r), where(v, r), by(v, r))
        case ir.MoveAll(source, to, spot, at):
            origin, target, where = zone(plan, source), zone(plan, to), _target(plan, spot, to, at)
            return lambda v, r: table.move_all(v, origin(v, r), target(v, r), where(v, r))
        case ir.CollectAll(to):
            target = zone(plan, to)
            return lambda v, r: table.collect_all(v, target(v, r))
        case ir.Collect(source, to):
            origin, target = zone(plan, source), zone(plan, to)
            return lambda v, r: table.collect(v, origin(v, r), target(v, r))
        case ir.Shuffle(ref):
            target = zone(plan, ref)
            return lambda v, r: table.shuffle(v, target(v, r))
        case ir.TurnOver(ref):
            target = zone(plan, ref)
            return lambda v, r: table.turn_over(v, target(v, r))
        case ir.Refill():
            return _refill(plan, op)
        case ir.SwapCards(left, right, at):
            first, second = not_none(plan, left, at), not_none(plan, right, at)
            return lambda v, r: table.swap_cards(v, first(v, r), second(v, r))
        case ir.SwapZones(left, right):
            origin, target = zone(plan, left), zone(plan, right)
            return lambda v, r: table.swap_zones(v, origin(v, r), target(v, r))
        case ir.Reveal(cards, to_seats):
            members = plan.value(cards)
            seats = always((1 << plan.program.players) - 1) if to_seats is None else plan.value(to_seats)
            return lambda v, r: table.reveal(v, members(v, r), seats(v, r))
        case ir.Flip(cards, up):
            members = plan.value(cards)
            return lambda v, r: table.flip(v, members(v, r), up)
        case ir.Announce():
            return _announce(plan, op)
        case ir.Tell():
            return _tell(plan, op)
        case ir.Leave():
            return _leave(plan, op)
        case ir.Rejoin():
            return _rejoin(plan, op)
        case ir.Reverse():
            return _reverse(plan)
        case ir.Inform():
            return inform(plan, op)
        case _:
            assert_never(op)


# ------------------------------------------------------------------------ words


def _store(plan: Planner, op: ir.Store) -> Step:
    value, at, count = plan.number(op.value), place_address(plan, op.place), words(plan, op.place.type)
    if plan.teller is not None and _is_told(plan, op.place):
        return _store_told(plan, value, as_value(at), always=op.told)
    if isinstance(at, int) and count == 1:

        def put_at(v: Vector, r: Registers) -> None:
            v[at] = value(v, r)

        return put_at
    put = store(at, count)
    return lambda v, r: put(v, r, value(v, r))


def _is_told(plan: Planner, place: ir.Place) -> bool:
    """Whether a place is a word of a state variable of whose changes those are told who see it. (Of cards in variables
    and on cards `held_cards` tells.)"""
    in_state = plan.layout.variables <= place.offset < plan.layout.frames
    of_cards = is_card(place.type) or is_card_set(place.type) or lies_in_holding(plan.program, place.offset)
    return in_state and not of_cards


def _store_told(plan: Planner, value: Value, at: Value, *, always: bool) -> Step:
    """A change of a state variable is told to the seats that see it (``always``: even if the value was there)."""
    teller, hidden = plan.teller, seats_by_word(plan.program)
    assert teller is not None

    def put(v: Vector, r: Registers) -> None:
        found = value(v, r)
        word = at(v, r)
        before, v[word] = v[word], found
        if always or found != before:
            teller.tell(v, Became(word, found, hidden.get(word, -1)))

    return put


def _set_local(local: int, value: Value) -> Step:
    def put(v: Vector, r: Registers) -> None:
        r[local] = value(v, r)

    return put


def _clear(offset: int, count: int) -> Step:
    zeros, end = [0] * count, offset + count

    def clear(v: Vector, _r: Registers) -> None:
        v[offset:end] = zeros

    return clear


def _snapshot(plan: Planner, op: ir.Snapshot) -> Step:
    """The count, then the elements: `SNAPSHOT_PER_WORD` in a word, the first lowest."""
    elements, offset, capacity, at = plan.elements(op.domain, 0, op.at), op.offset, op.capacity, op.at
    fault, size = plan.faults["no_way_on"], ir.snapshot_words(capacity) - 1
    per, bits = ir.SNAPSHOT_PER_WORD, ir.SNAPSHOT_BITS

    def snapshot(v: Vector, r: Registers) -> None:
        found = list(elements(v, r))
        if len(found) > capacity:
            fault(at, f"a loop over {len(found)} elements where at most {capacity} were foreseen")
        v[offset] = len(found)
        packed = [0] * size
        for i, element in enumerate(found):
            packed[i // per] |= element << i % per * bits
        v[offset + 1 : offset + 1 + size] = packed

    return snapshot


# ------------------------------------------------------------------------ cards


def _told_alone(spot: ir.Spot) -> Value:
    """The seat that alone is told a place which it chose in secret; -1: everyone is told."""
    return (lambda v, _r: v[CHOOSER]) if isinstance(spot, ir.Depth) and spot.secret else always(-1)


def _target(plan: Planner, spot: ir.Spot, to: ir.ZoneRef, at: int) -> Value:
    """A spot where something may come to lie: past the last card, too. In an unordered zone it means nothing."""
    return spot_of(plan, spot if is_ordered(plan, to) else plain_spot(spot), to, at, beyond=1)


def _move_card(plan: Planner, op: ir.MoveCard) -> Step:
    card, target, move = not_none(plan, op.card, op.at), zone(plan, op.to), plan.table.move_card
    if not isinstance(op.spot, ir.Depth) or not is_ordered(plan, op.to):
        where = spot_of(plan, plain_spot(op.spot), op.to, op.at, beyond=1)
        return lambda v, r: move(v, card(v, r), target(v, r), where(v, r))
    depth, by, at = plan.value(op.spot.index), _told_alone(op.spot), op.at
    count = load(zone_word(plan, op.to, ZONE_COUNT), 1)
    location, fault, zones = plan.layout.loc_base, plan.faults["bad_place"], plan.program.zones

    def move_to_depth(v: Vector, r: Registers) -> None:
        which, where = card(v, r), target(v, r)
        spot = depth(v, r)
        most = count(v, r) - (v[location + which] == where)  # the card itself does not count
        if not 0 <= spot <= most:
            fault(at, spot, zones[where].name, most)
        move(v, which, where, spot, by(v, r))

    return move_to_depth


def _refill(plan: Planner, op: ir.Refill) -> Step:
    """Only of an empty zone it matters which zone the source is: its index may be a fault."""
    count, target, source = load(zone_word(plan, op.zone, ZONE_COUNT), 1), zone(plan, op.zone), zone(plan, op.source)
    keep, shuffle, refill = op.keep, op.shuffle, plan.table.refill

    def refill_if_empty(v: Vector, r: Registers) -> None:
        if not count(v, r):
            refill(v, target(v, r), source(v, r), keep, shuffle)

    return refill_if_empty


# ---------------------------------------------------------------------- players


def _leave(plan: Planner, op: ir.Leave) -> Step:
    player, teller = not_none(plan, op.player, op.at), plan.teller

    def leave(v: Vector, r: Registers) -> None:
        seat = player(v, r)
        if v[PLAYING] >> seat & 1:
            v[PLAYING] ^= 1 << seat
            if teller is not None:
                teller.tell(v, Left(seat))

    return leave


def _rejoin(plan: Planner, op: ir.Rejoin) -> Step:
    seats, teller = plan.value(op.seats), plan.teller

    def rejoin(v: Vector, r: Registers) -> None:
        back = seats(v, r) & ~v[PLAYING]
        if back:
            v[PLAYING] |= back
            if teller is not None:
                teller.tell(v, Rejoined(back))

    return rejoin


def _reverse(plan: Planner) -> Step:
    teller = plan.teller

    def reverse(v: Vector, _r: Registers) -> None:
        v[DIRECTION] = -v[DIRECTION]
        if teller is not None:
            teller.tell(v, Reversed(v[DIRECTION]))

    return reverse


# ---------------------------------------------------------------------- telling


def _announce(plan: Planner, op: ir.Announce) -> Step:
    """The values are worked out even where nobody is told: they may fault."""
    parts, teller, at = [_said(plan, part) for part in op.text.parts if not isinstance(part, str)], plan.teller, op.at

    def announce(v: Vector, r: Registers) -> None:
        said = tuple([part(v, r) for part in parts])
        if teller is not None:
            teller.tell(v, Announced(at, said))

    return announce


def _said(plan: Planner, part: ir.Expr) -> Callable[[Vector, Registers], int | tuple[Named, ...]]:
    """A value of a note; a card or a set of cards as those that it names."""
    value, type_ = plan.number(part), type_of(part)
    if is_card_set(type_):
        return lambda v, r: tuple([_named(plan, v, card) for card in bits_of(value(v, r))])
    if is_card(type_):
        return lambda v, r: (_named(plan, v, card),) if (card := value(v, r)) >= 0 else ()
    return value


def _named(plan: Planner, v: Vector, card: int) -> Named:
    """A card as a note names it: as a label does, by its place where that is what tells hidden cards apart."""
    table, program = plan.table, plan.program
    zone = v[plan.layout.loc_base + card]
    kind, seen, place = program.kinds[card], table.who_knows(v, card), -1
    if program.families[program.zones[zone].family].kind in (ZoneKind.ROW, ZoneKind.BOARD):
        hidden = table.seen_by[zone] != (1 << program.players) - 1
        place = table.position(v, card) if hidden else -1
    return Named(kind, zone if place >= 0 else -1, place, seen)


def _tell(plan: Planner, op: ir.Tell) -> Step:
    """The choices made at once are told; without a teller it does nothing."""
    tell, site = plan.tell_choice, op.site
    if tell is None:
        return lambda _v, _r: None
    line = always(0) if op.line is None else plan.value(ir.Load(op.line))
    chooser = plan.value(op.chooser)

    def tell_choice(v: Vector, r: Registers) -> None:
        number = line(v, r)
        tell(v, site, chooser(v, r), number)

    return tell_choice
