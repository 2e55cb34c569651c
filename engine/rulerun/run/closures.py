"""What a planned program is made of: small functions over the state vector and the registers of the code that runs.

Imports facts and ir only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NoReturn

from rulerun.facts.faults import fault_functions
from rulerun.ir.program import MAX_FUEL, Program

Vector = list[int]
"""The state."""
Registers = list[int]
"""The locals of the procedure or function that runs, by their numbers."""
Value = Callable[[Vector, Registers], int]
"""Evaluates an expression. A bool may come as a Python bool or as 0 or 1."""
Elements = Callable[[Vector, Registers], Iterable[int]]
"""Evaluates a domain: its elements, in order. Each may be worked out when it is asked for."""
Step = Callable[[Vector, Registers], None]
"""Does an operation."""
Way = Callable[[Vector, Registers], int]
"""Does the end of a block: the next block, 0 where the game is over, ``~block`` where it stops in a block."""
Put = Callable[[Vector, Registers, int], None]
"""Stores a value at a place."""
Faults = dict[str, Callable[..., NoReturn]]


class Fuel:
    """What is left of the fuel for one decision (or one evaluation from outside). See `facts.fuel`."""

    __slots__ = ("_faults", "left", "most")

    def __init__(self, program: Program) -> None:
        self._faults = fault_functions(program)
        self.most = self.left = MAX_FUEL
        """``most``: how much there is for one decision."""

    def refill(self) -> None:
        self.left = self.most

    def burn(self, units: int, at: int) -> None:
        """Fault RR0601 at origin ``at`` if so much is not left."""
        self.left -= units
        if self.left < 0:
            self._faults["out_of_fuel"](at)

    def burning(self, units: int, at: int) -> Step:
        """The step that burns so much."""

        def burn(_v: Vector, _r: Registers) -> None:
            self.left -= units
            if self.left < 0:
                self._faults["out_of_fuel"](at)

        return burn
