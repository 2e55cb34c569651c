"""Many cards at once, in machine code: shuffles, collects, refills, swaps; the quiet operations of `run.arena`."""

from __future__ import annotations

from collections.abc import Sequence

from rulerun.native.arena import Arena
from rulerun.native.text import Writer


class Packets(Arena):
    """The rest of the quiet operations."""

    def is_ordered(self, kind: str) -> bool:
        return kind != "hand"

    def set_of(self, w: Writer, z: str, kind: str) -> list[str]:
        """All cards of a zone, undrawn ones included."""
        return self.words_of(w, f"set_of.{kind}", [z])

    def _set_of(self, name: str, kind: str) -> None:
        def body(w: Writer, given: list[str]) -> Sequence[str]:
            words = self.read_set(w, given[0])
            if not self.is_ordered(kind):
                return words
            held = self.hold(w, words)
            self.each_linked(w, w.get(self.word(w, given[0], 0)), "%nx", lambda card: self.include(w, held, card))
            return self.held(w, held)

        self.function(name, 1, body, inline=not self.is_ordered(kind))

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

    def _empty(self, name: str, kind: str) -> None:
        """``(z)``: takes all cards out; which they were. Locations are left stale."""

        def body(w: Writer, given: list[str]) -> Sequence[str]:
            z = given[0]
            held = self.hold(w, self.read_set(w, z))
            if self.is_ordered(kind):
                at = w.slot(w.get(self.word(w, z, 0)))
                with w.loop() as loop:
                    here = w.get(at)
                    loop.leave_if(w.compare("eq", here, "0"))
                    card = w.sub(here, "1")
                    self.include(w, held, card)
                    w.put(at, w.load("%nx", card))
                    for base in ("%nx", "%bk", "%gp"):
                        w.store(base, card, "0")
            w.clear("%zn", z, 4 + self.width)
            return self.held(w, held)

        self.function(name, 1, body)

    def _shuffle(self, name: str, kind: str) -> None:
        """``(zone)``"""

        def body(w: Writer, given: list[str]) -> None:
            if not self.is_ordered(kind):
                return
            z = self.record(w, given[0])
            count = w.get(self.word(w, z, 2))
            self.write_set(w, z, self.words_of(w, f"empty.{kind}", [z]))
            w.put(self.word(w, z, 2), count)
            w.put(self.word(w, z, 3), count)

        self.function(name, 1, body)

    def _put_undrawn(self, name: str, kind: str) -> None:
        """``(zone, words ...)``: cards that are in no zone come to one, in no order."""

        def body(w: Writer, given: list[str]) -> None:
            zone, coming = given[0], given[1:]
            z = self.record(w, zone)
            self.do(w, f"shuffle.{kind}", [zone])
            self.write_set(w, z, [w.either(a, b) for a, b in zip(self.read_set(w, z), coming, strict=True)])
            count = w.add(w.get(self.word(w, z, 2)), self.size(w, coming))
            w.put(self.word(w, z, 2), count)
            if self.is_ordered(kind):
                w.put(self.word(w, z, 3), count)
            self.each_card(w, coming, lambda card: w.store("%lc", card, zone))

        self.function(name, 1 + self.width, body)

    def _collect(self, name: str, source_kind: str, kind: str) -> None:
        """``(source, zone)``"""

        def body(w: Writer, given: list[str]) -> None:
            source, zone = given
            with w.when(w.compare("eq", source, zone)) as which:
                self.do(w, f"shuffle.{kind}", [zone])
                which.otherwise()
                coming = self.words_of(w, f"empty.{source_kind}", [self.record(w, source)])
                self.do(w, f"put_undrawn.{kind}", [zone, *coming])

        self.function(name, 2, body)

    def _collect_all(self, name: str, kind: str) -> None:
        """``(zone)``"""

        def body(w: Writer, given: list[str]) -> None:
            zone = given[0]
            w.clear("%zn", "0", self.zones * self.zone_words)
            for base in ("%nx", "%bk", "%gp"):
                w.clear(base, "0", self.cards)
            with w.counting("0", str(self.cards)) as card:
                w.store("%lc", card, zone)
            z = self.record(w, zone)
            self.write_set(w, z, self.every_card)
            w.put(self.word(w, z, 2), str(self.cards))
            if self.is_ordered(kind):
                w.put(self.word(w, z, 3), str(self.cards))

        self.function(name, 1, body)

    # ------------------------------------------------------------------ refills

    def _refill(self, name: str, source_kind: str, kind: str, keep_text: str, how: str) -> None:
        """``(zone, source)``; how many are kept and whether it is shuffled are part of the name."""
        keep = int(keep_text)

        def body(w: Writer, given: list[str]) -> None:
            zone, source = given
            z, s = self.record(w, zone), self.record(w, source)
            out, go = w.new_label("out"), w.new_label("go")
            moved = w.sub(w.get(self.word(w, s, 2)), str(keep))
            nothing = w.any_of(w.compare("ne", w.get(self.word(w, z, 2)), "0"), w.compare("sle", moved, "0"))
            w.branch(w.any_of(nothing, w.compare("eq", zone, source)), out, go)
            w.label(go)
            if how == "turned":
                self.turn_over(w, s, zone, source_kind, kind, keep)
            elif keep <= 0:
                self.do(w, f"collect.{source_kind}.{kind}", [source, zone])
            else:
                self.shuffle_under(w, s, zone, source_kind, kind, keep)
            w.label(out)

        self.function(name, 2, body)

    def settle_top(self, w: Writer, s: str, source_kind: str, keep: int) -> None:
        """Settles the topmost places that are kept."""
        if not self.is_ordered(source_kind):
            return
        for depth in range(keep):
            spot = str(depth) if source_kind == "pile" else w.sub(w.get(self.word(w, s, 2)), str(1 + depth))
            self.call(w, "draw", [s, spot])

    def shuffle_under(self, w: Writer, s: str, zone: str, source_kind: str, kind: str, keep: int) -> None:
        """All but the topmost cards go to a zone, in no order."""
        self.settle_top(w, s, source_kind, keep)
        coming = self.hold(w, self.set_of(w, s, source_kind))
        if self.is_ordered(source_kind):
            end, links = (0, "%nx") if source_kind == "pile" else (1, "%bk")
            at = w.slot(w.get(self.word(w, s, end)))
            with w.counting("0", str(keep)) as _:
                here = w.get(at)
                with w.when(w.compare("ne", here, "0")):
                    card = w.sub(here, "1")
                    number, bit = self.where(w, card)
                    address = w.at(coming, number)
                    w.put(address, w.without(w.get(address), bit))
                    w.put(at, w.load(links, card))
            undrawn = self.read_set(w, s)
        else:
            left = w.slot(str(keep))
            for i in range(self.width):
                address = w.at(coming, str(i))
                with w.loop() as loop:
                    word = w.get(address)
                    loop.leave_if(w.compare("eq", word, "0"))
                    loop.leave_if(w.compare("eq", w.get(left), "0"))
                    w.put(address, w.both(word, w.sub(word, "1")))
                    w.put(left, w.sub(w.get(left), "1"))
            undrawn = ["0"] * self.width
        moving = self.held(w, coming)
        drawn = [w.without(a, b) for a, b in zip(moving, undrawn, strict=True)]
        self.each_card(w, drawn, lambda card: self.do(w, "take", [card]))
        if self.is_ordered(source_kind):
            with w.when(self.some(w, undrawn)):
                count = self.word(w, s, 2)
                w.put(count, w.sub(w.get(count), self.size(w, undrawn)))
                self.write_set(w, s, ["0"] * self.width)
                w.put(self.word(w, s, 3), "0")
                first = w.get(self.word(w, s, 0))
                self.each_linked(w, first, "%nx", lambda card: w.store("%gp", card, "0"))
        self.do(w, f"put_undrawn.{kind}", [zone, *moving])

    def turn_over(self, w: Writer, s: str, zone: str, source_kind: str, kind: str, keep: int) -> None:
        """All but the topmost cards go one by one, the top first."""
        spot = "head" if kind == "pile" else "tail"
        left = w.slot(str(max(0, keep)))

        def go(card: str) -> None:
            have = w.get(left)
            with w.when(w.compare("eq", have, "0")) as which:
                self.do(w, "take", [card])
                self.do(w, f"put.{kind}.{spot}", [card, zone])
                which.otherwise()
                w.put(left, w.sub(have, "1"))

        if source_kind == "hand":
            self.each_card(w, self.read_set(w, s), go)
            return
        self.do(w, "settle_all", [s])
        end, links = (0, "%nx") if source_kind == "pile" else (1, "%bk")
        self.each_linked(w, w.get(self.word(w, s, end)), links, go)

    # -------------------------------------------------------------------- swaps

    def link(self, w: Writer, card: str, z: str, before: str, after: str, gap: str) -> None:
        """Puts a card between two others of a chain."""
        w.store("%bk", card, before)
        w.store("%nx", card, after)
        w.store("%gp", card, gap)
        number = w.add(card, "1")
        with w.when(w.compare("ne", before, "0")) as which:
            w.store("%nx", w.sub(before, "1"), number)
            which.otherwise()
            w.put(self.word(w, z, 0), number)
        with w.when(w.compare("ne", after, "0")) as which:
            w.store("%bk", w.sub(after, "1"), number)
            which.otherwise()
            w.put(self.word(w, z, 1), number)

    def _swap_cards(self, name: str) -> None:
        """``(a, b)``"""

        def body(w: Writer, given: list[str]) -> None:
            out = w.new_label("out")
            w.branch(w.compare("eq", given[0], given[1]), out, go := w.new_label())
            w.label(go)
            for card in given:
                self.do(w, "settle_card", [card])
            turned = w.compare("eq", w.load("%nx", given[1]), w.add(given[0], "1"))
            a, b = w.pick(turned, given[1], given[0]), w.pick(turned, given[0], given[1])
            left, right = w.load("%lc", a), w.load("%lc", b)
            zl, zr = self.record(w, left), self.record(w, right)
            old_a = [w.load(base, a) for base in ("%bk", "%nx", "%gp")]
            old_b = [w.load(base, b) for base in ("%bk", "%nx", "%gp")]
            w.store("%lc", a, right)
            w.store("%lc", b, left)
            l_ordered, r_ordered = self.fact(w, self.ordered, left), self.fact(w, self.ordered, right)
            side_by_side = w.all_of(l_ordered, w.compare("eq", old_a[1], w.add(b, "1")))
            with w.when(side_by_side):
                self.link(w, b, zl, old_a[0], w.add(a, "1"), old_a[2])
                self.link(w, a, zl, w.add(b, "1"), old_b[1], old_b[2])
                w.jump(out)
            with w.when(l_ordered) as which:
                for base in ("%bk", "%nx", "%gp"):
                    w.store(base, a, "0")
                which.otherwise()
                self.flip(w, zl, a)
            with w.when(r_ordered) as which:
                for base in ("%bk", "%nx", "%gp"):
                    w.store(base, b, "0")
                self.link(w, a, zr, *old_b)
                which.otherwise()
                self.flip(w, zr, b)
                self.flip(w, zr, a)
            with w.when(l_ordered) as which:
                self.link(w, b, zl, *old_a)
                which.otherwise()
                self.flip(w, zl, b)
            w.label(out)

        self.function(name, 2, body)

    def _swap_zones(self, name: str, kind: str) -> None:
        """``(left, right)``"""

        def body(w: Writer, given: list[str]) -> None:
            left, right = given
            with w.when(w.compare("ne", left, right)):
                zl, zr = self.record(w, left), self.record(w, right)
                in_left, in_right = self.set_of(w, zl, kind), self.set_of(w, zr, kind)
                for i in range(4 + self.width):
                    here, there = self.word(w, zl, i), self.word(w, zr, i)
                    one, other = w.get(here), w.get(there)
                    w.put(here, other)
                    w.put(there, one)
                self.each_card(w, in_left, lambda card: w.store("%lc", card, right))
                self.each_card(w, in_right, lambda card: w.store("%lc", card, left))

        self.function(name, 2, body)

    # ------------------------------------------------------------------- kinds

    def _canon(self, name: str) -> None:
        """``(words ...)``: a set that is the same for all sets that name the same places and, zone by zone, kinds: the
        lowest copies in each zone without order."""
        kind_masks = [0] * max(1, len(self.program.kind_names))
        for card, kind in enumerate(self.program.kinds):
            kind_masks[kind] |= 1 << card
        alike_of = [self.split(kind_masks[kind]) for kind in self.program.kinds]

        def body(w: Writer, given: list[str]) -> Sequence[str]:
            result = self.hold(w, ["0"] * self.width)

            def one(card: str) -> None:
                zone = w.load("%lc", card)
                with w.when(self.fact(w, self.ordered, zone)) as which:
                    self.include(w, result, card)
                    which.otherwise()
                    here = self.read_set(w, self.record(w, zone))
                    alike = [w.look_up([int(words[i]) for words in alike_of], card) for i in range(self.width)]
                    free = [
                        w.without(w.both(there, same), taken)
                        for there, same, taken in zip(here, alike, self.held(w, result), strict=True)
                    ]
                    self.include(w, result, self.first(w, free))

            self.each_card(w, given, one)
            return self.held(w, result)

        self.function(name, self.width, body)
