"""`rulerun cache`: what is kept between one start and the next, and where."""

from __future__ import annotations

import click

from rulerun.faces.loading import json_option, print_json

SCHEMA_VERSION = 1


@click.command()
@click.option("--clear", "is_cleared", is_flag=True, help="Remove all that is kept. It is made again when wanted.")
@json_option
def cache(is_cleared: bool, as_json: bool) -> None:
    """Show or clear what is kept between starts: where, and how much.

    Kept are the tables of the grammar, and rulesets as machine code for `rulerun sim`. RULERUN_CACHE=FOLDER in the
    environment keeps them elsewhere, RULERUN_CACHE=off nowhere.
    """
    from rulerun.source import cache as kept_files

    place = kept_files.folder()
    removed = kept_files.clear() if is_cleared else 0
    files = kept_files.kept()
    total = sum(file.bytes for file in files)
    unused = kept_files.trouble(place)
    if as_json:
        print_json(
            {
                "schema_version": SCHEMA_VERSION,
                "folder": None if place is None else str(place),
                "unused_because": unused or None,
                "files": len(files),
                "bytes": total,
                "most_bytes": kept_files.MOST_BYTES,
                "removed": removed,
            }
        )
        return
    if place is not None:
        click.echo(place)
    if unused:
        click.echo(f"nothing is kept: {unused}")
        return
    if is_cleared:
        click.echo(f"removed {removed} {_files(removed)}")
    click.echo(f"{len(files)} {_files(len(files))}, {_size(total)} of at most {_size(kept_files.MOST_BYTES)}")


def _files(number: int) -> str:
    return "file" if number == 1 else "files"


def _size(number: int) -> str:
    """A number of bytes for people."""
    if number < 1_000_000:
        return f"{-(-number // 1_000)} kB"
    return f"{number / 1_000_000:.1f} MB"
