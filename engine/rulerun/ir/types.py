"""The types of the rules language, and how many words of the state vector a value of each takes.

========================= ======= ==========================================================
type                      words   value of a word
========================= ======= ==========================================================
``int``                   1       a 32-bit number; leaving -2**31 .. 2**31-1 is a rules fault
``bool``                  1       0 or 1
an enum                   1       index of the value, from 0
``Player``                1       seat, from 0
``Card``                  1       card number, from 0; never leaves the engine
``T or none``             1       as T; none is -1
``set of`` enum/Player    1       bit i: element i belongs to it
``set of Card``           W       bit ``c % 62`` of word ``c // 62``: card c belongs to it
``T per K``               |K| x T the values in the order of the keys, row by row
========================= ======= ==========================================================

W is ``ceil(cards / 62)``: 62 bits a word keep every word a plain positive number in both executors.
"""

from __future__ import annotations

from rulerun.source.node import node

WORD_BITS = 62
NONE = -1
INT_MIN, INT_MAX = -(2**31), 2**31 - 1


@node
class IntType:
    def __str__(self) -> str:
        return "int"


@node
class BoolType:
    def __str__(self) -> str:
        return "bool"


@node
class EnumType:
    """An enum of the ruleset, or a built-in one (Suit, Rank of a standard deck). Equal by name within a program.

    ``of_option``: the choices of an option (``one_of``), which have no name of their own but the option's."""

    name: str
    values: tuple[str, ...]
    ordered: bool = False
    of_option: bool = False

    def __str__(self) -> str:
        return self.name


@node
class PlayerType:
    def __str__(self) -> str:
        return "Player"


@node
class CardType:
    def __str__(self) -> str:
        return "Card"


@node
class OptionalType:
    """``T or none``; T is int-free: an enum, Player or Card."""

    inner: Type

    def __str__(self) -> str:
        return f"{self.inner} or none"


@node
class SetType:
    """``set of T``; T is an enum, Player or Card."""

    of: Type

    def __str__(self) -> str:
        return "Cards" if isinstance(self.of, CardType) else f"set of {self.of}"


@node
class RangeKey:
    """A key ``low..high`` of a zone or an array."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


@node
class ArrayType:
    """``value per key``; nested arrays give several keys."""

    value: Type
    key: Type | RangeKey

    def __str__(self) -> str:
        """As written: the outermost key first, ``int per Player per Colour``."""
        keys, value = [self.key], self.value
        while isinstance(value, ArrayType):
            keys.append(value.key)
            value = value.value
        return f"{value} per {' per '.join(str(key) for key in keys)}"


Type = IntType | BoolType | EnumType | PlayerType | CardType | OptionalType | SetType | ArrayType

INT, BOOL, PLAYER, CARD = IntType(), BoolType(), PlayerType(), CardType()
CARDS = SetType(CARD)


def key_size(key: Type | RangeKey, players: int, cards: int) -> int:
    """How many values a key of an array or a zone has."""
    match key:
        case RangeKey(low, high):
            return high - low + 1
        case EnumType():
            return len(key.values)
        case BoolType():
            return 2
        case PlayerType():
            return players
        case CardType():
            return cards
        case _:
            raise ValueError(f"{key} cannot be a key")
