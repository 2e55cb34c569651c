"""Whether the cards and marks of a state vector are sound: each card in one place, every count and link right.

Used by tests after every step and on vectors that come from outside (a save). It reads the vector as plain numbers and
trusts none of them: it never raises and never loops without end. Imports ir only.
"""

from __future__ import annotations

from collections.abc import Callable

from rulerun.ir.program import ZONE_COUNT, ZONE_GAP, ZONE_HEAD, ZONE_SET, ZONE_TAIL, Program, SeenBy
from rulerun.ir.types import WORD_BITS


def make_check(program: Program) -> Callable[[list[int]], list[str]]:
    """``check(v)``: what is not sound, in words; [] if all is well. A vector without marks is fine."""
    layout = program.layout
    n_cards, width = layout.cards, layout.words_per_set
    every_card = (1 << n_cards) - 1

    def read_set(v: list[int], base: int, name: str, found: list[str]) -> int:
        held = 0
        for i in range(width):
            if not 0 <= v[base + i] < 1 << WORD_BITS:
                found.append(f"{name}: word {i} of its set is out of range")
                return 0
            held |= v[base + i] << WORD_BITS * i
        if held & ~every_card:
            found.append(f"{name}: its set names cards that do not exist")
        return held & every_card

    def linked(v: list[int], card: int) -> bool:
        return any(v[base + card] for base in (layout.next_base, layout.previous_base, layout.gap_base))

    def walk(v: list[int], z: int, name: str, found: list[str]) -> tuple[list[int], int]:
        """The chain of an ordered zone and the number of its undrawn places."""
        held: list[int] = []
        places = v[z + ZONE_GAP]
        at, before = v[z + ZONE_HEAD], 0
        while at:
            if not 0 < at <= n_cards or len(held) > n_cards:
                found.append(f"{name}: its chain leaves the arena or runs in a circle")
                return held, places
            card = at - 1
            held.append(card)
            if v[layout.previous_base + card] != before:
                found.append(f"{name}: card {card} does not point back")
            if v[layout.gap_base + card] < 0:
                found.append(f"{name}: card {card} has a negative gap")
            places += v[layout.gap_base + card]
            before, at = at, v[layout.next_base + card]
        if v[z + ZONE_TAIL] != before:
            found.append(f"{name}: its tail is not the last card")
        if v[z + ZONE_GAP] < 0:
            found.append(f"{name}: negative gap")
        return held, places

    def check_marks(v: list[int], where: dict[int, int], undrawn: int, found: list[str]) -> None:
        seats = (1 << layout.players) - 1
        for card in range(n_cards):
            marks = v[layout.place_base + card]
            zone = where.get(card, -1)
            if not marks:
                continue
            if marks & ~seats:
                found.append(f"card {card}: place marks of seats that do not exist")
            elif zone < 0 or undrawn >> card & 1 or not program.families[program.zones[zone].family].kind.ordered:
                found.append(f"card {card}: a place mark, but no place")
            elif marks & program.zones[zone].seen:
                found.append(f"card {card}: a place mark of a seat that sees the zone")
        kinds = program.kinds
        for seat in range(layout.players):
            for zone, facts in enumerate(program.zones):
                held = read_set(v, layout.member(seat, zone), f"member marks of seat {seat} on {facts.name}", found)
                if not held:
                    continue
                if facts.seen >> seat & 1:
                    found.append(f"seat {seat} sees {facts.name} and has member marks on it")
                there = [0] * len(program.kind_names)
                claimed = [0] * len(program.kind_names)
                for card in range(n_cards):
                    kind = kinds[card]
                    there[kind] += where.get(card) == zone and not v[layout.place_base + card] >> seat & 1
                for card in range(n_cards):
                    if held >> card & 1:
                        lower = sum(kinds[other] == kinds[card] for other in range(card))
                        if lower != claimed[kinds[card]]:
                            found.append(f"seat {seat}: member marks on {facts.name} are not the lowest copies")
                        claimed[kinds[card]] += 1
                if any(c > t for c, t in zip(claimed, there, strict=True)):
                    found.append(f"seat {seat}: member marks on {facts.name} that are not true")

    def check_open(v: list[int], where: dict[int, int], undrawn: int, found: list[str]) -> None:
        """Cards that lie face up: where that can be, and whether every seat knows them."""
        lying = read_set(v, program.face_up, "the cards that lie face up", found)
        if any(v[program.face_up + width : program.face_up + 2 * width]):
            found.append("something is left where it is worked out which cards lie face up")
        everyone = (1 << layout.players) - 1
        for card in (c for c in range(n_cards) if lying >> c & 1):
            zone = program.zones[where[card]]
            if undrawn >> card & 1 or not program.families[zone.family].kind.ordered:
                found.append(f"card {card} lies face up, but has no place")
            elif program.families[zone.family].seen_by is SeenBy.EVERYONE:
                found.append(f"card {card} lies face up in {zone.name}, where that is not kept")
            elif len(v) == layout.full_size and (zone.seen | v[layout.place_base + card]) != everyone:
                found.append(f"card {card} lies face up, and not every seat knows it")

    def check(v: list[int]) -> list[str]:
        found: list[str] = []
        if len(v) not in (layout.size, layout.full_size):
            return [f"the vector has {len(v)} words, not {layout.size} or {layout.full_size}"]
        where: dict[int, int] = {}
        all_undrawn = 0
        for zone, facts in enumerate(program.zones):
            name, z = facts.name, layout.zone(zone)
            held = read_set(v, z + ZONE_SET, name, found)
            ordered = program.families[facts.family].kind.ordered
            here = [card for card in range(n_cards) if held >> card & 1]
            if ordered:
                drawn, places = walk(v, z, name, found)
                if places != len(here):
                    found.append(f"{name}: {places} undrawn places, {len(here)} undrawn cards")
                all_undrawn |= held
                found += [f"{name}: undrawn card {card} is linked" for card in here if linked(v, card)]
                here += drawn
            elif v[z + ZONE_HEAD] or v[z + ZONE_TAIL] or v[z + ZONE_GAP]:
                found.append(f"{name}: links in a zone without order")
            else:
                found += [f"{name}: card {card} is linked in a zone without order" for card in here if linked(v, card)]
            if v[z + ZONE_COUNT] != len(here):
                found.append(f"{name}: count is {v[z + ZONE_COUNT]}, but {len(here)} cards lie there")
            for card in here:
                if card in where:
                    found.append(f"card {card} lies twice: in {program.zones[where[card]].name} and {name}")
                where[card] = zone
                if v[layout.loc_base + card] != zone:
                    found.append(f"card {card} lies in {name} but says {v[layout.loc_base + card]}")
        found += [f"card {card} lies nowhere" for card in range(n_cards) if card not in where]
        if program.face_up >= 0 and not found:
            check_open(v, where, all_undrawn, found)
        if len(v) == layout.full_size and not found:
            check_marks(v, where, all_undrawn, found)
        return found

    return check
