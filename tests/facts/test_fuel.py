"""Where fuel is burned, and how much: what is short burns none, what may be long does, for each of its elements."""

from __future__ import annotations

import pytest

import rulerun
from costly_rules import ALL, Costly
from ir_builder import Builder
from rulerun.facts.annotate import annotate
from rulerun.facts.fuel import MOST_AT_ONCE, STEP
from rulerun.ir import nodes as ir
from rulerun.ir.program import Program
from rulerun.ir.traverse import walk
from rulerun.ir.types import BOOL, INT


def made(body: str, functions: str = "nothing(): 0", last: int = 20) -> Program:
    return Costly(body, "", functions, last=last).program()


def burned(program: Program, kind: type = ir.Fold) -> list[int]:
    """The fuel of each node of a kind, annotations left out."""
    found: list[int] = []

    def look(node: object) -> None:
        if isinstance(node, tuple):
            for part in node:
                look(part)
        elif isinstance(node, ir.Fold | ir.Cover | ir.Choose | ir.Block) or hasattr(node, "__match_args__"):
            if isinstance(node, kind):
                found.append(node.fuel)  # type: ignore[attr-defined]
            for name in node.__match_args__:
                if name not in ("sets", "sifted"):
                    look(getattr(node, name))

    look((program.blocks, tuple(function.blocks for function in program.functions)))
    return found


# ----------------------------------------------------------------------- folds


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("total = count(c for c in pool where c.number > 3)", [0]),
        ("total = sum(c.number for c in row)", [0]),
        # 60 cards, 37 small operations each: 2,220 are more than 2,048, and 37 are 2 of fuel.
        ("total = sum(" + " + ".join(["c.number"] * 12) + " for c in row)", [2]),
        # By sets of cards it is a few operations whatever the cards are.
        ("total = sum(" + " + ".join(["c.number"] * 12) + " for c in pool)", [0]),
        # The inner fold is 60 times 9 operations, short by itself; for each outer card it is 34 of fuel.
        ("total = count(c for c in pool where some(c.number + d.number == 99 for d in pool))", [34, 0]),
        ("total = count(c for c in pool where some(c.number == d.number for d in pool))", [0, 0]),
        ("total = count(a for a in Colour for b in Colour where a == b)", [0, 0]),
        ("total = count(n for n in 1..60)", [0]),
        ("total = count(n for n in 1..99)", [1]),
        ("total = count(n for n in 1..total)", [1]),
        ("total = count(s for s in subsets(pool, 2))", [1]),
    ],
)
def test_what_a_fold_burns_for_each_element(body: str, expected: list[int]) -> None:
    assert burned(made(body))[1:] == expected  # the first fold is that of the host


def test_sets_that_are_small_by_their_size_are_reckoned_so() -> None:
    body = "total = best cover of row by g of 3..SIZE where fits(g) by 1"
    fits = "fits(Cards g): max(c.number * 2 for c in g) - min(c.number * 2 for c in g) == 2"
    assert burned(made(body.replace("SIZE", "4"), fits), ir.Cover) == [4]
    assert burned(made(body.replace("SIZE", "8"), fits), ir.Cover) == [7]


def test_a_set_cut_down_is_no_larger_than_what_it_is_cut_from() -> None:
    """What is said of a small set by sets of cards is as short as the set."""
    body = "total = count(s for s in subsets(pool, 1..2) where VALUE > 9)"
    value = "sum(c.number * total * total * total * total * total * total * total for c in s where c.colour == red)"
    (outer, inner) = burned(made(body.replace("VALUE", value)))[1:]
    assert outer > 0
    assert inner == 0


def test_more_cards_burn_more() -> None:
    body = ALL + "total = sum(c.number + total for c in pool)"
    assert burned(made(body))[1:] == [0]
    assert burned(made(body, last=330))[1:] == [1]


# ----------------------------------------------------------- blocks and functions


def test_entries_and_loops_burn_a_step() -> None:
    program = made("repeat 3 times: total += 1")
    heads = [number for number, block in enumerate(program.blocks) if block.fuel]
    entries = {procedure.entry for procedure in program.procedures}
    assert all(program.blocks[number].fuel == STEP for number in heads)
    assert len(set(heads) - entries) == 1


def test_what_blocks_cost_is_gathered_along_the_way() -> None:
    """A shuffle of sixty cards is 241 operations, 15 of fuel; what stands before it in the host makes it burn."""
    fuel = [sum(burned(made("\n".join(["shuffle stock"] * times)), ir.Block)) for times in (0, 1, 2, 3)]
    assert fuel == [STEP, STEP + 16, STEP + 31, STEP + 46]
    halves = "shuffle stock\nif total > 3:\n  total = 2\nshuffle stock\nif total > 4:\n  total = 2"
    assert sum(burned(made(halves), ir.Block)) > 2 * STEP


def test_a_loop_of_a_function_burns_and_a_short_function_does_not() -> None:
    looped = "most(int n): |\n  let t = n\n  for a in 1..30:\n    t += a\n  t"
    program = made("total = most(1) + plain(2)", looped + "\nplain(int n): n + 1 if n > 3 else n")
    fuel = {function.name: [block.fuel for block in function.blocks if block.fuel] for function in program.functions}
    assert fuel["plain"] == []
    assert fuel["most"] == [STEP, STEP]  # its entry, and its loop


def test_a_choice_burns_only_where_it_may_lead_to_no_decision() -> None:
    test = " where sum(c.number * d.number for d in pool) > 99"
    assert burned(made(f'me chooses c from pool{test} as "{{c}}"'), ir.Choose) == [0]
    assert burned(made(f'me may choose c from pool{test} as "{{c}}": total = 1'), ir.Choose) == [0]
    assert burned(made(f'me chooses c from pool{test}: total = 1\notherwise: total = 2'), ir.Choose) == [1597]


def test_nothing_burns_more_at_once_than_is_a_fault() -> None:
    functions = "\n".join(["f0(int n): n", *(f"f{i}(int n): f{i - 1}(n) + f{i - 1}(n + 1)" for i in range(1, 21))])
    program = made("total = f20(1)", functions)
    heaviest = [max(block.fuel for block in function.blocks) for function in program.functions]
    assert max(heaviest) <= MOST_AT_ONCE
    assert heaviest[0] == 0


def test_a_loop_over_questions_burns_nothing() -> None:
    """After each answer all is counted anew."""
    table = Builder(2, (0, 1))
    x = table.variable("x", INT)
    entry, ask = table.reserve(), table.reserve()
    line = ir.Line(None, (), None, None, ask, 0)
    table.block([ir.Store(x, ir.Const(1, INT), 0)], ir.Jump(ask), entry)
    table.block([], ir.Choose(0, ir.Const(0, BOOL), (line,), None, False, False, False, False, 0), ask)
    assert [block.fuel for block in table.program(entry).blocks] == [0, STEP, 0]


# ------------------------------------------------------------------------ games


def test_annotating_again_changes_nothing() -> None:
    for name in ("kuhn", "ouch", "cribbage"):
        program = rulerun.load(name).program
        assert annotate(program) == program


def test_most_of_a_game_burns_nothing() -> None:
    program = rulerun.load("whist").program
    assert set(burned(program)) == {0}
    heavy = [fuel for fuel in burned(program, ir.Block) if fuel > STEP]
    assert len(heavy) <= 6 < len(program.blocks) // 4


def test_every_loop_of_a_program_made_by_hand_burns() -> None:
    table = Builder(2, (0, 1))
    x = table.variable("x", INT)
    blocks = [table.reserve() for _ in range(4)]
    for at, block in enumerate(blocks):
        onward = blocks[(at + 1) % 4]
        table.block([], ir.Branch(ir.Load(x), onward, blocks[at - 1]), block)
    ways = [block for block in walk(table.program(blocks[0]).blocks) if isinstance(block, ir.Block)]
    assert sum(block.fuel > 0 for block in ways) >= 2
