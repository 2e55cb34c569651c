"""The unit (a function, or a procedure) whose text is lowered now, with its names, registers, frame words and blocks,
and what is known at the point that has been reached.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn

from rulerun.check.declarations.symbols import Symbols
from rulerun.check.rule_text.compilation import Compilation, FaceRead
from rulerun.check.rule_text.flow import FlowBuilder
from rulerun.check.rule_text.narrowing import NOTHING, Fact, Facts, Says, facts_but
from rulerun.check.rule_text.scope import Binding, LocalNames
from rulerun.check.rule_text.typed import Typed, ZoneUse
from rulerun.check.rule_text.wording import symbol_sort
from rulerun.ir import nodes as ir
from rulerun.ir.program import Variable
from rulerun.ir.types import Type
from rulerun.source.diagnostic import Diagnostics, Note
from rulerun.source.spell import nearest
from rulerun.source.text import Span

BUILTINS = ("count", "next", "previous", "min", "max", "order", "knows")


@dataclass(frozen=True, slots=True)
class Observer:
    """Who will read what is lowered now: the player asked, or (``who`` None) everybody."""

    who: ir.Expr | None
    what: str
    """"the `where` of this choice", "this label", "a note"."""


@dataclass(frozen=True, slots=True)
class Exit:
    """Where `stop` and `skip to next` lead inside a loop or window. ``skip`` None: there is no next here."""

    stop: int
    skip: int | None
    sort: str
    facts: list[Facts]
    """What holds at each stop, for what holds afterwards."""


class _Text:
    """A text while it is lowered: its names, registers and blocks, and what is known at this point of it. It is either
    a `FunctionUnit` or a `ProcedureUnit`."""

    def __init__(self, compilation: Compilation, name: str, at: int) -> None:
        self.compilation = compilation
        self.name = name
        self.scope = LocalNames()
        self.flow = FlowBuilder(at)
        self.locals: list[Type] = []
        self.facts: Facts = NOTHING
        self.exits: list[Exit] = []
        self.roaming: set[int] = set()
        """Registers that run over all players."""
        self.assigned: frozenset[str] = frozenset()
        """Names that the text assigns somewhere."""
        self.results: list[tuple[Typed, Span]] = []
        self.result_type: Type | None = None
        self.refused = False
        """Whether some statement was given up."""

    # ------------------------------------------------------------ small services

    @property
    def symbols(self) -> Symbols:
        return self.compilation.symbols

    @property
    def found(self) -> Diagnostics:
        return self.compilation.found

    def at(self, span: Span) -> int:
        """The number of the origin that a span is."""
        return self.compilation.origin(span)

    def refuse(
        self,
        code: str,
        message: str,
        span: Span | None,
        *,
        help: str | None = None,  # noqa: A002 - the word of the diagnostics
    ) -> NoReturn:
        """Tells a fault and gives up the statement."""
        self.compilation.refuse(code, message, span, help=help)

    def local(self, type_: Type) -> int:
        """A new register."""
        self.locals.append(type_)
        return len(self.locals) - 1

    def give_up(self) -> None:
        """A statement was at fault, and is left out."""
        self.refused = self.flow.given_up = True

    @contextmanager
    def block(self) -> Iterator[None]:
        """A block of names: what is bound inside is gone afterwards."""
        self.scope.push()
        try:
            yield
        finally:
            self.facts = self.facts.difference(map(Fact, self.scope.blocks[-1]))
            self.scope.pop()

    @contextmanager
    def narrowed(self, facts: Facts) -> Iterator[None]:
        """Facts that hold for a part of an expression."""
        before = self.facts
        self.facts = before | facts
        try:
            yield
        finally:
            self.facts = before

    # ------------------------------------------------------------------- names

    def bind(self, binding: Binding) -> None:
        """Adds a name; one that is visible already is refused, naming both."""
        self.clash(binding.name, binding.span)
        self.scope.add(binding)
        self.facts = facts_but(self.facts, {binding.name})

    def clash(self, name: str, span: Span) -> None:
        """RR0402 for a new name that means something here already."""
        earlier = self.scope.find(name)
        symbol = self.symbols.names.get(name)
        if earlier is not None:
            self.found.error(
                "RR0402",
                f"`{name}` is already the name of {_article(earlier.sort)} here",
                span,
                notes=(Note(f"`{name}` is first named here", earlier.span),),
                help="give it a name of its own",
            )
        elif symbol is not None:
            self.found.error(
                "RR0402",
                f"`{name}` is already the name of {symbol_sort(symbol)}",
                span,
                notes=(Note(f"`{name}` is declared here", symbol.span),) if symbol.span else (),
                help="give it a name of its own",
            )
        elif name in BUILTINS:
            self.found.error(
                "RR0402", f"`{name}` is a built-in function of the language", span, help="give it a name of its own"
            )

    def suggestion(self, word: str, wanted: tuple[tuple[str, ...], ...]) -> str | None:
        """The nearest name, looked for in the groups of candidates one after the other."""
        for group in wanted:
            near = nearest(word, group)
            if near is not None:
                return near
        return None

    # ------------------------------------------------------------------- facts

    def drop_state_facts(self) -> None:
        """After a call, a raise or a choice nothing is known of state variables any more, nor how cards lie."""
        self.facts = frozenset(f for f in self.facts if self.scope.find(f.name) is not None)
        self.drop_open_facts()

    def drop_open_facts(self) -> None:
        """After what may turn cards down it is not known any more which lie face up."""
        self.facts = frozenset(f for f in self.facts if f.says is not Says.OPEN)

    def drop_known_facts(self) -> None:
        """After cards have moved it is not known any more who knows them."""
        self.facts = frozenset(f for f in self.facts if f.says is not Says.KNOWN)


class FunctionUnit(_Text):
    """A function while it is lowered: it only computes, so its names live in registers."""

    def __init__(self, compilation: Compilation, name: str, at: int) -> None:
        super().__init__(compilation, name, at)
        self.param_count = 0
        """How many registers, from the first on, hold parameters."""
        self.reads: list[FaceRead] = []
        self.cost = 0
        self.times = 1
        """How often what is lowered now runs at most (loops)."""


@dataclass(frozen=True, slots=True)
class EventText:
    """The text of an event's chain that is lowered now."""

    timing: str | None
    """When the trigger runs whose text this is, "before", "instead of" or "after"; None: it is the event's own."""
    end: int | None
    """The block that `return` leads to; None: a condition, where nothing returns."""


class ProcedureUnit(_Text):
    """A rule or event while it is lowered: its names live in the frame, and it has effects."""

    def __init__(self, compilation: Compilation, name: str, index: int, at: int) -> None:
        super().__init__(compilation, name, at)
        self.index = index
        self.params: tuple[ir.Place, ...] = ()
        self.event: EventText | None = None
        self.observer: Observer | None = None
        self.provenance: dict[str, ZoneUse] = {}
        """Where the cards lie to which `let` has just given a name: until the next statement that does something."""
        self.aliases: dict[int, ir.Expr] = {}
        """Frame words that always hold the value of an expression (a `let` that is never assigned again)."""
        self.result_place = -1
        self.secret = False
        """Whether what is bound now was chosen secretly."""
        self.sites = 0

    def words(self, count: int) -> int:
        """New words of the frame; the offset of the first."""
        offset = self.compilation.next_word
        self.compilation.next_word += count
        return offset

    def temporary(self, type_: Type, at: int) -> ir.Place:
        return ir.Place(self.words(self.compilation.words(type_)), (), type_, at)

    def variable(self, name: str, type_: Type, at: int) -> ir.Place:
        """A named place of the frame."""
        return self.adopt(self.temporary(type_, at), name, type_)

    def adopt(self, place: ir.Place, name: str, type_: Type) -> ir.Place:
        """Makes a temporary place a named one."""
        compilation = self.compilation
        variable = Variable(name, type_, place.offset, compilation.words(type_), self.index)
        compilation.variables.append(variable)
        return ir.Place(place.offset, (), type_, place.at)

    def clear(self, place: ir.Place | None) -> None:
        """Zeroes the words of a place of the frame, if there is one."""
        if place is not None:
            self.flow.op(ir.Clear(place.offset, self.compilation.words(place.type)))

    @contextmanager
    def shown_to(self, observer: Observer | None) -> Iterator[None]:
        """What is lowered inside is read by somebody."""
        before = self.observer
        self.observer = observer
        try:
            yield
        finally:
            self.observer = before


Unit = FunctionUnit | ProcedureUnit


def _article(sort: str) -> str:
    return {"let": "something named by `let`", "choice": "what a choice binds"}.get(sort, f"a {sort}")
