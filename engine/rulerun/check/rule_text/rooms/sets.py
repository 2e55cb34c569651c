"""Sets as values, and membership: ``{queen, jack}``, `union`, `common`, `without`, `in`."""

from __future__ import annotations

from rulerun.check.rule_text import driver, fitting, simplify, sources
from rulerun.check.rule_text.driver import expression, guided
from rulerun.check.rule_text.typed import Typed, accepts, bare, describe, optional
from rulerun.check.rule_text.units import Unit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import BOOL, CARD, INT, CardType, EnumType, IntType, PlayerType, SetType, Type
from rulerun.syntax import nodes as syn


@guided(syn.SetOf)
def set_of(unit: Unit, node: syn.SetOf, wanted: Type | None) -> Typed:
    of: Type | None = wanted.of if isinstance(wanted, SetType) else None
    if not node.items:
        if of is None:
            unit.refuse("RR0408", "an empty set of what? nothing here says it", node.span)
        return Typed(ir.Const(0, SetType(of)), SetType(of))
    items: list[Typed] = []
    for item in node.items:
        typed = driver.lower(unit, item, of)
        if of is None and not typed.nothing:
            of = bare(typed.type)
            if not isinstance(of, EnumType | PlayerType | CardType):
                unit.refuse(
                    "RR0403",
                    f"a set holds values of a type, players or cards, and `{source_text(item.span)}` is {describe(of)}",
                    item.span,
                    help="for numbers write `x == 1 or x == 3`, or a range `x in 1..3`" if of == INT else None,
                )
        if of is not None:
            fitting.check(unit, typed, of, item.span, "in this set")
        items.append(typed)
    assert of is not None
    type_ = SetType(of)
    result: ir.Expr = ir.Const(0, type_)
    for typed in items:
        one = simplify.single(typed.expr, type_)
        empty = isinstance(result, ir.Const) and result.value == 0
        result = one if empty else simplify.binary("union", result, one, type_, unit.at(node.span))
    return Typed(result, type_)


@guided(syn.SetOperation)
def set_operation(unit: Unit, node: syn.SetOperation, wanted: Type | None) -> Typed:
    left = driver.lower(unit, node.left, wanted)
    right = driver.lower(unit, node.right, left.type)
    for typed, side in ((left, node.left), (right, node.right)):
        if not isinstance(typed.type, SetType):
            unit.refuse(
                "RR0403",
                f"`{node.op}` puts two sets together, and `{source_text(side.span)}` is {describe(typed.type)}",
                side.span,
                help=f"a set of one: `{{{source_text(side.span)}}}`",
            )
    if left.type != right.type:
        unit.refuse("RR0403", f"{describe(left.type)} and {describe(right.type)} have nothing in common", node.span)
    source = left.source if node.op != "union" or left.source == right.source else None
    return Typed(simplify.binary(node.op, left.expr, right.expr, left.type, unit.at(node.span)), left.type, source)


@expression(syn.In)
def contained(unit: Unit, node: syn.In) -> Typed:
    inside = _contained(unit, node)
    return Typed(simplify.negation(inside, unit.at(node.span)) if node.negated else inside, BOOL)


def _contained(unit: Unit, node: syn.In) -> ir.Expr:
    at = unit.at(node.span)
    domain = node.domain
    if isinstance(domain, syn.Range):
        item = driver.expect(unit, node.item, INT, "before `in`")
        low = driver.expect(unit, domain.low, INT, "as the lower end")
        high = driver.expect(unit, domain.high, INT, "as the upper end")
        return simplify.both(simplify.binary("<=", low, item, BOOL, at), simplify.binary("<=", item, high, BOOL, at))
    if isinstance(domain, syn.SetOf) and domain.items and _is_number(unit, domain.items[0]):
        item = driver.expect(unit, node.item, INT, "before `in`")
        result: ir.Expr = simplify.FALSE
        for each in domain.items:
            one = driver.expect(unit, each, INT, "in this set of numbers")
            result = simplify.either(result, simplify.binary("==", item, one, BOOL, at))
        return result
    source = sources.named(unit, domain)
    if source is not None:
        card = driver.expect(unit, node.item, CARD, "before `in`")
        return sources.holds(unit, source, card, at)
    if fitting.leaves_type_open(unit, node.item) and not isinstance(domain, syn.SetOf):
        of = driver.lower(unit, domain)
        members = _members(unit, of, domain)
        typed = driver.lower(unit, node.item, members)
    else:
        typed = driver.lower(unit, node.item)
        of = driver.lower(unit, domain, SetType(bare(typed.type)))
        members = _members(unit, of, domain)
    if not accepts(optional(members), typed.type):
        unit.refuse("RR0411", f"{describe(typed.type)} is never in {describe(of.type)}", node.span)
    fitting.check(unit, typed, members, node.item.span, "before `in`")
    return simplify.contains(typed.expr, of.expr)


def _members(unit: Unit, of: Typed, node: syn.Expr) -> Type:
    """The type of the elements of what stands after `in`."""
    if isinstance(of.type, SetType):
        return of.type.of
    return unit.refuse(
        "RR0403",
        f"a zone, a set or a range is wanted after `in`, and `{source_text(node.span)}` is {describe(of.type)}",
        node.span,
    )


def _is_number(unit: Unit, node: syn.Expr) -> bool:
    return isinstance(node, syn.Int | syn.Arithmetic | syn.Negate) or (
        isinstance(node, syn.Name)
        and (binding := unit.scope.find(node.text)) is not None
        and isinstance(binding.type, IntType)
    )
