"""`rulerun check --deep`: tries the invariants of `play.conformance` on a ruleset and tells what came of it.

Imported only when it is asked for, so that plain `check` stays quick.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from rulerun.faces.gate import behind
from rulerun.faces.loading import STDIN, Opened, locate
from rulerun.game import Game, load
from rulerun.play.conformance import DEPTH, GAMES, Asked, Finding, Report, Show, examine
from rulerun.source.visible import visible

COLOURS = {"ok": "green", "FAILED": "red", "skipped": "yellow"}


def examine_ruleset(
    file: str,
    opened: Opened,
    *,
    players: int | None,
    settings: dict[str, str],
    variants: tuple[str, ...],
    every_variant: bool,
    games: int | None,
    seed: int,
    quiet: bool,
) -> list[Report]:
    """Examines a ruleset (which has no error) for the fewest and the most players, or those asked for; with
    ``every_variant`` with each of its variants, too. ``quiet``: nothing is printed."""
    source = opened.source if file == STDIN else locate(file)

    def loaded(number: int | None, with_: tuple[str, ...]) -> Game:
        return load(source, players=number, options=settings, variants=with_)

    first = loaded(players, variants)
    numbers = sorted(set(first.player_range)) if players is None else [players]
    sets = [variants]
    if every_variant:
        sets += [(*variants, name) for name in first.offered_variants if name not in variants]
    reports = []
    for with_ in sets:
        for number in numbers:
            game = loaded(number, with_)
            with _progress(_name(game.name, number, with_), quiet) as show:
                report = examine(game, seed=seed, games=GAMES if games is None else games, depth=DEPTH, show=show)
            reports.append(report)
            if not quiet:
                _tell(report, file)
    return reports


def _name(game: str, players: int, variants: tuple[str, ...]) -> str:
    return f"{game}, {players} player{'s' if players != 1 else ''}{''.join(f', {v}' for v in variants)}"


@contextmanager
def _progress(name: str, quiet: bool) -> Iterator[Show | None]:
    """A line on stderr that says how far it is, where a person looks on."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    shown = -1

    def show(done: int, parts: int) -> None:
        nonlocal shown
        percent = 100 * done // max(parts, 1)
        if percent != shown:
            shown = percent
            behind(sys.stderr).write("\r")
            click.echo(f"{name}: {percent:3}%", nl=False, err=True)

    try:
        yield show
    finally:
        behind(sys.stderr).write("\r" + " " * (len(visible(name)) + 6) + "\r")


def _tell(report: Report, file: str) -> None:
    number = len(report.findings)
    verdict = click.style("ok", fg="green") if not number else click.style(f"{number} FAILED", fg="red")
    name = _name(report.game, report.players, report.variants)
    games = f"{report.games} game{'s' if report.games != 1 else ''}"
    click.echo(f"{name}: {verdict} ({games}, {report.decisions:,} choices, seed {report.seed})")
    for asked in report.asked:
        outcome = click.style(f"{asked.outcome:8}", fg=COLOURS[asked.outcome])
        click.echo(f"  {outcome}{asked.name:11}{asked.about} {click.style(_extent(asked), dim=True)}")
        if asked.finding is not None:
            _tell_finding(asked.finding, report, file)


def _extent(asked: Asked) -> str:
    parts = [f"{asked.positions:,} position{'s' if asked.positions != 1 else ''}"] if asked.positions else []
    if asked.skipped and asked.remark:
        parts.append(f"not at {asked.skipped}: {asked.remark}")
    elif asked.remark:
        parts.append(asked.remark)
    return f"({'; '.join(parts)})"


def _tell_finding(finding: Finding, report: Report, file: str) -> None:
    click.echo(f"    {finding.message}")
    for text in finding.texts:
        click.echo(f"      {text}")
    way = finding.told or finding.choices
    if not way:
        click.echo(f"    seed {finding.seed}, at the start")
    else:
        number = len(way)
        click.echo(f"    seed {finding.seed}, after {number} choice{'s' if number != 1 else ''}:")
        for words in way:
            click.echo(f"      {words}")
    if finding.told or not finding.choices:
        arguments = [repr(file), f"players={report.players}"]
        if report.variants:
            arguments.append(f"variants={list(report.variants)!r}")
        game = f"rulerun.load({', '.join(arguments)})"
        again = f"{game}.replay({finding.seed}, {list(finding.choices)!r})"
        if finding.again:
            again = f"from rulerun.play.exchange import leaks; leaks({game}, {finding.again})"
        click.echo(click.style(f"    in Python: {again}", dim=True))


def as_document(report: Report, file: str) -> dict[str, object]:
    """JSON form of a report."""
    return {
        "file": file,
        "game": report.game,
        "players": report.players,
        "variants": list(report.variants),
        "seed": report.seed,
        "games": report.games,
        "decisions": report.decisions,
        "ok": not report.findings,
        "exchange": {
            "pairs": report.exchange.pairs,
            "compared": report.exchange.compared,
            "disclosed": report.exchange.disclosed,
            "leaks": [
                {
                    "reader": leak.reader,
                    "what": leak.what,
                    "at": None if leak.origin is None else str(leak.origin),
                    "exchanged": leak.exchanged,
                    "given": [leak.left, leak.right],
                    "choices": list(leak.way),
                    "number": leak.number,
                }
                for leak in report.exchange.leaks
            ],
        },
        "invariants": [
            {
                "name": asked.name,
                "about": asked.about,
                "outcome": asked.outcome.lower(),
                "positions": asked.positions,
                "skipped": asked.skipped,
                "remark": asked.remark,
                "finding": None
                if asked.finding is None
                else {
                    "message": asked.finding.message,
                    "seed": asked.finding.seed,
                    "choices": list(asked.finding.choices),
                    "labels": list(asked.finding.told),
                },
            }
            for asked in report.asked
        ],
    }
