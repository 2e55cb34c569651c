"""Every diagnostic code has golden cases: a folder with a ruleset and the full text of all that is found in it.

``tests/cases/diagnostics/RR0203-unknown-zone/{ruleset.yaml,expected.txt}``. A file ``with.txt`` names variants, a
line each; ``set.txt`` holds ``k=v`` lines; ``players.txt`` a number. Further files in the folder are siblings of the
ruleset. ``pytest tests/test_diagnostics.py --regenerate`` rewrites the expected texts: read the diff.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulerun import document
from rulerun.source.codes import CODES
from rulerun.source.diagnostic import Diagnostics, UsageError
from rulerun.source.files import Folder, source_of
from rulerun.source.render import render

CASES = Path(__file__).parent / "cases" / "diagnostics"
FOLDERS = sorted(p for p in CASES.iterdir() if (p / "ruleset.yaml").is_file())


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []


def findings(folder: Path) -> str:
    """All that is found in the case, as the command line would tell it."""
    found = Diagnostics()
    try:
        source = source_of("ruleset.yaml", (folder / "ruleset.yaml").read_bytes())
    except UsageError as error:
        return f"usage error: {error}\n"
    settings = dict(line.split("=", 1) for line in lines(folder / "set.txt"))
    ruleset = document.read(
        source, folder=Folder(folder), variants=lines(folder / "with.txt"), settings=settings, found=found
    )
    assert (ruleset is None) == found.has_errors
    if ruleset is not None:
        from rulerun.check import compile_ruleset

        players = lines(folder / "players.txt")
        compile_ruleset(ruleset, int(players[0]) if players else ruleset.players[0], found)
    return render(found, "full").replace(f"{folder}/", "")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: p.name)
def test_golden(folder: Path, regenerate: bool) -> None:
    told = findings(folder)
    expected = folder / "expected.txt"
    if regenerate:
        expected.write_text(told, encoding="utf-8")
    assert told == expected.read_text(encoding="utf-8")
    code = folder.name.split("-", 1)[0]
    assert f"[{code}]" in told


def test_every_document_code_has_a_case() -> None:
    covered = {p.name.split("-", 1)[0] for p in FOLDERS}
    assert [code for code in CODES if code < "RR0200" and code not in covered] == []


def test_codes_are_registered() -> None:
    engine = Path(__file__).parent.parent / "engine" / "rulerun"
    used: set[str] = set()
    for path in engine.rglob("*.py"):
        used.update(re.findall(r"\"(RR\d{4})\"", path.read_text(encoding="utf-8")))
    assert sorted(used - set(CODES)) == []
