"""``rulerun run --eyes P1 --json``: all that is printed is what this seat is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulerun as engine
from rulerun.play.bots import RandomBot

SECRETS = """
rulerun: 1
game: Secrets
players: 3
cards:
  face: {number: int}
  name: "{number}"
  deck: {each: {number: 1..30}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  away: {kind: pile, seen_by: nobody}
rules:
  play: |
    shuffle deck
    for p in players: deal 4 from deck to hand[p]
    each player p at once chooses gone from hand[p] as "pass {gone}": move gone to hand[next(p)]
    for p in players:
      p secretly chooses c from hand[p] as "bury {c}"
      move c to away
      p chooses d from hand[p] as "give {d}"
      move d to hand[next(p)]
    for p in players: p chooses n from 1..2 as "say {n}"
result:
  score(Player p): 0
  winner: [highest score]
"""


@pytest.fixture
def printed(rulerun, tmp_path: Path):
    file = tmp_path / "secrets.yaml"
    file.write_text(SECRETS, encoding="utf-8")

    def run(*words: str) -> dict[str, object]:
        return json.loads(rulerun("run", str(file), "--seed", "3", "--json", *words).out)

    return run


def test_a_seat_is_printed_its_own_choices_and_those_of_others_as_it_was_told(printed) -> None:
    whole = printed()
    for seat in (1, 2, 3):
        mine = printed("--eyes", f"P{seat}")
        assert mine["seed"] is None
        assert len(mine["choices"]) == len(whole["choices"]) == mine["decisions"] == 12
        for told, made in zip(mine["choices"], whole["choices"], strict=True):
            assert told["seat"] == made["seat"]
            if made["seat"] == f"P{seat}" or made["label"].startswith("say"):
                assert told == made
            elif made["label"].startswith("bury"):
                assert (told["key"], told["label"]) == (None, None)
            elif made["label"].startswith("pass"):
                own = int(made["seat"][1:]) % 3 + 1 == seat  # who is passed a card sees it, and the label names it not
                assert told["label"] in ({"pass a card", made["label"]} if own else {"pass a card"})


def test_the_document_of_a_seat_is_the_same_in_every_world_of_it() -> None:
    from rulerun.faces.run import document
    from rulerun.faces.told import tell_game

    game = engine.load(SECRETS)
    state = game.new(3)
    bot = RandomBot(3)
    while not state.is_over:
        assert state.seat is not None
        state.choose(bot.choose(state.view(state.seat), state.options))
    for seat in range(3):
        true = document(game, 3, state, tell_game(state, seat), None, seat)
        assert true["decisions"] == state.view(seat).decisions
        for seed in range(4):
            world = state.resample(seat, seed)
            assert document(game, seed, world, tell_game(world, seat), None, seat) == true


def test_who_asks_for_no_seat_is_printed_all(printed) -> None:
    assert printed()["seed"] == printed("--eyes", "all")["seed"] == 3
    assert all(choice["key"] for choice in printed("--eyes", "all")["choices"])
