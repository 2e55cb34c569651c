"""Exchange finds what leaks, with a ruleset for each class of leak, compiled without following secrets; and it is quiet
where nothing leaks.

What the rules alone can leak is leaked by rules. What no rules can leak any more, since the engine tells and offers it
otherwise, is leaked by an engine that is made to leak here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from textwrap import dedent, indent

import pytest

from rulerun import Game, State, load
from rulerun.facts.events import Became
from rulerun.facts.options import Option
from rulerun.play.exchange import Leak, leaks, search
from rulerun.run.choices import Choice
from rulerun.run.machine import Machine
from rulerun.run.teller import Teller
from rulerun.view.onlooker import ONLOOKER
from rulerun.view.table import Table
from rulerun.view.view import View
from unguarded import unguarded

HEAD = """\
rulerun: 1
game: Leaky
players: {players}
cards:
  face: {{number: int}}
  name: "{{number}}"
  deck: {{each: {{number: 1..{cards}}}}}
zones:
  deck: {{kind: pile, seen_by: nobody, start: deck}}
  hand: {{kind: hand, per: player}}
  away: {{kind: row, seen_by: nobody}}
  table: {{kind: row, seen_by: everyone}}
state:
  n: int
{state}
rules:
  play: |
    let me = first p in players where true
    let you = next(me)
    shuffle deck
    deal {held} from deck to hand[you]
    deal 2 from deck to away
{rules}
result:
  score(Player p): 0
  winner: [highest score]
"""


def ruleset(rules: str, state: str = "", players: int = 2, cards: int = 6, held: int = 2) -> Game:
    """A game in which P2 holds some of the cards, and two lie face down in a row."""
    state, rules = indent(dedent(state).strip("\n"), "  "), indent(dedent(rules).strip("\n"), "    ")
    return unguarded(HEAD.format(players=players, cards=cards, held=held, state=state, rules=rules))


def found(game: Game, tries: int = 36) -> list[Leak]:
    return leaks(game, seed=0, decisions=8, tries=tries)


def of(game: Game, what: str, observer: int = 0) -> Leak:
    """The leak of that sort to a seat. Fails if there is none."""
    everything = found(game)
    fitting = [leak for leak in everything if leak.what == what and leak.observer == observer]
    assert fitting, [str(leak) for leak in everything]
    return fitting[0]


# ---------------------------------------------------------------------- ten classes


def test_1_order_of_hidden_cards_by_their_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    options = Choice.options

    def sorted_by_number(self: Choice, v: list[int]) -> list[Option]:
        return sorted(options(self, v))

    monkeypatch.setattr(Choice, "options", sorted_by_number)
    leak = of(ruleset('me chooses c from top 2 of deck as "take {c}"\nmove c to away'), "offer")
    assert leak.origin is not None
    assert leak.origin.text.startswith("me chooses c from top 2 of deck")
    assert leak.left != leak.right


def test_2_a_note_says_what_is_worked_out_from_a_hidden_hand() -> None:
    leak = of(ruleset('note "{max(c.number for c in hand[you])} is the highest"\nme chooses:\n  "look"'), "note")
    assert leak.origin is not None
    assert leak.origin.text.startswith("note")


def test_3_a_name_launders_a_hidden_face_into_a_label() -> None:
    leak = of(ruleset('let k = max(c.number for c in hand[you])\nme chooses:\n  "guess {k}": n = 1'), "offer")
    assert "guess" in leak.left
    assert "guess" in leak.right
    assert "exchanged" in leak.exchanged


def all_knowing(monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game with a secret choice, whose story is told to everybody as to one who knows all."""
    passages = State.passages
    monkeypatch.setattr(State, "passages", lambda self, _seat, since: passages(self, None, since))
    return ruleset('you secretly chooses c from hand[you] as "bury {c}"\nmove c to away\nme chooses:\n  "look"')


def test_3_others_read_in_the_story_what_only_the_chooser_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    leak = of(all_knowing(monkeypatch), "story")
    assert leak.left != leak.right


def test_4_an_open_variable_shows_where_a_card_went(monkeypatch: pytest.MonkeyPatch) -> None:
    view = State.view

    def showing(self: State, seat: int) -> View:
        number = next(n for n, zone in enumerate(self.game.program.zones) if zone.name == "away")
        highest = max(Table(self.game.program, self.vector).cards(number))
        seen = view(self, seat)
        return replace(seen, variables=(*seen.variables, ("best", highest)))

    monkeypatch.setattr(State, "view", showing)
    leak = of(ruleset('me chooses:\n  "look"'), "view")
    assert leak.left.startswith("variables.best: ")


def test_5_a_token_on_a_hidden_card_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ruleset('me chooses:\n  "look"', state="mark: int per Card")
    variable = next(v for v in game.program.variables if v.name == "mark")
    away = next(n for n, zone in enumerate(game.program.zones) if zone.name == "away")
    offered = Teller.offered

    def marking(self: Teller, v: list[int], *rest: object) -> None:
        self.tell(v, Became(variable.offset + Table(game.program, v).cards(away)[0], 1))
        offered(self, v, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Teller, "offered", marking)
    leak = of(game, "entry of a card")
    assert leak.left.startswith("mark of card ")


def test_6_chance_into_a_hidden_variable_is_told_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulerun.run.chance.told_of_pick", lambda _plan, _end: lambda _v, _r: -1)
    game = ruleset(
        'traitor = random of players\nme chooses:\n  "look"', state="traitor: {type: Player or none, seen_by: nobody}"
    )
    leak = of(game, "outcome of chance")
    assert leak.exchanged.startswith("what chance gave at ")


def test_7_options_share_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Machine, "key", lambda _self, _v, option: (option.line, 0))
    leak = of(ruleset('me chooses k from 1..2 as "say {k}"'), "key")
    assert leak.left.startswith("say 1")
    assert leak.right.startswith("say 2")


def test_8_whether_something_is_offered_hangs_on_which_card_lies_where() -> None:
    game = ruleset(
        'let k = best c in away by c.number\nme chooses c from away where c != k as "take {c}"\nmove c to table'
    )
    leak = of(game, "offer")
    assert leak.origin is not None
    assert "c != k" in leak.origin.text


def test_9_the_size_of_a_secret_set_by_the_count_of_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    view = State.view
    monkeypatch.setattr(State, "view", lambda self, seat: replace(view(self, seat), decisions=len(self)))
    game = ruleset(
        """
        you secretly chooses 0..8 gone from hand[you] as "hide {gone}"
        me chooses:
          "look"
        """,
        cards=30,
        held=16,
    )
    result = leaks(game, seed=0, decisions=12, tries=24)
    assert any(leak.what in {"size of a secret set", "view"} and leak.observer == 0 for leak in result)


def test_10_a_choice_may_be_taken_back_after_something_was_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(State, "may_take_back", lambda self, seat: [c.seat for c in self.history][-1:] == [seat])
    leak = of(
        ruleset(
            """
            me chooses:
              "peek"
            if max(c.number for c in away) > 4:
              me chooses:
                "high it is"
            else:
              me chooses:
                "low it is"
            """
        ),
        "taking back",
    )
    assert leak.left.startswith("may be taken back after ")


# ---------------------------------------------------------------------- who else is attacked


def test_a_fault_that_hangs_on_hidden_faces() -> None:
    leak = of(
        ruleset('me chooses:\n  "look"\nlet k = 12 // (max(c.number for c in away) - 5)\nme chooses:\n  "on"'), "fault"
    )
    assert {leak.left, leak.right} & {"the rules go on"}


def test_an_onlooker_is_attacked_too(monkeypatch: pytest.MonkeyPatch) -> None:
    assert of(all_knowing(monkeypatch), "story", ONLOOKER).reader == "an onlooker"


def test_partners_are_attacked_like_any_seat() -> None:
    told = leaks(unguarded(TEAMS), seed=0, decisions=4, tries=24)
    assert [leak.what for leak in told if leak.observer != ONLOOKER] == ["note"]


# ---------------------------------------------------------------------- what leaks nothing


def test_what_the_rules_do_at_the_table_is_no_leak() -> None:
    game = ruleset(
        """
        n = max(c.number for c in away)
        me chooses:
          "look"
        reveal hand[you]
        if n > 4:
          you chooses c from hand[you] as "lay {c}"
          move c to table
        me chooses c from away as "turn {c}"
        move c to table
        """
    )
    result = search(game, seed=0, decisions=8, tries=36)
    assert result.leaks == []
    assert result.disclosed > 10
    assert result.compared >= result.disclosed


@pytest.mark.parametrize("name", ["kuhn", "leduc", "ouch", "cuckoo", "sueca", "goofspiel"])
def test_shipped_rulesets_leak_nothing(name: str) -> None:
    result = search(load(name), seed=1, decisions=12, tries=12)
    assert [str(leak) for leak in result.leaks] == []
    assert result.compared > 0


def test_the_same_numbers_give_the_same_leaks() -> None:
    def again() -> Sequence[Leak]:
        return found(ruleset('note "{max(c.number for c in hand[you])} is the highest"\nme chooses:\n  "look"'))

    assert again() == again() != []


def test_a_game_without_secrets_has_nothing_to_exchange() -> None:
    result = search(unguarded(HEAD_OPEN), seed=0, decisions=4, tries=6)
    assert (result.pairs, result.compared, result.leaks) == (0, 0, [])


# What a player tells its partner is told to all.
TEAMS = """\
rulerun: 1
game: Partners
players: 4
teams: 2
cards:
  face: {number: int}
  deck: {each: {number: 1..9}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
rules:
  play: |
    let me = first p in players where true
    shuffle deck
    for p in players: deal 1 from deck to hand[p]
    note "{max(c.number for c in hand[next(next(me))])}"
    me chooses:
      "look"
result:
  score(Player p): 0
  winner: [highest score]
"""

HEAD_OPEN = """\
rulerun: 1
game: Open
players: 2
cards:
  face: {number: int}
  deck: {each: {number: 1..3}}
zones:
  deck: {kind: pile, seen_by: everyone, start: deck}
rules:
  play: |
    for p in players: p chooses n from 1..3
result:
  score(Player p): 0
  winner: [highest score]
"""
