"""The IR of short rules as text, and what a whole lowered program must have."""

from __future__ import annotations

import pytest
from rule_texts import compiled, lowered, ruleset

from rulerun.ir import nodes as ir
from rulerun.ir.printer import show
from rulerun.ir.program import HEADER_WORDS
from rulerun.ir.verifier import verify


def play_of(body: str, players: int = 2) -> list[str]:
    """The printed blocks of `play`, without the rule lines that they come from."""
    text = show(lowered(body, players=players))
    part = text[text.index("rule p0") : text.index("rule p1")].strip()
    lines = [line.partition("  # ")[0].rstrip() for line in part.splitlines()]
    return [line for line in lines if line.startswith(("b", "  ")) and not line.startswith("  v[")][1:]


def test_an_option_prunes_its_branches() -> None:
    body = "if wild:\n  helper()\nelif size == 3:\n  round = size * 2 + 1\nelse:\n  helper()"
    assert play_of(body) == ["b1: shuffle stock", "    v[24] = 7", "    finish"]


def test_deal_is_a_loop_of_draws() -> None:
    assert play_of("deal 2 from stock to hand[leader]") == [
        "b1: shuffle stock",
        "    v[26] = 2",
        "    -> b2",
        "b2: if (v[26] > 0) -> b3 else b5",
        "b3: draw v[27] = head of stock -> b4, empty -> b5",
        "b4: move v[27] -> hand[v[16]] head",
        "    v[26] = (v[26] - 1)",
        "    -> b2",
        "b5: clear v[26] for 1",
        "    clear v[27] for 1",
        "    finish",
    ]


def test_one_card_is_dealt_without_a_loop() -> None:
    assert play_of("deal 1 from heap to table") == [
        "b1: shuffle stock",
        "    if (count(heap) > 0) -> b2 else b3",
        "b2: move head(heap) -> table tail",
        "    -> b3",
        "b3: finish",
    ]


def test_an_unseen_card_is_picked() -> None:
    body = 'leader chooses c from hand[next(leader)] where c.stripes > 0 as "take {c}"\nmove c to heap'
    assert play_of(body) == [
        "b1: shuffle stock",
        "    choose 0 by v[16]",
        '      v[26] = l0 from hand[next(v[16])] by kind where (l0.stripes > 0) as "take {l0}" -> b2',
        "b2: if (v[26] == -2) -> b3 else b4",
        "b3: pick untold v[26] = one of (l1 in hand[next(v[16])] where (l1.stripes > 0)) -> b4",
        "b4: move v[26] -> heap head",
        "    finish",
    ]


def test_an_own_hand_needs_no_pick() -> None:
    assert play_of("leader chooses c from hand[leader]\nmove c to heap") == [
        "b1: shuffle stock",
        "    choose 0 by v[16]",
        '      v[26] = l0 from hand[v[16]] by kind as "choose {l0}" -> b2',
        "b2: move v[26] -> heap head",
        "    finish",
    ]


def test_a_window() -> None:
    assert play_of('any player p may "x":\n  stop if round > 2\notherwise:\n  helper()') == [
        "b1: shuffle stock",
        "    -> b2",
        "b2: snapshot v[28] of players (room for 2)",
        "    v[30] = 0",
        "    -> b3",
        "b3: if (v[30] < count(snapshot v[28])) -> b4 else b8",
        "b4: v[27] = snapshot v[28][v[30]]",
        "    v[30] = (v[30] + 1)",
        "    choose 0 by v[27] in a window, pass -> b3",
        '      as "x" -> b5',
        "b5: if (v[24] > 2) -> b6 else b2",
        "b6: clear v[27] for 1",
        "    clear v[28] for 2",
        "    clear v[30] for 1",
        "    -> b7",
        "b7: finish",
        "b8: clear v[27] for 1",
        "    clear v[28] for 2",
        "    clear v[30] for 1",
        "    call p2 helper() back to b7",
    ]


BODIES = [
    "deal 2 from stock to hand[leader]\nleader chooses 2 cs from hand[leader] as \"x\"\nmove cs to heap",
    "each player p at once may choose c from hand[p] as \"x\":\n  move c to heap\notherwise:\n  helper()",
    "any player p at random may choose:\n  c from hand[p]:\n    move c to heap\n  \"no\":\n    stop",
    "leader secretly chooses k from 0..count(stock)\nmove top of table to stock at k",
    "leader may choose a from top 3 of stock as \"{a}\":\n  move a to top of stock\notherwise:\n  note \"no\"",
    "for c in stock:\n  move c to heap\nshow all of stock to leader\ncollect heap to stock\n"
    "swap hand[leader] with hand[next(leader)]",
    "move top 2 of stock to heap\nreveal top 2 of table\nshow bottom of heap to players\nmove bottom of stock to table",
    "if open:\n  return\nround = ask(leader, 2)\nraise taken(leader, top of stock)",
    "leader chooses c from stock, n from 1..2 where n < 3 as \"{c} {n}\"\nmove c to heap",
]  # fmt: skip


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("players", [2, 4])
def test_the_verifier_finds_nothing(body: str, players: int) -> None:
    assert verify(lowered(body, players=players)) == []


def test_sites_are_dense_in_the_order_of_the_file() -> None:
    body = 'if wild:\n  leader may "a":\n    helper()\nlet n = ask(leader, 2)\nleader may "b":\n  helper()'
    program = lowered(body)
    sites = [(b.unit, b.end.site) for b in program.blocks if isinstance(b.end, ir.Choose)]
    assert sites == [(0, 0), (1, 1)]


def test_frames_lie_one_after_the_other() -> None:
    program = lowered("let n = ask(leader, 2)\nround = n")
    frames = sorted((p.frame, p.frame + p.frame_words) for p in program.procedures)
    assert frames[0][0] == program.layout.frames
    assert [a for a, _ in frames[1:]] == [b for _, b in frames[:-1]]
    assert frames[-1][1] == program.layout.zone_base
    assert program.layout.variables == HEADER_WORDS


def test_shuffled_zones() -> None:
    program = lowered("collect heap to table\nshuffle sack")
    assert [f.name for f in program.families if f.shuffled] == ["stock", "table"]


def test_knowledge_is_used_only_if_asked() -> None:
    assert not lowered("helper()").uses_knowledge
    assert lowered('leader chooses c from hand[next(leader)] where knows(leader, c) as "x"').uses_knowledge


def test_a_variable_as_a_criterion_gets_a_function() -> None:
    text = ruleset("helper()").replace(
        "winner: [highest score]", "winner: [highest score, lowest total, highest hand_value]"
    )
    program, found = compiled(text)
    assert found == []
    assert program is not None
    names = [(c.highest, c.name, program.functions[c.function].name) for c in program.criteria]
    assert names == [(True, "score", "score"), (False, "total", "total"), (True, "hand_value", "hand_value")]
    assert [f.name for f in program.functions] == ["value", "hand_value", "pick_any", "score", "total"]


def test_origins_name_the_rule_lines() -> None:
    program = lowered("round = 1\nround = 2")
    texts = [o.text for o in program.origins]
    assert len(set(program.origins)) == len(program.origins)
    assert "round = 1" in texts
    assert "round = 2" in texts
    line = next(o for o in program.origins if o.text == "round = 2")
    assert (line.file, line.column) == ("ruleset.yaml", 5)


def test_the_own_text_is_a_procedure_only_with_as_usual() -> None:
    triggers = "triggers:\n  x:\n    instead of: taken(w, c)\n    do: |\n      {}\nresult:\n"
    for statement, kinds in (
        ("as usual", ["rule", "rule", "rule", "event", "own text"]),
        ("helper()", ["rule"] * 3 + ["event"]),
    ):
        program, found = compiled(ruleset("helper()").replace("result:\n", triggers.format(statement)))
        assert found == []
        assert program is not None
        assert [p.kind for p in program.procedures] == kinds


@pytest.mark.parametrize(
    ("body", "registers"),
    [
        ("move all of {hand} to heap", 1),
        ("reveal {hand}", 1),
        ("if {hand} is empty:\n  helper()", 1),
        ("round = count({hand})", 1),
        ("let c = top of heap\nopen = c in {hand}", 1),
        ("round = count(s for s in subsets({hand}))", 2),
        ("tell leader whether (c.number > 2 for c in {hand})", 2),
        ("for c in {hand}:\n  helper()", 1),
    ],
)
def test_the_index_of_a_zone_is_lowered_once_whatever_is_done_with_its_cards(body: str, registers: int) -> None:
    program = lowered(body.format(hand="hand[best p in players by total[p]]"))
    (play,) = (procedure for procedure in program.procedures if procedure.name == "play")
    assert len(play.locals) == registers
