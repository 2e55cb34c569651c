"""Every sort of value, zone and card that a test can name, on a ruleset made of them."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

import pytest

from rulerun.document.yaml import read_yaml
from rulerun.game import Game, load
from rulerun.play.scenario_form import read_scenarios
from rulerun.play.scenarios import Rehearsals, Verdict
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.files import text_source

RULES = """\
rulerun: 1
game: Zoo
players: 2..3
types:
  Colour: [red, blue, green]
cards:
  back: {size: int}
  face:
    spots: int per Colour
    marks: set of Colour
    colour: Colour
  name: {face: "{colour} beast", back: "size {size}"}
  deck:
    - {copies: 3, size: 1, colour: red, spots: {red: 2}, marks: [red]}
    - {copies: 2, size: 1, colour: red, spots: {red: 2, blue: 1}, marks: [red, blue]}
    - {copies: 2, size: 2, colour: blue, spots: {blue: 4}, marks: []}
    - {size: 2, colour: green, spots: {green: 1}, marks: [green]}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  field: {kind: row, seen_by: nobody, per: [player, Colour]}
  lane: {kind: pile, seen_by: everyone, per: 1..3}
  hand: {kind: hand, per: player}
state:
  fancy: Colour
  wish: Colour or none
  loud: bool
  points: int per Player
  spotted: int per Colour
  colours: set of Colour
  friends: set of Player
  guest: Player or none
  star: Card or none
rules:
  play: |
    shuffle deck
    deal 1 from deck to lane[1]
    guest = random of players
    fancy = random of Colour
    round(guest, 2)
  round(Player me, int times): |
    repeat times times:
      points[me] += 1
    me chooses c from Colour as "wish for {c}"
    wish = c
    spotted[c] += 1
    colours = colours union {c}
    friends = friends union {me}
    any player p in players starting with me may choose:
      "shout":
        loud = true
        stop
    me may "peek":
      show top of field[me, red] to me
    star = top of lane[1]
result:
  score(Player p): |
    points[p]
  winner: [highest score]
"""

TABLE = """\
given:
  deck: [{size: 2, colour: blue}]
  field[P1, red]: [{marks: [red, blue]}, green beast]
  field: {P2: {blue: [{spots: {red: 2, blue: 0}}]}}
  lane: {2: [red beast]}
  lane[1]: [blue beast]
  hand[P1]: 1 card
  points: {P1: 5}
  points[P2]: 7
  spotted: [1, 2, 3]
  wish: none
  loud: false
  colours: [red]
  friends: nothing
  fancy: green
  star: green beast
start: round(P1, 2)
"""


@pytest.fixture(scope="module")
def run() -> Callable[[str], Verdict]:
    return running(load(RULES))


def running(game: Game) -> Callable[[str], Verdict]:
    """Plays a test of a game."""

    def loaded(players: int | None, options: tuple[tuple[str, str], ...], variants: tuple[str, ...]) -> Game:
        assert (players, options, variants) == (None, (), ())
        return game

    rehearsals = Rehearsals(loaded)

    def verdict(test: str) -> Verdict:
        found = Diagnostics()
        text = "tests:\n  it:\n" + indent(test, "    ")
        form = read_scenarios(read_yaml(text_source("t.test.yaml", text), found), found)
        assert form is not None, [d.message for d in found]
        return rehearsals.run(form.scenarios[0])

    return verdict


def test_everything_can_be_given_and_expected(run: Callable[[str], Verdict]) -> None:
    verdict = run(
        TABLE
        + """\
when:
  - expect:
      points: {P1: 7, P2: 7}
      points[P1]: 7
      spotted: {blue: 2}
      spotted[green]: 3
      wish: none
      loud: false
      colours: [red]
      friends: []
      fancy: green
      guest: none
      star: green beast
      asked: P1
      field[P1, red]: [{colour: red, marks: [blue, red]}, green beast]
      field: {P2: {blue: [{colour: red, spots: {blue: 0}}], red: empty}}
      lane[2]: red beast
      top of lane[1]: blue beast
      count(hand[P1]): 1
      hand[P1]: "?"
      deck: [blue beast, ...]
      options: [wish for red, wish for blue, wish for green]
      P1 sees:
        field[P1, red]: ["?", "?"]
        lane[1]: [blue beast]
        hand[P1]: 1 card
      P2 sees: {"hand[P1]": "?", deck: ["?", ...]}
      P1 does not see: ["field[P1, red]", deck]
  - P1: wish for blue
  - all pass
  - expect: {options: [peek, pass], loud: false}
  - P1: peek
expect:
  over: true
  asked: nobody
  wish: blue
  spotted[blue]: 3
  colours: [blue, red]
  friends: [P1]
  star: blue beast
  loud: false
  winners: [P1, P2]
  P1 sees: {"field[P1, red]": ["?", green beast]}
  P2 does not see: field[P1, red]
"""
    )
    assert verdict.problem is None, (verdict.problem.span.line, verdict.problem.message, verdict.problem.details)


def test_a_window_can_be_answered(run: Callable[[str], Verdict]) -> None:
    verdict = run(TABLE + "when: [P1: wish for red, P1: pass, P2: shout, P1: pass]\nexpect: {loud: true, over: true}\n")
    assert verdict.problem is None, verdict.problem.message


def test_chance_gives_cards_players_and_words_in_order(run: Callable[[str], Verdict]) -> None:
    verdict = run(
        "when: [chance: [green beast, P2, blue]]\nexpect: {guest: P2, fancy: blue, lane[1]: [green beast]}".replace(
            "lane[1]", "'lane[1]'"
        )
    )
    assert verdict.problem is None, verdict.problem.message
    verdict = run("when: [chance: green]\nexpect: {fancy: green}")
    assert verdict.problem is None, verdict.problem.message


def test_a_truth_may_be_written_as_the_screen_tells_it(run) -> None:
    steps = "when: [P1: wish for red, P1: pass, P2: shout, P1: pass]\n"
    for given, expected in (("no", "{loud: yes, over: Yes}"), ("No", "{loud: true, over: yes}")):
        verdict = run(TABLE.replace("loud: false", f"loud: {given}") + steps + f"expect: {expected}\n")
        assert verdict.problem is None, verdict.problem.message
    verdict = run(TABLE + steps + "expect: {loud: no}\n")
    assert verdict.problem is not None
    verdict = run(TABLE + steps + "expect: {over: no}\n")
    assert verdict.problem is not None


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ("chance: purple", "no chance gives 'purple' before the next choice"),
        ("expect: {fancy: gren}", "'gren' is no Colour"),
        ("expect: {loud: on}", "'on' is neither true nor false (nor yes or no)"),
        ("expect: {points: 3}", "here must stand a mapping or a list of 2: int per Player"),
        ("expect: {points: [1]}", "here must stand a mapping or a list of 2: int per Player"),
        ("expect: {points: {P1: many}}", "'many' is no whole number"),
        ("expect: {loud: [true]}", "here must stand true or false"),
        ("expect: {'loud[P1]': true}", "'loud' is bool: it has no [P1]"),
        ("expect: {'lane[4]': empty}", "4 is outside 1..3"),
        ("expect: {'lane[x]': empty}", "'x' is no number of 1..3"),
        ("expect: {'field[P1]': empty}", "the zone 'field' is one per Player, Colour: write field[P1, red]"),
        ("expect: {lane: empty}", "the zone 'lane' is one per 1..3: write lane[1]"),
        ("expect: {'field[P1, pink]': empty}", "'pink' is no Colour"),
        ("expect: {'colours of all': 1}", "'colours of all' is no name of a zone or of a state variable"),
        ("expect: {star: gren beast}", "there is no card 'gren beast'"),
        ("expect: {colours: [blue]}", "expected colours to be [blue], found [red]"),
        ("expect: {points: {P2: 8}}", "expected points to be {P2: 8}, found {P1: 7, P2: 7}"),
        (
            "expect: {spotted: [1, 2, 4]}",
            "expected spotted to be {red: 1, blue: 2, green: 4}, found {red: 1, blue: 2, green: 3}",
        ),
        ("expect: {star: none}", "expected star to be none, found green beast"),
        ("expect: {loud: true}", "expected loud to be true, found false"),
        ("expect: {'hand[P1]': [[1]]}", "here stands a list where one card should"),
        ("expect: {P1 sees: 3}", "what a player sees is a mapping by zone, with ? for a face that is not known"),
        ("expect: {P1 sees: {dek: empty}}", "there is no zone 'dek'"),
        ("expect: {P1 sees: {deck: 1 card}}", "expected deck as P1 sees it to be 1 card, found"),
        (
            "expect: {P1 sees: {'lane[1]': nothing}}",
            "expected lane 1 as P1 sees it to be no face, found ['blue beast']",
        ),
        (
            "expect: {P1 sees: {'lane[1]': [red beast]}}",
            "expected place 1 of lane 1 as P1 sees it to be red beast, found blue beast",
        ),
        ("expect: {offered: [[x]]}", "here stands a mapping where a text should"),
        ("expect: {scores: 3}", "'scores' is a mapping"),
        ("expect: {scores: [3]}", "here must stand 2 scores, one a player"),
        ("expect: {over: maybe}", "'over' is true or false"),
        ("expect: {count(deck): 0}", "expected count(deck) to be 0, found"),
        ("expect: {top of lane[1]: red beast}", "expected top of lane[1] to be red beast, found blue beast"),
        ("expect: {'lane[1]': [red beast]}", "expected place 1 of lane 1 to be red beast, found blue beast"),
    ],
)
def test_what_cannot_be_meant_is_told(run: Callable[[str], Verdict], part: str, message: str) -> None:
    if part.startswith("expect: {top of lane[1]"):
        part = part.replace("top of lane[1]", "'top of lane[1]'")
    verdict = run(f"{TABLE}when:\n  - {part}\nexpect: {{over: true}}\n")
    assert verdict.problem is not None
    assert message in verdict.problem.message


def test_the_last_expectation_may_fail_at_the_end(run: Callable[[str], Verdict]) -> None:
    steps = "when: [P1: wish for red, all pass, P1: pass]\n"
    verdict = run(f"{TABLE}{steps}expect: {{winners: P1}}\n")
    assert verdict.problem is not None
    assert verdict.problem.message == "expected winners to be P1, found P1, P2"
    assert verdict.problem.details == ("scores: P1 7, P2 7",)


def test_equal_names_are_told_apart_in_messages(run: Callable[[str], Verdict]) -> None:
    verdict = run(f"{TABLE}expect: {{'lane[2]': [green beast]}}\n")
    assert verdict.problem is not None
    assert verdict.problem.message.startswith("expected place 1 of lane 2 to be green beast, found red beast")


def test_arguments_of_the_rule_are_checked(run: Callable[[str], Verdict]) -> None:
    for start, message in (
        ("round(P1, many)", "'many' is no whole number"),
        ("round(red, 2)", "'red' is no player: there are P1, P2"),
        ("round P1", "'round P1' is no call of a rule, as in turn(P1)"),
    ):
        verdict = run(f"start: {start}\nexpect: {{over: true}}\n")
        assert verdict.problem is not None
        assert verdict.problem.message == message


SIDES = """\
rulerun: 1
game: Sides
players: 2..4
teams: 2 if count(players) == 4 else count(players)
cards: {deck: french52}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  won: {kind: pile, per: Team, seen_by: everyone}
state: {pot: int per Team}
rules:
  play: count_up()
  count_up: |
    for t in Team: pot[t] += count(won[t])
result: {score(Team t): "pot[t]", winner: [highest score]}
"""


def test_a_team_of_one_goes_by_its_player() -> None:
    run = running(load(SIDES, players=2))
    given = "given: {won: {P1: [ace of clubs], team_2: []}, pot: {P2: 3}}\nstart: count_up()\n"
    assert run(f"{given}expect: {{'won[P1]': [ace of clubs], pot: {{team_1: 1, P2: 3}}}}\n").passed
    problem = run(f"{given}expect: {{pot: {{P1: 2, P2: 3}}}}\n").problem
    assert problem is not None
    assert problem.message == "expected pot to be {P1: 2, P2: 3}, found {P1: 1, P2: 3}"
    problem = run(f"{given}expect: {{'pot[P3]': 2}}\n").problem
    assert problem is not None
    assert (problem.message, problem.details) == ("'P3' is no Team", ("did you mean 'P1'?",))


def test_a_team_of_two_goes_by_its_number() -> None:
    run = running(load(SIDES, players=4))
    problem = run("start: count_up()\nexpect: {pot: {P1: 0}}\n").problem
    assert problem is not None
    assert (problem.message, problem.details) == ("'P1' is no Team", ("there are: team_1, team_2",))
