"""What a hidden card may still be: the conclusions from facts that were told about it (`tell`), for one seat.

A function of the seat's record and of its marks alone. A card is followed from place to place through the record, as
far as the seat was told where it went; each fact that was said aloud about its place takes away kinds (see
`facts.observations.Asked`); so does what the seat knows of all other cards: a kind whose every copy lies elsewhere is
out.
May not import check, syntax or document.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from rulerun.facts.observations import Told, back_classes
from rulerun.ir.nodes import Inform
from rulerun.ir.program import Program
from rulerun.ir.types import ArrayType, BoolType, CardType, IntType, SetType
from rulerun.view.english import any_of
from rulerun.view.names import Namer, Plain
from rulerun.view.table import Table, bits

FEW = 3
"""So many kinds are named one by one."""


@dataclass(frozen=True, slots=True)
class Possible:
    """What a card that a seat does not know may still be, of kinds that there are: ``kinds`` by name, and per field of
    the face the values that these have."""

    kinds: tuple[str, ...]
    fields: tuple[tuple[str, tuple[Plain, ...]], ...]
    text: str
    """For people: ``red or white, 1 or 4``."""

    def as_dict(self) -> dict[str, Plain]:
        """JSON form."""
        return {"kinds": list(self.kinds), "fields": {name: list(values) for name, values in self.fields}}


class _Card:
    """A card that is followed: the kinds that it may be of, as a set of bits, and whether facts were told of it."""

    __slots__ = ("kinds", "told")

    def __init__(self, kinds: int, told: bool = False) -> None:
        self.kinds = kinds
        self.told = told


class Conclusions:
    """Draws conclusions for one program."""

    def __init__(self, namer: Namer) -> None:
        program = namer.program
        self.namer = namer
        self.program = program
        self.any = any(isinstance(op, Inform) and op.zone is not None for block in program.blocks for op in block.ops)
        """Whether the rules ever tell facts about cards: if not, there is nothing to conclude."""
        self._count = Counter(program.kinds)
        self._lowest = {kind: card for card, kind in reversed(list(enumerate(program.kinds)))}

    def of(self, table: Table, seat: int, record: Iterable[Told]) -> dict[tuple[int, int], Possible]:
        """Per zone and place (from 0, from HEAD) of which facts were told what may lie there; cards that the seat knows
        are left out. ``record``: all that the seat was told from the start on."""
        if not self.any:
            return {}
        followed = Follower(self.program)
        for entry in record:
            followed.hear(entry)
        found = self._narrowed(table, seat, followed.zones)
        return {spot: self._possible(table, seat, kinds) for spot, kinds in found.items()}

    def _narrowed(self, table: Table, seat: int, zones: list[list[_Card]]) -> dict[tuple[int, int], int]:
        """The kinds that each card may be of, once what is known of the others is counted."""
        open_: dict[tuple[int, int], int] = {}
        known: list[Counter[int]] = []
        loose: list[Counter[int]] = []
        for zone in range(len(self.program.zones)):
            lying, sure = table.cards(zone), Counter[int]()
            for place, card in enumerate(lying):
                if card >= 0 and table.knows(seat, card):
                    sure[self.program.kinds[card]] += 1
                elif table.ordered(zone) and place < len(zones[zone]) and zones[zone][place].told:
                    open_[zone, place] = zones[zone][place].kinds
            if table.sees_zone(seat, zone):
                sure += Counter(self.program.kinds[card] for card in table.undrawn(zone))
            known.append(sure)
            loose.append(Counter() if table.sees_zone(seat, zone) else table.at_least(seat, zone))
        before: dict[tuple[int, int], int] = {}
        while before != open_:
            before = dict(open_)
            settled = {spot: kinds.bit_length() - 1 for spot, kinds in before.items() if kinds.bit_count() == 1}
            for spot, kinds in before.items():
                left = 0
                for kind in bits(kinds):
                    elsewhere = sum(sure[kind] for sure in known)
                    for zone, members in enumerate(loose):
                        concluded = sum(k == kind and s[0] == zone and s != spot for s, k in settled.items())
                        elsewhere += max(members[kind] if zone != spot[0] else 0, concluded)
                    if elsewhere < self._count[kind]:
                        left |= 1 << kind
                open_[spot] = left
        return {spot: kinds for spot, kinds in open_.items() if kinds}

    def _possible(self, table: Table, seat: int, kinds: int) -> Possible:
        names = tuple(dict.fromkeys(self.namer.kind(kind) for kind in bits(kinds)))
        everything = (1 << len(self.program.kind_names)) - 1
        fields: list[tuple[str, tuple[Plain, ...]]] = []
        several_numbers = sum(isinstance(c.type, IntType) and not c.on_back for c in self.program.fields) > 1
        narrowed: list[str] = []
        combinations = 1
        for column in self.program.fields:
            if column.on_back or isinstance(column.type, ArrayType | SetType | CardType):
                continue
            values = sorted({column.values[self._lowest[kind]] for kind in bits(kinds)})
            fields.append((column.name, tuple(self.namer.plain(table, (v,), column.type, seat) for v in values)))
            combinations *= len(values)
            if len(values) < len({column.values[self._lowest[kind]] for kind in bits(everything)}):
                said = any_of([self.namer.value(table, v, column.type, seat) for v in values])
                named = isinstance(column.type, BoolType) or (isinstance(column.type, IntType) and several_numbers)
                narrowed.append(f"{column.name.replace('_', ' ')} {said}" if named else said)
        by_fields = narrowed and (combinations == kinds.bit_count() or len(names) > FEW)
        text = ", ".join(narrowed) if by_fields and len(names) > 1 else any_of(names)
        return Possible(names, tuple(fields), text)


class Follower:
    """Which card that is followed lies at which place of the ordered zones, by what a seat was told."""

    def __init__(self, program: Program) -> None:
        families = [program.families[zone.family] for zone in program.zones]
        self._ordered = [family.kind.ordered for family in families]
        self._all = (1 << len(program.kind_names)) - 1
        backs = back_classes(program)
        self._of_back = [0] * (max(backs, default=0) + 1)
        for kind, back in enumerate(backs):
            self._of_back[back] |= 1 << kind
        self.zones: list[list[_Card]] = [[] for _ in program.zones]
        for zone in program.start:
            if self._ordered[zone]:
                self.zones[zone].append(self._unknown())
        self._asked: tuple[int, int] | None = None

    def hear(self, entry: Told) -> None:
        """Goes one entry of the record further."""
        asked, self._asked = self._asked, None
        match entry[0]:
            case 1:
                _, told, source, place, target, to = entry
                card = self._seen(self._taken(source, place), told)
                self._put(card, target, to)
            case 2:
                self._swap(entry)
            case 3:
                left, right = entry[1], entry[2]
                self.zones[left], self.zones[right] = self.zones[right], self.zones[left]
            case 4:
                self._collect(entry[1], entry[2], entry[3])
            case 5:
                self._mix(entry[1], len(self.zones[entry[1]]))
            case 6:
                self._refill(entry[1], entry[2], entry[3], bool(entry[4]))
            case 7:
                self._shown(entry[2:])
            case 17:
                self._shown(entry[1:])
            case 19:
                self._asked = entry[1], sum(1 << kind for kind in entry[2:])
            case 15 if asked is not None:
                self._told(asked[0], asked[1], entry[4:])
            case _:
                pass

    def _unknown(self) -> _Card:
        return _Card(self._all)

    def _seen(self, card: _Card, told: int) -> _Card:
        """A card of which the face was told, or the back."""
        card.kinds = 1 << told if told >= 0 else card.kinds & self._of_back[-1 - told] or card.kinds
        return card

    def _taken(self, zone: int, place: int) -> _Card:
        if not self._ordered[zone]:
            return self._unknown()
        if place < 0:
            self._mix(zone, len(self.zones[zone]) - 1)
            return self._unknown()
        return self.zones[zone].pop(place)

    def _put(self, card: _Card, zone: int, place: int) -> None:
        if not self._ordered[zone]:
            return
        if place < 0:
            self._mix(zone, len(self.zones[zone]) + 1)
        else:
            self.zones[zone].insert(place, card)

    def _mix(self, zone: int, count: int) -> None:
        """The cards of a zone can be followed no further."""
        if self._ordered[zone]:
            self.zones[zone] = [self._unknown() for _ in range(count)]

    def _swap(self, entry: Told) -> None:
        _, left_told, left, left_place, right_told, right, right_place = entry
        one, other = self._at(left, left_place), self._at(right, right_place)
        self._seen(one, left_told)
        self._seen(other, right_told)
        if self._ordered[left] and left_place >= 0:
            self.zones[left][left_place] = other
        if self._ordered[right] and right_place >= 0:
            self.zones[right][right_place] = one

    def _at(self, zone: int, place: int) -> _Card:
        return self.zones[zone][place] if self._ordered[zone] and place >= 0 else self._unknown()

    def _collect(self, source: int, target: int, count: int) -> None:
        if source < 0:
            for zone in range(len(self.zones)):
                self.zones[zone] = []
            self._mix(target, count)
            return
        self.zones[source] = []
        self._mix(target, len(self.zones[target]) + count)

    def _refill(self, zone: int, source: int, count: int, shuffled: bool) -> None:
        if self._ordered[source]:
            keep = len(self.zones[source]) - count
            moved = self.zones[source][keep:]
            self.zones[source] = self.zones[source][:keep]
        else:
            moved = [self._unknown() for _ in range(count)]
        self.zones[zone] = moved[::-1]
        if shuffled:
            self._mix(zone, count)

    def _shown(self, cards: tuple[int, ...]) -> None:
        for kind, zone, place in zip(cards[::3], cards[1::3], cards[2::3], strict=True):
            if kind >= 0 and place >= 0 and self._ordered[zone]:
                self._seen(self.zones[zone][place], kind)

    def _told(self, zone: int, kinds: int, facts: tuple[int, ...]) -> None:
        for card, fact in zip(self.zones[zone], facts, strict=True):
            card.kinds &= kinds if fact else ~kinds
            card.told = True
