"""Every statement node, with the text of its head under its span; blocks, menus, windows, lines that carry on."""

from __future__ import annotations

import pytest
from syntax_reading import READERS, bare, covered, fragments, one, read, walk

from rulerun import syntax
from rulerun.syntax import nodes as n
from rulerun.syntax.printer import show_body

PLAIN = [
    ("let x = 1", n.Let),
    ("let x: Card or none = none", n.Let),
    ("let x: int per Player", n.Let),
    ("total[p] += 3", n.Assign),
    ("move top of deck to hand[me]", n.Move),
    ("move c to top of pile", n.Move),
    ("move c to pile at k + 1", n.Move),
    ("move first c in hand[me] where c.red to spent", n.Move),
    ("deal 3 from deck to bottom of hand[me]", n.Deal),
    ("shuffle deck", n.Shuffle),
    ("turn over pile[3]", n.TurnOver),
    ("shuffle all cards into deck", n.ShuffleInto),
    ("shuffle all of won into pile[3]", n.ShuffleInto),
    ("collect all cards to deck", n.Collect),
    ("collect all of won to deck", n.Collect),
    ("swap hand[me] with hand[q]", n.Swap),
    ("flip c face up", n.Flip),
    ("flip all of layout[me] face down", n.Flip),
    ("stop if top of pile is face down", n.Stop),
    ("reveal all of layout", n.Reveal),
    ("show top 3 of pile to me", n.Show),
    ("tell q whether (c.colour == col for c in hand[q])", n.Tell),
    ("raise picked(me, cactus)", n.Raise),
    ("as usual", n.Do),
    ("let x = as usual", n.Let),
    ("return as usual", n.Return),
    ('note "{me} goes on"', n.Say),
    ("stop", n.Stop),
    ("stop if deck is empty", n.Stop),
    ("skip to next if out[p]", n.Skip),
    ("return", n.Return),
    ("return 3", n.Return),
    ("end game", n.EndGame),
    ("end game for p", n.EndGame),
    ("p leaves", n.Leave),
    ("p returns", n.Rejoin),
    ("next(p) returns", n.Rejoin),
    ("all players return", n.Rejoin),
    ("reverse play", n.ReversePlay),
    ("play_hand()", n.Do),
    ('me chooses card from hand[me] where fits(card) as "play {card}"', n.Choose),
    ("me secretly chooses k from 0..count(pile)", n.Choose),
    ('me chooses c from d where c.x == 1 if possible as "c"', n.Choose),
    ("me chooses c from d where (a if b else c.x) if possible, else a or b if possible, else a if b else c", n.Choose),
    ('each player p at once chooses 2 discards from hand[p] as "to the crib: {discards}"', n.AtOnce),
]
WITH_BLOCKS = [
    ("if a == b", n.If),
    ("for p in players after me where not out[p]", n.For),
    ("for i in 7..1 by -1", n.For),
    ("for p in players where p != me for c in hand[p] for i in 1..7 by 2", n.For),
    ("repeat", n.Repeat),
    ("repeat hands times", n.Repeat),
    ("me chooses some caught from pool where sum(c.value for c in caught) == 9", n.Choose),
    ('me chooses c from hand[me], i from 1..7 where fits(c, i) as "lay {c} on {i}"', n.Choose),
    ('me may choose slot from layout[me] as "look at {slot}"', n.Choose),
    ("me may secretly choose 0..4 gone from hand[me]", n.Choose),
    ('me may "knock"', n.Choose),
    ('me may "knock" if deadwood(me) <= 10', n.Choose),
    ('any player p in players starting with me may choose any c from hand[p] as "{c}"', n.Window),
    ('any player p starting with me may "pass"', n.Window),
    ('any player p at random may "Snap!"', n.Window),
    ('any player p may "Snap!"', n.Window),
    ("each player p in others at once chooses bid from 0..9", n.AtOnce),
    ("each player p at once may choose bid from 0..9", n.AtOnce),
    ('each player p at once may "join"', n.AtOnce),
]


@pytest.mark.parametrize(("text", "node"), PLAIN)
def test_a_plain_statement_covers_its_own_text(text, node) -> None:
    read_back = one(f"  {text}   # remark\n\n")
    assert type(read_back) is node
    assert covered(read_back.span) == text


@pytest.mark.parametrize(("text", "node"), WITH_BLOCKS)
def test_a_statement_with_a_block_covers_its_head(text, node) -> None:
    body = read(syntax.parse_body, f"{text}:\n  stop\nshuffle deck\n")
    assert [type(statement) for statement in body] == [node, n.Shuffle]
    assert covered(body[0].span) == text
    assert bare(one(f"{text}: stop")) == bare(body[0])


def test_between_them_the_examples_hold_every_statement_node() -> None:
    assert {node for _, node in (*PLAIN, *WITH_BLOCKS)} == set(n.Stmt.__args__)


@pytest.mark.parametrize("text", [text for text, _ in PLAIN] + [f"{text}:\n  stop" for text, _ in WITH_BLOCKS])
def test_printing_and_reading_again_changes_nothing(text) -> None:
    body = read(syntax.parse_body, text)
    assert bare(read(syntax.parse_body, show_body(body))) == bare(body)


@pytest.mark.parametrize(("kind", "text"), [pytest.param(kind, text, id=name) for name, kind, text in fragments()])
def test_bodies_of_many_games_are_read(kind, text) -> None:
    result = read(READERS[kind], text)
    assert not any(isinstance(node, n.Broken) for node in walk(result))
    if kind != "expression":
        assert bare(read(READERS[kind], show_body(result))) == bare(result)


def test_if_keeps_its_branches_in_order() -> None:
    statement = one("if a: stop\nelif b:\n  shuffle deck\nelse:\n  return\n")
    assert [condition.text for condition, _ in statement.branches] == ["a", "b"]
    assert [type(body[0]) for _, body in statement.branches] == [n.Stop, n.Shuffle]
    assert type(statement.otherwise[0]) is n.Return


@pytest.mark.parametrize(
    ("line", "block"),
    [
        ("if a: for p in players: stop", "if a:\n  for p in players:\n    stop"),
        (
            "for p in players for c in hand[p]: if c.red: stop",
            "for p in players for c in hand[p]:\n  if c.red:\n    stop",
        ),
        ("repeat 3 times: repeat n times: stop", "repeat 3 times:\n  repeat n times:\n    stop"),
        ("if a: stop\nelif b: if c: stop", "if a:\n  stop\nelif b:\n  if c:\n    stop"),
        ("if a: stop\nelse: if c: stop", "if a:\n  stop\nelse:\n  if c:\n    stop"),
    ],
)
def test_a_block_in_a_line_may_hold_one_more(line, block) -> None:
    assert bare(one(line)) == bare(one(block))


def test_a_menu_holds_picks_and_texts() -> None:
    menu = one(
        'me chooses:\n  slot from layout[me] as "swap it for {slot}": stop\n  "discard" if may_use:\n    stop\n'
        "  2 pair from hand[me]: stop\notherwise: stop\n"
    )
    first, second, third = menu.lines
    assert (menu.may, menu.secret, len(menu.otherwise)) == (False, False, 1)
    assert (covered(first.span), first.condition) == ('slot from layout[me] as "swap it for {slot}"', None)
    assert (second.pick, second.label.parts, second.condition.text) == (None, ("discard",), "may_use")
    assert (third.pick.quantity.low.value, third.label) == (2, None)


@pytest.mark.parametrize("head", ["me chooses:", "me may choose:", "each player p at once chooses:"])
def test_a_text_of_a_menu_without_a_block_does_nothing(head: str) -> None:
    for text in (f'{head}\n  "pass" if may_use\n  "go": stop\n', f'{head}\n  "pass"\n'):
        menu = one(text)
        assert menu.lines[0].body == ()
        assert covered(menu.lines[0].span) in ('"pass" if may_use', '"pass"')
        assert bare(one(show_body((menu,)))) == bare(menu)


def test_a_choice_without_a_block_lets_its_names_live_on() -> None:
    choice = one('me chooses c from hand[me], i from 1..7 as "{c} on {i}"')
    (line,) = choice.lines
    assert line.body is None
    assert [binder.name.text for binder in line.pick.binders] == ["c", "i"]


@pytest.mark.parametrize(
    ("text", "low", "high", "is_open"),
    [("3", "3", None, False), ("0..4", "0", "4", False), ("some", "1", None, True), ("any", "0", None, True),
     ("count(x) - 3", "count(x) - 3", None, False)],
)  # fmt: skip
def test_quantities(text, low, high, is_open) -> None:
    from rulerun.syntax.printer import show_expression

    quantity = one(f"me chooses {text} gone from hand[me]").lines[0].pick.quantity
    assert show_expression(quantity.low) == low
    assert (quantity.high and show_expression(quantity.high)) == high
    assert quantity.open is is_open


def test_a_window_asks_all_players_where_nothing_is_said() -> None:
    window = one('any player p may "Snap!": stop')
    assert isinstance(window.domain, n.Players)
    after = one('any player p after me may "Snap!": stop')
    assert (after.domain.how, after.domain.player.text) == ("after", "me")
    assert one('any player p in others at random may "Snap!": stop').at_random is True


def test_a_window_may_hold_a_menu_and_an_otherwise() -> None:
    window = one('any player p in x may choose:\n  "a": stop\n  c from hand[p] as "b": stop\notherwise:\n  stop\n')
    assert [line.pick is None for line in window.lines] == [True, False]
    assert window.otherwise is not None


def test_where_cards_go() -> None:
    spots = [one(f"move c to {text}").to for text in ("pile", "top of pile", "bottom of pile", "pile at 2")]
    assert [(spot.position, spot.at and spot.at.value) for spot in spots] == [
        (None, None),
        ("top", None),
        ("bottom", None),
        (None, 2),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "x = a\n  + b\n",
        "x = a +\n  b\n",
        "x =\n  a + b\n",
        "x = (a\n+\n\n  # remark\nb)\n",
        "x = a  # remark\n  # another\n+ b\n",
    ],
)
def test_lines_that_carry_on(text) -> None:
    assert bare(one(text)) == bare(one("x = a + b"))


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("stop if a\n  and b\n", "stop if a and b"),
        ("stop if a\nor b\n", "stop if a or b"),
        ('me chooses c from d\n  where c.x == 1\n  as "c"\n', 'me chooses c from d where c.x == 1 as "c"'),
        ('me chooses c from d\nwhere c.x == 1\nas "c"\n', 'me chooses c from d where c.x == 1 as "c"'),
        ("me chooses c from d\n  where a\n  if possible\n  else b", "me chooses c from d where a if possible, else b"),
        ("me chooses c from d where a if possible,\n  else b\n", "me chooses c from d where a if possible else b"),
        ("x = 1 if a\n  else 2 if b\n  else 3\n", "x = 1 if a else 2 if b else 3"),
        ("x = 1 if a\nelse 2\n", "x = 1 if a else 2"),
        ("let w = best p in players\n  where a\n  by b\n", "let w = best p in players where a by b"),
        ("move top of deck\n  to hand[me]\n", "move top of deck to hand[me]"),
    ],
)
def test_clause_words_carry_a_line_on(text, joined) -> None:
    assert bare(one(text)) == bare(one(joined))


def test_a_ladder_goes_on_before_a_block_and_ends_before_an_else() -> None:
    ladder = one('me chooses c from d\n  where a if possible\n  else b if possible as "c": stop\notherwise: stop\n')
    assert [covered(rung.span) for rung in ladder.lines[0].pick.where.rungs] == ["a", "b"]
    assert ladder.lines[0].pick.where.last is None
    branch = one("if a:\n  me chooses c from d where a if possible\nelse: stop\n")
    assert len(branch.otherwise) == 1


def test_if_possible_is_a_word_only_where_what_is_picked_has_conditions() -> None:
    choice = one("me chooses c from d where (a if possible else b)")
    assert isinstance(choice.lines[0].pick.where, n.Conditional)
    body = read(syntax.parse_body, "stop if possible\nx = 1 if possible else 2\nif possible: stop\n")
    assert [type(statement) for statement in body] == [n.Stop, n.Assign, n.If]
    menu = one('me chooses:\n  "go" if possible: stop\n')
    assert menu.lines[0].condition.text == "possible"


def test_words_at_the_start_of_a_line_may_be_names() -> None:
    body = read(syntax.parse_body, "let to = 1\nto = next(to)\ndeal[to] = 2\nstop = 3\nby += 1\nshow = 4\n")
    assert [type(statement) for statement in body] == [n.Let, n.Assign, n.Assign, n.Assign, n.Assign, n.Assign]


def test_else_after_stop_if_belongs_to_the_if() -> None:
    statement = one("if a:\n  stop if b\nelse:\n  stop\n")
    assert statement.otherwise is not None


def test_the_last_expression_of_a_function_is_its_value() -> None:
    body = read(syntax.parse_function_body, "let x = 1\nif x == 1:\n  2\nelse:\n  x\n  + 1\n")
    assert isinstance(body[1].branches[0][1][0], n.Return)
    assert covered(body[1].otherwise[0].span) == "x\n  + 1"


def test_a_text_is_a_template() -> None:
    note = one('note "{{{me}}} has {count(hand[me])} \\"cards\\""').text
    assert note.parts[0] == "{"
    assert note.parts[2:] == ("} has ", note.parts[3], ' "cards"')
    assert [covered(part.span) for part in note.parts if not isinstance(part, str)] == ["me", "count(hand[me])"]


def test_a_template_may_stand_without_quotes() -> None:
    name = read(syntax.parse_template, "the {rank} of {suit}")
    assert [part if isinstance(part, str) else part.text for part in name.parts] == ["the ", "rank", " of ", "suit"]


def test_a_set_may_stand_in_a_template() -> None:
    note = one('note "{count({a, b})} and {x in {c}}"').text
    assert [covered(part.span) for part in note.parts if not isinstance(part, str)] == ["count({a, b})", "x in {c}"]


def test_a_line_that_begins_with_a_negative_number_is_a_value_of_its_own() -> None:
    body = read(syntax.parse_function_body, "let n = count(x)\n-5 if n > 3 else 0\n")
    assert [type(statement) for statement in body] == [n.Let, n.Return]
    assert bare(one("x = count(y)\n- 5\n")) == bare(one("x = count(y)\n  -5\n")) == bare(one("x = count(y) - 5"))
