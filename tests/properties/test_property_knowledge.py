"""Invariants 4 and 5: a seat gets the same in alike states; sampled worlds are alike to the true state, and differ
where they may."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import hypothesis.strategies as st
import pytest
from configurations import (
    CORE,
    DEPTH,
    PROFILE,
    Configuration,
    all_configurations,
    hidden_values,
    library,
    plain_and_variants,
)
from hypothesis import given, settings

from rulerun import NoWorldFound, State
from rulerun.ir.program import seats_by_word
from rulerun.play.information_invariants import given_to
from rulerun.play.state_invariants import same

FAILING = 0.05
"""Of the positions that are tried, so many may lead to no world, and none in the rulesets of the core."""


def played(configuration: Configuration, seed: int, choices: int) -> State:
    """A game played at random for so many choices, or to its end."""
    random = Random(seed)
    state = configuration.load().new(seed)
    while not state.is_over and len(state) < choices:
        state.choose(random.randrange(len(state.options)))
    return state


def with_hidden_values() -> list[Configuration]:
    """Games that have state variables which not everyone sees."""
    return [c for c in (*hidden_values(), *library()) if seats_by_word(c.load().program)]


def test_a_world_gives_its_seat_what_the_true_state_gives() -> None:
    ends: Counter[str] = Counter()

    @settings(PROFILE, max_examples=80 * DEPTH)
    @given(
        configuration=st.sampled_from(all_configurations()),
        seed=st.integers(0, 2**32),
        choices=st.integers(0, 60),
        data=st.data(),
    )
    def try_world(configuration: Configuration, seed: int, choices: int, data: st.DataObject) -> None:
        state = played(configuration, seed, choices)
        seat = data.draw(st.integers(0, configuration.players - 1))
        before = state.to_bytes()
        try:
            world = state.resample(seat, seed=data.draw(st.integers(0, 1000)))
        except NoWorldFound:
            assert configuration.ruleset not in CORE
            ends["none found"] += 1
            return
        ends["found"] += 1
        assert given_to(world, seat) == given_to(state, seat)
        assert state.to_bytes() == before
        assert [c.seat for c in world.history] == [c.seat for c in state.history]
        # A world is a state like any other: it can be played, saved and taken back.
        restored = world.game.restore(world.to_bytes())
        assert same(restored, world) is None
        if not world.is_over:
            world.choose(0)
            world.undo()
        assert world.vector == restored.vector

    try_world()
    assert ends["none found"] <= FAILING * ends["found"], ends


def test_hidden_parts_vary_and_the_same_seed_gives_the_same_world() -> None:
    ends: Counter[str] = Counter()

    @settings(PROFILE, max_examples=15 * DEPTH)
    @given(configuration=st.sampled_from(plain_and_variants()), seed=st.integers(0, 2**32), choices=st.integers(0, 25))
    def try_worlds(configuration: Configuration, seed: int, choices: int) -> None:
        state = played(configuration, seed, choices)
        worlds = [state.resample(0, seed=n) for n in range(4)]
        assert worlds[0].vector == state.resample(0, seed=0).vector
        assert len({world.seed for world in worlds}) == 4
        ends["over" if state.is_over else "compared"] += 1
        if not state.is_over:
            futures = set()
            for world in worlds:
                while not world.is_over and len(world) < choices + 12:
                    world.choose(0)
                futures.add(tuple(world.vector[8:]))
            assert len(futures) > 1

    try_worlds()
    assert ends["compared"] >= 0.8 * ends.total(), ends


@settings(PROFILE, max_examples=12 * DEPTH)
@given(configuration=st.sampled_from(all_configurations()), seed=st.integers(0, 2**32))
def test_alike_states_on_the_way_of_many_games_give_a_seat_the_same(configuration: Configuration, seed: int) -> None:
    """Short games from many seeds: whoever has an equal record gets an equal view, and options if asked."""
    seen: dict[str, dict[str, object]] = {}
    records: dict[str, object] = {}
    for offset in range(6):
        state = configuration.load().new(seed + offset)
        for _ in range(4):
            for seat in range(configuration.players):
                name = state.information_state(seat)
                whole = given_to(state, seat)
                assert seen.setdefault(name, whole) == whole
                assert records.setdefault(name, whole["record"]) == whole["record"]
            if state.is_over:
                break
            state.choose(0)
    assert all(name.startswith("P") for name in seen)


@settings(PROFILE, max_examples=40 * DEPTH)
@given(
    configuration=st.deferred(lambda: st.sampled_from(with_hidden_values())),
    seed=st.integers(0, 2**32),
    choices=st.integers(0, 30),
    data=st.data(),
)
def test_states_that_differ_in_a_hidden_value_only_give_the_others_the_same(
    configuration: Configuration, seed: int, choices: int, data: st.DataObject
) -> None:
    state = played(configuration, seed, choices)
    hidden = seats_by_word(state.game.program)
    word = data.draw(st.sampled_from(sorted(hidden)))
    other = state.clone()
    vector = state.vector.copy()
    vector[word] = 0 if vector[word] else 1
    other.vector, other._offer = vector, None
    for seat in range(configuration.players):
        sees = hidden[word] >> seat & 1
        views = [replace(s.view(seat), scores=None, winners=None) for s in (state, other)]  # the result is told to all
        assert (views[0] != views[1]) == bool(sees)
        if not sees and state.seat == seat:
            assert other.options == state.options


def test_games_with_hidden_values_are_found() -> None:
    found = with_hidden_values()
    assert [c.players for c in found if c.ruleset.endswith("purses.yaml")] == [2, 3, 4, 3]
    assert len(found) > 4, "and some of the library"


@pytest.mark.parametrize("configuration", plain_and_variants(), ids=str)
def test_a_world_is_found_at_every_stage_of_a_game(configuration: Configuration) -> None:
    random = Random(str(configuration))
    state = configuration.load().new(random.randrange(2**32))
    stage = 0
    while not state.is_over and len(state) < 150:
        if len(state) >= stage:
            stage = len(state) * 2 + 3
            seat = random.randrange(configuration.players)
            assert state.resample(seat, seed=stage).record(seat) == state.record(seat)
        state.choose(random.randrange(len(state.options)))
