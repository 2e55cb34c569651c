"""What a contradiction teaches: which hidden cards made a step go otherwise than the record tells.

For each unordered zone that the seat does not see it is asked what would have happened, had it held only the cards
that must have been there. If that goes with the record, each further kind that spoils it cannot have been there; if it
does not, but does so with a certain further kind, one of these must have been. May not import check, syntax, document
or the executors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rulerun.facts.observations import Hint, Observation
from rulerun.ir.program import Program
from rulerun.view.worlds.suppose import Supposer


class ContradictionError(Exception):
    """What was supposed about hidden cards cannot be."""


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Stands for what a step told in which the rules broke down: nothing."""


Odd = Observation | Breakdown
"""What a step told otherwise than the record says."""
Failure = tuple[int, int, Odd | None]
"""A step at an entry, how many entries were met, and what was told instead then."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """About the unknown cards of a zone at one entry of the record: none is of a kind in ``never``; unless it is
    empty, at least one card of the zone is of a kind in ``some``; the card at each place (from HEAD) is of no kind in
    its element of ``places``."""

    zone: int
    never: frozenset[int]
    some: frozenset[int]
    places: tuple[frozenset[int], ...] = ()

    def heeded(self, kinds: Sequence[int]) -> bool:
        """Whether the zone may hold cards of these kinds, as far as it goes by what lies in it in no order."""
        return not self.never.intersection(kinds) and (not self.some or not self.some.isdisjoint(kinds))


def heard(kinds: int, hint: Hint, passing: Sequence[int]) -> Lesson:
    """What facts about the places of an ordered zone teach: of which of the ``kinds`` kinds each card cannot be.
    ``passing``: the kinds of which the fact holds."""
    holds = frozenset(passing)
    fails = frozenset(range(kinds)) - holds
    return Lesson(hint.zone, frozenset(), frozenset(), tuple(fails if fact else holds for fact in hint.facts))


@dataclass(frozen=True, slots=True)
class Blame:
    """Which zones a step went wrong for, and what that teaches: more may be wrong with them than it says."""

    zones: tuple[int, ...]
    lessons: tuple[Lesson, ...]


@dataclass(slots=True)
class Study:
    """What was learnt about one record: lessons by entry; who was to blame for a step that failed in a certain way; and
    from how many contradictions it was learnt."""

    lessons: dict[int, list[Lesson]] = field(default_factory=dict)
    blames: dict[Failure, Blame] = field(default_factory=dict)
    taught: int = 0

    def add(self, entry: int, lesson: Lesson) -> None:
        """Keeps a lesson."""
        known = self.lessons.setdefault(entry, [])
        if lesson not in known:
            known.append(lesson)

    def forget(self) -> None:
        """Begins anew: a lesson may have been wrong."""
        self.lessons.clear()
        self.blames.clear()
        self.taught = 0


def blame(
    program: Program,
    vector: Sequence[int],
    zones: Sequence[int],
    cores: Mapping[int, Sequence[int]],
    unknown: Sequence[int],
    met: float,
    meets: Callable[[list[int]], float | None],
) -> Blame:
    """Who is to blame for a step that starts at ``vector`` and went wrong, among unordered ``zones`` that the seat does
    not see. ``cores``: per zone the kinds that must have been there; ``unknown``: the kinds that may have been
    anywhere; ``met``: how many entries of the record were met; ``meets`` says how many would be, were the step taken in
    a changed vector (None: it cannot be told), with a fraction that says how near it came to the next.
    """
    wrong: list[int] = []
    lessons: list[Lesson] = []
    right: list[tuple[int, Supposer]] = []
    for zone in zones:
        suppose, core = Supposer(program, vector, zone), tuple(cores.get(zone, ()))
        alone = suppose.with_cards(core)
        best = None if alone is None else meets(alone)
        if best is None:
            continue
        if best <= met:
            right.append((zone, suppose))
            continue
        wrong.append(zone)
        found = with_each(suppose, meets, core, unknown)
        best = max(found.values(), default=met)
        never = frozenset(kind for kind, reach in found.items() if reach < best)
        if best > met and never and len(found) - len(never) >= suppose.count - len(core):
            lessons.append(Lesson(zone, never, frozenset()))
    if not wrong:
        for zone, suppose in right:
            lesson = missing(zone, suppose, meets, tuple(cores.get(zone, ())), unknown, met)
            if lesson is not None:
                return Blame((zone,), (lesson,))
    return Blame(tuple(wrong), tuple(lessons))


def missing(
    zone: int,
    suppose: Supposer,
    meets: Callable[[list[int]], float | None],
    core: Sequence[int],
    unknown: Sequence[int],
    met: float,
) -> Lesson | None:
    """The lesson that something lacks in a zone, if there is one."""
    found = with_each(suppose, meets, core, unknown)
    well = [kind for kind, reach in found.items() if int(reach) > int(met)]
    ill = frozenset(found) - frozenset(well)
    if not well or not ill:
        return None
    # Perhaps it was only that something lies there: what spoils it beside a card that does not?
    beside = with_each(suppose, meets, (*core, well[len(well) // 2]), sorted(ill))
    return Lesson(zone, frozenset(kind for kind, reach in beside.items() if int(reach) <= int(met)), frozenset(well))


def with_each(
    suppose: Supposer, meets: Callable[[list[int]], float | None], core: Sequence[int], kinds: Sequence[int]
) -> dict[int, float]:
    """For each of some kinds that can lie in the zone beside ``core``, how much of the record is met with one such
    card."""
    found = {}
    for kind in kinds:
        supposed = None if kind in core else suppose.with_cards((*core, kind))
        reach = None if supposed is None else meets(supposed)
        if reach is not None:
            found[kind] = reach
    return found
