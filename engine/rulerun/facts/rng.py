"""The generator: splitmix64 on one word of the state, exact enough to be written again in machine code.

All numbers below are taken modulo 2**64; ``>>`` is the unsigned shift. The state is kept as a *signed* 64-bit number
(two's complement), so that a vector is a plain array of ``int64``.

``next64``
    1. ``state += 0x9E3779B97F4A7C15``
    2. ``x = state``
    3. ``x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9``
    4. ``x = (x ^ (x >> 27)) * 0x94D049BB133111EB``
    5. the output is ``x ^ (x >> 31)``
``below(n)``, for 1 <= n < 2**31: unbiased, by Lemire's multiplication with rejection on the upper half of an output
    1. if ``n == 1`` the answer is 0 and the state stays as it is
    2. ``m = (next64 >> 32) * n``
    3. while ``m mod 2**32 < (2**32 - n) mod n``: ``m = (next64 >> 32) * n``
    4. the answer is ``m >> 32``

This module imports the layout's word numbers only.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Any

from rulerun.ir.program import RNG

MASK64 = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB
SEED_BITS = 53
"""Derived seeds are below 2**53: any JSON reader keeps them exact."""


def signed(word: int) -> int:
    """The low 64 bits of a number as a signed 64-bit number."""
    word &= MASK64
    return word - 2**64 if word >> 63 else word


def mix(x: int) -> int:
    """Steps 3 to 5 of ``next64``: a bijection on 64-bit numbers, 0 <= x < 2**64."""
    x = ((x ^ (x >> 30)) * MIX_1) & MASK64
    x = ((x ^ (x >> 27)) * MIX_2) & MASK64
    return x ^ (x >> 31)


def seed_state(seed: int) -> int:
    """The generator's first state for any Python int, as a signed 64-bit number.

    The 64-bit digits of ``seed`` (two's complement, lowest first, ending before the endless run of 0 or -1) are mixed
    in one after the other, then the sign: ``h = mix((h ^ digit) + GOLDEN)`` from ``h = 0``. Different seeds of at most
    64 bits and one sign give different states.
    """
    h = 0
    rest = seed
    while True:
        h = mix(((h ^ (rest & MASK64)) + GOLDEN) & MASK64)
        rest >>= 64
        if rest in (0, -1):
            return signed(mix((h + GOLDEN) & MASK64) if rest else h)


def next64(v: list[int]) -> int:
    """The next output, 0 <= result < 2**64; steps the state at ``v[RNG]``."""
    x = (v[RNG] + GOLDEN) & MASK64
    v[RNG] = x if x < 0x8000000000000000 else x - 0x10000000000000000
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK64
    return x ^ (x >> 31)


def below(v: list[int], n: int) -> int:
    """A number 0 <= result < n, each as likely; 1 <= n < 2**31. Steps the state at ``v[RNG]`` unless n is 1."""
    if n == 1:
        return 0
    x = (v[1] + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    v[1] = x if x < 0x8000000000000000 else x - 0x10000000000000000
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    m = ((x ^ (x >> 31)) >> 32) * n
    if m & 0xFFFFFFFF < n:
        least = (0x100000000 - n) % n
        while m & 0xFFFFFFFF < least:
            m = (next64(v) >> 32) * n
    return m >> 32


def derive(seed: int, index: int) -> int:
    """The seed of game ``index`` of a series that was given ``seed``: 0 <= result < 2**53."""
    return mix(((seed_state(seed) ^ index * MIX_2) + GOLDEN) & MASK64) >> (64 - SEED_BITS)


class Stream:
    """The same generator on its own, for policies, simulations and samplers: never a game's own chance."""

    __slots__ = ("_words",)

    def __init__(self, seed: int) -> None:
        self._words = [0, seed_state(seed)]

    @property
    def state(self) -> int:
        """The state, as a signed 64-bit number."""
        return self._words[RNG]

    def next64(self) -> int:
        """The next output, 0 <= result < 2**64."""
        return next64(self._words)

    def below(self, n: int) -> int:
        """A number 0 <= result < n, each as likely; 1 <= n < 2**31."""
        return below(self._words, n)

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Puts the items in a random order (Fisher and Yates, from the last place down)."""
        for last in range(len(items) - 1, 0, -1):
            other = below(self._words, last + 1)
            items[last], items[other] = items[other], items[last]
