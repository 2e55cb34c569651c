"""Many games summed up by whichever executor is at hand: machine code where llvmlite is installed, else the
interpreter.

Both give the same sums, and those are exact: every figure made of them is the same, too. Each game is that of
`play.simulate`, so `rulerun run --seed` tells any of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rulerun.ir.program import Program
from rulerun.play.highlights import Highlight, Highlights
from rulerun.play.simulate import Faulted, Played, game_seed, play_out, simulate
from rulerun.play.statistics import Running, Tally
from rulerun.run.machine import Machine

if TYPE_CHECKING:
    from rulerun.native.machine import NativeMachine
    from rulerun.native.sums import Sums

FAULTS_KEPT = 5


class ExecutorError(Exception):
    """The executor that was asked for cannot be had; the text says why."""


@dataclass
class Volume:
    """What a series of games came to."""

    tally: Tally
    executor: str
    """"native" or "interpreter"."""
    seconds: float = 0.0
    """What playing took, the executor once ready."""
    ready_seconds: float = 0.0
    """What making it ready took."""
    why: str = ""
    """Why not the native one, where it was not asked for in so many words."""
    native_failed: bool = False
    """Whether it should have run and could not, by a fault of ours or of LLVM's library: that is told."""
    faults: list[Faulted] = field(default_factory=list)
    """The first faulty games."""
    highlights: list[Highlight] = field(default_factory=list)
    interrupted: bool = False
    """Ctrl-C cut it short; the sums are over the games that were finished."""


def play_many(
    program: Program,
    games: int,
    seed: int,
    *,
    executor: str = "auto",
    jobs: int = 1,
    show: Callable[[int], None] | None = None,
) -> Volume:
    """Plays ``games`` games by random choices. ``jobs``: threads of the native executor; the result does not depend on
    it. ``show`` is told now and then how many games are done. ExecutorError if ``native`` was asked for in vain."""
    why, failed = "", False
    if executor != "interpreter":
        from rulerun.native import MachineCodeError, NoCompilerError, UnsupportedError, ask_compiler

        try:
            ask_compiler()
            return _natively(program, games, seed, jobs, show)
        except NoCompilerError as error:
            why, failed = str(error), error.broken
        except UnsupportedError as error:
            why = f"the native executor cannot play this ruleset: {error}"
        except MachineCodeError as error:
            why = f"the native executor fails on this ruleset: {error}"
            failed = True
        if executor == "native":
            raise ExecutorError(why)
    volume = _interpreted(program, games, seed, show)
    volume.why, volume.native_failed = why, failed
    return volume


def _interpreted(program: Program, games: int, seed: int, show: Callable[[int], None] | None) -> Volume:
    volume = Volume(Tally(program.players), "interpreter")
    highlights = Highlights()
    began = time.perf_counter()
    series = simulate(program, games, seed)
    ready = time.perf_counter()
    try:
        for number, played in enumerate(series, 1):
            if isinstance(played, Played):
                volume.tally.add(
                    played.scores, played.winners, played.decisions, played.options, limited=played.limited
                )
            else:
                volume.tally.faults += 1
                if len(volume.faults) < FAULTS_KEPT:
                    volume.faults.append(played)
            highlights.add(played)
            if show is not None:
                show(number)
    except KeyboardInterrupt:
        volume.interrupted = True
    volume.ready_seconds, volume.seconds = ready - began, time.perf_counter() - ready
    volume.highlights = highlights.games()
    return volume


def _natively(program: Program, games: int, seed: int, jobs: int, show: Callable[[int], None] | None) -> Volume:
    from rulerun.native.machine import NativeMachine
    from rulerun.native.series import play_series

    began = time.perf_counter()
    machine = NativeMachine(program)
    machine.compile()
    ready = time.perf_counter()
    sums, interrupted = play_series(machine, games, seed, jobs=jobs, show=show)
    volume = Volume(tally_of(sums), "native", interrupted=interrupted)
    volume.ready_seconds, volume.seconds = ready - began, time.perf_counter() - ready
    # A fault is told by the interpreter, which plays those few games again.
    reference = Machine(program)
    for number, *_ in sums.faults[:FAULTS_KEPT]:
        played = play_out(reference, game_seed(seed, number))
        if isinstance(played, Faulted):
            volume.faults.append(played)
    volume.highlights = _highlights(sums, volume.faults, machine, seed)
    return volume


def _highlights(sums: Sums, faults: list[Faulted], machine: NativeMachine, seed: int) -> list[Highlight]:
    shortest, longest = sums.decision_range
    found = []
    if sums.games:
        found.append(Highlight("longest", game_seed(seed, sums.longest_game), longest))
        if shortest != longest:
            found.append(Highlight("shortest", game_seed(seed, sums.shortest_game), shortest))
    if faults:
        found.append(Highlight("fault", faults[0].seed, faults[0].decisions))
    if sums.first_tie >= 0:
        tie = machine.playouts(sums.first_tie, 1, seed)
        found.append(Highlight("tie", game_seed(seed, sums.first_tie), tie.decisions))
    return found


def tally_of(sums: Sums) -> Tally:
    """Native sums as a tally."""
    tally = Tally(sums.players)
    tally.games, tally.faults = sums.games, sums.faulty
    tally.decisions, tally.options, tally.limited = sums.decisions, sums.options, sums.limited
    if not sums.games:
        return tally
    for seat in range(sums.players):
        tally.shared[seat] = list(sums.wins(seat))
        tally.scores[seat] = _running(
            sums.games, sums.score_sum(seat), sums.score_squares(seat), sums.score_range(seat)
        )
    tally.length = _running(sums.games, sums.decisions, sums.decision_squares, sums.decision_range)
    return tally


def _running(count: int, total: int, squares: int, span: tuple[int, int]) -> Running:
    return Running(count, total, squares, span[0], span[1])
