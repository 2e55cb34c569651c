"""What a contradiction teaches: which hidden cards made a step go otherwise than the record tells.

For each unordered zone that the seat does not see it is asked what would have happened, had it held only the cards
that must have been there. If that goes with the record, each further kind that spoils it cannot have been there; if it
does not, but does so with a certain further kind, one of these must have been. May not import check, syntax, document
or the executors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rulerun.ir.program import Program
from rulerun.view.suppose import Supposer
from rulerun.view.table import Table


@dataclass(frozen=True, slots=True)
class Lesson:
    """About the unknown cards of a zone at one entry of the record: none is of a kind in ``never``; unless it is
    empty, at least one card of the zone is of a kind in ``some``."""

    zone: int
    never: frozenset[int]
    some: frozenset[int]


def blame(
    program: Program,
    vector: Sequence[int],
    seat: int,
    zones: Sequence[Sequence[int]],
    kinds: Mapping[int, int],
    pins: Mapping[int, int],
    goes: Callable[[list[int]], bool],
) -> list[Lesson]:
    """The lessons of a step that starts at ``vector`` and went wrong. ``zones`` are the tokens of each zone, ``kinds``
    what they are taken to be, ``pins`` what some must be; ``goes`` says whether the step, taken in a changed vector,
    goes with the record."""
    table = Table(program, vector)
    lessons = []
    for zone, tokens in enumerate(zones):
        if table.ordered(zone) or table.sees_zone(seat, zone):
            continue
        sure = Counter(kinds[token] for token in tokens if token in pins)
        if sure.total() == len(tokens) or any(token not in kinds for token in tokens):
            continue
        suppose = Supposer(program, vector, zone)
        alone = suppose.with_cards(sure, None)
        if alone is None:
            continue
        fine = goes(alone)
        with_one = {}
        for kind in range(len(program.kind_names)):
            if not sure[kind]:
                supposed = suppose.with_cards(sure, kind)
                if supposed is not None:
                    with_one[kind] = goes(supposed)
        well = frozenset(kind for kind, goes_well in with_one.items() if goes_well)
        ill = frozenset(with_one) - well
        never = ill if fine else frozenset()
        possible = frozenset(range(len(program.kind_names))) - ill - frozenset(+sure)
        some = possible if well and ill and not fine else frozenset()
        if never or some:
            lessons.append(Lesson(zone, never, some))
    return lessons
