"""Names for people: seats (P1 ..), zones, cards as one seat may see them, places (from 1), values of every type.

``seat`` None is an all-knowing narrator. What a seat is told here is a function of what it knows: a hidden card is
named by its place or its back, never by its face. May not import check, syntax or document.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from rulerun.facts.observations import back_classes
from rulerun.ir.nodes import UNSEEN
from rulerun.ir.program import Program, ZoneKind
from rulerun.ir.types import (
    NONE,
    PLAYER,
    WORD_BITS,
    ArrayType,
    BoolType,
    CardType,
    EnumType,
    IntType,
    OptionalType,
    PlayerType,
    RangeKey,
    SetType,
    Type,
)
from rulerun.view.table import Table, bits

TEAM = "Team"
"""The type of the teams, which only games with teams have."""
NOTHING, NOBODY = "nothing", "nobody"
"""How an empty set reads, and one of players."""
Plain = None | bool | int | str | list["Plain"] | dict[str, "Plain"]
"""A value as JSON knows it."""


class Namer:
    """The names that one program gives. Stateless; make one per program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._distinct_backs = tuple(dict.fromkeys(program.back_names))
        names: dict[int, str] = {}
        for kind, back in enumerate(back_classes(program)):
            names.setdefault(back, program.back_names[kind])
        self._class_names = tuple(names[i] for i in range(len(names)))

    def player(self, seat: int) -> str:
        """``P1`` for seat 0."""
        return f"P{seat + 1}"

    def word(self, value: int, type_: EnumType) -> str:
        """A value of an enum. A team goes by the name of its player where each plays alone."""
        alone = type_.name == TEAM and self.program.teams == self.program.players
        return self.player(value) if alone else type_.values[value]

    def zone(self, zone: int) -> str:
        """``hand of P2``, ``stock``."""
        return self.program.zones[zone].name

    def kind(self, kind: int) -> str:
        """The face of a kind."""
        return self.program.kind_names[kind]

    def back(self, kind: int) -> str:
        """What shows of a kind while its face is hidden."""
        return self.program.back_names[kind]

    def hidden(self, told: int) -> str:
        """A hidden face as the record tells it (``-1 - class of its back``)."""
        return self._class_names[-1 - told] if -1 - told < len(self._class_names) else "a card"

    @property
    def backs_are_alike(self) -> bool:
        """Whether all cards have the same back."""
        return len(self._distinct_backs) == 1

    def place_number(self, zone: int) -> int | None:
        """The number of a place of a board; None for any other zone."""
        places = self.program.families[self.program.zones[zone].family].places
        return None if places is None else places.low + self.program.zones[zone].keys[-1]

    def board(self, zone: int) -> str:
        """The board that a zone is a place of: ``layout of P2``; any other zone itself."""
        number = self.place_number(zone)
        return self.zone(zone) if number is None else self.zone(zone).removeprefix(f"place {number} of ")

    def place_on_board(self, zone: int) -> str:
        """A place of a board: ``place 3``, where there are several such boards ``place 3 of P2's layout``."""
        facts = self.program.zones[zone]
        family = self.program.families[facts.family]
        text, board = f"place {self.place_number(zone)}", self.board(zone)
        if family.places is not None and family.size == family.places.high - family.places.low + 1:
            return text
        mine = f" of {self.player(facts.owner)}"
        if facts.owner >= 0 and mine in board:
            return f"{text} of {self.player(facts.owner)}'s {board.replace(mine, '', 1)}"
        return f"{text} of {board}"

    def place(self, zone: int, place: int) -> str:
        """A place of an ordered zone, counted from HEAD from 0: ``slot 2`` of a row, ``the top card`` of a pile; of a
        board its place."""
        if self.place_number(zone) is not None:
            return self.place_on_board(zone)
        if self.program.families[self.program.zones[zone].family].kind is ZoneKind.ROW:
            return f"slot {place + 1}"
        return "the top card" if place == 0 else f"card {place + 1} from the top"

    def card(self, table: Table, card: int, seat: int | None, *, by_place: bool = False) -> str:
        """A card where it lies, as ``seat`` may name it.

        A face that the seat knows is named: alone where the zone is open to the seat, else behind its place (``slot 2
        (ace of spades)``), since it lies hidden. A hidden one is named by its place in a row (with its back where
        backs differ), else by its back. ``by_place`` adds the place in any ordered zone, to tell equal cards apart.
        """
        zone = table.zone_of(card)
        place = table.place_of(card)
        kind = self.program.kinds[card]
        if seat is None or table.knows(seat, card):
            open_to = bool(self.program.zones[zone].seen) if seat is None else table.sees(seat, card)
            face = self.kind(kind)
            if place >= 0 and (by_place or not open_to):
                return f"{self.place(zone, place)} ({inner(face)})"
            return face
        return self._from_behind(zone, place, self.back_in(zone, kind), self._by_places(zone))

    def at_place(self, table: Table, zone: int, place: int, seat: int | None, *, by_place: bool = False) -> str:
        """What lies at a place of an ordered zone, drawn or not, as ``seat`` may name it."""
        card = table.cards(zone)[place]
        if card >= 0:
            return self.card(table, card, seat, by_place=by_place)
        return self._from_behind(zone, place, self.back_in(zone, None), self._by_places(zone) or by_place)

    def back_in(self, zone: int, kind: int | None) -> str:
        """What shows of a hidden card of a zone. In a zone that is shuffled it is not told whose back lies where (that
        would tell which places have been settled), only what all backs have in common."""
        if self.backs_are_alike:
            return self._distinct_backs[0]
        if kind is None or self.program.families[self.program.zones[zone].family].shuffled:
            return "a card"
        return self.back(kind)

    def _by_places(self, zone: int) -> bool:
        """Whether hidden cards of a zone are named by their places."""
        return self.program.families[self.program.zones[zone].family].kind in (ZoneKind.ROW, ZoneKind.BOARD)

    def _from_behind(self, zone: int, place: int, back: str, by_place: bool) -> str:
        if place < 0 or not by_place:
            return back
        where = self.place(zone, place)
        return where if self.backs_are_alike else f"{where} ({back})"

    def value(self, table: Table, value: int, type_: Type, seat: int | None, *, by_place: bool = False) -> str:
        """A value of one word (a set of cards: of one big number) as a person reads it."""
        match type_:
            case IntType():
                return str(value)
            case BoolType():
                return "yes" if value else "no"
            case EnumType():
                return self.word(value, type_).replace("_", " ")
            case PlayerType():
                return self.player(value)
            case CardType():
                return "a card" if value in (UNSEEN, NONE) else self.card(table, value, seat, by_place=by_place)
            case OptionalType(inner):
                return "none" if value == NONE else self.value(table, value, inner, seat, by_place=by_place)
            case SetType(of):
                items = bits(value)
                if isinstance(of, CardType) and seat is not None:
                    items.sort(key=lambda card: self._rank(table, card, seat))
                nothing = NOBODY if isinstance(of, PlayerType) else NOTHING
                return join([self.value(table, item, of, seat, by_place=by_place) for item in items], nothing)
            case ArrayType():
                return "…"
            case _:
                assert_never(type_)

    def _rank(self, table: Table, card: int, seat: int) -> tuple[int, int, int, int, str]:
        """Where a card comes in a list: never by its number, which would tell what it is, or which of its copies."""
        kind, zone, place = self.program.kinds[card], table.zone_of(card), table.place_of(card)
        if table.knows(seat, card):
            return (0, kind, zone, place, "")
        return (1, 0, zone, place, self.back_in(zone, kind))

    def plain(self, table: Table, words: Sequence[int], type_: Type, seat: int | None) -> Plain:
        """A stored value (all its words) as JSON knows it: numbers and bools as such, none as null, enum values,
        players and cards by name, sets as lists, arrays as objects by key."""
        match type_:
            case IntType():
                return words[0]
            case BoolType():
                return bool(words[0])
            case EnumType():
                return self.word(words[0], type_)
            case PlayerType():
                return self.player(words[0])
            case CardType():
                return self.value(table, words[0], type_, seat)
            case OptionalType(inner):
                return None if words[0] == NONE else self.plain(table, words, inner, seat)
            case SetType(of):
                items = bits(sum(word << (WORD_BITS * i) for i, word in enumerate(words)))
                names = [self.plain(table, (item,), of, seat) for item in items]
                return sorted(names, key=str) if isinstance(of, CardType) else names
            case ArrayType(value, key):
                keys = self.keys(key)
                width = len(words) // len(keys)
                return {
                    k: self.plain(table, words[i * width : (i + 1) * width], value, seat) for i, k in enumerate(keys)
                }
            case _:
                assert_never(type_)

    def keys(self, key: Type | RangeKey) -> list[str]:
        """Names of the keys of an array or a zone family, in order."""
        match key:
            case RangeKey(low, high):
                return [str(i) for i in range(low, high + 1)]
            case EnumType(values=values):
                return [self.word(value, key) for value in range(len(values))]
            case PlayerType():
                return [self.player(p) for p in range(self.program.players)]
            case _:
                return [f"card {i + 1}" for i in range(self.program.card_count)]


def inner(face: str) -> str:
    """A face as it is told in brackets: those of its own give way to a colon."""
    return face[:-1].replace(" (", ": ", 1) if face.endswith(")") and face.count("(") == 1 else face


def holds_players(type_: Type) -> bool:
    """Whether a value is a set of players, or several of them."""
    return holds_players(type_.value) if isinstance(type_, ArrayType) else type_ == SetType(PLAYER)


def join(names: Sequence[str], nothing: str = NOTHING) -> str:
    """``a``, ``a and b``, ``a, b and c``; equal names are counted: ``2 x a``. ``nothing``: what none of them is."""
    if not names:
        return nothing
    counted = [f"{names.count(n)} x {n}" if names.count(n) > 1 else n for n in dict.fromkeys(names)]
    return counted[0] if len(counted) == 1 else f"{', '.join(counted[:-1])} and {counted[-1]}"
