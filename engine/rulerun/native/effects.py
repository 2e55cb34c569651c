"""Operations of the IR in machine code: stores, and calls of the operations on cards (`cards`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from rulerun.facts import faults
from rulerun.facts.spots import plain_spot
from rulerun.ir import nodes as ir
from rulerun.ir.program import DIRECTION, PLAYING, ZONE_COUNT
from rulerun.ir.types import BOOL, Type
from rulerun.ir.typing import is_card_set, type_of
from rulerun.native.domains import Item, bind, each, single
from rulerun.native.expressions import Emitter


def parameter_type(given: ir.Expr) -> Type:
    """The type of the value at a parameter or result place: a set of cards takes several words."""
    type_ = type_of(given)
    return type_ if is_card_set(type_) else BOOL


def store_at(e: Emitter, addresses: Sequence[str], words: Sequence[str]) -> None:
    for address, word in zip(addresses, words, strict=True):
        e.w.put(address, word)


def clear_words(e: Emitter, offset: int, words: int) -> None:
    """Zeroes words of the vector that are known by their numbers."""
    word, last = offset, offset + words
    while word < last:
        if word in e.scalars:
            e.write(word, "0")
            word += 1
            continue
        first = word
        while word < last and word not in e.scalars:
            word += 1
        e.w.clear("%v", str(first), word - first)


def spot_name(spot: ir.Spot) -> str:
    if isinstance(spot, ir.End):
        return "head" if spot is ir.End.HEAD else "tail"
    return "depth"


def target_depth(e: Emitter, spot: ir.Spot, zone: ir.ZoneRef, at: int) -> list[str]:
    """The depth where cards are to go, checked; nothing for an end."""
    if isinstance(spot, ir.End):
        return []
    depth = e.emit(spot.index)
    check_depth(e, depth, e.w.add(e.zone_word(zone, ZONE_COUNT), "1"), at)
    return [depth]


def check_depth(e: Emitter, depth: str, places: str, at: int) -> None:
    """A fault unless ``0 <= depth < places``."""
    inside = e.w.all_of(e.w.compare("sge", depth, "0"), e.w.compare("slt", depth, places))
    e.fail_if(e.w.no(inside), faults.BAD_PLACE, at)


def write_op(e: Emitter, op: ir.Op) -> None:
    """Writes one operation."""
    w, cards = e.w, e.cards
    e.at = getattr(op, "at", e.at)
    match op:
        case ir.Store(place, value):
            words = e.value(value)
            store_at(e, e.addresses(place), words)
        case ir.SetLocal(local, value):
            for slot, word in zip(e.scope.slots[local], e.value(value), strict=True):
                w.put(slot, word)
        case ir.Clear(offset, words_):
            clear_words(e, offset, words_)
        case ir.Snapshot():
            write_snapshot(e, op)
        case ir.MoveCard(card, to, spot, at):
            which = e.not_none(card, at)
            zone = e.instance(to)
            depth: list[str] = []
            if isinstance(spot, ir.Depth) and e.family(to).kind.ordered:
                depth = [e.emit(spot.index)]
                same = w.number(w.compare("eq", w.load("%lc", which), zone))
                check_depth(e, depth[0], w.add(w.sub(e.zone_word(to, ZONE_COUNT), same), "1"), at)
            else:
                spot = plain_spot(spot)
            cards.do(w, f"move_card.{e.kind(to)}.{spot_name(spot)}", [which, zone, *depth])
        case ir.MoveCards(of, to, spot, at):
            words = e.words(of)
            zone = e.instance(to)
            spot = plain_spot(spot) if not e.family(to).kind.ordered else spot
            depth = target_depth(e, spot, to, at)
            cards.do(w, f"move_cards.{e.kind(to)}.{spot_name(spot)}", [zone, *depth, *words])
        case ir.MoveAll(source, to, spot, at):
            first, zone = e.instance(source), e.instance(to)
            spot = plain_spot(spot) if not e.family(to).kind.ordered else spot
            depth = target_depth(e, spot, to, at)
            name = f"move_all.{e.kind(source)}.{e.kind(to)}.{spot_name(spot)}"
            cards.do(w, name, [first, zone, *depth])
        case ir.CollectAll(to):
            cards.do(w, f"collect_all.{e.kind(to)}", [e.instance(to)])
        case ir.Collect(source, to):
            first = e.instance(source)
            cards.do(w, f"collect.{e.kind(source)}.{e.kind(to)}", [first, e.instance(to)])
        case ir.Shuffle(zone_ref):
            cards.do(w, f"shuffle.{e.kind(zone_ref)}", [e.instance(zone_ref)])
        case ir.TurnOver(zone_ref):
            cards.do(w, f"turn_over.{e.kind(zone_ref)}", [e.instance(zone_ref)])
        case ir.Refill(zone_ref, source, keep, shuffle):
            with w.when(w.compare("eq", e.zone_word(zone_ref, ZONE_COUNT), "0")):
                zone = e.instance(zone_ref)
                how = "shuffled" if shuffle else "turned"
                name = f"refill.{e.kind(source)}.{e.kind(zone_ref)}.{keep}.{how}"
                cards.do(w, name, [zone, e.instance(source)])
        case ir.SwapCards(left, right, at):
            a = e.not_none(left, at)
            cards.do(w, "swap_cards", [a, e.not_none(right, at)])
        case ir.SwapZones(left, right):
            first = e.instance(left)
            cards.do(w, f"swap_zones.{e.kind(left)}", [first, e.instance(right)])
        case ir.Reveal(of, to_seats):
            e.words(of)
            if to_seats is not None:
                e.emit(to_seats)
        case ir.Flip(of):
            e.words(of)
        case ir.Announce(text):
            for part in text.parts:
                if not isinstance(part, str):
                    e.value(part)
        case ir.Tell():
            pass
        case ir.Leave(player, at):
            seat = e.not_none(player, at)
            e.write(PLAYING, w.without(e.read(PLAYING), w.bit(seat)))
        case ir.Rejoin(seats):
            e.write(PLAYING, w.either(e.read(PLAYING), e.emit(seats)))
        case ir.Reverse():
            e.write(DIRECTION, w.sub("0", e.read(DIRECTION)))
        case ir.Inform():
            write_inform(e, op)
        case _:
            assert_never(op)


def write_inform(e: Emitter, op: ir.Inform) -> None:
    """Facts for everyone: nobody is told natively, but what may fault is evaluated."""
    if op.to is not None:
        e.emit(op.to)
    if op.zone is None:
        e.emit(op.test)
        return
    domain = ir.ZoneDomain(op.zone)

    def fact_of(item: Item) -> None:
        bind(e, op.local, item, domain)
        e.emit(op.test)

    each(e, domain, fact_of)


def write_snapshot(e: Emitter, op: ir.Snapshot) -> None:
    """The elements of a domain for a loop: their count, then six a word."""
    w = e.w
    per, bits = ir.SNAPSHOT_PER_WORD, ir.SNAPSHOT_BITS
    length = w.slot("0")
    words = ir.snapshot_words(op.capacity) - 1
    held = w.slot(words=max(1, words))
    for i in range(words):
        w.store(held, str(i), "0")

    def keep(item: Item) -> None:
        have = w.get(length)
        w.put(length, w.add(have, "1"))
        if words <= 1:
            word, place = "0", have
        else:
            number = w.op(f"udiv i64 {have}, {per}")
            place = w.sub(have, w.mul(number, str(per)))
            word = w.op(f"call i64 @llvm.umin.i64(i64 {number}, i64 {words - 1})")
        address = w.at(held, word)
        shifted = w.up(single(item), w.both(w.mul(place, str(bits)), "63"))
        w.put(address, w.either(w.get(address), shifted))

    each(e, op.domain, keep)
    count = w.get(length)
    e.fail_if(w.compare("sgt", count, str(op.capacity)), faults.NO_WAY_ON, op.at)
    e.write(op.offset, count)
    for i in range(words):
        e.write(op.offset + 1 + i, w.load(held, str(i)))
