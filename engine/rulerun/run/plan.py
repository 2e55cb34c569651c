"""A program planned once: its IR written as Python, compiled, and ready to run over any state vector.

The code is readable (`Plan.source`) and made of the IR's integers alone: names, labels and messages of a ruleset are
values that it refers to, never text in it. What differs between modes (telling, explicit chance, trace) is settled
here, so that a quiet game pays for none of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rulerun.facts.options import Option
from rulerun.ir import nodes as ir
from rulerun.ir.program import Program
from rulerun.run.blocks import Blocks, write_function
from rulerun.run.choices import Choices
from rulerun.run.expressions import Pool

Vector = list[int]


@dataclass
class Plan:
    """Compiled code by block number (None where a block has none)."""

    blocks: list[Callable[[Vector], int]]
    options: list[Callable[[Vector], list[Option]]]
    store: list[Callable[[Vector, int, tuple[int, ...]], int]]
    stored: list[Callable[[Vector, int], tuple[int, ...]]]
    chance: list[Callable[[Vector], Any]]
    settle: list[Callable[[Vector, int], int]]
    functions: list[Callable[..., int]]
    source: str
    names: dict[str, Any]
    chooses: dict[int, ir.Choose]
    sites: dict[int, int]
    """Choice site -> its block."""
    labels: Callable[[int], Callable[[Vector, int, tuple[int, ...]], list[Any]]]
    """The function for the labels of a block's choice, written when first asked for."""


def make_plan(
    program: Program,
    names: dict[str, Any],
    *,
    telling: bool = False,
    explicit: bool = False,
    trace: bool = False,
    plain: bool = False,
) -> Plan:
    """Plans a program over the functions ``names`` (see `support`). ``plain`` leaves out the shortcuts with masks."""
    pool = Pool()
    texts: list[str] = []
    for number, function in enumerate(program.functions):
        texts.append(write_function(program, pool, number, function, False, plain))
        if telling:
            texts.append(write_function(program, pool, number, function, True, plain))
    blocks = Blocks(program, pool, telling=telling, explicit=explicit, trace=trace, plain=plain)
    texts += blocks.write()
    if explicit:
        texts += blocks.chance()
    chooses: dict[int, ir.Choose] = {}
    choices: dict[int, Choices] = {}
    for number, block in enumerate(program.blocks):
        if isinstance(block.end, ir.Choose):
            chooses[number] = block.end
            choices[number] = Choices(program, pool, number, block.end, telling, plain)
            texts += [choices[number].options(), choices[number].store(), choices[number].stored()]
    source = "\n".join([*pool.outlined, *texts])
    pool.outlined.clear()
    code_names = dict(names)
    run_source(source, pool, code_names)

    def table(prefix: str) -> list[Any]:
        return [code_names.get(f"{prefix}{number}") for number in range(len(program.blocks))]

    chance: list[Any] = [code_names.get(f"d{n}") or code_names.get(f"p{n}") for n in range(len(program.blocks))]

    def labels(block: int) -> Callable[[Vector, int, tuple[int, ...]], list[Any]]:
        if f"l{block}" not in code_names:
            text = choices[block].labels()
            run_source("\n".join([*pool.outlined, text]), pool, code_names)
            pool.outlined.clear()
        found: Callable[[Vector, int, tuple[int, ...]], list[Any]] = code_names[f"l{block}"]
        return found

    return Plan(
        blocks=table("b"),
        options=table("o"),
        store=table("c"),
        stored=table("r"),
        chance=chance,
        settle=table("s"),
        functions=[code_names[f"f{number}"] for number in range(len(program.functions))],
        source=source,
        names=code_names,
        chooses=chooses,
        sites={choose.site: number for number, choose in chooses.items()},
        labels=labels,
    )


def run_source(source: str, pool: Pool, names: dict[str, Any]) -> None:
    """Compiles generated code and leaves its functions in ``names``."""
    names.update(pool.values)
    exec(compile(source, "<plan>", "exec"), names)
