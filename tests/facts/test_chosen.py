"""What the text of the rules says of moves: which carry on the cards of a choice made at once, and whether a known card
can get out of sight."""

from __future__ import annotations

import pytest

import rulerun
from rulerun.facts.chosen import ChosenMove, chosen_moves, known_cards_may_move
from rulerun.ir.program import Program

RULES = """\
rulerun: 1
game: Passing
players: 2
cards: {deck: {standard: french52}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  open: {kind: pile, seen_by: everyone}
  hand: {kind: hand, per: player}
  box: {kind: hand, seen_by: nobody}
rules:
  play: |
    shuffle deck
    let me = first p in players
    for p in players: deal 5 from deck to hand[p]
    BODY
result: {score(Player p): 0, winner: [highest score]}
"""


def program(body: str) -> Program:
    return rulerun.load(RULES.replace("BODY", body.replace("\n", "\n    "))).program


@pytest.mark.parametrize(
    ("choice", "move", "found"),
    [
        ("gone", "move gone to hand[next(p)]", [ChosenMove((2, 3), is_set=False)]),
        ("1..2 gone", "move gone to box", [ChosenMove((2, 3), is_set=True)]),
        ("gone", 'note "{p}"; move gone to box', [ChosenMove((2, 3), is_set=False)]),
        ("gone", "move top of deck to hand[p]; move gone to box", []),
        ("gone", "move all of hand[p] to box", []),
    ],
)
def test_the_cards_of_a_choice_at_once_go_as_soon_as_it_is_told(
    choice: str, move: str, found: list[ChosenMove]
) -> None:
    lines = "\n  ".join(move.split("; "))
    body = f'each player p at once chooses {choice} from hand[p] as "pass {{gone}}":\n  {lines}'
    assert list(chosen_moves(program(body)).values()) == found


def test_cards_out_of_a_hand_that_the_chooser_does_not_see_are_left_to_chance() -> None:
    body = 'each player p at once chooses gone from hand[next(p)] as "take {gone}": move gone to hand[p]'
    assert chosen_moves(program(body)) == {}
    body = 'each player p at once chooses gone from box as "take {gone}": move gone to hand[p]'
    assert chosen_moves(program(body)) == {}


@pytest.mark.parametrize(
    ("body", "may"),
    [
        ('me chooses c from hand[me] as "play {c}"\nmove c to open', False),
        ("move all of hand[me] to open\nshuffle all cards into deck\ndeal 3 from deck to hand[me]", False),
        ("move top of deck to open\nmove top of open to hand[me]", True),
        ("move all of hand[me] to hand[next(me)]", True),
        ("move all of hand[me] to deck\ndeal 1 from deck to hand[me]", True),
        ("reveal hand[me]", True),
        ("swap hand[me] with hand[next(me)]", True),
    ],
)
def test_whether_a_known_card_can_get_out_of_sight(body: str, may: bool) -> None:
    assert known_cards_may_move(program(body)) == may
