"""A view as text."""

from __future__ import annotations

import io

from rulerun.faces.board import board
from rulerun.faces.screen import Screen
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
