"""What each seat knows after each happening: the table of "What a seat knows" in the language's design, row by row.

`KnowingTable` does to every operation of the table three things: it reads what it must before the cards move, lets them
move, then changes what seats know, and tells the happening if there is a teller. What is known to a seat depends on
nothing that the seat is not told.

The rows, for a seat that does not see the zone in question:

===================================  ==================================================================================
a card goes, place told              the known position travels; from a seen zone it appears; to a seen zone it goes
a card goes to an unordered zone,    who knew the face gets a known count there; if the place was not told, every other
or to a place not told               position that the seat knows in the zone becomes a count too
a hidden card leaves                 every known count of the source (of kinds with that back) drops by one
a face seen leaving                  its kind's count drops by one, unless its position was known
shuffle, collect, shuffled refill    known positions become counts; so does what was seen in the source
turning over                         known positions travel with their cards
collect all                          nothing is known
a face shown                         its position is known (its kind's count drops by one); in an unordered zone the
                                     count is at least as many of a kind as were shown at once
turned face up                       every seat knows the position, as long as any other that it is told of
swap of two cards                    both leave, then both arrive
swap of two zones                    knowledge travels; what was seen is known, what is seen now is not kept
draw (settling a place)              nothing: nobody is told (in a zone that a seat sees, it is shown the face)
===================================  ==================================================================================

Imports facts, ir and run only.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulerun.facts.events import Event, Moved, Shown, Swapped, Turned
from rulerun.facts.observations import Collected, Exchanged, Refilled, Shuffled, TurnedOver
from rulerun.ir.program import Program
from rulerun.run.card_knowledge import CardKnowledge
from rulerun.run.sets import bits_of, mask_of
from rulerun.run.table import Table, Vector
from rulerun.run.teller import Teller


class KnowingTable(Table):
    """A table that keeps what each seat knows, and tells what happens if there is a teller."""

    def __init__(self, program: Program, teller: Teller | None = None) -> None:
        super().__init__(program)
        self.teller = teller
        self.known = CardKnowledge(program)
        self.seats = range(program.players)
        self.everyone = (1 << program.players) - 1

    # ------------------------------------------------------------------- looking

    def knows(self, v: Vector, seat: int, card: int) -> bool:
        return bool(self.who_knows(v, card) >> seat & 1)

    def known_counts(self, v: Vector, seat: int, zone: int) -> list[tuple[int, int]]:
        return self.known.counts(v, seat, zone)

    def who_knows(self, v: Vector, card: int) -> int:
        """The seats that see the zone of a card or know its position."""
        return self.seen_by[v[self.location + card]] | self.known.seats_at(v, card)

    # --------------------------------------------------------------- single cards

    def move_card(self, v: Vector, card: int, zone: int, spot: int, by: int = -1) -> None:
        self.settle(v, card)
        source, place = v[self.location + card], self.position(v, card)
        known = self.who_knows(v, card)
        super().move_card(v, card, zone, spot, by)
        told = self.everyone if by < 0 or not self.ordered[zone] else self.seen_by[zone] | 1 << by
        if source != zone:
            self._leaves(v, card, source, known, self.seen_by[zone])
        if told != self.everyone:
            others = [other for other in self.cards_of(v, zone) if other != card or source == zone]
            self.known.positions_to_counts(v, self.everyone & ~told, zone, others)
        if source != zone:
            self._arrives(v, card, zone, known, told)
        if self.teller is not None:
            seen, kind = known | self.seen_by[zone], self.known.kinds[card]
            now = self.position(v, card)
            self.teller.tell(v, Moved(kind, source, place, zone, now, seen, self.everyone, told))

    def swap_cards(self, v: Vector, a: int, b: int) -> None:
        if a == b:
            return
        self.settle(v, a)
        self.settle(v, b)
        left, right = v[self.location + a], v[self.location + b]
        places = self.position(v, a), self.position(v, b)
        knew_a, knew_b = self.who_knows(v, a), self.who_knows(v, b)
        super().swap_cards(v, a, b)
        if left != right:
            self._leaves(v, a, left, knew_a, self.seen_by[right])
            self._leaves(v, b, right, knew_b, self.seen_by[left])
            self._arrives(v, a, right, knew_a, self.everyone)
            self._arrives(v, b, left, knew_b, self.everyone)
        seen_a, seen_b = knew_a | self.seen_by[right], knew_b | self.seen_by[left]
        kinds = self.known.kinds
        self._tell(v, Swapped(kinds[a], left, places[0], seen_a, kinds[b], right, places[1], seen_b))

    def reveal(self, v: Vector, cards: int, to: int) -> None:
        shown = self._show(v, cards, to)
        if shown:
            faces = tuple((kind, zone, place) for zone, place, _, kind, _ in shown)
            self._tell(v, Shown(faces, to, tuple(known for *_, known in shown)))

    def flip(self, v: Vector, cards: int, up: bool) -> None:
        shown = self._show(v, cards, self.everyone if up else 0)
        if shown:
            self._tell(v, Turned(tuple((kind, zone, place) for zone, place, _, kind, _ in shown), up))

    # -------------------------------------------------------------------- chance

    def draw(self, v: Vector, zone: int, spot: int) -> int:
        before = self.undrawn_set(v, zone) if self.seen_by[zone] else 0
        card = super().draw(v, zone, spot)
        self._show_drawn(v, zone, card, before)
        return card

    def draw_as(self, v: Vector, zone: int, spot: int, card: int) -> int:
        before = self.undrawn_set(v, zone) if self.seen_by[zone] else 0
        card = super().draw_as(v, zone, spot, card)
        self._show_drawn(v, zone, card, before)
        return card

    def settle(self, v: Vector, card: int) -> None:
        zone = v[self.location + card]
        if self.undrawn_set(v, zone) >> card & 1:
            super().settle(v, card)
            self._show_new(v, zone, [card], self.seen_by[zone])

    def _show_drawn(self, v: Vector, zone: int, card: int, before: int) -> None:
        """Who sees a zone is shown the card that was drawn, if it was undrawn ``before``."""
        if card >= 0 and before >> card & 1:
            self._show_new(v, zone, [card], self.seen_by[zone])

    # ---------------------------------------------------------------- whole zones

    def shuffle(self, v: Vector, zone: int) -> None:
        if self.ordered[zone]:
            self._forget_positions(v, zone)
            super().shuffle(v, zone)
            self._tell(v, Shuffled(zone))

    def turn_over(self, v: Vector, zone: int) -> None:
        if self.ordered[zone]:
            super().turn_over(v, zone)
            self._tell(v, TurnedOver(zone))

    def collect_all(self, v: Vector, zone: int) -> None:
        super().collect_all(v, zone)
        layout = self.program.layout
        v[layout.place_base : layout.full_size] = [0] * (layout.full_size - layout.place_base)
        self._tell(v, Collected(-1, zone, layout.cards))

    def collect(self, v: Vector, source: int, zone: int) -> None:
        if source == zone:
            self.shuffle(v, zone)
            return
        coming = bits_of(self.set_of(v, source))
        self._forget_positions(v, source)
        self._forget_positions(v, zone)
        super().collect(v, source, zone)
        for seat in self.seats:
            if not self.seen_by[zone] >> seat & 1:
                seen = self.seen_by[source] >> seat & 1
                known = coming if seen else bits_of(self.known.counted(v, seat, source))
                self.known.add(v, seat, zone, self._kinds(known))
            self.known.set_counted(v, seat, source, 0)
        self._tell(v, Collected(source, zone, len(coming)))
        self._show_new(v, zone, coming, self.seen_by[zone] & ~self.seen_by[source])

    def _refill(self, v: Vector, zone: int, source: int, keep: int, shuffled: bool) -> None:
        super()._refill(v, zone, source, keep, shuffled)
        went, stayed = bits_of(self.set_of(v, zone)), bits_of(self.set_of(v, source))
        for seat in self.seats:
            self._refilled(v, seat, zone, source, went, stayed, keeps_order=self.ordered[zone] and not shuffled)
        self._tell(v, Refilled(zone, source, len(went), shuffled))
        self._show_new(v, zone, went, self.seen_by[zone] & ~self.seen_by[source])

    def _refilled(
        self, v: Vector, seat: int, zone: int, source: int, went: list[int], stayed: list[int], *, keeps_order: bool
    ) -> None:
        """What one seat knows after a refill: which cards ``went``, and where they lie, as far as it knew them."""
        bit, at = 1 << seat, self.known.place_base
        if self.seen_by[source] & bit:
            known = went
        else:
            known = [card for card in went if v[at + card] & bit]
            if self.seen_by[zone] & bit:
                for card in went:
                    if not v[at + card] & bit:
                        self.known.drop(v, seat, source, self.known.kinds[card])
            else:
                left = sum(not v[at + card] & bit for card in stayed)
                self.known.split(v, seat, source, zone, left, len(went) - len(known))
        for card in went:
            v[at + card] &= ~bit
        if self.seen_by[zone] & bit:
            return
        if keeps_order:
            for card in known:
                v[at + card] |= bit
        else:
            self.known.add(v, seat, zone, self._kinds(known))

    def swap_zones(self, v: Vector, left: int, right: int) -> None:
        if left == right:
            return
        super().swap_zones(v, left, right)
        for seat in self.seats:
            in_left, in_right = self.known.counted(v, seat, left), self.known.counted(v, seat, right)
            self.known.set_counted(v, seat, left, in_right)
            self.known.set_counted(v, seat, right, in_left)
            self._swapped(v, seat, left, right)
            self._swapped(v, seat, right, left)
        self._tell(v, Exchanged(left, right))
        for before, now in ((right, left), (left, right)):
            self._show_new(v, now, bits_of(self.set_of(v, now)), self.seen_by[now] & ~self.seen_by[before])

    def _swapped(self, v: Vector, seat: int, before: int, now: int) -> None:
        """What a seat knows of the cards that went from zone ``before`` to zone ``now`` beside what went with them:
        nothing needs to be kept of what it sees now, all of what it saw."""
        bit, drawn = 1 << seat, self.cards_of(v, now)
        if self.seen_by[now] & bit:
            self.known.set_counted(v, seat, now, 0)
            for card in drawn:
                v[self.known.place_base + card] &= ~bit
        elif self.seen_by[before] & bit:
            placed = drawn if self.ordered[now] else []
            for card in placed:
                v[self.known.place_base + card] |= bit
            loose = self.set_of(v, now) & ~mask_of(placed)
            self.known.add(v, seat, now, self._kinds(bits_of(loose)))

    # --------------------------------------------------------- rows of the table

    def _leaves(self, v: Vector, card: int, zone: int, known: int, seen_after: int) -> None:
        """A card left a zone. ``known``: the seats that knew its face there; ``seen_after``: those that see it now."""
        kind = self.known.kinds[card]
        for seat in self.seats:
            if not known >> seat & 1:
                if seen_after >> seat & 1:
                    self.known.drop(v, seat, zone, kind)
                else:
                    self.known.drop_hidden(v, seat, zone, self.known.backs[kind])

    def _arrives(self, v: Vector, card: int, zone: int, known: int, told: int) -> None:
        """A card came to a zone. ``known``: the seats that knew its face; ``told``: those that are told its place."""
        keep = known & ~self.seen_by[zone]
        placed = keep & told if self.ordered[zone] else 0
        v[self.known.place_base + card] = placed
        for seat in bits_of(keep & ~placed):
            self.known.add(v, seat, zone, (self.known.kinds[card],))

    def _forget_positions(self, v: Vector, zone: int) -> None:
        """The order of a zone is about to be lost."""
        if self.ordered[zone]:
            self.known.positions_to_counts(v, self.everyone, zone, self.cards_of(v, zone))

    def _show(self, v: Vector, cards: int, to: int) -> list[tuple[int, int, int, int, int]]:
        """Shows faces to seats, untold: per card zone, place, back, kind and who knew it, in an order that does not
        tell hidden faces. Undrawn cards are passed over."""
        shown: list[tuple[int, int, int, int, int]] = []
        loose: dict[int, dict[int, int]] = {}
        for card in bits_of(cards):
            zone, kind = v[self.location + card], self.known.kinds[card]
            place = self.position(v, card)
            if place < 0 and self.ordered[zone]:
                continue
            known = self.who_knows(v, card)
            shown.append((zone, place, self.known.backs[kind], kind, known))
            if self.ordered[zone]:
                for seat in bits_of(to & ~known):
                    self.known.drop(v, seat, zone, kind)
                v[self.known.place_base + card] |= to & ~known
            else:
                counts = loose.setdefault(zone, {})
                counts[kind] = counts.get(kind, 0) + 1
        for zone, counts in loose.items():
            for seat in bits_of(to & ~self.seen_by[zone]):
                self.known.at_least(v, seat, zone, counts)
        return sorted(shown)

    # ------------------------------------------------------------------- telling

    def _tell(self, v: Vector, event: Event) -> None:
        if self.teller is not None:
            self.teller.tell(v, event)

    def _show_new(self, v: Vector, zone: int, cards: Iterable[int], to: int) -> None:
        """Tells seats the faces that they see because of what was just told (place -1: undrawn, or no order)."""
        if self.teller is not None and to and cards:
            kinds, backs = self.known.kinds, self.known.backs
            shown = sorted((self.position(v, card), backs[kinds[card]], kinds[card]) for card in cards)
            self.teller.tell(v, Shown(tuple((kind, zone, place) for place, _, kind in shown), to, aside=True))

    def _kinds(self, cards: Iterable[int]) -> list[int]:
        return [self.known.kinds[card] for card in cards]


def lay_table(program: Program, teller: Teller | None = None, *, knowledge: bool | None = None) -> Table:
    """The table of a program.

    ``knowledge``: whether it is kept what seats know (the vector then has ``layout.full_size`` words); by default if
    there is a teller or a rule asks ``knows``. With a teller it must be: it rolls the digests and says who knew a face.
    Either way the words below ``layout.size`` come out the same. ValueError for a teller without knowledge.
    """
    kept = (teller is not None or program.uses_knowledge) if knowledge is None else knowledge
    if kept:
        return KnowingTable(program, teller)
    if teller is not None:
        raise ValueError("telling wants knowledge kept")
    return Table(program)
