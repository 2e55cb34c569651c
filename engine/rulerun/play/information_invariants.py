"""The invariants of what seats are given: views, information states, perfect recall, sampled worlds.

May not import faces.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter

from rulerun.facts.rng import derive
from rulerun.game import NoWorldFound, State
from rulerun.ir.program import RNG, seats_by_word
from rulerun.play.state_invariants import lost_cards, same
from rulerun.play.walk import Notes, SkippedError, Walk, place
from rulerun.view.table import Table
from rulerun.view.view import seen_as_one

SHORT = 12
"""Up to so many choices the whole record and story are compared, from there on the view and the options."""
SEARCH = 15_000
"""Steps of the game after which the search for a world is given up (about a second)."""

def given_to(state: State, seat: int, *, whole: bool = True) -> dict[str, object]:
    """What a seat is given of a state; ``whole``: with record, story and its own choices."""
    given: dict[str, object] = {
        "view": state.view(seat).as_dict(),
        "options": [(o.key, o.label) for o in state.options] if state.seat == seat else None,
    }
    if whole:
        given["record"] = state.record(seat)
        given["information state"] = state.information_state(seat)
        given["story"] = state.story(seat)
        given["choices"] = state.told_choices(seat)
    return given


def views_are_defined(walk: Walk, _notes: Notes) -> str | None:
    """Every seat has a view: of this game, with the right counts and the right seat to move."""
    state = walk.state
    table = Table(walk.game.program, state.vector)
    for seat in range(walk.game.players):
        view = state.view(seat)
        json.dumps(view.as_dict())
        turn = state.seat if seat == state.seat or not table.asks_unheard else None
        if view.seat != seat or view.turn != turn:
            return f"the view of P{seat + 1} is of another seat or another turn"
        for zone, instances in zip(view.zones, seen_as_one(walk.game.program), strict=True):
            count = sum(table.count(number) for number in instances)
            if zone.count != count or len(zone.cards) != zone.count:
                return f"P{seat + 1} sees {len(zone.cards)} cards in {zone.name}, where {count} lie"
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
    for seat, name in enumerate(names):
        if not name.startswith(f"P{seat + 1}:"):
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
        world = state.resample(seat, seed=derive(walk.seed, len(walk.keys)), most=SEARCH)
    except NoWorldFound:
        raise SkippedError("no world was found within the tries allowed") from None
    found = given_to(world, seat)
    differing = next((what for what in true if found[what] != true[what]), None)
    if differing is not None:
        return f"in a sampled world P{seat + 1} is given another {differing}"
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
    """The kinds that lie in the zones that a seat does not see, and the values of the state that it does not see."""
    program, table = state.game.program, Table(state.game.program, state.vector)
    hidden = sorted(word for word, seats in seats_by_word(program).items() if not table.sees_value(seat, seats))
    found = [tuple(state.vector[word] for word in hidden)]
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
