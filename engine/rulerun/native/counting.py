"""Fuel in machine code: burned where the program says so, as much as it says (see `facts.fuel`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from rulerun.facts import faults
from rulerun.ir import nodes as ir
from rulerun.ir.program import MAX_FUEL, ZONE_COUNT
from rulerun.native.expressions import Emitter


class Rate(NamedTuple):
    """What each element of a domain burns (0: nothing is counted), and the origin that is told if it is too much."""

    fuel: int
    at: int


UNMETERED = Rate(0, -1)


def burn(e: Emitter, units: str, at: int) -> None:
    """Burns fuel; too much since the last decision is a fault."""
    w = e.w
    e.burns = True
    total = w.add(w.get("%fuel"), units)
    w.put("%fuel", total)
    e.fail_if(w.compare("sgt", total, str(MAX_FUEL)), faults.ENDLESS, at)


def burn_each(e: Emitter, number: str, rate: Rate) -> None:
    """Burns for so many elements."""
    if rate.fuel:
        burn(e, e.w.mul(number, str(rate.fuel)), rate.at)


def burn_zone(e: Emitter, zone: ir.ZoneRef, rate: Rate) -> None:
    """Burns for the cards of a zone."""
    if rate.fuel:
        burn_each(e, e.zone_word(zone, ZONE_COUNT), rate)


def burn_set(e: Emitter, words: Sequence[str], rate: Rate) -> None:
    """Burns for the elements of a set."""
    if rate.fuel:
        burn_each(e, e.cards.size(e.w, words), rate)


def fuel_burned(e: Emitter) -> str:
    """A variable with what has burned so far, for `put_back`."""
    e.burns = True
    return e.w.slot(e.w.get("%fuel"))


def put_back(e: Emitter, burned: str) -> None:
    """Forgets what has burned since `fuel_burned`."""
    e.w.put("%fuel", e.w.get(burned))


@contextmanager
def unburned(e: Emitter) -> Iterator[None]:
    """What is written inside is a second look at what has burned already: the count is put back afterwards."""
    burned = fuel_burned(e)
    e.w.put("%fuel", "0")
    yield
    put_back(e, burned)
