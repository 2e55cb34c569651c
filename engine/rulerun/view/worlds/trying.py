"""Trying the step that waits in a supposed position: which of its outcomes goes with the record, and how far.

A draw gives the card that was dealt; of several options that tell the seat the same one that goes with the plan is
taken first. Nothing is changed by trying. May not import check, syntax or document.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from rulerun.facts.events import Hinted, Moved
from rulerun.facts.observations import (
    Chance,
    Hint,
    Key,
    Observation,
    ObservedChoice,
    ObservedMove,
    ObservedOffer,
)
from rulerun.facts.options import PASS, CardPick, Option
from rulerun.facts.spots import HEAD
from rulerun.ir.nodes import Choose, Draw, Pick
from rulerun.ir.program import CHOOSER, PC
from rulerun.ir.typing import is_card
from rulerun.run.naming import ACROSS, is_unknown
from rulerun.view.worlds.blame import Odd, Study, heard
from rulerun.view.worlds.planning import Plan
from rulerun.view.worlds.situation import Situation
from rulerun.view.worlds.stepping import LITTLE, PATIENCE, Stepper, Taken

TRIALS = 60
"""How many options are tried in search of one that goes with the plan, before any that tells the same will do."""
PEEKS = 3
"""With how many cards it is seen whether a choice goes with a draw that comes next."""
FEW = 8
"""How many are tried in a supposed position."""


class Tried(NamedTuple):
    """The step that waits, tried with each of its outcomes: the one that was taken, if any fits the record; and up to
    which entry the record was met at best: beyond its end if the step fits, before the step if nothing could be tried;
    ``odd``: what was told instead then."""

    taken: Taken | None
    outcome: int
    reach: int
    odd: Odd | None


class Trier:
    """Tries the steps of one situation as it goes on."""

    def __init__(
        self,
        stepper: Stepper,
        now: Situation,
        plan: Plan,
        random: Random,
        study: Study,
        wished: dict[int, Key],
    ) -> None:
        """``study`` grows as facts are heard; ``wished``: by entry the option that is taken there if it can be."""
        self.stepper = stepper
        self.program = stepper.program
        self.machine = stepper.machine
        self.record = stepper.record
        self.seat = stepper.seat
        self.now = now
        self.plan = plan
        self.random = random
        self.study = study
        self._wished = wished

    def waits_for_chance(self) -> bool:
        """Whether chance is asked next, and no seat."""
        return isinstance(self.program.blocks[self.now.vector[PC]].end, Draw | Pick)

    def tried(
        self,
        v: list[int],
        options: list[Option] | None,
        keys: Sequence[Key],
        kinds: dict[int, int],
        few: bool = False,
    ) -> Tried:
        """The step that waits at ``v``, a vector of this situation or a supposed change of it (``options`` None: not
        worked out yet), with ``kinds`` of the tokens."""
        end = self.program.blocks[v[PC]].end
        if isinstance(end, Draw):
            return self._tried_draw(v, kinds, few)
        if isinstance(end, Pick):
            return self._tried_pick(v, end, kinds, few)
        return self._tried_choice(v, options, keys, kinds, few)

    def drawn(self) -> tuple[int, int] | None:
        """The token that is drawn in the step that waits, and its zone."""
        v = self.now.vector
        if not isinstance(self.program.blocks[v[PC]].end, Draw):
            return None
        zone, spot = self.machine.drawn_from(v)
        lying = self.now.tracker.zones[zone]
        return lying[spot if spot >= 0 else 0 if spot == HEAD else -1], zone

    def _tried_draw(self, v: list[int], kinds: dict[int, int], few: bool) -> Tried:
        found = self.drawn()
        assert found is not None
        kind = kinds.get(found[0], -1)
        if kind < 0:
            kind = self.now.kinds[found[0]]
        values = [card for card, _ in self.machine.outcomes(v)]
        fit = [i for i, card in enumerate(values) if self.program.kinds[card] == kind]
        return self._first(fit, few, lambda i, p: self.stepper.settle(v, self.now.at, values[i], p), kinds)

    def _tried_pick(self, v: list[int], pick: Pick, kinds: dict[int, int], few: bool) -> Tried:
        outcomes = self.machine.outcomes(v)
        fit = list(range(len(outcomes)))
        if self.machine.told_of_pick(v) >> self.seat & 1:
            entry = self.record[self.now.at] if self.now.at < len(self.record) else None
            if not isinstance(entry, Chance):
                return Tried(None, -1, self.now.at - 1, None)
            public = self.machine.naming.public
            fit = [i for i in fit if public(pick.domain, outcomes[i][0]) == entry.value]
        weights = [outcomes[i][1] for i in fit]
        wanted = self._next_kind(kinds) if is_card(pick.into.type) else None
        if wanted is not None:
            weights = [w * (self.program.kinds[outcomes[i][0]] == wanted) for i, w in zip(fit, weights, strict=True)]
        order = self._ordered(fit, weights)
        return self._first(order, few, lambda i, p: self.stepper.settle(v, self.now.at, outcomes[i][0], p), kinds)

    def _tried_choice(
        self, v: list[int], options: list[Option] | None, keys: Sequence[Key], kinds: dict[int, int], few: bool
    ) -> Tried:
        at, nothing = self.now.at, Tried(None, -1, self.now.at - 1, None)
        chooser = v[CHOOSER]
        choose = self.program.blocks[v[PC]].end
        assert isinstance(choose, Choose)
        entry = self._told_of_choice(choose, chooser)
        hushed = chooser != self.seat and (choose.secret or choose.sealed or choose.silent)
        if entry is None and not hushed:
            return nothing
        if any(not set(wanted) <= self._held(zone, kinds) for zone, wanted in self.sealed().items()):
            return nothing
        if options is None:
            options = self.stepper.options(v)
            if options is None:
                return nothing
            keys = [self.machine.key(v, option) for option in options]
        elif len(keys) != len(options):
            keys = [self.machine.key(v, option) for option in options]
        self.stepper.spend(len(keys) // 8)
        if entry is not None:
            fit = self._fitting(keys, entry, chooser)
        else:
            fit = [i for i, option in enumerate(options) if is_unheard(choose, option)]
        order = self._ordered(fit, self._hinted(fit, keys, kinds, chooser))
        wished = self._wished.get(at)
        order.sort(key=lambda i: keys[i] != wished)
        offered = options
        return self._first(order, few, lambda i, p: self.stepper.choose(v, at, offered[i], p), kinds)

    def _told_of_choice(self, choose: Choose, chooser: int) -> ObservedChoice | None:
        """What the record says next, if it is of this choice."""
        entry = self.record[self.now.at] if self.now.at < len(self.record) else None
        fits = isinstance(entry, ObservedChoice) and (entry.seat, entry.site) == (chooser, choose.site)
        return entry if isinstance(entry, ObservedChoice) and fits else None

    def sealed(self) -> dict[int, list[int]]:
        """If the choice that waits is sealed: per zone of its chooser the kinds that are seen to leave it once all are
        in. Where they are not there now, it is too late then."""
        record, at = self.record, self.now.at
        entry = record[at] if at < len(record) else None
        found: dict[int, list[int]] = {}
        if not isinstance(entry, ObservedChoice) or entry.key is not None or entry.seat == self.seat:
            return found
        moved = False
        for number in range(at + 1, len(record)):
            later = record[number]
            if isinstance(later, ObservedOffer) and moved:
                break
            if isinstance(later, ObservedMove):
                moved = True
                if later.kind >= 0 and later.source in self.now.tracker.hands[entry.seat]:
                    found.setdefault(later.source, []).append(later.kind)
        return found

    def _held(self, zone: int, kinds: dict[int, int]) -> set[int]:
        """The kinds in a zone."""
        return {kinds[token] for token in self.now.tracker.zones[zone] if token in kinds}

    def _first(
        self, order: Sequence[int], few: bool, take: Callable[[int, int], Taken | None], kinds: dict[int, int]
    ) -> Tried:
        """The first outcome that tells the seat what its record says next, if possible one that goes with the plan."""
        at = self.now.at
        found: Taken | None = None
        chosen, reach, odd = -1, at - 1, None
        for number, i in enumerate(order):
            if number >= (FEW if few else TRIALS) and (few or found is not None):
                break
            taken = take(i, LITTLE if few else PATIENCE)
            if taken is None:
                continue
            self._hear(taken)
            odd_one = self._odd_after(taken)
            met = len(self.record) + 1 if odd_one is None else at + taken.met
            if met > reach:
                reach, odd = met, odd_one
            if odd_one is None:
                goes = few or self._goes_with(taken, kinds)
                if goes or found is None:
                    found, chosen = taken, i
                if goes:
                    break
        return Tried(found, chosen, reach, odd)

    def _odd_after(self, taken: Taken) -> Odd | None:
        """What is told otherwise than the record says: in a step, or after it whatever chance may bring then; None if
        nothing is."""
        if not taken.fits:
            return taken.odd
        end = self.program.blocks[taken.vector[PC]].end
        at, odd = self.now.at + taken.met, None
        if not isinstance(end, Draw | Pick) or at >= len(self.record):
            return None
        wanted = self.record[at]
        if isinstance(end, Draw) and isinstance(wanted, ObservedMove):
            zone, _ = self.machine.drawn_from(taken.vector)
            if wanted.source == zone:
                return None
        outcomes = self.machine.outcomes(taken.vector)
        for value, _ in outcomes[: PEEKS if isinstance(end, Draw) else TRIALS]:
            after = self.stepper.settle(taken.vector, at, value, LITTLE)
            if after is None or after.fits or after.met:
                return None
            odd = after.odd
            if odd is None or _may_be_of(odd, wanted):
                return None
        return odd

    def _ordered(self, fit: Sequence[int], weights: Sequence[int]) -> list[int]:
        """At random, each first as likely as its weight (all alike if there is none); those of weight 0 last."""
        order = list(fit)
        self.random.shuffle(order)
        if weights and len(order) > 1:
            random = self.random.random
            heavy = dict(zip(fit, weights, strict=True))
            urgency = {i: random() ** (1 / heavy[i]) if heavy[i] else -random() for i in order}
            order.sort(key=lambda i: -urgency[i])
        return order

    def _fitting(self, keys: Sequence[Key], chose: ObservedChoice, chooser: int) -> list[int]:
        """The options whose choice may have been told so."""
        wanted = chose.key
        if chooser != self.seat and wanted is None:
            wanted = self._told_later(chose)
        if wanted is None:
            return list(range(len(keys)))
        exact = [i for i, key in enumerate(keys) if key == wanted]
        if exact or chooser == self.seat:
            return exact
        return [i for i, key in enumerate(keys) if _may_be_told(key, wanted)]

    def _told_later(self, chose: ObservedChoice) -> Key | None:
        """What was told of a sealed choice once all were in."""
        for later in self.record[self.now.at + 1 :]:
            if isinstance(later, ObservedChoice) and (later.seat, later.site) == (chose.seat, chose.site):
                return later.key
        return None

    def _hinted(self, fit: Sequence[int], keys: Sequence[Key], kinds: dict[int, int], chooser: int) -> list[int]:
        """Weights that put the options which name the cards that leave next before the others."""
        if len(fit) < 2 or chooser == self.seat:
            return []
        leaving = self._leaving(kinds, chooser)
        if not leaving:
            return []
        named = [keys[i][1:] for i in fit]
        whole = [int(_names(key, leaving)) for key in named]
        return whole if any(whole) else [int(leaving[0] in key) for key in named]

    def _leaving(self, kinds: dict[int, int], chooser: int) -> list[int]:
        """The kinds of the cards that leave the chooser's zones until it is asked again, as seen or as planned."""
        found = []
        for at in range(self.now.at + 1, len(self.record)):
            entry = self.record[at]
            if isinstance(entry, ObservedMove) and self.program.zones[entry.source].seen >> chooser & 1:
                tokens = self.plan.leaves.get(at)
                kind = entry.kind if entry.kind >= 0 else kinds.get(tokens[0], -1) if tokens else -1
                if kind >= 0:
                    found.append(kind)
            elif isinstance(entry, ObservedOffer) and entry.seat == chooser:
                break
        return found

    def _next_kind(self, kinds: dict[int, int]) -> int | None:
        """The kind of the card that moves next, as the seat sees it or else as the plan supposes."""
        for at in range(self.now.at, len(self.record)):
            entry = self.record[at]
            if isinstance(entry, ObservedMove):
                tokens = self.plan.leaves.get(at)
                return entry.kind if entry.kind >= 0 else kinds.get(tokens[0]) if tokens else None
            if isinstance(entry, ObservedChoice) and at > self.now.at:
                break
        return None

    def _goes_with(self, taken: Taken, kinds: dict[int, int]) -> bool:
        """Whether hidden cards move as the plan supposed."""
        at = self.now.at
        for event, entry in zip(taken.events, taken.entries, strict=True):
            if entry is None:
                continue
            if isinstance(event, Moved):
                planned = self.plan.leaves.get(at)
                if planned and kinds.get(planned[0], event.kind) != event.kind:
                    return False
                if at in self.plan.spots and self.plan.spots[at] != event.target_place:
                    return False
            at += 1
        return True

    def _hear(self, taken: Taken) -> None:
        """Keeps what facts said of a zone's places rule out, so that the next plan heeds it."""
        at = self.now.at
        for event, entry in zip(taken.events, taken.entries, strict=False):
            if entry is None:
                continue
            if isinstance(event, Hinted) and at < len(self.record) and event.passing is not None:
                self._heard(at, event, event.passing)
            at += 1

    def _heard(self, at: int, event: Hinted, passing: Sequence[int]) -> None:
        families, zones, hint = self.program.families, self.program.zones, self.record[at]
        if not isinstance(hint, Hint) or (hint.at, hint.seats, hint.zone) != (event.at, event.to, event.zone):
            return
        if hint.zone < 0 or not families[zones[hint.zone].family].kind.ordered:
            return
        if not any(lesson.places for lesson in self.study.lessons.get(at, ())):
            kinds = len(self.program.kind_names)
            self.study.add(at, heard(kinds, hint, passing))


def is_unheard(choose: Choose, option: Option) -> bool:
    """Whether the other seats are told nothing when this is chosen."""
    return option.line == PASS if choose.silent else isinstance(option, CardPick)


def outline(odd: Odd) -> Odd:
    """What happened, but not with which card: of a move whence and whither."""
    return ObservedMove(-1, odd.source, -1, odd.target, -1) if isinstance(odd, ObservedMove) else odd


def _may_be_of(odd: Odd, wanted: Observation) -> bool:
    """Whether with another card the same might have happened: a move the same way, or something else of the same
    sort."""
    return outline(odd) == outline(wanted) if isinstance(odd, ObservedMove) else odd.__class__ is wanted.__class__


def _names(key: Sequence[int], leaving: Sequence[int]) -> bool:
    """Whether the values of a key are the next kinds that leave: one by one, or as a set (its size comes first)."""
    if sorted(key) == sorted(leaving[: len(key)]):
        return True
    return len(key) > 1 and key[0] == len(key) - 1 and sorted(key[1:]) == sorted(leaving[: key[0]])


def _may_be_told(key: Sequence[int], wanted: Sequence[int]) -> bool:
    """Whether a key can have been told as ``wanted`` to a seat that does not know all kinds in it."""
    return len(key) == len(wanted) and all(
        k == w or w < 0 or (is_unknown(w) and k // ACROSS == w // ACROSS)
        for k, w in zip(key, wanted, strict=True)
    )
