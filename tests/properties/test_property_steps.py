"""Invariants 1 to 3 as a machine that plays at random, clones, saves, takes back, replays and errs."""

from __future__ import annotations

import hypothesis.strategies as st
from configurations import DEPTH, PROFILE, all_configurations
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rulerun import PlayError, State
from rulerun.play import state_invariants
from rulerun.view.log import read_log
from rulerun.view.table import Table


def same(left: State, right: State) -> bool:
    """Whether two states and all that lies behind them are equal, in words, too."""
    alike = state_invariants.same(left, right) is None
    return alike and left.history == right.history and left.options == right.options


class Steps(RuleBasedStateMachine):
    """Plays one game of one configuration; ``path`` holds a clone of every state gone through."""

    def __init__(self) -> None:
        super().__init__()
        self.path: list[State] = []

    @initialize(configuration=st.sampled_from(all_configurations()), seed=st.integers(-(2**63), 2**63 - 1))
    def begin(self, configuration, seed: int) -> None:  # type: ignore[no-untyped-def]
        self.game = configuration.load()
        self.state = self.game.new(seed)
        self.path = [self.state.clone()]

    @precondition(lambda self: self.path and not self.state.is_over)
    @rule(picks=st.lists(st.integers(0, 2**16), min_size=1, max_size=12))
    def play(self, picks: list[int]) -> None:
        """Some choices, each with the marks of the machine: the same choice on a clone gives the same state."""
        for pick in picks:
            if self.state.is_over:
                break
            twin = self.state.clone()
            self.state.choose(pick % len(self.state.options))
            twin.choose_key(self.state.history[-1].key)
            assert twin.vector == self.state.vector
            self.path.append(self.state.clone())

    @precondition(lambda self: len(self.path) > 1)
    @rule(back=st.integers(1, 8))
    def take_back(self, back: int) -> None:
        for _ in range(min(back, len(self.path) - 1)):
            self.state.undo()
            self.path.pop()
        assert same(self.state, self.path[-1])

    @precondition(lambda self: self.path)
    @rule()
    def save(self) -> None:
        restored = self.game.restore(self.state.to_bytes())
        assert same(restored, self.state)
        self.state = restored

    @precondition(lambda self: self.path)
    @rule()
    def replay(self) -> None:
        again = self.game.replay(self.state.seed, [choice.key for choice in self.state.history])
        assert same(again, self.state)
        assert same(self.game.replay_log(read_log(self.state.log())), self.state)

    @precondition(lambda self: self.path)
    @rule(wrong=st.one_of(st.integers(max_value=-1), st.integers(20_001), st.just("0"), st.none(), st.booleans()))
    def err(self, wrong: object) -> None:
        before = self.state.vector.copy()
        for call in (self.state.choose, self.state.choose_key, self.state.view, self.state.resample, self.state.record):
            try:
                call(wrong)  # type: ignore[operator]
            except PlayError:
                continue
            raise AssertionError(f"{call} took {wrong!r}")
        assert self.state.vector == before

    @invariant()
    def cards_are_kept(self) -> None:
        if self.path:
            assert state_invariants.lost_cards(Table(self.game.program, self.state.vector)) is None

    def teardown(self) -> None:
        """All the way back to the root."""
        if self.path:
            while len(self.state):
                self.state.undo()
            assert self.state.vector == self.game.new(self.state.seed).vector
            assert self.path[0].vector == self.state.vector


Steps.TestCase.settings = settings(PROFILE, max_examples=40 * DEPTH, stateful_step_count=12)
TestSteps = Steps.TestCase
