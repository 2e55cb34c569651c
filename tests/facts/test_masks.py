"""Tests of cards said by sets of cards: the same value, order and fuel as card by card, whatever the test is."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulerun
from rulerun.check import compile_ruleset
from rulerun.document import read
from rulerun.facts.faults import RulesFault
from rulerun.ir import nodes as ir
from rulerun.ir.printer import Printer
from rulerun.ir.program import Program
from rulerun.ir.traverse import is_node, walk
from rulerun.ir.verifier import verify
from rulerun.run.machine import Machine
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.files import Folder
from rulerun.source.text import Source

HOST = """\
rulerun: 1
game: Masks
players: 3
types:
  Colour: [red, green, blue]
cards:
  face: {colour: Colour, number: int, thorns: set of Colour, worth: int}
  name: "{colour} {number}"
  deck:
    - {each: {number: 1..5}, colour: red, thorns: [red, blue], worth: "number * number"}
    - {each: {number: 1..5}, colour: green, thorns: [green], worth: "number * 100000"}
    - {each: {number: 1..5}, colour: blue, worth: "0 - number"}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  pool: {kind: hand, seen_by: everyone}
  row: {kind: row, seen_by: everyone}
  hand: {kind: hand, per: player, seen_by: everyone}
state:
  total: int
  wanted: int
  colours: set of Colour
  kept: Card or none
  group: Cards
  counts: int per Player
functions:
  likes(Card c, Player p): c.number == counts[p]
  odd_one(Card c): c.number % 2 == 1
  lonely(Card c, Player p): c.colour == red and count(d for d in pool where d.number == counts[p]) < 2
  high(Card c): |
    if c.number > 3: return true
    c.colour == blue
rules:
  play: |
    let me = first p in players where true
    move all of deck to pool
    move (c for c in pool where c.number == 5) to row
    move (c for c in pool where c.worth == 400000 or c.worth == 1) to hand[me]
    group = (c for c in pool where c.number < 4)
    colours = {green, blue}
    counts[me] = 4
    wanted = 3
    KEPT
    total = EXPRESSION
    me chooses c from pool where TEST as "take {c}": total += 2
    otherwise: total += 1
result:
  score(Player p): "total"
  winner: [highest score]
"""


def program(expression: str, test: str = "true", kept: str = "wanted = 3") -> Program:
    found = Diagnostics()
    text = HOST.replace("EXPRESSION", expression).replace("TEST", test).replace("KEPT", kept)
    ruleset = read(Source("masks.yaml", text), folder=Folder(None), found=found)
    made = compile_ruleset(ruleset, 3, found) if ruleset is not None else None
    assert made is not None, [d.message for d in found]
    return made


def said(program: Program) -> list[str]:
    """Each annotation of the rule `play`, as text."""
    printer = Printer(program, annotated=True)
    parts: list[str] = []
    for node in walk(program.blocks):
        match node:
            case ir.Fold(sets=sets) | ir.FilteredDomain(sets=sets) if sets is not None:
                parts.append(printer.expr(sets))
            case ir.Line(sifted=ir.Sifted() as sifted):
                parts.append(printer.sifted(sifted))
    return parts


def outcome(program: Program, *, plain: bool) -> tuple[object, ...]:
    """What the rules come to, and what is offered; or where they break down."""
    machine = Machine(program, plain=plain)
    try:
        vector = machine.start(1)
        return tuple(vector), tuple((option.line, option.values) for option in machine.options(vector))
    except RulesFault as fault:
        return fault.code, fault.message, fault.origin


# ------------------------------------------------------------------ what is said


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("count(c for c in pool)", "count(pool)"),
        ("count(c for c in pool where c.number == 3)", "size((cards(pool) common {2, 7, 12}))"),
        (
            "count(c for c in pool where c.number <= wanted)",
            "size((cards(pool) common cards[v[9] from 0 of {}, {0, 5, 10}, {0-1, 5-6, 10-11}, {0-2, 5-7, 10-12}, "
            "{0-3, 5-8, 10-13}, {0-14}, {0-14}]))",
        ),
        ("count(c for c in row where c.number > 4)", "size((cards(row) common {4, 9, 14}))"),
        (
            "count(c for c in pool where c.colour in colours)",
            "size((cards(pool) common cards[all of v[10] of {0-4}, {5-9}, {10-14}]))",
        ),
        ("count(c for c in pool where c in hand[me])", "size((cards(pool) common cards(hand[v[17]])))"),
        (
            "count(c for c in group where c.colour == red and wanted > 2)",
            "size((v[12] common ({0-4} if (v[9] > 2) else {})))",
        ),
        ("sum(c.number for c in pool)", "sum(cards(pool) of [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5])"),
        (
            "sum(c.number * total for c in pool where c.colour == red)",
            "sum((l4.number * v[8]) for l4 in (cards(pool) common {0-4}))",
        ),
        (
            "max(c.number * total for c in pool where c.colour == red)",
            "max((l4.number * v[8]) for l4 in (cards(pool) common {0-4}))",
        ),
    ],
)
def test_a_fold_is_said_by_sets(expression: str, expected: str) -> None:
    assert expected in said(program(expression))


@pytest.mark.parametrize(
    "expression",
    [
        "count(c for c in pool where c.number * 1000000000 > wanted)",  # may be a fault
        "count(c for c in pool where 6 // wanted == c.number)",
        "count(c for c in pool where 2 ** wanted == c.number)",
        "count(c for c in pool where some(d.number == c.number for d in row))",  # looks at other cards
        "count(c for c in pool where c.worth > wanted)",  # values too far apart for a table
        "sum(c.number for c in row)",  # in the order of the row
        "count(s for s in subsets(row, 2))",
    ],
)
def test_a_fold_that_is_not_said_by_sets(expression: str) -> None:
    made = program(expression)
    folds = [node for node in walk(made.blocks) if isinstance(node, ir.Fold) and "total" not in str(node)]
    assert [fold.sets for fold in folds if fold.kind in (ir.FoldKind.SUM, ir.FoldKind.COUNT)][:1] == [None]


def test_a_variable_that_is_there_is_looked_at_without_fear_of_none() -> None:
    made = program("count(c for c in pool where kept is none or c.colour == kept.colour)")
    expected = "size((cards(pool) common (all if (v[11] == -1) else cards[(v[11] max 0).colour from -1 of"
    assert any(text.replace("{0-14}", "all").startswith(expected) for text in said(made)), said(made)
    assert verify(made) == []


def test_a_value_that_is_one_of_two_is_said_by_sets() -> None:
    made = program("count(c for c in pool where (wanted if c.colour == red else c.number) == 3)")
    assert any("({0-4} common ({0-14} if (v[9] == 3) else {}))" in text for text in said(made)), said(made)


def test_what_a_choice_offers_is_said_by_sets() -> None:
    made = program("0", "c.number == wanted and c.number * total < 9")
    assert said(made)[-1].startswith(" = [(cards(pool) common cards[v[9] from 0 of")
    assert said(made)[-1].endswith(" where ((l4.number * v[8]) < 9)]")


def test_locals_of_a_function_that_is_put_in_are_new() -> None:
    """`lonely` counts cards, and stands where another fold runs already."""
    made = program("sum(count(c for c in pool where lonely(c, me)) for d in pool where d.number > 1)")
    assert verify(made) == []
    play = next(procedure for procedure in made.procedures if procedure.name == "play")
    bound = {node.local for node in walk(made.blocks) if isinstance(node, ir.Fold | ir.FilteredDomain)}
    assert max(bound) < len(play.locals)


# ------------------------------------------------------------ the same as by loops

NUMBERS = st.sampled_from(["c.number", "wanted", "counts[me]", "0", "3", "c.worth", "total - 2"])
TRUTHS = st.one_of(
    st.tuples(NUMBERS, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), NUMBERS).map(" ".join),
    st.sampled_from(
        [
            "c.colour in colours", "c.colour not in colours", "red in c.thorns", "c in hand[me]", "c in pool",
            "likes(c, me)", "odd_one(c)", "high(c)", "lonely(c, me)", "kept is none", "some(d == c for d in row)",
            "count(hand[me]) > 1", "every(d.number > 1 for d in group)", "c in group", "c.colour == red",
            "6 // (wanted - 2) == c.number", "2 ** (wanted - 1) == c.number", "2 ** c.number > wanted * 4",
            "some(k in c.thorns for k in colours)", "(kept is a card and c == kept)",
            "(kept is a card and c.colour == kept.colour)", "c.number in {3, 5}",
            "(kept is none or high(kept) or c.colour == kept.colour)", "(wanted if odd_one(c) else c.number) == 3",
        ]
    ),
)  # fmt: skip
TESTS = st.recursive(
    TRUTHS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from([" and ", " or "]), inner).map(lambda parts: f"({''.join(parts)})"),
        inner.map(lambda test: f"not ({test})"),
        st.tuples(inner, inner, inner).map(lambda parts: f"({parts[0]} if {parts[1]} else {parts[2]})"),
    ),
    max_leaves=5,
)
FOLDS = st.sampled_from(
    [
        "count(c for c in FROM where TEST)",
        "(1 if some(TEST for c in FROM) else 0)",
        "(1 if every(TEST for c in FROM) else 0)",
        "(1 if every(OTHER for c in FROM where TEST) else 0)",
        "(first c in FROM where TEST or else bottom of hand[me]).number",
        "sum(c.number for c in FROM where TEST)",
        "sum(c.worth for c in FROM where TEST and OTHER)",
        "(max(c.number + counts[me] for c in FROM where TEST) or else 0)",
        "(best c in FROM where TEST by c.number or else bottom of hand[me]).worth",
        "distinct(c.colour for c in FROM where TEST)",
        "count(d for d in (c for c in FROM where TEST) where d.number > wanted)",
        "count((c for c in FROM where TEST) union hand[me])",
        "sum(count(c for c in FROM where TEST and d.number > 2) for d in pool)",
    ]
)


@given(
    FOLDS, TESTS, TESTS, TESTS, st.sampled_from(["pool", "row", "group", "hand[me]"]),
    st.sampled_from(["wanted = 3", "kept = first c in pool where true", "wanted = 2"]),
)  # fmt: skip
@settings(max_examples=30 * int(os.environ.get("RULERUN_DEEP", "1")))
def test_by_sets_it_is_the_same_as_card_by_card(
    fold: str, test: str, other: str, offered: str, cards: str, kept: str
) -> None:
    expression = fold.replace("FROM", cards).replace("TEST", test).replace("OTHER", other)
    made = program(expression, offered, kept)
    assert verify(made) == []
    assert outcome(made, plain=False) == outcome(made, plain=True)
    assert_burns_alike(made)


# ------------------------------------------------------------------------- fuel


def assert_burns_alike(program: Program) -> None:
    """Whatever burns fuel in an annotation stands in what it says again, too."""
    burning = {number for number, f in enumerate(program.functions) if any(block.fuel for block in f.blocks)}

    def burns(node: object) -> bool:
        if isinstance(node, ir.CallFunction):
            return node.function in burning
        return bool(getattr(node, "fuel", 0))

    for node in walk((program.blocks, tuple(function.blocks for function in program.functions))):
        match node:
            case ir.Fold(sets=sets) | ir.FilteredDomain(sets=sets) if sets is not None:
                original = list(unannotated(node))
                assert all(part in original for part in walk(sets) if burns(part))
            case ir.Line(sifted=ir.Sifted() as sifted):
                original = list(unannotated(node))
                assert all(part in original for part in walk(sifted) if burns(part))


def unannotated(node: object) -> Iterator[object]:
    """Every node of a part of the IR, annotations left out but for those of what is inside."""
    yield from (part for slot in type(node).__slots__ if slot not in ("sets", "sifted")  # type: ignore[attr-defined]
                for part in walk(getattr(node, slot)) if is_node(part))  # fmt: skip


@pytest.mark.parametrize("name", ["hearts", "klaverjassen", "skat", "cribbage", "scopa", "gin_rummy", "schwimmen"])
def test_annotations_of_a_game_burn_what_the_rules_burn(name: str) -> None:
    made = rulerun.load(name).program
    assert verify(made) == []
    assert_burns_alike(made)
