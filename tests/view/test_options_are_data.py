"""A bot is given options, and they lead to nothing of the game but their labels and keys."""

from __future__ import annotations

import copy
import gc
import pickle
from collections.abc import Iterator
from types import BuiltinFunctionType, FunctionType, ModuleType

import pytest

import rulerun
from rulerun.facts.faults import RulesFault
from rulerun.run.machine import Machine
from rulerun.view import offer
from rulerun.view.offer import Offer, Option

TEXT = """\
rulerun: 1
game: Lay
players: 2
cards: {deck: french32}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player, seen_by: owner}
  heap: {kind: pile, seen_by: everyone}
state: {turns: int}
rules:
  play: |
    shuffle deck
    for p in players: deal 5 from deck to hand[p]
    for p in players:
      p chooses card from hand[p] as "lay {card}": move card to heap
result:
  score(Player p): count(hand[p])
  winner: [highest score]
"""


def reached(*roots: object) -> Iterator[object]:
    """All objects that attributes, slots, elements and closures lead to. Not what classes and modules hold: the program
    itself is at hand for everybody."""
    seen: dict[int, object] = {}
    waiting = list(roots)
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, type | ModuleType | BuiltinFunctionType):
            continue
        seen[id(thing)] = thing
        yield thing
        if isinstance(thing, FunctionType):
            waiting += [thing.__closure__, thing.__defaults__, thing.__kwdefaults__, thing.__dict__]
        else:
            waiting += gc.get_referents(thing)


def test_the_search_finds_what_is_held_in_slots_and_closures() -> None:
    state = rulerun.load(TEXT).new(seed=1)
    assert any(thing is state.vector for thing in reached(state))
    assert any(thing is state.vector for thing in reached(lambda: state))
    assert any(isinstance(thing, Machine) for thing in reached({"held": [state.clone]}))


@pytest.mark.parametrize("read", [False, True])
def test_options_lead_to_nothing_but_names(read: bool) -> None:
    state = rulerun.load(TEXT).new(seed=1)
    options = state.options
    if read:
        assert len({option.label for option in options} | {option.key for option in options}) == 10
    assert {type(thing) for thing in reached(options)} <= {tuple, Option, type(options[0]._ticket), int, str}


def test_what_a_bot_is_given_does_not_lead_to_the_state() -> None:
    state = rulerun.load(TEXT).new(seed=1)
    view = state.view(0)
    held = list(reached(view, state.options))
    assert len(held) > 50
    assert not [t for t in held if isinstance(t, rulerun.State | rulerun.Game | Machine | Offer)]
    assert not [t for t in held if isinstance(t, list | tuple) and list(t) == state.vector]


def test_options_are_read_after_the_game_went_on_and_when_it_is_gone() -> None:
    state = rulerun.load(TEXT).new(seed=1)
    options = state.options
    expected = [(option.key, option.label) for option in state.clone().options]
    other = state.options[3]
    state.choose(0)
    del state
    assert [(option.key, option.label) for option in options] == expected
    assert (other == options[3], other == options[2]) == (True, False)


def test_names_go_with_the_last_option() -> None:
    game = rulerun.load(TEXT)
    gc.collect()
    before = len(offer._NAMES)
    state = game.new(seed=1)
    kept = state.options[2]
    state.choose(1)
    assert state.options[0].label
    assert state.history
    assert len(offer._NAMES) == before + 2
    del state
    assert len(offer._NAMES) == before + 1
    assert kept.label
    del kept
    assert len(offer._NAMES) == before


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda option: pickle.loads(pickle.dumps(option))])
def test_a_copy_of_an_option_is_its_names(copied: object) -> None:
    assert callable(copied)
    options = rulerun.load(TEXT).new(seed=1).options
    copies = [copied(option) for option in options]
    assert copies == list(options)
    assert [(c.key, c.label) for c in copies] == [(option.key, option.label) for option in options]
    assert len({*copies, *options}) == len(options)
    assert repr(copies[0]) == repr(options[0])


def test_a_label_that_breaks_down_says_what_led_there() -> None:
    text = TEXT.replace('"lay {card}"', '"lay {card} {1 // (turns)}"')
    option = rulerun.load(text).new(seed=7).options[0]
    assert option.key
    with pytest.raises(RulesFault) as told:
        _ = option.label
    assert (told.value.seed, told.value.choices) == (7, ())
