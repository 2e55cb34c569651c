"""Whole trees of small games against OpenSpiel: node for node counts, information states, results, and game values.

The values come from a solver over our information states (`solver`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path

import pyspiel
import pytest
from solver import bounds

import rulerun
from rulerun.play.trees import Chance, Decision, Node, figures, grow, nodes
from rulerun.testing import conforms

TINY_HANABI = Path(__file__).parent / "tiny_hanabi.yaml"
GOOFSPIEL = {"cards_each": 4, "prize_order": "falling", "last_by_itself": True}
HIDDEN = "goofspiel(num_cards=4,imp_info=True,points_order=descending,returns_type=point_difference)"


def tree_of(name: str, players: int, variants: tuple[str, ...] = (), **options: object) -> Node:
    return grow(rulerun.load(name, players=players, variants=variants, options=options))


def their_results(text: str) -> Counter[tuple[float, ...]]:
    """How often each result stands at an end of OpenSpiel's tree."""
    game = pyspiel.load_game(text)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    results: Counter[tuple[float, ...]] = Counter()
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if state.is_terminal():
            results[tuple(state.returns())] += 1
        else:
            waiting += [state.child(action) for action in state.legal_actions()]
    return results


@pytest.mark.parametrize(
    ("name", "players", "counts", "theirs"),
    [
        ("kuhn", 2, (4, 24, 30, 12), "kuhn_poker"),
        ("kuhn", 3, (17, 288, 312, 48), "kuhn_poker(players=3)"),
        ("leduc", 2, (157, 3780, 5520, 936), "leduc_poker"),
    ],
)
def test_the_whole_tree(name, players, counts, theirs):
    found = figures(tree_of(name, players))
    assert (found.chances, found.decisions, found.ends, found.states) == counts
    assert found.scores == their_results(theirs)


def test_the_whole_tree_of_goofspiel():
    found = figures(tree_of("goofspiel", 2, ("hidden bids",), **GOOFSPIEL))
    assert (found.chances, found.decisions, found.ends, found.states) == (0, 501, 576, 162)
    halved = Counter({((a - b) / 2, (b - a) / 2): 0 for a, b in found.scores})
    for (a, b), times in found.scores.items():
        halved[(a - b) / 2, (b - a) / 2] += times
    assert halved == their_results(HIDDEN)


def test_the_whole_tree_of_tiny_hanabi():
    """Two play together, and each knows the own card. No shipped ruleset: it is told in `tiny_hanabi.yaml`."""
    conforms(TINY_HANABI)
    found = figures(grow(rulerun.load(TINY_HANABI)))
    assert (found.chances, found.decisions, found.ends, found.states) == (3, 16, 36, 8)
    assert found.scores == their_results("tiny_hanabi")


def test_the_value_of_tiny_hanabi():
    """10, which is reached only if the first word tells the first card (Foerster and others 2019)."""
    root = grow(rulerun.load(TINY_HANABI))
    firsts = sorted({node.state for node in nodes(root) if isinstance(node, Decision) and node.seat == 0})
    values = {}
    for words in product(range(3), repeat=len(firsts)):
        said = dict(zip(firsts, words, strict=True))
        answers: defaultdict[str, list[Fraction]] = defaultdict(lambda: [Fraction(0)] * 3)
        for chance, last in meetings(root, said):
            ends = [child.scores[0] for child in last.children]
            answers[last.state] = [sum_ + chance * end for sum_, end in zip(answers[last.state], ends, strict=True)]
        values[words] = sum(max(each) for each in answers.values())
    assert max(values.values()) == 10
    assert {words for words, value in values.items() if value == 10} <= {(0, 2), (2, 0)}


def meetings(node: Node, said: dict[str, int], chance: Fraction = Fraction(1)) -> Iterator[tuple[Fraction, Decision]]:
    """The second seat's decisions, and how likely each is if the first seat's words are settled."""
    match node:
        case Chance(outcomes):
            for probability, after in outcomes:
                yield from meetings(after, said, chance * probability)
        case Decision(seat=0):
            yield from meetings(node.children[said[node.state]], said, chance)
        case Decision():
            yield chance, node


def test_open_bids_tell_more():
    """With open bids every position is an information state of its own, but for the bid that is not yet told."""
    found = figures(tree_of("goofspiel", 2, **GOOFSPIEL))
    assert (found.decisions, found.ends) == (501, 576)
    assert found.states == 2 * (1 + 16 + 144)


def test_chance_adds_up():
    root = tree_of("kuhn", 2)
    assert isinstance(root, Chance)
    assert [probability for probability, _ in root.outcomes] == [Fraction(1, 3)] * 3


def test_the_value_of_kuhn_poker():
    """-1/18 for who speaks first (Kuhn 1950)."""
    low, high = bounds(tree_of("kuhn", 2), 400)
    assert low <= -1 / 18 <= high
    assert high - low < 0.002


def test_the_value_of_leduc_poker():
    """-0.0856 for who speaks first, as OpenSpiel's solvers find."""
    low, high = bounds(tree_of("leduc", 2), 60)
    assert low <= -0.085606 <= high
    assert high - low < 0.1
