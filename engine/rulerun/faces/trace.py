"""`--trace`: every step of a game with the rule line that it came from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rulerun.faces.colour import Paint

if TYPE_CHECKING:
    from rulerun.game import Game
    from rulerun.run.machine import Machine


def traced(game: Game, seed: int, taken: Sequence[int], paint: Paint) -> Iterator[str]:
    """The game of that seed again, by the indices of the options taken: each choice, and below it the rule lines that
    followed. Ends where the rules break down."""
    from rulerun.run.faults import RulesFault
    from rulerun.run.machine import Machine
    from rulerun.view.labels import unique_labels

    machine = Machine(game.program, knowledge=True, telling=True, trace=True)
    vector: list[int] = []
    try:
        vector = machine.start(seed)
        yield from _lines(game, machine, paint)
        for index in taken:
            options = machine.options(vector)
            labels = unique_labels(machine, game.namer, vector, options)
            yield paint.strong(f"P{machine.chooser(vector) + 1}: {labels[index]}")
            machine.take(vector, options[index])
            yield from _lines(game, machine, paint)
    except RulesFault:
        yield from _lines(game, machine, paint)


def _lines(game: Game, machine: Machine, paint: Paint) -> Iterator[str]:
    """The rule lines of the steps in the machine's log, which is emptied; a line that follows itself is told once,
    with how often.
    """
    from rulerun.run.trace import Traced

    origins = [game.program.origins[entry.at] for entry in machine.log if isinstance(entry, Traced) and entry.at >= 0]
    machine.log.clear()
    for origin, repeats in groupby(origins, key=lambda o: (o.file, o.line, o.text)):
        file, line, text = origin
        count = len(list(repeats))
        times = f"  ({count} times)" if count > 1 else ""
        yield f"  {paint.faint(f'{file}:{line}')}  {text}{paint.faint(times)}"
