"""The parts of a state vector as pointers.

A function of the module gets one pointer per part (``PARAMETERS``); that they never overlap is what lets LLVM keep
words in registers over a write to another part.
"""

from __future__ import annotations

NAMES = ("%v", "%zn", "%nx", "%bk", "%gp", "%lc", "%cx", "%rng")
"""Variables (the vector's start), zone records, next, previous, gap, location, step counters, generator."""
PARAMETERS = ", ".join(f"ptr noalias {name}" for name in NAMES)
STEPS, WORK = "0", "1"
"""Words of ``%cx``: steps in loops and functions, and work (see `facts.fuel`), since the last decision."""


def arguments(generator: str = "%rng") -> str:
    """The same pointers handed on."""
    return ", ".join(f"ptr {generator if name == '%rng' else name}" for name in NAMES)
