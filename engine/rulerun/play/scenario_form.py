"""The form of a test file, `*.test.yaml`: what stands in it, read with the place of every part. Nothing is compiled
here.

    ruleset: my_game.yaml
    players: 3                       # for all tests of the file; a test may say its own
    tests:
      a red prick costs a second card:
        given:                       # where cards lie and what the state is, before the test begins
          layout: [{buds: 1, flowers: {red: 1}}]
          collection[P1]: [three of clubs]
        start: turn(P1)              # the rule to begin with; without it the game begins as usual
        when:                        # what is chosen, in order
          - P1: pick slot 1
          - P1: by its left side
          - expect: {asked: P1}      # may stand between choices
        expect:                      # what must hold at the end
          count(box): 2

`docs/tests.md` is the page for people. The file is read by the loader of rulesets, so the same YAML rules hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulerun.document.model import Entries, Items, Scalar, Value
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.spell import nearest
from rulerun.source.text import Span

CODE = "RR0701"
SEAT = re.compile(r"P([1-9][0-9]?)\Z")
FILE_KEYS = ("ruleset", "about", "players", "options", "with", "seed", "tests")
TEST_KEYS = ("name", "about", "players", "options", "with", "seed", "given", "start", "when", "expect")
MAX_TESTS = 2_000


@dataclass(frozen=True, slots=True)
class Choice:
    """``P1: pick slot 2``. ``seat`` from 0."""

    seat: int
    label: str
    span: Span


@dataclass(frozen=True, slots=True)
class Luck:
    """``chance: 38`` or ``chance: [38, P2]``: what the next chance gives, one after the other."""

    outcomes: tuple[Scalar | Entries, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class AllPass:
    """``all pass``: everybody who is asked in this window passes."""

    span: Span


@dataclass(frozen=True, slots=True)
class Expect:
    """What must hold now."""

    entries: Entries
    span: Span


Step = Choice | Luck | AllPass | Expect


@dataclass(frozen=True, slots=True)
class Scenario:
    """One test. ``steps`` hold the choices, and what is expected between and after them."""

    name: str
    players: int | None
    options: tuple[tuple[str, str], ...]
    variants: tuple[str, ...]
    seed: int
    given: Entries | None
    start: Scalar | None
    steps: tuple[Step, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class ScenarioFile:
    """A test file. ``ruleset`` is as written (None: the file beside it whose name lacks ``.test``)."""

    ruleset: Scalar | None
    scenarios: tuple[Scenario, ...]


def read_scenarios(root: Value | None, found: Diagnostics) -> ScenarioFile | None:
    """The tests of a parsed file, or None if its shape is wrong; the findings (RR0701) say what and where."""
    reader = _Reader(found)
    return reader.file(root)


class _Reader:
    def __init__(self, found: Diagnostics) -> None:
        self.found = found
        self.failed = False

    def wrong(self, message: str, span: Span | None, help_: str | None = None) -> None:
        self.failed = True
        self.found.error(CODE, message, span, help=help_)

    def file(self, root: Value | None) -> ScenarioFile | None:
        if root is None:
            return None
        if not isinstance(root, Entries):
            self.wrong("a test file is a mapping with the keys 'ruleset' and 'tests'", root.span)
            return None
        self.keys(root, FILE_KEYS, "a test file")
        defaults = self.settings(root)
        ruleset = root.get("ruleset")
        if ruleset is not None and not (isinstance(ruleset, Scalar) and isinstance(ruleset.value, str)):
            self.wrong("'ruleset' is the name of a file beside this one", ruleset.span)
            ruleset = None
        tests = root.get("tests")
        scenarios: list[Scenario] = []
        if tests is None:
            self.wrong("a test file needs 'tests'", root.span, "write: tests: {name of the test: {when: …, expect: …}}")
        else:
            for name, body, span in self.named(tests):
                scenario = self.scenario(name, body, span, defaults)
                if scenario is not None:
                    scenarios.append(scenario)
        if len(scenarios) > MAX_TESTS:
            self.wrong(f"more than {MAX_TESTS} tests in one file", root.span, "split the file")
        return None if self.failed else ScenarioFile(ruleset, tuple(scenarios))

    def named(self, tests: Value) -> Iterator[tuple[str, Entries, Span]]:
        """The tests, from a mapping of names or from a list of tests with a ``name`` each."""
        match tests:
            case Entries(entries):
                for word, body in entries:
                    if isinstance(body, Entries):
                        yield word.text, body, word.span
                    else:
                        self.wrong(f"the test '{word.text}' is a mapping with 'given', 'when', 'expect'", body.span)
            case Items(items):
                for item in items:
                    if not isinstance(item, Entries):
                        self.wrong("a test is a mapping with 'name', 'given', 'when', 'expect'", item.span)
                        continue
                    name = item.get("name")
                    if isinstance(name, Scalar) and name.value is not None:
                        yield name.piece.text.strip(), item, name.span
                    else:
                        self.wrong("a test in a list needs a 'name'", item.span)
            case Scalar():
                self.wrong("'tests' is a mapping: the name of each test, and below it the test", tests.span)

    def keys(self, entries: Entries, known: tuple[str, ...], what: str) -> None:
        for word, _ in entries.entries:
            if word.text not in known:
                near = nearest(word.text, known)
                self.wrong(
                    f"{what} has no key '{word.text}'",
                    word.span,
                    f"did you mean '{near}'?" if near else f"the keys are: {', '.join(known)}",
                )

    def settings(self, entries: Entries) -> tuple[int | None, tuple[tuple[str, str], ...], tuple[str, ...], int]:
        """``players``, ``options``, ``with`` and ``seed``."""
        return (
            self.number(entries.get("players"), "players"),
            self.options(entries.get("options")),
            self.texts(entries.get("with"), "with"),
            self.number(entries.get("seed"), "seed") or 0,
        )

    def number(self, value: Value | None, what: str) -> int | None:
        if value is None:
            return None
        if isinstance(value, Scalar) and isinstance(value.value, int) and not isinstance(value.value, bool):
            return value.value
        self.wrong(f"'{what}' is a whole number", value.span)
        return None

    def options(self, value: Value | None) -> tuple[tuple[str, str], ...]:
        if value is None:
            return ()
        if not isinstance(value, Entries):
            self.wrong("'options' is a mapping: {name of the option: value}", value.span)
            return ()
        pairs = []
        for word, item in value.entries:
            if isinstance(item, Scalar) and item.value is not None:
                pairs.append((word.text, item.piece.text.strip()))
            else:
                self.wrong(f"the option '{word.text}' needs one value", item.span)
        return tuple(pairs)

    def texts(self, value: Value | None, what: str) -> tuple[str, ...]:
        match value:
            case None:
                return ()
            case Scalar():
                return (value.piece.text.strip(),)
            case Items(items) if all(isinstance(i, Scalar) for i in items):
                return tuple(i.piece.text.strip() for i in items if isinstance(i, Scalar))
            case _:
                self.wrong(f"'{what}' is a name or a list of names", value.span)
                return ()

    def scenario(
        self,
        name: str,
        body: Entries,
        span: Span,
        defaults: tuple[int | None, tuple[tuple[str, str], ...], tuple[str, ...], int],
    ) -> Scenario | None:
        self.keys(body, TEST_KEYS, "a test")
        players, options, variants, seed = self.settings(body)
        given, start, expect = body.get("given"), body.get("start"), body.get("expect")
        if given is not None and not isinstance(given, Entries):
            self.wrong("'given' is a mapping: what lies where, and the state", given.span)
            given = None
        if start is not None and not isinstance(start, Scalar):
            self.wrong("'start' names the rule to begin with, as in: start: turn(P1)", start.span)
            start = None
        steps = self.steps(body.get("when"))
        if expect is not None:
            step = self.expectation(expect, expect.span)
            if step is not None:
                steps.append(step)
        if not any(isinstance(s, Expect) for s in steps):
            self.wrong(f"the test '{name}' expects nothing", span, "add 'expect:' and what must hold at the end")
        return Scenario(
            name,
            players if players is not None else defaults[0],
            _merged(defaults[1], options),
            variants if body.get("with") is not None else defaults[2],
            seed if body.get("seed") is not None else defaults[3],
            given,
            start,
            tuple(steps),
            span,
        )

    def steps(self, value: Value | None) -> list[Step]:
        if value is None:
            return []
        if not isinstance(value, Items):
            self.wrong("'when' is a list of choices, as in: - P1: play 30", value.span)
            return []
        steps = []
        for item in value.items:
            step = self.step(item)
            if step is not None:
                steps.append(step)
        return steps

    def step(self, item: Value) -> Step | None:
        match item:
            case Scalar() if str(item.value).strip() == "all pass":
                return AllPass(item.span)
            case Entries(entries) if len(entries) == 1:
                word, value = entries[0]
                seat = SEAT.match(word.text)
                if seat and isinstance(value, Scalar) and value.value is not None:
                    return Choice(int(seat[1]) - 1, value.piece.text.strip(), word.span.to(value.span))
                if word.text == "chance":
                    return self.luck(value)
                if word.text == "expect":
                    return self.expectation(value, word.span)
        self.wrong(
            "this is no step of a test",
            item.span,
            "a step is 'P1: label of the option', 'all pass', 'chance: what is drawn', or 'expect: {…}'",
        )
        return None

    def luck(self, value: Value) -> Step | None:
        items = value.items if isinstance(value, Items) else (value,)
        outcomes = tuple(i for i in items if isinstance(i, (Scalar, Entries)))
        if len(outcomes) == len(items) and outcomes:
            return Luck(outcomes, value.span)
        self.wrong("'chance' is a card, a player, a number or a value that chance gives, or a list of such", value.span)
        return None

    def expectation(self, value: Value, span: Span) -> Expect | None:
        if isinstance(value, Entries) and value.entries:
            return Expect(value, span)
        self.wrong("'expect' is a mapping of what must hold, as in: expect: {asked: P2}", value.span)
        return None


def _merged(base: tuple[tuple[str, str], ...], own: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple({**dict(base), **dict(own)}.items())
