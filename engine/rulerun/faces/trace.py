"""`--trace`: every step of a game with the rule line that it came from, its number in a gutter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.text import Text

if TYPE_CHECKING:
    from rulerun.game import Game
    from rulerun.run.machine import Machine

GUTTER = 5


def traced(game: Game, seed: int, taken: Sequence[int]) -> Iterator[Text]:
    """The game of that seed again, by the indices of the options taken: each choice, and below it the rule lines that
    followed. Ends where the rules break down."""
    from rulerun.facts.faults import RulesFault
    from rulerun.run.machine import Machine
    from rulerun.view.labels import unique_labels

    machine = Machine(game.program, knowledge=True, telling=True, trace=True)
    vector: list[int] = []
    shown: list[str] = [""]
    try:
        vector = machine.start(seed)
        yield from _lines(game, machine, shown)
        for index in taken:
            options = machine.options(vector)
            labels = unique_labels(machine, game.namer, vector, options)
            yield Text(f"P{machine.chooser(vector) + 1}: {labels[index]}", "bold")
            machine.take(vector, options[index])
            yield from _lines(game, machine, shown)
    except RulesFault:
        yield from _lines(game, machine, shown)


def _lines(game: Game, machine: Machine, shown: list[str]) -> Iterator[Text]:
    """The rule lines of the steps in the machine's log, which is emptied; a line that follows itself is told once,
    with how often. ``shown`` holds the file that was named last.
    """
    from rulerun.run.trace import Traced

    origins = [game.program.origins[entry.at] for entry in machine.log if isinstance(entry, Traced) and entry.at >= 0]
    machine.log.clear()
    for origin, repeats in groupby(origins, key=lambda o: (o.file, o.line, o.text)):
        file, line, text = origin
        if file != shown[0]:
            shown[0] = file
            yield Text(f"{' ' * GUTTER} ┌ {file}", "dim")
        count = len(list(repeats))
        told = Text.assemble((f"{line:>{GUTTER}} │ ", "dim"), text)
        if count > 1:
            told.append(f"  ({count} times)", "dim")
        yield told
