"""`rulerun schema`: the JSON Schema of a ruleset, for editors."""

from __future__ import annotations

from importlib import resources

import click


@click.command()
def schema() -> None:
    """Print the JSON Schema of a ruleset, for editors.

    For example, with the YAML extension of an editor, write it to a file and name that file in the first line of a
    ruleset:

    \b
      rulerun schema > ruleset.schema.json
      # yaml-language-server: $schema=ruleset.schema.json
    """
    text = resources.files("rulerun.grammar").joinpath("ruleset.schema.json").read_text(encoding="utf-8")
    click.echo(text.rstrip("\n"))
