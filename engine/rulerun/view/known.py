"""Where a seat knows cards to lie that it cannot see: drawn from its record alone.

The marks of the vector (`run.knowledge`) say how many cards of a kind lie in a zone at least, and each hidden departure
lowers them. What is followed here says where such a card can have gone: *tokens* of a kind, with the zones in which
their cards may lie. When all of a zone moves on, they are known to lie where it went. May not import check, syntax,
document or the executors.

There always is a way to give each token a card of its own, of its kind, in one of its zones. All conclusions
rest on that alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, assert_never

from rulerun.facts.chosen import chosen_moves, known_cards_may_move
from rulerun.facts.observations import (
    HIDDEN,
    Chance,
    Collected,
    Ended,
    Exchanged,
    Face,
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
from rulerun.ir.program import Program
from rulerun.view.table import Table, bits

Followed = Mapping[int, Counter[int]]
"""Per zone and kind how many cards lie there at least; what is not there is 0."""


class Token(NamedTuple):
    """A card of that kind lies in one of ``zones`` (a set of bits). ``unchosen``: the seats (a set of bits) of whose
    choice, made at once with others, it is no part."""

    kind: int
    zones: int
    unchosen: int


class Pending(NamedTuple):
    """A seat has chosen cards of a zone, and nobody else knows yet which. ``untouched``: no card has left it since."""

    site: int
    zone: int
    untouched: bool


class Going(NamedTuple):
    """It was told what a seat chose: the next ``left`` cards that leave the zone are these."""

    seat: int
    zone: int
    left: int


NOTHING = Going(-1, -1, 0)


class Following:
    """What of a program it takes to follow its hidden cards."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.any = known_cards_may_move(program)
        """Whether there is anything to follow."""
        self.backs = back_classes(program)
        self.copies = Counter(program.kinds)
        """Per kind how many cards there are."""
        self.chosen = chosen_moves(program)

    def begin(self, seat: int, counts: Sequence[int] | None = None) -> Whereabouts:
        """What a seat knows before anything happened: nothing. ``counts``: how many cards lie in each zone then
        (default: as the ruleset says)."""
        if counts is None:
            lying = Counter(self.program.start)
            counts = [lying[zone] for zone in range(len(self.program.zones))]
        return Whereabouts(self, seat, counts)


class Whereabouts:
    """What one seat knows of where cards lie, observation by observation. ``counts``: the cards in each zone."""

    def __init__(self, facts: Following, seat: int, counts: Sequence[int]) -> None:
        self.seat = seat
        self.tokens: Counter[Token] = Counter()
        self.counts = list(counts)
        self._facts = facts
        self._pending: dict[int, Pending] = {}
        """Per seat what it has chosen at once with others, until its cards go."""
        self._going = NOTHING
        """Whose chosen cards go next."""

    def copy(self) -> Whereabouts:
        """The same knowledge, to go on from."""
        other = Whereabouts(self._facts, self.seat, self.counts)
        other.tokens = self.tokens.copy()
        other._pending = self._pending.copy()
        other._going = self._going
        return other

    def at_least(self) -> Followed:
        """Where cards lie for sure."""
        found: dict[int, Counter[int]] = {}
        loose: dict[tuple[int, int], list[tuple[Token, int]]] = {}
        for token, count in self.tokens.items():
            if token.zones & token.zones - 1:
                for zone in bits(token.zones):
                    loose.setdefault((zone, token.kind), []).append((token, count))
            else:
                found.setdefault(token.zones.bit_length() - 1, Counter())[token.kind] += count
        room = {zone: self.counts[zone] - found.get(zone, Counter()).total() for zone, _ in loose}
        for (zone, kind), tokens in loose.items():
            elsewhere = 0
            for token, _ in tokens:
                elsewhere |= token.zones & ~(1 << zone)
            here = sum(count for _, count in tokens) - sum(room[other] for other in bits(elsewhere))
            if here > 0:  # the other zones have no room for so many
                found.setdefault(zone, Counter())[kind] += here
        return found

    def hear(self, observed: Observation) -> None:
        """Goes one observation of the record further."""
        match observed:
            case ObservedMove(kind, source, _, target):
                self._move(kind, source, target)
            case ObservedSwap(left, right):
                self._swap(left, right)
            case Exchanged(left, right):
                self._touch(left, right)
                self._change({left: 1 << right, right: 1 << left})
                self.counts[left], self.counts[right] = self.counts[right], self.counts[left]
            case Collected(source, target, count):
                self._collect(source, target, count)
            case Refilled(zone, source, count):
                self._touch(zone, source)
                self._change({source: 1 << source | 1 << zone})
                self._count(source, zone, count)
            case ObservedFaces(_, cards) | TurnedDown(cards):
                self._show(cards)
            case ObservedChoice(seat, site, key):
                self._choose(seat, site, key)
            case Shuffled() | TurnedOver():
                pass
            case Said() | ObservedOffer() | Chance() | Hint() | HintedKinds():
                pass
            case ObservedValue() | ObservedCards() | ObservedTokens():
                pass
            case Left() | Rejoined() | Reversed() | Ended():
                pass
            case _:
                assert_never(observed)

    # ------------------------------------------------------------- single cards

    def _move(self, kind: int, source: int, target: int) -> None:
        chosen = self._chosen_from(source)
        if source == target:
            return
        if kind >= 0:
            self._see(kind, source, target)
        else:
            self._lose(HIDDEN - kind, source, target, chosen)
        self._touch(source)
        self._count(source, target, 1)

    def _swap(self, left: Face, right: Face) -> None:
        """Two cards change places."""
        if left.zone == right.zone:
            return
        for face, other in sorted([(left, right), (right, left)]):  # a hidden one first: it is not the one that comes
            if face.kind >= 0:
                self._see(face.kind, face.zone, other.zone)
            else:
                self._lose(HIDDEN - face.kind, face.zone, other.zone, 0)
        self._touch(left.zone, right.zone)

    def _see(self, kind: int, source: int, target: int) -> None:
        """A card of that kind is seen going. Which of those that may have lain there it is, need not be known."""
        self.tokens[Token(kind, 1 << target, self._drawn_on(kind, source, 1))] += 1

    def _lose(self, back: int, source: int, target: int, chosen: int) -> None:
        """A card goes, and only its back is seen: of equal tokens one at most is that card. ``chosen``: the seat (a set
        of bits) whose choice it is part of."""
        for token, count in list(self.tokens.items()):
            if token.zones & (1 << source | 1 << target) != 1 << source:
                continue  # not there, or it may be in both already
            if self._facts.backs[token.kind] == back and not token.unchosen & chosen:
                self._put(token, count - 1)
                self.tokens[token._replace(zones=token.zones | 1 << target)] += 1

    def _show(self, cards: Iterable[Face]) -> None:
        """Faces are seen where they lie: so many of a kind at least lie in that zone, at once."""
        for (kind, zone), shown in Counter((face.kind, face.zone) for face in cards if face.kind >= 0).items():
            certain = sum(count for token, count in self._of(kind, zone) if token.zones == 1 << zone)
            if shown > certain:
                unchosen = self._drawn_on(kind, zone, shown - certain, certain)
                self.tokens[Token(kind, 1 << zone, unchosen)] += shown - certain
                self._settle(zone)

    def _drawn_on(self, kind: int, zone: int, number: int, kept: int = 0) -> int:
        """``number`` cards of a kind were seen in a zone, beside ``kept`` that are known to lie there, and get tokens
        of their own: takes away as many of those that may stand for them. Returns the seats of whose choice they are
        no part."""
        followed = sum(n for t, n in self.tokens.items() if t.kind == kind)
        taken = [(t, n) for t, n in self._of(kind, zone) if not (kept and t.zones == 1 << zone)]
        unchosen = sum(1 << seat for seat, p in self._pending.items() if p.untouched and p.zone != zone)
        if not taken:
            return unchosen
        zones, common = 0, -1
        loose = certain = 0
        for token, count in taken:
            zones |= token.zones
            common &= token.unchosen
            if token.zones == 1 << zone:
                certain += count
            else:
                loose += count
            self._put(token, 0)
        sure = max(0, certain - number)
        rest = max(0, certain + loose - number) - sure
        for where, count in ((1 << zone, sure), (zones, rest)):
            if count:
                self.tokens[Token(kind, where, common)] += count
        return unchosen | common if followed == self._facts.copies[kind] else unchosen

    def _of(self, kind: int, zone: int) -> list[tuple[Token, int]]:
        """The tokens of cards of a kind that may lie in a zone, with their numbers."""
        return [(t, n) for t, n in self.tokens.items() if t.kind == kind and t.zones >> zone & 1]

    def _put(self, token: Token, count: int) -> None:
        """There are so many of a token."""
        if count > 0:
            self.tokens[token] = count
        else:
            self.tokens.pop(token, None)

    # -------------------------------------------------------------- whole zones

    def _collect(self, source: int, target: int, count: int) -> None:
        if source < 0:
            self.tokens.clear()
            self._pending.clear()
            self.counts = [0] * len(self.counts)
            self.counts[target] = count
        else:
            self._touch(source, target)
            self._change({source: 1 << target})
            self._count(source, target, count)

    def _change(self, went: Mapping[int, int]) -> None:
        """The cards of whole zones went to others: to one of a set of them (of bits)."""
        moved: Counter[Token] = Counter()
        for token, count in self.tokens.items():
            zones = 0
            for zone in bits(token.zones):
                zones |= went.get(zone, 1 << zone)
            moved[token._replace(zones=zones)] += count
        self.tokens = moved

    def _count(self, source: int, target: int, count: int) -> None:
        """So many cards went from zone to zone."""
        self.counts[source] -= count
        self.counts[target] += count
        self._settle(source)

    def _settle(self, zone: int) -> None:
        """Where all cards that lie in a zone are known, no others lie there: so nothing lies where nothing is left."""
        full = [zone]
        while full:
            bit = 1 << full.pop()
            loose = [token for token in self.tokens if token.zones & bit and token.zones != bit]
            known = sum(count for token, count in self.tokens.items() if token.zones == bit) if loose else 0
            if not loose or known < self.counts[bit.bit_length() - 1]:
                continue
            for token in loose:
                less = token._replace(zones=token.zones & ~bit)
                self.tokens[less] += self.tokens.pop(token)
                if not less.zones & less.zones - 1:
                    full.append(less.zones.bit_length() - 1)

    # ------------------------------------------------------------- choices at once

    def _choose(self, seat: int, site: int, key: tuple[int, ...] | None) -> None:
        """A seat chooses at once with others, or it is told what it chose and its cards go."""
        move = self._facts.chosen.get(site)
        if move is None or move.zones[seat] < 0:
            return
        zone = move.zones[seat]
        if key is None:
            self._pending[seat] = Pending(site, zone, untouched=True)
            now: Counter[Token] = Counter()
            for token, count in self.tokens.items():
                elsewhere = 0 if token.zones >> zone & 1 else 1 << seat
                now[token._replace(unchosen=token.unchosen & ~(1 << seat) | elsewhere)] += count
            self.tokens = now
        elif seat in self._pending and self._pending[seat].site == site:
            del self._pending[seat]
            if key[0] >= 0:
                self._going = Going(seat, zone, key[1] if move.is_set else 1)

    def _chosen_from(self, source: int) -> int:
        """The seat (a set of bits) whose chosen card the one is that leaves a zone now."""
        going = self._going
        if going.left == 0 or going.zone != source:
            self._going = NOTHING
            return 0
        self._going = going._replace(left=going.left - 1)
        return 1 << going.seat

    def _touch(self, *zones: int) -> None:
        """A card has left one of these zones, or may have: what comes there now may have been there before."""
        for seat, pending in self._pending.items():
            if pending.zone in zones and pending.untouched:
                self._pending[seat] = pending._replace(untouched=False)


def at_least(table: Table, seat: int, zone: int, followed: Followed | None) -> Counter[int]:
    """Per kind how many cards at least a seat knows to lie in a zone that it does not see, besides those at places that
    it knows: by the marks of the vector, and by what was followed."""
    marked = table.at_least(seat, zone)
    lying = followed.get(zone) if followed is not None else None
    if not lying or table.sees_zone(seat, zone):
        return marked
    if table.ordered(zone):
        placed = Counter(table.program.kinds[c] for c in table.cards(zone) if c >= 0 and table.knows(seat, c))
        lying = lying - placed
    return marked | lying
