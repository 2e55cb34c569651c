"""Whether the cards of a state vector, and what is known of them, are sound: each card in one place, every count and
link right.

Used by tests after every step and on vectors that come from outside (a save). It reads the vector as plain numbers and
trusts none of them: it never raises and never loops without end. Imports ir only.
"""

from __future__ import annotations

from rulerun.ir.program import ZONE_COUNT, ZONE_GAP, ZONE_HEAD, ZONE_SET, ZONE_TAIL, Program, SeenBy
from rulerun.ir.types import WORD_BITS


def problems_of(program: Program, v: list[int]) -> list[str]:
    """What is not sound, in words; [] if all is well. A vector without knowledge is fine."""
    layout = program.layout
    if len(v) not in (layout.size, layout.full_size):
        return [f"the vector has {len(v)} words, not {layout.size} or {layout.full_size}"]
    return _Check(program, v).problems()


class _Check:
    """One look through one vector."""

    def __init__(self, program: Program, v: list[int]) -> None:
        self.program = program
        self.layout = program.layout
        self.v = v
        self.found: list[str] = []
        self.where: dict[int, int] = {}
        """The zone of each card."""
        self.undrawn = 0
        """The set of all undrawn cards."""

    def problems(self) -> list[str]:
        for zone in range(len(self.program.zones)):
            self.zone(zone)
        self.found += [f"card {card} lies nowhere" for card in range(self.layout.cards) if card not in self.where]
        if self.program.face_up >= 0 and not self.found:
            self.face_up()
        if len(self.v) == self.layout.full_size and not self.found:
            self.positions()
            self.counts()
        return self.found

    # ------------------------------------------------------------------- the cards

    def zone(self, zone: int) -> None:
        """The record of one zone and the links of the cards in it."""
        facts, z, v = self.program.zones[zone], self.layout.zone(zone), self.v
        held = self.set_at(z + ZONE_SET, facts.name)
        here = self.members(held)
        if self.is_ordered(zone):
            drawn, places = self.chain(z, facts.name)
            if places != len(here):
                self.found.append(f"{facts.name}: {places} undrawn places, {len(here)} undrawn cards")
            self.undrawn |= held
            self.found += [f"{facts.name}: undrawn card {card} is linked" for card in here if self.is_linked(card)]
            here += drawn
        elif v[z + ZONE_HEAD] or v[z + ZONE_TAIL] or v[z + ZONE_GAP]:
            self.found.append(f"{facts.name}: links in a zone without order")
        else:
            linked = [card for card in here if self.is_linked(card)]
            self.found += [f"{facts.name}: card {card} is linked in a zone without order" for card in linked]
        if v[z + ZONE_COUNT] != len(here):
            self.found.append(f"{facts.name}: count is {v[z + ZONE_COUNT]}, but {len(here)} cards lie there")
        for card in here:
            if card in self.where:
                other = self.program.zones[self.where[card]].name
                self.found.append(f"card {card} lies twice: in {other} and {facts.name}")
            self.where[card] = zone
            if v[self.layout.loc_base + card] != zone:
                self.found.append(f"card {card} lies in {facts.name} but says {v[self.layout.loc_base + card]}")

    def chain(self, z: int, name: str) -> tuple[list[int], int]:
        """The chain of an ordered zone and the number of its undrawn places."""
        v, layout = self.v, self.layout
        held: list[int] = []
        places = v[z + ZONE_GAP]
        at, before = v[z + ZONE_HEAD], 0
        while at:
            if not 0 < at <= layout.cards or len(held) > layout.cards:
                self.found.append(f"{name}: its chain leaves the table or runs in a circle")
                return held, places
            card = at - 1
            held.append(card)
            if v[layout.previous_base + card] != before:
                self.found.append(f"{name}: card {card} does not point back")
            if v[layout.gap_base + card] < 0:
                self.found.append(f"{name}: card {card} has a negative gap")
            places += v[layout.gap_base + card]
            before, at = at, v[layout.next_base + card]
        if v[z + ZONE_TAIL] != before:
            self.found.append(f"{name}: its tail is not the last card")
        if v[z + ZONE_GAP] < 0:
            self.found.append(f"{name}: negative gap")
        return held, places

    def face_up(self) -> None:
        """Cards that lie face up: where that can be, and whether every seat knows them."""
        program, layout = self.program, self.layout
        at, width = program.face_up, layout.words_per_set
        lying = self.set_at(at, "the cards that lie face up")
        if any(self.v[at + width : at + 2 * width]):
            self.found.append("something is left where it is worked out which cards lie face up")
        everyone = (1 << layout.players) - 1
        for card in self.members(lying):
            zone = program.zones[self.where[card]]
            if not self.has_place(card):
                self.found.append(f"card {card} lies face up, but has no place")
            elif program.families[zone.family].seen_by is SeenBy.EVERYONE:
                self.found.append(f"card {card} lies face up in {zone.name}, where that is not kept")
            elif len(self.v) == layout.full_size and (zone.seen | self.v[layout.place_base + card]) != everyone:
                self.found.append(f"card {card} lies face up, and not every seat knows it")

    # --------------------------------------------------------------- what is known

    def positions(self) -> None:
        """Known positions are those of drawn cards in ordered zones, and of seats that do not see the zone."""
        seats = (1 << self.layout.players) - 1
        for card in range(self.layout.cards):
            knowing = self.v[self.layout.place_base + card]
            if not knowing:
                continue
            if knowing & ~seats:
                self.found.append(f"card {card}: seats that do not exist know its position")
            elif not self.has_place(card):
                self.found.append(f"card {card}: its position is known, but it has none")
            elif knowing & self.program.zones[self.where[card]].seen:
                self.found.append(f"card {card}: its position is noted for a seat that sees the zone")

    def counts(self) -> None:
        """Known counts are kept as the lowest copies, are true, and are those of seats that do not see the zone."""
        kinds = self.program.kinds
        for seat in range(self.layout.players):
            for zone, facts in enumerate(self.program.zones):
                named = f"the counts that P{seat + 1} knows in {facts.name}"
                counted = self.members(self.set_at(self.layout.member(seat, zone), named))
                if counted and facts.seen >> seat & 1:
                    self.found.append(f"P{seat + 1} sees {facts.name} and has counts there")
                there = [0] * len(self.program.kind_names)
                for card in range(self.layout.cards) if counted else ():
                    known = self.v[self.layout.place_base + card] >> seat & 1
                    there[kinds[card]] += self.where.get(card) == zone and not known
                claimed = [0] * len(there)
                for card in counted:
                    if sum(kinds[lower] == kinds[card] for lower in range(card)) != claimed[kinds[card]]:
                        self.found.append(f"{named} are not the lowest copies")
                    claimed[kinds[card]] += 1
                if any(c > t for c, t in zip(claimed, there, strict=True)):
                    self.found.append(f"{named} are not true")

    # ----------------------------------------------------------------- small parts

    def is_ordered(self, zone: int) -> bool:
        return self.program.families[self.program.zones[zone].family].kind.ordered

    def has_place(self, card: int) -> bool:
        """Whether a card lies at a place of its own: drawn, in an ordered zone."""
        return card in self.where and not self.undrawn >> card & 1 and self.is_ordered(self.where[card])

    def is_linked(self, card: int) -> bool:
        layout = self.layout
        return any(self.v[base + card] for base in (layout.next_base, layout.previous_base, layout.gap_base))

    def members(self, cards: int) -> list[int]:
        return [card for card in range(self.layout.cards) if cards >> card & 1]

    def set_at(self, base: int, name: str) -> int:
        """The set of cards that begins at a word."""
        held = 0
        for i in range(self.layout.words_per_set):
            if not 0 <= self.v[base + i] < 1 << WORD_BITS:
                self.found.append(f"{name}: word {i} of its set is out of range")
                return 0
            held |= self.v[base + i] << WORD_BITS * i
        if held >> self.layout.cards:
            self.found.append(f"{name}: its set names cards that do not exist")
        return held & (1 << self.layout.cards) - 1
