"""The house itself: what is packaged is what is on disk, floors hold, no game's name stands in the engine."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ROOT / "engine"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def modules() -> list[Path]:
    return sorted(p for p in (ENGINE / "rulerun").rglob("*.py") if "__pycache__" not in p.parts)


def test_every_package_on_disk_is_named_in_the_project() -> None:
    on_disk = {
        ".".join(p.parent.relative_to(ENGINE).parts) for p in modules() if p.name == "__init__.py"
    } | {"rulerun.grammar", "rulerun.rulesets"}
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == on_disk


def test_no_game_is_named_in_the_engine() -> None:
    names = {p.name for p in (ROOT / "rulesets").iterdir() if p.is_dir() and p.name != "__pycache__"}
    # Suits, and words of everyday speech; a rule of the engine that is meant for one game would say more.
    plain_words = {"hearts", "spades", "war", "pitch", "president", "snap"}
    wanted = re.compile(r"\b(" + "|".join(sorted(names - plain_words)) + r")\b", re.IGNORECASE)
    assert wanted.search("rulerun ouch.yaml")
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in modules()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if wanted.search(line)
    ]
    assert found == []


def test_no_file_of_the_engine_is_longer_than_600_lines() -> None:
    long = {str(p.relative_to(ROOT)): n for p in modules() if (n := len(p.read_text().splitlines())) > 600}
    assert long == {}


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        str(p.relative_to(ROOT)) for p in modules() if not re.match(r'\s*(?:#.*\n)*r?"""\S.{20,}', p.read_text(), re.S)
    ]
    assert silent == []


def test_only_one_floor_reads_yaml_and_one_reads_lark() -> None:
    rules = {"lark": "syntax", "yaml": "document", "jsonschema": "document", "llvmlite": "native"}
    wrong = []
    for path in modules():
        floor = path.relative_to(ENGINE / "rulerun").parts[0]
        libraries = re.findall(r"^\s*(?:import|from)\s+(lark|yaml|jsonschema|llvmlite)\b", path.read_text(), re.M)
        wrong += [f"{path.relative_to(ROOT)} imports {library}" for library in libraries if rules[library] != floor]
    assert wrong == []


def test_the_file_system_is_asked_about_names_in_one_place() -> None:
    """`Path.exists` and its like raise for names that are too long, or in closed folders; `source/paths.py` answers."""
    wanted = re.compile(
        r"\bos\.(path\.(exists|lexists|isfile|isdir|islink|getsize)|stat|scandir|listdir|walk)\("
        r"|\.(exists|is_file|is_dir|is_symlink|iterdir|stat|resolve)\(\)|\.r?glob\("
    )
    assert wanted.search("if Path(name).is_file():")
    # The cache asks about a folder of the user's; `kept` reads the package itself.
    exempt = {"source/paths.py", "source/cache.py", "native/kept.py"}
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in modules()
        if str(path.relative_to(ENGINE / "rulerun")) not in exempt
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if wanted.search(line)
    ]
    assert found == []


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built wheel, which is what a user installs. Built from a copy, so that nothing is left in the tree."""
    import shutil

    place = tmp_path_factory.mktemp("wheel")
    copy = place / "copy"
    copy.mkdir()
    for name in ("engine", "grammar", "rulesets", "pyproject.toml", "README.md", "LICENSE"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy(source, copy / name)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(place), str(copy)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    return next(place.glob("*.whl"))


@pytest.mark.long
def test_the_wheel_holds_the_rulesets_and_plays_one(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path / "installed")
    assert {"rulerun/py.typed", "rulerun/grammar/rules.lark", "rulerun/grammar/ruleset.schema.json"} <= names
    shipped = {str(p.relative_to(ROOT / "rulesets")) for p in (ROOT / "rulesets").rglob("*.yaml")}
    assert shipped <= {n.removeprefix("rulerun/rulesets/") for n in names}
    script = "import sys; sys.path.insert(0, sys.argv[1]); sys.argv = ['rulerun', *sys.argv[2:]]\n" + (
        "import rulerun.faces.cli as cli\n"
        "assert cli.__file__.startswith(sys.path[0]), cli.__file__\n"
        "cli.main()\n"
    )
    command = [sys.executable, "-S", "-c", script, str(tmp_path / "installed"), "run", "ouch", "--seed", "1"]
    # -S keeps the editable install out of the way; the libraries come by path.
    import click

    libraries = str(Path(click.__file__).parents[1])
    played = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=tmp_path, env={"PYTHONPATH": libraries}
    )
    assert played.returncode == 0, played.stderr
    assert "seed" in played.stdout + played.stderr
