"""What a name of the ruleset means. `declare` fills these tables from the sections that say what exists; the checks of
rule text read them. All names share one space (a zone and a function cannot have the same name), but for enum values,
which are found by the type that is wanted, and fields, which are found on a card.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulerun.document.model import ProcedureDecl, TriggerDecl
from rulerun.ir.program import CardColumn, ConstantTable, RefillRule, SeenBy, Zone, ZoneKind
from rulerun.ir.types import EnumType, RangeKey, Type
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn


@dataclass(frozen=True, slots=True)
class OptionSymbol:
    """A setting with its value in this program: a constant."""

    name: str
    type: Type
    value: int
    low: int | None
    high: int | None
    default: int
    about: str
    span: Span


@dataclass(frozen=True, slots=True)
class EnumSymbol:
    type: EnumType
    span: Span | None
    """None for a built-in enum."""


@dataclass(frozen=True, slots=True)
class ZoneSymbol:
    """``index`` is the number of its family. ``keys`` outermost first."""

    name: str
    index: int
    kind: ZoneKind
    seen_by: SeenBy
    keys: tuple[Type | RangeKey, ...]
    first: int
    size: int
    refill: RefillRule | None
    columns: int | None
    about: str
    span: Span
    always_open: bool = False
    """Whether everyone sees its faces whatever the options are."""

    @property
    def place_key(self) -> RangeKey | None:
        """The numbers of a board's places, which are its last key; None for any other zone."""
        last = self.keys[-1] if self.kind is ZoneKind.BOARD and self.keys else None
        return last if isinstance(last, RangeKey) else None


@dataclass(frozen=True, slots=True)
class VariableSymbol:
    """A state variable: its words begin at ``offset`` of the vector. ``seen``: per word who sees it, if not all do."""

    name: str
    type: Type
    offset: int
    words: int
    start: tuple[int, ...]
    span: Span
    seen_by: SeenBy = SeenBy.EVERYONE
    seen: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TableSymbol:
    """A constant table, read ``points[king]``; ``index`` into Symbols.tables_data."""

    name: str
    index: int
    keys: tuple[Type | RangeKey, ...]
    value: Type
    span: Span


@dataclass(frozen=True, slots=True)
class FieldSymbol:
    """A field of the cards; ``index`` into Symbols.fields_data. A ``T per K`` field has keys."""

    name: str
    index: int
    keys: tuple[Type | RangeKey, ...]
    value: Type
    """Type of one element."""
    type: Type
    on_back: bool
    span: Span | None


@dataclass(frozen=True, slots=True)
class ProcedureSymbol:
    """A function, a rule or an event. ``sort``: "function", "rule", "event". ``index``: its number among its sort, in
    file order."""

    name: str
    sort: str
    index: int
    params: tuple[tuple[str, Type], ...]
    signature: syn.Signature
    decl: ProcedureDecl
    span: Span


@dataclass(frozen=True, slots=True)
class TriggerSymbol:
    name: str
    timing: str
    pattern: syn.EventPattern
    decl: TriggerDecl


Symbol = OptionSymbol | EnumSymbol | ZoneSymbol | VariableSymbol | TableSymbol | ProcedureSymbol


@dataclass
class Symbols:
    """All that the declaring sections say, for one number of players."""

    players: int
    names: dict[str, Symbol] = field(default_factory=dict)
    """Options, enums, zones, variables, tables, functions, rules, events by name, in file order."""
    enum_values: dict[str, list[EnumType]] = field(default_factory=dict)
    """Which enums have a value of this name."""
    fields: dict[str, FieldSymbol] = field(default_factory=dict)
    triggers: list[TriggerSymbol] = field(default_factory=list)
    card_count: int = 0
    kinds: tuple[int, ...] = ()
    kind_names: tuple[str, ...] = ()
    back_names: tuple[str, ...] = ()
    fields_data: tuple[CardColumn, ...] = ()
    tables_data: tuple[ConstantTable, ...] = ()
    zones_data: tuple[Zone, ...] = ()
    start: tuple[int, ...] = ()
    """Zone instance of each card at the start."""
    variable_words: int = 0
    score: ProcedureSymbol | None = None
    """Of a player, of a team, or (without parameters) common to all."""
    won: ProcedureSymbol | None = None
    """Whether anybody wins, where the result says so."""
    teams: int = 0
    """How many teams; 0: everyone plays alone."""
    places: int = -1
    """First word of the places of players who are done; -1 where the game does not speak of them."""
    face_up: int = -1
    """First word of the set of cards that lie face up; -1 where the game does not speak of it."""
    criteria: tuple[syn.Criterion, ...] = ()
    replaced: dict[str, str] = field(default_factory=dict)
    """Of what says `as usual` in place of another text: the name of the procedure that holds that text; empty where
    it cannot be run, which has been told."""
    event_texts: set[str] = field(default_factory=set)
    """Those of them that are texts of events."""

    def of_sort(self, sort: str) -> list[ProcedureSymbol]:
        """The functions, rules or events, in file order."""
        return [s for s in self.names.values() if isinstance(s, ProcedureSymbol) and s.sort == sort]

    def zones(self) -> list[ZoneSymbol]:
        """The families of zones, in file order."""
        return [s for s in self.names.values() if isinstance(s, ZoneSymbol)]
