"""`rulerun replay`: a game told again from its log."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from rulerun.game import State


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
def replay(log: str, ruleset: str | None, carry_over: bool, eyes: str, trace: bool, as_json: bool) -> int:
    """Tell a game again from its LOG (written by --log, or a saved game); - reads standard input.

    A log fits the rules, options and variants that it was written with (comments, labels and names may change); its
    choices are checked one by one. With --carry-over a log of rules that were changed is told as far as it fits.
    """
    from rulerun.faces.faults import fault_text
    from rulerun.faces.run import document, tell
    from rulerun.faces.saving import game_of_log, read_log_file, state_of_log
    from rulerun.faces.told import tell_game
    from rulerun.facts.faults import RulesFault

    read = read_log_file(log)
    game = game_of_log(read, log, ruleset)
    seat = whose_eyes(eyes, game.players)
    words = [*program_name().split(), "replay", log, *(["--ruleset", ruleset] if ruleset else [])]
    words += ["--carry-over"] if carry_over else []
    words += ["--eyes", eyes] if eyes != "table" else []
    command = " ".join(shell_word(word) for word in words)
    state: State | None = None
    fault: RulesFault | None = None
    try:
        state = state_of_log(game, read, log, carry_over=carry_over)
    except RulesFault as error:
        fault = error
    told = tell_game(state, seat)
    fault = fault or told.fault
    if as_json:
        print_json(document(game, read.seed, state, told, fault, seat))
    else:
        tell(game, read.seed, state, told, command, state._indices() if trace and state is not None else None)
    if fault is not None:
        click.echo(fault_text(fault, command), err=True)
        return 1
    return 0
