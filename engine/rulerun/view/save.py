"""The save of a game, for the host alone (it holds hidden cards and the generator): bytes that know which ruleset they
belong to.

A header line with the version and the hash of the program, a checksum, then compressed words: the chance and the
choices that lead to the position, and the vector of the position to hold the replay against. Whoever writes a save to
disk does so whole or not at all. May not import check, syntax or document.
"""

from __future__ import annotations

import hashlib
import zlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from rulerun.ir.program import IR_VERSION, Program
from rulerun.source.diagnostic import UsageError

SAVE_VERSION = 1
MAGIC = b"rulerun save "
MAX_WORDS = 20_000_000


@dataclass(frozen=True, slots=True)
class Saved:
    """A position and the way to it. ``seed`` starts the generator. ``chances``: where chance was given and not drawn
    from the generator (a sampled world), per stretch the outcomes taken, the start first; None: it drew."""

    seed: int
    choices: tuple[int, ...]
    chances: tuple[tuple[int, ...] | None, ...]
    vector: tuple[int, ...]


def program_hash(program: Program) -> str:
    """What a save names its program by: ruleset, options, variants, number of players, versions."""
    text = f"{program.source_hash} {program.players} {program.language} {IR_VERSION} {program.layout.full_size}"
    return hashlib.sha256(text.encode()).hexdigest()


def write_save(program: Program, saved: Saved) -> bytes:
    """The bytes of a save."""
    words: list[int] = [saved.seed, len(saved.choices), *saved.choices]
    for stretch in saved.chances:
        words += [-1] if stretch is None else [len(stretch), *stretch]
    words += saved.vector
    body = array("q", words)
    if body.itemsize != 8:  # pragma: no cover - no platform of ours
        raise RuntimeError("a word must have 64 bits")
    packed = zlib.compress(_little(body), 6)
    check = hashlib.sha256(packed).hexdigest()[:16]
    return MAGIC + f"{SAVE_VERSION} {program_hash(program)} {check} {len(words)}\n".encode() + packed


def read_save(program: Program, data: bytes) -> Saved:
    """The save in ``data``. Raises `UsageError` for what is no save, is cut or damaged, or belongs to another
    ruleset."""
    head, line_end, packed = bytes(data).partition(b"\n")
    if not head.startswith(MAGIC):
        raise UsageError("this is not a save of rulerun")
    fields = head[len(MAGIC) :].split(b" ")
    if fields[0] != str(SAVE_VERSION).encode() and line_end:
        version = fields[0].decode("ascii", "replace")
        raise UsageError(f"this save has version {version}; this rulerun reads version {SAVE_VERSION}")
    if not line_end or len(fields) != 4 or not fields[3].isdigit():
        raise UsageError("this save is cut off or damaged: it cannot be resumed")
    if fields[1] != program_hash(program).encode():
        raise UsageError(
            "this save belongs to another ruleset, number of players, options or variants "
            "(or the ruleset was changed since)"
        )
    count = int(fields[3])
    if hashlib.sha256(packed).hexdigest()[:16].encode() != fields[2] or count > MAX_WORDS:
        raise UsageError("this save is cut off or damaged: it cannot be resumed")
    unpacker = zlib.decompressobj()
    words = array("q")
    raw = unpacker.decompress(packed, 8 * count + 1)
    if len(raw) != 8 * count:
        raise UsageError("this save is damaged: it cannot be resumed")
    words.frombytes(raw)
    try:
        return _parse(_native(words), program.layout.full_size)
    except (IndexError, ValueError):
        raise UsageError("this save is damaged: it cannot be resumed") from None


def _parse(words: Sequence[int], size: int) -> Saved:
    seed, number = words[0], words[1]
    if not 0 <= number <= len(words):
        raise ValueError
    choices = tuple(words[2 : 2 + number])
    at = 2 + number
    chances: list[tuple[int, ...] | None] = []
    for _ in range(number + 1):
        length = words[at]
        at += 1
        if length < 0:
            chances.append(None)
        else:
            chances.append(tuple(words[at : at + length]))
            at += length
    vector = tuple(words[at:])
    if len(vector) != size:
        raise ValueError
    return Saved(seed, choices, tuple(chances), vector)


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
