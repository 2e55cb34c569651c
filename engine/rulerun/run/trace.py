"""A trace entry: a step of the rules and the line it came from. For people who write rules; part of no record."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Traced:
    """``at`` is an index into `Program.origins`, ``what`` the sort of operation (the name of its IR node)."""

    at: int
    what: str
