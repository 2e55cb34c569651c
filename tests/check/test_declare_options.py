"""Options, enums, types and names."""

from __future__ import annotations

import pytest

from rulerun.check.declarations.symbols import EnumSymbol, OptionSymbol, VariableSymbol
from rulerun.ir.types import BOOL, CARD, CARDS, INT, PLAYER, ArrayType, EnumType, OptionalType, SetType

COLOUR = EnumType("Colour", ("red", "blue", "green"))


def test_options_have_values_types_and_ranges(declared) -> None:
    names = declared(
        options="{enough: {default: 8, range: 1..44, about: cards}, animals: {default: true}, trump: {default: blue},"
        " first: {default: red, type: Colour}}"
    ).names
    options = {n: (s.type, s.value, s.low, s.high) for n, s in names.items() if isinstance(s, OptionSymbol)}
    assert options == {
        "enough": (INT, 8, 1, 44),
        "animals": (BOOL, 1, None, None),
        "trump": (COLOUR, 1, None, None),
        "first": (COLOUR, 0, None, None),
    }
    assert names["enough"].about == "cards"


def test_set_overrides_options_of_every_type(declared) -> None:
    names = declared(
        settings={"enough": "12", "animals": "false", "trump": "green"},
        options="{enough: {default: 8, range: 1..44}, animals: {default: true}, trump: {default: blue}}",
    ).names
    assert [names[n].value for n in ("enough", "animals", "trump")] == [12, 0, 2]


@pytest.mark.parametrize(
    ("setting", "code", "message"),
    [
        ({"enough": "45"}, "RR0306", "the option `enough` cannot be 45"),
        (
            {"enough": "red"},
            "RR0305",
            "a whole number is wanted for the option `enough` (1 to 44), and this is a Colour",
        ),
        ({"animals": "3"}, "RR0305", "true or false is wanted for the option `animals`, and this is a whole number"),
        ({"trump": "blau"}, "RR0310", "Colour has no value `blau`"),
    ],
)
def test_what_set_cannot_be_is_told_with_what_can(faults, setting, code, message) -> None:
    options = "{enough: {default: 8, range: 1..44}, animals: {default: true}, trump: {default: blue}}"
    if "trump" in setting:
        options = "{trump: {default: blue, type: Colour}}"
    (fault,) = faults(settings=setting, options=options)
    assert fault[:2] == (code, message)


def test_an_option_may_use_an_earlier_one_in_its_range(declared) -> None:
    names = declared(options="{most: {default: 9}, some_cards: {default: 3, range: 1..most}}").names
    assert (names["some_cards"].low, names["some_cards"].high) == (1, 9)


def test_enums_may_share_values(declared) -> None:
    symbols = declared(
        types="{Colour: [red, blue, green], Mood: {ordered: [blue, gay]}}", options="{a: {default: gay}}"
    )
    assert symbols.enum_values["blue"] == [COLOUR, EnumType("Mood", ("blue", "gay"), ordered=True)]
    assert isinstance(symbols.names["Mood"], EnumSymbol)


def test_types_are_what_they_say(declared) -> None:
    symbols = declared(
        players=3,
        state="{a: int, b: bool per Player, c: Player or none, d: set of Colour, e: Cards,"
        " f: int per Player per Colour,"
        " g: Card or none, h: set of Player, i: Colour or none per Player, j: bool per Card, k: set of Card}",
    )
    variables = [s for s in symbols.names.values() if isinstance(s, VariableSymbol)]
    assert [(v.name, v.type, v.offset, v.words) for v in variables] == [
        ("a", INT, 8, 1),
        ("b", ArrayType(BOOL, PLAYER), 9, 3),
        ("c", OptionalType(PLAYER), 12, 1),
        ("d", SetType(COLOUR), 13, 1),
        ("e", CARDS, 14, 1),
        ("f", ArrayType(ArrayType(INT, COLOUR), PLAYER), 15, 9),
        ("g", OptionalType(CARD), 24, 1),
        ("h", SetType(PLAYER), 25, 1),
        ("i", ArrayType(OptionalType(COLOUR), PLAYER), 26, 3),
        ("j", ArrayType(BOOL, CARD), 29, 9),
        ("k", CARDS, 38, 1),
    ]
    assert str(variables[5].type) == "int per Player per Colour"
    assert symbols.variable_words == 31


def test_state_starts_as_nothing_or_as_it_says(declared) -> None:
    symbols = declared(
        options="{stake: {default: 7}}",
        state="{a: int, b: Player or none, c: Colour, d: {type: int per Player, start: 100},"
        " e: {type: int per Colour, start: {blue: 5, green: stake + 1}}, f: {type: set of Colour, start: [red, green]},"
        " g: {type: set of Colour, start: '{blue}'}, h: {type: bool per Player, start: {2: true}},"
        " i: {type: Colour or none, start: none}, j: {type: Colour or none, start: green},"
        " k: {type: int per Colour, start: {red: 1, else: 9}}, l: {type: Colour, start: blue}}",
    )
    starts = {s.name: s.start for s in symbols.names.values() if isinstance(s, VariableSymbol)}
    assert starts == {
        "a": (0,),
        "b": (-1,),
        "c": (0,),
        "d": (100, 100),
        "e": (0, 5, 8),
        "f": (5,),
        "g": (2,),
        "h": (0, 1),
        "i": (-1,),
        "j": (2,),
        "k": (1, 9, 9),
        "l": (1,),
    }


def test_a_misspelt_type_gets_a_suggestion(faults) -> None:
    assert faults(state="{total: int per Colur}") == [("RR0303", "there is no type `Colur`", "Colur")]


@pytest.mark.parametrize(
    ("type_", "message"),
    [
        ("int or none", "`int or none` cannot be: only an enum, `Player` or `Card` may be none"),
        ("Cards or none", "`Cards or none` cannot be: only an enum, `Player` or `Card` may be none"),
        ("set of int", "`set of int` cannot be: a set holds values of an enum, players or cards"),
        ("int per int", "`per int` cannot be: the key is an enum, `Player` or `Card`"),
    ],
)
def test_types_that_cannot_be_are_refused(faults, type_, message) -> None:
    assert [fault[:2] for fault in faults(state=f"{{x: {type_}}}")] == [("RR0304", message)]


def test_a_set_takes_62_values_and_an_enum_1000(faults) -> None:
    big = ", ".join(f"v{i}" for i in range(63))
    types = f"{{Colour: [red], Big: [{big}]}}"
    (fault,) = faults(types=types, state="{x: set of Big}", cards="{deck: french52}")
    assert fault[:2] == ("RR0304", "`set of Big` cannot be: `Big` has 63 values, a set takes at most 62")
    huge = ", ".join(f"v{i}" for i in range(1001))
    (fault,) = faults(types=f"{{Colour: [red], Huge: [{huge}]}}", cards="{deck: french52}")
    assert fault[:2] == ("RR0309", "`Huge` has 1,001 values, at most 1,000 are possible")


def test_two_things_of_one_name_are_told_with_both_places(faults) -> None:
    assert faults(state="{stock: int}") == [
        ("RR0301", "`stock` is a zone already, it cannot be a state variable too", "stock")
    ]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"state": "{count: int}"}, "`count` cannot be the name of a state variable: it is a built-in function"),
        ({"state": "{next: Player}"}, "`next` cannot be the name of a state variable: it is a built-in function"),
        ({"state": "{players: int}"}, "`players` cannot be the name of a state variable: it is a word of rule text"),
        ({"state": "{move: int}"}, "`move` cannot be the name of a state variable: it is a word of rule text"),
        (
            {"types": "{Colour: [red, blue, green], Card: [a1]}"},
            "`Card` cannot be the name of a type: it is a built-in type",
        ),
    ],
)
def test_words_of_the_language_are_no_names(faults, parts, message) -> None:
    assert [fault[:2] for fault in faults(**parts)] == [("RR0302", message)]


def test_enum_values_may_be_words_of_zones(declared) -> None:
    symbols = declared(types="{Colour: [red, blue, green], Side: [left, right, top, bottom]}", state="{s: Side}")
    assert symbols.names["Side"].type.values == ("left", "right", "top", "bottom")


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (
            "{n: {default: 1.5, type: int}}",
            ("RR0305", "a whole number is wanted for the option `n`, and this is a fraction", "1.5"),
        ),
        ("{n: {default: x1}}", ("RR0307", "the type of the option `n` cannot be told from `x1`", "x1")),
        ("{n: {default: 1, type: Player}}", ("RR0307", "an option cannot be `Player`", "Player")),
        ("{n: {default: 1, range: 1..many}}", ("RR0310", "nothing is called `many` here", "many")),
        (
            "{n: {default: 9999999999}}",
            ("RR0312", "9999999999 is out of range: numbers go from -2147483648 to 2147483647", "9999999999"),
        ),
    ],
)
def test_what_is_wrong_with_options(faults, options, fault) -> None:
    assert faults(options=options) == [fault]


def test_an_enum_has_values(faults) -> None:
    told = faults(types="{Colour: [red, blue, green], Mood: []}")
    assert [fault[:2] for fault in told] == [("RR0309", "`Mood` has no values")]


CHOICES = "{way: {one_of: [left, right, ahead], default: right}}"


def test_an_option_may_list_its_values(declared) -> None:
    symbols = declared(options=CHOICES, settings={"way": "ahead"})
    way = EnumType("way", ("left", "right", "ahead"), of_option=True)
    option = symbols.names["way"]
    assert isinstance(option, OptionSymbol)
    assert (option.type, option.value, option.default, option.low) == (way, 2, 1, None)
    assert symbols.enum_values["left"] == [way]
    assert not [s for s in symbols.names.values() if isinstance(s, EnumSymbol) and s.type == way]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("{way: {one_of: [left, left], default: left}}", [("RR0309", "`left` stands twice in `way`", "left")]),
        ("{way: {one_of: [], default: left}}", [("RR0309", "`way` has no values", "way")]),
        (
            "{way: {one_of: [left, right], default: lfet}}",
            [("RR0310", "the option `way` has no value `lfet`", "lfet")],
        ),
        (
            "{way: {one_of: [left, right], default: red}}",
            [("RR0310", "`red` is not a choice of `way`, it is a Colour", "red")],
        ),
        (
            "{way: {type: Colour, one_of: [left, right], default: left}}",
            [("RR0307", "the option `way` has a `type` and lists its values by `one_of` too", "Colour")],
        ),
        (
            "{way: {one_of: [left, right], default: left, range: 1..2}}",
            [("RR0308", "the option `way` is one of some words: it has no range", "1..2")],
        ),
        (
            "{way: {one_of: [left, right], default: true}}",
            [
                (
                    "RR0305",
                    "a choice of `way` is wanted for the option `way` (left, right), and this is true or false",
                    "true",
                )
            ],
        ),
        (
            "{way: {one_of: [left, not], default: left}}",
            [("RR0302", "`not` cannot be the name of a value of `way`: it is a word of rule text", "not")],
        ),
    ],
)
def test_what_is_wrong_with_choices(faults, options, told) -> None:
    assert faults(options=options) == told


def test_the_choices_of_an_option_have_no_order_and_no_name(faults) -> None:
    cards = "{face: {colour: Colour, number: int}, deck: [{number: 1, copies: '2 if way < left else 1'}]}"
    assert faults(options=CHOICES, cards=cards)[0][:2] == (
        "RR0305",
        "a choice of `way` is neither more nor less than another",
    )
    assert faults(options=CHOICES, state="{x: way}") == [("RR0303", "there is no type `way`", "way")]
