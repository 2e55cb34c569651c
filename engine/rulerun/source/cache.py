"""The user's cache folder: what takes time to make and can be made again is kept there from one start to the next.

A file that is kept is read back only if it is what was written: whole (a checksum over name and content), the user's
own, and nobody else's to write. Everything that goes wrong with a cache, a full disk or a damaged file, is as good as
no cache: `read` then gives None and `write` does nothing. Writing is atomic, so any number of processes may share the
folder. The environment variable RULERUN_CACHE names another folder, or switches keeping off.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

VARIABLE: Final = "RULERUN_CACHE"
OFF: Final = ("off", "0", "no")
"""Values of the variable that switch keeping off."""
MOST_BYTES: Final = 250_000_000
"""Of all files together: beyond that the ones longest unused go."""
_MAGIC: Final = b"rulerun cache 1\n"
_DIGEST_BYTES: Final = 32
_OURS: Final = re.compile(r"(tables|code)-[0-9a-f]{64}(\.\w+\.part)?")
"""Names of files of ours, those that are being written too; nothing else in the folder is touched."""


@dataclass(frozen=True)
class Kept:
    """A file of the cache."""

    path: Path
    bytes: int
    used: float
    """When it was last read or written, in seconds of the system's clock."""


def name_of(kind: str, *depends_on: str) -> str:
    """The name of a file of a kind (``tables``, ``code``), made from everything that its content depends on."""
    return f"{kind}-{sha256(chr(0).join(depends_on).encode()).hexdigest()}"


def folder() -> Path | None:
    """Where files are kept, whether it exists or not; None if keeping is switched off or there is no home."""
    if _is_off():
        return None
    asked = os.environ.get(VARIABLE, "")
    try:
        if asked:
            return Path(asked).expanduser()
        from platformdirs import user_cache_path

        return user_cache_path("rulerun", appauthor=False)
    except RuntimeError:  # nobody's home
        return None


def _is_off() -> bool:
    return os.environ.get(VARIABLE, "").lower() in OFF


def trouble(place: Path | None) -> str:
    """Why a folder (None: there is none) is not used as a cache, in words; "" if it is, or would be once made."""
    if place is None and _is_off():
        return f"keeping is switched off ({VARIABLE})"
    if place is None:
        return f"no home folder is found ({VARIABLE} may name another folder)"
    try:
        found = place.stat()
    except FileNotFoundError:
        above = next(parent for parent in place.absolute().parents if parent.exists())
        return "" if os.access(above, os.W_OK) else f"it cannot be made ({above} cannot be written in)"
    except OSError as error:
        return f"it cannot be looked at ({error.strerror})"
    if not stat.S_ISDIR(found.st_mode):
        return "it is not a folder"
    return _whose(found)


def read(name: str) -> bytes | None:
    """The content that was kept under a name; None if there is none that can be trusted."""
    place = _usable()
    if place is None:
        return None
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(place / name, flags)
        with open(handle, "rb") as file:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode) or found.st_size > MOST_BYTES or _whose(found):
                return None
            whole = file.read()
    except OSError:
        return None
    start = len(_MAGIC) + _DIGEST_BYTES
    content = whole[start:]
    if whole[:start] != _MAGIC + _digest(name, content):
        return None
    with contextlib.suppress(OSError):
        os.utime(place / name)
    return content


def write(name: str, content: bytes) -> None:
    """Keeps content under a name, if that can be."""
    assert _OURS.fullmatch(name)
    place = _usable(make=True)
    if place is None:
        return
    import tempfile

    try:
        handle, part = tempfile.mkstemp(".part", f"{name}.", place)  # for the user alone
    except OSError:
        return
    try:
        with open(handle, "wb") as file:
            file.write(_MAGIC + _digest(name, content) + content)
        os.replace(part, place / name)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(part)
    _make_room(place)


def kept() -> list[Kept]:
    """All files of the cache, the one longest unused first."""
    place = _usable()
    return sorted(_files(place), key=lambda file: (file.used, file.path.name)) if place is not None else []


def clear() -> int:
    """Removes all files of the cache; how many went."""
    return sum(_remove(file) for file in kept())


def _usable(make: bool = False) -> Path | None:
    """The folder if files may be read from it and written into it; ``make``: made where there is none yet."""
    place = folder()
    if place is None:
        return None
    try:
        if make:
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return None if trouble(place) else place


def _whose(found: os.stat_result) -> str:
    """What keeps a file or folder from being the user's own and nobody else's to write; "" for nothing."""
    if not hasattr(os, "getuid"):  # Windows: the folder lies in the user's profile
        return ""
    if found.st_uid != os.getuid():
        return "it belongs to somebody else"
    return "others may write in it" if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH) else ""


def _digest(name: str, content: bytes) -> bytes:
    return sha256(name.encode() + b"\0" + content).digest()


def _files(place: Path) -> Iterator[Kept]:
    try:
        names = [name for name in os.listdir(place) if _OURS.fullmatch(name)]
    except OSError:
        return
    for name in names:
        with contextlib.suppress(OSError):  # another process may just have removed it
            found = (place / name).lstat()
            yield Kept(place / name, found.st_size, found.st_mtime)


def _remove(file: Kept) -> bool:
    try:
        file.path.unlink()
    except OSError:
        return False
    return True


def _make_room(place: Path) -> None:
    files = sorted(_files(place), key=lambda file: file.used)
    total = sum(file.bytes for file in files)
    for file in files:
        if total <= MOST_BYTES:
            return
        if _remove(file):
            total -= file.bytes
