"""A choice may be taken back while nothing has come of it that the seat did not know."""

from __future__ import annotations

from rulerun.game import load

RULES = """\
rulerun: 1
game: Takeback
players: 2
cards:
  face: {number: int}
  name: "{number}"
  deck:
    - {each: {number: 1..12}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  table: {kind: row, seen_by: everyone, per: player}
state:
  first: Player
rules:
  play: |
    shuffle deck
    for p in players:
      deal 3 from deck to hand[p]
      first = p
    first chooses a from 1..2 as "say {a}"
    first chooses card from hand[first] as "play {card}"
    move card to table[first]
    first chooses b from 1..2 as "say again {b}"
    deal 1 from deck to hand[first]
    first chooses c from 1..2 as "say once more {c}"
    next(first) chooses d from 1..2 as "answer {d}"
    first chooses e from 1..2 as "end with {e}"
result:
  score(Player p): |
    count(hand[p])
  winner: [highest score]
"""


def test_own_choices_and_moves_of_known_cards_can_be_taken_back_but_no_draw_and_no_answer() -> None:
    state = load(RULES).new(3)
    allowed = [state.may_take_back(1)]
    while not state.is_over:
        state.choose(0)
        allowed.append(state.may_take_back(1))
    # start; said; played; said again (and drew); once more (P1 is asked); P1 answered; over
    assert allowed == [False, True, True, False, False, False, False]


def test_another_seat_takes_nothing_back() -> None:
    state = load(RULES).new(3)
    state.choose(0)
    assert not state.may_take_back(0)


def test_a_move_that_was_left_to_chance_cannot_be_taken_back() -> None:
    """The seat saw the card before, and has learnt since that chance picked it."""
    text = RULES.replace("move card to table[first]", "MOVE")
    own = load(text.replace("MOVE", "move card to table[first]")).new(3)
    drawn = load(text.replace("MOVE", "move random of hand[first] to table[first]")).new(3)
    for state in (own, drawn):
        state.choose(0)
        state.choose(0)
    assert own.may_take_back(1)
    assert not drawn.may_take_back(1)
