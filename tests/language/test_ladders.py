"""`where A if possible, else B`: what A holds for, if there is any, else what B holds for. It dies in `check`."""

from __future__ import annotations

import pytest
from language_games import LAY_OUT, codes, compiled, play, with_body

from rulerun.ir.printer import show

PASS = "pass"
START = LAY_OUT + "let me = first p in players where true\ndeal 5 from stock to hand[me]\n"
"""The row holds red 1 to red 6, the first player green 1 to green 5."""


def ir_of(body: str) -> list[str]:
    """The printed IR without the places it came from."""
    return [line.split("  #")[0].rstrip() for line in show(compiled(with_body(body), 3)).splitlines()]


def offered(choice: str, **replaced: str) -> list[str]:
    """What the last choice of a text offers."""
    return play(START + choice, **replaced).offered[-1]


# ----------------------------------------------------------------- what it means


@pytest.mark.parametrize(
    ("ladder", "numbers"),
    [
        ("c.number > 3 if possible", [4, 5]),
        ("c.number > 9 if possible", [1, 2, 3, 4, 5]),
        ("c.number > 9 if possible, else c.number < 3 if possible", [1, 2]),
        ("c.number > 4 if possible, else c.number < 3 if possible", [5]),
        ("c.number > 9 if possible, else c.number < 1 if possible", [1, 2, 3, 4, 5]),
        ("c.number > 9 if possible, else c.number < 1 if possible, else c.number == 2 if possible", [2]),
        ("c.number > 9 if possible, else c.number < 3", [1, 2]),
        ("c.number > 4 if possible, else c.number < 3", [5]),
        ("c.number > 9 if possible, else c.number == 0 if total == 0 else c.number == 1", []),
        ("(c.number > 3 if total == 0 else c.number < 3) if possible", [4, 5]),
        ("(c.number > 3 if total == 1 else c.number < 3) if possible, else c.number == 5", [1, 2]),
        ("total == 1 or c.number == 3 if possible", [3]),
        ("total == 0 or c.number == 3 if possible", [1, 2, 3, 4, 5]),
        ("c.number == 3 or total == 0 if possible", [1, 2, 3, 4, 5]),
        ("total == 1 and c.number == 3 if possible, else c.number == 4", [4]),
        ("total == 0 and c.number == 3 if possible, else c.number == 4", [3]),
        ("true if possible, else false", [1, 2, 3, 4, 5]),
        ("false if possible, else c.number == 1", [1]),
    ],
)
def test_the_first_rung_that_some_option_satisfies_is_the_condition(ladder: str, numbers: list[int]) -> None:
    labels = offered(f'me may choose c from hand[me] where {ladder} as "{{c.number}}": move c to pile')
    assert labels == [*(str(number) for number in numbers), PASS]


SAME = [
    ("c.number == total if possible", "c.number == total or not some(d.number == total for d in hand[me])"),
    (
        "total == 0 or c.number == total if possible",
        "total == 0 or c.number == total or not some(d.number == total for d in hand[me])",
    ),
    (
        "c.number == total if possible, else c.number > 3",
        "c.number == total or not some(d.number == total for d in hand[me]) and c.number > 3",
    ),
    (
        "c.number == total if possible, else c.colour == red if possible",
        "c.number == total or not some(d.number == total for d in hand[me]) and "
        "(c.colour == red or not some(e.colour == red for e in hand[me]))",
    ),
    ("true if possible, else c.number > 3", "true"),
]


@pytest.mark.parametrize(("short", "long"), SAME)
def test_a_ladder_is_what_one_would_write_at_length(short: str, long: str) -> None:
    choice = 'me may choose c from hand[me] where {} as "{{c}}": move c to pile'
    assert ir_of(START + choice.format(short)) == ir_of(START + choice.format(long))


# ------------------------------------------------------------- where it may stand


def test_a_ladder_in_a_plain_choice_forces_what_it_says() -> None:
    body = 'me chooses c from hand[me] where c.number > 4 if possible as "{c}"\nmove c to pile\n'
    assert play(START + body).offered == [["green 5"]]


def test_a_plain_choice_whose_last_condition_holds_for_nothing_does_what_stands_under_otherwise() -> None:
    body = 'me chooses c from hand[me] where c.number > 8 if possible, else c.number > 7 as "{c}":\n  move c to pile\n'
    played = play(START + body + 'otherwise: note "nothing"')
    assert (played.offered, played.notes) == ([], ["nothing"])


def test_each_line_of_a_menu_asks_about_its_own_options() -> None:
    menu = (
        "me chooses:\n"
        '  c from hand[me] where c.number > 5 if possible as "low {c}":\n    move c to pile\n'
        '  c from row where c.number > 5 if possible as "high {c}":\n    move c to pile\n'
    )
    assert offered(menu) == [*(f"low green {n}" for n in range(1, 6)), "high red 6"]


def test_a_filter_of_what_is_chosen_from_is_asked_first() -> None:
    of = "(d for d in hand[me] where d.number < 4)"
    assert offered(f'me chooses c from {of} where c.number > 3 if possible as "{{c.number}}"') == ["1", "2", "3"]
    assert offered(f'me chooses c from {of} where c.number > 2 if possible as "{{c.number}}"') == ["3"]


def test_two_names_are_asked_about_together() -> None:
    choice = 'me chooses c from hand[me], n from 1..c.number where {} if possible as "{{c.number}} {{n}}"'
    assert offered(choice.format("c.number * n == 20")) == ["5 4"]
    assert offered(choice.format("n > 4")) == ["5 5"]
    assert len(offered(choice.format("n > c.number"))) == 1 + 2 + 3 + 4 + 5
    assert offered(choice.format("c.number == 1")) == ["1 1"]


@pytest.mark.parametrize(
    ("choice", "labels"),
    [
        ("n from 1..9 by 2 where n > 6 if possible", ["7", "9"]),
        ("n from 1..9 by 2 where n > 9 if possible, else n == 1", ["1"]),
        ("n from Colour where n != red if possible", ["green", "blue"]),
        ("n from players where n == next(me) if possible", ["P2"]),
        ("n from subsets(row, 2) where sum(c.number for c in n) == 11 if possible", ["red 5, red 6"]),
        ("n from groups of row by number where count(n) > 1 if possible, else 4 in (c.number for c in n)", ["red 4"]),
        ("n from top 2 of row where n.number < 6 if possible", ["red 5"]),
    ],
)
def test_whatever_can_be_chosen_from_has_ladders(choice: str, labels: list[str]) -> None:
    choice = choice.replace("4 in (c.number for c in n)", "some(c.number == 4 for c in n)")
    assert offered(f'me chooses {choice} as "{{n}}"') == labels


def test_cards_that_were_drawn_to_choose_from_are_drawn_once() -> None:
    body = (
        "shuffle stock into pile\nme chooses c from top 3 of pile where c.number > 9 if possible, "
        'else c.number > 0 if possible as "{c}"\nmove c to row\n'
    )
    played = play(START + body + 'note "{count(row)} {count(pile)}"')
    assert len(played.offered[-1]) == 3
    assert played.notes == ["7 6"]


def test_windows_and_choices_at_once_ask_each_player_about_their_own() -> None:
    deal = LAY_OUT + "for p in players: deal 2 from stock to hand[p]\n"  # 1 and 2, 3 and 4, 5 and 6 of green
    at_once = 'each player p at once chooses c from hand[p] where c.number in {} if possible as "{{c}}": move c to pile'
    assert play(deal + at_once.format("2..4")).offered == [["green 2"], ["green 3", "green 4"], ["green 5", "green 6"]]
    window = (
        'any player p may choose c from hand[p] where c.number == 4 if possible as "{c}":\n  move c to pile\n  stop'
    )
    played = play(deal + window, choices=(PASS, "green 4"))
    assert played.offered == [["green 1", "green 2", PASS], ["green 4", PASS]]


def test_a_card_chosen_unseen_is_one_that_the_ladder_lets_through() -> None:
    body = (
        START + "let q = next(me)\ndeal 3 from stock to hand[q]\nreveal first c in hand[q] where c.number == 1\n"
        'me chooses c from hand[q] where total == 1 if possible, else {} as "take"\nnote "{{c in hand[q]}}"\n'
    )
    assert play(body.format("true")).offered == [["take"]]
    assert play(body.format("total == 0 if possible")).notes == ["yes"]


# ------------------------------------------------------------- what it may not say


@pytest.mark.parametrize(
    ("choice", "code"),
    [
        ("me chooses c from hand[next(me)] where c.number > 3 if possible", "RR0507"),
        ("me chooses n from 1..3 where n > 2 if possible, else some(c.number == n for c in hand[next(me)])", "RR0507"),
        ("me chooses q from players where some(c.number == 3 for c in hand[q]) if possible", "RR0507"),
        ("me chooses c from hand[me] where c.number if possible", "RR0403"),
        ("me chooses c from hand[me] where c.numbr > 2 if possible, else c.number > 3", "RR0405"),
        ("me chooses c from hand[me] where c.number > 2 if possible, else d.number > 3", "RR0401"),
        ("me chooses 2 c from hand[me] where same(d.number for d in c) if possible", "RR0515"),
        ("let x = some(c.number > 3 if possible for c in row)", "RR0225"),
    ],
)
def test_what_is_wrong_in_a_ladder_is_told_once(choice: str, code: str) -> None:
    assert codes(START + choice) == [code]


def test_possible_stays_a_name() -> None:
    body = (
        'let possible = true\nlet n = 1 if possible else 2\nif possible: note "{n}"\n'
        'repeat:\n  stop if possible\nme chooses c from hand[me] where (c.number == 2 if possible else false) as "{c}"'
    )
    played = play(START + body)
    assert (played.notes, played.offered) == (["1"], [["green 2"]])
    soft = 'let possible = false\nme chooses c from hand[me] where possible if possible as "{c}"'
    assert len(offered(soft)) == 5
