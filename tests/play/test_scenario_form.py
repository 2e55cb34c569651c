"""Reading test files: what stands where, and what is said of a wrong form."""

from __future__ import annotations

import pytest

from rulerun.document.yaml import read_yaml
from rulerun.play.scenario_form import AllPass, Choice, Expect, Luck, ScenarioFile, read_scenarios
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.files import text_source

WHOLE = """\
ruleset: game.yaml
players: 3
options: {size: 4}
tests:
  the first:
    with: [short, long]
    given: {pile: [a, b]}
    start: turn(P2)
    when:
      - P2: play a
      - chance: [b, P1]
      - all pass
      - expect: {asked: P3}
      - P3: "say: no"
    expect:
      pile: empty
  the second:
    players: 2
    options: {size: 5, more: true}
    expect: {over: true}
"""


def read(text: str) -> tuple[ScenarioFile | None, list[tuple[int, str, str | None]]]:
    found = Diagnostics()
    form = read_scenarios(read_yaml(text_source("t.test.yaml", text), found), found)
    return form, [(d.span.line if d.span else 0, d.message, d.help) for d in found]


def test_a_whole_file() -> None:
    form, found = read(WHOLE)
    assert found == []
    assert form is not None
    assert form.ruleset is not None
    assert form.ruleset.value == "game.yaml"
    first, second = form.scenarios
    assert (first.name, first.players, first.options, first.variants) == (
        "the first",
        3,
        (("size", "4"),),
        ("short", "long"),
    )
    assert [type(step) for step in first.steps] == [Choice, Luck, AllPass, Expect, Choice, Expect]
    choice = first.steps[4]
    assert isinstance(choice, Choice)
    assert (choice.seat, choice.label, choice.span.line) == (2, "say: no", 14)
    assert (second.players, second.options, second.variants) == (2, (("size", "5"), ("more", "true")), ())


def test_tests_may_be_a_list_with_names() -> None:
    form, found = read("tests:\n  - {name: one, expect: {over: false}}\n")
    assert found == []
    assert form is not None
    assert [s.name for s in form.scenarios] == ["one"]


@pytest.mark.parametrize(
    ("text", "line", "message", "help_"),
    [
        ("tests: {a: {expct: {over: true}}}", 1, "a test has no key 'expct'", "did you mean 'expect'?"),
        ("test: {}", 1, "a test file has no key 'test'", "did you mean 'tests'?"),
        (
            "tests:\n  a:\n    when: [P1 plays]\n    expect: {over: true}",
            3,
            "this is no step of a test",
            "a step is 'P1: label of the option', 'all pass', 'chance: what is drawn', or 'expect: {…}'",
        ),
        ("tests:\n  a: {when: []}", 2, "the test 'a' expects nothing", "add 'expect:' and what must hold at the end"),
        ("players: many\ntests: {}", 1, "'players' is a whole number", None),
        ("tests: {a: {expect: 3}}", 1, "'expect' is a mapping of what must hold, as in: expect: {asked: P2}", None),
        (
            "tests: {a: {given: 3, expect: {over: true}}}",
            1,
            "'given' is a mapping: what lies where, and the state",
            None,
        ),
        (
            "- a",
            1,
            "a ruleset is a YAML mapping of sections, but this is a list",
            "a ruleset begins with lines such as `rulerun: 1` and `game: NAME`",
        ),
        ("ruleset: [a]\ntests: {}", 1, "'ruleset' is the name of a file beside this one", None),
        ("ruleset: a", 1, "a test file needs 'tests'", "write: tests: {name of the test: {when: …, expect: …}}"),
        ("tests: {a: 3}", 1, "the test 'a' is a mapping with 'given', 'when', 'expect'", None),
        ("tests: [a]", 1, "a test is a mapping with 'name', 'given', 'when', 'expect'", None),
        ("tests: [{expect: {over: true}}]", 1, "a test in a list needs a 'name'", None),
        ("options: 3\ntests: {}", 1, "'options' is a mapping: {name of the option: value}", None),
        ("options: {a: [1]}\ntests: {}", 1, "the option 'a' needs one value", None),
        ("with: {a: 1}\ntests: {}", 1, "'with' is a name or a list of names", None),
        (
            "tests: {a: {start: [x], expect: {over: true}}}",
            1,
            "'start' names the rule to begin with, as in: start: turn(P1)",
            None,
        ),
        ("tests: {a: {when: x, expect: {over: true}}}", 1, "'when' is a list of choices, as in: - P1: play 30", None),
        (
            "tests: {a: {when: [chance: []], expect: {over: true}}}",
            1,
            "'chance' is a card, a player, a number or a value that chance gives, or a list of such",
            None,
        ),
        ("tests: nothing", 1, "'tests' is a mapping: the name of each test, and below it the test", None),
    ],
)
def test_a_wrong_form_is_told_with_its_place(text: str, line: int, message: str, help_: str | None) -> None:
    form, found = read(text)
    assert form is None
    assert (line, message, help_) in found
