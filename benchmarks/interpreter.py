"""How fast the reference interpreter plays, copies a state and checks a ruleset.

    python benchmarks/interpreter.py [--seconds 2] [--json FILE]

Random play, quiet: list the options, choose one, go on. Every measurement alternates with a fixed loop of plain Python
in the same second, and the best of each counts: on a shared machine only the ratio carries over. ``ratio`` is decisions
per thousand turns of that loop (one turn: a multiplication, an addition, a mask, an index into a list).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from random import Random

from rulerun import document
from rulerun.check import compile_ruleset
from rulerun.ir.program import Program
from rulerun.run.machine import Machine
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.shipped import find_shipped

GAMES = (("ouch", 2), ("ouch", 5), ("cactus", 2), ("cucumber", 4), ("cucumber", 6))
TARGET = ("cucumber", 4, 30_000)
"""Decisions a second that the interpreter owes."""
CHECK_TARGET = 0.4
COPY_TARGET = 20e-6


def program(name: str, players: int) -> Program:
    """A shipped game for so many players."""
    shipped = find_shipped(name)
    if shipped is None:
        raise SystemExit(f"no shipped ruleset {name}")
    found = Diagnostics()
    ruleset = document.read(shipped[0], folder=shipped[1], variants=(), settings={}, found=found)
    made = compile_ruleset(ruleset, players, found) if ruleset is not None else None
    if made is None:
        raise SystemExit(f"{name} does not compile")
    return made


def yardstick() -> float:
    """Turns a second of the fixed loop."""
    turns = 20_000
    words = list(range(256))
    x = 1
    start = time.perf_counter()
    for _ in range(turns):
        x = (x * 1_103_515_245 + 12_345) & 0x7FFFFFFF
        words[x & 255] = x
    return turns / (time.perf_counter() - start)


def play(machine: Machine, random: Random, games: int, seed: int) -> tuple[int, float]:
    """Plays games at random; decisions and seconds."""
    number = random.random

    def below(n: int) -> int:
        return int(number() * n)

    decisions = 0
    start = time.perf_counter()
    for game in range(games):
        v, options = machine.begin(seed + game)
        decisions += machine.playout(v, below, options)
    return decisions, time.perf_counter() - start


def measure(name: str, players: int, seconds: float) -> dict[str, float | str | int]:
    """Alternates slices of play with the yardstick for so many seconds."""
    start = time.perf_counter()
    made = program(name, players)
    compiled = time.perf_counter() - start
    start = time.perf_counter()
    machine = Machine(made)
    planned = time.perf_counter() - start
    random = Random(1)
    decisions, took = play(machine, random, 1, 0)
    games = max(1, int(0.05 * decisions / took / max(1, decisions)))
    rates, turns = [], []
    until = time.perf_counter() + seconds
    seed = 1
    while time.perf_counter() < until or len(rates) < 3:
        turns.append(yardstick())
        decisions, took = play(machine, random, games, seed)
        rates.append(decisions / took)
        seed += games
    v = machine.start(1)
    return {
        "game": name,
        "players": players,
        "decisions_per_second": round(max(rates)),
        "median": round(sorted(rates)[len(rates) // 2]),
        "yardstick": round(max(turns)),
        "ratio": round(1000 * max(rates) / max(turns), 1),
        "copy_microseconds": round(1e6 * copying(v.copy), 3),
        "words": len(v),
        "compile_seconds": round(compiled, 3),
        "plan_seconds": round(planned, 4),
    }


def copying(copy: Callable[[], list[int]]) -> float:
    """Seconds for one copy of a state, at best."""
    best = 1.0
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(1_000):
            copy()
        best = min(best, (time.perf_counter() - start) / 1_000)
    return best


def checking(rounds: int = 5) -> float:
    """Seconds that `rulerun check ouch` takes as a whole process, at best."""
    best = 60.0
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "rulerun.faces", "check", "ouch"], check=True, capture_output=True)
        best = min(best, time.perf_counter() - start)
    return best


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each game")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    parser.add_argument("--no-check", action="store_true", help="do not time `rulerun check ouch`")
    arguments = parser.parse_args()
    rows = [measure(name, players, arguments.seconds) for name, players in GAMES]
    print("game       players  decisions/s   median  ratio  copy us  words  plan s")
    for row in rows:
        print(
            f"{row['game']:<10}{row['players']:>8}{row['decisions_per_second']:>13,}{row['median']:>9,}"
            f"{row['ratio']:>7}{row['copy_microseconds']:>9}{row['words']:>7}{row['plan_seconds']:>8}"
        )
    result: dict[str, object] = {"python": sys.version.split()[0], "games": rows}
    if not arguments.no_check:
        result["check_seconds"] = round(checking(), 3)
        print(f"rulerun check ouch: {result['check_seconds']} s (wanted: {CHECK_TARGET})")
    name, players, wanted = TARGET
    reached = next(row["decisions_per_second"] for row in rows if (row["game"], row["players"]) == (name, players))
    print(f"{name} with {players}: {reached:,} decisions/s (wanted: {wanted:,})")
    print(json.dumps(result))
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
