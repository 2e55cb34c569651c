"""Functions, rules, events, triggers, the result."""

from __future__ import annotations

import pytest

from rulerun.ir.types import CARD, CARDS, INT, PLAYER, OptionalType


def test_signatures_triggers_and_result(declared) -> None:
    symbols = declared(
        state="{best_hand: int per Player}",
        functions='{"worth(Card c, Cards more)": "1", "of_player(Player p)": "2", "nothing_at_all()": "3"}',
        rules='{"play": "shuffle stock", "turn(Player me, int n, Player or none q)": "shuffle stock"}',
        events='{"pricked(Player victim, Card c)": "move c to stock"}',
        triggers='{"a snake bites": {instead of: "pricked(who, it)", if: "true", do: "as usual"}}',
        result='{"score(Player p)": "1", winner: [highest score, lowest best_hand, highest of_player]}',
    )
    found = {
        sort: [(s.name, s.index, s.params) for s in symbols.of_sort(sort)] for sort in ("function", "rule", "event")
    }
    assert found == {
        "function": [
            ("worth", 0, (("c", CARD), ("more", CARDS))),
            ("of_player", 1, (("p", PLAYER),)),
            ("nothing_at_all", 2, ()),
        ],
        "rule": [("play", 0, ()), ("turn", 1, (("me", PLAYER), ("n", INT), ("q", OptionalType(PLAYER))))],
        "event": [("pricked", 0, (("victim", PLAYER), ("c", CARD)))],
    }
    (trigger,) = symbols.triggers
    assert (trigger.name, trigger.timing, [p.text for p in trigger.pattern.params]) == (
        "a snake bites",
        "instead of",
        ["who", "it"],
    )
    assert symbols.score is not None
    assert symbols.score.params == (("p", PLAYER),)
    assert [(c.highest, c.name.text) for c in symbols.criteria] == [
        (True, "score"),
        (False, "best_hand"),
        (True, "of_player"),
    ]


EVENT = '{"pricked(Player victim)": "shuffle stock"}'


@pytest.mark.parametrize(
    ("parts", "fault"),
    [
        (
            {"rules": '{start: "shuffle stock"}'},
            ("RR0335", "there is no rule `play`, with which a game begins", "start"),
        ),
        (
            {"rules": '{"play(Player me)": "shuffle stock"}'},
            ("RR0335", "the rule `play` begins the game and is given nothing", "play(Player me)"),
        ),
        (
            {"rules": '{play: "shuffle stock", "turn(Player next)": "shuffle stock"}'},
            ("RR0302", "`next` cannot be the name of a parameter: it is a built-in function", "next"),
        ),
        (
            {"rules": '{play: "shuffle stock", "turn(Plyer a)": "shuffle stock"}'},
            ("RR0303", "there is no type `Plyer`", "Plyer"),
        ),
        (
            {"events": EVENT, "triggers": '{x: {after: "prikced(v)", do: "shuffle stock"}}'},
            ("RR0336", "there is no event `prikced`", "prikced"),
        ),
        (
            {"triggers": '{x: {after: "play()", do: "shuffle stock"}}'},
            ("RR0336", "`play` is a rule; only events have triggers", "play"),
        ),
        (
            {"events": EVENT, "triggers": '{x: {after: "pricked(v, w)", do: "shuffle stock"}}'},
            ("RR0337", "`pricked` tells one thing, and 2 are named here", "pricked(v, w)"),
        ),
        (
            {"result": '{"score(Player p, int n)": "1", winner: [highest score]}'},
            ("RR0339", "the score is that of one player or of all together", "score(Player p, int n)"),
        ),
        (
            {"result": '{"score(Player p)": "1", winner: [highest scroe]}'},
            ("RR0340", "players cannot be compared by `scroe`", "scroe"),
        ),
        (
            {"state": "{score: int}"},
            ("RR0301", "`score` is a state variable already, it cannot be the score too", "score"),
        ),
    ],
)
def test_what_is_wrong_with_procedures(faults, parts, fault) -> None:
    assert faults(**parts) == [fault]
