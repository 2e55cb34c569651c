"""Worlds for a seat: starts whose replay from the root gives it an equal record, made from the record and the rules.

A world is found stretch by stretch; a stretch ends where all cards are collected: what lay hidden before is of no
account after. For each the record is gone through (`planning`), the unseen cards are dealt as it allows (`dealing`),
and the stretch is played (`meeting`, step by step: `trying`, `stepping`). Where the play parts from the record, it is
learnt which hidden cards are to blame (`blame`), a few are exchanged, and it goes on to the end, to learn more
(`mending`); then the stretch is dealt anew.

What comes out: each draw is as likely as the rules make it, each of several unseen choices as likely as the next, given
the record, as long as plain dealing succeeds within the first tries (`FRESH`), which it does unless worlds are rare.
That is exact where nothing moves unseen, and where it does as good as the choice among `PLANS` plans. After those tries
the mended cards are kept and replayed until nothing needs mending: then worlds that are near to many others come out
more often than they should. Every world is a replay that met the whole record unmended. Nothing but the record and the
rules is looked at: the true deal is never known here. May not import check, syntax or document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from random import Random

from rulerun.facts.faults import RulesFault
from rulerun.facts.observations import Collected, Observation
from rulerun.ir.program import Program
from rulerun.run.machine import Machine
from rulerun.view.tracker import Tracker
from rulerun.view.worlds.blame import ContradictionError, Lesson, Study
from rulerun.view.worlds.meeting import Meeting
from rulerun.view.worlds.mending import Mender
from rulerun.view.worlds.planning import Plan, Sightings
from rulerun.view.worlds.situation import Situation, Stretch, Wish
from rulerun.view.worlds.stepping import NoWorldFound, Stepper

__all__ = ["WORK", "NoWorldFound", "Stretch", "WorldStep", "sample_world"]

WORK = 150_000
"""How many steps of the game may be tried in all."""
FRESH = 8
"""How many deals of a stretch are tried before mended ones are kept; two places mended count as one more."""
ROUNDS = 10
"""How often a mended deal is played anew without needing less mending than before, until another is dealt."""
TRIES = 400
"""How often a stretch is played before the search is given up."""
FORGET = 60
"""After how many tries in a row all that was learnt is forgotten: a lesson may have been wrong."""
PLANS = 24
"""Among how many plans one is chosen, where not all are as likely."""


@dataclass(frozen=True, slots=True)
class WorldStep:
    """A choice (index -1: the start) and what followed; ``rng`` is the word that the fresh generator starts from."""

    index: int
    stretch: Stretch
    rng: int


def sample_world(
    program: Program, machine: Machine, record: Sequence[Observation], seat: int, seed: int, most: int = WORK
) -> list[WorldStep]:
    """A world for ``seat``, whose record is given: the start and every choice. ``machine`` asks for chance and tells.

    Raises `NoWorldFound`. The same record and seed give the same world.
    """
    random = Random(f"world {seed} of seat {seat}")
    word = random.getrandbits(64) - 2**63
    stepper = Stepper(program, machine, record, seat, most)
    with stepper.at_work():
        steps = _Search(stepper, random).run(word)
    _digest(machine, program, steps)
    return [WorldStep(index, stretch, word) for index, stretch in steps]


def _digest(machine: Machine, program: Program, steps: Sequence[tuple[int, Stretch]]) -> None:
    """Puts the digests of the records into the vectors of a world, which were made without."""
    teller, base = machine.teller, program.layout.digest_base
    assert teller is not None
    digests = [0] * program.players
    for _, stretch in steps:
        vector = stretch.vector
        vector[base : base + program.players] = digests
        for event in stretch.events:
            teller.digest(vector, event)
        digests = vector[base : base + program.players]


def _dealt(now: Situation, before: Situation) -> dict[int, int]:
    """The kinds of the tokens that were dealt since."""
    return {token: kind for token, kind in now.kinds.items() if token not in before.kinds}


class _Search:
    def __init__(self, stepper: Stepper, random: Random) -> None:
        self.stepper = stepper
        self.program = stepper.program
        self.record = stepper.record
        self.random = random
        self.sightings = Sightings(stepper.program.kinds, stepper.record)
        self.study = Study()

    def run(self, word: int) -> list[tuple[int, Stretch]]:
        record = self.record
        start = self.stepper.start(word)
        if not start.fits:
            raise NoWorldFound("the record does not fit the start of this game")
        tracker = Tracker(self.program)
        kinds = {card: self.program.kinds[card] for card in range(self.program.card_count)}
        now = Situation(start.vector, [], (), 0, tracker, kinds, [], [], [], -1)
        nothing = Plan(tracker, kinds, record, 0, 0, self.stepper.backs, self.sightings, {}, self.random)
        Meeting(self.stepper, now, nothing, self.random, self.study, Wish({}, {})).follow(start)
        ends = [i + 1 for i, e in enumerate(record) if isinstance(e, Collected) and e.source < 0]
        for end in (*ends, len(record)):
            if now.at < end or end == len(record):
                now = self._stretch(now, end)
        return now.steps

    def _stretch(self, now: Situation, end: int) -> Situation:
        """Goes on to entry ``end`` of the record, or, if that is its end, to the choice there."""
        wish = best = Wish({}, {})
        plan: Plan | None = None
        brought: dict[tuple[int, int], set[int]] = {}
        rounds, spent, farthest, stuck = 0, 0, 0.0, -1
        for tries in range(TRIES):
            attempt = now.copy()
            loose = self._loosen(attempt.tracker)
            try:
                if plan is None:
                    plan = self._plan(attempt, end, self.study.lessons)
                    wish, brought, rounds, farthest = Wish({}, {}), {}, 0, 0.0
                meeting = Meeting(self.stepper, attempt, plan, self.random, self.study, wish)
                for number in loose:
                    meeting.deal(attempt.tracker.pools[number], number)
            except ContradictionError:
                plan = None
                continue
            mender = Mender(meeting, brought, self.random)
            before, stuck = stuck, -1
            try:
                if meeting.run(end, mender.mend):
                    return attempt
            except (ContradictionError, RulesFault):
                stuck = attempt.at
            spent += 1 + mender.mended // 2
            rounds += 1
            met = mender.met if stuck >= 0 else len(self.record) + 1 / (1 + mender.mended)
            wish = Wish({**wish.kinds, **_dealt(attempt, now)}, meeting.taken)
            if meeting.taken and stuck >= 0:
                best = wish if met >= farthest else best
                wish = self._varied(best)
                before = -1
            if met > farthest:
                farthest, rounds = met, 0
            if spent < FRESH or rounds >= ROUNDS or (stuck >= 0 and stuck == before):
                plan = None
            if tries % FORGET == FORGET - 1:
                self.study.forget()
        raise NoWorldFound(
            f"no world was found for P{self.stepper.seat + 1} in {TRIES} tries; what it was told leaves too few"
        )

    def _varied(self, wish: Wish) -> Wish:
        """A wish in which a few options are left open that others took unseen."""
        count = self.random.choice((1, 1, 2))
        left_open = self.random.sample(sorted(wish.keys), min(count, len(wish.keys)))
        return Wish(wish.kinds, {at: key for at, key in wish.keys.items() if at not in left_open})

    def _plan(self, now: Situation, end: int, lessons: dict[int, list[Lesson]]) -> Plan:
        """A plan for the entries up to ``end``; where plans differ, one of several, each as often as it is likely."""
        plans: list[Plan] = []
        for _ in range(PLANS * 4):
            try:
                plan = Plan(
                    now.tracker,
                    now.kinds,
                    self.record,
                    now.at,
                    end,
                    self.stepper.backs,
                    self.sightings,
                    lessons,
                    self.random,
                )
            except ContradictionError:
                continue
            if not plan.open:
                return plan
            plans.append(plan)
            if len(plans) == PLANS:
                break
        if not plans and lessons:  # they may contradict each other
            return self._plan(now, end, {})
        if not plans:
            raise ContradictionError
        most = max(plan.weight for plan in plans)
        return self.random.choices(plans, [exp(plan.weight - most) for plan in plans])[0]

    def _loosen(self, tracker: Tracker) -> list[int]:
        """In unordered zones that the seat does not see, which card is which is open again. The numbers of the pools.
        """
        numbers = []
        for zone, lies_in in enumerate(self.program.zones):
            if not tracker.ordered[zone] and not lies_in.seen >> self.stepper.seat & 1 and tracker.zones[zone]:
                tracker.loosen(zone)
                numbers.append(len(tracker.pools) - 1)
        return numbers
