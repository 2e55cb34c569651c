"""Several state variables on one line: each has its own name and place, in the ruleset and in variants."""

from __future__ import annotations

import pytest
from small_ruleset import SMALL, concise, ruleset_of

from rulerun.document.model import Ruleset, Scalar

TOGETHER = SMALL.replace("total: int per Player", 'total , paid,left: int per Player\n  "dealer, leader": Player')


def types(ruleset: Ruleset) -> dict[str, str]:
    return {s.name.text: s.type.text for s in ruleset.state}


def test_each_has_its_name_its_place_and_the_type_of_the_line() -> None:
    state = ruleset_of(TOGETHER).state
    assert [(s.name.text, s.type.text) for s in state] == [
        ("total", "int per Player"),
        ("paid", "int per Player"),
        ("left", "int per Player"),
        ("dealer", "Player"),
        ("leader", "Player"),
        ("best", "int per Player"),
    ]
    places = [(s.name.span.line, s.name.span.column, s.name.span.end - s.name.span.start) for s in state]
    assert places[:5] == [(25, 3, 5), (25, 11, 4), (25, 16, 4), (26, 4, 6), (26, 12, 6)]
    assert all(s.name.piece is None or s.name.piece.text == s.name.text for s in state)


def test_what_the_line_says_holds_for_each() -> None:
    state = ruleset_of(SMALL.replace("best: {", "best, worst: {")).state
    assert [s.name.text for s in state] == ["total", "best", "worst"]
    starts = [s.start for s in state[1:]]
    assert [start.value for start in starts if isinstance(start, Scalar)] == [999, 999]


@pytest.mark.parametrize(
    ("change", "left"),
    [
        ("{paid: int}", {"total": "int per Player", "paid": "int", "left": "int per Player"}),
        ('{"left, more": bool}', {"paid": "int per Player", "left": "bool", "more": "bool"}),
        ('{"total, leader": null}', {"paid": "int per Player", "left": "int per Player", "dealer": "Player"}),
    ],
)
def test_a_variant_changes_each_by_its_name(change: str, left: dict[str, str]) -> None:
    after = types(ruleset_of(TOGETHER + f"  third: {{state: {change}}}\n", ["third"]))
    assert {name: type_ for name, type_ in after.items() if name in left} == left
    assert ("total" in after) == ("total" not in change)
    assert ("leader" in after) == ("leader" not in change)


def test_two_variants_clash_over_one_variable_of_a_line() -> None:
    variants = '  one: {state: {"paid, more": int}}\n  two: {state: {paid: bool}}\n'
    assert [line.split(" error")[1] for line in concise(TOGETHER + variants, ["one", "two"])] == [
        "[RR0124] the variants `one` and `two` both change the state variable `paid`"
    ]


def test_an_extending_file_may_write_them_so_too(tmp_path) -> None:
    (tmp_path / "base.yaml").write_text(SMALL, encoding="utf-8")
    text = "extends: base.yaml\nstate:\n  best, worst: bool\n  total: null\n"
    assert types(ruleset_of(text, folder=tmp_path)) == {"best": "bool", "worst": "bool"}


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("a,, b", "25:4: error[RR0131] a name is missing behind this comma"),
        ("a, b,", "25:7: error[RR0131] a name is missing behind this comma"),
        ("a, 2b", "25:6: error[RR0131] `2b` cannot be a name"),
        ("a b, c", "25:3: error[RR0131] `a b` cannot be a name"),
        ("a, a", "25:6: error[RR0104] `a` stands here a second time"),
        ("a, best", "26:3: error[RR0104] `best` stands here a second time"),
    ],
)
def test_what_is_wrong_with_the_names_is_told_at_its_place(key: str, told: str) -> None:
    (line,) = concise(SMALL.replace("total: int per Player", f"{key}: int per Player"))
    assert line.removeprefix("small.yaml:").split(" (")[0] == told


def test_a_comma_in_braces_takes_nothing_away_unsaid() -> None:
    (line,) = concise(SMALL + "  third: {state: {total, best: int}}\n", ["third"])
    assert "error[RR0117] `total` says nothing here: in braces the comma ends its entry" in line
    assert "total" not in types(ruleset_of(SMALL + "  third: {state: {total: , best: int}}\n", ["third"]))


def test_only_variables_of_the_state_share_a_line() -> None:
    (line,) = concise(SMALL.replace("  Colour: [red, blue]", "  Colour, Hue: [red, blue]"))
    assert "error[RR0131] `Colour, Hue` cannot be a name" in line
