"""From procedures lowered one by one to one program: block numbers, choice sites.

Block 0 of a program is the end of the game. Then come the blocks of all procedures, in the order of their numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rulerun.check.rule_text.flow import retarget
from rulerun.ir import nodes as ir
from rulerun.ir.program import Procedure


@dataclass(frozen=True, slots=True)
class Linked:
    procedures: tuple[Procedure, ...]
    blocks: tuple[ir.Block, ...]


def link(parts: list[tuple[Procedure, list[ir.Block]]], entry: int) -> Linked:
    """Puts procedures (by number, each with blocks numbered from 0) together. `entry` is where the game begins."""
    blocks = [ir.Block((), ir.Finish(), entry, parts[entry][0].at)]
    procedures = []
    sites: dict[int, int] = {}
    for procedure, own in parts:
        base = len(blocks)
        for block in own:
            if isinstance(block.end, ir.Choose):
                sites.setdefault(block.end.site, len(sites))
        procedures.append(replace(procedure, entry=base + procedure.entry))
        blocks.extend(_moved(block, base) for block in own)
    return Linked(tuple(procedures), tuple(_with_sites(block, sites) for block in blocks))


def _moved(block: ir.Block, base: int) -> ir.Block:
    return replace(block, end=retarget(block.end, lambda number: number + base))


def _with_sites(block: ir.Block, sites: dict[int, int]) -> ir.Block:
    end = block.end
    if isinstance(end, ir.Choose):
        end = replace(end, site=sites[end.site])
    ops = block.ops
    if any(isinstance(op, ir.Tell) for op in ops):
        ops = tuple(replace(op, site=sites[op.site]) if isinstance(op, ir.Tell) else op for op in ops)
    return block if end is block.end and ops is block.ops else replace(block, ops=ops, end=end)
