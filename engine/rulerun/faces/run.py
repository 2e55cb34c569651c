"""`rulerun run`: bots play one game, told turn by turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from rulerun.faces.loading import (
    again,
    chosen_seed,
    eyes_option,
    file_argument,
    json_option,
    lazily,
    load_game,
    print_json,
    rules_options,
    seed_option,
    whose_eyes,
)

if TYPE_CHECKING:
    from rulerun.faces.told import Told
    from rulerun.facts.faults import RulesFault
    from rulerun.game import Game, State

SCHEMA_VERSION = 2


@click.command()
@file_argument
@rules_options
@seed_option
@eyes_option
@click.option("--trace", is_flag=True, help="Show each step with the rule line that it came from.")
@click.option(
    "--log",
    "log_file",
    metavar="FILE",
    shell_complete=lazily("complete_file"),
    help="Write the game's log, for 'rulerun replay'.",
)
@json_option
def run(
    file: str,
    players: int | None,
    settings: dict[str, str],
    variants: tuple[str, ...],
    seed: int | None,
    eyes: str,
    trace: bool,
    log_file: str | None,
    as_json: bool,
) -> int:
    """Let bots play one game and tell it turn by turn, then the scores, the winners and the seed.

    'rulerun FILE' is short for 'rulerun run FILE'.
    """
    from rulerun.faces.told import tell_game
    from rulerun.facts.faults import RulesFault
    from rulerun.play.bots import RandomBot

    game = load_game(file, players, settings, variants)
    seat = whose_eyes(eyes, game.players)
    seed = chosen_seed(seed)
    fault: RulesFault | None = None
    interrupted = False
    bot = RandomBot(seed)
    state: State | None = None
    taken: list[int] = []
    try:
        state = game.new(seed)
        while not state.is_over:
            assert state.seat is not None
            taken.append(bot.choose(state.view(state.seat), state.options))
            state.choose(taken[-1], at=len(taken) - 1)
    except RulesFault as error:
        fault = error
    except KeyboardInterrupt:
        interrupted = True
    told = tell_game(state, seat)
    fault = fault or told.fault
    if as_json:
        print_json(document(game, seed, state, told, fault, seat))
    else:
        command = again("run", game, seed, settings)
        command = command if eyes == "table" else f"{command} --eyes {eyes}"
        tell(game, seed, state, told, command, taken if trace else None)
    if log_file is not None and state is not None:
        from rulerun.faces.saving import write_log

        write_log(state, log_file)
    if fault is not None:
        from rulerun.faces.faults import fault_text

        click.echo(fault_text(fault, again("run", game, seed, settings)), err=True)
        return 1
    return 130 if interrupted else 0


def tell(
    game: Game, seed: int, state: State | None, told: Told, command: str, taken: Sequence[int] | None = None
) -> None:
    """A game as text on stdout: its story, scores, winners, seed. With the indices ``taken`` of all options: the trace
    instead."""
    from rulerun.faces.result import header, score_table, winners_line
    from rulerun.faces.screen import Screen

    screen = Screen()
    over = state is not None and state.is_over
    screen.line(header(game), "bold")
    screen.line()
    if taken is not None:
        from rulerun.faces.trace import traced

        for line in traced(game, seed, taken):
            screen.console.print(line, soft_wrap=True)
    else:
        whole = over and told.fault is None
        passages = told.passages[:-1] if whole else told.passages  # the last tells the result, as the table does
        screen.story(passages, spaced=True)
    screen.line()
    if state is not None and over:
        screen.put(score_table(state))
        screen.line(winners_line(state), "bold")
    else:
        screen.line("The game stops here.")
    choices = 0 if state is None else len(state)
    screen.line(f"seed {seed}, {choices} choice{'' if choices == 1 else 's'}; again: {command}", "dim")


def document(
    game: Game, seed: int, state: State | None, told: Told, fault: RulesFault | None, eyes: int | None
) -> dict[str, object]:
    """A game for --json. Seats are told as P1, P2, … For the eyes of a seat all that it says is what this seat is told;
    else the story alone is told to ``eyes``."""
    from rulerun.faces.faults import fault_document

    over = state is not None and state.is_over
    result: dict[str, object] = {
        "schema_version": SCHEMA_VERSION,
        "game": game.name,
        "players": game.players,
        "options": game.settings,
        "variants": list(game.variants),
        "identity": game.identity,
        "seed": seed,
        "over": over,
        "scores": list(state.scores) if state is not None and over else None,
        "winners": [f"P{seat + 1}" for seat in state.winners] if state is not None and over else None,
        "decisions": 0 if state is None else len(state),
        "choices": [{"seat": f"P{c.seat + 1}", "key": c.key, "label": c.label} for c in told.choices],
        "story": [sentence for passage in told.passages for sentence in passage.sentences],
        "fault": None if fault is None else fault_document(fault),
    }
    if eyes is not None and eyes < game.players:
        result |= told_to(told, fault)
    return result


def told_to(told: Told, fault: RulesFault | None) -> dict[str, object]:
    """What of a document is not for the eyes of one seat, as it may be told to it: neither the seed, nor what others
    chose unseen, nor what a fault says of the values that it came of."""
    return {
        "seed": None,
        "decisions": len(told.heard),
        "choices": [{"seat": f"P{c.chooser + 1}", "key": c.key, "label": c.label} for c in told.heard],
        "fault": None if fault is None else {"code": fault.code},
    }
