"""Looking through a vector that came from outside, before anything is done with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulerun.facts.ranges import of_type
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import key_size
from rulerun.ir.program import CHOOSER, DECISIONS, DIRECTION, HEADER_WORDS, LIMITED, PC, PICKED, PLAYING, Program
from rulerun.ir.traverse import walk
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
    unnamed = Unnamed.of(program)
    unnamed.check(program, v)
    backs: dict[int, set[int]] = {}
    for block in program.blocks:
        if isinstance(block.end, ir.CallProcedure):
            backs.setdefault(block.end.procedure, {0}).add(block.end.back)
    for number, procedure in enumerate(program.procedures):
        if v[procedure.return_place] not in backs.get(number, {0}):
            raise ValueError(f"the state returns from {procedure.name} to nowhere")
        if procedure.nested > 1:
            check_kept(program, v, number, backs.get(number, {0}) - {0}, unnamed)
    problems = machine.cards.check(v)
    if problems:
        raise ValueError(f"the cards of the state are not sound: {problems[0]}")
    return v


@dataclass(frozen=True, slots=True)
class Unnamed:
    """The words of frames that no variable names: what a choice stores, what a loop counts and goes through."""

    places: tuple[tuple[int, tuple[Type, ...]], ...]
    """Their offsets, and the types that the rules read there."""
    loops: tuple[tuple[int, int, int, int], ...]
    """Of each snapshot: where it lies, how many elements fit, the highest of them, where it is counted."""

    @staticmethod
    def of(program: Program) -> Unnamed:
        types: dict[int, dict[Type, None]] = {}
        taken: dict[int, int] = {}
        read: dict[int, tuple[int, int]] = {}
        for block in program.blocks:
            for node in walk((block.ops, block.end)):
                if isinstance(node, ir.Place) and not node.axes and node.offset >= program.layout.frames:
                    types.setdefault(node.offset, {})[node.type] = None
                elif isinstance(node, ir.Snapshot):
                    taken[node.offset] = max(node.capacity, taken.get(node.offset, 0))
                elif isinstance(node, ir.SnapshotItem) and isinstance(node.index, ir.Load):
                    read[node.offset] = (of_type(node.type, program)[1], node.index.place.offset)
        loops = tuple((at, most, *read[at]) for at, most in taken.items() if at in read)
        return Unnamed(tuple((at, tuple(found)) for at, found in types.items()), loops)

    def check(self, program: Program, v: list[int], shift: int = 0, within: range | None = None) -> None:
        """ValueError for a word that no rule can have put there. ``within``: the frame that is looked at, which lies
        ``shift`` words before."""
        for offset, types in self.places:
            if within is None or offset in within:
                _check_any(program, v, types, offset + shift)
        for offset, most, high, counter in self.loops:
            if within is None or offset in within:
                count = v[offset + shift]
                words = v[offset + shift + 1 : offset + shift + 1 + -(-most // 6)]
                sound = 0 <= v[counter + shift] <= count <= most
                if not sound or any(words[i // 6] >> 10 * (i % 6) & 1023 > high for i in range(count)):
                    raise ValueError("a loop in the state goes through what is not there")


def _check_any(program: Program, v: list[int], types: tuple[Type, ...], offset: int) -> None:
    """A word that several types are read from holds a value of one of them."""
    for type_ in types[:-1]:
        try:
            check_value(program, v, "a value of a rule", type_, offset)
        except ValueError:
            continue
        return
    check_value(program, v, "a value of a rule", types[-1], offset)


def check_kept(
    program: Program, v: list[int], number: int, backs: set[int], unnamed: Unnamed
) -> None:
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
        unnamed.check(program, v, shift, range(procedure.frame, procedure.frame + words))
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
