"""Writes `docs/games.md`: every shipped ruleset with its size, its figures, and who it was checked against.

    python benchmarks/games_table.py [--keep-speed] [--rounds 3] [--slice 0.1]

All columns but the speeds depend on the rulesets alone. Speeds are measured interleaved, both executors of all games
in turn, as in `benchmarks/executors.py`; ``--keep-speed`` takes them from the page as it is.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import rulerun
from rulerun.play.volume import play_many
from rulerun.source.shipped import shipped_names

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "games.md"
GAMES = 100
"""Games behind the figures; seed 1."""
OTHERS = {
    "test_trees.py": "OpenSpiel: whole tree",
    "test_lockstep": "OpenSpiel: lockstep",
    "test_figures.py": "CardStock: figures (test)",
}
"""What a file in `tests/openspiel` that names a ruleset compares it with."""

TEXT = """# The library

{count} rulesets come along (`rulerun list`). Half of them have {median:g} lines or less, the longest has {longest}. Each has
text tests, a page of prose with sources in its folder, and is tried by `rulerun check --deep` ([conformance.md](conformance.md)).
Some have another form in a file beside them, such as `rulesets/skat/pub.yaml`; `rulerun list` names these, too.

This page is made by `python benchmarks/games_table.py`.

{table}

- **lines**: of the ruleset, neither blank nor comment; card tables in CSV files are not counted.
- **decisions**, **options**: decisions a game, and options a decision, of {games} games under random play (seed 1) of as many
  players as *figures for* says, by the ruleset as it comes: mostly a whole match of several deals.
- **interpreter**, **native**: decisions a second under random play on one core, measured interleaved. They are of one machine
  ({where}) at one time: only their ratios say something.
- **checked against**: *whole tree*: every node, result and information state of the other engine's tree; *lockstep*:
  seeded games of the other engine, decision by decision: the same seat, the same options, the same result; *figures*: decisions
  and options under random play. The ruleset's own page says which house rules were set to compare them, and what
  differs. All have text tests, property tests and recorded playthroughs.
"""  # noqa: E501 - a page of prose


@dataclass(frozen=True)
class Row:
    """A line of the table without its speeds."""

    name: str
    game: str
    lines: int
    players: str
    figures_for: int
    decisions: str
    branching: str
    checked: str


def text_lines(name: str) -> int:
    """Lines of a ruleset that are neither blank nor a comment (card tables in CSV files are not counted)."""
    text = (ROOT / "rulesets" / name / f"{name}.yaml").read_text(encoding="utf-8")
    return sum(bool(line.strip()) and not line.strip().startswith("#") for line in text.splitlines())


def checked_against(name: str) -> str:
    """By whom: from the tests that name the ruleset, and from its page."""
    found = []
    for prefix, what in OTHERS.items():
        texts = [p.read_text(encoding="utf-8") for p in sorted((ROOT / "tests" / "openspiel").glob(f"{prefix}*"))]
        if any(re.search(rf'"{name}"|{name}_of_openspiel', text) for text in texts):
            found.append(what)
    page = ROOT / "rulesets" / name / f"{name}.md"
    section = page.read_text(encoding="utf-8").partition("## Checked against")[2] if page.exists() else ""
    if not any("CardStock" in what for what in found) and re.search("CardStock's|CardStock:|Valet's", section):
        known = "No other engine's figures" not in section
        found += ["CardStock: figures"] if known else []
    return "; ".join(found) or "text tests"


def settled(name: str) -> Row:
    """The line of a ruleset without its figures."""
    game = rulerun.load(name)
    fewest, most = game.player_range
    span = f"{fewest}" if fewest == most else f"{fewest}-{most}"
    return Row(name, game.name, text_lines(name), span, game.players, "", "", checked_against(name))


def figures(name: str) -> tuple[str, str]:
    """Decisions a game and options a decision under random play, for the fewest players, with a faulty game told."""
    tally = play_many(rulerun.load(name).program, GAMES, 1).tally
    if tally.faults:
        return f"{tally.faults} faults", "-"
    return f"{tally.decisions / GAMES:,.1f}", f"{tally.options / tally.decisions:.2f}"


def speeds(names: list[str], rounds: int, seconds: float) -> dict[str, tuple[str, str]]:
    """Decisions a second, interpreter and native: medians of interleaved rounds."""
    sys.path.insert(0, str(Path(__file__).parent))
    from executors import interpreter, native

    runs = {name: (interpreter(rulerun.load(name)), native(rulerun.load(name))) for name in names}
    found: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in names}
    for round_ in range(rounds):
        for name in names:
            for run, rates in zip(runs[name], found[name], strict=True):
                _, decisions, used = run(seconds, round_)
                rates.append(decisions / used)
    return {name: (_rounded(median(a)), _rounded(median(b))) for name, (a, b) in found.items()}


def _rounded(rate: float) -> str:
    return f"{rate / 1e6:.1f}M" if rate >= 1e6 else f"{rate / 1e3:.0f}k"


def read_table(text: str) -> dict[str, list[str]]:
    """The cells of each line of a page's table, by ruleset."""
    lines = [line for line in text.splitlines() if line.startswith("| `")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0].strip("`"): row for row in rows}


def machine() -> str:
    """What the speeds were measured on."""
    return f"{platform.machine()}, {os.cpu_count()} cores, shared, Python {platform.python_version()}"


def cells(row: Row, speed: tuple[str, str]) -> list[str]:
    """A line of the table."""
    return [
        f"`{row.name}`", row.game, str(row.lines), row.players, str(row.figures_for), row.decisions, row.branching,
        *speed, row.checked,
    ]  # fmt: skip


def page(rows: list[list[str]], where: str) -> str:
    """The whole page."""
    counts = sorted(int(row[2]) for row in rows)
    head = ["ruleset", "game", "lines", "players", "figures for", "decisions", "options", "interpreter", "native"]
    head.append("checked against")
    table = ["| " + " | ".join(head) + " |", "|" + "---|" * 2 + "--:|" * 7 + "---|"]
    table += ["| " + " | ".join(row) + " |" for row in rows]
    return TEXT.format(
        count=len(rows), median=median(counts), longest=counts[-1], table="\n".join(table), games=GAMES, where=where
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep-speed", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--slice", type=float, default=0.1)
    asked = parser.parse_args()
    names = list(shipped_names())
    old = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    if asked.keep_speed:
        known = read_table(old)
        rates = {name: (known[name][7], known[name][8]) if name in known else ("-", "-") for name in names}
        found = re.search(r"one machine\n  \((.*)\) at", old)
        where = found[1] if found else machine()
    else:
        rates, where = speeds(names, asked.rounds, asked.slice), machine()
    rows = []
    for name in names:
        row = settled(name)
        decisions, branching = figures(name)
        rows.append(cells(Row(**{**vars(row), "decisions": decisions, "branching": branching}), rates[name]))
    PAGE.write_text(page(rows, where), encoding="utf-8")
    print(PAGE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
