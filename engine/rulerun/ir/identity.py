"""What makes two programs the same game: the name that saves and logs give to their ruleset.

The identity is a hash of all that decides what can happen in a game: how many play, the cards and what is printed on
them, zones, variables with their first values, functions, blocks, results, limits, and how all of it lies in the state
vector. Options and variants count by what they make of the rules.

Left out is what only people read: names of every kind (of the game, zones, variables, values of types, cards), `about`
texts, labels of options, the words of notes, and the lines that rules came from. So a comment, a blank line, a better
label or a translated name leaves saves and logs alone. The keys that name choices hold numbers of sites, lines, kinds
and places, none of which such an edit changes.

A newer rulerun may compile the same text otherwise; then the identity is another one.

The same on every machine and in every process: numbers, enum values and names of node classes, hashed as text.
"""

from __future__ import annotations

import hashlib
from enum import Enum
from typing import Any

from rulerun.ir.operations import Label
from rulerun.ir.program import IR_VERSION, Program
from rulerun.ir.types import EnumType

FOR_PEOPLE: dict[str, frozenset[str]] = {
    "Program": frozenset({"game", "options", "variants", "kind_names", "back_names", "origins"}),
    "CardColumn": frozenset({"name"}),
    "ZoneFamily": frozenset({"name", "about"}),
    "Zone": frozenset({"name"}),
    "Variable": frozenset({"name"}),
    "ConstantTable": frozenset({"name"}),
    "Function": frozenset({"name"}),
    "Procedure": frozenset({"name"}),
    "Criterion": frozenset({"name"}),
    "Line": frozenset({"label"}),
    "Block": frozenset({"closed"}),
    "Fail": frozenset({"message"}),
}
"""Fields of IR classes that no game depends on; a field `at` (the line that something came from) is one everywhere."""


def identity_of(program: Program) -> str:
    """SHA-256 (hex) of what a program means."""
    return hashlib.sha256(f"rulerun IR {IR_VERSION} {_meaning(program)}".encode()).hexdigest()


def _meaning(value: object) -> str:
    """What a value of the IR means, as text. Two values that differ in meaning differ in text."""
    if isinstance(value, Enum):
        return f"{value.__class__.__name__}.{value.value}"
    if value is None or isinstance(value, int):
        return str(int(value)) if value is not None else "-"
    if isinstance(value, str):
        return repr(value)
    if isinstance(value, tuple):
        return f"({','.join(map(_meaning, value))})"
    if isinstance(value, EnumType):
        return f"EnumType({len(value.values)},{int(value.ordered)})"
    if isinstance(value, Label):  # of a note: what it computes can fault, what it says cannot
        return _meaning(tuple(part for part in value.parts if not isinstance(part, str)))
    return _of_node(value)


def _of_node(value: Any) -> str:
    """A node or another dataclass: its class and the parts that have a meaning."""
    name = value.__class__.__name__
    left_out = FOR_PEOPLE.get(name, frozenset())
    parts = [p for p in value.__match_args__ if p != "at" and p not in left_out]
    return f"{name}({','.join([_meaning(getattr(value, part)) for part in parts])})"
