"""`seen_by` on state variables: who sees a value, who is told that it changed, who may read it; and that nothing else
gives it away."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from language_games import codes, compiled, findings, play, play_text, with_body

import rulerun
from rulerun import ONLOOKER, State
from rulerun.facts.events import Became, Hinted, observe
from rulerun.facts.faults import RulesFault
from rulerun.facts.observations import ObservedValue
from rulerun.ir.printer import show
from rulerun.ir.program import seats_by_word
from rulerun.ir.verifier import verify
from rulerun.run.machine import Machine

PURSES = Path(__file__).parent / "purses.yaml"


def offset(state: State, name: str) -> int:
    return next(v.offset for v in state.game.program.variables if v.name == name and v.unit < 0)


def seen(state: State, seat: int) -> dict[str, object]:
    return dict(state.view(seat).variables)


def heard(state: State, seat: int, name: str) -> list[tuple[int, int]]:
    """What a seat was told of a variable: place in it, and value."""
    variable = next(v for v in state.game.program.variables if v.name == name)
    places = range(variable.offset, variable.offset + variable.words)
    told = [each for each in state.record(seat) if isinstance(each, ObservedValue) and each.place in places]
    return [(each.place - variable.offset, each.value) for each in told]


# ------------------------------------------------------------------------- who sees


def test_a_view_shows_what_its_seat_sees_and_leaves_the_rest_out() -> None:
    state = rulerun.load(PURSES, players=3).new(1)
    for seat in range(3):
        me, others = f"P{seat + 1}", {f"P{p + 1}" for p in range(3) if p != seat}
        view = seen(state, seat)
        assert view["purse"] == {me: 6}
        assert set(view["secret"]) == set(view["rivals"]) == {me}  # type: ignore[call-overload]
        assert set(view["fate"]) == others  # type: ignore[call-overload]
        assert "pot" not in view
        assert view["open_sum"] == 0
        assert dict(state.view(seat).as_dict()["variables"]) == view  # type: ignore[call-overload]


def test_an_option_may_lay_a_variable_open() -> None:
    state = rulerun.load(PURSES, players=3, options={"open_purses": True}).new(1)
    assert seen(state, 0)["purse"] == {"P1": 6, "P2": 6, "P3": 6}
    assert "pot" not in seen(state, 0)
    assert state.game.program.variables[0].seen == ()


def test_of_a_hidden_change_those_are_told_who_see_it() -> None:
    state = rulerun.load(PURSES, players=2).new(1)
    state.choose(2)  # P1 puts 2 into the pot
    assert heard(state, 0, "purse") == [(0, 4)]
    assert heard(state, 1, "purse") == []
    assert heard(state, 0, "pot") == heard(state, 1, "pot") == []
    pot = [
        e for stretch in state.events() for e in stretch if isinstance(e, Became) and e.place == offset(state, "pot")
    ]
    assert [(e.value, e.seen) for e in pot] == [(2, 0)]


def test_what_is_stored_in_an_open_variable_is_told() -> None:
    body = "purse[me] = 4\ntotal = purse[me]"
    text = with_body("let me = first p in players where true\n" + body, state=STATE)
    played = play_text(text)
    told = [(observe(e, 0), observe(e, 2)) for e in played.events if isinstance(e, Became)]
    at = {v.name: v.offset for v in played.program.variables}
    total = ObservedValue(at["total"], 4)
    assert told == [(ObservedValue(at["purse"], 4), None), (total, total)]


STATE = """
points: int per Player
total: int
purse: {type: int per Player, start: 3, seen_by: owner}
grid: {type: int per Player per Colour, seen_by: owner}
hat: {type: Colour per Player, seen_by: others}
tally: {type: int, seen_by: nobody}
mark: {type: Card or none per Player, seen_by: owner}
"""


def test_the_seats_that_see_each_word() -> None:
    program = compiled(with_body("end game", state=STATE), 3)
    by_name = {v.name: v.seen for v in program.variables if v.unit < 0}
    assert by_name["purse"] == (0b001, 0b010, 0b100)
    assert by_name["grid"] == (0b001,) * 3 + (0b010,) * 3 + (0b100,) * 3
    assert by_name["hat"] == (0b110, 0b101, 0b011)
    assert by_name["tally"] == (0,)
    assert by_name["points"] == by_name["total"] == ()
    assert len(seats_by_word(program)) == 3 + 9 + 3 + 1 + 3
    assert "purse: int per Player = [3, 3, 3], seen by owner" in show(program)


def test_alone_at_the_table_one_sees_what_is_ones_own() -> None:
    text = with_body('let me = first p in players where true\nnote "{purse[me]}"', state=STATE)
    played = play_text(text, players=1)
    assert played.notes == ["3"]


def test_the_value_of_a_team_is_seen_by_its_players() -> None:
    state = "points: int per Player\nchest: {type: int per Team, start: 5, seen_by: owner}"
    text = with_body('for p in players:\n  p may "go on":\n    chest[team(p)] += 1', state=state, teams="2")
    text = text.replace("players: 1..6", "players: 4")
    game = rulerun.load(text)
    assert game.program.variables[1].seen == (0b0101, 0b1010)
    position = game.new(1)
    assert seen(position, 2)["chest"] == {"team_1": 5}
    position.choose(0)
    assert heard(position, 2, "chest") == [(0, 6)]
    assert heard(position, 3, "chest") == []


def test_a_variable_of_cards_is_shown_to_those_who_see_it() -> None:
    body = 'deal 2 from stock to row\nfor p in players:\n  mark[p] = top of row\n  p may "go on": total += 1'
    state = rulerun.load(with_body(body, state=STATE), players=2).new(1)
    assert seen(state, 0)["mark"] == {"P1": "red 2"}
    assert seen(state, 1)["mark"] == {"P2": None}


# ------------------------------------------------------------------- the law, by mutation


def given_to(state: State, seat: int) -> dict[str, object]:
    """What a seat is given of a position, but for its record."""
    return {
        "view": state.view(seat).as_dict(),
        "turn": state.seat,
        "options": [(o.key, o.label) for o in state.options] if state.seat == seat else None,
        "story": state.story(seat),
    }


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4])
def test_states_that_differ_in_hidden_values_only_are_equal_to_those_who_do_not_see_them(players: int) -> None:
    game = rulerun.load(PURSES, players=players)
    hidden = seats_by_word(game.program)
    assert len(hidden) == 4 * players + 1
    random = Random(players)
    differed = 0
    for seed in range(4):
        state = game.new(seed)
        while not state.is_over:
            for word, seats in hidden.items():
                other = state.clone()
                vector = state.vector.copy()
                vector[word] = 0 if vector[word] else 1
                other.vector, other._offer = vector, None
                for seat in range(players):
                    if seats >> seat & 1:
                        differed += state.view(seat) != other.view(seat)
                    else:
                        assert given_to(other, seat) == given_to(state, seat), (word, seat)
            state.choose(random.randrange(len(state.options)))
    assert differed > 100


def test_a_hidden_change_leaves_the_records_of_the_others_as_they_were() -> None:
    """Two games that differ in a secret choice only: the same digest, and the same of everything, for the others."""
    game = rulerun.load(PURSES, players=3)
    one, other = game.new(5), game.new(5)
    one.choose(0)
    other.choose(3)
    assert seen(one, 0)["purse"] != seen(other, 0)["purse"]
    assert one.information_state(0) != other.information_state(0)
    for seat in (1, 2):
        assert one.record(seat) == other.record(seat)
        assert one.information_state(seat) == other.information_state(seat)
        assert given_to(one, seat) == given_to(other, seat)
    assert one.story(ONLOOKER) == other.story(ONLOOKER)


def test_whether_a_choice_may_be_taken_back_does_not_tell_of_a_hidden_change() -> None:
    body = """
    let me = first p in players where true
    repeat 2 times:
      me chooses n from 0..3 as "{n}"
      CHANGE
    """
    for change, may in (("tally += 1", True), ("purse[next(me)] += 1", True), ("purse[me] += 1", False)):
        text = with_body(body.replace("CHANGE", change), state=STATE)
        state = rulerun.load(text, players=2).new(1)
        state.choose(1)
        assert state.may_take_back(0) is may, change


# ---------------------------------------------------------------------------- worlds


def test_sampled_worlds_differ_in_what_others_chose_secretly() -> None:
    state = rulerun.load(PURSES, players=2).new(3)
    state.choose(2)
    state.choose(len(state.options) - 1)
    purse = offset(state, "purse")
    mine, theirs = set(), set()
    for seed in range(12):
        world = state.resample(1, seed=seed)
        assert world.record(1) == state.record(1)
        assert world.view(1) == state.view(1)
        theirs.add(world.vector[purse])
        mine.add(world.vector[purse + 1])
        assert world.vector[purse] + world.vector[offset(world, "pot")] == 6
    assert theirs == {3, 4, 5, 6}
    assert mine == {6}


def test_a_game_with_hidden_values_is_saved_and_told_again() -> None:
    state = rulerun.load(PURSES, players=3).new(8)
    random = Random(8)
    while not state.is_over:
        state.choose(random.randrange(len(state.options)))
    assert state.game.restore(state.to_bytes()).vector == state.vector
    again = state.game.replay(8, [c.key for c in state.history])
    assert [again.record(seat) for seat in range(3)] == [state.record(seat) for seat in range(3)]
    # the result lays open what it counts, and nothing else
    assert state.view(0).scores == state.scores
    assert set(seen(state, 0)["purse"]) == {"P1"}  # type: ignore[call-overload]


# ------------------------------------------------------------------------- who may read


FIRST = "let me = first p in players where true\nlet you = next(me)\n"


@pytest.mark.parametrize(
    "text",
    [
        'me chooses n from 1..9 where n <= purse[me] as "{n} of {purse[me]}"',
        'me may "go on" if purse[me] > 0: total += 1',
        'me may "go on": purse[you] += tally',
        "if purse[you] > tally: total += 1",
        "for p in players where purse[p] > 2: points[p] += 1",
        "total = max(purse[p] for p in players)",
        'me may "hat" if hat[you] == red: total += 1',
        'let n = purse[you]\nhat[you] = red\ntotal = n\nnote "{you} had {n}"',
        "tell me whether purse[you] > 2",
        'me chooses q from (p for p in players where p != me) as "{q}"\ntotal = purse[q]',
        'any player p may "snap" if purse[p] > 2: stop',
        'each player p at once chooses n from 0..purse[p] as "bid {n}": tally += n',
        'let x = you\nx may "go on" if purse[x] > 2: total += 1',
        'me chooses q from players where q != me or purse[q] > 2 as "{q}"',
        'me chooses q from players where q == you or own(me) > 2 as "{q}"',
    ],
)
def test_what_may_be_read(text: str) -> None:
    functions = "own(Player p): |\n  purse[p]"
    played = play(FIRST + text, state=STATE, functions=functions)
    assert played.vector[0] == 0


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('me chooses n from 1..9 where n <= purse[you] as "{n}"', "RR0507"),
        ('me chooses n from 1..9 where n <= purse[next(me)] as "{n}"', "RR0507"),
        ('me may "go on" if tally > 0: total += 1', "RR0507"),
        ('me may "{tally}": total += 1', "RR0507"),
        ('me may "{hat[me]}": total += 1', "RR0507"),
        ('me chooses n from 0..tally as "{n}"', "RR0507"),
        ('me chooses (tally) cards from row as "{cards}"', "RR0507"),
        ('me chooses q from players after me where purse[q] > 2 as "{q}"', None),
        ('me chooses q from (p for p in players where purse[p] > 2) as "{q}"', "RR0507"),
        ('me may "go on" if some(purse[p] > 2 for p in players): total += 1', "RR0507"),
        ('me may "go on" if every(grid[p, red] > 2 for p in players): total += 1', "RR0507"),
        ('me may "go on" if all_of_them() > 2: total += 1', "RR0507"),
        ('me may "go on" if through(you) > 2: total += 1', "RR0507"),
        ('me may "go on" if loop_over() > 2: total += 1', "RR0507"),
        ('me may "go on" if score(you) > 2: total += 1', "RR0507"),
        ('any player p may "snap" if purse[next(p)] > 2: stop', "RR0507"),
        ('each player p at once chooses n from 0..tally as "bid {n}": total += n', "RR0507"),
        ('note "{purse[me]}"', "RR0508"),
        ('note "{hat[me]}"', "RR0508"),
        ('note "{tally}"', "RR0508"),
        ('note "{all_of_them()}"', "RR0508"),
        ('note "{through(me)}"', "RR0508"),
        ('note "{1 if grid[me, red] > 2 else 2}"', "RR0508"),
    ],
)
def test_what_may_not_be_read(text: str, code: str | None) -> None:
    functions = """
    own(Player p): |
      purse[p]
    through(Player p): |
      own(p) + 1
    all_of_them(): |
      max(purse[p] for p in players)
    loop_over(): |
      let most = 0
      for p in players:
        most = max(most, own(p))
      most
    """
    result = "score(Player p): |\n  purse[p]\nwinner: [highest score]"
    found = codes(FIRST + text, state=STATE, functions=functions, result=result)
    assert found == ([code] if code else [])


@pytest.mark.parametrize(
    "text",
    [
        'me chooses q from players after me where purse[q] > 2 as "{q}"',
        'for q in players:\n  me may "rob" if q != me and own(q) > 2: total += 1',
        'for q in players:\n  me may "{hat[q]}": total += 1',
        'for q in players:\n  me chooses n from 1..9 where n > grid[q, blue] as "{n}"',
    ],
)
def test_what_only_play_settles_is_a_fault_of_the_reference_executor(text: str) -> None:
    functions = "own(Player p): |\n  purse[p]"
    program = compiled(with_body(FIRST + text, state=STATE, functions=functions), 3)
    machine = Machine(program, telling=True)

    def run() -> None:
        v = machine.start(1)
        while not machine.is_over(v):
            machine.label(v, machine.options(v)[0])
            machine.choose(v, 0)

    with pytest.raises(RulesFault) as fault:
        run()
    assert fault.value.code == "RR0612"
    assert fault.value.origin is not None


def test_where_the_condition_is_not_reached_nothing_is_read() -> None:
    played = play(FIRST + 'for q in players:\n  me may "mine" if q == me and purse[q] > 2: total += 1', state=STATE)
    assert played.offered == [["mine", "pass"], ["pass"], ["pass"]]


@pytest.mark.parametrize(
    ("state", "code"),
    [
        ("purse: {type: int, seen_by: owner}", "RR0321"),
        ("purse: {type: int per Colour, seen_by: others}", "RR0321"),
        ("purse: {type: int per Player, seen_by: me}", "RR0113"),
        ("purse: {type: int per Player, seen_by: [owner]}", "RR0113"),
        ("purse: {type: int per Player, seen_by: owner if hidden else everyone}", "RR0310"),
        ("purse: {type: int per Player, seen_by: owner if true else 3}", "RR0310"),
        ("purse: {type: int, seen_by: nobody if false else owner}", "RR0321"),
        ("purse: {start: 3, seen_by: owner}", "RR0111"),
        ("purse: {type: int per Player, seenby: owner}", "RR0110"),
    ],
)
def test_how_a_declaration_goes_wrong(state: str, code: str) -> None:
    _, found = findings(with_body("end game", state="points: int per Player\n" + state), 2)
    assert [d.code for d in found] == [code]


# --------------------------------------------------------------------- what else is told


def test_a_label_tells_the_others_nothing_that_they_do_not_see() -> None:
    body = """
    for p in players:
      p chooses:
        "pay 1 of {purse[p]} for {total}": total += 1
        n from 2..3 as "pay {n} of {purse[p]}": total += n
    """
    state = rulerun.load(with_body(body, state=STATE), players=2).new(1)
    assert [o.label for o in state.options] == ["pay 1 of 3 for 0", "pay 2 of 3", "pay 3 of 3"]
    assert [state.label(i, 1) for i in range(3)] == ["pay 1 of … for 0", "pay 2 of …", "pay 3 of …"]
    assert state.label(1, 0) == state.label(1) == "pay 2 of 3"
    state.choose(1)
    assert state.story(0)[-1] == state.story(None)[-1] == "P1 pays 2 of 3."
    assert state.story(1)[-1] == state.story(ONLOOKER)[-1] == "P1 pays 2 of …"


def test_a_label_that_reads_the_choosers_own_hand_tells_the_others_no_face() -> None:
    body = """
    for p in players:
      deal 2 from stock to hand[p]
    for p in players:
      p may "boast of {max(c.number for c in hand[p])} beside {count(row)}": total += 1
    """
    state = rulerun.load(with_body(body), players=2).new(1)
    assert state.options[0].label == "boast of 2 beside 0"
    state.choose(0)
    assert "P1: boast of 2 beside 0." in state.story(0)
    assert "P1: boast of … beside 0." in state.story(1)


def test_a_label_of_what_lies_open_is_told_as_it_is() -> None:
    body = """
    deal 2 from stock to row
    for p in players:
      p may "boast of {max(c.number for c in row)}": total += 1
    """
    state = rulerun.load(with_body(body), players=2).new(1)
    state.choose(0)
    assert "P1: boast of 2." in state.story(1)
    assert "P1: boast of 2." in state.story(ONLOOKER)


def test_worlds_do_not_conclude_from_a_fact_that_depends_on_a_hidden_value() -> None:
    functions = "enough(Card c): |\n  c.number > tally"
    body = "deal 3 from stock to row\ntell players whether (TEST for c in row)"
    for test, known in (("c.number > 2", True), ("c.number > total", True), ("c.number > tally", False)):
        (event,) = [e for e in play(body.replace("TEST", test), state=STATE).events if isinstance(e, Hinted)]
        assert (event.passing is not None) is known, test
    (event,) = [
        e
        for e in play(body.replace("TEST", "enough(c)"), state=STATE, functions=functions).events
        if isinstance(e, Hinted)
    ]
    assert event.passing is None
    assert event.facts == (1, 1, 1)


def test_the_verifier_looks_at_who_sees() -> None:
    program = compiled(with_body("end game", state=STATE), 3)
    number = next(i for i, v in enumerate(program.variables) if v.name == "purse")
    purse = program.variables[number]

    def problems(**changes: object) -> list[str]:
        variables = list(program.variables)
        variables[number] = replace(purse, **changes)  # type: ignore[arg-type]
        return verify(replace(program, variables=tuple(variables)))

    assert problems() == []
    assert problems(seen=(1, 2)) == ["program: variable purse says of 2 words of 3 who sees them"]
    assert any("seats that do not exist" in p for p in problems(seen=(1, 2, 8)))
    assert any("says not by whom" in p for p in problems(seen=()))


def test_what_a_team_owns_its_players_may_be_asked_by() -> None:
    state = "points: int per Player\nchest: {type: int per Team, start: 5, seen_by: owner}"
    body = 'for p in players:\n  p may "take 1 of {chest[WHOSE]}" if chest[WHOSE] > 0: chest[team(p)] -= 1'

    def text(whose: str) -> str:
        made = with_body(body.replace("WHOSE", whose), state=state, teams="2")
        return made.replace("players: 1..6", "players: 4")

    assert [labels[0] for labels in play_text(text("team(p)"), players=4).offered] == [
        "take 1 of 5",
        "take 1 of 5",
        "take 1 of 4",
        "take 1 of 4",
    ]
    assert play_text(text("team(partner(p))"), players=4).offered[3][0] == "take 1 of 4"
    machine = Machine(compiled(text("team(next(p))"), 4), telling=True)
    with pytest.raises(RulesFault) as fault:
        machine.start(1)
    assert fault.value.code == "RR0612"
    assert codes('note "{chest[team_1]}"', 4, state=state, teams="2") == ["RR0508"]
