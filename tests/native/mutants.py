"""Shipped rulesets with something changed at random, played in both executors. A script, so that a crash is seen from
outside: ``python mutants.py FIRST COUNT`` prints a line per mutant and ends with code 0 if both executors agree on all.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from random import Random
from shutil import copytree, ignore_patterns

for folder in (".", "..", "../run", "../properties"):
    sys.path.insert(0, str((Path(__file__).parent / folder).resolve()))

from executors_agree import Pair  # noqa: E402

import rulerun  # noqa: E402
from rulerun.ir.program import Program  # noqa: E402
from rulerun.native import UnsupportedError  # noqa: E402

MOST_DECISIONS = 120
WORDS = (
    ("and", "or"), ("<", "<="), (">", ">="), ("==", "!="), ("<", ">"), ("+", "-"), ("+", "*"), ("-", "//"), ("*", "%"),
    ("*", "**"),
    ("top of", "bottom of"), ("min(", "max("), ("some(", "every("), ("count(", "sum("), ("best", "first"),
    ("next(", "previous("), ("everyone", "nobody"), ("owner", "everyone"), ("kind: pile", "kind: row"),
    ("kind: hand", "kind: row"), ("kind: row", "kind: pile"), ("after", "starting with"), ("highest", "lowest"),
    ("true", "false"), ("collect", "move"), ("shuffle", "# shuffle"), ("chooses", "may choose"), ("0", "1"),
)  # fmt: skip


def mutate(text: str, r: Random) -> str:
    """The text with one to three small changes."""
    for _ in range(r.randint(1, 3)):
        way = r.randrange(5)
        lines = text.split("\n")
        if way == 0:
            numbers = list(re.finditer(r"\b\d+\b", text))
            if numbers:
                one = r.choice(numbers)
                new = r.choice([0, 1, 2, 3, 5, 7, 11, 40, 1000, 2**31 - 1])
                text = f"{text[: one.start()]}{new}{text[one.end() :]}"
        elif way == 1:
            here = r.randrange(len(lines))
            del lines[here]
            text = "\n".join(lines)
        elif way == 2:
            here = r.randrange(len(lines) - 1)
            lines[here], lines[here + 1] = lines[here + 1], lines[here]
            text = "\n".join(lines)
        else:
            old, new_word = r.choice(WORDS)
            if r.random() < 0.5:
                old, new_word = new_word, old
            places = [found.start() for found in re.finditer(re.escape(old), text)]
            if places:
                at = r.choice(places)
                text = text[:at] + new_word + text[at + len(old) :]
    return text


def valid(number: int, folder: Path) -> Iterator[tuple[str, Program]]:
    """Mutant ``number`` if it is a valid ruleset, else nothing."""
    r = Random(number)
    name = r.choice(sorted(path.name for path in folder.iterdir() if (path / f"{path.name}.yaml").exists()))
    source = folder / name / f"{name}.yaml"
    original = source.read_text(encoding="utf-8")
    try:
        source.write_text(mutate(original, r), encoding="utf-8")
        game = rulerun.load(str(source))
    except rulerun.RulesetError:
        return
    finally:
        source.write_text(original, encoding="utf-8")
    yield name, replace(game.program, decision_limit=min(game.program.decision_limit, MOST_DECISIONS))


def try_mutant(name: str, number: int, program: Program) -> bool:
    """Plays it in both; AssertionError where they differ. False if it is left to the interpreter."""
    pair = Pair(program)
    random = Random(number)
    try:
        decisions = sum(pair.play(random.randrange(2**32), random, 60) for _ in range(2))
        pair.compare_playouts(0, 5, number)
    except UnsupportedError as error:
        print(number, name, "left to the interpreter:", error, flush=True)
        return False
    print(number, name, decisions, flush=True)
    return True


def main() -> int:
    """Tries mutants; 1 if any of them tells the executors apart. The last line says how many were played."""
    first, count = int(sys.argv[1]), int(sys.argv[2])
    bad = played = begun = 0
    with tempfile.TemporaryDirectory() as where:
        folder = Path(where) / "rulesets"
        copytree(str(files("rulerun.rulesets")), folder, ignore=ignore_patterns("__pycache__"))
        for number in range(first, first + count):
            for name, program in valid(number, folder):
                print(number, name, "begins", flush=True)
                begun += 1
                try:
                    played += try_mutant(name, number, program)
                except AssertionError as error:
                    bad += 1
                    print(number, name, "DIFFERS", str(error)[:2000], flush=True)
    print(f"{played} of {begun} played", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
