"""The rulesets that come with the package, by name. The one place that reads the data package ``rulerun.rulesets``."""

from __future__ import annotations

from pathlib import Path

from rulerun.source.files import Folder, source_of
from rulerun.source.text import Source


def _root() -> Path:
    from importlib.resources import files  # late: it costs 5 ms and is seldom needed

    return Path(str(files("rulerun.rulesets")))


def shipped_names() -> list[str]:
    """Names of the shipped rulesets, in alphabetical order: each lies in a folder of its own name."""
    return sorted(p.name for p in _root().iterdir() if (p / f"{p.name}.yaml").is_file())


def find_shipped(name: str) -> tuple[Source, Folder] | None:
    """The shipped ruleset called `name` (``NAME`` or ``NAME.yaml``) and its folder, or None."""
    short = name.removesuffix(".yaml")
    if not short.replace("-", "").replace("_", "").isalnum():
        return None
    path = _root() / short / f"{short}.yaml"
    if not path.is_file():
        return None
    return source_of(f"{short}.yaml", path.read_bytes()), Folder(path.parent)
