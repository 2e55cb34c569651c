"""`end game for p` and `place(p)`: the order in which players are done."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from language_games import codes, compiled, findings, play, with_body

import rulerun
from rulerun import ONLOOKER
from rulerun.facts.events import Became
from rulerun.facts.observations import Left

SHEDDING = Path(__file__).parent / "shedding.yaml"

PLACES = 'note "{place(a)} {place(b)} {place(c)} {place(d)}"\n'
FOUR = "let a = first p in seats where true\nlet b = next(a)\nlet c = next(b)\nlet d = next(c)\n"


def notes(body: str, **more: str) -> list[str]:
    return play(FOUR + body, players=4, **more).notes


def test_places_are_given_in_order_and_who_plays_on_shares_the_next() -> None:
    told = notes(PLACES + "end game for c\n" + PLACES + "end game for a\n" + PLACES)
    assert told == ["1 1 1 1", "2 2 1 2", "2 3 1 3"]


def test_who_has_left_without_a_place_comes_after_all() -> None:
    body = "b leaves\n" + PLACES + "end game for c\n" + PLACES + "d leaves\n" + PLACES + "end game for a\n"
    played = play(FOUR + body + 'note "never"\n', players=4, result=WINNER)
    assert played.notes == ["1 4 1 1", "2 4 1 2", "2 3 1 3"]
    assert played.scores == (2, 3, 1, 3)
    assert played.winners == (2,)


WINNER = "score(Player p): place(p)\nwinner: [lowest place]"


def test_the_game_is_over_when_nobody_is_left() -> None:
    body = "for p in seats:\n  end game for p\n  note \"{p}\"\n"
    assert notes(body) == ["P1", "P2", "P3"]
    assert notes("for p in players after a: p leaves\nend game for a\nnote \"never\"\n") == []


def test_who_is_out_gets_no_place_and_who_is_done_keeps_it() -> None:
    assert notes("b leaves\nend game for b\nend game for c\nend game for c\n" + PLACES + 'note "{c is out}"\n') == [
        "2 4 1 2", "yes",
    ]  # fmt: skip


def test_done_is_told_to_all_with_the_place() -> None:
    played = play(FOUR + "end game for b\nend game for d\n", players=4, result=WINNER)
    places = played.program.places
    assert [e for e in played.events if isinstance(e, Became | Left)] == [
        Became(places + 1, 1), Left(1), Became(places + 3, 2), Left(3),
    ]  # fmt: skip
    assert played.vector[places : places + 4] == [0, 1, 0, 2]


def test_the_argument_is_worked_out_once() -> None:
    """Who is next is another player as soon as that one has left."""
    assert notes("end game for next(a)\nend game for next(a)\n" + PLACES) == ["3 1 2 3"]


def test_events_and_functions_and_choices_may_ask_for_it() -> None:
    played = play(
        FOUR + "end game for b\na chooses p from players where ahead(p) == 1 as \"{p} of {place(p)}\"\n",
        players=4,
        functions="ahead(Player p): count(q for q in seats where place(q) < place(p))\nworth(Cards cs): count(cs)\n",
    )
    assert played.offered == [["P1 of 2", "P3 of 2", "P4 of 2"]]


def test_other_games_have_no_room_for_it() -> None:
    without = compiled(with_body("total = 1"), 3)
    assert without.places == -1
    assert all(variable.name != "place" for variable in without.variables)
    asked = compiled(with_body("for p in players: total = place(p)"), 3)
    assert asked.layout.full_size == without.layout.full_size + 3 + (asked.layout.zone_base - asked.layout.frames) - (
        without.layout.zone_base - without.layout.frames
    )


def test_a_name_of_ones_own_is_that_name() -> None:
    own = "place(Player p): 7\nworth(Cards cs): count(cs)\n"
    assert notes(PLACES, functions=own) == ["7 7 7 7"]
    assert codes("for p in players: end game for p", functions=own) == ["RR0301"]
    assert notes("let place = 3\nend game for b\nnote \"{place} {place(a)}\"\n") == ["3 2"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("end game for", "RR0202"),
        ("end game for 3", "RR0403"),
        ("end game for row", "RR0403"),
        ("end game for (first p in players where true or else none)", "RR0407"),
        ("total = place()", "RR0406"),
        ("total = place(3)", "RR0403"),
        ("place(first p in players where true)", "RR0413"),
    ],
)
def test_what_is_wrong(body: str, code: str) -> None:
    assert codes(body) == [code]


def test_a_common_score_is_not_compared_by_places() -> None:
    _, found = findings(with_body("stop", result="score: |\n  1\nwinner: [lowest place]"), 2)
    assert [d.code for d in found][:1] == ["RR0340"]


def test_a_shedding_game_says_who_was_done_when() -> None:
    """Whole games: views, stories and winners agree on the places."""
    game = rulerun.load(SHEDDING, players=4)
    seen = set()
    for seed in range(12):
        random, state = Random(seed), game.new(seed)
        done: list[int] = []
        while not state.is_over:
            state.choose(random.randrange(len(state.options)))
            place = dict(state.view(0).variables)["place"]
            assert isinstance(place, dict)
            done = sorted((p for p in range(4) if place[f"P{p + 1}"]), key=lambda p: place[f"P{p + 1}"])
            assert place == dict(state.view(3).variables)["place"]
            assert set(done) <= set(state.view(1).out)
        lines = [line for passage in state.passages(ONLOOKER) for line in passage.sentences]
        told = [line for line in lines if "is done" in line]
        assert [line.split(" ")[0] for line in told] == [f"P{p + 1}" for p in done]
        assert [line.rsplit(" ", 1)[1] for line in told] == [f"{n + 1}." for n in range(len(done))]
        gone = [line for line in lines if "is out" in line]
        assert len(gone) == 4 - len(done)
        assert not {line.split(" ")[0] for line in gone} & {line.split(" ")[0] for line in told}
        assert state.winners == (done[0],)
        scores = [9 - done.index(p) if p in done else 9 - len(done) for p in range(4)]
        assert list(state.scores) == scores
        seen.add(len(done))
    assert len(seen) > 1
