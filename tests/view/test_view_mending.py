"""The parts of the search for worlds: steps held against a record, cards exchanged in a vector, what is learnt."""

from __future__ import annotations

from random import Random

import rulerun
from rulerun.facts.observations import Face, Observation, ObservedFaces, ObservedMove, Shuffled
from rulerun.view.table import Table
from rulerun.view.tracker import Tracker
from rulerun.view.worlds.blame import Blame, ContradictionError, Lesson, Study
from rulerun.view.worlds.exchange import exchanged
from rulerun.view.worlds.planning import Plan, Sightings
from rulerun.view.worlds.stepping import Stepper
from small_games import FOLLOW, PASS_ON


def test_a_step_stops_where_the_record_says_otherwise_and_leaves_the_digests_alone() -> None:
    game = rulerun.load(FOLLOW, players=2)
    state = game.new(3)
    record = list(state.record(0))
    stepper = Stepper(game.program, game.chancer, record, 0, 100)
    with stepper.at_work():
        start = stepper.start(7)
        assert start.fits
        assert start.met == 1  # the deck was shuffled
        taken = {value: stepper.settle(start.vector, 1, value) for value, _ in game.chancer.outcomes(start.vector)}
    first = record[1]
    assert isinstance(first, ObservedMove)
    fitting = [value for value, step in taken.items() if step is not None and step.fits]
    assert [game.program.kinds[value] for value in fitting] == [first.kind]
    base = game.program.layout.digest_base
    for step in taken.values():
        assert step is not None
        assert step.vector[base : base + 2] == [0, 0]
        if not step.fits:
            assert isinstance(step.odd, ObservedMove)
            assert step.met == 0
    assert game.chancer.log == []


def test_a_world_has_the_digests_of_its_own_records() -> None:
    game = rulerun.load(PASS_ON, players=3)
    state = game.new(3)
    for _ in range(3):
        state.choose(0)
    world = state.resample(0, seed=5)
    assert world.information_state(0) == state.information_state(0)
    assert world.game.restore(world.to_bytes()).vector == world.vector
    assert [world.information_state(seat) for seat in range(3)] != [state.information_state(seat) for seat in range(3)]


def test_two_cards_change_places_wherever_they_lie() -> None:
    game = rulerun.load("cactus")
    state = game.new(2)
    random = Random(2)
    for _ in range(40):
        state.choose(random.randrange(len(state.options)))
    program = game.program
    cards = range(program.card_count)
    for _ in range(60):
        a, b = random.sample(cards, 2)
        before = Table(program, state.vector)
        vector = exchanged(program, state.vector, a, b)
        after = Table(program, vector)
        assert after.zone_of(a) == before.zone_of(b)
        assert after.zone_of(b) == before.zone_of(a)
        assert after.place_of(a) == before.place_of(b)
        assert exchanged(program, vector, a, b) == state.vector
        for zone in range(len(program.zones)):
            names = {a: b, b: a}
            assert after.cards(zone) == [names.get(c, c) for c in before.cards(zone)] or not before.ordered(zone)
            assert sorted(after.cards(zone)) == sorted(names.get(c, c) for c in before.cards(zone))


def test_what_was_learnt_is_kept_once_and_can_be_forgotten() -> None:
    study = Study()
    lesson = Lesson(2, frozenset({4}), frozenset())
    study.add(7, lesson)
    study.add(7, Lesson(2, frozenset({4}), frozenset()))
    study.blames[7, 8, (1, 2)] = Blame((2,), (lesson,))
    study.taught = 3
    assert study.lessons == {7: [lesson]}
    study.forget()
    assert (study.lessons, study.blames, study.taught) == ({}, {}, 0)


def test_a_lesson_is_heeded_by_a_zone_without_what_it_forbids_and_with_what_it_wants() -> None:
    lesson = Lesson(0, frozenset({1}), frozenset({2, 3}))
    assert lesson.heeded([0, 3])
    assert not lesson.heeded([0])
    assert not lesson.heeded([1, 2])


def test_where_a_kind_is_seen_next() -> None:
    record: list[Observation] = [
        ObservedMove(5, 0, 0, 1, -1),
        ObservedMove(-1, 1, -1, 2, -1),
        ObservedFaces(3, (Face(5, 2, -1),)),
        ObservedMove(6, 0, 0, 1, -1),
    ]
    sightings = Sightings([5, 6, 7, 7], record)
    assert sightings.next(5, 0) == 2
    assert sightings.next(5, 2) == -1
    assert sightings.next(6, 0) == 0
    assert sightings.next(7, 0) == -1


def test_what_is_seen_where_it_went_is_what_left_unseen() -> None:
    """P2 passes a card to P3, who then shows one that P1 had seen in the hand of P2."""
    game = rulerun.load(PASS_ON, players=3)
    program = game.program
    zones = {zone.name: n for n, zone in enumerate(program.zones)}
    two, three, deck = zones["hand of P2"], zones["hand of P3"], zones["deck"]
    record: list[Observation] = [
        Shuffled(deck),
        ObservedMove(-1, deck, 0, two, -1),
        ObservedMove(-1, deck, 0, two, -1),
        ObservedFaces(7, (Face(4, two, -1),)),
        ObservedMove(-1, two, -1, three, -1),
        ObservedFaces(7, (Face(4, three, -1),)),
    ]
    kinds = {card: program.kinds[card] for card in range(program.card_count)}
    right = 0
    for seed in range(40):
        sightings = Sightings(program.kinds, record)
        try:
            plan = Plan(Tracker(program), kinds, record, 0, len(record), [0] * 6, sightings, {}, Random(seed))
        except ContradictionError:  # it took the other card to have left
            continue
        right += plan.pins[plan.leaves[4][0]] == 4
    assert right >= 35
