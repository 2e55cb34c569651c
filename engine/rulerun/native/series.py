"""A series of games on several threads. The result depends on the seed and the number of games alone.

Games are cut into parts by their numbers; machine code runs without the interpreter's lock, and sums are whole
numbers, so neither the cutting nor the number of threads shows.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from rulerun.native.machine import NativeMachine
from rulerun.native.sums import Sums

FIRST_PART, LARGEST_PART = 64, 16_384
"""Games of the first parts, and of the largest: parts grow, so that a slow game shows progress as well as a quick
one."""
PATIENCE = 0.1
"""Seconds between two looks at Ctrl-C and progress."""


def play_series(
    machine: NativeMachine,
    games: int,
    seed: int,
    *,
    jobs: int = 1,
    show: Callable[[int], None] | None = None,
) -> tuple[Sums, bool]:
    """Plays games 0 to ``games`` of the series of ``seed`` on ``jobs`` threads; the sums, and whether Ctrl-C cut it
    short (the sums are then over the games that were finished). ``show`` is told now and then how many are done."""
    player = machine.player
    player.stop[0] = 0
    done: dict[int, Sums] = {}
    interrupted = False
    at, part, played = 0, FIRST_PART, 0
    with ThreadPoolExecutor(jobs) as pool:
        running: dict[Future[Sums], int] = {}
        try:
            while at < games or running:
                while at < games and len(running) < jobs + 1:
                    many = min(part, games - at)
                    running[pool.submit(machine.playouts, at, many, seed)] = at
                    at += many
                    part = min(2 * part, LARGEST_PART)
                for future in wait(running, PATIENCE, FIRST_COMPLETED).done:
                    first = running.pop(future)
                    done[first] = future.result()
                    played += done[first].games + done[first].faulty
                if show is not None:
                    show(played)
        except KeyboardInterrupt:
            interrupted = True
            machine.stop()
            for future, first in running.items():
                if not future.cancel():
                    done[first] = future.result()
    player.stop[0] = 0  # every thread has ended: whoever plays a single game next is not to be stopped
    total = Sums.empty(machine.program.players)
    for first in sorted(done):
        total.merge(done[first])
    return total, interrupted
