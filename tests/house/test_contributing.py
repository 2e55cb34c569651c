"""What CONTRIBUTING.md and CHANGELOG.md name is there: paths, commands, options, versions. And CI hides no tests."""

from __future__ import annotations

import os
import re
import tomllib
from importlib.util import find_spec

import click
import pytest

import rulerun
from long_tests import LONG, TESTS
from rulerun.faces import cli

ROOT = TESTS.parent
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CHANGES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
SAID = re.findall(r"`([^`\n]+(?:\n +[^`\n]+)?)`", PAGE) + re.findall(r"^    (\S[^#\n]*)", PAGE, re.MULTILINE)
"""What stands in backticks, and the lines of commands."""
EXAMPLE = "kuhn"
"""Stands for NAME."""


def commands(tool: str) -> list[list[str]]:
    """The arguments of each command of the page that begins with ``tool``, settings of the environment left out."""
    words = [[word for word in said.split() if not re.match(r"RULERUN_\w+=", word)] for said in SAID]
    return [rest for first, *rest in filter(None, words) if first.removeprefix(".venv/bin/") == tool]


def test_paths_exist() -> None:
    words = [word.replace("NAME", EXAMPLE) for said in SAID for word in said.split()]
    links = re.findall(r"\]\(([\w/.]+)\)", PAGE + CHANGES)
    paths = [w for w in words if re.fullmatch(r"[\w.-]*(/[\w.-]*)+|\w+\.(md|toml|py)", w) and not w.startswith(".venv")]
    made = [path for path in paths + links if not (ROOT / path).exists()]
    assert made == [f"{EXAMPLE}.md"], "which lies in the folder of its ruleset"
    assert len(paths) > 20
    assert len(links) > 5


def test_the_files_that_a_word_touches_exist() -> None:
    rows = re.findall(r"^\| `([\w/]+/)` \|(.+)\|$", PAGE, re.MULTILINE)
    assert len(rows) == 11
    for folder, cells in rows:
        found = {path.stem for path in (ROOT / folder).iterdir()} | {path.name for path in (ROOT / folder).iterdir()}
        assert set(re.findall(r"`([^`]+)`", cells)) <= found, folder


def test_targets_of_make_exist_and_the_makefile_tells_them() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    named = {word for arguments in commands("make") for word in arguments if "=" not in word}
    assert {"run", "quick", "test", "bench", "clean"} <= named <= targets
    assert set(re.findall(r"^# make (\w+) ", makefile, re.MULTILINE)) == targets - {"lint"}


def test_commands_and_their_options_exist() -> None:
    found = commands("rulerun")
    assert len(found) > 4
    for name, *arguments in filter(None, found):
        command = cli.commands.get_command(None, name if name in cli.COMMANDS else "run")  # type: ignore[arg-type]
        assert isinstance(command, click.Command)
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in arguments if word.startswith("-")} <= known, name


def test_pytest_takes_what_is_told(pytestconfig: pytest.Config) -> None:
    for arguments in commands("pytest"):
        pytestconfig._parser.parse_known_args(arguments)
        assert {word for word in arguments if word.startswith("--")} <= {"--regenerate"}
    assert "long" in re.findall(r'-m "not (\w+)"', PAGE)
    assert any(line.startswith("long:") for line in pytestconfig.getini("markers"))
    for name in re.findall(r"RULERUN_\w+", PAGE):
        assert any(f'"{name}"' in path.read_text(encoding="utf-8") for path in TESTS.rglob("*.py")), name


def test_long_tests_are_where_they_are_told_to_be() -> None:
    assert [place for place in LONG if not (TESTS / place).exists()] == []


def test_one_version_everywhere() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert version == rulerun.__version__
    first = re.search(r"^## \[([^\]]+)\]", CHANGES, re.MULTILINE)
    assert first is not None
    assert first[1] in (version, "Unreleased")


@pytest.mark.skipif("RULERUN_CI" not in os.environ, reason="elsewhere they may be left out: their tests are, then")
@pytest.mark.parametrize("library", ["llvmlite", "pyspiel"])
def test_in_ci_no_tests_are_left_out_for_want_of(library: str) -> None:
    assert find_spec(library) is not None
