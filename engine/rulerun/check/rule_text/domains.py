"""Domains: what folds, loops and choices run over: a zone, a set, an enum, numbers, players in an order, generators."""

from __future__ import annotations

from rulerun.check.declarations.symbols import ProcedureSymbol, ZoneSymbol
from rulerun.check.rule_text import card_sets, expressions, indices, operators, simplify, zone_uses
from rulerun.check.rule_text.scope import Binding
from rulerun.check.rule_text.typed import DomainUse, Typed, describe
from rulerun.check.rule_text.unit import Unit, source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import (
    CARD,
    INT,
    PLAYER,
    CardType,
    EnumType,
    PlayerType,
    SetType,
    Type,
)
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn

SEATS = "seats"
"""The built-in name for all players, whether in play or out."""
_MANY_NUMBERS = 100
"""How many numbers a range with unknown ends is taken to hold, for estimates."""


def lower(unit: Unit, node: syn.Expr, wanted: Type | None = None) -> DomainUse:
    """The domain that an expression names. `wanted`: the type of its elements, where it is known."""
    match node:
        case syn.Range():
            return _numbers(unit, node)
        case syn.Players():
            return DomainUse(ir.SetDomain(ir.PlayersIn()), PLAYER, None, unit.checker.symbols.players)
        case syn.Seats():
            return _seats(unit, node)
        case syn.Generator() if is_filter(node):
            return _filtered(unit, node)
        case syn.Groups():
            return card_sets.groups(unit, node)
        case syn.Call() if card_sets.names_subsets(unit, node):
            return card_sets.subsets(unit, node)
        case _:
            pass
    whole = zone_uses.boards(unit, node)
    if whole is not None:
        board, places = whole
        size = min(places, unit.checker.symbols.card_count)
        return DomainUse(ir.BoardDomain(board.ref, places), CARD, board, size, is_zone=True)
    zones = zone_uses.several(unit, node)
    if zones is not None and len(zones) == 1:
        use = zones[0]
        undrawn = zone_uses.is_undrawn(unit, use)
        size = unit.checker.symbols.card_count
        return DomainUse(ir.ZoneDomain(use.ref), CARD, use, size, undrawn, is_zone=True)
    refuse_unknown(unit, node)
    typed = expressions.lower(
        unit, node, SetType(wanted) if isinstance(wanted, EnumType | PlayerType | CardType) else None
    )
    return of_set(unit, typed, node)


def of_set(unit: Unit, typed: Typed, node: syn.Expr) -> DomainUse:
    """The elements of a set value."""
    if not isinstance(typed.type, SetType):
        text = source_text(node.span)
        help_ = None
        if typed.type == INT:
            help_ = f"numbers: `1..{text}`; to do something {text} times: `repeat {text} times:`"
        unit.checker.refuse(
            "RR0403",
            f"a zone, a set, a type or a range is wanted here, and `{text}` is {describe(typed.type)}",
            node.span,
            help=help_,
        )
    return DomainUse(ir.SetDomain(typed.expr), typed.type.of, typed.source, set_size(unit, typed.type.of))


def set_size(unit: Unit, of: Type) -> int:
    match of:
        case EnumType():
            return len(of.values)
        case PlayerType():
            return unit.checker.symbols.players
        case _:
            return unit.checker.symbols.card_count


def refuse_unknown(unit: Unit, node: syn.Expr) -> None:
    """An unknown name in the place of a domain is most likely a misspelt zone."""
    base = node.zone if isinstance(node, syn.AllOf) else node
    base = base.of if isinstance(base, syn.Index) else base
    symbols = unit.checker.symbols
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
        help_ = f"the other players: `players after {indices.example(unit, PLAYER)}`"
    unit.checker.refuse("RR0401", f"there is no zone, set or type named `{base.text}`", base.span, help=help_)


def _numbers(unit: Unit, node: syn.Range) -> DomainUse:
    low = expressions.expect(unit, node.low, INT, "as the lower end")
    high = expressions.expect(unit, node.high, INT, "as the upper end")
    if node.step is not None:
        return _stepped(unit, node, low, high)
    size = _MANY_NUMBERS
    if isinstance(low, ir.Const) and isinstance(high, ir.Const):
        size = max(0, high.value - low.value + 1)
        if size == 0 and isinstance(node.low, syn.Int) and isinstance(node.high, syn.Int):
            unit.checker.refuse(
                "RR0412",
                f"{low.value}..{high.value} holds no number",
                node.span,
                help=f"write {high.value}..{low.value}",
            )
    return DomainUse(ir.NumberDomain(low, high), INT, None, size)


def _stepped(unit: Unit, node: syn.Range, low: ir.Expr, high: ir.Expr) -> DomainUse:
    """``7..1 by -2``"""
    assert node.step is not None
    step = expressions.expect(unit, node.step, INT, "as the step")
    if not isinstance(step, ir.Const) or step.value == 0:
        what = "0 leads nowhere" if isinstance(step, ir.Const) else "its sign says which way the numbers go"
        unit.checker.refuse("RR0412", f"a step is a number that is known beforehand, and not 0: {what}", node.step.span)
    size = _MANY_NUMBERS
    if isinstance(low, ir.Const) and isinstance(high, ir.Const):
        size = len(range(low.value, high.value + (1 if step.value > 0 else -1), step.value))
        if size == 0 and isinstance(node.low, syn.Int) and isinstance(node.high, syn.Int):
            unit.checker.refuse(
                "RR0412",
                f"{low.value}..{high.value} by {step.value} holds no number",
                node.span,
                help=f"write {low.value}..{high.value} by {-step.value}",
            )
    return DomainUse(ir.SteppedDomain(low, high, step.value), INT, None, size)


def _seats(unit: Unit, node: syn.Seats) -> DomainUse:
    of = expressions.expect(unit, node.domain, SetType(PLAYER), f"before `{node.how}`")
    start = expressions.expect(unit, node.player, PLAYER, f"after `{node.how}`")
    domain = ir.SeatDomain(of, start, node.how == "starting with", node.how == "before")
    return DomainUse(domain, PLAYER, None, unit.checker.symbols.players)


def is_filter(node: syn.Generator) -> bool:
    """Whether a generator only picks out elements: ``(c for c in Z where …)``."""
    return len(node.clauses) == 1 and isinstance(node.value, syn.Name) and node.value.text == node.clauses[0].name.text


def _filtered(unit: Unit, node: syn.Generator) -> DomainUse:
    clause = node.clauses[0]
    inner = lower(unit, clause.domain)
    return narrow(unit, inner, clause.name, clause.where)


def narrow(unit: Unit, inner: DomainUse, name: syn.Ident, where: syn.Expr | None) -> DomainUse:
    """The elements of `inner` for which `where` holds."""
    if where is None:
        return inner
    with unit.block():
        local = bind_element(unit, name, inner)
        test = expressions.condition(unit, where)
    domain = ir.FilteredDomain(local, inner.domain, test)
    return DomainUse(domain, inner.element, inner.source, inner.size, inner.undrawn)


def bind_element(unit: Unit, name: syn.Ident, domain: DomainUse, sort: str = "loop name") -> int:
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
        )
    )
    return local


def as_set(unit: Unit, node: syn.Generator | syn.Seats) -> Typed:
    """A generator, or players in an order, as a set value."""
    at = unit.at(node.span)
    if isinstance(node, syn.Seats):
        use = _seats(unit, node)
        assert isinstance(use.domain, ir.SeatDomain)
        type_ = SetType(PLAYER)
        if use.domain.inclusive:
            return Typed(use.domain.of, type_)
        alone = simplify.single(use.domain.start, type_)
        return Typed(simplify.binary("without", use.domain.of, alone, type_, at), type_)
    if len(node.clauses) != 1:
        unit.checker.refuse(
            "RR0403", "a set is made with a single `for` here", node.span, help="put two sets together with `union`"
        )
    clause = node.clauses[0]
    domain = lower(unit, clause.domain)
    with unit.block():
        local = bind_element(unit, clause.name, domain)
        where = expressions.condition(unit, clause.where) if clause.where is not None else None
        yes, _ = operators.facts(unit, clause.where) if clause.where is not None else (frozenset(), frozenset())
        with unit.knowing(yes):
            value = expressions.lower(unit, node.value)
    of = _set_element(unit, value, node.value.span)
    fold = ir.Fold(ir.FoldKind.SET, local, domain.domain, where, value.expr, None, SetType(of), at)
    all_open = isinstance(node.value, syn.Name) and f"open {node.value.text}" in yes  # whoever sees the other cards
    return Typed(fold, SetType(of), domain.source if of == CARD and not all_open else None)


def _set_element(unit: Unit, value: Typed, span: Span) -> Type:
    if not isinstance(value.type, EnumType | PlayerType | CardType):
        unit.checker.refuse(
            "RR0403",
            f"a set holds values of a type, players or cards, and `{source_text(span)}` is {describe(value.type)}",
            span,
        )
    return value.type
