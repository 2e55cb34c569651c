"""`turn over Z`: the order of a pile or a row is turned round, and what is known goes along."""

from __future__ import annotations

from pathlib import Path

import pytest
from language_games import codes, compiled, play, with_body

import rulerun
from rulerun.facts.events import Announced, observe
from rulerun.facts.observations import TurnedOver
from rulerun.run.machine import Machine
from rulerun.testing import conforms

FOLDER = Path(__file__).parent
ME = "let me = first p in players where true\n"
ROW = 'deal 3 from stock to row\n'
"""Red 1, red 2, red 3, from the beginning of the row on."""


def test_what_lay_lowest_lies_on_top() -> None:
    assert play(ROW + 'turn over row\nnote "{top of row} {bottom of row}"').notes == ["red 1 red 3"]
    body = 'move all of stock to pile\nturn over pile\nnote "{top of pile} {bottom of pile}"'
    assert play(body).notes == ["blue 6 red 1"]


def test_cards_come_in_the_other_order_and_go_to_the_new_top() -> None:
    body = "turn over row\nmove top of stock to row\nmove all of row to pile\n"
    played = play(ROW + body + 'repeat 4 times:\n  note "{top of pile}"\n  move top of pile to stock')
    assert played.notes == ["red 4", "red 1", "red 2", "red 3"]


def test_turned_over_twice_it_lies_as_before() -> None:
    twice, never = play(ROW + "turn over row\nturn over row"), play(ROW)
    cards = slice(never.program.layout.zone_base, never.program.layout.size)
    assert twice.program.layout == never.program.layout
    assert twice.vector[cards] == never.vector[cards]


def test_an_empty_pile_and_a_single_card_stay_as_they_are() -> None:
    assert play("turn over pile\nmove top of stock to pile\nturn over pile\nnote \"{top of pile}\"").notes == ["red 1"]


def test_the_places_of_cards_not_yet_drawn_go_along() -> None:
    body = "shuffle stock\nmove top of row to stock\nmove bottom of row to stock at 2\nturn over stock\n"
    drawn = "repeat 17 times:\n  move top of stock to pile\n"
    played = play(ROW + "move top of row to pile\n" + body + drawn + 'note "{top of pile}"\nnote "{count(stock)}"')
    deep = play(ROW + "move top of row to pile\n" + body + drawn.replace("17", "15") + 'note "{top of pile}"')
    assert played.notes == ["red 2", "0"]
    assert deep.notes == ["red 1"]


def test_who_knows_a_card_knows_it_where_it_lies_now() -> None:
    body = ME + "shuffle stock\nshow top of stock to me\nturn over stock\n"
    under = 'let c = bottom of stock\nnote "{knows(me, c)} {knows(next(me), c)}"\n'
    top = 'let d = top of stock\nnote "{knows(me, d)}"'
    machine = Machine(compiled(with_body(body + under + top), 3), telling=True)
    machine.start(1)
    assert [event.values for event in machine.log if isinstance(event, Announced)] == [(1, 0), (0,)]


def test_cards_that_lay_face_up_lie_face_down() -> None:
    body = "move top of stock to rack[me]\nmove top of stock to rack[me]\nflip top of rack[me] face up\n"
    asked = 'note "{count(c for c in rack[me] where c is face up)}"\n'
    assert play(ME + body + asked + "turn over rack[me]\n" + asked).notes == ["1", "0"]


def test_everyone_is_told() -> None:
    played = play("turn over stock\nturn over pile")
    told = [event for event in played.events if isinstance(event, TurnedOver)]
    assert [played.program.zones[event.zone].name for event in told] == ["stock", "pile"]
    assert [observe(told[0], seat) for seat in range(3)] == [told[0]] * 3


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("turn over hand[me]", "RR0403"),
        ("turn over total", "RR0403"),
        ("turn over rack", "RR0404"),
        ("turn over row[me]", "RR0404"),
        ("turn over stok", "RR0401"),
    ],
)
def test_only_what_has_an_order_is_turned_over(body: str, code: str) -> None:
    assert codes(ME + body) == [code]


def test_a_rule_called_turn_is_still_called() -> None:
    rules = "play: turn(first p in players where true)\nturn(Player me): turn over stock\n"
    assert codes("", rules=rules) == []


@pytest.mark.parametrize("players", [2, 3])
def test_games_that_turn_piles_over_keep_every_promise(players: int) -> None:
    conforms(FOLDER / "turning_over.yaml", players=players, games=2)


def test_a_story_tells_of_it() -> None:
    state = rulerun.load(FOLDER / "turning_over.yaml", players=2).new(1)
    state.choose(0)
    assert "The stock is turned over." in state.story(1)
