"""Logs: what is written is read again, and what is damaged is refused with the line."""

from __future__ import annotations

import json

import pytest

from rulerun.source.diagnostic import UsageError
from rulerun.view.log import Choice, GameLog, read_log, write_log

LOG = GameLog(
    game="Small",
    ruleset="small.yaml",
    identity="abc",
    language=1,
    players=2,
    seed=-5,
    options=(("enough", "10"),),
    variants=("quick",),
    choices=(Choice(0, "s1:0:3", "play 4"), Choice(1, "s1:pass", "pass")),
    scores=(3, 4),
    winners=(1,),
)


def test_what_is_written_is_read_again() -> None:
    assert read_log(write_log(LOG)) == LOG


def test_a_log_is_json_lines_with_seats_counted_from_one() -> None:
    head, first, second, result = (json.loads(line) for line in write_log(LOG).splitlines())
    assert head["rulerun_log"] == 2
    assert head["seed"] == -5
    assert first == {"seat": 1, "key": "s1:0:3", "label": "play 4"}
    assert second["seat"] == 2
    assert result == {"scores": [3, 4], "winners": [2]}


def test_a_game_cut_off_between_choices_is_read_as_far_as_it_goes() -> None:
    text = "".join(line + "\n" for line in write_log(LOG).splitlines()[:2])
    log = read_log(text)
    assert len(log.choices) == 1
    assert log.scores is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("game: ouch\n", "line 1 is damaged"),
        ("[1, 2]\n", "line 1 is damaged"),
        ('{"a": 1}\n', "is not a log of rulerun"),
        ('{"rulerun_log": 7}\n', "version 7"),
        ('{"rulerun_log": 1}\n', '"options" is missing'),
        (write_log(LOG)[:-30], "cut off in line 4"),
        (write_log(LOG).replace('"seat": 2', '"seat": "two"'), 'line 3 is damaged: "seat"'),
        (write_log(LOG) + '{"seat": 1, "key": "s1:pass"}\n', "line 5: nothing may follow"),
        ("[" * 100_000 + "\n", "line 1 is damaged"),
    ],
)
def test_what_is_no_log_is_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_log(text)
