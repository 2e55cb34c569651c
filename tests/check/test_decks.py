"""Cards: standard decks, rows, products, CSV files, kinds, names, limits."""

from __future__ import annotations

import pytest

from rulerun.check.declare import declare
from rulerun.document import read
from rulerun.ir.types import EnumType, OptionalType
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.files import Folder
from rulerun.source.text import Source


def columns(symbols) -> dict[str, tuple[int, ...]]:
    return {column.name: column.values for column in symbols.fields_data}


@pytest.mark.parametrize(
    ("name", "cards", "first", "last"),
    [
        ("french52", 52, "two of clubs", "ace of spades"),
        ("french32", 32, "seven of clubs", "ace of spades"),
        ("french24", 24, "nine of clubs", "ace of spades"),
        ("italian40", 40, "ace of coins", "king of batons"),
        ("tarot78", 78, "ace of clubs", "the fool"),
    ],
)
def test_standard_decks(declared, name, cards, first, last) -> None:
    symbols = declared(cards=f"{{deck: {name}}}")
    assert (symbols.card_count, symbols.kind_names[0], symbols.kind_names[-1]) == (cards, first, last)
    assert symbols.kinds == tuple(range(cards))
    assert set(symbols.back_names) == {"a card"}


def test_the_rank_of_a_french_deck_is_ordered_with_the_ace_on_top(declared) -> None:
    symbols = declared(cards="{deck: french32}")
    ranks = ("seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
    assert symbols.names["Rank"].type == EnumType("Rank", ranks, ordered=True)
    assert symbols.names["Suit"].type == EnumType("Suit", ("clubs", "diamonds", "hearts", "spades"))
    assert columns(symbols)["rank"] == tuple(range(8)) * 4


def test_trumps_of_a_tarot_deck_have_numbers(declared) -> None:
    symbols = declared(cards="{deck: tarot78}")
    assert columns(symbols)["number"] == (0,) * 56 + tuple(range(1, 22)) + (0,)
    assert symbols.kind_names[56 + 11] == "trump 12"


def test_jokers_have_a_rank_and_no_suit(declared) -> None:
    symbols = declared(cards="{deck: {standard: french52, jokers: 2}}")
    assert symbols.card_count == 54
    assert symbols.kind_names[-1] == "joker"
    assert symbols.kinds[-2:] == (52, 52)
    assert columns(symbols)["suit"][-1] == -1
    assert symbols.names["Rank"].type.values[-1] == "joker"
    assert symbols.fields["suit"].type == OptionalType(symbols.names["Suit"].type)


def test_a_standard_deck_filtered_and_doubled(declared) -> None:
    symbols = declared(cards="{deck: {standard: french52, where: 'rank >= ten and card.suit in {hearts}', copies: 2}}")
    assert symbols.card_count == 10
    assert symbols.kind_names == (
        "ten of hearts",
        "jack of hearts",
        "queen of hearts",
        "king of hearts",
        "ace of hearts",
    )
    assert symbols.kinds == (0, 0, 1, 1, 2, 2, 3, 3, 4, 4)


def test_a_standard_deck_mixed_with_rows(declared) -> None:
    symbols = declared(
        cards="{face: {points: int}, deck: [{standard: french52, where: rank == king},"
        " {suit: hearts, rank: king, points: 3}, {suit: hearts, rank: king}]}"
    )
    assert symbols.kind_names == (
        "king of clubs",
        "king of diamonds",
        "king of hearts (0)",
        "king of spades",
        "king of hearts (3)",
    )
    assert symbols.kinds == (0, 1, 2, 2, 3, 4)


def test_rows_with_copies_and_defaults(declared) -> None:
    symbols = declared(
        cards="{back: {size: int}, face: {colour: Colour, likes: set of Colour, cost: int per Colour, wild: bool},"
        " deck: [{copies: 2, colour: blue, size: 1}, {copies: 0, colour: red},"
        " {colour: green, likes: [red, green], cost: {blue: 2, red: 1}, wild: true}, {colour: blue, size: 1}]}"
    )
    assert symbols.kinds == (0, 0, 0, 1)  # copies stand side by side
    assert columns(symbols) == {
        "size": (1, 1, 1, 0),
        "colour": (1, 1, 1, 2),
        "likes": (0, 0, 0, 5),
        "cost": (0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0),
        "wild": (0, 0, 0, 1),
    }
    assert [c.on_back for c in symbols.fields_data] == [True, False, False, False, False]
    assert [c.width for c in symbols.fields_data] == [1, 1, 1, 3, 1]
    assert symbols.back_names == ("1 size", "0 size")


def test_products_ranges_lists_and_enums(declared) -> None:
    symbols = declared(
        cards='{face: {colour: Colour, number: int, points: int}, name: "{colour} {number}", deck: [{each:'
        " {colour: Colour, number: 1..3}, where: not (colour == red and number == 2), points: number * 10,"
        ' copies: "2 if number == 1 else 1"}, {each: {colour: [red, blue], number: [7, 8..9]}}]}'
    )
    assert [symbols.kind_names[kind] for kind in symbols.kinds] == [
        *["red 1", "red 1", "red 3"],
        *["blue 1", "blue 1", "blue 2", "blue 3"],
        *["green 1", "green 1", "green 2", "green 3"],
        *["red 7", "red 8", "red 9", "blue 7", "blue 8", "blue 9"],
    ]
    assert columns(symbols)["points"][:4] == (10, 10, 30, 10)


def test_a_field_may_be_worked_out_from_one_written_after_it(declared) -> None:
    symbols = declared(cards='{face: {a: int, b: int}, deck: [{a: "b + 1", b: 4}]}')
    assert columns(symbols) == {"a": (5,), "b": (4,)}


def test_options_and_tables_and_folds_in_a_deck(declared) -> None:
    symbols = declared(
        players=3,
        options="{most: {default: 4}, reds: {default: false}}",
        tables="{worth: {of: Colour, red: 5, else: 1}}",
        cards="{face: {colour: Colour, number: int, cost: int per Colour},"
        ' deck: [{colour: red, copies: "1 if reds else 0"},'
        ' {each: {number: 1..most}, colour: blue, copies: "worth[colour]", cost: {red: 2, blue: number}},'
        ' {colour: green, copies: "count(players) - 1", number: "sum(worth[c] for c in Colour)"},'
        ' {colour: green, number: "max(cost[red], 9)"}]}',
    )
    assert symbols.kinds == (0, 1, 2, 3, 4, 4, 5)
    assert columns(symbols)["number"] == (1, 2, 3, 4, 7, 7, 9)


def csv_deck(tmp_path, text: str):
    (tmp_path / "cards.csv").write_text(text)
    source = Source(
        "ruleset.yaml",
        "rulerun: 1\ngame: T\nplayers: 2\ntypes: {Colour: [red, blue], Side: [left, right, top]}\n"
        "cards: {face: {colour: Colour, needles: set of Side, cost: int per Colour, n: int}, deck: {csv: cards.csv}}\n"
        "zones: {stock: {kind: pile, seen_by: nobody, start: deck}}\n"
        'rules: {play: "shuffle stock"}\nresult: {"score(Player p)": "1", winner: [highest score]}\n',
    )
    found = Diagnostics()
    ruleset = read(source, folder=Folder(tmp_path), found=found)
    assert ruleset is not None, list(found)
    return declare(ruleset, 2, found), [(d.code, d.message, str(d.span).rpartition("/")[2]) for d in found]


def test_a_csv_deck(tmp_path) -> None:
    symbols, faults = csv_deck(
        tmp_path, "colour,needles,cost.red,cost.blue,n,copies\nred,left top,1,0,3,2\nblue,,,2,,\nred,right,,,1,0\n"
    )
    assert faults == []
    assert symbols.kinds == (0, 0, 1)
    assert columns(symbols) == {
        "colour": (0, 0, 1),
        "needles": (5, 5, 0),
        "cost": (1, 0, 1, 0, 0, 2),
        "n": (3, 3, 0),
    }


def test_faults_of_a_csv_deck_point_into_the_file(tmp_path) -> None:
    _, faults = csv_deck(tmp_path, "colour,n\nred,1\nredd,2\n")
    assert faults == [("RR0310", "Colour has no value `redd`", "cards.csv:3:1")]
    _, faults = csv_deck(tmp_path, "color,n\nred,1\nred,2\n")
    assert faults == [("RR0313", "the cards have no field `color`", "cards.csv:1:1")]


def test_kinds_of_one_name_are_told_apart_by_what_differs(declared) -> None:
    symbols = declared(
        cards='{back: {buds: int}, face: {colour: Colour, wild: bool}, name: "{buds}-flower cactus", deck: ['
        "{buds: 1, colour: red}, {buds: 3, colour: red}, {buds: 3, colour: blue, wild: true}]}"
    )
    assert symbols.kind_names == (
        "1-flower cactus",
        "3-flower cactus (red, not wild)",
        "3-flower cactus (blue, wild)",
    )
    assert symbols.back_names == ("1-flower cactus", "3-flower cactus", "3-flower cactus")


def test_a_name_of_the_face_and_one_of_the_back(declared) -> None:
    symbols = declared(
        cards="{back: {size: int}, face: {colour: Colour, likes: set of Colour, cost: int per Colour},"
        ' name: {back: "{size} wide", face: "{colour} for {cost} ({likes if likes is not empty else none})"}, deck: ['
        "{size: 2, colour: red, cost: {blue: 3, green: 1}, likes: [red, green]}]}"
    )
    assert symbols.kind_names == ("red for 3 blue 1 green (red green)",)
    assert symbols.back_names == ("2 wide",)


@pytest.mark.parametrize(
    ("cards", "fault"),
    [
        (
            "{face: {n: int}, deck: [{n: 1, copies: 1000000}]}",
            ("RR0314", "a game has at most 1,000 cards, and these are 1,000,000 copies of one", "1000000"),
        ),
        (
            "{face: {n: int}, deck: [{n: 1, copies: 600}, {n: 2, copies: 401}]}",
            ("RR0314", "a game has at most 1,000 cards", "401"),
        ),
        (
            "{face: {n: int, m: int, k: int}, deck: [{each: {n: 1..999, m: 1..999, k: 1..999}}]}",
            ("RR0314", "this `each:` makes 997,002,999 rows; a game has at most 1,000 cards", None),
        ),
        (
            "{face: {n: int}, deck: [{each: {n: 1..2000000000}}]}",
            ("RR0314", "2,000,000,000 values are too many: a game has at most 1,000 cards", "1..2000000000"),
        ),
        ("{face: {n: int}, deck: [{n: 1, copies: 0}]}", ("RR0315", "the deck has no cards", None)),
        ("{face: {n: int}, deck: [{n: 1, copies: -1}]}", ("RR0317", "there cannot be -1 copies of a card", "-1")),
        ("{deck: french53}", ("RR0316", "there is no standard deck `french53`", "french53")),
        (
            "{deck: [french52, italian40]}",
            ("RR0316", "`italian40` and `french52` cannot be mixed: their suits and ranks differ", "italian40"),
        ),
        ("{face: {n: int}, deck: [{m: 1}]}", ("RR0313", "the cards have no field `m`", "m")),
        (
            '{face: {n: int, m: int}, deck: [{n: "m + 1", m: "n + 1"}]}',
            ("RR0312", "the value of `n` is worked out from itself", None),
        ),
        ('{face: {n: int}, deck: [{n: "1 // 0"}]}', ("RR0312", "this divides by zero", "1 // 0")),
        (
            '{face: {n: int}, deck: [{n: "2000000000 + 2000000000"}]}',
            (
                "RR0312",
                "4000000000 is out of range: numbers go from -2147483648 to 2147483647",
                "2000000000 + 2000000000",
            ),
        ),
        (
            "{face: {colour: Colour}, deck: [{colour: rde}]}",
            ("RR0310", "Colour has no value `rde`", "rde"),
        ),
        (
            "{face: {colour: Colour}, deck: [{colour: 3}]}",
            ("RR0305", "a Colour is wanted in a deck row, and this is a whole number", "3"),
        ),
        (
            '{face: {n: int}, deck: [{n: "count(stock)"}]}',
            ("RR0311", "`stock` cannot be read in a deck row: it has no value before a game begins", "stock"),
        ),
        (
            "{face: {n: int}, deck: [{each: {n: 1..3}, n: 4}]}",
            ("RR0319", "`n` stands in `each:` and beside it", "n"),
        ),
        (
            "{face: {n: int}, deck: [{each: {n: 3..1}}]}",
            ("RR0308", "the range 3..1 holds nothing: its first number is the lower one", "3..1"),
        ),
        (
            '{back: {b: int}, face: {n: int}, name: {back: "{b} {n}"}, deck: [{n: 1}]}',
            ("RR0318", "the name of a face-down card would tell its `n`, which is printed on the face", "n"),
        ),
        ("{face: {who: Player}, deck: [{}]}", ("RR0304", "a card cannot have `Player` printed on it", "Player")),
    ],
)
def test_what_is_wrong_with_a_deck(faults, cards, fault) -> None:
    first = faults(cards=cards)[0]
    assert first[:2] == fault[:2]
    if fault[2] is not None:
        assert first[2] == fault[2]


def test_a_fault_of_a_product_is_told_once(faults) -> None:
    told = faults(cards="{face: {n: int, c: Colour}, deck: [{each: {n: 1..50}, c: bleu}]}")
    assert told == [("RR0310", "Colour has no value `bleu`", "bleu")]


@pytest.mark.parametrize(
    ("deck", "ranks", "cards"),
    [
        ("{standard: french52, ranks: [ace, two..four]}", ("ace", "two", "three", "four"), 16),
        ("{standard: french52, ranks: queen}", ("queen",), 4),
        ("{standard: french32, ranks: [king .. ace, seven]}", ("king", "ace", "seven"), 12),
        ("{standard: french52, ranks: [king, two], jokers: 1, copies: 2}", ("king", "two", "joker"), 18),
        ("{standard: french52, ranks: [king, two], where: rank > king}", ("king", "two"), 4),
        ("{standard: italian40, ranks: [knight..king, ace]}", ("knight", "king", "ace"), 12),
        ("{standard: tarot78, ranks: [king, ace]}", ("king", "ace", "fool", "trump"), 30),
        ("[{standard: french24, ranks: [ace]}, {standard: french24, ranks: [ten, ace]}]", ("ten", "ace"), 12),
        (
            "[french24, {standard: french24, ranks: [ten, ace]}]",
            ("nine", "ten", "jack", "queen", "king", "ace"),
            32,
        ),
    ],
)
def test_a_deck_has_the_ranks_it_lists_in_their_order(declared, deck, ranks, cards) -> None:
    symbols = declared(cards=f"{{deck: {deck}}}")
    assert symbols.names["Rank"].type == EnumType("Rank", ranks, ordered=True)
    assert symbols.card_count == cards


def test_the_cards_of_a_suit_follow_the_list(declared) -> None:
    symbols = declared(cards="{deck: {standard: french52, ranks: [ace, jack..king]}}")
    assert symbols.kind_names[:4] == ("ace of clubs", "jack of clubs", "queen of clubs", "king of clubs")
    assert columns(symbols)["rank"] == (0, 1, 2, 3) * 4


@pytest.mark.parametrize(
    ("deck", "message", "blamed"),
    [
        ("{standard: french52, ranks: [ace, knigt]}", "`french52` has no rank `knigt`", "knigt"),
        ("{standard: french52, ranks: [ace, two..knight]}", "`french52` has no rank `knight`", "knight"),
        ("{standard: french32, ranks: [six..ace]}", "`french32` has no rank `six`", "six"),
        ("{standard: french52, ranks: [two..five, four]}", "the rank `four` stands twice in this list", "four"),
        (
            "{standard: french52, ranks: [five..two]}",
            "the span `five..two` holds nothing: `two` usually comes before `five`",
            "five..two",
        ),
        ("{standard: french52, ranks: [..five]}", "`..five` is no span of ranks", "..five"),
        ("{standard: french52, ranks: []}", "this list of the ranks of `french52` is empty", "french52"),
        ("{standard: french52, ranks: [2..10]}", "`french52` has no rank `2`", "2"),
        ("{standard: tarot78, ranks: [ace..king, trump]}", "`trump` has no place in the list of ranks", "trump"),
        ("{standard: french52, ranks: [trump]}", "`french52` has no rank `trump`", "trump"),
        (
            "[french24, {standard: french24, ranks: [ace, nine..king]}]",
            "two entries of this deck do not agree about its ranks: their order differs",
            "ace, nine..king",
        ),
    ],
)
def test_ranks_that_cannot_be_are_told(faults, deck, message, blamed) -> None:
    assert faults(cards=f"{{deck: {deck}}}")[0] == ("RR0345", message, blamed)


def test_a_table_cannot_name_a_rank_that_the_deck_does_without(faults) -> None:
    cards = "{deck: {standard: french52, ranks: [jack..ace]}}"
    assert faults(cards=cards, tables="{worth: {of: Rank, ten: 10, else: 0}}") == [
        ("RR0331", "the deck has no ten, so `ten` is no key of Rank", "ten")
    ]
    assert faults(cards=cards, tables="{worth: {of: Rank, tin: 10, else: 0}}") == [
        ("RR0331", "`tin` is no key of Rank", "tin")
    ]
