"""What the label of an option means: texts, and values with their types.

Imports facts, ir and run only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulerun.facts.domains import base_zone
from rulerun.facts.options import LabelValue
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import Identity
from rulerun.ir.program import CHOOSER
from rulerun.ir.traverse import walk
from rulerun.ir.typing import is_card, is_card_set, type_of
from rulerun.run.closures import Registers, Vector
from rulerun.run.places import zone

if TYPE_CHECKING:
    from rulerun.run.planner import Planner

Part = Callable[[Vector, Registers], str | LabelValue]
"""Works out a part of a label; the registers hold what the option would store."""


def label_parts(plan: Planner, line: ir.Line) -> list[Part]:
    """Plans the label of a line's options."""
    return [_part(plan, line, part) for part in (line.label.parts if line.label else ())]


def _part(plan: Planner, line: ir.Line, part: str | ir.Expr) -> Part:
    if isinstance(part, str):
        text = part
        return lambda _v, _r: text
    if isinstance(part, ir.Local):
        for binder in line.binders:
            if binder.local == part.index and binder.identity in (Identity.BY_POSITION, Identity.BY_KIND):
                return _chosen(plan, binder, part)
            if binder.local == part.index and binder.by_sight and is_card(part.type):
                return _chosen_by_sight(plan, part)
    return _value(plan, line, part)


def _chosen(plan: Planner, binder: ir.Binder, part: ir.Local) -> Part:
    """A card that is chosen by its place, or by its kind: it may not be settled which card that is."""
    ref = base_zone(binder.domain)
    assert ref is not None
    instance, table, register, type_ = zone(plan, ref), plan.table, part.index, part.type
    located = _located(plan, part)

    def at_place(v: Vector, r: Registers) -> LabelValue:
        where, place = instance(v, r), r[register]
        card = table.places_of(v, where)[place]
        return LabelValue(card if card >= 0 else ir.UNSEEN, type_, where, place)

    def of_kind(v: Vector, r: Registers) -> LabelValue:
        card = r[register]
        return LabelValue(card, type_, instance(v, r)) if card < 0 else located(v, card)

    return at_place if binder.identity is Identity.BY_POSITION else of_kind


def _chosen_by_sight(plan: Planner, part: ir.Local) -> Part:
    """A card that stands for those that the chooser cannot tell from it is none of them yet."""
    register, location, sight, located = part.index, plan.layout.loc_base, plan.sight, _located(plan, part)

    def chosen(v: Vector, r: Registers) -> LabelValue:
        card = r[register]
        if sight.has_place(v, v[CHOOSER], card):
            return located(v, card)
        return LabelValue(ir.UNSEEN, part.type, v[location + card])

    return chosen


def _located(plan: Planner, part: ir.Expr) -> Callable[[Vector, int], LabelValue]:
    """A card with where it lies."""
    table, location, type_ = plan.table, plan.layout.loc_base, type_of(part)

    def located(v: Vector, card: int) -> LabelValue:
        if card < 0:
            return LabelValue(card, type_)
        return LabelValue(card, type_, v[location + card], table.position(v, card))

    return located


def _value(plan: Planner, line: ir.Line, part: ir.Expr) -> Part:
    """Any value. What it reads of a card that is not settled is not settled either."""
    value, type_, located = plan.number(part), type_of(part), _located(plan, part)
    shows_card = is_card(type_) and not is_card_set(type_)
    read = {node.index for node in walk(part) if isinstance(node, ir.Local)}
    by_kind = [binder.local for binder in line.binders if binder.identity is Identity.BY_KIND]
    unsettled = [local for local in by_kind if local in read][:1]

    def shown(v: Vector, r: Registers) -> LabelValue:
        found = ir.UNSEEN if any(r[register] < 0 for register in unsettled) else value(v, r)
        return located(v, found) if shows_card else LabelValue(found, type_)

    return shown
