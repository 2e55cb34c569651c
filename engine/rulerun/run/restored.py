"""Looking through a vector that came from outside, before anything is done with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulerun.facts.ranges import of_type
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import key_size
from rulerun.ir.program import CHOOSER, DECISIONS, DIRECTION, HEADER_WORDS, LIMITED, PC, PICKED, PLAYING, Program
from rulerun.ir.types import WORD_BITS, ArrayType, SetType, Type
from rulerun.ir.typing import is_card_set

if TYPE_CHECKING:
    from rulerun.run.machine import Machine

WORD_MIN, WORD_MAX = -(2**63), 2**63 - 1


def check_words(machine: Machine, words: Sequence[int]) -> list[int]:
    """A copy of the vector; ValueError with the first thing that is wrong with it."""
    program = machine.program
    v = list(words)
    if len(v) != machine.words:
        raise ValueError(f"the state has {len(v)} words, where this ruleset has {machine.words}")
    for i, word in enumerate(v):
        if isinstance(word, bool) or not isinstance(word, int) or not WORD_MIN <= word <= WORD_MAX:
            raise ValueError(f"word {i} of the state is no 64-bit number")
    check_header(machine, v)
    for variable in program.variables:
        check_value(program, v, variable.name, variable.type, variable.offset)
    backs: dict[int, set[int]] = {}
    for block in program.blocks:
        if isinstance(block.end, ir.CallProcedure):
            backs.setdefault(block.end.procedure, {0}).add(block.end.back)
    for number, procedure in enumerate(program.procedures):
        if v[procedure.return_place] not in backs.get(number, {0}):
            raise ValueError(f"the state returns from {procedure.name} to nowhere")
        if procedure.nested > 1:
            check_kept(program, v, number, backs.get(number, {0}) - {0})
    problems = machine.cards.check(v)
    if problems:
        raise ValueError(f"the cards of the state are not sound: {problems[0]}")
    return v


def check_kept(program: Program, v: list[int], number: int, backs: set[int]) -> None:
    """The frames that a nested procedure keeps: each is one in progress, and so is the last one."""
    procedure = program.procedures[number]
    kept, words = v[procedure.kept], procedure.frame_words
    if not 0 <= kept < procedure.nested or (kept and not v[procedure.return_place]):
        raise ValueError(f"the frames kept of {procedure.name} in the state make no sense")
    mine = [variable for variable in program.variables if variable.unit == number]
    for i in range(kept):
        shift = procedure.kept + 1 + i * words - procedure.frame
        if v[procedure.return_place + shift] not in backs:
            raise ValueError(f"the state returns from {procedure.name} to nowhere")
        for variable in mine:
            check_value(program, v, variable.name, variable.type, variable.offset + shift)
    if any(v[procedure.kept + 1 + kept * words : procedure.end]):
        raise ValueError(f"the frames kept of {procedure.name} in the state make no sense")


def check_header(machine: Machine, v: list[int]) -> None:
    """The header's words."""
    program = machine.program
    asked = machine.waits_for_choice(v)
    everyone = (1 << program.players) - 1
    sound = {
        "what it waits for": v[PC] == 0 or asked or machine.waits_for_chance(v),
        "the number of decisions": 0 <= v[DECISIONS] <= program.decision_limit + 1,
        "the seat that is asked": (0 if asked else -1) <= v[CHOOSER] < program.players,
        "the cards picked so far": 0 <= v[PICKED] <= program.card_count,
        "the players": v[PLAYING] & ~everyone == 0,
        "the direction of play": v[DIRECTION] in (1, -1),
        "the mark of the decision limit": v[LIMITED] in (0, 1),
    }
    for what, holds in sound.items():
        if not holds:
            raise ValueError(f"{what} in the state makes no sense")
    assert HEADER_WORDS == 8


def check_value(program: Program, v: list[int], name: str, type_: Type, offset: int) -> int:
    """Checks the words of one value; the offset after it."""
    if isinstance(type_, ArrayType):
        for _ in range(key_size(type_.key, program.players, program.card_count)):
            offset = check_value(program, v, name, type_.value, offset)
        return offset
    if is_card_set(type_):
        value = 0
        for i in range(program.layout.words_per_set):
            if not 0 <= v[offset + i] < 1 << WORD_BITS:
                raise ValueError(f"`{name}` in the state holds no set of cards")
            value |= v[offset + i] << WORD_BITS * i
        if value >> program.card_count:
            raise ValueError(f"`{name}` in the state holds cards that do not exist")
        return offset + program.layout.words_per_set
    low, high = (0, 2**63 - 1) if isinstance(type_, SetType) else of_type(type_, program)
    if isinstance(type_, SetType):
        high = (1 << of_type(type_.of, program)[1] + 1) - 1
    if not low <= v[offset] <= high and v[offset] not in (0, ir.UNSEEN):
        raise ValueError(f"`{name}` in the state is {v[offset]}, which no {type_} is")
    return offset + 1
