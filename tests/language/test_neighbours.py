"""`next` and `previous` of values: in the order of their type, the first after the last."""

from __future__ import annotations

import pytest
from language_games import codes, findings, play, with_body

TYPES = "Colour: [red, green, blue]\nSize: {ordered: [small, middling, large]}\nOnly: [one]"
STATE = "points: int per Player\ntotal: int\ntold: int\nhue: Colour\nsize: Size\nonly: Only\nlast: Colour or none"


def notes(body: str, **more: str) -> list[str]:
    return play(body, **{"types": TYPES, "state": STATE, **more}).notes


def test_the_value_after_and_before_a_value() -> None:
    body = 'repeat 4 times:\n  hue = next(hue)\n  note "{hue} {previous(hue)} {next(next(hue))}"'
    assert notes(body) == ["green red red", "blue green green", "red blue blue", "green red red"]


def test_of_ordered_types_and_of_a_type_of_one_value() -> None:
    assert notes('size = previous(size)\nnote "{size} {next(size)} {next(only)} {previous(only)}"') == [
        "large small one one"
    ]


def test_of_ranks_suits_and_fields() -> None:
    cards = "deck: {standard: french52, ranks: [two, three, king, ace]}"
    body = 'move (c for c in stock where c.rank >= king) to row\nnote "{next((top of row).rank)} {next(clubs)}"\n'
    body += 'note "{count(c for c in row where c.rank == previous(two))}"'
    assert notes(body, cards=cards, functions="worth(Cards cards): |\n  count(cards)") == ["two diamonds", "4"]


def test_of_values_that_are_written_down_it_is_worked_out_beforehand() -> None:
    tables = "after:\n  of: Colour\n  red: next(red)\n  else: red"
    assert notes('note "{next(blue)} {previous(red)}"') == ["red blue"]
    assert notes('note "{after[red]}"', tables=tables) == ["green"]
    cards = 'face: {colour: Colour, number: int, other: Colour}\nname: "{colour} {number} {other}"\n'
    cards += 'deck:\n  - {each: {colour: Colour}, number: 1, other: "previous(colour)"}'
    body = 'move all of stock to row\nnote "{bottom of row} {top of row}"'
    assert notes(body, cards=cards) == ["red 1 blue blue 1 green"]


def test_where_to_stop_is_asked() -> None:
    body = 'repeat:\n  note "{size}"\n  stop if size == large\n  size = next(size)'
    assert notes(body) == ["small", "middling", "large"]


@pytest.mark.parametrize(
    ("text", "code", "way"),
    [
        ("total = next(3)", "RR0403", "write `3 + 1`"),
        ("total = previous(total)", "RR0403", "write `total - 1`"),
        ("hue = next(last)", "RR0407", "ask first: `if last is not none:`"),
        ("total = count(next(stock))", "RR0403", None),
        ("hue = next(size)", "RR0403", None),
    ],
)
def test_of_what_has_no_neighbour(text: str, code: str, way: str | None) -> None:
    _, found = findings(with_body(text, types=TYPES, state=STATE), 3)
    assert [(d.code, d.help) for d in found] == [(code, way)]


def test_of_numbers_in_a_deck() -> None:
    cards = 'face: {colour: Colour, number: int}\nname: "{colour} {number}"\n'
    cards += 'deck:\n  - {each: {colour: Colour}, number: "next(3)"}'
    assert codes("total = 1", cards=cards) == ["RR0305"]
