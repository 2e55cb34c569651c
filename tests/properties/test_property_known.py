"""What a view says of cards that its seat cannot see is so, in the true state and in every world that the seat may
think of. Nothing here knows how views come by it."""

from __future__ import annotations

from collections import Counter
from random import Random

import hypothesis.strategies as st
import pytest
from configurations import DEPTH, PROFILE, Configuration, all_configurations
from hypothesis import given, settings

from rulerun import NoWorldFound, State, load
from rulerun.view.table import Table
from rulerun.view.view import View, seen_as_one

WORLDS = 4


def contents(state: State) -> list[Counter[str]]:
    """Per zone of a view the names of the cards that lie there in truth."""
    program, table = state.game.program, Table(state.game.program, state.vector)
    found = []
    for zones in seen_as_one(program):
        cards = [c for zone in zones for c in (*table.cards(zone), *table.undrawn(zone)) if c >= 0]
        found.append(Counter(program.kind_names[program.kinds[c]] for c in cards))
    return found


def claimed(view: View) -> list[Counter[str]]:
    """Per zone the cards that the seat is said to know there."""
    return [Counter(c.name for c in zone.cards if c.face) + Counter(dict(zone.at_least)) for zone in view.zones]


def hold_in_truth_and_in_worlds(state: State, seat: int, worlds: int) -> int:
    """What the seat knows holds; returns how many worlds were found."""
    view = state.view(seat)
    claims, found = claimed(view), 0
    for n in range(-1, worlds):
        try:
            world = state if n < 0 else state.resample(seat, seed=n, most=20_000)
        except NoWorldFound:
            break
        assert world.view(seat) == view
        for zone, claim, lying in zip(view.zones, claims, contents(world), strict=True):
            assert claim <= lying, f"P{seat + 1} knows of {dict(claim)} in {zone.name}, where {dict(lying)} lie"
        found += n >= 0
    return found


def played(state: State, random: Random, choices: int) -> State:
    while not state.is_over and len(state) < choices:
        state.choose(random.randrange(len(state.options)))
    return state


@settings(PROFILE, max_examples=60 * DEPTH)
@given(
    configuration=st.deferred(lambda: st.sampled_from(all_configurations())),
    seed=st.integers(0, 2**32),
    choices=st.integers(0, 60),
)
def test_what_a_seat_knows_is_so(configuration: Configuration, seed: int, choices: int) -> None:
    state = played(configuration.load().new(seed), Random(seed), choices)
    for seat in range(configuration.players):
        hold_in_truth_and_in_worlds(state, seat, WORLDS)


def some_rules(random: Random) -> str:
    """A game of three in which cards go round in many ways."""

    def zone(hands_only: bool = False) -> str:
        names = ["hand[{}]", "side[{}]"] * 2 + ([] if hands_only else ["box", "pot", "shown", "slots[{}]"])
        return random.choice(names).format(random.choice("abc"))

    def line() -> str:
        one, other = zone(), zone()
        while other == one:
            other = zone()
        me = random.choice("abc")
        hand = random.choice([f"hand[{me}]", f"side[{me}]"])
        own = random.choice(["hand", "side"])
        lines = {
            f"move all of {one} to {other}": 5,
            f"swap {hand} with {hand[:4]}[next({me})]": 1,
            f"shuffle {one} into {other}": 1,
            f"reveal {hand}": 1,
            f"show all of {one} to {me}": 1,
            f"shuffle {random.choice(['pot', 'slots[a]'])}": 1,
            f"if count(deck) > 1: deal 2 from deck to {one}": 2,
            f"if pot is not empty: move top of pot to {other}": 2,
            f"if {hand} is not empty:\n  {me} chooses card from {hand} as 'give {{card}}'\n  move card to {one}": 5,
            f"if count({hand}) > 1:\n  {me} chooses 1..2 cards from {hand} as 'give {{cards}}'\n"
            f"  move cards to {one}": 3,
            "if every(hand[p] is not empty for p in players):\n"
            "  each player p at once chooses gone from hand[p] as 'pass {gone}':\n"
            f"    move gone to {own}[next(p)]": 3,
            f"if every(count({own}[p]) > 1 for p in players):\n"
            f"  each player p at once chooses 1..2 gone from {own}[p] as 'pass {{gone}}':\n"
            "    move gone to hand[previous(p)]": 3,
            f"if hand[next({me})] is not empty:\n"
            f"  {me} chooses card from hand[next({me})] as 'steal {{card}}'\n  move card to {one}": 2,
        }
        return random.choices(list(lines), list(lines.values()))[0].replace("'", '"')

    body = "\n".join(line() for _ in range(random.randrange(4, 14)))
    return (
        "rulerun: 1\ngame: Round and round\nplayers: 3\n"
        "cards:\n  face: {rank: int}\n  name: the {rank}\n"
        f"  deck:\n    - {{each: {{rank: 1..{random.choice([5, 8])}}}, copies: {random.choice([1, 1, 2, 3])}}}\n"
        "zones:\n  deck: {kind: pile, seen_by: nobody, start: deck}\n"
        "  hand: {kind: hand, per: player}\n  side: {kind: hand, per: player}\n"
        "  box: {kind: hand, seen_by: nobody}\n  pot: {kind: pile, seen_by: nobody}\n"
        "  shown: {kind: pile, seen_by: everyone}\n  slots: {kind: row, per: player, seen_by: nobody}\n"
        "rules:\n  play: |\n    shuffle deck\n"
        "    let a = first p in players\n    let b = next(a)\n    let c = next(b)\n"
        "    for p in players: deal 2 from deck to hand[p]\n"
        + "".join(f"    {text}\n" for text in body.split("\n"))
        + "    a chooses:\n      \"stop\": return\n"
        "result: {score(Player p): 0, winner: [highest score]}\n"
    )


@pytest.mark.parametrize("part", range(4))
@settings(PROFILE, max_examples=10 * DEPTH)
@given(seed=st.integers(0, 2**32))
def test_what_a_seat_knows_is_so_however_cards_go_round(part: int, seed: int) -> None:
    random = Random(f"{part} {seed}")
    game = load(some_rules(random))
    for n in range(2):
        state = game.new(seed + n)
        while not state.is_over:
            for seat in range(3):
                hold_in_truth_and_in_worlds(state, seat, WORLDS)
            state.choose(random.randrange(len(state.options)))
