"""What each seat knows after each happening: the table of "What a seat knows" in the language's design, row by row.

`keep_knowledge` wraps the quiet operations: each reads what it must before the cards move, lets the quiet one move
them, then changes the marks, and tells the happening if there is a teller. Marks of a seat depend on nothing that the
seat is not told.

The rows, for a seat that does not see the zone in question:

===================================  ==================================================================================
a card goes, place told              the place mark travels; from a seen zone it appears; to a seen zone it goes
a card goes to an unordered zone,    who knew the face gets a member mark there; if the place was not told, every other
or to a place not told               place mark of that seat in the zone becomes a member mark too
a hidden card leaves                 every member mark of the source (of kinds with that back) drops by one
a face seen leaving                  its kind's member mark drops by one, unless its place was marked
shuffle, collect, shuffled refill    place marks become member marks; so does what was seen in the source
collect all                          no marks
a face shown                         a place mark (its kind's member mark drops by one); in an unordered zone at least
                                     as many members of a kind as were shown at once
turned face up                       a place mark of every seat, which lasts as any other when it is turned down again
swap of two cards                    both leave, then both arrive
swap of two zones                    marks travel; what was seen is marked, what is seen now is not
draw (settling a place)              nothing: nobody is told (in a zone that a seat sees, it is shown the face)
===================================  ==================================================================================

Imports run, ir only.
"""

from __future__ import annotations

from dataclasses import replace

from rulerun.facts.events import Event, Moved, Shown, Swapped, Turned
from rulerun.facts.observations import Collected, Exchanged, Refilled, Shuffled
from rulerun.facts.spots import HEAD
from rulerun.ir.program import Program, ZoneKind
from rulerun.run.marks import Marks
from rulerun.run.operations import Cards, Vector, bits_of
from rulerun.run.teller import Teller


def keep_knowledge(program: Program, quiet: Cards, teller: Teller | None) -> Cards:
    """The operations of a program that keep marks, and tell if there is a teller."""
    layout = program.layout
    marks = Marks(program)
    kinds, backs = marks.kinds, marks.backs
    seats = range(program.players)
    every_seat = (1 << program.players) - 1
    sees = tuple(zone.seen for zone in program.zones)
    families = tuple(program.families[zone.family] for zone in program.zones)
    ordered = tuple(family.kind.ordered for family in families)
    is_pile = tuple(family.kind is ZoneKind.PILE for family in families)
    locs, place_base = layout.loc_base, layout.place_base
    position = quiet.position

    def tell(v: Vector, event: Event) -> None:
        if teller is not None:
            teller.tell(v, event)

    def show_new(v: Vector, zone: int, cards: list[int], to: int) -> None:
        """Faces that these seats see now because of what was just told (place -1: an undrawn card, or no order)."""
        if teller is not None and to and cards:
            shown = sorted((position(v, card), backs[kinds[card]], kinds[card]) for card in cards)
            teller.tell(v, Shown(tuple((kind, zone, place) for place, _, kind in shown), to, aside=True))

    def leaves(v: Vector, card: int, zone: int, known: int, seen_after: int) -> None:
        """Member marks of the zone that a card leaves. ``known``: seats that see the zone or mark the place."""
        kind = kinds[card]
        for seat in seats:
            if not known >> seat & 1:
                if seen_after >> seat & 1:
                    marks.drop(v, seat, zone, kind)
                else:
                    marks.drop_hidden(v, seat, zone, backs[kind])

    def arrives(v: Vector, card: int, zone: int, known: int, told: int) -> None:
        """Marks of a card that came to a zone. ``known``: who knew its face before; ``told``: who is told the place."""
        keep = known & ~sees[zone]
        v[place_base + card] = keep & told if ordered[zone] else 0
        for seat in bits_of(keep & ~told if ordered[zone] else keep):
            marks.add(v, seat, zone, (kinds[card],))

    def settle(v: Vector, card: int) -> None:
        zone = v[locs + card]
        if ordered[zone] and position(v, card) < 0:
            quiet.settle(v, card)
            show_new(v, zone, [card], sees[zone])

    def move_card(v: Vector, card: int, zone: int, spot: int, by: int = -1) -> None:
        settle(v, card)
        source = v[locs + card]
        place = position(v, card)
        quiet.move_card(v, card, zone, spot, by)
        told = every_seat if by < 0 or not ordered[zone] else sees[zone] | 1 << by
        known = sees[source] | v[place_base + card]
        if source != zone:
            leaves(v, card, source, known, sees[zone])
        if told != every_seat:
            others = [other for other in quiet.cards_of(v, zone) if other != card or source == zone]
            marks.places_to_members(v, every_seat & ~told, zone, others)
        if source != zone:
            arrives(v, card, zone, known, told)
        if teller is not None:
            seen = known | sees[zone]
            teller.tell(v, Moved(kinds[card], source, place, zone, position(v, card), seen, every_seat, told))

    def move_cards(v: Vector, cards: int, zone: int, spot: int, by: int = -1) -> None:
        for card in bits_of(cards):
            move_card(v, card, zone, spot, by)

    def move_all(v: Vector, source: int, zone: int, spot: int) -> None:
        if source == zone:
            return
        settle_all(v, source)
        held = quiet.cards_of(v, source)
        for card in held[::-1] if spot == HEAD and is_pile[source] else held:
            move_card(v, card, zone, spot)

    def settle_all(v: Vector, zone: int) -> None:
        while (depth := quiet.first_undrawn(v, zone)) >= 0:
            draw(v, zone, depth)

    def forget_places(v: Vector, zone: int) -> None:
        """The order of a zone is about to be lost."""
        if ordered[zone]:
            marks.places_to_members(v, every_seat, zone, quiet.cards_of(v, zone))

    def shuffle(v: Vector, zone: int) -> None:
        if ordered[zone]:
            forget_places(v, zone)
            quiet.shuffle(v, zone)
            tell(v, Shuffled(zone))

    def collect_all(v: Vector, zone: int) -> None:
        quiet.collect_all(v, zone)
        v[place_base : layout.full_size] = [0] * (layout.full_size - place_base)
        tell(v, Collected(-1, zone, layout.cards))

    def collect(v: Vector, source: int, zone: int) -> None:
        if source == zone:
            shuffle(v, zone)
            return
        coming = bits_of(quiet.set_of(v, source))
        forget_places(v, source)
        forget_places(v, zone)
        quiet.collect(v, source, zone)
        coming_kinds = [kinds[card] for card in coming]
        for seat in seats:
            if not sees[zone] >> seat & 1:
                if sees[source] >> seat & 1:
                    marks.add(v, seat, zone, coming_kinds)
                else:
                    members = marks.members(v, seat, source)
                    marks.add(v, seat, zone, [kinds[card] for card in bits_of(members)])
            marks.set_members(v, seat, source, 0)
        tell(v, Collected(source, zone, len(coming)))
        show_new(v, zone, coming, sees[zone] & ~sees[source])

    def refill(v: Vector, zone: int, source: int, keep: int, shuffled: bool) -> None:
        moved = quiet.count(v, source) - keep
        if quiet.count(v, zone) or moved <= 0 or zone == source:
            return
        if not shuffled:
            settle_all(v, source)
        elif ordered[source]:
            for depth in range(keep):
                draw(v, source, depth if is_pile[source] else quiet.count(v, source) - 1 - depth)
        quiet.refill(v, zone, source, keep, shuffled)
        went = bits_of(quiet.set_of(v, zone))
        stayed = bits_of(quiet.set_of(v, source))
        keeps_places = ordered[zone] and not shuffled
        for seat in seats:
            bit = 1 << seat
            if sees[source] & bit:
                known = went
            else:
                known = [card for card in went if v[place_base + card] & bit]
                stayed_unmarked = sum(not v[place_base + card] & bit for card in stayed)
                if sees[zone] & bit:
                    for card in went:
                        if not v[place_base + card] & bit:
                            marks.drop(v, seat, source, kinds[card])
                else:
                    marks.split(v, seat, source, zone, stayed_unmarked, len(went) - len(known))
            if not sees[zone] & bit:
                if keeps_places:
                    for card in known:
                        v[place_base + card] |= bit
                    continue
                marks.add(v, seat, zone, [kinds[card] for card in known])
            for card in went:
                v[place_base + card] &= ~bit
        tell(v, Refilled(zone, source, len(went), shuffled))
        show_new(v, zone, went, sees[zone] & ~sees[source])

    def swap_cards(v: Vector, a: int, b: int) -> None:
        if a == b:
            return
        settle(v, a)
        settle(v, b)
        left, right = v[locs + a], v[locs + b]
        places = position(v, a), position(v, b)
        quiet.swap_cards(v, a, b)
        knew_a, knew_b = sees[left] | v[place_base + a], sees[right] | v[place_base + b]
        if left != right:
            leaves(v, a, left, knew_a, sees[right])
            leaves(v, b, right, knew_b, sees[left])
            arrives(v, a, right, knew_a, every_seat)
            arrives(v, b, left, knew_b, every_seat)
        seen_a, seen_b = knew_a | sees[right], knew_b | sees[left]
        tell(v, Swapped(kinds[a], left, places[0], seen_a, kinds[b], right, places[1], seen_b))

    def swap_zones(v: Vector, left: int, right: int) -> None:
        if left == right:
            return
        quiet.swap_zones(v, left, right)
        for seat in seats:
            bit = 1 << seat
            in_left, in_right = marks.members(v, seat, left), marks.members(v, seat, right)
            marks.set_members(v, seat, left, in_right)
            marks.set_members(v, seat, right, in_left)
            for before, now in ((left, right), (right, left)):
                if sees[now] & bit:
                    marks.set_members(v, seat, now, 0)
                    for card in quiet.cards_of(v, now):
                        v[place_base + card] &= ~bit
                elif sees[before] & bit:
                    placed = quiet.cards_of(v, now) if ordered[now] else []
                    for card in placed:
                        v[place_base + card] |= bit
                    loose = quiet.set_of(v, now) & ~sum(1 << card for card in placed)
                    marks.add(v, seat, now, [kinds[card] for card in bits_of(loose)])
        tell(v, Exchanged(left, right))
        for now, before in ((left, right), (right, left)):
            show_new(v, now, bits_of(quiet.set_of(v, now)), sees[now] & ~sees[before])

    def mark_shown(v: Vector, cards: int, to: int) -> list[tuple[int, int, int, int, int]]:
        """Shows faces to seats, untold: per card zone, place, back, kind and who knew it, in an order that does not
        tell hidden faces."""
        shown: list[tuple[int, int, int, int, int]] = []
        loose: dict[int, dict[int, int]] = {}
        for card in bits_of(cards):
            zone, kind = v[locs + card], kinds[card]
            place = position(v, card)
            if place < 0 and ordered[zone]:
                continue
            known = sees[zone] | v[place_base + card]
            shown.append((zone, place, backs[kind], kind, known))
            if ordered[zone]:
                for seat in bits_of(to & ~known):
                    marks.drop(v, seat, zone, kind)
                v[place_base + card] |= to & ~known
            else:
                counts = loose.setdefault(zone, {})
                counts[kind] = counts.get(kind, 0) + 1
        for zone, counts in loose.items():
            for seat in bits_of(to & ~sees[zone]):
                marks.at_least(v, seat, zone, counts)
        return sorted(shown)

    def reveal(v: Vector, cards: int, to: int) -> None:
        shown = mark_shown(v, cards, to)
        if teller is not None and shown:
            faces = tuple((kind, zone, place) for zone, place, _, kind, _ in shown)
            teller.tell(v, Shown(faces, to, tuple(known for *_, known in shown)))

    def flip(v: Vector, cards: int, up: bool) -> None:
        shown = mark_shown(v, cards, every_seat if up else 0)
        if shown:
            tell(v, Turned(tuple((kind, zone, place) for zone, place, _, kind, _ in shown), up))

    def draw(v: Vector, zone: int, spot: int) -> int:
        before = quiet.undrawn_set(v, zone) if sees[zone] else 0
        card = quiet.draw(v, zone, spot)
        if card >= 0 and before >> card & 1:
            show_new(v, zone, [card], sees[zone])
        return card

    def draw_as(v: Vector, zone: int, spot: int, card: int) -> int:
        before = quiet.undrawn_set(v, zone) if sees[zone] else 0
        card = quiet.draw_as(v, zone, spot, card)
        if card >= 0 and before >> card & 1:
            show_new(v, zone, [card], sees[zone])
        return card

    def knows(v: Vector, seat: int, card: int) -> bool:
        return bool((sees[v[locs + card]] | v[place_base + card]) >> seat & 1)

    return replace(
        quiet,
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
        flip=flip,
        draw=draw,
        draw_as=draw_as,
        knows=knows,
        known_members=marks.known_members,
    )
