"""A game being played for the sake of examination, and what an invariant is: a question to one position of it.

May not import faces.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from rulerun.facts.faults import RulesFault
from rulerun.game import Game, State
from rulerun.run.machine import Machine
from rulerun.view.offer import key_text

LONG = 200
"""In games longer than this what takes long is not asked: worlds, and replays (a save is replayed as well)."""
SHORT = 12
"""Up to so many choices the whole record and story are compared, from there on the view and the options."""


class SkippedError(Exception):
    """An invariant that cannot be asked here; the text says why."""


class When(Enum):
    """At which positions of a game an invariant is asked."""

    EVERYWHERE = "everywhere"
    MILESTONES = "milestones"
    """Some positions, farther and farther from each other, and the end."""


class Walk:
    """A game being played, with notes of its own on the way: what states say of their past is held against them."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.seed = seed
        self.state = game.new(seed)
        self.keys: list[str] = []
        self.indices: list[int] = []
        self.prints: list[int] = [fingerprint(self.state)]
        self.own: list[str] = [""] * game.players
        """Per seat its own information states and actions so far, rolled into one name."""

    def key(self, index: int) -> str:
        """The key of one option."""
        machine, v = self.game.machine, self.state.vector
        return key_text(machine.site(v), machine.key(v, self.state._offered().raw[index]))

    def take(self, index: int) -> None:
        """Goes on by one choice."""
        seat, key = self.state.seat, self.key(index)
        before = "" if seat is None else self.state.information_state(seat)
        self.state.choose(index)
        if seat is not None:
            self.own[seat] = hashlib.blake2b(f"{self.own[seat]} {before} {key}".encode(), digest_size=16).hexdigest()
        self.keys.append(key)
        self.indices.append(index)
        self.prints.append(fingerprint(self.state))


@dataclass
class Notes:
    """What is kept from position to position and game to game of one examination."""

    game: Game
    alike: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Information state -> what the seat was given there, and where that was."""
    recall: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Information state -> the seat's own history, and where that was."""
    learning: bool = True
    """Off while a finding is cut down: then nothing new is noted."""
    could_vary: int = 0
    """Positions at which what is hidden from a seat could be otherwise."""
    varied: int = 0
    """Those at which a sampled world had it otherwise."""
    quiet: Machine | None = None
    native: object = None
    without_native: str = ""


Check = Callable[[Walk, Notes], str | None]


@dataclass(frozen=True, slots=True)
class Invariant:
    """A property of every position. ``check`` says what is wrong there, None if nothing; it leaves the walk as it was.
    ``cost``: how dear it is, beside the cheapest."""

    name: str
    about: str
    check: Check
    when: When = When.EVERYWHERE
    cost: int = 1
    longest: int = 0
    """It is asked after at most so many choices; 0: after any number."""


def fingerprint(state: State) -> int:
    """A number for the vector, the same in every run."""
    return hash(tuple(state.vector))


def place(walk: Walk) -> str:
    """Where a walk is, for people."""
    return f"seed {walk.seed} after {len(walk.keys)} choice{'s' if len(walk.keys) != 1 else ''}"


def said(error: Exception) -> str:
    """An error in one line."""
    if isinstance(error, RulesFault):
        return str(error)
    text = " ".join(str(error).split())[:200]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
