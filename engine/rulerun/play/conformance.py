"""Tries the invariants on a game: plays, asks each at many positions, and cuts down what it finds.

`examine` is what `rulerun check --deep` and `rulerun.testing.conforms` run. It plays at random from a seed; the same
seed and numbers give the same report. May not import faces.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

from rulerun.arguments import SEED_HIGH, SEED_LOW, seed_number, whole_number
from rulerun.facts.faults import RulesFault
from rulerun.game import Game
from rulerun.ir.nodes import Draw
from rulerun.ir.program import PC
from rulerun.play.exchange import Search, search
from rulerun.play.invariants import INVARIANTS
from rulerun.play.shortest import Broken, shorten
from rulerun.play.state_invariants import lost_cards
from rulerun.play.walk import LONG, Invariant, Notes, SkippedError, Walk, When, said
from rulerun.run.machine import Machine
from rulerun.view.offer import key_text
from rulerun.view.table import Table

GAMES, DEPTH = 2, 30
STARTS, START_DEPTH = 4, 4
"""Short games beside the long ones, in which alike states are likely to meet."""
CHANCE_STEPS = 120
"""Chances and choices of one walk in which chance is asked for."""
EXCHANGES = 8
"""Exchanges for each game."""
EXCHANGED = 16
"""So many choices of a play are looked at for what can be exchanged, and followed on from there."""
ENOUGH = 8
"""At so many positions what is hidden must have been able to vary before it counts that it never did."""

STEPS = ("steps", "the rules lead on from every choice, and to an end within the limit")
CHANCE = ("chance", "outcomes of chance are different, possible, and sum to one")
EXCHANGE = ("exchange", "what a seat cannot know changes nothing that it is given")
VARIETY = ("variety", "what a seat does not know varies between sampled worlds")


@dataclass(frozen=True, slots=True)
class Finding:
    """An invariant that does not hold. ``choices``: keys that lead there from the start of the game of ``seed``, the
    shortest list that was found (for "chance", ``chance N`` stands for outcome N); ``told``: the same for people."""

    invariant: str
    message: str
    seed: int
    choices: tuple[str, ...]
    told: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    """What was given that should be the same (exchange)."""
    again: str = ""
    """The arguments of `exchange.leaks` that show it, where it is not shown by a replay of the choices."""

    def __str__(self) -> str:
        way = ", ".join(self.told or self.choices)
        number = len(self.choices)
        after = f"after {number} choice{'s' if number != 1 else ''} ({way})" if number else "at the start"
        return f"{self.invariant}: {self.message}, with seed {self.seed} {after}"


@dataclass
class Asked:
    """What became of one invariant: at how many positions it was asked, where it failed, at how many (and why) it could
    not be asked."""

    name: str
    about: str
    positions: int = 0
    finding: Finding | None = None
    skipped: int = 0
    remark: str = ""

    @property
    def outcome(self) -> str:
        """``ok``, ``FAILED`` or ``skipped``."""
        if self.finding is not None:
            return "FAILED"
        return "ok" if self.positions else "skipped"


@dataclass
class Report:
    """What an examination came to."""

    game: str
    players: int
    variants: tuple[str, ...]
    seed: int
    games: int
    decisions: int = 0
    asked: list[Asked] = field(default_factory=list)
    exchange: Search = field(default_factory=Search)

    @property
    def findings(self) -> list[Finding]:
        """All that does not hold, one finding for an invariant."""
        return [asked.finding for asked in self.asked if asked.finding is not None]

    def of(self, name: str) -> Asked:
        """What became of the invariant of that name."""
        return next(asked for asked in self.asked if asked.name == name)


Show = Callable[[int, int], None]


def examine(
    game: Game, *, seed: int = 0, games: int = GAMES, depth: int = DEPTH, show: Show | None = None
) -> Report:
    """Plays ``games`` games at random to their ends and asks every invariant at each of the first ``depth`` choices
    (the dear ones at some of them) and at the end. ``show`` is told how far it is: parts done, and parts in all.
    Raises `PlayError` for numbers that are none."""
    seed_number(seed)
    whole_number(games, "a number of games", 0)
    whole_number(depth, "a number of choices", 0)
    return _Examination(game, seed, games, depth, show).run()


def _seed(first: int, number: int) -> int:
    """The seed of a game of an examination, counted from 0; after the greatest comes the least."""
    return (first + number - SEED_LOW) % (SEED_HIGH - SEED_LOW + 1) + SEED_LOW


class _Examination:
    def __init__(self, game: Game, seed: int, games: int, depth: int, show: Show | None) -> None:
        self.game = game
        self.depth = depth
        self.show = show
        self.notes = Notes(game)
        self.report = Report(game.name, game.players, game.variants, seed, games)
        names = [STEPS, *((i.name, i.about) for i in INVARIANTS), EXCHANGE, VARIETY, CHANCE]
        self.asked = {name: Asked(name, about) for name, about in names}
        self.report.asked = list(self.asked.values())
        self.parts = games * (depth + 2 + EXCHANGES) + STARTS + 1
        self.done = 0

    def run(self) -> Report:
        first = self.report.seed
        for number in range(STARTS):
            self._game(_seed(first, self.report.games + number), START_DEPTH, 0)
            self._step()
        for number in range(self.report.games):
            self._game(_seed(first, number), self.depth, LONG if number else self.game.program.decision_limit + 1)
            self._step(2 + number * (self.depth + 2) + STARTS + self.depth - self.done)
        self._exchange()
        self._variety()
        self._chance(first)
        self._step()
        return self.report

    def _step(self, parts: int = 1) -> None:
        self.done += parts
        if self.show is not None:
            self.show(min(self.done, self.parts), self.parts)

    # ----------------------------------------------------------------- walking

    def _game(self, seed: int, depth: int, most: int) -> None:
        """One game: asked at every choice up to ``depth``; then played to its end and asked there. ``most``: up to so
        many choices with everything told; 0: a short game, which is left at ``depth``."""
        # A long game is played to its end without telling, unless it is the first.
        random = Random(f"conformance {seed}")
        walk: Walk | None = None
        index = -1
        milestones = {n * (n + 1) // 2 for n in range(depth)} if most else set()
        try:
            walk = Walk(self.game, seed)
            while not walk.state.is_over and len(walk.keys) < max(most, depth):
                if len(walk.keys) <= depth:
                    self._ask(walk, dear=len(walk.keys) in milestones)
                    if most:
                        self._step()
                index = random.randrange(len(walk.state._offered().raw))
                walk.take(index)
                self.asked[STEPS[0]].positions += 1
                self.report.decisions += 1
        except Exception as error:  # whatever a broken executor raises is what we are here to find
            self._stuck(walk, seed, index, error)
            return
        if walk.state.is_over:
            self._ask(walk, dear=True)
        elif most:
            self._untold(walk, random)

    def _untold(self, walk: Walk, random: Random) -> None:
        """Plays a long game to its end, without telling."""
        quiet = Machine(self.game.program, knowledge=True)
        v = walk.state.vector.copy()
        indices: list[int] = []
        try:
            options = quiet.options(v)
            while options:
                indices.append(random.randrange(len(options)))
                options = quiet.take(v, options[indices[-1]])
                self.asked[STEPS[0]].positions += 1
                self.report.decisions += 1
            quiet.scores(v)
        except Exception as error:
            self._told_again(walk, indices, error)

    def _told_again(self, walk: Walk, indices: list[int], error: Exception) -> None:
        """What broke down untold, step by step with everything told."""
        index = -1
        try:
            for index in indices:
                walk.take(index)
        except Exception as other:
            self._stuck(walk, walk.seed, index, other)
            return
        self._ask(walk, dear=True)
        if not self.report.findings:
            self._stuck(walk, walk.seed, -1, error)

    def _ask(self, walk: Walk, *, dear: bool) -> None:
        for invariant in INVARIANTS:
            asked = self.asked[invariant.name]
            if asked.finding is not None or (invariant.when is When.MILESTONES and not dear):
                continue
            if asked.skipped >= max(1, self.report.games):  # to look in vain takes long
                continue
            if invariant.longest and len(walk.keys) > invariant.longest:
                continue
            try:
                problem = problem_of(invariant, walk, self.notes)
            except SkippedError as why:
                asked.skipped += 1
                asked.remark = f"{why}; given up" if asked.skipped >= max(1, self.report.games) else str(why)
                continue
            asked.positions += 1
            if self.notes.without_native and invariant.name == "executors":
                asked.remark = self.notes.without_native
            if problem is not None:
                asked.finding = self._cut(invariant, walk, problem)

    def _cut(self, invariant: Invariant, walk: Walk, problem: str) -> Finding:
        """The finding with the shortest list of choices that we know of."""
        self.notes.learning = False

        def wrong(other: Walk) -> str | None:
            try:
                return problem_of(invariant, other, self.notes)
            except SkippedError:
                return None

        found = shorten(self.game, walk.seed, Broken(tuple(walk.keys), problem), wrong, cost=invariant.cost)
        self.notes.learning = True
        return Finding(invariant.name, found.problem, walk.seed, found.keys, told(self.game, walk.seed, found.keys))

    def _stuck(self, walk: Walk | None, seed: int, index: int, error: Exception) -> None:
        """A step that broke down."""
        asked = self.asked[STEPS[0]]
        asked.positions += 1
        if asked.finding is not None:
            return
        keys: tuple[str, ...] = ()
        if walk is not None:
            try:
                keys = (*walk.keys, walk.key(index))
            except Exception:
                keys = tuple(walk.keys)
        found = shorten(self.game, seed, Broken(keys, said(error)), None, cost=1)
        asked.finding = Finding(STEPS[0], found.problem, seed, found.keys, told(self.game, seed, found.keys))

    # ----------------------------------------------------------------- exchange, variety and chance

    def _exchange(self) -> None:
        """Exchanges what seats cannot know; the leak that the fewest choices lead to is told."""
        asked, seed, tries = self.asked[EXCHANGE[0]], self.report.seed, EXCHANGES * self.report.games
        decisions = min(self.depth, EXCHANGED)
        try:
            found = search(self.game, seed=seed, decisions=decisions, tries=tries, show=self._step)
        except Exception as error:  # as in `_game`
            self.game.chancer.log.clear()
            asked.positions += 1
            asked.finding = Finding(EXCHANGE[0], said(error), seed, ())
            return
        self.report.exchange = found
        asked.positions = found.compared
        asked.remark = f"{found.pairs} exchanged, {found.disclosed} disclosed later"
        if not found.compared:
            asked.remark = "nothing is hidden that could be exchanged"
        leak = min(found.leaks, key=lambda leak: len(leak.way), default=None)
        if leak is not None:
            asked.positions = max(found.compared, 1)
            again = f"seed={seed}, decisions={decisions}, tries={tries}"
            asked.finding = Finding(EXCHANGE[0], leak.message, seed, (), leak.way, (leak.left, leak.right), again)

    def _variety(self) -> None:
        asked, notes = self.asked[VARIETY[0]], self.notes
        asked.positions = notes.varied
        asked.skipped = notes.could_vary - notes.varied
        if not notes.varied and notes.could_vary >= ENOUGH:
            message = f"at {notes.could_vary} positions cards that a seat does not know could lie otherwise, never did"
            asked.positions = notes.could_vary
            asked.finding = Finding(VARIETY[0], message, self.report.seed, ())
        elif not notes.varied:
            asked.remark = "nothing is hidden that could be otherwise" if not notes.could_vary else "asked too seldom"

    def _chance(self, seed: int) -> None:
        """Walks with chance in our hands; the shortest that breaks an outcome list is told."""
        asked = self.asked[CHANCE[0]]
        best: Finding | None = None
        for number in range(2 * self.report.games):
            found = self._chance_walk(_seed(seed, number), asked)
            if found is not None and (best is None or len(found.choices) < len(best.choices)):
                best = found
        asked.finding = best
        if not asked.positions:
            asked.remark = "nothing is left to chance"

    def _chance_walk(self, seed: int, asked: Asked) -> Finding | None:
        machine = self.game.chancer
        random = Random(f"chance {seed}")
        way: list[str] = []
        try:
            machine.log.clear()
            v = machine.start(seed)
            for _ in range(CHANCE_STEPS):
                machine.log.clear()
                if machine.is_over(v):
                    break
                if machine.outcomes(v):
                    asked.positions += 1
                    problem = self._chance_problem(v) or lost_cards(Table(self.game.program, v))
                    if problem is not None:
                        return Finding(CHANCE[0], problem, seed, tuple(way))
                    weights = [weight for _, weight in machine.outcomes(v)]
                    index = random.choices(range(len(weights)), weights)[0]
                    way.append(f"chance {index}")
                    machine.settle(v, index)
                else:
                    options = machine.options(v)
                    index = random.randrange(len(options))
                    way.append(key_text(machine.site(v), machine.key(v, options[index])))
                    machine.choose(v, index)
        except RulesFault:  # that is found where steps are looked at
            return None
        except Exception as error:
            return Finding(CHANCE[0], said(error), seed, tuple(way))
        finally:
            machine.log.clear()
        return None

    def _chance_problem(self, v: list[int]) -> str | None:
        machine = self.game.chancer
        before = v.copy()
        outcomes = machine.outcomes(v)
        values, weights = [value for value, _ in outcomes], [weight for _, weight in outcomes]
        if len(set(values)) != len(values):
            return "chance has the same outcome twice"
        if not all(type(weight) is int and weight > 0 for weight in weights):
            return f"chance has an outcome that cannot be: weights {weights}"
        total = sum(weights)
        end = self.game.program.blocks[v[PC]].end
        if isinstance(end, Draw):
            zone, _ = machine.drawn_from(v)
            lying = len(Table(self.game.program, v).undrawn(zone))
            if total != lying:
                return f"{lying} cards could be drawn, the outcomes are for {total}"
        if sum(Fraction(weight, total) for weight in weights) != 1:
            return "the outcomes do not sum to one"
        for index in (-1, len(outcomes)):
            try:
                machine.settle(v, index)
            except ValueError:
                continue
            return f"outcome {index} of {len(outcomes)} was not refused"
        return None if v == before and machine.outcomes(v) == outcomes else "asking for the outcomes changed them"


def problem_of(invariant: Invariant, walk: Walk, notes: Notes) -> str | None:
    """What is wrong at a position; a check that breaks down is wrong, too."""
    try:
        return invariant.check(walk, notes)
    except SkippedError:
        raise
    except Exception as error:
        walk.game.machine.log.clear()
        walk.game.chancer.log.clear()
        return said(error)


def told(game: Game, seed: int, keys: tuple[str, ...]) -> tuple[str, ...]:
    """A list of choices for people: who, and the label as the chooser reads it."""
    words: list[str] = []
    try:
        state = game.new(seed)
        for key in keys:
            label = next(option.label for option in state.options if option.key == key)
            words.append(f"P{(state.seat or 0) + 1}: {label}")
            state.choose_key(key)
    except Exception:  # the game is broken: what can be told is told
        words += list(keys[len(words) :])
    return tuple(words)
