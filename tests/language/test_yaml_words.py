"""What the sections of a ruleset can say in short: choices of an option, ranks of a deck, variables on one line, and
who sees a zone by an option. Each is played."""

from __future__ import annotations

import pytest
from language_games import codes, play, play_text

import rulerun
from rulerun.testing import conforms

RANKED = """\
rulerun: 1
game: Ranked
players: 2
cards: {deck: DECK}
zones:
  deck: {kind: pile, seen_by: everyone, start: deck}
rules:
  play: |
BODY
result:
  score(Player p): |
    0
  winner: [highest score]
"""


def ranked(deck: str, body: str) -> list[str]:
    """The notes of a game with this deck."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return play_text(RANKED.replace("DECK", deck).replace("BODY\n", lines), players=2).notes


# ------------------------------------------------------------------ choices of an option

TRUMPS = "trumps_by: {one_of: [turned, in_turn, red], default: in_turn}"


def test_the_choices_of_an_option_are_words_wherever_it_is_compared() -> None:
    played = play(
        """\
        note "{trumps_by} {trumps_by == in_turn} {turned != trumps_by} {trumps_by in {turned, in_turn}}"
        let way = trumps_by
        way = turned
        note "{way} {1 if way == red else 2 if way == turned else 3}"
        """,
        options=TRUMPS,
    )
    assert played.notes == ["in_turn yes yes yes", "turned 2"]


def test_a_choice_may_be_called_like_a_value_of_a_type() -> None:
    body = 'let colour: Colour = red\nnote "{trumps_by == red} {colour == red}"'
    assert play(body, options=TRUMPS).notes == ["no yes"]
    assert codes("let c = red", options=TRUMPS) == ["RR0408"]


def test_two_options_may_share_their_words() -> None:
    options = "first: {one_of: [never, always], default: never}\nsecond: {one_of: [always, never], default: never}"
    body = 'note "{first == never} {second == never} {second == always}"'
    assert play(body, options=options).notes == ["yes yes no"]
    assert codes("if first == second: end game", options=options) == ["RR0411"]


def test_the_choices_can_be_asked_before_the_game_begins() -> None:
    cards = 'face: {colour: Colour, number: int}\ndeck: [{each: {number: 1..6}, copies: "2 if size == big else 1"}]'
    options = "size: {one_of: [small, big], default: big}"
    assert play('note "{count(stock)}"', options=options, cards=cards).notes == ["12"]


def test_choices_from_outside_and_by_a_variant() -> None:
    text = """\
rulerun: 1
game: Ways
players: 2
options:
  way: {one_of: [left, right], default: left}
cards: {deck: french24}
zones: {deck: {kind: pile, seen_by: nobody, start: deck}}
rules:
  play: |
    note "{way}"
result:
  score: |
    2 if way == right else 1
variants:
  over: {options: {way: right}}
  straight: {options: {way: {one_of: [left, right, straight_on], default: straight_on}}}
"""
    game = rulerun.load(text)
    assert (game.options, game.settings) == ({"way": "left"}, {})
    other = rulerun.load(text, options={"way": "right"})
    assert (other.options, other.settings) == ({"way": "right"}, {"way": "right"})
    assert other.new(1).scores == (2, 2)
    assert rulerun.load(text, variants=["over"]).options == {"way": "right"}
    assert rulerun.load(text, variants=["straight"]).options == {"way": "straight_on"}
    assert rulerun.load(text, variants=["straight"], options={"way": "right"}).new(1).scores == (2, 2)
    with pytest.raises(rulerun.RulesetError, match="the option `way` has no value `straight_on`"):
        rulerun.load(text, options={"way": "straight_on"})


# ------------------------------------------------------------------ ranks of a standard deck


def test_ranks_stand_in_the_order_of_the_list_and_no_others_are_in_the_deck() -> None:
    notes = ranked(
        "{standard: french52, ranks: [two..six, queen, jack, king, seven, ace]}",
        'note "{count(deck)} {queen < jack} {seven > king} {order(two)} {order(ace)}"\n'
        "let low = first c in deck where every(order(c.rank) <= order(d.rank) for d in deck)\n"
        "let high = best c in deck where c.suit == clubs by order(c.rank)\n"
        'note "{low} {high} {sum(1 for c in deck where c.rank >= king)}"\n'
        'for r in Rank: note "{r}"',
    )
    assert notes[:2] == ["40 yes yes 0 9", "two of clubs ace of clubs 12"]
    assert notes[2:] == ["two", "three", "four", "five", "six", "queen", "jack", "king", "seven", "ace"]


def test_a_low_ace_and_three_ranks_of_two_suits() -> None:
    low = ranked("{standard: french52, ranks: [ace, two..king]}", 'note "{ace < two} {order(king)} {count(deck)}"')
    assert low == ["yes 12 52"]
    few = ranked(
        '{standard: french52, ranks: [jack, queen, king], where: "rank == joker or suit in {hearts, spades}",'
        " copies: 2, jokers: 1}",
        'note "{count(deck)} {count(c for c in deck where c.rank == joker)} {joker > king} {order(joker)}"',
    )
    assert few == ["14 2 yes 3"]


@pytest.mark.parametrize(
    ("deck", "notes"),
    [
        ("{standard: french32, ranks: [seven..nine, jack..king, ten, ace]}", "32 king ten ace"),
        ("{standard: french24, ranks: ten..ace}", "20 queen king ace"),
        ("{standard: italian40, ranks: [four..seven, jack..king, ace, two, three]}", "40 ace two three"),
        ("{standard: tarot78, ranks: [king, ace..queen]}", "78 queen fool trump"),
        ('{standard: tarot78, ranks: [ten..king], where: "suit != trumps"}', "20 king fool trump"),
        (
            "[{standard: french52, ranks: [two, ace]}, {standard: french52, ranks: [two, seven, ace]}]",
            "20 two seven ace",
        ),
    ],
)
def test_every_standard_deck_can_list_its_ranks(deck: str, notes: str) -> None:
    told = ranked(deck, 'note "{count(deck)}"\nfor r in Rank:\n  if order(r) >= count(Rank) - 3: note "{r}"')
    assert " ".join(told) == notes


def test_a_table_follows_the_ranks_and_needs_no_others() -> None:
    text = RANKED.replace("DECK", "{standard: french52, ranks: [jack, queen, king]}")
    text = text.replace("rules:", "tables:\n  worth: {of: Rank, king: 4, queen: 3, jack: 2}\nrules:")
    text = text.replace("BODY\n", '    note "{sum(worth[c.rank] for c in deck)}"\n')
    assert play_text(text, players=2).notes == ["36"]


# ------------------------------------------------------------------ variables on one line


def test_variables_on_one_line_are_variables_of_their_own() -> None:
    played = play(
        """\
        dealer = next(dealer)
        tricks[dealer] += 2
        low -= 1
        note "{dealer} {leader} {tricks[dealer]} {bids[dealer]} {low} {high}"
        """,
        state="""\
        points: int per Player
        dealer, leader: Player
        tricks ,bids : int per Player
        low, high: {type: int, start: 50}
        """,
    )
    assert played.notes == ["P2 P1 2 0 49 50"]
    variables = [v for v in played.program.variables if v.unit < 0]
    assert [(v.name, v.offset - variables[0].offset) for v in variables] == [
        ("points", 0),
        ("dealer", 3),
        ("leader", 4),
        ("tricks", 5),
        ("bids", 8),
        ("low", 11),
        ("high", 12),
    ]


# ------------------------------------------------------------------ seen by option

OPEN = """\
rulerun: 1
game: Open
players: 2..3
options:
  open_hands: {default: false}
  tricks_seen: {one_of: [by_all, by_taker, by_none], default: by_all}
cards: {deck: {standard: french52, ranks: [ace, two..four]}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player, seen_by: everyone if open_hands else owner}
  won:
    kind: pile
    per: player
    seen_by: everyone if tricks_seen == by_all else owner if tricks_seen == by_taker else nobody
state:
  points, laid: int per Player
rules:
  play: |
    shuffle deck
    for p in players: deal 3 from deck to hand[p]
    repeat 2 times:
      for p in players:
        p chooses card from hand[p] as "lay {card}"
        laid[p] += 1
        move card to won[next(p)]
result:
  score(Player p): |
    points[p] + laid[p]
  winner: [highest score]
"""


@pytest.mark.parametrize("open_hands", [False, True])
@pytest.mark.parametrize("tricks_seen", ["by_all", "by_taker", "by_none"])
def test_who_sees_a_zone_may_be_an_option(open_hands: bool, tricks_seen: str) -> None:
    game = rulerun.load(OPEN, players=3, options={"open_hands": open_hands, "tricks_seen": tricks_seen})
    state = game.new(3)
    state.choose(0)
    seen = {
        (zone.name, seat): all("of" in card.name.split() for card in zone.cards)
        for seat in range(3)
        for zone in state.view(seat).zones
        if zone.name in ("hand of P1", "won of P2")
    }
    assert seen == {
        ("hand of P1", 0): True,
        ("hand of P1", 1): open_hands,
        ("hand of P1", 2): open_hands,
        ("won of P2", 0): True,  # it came out of this hand
        ("won of P2", 1): open_hands or tricks_seen != "by_none",
        ("won of P2", 2): open_hands or tricks_seen == "by_all",
    }


@pytest.mark.parametrize("options", [{}, {"open_hands": "true", "tricks_seen": "by_none"}], ids=["closed", "open"])
def test_both_ways_to_see_keep_the_law(options: dict[str, str], tmp_path) -> None:
    file = tmp_path / "open.yaml"
    file.write_text(OPEN, encoding="utf-8")
    conforms(file, options=options, games=1)
