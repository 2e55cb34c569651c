"""Machine code is kept in the user's cache and read from there, unless anything is wrong with it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("llvmlite")

import rulerun
from rulerun.native import compiler, kept, machine
from rulerun.native.machine import NativeMachine
from rulerun.source import cache
from rulerun.source.shipped import shipped_names


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "rulerun"
    monkeypatch.setenv(cache.VARIABLE, str(folder))
    return folder


def kuhn() -> rulerun.Game:
    return rulerun.load("kuhn")


def codes(place: Path) -> list[Path]:
    return sorted(path for path in place.iterdir() if path.name.startswith("code-"))


def never(*_: object, **__: object) -> bytes:
    pytest.fail("compiled although it was kept")


@pytest.mark.usefixtures("place")
def test_code_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = NativeMachine(kuhn().program)
    sums, v = first.playouts(0, 100, 1), first.start(3)
    monkeypatch.setattr(machine, "compile_text", never)
    monkeypatch.setattr(machine, "shared_parts", never)
    again = NativeMachine(kuhn().program)
    assert again.playouts(0, 100, 1) == sums
    assert again.start(3) == v
    assert again.options(v) == first.options(v)


def test_a_choice_from_a_list_finds_room_for_it_again(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Code that lists options writes into buffers, whose sizes are kept with it."""
    program = rulerun.load("cribbage").program
    sums = NativeMachine(program).playouts(0, 20, 1)
    assert codes(place)
    monkeypatch.setattr(machine, "compile_text", never)
    assert NativeMachine(program).playouts(0, 20, 1) == sums


def regions(whole: bytes) -> list[bytes]:
    """A file damaged in each of many places, cut at each, and grown."""
    places = range(0, len(whole), max(1, len(whole) // 40))
    flipped = [whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :] for at in places]
    return [*flipped, *(whole[:at] for at in places), whole + whole]


def test_damaged_code_is_made_anew(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = kuhn().program
    sums = NativeMachine(program).playouts(0, 50, 1)
    (file,) = codes(place)
    whole = file.read_bytes()
    made = compiler.compile_text("define i64 @nothing() { ret i64 0 }", thorough=False)
    calls = []

    def counted(text: str, thorough: bool) -> bytes:
        del text, thorough
        calls.append(1)
        return made

    with monkeypatch.context() as patched:  # only whether it would be compiled anew
        patched.setattr(machine, "compile_text", counted)
        patched.setattr(machine, "load_code", lambda *_: compiler.Code(None, 1))
        for wrong in regions(whole):
            file.write_bytes(wrong)
            _ = NativeMachine(program).player
    assert len(calls) == len(regions(whole))
    for wrong in regions(whole)[::20]:
        file.write_bytes(wrong)
        assert NativeMachine(program).playouts(0, 50, 1) == sums
        assert file.read_bytes() == whole


def test_other_rules_have_other_code_and_comments_have_not() -> None:
    text = (Path(rulerun.__file__).parents[2] / "rulesets/kuhn/kuhn.yaml").read_text(encoding="utf-8")

    def identity(changed: str) -> str:
        return kept.told_apart(rulerun.load(changed).program)

    assert identity(text) == identity("# a comment\n\n" + text)
    players = rulerun.load("ouch", players=3).program, rulerun.load("ouch", players=4).program
    assert kept.told_apart(players[0]) != kept.told_apart(players[1])


def name(monkeypatch: pytest.MonkeyPatch, change: Callable[[pytest.MonkeyPatch], None]) -> str:
    """What code is kept under after a change."""
    found: list[str] = []

    def note(under: str) -> bytes:
        found.append(under)
        return b"{}\n"

    with monkeypatch.context() as patched:
        change(patched)
        patched.setattr(cache, "read", note)
        kept.made_once(kuhn().program, "run", never)
    return found[0]


def test_another_engine_processor_or_llvm_has_other_code(monkeypatch: pytest.MonkeyPatch) -> None:
    changes: list[Callable[[pytest.MonkeyPatch], None]] = [
        lambda _: None,
        lambda patched: patched.setattr(kept, "sources", lambda: "other sources"),
        lambda patched: patched.setattr(compiler, "host", lambda: ("z80", "", False)),
        lambda patched: patched.setattr("llvmlite.__version__", "99"),
    ]
    names = [name(monkeypatch, change) for change in changes]
    assert len(set(names)) == len(names)
    assert names[0] == name(monkeypatch, changes[0])


IDENTITIES = """\
import sys, hashlib, rulerun
from rulerun.native.kept import told_apart, sources
for name in sys.argv[1:]:
    print(name, hashlib.sha256(told_apart(rulerun.load(name).program).encode()).hexdigest())
print(sources())
"""


def test_the_name_is_the_same_in_every_process() -> None:
    names = shipped_names()[::9]
    told = [
        subprocess.run(
            [sys.executable, "-c", IDENTITIES, *names],
            capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert told[0] == told[1]
    assert len(told[0].splitlines()) == len(names) + 1


def test_processes_that_start_at_once_get_the_same(place: Path) -> None:
    command = [sys.executable, "-m", "rulerun.faces", "sim", "kuhn", "-n", "50", "--seed", "1", "--json"]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ)) for _ in range(2)]
    told = [json.loads(process.communicate(timeout=120)[0]) for process in running]
    assert [process.returncode for process in running] == [0, 0]
    assert [report["executor"] for report in told] == ["native", "native"]
    assert told[0]["decisions"] == told[1]["decisions"] > 0
    assert told[0]["wins"] == told[1]["wins"]
    assert len(codes(place)) == 1
    assert not [path for path in place.iterdir() if path.suffix == ".part"]
