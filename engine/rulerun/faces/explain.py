"""`rulerun explain RR0203`: what a code means, with a bad example and a mended one.

``--all --markdown`` prints the page `docs/diagnostics.md`; a test compares the two.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from rulerun.faces.loading import json_option, print_json
from rulerun.source.diagnostic import UsageError

if TYPE_CHECKING:
    from rulerun.source.code import Code

SCHEMA_VERSION = 1

CHAPTERS = {
    "RR01": "The file: YAML, sections, keys, variants",
    "RR02": "Rule text: how it is written",
    "RR03": "Declarations: types, options, cards, zones, variables",
    "RR04": "Rule text: names and types",
    "RR05": "Rule text: what it does, who sees it, how it ends",
    "RR06": "Faults during play",
    "RR07": "Tests beside rulesets",
}


@click.command()
@click.argument("code", required=False)
@click.option("--all", "everything", is_flag=True, help="Explain every code.")
@click.option("--markdown", is_flag=True, help="Print Markdown, as in docs/diagnostics.md.")
@json_option
def explain(code: str | None, everything: bool, markdown: bool, as_json: bool) -> None:
    """Say more about a CODE such as RR0203: why it exists, an example, and how to mend it. Without CODE: list them
    all.
    """
    from rulerun.source.codes import CODES

    if code is not None and everything:
        raise UsageError("name a code, or say --all")
    if as_json and markdown:
        raise UsageError("--json and --markdown: choose one of them")
    if everything and not as_json:
        click.echo(
            page() if markdown else "\n\n".join(_told(name, CODES[name]) for name in sorted(CODES)), nl=not markdown
        )
        return
    if code is None:
        if as_json and everything:
            print_json({"schema_version": SCHEMA_VERSION, "codes": {k: _document(k, CODES[k]) for k in sorted(CODES)}})
        elif as_json:
            print_json({"schema_version": SCHEMA_VERSION, "codes": {k: CODES[k].title for k in sorted(CODES)}})
        else:
            for name in sorted(CODES):
                click.echo(f"* {name}: {CODES[name].title}" if markdown else _title(name, CODES[name], bold=False))
        return
    wanted = code.upper()
    if wanted.isdecimal() and len(wanted) <= 4:
        wanted = f"RR{int(wanted):04}"
    entry = CODES.get(wanted)
    if entry is None:
        from rulerun.source.spell import nearest

        near = nearest(wanted, sorted(CODES))
        hint = f"; did you mean {near}?" if near else ""
        raise UsageError(f"there is no code {code}{hint} ('rulerun explain' lists them all)")
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, **_document(wanted, entry)})
    else:
        click.echo(_section(wanted, entry) if markdown else _told(wanted, entry))


def _title(name: str, entry: Code, *, bold: bool) -> str:
    return f"{click.style(name, fg='cyan')}  {click.style(entry.title, bold=True) if bold else entry.title}"


def _told(name: str, entry: Code) -> str:
    parts = [_title(name, entry, bold=True), textwrap.fill(entry.why, 88)]
    for title, text in (("Not so:", entry.bad), ("But so:", entry.good)):
        if text:
            parts += [title, textwrap.indent(text.strip("\n"), "    ")]
    return "\n\n".join(parts)


def _document(name: str, entry: Code) -> dict[str, object]:
    return {"code": name, "title": entry.title, "why": entry.why, "bad": entry.bad, "good": entry.good}


def page() -> str:
    """`docs/diagnostics.md`: all codes, a chapter for each hundred."""
    from rulerun.source.codes import CODES

    parts = [
        "# Diagnostics",
        "Every message of rulerun about a ruleset has a code that never changes its meaning. `rulerun explain RR0203` "
        "tells of one of them what is told here of all.",
        "This page is printed by `rulerun explain --all --markdown`.",
    ]
    for prefix, title in CHAPTERS.items():
        parts.append(f"## {prefix}xx: {title}")
        parts += [_section(name, CODES[name]) for name in sorted(CODES) if name.startswith(prefix)]
    return "\n\n".join(parts) + "\n"


def _section(name: str, entry: Code) -> str:
    parts = [f"### {name}: {entry.title}", textwrap.fill(entry.why, 120)]
    for title, text in (("Not so:", entry.bad), ("But so:", entry.good)):
        if text:
            parts += [title, f"```yaml\n{text.strip(chr(10))}\n```"]
    return "\n\n".join(parts)
