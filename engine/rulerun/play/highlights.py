"""Games of a simulation that are worth a look: the longest, the shortest, the first fault, the first shared win.

Each has the seed that `rulerun run --seed` plays it with. Imports nothing of the engine but what a game came to.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulerun.play.simulate import Faulted, Played


@dataclass(frozen=True, slots=True)
class Highlight:
    """A game to look at. ``what``: longest, shortest, fault or tie."""

    what: str
    seed: int
    decisions: int


class Highlights:
    """Feed it with games in their order; of equally long ones the first counts."""

    def __init__(self) -> None:
        self._found: dict[str, Highlight] = {}

    def add(self, game: Played | Faulted) -> None:
        """A game, as it ended."""
        if isinstance(game, Faulted):
            self._first("fault", game)
            return
        longest, shortest = self._found.get("longest"), self._found.get("shortest")
        if longest is None or game.decisions > longest.decisions:
            self._keep("longest", game)
        if shortest is None or game.decisions < shortest.decisions:
            self._keep("shortest", game)
        if len(game.winners) > 1:
            self._first("tie", game)

    def games(self) -> list[Highlight]:
        """What was found, in a fixed order. The shortest is left out where all games are of one length."""
        found = [self._found[what] for what in ("longest", "shortest", "fault", "tie") if what in self._found]
        lengths = {n.decisions for n in found if n.what in ("longest", "shortest")}
        return [n for n in found if n.what != "shortest" or len(lengths) > 1]

    def _first(self, what: str, game: Played | Faulted) -> None:
        if what not in self._found:
            self._keep(what, game)

    def _keep(self, what: str, game: Played | Faulted) -> None:
        self._found[what] = Highlight(what, game.seed, game.decisions)
