"""Worlds for a seat: starts whose replay from the root gives it an equal record, made from the record and the rules.

Chance is in our hands in the replay: at each draw a card is chosen that what the record tells later allows
(`tokens.Plan`), at other seats' choices one of those that tell the seat the same. Where a replay contradicts the
record, what the contradiction teaches is kept (a player who did not follow held nothing to follow with) and the
stretch is dealt anew. A stretch ends where all cards are collected: what lay hidden before is of no account after.
Each draw is as likely as the rules make it, each of several unseen choices as likely as the next.
May not import check, syntax or document.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp
from random import Random

from rulerun.ir.nodes import Draw, Pick
from rulerun.ir.program import MAX_STEPS, PC, Program
from rulerun.run.events import Event, Facts, Moved, Swapped, Told, back_classes, told
from rulerun.run.faults import ENDLESS, UNSEEN_FACE, RulesFault
from rulerun.run.machine import Machine
from rulerun.run.naming import ACROSS, UNKNOWN
from rulerun.run.operations import HEAD
from rulerun.run.ranges import is_card
from rulerun.run.trace import Traced
from rulerun.view.blame import Lesson, blame, heard
from rulerun.view.tokens import (
    CHANCE,
    CHOSE,
    COLLECTED,
    MOVED,
    OFFERED,
    SWAPPED,
    ContradictionError,
    Deal,
    Plan,
    Pool,
    Tracker,
    swap,
)

TRIES = 250
"""How often a stretch is dealt anew before the search is given up."""
WORK = 60_000
"""How many steps of the game may be tried in all."""
PATIENCE, LOST = 20_000, 2_000
"""In a supposed position the rules may turn in circles: after how many blocks a step is given up, and for how many
steps it then counts."""
REPAIR = 12
"""After how many tries a card that contradicts the record as it is drawn is exchanged, which favours rare worlds."""
WIDE = 100
"""From a choice of more options than this nothing is learnt: asking costs too much."""
IMPOSSIBLE = (IndexError, KeyError, ValueError, RecursionError)
"""What a step may run into in a supposed position, where cards lie nowhere or twice."""
FORGET = 60
"""After how many tries in a row all that was learnt is forgotten."""
LESSONS = 200
"""From how many contradictions something is learnt."""
PLANS = 24
"""Among how many plans one is chosen, where not all are as likely."""
TRIALS = 60
"""How many options are tried in search of one that goes with the plan, before any that tells the same will do."""


class NoWorldFound(Exception):  # noqa: N818 - the name of the API
    """No world was found that gives the seat an equal record, within the tries allowed."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """What happened up to a choice: the outcomes of chance that were given (None: drawn from the generator), the
    vector it led to, the events."""

    chances: tuple[int, ...] | None
    vector: list[int]
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class WorldStep:
    """A choice (index -1: the start) and what followed; ``rng`` is the word that the fresh generator starts from."""

    index: int
    stretch: Stretch
    rng: int


def sample_world(
    program: Program, machine: Machine, record: Sequence[Told], seat: int, seed: int, most: int = WORK
) -> list[WorldStep]:
    """A world for ``seat``, whose record is given: the start and every choice. ``machine`` asks for chance and tells.

    Raises `NoWorldFound`. The same record and seed give the same world.
    """
    random = Random(f"world {seed} of seat {seat}")
    word = random.getrandbits(64) - 2**63
    search = _Search(program, machine, record, seat, random, word)
    search.most = most
    return search.run()


@dataclass
class _Mark:
    """A point to go back to: the vector waits for chance or a choice, ``at`` entries of the record have been met."""

    vector: list[int]
    at: int
    tracker: Tracker
    kinds: dict[int, int]
    dealt: set[int]
    steps: list[WorldStep]
    chances: list[int]
    events: list[Event]
    index: int


class _Search:
    def __init__(
        self, program: Program, machine: Machine, record: Sequence[Told], seat: int, random: Random, word: int
    ) -> None:
        self.program = program
        self.machine = machine
        self.record = record
        self.seat = seat
        self.random = random
        self.word = word
        self.backs = back_classes(program)
        self.keys: list[tuple[int, ...]] = []
        self.lessons: dict[int, list[Lesson]] = {}
        self.taught = 0
        self.work = 0
        self.most = WORK
        self.tries = 0
        self.unsure = False
        self.ends = [i + 1 for i, e in enumerate(record) if e[0] == COLLECTED and e[1] < 0] + [len(record)]

    def run(self) -> list[WorldStep]:
        machine = self.machine
        machine.log.clear()
        vector = machine.start(self.word)
        tracker = Tracker(self.program)
        kinds = {card: self.program.kinds[card] for card in range(self.program.card_count)}
        now = _Mark(vector, 0, tracker, kinds, set(), [], [], [], -1)
        try:
            self._start(now)
        except ContradictionError:
            raise NoWorldFound("the record does not fit the start of this game") from None
        while True:
            end = next(e for e in self.ends if e > now.at or e == len(self.record))
            attempt = self._copy(now)
            try:
                if self._attempt(attempt, end):
                    return attempt.steps
                now, self.tries = attempt, 0
            except (ContradictionError, RulesFault):
                machine.log.clear()
                self.tries += 1
                if self.tries % FORGET == 0:  # a lesson may have been wrong
                    self.lessons.clear()
                    self.taught = 0
                if self.tries >= TRIES:
                    raise NoWorldFound(
                        f"no world was found for P{self.seat + 1} in {TRIES} tries; what it was told leaves too few"
                    ) from None

    def _copy(self, mark: _Mark) -> _Mark:
        return _Mark(
            mark.vector.copy(),
            mark.at,
            mark.tracker.copy(),
            dict(mark.kinds),
            set(mark.dealt),
            list(mark.steps),
            list(mark.chances),
            list(mark.events),
            mark.index,
        )

    def _start(self, now: _Mark) -> None:
        """Meets what the start told before any chance."""
        self._meet(now, self._drain(), None)

    def _attempt(self, now: _Mark, end: int) -> bool:
        """Plays on until the whole record is met (True), or ``end`` entries of it are (False). Raises
        `ContradictionError`."""
        loose = self._loosen(now)
        plan = self._plan(now, end)
        for pool in loose:
            self._deal_pool(now, pool, plan)
        while now.at < end or end == len(self.record):
            block = self.program.blocks[now.vector[PC]].end
            if isinstance(block, Draw):
                self._draw(now, plan)
            elif isinstance(block, Pick):
                self._pick(now, block, plan)
            else:
                stretch = Stretch(tuple(now.chances), now.vector.copy(), tuple(now.events))
                now.steps.append(WorldStep(now.index, stretch, self.word))
                now.chances, now.events = [], []
                if now.at == len(self.record):
                    return True
                if self.machine.is_over(now.vector):
                    raise ContradictionError
                self._choice(now, plan)
        return False

    def _plan(self, now: _Mark, end: int) -> Plan:
        """A plan for the entries up to ``end``; where plans differ, one of several, each as often as it is likely."""
        plans: list[Plan] = []
        for _ in range(PLANS * 4):
            try:
                plan = Plan(now.tracker, now.kinds, self.record, now.at, end, self.backs, self.lessons, self.random)
            except ContradictionError:
                continue
            if not plan.open:
                return plan
            plans.append(plan)
            if len(plans) == PLANS:
                break
        if not plans:
            raise ContradictionError
        most = max(plan.weight for plan in plans)
        return self.random.choices(plans, [exp(plan.weight - most) for plan in plans])[0]

    def _loosen(self, now: _Mark) -> list[Pool]:
        """In unordered zones that the seat does not see, which card is which is open again."""
        zones = [
            n
            for n, zone in enumerate(self.program.zones)
            if not now.tracker.ordered[n] and not zone.seen >> self.seat & 1 and now.tracker.zones[n]
        ]
        return [now.tracker.loosen(n) for n in zones]

    # ------------------------------------------------------------------ chance

    def _draw(self, now: _Mark, plan: Plan) -> None:
        """Settles a place as the deal of its pool says."""
        kinds = self.program.kinds
        zone, spot = self.machine.plan.chance[now.vector[PC]](now.vector)
        place = spot if spot >= 0 else 0 if spot == HEAD else len(now.tracker.zones[zone]) - 1
        token = now.tracker.zones[zone][place]
        self._settle_token(now, token, plan)
        if self.tries >= REPAIR and token not in plan.pins:
            self._exchange(now, plan, token, zone)
        kind = now.kinds[token]
        outcomes = self.machine.outcomes
        self._chance(now, plan, lambda v: [i for i, (card, _) in enumerate(outcomes(v)) if kinds[card] == kind])

    def _exchange(self, now: _Mark, plan: Plan, token: int, zone: int) -> None:
        """If drawing this card would contradict the record, it changes kinds with one that is not drawn yet and would
        not."""
        index = {self.program.kinds[card]: i for i, (card, _) in enumerate(self.machine.outcomes(now.vector))}
        others = [t for t in now.tracker.zones[zone] if t in now.kinds and t != token and t not in plan.pins]
        self.random.shuffle(others)
        goes: dict[int, bool] = {}
        for other in [token, *others]:
            kind, own = now.kinds[other], now.kinds[token]
            if kind not in index or not plan.allows(token, kind, self.backs) or not plan.allows(other, own, self.backs):
                continue
            if kind not in goes:
                goes[kind] = self._goes(now.vector, index[kind], None, now.at)
            if goes[kind]:
                now.kinds[token], now.kinds[other] = kind, own
                return

    def _chance(
        self, now: _Mark, plan: Plan, fitting: Callable[[list[int]], list[int]], weights: Sequence[int] = ()
    ) -> None:
        """Lets chance give one of the fitting outcomes. Raises `ContradictionError`, having learnt from it."""
        if self._any_outcome(now, plan, fitting(now.vector), None, weights):
            return
        self._learn(now, lambda v: self._any_goes(v, fitting(v), None, now.at))
        raise ContradictionError

    def _settle_token(self, now: _Mark, token: int, plan: Plan) -> None:
        """Sees to it that a token has a kind."""
        if token not in now.kinds:
            self._deal_pool(now, next(p for p in reversed(now.tracker.pools) if token in p.fresh), plan)

    def _deal_pool(self, now: _Mark, pool: Pool, plan: Plan) -> None:
        """All cards of a pool are dealt at once, so that every later need is met."""
        for token in pool.old:
            self._settle_token(now, token, plan)
        deal = Deal(pool.fresh, [now.kinds[t] for t in pool.old], plan, self.backs, now.kinds)
        now.kinds.update(deal.run(self.random))

    def _pick(self, now: _Mark, pick: Pick, plan: Plan) -> None:
        machine = self.machine
        if pick.told:
            entry = self.record[now.at] if now.at < len(self.record) else ()
            if len(entry) != 3 or entry[0] != CHANCE:
                raise ContradictionError
            self._chance(
                now,
                plan,
                lambda v: [
                    i
                    for i, (item, _) in enumerate(machine.outcomes(v))
                    if machine.naming.public(pick.domain, item) == entry[2]
                ],
            )
            return
        outcomes = machine.outcomes(now.vector)
        weights = [weight for _, weight in outcomes]
        wanted = self._next_kind(now, plan) if is_card(pick.into.type) else None
        if wanted is not None:
            kinds = self.program.kinds
            weights = [weight if kinds[card] == wanted else 0 for card, weight in outcomes]
        self._chance(now, plan, lambda v: list(range(len(machine.outcomes(v)))), weights)

    def _next_kind(self, now: _Mark, plan: Plan) -> int | None:
        """The kind of the card that moves next, as the seat sees it or else as the plan supposes."""
        for at in range(now.at, len(self.record)):
            entry = self.record[at]
            if entry[0] == MOVED:
                tokens = plan.leaves.get(at)
                return entry[1] if entry[1] >= 0 else now.kinds.get(tokens[0]) if tokens else None
            if entry[0] == CHOSE and at > now.at:
                break
        return None

    # ----------------------------------------------------------------- choices

    def _choice(self, now: _Mark, plan: Plan) -> None:
        v, machine = now.vector, self.machine
        chooser = machine.chooser(v)
        entry = self.record[now.at]
        if entry[0] != CHOSE or entry[1] != chooser:
            raise ContradictionError
        fit = self._fitting(v, entry, chooser, now.at)
        if self._any_outcome(now, plan, fit, chooser, self._hinted(fit, now, plan, chooser)):
            return
        if len(self.keys) > WIDE:
            raise ContradictionError
        self._learn(now, lambda supposed: self._option_goes(supposed, now, plan, entry, chooser))
        raise ContradictionError

    def _hinted(self, fit: Sequence[int], now: _Mark, plan: Plan, chooser: int) -> list[int]:
        """Weights that put the options which name the cards that leave next before the others."""
        if len(fit) < 2 or chooser == self.seat:
            return []
        leaving = self._leaving(now, plan, chooser)
        if not leaving:
            return []
        keys = [self.keys[i][1:] for i in fit]
        whole = [int(_names(key, leaving)) for key in keys]
        return whole if any(whole) else [int(leaving[0] in key) for key in keys]

    def _leaving(self, now: _Mark, plan: Plan, chooser: int) -> list[int]:
        """The kinds of the cards that leave the chooser's zones until it is asked again, as seen or as planned."""
        kinds = []
        for at in range(now.at + 1, len(self.record)):
            entry = self.record[at]
            if entry[0] == MOVED and self.program.zones[entry[2]].seen >> chooser & 1:
                tokens = plan.leaves.get(at)
                kind = entry[1] if entry[1] >= 0 else now.kinds.get(tokens[0], -1) if tokens else -1
                if kind >= 0:
                    kinds.append(kind)
            elif entry[0] == OFFERED and entry[1] == chooser:
                break
        return kinds

    def _fitting(self, v: list[int], entry: Told, chooser: int, at: int) -> list[int]:
        """The options whose choice may have been told so."""
        machine = self.machine
        keys = self.keys = [machine.key(v, option) for option in machine.options(v)]
        self._work(1 + len(keys) // 4)
        if chooser != self.seat and len(entry) == 3:
            entry = self._told_later(entry, at)
        if len(entry) == 3:
            return list(range(len(keys)))
        wanted = entry[3:]
        exact = [i for i, key in enumerate(keys) if key == wanted]
        if exact or chooser == self.seat:
            return exact
        return [i for i, key in enumerate(keys) if _may_be_told(key, wanted)]

    def _told_later(self, entry: Told, at: int) -> Told:
        """What was told of a sealed choice once all were in."""
        for later in self.record[at + 1 :]:
            if later[0] == CHOSE and later[1:3] == entry[1:3]:
                return later
        return entry

    def _any_outcome(
        self, now: _Mark, plan: Plan, order: list[int], chooser: int | None, weights: Sequence[int] = ()
    ) -> bool:
        """Takes one of several outcomes (or options of ``chooser``) at random, of those that tell the seat what its
        record says next, if possible one that goes with the plan."""
        if weights:
            urgency = {
                i: self.random.random() ** (1 / weight) if weight else -self.random.random()
                for i, weight in zip(order, weights, strict=True)
            }
            order = sorted(order, key=lambda i: -urgency[i])
        else:
            self.random.shuffle(order)
        found: tuple[int, list[int], list[Event]] | None = None
        for number, i in enumerate(order):
            if number >= TRIALS and found is not None:
                break
            trial = now.vector.copy()
            if not self._take(trial, i, chooser):
                continue
            events = self._drain()
            if not self._tells(now.at, events):
                continue
            goes = self._goes_with(now, plan, events)
            if goes or found is None:
                found = i, trial, events
            if goes:
                break
        if found is None:
            return False
        i, now.vector, events = found
        if chooser is None:
            now.chances.append(i)
        else:
            now.index = i
        self._meet(now, events, plan)
        return True

    def _work(self, steps: int) -> None:
        self.work += steps
        if self.work > self.most:
            raise NoWorldFound(f"no world was found for P{self.seat + 1} in {self.most:,} steps")

    def _take(self, trial: list[int], i: int, chooser: int | None) -> bool:
        self._work(1)
        self.machine.patience = PATIENCE
        try:
            if chooser is None:
                self.machine.settle(trial, i)
            else:
                self.machine.choose(trial, i)
        except (RulesFault, *IMPOSSIBLE) as fault:
            self.unsure = not isinstance(fault, RulesFault) or fault.code == UNSEEN_FACE
            self.machine.log.clear()
            if isinstance(fault, RulesFault) and fault.code == ENDLESS:
                self._work(LOST)
            return False
        finally:
            self.machine.patience = MAX_STEPS
        return True

    def _tells(self, at: int, events: Sequence[Event]) -> bool:
        """Whether the events tell the seat what its record says from entry ``at`` on."""
        record = self.record
        for event in events:
            entry = told(event, self.seat, self.backs)
            if entry is None:
                continue
            if isinstance(event, Facts):
                self._hear(at, entry, event)
            if at >= len(record) or record[at] != entry:
                return False
            at += 1
        return True

    def _hear(self, at: int, entry: Told, event: Facts) -> None:
        """Keeps what facts said of a zone's places rule out, so that the next deal heeds it."""
        if at >= len(self.record) or event.passing is None or self.record[at][:4] != entry[:4]:
            return
        families, zones = self.program.families, self.program.zones
        if event.zone < 0 or not families[zones[event.zone].family].kind.ordered:
            return
        if not any(lesson.places for lesson in self.lessons.get(at, ())):
            kinds = len(self.program.kind_names)
            self.lessons.setdefault(at, []).append(heard(kinds, self.record[at], event.passing))

    def _goes_with(self, now: _Mark, plan: Plan, events: Sequence[Event]) -> bool:
        """Whether hidden cards move as the plan supposed."""
        at = now.at
        for event in events:
            if told(event, self.seat, self.backs) is None:
                continue
            if isinstance(event, Moved):
                planned = plan.leaves.get(at)
                if planned and now.kinds.get(planned[0], event.kind) != event.kind:
                    return False
                if at in plan.spots and plan.spots[at] != event.target_place:
                    return False
            at += 1
        return True

    # ------------------------------------------------------------- the record

    def _drain(self) -> list[Event]:
        events = [event for event in self.machine.log if not isinstance(event, Traced)]
        self.machine.log.clear()
        return events

    def _meet(self, now: _Mark, events: Sequence[Event], plan: Plan | None) -> None:
        """Holds what happened against the record and follows the tokens. Raises `ContradictionError` at the first
        difference."""
        now.events.extend(events)
        record = self.record
        for event in events:
            entry = told(event, self.seat, self.backs)
            if entry is None:
                continue
            if now.at >= len(record) or record[now.at] != entry:
                raise ContradictionError
            if entry[0] == MOVED:
                assert isinstance(event, Moved)
                self._moved(now, event, plan)
            elif entry[0] == SWAPPED:
                assert isinstance(event, Swapped)
                self._swapped(now, event)
            else:
                if entry[0] == COLLECTED and not now.tracker.ordered[entry[2]] and plan is not None:
                    sources = now.tracker.zones if entry[1] < 0 else [now.tracker.zones[entry[1]]]
                    for token in [t for lying in sources for t in lying]:
                        self._settle_token(now, token, plan)
                now.tracker.rearrange(entry)
            now.at += 1

    def _moved(self, now: _Mark, event: Moved, plan: Plan | None) -> None:
        planned = plan.leaves.get(now.at, ()) if plan else ()
        token = self._token(now, event.source, event.source_place, event.kind, planned)
        now.tracker.remove(event.source, token)
        now.tracker.add(event.target, event.target_place, token)

    def _swapped(self, now: _Mark, event: Swapped) -> None:
        left = self._token(now, event.left_zone, event.left_place, event.left_kind, ())
        right = self._token(now, event.right_zone, event.right_place, event.right_kind, ())
        swap(now.tracker, event.left_zone, left, event.right_zone, right)

    def _token(self, now: _Mark, zone: int, place: int, kind: int, planned: Sequence[int]) -> int:
        lying = now.tracker.zones[zone]
        if now.tracker.ordered[zone]:
            token = lying[place]
            now.kinds.setdefault(token, kind)
            return token
        for token in planned:
            if token in lying and now.kinds.get(token) == kind:
                return token
        for token in lying:
            if now.kinds.get(token) == kind:
                return token
        raise ContradictionError

    # ---------------------------------------------------------------- learning

    def _learn(self, now: _Mark, goes: Callable[[list[int]], bool | None]) -> None:
        """A step from here went otherwise than the record tells: keeps what that says about hidden cards."""
        if self.taught > LESSONS:
            return
        self.taught += 1
        leaving: dict[int, list[int]] = {}
        for at in range(now.at, len(self.record)):
            entry = self.record[at]
            if entry[0] == OFFERED or (entry[0] == CHOSE and at > now.at):
                break
            if entry[0] == MOVED and entry[1] >= 0:
                leaving.setdefault(entry[2], []).append(entry[1])
        lessons = blame(self.program, now.vector, self.seat, leaving, goes)
        self.lessons.setdefault(now.at, []).extend(lessons)

    def _option_goes(self, v: list[int], now: _Mark, plan: Plan, entry: Told, chooser: int) -> bool | None:
        """Whether the choice could have been made in a supposed position, and told so; None if that cannot be said."""
        try:
            fit = self._fitting(v, entry, chooser, now.at)
        except RulesFault as fault:
            return None if fault.code == UNSEEN_FACE else False
        except IMPOSSIBLE:
            return None
        hints = self._hinted(fit, now, plan, chooser)
        fit = [i for i, hint in zip(fit, hints, strict=True) if hint] if any(hints) else fit
        return self._any_goes(v, fit, chooser, now.at)

    def _any_goes(self, v: list[int], outcomes: Sequence[int], chooser: int | None, at: int) -> bool | None:
        """Whether one of the outcomes goes with the record in a supposed position; None if that cannot be said: there a
        card may lie in two hands, and nobody may look at one that counts as another's."""
        self.unsure = False
        if any(self._goes(v, i, chooser, at) for i in outcomes[:TRIALS]):
            return True
        return None if self.unsure else False

    def _goes(self, v: list[int], i: int, chooser: int | None, at: int) -> bool:
        """Whether an outcome (or an option of ``chooser``) tells the seat what its record says."""
        trial = v.copy()
        return self._take(trial, i, chooser) and self._tells(at, self._drain())


def _names(key: Sequence[int], leaving: Sequence[int]) -> bool:
    """Whether the values of a key are the next kinds that leave: one by one, or as a set (its size comes first)."""
    if sorted(key) == sorted(leaving[: len(key)]):
        return True
    return len(key) > 1 and key[0] == len(key) - 1 and sorted(key[1:]) == sorted(leaving[: key[0]])


def _may_be_told(key: Sequence[int], wanted: Sequence[int]) -> bool:
    """Whether a key can have been told as ``wanted`` to a seat that does not know all kinds in it."""
    return len(key) == len(wanted) and all(
        k == w or w < 0 or (w % ACROSS == UNKNOWN and k // ACROSS == w // ACROSS)
        for k, w in zip(key, wanted, strict=True)
    )
