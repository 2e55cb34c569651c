"""What a contradiction teaches: which hidden cards made a step go otherwise than the record tells.

For each unordered zone that the seat does not see it is asked what would have happened, had it held only the cards
that must have been there. If that goes with the record, each further kind that spoils it cannot have been there; if it
does not, but does so with a certain further kind, one of these must have been. May not import check, syntax, document
or the executors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rulerun.ir.program import Program
from rulerun.view.suppose import Supposer
from rulerun.view.table import Table


@dataclass(frozen=True, slots=True)
class Lesson:
    """About the unknown cards of a zone at one entry of the record: none is of a kind in ``never``; unless it is
    empty, at least one card of the zone is of a kind in ``some``; the card at each place (from HEAD) is of no kind in
    its element of ``places``."""

    zone: int
    never: frozenset[int]
    some: frozenset[int]
    places: tuple[frozenset[int], ...] = ()


def heard(kinds: int, entry: Sequence[int], passing: Sequence[int]) -> Lesson:
    """What facts about the places of an ordered zone teach (`events.Facts` as told): of which of the ``kinds`` kinds
    each card cannot be. ``passing``: the kinds of which the fact holds."""
    holds = frozenset(passing)
    fails = frozenset(range(kinds)) - holds
    return Lesson(entry[3], frozenset(), frozenset(), tuple(fails if fact else holds for fact in entry[4:]))


def blame(
    program: Program,
    vector: Sequence[int],
    seat: int,
    leaving: Mapping[int, Sequence[int]],
    goes: Callable[[list[int]], bool | None],
) -> list[Lesson]:
    """The lessons of a step that starts at ``vector`` and went wrong. ``leaving``: per zone the kinds that are seen to
    leave it in this very step; ``goes`` says whether the step, taken in a changed vector, goes with the record
    (None: it cannot be told)."""
    table = Table(program, vector)
    lessons = []
    for zone in range(len(program.zones)):
        if table.ordered(zone) or table.sees_zone(seat, zone) or not table.count(zone):
            continue
        suppose = Supposer(program, vector, zone)
        core = tuple(leaving.get(zone, ()))
        alone = suppose.with_cards(core)
        if alone is None:
            continue
        fine = goes(alone)
        if fine is None:
            continue
        beside_core = with_each(program, suppose, goes, core)
        well = [kind for kind, goes_well in beside_core.items() if goes_well]
        ill = frozenset(beside_core) - frozenset(well)
        never = some = frozenset[int]()
        if fine:
            never = ill
        elif well and ill:
            some = frozenset(range(len(program.kind_names))) - ill - frozenset(core)
            # Perhaps it was only that something lies there: what spoils it beside a card that does not?
            beside = with_each(program, suppose, goes, (*core, well[len(well) // 2]))
            never = ill & frozenset(kind for kind, goes_well in beside.items() if not goes_well)
        if never or some:
            lessons.append(Lesson(zone, never, some))
    return lessons


def with_each(
    program: Program, suppose: Supposer, goes: Callable[[list[int]], bool | None], core: Sequence[int]
) -> dict[int, bool]:
    """For each further kind that can lie in the zone beside ``core``, whether the step goes well with one such card."""
    found = {}
    for kind in range(len(program.kind_names)):
        supposed = None if kind in core else suppose.with_cards((*core, kind))
        well = None if supposed is None else goes(supposed)
        if well is not None:
            found[kind] = well
    return found
