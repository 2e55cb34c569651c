"""Tests of rulesets in text form: sets the table, plays the steps, and tells the first thing that differs.

A test is played by the reference executor in its mode of explicit chance, so that a step can say what chance gives;
whatever no step settles is drawn from a generator of the test's own `seed`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rulerun.document.model import Entries, Scalar
from rulerun.facts.events import observe
from rulerun.facts.faults import RulesFault
from rulerun.facts.options import PASS
from rulerun.facts.rng import Stream, derive
from rulerun.game import Game
from rulerun.ir.nodes import Draw, Pick
from rulerun.ir.types import CARD, INT, Type
from rulerun.play.scenario_check import Expectations, Position, fault_error, offered_lines, plain_text
from rulerun.play.scenario_form import AllPass, Choice, Expect, Luck, Scenario, Step
from rulerun.play.scenario_stage import beginning_with, lay, start_of
from rulerun.play.scenario_words import ScenarioError, Words, shown
from rulerun.run.machine import Machine
from rulerun.run.trace import Traced
from rulerun.source.diagnostic import RulesetError, UsageError
from rulerun.source.spell import nearest
from rulerun.source.text import Span
from rulerun.view.known import Followed
from rulerun.view.labels import unique_labels
from rulerun.view.table import Table

CHANCE = 2
"""Names the stream of unsettled chance among those derived from a test's seed."""
MAX_PASSES = 1_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a test went. ``problem`` is None if it passed."""

    scenario: Scenario
    problem: ScenarioError | None

    @property
    def passed(self) -> bool:
        return self.problem is None


Loader = Callable[[int | None, tuple[tuple[str, str], ...], tuple[str, ...]], Game]
"""Gives the game for players (None: the fewest), options and variants; may raise RulesetError and UsageError."""


class Rehearsals:
    """Plays the tests of a file. What it takes to begin with a rule is compiled once for each rule and game."""

    def __init__(self, load: Loader) -> None:
        self.load = load
        self.machines: dict[tuple[int, int], tuple[Game, Machine]] = {}

    def run(self, scenario: Scenario) -> Verdict:
        """Play one test."""
        try:
            game = self.load(scenario.players, scenario.options, scenario.variants)
            Rehearsal(game, scenario, self.machine).play()
        except ScenarioError as problem:
            return Verdict(scenario, problem)
        except (RulesetError, UsageError) as error:
            return Verdict(scenario, ScenarioError(str(error), scenario.span))
        return Verdict(scenario, None)

    def machine(self, game: Game, procedure: int) -> Machine:
        """A machine that begins with a procedure."""
        key = (id(game), procedure)
        if key not in self.machines:
            program = beginning_with(game.program, procedure)
            self.machines[key] = (game, Machine(program, knowledge=True, telling=True, explicit_chance=True))
        return self.machines[key][1]


class Rehearsal:
    """A test being played."""

    def __init__(self, game: Game, scenario: Scenario, machine: Callable[[Game, int], Machine]) -> None:
        self.game = game
        self.machine_for = machine
        self.scenario = scenario
        self.words = Words(game.program)
        self.expectations = Expectations(self.words)
        self.machine: Machine = game.chancer
        self.stream = Stream(derive(scenario.seed, CHANCE))
        self.fault: RulesFault | None = None
        self.vector: list[int] = []
        self.counts: list[int] | None = None
        """How many cards lie in each zone at the start."""

    def play(self) -> None:
        """All steps in order; ScenarioError at the first that cannot be done or does not hold."""
        self.guarded(self.begin)
        for step in self.scenario.steps:
            self.step(step)
        self.machine.log.clear()

    def begin(self) -> None:
        scenario = self.scenario
        start = None if scenario.start is None else start_of(self.words, scenario.start)
        if scenario.given is not None and start is None:
            raise ScenarioError(
                "'given' wants 'start': a game that begins as usual sets its own table",
                scenario.given.span,
                ["name the rule to begin with, as in 'start: turn(P1)'"],
            )
        if start is not None:
            self.machine = self.machine_for(self.game, start.procedure)

        def prepare(vector: list[int]) -> None:
            self.vector = vector  # also where the first stretch ends in a fault
            if start is not None:
                lay(self.words, vector, scenario.given)
                for variable, value in zip(self.words.parameters(start.procedure), start.arguments, strict=True):
                    self.words.write(vector, variable.offset, variable.type, value)
            table = Table(self.game.program, vector)
            self.counts = [table.count(zone) for zone in range(len(self.game.program.zones))]

        self.machine.start_prepared(scenario.seed, prepare)

    def guarded(self, action: Callable[[], None]) -> None:
        """Do something that may end in a fault of the rules, which an `expect` may ask for."""
        try:
            action()
        except RulesFault as fault:
            self.fault = fault

    def step(self, step: Step) -> None:
        match step:
            case Luck():
                for outcome in step.outcomes:
                    self.luck(outcome)
            case Choice():
                self.settle()
                self.choose(step)
            case AllPass():
                self.settle()
                self.all_pass(step)
            case Expect():
                self.settle()
                self.expectations.check(self.position(), step.entries)

    # ------------------------------------------------------------------ chance

    def pending(self) -> list[tuple[int, int]]:
        """Outcomes and weights of the chance that waits; [] if a player is asked, the game is over or has stopped."""
        return [] if self.fault is not None else self.machine.outcomes(self.vector)

    def settle(self) -> None:
        """Let chance fall, by the test's own generator, up to the next choice."""
        while outcomes := self.pending():
            at = self.stream.below(sum(weight for _, weight in outcomes))
            index = 0
            while at >= outcomes[index][1]:
                at -= outcomes[index][1]
                index += 1
            self.take_outcome(index)

    def take_outcome(self, index: int) -> None:
        self.guarded(lambda: self.machine.settle(self.vector, index))

    def luck(self, wanted: Scalar | Entries) -> None:
        """Let the first chance that can give it give what the test says; chances before it fall as they may."""
        seen: list[str] = []
        while outcomes := self.pending():
            type_ = self.chance_type()
            names = [self.words.tell(value, type_) for value, _ in outcomes]
            index = self.outcome_of(wanted, outcomes, type_)
            if index is not None:
                self.take_outcome(index)
                return
            seen = names
            before = len(outcomes)
            at = self.stream.below(before)
            self.take_outcome(at)
        if self.fault is not None:
            raise fault_error(self.fault, wanted.span)
        details = (
            [f"the last chance could give: {', '.join(dict.fromkeys(seen[:40]))}"]
            if seen
            else ["no chance is left here"]
        )
        raise ScenarioError(f"no chance gives '{shown(wanted)}' before the next choice", wanted.span, details)

    def chance_type(self) -> Type:
        end = self.machine.program.blocks[Table(self.machine.program, self.vector).block].end
        match end:
            case Draw():
                return CARD
            case Pick():
                return end.into.type
            case _:
                return INT

    def outcome_of(self, wanted: Scalar | Entries, outcomes: Sequence[tuple[int, int]], type_: Type) -> int | None:
        kinds = self.game.program.kinds
        try:
            if str(type_).startswith("Card"):
                fitting = self.words.cards(wanted).kinds
                return next(
                    (i for i, (value, _) in enumerate(outcomes) if value >= 0 and kinds[value] in fitting), None
                )
            plain = self.words.plain(wanted, type_)
        except ScenarioError:  # what is meant for a later chance need not fit this one
            return None
        return next((i for i, (value, _) in enumerate(outcomes) if value == plain), None)

    # ----------------------------------------------------------------- choices

    def choose(self, step: Choice) -> None:
        self.must_go_on(step.span)
        asked = self.machine.chooser(self.vector)
        position = self.position()
        if asked != step.seat:
            raise ScenarioError(
                f"P{step.seat + 1} is not asked here, P{asked + 1} is", step.span, offered_lines(position)
            )
        wanted = plain_text(step.label)
        index = next((i for i, label in enumerate(position.labels) if plain_text(label) == wanted), None)
        if index is None:
            near = nearest(step.label, position.labels)
            hint = [f"did you mean '{near}'?"] if near else []
            raise ScenarioError(
                f"P{asked + 1} cannot choose '{step.label}'", step.span, [*hint, *offered_lines(position)]
            )
        self.take(index)

    def take(self, index: int) -> None:
        self.guarded(lambda: self.machine.choose(self.vector, index))

    def all_pass(self, step: AllPass) -> None:
        """Everybody who is asked at this choice, and may, passes."""
        self.must_go_on(step.span)
        block = Table(self.machine.program, self.vector).block
        if not self.pass_index():
            raise ScenarioError("nobody can pass here", step.span, offered_lines(self.position()))
        for _ in range(MAX_PASSES):
            index = self.pass_index()
            if not index or Table(self.machine.program, self.vector).block != block:
                return
            self.take(index[0])
            self.settle()
        raise ScenarioError("the passing does not end", step.span)

    def pass_index(self) -> list[int]:
        """The option to pass, as a list of one; [] if there is none."""
        if self.fault is not None or self.machine.is_over(self.vector):
            return []
        return [i for i, option in enumerate(self.machine.options(self.vector)) if option.line == PASS]

    def must_go_on(self, span: Span) -> None:
        if self.fault is not None:
            raise fault_error(self.fault, span)
        if self.machine.is_over(self.vector):
            raise ScenarioError("the game is over: nobody is asked any more", span)

    # ---------------------------------------------------------------- position

    def position(self) -> Position:
        """The position as it is, for expectations. Chance must be settled."""
        program, machine, vector = self.machine.program, self.machine, self.vector
        table = Table(program, vector)
        over = self.fault is None and table.is_over
        labels: tuple[str, ...] = ()
        if self.fault is None and not over:
            try:
                labels = tuple(unique_labels(machine, self.game.namer, vector, machine.options(vector)))
            except RulesFault as fault:  # a label that reads a card where none lies
                self.fault = fault
        try:
            scores: tuple[int, ...] | None = tuple(machine.scores(vector))
        except RulesFault:
            scores = None
        winners = tuple(machine.winners(vector)) if over else ()
        return Position(
            table,
            labels,
            scores,
            winners,
            self.fault,
            self.followed,
        )

    def followed(self, seat: int) -> Followed | None:
        """Where a seat knows cards to lie that it lost sight of."""
        following = self.game.following
        if not following.any:
            return None
        known = following.begin(seat, self.counts)
        for event in self.machine.log:
            observed = None if isinstance(event, Traced) else observe(event, seat, self.game.backs)
            if observed is not None:
                known.hear(observed)
        return known.at_least()
