"""Sets of cards as elements: subsets, groups and runs by a field, and the best cover of cards by disjoint groups."""

from __future__ import annotations

from rulerun.check.declarations.symbols import FieldSymbol
from rulerun.check.rule_text import cost, driver, elements, simplify, sources, visibility
from rulerun.check.rule_text.driver import domain, expression
from rulerun.check.rule_text.typed import DomainUse, Typed, describe, is_ordered
from rulerun.check.rule_text.units import Unit
from rulerun.facts.domains import count_runs
from rulerun.ir import nodes as ir
from rulerun.ir.types import CARD, CARDS, INT, Type
from rulerun.syntax import nodes as syn

_MANY_SETS = 2_048
"""How many subsets there are taken to be at most, for estimates."""


@expression(syn.Groups)
def groups_as_value(unit: Unit, node: syn.Groups) -> Typed:
    return elements.refuse_as_value(unit, node)


@expression(syn.Runs)
def runs_as_value(unit: Unit, node: syn.Runs) -> Typed:
    return elements.refuse_as_value(unit, node)


@domain(syn.Call)
def called(unit: Unit, node: syn.Call, wanted: Type | None) -> DomainUse:
    return _subsets(unit, node) if elements.is_subsets(unit, node) else elements.members(unit, node, wanted)


def _of_cards(unit: Unit, node: syn.Expr, what: str) -> Typed:
    """A zone or a set of cards, as a set. What is undrawn there cannot be told apart yet, and is refused."""
    source = sources.named(unit, node)
    if source is None:
        elements.refuse_unknown(unit, node)
        return driver.expect_typed(unit, node, CARDS, what)
    for use in sources.zones_of(unit, source):
        if sources.is_undrawn(unit, use):
            unit.refuse(
                "RR0516",
                f"`{use.symbol.name}` is shuffled: nobody knows yet which of its cards lie where",
                node.span,
                help="draw the cards first",
            )
    return sources.cards_of(unit, source, unit.at(node.span))


def _subsets(unit: Unit, node: syn.Call) -> DomainUse:
    """``subsets(X)``, ``subsets(X, 3)``, ``subsets(X, 2..4)``: sets of so many cards of X."""
    if not 1 <= len(node.arguments) <= 2:
        unit.refuse(
            "RR0406",
            f"`subsets` takes cards and how many, and here are {len(node.arguments)}",
            node.span,
            help="write `subsets(hand[p], 2..4)`",
        )
    of = _of_cards(unit, node.arguments[0], "in `subsets`")
    least: ir.Expr = simplify.number(1)
    most: ir.Expr | None = None
    if len(node.arguments) == 2:
        least, most = _sizes(unit, node.arguments[1])
    return DomainUse(ir.SubsetDomain(of.expr, least, most, unit.at(node.span)), CARDS, of.source, _MANY_SETS)


def _sizes(unit: Unit, node: syn.Expr) -> tuple[ir.Expr, ir.Expr]:
    if isinstance(node, syn.Range):
        low = driver.expect(unit, node.low, INT, "as the fewest")
        high = driver.expect(unit, node.high, INT, "as the most")
        if isinstance(low, ir.Const) and isinstance(high, ir.Const) and high.value < low.value:
            unit.refuse("RR0412", f"{low.value}..{high.value} holds no number", node.span)
        return low, high
    size = driver.expect(unit, node, INT, "as the number of cards in each set")
    return size, size


@domain(syn.Groups)
def groups(unit: Unit, node: syn.Groups, _wanted: Type | None) -> DomainUse:
    """``groups of X by rank``: per value of a field the sets of one, two and so on cards with it."""
    of, field = _sorted_by(unit, node, "groups of")
    domain = ir.GroupDomain(of.expr, field.index, unit.at(node.span))
    return DomainUse(domain, CARDS, of.source, unit.symbols.card_count)


@domain(syn.Runs)
def runs(unit: Unit, node: syn.Runs, _wanted: Type | None) -> DomainUse:
    """``runs of X by rank``: two cards and more, one of each value, whose values follow each other."""
    of, field = _sorted_by(unit, node, "runs of")
    if not is_ordered(field.value):
        unit.refuse(
            "RR0411",
            f"`{field.name}` is {describe(field.value)}: its values do not follow each other",
            node.field.span,
            help="a run goes by numbers, or by the values of a type that is declared `ordered`",
        )
    domain = ir.RunDomain(of.expr, field.index, unit.at(node.span))
    return DomainUse(domain, CARDS, of.source, count_runs(unit.symbols.fields_data[field.index].values))


def _sorted_by(unit: Unit, node: syn.Groups | syn.Runs, word: str) -> tuple[Typed, FieldSymbol]:
    """The cards that are sorted by a field, and the field: of one value for each card, which may be read here."""
    of = _of_cards(unit, node.of, f"after `{word}`")
    symbols = unit.symbols
    field = symbols.fields.get(node.field.text)
    if field is None:
        near = unit.suggestion(node.field.text, (tuple(symbols.fields),))
        names = ", ".join(symbols.fields)
        unit.refuse(
            "RR0405",
            f"the cards have no field `{node.field.text}`",
            node.field.span,
            help=f"did you mean `{near}`?" if near else f"the fields are {names}" if names else None,
        )
    if field.keys:
        unit.refuse(
            "RR0404",
            f"`{field.name}` is one value per {field.keys[0]}: cards are sorted by a single value",
            node.field.span,
        )
    if not field.on_back:
        visibility.face_read(unit, Typed(of.expr, CARD, of.source), None, node.span)
    return of, field


@expression(syn.Cover)
def cover(unit: Unit, node: syn.Cover) -> Typed:
    """``best cover of X by g of 3..4 where C by E``, a number; ``cover of …``, the cards."""
    of = _of_cards(unit, node.of, "to be covered")
    low, high = _sizes(unit, syn.Range(node.low, node.high, None, node.low.span))
    at = unit.at(node.span)
    group = DomainUse(ir.SubsetDomain(of.expr, low, high, at), CARDS, of.source, _MANY_SETS)
    with elements.each(unit, node.name, group, node.where) as (local, where):
        value = driver.expect(unit, node.by, INT, "as what a group is worth")
    result = ir.Cover(of.expr, local, low, high, where, value, node.best, at)
    cost.check(unit, result, syn.Clause(node.name, node.of, node.where, node.span), group)
    return Typed(result, INT) if node.best else Typed(result, CARDS, of.source)
