"""Names, types, effects and visibility: from a ruleset to a `Program`. Imports `syntax`, `document` and `ir`.

The two entrances import what they need when they are called: whoever reads only `symbols` or `types` pays for no more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulerun.document.model import Ruleset
    from rulerun.ir.program import Program
    from rulerun.source.diagnostic import Diagnostics

__all__ = ["check_ruleset", "compile_ruleset"]


def compile_ruleset(
    ruleset: Ruleset, players: int, found: Diagnostics, *, guarded: bool = True
) -> Program | None:
    """The program of a ruleset for so many players; None if anything is wrong, which ``found`` then tells. Not
    ``guarded``: it is not looked whether somebody is told what it cannot know (`check.sight`): for tests of what finds
    that from outside."""
    from rulerun.check import compile as compiling

    return compiling.compile_ruleset(ruleset, players, found, guarded=guarded)


def check_ruleset(ruleset: Ruleset, found: Diagnostics) -> Program | None:
    """Checks a ruleset for its fewest and its most players, and warns of what is never used; each finding is told once.
    The program for the fewest players if all is well."""
    from rulerun.check import compile as compiling

    return compiling.check_ruleset(ruleset, found)
