"""Types, signatures, event patterns, criteria and ranges."""

from __future__ import annotations

import pytest
from syntax_reading import covered, faults, read

from rulerun import syntax
from rulerun.syntax.printer import show_expression, show_type


@pytest.mark.parametrize(
    ("text", "shapes"),
    [
        ("int", ["name"]),
        ("set of Side", ["set"]),
        ("Card or none", ["optional", "name"]),
        ("int per Player", ["per", "name"]),
        ("Player or none per Card", ["per", "optional", "name"]),
        ("int per Player per Colour", ["per", "per", "name"]),
        ("(int per Player) or none", ["optional", "per", "name"]),
    ],
)
def test_types(text, shapes) -> None:
    kind = read(syntax.parse_type, text)
    assert covered(kind.span) == text
    assert show_type(kind) == text.replace("(", "").replace(")", "")
    found = []
    while kind is not None:
        found.append(kind.shape)
        kind = kind.inner
    assert found == shapes


def test_a_signature_has_types_before_names() -> None:
    signature = read(syntax.parse_signature, "turn(Player me, set of Card top, int per Player by)")
    assert signature.name.text == "turn"
    assert [(show_type(p.type), p.name.text) for p in signature.params] == [
        ("Player", "me"),
        ("set of Card", "top"),
        ("int per Player", "by"),
    ]


@pytest.mark.parametrize("text", ["play", "play()"])
def test_a_signature_may_have_no_parameters(text) -> None:
    assert read(syntax.parse_signature, text).params == ()


def test_a_pattern_names_parameters() -> None:
    pattern = read(syntax.parse_pattern, "picked(picker, to)")
    assert (pattern.name.text, [name.text for name in pattern.params]) == ("picked", ["picker", "to"])


def test_criteria() -> None:
    low, high = read(syntax.parse_criterion, "lowest best_hand"), read(syntax.parse_criterion, "highest score")
    assert (low.highest, low.name.text, high.highest, high.name.text) == (False, "best_hand", True, "score")


@pytest.mark.parametrize(
    ("text", "step"), [("1..44", None), ("-5..5", None), ("0..hands - 1", None), ("2..10 by 2", "2")]
)
def test_ranges(text, step) -> None:
    found = read(syntax.parse_range, text)
    assert show_expression(found) == text
    assert (found.step and show_expression(found.step)) == step


@pytest.mark.parametrize(
    ("parse", "text", "told"),
    [
        (syntax.parse_signature, "score(p)", "RR0220 1:7 the type of the parameter 'p' is missing"),
        (syntax.parse_signature, "f(Player)",
         "RR0220 1:3 after the type 'Player' the name of the parameter is missing"),
        (syntax.parse_signature, "f(Player in)",
         "RR0211 1:10 'in' is a word of the rules language and cannot be a name"),
        (syntax.parse_signature, "", "RR0221 1:1 a signature is missing here"),
        (syntax.parse_type, "int per", "RR0220 1:5 a type is not complete: something is missing after 'per'"),
        (syntax.parse_type, "list of int", "RR0220 1:6 'of' cannot stand in a type here"),
        (syntax.parse_pattern, "f(Player p)", "RR0220 1:10 'p' cannot stand in the pattern of an event here"),
        (syntax.parse_criterion, "most points", "RR0220 1:1 'most' cannot stand in a criterion here"),
        (syntax.parse_range, "1 to 4",
         "RR0220 1:3 a range has two ends with '..' between them, not '1' followed by 'to'"),
        (syntax.parse_range, "5", "RR0220 1:1 a range has two ends with '..' between them, not '5' followed by "
         "the end of the text"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_them(parse, text, told) -> None:
    assert faults(parse, text) == [told]
