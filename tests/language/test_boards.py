"""`kind: board`: places that keep their numbers, and may be empty."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from language_games import codes, findings, play, with_body

import rulerun
from rulerun.faces.board import board
from rulerun.faces.screen import Screen
from rulerun.faces.test import run_file
from rulerun.facts.events import Hinted
from rulerun.facts.faults import RulesFault
from rulerun.source.diagnostic import Diagnostics
from rulerun.testing import conforms

HERE = Path(__file__).parent
ZONES = """\
stock: {kind: pile, seen_by: nobody, start: deck}
pile: {kind: pile, seen_by: everyone}
grid: {kind: board, places: 6, seen_by: everyone}
rack: {kind: board, per: player, places: 0..3, seen_by: nobody}
hand: {kind: hand, per: player}
"""
ME = "let me = first p in players where true\n"
DEALT = ME + "deal 3 from stock to grid\n"
"""Red 1, red 2 and red 3 at places 1 to 3."""


def notes(body: str) -> list[str]:
    return play(DEALT + body, zones=ZONES).notes


def says(*expressions: str) -> str:
    return "\n".join(f'note "{{{e}}}"' for e in expressions)


def fault(body: str) -> RulesFault:
    with pytest.raises(RulesFault) as caught:
        play(DEALT + body, zones=ZONES)
    return caught.value


def told(state: rulerun.State, seat: int) -> str:
    return " ".join(" ".join(state.story(seat)).split())


def test_places_are_asked_and_counted() -> None:
    asked = ("grid[3] is empty", "grid[4] is empty", "grid is empty", "rack[me] is empty", "all of rack is empty")
    assert notes("\n".join(f"total = 1 if {e} else 0\n{says('total')}" for e in asked)) == ["0", "1", "0", "1", "1"]
    counted = ("count(grid)", "count(grid[1])", "count(rack[me])", "count(n for n in 1..6 where grid[n] is empty)")
    assert notes(says(*counted)) == ["3", "1", "0", "3"]


def test_a_place_is_the_card_that_lies_there() -> None:
    assert notes(says("grid[2]", "grid[2].number", "(top of grid[3]).number", "grid[4 - 1]")) == [
        "red 2", "2", "3", "red 3",
    ]  # fmt: skip
    same = "let c = grid[1]\nmove c to grid[5]\nlet d = grid[5]\ntotal = 1 if c == d else 0\n"
    assert notes(same + says("total")) == ["1"]
    empty = fault("total = grid[4].number")
    assert (empty.code, empty.message) == ("RR0606", "there is no card in place 4 of grid")
    assert fault("move grid[4] to pile").code == "RR0606"
    assert notes("move all of grid[4] to pile\n" + says("count(pile)")) == ["0"]


def test_the_cards_of_a_board_come_by_place() -> None:
    turned = "swap grid[1] with grid[3]\nmove grid[2] to grid at 6\n"  # red 3, -, red 1, -, -, red 2
    said = notes(
        turned
        + "for c in grid: note \"{c}\"\n"
        + says("sum(c.number for c in grid)", "first c in grid where c.number < 3", "best c in grid by 0")
    )
    assert said == ["red 3", "red 1", "red 2", "6", "red 1", "red 3"]
    assert notes(turned + "move all of grid to pile\n" + says("top of pile", "bottom of pile")) == ["red 2", "red 3"]
    picked = "total = 1 if grid[1] in grid and grid[1] not in rack[me] and top of stock not in grid else 0\n"
    assert notes(turned + picked + says("total")) == ["1"]
    assert notes(turned + says("count(grid union {top of stock})", "count(s for s in subsets(grid, 2))")) == ["4", "3"]


def test_a_card_goes_to_a_place_and_leaves_a_gap() -> None:
    two = "let n = 5\nmove grid[2] to grid at n\nmove top of stock to grid[n + 1]\n"
    assert notes(two + says("grid[5]", "grid[6]")) == ["red 2", "red 4"]
    assert notes("move grid[2] to pile\nmove top of stock to grid\n" + says("grid[2]")) == ["red 4"]
    assert notes("move grid[2] to grid[2]\n" + says("grid[2]")) == ["red 2"]


def test_dealing_fills_the_free_places_in_order() -> None:
    body = "move grid[2] to pile\ndeal 3 from stock to grid\n"
    assert notes(body + says(*(f"grid[{n}]" for n in range(1, 6)))) == ["red 1", "red 4", "red 3", "red 5", "red 6"]
    cards = "move (c for c in stock where c.colour == blue and c.number < 3) to rack[me]\n"
    assert notes(cards + "total = rack[me, 0].number * 10 + rack[me, 1].number\n" + says("total")) == ["12"]
    assert notes("deal 1 from stock to grid[6]\nmove top 2 of stock to grid\n" + says("grid[6]", "grid[5]")) == [
        "red 4", "red 6",
    ]  # fmt: skip


def test_no_room_is_a_fault() -> None:
    taken = fault("move top of stock to grid at 3")
    assert (taken.code, taken.message) == ("RR0618", "a place of a board holds one card, and `grid at 3` is taken")
    full = fault("deal 5 from stock to rack[me]")
    assert (full.code, full.message) == ("RR0618", "no place of `rack[me]` is free for one more card")
    assert fault("move (c for c in stock where c.colour == blue) to grid").code == "RR0618"
    outside = fault("total = 7\nmove top of stock to grid[total]")
    assert (outside.code, outside.message) == ("RR0604", "the index 7 is outside 1 .. 6")
    assert fault("let n = total - 1\nmove top of stock to rack[me] at n").code == "RR0604"


def test_two_places_or_two_cards_change_places() -> None:
    assert notes("swap grid[1] with grid[5]\n" + says("grid[5]", "count(grid[1])")) == ["red 1", "0"]
    assert notes("swap grid[4] with grid[5]\n" + says("count(grid)")) == ["3"]
    both = "move top of stock to pile\nswap grid[3] with top of pile\n"
    assert notes(both + says("grid[3]", "top of pile")) == ["red 4", "red 3"]
    two = "deal 1 from stock to rack[me]\nswap rack[me, 0] with grid[2]\ntotal = rack[me, 0].number\n"
    assert notes(two + says("grid[2]", "total")) == ["red 4", "2"]
    assert fault("swap grid[3] with rack[me, 2]").code == "RR0606"


def test_choices_offer_what_lies_there_by_its_place() -> None:
    text = with_body(
        ME
        + "deal 4 from stock to rack[me]\nmove rack[me, 1] to pile\nshow rack[me, 2] to me\n"
        + 'me chooses slot from rack[me] as "take {slot}"\nmove slot to pile\n'
        + 'me chooses 2 pair from rack[me] as "both {pair}"\n'
        + 'me chooses n from 0..3 where rack[me, n] is empty as "put it at {n}"\n',
        zones=ZONES,
    )
    state = rulerun.load(text, players=2).new(1)
    assert [o.label for o in state.options] == [
        "take place 0 of P1's rack",
        "take place 2 of P1's rack (red 3)",
        "take place 3 of P1's rack",
    ]
    first = 1 + 1 + 6  # stock, pile, six places of the grid
    assert [o.key for o in state.options] == [f"s0:0:{(first + n) * 4096}" for n in (0, 2, 3)]
    state.choose(0)
    assert [o.label for o in state.options] == ["both place 2 of P1's rack (red 3) and place 3 of P1's rack"]
    state.choose(0)
    assert [o.label for o in state.options] == ["put it at 0", "put it at 1"]
    assert told(state, 1).endswith(
        "P1 takes place 0 of P1's rack. Red 1 goes from place 0 of P1's rack to the pile. "
        "P1: both place 2 of P1's rack and place 3 of P1's rack."
    )


def test_what_a_board_looks_like() -> None:
    game = rulerun.load(str(HERE / "layouts.yaml"), players=2)
    state = game.new(3)
    state.choose_key("s0:1:3")
    own = state.view(0).zone("layout of P1")
    assert (own.kind, own.count, own.places, own.columns) == ("board", 4, (0, 1, 2, 3), 2)
    state = game.new(3)
    own, other = state.view(0).zone("layout of P1"), state.view(0).zone("layout of P2")
    assert [(c.place, c.face) for c in own.cards] == [(0, True), (1, False), (2, False)]
    told = json.loads(json.dumps(own.as_dict()))
    assert (told["places"], told["columns"], told["cards"][3]) == ([0, 1, 2, 3], 2, None)
    assert [card and card["face"] for card in told["cards"]] == [True, False, False, None]
    assert [card and card["face"] for card in other.as_dict()["cards"]] == [False, False, False, None]  # type: ignore[union-attr]
    lines = Screen(StringIO()).lines(board(state.view(0)))
    assert [line.rstrip() for line in lines if "layout" in line] == [
        "  layout of P2    [0] ?  [1] ?",
        f"  layout (yours)  [0] {own.cards[0].name}*  [1] ?",
    ]
    assert "[2] ?  [3] –" in "\n".join(lines)


def test_a_game_is_told_by_places() -> None:
    state = rulerun.load(str(HERE / "pairs.yaml"), players=2).new(3)
    state.choose(10)
    state.choose(1)
    story = told(state, 0)
    assert "12 cards go from the box to places 1 to 12 of the grid." in story
    assert "turns up place 11: shape" in story


def test_every_seat_remembers_what_was_turned_up() -> None:
    state = rulerun.load(str(HERE / "pairs.yaml"), players=3).new(3)
    for _ in range(12):
        state.choose(0)
    for seat in range(3):
        grid = state.view(seat).zone("grid")
        known = {card.place: card.name for card in grid.cards if card.remembered}
        assert known
        assert known == {c.place: c.name for c in state.view((seat + 1) % 3).zone("grid").cards if c.remembered}


def test_facts_are_told_place_by_place() -> None:
    body = ME + "deal 3 from stock to rack[me]\nmove rack[me, 1] to pile\n"
    played = play(body + "tell me whether (c.number == 3 for c in rack[me])", zones=ZONES)
    said = [event for event in played.events if isinstance(event, Hinted)]
    names = [played.program.zones[event.zone].name for event in said]
    assert names == ["place 0 of rack of P1", "place 2 of rack of P1"]
    assert [event.facts for event in said] == [(0,), (1,)]


def test_cards_may_start_on_a_board() -> None:
    start = 'seen_by: everyone, start: "colour == green and number == place"}'
    zones = ZONES.replace("seen_by: everyone}\nrack", f"{start}\nrack")
    assert play(says("grid[1]", "grid[6]"), zones=zones).notes == ["green 1", "green 6"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("shuffle grid", "RR0404"),
        ("shuffle grid[1]", "RR0403"),
        ("move top of grid to pile", "RR0404"),
        ("deal 1 from grid to pile", "RR0404"),
        ("collect stock to grid", "RR0404"),
        ("move all of grid to grid[2]", "RR0403"),
        ("move (c for c in stock where c.number == 1) to grid[2]", "RR0403"),
        ("deal 2 from stock to grid[2]", "RR0403"),
        ("move top of stock to grid[7]", "RR0412"),
        ("move top of stock to grid at 0", "RR0412"),
        ("move top of stock to grid[2] at 2", "RR0404"),
        ("move top of stock to rack", "RR0404"),
        ("total = grid[1]", "RR0403"),
        ("total = grid[true].number", "RR0403"),
    ],
)
def test_what_cannot_be(body: str, code: str) -> None:
    assert codes(ME + body, zones=ZONES) == [code]


@pytest.mark.parametrize(
    ("zone", "code"),
    [
        ("{kind: board, seen_by: everyone}", "RR0111"),
        ("{kind: row, places: 1..3, seen_by: everyone}", "RR0110"),
        ("{kind: board, places: 3, seen_by: everyone, refill: {from: stock}}", "RR0110"),
        ("{kind: board, places: 0, seen_by: everyone}", "RR0308"),
        ("{kind: board, places: player, seen_by: everyone}", "RR0310"),
        ("{kind: board, places: 900, seen_by: everyone}", "RR0328"),
        ("{kind: board, places: 3, seen_by: owner}", "RR0321"),
        ('{kind: board, places: 3, seen_by: everyone, start: "place == 2"}', "RR0348"),
    ],
)
def test_what_is_no_board(zone: str, code: str) -> None:
    _, found = findings(with_body("note \"\"", zones=ZONES + f"odd: {zone}\n"), 2)
    assert isinstance(found, Diagnostics)
    assert [d.code for d in found if d.code != "RR0341"] == [code]


@pytest.mark.long
@pytest.mark.parametrize(("game", "players"), [("pairs", 3), ("layouts", 3), ("close_up", 1)])
def test_a_game_with_a_board_keeps_every_promise(game: str, players: int) -> None:
    conforms(HERE / f"{game}.yaml", players=players, games=2, seed=5)


def test_text_tests_name_the_places_of_a_board() -> None:
    verdicts = run_file(str(HERE / "layouts.test.yaml"), None).verdicts
    assert [verdict.problem for verdict in verdicts] == [None, None]


def test_the_way_out_names_a_place_and_no_top() -> None:
    _, found = findings(with_body("let c = grid.colour", zones=ZONES), 2)
    assert [(d.code, d.help) for d in found] == [
        ("RR0405", "of which card? a place such as `grid[1]`, or a `for c in` over them")
    ]


def test_a_card_on_a_board_may_be_turned_where_it_lies() -> None:
    text = with_body(
        ME
        + "deal 3 from stock to rack[me]\nflip rack[me, 1] face up\n"
        + 'me chooses c from rack[me] where c is not face up as "turn {c}"\n'
        + 'flip c face up\nme chooses d from rack[me] as "take {d}"\n',
        zones=ZONES,
    )
    state = rulerun.load(text, players=2).new(1)
    assert [o.label for o in state.options] == ["turn place 0 of P1's rack", "turn place 2 of P1's rack"]
    state.choose(0)
    assert [(c.place, c.name) for c in state.view(1).zone("rack of P1").cards] == [
        (0, "red 1"), (1, "red 2"), (2, "a card"),
    ]  # fmt: skip
    assert "Place 1 of P1's rack is turned up: red 2." in told(state, 1)
