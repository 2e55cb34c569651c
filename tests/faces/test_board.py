"""A view as text."""

from __future__ import annotations

import io
from dataclasses import replace

from rulerun.faces.board import board
from rulerun.faces.screen import Screen
from rulerun.view.possible import Possible
from rulerun.view.view import CardView, View, ZoneView


def zone(
    name: str, kind: str, owner: int | None, *cards: CardView, at_least: tuple[tuple[str, int], ...] = ()
) -> ZoneView:
    return ZoneView(name, name.split(" ")[0], kind, owner, len(cards), cards, at_least)


def view(*zones: ZoneView, variables: tuple[tuple[str, object], ...] = ()) -> View:
    return View("G", 0, 2, 0, 3, zones, variables, (), (), None, None)  # type: ignore[arg-type]


def lines(*zones: ZoneView, width: int = 100) -> list[str]:
    return Screen(io.StringIO()).lines(board(view(*zones), width))


def face(name: str, place: int | None = None, remembered: bool = False) -> CardView:
    return CardView(name, True, place, remembered)


def back(place: int | None = None, name: str = "a card") -> CardView:
    return CardView(name, False, place)


def test_common_zones_come_first_and_own_ones_last() -> None:
    assert lines(
        zone("hand of P1", "hand", 0, face("3"), face("3"), face("9")),
        zone("hand of P2", "hand", 1, back(), back()),
        zone("stock", "pile", None, back(1)),
        zone("box", "pile", None),
    ) == [
        "  stock         1 card",
        "  hand of P2    2 cards",
        "  hand (yours)  2 x 3, 9",
        "  empty         box",
    ]


def test_rows_show_their_places_and_what_is_remembered() -> None:
    assert lines(zone("layout of P2", "row", 1, back(1), face("ace", 2, True), back(3, "red back"))) == [
        "  layout of P2  [1] ?  [2] ace*  [3] red back",
        "                * lies face down, but you know it",
    ]


def test_piles_show_their_top_or_what_is_known_of_them() -> None:
    assert lines(zone("discard", "pile", None, face("ace", 1), face("ten", 2), face("six", 3))) == [
        "  discard  ace on top, 2 below"
    ]
    assert lines(zone("stock", "pile", None, back(1), face("ten", 2, True), back(3))) == [
        "  stock  3 cards, from the top: ?, ten*, …",
        "         * lies face down, but you know it",
    ]


def test_cards_known_to_lie_somewhere() -> None:
    assert lines(zone("hand of P2", "hand", 1, back(), back(), at_least=(("ace", 1),))) == [
        "  hand of P2  2 cards  (among them ace)"
    ]
    assert lines(zone("hand of P2", "hand", 1, back(), back(), at_least=(("ace", 1), ("ten", 1)))) == [
        "  hand of P2  2 cards  (ace, ten)"
    ]


def test_long_zones_are_wrapped_and_long_rows_cut() -> None:
    shown = lines(zone("row", "row", None, *[face(f"card{i}", i) for i in range(1, 31)]), width=60)
    assert len(shown) > 3
    assert all(len(line) <= 60 for line in shown)
    assert shown[-1].endswith("… and 6 more")


def test_state_in_plain_words() -> None:
    variables = (
        ("best_hand", {"P1": 3, "P2": None}),
        ("broken", True),
        ("colours", ["red", "dark_blue"]),
        ("caller", None),
    )
    assert Screen(io.StringIO()).lines(board(view(variables=variables))) == [
        "  state  best hand P1:3 P2:none; broken yes; colours red, dark blue; caller none"
    ]


def test_a_board_shows_its_places_and_their_gaps() -> None:
    places = tuple(range(1, 7))
    cards = (back(1), face("ace", 2, True), face("ten", 6))
    grid = ZoneView("grid", "grid", "board", None, 3, cards, (), places)
    assert lines(grid)[0] == "  grid  [1] ?  [2] ace*  [3] –  [4] –  [5] –  [6] ten"
    columns = ZoneView("grid", "grid", "board", None, 3, cards, (), places, 3)
    assert lines(columns)[:2] == ["  grid  [1] ?     [2] ace*  [3] –", "        [4] –     [5] –     [6] ten"]
    empty = ZoneView("grid of P1", "grid", "board", 0, 0, (), (), (1, 2), 2)
    assert lines(empty) == ["  grid (yours)  [1] –  [2] –"]


def test_rows_are_shown_in_as_many_columns_as_are_said_if_they_fit() -> None:
    cards = tuple(back(place) for place in range(1, 6))
    row = ZoneView("row of P2", "row", "row", 1, 5, cards, (), columns=2)
    assert lines(row) == ["  row of P2  [1] ?  [2] ?", "             [3] ?  [4] ?", "             [5] ?"]
    wide = ZoneView("row", "row", "row", None, 5, cards, (), columns=50)
    assert lines(wide, width=60) == ["  row  [1] ?  [2] ?  [3] ?  [4] ?  [5] ?"]


def test_a_card_that_facts_were_told_of_shows_what_it_may_be() -> None:
    card = CardView("a card", False, 1, possible=Possible(("red 1", "red 4"), (), "red, 1 or 4"))
    other = CardView("3 buds", False, 2, possible=Possible(("red 1",), (), "red 1"))
    told = ["  rack (yours)  [1] ? (red, 1 or 4)  [2] 3 buds (red 1)"]
    assert lines(zone("rack of P1", "row", 0, card, other)) == told


def open_(name: str, place: int) -> CardView:
    return CardView(name, True, place, face_up=True)


def test_cards_that_lie_open_stand_beside_those_that_do_not() -> None:
    assert lines(
        zone("column", "row", None, back(1), open_("7", 2)),
        zone("run", "pile", None, open_("3", 1), open_("4", 2), back(3)),
        zone("draw", "pile", None, open_("9", 1), back(2), back(3)),
        zone("deck", "pile", None, back(1), back(2), open_("5", 3)),
        zone("last", "pile", None, open_("5", 1)),
        zone("known", "pile", None, back(1), back(2), face("6", 3, remembered=True)),
    ) == [
        "  column  [1] ?  [2] 7",
        "  run     3 cards, from the top: 3, 4, …",
        "  draw    9 on top, 2 below",
        "  deck    3 cards, 5 at the bottom",
        "  last    5 on top",
        "  known   3 cards, 6* at the bottom",
        "          * lies face down, but you know it",
    ]


def test_in_a_row_of_ones_own_it_is_said_which_cards_the_others_see() -> None:
    mine = zone("rack of P1", "row", 0, face("2", 1), open_("7", 2))
    assert lines(mine, zone("rack of P2", "row", 1, open_("4", 1))) == [
        "  rack of P2    [1] 4",
        "  rack (yours)  [1] 2  [2] 7 (face up)",
    ]


def test_a_set_of_players_without_players_is_nobody() -> None:
    shown = replace(view(variables=(("passed", []), ("told", {"P1": [], "P2": ["P1"]}), ("bought", []))),
                    of_players=frozenset({"passed", "told"}))  # fmt: skip
    assert Screen(io.StringIO()).lines(board(shown)) == ["  state  passed nobody; told P1:nobody P2:P1; bought nothing"]
