"""The teller: writes down what happens at the table and rolls each seat's digest over what that seat is told of it.

The digest of a seat, ``v[digest_base + seat]``, a signed 64-bit number that begins at 0, stands for its record.
Exactly, with all numbers taken modulo 2**64 and ``>>`` unsigned: for the numbers ``t`` of each observation that
`events.observe` gives the seat (for None nothing happens) and each number ``x`` of ``(len(t), *t)`` in order

    ``d = (d ^ x) * 0xBF58476D1CE4E5B9``, then ``d = d ^ (d >> 29)``

Imports run and ir only. Chance, moves and marks are not its business.
"""

from __future__ import annotations

from collections.abc import Callable

from rulerun.facts.events import Chose, Event, Offered, observe
from rulerun.facts.observations import Ended, Key, back_classes
from rulerun.facts.rng import MASK64, MIX_1
from rulerun.ir.program import Program
from rulerun.run.table import Vector

EVERY_SEAT = -1
"""As a set of seats: all of them."""


def roll(digest: int, numbers: tuple[int, ...]) -> int:
    """The digest after the numbers of one more observation; signed, as it came."""
    d = digest & MASK64
    for x in (len(numbers), *numbers):
        d = ((d ^ x) * MIX_1) & MASK64
        d ^= d >> 29
    return d - 2**64 if d >> 63 else d


class Teller:
    """Appends events to ``log`` (the caller drains it) and rolls the digests of a vector with marks; or, if there is a
    ``listener``, gives the events to it and leaves the digests alone: whoever only tries steps out may `digest`
    afterwards what came of them."""

    __slots__ = ("_backs", "_base", "_seats", "listener", "log")

    def __init__(self, program: Program) -> None:
        self.log: list[Event] = []
        self.listener: Callable[[Event], None] | None = None
        self._backs = back_classes(program)
        self._base = program.layout.digest_base
        self._seats = range(program.players)

    def tell(self, v: Vector, event: Event) -> None:
        """Tells one event to every seat, each in its own form."""
        if self.listener is not None:
            self.listener(event)
            return
        self.log.append(event)
        self.digest(v, event)

    def digest(self, v: Vector, event: Event) -> None:
        """Rolls one event into the digest of every seat that is told it."""
        for seat in self._seats:
            observation = observe(event, seat, self._backs)
            if observation is not None:
                v[self._base + seat] = roll(v[self._base + seat], observation.numbers())

    def offered(self, v: Vector, seat: int, site: int, keys: tuple[Key, ...], sealed: bool) -> None:
        """``seat`` is asked at ``site``; ``keys`` of its options, in order. ``sealed``: the others are not told."""
        self.tell(v, Offered(seat, site, keys, sealed))

    def chose(
        self,
        v: Vector,
        seat: int,
        site: int,
        key: Key,
        others: Key | None = None,
        full: int = EVERY_SEAT,
        told_to: int = EVERY_SEAT,
        heard: int = EVERY_SEAT,
    ) -> None:
        """``seat`` chose; see `events.Chose`. By default everyone is told the whole key. For a secret or sealed choice
        ``full`` and ``told_to`` are the chooser alone; the `Tell` after sealed choices calls this again."""
        self.tell(v, Chose(seat, site, key, key if others is None else others, full, told_to, heard))

    def ended(self, v: Vector, scores: tuple[int, ...], winners: int) -> None:
        """The game is over; ``winners`` a set of seats."""
        self.tell(v, Ended(winners, scores))
