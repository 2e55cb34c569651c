"""What is known of one diagnostic code; the codes themselves are in `codes` and its parts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """One sort of finding. ``bad`` and ``good`` are fragments of a ruleset."""

    title: str
    why: str
    bad: str = ""
    good: str = ""
