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

from rulerun.source.diagnostic import RulesetError, UsageError
from rulerun.source.paths import Kind, is_file, kind_of, names_in, reason

if TYPE_CHECKING:
    from rulerun.game import Game, State
    from rulerun.view.log import GameLog

MAX_LOG_BYTES = 20_000_000
LONGEST_NAME = 40
"""Characters of a game's name in the name of the file where it is kept."""
_PART = ".tmp"


def write_whole(path: str, text: str) -> None:
    """Write a text file so that a reader finds the old one or the new one, never a part. UsageError if it cannot be
    written.

    What a process that was killed left of such a file goes with the next one that is written to the same path.
    """
    if not path:
        raise UsageError("cannot write to an empty name: name a file")
    if path == "-":
        raise UsageError("cannot write -: name a file; standard output tells the game")
    kind = kind_of(path)
    if kind is Kind.FOLDER or path.endswith(("/", os.sep)):  # `Path` would leave the slash out
        raise UsageError(f"cannot write {path}: it is a folder")
    if kind is Kind.OTHER:
        raise UsageError(f"cannot write {path}: it is a device, not a file")  # and renaming would replace the device
    target = Path(path)
    temporary = None
    try:
        handle, temporary = _part_of(target)
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            os.replace(temporary, target)
    except (OSError, ValueError) as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        raise UsageError(f"cannot write {path}: {reason(error)}") from error


def _part_of(target: Path) -> tuple[int, str]:
    """A new file beside ``target``, open and locked: the lock says that somebody writes it. Parts that nobody writes
    any more are removed."""
    beginning = f".{target.name[:40]}.rulerun-"
    for name in names_in(target.parent, _PART):
        if name.startswith(beginning):
            _remove_abandoned(target.parent / name)
    while True:
        handle, part = tempfile.mkstemp(prefix=beginning, suffix=_PART, dir=target.parent)
        if _lock(handle) and os.fstat(handle).st_nlink:  # else it was taken for abandoned before it was locked
            return handle, part
        os.close(handle)


def _remove_abandoned(part: Path) -> None:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    with contextlib.suppress(OSError):
        handle = os.open(part, flags)
        try:
            if _lock(handle):
                part.unlink()
        finally:
            os.close(handle)


def _lock(handle: int) -> bool:
    """Locks an open file until it is closed or the process ends; whether nobody else had."""
    try:
        import fcntl
    except ImportError:  # Windows: a file that is open cannot be removed there
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def write_log(state: State, path: str) -> None:
    """Write the log of a game so far. A ruleset of the disk is named by its absolute path, so that the log can lie
    anywhere.
    """
    from rulerun.view.log import read_log
    from rulerun.view.log import write_log as to_text

    log = read_log(state.log())
    if is_file(log.ruleset):
        log = replace(log, ruleset=os.path.abspath(log.ruleset))
    write_whole(path, to_text(log))


def read_log_file(path: str) -> GameLog:
    """Read a log or a saved game ("-": from standard input). UsageError says what is wrong with a file that is none,
    or not whole.
    """
    from rulerun.view.log import read_log

    if not path:
        raise UsageError("cannot write to an empty name: name a file")
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
            raise UsageError(f"cannot read {path}: {reason(error)}") from None
    if len(data) > MAX_LOG_BYTES:
        raise UsageError(f"{path} is no log of rulerun: it is larger than {MAX_LOG_BYTES:,} bytes")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"{path} is no log of rulerun: it is not text") from None
    return read_log(text, path)


def game_of_log(log: GameLog, path: str, ruleset: str | None) -> Game:
    """The game that a log is of. ``ruleset`` (a FILE of the command line) stands in for the name in the log.

    A log may come from a stranger. So the file that it names is read only if it is called a ruleset and is a plain
    file, and nothing of what stands in it is shown unless it is one.
    """
    from rulerun.faces.loading import load_game, shell_word

    if ruleset is None:
        _refuse_strange_ruleset(log.ruleset, path)
    named = ruleset if ruleset is not None else log.ruleset
    try:
        return load_game(named, log.players, dict(log.options), log.variants)
    except RulesetError as error:
        told = [d.span.source.name for d in error.diagnostics if d.span is not None]
        if ruleset is not None or all(name.startswith("--") for name in told):  # the log's options and variants
            raise
        words = f"see 'rulerun check {shell_word(named)}', or name another with --ruleset FILE"
        raise UsageError(f"{path} is of the ruleset {named}, which has mistakes: {words}") from None
    except UsageError as error:
        hint = "" if ruleset is not None else " (if the ruleset has moved: --ruleset FILE)"
        raise UsageError(f"{path} is of the ruleset {named}: {error}{hint}") from None


def _refuse_strange_ruleset(named: str, path: str) -> None:
    """UsageError where the name of a ruleset in a log is none to be opened unasked."""
    from rulerun.source.shipped import find_shipped

    if named in ("-", "<stdin>", "<text>"):
        raise UsageError(f"{path} was played from standard input: name its ruleset with --ruleset FILE")
    kind = kind_of(named)
    if kind is not None and not named.endswith((".yaml", ".yml")) and (kind is Kind.FILE or not find_shipped(named)):
        raise UsageError(f"{path} is of {named}, which is not called .yaml: name its ruleset with --ruleset FILE")
    if kind is Kind.OTHER:
        raise UsageError(f"{path} is of {named}, which is no plain file: name its ruleset with --ruleset FILE")


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
    name = re.sub(r"[^a-z0-9]+", "-", game.name.casefold())[:LONGEST_NAME].strip("-") or "game"
    return folder / f"{name}-{seed}.jsonl"
