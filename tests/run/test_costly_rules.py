"""A ruleset that is made to be slow is stopped: too much work without a decision is a fault, wherever it is done."""

from __future__ import annotations

import pytest

from costly_rules import ALL, COSTLY, OFTEN, Costly
from rulerun.facts.faults import RulesFault
from rulerun.run.machine import Machine


@pytest.mark.parametrize("name", COSTLY)
def test_too_much_work_is_a_fault_at_its_place(name: str) -> None:
    game = COSTLY[name]
    with pytest.raises(RulesFault) as raised:
        Machine(game.program()).start(1)
    assert game.told_at(raised.value) == ("RR0601", game.place)


def test_the_message_says_what_to_do() -> None:
    with pytest.raises(RulesFault) as raised:
        Machine(COSTLY["a fold in a fold"].program()).start(1)
    assert raised.value.message.startswith(
        "the rules run on too long without a decision: they have used up their fuel of 1,000,000"
    )
    assert "`let`" in raised.value.help


@pytest.mark.parametrize("telling", [False, True])
def test_work_is_counted_anew_after_a_decision(telling: bool) -> None:
    body = "repeat 3 times:\n  repeat TIMES times: total = sum(c.number * 2 + count(row) for c in pool)\n"
    body += '  me chooses n from 1..2 as "{n}"'
    heavy = Costly(ALL + body.replace("TIMES", "15000"), "repeat")
    machine = Machine(heavy.program(), telling=telling)
    vector = machine.start(1)
    for _ in range(3):
        machine.choose(vector, 0)
    assert machine.is_over(vector)
    with pytest.raises(RulesFault):
        Machine(Costly(ALL + body.replace("TIMES", "60000"), "repeat").program(), telling=telling).start(1)


def test_what_masks_do_is_not_counted() -> None:
    """Looking through a hand for a colour is one operation, however often."""
    body = ALL + f"{OFTEN}: total = count(c for c in pool where c.colour == red and c.number < 9)"
    machine = Machine(Costly(body, "").program())
    vector = machine.start(1)
    assert machine.is_over(vector)


def test_a_label_may_be_long_for_each_option() -> None:
    """Labels of many options are worked out one by one, each with the whole measure."""
    body = ALL + 'me chooses c from pool as "{sum(sum(d.number * e.number for d in pool) for e in pool)}"'
    machine = Machine(Costly(body, "").program())
    vector = machine.start(1)
    options = machine.options(vector)
    assert len(options) == 60
    assert {machine.label(vector, option)[0].value for option in options * 3} == {396900}
