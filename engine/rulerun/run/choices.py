"""What a choice means: what is offered, what choosing stores, and the values of an option's label.

See `ir.endings.Choose`, `Line`, `Binder` and `Identity`. Imports facts, ir and run only.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Final

from rulerun.facts.domains import SETS_COUNTED, base_zone, by_cards, counts_by_kind
from rulerun.facts.options import PASS, LabelValue, Option
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import Identity
from rulerun.ir.program import CHOOSER, MAX_OPTIONS, MAX_SET_OPTIONS, PICKED, ZONE_COUNT
from rulerun.ir.typing import is_card, is_card_set
from rulerun.run.labels import Part, label_parts
from rulerun.run.offered_sets import count_sets, grouped, list_sets, named_alike, picks
from rulerun.run.places import always, load, put_in, zone, zone_word
from rulerun.run.sets import bits_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rulerun.run.closures import Elements, Registers, Value, Vector
    from rulerun.run.planner import Planner

_PASS: Final = Option(PASS, ())


class Choice:
    """A planned `Choose`. ``offering`` plans what is offered (guarded, where the machine tells), ``storing`` the rest;
    ``registers`` is how many locals its procedure has."""

    def __init__(self, offering: Planner, storing: Planner, choose: ir.Choose, registers: int) -> None:
        self.choose = choose
        self._offering = offering
        self._registers = registers
        self._lines = [_line(offering, number, line) for number, line in enumerate(choose.lines)]
        self._picked = [line for line in self._lines if isinstance(line, _SetLine)]
        self._puts = [[put_in(storing, binder.place) for binder in line.binders] for line in choose.lines]
        self._loads = [[storing.value(ir.Load(binder.place)) for binder in line.binders] for line in choose.lines]
        self._labels: dict[int, list[Part]] = {}

    def options(self, v: Vector) -> list[Option]:
        """What is offered, in order. While a set is picked card by card only its further picks are."""
        r = [0] * self._registers
        found: list[Option] = []
        if v[PICKED]:
            for set_line in self._picked:
                if set_line.resume(v, r, found):
                    return found
        for line in self._lines:
            if line.guard is None or line.guard(v, r):
                line.offer(v, r, found)
        if self.choose.optional:
            found.append(_PASS)
        return found

    def store(self, v: Vector, line: int, values: tuple[int, ...]) -> int:
        """Stores what was chosen; the block to go on with."""
        if line < 0:
            return self.choose.passing or 0
        r = [0] * self._registers
        for put, value in zip(self._puts[line], values, strict=True):
            put(v, r, value)
        return self.choose.lines[line].target

    def stored(self, v: Vector, line: int) -> tuple[int, ...]:
        """What the places of a line hold."""
        r = [0] * self._registers
        return tuple(value(v, r) for value in self._loads[line])

    def label(self, v: Vector, line: int, values: tuple[int, ...]) -> tuple[str | LabelValue, ...]:
        """The parts of an option's label. They are planned when they are first asked for: volume never does."""
        if line not in self._labels:
            self._labels[line] = label_parts(self._offering, self.choose.lines[line])
        r = [0] * self._registers
        for binder, value in zip(self.choose.lines[line].binders, values, strict=True):
            r[binder.local] = value
        return tuple(part(v, r) for part in self._labels[line])


def _line(plan: Planner, number: int, line: ir.Line) -> _Line:
    binder = by_cards(line)
    if binder is not None:
        return _SetLine(plan, number, line, binder)
    if not line.binders:
        return _BareLine(plan, number, line)
    if len(line.binders) == 1 and line.binders[0].identity is not Identity.MULTISET:
        return _OneLine(plan, number, line, line.binders[0])
    return _Line(plan, number, line)


class _Line:
    """A line of a choice, whatever it binds."""

    def __init__(self, plan: Planner, number: int, line: ir.Line) -> None:
        self.number = number
        self.guard = plan.test(line.guard)
        self.test = plan.test(line.where)
        self.bound = [_Bound(plan, binder, line.at) for binder in line.binders]
        self.may_repeat = any(bound.may_repeat for bound in self.bound)
        self._too_many, self._at = plan.faults["too_many_options"], line.at

    def offer(self, v: Vector, r: Registers, found: list[Option]) -> None:
        """Adds the options of the line: of those with the same identities the first."""
        all_bound, last, test, row = self.bound, len(self.bound) - 1, self.test, [0] * len(self.bound)
        seen: set[tuple[Hashable, ...]] = set()

        def extend(depth: int) -> None:
            """Goes through the elements from binder ``depth`` on, the first binder slowest."""
            bound = all_bound[depth]
            local, blind = bound.local, bound.is_blind(v, r)
            for element in bound.elements(v, r):
                r[local] = element
                row[depth] = ir.UNSEEN if blind else element
                if depth < last:
                    extend(depth + 1)
                elif (test is None or test(v, r)) and not (self.may_repeat and self._is_repeated(v, row, seen)):
                    self.add(found, Option(self.number, tuple(row)))

        extend(0)

    def _is_repeated(self, v: Vector, row: list[int], seen: set[tuple[Hashable, ...]]) -> bool:
        identities = tuple([bound.identity(v, value) for bound, value in zip(self.bound, row, strict=True)])
        if identities in seen:
            return True
        seen.add(identities)
        return False

    def add(self, found: list[Option], option: Option) -> None:
        found.append(option)
        if len(found) > MAX_OPTIONS:
            self._too_many(self._at)


class _BareLine(_Line):
    """A line that binds nothing: one option."""

    def __init__(self, plan: Planner, number: int, line: ir.Line) -> None:
        super().__init__(plan, number, line)
        self.made = Option(number, ())

    def offer(self, v: Vector, r: Registers, found: list[Option]) -> None:
        if self.test is None or self.test(v, r):
            self.add(found, self.made)


class _OneLine(_Line):
    """A line that binds one element, as most do. The options of cards are made beforehand."""

    def __init__(self, plan: Planner, number: int, line: ir.Line, binder: ir.Binder) -> None:
        super().__init__(plan, number, line)
        self.elements = self.bound[0].elements
        if plan.annotations and line.sifted is not None:
            sifted = plan.value(line.sifted.cards)
            self.elements, self.test = lambda v, r: bits_of(sifted(v, r)), plan.test(line.sifted.rest)
        self.local = binder.local
        self.unseen = Option(number, (ir.UNSEEN,))
        of_cards = binder.identity is not Identity.BY_POSITION and is_card(binder.place.type)
        cards = plan.program.card_count if of_cards else 0
        self.made = [Option(number, (card,)) for card in range(cards)]

    def offer(self, v: Vector, r: Registers, found: list[Option]) -> None:
        local, test, made, bound = self.local, self.test, self.made, self.bound[0]
        blind, identity = bound.is_blind(v, r), bound.identity_of
        seen: set[Hashable] = set()
        for element in self.elements(v, r):
            r[local] = element
            if test is not None and not test(v, r):
                continue
            if blind:
                self.add(found, self.unseen)
                return
            if identity is not None:
                same = identity(v, element)
                if same in seen:
                    continue
                seen.add(same)
            self.add(found, made[element] if made else Option(self.number, (element,)))


class _SetLine(_Line):
    """A line that binds one set of cards and tests nothing: where there are too many sets, the cards are picked one by
    one, ascending, and the place of the binder holds what is picked so far."""

    def __init__(self, plan: Planner, number: int, line: ir.Line, binder: ir.Binder) -> None:
        super().__init__(plan, number, line)
        self.groups = _set_groups(plan, binder)
        self.count_fuel = _set_fuel(plan, binder, line.at)
        self.put = put_in(plan, binder.place)
        self.load = plan.value(ir.Load(binder.place))

    def resume(self, v: Vector, r: Registers, found: list[Option]) -> bool:
        """Adds the further picks, if it is this line's set that is being picked."""
        picked = self.load(v, r)
        if picked:
            groups, least, most = self.groups(v, r)
            found += picks(self.number, groups, picked, least, most)
        return bool(picked)

    def offer(self, v: Vector, r: Registers, found: list[Option]) -> None:
        groups, least, most = self.groups(v, r)
        self.count_fuel(groups)
        if most < max(0, least):
            return
        if count_sets(groups, least, most) > MAX_SET_OPTIONS:
            self.put(v, r, 0)
            found += picks(self.number, groups, 0, least, most)
            return
        for cards in list_sets(groups, least, most):
            self.add(found, Option(self.number, (cards,)))


# ---------------------------------------------------------------------- binders


class _Bound:
    """A planned binder."""

    def __init__(self, plan: Planner, binder: ir.Binder, at: int) -> None:
        self.local = binder.local
        self.elements = _elements(plan, binder, at)
        self.identity_of = _identity(plan, binder)
        self._blindness = _blindness(plan, binder)
        self.may_repeat = self.identity_of is not None or binder.identity is Identity.BY_KIND
        """Whether several elements may have the same identity."""

    def is_blind(self, v: Vector, r: Registers) -> bool:
        """Whether the seat that is asked does not see what it chooses from."""
        return self._blindness is not None and bool(self._blindness(v, r))

    def identity(self, v: Vector, value: int) -> Hashable:
        """What tells an element from others."""
        return value if self.identity_of is None or value == ir.UNSEEN else self.identity_of(v, value)


def _elements(plan: Planner, binder: ir.Binder, at: int) -> Elements:
    match binder.identity:
        case Identity.BY_POSITION:
            return _places(plan, binder.domain, binder.fuel, at)
        case Identity.MULTISET:
            return _sets(plan, binder, at)
        case _:
            return plan.elements(binder.domain, binder.fuel, at, plan.sight.in_order if binder.by_sight else None)


def _places(plan: Planner, domain: ir.Domain, fuel: int, at: int) -> Elements:
    """The places of an ordered zone; a filter reads the place."""
    if isinstance(domain, ir.FilteredDomain):
        places, test, local = _places(plan, domain.domain, fuel, at), plan.value(domain.where), domain.local

        def passing(v: Vector, r: Registers) -> Iterator[int]:
            for place in places(v, r):
                r[local] = place
                if test(v, r):
                    yield place

        return passing
    ref = base_zone(domain)
    assert ref is not None
    count, burn = load(zone_word(plan, ref, ZONE_COUNT), 1), plan.fuel.burn

    def every(v: Vector, r: Registers) -> range:
        number = count(v, r)
        burn(number * fuel, at)
        return range(number)

    return every


def _blindness(plan: Planner, binder: ir.Binder) -> Value | None:
    """Whether the seat that is asked does not see the zone of a binder that is held by kind."""
    ref = base_zone(binder.domain) if binder.identity is Identity.BY_KIND else None
    if ref is None:
        return None
    instance, seen_by = zone(plan, ref), plan.table.seen_by
    return lambda v, r: not seen_by[instance(v, r)] >> v[CHOOSER] & 1


def _has_twins(plan: Planner) -> bool:
    return len(set(plan.program.kinds)) < len(plan.program.kinds)


def _identity(plan: Planner, binder: ir.Binder) -> Callable[[Vector, int], Hashable] | None:
    """What tells an element of a binder from another; None: every element is one of its own. (Sets of a MULTISET are
    listed once each.)"""
    kinds, location, ordered = plan.program.kinds, plan.layout.loc_base, plan.table.ordered
    if binder.by_sight and binder.identity is not Identity.MULTISET:
        names = plan.sight.names
        return (lambda v, cards: names(v, bits_of(cards))) if is_card_set(binder.place.type) else plan.sight.name
    if not _has_twins(plan) or binder.identity is Identity.MULTISET:
        return None
    if binder.identity is Identity.GIVEN_SET:

        def zones_and_kinds(v: Vector, cards: int) -> tuple[tuple[int, int], ...]:
            lying = [(v[location + card], card) for card in bits_of(cards)]
            return tuple(sorted((zone, card if ordered[zone] else kinds[card]) for zone, card in lying))

        return zones_and_kinds
    return (lambda _v, card: kinds[card]) if counts_by_kind(plan.program, binder) else None


# ------------------------------------------------------------------ sets of cards


def _set_groups(plan: Planner, binder: ir.Binder) -> Callable[[Vector, Registers], tuple[list[list[int]], int, int]]:
    """The cards that sets are made of, those that count as equal together; the least and the most cards of a set."""
    least_of = always(0) if binder.least is None else plan.value(binder.least)
    most_of = None if binder.most is None else plan.value(binder.most)
    name = plan.sight.name if binder.by_sight else None
    elements = plan.elements(binder.domain, 0, -1, plan.sight.in_order if binder.by_sight else None)
    kinds = plan.program.kinds if counts_by_kind(plan.program, binder) and _has_twins(plan) else None

    def groups(v: Vector, r: Registers) -> tuple[list[list[int]], int, int]:
        least = least_of(v, r)
        most = None if most_of is None else most_of(v, r)
        cards = list(elements(v, r))
        groups = grouped(cards, kinds) if name is None else named_alike(v, cards, name)
        return groups, least, len(cards) if most is None else min(most, len(cards))

    return groups


def _set_fuel(plan: Planner, binder: ir.Binder, at: int) -> Callable[[list[list[int]]], None]:
    """The fuel that looking at all sets burns."""
    fuel, burn = binder.fuel, plan.fuel.burn
    if not fuel:
        return lambda _groups: None
    return lambda groups: burn((1 << min(sum(map(len, groups)), SETS_COUNTED)) * fuel, at)


def _sets(plan: Planner, binder: ir.Binder, at: int) -> Elements:
    """The sets of cards. Too many of them are a fault."""
    groups_of, count_fuel = _set_groups(plan, binder), _set_fuel(plan, binder, at)
    too_many = plan.faults["too_many_sets"]

    def sets(v: Vector, r: Registers) -> list[int]:
        groups, least, most = groups_of(v, r)
        count_fuel(groups)
        if most < max(0, least):
            return []
        number = count_sets(groups, least, most)
        if number > MAX_SET_OPTIONS:
            too_many(at, number)
        return list_sets(groups, least, most)

    return sets
