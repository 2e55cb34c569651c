"""What one seat sees of a position, as plain frozen data: a function of the seat's record, and nothing else.

State variables and options are public in version 1 of the language; a card in a variable is named as the seat may see
it. May not import check, syntax or document.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulerun.ir.program import DIRECTION, Variable, Zone
from rulerun.view.names import Namer, Plain
from rulerun.view.table import UNDRAWN, Table

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class CardView:
    """A card as a seat sees it. ``name`` is its face where ``face``, else its back. ``place`` counts from 1 (a pile's
    top, a row's first place), None in a hand. ``remembered``: it lies hidden, but the seat knows it from before."""

    name: str
    face: bool
    place: int | None
    remembered: bool = False

    def as_dict(self) -> dict[str, Plain]:
        """JSON form."""
        return {"name": self.name, "face": self.face, "place": self.place, "remembered": self.remembered}


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

    def as_dict(self) -> dict[str, Plain]:
        """JSON form; seats from 1."""
        known: dict[str, Plain] = dict(self.at_least)
        return {
            "name": self.name,
            "family": self.family,
            "kind": self.kind,
            "owner": None if self.owner is None else self.owner + 1,
            "count": self.count,
            "cards": [card.as_dict() for card in self.cards],
            "at_least": known,
        }


@dataclass(frozen=True, slots=True)
class View:
    """All that a seat sees. ``turn`` is the seat that is asked (from 0), None when the game is over; then ``scores``
    and ``winners`` (seats) are filled."""

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

    def zone(self, name: str) -> ZoneView:
        """The zone of that name (``hand of P2``). Raises `KeyError` with the names that there are."""
        for zone in self.zones:
            if zone.name == name:
                return zone
        raise KeyError(f"no zone is called {name!r}; there are {', '.join(z.name for z in self.zones)}")

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
    scores: tuple[int, ...] | None,
    winners: tuple[int, ...] | None,
) -> View:
    """The view of ``seat`` (0 <= seat < players) of the position on the table; ``scores`` and ``winners`` if it is
    over."""
    program = namer.program
    zones = tuple(_zone_view(namer, table, number, zone, seat) for number, zone in enumerate(program.zones))
    variables = tuple(
        (variable.name, namer.plain(table, _words(table, variable), variable.type, seat))
        for variable in program.variables
        if variable.unit < 0
    )
    settings = tuple((o.name, namer.plain(table, (o.value,), o.type, seat)) for o in program.options)
    return View(
        game=program.game,
        seat=seat,
        players=program.players,
        turn=None if table.chooser < 0 else table.chooser,
        decisions=table.decisions,
        zones=zones,
        variables=variables,
        settings=settings,
        variants=program.variants,
        scores=scores,
        winners=winners,
        out=tuple(seat for seat in range(program.players) if not table.playing >> seat & 1),
        backwards=table.vector[DIRECTION] < 0,
    )


def _words(table: Table, variable: Variable) -> tuple[int, ...]:
    return tuple(table.vector[variable.offset : variable.offset + variable.words])


def _zone_view(namer: Namer, table: Table, number: int, zone: Zone, seat: int) -> ZoneView:
    family = namer.program.families[zone.family]
    lying = table.cards(number)
    if family.kind.ordered:
        cards = tuple(_placed(namer, table, number, card, place, seat) for place, card in enumerate(lying))
    elif table.sees_zone(seat, number):
        kinds = sorted(namer.program.kinds[card] for card in lying)
        cards = tuple(CardView(namer.kind(kind), True, None) for kind in kinds)
    else:
        backs = sorted(namer.back_in(number, namer.program.kinds[card]) for card in lying)
        cards = tuple(CardView(back, False, None) for back in backs)
    known = table.at_least(seat, number) if family.kind.ordered or not table.sees_zone(seat, number) else {}
    return ZoneView(
        name=zone.name,
        family=family.name,
        kind=family.kind.value,
        owner=None if zone.owner < 0 else zone.owner,
        count=len(lying),
        cards=cards,
        at_least=_by_name(namer, known),
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
    if table.sees_zone(seat, zone):
        return CardView(namer.kind(kind), True, place + 1)
    if table.marked(seat, card):
        return CardView(namer.kind(kind), True, place + 1, remembered=True)
    return CardView(namer.back_in(zone, kind), False, place + 1)
