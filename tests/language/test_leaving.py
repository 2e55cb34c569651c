"""Players who leave the game, and play that turns round."""

from __future__ import annotations

from language_games import codes, compiled, play, with_body

from rulerun.facts.events import observe
from rulerun.facts.observations import Left, Reversed
from rulerun.run.machine import Machine


def test_who_leaves_is_passed_over() -> None:
    played = play(
        """\
        let second = next(first p in players where true)
        second leaves
        note "{count(players)} of {count(seats)}"
        note "{second is out} {next(second) is out} {second is not out}"
        for p in players:
          note "{p}"
        let one = first p in players where true
        note "{next(one)} {previous(one)} {next(second)}"
        for p in seats:
          points[p] += 1
        note "{sum(points[p] for p in seats)} {sum(points[p] for p in players)}"
        for p in players after second:
          note "after: {p}"
        """
    )
    assert played.notes == [
        "2 of 3", "yes no no", "P1", "P3", "P3 P3 P3", "3 2", "after: P3", "after: P1",
    ]  # fmt: skip
    assert [event for event in played.events if isinstance(event, Left)] == [Left(1)]
    assert [observe(Left(1), seat) for seat in range(3)] == [Left(1)] * 3


def test_to_leave_twice_is_to_leave_once() -> None:
    played = play("for p in seats:\n  p leaves\n  p leaves\nnote \"{count(players)}\"")
    assert played.notes == ["0"]
    assert [event for event in played.events if isinstance(event, Left)] == [Left(0), Left(1), Left(2)]


def test_a_loop_passes_over_who_left_meanwhile_but_not_over_who_was_out() -> None:
    body = """\
    let two = next(first p in players where true)
    for p in players:
      note "{p}"
      if p is not out and two is not out:
        two leaves
    for p in seats:
      note "seat {p}"
      if p == two: next(two) leaves
    """
    assert play(body).notes == ["P1", "P3", "seat P1", "seat P2"]


def test_windows_and_choices_at_once_ask_who_is_in() -> None:
    body = """\
    let two = next(first p in players where true)
    any player p may "leave":
      p leaves
    each player p at once chooses n from 1..2 as "bid {n}":
      points[p] = n
    """
    played = play(body, choices=("pass", "leave", "pass", "pass", "bid 1", "bid 2"), players=3)
    assert played.asked == [0, 1, 0, 2, 0, 2]


def test_what_was_chosen_at_once_is_told_but_not_done_for_who_left_meanwhile() -> None:
    body = """\
    each player p at once chooses n from 1..2 as "bid {n}":
      points[p] = n
      if p is not out: next(p) leaves
    note "{sum(points[p] for p in seats)} {count(players)}"
    """
    assert play(body, players=2, choices=("bid 1", "bid 2")).notes == ["1 1"]


def test_the_last_in_play_is_found_by_the_score() -> None:
    result = """\
    score(Player p): |
      0 if p is out else 1
    winner: [highest score]
    """
    played = play("for p in players after (first q in players where true):\n  p leaves", result=result)
    assert (played.scores, played.winners) == ((1, 0, 0), (0,))


def test_reversed_play() -> None:
    played = play(
        """\
        let one = first p in players where true
        reverse play
        note "{next(one)} {previous(one)}"
        for p in players starting with one:
          note "{p}"
        for p in players:
          total += 1
        reverse play
        note "{next(one)} {total}"
        """,
        players=4,
    )
    assert played.notes == ["P4 P2", "P1", "P4", "P3", "P2", "P2 4"]
    assert [event for event in played.events if isinstance(event, Reversed)] == [Reversed(-1), Reversed(1)]


def test_a_saved_game_keeps_who_is_out() -> None:
    text = with_body('for p in players:\n  p chooses:\n    "go":\n      p leaves\n    "stay":\n      points[p] = 1')
    program = compiled(text, 3)
    machine = Machine(program, telling=True)
    vector = machine.start(1)
    machine.choose(vector, 0)
    assert machine.load(vector) == vector
    assert machine.chooser(vector) == 1


def test_what_is_wrong_is_told() -> None:
    assert codes("let x: Player or none = none\nx leaves") == ["RR0407"]
    assert codes("total leaves") == ["RR0403"]
    assert codes("if total is out: total = 1") == ["RR0403"]
    assert codes("total = 1", functions="f(Player p): |\n  p leaves\n  0") == ["RR0501"]
