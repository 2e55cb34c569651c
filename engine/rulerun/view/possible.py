"""What a hidden card may still be: the conclusions from facts that were told about it (`tell`), for one seat.

A function of the seat's record and of its marks alone. A card is followed from place to place through the record, as
far as the seat was told where it went; each hint about its place takes away kinds (see
`facts.observations.HintedKinds`); so does what the seat knows of all other cards: a kind whose every copy lies
elsewhere is out. May not import check, syntax or document.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from rulerun.facts.observations import (
    Chance,
    Collected,
    Ended,
    Exchanged,
    Hint,
    HintedKinds,
    Left,
    Observation,
    ObservedCards,
    ObservedChoice,
    ObservedFaces,
    ObservedMove,
    ObservedOffer,
    ObservedSwap,
    ObservedTokens,
    ObservedValue,
    Refilled,
    Rejoined,
    Reversed,
    Said,
    Shuffled,
    TurnedDown,
    TurnedOver,
    back_classes,
)
from rulerun.ir.nodes import Inform
from rulerun.ir.program import Program
from rulerun.ir.types import ArrayType, BoolType, CardType, IntType, SetType
from rulerun.view.english import any_of
from rulerun.view.known import Followed, at_least
from rulerun.view.names import Namer, Plain
from rulerun.view.table import Table, bits
from rulerun.view.tracker import Tracker

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

    def of(
        self, table: Table, seat: int, record: Iterable[Observation], followed: Followed | None = None
    ) -> dict[tuple[int, int], Possible]:
        """Per zone and place (from 0, from HEAD) of which facts were told what may lie there; cards that the seat knows
        are left out. ``record``: all that the seat was told from the start on."""
        if not self.any:
            return {}
        follower = Follower(self.program)
        for observed in record:
            follower.hear(observed)
        found = self._narrowed(table, seat, follower, followed)
        return {spot: self._possible(table, seat, kinds) for spot, kinds in found.items()}

    def _narrowed(
        self, table: Table, seat: int, follower: Follower, followed: Followed | None
    ) -> dict[tuple[int, int], int]:
        """The kinds that each card may be of, once what is known of the others is counted."""
        open_: dict[tuple[int, int], int] = {}
        known: list[Counter[int]] = []
        loose: list[Counter[int]] = []
        for zone in range(len(self.program.zones)):
            lying, sure = table.cards(zone), Counter[int]()
            for place, card in enumerate(lying):
                if card >= 0 and table.knows(seat, card):
                    sure[self.program.kinds[card]] += 1
                elif table.ordered(zone) and follower.was_hinted(zone, place):
                    open_[zone, place] = follower.kinds(zone, place)
            if table.sees_zone(seat, zone):
                sure += Counter(self.program.kinds[card] for card in table.undrawn(zone))
            known.append(sure)
            loose.append(Counter() if table.sees_zone(seat, zone) else at_least(table, seat, zone, followed))
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
    """Which kinds the cards of the ordered zones may be of, by what a seat was told: each is followed from place to
    place. Of a card in a zone without order nothing is kept."""

    def __init__(self, program: Program) -> None:
        self.tracker = Tracker(program)
        self._all = (1 << len(program.kind_names)) - 1
        backs = back_classes(program)
        self._of_back = [0] * (max(backs, default=0) + 1)
        for kind, back in enumerate(backs):
            self._of_back[back] |= 1 << kind
        self._kinds: dict[int, int] = {}
        """Per token the kinds that it may be of, as a set of bits; all, if it is not there."""
        self._hinted: set[int] = set()
        """The tokens of which hints were told."""
        self._meaning: HintedKinds | None = None

    def kinds(self, zone: int, place: int) -> int:
        """The kinds, a set of bits, that the card at a place of an ordered zone may be of."""
        return self._kinds.get(self.tracker.zones[zone][place], self._all)

    def was_hinted(self, zone: int, place: int) -> bool:
        """Whether a hint was told of the card at a place of an ordered zone."""
        return self.tracker.zones[zone][place] in self._hinted

    def hear(self, observed: Observation) -> None:
        """Goes one observation of the record further."""
        meaning, self._meaning = self._meaning, None
        match observed:
            case ObservedMove(kind, source, source_place, target, target_place):
                token = self._taken(source, source_place)
                self._see(token, kind)
                self._put(token, target, target_place)
            case ObservedSwap(left, right):
                one, other = self._at(left.zone, left.place), self._at(right.zone, right.place)
                self._see(one, left.kind)
                self._see(other, right.kind)
                self._lay(left.zone, left.place, other)
                self._lay(right.zone, right.place, one)
            case Collected(_, target):
                self.tracker.rearrange(observed)
                self.tracker.loosen(target)
            case Exchanged() | Shuffled() | TurnedOver() | Refilled():
                self.tracker.rearrange(observed)
            case ObservedFaces(_, cards) | TurnedDown(cards):
                for kind, zone, place in cards:
                    if kind >= 0 and place >= 0:
                        self._see(self._at(zone, place), kind)
            case HintedKinds():
                self._meaning = observed
            case Hint(facts=facts):
                if meaning is not None:
                    self._hear_hint(meaning, facts)
            case Said() | ObservedOffer() | ObservedChoice() | Chance():
                pass
            case ObservedValue() | ObservedCards() | ObservedTokens():
                pass
            case Left() | Rejoined() | Reversed() | Ended():
                pass
            case _:
                assert_never(observed)

    def _see(self, token: int, kind: int) -> None:
        """The face of a card was told, or its back."""
        known = self._kinds.get(token, self._all)
        self._kinds[token] = 1 << kind if kind >= 0 else known & self._of_back[-1 - kind] or known

    def _taken(self, zone: int, place: int) -> int:
        lying = self.tracker.zones[zone]
        if self.tracker.ordered[zone] and place >= 0:
            return lying.pop(place)
        if self.tracker.ordered[zone]:
            self.tracker.loosen(zone)
        self.tracker.zones[zone].pop()
        return self.tracker.fresh()

    def _put(self, token: int, zone: int, place: int) -> None:
        if self.tracker.ordered[zone] and place >= 0:
            self.tracker.zones[zone].insert(place, token)
            return
        self.tracker.zones[zone].append(self.tracker.fresh())
        self.tracker.shuffle(zone)

    def _at(self, zone: int, place: int) -> int:
        return self.tracker.zones[zone][place] if self.tracker.ordered[zone] and place >= 0 else self.tracker.fresh()

    def _lay(self, zone: int, place: int, token: int) -> None:
        if self.tracker.ordered[zone] and place >= 0:
            self.tracker.zones[zone][place] = token

    def _hear_hint(self, meaning: HintedKinds, facts: tuple[int, ...]) -> None:
        kinds = sum(1 << kind for kind in meaning.kinds)
        for token, fact in zip(self.tracker.zones[meaning.zone], facts, strict=True):
            self._kinds[token] = self._kinds.get(token, self._all) & (kinds if fact else ~kinds)
            self._hinted.add(token)
