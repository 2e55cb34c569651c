"""A choice may be taken back while nothing has come of it that the seat did not know."""

from __future__ import annotations

import pytest

import rulerun
from rulerun.game import load
from unguarded import unguarded

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


HIDDEN = """\
rulerun: 1
game: Try and look
players: 2
cards:
  face: {number: int}
  name: "{number}"
  deck: {each: {number: 1..12}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  table: {kind: row, seen_by: everyone}
  own: {kind: hand, per: player}
state:
  secret: {type: int, seen_by: nobody}
  purse: {type: int per Player, seen_by: owner}
rules:
  play: |
    let me = first p in players where true
    let you = next(me)
    deal 3 from deck to hand[me]
    deal 3 from deck to hand[you]
    BEFORE
    me chooses n from 1..2 as "say {n}"
    AFTER
    me chooses z from 1..2 as "end with {z}"
  ask(Player p): |
    p chooses n from 1..3 as "try {n}"
  nothing: |
    let x = 1
result:
  score(Player p): 0
  winner: [highest score]
"""
MOST = "max(k.number for k in hand[{}])"


def after_the_first(before: str, after: str) -> bool:
    """Whether P1 may take back its first choice."""
    text = HIDDEN
    for word, lines in (("BEFORE", before), ("AFTER", after)):
        text = text.replace(word, lines.replace("\n", "\n    ").replace("YOURS", MOST.format("you")))
    text = text.replace("MINE", MOST.format("me"))
    state = load(text).new(1)
    state.choose(0)
    assert state.seat == 0
    return state.may_take_back(0)


UNASKED = 'you chooses c from hand[you] where c.number > 20 as "show {c}":\n  secret = 1\notherwise: secret = 2'
ASKED_ELSEWHERE = 'me chooses m from 1..2 as "there {m}"'


@pytest.mark.parametrize(
    ("before", "after"),
    {
        "a hidden face": ("", f"if YOURS > 3:\n  {ASKED_ELSEWHERE}"),
        "a hidden value": ("secret = 3", f"if secret > 3:\n  {ASKED_ELSEWHERE}"),
        "a face by a name": ("let most = YOURS", f"if most > 3:\n  {ASKED_ELSEWHERE}"),
        "a name that a fork wrote": ("let x = 1\nif YOURS > 3: x = 2", f"if x == 2:\n  {ASKED_ELSEWHERE}"),
        "which own card moves": ("", "move first c in hand[me] where c.number <= YOURS to own[me]"),
        "where it moves": ("let p = me\nif YOURS > 3: p = you", "move highest_of(me) to own[p]"),
        "chance": ("", f"let k = 1\nsecret = random of 1..6\n{ASKED_ELSEWHERE}"),
        "whether another has anything to choose": ("", UNASKED),
        "turns of a loop": ("", "for c in hand[you]:\n  if c.number > 4: stop"),
    }.values(),
)
def test_nobody_tries_and_looks(before: str, after: str) -> None:
    after = after.replace("highest_of(me)", "(best c in hand[me] by c.number)")
    assert not after_the_first(before, after)


def test_the_way_that_called_a_rule_is_a_secret_too() -> None:
    first = f"if {MOST.format('you')} > 3:\n      ask(me)\n      {ASKED_ELSEWHERE}\n    else: ask(me)"
    text = HIDDEN.replace('me chooses n from 1..2 as "say {n}"', first).replace("BEFORE", "").replace("AFTER", "")
    state = load(text).new(1)
    state.choose(0)
    assert not state.may_take_back(0)


@pytest.mark.parametrize(
    ("before", "after"),
    {
        "an own face": ("", f"if MINE > 3:\n  {ASKED_ELSEWHERE}"),
        "an own value": ("purse[me] = 4", f"if purse[me] > 3:\n  {ASKED_ELSEWHERE}"),
        "what was said": ("", f"if count(hand[you]) == 3:\n  {ASKED_ELSEWHERE}"),
        "an own card": ("", "move (best c in hand[me] by c.number) to own[me]"),
        "a card to the table": ("", "move (best c in hand[me] by c.number) to table"),
        "what counts for nothing": ("secret = 3", "if n == 1: secret += 1"),
    }.values(),
)
def test_what_follows_from_the_choice_and_what_the_seat_knows_can_be_taken_back(before: str, after: str) -> None:
    assert after_the_first(before, after)


def test_in_an_open_game_choices_can_be_taken_back() -> None:
    text = RULES.replace("hand: {kind: hand, per: player}", "hand: {kind: hand, per: player, seen_by: everyone}")
    state = load(text).new(3)
    state.choose(0)
    state.choose(0)
    assert state.may_take_back(1)


def test_without_a_judgement_of_the_rules_nothing_is_taken_back() -> None:
    state = unguarded(RULES).new(3)
    state.choose(0)
    assert not state.may_take_back(1)


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
