"""The invariants of play itself: cards, options, refusals, results, going on and back, saves and replays.

May not import faces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from rulerun.facts.faults import RulesFault
from rulerun.game import PlayError, State
from rulerun.play.walk import Notes, Walk, fingerprint
from rulerun.view.log import read_log
from rulerun.view.table import Table

SHORT = 12
"""So many choices of a replay are made by key, those after by number; the log is replayed of ten times as many."""

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
    """A choice that is not offered, that another seat makes or that comes late is refused, and changes nothing."""
    state, before = walk.state, fingerprint(walk.state)
    wrong: list[tuple[str, Callable[[], object]]] = [
        ("choice number -1", lambda: state.choose(-1)),
        ("choice number " + str(len(state.options)), lambda: state.choose(len(state.options))),
        ("a choice by true", lambda: state.choose(True)),
        ("a key that no option has", lambda: state.choose_key("none such")),
        ("a choice asked for after one choice more", lambda: state.choose(0, at=len(state) + 1)),
    ]
    others = [seat for seat in range(walk.game.players) if seat != state.seat]
    wrong += [(f"a choice of P{seat + 1}", lambda seat=seat: state.choose(0, seat=seat)) for seat in others]  # type: ignore[misc]
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
    try:
        twin.choose(last)
    except RulesFault:  # that is found when the game goes this way
        return None if fingerprint(twin) == before else "a choice that broke down changed the state"
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
