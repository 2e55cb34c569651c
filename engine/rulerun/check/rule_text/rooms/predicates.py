"""``x is a player``, `is none`, `is empty`, `is out`, `is face up`."""

from __future__ import annotations

from rulerun.check.rule_text import driver, facing, narrowing, simplify, sources
from rulerun.check.rule_text.driver import expression
from rulerun.check.rule_text.narrowing import Fact
from rulerun.check.rule_text.typed import Typed, bare, describe
from rulerun.check.rule_text.units import Unit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import (
    BOOL,
    CARD,
    CARDS,
    NONE,
    PLAYER,
    CardType,
    EnumType,
    OptionalType,
    PlayerType,
    SetType,
    Type,
)
from rulerun.syntax import nodes as syn


@expression(syn.Is)
def predicate(unit: Unit, node: syn.Is) -> Typed:
    at = unit.at(node.span)
    match node.predicate:
        case "out":
            player = driver.expect(unit, node.operand, PLAYER, "before `is out`")
            result = simplify.negation(simplify.contains(player, ir.PlayersIn()), at)
        case "empty":
            result = _is_empty(unit, node)
        case "face up" | "face down":
            result = _lies(unit, node)
        case _:  # none, some, a player, a card
            result = _is_some(unit, node)
            if node.predicate == "none":
                result = simplify.negation(result, at)
    return Typed(simplify.negation(result, at) if node.negated else result, BOOL)


def _is_empty(unit: Unit, node: syn.Is) -> ir.Expr:
    at = unit.at(node.span)
    source = sources.named(unit, node.operand)
    if source is not None:
        return sources.is_empty(unit, source, at)
    by_elements = isinstance(node.operand, syn.SetOf | syn.SetOperation)
    typed = driver.lower(unit, node.operand, None if by_elements else CARDS)
    if not isinstance(typed.type, SetType):
        unit.refuse(
            "RR0403",
            f"a zone or a set can be empty, and `{source_text(node.operand.span)}` is {describe(typed.type)}",
            node.operand.span,
        )
    return simplify.binary("==", simplify.size(typed.expr), simplify.number(0), BOOL, at)


def _is_some(unit: Unit, node: syn.Is) -> ir.Expr:
    """Whether the operand is not none (and of the kind that is named)."""
    with unit.narrowed(narrowing.NOTHING):
        unit.facts -= {Fact(node.operand.text)} if isinstance(node.operand, syn.Name) else narrowing.NOTHING
        typed = driver.lower(unit, node.operand)
    kinds: dict[str, Type] = {"a player": PLAYER, "a card": CARD}
    kind = kinds.get(node.predicate)
    if kind is not None and not typed.nothing and bare(typed.type) != kind:
        unit.refuse(
            "RR0403",
            f"`{source_text(node.operand.span)}` is {describe(typed.type)}: it is never {node.predicate}",
            node.span,
        )
    if not isinstance(typed.type, OptionalType):
        if isinstance(typed.type, PlayerType | CardType | EnumType):
            unit.refuse(
                "RR0411",
                f"`{source_text(node.operand.span)}` is {describe(typed.type)} and never none",
                node.span,
                help="only what is declared `… or none` can be none",
            )
        unit.refuse("RR0403", f"{describe(typed.type)} is never none", node.span)
    return simplify.binary("!=", typed.expr, ir.Const(NONE, typed.type), BOOL, unit.at(node.span))


def _lies(unit: Unit, node: syn.Is) -> ir.Expr:
    """``c is face up``, ``c is face down``: all see how a card lies, whoever sees its face."""
    symbols, at = unit.symbols, unit.at(node.span)
    zone = facing.zone_named(symbols, node.operand)
    if zone is not None and not zone.kind.ordered:
        unit.refuse(
            "RR0519",
            f"the cards of `{zone.name}`, a hand, lie neither face up nor face down",
            node.span,
            help="a `row` or a `pile` holds cards that lie either way",
        )
    card = driver.expect(unit, node.operand, CARD, f"before `is {node.predicate}`")
    result: ir.Expr = ir.Contains(card, ir.Load(facing.face_up(symbols, at)))
    for ref in facing.open_zones(unit, node.operand, zone):
        result = ir.Or(result, ir.InZone(card, ref))
    return result if node.predicate == narrowing.UP else simplify.negation(result, at)
