"""Both executors on every shipped ruleset, and Hearts beside hand-written C and OpenSpiel. One table and a JSON file.

    python benchmarks/executors.py [--rounds 5] [--slice 0.3] [--json FILE] [GAME ...]

Everything is interleaved: a round gives each contestant one slice of time, one after the other; the table shows the
median of the rounds and, behind it, the spread (smallest to largest). On a shared machine only ratios within one run
carry over. C and OpenSpiel take part where `cc` and `pyspiel` are at hand.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median

import rulerun
from rulerun.native.machine import NativeMachine
from rulerun.play.simulate import game_seed, play_out
from rulerun.run.machine import Machine
from rulerun.source.shipped import shipped_names

HERE = Path(__file__).parent


@dataclass
class Figure:
    """One contestant: games and decisions a second, a value a round."""

    game: str
    players: int
    who: str
    games: list[float] = field(default_factory=list)
    decisions: list[float] = field(default_factory=list)


Slice = Callable[[float, int], tuple[int, int, float]]
"""Plays for about so many seconds; the round's number. Gives games, decisions, seconds."""


def timed(play: Callable[[int, int], tuple[int, int]], first_guess: int = 1) -> Slice:
    """A slice from a function that plays ``count`` games from number ``first`` on; it doubles while small."""
    guess = first_guess

    def run(seconds: float, round_: int) -> tuple[int, int, float]:
        nonlocal guess
        games = decisions = 0
        start = time.perf_counter()
        while (used := time.perf_counter() - start) < seconds:
            more, made = play(round_ * 10_000_000 + games, guess)
            games += more
            decisions += made
            if used < seconds / 8 and time.perf_counter() - start < seconds / 4:
                guess *= 2
        return games, decisions, time.perf_counter() - start

    return run


def interpreter(game: rulerun.Game) -> Slice:
    machine = Machine(game.program)

    def play(first: int, count: int) -> tuple[int, int]:
        return count, sum(play_out(machine, game_seed(1, first + i)).decisions for i in range(count))

    return timed(play)


def native(game: rulerun.Game) -> Slice:
    machine = NativeMachine(game.program)

    def play(first: int, count: int) -> tuple[int, int]:
        sums = machine.playouts(first, count, 1)
        return sums.games, sums.decisions

    play(0, 1)
    return timed(play, 64)


def two_threads(game: rulerun.Game) -> Slice:
    machines = [NativeMachine(game.program) for _ in range(2)]
    for machine in machines:
        machine.playouts(0, 1, 1)

    def play(first: int, count: int) -> tuple[int, int]:
        half = max(1, count // 2)
        with ThreadPoolExecutor(2) as pool:
            jobs = [pool.submit(m.playouts, first + i * half, half, 1) for i, m in enumerate(machines)]
            sums = [job.result() for job in jobs]
        return sum(s.games for s in sums), sum(s.decisions for s in sums)

    return timed(play, 512)


def hand_written(folder: Path) -> Slice | None:
    program = folder / "hearts"
    try:
        subprocess.run(["cc", "-O2", "-o", str(program), str(HERE / "hearts.c")], check=True)
    except (OSError, subprocess.CalledProcessError):
        return None

    def run(seconds: float, round_: int) -> tuple[int, int, float]:
        games = int(300_000 * seconds)
        out = subprocess.run([str(program), str(games), str(round_)], check=True, capture_output=True, text=True)
        found = json.loads(out.stdout)
        return found["games"], found["decisions"], found["seconds"]

    return run


def openspiel() -> list[tuple[str, Slice]]:
    try:
        import pyspiel
    except ImportError:
        return []
    game = pyspiel.load_game("hearts(pass_cards=False)")
    bots = [pyspiel.make_uniform_random_bot(i, 17 + i) for i in range(4)]

    def with_bots(first: int, count: int) -> tuple[int, int]:
        for i in range(count):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, first + i)
        return count, 52 * count

    def from_python(first: int, count: int) -> tuple[int, int]:
        from random import Random

        random = Random(first)
        for _ in range(count):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(random.choice(state.legal_actions()))
        return count, 52 * count

    return [("OpenSpiel evaluate_bots", timed(with_bots, 8)), ("OpenSpiel from Python", timed(from_python, 2))]


def first_native_game(name: str) -> float:
    """Seconds of a whole fresh process from a ruleset's file to the first native game."""
    script = (
        "import sys, time; t = time.perf_counter(); import rulerun; from rulerun.native.machine import NativeMachine\n"
        "imported = time.perf_counter() - t\n"
        "NativeMachine(rulerun.load(sys.argv[1]).program).playouts(0, 1, 1)\n"
        "print(time.perf_counter() - t - imported)"
    )
    done = subprocess.run([sys.executable, "-c", script, name], check=True, capture_output=True, text=True)
    return float(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slice", type=float, default=0.3)
    parser.add_argument("--json", type=Path, default=HERE / "results.json")
    asked = parser.parse_args()

    names = asked.games or [*shipped_names(), str(HERE / "hearts.yaml")]
    entries: list[tuple[Figure, Slice]] = []
    sizes: dict[str, int] = {}
    starts: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            game = rulerun.load(name)
            if name.endswith("hearts.yaml"):
                game = rulerun.load(name, players=4)
            label = Path(name).stem if "/" not in name else f"{Path(name).stem} (one deal)"
            sizes[label] = 8 * game.program.layout.size
            starts[label] = min(first_native_game(name) for _ in range(3))
            entries.append((Figure(label, game.players, "native"), native(game)))
            entries.append((Figure(label, game.players, "interpreter"), interpreter(game)))
            if name.endswith("hearts.yaml"):
                entries.append((Figure(label, 4, "native, 2 threads"), two_threads(game)))
                if (c := hand_written(Path(folder))) is not None:
                    entries.append((Figure(label, 4, "C by hand, cc -O2"), c))
                entries += [(Figure(label, 4, who), run) for who, run in openspiel()]
        for round_ in range(asked.rounds):
            for figure, run in entries:
                games, decisions, seconds = run(asked.slice, round_)
                figure.games.append(games / seconds)
                figure.decisions.append(decisions / seconds)
    tell([figure for figure, _ in entries], sizes, starts)
    asked.json.write_text(
        json.dumps(
            {
                "schema_version": 1,
                "rounds": asked.rounds,
                "slice_seconds": asked.slice,
                "state_bytes": sizes,
                "seconds_to_first_native_game": starts,
                "figures": [asdict(figure) for figure, _ in entries],
            },
            indent=1,
        )
    )
    print(f"\nwritten to {asked.json}")


def tell(figures: list[Figure], sizes: dict[str, int], starts: dict[str, float]) -> None:
    print(
        f"{'game':22} {'who':24} {'games/s':>10} {'spread':>19} {'decisions/s':>12} "
        f"{'ratio':>7} {'state':>7} {'first':>6}"
    )
    base: dict[str, float] = {}
    for figure in figures:
        if figure.who == "native":
            base[figure.game] = median(figure.games)
    for figure in figures:
        games = median(figure.games)
        spread = f"{min(figure.games):,.0f}..{max(figure.games):,.0f}"
        first = figure.who == "native"
        ratio = "" if first else f"{base[figure.game] / games:6.2f}x"
        size = f"{sizes[figure.game]}" if first else ""
        start = f"{starts[figure.game]:.2f}" if first else ""
        name = f"{figure.game}, {figure.players}" if first else ""
        print(
            f"{name:22} {figure.who:24} {games:10,.0f} {spread:>19} {median(figure.decisions):12,.0f} "
            f"{ratio:>7} {size:>7} {start:>6}"
        )
    print("ratio: how many times as many games the native executor plays; state: bytes;")
    print("first: seconds from the file to the first native game, imports aside, best of three")


if __name__ == "__main__":
    main()
