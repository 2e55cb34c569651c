"""The elements of a domain: a name bound to each in turn, those that a condition lets through, how many there are; and
what cannot be one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from rulerun.check.declarations.symbols import ProcedureSymbol, ZoneSymbol
from rulerun.check.rule_text import driver, fitting, indexing, narrowing, simplify, sources
from rulerun.check.rule_text.scope import Binding
from rulerun.check.rule_text.typed import DomainUse, Typed, bare, describe
from rulerun.check.rule_text.units import Unit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import CARD, CARDS, INT, PLAYER, CardType, EnumType, PlayerType, SetType, Type
from rulerun.syntax import nodes as syn

SEATS = "seats"
"""The built-in name for all players, whether in play or out."""


# ------------------------------------------------------------------ a value's elements


def members(unit: Unit, node: syn.Expr, wanted: Type | None) -> DomainUse:
    """What a name or a value holds as a domain: the cards of a zone, the elements of a set."""
    source = sources.named(unit, node)
    cards = unit.symbols.card_count
    if isinstance(source, sources.Board):
        domain = ir.BoardDomain(source.use.ref, source.places)
        return DomainUse(domain, CARD, source.use, min(source.places, cards))
    if source is not None:
        zones = sources.zones_of(unit, source)
        if len(zones) == 1:
            use = zones[0]
            undrawn = sources.is_undrawn(unit, use)
            return DomainUse(ir.ZoneDomain(use.ref), CARD, use, cards, undrawn)
        typed = sources.cards_of(unit, source, unit.at(node.span))
    else:
        refuse_unknown(unit, node)
        of = wanted if isinstance(wanted, EnumType | PlayerType | CardType) else None
        typed = driver.lower(unit, node, SetType(of) if of is not None else None)
    if not isinstance(typed.type, SetType):
        _refuse_single(unit, typed, node)
    return DomainUse(ir.SetDomain(typed.expr), typed.type.of, typed.source, unit.compilation.set_size(typed.type.of))


def _refuse_single(unit: Unit, typed: Typed, node: syn.Expr) -> NoReturn:
    text = source_text(node.span)
    help_ = None
    if typed.type == INT:
        help_ = f"numbers: `1..{text}`; to do something {text} times: `repeat {text} times:`"
    unit.refuse(
        "RR0403",
        f"a zone, a set, a type or a range is wanted here, and `{text}` is {describe(typed.type)}",
        node.span,
        help=help_,
    )


def refuse_unknown(unit: Unit, node: syn.Expr) -> None:
    """An unknown name in the place of a domain is most likely a misspelt zone."""
    base = node.zone if isinstance(node, syn.AllOf) else node
    base = base.of if isinstance(base, syn.Index) else base
    symbols = unit.symbols
    if not isinstance(base, syn.Name) or unit.scope.find(base.text) is not None or base.text in symbols.names:
        return
    if base is node and (base.text in symbols.enum_values or base.text == SEATS):
        return
    zones = tuple(n for n, s in symbols.names.items() if isinstance(s, ZoneSymbol))
    others = tuple(n for n, s in symbols.names.items() if not isinstance(s, ProcedureSymbol))
    near = unit.suggestion(base.text, (zones, (*others, *(b.name for b in unit.scope))))
    help_ = f"did you mean `{near}`?" if near else f"the zones are {', '.join(zones)}"
    if base.text.casefold() in ("player", "all_players"):
        help_ = "did you mean `players`?"
    if base.text == "others":
        help_ = f"the other players: `players after {indexing.example(unit, PLAYER)}`"
    unit.refuse("RR0401", f"there is no zone, set or type named `{base.text}`", base.span, help=help_)


# ----------------------------------------------------------------- each in its turn


@contextmanager
def each(
    unit: Unit, name: syn.Ident, domain: DomainUse, where: syn.Expr | None
) -> Iterator[tuple[int, ir.Expr | None]]:
    """Inside, a name stands for an element for which `where` holds. Its register, and the condition."""
    with unit.block():
        local = bind_element(unit, name, domain)
        test = driver.condition(unit, where) if where is not None else None
        with unit.narrowed(narrowing.holding(where)):
            yield local, test


def tested(unit: Unit, name: syn.Ident, domain: DomainUse, where: syn.Expr | None) -> tuple[int, ir.Expr | None]:
    """A register that runs over a domain, and the condition on what lies there."""
    with each(unit, name, domain, where) as found:
        return found


def filtered(unit: Unit, inner: DomainUse, name: syn.Ident, where: syn.Expr | None) -> DomainUse:
    """The elements of `inner` for which `where` holds."""
    if where is None:
        return inner
    local, test = tested(unit, name, inner, where)
    assert test is not None
    return only(inner, local, test)


def only(inner: DomainUse, local: int, test: ir.Expr) -> DomainUse:
    """The elements of `inner` that pass a test, which reads them in a register."""
    domain = ir.FilteredDomain(local, inner.domain, test)
    return DomainUse(domain, inner.element, inner.source, inner.size, inner.undrawn)


def bind_element(
    unit: Unit, name: syn.Ident, domain: DomainUse, sort: str = "loop name", *, unsettled: bool = False
) -> int:
    """Binds a name to a register that runs over the elements of a domain."""
    local = unit.local(domain.element)
    if domain.element == PLAYER:
        unit.roaming.add(local)
    unit.bind(
        Binding(
            name.text,
            sort,
            name.span,
            domain.element,
            read=ir.Local(local, domain.element),
            local=local,
            source=domain.source,
            unsettled=unsettled,
        )
    )
    return local


# ------------------------------------------------------------------ forms of domains


def is_filter(node: syn.Generator) -> bool:
    """Whether a generator only picks out elements: ``(c for c in Z where …)``."""
    return len(node.clauses) == 1 and isinstance(node.value, syn.Name) and node.value.text == node.clauses[0].name.text


def is_subsets(unit: Unit, node: syn.Expr) -> bool:
    """Whether a node is a call of the built-in ``subsets``."""
    return isinstance(node, syn.Call) and node.name.text == "subsets" and "subsets" not in unit.symbols.names


def refuse_as_value(unit: Unit, node: syn.Expr) -> NoReturn:
    """Sets of sets are no values."""
    unit.refuse(
        "RR0409",
        f"`{source_text(node.span)}` is not a value: it holds sets of cards",
        node.span,
        help="it may follow `in` or `from`: `count(s for s in … where …)`",
    )


def refuse_loop(unit: Unit, domain: DomainUse, node: syn.Expr) -> None:
    """A statement's loop cannot hold sets of cards while it runs."""
    if domain.element == CARDS:
        unit.refuse(
            "RR0409",
            f"`for` as a statement runs over cards, players, values or numbers, and `{source_text(node.span)}` holds "
            "sets of cards",
            node.span,
            help="gather over them in an expression: `sum(… for s in …)`, `best s in … by …`",
        )


def audience(unit: Unit, node: syn.Expr, what: str) -> ir.Expr | None:
    """A player or a set of players; None for all of them."""
    if isinstance(node, syn.Players):
        return None
    seats = SetType(PLAYER)
    typed = driver.lower(unit, node, PLAYER)
    if typed.type == seats:
        return typed.expr
    if bare(typed.type) != PLAYER or typed.nothing:
        unit.refuse(
            "RR0403",
            f"players are wanted {what}, and `{source_text(node.span)}` is {describe(typed.type)}",
            node.span,
        )
    fitting.check(unit, typed, PLAYER, node.span, what)
    return simplify.single(typed.expr, seats)
