"""The end of a game as text: a table of scores, who wins, the seed, and how to see the game again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulerun.faces.colour import Paint

if TYPE_CHECKING:
    from rulerun.game import Game, State


def score_table(state: State, paint: Paint) -> list[str]:
    """A line a seat, the best first as far as scores tell, winners marked; then who wins."""
    winners = set(state.winners)
    width = max(len(str(score)) for score in state.scores)
    lines = []
    for seat, score in enumerate(state.scores):
        line = f"  P{seat + 1}  {score:>{width}}"
        lines.append(paint.good(f"{line}  wins") if seat in winners else line)
    return lines


def winners_line(state: State) -> str:
    """``P2 wins`` or ``P1 and P3 share the win``."""
    names = [f"P{seat + 1}" for seat in state.winners]
    if len(names) == 1:
        return f"{names[0]} wins"
    if len(names) == len(state.scores):
        return "all share the win"
    return f"{', '.join(names[:-1])} and {names[-1]} share the win"


def header(game: Game) -> str:
    """``NAME, 3 players, with VARIANT, enough=10``."""
    parts = [game.name, f"{game.players} players"]
    if game.variants:
        parts.append("with " + ", ".join(game.variants))
    parts += [f"{name}={value}" for name, value in game.settings.items()]
    return ", ".join(parts)
