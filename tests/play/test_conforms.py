"""`rulerun.testing.conforms`, and the invariant that executors agree, on games that are right and on broken ones."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence

import pytest

import rulerun
from rulerun import State
from rulerun.facts.options import Option
from rulerun.game import Game
from rulerun.play.invariants import executors_agree
from rulerun.play.walk import Notes, Walk
from rulerun.run.machine import Machine
from rulerun.testing import conforms

LAY = """rulerun: 1
game: Lay
players: 2..3
cards: {deck: french32}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  table: {kind: row, seen_by: everyone}
rules:
  play: |
    shuffle deck
    for p in players: deal 2 from deck to hand[p]
    for p in players:
      p chooses card from hand[p] as "lay {card}"
      move card to table
result:
  score(Player p): "count(hand[p])"
  winner: [highest score]
"""


def test_the_fewest_and_the_most_players_are_tried() -> None:
    reports = conforms(LAY, games=1, depth=2)
    assert [(report.game, report.players, report.findings) for report in reports] == [("Lay", 2, []), ("Lay", 3, [])]


def test_a_number_of_players_or_a_game_is_tried_alone() -> None:
    assert [report.players for report in conforms(LAY, players=3, games=1, depth=1)] == [3]
    assert [report.players for report in conforms(rulerun.load(LAY, players=2), games=1, depth=1)] == [2]


def test_what_does_not_hold_is_an_assertion_that_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    true_undo = State.undo

    def wrong(self: State) -> None:
        true_undo(self)
        self.vector = [*self.vector[:-1], self.vector[-1] ^ 1]

    monkeypatch.setattr(State, "undo", wrong)
    with pytest.raises(AssertionError) as raised:
        conforms(LAY, players=2, games=1, depth=2)
    lines = str(raised.value).splitlines()
    assert lines[0].startswith("Lay for 2: ")
    assert any("undo does not lead to the position before the last choice" in line for line in lines)


# --------------------------------------------------------------- all executors agree


def walked(game: Game, choices: int) -> Walk:
    walk = Walk(game, 4)
    for _ in range(choices):
        walk.take(0)
    return walk


@pytest.fixture
def game() -> Game:
    return rulerun.load(LAY, players=2)


def test_on_a_sound_game_they_do(game: Game) -> None:
    notes = Notes(game)
    assert [executors_agree(walked(game, choices), notes) for choices in range(3)] == [None, None, None]


class Elsewhere(Machine):
    """Its choices change one word too many."""

    def choose(self, v: list[int], index: int, options: Sequence[Option] | None = None) -> None:
        super().choose(v, index, options)
        v[-1] ^= 1


class Fewer(Machine):
    """Offers one option too few."""

    def options(self, v: list[int]) -> list[Option]:
        return super().options(v)[:-1]


@pytest.mark.parametrize(
    ("machine", "problem"),
    [
        (Elsewhere, "the executor that tells and the one that does not are in different states"),
        (Fewer, "the executor that tells and the one that does not offer different options"),
    ],
)
def test_a_quiet_executor_that_does_not_is_found(game: Game, machine: type[Machine], problem: str) -> None:
    notes = Notes(game, quiet=machine(game.program, knowledge=True))
    assert executors_agree(walked(game, 1), notes) == problem


def test_machine_code_that_does_not_is_found(game: Game) -> None:
    pytest.importorskip("llvmlite")
    from rulerun.native.machine import NativeMachine

    class NativeElsewhere(NativeMachine):
        def choose(self, v: array[int], index: int) -> None:
            super().choose(v, index)
            v[game.program.layout.size - 1] ^= 1

    class NativeFewer(NativeMachine):
        def options(self, v: array[int]) -> list[Option]:
            return super().options(v)[:-1]

    class NativeScores(NativeMachine):
        def scores(self, v: array[int]) -> tuple[int, ...]:
            return tuple(score + 1 for score in super().scores(v))

    def problem(made: type[NativeMachine], choices: int) -> str | None:
        return executors_agree(walked(game, choices), Notes(game, native=made(game.program)))

    assert problem(NativeElsewhere, 1) == "machine code leads to another state"
    assert problem(NativeFewer, 1) == "machine code offers other options"
    assert problem(NativeScores, 2) == "machine code comes to another result"
    assert problem(NativeScores, 1) is None


def test_without_llvmlite_the_interpreters_are_compared(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    notes = Notes(game)
    assert executors_agree(walked(game, 1), notes) is None
    assert notes.without_native == "without the native executor: llvmlite is not installed"
    assert executors_agree(walked(game, 2), notes) is None


def test_a_ruleset_that_machine_code_cannot_play_is_left_to_the_interpreters(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("llvmlite")
    from rulerun.native import compiler

    monkeypatch.setattr(compiler, "LARGEST", 5)
    notes = Notes(game)
    assert executors_agree(walked(game, 1), notes) is None
    assert notes.without_native == "without the native executor: the rules are too long for machine code"
