"""Cards that are chosen out of sets: told apart, ordered and named by what the chooser sees of them."""

from __future__ import annotations

import pytest

import rulerun
from rulerun.ir import nodes as ir
from rulerun.run.machine import Machine

GAME = """
rulerun: 1
game: Offered
players: 2
cards:
  face: {number: int}
  name: "{number}"
  deck: DECK
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  row: {kind: row, seen_by: nobody}
  open: {kind: row, seen_by: everyone}
  left: {kind: hand, seen_by: everyone}
  right: {kind: hand, seen_by: everyone}
  layout: {kind: board, per: player, places: 1..2, seen_by: nobody}
  table: {kind: row, seen_by: everyone}
rules:
  table_of(Player p): move top of deck to hand[p]
  play: |
    let me = first p in players where true
    let you = next(me)
    shuffle deck
    deal 3 from deck to hand[you]
    deal 2 from deck to hand[me]
    deal 3 from deck to row
    deal 2 from deck to open
    deal 1 from deck to left
    deal 1 from deck to right
    BODY
    me chooses:
      "go on"
result:
  score(Player p): 0
  winner: [highest score]
"""
PLAIN, TWINS = "{each: {number: 1..20}}", "{each: {number: 1..10}, copies: 2}"


def game(body: str, deck: str = PLAIN) -> rulerun.Game:
    indented = "\n    ".join(body.strip().splitlines())
    return rulerun.load(GAME.replace("DECK", deck).replace("BODY", indented))


def binders(of: rulerun.Game) -> list[ir.Binder]:
    ends = [block.end for block in of.program.blocks]
    return [b for end in ends if isinstance(end, ir.Choose) for line in end.lines for b in line.binders]


def offers(of: rulerun.Game, seeds: int) -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Labels and keys of the first choice, as they came up."""
    found = set()
    for seed in range(seeds):
        options = of.new(seed=seed).options
        found.add((tuple(o.label for o in options), tuple(o.key for o in options)))
    return found


def test_the_top_of_a_pile_is_offered_by_its_places() -> None:
    """By card numbers the second place came first as often as not."""
    program = game('me chooses c from top 2 of deck as "take {c}"\nmove c to table').program
    machine = Machine(program)
    deck, table = (next(i for i, z in enumerate(program.zones) if z.name == name) for name in ("deck", "table"))
    for seed in range(12):
        v = machine.start(seed)
        options = machine.options(v)
        assert [machine.key(v, option) for option in options] == [(0, 0), (0, 1)]
        lying = machine.cards.places_of(v, deck)
        for index in range(2):
            after = v.copy()
            machine.choose(after, index)
            assert machine.cards.cards_of(after, table) == [lying[index]]


def test_cards_of_a_hidden_hand_are_one_option_and_chance_takes_one() -> None:
    of = game('let s = (c for c in hand[you])\nme chooses c from s as "take {c}"\nmove c to table')
    assert {labels for labels, _ in offers(of, 20)} == {("take a card",)}
    assert len(offers(of, 20)) == 1
    assert {rank_taken(of, seed) for seed in range(40)} == {0, 1, 2}


def rank_taken(of: rulerun.Game, seed: int) -> int:
    """Which of the cards of P2's hand was taken, by rank."""
    state = of.new(seed=seed)
    hand = [card.name for card in state.view(1).zone("hand of P2").cards]
    state.choose(0)
    (gone,) = set(hand) - {card.name for card in state.view(1).zone("hand of P2").cards}
    return sorted(hand, key=int).index(gone)


def test_sets_of_hidden_cards_are_as_many_as_their_sizes_and_chance_takes_the_cards() -> None:
    of = game('me chooses s from subsets(hand[you] union hand[me], 2) as "take {s}"\nmove s to table')
    for labels, _ in offers(of, 9):
        hidden = [label.count("a card") + 2 * label.count("cards") for label in labels]
        assert hidden == [0, 1, 1, 2], "both of one's own, one of them and one hidden, two hidden"
    taken = set()
    for seed in range(40):
        state = of.new(seed=seed)
        hand = {card.name for card in state.view(1).zone("hand of P2").cards}
        state.choose(3)
        left = {card.name for card in state.view(1).zone("hand of P2").cards}
        (kept,) = left
        taken.add(sorted(hand, key=int).index(kept))
    assert taken == {0, 1, 2}


def test_cards_chosen_several_at_a_time_are_settled_by_chance() -> None:
    of = game('me chooses 2 s from hand[first p in players after me where true] as "take {s}"\nmove s to table')
    assert {labels for labels, _ in offers(of, 9)} == {("take 2 cards",)}
    kept = set()
    for seed in range(40):
        state = of.new(seed=seed)
        hand = sorted((card.name for card in state.view(1).zone("hand of P2").cards), key=int)
        state.choose(0)
        kept.add(hand.index(state.view(1).zone("hand of P2").cards[0].name))
    assert kept == {0, 1, 2}


def test_what_is_chosen_at_once_is_settled_when_it_is_chosen() -> None:
    """Later, when others have moved cards, it might lie elsewhere."""
    of = game(
        """
let s = (c for c in hand[you])
each player p in {me} at once chooses c from s as "take {c}":
  move c to table
"""
    )
    assert {rank_taken(of, seed) for seed in range(40)} == {0, 1, 2}


def test_what_is_seen_comes_first_by_kind() -> None:
    of = game("let s = row union open union hand[me] union hand[you]\nme chooses c from s as \"take {c}\"")
    for labels, _ in offers(of, 12):
        names = [label.removeprefix("take ") for label in labels]
        assert names[:4] == sorted(names[:4], key=int)
        assert names[4:] == ["a card", "slot 1", "slot 2", "slot 3"]


def test_cards_that_lie_face_up_are_told_by_their_faces() -> None:
    of = game('let up = random of row\nflip up face up\nme chooses c from row union open as "take {c}"')
    for labels, _ in offers(of, 12):
        assert [label.split()[1] == "slot" and "(" not in label for label in labels] == [False] * 3 + [True] * 2


def test_copies_in_two_zones_go_by_their_zones() -> None:
    body = 'let s = right union left\nme chooses c from s as "take {c}"\nmove c to table'
    for _, keys in offers(game(body, "{each: {number: 1..1}, copies: 20}"), 12):
        zones = [int(key.split(":")[2]) // 4_096 for key in keys]
        assert zones == sorted(zones)
        assert len(set(zones)) == 2


@pytest.mark.parametrize("from_", ["hand[you]", "s"])
def test_a_condition_on_two_names_holds_of_the_card_that_chance_takes(from_: str) -> None:
    """The card that chance takes is one for which the condition holds with the other that was chosen."""
    of = game(f'''let s = (x for x in hand[you])
me chooses c from {from_}, d from hand[me] where d != c and c in hand[you] as "take {{c}} for {{d}}"
move c to table''')
    assert {len(labels) for labels, _ in offers(of, 9)} == {2}
    assert {rank_taken(of, seed) for seed in range(40)} == {0, 1, 2}


ALL_SEEN = [
    "choose s from subsets(hand[me])",
    "choose s from subsets(open, 2) where count(s) == 2",
    "choose s from groups of hand[me] by number",
    "choose some s from (x for x in hand[me] where x.number > 3)",
    "choose c from hand[me] union open",
    "choose c from {best x in open by x.number}",
    "choose c from hand[you]",
    "choose c from row where true",
    "choose 2 s from row",
    "choose c from all of layout",
    "choose c from deck",
]
PERHAPS_HIDDEN = [
    "choose s from subsets(row)",
    "choose s from subsets(all of hand, 2)",
    "choose c from hand[me] union row",
    "choose c from named",
    "choose c from bottom 2 of row",
    "choose c from (x for x in named where x in row)",
]


@pytest.mark.parametrize("choice", [*ALL_SEEN, *PERHAPS_HIDDEN])
def test_only_what_might_be_hidden_is_looked_at_by_sight(choice: str) -> None:
    """What lies where the chooser sees it, or is listed by place anyway, is as quick as ever."""
    (binder, *_) = binders(game(f'let named = row union hand[me]\nme may {choice} as "take": table_of(me)'))
    assert binder.by_sight == (choice in PERHAPS_HIDDEN)


@pytest.mark.parametrize("choice", ALL_SEEN[:2] + ALL_SEEN[4:6])
def test_copies_that_have_numbers_are_looked_at_by_sight(choice: str) -> None:
    (binder, *_) = binders(game(f'me may {choice} as "take": table_of(me)', TWINS))
    assert binder.by_sight == (choice != ALL_SEEN[0]), "copies in one hand count as one"
