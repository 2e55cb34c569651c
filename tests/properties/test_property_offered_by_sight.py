"""What is offered does not follow from what the chooser cannot tell apart.

In a position two hidden cards with equal backs exchange their faces: not in the state, which stays word for word as it
is, but in the program, where two cards are printed differently. Options, their order, keys and labels are the same. And
two copies of a card exchange their numbers in the state, wherever they lie: keys and labels are the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from rulerun.facts.observations import back_classes
from rulerun.ir import nodes as ir
from rulerun.ir.program import CardColumn, Program
from rulerun.ir.traverse import walk
from rulerun.ir.types import CARD, CARDS, WORD_BITS
from rulerun.run.machine import Machine
from rulerun.run.table import Table
from rulerun.source.diagnostic import RulesetError
from rulerun.view.labels import unique_labels
from rulerun.view.names import Namer
from unguarded import unguarded

GAME = """
rulerun: 1
game: Hidden faces
players: 2
cards:
  face: {number: int}
  back: {side: int}
  name: "{number}"
  deck: DECK
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  row: {kind: row, seen_by: nobody}
  shown: {kind: row, seen_by: everyone}
  heap: {kind: hand, seen_by: nobody}
  dummy: {kind: hand, per: player, seen_by: others}
  away: {kind: row, seen_by: nobody}
rules:
  play: |
    shuffle deck
    for p in players:
      deal 3 from deck to hand[p]
      deal 2 from deck to dummy[p]
    deal 3 from deck to row
    deal 2 from deck to shown
    deal 3 from deck to heap
    let one = random of row
    flip one face up
    repeat 2 times:
      for me in players:
        let you = next(me)
        let low = min(c.side for c in all of hand) or else 1
        SETTING
        CHOICE
        shuffle deck
result: {score(Player p): "count(hand[p])", winner: [highest score]}
"""
DECKS = (
    "{each: {number: 1..12, side: 1..2}}",
    "{each: {number: 1..6, side: 1..2}, copies: 2}",
    "{each: {number: 1..24, side: 1..1}}",
)
SOURCES = ("all of hand", "hand[you]", "hand[me]", "row", "shown", "heap", "dummy[me]", "all of dummy", "away")
ONE, SEVERAL = "move c to away", "move s to away"
DRAWN = ("top 3 of deck", "bottom 2 of row", "top 2 of row")


def domain(random: Random) -> str:
    """The cards that are offered, somehow put together."""
    cards = random.choice(SOURCES)
    for _ in range(random.randrange(3)):
        cards = f"({cards} union {random.choice(SOURCES)})"
    return random.choice((cards, cards, f"(x for x in {cards} where x.side >= low)", f"({cards} without shown)"))


def ruleset(random: Random, deck: str) -> str:
    """A ruleset that offers cards."""
    cards, setting = domain(random), "let pool: Cards = {}"
    if random.random() < 0.6:
        setting, cards = f"let pool = {cards}", "pool"
    choice = random.choice(
        (
            f'me may choose c from {cards} as "take {{c}}": {ONE}',
            f'me may choose c from {cards} where c.side == low if possible as "take {{c}}": {ONE}',
            f'me may choose c from {random.choice(DRAWN)} as "take {{c}}": {ONE}',
            f'me may choose c from {cards}, d from {domain(random)} as "take {{c}}, {{d}}": {ONE}',
            f'me may choose c from {cards}, d from {domain(random)} where c.side != d.side as "{{c}}, {{d}}": {ONE}',
            f'me may choose s from subsets({cards}, 1..2) as "take {{s}}": {SEVERAL}',
            f"me may choose s from groups of ({cards}) by side: {SEVERAL}",
            f"me may choose s from runs of ({cards}) by side: {SEVERAL}",
            f'me may choose 1..2 s from {cards} as "take {{s}}": {SEVERAL}',
            f'me may choose 2 s from {cards} where count(s) == 2 as "take {{s}}": {SEVERAL}',
        )
    )
    return GAME.replace("DECK", deck).replace("SETTING", setting).replace("CHOICE", choice)


def swapped(program: Program, a: int, b: int) -> Program:
    """The program with the faces of two cards exchanged."""

    def exchanged(values: tuple[int, ...], width: int = 1) -> tuple[int, ...]:
        found = list(values)
        one, other = slice(a * width, (a + 1) * width), slice(b * width, (b + 1) * width)
        found[one], found[other] = values[other], values[one]
        return tuple(found)

    def column(field: CardColumn) -> CardColumn:
        return replace(field, values=exchanged(field.values, field.width))

    return replace(program, kinds=exchanged(program.kinds), fields=tuple(map(column, program.fields)))


def hidden_pairs(program: Program, v: list[int], seat: int) -> Iterator[tuple[int, int]]:
    """Pairs of cards with equal backs and different faces, of neither of which the seat was ever shown anything."""
    layout, backs = program.layout, back_classes(program)

    def lies_open(card: int) -> bool:
        shown = v[layout.place_base + card] >> seat & 1 or program.zones[v[layout.loc_base + card]].seen >> seat & 1
        return bool(shown or v[program.face_up + card // WORD_BITS] >> card % WORD_BITS & 1)

    width = layout.words_per_set
    at = layout.member_base + seat * layout.zones * width
    counted = {
        program.kinds[card]
        for zone in range(layout.zones)
        for card in range(layout.cards)
        if v[at + zone * width + card // WORD_BITS] >> card % WORD_BITS & 1
    }
    hidden = [c for c in range(layout.cards) if not lies_open(c) and program.kinds[c] not in counted]
    for a, b in combinations(hidden, 2):
        if program.kinds[a] != program.kinds[b] and backs[program.kinds[a]] == backs[program.kinds[b]]:
            yield a, b


def offered(program: Program, v: list[int]) -> tuple[object, object, object]:
    """All that is offered in a position."""
    machine = Machine(program, telling=True, plain=True)
    options = machine.options(v)
    keys = [machine.key(v, option) for option in options]
    assert len(set(keys)) == len(keys), "a key names one option"
    return options, keys, unique_labels(machine, Namer(program), v, options)


def renumbered(program: Program, v: list[int], a: int, b: int) -> list[int]:
    """The state with the numbers of two cards of one kind exchanged."""
    found, layout = v.copy(), program.layout
    Table(program).swap_cards(found, a, b)
    at = layout.place_base
    found[at + a], found[at + b] = found[at + b], found[at + a]
    held = [place for place in walk(program.blocks) if isinstance(place, ir.Place) and not place.axes]
    for word in {place.offset for place in held if place.type == CARD}:
        found[word] = {a: b, b: a}.get(found[word], found[word])
    words = {place.offset + i for place in held if place.type == CARDS for i in range(layout.words_per_set)}
    assert layout.words_per_set == 1
    for word in words:
        if (found[word] >> a ^ found[word] >> b) & 1:
            found[word] ^= 1 << a | 1 << b
    return found


def loaded(random: Random, deck: str) -> tuple[str, Program]:
    text = ruleset(random, deck)
    try:
        return text, unguarded(text).program
    except RulesetError as fault:
        if not {d.code for d in fault.diagnostics} <= {"RR0507", "RR0516"}:
            raise
        pytest.skip("refused")


@pytest.mark.parametrize("number", range(60))
def test_copies_have_no_numbers_in_what_is_offered(number: int) -> None:
    random = Random(number)
    text, program = loaded(random, DECKS[1])
    machine = Machine(program, telling=True)
    v = machine.start(number)
    while not machine.is_over(v):
        before = offered(program, v)[1:]
        for a in range(1, program.card_count):
            if program.kinds[a] == program.kinds[a - 1]:
                assert offered(program, renumbered(program, v, a, a - 1))[1:] == before, f"{a}: {text}"
        machine.choose(v, random.randrange(len(machine.options(v))))


@pytest.mark.parametrize("number", range(120))
def test_hidden_faces_change_nothing_in_what_is_offered(number: int) -> None:
    random = Random(number)
    text, program = loaded(random, random.choice(DECKS))
    machine = Machine(program, telling=True)
    v = machine.start(number)
    while not machine.is_over(v):
        pairs = list(hidden_pairs(program, v, machine.chooser(v)))
        before = offered(program, v)
        for a, b in random.sample(pairs, min(6, len(pairs))):
            assert offered(swapped(program, a, b), v) == before, f"{a} and {b}: {text}"
        machine.choose(v, random.randrange(len(machine.options(v))))
