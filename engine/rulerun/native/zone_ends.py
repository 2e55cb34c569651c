"""The cards at the ends of zones, in machine code."""

from __future__ import annotations

from rulerun.facts import faults
from rulerun.ir import nodes as ir
from rulerun.ir.program import ZONE_GAP, ZONE_HEAD, ZONE_TAIL
from rulerun.native.expressions import Emitter


def zone_end(e: Emitter, zone: ir.ZoneRef, end: ir.End, at: int) -> str:
    w = e.w
    family = e.family(zone)
    z = e.record(zone)
    if family.kind.ordered:
        is_head = end is ir.End.HEAD
        last = w.get(e.cards.word(w, z, ZONE_HEAD if is_head else ZONE_TAIL))
        e.fail_if(w.compare("eq", last, "0"), faults.NOTHING_THERE, at)
        card = w.sub(last, "1")
        if family.shuffled:
            gap = w.get(e.cards.word(w, z, ZONE_GAP)) if is_head else w.load("%gp", card)
            e.fail_if(w.compare("ne", gap, "0"), faults.NOTHING_THERE, at)
        return card
    words = e.cards.read_set(w, z)
    count = e.cards.size(w, words)
    e.fail_if(w.compare("ne", count, "1"), faults.NOTHING_THERE, at)
    return e.cards.first(w, words)


def zone_top(e: Emitter, expr: ir.ZoneTop) -> list[str]:
    """The cards nearest to an end of a zone."""
    w, cards = e.w, e.cards
    z = e.record(expr.zone)
    left = w.slot(e.emit(expr.count))
    if not e.family(expr.zone).kind.ordered:
        raise ValueError("an unordered zone has no top")
    held = cards.hold(w, ["0"] * cards.width)
    is_head = expr.end is ir.End.HEAD
    at = w.slot(w.get(cards.word(w, z, ZONE_HEAD if is_head else ZONE_TAIL)))
    with w.loop() as loop:
        here, more = w.get(at), w.get(left)
        loop.leave_if(w.any_of(w.compare("eq", here, "0"), w.compare("sle", more, "0")))
        card = w.sub(here, "1")
        cards.include(w, held, card)
        w.put(left, w.sub(more, "1"))
        w.put(at, w.load("%nx" if is_head else "%bk", card))
    return cards.held(w, held)
