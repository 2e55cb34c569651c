"""`rulerun test`: runs the tests that stand beside rulesets, a line a test, and shows the first thing that differs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from rulerun.faces.loading import STDIN, json_option, lazily, locate, print_json
from rulerun.source.diagnostic import Diagnostics, RulesetError, UsageError
from rulerun.source.paths import files_below, is_file, is_folder

if TYPE_CHECKING:
    from rulerun.game import Game
    from rulerun.play.scenario_form import ScenarioFile
    from rulerun.play.scenarios import Loader, Verdict

SCHEMA_VERSION = 1
ENDING = ".test.yaml"


@dataclass(frozen=True, slots=True)
class Ran:
    """The tests of one file."""

    file: str
    verdicts: tuple[Verdict, ...]


@click.command()
@click.argument("files", metavar="FILES...", nargs=-1, required=True, shell_complete=lazily("complete_ruleset"))
@click.option("-k", "only", metavar="TEXT", help="Only tests with TEXT in their name.")
@json_option
def test(files: tuple[str, ...], only: str | None, as_json: bool) -> int:
    """Run the tests that stand beside rulesets.

    Each FILE is a test file (NAME.test.yaml), a ruleset (its tests are found beside it), the name of a ruleset that
    comes along, or a folder. Exit code 1 if a test fails.
    """
    paths = [path for file in files for path in test_files(file)]
    ran: list[Ran] = []
    for path in dict.fromkeys(paths):
        result = run_file(path, only)
        ran.append(result)
        if not as_json:
            for line in lines_of(result, several=len(paths) > 1):
                click.echo(line)
    passed = sum(v.passed for r in ran for v in r.verdicts)
    failed = sum(not v.passed for r in ran for v in r.verdicts)
    if as_json:
        print_json(document(ran, passed, failed))
    else:
        if ran:
            click.echo()
        words = click.style(f"{failed} failed, ", fg="red", bold=True) if failed else ""
        click.echo(f"{words}{click.style(f'{passed} passed', fg='green') if passed else '0 passed'}")
    if not passed and not failed:
        reason = f"no test has '{only}' in its name" if only is not None else "there is no test in these files"
        raise UsageError(reason)
    return 1 if failed else 0


def test_files(file: str) -> list[str]:
    """The test files that FILE means. UsageError if there are none."""
    if file == STDIN:
        raise UsageError("tests are read from files (they name the ruleset beside them), not from standard input")
    if is_folder(file) and (os.sep in file or not _is_shipped(file)):
        found = list(files_below(file, ENDING))
        if not found:
            raise UsageError(f"there is no test file (NAME{ENDING}) in the folder {file}")
        return found
    if file.endswith(ENDING):
        return [locate(file)]
    name = locate(file)
    path = _shipped_path(name) if not is_file(name) else name
    beside = f"{path.removesuffix('.yaml').removesuffix('.yml')}{ENDING}"
    if not is_file(beside):
        raise UsageError(f"there are no tests beside {file}: no file {beside}")
    return [beside]


def _is_shipped(name: str) -> bool:
    from rulerun.source.shipped import find_shipped

    return find_shipped(name) is not None


def _shipped_path(name: str) -> str:
    """The ruleset file of a shipped ruleset; it lies in its folder under its own name."""
    from rulerun.source.shipped import find_shipped

    shipped = find_shipped(name)
    assert shipped is not None
    assert shipped[1].path is not None
    return str(shipped[1].path / shipped[0].name)


def run_file(path: str, only: str | None) -> Ran:
    """Run the tests of one file. RulesetError if the file itself has a wrong form."""
    from rulerun.play.scenarios import Rehearsals

    form = read_file(path)
    rehearsals = Rehearsals(_loader(path, form))
    chosen = [s for s in form.scenarios if only is None or only.casefold() in s.name.casefold()]
    return Ran(path, tuple(rehearsals.run(s) for s in chosen))


def read_file(path: str) -> ScenarioFile:
    """The tests of a file, read. RulesetError or UsageError."""
    from rulerun.document.yaml import read_yaml
    from rulerun.play.scenario_form import read_scenarios
    from rulerun.source.files import read_source

    found = Diagnostics()
    form = read_scenarios(read_yaml(read_source(path), found), found)
    if form is None or found.has_errors:
        raise RulesetError(found.found)
    return form


def _loader(path: str, form: ScenarioFile) -> Loader:
    """Compiles the ruleset of a test file, once for each combination of players, options and variants."""
    from rulerun.game import load

    if form.ruleset is None:
        ruleset = path.removesuffix(ENDING) + ".yaml"
    else:
        ruleset = os.path.join(os.path.dirname(path), form.ruleset.piece.text.strip())
    if not is_file(ruleset):
        where = f"{form.ruleset.span}: " if form.ruleset is not None else ""
        raise UsageError(f"{where}the ruleset of {path} is not there: no file {ruleset}")
    games: dict[tuple[object, ...], Game] = {}

    def loaded(players: int | None, options: tuple[tuple[str, str], ...], variants: tuple[str, ...]) -> Game:
        key = (players, options, variants)
        if key not in games:
            games[key] = load(ruleset, players=players, options=dict(options), variants=variants)
        return games[key]

    return loaded


def lines_of(ran: Ran, *, several: bool) -> Iterator[str]:
    """A line a test, and below a failed one what differs."""
    if several:
        yield click.style(ran.file, bold=True)
    for verdict in ran.verdicts:
        name = verdict.scenario.name
        if verdict.problem is None:
            yield f"{click.style('ok', fg='green')}    {name}"
            continue
        yield f"{click.style('FAIL', fg='red', bold=True)}  {name}"
        problem = verdict.problem
        yield f"      {problem.span.source.name}:{problem.span.line}: {problem.message}"
        for detail in problem.details:
            yield f"        {detail}"


def document(ran: Sequence[Ran], passed: int, failed: int) -> dict[str, object]:
    """The results for --json."""
    return {
        "schema_version": SCHEMA_VERSION,
        "passed": passed,
        "failed": failed,
        "tests": [
            {
                "file": r.file,
                "name": v.scenario.name,
                "line": v.scenario.span.line,
                "passed": v.passed,
                "problem": None
                if v.problem is None
                else {
                    "message": v.problem.message,
                    "file": v.problem.span.source.name,
                    "line": v.problem.span.line,
                    "column": v.problem.span.column,
                    "details": list(v.problem.details),
                },
            }
            for r in ran
            for v in r.verdicts
        ],
    }
