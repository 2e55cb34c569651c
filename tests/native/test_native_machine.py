"""The native executor by itself: its protocol, faults as values, threads, and what it refuses."""

from __future__ import annotations

import pytest

pytest.importorskip("llvmlite")

import rulerun
from ir_builder import BOOL, HAND, INT, PLAYER, Builder, add, at, choose, less, line, num, seat
from rulerun.facts.faults import MESSAGES, RulesFault
from rulerun.ir import nodes as ir
from rulerun.ir.program import Program
from rulerun.ir.types import ArrayType
from rulerun.native.machine import NativeMachine
from rulerun.native.series import play_series
from rulerun.play.volume import play_many
from rulerun.run.machine import Machine


@pytest.fixture(scope="module")
def flowers() -> NativeMachine:
    return NativeMachine(rulerun.load("ouch", players=2).program)


def test_a_game_goes_from_choice_to_choice(flowers: NativeMachine) -> None:
    v = flowers.start(7)
    assert not flowers.is_over(v)
    assert flowers.chooser(v) in (0, 1)
    assert [option.line for option in flowers.options(v)] == [0] * 6
    before = flowers.clone(v)
    flowers.choose(v, 2)
    assert v != before
    assert [option.values for option in flowers.options(v)] == [(0,), (1,), (2,), (3,)]


def test_a_bad_index_changes_nothing(flowers: NativeMachine) -> None:
    v = flowers.start(7)
    before = v[:]
    with pytest.raises(ValueError, match="no option 6: there are 6"):
        flowers.choose(v, 6)
    assert v == before


def test_a_vector_of_the_reference_is_played_on(flowers: NativeMachine) -> None:
    reference = Machine(flowers.program, knowledge=False)
    words = reference.start(7)
    v = flowers.load(reference.load(words))
    assert v == flowers.start(7)
    flowers.choose(v, 2)
    reference.choose(words, 2)
    assert list(v) == words


def test_a_vector_of_another_length_is_refused(flowers: NativeMachine) -> None:
    with pytest.raises(ValueError, match="words"):
        flowers.load(list(flowers.start(7))[:-1])


def test_a_fault_is_told_in_whole_words() -> None:
    """Without the values in it, which the reference tells: no place to put one in is left in the text."""
    machine = NativeMachine(count_down(25, False))
    for code in {code for code, _, _ in MESSAGES.values()}:
        fault = machine.fault(code, 0)
        assert (fault.code, fault.origin) == (code, machine.program.origins[0])
        assert fault.message
        assert "{" not in fault.message


def test_the_sums_do_not_depend_on_threads_or_cuts(flowers: NativeMachine) -> None:
    one, _ = play_series(flowers, 5_000, 3, jobs=1)
    three, _ = play_series(flowers, 5_000, 3, jobs=3)
    pieces = flowers.playouts(0, 17, 3)
    pieces.merge(flowers.playouts(17, 4_983, 3))
    assert one.games == 5_000
    assert one.words == three.words == pieces.words


def test_a_stop_is_heard(flowers: NativeMachine) -> None:
    flowers.stop()
    assert flowers.playouts(0, 1_000_000, 3).games == 0
    sums, interrupted = play_series(flowers, 10, 3)
    assert (sums.games, interrupted) == (10, False)


def test_an_interrupted_series_gives_what_is_done(flowers: NativeMachine) -> None:
    def interrupt(done: int) -> None:
        if done:
            raise KeyboardInterrupt

    sums, interrupted = play_series(flowers, 100_000_000, 3, jobs=2, show=interrupt)
    assert interrupted
    assert 0 < sums.games < 100_000_000
    assert sums.games == sum(sum(sums.wins(seat)[:1]) for seat in range(2)) + sums.ties


def builder(players: int = 2) -> Builder:
    """A builder with a few cards that nobody touches."""
    b = Builder(players)
    b.zone("box", HAND)
    return b


def loop_without_end() -> Program:
    b = builder()
    start = b.reserve()
    b.block((), ir.Jump(start), start)
    return b.program(start)


def count_down(limit: int, draw: bool) -> Program:
    """A choice of two, again and again."""
    b = builder()
    points = b.variable("points", ArrayType(INT, PLAYER))
    score = b.function((PLAYER,), ir.Load(at(points, ir.Local(0, PLAYER), 2)))
    b.decision_limit, b.limit_is_draw = limit, draw
    ask = b.reserve()
    more = ir.Store(at(points, seat(1), 2), add(ir.Load(at(points, seat(1), 2)), num(1)), 0)
    again = b.block((more,), ir.Jump(ask))
    b.block((), choose(seat(0), [line(again), line(ask)]), ask)
    return b.program(ask, score)


def test_a_loop_without_end_is_a_fault() -> None:
    machine = NativeMachine(loop_without_end())
    with pytest.raises(RulesFault) as caught:
        machine.start(0)
    assert (caught.value.code, str(caught.value.origin)) == ("RR0601", "hand.yaml:7:3")
    sums = machine.playouts(0, 3, 1)
    assert (sums.games, sums.faulty) == (0, 3)
    assert sums.faults == [(0, "RR0601", 0, 0), (1, "RR0601", 0, 0), (2, "RR0601", 0, 0)]
    assert sums.fault_counts == {("RR0601", 0): 3}


def test_the_decision_limit_is_a_draw_or_a_fault() -> None:
    drawn = NativeMachine(count_down(25, True)).playouts(0, 40, 1)
    assert (drawn.games, drawn.decisions, drawn.options, drawn.ties) == (40, 1000, 2000, 40)
    assert drawn.wins(0) == drawn.wins(1) == (0, 40)
    assert drawn.limited == 40
    faulty = NativeMachine(count_down(25, False)).playouts(0, 40, 1)
    assert faulty.fault_counts == {("RR0610", 0): 40}
    assert faulty.faults[0] == (0, "RR0610", 0, 25)
    assert faulty.limited == 0


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (ir.Binary("*", num(2**31 - 1), ir.Local(0, PLAYER), INT, 1), None),
        (ir.Binary("*", num(2**31 - 1), add(ir.Local(0, PLAYER), num(2)), INT, 1), "RR0602"),
        (ir.Binary("//", num(7), ir.Binary("-", ir.Local(0, PLAYER), ir.Local(0, PLAYER), INT, 0), INT, 1), "RR0603"),
        (ir.Binary("**", num(2), add(ir.Local(0, PLAYER), num(30)), INT, 1), "RR0602"),
        (ir.Binary("**", num(7), ir.Binary("-", ir.Local(0, PLAYER), num(1), INT, 0), INT, 1), "RR0620"),
        (ir.Fold(ir.FoldKind.MAX, 1, ir.NumberDomain(num(2), num(1)), None, ir.Local(1, INT), None, INT, 1), "RR0611"),
    ],
)
def test_a_fault_has_its_code_and_its_place(value: ir.Expr, code: str | None) -> None:
    b = builder()
    score = b.function((PLAYER,), value)
    machine = NativeMachine(b.program(0, score))
    sums = machine.playouts(0, 1, 1)
    assert sums.fault_counts == ({} if code is None else {(code, 1): 1})
    v = machine.start(0)
    if code is None:
        assert machine.scores(v) == (0, 2**31 - 1)
    else:
        with pytest.raises(RulesFault) as caught:
            machine.scores(v)
        assert (caught.value.code, caught.value.origin) == (code, machine.program.origins[1])


def test_floored_division_is_that_of_the_reference() -> None:
    b = builder(4)
    left = ir.Conditional(less(ir.Local(0, PLAYER), num(2)), num(7), num(-7), INT)
    even = ir.Binary("==", ir.Binary("%", ir.Local(0, PLAYER), num(2), INT, 0), num(0), BOOL, 0)
    right = ir.Conditional(even, num(2), num(-2), INT)
    quotient, rest = ir.Binary("//", left, right, INT, 0), ir.Binary("%", left, right, INT, 0)
    score = b.function((PLAYER,), add(ir.Binary("*", quotient, num(100), INT, 0), rest))
    machine = NativeMachine(b.program(0, score))
    assert machine.scores(machine.start(0)) == (301, -401, -399, 299)


def test_powers_are_those_of_the_reference_at_the_edges() -> None:
    def of_player(values: tuple[int, int, int, int]) -> ir.Expr:
        result: ir.Expr = num(values[-1])
        for player, value in reversed(list(enumerate(values[:-1]))):
            result = ir.Conditional(less(ir.Local(0, PLAYER), num(player + 1)), num(value), result, INT)
        return result

    b = builder(4)
    power = ir.Binary("**", of_player((-2, 0, -1, 46340)), of_player((31, 0, 2**31 - 1, 2)), INT, 0)
    machine = NativeMachine(b.program(0, b.function((PLAYER,), power)))
    assert machine.scores(machine.start(0)) == (-(2**31), 1, -1, 46340**2)


def test_both_executors_give_one_tally() -> None:
    program = rulerun.load("cucumber", players=3).program
    native = play_many(program, 30, 5, executor="native", jobs=2)
    plain = play_many(program, 30, 5, executor="interpreter")
    assert (native.executor, plain.executor) == ("native", "interpreter")
    assert native.highlights == plain.highlights
    assert (native.tally.decisions, native.tally.options) == (plain.tally.decisions, plain.tally.options)
    assert native.tally == plain.tally          # exact sums: not a digit differs


def test_games_that_the_limit_ended_are_counted_alike_in_parts_and_by_both() -> None:
    text = """\
rulerun: 1
game: Stop
players: 2
cards: {deck: french32}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
rules:
  play: |
    let me = first p in players where true
    repeat:
      me chooses n from 1..6 as "say {n}"
      stop if n == 6
limit: {decisions: 5, then: draw}
result:
  score(Player p): "0"
  winner: [highest score]
"""
    program = rulerun.load(text).program
    native = play_many(program, 400, 5, executor="native", jobs=2)
    plain = play_many(program, 400, 5, executor="interpreter")
    assert native.tally == plain.tally
    assert 100 < plain.tally.limited < 250  # (5 / 6) ** 5 is 0.40
    again = NativeMachine(program).playouts(0, 400, 5)
    assert again.limited == plain.tally.limited


def test_after_an_interrupted_series_single_games_are_played_again() -> None:
    """The flag that ends the threads must not end what is played after them."""
    machine = NativeMachine(count_down(1_000, True))
    machine.playouts(0, 1, 5)

    def interrupt(_done: int) -> None:
        raise KeyboardInterrupt

    sums, interrupted = play_series(machine, 100_000, 5, jobs=2, show=interrupt)
    assert interrupted
    assert sums.games < 100_000
    assert machine.playouts(0, 1, 5).games == 1


def test_a_rule_that_nothing_calls_may_call_others() -> None:
    """Its calls are part of no game, so nothing comes back to it."""
    text = """\
rulerun: 1
game: Idle
players: 2
cards: {deck: french52}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
rules:
  play: |
    shuffle deck
    for p in players:
      turn(p)
  turn(Player p): |
    deal 2 from deck to hand[p]
    p chooses card from hand[p] as "keep {card}"
  idle: |
    for p in players:
      turn(p)
      turn(p)
result:
  score(Player p): |
    count(hand[p])
  winner: [highest score]
"""
    program = rulerun.load(text).program
    sums = NativeMachine(program).playouts(0, 50, 1)
    assert (sums.games, sums.decisions, sums.faulty) == (50, 100, 0)
