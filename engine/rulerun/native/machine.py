"""The native executor: the protocol of `run.Machine` over machine code, and playouts by the hundred thousand.

A vector is an ``array('q')`` with the very words that the reference would hold; `list(vector)` compares. Code for
stepping and code for playouts are compiled apart, each when first wanted. A `RulesFault` is known by
its code and place and told in general words: whoever wants the values in them lets the reference play the same.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence

from rulerun.facts.faults import RulesFault
from rulerun.facts.options import DONE, CardPick, Option
from rulerun.facts.rng import seed_state
from rulerun.facts.start import blank_vector
from rulerun.ir import nodes as ir
from rulerun.ir.program import CHOOSER, PC, RNG, Program
from rulerun.ir.types import WORD_BITS, ArrayType, IntType, Type
from rulerun.native.choices import words_held
from rulerun.native.compiler import Code, as_function, compile_text, load_code, shared_parts
from rulerun.native.expressions import FAULTS
from rulerun.native.kept import Made, made_once
from rulerun.native.sums import Sums
from rulerun.source.play_codes import PLAY

Vector = array  # of type code "q"
CHUNK = 1_024
"""Games a call: between calls a playout can be stopped by Ctrl-C."""


class NativeMachine:
    """Runs one program natively, without marks of what seats know."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.words = program.layout.size
        self._stepper: _Stepper | None = None
        self._player: _Player | None = None

    # ------------------------------------------------------------------ stepping

    @property
    def stepper(self) -> _Stepper:
        """The code for one decision after the other."""
        if self._stepper is None:
            self._stepper = _Stepper(self.program)
        return self._stepper

    @property
    def player(self) -> _Player:
        """The code for whole games."""
        if self._player is None:
            self._player = _Player(self.program)
        return self._player

    def start(self, seed: int) -> array[int]:
        """A fresh game, run on to its first choice or its end. RulesFault as the reference's."""
        v = array("q", self.stepper.blank)
        v[RNG] = seed_state(seed)
        fault, _ = self.stepper.run(v, 0)
        if fault:
            raise self.fault(*unpacked(fault))
        return v

    def clone(self, v: array[int]) -> array[int]:
        return v[:]

    def is_over(self, v: Sequence[int]) -> bool:
        return v[PC] == 0

    def chooser(self, v: Sequence[int]) -> int:
        """The seat asked; -1 if the game is over."""
        return v[CHOOSER] if v[PC] else -1

    def options(self, v: array[int]) -> list[Option]:
        """The options of the choice that waits, in the reference's order."""
        if not v[PC]:
            return []
        fault, count = self.stepper.run(v, 2)
        if fault:
            raise self.fault(*unpacked(fault))
        return self.stepper.decode(v[PC], count)

    def choose(self, v: array[int], index: int) -> None:
        """Takes option ``index`` and runs on. ValueError for a bad index; the vector is then, and after a RulesFault,
        as before."""
        before = v[:]
        fault, count = self.stepper.run(v, 2) if v[PC] else (0, 0)
        if not fault and not 0 <= index < count:
            v[:] = before
            what = f"there is no option {index}: there are {count}" if count else "there is nothing to choose now"
            raise ValueError(what)
        if not fault:
            fault, _ = self.stepper.run(v, 1, self.stepper.record(v[PC], index))
        if fault:
            v[:] = before
            raise self.fault(*unpacked(fault))

    def scores(self, v: array[int]) -> tuple[int, ...]:
        """The score of every seat as things stand."""
        return self._result(v)[1]

    def winners(self, v: array[int]) -> tuple[int, ...]:
        """The seats that win as things stand."""
        return self._result(v)[0]

    def _result(self, v: array[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        fault, winners = self.stepper.run(v, 3)
        if fault:
            raise self.fault(*unpacked(fault))
        players = self.program.players
        seats = tuple(seat for seat in range(players) if winners >> seat & 1)
        return seats, tuple(self.stepper.answer[1 : 1 + players])

    def load(self, words: Sequence[int]) -> array[int]:
        """A restored vector that the reference has looked through (its `load`). ValueError if it holds what no vector
        of this executor can."""
        if len(words) != self.words:
            raise ValueError(f"the state has {len(words)} words, where this ruleset has {self.words}")
        v = list(words)
        for variable in self.program.variables:
            # Between a choice of an unseen card and the chance that follows nobody is asked, so none can be stored.
            if ir.UNSEEN in v[variable.offset : variable.offset + variable.words] and not has_numbers(variable.type):
                raise ValueError(f"`{variable.name}` in the state is a card that is not settled")
        check_snapshots(self.program, v)
        return array("q", v)

    # ------------------------------------------------------------------- playouts

    def compile(self) -> None:
        """Makes the code for whole games ready, which the first call of the others does otherwise. UnsupportedError if
        the program holds what only the reference does."""
        _ = self.player

    def playout(self, seed: int, policy_seed: int) -> Sums:
        """One game by random choices of a generator of its own, as sums over one game."""
        return self.player.play(seed_state(seed), 0, 1, True, seed_state(policy_seed))

    def playouts(self, first: int, count: int, seed: int) -> Sums:
        """Games ``first`` to ``first + count`` of the series that `play.simulate` plays for ``seed``, added up. May be
        called from several threads at once; stops early, with fewer games, once `stop` was called."""
        return self.player.play(seed_state(seed), first, count, False, 0)

    def stop(self) -> None:
        """Ends all playouts that run, soon."""
        self.player.stop[0] = 1

    # --------------------------------------------------------------------- faults

    def fault(self, code: str, at: int) -> RulesFault:
        """A fault by its code and origin, in general words."""
        origin = self.program.origins[at] if 0 <= at < len(self.program.origins) else None
        return RulesFault(code, PLAY[code].title, origin)


def unpacked(fault: int) -> tuple[str, int]:
    """Code and origin of a fault."""
    return FAULTS[(fault >> 32) - 1], (fault & 0xFFFFFFFF) - 1


def has_numbers(type_: Type) -> bool:
    """Whether a value of a type is a number, or numbers per key."""
    while isinstance(type_, ArrayType):
        type_ = type_.value
    return isinstance(type_, IntType)


def check_snapshots(program: Program, v: Sequence[int]) -> None:
    """ValueError unless every snapshot in a vector holds what it can hold."""
    from rulerun.facts.ranges import of_type
    from rulerun.ir.traverse import walk
    from rulerun.ir.typing import element_type

    for node in walk(program.blocks):
        if isinstance(node, ir.Snapshot):
            most = of_type(element_type(node.domain), program)[1]
            if not 0 <= v[node.offset] <= node.capacity:
                raise ValueError("a loop in the state runs over more than there is")
            for i in range(v[node.offset]):
                word = v[node.offset + 1 + i // ir.SNAPSHOT_PER_WORD]
                if word >> i % ir.SNAPSHOT_PER_WORD * ir.SNAPSHOT_BITS & (1 << ir.SNAPSHOT_BITS) - 1 > most:
                    raise ValueError("a loop in the state runs over what does not exist")


class _Stepper:
    """Code and buffers for stepping. Not for two threads at once."""

    def __init__(self, program: Program) -> None:
        from rulerun.native.choices import buffer_words, record_words, scratch_words
        from rulerun.native.stepping import Stepping

        def make() -> Made:
            shared = shared_parts(program)
            Stepping(shared).write()
            return Made(compile_text(shared.module.text(), thorough=False), {})

        self.code: Code = load_code(made_once(program, "run", make).code, "run")
        self.program = program
        self.width = program.layout.words_per_set
        self.call = as_function(self.code, 6)
        self.blank = blank_vector(program, knowledge=False)
        chooses = {n: b.end for n, b in enumerate(program.blocks) if isinstance(b.end, ir.Choose)}
        self.strides = {number: record_words(program, choose) for number, choose in chooses.items()}
        self.out = array("q", bytes(8 * max([1, *(buffer_words(program, c) for c in chooses.values())])))
        self.work = array("q", bytes(8 * scratch_words(program)))
        self.answer = array("q", bytes(8 * (2 + program.players)))
        self.addresses = [buffer.buffer_info()[0] for buffer in (self.out, self.work, self.answer)]

    def run(self, v: array[int], mode: int, record: int = 0) -> tuple[int, int]:
        """The fault and the answer of one call."""
        out, work, answer = self.addresses
        fault = self.call(v.buffer_info()[0], out, work, mode, record, answer)
        return fault, self.answer[0]

    def record(self, block: int, index: int) -> int:
        """Address of a record."""
        return self.addresses[0] + 8 * index * self.strides[block]

    def decode(self, block: int, count: int) -> list[Option]:
        """The options that were listed last."""
        choose = self.program.blocks[block].end
        assert isinstance(choose, ir.Choose)
        stride, out = self.strides[block], self.out
        found: list[Option] = []
        for base in range(0, count * stride, stride):
            line = out[base]
            if line == DONE:
                found.append(Option(DONE, (out[base + 1],)))
            elif line >> 32 > 0:
                found.append(CardPick(line & 0xFFFFFFFF, (out[base + 1],)))
            elif line < 0:
                found.append(Option(line, ()))
            else:
                found.append(Option(line, self.values(choose.lines[line].binders, base + 1)))
        return found

    def values(self, binders: Sequence[ir.Binder], at: int) -> tuple[int, ...]:
        values = []
        for binder in binders:
            words, room = words_held(binder, self.width)
            values.append(sum(self.out[at + i] << WORD_BITS * i for i in range(words)) if words > 1 else self.out[at])
            at += room
        return tuple(values)


class _Player:
    """Code for playouts. Each call has buffers of its own, so it serves any number of threads."""

    def __init__(self, program: Program) -> None:
        from rulerun.native.choices import buffer_words, scratch_words
        from rulerun.native.playout import Playout

        def make() -> Made:
            shared = shared_parts(program)
            flow = Playout(shared)
            flow.write()
            chooses = [(n, b.end) for n, b in enumerate(program.blocks) if isinstance(b.end, ir.Choose)]
            listed = [buffer_words(program, c) for n, c in chooses if n in flow.listed]
            sizes = {"out": max([1, *listed]), "work": scratch_words(program) if listed else 1}
            return Made(compile_text(shared.module.text(), thorough=True), sizes)

        made = made_once(program, "playouts", make)
        self.code: Code = load_code(made.code, "playouts")
        self.players = program.players
        self.call = as_function(self.code, 10)
        self.stop = array("q", [0])
        self.out_words = made.numbers["out"]
        self.work_words = made.numbers["work"]

    def play(self, seed: int, first: int, count: int, one: bool, policy: int) -> Sums:
        """Plays games in calls of at most `CHUNK`."""
        total = Sums.empty(self.players)
        out = (ctypes.c_int64 * self.out_words)()
        work = (ctypes.c_int64 * self.work_words)()
        at = first
        while at < first + count and not self.stop[0]:
            many = min(CHUNK, first + count - at)
            sums = Sums.empty(self.players)
            faults = array("q", bytes(8 * 3 * many))
            played = self.call(
                sums.words.buffer_info()[0], faults.buffer_info()[0], ctypes.addressof(out), ctypes.addressof(work),
                self.stop.buffer_info()[0], seed, at, many, int(one), policy,
            )  # fmt: skip
            sums.take_faults(faults)
            total.merge(sums)
            at += many
            if played < many:
                break
        return total
