"""The examples of `rulerun explain`: each bad one brings its code about, each mended one does not.

A fragment stands alone if it is rule text of RR02xx or holds sections of a ruleset; sections that it lacks are put
beside it. What needs more than that (other files, a command line, a game's worth of declarations) is tried by the
golden cases instead.
"""

from __future__ import annotations

import pytest

from rulerun import document, syntax
from rulerun.check import check_ruleset
from rulerun.document.build import SECTIONS
from rulerun.source.codes import CODES
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.files import Folder, text_source
from rulerun.source.text import Piece

BESIDE = {
    "rulerun": "rulerun: 1\n",
    "game": "game: Test\n",
    "players": "players: 2\n",
    "types": "types:\n  Colour: [red, blue]\n",
    "cards": (
        "cards:\n  face: {colour: Colour, number: int}\n  name: '{colour} {number}'\n"
        "  deck:\n    - {each: {colour: Colour, number: 1..5}}\n"
    ),
    "options": "options:\n  hands: {default: 3, range: 1..9}\n",
    "zones": "zones:\n  deck: {kind: pile, seen_by: nobody, start: deck}\n  hand: {kind: hand, per: player}\n",
    "state": "state:\n  coins: int per Player\n",
    "rules": "rules:\n  play: |\n    shuffle deck\n",
    "result": "result:\n  score(Player p): |\n    0\n  winner: [highest score]\n",
}

ELSEWHERE = {
    "RR0124",  # variants have to be chosen
    "RR0125",
    "RR0126",
    "RR0307",  # speaks of a type that other examples have too
    "RR0511",  # speaks of a field that only few games have
    "RR0220",  # no statement
    "RR0301",  # abridged
    "RR0333",  # told by the shape already, where the order is wrong
    "RR0501",  # the mended one leaves out what plays
    "RR0503",
    "RR0509",
    "RR0510",
    "RR0521",  # a variant has to be chosen
}


def sections(fragment: str) -> set[str]:
    lines = (line for line in fragment.split("\n") if line and line[0] not in " #-\t")
    return {line.split(":")[0] for line in lines if ":" in line}


def found_in(code: str, fragment: str) -> set[str]:
    found = Diagnostics()
    if code.startswith("RR02"):
        syntax.parse_body(Piece.whole(text_source("rules", fragment)), found)
    else:
        there = sections(fragment)
        text = "".join(part for name, part in BESIDE.items() if name not in there) + fragment.rstrip("\n") + "\n"
        ruleset = document.read(text_source("x.yaml", text), folder=Folder(None), found=found)
        if ruleset is not None:
            check_ruleset(ruleset, found)
    return {diagnostic.code for diagnostic in found}


def alone(code: str) -> bool:
    entry = CODES[code]
    if not entry.bad or code in ELSEWHERE:
        return False
    return code.startswith("RR02") or (
        code < "RR0600" and all(sections(part) & set(SECTIONS) for part in (entry.bad, entry.good))
    )


ALONE = [code for code in sorted(CODES) if alone(code)]


@pytest.mark.parametrize("code", ALONE)
def test_the_bad_example_is_bad_and_the_mended_one_is_mended(code: str) -> None:
    assert code in found_in(code, CODES[code].bad)
    assert code not in found_in(code, CODES[code].good)


def test_most_codes_of_texts_have_an_example_that_runs() -> None:
    assert len(ALONE) >= 60
    assert [code for code in CODES if code < "RR0600" and not CODES[code].why] == []
