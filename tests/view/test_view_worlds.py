"""Worlds: as likely as the rules make them, held against all games of a small ruleset, and right about what was
shown."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

import rulerun
from rulerun import Game, State
from rulerun.facts.events import Event, observe
from rulerun.run.machine import Machine
from rulerun.view.table import Table
from small_games import FOLLOW, MEMORY, PASS_ON

Truth = tuple[tuple[int, ...], ...]


def lying(game: Game, vector: list[int]) -> Truth:
    """Which kinds lie where; undrawn cards and hands without order."""
    table = Table(game.program, vector)
    kinds = game.program.kinds
    return tuple(
        tuple(sorted(kinds[c] for c in [*table.cards(z), *table.undrawn(z)] if c >= 0))
        for z in range(len(game.program.zones))
    )


def exact(game: Game, state: State, seat: int) -> dict[Truth, Fraction]:
    """All positions that give the seat an equal record, by walking the whole tree: chance as likely as it is, of
    choices of others that tell the seat the same each as likely."""
    machine = Machine(game.program, telling=True, explicit_chance=True)
    record = state.record(seat)
    found: dict[Truth, Fraction] = {}

    def heard(events: list[Event], at: int) -> int | None:
        for event in events:
            entry = observe(event, seat, game.backs)
            if entry is not None:
                if at >= len(record) or record[at] != entry:
                    return None
                at += 1
        return at

    def drain() -> list[Event]:
        events = list(machine.log)
        machine.log.clear()
        return events  # type: ignore[return-value]

    def walk(vector: list[int], at: int, weight: Fraction) -> None:
        outcomes = machine.outcomes(vector)
        if outcomes:
            total = sum(w for _, w in outcomes)
            for i, (_, w) in enumerate(outcomes):
                copy = vector.copy()
                machine.settle(copy, i)
                after = heard(drain(), at)
                if after is not None:
                    walk(copy, after, weight * Fraction(w, total))
            return
        if at == len(record):
            truth = lying(game, vector)
            found[truth] = found.get(truth, Fraction(0)) + weight
            return
        ways = []
        for i in range(len(machine.options(vector))):
            copy = vector.copy()
            machine.choose(copy, i)
            after = heard(drain(), at)
            if after is not None:
                ways.append((copy, after))
        for copy, after in ways:
            walk(copy, after, weight / len(ways))

    start = machine.start(0)
    at = heard(drain(), 0)
    assert at is not None
    walk(start, at, Fraction(1))
    total = sum(found.values())
    return {truth: weight / total for truth, weight in found.items()}


def agrees(game: Game, state: State, seat: int, samples: int) -> None:
    """Sampled frequencies against the exact ones: each within five standard deviations."""
    wanted = exact(game, state, seat)
    counts = Counter(lying(game, state.resample(seat, seed=n).vector) for n in range(samples))
    assert set(counts) <= set(wanted)
    for truth, share in wanted.items():
        p = float(share)
        assert abs(counts[truth] - samples * p) <= 5 * (samples * p * (1 - p)) ** 0.5 + 1, (truth, p, counts[truth])


def test_what_a_player_did_not_follow_with_it_does_not_hold() -> None:
    game = rulerun.load(FOLLOW, players=2)
    for seed in range(200):
        state = game.new(seed)
        state.choose(len(state.options) - 1)
        first = Table(game.program, state.vector).cards(game.program.families[2].first)[0]
        state.choose(0)
        second = Table(game.program, state.vector).cards(game.program.families[2].first)[1]
        if second < first and first < 5:
            break
    else:
        raise AssertionError("no such game")
    for n in range(40):
        world = state.resample(0, seed=n)
        held = Table(game.program, world.vector).cards(game.program.families[1].first + 1)
        assert len(held) == 1
        assert held[0] < first
    agrees(game, state, 0, 400)


def test_after_the_deal_every_rest_is_as_likely() -> None:
    game = rulerun.load(FOLLOW, players=2)
    agrees(game, game.new(5), 0, 600)


@pytest.mark.long
@pytest.mark.parametrize("choices", [2, 3, 4, 5])
def test_cards_passed_unseen(choices: int) -> None:
    game = rulerun.load(PASS_ON, players=3)
    state = game.new(3)
    for _ in range(choices):
        state.choose(0)
    agrees(game, state, 0, 400)


def test_what_was_looked_at_is_where_it_must_be() -> None:
    game = rulerun.load(MEMORY)
    for seed in range(6):
        state = game.new(seed)
        turn = 0
        while not state.is_over:
            state.choose((seed + turn) % len(state.options))
            turn += 1
            if turn % 4 == 0:
                for seat in (0, 1):
                    world = state.resample(seat, seed=turn)
                    assert world.record(seat) == state.record(seat)
                    assert world.view(seat) == state.view(seat)
    assert turn == 18


def test_a_world_does_not_tell_what_chance_will_bring() -> None:
    game = rulerun.load(FOLLOW, players=3)
    state = game.new(11)
    words = {state.resample(1, seed=n).vector[1] for n in range(20)}
    assert len(words) == 20
    assert state.vector[1] not in words


def numbers(state: State, zone: str) -> list[int]:
    """The numbers on the cards of a zone, where a card is called by its number."""
    program = state.game.program
    at = next(i for i, z in enumerate(program.zones) if z.name == zone)
    return [int(program.kind_names[program.kinds[c]]) for c in Table(program, state.vector).cards(at)]


def test_who_broke_the_rule_of_a_trick_held_no_card_that_obeyed_it() -> None:
    game = rulerun.load("cucumber", players=4)
    random = Random(5)
    broken = 0
    for seed in range(20):
        state = game.new(seed)
        for _ in range(30):
            before = dict(state.view(0).variables)
            state.choose(random.randrange(len(state.options)))
            if not before["broken"] and dict(state.view(0).variables)["broken"]:
                broken += 1
                breaker = state.history[-1].seat
                watcher = (breaker + 1) % 4
                state.choose(0)
                world = state.resample(watcher, seed=seed)
                world.undo()
                world.undo()
                tricks = [numbers(world, f"trick of P{p + 1}") for p in range(4)]
                leader = next(c.seat for c in reversed(world.history) if c.label.startswith("lead"))
                lead = tricks[leader][0]
                held = numbers(world, f"hand of P{breaker + 1}")
                assert not any(n > lead if before["rule"] == "high" else n < lead for n in held)
    assert broken >= 5


def test_cards_that_were_looked_at_lie_where_they_must() -> None:
    game = rulerun.load("cactus")
    program = game.program
    random = Random(3)
    known = 0
    for seed in range(10):
        state = game.new(seed)
        while not state.is_over and len(state) < 60:
            state.choose(random.randrange(len(state.options)))
        for seat in (0, 1):
            world = state.resample(seat, seed=seed)
            true, sampled = Table(program, state.vector), Table(program, world.vector)
            for zone in range(len(program.zones)):
                for card, other in zip(true.cards(zone), sampled.cards(zone), strict=True):
                    if card >= 0 and true.knows(seat, card):
                        assert program.kinds[card] == program.kinds[other]
                        known += true.marked(seat, card)
    assert known > 20
