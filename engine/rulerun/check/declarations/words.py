"""The words that a ruleset cannot give a meaning of its own, refused where it declares them.

A name that is one of these could not be read where it is used: `not` is an operator wherever it stands, a line that
begins with `move` is a statement, and `count` is a function that every ruleset has. Imports `syntax.words` only.
"""

from __future__ import annotations

from rulerun.syntax.words import HARD, VERBS

BUILT_IN_FUNCTIONS = frozenset(
    ("count", "sum", "min", "max", "some", "every", "same", "distinct", "next", "previous", "order", "knows")
)
BUILT_IN_TYPES = frozenset(("int", "bool", "Player", "Card", "Cards"))

VALUE_RESERVED = frozenset(HARD) | BUILT_IN_TYPES
"""What cannot name an enum value or a field of the cards."""

NAME_RESERVED = VALUE_RESERVED | frozenset(VERBS) | BUILT_IN_FUNCTIONS
"""What cannot name an option, type, zone, variable, table, function, rule, event or parameter."""


def why_reserved(word: str) -> str:
    """What a reserved word is, for a message."""
    if word in BUILT_IN_FUNCTIONS:
        return "a built-in function"
    if word in BUILT_IN_TYPES:
        return "a built-in type"
    return "a word of rule text"
