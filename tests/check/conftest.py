"""Rulesets for the tests of declarations: a small sound one, of which each test writes the part it is about."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rulerun.check.declarations.symbols import Symbols
from rulerun.check.declare import declare
from rulerun.document import read
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.files import Folder
from rulerun.source.text import Source

PARTS = {
    "rulerun": "1",
    "game": "Test",
    "players": "2..4",
    "types": "{Colour: [red, blue, green]}",
    "cards": "{face: {colour: Colour, number: int}, deck: [{each: {colour: Colour, number: 1..3}}]}",
    "zones": "{stock: {kind: pile, seen_by: nobody, start: deck}, hand: {kind: hand, per: player}}",
    "rules": '{play: "shuffle stock"}',
    "result": '{"score(Player p)": "count(hand[p])", winner: [highest score]}',
}

Declare = Callable[..., Symbols]


def ruleset_text(**parts: str) -> str:
    """The ruleset with some sections rewritten; an empty text leaves a section out."""
    return "".join(f"{key}: {text}\n" for key, text in {**PARTS, **parts}.items() if text)


@pytest.fixture
def written() -> Callable[..., str]:
    return ruleset_text


@pytest.fixture
def declared() -> Declare:
    """Declares a ruleset, which must be sound: ``declared(players=3, zones="{...}")``."""

    def run(players: int = 2, settings: dict[str, str] | None = None, **parts: str) -> Symbols:
        found = Diagnostics()
        source = Source("ruleset.yaml", ruleset_text(**parts))
        ruleset = read(source, folder=Folder(None), settings=settings or {}, found=found)
        assert ruleset is not None, [str(d) for d in found]
        symbols = declare(ruleset, players, found)
        assert [(d.code, d.message) for d in found] == []
        return symbols

    return run


@pytest.fixture
def faults() -> Callable[..., list[tuple[str, str, str]]]:
    """Code, message and the text that is blamed, of everything wrong with a ruleset."""

    def run(players: int = 2, settings: dict[str, str] | None = None, **parts: str) -> list[tuple[str, str, str]]:
        found = Diagnostics()
        source = Source("ruleset.yaml", ruleset_text(**parts))
        ruleset = read(source, folder=Folder(None), settings=settings or {}, found=found)
        if ruleset is not None:
            declare(ruleset, players, found)
        return [(d.code, d.message, d.span.source.text[d.span.start : d.span.end] if d.span else "") for d in found]

    return run
