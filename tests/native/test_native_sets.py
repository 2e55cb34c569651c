"""Sets of cards, counted, found by number and worked out without a loop: as the reference lists and runs over them."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("llvmlite")

from executors_agree import Pair

import rulerun
from rulerun.ir import nodes as ir
from rulerun.native.compiler import shared_parts
from rulerun.native.expressions import Emitter
from rulerun.native.sets.carried import SetTest, set_test
from rulerun.native.sets.lanes import fits_lanes
from rulerun.native.text import Writer

HEAD = """
rulerun: 1
game: Sets
about: A hand is looked at.
players: 2
sources: [ours]
cards: {deck: DECK}
zones:
  stock: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  away: {kind: pile, seen_by: everyone}
"""
FRENCH, TWINS = "french52", "{standard: french32, copies: 2}"
CHOOSING = """
rules:
  play: |
    shuffle all cards into stock
    repeat 3 times:
      for p in players: deal HELD from stock to hand[p]
      for p in players:
        p chooses:
          WANTED gone from hand[p] as "put away {gone}": move gone to away
          "keep all" if count(hand[p]) > 3: move all of hand[p] to away
      for p in players: move all of hand[p] to away
result: {score(Player p): "count(c for c in away where c.suit == clubs)", winner: [highest score]}
"""
LOOKING = """
state:
  found: int per Player
  met: Cards per Player
functions:
  is_run(Cards s): |
    same(c.suit for c in s)
      and max(order(c.rank) for c in s) - min(order(c.rank) for c in s) == count(s) - 1
  pips(Card c): min(order(c.rank) + 2, 10)
  worth(Cards s): sum(pips(c) for c in s)
  figure(Cards s): FIGURE
  covered(Cards s): COVERED
rules:
  play: |
    shuffle all cards into stock
    for p in players: deal HELD from stock to hand[p]
    repeat 4 times:
      for p in players:
        p chooses card from hand[p] as "put away {card}"
        move card to away
        found[p] += figure(hand[p])
        met[p] = covered(hand[p])
result: {score(Player p): "100 * found[p] + worth(met[p])", winner: [highest score]}
"""


def load(tmp_path: Path, text: str, **put_in: object) -> rulerun.Game:
    """The game of a text in which words are replaced."""
    for word, by in put_in.items():
        text = text.replace(word, str(by))
    file = tmp_path / "sets.yaml"
    file.write_text(text, encoding="utf-8")
    return rulerun.load(file)


def agree(game: rulerun.Game, games: int = 40) -> None:
    """Both executors play the same games, step by step and as playouts."""
    pair = Pair(game.program)
    for seed in range(3):
        pair.play(seed, Random(seed), 12)
    pair.compare_playouts(0, games, 5)


@pytest.mark.parametrize("wanted", ["1..3", "0..2", "5", "2..9", "0"])
@pytest.mark.parametrize("deck", [FRENCH, TWINS], ids=["all differ", "twins"])
def test_a_set_is_found_by_its_number(tmp_path: Path, deck: str, wanted: str) -> None:
    agree(load(tmp_path, HEAD + CHOOSING, DECK=deck, HELD=7, WANTED=wanted))


@pytest.mark.parametrize("deck", [FRENCH, TWINS], ids=["all differ", "twins"])
def test_sets_that_are_too_many_are_still_picked_card_by_card(tmp_path: Path, deck: str) -> None:
    """16 cards have 4,368 sets of five; those of 15 cards can be listed."""
    for held in (15, 16):
        agree(load(tmp_path, HEAD + CHOOSING.replace("3 times", "1 times"), DECK=deck, HELD=held, WANTED="5"), 20)


FIGURES = [
    "count(t for t in subsets(s, 3..5) where is_run(t))",
    "count(t for t in subsets(s, 2..5) where worth(t) == 15)",
    "count(t for t in subsets(s, 1..6) where distinct(c.rank for c in t) == count(t) - 1)",
    "max(count(t) for t in subsets(s, 1..4) where same(c.rank for c in t) or is_run(t)) or else 0",
    "min(worth(t) - 3 for t in subsets(s, 2..5) where is_run(t)) or else 77",
    "sum(worth(t) for t in subsets(s, 2..3) where some(c.suit == hearts for c in t))",
    "1 if some(is_run(t) for t in subsets(s, 3..5)) else 0",
    "1 if every(worth(t) > 9 or not is_run(t) for t in subsets(s, 2..4)) else 0",
    "count(t for t in subsets(s, 2..4) where every(c.rank > six for c in t) and count(t) == 3 and worth(t) < 30)",
    "count(t for t in subsets(s, 2..4) where some(d in t for d in s where d.rank == ace))",
    "max(order(c.rank) for c in s) + 20 * distinct(c.suit for c in s) - min(pips(c) for c in s)",
    "1 if same(c.suit for c in s) else 2 if same(c.rank for c in s) else 3",
]


@pytest.mark.parametrize("figure", FIGURES)
def test_a_fold_over_sets_is_the_same_in_both(tmp_path: Path, figure: str) -> None:
    """Of eight cards four to seven are left, five and fewer of which are looked at in lanes."""
    agree(load(tmp_path, HEAD + LOOKING, DECK=FRENCH, HELD=8, FIGURE=figure, COVERED="s"), 30)


@pytest.mark.parametrize("deck", [FRENCH, "{standard: french52, copies: 2}"], ids=["one word", "two words"])
@pytest.mark.parametrize("groups", ["3..5 where is_run(g)", "2..4 where same(c.rank for c in g)", "1..2"])
def test_a_cover_is_the_same_in_both(tmp_path: Path, deck: str, groups: str) -> None:
    """The first of equally good layouts, too: which cards it covers depends on the order of the groups."""
    size, _, where = groups.partition(" ")
    text = f"cover of s by g of {size} {where} by worth(g)"
    best = f"best {text}"
    game = load(tmp_path, HEAD + LOOKING, DECK=deck, HELD=12, FIGURE=best, COVERED=text)
    agree(game, 15)


ASKING = """
state:
  asked: int per Player
rules:
  play: |
    shuffle all cards into stock
    for p in players: deal 6 from stock to hand[p]
    repeat 4 times:
      for me in players:
        me chooses:
          q from players after me, r from Rank where WHERE as "ask {q} for {r}": asked[me] += order(r)
          card from hand[me], n from 1..count(hand[me]) as "lay {card} as {n}": move card to away
          r from Rank, card from hand[me] where card.rank != r and asked[me] < 40 as "{r} for {card}":
            move card to away
            asked[me] += 3
          "pass"
result: {score(Player p): "asked[p]", winner: [highest score]}
"""


@pytest.mark.parametrize(
    "where",
    [
        "hand[q] is not empty and some(c.rank == r for c in hand[me])",
        "some(c.rank == r for c in hand[q]) or order(r) < asked[me]",
        "100 // (asked[me] - 7) < 50 and r != ace",
    ],
)
def test_options_of_several_things_are_counted_row_by_row(tmp_path: Path, where: str) -> None:
    agree(load(tmp_path, HEAD + ASKING, DECK=FRENCH, WHERE=where), 60)


# ----------------------------------------------------------------- what is known


def set_tests_of(game: rulerun.Game) -> list[tuple[ir.Fold, SetTest, bool]]:
    """The folds over sets in the functions of a game, with the test by carried values and whether it fits lanes."""
    from rulerun.ir.traverse import walk

    found = []
    shared = shared_parts(game.program)
    e = Emitter(shared, Writer(shared.module), {})
    for function in game.program.functions:
        for node in walk(function.blocks):
            if isinstance(node, ir.Fold) and isinstance(node.domain, ir.SubsetDomain):
                test = set_test(e, node.local, node.domain.least, node.domain.most, node.where, node.value)
                if test is not None:
                    found.append((node, test, fits_lanes(e, node, test, node.local)))
    return found


def test_which_pairs_can_be_in_a_run_is_known(tmp_path: Path) -> None:
    game = load(tmp_path, HEAD + LOOKING, DECK=FRENCH, HELD=7, FIGURE=FIGURES[0], COVERED="s")
    ((_, test, lanes),) = set_tests_of(game)
    assert lanes
    assert test.friends is not None
    names = [game.program.kind_names[kind] for kind in game.program.kinds]
    five = names.index("five of clubs")
    friends = {names[card] for card in range(52) if test.friends[five] >> card & 1}
    near = ("two", "three", "four", "six", "seven", "eight", "nine")
    assert friends == {*(f"{rank} of clubs" for rank in near)}


def test_no_set_that_passes_holds_two_cards_that_are_no_friends(tmp_path: Path) -> None:
    """Told for sums, by trying all small sets of cards of different worth."""
    game = load(tmp_path, HEAD + LOOKING, DECK=FRENCH, HELD=7, FIGURE=FIGURES[1], COVERED="s")
    ((_, test, _),) = set_tests_of(game)
    assert test.friends is not None
    (worth,) = (carried.column for carried in test.carried if carried.column)
    for size in (2, 3, 4):
        for cards in combinations(range(0, 52, 3), size):
            if sum(worth[card] for card in cards) == 15:
                assert all(test.friends[a] >> b & 1 for a, b in combinations(cards, 2)), cards


def test_a_test_that_may_fault_or_looks_at_the_set_itself_stays_in_its_loop(tmp_path: Path) -> None:
    fault = "count(t for t in subsets(s, 2..3) where 10 // (worth(t) - 15) == 1)"
    game = load(tmp_path, HEAD + LOOKING, DECK=FRENCH, HELD=7, FIGURE=fault, COVERED="s")
    assert set_tests_of(game) == []
    agree(game, 60)
    game = load(tmp_path, HEAD + LOOKING, DECK=FRENCH, HELD=7, FIGURE=FIGURES[9], COVERED="s")
    assert not any(lanes for _, _, lanes in set_tests_of(game))


@pytest.mark.parametrize("players", [2, 3])
def test_runs_are_the_same_in_both(players: int) -> None:
    """To choose from and to gather over, by numbers with gaps and by an ordered type; copies of cards."""
    folder = Path(__file__).parents[1] / "language"
    pair = Pair(rulerun.load(folder / "runs.yaml", players=players).program)
    assert sum(pair.play(seed, Random(seed), 60) for seed in range(40)) > 150
    pair.compare_playouts(0, 200, players)
