"""The functions of the language: `count`, `next`, `previous`, `min`, `max`, `order`, `knows`; `team` and `partner` in
games that have teams; `place` in games that end for one player after the other.
"""

from __future__ import annotations

from rulerun.check.declarations.symbols import EnumSymbol, Symbols
from rulerun.check.declarations.teams import team_type
from rulerun.check.declarations.types import how_to_order
from rulerun.check.rule_text import driver, elements, finishing, fitting, simplify, sources, team_functions
from rulerun.check.rule_text.callables import built_in
from rulerun.check.rule_text.typed import Typed, bare, describe
from rulerun.check.rule_text.units import Unit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import BOOL, CARD, CARDS, INT, PLAYER, EnumType, PlayerType, SetType
from rulerun.syntax import nodes as syn

# -------------------------------------------------------------------------- numbers


@built_in("min", "two or more", least=2, most=99)
@built_in("max", "two or more", least=2, most=99)
def extreme(unit: Unit, node: syn.Call) -> Typed:
    name, at = node.name.text, unit.at(node.span)
    first, *others = node.arguments
    result = driver.expect(unit, first, INT, f"in `{name}`")
    for argument in others:
        other = driver.expect(unit, argument, INT, f"in `{name}`")
        result = simplify.binary(name, result, other, INT, at)
    return Typed(result, INT)


@built_in("order", "one")
def order(unit: Unit, node: syn.Call) -> Typed:
    """The place of a value in the order of its type, from 0."""
    (argument,) = node.arguments
    typed = driver.lower(unit, argument)
    if not isinstance(typed.type, EnumType) or not typed.type.ordered:
        unit.refuse(
            "RR0411",
            f"`order` is for values of an ordered type, and `{source_text(argument.span)}` is {describe(typed.type)}",
            node.span,
            help=how_to_order(typed.type) if isinstance(typed.type, EnumType) else None,
        )
    if isinstance(typed.expr, ir.Const):
        return Typed(simplify.number(typed.expr.value), INT)
    return Typed(typed.expr, INT)


@built_in("count", "one or more", most=99)
def count(unit: Unit, node: syn.Call) -> Typed:
    return _count_of(unit, node) if len(node.arguments) == 1 else _how_many_hold(unit, node)


def _how_many_hold(unit: Unit, node: syn.Call) -> Typed:
    """``count(a, b, …)``: how many of several conditions are true."""
    at = unit.at(node.span)
    result: ir.Expr = simplify.number(0)
    for argument in node.arguments:
        typed = driver.lower(unit, argument, BOOL)
        if typed.type != BOOL:
            text = source_text(argument.span)
            help_ = None
            if isinstance(typed.type, SetType):
                help_ = " + ".join(f"count({source_text(a.span)})" for a in node.arguments)
                help_ = f"each counted by itself: `{help_}`"
            unit.refuse(
                "RR0403",
                f"`count` of several things counts which conditions hold, and `{text}` is {describe(typed.type)}",
                argument.span,
                help=help_,
            )
        one = simplify.conditional(typed.expr, simplify.number(1), simplify.number(0), INT)
        empty = isinstance(result, ir.Const) and result.value == 0
        result = one if empty else simplify.binary("+", result, one, INT, at)
    return Typed(result, INT)


def _count_of(unit: Unit, node: syn.Call) -> Typed:
    """``count(Z)``, of a set, of all instances of a zone, of a type."""
    argument = node.arguments[0]
    source = sources.named(unit, argument)
    if source is not None:
        return Typed(sources.count_of(unit, source, unit.at(node.span)), INT)
    enum = _enum_named(unit, argument)
    if enum is not None:
        return Typed(simplify.number(len(enum.values)), INT)
    if isinstance(argument, syn.Generator) and elements.is_filter(argument):
        domain = driver.domain_of(unit, argument)
        local = unit.local(domain.element)
        return Typed(ir.Fold(ir.FoldKind.COUNT, local, domain.domain, None, None, None, INT, unit.at(node.span)), INT)
    elements.refuse_unknown(unit, argument)
    by_elements = isinstance(argument, syn.SetOf | syn.SetOperation)
    typed = driver.lower(unit, argument, None if by_elements else CARDS)
    if not isinstance(typed.type, SetType):
        unit.refuse(
            "RR0403",
            f"`count` counts a zone or a set, and `{source_text(argument.span)}` is {describe(typed.type)}",
            argument.span,
            help=f"as a number: `1 if {source_text(argument.span)} else 0`" if typed.type == BOOL else None,
        )
    return Typed(simplify.size(typed.expr), INT)


def _enum_named(unit: Unit, node: syn.Expr) -> EnumType | None:
    """The enum that a node names as a whole, if it does."""
    if isinstance(node, syn.Name) and unit.scope.find(node.text) is None:
        symbol = unit.symbols.names.get(node.text)
        if isinstance(symbol, EnumSymbol):
            return symbol.type
    return None


# -------------------------------------------------------------------------- players


@built_in("knows", "two", least=2, most=2)
def knows(unit: Unit, node: syn.Call) -> Typed:
    """Whether a player knows the face of a card."""
    player = driver.expect(unit, node.arguments[0], PLAYER, "in `knows`")
    card = driver.expect(unit, node.arguments[1], CARD, "in `knows`")
    unit.compilation.uses_knowledge = True
    return Typed(ir.Knows(player, card), BOOL)


@built_in("next", "one")
def following(unit: Unit, node: syn.Call) -> Typed:
    return _neighbour(unit, node, 1)


@built_in("previous", "one")
def previous(unit: Unit, node: syn.Call) -> Typed:
    return _neighbour(unit, node, -1)


def _neighbour(unit: Unit, node: syn.Call, step: int) -> Typed:
    """``next(x)``, ``previous(x)``: of a player, or of a value in the order of its type, the first after the last."""
    at, argument, what = unit.at(node.span), node.arguments[0], f"in `{node.name.text}`"
    typed = driver.lower(unit, argument)
    if isinstance(typed.type, EnumType):
        count = len(typed.type.values)
        moved = simplify.binary("+", typed.expr, simplify.number(step % count), INT, at)
        return Typed(simplify.binary("%", moved, simplify.number(count), typed.type, at), typed.type)
    if typed.nothing or isinstance(bare(typed.type), PlayerType):
        fitting.check(unit, typed, PLAYER, argument.span, what)
        return Typed(ir.Neighbour(typed.expr, step, at), PLAYER)
    if isinstance(bare(typed.type), EnumType):
        fitting.check(unit, typed, bare(typed.type), argument.span, what)
    text = source_text(argument.span)
    return unit.refuse(
        "RR0403",
        f"`{text}` is {describe(typed.type)}, and a player or a value of a type is wanted {what}",
        argument.span,
        help=f"write `{text} {'+' if step > 0 else '-'} 1`" if typed.type == INT else None,
    )


def _has_teams(symbols: Symbols) -> bool:
    return symbols.teams > 0


@built_in("team", "one player", exists=_has_teams)
def team(unit: Unit, node: syn.Call) -> Typed:
    player = driver.expect(unit, node.arguments[0], PLAYER, "in `team`")
    return Typed(team_functions.team_of(player, unit.symbols, unit.at(node.span)), team_type(unit.symbols.teams))


@built_in("partner", "one player", exists=_has_teams)
def partner(unit: Unit, node: syn.Call) -> Typed:
    symbols, at = unit.symbols, unit.at(node.span)
    player = driver.expect(unit, node.arguments[0], PLAYER, "in `partner`")
    if symbols.players != 2 * symbols.teams:
        size = symbols.players // symbols.teams
        unit.refuse(
            "RR0406",
            f"a player has one partner in a team of two, and here {'nobody plays' if size == 1 else f'{size} play'} "
            "together",
            node.span,
            help="the others of a team: `(q for q in players where team(q) == team(p) and q != p)`",
        )
    across = simplify.binary("+", player, simplify.number(symbols.teams), INT, at)
    return Typed(simplify.binary("%", across, simplify.number(symbols.players), PLAYER, at), PLAYER)


@built_in(finishing.NAME, "one player", exists=lambda symbols: symbols.places >= 0)
def place(unit: Unit, node: syn.Call) -> Typed:
    """As which a player was done."""
    player = driver.expect(unit, node.arguments[0], PLAYER, f"in `{finishing.NAME}`")
    return Typed(ir.CallFunction(unit.compilation.functions[finishing.NAME].index, (player,), INT), INT)
