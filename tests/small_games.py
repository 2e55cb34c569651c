"""Small rulesets for the tests of views, worlds and the API. Text only."""

FOLLOW = """\
rulerun: 1
game: Follow
players: 2..3
options:
  size: {default: 2, range: 1..3, about: cards in a hand}
cards:
  face: {rank: int}
  name: "the {rank}"
  deck:
    - {each: {rank: 1..6}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  table: {kind: row, seen_by: everyone}
state:
  high: int
functions:
  may_follow(Card c, Player p): |
    c.rank > high or not some(d.rank > high for d in hand[p])
rules:
  play: |
    shuffle deck
    for p in players:
      deal size from deck to hand[p]
    repeat size times:
      high = 0
      for p in players:
        p chooses card from hand[p] where may_follow(card, p) as "play {card}"
        move card to table
        high = max(high, card.rank)
result:
  score(Player p): |
    count(hand[p])
  winner: [highest score]
variants:
  short:
    about: one card each
    options: {size: 1}
"""
"""A player must play a higher card if there is one in the hand: who does not, has none."""

PASS_ON = """\
rulerun: 1
game: Pass on
players: 2..3
cards:
  face: {rank: int}
  name: "the {rank}"
  deck:
    - {each: {rank: 1..6}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  table: {kind: row, seen_by: everyone}
rules:
  play: |
    shuffle deck
    for p in players:
      deal 2 from deck to hand[p]
    for p in players:
      p chooses card from hand[p] as "pass {card}"
      move card to hand[next(p)]
    for p in players:
      p chooses card from hand[p] as "play {card}"
      move card to table
result:
  score(Player p): |
    count(hand[p])
  winner: [highest score]
"""
"""A card goes unseen from hand to hand: each knows of one card in the other's hand."""

MEMORY = """\
rulerun: 1
game: Memory
players: 2
cards:
  face: {rank: int}
  name: "the {rank}"
  deck:
    - {each: {rank: 1..4}, copies: 2}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  layout: {kind: row, per: player, seen_by: nobody}
  gone: {kind: pile, seen_by: everyone}
state:
  turns: int
rules:
  play: |
    shuffle deck
    for p in players:
      deal 2 from deck to layout[p]
    repeat:
      for p in players:
        p chooses slot from layout[p] as "look at {slot}"
        show slot to p
        p chooses mine from layout[p] as "give {mine}"
        p chooses theirs from layout[next(p)] as "take {theirs}"
        swap mine with theirs
        note "{p} has swapped"
      turns += 1
      stop if turns == 3
    reveal all of layout
result:
  score(Player p): |
    sum(c.rank for c in layout[p])
  winner: [lowest score]
"""
"""Cards are looked at and swapped unseen: what was looked at is known wherever it goes."""
