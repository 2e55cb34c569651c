"""Options as values: what a choice would store (see `ir.nodes.Identity`), and the values of their labels.

Naming an option for people or for a record is the machine's and the view's work.
"""

from __future__ import annotations

from typing import NamedTuple

from rulerun.ir.types import Type

PASS, DONE = -1, -2


class Option(NamedTuple):
    """One option: the line of its choice (`PASS`, or `DONE` of a set that is picked card by card), and per binder what
    would be stored (of DONE: the line)."""

    line: int
    values: tuple[int, ...]


class CardPick(Option):
    """One more card of a set that is picked card by card: ``values`` is that card."""

    __slots__ = ()


class LabelValue(NamedTuple):
    """A value inside a label, still a number. For a card: the zone where it lies and its place there (from HEAD, -1 in
    an unordered zone); ``value`` is -2 where the card at that place (or which card of that zone) is not settled."""

    value: int
    type: Type
    zone: int = -1
    place: int = -1
