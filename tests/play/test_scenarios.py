"""Tests of rulesets in text form: those of the page pass, and each sort of wrong expectation is told."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

import pytest

from rulerun.play.scenarios import Verdict

Run = Callable[[str], list[Verdict]]

TRICK = """\
given:
  hand: {P1: [3, 12], P2: [7, 9]}
start: trick(P1)
"""


def one(test: str) -> str:
    return "tests:\n  it:\n" + indent(test, "    ")


def test_the_tests_of_the_page_pass(verdicts: Run, page_tests: str) -> None:
    results = verdicts(page_tests)
    assert [(v.scenario.name, v.problem) for v in results] == [
        ("the highest card takes the trick", None),
        ("nobody sees the other hand", None),
        ("a whole game of one card", None),
    ]


@pytest.mark.parametrize(
    "expect",
    [
        "hand[P1]: [12, 3]",
        "hand[P1]: [3, ?]".replace("?", '"?"'),
        "hand: {P1: [3, 12], P2: 2 cards}",
        "hand[P1]: [{number: 3}, ...]",
        "count(hand[P1]): 2",
        "table[P1]: empty",
        "table[P1]: []",
        "deck: 16 cards",
        'deck: ["?", ...]',
        "leader: P1",
        "asked: P1",
        "offered: play 3",
        "offered: [Play 3, PLAY  12]",
        "not offered: [play 7, pass]",
        "options: [play 12, play 3]",
        "over: false",
        "score(P2): 0",
        "scores: [0, 0]",
        "scores: {P2: 0}",
        'P2 sees: {"hand[P1]": ["?", "?"], "hand[P2]": [9, 7], deck: nothing}',
        'P2 sees: {"hand[P1]": 2 cards}',
        'P2 does not see: ["hand[P1]", deck]',
    ],
)
def test_what_holds_is_accepted(verdicts: Run, expect: str) -> None:
    [verdict] = verdicts(one(f"{TRICK}expect:\n  {expect}\n"))
    assert verdict.problem is None, (verdict.problem.message, verdict.problem.details)


@pytest.mark.parametrize(
    ("expect", "message", "details"),
    [
        ("hand[P1]: [3, 13]", "expected hand of P1 to be [3, 13], found [3, 12]", ("no card for 13",)),
        ("hand[P1]: [3]", "expected hand of P1 to be [3] (1 card), found [3, 12] (2 cards)", ()),
        ("hand[P1]: 3 cards", "expected hand of P1 to be 3 cards, found 2 cards", ()),
        ("count(hand[P1]): 3", "expected count(hand[P1]) to be 3, found 2", ()),
        ("leader: P2", "expected leader to be P2, found P1", ()),
        (
            "over: true",
            "expected over to be true, found false",
            ("P1 is asked, with the options:", "  play 3", "  play 12"),
        ),
        ("asked: P2", "expected asked to be P2, found P1", ("P1 is asked, with the options:", "  play 3", "  play 12")),
        ("offered: play 4", "'play 4' is not offered", ("P1 is asked, with the options:", "  play 3", "  play 12")),
        (
            "not offered: play 3",
            "'play 3' is offered, but should not be",
            ("P1 is asked, with the options:", "  play 3", "  play 12"),
        ),
        (
            "options: play 3",
            "'play 12' is offered too, which is not among the options expected",
            ("P1 is asked, with the options:", "  play 3", "  play 12"),
        ),
        ("scores: {P1: 2}", "expected the score of P1 to be 2, found 0", ("scores: P1 0, P2 0",)),
        (
            "winners: [P1]",
            "the game is not over, so nobody has won yet",
            ("P1 is asked, with the options:", "  play 3", "  play 12"),
        ),
        ("fault: RR0606", "expected fault to be RR0606, found no fault", ()),
        (
            'P2 sees: {"hand[P1]": [3, 12]}',
            "expected hand of P1 as P2 sees it to be [3, 12], found [?, ?]",
            ("no card for 3",),
        ),
        (
            'P1 sees: {"hand[P1]": [3, "?"]}',
            "expected hand of P1 as P1 sees it to be [3, ?], found [3, 12]",
            ("no card for ?",),
        ),
        ("P1 does not see: hand[P1]", "P1 knows of hand of P1: 3, 12", ()),
        ("top of deck: 4", "expected top of deck to be 4, found a card that nobody has drawn or seen yet", ()),
        ("top of table[P1]: 4", "expected top of table[P1] to be 4, found no card there", ()),
        ("top of hand[P1]: 3", "hand of P1 has no order, so no top and no bottom", ()),
        ("hnad[P1]: [3]", "nothing is called 'hnad' that can be expected", ("did you mean 'hand'?",)),
        ("hand: [3]", "the zone 'hand' is one per Player: write hand[P1]", ()),
        ("deck[P1]: empty", "the zone 'deck' is only one: write deck without [P1]", ()),
        ("hand[P3]: empty", "'P3' is no player: there are P1, P2", ()),
        ("hand[P1]: [queen]", "there is no card 'queen'", ()),
        ("hand[P1]: [{nubmer: 3}]", "there is no field of the cards 'nubmer'", ("did you mean 'number'?",)),
        ("hand[P1]: [{number: 99}]", "there is no card {number: 99}", ()),
        ("hand[P1]: [{number: x}]", "'x' is no whole number", ()),
        ("leader: nobody", "'nobody' is no player: there are P1, P2", ()),
    ],
)
def test_what_does_not_hold_is_told(verdicts: Run, expect: str, message: str, details: tuple[str, ...]) -> None:
    [verdict] = verdicts(one(f"{TRICK}expect:\n  {expect}\n"))
    assert verdict.problem is not None
    assert (verdict.problem.message, verdict.problem.details) == (message, details)
    assert verdict.problem.span.line == 7


@pytest.mark.parametrize(
    ("steps", "message", "details"),
    [
        ("[P2: play 7]", "P2 is not asked here, P1 is", ("P1 is asked, with the options:", "  play 3", "  play 12")),
        (
            "[P1: play 13]",
            "P1 cannot choose 'play 13'",
            ("did you mean 'play 12'?", "P1 is asked, with the options:", "  play 3", "  play 12"),
        ),
        ("[P1: play 3, P2: play 7, P2: play 9]", "the game is over: nobody is asked any more", ()),
        ("[all pass]", "nobody can pass here", ("P1 is asked, with the options:", "  play 3", "  play 12")),
        ("[chance: 5]", "no chance gives '5' before the next choice", ("no chance is left here",)),
    ],
)
def test_a_step_that_cannot_be_done_is_told(verdicts: Run, steps: str, message: str, details: tuple[str, ...]) -> None:
    [verdict] = verdicts(one(f"{TRICK}when: {steps}\nexpect: {{over: true}}\n"))
    assert verdict.problem is not None
    assert (verdict.problem.message, verdict.problem.details) == (message, details)


@pytest.mark.parametrize(
    ("test", "message"),
    [
        (
            "given: {deck: empty}\nstart: trick(P1)",
            "deck is given as empty, but the cards that the test does not name start there",
        ),
        ("given: {deck: [3, 3]}\nstart: trick(P1)", "the game has no further card 3 (it has 1 of them)"),
        ("given: {hand: {P1: [3]}}", "'given' wants 'start': a game that begins as usual sets its own table"),
        ("start: trik(P1)", "there is no rule or event 'trik'"),
        ("start: trick", "trick(Player first) takes 1 arguments, not 0"),
        ("start: trick(P9)", "'P9' is no player: there are P1, P2"),
        ("given: {hand: {P1: [3]}, 'hand[P1]': [4]}\nstart: trick(P1)", "hand of P1 is given twice"),
        ("given: {rest: hnd}\nstart: trick(P1)", "there is no zone 'hnd'"),
        ("players: 9", "High Card is for 2 to 4 players, not 9"),
    ],
)
def test_a_table_that_cannot_be_set_is_told(verdicts: Run, test: str, message: str) -> None:
    [verdict] = verdicts(one(f"{test}\nexpect: {{over: true}}\n"))
    assert verdict.problem is not None
    assert message in verdict.problem.message


def test_cards_are_laid_in_order_and_the_rest_below_in_no_order(verdicts: Run) -> None:
    [verdict] = verdicts(
        one(
            "given: {deck: [4, 18], table: {P1: [1, 2, 5]}, hand: {P1: [9], P2: [10]}}\nstart: trick(P1)\nexpect:\n"
            '  deck: [4, 18, "?", "?", ...]\n  count(deck): 15\n  table[P1]: [1, 2, 5]\n  top of table[P1]: 5\n'
            "  bottom of table[P1]: 1\n  P1 does not see: deck\n"
        )
    )
    assert verdict.problem is None, verdict.problem.message


def test_the_rest_can_be_put_away(verdicts: Run) -> None:
    [verdict] = verdicts(
        one("given: {deck: [4], rest: 'won[P2]'}\nstart: trick(P1)\nexpect: {fault: RR0607, score(P2): 19, deck: [4]}")
    )
    assert verdict.problem is None, verdict.problem.message


def test_a_fault_that_no_test_expects_is_told(verdicts: Run) -> None:
    [verdict] = verdicts(one("given: {}\nstart: trick(P1)\nexpect: {over: true}"))
    assert verdict.problem is not None
    assert verdict.problem.message.startswith("the game stopped with a fault: RR0607")


def test_the_seed_settles_what_no_step_settles(verdicts: Run) -> None:
    test = "tests: {it: {players: 2, seed: SEED, expect: {'hand[P1]': [1, 2]}}}"
    told = {verdicts(test.replace("SEED", str(seed)))[0].problem.message for seed in (1, 1, 2, 3)}  # type: ignore[union-attr]
    assert len(told) == 3
