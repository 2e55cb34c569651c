"""What one seat sees of a position, as plain frozen data: a function of the seat's record, and nothing else.

State variables lie open where no `seen_by` says otherwise, options always; what the seat does not see of a variable is
left out, and cards in variables and tokens on cards are shown as the record told them (`view.held`). May not import
check, syntax or document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rulerun.arguments import shown
from rulerun.ir.program import DIRECTION, Program, Variable
from rulerun.ir.types import ArrayType, Type
from rulerun.view.asking import Asking
from rulerun.view.held import Holdings
from rulerun.view.known import Followed, at_least
from rulerun.view.names import Namer, Plain, holds_players
from rulerun.view.possible import Possible
from rulerun.view.table import UNDRAWN, Table

Spot = tuple[int, int]
"""A zone instance and a place in it, from 0."""

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class CardView:
    """A card as a seat sees it. ``name`` is its face where ``face``, else its back. ``place`` counts from 1 (a pile's
    top, a row's first place), None in a hand. ``remembered``: it lies hidden, but the seat knows it from before.
    ``face_up``: it was turned face up for all, in a zone that not everyone sees."""

    name: str
    face: bool
    place: int | None
    remembered: bool = False
    face_up: bool = False
    possible: Possible | None = None
    """What a card that the seat does not know may still be, if facts were told of it."""

    def as_dict(self) -> dict[str, Plain]:
        """JSON form."""
        return {
            "name": self.name,
            "face": self.face,
            "place": self.place,
            "remembered": self.remembered,
            **({"face_up": True} if self.face_up else {}),
            **({"possible": self.possible.as_dict()} if self.possible is not None else {}),
        }


@dataclass(frozen=True, slots=True)
class ZoneView:
    """A zone instance. ``family`` is its name in the ruleset, ``owner`` a seat from 0 or None. Cards of a hand come by
    kind. ``at_least``: kinds that the seat knows to lie there, it does not know where: name and number."""

    name: str
    family: str
    kind: str
    owner: int | None
    count: int
    cards: tuple[CardView, ...]
    at_least: tuple[tuple[str, int], ...]
    places: tuple[int, ...] = ()
    """Of a board the numbers of its places; ``place`` of each card is one of them, and the others are empty."""
    columns: int | None = None
    """How many places lie beside each other, where the ruleset says it."""

    def as_dict(self) -> dict[str, Plain]:
        """JSON form; seats from 1. The cards of a board come place by place, null where none lies."""
        known: dict[str, Plain] = dict(self.at_least)
        cards: list[Plain] = [card.as_dict() for card in self.cards]
        if self.places:
            lying = {card.place: card for card in self.cards}
            cards = [lying[place].as_dict() if place in lying else None for place in self.places]
        return {
            "name": self.name,
            "family": self.family,
            "kind": self.kind,
            "owner": None if self.owner is None else self.owner + 1,
            "count": self.count,
            "cards": cards,
            "at_least": known,
            **({"places": list(self.places)} if self.places else {}),
            **({"columns": self.columns} if self.columns is not None else {}),
        }


@dataclass(frozen=True, slots=True)
class View:
    """All that a seat sees. ``turn`` is the seat that is asked (from 0), None where the seat is not told (others choose
    at once, or in an order that chance settles) and when the game is over; then ``scores`` and ``winners`` (seats) are
    filled. ``decisions``: how many choices the seat has been told of."""

    game: str
    seat: int
    players: int
    turn: int | None
    decisions: int
    zones: tuple[ZoneView, ...]
    variables: tuple[tuple[str, Plain], ...]
    settings: tuple[tuple[str, Plain], ...]
    variants: tuple[str, ...]
    scores: tuple[int, ...] | None
    winners: tuple[int, ...] | None
    out: tuple[int, ...] = ()
    """Seats that have left the game."""
    backwards: bool = False
    """Whether play goes round the other way."""
    of_players: frozenset[str] = frozenset()
    """The variables that hold players: nobody, if none."""

    def zone(self, name: str) -> ZoneView:
        """The zone of that name (``hand of P2``). Raises `KeyError` with the names that there are."""
        for zone in self.zones:
            if zone.name == name:
                return zone
        raise KeyError(f"no zone is called {shown(name)}; there are {', '.join(z.name for z in self.zones)}")

    def as_dict(self) -> dict[str, Plain]:
        """JSON form; seats from 1."""
        return {
            "schema_version": SCHEMA_VERSION,
            "game": self.game,
            "seat": self.seat + 1,
            "players": self.players,
            "turn": None if self.turn is None else self.turn + 1,
            "decisions": self.decisions,
            "zones": [zone.as_dict() for zone in self.zones],
            "variables": dict(self.variables),
            "settings": dict(self.settings),
            "variants": list(self.variants),
            "scores": None if self.scores is None else list(self.scores),
            "winners": None if self.winners is None else [seat + 1 for seat in self.winners],
            **({"out": [seat + 1 for seat in self.out]} if self.out else {}),
            **({"backwards": True} if self.backwards else {}),
        }


def view_of(
    namer: Namer,
    table: Table,
    seat: int,
    asking: Asking,
    scores: tuple[int, ...] | None,
    winners: tuple[int, ...] | None,
    possible: Mapping[Spot, Possible] | None = None,
    followed: Followed | None = None,
) -> View:
    """The view of ``seat`` (0 <= seat < players) of the position on the table; ``asking`` as its record tells;
    ``scores`` and ``winners`` if it is over. ``possible``: what cards that the seat does not know may still be
    (`view.possible`); ``followed``: where cards lie that it has lost sight of (`view.known`)."""
    program = namer.program
    zones = tuple(
        zone_view(namer, table, group[0], seat, possible, followed)
        if namer.place_number(group[0]) is None
        else _board_view(namer, table, group, seat, possible, followed)
        for group in seen_as_one(program)
    )
    held = Holdings(namer)
    variables = tuple(
        (variable.name, value)
        for number, variable in enumerate(program.variables)
        if variable.unit < 0
        for value in (
            held.plain(table, number, seat)
            if held.has(variable)
            else _seen_of(namer, table, _words(table, variable), variable.seen, variable.type, seat)
        )
    )
    settings = tuple((o.name, namer.plain(table, (o.value,), o.type, seat)) for o in program.options)
    return View(
        game=program.game,
        seat=seat,
        players=program.players,
        turn=None if asking.seat < 0 else asking.seat,
        decisions=asking.choices,
        zones=zones,
        variables=variables,
        settings=settings,
        variants=program.variants,
        scores=scores,
        winners=winners,
        out=tuple(seat for seat in range(program.players) if not table.playing >> seat & 1),
        backwards=table.vector[DIRECTION] < 0,
        of_players=frozenset(v.name for v in program.variables if v.unit < 0 and holds_players(v.type)),
    )


def _words(table: Table, variable: Variable) -> tuple[int, ...]:
    return tuple(table.vector[variable.offset : variable.offset + variable.words])


def _seen_of(
    namer: Namer, table: Table, words: tuple[int, ...], seen: tuple[int, ...], type_: Type, seat: int
) -> list[Plain]:
    """The value in these words as the seat sees it, of an array the entries that it sees; nothing if it sees none.
    ``seen``: per word the seats that do, empty where all see all of it."""
    if not seen:
        return [namer.plain(table, words, type_, seat)]
    if not isinstance(type_, ArrayType):
        return [namer.plain(table, words, type_, seat)] if table.sees_value(seat, seen[0]) else []
    keys = namer.keys(type_.key)
    width = len(words) // len(keys)
    entries: dict[str, Plain] = {}
    for i, key in enumerate(keys):
        part = slice(i * width, (i + 1) * width)
        for value in _seen_of(namer, table, words[part], seen[part], type_.value, seat):
            entries[key] = value
    return [entries] if entries else []


def seen_as_one(program: Program) -> list[range]:
    """The zone instances that each `ZoneView` of a view stands for, in order: one, or the places of a board."""
    groups: list[range] = []
    for family in program.families:
        places = family.places
        size = places.high - places.low + 1 if places is not None else 1
        groups += [range(first, first + size) for first in range(family.first, family.first + family.size, size)]
    return groups


def _board_view(
    namer: Namer,
    table: Table,
    zones: range,
    seat: int,
    possible: Mapping[Spot, Possible] | None,
    followed: Followed | None,
) -> ZoneView:
    """A board as one thing."""
    single = [zone_view(namer, table, zone, seat, possible, followed) for zone in zones]
    known: dict[str, int] = {}
    for view in single:
        for name, count in view.at_least:
            known[name] = known.get(name, 0) + count
    first = single[0]
    return ZoneView(
        name=namer.board(zones[0]),
        family=first.family,
        kind=first.kind,
        owner=first.owner,
        count=sum(view.count for view in single),
        cards=tuple(card for view in single for card in view.cards),
        at_least=tuple(known.items()),
        places=tuple(place for view in single for place in view.places),
        columns=first.columns,
    )


def zone_view(
    namer: Namer,
    table: Table,
    number: int,
    seat: int,
    possible: Mapping[Spot, Possible] | None = None,
    followed: Followed | None = None,
) -> ZoneView:
    """A single zone instance as a seat sees it; of a board one place."""
    zone = namer.program.zones[number]
    family = namer.program.families[zone.family]
    lying = table.cards(number)
    if family.kind.ordered:
        cards = tuple(_placed(namer, table, number, card, place, seat) for place, card in enumerate(lying))
        if possible:
            found = ((card, possible.get((number, place))) for place, card in enumerate(cards))
            cards = tuple(card if left is None else replace(card, possible=left) for card, left in found)
    elif table.sees_zone(seat, number):
        kinds = sorted(namer.program.kinds[card] for card in lying)
        cards = tuple(CardView(namer.kind(kind), True, None) for kind in kinds)
    else:
        backs = sorted(namer.back_in(number, namer.program.kinds[card]) for card in lying)
        cards = tuple(CardView(back, False, None) for back in backs)
    hidden = family.kind.ordered or not table.sees_zone(seat, number)
    known = at_least(table, seat, number, followed) if hidden else {}
    place_number = namer.place_number(number)
    if place_number is not None:
        cards = tuple(replace(card, place=place_number) for card in cards)
    return ZoneView(
        name=zone.name,
        family=family.name,
        kind=family.kind.value,
        owner=None if zone.owner < 0 else zone.owner,
        count=len(lying),
        cards=cards,
        at_least=_by_name(namer, known),
        places=() if place_number is None else (place_number,),
        columns=family.columns,
    )


def _by_name(namer: Namer, known: dict[int, int]) -> tuple[tuple[str, int], ...]:
    """Kinds and numbers by name; kinds of one name (equal faces to people) are added up."""
    total: dict[str, int] = {}
    for kind in sorted(known):
        total[namer.kind(kind)] = total.get(namer.kind(kind), 0) + known[kind]
    return tuple(total.items())


def _placed(namer: Namer, table: Table, zone: int, card: int, place: int, seat: int) -> CardView:
    if card == UNDRAWN:
        return CardView(namer.back_in(zone, None), False, place + 1)
    kind = namer.program.kinds[card]
    if table.sees(seat, card):
        return CardView(namer.kind(kind), True, place + 1, face_up=table.lies_open(card))
    if table.marked(seat, card):
        return CardView(namer.kind(kind), True, place + 1, remembered=True)
    return CardView(namer.back_in(zone, kind), False, place + 1)
