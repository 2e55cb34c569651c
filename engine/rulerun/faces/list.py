"""`rulerun list`: the rulesets that come along, or all that can be set in one ruleset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from rulerun.faces.loading import Opened, json_option, lazily, open_ruleset, print_json, program_name, shell_word
from rulerun.source.diagnostic import Diagnostics, RulesetError

if TYPE_CHECKING:
    from rulerun.document.model import OptionDecl, Ruleset

SCHEMA_VERSION = 1


@click.command()
@click.argument("file", metavar="[FILE]", required=False, shell_complete=lazily("complete_ruleset"))
@json_option
def list_rulesets(file: str | None, as_json: bool) -> None:
    """Show the rulesets that come along: players, what they are, their variants.

    With FILE: all variants and options of that ruleset.
    """
    from rulerun.source.shipped import shipped_forms, shipped_names

    names = [file] if file is not None else shipped_names()
    rulesets = [(name, _read(open_ruleset(name))) for name in names]
    forms = {name: [(form, _read(open_ruleset(form))) for form in shipped_forms(name)] for name in shipped_names()}
    if as_json:
        documents = [_document(n, r) | {"forms": [_document(*form) for form in forms.get(n, [])]} for n, r in rulesets]
        print_json({"schema_version": SCHEMA_VERSION, "rulesets": documents})
        return
    for number, (name, ruleset) in enumerate(rulesets):
        if number:
            click.echo()
        _tell(name, ruleset, forms.get(name, []), whole=file is not None)
    if file is None:
        click.echo()
        name = program_name()
        hint = f"to watch one: {name} NAME; to play it: {name} play NAME; its options: {name} list NAME"
        click.echo(click.style(hint, dim=True))


def _read(opened: Opened) -> Ruleset:
    from rulerun.document import read

    found = Diagnostics()
    ruleset = read(opened.source, folder=opened.folder, found=found)
    if ruleset is None or found.has_errors:
        raise RulesetError(found.found)
    return ruleset


def _document(name: str, ruleset: Ruleset) -> dict[str, object]:
    return {
        "name": name,
        "game": str(ruleset.game),
        "players": list(ruleset.players),
        "about": _line(ruleset.about),
        "variants": [{"name": v.name, "about": _line(v.about)} for v in ruleset.variants],
        "options": [
            {
                "name": str(o.name),
                "default": o.default.value,
                "range": None if o.range is None else _line(o.range.text),
                "one_of": choices_of(o, ruleset) or None,
                "about": _line(o.about),
            }
            for o in ruleset.options
        ],
    }


def _tell(name: str, ruleset: Ruleset, forms: Sequence[tuple[str, Ruleset]], *, whole: bool) -> None:
    fewest, most = ruleset.players
    span = f"{fewest}" if fewest == most else f"{fewest}-{most}"
    click.echo(f"{click.style(name, bold=True)}  {ruleset.game}, {span} players")
    if ruleset.about:
        click.echo(f"  {_line(ruleset.about)}")
    rows = [(form, _line(extended.about)) for form, extended in forms]
    rows += [(f"--with {shell_word(v.name)}", _line(v.about)) for v in ruleset.variants]
    if whole:
        for option in ruleset.options:
            allowed = ", ".join(choices_of(option, ruleset)) if option.range is None else _line(option.range.text)
            told = " ".join(part for part in (_line(option.about), f"({allowed})" if allowed else "") if part)
            rows.append((f"--set {option.name}={option.default.piece.text.strip()}", told))
    width = min(max((len(setting) for setting, _ in rows), default=0), 40)
    for setting, about in rows:
        told = click.style(about, dim=True) if about else ""
        click.echo(f"  {click.style(setting.ljust(width), fg='cyan')}  {told}".rstrip())


def choices_of(option: OptionDecl, ruleset: Ruleset) -> list[str]:
    """The words that an option can be set to, where it is one of some: its own, or those of the type it names."""
    if option.choices is not None:
        return [str(value) for value in option.choices]
    if option.type is None:
        return []
    named = next((t for t in ruleset.types if str(t.name) == _line(option.type.text)), None)
    return [] if named is None else [str(value) for value in named.values]


def _line(text: str) -> str:
    return " ".join(text.split())
