"""What all texts of a ruleset share while they are lowered: what is known of functions and procedures, origins, words
of the frame; and how a fault is told.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn, assert_never

from rulerun.check.declarations.symbols import ProcedureSymbol, Symbols, VariableSymbol, ZoneSymbol
from rulerun.check.rule_text.survey import Texts
from rulerun.check.rule_text.wording import source_text
from rulerun.ir.program import HEADER_WORDS, Origin, Variable, words_of
from rulerun.ir.types import ArrayType, BoolType, CardType, EnumType, IntType, OptionalType, PlayerType, SetType, Type
from rulerun.source.diagnostic import Diagnostics, ToldError
from rulerun.source.text import Span


@dataclass(frozen=True, slots=True)
class FaceRead:
    """What may be hidden and is read by a function: the face of the card in parameter ``card``, or faces of cards in
    the zone ``of``, or a value of the state variable ``of``; its owner is in parameter ``owner`` (None: not a
    parameter; then ``anyone`` says whether it runs over all players)."""

    card: int | None
    of: ZoneSymbol | VariableSymbol | None
    owner: int | None
    anyone: bool
    text: str


@dataclass
class FunctionInfo:
    """A function as far as lowered. ``result`` None: faulty, told already."""

    symbol: ProcedureSymbol | None
    """None for one that is built in."""
    index: int
    result: Type | None = None
    reads: tuple[FaceRead, ...] = ()
    cost: int = 1


@dataclass
class ProcedureInfo:
    """A rule or event as far as lowered. ``result`` is the type that it returns, None for nothing."""

    index: int
    params: tuple[Type, ...]
    lowered: bool = False
    result: Type | None = None
    result_place: int = -1
    faulty: bool = False
    nested: int = 1
    """How often it may be in progress at once."""


@dataclass
class Compilation:
    """What all texts of a ruleset share while they are lowered."""

    symbols: Symbols
    texts: Texts
    found: Diagnostics
    shuffled: frozenset[int]
    pausing: frozenset[str]
    functions: dict[str, FunctionInfo] = field(default_factory=dict)
    procedures: dict[str, ProcedureInfo] = field(default_factory=dict)
    own_texts: dict[str, ProcedureInfo] = field(default_factory=dict)
    origins: dict[tuple[str, int, int], int] = field(default_factory=dict)
    origin_list: list[Origin] = field(default_factory=list)
    span_list: list[Span] = field(default_factory=list)
    """Where each origin is."""
    variables: list[Variable] = field(default_factory=list)
    next_word: int = 0
    uses_knowledge: bool = False
    leaving: bool = False
    """Whether any text lets a player leave."""
    turning: bool = False
    """Whether who sits next to whom may change: players leave, or play turns round."""
    cyclic: frozenset[str] = frozenset()
    """Rules, events and functions that lead back to themselves: told already."""
    turned: frozenset[int] = frozenset()
    """Zones in which cards may come to lie face up, whoever sees the others."""
    faulty: frozenset[str] = frozenset()
    """Names whose declaration is at fault: not told again where they are used."""

    def __post_init__(self) -> None:
        self.next_word = HEADER_WORDS + self.symbols.variable_words

    def origin(self, span: Span) -> int:
        line, column = span.source.position(span.start)
        key = (span.source.name, line, column)
        number = self.origins.get(key)
        if number is None:
            number = self.origins[key] = len(self.origin_list)
            self.span_list.append(span)
            self.origin_list.append(Origin(span.source.name, line, column, span.source.line(line).strip()))
        return number

    def refuse(
        self,
        code: str,
        message: str,
        span: Span | None,
        *,
        help: str | None = None,  # noqa: A002 - the word of the diagnostics
    ) -> NoReturn:
        """Tells a fault and gives up the statement."""
        told = code in ("RR0401", "RR0405") and span is not None and source_text(span) in self.faulty
        if not told:
            self.found.error(code, message, span, help=help)
        raise ToldError

    def set_size(self, of: Type) -> int:
        """How many elements a set of a type has at most."""
        match of:
            case EnumType():
                return len(of.values)
            case PlayerType():
                return self.symbols.players
            case CardType():
                return self.symbols.card_count
            case IntType() | BoolType() | OptionalType() | SetType() | ArrayType():
                raise AssertionError(f"there are no sets of {of}")
            case _:
                assert_never(of)

    def words(self, type_: Type) -> int:
        """How many words of a vector a value of a type takes."""
        return words_of(type_, self.symbols.players, self.symbols.card_count)
