"""What is not seen is made visible."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest

from rulerun.source.visible import visible

WITHOUT_A_SHAPE = ("\u034f", "\u115f", "\u1160", "\u3164", "\uffa0", "\u17b4", "\u17b5", "\u2028", "\u2029")


def test_every_character_that_is_not_seen_has_a_sign() -> None:
    told = [
        c
        for c in map(chr, range(sys.maxunicode + 1))
        if c in WITHOUT_A_SHAPE or (unicodedata.category(c) in ("Cc", "Cf", "Cs") and c not in "\t\n")
    ]
    assert len(told) > 2_000
    for c in told:
        shown = visible(f"a{c}b")
        assert shown.isascii(), hex(ord(c))
        assert json.loads(f'"{shown}"') == f"a{c}b"


@pytest.mark.parametrize(
    "text",
    ["plain\n\twords", "Größe, 字", "a\u00a0b", "e\u0301", "می\u200cخواهم", "👩\u200d🚀", "☀\ufe0f\u200d🚀", "\ue000"],
)
def test_what_is_seen_stays(text: str) -> None:
    assert visible(text) == text


def test_a_joiner_stays_only_in_scripts_that_need_it() -> None:
    assert visible("A\u200dce") == "A\\u200dce"
    assert visible("\u200cخ") == "\\u200cخ"


def test_colours_stay_where_they_are_ours() -> None:
    ours = "\x1b[1;31merror\x1b[0m \x1b[1mx\x1b[22m"
    assert visible(ours, coloured=True) == ours
    assert visible(ours) == ours.replace("\x1b", "\\u001b")
    for control in ("\x1b[2J", "\x1b[8m", "\x1b]0;title\x07", "\x1b[31", "\x9b31m", "\x1b[1;5m", "\r", "\b", "\x7f"):
        assert "\x1b" not in visible(control, coloured=True)
        assert visible(control, coloured=True).isprintable()
