"""How FILE, ``--players``, ``--set``, ``--with`` and ``--seed`` are given and understood, the same for every command.

FILE is a path, ``-`` for standard input, or the name of a ruleset that comes along. Everything heavy is imported when
it is used.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rulerun.source.diagnostic import UsageError
from rulerun.source.paths import is_file, is_folder, is_there, names_in

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from rulerun.game import Game
    from rulerun.source.files import Folder
    from rulerun.source.text import Source

    Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

STDIN = "-"
MAX_SEED = 2**63 - 1
_Command = TypeVar("_Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Opened:
    """A ruleset's text, and the folder of its sibling files."""

    source: Source
    folder: Folder


def locate(file: str) -> str:
    """The name by which FILE is loaded. A file at that path wins over a shipped ruleset of that name (a folder does
    not).

    UsageError says what is near, where neither is there.
    """
    from rulerun.source.shipped import find_shipped

    if file == STDIN or is_file(file):
        return file
    if find_shipped(file) is not None and not (os.sep in file and is_there(file)):
        return f"{file.removesuffix('.yaml')}.yaml" if is_folder(file) else file
    if not is_there(file):
        raise UsageError(_missing(file))
    return file


def open_ruleset(file: str) -> Opened:
    """Read FILE. UsageError says what is wrong and what is near."""
    from rulerun.source.files import Folder, read_source
    from rulerun.source.shipped import find_shipped

    name = locate(file)
    if name != STDIN and not is_there(name):
        shipped = find_shipped(name)
        if shipped is not None:
            return Opened(*shipped)
    return Opened(read_source(name), Folder.of(name))


def _missing(file: str) -> str:
    """What to say of a FILE that is neither there nor comes along."""
    from rulerun.source.shipped import shipped_forms, shipped_names
    from rulerun.source.spell import nearest

    folder = os.path.dirname(file)
    if folder in shipped_names() and not is_folder(folder):
        near = nearest(file.removesuffix(".yaml"), [folder, *shipped_forms(folder)])
        return f"there is no file and no ruleset '{file}'" + (f"; did you mean '{near}'?" if near else "")
    if folder and not is_folder(folder):
        return f"there is no file {file} (there is no folder {folder})"
    beside = names_in(folder or ".", ".yaml", ".yml", ".json")[:1000]
    names = shipped_names()
    base = os.path.basename(file)
    without_end = next((name for name in beside if name.casefold() == f"{base}.yaml".casefold()), None)
    if without_end is not None:
        return f"there is no file '{file}'; did you mean '{os.path.join(folder, without_end)}'?"
    near_file = nearest(base, beside)
    near_name = None if folder else nearest(file.removesuffix(".yaml").removesuffix(".yml"), names)
    if near_name is not None:
        return f"there is no file and no ruleset '{file}'; did you mean '{near_name}'?"
    if near_file is not None:
        return f"there is no file '{file}'; did you mean '{os.path.join(folder, near_file)}'?"
    if folder or "." in file:
        return f"there is no file '{file}'"
    return (
        f"there is no file '{file}', and no ruleset of that name comes along (these do: {', '.join(names) or 'none'})"
    )


def load_game(file: str, players: int | None, settings: Mapping[str, str], variants: Sequence[str]) -> Game:
    """The game of FILE. RulesetError or UsageError as `rulerun.game.load`."""
    from rulerun.game import load

    return load(locate(file), players=players, options=settings, variants=tuple(variants))


def _settings(_context: click.Context, _parameter: click.Parameter, pairs: tuple[str, ...]) -> dict[str, str]:
    """``k=v`` pairs as a mapping; the last of a repeated name wins, as on every command line."""
    settings = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--set {pair}: write the option's name, '=' and its value, as in --set enough=10")
        if not value.strip():
            raise UsageError(f"--set {pair}: the value is missing, as in --set enough=10")
        settings[name.strip()] = value.strip()
    return settings


def chosen_seed(seed: int | None) -> int:
    """The seed that was asked for, or a fresh one that nobody finds by trying."""
    if seed is not None:
        return seed
    import secrets

    return secrets.randbelow(MAX_SEED + 1)


def file_argument(command: _Command) -> _Command:
    return click.argument("file", metavar="FILE", shell_complete=lazily("complete_ruleset"))(command)


def lazily(name: str) -> Completer:
    """A function of `faces.completion`, imported when the shell asks."""

    def complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from rulerun.faces import completion

        completer: Completer = getattr(completion, name)
        return completer(context, parameter, incomplete)

    return complete


def players_option(command: _Command, default: str = "the fewest the game allows") -> _Command:
    """``--players``; ``default`` says in its help what is done without."""
    return click.option("-p", "--players", type=int, metavar="N", help=f"Number of players. Default: {default}.")(
        command
    )


def rules_options(command: _Command) -> _Command:
    """``--players``, ``--set`` and ``--with``: all that decides which program a ruleset becomes."""
    return players_option(settings_options(command))


def settings_options(command: _Command) -> _Command:
    """``--set`` and ``--with``."""
    command = click.option(
        "--with",
        "variants",
        multiple=True,
        metavar="VARIANT",
        shell_complete=lazily("complete_variant"),
        help="Lay a variant over the rules. Can be repeated.",
    )(command)
    return click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="OPTION=VALUE",
        callback=_settings,
        shell_complete=lazily("complete_setting"),
        help="Set an option. Can be repeated.",
    )(command)


def _seed(_context: click.Context, _parameter: click.Parameter, seed: int | None) -> int | None:
    if seed is not None and not 0 <= seed <= MAX_SEED:
        raise UsageError(f"--seed {seed}: a seed is a whole number from 0 to {MAX_SEED}")
    return seed


def seed_option(command: _Command, default: str = "a fresh one, which is printed") -> _Command:
    """``--seed``; ``default`` says in its help what is done without."""
    return click.option(
        "-s",
        "--seed",
        type=int,
        callback=_seed,
        metavar="N",
        help=f"Same seed, same game. Default: {default}.",
    )(command)


def eyes_option(command: _Command) -> _Command:
    return click.option(
        "--eyes",
        default="table",
        show_default=True,
        metavar="WHO",
        shell_complete=lazily("complete_eyes"),
        help="Who the story is told to: table (an onlooker: what all may see), all (what lies hidden, too), or a seat "
        "such as P1. Of a seat, with --json: who all that is printed is told to.",
    )(command)


def carry_over_option(command: _Command) -> _Command:
    return click.option(
        "--carry-over",
        is_flag=True,
        help="If the rules were changed since: play its choices as far as they still fit.",
    )(command)


def whose_eyes(eyes: str, players: int) -> int | None:
    """What ``--eyes`` said, as `State.passages` takes it. UsageError for a seat that is not there."""
    from rulerun.view.onlooker import ONLOOKER

    word = eyes.casefold()
    if word == "table":
        return ONLOOKER
    if word == "all":
        return None
    number = word.removeprefix("p")
    if not number.isdecimal() or not number.isascii() or not 1 <= int(number[:4]) <= players:
        raise UsageError(f"--eyes {eyes}: say table, all, or a seat from P1 to P{players}")
    return int(number) - 1


def json_option(command: _Command) -> _Command:
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def again(command: str, game: Game, seed: int, settings: Mapping[str, str] | None = None) -> str:
    """The command line that plays the same game again, for messages. ``settings``: what ``--set`` said, where that is
    known (else all that differs from the defaults)."""
    words = [*program_name().split(), command, game.source, "--players", str(game.players)]
    for name, value in (game.settings if settings is None else settings).items():
        words += ["--set", f"{name}={value}"]
    for variant in game.variants:
        words += ["--with", variant]
    words += ["--seed", str(seed)]
    return " ".join(shell_word(word) for word in words)


def program_name() -> str:
    """What the command line was called by, for command lines in messages: ``rulerun``, or ``python -m rulerun``."""
    context = click.get_current_context(silent=True)
    return "rulerun" if context is None else context.find_root().info_name or "rulerun"


def shell_word(word: str) -> str:
    """A word as a shell reads it, in quotes where it needs them (double ones, which read better, where those do)."""
    import shlex

    quoted = shlex.quote(word)
    return f'"{word}"' if quoted != word and not set(word) & set('"$`\\!') else quoted


def print_json(value: object) -> None:
    """One JSON document on stdout: readable, UTF-8, keys in the order in which they were put."""
    import json

    click.echo(json.dumps(value, ensure_ascii=False, indent=2))
