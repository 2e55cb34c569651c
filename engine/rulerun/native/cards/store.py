"""The card store: where the cards lie, as words of the state vector, and the operations on them in machine code.

Each operation is a function of the module, ``@name(parts of the vector, i64 ...)``, written when a program first needs
it. Kinds of zones that are known where an operation stands are part of its name (``move_card.hand.head``), so that the
code for a hand has no test for a pile in it. What each does is said by the table of cards in `run`, word by word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulerun.ir.program import ZONE_HEAD, ZONE_SET, Program
from rulerun.native.cards.words import WordSets
from rulerun.native.regions import PARAMETERS, arguments
from rulerun.native.text import Module, Writer, is_number

INLINE = "nounwind alwaysinline"
WITHOUT_CHANCE = ("set_of", "canon", "position", "sight", "alike")
"""Operations that never use the generator; functions call them, which have none."""
Operation = Callable[..., None]
OPERATIONS: dict[str, Operation] = {}
"""By the first part of their names: what writes an operation, given the store, its name and the other parts of it."""


def operation(write: Operation) -> Operation:
    """Registers what writes an operation."""
    assert write.__name__ not in OPERATIONS
    OPERATIONS[write.__name__] = write
    return write


class CardStore(WordSets):
    """A program's cards and zones. `call` writes a call and, the first time, the operation itself."""

    def __init__(self, program: Program, module: Module, pdep: bool) -> None:
        layout = program.layout
        super().__init__(layout.cards, pdep)
        self.program = program
        self.module = module
        self.zones = layout.zones
        self.zone_words = layout.zone_words
        families = [program.families[zone.family] for zone in program.zones]
        self.ordered = [family.kind.ordered for family in families]
        self.shuffled = [family.shuffled for family in families]
        self.sees = [zone.seen for zone in program.zones]
        self.written: set[str] = set()
        self.inlined: set[str] = set()

    def call(self, w: Writer, name: str, given: Sequence[str], results: int = 1) -> list[str]:
        """Calls operation ``name``; its results. The generator's state goes in and out by value where the operation
        is not written in place, so that it can stay in a register."""
        if name not in self.written:
            self.written.add(name)
            parts = name.split(".")
            OPERATIONS[parts[0]](self, name, *parts[1:])
        passed = "".join(f", i64 {value}" for value in given)
        kind = "i64" if results == 1 else "{ " + ", ".join(["i64"] * results) + " }" if results else "void"
        pure = name.startswith(WITHOUT_CHANCE)
        inlined = pure or name in self.inlined
        copy = "null" if pure else "%rng" if inlined else w.slot(w.get("%rng"))
        text = f"call {kind} @{name}({arguments(copy, 'null')}{passed})"
        value = ""
        if results:
            value = w.op(text)
        else:
            w.line(text)
        if not inlined:
            w.put("%rng", w.get(copy))
        if results < 2:
            return [value] if results else []
        return [w.op(f"extractvalue {kind} {value}, {i}") for i in range(results)]

    def do(self, w: Writer, name: str, given: Sequence[str]) -> None:
        """Calls an operation that gives nothing."""
        self.call(w, name, given, 0)

    def words_of(self, w: Writer, name: str, given: Sequence[str]) -> list[str]:
        """Calls an operation that gives a set of cards."""
        return self.call(w, name, given, self.width)

    def function(
        self, name: str, count: int, body: Callable[[Writer, list[str]], Sequence[str] | None], inline: bool = False
    ) -> None:
        """Writes an operation of ``count`` numbers. The body gives the results."""
        if inline:
            self.inlined.add(name)
        w = Writer(self.module)
        given = [f"%a{i}" for i in range(count)]
        results = body(w, given)
        kind = "void" if results is None else "i64"
        if results is None:
            w.line("ret void")
        elif len(results) == 1:
            w.line(f"ret i64 {results[0]}")
        else:
            kind = "{ " + ", ".join(["i64"] * len(results)) + " }"
            value = "undef"
            for i, result in enumerate(results):
                value = w.op(f"insertvalue {kind} {value}, i64 {result}, {i}")
            w.line(f"ret {kind} {value}")
        w.open = False
        parameters = "".join(f", i64 {a}" for a in given)
        w.define(f"internal {kind} @{name}({PARAMETERS}{parameters})", INLINE if inline else "nounwind noinline")

    # -------------------------------------------------------------- zone records

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

    def read_set(self, w: Writer, z: str) -> list[str]:
        return [w.get(self.word(w, z, ZONE_SET + i)) for i in range(self.width)]

    def write_set(self, w: Writer, z: str, words: Sequence[str]) -> None:
        for i, word in enumerate(words):
            w.put(self.word(w, z, ZONE_SET + i), word)

    def is_ordered(self, kind: str) -> bool:
        return kind != "hand"

    def set_of(self, w: Writer, z: str, kind: str) -> list[str]:
        """All cards of a zone, undrawn ones included."""
        return self.words_of(w, f"set_of.{kind}", [z])

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
            self.each_linked(w, w.get(self.word(w, z, ZONE_HEAD)), "%nx", body)
        else:
            self.each_card(w, self.read_set(w, z), body)

    def flip(self, w: Writer, z: str, card: str) -> None:
        """Puts a card into the set of a zone record, or takes it out."""
        number, bit = self.where(w, card)
        address = w.at("%zn", w.add(w.add(z, str(ZONE_SET)), number))
        w.put(address, w.differ(w.get(address), bit))
