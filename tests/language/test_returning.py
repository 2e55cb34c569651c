"""`p returns` and `all players return`: who has left is in again; several who are done at once."""

from __future__ import annotations

from pathlib import Path
from random import Random
from textwrap import dedent

import pytest
from language_games import codes, compiled, findings, play, with_body

import rulerun
from rulerun import ONLOOKER
from rulerun.facts.events import Became, observe
from rulerun.facts.observations import Left, Rejoined
from rulerun.run.machine import Machine

DEALS = Path(__file__).parent / "deals.yaml"
FOUR = "let a = first p in seats where true\nlet b = next(a)\nlet c = next(b)\nlet d = next(c)\n"
PLACES = 'note "{place(a)} {place(b)} {place(c)} {place(d)}"\n'


def notes(body: str, **more: str) -> list[str]:
    return play(FOUR + dedent(body), players=4, **more).notes


def test_who_returns_is_one_of_the_players_again() -> None:
    body = """\
    b leaves
    note "{count(players)} {next(a)} {b is out}"
    b returns
    note "{count(players)} {next(a)} {b is out} {previous(c)}"
    for p in players: note "{p}"
    """
    assert notes(body) == ["3 P3 yes", "4 P2 no P2", "P1", "P2", "P3", "P4"]


def test_it_is_told_to_all_once_and_only_if_somebody_was_out() -> None:
    body = "b returns\nd leaves\nb leaves\nb returns\nb returns\nall players return\nall players return"
    played = play(FOUR + body, players=4)
    events = [e for e in played.events if isinstance(e, Left | Rejoined)]
    assert events == [Left(3), Left(1), Rejoined(1 << 1), Rejoined(1 << 3)]
    assert [observe(Rejoined(5), seat) for seat in range(3)] == [Rejoined(5)] * 3
    played = play(FOUR + "d leaves\nb leaves\nall players return", players=4)
    assert played.events[-2:-1] == [Rejoined(1 << 1 | 1 << 3)]


def test_a_loop_asks_who_is_out_when_the_turn_comes() -> None:
    """Who returns meanwhile has a turn only in a loop over seats, or one that began before."""
    body = """\
    b leaves
    for p in players:
      note "{p}"
      if p == a:
        b returns
        c leaves
      if p == d: c returns
    for p in players:
      note "then {p}"
      if p == a: c leaves
      if p == b: c returns
    b leaves
    for p in seats:
      note "seat {p}"
      b returns
    """
    assert notes(body) == [
        "P1", "P4", "then P1", "then P2", "then P3", "then P4", "seat P1", "seat P2", "seat P3", "seat P4",
    ]  # fmt: skip


def test_a_window_asks_who_returned_when_it_asks_anew() -> None:
    body = """\
    let b = next(first p in players where true)
    b leaves
    any player p may choose:
      "bring back" if b is out: b returns
    """
    played = play(body, choices=("pass", "bring back", "pass", "pass", "pass"))
    assert played.asked == [0, 2, 0, 1, 2]


def test_at_once_is_done_for_who_left_and_returned_meanwhile() -> None:
    body = """\
    each player p at once chooses n from 1..2 as "bid {n}":
      points[p] = n
      if p == a: b leaves
      if p == c: b returns
      if p == a: d leaves
      if p == c: d returns
    note "{points[a]} {points[b]} {points[c]} {points[d]}"
    """
    assert notes(body) == ["1 0 1 1"]


def test_who_returns_has_no_place_and_the_others_move_up() -> None:
    body = "for p in {a, b, c}: end game for p\n" + PLACES + "b returns\n" + PLACES + "end game for b\n" + PLACES
    assert notes(body) == ["1 2 3 4", "1 3 2 3", "1 3 2 4"]
    assert notes("end game for c\na leaves\n" + PLACES + "a returns\n" + PLACES + "c returns\n" + PLACES) == [
        "4 2 1 2", "2 2 1 2", "1 1 1 1",
    ]  # fmt: skip


def test_places_count_anew_when_all_have_returned() -> None:
    body = "end game for b\nend game for d\nall players return\n" + PLACES + "end game for c\n" + PLACES
    assert notes(body) == ["1 1 1 1", "2 2 1 2"]
    played = play(FOUR + "end game for b\nend game for d\nall players return\n", players=4)
    place = played.program.places
    assert [e for e in played.events if isinstance(e, Became | Rejoined)] == [
        Became(place + 1, 1), Became(place + 3, 2), Rejoined(10), Became(place + 1, 0), Became(place + 3, 0),
    ]  # fmt: skip
    assert played.vector[place : place + 4] == [0, 0, 0, 0]


def test_several_who_are_done_at_once_share_a_place() -> None:
    body = "end game for {b, d}\n" + PLACES + "end game for c\n" + PLACES + "d returns\n" + PLACES
    assert notes(body) == ["3 1 3 1", "4 1 3 1", "3 1 2 3"]
    assert notes("b leaves\nend game for {b, c}\n" + PLACES) == ["2 4 1 2"]
    assert notes("end game for (p for p in players where p == b)\n" + PLACES) == ["2 1 2 2"]
    assert notes("end game for (p for p in players where p is out)\n" + PLACES) == ["1 1 1 1"]
    assert notes('b leaves\nend game for {a, c, d}\nnote "never"\n') == []
    assert notes('end game for players\nnote "never"\n') == []


def test_the_last_to_go_wins_where_places_count_upwards() -> None:
    result = "score(Player p): place(p)\nwinner: [highest place]"
    played = play(FOUR + "end game for d\nend game for {a, c}\n", players=4, result=result)
    assert (played.scores, played.winners) == ((2, 4, 2, 1), (1,))
    assert play(FOUR + "end game for d\nend game for {a, b, c}\n", players=4, result=result).winners == (0, 1, 2)


def test_only_who_is_done_last_ends_the_game_and_not_when_everybody_has_left() -> None:
    body = 'for p in seats: p leaves\nend game for a\nall players return\nnote "{count(players)}"\n'
    assert notes(body) == ["4"]


def test_a_game_without_places_has_no_room_for_them() -> None:
    program = compiled(with_body("let p = first p in seats where true\np leaves\np returns\nall players return"), 3)
    assert program.places == -1
    assert all(variable.name != "place" for variable in program.variables)


def test_a_name_is_a_name() -> None:
    body = """\
    let returns = 2
    returns = returns + 1
    returns += 1
    deal returns from stock to row
    note "{returns} {count(row)}"
    for p in players: points[p] = returns
    """
    assert notes(body) == ["4 4"]
    assert notes('deal 3 from stock to row\na chooses 2 returns from row\nnote "{count(returns)}"') == ["2"]
    assert notes("let returns = b\nreturns leaves\nnote \"{b is out}\"\nreturns returns\nnote \"{b is out}\"\n") == [
        "yes", "no",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("total returns", ["RR0403"]),
        ("row returns", ["RR0403"]),
        ("players returns", ["RR0403"]),
        ("(first p in players where true or else none) returns", ["RR0407"]),
        ("none returns", ["RR0403"]),
        ("players return", ["RR0212"]),
        ("all players returns", ["RR0212"]),
        ("all players return home", ["RR0201"]),
        ("returns", ["RR0216"]),
        ("let x = (next(first p in seats) returns)", ["RR0201"]),
    ],
)
def test_what_is_wrong(body: str, found: list[str]) -> None:
    leaving = "for p in players where points[p] > 9: p leaves\n"
    assert codes(leaving + body) == found


def test_a_function_brings_nobody_back() -> None:
    assert codes("for p in players: p leaves", functions="f(Player p): |\n  p returns\n  0") == ["RR0501"]
    assert codes("for p in players: p leaves", functions="f(): |\n  all players return\n  0") == ["RR0501"]


def test_a_warning_where_nobody_leaves() -> None:
    assert codes("all players return") == ["RR0520"]
    assert codes("for p in players: end game for p\nall players return") == []
    _, found = findings(with_body("all players return"), 3)
    assert not found.has_errors


def test_a_saved_game_keeps_who_is_in() -> None:
    text = with_body('for p in players:\n  p leaves\n  p chooses:\n    "a":\n      p returns\n    "b":\n      p leaves')
    program = compiled(text, 3)
    machine = Machine(program, telling=True)
    vector = machine.start(1)
    machine.choose(vector, 0)
    assert machine.load(vector) == vector
    assert machine.chooser(vector) == 1


def test_whole_games_of_several_deals() -> None:
    """Stories, views and undo agree with who is out and in which place; worlds are alike."""
    game = rulerun.load(DEALS, players=4)
    seen = set()
    for seed in range(16):
        random, state = Random(seed), game.new(seed)
        while not state.is_over:
            before = state.view(2)
            state.choose(random.randrange(len(state.options)))
            state.undo()
            assert state.view(2) == before
            state.choose(random.randrange(len(state.options)))
            view = state.view(random.randrange(4))
            place = dict(view.variables)["place"]
            assert isinstance(place, dict)
            for p in range(4):
                assert not place[f"P{p + 1}"] or p in view.out
            given = sorted(value for value in place.values() if value)
            assert all(value == 1 + sum(other < value for other in given) for value in given)
        lines = [line for passage in state.passages(ONLOOKER) for line in passage.sentences]
        back = [line for line in lines if "in again" in line]
        assert back.count("All are in again.") == 2
        seen.update(back)
        gone = [line for line in lines if line.endswith("is out.") or "is done" in line]
        assert len(gone) >= 9 - 3
    assert "P2 is in again." in seen


def test_worlds_of_a_game_of_several_deals_are_alike() -> None:
    game = rulerun.load(DEALS, players=3)
    for seed in range(4):
        random, state = Random(seed), game.new(seed)
        for _ in range(24):
            if state.is_over:
                break
            state.choose(random.randrange(len(state.options)))
        if state.is_over:
            continue
        for seat in range(3):
            world = state.resample(seat, seed)
            assert world.view(seat) == state.view(seat)
