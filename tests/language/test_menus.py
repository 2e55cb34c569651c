"""Menus: lines that may be chosen, and nothing happens."""

from __future__ import annotations

import pytest
from language_games import LAY_OUT, codes, findings, play, with_body

BEFORE = LAY_OUT + "let me = first p in players where true\n"
MENU = """\
me chooses:
  "pass" if total > 0
  c from row where c.number > 4 as "take {c}": move c to hand[me]
  "wait"
note "{count(hand[me])}"
"""


def test_a_text_without_a_block_may_be_chosen_and_nothing_happens() -> None:
    taken, waited = play(BEFORE + MENU), play(BEFORE + MENU, choices=("wait",))
    assert taken.offered == waited.offered == [["take red 5", "take red 6", "wait"]]
    assert (taken.notes, waited.notes) == (["1"], ["0"])


def test_its_if_is_asked_as_that_of_any_other() -> None:
    passed = play(BEFORE + "total = 1\n" + MENU, choices=("pass",))
    assert passed.offered == [["pass", "take red 5", "take red 6", "wait"]]
    assert passed.notes == ["0"]


def test_it_means_what_an_empty_block_would_mean() -> None:
    """The same decisions, and afterwards the same state, as with a statement that changes nothing."""
    idle = play(BEFORE + MENU, choices=("wait",))
    busy = play(BEFORE + MENU.replace('"wait"', '"wait": total += 0'), choices=("wait",))
    assert (idle.offered, idle.notes, idle.scores) == (busy.offered, busy.notes, busy.scores)
    assert [type(event) for event in idle.events] == [type(event) for event in busy.events]
    assert len(idle.vector) == len(busy.vector)


def test_at_once_and_with_may_too() -> None:
    at_once = 'each player p at once chooses:\n  "stay"\n  "go": points[p] += 1'
    assert play(at_once, choices=("go", "stay", "go")).scores == (1, 0, 1)
    may = BEFORE + 'me may choose:\n  "wait"\notherwise: total = 5\nnote "{total}"'
    assert play(may).offered == [["wait", "pass"]]
    assert (play(may).notes, play(may, choices=("pass",)).notes) == (["0"], ["5"])


def test_what_is_known_holds_behind_a_menu_only_if_it_holds_behind_each_line() -> None:
    menu = 'let found: Card or none = none\nme chooses:\n  "a": found = top of row\n  "b"\nmove found to hand[me]'
    assert codes(BEFORE + menu) == ["RR0407"]


@pytest.mark.parametrize(
    ("body", "code", "way"),
    [
        ('me chooses:\n  "pass":\nnote "a"', "RR0215", "take the ':' away if nothing happens then"),
        ('me chooses:\n  "pass"\n    note "a"', "RR0203", "lines that belong to the one above follow a colon"),
        ('me may "pass"', "RR0213", "end the line with ':'"),
        ("me chooses:\n  c from row", "RR0203", "end the line with ':' and say below what happens with what is picked"),
        ('any player p may choose:\n  "snap": stop\n  "wait"', "RR0515", "passing is offered anyway"),
    ],
)
def test_where_it_cannot_be(body: str, code: str, way: str) -> None:
    _, found = findings(with_body(BEFORE + body), 3)
    assert [d.code for d in found] == [code]
    assert next(iter(found)).help.startswith(way)
