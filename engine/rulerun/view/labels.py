"""The label of an option as one seat may read it, and labels that tell all options of a choice apart.

`Machine.label` gives texts and values; here the values get their names. May not import check, syntax or document.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulerun.ir.types import NONE
from rulerun.run.machine import Machine
from rulerun.run.options import DONE, PASS, LabelValue, Option
from rulerun.run.ranges import is_card
from rulerun.view.names import Namer
from rulerun.view.table import Table

HOLE = "\N{REPLACEMENT CHARACTER}"
"""Stands for a card that the reader cannot name, until `fill` puts a name there."""


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
    texts = [p if isinstance(p, str) else _part(namer, table, p, seat, by_place) for p in parts]
    return "".join(texts)


def _part(namer: Namer, table: Table, part: LabelValue, seat: int | None, by_place: bool) -> str:
    if is_card(part.type) and part.value != NONE:
        if part.value < 0 and part.place >= 0:
            return namer.at_place(table, part.zone, part.place, seat, by_place=by_place)
        if part.value < 0:
            return HOLE
        text = namer.card(table, part.value, seat, by_place=by_place)
        return HOLE if text == "a card" else text
    return namer.value(table, part.value, part.type, seat, by_place=by_place)


def fill(label: str, names: Sequence[str]) -> str:
    """The label with its holes filled: by the names in order, then by "a card"."""
    for name in names:
        label = label.replace(HOLE, name, 1)
    return label.replace(HOLE, "a card")


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
