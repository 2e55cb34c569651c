"""Reading text from disk and standard input, bounded and checked, before anything looks at what it says.

What comes out is always clean text: UTF-8 without a byte order mark, line ends ``\\n``, names in NFC. What cannot
be made clean is a `UsageError` that says what to do. Nothing here knows YAML, and nothing may be imported from a
higher floor.
"""

from __future__ import annotations

import os
import sys
import unicodedata
from pathlib import Path, PurePosixPath

from rulerun.source.diagnostic import UsageError
from rulerun.source.paths import Kind, is_folder, kind_of, names_in, reason, resolved
from rulerun.source.spell import nearest
from rulerun.source.text import Source

MAX_BYTES = 1_000_000
"""No file that a ruleset consists of may be larger."""

MAX_MARKS = 30
"""Combining marks in a row: as many as the Stream-Safe Text Format (Unicode Annex 15) allows."""

_FOREIGN_MARKS = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"))


def read_source(name: str) -> Source:
    """The file at path `name`, or standard input for ``-``.

    Raises `UsageError` where it is missing, a directory, not readable, binary, not UTF-8 or larger than `MAX_BYTES`.
    """
    if name == "-":
        return source_of("<stdin>", sys.stdin.buffer.read(MAX_BYTES + 1))
    return source_of(name, _read_bytes(Path(name), name))


def source_of(name: str, data: bytes) -> Source:
    """`data` as a source called `name`. Raises `UsageError` for what is not clean UTF-8 text or is too large."""
    if len(data) > MAX_BYTES:
        raise UsageError(f"{name} is larger than {MAX_BYTES:,} bytes, the most that a file of a ruleset may have")
    if data.startswith(b"\x1f\x8b"):
        raise UsageError(f"{name} is compressed: unpack it first")
    for mark, encoding in _FOREIGN_MARKS:
        if data.startswith(mark):
            raise UsageError(f"{name} is saved as {encoding}: save it as UTF-8")
    if b"\x00" in data:
        raise UsageError(f"{name} is not a text file (it holds zero bytes)")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = data[error.start]
        raise UsageError(
            f"{name} is not UTF-8 text: line {line} holds the byte 0x{byte:02x}; save it as UTF-8"
        ) from None
    return text_source(name, text)


def text_source(name: str, text: str) -> Source:
    """`text` as a source: line ends become ``\\n``, composed and decomposed letters become one (NFC)."""
    clean = text.removeprefix("\ufeff")
    if "\r" in clean:
        clean = clean.replace("\r\n", "\n").replace("\r", "\n")
    if not clean.isascii():
        _refuse_stacked_marks(name, clean)
        clean = unicodedata.normalize("NFC", clean)
    return refuse_no_text(Source(name, clean))


def refuse_no_text(source: Source) -> Source:
    """The source itself. Raises `UsageError` where its text holds half a surrogate pair, which no file can hold."""
    try:
        source.text.encode()
    except UnicodeEncodeError as error:
        line = source.text.count("\n", 0, error.start) + 1
        name = source.name.encode("utf-8", "backslashreplace").decode()
        raise UsageError(f"{name} is no text: line {line} holds half a surrogate pair") from None
    return source


def _refuse_stacked_marks(name: str, text: str) -> None:
    """A long run of accents on one letter has no meaning, and takes time that grows with its square to put in order."""
    run = 0
    for place, character in enumerate(text):
        run = run + 1 if character > "\u02ff" and unicodedata.combining(character) else 0
        if run > MAX_MARKS:
            line = text.count("\n", 0, place) + 1
            raise UsageError(f"{name} has more than {MAX_MARKS} accents on one letter in line {line}: delete them")


def _read_bytes(path: Path, shown: str, suggest: bool = True) -> bytes:
    """At most `MAX_BYTES` and one byte of the file, so that an endless one is refused and not read."""
    try:
        if is_folder(path):
            inside = names_in(path, ".yaml")
            hint = f": name the ruleset in it, such as {shown.rstrip('/')}/{inside[0]}" if inside else ""
            raise UsageError(f"{shown} is a directory{hint}")
        if shown.endswith(("/", os.sep)):  # `Path` leaves the slash out
            raise UsageError(f"there is no folder {shown}")
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise UsageError(f"there is no file {shown}{_like(path) if suggest else ''}") from None
    except PermissionError:
        raise UsageError(f"{shown} may not be read: its permissions forbid it") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{shown} cannot be read: {reason(error)}") from None


def _like(path: Path) -> str:
    """``; did you mean NAME?`` where a file of a like name lies beside the missing one."""
    best = nearest(path.name, names_in(path.parent)[:500])
    return f"; did you mean {path.parent / best}?" if best else ""


class Folder:
    """Where the sibling files of a ruleset lie: its CSV files and the rulesets that it extends.

    Only what lies below the folder can be read, whatever ``..`` or symbolic links say: a ruleset is untrusted text.
    A folder of None (a ruleset from standard input or from a string) holds nothing.
    """

    def __init__(self, path: Path | str | None) -> None:
        self.path = None if path is None else Path(path)

    @staticmethod
    def of(name: str) -> Folder:
        """The folder of the ruleset that `read_source` reads by `name`."""
        return Folder(None if name == "-" else Path(name).parent)

    def read(self, name: str) -> Source:
        """The file `name` (a relative path with ``/``). Raises `UsageError` where it escapes or cannot be read."""
        path = self._resolve(name)
        return source_of(self._shown(name), _read_bytes(path, name, suggest=False))

    def below(self, name: str) -> Folder:
        """The folder in which the file `name` of this folder lies: the one for that file's own siblings."""
        return Folder(self._resolve(name).parent)

    def names(self, ending: str) -> list[str]:
        """The files of this folder itself that end so, for suggestions."""
        return [] if self.path is None else names_in(self.path, ending)[:200]

    def _shown(self, name: str) -> str:
        """The name for people: as one would reach it from where the ruleset was named."""
        assert self.path is not None
        return str(self.path / name)

    def _resolve(self, name: str) -> Path:
        if self.path is None:
            raise UsageError(f"{name} cannot be read: this ruleset was not read from a file, so no file lies beside it")
        pure = PurePosixPath(name)
        if not name or "\\" in name or "\x00" in name or ":" in name or pure.is_absolute() or ".." in pure.parts:
            raise UsageError(
                f"{name or 'an empty name'} is not the name of a file in or below the folder of the ruleset"
            )
        root = resolved(self.path)
        path = None if root is None else resolved(root / name)
        if root is None or path is None:
            raise UsageError(f"{name} cannot be read")
        if not path.is_relative_to(root):
            raise UsageError(f"{name} leads out of the folder of the ruleset: only files in or below it can be read")
        if kind_of(path) is Kind.OTHER:
            raise UsageError(f"{name} is not a plain file")
        return path
