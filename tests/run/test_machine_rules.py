"""Operations, blocks and chance: what running them leaves in the state."""

from __future__ import annotations

import pytest

from ir_builder import (
    CARD_OR_NONE,
    HAND,
    NOBODY,
    OWNER,
    PILE,
    ROW,
    SUIT,
    Builder,
    add,
    at,
    choose,
    eq,
    less,
    line,
    num,
    seat,
    zone_at,
)  # fmt: skip
from rulerun.facts.faults import RulesFault
from rulerun.ir import nodes as ir
from rulerun.ir.program import CHOOSER, DECISIONS, PC, RNG, Program
from rulerun.ir.types import CARD, CARDS, INT, PLAYER, ArrayType, SetType
from rulerun.ir.verifier import verify
from rulerun.run.machine import Machine
from rulerun.run.trace import Traced


class Table(Builder):
    """Six cards on a pile (0 on top), an empty hand for each, a row, a deck that is shuffled."""

    def __init__(self, players: int = 2, kinds: tuple[int, ...] = (0, 1, 2, 3, 4, 5)) -> None:
        super().__init__(players, kinds)
        self.pile = self.zone("pile", PILE)
        self.hand = self.zone("hand", HAND, OWNER, per_player=True)
        self.row = self.zone("row", ROW)
        self.deck = self.zone("deck", PILE, NOBODY, shuffled=True)
        self.x = self.variable("x", INT)
        self.card = self.variable("card", CARD)
        self.maybe = self.variable("maybe", CARD_OR_NONE, (-1,))

    def hand_of(self, player: int) -> ir.ZoneRef:
        return zone_at(self.hand, seat(player), self.players)


HEAD, TAIL = ir.End.HEAD, ir.End.TAIL
PILE_ZONE, HAND_1, HAND_2, ROW_ZONE, DECK_ZONE = range(5)


def run(table: Table, ops: list[ir.Op], seed: int = 0, telling: bool = False) -> tuple[Machine, list[int]]:
    """Runs operations to the end of the game."""
    entry = table.block(ops, ir.Finish())
    program = table.program(entry)
    assert verify(program) == []
    machine = Machine(program, telling=telling)
    v = machine.start(seed)
    assert machine.is_over(v)
    assert machine.cards.check(v) == []
    return machine, v


def fault(table: Table, ops: list[ir.Op]) -> RulesFault:
    with pytest.raises(RulesFault) as caught:
        run(table, ops)
    return caught.value


def lies(machine: Machine, v: list[int]) -> list[list[int]]:
    return [machine.cards.cards_of(v, zone) for zone in range(len(machine.program.zones))]


def put(place: ir.Place, value: ir.Expr) -> ir.Store:
    return ir.Store(place, value, 0)


# ------------------------------------------------------------------- operations


def test_store_and_clear() -> None:
    table = Table()
    _, v = run(table, [put(table.x, num(7)), put(table.maybe, num(3, CARD)), ir.Clear(table.maybe.offset, 1)])
    assert v[table.x.offset] == 7
    assert v[table.maybe.offset] == 0


def test_a_comparison_is_stored_as_a_number() -> None:
    table = Table()
    _, v = run(table, [put(table.x, eq(num(1), ir.Load(table.card)))])
    assert v[table.x.offset] == 0
    assert type(v[table.x.offset]) is int


def test_a_wide_set_of_cards_is_stored_in_several_words() -> None:
    table = Table(kinds=tuple(range(130)))
    cards = table.variable("cards", CARDS)
    value = 1 << 129 | 1 << 62 | 1
    _, v = run(table, [put(cards, num(value, CARDS))])
    assert v[cards.offset : cards.offset + 3] == [1, 1, 1 << 5]
    copy = table.variable("copy", CARDS)
    _, v = run(table, [put(cards, num(value, CARDS)), put(copy, ir.Load(cards)), put(table.x, ir.Size(ir.Load(copy)))])
    assert v[copy.offset : copy.offset + 3] == [1, 1, 1 << 5]
    assert v[table.x.offset] == 3


def test_moves_to_the_spots_of_a_pile() -> None:
    table = Table()
    ops: list[ir.Op] = [
        ir.MoveCard(num(2, CARD), zone_at(table.row), TAIL, 0),
        ir.MoveCard(num(4, CARD), zone_at(table.row), HEAD, 0),
        ir.MoveCard(num(0, CARD), zone_at(table.row), ir.Depth(num(1)), 0),
        ir.MoveCard(num(5, CARD), table.hand_of(1), ir.Depth(num(9)), 0),
    ]
    machine, v = run(table, ops)
    assert lies(machine, v) == [[1, 3], [], [5], [4, 0, 2], []]


def test_a_place_that_does_not_exist() -> None:
    table = Table()
    move = ir.MoveCard(num(2, CARD), zone_at(table.row), ir.Depth(num(1)), 0)
    caught = fault(table, [move])
    assert (caught.code, caught.message) == ("RR0614", "there is no place 1 in row, which holds 0 cards")
    within = ir.MoveCard(num(2, CARD), zone_at(table.pile), ir.Depth(num(6)), 0)
    assert fault(table, [within]).code == "RR0614"


def test_none_cannot_be_moved() -> None:
    table = Table()
    caught = fault(table, [ir.MoveCard(ir.Load(table.maybe), zone_at(table.row), TAIL, 0)])
    assert (caught.code, caught.help) == ("RR0605", "ask first: `if x is not none:`")
    assert fault(table, [ir.SwapCards(num(0, CARD), ir.Load(table.maybe), 0)]).code == "RR0605"


def test_moves_of_many() -> None:
    table = Table()
    some = num(0b101010, CARDS)
    machine, v = run(table, [ir.MoveCards(some, table.hand_of(0), HEAD, 0)])
    assert lies(machine, v)[HAND_1] == [1, 3, 5]
    machine, v = run(table, [ir.MoveAll(zone_at(table.pile), zone_at(table.row), TAIL, 0)])
    assert lies(machine, v)[ROW_ZONE] == [0, 1, 2, 3, 4, 5]
    machine, v = run(
        table, [ir.MoveCards(some, zone_at(table.row), HEAD, 0), ir.SwapCards(num(0, CARD), num(5, CARD), 0)]
    )
    assert lies(machine, v)[PILE_ZONE] == [5, 2, 4]
    assert lies(machine, v)[ROW_ZONE] == [0, 3, 1]


def test_swap_of_zones() -> None:
    table = Table()
    ops: list[ir.Op] = [
        ir.MoveCards(num(0b11, CARDS), table.hand_of(0), HEAD, 0),
        ir.MoveCards(num(0b100, CARDS), table.hand_of(1), HEAD, 0),
        ir.SwapZones(table.hand_of(0), table.hand_of(1), 0),
    ]
    machine, v = run(table, ops)
    assert lies(machine, v)[HAND_1 : HAND_2 + 1] == [[2], [0, 1]]


def test_shuffle_collect_and_refill() -> None:
    table = Table()
    deck = zone_at(table.deck)
    machine, v = run(table, [ir.Collect(zone_at(table.pile), deck, 0), ir.Shuffle(deck, 0)])
    assert machine.cards.count(v, DECK_ZONE) == 6
    assert machine.cards.undrawn(v, DECK_ZONE) == 6
    machine, v = run(table, [ir.CollectAll(deck, 0)])
    assert machine.cards.set_of(v, DECK_ZONE) == 0b111111
    refill = ir.Refill(deck, zone_at(table.pile), 1, True, 0)
    machine, v = run(table, [refill, refill])
    assert machine.cards.set_of(v, DECK_ZONE) == 0b111110
    assert lies(machine, v)[PILE_ZONE] == [0]


def test_snapshots_pack_six_to_a_word() -> None:
    table = Table()
    offset = table.frame(4)
    at_x = ir.SnapshotItem(offset, ir.Load(table.x), CARD)
    ops: list[ir.Op] = [
        ir.Snapshot(ir.SetDomain(num(0b111, SetType(SUIT))), offset, 7, 0),
        ir.Snapshot(ir.ZoneDomain(zone_at(table.pile)), offset, 7, 0),
        put(table.x, num(4)),
        put(table.card, at_x),
        put(table.x, ir.SnapshotCount(offset)),
    ]
    block = table.block(ops, choose(seat(0), [line(0, label=ir.Label(("go",)))]))
    machine = Machine(table.program(block))
    v = machine.start(0)
    assert v[offset : offset + 3] == [6, 0 | 1 << 10 | 2 << 20 | 3 << 30 | 4 << 40 | 5 << 50, 0]
    assert (v[table.card.offset], v[table.x.offset]) == (4, 6)


def test_reveal_and_note_are_told() -> None:
    table = Table()
    ops: list[ir.Op] = [
        ir.Reveal(num(0b1, CARDS), None, 0),
        ir.Reveal(num(0b10, CARDS), num(0b10, SetType(PLAYER)), 0),
        ir.Announce(ir.Label(("card ", num(3, CARD), " x ", add(ir.Load(table.x), num(2)), num(0b11, CARDS))), 1),
    ]
    machine, _ = run(table, ops, telling=True)
    said = machine.log[-2]
    assert said.at == 1
    kinds = [value if isinstance(value, int) else [card.kind for card in value] for value in said.values]
    assert kinds == [[3], 2, [0, 1]]
    assert machine.log[-1].scores == (0, 0)
    assert machine.log[-1].winners == 0b11


# ------------------------------------------------------------- blocks and calls


def test_branches_switches_and_calls() -> None:
    table = Table()
    ok, bad, second = table.reserve(), table.reserve(), table.reserve()
    entry, back, body = table.reserve(), table.reserve(), table.reserve()
    procedure = table.procedure(body, (INT, CARDS), INT, local_words=2)
    made = table.procedures[procedure]
    param = ir.Place(made.params[0], (), INT, 0)
    local = ir.Place(made.params[1] + 1, (), INT, 0)
    result = ir.Place(made.result_place, (), INT, 0)
    table.block([], ir.CallProcedure(procedure, (num(20), num(0b11, CARDS)), back, 0), entry)
    table.block([put(local, num(9))], ir.Return(procedure, add(ir.Load(param), num(1))), body)
    table.block([put(table.x, ir.Load(result))], ir.Branch(eq(ir.Load(table.x), num(21)), second, bad), back)
    table.block([], ir.Switch(num(1), (bad, ok), bad), second)
    table.block([put(table.x, num(99))], ir.Finish(), ok)
    table.block([put(table.x, num(-1))], ir.Finish(), bad)
    program = table.program(entry)
    assert verify(program) == []
    machine = Machine(program)
    v = machine.start(0)
    assert v[table.x.offset] == 99
    assert v[made.frame : made.frame + made.frame_words] == [0] * made.frame_words
    assert (v[PC], v[CHOOSER]) == (0, -1)


def test_leaving_a_procedure_clears_all_but_its_result() -> None:
    table = Table()
    entry, back, body = table.reserve(), table.reserve(), table.reserve()
    procedure = table.procedure(body, (INT,), INT, local_words=6)
    made = table.procedures[procedure]
    local = ir.Place(made.params[0] + 3, (), INT, 0)
    table.block([], ir.CallProcedure(procedure, (num(20),), back, 0), entry)
    table.block([put(local, num(9))], ir.Return(procedure, num(5)), body)
    table.block([], choose(seat(0), [line(0)]), back)
    v = Machine(table.program(entry)).start(0)
    frame = v[made.frame : made.frame + made.frame_words]
    assert frame == [0, 5, 0, 0, 0, 0, 0, 0, 0]


def test_a_switch_out_of_range_takes_the_default() -> None:
    for value, expected in ((-1, 3), (0, 1), (2, 3)):
        table = Table()
        entry, a, b, c = (table.reserve() for _ in range(4))
        table.block([], ir.Switch(num(value), (a, b), c), entry)
        for number, block in enumerate((a, b, c), 1):
            table.block([put(table.x, num(number))], ir.Finish(), block)
        assert Machine(table.program(entry)).start(0)[table.x.offset] == expected


def test_a_loop_counts() -> None:
    table = Table()
    entry, body = table.reserve(), table.reserve()
    table.block([], ir.Branch(less(ir.Load(table.x), num(1000)), body, 0), entry)
    table.block([put(table.x, add(ir.Load(table.x), num(1)))], ir.Jump(entry), body)
    assert Machine(table.program(entry)).start(0)[table.x.offset] == 1000


@pytest.mark.parametrize("blocks", [1, 2])
def test_an_endless_loop_is_a_fault(blocks: int) -> None:
    table = Table()
    entry, other = table.reserve(), table.reserve()
    table.block([], ir.Jump(other if blocks == 2 else entry), entry)
    table.block([], ir.Branch(eq(ir.Load(table.x), num(0)), entry, other), other)
    with pytest.raises(RulesFault) as caught:
        Machine(table.program(entry)).start(0)
    assert caught.value.code == "RR0601"
    assert "used up their fuel of 1,000,000" in caught.value.message


def test_a_fail_says_its_message() -> None:
    table = Table()
    entry = table.block([], ir.Fail("{no} format", 1))
    with pytest.raises(RulesFault) as caught:
        Machine(table.program(entry)).start(0)
    assert str(caught.value) == "hand.yaml:9:1: RR0613 {no} format"


def test_a_trace_names_each_step() -> None:
    table = Table()
    entry = table.block([put(table.x, num(1))], ir.Finish())
    machine = Machine(table.program(entry), trace=True)
    machine.start(0)
    assert machine.log == [Traced(0, "Store")]


# ------------------------------------------------------------------------ chance


def drawing(
    spot: ir.Spot = HEAD, empty: bool = False, kinds: tuple[int, ...] = (0, 1, 2, 3, 4, 5)
) -> tuple[Table, Program]:
    table = Table(kinds=kinds)
    entry, after, nothing = table.reserve(), table.reserve(), table.reserve()
    deck = zone_at(table.deck)
    ops: list[ir.Op] = [] if empty else [ir.Collect(zone_at(table.pile), deck, 0)]
    table.block(ops, ir.Draw(deck, spot, table.card, after, nothing if empty else None, 0), entry)
    table.block([put(table.x, num(1))], ir.Finish(), after)
    table.block([put(table.x, num(2))], ir.Finish(), nothing)
    return table, table.program(entry)


def test_a_draw_settles_one_card_and_leaves_it_there() -> None:
    table, program = drawing()
    machine = Machine(program)
    drawn = set()
    for seed in range(60):
        v = machine.start(seed)
        card = v[table.card.offset]
        drawn.add(card)
        assert machine.cards.places_of(v, DECK_ZONE) == [card, -1, -1, -1, -1, -1]
    assert drawn == {0, 1, 2, 3, 4, 5}


def test_a_draw_from_the_other_end_or_within() -> None:
    for spot, place in ((TAIL, 5), (ir.Depth(num(2)), 2)):
        table, program = drawing(spot)
        machine = Machine(program)
        v = machine.start(4)
        assert machine.cards.places_of(v, DECK_ZONE)[place] == v[table.card.offset]


def test_a_draw_from_nothing() -> None:
    table, program = drawing(empty=True)
    assert Machine(program).start(0)[table.x.offset] == 2
    table, program = drawing(ir.Depth(num(6)))
    with pytest.raises(RulesFault) as caught:
        Machine(program).start(0)
    assert caught.value.code == "RR0614"
    table = Table()
    entry = table.block([], ir.Draw(zone_at(table.deck), HEAD, table.card, 0, None, 0))
    with pytest.raises(RulesFault) as caught:
        Machine(table.program(entry)).start(0)
    assert caught.value.message == "there is no card in deck"


def test_explicit_chance_merges_kinds() -> None:
    table, program = drawing(kinds=(0, 1, 1, 0, 2, 1))
    machine = Machine(program, explicit_chance=True)
    v = machine.start(0)
    assert not machine.is_over(v)
    assert machine.chooser(v) == -1
    assert machine.options(v) == []
    assert machine.outcomes(v) == [(0, 2), (1, 3), (4, 1)]
    before = v.copy()
    with pytest.raises(ValueError, match="there is no outcome 3: there are 3"):
        machine.settle(v, 3)
    assert v == before
    machine.settle(v, 1)
    assert v[table.card.offset] == 1
    assert v[RNG] == before[RNG]
    assert machine.is_over(v)
    assert machine.outcomes(v) == []


def picking(domain: ir.Domain, empty: bool = True) -> tuple[Table, Program]:
    table = Table()
    entry, after, nothing = table.reserve(), table.reserve(), table.reserve()
    table.block([], ir.Pick(domain, table.x, after, nothing if empty else None, True, 1), entry)
    table.block([], ir.Finish(), after)
    table.block([put(table.x, num(-7))], ir.Finish(), nothing)
    return table, table.program(entry)


def test_picks() -> None:
    table, program = picking(ir.NumberDomain(num(3), num(5)))
    machine = Machine(program, telling=True)
    assert {machine.start(seed)[table.x.offset] for seed in range(40)} == {3, 4, 5}
    assert (machine.log[0].at, machine.log[0].value) == (1, machine.start(0)[table.x.offset])
    explicit = Machine(program, explicit_chance=True, telling=True)
    v = explicit.start(0)
    assert explicit.outcomes(v) == [(3, 1), (4, 1), (5, 1)]
    explicit.settle(v, 2)
    assert v[table.x.offset] == 5
    assert explicit.log[0].value == 5


def test_picks_of_nothing() -> None:
    none = ir.NumberDomain(num(3), num(2))
    table, program = picking(none)
    assert Machine(program).start(0)[table.x.offset] == -7
    table, program = picking(none, empty=False)
    with pytest.raises(RulesFault) as caught:
        Machine(program).start(0)
    assert (caught.value.code, caught.value.message) == ("RR0606", "there is nothing to pick at random")


# ------------------------------------------------------------------------ saving


def test_a_loaded_vector_is_looked_through() -> None:
    table = Table()
    per = table.variable("per", ArrayType(INT, PLAYER))
    nobody = table.variable("nobody", PLAYER)
    entry = table.block([], choose(seat(1), [line(0)]))
    del per
    machine = Machine(table.program(entry))
    v = machine.start(3)
    assert machine.load(v) == v
    assert machine.load(v) is not v
    wrong = [
        (v[:-1], "words"),
        ([*v[:PC], 99, *v[PC + 1 :]], "what it waits for"),
        ([*v[:DECISIONS], -1, *v[DECISIONS + 1 :]], "number of decisions"),
        ([*v[:CHOOSER], 7, *v[CHOOSER + 1 :]], "the seat that is asked"),
        ([*v[:RNG], 2**63, *v[RNG + 1 :]], "no 64-bit number"),
        ([*v[: nobody.offset], 9, *v[nobody.offset + 1 :]], "`nobody` in the state is 9"),
        ([*v[: table.program(entry).layout.loc_base], 3, *v[table.program(entry).layout.loc_base + 1 :]], "not sound"),
    ]
    for words, message in wrong:
        with pytest.raises(ValueError, match=message):
            machine.load(words)


def test_an_element_of_an_array() -> None:
    table = Table()
    per = table.variable("per", ArrayType(INT, PLAYER), (4, 6))
    _, v = run(table, [put(table.x, ir.Load(at(per, num(1), 2)))])
    assert v[table.x.offset] == 6
