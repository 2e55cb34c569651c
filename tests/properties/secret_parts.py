"""The parts of programs about secrets: where a value comes from, what carries it, what surrounds its use, who reads it.

Every part is a template of rule text. Its holes: ``$e`` the value that is carried, ``$a``, ``$b`` and ``$c`` fresh
names, ``$me`` and ``$you`` two seats, ``$cards`` cards somewhere, ``$pile`` a pile or row, ``$k`` a small number,
``$colour`` a colour. What rule text names (zones, variables, functions, rules) is declared where it is used: see
`secret_programs`.
"""

from __future__ import annotations

from dataclasses import dataclass

INT, BOOL, COLOUR, PLAYER, CARD, CARDS = "int", "bool", "Colour", "Player", "Card", "Cards"


@dataclass(frozen=True)
class Source:
    """Where a value comes from: ``text`` is the value, ``lines`` stand before."""

    name: str
    gives: str
    text: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Carrier:
    """What makes of a value of type ``takes`` one of type ``gives``."""

    name: str
    takes: str
    gives: str
    text: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Frame:
    """What surrounds the use of a value: ``around`` holds a line ``$use``; where there is a ``text``, it is declared
    and holds the use instead, which then reads ``$v``."""

    name: str
    around: tuple[str, ...]
    declared: str = ""
    section: str = ""


@dataclass(frozen=True)
class Sink:
    """Where a value of type ``takes`` comes to be read by somebody."""

    name: str
    takes: str
    lines: tuple[str, ...]


OR_ELSE = ("  n = 1", "otherwise: n = 2")
"""What follows a choice that may have nothing to offer."""
NUMBERS_SET = ("for p in players: purse[p] = random of 1..4",)

SOURCES = (
    # faces
    Source("highest face", INT, "(max(c.number for c in $cards) or else 0)"),
    Source("sum of faces", INT, "sum(c.number for c in $cards)"),
    Source("count of a colour", INT, "count(c for c in $cards where c.colour == $colour)"),
    Source("distinct colours", INT, "distinct(c.colour for c in $cards)"),
    Source("number on top", INT, "(top of $pile).number"),
    Source("size of a zone", INT, "count($cards)"),
    Source("some face", BOOL, "some(c.number > $k for c in $cards)"),
    Source("faces alike", BOOL, "same(c.colour for c in $cards)"),
    Source("zone is empty", BOOL, "($cards is empty)"),
    Source("colour below", COLOUR, "(bottom of $pile).colour"),
    Source("seat by faces", PLAYER, "(best p in players by count(c for c in hand[p] where c.number > $k))"),
    # which card
    Source("best card", CARD, "(best c in $cards by c.number)"),
    Source("first card by face", CARD, "(first c in $cards where c.number > $k or else top of table)"),
    Source("top card", CARD, "(top of $pile)"),
    Source("card at a place", CARD, "spread[$you, 2]"),
    Source("place of a face", INT, "(first i in 1..2 where spread[$you, i].number > $k or else 1)"),
    Source("cards by face", CARDS, "(c for c in $cards where c.number > $k)"),
    Source("two on top", CARDS, "(top 2 of $pile)"),
    Source("all of a zone", CARDS, "(c for c in $cards)"),
    Source("cards of two zones", CARDS, "($cards union table)"),
    Source("card in a zone", BOOL, "((best c in all of layout by c.number) in layout[$you])"),
    Source("cards of a number", CARDS, "(first g in groups of $cards by number where true or else {top of table})"),
    # variables
    Source("hidden number by lot", INT, "hid", ("hid = random of 1..4",)),
    Source("hidden number by faces", INT, "hid", ("hid = sum(c.number for c in $cards)",)),
    Source("hidden truth", BOOL, "hflag", ("hflag = some(c.number > $k for c in $cards)",)),
    Source("hidden word by lot", COLOUR, "htint", ("htint = random of Colour",)),
    Source("hidden seat by lot", PLAYER, "hwho", ("hwho = random of players",)),
    Source("purse", INT, "purse[$you]", NUMBERS_SET),
    Source("own purse", INT, "purse[$me]", NUMBERS_SET),
    Source("richest", PLAYER, "(best p in players by purse[p])", NUMBERS_SET),
    Source("some are rich", BOOL, "some(purse[p] > $k for p in players)", NUMBERS_SET),
    Source("hidden card", CARD, "(hkept if hkept is a card else top of table)", ("hkept = top of $pile",)),
    Source("hidden set", CARDS, "hpool", ("hpool = (c for c in $cards where c.number > $k)",)),
    Source("hidden tokens", CARDS, "(c for c in away where hmark[c] == 1)", ("hmark[best c in away by c.number] = 1",)),
    Source("open number", INT, "n", ("n = random of 1..4",)),
    Source("open word", COLOUR, "tint", ("tint = random of Colour",)),
    Source("open seat", PLAYER, "who", ("who = random of players",)),
    Source("open truth", BOOL, "flag", ("flag = $k > 1",)),
    Source("open tokens", CARDS, "(c for c in away where mark[c] == 1)", ("mark[top of away] = 1",)),
    # choices
    Source("secret number", INT, "$a", ("$you secretly chooses $a from 1..3",)),
    Source("secret colour", COLOUR, "$a", ("$you secretly chooses $a from Colour",)),
    Source("secret seat", PLAYER, "$a", ("$you secretly chooses $a from players",)),
    Source("secret card", CARD, "$a", ("$you secretly chooses $a from hand[$you]",)),
    Source("buried card", CARD, "$a", ("$you secretly chooses $a from hand[$you]", "move $a to away")),
    Source("secret cards", CARDS, "$a", ("$you secretly chooses 1..2 $a from hand[$you]",)),
    Source("any secret cards", CARDS, "$a", ("$you secretly chooses any $a from hand[$you]",)),
    Source("secret truth", BOOL, "$a", ("let $a = false", "$you secretly chooses:", '  "yes": $a = true', '  "no"')),
    Source("open choice", INT, "$a", ("$you chooses $a from 1..3",)),
    Source("open choice of a card", CARD, "$a", ('$you chooses $a from hand[$you] as "point at {$a}"',)),
    Source("numbers at once", INT, "purse[$you]", ("each player p at once chooses x from 1..3: purse[p] = x",)),
    Source(
        "cards at once", CARDS, "(c for c in away)", ("each player p at once chooses x from hand[p]: move x to away",)
    ),
    # chance
    Source("drawn card", CARD, "$a", ("let $a = top of deck", "move $a to hand[$you]")),
    Source("card of a hand by lot", CARD, "$a", ("let $a = random of hand[$you]",)),
    Source("number by lot", INT, "$a", ("let $a = random of 1..3",)),
    # none at all
    Source("a seat", PLAYER, "$you"),
    Source("a number", INT, "$k"),
    Source("a colour", COLOUR, "$colour"),
)

PLAIN = {INT: "$k", BOOL: "($k > 1)", COLOUR: "$colour", PLAYER: "$me", CARD: "(top of table)"}
"""A value of each type that everyone knows."""


def _for_each_type() -> tuple[Carrier, ...]:
    found = []
    for of in (INT, BOOL, COLOUR, PLAYER, CARD, CARDS):
        low = of.lower()
        found += [
            Carrier("let", of, of, "$a", ("let $a = $e",)),
            Carrier("function", of, of, f"same_{low}($e)"),
            Carrier("rule", of, of, "$a", (f"let $a = give_{low}($e)",)),
        ]
        if of in PLAIN:
            found += [
                Carrier("assignment", of, of, "$a", (f"let $a = {PLAIN[of]}", "$a = $e")),
                Carrier("overwritten", of, of, "$a", ("let $a = $e", f"$a = {PLAIN[of]}")),
                Carrier(
                    "if with a plain side",
                    of,
                    of,
                    "$a",
                    ("let $a = $e", "n = random of 1..2", f"if n > 1: $a = {PLAIN[of]}"),
                ),
                Carrier("loop", of, of, "$a", (f"let $a = {PLAIN[of]}", "for i in 1..2:", "  $a = $e")),
            ]
    return tuple(found)


CARRIERS = (
    *_for_each_type(),
    Carrier("hidden variable", INT, INT, "hid", ("hid = $e",)),
    Carrier("hidden variable", BOOL, BOOL, "hflag", ("hflag = $e",)),
    Carrier("hidden variable", COLOUR, COLOUR, "htint", ("htint = $e",)),
    Carrier("hidden variable", PLAYER, PLAYER, "hwho", ("hwho = $e",)),
    Carrier("hidden variable", CARD, CARD, "(hkept if hkept is a card else top of table)", ("hkept = $e",)),
    Carrier("hidden variable", CARDS, CARDS, "hpool", ("hpool = $e",)),
    Carrier("own variable", INT, INT, "purse[$me]", ("purse[$me] = $e",)),
    Carrier("open variable", INT, INT, "n", ("n = $e",)),
    Carrier("open variable", BOOL, BOOL, "flag", ("flag = $e",)),
    Carrier("open variable", COLOUR, COLOUR, "tint", ("tint = $e",)),
    Carrier("open variable", PLAYER, PLAYER, "who", ("who = $e",)),
    Carrier("open variable", CARD, CARD, "(kept if kept is a card else top of table)", ("kept = $e",)),
    Carrier("open variable", CARDS, CARDS, "pool", ("pool = $e",)),
    Carrier("open variable per seat", INT, INT, "points[$you]", ("points[$you] = $e",)),
    Carrier("token", CARD, CARDS, "(c for c in $cards where mark[c] == 1)", ("mark[$e] = 1",)),
    Carrier("hidden token", CARD, CARDS, "(c for c in $cards where hmark[c] == 1)", ("hmark[$e] = 1",)),
    # numbers
    Carrier("reckoning", INT, INT, "($e % 3 + 1)"),
    Carrier("comparison", INT, BOOL, "($e > $k)"),
    Carrier("equality", INT, BOOL, "($e == $k)"),
    Carrier("branches of a function", INT, INT, "stepped($e)"),
    Carrier("loop of a function", INT, INT, "looped($e)"),
    Carrier("branches of a rule", INT, INT, "$a", ("let $a = settle($e)",)),
    Carrier("loop until", INT, INT, "$a", ("let $a = 0", "repeat:", "  stop if $a >= min($e, 4)", "  $a += 1")),
    Carrier("loop over a range", INT, INT, "$a", ("let $a = 0", "for i in 1..$e:", "  $a = i")),
    Carrier("binder", INT, INT, "count(x for x in $cards where x.number == $e)"),
    Carrier("cards by number", INT, CARDS, "(x for x in $cards where x.number == $e)"),
    Carrier("table of numbers", INT, COLOUR, "(red if $e > $k else blue)"),
    # truths
    Carrier("if", BOOL, INT, "$a", ("let $a = 1", "if $e: $a = 3")),
    Carrier("if else", BOOL, COLOUR, "$a", ("let $a = red", "if $e: $a = blue", "else: $a = red")),
    Carrier("conditional", BOOL, INT, "(3 if $e else 1)"),
    Carrier("conditional", BOOL, CARD, "(top of away if $e else bottom of away)"),
    Carrier("conditional", BOOL, PLAYER, "($me if $e else $you)"),
    Carrier("conditional set", BOOL, CARDS, "(c for c in table where $e)"),
    Carrier("stop", BOOL, INT, "$a", ("let $a = 1", "repeat 2 times:", "  stop if $e", "  $a += 1")),
    Carrier("skip", BOOL, INT, "$a", ("let $a = 1", "for i in 1..2:", "  skip to next if $e", "  $a += i")),
    Carrier("not", BOOL, BOOL, "(not $e)"),
    Carrier("and", BOOL, BOOL, "($e and count(table) > 0)"),
    # colours
    Carrier("order of a value", COLOUR, INT, "order($e)"),
    Carrier("equality", COLOUR, BOOL, "($e == $colour)"),
    Carrier("next", COLOUR, COLOUR, "next($e)"),
    Carrier("table", COLOUR, INT, "worth[$e]"),
    Carrier("cards by colour", COLOUR, CARDS, "(x for x in $cards where x.colour == $e)"),
    Carrier("depth of a card", INT, CARD, "(top of away)", ("move top of table to away at $e % 2",)),
    # seats
    Carrier("equality", PLAYER, BOOL, "($e == $me)"),
    Carrier("next", PLAYER, PLAYER, "next($e)"),
    Carrier("hand of a seat", PLAYER, INT, "count(hand[$e])"),
    Carrier("variable of a seat", PLAYER, INT, "points[$e]", ("points[$you] = 2",)),
    Carrier("purse of a seat", PLAYER, INT, "purse[$e]", NUMBERS_SET),
    # cards
    Carrier("number of a card", CARD, INT, "$e.number"),
    Carrier("colour of a card", CARD, COLOUR, "$e.colour"),
    Carrier("number of two cards", CARD, BOOL, "($e.number == (top of $pile).number)"),
    Carrier("same card", CARD, BOOL, "($e == (best c in $cards by c.number))"),
    Carrier("set of a card", CARD, CARDS, "{$e}"),
    Carrier("cards but this", CARD, CARDS, "(x for x in $cards where x != $e)"),
    Carrier("moved away", CARD, CARD, "$a", ("let $a = $e", "move $a to away")),
    Carrier("moved to the table", CARD, CARD, "$a", ("let $a = $e", "move $a to table")),
    Carrier("moved below", CARD, CARDS, "(c for c in away)", ("move $e to bottom of away",)),
    Carrier("neighbour of a card that left", CARD, CARD, "(top of $pile)", ("move $e to heap",)),
    Carrier("shown", CARD, CARD, "$a", ("let $a = $e", "show $a to $me")),
    Carrier("revealed", CARD, CARD, "$a", ("let $a = $e", "reveal $a")),
    Carrier("known face", CARD, INT, "$a", ("let $a = 0", "if knows($me, $e): $a = 3")),
    # sets of cards
    Carrier("size of a set", CARDS, INT, "count($e)"),
    Carrier("sum over a set", CARDS, INT, "sum(c.number for c in $e)"),
    Carrier("empty set", CARDS, BOOL, "($e is empty)"),
    Carrier("best of a set", CARDS, CARD, "(best c in $e by c.number or else top of table)"),
    Carrier("first of a set", CARDS, CARD, "(first c in $e where true or else top of table)"),
    Carrier("common", CARDS, CARDS, "($e common $cards)"),
    Carrier("without", CARDS, CARDS, "($cards without $e)"),
    Carrier("union", CARDS, CARDS, "($e union $cards)"),
    Carrier("where", CARDS, CARDS, "(c for c in $e where c.number > $k)"),
    Carrier("loop over a set", CARDS, INT, "$a", ("let $a = 0", "for c in $e: $a = c.number")),
    Carrier("last of a loop", CARDS, CARD, "$a", ("let $a = top of table", "for c in $e: $a = c")),
    Carrier("function of a set", CARDS, INT, "highest($e)"),
    Carrier("moved away", CARDS, CARDS, "$a", ("let $a = $e", "move $a to away")),
    Carrier("revealed", CARDS, CARDS, "$a", ("let $a = $e", "reveal $a")),
)

FRAMES = (
    Frame("", ("$use",)),
    Frame("open if", ("if count(table) > 0:", "  $use")),
    Frame("loop", ("for q in players:", "  $use")),
    Frame("parameter", ("$a($e, $me, $you)",), "$a($type $v, Player $me, Player $you)", "rules"),
    Frame("event", ("raise $a($e, $me, $you)",), "$a($type $v, Player $me, Player $you)", "events"),
    Frame("trigger", ("raise $a($e, $me, $you)",), "$a($type $v, Player $me, Player $you)", "triggers"),
)

SINKS = (
    # labels
    *(
        Sink("label", of, ("$me chooses:", '  "say {$e}"', '  "say nothing"'))
        for of in (INT, COLOUR, PLAYER, CARD, CARDS)
    ),
    Sink("label of a pick", INT, ('$me chooses $a from 1..2 as "bid {$a} on {$e}"',)),
    Sink("label of a pick", CARD, ('$me chooses $a from table as "put {$a} on {$e}"',)),
    # what is allowed
    Sink("where", INT, ("$me chooses $a from 1..4 where $a != $e",)),
    Sink("where of a card", INT, ("$me chooses $a from hand[$me] where $a.number > $e:", *OR_ELSE)),
    Sink("where", BOOL, ("$me chooses $a from 1..3 where $a == 1 or $e",)),
    Sink("where", COLOUR, ("$me chooses $a from Colour where $a != $e",)),
    Sink("where", PLAYER, ("$me chooses $a from players where $a != $e",)),
    Sink("where", CARD, ('$me chooses $a from $cards where $a != $e as "take {$a}":', *OR_ELSE)),
    Sink("where", CARDS, ('$me chooses $a from $cards where $a in $e as "take {$a}":', *OR_ELSE)),
    Sink("where of a face", CARD, ('$me chooses $a from table where $a.number >= $e.number as "lay {$a}":', *OR_ELSE)),
    Sink("where if possible", INT, ("$me chooses $a from 1..4 where $a == $e if possible",)),
    Sink("if of a line", BOOL, ("$me chooses:", '  "go" if $e', '  "stay"')),
    Sink("if of a line", CARD, ("$me chooses:", '  "go" if $e.number > $k', '  "stay"')),
    Sink("may", BOOL, ('$me may "go" if $e: n = 1',)),
    Sink("guarded by knowing", CARD, ("$me chooses:", '  "go" if knows($me, $e) and $e.number > $k', '  "stay"')),
    # how many, in which order
    Sink("range", INT, ("$me chooses $a from 0..($e % 5)",)),
    Sink("number to choose", INT, ("$me chooses 0..($e % 3) $a from table",)),
    Sink("options", CARDS, ('$me chooses $a from $e as "take {$a}":', *OR_ELSE)),
    Sink(
        "options to take", CARDS, ('$me chooses $a from $e as "take {$a}":', "  move $a to table", "otherwise: n = 2")
    ),
    Sink("options of sets", CARDS, ("$me chooses 1..2 $a from $e:", *OR_ELSE)),
    Sink("options of subsets", CARDS, ('$me chooses $a from subsets($e, 1..2) as "take {$a}":', *OR_ELSE)),
    Sink("options of two ranges", INT, ("$me chooses $a from 1..2, $b from 0..($e % 4) where $a != $b",)),
    Sink("options of groups", CARDS, ('$me chooses $a from groups of $e by number as "take {$a}":', *OR_ELSE)),
    Sink("options of runs", CARDS, ('$me chooses $a from runs of $e by number as "take {$a}":', *OR_ELSE)),
    Sink("choice of a place", INT, ("$me chooses $a from 1..2 where spread[$me, $a].number > $e if possible",)),
    Sink("secret options", INT, ("$me secretly chooses $a from 0..($e % 5)", "hid = $a")),
    Sink("secret options", CARDS, ("$me secretly chooses $a from $e:", "  move $a to away", "otherwise: n = 2")),
    Sink("options of all at once", INT, ("each player p at once chooses $a from 0..($e % 5): purse[p] = $a",)),
    # notes
    *(Sink("note", of, ('note "it is {$e}"',)) for of in (INT, COLOUR, PLAYER, CARD, CARDS)),
    Sink("note of a truth", BOOL, ('note "it is {3 if $e else 1}"',)),
    Sink("note within an if", BOOL, ('if $e: note "it is so"',)),
    Sink("notes of a loop", CARDS, ("for $a in $e:", '  note "there is {$a}"')),
    # open variables
    Sink("open variable", INT, ("n = $e",)),
    Sink("open variable", BOOL, ("flag = $e",)),
    Sink("open variable", COLOUR, ("tint = $e",)),
    Sink("open variable", PLAYER, ("who = $e",)),
    Sink("open variable", CARD, ("kept = $e",)),
    Sink("open variable", CARDS, ("pool = $e",)),
    Sink("open token", CARD, ("mark[$e] += 1",)),
    Sink("open tokens", CARDS, ("for $b in $e: mark[$b] = 1",)),
    Sink("points", PLAYER, ("points[$e] += 1",)),
    # being asked
    Sink("if around a choice", BOOL, ("if $e:", "  $me chooses:", '    "yes": n = 1', '    "no": n = 2')),
    Sink(
        "loop around a choice", INT, ("repeat $e % 3 times:", "  $me chooses:", '    "yes": n += 1', '    "no": n += 2')
    ),
    Sink("who is asked", PLAYER, ("$e chooses:", '  "yes": n = 1', '  "no": n = 2')),
    Sink("window", BOOL, ('any player $b after $me may "snap" if $e: points[$b] += 1',)),
    Sink(
        "window of some",
        INT,
        ('any player $b in ($c for $c in players where points[$c] < $e) may "snap":', "  points[$b] += 9", "  stop"),
    ),
    Sink(
        "window by lot",
        CARDS,
        ('any player $b at random may choose $a from hand[$b] where $a in $e as "throw {$a}":', "  n = 1", "  stop"),
    ),
    # what happens to cards
    Sink("move", CARD, ("move $e to away",)),
    Sink("move to the table", CARD, ("move $e to table",)),
    Sink("move of some", CARDS, ("move $e to away",)),
    Sink("deal of so many", INT, ("deal $e % 3 from table to away",)),
    Sink("depth of a move", INT, ("move top of table to away at $e % 2",)),
    Sink("flip", CARD, ("if $e in away: flip $e face up",)),
    Sink("reveal", CARD, ("reveal $e",)),
    Sink("reveal of some", CARDS, ("reveal $e",)),
    Sink("show", CARD, ("show $e to $me",)),
    Sink("move within an if", BOOL, ("if $e: move top of table to away",)),
    Sink("swap", CARD, ("if $e in away: swap $e with bottom of away",)),
    # facts
    Sink("tell", BOOL, ("tell $me whether $e",)),
    Sink("tell of cards", INT, ("tell $me whether ($b.number > $e for $b in hand[$you])",)),
    Sink("tell of cards", CARDS, ("tell players whether ($b in $e for $b in away)",)),
    # leaving and ends
    Sink("leaves", PLAYER, ("$e leaves",)),
    Sink("end", BOOL, ("if $e: end game",)),
    # taking back
    Sink(
        "asked after a choice",
        BOOL,
        ("$me chooses:", '  "this": n = 1', '  "that": n = 2', "if $e: $me chooses $a from 1..2"),
    ),
)
