"""What a seat can tell apart of cards by sight, in machine code; see `run.sight`."""

from __future__ import annotations

from rulerun.facts.observations import back_classes
from rulerun.native.cards.store import CardStore, operation
from rulerun.native.text import Writer


def seen_by_words(store: CardStore, w: Writer, zone: str, seat: str) -> str:
    """Whether a seat sees the faces in a zone, by `seen_by` alone."""
    return w.has(w.look_up(store.sees, zone), seat)


@operation
def sight(store: CardStore, name: str) -> None:
    """``(seat, card, up)``: the name of a card as a seat sees it; ``up``: whether it lies face up."""
    program = store.program
    backs = back_classes(program)
    zones, places, classes = store.zones, store.cards + 1, max(backs, default=0) + 1
    unseen = (max(program.kinds, default=0) + 1) * zones * places

    def body(w: Writer, given: list[str]) -> list[str]:
        seat, card, up = given
        zone = w.load("%lc", card)
        place = store.call(w, "position", [card])[0]
        seen = w.any_of(w.compare("ne", up, "0"), seen_by_words(store, w, zone, seat))
        kind = w.look_up(program.kinds, card)
        open_name = w.add(w.mul(w.add(w.mul(kind, str(zones)), zone), str(places)), w.add(place, "1"))
        back = w.pick(w.compare("slt", place, "0"), w.look_up([backs[kind] for kind in program.kinds], card), "0")
        hidden = w.add(w.mul(w.add(w.mul(zone, str(places)), w.add(place, "1")), str(classes)), back)
        return [w.pick(seen, open_name, w.add(hidden, str(unseen)))]

    store.function(name, 3, body)


@operation
def alike(store: CardStore, name: str) -> None:
    """``(seat, card, card)``: 1 if the seat cannot tell them apart, else 0; see `ir.nodes.Alike`."""
    backs = back_classes(store.program)
    of_card = [backs[kind] for kind in store.program.kinds]

    def body(w: Writer, given: list[str]) -> list[str]:
        seat, one, other = given
        result, out = w.slot("1"), w.new_label("out")
        with w.when(w.compare("eq", one, other)):
            w.jump(out)
        zone = w.load("%lc", one)
        together = w.compare("eq", zone, w.load("%lc", other))
        same_back = w.compare("eq", w.look_up(of_card, one), w.look_up(of_card, other))
        unseen = w.no(seen_by_words(store, w, zone, seat))
        w.put(result, w.number(w.all_of(w.all_of(together, same_back), unseen)))
        for card in (one, other):
            with w.when(w.compare("sge", store.call(w, "position", [card])[0], "0")):
                w.put(result, "0")
        w.label(out)
        return [w.get(result)]

    store.function(name, 3, body)
