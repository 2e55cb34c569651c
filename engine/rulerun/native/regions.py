"""The parts of a state vector as pointers.

A function of the module gets one pointer per part (``PARAMETERS``); that they never overlap is what lets LLVM keep
words in registers over a write to another part.
"""

from __future__ import annotations

NAMES = ("%v", "%zn", "%nx", "%bk", "%gp", "%lc", "%fuel", "%rng")
"""Variables (the vector's start), zone records, next, previous, gap, location, fuel burned since the last decision (see
`facts.fuel`), generator."""
PARAMETERS = ", ".join(f"ptr noalias {name}" for name in NAMES)


def arguments(generator: str = "%rng") -> str:
    """The same pointers handed on."""
    return ", ".join(f"ptr {generator if name == '%rng' else name}" for name in NAMES)
