"""The table: where the cards lie in a state vector, and every way of moving them.

`Table` moves cards and nothing else; `knowledge.KnowingTable` also keeps what each seat knows and tells what happens.
The representation is that of `ir.program.Layout`:

* an *unordered* zone is a set of cards, in the words from ZONE_SET on;
* an *ordered* zone is a chain of drawn cards (``next``, ``previous``: card + 1, 0 for none) with *gaps* of undrawn
  places between them: ZONE_GAP holds the gap above the first drawn card, ``gap`` of a card the one directly below it.
  The set from ZONE_SET on holds the undrawn cards; which of them lies on which undrawn place is not settled;
* ZONE_COUNT counts drawn and undrawn cards.

A word that is not in use is 0, so equal situations are equal vectors.

In all methods ``v`` is the state vector, a zone is the number of its instance, a set of cards one number with bit c for
card c, and a *spot* is HEAD (-1), TAIL (-2) or a depth from HEAD, 0 or more. A card that moves within its zone is taken
out first: a depth counts the others. Cards are drawn ones, but for those of sets and packets; an undrawn card that is
named by its number (no checked program does that) is first put on one of the undrawn places of its zone by chance.

Imports facts, ir and run only.
"""

from __future__ import annotations

from rulerun.facts.rng import below
from rulerun.facts.spots import HEAD, TAIL
from rulerun.facts.start import lay_cards
from rulerun.ir.program import ZONE_COUNT, ZONE_GAP, ZONE_HEAD, ZONE_SET, ZONE_TAIL, Program, ZoneKind
from rulerun.ir.types import WORD_BITS
from rulerun.run.conservation import problems_of
from rulerun.run.sets import bits_of, mask_of, select

Vector = list[int]
UNDRAWN = -2
"""In place of a card: the place is there, which card lies on it is not settled."""
_WORD = (1 << WORD_BITS) - 1


class Table:
    """The cards of one program, in any number of state vectors. Nobody is told of anything and nothing is marked."""

    def __init__(self, program: Program) -> None:
        layout = program.layout
        families = [program.families[zone.family] for zone in program.zones]
        self.program = program
        self.record = tuple(layout.zone(zone) for zone in range(layout.zones))
        """Per zone the first word of its record."""
        self.ordered = tuple(family.kind.ordered for family in families)
        self.is_pile = tuple(family.kind is ZoneKind.PILE for family in families)
        self.seen_by = tuple(zone.seen for zone in program.zones)
        """Per zone the set of seats that see every face in it."""
        self.width = layout.words_per_set
        self.next, self.previous, self.gap = layout.next_base, layout.previous_base, layout.gap_base
        """First words of the links of the cards; those of card c are c words further."""
        self.location = layout.loc_base
        self.set_word = tuple(ZONE_SET + card // WORD_BITS for card in range(layout.cards))
        self.bit = tuple(1 << card % WORD_BITS for card in range(layout.cards))
        """Where card c is in the set of a zone: bit ``bit[c]`` of word ``set_word[c]`` of the zone's record."""

    def start(self, v: Vector) -> None:
        """Lays out `Program.start`, with nothing known to anybody."""
        base = self.program.layout.zone_base
        v[base:] = [0] * (len(v) - base)
        lay_cards(self.program, v)

    # ------------------------------------------------------------------- looking

    def count(self, v: Vector, zone: int) -> int:
        """How many cards lie in a zone, undrawn ones included."""
        return v[self.record[zone] + ZONE_COUNT]

    def cards_of(self, v: Vector, zone: int) -> list[int]:
        """The drawn cards from HEAD to TAIL; those of an unordered zone by number."""
        z = self.record[zone]
        return self._chain(v, z) if self.ordered[zone] else bits_of(self._set_at(v, z))

    def in_order(self, v: Vector, zone: int) -> list[int]:
        """As `cards_of`, and then the undrawn cards by number."""
        found = self.cards_of(v, zone)
        return found + bits_of(self._set_at(v, self.record[zone])) if self.ordered[zone] else found

    def places_of(self, v: Vector, zone: int) -> list[int]:
        """As `cards_of`, with -1 for each undrawn place."""
        z = self.record[zone]
        if not self.ordered[zone]:
            return bits_of(self._set_at(v, z))
        found = [-1] * v[z + ZONE_GAP]
        for card in self._chain(v, z):
            found += [card] + [-1] * v[self.gap + card]
        return found

    def set_of(self, v: Vector, zone: int) -> int:
        """All cards in a zone, undrawn ones included."""
        z = self.record[zone]
        found = self._set_at(v, z)
        return found | mask_of(self._chain(v, z)) if self.ordered[zone] else found

    def undrawn_set(self, v: Vector, zone: int) -> int:
        """The cards on the undrawn places of an ordered zone."""
        return self._set_at(v, self.record[zone]) if self.ordered[zone] else 0

    def undrawn(self, v: Vector, zone: int) -> int:
        """How many places of an ordered zone are undrawn."""
        return self.undrawn_set(v, zone).bit_count()

    def first_undrawn(self, v: Vector, zone: int) -> int:
        """The depth of the undrawn place nearest to HEAD; -1 if there is none."""
        return next((depth for depth, card in enumerate(self.places_of(v, zone)) if card < 0), -1)

    def end(self, v: Vector, zone: int, spot: int) -> int:
        """The drawn card at HEAD or TAIL of an ordered zone; the one card of an unordered zone. -1 if there is none
        (or its place is undrawn), -2 if an unordered zone holds more than one."""
        z = self.record[zone]
        if not self.ordered[zone]:
            return self._set_at(v, z).bit_length() - 1 if v[z + ZONE_COUNT] < 2 else -2
        return max(-1, self._card_at(v, z, spot))

    def top(self, v: Vector, zone: int, spot: int, number: int) -> int:
        """The set of the ``number`` drawn cards nearest to HEAD or TAIL; all of them if there are fewer."""
        lying = self.cards_of(v, zone)
        number = max(0, number)
        return mask_of(lying[:number] if spot == HEAD else lying[max(0, len(lying) - number) :])

    def who_knows(self, v: Vector, card: int) -> int:
        """The seats that see the zone of a card, or, where that is kept, know its position."""
        return self.seen_by[v[self.location + card]]

    def position(self, v: Vector, card: int) -> int:
        """A card's place from HEAD; -1 in an unordered zone, or if the card is undrawn."""
        zone = v[self.location + card]
        if not self.ordered[zone]:
            return -1
        depth, at = 0, card + 1
        while before := v[self.previous + at - 1]:
            depth += 1 + v[self.gap + before - 1]
            at = before
        z = self.record[zone]
        return depth + v[z + ZONE_GAP] if v[z + ZONE_HEAD] == at else -1

    def knows(self, v: Vector, seat: int, card: int) -> bool:
        """Whether a seat sees the zone of the card, or (where knowledge is kept) knows what lies at its place."""
        return bool(self.seen_by[v[self.location + card]] >> seat & 1)

    def known_counts(self, v: Vector, seat: int, zone: int) -> list[tuple[int, int]]:  # noqa: ARG002 - see KnowingTable
        """(kind, m), lowest kind first: the seat knows that at least m cards of that kind lie in a zone that it does
        not see, beside those whose places it knows. Always empty where no knowledge is kept."""
        return []

    def check(self, v: Vector) -> list[str]:
        """What is not sound in a vector's cards, and in what is known of them, in words; [] if all is well."""
        return problems_of(self.program, v)

    # -------------------------------------------------------------------- chance

    def draw(self, v: Vector, zone: int, spot: int) -> int:
        """The card at a spot of an ordered zone, settled by chance if need be; -1 if there is no such place.

        An undrawn place gets the k-th lowest of the zone's undrawn cards with ``k = below(how many)``. A settled place
        costs no chance."""
        z = self.record[zone]
        card = self._card_at(v, z, spot) if self.ordered[zone] else -1
        if card == UNDRAWN:
            card = self._chance(v, z)
            self._settle(v, z, spot, card)
        return card

    def draw_as(self, v: Vector, zone: int, spot: int, card: int) -> int:
        """As `draw` with the outcome given; a settled place stays as it is. ValueError, and nothing changed, if the
        card is not among the zone's undrawn ones."""
        z = self.record[zone]
        found = self._card_at(v, z, spot) if self.ordered[zone] else -1
        if found != UNDRAWN:
            return found
        if not 0 <= card < len(self.bit) or not v[z + self.set_word[card]] & self.bit[card]:
            raise ValueError(f"card {card} is not among the undrawn cards of {self.program.zones[zone].name}")
        self._settle(v, z, spot, card)
        return card

    def is_chance(self, v: Vector, zone: int, spot: int) -> bool:
        """Whether drawing at a spot has more than one outcome."""
        return self.undrawn(v, zone) > 1 and self._card_at(v, self.record[zone], spot) == UNDRAWN

    def settle(self, v: Vector, card: int) -> None:
        """Puts an undrawn card on one of the undrawn places of its zone, each as likely; a drawn one stays."""
        zone = v[self.location + card]
        if self.ordered[zone] and self.position(v, card) < 0:
            free = [depth for depth, held in enumerate(self.places_of(v, zone)) if held < 0]
            self._settle(v, self.record[zone], free[below(v, len(free))], card)

    def settle_all(self, v: Vector, zone: int) -> None:
        """Draws every undrawn place of a zone, HEAD to TAIL."""
        for depth, card in enumerate(self.places_of(v, zone)):
            if card < 0:
                self.draw(v, zone, depth)

    # --------------------------------------------------------------- single cards

    def move_card(self, v: Vector, card: int, zone: int, spot: int, by: int = -1) -> None:  # noqa: ARG002 - who is told
        """A card goes to a spot. ``by`` >= 0: only that seat is told the place. ValueError if there is no such spot."""
        source = v[self.location + card]
        if spot > 0 and self.ordered[zone] and spot > v[self.record[zone] + ZONE_COUNT] - (source == zone):
            raise ValueError(f"{self.program.zones[zone].name} has no place {spot}")
        self._take(v, card)
        self._put(v, card, zone, spot)

    def move_cards(self, v: Vector, cards: int, zone: int, spot: int, by: int = -1) -> None:
        """The cards of a set go to a spot, lowest number first. (That tells no copies apart: those of a kind are
        numbered side by side.)"""
        for card in bits_of(cards):
            self.move_card(v, card, zone, spot, by)

    def swap_cards(self, v: Vector, a: int, b: int) -> None:
        """Two cards change places."""
        if a == b:
            return
        self.settle(v, a)
        self.settle(v, b)
        if v[self.next + b] == a + 1:
            a, b = b, a  # of two neighbours a is the one nearer to HEAD
        left, right = v[self.location + a], v[self.location + b]
        links_a, links_b = self._unlink(v, a), self._unlink(v, b)
        v[self.location + a], v[self.location + b] = right, left
        if links_a[1] == b + 1:
            self._link(v, b, left, links_a[0], a + 1, links_a[2])
            self._link(v, a, left, b + 1, links_b[1], links_b[2])
        else:
            self._link(v, a, right, *links_b)
            self._link(v, b, left, *links_a)

    def reveal(self, v: Vector, cards: int, to: int) -> None:
        """Shows the faces of a set (undrawn cards are passed over) to a set of seats."""

    def flip(self, v: Vector, cards: int, up: bool) -> None:
        """Cards come to lie face up or face down where they are; see `ir.nodes.Flip`."""

    # ---------------------------------------------------------------- whole zones

    def move_all(self, v: Vector, source: int, zone: int, spot: int) -> None:
        """All cards of a zone go to a spot as a packet, see `ir.nodes.MoveAll`. Undrawn ones are settled first."""
        if source == zone:
            return
        self.settle_all(v, source)
        held = self.cards_of(v, source)
        if spot == HEAD and self.is_pile[source]:
            held.reverse()
        for card in held:
            self.move_card(v, card, zone, spot)

    def shuffle(self, v: Vector, zone: int) -> None:
        """All places of an ordered zone become undrawn. An unordered zone stays as it is."""
        if self.ordered[zone]:
            self._unsettle(v, zone)

    def turn_over(self, v: Vector, zone: int) -> None:
        """The order of an ordered zone is turned round, its undrawn places with it. An unordered zone has none."""
        if not self.ordered[zone]:
            return
        z = self.record[zone]
        above = v[z + ZONE_GAP]
        for card in self._chain(v, z):
            v[self.next + card], v[self.previous + card] = v[self.previous + card], v[self.next + card]
            v[self.gap + card], above = above, v[self.gap + card]
        v[z + ZONE_GAP] = above
        v[z + ZONE_HEAD], v[z + ZONE_TAIL] = v[z + ZONE_TAIL], v[z + ZONE_HEAD]

    def collect(self, v: Vector, source: int, zone: int) -> None:
        """The cards of a zone go to another, which is then shuffled if it is ordered. To itself: shuffled."""
        if source == zone:
            self.shuffle(v, zone)
        else:
            self._add_unordered(v, zone, self._empty(v, source))

    def collect_all(self, v: Vector, zone: int) -> None:
        """All cards of the game go to one zone, in no order."""
        layout, z = self.program.layout, self.record[zone]
        v[layout.zone_base : layout.loc_base] = [0] * (layout.loc_base - layout.zone_base)
        v[self.location : self.location + layout.cards] = [zone] * layout.cards
        self._write_set(v, z, (1 << layout.cards) - 1)
        v[z + ZONE_COUNT] = layout.cards
        v[z + ZONE_GAP] = layout.cards if self.ordered[zone] else 0

    def refill(self, v: Vector, zone: int, source: int, keep: int, shuffled: bool) -> None:
        """If a zone is empty, all but the ``keep`` topmost cards of ``source`` go to it: shuffled, or turned over.

        What has to be told apart is settled first: the kept places if the cards are shuffled, all places if not."""
        count = v[self.record[source] + ZONE_COUNT]
        if v[self.record[zone] + ZONE_COUNT] or count <= keep or zone == source:
            return
        if not shuffled:
            self.settle_all(v, source)
        elif self.ordered[source]:
            for depth in range(keep):
                self.draw(v, source, depth if self.is_pile[source] else count - 1 - depth)
        self._refill(v, zone, source, keep, shuffled)

    def _refill(self, v: Vector, zone: int, source: int, keep: int, shuffled: bool) -> None:
        """The cards of a `refill` go, once all is settled that has to be."""
        going = self._topmost(v, source)[keep:]
        if shuffled:
            undrawn = self.undrawn_set(v, source)
            for card in going:
                self._take(v, card)
            if undrawn:
                self._drop_undrawn(v, source)
            self._add_unordered(v, zone, mask_of(going) | undrawn)
            return
        top = HEAD if self.is_pile[zone] else TAIL
        for card in going:
            self._take(v, card)
            self._put(v, card, zone, top)

    def swap_zones(self, v: Vector, left: int, right: int) -> None:
        """Two zones of one family change contents."""
        in_left, in_right = self.set_of(v, left), self.set_of(v, right)
        a, b, size = self.record[left], self.record[right], ZONE_SET + self.width
        v[a : a + size], v[b : b + size] = v[b : b + size], v[a : a + size]
        for cards, zone in ((in_left, right), (in_right, left)):
            for card in bits_of(cards):
                v[self.location + card] = zone

    # ------------------------------------------------------ sets, chains and gaps

    def _set_at(self, v: Vector, z: int) -> int:
        """The set in the zone record at word ``z``."""
        if self.width == 1:
            return v[z + ZONE_SET]
        found = 0
        for i in range(self.width - 1, -1, -1):
            found = found << WORD_BITS | v[z + ZONE_SET + i]
        return found

    def _write_set(self, v: Vector, z: int, cards: int) -> None:
        for i in range(z + ZONE_SET, z + ZONE_SET + self.width):
            v[i] = cards & _WORD
            cards >>= WORD_BITS

    def _chain(self, v: Vector, z: int) -> list[int]:
        """The drawn cards of an ordered zone from HEAD to TAIL."""
        found, following = [], self.next - 1
        at = v[z + ZONE_HEAD]
        while at:
            found.append(at - 1)
            at = v[following + at]
        return found

    def _card_at(self, v: Vector, z: int, spot: int) -> int:
        """The drawn card at a spot of an ordered zone; -1 if there is no such place, UNDRAWN if it is undrawn."""
        if spot == HEAD or spot == 0:
            return UNDRAWN if v[z + ZONE_GAP] else v[z + ZONE_HEAD] - 1
        if spot == TAIL:
            last = v[z + ZONE_TAIL]
            below_it = self.gap + last - 1 if last else z + ZONE_GAP
            return UNDRAWN if v[below_it] else last - 1
        if spot >= v[z + ZONE_COUNT] or spot < 0:
            return -1
        spot -= v[z + ZONE_GAP]
        at = v[z + ZONE_HEAD]
        while spot > 0:
            spot -= 1 + v[self.gap + at - 1]
            at = v[self.next + at - 1]
        return UNDRAWN if spot < 0 else at - 1

    def _topmost(self, v: Vector, zone: int) -> list[int]:
        """The drawn cards, the top first: HEAD of a pile, TAIL of a row."""
        held = self.cards_of(v, zone)
        return held[::-1] if self.ordered[zone] and not self.is_pile[zone] else held

    def _chance(self, v: Vector, z: int) -> int:
        """One of the undrawn cards of a zone that has some, each as likely."""
        k = below(v, self._set_at(v, z).bit_count())
        word = z + ZONE_SET
        while k >= (here := v[word].bit_count()):
            k -= here
            word += 1
        return (word - z - ZONE_SET) * WORD_BITS + select(v[word], k)

    def _settle(self, v: Vector, z: int, spot: int, card: int) -> None:
        """Puts an undrawn card of a zone on the undrawn place ``spot``: it comes to lie in the middle of a gap."""
        v[z + self.set_word[card]] ^= self.bit[card]
        before, gap_word, above = self._gap_at(v, z, spot)
        v[self.gap + card] = v[gap_word] - above - 1
        v[gap_word] = above
        self._insert(v, card, z, before)

    def _gap_at(self, v: Vector, z: int, spot: int) -> tuple[int, int, int]:
        """The gap that holds an undrawn place: the card above it (+ 1, 0 for none), the word that counts the gap, and
        how many places of the gap lie above."""
        if spot == TAIL:
            last = v[z + ZONE_TAIL]
            gap_word = self.gap + last - 1 if last else z + ZONE_GAP
            return last, gap_word, v[gap_word] - 1
        before, gap_word, above = 0, z + ZONE_GAP, max(0, spot)
        while above >= v[gap_word]:
            above -= v[gap_word] + 1
            before = v[self.next + before - 1] if before else v[z + ZONE_HEAD]
            gap_word = self.gap + before - 1
        return before, gap_word, above

    def _insert(self, v: Vector, card: int, z: int, before: int) -> None:
        """Links a card into a chain, below the card ``before`` (+ 1; 0: at HEAD)."""
        if before:
            after = v[self.next + before - 1]
            v[self.next + before - 1] = card + 1
        else:
            after = v[z + ZONE_HEAD]
            v[z + ZONE_HEAD] = card + 1
        v[self.next + card] = after
        v[self.previous + card] = before
        if after:
            v[self.previous + after - 1] = card + 1
        else:
            v[z + ZONE_TAIL] = card + 1

    def _take(self, v: Vector, card: int) -> None:
        """Takes a card out of its zone. Its location is left stale."""
        zone = v[self.location + card]
        z = self.record[zone]
        if not self.ordered[zone]:
            v[z + self.set_word[card]] ^= self.bit[card]
            v[z + ZONE_COUNT] -= 1
            return
        before, after = v[self.previous + card], v[self.next + card]
        if not before and v[z + ZONE_HEAD] != card + 1:
            self.settle(v, card)
            before, after = v[self.previous + card], v[self.next + card]
        gap = v[self.gap + card]
        if before:
            v[self.next + before - 1] = after
            v[self.gap + before - 1] += gap
            v[self.previous + card] = 0
        else:
            v[z + ZONE_HEAD] = after
            v[z + ZONE_GAP] += gap
        if after:
            v[self.previous + after - 1] = before
            v[self.next + card] = 0
        else:
            v[z + ZONE_TAIL] = before
        v[self.gap + card] = 0
        v[z + ZONE_COUNT] -= 1

    def _put(self, v: Vector, card: int, zone: int, spot: int) -> None:
        """Puts a card that is in no zone into one."""
        z = self.record[zone]
        v[z + ZONE_COUNT] += 1
        v[self.location + card] = zone
        if not self.ordered[zone]:
            v[z + self.set_word[card]] |= self.bit[card]
            return
        before, gap_word, above = 0, z + ZONE_GAP, max(0, spot)
        if spot == TAIL:
            before, gap = v[z + ZONE_TAIL], 0
        else:
            while above > v[gap_word]:
                above -= v[gap_word] + 1
                before = v[self.next + before - 1] if before else v[z + ZONE_HEAD]
                gap_word = self.gap + before - 1
            gap = v[gap_word] - above
            v[gap_word] = above
        v[self.gap + card] = gap
        self._insert(v, card, z, before)

    def _unlink(self, v: Vector, card: int) -> tuple[int, int, int]:
        """Takes a card out of its place while another comes there at once; the links of that place."""
        zone = v[self.location + card]
        if not self.ordered[zone]:
            v[self.record[zone] + self.set_word[card]] ^= self.bit[card]
            return 0, 0, 0
        words = self.previous + card, self.next + card, self.gap + card
        links = v[words[0]], v[words[1]], v[words[2]]
        for word in words:
            v[word] = 0
        return links

    def _link(self, v: Vector, card: int, zone: int, before: int, after: int, gap: int) -> None:
        """Puts a card on a place that another has just left."""
        z = self.record[zone]
        if not self.ordered[zone]:
            v[z + self.set_word[card]] |= self.bit[card]
            return
        v[self.previous + card], v[self.next + card], v[self.gap + card] = before, after, gap
        v[self.next + before - 1 if before else z + ZONE_HEAD] = card + 1
        v[self.previous + after - 1 if after else z + ZONE_TAIL] = card + 1

    def _empty(self, v: Vector, zone: int) -> int:
        """Takes all cards out of a zone at once; which they were. Locations are left stale."""
        z = self.record[zone]
        found = self._set_at(v, z)
        if self.ordered[zone]:
            for card in self._chain(v, z):
                found |= 1 << card
                v[self.next + card] = v[self.previous + card] = v[self.gap + card] = 0
        v[z : z + ZONE_SET + self.width] = [0] * (ZONE_SET + self.width)
        return found

    def _unsettle(self, v: Vector, zone: int) -> None:
        """All places of an ordered zone become undrawn."""
        z = self.record[zone]
        held = v[z + ZONE_COUNT]
        self._write_set(v, z, self._empty(v, zone))
        v[z + ZONE_COUNT] = v[z + ZONE_GAP] = held

    def _add_unordered(self, v: Vector, zone: int, coming: int) -> None:
        """Adds cards that are in no zone to a zone, in no order: an ordered one loses its order."""
        z = self.record[zone]
        if self.ordered[zone]:
            self._unsettle(v, zone)
        self._write_set(v, z, self._set_at(v, z) | coming)
        v[z + ZONE_COUNT] += coming.bit_count()
        if self.ordered[zone]:
            v[z + ZONE_GAP] = v[z + ZONE_COUNT]
        for card in bits_of(coming):
            v[self.location + card] = zone

    def _drop_undrawn(self, v: Vector, zone: int) -> None:
        """Takes all undrawn cards out of a zone, and their places."""
        z = self.record[zone]
        v[z + ZONE_COUNT] -= self._set_at(v, z).bit_count()
        self._write_set(v, z, 0)
        v[z + ZONE_GAP] = 0
        for card in self._chain(v, z):
            v[self.gap + card] = 0
