"""What is known of a value, and of all values at one point of the rules.

May not look at blocks or operations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from rulerun.check.sight.labels import (
    OPEN,
    Label,
    Renaming,
    Symbol,
    by_fork,
    renamed,
    renamed_label,
    settled_fork,
    shared,
    without_fork,
)

ANYWHERE = -1
"""A card may lie in any zone."""


class Value(NamedTuple):
    """Of a card or a set of cards several things may be secret, each by itself. All others have a ``label`` only."""

    label: Label = OPEN
    """Who may know the value: of a card, which of the cards on the table it is; of a set, which cards belong to it."""
    symbol: Symbol | None = None
    """Of a player, and of a card: another value with this symbol is the same."""
    face: Label = OPEN
    """Who may know the faces, if they know which cards these are."""
    member: Label = OPEN
    """Of a set: who may know which card it is that is taken out of it by itself."""
    size: Label = OPEN
    """Of a set: who may know how many there are."""
    home: int | None = None
    """Of cards: the zone family where they lie; `ANYWHERE`."""


PUBLIC = Value()


def join(left: Value, right: Value, symbol: Symbol | None = None) -> Value:
    """A value that is one of two. ``symbol``: its name where they are not the same."""
    if left == right:
        return left
    same = left.symbol == right.symbol
    home = left.home if left.home == right.home else ANYWHERE
    return Value(
        left.label | right.label,
        left.symbol if same else symbol,
        left.face | right.face,
        left.member | right.member,
        left.size | right.size,
        home,
    )


def all_of(value: Value) -> Label:
    """The label of whatever may be read off a value."""
    return value.label | value.size


def tainted(value: Value, label: Label) -> Value:
    """A value that only came about because of something with a label."""
    if not label:
        return value
    size = value.size | label if value.home is not None else OPEN
    return value._replace(label=value.label | label, size=size)


Told = tuple[str, int]
"""What everyone is told, as far as the text settles it: its sort, and the zone family, place or origin."""

Zone = tuple[int, tuple[Symbol | int | None, ...] | None]
"""A zone family and which of its zones, as far as it is known: a symbol or a number per key. None: each of them."""


class Way(NamedTuple):
    """A fork of the rules by a secret, on one of its ways: ``label`` says who may know which. It shows by itself as
    soon as something is told that none of ``others`` is: what may be told next on the other ways. ``missed``: something
    has been told that may as well have come there. ``by``: the players who, if all knew who they are, would settle the
    way by themselves (none: others settle it, too)."""

    label: Label
    others: frozenset[Told]
    missed: bool = False
    by: frozenset[Symbol] = frozenset()


class State:
    """What is known at one point of the rules.

    ``values``: of the words of the frames and of the scalar state variables. ``shown``: who knows all faces in a zone
    besides those who see them (None: everyone). ``ways``: the forks that led here and do not show yet. ``full``: the
    places of sets that are not empty. ``fresh``: the snapshots that are not empty and of which no element has had its
    turn."""

    __slots__ = ("fresh", "full", "shown", "values", "ways")

    def __init__(
        self,
        values: dict[int, Value],
        shown: dict[Zone, frozenset[Symbol] | None],
        ways: dict[int, Way] | None = None,
        full: frozenset[int] = frozenset(),
        fresh: frozenset[int] = frozenset(),
    ) -> None:
        self.values = values
        self.shown = shown
        self.ways = {} if ways is None else ways
        self.full = full
        self.fresh = fresh

    def copy(self) -> State:
        return State(self.values.copy(), self.shown.copy(), self.ways.copy(), self.full, self.fresh)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, State)
            and self.values == other.values
            and self.shown == other.shown
            and self.ways == other.ways
            and self.full == other.full
            and self.fresh == other.fresh
        )

    def __hash__(self) -> int:
        return hash((frozenset(self.values.items()), frozenset(self.shown.items())))

    @property
    def way(self) -> Label:
        """Who may know that the rules have come here."""
        if not self.ways:
            return OPEN
        return OPEN.union(*(by_fork(way.label, fork) for fork, way in self.ways.items()))

    def tell(self, told: Told, *, surely: bool) -> None:
        """Everyone is told something (maybe): forks may show by it."""
        for fork, way in list(self.ways.items()):
            if told in way.others:
                self.ways[fork] = way._replace(missed=True)
            elif surely and not way.missed:
                self.show(fork)

    def show(self, fork: int) -> None:
        """Everyone is told now which way was taken at a fork."""
        self.ways.pop(fork, None)
        self._relabel(lambda label: without_fork(label, fork))

    def fork(self, block: int, label: Label, others: frozenset[Told], by: frozenset[Symbol]) -> None:
        """The rules go one of several ways, by a secret."""
        self.ways[block] = Way(label, others, False, by)

    def begin_fork(self, block: int) -> None:
        """The rules come to a fork (again)."""
        self.ways.pop(block, None)
        self._relabel(lambda label: settled_fork(label, block))

    def _relabel(self, change: Callable[[Label], Label]) -> None:
        for offset, value in list(self.values.items()):
            if value.label or value.face or value.member or value.size:
                new = Value(
                    change(value.label),
                    value.symbol,
                    change(value.face),
                    change(value.member),
                    change(value.size),
                    value.home,
                )
                if new != value:
                    self.put(offset, new)

    def get(self, offset: int) -> Value:
        return self.values.get(offset, PUBLIC)

    def put(self, offset: int, value: Value) -> None:
        if value == PUBLIC:
            self.values.pop(offset, None)
        else:
            self.values[offset] = value

    def write(self, offset: int, value: Value) -> None:
        """A new value is stored at a place."""
        self.put(offset, value)
        self.full -= {offset}

    def clear(self, offset: int, words: int) -> None:
        for word in range(offset, offset + words) if words < len(self.values) else list(self.values):
            if offset <= word < offset + words:
                self.values.pop(word, None)
        if self.full:
            self.full = frozenset(place for place in self.full if not offset <= place < offset + words)

    def cards(self) -> Iterator[tuple[int, Value]]:
        """The values that are cards."""
        return ((offset, value) for offset, value in list(self.values.items()) if value.home is not None)

    def same_as(self, symbol: Symbol | None) -> list[int]:
        """The places that hold what a symbol stands for."""
        return [] if symbol is None else [o for o, value in self.values.items() if value.symbol == symbol]

    def rename(self, rename: Renaming) -> None:
        """Renames all symbols."""
        for offset, value in list(self.values.items()):
            self.put(offset, renamed_value(value, rename))
        shown: dict[Zone, frozenset[Symbol] | None] = {}
        for (family, keys), knowers in self.shown.items():
            if keys is None:
                shown[family, None] = knowers
                continue
            new = tuple(renamed(key, rename) if isinstance(key, tuple) else key for key in keys)
            if any(a is None and b is not None for a, b in zip(new, keys, strict=True)):
                continue
            known = None if knowers is None else frozenset(k for s in knowers if (k := renamed(s, rename)) is not None)
            shown[family, new] = known
        self.shown = shown
        if self.ways:
            self.ways = {
                fork: way._replace(label=renamed_label(way.label, rename), by=_renamed_all(way.by, rename))
                for fork, way in self.ways.items()
            }

    def told(self, symbol: Symbol | None) -> None:
        """Everyone is told whom (or which card) a symbol stands for."""
        while symbol is not None:
            for offset in self.same_as(symbol):
                self.put(offset, self.get(offset)._replace(label=OPEN))
            for fork, way in list(self.ways.items()):
                if symbol in way.by:
                    self.ways[fork] = way._replace(by=way.by - {symbol})
                    if way.by == {symbol}:
                        self.show(fork)
            inner = symbol[1] if symbol[0] == "next" else None
            symbol = inner if isinstance(inner, tuple) else None

    def knows_itself(self, symbol: Symbol | None) -> None:
        """A player is asked, and so knows that it is the one."""
        if symbol is not None:
            for offset in self.same_as(symbol):
                value = self.get(offset)
                self.put(offset, value._replace(label=shared(value.label, frozenset((symbol,)))))

    def forget(self, symbol: Symbol) -> None:
        """A symbol comes to stand for something else: what spoke of it is stale."""
        if (
            any(mentions(value, symbol) for value in self.values.values())
            or any(_within(key, symbol) for _, keys in self.shown for key in keys or ())
            or any(symbol in way.by or mentions(Value(way.label), symbol) for way in self.ways.values())
        ):
            self.rename(lambda old: None if old == symbol else old)


def _renamed_all(symbols: frozenset[Symbol], rename: Renaming) -> frozenset[Symbol]:
    """Renamed symbols; none if one of them is stale."""
    found = [renamed(symbol, rename) for symbol in symbols]
    return frozenset() if None in found else frozenset(symbol for symbol in found if symbol is not None)


def renamed_value(value: Value, rename: Renaming) -> Value:
    if value.symbol is None and not (value.label or value.face or value.member or value.size):
        return value
    return Value(
        renamed_label(value.label, rename),
        None if value.symbol is None else renamed(value.symbol, rename),
        renamed_label(value.face, rename),
        renamed_label(value.member, rename),
        renamed_label(value.size, rename),
        value.home,
    )


def mentions(value: Value, symbol: Symbol) -> bool:
    """Whether a value speaks of a symbol."""
    return _within(value.symbol, symbol) or any(
        _within(knower, symbol)
        for label in (value.label, value.face, value.member, value.size)
        for secret in label
        for knower in secret.knowers
    )


def _within(whole: object, part: Symbol) -> bool:
    if whole == part:
        return True
    return isinstance(whole, tuple) and len(whole) > 1 and isinstance(whole[1], tuple) and _within(whole[1], part)


def merged(block: int, into: State | None, state: State) -> tuple[State, bool]:
    """What is known where another way comes in; whether that is less than what was known before."""
    coming = state.copy()
    _rebind(block, coming)
    if into is None:
        return coming, True
    values = into.values.copy()
    for offset in into.values.keys() | coming.values.keys():
        joined_ = join(into.get(offset), coming.get(offset), ("joined", block, offset))
        if joined_ == PUBLIC:
            values.pop(offset, None)
        else:
            values[offset] = joined_
    ways = into.ways.copy()
    for fork, way in coming.ways.items():
        other = ways.get(fork, way)
        by = way.by | other.by if way.by and other.by else frozenset()
        ways[fork] = Way(way.label | other.label, way.others | other.others, way.missed or other.missed, by)
    shown = _common(into.shown, coming.shown)
    result = State(values, shown, ways, into.full & coming.full, into.fresh & coming.fresh)
    return result, result != into


def meeting(block: int, states: Iterable[State]) -> State:
    """What is known at a block that several ways lead to (one: all that is known on it)."""
    found: State | None = None
    several = list(states)
    if len(several) == 1:
        return several[0]
    for state in several:
        found, _ = merged(block, found, state)
    assert found is not None
    return found


def _rebind(block: int, state: State) -> None:
    """Symbols of values that are joined at a block stand for what comes in now: what speaks of an earlier one is
    stale, unless the place still holds it."""
    old = {
        symbol
        for value in state.values.values()
        if value.symbol is not None or value.label or value.face or value.member or value.size
        for symbol in symbols_of(value)
        if symbol[0] == "joined" and symbol[1] == block
    }
    gone = {symbol for symbol in old if state.get(symbol[2]).symbol != symbol}  # type: ignore[arg-type]
    if gone:
        state.rename(lambda symbol: None if symbol in gone else symbol)


def symbols_of(value: Value) -> Iterator[Symbol]:
    """All symbols that a value speaks of."""
    if value.symbol is None and not (value.label or value.face or value.member or value.size):
        return
    roots: list[object] = [value.symbol]
    roots += [k for label in (value.label, value.face, value.member, value.size) for s in label for k in s.knowers]
    for root in roots:
        while isinstance(root, tuple):
            yield root
            root = root[1] if len(root) > 1 else None


def _common(
    left: Mapping[Zone, frozenset[Symbol] | None], right: Mapping[Zone, frozenset[Symbol] | None]
) -> dict[Zone, frozenset[Symbol] | None]:
    found: dict[Zone, frozenset[Symbol] | None] = {}
    for zone in left.keys() & right.keys():
        one, other = left[zone], right[zone]
        known = other if one is None else one if other is None else one & other
        if known is None or known:
            found[zone] = known
    return found


def shown_to(state: State, zone: Zone, knowers: frozenset[Symbol] | None) -> None:
    """The faces in a zone (or in all zones of a family) are shown to some players (None: everyone)."""
    before = state.shown.get(zone, frozenset())
    state.shown[zone] = None if before is None or knowers is None else before | knowers

