"""What a compiled program is given on top, for the executors: its fuel, and what can be said by sets of cards.

Imports the IR, `fuel` and `masks`.
"""

from __future__ import annotations

from rulerun.facts.fuel import meter
from rulerun.facts.masks import by_sets
from rulerun.ir.program import Program


def annotate(program: Program) -> Program:
    """The program with fuel and sets of cards. The fuel of its loops says what `by_sets` may take out of one; and what
    is said by sets of cards then burns less."""
    return meter(by_sets(meter(program)))
