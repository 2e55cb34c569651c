"""State variables that hold cards, and tokens that lie on cards: which words they are, and what the words say.

A card in a variable is no secret to who sees the variable, but its number must be: it is told as where it lies, with
its face to who knows that. A *holding* is a stretch of such words that the same seats see: a card, a set of cards, or
the entries by card of a ``T per Card``, of which those are told that differ from the start value. A zone that is
shuffled somewhere has no places here: they would tell which of its cards have been settled.

May import facts and ir only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulerun.facts.events import Carried, Named
from rulerun.ir.program import Program, Variable, words_of
from rulerun.ir.types import WORD_BITS, ArrayType, CardType, RangeKey, Type, key_size
from rulerun.ir.typing import is_card, is_card_set
from rulerun.source.node import node

Locate = Callable[[int], Named]
"""A card as it may be named, by its number."""
_Key = tuple[int, bool]
"""A key of an array, and whether it is a card."""


@node
class Entry:
    """A value of a holding: its first word, its type, the keys that lead to it from the first card on, and the words
    that it starts with."""

    word: int
    type: Type
    keys: tuple[_Key, ...]
    start: tuple[int, ...]


@node
class Holding:
    """``place``: its first word. ``variable``: the index of its variable. ``outer``: the keys before the first card.
    ``seen``: the seats that see it (-1: all of them). ``by_card``: tokens on cards; else it is one entry."""

    place: int
    variable: int
    outer: tuple[int, ...]
    seen: int
    by_card: bool
    entries: tuple[Entry, ...]


def names_cards(variable: Variable) -> bool:
    """Whether a variable is one of the state that has cards for values or for keys."""
    return variable.unit < 0 and _of_cards(variable.type)


def lies_in_holding(program: Program, offset: int) -> bool:
    """Whether a word belongs to a holding."""
    return any(v.offset <= offset < v.offset + v.words and names_cards(v) for v in program.variables)


def holdings(program: Program) -> tuple[Holding, ...]:
    """The holdings of a program, in the order of its variables."""
    everyone = (1 << program.players) - 1
    found: dict[tuple[int, tuple[int, ...], int], list[Entry]] = {}
    for number, variable in enumerate(program.variables):
        if not names_cards(variable):
            continue
        starts = variable.start or (0,) * variable.words
        for at, type_, keys in _leaves(program, variable.type, 0):
            first = next((i for i, (_, is_key_card) in enumerate(keys) if is_key_card), len(keys))
            seats = variable.seen[at] if variable.seen else everyone
            width = words_of(type_, program.players, program.card_count)
            entry = Entry(variable.offset + at, type_, keys[first:], tuple(starts[at : at + width]))
            outer = tuple(key for key, _ in keys[:first])
            found.setdefault((number, outer, -1 if seats == everyone else seats), []).append(entry)
    return tuple(
        Holding(entries[0].word, variable, outer, seen, bool(entries[0].keys), tuple(entries))
        for (variable, outer, seen), entries in found.items()
    )


def carried(holding: Holding, vector: Sequence[int], locate: Locate) -> tuple[Carried, ...]:
    """What a holding says in a state vector: of one that is not by card its one value, else what lies on cards."""
    return tuple(
        Carried(
            tuple(locate(key) if is_key_card else key for key, is_key_card in entry.keys),
            _value(entry, vector, locate),
        )
        for entry in holding.entries
        if not holding.by_card or tuple(vector[entry.word : entry.word + len(entry.start)]) != entry.start
    )


def _value(entry: Entry, vector: Sequence[int], locate: Locate) -> int | tuple[Named, ...]:
    word = vector[entry.word]
    if is_card(entry.type):
        return (locate(word),) if word >= 0 else ()
    if not is_card_set(entry.type):
        return word
    return tuple(
        locate(WORD_BITS * i + bit)
        for i in range(len(entry.start))
        for bit in range(WORD_BITS)
        if vector[entry.word + i] >> bit & 1
    )


def _of_cards(type_: Type) -> bool:
    if isinstance(type_, ArrayType):
        return isinstance(type_.key, CardType) or _of_cards(type_.value)
    return is_card(type_) or is_card_set(type_)


def _leaves(program: Program, type_: Type, at: int) -> Iterator[tuple[int, Type, tuple[_Key, ...]]]:
    """Every value of an array that is no array itself: its word, its type and its keys, counted from 0."""
    if not isinstance(type_, ArrayType):
        yield at, type_, ()
        return
    size = words_of(type_.value, program.players, program.card_count)
    for key in range(_size(program, type_.key)):
        for word, leaf, keys in _leaves(program, type_.value, at + key * size):
            yield word, leaf, ((key, isinstance(type_.key, CardType)), *keys)


def _size(program: Program, key: Type | RangeKey) -> int:
    return key_size(key, program.players, program.card_count)
