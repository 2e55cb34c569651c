"""The parts of a state vector as pointers, and small reads and writes of cards in machine code.

A function of the module gets one pointer per part (``PARAMETERS``); that they never overlap is what lets LLVM keep
words in registers over a write to another part. Imports ir and the text writer only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulerun.ir.program import Program, ZoneKind
from rulerun.ir.types import WORD_BITS
from rulerun.native.text import Module, Writer, is_number

NAMES = ("%v", "%zn", "%nx", "%bk", "%gp", "%lc", "%cx", "%rng")
"""Variables (the vector's start), zone records, next, previous, gap, location, step counters, generator."""
PARAMETERS = ", ".join(f"ptr noalias {name}" for name in NAMES)
STEPS, WORK = "0", "1"
"""Words of ``%cx``: steps in loops and functions, and work (see `facts.fuel`), since the last decision."""
FEW_WORDS = 4
HEAD, TAIL = -1, -2


def arguments(generator: str = "%rng") -> str:
    """The same pointers handed on."""
    return ", ".join(f"ptr {generator if name == '%rng' else name}" for name in NAMES)


class Cards:
    """What all writers know of a program's cards: layout, kinds of zones, sets of cards as words."""

    def __init__(self, program: Program, module: Module, pdep: bool) -> None:
        self.program = program
        self.module = module
        self.pdep = pdep
        layout = program.layout
        self.cards = layout.cards
        self.zones = layout.zones
        self.width = layout.words_per_set
        self.zone_words = layout.zone_words
        families = [program.families[zone.family] for zone in program.zones]
        self.ordered = [family.kind.ordered for family in families]
        self.is_pile = [family.kind is ZoneKind.PILE for family in families]
        self.shuffled = [family.shuffled for family in families]
        self.sees = [zone.seen for zone in program.zones]
        every = (1 << self.cards) - 1
        self.every_card = self.split(every)

    def split(self, cards: int) -> list[str]:
        """A known set of cards as words."""
        return [str(cards >> WORD_BITS * i & (1 << WORD_BITS) - 1) for i in range(self.width)]

    # ------------------------------------------------------------------ facts

    def fact(self, w: Writer, facts: Sequence[bool], index: str) -> str:
        """A truth about a zone instance."""
        if all(facts):
            return "true"
        if not any(facts):
            return "false"
        if is_number(index):
            return "true" if facts[int(index)] else "false"
        if len(facts) <= 64:
            mask = sum(1 << i for i, holds in enumerate(facts) if holds)
            return w.has(str(mask if mask < 2**63 else mask - 2**64), index)
        return w.compare("ne", w.look_up([int(fact) for fact in facts], index), "0")

    def record(self, w: Writer, zone: str) -> str:
        """Index of a zone's record in ``%zn``."""
        return w.mul(zone, str(self.zone_words))

    def word(self, w: Writer, z: str, number: int) -> str:
        return w.at("%zn", w.add(z, str(number)))

    # ------------------------------------------------------------- sets of cards

    def read_set(self, w: Writer, z: str) -> list[str]:
        return [w.get(self.word(w, z, 4 + i)) for i in range(self.width)]

    def write_set(self, w: Writer, z: str, words: Sequence[str]) -> None:
        for i, word in enumerate(words):
            w.put(self.word(w, z, 4 + i), word)

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

    # ------------------------------------------------------------------- chains

    def each_linked(self, w: Writer, first: str, links: str, body: Callable[[str], None]) -> None:
        """A loop over drawn cards along a chain that starts at ``first`` (card + 1). The body may move the card."""
        at = w.slot(first)
        with w.loop() as loop:
            here = w.get(at)
            loop.leave_if(w.compare("eq", here, "0"))
            card = w.sub(here, "1")
            w.put(at, w.load(links, card))
            body(card)

    def each_in_zone(self, w: Writer, z: str, ordered: bool, body: Callable[[str], None]) -> None:
        """The drawn cards of a zone from HEAD to TAIL, or by number."""
        if ordered:
            self.each_linked(w, w.get(self.word(w, z, 0)), "%nx", body)
        else:
            self.each_card(w, self.read_set(w, z), body)

    def flip(self, w: Writer, z: str, card: str) -> None:
        """Puts a card into the set of a zone record, or takes it out."""
        number, bit = self.where(w, card)
        address = w.at("%zn", w.add(w.add(z, "4"), number))
        w.put(address, w.differ(w.get(address), bit))
