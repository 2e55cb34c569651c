"""A game that uses everything at once, played at random: every mode agrees, worlds are alike, saves come back."""

from __future__ import annotations

import random

import pytest
from language_games import compiled

import rulerun
from rulerun.run.machine import Machine

EVERYTHING = """\
rulerun: 1
game: Everything
players: 2..4
teams: 2
types:
  Colour: [red, green, blue]
cards:
  face: {colour: Colour, number: int}
  name: "{colour} {number}"
  deck:
    - {each: {colour: Colour, number: 1..5}, copies: "2 if number < 3 else 1"}
zones:
  stock: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  rack: {kind: row, per: player, seen_by: others}
  heap: {kind: pile, seen_by: everyone}
  won: {kind: hand, per: Team, seen_by: owner}
state:
  lives: int per Player
  points: int per Team
functions:
  worth(Cards cards): |
    sum(c.number for c in cards)
  is_run(Cards g): |
    same(c.colour for c in g) and max(c.number for c in g) - min(c.number for c in g) == count(g) - 1
  best_of(Player p): |
    best cover of hand[p] by g of 2..3 where is_run(g) by worth(g)
rules:
  play: |
    shuffle stock
    for p in players:
      deal 4 from stock to hand[p]
      deal 2 from stock to rack[p]
      lives[p] = 2
    repeat 4 times:
      for p in players:
        turn(p)
      stop if count(players) < 2
    for i in 3..1 by -1:
      each player p at once may choose c from hand[p] where c.number == i as "throw {c}":
        move c to won[team(p)]
        points[team(p)] += i

  turn(Player me): |
    me may choose:
      cs from groups of hand[me] by number where count(cs) > 1 as "lay {cs}":
        move cs to heap
        points[team(me)] += count(cs)
      s from subsets(hand[me], 2..3) where worth(s) == 6 as "six with {s}":
        move s to heap
        reverse play
      c from hand[me], n from 1..2 where c.number > n as "burn {c} for {n}":
        move c to heap
        lives[me] -= n
      colour from Colour as "ask for {colour}":
        let friend = next(me)
        tell friend whether (c.colour == colour for c in rack[friend])
        tell me whether some(c.colour == colour for c in hand[friend])
      "knock" if best_of(me) > 4:
        points[team(me)] += 5
    otherwise:
      points[team(me)] += 1
    if count(heap) > 1 and same(c.colour for c in top 2 of heap):
      note "{me} doubles"
    me leaves if lives[me] < 1 else
result:
  score(Team t): |
    points[t]
  winner: [highest score]
  won: |
    sum(points[t] for t in Team) > 3
""".replace("    me leaves if lives[me] < 1 else\n", "    if lives[me] < 1: me leaves\n")


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("seed", range(6))
def test_all_modes_agree(players: int, seed: int) -> None:
    program = compiled(EVERYTHING, players)
    telling, quiet, plain = Machine(program, telling=True), Machine(program), Machine(program, plain=True)
    vectors = [(m, m.start(seed)) for m in (telling, quiet, plain)]
    chance = random.Random(seed)
    while not telling.is_over(vectors[0][1]):
        options = [m.options(v) for m, v in vectors]
        keys = [[m.key(v, o) for o in offered] for (m, v), offered in zip(vectors, options, strict=True)]
        assert keys[0] == keys[1] == keys[2]
        assert len(set(keys[0])) == len(keys[0])
        index = chance.randrange(len(options[0]))
        for machine, vector in vectors:
            assert machine.load(vector) == vector
            machine.choose(vector, index)
    told, silent, slow = (v for _, v in vectors)
    assert told[: len(silent)] == silent == slow
    assert telling.cards.check(told) == []


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (2, 2), (4, 3), (4, 4)])
def test_worlds_are_alike(players: int, seed: int) -> None:
    state = rulerun.load(EVERYTHING, players=players).new(seed)
    chance = random.Random(seed)
    met = 0
    while not state.is_over:
        state.choose(chance.randrange(len(state.options)))
        if len(state) % 5 == 0:
            for seat in range(players):
                world = state.resample(seat, seed=len(state))
                assert world.record(seat) == state.record(seat)
                assert world.view(seat) == state.view(seat)
                met += 1
    assert met >= players
    assert state.story()
