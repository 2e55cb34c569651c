"""The loader: values by the YAML 1.2 core schema, and the place of every character."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulerun.document.model import Entries, Items, Scalar, Value
from rulerun.document.yaml import core_value, read_yaml
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.files import text_source
from rulerun.source.render import render


def entries(text: str) -> Entries:
    found = Diagnostics()
    root = read_yaml(text_source("a.yaml", text), found)
    assert render(found) == ""
    assert root is not None
    return root


def scalar(text: str, key: str = "a") -> Scalar:
    value = entries(text).get(key)
    assert isinstance(value, Scalar)
    return value


def scalars(value: Value) -> Iterator[Scalar]:
    match value:
        case Scalar():
            yield value
        case Items():
            for item in value.items:
                yield from scalars(item)
        case Entries():
            for _, inner in value.entries:
                yield from scalars(inner)


def seen_through(taken: Scalar) -> str:
    """The characters of the file at the places that the piece tells."""
    return "".join(taken.piece.source.text[o] for o in taken.piece.offsets[:-1])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("on", "on"),
        ("no", "no"),
        ("yes", "yes"),
        ("010", 10),
        ("0o17", 15),
        ("0x1F", 31),
        ("1:30", "1:30"),
        ("2024-01-01", "2024-01-01"),
        ("1_000", "1_000"),
        ("-3", -3),
        ("+3", 3),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("1..44", "1..44"),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("NaN", "NaN"),
        ("9" * 18, 999999999999999999),
        ("9" * 5000, "9" * 5000),
        ("=", "="),
        ("٣", "٣"),
    ],
)
def test_core_schema(text: str, value: object) -> None:
    got = core_value(text)
    assert got == value
    assert type(got) is type(value)


def test_keys_stay_text() -> None:
    root = entries("on: 1\nno: 2\n010: 3\n1.5: 4\ntrue: 5\n~: 6\n")
    assert [k.text for k, _ in root.entries] == ["on", "no", "010", "1.5", "true", "~"]


def test_quoted_and_block_scalars_are_text() -> None:
    root = entries("a: '1'\nb: \"true\"\nc: |\n  1\n")
    assert [s.value for s in scalars(root)] == ["1", "true", "1\n"]
    assert [s.quoted for s in scalars(root)] == [True, True, False]


def test_plain_piece() -> None:
    taken = scalar("a:   x == 3   # why\n")
    assert taken.piece.text == seen_through(taken) == "x == 3"
    assert (str(taken.span), taken.span.end) == ("a.yaml:1:6", 11)
    assert taken.piece.span(2, 4).start == 7


def test_single_quoted_piece() -> None:
    taken = scalar("a: 'it''s é'\n")
    assert taken.piece.text == "it's é"
    assert taken.piece.offsets == (4, 5, 6, 8, 9, 10, 11)


def test_double_quoted_piece() -> None:
    taken = scalar('a: "x\\"y\\u00e9\\x41\\U0001F600z"\n')
    assert taken.piece.text == 'x"yéA😀z'
    assert taken.piece.offsets == (4, 5, 7, 8, 14, 18, 28, 29)


def test_block_piece() -> None:
    text = "r:\n  a: |\n    one\n\n      two # x\n    three\n\n\nb: 1\n"
    inner = entries(text).get("r")
    assert isinstance(inner, Entries)
    piece = next(scalars(inner)).piece
    assert piece.text == "one\n\n  two # x\nthree\n"
    assert "".join(piece.source.text[o] for o in piece.offsets[:-1]) == piece.text
    assert str(piece.span(piece.text.index("two"))) == "a.yaml:5:7"
    assert str(piece.span(piece.text.index("three"))) == "a.yaml:6:5"


@pytest.mark.parametrize(
    ("header", "value"),
    [("|", "x\n y\n"), ("|-", "x\n y"), ("|+", "x\n y\n\n"), ("|2-", "x\n y"), ("| # c", "x\n y\n")],
)
def test_block_headers(header: str, value: str) -> None:
    taken = scalar(f"a: {header}\n  x\n   y\n\nb: 1\n")
    assert taken.piece.text == value
    assert seen_through(taken) == value
    assert not taken.folded


def test_block_at_the_end_of_a_file_without_line_end() -> None:
    taken = scalar("a: |\n  one\n  two")
    assert taken.piece.text == seen_through(taken) == "one\ntwo"
    assert taken.piece.offsets[-1] == len("a: |\n  one\n  two")


@pytest.mark.parametrize("text", ["a: >\n  one\n  two\n", "a: one\n  two\n", "a: 'one\n  two'\n", 'a: "one\n  two"\n'])
def test_folded_texts_are_marked_and_roughly_placed(text: str) -> None:
    taken = scalar(text)
    assert taken.folded
    assert taken.piece.text.strip() == "one two"
    at = taken.piece.text.index("two")
    assert taken.piece.span(at, at + 3).start == text.index("two")


def test_spans_of_mappings_and_lists() -> None:
    root = entries("a:\n  b: 1\n  c: 2\n\nd: [1, 2]\n")
    text = "a:\n  b: 1\n  c: 2\n\nd: [1, 2]\n"
    assert [text[v.span.start : v.span.end] for _, v in root.entries] == ["b: 1\n  c: 2", "[1, 2]"]


def test_repeated_keys_are_told_at_any_depth_all_of_them() -> None:
    found = Diagnostics()
    assert read_yaml(text_source("a.yaml", "a: 1\nb: {c: 1, c: 2}\n'a': 3\na: 4\n"), found) is None
    assert [(d.code, str(d.span), str(d.notes[0].span)) for d in found] == [
        ("RR0104", "a.yaml:2:11", "a.yaml:2:5"),
        ("RR0104", "a.yaml:3:1", "a.yaml:1:1"),
        ("RR0104", "a.yaml:4:1", "a.yaml:1:1"),
    ]


def test_alias_bomb_costs_nothing() -> None:
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{k}: &{k} [{','.join(['*' + chr(ord(k) - 1)] * 9)}]\n" for k in "bcdefghi"
    )
    found = Diagnostics()
    assert read_yaml(text_source("a.yaml", bomb), found) is None
    assert [d.code for d in found] == ["RR0105"]


@pytest.mark.parametrize(
    "text", ["[" * 900_000, "{" * 900_000, "- " * 400_000, "a: " + "[a, " * 200_000, "? " * 400_000]
)
def test_brackets_without_end_are_refused(text: str) -> None:
    found = Diagnostics()
    assert read_yaml(text_source("a.yaml", text), found) is None
    assert next(d.code for d in found) in ("RR0107", "RR0117")


def test_too_many_values_and_characters() -> None:
    for text in ("a: [" + "x," * 40_000 + "]", "a: " + "x" * 1_000_001):
        found = Diagnostics()
        assert read_yaml(text_source("a.yaml", text), found) is None
        assert [d.code for d in found] == ["RR0107"]


WORDS = st.text(st.sampled_from("abé漢 x#:-'\"\\{}[]|>&*!%@`,?=.0123456789"), max_size=12)
PLAIN = st.text(st.sampled_from("abé漢 x#:'0.9"), max_size=12)
"""Texts that YAML often takes."""


@given(st.lists(WORDS, min_size=1, max_size=6), st.sampled_from(["|", "|-", "|+"]))
@settings(max_examples=80, deadline=None)
def test_places_in_blocks_are_exact(lines: list[str], header: str) -> None:
    body = "".join(f"    {line}\n" for line in ["x", *lines])
    taken = scalar(f"b: 1\na: {header}\n{body}c: 2\n")
    assert taken.piece.text.startswith("x")
    assert seen_through(taken) == taken.piece.text
    assert len(taken.piece.offsets) == len(taken.piece.text) + 1
    assert list(taken.piece.offsets) == sorted(taken.piece.offsets)
    assert not taken.folded


@given(WORDS)
@settings(max_examples=80, deadline=None)
def test_places_in_quotes_are_exact(word: str) -> None:
    single = scalar("a: '" + word.replace("'", "''") + "' # c\n")
    assert (single.piece.text, seen_through(single)) == (word, word)
    double = scalar('a: "' + word.replace("\\", "\\\\").replace('"', '\\"') + '"\n')
    assert double.piece.text == word
    for c, o in zip(word, double.piece.offsets, strict=False):
        assert double.piece.source.text[o] == ("\\" if c in '"\\' else c)


def test_any_text_is_read_or_refused_with_a_place() -> None:
    ends: Counter[str] = Counter()

    @given(
        st.text(max_size=60)
        | st.lists(WORDS, max_size=8).map("\n".join)
        | st.lists(WORDS, max_size=8).map(": ".join)
        | st.lists(PLAIN, max_size=5).map(lambda words: "".join(f"k{i}: {word}\n" for i, word in enumerate(words)))
    )
    @settings(max_examples=200, deadline=None)
    def try_text(text: str) -> None:
        found = Diagnostics()
        source = text_source("a.yaml", text)
        root = read_yaml(source, found)
        assert (root is None) == found.has_errors
        told = render(found, "concise").splitlines()
        assert bool(told) == bool(list(found))
        assert all(line.startswith("a.yaml:") for line in told)
        ends["refused" if root is None else "read"] += 1
        for taken in scalars(root) if root is not None else ():
            assert len(taken.piece.offsets) == len(taken.piece.text) + 1
            assert list(taken.piece.offsets) == sorted(taken.piece.offsets)
            for c, o in zip(taken.piece.text, taken.piece.offsets, strict=False):
                assert c.isspace() or source.text[o] == c or source.text[o] in "\\'"

    try_text()
    assert min(ends["read"], ends["refused"]) >= 30, ends
