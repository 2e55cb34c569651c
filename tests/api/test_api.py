"""The Python API: loading, playing, wrong calls, saves, views."""

from __future__ import annotations

import json

import pytest

import rulerun
from rulerun import PlayError, RulesetError, UsageError
from rulerun.facts.observations import ObservedValue
from small_games import FOLLOW, MEMORY


def test_a_text_is_loaded_and_played() -> None:
    game = rulerun.load(FOLLOW, players=2)
    assert game.name == "Follow"
    assert game.player_range == (2, 3)
    assert game.options == {"size": 2}
    assert list(game.offered_variants) == ["short"]
    state = game.new(seed=1)
    while not state.is_over:
        state.choose(0)
    assert state.scores == (0, 0)
    assert state.winners == (0, 1)
    assert len(state.history) == 4
    assert [c.seat for c in state.history] == [0, 1, 0, 1]


def test_players_default_to_the_fewest() -> None:
    assert rulerun.load(FOLLOW).players == 2


@pytest.mark.parametrize("players", [1, 4, -1, True])
def test_a_wrong_number_of_players_is_refused(players: int) -> None:
    with pytest.raises(UsageError, match="for 2 to 3 players"):
        rulerun.load(FOLLOW, players=players)


def test_options_and_variants() -> None:
    assert len(rulerun.load(FOLLOW, options={"size": 3}).new().options) == 3
    short = rulerun.load(FOLLOW, variants=["short"])
    assert short.variants == ("short",)
    assert short.options == {"size": 1}
    assert short.settings == {"size": "1"}


@pytest.mark.parametrize(
    "arguments",
    [{"options": {"sise": 3}}, {"options": {"size": 9}}, {"options": {"size": "x"}}, {"variants": ["shrt"]}],
)
def test_wrong_options_and_variants_are_refused(arguments: dict[str, object]) -> None:
    with pytest.raises((UsageError, RulesetError)):
        rulerun.load(FOLLOW, **arguments)  # type: ignore[arg-type]


def test_a_faulty_ruleset_is_told_with_its_diagnostics() -> None:
    with pytest.raises(RulesetError) as caught:
        rulerun.load(FOLLOW.replace("deal size from deck", "deal size from dck"))
    assert caught.value.diagnostics[0].code.startswith("RR")
    assert "dck" in caught.value.diagnostics[0].message


def test_a_missing_file_is_told() -> None:
    with pytest.raises(UsageError, match="nowhere"):
        rulerun.load("nowhere.yaml")


def test_keys_are_stable_and_labels_unique() -> None:
    state = rulerun.load(FOLLOW, options={"size": 3}).new(4)
    keys = [option.key for option in state.options]
    assert len(set(keys)) == 3
    assert all(key.startswith("s") and ":0:" in key for key in keys)
    assert len({option.label for option in state.options}) == 3
    assert all(option.label.startswith("play the ") for option in state.options)
    json.dumps(keys)


def test_wrong_calls_change_nothing() -> None:
    state = rulerun.load(FOLLOW).new(2)
    before = state.to_bytes()
    for wrong in (2, -1, "0", None, True, 1.0):
        with pytest.raises(PlayError):
            state.choose(wrong)  # type: ignore[arg-type]
    with pytest.raises(PlayError, match="no option has the key"):
        state.choose_key("s9:0:1")
    with pytest.raises(PlayError, match="nothing to take back"):
        state.undo()
    with pytest.raises(PlayError, match="not over"):
        _ = state.scores
    with pytest.raises(PlayError, match="seats are 0 to 1"):
        state.view(2)
    with pytest.raises(PlayError, match="did you mean 'the 3'"):
        state.where("teh 3")
    assert state.to_bytes() == before


def test_a_seed_is_a_whole_number() -> None:
    game = rulerun.load(FOLLOW)
    for wrong in ("1", 2**63, 1.5, True):
        with pytest.raises(PlayError, match="seed"):
            game.new(wrong)  # type: ignore[arg-type]


def test_where_counts_copies_by_zone() -> None:
    state = rulerun.load(MEMORY).new(1)
    assert sum(state.where("the 3").values()) == 2
    assert sum(sum(state.where(f"the {n}").values()) for n in range(1, 5)) == 8


def test_saves() -> None:
    game = rulerun.load(FOLLOW)
    state = game.new(3)
    state.choose(1)
    data = state.to_bytes()
    restored = game.restore(data)
    assert restored.vector == state.vector
    assert restored.history == state.history
    restored.undo()
    assert restored.vector == game.new(3).vector
    with pytest.raises(UsageError, match="another ruleset"):
        rulerun.load(FOLLOW, players=3).restore(data)
    with pytest.raises(UsageError, match="another ruleset"):
        rulerun.load(MEMORY).restore(data)
    with pytest.raises(UsageError, match="not a save"):
        game.restore(b"PK\x03\x04")
    with pytest.raises(UsageError, match="version 9"):
        game.restore(data.replace(b"save 2", b"save 9", 1))
    for cut in range(len(data)):
        with pytest.raises(UsageError):
            game.restore(data[:cut])
    for at in range(0, len(data), 7):
        broken = data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]
        with pytest.raises(UsageError):
            game.restore(broken)


def test_logs() -> None:
    from rulerun.view.log import read_log

    game = rulerun.load(FOLLOW)
    state = game.new(8)
    while not state.is_over:
        state.choose(0)
    text = state.log()
    assert game.replay_log(read_log(text)).vector == state.vector
    with pytest.raises(UsageError, match="another ruleset"):
        rulerun.load(MEMORY).replay_log(read_log(text))
    with pytest.raises(UsageError, match="choice 1 of this log does not fit"):
        game.replay_log(read_log(text.replace(state.history[0].key, "s1:0:77", 1)))
    with pytest.raises(UsageError, match="not that of its choices"):
        game.replay_log(read_log(text.replace('"scores": [0, 0]', '"scores": [1, 0]')))
    with pytest.raises(PlayError, match="choice 1 of the replay"):
        game.replay(8, ["s1:0:77"])


def test_a_world_has_no_log() -> None:
    with pytest.raises(PlayError, match="no seed leads to it"):
        rulerun.load(FOLLOW).new(1).resample(0).log()


def test_a_fault_leaves_the_state_and_tells_seed_and_choices() -> None:
    text = FOLLOW.replace("high = max(high, card.rank)", "high = 6 // (count(table) - 2)")
    state = rulerun.load(text).new(5)
    state.choose(0)
    before = state.vector.copy()
    with pytest.raises(rulerun.RulesFault) as caught:
        state.choose(1)
    assert caught.value.seed == 5
    assert caught.value.choices == (0, 1)
    assert caught.value.origin is not None
    assert caught.value.origin.line == 30
    assert state.vector == before
    assert state.seat == 1


def test_a_fault_in_a_label_tells_what_leads_there_however_it_is_come_upon() -> None:
    text = FOLLOW.replace('as "play {card}"', 'as "play {card} {6 // (count(table) - 1)}"')
    state = rulerun.load(text).new(5)
    assert state.options[1].label.endswith(" -6")
    state.choose(1)
    later = state.clone()
    later.choose(0)

    def label_of(position: rulerun.State) -> str:
        return position.options[0].label

    for look in (label_of, lambda s: s.label(0)):
        with pytest.raises(rulerun.RulesFault) as caught:
            look(state)
        assert (caught.value.seed, caught.value.choices) == (5, (1,))
    for look_back in (lambda s: s.history, lambda s: s.story(0)):
        with pytest.raises(rulerun.RulesFault) as caught:
            look_back(later)
        assert (caught.value.seed, caught.value.choices) == (5, (1,))


def test_a_log_names_a_choice_whose_label_is_a_fault_by_its_key_and_replays() -> None:
    text = FOLLOW.replace('as "play {card}"', 'as "play {card} {6 // (count(table) - 1)}"')
    game = rulerun.load(text)
    state = game.new(5)
    first = state.options[1]
    state.choose(1)
    state.choose(0)
    log = state.log()
    _, told, without_label = (json.loads(line) for line in log.splitlines())
    assert told == {"seat": 1, "key": first.key, "label": first.label}
    assert without_label["seat"] == 2
    assert without_label["label"] == without_label["key"]
    assert game.replay_log(log).record(0) == state.record(0)


def test_a_view_shows_a_seat_what_it_may_see() -> None:
    state = rulerun.load(FOLLOW).new(6)
    view = state.view(0)
    own, other = view.zone("hand of P1"), view.zone("hand of P2")
    assert own.count == other.count == 2
    assert all(card.face for card in own.cards)
    assert not any(card.face for card in other.cards)
    assert {card.name for card in other.cards} == {"a card"}
    assert view.turn == 0
    assert view.scores is None
    assert dict(view.variables) == {"high": 0}
    assert dict(view.settings) == {"size": 2}
    whole = json.loads(json.dumps(view.as_dict()))
    assert whole["schema_version"] == 1
    assert whole["turn"] == 1
    with pytest.raises(KeyError, match="hand of P1"):
        view.zone("hand")


def test_what_was_looked_at_is_remembered_at_its_place() -> None:
    state = rulerun.load(MEMORY).new(6)
    assert [o.label for o in state.options] == ["look at slot 1", "look at slot 2"]
    state.choose(1)
    name = state.view(0).zone("layout of P1").cards[1].name
    assert name.startswith("the ")
    assert [o.label for o in state.options] == ["give slot 1", f"give slot 2 ({name})"]
    card = state.view(0).zone("layout of P1").cards[1]
    assert card.face
    assert card.remembered
    assert card.place == 2
    assert not state.view(1).zone("layout of P1").cards[1].face
    assert state.label(1, 1) == "give slot 2"
    state.choose(1)
    state.choose(0)
    assert state.view(0).zone("layout of P2").cards[0].name == name


def test_stories_tell_each_what_it_may_know() -> None:
    state = rulerun.load(MEMORY).new(6)
    state.choose(0)
    name = state.view(0).zone("layout of P1").cards[0].name
    mine, theirs, all_knowing = state.story(0), state.story(1), state.story()
    assert mine[-1] == f"P1 looks at slot 1: {name}."
    assert theirs[-1] == "P1 looks at slot 1."
    assert theirs[:2] == ["The deck is shuffled.", "2 cards go from the deck to each player's layout."]
    assert name in all_knowing[1] or name in all_knowing[2]
    assert not any(name in sentence for sentence in theirs)
    state.choose(1)
    state.choose(1)
    assert "P1 looks at slot 1, gives slot 2 and takes slot 2." in state.story(1)
    assert "P1 has swapped." in state.story(1)


def test_clones_go_their_own_ways() -> None:
    state = rulerun.load(FOLLOW).new(6)
    twin = state.clone()
    twin.choose(0)
    assert len(state) == 0
    assert len(twin) == 1
    state.choose(1)
    assert state.vector != twin.vector
    twin.undo()
    state.undo()
    assert state.vector == twin.vector


def test_a_choice_may_be_taken_back_until_something_is_told() -> None:
    state = rulerun.load(MEMORY).new(6)
    assert not state.may_take_back(0)
    state.choose(0)  # looks at a card
    assert not state.may_take_back(0)
    state.choose(0)  # which card to give
    assert state.may_take_back(0)
    assert not state.may_take_back(1)
    state.choose(0)  # the swap
    assert not state.may_take_back(0)


def test_a_state_variable_that_hidden_cards_count_into_is_told_to_every_seat() -> None:
    """State variables lie open: what a rule lets show in one is part of the record, so no view says more than it."""
    text = """\
rulerun: 1
game: Count
players: 2
cards:
  face: {n: int}
  name: "{n}"
  deck: [{n: 3}, {n: 8}]
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player, seen_by: nobody}
state:
  sum_of: int per Player
rules:
  play: |
    shuffle deck
    for p in players:
      deal 1 from deck to hand[p]
      sum_of[p] = sum(c.n for c in hand[p])
    for p in players:
      p may "go on":
        sum_of[p] = sum_of[p]
result:
  score(Player p): |
    sum_of[p]
  winner: [highest score]
"""
    state = rulerun.load(text).new(seed=1)
    variable = next(v for v in state.game.program.variables if v.name == "sum_of")

    def told(seat: int) -> list[ObservedValue]:
        return [observed for observed in state.record(seat) if isinstance(observed, ObservedValue)]

    first = told(1)
    assert first == told(0)
    assert sorted(observed.value for observed in first) == [3, 8]
    assert [observed.place for observed in first] == [variable.offset, variable.offset + 1]
    state.choose(0)  # the same value again says nothing
    assert told(1) == first
