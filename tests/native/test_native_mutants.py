"""Mutilated rulesets crash nothing and tell the executors not apart. ``RULERUN_MUTANTS=2000`` tries so many (some two
in five are valid rulesets)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("llvmlite")

MUTANTS = int(os.environ.get("RULERUN_MUTANTS", "8"))
BATCH = 50
SCRIPT = Path(__file__).parent / "mutants.py"


@pytest.mark.parametrize("first", range(0, MUTANTS, BATCH))
def test_mutants_run_natively_as_they_do_in_the_reference(first: int) -> None:
    count = min(BATCH, MUTANTS - first)
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(first), str(count)],
        capture_output=True, text=True, timeout=60 + 30 * count, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"code {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    begun, left = done.stdout.count(" begins"), done.stdout.count("left to the interpreter")
    assert begun > 0
    assert 5 * left <= begun, "most of them are to be played by both"
