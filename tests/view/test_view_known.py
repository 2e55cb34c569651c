"""What a seat knows of cards that it has lost sight of: where they can have gone, and where they cannot."""

from __future__ import annotations

import rulerun
from rulerun import State

RULES = """\
rulerun: 1
game: Where did it go
players: 3
cards:
  face: {rank: int}
  name: "the {rank}"
  deck:
    - {each: {rank: 1..9}, copies: COPIES}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  side: {kind: hand, per: player}
  box: {kind: hand, seen_by: nobody}
  pot: {kind: pile, seen_by: nobody}
  shown: {kind: pile, seen_by: everyone}
rules:
  play: |
    let a = first p in players
    let b = next(a)
    let c = next(b)
    move (d for d in deck where d.rank <= 3) to hand[a]
    move (d for d in deck where d.rank <= 6) to hand[b]
    move (d for d in deck where d.rank <= 9) to hand[c]
    BODY
    a chooses n from 1..2 as "stop {n}"
result: {score(Player p): 0, winner: [highest score]}
"""
"""P1 is dealt the 1, 2 and 3, P2 the 4, 5 and 6, P3 the 7, 8 and 9: one of each, or COPIES."""


def play(body: str, *choices: str, copies: int = 1, seed: int = 0) -> State:
    """The state after the choices, by their labels."""
    text = RULES.replace("COPIES", str(copies)).replace("BODY", body.strip().replace("\n", "\n    "))
    state = rulerun.load(text).new(seed)
    for label in choices:
        state.choose([option.label for option in state.options].index(label))
    return state


def knows(state: State, seat: int, zone: str) -> dict[str, int]:
    return dict(state.view(seat).zone(zone).at_least)


def test_all_of_a_hand_that_moves_on_is_known_where_it_comes_to() -> None:
    state = play("move all of hand[a] to side[b]\nmove all of side[b] to hand[c]")
    assert knows(state, 0, "hand of P3") == {"the 1": 1, "the 2": 1, "the 3": 1}
    assert knows(state, 1, "hand of P3") == {"the 1": 1, "the 2": 1, "the 3": 1}
    assert knows(state, 0, "side of P2") == {}


def test_it_is_known_over_three_hands_too() -> None:
    state = play("move all of hand[a] to box\nmove all of box to side[b]\nmove all of side[b] to hand[c]")
    assert knows(state, 0, "hand of P3") == {"the 1": 1, "the 2": 1, "the 3": 1}
    assert knows(state, 1, "hand of P3") == {"the 1": 1, "the 2": 1, "the 3": 1}


def test_who_saw_none_of_it_knows_nothing() -> None:
    state = play("move all of hand[a] to side[a]\nmove all of side[a] to hand[b]\nmove all of hand[b] to side[b]")
    assert knows(state, 2, "side of P2") == {}


PART = """\
move all of hand[a] to hand[b]
b chooses card from hand[b] as "give {card}"
move card to side[b]
"""


def test_a_card_that_may_have_gone_is_known_in_neither_place() -> None:
    state = play(PART + "move all of side[b] to side[c]", "give the 5")
    assert knows(state, 0, "hand of P2") == {}
    assert knows(state, 0, "side of P3") == {}


def test_when_the_rest_follows_all_of_it_is_known_again() -> None:
    state = play(PART + "move all of hand[b] to side[b]", "give the 2")
    assert knows(state, 0, "side of P2") == {"the 1": 1, "the 2": 1, "the 3": 1}


def test_when_what_went_comes_to_light_the_rest_is_known_again() -> None:
    state = play(PART + "move all of side[b] to shown", "give the 5")
    assert knows(state, 0, "hand of P2") == {"the 1": 1, "the 2": 1, "the 3": 1}
    state = play(PART + "move all of side[b] to shown", "give the 2")
    assert knows(state, 0, "hand of P2") == {"the 1": 1, "the 3": 1}


def test_of_two_cards_of_a_kind_one_is_left_when_one_card_goes() -> None:
    state = play(PART, "give the 5", copies=2)
    assert knows(state, 0, "hand of P2") == {"the 1": 1, "the 2": 1, "the 3": 1}
    state = play(PART + "move all of hand[b] to side[c]", "give the 5", copies=2)
    assert knows(state, 0, "side of P3") == {"the 1": 1, "the 2": 1, "the 3": 1}
    state = play(PART + "move all of hand[b] to side[b]", "give the 5", copies=2)
    assert knows(state, 0, "side of P2") == {"the 1": 2, "the 2": 2, "the 3": 2}


def test_a_card_stolen_by_chance_may_be_any() -> None:
    steal = "move all of hand[a] to hand[b]\nc chooses card from hand[b] as 'steal {card}'\nmove card to hand[c]\n"
    for seed in range(4):
        state = play(steal.replace("'", '"'), _only(steal), seed=seed)
        assert knows(state, 0, "hand of P2") == {}
        assert knows(state, 0, "hand of P3") == {}
        state = play((steal + "move all of hand[b] to hand[c]").replace("'", '"'), _only(steal), seed=seed)
        assert knows(state, 0, "hand of P3") == {"the 1": 1, "the 2": 1, "the 3": 1}


def _only(body: str) -> str:
    """The label of the one option there is."""
    (option,) = play(body.replace("'", '"')).options
    return option.label


def test_what_is_exchanged_goes_with_its_hand() -> None:
    state = play("move all of hand[a] to side[b]\nswap side[b] with side[c]\nmove all of side[c] to hand[c]")
    assert knows(state, 0, "hand of P3") == {"the 1": 1, "the 2": 1, "the 3": 1}


PASS = """\
each player p at once chooses CHOICE from hand[p] as "pass {gone}":
  move gone to hand[next(p)]
"""


def test_what_was_chosen_before_a_card_came_is_not_that_card() -> None:
    for copies, choice in ((1, "gone"), (1, "1..2 gone"), (2, "gone"), (3, "1..2 gone")):
        state = play(PASS.replace("CHOICE", choice), "pass the 1", "pass the 4", "pass the 7", copies=copies)
        assert knows(state, 0, "hand of P2") == {"the 1": 1}
        assert knows(state, 1, "hand of P3") == {"the 4": 1}
        assert knows(state, 2, "hand of P1") == {"the 7": 1}
        assert knows(state, 0, "hand of P3") == {}


def test_what_was_there_before_may_be_what_was_chosen() -> None:
    before = "move all of hand[a] to hand[b]\nmove all of hand[c] to hand[a]\nmove top of deck to hand[c]\n"
    text = RULES.replace("rank <= 9", "rank <= 8")
    play_out = PASS.replace("CHOICE", "gone")
    body = (before + play_out).strip().replace("\n", "\n    ")
    state = rulerun.load(text.replace("COPIES", "1").replace("BODY", body)).new(0)
    for label in ("pass the 7", "pass the 2", "pass the 9"):
        state.choose([option.label for option in state.options].index(label))
    assert knows(state, 0, "hand of P2") == {"the 7": 1}
    assert knows(state, 0, "hand of P3") == {}


def test_a_card_that_has_left_and_come_again_may_be_what_was_chosen() -> None:
    state = play(
        'move all of hand[a] to hand[b]\nc chooses x from hand[c] as "give {x}"\nmove x to hand[a]\n'
        + PASS.replace("CHOICE", "gone")
        + "  move all of hand[b] to shown\n  move all of shown to hand[b]",
        "give the 7",
        "pass the 7",
        "pass the 1",
        "pass the 8",
    )
    assert knows(state, 0, "hand of P3") == {"the 1": 1}
    assert "the 1" not in knows(state, 0, "hand of P2")


def test_a_card_chosen_after_it_came_may_be_that_card() -> None:
    state = play(
        'a chooses x from hand[a] as "give {x}"\nmove x to hand[b]\nb chooses y from hand[b] as "give {y}"\n'
        "move y to hand[c]",
        "give the 1",
        "give the 4",
    )
    assert knows(state, 0, "hand of P2") == {}


def test_all_that_a_hand_holds_leaves_no_room_for_others() -> None:
    """P1 gives P2 three cards, P2 gives one on, and shows all that is left: the one that went is known by that."""
    state = play(PART + "reveal hand[b]", "give the 2")
    assert knows(state, 0, "side of P2") == {"the 2": 1}


def test_the_view_is_the_same_by_whatever_way_it_is_asked_for() -> None:
    """It is worked out from the nearest position that was looked at before: with undo, clones and worlds, the same."""
    fresh = rulerun.load("hearts", players=4).new(3)
    asked = fresh.clone()
    for n in range(40):
        for state in (fresh, asked):
            state.choose(n * 7 % len(state.options))
        asked.view(n % 4)
        if n % 5 == 0:
            again = asked.clone()
            again.undo()
            again.view(n % 4)
            again.choose(n * 7 % len(again.options))
            assert again.view(n % 4) == asked.view(n % 4)
    restored = fresh.game.restore(fresh.to_bytes())
    for seat in range(4):
        assert fresh.view(seat) == asked.view(seat) == restored.view(seat)
