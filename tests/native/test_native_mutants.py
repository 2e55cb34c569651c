"""Mutilated rulesets crash nothing and tell the executors not apart. ``RULERUN_MUTANTS=2000`` tries so many (some two
in five are valid rulesets)."""

from __future__ import annotations

import os
import re
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
    played, begun = re.fullmatch(r"(\d+) of (\d+) played", done.stdout.splitlines()[-1]).groups()
    assert int(begun) >= 0.2 * count, "some two in five are valid rulesets"
    assert int(played) >= 0.9 * int(begun), "hardly any is left to the interpreter"
