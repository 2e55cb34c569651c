"""`rulerun sim` cut short by a real Ctrl-C: what it prints is about the games that were finished, and right."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.usefixtures("shared_cache")

LONGEST_WAIT = 40.0
"""Seconds: on a busy machine a process takes long to begin."""


AS_MANY_AS_SOMEBODY_WISHES = """\
    for p in players:
      p chooses n from 1..hand_size as "play {n} tricks at least"
      wish = max(wish, n)
    repeat wish times:
"""


def interrupted(*words: str) -> tuple[str, str]:
    """stdout and stderr of a simulation that is interrupted once it plays. Tries again, later, if it was too early."""
    wait = 1.5
    while wait < LONGEST_WAIT:
        process = subprocess.Popen(
            [sys.executable, "-m", "rulerun", "sim", "high.yaml", "-n", "100000000", "--seed", "3", *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"NO_COLOR": "1"},
        )  # fmt: skip
        try:
            time.sleep(wait)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=LONGEST_WAIT)
        finally:
            process.kill()
            process.wait()
        assert process.returncode in (130, -signal.SIGINT), err
        if out:
            assert process.returncode == 130
            assert "Traceback" not in err
            return out, err
        wait *= 2
    raise AssertionError("the simulation never began to play")


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
@pytest.mark.parametrize("executor", ["native", "interpreter"])
def test_what_an_interrupted_simulation_names_can_be_played(rulerun: Any, executor: str) -> None:
    if executor == "native":
        pytest.importorskip("llvmlite")
    text = Path("high.yaml").read_text().replace("    repeat hand_size times:\n", AS_MANY_AS_SOMEBODY_WISHES)
    text = text.replace("  leader: Player\n", "  leader: Player\n  wish: int\n")
    Path("high.yaml").write_text(text)
    out, err = interrupted("--executor", executor, "--json")
    report = json.loads(out)
    assert 0 < report["games"] < 100_000_000
    assert f"interrupted after {report['games']} of 100000000 games" in err
    found = {entry["what"]: entry for entry in report["notable"]}
    assert set(found) == {"longest", "shortest", "tie"}
    for entry in found.values():
        game = json.loads(rulerun("run", "high.yaml", "--seed", str(entry["seed"]), "--json").out)
        assert game["decisions"] == entry["decisions"] > 0
        assert (len(game["winners"]) > 1) >= (entry["what"] == "tie")
