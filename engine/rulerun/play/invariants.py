"""The invariants that every game of every ruleset must hold.

They are those of the design (cards are kept, the same seed and choices give the same, undo is exact, a seat gets only
what its record tells) and those that OpenSpiel's suite asks of a game. `conformance` walks through games, asks them
and cuts down what it finds. May not import faces.
"""

from __future__ import annotations

from rulerun.play.information_invariants import (
    alike_states_give_the_same,
    seats_have_states_of_their_own,
    seats_recall_their_own_way,
    views_are_defined,
    worlds_are_alike,
)
from rulerun.play.state_invariants import (
    a_clone_goes_its_own_way,
    a_replay_leads_here,
    a_result_stands_at_the_end_alone,
    a_save_leads_here,
    cards_are_kept,
    options_are_sound,
    undo_goes_back_one,
    undo_is_exact,
    wrong_choices_are_refused,
    wrong_seats_are_refused,
)
from rulerun.play.walk import LONG, Invariant, Notes, Walk, When
from rulerun.run.machine import Machine


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
    from rulerun.native import MachineCodeError, NoCompilerError, UnsupportedError, ask_compiler

    try:
        ask_compiler()
    except NoCompilerError as error:
        kind = "cannot be imported" if error.broken else "is not installed"
        notes.without_native = f"without the native executor: llvmlite {kind}"
        return None
    from rulerun.native.machine import NativeMachine

    if notes.native is None:
        try:
            made = NativeMachine(walk.game.program)
            made.start(0)
        except (UnsupportedError, MachineCodeError) as error:
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
    Invariant("refusals", "a choice that is not offered or not asked for is refused", wrong_choices_are_refused),
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
