"""A choice may be taken back while nothing has come of it that the seat did not know."""

from __future__ import annotations

import rulerun
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


def after_a_guess(what_follows: str) -> rulerun.State:
    """P1 has guessed 1, with a hand of two cards beside the hidden hand of P2, and what follows has followed."""
    body = "for p in players: deal 2 from deck to hand[p]\n"
    body += "let me = first p in players where true\nlet other = next(me)\n"
    body += 'me chooses guess from 1..12 as "guess {guess}"\n' + what_follows
    start, end = RULES.index("    for p in players:"), RULES.index("result:")
    text = RULES[:start] + "".join(f"    {line}\n" for line in body.splitlines()) + RULES[end:]
    state = load(text).new(3)
    state.choose(0)
    return state


RIGHT_OR_WRONG = """\
if CONDITION:
  me chooses a from 1..2 as "right {a}"
else:
  me chooses b from 1..2 as "wrong {b}"
"""


def test_what_is_asked_next_may_tell_of_hidden_cards() -> None:
    """Who is told "wrong" by the next question could else guess again until it is right."""
    guessed = after_a_guess(RIGHT_OR_WRONG.replace("CONDITION", "some(c.number == guess for c in hand[other])"))
    assert guessed.seat == 0
    assert not guessed.may_take_back(0)
    own = after_a_guess(RIGHT_OR_WRONG.replace("CONDITION", "some(c.number == guess for c in hand[me])"))
    assert own.may_take_back(0)


def test_another_who_has_nothing_to_choose_tells_of_a_hidden_hand() -> None:
    silent = 'other chooses card from hand[other] where card.number == guess as "here": first = me\n'
    silent += "otherwise: first = other\n"
    state = after_a_guess(silent + 'me chooses a from 1..2 as "{a}"')
    assert state.seat == 0
    assert not state.may_take_back(0)


def test_what_is_asked_next_may_tell_what_chance_gave() -> None:
    state = after_a_guess(
        "let drawn = random of hand[me]\n" + RIGHT_OR_WRONG.replace("CONDITION", "drawn.number > guess")
    )
    assert not state.may_take_back(0)
