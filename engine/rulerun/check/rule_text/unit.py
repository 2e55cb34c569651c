"""What is shared while rule texts are lowered: the checker for the whole ruleset, and the unit (a function, or a
procedure) that is being lowered now, with its names, registers, frame words and blocks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NoReturn

from rulerun.check.declarations.symbols import ProcedureSymbol, Symbols, VariableSymbol, ZoneSymbol
from rulerun.check.rule_text.flow import Flow
from rulerun.check.rule_text.scope import Binding, Scope
from rulerun.check.rule_text.survey import Texts
from rulerun.check.rule_text.typed import RefusedError, Typed, ZoneUse
from rulerun.ir import nodes as ir
from rulerun.ir.program import HEADER_WORDS, Origin, Variable, words_of
from rulerun.ir.types import Type
from rulerun.source.diagnostic import Diagnostics, Note
from rulerun.source.spell import nearest
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn

BUILTINS = ("count", "next", "previous", "min", "max", "order", "knows")


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


@dataclass(frozen=True, slots=True)
class Looker:
    """Who will read what is lowered now: the player asked, or (``who`` None) everybody."""

    who: ir.Expr | None
    what: str
    """"the `where` of this choice", "this label", "a note"."""


@dataclass
class Checker:
    """The whole ruleset's side of lowering."""

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
    unsound: frozenset[str] = frozenset()
    """Names whose declaration is at fault: not told again where they are used."""

    def __post_init__(self) -> None:
        self.next_word = HEADER_WORDS + self.symbols.variable_words

    def origin(self, span: Span) -> int:
        line, column = span.source.position(span.start)
        key = (span.source.name, line, column)
        number = self.origins.get(key)
        if number is None:
            number = self.origins[key] = len(self.origin_list)
            self.origin_list.append(Origin(span.source.name, line, column, span.source.line(line).strip()))
        return number

    def refuse(
        self,
        code: str,
        message: str,
        span: Span | None,
        *,
        help: str | None = None,  # noqa: A002 - the word of the diagnostics
        notes: tuple[Note, ...] = (),
        expected: tuple[str, ...] = (),
    ) -> NoReturn:
        """Tells a fault and gives up the statement."""
        told = code in ("RR0401", "RR0405") and span is not None and source_text(span) in self.unsound
        if not told:
            self.found.error(code, message, span, help=help, notes=notes, expected=expected)
        raise RefusedError

    def words(self, type_: Type) -> int:
        return words_of(type_, self.symbols.players, self.symbols.card_count)


@dataclass(frozen=True, slots=True)
class Exit:
    """Where `stop` and `skip to next` lead inside a loop or window. ``skip`` None: there is no next here."""

    stop: int
    skip: int | None
    sort: str
    facts: list[frozenset[str]]
    """What holds at each stop, for what holds afterwards."""


class Unit:
    """A function or procedure while it is lowered."""

    def __init__(self, checker: Checker, name: str, index: int, at: int, *, in_function: bool) -> None:
        self.checker = checker
        self.name = name
        self.index = index
        self.in_function = in_function
        self.scope = Scope()
        self.flow = Flow(at)
        self.locals: list[Type] = []
        self.facts: frozenset[str] = frozenset()
        self.looker: Looker | None = None
        self.lying: dict[str, ZoneUse] = {}
        """Names that `let` has just given to cards, and where these lie: until the next statement that does something.
        """
        self.exits: list[Exit] = []
        self.params = 0
        self.roaming: set[int] = set()
        """Registers that run over all players."""
        self.places: set[int] = set()
        """Registers that hold a place of a shuffled zone and no card."""
        self.aliases: dict[int, ir.Expr] = {}
        """Frame words that always hold the value of an expression (a `let` that is never assigned again)."""
        self.assigned: frozenset[str] = frozenset()
        self.reads: list[FaceRead] = []
        self.cost = 0
        self.times = 1
        """How often what is lowered now runs at most (loops of a function)."""
        self.results: list[tuple[Typed, Span]] = []
        self.trigger_end: int | None = None
        """Where `return` leads in a trigger's text or an inlined own text; None: it leaves the procedure."""
        self.own_text: str | None = None
        """The event whose own text `as usual` runs here."""
        self.timing: str | None = None
        """When the trigger runs whose text this is, "before", "instead of" or "after"; None: it is no trigger's."""
        self.event_params: tuple[ir.Place, ...] = ()
        """Where the parameters of the event lie, for `as usual`."""
        self.result_place = -1
        self.result_type: Type | None = None
        self.refused = False
        """Whether some statement was given up."""
        self.sites = 0
        self.secret = False
        """Whether what is bound now was chosen secretly."""

    # ------------------------------------------------------------ small services

    def at(self, span: Span) -> int:
        return self.checker.origin(span)

    def local(self, type_: Type) -> int:
        """A new register."""
        self.locals.append(type_)
        return len(self.locals) - 1

    def give_up(self) -> None:
        """A statement was at fault, and is left out."""
        self.refused = self.flow.given_up = True

    def words(self, count: int) -> int:
        """New words of the frame; the offset of the first."""
        offset = self.checker.next_word
        self.checker.next_word += count
        return offset

    def temporary(self, type_: Type, at: int) -> ir.Place:
        return ir.Place(self.words(self.checker.words(type_)), (), type_, at)

    def variable(self, name: str, type_: Type, at: int) -> ir.Place:
        """A named place of the frame."""
        place = self.temporary(type_, at)
        self.checker.variables.append(Variable(name, type_, place.offset, self.checker.words(type_), self.index))
        return place

    def adopt(self, place: ir.Place, name: str, type_: Type) -> ir.Place:
        """Makes a temporary place a named one."""
        self.checker.variables.append(Variable(name, type_, place.offset, self.checker.words(type_), self.index))
        return ir.Place(place.offset, (), type_, place.at)

    @contextmanager
    def block(self) -> Iterator[None]:
        """A block of names: what is bound inside is gone afterwards."""
        self.scope.push()
        try:
            yield
        finally:
            for name in self.scope.blocks[-1]:
                self.facts -= {name}
            self.scope.pop()

    @contextmanager
    def knowing(self, facts: frozenset[str]) -> Iterator[None]:
        """Facts that hold for a part of an expression."""
        before = self.facts
        self.facts = before | facts
        try:
            yield
        finally:
            self.facts = before

    @contextmanager
    def shown_to(self, looker: Looker | None) -> Iterator[None]:
        """What is lowered inside is read by somebody."""
        before = self.looker
        self.looker = looker
        try:
            yield
        finally:
            self.looker = before

    # ------------------------------------------------------------------- names

    def bind(self, binding: Binding) -> None:
        """Adds a name; one that is visible already is refused, naming both."""
        self.clash(binding.name, binding.span)
        self.scope.add(binding)
        self.facts = facts_but(self.facts, {binding.name})

    def clash(self, name: str, span: Span) -> None:
        earlier = self.scope.find(name)
        symbol = self.checker.symbols.names.get(name)
        if earlier is not None:
            self.checker.found.error(
                "RR0402",
                f"`{name}` is already the name of {_article(earlier.sort)} here",
                span,
                notes=(Note(f"`{name}` is first named here", earlier.span),),
                help="give it a name of its own",
            )
        elif symbol is not None:
            self.checker.found.error(
                "RR0402",
                f"`{name}` is already the name of {symbol_sort(symbol)}",
                span,
                notes=(Note(f"`{name}` is declared here", symbol.span),) if symbol.span else (),
                help="give it a name of its own",
            )
        elif name in BUILTINS:
            self.checker.found.error(
                "RR0402", f"`{name}` is a built-in function of the language", span, help="give it a name of its own"
            )

    def drop_state_facts(self) -> None:
        """After a call, a raise or a choice nothing is known of state variables any more, nor how cards lie."""
        self.facts = frozenset(f for f in self.facts if self.scope.find(about(f)) is not None)
        self.drop_open_facts()

    def drop_open_facts(self) -> None:
        """After what may turn cards down it is not known any more which lie face up."""
        self.facts = frozenset(f for f in self.facts if not f.startswith("open "))

    def suggestion(self, word: str, wanted: tuple[tuple[str, ...], ...]) -> str | None:
        """The nearest name, looked for in the groups of candidates one after the other."""
        for group in wanted:
            near = nearest(word, group)
            if near is not None:
                return near
        return None


def about(fact: str) -> str:
    """The name that a fact is about: ``c`` (it is not none), ``knows c`` (the reader does), ``open c`` (it lies face
    up)."""
    return fact.rpartition(" ")[2]


def facts_but(facts: frozenset[str], names: Collection[str]) -> frozenset[str]:
    """The facts that are not about any of these names."""
    return frozenset(f for f in facts if about(f) not in names)


def _article(sort: str) -> str:
    return {"let": "something named by `let`", "choice": "what a choice binds"}.get(sort, f"a {sort}")


def symbol_sort(symbol: object) -> str:
    """What sort of thing a symbol is, for messages: ``a zone``, ``an option``."""
    if isinstance(symbol, ProcedureSymbol):
        return "an event" if symbol.sort == "event" else f"a {symbol.sort}"
    names = {
        "OptionSymbol": "an option",
        "EnumSymbol": "a type",
        "ZoneSymbol": "a zone",
        "VariableSymbol": "a state variable",
        "TableSymbol": "a table",
    }
    return names.get(type(symbol).__name__, "something else")


def source_text(span: Span, most: int = 40) -> str:
    """What was written there, on one line, cut if long."""
    text = " ".join(span.source.text[span.start : span.end].split())
    return text if len(text) <= most else text[: most - 1] + "…"


def reads_as(node: syn.Expr) -> str | None:
    """The text of a plain name, for facts."""
    return node.text if isinstance(node, syn.Name) else None
