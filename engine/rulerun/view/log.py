"""The log of a game: what it takes to play it again, as JSON lines that a person can read.

The first line names the ruleset (by the identity of its program, see `ir.identity`), players, seed, options and
variants; each further line is one choice, by its key (the label is for the reader); the last, once the game is over, is
the result. May not import check, syntax or document.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TypeVar

from rulerun.arguments import shown
from rulerun.source.diagnostic import UsageError

T = TypeVar("T")

LOG_VERSION = 2
"""Version 1 named its ruleset by a hash of its text: it is read, and can be carried over."""
MAX_LOG_LINES = 1_000_000


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of a log: the seat (from 0) and the key of its option; ``label`` is for people."""

    seat: int
    key: str
    label: str


@dataclass(frozen=True, slots=True)
class GameLog:
    """A game as told by its log. ``ruleset`` is the name or path that it was loaded by, for people and for finding it
    again; ``identity`` is what counts, and empty in a log of version 1. ``scores`` is None for a game that was cut
    off."""

    game: str
    ruleset: str
    identity: str
    language: int
    players: int
    seed: int
    options: tuple[tuple[str, str], ...]
    """Settings that differ from their defaults, as ``--set`` takes them."""
    variants: tuple[str, ...]
    choices: tuple[Choice, ...]
    scores: tuple[int, ...] | None = None
    winners: tuple[int, ...] | None = None


def write_log(log: GameLog) -> str:
    """The log as JSON lines, each ended by a line end."""
    head = {
        "rulerun_log": LOG_VERSION,
        "game": log.game,
        "ruleset": log.ruleset,
        "identity": log.identity,
        "language": log.language,
        "players": log.players,
        "seed": log.seed,
        "options": dict(log.options),
        "variants": list(log.variants),
    }
    lines = [head, *({"seat": c.seat + 1, "key": c.key, "label": c.label} for c in log.choices)]
    if log.scores is not None:
        lines.append({"scores": list(log.scores), "winners": [w + 1 for w in log.winners or ()]})
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def read_log(text: str, name: str = "the log") -> GameLog:
    """The log in ``text``. Raises `UsageError`, naming the line, for what is no log, is of a later version or is
    damaged.

    A game that was cut off between two choices is read as far as it goes; a line that was cut in half is a fault.
    """
    if not isinstance(text, str):
        raise UsageError(f"a log is a text, not {shown(text)}")
    lines = text.removesuffix("\n").split("\n")
    if not lines[0].strip():
        raise UsageError(f'{name} is empty: a log begins with a line that holds "rulerun_log"')
    if len(lines) > MAX_LOG_LINES:
        raise UsageError(f"{name} has more than {MAX_LOG_LINES:,} lines")
    head = _object(lines[0], 1, name)
    if "rulerun_log" not in head:
        raise UsageError(f'{name} is not a log of rulerun: its first line holds no "rulerun_log"')
    version = head["rulerun_log"]
    if isinstance(version, bool) or version not in (1, LOG_VERSION):
        read = f"this rulerun reads versions 1 and {LOG_VERSION}"
        raise UsageError(f"{name} is a log of version {shown(version)}; {read}")
    if not text.endswith(("\n", "}")):  # an editor may take away the last line end, a cut takes more
        raise UsageError(f"{name} is cut off in line {len(lines)}: remove that line to play what is left")
    options = _of(head, "options", dict, 1, name)
    choices: list[Choice] = []
    scores: tuple[int, ...] | None = None
    winners: tuple[int, ...] | None = None
    for number, line in enumerate(lines[1:], 2):
        entry = _object(line, number, name)
        if scores is not None:
            raise UsageError(f"{name}, line {number}: nothing may follow the result")
        if "scores" in entry:
            scores = _numbers(entry, "scores", number, name)
            winners = tuple(w - 1 for w in _numbers(entry, "winners", number, name))
        else:
            seat = _of(entry, "seat", int, number, name) - 1
            label = entry.get("label", "")
            choices.append(Choice(seat, _of(entry, "key", str, number, name), str(label)))
    variants = _of(head, "variants", list, 1, name)
    if not -(2**63) <= _of(head, "seed", int, 1, name) < 2**63:
        raise UsageError(f'{name}, line 1 is damaged: "seed" is too large')
    return GameLog(
        game=_of(head, "game", str, 1, name),
        ruleset=_of(head, "ruleset", str, 1, name),
        identity=_of(head, "identity", str, 1, name) if version == LOG_VERSION else "",
        language=_of(head, "language", int, 1, name),
        players=_of(head, "players", int, 1, name),
        seed=_of(head, "seed", int, 1, name),
        options=tuple((str(k), str(v)) for k, v in options.items()),
        variants=tuple(str(v) for v in variants),
        choices=tuple(choices),
        scores=scores,
        winners=winners,
    )


def _object(line: str, number: int, name: str) -> dict[str, object]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise UsageError(f"{name}, line {number} is damaged: it is not a JSON object") from None
    if not isinstance(value, dict):
        raise UsageError(f"{name}, line {number} is damaged: it is not a JSON object")
    return value


def _of(entry: dict[str, object], key: str, kind: type[T], number: int, name: str) -> T:
    value = entry.get(key)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise UsageError(f'{name}, line {number} is damaged: "{key}" is missing or of the wrong sort')
    return value


def _numbers(entry: dict[str, object], key: str, number: int, name: str) -> tuple[int, ...]:
    values = _of(entry, key, list, number, name)
    if not all(isinstance(v, int) and not isinstance(v, bool) for v in values):
        raise UsageError(f'{name}, line {number} is damaged: "{key}" must hold numbers')
    return tuple(values)
