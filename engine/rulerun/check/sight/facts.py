"""What sight needs to know of a program as a whole: whose each zone and each word of the state is."""

from __future__ import annotations

from rulerun.check.sight.labels import OPEN, Label, Secret, Sort, Source, Symbol
from rulerun.ir import nodes as ir
from rulerun.ir.program import Program, SeenBy, Variable, ZoneFamily
from rulerun.ir.types import ArrayType, EnumType, PlayerType, RangeKey, Type

TEAM = "Team"
Keys = tuple[Symbol | int | None, ...]
"""Per key of a zone or an array who or what it is, as far as that is known."""


class Sights:
    """Who sees what by `seen_by` alone."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.variables: dict[int, Variable] = {
            word: variable
            for variable in program.variables
            if variable.unit < 0
            for word in range(variable.offset, variable.offset + variable.words)
        }
        self.names: dict[int, str] = {
            variable.offset + word: variable.name for variable in program.variables for word in range(variable.words)
        }

    def zone_knowers(self, family: ZoneFamily, keys: Keys) -> frozenset[Symbol] | None:
        """Who sees the faces in a zone; None: everyone."""
        return self._knowers(family.seen_by, family.keys, keys)

    def value_label(self, variable: Variable, place: ir.Place, keys: Keys, at: int) -> Label:
        """Who sees a value of a state variable."""
        if variable.seen_by is SeenBy.EVERYONE or not variable.seen:
            return OPEN
        source = Source(Sort.VALUE, variable.name, at)
        knowers: frozenset[Symbol] | None
        if place.axes:
            knowers = self._knowers(variable.seen_by, array_keys(variable.type), keys)
        else:
            seats = variable.seen[place.offset - variable.offset]
            everyone = (1 << self.program.players) - 1
            knowing = frozenset(("seat", seat) for seat in range(self.program.players) if seats >> seat & 1)
            knowers = None if seats == everyone else knowing
        return OPEN if knowers is None else frozenset((Secret(knowers, source),))

    def _knowers(
        self, seen_by: SeenBy, types: tuple[Type | RangeKey, ...], keys: Keys
    ) -> frozenset[Symbol] | None:
        if seen_by is SeenBy.EVERYONE or (seen_by is SeenBy.OWNER and self.program.players == 1):
            return None
        if seen_by is SeenBy.NOBODY:
            return frozenset()
        owner, is_team = _owner(types, keys)
        if owner is None:
            return frozenset()
        if seen_by is SeenBy.OWNER:
            return frozenset((("member", owner) if is_team else owner,))
        return frozenset() if is_team else frozenset((("not", owner),))


def _owner(types: tuple[Type | RangeKey, ...], keys: Keys) -> tuple[Symbol | None, bool]:
    for wanted in (_is_player, _is_team):
        for type_, key in zip(types, keys, strict=False):
            if wanted(type_):
                return (key if isinstance(key, tuple) else None), wanted is _is_team
    return None, False


def _is_player(key: Type | RangeKey) -> bool:
    return isinstance(key, PlayerType)


def _is_team(key: Type | RangeKey) -> bool:
    return isinstance(key, EnumType) and key.name == TEAM


def array_keys(type_: Type) -> tuple[Type | RangeKey, ...]:
    """The keys of an array, as they are written."""
    keys: list[Type | RangeKey] = []
    while isinstance(type_, ArrayType):
        keys.append(type_.key)
        type_ = type_.value
    return tuple(keys)
