"""The whole public surface against values that make no sense: each is refused in words, and changes nothing.

What there is to call is found by looking (`rulerun.__all__`, the methods of its classes, bots, simulation, logs), so a
new function or parameter is met here. For every parameter `SOUND` has a value that fits, and `FITS` says which of the
adversarial values make sense after all; every other one must be refused with one of our own errors.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

import rulerun
from rulerun import Game, NoWorldFound, PlayError, RulesetError, Source, State, UsageError, View, testing
from rulerun.play import bots, simulate
from rulerun.view import log
from small_games import FOLLOW


class Mute:
    """An object that cannot even show itself."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


VALUES: dict[str, object] = {
    "nothing": None, "true": True, "false": False, "zero": 0, "minus one": -1, "minus two": -2, "seven": 7,
    "61": 61, "2**31": 2**31, "2**63": 2**63, "-2**63 - 1": -(2**63) - 1, "googol": 10**100,
    "five thousand digits": 10**5000, "a float": 1.0, "not a number": math.nan, "infinity": math.inf,
    "a complex number": 1j, "no text": "", "a letter": "x", "a digit": "0", "a zero byte": "a\0b",
    "half a surrogate": "\ud800", "lines with half a surrogate": "a: 1\n\ud800: 2\n",
    "a text of lines": "\n\n", "a long text": "y" * 100_000, "a long name": "y" * 3_000, "bytes": b"x",
    "no bytes": b"", "a list": [], "a list of numbers": [1, 2], "a list of nothing": [None], "nested": [[["x"]]],
    "a tuple": (), "a mapping": {}, "a mapping by number": {1: 2}, "a mapping to nothing": {"size": None},
    "a set": {1}, "an object": object(), "a mute object": Mute(), "a class": int, "a function": len,
    "a path": Path("nowhere"), "no source": Source(None, 7), "half a source": Source("\ud800", "a: \ud800"),  # type: ignore[arg-type]
}  # fmt: skip
EVERYTHING = frozenset(VALUES)
SEATS = {"zero"}
SEEDS = {"zero", "minus one", "minus two", "seven", "61", "2**31"}
COUNTS = {"zero", "seven", "61", "2**31", "2**63", "googol", "five thousand digits"}
EMPTY = {"a list", "a tuple"}

OURS = (PlayError, UsageError, RulesetError, NoWorldFound)

GAME = rulerun.load(FOLLOW)


def midway() -> State:
    state = GAME.new(3)
    state.choose(0)
    return state


FITS: dict[str, set[str]] = {
    "load.players": {"nothing"},
    "load.options": {"nothing", "a mapping"},
    "load.variants": EMPTY,
    "conforms.players": {"nothing"},
    "conforms.options": {"nothing", "a mapping"},
    "conforms.variants": EMPTY,
    "conforms.seed": SEEDS,
    "conforms.games": COUNTS,
    "conforms.depth": COUNTS,
    "Game.new.seed": SEEDS,
    "Game.replay.seed": SEEDS,
    "Game.replay.choices": EMPTY,
    "State.choose.index": SEATS,
    "State.choose.seat": {"nothing"},
    "State.choose.at": {"nothing"},
    "State.choose_key.seat": {"nothing"},
    "State.choose_key.at": {"nothing"},
    "State.may_take_back.seat": SEATS,
    "State.told_choices.seat": SEATS,
    "State.record.seat": SEATS,
    "State.information_state.seat": SEATS,
    "State.story.seat": SEATS | {"nothing", "61"},
    "State.story.since": COUNTS,
    "State.passages.seat": SEATS | {"nothing", "61"},
    "State.passages.since": COUNTS,
    "State.view.seat": SEATS,
    "State.label.index": SEATS,
    "State.label.seat": SEATS | {"nothing", "61"},
    "State.resample.seat": SEATS,
    "State.resample.seed": SEEDS,
    "State.resample.most": COUNTS - {"zero"},
    "RandomBot.seed": SEEDS,
    "RandomBot.choose.view": set(EVERYTHING),
    "policy_stream.seed": SEEDS,
    "game_seed.seed": SEEDS,
    "game_seed.number": {"zero", "seven", "61", "2**31"},
    "simulate.games": {"zero", "seven", "61", "2**31", "2**63", "googol", "five thousand digits"},
    "simulate.seed": SEEDS,
    "play_out.seed": SEEDS,
    "RandomBot.choose.options": {"a list of numbers", "a list of nothing", "nested"},
}
"""What makes sense among the adversarial values; nothing, where a parameter is not named."""

TOO_LONG = {
    "conforms.games": COUNTS - {"zero"},
    "conforms.depth": COUNTS - {"zero", "seven"},
}
"""What makes sense, and would take for ever."""

SOUND: dict[str, Any] = {
    "source": FOLLOW, "players": 2, "options": {}, "variants": (), "seed": 4, "games": 1, "depth": 1, "seat": 1,
    "index": 0, "since": 0, "most": 60_000, "card": "the 3", "name": "table", "number": 0, "text": midway().log(),
    "at": 1, "choices": [0], "data": midway().to_bytes(), "log": midway().log(), "old": midway().log(),
    "program": GAME.program, "machine": GAME.machine, "view": midway().view(1),
}  # fmt: skip
"""A value that fits, for every parameter by its name."""


def sound(name: str, parameter: str) -> Any:
    if parameter == "key":
        return midway().options[0].key
    if (name, parameter) == ("RandomBot.choose", "options"):
        return midway().options
    if (name, parameter) == ("read_log", "name"):
        return "a log"
    return SOUND[parameter]


HOLDERS: dict[type, Callable[[], Any]] = {
    Game: lambda: GAME,
    State: midway,
    View: lambda: midway().view(1),
    bots.RandomBot: lambda: bots.RandomBot(1),
}
MADE_BY_THE_ENGINE = {"Game", "State", "View", "Option", "CarriedOver", "Diagnostic", "Source"}
"""Classes that callers only get objects of (and `Source`, a plain pair of texts): their constructors are no surface."""
ERRORS = {"NoWorldFound", "PlayError", "RulesFault", "RulesetError", "UsageError"}


def surface() -> Iterator[tuple[str, Callable[..., Any] | None, str]]:
    """Every public callable: its name, the function (None: a method, looked up on a fresh holder), its own name."""
    functions = [rulerun.load, testing.conforms, log.read_log, simulate.game_seed, simulate.policy_stream]
    functions += [simulate.simulate, simulate.play_out, bots.RandomBot]
    for function in functions:
        yield function.__name__, function, function.__name__
    for cls in HOLDERS:
        for name, member in vars(cls).items():
            if inspect.isfunction(member) and not name.startswith("_"):
                yield f"{cls.__name__}.{name}", None, name


def parameters(name: str, function: Callable[..., Any] | None, own: str) -> list[str]:
    holder = next((make for cls, make in HOLDERS.items() if name.startswith(f"{cls.__name__}.")), None)
    found = function if function is not None or holder is None else getattr(holder(), own)
    assert found is not None
    return list(inspect.signature(found).parameters)


PARAMETERS = [
    (name, function, own, parameter)
    for name, function, own in surface()
    for parameter in parameters(name, function, own)
    if (name, parameter) not in {("read_log", "name"), ("simulate", "program"), ("play_out", "machine")}
]


def called(name: str, function: Callable[..., Any] | None, own: str, wrong: dict[str, Any]) -> tuple[Any, Any]:
    """Calls with sound values and the wrong one; what was called on, and the result."""
    cls = next((cls for cls in HOLDERS if function is None and name == f"{cls.__name__}.{own}"), None)
    holder = None if cls is None else HOLDERS[cls]()
    target = getattr(holder, own) if function is None else function
    given = {p: sound(name, p) for p in parameters(name, function, own)} | wrong
    before = holder.to_bytes() if isinstance(holder, State) else None
    try:
        result = target(**given)
        if inspect.isgenerator(result):
            next(result, None)
        return holder, result
    except OURS:
        if before is not None:
            assert holder.to_bytes() == before
        raise


def refuse(word: str, taken: tuple[Any, Any]) -> None:
    pytest.fail(f"{word} was taken, and gave {taken[1]!r:.80}")


def test_everything_public_is_met() -> None:
    met = {name for name, *_ in surface()} | {cls.__name__ for cls in HOLDERS}
    assert {name for name in rulerun.__all__ if callable(getattr(rulerun, name))} <= met | MADE_BY_THE_ENGINE | ERRORS
    assert set(FITS) <= {f"{name}.{parameter}" for name, _, _, parameter in PARAMETERS}


@pytest.mark.parametrize("name", sorted({name for name, *_ in surface()}))
def test_sound_values_are_taken(name: str) -> None:
    function, own = next((f, o) for n, f, o in surface() if n == name)
    called(name, function, own, {})


@pytest.mark.parametrize(
    ("name", "function", "own", "parameter"), PARAMETERS, ids=[f"{n}.{p}" for n, _, _, p in PARAMETERS]
)
def test_what_makes_no_sense_is_refused_in_words(
    name: str,
    function: Callable[..., Any] | None,
    own: str,
    parameter: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    fits = FITS.get(f"{name}.{parameter}", set())
    refused = (KeyError,) if name == "View.zone" else OURS
    for word, value in VALUES.items():
        if word in TOO_LONG.get(f"{name}.{parameter}", ()):
            continue
        if word in fits:
            called(name, function, own, {parameter: value})
            continue
        with pytest.raises(refused) as caught:
            refuse(word, called(name, function, own, {parameter: value}))
        assert 10 < len(str(caught.value)) < 4_000, (word, str(caught.value)[:200])


def test_a_choice_that_comes_twice_or_late_is_not_taken_for_the_next() -> None:
    state = rulerun.load(FOLLOW, options={"size": 3}).new(4)
    key = state.options[0].key
    state.choose_key(key, seat=0, at=0)
    before = state.to_bytes()
    with pytest.raises(PlayError, match="this choice was asked for after 0 choices, and 1 have been made"):
        state.choose_key(key, seat=0, at=0)
    with pytest.raises(PlayError, match="seat 0 is not asked: seat 1 is"):
        state.choose_key(key, seat=0)
    with pytest.raises(PlayError, match="after 2 choices, and 1 have been made"):
        state.choose(0, at=2)
    assert state.to_bytes() == before
    state.choose(0, seat=1, at=1)
    while not state.is_over:
        state.choose(0, seat=state.seat, at=len(state))
    with pytest.raises(PlayError, match="seat 0 is not asked: the game is over"):
        state.choose(0, seat=0)
    with pytest.raises(PlayError, match="after 0 choices, and 6 have been made"):
        state.choose_key(key, at=0)


class Name(str, Enum):  # noqa: UP042 - the older kind, whose `str()` is not its text
    TEXT = FOLLOW
    GAME = "cucumber"
    OPTION = "hand_size"


class Number(int, Enum):
    FIVE = 5


def test_members_of_enums_are_taken_for_the_texts_and_numbers_that_they_are() -> None:
    assert rulerun.load(Name.TEXT).name == rulerun.load(FOLLOW).name
    game = rulerun.load(Name.GAME, options={Name.OPTION: Number.FIVE})
    assert game.options["hand_size"] == 5
    assert game.settings == rulerun.load("cucumber", options={"hand_size": 5}).settings
    assert rulerun.load(Source("named", Name.TEXT)).name == rulerun.load(FOLLOW).name
