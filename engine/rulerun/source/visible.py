"""Characters that are not seen, made visible: a ruleset, a log and the name of a file are strangers' text.

Controls command a terminal, bidirectional marks turn the words of a line round, zero-width ones make two names look
the same. Each is told as JSON would tell it, ``\\u202e``, so that a JSON document stays the same document.
"""

from __future__ import annotations

import re
from typing import Final

_UNSEEN: Final = (
    "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u115f\\u1160"
    "\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ud800-\\udfff\\ufeff\\uffa0"
    "\\ufff0-\\ufffb\\U000110bd\\U000110cd\\U00013430-\\U0001343f\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a"
    "\\U000e0000-\\U000e0fff"
)
"""Controls but for tab and line end, formats, separators of lines, halves of pairs, letters without a shape."""

_NEEDS_JOINING: Final = "[\\u0600-\\ud7ff\\ufe0f\\U00010000-\\U000dffff]"
"""Letters of scripts that are written with joiners, and emoji."""

_JOINER: Final = f"(?<!{_NEEDS_JOINING})[\\u200c\\u200d]|[\\u200c\\u200d](?!{_NEEDS_JOINING})"

_COLOUR: Final = r"\x1b\[(?:0|1|2|22|[39][0-7])(?:;(?:0|1|2|22|[39][0-7]))*m"
"""The sequences by which our own words are made bold, dim or coloured."""

_HIDDEN: Final = re.compile(f"[{_UNSEEN}]|{_JOINER}")
_HIDDEN_OR_COLOUR: Final = re.compile(f"{_COLOUR}|[{_UNSEEN}]|{_JOINER}")


def visible(text: str, *, coloured: bool = False) -> str:
    """The text, and in place of each character that is not seen the sign ``\\uXXXX``. ``coloured``: colours and bold
    stay."""
    if coloured:
        return _HIDDEN_OR_COLOUR.sub(lambda m: m[0] if len(m[0]) > 1 else _sign(m), text)
    return _HIDDEN.sub(_sign, text)


def _sign(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
