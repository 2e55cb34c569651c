"""For the tests of whoever writes a ruleset: what must hold in every game, as one call.

    from rulerun.testing import conforms

    def test_my_game() -> None:
        conforms("my_game.yaml")

It is what `rulerun check --deep` does. For test files only: rulerun itself does not import it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rulerun.game import Game, Setting, load
from rulerun.play.conformance import DEPTH, GAMES, Report, examine
from rulerun.source.text import Source

__all__ = ["conforms"]


def conforms(
    source: str | Path | Source | Game,
    *,
    players: int | None = None,
    options: Mapping[str, Setting] | None = None,
    variants: Sequence[str] = (),
    seed: int = 0,
    games: int = GAMES,
    depth: int = DEPTH,
) -> list[Report]:
    """Raises `AssertionError` if an invariant does not hold, with the seed and the shortest list of choices found.

    ``source``, ``options`` and ``variants`` as for `rulerun.load`, or a `Game`. ``players``: default the fewest and the
    most. ``games``: games played at random; ``depth``: choices of each that are looked at. The reports, if all is well.
    Raises `RulesetError` and `UsageError` as `rulerun.load` does.
    """
    if isinstance(source, Game):
        tried = [source]
    else:
        first = load(source, players=players, options=options, variants=variants)
        tried = [first]
        if players is None and first.player_range[1] != first.players:
            tried.append(load(source, players=first.player_range[1], options=options, variants=variants))
    reports = [examine(game, seed=seed, games=games, depth=depth) for game in tried]
    lines = [
        f"{report.game} for {report.players}: {finding}" for report in reports for finding in report.findings
    ]
    if lines:
        raise AssertionError("\n".join(lines))
    return reports
