"""The options of one position, as the API gives them: a label for people and a stable key. Names are made when
somebody reads them.

May not import check, syntax or document.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext

from rulerun.facts.options import DONE, PASS
from rulerun.facts.options import Option as Raw
from rulerun.run.machine import Machine
from rulerun.view.labels import unique_labels
from rulerun.view.names import Namer


class Option:
    """One thing that the seat to move may do. Made by `State.options`; equal if key and label are."""

    __slots__ = ("_index", "_offer")

    def __init__(self, offer: Offer, index: int) -> None:
        self._offer = offer
        self._index = index

    @property
    def label(self) -> str:
        """For people, as the seat to move may read it; unique among the options of the choice."""
        return self._offer.labels[self._index]

    @property
    def key(self) -> str:
        """Stable name: the site of the choice, the line, then kinds, places and values: ``s3:0:17``; ``s3:pass``."""
        return self._offer.keys[self._index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Option) and (self.key, self.label) == (other.key, other.label)

    def __hash__(self) -> int:
        return hash((self.key, self.label))

    def __repr__(self) -> str:
        return f"Option(label={self.label!r}, key={self.key!r})"


class Offer:
    """All options of one vector. ``raw`` as the machine lists them, ``options`` as people and bots get them.

    Labels are worked out when they are first asked for, and that can be a `RulesFault`: ``leading`` is entered around
    it, and may write into the fault what leads there.
    """

    __slots__ = ("_keys", "_labels", "_leading", "_machine", "_namer", "_options", "_vector", "raw")

    def __init__(
        self,
        machine: Machine,
        namer: Namer,
        vector: list[int],
        leading: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        self._machine = machine
        self._namer = namer
        self._vector = vector
        self._leading = leading
        with leading():
            self.raw: list[Raw] = machine.options(vector)
        self._options: tuple[Option, ...] | None = None
        self._keys: tuple[str, ...] | None = None
        self._labels: tuple[str, ...] | None = None

    @property
    def options(self) -> tuple[Option, ...]:
        if self._options is None:
            self._options = tuple(Option(self, i) for i in range(len(self.raw)))
        return self._options

    @property
    def keys(self) -> tuple[str, ...]:
        if self._keys is None:
            machine, v = self._machine, self._vector
            site = machine.site(v)
            self._keys = tuple(key_text(site, machine.key(v, option)) for option in self.raw)
        return self._keys

    @property
    def labels(self) -> tuple[str, ...]:
        if self._labels is None:
            with self._leading():
                self._labels = tuple(unique_labels(self._machine, self._namer, self._vector, self.raw))
        return self._labels


def key_text(site: int, key: Sequence[int]) -> str:
    """A key as text: ``s3:0:17.2`` (site, line, values), ``s3:1`` (a line without a binder), ``s3:pass``,
    ``s3:done``."""
    if key[0] == PASS:
        return f"s{site}:pass"
    if key[0] == DONE:
        return f"s{site}:done"
    return f"s{site}:{key[0]}:{'.'.join(map(str, key[1:]))}" if len(key) > 1 else f"s{site}:{key[0]}"
