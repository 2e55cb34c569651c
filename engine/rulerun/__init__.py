"""rulerun: card games written as text files, run by a generic interpreter.

>>> game = rulerun.load("my_game.yaml", players=3)
>>> state = game.new(seed=7)
>>> while not state.is_over:
...     state.choose(0)
>>> state.scores, state.winners

See `rulerun.game` and `rulerun.state` for the whole API.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulerun.facts.faults import RulesFault
    from rulerun.game import CarriedOver, Game, NoWorldFound, Option, PlayError, State, load
    from rulerun.source.diagnostic import Diagnostic, RulesetError, UsageError
    from rulerun.source.text import Source
    from rulerun.view.onlooker import ONLOOKER
    from rulerun.view.view import View

__all__ = [
    "ONLOOKER",
    "CarriedOver",
    "Diagnostic",
    "Game",
    "NoWorldFound",
    "Option",
    "PlayError",
    "RulesFault",
    "RulesetError",
    "Source",
    "State",
    "UsageError",
    "View",
    "load",
]
__version__ = "0.1.0"

_HOMES = {
    "CarriedOver": "rulerun.game",
    "Diagnostic": "rulerun.source.diagnostic",
    "ONLOOKER": "rulerun.view.onlooker",
    "Game": "rulerun.game",
    "NoWorldFound": "rulerun.game",
    "Option": "rulerun.game",
    "PlayError": "rulerun.game",
    "RulesFault": "rulerun.facts.faults",
    "RulesetError": "rulerun.source.diagnostic",
    "Source": "rulerun.source.text",
    "State": "rulerun.game",
    "UsageError": "rulerun.source.diagnostic",
    "View": "rulerun.view.view",
    "load": "rulerun.game",
}
"""Where each public name lives: found on first use, so that a face that needs none of them starts quickly."""


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'rulerun' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), name)
