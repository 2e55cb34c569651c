"""What is at a path that somebody named: the one place that asks the file system about names from outside.

A name may be too long, hold a zero byte or half a surrogate pair, lead through a closed folder or round in circles.
The questions here answer then that nothing is there; what reads or writes says why in words (`reason`). Nothing else
of the engine asks `os.path` or `pathlib` whether something exists; a test of the house sees to it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from enum import Enum
from itertools import islice
from pathlib import Path

MOST_NAMES = 10_000
"""Entries of a folder that are looked through at most for a name that is near."""


class Kind(Enum):
    """What lies at a path, symbolic links followed."""

    FILE = "file"
    FOLDER = "folder"
    OTHER = "device"
    """A pipe, a socket, a device: reading may never end."""


def kind_of(path: str | Path) -> Kind | None:
    """What lies at a path; None for nothing, or nothing that can be got at."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return None
    if stat.S_ISREG(mode):
        return Kind.FILE
    return Kind.FOLDER if stat.S_ISDIR(mode) else Kind.OTHER


def is_there(path: str | Path) -> bool:
    return kind_of(path) is not None


def is_file(path: str | Path) -> bool:
    """Whether a plain file lies there."""
    return kind_of(path) is Kind.FILE


def is_folder(path: str | Path) -> bool:
    return kind_of(path) is Kind.FOLDER


def names_in(folder: str | Path, *endings: str) -> list[str]:
    """The names in a folder that end so (without ``endings``: all), in order; none of a folder that is not to be
    read."""
    try:
        with os.scandir(folder) as entries:
            return sorted(e.name for e in islice(entries, MOST_NAMES) if not endings or e.name.endswith(endings))
    except (OSError, ValueError):
        return []


def files_below(folder: str | Path, ending: str) -> Iterator[str]:
    """The paths of all files in and below a folder whose names end so. Folders that are not to be read are passed
    over, and no symbolic link to one is followed."""
    for place, folders, names in os.walk(folder) if is_folder(folder) else ():
        folders.sort()
        yield from (str(Path(place, name)) for name in sorted(names) if name.endswith(ending))


def resolved(path: Path) -> Path | None:
    """The absolute path without symbolic links; None where there can be none."""
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError):  # a name that cannot be, a circle of links
        return None


def reason(error: OSError | ValueError) -> str:
    """Why something could not be read or written, in words."""
    words = getattr(error, "strerror", None)
    return str(words or error)
