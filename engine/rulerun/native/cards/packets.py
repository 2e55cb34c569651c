"""Many cards at once, in machine code: shuffles, collects, refills, swaps, piles turned over."""

from __future__ import annotations

from collections.abc import Sequence

from rulerun.ir.program import ZONE_COUNT, ZONE_GAP, ZONE_HEAD, ZONE_TAIL
from rulerun.native.cards.store import CardStore, operation
from rulerun.native.text import Writer


@operation
def set_of(store: CardStore, name: str, kind: str) -> None:
    def body(w: Writer, given: list[str]) -> Sequence[str]:
        words = store.read_set(w, given[0])
        if not store.is_ordered(kind):
            return words
        held = store.hold(w, words)
        store.each_linked(
            w, w.get(store.word(w, given[0], ZONE_HEAD)), "%nx", lambda card: store.include(w, held, card)
        )
        return store.held(w, held)

    store.function(name, 1, body, inline=not store.is_ordered(kind))


@operation
def empty(store: CardStore, name: str, kind: str) -> None:
    """``(z)``: takes all cards out; which they were. Locations are left stale."""

    def body(w: Writer, given: list[str]) -> Sequence[str]:
        z = given[0]
        held = store.hold(w, store.read_set(w, z))
        if store.is_ordered(kind):
            at = w.slot(w.get(store.word(w, z, ZONE_HEAD)))
            with w.loop() as loop:
                here = w.get(at)
                loop.leave_if(w.compare("eq", here, "0"))
                card = w.sub(here, "1")
                store.include(w, held, card)
                w.put(at, w.load("%nx", card))
                for base in ("%nx", "%bk", "%gp"):
                    w.store(base, card, "0")
        w.clear("%zn", z, store.zone_words)
        return store.held(w, held)

    store.function(name, 1, body)


@operation
def shuffle(store: CardStore, name: str, kind: str) -> None:
    """``(zone)``"""

    def body(w: Writer, given: list[str]) -> None:
        if not store.is_ordered(kind):
            return
        z = store.record(w, given[0])
        count = w.get(store.word(w, z, ZONE_COUNT))
        store.write_set(w, z, store.words_of(w, f"empty.{kind}", [z]))
        w.put(store.word(w, z, ZONE_COUNT), count)
        w.put(store.word(w, z, ZONE_GAP), count)

    store.function(name, 1, body)


@operation
def turn_over(store: CardStore, name: str, kind: str) -> None:
    """``(zone)``"""

    def body(w: Writer, given: list[str]) -> None:
        if not store.is_ordered(kind):
            return
        z = store.record(w, given[0])
        first, last, gap = (store.word(w, z, number) for number in (ZONE_HEAD, ZONE_TAIL, ZONE_GAP))
        above = w.slot(w.get(gap))

        def turn(card: str) -> None:
            links = w.load("%nx", card), w.load("%bk", card)
            w.store("%bk", card, links[0])
            w.store("%nx", card, links[1])
            below = w.load("%gp", card)
            w.store("%gp", card, w.get(above))
            w.put(above, below)

        head = w.get(first)
        store.each_linked(w, head, "%nx", turn)
        w.put(gap, w.get(above))
        w.put(first, w.get(last))
        w.put(last, head)

    store.function(name, 1, body)


@operation
def put_undrawn(store: CardStore, name: str, kind: str) -> None:
    """``(zone, words ...)``: cards that are in no zone come to one, in no order."""

    def body(w: Writer, given: list[str]) -> None:
        zone, coming = given[0], given[1:]
        z = store.record(w, zone)
        store.do(w, f"shuffle.{kind}", [zone])
        store.write_set(w, z, [w.either(a, b) for a, b in zip(store.read_set(w, z), coming, strict=True)])
        count = w.add(w.get(store.word(w, z, ZONE_COUNT)), store.size(w, coming))
        w.put(store.word(w, z, ZONE_COUNT), count)
        if store.is_ordered(kind):
            w.put(store.word(w, z, ZONE_GAP), count)
        store.each_card(w, coming, lambda card: w.store("%lc", card, zone))

    store.function(name, 1 + store.width, body)


@operation
def collect(store: CardStore, name: str, source_kind: str, kind: str) -> None:
    """``(source, zone)``"""

    def body(w: Writer, given: list[str]) -> None:
        source, zone = given
        with w.when(w.compare("eq", source, zone)) as which:
            store.do(w, f"shuffle.{kind}", [zone])
            which.otherwise()
            coming = store.words_of(w, f"empty.{source_kind}", [store.record(w, source)])
            store.do(w, f"put_undrawn.{kind}", [zone, *coming])

    store.function(name, 2, body)


@operation
def collect_all(store: CardStore, name: str, kind: str) -> None:
    """``(zone)``"""

    def body(w: Writer, given: list[str]) -> None:
        zone = given[0]
        w.clear("%zn", "0", store.zones * store.zone_words)
        for base in ("%nx", "%bk", "%gp"):
            w.clear(base, "0", store.cards)
        with w.counting("0", str(store.cards)) as card:
            w.store("%lc", card, zone)
        z = store.record(w, zone)
        store.write_set(w, z, store.every_card)
        w.put(store.word(w, z, ZONE_COUNT), str(store.cards))
        if store.is_ordered(kind):
            w.put(store.word(w, z, ZONE_GAP), str(store.cards))

    store.function(name, 1, body)


@operation
def refill(store: CardStore, name: str, source_kind: str, kind: str, keep_text: str, how: str) -> None:
    """``(zone, source)``; how many are kept and whether it is shuffled are part of the name."""
    keep = int(keep_text)

    def body(w: Writer, given: list[str]) -> None:
        zone, source = given
        z, s = store.record(w, zone), store.record(w, source)
        out, go = w.new_label("out"), w.new_label("go")
        moved = w.sub(w.get(store.word(w, s, ZONE_COUNT)), str(keep))
        nothing = w.any_of(w.compare("ne", w.get(store.word(w, z, ZONE_COUNT)), "0"), w.compare("sle", moved, "0"))
        w.branch(w.any_of(nothing, w.compare("eq", zone, source)), out, go)
        w.label(go)
        if how == "turned":
            turn_into(store, w, s, zone, source_kind, kind, keep)
        elif keep <= 0:
            store.do(w, f"collect.{source_kind}.{kind}", [source, zone])
        else:
            shuffle_under(store, w, s, zone, source_kind, kind, keep)
        w.label(out)

    store.function(name, 2, body)


def settle_top(store: CardStore, w: Writer, s: str, source_kind: str, keep: int) -> None:
    """Settles the topmost places that are kept."""
    if not store.is_ordered(source_kind):
        return
    for depth in range(keep):
        spot = str(depth) if source_kind == "pile" else w.sub(w.get(store.word(w, s, ZONE_COUNT)), str(1 + depth))
        store.call(w, "draw", [s, spot])


def shuffle_under(store: CardStore, w: Writer, s: str, zone: str, source_kind: str, kind: str, keep: int) -> None:
    """All but the topmost cards go to a zone, in no order."""
    settle_top(store, w, s, source_kind, keep)
    coming = store.hold(w, store.set_of(w, s, source_kind))
    if store.is_ordered(source_kind):
        end, links = (ZONE_HEAD, "%nx") if source_kind == "pile" else (ZONE_TAIL, "%bk")
        at = w.slot(w.get(store.word(w, s, end)))
        with w.counting("0", str(keep)) as _:
            here = w.get(at)
            with w.when(w.compare("ne", here, "0")):
                card = w.sub(here, "1")
                number, bit = store.where(w, card)
                address = w.at(coming, number)
                w.put(address, w.without(w.get(address), bit))
                w.put(at, w.load(links, card))
        undrawn = store.read_set(w, s)
    else:
        left = w.slot(str(keep))
        for i in range(store.width):
            address = w.at(coming, str(i))
            with w.loop() as loop:
                word = w.get(address)
                loop.leave_if(w.compare("eq", word, "0"))
                loop.leave_if(w.compare("eq", w.get(left), "0"))
                w.put(address, w.both(word, w.sub(word, "1")))
                w.put(left, w.sub(w.get(left), "1"))
        undrawn = ["0"] * store.width
    moving = store.held(w, coming)
    drawn = [w.without(a, b) for a, b in zip(moving, undrawn, strict=True)]
    store.each_card(w, drawn, lambda card: store.do(w, "take", [card]))
    if store.is_ordered(source_kind):
        with w.when(store.some(w, undrawn)):
            count = store.word(w, s, ZONE_COUNT)
            w.put(count, w.sub(w.get(count), store.size(w, undrawn)))
            store.write_set(w, s, ["0"] * store.width)
            w.put(store.word(w, s, ZONE_GAP), "0")
            first = w.get(store.word(w, s, ZONE_HEAD))
            store.each_linked(w, first, "%nx", lambda card: w.store("%gp", card, "0"))
    store.do(w, f"put_undrawn.{kind}", [zone, *moving])


def turn_into(store: CardStore, w: Writer, s: str, zone: str, source_kind: str, kind: str, keep: int) -> None:
    """All but the topmost cards go one by one, the top first."""
    spot = "head" if kind == "pile" else "tail"
    left = w.slot(str(max(0, keep)))

    def go(card: str) -> None:
        have = w.get(left)
        with w.when(w.compare("eq", have, "0")) as which:
            store.do(w, "take", [card])
            store.do(w, f"put.{kind}.{spot}", [card, zone])
            which.otherwise()
            w.put(left, w.sub(have, "1"))

    if source_kind == "hand":
        store.each_card(w, store.read_set(w, s), go)
        return
    store.do(w, "settle_all", [s])
    end, links = (ZONE_HEAD, "%nx") if source_kind == "pile" else (ZONE_TAIL, "%bk")
    store.each_linked(w, w.get(store.word(w, s, end)), links, go)


def link(store: CardStore, w: Writer, card: str, z: str, before: str, after: str, gap: str) -> None:
    """Puts a card between two others of a chain."""
    w.store("%bk", card, before)
    w.store("%nx", card, after)
    w.store("%gp", card, gap)
    number = w.add(card, "1")
    with w.when(w.compare("ne", before, "0")) as which:
        w.store("%nx", w.sub(before, "1"), number)
        which.otherwise()
        w.put(store.word(w, z, ZONE_HEAD), number)
    with w.when(w.compare("ne", after, "0")) as which:
        w.store("%bk", w.sub(after, "1"), number)
        which.otherwise()
        w.put(store.word(w, z, ZONE_TAIL), number)


@operation
def swap_cards(store: CardStore, name: str) -> None:
    """``(a, b)``"""

    def body(w: Writer, given: list[str]) -> None:
        out = w.new_label("out")
        w.branch(w.compare("eq", given[0], given[1]), out, go := w.new_label())
        w.label(go)
        for card in given:
            store.do(w, "settle_card", [card])
        turned = w.compare("eq", w.load("%nx", given[1]), w.add(given[0], "1"))
        a, b = w.pick(turned, given[1], given[0]), w.pick(turned, given[0], given[1])
        left, right = w.load("%lc", a), w.load("%lc", b)
        zl, zr = store.record(w, left), store.record(w, right)
        old_a = [w.load(base, a) for base in ("%bk", "%nx", "%gp")]
        old_b = [w.load(base, b) for base in ("%bk", "%nx", "%gp")]
        w.store("%lc", a, right)
        w.store("%lc", b, left)
        l_ordered, r_ordered = store.fact(w, store.ordered, left), store.fact(w, store.ordered, right)
        side_by_side = w.all_of(l_ordered, w.compare("eq", old_a[1], w.add(b, "1")))
        with w.when(side_by_side):
            link(store, w, b, zl, old_a[0], w.add(a, "1"), old_a[2])
            link(store, w, a, zl, w.add(b, "1"), old_b[1], old_b[2])
            w.jump(out)
        with w.when(l_ordered) as which:
            for base in ("%bk", "%nx", "%gp"):
                w.store(base, a, "0")
            which.otherwise()
            store.flip(w, zl, a)
        with w.when(r_ordered) as which:
            for base in ("%bk", "%nx", "%gp"):
                w.store(base, b, "0")
            link(store, w, a, zr, *old_b)
            which.otherwise()
            store.flip(w, zr, b)
            store.flip(w, zr, a)
        with w.when(l_ordered) as which:
            link(store, w, b, zl, *old_a)
            which.otherwise()
            store.flip(w, zl, b)
        w.label(out)

    store.function(name, 2, body)


@operation
def swap_zones(store: CardStore, name: str, kind: str) -> None:
    """``(left, right)``"""

    def body(w: Writer, given: list[str]) -> None:
        left, right = given
        with w.when(w.compare("ne", left, right)):
            zl, zr = store.record(w, left), store.record(w, right)
            in_left, in_right = store.set_of(w, zl, kind), store.set_of(w, zr, kind)
            for i in range(store.zone_words):
                here, there = store.word(w, zl, i), store.word(w, zr, i)
                one, other = w.get(here), w.get(there)
                w.put(here, other)
                w.put(there, one)
            store.each_card(w, in_left, lambda card: w.store("%lc", card, right))
            store.each_card(w, in_right, lambda card: w.store("%lc", card, left))

    store.function(name, 2, body)


@operation
def canon(store: CardStore, name: str) -> None:
    """``(words ...)``: a set that is the same for all sets that name the same places and, zone by zone, kinds: the
    lowest copies in each zone without order."""
    kind_masks = [0] * max(1, len(store.program.kind_names))
    for card, kind in enumerate(store.program.kinds):
        kind_masks[kind] |= 1 << card
    alike_of = [store.split(kind_masks[kind]) for kind in store.program.kinds]

    def body(w: Writer, given: list[str]) -> Sequence[str]:
        result = store.hold(w, ["0"] * store.width)

        def one(card: str) -> None:
            zone = w.load("%lc", card)
            with w.when(store.fact(w, store.ordered, zone)) as which:
                store.include(w, result, card)
                which.otherwise()
                here = store.read_set(w, store.record(w, zone))
                alike = [w.look_up([int(words[i]) for words in alike_of], card) for i in range(store.width)]
                free = [
                    w.without(w.both(there, same), taken)
                    for there, same, taken in zip(here, alike, store.held(w, result), strict=True)
                ]
                store.include(w, result, store.first(w, free))

        store.each_card(w, given, one)
        return store.held(w, result)

    store.function(name, store.width, body)
