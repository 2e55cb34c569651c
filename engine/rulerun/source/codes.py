"""Every diagnostic code: its title, why it exists, a bad example and a mended one. Codes are stable for ever.

The page `docs/diagnostics.md` is made from this registry; a test holds that each code used in the engine is here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """One sort of finding. ``bad`` and ``good`` are fragments of a ruleset."""

    title: str
    why: str
    bad: str = ""
    good: str = ""


DOCUMENT: dict[str, Code] = {}

SYNTAX: dict[str, Code] = {}

DECLARATIONS: dict[str, Code] = {}

RULE_TEXT: dict[str, Code] = {}

PLAY: dict[str, Code] = {}

CODES: dict[str, Code] = {**DOCUMENT, **SYNTAX, **DECLARATIONS, **RULE_TEXT, **PLAY}
