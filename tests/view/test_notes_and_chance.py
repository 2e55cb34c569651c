"""What a note names, and what chance gives: each seat is told no more than it may know, in its record, its story and
the worlds that are sampled for it."""

from __future__ import annotations

import rulerun
from rulerun.facts.events import Picked
from rulerun.facts.observations import Chance, Face, Said
from rulerun.view.onlooker import ONLOOKER
from unguarded import unguarded

HEAD = """
rulerun: 1
game: Told
players: 2
cards:
  face: {number: int}
  name: "{number}"
  deck: {each: {number: 1..8}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  mat: {kind: row, per: player, seen_by: owner}
  away: {kind: pile, seen_by: nobody}
"""
END = """
result:
  score(Player p): 0
  winner: [highest score]
"""
BURY = HEAD + """
rules:
  play: |
    shuffle deck
    for p in players: deal 2 from deck to hand[p]
    for p in players:
      p secretly chooses c from hand[p] as "bury {c}"
      move c to away
      note "{p} buries {c}"
""" + END
NAMED = HEAD + """
state:
  all_of: Cards
rules:
  play: |
    shuffle deck
    for p in players:
      deal 2 from deck to hand[p]
      deal 2 from deck to mat[p]
    for p in players:
      p chooses c from mat[p] as "point at {c}"
      note "{p} points at {c}"
      all_of = hand[p] union mat[p]
      note "{p} has {all_of}"
      all_of = hand[p] without hand[p]
      note "{p} has {all_of}, that is {first k in all_of where true or else none}"
""" + END
LOTS = HEAD + """
state:
  die: {type: int per Player, seen_by: owner}
  traitor: {type: Player or none, seen_by: nobody}
  open: int
rules:
  play: |
    for p in players: die[p] = random of 1..6
    traitor = random of players
    open = random of 1..6
    let kept = random of 1..6
    for p in players: p chooses n from 1..6
""" + END


def played(text: str, seed: int, choices: list[int] | None = None) -> rulerun.State:
    state = unguarded(text).new(seed)
    for choice in choices or []:
        state.choose(choice)
    while not choices and not state.is_over:
        state.choose(0)
    return state


def notes(state: rulerun.State, seat: int) -> list[tuple[int | tuple[Face, ...], ...]]:
    return [entry.values for entry in state.record(seat) if isinstance(entry, Said)]


def test_a_note_names_a_hidden_card_to_those_alone_who_know_it() -> None:
    state = played(BURY, 3)
    program = state.game.program
    for seat in range(2):
        for who, cards in notes(state, seat):
            assert isinstance(cards, tuple)
            (face,) = cards
            assert (face.kind >= 0) == (who == seat)
            assert (face.zone, face.place) == (-1, -1)
    kind = notes(state, 0)[0][1][0].kind  # type: ignore[index,union-attr]
    assert f"P1 buries {program.kind_names[kind]}." in state.story(0)
    assert "P1 buries a card." in state.story(1)
    assert {"P1 buries a card.", "P2 buries a card."} <= set(state.story(ONLOOKER))
    assert f"P1 buries {program.kind_names[kind]}." in state.story(None)


def test_what_is_buried_in_secret_may_be_another_card_in_a_world() -> None:
    state = played(BURY, 3)
    buried = {state.resample(1, seed).story(None)[3] for seed in range(12)}
    assert len(buried) > 2, "the note would hold the true card fast"
    for seed in range(4):
        world = state.resample(1, seed)
        assert world.record(1) == state.record(1)
        assert world.information_state(1) == state.information_state(1)


def test_a_note_names_hidden_cards_of_a_row_by_their_places_and_sets_by_their_size() -> None:
    state = played(NAMED, 5)
    mine, theirs = state.story(0), state.story(1)
    one, two = (notes(state, 0)[0][1], notes(state, 1)[0][1])
    assert isinstance(one, tuple)
    assert isinstance(two, tuple)
    assert one[0].kind >= 0 > two[0].kind
    assert one[0][1:] == two[0][1:] == (one[0].zone, 0)
    name = state.game.program.kind_names[one[0].kind]
    assert f"P1 points at {name}." in mine
    assert "P1 points at slot 1." in theirs
    assert "P1 has slot 1, slot 2 and 2 cards." in theirs
    assert theirs.count("P1 has nothing, that is none.") == mine.count("P1 has nothing, that is none.") == 1
    assert {len(values[1]) for values in notes(state, 0) if isinstance(values[1], tuple)} == {0, 1, 4}


def test_cards_of_a_note_come_in_no_order_that_tells_hidden_faces() -> None:
    found = set()
    for seed in range(8):
        state = played(NAMED, seed)
        found.add(tuple(notes(state, 1)[1:3]))
    assert len(found) == 1, "P2 sees nothing of P1's cards: the notes must be the same whatever they are"


def test_chance_into_a_variable_is_told_to_those_who_see_it() -> None:
    state = unguarded(LOTS).new(2)
    given = [event for event in state.events()[0] if isinstance(event, Picked)]
    assert [event.seen for event in given] == [0b01, 0b10, 0, -1, -1]
    for seat in range(2):
        told = [entry.value for entry in state.record(seat) if isinstance(entry, Chance)]
        assert told == [given[seat].value, given[3].value, given[4].value]
        assert dict(state.view(seat).variables)["die"] == {f"P{seat + 1}": given[seat].value}
    assert len([line for line in state.story(ONLOOKER) if line.startswith("Chance")]) == 2
    assert len([line for line in state.story(None) if line.startswith("Chance")]) == 5


def test_worlds_draw_anew_what_chance_put_out_of_sight() -> None:
    state = unguarded(LOTS).new(2)
    program = state.game.program
    place = {v.name: v.offset for v in program.variables}
    worlds = [state.resample(0, seed) for seed in range(60)]
    assert {world.vector[place["die"]] for world in worlds} == {state.vector[place["die"]]}
    assert {world.vector[place["die"] + 1] for world in worlds} == set(range(1, 7))
    assert {world.vector[place["traitor"]] for world in worlds} == {0, 1}
    assert all(world.record(0) == state.record(0) for world in worlds)


def test_what_the_team_sees_chance_tells_the_team() -> None:
    text = LOTS.replace("players: 2", "players: 4\nteams: 2")
    text = text.replace("die: {type: int per Player, seen_by: owner}", "die: {type: int per Team, seen_by: owner}")
    text = text.replace("for p in players: die[p] =", "for t in Team: die[t] =")
    state = unguarded(text).new(1)
    given = [event for event in state.events()[0] if isinstance(event, Picked)]
    assert [event.seen for event in given[:2]] == [0b0101, 0b1010]
    assert len([line for line in state.story(ONLOOKER) if line.startswith("Chance")]) == 2
