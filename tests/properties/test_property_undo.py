"""When a seat may take a choice back is one rule, for the API and for people at the keyboard, and tells nothing new."""

from __future__ import annotations

from random import Random

import hypothesis.strategies as st
from configurations import CORE, DEPTH, PROFILE, Configuration, all_configurations
from hypothesis import event, given, settings

from rulerun import NoWorldFound, State
from rulerun.facts.faults import UNSEEN_FACE, RulesFault
from rulerun.facts.observations import ObservedChoice, ObservedMove, ObservedOffer, ObservedSwap
from rulerun.ir.program import RNG
from rulerun.run.machine import Machine


def learnt(state: State, before: State, seat: int) -> bool:
    """Whether a seat's record has grown by more than its own choice, its next question and moves of cards it saw."""
    zones = state.game.program.zones
    for observation in state.record(seat)[len(before.record(seat)) :]:
        match observation:
            case ObservedOffer() | ObservedChoice():
                own = observation.seat == seat
            case ObservedMove():
                own = bool(zones[observation.source].seen >> seat & 1)
            case ObservedSwap(left, right):
                own = bool(zones[left.zone].seen & zones[right.zone].seen & 1 << seat)
            case _:
                own = False
        if not own:
            return True
    return False


@settings(PROFILE, max_examples=60 * DEPTH)
@given(configuration=st.sampled_from(all_configurations()), seed=st.integers(0, 2**32))
def test_a_choice_may_be_taken_back_only_while_the_record_has_grown_by_it_alone(
    configuration: Configuration, seed: int
) -> None:
    random = Random(seed)
    state = configuration.load().new(seed)
    allowed = 0
    while not state.is_over and len(state) < 40:
        chooser, before = state.seat, state.clone()
        index = random.randrange(len(state.options))
        state.choose(index)
        for seat in range(configuration.players):
            may = state.may_take_back(seat)
            if may:
                assert seat == chooser == state.seat
                assert not learnt(state, before, seat)
                allowed += 1
            elif seat == chooser == state.seat and not learnt(state, before, seat):
                assert told_to_others_or_left_to_chance(state, before, seat) or reads_hidden(before, index, seat)
    event("some may be taken back" if allowed else "none may be taken back")


def told_to_others_or_left_to_chance(state: State, before: State, seat: int) -> bool:
    """Why a choice that taught its seat nothing cannot be taken back all the same."""
    others = [s for s in range(state.game.players) if s != seat]
    return state.vector[RNG] != before.vector[RNG] or any(learnt(state, before, s) for s in others)


def reads_hidden(before: State, index: int, seat: int) -> bool:
    """Whether the rules look at what the seat does not see: what it is asked next may tell of that."""
    machine, vector = Machine(before.game.program, knowledge=True, watched=True), [*before.vector, seat]
    try:
        machine.choose(vector, index)
    except RulesFault as fault:
        return fault.code == UNSEEN_FACE
    return False


@settings(PROFILE, max_examples=25 * DEPTH)
@given(configuration=st.sampled_from(all_configurations()), seed=st.integers(0, 2**32), choices=st.integers(1, 25))
def test_whether_it_may_be_taken_back_is_the_same_in_every_world_of_its_seat(
    configuration: Configuration, seed: int, choices: int
) -> None:
    random = Random(seed)
    state = configuration.load().new(seed)
    seat = 0
    while not state.is_over and len(state) < choices:
        seat = state.seat or 0
        state.choose(random.randrange(len(state.options)))
    try:
        world = state.resample(seat, seed=seed)
    except NoWorldFound:
        assert configuration.ruleset not in CORE
        event("no world")
        return
    assert world.may_take_back(seat) == state.may_take_back(seat)
