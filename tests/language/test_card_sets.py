"""Sets of cards out of a zone: subsets, groups, covers, the top of a row; ranges with a step; two binders."""

from __future__ import annotations

import random
import textwrap

import pytest
from language_games import codes, play, play_text, with_body

from rulerun.facts.faults import RulesFault
from rulerun.run.covers import best_layout
from rulerun.run.domains import groups, subsets
from rulerun.run.sets import bits_of

ROW = "move (c for c in stock where c.number in 1..3 and c.colour != blue) to row\n"
"""Red 1 to 3, green 1 to 3."""


def test_subsets_in_an_expression() -> None:
    played = play(
        ROW
        + """\
let lead = first p in players where true
note "{count(s for s in subsets(row))} {count(s for s in subsets(row, 2))} {count(s for s in subsets(row, 0..9))}"
note "{sum(1 for s in subsets(row, 2..3) where worth(s) == 4)}"
note "{first s in subsets(row, 2) where worth(s) == 4}"
note "{best s in subsets(row, 1..2) by worth(s) - 10 * abs_of(worth(s) - 5)}"
note "{max(count(s) for s in subsets(row) where every(c.number == 1 for c in s))}"
note "{some(worth(s) == 12 for s in subsets(row))} {some(worth(s) == 13 for s in subsets(row))}"
note "{first s in subsets(row, 2) where worth(s) > 9 or else {}}"
note "{distinct(worth(s) for s in subsets(row, 1))} {every(count(s) > 1 for s in subsets(row, 2..3))}"
note "{count(s for s in subsets(row, 4..count(row) - 3))} {count(s for s in subsets(hand[lead]))}"
""",
        functions="worth(Cards cards): |\n  sum(c.number for c in cards)\nabs_of(int n): |\n  n if n > 0 else -n\n",
    )
    assert played.notes == [
        "63 15 64", "7", "red 1, red 3", "red 2, red 3", "2", "yes no", "", "3 yes", "0 0",
    ]  # fmt: skip


def test_choices_from_subsets_and_groups() -> None:
    body = (
        ROW
        + """\
let me = first p in players where true
move all of row to hand[me]
me chooses s from subsets(hand[me], 2..3) where worth(s) == 6 as "play {s}"
move s to row
me chooses g from groups of hand[me] by number as "lay {g}"
move g to pile
note "{count(hand[me])}"
"""
    )
    played = play(body, choices=("play red 1, red 2, red 3", "lay green 1"))
    assert played.offered == [
        [
            "play red 3, green 3", "play red 1, red 2, red 3", "play red 1, red 2, green 3",
            "play red 1, red 3, green 2", "play red 1, green 2, green 3", "play red 2, red 3, green 1",
            "play red 2, green 1, green 3", "play red 3, green 1, green 2", "play green 1, green 2, green 3",
        ],
        ["lay green 1", "lay green 2", "lay green 3"],
    ]  # fmt: skip
    assert played.notes == ["2"]


def test_groups_are_in_the_order_of_their_values() -> None:
    played = play(
        ROW
        + """\
let n = 0
for i in 1..6:
  n += i
note "{sum(worth(g) for g in groups of row by number)} {count(g for g in groups of row by number)}"
note "{first g in groups of row by number where count(g) == 2}"
note "{count(g for g in groups of (row without {top of row}) by colour where count(g) > 1)}"
"""
    )
    assert played.notes == ["18 6", "red 1, green 1", "3"]


def test_equal_cards_make_equal_sets_one_option() -> None:
    cards = """\
    face: {number: int}
    name: "a {number}"
    deck:
      - {number: 1, copies: 3}
      - {number: 2, copies: 2}
    """
    zones = "hand: {kind: hand, per: player}\nstock: {kind: hand, seen_by: everyone, start: deck}\n"
    body = """\
    let me = first p in players where true
    me chooses s from subsets(stock, 1..2) as "{s}"
    move s to hand[me]
    me chooses g from groups of stock by number where count(g) > 1 as "{g}"
    """
    functions = "worth(Cards cards): |\n  count(cards)\n"
    played = play(body, cards=cards, zones=zones, types="Colour: [red, blue]\n", functions=functions)
    assert played.offered == [["a 1", "a 2", "a 1, a 1", "a 1, a 2", "a 2, a 2"], ["a 1, a 1", "a 2, a 2"]]


MELDS = """\
worth(Cards cards): |
  sum(c.number for c in cards)
is_meld(Cards g): |
  if same(c.number for c in g): return true
  let low = min(c.number for c in g)
  same(c.colour for c in g) and max(c.number for c in g) - low == count(g) - 1
"""


def test_the_best_cover() -> None:
    played = play(
        ROW
        + """\
note "{best cover of row by g of 3..4 where is_meld(g) by worth(g)}"
note "{cover of row by g of 3..4 where is_meld(g) by worth(g)}"
note "{worth(row) - best cover of (row without {bottom of row}) by g of 2..3 where is_meld(g) by worth(g)}"
note "{cover of row by g of 2..2 where is_meld(g) by 1}"
note "{best cover of row by g of 4..5 by worth(g)} {best cover of row by g of 7..9 by worth(g)}"
note "{best cover of row by g of 1..1 by (0 - worth(g))}"
""",
        functions=MELDS,
    )
    assert played.notes == [
        "12", "red 1, red 2, red 3, green 1, green 2, green 3", "1", "red 1, red 2, red 3, green 1, green 2, green 3",
        "11 0", "0",
    ]  # fmt: skip


def test_a_cover_stands_in_functions_and_loops_of_choices() -> None:
    functions = MELDS + textwrap.dedent("""\
        deadwood(Player p): |
          worth(hand[p]) - best cover of hand[p] by g of 3..4 where is_meld(g) by worth(g)
        """)
    body = """\
    let me = first p in players where true
    move (c for c in stock where c.number == 1 or c.colour == red) to hand[me]
    note "{deadwood(me)}"
    me chooses c from hand[me]
      where 21 == best cover of (hand[me] without {c}) by g of 3..4 where is_meld(g) by worth(g) as "{c}"
    """
    played = play(body, functions=functions, guarded=False)
    assert played.notes == ["2"]
    assert played.offered == [["red 2", "green 1", "blue 1"]]


def test_too_much_is_a_fault() -> None:
    with pytest.raises(RulesFault) as told:
        play('note "{count(s for s in subsets(stock))}"', guarded=False)
    assert told.value.code == "RR0615"
    with pytest.raises(RulesFault) as told:
        play('note "{best cover of stock by g of 1..2 by worth(g)}"', guarded=False)
    assert told.value.code == "RR0616"
    with pytest.raises(RulesFault) as told:
        play(ROW + 'note "{best cover of row by g of 1..2 by (1000000000 * worth(g))}"')
    assert told.value.code == "RR0602"


def all_layouts(groups_: list[tuple[int, int]]) -> int:
    """The best total of disjoint groups, by trying every family of them."""
    if not groups_:
        return 0
    (group, value), *rest = groups_
    apart = [(other, worth) for other, worth in rest if not other & group]
    return max(all_layouts(rest), value + all_layouts(apart))


def test_covers_are_the_best_of_all_layouts() -> None:
    chance = random.Random(4)
    for _ in range(80):
        of = sum(1 << card for card in chance.sample(range(20), 6))
        worth = [(g, chance.randrange(-2, 6)) for g in subsets(bits_of(of), 1, 3) if chance.random() < 0.25]
        total, covered = best_layout(of, worth)
        assert total == all_layouts(worth)
        assert covered & ~of == 0
        assert best_layout(covered, worth) == (total, covered)


def test_orders_of_sets() -> None:
    assert list(subsets([1, 2, 4], 1, 2)) == [0b10, 0b100, 0b10000, 0b110, 0b10010, 0b10100]
    assert list(subsets([0, 1], -3, None)) == [0, 1, 2, 3]
    assert list(groups(range(5), (5, -1, 5, 0, 5))) == [0b10, 0b1000, 0b1, 0b101, 0b10101]
    assert best_layout(0b111, [(0b011, 1), (0b110, 1)]) == (1, 0b011)
    assert best_layout(0b111, [(0b001, 0)]) == (0, 0b001)
    assert best_layout(0b111, [(0b001, -1)]) == (0, 0)


def test_the_top_of_a_row() -> None:
    played = play(
        ROW
        + """\
move all of row to pile
move (c for c in stock where c.colour == blue) to row
note "{top 2 of row}; {bottom 2 of row}; {top 2 of pile}; {bottom 1 of pile}"
let n = 3
note "{same(c.colour for c in top n of row)} {count(top 9 of row)} {worth(top n of row)}"
n = -1
note "{count(top n of row)} {top 1 of row == {top of row}}"
note "{count(c for c in top 3 of row where c.number > 4)}"
"""
    )
    assert played.notes == [
        "blue 5, blue 6; blue 1, blue 2; green 2, green 3; red 1", "yes 6 15", "0 yes", "2",
    ]  # fmt: skip


def test_ranges_with_a_step() -> None:
    played = play(
        """\
        for i in 7..3 by -2:
          note "{i}"
        for i in 1..6 by 2:
          total = total * 10 + i
        let low = 5
        for i in low..low - 4 by -1 where i != 3:
          total = total * 10 + i
        note "{total}"
        note "{sum(i for i in 10..1 by -3)} {count(i for i in total..1 by 2)}"
        note "{max(i for i in 9..1 by -1 where i % 4 == 0)}"
        note "{stepped(9)}"
        let me = first p in players where true
        me chooses n from 3..1 by -1
        """,
        functions="stepped(int n): |\n  let s = 0\n  for i in n..1 by -4:\n    s = s * 10 + i\n  s\n",
    )
    assert played.notes == ["7", "5", "3", "1355421", "22 0", "8", "951"]
    assert played.offered == [["choose 3", "choose 2", "choose 1"]]


def test_two_binders_and_a_set_beside_a_number() -> None:
    body = (
        ROW
        + """\
let me = first p in players where true
move all of row to hand[me]
me chooses c from hand[me], i from 1..3 where c.number + i == 4 as "lay {c} on {i}"
note "{c} {i}"
me chooses g from groups of hand[me] by number, n from 0..1 where count(g) == n + 1 as "{g} at {n}"
"""
    )
    played = play(body, choices=("lay red 2 on 2", "red 1, green 1 at 1"))
    assert played.offered == [
        [
            "lay red 1 on 3", "lay red 2 on 2", "lay red 3 on 1",
            "lay green 1 on 3", "lay green 2 on 2", "lay green 3 on 1",
        ],
        [
            "red 1 at 0", "red 1, green 1 at 1", "red 2 at 0", "red 2, green 2 at 1", "red 3 at 0",
            "red 3, green 3 at 1",
        ],
    ]  # fmt: skip
    assert played.notes == ["red 2 2"]


def test_what_is_wrong_is_told() -> None:
    assert codes("let s = subsets(row, 2)") == ["RR0409"]
    assert codes("let s = groups of row by colour") == ["RR0409"]
    assert codes("for s in subsets(row, 2):\n  total += 1") == ["RR0409"]
    assert codes("let s = random of subsets(row, 2)") == ["RR0409"]
    assert codes("total = count(s for s in subsets(row, 3..2))") == ["RR0412"]
    assert codes("total = count(s for s in subsets())") == ["RR0406"]
    assert codes("total = count(s for s in subsets(total))") == ["RR0403"]
    assert codes("total = count(s for s in groups of row by size)") == ["RR0405"]
    assert codes("shuffle stock\ntotal = count(s for s in subsets(stock, 2))") == ["RR0516"]
    assert codes("shuffle stock\ntotal = count(top 2 of stock)") == ["RR0502"]
    assert codes("let me = first p in players where true\ntotal = count(top 2 of hand[me])") == ["RR0403"]
    assert codes("for i in 1..3 by 0:\n  total += 1") == ["RR0412"]
    assert codes("for i in 1..3 by total:\n  total += 1") == ["RR0412"]
    assert codes("for i in 1..3 by -1:\n  total += 1") == ["RR0412"]
    assert codes("total = best cover of row by g of 2..3 where worth(g) by worth(g)") == ["RR0403"]
    assert codes("total = cover of row by g of 2..3 by worth(g)") == ["RR0403"]
    inner = "sum(best cover of hand[q] by h of 3..4 by 1 for q in players)"
    work = f"sum(best cover of hand[p] by g of 3..4 by {inner} for p in players)"
    assert codes(f"total = {work}") == ["RR0506"]


def test_sets_of_another_hand_are_not_offered() -> None:
    me = "let me = first p in players where true\n"
    assert codes(me + 'me chooses s from subsets(hand[next(me)], 2) as "{s}"') == ["RR0507"]
    assert codes(me + 'me chooses g from groups of hand[next(me)] by number as "{g}"') == ["RR0507"]
    asking = 'for q in players:\n  deal 3 from stock to rack[q]\n  me chooses g from groups of rack[q] by number as "x"'
    text = with_body(me + asking)
    with pytest.raises(RulesFault) as told:
        play_text(text)
    assert told.value.code == "RR0612"


def test_a_cover_of_no_cards_at_all_is_worth_nothing() -> None:
    played = play('total = best cover of {} by g of 2..3 by 1\nnote "{total} {count(cover of row by g of 2..3 by 1)}"')
    assert played.notes == ["0 0"]
