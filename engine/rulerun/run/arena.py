"""Cards in the state vector: where they lie and every way of moving them, quiet and quick.

`lay_arena` gives functions closed over the integers of one layout; none of them tells or marks anything (that is
`knowledge`, which wraps them). The representation is that of `ir.program.Layout`:

* an unordered zone is a set of cards, in the words from ZONE_SET on;
* an ordered zone is a chain of *drawn* cards (``next``, ``previous``: card + 1, 0 for none) with gaps of *undrawn*
  places between them: ZONE_GAP above the first drawn card, ``gap`` directly below each. What the undrawn places hold is
  the set from ZONE_SET on; which of them holds which is not settled;
* ZONE_COUNT counts drawn and undrawn cards.

Each word is a function of the situation: what is not in use is 0, so equal situations are equal vectors.

A *spot* is HEAD (-1), TAIL (-2) or a depth from HEAD, 0 or more. Moving a card within its zone first takes it out:
the depth counts among the others. An undrawn card that is named by its number (no checked program does that) is first
given one of the undrawn places of its zone by chance.

Imports ir and rng only.
"""

from __future__ import annotations

from collections.abc import Callable

from rulerun.facts.rng import below
from rulerun.facts.spots import HEAD, TAIL
from rulerun.ir.program import RNG, ZONE_COUNT, ZONE_GAP, ZONE_HEAD, ZONE_SET, ZONE_TAIL, Program, ZoneKind
from rulerun.ir.types import WORD_BITS
from rulerun.run.operations import SELECT, Cards, Vector, bits_of


def lay_arena(program: Program, check: Callable[[Vector], list[str]]) -> Cards:
    """The quiet operations of a program."""
    layout = program.layout
    n_cards, n_zones, width = layout.cards, layout.zones, layout.words_per_set
    bases = tuple(layout.zone(i) for i in range(n_zones))
    families = tuple(program.families[zone.family] for zone in program.zones)
    ordered = tuple(family.kind.ordered for family in families)
    is_pile = tuple(family.kind is ZoneKind.PILE for family in families)
    sees = tuple(zone.seen for zone in program.zones)
    word = tuple(ZONE_SET + card // WORD_BITS for card in range(n_cards))
    bit = tuple(1 << card % WORD_BITS for card in range(n_cards))
    nexts, backs, gaps, locs = layout.next_base, layout.previous_base, layout.gap_base, layout.loc_base
    next1, back1, gap1 = nexts - 1, backs - 1, gaps - 1  # indexed by card + 1
    every_card = (1 << n_cards) - 1
    word_mask = (1 << WORD_BITS) - 1
    single = width == 1
    begin = tuple(program.start)

    # ------------------------------------------------------------ looking

    def read_set(v: Vector, z: int) -> int:
        if single:
            return v[z + 4]
        found = 0
        for i in range(width - 1, -1, -1):
            found = found << WORD_BITS | v[z + 4 + i]
        return found

    def write_set(v: Vector, z: int, cards: int) -> None:
        for i in range(z + 4, z + 4 + width):
            v[i] = cards & word_mask
            cards >>= WORD_BITS

    def count(v: Vector, zone: int) -> int:
        return v[bases[zone] + 2]

    def chain(v: Vector, z: int) -> list[int]:
        found = []
        at = v[z]
        while at:
            found.append(at - 1)
            at = v[next1 + at]
        return found

    def cards_of(v: Vector, zone: int) -> list[int]:
        z = bases[zone]
        return chain(v, z) if ordered[zone] else bits_of(read_set(v, z))

    def places_of(v: Vector, zone: int) -> list[int]:
        z = bases[zone]
        if not ordered[zone]:
            return bits_of(read_set(v, z))
        found = [-1] * v[z + 3]
        at = v[z]
        while at:
            found.append(at - 1)
            if v[gap1 + at]:
                found += [-1] * v[gap1 + at]
            at = v[next1 + at]
        return found

    def set_of(v: Vector, zone: int) -> int:
        z = bases[zone]
        found = read_set(v, z)
        if ordered[zone]:
            at = v[z]
            while at:
                found |= 1 << (at - 1)
                at = v[next1 + at]
        return found

    def undrawn_set(v: Vector, zone: int) -> int:
        return read_set(v, bases[zone]) if ordered[zone] else 0

    def undrawn(v: Vector, zone: int) -> int:
        return undrawn_set(v, zone).bit_count()

    def first_undrawn(v: Vector, zone: int) -> int:
        z = bases[zone]
        if not ordered[zone]:
            return -1
        if v[z + 3]:
            return 0
        depth = 1
        at = v[z]
        while at:
            if v[gap1 + at]:
                return depth
            depth += 1
            at = v[next1 + at]
        return -1

    def end(v: Vector, zone: int, which: int) -> int:
        z = bases[zone]
        if not ordered[zone]:
            held = v[z + 2]
            return read_set(v, z).bit_length() - 1 if held < 2 else -2
        if which == HEAD:
            return -1 if v[z + 3] else v[z] - 1
        last = v[z + 1]
        return -1 if not last or v[gap1 + last] else last - 1

    def position(v: Vector, card: int) -> int:
        zone = v[locs + card]
        if not ordered[zone]:
            return -1
        at = card + 1
        depth = 0
        while True:
            before = v[back1 + at]
            if not before:
                z = bases[zone]
                return depth + v[z + 3] if v[z] == at else -1
            depth += 1 + v[gap1 + before]
            at = before

    def knows(v: Vector, seat: int, card: int) -> bool:
        return bool(sees[v[locs + card]] >> seat & 1)

    def known_members(v: Vector, seat: int, zone: int) -> list[tuple[int, int]]:  # noqa: ARG001 - quiet
        return []

    # ------------------------------------------------------------ chance

    def settle(v: Vector, z: int, spot: int, card: int) -> None:
        """Puts an undrawn card of the zone on the undrawn place ``spot`` (a depth that is one, HEAD, or TAIL)."""
        v[z + word[card]] ^= bit[card]
        if spot < 0:
            if spot == HEAD:
                above, gap_word = 0, z + 3
            else:
                last = v[z + 1]
                gap_word = gap1 + last if last else z + 3
                above = v[gap_word] - 1
        else:
            above, gap_word = spot, z + 3
            at = v[z]
            while above >= v[gap_word]:
                above -= v[gap_word] + 1
                gap_word = gap1 + at
                at = v[next1 + at]
        v[gaps + card] = v[gap_word] - above - 1
        v[gap_word] = above
        before = gap_word - gap1 if gap_word != z + 3 else 0
        if before:
            after = v[next1 + before]
            v[next1 + before] = card + 1
        else:
            after = v[z]
            v[z] = card + 1
        v[nexts + card] = after
        v[backs + card] = before
        if after:
            v[back1 + after] = card + 1
        else:
            v[z + 1] = card + 1

    def settled(v: Vector, z: int, spot: int) -> int:
        """The drawn card at a spot; -1 if there is no such place, -2 if it is undrawn."""
        if spot == HEAD:
            return -2 if v[z + 3] else v[z] - 1
        if spot == TAIL:
            last = v[z + 1]
            if last:
                return -2 if v[gap1 + last] else last - 1
            return -2 if v[z + 3] else -1
        if spot >= v[z + 2] or spot < 0:
            return -1
        spot -= v[z + 3]
        at = v[z]
        while spot > 0:
            spot -= 1 + v[gap1 + at]
            at = v[next1 + at]
        return -2 if spot < 0 else at - 1

    def chance(v: Vector, z: int) -> int:
        """One of the undrawn cards of a zone that has some, each as likely."""
        base = i = z + 4
        held = v[i]
        here = size = held.bit_count()
        if not single:
            for j in range(i + 1, i + width):
                size += v[j].bit_count()
        if size == 1:
            k = 0
        else:  # rng.below, written out
            x = (v[1] + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
            v[1] = x if x < 0x8000000000000000 else x - 0x10000000000000000
            x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
            x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
            m = ((x ^ (x >> 31)) >> 32) * size
            if m & 0xFFFFFFFF < size and m & 0xFFFFFFFF < (0x100000000 - size) % size:
                k = below(v, size)
            else:
                k = m >> 32
        while k >= here:
            k -= here
            i += 1
            held = v[i]
            here = held.bit_count()
        low = (i - base) * WORD_BITS
        here = (held & 0xFFFFFFFF).bit_count()
        if k >= here:
            k -= here
            held >>= 32
            low += 32
        here = (held & 0xFFFF).bit_count()
        if k >= here:
            k -= here
            held >>= 16
            low += 16
        here = (held & 0xFF).bit_count()
        if k >= here:
            k -= here
            held >>= 8
            low += 8
        return low + SELECT[(held & 0xFF) * 8 + k]

    def draw(v: Vector, zone: int, spot: int) -> int:
        z = bases[zone]
        if spot == HEAD or spot == 0:
            above = v[z + 3]
            if not above:
                return v[z] - 1
            card = chance(v, z)
            v[z + word[card]] ^= bit[card]
            v[z + 3] = 0
            v[gaps + card] = above - 1
            after = v[z]
            if after:
                v[nexts + card] = after
                v[back1 + after] = card + 1
            else:
                v[z + 1] = card + 1
            v[z] = card + 1
            return card
        card = settled(v, z, spot) if ordered[zone] else -1
        if card == -2:
            card = chance(v, z)
            settle(v, z, spot, card)
        return card

    def draw_as(v: Vector, zone: int, spot: int, card: int) -> int:
        z = bases[zone]
        found = settled(v, z, spot) if ordered[zone] else -1
        if found != -2:
            return found
        if not 0 <= card < n_cards or not v[z + word[card]] & bit[card]:
            raise ValueError(f"card {card} is not among the undrawn cards of {program.zones[zone].name}")
        settle(v, z, spot, card)
        return card

    def settle_all(v: Vector, zone: int) -> None:
        while (depth := first_undrawn(v, zone)) >= 0:
            draw(v, zone, depth)

    def settle_card(v: Vector, card: int) -> None:
        zone = v[locs + card]
        if not ordered[zone] or position(v, card) >= 0:
            return
        k = below(v, undrawn(v, zone))
        for depth, held in enumerate(places_of(v, zone)):
            if held < 0:
                if not k:
                    settle(v, bases[zone], depth, card)
                    return
                k -= 1

    # ------------------------------------------------------------ moving

    def take(v: Vector, card: int) -> None:
        """Takes a card out of its zone; its location is left stale."""
        zone = v[locs + card]
        z = bases[zone]
        if ordered[zone]:
            before = v[backs + card]
            after = v[nexts + card]
            if before:
                v[next1 + before] = after
                v[gap1 + before] += v[gaps + card]
                v[backs + card] = 0
            else:
                if v[z] != card + 1:
                    settle_card(v, card)
                    take(v, card)
                    return
                v[z] = after
                v[z + 3] += v[gaps + card]
            if after:
                v[back1 + after] = before
                v[nexts + card] = 0
            else:
                v[z + 1] = before
            v[gaps + card] = 0
        else:
            v[z + word[card]] ^= bit[card]
        v[z + 2] -= 1

    def put(v: Vector, card: int, zone: int, spot: int) -> None:
        """Puts a card that is in no zone into one."""
        z = bases[zone]
        v[z + 2] += 1
        v[locs + card] = zone
        if not ordered[zone]:
            v[z + word[card]] |= bit[card]
        elif spot == HEAD:
            after = v[z]
            if after:
                v[nexts + card] = after
                v[back1 + after] = card + 1
            else:
                v[z + 1] = card + 1
            v[gaps + card] = v[z + 3]
            v[z + 3] = 0
            v[z] = card + 1
        elif spot == TAIL:
            before = v[z + 1]
            if before:
                v[backs + card] = before
                v[next1 + before] = card + 1
            else:
                v[z] = card + 1
            v[z + 1] = card + 1
        else:
            before = 0
            gap_word = z + 3
            after = v[z]
            while spot > v[gap_word]:
                spot -= v[gap_word] + 1
                before = after
                gap_word = gap1 + before
                after = v[next1 + before]
            v[gaps + card] = v[gap_word] - spot
            v[gap_word] = spot
            v[nexts + card] = after
            v[backs + card] = before
            if before:
                v[next1 + before] = card + 1
            else:
                v[z] = card + 1
            if after:
                v[back1 + after] = card + 1
            else:
                v[z + 1] = card + 1

    def move_card(v: Vector, card: int, zone: int, spot: int, by: int = -1) -> None:  # noqa: ARG001 - quiet
        source = v[locs + card]
        z = bases[source]
        if ordered[source]:
            if spot > 0 and ordered[zone] and spot > v[bases[zone] + 2] - (source == zone):
                raise ValueError(f"{program.zones[zone].name} has no place {spot}")
            take(v, card)
            put(v, card, zone, spot)
            return
        target = bases[zone]
        if ordered[zone]:
            if spot > 0 and spot > v[target + 2]:
                raise ValueError(f"{program.zones[zone].name} has no place {spot}")
            v[z + word[card]] ^= bit[card]
            v[z + 2] -= 1
            put(v, card, zone, spot)
        else:
            at, mask = word[card], bit[card]
            v[z + at] ^= mask
            v[z + 2] -= 1
            v[target + at] |= mask
            v[target + 2] += 1
            v[locs + card] = zone

    def move_cards(v: Vector, cards: int, zone: int, spot: int, by: int = -1) -> None:
        while cards:
            low = cards & -cards
            cards ^= low
            move_card(v, low.bit_length() - 1, zone, spot, by)

    def packet(v: Vector, source: int, spot: int) -> list[int]:
        """The cards of a zone in the order in which they are moved as a packet."""
        settle_all(v, source)
        held = cards_of(v, source)
        return held[::-1] if spot == HEAD and is_pile[source] else held

    def move_all(v: Vector, source: int, zone: int, spot: int) -> None:
        if source != zone:
            for card in packet(v, source, spot):
                move_card(v, card, zone, spot)

    def empty(v: Vector, zone: int) -> int:
        """Takes all cards out of a zone at once; which they were. Locations are left stale."""
        z = bases[zone]
        found = read_set(v, z)
        if ordered[zone]:
            at = v[z]
            while at:
                found |= 1 << (at - 1)
                after = v[next1 + at]
                v[next1 + at] = v[back1 + at] = v[gap1 + at] = 0
                at = after
        v[z : z + 4 + width] = [0] * (4 + width)
        return found

    def shuffle(v: Vector, zone: int) -> None:
        if ordered[zone]:
            z = bases[zone]
            held = v[z + 2]
            write_set(v, z, empty(v, zone))
            v[z + 2] = v[z + 3] = held

    def collect(v: Vector, source: int, zone: int) -> None:
        if source == zone:
            shuffle(v, zone)
            return
        coming = empty(v, source)
        put_undrawn(v, zone, coming)

    def put_undrawn(v: Vector, zone: int, coming: int) -> None:
        """Adds cards that are in no zone to a zone, in no order: an ordered one is shuffled with them."""
        z = bases[zone]
        shuffle(v, zone)
        write_set(v, z, read_set(v, z) | coming)
        v[z + 2] += coming.bit_count()
        if ordered[zone]:
            v[z + 3] = v[z + 2]
        for card in bits_of(coming):
            v[locs + card] = zone

    def collect_all(v: Vector, zone: int) -> None:
        v[layout.zone_base : locs] = [0] * (locs - layout.zone_base)
        v[locs : locs + n_cards] = [zone] * n_cards
        z = bases[zone]
        write_set(v, z, every_card)
        v[z + 2] = n_cards
        v[z + 3] = n_cards if ordered[zone] else 0

    def refill(v: Vector, zone: int, source: int, keep: int, shuffled: bool) -> None:
        moved = v[bases[source] + 2] - keep
        if v[bases[zone] + 2] or moved <= 0 or zone == source:
            return
        if shuffled and keep <= 0:
            collect(v, source, zone)
            return
        if shuffled:
            for depth in range(keep):
                draw(v, source, depth if is_pile[source] else v[bases[source] + 2] - 1 - depth)
            kept = set(topmost(v, source)[:keep])
            coming = set_of(v, source) & ~sum(1 << card for card in kept)
            undrawn_coming = read_set(v, bases[source]) if ordered[source] else 0
            for card in bits_of(coming & ~undrawn_coming):
                take(v, card)
            if undrawn_coming:
                drop_undrawn(v, source)
            put_undrawn(v, zone, coming)
            return
        settle_all(v, source)
        top = HEAD if is_pile[zone] else TAIL
        for card in topmost(v, source)[keep:]:
            take(v, card)
            put(v, card, zone, top)

    def topmost(v: Vector, zone: int) -> list[int]:
        """The drawn cards of a zone, the top first: HEAD of a pile, TAIL of a row."""
        held = cards_of(v, zone)
        return held if is_pile[zone] or not ordered[zone] else held[::-1]

    def drop_undrawn(v: Vector, zone: int) -> None:
        """Takes all undrawn cards out of a zone, and their places."""
        z = bases[zone]
        v[z + 2] -= read_set(v, z).bit_count()
        write_set(v, z, 0)
        v[z + 3] = 0
        for card in chain(v, z):
            v[gaps + card] = 0

    def link(v: Vector, card: int, z: int, before: int, after: int, gap: int) -> None:
        v[backs + card], v[nexts + card], v[gaps + card] = before, after, gap
        if before:
            v[next1 + before] = card + 1
        else:
            v[z] = card + 1
        if after:
            v[back1 + after] = card + 1
        else:
            v[z + 1] = card + 1

    def swap_cards(v: Vector, a: int, b: int) -> None:
        if a == b:
            return
        settle_card(v, a)
        settle_card(v, b)
        left, right = v[locs + a], v[locs + b]
        if v[nexts + b] == a + 1:
            a, b, left, right = b, a, right, left
        old_a = (v[backs + a], v[nexts + a], v[gaps + a])
        old_b = (v[backs + b], v[nexts + b], v[gaps + b])
        zl, zr = bases[left], bases[right]
        v[locs + a], v[locs + b] = right, left
        if ordered[left] and old_a[1] == b + 1:
            link(v, b, zl, old_a[0], a + 1, old_a[2])
            link(v, a, zl, b + 1, old_b[1], old_b[2])
            return
        if ordered[left]:
            v[backs + a] = v[nexts + a] = v[gaps + a] = 0
        else:
            v[zl + word[a]] ^= bit[a]
        if ordered[right]:
            v[backs + b] = v[nexts + b] = v[gaps + b] = 0
            link(v, a, zr, *old_b)
        else:
            v[zr + word[b]] ^= bit[b]
            v[zr + word[a]] |= bit[a]
        if ordered[left]:
            link(v, b, zl, *old_a)
        else:
            v[zl + word[b]] |= bit[b]

    def swap_zones(v: Vector, left: int, right: int) -> None:
        if left == right:
            return
        in_left, in_right = set_of(v, left), set_of(v, right)
        zl, zr = bases[left], bases[right]
        size = 4 + width
        v[zl : zl + size], v[zr : zr + size] = v[zr : zr + size], v[zl : zl + size]
        for card in bits_of(in_left):
            v[locs + card] = right
        for card in bits_of(in_right):
            v[locs + card] = left

    def reveal(v: Vector, cards: int, to: int) -> None:  # noqa: ARG001 - quiet
        return

    def start(v: Vector) -> None:
        v[layout.zone_base :] = [0] * (len(v) - layout.zone_base)
        for card, zone in enumerate(begin):
            put(v, card, zone, TAIL)

    return Cards(
        start=start,
        move_card=move_card,
        move_cards=move_cards,
        move_all=move_all,
        collect_all=collect_all,
        collect=collect,
        shuffle=shuffle,
        refill=refill,
        swap_cards=swap_cards,
        swap_zones=swap_zones,
        reveal=reveal,
        draw=draw,
        draw_as=draw_as,
        settle=settle_card,
        undrawn=undrawn,
        undrawn_set=undrawn_set,
        first_undrawn=first_undrawn,
        cards_of=cards_of,
        places_of=places_of,
        set_of=set_of,
        count=count,
        end=end,
        position=position,
        check=check,
        knows=knows,
        known_members=known_members,
    )


assert (RNG, ZONE_HEAD, ZONE_TAIL, ZONE_COUNT, ZONE_GAP, ZONE_SET) == (1, 0, 1, 2, 3, 4)
"""The functions above name these words by number: globals cost time."""
