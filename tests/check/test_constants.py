"""What constant expressions come to, and what they cannot be."""

from __future__ import annotations

import pytest

from rulerun.check.declarations.constant_text import text_of
from rulerun.check.declarations.constants import Constant, ConstantScope, evaluate
from rulerun.ir.types import BOOL, INT, PLAYER, ArrayType, EnumType, IntType, OptionalType, RangeKey, SetType
from rulerun.source.diagnostic import Diagnostics, ToldError
from rulerun.source.text import Piece, Source
from rulerun.syntax import parse_expression

PARTS = {
    "options": "{five: {default: 5}, on: {default: true}, trump: {default: blue, type: Colour}}",
    "types": "{Colour: [red, blue, green], Size: {ordered: [small, middle, big]}, Mood: [blue, gay]}",
    "tables": "{worth: {of: Colour, red: 7, else: 2}, grid: {of: [Colour, 2..3], else: {2: 1, 3: 4}}}",
    "cards": "{face: {number: int, cost: int per Colour, likes: set of Colour, size: Size, other: Colour or none},"
    " deck: [{number: 3, cost: {blue: 4}, likes: [red, green], size: middle}]}",
}


class Row:
    """The fields of one card."""

    def __init__(self, symbols) -> None:
        self.values = {c.name: Constant(c.type, c.values) for c in symbols.fields_data}

    def get(self, name: str) -> Constant | None:
        return self.values.get(name)

    def names(self) -> list[str]:
        return list(self.values)


@pytest.fixture
def scope(declared) -> ConstantScope:
    symbols = declared(players=3, **PARTS)
    return ConstantScope(symbols, Diagnostics(), Row(symbols), place="here", later=frozenset(["stock"]))


def value_of(text: str, scope: ConstantScope) -> object:
    expr = parse_expression(Piece.whole(Source("text", text)), scope.found)
    value = evaluate(expr, scope)
    match value.type:
        case IntType():
            return value.value
        case t if t == BOOL:
            return bool(value.value)
        case _:
            return text_of(value, scope.symbols)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3 - 4", 3),
        ("-7 // 2", -4),
        ("2 ** 3 ** 2 - -2 ** 2", 516),
        ("2 * 3 ** 2", 18),
        ("-7 % 3", 2),
        ("-(number + five)", -8),
        ("min(number, 2) + max(4, five)", 7),
        ("5 if number % 10 == 5 else 1", 1),
        ("number == 3 and not on or false", False),
        ("not on", False),
        ("on == true", True),
        ("number in 1..3", True),
        ("number not in {1, 2, 4}", True),
        ("number in {1, 3}", True),
        ("trump == blue", True),
        ("blue == trump", True),
        ("trump in {red, green}", False),
        ("trump in {blue}", True),
        ("gay in {blue, gay}", True),
        ("red in likes", True),
        ("blue in likes", False),
        ("trump not in likes", True),
        ("size < big", True),
        ("middle >= size", True),
        ("order(size) + order(big)", 3),
        ("cost[blue]", 4),
        ("cost[trump] + card.cost[red]", 4),
        ("worth[red] + worth[trump]", 9),
        ("grid[red, 3]", 4),
        ("count(likes)", 2),
        ("count(players)", 3),
        ("count(Colour)", 3),
        ("sum(cost[c] for c in Colour)", 4),
        ("sum(i * j for i in 1..3 for j in 1..i where i != j)", 11),
        ("count(c for c in likes where c != red)", 1),
        ("some(c == green for c in likes)", True),
        ("every(c == green for c in likes)", False),
        ("min(worth[c] for c in Colour)", 2),
        ("max(worth[c] for c in Colour)", 7),
        ("max(worth[c] for c in likes where c == blue) or else 9", 9),
        ("same(worth[c] for c in Colour)", False),
        ("distinct(worth[c] for c in Colour)", 2),
        ("other is none", True),
        ("other == none", True),
        ("trump is some", True),
        ("trump is not none", True),
        ("likes is empty", False),
        ("likes union {blue}", "red blue green"),
        ("likes common {red, blue}", "red"),
        ("likes without {red}", "green"),
        ("likes == {green, red}", True),
        ("Colour without likes", "blue"),
        ("other", ""),
        ("none", ""),
        ("cost", "4 blue"),
        ("size", "middle"),
        ("(red if on else green)", "red"),
        ("{small, big}", "small big"),
    ],
)
def test_values(scope: ConstantScope, text: str, value: object) -> None:
    assert value_of(text, scope) == value
    assert list(scope.found) == []


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("numbr + 1", "RR0310", "nothing is called `numbr` here"),
        ("trump == bleu", "RR0310", "Colour has no value `bleu`"),
        ("trump == small", "RR0310", "`small` is no Colour, it is a Size"),
        ("blue", "RR0310", "`blue` is a value of Colour and of Mood: which is meant cannot be told here"),
        ("card.numbr", "RR0310", "a card has no field `numbr`"),
        ("trump.number", "RR0311", "only `card` has fields here"),
        ("count(stock)", "RR0311", "`stock` cannot be read here: it has no value before a game begins"),
        ("top of stock", "RR0311", "this cannot be worked out before a game begins, as it must here"),
        ("knows(1, 2)", "RR0311", "`knows` cannot be called here"),
        ("next(1)", "RR0305", "`next` wants a value of a type here"),
        ("number is a card", "RR0311", "`is a card` cannot be asked here"),
        ("sum(i for i in number)", "RR0311", "only enums, ranges and sets can be gone through here"),
        ("1 // (number - 3)", "RR0312", "this divides by zero"),
        ("1 % 0", "RR0312", "this divides by zero"),
        ("2 ** -1", "RR0312", "an exponent of -1 gives no whole number"),
        ("2 ** 31", "RR0312", "2 ** 31 is out of range: numbers go from -2147483648 to 2147483647"),
        ("7 ** 2147483647", "RR0312", "7 ** 2147483647 is out of range: numbers go from -2147483648 to 2147483647"),
        ("2147483647 + 1", "RR0312", "2147483648 is out of range: numbers go from -2147483648 to 2147483647"),
        ("-2147483647 - 2", "RR0312", "-2147483649 is out of range: numbers go from -2147483648 to 2147483647"),
        ("grid[red, 4]", "RR0312", "4 is outside 2..3"),
        ("min(i for i in 2..1)", "RR0312", "`min` of nothing has no value"),
        ("number + trump", "RR0305", "a whole number is wanted here, and this is a Colour"),
        ("number and on", "RR0305", "true or false is wanted here, and this is a whole number"),
        ("number == trump", "RR0305", "a whole number cannot be compared with a Colour"),
        ("cost == cost", "RR0305", "lists of values cannot be compared; compare their elements"),
        ("trump < green", "RR0305", "a Colour is neither more nor less than another"),
        ("none < none", "RR0305", "none is neither more nor less than another"),
        ("number + none", "RR0305", "a whole number is wanted here, and this is none"),
        ("number in trump", "RR0305", "a set or a range is wanted after `in`"),
        ("number in likes", "RR0305", "a whole number cannot be in a set of Colour"),
        ("{number}", "RR0305", "a set holds values of an enum, and this is a whole number"),
        ("{red, small}", "RR0310", "`small` is no Colour, it is a Size"),
        ("{}", "RR0305", "what this empty set would hold cannot be told here"),
        ("likes union number", "RR0305", "`union` joins two sets of one type"),
        ("number[1]", "RR0305", "only a table or a field with keys can be read with `[...]`"),
        ("grid[red]", "RR0305", "2 keys are wanted here, not 1"),
        ("order(trump)", "RR0305", "`order` wants an ordered enum here"),
        ("count(3)", "RR0305", "`count` wants a set here"),
    ],
)
def test_what_constants_cannot_be(scope: ConstantScope, text: str, code: str, message: str) -> None:
    with pytest.raises(ToldError):
        value_of(text, scope)
    assert [(d.code, d.message) for d in scope.found] == [(code, message)]


def test_work_is_bounded(scope: ConstantScope) -> None:
    with pytest.raises(ToldError):
        value_of("count(a for a in 1..1000000000 where a == 0)", scope)
    assert [d.code for d in scope.found] == ["RR0312"]


def test_constants_in_words(scope: ConstantScope) -> None:
    colour = EnumType("Colour", ("red", "dark_blue"))
    words = [
        text_of(Constant(INT, (-3,)), scope.symbols),
        text_of(Constant(BOOL, (1,)), scope.symbols),
        text_of(Constant(colour, (1,)), scope.symbols),
        text_of(Constant(OptionalType(colour), (-1,)), scope.symbols),
        text_of(Constant(PLAYER, (1,)), scope.symbols),
        text_of(Constant(SetType(colour), (3,)), scope.symbols),
        text_of(Constant(ArrayType(BOOL, colour), (0, 1)), scope.symbols),
        text_of(Constant(ArrayType(INT, RangeKey(5, 6)), (7, 0)), scope.symbols),
        text_of(Constant(ArrayType(colour, colour), (1, 0)), scope.symbols),
    ]
    assert words == [
        "-3",
        "yes",
        "dark blue",
        "",
        "P2",
        "red dark blue",
        "dark blue",
        "7 5",
        "dark blue red red dark blue",
    ]
