"""The choices of a game as one seat has been told of them: who chose, and key and label as far as it may read them.

May not import check, syntax or document.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rulerun.facts.events import Chose, Event, observe
from rulerun.facts.observations import ObservedChoice, back_classes
from rulerun.run.machine import Machine
from rulerun.view.labels import fill
from rulerun.view.names import Namer
from rulerun.view.offer import key_text
from rulerun.view.story import Narrator


class ToldChoice(NamedTuple):
    """``chooser`` from 0; ``key`` and ``label`` are None where no more is told than that a choice was made."""

    chooser: int
    key: str | None
    label: str | None


def told_choices(
    machine: Machine, namer: Namer, steps: Iterable[tuple[list[int], int, Sequence[Event]]], seat: int
) -> tuple[ToldChoice, ...]:
    """What ``seat`` is told of the choices in ``steps`` (the position before each, the option taken, what happened), in
    order. A choice made at once with others is told of when it is made, and in full once all are in."""
    backs = back_classes(namer.program)
    narrator = Narrator(machine, namer, backs, seat)
    found: list[ToldChoice] = []
    sites: list[int] = []
    for before, index, events in steps:
        made = next((event for event in events if isinstance(event, Chose)), None)
        for event in events:
            observed = observe(event, seat, backs) if isinstance(event, Chose) else None
            if not isinstance(observed, ObservedChoice):
                continue
            key = None if observed.key is None else key_text(observed.site, observed.key)
            if event is made:
                label = None if key is None else narrator.label(before, index, made)
                found.append(ToldChoice(observed.seat, key, None if label is None else fill(label, ())))
                sites.append(observed.site)
                continue
            at = _made(found, sites, observed)
            if at is not None:
                found[at] = ToldChoice(observed.seat, key, fill(narrator.label_of(observed) or "", ()))
    return tuple(found)


def _made(found: Sequence[ToldChoice], sites: Sequence[int], told: ObservedChoice) -> int | None:
    """The place of a choice that is told in full now; None if that has been done."""
    alike = [n for n, choice in enumerate(found) if (choice.chooser, sites[n]) == (told.seat, told.site)]
    return alike[-1] if alike and found[alike[-1]].key is None else None
