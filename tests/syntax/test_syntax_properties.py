"""Whatever the text: reading never raises, and every finding lies inside the text."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from syntax_reading import bare, expression, fragments

from rulerun import syntax
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.text import Piece, Source
from rulerun.syntax import nodes as n
from rulerun.syntax import words
from rulerun.syntax.printer import show_expression

PARSERS = [
    syntax.parse_body,
    syntax.parse_function_body,
    syntax.parse_expression,
    syntax.parse_type,
    syntax.parse_signature,
    syntax.parse_pattern,
    syntax.parse_criterion,
    syntax.parse_range,
    syntax.parse_template,
]
BODIES = [text for _, _, text in fragments()]
TOKENS = [
    *words.HARD, *words.VERBS, *words.LINKS, *words.SIGNS, *(" ".join(group) for group in words.OPENINGS),
    *(" ".join(group) for group in words.LONG_LINKS), "top of", "all of", "random of", "me", "hand", "1", '"x {me}"',
    "choose", "\n", "\n  ", "\n    ", "\t", "#", '"', "'", "{", "é", "\u2212",
]  # fmt: skip


def check(parse: Any, text: str) -> None:
    """Read a text that lies inside a larger file."""
    source = Source("file", f"key: |\n{text}\nrest: 1\n")
    start = len("key: |\n")
    inside = Piece(text, source, tuple(range(start, start + len(text) + 1)))
    found = Diagnostics()
    result = parse(inside, found)
    broken = result is None or isinstance(result, n.Broken)
    assert not broken or found.has_errors
    for diagnostic in found:
        assert diagnostic.span is not None
        assert start <= diagnostic.span.start <= diagnostic.span.end <= start + len(text)
        for note in diagnostic.notes:
            assert note.span is None or start <= note.span.start <= note.span.end <= start + len(text)


@given(st.sampled_from(PARSERS), st.text(max_size=60))
@settings(max_examples=150, deadline=None)
def test_any_characters(parse, text) -> None:
    check(parse, text)


@given(st.sampled_from(PARSERS), st.lists(st.sampled_from(TOKENS), max_size=25), st.sampled_from(["", " "]))
@settings(max_examples=400, deadline=None)
def test_any_tokens(parse, tokens, between) -> None:
    check(parse, between.join(tokens))


@given(st.sampled_from(BODIES), st.integers(0, 2**32), st.integers(1, 4))
@settings(max_examples=300, deadline=None)
def test_spoilt_rules(text, seed, times) -> None:
    chance = random.Random(seed)
    for _ in range(times):
        at = chance.randrange(len(text) + 1)
        to = min(len(text), at + chance.choice((0, 1, 1, 5)))
        text = text[:at] + chance.choice(("", *TOKENS)) + text[to:]
    check(syntax.parse_body, text)


@given(st.sampled_from(BODIES), st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_rules_with_lines_out_of_order(text, seed) -> None:
    chance = random.Random(seed)
    lines = text.split("\n")
    chance.shuffle(lines)
    check(syntax.parse_body, "\n".join(" " * chance.randrange(3) + line for line in lines))


_LEAVES = st.sampled_from(["x", "1", "true", "none", "players", "hand[me]", "c.rank", "f(a, b)", "{a}", "top of z"])
_EXPRESSIONS = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.tuples(
            inner,
            st.sampled_from(
                ["+", "-", "*", "//", "%", "**", "==", "<", "and", "or", "in", "union", "after", "starting~with", ".."]
            ),
            inner,
        ).map(lambda t: f"({t[0]}) {t[1].replace('~', ' ')} ({t[2]})"),
        inner.map(lambda e: f"not ({e})"),
        inner.map(lambda e: f"-({e})"),
        inner.map(lambda e: f"({e}) is not empty"),
        st.tuples(inner, inner, inner).map(lambda t: f"({t[0]}) if ({t[1]}) else ({t[2]})"),
        st.tuples(inner, inner, inner).map(lambda t: f"sum({t[0]} for c in ({t[1]}) where ({t[2]}))"),
        st.tuples(inner, inner).map(lambda t: f"best c in ({t[0]}) by ({t[1]}) or else none"),
    ),
    max_leaves=8,
)


@given(_EXPRESSIONS)
@settings(max_examples=200, deadline=None)
def test_printing_and_reading_again_gives_the_same_expression(text) -> None:
    read = expression(text)
    assert bare(expression(show_expression(read))) == bare(read)
