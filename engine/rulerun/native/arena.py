"""Cards in the state vector, in machine code: the operations of `run.arena`, written when a program needs them.

Each operation is a function ``@name(parts of the vector, i64 ...)``. Kinds of zones that are known where an operation
stands are part of its name, so that the code for a hand has no test for a pile in it. The meaning of every step is that
of `run.arena`; the names of its parts are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulerun.facts.rng import GOLDEN, MIX_1, MIX_2
from rulerun.ir.program import Program, ZoneKind
from rulerun.ir.types import WORD_BITS
from rulerun.native.regions import HEAD, PARAMETERS, TAIL, Cards, arguments
from rulerun.native.text import Module, Writer, as_signed

KINDS = {ZoneKind.PILE: "pile", ZoneKind.ROW: "row", ZoneKind.BOARD: "row", ZoneKind.HAND: "hand"}
INLINE = "nounwind alwaysinline"
WITHOUT_CHANCE = ("set_of.", "canon", "position")
"""Operations that never use the generator; functions call them, which have none."""


def mix(w: Writer, x: str) -> str:
    """The output of the generator for a state."""
    x = w.mul(w.differ(x, w.down(x, "30")), str(as_signed(MIX_1)))
    x = w.mul(w.differ(x, w.down(x, "27")), str(as_signed(MIX_2)))
    return w.differ(x, w.down(x, "31"))


class Arena(Cards):
    """The quiet operations. `call` writes a call and, the first time, the operation itself."""

    def __init__(self, program: Program, module: Module, pdep: bool) -> None:
        super().__init__(program, module, pdep)
        self.written: set[str] = set()
        self.inlined: set[str] = set()

    def call(self, w: Writer, name: str, given: Sequence[str], results: int = 1) -> list[str]:
        """Calls operation ``name``; its results. The generator's state goes in and out by value where the operation
        is not written in place, so that it can stay in a register."""
        if name not in self.written:
            self.written.add(name)
            parts = name.split(".")
            getattr(self, f"_{parts[0]}")(name, *parts[1:])
        passed = "".join(f", i64 {value}" for value in given)
        kind = "i64" if results == 1 else "{ " + ", ".join(["i64"] * results) + " }" if results else "void"
        pure = name.startswith(WITHOUT_CHANCE)
        inlined = pure or name in self.inlined
        copy = "null" if pure else "%rng" if inlined else w.slot(w.get("%rng"))
        text = f"call {kind} @{name}({arguments(copy)}{passed})"
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

    # ------------------------------------------------------------------ chance

    def below(self, w: Writer, n: str) -> str:
        """A random number from the game's generator."""
        return self.call(w, "below", [n])[0]

    def _below(self, name: str) -> None:
        def body(w: Writer, given: list[str]) -> list[str]:
            return [random_below(w, "%rng", given[0])]

        self.function(name, 1, body, inline=True)

    def _chance(self, name: str) -> None:
        def body(w: Writer, given: list[str]) -> list[str]:
            words = self.read_set(w, given[0])
            return [self.nth(w, words, self.below(w, self.size(w, words)))]

        self.function(name, 1, body, inline=True)

    def _settle(self, name: str) -> None:
        """``(z, spot, card)``: an undrawn card gets an undrawn place."""

        def body(w: Writer, given: list[str]) -> None:
            z, spot, card = given
            self.flip(w, z, card)
            above, before, after, gap = w.slot("0"), w.slot("0"), w.slot("0"), w.slot("0")
            top = self.word(w, z, 3)
            # ``before``: card + 1 of the drawn card above the place, 0 for the zone's own gap.
            w.put(gap, w.get(top))
            with w.when(w.compare("slt", spot, "0")) as which:
                with w.when(w.compare("eq", spot, str(TAIL))):
                    last = w.get(self.word(w, z, 1))
                    with w.when(w.compare("ne", last, "0")):
                        w.put(before, last)
                        w.put(gap, w.load("%gp", w.sub(last, "1")))
                    w.put(above, w.sub(w.get(gap), "1"))
                which.otherwise()
                w.put(above, spot)
                at = w.slot(w.get(self.word(w, z, 0)))
                with w.loop() as loop:
                    have = w.get(gap)
                    loop.leave_if(w.compare("slt", w.get(above), have))
                    w.put(above, w.sub(w.get(above), w.add(have, "1")))
                    here = w.get(at)
                    w.put(before, here)
                    w.put(gap, w.load("%gp", w.sub(here, "1")))
                    w.put(at, w.load("%nx", w.sub(here, "1")))
            w.store("%gp", card, w.sub(w.sub(w.get(gap), w.get(above)), "1"))
            up = w.get(before)
            number = w.add(card, "1")
            with w.when(w.compare("ne", up, "0")) as which:
                w.store("%gp", w.sub(up, "1"), w.get(above))
                w.put(after, w.load("%nx", w.sub(up, "1")))
                w.store("%nx", w.sub(up, "1"), number)
                which.otherwise()
                w.put(top, w.get(above))
                w.put(after, w.get(self.word(w, z, 0)))
                w.put(self.word(w, z, 0), number)
            down = w.get(after)
            w.store("%nx", card, down)
            w.store("%bk", card, up)
            with w.when(w.compare("ne", down, "0")) as which:
                w.store("%bk", w.sub(down, "1"), number)
                which.otherwise()
                w.put(self.word(w, z, 1), number)

        self.function(name, 3, body)

    def _settled(self, name: str) -> None:
        """``(z, spot)``: the drawn card there; -1 for no such place, -2 for an undrawn one. For an ordered zone."""

        def body(w: Writer, given: list[str]) -> list[str]:
            z, spot = given
            result = w.slot("-1")
            top = w.get(self.word(w, z, 3))
            head = w.get(self.word(w, z, 0))
            out = w.new_label("out")
            with w.when(w.compare("eq", spot, str(HEAD))):
                w.put(result, w.pick(w.compare("ne", top, "0"), "-2", w.sub(head, "1")))
                w.jump(out)
            with w.when(w.compare("eq", spot, str(TAIL))):
                last = w.get(self.word(w, z, 1))
                with w.when(w.compare("ne", last, "0")) as which:
                    gap = w.load("%gp", w.sub(last, "1"))
                    w.put(result, w.pick(w.compare("ne", gap, "0"), "-2", w.sub(last, "1")))
                    which.otherwise()
                    w.put(result, w.pick(w.compare("ne", top, "0"), "-2", "-1"))
                w.jump(out)
            inside = w.op(f"icmp ult i64 {spot}, {w.get(self.word(w, z, 2))}")
            with w.when(inside):
                rest, at = w.slot(w.sub(spot, top)), w.slot(head)
                with w.loop() as loop:
                    loop.leave_if(w.compare("sle", w.get(rest), "0"))
                    here = w.sub(w.get(at), "1")
                    w.put(rest, w.sub(w.get(rest), w.add(w.load("%gp", here), "1")))
                    w.put(at, w.load("%nx", here))
                w.put(result, w.pick(w.compare("slt", w.get(rest), "0"), "-2", w.sub(w.get(at), "1")))
            w.label(out)
            return [w.get(result)]

        self.function(name, 2, body)

    def _draw_head(self, name: str) -> None:
        """``(z)``: as draw, at HEAD."""

        def body(w: Writer, given: list[str]) -> list[str]:
            z = given[0]
            result = w.slot()
            above = w.get(self.word(w, z, 3))
            with w.when(w.compare("eq", above, "0")) as which:
                w.put(result, w.sub(w.get(self.word(w, z, 0)), "1"))
                which.otherwise()
                card = self.call(w, "chance", [z])[0]
                self.flip(w, z, card)
                w.put(self.word(w, z, 3), "0")
                w.store("%gp", card, w.sub(above, "1"))
                self.link_first(w, z, card)
                w.put(result, card)
            return [w.get(result)]

        self.function(name, 1, body, inline=True)

    def link_first(self, w: Writer, z: str, card: str) -> None:
        """Makes a card the first drawn one of a zone."""
        number = w.add(card, "1")
        after = w.get(self.word(w, z, 0))
        with w.when(w.compare("ne", after, "0")) as which:
            w.store("%nx", card, after)
            w.store("%bk", w.sub(after, "1"), number)
            which.otherwise()
            w.put(self.word(w, z, 1), number)
        w.put(self.word(w, z, 0), number)

    def _draw(self, name: str) -> None:
        """``(z, spot)`` of an ordered zone."""

        def body(w: Writer, given: list[str]) -> list[str]:
            z, spot = given
            result = w.slot()
            at_head = w.any_of(w.compare("eq", spot, str(HEAD)), w.compare("eq", spot, "0"))
            with w.when(at_head) as which:
                w.put(result, self.call(w, "draw_head", [z])[0])
                which.otherwise()
                w.put(result, self.call(w, "settled", [z, spot])[0])
                with w.when(w.compare("eq", w.get(result), "-2")):
                    card = self.call(w, "chance", [z])[0]
                    self.do(w, "settle", [z, spot, card])
                    w.put(result, card)
            return [w.get(result)]

        self.function(name, 2, body)

    def _first_undrawn(self, name: str) -> None:
        """``(z)`` of an ordered zone: depth of the first undrawn place, -1 for none."""

        def body(w: Writer, given: list[str]) -> list[str]:
            z = given[0]
            depth = w.slot("0")
            gap, at = w.slot(w.get(self.word(w, z, 3))), w.slot(w.get(self.word(w, z, 0)))
            with w.loop() as loop:
                loop.leave_if(w.compare("ne", w.get(gap), "0"))
                here = w.get(at)
                with w.when(w.compare("eq", here, "0")):
                    w.put(depth, "-1")
                    loop.leave()
                w.put(depth, w.add(w.get(depth), "1"))
                w.put(gap, w.load("%gp", w.sub(here, "1")))
                w.put(at, w.load("%nx", w.sub(here, "1")))
            return [w.get(depth)]

        self.function(name, 1, body)

    def _settle_all(self, name: str) -> None:
        """``(z)`` of an ordered zone."""

        def body(w: Writer, given: list[str]) -> None:
            with w.loop() as loop:
                depth = self.call(w, "first_undrawn", given)[0]
                loop.leave_if(w.compare("slt", depth, "0"))
                self.call(w, "draw", [given[0], depth])

        self.function(name, 1, body)

    def _position(self, name: str) -> None:
        """``(card)``: its place from HEAD; -1 in an unordered zone or undrawn."""

        def body(w: Writer, given: list[str]) -> list[str]:
            zone = w.load("%lc", given[0])
            z = self.record(w, zone)
            result = w.slot("-1")
            with w.when(self.fact(w, self.ordered, zone)):
                at, depth = w.slot(w.add(given[0], "1")), w.slot("0")
                with w.loop() as loop:
                    here = w.get(at)
                    before = w.load("%bk", w.sub(here, "1"))
                    with w.when(w.compare("eq", before, "0")):
                        with w.when(w.compare("eq", w.get(self.word(w, z, 0)), here)):
                            w.put(result, w.add(w.get(depth), w.get(self.word(w, z, 3))))
                        loop.leave()
                    gap = w.load("%gp", w.sub(before, "1"))
                    w.put(depth, w.add(w.get(depth), w.add(gap, "1")))
                    w.put(at, before)
            return [w.get(result)]

        self.function(name, 1, body)

    def _settle_card(self, name: str) -> None:
        """``(card)``: an undrawn card gets one of the undrawn places of its zone by chance."""

        def body(w: Writer, given: list[str]) -> None:
            card = given[0]
            zone = w.load("%lc", card)
            z = self.record(w, zone)
            out = w.new_label("out")
            w.branch(self.fact(w, self.ordered, zone), go := w.new_label(), out)
            w.label(go)
            there = self.call(w, "position", [card])[0]
            w.branch(w.compare("sge", there, "0"), out, go := w.new_label())
            w.label(go)
            k = w.slot(self.below(w, self.size(w, self.read_set(w, z))))
            depth = w.slot("0")
            gap, at = w.slot(w.get(self.word(w, z, 3))), w.slot(w.get(self.word(w, z, 0)))
            with w.loop() as loop:
                have = w.get(gap)
                with w.when(w.compare("slt", w.get(k), have)):
                    self.do(w, "settle", [z, w.add(w.get(depth), w.get(k)), card])
                    loop.leave()
                here = w.get(at)
                loop.leave_if(w.compare("eq", here, "0"))
                w.put(k, w.sub(w.get(k), have))
                w.put(depth, w.add(w.get(depth), w.add(have, "1")))
                w.put(gap, w.load("%gp", w.sub(here, "1")))
                w.put(at, w.load("%nx", w.sub(here, "1")))
            w.label(out)

        self.function(name, 1, body)

    # ------------------------------------------------------------------ moving

    def _take(self, name: str) -> None:
        """``(card)``: out of its zone; its location is left stale."""

        def body(w: Writer, given: list[str]) -> None:
            card = given[0]
            zone = w.load("%lc", card)
            z = self.record(w, zone)
            with w.when(self.fact(w, self.ordered, zone)) as which:
                self.unlink(w, z, card)
                which.otherwise()
                self.flip(w, z, card)
            count = self.word(w, z, 2)
            w.put(count, w.sub(w.get(count), "1"))

        self.function(name, 1, body, inline=True)

    def unlink(self, w: Writer, z: str, card: str) -> None:
        """Takes a card out of the chain of its zone."""
        number = w.add(card, "1")
        before = w.slot(w.load("%bk", card))
        with w.when(w.compare("eq", w.get(before), "0")):
            undrawn = w.compare("ne", w.get(self.word(w, z, 0)), number)
            with w.when(undrawn, rare=True):
                self.do(w, "settle_card", [card])
                w.put(before, w.load("%bk", card))
        after = w.load("%nx", card)
        gap = w.load("%gp", card)
        up = w.get(before)
        with w.when(w.compare("ne", up, "0")) as which:
            above = w.sub(up, "1")
            w.store("%nx", above, after)
            w.store("%gp", above, w.add(w.load("%gp", above), gap))
            w.store("%bk", card, "0")
            which.otherwise()
            w.put(self.word(w, z, 0), after)
            top = self.word(w, z, 3)
            w.put(top, w.add(w.get(top), gap))
        with w.when(w.compare("ne", after, "0")) as which:
            w.store("%bk", w.sub(after, "1"), up)
            w.store("%nx", card, "0")
            which.otherwise()
            w.put(self.word(w, z, 1), up)
        w.store("%gp", card, "0")

    def _put(self, name: str, kind: str, spot: str) -> None:
        """``(card, zone)`` and for a depth the spot: a card that is in no zone goes into one of kind ``kind``."""

        def body(w: Writer, given: list[str]) -> None:
            card, zone = given[:2]
            z = self.record(w, zone)
            count = self.word(w, z, 2)
            w.put(count, w.add(w.get(count), "1"))
            w.store("%lc", card, zone)
            number = w.add(card, "1")
            if kind == "hand":
                self.flip(w, z, card)
            elif spot == "head":
                self.link_first(w, z, card)
                gap = self.word(w, z, 3)
                w.store("%gp", card, w.get(gap))
                w.put(gap, "0")
            elif spot == "tail":
                before = w.get(self.word(w, z, 1))
                with w.when(w.compare("ne", before, "0")) as which:
                    w.store("%bk", card, before)
                    w.store("%nx", w.sub(before, "1"), number)
                    which.otherwise()
                    w.put(self.word(w, z, 0), number)
                w.put(self.word(w, z, 1), number)
            else:
                self.put_deep(w, z, card, given[2])

        self.function(name, 3 if spot == "depth" and kind != "hand" else 2, body, inline=spot != "depth")

    def put_deep(self, w: Writer, z: str, card: str, spot: str) -> None:
        """A card goes to a place counted from HEAD."""
        top = self.word(w, z, 3)
        rest, before, gap = w.slot(spot), w.slot("0"), w.slot(w.get(top))
        after = w.slot(w.get(self.word(w, z, 0)))
        with w.loop() as loop:
            have = w.get(gap)
            loop.leave_if(w.compare("sle", w.get(rest), have))
            w.put(rest, w.sub(w.get(rest), w.add(have, "1")))
            here = w.get(after)
            loop.leave_if(w.compare("eq", here, "0"))
            w.put(before, here)
            w.put(gap, w.load("%gp", w.sub(here, "1")))
            w.put(after, w.load("%nx", w.sub(here, "1")))
        up, down, left = w.get(before), w.get(after), w.get(rest)
        w.store("%gp", card, w.sub(w.get(gap), left))
        number = w.add(card, "1")
        w.store("%nx", card, down)
        w.store("%bk", card, up)
        with w.when(w.compare("ne", up, "0")) as which:
            w.store("%gp", w.sub(up, "1"), left)
            w.store("%nx", w.sub(up, "1"), number)
            which.otherwise()
            w.put(top, left)
            w.put(self.word(w, z, 0), number)
        with w.when(w.compare("ne", down, "0")) as which:
            w.store("%bk", w.sub(down, "1"), number)
            which.otherwise()
            w.put(self.word(w, z, 1), number)

    def _move_card(self, name: str, kind: str, spot: str) -> None:
        """``(card, zone)`` and for a depth the spot."""

        def body(w: Writer, given: list[str]) -> None:
            self.do(w, "take", given[:1])
            self.do(w, f"put.{kind}.{spot}", given)

        self.function(name, 3 if spot == "depth" and kind != "hand" else 2, body, inline=spot != "depth")

    def _move_cards(self, name: str, kind: str, spot: str) -> None:
        """``(zone, words ...)`` and for a depth the spot before the words: lowest number first."""
        extra = 1 if spot == "depth" and kind != "hand" else 0

        def body(w: Writer, given: list[str]) -> None:
            zone, depth, words = given[0], given[1 : 1 + extra], given[1 + extra :]
            self.each_card(w, words, lambda card: self.move(w, card, zone, kind, spot, depth))

        self.function(name, 1 + extra + self.width, body)

    def move(self, w: Writer, card: str, zone: str, kind: str, spot: str, depth: Sequence[str]) -> None:
        """One card goes to a zone."""
        self.do(w, f"move_card.{kind}.{spot}", [card, zone, *depth])

    def _move_all(self, name: str, source_kind: str, kind: str, spot: str) -> None:
        """``(source, zone)`` and for a depth the spot."""
        extra = 1 if spot == "depth" and kind != "hand" else 0

        def body(w: Writer, given: list[str]) -> None:
            source, zone, depth = given[0], given[1], given[2:]
            with w.when(w.compare("ne", source, zone)):
                z = self.record(w, source)

                def go(card: str) -> None:
                    self.move(w, card, zone, kind, spot, depth)

                if source_kind == "hand":
                    self.each_card(w, self.read_set(w, z), go)
                    return
                if any(self.shuffled):
                    self.do(w, "settle_all", [z])
                if source_kind == "pile" and spot == "head":
                    self.each_linked(w, w.get(self.word(w, z, 1)), "%bk", go)
                else:
                    self.each_linked(w, w.get(self.word(w, z, 0)), "%nx", go)

        self.function(name, 2 + extra, body)


def random_below(w: Writer, generator: str, n: str) -> str:
    """``below(n)`` of the generator whose state lies at an address."""
    state = w.get(generator)
    stepped = w.add(state, str(as_signed(GOLDEN)))
    product = w.slot(w.mul(w.down(mix(w, stepped), "32"), n))
    w.put(generator, w.pick(w.compare("eq", n, "1"), state, stepped))
    low = w.both(w.get(product), "4294967295")
    with w.when(w.op(f"icmp ult i64 {low}, {n}"), rare=True):
        least = w.op(f"urem i64 {w.sub('4294967296', n)}, {n}")
        with w.loop() as loop:
            low = w.both(w.get(product), "4294967295")
            loop.leave_if(w.op(f"icmp uge i64 {low}, {least}"))
            state = w.add(w.get(generator), str(as_signed(GOLDEN)))
            w.put(generator, state)
            w.put(product, w.mul(w.down(mix(w, state), "32"), n))
    return w.down(w.get(product), "32")


assert WORD_BITS == 62
