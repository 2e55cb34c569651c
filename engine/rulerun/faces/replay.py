"""`rulerun replay`: a game told again from its log."""

from __future__ import annotations

import click

from rulerun.faces.loading import (
    carry_over_option,
    eyes_option,
    json_option,
    lazily,
    print_json,
    program_name,
    shell_word,
    whose_eyes,
)


@click.command()
@click.argument("log", metavar="LOG", shell_complete=lazily("complete_file"))
@click.option(
    "--ruleset",
    metavar="FILE",
    shell_complete=lazily("complete_ruleset"),
    help="The ruleset, if it is no longer where the log says.",
)
@carry_over_option
@eyes_option
@click.option("--trace", is_flag=True, help="Show each step with the rule line that it came from.")
@json_option
def replay(log: str, ruleset: str | None, carry_over: bool, eyes: str, trace: bool, as_json: bool) -> None:
    """Tell a game again from its LOG (written by --log, or a saved game); - reads standard input.

    A log fits the rules, options and variants that it was written with (comments, labels and names may change); its
    choices are checked one by one. With --carry-over a log of rules that were changed is told as far as it fits.
    """
    from rulerun.faces.run import document, tell
    from rulerun.faces.saving import game_of_log, read_log_file, state_of_log

    read = read_log_file(log)
    game = game_of_log(read, log, ruleset)
    seat = whose_eyes(eyes, game.players)
    state = state_of_log(game, read, log, carry_over=carry_over)
    if as_json:
        print_json(document(game, read.seed, state, None, seat))
    else:
        words = [*program_name().split(), "replay", log, *(["--ruleset", ruleset] if ruleset else [])]
        words += ["--carry-over"] if carry_over else []
        words += ["--eyes", eyes] if eyes != "table" else []
        command = " ".join(shell_word(word) for word in words)
        tell(game, read.seed, state, command, seat, state._indices() if trace else None)
