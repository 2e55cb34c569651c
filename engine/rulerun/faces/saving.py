"""Writing the log of a game to disk, whole or not at all, and finding the ruleset of a log again.

A log and a saved game are the same file (`view.log`): ruleset, settings, seed, and the choices so far. It is the
host's file: with the seed goes all that is hidden.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rulerun.source.diagnostic import UsageError

if TYPE_CHECKING:
    from rulerun.game import Game, State
    from rulerun.view.log import GameLog

MAX_LOG_BYTES = 20_000_000


def write_whole(path: str, text: str) -> None:
    """Write a text file so that a reader finds the old one or the new one, never a part. UsageError if it cannot be
    written.
    """
    target = Path(path)
    if target.is_dir():
        raise UsageError(f"cannot write {path}: it is a folder")
    if target.exists() and not target.is_file():
        raise UsageError(f"cannot write {path}: it is a device, not a file")  # and renaming would replace the device
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name[:40]}.", suffix=".tmp", dir=target.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except (OSError, ValueError) as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"cannot write {path}: {reason}") from error


def write_log(state: State, path: str) -> None:
    """Write the log of a game so far. A ruleset of the disk is named by its absolute path, so that the log can lie
    anywhere.
    """
    from rulerun.view.log import read_log
    from rulerun.view.log import write_log as to_text

    log = read_log(state.log())
    if os.path.isfile(log.ruleset):
        log = replace(log, ruleset=os.path.abspath(log.ruleset))
    write_whole(path, to_text(log))


def read_log_file(path: str) -> GameLog:
    """Read a log or a saved game ("-": from standard input). UsageError says what is wrong with a file that is none,
    or not whole.
    """
    from rulerun.view.log import read_log

    if path == "-":
        import sys

        data = sys.stdin.buffer.read(MAX_LOG_BYTES + 1)
    else:
        try:
            with open(path, "rb") as file:
                data = file.read(MAX_LOG_BYTES + 1)
        except IsADirectoryError:
            raise UsageError(f"{path} is a folder, not a saved game") from None
        except (OSError, ValueError) as error:
            raise UsageError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > MAX_LOG_BYTES:
        raise UsageError(f"{path} is no log of rulerun: it is larger than {MAX_LOG_BYTES:,} bytes")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"{path} is no log of rulerun: it is not text") from None
    return read_log(text, path)


def game_of_log(log: GameLog, path: str, ruleset: str | None) -> Game:
    """The game that a log is of. ``ruleset`` (a FILE of the command line) stands in for the name in the log."""
    from rulerun.faces.loading import load_game

    named = ruleset if ruleset is not None else log.ruleset
    if ruleset is None and named in ("-", "<stdin>", "<text>"):
        raise UsageError(f"{path} was played from standard input: name its ruleset with --ruleset FILE")
    try:
        return load_game(named, log.players, dict(log.options), log.variants)
    except UsageError as error:
        hint = "" if ruleset is not None else " (if the ruleset has moved: --ruleset FILE)"
        raise UsageError(f"{path} is of the ruleset {named}: {error}{hint}") from None


def state_of_log(game: Game, log: GameLog, path: str, *, carry_over: bool) -> State:
    """The state that a log leads to. With ``carry_over`` as far as its choices fit, and stderr says how far that is;
    without, UsageError if it does not fit."""
    import click

    if not carry_over:
        return game.replay_log(log)
    carried = game.carry_over(log)
    if carried.made < carried.of:
        click.echo(f"{path}: {carried.made} of {carried.of} choices fit; the next does not: {carried.why}", err=True)
    elif carried.why:
        click.echo(f"{path}: {carried.why}", err=True)
    return carried.state


def autosave_path(game: Game, seed: int) -> Path | None:
    """Where a running game is kept without being asked: below XDG_STATE_HOME. None if there is no such place to
    write to.
    """
    base = os.environ.get("XDG_STATE_HOME")
    if not base:
        home = os.path.expanduser("~") if os.environ.get("HOME") != "" else "~"  # else it would be the root folder
        if home == "~":
            return None
        base = os.path.join(home, ".local", "state")
    folder = Path(base) / "rulerun"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    name = re.sub(r"[^a-z0-9]+", "-", game.name.casefold()).strip("-") or "game"
    return folder / f"{name}-{seed}.jsonl"
