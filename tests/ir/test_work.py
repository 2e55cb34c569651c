"""Where work is counted, and how much: what is short is not, what may be long is, for each element of its domain."""

from __future__ import annotations

import pytest

import rulerun
from costly_rules import ALL, Costly
from rulerun.facts.fuel import MOST_WEIGHT, weigh
from rulerun.ir import nodes as ir
from rulerun.ir.program import Program
from rulerun.ir.traverse import walk


def made(body: str, functions: str = "nothing(): 0", last: int = 20) -> Program:
    return Costly(body, "", functions, last=last).program()


def weights(program: Program, kind: type = ir.Fold) -> list[int]:
    texts = (program.blocks, *(function.blocks for function in program.functions))
    return [node.weight for node in walk(texts) if isinstance(node, kind)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("total = count(c for c in pool where c.number > 3)", [0]),
        ("total = sum(c.number for c in pool)", [0]),
        # 60 cards, 37 small operations each: 2,220 are more than 2,048, and 37 are 2 units.
        ("total = sum(" + " + ".join(["c.number"] * 12) + " for c in pool)", [2]),
        # The inner fold is 60 times 9 operations, short by itself; for each outer card it is 34 units.
        ("total = count(c for c in pool where some(c.number + d.number == 99 for d in pool))", [34, 0]),
        # By masks it is a few operations whatever the cards are.
        ("total = count(c for c in pool where some(c.number == d.number for d in pool))", [0, 0]),
        ("total = count(a for a in Colour for b in Colour where a == b)", [0, 0]),
        ("total = count(n for n in 1..60)", [0]),
        ("total = count(n for n in 1..total)", [1]),
        ("total = count(s for s in subsets(pool, 2))", [1]),
    ],
)
def test_weights_of_folds(body: str, expected: list[int]) -> None:
    assert weights(made(body))[1:] == expected  # the first fold is that of the host


def test_sets_that_are_small_by_their_size_are_reckoned_so() -> None:
    body = "total = best cover of row by g of 3..SIZE where fits(g) by 1"
    fits = "fits(Cards g): max(c.number * 2 for c in g) - min(c.number * 2 for c in g) == 2"
    assert weights(made(body.replace("SIZE", "4"), fits), ir.Cover) == [4]
    assert weights(made(body.replace("SIZE", "8"), fits), ir.Cover) == [7]


def test_blocks_are_counted_if_all_in_them_is_much() -> None:
    """A shuffle of sixty cards is some 250 operations, two are some 500: 31 units."""
    assert max(weights(made("shuffle stock"), ir.Block)) == 0
    assert max(weights(made("shuffle stock\nshuffle stock"), ir.Block)) == 31


def test_a_choice_is_counted_only_where_it_may_lead_to_no_decision() -> None:
    test = " where sum(c.number * d.number for d in pool) > 99"
    assert weights(made(f'me chooses c from pool{test} as "{{c}}"'), ir.Choose) == [0]
    assert weights(made(f'me may choose c from pool{test} as "{{c}}": total = 1'), ir.Choose) == [0]
    assert weights(made(f'me chooses c from pool{test}: total = 1\notherwise: total = 2'), ir.Choose) == [1597]


def test_no_weight_is_beyond_what_a_fault_takes() -> None:
    functions = "\n".join(["f0(int n): n", *(f"f{i}(int n): f{i - 1}(n) + f{i - 1}(n + 1)" for i in range(1, 21))])
    program = made("total = f20(1)", functions)
    heaviest = [max(block.weight for block in function.blocks) for function in program.functions]
    assert max(heaviest) <= MOST_WEIGHT
    assert heaviest[0] == 0


def test_weighing_again_changes_nothing() -> None:
    for name in ("kuhn", "ouch", "cribbage"):
        program = rulerun.load(name).program
        assert weigh(program) == program


def test_most_of_a_game_is_not_counted() -> None:
    program = rulerun.load("whist").program
    assert weights(program) == [0] * len(weights(program))
    heavy = [weight for weight in weights(program, ir.Block) if weight]
    assert len(heavy) <= 6 < len(program.blocks) // 4


def test_more_cards_weigh_more() -> None:
    body = ALL + "total = sum(c.number + total for c in pool)"
    assert weights(made(body))[1:] == [0]
    assert weights(made(body, last=330))[1:] == [1]
