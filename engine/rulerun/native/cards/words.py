"""Sets of cards, or of the values of a large type, as words: `WORD_BITS` in each, the lowest in the lowest bit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulerun.ir.types import WORD_BITS
from rulerun.native.text import Writer


class WordSets:
    """Reads and writes sets out of ``cards`` cards (or values). ``pdep``: whether the processor deposits bits quickly.
    """

    def __init__(self, cards: int, pdep: bool) -> None:
        self.cards = cards
        self.width = -(-cards // WORD_BITS)
        self.pdep = pdep
        self.every_card = self.split((1 << cards) - 1)

    def split(self, cards: int) -> list[str]:
        """A known set of cards as words."""
        return [str(cards >> WORD_BITS * i & (1 << WORD_BITS) - 1) for i in range(self.width)]

    def where(self, w: Writer, card: str) -> tuple[str, str]:
        """Number of the word of a set in which a card stands, and its bit there."""
        if self.width == 1:
            return "0", w.bit(card)
        number = w.op(f"udiv i64 {card}, {WORD_BITS}")
        return number, w.bit(w.sub(card, w.mul(number, str(WORD_BITS))))

    def single(self, w: Writer, card: str) -> list[str]:
        """The set of one card."""
        number, bit = self.where(w, card)
        if self.width == 1:
            return [bit]
        return [w.pick(w.compare("eq", number, str(i)), bit, "0") for i in range(self.width)]

    def contains(self, w: Writer, words: Sequence[str], card: str) -> str:
        if self.width == 1:
            return w.has(words[0], card)
        one = self.single(w, card)
        return self.some(w, [w.both(a, b) for a, b in zip(words, one, strict=True)])

    def some(self, w: Writer, words: Sequence[str]) -> str:
        """Whether a set is not empty."""
        total = words[0]
        for word in words[1:]:
            total = w.either(total, word)
        return w.compare("ne", total, "0")

    def size(self, w: Writer, words: Sequence[str]) -> str:
        total = w.ones(words[0])
        for word in words[1:]:
            total = w.add(total, w.ones(word))
        return total

    def first(self, w: Writer, words: Sequence[str]) -> str:
        """The lowest card of a set that is not empty."""
        result = w.add(w.lowest(words[-1]), str(WORD_BITS * (self.width - 1)))
        for i in range(self.width - 2, -1, -1):
            here = w.add(w.lowest(words[i]), str(WORD_BITS * i))
            result = w.pick(w.compare("ne", words[i], "0"), here, result)
        return result

    def nth(self, w: Writer, words: Sequence[str], k: str) -> str:
        """The card with ``k`` cards of the set below it; there is one."""
        word, low = words[-1], str(WORD_BITS * (self.width - 1))
        before = ["0"]
        for other in words[:-1]:
            before.append(w.add(before[-1], w.ones(other)))
        rest = w.sub(k, before[-1])
        for i in range(self.width - 2, -1, -1):
            here = w.compare("slt", k, before[i + 1])
            word = w.pick(here, words[i], word)
            low = w.pick(here, str(WORD_BITS * i), low)
            rest = w.pick(here, w.sub(k, before[i]), rest)
        return w.add(low, self.nth_bit(w, word, rest))

    def nth_bit(self, w: Writer, word: str, k: str) -> str:
        if self.pdep:
            return w.lowest(w.op(f"call i64 @llvm.x86.bmi.pdep.64(i64 {w.up('1', k)}, i64 {word})"))
        low = "0"
        for size in (32, 16, 8, 4, 2, 1):
            count = w.ones(w.both(word, str((1 << size) - 1)))
            beyond = w.compare("sge", k, count)
            k = w.pick(beyond, w.sub(k, count), k)
            word = w.pick(beyond, w.down(word, str(size)), word)
            low = w.pick(beyond, w.add(low, str(size)), low)
        return low

    def each_bit(self, w: Writer, word: str, body: Callable[[str], None]) -> None:
        """A loop over the bits of one word, the lowest first."""
        rest = w.slot(word)
        with w.loop() as loop:
            left = w.get(rest)
            loop.leave_if(w.compare("eq", left, "0"))
            w.put(rest, w.both(left, w.sub(left, "1")))
            body(w.lowest(left))

    def each_card(self, w: Writer, words: Sequence[str], body: Callable[[str], None]) -> None:
        """A loop over a set of cards, the lowest first."""
        if self.width == 1:
            self.each_bit(w, words[0], body)
            return
        held = w.slot(words=self.width)
        for i, word in enumerate(words):
            w.store(held, str(i), word)
        with w.counting("0", str(self.width)) as number:
            low = w.mul(number, str(WORD_BITS))
            self.each_bit(w, w.load(held, number), lambda bit: body(w.add(low, bit)))

    # ---------------------------------------------------------------- variables

    def hold(self, w: Writer, words: Sequence[str]) -> str:
        """A set as a variable."""
        held = w.slot(words=self.width)
        for i, word in enumerate(words):
            w.store(held, str(i), word)
        return held

    def held(self, w: Writer, slot: str) -> list[str]:
        return [w.load(slot, str(i)) for i in range(self.width)]

    def include(self, w: Writer, slot: str, card: str) -> None:
        """Adds a card to a set held in a variable."""
        number, bit = self.where(w, card)
        address = w.at(slot, number)
        w.put(address, w.either(w.get(address), bit))
