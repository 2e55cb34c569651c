"""Words that make rule text shorter: each means exactly what the longer text beside it means."""

from __future__ import annotations

import pytest
from language_games import LAY_OUT, codes, compiled, play, with_body

from rulerun.ir.printer import show


def ir_of(body: str, **replaced: str) -> list[str]:
    """The printed IR without the places it came from."""
    text = show(compiled(with_body(body, **replaced), 3))
    return [line.split("  #")[0].rstrip() for line in text.splitlines()]


# ------------------------------------------------------------------- shuffle into


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("shuffle all cards into stock", "collect all cards to stock\nshuffle stock"),
        ("shuffle row into stock", "collect row to stock\nshuffle stock"),
        ("shuffle all of hand into pile", "collect all of hand to pile\nshuffle pile"),
        (
            "shuffle (c for c in row where c.number > 3) into stock",
            "collect (c for c in row where c.number > 3) to stock\nshuffle stock",
        ),
    ],
)
def test_to_shuffle_cards_into_a_zone_is_to_collect_and_to_shuffle(short: str, long: str) -> None:
    before, after = LAY_OUT + "deal 2 from stock to hand[first p in players where true]\n", "\ndeal 3 from stock to row"
    assert ir_of(before + short + after) == ir_of(before + long + after)
    one, two = play(before + short + after), play(before + long + after)
    assert one.events == two.events
    assert one.vector == two.vector


def test_cards_that_were_shuffled_into_a_zone_have_no_order_yet() -> None:
    assert codes("shuffle all cards into pile\nlet best_one = first c in pile where c.number > 3") == ["RR0516"]
    played = play('shuffle all cards into pile\nnote "{count(pile)} {count(stock)}"')
    assert played.notes == ["18 0"]


def test_into_and_shuffle_stay_names() -> None:
    assert play('let into = 2\nlet shuffle = 3\nshuffle = into + shuffle\nnote "{into} {shuffle}"').notes == ["2 5"]


# --------------------------------------------------------------- loops in one line

IN_A_LINE = [
    ('for p in players for n in 1..2: note "{p} {n}"', 'for p in players:\n  for n in 1..2: note "{p} {n}"'),
    (
        "for p in players where p != me for c in hand[p] where c.number > 2 for n in 1..c.number:\n  points[p] += n",
        "for p in players where p != me:\n  for c in hand[p] where c.number > 2:\n    for n in 1..c.number:\n"
        "      points[p] += n",
    ),
    (
        "for c in Colour for q in players after me:\n  skip to next if c == green\n  points[q] += order_of(c)",
        "for c in Colour:\n  for q in players after me:\n    skip to next if c == green\n    points[q] += order_of(c)",
    ),
]
FUNCTIONS = {"functions": "order_of(Colour c): |\n  1 if c == red else 10"}


@pytest.mark.parametrize(("short", "long"), IN_A_LINE)
def test_loops_in_a_line_are_loops_in_one_another(short: str, long: str) -> None:
    before = "for p in players: deal 3 from stock to hand[p]\nlet me = first p in players where true\n"
    assert ir_of(before + short, **FUNCTIONS) == ir_of(before + long, **FUNCTIONS)
    one, two = play(before + short, **FUNCTIONS), play(before + long, **FUNCTIONS)
    assert (one.notes, one.vector) == (two.notes, two.vector)


def test_an_inner_domain_is_looked_at_anew_for_each_outer_value() -> None:
    played = play(
        """\
        for p in players: deal 2 from stock to hand[p]
        for p in players for c in hand[p]:
          move c to row
          for q in players where q != p: move all of hand[q] to pile
        note "{count(row)} {count(pile)}"
        """
    )
    assert played.notes == ["2 4"]


def test_what_an_outer_clause_has_asked_is_known_in_the_inner_ones() -> None:
    body = "let found: Player or none = first p in players where count(hand[p]) > 1 or else none\n"
    assert codes(body + "for n in 1..2 where found is a player for c in hand[found]: total += n") == []
    assert codes(body + "for n in 1..2 for c in hand[found]: total += n") == ["RR0407"]


def test_loops_in_a_line_in_a_function() -> None:
    functions = """\
    rectangle(int a, int b): |
      let sum_of_all = 0
      for x in 1..a where x != 2 for y in x..b:
        skip to next if y == 3
        sum_of_all += x * 10 + y
      sum_of_all
    """
    assert play('note "{rectangle(3, 4)}"', functions=functions).notes == [str(11 + 12 + 14 + 34)]


def test_stop_must_not_stand_in_two_loops_of_a_line() -> None:
    assert codes("for p in players for n in 1..3:\n  stop if n == 2\n  points[p] += n") == ["RR0509"]
    assert codes("for p in players for n in 1..3:\n  if n == 2:\n    stop\n  else:\n    stop") == ["RR0509", "RR0509"]
    assert codes("for p in players for n in 1..3:\n  repeat:\n    stop") == []
    assert codes("repeat:\n  for p in players for n in 1..3:\n    end game") == []
    played = play("for p in players for n in 1..2:\n  for k in 1..9:\n    stop if k == n\n    points[p] += 1")
    assert played.scores == (1, 1, 1)


# ------------------------------------------------------- how many conditions hold


def test_count_of_conditions_is_how_many_hold() -> None:
    body = """\
let me = first p in players where true
note "{count(true, false, row is empty)} {count(count(row) > 5, some(c.number == 6 for c in row))}"
total = count(points[me] == 0, total > 3, count(row) == 6, hand[me] is empty) * 10
note "{total}"
"""
    played = play(LAY_OUT + body)
    assert played.notes == ["1 2", "30"]


def test_count_of_one_thing_and_of_conditions_are_kept_apart() -> None:
    assert codes("total = count(total == 3)") == ["RR0403"]
    assert codes("total = count(row, stock)") == ["RR0403"]
    assert codes("total = count(total == 3, total)") == ["RR0403"]
    assert codes("total = count()") == ["RR0406"]
    assert codes('note "{count(some(c.number > 3 for c in rack[p] for p in players), true)}"') != []


def test_hidden_faces_are_found_in_a_count_of_conditions() -> None:
    body = 'let me = first p in players where true\ndeal 1 from stock to hand[me]\n'
    body += 'note "{count(total > 3, some(c.number > 2 for c in hand[me]))}"'
    assert codes(body) == ["RR0508"]


# ----------------------------------------------------------- a block behind a block


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("if total == 0: for p in players: points[p] += 1", "if total == 0:\n  for p in players:\n    points[p] += 1"),
        ("for p in players: if p != me: points[p] += 1", "for p in players:\n  if p != me:\n    points[p] += 1"),
        ("repeat 3 times: if total < 2: total += 1", "repeat 3 times:\n  if total < 2:\n    total += 1"),
        ("if total == 0: repeat 2 times: total += 1", "if total == 0:\n  repeat 2 times:\n    total += 1"),
        ("repeat: if total > 2: stop\ntotal += 1", "repeat:\n  if total > 2:\n    stop\ntotal += 1"),
        (
            "if total == 1: total = 5\nelif total == 0: for p in players for n in 1..2: points[p] += n",
            "if total == 1:\n  total = 5\nelif total == 0:\n"
            "  for p in players:\n    for n in 1..2:\n      points[p] += n",
        ),
        (
            "if total == 1: total = 5\nelse: for p in players: points[p] += 1",
            "if total == 1:\n  total = 5\nelse:\n  for p in players:\n    points[p] += 1",
        ),
        (
            'me may "take": if total == 0: total = 2\notherwise: for p in players: points[p] = 3',
            'me may "take":\n  if total == 0:\n    total = 2\notherwise:\n  for p in players:\n    points[p] = 3',
        ),
    ],
)
def test_a_block_in_a_line_may_hold_one_more(short: str, long: str) -> None:
    before = "let me = first p in players where true\n"
    if short.startswith("repeat:"):
        before += "total = 3\n"
    assert ir_of(before + short) == ir_of(before + long)
    one, two = play(before + short), play(before + long)
    assert (one.scores, one.vector) == (two.scores, two.vector)


@pytest.mark.parametrize("ending", ["else: total = 3", "else:\n  total = 3", "elif total == 2: total = 3"])
@pytest.mark.parametrize(
    "line",
    [
        "if total == 0: if points[me] == 0: total = 1",
        "for p in players: if points[p] == 0: total = 1",
        "if total == 0: for p in players: points[p] = 1",
        "if total == 0: repeat 2 times: total += 1",
        "if total == 1: total = 1\nelif total == 0: if points[me] == 0: total = 1",
    ],
)
def test_no_else_follows_a_line_with_two_blocks(line: str, ending: str) -> None:
    assert codes(f"let me = first p in players where true\n{line}\n{ending}") == ["RR0214"]


def test_an_else_after_the_block_around_such_a_line_is_that_of_the_block() -> None:
    body = """\
    if total == 1:
      for p in players: if points[p] == 0: points[p] = 1
    else:
      total = 7
    note "{total}"
    """
    assert play(body).notes == ["7"]


@pytest.mark.parametrize(
    "line",
    [
        "if total == 0: if total < 3: if total < 2: total = 1",
        "if total == 0: repeat: stop",
        'if total == 0: me may "x": total = 1',
        "if total == 0: if total == 1:\n  total = 3",
        "for p in players: repeat 2 times: for n in 1..3: total += 1",
    ],
)
def test_no_more_than_two_blocks_in_a_line(line: str) -> None:
    assert codes(f"let me = first p in players where true\n{line}") == ["RR0215"]
