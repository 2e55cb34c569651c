"""Cards out of a zone and into one, in machine code: one by one, a set of them, all of a zone."""

from __future__ import annotations

from collections.abc import Sequence

from rulerun.ir.program import ZONE_COUNT, ZONE_GAP, ZONE_HEAD, ZONE_TAIL
from rulerun.native.cards.chance import link_first
from rulerun.native.cards.store import CardStore, operation
from rulerun.native.text import Writer


@operation
def take(store: CardStore, name: str) -> None:
    """``(card)``: out of its zone; its location is left stale."""

    def body(w: Writer, given: list[str]) -> None:
        card = given[0]
        zone = w.load("%lc", card)
        z = store.record(w, zone)
        with w.when(store.fact(w, store.ordered, zone)) as which:
            unlink(store, w, z, card)
            which.otherwise()
            store.flip(w, z, card)
        count = store.word(w, z, ZONE_COUNT)
        w.put(count, w.sub(w.get(count), "1"))

    store.function(name, 1, body, inline=True)


def unlink(store: CardStore, w: Writer, z: str, card: str) -> None:
    """Takes a card out of the chain of its zone."""
    number = w.add(card, "1")
    before = w.slot(w.load("%bk", card))
    with w.when(w.compare("eq", w.get(before), "0")):
        undrawn = w.compare("ne", w.get(store.word(w, z, ZONE_HEAD)), number)
        with w.when(undrawn, rare=True):
            store.do(w, "settle_card", [card])
            w.put(before, w.load("%bk", card))
    after = w.load("%nx", card)
    gap = w.load("%gp", card)
    up = w.get(before)
    with w.when(w.compare("ne", up, "0")) as which:
        above = w.sub(up, "1")
        w.store("%nx", above, after)
        w.store("%gp", above, w.add(w.load("%gp", above), gap))
        w.store("%bk", card, "0")
        which.otherwise()
        w.put(store.word(w, z, ZONE_HEAD), after)
        top = store.word(w, z, ZONE_GAP)
        w.put(top, w.add(w.get(top), gap))
    with w.when(w.compare("ne", after, "0")) as which:
        w.store("%bk", w.sub(after, "1"), up)
        w.store("%nx", card, "0")
        which.otherwise()
        w.put(store.word(w, z, ZONE_TAIL), up)
    w.store("%gp", card, "0")


@operation
def put(store: CardStore, name: str, kind: str, spot: str) -> None:
    """``(card, zone)`` and for a depth the spot: a card that is in no zone goes into one of kind ``kind``."""

    def body(w: Writer, given: list[str]) -> None:
        card, zone = given[:2]
        z = store.record(w, zone)
        count = store.word(w, z, ZONE_COUNT)
        w.put(count, w.add(w.get(count), "1"))
        w.store("%lc", card, zone)
        number = w.add(card, "1")
        if kind == "hand":
            store.flip(w, z, card)
        elif spot == "head":
            link_first(store, w, z, card)
            gap = store.word(w, z, ZONE_GAP)
            w.store("%gp", card, w.get(gap))
            w.put(gap, "0")
        elif spot == "tail":
            before = w.get(store.word(w, z, ZONE_TAIL))
            with w.when(w.compare("ne", before, "0")) as which:
                w.store("%bk", card, before)
                w.store("%nx", w.sub(before, "1"), number)
                which.otherwise()
                w.put(store.word(w, z, ZONE_HEAD), number)
            w.put(store.word(w, z, ZONE_TAIL), number)
        else:
            put_deep(store, w, z, card, given[2])

    store.function(name, 3 if spot == "depth" and kind != "hand" else 2, body, inline=spot != "depth")


def put_deep(store: CardStore, w: Writer, z: str, card: str, spot: str) -> None:
    """A card goes to a place counted from HEAD."""
    top = store.word(w, z, ZONE_GAP)
    rest, before, gap = w.slot(spot), w.slot("0"), w.slot(w.get(top))
    after = w.slot(w.get(store.word(w, z, ZONE_HEAD)))
    with w.loop() as loop:
        have = w.get(gap)
        loop.leave_if(w.compare("sle", w.get(rest), have))
        w.put(rest, w.sub(w.get(rest), w.add(have, "1")))
        here = w.get(after)
        loop.leave_if(w.compare("eq", here, "0"))
        w.put(before, here)
        w.put(gap, w.load("%gp", w.sub(here, "1")))
        w.put(after, w.load("%nx", w.sub(here, "1")))
    up, down, left = w.get(before), w.get(after), w.get(rest)
    w.store("%gp", card, w.sub(w.get(gap), left))
    number = w.add(card, "1")
    w.store("%nx", card, down)
    w.store("%bk", card, up)
    with w.when(w.compare("ne", up, "0")) as which:
        w.store("%gp", w.sub(up, "1"), left)
        w.store("%nx", w.sub(up, "1"), number)
        which.otherwise()
        w.put(top, left)
        w.put(store.word(w, z, ZONE_HEAD), number)
    with w.when(w.compare("ne", down, "0")) as which:
        w.store("%bk", w.sub(down, "1"), number)
        which.otherwise()
        w.put(store.word(w, z, ZONE_TAIL), number)


@operation
def move_card(store: CardStore, name: str, kind: str, spot: str) -> None:
    """``(card, zone)`` and for a depth the spot."""

    def body(w: Writer, given: list[str]) -> None:
        store.do(w, "take", given[:1])
        store.do(w, f"put.{kind}.{spot}", given)

    store.function(name, 3 if spot == "depth" and kind != "hand" else 2, body, inline=spot != "depth")


@operation
def move_cards(store: CardStore, name: str, kind: str, spot: str) -> None:
    """``(zone, words ...)`` and for a depth the spot before the words: lowest number first."""
    extra = 1 if spot == "depth" and kind != "hand" else 0

    def body(w: Writer, given: list[str]) -> None:
        zone, depth, words = given[0], given[1 : 1 + extra], given[1 + extra :]
        store.each_card(w, words, lambda card: move(store, w, card, zone, kind, spot, depth))

    store.function(name, 1 + extra + store.width, body)


def move(store: CardStore, w: Writer, card: str, zone: str, kind: str, spot: str, depth: Sequence[str]) -> None:
    """One card goes to a zone."""
    store.do(w, f"move_card.{kind}.{spot}", [card, zone, *depth])


@operation
def move_all(store: CardStore, name: str, source_kind: str, kind: str, spot: str) -> None:
    """``(source, zone)`` and for a depth the spot."""
    extra = 1 if spot == "depth" and kind != "hand" else 0

    def body(w: Writer, given: list[str]) -> None:
        source, zone, depth = given[0], given[1], given[2:]
        with w.when(w.compare("ne", source, zone)):
            z = store.record(w, source)

            def go(card: str) -> None:
                move(store, w, card, zone, kind, spot, depth)

            if source_kind == "hand":
                store.each_card(w, store.read_set(w, z), go)
                return
            if any(store.shuffled):
                with w.when(store.some(w, store.read_set(w, z)), rare=True):  # some of them are not drawn yet
                    store.do(w, "settle_all", [z])
            if source_kind == "pile" and spot == "head":
                store.each_linked(w, w.get(store.word(w, z, ZONE_TAIL)), "%bk", go)
            else:
                store.each_linked(w, w.get(store.word(w, z, ZONE_HEAD)), "%nx", go)

    store.function(name, 2 + extra, body)
