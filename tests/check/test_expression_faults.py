"""Faults of names, types, effects, sight and flow in rule text: code, place and way out of each."""

from __future__ import annotations

import pytest
from rule_texts import compiled, faults, ruleset

CASES = [
    # body, code, blamed text, part of the help
    ("move top of stock to hnad[leader]", "RR0401", "hnad", "did you mean `hand`?"),
    ("move top of stock to Table", "RR0401", "Table", "did you mean `table`?"),
    ("for c in hnad[leader]:\n  helper()", "RR0401", "hnad", "did you mean `hand`?"),
    ("shuffle sotck", "RR0401", "sotck", "did you mean `stock`?"),
    ("collect all cards to deck", "RR0401", "deck", "the zones are stock, table"),
    ("open = mood == geren", "RR0401", "geren", "did you mean `green`?"),
    ("round = cuont(hand[leader])", "RR0401", "cuont", "did you mean `count`?"),
    ("ruond = 3", "RR0401", "ruond", "did you mean `round`?"),
    ("counter = 3", "RR0401", "counter", "let counter = …"),
    ("totel[leader] = 3", "RR0401", "totel", "did you mean `total`?"),
    ("raise takn(leader, top of table)", "RR0401", "takn", "did you mean `taken`?"),
    ("leader chooses x from others as \"ask\"", "RR0401", "others", "`players after"),
    ("if wild:\n  let u = nope", "RR0401", "nope", None),
    ("note \"{unknown_thing}\"", "RR0401", "unknown_thing", None),
    ("let c = colour", "RR0401", "colour", "`card.colour`"),
    ("let stock = 3", "RR0402", "stock", "a name of its own"),
    ("let a = 3\nlet a = 4", "RR0402", "a", "a name of its own"),
    ("for total in players:\n  helper()", "RR0402", "total", "a name of its own"),
    ("mood = amber", "RR0403", "amber", None),
    ("let n = value(leader)", "RR0403", "leader", None),
    ("deal hand[leader] from stock to table", "RR0403", "hand[leader]", "`count(hand[leader])`"),
    ("deal 2 from hand[leader] to table", "RR0403", "hand[leader]", "move random of hand[leader]"),
    ("if hand[leader]:\n  helper()", "RR0403", "hand[leader]", "is not empty"),
    ("open = 3", "RR0403", "3", None),
    ("swap hand[leader] with table", "RR0403", "swap hand[leader] with table", None),
    ("kept = kept + hand[leader]", "RR0403", "kept + hand[leader]", "`union`"),
    ("open = some(c for c in hand[leader])", "RR0403", "c", None),
    ("round = count(c.number > 3 for c in hand[leader])", "RR0403", "c.number > 3", "put the condition last"),
    ("round = sum(c.colour for c in hand[leader])", "RR0403", "c.colour", None),
    ("let q = red in mood", "RR0403", "mood", None),
    ("let y = (top of kept).number", "RR0403", "kept", "the zones are"),
    ("move top of table to hand[leader] at 3", "RR0403", "hand[leader] at 3", None),
    ("let x = 3 if open else leader", "RR0403", "3 if open else leader", None),
    ("let x: int per Player = 3", "RR0403", "int per Player", "`state:`"),
    ("let x: Card", "RR0403", "let x: Card", "`Card or none`"),
    ("kept = hand[leader] union {leader}", "RR0403", "leader", None),
    ("kept = hand[leader] union last", "RR0403", "last", "{last}"),
    ("let s = {1, 2}", "RR0403", "1", "1..3"),
    ("open = leader is empty", "RR0403", "leader", None),
    ("open = open is none", "RR0403", "open is none", None),
    ("open = caller is a card", "RR0403", "caller is a card", None),
    ("for x in round:\n  helper()", "RR0403", "round", "repeat round times"),
    ("round = count(round)", "RR0403", "round", None),
    ("open = level", "RR0403", "level", None),
    ("round = level", "RR0403", "level", "order(level)"),
    ("open = last", "RR0403", "last", "is not none"),
    ("leader = none", "RR0403", "none", None),
    ("note \"{none}\"", "RR0403", "none", None),
    ("show top of heap to 3", "RR0403", "3", None),
    ("swap hand[leader] with top of heap", "RR0403", "swap hand[leader] with top of heap", None),
    ("move round to heap", "RR0403", "round", None),
    ("move top 2 of hand[leader] to heap", "RR0403", "top 2 of hand[leader]", "random of"),
    ("open = max(c.colour for c in table) == red", "RR0403", "c.colour", None),
    ("caller = best p in players by p", "RR0403", "p", None),
    ("open = same(hand[p] for p in players)", "RR0403", "hand[p]", None),
    ("open = distinct(c.number for c in table for d in table) > 1", "RR0403", None, None),
    ("kept = (c for c in table for d in heap)", "RR0403", None, "union"),
    ("let s = (c.number for c in table)", "RR0403", "c.number", None),
    ("leader += 1", "RR0403", "leader += 1", None),
    ("any player p in table may \"x\":\n  helper()", "RR0403", "table", None),
    ("let c = top of table\nopen = c in players", "RR0411", "c in players", None),
    ("open = level < mid and level == red", "RR0403", "red", None),
    ("open = leader < caller", "RR0411", "leader", None),
    ("open = level < round", "RR0411", "level < round", None),
    ("open = (top of heap) == kept", "RR0411", None, "use `in`"),
    ("leader chooses 3..2 cs from hand[leader]", "RR0412", "3..2", None),
    ("let a = 1\na[2] = 3", "RR0404", "a[2]", None),
    ("let a = round[2]", "RR0404", "round[2]", "write `round`"),
    ("total = 3", "RR0404", "total", "total[p]"),
    ("round = points[leader]", "RR0403", "leader", None),
    ("return 3", "RR0517", "return 3", None),
    ("move top of stock to hand", "RR0404", "hand", "`hand[p]`"),
    ("for me in players:\n  move top of stock to hand", "RR0404", "hand", "`hand[me]`"),
    ("move top of stock to table[leader]", "RR0404", "table[leader]", "write `table`"),
    ("move top of stock to lane[leader]", "RR0404", "lane[leader]", "lane[p, 1]"),
    ("total[leader, 2] = 3", "RR0404", "total[leader, 2]", "total[p]"),
    ("let t = total", "RR0404", "total", "total[p]"),
    ("let z = points", "RR0404", "points", "points[red]"),
    ("let z = hand_value[leader]", "RR0404", "hand_value[leader]", "hand_value(leader)"),
    ("open = some(c.worth > 1 for c in table)", "RR0404", "c.worth", "c.worth[red]"),
    ("open = (top of table).colr == red", "RR0405", "colr", "the fields are"),
    ("open = (top of table).numbr == 3", "RR0405", "numbr", "did you mean `number`?"),
    ("let x = leader.colour", "RR0405", "leader.colour", None),
    ("let n = value()", "RR0406", "value()", "value(Card c)"),
    ("raise taken(leader)", "RR0406", "taken(leader)", "taken(Player who, Card what)"),
    ("round = min(3)", "RR0406", "min(3)", None),
    ("move last to heap", "RR0407", "last", "if last is a card:"),
    ("if last is a card:\n  helper()\n  move last to heap", "RR0407", "last", None),
    ("leader = caller", "RR0407", "caller", "if caller is a player:"),
    ("caller = leader\ncaller = none\nround = total[caller]", "RR0407", "caller", None),
    ("repeat:\n  stop if caller is none\n  helper()\n  leader = caller", "RR0407", "caller", None),
    ("let x = none", "RR0408", "none", "Player or none"),
    ("let x = red", "RR0408", "red", "let x: Colour = red"),
    ("let e = {}", "RR0408", "{}", None),
    ("let x = value", "RR0409", "value", "value(c)"),
    ("let x = 1..3", "RR0409", "1..3", None),
    ("size = 4", "RR0410", "size", "`state:`"),
    ("table = kept", "RR0410", "table", "move"),
    ("for p in players:\n  p = leader", "RR0410", "p", "let x = p"),
    ("if mood < blue:\n  helper()", "RR0411", "mood < blue", "ordered: [red, blue, green]"),
    ("if leader is a player:\n  helper()", "RR0411", "leader is a player", "… or none"),
    ("if leader == none:\n  helper()", "RR0411", "leader == none", "… or none"),
    ("open = some(c == red for c in table)", "RR0411", "c == red", "`c.colour`"),
    ("if hand[leader] > 3:\n  helper()", "RR0411", "hand[leader]", "count(hand[leader])"),
    ("if level < 2:\n  helper()", "RR0411", "level < 2", None),
    ("round = order(mood)", "RR0411", "order(mood)", None),
    ("move top of stock to lane[leader, 7]", "RR0412", "7", None),
    ("move top of table to table at 0", "RR0412", "0", None),
    ("round = 5 // 0", "RR0412", "5 // 0", None),
    ("round = 5 ** -1", "RR0412", "5 ** -1", None),
    ("for n in 3..1:\n  helper()", "RR0412", "3..1", "1..3"),
    ("pick_any()", "RR0413", "pick_any()", "let x = pick_any()"),
    ("taken(leader, top of table)", "RR0413", "taken(leader, top of table)", "raise taken"),
    ("raise helper()", "RR0413", "raise helper()", "helper()"),
    ("let z = hand(leader)", "RR0413", "hand(leader)", "hand[leader]"),
    ("if (top of stock).number > 3:\n  helper()", "RR0502", "(top of stock)", "on a line of its own"),
    ("open = (random of players) == leader", "RR0502", None, "on a line of its own"),
    ("play()", "RR0503", "play", "repeat"),
    ("return\nhelper()", "RR0504", "helper()", None),
    ("repeat:\n  if open:\n    stop\n  else:\n    return\n  helper()", "RR0504", "helper()", None),
    ("repeat:\n  round += 1", "RR0505", "repeat", "`stop if …`"),
    ("repeat:\n  helper()", "RR0505", "repeat", "`stop if …`"),
    ("round = sum(1 for a in stock for b in stock for c in stock for d in stock for e in stock for f in stock "
     "for g in stock)", "RR0506", "stock", "10,000,000"),
    ("leader chooses c from hand[next(leader)] where c.number > 2 as \"x\"", "RR0507", "c.number", "knows"),
    ("leader chooses c from shown[leader] as \"play {c.number}\"", "RR0507", "c.number", None),
    ("leader chooses c from shown[leader] where value(c) > 2 as \"{c}\"", "RR0507", "c", None),
    ("leader chooses c from hand[leader] where some(d.number > 2 for p in players for d in hand[p])", "RR0507",
     "d.number", None),
    ("leader chooses c from table where hand_value(next(leader)) > 2", "RR0507", "hand_value(next(leader))", None),
    ("leader chooses:\n  \"x\" if hand_value(next(leader)) > 2:\n    helper()", "RR0507", None, None),
    ("leader chooses c from stock where c.number > 2 as \"x\"", "RR0507", "c", None),
    ("leader chooses 2 cs from sack as \"x\"", "RR0507", "sack", "one by one"),
    ("deal 1 from stock to hand[leader]\nnote \"{hand_value(leader)}\"", "RR0508",
     'note "{hand_value(leader)}"', "reveal"),
    ("note \"{all of hand}\"", "RR0508", "all of hand", "reveal"),
    ("stop if open", "RR0509", "stop if open", "`return`"),
    ("any player p may choose c from hand[p] as \"x\":\n  skip to next", "RR0509", "skip to next", None),
    ("each player p at once chooses c from hand[p] as \"x\":\n  stop", "RR0509", "stop", None),
    ("flip top of table face up", "RR0519", "flip top of table face up", "seen_by: nobody"),
    ("end game for 3", "RR0403", "3", None),
    ("as usual", "RR0514", "as usual", None),
    ("each player p at once chooses c from hand[p] as \"x\"", "RR0515", None, "end the line with `:`"),
    ("leader chooses 2 xs from Colour as \"x\"", "RR0515", "Colour", None),
    ("let c = first c in stock where c.number > 3", "RR0516", "stock", None),
    ("let x = helper()", "RR0517", "helper()", None),
    ("round = ask(leader, 3) + 1", "RR0518", "ask(leader, 3)", "let x = ask(leader, 3)"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "code", "blamed", "way_out"), CASES)
def test_fault_is_told_once_at_its_place(body: str, code: str, blamed: str | None, way_out: str | None) -> None:
    found = faults(body)
    assert [f[0] for f in found] == [code]
    if blamed is not None:
        assert found[0][2] == blamed
    if way_out is not None:
        assert found[0][3] is not None
        assert way_out in found[0][3]


FUNCTIONS = [
    ("bad(): |\n  round = 3\n  1", "RR0501", "round"),
    ("bad(Player p): |\n  move top of stock to hand[p]\n  1", "RR0501", "move top of stock to hand[p]"),
    ("bad(): |\n  helper()\n  1", "RR0501", "helper()"),
    ("bad(): |\n  repeat 3 times:\n    let x = 1\n  2", "RR0501", "repeat 3 times"),
    ("bad(): |\n  ask(leader, 2)", "RR0518", "ask(leader, 2)"),
    ("bad(): |\n  top of stock", "RR0502", "top of stock"),
    ("bad(Card c): |\n  if c.number > 3:\n    return 1", "RR0511", "bad"),
    ("bad(): |\n  return none", "RR0408", "none"),
    ("bad(): |\n  if open:\n    return 1\n  leader", "RR0403", "leader"),
    ("one(int n): |\n  two(n)\ntwo(int n): |\n  one(n)", "RR0503", "one"),
    ("bad(int n): |\n  let k = 0\n  for a in stock:\n    for b in stock:\n      for c in stock:\n"
     "        for d in stock:\n          for e in stock:\n            for f in stock:\n              k += n\n  k",
     "RR0506", "for a in stock"),
]  # fmt: skip


@pytest.mark.parametrize(("functions", "code", "blamed"), FUNCTIONS)
def test_fault_in_a_function(functions: str, code: str, blamed: str) -> None:
    assert [(f[0], f[2]) for f in faults("helper()", functions)] == [(code, blamed)]


def test_a_let_of_a_neighbour_is_known_to_be_another_player() -> None:
    body = 'let rival = next(leader)\nleader chooses c from hand[rival] where c.number > 2 as "x"'
    assert faults(body) == []  # `leader` is a state variable: it may have changed since
    told = faults(f"for me in players:\n  {body.replace('leader', 'me').replace(chr(10), chr(10) + '  ')}")
    assert [(f[0], f[2]) for f in told] == [("RR0507", "c.number")]
    same = body.replace("next(leader)", "leader")
    told = faults(f"for me in players:\n  {same.replace('leader', 'me').replace(chr(10), chr(10) + '  ')}")
    assert told == []


def test_one_slip_does_not_make_others() -> None:
    body = "let c = top of stok\nmove c to heap\nif c.number > 3:\n  total[leader] += c.number"
    assert [(f[0], f[2]) for f in faults(body)] == [("RR0401", "stok")]


def test_functions_that_double_the_work_are_refused() -> None:
    functions = "f0(): |\n  round + 1\n" + "".join(f"f{i}(): |\n  f{i - 1}() + f{i - 1}()\n" for i in range(1, 40))
    found = faults("helper()", functions)
    assert {f[0] for f in found} == {"RR0506"}
    assert len(found) == 1


def test_several_faults_are_told_together() -> None:
    body = "ruond = 1\nif opne:\n  move top of stock to hand\nelse:\n  leader = caller"
    assert [f[0] for f in faults(body)] == ["RR0401", "RR0401", "RR0404", "RR0407"]


def test_text_switched_off_by_an_option_is_still_checked() -> None:
    assert [f[2] for f in faults("if wild:\n  let c = top of stok")] == ["stok"]


def test_a_name_whose_declaration_is_at_fault_is_not_told_again() -> None:
    text = ruleset("round = odd\nodd = 3").replace("  round: int\n", "  round: int\n  odd: Colr\n")
    _, found = compiled(text)
    assert [d.code for d in found] == ["RR0303"]


def test_the_cycle_is_named() -> None:
    found = faults("helper()", "one(int n): |\n  two(n)\ntwo(int n): |\n  one(n)")
    assert found[0][1] == "`one` leads back to itself: `one` → `two` → `one`"


SOUND = [
    "if caller is a player:\n  leader = caller",
    "if caller is none:\n  return\nleader = caller",
    "for p in players:\n  stop if caller is none\n  leader = caller",
    "round = total[caller] if caller is a player else 0",
    "if caller is none or total[caller] > 3:\n  helper()",
    "if caller != none and total[caller] > 3:\n  helper()",
    "if not (caller is none):\n  leader = caller",
    "caller = leader\nround = total[caller]",
    "let c = last\nif c is a card:\n  helper()\n  move c to heap",
    "repeat:\n  stop if caller is a player\n  helper()\nleader = caller",
    "round = sum(total[caller] for p in players where caller is a player and p == caller)",
    "let x: Colour = red\nif light == red:\n  mood = x",
    "mood = red if open else blue",
    "caller = leader if open else none",
    "open = level < high and level in {low, mid}",
    "round = order(high) - order(level)",
    "round = grid[red, leader]",
    "open = round in {1, 2} or round not in 3..5",
    "kept = (hand[leader] union table) without {c for c in heap}".replace("{c for c in heap}", "(c for c in heap)"),
    "let b = best p in players where total[p] > 3 by total[p] or else none\ncaller = b",
    "round = max(c.number for c in table) or else 0",
    "round = min(c.number for p in players for c in hand[p])",
    "round = count(c for c in stock where c.number > 3) + count(players) + count(Colour) + count(all of hand)",
    "leader chooses c from hand[next(leader)] where knows(leader, c) and c.number > 2 as \"x\"",
    "leader chooses c from hand[leader] where c.number == max(d.number for d in hand[leader]) as \"{c.colour}\"",
    "leader chooses c from shown[next(leader)] where c.stripes > 2 as \"x\"",
    "leader chooses c from shown[leader] where c.stripes > 0 as \"a {c.stripes}\"",
    "let c = random of stock\nmove c to heap",
    "move random of hand[leader] to table\nmove random of (c for c in table where c.number > 2) to heap",
    "note \"{count(hand[leader])} cards, {top of heap}\"",
    "let n = ask(leader, 3)\nround = ask(leader, 2)",
    "repeat:\n  let n = ask(leader, 2)",
    "round = score(leader)",
    "let x: set of Colour = {}\nlet y: set of Colour\nlet z: int\nx = {red} union {mood}",
    "let w: Player or none\nlet v: Level\nopen = mood in {red, blue} and w is none and v == low",
    "kept = {top of heap}\nopen = kept is empty",
    "caller = none if open else leader",
    "for c in top 2 of stock:\n  move c to heap",
    "let c = random of top 3 of stock\nmove c to heap",
    "collect top of heap to stock\ncollect kept to stock\ncollect top 2 of table to stock",
    "reveal kept\nmove kept to heap",
    "let n = 3\nfor i in 1..n:\n  skip to next\nfor i in 1..n where i % 2 == 0:\n  round += i",
    "open = leader in (players after leader) or leader in (players starting with leader)",
    "leader chooses:\n  c from table, i from 1..2:\n    helper()\n  \"on\" if size == 3:\n    helper()",
    "leader chooses:\n  \"on\":\n    helper()\n  \"off\" if wild:\n    helper()",
    "leader chooses 0..2 cs from table as \"x\"\nleader chooses any ds from heap\nkept = cs union ds",
    "let c: Card or none = top of heap\nlet d: Card = c",
    "open = all of hand is empty and table is not empty",
    "kept = all of hand",
    "show all of hand to (p for p in players where p != leader)",
    "round = random of 1..6\nmood = random of {red, blue}\nmood = random of Colour",
]  # fmt: skip


@pytest.mark.parametrize("body", SOUND)
def test_sound_text_is_taken(body: str) -> None:
    assert [f[:3] for f in faults(body)] == []
