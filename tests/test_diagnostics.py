"""Every diagnostic code has golden cases: a folder with a ruleset and the full text of all that is found in it.

``tests/cases/diagnostics/RR0203-unknown-zone/{ruleset.yaml,expected.txt}``. A file ``with.txt`` names variants, a
line each; ``set.txt`` holds ``k=v`` lines; ``players.txt`` a number. Further files in the folder are siblings of the
ruleset. A case of RR06xx is played: each seat takes the options in turn, and what stops the game is told. A case of
RR07xx holds a file of tests. ``pytest tests/test_diagnostics.py --regenerate`` rewrites the expected texts: read the
diff.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulerun import document
from rulerun.check import check_ruleset, compile_ruleset
from rulerun.document.yaml import read_yaml
from rulerun.faces.explain import page
from rulerun.faces.faults import fault_text
from rulerun.facts.faults import RulesFault
from rulerun.game import Game, load
from rulerun.play.scenario_form import read_scenarios
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
    if (folder / "ruleset.test.yaml").is_file():
        tests = source_of("ruleset.test.yaml", (folder / "ruleset.test.yaml").read_bytes())
        read_scenarios(read_yaml(tests, found), found)
    elif folder.name.startswith("RR06"):
        return played(load(source))
    elif folder.name.startswith("RR0341"):
        assert ruleset is not None
        check_ruleset(ruleset, found)  # tells of what is never used, which a single program cannot
    elif ruleset is not None:
        players = lines(folder / "players.txt")
        compile_ruleset(ruleset, int(players[0]) if players else ruleset.players[0], found)
    return render(found, "full").replace(f"{folder}/", "")


def played(game: Game) -> str:
    """The fault that a game runs into whose players take the first option, the second, the third and so on."""
    indices: list[int] = []

    def play() -> None:
        state = game.new(1)
        while not state.is_over:
            indices.append(len(indices) % len(state.options))
            state.choose(indices[-1])

    with pytest.raises(RulesFault) as caught:
        play()
    assert caught.value.seed == 1
    assert caught.value.choices == tuple(indices)
    return fault_text(caught.value) + "\n"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: p.name)
def test_golden(folder: Path, regenerate: bool) -> None:
    told = findings(folder)
    expected = folder / "expected.txt"
    if regenerate:
        expected.write_text(told, encoding="utf-8")
    assert told == expected.read_text(encoding="utf-8")
    code = folder.name.split("-", 1)[0]
    assert f"[{code}]" in told


NEVER_SEEN = {"RR0605", "RR0613"}
"""Nets beneath what the checks find: no ruleset is known that falls into them."""


def test_every_code_has_a_case() -> None:
    covered = {p.name.split("-", 1)[0] for p in FOLDERS}
    assert [code for code in sorted(CODES) if code not in covered | NEVER_SEEN] == []


def test_every_case_is_of_a_registered_code() -> None:
    assert [p.name for p in FOLDERS if p.name.split("-", 1)[0] not in CODES] == []


def test_codes_are_registered() -> None:
    engine = Path(__file__).parent.parent / "engine" / "rulerun"
    used: set[str] = set()
    for path in engine.rglob("*.py"):
        used.update(re.findall(r"\"(RR\d{4})\"", path.read_text(encoding="utf-8")))
    assert sorted(used - set(CODES)) == []


def test_the_page_of_all_codes_is_what_is_registered(regenerate: bool) -> None:
    file = Path(__file__).parent.parent / "docs" / "diagnostics.md"
    if regenerate:
        file.write_text(page(), encoding="utf-8")
    assert page() == file.read_text(encoding="utf-8")
