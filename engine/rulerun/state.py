"""A `State`: one position of a game, the way to it, and what each seat knows of it.

`Game.new` makes one; it is played with `State.choose`. `rulerun.game` is where the API begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from rulerun.arguments import PlayError, is_whole, seat_number, seed_number, shown, text_of, whole_number
from rulerun.facts.events import Chose, Event, Offered, observe
from rulerun.facts.faults import RulesFault
from rulerun.facts.observations import Ended, Observation
from rulerun.run.machine import Machine
from rulerun.run.trace import Traced
from rulerun.source.spell import nearest
from rulerun.view.asking import Asking, heard
from rulerun.view.known import Whereabouts
from rulerun.view.labels import label_for
from rulerun.view.log import Choice, GameLog, write_log
from rulerun.view.offer import Offer, Option, key_text
from rulerun.view.onlooker import ONLOOKER
from rulerun.view.save import Saved, write_save
from rulerun.view.story import Narrator, Passage
from rulerun.view.table import Table, bits
from rulerun.view.told_choices import ToldChoice, told_choices
from rulerun.view.undo_policy import may_undo
from rulerun.view.view import View, view_of
from rulerun.view.worlds.sampling import WORK, Stretch, sample_world

if TYPE_CHECKING:
    from rulerun.game import Game


KEPT = 16
"""What a seat knows is kept for good at one position in so many, and at the last that was looked at."""


class Root:
    """How a game began: ``chances`` is None if the generator drew, else the outcomes that were given."""

    __slots__ = ("asking", "chances", "events", "known", "seed", "vector")

    def __init__(
        self, seed: int, chances: tuple[int, ...] | None, vector: list[int], events: tuple[Event, ...]
    ) -> None:
        self.seed = seed
        self.chances = chances
        self.vector = vector
        self.events = events
        self.known: dict[int, Whereabouts] = {}
        self.asking: dict[int, Asking] = {}


class _Step:
    """One choice: the position before it, the option taken, what happened. Linked backwards and shared by clones."""

    __slots__ = ("asking", "before", "chances", "depth", "events", "index", "known", "offer", "parent")

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
        self.known: dict[int, Whereabouts] = {}
        """What seats know of where cards lie after it, as far as somebody asked."""
        self.asking: dict[int, Asking] = {}
        """By seat what it is told of who is asked then, as far as somebody wanted to know."""


def _steps_to(last: _Step | None) -> list[_Step]:
    """The choices that lead to a position, the first one first."""
    steps = []
    while last is not None:
        steps.append(last)
        last = last.parent
    steps.reverse()
    return steps


@contextmanager
def _leading(root: Root, last: _Step | None) -> Iterator[None]:
    """Writes into a fault that comes of looking at a position (its options, its labels) what leads there."""
    try:
        yield
    except RulesFault as fault:
        fault.seed, fault.choices = root.seed, tuple(step.index for step in _steps_to(last))
        raise


class State:
    """One position of a game and the way to it. Vectors are never changed in place, so a clone shares them."""

    __slots__ = ("_last", "_offer", "_root", "game", "vector")

    def __init__(self, game: Game, root: Root, last: _Step | None, vector: list[int]) -> None:
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
            self._offer = self._offer_of(self.vector, self._last)
        return self._offer

    def _offer_of(self, vector: list[int], last: _Step | None) -> Offer:
        """What is offered in the position that ``last`` led to."""
        return Offer(self.game.machine, self.game.namer, vector, partial(_leading, self._root, last))

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

    def choose(self, index: int, *, seat: int | None = None, at: int | None = None) -> None:
        """Takes an option by its place in `options`, from 0. Raises `PlayError` for a wrong one, `RulesFault` where
        the rules break down; then the state is as before.

        ``seat`` says whose choice it is, and ``at`` after how many choices of the game (``len(state)``) it was asked
        for. A call that comes twice, or late, is then refused with `PlayError` instead of being taken for the next
        choice: whoever hands on choices of others (a server, a screen) should give both.
        """
        number = len(self._offered().raw)
        self._refuse_stale(seat, at)
        if self.is_over:
            raise PlayError("the game is over: nothing can be chosen")
        self._checked_index(index, number)
        vector = self.vector.copy()
        machine = self.game.machine
        try:
            machine.choose(vector, index, self._offered().raw)
        except RulesFault as fault:
            fault.seed, fault.choices = self.seed, (*self._indices(), index)
            raise
        finally:
            events = drain(machine)
        self._push(index, Stretch(None, vector, events))

    def _push(self, index: int, stretch: Stretch) -> None:
        self._last = _Step(self._last, self.vector, index, self._offer, stretch.chances, stretch.events)
        self.vector = stretch.vector
        self._offer = None

    def choose_key(self, key: str, *, seat: int | None = None, at: int | None = None) -> None:
        """Takes an option by its key. Raises `PlayError` if none has it. ``seat`` and ``at`` as in `choose`: two seats
        that are asked one after the other are often offered the same keys."""
        self._refuse_stale(seat, at)
        keys = self._offered().keys
        if text_of(key, "a key") not in keys:
            raise PlayError(f"no option has the key {shown(key)}" + (": the game is over" if self.is_over else ""))
        self.choose(keys.index(key))

    def _refuse_stale(self, seat: int | None, at: int | None) -> None:
        """Raises `PlayError` unless the next choice is that of ``seat``, after ``at`` choices (None: whichever)."""
        if at is not None and whole_number(at, "a count of choices", 0) != len(self):
            raise PlayError(f"this choice was asked for after {shown(at)} choices, and {len(self)} have been made")
        if seat is not None and self._checked(seat) != self.seat:
            now = "the game is over" if self.seat is None else f"seat {self.seat} is"
            raise PlayError(f"seat {seat} is not asked: {now}")

    def undo(self) -> None:
        """Goes back to before the last choice, exactly. Raises `PlayError` at the start."""
        if self._last is None:
            raise PlayError("nothing has been chosen yet: there is nothing to take back")
        step = self._last
        self._last, self.vector, self._offer = step.parent, step.before, step.offer

    def may_take_back(self, seat: int) -> bool:
        """Whether a player may take back the last choice of the game: it was this seat's, and the seat has learnt
        nothing since but what follows from it (see `view.undo_policy`). `undo` itself asks nobody: it is for whoever
        runs the game."""
        seat = self._checked(seat)
        step = self._last
        if step is None:
            return False
        return may_undo(self.game.machine, step.before, step.index, step.events, self.vector, seat)

    def clone(self) -> State:
        """A state of its own in the same position, with the same history. Cheap: what lies behind is shared."""
        copy = State(self.game, self._root, self._last, self.vector)
        copy._offer = self._offer
        return copy

    def to_bytes(self) -> bytes:
        """The whole state with its history, for `Game.restore`. It holds all that is hidden: for the host only."""
        steps = self._steps()
        chances = (self._root.chances, *(step.chances for step in steps))
        return write_save(
            Saved(
                self.game.program.identity,
                self._root.seed,
                tuple(step.index for step in steps),
                tuple(Table(self.game.program, step.before).chooser for step in steps),
                tuple(self._key_of(step) for step in steps),
                chances,
                tuple(self.vector),
            )
        )

    def _key_of(self, step: _Step) -> str:
        """The key of the option that a step took."""
        machine = self.game.machine
        raw = machine.options(step.before) if step.offer is None else step.offer.raw
        return key_text(machine.site(step.before), machine.key(step.before, raw[step.index]))

    # ------------------------------------------------------------ what happened

    def _steps(self) -> list[_Step]:
        return _steps_to(self._last)

    def _indices(self) -> tuple[int, ...]:
        return tuple(step.index for step in self._steps())

    @property
    def history(self) -> tuple[Choice, ...]:
        """The choices made: seat, key, and the label as the chooser read it."""
        return tuple(self._choice(step) for step in self._steps())

    def _choice(self, step: _Step) -> Choice:
        if step.offer is None:
            step.offer = self._offer_of(step.before, step.parent)
        option = step.offer.options[step.index]
        return Choice(Table(self.game.program, step.before).chooser, option.key, option.label)

    def _choice_kept(self, step: _Step) -> Choice:
        """As `_choice`; the key stands in the place of a label that is a fault of the rules."""
        try:
            return self._choice(step)
        except RulesFault:
            key = self._key_of(step)
            return Choice(Table(self.game.program, step.before).chooser, key, key)

    def told_choices(self, seat: int) -> tuple[ToldChoice, ...]:
        """The choices that a seat has been told of, as it was told of them."""
        seat = self._checked(seat)
        steps = ((step.before, step.index, step.events) for step in self._steps())
        return told_choices(self.game.machine, self.game.namer, steps, seat)

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
        seat = self._checked_reader(seat)
        whole_number(since, "the number of a choice", 0)
        narrator = Narrator(self.game.machine, self.game.namer, self.game.backs, seat)
        if since == 0:
            narrator.tell(self._root.events)
        for step in self._steps()[max(since - 1, 0) :]:
            with _leading(self._root, step.parent):
                narrator.step(step.before, step.index, step.events)
        return narrator.passages()

    def log(self) -> str:
        """The log of the game so far, as JSON lines (`view.log`). A choice whose label is a fault of the rules is named
        there by its key. Raises `PlayError` in a sampled world, which no seed leads to."""
        if self.is_world:
            raise PlayError("a sampled world has no log: no seed leads to it")
        game, program = self.game, self.game.program
        return write_log(
            GameLog(
                game=game.name,
                ruleset=game.source,
                identity=program.identity,
                language=program.language,
                players=game.players,
                seed=self.seed,
                options=tuple(game.settings.items()),
                variants=program.variants,
                choices=tuple(self._choice_kept(step) for step in self._steps()),
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
        followed = self._whereabouts(seat).at_least() if self.game.following.any else None
        return view_of(
            self.game.namer,
            table,
            seat,
            self._asking(seat),
            self.scores if over else None,
            self.winners if over else None,
            conclusions.of(table, seat, self.record(seat), followed) if conclusions.any else None,
            followed,
        )

    def _asking(self, seat: int) -> Asking:
        """What a seat is told of who is asked, gone on from the nearest position before where it was worked out."""
        steps = []
        step = self._last
        while step is not None and seat not in step.asking:
            steps.append(step)
            step = step.parent
        origin: _Step | Root = self._root if step is None else step
        if seat not in origin.asking:
            origin.asking[seat] = self._asked_after(seat, Asking(), origin.events)
        asking = origin.asking[seat]
        for step in reversed(steps):
            asking = step.asking[seat] = self._asked_after(seat, asking, step.events)
        return asking

    def _asked_after(self, seat: int, asking: Asking, events: tuple[Event, ...]) -> Asking:
        for event in events:
            if isinstance(event, Offered | Chose | Ended):
                observed = observe(event, seat, self.game.backs)
                asking = asking if observed is None else heard(asking, observed, self.game.sealed)
        return asking

    def _whereabouts(self, seat: int) -> Whereabouts:
        """What a seat knows of where cards lie, gone on from the nearest position before where it was worked out."""
        steps = []
        step = self._last
        while step is not None and seat not in step.known:
            steps.append(step)
            step = step.parent
        origin: _Step | Root = self._root if step is None else step
        known = origin.known.get(seat)
        if known is None:
            known = self.game.following.begin(seat)
            self._hear(known, origin.events)
            origin.known[seat] = known
        if not steps:
            return known
        known = known.copy()
        if isinstance(origin, _Step) and origin.depth % KEPT:
            del origin.known[seat]
        for step in reversed(steps):
            self._hear(known, step.events)
        steps[0].known[seat] = known
        return known

    def _hear(self, known: Whereabouts, events: tuple[Event, ...]) -> None:
        for event in events:
            observed = observe(event, known.seat, self.game.backs)
            if observed is not None:
                known.hear(observed)

    def label(self, index: int, seat: int | None = None) -> str:
        """The label of an option as another seat, the `ONLOOKER` or (None) one who knows all may read it. For stories
        and debugging."""
        raw = self._offered().raw
        self._checked_index(index, len(raw))
        seat = self._checked_reader(seat)
        with _leading(self._root, self._last):
            return label_for(self.game.machine, self.game.namer, self.vector, raw[index], seat)

    def resample(self, seat: int, seed: int = 0, most: int = WORK) -> State:
        """A world for a seat: a state with its own history that gives the seat an equal record; what it does not know
        is sampled anew, and so is what chance will bring. Made from the record and the rules alone.

        Raises `NoWorldFound` if none is found in ``most`` steps of the game.
        """
        seat = self._checked(seat)
        seed_number(seed)
        whole_number(most, "a number of steps", 0)
        root, *steps = sample_world(self.game.program, self.game.chancer, self.record(seat), seat, seed, most)
        word = root.rng
        state = State(
            self.game,
            Root(word, root.stretch.chances, root.stretch.vector, root.stretch.events),
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
        wanted = text_of(card, "the name of a card").casefold()
        cards = [c for c, kind in enumerate(program.kinds) if program.kind_names[kind].casefold() == wanted]
        if not cards:
            hint = nearest(card[:100], program.kind_names)
            raise PlayError(f"no card is called {shown(card)}" + (f"; did you mean {hint!r}?" if hint else ""))
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
        return seat_number(seat, self.game.players)

    def _checked_reader(self, seat: int | None) -> int | None:
        """A seat, the `ONLOOKER`, or None: one who knows all."""
        return seat if seat is None or (is_whole(seat) and seat == ONLOOKER) else self._checked(seat)

    def _checked_index(self, index: int, number: int) -> None:
        """Raises `PlayError` unless ``index`` is that of one of ``number`` options."""
        if not is_whole(index):
            raise PlayError(f"choose an option by its number, not by {shown(index)}")
        if not 0 <= index < number:
            raise PlayError(f"there is no option {shown(index)}: there are {number}, counted from 0")


def drain(machine: Machine) -> tuple[Event, ...]:
    events = tuple(event for event in machine.log if not isinstance(event, Traced))
    machine.log.clear()
    return events


def settled(game: Game, vector: list[int], chances: tuple[int, ...]) -> Stretch:
    """Settles chance as given until a choice or the end. Raises ValueError if the outcomes do not fit."""
    machine = game.chancer
    try:
        for outcome in chances:
            machine.settle(vector, outcome)
        if machine.outcomes(vector):
            raise ValueError("chance is still open")
    finally:
        events = drain(machine)
    return Stretch(chances, vector, events)
