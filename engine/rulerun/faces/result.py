"""The end of a game as text: a table of scores, who wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

    from rulerun.game import Game, State


def score_table(state: State) -> Table:
    """A line a seat, winners marked."""
    from rulerun.faces.screen import grid

    winners = set(state.winners)
    table = grid("left", "right", "left")
    for seat, score in enumerate(state.scores):
        wins = seat in winners
        table.add_row(f"  P{seat + 1}", str(score), "wins" if wins else "", style="green" if wins else "")
    return table


def winners_line(state: State) -> str:
    """``P2 wins.`` or ``P1 and P3 share the win.``"""
    names = [f"P{seat + 1}" for seat in state.winners]
    if not names:
        return "Nobody wins."
    if len(names) == 1:
        return f"{names[0]} wins."
    if len(names) == len(state.scores):
        return "All share the win."
    return f"{', '.join(names[:-1])} and {names[-1]} share the win."


def header(game: Game) -> str:
    """``NAME, 3 players, with VARIANT, enough=10``."""
    parts = [game.name, f"{game.players} player{'' if game.players == 1 else 's'}"]
    if game.variants:
        parts.append("with " + ", ".join(game.variants))
    parts += [f"{name}={value}" for name, value in game.settings.items()]
    return ", ".join(parts)
