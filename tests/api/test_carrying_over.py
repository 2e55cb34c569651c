"""Saves and logs of a ruleset that was changed since: what people read may change, the rest fits as far as it does."""

from __future__ import annotations

from hashlib import sha256

import pytest

import rulerun
from rulerun import Game, PlayError, State, UsageError
from rulerun.view.log import read_log
from small_games import FOLLOW

REWORDED = (
    FOLLOW.replace("rules:\n", "# how it is played\nrules:\n")
    .replace('as "play {card}"', 'as "put {card} on the table"')
    .replace("about: cards in a hand", "about: how many")
)
WIDER = FOLLOW.replace("      high = 0\n", "      high = 0 - 1\n")
"""Other rules, under which every choice is still offered."""


def game(text: str = FOLLOW, size: int = 3) -> Game:
    return rulerun.load(text, options={"size": size})


def finished() -> State:
    state = game().new(8)
    while not state.is_over:
        state.choose(len(state.options) - 1)
    return state


def test_comments_labels_and_about_texts_kill_no_save_and_no_log() -> None:
    state = finished()
    reworded = game(REWORDED)
    restored = reworded.restore(state.to_bytes())
    assert [c.key for c in restored.history] == [c.key for c in state.history]
    assert restored.history[0].label == f"put {state.history[0].label.removeprefix('play ')} on the table"
    assert restored.vector == state.vector
    assert reworded.replay_log(state.log()).vector == state.vector


def test_a_save_outlives_rule_lines_that_moved() -> None:
    """Records name rule lines by number; a label that reads more gives later lines other numbers."""
    noted = FOLLOW.replace("        move card to table\n", '        note "{p} plays"\n        move card to table\n')
    moved = noted.replace('as "play {card}"', 'as "play {card} of {card.rank + 1}"')
    state = game(noted).new(3)
    state.choose(0)
    state.choose(0)
    assert game(noted).identity == game(moved).identity
    restored = game(moved).restore(state.to_bytes())
    assert restored.record(0) != state.record(0)
    assert [option.key for option in restored.options] == [option.key for option in state.options]
    assert game(moved).restore(restored.to_bytes()).vector == restored.vector


@pytest.mark.parametrize("form", ["save", "log", "log as read"])
def test_other_rules_take_over_what_fits(form: str) -> None:
    state = finished()
    old = {"save": state.to_bytes(), "log": state.log(), "log as read": read_log(state.log())}[form]
    with pytest.raises(UsageError, match="carry_over"):
        game(WIDER).restore(old) if isinstance(old, bytes) else game(WIDER).replay_log(old)
    carried = game(WIDER).carry_over(old)
    assert (carried.made, carried.of, carried.why) == (6, 6, "")
    assert [c.key for c in carried.state.history] == [c.key for c in state.history]

    fewer = game(FOLLOW, size=2).carry_over(old)
    assert fewer.of == 6
    assert fewer.made < 6
    assert len(fewer.state) == fewer.made
    assert fewer.why.startswith("no option has the key 's0:0:")
    fewer.state.choose(0)  # and the game goes on from there


def test_the_same_rules_take_over_everything() -> None:
    state = finished()
    carried = game().carry_over(state.to_bytes())
    assert carried.state.vector == state.vector
    assert carried.why == ""


def test_whose_choice_it_was_must_fit() -> None:
    second = "players starting with next(first p in players where true)"
    other = FOLLOW.replace("      for p in players:\n        p chooses", f"      for p in {second}:\n        p chooses")
    state = finished()
    carried = game(other).carry_over(state.log())
    assert (carried.made, carried.why) == (0, "seat 0 is not asked: seat 1 is")


def test_a_result_that_differs_is_told() -> None:
    scored = FOLLOW.replace("    count(hand[p])\n", "    high\n")
    carried = game(scored).carry_over(finished().log())
    assert (carried.made, carried.of) == (6, 6)
    assert carried.why == "all choices fit, and yet the scores are others"


def test_a_game_that_goes_on_where_it_ended_is_told() -> None:
    longer = FOLLOW.replace("    repeat size times:\n", "    repeat 3 times:\n")
    short = game(longer.replace("repeat 3 times", "repeat 2 times")).new(8)
    while not short.is_over:
        short.choose(0)
    carried = game(longer).carry_over(short.log())
    assert (carried.made, carried.of) == (4, 4)
    assert carried.why == "all choices fit, and yet the game goes on"
    assert not carried.state.is_over


def test_a_choice_at_which_the_new_rules_break_down_ends_it() -> None:
    broken = FOLLOW.replace("high = max(high, card.rank)", "high = 6 // (count(table) - 2)")
    carried = game(broken).carry_over(finished().log())
    assert carried.made == 1
    assert "RR0603" in carried.why
    assert len(carried.state) == 1


def test_a_sampled_world_cannot_be_carried_over() -> None:
    state = game().new(3)
    state.choose(0)
    data = state.resample(0).to_bytes()
    assert game().restore(data).is_world
    with pytest.raises(UsageError, match="no seed leads to it"):
        game().carry_over(data)


def test_a_log_of_version_1_is_read_and_can_be_carried_over() -> None:
    state = finished()
    text = state.log().replace('"rulerun_log": 2', '"rulerun_log": 1').replace('"identity"', '"source_hash"')
    assert read_log(text).identity == ""
    with pytest.raises(UsageError, match="by an older rulerun"):
        game().replay_log(text)
    assert game().carry_over(text).state.vector == state.vector


def test_a_save_of_version_1_is_refused_by_its_version() -> None:
    data = finished().to_bytes()
    for call in (game().restore, game().carry_over):
        with pytest.raises(UsageError, match="this save has version 1; this rulerun reads version 2"):
            call(data.replace(b"save 2", b"save 1", 1))


def test_what_is_damaged_is_not_carried_over() -> None:
    data = finished().to_bytes()
    for cut in range(0, len(data), 5):
        with pytest.raises(UsageError):
            game(WIDER).carry_over(data[:cut])
    with pytest.raises(UsageError, match="line 2 is damaged"):
        game(WIDER).carry_over(finished().log().replace('"key"', '"kye"', 1))
    with pytest.raises(PlayError):
        game().replay(8, ["s9:9"])


def test_a_save_whose_checksum_was_made_to_fit_is_refused_in_words() -> None:
    head, _, packed = finished().to_bytes().partition(b"\n")
    fields = head.split(b" ")
    turned = packed[:20] + bytes([packed[20] ^ 1]) + packed[21:]
    for other in (b"", packed[:-3], turned, packed + b"more", b"no deflate"):
        fields[4] = sha256(other).hexdigest()[:16].encode()
        for call in (game().restore, game(WIDER).carry_over):
            with pytest.raises(UsageError, match="this save is damaged"):
                call(b" ".join(fields) + b"\n" + other)
