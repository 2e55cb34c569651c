"""What the study of secrets writes into a program: what of a label others are not told, what is told in any case."""

from __future__ import annotations

from rulerun import load

RULES = """\
rulerun: 1
game: Hidden parts
players: 2
cards:
  face: {number: int}
  name: "{number}"
  deck: {each: {number: 1..6}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  away: {kind: pile, seen_by: nobody}
state:
  n: int
  points: int per Player
rules:
  play: |
    let me = first p in players where true
    let you = next(me)
    shuffle deck
    deal 2 from deck to hand[you]
    deal 2 from deck to hand[me]
    TEXT
    me chooses:
      "go on"
result:
  score(Player p): 0
  winner: [highest score]
"""


def story(text: str, seat: int) -> list[str]:
    """What a seat is told after the first choice (the first option)."""
    state = load(RULES.replace("TEXT", text.replace("\n", "\n    "))).new(seed=3)
    state.choose(0)
    return [line for passage in state.story(seat) for line in str(passage).splitlines()]


def test_what_a_chooser_says_of_its_own_hand_is_hidden_from_others_by_whatever_name() -> None:
    text = 'let k = max(c.number for c in hand[you])\nyou chooses:\n  "claim {k}": n = 1'
    own, other = " ".join(story(text, 1)), " ".join(story(text, 0))
    assert "claims …" in other
    assert "claims …" not in own
    assert "claims" in own


def test_what_all_know_is_told_to_all() -> None:
    text = 'let k = count(hand[you])\nyou chooses:\n  "claim {k}": n = 1'
    assert "claims 2" in " ".join(story(text, 0))


def test_in_which_place_a_secret_put_a_value_is_told_even_if_the_value_was_there() -> None:
    text = "let p = best q in players by max(c.number for c in hand[q])\npoints[p] = 0\n"
    text += 'note "{p}"\nyou chooses k from 1..2'
    game = load(RULES.replace("TEXT", text.replace("\n", "\n    ")))
    offset = next(v.offset for v in game.program.variables if v.name == "points")
    told = [o.numbers() for o in game.new(seed=3).record(0)]
    assert any(numbers[0] == 16 and numbers[1] in (offset, offset + 1) for numbers in told)


def test_a_place_that_a_secret_settled_is_told_to_its_chooser_alone() -> None:
    text = "me secretly chooses depth from 0..2\nlet d = depth\nlet e = d\nmove first c in hand[me] to deck at e"
    state = load(RULES.replace("TEXT", text.replace("\n", "\n    "))).new(seed=3)
    state.choose(1)
    mine = [o.numbers() for o in state.record(0) if o.numbers()[0] == 1][-1]
    yours = [o.numbers() for o in state.record(1) if o.numbers()[0] == 1][-1]
    assert mine[-1] == 1
    assert yours[-1] == -1
