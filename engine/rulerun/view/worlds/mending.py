"""Mending a supposed world where it parts from the record: hidden cards change places until the step goes on.

First it is asked which hidden cards the step could not have been taken with (`blame`); these are exchanged for others.
Where that does not help, some are exchanged at random. What was mended is mended for what comes after as well, but not
for what came before: only a replay tells whether the whole still holds. May not import check, syntax or document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from rulerun.facts.observations import (
    Ended,
    Observation,
    ObservedCards,
    ObservedChoice,
    ObservedFaces,
    ObservedMove,
    ObservedOffer,
    ObservedTokens,
    ObservedValue,
    Said,
)
from rulerun.ir.program import CHOOSER
from rulerun.view.worlds.blame import Blame, Lesson, Odd, blame
from rulerun.view.worlds.exchange import Draft
from rulerun.view.worlds.meeting import Meeting
from rulerun.view.worlds.planning import faces
from rulerun.view.worlds.suppose import Supposer
from rulerun.view.worlds.trying import Tried, outline

EXCHANGES = 60
"""How many exchanges at random are tried to mend a step."""
LESSONS = 300
"""From how many contradictions something is learnt."""
REFRESH = 0.2
"""How often it is asked again who is to blame for a step that failed in this way before."""
WIDE = 100
"""From a choice of more options than this nothing is learnt: asking costs too much."""


class Mender:
    """Mends the steps of one meeting."""

    def __init__(self, meeting: Meeting, brought: dict[tuple[int, int], set[int]], random: Random) -> None:
        """``brought`` grows: which tokens were taken to be of a kind in mending a step (by entry and kind)."""
        self.mended = 0
        self.met = 0.0
        """How far the step went that could not be mended."""
        self._odd: set[Odd] = set()
        self._at = -1
        self._meeting = meeting
        self._study = meeting.study
        self._brought = brought
        self._random = random
        program, seat = meeting.stepper.program, meeting.stepper.seat
        ordered = meeting.now.tracker.ordered
        self._hidden = [
            n for n, zone in enumerate(program.zones) if not ordered[n] and not zone.seen >> seat & 1
        ]

    def mend(self, tried: Tried) -> bool:
        """Changes hidden cards so that the step that waits meets more of the record than was met when it was tried. If
        it cannot, some are exchanged all the same: the next replay shows what comes of it."""
        now = self._meeting.now
        if now.at != self._at:
            self._at = now.at
            self._odd.clear()
        if tried.odd is not None:
            self._odd.add(outline(tried.odd))
        if self._heed(tried, self._known()) or self._each_seen(tried):
            return True
        blamed = self._learn(tried)
        if blamed.lessons and self._heed(tried, [*blamed.lessons, *self._known()]):
            return True
        zones = blamed.zones or self._hidden
        for left, right in self._pairs(zones):
            draft = self._draft()
            if draft.exchange(left, right) and self._better(tried, draft):
                return True
        draft = self._draft()
        if any(draft.exchange(left, right) for left, right in self._pairs(zones)):
            now.kinds = draft.kinds
        self.met = self._met(tried)
        return False

    # ---------------------------------------------------------------- exchanges

    def _draft(self) -> Draft:
        now, stepper = self._meeting.now, self._meeting.stepper
        plan = self._meeting.plan
        return Draft(stepper.program, now.tracker, plan, stepper.backs, now.vector, now.kinds, self._random)

    def _better(self, tried: Tried, draft: Draft) -> bool:
        """Tries the step with what was exchanged; if it goes farther, it stays so."""
        meeting, now = self._meeting, self._meeting.now
        if not draft.changed:
            return False
        meeting.stepper.unsure = False
        after = meeting.trier.tried(draft.vector, None, (), draft.kinds, few=True)
        if self._met(after) <= self._met(tried):
            return False
        options = meeting.stepper.options(draft.vector)
        if options is None:
            return False
        now.vector, now.kinds = draft.vector, draft.kinds
        now.options, now.keys = options, ()
        self.mended += 1
        return True

    def _met(self, tried: Tried) -> float:
        """How far a step goes with the record: entries met; a little more if it tells a number that is nearer to what
        the record says, or else if it fails there for another reason than before."""
        if tried.odd is None:
            return tried.reach
        apart = apart_by(tried.odd, self._wanted(tried))
        if apart is not None:
            return tried.reach + 0.5 + 0.4 / apart
        return tried.reach + 0.25 * (outline(tried.odd) not in self._odd)

    def _wanted(self, tried: Tried) -> Observation | None:
        """What the record says where a step parted from it; None beyond its end."""
        record = self._meeting.stepper.record
        return record[tried.reach] if tried.reach < len(record) else None

    def _heed(self, tried: Tried, lessons: Sequence[Lesson]) -> bool:
        """Exchanges cards so that lessons are heeded and what is seen in the step is there: all at once, or if that
        does not help lesson by lesson."""
        draft = self._draft()
        for zone, wanted in self._seen().items():
            for kind in wanted:
                if kind not in draft.held(zone):
                    draft.bring(zone, frozenset((kind,)), self._tried_for(kind))
        if self._better(tried, draft):
            return True
        if not lessons:
            return False
        for lesson in lessons:
            self._obey(draft, lesson)
        if self._better(tried, draft):
            return True
        for lesson in lessons:
            draft = self._draft()
            self._obey(draft, lesson)
            if self._better(tried, draft):
                return True
        return False

    def _obey(self, draft: Draft, lesson: Lesson) -> None:
        """Exchanges cards so that a zone is as a lesson wants it."""
        draft.clear(lesson.zone, lesson.never)
        if lesson.some and lesson.some.isdisjoint(draft.held(lesson.zone)):
            draft.bring(lesson.zone, lesson.some, self._tried_for(min(lesson.some)))

    def _tried_for(self, kind: int) -> set[int]:
        """The tokens that were taken to be of a kind where the step that waits was mended before."""
        return self._brought.setdefault((self._at, kind), set())

    def _each_seen(self, tried: Tried) -> bool:
        """Brings one of the kinds that are seen in the step to where it is seen."""
        for zone, wanted in self._seen().items():
            for kind in wanted:
                draft = self._draft()
                there = kind in draft.held(zone) or not draft.bring(zone, frozenset((kind,)), self._tried_for(kind))
                if not there and self._better(tried, draft):
                    return True
        return False

    def _pairs(self, zones: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Exchanges at random: of the card that is drawn for one that is not, else of cards in ``zones`` for others."""
        meeting = self._meeting
        now, soft = meeting.now, meeting.plan.soft
        draft = self._draft()
        drawn = meeting.trier.drawn()
        if drawn is not None:
            token, zone = drawn
            inside = set(now.tracker.zones[zone])
            others = draft.others(-1)
            others.sort(key=lambda t: (t not in inside, t in soft))
            known: set[int] = set()
            for other in others:
                if len(known) < EXCHANGES and now.kinds.get(other) not in known and draft.may_exchange(token, other):
                    known.add(now.kinds[other])
                    yield token, other
        open_ = [
            (token, zone)
            for zone, lying in enumerate(now.tracker.zones)
            for token in lying
            if token in now.kinds and not draft.fixed(token) and now.tracker.pool_of(token) >= 0
        ]
        pairs = [(t, u) for t, zone in open_ if zone in zones for u, other in open_ if other != zone]
        self._random.shuffle(pairs)
        number = 0
        for token, other in pairs:
            if (token in soft and other not in soft[token]) or (other in soft and token not in soft[other]):
                continue
            if draft.may_exchange(token, other):
                yield token, other
                number += 1
                if number == EXCHANGES:
                    return

    # ----------------------------------------------------------------- learning

    def _sure(self, zone: int) -> list[int]:
        """The kinds that surely lie in a zone."""
        draft, now = self._draft(), self._meeting.now
        return sorted({now.kinds[t] for t in now.tracker.zones[zone] if draft.fixed(t)})

    def _seen(self) -> dict[int, list[int]]:
        """Per hidden zone the kinds that are seen in it in the step that waits, there or as they leave."""
        sealed = self._meeting.trier.sealed()
        if sealed:
            return sealed
        found: dict[int, list[int]] = {}
        known: set[int] = set()
        record, at = self._meeting.stepper.record, self._meeting.now.at
        for number in range(at, len(record)):
            entry = record[number]
            if isinstance(entry, ObservedOffer) or (isinstance(entry, ObservedChoice) and number > at):
                break
            for kind, zone, _ in faces(entry) if isinstance(entry, ObservedMove | ObservedFaces) else ():
                if kind >= 0 and kind not in known and zone in self._hidden:
                    found.setdefault(zone, []).append(kind)
                known.add(kind)
        return found

    def _known(self) -> list[Lesson]:
        """What was learnt before about the step that waits and is not heeded as the cards lie."""
        now, zones = self._meeting.now, self._meeting.now.tracker.zones
        return [
            lesson
            for lesson in self._study.lessons.get(now.at, ())
            if not lesson.places and not lesson.heeded([now.kinds.get(t, -1) for t in zones[lesson.zone]])
        ]

    def _learn(self, tried: Tried) -> Blame:
        """Keeps what the contradiction says about hidden cards."""
        meeting, now = self._meeting, self._meeting.now
        sums_up = tried.odd is not None and apart_by(tried.odd, self._wanted(tried)) is not None
        study = self._study
        if study.taught >= LESSONS or len(now.options) > WIDE:
            return Blame((), ())
        if sums_up:
            return Blame(tuple(zone for zone in self._hidden if self._counts_in(zone, tried)), ())
        failure = (now.at, tried.reach, tried.odd)
        if failure in study.blames and self._random.random() > REFRESH:
            return study.blames[failure]
        study.taught += 1

        def meets(supposed: list[int]) -> float | None:
            meeting.stepper.unsure = False
            after = meeting.trier.tried(supposed, None, (), now.kinds, few=True)
            reach = self._met(after)
            if meeting.stepper.unsure:  # what went wrong afterwards may be due to the supposition
                return len(meeting.stepper.record) + 1 if int(reach) > tried.reach else None
            return reach

        if meeting.trier.drawn() is not None:
            self._learn_draw()
        zones = [zone for zone in self._hidden if now.tracker.zones[zone]]
        chooser = max(0, now.vector[CHOOSER])
        zones.sort(key=lambda zone: not meeting.stepper.program.zones[zone].seen >> chooser & 1)
        draft = self._draft()
        lying = [t for tokens in now.tracker.zones for t in tokens if t in now.kinds and not draft.fixed(t)]
        unknown = sorted({now.kinds[t] for t in lying if now.tracker.pool_of(t) >= 0})
        seen = self._seen()
        cores = {zone: sorted({*seen.get(zone, ()), *self._sure(zone)}) for zone in zones}
        blamed = blame(meeting.stepper.program, now.vector, zones, cores, unknown, self._met(tried), meets)
        study.blames[failure] = blamed
        plan = meeting.plan
        for lesson in blamed.lessons:
            study.add(now.at, lesson)
            for token in now.tracker.zones[lesson.zone]:
                if token not in plan.pins:
                    plan.never.setdefault(token, set()).update(lesson.never)
        return blamed

    def _counts_in(self, zone: int, tried: Tried) -> bool:
        """Whether a number that is told in the step depends on what lies in a zone."""
        meeting, now = self._meeting, self._meeting.now
        if not now.tracker.zones[zone]:
            return False
        core = sorted({*self._seen().get(zone, ()), *self._sure(zone)})
        alone = Supposer(meeting.stepper.program, now.vector, zone).with_cards(core)
        if alone is None:
            return False
        after = meeting.trier.tried(alone, None, (), now.kinds, few=True)
        return after.reach >= tried.reach and after.odd != tried.odd

    def _learn_draw(self) -> None:
        """Keeps which cards could not have been drawn in the step that waits, as the others lie."""
        meeting, now = self._meeting, self._meeting.now
        drawn = meeting.trier.drawn()
        assert drawn is not None
        token, zone = drawn
        place = now.tracker.zones[zone].index(token)
        entry = meeting.stepper.record[now.at]
        target = entry.target if isinstance(entry, ObservedMove) else -1
        vector: list[int] | None = now.vector
        if target in self._hidden:
            vector = Supposer(meeting.stepper.program, now.vector, target).with_cards(self._sure(target))
        if vector is None:
            return
        kinds = [meeting.stepper.program.kinds[card] for card, _ in meeting.stepper.machine.outcomes(vector)]
        never = frozenset(
            kind for kind in kinds if meeting.trier.tried(vector, None, (), {token: kind}, few=True).taken is None
        )
        if len(never) == len(kinds):
            return
        places = (frozenset[int](),) * place + (never,)
        self._study.add(now.at, Lesson(zone, frozenset(), frozenset(), places))
        if token not in meeting.plan.pins:
            meeting.plan.never.setdefault(token, set()).update(never)


def apart_by(odd: Odd, wanted: Observation | None) -> int | None:
    """How far two observations lie apart that say how much something is, of the same thing (1 or more); None if they
    do not: of what sums up many cards may be to blame, so nothing is learnt from it, but one sees how near it comes."""
    match odd, wanted:
        case Ended(), Ended():
            pass
        case Said(at), Said(there) if at == there:
            pass
        case ObservedValue(place), ObservedValue(there) if place == there:
            pass
        case ObservedCards(place), ObservedCards(there) if place == there:
            pass
        case ObservedTokens(place), ObservedTokens(there) if place == there:
            pass
        case _:
            return None
    one, other = odd.numbers(), wanted.numbers()
    return sum(abs(a - b) + 1 for a, b in zip(one, other, strict=True)) if len(one) == len(other) else None
