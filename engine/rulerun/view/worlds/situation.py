"""How far a supposed world has come. May not import check, syntax or document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulerun.facts.events import Event, Offered
from rulerun.facts.observations import Key
from rulerun.facts.options import Option
from rulerun.view.tracker import Tracker
from rulerun.view.worlds.stepping import Taken


@dataclass(frozen=True, slots=True)
class Stretch:
    """What happened up to a choice: the outcomes of chance that were given (None: drawn from the generator), the
    vector it led to, the events."""

    chances: tuple[int, ...] | None
    vector: list[int]
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Wish:
    """What a stretch was played with before and is to be played with again, as far as that can be."""

    kinds: dict[int, int]
    """Of the tokens."""
    keys: dict[int, Key]
    """By entry of the record: the options that others took, of which the seat was told nothing."""


@dataclass(slots=True)
class Situation:
    """How far a world has come: the vector waits for chance or a choice, ``at`` entries of the record are met."""

    vector: list[int]
    options: list[Option]
    keys: Sequence[Key]
    """Of the options, as their chooser may name them."""
    at: int
    tracker: Tracker
    kinds: dict[int, int]
    """Of the tokens that have been dealt."""
    steps: list[tuple[int, Stretch]]
    """Each choice (index -1: the start) with what followed."""
    chances: list[int]
    events: list[Event]
    index: int

    def copy(self) -> Situation:
        """The same situation, to go on from on its own."""
        return Situation(
            self.vector.copy(),
            self.options,
            self.keys,
            self.at,
            self.tracker.copy(),
            dict(self.kinds),
            list(self.steps),
            list(self.chances),
            list(self.events),
            self.index,
        )

    def meet(self, taken: Taken) -> None:
        """Takes over where a step led; the tokens must have been followed."""
        self.vector, self.options = taken.vector, taken.options
        last = taken.events[-1] if taken.events else None
        self.keys = last.keys if isinstance(last, Offered) else ()
        self.events.extend(taken.events)
