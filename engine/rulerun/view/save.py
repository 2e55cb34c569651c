"""The save of a game, for the host alone (it holds hidden cards and the generator): bytes that know which ruleset they
belong to.

A header line with the version, the identity of the program (`ir.identity`), a checksum and sizes; then, compressed,
words and keys: the chance and the choices that lead to the position, and the vector of the position to hold the replay
against. A choice is kept by its number among the options, for exactly this program, and by seat and key, which may
still fit when the rules were changed. Whoever writes a save to disk does so whole or not at all. May not import check,
syntax or document.
"""

from __future__ import annotations

import hashlib
import zlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from rulerun.arguments import shown
from rulerun.source.diagnostic import UsageError

SAVE_VERSION = 2
"""Version 1 named its ruleset by its text, and held no keys: it cannot be read any more."""
MAGIC = b"rulerun save "
MAX_WORDS = 20_000_000


@dataclass(frozen=True, slots=True)
class Saved:
    """A position and the way to it."""

    identity: str
    """Of the program that it belongs to."""
    seed: int
    """Starts the generator."""
    choices: tuple[int, ...]
    """Per choice the index of the option taken,"""
    seats: tuple[int, ...]
    """whose choice it was,"""
    keys: tuple[str, ...]
    """and the key of the option."""
    chances: tuple[tuple[int, ...] | None, ...]
    """Where chance was given and not drawn from the generator (a sampled world), per stretch the outcomes taken, the
    start first; None: it drew."""
    vector: tuple[int, ...]


def write_save(saved: Saved) -> bytes:
    """The bytes of a save."""
    words: list[int] = [saved.seed, len(saved.choices), *saved.choices, *saved.seats]
    for stretch in saved.chances:
        words += [-1] if stretch is None else [len(stretch), *stretch]
    words += saved.vector
    body = array("q", words)
    if body.itemsize != 8:  # pragma: no cover - no platform of ours
        raise RuntimeError("a word must have 64 bits")
    keys = "\n".join(saved.keys).encode()
    packed = zlib.compress(_little(body) + keys, 6)
    check = hashlib.sha256(packed).hexdigest()[:16]
    return MAGIC + f"{SAVE_VERSION} {saved.identity} {check} {len(words)} {len(keys)}\n".encode() + packed


def read_save(data: bytes | bytearray | memoryview) -> Saved:
    """The save in ``data``. Raises `UsageError` for what is no save, of another version, cut or damaged."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise UsageError(f"a save is bytes, as State.to_bytes gives them, not {shown(data)}")
    head, line_end, packed = bytes(data).partition(b"\n")
    if not head.startswith(MAGIC):
        raise UsageError("this is not a save of rulerun")
    fields = head[len(MAGIC) :].split(b" ")
    if fields[0] != str(SAVE_VERSION).encode() and line_end:
        version = fields[0][:20].decode("ascii", "replace")
        raise UsageError(f"this save has version {version}; this rulerun reads version {SAVE_VERSION}")
    if not line_end or len(fields) != 5 or not all(len(f) < 12 and f.isdigit() for f in fields[3:]):
        raise UsageError("this save is cut off or damaged: it cannot be resumed")
    count, letters = int(fields[3]), int(fields[4])
    if hashlib.sha256(packed).hexdigest()[:16].encode() != fields[2] or max(count, letters // 8) > MAX_WORDS:
        raise UsageError("this save is cut off or damaged: it cannot be resumed")
    damaged = UsageError("this save is damaged: it cannot be resumed")
    stream = zlib.decompressobj()
    try:
        raw = stream.decompress(packed, 8 * count + letters + 1)
    except zlib.error:
        raise damaged from None
    if len(raw) != 8 * count + letters or not stream.eof or stream.unused_data:
        raise damaged
    words = array("q")
    words.frombytes(raw[: 8 * count])
    try:
        return _parse(fields[1].decode(), _native(words), raw[8 * count :].decode())
    except (IndexError, ValueError):
        raise damaged from None


def _parse(identity: str, words: Sequence[int], keys: str) -> Saved:
    seed, number = words[0], words[1]
    if not 0 <= number <= len(words):
        raise ValueError
    choices, seats = tuple(words[2 : 2 + number]), tuple(words[2 + number : 2 + 2 * number])
    named = tuple(keys.split("\n")) if keys else ()
    if not len(choices) == len(seats) == len(named) == number:
        raise ValueError
    at = 2 + 2 * number
    chances: list[tuple[int, ...] | None] = []
    for _ in range(number + 1):
        length = words[at]
        at += 1
        if length < 0:
            chances.append(None)
        else:
            chances.append(tuple(words[at : at + length]))
            at += length
    return Saved(identity, seed, choices, seats, named, tuple(chances), tuple(words[at:]))


def _little(words: array[int]) -> bytes:
    import sys

    if sys.byteorder == "big":  # pragma: no cover - no machine of ours
        words = array("q", words)
        words.byteswap()
    return words.tobytes()


def _native(words: array[int]) -> array[int]:
    import sys

    if sys.byteorder == "big":  # pragma: no cover
        words.byteswap()
    return words
