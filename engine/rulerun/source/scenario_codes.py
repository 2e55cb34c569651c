"""Codes RR07xx: tests of rulesets in text form."""

from __future__ import annotations

from rulerun.source.code import Code

TESTS: dict[str, Code] = {
    "RR0701": Code(
        title="a test file of the wrong form",
        why=(
            "A test file says which ruleset it tests, and for each test what is given, what is chosen and what must "
            "then hold. "
            "A key that nobody knows would be passed over in silence, and a test that expects nothing could not fail."
        ),
        bad="tests:\n  the snake bites:\n    when:\n      - P1 picks slot 2",
        good="tests:\n  the snake bites:\n    when:\n      - P1: pick slot 2\n    expect:\n      count(box): 1",
    ),
}
