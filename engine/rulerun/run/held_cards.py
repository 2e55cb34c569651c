"""Telling of variables that hold cards and of tokens on cards: around whatever may change what is seen of them.

A store is not all that does: a card that a variable holds is moved, turned or shown, a zone is shuffled. So what is
seen is read before and after each such step, and told where it is not the same. Only machines that tell do so, of
programs that have such variables. Imports facts, ir and run only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rulerun.facts.events import Carried, Held, Named
from rulerun.facts.held import carried, holdings
from rulerun.ir import nodes as ir
from rulerun.ir.program import Program
from rulerun.run.closures import Registers, Value, Vector
from rulerun.run.table import Table
from rulerun.run.teller import Teller

R = TypeVar("R")
Seen = list[tuple[Carried, ...]]
_UNMOVED = (ir.SetLocal, ir.Clear, ir.Snapshot, ir.Announce, ir.Tell, ir.Leave, ir.Rejoin, ir.Reverse)
"""What changes neither a state variable, nor where a card lies, nor who knows its face."""


class HeldCards:
    """What the variables of one program hold by cards, in any vector of the state."""

    def __init__(self, program: Program, table: Table, teller: Teller) -> None:
        self.holdings = holdings(program)
        self._program = program
        self._table = table
        self._teller = teller
        self._of_word = {
            word: i
            for i, holding in enumerate(self.holdings)
            for entry in holding.entries
            for word in range(entry.word, entry.word + len(entry.start))
        }
        self._placed = tuple(not program.families[zone.family].shuffled for zone in program.zones)
        """Per zone whether its places may be told: it is never shuffled."""

    def may_change(self, op: ir.Op) -> bool:
        """Whether an operation may change what is seen of a holding."""
        if isinstance(op, ir.Store):
            return op.place.offset in self._of_word
        return not isinstance(op, _UNMOVED)

    def around(self, v: Vector, act: Callable[[], R]) -> R:
        """Does what may change what is seen, and tells of that."""
        before = self._seen(v)
        result = act()
        self._tell(v, before, -1)
        return result

    def watched(
        self, step: Callable[[Vector, Registers], R], again: Value | None = None
    ) -> Callable[[Vector, Registers], R]:
        """A step, and then what is told of it. ``again``: a word; who sees the holding there is told of it though it
        may be as it was."""

        def watch(v: Vector, r: Registers) -> R:
            before = self._seen(v)
            told = -1 if again is None else self._of_word[again(v, r)]
            result = step(v, r)
            self._tell(v, before, told)
            return result

        return watch

    def _seen(self, v: Vector) -> Seen:
        located: dict[int, Named] = {}

        def locate(card: int) -> Named:
            if card not in located:
                zone = v[self._table.location + card]
                place = self._table.position(v, card) if self._placed[zone] else -1
                located[card] = Named(self._program.kinds[card], zone, place, self._table.who_knows(v, card))
            return located[card]

        return [carried(holding, v, locate) for holding in self.holdings]

    def _tell(self, v: Vector, before: Seen, again: int) -> None:
        for i, (holding, was, now) in enumerate(zip(self.holdings, before, self._seen(v), strict=True)):
            if i == again or was != now:
                told = None if i == again else was
                self._teller.tell(v, Held(holding.place, holding.by_card, told, now, holding.seen))


def hold_cards(program: Program, table: Table, teller: Teller | None) -> HeldCards | None:
    """What tells of variables of cards; None where nothing is told or there are none."""
    if teller is None:
        return None
    held = HeldCards(program, table, teller)
    return held if held.holdings else None
