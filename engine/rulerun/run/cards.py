"""The operations on cards that an executor binds: quiet, or keeping knowledge, or telling as well.

Three parts lie behind `make_cards`: `arena` (where cards lie, quick), `knowledge` (what each seat knows), `teller`
(what each seat is told). Imports run, ir only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulerun.facts.spots import HEAD, TAIL
from rulerun.ir.program import Program
from rulerun.run.arena import lay_arena
from rulerun.run.conservation import make_check
from rulerun.run.operations import Cards

if TYPE_CHECKING:
    from rulerun.run.teller import Teller

__all__ = ["HEAD", "TAIL", "Cards", "make_cards"]


def make_cards(program: Program, teller: Teller | None = None, *, knowledge: bool | None = None) -> Cards:
    """The operations of a program.

    ``knowledge``: whether marks are kept (the vector then has ``layout.full_size`` words); by default if there is a
    teller or a rule asks ``knows``. With a teller they must be: it rolls the digests and says who knew a face. Either
    way the words below ``layout.size`` come out the same.
    """
    kept = (teller is not None or program.uses_knowledge) if knowledge is None else knowledge
    quiet = lay_arena(program, make_check(program))
    if not kept:
        if teller is not None:
            raise ValueError("telling wants knowledge kept")
        return quiet
    from rulerun.run.knowledge import keep_knowledge

    return keep_knowledge(program, quiet, teller)
