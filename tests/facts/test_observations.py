"""Observations: one form for each sort, in values and in numbers, and what each seat is told of an event."""

from __future__ import annotations

import dataclasses
import doctest
import re
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, get_args, get_type_hints

import pytest

import rulerun
from rulerun.facts import events, observations
from rulerun.facts.events import Became, Chose, Hinted, Moved, Offered, Shown, Swapped, Turned, observe
from rulerun.facts.observations import (
    LYING_OPEN,
    Chance,
    Collected,
    Ended,
    Exchanged,
    Face,
    Hint,
    HintedKinds,
    Left,
    Observation,
    ObservedCards,
    ObservedChoice,
    ObservedFaces,
    ObservedMove,
    ObservedOffer,
    ObservedSwap,
    ObservedTokens,
    ObservedValue,
    Refilled,
    Rejoined,
    Reversed,
    Said,
    Shuffled,
    Token,
    TurnedDown,
    TurnedOver,
)
from rulerun.run.teller import roll

PAGE = Path(__file__).parents[2] / "docs" / "observations.md"
SORTS: tuple[Any, ...] = get_args(Observation)

IN_NUMBERS: list[tuple[Observation, tuple[int, ...]]] = [
    (ObservedMove(-2, 0, 3, 1, -1), (1, -2, 0, 3, 1, -1)),
    (ObservedSwap(Face(5, 0, 1), Face(-1, 2, 0)), (2, 5, 0, 1, -1, 2, 0)),
    (Exchanged(3, 4), (3, 3, 4)),
    (Collected(-1, 2, 52), (4, -1, 2, 52)),
    (Shuffled(7), (5, 7)),
    (TurnedOver(7), (20, 7)),
    (Refilled(0, 1, 9, True), (6, 0, 1, 9, 1)),
    (ObservedFaces(3, (Face(5, 2, 0), Face(6, 2, 1))), (7, 3, 5, 2, 0, 6, 2, 1)),
    (ObservedFaces(LYING_OPEN, (Face(5, 2, 0),)), (7, -1, 5, 2, 0)),
    (Said(9, (5, -1)), (8, 9, 5, -1)),
    (ObservedOffer(1, 4, None), (9, 1, 4)),
    (ObservedOffer(1, 4, ((0, 2), (-1,))), (9, 1, 4, 2, 2, 0, 2, 1, -1)),
    (ObservedChoice(1, 4, None), (10, 1, 4)),
    (ObservedChoice(1, 4, (0, 2)), (10, 1, 4, 0, 2)),
    (Chance(3, 1), (11, 3, 1)),
    (Ended(1, (4, 2, 0)), (12, 1, 4, 2, 0)),
    (Left(2), (13, 2)),
    (Reversed(-1), (14, -1)),
    (Hint(8, 2, 5, (0, 1, 1)), (15, 8, 2, 5, 0, 1, 1)),
    (ObservedValue(40, -3), (16, 40, -3)),
    (ObservedCards(40, (Face(-1, 2, -1), Face(5, 3, 0))), (21, 40, -1, 2, -1, 5, 3, 0)),
    (ObservedCards(40, ()), (21, 40)),
    (ObservedTokens(40, (Token((Face(-2, 3, 1), 6), 9),)), (22, 40, -2, 3, 1, 6, 9)),
    (TurnedDown((Face(5, 2, 0),)), (17, 5, 2, 0)),
    (Rejoined(5), (18, 5)),
    (HintedKinds(5, (1, 3)), (19, 5, 1, 3)),
]


# ------------------------------------------------------------------------------ sorts


@pytest.mark.parametrize(("observation", "numbers"), IN_NUMBERS, ids=[repr(pair[0]) for pair in IN_NUMBERS])
def test_each_sort_has_its_numbers(observation: Observation, numbers: tuple[int, ...]) -> None:
    assert observation.numbers() == numbers
    assert observation.code == numbers[0]


def test_every_sort_is_among_those_with_numbers() -> None:
    assert {type(observation) for observation, _ in IN_NUMBERS} == set(SORTS)


def test_numbers_are_the_code_and_the_fields_laid_flat() -> None:
    def flat(value: object) -> list[int]:
        match value:
            case None:
                return []
            case int():
                return [int(value)]
            case tuple():
                return list(chain.from_iterable(flat(part) for part in value))
        raise AssertionError(value)

    for observation, numbers in IN_NUMBERS:
        if not isinstance(observation, ObservedOffer):
            fields = [getattr(observation, field.name) for field in dataclasses.fields(observation)]
            assert numbers == (observation.code, *chain.from_iterable(map(flat, fields))), observation


def test_cards_in_the_value_of_a_token_are_counted_in_numbers() -> None:
    token = Token((Face(4, 3, 1),), (Face(-1, 2, -1),))
    assert ObservedTokens(40, (token,)).numbers() == (22, 40, 4, 3, 1, 1, -1, 2, -1)


def test_no_two_sorts_have_one_code() -> None:
    assert sorted(sort.code for sort in SORTS) == list(range(1, len(SORTS) + 1))


def test_observations_are_equal_by_sort_and_fields() -> None:
    values = [observation for observation, _ in IN_NUMBERS]
    assert len(set(values)) == len(values)
    assert Left(2) == Left(2)
    assert hash(Left(2)) == hash(Left(2))
    assert Left(2) != Shuffled(2)


def test_each_sort_has_its_row_on_the_page() -> None:
    rows = re.findall(r"^\| (\d+) \| `(\w+)` \| ([^|]*) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    told = [(int(code), name, tuple(re.findall(r"`(\w+)`", fields))) for code, name, fields in rows]
    sorts = sorted(SORTS, key=lambda sort: sort.code)
    assert told == [(s.code, s.__name__, tuple(f.name for f in dataclasses.fields(s))) for s in sorts]


def test_every_field_has_its_meaning_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## What the numbers mean")[2].partition("\n## ")[0]
    told = set(re.findall(r"`(\w+)`", text))
    numeric = {name for s in SORTS for name, hint in get_type_hints(s).items() if hint is int and name != "code"}
    in_words = {"count", "value", "direction"}  # said in the row of their sort
    assert numeric - in_words <= told


def test_what_the_page_shows_is_so() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    shown = doctest.DocTestParser().get_doctest("".join(blocks), {}, PAGE.name, str(PAGE), 0)
    runner = doctest.DocTestRunner()
    runner.run(shown)
    assert (runner.failures, runner.tries > 5) == (0, True)


# ----------------------------------------------------------------------- what is told


def test_a_card_that_moves_tells_its_face_to_those_who_see_it_and_its_back_to_the_others() -> None:
    moved = Moved(1, 0, 3, 2, 4, seen=0b01, source_told=0b11, target_told=0b01)
    assert observe(moved, 0, (0, 1)) == ObservedMove(1, 0, 3, 2, 4)
    assert observe(moved, 1, (0, 1)) == ObservedMove(-2, 0, 3, 2, -1)
    assert observe(moved, 1) == ObservedMove(-1, 0, 3, 2, -1)


def test_of_two_cards_that_change_places_each_seat_is_told_the_face_that_it_sees() -> None:
    swapped = Swapped(5, 0, 1, 0b01, 6, 2, 0, 0b10)
    assert observe(swapped, 0) == ObservedSwap(Face(5, 0, 1), Face(-1, 2, 0))
    assert observe(swapped, 1) == ObservedSwap(Face(-1, 0, 1), Face(6, 2, 0))


def test_faces_are_told_to_those_who_are_shown_them_and_to_those_who_know_them() -> None:
    shown = Shown(((5, 2, 0), (6, 2, 1)), to=0b001, seen=(0b010, 0))
    assert observe(shown, 0) == ObservedFaces(1, (Face(5, 2, 0), Face(6, 2, 1)))
    assert observe(shown, 1) == ObservedFaces(1, (Face(5, 2, 0), Face(-1, 2, 1)))
    assert observe(shown, 2) == ObservedFaces(1, (Face(-1, 2, 0), Face(-1, 2, 1)))


def test_what_is_shown_aside_is_told_to_nobody_else() -> None:
    aside = Shown(((5, 2, 0),), to=0b01, aside=True)
    assert observe(aside, 0) == ObservedFaces(1, (Face(5, 2, 0),))
    assert observe(aside, 1) is None


def test_what_is_turned_is_told_to_all() -> None:
    assert observe(Turned(((5, 2, 0),), up=True), 1) == ObservedFaces(LYING_OPEN, (Face(5, 2, 0),))
    assert observe(Turned(((5, 2, 0),), up=False), 1) == TurnedDown((Face(5, 2, 0),))


def test_options_are_told_to_the_one_who_is_asked() -> None:
    offered = Offered(0, 4, ((0, 2), (-1,)), sealed=False)
    assert observe(offered, 0) == ObservedOffer(0, 4, ((0, 2), (-1,)))
    assert observe(offered, 1) == ObservedOffer(0, 4, None)
    assert observe(Offered(0, 4, ((0,),), sealed=True), 1) is None


def test_a_choice_is_told_as_far_as_each_seat_may_know_it() -> None:
    chose = Chose(0, 4, (0, 2), (0, -1), full=0b010, told=0b110)
    told = [ObservedChoice(0, 4, key) for key in ((0, 2), (0, 2), (0, -1), None)]
    assert [observe(chose, seat) for seat in range(4)] == told


def test_a_hint_is_heard_by_all_and_what_worlds_know_of_it_is_not() -> None:
    assert observe(Hinted(8, 0b10, 5, (0, 1), passing=(3,)), 0) == Hint(8, 0b10, 5, (0, 1))


def test_a_value_is_told_to_those_who_see_it() -> None:
    assert observe(Became(40, 7), 3) == ObservedValue(40, 7)
    assert observe(Became(40, 7, seen=0b01), 0) == ObservedValue(40, 7)
    assert observe(Became(40, 7, seen=0b01), 1) is None


def test_what_hides_nothing_is_its_own_observation() -> None:
    public = get_args(observations.PublicEvent)
    assert set(public) == set(get_args(events.Event)) & set(SORTS)
    for observation, _ in IN_NUMBERS:
        if isinstance(observation, public):
            assert observe(observation, 1) is observation  # type: ignore[arg-type]


# ------------------------------------------------------------------------ whole games


@pytest.mark.parametrize("name", ["kuhn", "harbour_lights", "cactus", "durak", "hearts"])
def test_records_are_equal_where_their_numbers_are(name: str) -> None:
    game = rulerun.load(name)
    of_numbers: dict[tuple[int, ...], Observation] = {}
    for seed in range(2):
        state, random = game.new(seed), Random(seed)
        while not state.is_over and len(state) < 60:
            state.choose(random.randrange(len(state.options)))
        for seat in range(game.players):
            for observation in state.record(seat):
                assert of_numbers.setdefault(observation.numbers(), observation) == observation
    assert len(set(of_numbers.values())) == len(of_numbers) > 10


def test_the_information_state_is_rolled_over_the_numbers_of_the_record() -> None:
    state, random = rulerun.load("cactus").new(4), Random(4)
    while not state.is_over and len(state) < 40:
        state.choose(random.randrange(len(state.options)))
    for seat in range(state.game.players):
        digest = 0
        for observation in state.record(seat):
            digest = roll(digest, observation.numbers())
        assert state.information_state(seat) == f"P{seat + 1}:{digest % 2**64:016x}"
