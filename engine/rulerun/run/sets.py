"""Sets of cards as one number: bit c stands for card c."""

from __future__ import annotations

from collections.abc import Iterable

SELECT = bytes(([i for i in range(8) if byte >> i & 1] + [0] * 8)[k] for byte in range(256) for k in range(8))
"""``SELECT[byte * 8 + k]``: the number of the k-th lowest bit set in a byte."""


def bits_of(cards: int) -> list[int]:
    """The elements of a set, lowest first."""
    found = []
    while cards:
        low = cards & -cards
        found.append(low.bit_length() - 1)
        cards ^= low
    return found


def mask_of(cards: Iterable[int]) -> int:
    """The set of these elements."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def select(word: int, k: int) -> int:
    """The k-th lowest element of a set that lies in one word (of at most 64 bits); it has more than k elements."""
    low = 0
    for width in (32, 16, 8):
        here = (word & (1 << width) - 1).bit_count()
        if k >= here:
            k -= here
            word >>= width
            low += width
    return low + SELECT[(word & 0xFF) * 8 + k]
