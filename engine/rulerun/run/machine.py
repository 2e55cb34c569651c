"""The reference executor: starts a game, lists options, takes choices, runs on to the next one.

A machine belongs to one program and serves any number of state vectors (plain lists of ints, changed in place). Quiet,
it is for volume where there is no native executor; with ``telling`` it logs what every seat is told and checks that no
choice reads what its chooser cannot see. It imports facts, ir and run only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulerun.facts.events import Event
from rulerun.facts.faults import RulesFault, fault_functions
from rulerun.facts.options import DONE, PASS, CardPick, LabelValue, Option
from rulerun.facts.rng import seed_state
from rulerun.facts.start import blank_vector
from rulerun.ir import nodes as ir
from rulerun.ir.program import CHOOSER, DECISIONS, LIMITED, PC, PICKED, RNG, Program
from rulerun.run.chance import Chance
from rulerun.run.choices import Choice
from rulerun.run.closures import Fuel, Step, Vector, Way
from rulerun.run.depth import make_room
from rulerun.run.knowledge import lay_table
from rulerun.run.naming import Naming
from rulerun.run.planner import Planner
from rulerun.run.restored import check_words
from rulerun.run.teller import EVERY_SEAT, Teller
from rulerun.run.trace import Traced

ENDED: list[Option] = []


class Machine:
    """Runs one program.

    ``telling``: events go to ``log`` (the caller drains it), digests are rolled, reads of unseen faces are faults.
    ``knowledge``: whether it is kept what seats know (default: when telling, or when a rule asks for it).
    ``explicit_chance``: stops at every chance with more than one outcome, for `outcomes` and `settle`.
    ``trace``: `Traced` entries go to ``log`` too. ``plain``: what the IR says again by sets of cards is ignored, for
    tests. ``watched``: a vector has one word more, a seat, and to read a face or a value that this seat does not see is
    a fault everywhere but for what is put into a hidden variable.
    """

    def __init__(
        self,
        program: Program,
        *,
        telling: bool = False,
        knowledge: bool | None = None,
        explicit_chance: bool = False,
        trace: bool = False,
        plain: bool = False,
        watched: bool = False,
    ) -> None:
        self.program = program
        self.telling = telling
        self.knowledge = (telling or program.uses_knowledge) if knowledge is None else knowledge
        self.explicit_chance = explicit_chance
        self.log: list[Event | Traced] = []
        self.teller: Teller | None = None
        if telling:
            self.teller = Teller(program)
            self.teller.log = self.log  # type: ignore[assignment]
        self.cards = lay_table(program, self.teller, knowledge=self.knowledge)
        self.naming = Naming(program, self.cards)
        self.words = program.layout.full_size if self.knowledge else program.layout.size
        self.fuel = Fuel(program)
        self._faults = fault_functions(program)
        self._blank = blank_vector(program, knowledge=self.knowledge)
        self._registers = max((len(procedure.locals) for procedure in program.procedures), default=0)
        self._plan(trace, plain, watched)

    def _plan(self, trace: bool, plain: bool, watched: bool) -> None:
        """Plans the program: its blocks, choices and chances, by block number."""
        make_room(self.program)

        def planner(guarded: bool) -> Planner:
            return Planner(
                self.program,
                self.cards,
                self._faults,
                self.fuel,
                self.teller,
                knowledge=self.knowledge,
                tell_choice=self._tell_choice if self.telling else None,
                explicit_chance=self.explicit_chance,
                annotations=not plain,
                guarded=guarded,
                reader=self.words if watched else CHOOSER,
            )

        plan = planner(guarded=watched)
        if watched:
            plan.unguarded = planner(guarded=False)
        offering = planner(guarded=True) if self.telling else plan
        self._functions = plan.functions
        self._blocks: list[tuple[list[Step], Way]] = []
        self._choices: dict[int, Choice] = {}
        self._chances: dict[int, Chance] = {}
        self._sites: dict[int, int] = {}
        for number, block in enumerate(self.program.blocks):
            steps = plan.steps(block, self._trace if trace else None)
            self._blocks.append((steps, plan.end(number, block.end)))
            if isinstance(block.end, ir.Choose):
                self._choices[number] = Choice(offering, plan, block.end, self._registers)
                self._sites[block.end.site] = number
            elif isinstance(block.end, ir.Draw | ir.Pick) and self.explicit_chance:
                self._chances[number] = Chance(plan, block.end, self._registers)

    def _trace(self, at: int, what: str) -> None:
        self.log.append(Traced(at, what))

    # ------------------------------------------------------------------ starting

    def start(self, seed: int) -> Vector:
        """A fresh game, run on to its first question (or chance, or end)."""
        return self.begin(seed)[0]

    def start_prepared(self, seed: int, prepare: Callable[[Vector], None]) -> Vector:
        """As `start`, with the vector changed by ``prepare`` before the first step: for tests that set the table."""
        v = self._blank.copy()
        v[RNG] = seed_state(seed)
        prepare(v)
        self._advance(v, self.program.entry)
        return v

    def begin(self, seed: int) -> tuple[Vector, list[Option]]:
        """As `start`, with the options of the first choice; empty if the game is over already."""
        v = self._blank.copy()
        v[RNG] = seed_state(seed)
        return v, self._advance(v, self.program.entry)

    def load(self, words: Sequence[int]) -> Vector:
        """A restored vector, looked through: ValueError says what is not sound. With knowledge it must hold that, too.
        """
        return check_words(self, words)

    # ------------------------------------------------------------------- looking

    def is_over(self, v: Vector) -> bool:
        return v[PC] == 0

    def waits_for_choice(self, v: Vector) -> bool:
        """Whether a seat is asked."""
        return v[PC] in self._choices

    def waits_for_chance(self, v: Vector) -> bool:
        """Whether it stopped for chance, or could have there."""
        return v[PC] in self._chances

    def chooser(self, v: Vector) -> int:
        """The seat asked; -1 if none is (the game is over, or waits for chance)."""
        return v[CHOOSER] if v[PC] in self._choices else -1

    def options(self, v: Vector) -> list[Option]:
        """The options of the choice that waits, in their order; none if the game is over or waits for chance."""
        choice = self._choices.get(v[PC])
        if choice is None:
            return []
        self.fuel.refill()
        return choice.options(v)

    def site(self, v: Vector) -> int:
        """The choice site that waits; -1 if none does."""
        choice = self._choices.get(v[PC])
        return choice.choose.site if choice else -1

    def key(self, v: Vector, option: Option) -> tuple[int, ...]:
        """The option as its chooser may name it; see `naming`."""
        return self.naming.key(v, self._choices[v[PC]].choose, option, v[CHOOSER])

    def label(self, v: Vector, option: Option) -> tuple[str | LabelValue, ...]:
        """The parts of an option's label, values with their types."""
        if option.line == PASS:
            return ("pass",)
        if option.line == DONE:
            return ("done",)
        values = option.values
        if isinstance(option, CardPick):
            values = (1 << values[0],)
        self.fuel.refill()
        return self._choices[v[PC]].label(v, option.line, values)

    def evaluate(self, v: Vector, function: int, *arguments: int) -> int:
        """The value of a function of the program in a position."""
        rest = len(self.program.functions[function].locals) - len(arguments) + 1
        self.fuel.refill()
        return int(self._functions[function](v, [*arguments, *[0] * rest]))

    def scores(self, v: Vector) -> tuple[int, ...]:
        """The score of every seat as things stand."""
        return tuple(self.evaluate(v, self.program.score, seat) for seat in range(self.program.players))

    def winners(self, v: Vector) -> tuple[int, ...]:
        """The seats that win as things stand: by the criteria in order, who is still tied shares. All, if a decision
        limit made the game a draw; none, if the ruleset says that nobody has won."""
        left = list(range(self.program.players))
        if v[LIMITED]:
            return tuple(left)
        if self.program.won >= 0 and not self.evaluate(v, self.program.won):
            return ()
        for criterion in self.program.criteria:
            if len(left) == 1:
                break
            values = {seat: self.evaluate(v, criterion.function, seat) for seat in left}
            best = max(values.values()) if criterion.highest else min(values.values())
            left = [seat for seat in left if values[seat] == best]
        return tuple(left)

    # ------------------------------------------------------------------ going on

    def choose(self, v: Vector, index: int, options: Sequence[Option] | None = None) -> None:
        """Takes option ``index`` and runs on to the next question (or chance, or end).

        ``options``: what `options` gave for this very vector, if it is at hand. ValueError for a bad index, or if
        nothing is to be chosen; the vector is then as before, and so it is after a `RulesFault`.
        """
        if options is None:
            options = self.options(v)
        if not 0 <= index < len(options):
            raise ValueError(
                f"there is no option {index}: there are {len(options)}" if options else "there is nothing to choose now"
            )
        self._whole(v, lambda: self.take(v, options[index]))

    def _whole(self, v: Vector, step: Callable[[], object]) -> None:
        """Does a step, or after a `RulesFault` nothing at all: the vector and the log are as before."""
        before, logged = v.copy(), len(self.log)
        try:
            step()
        except RulesFault:
            v[:] = before
            del self.log[logged:]
            raise

    def take(self, v: Vector, option: Option) -> list[Option]:
        """Takes an option of the list that was just given for ``v``, unchecked, and runs on; the options then. After a
        `RulesFault` the vector is left somewhere in between. For volume."""
        choice = self._choices[v[PC]]
        v[DECISIONS] += 1
        if option.line == DONE or option.__class__ is CardPick:
            return self._pick(v, choice, option)
        if self.teller is not None:
            self._tell_chosen(v, option)
        return self._advance(v, choice.store(v, option.line, option.values))

    def _pick(self, v: Vector, choice: Choice, option: Option) -> list[Option]:
        """One more card of a set that is picked card by card, or its end."""
        line = option.values[0] if option.line == DONE else option.line
        picked = choice.stored(v, line)[0] if v[PICKED] else 0
        if option.line != DONE:
            picked |= 1 << option.values[0]
            v[PICKED] += 1
        then = choice.store(v, line, (picked,))
        left: list[Option] = []
        if option.line != DONE:
            self.fuel.refill()
            left = choice.options(v)
        # Picked as many as may be? Then nothing but "done" is left.
        goes_on = any(other.__class__ is CardPick for other in left)
        if self.teller is not None:
            self._tell_chosen(v, option, goes_on=goes_on)
        if goes_on:
            return self._suspend(v, choice, left)
        v[PICKED] = 0
        return self._advance(v, then)

    def _advance(self, v: Vector, block: int) -> list[Option]:
        """Runs from ``block`` to the next question; its options (none: over, or chance)."""
        self.fuel.refill()
        blocks, r = self._blocks, [0] * self._registers
        while True:
            while block > 0:
                steps, way = blocks[block]
                for step in steps:
                    step(v, r)
                block = way(v, r)
            if block == 0:
                return self._finish(v, 0)
            v[PC] = ~block
            choice = self._choices.get(v[PC])
            if choice is None:
                return ENDED
            options = choice.options(v)
            if options:
                return self._suspend(v, choice, options)
            block = self._pass(v, choice.choose)

    def _pass(self, v: Vector, choose: ir.Choose) -> int:
        """No option, and nobody is asked: the block to go on with."""
        if choose.passing is None:
            self._faults["no_options"](choose.at, f"P{v[CHOOSER] + 1}")
        self.fuel.burn(choose.fuel, choose.at)
        return choose.passing

    def _suspend(self, v: Vector, choice: Choice, options: list[Option]) -> list[Option]:
        if v[DECISIONS] >= self.program.decision_limit:
            return self._limit(v, choice.choose)
        if self.teller is not None:
            choose, seat = choice.choose, v[CHOOSER]
            keys = tuple(self.naming.key(v, choose, option, seat) for option in options)
            hushed = choose.sealed or choose.silent or (choose.secret and v[PICKED] > 0)
            self.teller.offered(v, seat, choose.site, keys, hushed)
        return options

    def _limit(self, v: Vector, choose: ir.Choose) -> list[Option]:
        """The decision limit: a draw, if the ruleset says so, else a fault."""
        if not self.program.limit_is_draw:
            self._faults["decision_limit"](choose.at, self.program.decision_limit)
        return self._finish(v, 1)

    def _finish(self, v: Vector, limited: int) -> list[Option]:
        """The end of the game: the frames are cleared."""
        layout = self.program.layout
        v[layout.frames : layout.zone_base] = [0] * (layout.zone_base - layout.frames)
        v[PC] = v[PICKED] = 0
        v[CHOOSER] = -1
        v[LIMITED] = limited
        if self.teller is not None:
            self.teller.ended(v, self.scores(v), sum(1 << seat for seat in self.winners(v)))
        return ENDED

    def playout(self, v: Vector, below: Callable[[int], int], options: list[Option] | None = None) -> int:
        """Plays on with random choices to the end; how many there were. ``below(n)`` gives 0 .. n - 1."""
        if options is None:
            options = self.options(v)
        take = self.take
        count = 0
        while options:
            options = take(v, options[below(len(options))])
            count += 1
        return count

    # -------------------------------------------------------------------- chance

    def outcomes(self, v: Vector) -> list[tuple[int, int]]:
        """What the chance that waits may give, with weights: equal kinds together, the lowest card stands for them."""
        chance = self._chances.get(v[PC])
        return [] if chance is None else chance.outcomes(v)

    def drawn_from(self, v: Vector) -> tuple[int, int]:
        """The zone and the spot of the draw that waits."""
        return self._chances[v[PC]].drawn_from(v)

    def told_of_pick(self, v: Vector) -> int:
        """The set of seats that are told what the pick that waits gives."""
        return self._chances[v[PC]].told(v)

    def settle(self, v: Vector, index: int) -> None:
        """Lets the chance that waits give outcome ``index`` and runs on. ValueError for a bad index."""
        outcomes = self.outcomes(v)
        if not 0 <= index < len(outcomes):
            raise ValueError(f"there is no outcome {index}: there are {len(outcomes)}")
        self._whole(v, lambda: self.give(v, outcomes[index][0]))

    def give(self, v: Vector, value: int) -> list[Option]:
        """Lets the chance that waits give the outcome ``value`` of the list that was just given for ``v``, unchecked,
        and runs on; the options then."""
        return self._advance(v, self._chances[v[PC]].give(v, value))

    # ------------------------------------------------------------------- telling

    def _tell_chosen(self, v: Vector, option: Option, *, goes_on: bool = False) -> None:
        """``goes_on``: more cards of a set are to be picked. Of a secret one the others are told when it is whole."""
        assert self.teller is not None
        choose, seat = self._choices[v[PC]].choose, v[CHOOSER]
        key = self.naming.key(v, choose, option, seat)
        alone = 1 << seat
        if choose.secret or choose.sealed:
            self.teller.chose(v, seat, choose.site, key, key[:1], alone, alone, alone if goes_on else EVERY_SEAT)
            return
        if choose.silent and option.line == PASS:
            self.teller.chose(v, seat, choose.site, key, key, alone, alone, alone)
            return
        others, full = self.naming.for_others(v, choose, option, key)
        self.teller.chose(v, seat, choose.site, key, others, full | alone)

    def _tell_choice(self, v: Vector, site: int, chooser: int, line: int) -> None:
        """After choices made at once: what ``chooser`` had chosen, read from where it is stored."""
        assert self.teller is not None
        choice = self._choices[self._sites[site]]
        choose = choice.choose
        asked, v[CHOOSER] = v[CHOOSER], chooser  # where it is stored may depend on who is asked
        option = Option(line, choice.stored(v, line)) if line < len(choose.lines) else Option(PASS, ())
        key = self.naming.key(v, choose, option, chooser)
        others, full = self.naming.for_others(v, choose, option, key)
        self.teller.chose(v, chooser, site, key, others, full | 1 << chooser)
        v[CHOOSER] = asked
