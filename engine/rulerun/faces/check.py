"""`rulerun check`: looks for mistakes in rulesets, without playing unless ``--deep`` is asked for (`faces.deep`). The
quick one: it imports what it needs and no more.
"""

from __future__ import annotations

from functools import partial

import click

from rulerun.faces.cli import exit_code
from rulerun.faces.loading import Opened, lazily, open_ruleset, players_option, seed_option, settings_options
from rulerun.source.diagnostic import Diagnostic, Diagnostics, Severity, UsageError

SCHEMA_VERSION = 1


@click.command()
@click.argument("files", metavar="FILES...", nargs=-1, required=True, shell_complete=lazily("complete_ruleset"))
@click.option(
    "--output",
    type=click.Choice(["full", "concise", "json"]),
    default="full",
    show_default=True,
    help="full: with the line and a way out; concise: a line each; json: for programs.",
)
@click.option("--json", "as_json", is_flag=True, help="Short for --output json.")
@settings_options
@partial(players_option, default="the fewest and the most the game allows")
@click.option("--deep", is_flag=True, help="Play as well, and try what must hold in every game.")
@click.option("-n", "--games", type=click.IntRange(1, 10_000), help="With --deep: how many games. Default: 2.")
@partial(seed_option, default="0")
@click.option("--all", "every_variant", is_flag=True, help="With --deep: with each variant, too.")
def check(
    files: tuple[str, ...],
    output: str,
    as_json: bool,
    players: int | None,
    settings: dict[str, str],
    variants: tuple[str, ...],
    deep: bool,
    games: int | None,
    seed: int | None,
    every_variant: bool,
) -> int:
    """Look for mistakes in rulesets.

    Each FILE is a path, - for standard input, or the name of a ruleset that comes along. A ruleset is checked for the
    fewest and the most players, and with each of its variants; with --players or --with, for just that. Exit code 1
    if any has an error.

    With --deep each ruleset without an error is played, too, and it is tried whether cards are kept, undo, saves and
    replays are exact, views tell no more than they may, sampled worlds are alike, and much else.
    """
    if not deep and (games is not None or seed is not None or every_variant):
        raise UsageError("--games, --seed and --all go with --deep")
    if as_json:
        output = "json"
    everything: list[Diagnostic] = []
    unreadable: list[tuple[str, str]] = []
    reports: list[dict[str, object]] | None = [] if deep else None
    for file in files:
        try:
            if file.endswith((".test.yaml", ".test.yml")):
                raise UsageError(f"{file} is a file of tests: use 'rulerun test {file}'")
            opened = open_ruleset(file)
            found, ok = examine(opened, players, settings, variants)
        except UsageError as error:
            if len(files) == 1:
                raise
            unreadable.append((file, str(error)))
            continue
        everything += found
        if output != "json":
            _tell(found, ok, output)
        if reports is not None and ok:
            from rulerun.faces import deep as faces_deep

            found_deep = faces_deep.examine_ruleset(
                file,
                opened,
                players=players,
                settings=settings,
                variants=variants,
                every_variant=every_variant,
                games=games,
                seed=seed or 0,
                quiet=output == "json",
            )
            reports += [faces_deep.as_document(report, file) for report in found_deep]
    if output == "json":
        _tell_json(everything, unreadable, reports)
    for _, message in unreadable:
        click.echo(f"error: {message}", err=True)
    if unreadable:
        return 2
    if reports and not all(report["ok"] for report in reports):
        return 1
    return exit_code(everything)


def examine(
    opened: Opened, players: int | None, settings: dict[str, str], variants: tuple[str, ...]
) -> tuple[list[Diagnostic], str]:
    """All findings of a ruleset, each told once, and what to say of it if there is no error ("mine.yaml: My Game, 2-5
    players").
    """
    from rulerun.check import check_ruleset, compile_ruleset
    from rulerun.document import read_files

    found = Diagnostics()
    files = read_files(opened.source, folder=opened.folder, found=found)
    ruleset = files.ruleset(variants=variants, settings=settings, found=found) if files is not None else None
    if files is None or ruleset is None or found.has_errors:
        return found.found, ""
    fewest, most = ruleset.players
    if players is not None and not fewest <= players <= most:
        allowed = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise UsageError(f"{ruleset.game} is for {allowed} players, not {players}")
    if players is not None:
        compile_ruleset(ruleset, players, found)
    else:
        check_ruleset(ruleset, found)
    if found.has_errors:
        return found.found, ""
    if not variants and players is None:
        for variant in ruleset.variants:
            varied = Diagnostics()
            other = files.ruleset(variants=[variant.name], settings=settings, found=varied)
            if other is not None and not varied.has_errors:
                compile_ruleset(other, fewest, varied)
            # A variant that cannot be laid on an extending file is told when somebody wants both.
            found.found += [d for d in varied.found if d.code != "RR0124"]
    span = f"{fewest}" if fewest == most else f"{fewest}-{most}"
    counted = len(ruleset.variants)
    about = f", {counted} variant{'s' if counted != 1 else ''}" if counted else ""
    return found.found, f"{opened.source.name}: ok ({ruleset.game}, {span} players{about})"


def _tell(found: list[Diagnostic], ok: str, output: str) -> None:
    if found:
        from rulerun.source.render import render

        click.echo(render(found, output, colour=True).rstrip("\n"))
    if ok and not any(d.severity is Severity.ERROR for d in found):
        click.echo(ok.replace(": ok ", f": {click.style('ok', fg='green')} ", 1))


def _tell_json(
    found: list[Diagnostic], unreadable: list[tuple[str, str]], reports: list[dict[str, object]] | None
) -> None:
    """What `render` makes of the findings, with the files that could not be read."""
    import json

    from rulerun.source.render import render

    document = {"schema_version": SCHEMA_VERSION, "diagnostics": json.loads(render(found, "json"))}
    document["unreadable"] = [{"file": file, "message": message} for file, message in unreadable]
    if reports is not None:
        document["deep"] = reports
    click.echo(json.dumps(document, ensure_ascii=False, indent=2))
