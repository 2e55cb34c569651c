"""`rulerun`: the entry of the command line. It finds the command, and turns every end into words and an exit code.

The contract, for people and for scripts:

* what was asked for goes to stdout, messages go to stderr;
* exit 0: done; 1: the ruleset, a test or a game has a fault; 2: wrong usage; 3: a bug of ours; 130: interrupted;
* nothing prints a traceback, unless RULERUN_DEBUG=1 asks for it.

Start-up time matters here: this file imports click and `source` only, and a command's file when that command is called.
"""

from __future__ import annotations

import errno
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from rulerun.faces.gate import gated
from rulerun.source.diagnostic import Diagnostic, RulesetError, Severity, UsageError
from rulerun.source.paths import is_there
from rulerun.source.visible import visible

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

DONE, FAULTY, WRONG_USAGE, OUR_BUG, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 3, 130, 141

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("rulerun.faces.run:run", "Let bots play one game and tell it turn by turn."),
    "play": ("rulerun.faces.play:play", "Take a seat (or several) and play."),
    "check": ("rulerun.faces.check:check", "Look for mistakes in rulesets."),
    "test": ("rulerun.faces.test:test", "Run the tests that stand beside rulesets."),
    "sim": ("rulerun.faces.sim:sim", "Play many games and sum them up."),
    "replay": ("rulerun.faces.replay:replay", "Tell a game again from its log."),
    "ir": ("rulerun.faces.ir:ir", "Show what the rules were compiled to."),
    "list": ("rulerun.faces.list:list_rulesets", "Show the rulesets that come along."),
    "schema": ("rulerun.faces.schema:schema", "Print the JSON Schema of a ruleset, for editors."),
    "completion": ("rulerun.faces.completion:completion", "Print a script that completes command lines in a shell."),
    "cache": ("rulerun.faces.cache:cache", "Show or clear what is kept between starts."),
    "explain": ("rulerun.faces.explain:explain", "Say more about a code such as RR0203."),
}
"""Name -> where it lives, and its one line of help (told here, so that ``--help`` need not import every command)."""


class Commands(click.Group):
    """A group that imports a command when it is called, and reads ``rulerun FILE`` as ``rulerun run FILE``."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name][0].split(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands and rulesets that come along, without importing the commands."""
        from rulerun.faces.completion import items, shipped

        named = items([(name, about) for name, (_, about) in COMMANDS.items()], incomplete)
        return [*named, *shipped(incomplete), *click.Command.shell_complete(self, ctx, incomplete)]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in COMMANDS and args[0] not in {"--help", "-h", "--version"}:
            word = args[0]
            if word == "help" and len(args) <= 2 and not is_there(word):
                args = [args[1], "--help"] if len(args) == 2 and args[1] in COMMANDS else ["--help"]
            else:
                if not word.startswith("-") and not ctx.resilient_parsing:
                    _refuse_misspelt_command(word)
                args = ["run", *args]
        return super().parse_args(ctx, args)


def _refuse_misspelt_command(word: str) -> None:
    """A first word that is neither a file nor a shipped ruleset, but nearly a command, is taken for a slip."""
    from rulerun.source.shipped import shipped_names
    from rulerun.source.spell import nearest

    if is_there(word) or "." in word or os.sep in word:
        return
    rulesets = shipped_names()
    if word in rulesets:
        return
    command = nearest(word, list(COMMANDS))
    if command is not None and nearest(word, [*rulesets, *COMMANDS]) == command:
        raise UsageError(f"there is no command (and no ruleset) '{word}'; did you mean '{command}'?")


def _show_version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(f"rulerun {version()}")
        ctx.exit()


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    options_metavar="",
    subcommand_metavar="COMMAND | FILE ...",
    epilog="FILE is the path of a ruleset, - for standard input, or the name of one that comes along (rulerun list). "
    "'rulerun FILE' is short for 'rulerun run FILE'. 'rulerun COMMAND --help' says more.",
)
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_show_version, help="Show the version."
)
def commands() -> None:
    """Card games written as text files: play, check and try them out."""


def version() -> str:
    """The version of the installed distribution, or "unknown" in a tree that was never installed."""
    from importlib import metadata

    try:
        return metadata.version("rulerun")
    except metadata.PackageNotFoundError:
        return "unknown"


def main(arguments: Sequence[str] | None = None, program: str = "rulerun") -> None:
    """The console script. Never returns: it exits with the code that the contract says. ``program``: what it was called
    by, for messages."""
    gc.set_threshold(100_000, 20, 100)  # start-up makes many objects that last: going through them often costs 30 ms
    sys.exit(call(list(sys.argv[1:] if arguments is None else arguments), program))


def call(arguments: list[str], program: str = "rulerun") -> int:
    """Carry a command line out and give its exit code; messages have been written then."""
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):  # a terminal of another encoding shows "?" rather than ending the game
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    with gated():
        return _call(arguments, program)


def _call(arguments: list[str], program: str) -> int:
    try:
        wanted = os.environ.get("_RULERUN_COMPLETE")
        if wanted:
            from rulerun.faces.completion import answer

            return answer(commands, wanted)
        if not arguments:
            arguments = ["--help"]
        with commands.make_context(
            program, arguments, color=_colour()
        ) as context:  # not `main`: that has exit codes of its own
            code = commands.invoke(context)
        sys.stdout.flush()
        return code if isinstance(code, int) else DONE
    except BrokenPipeError:
        _silence_stdout()
        return PIPE_CLOSED
    except (KeyboardInterrupt, click.Abort):
        _say("\ninterrupted")
        return INTERRUPTED
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        _say(f"error: {_usage_message(error)}")
        if error.ctx is not None and error.ctx.command_path:
            _say(f"  see: {error.ctx.command_path} --help")
        return WRONG_USAGE
    except click.ClickException as error:
        _say(f"error: {error.format_message()}")
        return WRONG_USAGE
    except UsageError as error:
        _say(f"error: {error}")
        return WRONG_USAGE
    except RulesetError as error:
        from rulerun.source.render import render

        _say(render(error.diagnostics, "full", colour=True).rstrip("\n"), coloured=True)
        return exit_code(error.diagnostics)
    except OSError as error:
        if error.errno not in _NO_ROOM:
            return _told(error)
        _silence_stdout()
        _say(f"error: the output cannot be written: {error.strerror}")
        return WRONG_USAGE
    except Exception as error:  # the last net: whatever falls in here is a bug of ours, or a fault during play
        return _told(error)


def _open_closed_streams() -> None:
    """A stream that the caller closed (``<&-``, a service without a terminal) is None in Python: let it be empty."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - for the rest of the process


def exit_code(diagnostics: Sequence[Diagnostic]) -> int:
    """1 for a ruleset with errors; 2 where all of them lie in what ``--set`` and ``--with`` said; 0 for none."""
    errors = [d for d in diagnostics if d.severity is Severity.ERROR]
    if not errors:
        return DONE
    return WRONG_USAGE if all(d.span is not None and d.span.source.name.startswith("--") for d in errors) else FAULTY


def _told(error: Exception) -> int:
    """Tell a fault during play, or else a bug of ours."""
    from rulerun.faces.faults import fault_text, is_rules_fault

    if is_rules_fault(error):
        _say(fault_text(error))
        return FAULTY
    if os.environ.get("RULERUN_DEBUG") == "1":
        import traceback

        traceback.print_exception(error)
    place = ""
    step = error.__traceback__
    while step is not None:
        place = f"{os.path.basename(step.tb_frame.f_code.co_filename)}:{step.tb_lineno}"
        step = step.tb_next
    what = " ".join(str(error).split())[:200]
    _say(
        f"error: this is a bug in rulerun {version()}, please report it: {type(error).__name__}: {what} (at {place})\n"
        "  your ruleset is not to blame. RULERUN_DEBUG=1 shows the traceback, which helps in a report"
    )
    return OUR_BUG


def _usage_message(error: click.UsageError) -> str:
    message = error.format_message()
    return message[:1].lower() + message[1:] if message[:2].istitle() or message[:1].isupper() else message


def _colour() -> bool | None:
    """Whether click may colour: not against NO_COLOR (https://no-color.org); None: on terminals."""
    return False if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" else None


def _say(text: str, *, coloured: bool = False) -> None:
    """A message on stderr. It may hold names and words of strangers: only what is ``coloured`` by us has colours."""
    try:
        click.echo(visible(text, coloured=coloured), err=True, color=_colour())
    except BrokenPipeError:
        _silence_stdout()


def _silence_stdout() -> None:
    """Whoever read our output has left: point stdout at nothing, so that the interpreter's own flush stays quiet."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):  # no real file behind stdout (a test); nothing to do
        return
