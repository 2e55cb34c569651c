"""Choices: what is offered in which order, what choosing stores, what is told of it, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ir_builder import (
    CARD_OR_NONE,
    EVERYONE,
    HAND,
    NOBODY,
    OWNER,
    PILE,
    ROW,
    Builder,
    choose,
    eq,
    less,
    line,
    num,
    seat,
    zone_at,
)  # fmt: skip
from rulerun.facts.events import Chose, Offered, observe
from rulerun.facts.faults import RulesFault
from rulerun.facts.observations import Ended, ObservedChoice
from rulerun.facts.options import DONE, PASS, CardPick, LabelValue, Option
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import Identity
from rulerun.ir.program import CHOOSER, DECISIONS, LIMITED, PC, PICKED, Criterion, Program
from rulerun.ir.types import BOOL, CARD, CARDS, INT, PLAYER
from rulerun.ir.verifier import verify
from rulerun.run.machine import Machine

C = ir.Local(0, CARD)
MODES = [{}, {"plain": True}, {"telling": True}]


class Table(Builder):
    """Cards by kind: 0 and 3 equal, 1 and 4 equal; hand of P1: 0 1 2 3; of P2: 4; the row: 5 6."""

    def __init__(self) -> None:
        super().__init__(2, (0, 1, 2, 0, 1, 3, 4))
        self.number = self.field("number", (10, 11, 12, 10, 11, 13, 14))
        self.back = self.field("back", (0, 0, 1, 0, 0, 0, 0), INT, back=True)
        self.hand = self.zone("hand", HAND, OWNER, per_player=True)
        self.row = self.zone("row", ROW, NOBODY)
        self.open = self.zone("open", ROW, EVERYONE)
        self.deck = self.zone("deck", PILE, NOBODY, shuffled=True)
        self.start = (0, 0, 0, 0, 1, 2, 2)
        self.card = self.variable("card", CARD)
        self.x = self.variable("x")
        self.y = self.variable("y")
        self.cards_place = self.variable("cards", CARDS)

    def hand_of(self, player: int) -> ir.ZoneDomain:
        return ir.ZoneDomain(zone_at(self.hand, seat(player)))

    def number_of(self, card: ir.Expr = C) -> ir.CardField:
        return ir.CardField(self.number, card, (), INT, 0)

    def card_binder(
        self, domain: ir.Domain, identity: Identity = Identity.BY_KIND, place: ir.Place | None = None
    ) -> ir.Binder:
        return ir.Binder(0, domain, identity, place or self.card)

    def set_binder(self, domain: ir.Domain, least: int, most: int | None) -> ir.Binder:
        top = num(most) if most is not None else None
        return ir.Binder(0, domain, Identity.MULTISET, self.cards_place, num(least), top)


def asked(table: Table, *lines: ir.Line, who: int = 0, ops: tuple[ir.Op, ...] = (), **settings: object) -> Program:
    entry = table.block(ops, choose(seat(who), lines, **settings))  # type: ignore[arg-type]
    program = table.program(entry)
    assert verify(program) == []
    return program


def offered(program: Program) -> list[Option]:
    """The options at the start: the same in each mode."""
    found = []
    for mode in MODES:
        machine = Machine(program, **mode)
        v = machine.start(0)
        found.append(machine.options(v))
        assert machine.begin(0)[1] == found[-1]
    assert found[0] == found[1] == found[2]
    return found[0]


# ------------------------------------------------------------------ what is offered


def test_numbers_seats_and_menus() -> None:
    table = Table()
    program = asked(
        table,
        line(0, [ir.Binder(0, ir.NumberDomain(num(1), num(2)), Identity.EXACT, table.x)]),
        line(0, [ir.Binder(0, ir.SetDomain(ir.PlayersIn()), Identity.EXACT, table.x)], guard=eq(num(1), num(1))),
        line(0, guard=less(ir.Load(table.x), num(0))),
        line(0),
        passing=0,
        optional=True,
    )
    assert offered(program) == [
        Option(0, (1,)), Option(0, (2,)), Option(1, (0,)), Option(1, (1,)), Option(3, ()), Option(PASS, ()),
    ]  # fmt: skip


def test_equal_cards_of_ones_own_hand_are_one_option() -> None:
    table = Table()
    assert offered(asked(table, line(0, [table.card_binder(table.hand_of(0))]))) == [
        Option(0, (0,)), Option(0, (1,)), Option(0, (2,)),
    ]  # fmt: skip


def test_a_where_that_tells_equal_cards_apart_lets_the_other_stand_for_both() -> None:
    table = Table()
    other = ir.Binary("!=", C, num(0, CARD), BOOL, 0)
    assert offered(asked(table, line(0, [table.card_binder(table.hand_of(0))], where=other))) == [
        Option(0, (1,)), Option(0, (2,)), Option(0, (3,)),
    ]  # fmt: skip


def test_a_hand_that_the_chooser_cannot_see_is_one_option() -> None:
    table = Table()
    assert offered(asked(table, line(0, [table.card_binder(table.hand_of(0))]), who=1)) == [Option(0, (ir.UNSEEN,))]
    table = Table()
    nothing = ir.Binary("<", ir.CardField(table.back, C, (), INT, 0), num(0), BOOL, 0)
    program = asked(
        table, line(0, [table.card_binder(table.hand_of(0))], where=nothing), who=1, passing=0, optional=True
    )
    assert offered(program) == [Option(PASS, ())]


def test_places_of_an_ordered_zone() -> None:
    table = Table()
    deck = ir.ZoneDomain(zone_at(table.deck))
    moved: tuple[ir.Op, ...] = (ir.Collect(zone_at(table.row), zone_at(table.deck), 0),)
    place = ir.Binder(0, deck, Identity.BY_POSITION, table.x)
    assert offered(asked(table, line(0, [place]), ops=moved)) == [Option(0, (0,)), Option(0, (1,))]
    table = Table()
    second = ir.FilteredDomain(0, deck, less(num(0), ir.Local(0, INT)))
    program = asked(table, line(0, [ir.Binder(0, second, Identity.BY_POSITION, table.x)]), ops=moved)
    assert offered(program) == [Option(0, (1,))]


def test_cards_of_a_row_one_by_one() -> None:
    table = Table()
    row = ir.ZoneDomain(zone_at(table.row))
    by_itself = table.card_binder(row, Identity.EXACT)
    assert offered(asked(table, line(0, [by_itself]))) == [Option(0, (5,)), Option(0, (6,))]


def test_two_binders_the_first_slowest() -> None:
    table = Table()
    fits = less(table.number_of(), ir.Binary("+", ir.Local(1, INT), num(10), INT, 0))
    binders = [
        table.card_binder(table.hand_of(0)),
        ir.Binder(1, ir.NumberDomain(num(1), num(2)), Identity.EXACT, table.x),
    ]
    assert offered(asked(table, line(0, binders, where=fits))) == [
        Option(0, (0, 1)), Option(0, (0, 2)), Option(0, (1, 2)),
    ]  # fmt: skip


def test_sets_are_listed_by_kinds() -> None:
    table = Table()
    hand = table.hand_of(0)
    found = offered(asked(table, line(0, [table.set_binder(hand, 2, 2)])))
    assert [option.values[0] for option in found] == [0b1001, 0b0011, 0b0101, 0b0110]
    table = Table()
    wanted = eq(ir.Fold(ir.FoldKind.SUM, 3, ir.SetDomain(ir.Local(0, CARDS)), None, table.number_of(ir.Local(3, CARD)),
                        None, INT, 0), num(22))  # fmt: skip
    found = offered(asked(table, line(0, [table.set_binder(hand, 1, None)], where=wanted)))
    assert found == [Option(0, (0b0101,))]
    table = Table()
    assert offered(asked(table, line(0, [table.set_binder(hand, 5, None)]), passing=0, optional=True)) == [
        Option(PASS, ())
    ]


def test_sets_of_a_row_are_sets_of_places() -> None:
    table = Table()
    found = offered(asked(table, line(0, [table.set_binder(ir.ZoneDomain(zone_at(table.row)), 0, 2)])))
    assert [option.values[0] for option in found] == [0, 1 << 5, 1 << 6, 3 << 5]


# -------------------------------------------------------------------- choosing


def test_choosing_stores_and_goes_on() -> None:
    table = Table()
    first, second = table.reserve(), table.reserve()
    binders = [
        table.card_binder(table.hand_of(0)),
        ir.Binder(1, ir.NumberDomain(num(1), num(2)), Identity.EXACT, table.x),
    ]
    table.block([], choose(seat(1), [line(0)], site=1), second)
    table.block([], choose(seat(0), [line(second, binders)]), first)
    machine = Machine(table.program(first))
    v = machine.start(0)
    assert (machine.chooser(v), machine.site(v), v[DECISIONS]) == (0, 0, 0)
    machine.choose(v, 3)
    assert (v[table.card.offset], v[table.x.offset]) == (1, 2)
    assert (machine.chooser(v), machine.site(v), v[DECISIONS], v[PC]) == (1, 1, 1, second)
    machine.choose(v, 0)
    assert machine.is_over(v)
    assert (machine.chooser(v), machine.site(v), machine.options(v), v[CHOOSER]) == (-1, -1, [], -1)


@pytest.mark.parametrize("index", [-1, 3, 99])
def test_a_wrong_choice_changes_nothing(index: int) -> None:
    machine = Machine(asked(table := Table(), line(0, [table.card_binder(table.hand_of(0))])))
    v = machine.start(0)
    before = v.copy()
    with pytest.raises(ValueError, match=f"there is no option {index}: there are 3"):
        machine.choose(v, index)
    assert v == before
    machine.choose(v, 0)
    with pytest.raises(ValueError, match="there is nothing to choose now"):
        machine.choose(v, 0)


def test_a_fault_after_a_choice_leaves_the_state_before_it() -> None:
    table = Table()
    stuck = table.block([ir.MoveCard(num(0, CARD), zone_at(table.row), ir.End.TAIL, 0)], ir.Fail("stuck", 0))
    machine = Machine(asked(table, line(stuck)), telling=True)
    v = machine.start(0)
    before, logged = v.copy(), list(machine.log)
    with pytest.raises(RulesFault):
        machine.choose(v, 0)
    assert v == before
    assert machine.log == logged


def test_nobody_is_asked_where_there_is_nothing_and_another_way() -> None:
    table = Table()
    other = table.block([ir.Store(table.x, num(5), 0)], ir.Finish())
    never = line(0, guard=eq(num(0), ir.Load(table.y)), where=eq(num(1), ir.Load(table.y)))
    machine = Machine(asked(table, never, passing=other))
    v = machine.start(0)
    assert machine.is_over(v)
    assert (v[table.x.offset], v[DECISIONS]) == (5, 0)


def test_no_option_and_no_other_way_is_a_fault() -> None:
    table = Table()
    with pytest.raises(RulesFault) as caught:
        Machine(asked(table, line(0, guard=eq(num(1), ir.Load(table.y))), who=1)).start(0)
    assert caught.value.code == "RR0607"
    assert caught.value.message == "P2 must choose here, but there is nothing to choose from"


def test_a_chooser_that_is_nobody() -> None:
    table = Table()
    nobody = table.variable("nobody", CARD_OR_NONE, (-1,))
    entry = table.block([], choose(ir.Load(nobody), [line(0)]))
    with pytest.raises(RulesFault) as caught:
        Machine(table.program(entry)).start(0)
    assert caught.value.code == "RR0605"


def test_a_pass_goes_its_own_way() -> None:
    table = Table()
    passed = table.block([ir.Store(table.x, num(5), 0)], ir.Finish())
    machine = Machine(asked(table, line(0), passing=passed, optional=True))
    v = machine.start(0)
    machine.choose(v, 1)
    assert v[table.x.offset] == 5


def test_too_many_options() -> None:
    table = Table()
    numbers = ir.Binder(0, ir.NumberDomain(num(1), num(20_001)), Identity.EXACT, table.x)
    with pytest.raises(RulesFault) as caught:
        Machine(asked(table, line(0, [numbers]))).start(0)
    assert (caught.value.code, caught.value.message) == ("RR0608", "more than 20,000 options in one choice")


# -------------------------------------------------------- sets picked card by card


class Large(Builder):
    """Thirty different cards in the hand of P1."""

    def __init__(self) -> None:
        super().__init__(2, tuple(range(30)))
        self.hand = self.zone("hand", HAND, OWNER, per_player=True)
        self.cards_place = self.variable("cards", CARDS, (7,))
        self.x = self.variable("x")

    def binder(self, least: int, most: int | None) -> ir.Binder:
        domain = ir.ZoneDomain(zone_at(self.hand, seat(0)))
        top = num(most) if most is not None else None
        return ir.Binder(0, domain, Identity.MULTISET, self.cards_place, num(least), top)


def test_a_large_set_is_picked_card_by_card() -> None:
    table = Large()
    entry = table.block(
        [], choose(seat(0), [line(0, [table.binder(2, 4)], label=ir.Label(("pass ", ir.Local(0, CARDS))))])
    )
    machine = Machine(table.program(entry), telling=True)
    v = machine.start(0)
    assert v[table.cards_place.offset] == 0
    first = machine.options(v)
    assert first[0] == CardPick(0, (0,))
    assert len(first) == 29
    assert machine.label(v, first[3]) == ("pass ", LabelValue(0b1000, CARDS))
    assert machine.key(v, first[3]) == (0, 3)
    machine.choose(v, 26)
    assert (v[PICKED], v[table.cards_place.offset]) == (1, 1 << 26)
    assert machine.options(v) == [CardPick(0, (card,)) for card in (27, 28, 29)]
    machine.choose(v, 1)
    assert machine.options(v) == [CardPick(0, (29,)), Option(DONE, (0,))]
    assert machine.label(v, machine.options(v)[1]) == ("done",)
    assert machine.key(v, machine.options(v)[1]) == (DONE,)
    assert machine.load(v) == v
    machine.choose(v, 1)
    assert machine.is_over(v)
    assert (v[PICKED], v[table.cards_place.offset]) == (0, 1 << 26 | 1 << 28)


def test_a_set_that_is_full_ends_by_itself() -> None:
    table = Large()
    entry = table.block([], choose(seat(0), [line(0, [table.binder(0, 4)])]))
    machine = Machine(table.program(entry))
    v = machine.start(0)
    assert machine.options(v)[-1] == Option(DONE, (0,))
    for _ in range(4):
        assert not machine.is_over(v)
        machine.choose(v, 0)
    assert machine.is_over(v)
    assert (v[PICKED], v[table.cards_place.offset], v[DECISIONS]) == (0, 0b1111, 4)


def test_a_large_set_with_a_where_is_a_fault() -> None:
    table = Large()
    fits = eq(ir.Size(ir.Local(0, CARDS)), num(3))
    entry = table.block([], choose(seat(0), [line(0, [table.binder(0, None)], where=fits)]))
    with pytest.raises(RulesFault) as caught:
        Machine(table.program(entry)).start(0)
    assert caught.value.code == "RR0609"
    assert caught.value.message == "1,073,741,824 sets of cards to look at, more than 4,096"


# ---------------------------------------------------------------------- the end


def test_the_limit_of_decisions() -> None:
    table = Table()
    table.decision_limit = 3
    entry = table.reserve()
    table.block([], choose(seat(0), [line(entry)]), entry)
    program = table.program(entry)
    machine = Machine(program)
    v = machine.start(0)
    machine.choose(v, 0)
    machine.choose(v, 0)
    with pytest.raises(RulesFault) as caught:
        machine.choose(v, 0)
    assert (caught.value.code, caught.value.message) == ("RR0610", "the game has not ended after 3 decisions")
    drawn = Machine(replace(program, limit_is_draw=True), telling=True)
    v = drawn.start(0)
    for _ in range(3):
        drawn.choose(v, 0)
    assert drawn.is_over(v)
    assert (v[LIMITED], v[PC], v[CHOOSER]) == (1, 0, -1)
    assert drawn.winners(v) == (0, 1)
    assert drawn.log[-1] == Ended(0b11, (0, 0))


def test_scores_and_criteria() -> None:
    table = Table()
    p = ir.Local(0, PLAYER)
    score = table.function((PLAYER,), ir.Conditional(eq(p, seat(0)), num(5), num(5), INT))
    second = table.function((PLAYER,), ir.Binary("*", p, num(3), INT, 0))
    entry = table.block([], ir.Finish())
    for highest, winner in ((True, 1), (False, 0)):
        table.criteria = (Criterion(True, "score", score), Criterion(highest, "second", second))
        machine = Machine(table.program(entry, score))
        v = machine.start(0)
        assert machine.scores(v) == (5, 5)
        assert machine.winners(v) == (winner,)
    table.criteria = (Criterion(False, "score", score),)
    machine = Machine(table.program(entry, score))
    assert machine.winners(machine.start(0)) == (0, 1)


# ---------------------------------------------------------------------- telling


def told_of_choice(who: int, domain: str, **settings: object) -> list[Chose]:
    table = Table()
    binder = {
        "own": table.card_binder(table.hand_of(who)),
        "row": table.card_binder(ir.ZoneDomain(zone_at(table.row)), Identity.EXACT),
    }[domain]
    machine = Machine(asked(table, line(0, [binder]), who=who, **settings), telling=True)
    v = machine.start(0)
    machine.choose(v, len(machine.options(v)) - 1)
    return [event for event in machine.log if isinstance(event, Chose)]


def test_others_are_told_the_back_of_a_card_chosen_from_a_hand() -> None:
    (event,) = told_of_choice(0, "own")
    assert event == Chose(0, 0, (0, 2), (0, -2), 0b01, -1)
    assert observe(event, 0) == ObservedChoice(0, 0, (0, 2))
    assert observe(event, 1) == ObservedChoice(0, 0, (0, -2))


def test_places_are_told_to_all() -> None:
    (event,) = told_of_choice(1, "row")
    assert event.key == (0, 1)
    assert event.full == 0b11


def test_a_secret_is_told_to_nobody_else() -> None:
    (event,) = told_of_choice(0, "own", secret=True)
    assert observe(event, 1) == ObservedChoice(0, 0, None)
    assert observe(event, 0) == ObservedChoice(0, 0, (0, 2))


def test_what_is_offered_is_told_to_the_chooser() -> None:
    table = Table()
    machine = Machine(asked(table, line(0, [table.card_binder(table.hand_of(0))])), telling=True)
    machine.start(0)
    assert machine.log == [Offered(0, 0, ((0, 0), (0, 1), (0, 2)), False)]


def test_sealed_choices_are_told_afterwards() -> None:
    table = Table()
    chosen = table.variable("chosen")
    after = table.reserve()
    stored = ir.Store(chosen, num(1), 0)
    table.block([stored, ir.Tell(0, seat(0), 0, chosen)], ir.Finish(), after)
    binder = table.card_binder(table.hand_of(0))
    machine = Machine(asked(table, line(after), line(after, [binder]), sealed=True), telling=True)
    v = machine.start(0)
    machine.choose(v, 3)
    first, second = (event for event in machine.log if isinstance(event, Chose))
    assert observe(first, 1) == ObservedChoice(0, 0, None)
    assert second == Chose(0, 0, (1, 2), (1, -2), 0b01, -1)


def test_a_sealed_pass_is_told_as_one() -> None:
    table = Table()
    chosen = table.variable("chosen")
    after = table.block([ir.Store(chosen, num(1), 0), ir.Tell(0, seat(0), 0, chosen)], ir.Finish())
    machine = Machine(asked(table, line(after), sealed=True, passing=after, optional=True), telling=True)
    v = machine.start(0)
    machine.choose(v, 1)
    assert [event.key for event in machine.log if isinstance(event, Chose)] == [(PASS,), (PASS,)]


def test_names_of_cards_chosen_out_of_a_set() -> None:
    table = Table()
    some = ir.SetDomain(num(0b0110110, CARDS))
    machine = Machine(asked(table, line(0, [table.card_binder(some, Identity.EXACT)])), telling=True)
    v = machine.start(0)
    keys = [machine.key(v, option) for option in machine.options(v)]
    assert keys == [(0, 2048 + 1), (0, 2048 + 2), (0, 1 * 4096 + 4095), (0, 2 * 4096)]


def test_a_set_is_named_by_its_size_and_kinds() -> None:
    table = Table()
    machine = Machine(asked(table, line(0, [table.set_binder(table.hand_of(0), 2, 2)])), telling=True)
    v = machine.start(0)
    assert [machine.key(v, option) for option in machine.options(v)] == [
        (0, 2, 0, 0), (0, 2, 0, 1), (0, 2, 0, 2), (0, 2, 1, 2),
    ]  # fmt: skip
    machine.choose(v, 2)
    assert [event.others for event in machine.log if isinstance(event, Chose)] == [(0, 2, -2, -1)]


def test_reading_a_face_that_the_chooser_does_not_see_is_a_fault_when_telling() -> None:
    for where_it_is in ("row", "hand"):
        table = Table()
        domain = ir.ZoneDomain(zone_at(table.row)) if where_it_is == "row" else table.hand_of(1)
        held = Identity.EXACT if where_it_is == "row" else Identity.BY_KIND
        high = table.function((CARD,), less(num(12), table.number_of()), BOOL)
        reads = ir.CallFunction(high, (C,), BOOL)
        program = asked(table, line(0, [table.card_binder(domain, held)], where=reads), passing=0, optional=True)
        assert Machine(program).options(Machine(program).start(0))
        with pytest.raises(RulesFault) as caught:
            Machine(program, telling=True).start(0)
        assert caught.value.code == "RR0612"
        assert "the face of a card that P1 neither sees nor knows" in caught.value.message


def test_a_back_may_be_read_by_anyone() -> None:
    table = Table()
    even = eq(ir.CardField(table.back, C, (), INT, 0), num(0))
    program = asked(table, line(0, [table.card_binder(table.hand_of(1))], where=even))
    assert offered(program) == [Option(0, (ir.UNSEEN,))]


# ----------------------------------------------------------------------- labels


def test_labels_carry_values_with_types_and_places() -> None:
    table = Table()
    label = ir.Label(("take ", C, " of ", seat(1), " twice ", eq(table.number_of(), num(13)), " {x} "))
    row = ir.ZoneDomain(zone_at(table.row))
    machine = Machine(asked(table, line(0, [table.card_binder(row, Identity.EXACT)], label=label)))
    v = machine.start(0)
    options = machine.options(v)
    assert machine.label(v, options[1]) == (
        "take ", LabelValue(6, CARD, 2, 1), " of ", LabelValue(1, PLAYER), " twice ", LabelValue(0, BOOL), " {x} ",
    )  # fmt: skip
    assert machine.label(v, Option(PASS, ())) == ("pass",)


def test_labels_of_cards_that_are_not_settled() -> None:
    table = Table()
    label = ir.Label((C,))
    deck = ir.ZoneDomain(zone_at(table.deck))
    lines = (
        line(0, [ir.Binder(0, deck, Identity.BY_POSITION, table.x)], label=label),
        line(0, [table.card_binder(table.hand_of(1))], label=label),
    )
    collect = ir.Collect(zone_at(table.row), zone_at(table.deck), 0)
    machine = Machine(asked(table, *lines, ops=(collect,)))
    v = machine.start(0)
    assert [machine.label(v, option) for option in machine.options(v)] == [
        (LabelValue(ir.UNSEEN, CARD, 4, 0),),
        (LabelValue(ir.UNSEEN, CARD, 4, 1),),
        (LabelValue(ir.UNSEEN, CARD, 1, -1),),
    ]


def test_a_label_says_nothing_of_a_card_that_is_not_settled() -> None:
    table = Table()
    label = ir.Label((ir.CardField(table.back, C, (), INT, 0),))
    for who, said in ((1, LabelValue(ir.UNSEEN, INT)), (0, LabelValue(0, INT))):
        machine = Machine(asked(table, line(0, [table.card_binder(table.hand_of(0))], label=label), who=who))
        v = machine.start(0)
        assert machine.label(v, machine.options(v)[0]) == (said,)
        table = Table()
