"""Who is told what: rules that let somebody read what it cannot know are refused, others are not.

Each case is a text of `play`; ``me`` is to be asked, ``you`` the other. `test_exchange` tries from outside what is let
through here.
"""

from __future__ import annotations

import re

import pytest

from rulerun import RulesetError, load
from rulerun.ir.types import BoolType, EnumType
from rulerun.source.shipped import shipped_names

RULESET = """\
rulerun: 1
game: Sight
players: 2
types: {{Colour: [red, blue]}}
cards:
  face: {{number: int, colour: Colour}}
  deck: {{each: {{number: 1..6, colour: Colour}}}}
zones:
  deck: {{kind: pile, seen_by: nobody, start: deck}}
  hand: {{kind: hand, per: player}}
  away: {{kind: row, seen_by: nobody}}
  table: {{kind: row, seen_by: everyone}}
  won: {{kind: pile, per: player, seen_by: nobody}}
  worn: {{kind: row, per: player, seen_by: others}}
state:
  n: int
  points: int per Player
  purse: {{type: int per Player, seen_by: owner}}
  brow: {{type: int per Player, seen_by: others}}
  trap: {{type: int, seen_by: nobody}}
functions:
  most(Player p): max(c.number for c in hand[p])
  is_high(Card c): c.number > 3
rules:
  play: |
    let me = first p in players where true
    let you = next(me)
    shuffle deck
    deal 2 from deck to hand[me]
    deal 2 from deck to hand[you]
    deal 3 from deck to away
{text}
{more}
result: {{score(Player p): "points[p]", winner: [highest score]}}
"""

CHOICE, NOTE = "RR0507", "RR0508"


def findings(text: str, more: str = "") -> list[tuple[str, str]]:
    """The codes of what is refused in these rules, with the source line."""
    body = "\n".join(f"    {line}" for line in text.strip("\n").splitlines())
    rules = "\n".join(f"  {line}" if line else "" for line in more.strip("\n").splitlines())
    try:
        load(RULESET.format(text=body, more=rules))
    except RulesetError as error:
        found = []
        for diagnostic in error.diagnostics:
            assert diagnostic.span is not None
            line, _ = diagnostic.span.source.position(diagnostic.span.start)
            found.append((diagnostic.code, diagnostic.span.source.line(line).strip()))
        return found
    return []


REFUSED = {
    "a face by a name, in a label": ("let k = most(you)\nme chooses:\n  \"guess {k}\": n = 1", CHOICE, "guess"),
    "a face by a name, behind a text": (
        'let k = most(you)\nme chooses:\n  "a"\n  "b" if k > 3: n = 1',
        CHOICE,
        "b",
    ),
    "a face by a name, in a `where`": ("let k = most(you)\nme chooses m from 1..6 where m > k", CHOICE, "where"),
    "a face by a name, as a range": ("let k = most(you)\nme chooses m from 1..k", CHOICE, "1..k"),
    "a face by a name, as the number to choose": (
        "let k = 1 if most(you) > 3 else 2\nme chooses k x from hand[me]",
        CHOICE,
        "chooses k",
    ),
    "a face by two names": ("let k = most(you)\nlet m = k + 1\nme chooses:\n  \"guess {m}\": n = 1", CHOICE, "guess"),
    "a face by an assignment": ("let k = 0\nk = most(you)\nme chooses:\n  \"guess {k}\": n = 1", CHOICE, "guess"),
    "a face by a sum of assignments": ("let k = 0\nfor c in hand[you]: k += c.number\nnote \"{k}\"", NOTE, "note"),
    "a face by a fork": (
        "let k = 1\nif most(you) > 3: k = 2\nme chooses:\n  \"guess {k}\": n = 1",
        CHOICE,
        "guess",
    ),
    "a face by the other way of a fork": (
        'let k = 1\nif most(you) > 3: k = 2\nelse: k = 3\nnote "{k}"',
        NOTE,
        "note",
    ),
    "a face by turns of a loop": ("let k = 0\nrepeat most(you) times: k += 1\nnote \"{k}\"", NOTE, "note"),
    "a hidden value by a name": ("let k = purse[you]\nme chooses:\n  \"guess {k}\": n = 1", CHOICE, "guess"),
    "what nobody sees, by a name": ("let k = trap\nnote \"{k}\"", NOTE, "note"),
    "what all but the reader see": ("let k = brow[me]\nme chooses:\n  \"guess {k}\": n = 1", CHOICE, "guess"),
    "faces that all but the reader see": (
        "deal 1 from deck to worn[me]\nlet k = sum(c.number for c in worn[me])\n"
        'me chooses:\n  "guess {k}": n = 1',
        CHOICE,
        "guess",
    ),
    "an own hidden value in a note": ("let k = most(me)\nnote \"{k}\"", NOTE, "note"),
    "a card of a hand that chance took": ("let k = random of hand[me]\nnote \"{k}\"", NOTE, "note"),
    "a secretly chosen card that lies open": (
        'me secretly chooses k from away\nnote "{k}"\nmove k to deck',
        NOTE,
        "note",
    ),
    "what was chosen secretly, in a note": ("me secretly chooses k from 1..3\nnote \"{k}\"", NOTE, "note"),
    "what was chosen secretly, to another": (
        'me secretly chooses k from 1..3\nyou chooses:\n  "guess {k}": n = 1',
        CHOICE,
        "guess",
    ),
    "which way was taken secretly": (
        'let k = 0\nme secretly chooses:\n  "one": k = 1\n  "two": k = 2\nnote "{k}"',
        NOTE,
        "note",
    ),
    "how many of a hidden hand": (
        "let s = (c for c in hand[you] where c.number > 3)\nlet k = count(s)\nnote \"{k}\"",
        NOTE,
        "note",
    ),
    "whether a secretly chosen set is empty, by a card of another zone": (
        "let on_show = top of away\nmove on_show to table\nme secretly chooses any gone from hand[me]\n"
        "note \"{(best c in gone by c.number or else on_show)}\"",
        NOTE,
        "note",
    ),
    "a secretly chosen set's size": (
        'me secretly chooses 0..2 gone from hand[me]\nnote "{count(gone)}"',
        NOTE,
        "note",
    ),
    "which card lies away": (
        "let k = best c in away by c.number\nme chooses c from away where c != k",
        CHOICE,
        "where",
    ),
    "which card lies away, in a note": ("let k = best c in away by c.number\nnote \"{k}\"", NOTE, "note"),
    "which card was chosen secretly": (
        "me secretly chooses k from away\nyou chooses c from away where c != k",
        CHOICE,
        "c != k",
    ),
    "a face after it was moved out of sight": (
        "let c = top of deck\nmove c to hand[you]\nlet k = c.number\nme chooses:\n  \"guess {k}\": n = 1",
        CHOICE,
        "guess",
    ),
    "the player with the highest card": ("let p = best q in players by most(q)\nnote \"{p}\"", NOTE, "note"),
    "a card that got mixed": (
        'let c = top of deck\nmove c to table\nmove c to deck\nshuffle deck\nnote "{c}"',
        NOTE,
        "note",
    ),
    "a set of values of a hidden hand": (
        "let s = (c.colour for c in hand[you])\nme chooses x from s",
        CHOICE,
        "from s",
    ),
    "faces of whom only another saw": (
        "let c = top of away\nshow c to you\nlet k = c.number\nme chooses:\n  \"guess {k}\": n = 1",
        CHOICE,
        "guess",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_reader_cannot_know_is_refused(name: str) -> None:
    text, code, where = REFUSED[name]
    found = findings(text)
    assert [c for c, _ in found] == [code]
    assert where in found[0][1]


ACCEPTED = {
    "an own face by a name": "let k = most(me)\nme chooses:\n  \"show {k}\": n = 1",
    "an own hidden value by a name": "let k = purse[me]\nme chooses m from 0..k",
    "a value of another, to its owner": "let k = most(you)\nyou chooses:\n  \"show {k}\": n = 1",
    "what all but the owner see, to another": "let k = brow[you]\nme chooses:\n  \"see {k}\": n = 1",
    "what was stored where all see it": "let k = most(you)\nn = k\nnote \"{k}\"",
    "what was stored where the reader sees it": (
        "let k = most(you)\npurse[me] = k\nlet m = purse[me]\nme chooses x from 0..m"
    ),
    "what was added where all see it": "let k = most(you)\npoints[me] += k\nnote \"{me} gets {k}\"",
    "a face after all were shown it": "let k = best c in hand[you] by c.number\nreveal hand[you]\nnote \"{most(you)}\"",
    "faces that were shown, by a name": "reveal hand[you]\nlet k = most(you)\nnote \"{k}\"",
    "a face that was shown to the reader": (
        "let c = top of away\nshow c to me\nlet k = c.number\nme chooses:\n  \"see {k}\": n = 1"
    ),
    "a face that lies open": "let c = top of deck\nmove c to table\nlet k = c.number\nnote \"{k}\"",
    "how many cards lie hidden": "let k = count(hand[you])\nnote \"{k}\"",
    "what everybody could count along": (
        "let k = 0\nfor c in hand[you] where c.number > 3:\n  move c to hand[me]\n  k += 1\nnote \"{k}\""
    ),
    "how many came over": (
        "let s = (c for c in hand[you] where c.number > 3)\nmove s to table\nlet k = count(s)\nnote \"{k}\""
    ),
    "who was asked by hidden cards": (
        "let p = best q in players by most(q)\np chooses m from 1..2\nnote \"{p} chose {m}\""
    ),
    "who got cards by hidden cards": "let p = best q in players by most(q)\nmove top of deck to won[p]\nnote \"{p}\"",
    "who got points by hidden cards": "let p = best q in players by most(q)\npoints[p] += 1\nnote \"{p}\"",
    "cards that lay open before": (
        "let c = top of deck\nmove c to table\nmove c to won[me]\nlet k = sum(d.number for d in won[me])\nnote \"{k}\""
    ),
    "a place in a row": "let k = first c in away where true\nme chooses c from away where c != k",
    "an open choice": "me chooses k from 1..3\nyou chooses m from 1..k",
    "a secret choice, to who made it": "me secretly chooses k from 1..3\nme chooses m from 1..k",
    "a fork with a note on each way": "if most(you) > 3: note \"high\"\nelse: note \"low\"",
    "a fork that shows, then a count": (
        "let k = 1\nif most(you) > 3:\n  k = 2\n  note \"high\"\nelse: note \"low\"\nme chooses m from 1..k"
    ),
    "who is asked, by a fork": "if most(you) > 3: me chooses m from 1..2\nelse: you chooses m from 1..3",
    "a random number": "let k = random of 1..6\nnote \"{k}\"",
    "what is hidden settles what happens": "if most(you) > most(me): points[you] += 1\nelse: points[me] += 1",
    "known by `knows`": (
        "me may choose c from away where knows(me, c) and c.number > 3: n = c.number"
    ),
    "a secretly chosen card that lies hidden": "you secretly chooses k from hand[you]\nnote \"{you} chose {k}\"",
    "a secretly chosen card where it went": "me secretly chooses k from hand[me]\nmove k to away\nnote \"{k}\"",
    "an event told at once": "each player p at once chooses k from 1..3:\n  points[p] += k\n  note \"{p}: {k}\"",
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_a_reader_knows_is_not_refused(name: str) -> None:
    assert findings(ACCEPTED[name]) == []


CALLED = {
    "by a parameter": (
        "tell_it(most(you))",
        'tell_it(int k): |\n  let me = first p in players where true\n  me chooses:\n    "guess {k}": n = 1',
        True,
    ),
    "by a parameter, of what all know": (
        "tell_it(count(hand[you]))",
        'tell_it(int k): |\n  let me = first p in players where true\n  me chooses:\n    "guess {k}": n = 1',
        False,
    ),
    "to the player who is given along": (
        "ask(me, most(me))",
        'ask(Player p, int k): |\n  p chooses:\n    "show {k}": n = 1',
        False,
    ),
    "to another player than it is of": (
        "ask(you, most(me))",
        'ask(Player p, int k): |\n  p chooses:\n    "show {k}": n = 1',
        True,
    ),
    "once right and once wrong": (
        "ask(me, most(me))\nask(you, most(me))",
        'ask(Player p, int k): |\n  p chooses:\n    "show {k}": n = 1',
        True,
    ),
    "by what a rule returns": (
        'let k = worth()\nme chooses:\n  "guess {k}": n = 1',
        "worth(): |\n  let you = next(first p in players where true)\n  return most(you)",
        True,
    ),
    "by what a rule returns by a fork": (
        'let k = worth()\nme chooses:\n  "guess {k}": n = 1',
        "worth(): |\n  let you = next(first p in players where true)\n  if most(you) > 3: return 1\n  return 2",
        True,
    ),
    "by which call it is": ("if most(you) > 3: say(1)\nelse: say(2)", 'say(int k): note "{k}"', True),
    "by a card that a rule moves": (
        'let c = top of deck\nshow_it(c)\nlet k = c.number\nnote "{k}"',
        "show_it(Card c): move c to table",
        False,
    ),
    "by a card that a rule hides": (
        'let c = top of deck\nhide(c)\nlet k = c.number\nnote "{k}"',
        "hide(Card c): move c to won[first p in players where true]",
        True,
    ),
    "round and round": (
        "ask(me, 1)",
        "ask(Player p, int k): |\n  repeat 3 times:\n"
        '    p chooses:\n      "show {k}": n = 1\n    k = most(p)\n    p = next(p)',
        True,
    ),
}


@pytest.mark.parametrize("name", CALLED)
def test_a_call_is_judged_by_its_arguments(name: str) -> None:
    text, more, refused = CALLED[name]
    assert bool(findings(text, more)) is refused


def test_the_message_names_the_way_of_the_secret() -> None:
    body = 'let k = most(you)\nme chooses:\n  "guess {k}": n = 1'
    text = RULESET.format(text="\n".join(f"    {line}" for line in body.splitlines()), more="")
    with pytest.raises(RulesetError) as caught:
        load(text)
    (diagnostic,) = caught.value.diagnostics
    assert re.search(r"`k`.*`hand`, whose faces only its owner sees \(line \d+\)", diagnostic.message)
    assert diagnostic.notes[0].span is not None
    assert diagnostic.help is not None


def forms(name: str) -> list[tuple[dict[str, object], tuple[str, ...]]]:
    """A ruleset with each other value of its options (the least and the most of a number), and with each variant."""
    game = load(name)
    found: list[tuple[dict[str, object], tuple[str, ...]]] = [({}, (variant,)) for variant in game.offered_variants]
    for option in game.program.options:
        values: list[object] = []
        if isinstance(option.type, BoolType):
            values = [not option.value]
        elif isinstance(option.type, EnumType):
            values = [value for i, value in enumerate(option.type.values) if i != option.value]
        elif option.low is not None:
            values = [option.low, option.high]
        found += [({option.name: value}, ()) for value in values]
    return found


@pytest.mark.long
@pytest.mark.parametrize("name", shipped_names())
def test_no_form_of_a_shipped_game_is_refused(name: str) -> None:
    fewest, most = load(name).player_range
    for options, variants in forms(name):
        for players in {fewest, min(most, 4)}:
            load(name, players=players, options=options, variants=variants)
