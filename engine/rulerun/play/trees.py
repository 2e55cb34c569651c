"""The whole tree of a small game: every chance, every choice, every end. For exact figures, solvers and tests.

Positions are named by information states, so that a solver sees what the seats see. A tree is grown at once and held
in memory; `grow` refuses one that gets too large. Imports game and what lies below it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from rulerun.game import Game
from rulerun.source.diagnostic import UsageError
from rulerun.view.table import Table

MOST_NODES = 1_000_000


@dataclass(frozen=True, slots=True)
class Chance:
    """What chance may bring, with its probability (they add up to 1)."""

    outcomes: tuple[tuple[Fraction, Node], ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice of a seat. ``state`` is its information state, ``keys`` name the options in their order."""

    seat: int
    state: str
    keys: tuple[tuple[int, ...], ...]
    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class End:
    """The end of a game, with the score of each seat."""

    scores: tuple[int, ...]


Node = Chance | Decision | End


@dataclass(frozen=True, slots=True)
class Figures:
    """What a tree holds. ``states`` counts the information states in which somebody chooses."""

    chances: int
    decisions: int
    ends: int
    states: int
    scores: Counter[tuple[int, ...]]


def grow(game: Game, most: int = MOST_NODES) -> Node:
    """The tree of a game from its start. Raises `UsageError` if it has more than ``most`` nodes, `RulesFault` where
    the rules break down. Depth is bounded by the interpreter's stack: some hundred choices."""
    machine = game.chancer
    left = most

    def node(v: list[int]) -> Node:
        nonlocal left
        left -= 1
        if left < 0:
            raise UsageError(f"the tree of {game.name} has more than {most} nodes")
        machine.log.clear()
        if machine.is_over(v):
            return End(machine.scores(v))
        outcomes = machine.outcomes(v)
        if outcomes:
            total = sum(weight for _, weight in outcomes)
            return Chance(tuple((Fraction(w, total), node(settled(v, i))) for i, (_, w) in enumerate(outcomes)))
        seat = machine.chooser(v)
        options = machine.options(v)
        keys = tuple(machine.key(v, option) for option in options)
        state = f"P{seat + 1}:{Table(game.program, v).digest(seat):016x}"
        return Decision(seat, state, keys, tuple(node(chosen(v, i)) for i in range(len(options))))

    def settled(v: list[int], index: int) -> list[int]:
        after = v.copy()
        machine.settle(after, index)
        return after

    def chosen(v: list[int], index: int) -> list[int]:
        after = v.copy()
        machine.choose(after, index)
        return after

    return node(machine.start(0))


def nodes(root: Node) -> Iterator[Node]:
    """All nodes of a tree, each before its children."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        match node:
            case Chance(outcomes):
                waiting.extend(child for _, child in reversed(outcomes))
            case Decision(children=children):
                waiting.extend(reversed(children))
            case End():
                pass


def figures(root: Node) -> Figures:
    """Counts the nodes of a tree by their sort, its information states, and how often each result stands at an end."""
    chances = decisions = ends = 0
    states: set[str] = set()
    scores: Counter[tuple[int, ...]] = Counter()
    for node in nodes(root):
        match node:
            case Chance():
                chances += 1
            case Decision(state=state):
                decisions += 1
                states.add(state)
            case End(result):
                ends += 1
                scores[result] += 1
    return Figures(chances, decisions, ends, len(states), scores)
