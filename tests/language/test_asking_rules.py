"""A rule's value as a condition: the rule is run first, once, and only if the condition is come to."""

from __future__ import annotations

import pytest
from language_games import HOST, Played, findings, play_text, with_body

RULES = """
  agrees(Player p): |
    total += 1
    p chooses:
      "agree": return true
      "refuse": return false
  big(Card c): |
    told += 1
    return c.number > 3
"""
ASKING = HOST.replace("BODY\n", f"BODY{RULES}")
BEFORE = "let me = first p in players where true\n"


def played(body: str, *choices: str) -> Played:
    return play_text(with_body(BEFORE + body, ASKING), choices=choices)


def told(body: str) -> list[tuple[str, str | None]]:
    """Codes and ways out of what is wrong with a text."""
    return [(d.code, d.help) for d in findings(with_body(BEFORE + body, ASKING), 3)[1]]


IF_ELSE = 'if {}:\n  note "yes"\nelse:\n  note "no"'


@pytest.mark.parametrize(
    ("condition", "choice", "note"),
    [
        ("agrees(me)", "agree", "yes"),
        ("agrees(me)", "refuse", "no"),
        ("not agrees(me)", "agree", "no"),
        ("not agrees(me)", "refuse", "yes"),
        ("not (not agrees(me))", "agree", "yes"),
        ("(agrees(me))", "refuse", "no"),
    ],
)
def test_an_if_asks_a_rule(condition: str, choice: str, note: str) -> None:
    game = played(IF_ELSE.format(condition) + '\nnote "{total}"', choice)
    assert game.notes == [note, "1"]
    assert game.offered == [["agree", "refuse"]]


def test_the_rule_of_an_elif_is_run_only_if_what_stands_before_it_fails() -> None:
    body = 'if agrees(me): note "first"\nelif not agrees(next(me)): note "second"\nelif big(top of row): note "third"\n'
    body = "move (c for c in stock where c.number == 6) to row\n" + body + 'note "{total} {told}"'
    assert played(body, "agree").notes == ["first", "1 0"]
    assert played(body, "refuse", "refuse").notes == ["second", "2 0"]
    assert played(body, "refuse", "agree").notes == ["third", "2 1"]
    assert played(body, "refuse", "agree").asked == [0, 1]


def test_stop_and_skip_to_next_ask_a_rule() -> None:
    body = 'repeat:\n  stop if agrees(me)\n  me = next(me)\nnote "{me} {total}"'
    assert played(body, "refuse", "refuse", "agree").notes == ["P3 3"]
    body = 'for p in players:\n  skip to next if not agrees(p)\n  note "{p}"'
    assert played(body, "agree", "refuse", "agree").notes == ["P1", "P3"]
    body = "for p in players:\n  stop if not agrees(p)\n  points[p] += 1\n"
    assert played(body, "agree", "refuse").scores == (1, 0, 0)


def test_a_card_is_drawn_for_a_rule_that_is_asked() -> None:
    game = played("shuffle stock\nrepeat 3 times:\n  if big(top of stock): points[me] += 1\nmove top of stock to pile")
    assert game.scores[0] in (0, 3)
    assert game.vector.count(game.scores[0]) > 0


def test_a_nested_rule_asks_itself() -> None:
    nested = ASKING.replace(RULES, """
  finds(int n):
    nested: 9
    do: |
      total += n
      if n == 0: return false
      if n == 4: return true
      if not finds(n - 1): return false
      told += n
      return true
""")
    body = 'if finds(6): note "found {total}"\nif not finds(3): note "not below {total} {told}"'
    game = play_text(with_body(body, nested))
    assert game.notes == ["found 15", "not below 21 11"]


def test_what_is_known_of_a_state_variable_ends_when_a_rule_is_asked() -> None:
    state = {"state": "points: int per Player\nleader: Player or none\ntotal: int\ntold: int"}
    body = BEFORE + "leader = me\nif leader is a player:\n  if agrees(me): points[leader] += 1"
    found = findings(with_body(body, ASKING, **state), 3)[1]
    assert [d.code for d in found] == ["RR0407"]


@pytest.mark.parametrize(
    "text",
    [
        "if agrees(me) and total > 1: stop",
        "if total > 1 or not agrees(me): stop",
        "if agrees(me) == true: stop",
        "for p in players where agrees(p): stop",
        "me chooses c from row where agrees(me)",
        'me chooses:\n  "a" if agrees(me): stop',
    ],
)
def test_deeper_inside_a_condition_a_rule_is_not_asked(text: str) -> None:
    (code, way), *more = told(f"repeat:\n  {text.replace(chr(10), chr(10) + '  ')}")
    assert (code, more) == ("RR0518", [])
    assert way is not None
    assert way.startswith("write `let x = agrees(")


def test_a_number_is_not_asked_and_the_way_out_works() -> None:
    counting = ASKING.replace("return c.number > 3", "return c.number")
    (finding,) = findings(with_body("if big(top of row): total = 1", counting), 3)[1]
    assert finding.code == "RR0403"
    assert finding.help == "give it a name first, `let x = big(top of row)`, and compare that: `x > 0`"
    assert findings(with_body("let x = big(top of row)\nif x > 0: total = 1", counting), 3)[0] is not None


def test_a_rule_without_a_value_is_not_asked() -> None:
    silent = ASKING.replace("return c.number > 3", "move c to pile")
    assert [d.code for d in findings(with_body("if big(top of row): total = 1", silent), 3)[1]] == ["RR0517"]


def test_a_function_asks_no_rule() -> None:
    asking = ASKING.replace("    sum(c.number for c in cards)", "    if big(top of row): return 1\n    2")
    assert [d.code for d in findings(with_body("total = worth(row)", asking), 3)[1]] == ["RR0501"]
