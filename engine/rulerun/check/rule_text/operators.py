"""Operators of expressions: arithmetic, comparison, logic, membership, predicates, sets; and what a condition lets us
know about names that may be none.
"""

from __future__ import annotations

from rulerun.check.declarations.symbols import EnumSymbol
from rulerun.check.declarations.types import how_to_order
from rulerun.check.rule_text import expressions, facing, simplify, zone_uses
from rulerun.check.rule_text.typed import Typed, accepts, bare, describe, is_ordered, optional
from rulerun.check.rule_text.unit import Unit, source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import (
    BOOL,
    CARD,
    CARDS,
    INT,
    NONE,
    PLAYER,
    CardType,
    EnumType,
    IntType,
    OptionalType,
    PlayerType,
    SetType,
    Type,
)
from rulerun.syntax import nodes as syn

Facts = frozenset[str]
NOTHING: Facts = frozenset()


def facts(unit: Unit, node: syn.Expr) -> tuple[Facts, Facts]:
    """Names that are surely not none where the condition holds, and where it fails; and cards that a player knows."""
    match node:
        case syn.Is(operand, predicate, negated) if isinstance(operand, syn.Name):
            here = frozenset({operand.text})
            if predicate in ("a player", "a card", "some"):
                return (NOTHING, here) if negated else (here, NOTHING)
            if predicate == "none":
                return (here, NOTHING) if negated else (NOTHING, here)
            if predicate in (facing.UP, facing.DOWN):
                here = frozenset({f"open {operand.text}", f"knows {operand.text}"})
                return (here, NOTHING) if negated is (predicate == facing.DOWN) else (NOTHING, here)
            return NOTHING, NOTHING
        case syn.Compare(op, left, right) if op in ("==", "!="):
            for one, other in ((left, right), (right, left)):
                if isinstance(one, syn.Name) and isinstance(other, syn.NoneValue):
                    here = frozenset({one.text})
                    return (NOTHING, here) if op == "==" else (here, NOTHING)
            return NOTHING, NOTHING
        case syn.Call(name, arguments) if name.text == "knows" and len(arguments) == 2:
            card = arguments[1]
            return (frozenset({f"knows {card.text}"}) if isinstance(card, syn.Name) else NOTHING), NOTHING
        case syn.Not(operand):
            yes, no = facts(unit, operand)
            return no, yes
        case syn.And(left, right):
            first, second = facts(unit, left), facts(unit, right)
            return first[0] | second[0], first[1] & second[1]
        case syn.Or(left, right):
            first, second = facts(unit, left), facts(unit, right)
            return first[0] & second[0], first[1] | second[1]
        case _:
            return NOTHING, NOTHING


def logic(unit: Unit, node: syn.And | syn.Or) -> Typed:
    left = expressions.condition(unit, node.left)
    yes, no = facts(unit, node.left)
    with unit.knowing(yes if isinstance(node, syn.And) else no):
        right = expressions.condition(unit, node.right)
    return Typed(simplify.both(left, right) if isinstance(node, syn.And) else simplify.either(left, right), BOOL)


def arithmetic(unit: Unit, node: syn.Arithmetic) -> Typed:
    left = expressions.lower(unit, node.left, INT)
    right = expressions.lower(unit, node.right, INT)
    if isinstance(left.type, SetType) and isinstance(right.type, SetType) and node.op in "+-":
        word = "union" if node.op == "+" else "without"
        unit.checker.refuse(
            "RR0403", f"`{node.op}` is for numbers", node.span, help=f"sets are put together with `{word}`"
        )
    expressions.check(unit, left, INT, node.left.span, f"before `{node.op}`")
    expressions.check(unit, right, INT, node.right.span, f"after `{node.op}`")
    if node.op in ("//", "%") and isinstance(right.expr, ir.Const) and right.expr.value == 0:
        unit.checker.refuse("RR0412", "division by zero", node.span)
    result = simplify.binary(node.op, left.expr, right.expr, INT, unit.at(node.span))
    return Typed(result, INT, secret=left.secret or right.secret)


# ------------------------------------------------------------------ comparison


def _is_value_word(unit: Unit, node: syn.Expr) -> bool:
    """Whether a node looks like the name of an enum value, or of none: then the other side says the type."""
    if isinstance(node, syn.NoneValue) or (isinstance(node, syn.SetOf) and not node.items):
        return True
    return (
        isinstance(node, syn.Name)
        and unit.scope.find(node.text) is None
        and (node.text in unit.checker.symbols.enum_values or node.text not in unit.checker.symbols.names)
    )


def pair(unit: Unit, first: syn.Expr, second: syn.Expr) -> tuple[Typed, Typed]:
    """Two expressions that should have one type: the one that says more is read first."""
    if _is_value_word(unit, first) and not _is_value_word(unit, second):
        right = expressions.lower(unit, second)
        return expressions.lower(unit, first, right.type), right
    left = expressions.lower(unit, first)
    return left, expressions.lower(unit, second, None if left.nothing else left.type)


def compare(unit: Unit, node: syn.Compare) -> Typed:
    left, right = pair(unit, node.left, node.right)
    at = unit.at(node.span)
    if node.op in ("==", "!="):
        _check_equal(unit, node, left, right)
    else:
        _check_ordered(unit, node, left, right)
    return Typed(simplify.binary(node.op, left.expr, right.expr, BOOL, at), BOOL)


def _check_equal(unit: Unit, node: syn.Compare, left: Typed, right: Typed) -> None:
    for none, other, span in ((left, right, node.right.span), (right, left, node.left.span)):
        if _is_none(none) and not _is_none(other) and not isinstance(other.type, OptionalType):
            unit.checker.refuse(
                "RR0411",
                f"`{source_text(span)}` is {describe(other.type)} and never none",
                node.span,
                help="only what is declared `… or none` can be none",
            )
    if left.nothing or right.nothing or bare(left.type) == bare(right.type):
        return
    help_ = None
    if {left.type, right.type} == {CARD, CARDS}:
        help_ = "is the card among them? use `in`"
    for one, other, text in ((left, right, node.left), (right, left, node.right)):
        if bare(one.type) == CARD and isinstance(other.type, EnumType):
            near = [f.name for f in unit.checker.symbols.fields.values() if f.value == other.type]
            if near:
                help_ = f"compare a field of the card: `{source_text(text.span)}.{near[0]}`"
    unit.checker.refuse(
        "RR0411",
        f"{describe(left.type)} is never equal to {describe(right.type)}",
        node.span,
        help=help_,
    )


def _is_none(typed: Typed) -> bool:
    return typed.nothing or (isinstance(typed.expr, ir.Const) and typed.expr.value == NONE and typed.type != INT)


def _check_ordered(unit: Unit, node: syn.Compare, left: Typed, right: Typed) -> None:
    for typed, side in ((left, node.left), (right, node.right)):
        if isinstance(typed.type, EnumType) and not typed.type.ordered:
            unit.checker.refuse(
                "RR0411",
                f"the values of `{typed.type.name}` have no order, so `{node.op}` means nothing for them",
                node.span,
                help=how_to_order(typed.type),
            )
        if isinstance(typed.type, OptionalType) and is_ordered(typed.type.inner):
            expressions.check(unit, typed, typed.type.inner, side.span, f"beside `{node.op}`")
        if typed.type == CARDS:
            text = source_text(side.span)
            unit.checker.refuse(
                "RR0411",
                f"`{node.op}` compares numbers, and `{text}` is a set of cards",
                side.span,
                help=f"`count({text})`",
            )
        if not is_ordered(typed.type):
            unit.checker.refuse(
                "RR0411",
                f"`{node.op}` compares numbers, and `{source_text(side.span)}` is {describe(typed.type)}",
                side.span,
            )
    if left.type != right.type:
        unit.checker.refuse(
            "RR0411", f"{describe(left.type)} cannot be compared with {describe(right.type)}", node.span
        )


# ------------------------------------------------------------------------- sets


def set_of(unit: Unit, node: syn.SetOf, wanted: Type | None) -> Typed:
    of: Type | None = wanted.of if isinstance(wanted, SetType) else None
    if not node.items:
        if of is None:
            unit.checker.refuse("RR0408", "an empty set of what? nothing here says it", node.span)
        return Typed(ir.Const(0, SetType(of)), SetType(of))
    items: list[Typed] = []
    for item in node.items:
        typed = expressions.lower(unit, item, of)
        if of is None and not typed.nothing:
            of = bare(typed.type)
            if not isinstance(of, EnumType | PlayerType | CardType):
                unit.checker.refuse(
                    "RR0403",
                    f"a set holds values of a type, players or cards, and `{source_text(item.span)}` is {describe(of)}",
                    item.span,
                    help="for numbers write `x == 1 or x == 3`, or a range `x in 1..3`" if of == INT else None,
                )
        if of is not None:
            expressions.check(unit, typed, of, item.span, "in this set")
        items.append(typed)
    assert of is not None
    type_ = SetType(of)
    result: ir.Expr = ir.Const(0, type_)
    for typed in items:
        one = simplify.single(typed.expr, type_)
        empty = isinstance(result, ir.Const) and result.value == 0
        result = one if empty else simplify.binary("union", result, one, type_, unit.at(node.span))
    return Typed(result, type_)


def set_operation(unit: Unit, node: syn.SetOperation, wanted: Type | None) -> Typed:
    left = expressions.lower(unit, node.left, wanted)
    right = expressions.lower(unit, node.right, left.type)
    for typed, side in ((left, node.left), (right, node.right)):
        if not isinstance(typed.type, SetType):
            unit.checker.refuse(
                "RR0403",
                f"`{node.op}` puts two sets together, and `{source_text(side.span)}` is {describe(typed.type)}",
                side.span,
                help=f"a set of one: `{{{source_text(side.span)}}}`",
            )
    if left.type != right.type:
        unit.checker.refuse(
            "RR0403", f"{describe(left.type)} and {describe(right.type)} have nothing in common", node.span
        )
    source = left.source if node.op != "union" or left.source == right.source else None
    return Typed(simplify.binary(node.op, left.expr, right.expr, left.type, unit.at(node.span)), left.type, source)


def contained(unit: Unit, node: syn.In) -> Typed:
    inside = _contained(unit, node)
    return Typed(simplify.negation(inside, unit.at(node.span)) if node.negated else inside, BOOL)


def _contained(unit: Unit, node: syn.In) -> ir.Expr:
    at = unit.at(node.span)
    domain = node.domain
    if isinstance(domain, syn.Range):
        item = expressions.expect(unit, node.item, INT, "before `in`")
        low = expressions.expect(unit, domain.low, INT, "as the lower end")
        high = expressions.expect(unit, domain.high, INT, "as the upper end")
        return simplify.both(simplify.binary("<=", low, item, BOOL, at), simplify.binary("<=", item, high, BOOL, at))
    if isinstance(domain, syn.SetOf) and domain.items and _is_number(unit, domain.items[0]):
        item = expressions.expect(unit, node.item, INT, "before `in`")
        result: ir.Expr = simplify.FALSE
        for each in domain.items:
            one = expressions.expect(unit, each, INT, "in this set of numbers")
            result = simplify.either(result, simplify.binary("==", item, one, BOOL, at))
        return result
    whole = zone_uses.boards(unit, domain)
    if whole is not None:
        card = expressions.expect(unit, node.item, CARD, "before `in`")
        return simplify.contains(card, zone_uses.board_cards(unit, *whole, at).expr)
    zones = zone_uses.several(unit, domain)
    if zones is not None:
        card = expressions.expect(unit, node.item, CARD, "before `in`")
        result = simplify.FALSE
        for use in zones:
            result = simplify.either(result, ir.InZone(card, use.ref))
        return result
    if _is_value_word(unit, node.item) and not isinstance(domain, syn.SetOf):
        of = expressions.lower(unit, domain)
        members = _members(unit, of, domain)
        typed = expressions.lower(unit, node.item, members)
    else:
        typed = expressions.lower(unit, node.item)
        of = expressions.lower(unit, domain, SetType(bare(typed.type)))
        members = _members(unit, of, domain)
    if not accepts(optional(members), typed.type):
        unit.checker.refuse("RR0411", f"{describe(typed.type)} is never in {describe(of.type)}", node.span)
    expressions.check(unit, typed, members, node.item.span, "before `in`")
    return simplify.contains(typed.expr, of.expr)


def _members(unit: Unit, of: Typed, node: syn.Expr) -> Type:
    """The type of the elements of what stands after `in`."""
    if isinstance(of.type, SetType):
        return of.type.of
    return unit.checker.refuse(
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


# ------------------------------------------------------------------- predicates


def predicate(unit: Unit, node: syn.Is) -> Typed:
    at = unit.at(node.span)
    match node.predicate:
        case "out":
            player = expressions.expect(unit, node.operand, PLAYER, "before `is out`")
            result = simplify.negation(simplify.contains(player, ir.PlayersIn()), at)
        case "empty":
            result = _is_empty(unit, node)
        case facing.UP | facing.DOWN:
            result = facing.asked(unit, node)
        case _:
            result = _is_some(unit, node)
            if node.predicate == "none":
                result = simplify.negation(result, at)
    return Typed(simplify.negation(result, at) if node.negated else result, BOOL)


def _is_empty(unit: Unit, node: syn.Is) -> ir.Expr:
    at = unit.at(node.span)
    whole = zone_uses.boards(unit, node.operand)
    if whole is not None:
        use, places = whole
        return simplify.negation(
            ir.Fold(ir.FoldKind.SOME, unit.local(CARD), ir.BoardDomain(use.ref, places), None, None, None, BOOL, at), at
        )
    zones = zone_uses.several(unit, node.operand)
    if zones is not None:
        result: ir.Expr = simplify.TRUE
        for use in zones:
            result = simplify.both(result, ir.Binary("==", ir.ZoneCount(use.ref), simplify.number(0), BOOL, at))
        return result
    by_elements = isinstance(node.operand, syn.SetOf | syn.SetOperation)
    typed = expressions.lower(unit, node.operand, None if by_elements else CARDS)
    if not isinstance(typed.type, SetType):
        unit.checker.refuse(
            "RR0403",
            f"a zone or a set can be empty, and `{source_text(node.operand.span)}` is {describe(typed.type)}",
            node.operand.span,
        )
    return simplify.binary("==", simplify.size(typed.expr), simplify.number(0), BOOL, at)


def _is_some(unit: Unit, node: syn.Is) -> ir.Expr:
    """Whether the operand is not none (and of the kind that is named)."""
    with unit.knowing(NOTHING):
        unit.facts -= {node.operand.text} if isinstance(node.operand, syn.Name) else NOTHING
        typed = expressions.lower(unit, node.operand)
    kinds: dict[str, Type] = {"a player": PLAYER, "a card": CARD}
    kind = kinds.get(node.predicate)
    if kind is not None and not typed.nothing and bare(typed.type) != kind:
        unit.checker.refuse(
            "RR0403",
            f"`{source_text(node.operand.span)}` is {describe(typed.type)}: it is never {node.predicate}",
            node.span,
        )
    if not isinstance(typed.type, OptionalType):
        if isinstance(typed.type, PlayerType | CardType | EnumType):
            unit.checker.refuse(
                "RR0411",
                f"`{source_text(node.operand.span)}` is {describe(typed.type)} and never none",
                node.span,
                help="only what is declared `… or none` can be none",
            )
        unit.checker.refuse("RR0403", f"{describe(typed.type)} is never none", node.span)
    return simplify.binary("!=", typed.expr, ir.Const(NONE, typed.type), BOOL, unit.at(node.span))


def names_enum(unit: Unit, node: syn.Expr) -> EnumType | None:
    """The enum that a node names as a whole, if it does."""
    if isinstance(node, syn.Name) and unit.scope.find(node.text) is None:
        symbol = unit.checker.symbols.names.get(node.text)
        if isinstance(symbol, EnumSymbol):
            return symbol.type
    return None
