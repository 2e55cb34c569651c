"""How diagnostics look, to the column."""

from __future__ import annotations

import json

import pytest

from rulerun.source.diagnostic import Diagnostic, Note, Severity
from rulerun.source.render import render
from rulerun.source.text import Source, Span


def diagnostic(text: str, start: int, end: int, **more: object) -> Diagnostic:
    return Diagnostic("RR0110", "no such key", Span(Source("a.yaml", text), start, end), **more)  # type: ignore[arg-type]


def test_full() -> None:
    source = Source("a.yaml", "one: 1\ntwo: 2\n")
    note = Note("first here", Span(source, 0, 3))
    d = Diagnostic(
        "RR0110",
        "no such key",
        Span(source, 7, 10),
        Severity.WARNING,
        (note, Note("so it is")),
        "try\nthis",
        ("x", "y"),
    )
    assert render([d]) == (
        "warning[RR0110]: no such key\n"
        " --> a.yaml:2:1\n"
        "  |\n"
        "2 | two: 2\n"
        "  | ^^^\n"
        "  |\n"
        "  = expected: x, y\n"
        "  = help: try\n"
        "          this\n"
        "  = note: first here\n"
        " --> a.yaml:1:1\n"
        "  |\n"
        "1 | one: 1\n"
        "  | ---\n"
        "  = note: so it is\n"
    )


def test_without_place() -> None:
    assert render([Diagnostic("RR0110", "no such key", None, help="mend it")]) == (
        "error[RR0110]: no such key\n  = help: mend it\n"
    )


def test_concise() -> None:
    found = [diagnostic("one: 1\n", 5, 6), Diagnostic("RR0101", "two\nlines", None)]
    assert render(found, "concise") == "error[RR0101] two lines\na.yaml:1:6: error[RR0110] no such key\n"


def test_json() -> None:
    d = diagnostic("one: 1\ntwo: 2\n", 5, 10, notes=(Note("see"),), help="mend", expected=("x",))
    assert json.loads(render([d], "json")) == [
        {
            "schema_version": 1,
            "code": "RR0110",
            "severity": "error",
            "message": "no such key",
            "file": "a.yaml",
            "line": 1,
            "column": 6,
            "end_line": 2,
            "end_column": 4,
            "help": "mend",
            "expected": ["x"],
            "notes": [
                {"message": "see", "file": None, "line": None, "column": None, "end_line": None, "end_column": None}
            ],
        }
    ]
    assert json.loads(render([], "json")) == []


def test_nothing_found() -> None:
    assert render([]) == render([], "concise") == ""


def test_unknown_style() -> None:
    with pytest.raises(ValueError, match="full, concise, json"):
        render([], "xml")


def test_sorted_by_place_and_told_once() -> None:
    source = Source("a.yaml", "abc\ndef\n")
    later = Diagnostic("RR0101", "later", Span(source, 4, 5))
    first = Diagnostic("RR0102", "first", Span(source, 0, 1))
    again = Diagnostic("RR0101", "later", Span(source, 4, 5))
    told = render([later, first, again], "concise")
    assert told == "a.yaml:1:1: error[RR0102] first\na.yaml:2:1: error[RR0101] later\n"


def test_capped() -> None:
    source = Source("a.yaml", "x" * 30)
    found = [Diagnostic("RR0101", "bad", Span(source, i, i + 1)) for i in range(30)]
    lines = render(found, "concise").splitlines()
    assert (len(lines), lines[-1]) == (21, "… and 10 more findings")
    assert render(found[:3], "concise", most=2).splitlines()[-1] == "… and 1 more finding"
    assert len(json.loads(render(found, "json"))) == 30


def excerpt(text: str, start: int, end: int) -> tuple[str, str]:
    lines = render([diagnostic(text, start, end)]).splitlines()
    return lines[3].split("|", 1)[1][1:], lines[4].split("|", 1)[1][1:]


def test_tabs_and_wide_characters_keep_the_caret_in_place() -> None:
    assert excerpt("\tab", 1, 2) == ("    ab", "    ^")
    assert excerpt("漢字 x", 3, 4) == ("漢字 x", "     ^")
    assert excerpt("漢字", 0, 2) == ("漢字", "^^^^")
    assert excerpt("e\u0301x", 2, 3) == ("e\u0301x", " ^")


def test_a_span_over_lines_is_marked_to_the_end_of_the_first() -> None:
    assert excerpt("ab cd\nef", 3, 8) == ("ab cd", "   ^^")


def test_the_end_of_the_file_has_a_place() -> None:
    assert excerpt("ab", 2, 2) == ("ab", "  ^")
    assert render([diagnostic("", 0, 0)]).splitlines()[3:] == ["1 |", "  | ^"]


def test_long_lines_are_cut_around_the_place() -> None:
    text = "a" * 500 + "X" + "b" * 500
    shown, marks = excerpt(text, 500, 501)
    assert len(shown) <= 98
    assert shown[marks.index("^")] == "X"
    assert (shown[0], shown[-1]) == ("…", "…")
    shown, marks = excerpt(text, 1000, 1001)
    assert marks.index("^") == len(shown) - 1
    shown, marks = excerpt(text, 0, 1000)
    assert (shown[0], marks[0], len(marks)) == ("a", "^", len(shown) - 1)


def test_strangers_text_cannot_drive_the_terminal() -> None:
    d = Diagnostic("RR0101", "bad \x1b[31m", Span(Source("a\x1b.yaml", "x\x1b[0my"), 0, 1), help="\x07")
    for style in ("full", "concise"):
        assert "\x1b" not in render([d], style)


def test_colour_changes_nothing_but_colour() -> None:
    import re

    d = diagnostic("one: 1\n", 0, 3, help="mend", notes=(Note("see"),))
    painted = render([d], colour=True)
    assert "\x1b[1;31m" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == render([d])
