"""Every expression node, with the text that its span covers; what binds tighter; names that look like words."""

from __future__ import annotations

import pytest
from syntax_reading import bare, covered, expression

from rulerun.syntax import nodes as n
from rulerun.syntax.printer import show_expression

NODES = [
    ("total", n.Name),
    ("42", n.Int),
    ("true", n.Bool),
    ("none", n.NoneValue),
    ("players", n.Players),
    ("{queen, jack}", n.SetOf),
    ("{}", n.SetOf),
    ("1..7", n.Range),
    ("-x", n.Negate),
    ("not x", n.Not),
    ("a * b", n.Arithmetic),
    ("a <= b", n.Compare),
    ("a and b", n.And),
    ("a or b", n.Or),
    ("a in b", n.In),
    ("x is a player", n.Is),
    ("1 if c else 2", n.Conditional),
    ("card.rank", n.Field),
    ("hand[me]", n.Index),
    ("next(p)", n.Call),
    ("f()", n.Call),
    ("sum(c.value for c in hand[p])", n.Fold),
    ("min(x for x in y) or else 0", n.Fold),
    ("best p in players by total[p]", n.Best),
    ("first c in hand[p]", n.First),
    ("(q for q in players where q != p)", n.Generator),
    ("players after me", n.Seats),
    ("a union b", n.SetOperation),
    ("top of deck", n.End),
    ("all of hand[p]", n.AllOf),
    ("random of players", n.RandomOf),
    ("as usual", n.AsUsual),
    ("groups of hand[p] by rank", n.Groups),
    ("runs of hand[p] by rank", n.Runs),
    ("cover of hand[p] by g of 3..4 by worth(g)", n.Cover),
    ("best cover of (a union b) by g of 1..n where fits(g) or g == h by worth(g)", n.Cover),
]


@pytest.mark.parametrize(("text", "node"), NODES)
def test_a_node_covers_its_own_text(text, node) -> None:
    read = expression(f"  {text}  # remark")
    assert type(read) is node
    assert covered(read.span) == text


@pytest.mark.parametrize(
    ("text", "grouped"),
    [
        ("a or b and not c == d", "(a or (b and (not (c == d))))"),
        ("a - b - c * -d", "((a - b) - (c * (-d)))"),
        ("-as usual * 2 if not as usual else as usual", "(((-as usual) * 2) if (not as usual) else as usual)"),
        ("a + b in c union d", "((a + b) in (c union d))"),
        ("a without b common c", "((a without b) common c)"),
        ("1 + 1..n - 1", "((1 + 1)..(n - 1))"),
        ("a if b else c if d else e", "(a if b else (c if d else e))"),
        ("top of trick[p]", "(top of trick[p])"),
        ("(top of trick[p]).number", "(top of trick[p]).number"),
        ("players after next(p) + 1", "(players after (next(p) + 1))"),
        ("x is not none and y is empty", "((x is not none) and (y is empty))"),
        ("x not in y or z", "((x not in y) or z)"),
        ("best p in players where a by b or c or else d", "(best p in players where a by (b or c) or else d)"),
        ("sum(a if b else c for x in 1..9 by 2)", "sum((a if b else c) for x in (1..9 by 2))"),
    ],
)
def test_what_binds_tighter(text, grouped) -> None:
    assert bare(expression(text)) == bare(expression(grouped.replace("(1..9 by 2)", "1..9 by 2")))
    assert bare(expression(show_expression(expression(text)))) == bare(expression(text))


def test_brackets_belong_to_the_place_of_what_they_hold() -> None:
    field = expression("(top of pile).rank")
    assert covered(field.span) == "(top of pile).rank"
    assert covered(field.of.span) == "(top of pile)"
    assert covered(field.name.span) == "rank"


@pytest.mark.parametrize(
    ("text", "predicate", "negated"),
    [
        ("x is a player", "a player", False),
        ("x is not a  card", "a card", True),
        ("x is none", "none", False),
        ("x is some", "some", False),
        ("x is not empty", "empty", True),
        ("p is out", "out", False),
    ],
)
def test_is_asks(text, predicate, negated) -> None:
    read = expression(text)
    assert (read.predicate, read.negated) == (predicate, negated)


def test_a_fold_keeps_its_clauses() -> None:
    fold = expression("some(p != q for p in players where a for q in 1..3)")
    assert fold.kind.text == "some"
    assert [(c.name.text, c.where is not None) for c in fold.clauses] == [("p", True), ("q", False)]
    assert bare(fold.clauses[1].domain) == bare(expression("1..3"))


def test_plain_min_is_a_call_and_min_over_clauses_a_fold() -> None:
    assert isinstance(expression("min(a, b)"), n.Call)
    assert isinstance(expression("min(a for a in b)"), n.Fold)


def test_a_generator_given_to_a_function_needs_no_second_brackets() -> None:
    assert bare(expression("fifteens(c for c in table)")) == bare(expression("fifteens((c for c in table))"))


def test_top_n_takes_a_number_or_a_name() -> None:
    three, many = expression("top 3 of pile"), expression("bottom n of pile[p]")
    assert (three.which, three.count.value) == ("top", 3)
    assert (many.which, many.count.text) == ("bottom", "n")


def test_seats_know_how_they_go() -> None:
    assert [expression(f"players {how} me").how for how in ("after", "before", "starting  with")] == [
        "after",
        "before",
        "starting with",
    ]


@pytest.mark.parametrize(
    "name",
    ["to", "from", "by", "with", "at", "top", "bottom", "all", "random", "best", "first", "some", "any", "deal", "stop",
     "count", "hand", "times", "after", "empty", "out", "a", "of", "next", "chooses", "secretly", "Größe", "show"],
)  # fmt: skip
def test_most_words_are_names_where_a_name_is_meant(name) -> None:
    total = expression(f"{name} + {name}[{name}] + {name}({name}) + x.{name} + ({name})")
    assert show_expression(total) == f"{name} + {name}[{name}] + {name}({name}) + x.{name} + {name}"


def test_an_expression_may_span_lines() -> None:
    text = "sum(flowers(p, c)\nfor c in Colour)\n+ bonus * bouquets(p)\n\n# remark\n+ (5 if most(p)\n   else 0)\n"
    assert show_expression(expression(text)) == (
        "sum(flowers(p, c) for c in Colour) + bonus * bouquets(p) + (5 if most(p) else 0)"
    )
