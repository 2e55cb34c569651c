"""How a game is told: to an onlooker, to a seat, to one who knows all; notable games of a simulation; Enter in play."""

from __future__ import annotations

import json

import pytest

import rulerun
from rulerun.play.bots import RandomBot
from rulerun.view.english import counted, third_person
from rulerun.view.onlooker import ONLOOKER


def finished(name: str, seed: int, players: int | None = None) -> rulerun.State:
    state = rulerun.load(name, players).new(seed)
    bot = RandomBot(seed)
    while not state.is_over and len(state) < 40:
        assert state.seat is not None
        state.choose(bot.choose(state.view(state.seat), state.options))
    return state


def test_a_turn_is_one_passage_and_says_nothing_twice() -> None:
    passages = finished("ouch", 7).passages()
    assert [p.seat for p in passages[:4]] == [-1, 1, 0, 1]
    assert passages[1].sentences == (
        "P2 picks slot 5 (2-flower cactus) and turns it over by its left side: 1 red 1 blue, needles left top.",
        "Ouch, P2 is pricked.",
        "It goes to the box.",
        "A 3-flower cactus goes from the draw pile to the layout.",
    )


def test_reactions_stand_below_the_turn() -> None:
    told = [(p.seat, p.reaction, p.sentences[0]) for p in finished("cactus", 3).passages()[1:5]]
    assert told == [
        (0, False, "P1 draws from the stock and discards ten of hearts without its power."),
        (0, True, "P1 matches ten of hearts with slot 1: ace of hearts."),
        (0, True, "P1 passes."),
        (1, True, "P2 matches ten of hearts with slot 1: five of spades."),
    ]


def test_deals_are_told_together_and_hands_only_to_their_owners() -> None:
    state = finished("cucumber", 1, 3)
    dealt = "10 cards go from the deck to each player's hand"
    mine = "P1 gets 57, 3, 47, 14, 46, 37, 16, 11, 17 and 38"
    assert f"{dealt}." in state.passages(ONLOOKER)[1].sentences
    assert f"{dealt}: {mine}." in state.passages(0)[1].sentences
    assert any(text.startswith(f"{dealt}: {mine}; P2 gets 56") for text in state.passages(None)[1].sentences)


CATCH = """
rulerun: 1
game: Catch
players: 2
cards: {face: {number: int}, name: "{number}", deck: [{each: {number: 1..8}}]}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  table: {kind: row, seen_by: everyone}
  hand: {kind: hand, per: player}
  taken: {kind: pile, per: player, seen_by: nobody}
rules:
  play: |
    shuffle deck
    deal 2 from deck to table
    for p in players: deal 2 from deck to hand[p]
    for p in players:
      p chooses card from hand[p], caught from table as "take {caught} with {card}"
      move caught to taken[p]
      move card to taken[p]
result: {score(Player p): "count(taken[p])", winner: [highest score]}
"""


def test_a_card_that_the_reader_does_not_see_is_not_taken_for_another_one_that_moves() -> None:
    state = rulerun.load(CATCH).new(3)
    label = state.options[0].label
    caught, card = label.removeprefix("take ").split(" with ")
    state.choose(0)
    assert state.story(0)[-2].startswith(f"P1 takes {caught} with {card}.")
    assert f"P1 takes {caught} with a card." in state.story(1)


def test_a_card_that_moves_from_elsewhere_is_not_taken_for_the_one_that_was_chosen() -> None:
    pair = 'card from hand[p], caught from table as "take {caught} with {card}"'
    text = CATCH.replace(pair, 'card from hand[p] as "mark {card}"')
    state = rulerun.load(text.replace("move caught to taken[p]", "deal 1 from deck to table")).new(3)
    state.choose(0)
    assert "P1: mark a card." in state.story(ONLOOKER)


FORGE = """
rulerun: 1
game: Forge
players: 2
cards: {face: {number: int}, name: "{number}", deck: [{each: {number: 1..8}}]}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  table: {kind: row, seen_by: everyone}
  slag: {kind: pile, seen_by: everyone}
  hand: {kind: hand, per: player}
  rack: {kind: row, per: player, seen_by: others}
state:
  tries: int
rules:
  play: |
    shuffle deck
    for p in players:
      deal 3 from deck to hand[p]
      deal 1 from deck to rack[p]
    for p in players:
      p chooses card from hand[p] as "lay {card} and take heart"
      tries += 1
      move card to table
      p chooses 2 cards from hand[p] as "burn {cards}"
      tries += 1
      move cards to slag
      p chooses unseen from rack[p] as "try {unseen}"
      reveal unseen
      if unseen.number > 4: move unseen to table
      else: move unseen to slag
result: {score(Player p): "tries", winner: [highest score]}
"""


def test_a_count_that_goes_up_does_not_part_a_choice_from_its_cards() -> None:
    state = rulerun.load(FORGE).new(3)
    state.choose(0)
    assert state.story(1)[-1] == "P1 lays 4 and takes heart."
    state.choose(0)
    assert state.story(1)[-1] == "P1 lays 4 and takes heart and burns 5 and 6."


def test_where_a_card_goes_that_was_shown_is_told_to_who_knew_it_too() -> None:
    state = rulerun.load(FORGE).new(3)
    for _ in range(3):
        state.choose(0)
    done = "P1 lays 4 and takes heart, burns 5 and 6 and tries"
    assert state.story(0)[-2:] == [f"{done} slot 1: 7.", "It goes to the table."]
    assert state.story(1)[-2:] == [f"{done} 7.", "It goes to the table."]


@pytest.mark.parametrize(("name", "players"), [("ouch", 2), ("cactus", 2), ("cucumber", 3)])
def test_an_onlooker_is_told_nothing_that_a_seat_is_not_told(name: str, players: int) -> None:
    """In a world in which the seat's record is the same, the onlooker's story is the same, whatever else is hidden."""
    state = finished(name, 11, players)
    while len(state) > 12:
        state.undo()
    for seat in range(players):
        world = state.resample(seat, 5)
        assert world.story(ONLOOKER) == state.story(ONLOOKER)


def test_an_onlooker_does_not_see_what_goes_from_hand_to_hand() -> None:
    state = finished("old_maid", 3)
    assert "A card goes from P2's hand to P1's hand." in state.story(ONLOOKER)
    assert "Three of spades goes from P2's hand to P1's hand." in state.story(0)


def test_run_tells_what_the_eyes_see(rulerun) -> None:
    words = ["run", "high.yaml", "--seed", "5"]
    table, everything, first = (rulerun(*words, "--eyes", eyes).out for eyes in ("table", "all", "P1"))
    assert rulerun(*words).out == table
    assert "2 cards go from the deck to each player's hand." in table
    assert "each player's hand: P1 gets" in first
    assert "; P2 gets" not in first
    assert "; P2 gets" in everything
    assert first.splitlines()[-1].endswith("--seed 5 --eyes P1")
    wrong = rulerun(*words, "--eyes", "P3")
    assert (wrong.code, wrong.err) == (2, "error: --eyes P3: say table, all, or a seat from P1 to P2\n")
    assert json.loads(rulerun(*words, "--json").out)["story"][0] == "The deck is shuffled."


def test_what_is_told_fits_the_line(rulerun) -> None:
    lines = rulerun("run", "ouch", "--seed", "7").out.splitlines()
    assert max(map(len, lines)) <= 100
    assert lines[2].startswith("The draw pile is shuffled.")
    assert lines[3].startswith("    ")
    assert not any(line != line.rstrip() for line in lines)
    assert lines[-1] == f"seed 7, {lines[-1].split()[2]} choices; again: rulerun run ouch --players 2 --seed 7"


def test_notable_games_replay_exactly(rulerun) -> None:
    report = json.loads(rulerun("sim", "ouch", "-n", "60", "-p", "2", "--seed", "4", "--json").out)
    found = {entry["what"]: entry for entry in report["notable"]}
    assert {"longest", "shortest"} <= set(found)
    assert found["longest"]["decisions"] == report["decisions_range"][1]
    assert found["shortest"]["decisions"] == report["decisions_range"][0]
    for what, entry in found.items():
        played = json.loads(rulerun("run", "ouch", "-p", "2", "--seed", str(entry["seed"]), "--json").out)
        assert played["decisions"] == entry["decisions"]
        assert (len(played["winners"]) > 1) or what != "tie"
    told = rulerun("sim", "ouch", "-n", "60", "-p", "2", "--seed", "4").out
    assert f"{found['longest']['seed']}\n" in told
    assert "to see one: rulerun run ouch --players 2 --seed SEED\n" in told
    assert told.endswith("again: rulerun sim -n 60 ouch --players 2 --seed 4\n")


def test_the_first_fault_is_notable(rulerun) -> None:
    report = json.loads(rulerun("sim", "endless.yaml", "-n", "2", "--seed", "3", "--json").out)
    assert report["notable"] == [{"what": "fault", "seed": report["first_faults"][0]["seed"], "decisions": 2}]


def test_enter_takes_the_only_option_and_no_other(rulerun) -> None:
    played = rulerun("play", "high.yaml", "--seed", "5", stdin="\n1\n\n")
    assert "P1 [1-2, ?] " in played.out
    assert "P1 [1 or Enter, ?] " in played.out
    assert played.out.count("P1, choose:") == 3
    assert "again: rulerun play high.yaml --players 2 --seed 5" in played.out


@pytest.mark.parametrize(
    ("label", "told"),
    [("play 7", "plays 7"), ("pass", "passes"), ("try again", "tries again"), ("buy it", "buys it"), ("go", "goes")],
)
def test_third_person(label: str, told: str) -> None:
    assert third_person(label) == told


def test_equal_names_are_counted() -> None:
    assert counted(["a", "b", "a"]) == "2 x a and b"


def test_of_no_players_it_is_told_nobody_and_of_no_cards_nothing(tmp_path) -> None:
    path = tmp_path / "none.yaml"
    path.write_text(
        "rulerun: 1\ngame: None\nplayers: 2\ncards: {deck: french52}\n"
        "zones: {deck: {kind: pile, seen_by: nobody, start: deck}, row: {kind: row, seen_by: everyone}}\n"
        "state: {passed: set of Player}\n"
        'rules:\n  play: |\n    note "{passed} took {row}"\n    passed = players\n    note "{passed} took {row}"\n'
        "result:\n  score(Player p): |\n    count(row)\n  winner: [highest score]\n",
        encoding="utf-8",
    )
    state = rulerun.load(path).new(0)
    assert [line for line in state.story() if "took" in line] == ["Nobody took nothing.", "P1 and P2 took nothing."]
    assert state.view(0).of_players == {"passed"}
