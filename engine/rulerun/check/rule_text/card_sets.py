"""Sets of cards as elements: subsets, groups by a field, and the best cover of cards by disjoint groups."""

from __future__ import annotations

from typing import NoReturn

from rulerun.check.rule_text import cost, domains, expressions, operators, simplify, visibility, zone_uses
from rulerun.check.rule_text.typed import DomainUse, Typed
from rulerun.check.rule_text.unit import Unit, source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import CARD, CARDS, INT
from rulerun.syntax import nodes as syn

MANY_SETS = 2_048
"""How many subsets there are taken to be at most, for estimates."""


def names_subsets(unit: Unit, node: syn.Expr) -> bool:
    """Whether a node is a call of the built-in ``subsets``."""
    return (
        isinstance(node, syn.Call) and node.name.text == "subsets" and "subsets" not in unit.checker.symbols.names
    )


def of_cards(unit: Unit, node: syn.Expr, what: str) -> Typed:
    """A zone or a set of cards, as a set. What is undrawn there cannot be told apart yet, and is refused."""
    zones = zone_uses.several(unit, node)
    for use in zones or ():
        if zone_uses.is_undrawn(unit, use):
            unit.checker.refuse(
                "RR0516",
                f"`{use.symbol.name}` is shuffled: nobody knows yet which of its cards lie where",
                node.span,
                help="draw the cards first",
            )
    domains.refuse_unknown(unit, node)
    return expressions.expect_typed(unit, node, CARDS, what)


def subsets(unit: Unit, node: syn.Call) -> DomainUse:
    """``subsets(X)``, ``subsets(X, 3)``, ``subsets(X, 2..4)``: sets of so many cards of X."""
    if not 1 <= len(node.arguments) <= 2:
        unit.checker.refuse(
            "RR0406",
            f"`subsets` takes cards and how many, and here are {len(node.arguments)}",
            node.span,
            help="write `subsets(hand[p], 2..4)`",
        )
    of = of_cards(unit, node.arguments[0], "in `subsets`")
    least: ir.Expr = simplify.number(1)
    most: ir.Expr | None = None
    if len(node.arguments) == 2:
        least, most = _sizes(unit, node.arguments[1])
    domain = ir.SubsetDomain(of.expr, least, most, unit.at(node.span))
    return DomainUse(domain, CARDS, of.source, MANY_SETS)


def _sizes(unit: Unit, node: syn.Expr) -> tuple[ir.Expr, ir.Expr]:
    if isinstance(node, syn.Range):
        low = expressions.expect(unit, node.low, INT, "as the fewest")
        high = expressions.expect(unit, node.high, INT, "as the most")
        if isinstance(low, ir.Const) and isinstance(high, ir.Const) and high.value < low.value:
            unit.checker.refuse("RR0412", f"{low.value}..{high.value} holds no number", node.span)
        return low, high
    size = expressions.expect(unit, node, INT, "as the number of cards in each set")
    return size, size


def groups(unit: Unit, node: syn.Groups) -> DomainUse:
    """``groups of X by rank``: per value of a field the sets of one, two and so on cards with it."""
    of = of_cards(unit, node.of, "after `groups of`")
    symbols = unit.checker.symbols
    field = symbols.fields.get(node.field.text)
    if field is None:
        near = unit.suggestion(node.field.text, (tuple(symbols.fields),))
        names = ", ".join(symbols.fields)
        unit.checker.refuse(
            "RR0405",
            f"the cards have no field `{node.field.text}`",
            node.field.span,
            help=f"did you mean `{near}`?" if near else f"the fields are {names}" if names else None,
        )
    if field.keys:
        unit.checker.refuse(
            "RR0404",
            f"`{field.name}` is one value per {field.keys[0]}: cards are grouped by a single value",
            node.field.span,
        )
    if not field.on_back:
        visibility.face_read(unit, Typed(of.expr, CARD, of.source), None, node.span)
    return DomainUse(
        ir.GroupDomain(of.expr, field.index, unit.at(node.span)), CARDS, of.source, symbols.card_count
    )


def cover(unit: Unit, node: syn.Cover) -> Typed:
    """``best cover of X by g of 3..4 where C by E``, a number; ``cover of …``, the cards."""
    of = of_cards(unit, node.of, "to be covered")
    low, high = _sizes(unit, syn.Range(node.low, node.high, None, node.low.span))
    at = unit.at(node.span)
    group = DomainUse(ir.SubsetDomain(of.expr, low, high, at), CARDS, of.source, MANY_SETS)
    with unit.block():
        local = domains.bind_element(unit, node.name, group)
        where = expressions.condition(unit, node.where) if node.where is not None else None
        yes = operators.facts(unit, node.where)[0] if node.where is not None else frozenset()
        with unit.knowing(yes):
            value = expressions.expect(unit, node.by, INT, "as what a group is worth")
    result = ir.Cover(of.expr, local, low, high, where, value, node.best, at)
    cost.check(unit, result, syn.Clause(node.name, node.of, node.where, node.span), group)
    return Typed(result, INT) if node.best else Typed(result, CARDS, of.source)


def refuse_loop(unit: Unit, domain: DomainUse, node: syn.Expr) -> None:
    """A statement's loop cannot hold sets of cards while it runs."""
    if domain.element == CARDS:
        unit.checker.refuse(
            "RR0409",
            f"`for` as a statement runs over cards, players, values or numbers, and `{source_text(node.span)}` holds "
            "sets of cards",
            node.span,
            help="gather over them in an expression: `sum(… for s in …)`, `best s in … by …`",
        )


def not_a_value(unit: Unit, node: syn.Expr) -> NoReturn:
    """Sets of sets are no values."""
    unit.checker.refuse(
        "RR0409",
        f"`{source_text(node.span)}` is not a value: it holds sets of cards",
        node.span,
        help="it may follow `in` or `from`: `count(s for s in … where …)`",
    )
