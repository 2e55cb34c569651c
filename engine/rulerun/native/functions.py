"""The program's pure functions as functions of the module.

``@fN(parts of the vector, arguments, words read)`` gives the value's words and a fault (0: none). Words of the vector
that it reads by their number come as arguments, since a playout keeps them in registers.
"""

from __future__ import annotations

from rulerun.facts import faults
from rulerun.ir import nodes as ir
from rulerun.ir.types import Type
from rulerun.native.counting import burn
from rulerun.native.expressions import Emitter, Scope, Shared
from rulerun.native.regions import PARAMETERS
from rulerun.native.size import size
from rulerun.native.text import Writer

INLINED = 120
"""Functions of so few nodes are written in place of their calls."""


def width(shared: Shared, type_: Type) -> int:
    sets = shared.sets(type_)
    return 1 if sets is None else sets.width


def result_words(shared: Shared, function: int) -> int:
    """How many words a function's value has."""
    return width(shared, shared.program.functions[function].result)


def need_function(shared: Shared, number: int) -> None:
    """Writes a function unless it has been."""
    if number in shared.written:
        return
    shared.written.add(number)
    function = shared.program.functions[number]
    w = Writer(shared.module)
    read = sorted(shared.promotion.read_by(number))
    parameters: list[str] = []
    scalars: dict[int, str] = {}
    e = Emitter(shared, w, scalars)
    e.at = function.at
    e.scope = Scope()
    changed = {op.local for block in function.blocks for op in block.ops if isinstance(op, ir.SetLocal)}
    for i, type_ in enumerate(function.params):
        names = [f"%p{i}.{j}" for j in range(width(shared, type_))]
        parameters += names
        if i in changed:
            e.scope.slots[i] = [w.slot(name) for name in names]
        else:
            e.scope.names[i] = names
    for local in sorted(changed):
        if local not in e.scope.slots:
            room = width(shared, function.locals[local]) if local < len(function.locals) else 1
            e.scope.slots[local] = [w.slot("0") for _ in range(room)]
    for word in read:
        parameters.append(f"%r{word}")
        scalars[word] = w.slot(f"%r{word}")
    count = result_words(shared, number)
    kind = "{ " + ", ".join(["i64"] * (count + 1)) + " }"
    labels = [w.new_label("b") for _ in function.blocks]
    w.jump(labels[0])
    for block, label in zip(function.blocks, labels, strict=True):
        w.label(label)
        if block.fuel:
            burn(e, str(block.fuel), block.at)
        for op in block.ops:
            assert isinstance(op, ir.SetLocal)
            for slot, operand in zip(e.scope.slots[op.local], e.value(op.value), strict=True):
                w.put(slot, operand)
        match block.end:
            case ir.Jump(to):
                w.jump(labels[to])
            case ir.Branch(condition, then, otherwise):
                w.branch(e.test(condition), labels[then], labels[otherwise])
            case ir.Switch(value, targets, default):
                w.switch(e.emit(value), [(i, labels[to]) for i, to in enumerate(targets)], labels[default])
            case ir.Return(_, value):
                words = e.value(value) if value is not None else ["0"]
                give(w, kind, [*words, "0"])
            case ir.Fail(_, at, fault):
                e.fail(faults.MESSAGES[fault][0], at)
            case _:
                raise ValueError(f"a function cannot hold {type(block.end).__name__}")
    if e.may_fault:
        shared.faulting.add(number)
    fault = e.write_exits()
    give(w, kind, [*["0"] * count, fault])
    head = ", ".join(f"i64 {name}" for name in parameters)
    small = size(function.blocks) <= INLINED
    w.define(
        f"internal {kind} @f{number}({PARAMETERS}{', ' if head else ''}{head})",
        "nounwind alwaysinline" if small else "nounwind",
    )


def give(w: Writer, kind: str, words: list[str]) -> None:
    """Returns several words."""
    value = "undef"
    for i, word in enumerate(words):
        value = w.op(f"insertvalue {kind} {value}, i64 {word}, {i}")
    w.line(f"ret {kind} {value}")
    w.open = False
