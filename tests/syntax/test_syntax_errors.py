"""What an author is told for typical mistakes: code, place and words; how reading goes on after one."""

from __future__ import annotations

import pytest
from syntax_reading import covered, faults, piece

from rulerun import syntax
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.syntax_codes import SYNTAX
from rulerun.syntax import nodes as n
from rulerun.syntax.lexer import MOST_BRACKETS, MOST_CHARACTERS

BODIES = [
    (
        "if a = b: stop",
        [
            "RR0204 1:6 '=' sets a variable; it cannot compare",
        ],
    ),
    (
        "if a == b:\n  stop\nelse if c:\n  stop",
        [
            "RR0205 3:1 'else if' is written as one word",
        ],
    ),
    (
        "if a && b: stop",
        [
            "RR0205 1:6 '&&' is not a sign of the rules language",
        ],
    ),
    (
        "if !a: stop",
        [
            "RR0205 1:4 '!' is not a sign of the rules language",
        ],
    ),
    (
        "if a\n  stop",
        [
            "RR0203 1:4 a ':' is missing at the end of this line, after 'a'",
        ],
    ),
    (
        "if a\nstop",
        [
            "RR0203 1:4 a ':' is missing at the end of this line, after 'a'",
        ],
    ),
    (
        "move card -> deck",
        [
            "RR0205 1:11 '->' is not a sign of the rules language",
        ],
    ),
    (
        "note 'hello'",
        [
            "RR0209 1:6 texts stand in straight double quotes, not in '",
        ],
    ),
    (
        "move card to deck;",
        [
            "RR0205 1:18 ';' is not a sign of the rules language",
        ],
    ),
    (
        "move card deck",
        [
            "RR0201 1:11 'to' is wanted after 'card', not 'deck'",
        ],
    ),
    (
        "me chose card from hand[me]",
        [
            "RR0213 1:4 after the player comes 'chooses', not 'chose'",
        ],
    ),
    (
        "me choose card from hand[me]",
        [
            "RR0213 1:4 after the player comes 'chooses', not 'choose'",
        ],
    ),
    (
        "elif a: stop",
        [
            "RR0214 1:1 no 'if' stands before this 'elif' at the same indentation",
        ],
    ),
    (
        "move (top of deck to hand[me]\nshuffle deck",
        [
            "RR0206 1:6 this '(' is not closed",
        ],
    ),
    (
        "move top of deck to hand[me",
        [
            "RR0206 1:25 this '[' is not closed",
        ],
    ),
    (
        "move top of deck) to hand[me]",
        [
            "RR0206 1:17 no bracket is open that this ')' could close",
        ],
    ),
    (
        "move a[1) to b",
        [
            "RR0206 1:9 ')' does not close '['",
        ],
    ),
    (
        "  if a:\n      move x to y\n    move y to z",
        [
            "RR0207 3:5 this line is indented by 2, which fits no block before it",
        ],
    ),
    (
        "shuffle deck\n  move x to y",
        [
            "RR0207 2:3 this line is indented more than the one before it, but that one opens no block",
        ],
    ),
    (
        "if x:\nmove x to y",
        [
            "RR0215 1:5 after this colon, indented lines are missing",
        ],
    ),
    (
        'note "hello',
        [
            "RR0209 1:6 the text that begins here is not closed on its line",
        ],
    ),
    (
        "x = 3 § 4",
        [
            "RR0210 1:7 the character '§' cannot stand here",
        ],
    ),
    (
        "mvoe top of deck to hand[me]",
        [
            "RR0212 1:1 'mvoe' begins no statement",
        ],
    ),
    (
        "shuffel deck",
        [
            "RR0212 1:1 'shuffel' begins no statement",
        ],
    ),
    (
        "repeet:\n  stop",
        [
            "RR0212 1:1 'repeet' begins no statement",
        ],
    ),
    (
        "repeat 3 tiems:\n  stop",
        [
            "RR0212 1:10 'tiems' cannot stand here",
        ],
    ),
    (
        "deal 3 fro deck to hand[me]",
        [
            "RR0212 1:8 'fro' cannot stand here",
        ],
    ),
    (
        "deal 3 to hand[me]",
        [
            "RR0201 1:8 'from' is wanted after '3', not 'to'",
        ],
    ),
    (
        "let in = 3",
        [
            "RR0211 1:5 'in' is a word of the rules language and cannot be a name",
        ],
    ),
    (
        "let x == 3",
        [
            "RR0204 1:7 'let' gives a name to a value with one '='",
        ],
    ),
    (
        "x == 3",
        [
            "RR0216 1:1 this compares two values and does nothing with the answer",
        ],
    ),
    (
        "x",
        [
            "RR0216 1:1 'x' alone does nothing",
        ],
    ),
    (
        "while x:\n  stop",
        [
            "RR0205 1:1 'while' is not a word of the rules language",
        ],
    ),
    (
        "break",
        [
            "RR0216 1:1 'break' alone does nothing",
        ],
    ),
    (
        "for p in players\n  stop",
        [
            "RR0203 1:10 a ':' is missing at the end of this line, after 'players'",
        ],
    ),
    (
        "me may choose card from hand[me]",
        [
            "RR0213 1:32 a choice with 'may' has a block: what happens if it is taken",
        ],
    ),
    (
        "me may chooses card from hand[me]: stop",
        [
            "RR0213 1:8 after 'may' comes 'choose', not 'chooses'",
        ],
    ),
    (
        'me chooses "a": stop',
        [
            "RR0213 1:12 a text stands after 'may', or below 'chooses:' on a line of its own",
        ],
    ),
    (
        'me chooses card from hand[me] as "x" where a',
        [
            "RR0213 1:38 'where' stands before 'as'",
        ],
    ),
    (
        "me chooses card in hand[me]",
        [
            "RR0213 1:17 what is chosen comes 'from' somewhere, not 'in'",
        ],
    ),
    (
        "me chooses 2 from hand[me]",
        [
            "RR0213 1:14 a name for what is chosen is missing before 'from'",
        ],
    ),
    (
        "me chooses from hand[me]",
        [
            "RR0213 1:12 a name for what is chosen is missing before 'from'",
        ],
    ),
    (
        "move to deck",
        [
            "RR0201 1:6 what is moved is missing before 'to'",
        ],
    ),
    (
        "me chooses:\n  move x to y",
        [
            "RR0213 2:3 each line of a menu is a text in quotes or a pick",
        ],
    ),
    (
        'me chooses:\n  "a" if x\n    stop\n  card hand[me]: stop',
        [
            "RR0203 2:10 a ':' is missing at the end of this line, after 'x'",
            "RR0213 4:8 'from' is missing before 'hand'",
        ],
    ),
    (
        "otherwise: stop",
        [
            "RR0214 1:1 no choice stands before this 'otherwise' at the same indentation",
        ],
    ),
    (
        "if a: if b: if c: stop",
        [
            "RR0215 1:13 after the second ':' on a line only a plain statement may follow",
        ],
    ),
    (
        "if a: if b:\n  stop\nshuffle all cards deck",
        [
            "RR0215 1:11 after this colon a plain statement is missing: a block of lines has its head on a "
            "line of its own",
            "RR0201 3:19 'into' is wanted after 'shuffle all cards', not 'deck'",
        ],
    ),
    (
        "for p in players: if b: stop\nelse:\n  stop",
        [
            "RR0214 2:1 no 'else' can follow a line that holds two blocks: whose would it be?",
        ],
    ),
    (
        'if a: me may "x": stop',
        [
            "RR0215 1:10 after ':' on the same line only a plain statement, 'if', 'for' or 'repeat 3 times' may follow",
        ],
    ),
    (
        "x = a if b",
        [
            "RR0202 1:7 a value with 'if' needs an 'else' as well",
        ],
    ),
    (
        "move x to y if b",
        [
            "RR0202 1:13 'if' cannot follow this statement",
        ],
    ),
    (
        "reveal x if b",
        [
            "RR0202 1:10 a value with 'if' needs an 'else' as well",
        ],
    ),
    (
        "x = 1 + random of y",
        [
            "RR0223 1:9 'random of' stands alone: the whole of what is set, moved or shown",
        ],
    ),
    (
        "x = 1 + best p in players by x",
        [
            "RR0223 1:9 'best ... in ...' inside another expression needs brackets around it",
        ],
    ),
    (
        "if a < b < c: stop",
        [
            "RR0224 1:10 comparisons cannot be put in a chain",
        ],
    ),
    (
        "if a not empty: stop",
        [
            "RR0204 1:6 'not' cannot follow a value",
        ],
    ),
    (
        "if a is red: stop",
        [
            "RR0204 1:9 'is' asks only for a few things, not for 'red'",
        ],
    ),
    (
        "if a is not 3: stop",
        [
            "RR0204 1:13 'is' asks only for a few things, not for '3'",
        ],
    ),
    (
        "x = 1 +",
        [
            "RR0202 1:7 the line ends after '+'; a value is missing",
        ],
    ),
    (
        "x = f(a,)",
        [
            "RR0201 1:9 a value is wanted after ',', not ')'",
        ],
    ),
    (
        "x = hand[]",
        [
            "RR0201 1:10 a value is wanted after '[', not ']'",
        ],
    ),
    (
        "x = hand me",
        [
            "RR0201 1:10 the statement is complete after 'hand'; 'me' cannot follow",
        ],
    ),
    (
        "x = 3:",
        [
            "RR0203 1:6 nothing on this line opens a block",
        ],
    ),
    (
        "let a, b = 3",
        [
            "RR0201 1:6 '=' or ':' is wanted after 'a', not ','",
        ],
    ),
    (
        "swap a and b",
        [
            "RR0202 1:12 the line ends after 'b'; 'with' is missing",
        ],
    ),
    (
        "end gmae",
        [
            "RR0212 1:1 'end' is not followed by what belongs to it",
        ],
    ),
    (
        "skip next",
        [
            "RR0212 1:1 'skip' is not followed by what belongs to it",
        ],
    ),
    (
        'any plyer p may "x": stop',
        [
            "RR0212 1:1 'any' is not followed by what belongs to it",
        ],
    ),
    (
        "any player p in players choose c from d: stop",
        [
            "RR0213 1:25 after the player comes 'chooses', not 'choose'",
        ],
    ),
    (
        "if x then: stop",
        [
            "RR0205 1:6 'then' is not a word of the rules language",
        ],
    ),
    (
        "move x to",
        [
            "RR0202 1:8 the line ends after 'to'; a zone is missing",
        ],
    ),
    (
        "let x",
        [
            "RR0202 1:5 the line ends after 'x'; '=' or ':' is missing",
        ],
    ),
    (
        "let x =",
        [
            "RR0202 1:7 the line ends after '='; a value is missing",
        ],
    ),
    (
        "x += 1 += 2",
        [
            "RR0204 1:8 a line sets one variable only",
        ],
    ),
    (
        "f(x) = 3",
        [
            "RR0204 1:1 only a variable can be set, alone or with an index",
        ],
    ),
    (
        "for in players: stop",
        [
            "RR0201 1:5 a name is missing after 'for'",
        ],
    ),
    (
        "for p players: stop",
        [
            "RR0201 1:7 'in' is wanted after 'p', not 'players'",
        ],
    ),
    (
        "repeat three: stop",
        [
            "RR0201 1:13 'times' is wanted after 'three', not ':'",
        ],
    ),
    (
        "\tif x: stop",
        [
            "RR0208 1:1 a tab stands in the indentation",
        ],
    ),
    (
        "deal (x) to y",
        [
            "RR0211 1:1 'deal' begins a statement here and cannot be the name of a rule",
        ],
    ),
    (
        "note text",
        [
            "RR0201 1:6 a text in double quotes is wanted after 'note', not 'text'",
        ],
    ),
    (
        "raise pricked",
        [
            "RR0202 1:7 the line ends after 'pricked'; '(' is missing",
        ],
    ),
    (
        "end game if x",
        [
            "RR0202 1:10 'if' cannot follow this statement",
        ],
    ),
    (
        "each player p chooses c from d",
        [
            "RR0201 1:15 'at once' or 'in' is wanted after 'p', not 'chooses'",
        ],
    ),
    (
        "x = 99999999999",
        [
            "RR0219 1:5 the number is too large; numbers go up to 2147483647",
        ],
    ),
    (
        'note "a {b"',
        [
            "RR0218 1:9 this '{' is not closed",
        ],
    ),
    (
        'note "a }"',
        [
            "RR0218 1:9 no '{' is open here",
        ],
    ),
    (
        'note "a {}"',
        [
            "RR0218 1:9 nothing stands between these braces",
        ],
    ),
    (
        'note "a {b c}"',
        [
            "RR0201 1:12 the expression is complete after 'b'; 'c' cannot follow",
        ],
    ),
    (
        'note "a {b = c}"',
        [
            "RR0204 1:12 '=' sets a variable; it cannot compare",
        ],
    ),
    (
        "if a = b:\n  mvoe x to y\n  x = 1 +\nelse:\n  shuffel z\nmove x",
        [
            "RR0204 1:6 '=' sets a variable; it cannot compare",
            "RR0212 2:3 'mvoe' begins no statement",
            "RR0202 3:9 the line ends after '+'; a value is missing",
            "RR0212 5:3 'shuffel' begins no statement",
            "RR0202 6:6 the line ends after 'x'; 'to' is missing",
        ],
    ),
    (
        "# only",
        [
            "RR0221 1:1 this text is empty",
        ],
    ),
    (
        "if a:\n  stop\n else:\n  stop",
        [
            "RR0207 3:2 this line is indented by 1, which fits no block before it",
        ],
    ),
    (
        'print "hello"',
        [
            "RR0205 1:1 'print' is not a word of the rules language",
        ],
    ),
    (
        "return 3 4",
        [
            "RR0201 1:10 the statement is complete after '3'; '4' cannot follow",
        ],
    ),
    (
        "if a:\n  # nothing",
        [
            "RR0215 1:5 after this colon, indented lines are missing",
        ],
    ),
    (
        "me secretly choose c from d",
        [
            "RR0201 1:13 'chooses' is wanted after 'secretly', not 'choose'",
        ],
    ),
    (
        "me may choose: stop",
        [
            "RR0215 1:16 the lines of a menu stand below it, indented",
        ],
    ),
    (
        "move top 3 deck to x",
        [
            "RR0201 1:10 'of' is missing after 'top 3'",
        ],
    ),
    (
        "x = players[0\ny = 3",
        [
            "RR0206 1:12 this '[' is not closed",
        ],
    ),
    (
        "if (a == b:\n  stop\nmove y to z z",
        [
            "RR0206 1:4 this '(' is not closed",
            "RR0201 3:13 the statement is complete after 'z'; 'z' cannot follow",
        ],
    ),
    (
        "if a or or b: stop",
        [
            "RR0201 1:9 a condition is wanted after 'or', not 'or'",
        ],
    ),
    (
        "if not: stop",
        [
            "RR0201 1:7 a condition is wanted after 'not', not ':'",
        ],
    ),
    (
        "x = {a, b",
        [
            "RR0206 1:5 this '{' is not closed",
        ],
    ),
    (
        "elseif x:\n  stop",
        [
            "RR0205 1:1 'elseif' is not a word of the rules language",
        ],
    ),
    (
        "function f(x):\n  stop",
        [
            "RR0205 1:1 'function' is not a word of the rules language",
        ],
    ),
    (
        "me chooses card from hand[me] as play",
        [
            "RR0201 1:34 a text in double quotes is wanted after 'as', not 'play'",
        ],
    ),
    (
        "let x: int or nothing = 3",
        [
            "RR0201 1:15 'none' is wanted after 'or', not 'nothing'",
        ],
    ),
    (
        "move card to top deck",
        [
            "RR0201 1:18 'of' is missing after 'top'",
        ],
    ),
]
EXPRESSIONS = [
    ("a = b", ["RR0204 1:3 '=' sets a variable; it cannot compare"]),
    ("a b", ["RR0201 1:3 the expression is complete after 'a'; 'b' cannot follow"]),
    ("a +", ["RR0202 1:3 the text ends after '+'; a value is missing"]),
    ("(a", ["RR0206 1:1 this '(' is not closed"]),
    ("a and", ["RR0202 1:3 the text ends after 'and'; a condition is missing"]),
    ("true or 'x'", ["RR0209 1:9 texts stand in straight double quotes, not in '"]),
    ("x is", ["RR0204 1:5 'is' asks only for a few things, not for the end of the text"]),
    ("points[c.rank", ["RR0206 1:7 this '[' is not closed"]),
    ("sum(x for y)", ["RR0201 1:12 'in' is wanted after 'y', not ')'"]),
    ("sum(x for c in y where)", ["RR0201 1:23 a condition is wanted after 'where', not ')'"]),
    ("a ? b : c", ["RR0205 1:3 '?' is not a sign of the rules language"]),
    (
        "1 or else 2",
        ["RR0222 1:3 'or else' gives a value to 'min', 'max', 'best' or 'first' of nothing; it cannot follow this"],
    ),
    ("a\nb", ["RR0201 2:1 the expression is complete after 'a'; 'b' cannot follow"]),
    ("1..3..4", ["RR0201 1:5 the expression is complete after '3'; '..' cannot follow"]),
    ("count(x for x y)", ["RR0201 1:15 'in' is wanted after 'x', not 'y'"]),
    (
        "min(a or else 3)",
        ["RR0222 1:7 'or else' gives a value to 'min', 'max', 'best' or 'first' of nothing; it cannot follow this"],
    ),
    ("top deck", ["RR0201 1:5 'of' is missing after 'top'"]),
    ("card.5", ["RR0201 1:6 the name of a field is wanted after '.', not '5'"]),
]


@pytest.mark.parametrize(("text", "told"), BODIES)
def test_mistakes_in_statements(text, told) -> None:
    assert faults(syntax.parse_body, text) == told


@pytest.mark.parametrize(("text", "told"), EXPRESSIONS)
def test_mistakes_in_expressions(text, told) -> None:
    assert faults(syntax.parse_expression, text) == told


IS = ("'none'", "'empty'", "'a player'", "'a card'", "'out'", "'face up'", "'face down'")


@pytest.mark.parametrize(
    ("text", "advice", "expected"),
    [
        ("mvoe c to deck", "did you mean 'move'?", ()),
        ("deal 3 fro deck to hand[me]", "did you mean 'from'?", ()),
        ("move card deck", "the form is: move CARDS to ZONE", ("'to'", "an operator")),
        ("move card to", "the form is: move CARDS to ZONE", ("a zone",)),
        ("stop if a is red", "to compare write '=='", IS),
        ("stop if a is up", "how a card lies: 'is face up'", IS),
        ("end gmae", "did you mean 'end game'?", ()),
        ("until x", "write 'repeat:' and in its lines 'stop if CONDITION'", ()),
    ],
)
def test_the_way_out(text, advice, expected) -> None:
    found = Diagnostics()
    syntax.parse_body(piece(text), found)
    assert [(d.help, d.expected) for d in found] == [(advice, expected)]


def test_a_wrong_bracket_points_to_the_one_that_is_open() -> None:
    found = Diagnostics()
    syntax.parse_body(piece("move a[1) to b"), found)
    (diagnostic,) = found
    assert [(note.message, covered(note.span)) for note in diagnostic.notes] == [("this one is still open", "[")]


def test_reading_goes_on_after_a_mistake() -> None:
    text = (
        "me chooses:\n"
        '  "a" if x = 1:\n'
        "    mvoe x to y\n"
        "  c from hand[me]:\n"
        "    shuffel deck\n"
        "repeat:\n"
        "  if a = b:\n"
        "    stop\n"
        "  elif c:\n"
        "    x = (1\n"
        "  else:\n"
        "    end gmae\n"
        'me may "x" when y:\n'
        "  move x\n"
        "otherwise:\n"
        "  note x\n"
        "stop\n"
    )
    assert [told.split(" ")[:2] for told in faults(syntax.parse_body, text)] == [
        ["RR0204", "2:12"],
        ["RR0212", "3:5"],
        ["RR0212", "5:5"],
        ["RR0204", "7:8"],
        ["RR0206", "10:9"],
        ["RR0212", "12:5"],
        ["RR0205", "13:12"],
        ["RR0202", "14:8"],
        ["RR0201", "16:8"],
    ]


def test_after_an_error_the_body_is_one_broken_statement() -> None:
    (statement,) = syntax.parse_body(piece("x = = 3"), Diagnostics())
    assert isinstance(statement, n.Do)
    assert isinstance(statement.call, n.Broken)
    (statement,) = syntax.parse_function_body(piece("x +"), Diagnostics())
    assert isinstance(statement.call, n.Broken)
    assert isinstance(syntax.parse_expression(piece("x +"), Diagnostics()), n.Broken)


def test_the_rest_is_not_told_after_ten_mistakes() -> None:
    assert len(faults(syntax.parse_body, "move x\n" * 50)) == 10


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = " + "(" * 500_000, "100,000 are read"),
        ("x = " + "(" * 50_000, f"more than {MOST_BRACKETS} brackets lie in each other here"),
        ("x = " + "[" * 41, f"more than {MOST_BRACKETS} brackets lie in each other here"),
        ("x = " + "1 + " * 10_000 + "1", "this expression has too many parts"),
        ("x = " + "a if b else " * 5_000 + "1", "this expression has too many parts"),
        ("x = " + "not " * 10_000 + "a", "this expression has too many parts"),
        ("x = a" + ".b" * 10_000, "this expression has too many parts"),
        ("x = a\n" + "+ b\n" * 10_000, "this expression has too many parts"),
        ("".join(" " * 2 * depth + "repeat:\n" for depth in range(60)), "more than 24 blocks lie in each other here"),
        ("y" * (MOST_CHARACTERS + 1), "100,000 are read"),
    ],
)
def test_texts_without_measure_get_a_message(text, told) -> None:
    found = Diagnostics()
    syntax.parse_body(piece(text), found)
    assert [d.code for d in found][:1] == ["RR0217"]
    assert told in found.found[0].message


def test_an_expression_of_many_parts_side_by_side_is_fine() -> None:
    assert faults(syntax.parse_expression, "{" + ", ".join(f"a{i}" for i in range(2000)) + "}") == []


@pytest.mark.long
def test_many_open_brackets_are_told_in_bounded_time() -> None:
    assert len(faults(syntax.parse_body, "x = (1\n" * 5_000)) == 10


@pytest.mark.parametrize("number", ["2147483648", "9" * 50_000])
def test_a_number_too_large_is_told(number) -> None:
    assert faults(syntax.parse_expression, f"1 + {number}") == [
        "RR0219 1:5 the number is too large; numbers go up to 2147483647"
    ]


@pytest.mark.parametrize("code", [code for code, about in SYNTAX.items() if about.bad and code != "RR0220"])
def test_the_examples_of_a_code_show_it(code) -> None:
    assert {told.split(" ")[0] for told in faults(syntax.parse_body, SYNTAX[code].bad)} == {code}
    assert faults(syntax.parse_body, SYNTAX[code].good) == []
