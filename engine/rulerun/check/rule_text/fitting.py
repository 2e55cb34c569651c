"""Does a value fit where it stands: types checked against what is wanted, with the way out in the message.

It reads nothing itself; `driver.expect` asks it about what was read.
"""

from __future__ import annotations

from rulerun.check.rule_text.typed import Typed, accepts, bare, describe
from rulerun.check.rule_text.units import Unit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import BOOL, CARDS, INT, CardType, EnumType, OptionalType, PlayerType, SetType, Type
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn


def check(unit: Unit, typed: Typed, wanted: Type, span: Span, what: str | None = None) -> None:
    """Refuses a value that does not fit `wanted`."""
    if not typed.nothing and accepts(wanted, typed.type):
        return
    place = what or "here"
    text = source_text(span)
    if isinstance(typed.type, OptionalType) and not typed.nothing and typed.type.inner == wanted:
        kind = {PlayerType: "a player", CardType: "a card"}.get(type(wanted), "not none")
        unit.refuse(
            "RR0407",
            f"`{text}` may be none, and {describe(wanted)} is wanted {place}",
            span,
            help=f"ask first: `if {text} is {kind}:`",
        )
    if typed.nothing:
        if isinstance(wanted, OptionalType):
            return
        unit.refuse("RR0403", f"`none` cannot stand {place}: {describe(wanted)} is wanted", span)
    unit.refuse(
        "RR0403",
        f"`{text}` is {describe(typed.type)}, and {describe(wanted)} is wanted {place}",
        span,
        help=_conversion_help(typed, wanted, text),
    )


def _conversion_help(typed: Typed, wanted: Type, text: str) -> str | None:
    given = typed.type
    if isinstance(given, SetType) and wanted == INT:
        return f"how many there are: `count({text})`"
    if isinstance(given, SetType) and wanted == BOOL:
        return f"whether there are any: `{text} is not empty`"
    if given == CARDS and isinstance(bare(wanted), CardType) and isinstance(typed.expr, ir.ZoneCards):
        return f"one card of it: `top of {text}`"
    if given == BOOL and wanted == INT:
        return "1 where it holds: write `1 if … else 0`, or `count(A, B)` for how many conditions hold"
    if given == INT and wanted == BOOL:
        return f"compare it: `{text} > 0`" if " " not in text else "compare it with something"
    if isinstance(given, EnumType) and wanted == INT and given.ordered:
        return f"its place in the order: `order({text})`"
    if isinstance(given, OptionalType) and wanted == BOOL:
        return f"`{text} is not none`"
    return None


def leaves_type_open(unit: Unit, node: syn.Expr) -> bool:
    """Whether a node looks like the name of an enum value, or of none: then the other side says the type."""
    if isinstance(node, syn.NoneValue) or (isinstance(node, syn.SetOf) and not node.items):
        return True
    return (
        isinstance(node, syn.Name)
        and unit.scope.find(node.text) is None
        and (node.text in unit.symbols.enum_values or node.text not in unit.symbols.names)
    )
