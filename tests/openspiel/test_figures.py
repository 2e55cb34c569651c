"""Decisions and options under random play beside CardStock's (`design/peers.md`: Valet's games, and its own).

`GAMES` has, for each game, the players and options that come nearest to CardStock's text, what it counts there, and
what it counts here. Where its text asks otherwise than ours, a `Counting` counts one of our games its way
(`cardstock`), and `why` tells it; the game's page does so in more words.

How many games its figures come from is not told. Valet's own plots are of 100 random games each, so its error is taken
to be that of 100 games: `SAMPLES` samples of that size show how much they differ. Ours are of all samples together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

import pytest
from cardstock import Counting, CrazyEights, Cribbage, Euchre, OneDeal, play

import rulerun
from rulerun.native.machine import NativeMachine
from rulerun.native.sums import Sums

RULESETS = Path(__file__).parents[2] / "rulesets"
SAMPLES, GAMES_EACH = 50, 100
COUNTED_GAMES = 400
SD = 3
"""Standard deviations that are called sampling error."""

Sample = tuple[int, int, int]
"""Games, decisions and options of a sample."""


@dataclass(frozen=True)
class Row:
    """A game beside CardStock's."""

    name: str
    players: int
    options: dict[str, str | int | bool]
    theirs: tuple[float, float | None]
    """Decisions a game and options a decision, as `peers.md` has them."""
    ours: tuple[float, float]
    """The same of our game with these options, counted our way."""
    counting: Callable[[], Counting] | None = None
    why: str = ""
    """What is different. Empty: the rules are the same, and so is the way of counting."""

    def __str__(self) -> str:
        return self.name


GAMES = [
    Row("agram", 3, {}, (18, 2.5), (18, 2.52)),
    Row(
        "crazy_eights", 3, {"target": 1, "drawing_ends_turn": True, "draw_only_in_need": True},
        (36, 1.6), (36.3, 1.52), CrazyEights,
        "an eight and its suit are one choice there",
    ),
    Row(
        "cribbage", 2, {"most_deals": 2, "target": 241}, (28, 3.1), (20, 4.91), Cribbage,
        "its text plays two deals, each player dealing once; the cards for the crib are chosen one by one; go is said",
    ),
    Row("cuckoo", 6, {"whole_match": False}, (6, 2.0), (6, 2.0)),
    Row(
        "euchre", 4, {"target": 1}, (24.6, 2.2), (19.9, 2.42), Euchre,
        "who can only pass is asked, too, while the dealer discards and when the partner plays alone",
    ),
    Row(
        "go_fish", 4, {"short_game": True, "give_one": True}, (49, 16), (49.1, 15.94),
        why="its engine hands over one card of the rank, though its text says all",
    ),
    Row(
        "golf", 4, {"holes": 1}, (65, 4.4), (66.6, 4.4),
        why="its discard pile is empty at first: the first turn has no card to take up",
    ),
    Row("goofspiel", 2, {}, (26, 7), (26, 7.0)),
    Row(
        # Anything may be led first and points may fall at once; only hearts break hearts.
        "hearts", 4, {"passing": False, "target": 1, "opening": "any_card", "points_in_first_trick": True,
                      "queen_breaks": False}, (52, 3.6), (52, 3.6),
    ),
    Row(
        "klaverjassen", 4, {"deals": 1}, (33, 2.6), (33, 2.65),
        why="who cannot follow must not trump a partner's trump higher; with us, not lower",
    ),
    Row("leduc", 2, {"raises": 1}, (3.7, None), (3.66, 2.0)),
    Row("pitch", 4, {"deals": 1}, (28, 2.6), (28, 2.59)),
    Row("scarto", 3, {"deals": 1, "exchange": False}, (75, 6.7), (75, 6.7)),
    Row("scopa", 2, {"target": 1}, (36, 2.1), (36, 2.06)),
    Row(
        "skitgubbe", 3, {"sequences": False}, (266, 4.3), (257, 4.19),
        why="who is out is asked and passes; not who beat the trick leads but the next; the trump card may be chanced",
    ),
    Row(
        "sueca", 4, {"target": 1}, (40, 3.3), (40.7, 3.24), partial(OneDeal, 40),
        "a deal that ends 60 to 60 is played again by us",
    ),
    Row("whist", 4, {"target": 1}, (52, 3.9), (52, 3.89)),
]  # fmt: skip


@dataclass(frozen=True)
class Figures:
    """What samples come to: decisions a game and options a decision, each with the error of `GAMES_EACH` games."""

    games: int
    decisions: float
    options: float
    errors: tuple[float, float] = field(default=(0.0, 0.0))


def figures(parts: Sequence[Sample]) -> Figures:
    games, decisions, options = (sum(column) for column in zip(*parts, strict=True))
    scale = sqrt(parts[0][0] / GAMES_EACH)
    errors = stdev(d / g for g, d, _ in parts) * scale, stdev(o / d for _, d, o in parts) * scale
    return Figures(games, decisions / games, options / decisions, errors)


def samples(row: Row) -> list[Sums]:
    """Played by the native executor."""
    machine = NativeMachine(rulerun.load(row.name, players=row.players, options=row.options).program)
    played = [machine.playouts(number * GAMES_EACH, GAMES_EACH, 1) for number in range(SAMPLES)]
    assert not any(sums.faulty for sums in played)
    return played


def ours(row: Row) -> Figures:
    """Counted our way."""
    return figures([(sums.games, sums.decisions, sums.options) for sums in samples(row)])


def counted(row: Row, make: Callable[[], Counting]) -> Figures:
    """Counted CardStock's way, in samples of ten games."""
    game = rulerun.load(row.name, players=row.players, options=row.options)
    played = [play(game, make(), seed) for seed in range(COUNTED_GAMES)]
    tens = [played[at : at + 10] for at in range(0, COUNTED_GAMES, 10)]
    return figures([(10, sum(d for d, _ in ten), sum(o for _, o in ten)) for ten in tens])


def near(found: float, told: float, error: float, digits: int) -> bool:
    """Whether a figure is the one that is told, up to rounding to so many digits and an error."""
    return abs(found - told) <= 0.5 * 10.0**-digits + SD * error + 1e-9


def shown(told: float) -> int:
    """The digits that a figure of CardStock's has."""
    return len(f"{told:g}".partition(".")[2])


@pytest.mark.parametrize("row", GAMES, ids=str)
def test_random_play(row: Row) -> None:
    mine = ours(row)
    part = sqrt(GAMES_EACH / mine.games)
    found = mine.decisions, mine.options, mine.errors
    assert near(mine.decisions, row.ours[0], mine.errors[0] * part, 1), found
    assert near(mine.options, row.ours[1], mine.errors[1] * part, 2), found
    like_theirs = counted(row, row.counting) if row.counting else mine
    widened = sqrt(1 + GAMES_EACH / like_theirs.games)  # ours is a sample, too
    found = like_theirs.decisions, like_theirs.options, like_theirs.errors
    decisions, options = row.theirs
    assert near(like_theirs.decisions, decisions, like_theirs.errors[0] * widened, shown(decisions)), found
    assert options is None or near(like_theirs.options, options, like_theirs.errors[1] * widened, shown(options)), found


def test_go_fish_by_its_text() -> None:
    """Its text says that all cards of the rank are given. Counted so, CardStock's figures are not met, and that is no
    sampling error; but Valet's plot of 100 games with a newer text is: the longest has 55 decisions."""
    told = next(row for row in GAMES if row.name == "go_fish")
    text = Row("go_fish", 4, {"short_game": True}, told.theirs, (47.3, 14.44))
    found = ours(text)
    assert near(found.decisions, text.ours[0], 0.04, 1)
    assert near(found.options, text.ours[1], 0.02, 2)
    assert not near(found.options, 16, found.errors[1], 0)
    assert 0.2 < fmean(sums.decision_range[1] <= 55 for sums in samples(text)) < 0.8
    assert fmean(sums.decision_range[1] <= 55 for sums in samples(told)) < 0.05


@pytest.mark.parametrize("row", GAMES, ids=str)
def test_the_page_tells_the_figures(row: Row) -> None:
    page = (RULESETS / row.name / f"{row.name}.md").read_text(encoding="utf-8")
    section = page.partition("## Checked against")[2]
    assert re.search(r"CardStock|Valet", section)
    assert f"{row.theirs[0]:g} decisions" in section
    assert row.theirs[1] is None or re.search(rf"\b{row.theirs[1]:.1f}|\b{row.theirs[1]:g}\b", section)
