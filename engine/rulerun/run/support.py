"""What generated code calls: small functions closed over one program. The names here are the globals of that code."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Any

from rulerun.facts.events import Became, Hinted
from rulerun.facts.faults import fault_functions
from rulerun.facts.observations import HintedKinds, Left, Rejoined, Reversed
from rulerun.facts.options import LabelValue, Option
from rulerun.facts.rng import below
from rulerun.facts.spots import HEAD
from rulerun.ir import nodes as ir
from rulerun.ir.program import CHOOSER, DIRECTION, MAX_FUEL, PLAYING, Program, seats_by_word
from rulerun.ir.types import Type
from rulerun.run.covers import best_layout, families_compared, groups, subsets
from rulerun.run.operations import Cards, bits_of
from rulerun.run.sets import grouped, mask_of, picks, set_options
from rulerun.run.teller import Teller

Vector = list[int]
CACHED_ORDERS = 4_096


def support(program: Program, cards: Cards, knowledge: bool, teller: Teller | None = None) -> dict[str, Any]:
    """The globals of the generated code, but for its tables. ``knowledge``: the vector holds marks; ``teller``: who is
    told what happens beside the cards."""
    layout = program.layout
    faults = fault_functions(program)
    seen_by = tuple(zone.seen for zone in program.zones)
    hidden_words = seats_by_word(program)
    kinds = program.kinds
    work = [0]
    orders: dict[tuple[int, int, bool, bool, int], tuple[int, ...]] = {}
    sets: dict[int, tuple[int, ...]] = {}
    players = program.players

    def seats(of: int, start: int, inclusive: bool, backwards: bool, direction: int) -> tuple[int, ...]:
        key = (of, start, inclusive, backwards, direction)
        found = orders.get(key)
        if found is None:
            if len(orders) >= CACHED_ORDERS:
                orders.clear()
            step = -direction if backwards else direction
            around = [(start + step * i) % players for i in range(0 if inclusive else 1, players)]
            found = orders[key] = tuple(seat for seat in around if of >> seat & 1)
        return found

    def elements(of: int) -> tuple[int, ...]:
        found = sets.get(of)
        if found is None:
            if len(sets) >= CACHED_ORDERS:
                sets.clear()
            found = sets[of] = tuple(bits_of(of))
        return found

    def neighbour(v: Vector, seat: int, step: int) -> int:
        step *= v[DIRECTION]
        playing = v[PLAYING]
        for _ in range(players):
            seat = (seat + step) % players
            if playing >> seat & 1:
                return seat
        return seat

    def numbers(low: int, high: int, at: int, weight: int = 1) -> range:
        if high >= low:
            work[0] += (high - low + 1) * weight
            if work[0] > MAX_FUEL:
                faults["endless_range"](at, low, high)
        return range(low, high + 1)

    def stepped(low: int, high: int, step: int, at: int, weight: int = 1) -> range:
        span = range(low, high + (1 if step > 0 else -1), step)
        work[0] += len(span) * weight
        if work[0] > MAX_FUEL:
            faults["endless_range"](at, low, high)
        return span

    def run_over(of: int, least: int, most: int | None, at: int, weight: int) -> Iterator[int]:
        return subsets(
            of, least, most, lambda n: faults["too_many_subsets"](at, n), lambda n: count(n * weight, at)
        )

    def layout_of(of: int, worth: list[tuple[int, int]], at: int) -> tuple[int, int]:
        count(families_compared(of, worth) // 8, at)
        return best_layout(of, worth)

    def count(units: int, at: int) -> None:
        work[0] += units
        if work[0] > MAX_FUEL:
            faults["out_of_fuel"](at)

    def top_cards(v: Vector, zone: int, end: int, count: int) -> int:
        lying = cards.cards_of(v, zone)
        taken = lying[: max(0, count)] if end == HEAD else lying[max(0, len(lying) - max(0, count)) :]
        return mask_of(taken)

    def leave(v: Vector, seat: int) -> None:
        if v[PLAYING] >> seat & 1:
            v[PLAYING] &= ~(1 << seat)
            if teller is not None:
                teller.tell(v, Left(seat))

    def rejoin(v: Vector, seats: int) -> None:
        back = seats & ~v[PLAYING]
        if back:
            v[PLAYING] |= back
            if teller is not None:
                teller.tell(v, Rejoined(back))

    def became(v: Vector, place: int) -> None:
        assert teller is not None
        teller.tell(v, Became(place, v[place], hidden_words.get(place, -1)))

    def see_word(v: Vector, place: int, at: int) -> None:
        if place in hidden_words and not hidden_words[place] >> v[CHOOSER] & 1:
            variable = next(x for x in program.variables if x.offset <= place < x.offset + x.words and x.unit < 0)
            faults["unseen_value"](at, f"P{v[CHOOSER] + 1}", variable.name)

    def reverse(v: Vector) -> None:
        v[DIRECTION] = -v[DIRECTION]
        if teller is not None:
            teller.tell(v, Reversed(v[DIRECTION]))

    def tell_facts(
        v: Vector, at: int, to: int, zone: int, facts: list[int], passing: tuple[int, ...] | None, aloud: bool = False
    ) -> None:
        assert teller is not None
        ordered = zone >= 0 and program.families[program.zones[zone].family].kind.ordered
        if aloud and ordered and passing is not None:
            teller.tell(v, HintedKinds(zone, passing))
        said = tuple(facts) if ordered or zone < 0 else (sum(facts),)
        teller.tell(v, Hinted(at, to, zone, said, passing))

    def whole_key(v: Vector, of: int) -> tuple[tuple[int, int], ...]:
        """What tells a set of cards from another: per card its zone and its kind, or itself where it has a place."""
        found = []
        for card in bits_of(of):
            zone = v[layout.loc_base + card]
            ordered = program.families[program.zones[zone].family].kind.ordered
            found.append((zone, card if ordered else kinds[card]))
        return tuple(sorted(found))

    def in_order(v: Vector, zone: int) -> list[int]:
        return cards.cards_of(v, zone) + bits_of(cards.undrawn_set(v, zone))

    def snapshot(v: Vector, offset: int, capacity: int, items: list[int], at: int) -> None:
        if len(items) > capacity:
            faults["no_way_on"](at, f"a loop over {len(items)} elements where at most {capacity} were foreseen")
        per, bits = ir.SNAPSHOT_PER_WORD, ir.SNAPSHOT_BITS
        v[offset] = len(items)
        words = [0] * (ir.snapshot_words(capacity) - 1)
        for i, item in enumerate(items):
            words[i // per] |= item << i % per * bits
        v[offset + 1 : offset + 1 + len(words)] = words

    def keep_frame(v: Vector, number: int, at: int) -> None:
        """Puts the frame of a procedure that is in progress aside, for a call of it that is nested in that one."""
        facts = program.procedures[number]
        kept, words = v[facts.kept], facts.frame_words
        if kept >= facts.nested - 1:
            faults["too_deep"](at, facts.name, facts.nested)
        to = facts.kept + 1 + kept * words
        v[to : to + words] = v[facts.frame : facts.kept]
        v[facts.frame : facts.kept] = [0] * words
        v[facts.kept] = kept + 1

    def restore_frame(v: Vector, number: int) -> None:
        """Brings the frame that was put aside last back, but for the result of the call that has just ended."""
        facts = program.procedures[number]
        kept, words = v[facts.kept] - 1, facts.frame_words
        start = facts.kept + 1 + kept * words
        result = v[facts.result_place : facts.result_place + facts.result_words] if facts.result_place >= 0 else []
        v[facts.frame : facts.kept] = v[start : start + words]
        if result:
            v[facts.result_place : facts.result_place + len(result)] = result
        v[start : start + words] = [0] * words
        v[facts.kept] = kept

    def is_open(v: Vector, zone: int, spot: int) -> bool:
        """Whether drawing there is chance: the place is undrawn and could hold more than one card."""
        if cards.undrawn(v, zone) < 2:
            return False
        places = cards.places_of(v, zone)
        place = 0 if spot == -1 else len(places) - 1 if spot == -2 else spot
        return 0 <= place < len(places) and places[place] < 0

    def see(v: Vector, card: int, at: int) -> None:
        zone = v[layout.loc_base + card]
        sees = seen_by[zone] | (v[layout.place_base + card] if knowledge else 0)
        if not sees >> v[CHOOSER] & 1:
            faults["unseen_face"](at, f"P{v[CHOOSER] + 1}", program.zones[zone].name)

    def nothing(at: int, zone: int) -> None:
        family = program.families[program.zones[zone].family]
        faults["nothing_there"](at, program.zones[zone].name, family.name)

    def several(at: int, zone: int) -> None:
        faults["several_there"](at, program.zones[zone].name)

    def bad_place(at: int, place: int, zone: int, count: int) -> None:
        faults["bad_place"](at, place, program.zones[zone].name, count)

    def resume(
        line: int, held: list[int], by_kind: tuple[int, ...] | None, picked: int, least: int, most: int | None
    ) -> list[Option]:
        top = len(held) if most is None else min(most, len(held))
        return picks(line, grouped(held, by_kind), picked, least, top)

    def kinds_in(of: int) -> tuple[int, ...]:
        return (of.bit_count(), *sorted(kinds[card] for card in bits_of(of)))

    def card_value(v: Vector, type_: Type, card: int) -> LabelValue:
        if card < 0:
            return LabelValue(card, type_)
        return LabelValue(card, type_, v[layout.loc_base + card], cards.position(v, card))

    def place_value(v: Vector, type_: Type, zone: int, place: int) -> LabelValue:
        card = cards.places_of(v, zone)[place]
        return LabelValue(card if card >= 0 else ir.UNSEEN, type_, zone, place)

    def kind_value(v: Vector, type_: Type, zone: int, card: int) -> LabelValue:
        return LabelValue(card, type_, zone, -1) if card < 0 else card_value(v, type_, card)

    names: dict[str, Any] = dict(faults)
    names.update(
        {name: getattr(cards, name) for name in CARD_FUNCTIONS},
        WORK=work,
        SEEN=seen_by,
        Option=Option,
        LabelValue=LabelValue,
        bisect_left=bisect_left,
        bisect_right=bisect_right,
        below=below,
        seats=seats,
        elements=elements,
        neighbour=neighbour,
        numbers=numbers,
        stepped=stepped,
        subsets=run_over,
        groups=groups,
        best_layout=layout_of,
        top_cards=top_cards,
        leave=leave,
        rejoin=rejoin,
        tell_facts=tell_facts,
        reverse=reverse,
        became=became,
        whole_key=whole_key,
        in_order=in_order,
        snapshot=snapshot,
        keep_frame=keep_frame,
        restore_frame=restore_frame,
        is_open=is_open,
        see=see,
        see_word=see_word,
        nothing=nothing,
        several=several,
        bad_place=bad_place,
        resume=resume,
        set_options=set_options,
        kinds_in=kinds_in,
        kind_or_none=lambda card: kinds[card] if card >= 0 else card,
        card_value=card_value,
        place_value=place_value,
        kind_value=kind_value,
    )
    return names


CARD_FUNCTIONS: tuple[str, ...] = (
    "move_card",
    "move_cards",
    "move_all",
    "collect_all",
    "collect",
    "shuffle",
    "refill",
    "swap_cards",
    "swap_zones",
    "reveal",
    "flip",
    "draw",
    "set_of",
    "end",
)
