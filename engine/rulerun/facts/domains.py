"""Facts about domains and binders: their size, the zone they run over, and which cards of theirs count as one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from rulerun.ir import nodes as ir
from rulerun.ir.nodes import Identity
from rulerun.ir.program import MAX_SUBSETS, Program
from rulerun.ir.traverse import base_of
from rulerun.ir.types import EnumType, PlayerType, SetType, Type
from rulerun.ir.typing import type_of

SETS_COUNTED = 12
"""The sets of so many cards are counted at most: those that can be offered."""


def domain_size(domain: ir.Domain, program: Program) -> int:
    """How many elements a domain can have at most."""
    match domain:
        case ir.NumberDomain(ir.Const(low), ir.Const(high)):
            return max(0, high - low + 1)
        case ir.NumberDomain():
            return 2**31
        case ir.SteppedDomain(ir.Const(low), ir.Const(high), step):
            return len(range(low, high + (1 if step > 0 else -1), step))
        case ir.SteppedDomain():
            return 2**31
        case ir.SubsetDomain():
            return MAX_SUBSETS
        case ir.GroupDomain():
            return program.card_count
        case ir.RunDomain(_, field):
            return count_runs(program.fields[field].values)
        case ir.SetDomain(of):
            return set_size(type_of(of), program)
        case ir.SeatDomain():
            return program.players
        case ir.ZoneDomain() | ir.BoardDomain():
            return program.card_count
        case ir.FilteredDomain():
            return domain_size(domain.domain, program)
        case _:
            assert_never(domain)


def count_runs(values: Iterable[int]) -> int:
    """How many runs there are among cards with these values: of two or more that follow each other."""
    found, before, length = 0, None, 0
    for value in sorted(set(values)):
        length = length + 1 if before is not None and value == before + 1 else 1
        found, before = found + length - 1, value
    return found


def set_size(type_: Type, program: Program) -> int:
    """How many elements a set of a type can have at most."""
    match type_:
        case SetType(EnumType(values=values)):
            return len(values)
        case SetType(PlayerType()):
            return program.players
        case _:
            return program.card_count


def base_zone(domain: ir.Domain) -> ir.ZoneRef | None:
    """The zone whose cards a domain runs over, if it is one."""
    base = base_of(domain)
    return base.zone if isinstance(base, ir.ZoneDomain) else None


def counts_by_kind(program: Program, binder: ir.Binder) -> bool:
    """Whether equal cards of the binder's domain make one option."""
    zone = base_zone(binder.domain)
    if zone is None or binder.by_sight or binder.identity is Identity.BY_POSITION:
        return False
    return not program.families[zone.family].kind.ordered


def by_cards(line: ir.Line) -> ir.Binder | None:
    """The binder of a line whose sets may be picked card by card."""
    if len(line.binders) == 1 and line.binders[0].identity is Identity.MULTISET and line.where is None:
        return line.binders[0]
    return None
