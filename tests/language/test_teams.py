"""Teams, and scores that are a team's or common to all."""

from __future__ import annotations

import pytest
from language_games import codes, play

import rulerun

TEAM_RESULT = """\
score(Team t): |
  pot[t]
winner: [highest score]
"""
STATE = """\
points: int per Player
total: int
pot: int per Team
turns: int per Team per Player
"""


def test_the_seats_belong_to_the_teams_in_turn() -> None:
    played = play(
        """\
        for p in players:
          note "{p} {team(p)} {partner(p)}"
        for t in Team:
          pot[t] += 10 * count(p for p in players where team(p) == t)
        pot[team_2] += 1
        note "{pot[team_1]} {pot[team_2]} {count(Team)} {team_1 < team_2}"
        """,
        players=4,
        teams="2",
        state=STATE,
        result=TEAM_RESULT,
    )
    assert played.notes == ["P1 team_1 P3", "P2 team_2 P4", "P3 team_1 P1", "P4 team_2 P2", "20 21 2 yes"]
    assert (played.scores, played.winners) == ((20, 21, 20, 21), (1, 3))
    assert played.program.teams == 2


def test_a_tie_of_teams_is_shared_by_all_their_players() -> None:
    played = play("pot[team_3] = 5\npot[team_1] = 5", players=6, teams="3", state=STATE, result=TEAM_RESULT)
    assert (played.scores, played.winners) == ((5, 0, 5, 5, 0, 5), (0, 2, 3, 5))


def test_teams_are_compared_by_what_is_theirs() -> None:
    result = """\
    score(Team t): |
      0
    winner: [highest score, lowest pot, highest rank_of]
    """
    functions = "rank_of(Team t): |\n  order(t)\n"
    played = play("pot[team_1] = 5", players=6, teams="3", state=STATE, result=result, functions=functions)
    assert played.winners == (2, 5)


def test_teams_may_be_scored_player_by_player() -> None:
    result = "score(Player p): |\n  points[p] + points[partner(p)]\nwinner: [highest score]\n"
    played = play("points[first p in players where true] = 3", players=4, teams="2", state=STATE, result=result)
    assert (played.scores, played.winners) == ((3, 0, 3, 0), (0, 2))


def test_a_zone_of_a_team_is_seen_by_its_players() -> None:
    zones = """\
    stock: {kind: pile, seen_by: nobody, start: deck}
    melds: {kind: row, per: Team, seen_by: owner}
    backs: {kind: hand, per: Team, seen_by: others}
    box: {kind: hand, per: Team}
    """
    played = play(
        """\
        for p in players:
          deal 1 from stock to melds[team(p)]
        note "{count(melds[team_1])} {count(melds[team_2])} {count(all of melds)}"
        """,
        players=4,
        teams="2",
        state=STATE,
        zones=zones,
        result=TEAM_RESULT,
    )
    assert played.notes == ["2 2 4"]
    zone = {z.name: (z.owner, z.seen) for z in played.program.zones}
    assert zone == {
        "stock": (-1, 0),
        "melds of team 1": (-1, 0b0101),
        "melds of team 2": (-1, 0b1010),
        "backs of team 1": (-1, 0b1010),
        "backs of team 2": (-1, 0b0101),
        "box of team 1": (-1, 0b0101),
        "box of team 2": (-1, 0b1010),
    }


ALONE_OR_NOT = """
rulerun: 1
game: Alone or not
players: 2..4
teams: 2 if count(players) == 4 else count(players)
cards: {face: {number: int}, name: "{number}", deck: [{each: {number: 1..8}}]}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  box: {kind: pile, per: Team, seen_by: owner}
state:
  pot: int per Team
rules:
  play: |
    for t in Team:
      deal 1 from deck to box[t]
      pot[t] += 1
      note "{t} has {pot[t]}"
    for p in players:
      p chooses n from 1..2
result: {score(Team t): "pot[t]", winner: [highest score]}
"""


def test_who_plays_alone_gives_the_team_its_name() -> None:
    state = rulerun.load(ALONE_OR_NOT, players=3).new(1)
    view = state.view(1)
    owners = {zone.name: zone.owner for zone in view.zones}
    assert owners == {"deck": None, "box of P1": 0, "box of P2": 1, "box of P3": 2}
    assert view.variables == (("pot", {"P1": 1, "P2": 1, "P3": 1}),)
    assert [text for text in state.story(0) if " has " in text] == ["P1 has 1.", "P2 has 1.", "P3 has 1."]


def test_two_who_play_together_are_a_team_by_number() -> None:
    view = rulerun.load(ALONE_OR_NOT, players=4).new(1).view(1)
    owners = {zone.name: zone.owner for zone in view.zones}
    assert owners == {"deck": None, "box of team 1": None, "box of team 2": None}
    assert view.variables == (("pot", {"team_1": 1, "team_2": 1}),)


def test_a_choice_from_the_cards_of_the_own_team() -> None:
    zones = """\
    stock: {kind: pile, seen_by: nobody, start: deck}
    box: {kind: hand, per: Team}
    """
    played = play(
        """\
        deal 3 from stock to box[team_2]
        for p in players:
          p chooses c from box[team_2] as "take {c}"
          move c to stock
          deal 1 from stock to box[team_2]
        """,
        players=2,
        teams="2",
        state=STATE,
        zones=zones,
        result=TEAM_RESULT,
    )
    assert played.offered == [["take a card"], ["take red 1", "take red 2", "take red 3"]]


def test_a_common_score() -> None:
    result = "score: |\n  total\n"
    played = play("total = 7", result=result)
    assert (played.scores, played.winners) == ((7, 7, 7), (0, 1, 2))


@pytest.mark.parametrize(("total", "winners"), [(24, ()), (25, (0, 1, 2))])
def test_all_win_or_nobody(total: int, winners: tuple[int, ...]) -> None:
    result = "score(): |\n  total\nwon: |\n  score() >= 25\n"
    played = play(f"total = {total}", result=result)
    assert (played.scores, played.winners) == ((total,) * 3, winners)


def test_nobody_wins_against_each_other_either_unless_won() -> None:
    won = "points[first p in players where true] > 1"
    result = f"score(Player p): |\n  points[p]\nwinner: [highest score]\nwon: {won}\n"
    one = "points[first p in players where true] = "
    assert play(f"{one}1", result=result).winners == ()
    assert play(f"{one}2", result=result).winners == (0,)


def test_what_is_wrong_is_told() -> None:
    teams = {"state": STATE, "result": TEAM_RESULT}
    assert codes("total = 1", players=3, teams="2", **teams) == ["RR0343"]
    assert codes("total = 1", players=3, teams="0", **teams) == ["RR0343"]
    assert codes("let p = partner(first q in players where true)", players=6, teams="2", **teams) == ["RR0406"]
    assert codes("let p = partner(first q in players where true)", players=2, teams="2", **teams) == ["RR0406"]
    assert codes("let t = team()", players=4, teams="2", **teams) == ["RR0406"]
    assert codes("let t = team(first q in players where true)", players=4) == ["RR0401"]
    assert codes("total = 1", players=4, result="score(Team t): |\n  0\nwinner: [highest score]\n") == ["RR0303"]
    by_points = "score(Team t): |\n  0\nwinner: [highest points]\n"
    assert codes("total = 1", players=4, teams="2", state=STATE, result=by_points) == ["RR0340"]
    assert codes("total = 1", result="score(Colour c): |\n  0\nwinner: [highest score]\n") == ["RR0339"]
    assert codes("total = 1", result="score: |\n  0\nwon: |\n  total\n") == ["RR0512"]
    assert codes("total = 1", result="score(Player p): |\n  0\n") == ["RR0111"]
    assert codes("total = 1", players=4, teams="2", types="Team: [a, b]\n", **teams)[0] == "RR0301"
