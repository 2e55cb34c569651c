"""Completion of command lines in bash, zsh and fish: `rulerun completion SHELL`, and what the shell then asks for.

click does the talking: the script that it prints calls ``rulerun`` with `VARIABLE` set, and gets words back. What words
there are is said here: rulesets that come along, and of the ruleset that was named its options and variants. A ruleset
is read for that, not compiled; one that cannot be read has none.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from rulerun.source.diagnostic import UsageError

if TYPE_CHECKING:
    from rulerun.document.model import OptionDecl, Ruleset

VARIABLE = "_RULERUN_COMPLETE"
"""The environment variable in which the shell says what it wants: ``bash_complete``, ``zsh_source`` and so on."""
SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> int:
    """Print a script that completes command lines in a shell.

    bash: add  eval "$(rulerun completion bash)"  to ~/.bashrc;
    zsh: add  eval "$(rulerun completion zsh)"  to ~/.zshrc;
    fish: rulerun completion fish > ~/.config/fish/completions/rulerun.fish
    """
    from rulerun.faces.cli import commands

    return answer(commands, f"{shell}_source")


def answer(commands: click.Command, wanted: str) -> int:
    """Print what the shell asked for. 1 for a shell or a wish that is not known, or a line that cannot be read: whoever
    presses a key wants no message."""
    from click.shell_completion import get_completion_class

    shell, _, wish = wanted.partition("_")
    speaker = get_completion_class(shell)
    if speaker is None or wish not in ("source", "complete"):
        return 1
    speaking = speaker(commands, {}, "rulerun", VARIABLE)
    try:
        click.echo(speaking.source() if wish == "source" else speaking.complete())
    except (KeyError, ValueError, UsageError, click.ClickException):
        return 1
    return 0


def items(words: Iterable[tuple[str, str]], incomplete: str) -> list[CompletionItem]:
    """Those of the words (each with what it is about) that begin with ``incomplete``. bash takes them as they are, so
    what it would take apart is escaped for it."""
    quote = shlex.quote if os.environ.get(VARIABLE, "").startswith("bash") else str
    return [CompletionItem(quote(word), help=about or None) for word, about in words if word.startswith(incomplete)]


def complete_ruleset(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Rulesets that come along, and files."""
    return [CompletionItem(incomplete, type="file"), *shipped(incomplete)]


def complete_file(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Files of any kind."""
    return [CompletionItem(incomplete, type="file")]


def shipped(incomplete: str) -> list[CompletionItem]:
    """Rulesets that come along; the other games in the folder of one, once its name and a slash are there."""
    from rulerun.source.shipped import shipped_forms, shipped_names

    names = shipped_names()
    folder, slash, _ = incomplete.partition("/")
    return items([(name, "") for name in (shipped_forms(folder) if slash and folder in names else names)], incomplete)


def complete_variant(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Variants of the ruleset that was named."""
    ruleset = _named_ruleset(context)
    return [] if ruleset is None else items([(v.name, " ".join(v.about.split())) for v in ruleset.variants], incomplete)


def complete_setting(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Options of the ruleset that was named with values: each of a few, or the default."""
    ruleset = _named_ruleset(context)
    if ruleset is None:
        return []
    words = [
        (f"{option.name}={value}", " ".join(option.about.split()))
        for option in ruleset.options
        for value in _values(option, ruleset)
    ]
    return items(words, incomplete)


def complete_eyes(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Who a story can be told to, whatever the number of players."""
    return items([("table", "what all may see"), ("all", "what lies hidden, too"), ("P1", ""), ("P2", "")], incomplete)


def _values(option: OptionDecl, ruleset: Ruleset) -> list[str]:
    from rulerun.faces.list import choices_of

    default = option.default.piece.text.strip()
    return choices_of(option, ruleset) or (["true", "false"] if default in ("true", "false") else [default])


def _named_ruleset(context: click.Context) -> Ruleset | None:
    """The ruleset that stands on the command line so far; None if there is none that can be read."""
    from rulerun.document import read
    from rulerun.faces.loading import STDIN, open_ruleset
    from rulerun.source.diagnostic import Diagnostics

    named = context.params.get("file") or context.params.get("files") or context.args  # not settled while a value lacks
    file = named if isinstance(named, str) else next(iter(named), None)
    if file is None or file == STDIN:
        return None
    try:
        opened = open_ruleset(file)
    except UsageError:
        return None
    return read(opened.source, folder=opened.folder, found=Diagnostics())
