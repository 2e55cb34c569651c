"""The game's generator, and draws out of what is not settled, in machine code."""

from __future__ import annotations

from rulerun.facts.rng import GOLDEN, MIX_1, MIX_2
from rulerun.facts.spots import HEAD, TAIL
from rulerun.ir.program import ZONE_COUNT, ZONE_GAP, ZONE_HEAD, ZONE_TAIL
from rulerun.native.cards.store import CardStore, operation
from rulerun.native.text import Writer, as_signed


def mix(w: Writer, x: str) -> str:
    """The output of the generator for a state."""
    x = w.mul(w.differ(x, w.down(x, "30")), str(as_signed(MIX_1)))
    x = w.mul(w.differ(x, w.down(x, "27")), str(as_signed(MIX_2)))
    return w.differ(x, w.down(x, "31"))


def random_below(w: Writer, generator: str, n: str) -> str:
    """``below(n)`` of the generator whose state lies at an address."""
    state = w.get(generator)
    stepped = w.add(state, str(as_signed(GOLDEN)))
    product = w.slot(w.mul(w.down(mix(w, stepped), "32"), n))
    w.put(generator, w.pick(w.compare("eq", n, "1"), state, stepped))
    low = w.both(w.get(product), "4294967295")
    with w.when(w.op(f"icmp ult i64 {low}, {n}"), rare=True):
        least = w.op(f"urem i64 {w.sub('4294967296', n)}, {n}")
        with w.loop() as loop:
            low = w.both(w.get(product), "4294967295")
            loop.leave_if(w.op(f"icmp uge i64 {low}, {least}"))
            state = w.add(w.get(generator), str(as_signed(GOLDEN)))
            w.put(generator, state)
            w.put(product, w.mul(w.down(mix(w, state), "32"), n))
    return w.down(w.get(product), "32")


def random_number(store: CardStore, w: Writer, n: str) -> str:
    """A random number from the game's generator."""
    return store.call(w, "below", [n])[0]


@operation
def below(store: CardStore, name: str) -> None:
    def body(w: Writer, given: list[str]) -> list[str]:
        return [random_below(w, "%rng", given[0])]

    store.function(name, 1, body, inline=True)


@operation
def chance(store: CardStore, name: str) -> None:
    def body(w: Writer, given: list[str]) -> list[str]:
        words = store.read_set(w, given[0])
        return [store.nth(w, words, random_number(store, w, store.size(w, words)))]

    store.function(name, 1, body, inline=True)


@operation
def settle(store: CardStore, name: str) -> None:
    """``(z, spot, card)``: an undrawn card gets an undrawn place."""

    def body(w: Writer, given: list[str]) -> None:
        z, spot, card = given
        store.flip(w, z, card)
        above, before, after, gap = w.slot("0"), w.slot("0"), w.slot("0"), w.slot("0")
        top = store.word(w, z, ZONE_GAP)
        # ``before``: card + 1 of the drawn card above the place, 0 for the zone's own gap.
        w.put(gap, w.get(top))
        with w.when(w.compare("slt", spot, "0")) as which:
            with w.when(w.compare("eq", spot, str(TAIL))):
                last = w.get(store.word(w, z, ZONE_TAIL))
                with w.when(w.compare("ne", last, "0")):
                    w.put(before, last)
                    w.put(gap, w.load("%gp", w.sub(last, "1")))
                w.put(above, w.sub(w.get(gap), "1"))
            which.otherwise()
            w.put(above, spot)
            at = w.slot(w.get(store.word(w, z, ZONE_HEAD)))
            with w.loop() as loop:
                have = w.get(gap)
                loop.leave_if(w.compare("slt", w.get(above), have))
                w.put(above, w.sub(w.get(above), w.add(have, "1")))
                here = w.get(at)
                w.put(before, here)
                w.put(gap, w.load("%gp", w.sub(here, "1")))
                w.put(at, w.load("%nx", w.sub(here, "1")))
        w.store("%gp", card, w.sub(w.sub(w.get(gap), w.get(above)), "1"))
        up = w.get(before)
        number = w.add(card, "1")
        with w.when(w.compare("ne", up, "0")) as which:
            w.store("%gp", w.sub(up, "1"), w.get(above))
            w.put(after, w.load("%nx", w.sub(up, "1")))
            w.store("%nx", w.sub(up, "1"), number)
            which.otherwise()
            w.put(top, w.get(above))
            w.put(after, w.get(store.word(w, z, ZONE_HEAD)))
            w.put(store.word(w, z, ZONE_HEAD), number)
        down = w.get(after)
        w.store("%nx", card, down)
        w.store("%bk", card, up)
        with w.when(w.compare("ne", down, "0")) as which:
            w.store("%bk", w.sub(down, "1"), number)
            which.otherwise()
            w.put(store.word(w, z, ZONE_TAIL), number)

    store.function(name, 3, body)


@operation
def settled(store: CardStore, name: str) -> None:
    """``(z, spot)``: the drawn card there; -1 for no such place, -2 for an undrawn one. For an ordered zone."""

    def body(w: Writer, given: list[str]) -> list[str]:
        z, spot = given
        result = w.slot("-1")
        top = w.get(store.word(w, z, ZONE_GAP))
        head = w.get(store.word(w, z, ZONE_HEAD))
        out = w.new_label("out")
        with w.when(w.compare("eq", spot, str(HEAD))):
            w.put(result, w.pick(w.compare("ne", top, "0"), "-2", w.sub(head, "1")))
            w.jump(out)
        with w.when(w.compare("eq", spot, str(TAIL))):
            last = w.get(store.word(w, z, ZONE_TAIL))
            with w.when(w.compare("ne", last, "0")) as which:
                gap = w.load("%gp", w.sub(last, "1"))
                w.put(result, w.pick(w.compare("ne", gap, "0"), "-2", w.sub(last, "1")))
                which.otherwise()
                w.put(result, w.pick(w.compare("ne", top, "0"), "-2", "-1"))
            w.jump(out)
        inside = w.op(f"icmp ult i64 {spot}, {w.get(store.word(w, z, ZONE_COUNT))}")
        with w.when(inside):
            rest, at = w.slot(w.sub(spot, top)), w.slot(head)
            with w.loop() as loop:
                loop.leave_if(w.compare("sle", w.get(rest), "0"))
                here = w.sub(w.get(at), "1")
                w.put(rest, w.sub(w.get(rest), w.add(w.load("%gp", here), "1")))
                w.put(at, w.load("%nx", here))
            w.put(result, w.pick(w.compare("slt", w.get(rest), "0"), "-2", w.sub(w.get(at), "1")))
        w.label(out)
        return [w.get(result)]

    store.function(name, 2, body)


@operation
def draw_head(store: CardStore, name: str) -> None:
    """``(z)``: as draw, at HEAD."""

    def body(w: Writer, given: list[str]) -> list[str]:
        z = given[0]
        result = w.slot()
        above = w.get(store.word(w, z, ZONE_GAP))
        with w.when(w.compare("eq", above, "0")) as which:
            w.put(result, w.sub(w.get(store.word(w, z, ZONE_HEAD)), "1"))
            which.otherwise()
            card = store.call(w, "chance", [z])[0]
            store.flip(w, z, card)
            w.put(store.word(w, z, ZONE_GAP), "0")
            w.store("%gp", card, w.sub(above, "1"))
            link_first(store, w, z, card)
            w.put(result, card)
        return [w.get(result)]

    store.function(name, 1, body, inline=True)


def link_first(store: CardStore, w: Writer, z: str, card: str) -> None:
    """Makes a card the first drawn one of a zone."""
    number = w.add(card, "1")
    after = w.get(store.word(w, z, ZONE_HEAD))
    with w.when(w.compare("ne", after, "0")) as which:
        w.store("%nx", card, after)
        w.store("%bk", w.sub(after, "1"), number)
        which.otherwise()
        w.put(store.word(w, z, ZONE_TAIL), number)
    w.put(store.word(w, z, ZONE_HEAD), number)


@operation
def draw(store: CardStore, name: str) -> None:
    """``(z, spot)`` of an ordered zone."""

    def body(w: Writer, given: list[str]) -> list[str]:
        z, spot = given
        result = w.slot()
        at_head = w.any_of(w.compare("eq", spot, str(HEAD)), w.compare("eq", spot, "0"))
        with w.when(at_head) as which:
            w.put(result, store.call(w, "draw_head", [z])[0])
            which.otherwise()
            w.put(result, store.call(w, "settled", [z, spot])[0])
            with w.when(w.compare("eq", w.get(result), "-2")):
                card = store.call(w, "chance", [z])[0]
                store.do(w, "settle", [z, spot, card])
                w.put(result, card)
        return [w.get(result)]

    store.function(name, 2, body)


@operation
def first_undrawn(store: CardStore, name: str) -> None:
    """``(z)`` of an ordered zone: depth of the first undrawn place, -1 for none."""

    def body(w: Writer, given: list[str]) -> list[str]:
        z = given[0]
        depth = w.slot("0")
        gap, at = w.slot(w.get(store.word(w, z, ZONE_GAP))), w.slot(w.get(store.word(w, z, ZONE_HEAD)))
        with w.loop() as loop:
            loop.leave_if(w.compare("ne", w.get(gap), "0"))
            here = w.get(at)
            with w.when(w.compare("eq", here, "0")):
                w.put(depth, "-1")
                loop.leave()
            w.put(depth, w.add(w.get(depth), "1"))
            w.put(gap, w.load("%gp", w.sub(here, "1")))
            w.put(at, w.load("%nx", w.sub(here, "1")))
        return [w.get(depth)]

    store.function(name, 1, body)


@operation
def settle_all(store: CardStore, name: str) -> None:
    """``(z)`` of an ordered zone."""

    def body(w: Writer, given: list[str]) -> None:
        with w.loop() as loop:
            depth = store.call(w, "first_undrawn", given)[0]
            loop.leave_if(w.compare("slt", depth, "0"))
            store.call(w, "draw", [given[0], depth])

    store.function(name, 1, body)


@operation
def position(store: CardStore, name: str) -> None:
    """``(card)``: its place from HEAD; -1 in an unordered zone or undrawn."""

    def body(w: Writer, given: list[str]) -> list[str]:
        zone = w.load("%lc", given[0])
        z = store.record(w, zone)
        result = w.slot("-1")
        with w.when(store.fact(w, store.ordered, zone)):
            at, depth = w.slot(w.add(given[0], "1")), w.slot("0")
            with w.loop() as loop:
                here = w.get(at)
                before = w.load("%bk", w.sub(here, "1"))
                with w.when(w.compare("eq", before, "0")):
                    with w.when(w.compare("eq", w.get(store.word(w, z, ZONE_HEAD)), here)):
                        w.put(result, w.add(w.get(depth), w.get(store.word(w, z, ZONE_GAP))))
                    loop.leave()
                gap = w.load("%gp", w.sub(before, "1"))
                w.put(depth, w.add(w.get(depth), w.add(gap, "1")))
                w.put(at, before)
        return [w.get(result)]

    store.function(name, 1, body)


@operation
def settle_card(store: CardStore, name: str) -> None:
    """``(card)``: an undrawn card gets one of the undrawn places of its zone by chance."""

    def body(w: Writer, given: list[str]) -> None:
        card = given[0]
        zone = w.load("%lc", card)
        z = store.record(w, zone)
        out = w.new_label("out")
        w.branch(store.fact(w, store.ordered, zone), go := w.new_label(), out)
        w.label(go)
        there = store.call(w, "position", [card])[0]
        w.branch(w.compare("sge", there, "0"), out, go := w.new_label())
        w.label(go)
        k = w.slot(random_number(store, w, store.size(w, store.read_set(w, z))))
        depth = w.slot("0")
        gap, at = w.slot(w.get(store.word(w, z, ZONE_GAP))), w.slot(w.get(store.word(w, z, ZONE_HEAD)))
        with w.loop() as loop:
            have = w.get(gap)
            with w.when(w.compare("slt", w.get(k), have)):
                store.do(w, "settle", [z, w.add(w.get(depth), w.get(k)), card])
                loop.leave()
            here = w.get(at)
            loop.leave_if(w.compare("eq", here, "0"))
            w.put(k, w.sub(w.get(k), have))
            w.put(depth, w.add(w.get(depth), w.add(have, "1")))
            w.put(gap, w.load("%gp", w.sub(here, "1")))
            w.put(at, w.load("%nx", w.sub(here, "1")))
        w.label(out)

    store.function(name, 1, body)
