"""Codes RR06xx: faults during play. The rules were sound as text and yet led to something that cannot be done."""

from __future__ import annotations

from rulerun.source.code import Code

PLAY: dict[str, Code] = {
    "RR0601": Code(
        "the game runs on without a decision",
        "A loop that never asks anybody would run for ever. So the rules have a fuel of 1,000,000 from one decision to "
        "the next, and the game is stopped when it is used up. A call of a rule and a turn of a loop burn 5. What "
        "looks at many things burns more, for each of them: numbers counted through, cards looked at for other cards, "
        "sets of cards.",
        "play: |\n  repeat:\n    round_number = 1",
        "play: |\n  repeat:\n    turn(leader)\n    stop if deck is empty",
    ),
    "RR0602": Code(
        "a number leaves its range",
        "Numbers are whole and lie between -2147483648 and 2147483647, the same on every machine. A result beyond is a "
        "fault, never silently another number.",
        "points = points * points",
        "points = min(points * 2, 1000)",
    ),
    "RR0603": Code(
        "division by zero",
        "`x // 0` and `x % 0` have no value.",
        "share = pot // count(hand[me])",
        "share = pot // count(hand[me]) if hand[me] is not empty else 0",
    ),
    "RR0604": Code(
        "an index lies outside its range",
        "A number was used as the index of a zone, table or variable that has no such place.",
        "move card to meld[me, count(hand[me])]",
        "if count(hand[me]) in 1..3:\n  move card to meld[me, count(hand[me])]",
    ),
    "RR0605": Code(
        "`none` is used as a card or a player",
        "The value was `none` when the rules needed a card or a player.",
        "move kept to box",
        "if kept is a card:\n  move kept to box",
    ),
    "RR0606": Code(
        "there is nothing there",
        "The top of an empty zone was wanted, or something was to be picked at random from nothing.",
        "move top of stock to hand[me]",
        "if stock is not empty:\n  move top of stock to hand[me]",
    ),
    "RR0607": Code(
        "a choice without options",
        "Somebody must choose, but nothing can be chosen. A choice that may find nothing says `may` or `otherwise`. A "
        "`where` lets everything through where nothing fits if its last condition says `if possible`.",
        'me chooses card from hand[me] where fits(card) as "play {card}"',
        'me chooses card from hand[me] where fits(card) as "play {card}":\n  move card to pile\n'
        "otherwise:\n  draw_one(me)",
    ),
    "RR0608": Code(
        "too many options",
        "A single choice may offer at most 20,000 options.",
        "me chooses n from 0..1000000",
        "me chooses n from 0..100",
    ),
    "RR0609": Code(
        "too many sets of cards",
        "A choice of several cards with a `where` looks at every set there is, at most 4,096. Without `where` more are "
        "possible: the set is then picked card by card.",
        "me chooses some caught from pool where sum(c.value for c in caught) == 11",
        "me chooses 1..3 caught from pool where sum(c.value for c in caught) == 11",
    ),
    "RR0610": Code(
        "the game does not end",
        "A game may take as many decisions as its `limit` says. Beyond, it is stopped: most likely it can go round in "
        "circles.",
        "# nothing ends the game",
        "limit: {decisions: 5000, then: draw}",
    ),
    "RR0611": Code(
        "the least, greatest, best or first of nothing",
        "`min`, `max`, `best` and `first` need at least one element, or say what else.",
        "let low = min(c.number for c in hand[me])",
        "let low = min(c.number for c in hand[me]) or else 0",
    ),
    "RR0612": Code(
        "a choice tells what its chooser cannot see",
        "What is offered, and its label, may depend on what the chooser sees or knows only: otherwise the list of "
        "options gives hidden cards, or hidden values of the state, away.",
        'me chooses c from layout[rival] where c.rank == king as "take {c}"',
        'me chooses c from layout[rival] where knows(me, c) and c.rank == king as "take {c}"',
    ),
    "RR0613": Code(
        "the rules have no way on",
        "A rule came to a point that it was not made for.",
    ),
    "RR0614": Code(
        "there is no such place in a zone",
        "A place in a pile or row is counted out that the zone does not have.",
        "move card to deck at 99",
        "move card to deck at min(99, count(deck))",
    ),
    "RR0615": Code(
        "too many subsets",
        "One evaluation runs over at most 65,536 sets of cards: the subsets of sixteen cards, for instance.",
        "best s in subsets(deck) by worth(s)",
        "best s in subsets(deck, 1..2) by worth(s)",
    ),
    "RR0616": Code(
        "a cover of too many cards",
        "The best cover is looked for among at most 14 cards.",
        "best cover of all of hand by g of 3..4 where is_meld(g) by worth(g)",
        "best cover of hand[me] by g of 3..4 where is_meld(g) by worth(g)",
    ),
    "RR0617": Code(
        "a rule that leads back to itself too often",
        "A rule or event that says `nested: 3` may be in progress three times at once, and not a fourth time.",
        "events:\n  cancelled(Card c):\n    nested: 3\n    do: |\n      raise cancelled(c)",
        "events:\n  cancelled(Card c):\n    nested: 3\n    do: |\n      if count(pile) < 3: raise cancelled(c)",
    ),
    "RR0618": Code(
        "there is no room on a board",
        "A place of a board holds one card. A card came to a place that was taken, or to a board of which no place was "
        "free.",
        "move card to layout[me] at 3",
        "if layout[me, 3] is empty:\n  move card to layout[me] at 3",
    ),
    "RR0619": Code(
        "a card of a hand is turned over",
        "Cards lie face up or face down in piles, rows and boards; in a hand they lie neither way.",
        "for c in cards_of(me): flip c face up",
        "for c in cards_of(me): reveal c",
    ),
    "RR0620": Code(
        "an exponent below 0",
        "`x ** n` multiplies `n` times by `x`, beginning with 1; with fewer than 0 times it would be a fraction, and "
        "numbers are whole.",
        "stake = 2 ** (doubles - 1)",
        "stake = 2 ** max(doubles - 1, 0)",
    ),
}
