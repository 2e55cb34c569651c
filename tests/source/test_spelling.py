"""Suggestions: slips are found, mere likeness is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerun.source.spell import nearest


@pytest.mark.parametrize(
    ("word", "candidates", "wanted"),
    [
        ("zoens", ["zones", "rules"], "zones"),
        ("seen_bye", ["seen_by", "start"], "seen_by"),
        ("cant-beat-em", ["can't beat em", "surprise"], "can't beat em"),
        ("drawpile", ["draw_pile"], "draw_pile"),
        ("hadn", ["hand", "band"], "hand"),
        ("Discard", ["discard"], "discard"),
        ("tope", ["type", "top"], "top"),
        ("deck", ["pile", "row", "hand"], None),
        ("x", ["y", "z"], None),
        ("ab", ["xb"], "xb"),
        ("", ["a"], None),
        ("deck", ["deck"], None),
    ],
)
def test_nearest(word: str, candidates: list[str], wanted: str | None) -> None:
    assert nearest(word, candidates) == wanted


def test_order_of_candidates_does_not_count() -> None:
    assert nearest("hamd", ["hard", "hand"]) == nearest("hamd", ["hand", "hard"]) == "hand"


def test_long_words_are_not_compared() -> None:
    assert nearest("a" * 1000, ["a" * 1000 + "b"]) is None


@given(st.text("abcd", min_size=3, max_size=8), st.integers(0, 7))
def test_a_letter_left_out_is_found(word: str, at: int) -> None:
    slip = word[: at % len(word)] + word[at % len(word) + 1 :]
    assert nearest(slip, [word]) == word
