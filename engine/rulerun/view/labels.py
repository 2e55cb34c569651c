"""The label of an option as one seat may read it, and labels that tell all options of a choice apart.

`Machine.label` gives texts and values; here the values get their names. May not import check, syntax or document.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulerun.facts.faults import UNSEEN_FACE, RulesFault
from rulerun.facts.options import DONE, PASS, LabelValue, Option
from rulerun.ir.nodes import BoardDomain, CallFunction, CardField, Choose, Expr, Load, Local, ZoneCards, ZoneDomain
from rulerun.ir.program import CHOOSER, Program, is_hidden
from rulerun.ir.traverse import walk
from rulerun.ir.types import NONE
from rulerun.ir.typing import element_type, is_card, is_card_set
from rulerun.run.machine import Machine
from rulerun.view.names import Namer
from rulerun.view.onlooker import ONLOOKER
from rulerun.view.table import Table

UNTOLD = "\N{HORIZONTAL ELLIPSIS}"
"""Stands for what the reader of a label is not told."""
HOLE = "\N{REPLACEMENT CHARACTER}"
"""Stands for a card that the reader cannot name, until `fill` puts a name there."""
ALL_UNKNOWN = re.compile(r"(\d+ x )?a card")
MANY_HOLES = re.compile(rf"(\d+) x {HOLE}")


def label_for(
    machine: Machine,
    namer: Namer,
    vector: list[int],
    option: Option,
    seat: int | None,
    *,
    by_place: bool = False,
) -> str:
    """The label of ``option`` as ``seat`` (None: one who knows all) may read it."""
    return fill(open_label(machine, namer, vector, option, seat, by_place=by_place), ())


def open_label(
    machine: Machine,
    namer: Namer,
    vector: list[int],
    option: Option,
    seat: int | None,
    *,
    by_place: bool = False,
) -> str:
    """As `label_for`, with a `HOLE` for each card that the seat cannot tell from others."""
    if option.line == PASS:
        return "pass"
    if option.line == DONE:
        return "done"
    table = Table(namer.program, vector)
    parts = machine.label(vector, option)
    untold = _untold(machine, table, vector, option, seat)
    texts = [
        p if isinstance(p, str) else _blank(p) if number in untold else _part(namer, table, p, seat, by_place)
        for number, p in enumerate(parts)
    ]
    return "".join(texts)


def _blank(part: LabelValue) -> str:
    """What stands for a part that is not told."""
    return HOLE if is_card(part.type) and part.value != NONE else UNTOLD


def _untold(machine: Machine, table: Table, vector: list[int], option: Option, seat: int | None) -> frozenset[int]:
    """The parts of a label that its reader is not told: those of which the rules alone say that only the chooser may
    know them (but for cards that it chooses: each may name them as it knows them); and, if the label reads what the
    reader neither sees nor knows, those that are worked out from faces, or from values that not everyone sees."""
    if seat is None or seat == table.chooser:
        return frozenset()
    choose = table.program.blocks[table.block].end
    assert isinstance(choose, Choose)
    line = choose.lines[option.line]
    if line.label is None:
        return frozenset()
    chosen = {binder.local for binder in line.binders if is_card(element_type(binder.domain))}
    chosen |= {binder.local for binder in line.binders if is_card_set(element_type(binder.domain))}
    parts = line.label.parts
    closed = {n for n in line.label.hidden if not (isinstance(part := parts[n], Local) and part.index in chosen)}
    if not _follows_from_sight(machine, table, vector, option, seat):
        closed |= {n for n, p in enumerate(parts) if not isinstance(p, str) and _may_hide(table.program, p)}
    return frozenset(closed)


def _may_hide(program: Program, expr: Expr) -> bool:
    """Whether an expression works something out from what some seat may not see."""
    return reads_cards(expr) or any(
        isinstance(node, Load) and is_hidden(program, node.place.offset) for node in walk(expr)
    )


def reads_cards(expr: Expr) -> bool:
    """Whether a field of a card or the cards of a zone are read anywhere in an expression, or may be in a function."""
    return any(isinstance(node, CardField | ZoneCards | ZoneDomain | BoardDomain | CallFunction) for node in walk(expr))


def _follows_from_sight(machine: Machine, table: Table, vector: list[int], option: Option, seat: int) -> bool:
    """Whether a reader could work the label out: it reads nothing but what the reader, too, sees or knows."""
    readers = range(table.program.players) if seat == ONLOOKER else (seat,)
    for reader in readers:
        looking = vector.copy()
        looking[CHOOSER] = reader
        try:
            machine.label(looking, option)
        except RulesFault as fault:
            if fault.code != UNSEEN_FACE:
                raise
            return False
    return True


def _part(namer: Namer, table: Table, part: LabelValue, seat: int | None, by_place: bool) -> str:
    if is_card(part.type) and part.value != NONE:
        if part.value < 0 and part.place >= 0:
            return namer.at_place(table, part.zone, part.place, seat, by_place=by_place)
        if part.value < 0:
            return HOLE
        text = namer.card(table, part.value, seat, by_place=by_place)
        return HOLE if text == "a card" else text
    text = namer.value(table, part.value, part.type, seat, by_place=by_place)
    return text.replace("a card", HOLE) if is_card_set(part.type) and ALL_UNKNOWN.fullmatch(text) else text


def fill(label: str, names: Sequence[str]) -> str:
    """The label with its holes filled: by the names in order, then by "a card"."""
    for name in names:
        label = label.replace(HOLE, name, 1)
    return MANY_HOLES.sub(r"\1 cards", label).replace(HOLE, "a card")


def unique_labels(machine: Machine, namer: Namer, vector: list[int], options: Sequence[Option]) -> list[str]:
    """Labels of all options of the choice as its chooser reads them, no two alike: equal ones get their places, and
    where that is not enough a number."""
    seat = Table(namer.program, vector).chooser
    labels = [label_for(machine, namer, vector, o, seat) for o in options]
    if len(set(labels)) < len(labels):
        double = {label for label in labels if labels.count(label) > 1}
        labels = [
            label_for(machine, namer, vector, o, seat, by_place=True) if label in double else label
            for o, label in zip(options, labels, strict=True)
        ]
    seen: dict[str, int] = {}
    result = []
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
        result.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return result
