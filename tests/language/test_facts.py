"""`tell`: facts about cards said aloud, told to every seat, heeded by worlds."""

from __future__ import annotations

import random

import pytest
from language_games import HOST, codes, compiled, play, with_body

import rulerun
from rulerun.facts.events import Hinted, observe
from rulerun.facts.faults import RulesFault
from rulerun.facts.observations import Hint
from rulerun.run.machine import Machine

DEALT = """\
let me = first p in players where true
move (c for c in stock where c.number == 3 or c.colour == red and c.number < 3) to rack[me]
move (c for c in stock where c.colour == red) to hand[me]
"""
"""The rack: red 1, red 2, red 3, green 3, blue 3. The hand: red 4 to 6."""


def facts(body: str) -> list[Hinted]:
    return [event for event in play(DEALT + body).events if isinstance(event, Hinted)]


def test_a_fact_for_each_place() -> None:
    (event,) = facts("tell me whether (c.number == 3 for c in rack[me])")
    assert (event.to, event.facts, event.passing) == (0b001, (0, 0, 1, 1, 1), (2, 8, 14))
    zone = event.zone
    assert [observe(event, seat) for seat in range(3)] == [Hint(event.at, 1, zone, (0, 0, 1, 1, 1))] * 3


def test_of_cards_without_order_how_many() -> None:
    (event,) = facts("tell players whether (c.number > 4 for c in hand[me])")
    assert (event.to, event.facts) == (0b111, (2,))


def test_a_single_fact() -> None:
    first, second = facts("tell next(me) whether count(hand[me]) == 3\ntell {me, next(me)} whether hand[me] is empty")
    assert (first.to, first.zone, first.facts, first.passing) == (0b010, -1, (1,), None)
    assert (second.to, second.facts) == (0b011, (0,))


def test_a_fact_that_depends_on_more_than_the_card() -> None:
    (event,) = facts("tell me whether (c == top of rack[me] for c in rack[me])")
    assert (event.facts, event.passing) == ((0, 0, 0, 0, 1), None)


def test_facts_fault_alike_with_and_without_telling() -> None:
    program = compiled(with_body(DEALT + "tell me whether (7 // (c.number - 3) > 0 for c in rack[me])"), 3)
    for telling in (False, True):
        with pytest.raises(RulesFault) as fault:
            Machine(program, telling=telling).start(1)
        assert fault.value.code == "RR0603"


HINTS = """\
shuffle stock
for p in players:
  deal 4 from stock to rack[p]
repeat 6 times:
  for p in players:
    p chooses:
      colour from Colour where some(c.colour == colour for c in rack[next(p)]) as "tell {colour}":
        tell next(p) whether (c.colour == colour for c in rack[next(p)])
      number from 1..6 where some(c.number == number for c in rack[next(p)]) as "tell {number}":
        tell next(p) whether (c.number == number for c in rack[next(p)])
      slot from rack[p] as "play {slot}":
        move slot to pile
        deal 1 from stock to rack[p]
"""


@pytest.mark.parametrize("seed", range(4))
def test_worlds_heed_what_was_told(seed: int) -> None:
    game = rulerun.load(with_body(HINTS, HOST), players=2)
    state = game.new(seed)
    chance = random.Random(seed)
    for _ in range(9):
        state.choose(chance.randrange(len(state.options)))
    for seat in range(2):
        for number in range(3):
            world = state.resample(seat, seed=number)
            assert world.record(seat) == state.record(seat)


def test_the_story_tells_it() -> None:
    state = rulerun.load(with_body(DEALT + "tell me whether (c.number == 3 for c in rack[me])"), players=3).new(1)
    assert any("P1 is told" in line and "slot 3" in line for line in state.story()), state.story()


def test_what_is_wrong_is_told() -> None:
    assert codes("tell players whether total") == ["RR0403"]
    assert codes("tell total whether total == 1") == ["RR0403"]
    assert codes("tell players whether (c.number == 1 for c in row where c.number > 2)") == ["RR0403"]
    assert codes("tell players whether (p is out for p in players)") == ["RR0403"]
