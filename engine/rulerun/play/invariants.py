"""The invariants that every game of every ruleset must hold, each as a question to one position: what is wrong here?

They are those of the design (cards are kept, the same seed and choices give the same, undo is exact, a seat gets only
what its record tells) and those that OpenSpiel's suite asks of a game. `conformance` walks through games, asks them
and cuts down what it finds. May not import faces.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum

from rulerun.game import Game, NoWorldFound, PlayError, State
from rulerun.ir.program import RNG
from rulerun.run.faults import RulesFault
from rulerun.run.machine import Machine
from rulerun.view.log import read_log
from rulerun.view.offer import key_text
from rulerun.view.table import Table

LONG = 200
"""In games longer than this what takes long is not asked: worlds, and replays (a save is replayed as well)."""
SHORT = 12
"""Up to so many choices the whole record and story are compared, from there on the view and the options."""


class SkippedError(Exception):
    """An invariant that cannot be asked here; the text says why."""


class When(Enum):
    """At which positions of a game an invariant is asked."""

    EVERYWHERE = "everywhere"
    MILESTONES = "milestones"
    """Some positions, farther and farther from each other, and the end."""


class Walk:
    """A game being played, with notes of its own on the way: what states say of their past is held against them."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.seed = seed
        self.state = game.new(seed)
        self.keys: list[str] = []
        self.indices: list[int] = []
        self.prints: list[int] = [fingerprint(self.state)]
        self.own: list[str] = [""] * game.players
        """Per seat its own information states and actions so far, rolled into one name."""

    def key(self, index: int) -> str:
        """The key of one option."""
        machine, v = self.game.machine, self.state.vector
        return key_text(machine.site(v), machine.key(v, self.state._offered().raw[index]))

    def take(self, index: int) -> None:
        """Goes on by one choice."""
        seat, key = self.state.seat, self.key(index)
        before = "" if seat is None else self.state.information_state(seat)
        self.state.choose(index)
        if seat is not None:
            self.own[seat] = hashlib.blake2b(f"{self.own[seat]} {before} {key}".encode(), digest_size=16).hexdigest()
        self.keys.append(key)
        self.indices.append(index)
        self.prints.append(fingerprint(self.state))


@dataclass
class Notes:
    """What is kept from position to position and game to game of one examination."""

    game: Game
    alike: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Information state -> what the seat was given there, and where that was."""
    recall: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Information state -> the seat's own history, and where that was."""
    learning: bool = True
    """Off while a finding is cut down: then nothing new is noted."""
    could_vary: int = 0
    """Positions at which what is hidden from a seat could be otherwise."""
    varied: int = 0
    """Those at which a sampled world had it otherwise."""
    quiet: Machine | None = None
    native: object = None
    without_native: str = ""


Check = Callable[[Walk, Notes], str | None]


@dataclass(frozen=True, slots=True)
class Invariant:
    """A property of every position. ``check`` says what is wrong there, None if nothing; it leaves the walk as it was.
    ``cost``: how dear it is, beside the cheapest."""

    name: str
    about: str
    check: Check
    when: When = When.EVERYWHERE
    cost: int = 1
    longest: int = 0
    """It is asked after at most so many choices; 0: after any number."""


def fingerprint(state: State) -> int:
    """A number for the vector, the same in every run."""
    return hash(tuple(state.vector))


def place(walk: Walk) -> str:
    """Where a walk is, for people."""
    return f"seed {walk.seed} after {len(walk.keys)} choice{'s' if len(walk.keys) != 1 else ''}"


def said(error: Exception) -> str:
    """An error in one line."""
    if isinstance(error, RulesFault):
        return str(error)
    text = " ".join(str(error).split())[:200]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


# ------------------------------------------------------------------------- cards, choices, ends


def cards_are_kept(walk: Walk, _notes: Notes) -> str | None:
    """Each card lies in exactly one zone."""
    return lost_cards(Table(walk.game.program, walk.state.vector))


def lost_cards(table: Table) -> str | None:
    """What is wrong with where the cards lie."""
    program = table.program
    lying: Counter[int] = Counter()
    for zone in range(len(program.zones)):
        cards = table.cards(zone)
        drawn, undrawn = [card for card in cards if card >= 0], table.undrawn(zone)
        if len(cards) != table.count(zone) or len(cards) - len(drawn) != len(undrawn):
            return f"{program.zones[zone].name} counts {table.count(zone)} cards, {len(drawn) + len(undrawn)} lie there"
        for card in drawn + undrawn:
            if table.zone_of(card) != zone:
                return f"{_name(table, card)} lies in {program.zones[zone].name} and says otherwise"
        lying.update(drawn + undrawn)
    for card in range(program.card_count):
        if lying[card] != 1:
            where = "in no zone" if not lying[card] else f"in {lying[card]} places at once"
            return f"{_name(table, card)} lies {where}"
    return None


def _name(table: Table, card: int) -> str:
    return table.program.kind_names[table.program.kinds[card]]


def options_are_sound(walk: Walk, _notes: Notes) -> str | None:
    """Before the end a seat of the game is asked, and has options with keys and labels of their own; after it none."""
    state = walk.state
    options = state.options
    if state.is_over:
        if options or state.seat is not None:
            return "the game is over, and yet somebody is asked"
        return None
    if state.seat is None or not 0 <= state.seat < walk.game.players:
        return f"the game is not over, and seat {state.seat} is asked"
    if not options:
        return f"P{state.seat + 1} is asked and has no option"
    for what, names in (("key", [o.key for o in options]), ("label", [o.label for o in options])):
        twice = next((name for name, count in Counter(names).items() if count > 1), None)
        if twice is not None:
            return f"two options of P{state.seat + 1} have the {what} {twice!r}"
        if not all(names):
            return f"an option of P{state.seat + 1} has no {what}"
    if [(o.key, o.label) for o in options] != [(o.key, o.label) for o in walk.state.clone().options]:
        return "options asked for twice are not the same"
    fresh = walk.game.machine.options(state.vector.copy())
    return None if fresh == state._offered().raw else "options listed anew are not the same"


def wrong_choices_are_refused(walk: Walk, _notes: Notes) -> str | None:
    """A choice that is not offered is refused, and changes nothing."""
    state, before = walk.state, fingerprint(walk.state)
    wrong: list[tuple[str, Callable[[], object]]] = [
        ("choice number -1", lambda: state.choose(-1)),
        ("choice number " + str(len(state.options)), lambda: state.choose(len(state.options))),
        ("a choice by true", lambda: state.choose(True)),
        ("a key that no option has", lambda: state.choose_key("none such")),
    ]
    return _refused(walk, wrong) or (None if fingerprint(state) == before else "a refused choice changed the state")


def wrong_seats_are_refused(walk: Walk, _notes: Notes) -> str | None:
    """No view, record, information state or world for a seat that is not there."""
    state = walk.state
    return _refused(
        walk,
        [
            (f"{what} of seat {seat!r}", lambda call=call, seat=seat: call(seat))  # type: ignore[misc]
            for seat in (-1, walk.game.players, None)
            for what, call in (
                ("the view", state.view),
                ("the record", state.record),
                ("the information state", state.information_state),
                ("a world", state.resample),
            )
        ],
    )


def _refused(walk: Walk, calls: Sequence[tuple[str, Callable[[], object]]]) -> str | None:
    before = len(walk.state)
    for what, call in calls:
        try:
            call()
        except PlayError:
            if len(walk.state) != before:
                return f"{what} was refused, and yet changed the state"
            continue
        return f"{what} was not refused"
    return None


def a_result_stands_at_the_end_alone(walk: Walk, _notes: Notes) -> str | None:
    """Scores for all and winners at the end; none before."""
    state = walk.state
    if not state.is_over:
        for what in ("scores", "winners"):
            try:
                getattr(state, what)
            except PlayError:
                continue
            return f"there are {what} before the end"
        return None
    scores, winners = state.scores, state.winners
    if len(scores) != walk.game.players or not all(type(score) is int for score in scores):
        return f"the scores {scores} are not one number for each of {walk.game.players} players"
    if not set(winners) <= set(range(walk.game.players)) or len(set(winners)) != len(winners):
        return f"the winners {winners} are not seats of this game"
    if not winners and walk.game.program.won < 0:
        return "nobody has won"
    return None


# ------------------------------------------------------------------------- going on and back


def same(left: State, right: State) -> str | None:
    """In what two states, or the ways to them, differ."""
    if left.vector != right.vector:
        at = next((i for i, (a, b) in enumerate(zip(left.vector, right.vector, strict=False)) if a != b), -1)
        return f"the vectors differ from word {at} on"
    if left.events() != right.events():
        return "what happened is not the same"
    return None if left._indices() == right._indices() else "the choices made are not the same"


def a_clone_goes_its_own_way(walk: Walk, _notes: Notes) -> str | None:
    """A choice on a clone leaves the state alone, and leads to where the same choice leads the state."""
    state = walk.state
    before = fingerprint(state)
    twin, other = state.clone(), state.clone()
    if state.is_over:
        return same(twin, state)
    last = len(state.options) - 1
    twin.choose(last)
    other.choose_key(walk.key(last))
    if fingerprint(state) != before or len(twin) != len(state) + 1:
        return "a choice on a clone changed the state"
    differing = same(twin, other)
    return f"the same choice on two clones: {differing}" if differing else None


def undo_is_exact(walk: Walk, _notes: Notes) -> str | None:
    """Taking back every choice, one by one, goes through the positions of the way here, down to the start."""
    twin = walk.state.clone()
    for number in range(len(walk.indices) - 1, -1, -1):
        twin.undo()
        if len(twin) != number or fingerprint(twin) != walk.prints[number]:
            return f"taking back choice {number + 1} does not lead to the position before it"
    try:
        twin.undo()
    except PlayError:
        return None
    return "undo goes beyond the start"


def undo_goes_back_one(walk: Walk, _notes: Notes) -> str | None:
    """Taking back the last choice leads to the position before it; made again it leads here again."""
    if not walk.indices:
        return None
    twin = walk.state.clone()
    twin.undo()
    if fingerprint(twin) != walk.prints[-2] or len(twin) != len(walk.indices) - 1:
        return "undo does not lead to the position before the last choice"
    twin.choose(walk.indices[-1])
    differing = same(twin, walk.state)
    return f"the last choice, taken back and made again: {differing}" if differing else None


def a_replay_leads_here(walk: Walk, _notes: Notes) -> str | None:
    """The same seed and the same keys (and the log) give the same state."""
    game, state = walk.game, walk.state
    choices: list[str | int] = [*walk.keys[:SHORT], *walk.indices[SHORT:]]
    differing = same(game.replay(walk.seed, choices), state)
    if differing:
        return f"the same seed and choices again: {differing}"
    if len(walk.keys) <= 10 * SHORT:
        differing = same(game.replay_log(read_log(state.log())), state)
    return f"replayed from its log: {differing}" if differing else None


def a_save_leads_here(walk: Walk, _notes: Notes) -> str | None:
    """A saved state, restored, is the same state with the same way behind it."""
    restored = walk.game.restore(walk.state.to_bytes())
    differing = same(restored, walk.state)
    if differing:
        return f"saved and restored: {differing}"
    if restored.to_bytes() != walk.state.to_bytes():
        return "saved, restored and saved again gives another save"
    return None


# ------------------------------------------------------------------------- what seats are given


def given_to(state: State, seat: int, *, whole: bool = True) -> dict[str, object]:
    """What a seat is given of a state; ``whole``: with record, story and choices."""
    given: dict[str, object] = {
        "view": state.view(seat).as_dict(),
        "seat to move": state.seat,
        "options": [(o.key, o.label) for o in state.options] if state.seat == seat else None,
    }
    if whole:
        given["record"] = state.record(seat)
        given["information state"] = state.information_state(seat)
        given["story"] = state.story(seat)
        given["choices"] = [(c.seat, c.key, c.label) if c.seat == seat else c.seat for c in state.history]
    return given


def views_are_defined(walk: Walk, _notes: Notes) -> str | None:
    """Every seat has a view: of this game, with the right counts and the right seat to move."""
    state = walk.state
    table = Table(walk.game.program, state.vector)
    for seat in range(walk.game.players):
        view = state.view(seat)
        json.dumps(view.as_dict())
        if view.seat != seat or view.turn != state.seat:
            return f"the view of P{seat + 1} is of another seat or another turn"
        for number, zone in enumerate(view.zones):
            if zone.count != table.count(number) or len(zone.cards) != zone.count:
                return f"P{seat + 1} sees {len(zone.cards)} cards in {zone.name}, where {table.count(number)} lie"
        if (view.scores is not None) != state.is_over:
            return f"the view of P{seat + 1} has scores before the end, or none at it"
    return None


def alike_states_give_the_same(walk: Walk, notes: Notes) -> str | None:
    """Equal information states: equal views, options and stories."""
    whole = len(walk.keys) <= SHORT
    for seat in range(walk.game.players):
        name = walk.state.information_state(seat)
        given = given_to(walk.state, seat, whole=whole)
        text = hashlib.blake2b(repr(given).encode(), digest_size=16).hexdigest()
        known = notes.alike.get(name)
        if known is None:
            if notes.learning:
                notes.alike[name] = (text, place(walk))
        elif known[0] != text:
            return f"P{seat + 1} was told the same as with {known[1]}, and is given something else"
    return None


def seats_recall_their_own_way(walk: Walk, notes: Notes) -> str | None:
    """Perfect recall: equal information states, equal own information states and actions before."""
    for seat in range(walk.game.players):
        name = walk.state.information_state(seat)
        known = notes.recall.get(name)
        if known is None:
            if notes.learning:
                notes.recall[name] = (walk.own[seat], place(walk))
        elif known[0] != walk.own[seat]:
            return f"P{seat + 1} has the information state of {known[1]}, and came to it otherwise"
    return None


def seats_have_states_of_their_own(walk: Walk, _notes: Notes) -> str | None:
    """Information states of two seats never coincide."""
    names = [walk.state.information_state(seat) for seat in range(walk.game.players)]
    for seat, name in enumerate(names):
        if names.index(name) != seat:
            return f"P{names.index(name) + 1} and P{seat + 1} have the same information state"
        owner = f"P{seat + 1}:"
        if not name.startswith(owner):
            return f"the information state of P{seat + 1} does not name its seat"
    return None


def worlds_are_alike(walk: Walk, notes: Notes) -> str | None:
    """A sampled world gives its seat the same record, view, options and story, can be played, and has chance of its
    own."""
    state = walk.state
    seat = (len(walk.keys) + walk.seed) % walk.game.players
    true = given_to(state, seat)
    could = hidden_could_vary(state, seat)
    try:
        world = state.resample(seat, seed=len(walk.keys))
    except NoWorldFound:
        raise SkippedError("no world was found within the tries allowed") from None
    found = given_to(world, seat)
    differing = next((what for what in true if found[what] != true[what]), None)
    if differing is not None:
        return f"in a sampled world P{seat + 1} is given another {differing}"
    if [c.seat for c in world.history] != [c.seat for c in state.history]:
        return "in a sampled world others chose, or more often"
    if not state.is_over and world.vector[RNG] == state.vector[RNG]:
        return "a sampled world has the generator of the true one"
    problem = lost_cards(Table(walk.game.program, world.vector))
    if problem is not None:
        return f"in a sampled world {problem}"
    differing = same(world.game.restore(world.to_bytes()), world)
    if differing:
        return f"a sampled world, replayed from its start: {differing}"
    if notes.learning and could:
        notes.could_vary += 1
        notes.varied += _hidden(world, seat) != _hidden(state, seat)
    return None


def _hidden(state: State, seat: int) -> tuple[tuple[int, ...], ...]:
    """The kinds that lie in the zones that a seat does not see."""
    program, table = state.game.program, Table(state.game.program, state.vector)
    found = []
    for zone in range(len(program.zones)):
        if not table.sees_zone(seat, zone):
            kinds = [program.kinds[card] if card >= 0 else -1 for card in table.cards(zone)]
            found.append(tuple(kinds if table.ordered(zone) else sorted(kinds)))
    return tuple(found)


def hidden_could_vary(state: State, seat: int) -> bool:
    """Whether cards that a seat does not know lie in two zones and are of different kinds with the same back (what the
    seat can conclude is not looked at)."""
    program, table = state.game.program, Table(state.game.program, state.vector)
    unknown: list[tuple[set[int], set[int]]] = []
    for zone in range(len(program.zones)):
        if table.sees_zone(seat, zone):
            continue
        drawn = [c for c in table.cards(zone) if c >= 0 and not table.knows(seat, c)]
        kinds = Counter(program.kinds[c] for c in drawn) - table.at_least(seat, zone)
        unknown.append((set(kinds), {program.kinds[c] for c in table.undrawn(zone)}))
    backs = state.game.backs
    for number, (drawn_kinds, _) in enumerate(unknown):
        for other, (theirs, undrawn) in enumerate(unknown):
            elsewhere = undrawn if other == number else theirs | undrawn
            if any(a != b and backs[a] == backs[b] for a in drawn_kinds for b in elsewhere):
                return True
    return False


# ------------------------------------------------------------------------- executors


def executors_agree(walk: Walk, notes: Notes) -> str | None:
    """The reference executor without telling, and machine code, go through the same words with the same options."""
    program = walk.game.program
    if notes.quiet is None:
        notes.quiet = Machine(program, knowledge=True)
    quiet, layout = notes.quiet, program.layout
    v = quiet.start(walk.seed)
    for index in walk.indices:
        quiet.choose(v, index)
    digests = range(layout.digest_base, layout.digest_base + program.players)
    told = [0 if i in digests else word for i, word in enumerate(walk.state.vector)]
    untold = [0 if i in digests else word for i, word in enumerate(v)]
    if told != untold:
        return "the executor that tells and the one that does not are in different states"
    if quiet.options(v) != walk.state._offered().raw:
        return "the executor that tells and the one that does not offer different options"
    return _natively(walk, notes, v)


def _natively(walk: Walk, notes: Notes, v: list[int]) -> str | None:
    if notes.without_native:
        return None
    from rulerun.native import is_available

    if not is_available():
        notes.without_native = "without the native executor: llvmlite is not installed"
        return None
    from rulerun.native.folds import UnsupportedError
    from rulerun.native.machine import NativeMachine

    if notes.native is None:
        try:
            made = NativeMachine(walk.game.program)
            made.start(0)
        except UnsupportedError as error:
            notes.without_native = f"without the native executor: {error}"
            return None
        notes.native = made
    native = notes.native
    assert isinstance(native, NativeMachine)
    n = native.start(walk.seed)
    for index in walk.indices:
        native.choose(n, index)
    size = walk.game.program.layout.size
    if list(n)[:size] != v[:size]:
        return "machine code leads to another state"
    if native.options(n) != walk.state._offered().raw:
        return "machine code offers other options"
    if walk.state.is_over and (native.scores(n), native.winners(n)) != (walk.state.scores, walk.state.winners):
        return "machine code comes to another result"
    return None


INVARIANTS: tuple[Invariant, ...] = (
    Invariant("cards", "each card lies in exactly one zone", cards_are_kept),
    Invariant("options", "whoever is asked has options, with keys and labels of their own", options_are_sound),
    Invariant("refusals", "a choice that is not offered is refused, and changes nothing", wrong_choices_are_refused),
    Invariant("seats", "seats that are not there are refused", wrong_seats_are_refused, When.MILESTONES),
    Invariant("result", "scores and winners at the end, and only there", a_result_stands_at_the_end_alone),
    Invariant("clone", "a clone goes its own way, and the same way for the same choice", a_clone_goes_its_own_way),
    Invariant("undo", "undo is exact", undo_goes_back_one),
    Invariant("undo all", "undo is exact down to the start", undo_is_exact, When.MILESTONES),
    Invariant("replay", "the same seed and choices give the same state", a_replay_leads_here, When.MILESTONES, 2, LONG),
    Invariant("save", "a saved state is restored exactly", a_save_leads_here, When.MILESTONES, 2),
    Invariant("views", "every seat has a view", views_are_defined, cost=2),
    Invariant("alike", "who was told the same is given the same", alike_states_give_the_same, cost=3),
    Invariant("recall", "information states keep a seat's own way", seats_recall_their_own_way),
    Invariant("own states", "information states of two seats never coincide", seats_have_states_of_their_own),
    Invariant("worlds", "a sampled world is the same to its seat", worlds_are_alike, When.MILESTONES, 10, LONG),
    Invariant("executors", "all executors agree word by word", executors_agree, When.MILESTONES, 3),
)
"""In the order in which they are asked."""
