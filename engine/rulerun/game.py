"""The Python API: `load` gives a `Game`, a `Game` gives a `State`, a `State` is played with `choose`.

Seats are counted from 0 here (people read P1 for seat 0). A state is for whoever runs the game: it holds the hidden
cards. Give a bot or a player `State.view`, `State.options` and, for search, `State.resample`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rulerun.facts.events import Became, Chose, Event, Offered, observe
from rulerun.facts.faults import RulesFault
from rulerun.facts.observations import Observation, back_classes
from rulerun.ir.program import Program
from rulerun.run.machine import Machine
from rulerun.run.trace import Traced
from rulerun.source.diagnostic import Diagnostics, RulesetError, UsageError
from rulerun.source.files import Folder, read_source, text_source
from rulerun.source.shipped import find_shipped
from rulerun.source.spell import nearest
from rulerun.source.text import Source
from rulerun.view.labels import label_for
from rulerun.view.log import Choice, GameLog, write_log
from rulerun.view.names import Namer
from rulerun.view.offer import Offer, Option
from rulerun.view.onlooker import ONLOOKER
from rulerun.view.possible import Conclusions
from rulerun.view.save import Saved, read_save, write_save
from rulerun.view.story import Narrator, Passage
from rulerun.view.table import Table, bits
from rulerun.view.view import View, view_of
from rulerun.view.worlds.sampling import WORK, NoWorldFound, Stretch, sample_world

SEED_LOW, SEED_HIGH = -(2**63), 2**63 - 1

__all__ = ["Game", "NoWorldFound", "Option", "PlayError", "State", "load"]

Setting = bool | int | str


class PlayError(ValueError):
    """A call that the position does not allow; nothing was changed."""


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
    settings = {key: _as_text(value) for key, value in (options or {}).items()}
    found = Diagnostics()
    ruleset = document.read(text, folder=folder, variants=tuple(variants), settings=settings, found=found)
    if ruleset is None or found.has_errors:
        raise RulesetError(list(found))
    fewest, most = ruleset.players
    number = fewest if players is None else players
    if isinstance(number, bool) or not isinstance(number, int) or not fewest <= number <= most:
        count = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        raise UsageError(f"{ruleset.game} is for {count} players, not {number}")
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
        return source, Folder(None), source.name
    name = str(source)
    if "\n" in name:
        return text_source("<text>", name), Folder(None), "<text>"
    if name != "-" and not Path(name).exists():
        shipped = find_shipped(name)
        if shipped is not None:
            return (*shipped, name)
    return read_source(name), Folder.of(name), name


def _as_text(value: Setting) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


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
        self.machine = Machine(program, knowledge=True, telling=True)
        self.backs = back_classes(program)
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
        return {o.name: _as_text(values[o.name]) for o in self.program.options if o.value != o.default}

    @property
    def chancer(self) -> Machine:
        """The machine that asks for every outcome of chance (made on first use)."""
        if self._seers is None:
            self._seers = Machine(self.program, knowledge=True, telling=True, explicit_chance=True)
        return self._seers

    def new(self, seed: int = 0) -> State:
        """A new game, advanced to its first choice. The same seed gives the same game. Raises `RulesFault`."""
        if isinstance(seed, bool) or not isinstance(seed, int) or not SEED_LOW <= seed <= SEED_HIGH:
            raise PlayError(f"a seed is a whole number from -2**63 to 2**63 - 1, not {seed!r}")
        try:
            vector = self.machine.start(seed)
        except RulesFault as fault:
            fault.seed, fault.choices = seed, ()
            raise
        finally:
            events = _drain(self.machine)
        return State(self, _Root(seed, None, vector, events), None, vector)

    def restore(self, data: bytes) -> State:
        """The state that `State.to_bytes` gave. Raises `UsageError` for a save that is damaged or of another
        ruleset."""
        saved = read_save(self.program, data)
        try:
            self.machine.load(saved.vector)
            state = self._again(saved)
        except (ValueError, RulesFault):
            raise UsageError("this save is damaged: what it tells does not lead to its position") from None
        if tuple(state.vector) != saved.vector:
            raise UsageError("this save is damaged: what it tells does not lead to its position")
        return state

    def _again(self, saved: Saved) -> State:
        stretches = saved.chances
        if stretches[0] is None:
            state = self.new(saved.seed)
        else:
            root = _walk(self, self.chancer.start(saved.seed), stretches[0])
            state = State(self, _Root(saved.seed, stretches[0], root.vector, root.events), None, root.vector)
        for index, chances in zip(saved.choices, stretches[1:], strict=True):
            if chances is None:
                state.choose(index)
            else:
                vector = state.vector.copy()
                self.chancer.choose(vector, index)
                state._push(index, _walk(self, vector, chances))
        return state

    def replay(self, seed: int, choices: Sequence[str | int]) -> State:
        """The state after the choices (keys, or indices of options) in a game of that seed. Raises `PlayError` at one
        that does not fit, naming its number."""
        state = self.new(seed)
        for number, choice in enumerate(choices, 1):
            try:
                if isinstance(choice, str):
                    state.choose_key(choice)
                else:
                    state.choose(choice)
            except PlayError as error:
                raise PlayError(f"choice {number} of the replay: {error}") from None
        return state

    def replay_log(self, log: GameLog) -> State:
        """The state that a log leads to. Raises `UsageError` where the log is of another ruleset or does not fit."""
        if log.source_hash != self.program.source_hash or log.players != self.players:
            raise UsageError(
                f"this log of {log.game} was written for another ruleset, options or variants "
                "(or the ruleset was changed since)"
            )
        state = self.new(log.seed)
        for number, choice in enumerate(log.choices, 1):
            try:
                if state.seat != choice.seat:
                    raise PlayError(f"P{choice.seat + 1} is not the one who is asked")
                state.choose_key(choice.key)
            except PlayError as error:
                raise UsageError(f"choice {number} of this log does not fit: {error}") from None
        if log.scores is not None and (state.scores if state.is_over else None) != log.scores:
            raise UsageError("this log is damaged: its result is not that of its choices")
        return state


class _Root:
    """How a game began: ``chances`` is None if the generator drew, else the outcomes that were given."""

    __slots__ = ("chances", "events", "seed", "vector")

    def __init__(
        self, seed: int, chances: tuple[int, ...] | None, vector: list[int], events: tuple[Event, ...]
    ) -> None:
        self.seed = seed
        self.chances = chances
        self.vector = vector
        self.events = events


class _Step:
    """One choice: the position before it, the option taken, what happened. Linked backwards and shared by clones."""

    __slots__ = ("before", "chances", "depth", "events", "index", "offer", "parent")

    def __init__(
        self,
        parent: _Step | None,
        before: list[int],
        index: int,
        offer: Offer | None,
        chances: tuple[int, ...] | None,
        events: tuple[Event, ...],
    ) -> None:
        self.parent = parent
        self.before = before
        self.index = index
        self.offer = offer
        self.chances = chances
        self.events = events
        self.depth: int = 1 if parent is None else parent.depth + 1


class State:
    """One position of a game and the way to it. Vectors are never changed in place, so a clone shares them."""

    __slots__ = ("_last", "_offer", "_root", "game", "vector")

    def __init__(self, game: Game, root: _Root, last: _Step | None, vector: list[int]) -> None:
        self.game = game
        self._root = root
        self._last = last
        self.vector = vector
        """The state vector (see `ir.program.Layout`); do not change it."""
        self._offer: Offer | None = None

    def __repr__(self) -> str:
        where = "over" if self.is_over else f"{self.seat} to move"
        return f"<State of {self.game.name}: {len(self)} choices made, {where}>"

    def __len__(self) -> int:
        """How many choices have been made."""
        return 0 if self._last is None else self._last.depth

    # ------------------------------------------------------------- the position

    @property
    def seat(self) -> int | None:
        """The seat that is asked, from 0; None when the game is over."""
        chooser = Table(self.game.program, self.vector).chooser
        return None if chooser < 0 else chooser

    @property
    def is_over(self) -> bool:
        return self.game.machine.is_over(self.vector)

    @property
    def options(self) -> tuple[Option, ...]:
        """What the seat to move may do, in a stable order; empty when the game is over."""
        return self._offered().options

    def _offered(self) -> Offer:
        if self._offer is None:
            self._offer = Offer(self.game.machine, self.game.namer, self.vector)
        return self._offer

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each seat. Raises `PlayError` while the game goes on."""
        if not self.is_over:
            raise PlayError("the game is not over: there are no scores yet")
        return tuple(self.game.machine.scores(self.vector))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that win, several if they share. Raises `PlayError` while the game goes on."""
        if not self.is_over:
            raise PlayError("the game is not over: there are no winners yet")
        return tuple(self.game.machine.winners(self.vector))

    @property
    def seed(self) -> int:
        """The seed of the game (of a sampled world: of its fresh generator)."""
        return self._root.seed

    @property
    def is_world(self) -> bool:
        """Whether the start was sampled by `resample` instead of drawn from the seed."""
        return self._root.chances is not None

    # ------------------------------------------------------------------ playing

    def choose(self, index: int) -> None:
        """Takes an option by its place in `options`, from 0. Raises `PlayError` for a wrong one, `RulesFault` where
        the rules break down; then the state is as before."""
        number = len(self._offered().raw)
        if self.is_over:
            raise PlayError("the game is over: nothing can be chosen")
        if isinstance(index, bool) or not isinstance(index, int):
            raise PlayError(f"choose an option by its number, not by {index!r}")
        if not 0 <= index < number:
            raise PlayError(f"there is no option {index}: there are {number}, counted from 0")
        vector = self.vector.copy()
        machine = self.game.machine
        try:
            machine.choose(vector, index, self._offered().raw)
        except RulesFault as fault:
            fault.seed, fault.choices = self.seed, (*self._indices(), index)
            raise
        finally:
            events = _drain(machine)
        self._push(index, Stretch(None, vector, events))

    def _push(self, index: int, stretch: Stretch) -> None:
        self._last = _Step(self._last, self.vector, index, self._offer, stretch.chances, stretch.events)
        self.vector = stretch.vector
        self._offer = None

    def choose_key(self, key: str) -> None:
        """Takes an option by its key. Raises `PlayError` if none has it."""
        keys = self._offered().keys
        if key not in keys:
            raise PlayError(f"no option has the key {key!r}" + (": the game is over" if self.is_over else ""))
        self.choose(keys.index(key))

    def undo(self) -> None:
        """Goes back to before the last choice, exactly. Raises `PlayError` at the start."""
        if self._last is None:
            raise PlayError("nothing has been chosen yet: there is nothing to take back")
        step = self._last
        self._last, self.vector, self._offer = step.parent, step.before, step.offer

    def may_take_back(self, seat: int) -> bool:
        """Whether a player may take back its last choice: since then it was told nothing but what it is asked next,
        and so were the others of the choice alone. (`undo` itself asks nobody: it is for whoever runs the game.)"""
        seat = self._checked(seat)
        if self._last is None or Table(self.game.program, self._last.before).chooser != seat or self.seat != seat:
            return False
        heard = (e for e in self._last.events if not isinstance(e, Became) or observe(e, seat) is not None)
        return all(isinstance(event, Chose | Offered) for event in heard)

    def clone(self) -> State:
        """A state of its own in the same position, with the same history. Cheap: what lies behind is shared."""
        copy = State(self.game, self._root, self._last, self.vector)
        copy._offer = self._offer
        return copy

    def to_bytes(self) -> bytes:
        """The whole state with its history, for `Game.restore`. It holds all that is hidden: for the host only."""
        steps = self._steps()
        chances = (self._root.chances, *(step.chances for step in steps))
        saved = Saved(self._root.seed, tuple(step.index for step in steps), chances, tuple(self.vector))
        return write_save(self.game.program, saved)

    # ------------------------------------------------------------ what happened

    def _steps(self) -> list[_Step]:
        steps = []
        step = self._last
        while step is not None:
            steps.append(step)
            step = step.parent
        steps.reverse()
        return steps

    def _indices(self) -> tuple[int, ...]:
        return tuple(step.index for step in self._steps())

    @property
    def history(self) -> tuple[Choice, ...]:
        """The choices made: seat, key, and the label as the chooser read it."""
        program = self.game.program
        result = []
        for step in self._steps():
            if step.offer is None:
                step.offer = Offer(self.game.machine, self.game.namer, step.before)
            option = step.offer.options[step.index]
            result.append(Choice(Table(program, step.before).chooser, option.key, option.label))
        return tuple(result)

    def events(self) -> list[tuple[Event, ...]]:
        """What happened: from the start to the first choice, then after each choice up to the next. The whole truth."""
        return [self._root.events, *(step.events for step in self._steps())]

    def record(self, seat: int) -> tuple[Observation, ...]:
        """All that a seat was told from the start on, in order (its observation history; see `facts.observations`). The
        values compare and hash; ``numbers()`` of each is its form in plain integers."""
        seat = self._checked(seat)
        entries = (observe(event, seat, self.game.backs) for stretch in self.events() for event in stretch)
        return tuple(entry for entry in entries if entry is not None)

    def information_state(self, seat: int) -> str:
        """A short name of the seat's record: equal for equal records, never equal for two seats. Costs nothing."""
        seat = self._checked(seat)
        return f"P{seat + 1}:{Table(self.game.program, self.vector).digest(seat):016x}"

    def story(self, seat: int | None = None, since: int = 0) -> list[str]:
        """What happened as sentences, told to a seat, to the `ONLOOKER`, or (None) by one who knows all, from choice
        number ``since`` on (0: from the start)."""
        return [sentence for passage in self.passages(seat, since) for sentence in passage.sentences]

    def passages(self, seat: int | None = ONLOOKER, since: int = 0) -> list[Passage]:
        """The same in passages: what one seat does in its own right, and what follows from it."""
        if seat is not None and seat != ONLOOKER:
            seat = self._checked(seat)
        teller = Narrator(self.game.machine, self.game.namer, self.game.backs, seat)
        if since <= 0:
            teller.tell(self._root.events)
        for step in self._steps()[max(since - 1, 0) :]:
            teller.step(step.before, step.index, step.events)
        return teller.passages()

    def log(self) -> str:
        """The log of the game so far, as JSON lines (`view.log`). Raises `PlayError` in a sampled world, which no seed
        leads to."""
        if self.is_world:
            raise PlayError("a sampled world has no log: no seed leads to it")
        game, program = self.game, self.game.program
        return write_log(
            GameLog(
                game=game.name,
                ruleset=game.source,
                source_hash=program.source_hash,
                language=program.language,
                players=game.players,
                seed=self.seed,
                options=tuple(game.settings.items()),
                variants=program.variants,
                choices=self.history,
                scores=self.scores if self.is_over else None,
                winners=self.winners if self.is_over else None,
            )
        )

    # --------------------------------------------------------- what a seat knows

    def view(self, seat: int) -> View:
        """What a seat sees. A function of its record alone."""
        seat = self._checked(seat)
        over = self.is_over
        table = Table(self.game.program, self.vector)
        conclusions = self.game.conclusions
        return view_of(
            self.game.namer,
            table,
            seat,
            self.scores if over else None,
            self.winners if over else None,
            conclusions.of(table, seat, self.record(seat)) if conclusions.any else None,
        )

    def label(self, index: int, seat: int | None = None) -> str:
        """The label of an option as another seat (None: one who knows all) may read it. For stories and debugging."""
        raw = self._offered().raw
        if not 0 <= index < len(raw):
            raise PlayError(f"there is no option {index}: there are {len(raw)}, counted from 0")
        return label_for(self.game.machine, self.game.namer, self.vector, raw[index], seat)

    def resample(self, seat: int, seed: int = 0, most: int = WORK) -> State:
        """A world for a seat: a state with its own history that gives the seat an equal record; what it does not know
        is sampled anew, and so is what chance will bring. Made from the record and the rules alone.

        Raises `NoWorldFound` if none is found in ``most`` steps of the game.
        """
        seat = self._checked(seat)
        root, *steps = sample_world(self.game.program, self.game.chancer, self.record(seat), seat, seed, most)
        word = root.rng
        state = State(
            self.game,
            _Root(word, root.stretch.chances, root.stretch.vector, root.stretch.events),
            None,
            root.stretch.vector,
        )
        for step in steps:
            state._push(step.index, step.stretch)
        return state

    def where(self, card: str) -> dict[str, int]:
        """Where the cards of a name lie: zone name -> how many of them. For analysis: it tells what is hidden.

        Raises `PlayError` with a suggestion for a name that no card has.
        """
        program = self.game.program
        wanted = card.casefold()
        cards = [c for c, kind in enumerate(program.kinds) if program.kind_names[kind].casefold() == wanted]
        if not cards:
            hint = nearest(card, program.kind_names)
            raise PlayError(f"no card is called {card!r}" + (f"; did you mean {hint!r}?" if hint else ""))
        table = Table(program, self.vector)
        result: dict[str, int] = {}
        for zone, number in sorted((table.zone_of(c), 1) for c in cards):
            name = program.zones[zone].name
            result[name] = result.get(name, 0) + number
        return result

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that are in play."""
        return tuple(bits(Table(self.game.program, self.vector).playing))

    def _checked(self, seat: int) -> int:
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < self.game.players:
            raise PlayError(f"there is no seat {seat!r}: seats are 0 to {self.game.players - 1}")
        return seat


def _drain(machine: Machine) -> tuple[Event, ...]:
    events = tuple(event for event in machine.log if not isinstance(event, Traced))
    machine.log.clear()
    return events


def _walk(game: Game, vector: list[int], chances: tuple[int, ...]) -> Stretch:
    """Settles chance as given until a choice or the end. Raises ValueError if the outcomes do not fit."""
    machine = game.chancer
    try:
        for outcome in chances:
            machine.settle(vector, outcome)
        if machine.outcomes(vector):
            raise ValueError("chance is still open")
    finally:
        events = _drain(machine)
    return Stretch(chances, vector, events)
