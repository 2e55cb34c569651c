"""How much work an expression can be at most: nested folds and calls multiplied over the sizes of what they run over.

An estimate for refusing texts that would hang a game, not a measure. A unit of work is about one small operation.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from math import comb
from typing import assert_never

from rulerun.check.rule_text.typed import DomainUse
from rulerun.check.rule_text.units import FunctionUnit, Unit
from rulerun.check.rule_text.wording import source_text
from rulerun.facts.domains import count_runs
from rulerun.ir import nodes as ir
from rulerun.ir.types import SetType
from rulerun.ir.typing import type_of
from rulerun.syntax import nodes as syn

LIMIT = 10_000_000
"""Most work that one evaluation may be."""

IN_SUBSET = 11
"""Subsets are taken to be of so many cards at most: what is done for each is counted for as many."""

SUBSETS = 1 << IN_SUBSET
"""How many subsets these have."""

_NAMES: dict[type, tuple[str, ...]] = {}


def of(unit: Unit, node: object) -> int:
    """The work of an expression (or domain, or any part of the IR that holds some)."""
    match node:
        case ir.Const() | ir.Local():
            return 1
        case ir.Fold():
            inner = 1 + of(unit, node.where) + of(unit, node.value)
            if isinstance(node.domain, ir.SubsetDomain):
                inner = _in_subset(unit, inner)
            return domain_size(unit, node.domain) * inner + of(unit, node.domain) + of(unit, node.default)
        case ir.Cover():
            inner = _in_subset(unit, of(unit, node.where) + of(unit, node.value))
            return SUBSETS * (2 + inner) + of(unit, node.of)
        case ir.FilteredDomain():
            return of(unit, node.domain) + domain_size(unit, node.domain) * (1 + of(unit, node.where))
        case ir.CallFunction():
            info = next(f for f in unit.compilation.functions.values() if f.index == node.function)
            return info.cost + sum(of(unit, a) for a in node.arguments)
        case tuple():
            return sum(of(unit, item) for item in node)
        case _ if is_dataclass(node) and not isinstance(node, type):
            kind = type(node)
            names = _NAMES.get(kind)
            if names is None:
                names = _NAMES[kind] = tuple(f.name for f in fields(node) if f.name not in ("at", "type"))
            return 1 + sum(of(unit, getattr(node, name)) for name in names)
        case _:  # a number, a word, nothing at all
            return 0


def _in_subset(unit: Unit, work: int) -> int:
    """Work reckoned for all cards of the game, done for a subset."""
    cards = unit.symbols.card_count
    return work if cards <= IN_SUBSET else 1 + work * IN_SUBSET // cards


def domain_size(unit: Unit, domain: ir.Domain) -> int:
    """How many elements a domain has at most."""
    symbols = unit.symbols
    match domain:
        case ir.NumberDomain(low, high):
            if isinstance(low, ir.Const) and isinstance(high, ir.Const):
                return max(0, high.value - low.value + 1)
            return 100
        case ir.SteppedDomain(low, high, step):
            if isinstance(low, ir.Const) and isinstance(high, ir.Const):
                return len(range(low.value, high.value + (1 if step > 0 else -1), step))
            return 100
        case ir.SubsetDomain():
            return _subsets(domain, min(symbols.card_count, IN_SUBSET))
        case ir.GroupDomain():
            return symbols.card_count
        case ir.RunDomain(_, field):
            return count_runs(symbols.fields_data[field].values)
        case ir.SeatDomain():
            return symbols.players
        case ir.ZoneDomain():
            return symbols.card_count
        case ir.BoardDomain(_, places):
            return min(places, symbols.card_count)
        case ir.FilteredDomain():
            return domain_size(unit, domain.domain)
        case ir.SetDomain(expr):
            type_ = type_of(expr)
            assert isinstance(type_, SetType)
            return unit.compilation.set_size(type_.of)
        case _:
            assert_never(domain)


def _subsets(domain: ir.SubsetDomain, cards: int) -> int:
    """How many subsets of so many cards there are, of the sizes that the rules name where they are numbers."""
    least = domain.least.value if isinstance(domain.least, ir.Const) else 0
    most = domain.most.value if isinstance(domain.most, ir.Const) else cards
    return max(1, sum(comb(cards, size) for size in range(max(0, least), min(most, cards) + 1)))


def check(unit: Unit, fold: ir.Fold | ir.Cover, clause: syn.Clause, domain: DomainUse) -> None:
    """Refuses a fold whose work is above the limit, naming the loop that makes it so."""
    work = of(unit, fold)
    if work <= LIMIT:
        return
    each = work // max(1, domain.size)
    unit.refuse(
        "RR0506",
        f"this may take {work:,} steps each time it is asked: `for {clause.name.text} in "
        f"{source_text(clause.domain.span)}` repeats {each:,} steps up to {domain.size} times",
        clause.domain.span,
        help=f"at most {LIMIT:,} are allowed: let one loop do the work of two, or keep what it finds",
    )


def charge(unit: Unit, expr: ir.Expr) -> None:
    """Counts the work of a statement of a function. What procedures do is counted when it is done."""
    if isinstance(unit, FunctionUnit):
        unit.cost += unit.times * of(unit, expr)
