"""A played game of every shipped ruleset as text, compared with the one in `playthroughs/`.

A change of rules, of what a seat is told or of how it is told shows as a readable difference. After a change that is
meant: ``pytest tests/test_playthroughs.py --regenerate``, and read the difference.
"""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import rulerun
from rulerun.faces.board import board
from rulerun.faces.screen import Screen
from rulerun.play.simulate import policy_stream
from rulerun.source.shipped import shipped_names

FOLDER = Path(__file__).parent / "playthroughs"
SEED = 7
WHOLE = 5
"""Positions that are shown as every seat sees them, from the start on; and so is the last one."""
LISTED = 60
"""Choices that are told with their options; after them the game is only played to its end."""
LABELS = 24
"""Options of a choice that are named."""
IN_PARTNERSHIP = {"cribbage": 4, "scopa": 4}
"""Games that are played by two sides where so many play: they have a second text."""
PLAYED = {name: (name, None) for name in shipped_names()} | {f"{n}-{p}": (n, p) for n, p in IN_PARTNERSHIP.items()}
"""By the name of its file, each ruleset with the number of players; None: the fewest."""


def playthrough(name: str, players: int | None = None) -> str:
    """The text of one game with random choices."""
    game = rulerun.load(name, players=players)
    state = game.new(SEED)
    stream = policy_stream(SEED)
    lines = [f"{game.name}, {game.players} players, seed {SEED}", ""]
    while not state.is_over:
        seat = state.seat
        assert seat is not None
        number = len(state)
        if number < WHOLE:
            lines += position(state)
        index = stream.below(len(state.options))
        if number < LISTED:
            labels = [option.label for option in state.options]
            more = f" | and {len(labels) - LABELS} more" if len(labels) > LABELS else ""
            lines += [f"{number + 1}. P{seat + 1} may: {' | '.join(labels[:LABELS])}{more}"]
            lines += [f"   P{seat + 1} takes: {labels[index]}  [{state.options[index].key}]"]
        elif number == LISTED:
            lines += ["", "and so on", ""]
        state.choose(index)
        if number < WHOLE:
            for reader in range(game.players):
                lines += [f"   P{reader + 1} reads: {text}" for text in state.story(reader, since=number + 1)]
            lines += [""]
    lines += ["", f"The end after {len(state)} choices", ""]
    lines += position(state)
    lines += [f"P{seat + 1}: {score}" for seat, score in enumerate(state.scores)]
    lines += ["won by " + " and ".join(f"P{seat + 1}" for seat in state.winners)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def position(state: rulerun.State) -> list[str]:
    """What each seat sees."""
    lines = []
    for seat in range(state.game.players):
        lines += [f"P{seat + 1} sees:"]
        lines += Screen(io.StringIO()).lines(board(state.view(seat)))
    return [*lines, ""]


LONG = ("rummy", "gin_rummy")
"""Whole matches of some thousand choices."""


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.long) if n in LONG else n for n in PLAYED])
def test_the_playthrough_is_as_it_was(name: str, regenerate: bool) -> None:
    path = FOLDER / f"{name}.txt"
    found = playthrough(*PLAYED[name])
    if regenerate:
        path.write_text(found, encoding="utf-8")
    assert path.is_file(), "new ruleset: pytest tests/test_playthroughs.py --regenerate"
    assert found == path.read_text(encoding="utf-8")


def test_no_playthrough_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(PLAYED)
