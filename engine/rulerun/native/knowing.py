"""What each seat knows after each happening, in machine code: the marks of `run.knowledge` and `run.marks`.

Operations are named ``k_...`` and call the quiet ones; the names of the parts are those of the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulerun.facts.observations import back_classes
from rulerun.ir.program import Program
from rulerun.native.packets import Packets
from rulerun.native.text import Module, Writer


class Knowing(Packets):
    """The operations that keep marks."""

    def __init__(self, program: Program, module: Module, knowledge: bool, pdep: bool) -> None:
        super().__init__(program, module, knowledge, pdep)
        self.kinds = program.kinds
        self.players = program.players
        self.everyone = str((1 << program.players) - 1)
        masks = [0] * max(1, len(program.kind_names))
        for card, kind in enumerate(program.kinds):
            masks[kind] |= 1 << card
        self.kind_masks = masks
        self.backs = back_classes(program)
        self.unlike = [
            sum(mask for kind, mask in enumerate(masks) if kind < len(self.backs) and self.backs[kind] != back)
            for back in range(len(masks))
        ]

    # -------------------------------------------------------------------- marks

    def place(self, w: Writer, card: str) -> str:
        """Where the place marks of a card lie."""
        return w.at("%mk", w.add(card, str(self.players)))

    def member(self, w: Writer, seat: str, zone: str) -> str:
        """Where the member marks of a seat on a zone begin."""
        number = w.add(w.mul(seat, str(self.zones)), zone)
        return w.at("%mk", w.add(w.mul(number, str(self.width)), str(self.players + self.cards)))

    def members(self, w: Writer, seat: str, zone: str) -> list[str]:
        base = self.member(w, seat, zone)
        return [w.load(base, str(i)) for i in range(self.width)]

    def set_members(self, w: Writer, seat: str, zone: str, words: Sequence[str]) -> None:
        base = self.member(w, seat, zone)
        for i, word in enumerate(words):
            w.store(base, str(i), word)

    def sets(self, w: Writer, table: Sequence[int], index: str) -> list[str]:
        """An entry of a table of sets of cards."""
        words = [self.split(cards) for cards in table]
        return [w.look_up([int(entry[i]) for entry in words], index) for i in range(self.width)]

    def kind(self, w: Writer, card: str) -> str:
        return w.look_up(self.kinds, card)

    def seen(self, w: Writer, zone: str) -> str:
        """The seats that see a zone."""
        return w.look_up(self.sees, zone)

    def each_seat(self, w: Writer, seats: str, body: Callable[[str], None]) -> None:
        self.each_bit(w, seats, body)

    def all_seats(self, w: Writer, body: Callable[[str], None]) -> None:
        with w.counting("0", str(self.players)) as seat:
            body(seat)

    def join(self, w: Writer, a: Sequence[str], b: Sequence[str], sign: str) -> list[str]:
        do = {"and": w.both, "or": w.either, "without": w.without}[sign]
        return [do(x, y) for x, y in zip(a, b, strict=True)]

    def edge_bit(self, w: Writer, words: Sequence[str], top: bool) -> list[str]:
        """The lowest (or highest) element of a set, as a set; empty for none."""
        found: list[str] = ["0"] * self.width
        taken = "false"
        order = range(self.width - 1, -1, -1) if top else range(self.width)
        for i in order:
            word = words[i]
            some = w.compare("ne", word, "0")
            if top:
                bit = w.pick(some, w.bit(w.highest(word)), "0")
            else:
                bit = w.both(word, w.sub("0", word))
            found[i] = w.pick(taken, "0", bit)
            taken = w.any_of(taken, some)
        return found

    def _m_add(self, name: str) -> None:
        """``(seat, zone, kind)``: one more card of the kind."""

        def body(w: Writer, given: list[str]) -> None:
            seat, zone, kind = given
            members = self.members(w, seat, zone)
            free = self.join(w, self.sets(w, self.kind_masks, kind), members, "without")
            self.set_members(w, seat, zone, self.join(w, members, self.edge_bit(w, free, False), "or"))

        self.function(name, 3, body)

    def add(self, w: Writer, seat: str, zone: str, kind: str) -> None:
        self.do(w, "m_add", [seat, zone, kind])

    def _m_drop(self, name: str) -> None:
        """``(seat, zone, kind)``: one fewer."""

        def body(w: Writer, given: list[str]) -> None:
            seat, zone, kind = given
            members = self.members(w, seat, zone)
            here = self.join(w, members, self.sets(w, self.kind_masks, kind), "and")
            self.set_members(w, seat, zone, self.join(w, members, self.edge_bit(w, here, True), "without"))

        self.function(name, 3, body)

    def _m_at_least(self, name: str) -> None:
        """``(seat, zone, kind, least)``"""

        def body(w: Writer, given: list[str]) -> None:
            seat, zone, kind, least = given
            mask = self.sets(w, self.kind_masks, kind)
            with w.loop() as loop:
                have = self.size(w, self.join(w, self.members(w, seat, zone), mask, "and"))
                loop.leave_if(w.compare("sge", have, least))
                self.add(w, seat, zone, kind)

        self.function(name, 4, body)

    def _m_lowered(self, name: str) -> None:
        """``(by, words ...)``: every kind's mark lowered, not below 0."""

        def body(w: Writer, given: list[str]) -> Sequence[str]:
            by, words = given[0], given[1:]
            result, rest = self.hold(w, words), self.hold(w, words)
            with w.loop() as loop:
                left = self.held(w, rest)
                loop.leave_if(w.no(self.some(w, left)))
                mask = self.sets(w, self.kind_masks, self.kind(w, self.first(w, left)))
                here = self.hold(w, self.join(w, left, mask, "and"))
                for i, word in enumerate(self.join(w, left, mask, "without")):
                    w.store(rest, str(i), word)
                with w.counting("0", by):
                    now = self.held(w, here)
                    go, out = w.new_label("go"), w.new_label("out")
                    top = self.edge_bit(w, now, True)
                    w.branch(self.some(w, now), go, out)
                    w.label(go)
                    for i, word in enumerate(top):
                        w.store(here, str(i), w.differ(now[i], word))
                        w.store(result, str(i), w.differ(w.load(result, str(i)), word))
                    w.label(out)
            return self.held(w, result)

        self.function(name, 1 + self.width, body)

    def _m_drop_hidden(self, name: str) -> None:
        """``(seat, zone, back)``: one fewer of every kind with that back."""

        def body(w: Writer, given: list[str]) -> None:
            seat, zone, back = given
            members = self.members(w, seat, zone)
            with w.when(self.some(w, members)):
                unlike = self.sets(w, self.unlike, back)
                alike = self.join(w, members, unlike, "without")
                fewer = self.words_of(w, "m_lowered", ["1", *alike])
                self.set_members(w, seat, zone, self.join(w, fewer, self.join(w, members, unlike, "and"), "or"))

        self.function(name, 3, body)

    def _m_split(self, name: str) -> None:
        """``(seat, source, target, left, went)``"""

        def body(w: Writer, given: list[str]) -> None:
            seat, source, target, left, went = given
            members = self.members(w, seat, source)
            with w.when(self.some(w, members)):
                self.set_members(w, seat, source, self.words_of(w, "m_lowered", [went, *members]))
                moved = self.words_of(w, "m_lowered", [left, *members])
                self.each_card(w, moved, lambda card: self.add(w, seat, target, self.kind(w, card)))

        self.function(name, 5, body)

    def _m_place_to_member(self, name: str) -> None:
        """``(card, seats, zone)``: the card loses the place marks of these seats, who keep member marks."""

        def body(w: Writer, given: list[str]) -> None:
            card, seats, zone = given
            address = self.place(w, card)
            marks = w.get(address)
            w.put(address, w.without(marks, seats))
            self.each_seat(w, w.both(marks, seats), lambda seat: self.add(w, seat, zone, self.kind(w, card)))

        self.function(name, 3, body)

    def forget_places(self, w: Writer, zone: str, kind: str, seats: str, but: str = "") -> None:
        """Drawn cards of an ordered zone (but one) lose the place marks of the seats."""
        if not self.is_ordered(kind):
            return

        def one(card: str) -> None:
            if but:
                with w.when(w.compare("ne", card, but)):
                    self.do(w, "m_place_to_member", [card, seats, zone])
            else:
                self.do(w, "m_place_to_member", [card, seats, zone])

        self.each_linked(w, w.get(self.word(w, self.record(w, zone), 0)), "%nx", one)

    def _m_leaves(self, name: str) -> None:
        """``(card, zone, known, seen after)``"""

        def body(w: Writer, given: list[str]) -> None:
            card, zone, known, seen_after = given
            kind = self.kind(w, card)

            def one(seat: str) -> None:
                with w.when(w.has(seen_after, seat)) as which:
                    self.do(w, "m_drop", [seat, zone, kind])
                    which.otherwise()
                    self.do(w, "m_drop_hidden", [seat, zone, w.look_up(self.backs, kind)])

            self.each_seat(w, w.without(self.everyone, known), one)

        self.function(name, 4, body)

    def _m_arrives(self, name: str) -> None:
        """``(card, zone, known, told)``"""

        def body(w: Writer, given: list[str]) -> None:
            card, zone, known, told = given
            keep = w.without(known, self.seen(w, zone))
            ordered = self.fact(w, self.ordered, zone)
            w.put(self.place(w, card), w.pick(ordered, w.both(keep, told), "0"))
            members = w.pick(ordered, w.without(keep, told), keep)
            self.each_seat(w, members, lambda seat: self.add(w, seat, zone, self.kind(w, card)))

        self.function(name, 4, body)

    def _canon(self, name: str) -> None:
        """``(words ...)``: a set that is the same for all sets that name the same places and, zone by zone, kinds: the
        lowest copies in each zone without order."""

        def body(w: Writer, given: list[str]) -> Sequence[str]:
            result = self.hold(w, ["0"] * self.width)

            def one(card: str) -> None:
                zone = w.load("%lc", card)
                with w.when(self.fact(w, self.ordered, zone)) as which:
                    self.include(w, result, card)
                    which.otherwise()
                    alike = self.sets(w, self.kind_masks, self.kind(w, card))
                    here = self.join(w, self.read_set(w, self.record(w, zone)), alike, "and")
                    free = self.join(w, here, self.held(w, result), "without")
                    for i, word in enumerate(self.edge_bit(w, free, False)):
                        w.store(result, str(i), w.either(w.load(result, str(i)), word))

            self.each_card(w, given, one)
            return self.held(w, result)

        self.function(name, self.width, body)

    # ---------------------------------------------------------------- operations

    def _k_move_card(self, name: str, kind: str, spot: str) -> None:
        """``(card, zone, by)`` and for a depth the spot."""

        def body(w: Writer, given: list[str]) -> None:
            card, zone, by = given[:3]
            self.do(w, "settle_card", [card])
            source = w.load("%lc", card)
            self.do(w, f"move_card.{kind}.{spot}", [card, zone, *given[3:]])
            told = self.everyone
            if self.is_ordered(kind):
                told = w.pick(w.compare("slt", by, "0"), told, w.either(self.seen(w, zone), w.bit(by)))
            known = w.either(self.seen(w, source), w.get(self.place(w, card)))
            moved = w.compare("ne", source, zone)
            with w.when(moved):
                self.do(w, "m_leaves", [card, source, known, self.seen(w, zone)])
            if told != self.everyone:
                with w.when(w.compare("ne", told, self.everyone)):
                    but = w.pick(moved, card, "-1")
                    self.forget_places(w, zone, kind, w.without(self.everyone, told), but)
            with w.when(moved):
                self.do(w, "m_arrives", [card, zone, known, told])

        self.function(name, 4 if spot == "depth" and kind != "hand" else 3, body)

    def _k_move_cards(self, name: str, kind: str, spot: str) -> None:
        """``(zone, by)``, for a depth the spot, then the words."""
        extra = 1 if spot == "depth" and kind != "hand" else 0

        def body(w: Writer, given: list[str]) -> None:
            zone, by, depth, words = given[0], given[1], given[2 : 2 + extra], given[2 + extra :]
            move = f"k_move_card.{kind}.{spot}"
            self.each_card(w, words, lambda card: self.do(w, move, [card, zone, by, *depth]))

        self.function(name, 2 + extra + self.width, body)

    def _k_move_all(self, name: str, source_kind: str, kind: str, spot: str) -> None:
        extra = 1 if spot == "depth" and kind != "hand" else 0

        def body(w: Writer, given: list[str]) -> None:
            source, zone, depth = given[0], given[1], given[2:]
            with w.when(w.compare("ne", source, zone)):
                z = self.record(w, source)

                def go(card: str) -> None:
                    self.do(w, f"k_move_card.{kind}.{spot}", [card, zone, "-1", *depth])

                if source_kind == "hand":
                    self.each_card(w, self.read_set(w, z), go)
                    return
                self.do(w, "settle_all", [z])
                if source_kind == "pile" and spot == "head":
                    self.each_linked(w, w.get(self.word(w, z, 1)), "%bk", go)
                else:
                    self.each_linked(w, w.get(self.word(w, z, 0)), "%nx", go)

        self.function(name, 2 + extra, body)

    def _k_shuffle(self, name: str, kind: str) -> None:
        def body(w: Writer, given: list[str]) -> None:
            if self.is_ordered(kind):
                self.forget_places(w, given[0], kind, self.everyone)
                self.do(w, f"q_shuffle.{kind}", given)

        self.function(name, 1, body)

    def _k_collect_all(self, name: str, kind: str) -> None:
        def body(w: Writer, given: list[str]) -> None:
            self.do(w, f"q_collect_all.{kind}", given)
            w.clear("%mk", str(self.players), self.cards + self.players * self.zones * self.width)

        self.function(name, 1, body)

    def _k_collect(self, name: str, source_kind: str, kind: str) -> None:
        def body(w: Writer, given: list[str]) -> None:
            source, zone = given
            with w.when(w.compare("eq", source, zone)) as which:
                self.do(w, f"k_shuffle.{kind}", [zone])
                which.otherwise()
                coming = self.set_of(w, self.record(w, source), source_kind)
                self.forget_places(w, source, source_kind, self.everyone)
                self.forget_places(w, zone, kind, self.everyone)
                self.do(w, f"q_collect.{source_kind}.{kind}", given)
                see_zone, see_source = self.seen(w, zone), self.seen(w, source)

                def one(seat: str) -> None:
                    with w.when(w.no(w.has(see_zone, seat))):
                        members = self.members(w, seat, source)
                        open_ = w.has(see_source, seat)
                        known = [w.pick(open_, a, b) for a, b in zip(coming, members, strict=True)]
                        self.each_card(w, known, lambda card: self.add(w, seat, zone, self.kind(w, card)))
                    self.set_members(w, seat, source, ["0"] * self.width)

                self.all_seats(w, one)

        self.function(name, 2, body)

    def _k_refill(self, name: str, source_kind: str, kind: str, keep_text: str, how: str) -> None:
        keep = int(keep_text)
        keeps_places = self.is_ordered(kind) and how == "turned"

        def body(w: Writer, given: list[str]) -> None:
            zone, source = given
            z, s = self.record(w, zone), self.record(w, source)
            out, go = w.new_label("out"), w.new_label("go")
            moved = w.sub(w.get(self.word(w, s, 2)), str(keep))
            nothing = w.any_of(w.compare("ne", w.get(self.word(w, z, 2)), "0"), w.compare("sle", moved, "0"))
            w.branch(w.any_of(nothing, w.compare("eq", zone, source)), out, go)
            w.label(go)
            if how == "turned":
                if self.is_ordered(source_kind):
                    self.do(w, "settle_all", [s])
            else:
                self.settle_top(w, s, source_kind, keep)
            self.do(w, f"q_refill.{source_kind}.{kind}.{keep_text}.{how}", given)
            went, stayed = self.set_of(w, z, kind), self.set_of(w, s, source_kind)
            see_zone, see_source = self.seen(w, zone), self.seen(w, source)

            def one(seat: str) -> None:
                self.refilled(w, seat, zone, source, went, stayed, see_zone, see_source, keeps_places)

            self.all_seats(w, one)
            w.label(out)

        self.function(name, 2, body)

    def refilled(
        self, w: Writer, seat: str, zone: str, source: str, went: list[str], stayed: list[str], see_zone: str,
        see_source: str, keeps_places: bool,
    ) -> None:  # fmt: skip
        """The marks of one seat after a refill."""
        bit = w.bit(seat)
        sees_zone = w.has(see_zone, seat)
        known = self.hold(w, went)
        with w.when(w.no(w.has(see_source, seat))):
            for i in range(self.width):
                w.store(known, str(i), "0")
            unmarked = self.hold(w, ["0"] * self.width)
            left = w.slot("0")

            def mark(card: str) -> None:
                with w.when(w.compare("ne", w.both(w.get(self.place(w, card)), bit), "0")) as which:
                    self.include(w, known, card)
                    which.otherwise()
                    self.include(w, unmarked, card)

            def count(card: str) -> None:
                marked = w.compare("ne", w.both(w.get(self.place(w, card)), bit), "0")
                w.put(left, w.add(w.get(left), w.number(w.no(marked))))

            self.each_card(w, went, mark)
            self.each_card(w, stayed, count)
            hidden = self.held(w, unmarked)
            with w.when(sees_zone) as which:
                drop = "m_drop"
                self.each_card(
                    w, hidden, lambda card: self.do(w, drop, [seat, source, self.kind(w, card)])
                )
                which.otherwise()
                self.do(w, "m_split", [seat, source, zone, w.get(left), self.size(w, hidden)])
        done = w.new_label("done")
        with w.when(w.no(sees_zone)):
            cards = self.held(w, known)
            if keeps_places:

                def place(card: str) -> None:
                    address = self.place(w, card)
                    w.put(address, w.either(w.get(address), bit))

                self.each_card(w, cards, place)
                w.jump(done)
            else:
                self.each_card(w, cards, lambda card: self.add(w, seat, zone, self.kind(w, card)))
        self.each_card(w, went, lambda card: self.unplace(w, card, bit))
        w.label(done)

    def unplace(self, w: Writer, card: str, bit: str) -> None:
        """A seat loses its mark of a card's place."""
        address = self.place(w, card)
        w.put(address, w.without(w.get(address), bit))

    def _k_swap_cards(self, name: str) -> None:
        def body(w: Writer, given: list[str]) -> None:
            a, b = given
            with w.when(w.compare("ne", a, b)):
                for card in given:
                    self.do(w, "settle_card", [card])
                left, right = w.load("%lc", a), w.load("%lc", b)
                self.do(w, "q_swap_cards", given)
                see_left, see_right = self.seen(w, left), self.seen(w, right)
                knew_a = w.either(see_left, w.get(self.place(w, a)))
                knew_b = w.either(see_right, w.get(self.place(w, b)))
                with w.when(w.compare("ne", left, right)):
                    self.do(w, "m_leaves", [a, left, knew_a, see_right])
                    self.do(w, "m_leaves", [b, right, knew_b, see_left])
                    self.do(w, "m_arrives", [a, right, knew_a, self.everyone])
                    self.do(w, "m_arrives", [b, left, knew_b, self.everyone])

        self.function(name, 2, body)

    def _k_swap_zones(self, name: str, kind: str) -> None:
        def body(w: Writer, given: list[str]) -> None:
            left, right = given
            with w.when(w.compare("ne", left, right)):
                self.do(w, f"q_swap_zones.{kind}", given)

                def one(seat: str) -> None:
                    in_left, in_right = self.members(w, seat, left), self.members(w, seat, right)
                    self.set_members(w, seat, left, in_right)
                    self.set_members(w, seat, right, in_left)
                    for before, now in ((left, right), (right, left)):
                        self.zone_swapped(w, seat, before, now, kind)

                self.all_seats(w, one)

        self.function(name, 2, body)

    def zone_swapped(self, w: Writer, seat: str, before: str, now: str, kind: str) -> None:
        """What a seat knows of a zone's contents that came from another zone."""
        bit = w.bit(seat)
        z = self.record(w, now)
        with w.when(w.has(self.seen(w, now), seat)) as which:
            self.set_members(w, seat, now, ["0"] * self.width)
            self.each_in_zone(w, z, self.is_ordered(kind), lambda card: self.unplace(w, card, bit))
            which.otherwise()
            with w.when(w.has(self.seen(w, before), seat)):

                def place(card: str) -> None:
                    address = self.place(w, card)
                    w.put(address, w.either(w.get(address), bit))

                if self.is_ordered(kind):
                    self.each_in_zone(w, z, True, place)
                self.each_card(w, self.read_set(w, z), lambda card: self.add(w, seat, now, self.kind(w, card)))

    def _k_reveal(self, name: str) -> None:
        """``(seats, words ...)``"""

        def body(w: Writer, given: list[str]) -> None:
            to, words = given[0], given[1:]

            def one(card: str) -> None:
                zone = w.load("%lc", card)
                with w.when(self.fact(w, self.ordered, zone)):
                    head = w.get(self.word(w, self.record(w, zone), 0))
                    first = w.compare("eq", head, w.add(card, "1"))
                    with w.when(w.any_of(first, w.compare("ne", w.load("%bk", card), "0"))):
                        address = self.place(w, card)
                        known = w.either(self.seen(w, zone), w.get(address))
                        new = w.without(to, known)
                        drop = "m_drop"
                        self.each_seat(
                            w, new, lambda seat: self.do(w, drop, [seat, zone, self.kind(w, card)])
                        )
                        w.put(address, w.either(w.get(address), new))

            self.each_card(w, words, one)
            with w.counting("0", str(self.zones)) as zone, w.when(w.no(self.fact(w, self.ordered, zone))):
                here = self.join(w, self.read_set(w, self.record(w, zone)), words, "and")
                rest = self.hold(w, here)
                with w.loop() as loop:
                    left = self.held(w, rest)
                    loop.leave_if(w.no(self.some(w, left)))
                    kind = self.kind(w, self.first(w, left))
                    mask = self.sets(w, self.kind_masks, kind)
                    count = self.size(w, self.join(w, left, mask, "and"))
                    for i, word in enumerate(self.join(w, left, mask, "without")):
                        w.store(rest, str(i), word)
                    least = "m_at_least"
                    self.each_seat(
                        w,
                        w.without(to, self.seen(w, zone)),
                        lambda seat: self.do(w, least, [seat, zone, kind, count]),
                    )

        self.function(name, 1 + self.width, body)
