"""The reference executor: starts a game, lists options, takes choices, runs on to the next one.

A machine belongs to one program and serves any number of state vectors (plain lists of ints, changed in place). Quiet,
it is made for volume; with ``telling`` it logs what every seat is told and checks that no choice reads what its
chooser cannot see. It imports run and ir only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulerun.facts.events import Event
from rulerun.facts.faults import RulesFault
from rulerun.facts.options import DONE, PASS, CardPick, LabelValue, Option
from rulerun.facts.rng import seed_state
from rulerun.facts.start import blank_vector
from rulerun.ir import nodes as ir
from rulerun.ir.program import (
    CHOOSER,
    DECISIONS,
    LIMITED,
    MAX_FUEL,
    PC,
    PICKED,
    RNG,
    Program,
)
from rulerun.run.cards import make_cards
from rulerun.run.naming import Naming
from rulerun.run.operations import bits_of
from rulerun.run.plan import make_plan
from rulerun.run.restored import check_words
from rulerun.run.support import support
from rulerun.run.teller import Teller
from rulerun.run.trace import Traced

Vector = list[int]
ENDED: list[Option] = []


class Machine:
    """Runs one program.

    ``telling``: events go to ``log`` (the caller drains it), digests are rolled, reads of unseen faces are faults.
    ``knowledge``: whether marks are kept (default: when telling, or when a rule asks for them).
    ``explicit_chance``: stops at every chance with more than one outcome, for `outcomes` and `settle`.
    ``trace``: `Traced` entries go to ``log`` too. ``plain``: without shortcuts in the plan, for tests.
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
        self.cards = make_cards(program, self.teller, knowledge=self.knowledge)
        names = support(program, self.cards, self.knowledge, self.teller)
        names["trace"] = lambda at, what: self.log.append(Traced(at, what))
        names["say"] = self._say
        names["tell_chance"] = self._tell_chance
        names["tell_choice"] = self._tell_choice
        self.plan = make_plan(
            program, names, telling=telling, explicit=explicit_chance, trace=trace, plain=plain
        )
        self.naming = Naming(program, self.cards, self.plan)
        self.words = program.layout.full_size if self.knowledge else program.layout.size
        self.patience = MAX_FUEL
        """Fuel that may be burned without a decision; whoever only supposes may want less."""
        self._faults = names
        self._work: list[int] = names["WORK"]
        self._blank = blank_vector(program, knowledge=self.knowledge)

    # ------------------------------------------------------------------ starting

    def start(self, seed: int) -> Vector:
        """A fresh game, run on to its first question (or chance, or end)."""
        v = self._blank.copy()
        v[RNG] = seed_state(seed)
        self._advance(v, self.program.entry)
        return v

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
        """A restored vector, looked through: ValueError says what is not sound. With knowledge it must have its marks.
        """
        return check_words(self, words)

    # ------------------------------------------------------------------- looking

    def is_over(self, v: Vector) -> bool:
        return v[PC] == 0

    def chooser(self, v: Vector) -> int:
        """The seat asked; -1 if none is (the game is over, or waits for chance)."""
        return v[CHOOSER] if v[PC] in self.plan.chooses else -1

    def options(self, v: Vector) -> list[Option]:
        """The options of the choice that waits, in their order; none if the game is over or waits for chance."""
        if v[PC] not in self.plan.chooses:
            return []
        self._work[0] = 0
        return self.plan.options[v[PC]](v)

    def site(self, v: Vector) -> int:
        """The choice site that waits; -1 if none does."""
        choose = self.plan.chooses.get(v[PC])
        return choose.site if choose else -1

    def key(self, v: Vector, option: Option) -> tuple[int, ...]:
        """The option as its chooser may name it; see `naming`."""
        return self.naming.key(v, v[PC], option, v[CHOOSER])

    def label(self, v: Vector, option: Option) -> tuple[str | LabelValue, ...]:
        """The parts of an option's label, values with their types."""
        if option.line == PASS:
            return ("pass",)
        if option.line == DONE:
            return ("done",)
        values = option.values
        if isinstance(option, CardPick):
            values = (1 << values[0],)
        self._work[0] = 0
        return tuple(self.plan.labels(v[PC])(v, option.line, values))

    def scores(self, v: Vector) -> tuple[int, ...]:
        """The score of every seat as things stand."""
        self._work[0] = 0
        score = self.plan.functions[self.program.score]
        return tuple(int(score(v, seat)) for seat in range(self.program.players))

    def winners(self, v: Vector) -> tuple[int, ...]:
        """The seats that win as things stand: by the criteria in order, who is still tied shares. All, if a decision
        limit made the game a draw; none, if the ruleset says that nobody has won."""
        self._work[0] = 0
        left = list(range(self.program.players))
        if v[LIMITED]:
            return tuple(left)
        if self.program.won >= 0 and not self.plan.functions[self.program.won](v):
            return ()
        for criterion in self.program.criteria:
            if len(left) == 1:
                break
            function = self.plan.functions[criterion.function]
            values = {seat: function(v, seat) for seat in left}
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
        before = v.copy()
        logged = len(self.log)
        try:
            self.take(v, options[index])
        except RulesFault:
            v[:] = before
            del self.log[logged:]
            raise

    def take(self, v: Vector, option: Option) -> list[Option]:
        """Takes an option of the list that was just given for ``v``, unchecked, and runs on; the options then. For
        volume."""
        block = v[PC]
        if self.teller is not None:
            self._tell_chosen(v, option)
        v[DECISIONS] += 1
        line = option.line
        if line < -1 or option.__class__ is CardPick:
            return self._pick(v, block, option)
        return self._advance(v, self.plan.store[block](v, line, option.values))

    def _pick(self, v: Vector, block: int, option: Option) -> list[Option]:
        """One more card of a set that is picked card by card, or its end."""
        number = option.values[0] if option.line == DONE else option.line
        picked = self.naming.stored(v, block, number)[0] if v[PICKED] else 0
        if option.line != DONE:
            picked |= 1 << option.values[0]
            v[PICKED] += 1
        target = self.plan.store[block](v, number, (picked,))
        if option.line != DONE:
            # Picked as many as may be? Then nothing but "done" is left.
            self._work[0] = 0
            left = self.plan.options[block](v)
            if any(other.__class__ is CardPick for other in left):
                return self._suspend(v, block, left)
        v[PICKED] = 0
        return self._advance(v, target)

    def _advance(self, v: Vector, block: int) -> list[Option]:
        """Runs from ``block`` to the next question; its options (none: over, or chance)."""
        blocks = self.plan.blocks
        work = self._work
        work[0] = 0
        most = self.patience
        while True:
            while block > 0:
                block = blocks[block](v)
                if work[0] > most:
                    self._endless(block)
            if block == 0:
                return self._finish(v, 0)
            block = ~block
            choose = self.plan.chooses.get(block)
            if choose is None:
                v[PC] = block
                return ENDED
            options = self.plan.options[block](v)
            if options:
                return self._suspend(v, block, options)
            if choose.passing is None:
                self._faults["no_options"](choose.at, f"P{v[CHOOSER] + 1}")
            if choose.fuel:
                self._work[0] += choose.fuel
                if self._work[0] > MAX_FUEL:
                    self._faults["out_of_fuel"](choose.at)
            block = choose.passing or 0

    def _suspend(self, v: Vector, block: int, options: list[Option]) -> list[Option]:
        v[PC] = block
        if v[DECISIONS] >= self.program.decision_limit:
            return self._limit(v, block)
        if self.teller is not None:
            choose = self.plan.chooses[block]
            keys = tuple(self.naming.key(v, block, option, v[CHOOSER]) for option in options)
            self.teller.offered(v, v[CHOOSER], choose.site, keys, choose.sealed)
        return options

    def _limit(self, v: Vector, block: int) -> list[Option]:
        """The decision limit: a draw, if the ruleset says so, else a fault."""
        if not self.program.limit_is_draw:
            self._faults["decision_limit"](self.plan.chooses[block].at, self.program.decision_limit)
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

    def _endless(self, block: int) -> None:
        at = self.program.blocks[max(0, block)].at
        self._faults["out_of_fuel"](at)

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
        block = v[PC]
        end = self.program.blocks[block].end
        if block == 0 or not isinstance(end, ir.Draw | ir.Pick) or not self.explicit_chance:
            return []
        if isinstance(end, ir.Draw):
            zone, _ = self.plan.chance[block](v)
            items = bits_of(self.cards.undrawn_set(v, zone))
            merge = True
        else:
            items = self.plan.chance[block](v)
            merge = self.naming.counts_by_kind(end.domain)
        if not merge:
            return [(item, 1) for item in items]
        weights: dict[int, list[int]] = {}
        for card in items:
            weights.setdefault(self.program.kinds[card], []).append(card)
        return [(min(group), len(group)) for group in sorted(weights.values(), key=min)]

    def settle(self, v: Vector, index: int) -> None:
        """Lets the chance that waits give outcome ``index`` and runs on. ValueError for a bad index."""
        outcomes = self.outcomes(v)
        if not 0 <= index < len(outcomes):
            raise ValueError(f"there is no outcome {index}: there are {len(outcomes)}")
        before = v.copy()
        logged = len(self.log)
        try:
            self.give(v, outcomes[index][0])
        except RulesFault:
            v[:] = before
            del self.log[logged:]
            raise

    def give(self, v: Vector, value: int) -> list[Option]:
        """Lets the chance that waits give the outcome ``value`` of the list that was just given for ``v``, unchecked,
        and runs on; the options then."""
        block = v[PC]
        end = self.program.blocks[block].end
        if isinstance(end, ir.Draw):
            zone, spot = self.plan.chance[block](v)
            value = self.cards.draw_as(v, zone, spot, value)
        elif isinstance(end, ir.Pick) and end.told and self.teller is not None:
            self.teller.chance(v, end.at, self._said_value(end.domain, value))
        return self._advance(v, self.plan.settle[block](v, value))

    # ------------------------------------------------------------------- telling

    def _say(self, v: Vector, at: int, values: tuple[int, ...]) -> None:
        assert self.teller is not None
        self.teller.said(v, at, values)

    def _tell_chance(self, v: Vector, at: int, value: int) -> None:
        assert self.teller is not None
        self.teller.chance(v, at, value)

    def _said_value(self, domain: ir.Domain, value: int) -> int:
        return self.naming.public(domain, value)

    def _tell_chosen(self, v: Vector, option: Option) -> None:
        assert self.teller is not None
        choose = self.plan.chooses[v[PC]]
        seat = v[CHOOSER]
        key = self.naming.key(v, v[PC], option, seat)
        alone = 1 << seat
        if choose.secret or choose.sealed:
            self.teller.chose(v, seat, choose.site, key, key[:1], alone, alone)
            return
        others, full = self.naming.for_others(v, v[PC], option, key)
        self.teller.chose(v, seat, choose.site, key, others, full | alone)

    def _tell_choice(self, v: Vector, site: int, chooser: int, line: int) -> None:
        """After choices made at once: what ``chooser`` had chosen, read from where it is stored."""
        assert self.teller is not None
        block = self.plan.sites[site]
        asked, v[CHOOSER] = v[CHOOSER], chooser
        if line >= len(self.plan.chooses[block].lines):
            line = PASS
        values = self.naming.stored(v, block, line) if line >= 0 else ()
        option = Option(line, values)
        key = self.naming.key(v, block, option, chooser)
        others, full = self.naming.for_others(v, block, option, key)
        self.teller.chose(v, chooser, site, key, others, full | 1 << chooser)
        v[CHOOSER] = asked
