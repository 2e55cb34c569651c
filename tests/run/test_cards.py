"""The table against a naive model (lists and multisets), step by step, with every invariant checked after each."""

from __future__ import annotations

from collections import Counter

import pytest
from card_tables import HAND, PILE, ROW, table
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from rulerun.facts.rng import seed_state
from rulerun.facts.spots import HEAD, TAIL
from rulerun.ir.program import RNG, Program
from rulerun.run.knowledge import lay_table
from rulerun.run.table import Table

Model = list[list[int | None]]


def fresh(program: Program, cards: Table, seed: int = 0, full: bool = False) -> list[int]:
    v = [0] * (program.layout.full_size if full else program.layout.size)
    v[RNG] = seed_state(seed)
    cards.start(v)
    return v


class CardsAgainstLists(RuleBasedStateMachine):
    """Ordered zones are lists, None an undrawn place; unordered ones sorted lists; undrawn cards a set per zone."""

    @initialize(
        kinds=st.lists(st.sampled_from([PILE, ROW, HAND]), min_size=2, max_size=5),
        n=st.one_of(st.integers(1, 9), st.sampled_from([62, 63, 130])),
        data=st.data(),
    )
    def lay(self, kinds: list, n: int, data: st.DataObject) -> None:
        kinds = [*kinds, HAND]  # the box: where the canonical test builds from
        start = data.draw(st.lists(st.integers(0, len(kinds) - 1), min_size=n, max_size=n))
        self.program = table([(f"z{i}", kind, 0) for i, kind in enumerate(kinds)], list(range(n)), start=start)
        self.ordered = [kind.ordered for kind in kinds]
        self.pile = [kind is PILE for kind in kinds]
        self.cards = lay_table(self.program)
        self.v = fresh(self.program, self.cards, seed=n)
        self.zones: Model = [[card for card in range(n) if start[card] == z] for z in range(len(kinds))]
        self.undrawn: list[set[int]] = [set() for _ in kinds]
        self.n = n

    def zone(self, data: st.DataObject) -> int:
        return data.draw(st.integers(0, len(self.zones) - 1))

    def card(self, data: st.DataObject) -> int | None:
        drawn = sorted(card for zone in self.zones for card in zone if card is not None)
        return data.draw(st.sampled_from(drawn)) if drawn else None

    def find(self, card: int) -> int:
        return next(z for z, zone in enumerate(self.zones) if card in zone)

    def put(self, card: int, zone: int, spot: int) -> None:
        here = self.zones[zone]
        if not self.ordered[zone]:
            here.append(card)
            here.sort()
        elif spot == TAIL:
            here.append(card)
        else:
            here.insert(max(spot, 0), card)

    def spot(self, data: st.DataObject, zone: int, less: int = 0) -> int:
        return data.draw(st.integers(-2, len(self.zones[zone]) - less))

    def settle_all(self, zone: int) -> None:
        """Follows the table: every undrawn place got a card of the undrawn ones."""
        if self.undrawn[zone]:
            now = self.now(zone)
            for place, card in enumerate(self.zones[zone]):
                if card is None:
                    self.undrawn[zone].remove(now[place])
                    self.zones[zone][place] = now[place]
                else:
                    assert now[place] == card
            assert not self.undrawn[zone]

    def now(self, zone: int) -> list[int]:
        """Settles a zone in a copy of the vector: drawing is the same wherever it is done from."""
        v = list(self.v)
        while (depth := self.cards.first_undrawn(v, zone)) >= 0:
            self.cards.draw(v, zone, depth)
        return self.cards.places_of(v, zone)

    @rule(data=st.data())
    def move_card(self, data: st.DataObject) -> None:
        card, zone = self.card(data), self.zone(data)
        if card is not None:
            source = self.find(card)
            spot = self.spot(data, zone, int(source == zone))
            self.cards.move_card(self.v, card, zone, spot)
            self.zones[source].remove(card)
            self.put(card, zone, spot)

    @rule(data=st.data())
    def move_cards(self, data: st.DataObject) -> None:
        drawn = sorted(card for zone in self.zones for card in zone if card is not None)
        chosen = sorted(data.draw(st.sets(st.sampled_from(drawn), max_size=4))) if drawn else []
        zone = self.zone(data)
        spot = data.draw(st.sampled_from([HEAD, TAIL]))
        self.cards.move_cards(self.v, sum(1 << card for card in chosen), zone, spot)
        for card in chosen:
            self.zones[self.find(card)].remove(card)
            self.put(card, zone, spot)

    @rule(data=st.data())
    def move_all(self, data: st.DataObject) -> None:
        source, zone = self.zone(data), self.zone(data)
        spot = data.draw(st.sampled_from([HEAD, TAIL]))
        if source != zone:
            self.settle_all(source)
        self.cards.move_all(self.v, source, zone, spot)
        if source != zone:
            packet = self.zones[source]
            self.zones[source] = []
            if spot == HEAD and self.pile[source]:
                packet = packet[::-1]
            for card in packet:
                assert card is not None
                self.put(card, zone, spot)

    def to_undrawn(self, zone: int) -> None:
        if self.ordered[zone]:
            self.undrawn[zone] |= {card for card in self.zones[zone] if card is not None}
            self.zones[zone] = [None] * len(self.zones[zone])

    @rule(data=st.data())
    def shuffle(self, data: st.DataObject) -> None:
        zone = self.zone(data)
        self.cards.shuffle(self.v, zone)
        self.to_undrawn(zone)

    def gather(self, zone: int, coming: set[int]) -> None:
        self.to_undrawn(zone)
        if self.ordered[zone]:
            self.undrawn[zone] |= coming
            self.zones[zone] = [None] * len(self.undrawn[zone])
        else:
            self.zones[zone] = sorted({*self.zones[zone], *coming})

    def everything(self, zone: int) -> set[int]:
        return self.undrawn[zone] | {card for card in self.zones[zone] if card is not None}

    @rule(data=st.data())
    def collect(self, data: st.DataObject) -> None:
        source, zone = self.zone(data), self.zone(data)
        self.cards.collect(self.v, source, zone)
        if source == zone:
            self.to_undrawn(zone)
            return
        coming = self.everything(source)
        self.zones[source], self.undrawn[source] = [], set()
        self.gather(zone, coming)

    @rule(data=st.data())
    def collect_all(self, data: st.DataObject) -> None:
        if data.draw(st.integers(0, 3)):
            return
        zone = self.zone(data)
        self.cards.collect_all(self.v, zone)
        self.zones = [[] for _ in self.zones]
        self.undrawn = [set() for _ in self.zones]
        self.gather(zone, set(range(self.n)))

    @rule(data=st.data())
    def draw(self, data: st.DataObject) -> None:
        zone = self.zone(data)
        spot = data.draw(st.integers(-2, len(self.zones[zone])))
        before = self.v[RNG]
        here = self.zones[zone] if self.ordered[zone] else []
        place = {HEAD: 0, TAIL: len(here) - 1}.get(spot, spot)
        if data.draw(st.booleans()) and 0 <= place < len(here) and here[place] is None:
            wanted = data.draw(st.sampled_from(sorted(self.undrawn[zone])))
            card = self.cards.draw_as(self.v, zone, spot, wanted)
            assert card == wanted
            assert self.v[RNG] == before
        else:
            card = self.cards.draw(self.v, zone, spot)
        if not 0 <= place < len(here):
            assert card == -1
            assert self.v[RNG] == before
        elif here[place] is not None:
            assert card == here[place]
            assert self.v[RNG] == before
        else:
            self.undrawn[zone].remove(card)
            here[place] = card

    @rule(data=st.data())
    def refill(self, data: st.DataObject) -> None:
        zone, source = self.zone(data), self.zone(data)
        keep, shuffled = data.draw(st.integers(0, 2)), data.draw(st.booleans())
        if not self.ordered[zone] or zone == source:
            return
        moved = len(self.zones[source]) - keep
        if self.zones[zone] or moved <= 0:
            before = list(self.v)
            self.cards.refill(self.v, zone, source, keep, shuffled)
            assert self.v == before
            return
        before = self.everything(source)
        self.cards.refill(self.v, zone, source, keep, shuffled)
        was = self.zones[source]
        left = self.cards.places_of(self.v, source)
        if self.ordered[source] and not self.pile[source]:
            was, left = was[::-1], left[::-1]
        assert len(left) == keep
        assert all(card >= 0 for card in left)
        assert all(old is None or old == new for old, new in zip(was[:keep], left, strict=True))
        self.undrawn[source] = set()
        self.zones[source] = list(self.cards.places_of(self.v, source))
        coming = before - {card for card in self.zones[source] if card is not None}
        if shuffled:
            self.gather(zone, coming)
        else:
            arrived = self.cards.places_of(self.v, zone)
            top_down = arrived if self.pile[zone] else arrived[::-1]
            assert all(old is None or old == new for old, new in zip(was[keep:], top_down[::-1], strict=True))
            self.zones[zone] = list(arrived)

    @rule(data=st.data())
    def swap_cards(self, data: st.DataObject) -> None:
        a, b = self.card(data), self.card(data)
        if a is None or b is None:
            return
        self.cards.swap_cards(self.v, a, b)
        left, right = self.find(a), self.find(b)
        i, j = self.zones[left].index(a), self.zones[right].index(b)
        self.zones[left][i], self.zones[right][j] = b, a
        for zone in (left, right):
            if not self.ordered[zone]:
                self.zones[zone].sort()

    @rule(data=st.data())
    def swap_zones(self, data: st.DataObject) -> None:
        left, right = self.zone(data), self.zone(data)
        if self.ordered[left] == self.ordered[right]:
            self.cards.swap_zones(self.v, left, right)
            for of in (self.zones, self.undrawn):
                of[left], of[right] = of[right], of[left]

    @invariant()
    def agrees(self) -> None:
        if not hasattr(self, "v"):
            return
        assert self.cards.check(self.v) == []
        for zone, places in enumerate(self.zones):
            assert self.cards.count(self.v, zone) == len(places)
            assert self.cards.places_of(self.v, zone) == [-1 if card is None else card for card in places]
            drawn = [card for card in places if card is not None]
            assert self.cards.cards_of(self.v, zone) == drawn
            held = self.everything(zone)
            assert self.cards.set_of(self.v, zone) == sum(1 << card for card in held)
            assert self.cards.undrawn(self.v, zone) == len(self.undrawn[zone])
            assert self.cards.undrawn_set(self.v, zone) == sum(1 << card for card in self.undrawn[zone])
            assert self.cards.first_undrawn(self.v, zone) == (places.index(None) if None in places else -1)
            for card in drawn:
                assert self.cards.position(self.v, card) == (places.index(card) if self.ordered[zone] else -1)
            if self.ordered[zone]:
                ends = [places[0], places[-1]] if places else [None, None]
                assert [self.cards.end(self.v, zone, which) for which in (HEAD, TAIL)] == [
                    -1 if card is None else card for card in ends
                ]

    @invariant()
    def equal_situations_are_equal_vectors(self) -> None:
        """Building the same situation from nothing gives the same words."""
        if not hasattr(self, "v"):
            return
        v = fresh(self.program, self.cards)
        box = len(self.zones) - 1
        self.cards.collect_all(v, box)
        for zone, cards in enumerate(self.undrawn):
            self.cards.move_cards(v, sum(1 << card for card in cards), zone, HEAD)
            if self.ordered[zone]:
                self.cards.shuffle(v, zone)
        for zone, places in enumerate(self.zones[:-1]):
            for place, card in enumerate(places):
                if card is not None:
                    self.cards.move_card(v, card, zone, place)
        v[RNG] = self.v[RNG]
        assert v == self.v


TestCards = CardsAgainstLists.TestCase
TestCards.settings = settings(max_examples=150, stateful_step_count=20, deadline=None)


def test_draws_are_even() -> None:
    program = table([("pile", PILE, 0)], list(range(5)))
    cards = lay_table(program)
    v = fresh(program, cards, seed=3)
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(6000):
        cards.shuffle(v, 0)
        seen[(cards.draw(v, 0, 2), cards.draw(v, 0, HEAD))] += 1
    assert len(seen) == 20
    assert all(240 <= times <= 360 for times in seen.values())


def test_draws_reach_every_word() -> None:
    program = table([("pile", PILE, 0)], list(range(130)))
    cards = lay_table(program)
    v = fresh(program, cards, seed=4)
    cards.shuffle(v, 0)
    order = [cards.draw(v, 0, TAIL) for _ in range(1)] + [cards.draw(v, 0, depth) for depth in range(129)]
    assert sorted(order) == list(range(130))
    firsts: Counter[int] = Counter()
    for _ in range(3900):
        cards.shuffle(v, 0)
        firsts[cards.draw(v, 0, HEAD) // 10] += 1
    assert len(firsts) == 13
    assert all(220 <= times <= 390 for times in firsts.values())


def test_the_last_undrawn_card_costs_no_chance() -> None:
    program = table([("pile", PILE, 0)], [0])
    cards = lay_table(program)
    v = fresh(program, cards)
    cards.shuffle(v, 0)
    before = v[RNG]
    assert cards.draw(v, 0, HEAD) == 0
    assert v[RNG] == before


def test_a_packet_keeps_its_order_between_piles() -> None:
    program = table([("a", PILE, 0), ("b", PILE, 0), ("r", ROW, 0)], [0, 1, 2])
    cards = lay_table(program)
    v = fresh(program, cards)
    cards.move_all(v, 0, 1, HEAD)
    assert cards.places_of(v, 1) == [0, 1, 2]
    cards.move_all(v, 1, 2, TAIL)
    assert cards.places_of(v, 2) == [0, 1, 2]
    cards.move_all(v, 2, 0, HEAD)
    assert cards.places_of(v, 0) == [2, 1, 0]


def test_turning_a_discard_pile_over() -> None:
    program = table([("stock", PILE, 0), ("discard", PILE, 3)], [0, 1, 2, 3], start=[1, 1, 1, 1])
    cards = lay_table(program)
    v = fresh(program, cards)
    cards.refill(v, 0, 1, 1, False)
    assert cards.places_of(v, 0) == [3, 2, 1]
    assert cards.places_of(v, 1) == [0]


def test_draw_as_refuses_what_cannot_be() -> None:
    program = table([("pile", PILE, 0), ("hand", HAND, 0)], [0, 1, 2])
    cards = lay_table(program)
    v = fresh(program, cards)
    cards.shuffle(v, 0)
    cards.draw_as(v, 0, HEAD, 1)
    before = list(v)
    with pytest.raises(ValueError, match="card 1 is not among the undrawn cards of pile"):
        cards.draw_as(v, 0, 1, 1)
    with pytest.raises(ValueError, match="card 7 is not among"):
        cards.draw_as(v, 0, 1, 7)
    assert v == before
    assert cards.draw_as(v, 0, HEAD, 2) == 1
    assert v == before


def test_a_place_that_is_not_there_is_refused() -> None:
    program = table([("pile", PILE, 0), ("hand", HAND, 0)], [0, 1, 2])
    cards = lay_table(program)
    v = fresh(program, cards)
    before = list(v)
    with pytest.raises(ValueError, match="pile has no place 3"):
        cards.move_card(v, 1, 0, 3)
    assert v == before
    cards.move_card(v, 1, 1, 5)
    assert cards.cards_of(v, 1) == [1]
    with pytest.raises(ValueError, match="pile has no place 3"):
        cards.move_card(v, 1, 0, 3)
    cards.move_card(v, 1, 0, 2)
    assert cards.places_of(v, 0) == [0, 2, 1]


@pytest.mark.parametrize(
    ("word", "value", "message"),
    [
        ("count", 7, "count is 7"),
        ("next", 1, "does not point back"),
        ("loc", 1, "but says 1"),
        ("set", 1, "undrawn cards"),
        ("head", 9, "leaves the table"),
    ],
)
def test_check_finds_what_is_wrong(word: str, value: int, message: str) -> None:
    program = table([("pile", PILE, 0), ("hand", HAND, 0)], [0, 1, 2])
    cards = lay_table(program)
    v = fresh(program, cards)
    layout = program.layout
    at = {
        "count": layout.zone(0) + 2,
        "next": layout.next_base,
        "loc": layout.loc_base,
        "set": layout.zone(0) + 4,
        "head": layout.zone(0),
    }[word]
    v[at] = value
    assert any(message in problem for problem in cards.check(v)), cards.check(v)


@given(st.data())
def test_no_word_can_be_wrong_unnoticed(data: st.DataObject) -> None:
    """Any other value in any one word of zones and arena is found, and nothing ever raises."""
    program = table([("pile", PILE, 0), ("row", ROW, 0), ("hand", HAND, 0)], list(range(8)))
    cards = lay_table(program)
    v = fresh(program, cards, seed=5)
    cards.shuffle(v, 0)
    for zone in (1, 2, 1, 2):
        cards.move_card(v, cards.draw(v, 0, HEAD), zone, TAIL)
    cards.draw(v, 0, 2)
    assert cards.check(v) == []
    at = data.draw(st.integers(program.layout.zone_base, program.layout.size - 1))
    value = data.draw(st.one_of(st.integers(-3, 20), st.integers(-(2**63), 2**63 - 1)))
    changed = value != v[at]
    v[at] = value
    assert bool(cards.check(v)) == changed


def test_check_knows_the_size_of_a_vector() -> None:
    program = table([("pile", PILE, 0)], [0])
    assert lay_table(program).check([0] * 3)[0].startswith("the vector has 3 words")
