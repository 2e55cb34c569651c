"""Rulesets compiled without following secrets: to see what is told of what a checked one may not say."""

from __future__ import annotations

from rulerun import document
from rulerun.check import compile_ruleset
from rulerun.game import Game, find_source
from rulerun.source.diagnostic import Diagnostics, RulesetError


def unguarded(text: str, players: int | None = None) -> Game:
    """The game of a ruleset given as text, for so many players (None: the fewest)."""
    source, folder, name = find_source(text)
    found = Diagnostics()
    ruleset = document.read(source, folder=folder, variants=(), settings={}, found=found)
    program = None
    if ruleset is not None and not found.has_errors:
        program = compile_ruleset(ruleset, players or ruleset.players[0], found, guarded=False)
    if program is None or ruleset is None:
        raise RulesetError(list(found))
    return Game(program, source=name, about=ruleset.about, player_range=ruleset.players, offered_variants={})
