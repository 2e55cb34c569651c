"""From a ruleset to a program: all parts together, for every number of players."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulerun.check import check_ruleset, compile_ruleset
from rulerun.document import read
from rulerun.ir.program import Program
from rulerun.ir.verifier import verify
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.files import Folder, read_source
from rulerun.source.text import Source

RULESETS = Path(__file__).parents[2] / "rulesets"
SHIPPED = sorted(p for p in RULESETS.glob("*/*.yaml") if not p.name.endswith(".test.yaml"))


def compiled(text: str, players: int = 2, settings: dict[str, str] | None = None) -> Program | list[tuple[str, str]]:
    found = Diagnostics()
    ruleset = read(Source("ruleset.yaml", text), folder=Folder(None), settings=settings or {}, found=found)
    program = compile_ruleset(ruleset, players, found) if ruleset is not None else None
    if program is None:
        return [(d.code, d.message) for d in found]
    assert list(found) == []
    assert verify(program) == []
    return program


@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: p.stem)
def test_shipped_rulesets_compile_without_a_finding(path: Path) -> None:
    found = Diagnostics()
    ruleset = read(read_source(str(path)), folder=Folder(path.parent), found=found)
    assert ruleset is not None
    variants = [v.name for v in ruleset.variants]
    fewest, most = ruleset.players
    for variant in ([], *([v] for v in variants)):
        laid = read(read_source(str(path)), folder=Folder(path.parent), variants=variant, found=found)
        assert laid is not None
        for players in range(fewest, most + 1):
            program = compile_ruleset(laid, players, found)
            assert [(d.code, d.message) for d in found] == []
            assert program is not None
            assert verify(program) == []
            assert (program.players, program.variants) == (players, tuple(variant))
    assert check_ruleset(ruleset, found) is not None
    assert [(d.code, d.message) for d in found] == []


def test_a_program_holds_what_the_ruleset_says(written) -> None:
    program = compiled(
        written(
            options="{stake: {default: 3, range: 1..9, about: chips}}",
            state="{total: {type: int per Player, start: stake}}",
            zones="{stock: {kind: pile, seen_by: nobody, start: deck, refill: {from: spent, shuffle: true}},"
            " spent: {kind: row, seen_by: everyone, columns: 3}, hand: {kind: hand, per: player}}",
            rules="{play: 'shuffle stock'}",
            limit="{decisions: 50, then: draw}",
        ),
        players=3,
        settings={"stake": "4"},
    )
    assert isinstance(program, Program)
    assert (program.game, program.language, program.players, program.card_count) == ("Test", 1, 3, 9)
    (option,) = program.options
    assert (option.name, option.value, option.low, option.high, option.default) == ("stake", 4, 1, 9, 3)
    assert [(f.name, f.first, f.size, f.shuffled, f.columns) for f in program.families] == [
        ("stock", 0, 1, True, None),
        ("spent", 1, 1, False, 3),
        ("hand", 2, 3, False, None),
    ]
    variable = program.variables[0]
    assert (variable.name, variable.offset, variable.words, variable.unit, variable.start) == (
        "total",
        8,
        3,
        -1,
        (4, 4, 4),
    )
    assert (program.decision_limit, program.limit_is_draw) == (50, True)
    assert program.layout.cards == 9
    assert program.layout.zones == 5
    assert program.layout.frames == 8 + 3


def test_without_a_limit_20000_decisions_are_a_fault(written) -> None:
    program = compiled(written())
    assert isinstance(program, Program)
    assert (program.decision_limit, program.limit_is_draw) == (20_000, False)


def test_the_hash_follows_text_options_and_players(written) -> None:
    options = "{stake: {default: 3}}"
    base = written(options=options, state="{x: {type: int, start: stake}}")
    programs = [
        compiled(base),
        compiled(base),
        compiled(base, players=3),
        compiled(base, settings={"stake": "5"}),
        compiled(base.replace("default: 3", "default: 4")),
    ]
    hashes = [p.identity for p in programs if isinstance(p, Program)]
    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == 4
    assert len(hashes[0]) == 64


def test_a_wrong_number_of_players(written) -> None:
    assert compiled(written(), players=5) == [("RR0333", "Test is for 2 to 4 players, not for 5")]
    assert compiled(written(players="3"), players=2) == [("RR0333", "Test is for 3 players, not for 2")]


def test_findings_of_two_numbers_of_players_are_told_once(written) -> None:
    found = Diagnostics()
    text = written(state="{x: int}", options="{enough: {default: 60, range: 1..44}}")
    ruleset = read(Source("ruleset.yaml", text), folder=Folder(None), found=found)
    assert ruleset is not None
    assert check_ruleset(ruleset, found) is None
    assert [(d.code, d.message) for d in found] == [
        ("RR0306", "the option `enough` cannot be 60"),
        ("RR0341", "the option `enough` is never used"),
        ("RR0341", "the variable `x` is never used"),
    ]


def test_what_is_wrong_only_for_many_players_is_found(written) -> None:
    found = Diagnostics()
    text = written(cards='{face: {number: int}, deck: [{number: "1 // (4 - count(players))"}]}', types="{}")
    ruleset = read(Source("ruleset.yaml", text), folder=Folder(None), found=found)
    assert ruleset is not None
    assert check_ruleset(ruleset, found) is None
    assert [(d.code, d.message) for d in found] == [("RR0312", "this divides by zero")]


def test_rule_texts_are_checked_beside_faults_of_values_but_not_beside_faults_of_types(written) -> None:
    rules = "{play: 'shuffle stok'}"
    told = compiled(written(options="{n: {default: 60, range: 1..44}}", rules=rules))
    assert isinstance(told, list)
    assert [code[:4] for code, _ in told] == ["RR03", "RR04"]
    assert compiled(written(state="{x: Colur}", rules=rules)) == [("RR0303", "there is no type `Colur`")]
