"""The rulesets that come with the package, by name. The one place that reads the data package ``rulerun.rulesets``."""

from __future__ import annotations

from pathlib import Path

from rulerun.source.files import Folder, source_of
from rulerun.source.paths import is_file, names_in
from rulerun.source.text import Source

LONGEST_NAME = 100
"""Characters that a name may have to be looked up: the file system refuses to look for much longer ones."""


def _root() -> Path:
    from importlib.resources import files  # late: it costs 5 ms and is seldom needed

    return Path(str(files("rulerun.rulesets")))


def shipped_names() -> list[str]:
    """Names of the shipped rulesets, in alphabetical order: each lies in a folder of its own name."""
    return [name for name in names_in(_root()) if is_file(_root() / name / f"{name}.yaml")]


def shipped_forms(name: str) -> list[str]:
    """The other games in the folder of a shipped ruleset, in alphabetical order: files that extend it, as
    ``NAME/FORM``."""
    forms = (f.removesuffix(".yaml") for f in names_in(_root() / name, ".yaml") if not f.endswith(".test.yaml"))
    return sorted(f"{name}/{form}" for form in forms if form != name)


def find_shipped(name: str) -> tuple[Source, Folder] | None:
    """The shipped ruleset called `name` (``NAME`` or ``NAME/FORM``, ``.yaml`` may follow) and its folder, or None."""
    folder, _, form = name.removesuffix(".yaml").partition("/")
    file = form or folder
    if len(name) > LONGEST_NAME or not all(w.replace("-", "").replace("_", "").isalnum() for w in (folder, file)):
        return None
    path = _root() / folder / f"{file}.yaml"
    if not is_file(path):
        return None
    return source_of(f"{file}.yaml", path.read_bytes()), Folder(path.parent)
