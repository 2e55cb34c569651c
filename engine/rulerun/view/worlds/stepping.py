"""Single steps of a supposed game, each held against one seat's record as far as it goes.

The cheap way to try things out: vectors are copied once a step, options are never worked out twice, digests are left
alone. May not import check, syntax or document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from rulerun.facts.events import Event, observe
from rulerun.facts.faults import ENDLESS, UNSEEN_FACE, RulesFault
from rulerun.facts.observations import Observation, back_classes
from rulerun.facts.options import Option
from rulerun.ir.program import MAX_FUEL, Program
from rulerun.run.machine import Machine
from rulerun.view.worlds.blame import Breakdown, Odd

PATIENCE, LITTLE = 100_000, 10_000
"""How much fuel a step may burn: the rules may turn in circles in a position that is only supposed, above all where
not all cards lie somewhere (then little patience is enough)."""
BURNED = 250
"""After how much fuel burned in vain a step counts as two."""
Way = TypeVar("Way")
IMPOSSIBLE = (IndexError, KeyError, ValueError, RecursionError)
"""What a step may run into in a supposed position, where cards lie nowhere or twice."""


class NoWorldFound(Exception):  # noqa: N818 - the name of the API
    """No world was found that gives the seat an equal record, within the tries allowed."""


class PartedError(Exception):
    """A step told the seat something else than its record says: the rest of it is of no interest."""


@dataclass(slots=True)
class Taken:
    """A step that was taken: where it led, and how much of the record it met."""

    vector: list[int]
    options: list[Option]
    events: list[Event]
    entries: list[Observation | None]
    """Per event what the seat is told of it; up to the first that the record does not have."""
    met: int
    """How many entries of the record the step met."""
    odd: Odd | None = None
    """What was told otherwise than the record says, if the step does not fit; `Breakdown` if the rules broke down."""

    @property
    def fits(self) -> bool:
        """Whether all that the step told is what the record says."""
        return self.odd is None


class Stepper:
    """Takes steps with a machine that asks for chance and tells, for one seat and its record."""

    def __init__(self, program: Program, machine: Machine, record: Sequence[Observation], seat: int, most: int) -> None:
        self.program = program
        self.machine = machine
        self.record = record
        self.seat = seat
        self.backs = back_classes(program)
        self.unsure = False
        """Whether a step failed for a reason that lies in the supposition alone."""
        self._at = self._met = 0
        self._events: list[Event] = []
        self._entries: list[Observation | None] = []
        self._left = most
        self._most = most

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """While it lasts the machine tells this stepper alone."""
        machine, teller = self.machine, self.machine.teller
        assert teller is not None
        machine.log.clear()
        teller.listener = self._listen
        try:
            yield
        finally:
            machine.fuel.most, teller.listener = MAX_FUEL, None
            machine.log.clear()

    def _listen(self, event: Event) -> None:
        """Holds what is told against the record. Raises `PartedError` where it says otherwise."""
        entry = observe(event, self.seat, self.backs)
        self._events.append(event)
        self._entries.append(entry)
        if entry is None:
            return
        at = self._at + self._met
        if at >= len(self.record) or self.record[at] != entry:
            raise PartedError
        self._met += 1

    def spend(self, steps: int) -> None:
        """Counts the work. Raises `NoWorldFound` where it was too much."""
        self._left -= steps
        if self._left < 0:
            raise NoWorldFound(f"no world was found for P{self.seat + 1} in {self._most:,} steps")

    def start(self, word: int) -> Taken:
        """A fresh game up to its first question, choice or chance."""
        self._prepare(0, PATIENCE)
        try:
            vector = self.machine.start(word)
        except PartedError:
            return self._taken([], [], self._entries[-1])
        return self._taken(vector, self.machine.options(vector))

    def choose(self, vector: list[int], at: int, option: Option, patience: int = PATIENCE) -> Taken | None:
        """Takes an option; None if the rules break down before anything of the record is met. ``at`` entries of it are
        met so far."""
        return self._step(self.machine.take, vector, at, option, patience)

    def settle(self, vector: list[int], at: int, value: int, patience: int = PATIENCE) -> Taken | None:
        """Lets chance give a value; None if the rules break down before anything of the record is met."""
        return self._step(self.machine.give, vector, at, value, patience)

    def options(self, vector: list[int]) -> list[Option] | None:
        """The options in a supposed position; None if it is none."""
        self.spend(1)
        try:
            return self.machine.options(vector)
        except (RulesFault, *IMPOSSIBLE) as fault:
            self._broken(fault, LITTLE)
            return None

    def _step(
        self, step: Callable[[list[int], Way], list[Option]], vector: list[int], at: int, way: Way, patience: int
    ) -> Taken | None:
        trial = vector.copy()
        self.spend(1)
        self._prepare(at, patience)
        try:
            options = step(trial, way)
        except PartedError:
            return self._taken(trial, [], self._entries[-1])
        except (RulesFault, *IMPOSSIBLE) as fault:
            self._broken(fault, patience)
            return self._taken(trial, [], Breakdown()) if self._met else None
        return self._taken(trial, options)

    def _prepare(self, at: int, patience: int) -> None:
        self._at, self._met = at, 0
        self._events, self._entries = [], []
        self.machine.fuel.most = patience

    def _taken(self, vector: list[int], options: list[Option], odd: Odd | None = None) -> Taken:
        return Taken(vector, options, self._events, self._entries, self._met, odd)

    def _broken(self, fault: Exception, patience: int) -> None:
        self.unsure = self.unsure or not isinstance(fault, RulesFault) or fault.code == UNSEEN_FACE
        if isinstance(fault, RulesFault) and fault.code == ENDLESS:
            self.spend(patience // BURNED)
