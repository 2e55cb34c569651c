"""Whose turn it is and how many choices were made, as far as a seat is told: both follow from its record alone.

May not import check, syntax or document.
"""

from __future__ import annotations

from typing import NamedTuple

from rulerun.facts.observations import Ended, Observation, ObservedChoice, ObservedOffer
from rulerun.ir.nodes import Choose
from rulerun.ir.program import Program


class Asking(NamedTuple):
    """``seat`` is asked at ``site`` (-1: nobody, as far as is told), after ``choices`` that were told of."""

    seat: int = -1
    site: int = -1
    choices: int = 0


def sealed_sites(program: Program) -> frozenset[int]:
    """The sites of choices that are made at once: what was chosen is told once more, when all are in."""
    return frozenset(b.end.site for b in program.blocks if isinstance(b.end, Choose) and b.end.sealed)


def heard(asking: Asking, observed: Observation, sealed: frozenset[int]) -> Asking:
    """What is so after one more entry of a record. ``sealed``: the `sealed_sites`."""
    match observed:
        case ObservedOffer(seat, site):
            return Asking(seat, site, asking.choices)
        case ObservedChoice(seat, site, key):
            asked = (asking.seat, asking.site) == (seat, site)
            told_again = not asked and site in sealed and key is not None
            return asking if told_again else Asking(choices=asking.choices + 1)
        case Ended():
            return Asking(choices=asking.choices)
        case _:
            return asking
