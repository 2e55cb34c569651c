"""One ruleset with every construct: it compiles and plays; spoilt at random places, it is refused or plays."""

from __future__ import annotations

import random
import re
from contextlib import suppress
from pathlib import Path

import pytest
from rule_texts import compiled

from rulerun.facts.faults import RulesFault
from rulerun.ir.program import Program
from rulerun.ir.verifier import verify
from rulerun.run.machine import Machine

TEXT = (Path(__file__).parent / "all_constructs.yaml").read_text(encoding="utf-8")
WORDS = re.compile(r"\w+|[^\w\s]")
DECISIONS = 60


def play(program: Program, seed: int, decisions: int = DECISIONS) -> int:
    """Plays at random for so many decisions; how many were made."""
    machine = Machine(program)
    rng = random.Random(seed)
    v = machine.start(seed)
    for made in range(decisions):
        if machine.is_over(v):
            machine.scores(v)
            machine.winners(v)
            return made
        options = machine.options(v)
        for option in options[:2]:
            machine.label(v, option)
            machine.key(v, option)
        machine.choose(v, rng.randrange(len(options)))
    return decisions


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_construct_compiles_and_plays(players: int) -> None:
    program, found = compiled(TEXT, players)
    assert found == []
    assert program is not None
    assert verify(program) == []
    assert play(program, players, 2000) > 60


def spoilt(seed: int) -> str:
    """The text with some words exchanged, left out or doubled below `functions:`. Every second time a number or a sign
    takes the place of another: what comes of that is often still a ruleset."""
    rng = random.Random(seed)
    start = TEXT.index("functions:")
    body = TEXT[start:]
    alike = (r"\b\d+\b", r"(?<= )(?:[-+*]|//)(?= )", r"[<>]=?|[=!]=", r"\b(?:and|or)\b", r"\b(?:some|every)\b")
    for _ in range(rng.choice((1, 1, 2, 3))):
        words = list((re.compile(rng.choice(alike)) if seed % 2 else WORDS).finditer(body))
        one, other = rng.choice(words), rng.choice(words)
        new = other.group() if seed % 2 or rng.random() < 0.8 else ""
        body = body[: one.start()] + new + body[one.end() :]
    return TEXT[:start] + body


@pytest.mark.parametrize("block", range(6))
def test_a_spoilt_text_is_refused_or_plays(block: int) -> None:
    refused = played = 0
    for seed in range(block * 10, block * 10 + 10):
        program, found = compiled(spoilt(seed))
        if program is None:
            assert found
            assert all(d.message for d in found)
            refused += 1
            continue
        assert verify(program) == []
        with suppress(RulesFault):  # a fault of the spoilt rules, told with its place
            play(program, seed)
            played += 1
    assert refused >= 2
    assert played >= 1
