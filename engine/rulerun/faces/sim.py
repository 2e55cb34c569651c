"""`rulerun sim`: plays many games with random bots and sums them up."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from rulerun.faces.loading import (
    again,
    chosen_seed,
    file_argument,
    json_option,
    load_game,
    print_json,
    rules_options,
    seed_option,
)

if TYPE_CHECKING:
    from rulerun.game import Game
    from rulerun.play.simulate import Faulted
    from rulerun.play.statistics import Tally
    from rulerun.play.volume import Volume

SCHEMA_VERSION = 2


@click.command()
@file_argument
@click.option(
    "-n", "--games", type=click.IntRange(1, 100_000_000), default=1000, show_default=True, help="How many games."
)
@rules_options
@seed_option
@click.option(
    "--bot",
    type=click.Choice(["random"]),
    default="random",
    show_default=True,
    help="Who plays: any option, each as likely.",
)
@click.option(
    "--executor",
    type=click.Choice(["auto", "native", "interpreter"]),
    default="auto",
    show_default=True,
    help="What runs the rules. auto: machine code if llvmlite is installed. All give the same games.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Threads of the native executor. The result is the same for any number.",
)
@click.option("-v", "--verbose", is_flag=True, help="Say on stderr which executor runs, and why.")
@json_option
def sim(
    file: str,
    games: int,
    players: int | None,
    settings: dict[str, str],
    variants: tuple[str, ...],
    seed: int | None,
    bot: str,
    executor: str,
    jobs: int,
    verbose: bool,
    as_json: bool,
) -> int:
    """Play many games and sum them up: wins by seat, scores, length, branching, games that the limit ended, faults.

    The numbers depend on the ruleset, the settings and the seed alone. Exit code 1 if a game had a fault. No game is
    told, so a fault in the label of an option is not found here: 'rulerun check --deep' finds it.
    """
    from rulerun.play.volume import ExecutorError, play_many
    from rulerun.source.diagnostic import UsageError

    seed = chosen_seed(seed)
    game = load_game(file, players, settings, variants)
    try:
        with _watched(games) as show:
            volume = play_many(game.program, games, seed, executor=executor, jobs=jobs, show=show)
    except ExecutorError as error:
        raise UsageError(f"--executor {executor}: {error}") from None
    seconds = volume.seconds
    tally, faults = volume.tally, volume.faults
    if volume.native_failed and not verbose:
        click.echo(f"played by the interpreter: {volume.why}", err=True)
    if verbose:
        click.echo(f"executor: {volume.executor}, ready in {volume.ready_seconds:.2f} s", err=True)
        if volume.why:
            click.echo(f"  {volume.why}", err=True)
    commands = [again("run", game, f.seed, settings) for f in faults]
    repeat = again("sim", game, seed, settings).replace(" sim ", f" sim -n {games} ", 1)
    if as_json:
        print_json(_report(game, volume, commands, seed, seconds, bot))
    else:
        _tell(game, volume, seed, seconds, settings)
        screen_line(f"again: {repeat}", "dim")
    _tell_faults(tally, faults, commands)
    if volume.interrupted:
        click.echo(f"interrupted after {tally.games + tally.faults} of {games} games", err=True)
        return 130
    return 1 if tally.faults else 0


def screen_line(text: str, style: str = "") -> None:
    """A line on stdout."""
    from rulerun.faces.screen import Screen

    Screen().line(text, style)


@contextmanager
def _watched(games: int) -> Iterator[Callable[[int], None] | None]:
    """A function that shows on stderr how many games are done; None unless a person looks on."""
    from rulerun.faces.gate import behind
    from rulerun.faces.screen import Screen

    screen = Screen(behind(sys.stderr))
    if not screen.on_terminal:
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    done = TextColumn("{task.completed:,.0f} of {task.total:,.0f} games", markup=False)
    with Progress(BarColumn(), done, TimeRemainingColumn(), console=screen.console, transient=True) as progress:
        task = progress.add_task("", total=games)
        yield lambda played: progress.update(task, completed=played)


def _report(
    game: Game, volume: Volume, commands: list[str], seed: int, seconds: float, bot: str
) -> dict[str, Any]:
    """The JSON document. Only `seconds` and `decisions_per_second` differ from run to run."""
    tally = volume.tally
    rates = [tally.win_rate(seat) for seat in range(game.players)]
    return {
        "schema_version": SCHEMA_VERSION,
        "game": game.name,
        "players": game.players,
        "options": game.settings,
        "variants": list(game.variants),
        "identity": game.identity,
        "games": tally.games,
        "seed": seed,
        "bot": bot,
        "executor": volume.executor,
        "seconds": round(seconds, 3),
        "decisions": tally.decisions,
        "decisions_per_second": round(tally.decisions / seconds) if seconds else 0,
        "wins": [round(w, 6) for w in tally.wins],
        "win_rate": [round(rate, 6) for rate, _, _ in rates],
        "win_rate_interval": [[round(low, 6), round(high, 6)] for _, low, high in rates],
        **_teams(game, tally),
        "mean_score": [round(s.mean, 6) for s in tally.scores],
        "sd_score": [round(s.sd, 6) for s in tally.scores],
        "score_range": [[s.least, s.greatest] for s in tally.scores],
        "mean_decisions": round(tally.length.mean, 6),
        "sd_decisions": round(tally.length.sd, 6),
        "decisions_range": [tally.length.least, tally.length.greatest],
        "mean_options": round(tally.mean_options, 6),
        "notable": [{"what": n.what, "seed": n.seed, "decisions": n.decisions} for n in volume.highlights],
        "limited": tally.limited,
        "faults": tally.faults,
        "first_faults": [
            {
                "seed": f.seed,
                "code": f.fault.code,
                "message": f.fault.message,
                "place": str(f.fault.origin) if f.fault.origin else None,
                "decisions": f.decisions,
                "command": command,
            }
            for f, command in zip(volume.faults, commands, strict=True)
        ],
    }


def _teams(game: Game, tally: Tally) -> dict[str, Any]:
    """What teams won, where there are teams."""
    rates = tally.team_rates(game.program.teams)
    if not rates:
        return {}
    return {
        "team_win_rate": [round(rate, 6) for rate, _, _ in rates],
        "team_win_rate_interval": [[round(low, 6), round(high, 6)] for _, low, high in rates],
    }


WHAT = {"longest": "longest", "shortest": "shortest", "fault": "first fault", "tie": "first shared win"}


def _tell(game: Game, volume: Volume, seed: int, seconds: float, settings: dict[str, str]) -> None:
    from rich.table import Table

    from rulerun.faces.screen import Screen, grid

    tally, highlights = volume.tally, volume.highlights
    screen = Screen()
    variants = "".join(f", {name}" for name in game.variants)
    screen.line(f"{game.name}: {tally.games:,} games of {game.players} players{variants}", "bold")
    screen.line()
    if tally.games:
        table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
        table.add_column("seat")
        for name in ("wins", "rate", "95 % interval", "score", "sd", "range"):
            table.add_column(name, justify="right", no_wrap=True)
        for seat, scores in enumerate(tally.scores):
            rate, low, high = tally.win_rate(seat)
            table.add_row(
                f"P{seat + 1}",
                f"{tally.wins[seat]:,.1f}",
                f"{rate:.1%}",
                f"{low:.1%} to {high:.1%}",
                f"{scores.mean:.2f}",
                f"{scores.sd:.2f}",
                f"{scores.least:g}..{scores.greatest:g}",
            )
        for team, (rate, low, high) in enumerate(tally.team_rates(game.program.teams)):
            wins = f"{rate * tally.games:,.1f}"
            table.add_row(f"team {team + 1}", wins, f"{rate:.1%}", f"{low:.1%} to {high:.1%}", "", "", "")
        screen.put(table)
        screen.line()
    facts = grid("left", "left")
    facts.columns[0].min_width = len("decisions a game")
    if tally.games:
        length = tally.length
        span = f"{length.mean:.1f} (sd {length.sd:.1f}, {length.least:g}..{length.greatest:g})"
        facts.add_row("decisions a game", span)
        facts.add_row("options a choice", f"{tally.mean_options:.2f}")
    games = f"{tally.faults:,} of {tally.games + tally.faults:,} games"
    if game.program.limit_is_draw:
        reached = f"{tally.limited:,} of {tally.games:,} games, as a draw" if tally.limited else "none"
        facts.add_row("ended by the limit", reached, style="yellow" if tally.limited else "")
    facts.add_row("faults", games if tally.faults else "none", style="bold red" if tally.faults else "")
    speed = f" ({tally.decisions / seconds:,.0f} decisions a second, {volume.executor})" if seconds else ""
    facts.add_row("played in", f"{seconds:.2f} s{speed}", style="dim")
    facts.add_row("seed", str(seed))
    screen.put(facts)
    if highlights:
        screen.line()
        worth = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
        worth.add_column("worth a look", no_wrap=True)
        worth.add_column("decisions", justify="right", no_wrap=True)
        worth.add_column("seed", justify="right", no_wrap=True)
        for found in highlights:
            worth.add_row(WHAT[found.what], f"{found.decisions:,}", str(found.seed))
        screen.put(worth)
        command = again("run", game, 0, settings).removesuffix(" 0")
        screen.line(f"to see one: {command} SEED", "dim")


def _tell_faults(tally: Tally, faults: list[Faulted], commands: list[str]) -> None:
    for fault, command in zip(faults, commands, strict=True):
        place = f"{fault.fault.origin}: " if fault.fault.origin else ""
        click.echo(
            f"{click.style('fault', fg='red', bold=True)} {place}{fault.fault.code} {fault.fault.message}", err=True
        )
        decisions = f"{fault.decisions} decision{'' if fault.decisions == 1 else 's'}"
        click.echo(f"  after {decisions}; to see it: {command}", err=True)
    if len(faults) < tally.faults:
        click.echo(f"  and {tally.faults - len(faults):,} more", err=True)
