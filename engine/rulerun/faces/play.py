"""`rulerun play`: people take seats at a table of bots, or of each other."""

from __future__ import annotations

import re

import click

from rulerun.faces.loading import carry_over_option, chosen_seed, lazily, load_game, rules_options, seed_option
from rulerun.source.diagnostic import UsageError

_SEAT = re.compile(r"[pP]?([1-9][0-9]?)\Z")


@click.command()
@click.argument("file", metavar="[FILE]", required=False, shell_complete=lazily("complete_ruleset"))
@click.option(
    "--seat",
    "seats",
    multiple=True,
    metavar="N",
    help="The seat to take, from 1. Can be repeated (one screen, handed round), or 'all'. Default: 1.",
)
@rules_options
@seed_option
@click.option("--resume", metavar="FILE", shell_complete=lazily("complete_file"), help="Go on with a saved game.")
@carry_over_option
@click.option(
    "--log",
    "log_file",
    metavar="FILE",
    shell_complete=lazily("complete_file"),
    help="Keep the game's log here, for 'rulerun replay'.",
)
@click.option(
    "--ruleset",
    metavar="FILE",
    shell_complete=lazily("complete_ruleset"),
    help="With --resume: the ruleset, if it is no longer where it was.",
)
def play(
    file: str | None,
    seats: tuple[str, ...],
    players: int | None,
    settings: dict[str, str],
    variants: tuple[str, ...],
    seed: int | None,
    resume: str | None,
    carry_over: bool,
    log_file: str | None,
    ruleset: str | None,
) -> int:
    """Take a seat (or several) and play; bots play the others.

    You choose by number; '?' shows what else you can say. A game that is cut off is kept and can be resumed.
    """
    from rulerun.faces.session import Session

    if resume is not None:
        if players is not None or settings or variants or seed is not None:
            raise UsageError(
                "a saved game brings its own players, options, variants and seed: leave them out with --resume"
            )
        from rulerun.faces.saving import game_of_log, read_log_file, state_of_log

        read = read_log_file(resume)
        game = game_of_log(read, resume, ruleset or file)
        state = state_of_log(game, read, resume, carry_over=carry_over)
        seed = read.seed
    elif file is None:
        raise UsageError("name a ruleset, as in 'rulerun play NAME' ('rulerun list' shows those that come along)")
    else:
        if ruleset is not None or carry_over:
            raise UsageError(f"{'--carry-over' if ruleset is None else '--ruleset'} goes with --resume")
        game = load_game(file, players, settings, variants)
        seed = chosen_seed(seed)
        state = game.new(seed)
    people = taken_seats(seats, game.players)
    return Session(game, state, seed, people, log_file, resumed=resume is not None).play()


def taken_seats(seats: tuple[str, ...], players: int) -> list[int]:
    """Seats of people, from 0, from what ``--seat`` said."""
    if not seats:
        return [0]
    if "all" in seats:
        return list(range(players))
    taken = set()
    for text in seats:
        found = _SEAT.match(text)
        if found is None or int(found[1]) > players:
            raise UsageError(f"--seat {text}: there are the seats 1 to {players}")
        taken.add(int(found[1]) - 1)
    return sorted(taken)
