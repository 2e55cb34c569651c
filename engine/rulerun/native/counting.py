"""The count of work (see `facts.fuel`) in machine code: where the reference counts, as much as it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rulerun.facts import faults
from rulerun.ir import nodes as ir
from rulerun.ir.program import MAX_WORK, ZONE_COUNT
from rulerun.native.expressions import Emitter
from rulerun.native.regions import STEPS, WORK
from rulerun.run.loops import Charge


def tally(e: Emitter, units: str, at: int) -> None:
    """Counts work; too much is a fault."""
    w = e.w
    total = w.add(w.load("%cx", WORK), units)
    w.store("%cx", WORK, total)
    e.fail_if(w.compare("sgt", total, str(MAX_WORK)), faults.ENDLESS, at)


def tally_each(e: Emitter, number: str, charge: Charge) -> None:
    """Counts so many elements."""
    if charge.fuel:
        tally(e, e.w.mul(number, str(charge.fuel)), charge.at)


def tally_zone(e: Emitter, zone: ir.ZoneRef, charge: Charge) -> None:
    """Counts the cards of a zone."""
    if charge.fuel:
        tally_each(e, e.zone_word(zone, ZONE_COUNT), charge)


def tally_cards(e: Emitter, words: Sequence[str], charge: Charge) -> None:
    """Counts the cards of a set."""
    if charge.fuel:
        tally_each(e, e.cards.size(e.w, words), charge)


def tally_bits(e: Emitter, word: str, charge: Charge) -> None:
    """Counts the elements of a set that is one word."""
    if charge.fuel:
        tally_each(e, e.w.ones(word), charge)


@contextmanager
def uncounted(e: Emitter) -> Iterator[None]:
    """What is written inside is a second look at what has been counted: the counts are put back afterwards."""
    w = e.w
    kept = [(word, w.slot(w.load("%cx", word))) for word in (STEPS, WORK)]
    for word, _ in kept:
        w.store("%cx", word, "0")
    yield
    for word, slot in kept:
        w.store("%cx", word, w.get(slot))
