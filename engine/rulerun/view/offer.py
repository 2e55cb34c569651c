"""The options of one position, as the API gives them: a label for people and a stable key. Names are made when
somebody reads them.

May not import check, syntax or document.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Protocol
from weakref import WeakKeyDictionary

from rulerun.facts.options import DONE, PASS
from rulerun.facts.options import Option as Raw
from rulerun.run.machine import Machine
from rulerun.view.labels import unique_labels
from rulerun.view.names import Namer


class _Ticket:
    """Stands in an option for the names of an offer. It holds nothing."""

    __slots__ = ("__weakref__",)


class Option:
    """One thing that the seat to move may do. Made by `State.options`; equal if key and label are.

    It leads to nothing of the game but its two names; copied or pickled, it is these.
    """

    __slots__ = ("_index", "_ticket")

    def __init__(self, ticket: _Ticket, index: int) -> None:
        self._ticket = ticket
        self._index = index

    @property
    def label(self) -> str:
        """For people, as the seat to move may read it; unique among the options of the choice."""
        return _NAMES[self._ticket].labels[self._index]

    @property
    def key(self) -> str:
        """Stable name: the site of the choice, the line, then kinds, places and values: ``s3:0:17``; ``s3:pass``."""
        return _NAMES[self._ticket].keys[self._index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Option) and (self.key, self.label) == (other.key, other.label)

    def __hash__(self) -> int:
        return hash((self.key, self.label))

    def __repr__(self) -> str:
        return f"Option(label={self.label!r}, key={self.key!r})"

    def __reduce__(self) -> tuple[Callable[[str, str], Option], tuple[str, str]]:
        return _read_out, (self.key, self.label)


class _Names(Protocol):
    """What the options of an offer are called, in their order."""

    @property
    def keys(self) -> tuple[str, ...]: ...

    @property
    def labels(self) -> tuple[str, ...]: ...


_NAMES: WeakKeyDictionary[_Ticket, _Names] = WeakKeyDictionary()
"""By ticket the names of an offer, as long as somebody holds an option of it. Names are made when they are read, out of
the whole state: so an option must not hold what makes them, or a bot would find there all that is hidden."""


def _options_of(names: _Names, number: int) -> tuple[Option, ...]:
    """So many options, which are called by these names. ``names`` must not lead back to them: they would stay for
    good."""
    ticket = _Ticket()
    _NAMES[ticket] = names
    return tuple([Option(ticket, index) for index in range(number)])


@dataclass(frozen=True, slots=True)
class _ReadOut:
    """Names that have been made."""

    keys: tuple[str, ...]
    labels: tuple[str, ...]


def _read_out(key: str, label: str) -> Option:
    """An option that is its key and its label."""
    return _options_of(_ReadOut((key,), (label,)), 1)[0]


class _Naming:
    """Names that are made when they are first asked for. That can be a `RulesFault`: ``leading`` is entered around it,
    and may write into the fault what leads there."""

    __slots__ = ("_keys", "_labels", "_leading", "_machine", "_namer", "_raw", "_vector")

    def __init__(
        self,
        machine: Machine,
        namer: Namer,
        vector: list[int],
        raw: Sequence[Raw],
        leading: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._machine = machine
        self._namer = namer
        self._vector = vector
        self._raw = raw
        self._leading = leading
        self._keys: tuple[str, ...] | None = None
        self._labels: tuple[str, ...] | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        if self._keys is None:
            machine, v = self._machine, self._vector
            site = machine.site(v)
            self._keys = tuple(key_text(site, machine.key(v, option)) for option in self._raw)
        return self._keys

    @property
    def labels(self) -> tuple[str, ...]:
        if self._labels is None:
            with self._leading():
                self._labels = tuple(unique_labels(self._machine, self._namer, self._vector, self._raw))
        return self._labels


class Offer:
    """All options of one vector. ``raw`` as the machine lists them, ``options`` as people and bots get them.

    ``leading`` is entered around what may be a `RulesFault`: listing the options, and making their labels.
    """

    __slots__ = ("_names", "_options", "raw")

    def __init__(
        self,
        machine: Machine,
        namer: Namer,
        vector: list[int],
        leading: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        with leading():
            self.raw: list[Raw] = machine.options(vector)
        self._names = _Naming(machine, namer, vector, self.raw, leading)
        self._options: tuple[Option, ...] | None = None

    @property
    def options(self) -> tuple[Option, ...]:
        if self._options is None:
            self._options = _options_of(self._names, len(self.raw))
        return self._options

    @property
    def keys(self) -> tuple[str, ...]:
        return self._names.keys

    @property
    def labels(self) -> tuple[str, ...]:
        return self._names.labels


def key_text(site: int, key: Sequence[int]) -> str:
    """A key as text: ``s3:0:17.2`` (site, line, values), ``s3:1`` (a line without a binder), ``s3:pass``,
    ``s3:done``."""
    if key[0] == PASS:
        return f"s{site}:pass"
    if key[0] == DONE:
        return f"s{site}:done"
    return f"s{site}:{key[0]}:{'.'.join(map(str, key[1:]))}" if len(key) > 1 else f"s{site}:{key[0]}"
