"""The Python API: `load` gives a `Game`, a `Game` gives a `State`, a `State` is played with `choose`.

Seats are counted from 0 here (people read P1 for seat 0). A state is for whoever runs the game: it holds the hidden
cards. Give a bot or a player `State.view`, `State.options` and, for search, `State.resample`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulerun.arguments import (
    PlayError,
    is_whole,
    listed,
    names_of,
    plain_text,
    seed_number,
    setting_text,
    setting_texts,
    shown,
)
from rulerun.facts.faults import RulesFault
from rulerun.facts.observations import back_classes
from rulerun.ir.program import Program
from rulerun.run.machine import Machine
from rulerun.source.diagnostic import Diagnostics, RulesetError, UsageError
from rulerun.source.files import Folder, read_source, refuse_no_text, text_source
from rulerun.source.shipped import find_shipped
from rulerun.source.text import Source
from rulerun.state import Root, State, drain, settled
from rulerun.view.asking import sealed_sites
from rulerun.view.known import Following
from rulerun.view.log import GameLog, read_log
from rulerun.view.names import Namer
from rulerun.view.offer import Option
from rulerun.view.possible import Conclusions
from rulerun.view.save import Saved, read_save
from rulerun.view.table import Table
from rulerun.view.undo_policy import UndoPolicy
from rulerun.view.worlds.sampling import NoWorldFound

__all__ = ["CarriedOver", "Game", "NoWorldFound", "Option", "PlayError", "State", "load"]

Setting = bool | int | str
LONGEST_PATH = 4096


@dataclass(frozen=True, slots=True)
class CarriedOver:
    """How far an old game could be played again with rules that were changed since. See `Game.carry_over`."""

    state: State
    made: int
    """How many of its choices were made again, from the first on."""
    of: int
    """How many choices it had."""
    why: str = ""
    """What did not fit; empty if all of it did."""


def load(
    source: str | Path | Source,
    players: int | None = None,
    options: Mapping[str, Setting] | None = None,
    variants: Sequence[str] = (),
) -> Game:
    """Reads, checks and compiles a ruleset for a number of players (default: the fewest that it allows).

    ``source``: a path, the name of a shipped ruleset (as in `rulerun list`, with ``.yaml`` or without), ``-`` for
    standard input, the text itself (if it holds a line end), or a `Source`. ``options`` sets options of the ruleset,
    ``variants`` are laid on in order.

    Raises `RulesetError` (with its diagnostics) for a faulty ruleset, `UsageError` for what cannot be read, an unknown
    option or variant, or a wrong number of players.
    """
    from rulerun import document
    from rulerun.check import compile_ruleset

    text, folder, name = find_source(source)
    settings = setting_texts(options)
    names = names_of(variants, "variants")
    found = Diagnostics()
    ruleset = document.read(text, folder=folder, variants=names, settings=settings, found=found)
    if ruleset is None or found.has_errors:
        raise RulesetError(list(found))
    fewest, most = ruleset.players
    number = fewest if players is None else players
    if not is_whole(number) or not fewest <= number <= most:
        count = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        raise UsageError(f"{ruleset.game} is for {count} players, not {shown(number)}")
    program = compile_ruleset(ruleset, number, found)
    if program is None or found.has_errors:
        raise RulesetError(list(found))
    return Game(
        program,
        source=name,
        about=ruleset.about,
        player_range=(fewest, most),
        offered_variants={v.name: v.about for v in ruleset.variants},
    )


def find_source(source: str | Path | Source) -> tuple[Source, Folder, str]:
    """The text that `load` means by ``source``, the folder of its sibling files, and its name. Raises `UsageError`."""
    if isinstance(source, Source):
        if not isinstance(source.name, str) or not isinstance(source.text, str):
            raise UsageError(f"a Source holds a name and a text, not {shown(source)}")
        if type(source.text) is not str or type(source.name) is not str:
            source = Source(plain_text(source.name), plain_text(source.text))
        return refuse_no_text(source), Folder(None), source.name
    if not isinstance(source, str | Path):
        raise UsageError(f"a ruleset is given by its path, its name or its text, not by {shown(source)}")
    name = plain_text(source) if isinstance(source, str) else str(source)
    if "\n" in name:
        return text_source("<text>", name), Folder(None), "<text>"
    if len(name) > LONGEST_PATH:
        raise UsageError(f"no path has {len(name):,} characters, and a text has lines: {shown(name)}")
    if name != "-" and not os.path.exists(name):
        shipped = find_shipped(name)
        if shipped is not None:
            return (*shipped, name)
    return read_source(name), Folder.of(name), name


class Game:
    """A ruleset ready for play, for one number of players, with options and variants settled. Immutable."""

    def __init__(
        self,
        program: Program,
        *,
        source: str = "",
        about: str = "",
        player_range: tuple[int, int] | None = None,
        offered_variants: Mapping[str, str] | None = None,
    ) -> None:
        self.program = program
        self.source = source
        """The name or path that it was loaded by."""
        self.about = about
        self.player_range = player_range or (program.players, program.players)
        """Fewest and most players of the ruleset."""
        self.offered_variants = dict(offered_variants or {})
        """Names of all variants on offer, with what they are about."""
        self.namer = Namer(program)
        self.conclusions = Conclusions(self.namer)
        self.following = Following(program)
        self.machine = Machine(program, knowledge=True, telling=True)
        self.backs = back_classes(program)
        self.sealed = sealed_sites(program)
        """The sites of choices made at once."""
        self.undo_policy = UndoPolicy(program)
        self._seers: Machine | None = None

    def __repr__(self) -> str:
        return f"<Game {self.name} for {self.players}>"

    @property
    def name(self) -> str:
        """The name that the ruleset gives itself."""
        return self.program.game

    @property
    def players(self) -> int:
        return self.program.players

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants that are laid on."""
        return self.program.variants

    @property
    def identity(self) -> str:
        """A hash of what the rules mean, for this number of players, these options and variants: what saves and logs
        name their ruleset by. Comments, labels, names and `about` texts are no part of it."""
        return self.program.identity

    @property
    def cards(self) -> tuple[str, ...]:
        """The names of all cards of the game, equal ones as often as there are: what anybody may look up."""
        return tuple(self.program.kind_names[kind] for kind in self.program.kinds)

    @property
    def options(self) -> dict[str, Setting]:
        """The options of the ruleset and their values; those of an enum by name."""
        table = Table(self.program, ())
        result: dict[str, Setting] = {}
        for option in self.program.options:
            value = self.namer.plain(table, (option.value,), option.type, None)
            result[option.name] = value if isinstance(value, bool | int | str) else str(value)
        return result

    @property
    def settings(self) -> dict[str, str]:
        """The options that differ from their defaults, as ``--set`` takes them."""
        values = self.options
        return {o.name: setting_text(values[o.name]) for o in self.program.options if o.value != o.default}

    @property
    def chancer(self) -> Machine:
        """The machine that asks for every outcome of chance (made on first use)."""
        if self._seers is None:
            self._seers = Machine(self.program, knowledge=True, telling=True, explicit_chance=True)
        return self._seers

    def new(self, seed: int = 0) -> State:
        """A new game, advanced to its first choice. The same seed gives the same game. Raises `RulesFault`."""
        seed_number(seed)
        try:
            vector = self.machine.start(seed)
        except RulesFault as fault:
            fault.seed, fault.choices = seed, ()
            raise
        finally:
            events = drain(self.machine)
        return State(self, Root(seed, None, vector, events), None, vector)

    def restore(self, data: bytes) -> State:
        """The state that `State.to_bytes` gave. Raises `UsageError` for a save that is damaged or of another ruleset
        (`carry_over` takes from the latter what fits)."""
        saved = read_save(data)
        if saved.identity != self.program.identity:
            raise UsageError(
                "this save belongs to another ruleset, number of players, options or variants "
                "(or the rules were changed since); Game.carry_over plays what still fits"
            )
        damaged = UsageError("this save is damaged: what it tells does not lead to its position")
        try:
            self.machine.load(saved.vector)
            state = self._again(saved)
        except (ValueError, IndexError, RulesFault):
            raise damaged from None
        if not _same_position(self.program, state.vector, saved.vector):
            raise damaged
        return state

    def _again(self, saved: Saved) -> State:
        stretches = saved.chances
        if stretches[0] is None:
            state = self.new(saved.seed)
        else:
            root = settled(self, self.chancer.start(saved.seed), stretches[0])
            state = State(self, Root(saved.seed, stretches[0], root.vector, root.events), None, root.vector)
        for index, chances in zip(saved.choices, stretches[1:], strict=True):
            if chances is None:
                state.choose(index)
            else:
                vector = state.vector.copy()
                self.chancer.choose(vector, index)
                state._push(index, settled(self, vector, chances))
        return state

    def replay(self, seed: int, choices: Sequence[str | int]) -> State:
        """The state after the choices (keys, or indices of options) in a game of that seed. Raises `PlayError` at one
        that does not fit, naming its number."""
        made = listed(choices)
        if made is None:
            raise PlayError(f"choices are a list of keys or numbers, not {shown(choices)}")
        state = self.new(seed)
        for number, choice in enumerate(made, 1):
            try:
                if isinstance(choice, str):
                    state.choose_key(choice)
                else:
                    state.choose(choice)
            except PlayError as error:
                raise PlayError(f"choice {number} of the replay: {error}") from None
        return state

    def replay_log(self, log: GameLog | str) -> State:
        """The state that a log (or its text, see `State.log`) leads to. Raises `UsageError` where the log is of another
        ruleset (`carry_over` takes from it what fits) or does not fit."""
        log = _log_of(log)
        if log.identity != self.program.identity or log.players != self.players:
            raise UsageError(
                f"this log of {log.game} was written for another ruleset, options or variants "
                f"(or {'by an older rulerun' if not log.identity else 'the rules were changed since'}); "
                "--carry-over or Game.carry_over plays what still fits"
            )
        carried = self._carried(log.seed, tuple((choice.seat, choice.key) for choice in log.choices))
        if carried.why:
            raise UsageError(f"choice {carried.made + 1} of this log does not fit: {carried.why}")
        state = carried.state
        if log.scores is not None and (state.scores if state.is_over else None) != log.scores:
            raise UsageError("this log is damaged: its result is not that of its choices")
        return state

    def carry_over(self, old: bytes | str | GameLog) -> CarriedOver:
        """Plays a save (`State.to_bytes`) or a log (`State.log`) of a ruleset that was changed since with the rules of
        this game: the same seed, and the same choices by their keys, up to the first that the seat it belongs to is not
        offered. Raises `UsageError` for what is damaged, and for the save of a sampled world, which has no seed.

        A change of rules can give the old keys another meaning, and the cards another order; whether the game is still
        the same game is for people to say.
        """
        if isinstance(old, bytes | bytearray | memoryview):
            saved = read_save(old)
            if any(chances is not None for chances in saved.chances):
                raise UsageError("this save is of a sampled world: no seed leads to it, so it cannot be carried over")
            return self._carried(saved.seed, tuple(zip(saved.seats, saved.keys, strict=True)))
        log = _log_of(old)
        carried = self._carried(log.seed, tuple((choice.seat, choice.key) for choice in log.choices))
        now = carried.state.scores if carried.state.is_over else None
        if carried.why or log.scores in (None, now):
            return carried
        why = "the game goes on" if now is None else "the scores are others"
        return CarriedOver(carried.state, carried.made, carried.of, f"all choices fit, and yet {why}")

    def _carried(self, seed: int, choices: Sequence[tuple[int, str]]) -> CarriedOver:
        """A game of that seed, with choices (the seat, the key) made up to the first that does not fit."""
        state = self.new(seed)
        for made, (seat, key) in enumerate(choices):
            try:
                state.choose_key(key, seat=seat)
            except (PlayError, RulesFault) as error:
                return CarriedOver(state, made, len(choices), str(error))
        return CarriedOver(state, len(choices), len(choices))


def _log_of(log: GameLog | str) -> GameLog:
    if isinstance(log, GameLog):
        return log
    if isinstance(log, str):
        return read_log(log)
    raise UsageError(f"a log is a text, as State.log gives it, not {shown(log)}")


def _same_position(program: Program, left: Sequence[int], right: Sequence[int]) -> bool:
    """Whether two vectors are the same but for the digests of records: those also name rule lines, which may have
    moved."""
    first = program.layout.digest_base
    last = first + program.players
    return tuple(left[:first]) == tuple(right[:first]) and tuple(left[last:]) == tuple(right[last:])
