"""State variables that hold cards, and tokens on cards, as a seat is shown them: exactly what its record told last.

May not import check, syntax, document or the executors.
"""

from __future__ import annotations

from rulerun.facts.events import Named, held_by
from rulerun.facts.held import Holding, carried, holdings, names_cards
from rulerun.facts.observations import Face, Observation, ObservedCards, ObservedTokens, back_classes
from rulerun.ir.program import Program, Variable
from rulerun.ir.types import ArrayType, RangeKey, SetType, Type
from rulerun.view.names import Namer, Plain
from rulerun.view.table import Table


class Holdings:
    """The variables of cards of one program."""

    def __init__(self, namer: Namer) -> None:
        self._namer = namer
        self._program: Program = namer.program
        self._holdings = holdings(self._program)
        self._backs = back_classes(self._program)

    @staticmethod
    def has(variable: Variable) -> bool:
        """Whether a variable is told by its cards."""
        return names_cards(variable)

    def told(self, table: Table, seat: int, holding: Holding) -> Observation:
        """What the seat was told last of a holding that it sees, or would have been if it was told nothing yet."""
        program = self._program

        def locate(card: int) -> Named:
            zone = table.zone_of(card)
            hidden_order = program.families[program.zones[zone].family].shuffled
            place = -1 if hidden_order else table.place_of(card)
            return Named(program.kinds[card], zone, place, table.knows(seat, card) << seat)

        now = carried(holding, table.vector, locate)
        return held_by(holding.by_card, holding.place, now, seat, self._backs)

    def plain(self, table: Table, number: int, seat: int) -> list[Plain]:
        """The value of variable ``number`` as JSON knows it, of an array what the seat sees of it; [] if nothing.

        A card is its name as `card` gives it, tokens are a list of objects: ``card``, ``keys`` where there are more of
        them, and ``value``."""
        variable = self._program.variables[number]
        entries: dict[tuple[int, ...], list[Plain]] = {}
        for holding in self._holdings:
            if holding.variable == number and table.sees_value(seat, holding.seen):
                shown = self._shown(table, variable.type, holding, self.told(table, seat, holding), seat)
                entries.setdefault(holding.outer, []).extend(shown)
        by_card = any(holding.by_card for holding in self._holdings if holding.variable == number)
        return _nested(self._namer, variable.type, entries, by_card)

    def _shown(self, table: Table, type_: Type, holding: Holding, told: Observation, seat: int) -> list[Plain]:
        keys, leaf = _keys(type_)
        keys = keys[len(holding.outer) :]
        if isinstance(told, ObservedCards):
            return [self._value(table, told.cards, leaf, seat)]
        assert isinstance(told, ObservedTokens)
        found: list[Plain] = []
        for token in told.tokens:
            names = [
                self._namer.keys(key)[at] if isinstance(at, int) else self.card(at, seat)
                for key, at in zip(keys, token.keys, strict=True)
            ]
            rest: dict[str, Plain] = {"keys": list[Plain](names[1:])} if names[1:] else {}
            found.append({"card": names[0], **rest, "value": self._value(table, token.value, leaf, seat)})
        return found

    def _value(self, table: Table, value: int | tuple[Face, ...], leaf: Type, seat: int) -> Plain:
        if isinstance(value, int):
            return self._namer.plain(table, (value,), leaf, seat)
        names = sorted(self.card(face, seat) for face in value)
        if isinstance(leaf, SetType):
            return list[Plain](names)
        return names[0] if names else None

    def card(self, told: Face, seat: int) -> str:
        """A card as it is told: its face, where it is hidden from others with the place or the zone where it lies
        (``slot 2 of away (7)``); or the place or the back alone (``slot 2 of away``, ``a card in hand of P2``)."""
        namer, (kind, zone, place) = self._namer, told
        sees = Table(self._program, ()).sees_zone(seat, zone)
        if kind >= 0 and sees:
            return namer.kind(kind)
        if place >= 0:
            where = namer.place(zone, place)
            where = where if namer.place_number(zone) is not None else f"{where} of {namer.zone(zone)}"
            if kind < 0 and namer.backs_are_alike:
                return where
            return f"{where} ({namer.kind(kind) if kind >= 0 else namer.hidden(kind)})"
        return f"{namer.kind(kind) if kind >= 0 else namer.hidden(kind)} in {namer.zone(zone)}"


def _keys(type_: Type) -> tuple[list[Type | RangeKey], Type]:
    """The keys of an array, the outermost first, and the type of a value."""
    keys: list[Type | RangeKey] = []
    while isinstance(type_, ArrayType):
        keys.append(type_.key)
        type_ = type_.value
    return keys, type_


def _nested(namer: Namer, type_: Type, entries: dict[tuple[int, ...], list[Plain]], by_card: bool) -> list[Plain]:
    """Entries by their outer keys as objects in objects; [] where there are none."""
    if () in entries:
        return [list(entries[()])] if by_card else entries[()]
    if not entries or not isinstance(type_, ArrayType):
        return []
    found: dict[str, Plain] = {}
    for key, name in enumerate(namer.keys(type_.key)):
        inner = {outer[1:]: shown for outer, shown in entries.items() if outer[0] == key}
        for value in _nested(namer, type_.value, inner, by_card):
            found[name] = value
    return [found] if found else []
