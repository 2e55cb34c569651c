"""`rulerun explain RR0203`: what a code means, with a bad example and a mended one."""

from __future__ import annotations

import textwrap

import click

from rulerun.faces.loading import json_option, print_json
from rulerun.source.diagnostic import UsageError

SCHEMA_VERSION = 1


@click.command()
@click.argument("code", required=False)
@json_option
def explain(code: str | None, as_json: bool) -> None:
    """Say more about a CODE such as RR0203: why it exists, an example, and how to mend it. Without CODE: list them
    all.
    """
    from rulerun.source.codes import CODES

    if code is None:
        if as_json:
            print_json({"schema_version": SCHEMA_VERSION, "codes": {k: CODES[k].title for k in sorted(CODES)}})
            return
        for name in sorted(CODES):
            click.echo(f"{click.style(name, fg='cyan')}  {CODES[name].title}")
        return
    wanted = code.upper()
    if wanted.isdigit():
        wanted = f"RR{int(wanted):04}"
    entry = CODES.get(wanted)
    if entry is None:
        from rulerun.source.spell import nearest

        near = nearest(wanted, sorted(CODES))
        hint = f"; did you mean {near}?" if near else ""
        raise UsageError(f"there is no code {code}{hint} ('rulerun explain' lists them all)")
    if as_json:
        print_json(
            {
                "schema_version": SCHEMA_VERSION,
                "code": wanted,
                "title": entry.title,
                "why": entry.why,
                "bad": entry.bad,
                "good": entry.good,
            }
        )
        return
    click.echo(f"{click.style(wanted, fg='cyan')}  {click.style(entry.title, bold=True)}\n")
    click.echo(textwrap.fill(entry.why, 88))
    for title, text in (("Not so:", entry.bad), ("But so:", entry.good)):
        if text:
            click.echo(f"\n{title}\n")
            click.echo("\n".join(f"    {line}" for line in text.strip("\n").split("\n")))
