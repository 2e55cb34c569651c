"""`rulerun sim`: plays many games with random bots and sums them up."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click

from rulerun.faces.colour import Paint, is_terminal, wants_colour
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
    from rulerun.ir.program import Program
    from rulerun.play.simulate import Faulted
    from rulerun.play.statistics import Tally

SCHEMA_VERSION = 1
FAULTS_SHOWN = 5


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
@json_option
def sim(
    file: str,
    games: int,
    players: int | None,
    settings: dict[str, str],
    variants: tuple[str, ...],
    seed: int | None,
    bot: str,
    as_json: bool,
) -> int:
    """Play many games and sum them up: wins by seat, scores, length, branching, faults.

    The numbers depend on the ruleset, the settings and the seed alone. Exit code 1 if a game had a fault.
    """
    from rulerun.play.simulate import Played, simulate
    from rulerun.play.statistics import Tally

    seed = chosen_seed(seed)
    game = load_game(file, players, settings, variants)
    program = game.program
    tally = Tally(program.players)
    faults: list[Faulted] = []
    interrupted = False
    progress = _Progress(games)
    series = simulate(program, games, seed)
    started = time.perf_counter()
    try:
        for played in series:
            if isinstance(played, Played):
                tally.add(played.scores, played.winners, played.decisions, played.options)
            else:
                tally.faults += 1
                if len(faults) < FAULTS_SHOWN:
                    faults.append(played)
            progress.show(tally.games + tally.faults)
    except KeyboardInterrupt:
        interrupted = True
    seconds = time.perf_counter() - started
    progress.clear()
    commands = [again("run", game, f.seed, settings) for f in faults]
    report = _report(game, tally, faults, commands, seed, seconds, bot)
    if as_json:
        print_json(report)
    else:
        _tell(program, tally, faults, commands, seed, seconds)
    if interrupted:
        click.echo(f"interrupted after {tally.games + tally.faults} of {games} games", err=True)
        return 130
    return 1 if tally.faults else 0


class _Progress:
    """One line on stderr that says how far we are; nothing unless a person looks on."""

    def __init__(self, games: int) -> None:
        self.games = games
        self.on = is_terminal(sys.stderr)
        self.next = 0.0
        self.shown = False

    def show(self, done: int) -> None:
        if not self.on or (now := time.monotonic()) < self.next:
            return
        self.next = now + 0.1
        width = 30
        filled = width * done // self.games
        sys.stderr.write(f"\r{'━' * filled}{'╌' * (width - filled)} {done:,} of {self.games:,} games")
        sys.stderr.flush()
        self.shown = True

    def clear(self) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _report(
    game: Game,
    tally: Tally,
    faults: list[Faulted],
    commands: list[str],
    seed: int,
    seconds: float,
    bot: str,
) -> dict[str, Any]:
    """The JSON document. Only `seconds` and `decisions_per_second` differ from run to run."""
    rates = [tally.win_rate(seat) for seat in range(game.players)]
    return {
        "schema_version": SCHEMA_VERSION,
        "game": game.name,
        "players": game.players,
        "options": game.settings,
        "variants": list(game.variants),
        "source_hash": game.program.source_hash,
        "games": tally.games,
        "seed": seed,
        "bot": bot,
        "executor": "interpreter",
        "seconds": round(seconds, 3),
        "decisions": tally.decisions,
        "decisions_per_second": round(tally.decisions / seconds) if seconds else 0,
        "wins": [round(w, 6) for w in tally.wins],
        "win_rate": [round(rate, 6) for rate, _, _ in rates],
        "win_rate_interval": [[round(low, 6), round(high, 6)] for _, low, high in rates],
        "mean_score": [round(s.mean, 6) for s in tally.scores],
        "sd_score": [round(s.sd, 6) for s in tally.scores],
        "score_range": [[s.least, s.greatest] for s in tally.scores],
        "mean_decisions": round(tally.length.mean, 6),
        "sd_decisions": round(tally.length.sd, 6),
        "decisions_range": [tally.length.least, tally.length.greatest],
        "mean_options": round(tally.mean_options, 6),
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
            for f, command in zip(faults, commands, strict=True)
        ],
    }


def _tell(
    program: Program,
    tally: Tally,
    faults: list[Faulted],
    commands: list[str],
    seed: int,
    seconds: float,
) -> None:
    paint = Paint(wants_colour(sys.stdout))
    settings = "".join(f", {name}" for name in program.variants)
    click.echo(paint.strong(f"{program.game}: {tally.games:,} games of {program.players} players{settings}"))
    if tally.games:
        click.echo()
        click.echo(
            paint.faint(f"{'seat':<6}{'wins':>10}{'rate':>8}   {'95 % interval':<16}{'score':>8}{'sd':>8}{'range':>12}")
        )
        for seat, scores in enumerate(tally.scores):
            rate, low, high = tally.win_rate(seat)
            span = f"{scores.least:g}..{scores.greatest:g}"
            click.echo(
                f"{f'P{seat + 1}':<6}{tally.wins[seat]:>10.1f}{rate:>8.1%}   {f'{low:.1%} to {high:.1%}':<16}"
                f"{scores.mean:>8.2f}{scores.sd:>8.2f}{span:>12}"
            )
        click.echo()
        length = tally.length
        click.echo(f"decisions a game  {length.mean:.1f} (sd {length.sd:.1f}, {length.least:g}..{length.greatest:g})")
        click.echo(f"options a choice  {tally.mean_options:.2f}")
    done = tally.games + tally.faults
    if tally.faults:
        click.echo(paint.bad(f"faults            {tally.faults:,} of {done:,} games"))
    else:
        click.echo("faults            none")
    speed = f"{tally.decisions / seconds:,.0f} decisions a second" if seconds else ""
    click.echo(paint.faint(f"played in         {seconds:.2f} s ({speed}, interpreter)"))
    click.echo(f"seed              {seed}")
    for fault, command in zip(faults, commands, strict=True):
        place = f"{fault.fault.origin}: " if fault.fault.origin else ""
        click.echo(f"{paint.bad('fault')} {place}{fault.fault.code} {fault.fault.message}", err=True)
        click.echo(f"  after {fault.decisions} decisions; to see it: {command}", err=True)
    if len(faults) < tally.faults:
        click.echo(f"  and {tally.faults - len(faults):,} more", err=True)
