"""`rulerun ir`: what a ruleset was compiled to, in the form that the tests of the compiler use."""

from __future__ import annotations

import click

from rulerun.faces.loading import file_argument, load_game, rules_options


@click.command()
@file_argument
@rules_options
def ir(file: str, players: int | None, settings: dict[str, str], variants: tuple[str, ...]) -> None:
    """Show what the rules were compiled to: places, procedures, blocks."""
    from rulerun.ir.printer import show

    program = load_game(file, players, settings, variants).program
    click.echo(show(program).rstrip("\n"))
