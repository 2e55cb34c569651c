"""Comparing the native executor with the reference: every word and every option after every decision."""

from __future__ import annotations

from random import Random

from rulerun.facts.faults import RulesFault
from rulerun.ir.program import Program
from rulerun.native.machine import NativeMachine
from rulerun.play.simulate import Faulted, Played, game_seed, play_out
from rulerun.run.machine import Machine


def place(fault: RulesFault) -> tuple[str, object]:
    """What a fault is known by."""
    return fault.code, fault.origin


def outcome(action: object) -> tuple[str, object] | None:
    """The fault that an action ends in; None if it ends well."""
    try:
        action()  # type: ignore[operator]
    except RulesFault as fault:
        return place(fault)
    return None


class Pair:
    """Both executors of one program."""

    def __init__(self, program: Program) -> None:
        self.reference = Machine(program)
        self.native = NativeMachine(program)

    def begin(self, seed: int) -> bool:
        """Starts a game in both; False if it is faulty (in both)."""
        started: list[object] = []

        def start_reference() -> None:
            self.v = self.reference.start(seed)

        def start_native() -> None:
            self.n = self.native.start(seed)

        started = [outcome(start_reference), outcome(start_native)]
        assert started[0] == started[1], (seed, started)
        if started[0] is None:
            self.compare()
        return started[0] is None

    def compare(self) -> int:
        """Vectors, options and results are the same; how many options there are."""
        differing = [(i, a, b) for i, (a, b) in enumerate(zip(self.v, self.n, strict=True)) if a != b]
        assert not differing, f"word, reference, native: {differing[:8]}"
        assert self.native.is_over(self.n) == self.reference.is_over(self.v)
        options = self.reference.options(self.v)
        mine = self.native.options(self.n)
        assert mine == options
        assert [type(option) for option in mine] == [type(option) for option in options]
        assert list(self.n) == self.v, "listing options changes the same words"
        return len(options)

    def choose(self, index: int) -> bool:
        """Takes an option in both; False if that is a fault (in both)."""
        ends = [
            outcome(lambda: self.reference.choose(self.v, index)),
            outcome(lambda: self.native.choose(self.n, index)),
        ]
        assert ends[0] == ends[1], ends
        return ends[0] is None

    def play(self, seed: int, random: Random, most: int) -> int:
        """A game, or its first ``most`` decisions, in step; how many there were."""
        if not self.begin(seed):
            return 0
        for step in range(most):
            count = self.compare()
            if not count:
                results = [outcome(lambda: self.reference.scores(self.v)), outcome(lambda: self.native.scores(self.n))]
                assert results[0] == results[1]
                if results[0] is None:
                    assert self.native.scores(self.n) == self.reference.scores(self.v)
                    assert self.native.winners(self.n) == self.reference.winners(self.v)
                return step
            if not self.choose(random.randrange(count)):
                return step
        return most

    def compare_playouts(self, first: int, count: int, seed: int) -> None:
        """Sums over whole games by random choices are those of the interpreter."""
        games = [play_out(self.reference, game_seed(seed, i)) for i in range(first, first + count)]
        sums = self.native.playouts(first, count, seed)
        played = [game for game in games if isinstance(game, Played)]
        faulted = [(first + i, game) for i, game in enumerate(games) if isinstance(game, Faulted)]
        found = [(game, self.native.fault(code, at).code, decisions) for game, code, at, decisions in sums.faults]
        assert found == [(i, game.fault.code, game.decisions) for i, game in faulted][: len(found)]
        origins = [self.native.fault(code, at).origin for _, code, at, _ in sums.faults]
        assert origins == [game.fault.origin for _, game in faulted][: len(origins)]
        assert (sums.games, sums.faulty) == (len(played), len(faulted))
        assert sums.decisions == sum(game.decisions for game in played)
        assert sums.decision_squares == sum(game.decisions**2 for game in played)
        assert sums.options == sum(game.options for game in played)
        assert sums.ties == sum(len(game.winners) > 1 for game in played)
        if played:
            assert sums.decision_range == (min(g.decisions for g in played), max(g.decisions for g in played))
            longest = max(game.decisions for game in played)
            assert game_seed(seed, sums.longest_game) == next(g.seed for g in played if g.decisions == longest)
        for seat in range(sums.players):
            scores = [game.scores[seat] for game in played]
            assert sums.score_sum(seat) == sum(scores)
            assert sums.score_squares(seat) == sum(score**2 for score in scores)
            if scores:
                assert sums.score_range(seat) == (min(scores), max(scores))
            shared = [len(game.winners) for game in played if seat in game.winners]
            assert list(sums.wins(seat)) == [shared.count(n + 1) for n in range(sums.players)]
