"""Secrets and labels: who may know a value, with players named by symbols.

A `Symbol` stands for one value that a place held when it was written: two places with the same symbol hold the same
player (or the same card), whoever that is. A `Secret` says who may know something, and where it comes from; a `Label`
is a set of secrets, and whoever knows all of them may know the value. The empty label is what everyone may know.

This is the lattice of Denning (A Lattice Model of Secure Information Flow, 1976) over sets of seats, with symbols in
place of seats as in label-polymorphic systems such as Jif.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import NamedTuple

Symbol = tuple[object, ...]
"""``("seat", 0)``; ``("next", symbol, step)``; ``("team", symbol)``; else where it was written: ``("at", block, number,
place)``, ``("joined", block, place)``, ``("given", block, number)`` and ``("called", block, place)`` (by a call),
``("state", place)``."""

DEEPEST = 4
"""So many neighbours of neighbours are told apart."""

STALE: Symbol = ("stale",)
"""A value that no place holds any more. It equals nothing, not even itself (see `may_know`)."""


class Sort(Enum):
    """Where a secret comes from."""

    FACE = "face"
    """The face of a card in a zone."""
    WHICH = "which"
    """Which card of a zone without order it is."""
    VALUE = "value"
    """A state variable that not everyone sees."""
    CHOSEN = "chosen"
    """What was chosen secretly."""
    CHANCE = "chance"
    """What chance gave, untold."""
    MIXED = "mixed"
    """A card that nobody can follow any more."""


class Source(NamedTuple):
    """``name`` is the zone's or the variable's; ``at`` the origin in the rules where it is read."""

    sort: Sort
    name: str
    at: int


class Secret(NamedTuple):
    """``knowers``: symbols of the players who may know it; ``("not", symbol)`` is all but one, ``("member", symbol)``
    the players of a team. ``fork``: the block where the rules fork by this secret, if it is known only by which way was
    taken there; -1: it is in the value itself."""

    knowers: frozenset[Symbol]
    source: Source
    fork: int = -1


Label = frozenset[Secret]
OPEN: Label = frozenset()


def joined(labels: Iterable[Label]) -> Label:
    """The label of what follows from values with these labels."""
    return OPEN.union(*labels)


def shared(label: Label, knowers: frozenset[Symbol]) -> Label:
    """The label of what these players know, too."""
    return frozenset(secret._replace(knowers=secret.knowers | knowers) for secret in label)


def by_fork(label: Label, fork: int) -> Label:
    """The label of what is told by the way that the rules took at a fork."""
    return frozenset(secret._replace(fork=fork) for secret in label)


def without_fork(label: Label, fork: int) -> Label:
    """A label when everyone has been told which way was taken at a fork."""
    return frozenset(secret for secret in label if secret.fork != fork) if label else label


def settled_fork(label: Label, fork: int) -> Label:
    """A label when the rules come to a fork again: what was settled by the way taken there before stays secret."""
    if any(secret.fork == fork for secret in label):
        return frozenset(secret._replace(fork=-1) if secret.fork == fork else secret for secret in label)
    return label


def may_know(label: Label, reader: Symbol | None) -> bool:
    """Whether it is settled that a player (None: everyone) may know what is labelled so."""
    return all(reader is not None and _knows(secret, reader) for secret in label)


def hidden_from(label: Label, reader: Symbol | None) -> list[Secret]:
    """The secrets that the reader is not known to know, in the order of the rules."""
    found = [secret for secret in label if reader is None or not _knows(secret, reader)]
    return sorted(found, key=lambda secret: (secret.source.at, secret.source.sort.value, secret.source.name))


def _knows(secret: Secret, reader: Symbol) -> bool:
    if _is_stale(reader):
        return False
    return any(
        knower == reader
        or (knower[0] == "not" and _differ(knower[1], reader))
        or (knower[0] == "member" and knower[1] == ("team", reader))
        for knower in secret.knowers
    )


def _differ(left: object, right: object) -> bool:
    """Whether two players are surely not the same."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, tuple) and one[0] == "next" and one[1] == other and one[2] in (1, -1):
            return True
    return isinstance(left, tuple) and isinstance(right, tuple) and left[0] == right[0] == "seat" and left != right


def neighbour(of: Symbol | None, step: int) -> Symbol | None:
    """``next(p)`` and ``previous(p)``; a step back takes a step on back."""
    if of is None or _is_stale(of):
        return None
    if of[0] == "next" and of[2] == -step:
        inner = of[1]
        assert isinstance(inner, tuple)
        return inner
    return ("next", of, step) if _depth(of) < DEEPEST else None


def _depth(of: object) -> int:
    return 1 + _depth(of[1]) if isinstance(of, tuple) and of[0] in ("next", "team") else 0


def _is_stale(of: object) -> bool:
    return of == STALE or (isinstance(of, tuple) and of[0] in ("next", "team", "not", "member") and _is_stale(of[1]))


Renaming = Callable[[Symbol], Symbol | None]
"""A new name of a symbol; None: it is stale."""


def renamed(symbol: Symbol, rename: Renaming) -> Symbol | None:
    """A symbol, built of others maybe, with these renamed; None if it is stale."""
    if symbol[0] in ("next", "team", "not", "member"):
        inner = symbol[1]
        assert isinstance(inner, tuple)
        found = renamed(inner, rename)
        return None if found is None else (symbol[0], found, *symbol[2:])
    return rename(symbol)


def renamed_label(label: Label, rename: Renaming) -> Label:
    """A label with its symbols renamed; who is stale is a knower no more."""
    if not label:
        return label
    return frozenset(
        secret._replace(knowers=frozenset(new for old in secret.knowers if (new := renamed(old, rename)) is not None))
        for secret in label
    )
