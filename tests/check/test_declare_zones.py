"""Zones: families, instances, who sees them, where cards start, refills; and tables."""

from __future__ import annotations

import pytest

from rulerun.check.declarations.symbols import TableSymbol, ZoneSymbol
from rulerun.ir.program import RefillRule, SeenBy, Zone, ZoneKind
from rulerun.ir.types import BOOL, INT, PLAYER, EnumType, RangeKey, SetType

COLOUR = EnumType("Colour", ("red", "blue", "green"))
STOCK = "stock: {kind: pile, seen_by: nobody, start: deck}"


def test_families_and_instances(declared) -> None:
    symbols = declared(
        players=3,
        zones=f"{{{STOCK}, hand: {{kind: hand, per: player}}, lay_out: {{kind: row, per: Colour, seen_by: everyone}},"
        " meld: {kind: row, per: [player, 1..2], seen_by: others, columns: 4, about: what lies open}}",
    )
    families = [s for s in symbols.names.values() if isinstance(s, ZoneSymbol)]
    assert [(z.name, z.index, z.kind, z.seen_by, z.keys, z.first, z.size) for z in families] == [
        ("stock", 0, ZoneKind.PILE, SeenBy.NOBODY, (), 0, 1),
        ("hand", 1, ZoneKind.HAND, SeenBy.OWNER, (PLAYER,), 1, 3),
        ("lay_out", 2, ZoneKind.ROW, SeenBy.EVERYONE, (COLOUR,), 4, 3),
        ("meld", 3, ZoneKind.ROW, SeenBy.OTHERS, (PLAYER, RangeKey(1, 2)), 7, 6),
    ]
    assert (families[3].columns, families[3].about) == (4, "what lies open")
    assert symbols.zones_data[:8] == (
        Zone(0, (), "stock", -1, 0b000),
        Zone(1, (0,), "hand of P1", 0, 0b001),
        Zone(1, (1,), "hand of P2", 1, 0b010),
        Zone(1, (2,), "hand of P3", 2, 0b100),
        Zone(2, (0,), "lay out red", -1, 0b111),
        Zone(2, (1,), "lay out blue", -1, 0b111),
        Zone(2, (2,), "lay out green", -1, 0b111),
        Zone(3, (0, 0), "meld of P1 1", 0, 0b110),
    )
    assert symbols.zones_data[-1] == Zone(3, (2, 1), "meld of P3 2", 2, 0b011)


def test_cards_start_by_filter_and_the_rest_with_the_deck(declared) -> None:
    symbols = declared(
        options="{reds: {default: true}}",
        zones=f"{{{STOCK}, box: {{kind: pile, seen_by: everyone, start: 'colour == red and reds and number < 3'}},"
        " supply: {kind: pile, per: Colour, seen_by: everyone, start: 'card.colour == colour and number == 3'},"
        " slot: {kind: pile, per: 1..2, seen_by: everyone, start: colour == green and number == place}}",
    )
    names = [symbols.zones_data[zone].name for zone in symbols.start]
    assert names == [
        *["box", "box", "supply red"],
        *["stock", "stock", "supply blue"],
        *["slot 1", "slot 2", "supply green"],
    ]


def test_refills(declared) -> None:
    symbols = declared(
        zones="{stock: {kind: pile, seen_by: nobody, start: deck, refill: {from: spent, keep: 1, shuffle: true}},"
        " spent: {kind: pile, seen_by: everyone},"
        " draw: {kind: pile, per: player, seen_by: nobody, refill: {from: out}},"
        " out: {kind: pile, per: player, seen_by: everyone}}"
    )
    assert symbols.names["stock"].refill == RefillRule(1, 1, True)
    assert symbols.names["draw"].refill == RefillRule(3, 0, False)
    assert symbols.names["spent"].refill is None


@pytest.mark.parametrize(
    ("zones", "fault"),
    [
        ("stock: {kind: pile, start: deck}", ("RR0320", "`stock` does not say who sees its faces", "stock")),
        (f"{STOCK}, box: {{kind: hand}}", ("RR0320", "`box` does not say who sees its faces", "box")),
        (
            "stock: {kind: pile, start: deck, seen_by: owner}",
            ("RR0321", "`stock` has no owner, so it cannot be seen by `owner`", "owner"),
        ),
        (
            f"{STOCK}, f: {{kind: pile, per: Color, seen_by: everyone}}",
            ("RR0323", "`Color` cannot be the key of the zone `f`", "Color"),
        ),
        (
            f"{STOCK}, f: {{kind: pile, per: 7..1, seen_by: everyone}}",
            ("RR0308", "the range 7..1 holds nothing: its first number is the lower one", "7..1"),
        ),
        (
            f"{STOCK}, f: {{kind: pile, per: 1..1000000, seen_by: everyone}}",
            ("RR0328", "`f` makes 1,000,000 zones; a game has at most 500 in all", "1..1000000"),
        ),
        ("stock: {kind: pile, seen_by: nobody}", ("RR0325", "no zone says `start:`", None)),
        (
            "stock: {kind: pile, seen_by: nobody, start: number < 3}",
            ("RR0325", "the card red 3 starts in no zone", None),
        ),
        (
            f"{STOCK}, box: {{kind: pile, seen_by: nobody, start: deck}}",
            ("RR0327", "`stock` starts with the deck already", "deck"),
        ),
        (
            "hand: {kind: hand, per: player, start: deck}",
            ("RR0327", "there are 2 zones `hand`: it is not told which one starts with the deck", "deck"),
        ),
        (
            f"{STOCK}, a: {{kind: pile, seen_by: nobody, start: number < 3}}, b: {{kind: pile, seen_by: nobody,"
            " start: number < 2}",
            ("RR0326", "the card red 1 would start in a and in b", "number < 2"),
        ),
        (
            f"{STOCK}, a: {{kind: pile, seen_by: nobody, start: numbr < 3}}",
            ("RR0310", "nothing is called `numbr` in the start of a zone", "numbr"),
        ),
        (
            "stock: {kind: pile, seen_by: nobody, start: deck, refill: {from: spend}},"
            " spent: {kind: pile, seen_by: everyone}",
            ("RR0324", "there is no zone `spend` to refill from", "spend"),
        ),
        (
            "stock: {kind: pile, seen_by: nobody, start: deck, refill: {from: hand}}, hand: {kind: hand, per: player}",
            ("RR0324", "`hand` has other keys than `stock`, so it is not told which one refills which", "hand"),
        ),
        (
            "stock: {kind: pile, seen_by: nobody, start: deck, refill: {from: stock}}",
            ("RR0324", "`stock` cannot be refilled from itself", "stock"),
        ),
    ],
)
def test_what_is_wrong_with_zones(faults, zones, fault) -> None:
    if "hand" not in zones:
        zones += ", hand: {kind: hand, per: player}"
    (told,) = faults(zones=f"{{{zones}}}")
    assert told[:2] == fault[:2]
    if fault[2] is not None:
        assert told[2] == fault[2]


# --------------------------------------------------------------------- tables


def test_tables_by_enum_range_bool_and_player(declared) -> None:
    symbols = declared(
        players=3,
        options="{bonus: {default: 4}}",
        tables="{points: {of: Colour, blue: 3, red: bonus * 2, else: -1}, fib: {of: 1..5, 1: 1, 2: 1, 3..4: 2, 5: 5},"
        " other: {of: Colour, red: blue, blue: red, green: green}, sign: {of: bool, true: 1, false: -1},"
        " seat: {of: player, 2: true, else: false}, grid: {of: [Colour, 1..2], red: {1: 5, 2: 6}, else: {1: 0, 2: 9}},"
        " likes: {of: Colour, type: set of Colour, red: '{red, green}', blue: blue, green: '{}'}}",
    )
    tables = [s for s in symbols.names.values() if isinstance(s, TableSymbol)]
    assert [(t.name, t.keys, t.value, symbols.tables_data[t.index].values) for t in tables] == [
        ("points", (COLOUR,), INT, (8, 3, -1)),
        ("fib", (RangeKey(1, 5),), INT, (1, 1, 2, 2, 5)),
        ("other", (COLOUR,), COLOUR, (1, 0, 2)),
        ("sign", (BOOL,), INT, (-1, 1)),
        ("seat", (PLAYER,), BOOL, (0, 1, 0)),
        ("grid", (COLOUR, RangeKey(1, 2)), INT, (5, 6, 0, 9, 0, 9)),
        ("likes", (COLOUR,), SetType(COLOUR), (0b101, 0b010, 0)),
    ]


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        ("{of: Colour, red: 1}", ("RR0330", "the table `t` has no value for `blue`, `green`", "t")),
        ("{of: Colour, rde: 1, else: 0}", ("RR0331", "`rde` is no key of Colour", "rde")),
        ("{of: 1..3, 4: 1, else: 0}", ("RR0331", "`4` is no key of 1..3", "4")),
        ("{of: Colour, red: 1, else: true}", ("RR0332", "the values of the table `t` are not of one type", "true")),
        (
            "{of: Colour, type: int, red: blue, else: 1}",
            ("RR0305", "a whole number is wanted in a table, and this is a Colour", "blue"),
        ),
        ("{of: Colours, red: 1}", ("RR0323", "`Colours` cannot be the key of the table `t`", "Colours")),
        ("{of: Colour, type: Player, else: 1}", ("RR0304", "a table cannot hold `Player`", "Player")),
    ],
)
def test_what_is_wrong_with_tables(faults, table, fault) -> None:
    assert faults(tables=f"{{t: {table}}}") == [fault]


def test_a_value_of_two_enums_needs_a_type(faults) -> None:
    told = faults(
        types="{Colour: [red, blue, green], Mood: [blue, red]}", tables="{t: {of: Colour, red: blue, else: red}}"
    )
    assert told == [("RR0332", "the values of the table `t` may be of Colour or of Mood", "t")]


@pytest.mark.parametrize(
    ("state", "fault"),
    [
        ("{lead: Card}", ("RR0329", "`lead` would hold a card before there is one", "Card")),
        (
            "{x: {type: int per Colour, start: {rde: 1}}}",
            ("RR0331", "`rde` is no key of Colour", "rde"),
        ),
        (
            "{x: {type: bool, start: 3}}",
            ("RR0305", "true or false is wanted as a start, and this is a whole number", "3"),
        ),
        ("{x: {type: Player, start: none}}", ("RR0305", "a player is wanted as a start, and this is none", "none")),
        (
            "{x: int per Card per Card per Card}",
            (
                "RR0328",
                "the state takes too much room: `x` alone has 729 numbers, all of it may have 20,000",
                "int per Card per Card per Card",
            ),
        ),
    ],
)
def test_what_is_wrong_with_state(faults, state, fault) -> None:
    cards = "{face: {colour: Colour, number: int}, deck: [{each: {colour: Colour, number: 1..100}}]}"
    if "per Card" in state:
        fault = (fault[0], fault[1].replace("729", "27,000,000"), fault[2])
        assert faults(state=state, cards=cards) == [fault]
    else:
        assert faults(state=state) == [fault]


@pytest.mark.parametrize(
    ("settings", "seen_by"),
    [({}, SeenBy.OWNER), ({"open": "true"}, SeenBy.EVERYONE), ({"many": "4"}, SeenBy.OTHERS)],
)
def test_options_may_settle_who_sees_a_zone(declared, settings, seen_by) -> None:
    symbols = declared(
        settings=settings,
        options="{open: {default: false}, many: {default: 3}}",
        zones=f"{{{STOCK}, hand: {{kind: hand, per: player, seen_by: "
        "everyone if open else others if many > 3 else owner}}",
    )
    hand = symbols.names["hand"]
    assert isinstance(hand, ZoneSymbol)
    assert hand.seen_by is seen_by
    whole = {SeenBy.OWNER: (0b01, 0b10), SeenBy.EVERYONE: (0b11, 0b11), SeenBy.OTHERS: (0b10, 0b01)}
    assert tuple(z.seen for z in symbols.zones_data if z.name.startswith("hand")) == whole[seen_by]


@pytest.mark.parametrize(
    ("seen_by", "fault"),
    [
        ("everyone if open else ownr", ("RR0310", "`ownr` does not say who sees it", "ownr")),
        ("everyone if open else 3", ("RR0310", "this does not say who sees it", "3")),
        ("(everyone if opn else owner)", ("RR0310", "nothing is called `opn` after `seen_by:`", "opn")),
        (
            "everyone if many else owner",
            ("RR0305", "true or false is wanted after `seen_by:`, and this is a whole number", "many"),
        ),
        (
            "everyone if stock is empty else owner",
            ("RR0311", "`stock` cannot be read after `seen_by:`: it has no value before a game begins", "stock"),
        ),
    ],
)
def test_what_is_wrong_with_who_sees_a_zone(faults, seen_by, fault) -> None:
    zones = f"{{{STOCK}, hand: {{kind: hand, per: player, seen_by: {seen_by}}}}}"
    assert faults(options="{open: {default: false}, many: {default: 3}}", zones=zones) == [fault]


def test_both_ways_of_who_sees_a_zone_must_be_possible(faults) -> None:
    zones = f"{{{STOCK}, table: {{kind: row, seen_by: everyone if open else owner}}}}"
    for default in ("true", "false"):
        (fault,) = faults(options=f"{{open: {{default: {default}}}}}", zones=zones)
        assert fault[:2] == ("RR0321", "`table` has no owner, so it cannot be seen by `owner`")
