"""A list of choices that breaks something is cut down to the shortest one that still does."""

from __future__ import annotations

import pytest

import rulerun
from rulerun.game import Game
from rulerun.play import shortest
from rulerun.play.shortest import Broken, shorten
from rulerun.play.walk import Walk

NUMBERS = """rulerun: 1
game: Numbers
players: 1
options:
  start: {default: 1, range: 0..1}
cards: {deck: french32}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
state:
  total: int
rules:
  play: |
    total = 12 // (start + count(deck) - 32)
    let me = first p in players where true
    repeat 12 times:
      me chooses n from 1..3 as "{n}"
      total += 6 // (4 - n) if n < 3 or CAREFUL else 1 // (total - total)
result:
  score(Player p): "total"
  winner: [highest score]
"""


def numbers(careful: str = "true", **options: int) -> Game:
    return rulerun.load(NUMBERS.replace("CAREFUL", careful), options=options)


def keys_of(game: Game, *chosen: int) -> tuple[str, ...]:
    """The keys of the choices of these numbers, one after the other."""
    walk = Walk(game, 1)
    for number in chosen:
        walk.take(number - 1)
    return tuple(walk.keys)


def numbers_in(game: Game, broken: Broken) -> list[int]:
    names = {key: number for number in (1, 2, 3) for key in keys_of(game, number)}
    return [names[key] for key in broken.keys]


def ends_in_a_pair(walk: Walk) -> str | None:
    return "the same twice" if len(walk.keys) > 1 and walk.keys[-1] == walk.keys[-2] else None


def test_short_lists_are_tried_first() -> None:
    game = numbers()
    found = Broken(keys_of(game, 1, 2, 3, 1, 2, 3, 3), "the same twice")
    cut = shorten(game, 1, found, ends_in_a_pair, cost=1)
    assert (numbers_in(game, cut), cut.problem) == ([1, 1], "the same twice")


def test_what_is_not_found_among_short_lists_is_cut_down_by_leaving_out() -> None:
    """Five threes in a row are the 364th of all lists, and 300 are tried."""
    game = numbers()
    three = keys_of(game, 3)[0]

    def five_threes(walk: Walk) -> str | None:
        return "five threes" if walk.keys.count(three) == 5 else None

    found = Broken(keys_of(game, 1, 3, 2, 2, 3, 1, 3, 1, 3, 2, 3), "five threes")
    cut = shorten(game, 1, found, five_threes, cost=1)
    assert numbers_in(game, cut) == [3, 3, 3, 3, 3]


def test_no_look_is_left() -> None:
    """With a single look nothing is learnt: the list stays as it was found."""
    game = numbers()
    found = Broken(keys_of(game, 1, 2, 3, 1, 1), "the same twice")
    assert shorten(game, 1, found, ends_in_a_pair, cost=600) == found


def test_no_step_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shortest, "STEPS", 0)
    game = numbers()
    found = Broken(keys_of(game, 1, 2, 3, 1, 1), "the same twice")
    assert shorten(game, 1, found, ends_in_a_pair, cost=1) == found


def test_a_fault_of_a_step_itself() -> None:
    game = numbers("false")
    found = Broken((*keys_of(game, 1, 2, 1, 2), *keys_of(numbers(), 3)), "as told")
    cut = shorten(game, 1, found, None, cost=1)
    assert cut.keys == keys_of(numbers(), 3)
    assert cut.problem.endswith("RR0603 division by zero")


def test_a_step_that_fails_tells_nothing_where_positions_are_looked_at() -> None:
    """A list that ends in a fault on its way is no shorter list for something else."""
    game = numbers("false")
    three = keys_of(numbers(), 3)[0]

    def after_a_three(walk: Walk) -> str | None:
        return "a three" if three in walk.keys else None

    found = Broken((*keys_of(game, 1, 1), three), "a three")
    assert shorten(game, 1, found, after_a_three, cost=1) == found


def test_a_game_that_cannot_be_begun() -> None:
    game = numbers(start=0)
    told = shorten(game, 1, Broken(("any",), "as told"), None, cost=1)
    assert told.keys == ()
    assert told.problem.endswith("RR0603 division by zero")
    found = Broken(("any",), "as told")
    assert shorten(game, 1, found, ends_in_a_pair, cost=1) == found


def test_what_is_wrong_at_the_start_needs_no_choice() -> None:
    game = numbers()
    found = Broken(keys_of(game, 1, 2, 3), "always")
    assert shorten(game, 1, found, lambda _: "always", cost=1) == Broken((), "always")


def test_keys_that_are_not_offered_are_passed_over() -> None:
    game = numbers()
    three = keys_of(game, 3)[0]

    def two_threes(walk: Walk) -> str | None:
        return "two threes" if walk.keys[-2:] == [three, three] else None

    found = Broken(("nonsense", *keys_of(game, 2, 3), "nonsense", *keys_of(game, 3)), "two threes")
    cut = shorten(game, 1, found, two_threes, cost=30)
    assert numbers_in(game, cut) == [2, 3, 3], "and no look is left for more"


def test_a_list_that_leads_to_the_end_of_the_game_and_no_further() -> None:
    game = numbers()
    found = Broken((*keys_of(game, *[1, 2] * 6), *keys_of(game, 2)), "never")
    assert shorten(game, 1, found, lambda _: None, cost=100) == found
