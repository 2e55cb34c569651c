"""A game as far as it can be told: the rules may break down in the label of an option, long after it was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulerun.facts.faults import RulesFault
    from rulerun.game import State
    from rulerun.view.log import Choice
    from rulerun.view.story import Passage
    from rulerun.view.told_choices import ToldChoice


@dataclass(frozen=True)
class Told:
    """The choices of a game and its story, up to the first label that is a fault."""

    choices: Sequence[Choice] = ()
    passages: Sequence[Passage] = ()
    fault: RulesFault | None = None
    heard: Sequence[ToldChoice] = ()
    """For the eyes of one seat: the choices that it was told of."""


def tell_game(state: State | None, eyes: int | None) -> Told:
    """Tells a game to ``eyes`` as far as it can be told. None: it never began."""
    from rulerun.facts.faults import RulesFault

    if state is None:
        return Told()
    fault = None
    state = state.clone()
    while True:
        try:
            heard = () if eyes is None or eyes >= state.game.players else state.told_choices(eyes)
            return Told(state.history, state.passages(eyes), fault, heard)
        except RulesFault as error:
            fault = error
            if not len(state):
                return Told(fault=fault)
            for _ in range(max(1, len(state) - len(error.choices or ()))):
                state.undo()
