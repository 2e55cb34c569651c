"""``A if C else B``: what the condition says holds in each of the two ways."""

from __future__ import annotations

from rulerun.check.rule_text import driver, narrowing, simplify
from rulerun.check.rule_text.driver import guided
from rulerun.check.rule_text.typed import Typed, accepts, describe, join
from rulerun.check.rule_text.units import Unit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir.types import OptionalType, Type
from rulerun.syntax import nodes as syn


@guided(syn.Conditional)
def conditional(unit: Unit, node: syn.Conditional, wanted: Type | None) -> Typed:
    test = driver.condition(unit, node.condition)
    yes, no = narrowing.by(node.condition)
    hint = wanted
    with unit.narrowed(yes):
        then = driver.lower(unit, node.then, wanted)
    if hint is None and not then.nothing:
        hint = then.type
    with unit.narrowed(no):
        otherwise = driver.lower(unit, node.otherwise, hint)
    if wanted is None and then.nothing and not otherwise.nothing:
        then = driver.lower(unit, node.then, otherwise.type)
    type_ = wanted if wanted is not None and all(_fits(t, wanted) for t in (then, otherwise)) else join(then, otherwise)
    if type_ is None:
        if then.nothing and otherwise.nothing:
            return then
        unit.refuse(
            "RR0403",
            f"the two ways differ: `{source_text(node.then.span)}` is {_shown(then)}, "
            f"`{source_text(node.otherwise.span)}` is {_shown(otherwise)}",
            node.span,
        )
    source = then.source if then.source == otherwise.source else None
    return Typed(simplify.conditional(test, then.expr, otherwise.expr, type_), type_, source)


def _fits(typed: Typed, wanted: Type) -> bool:
    return isinstance(wanted, OptionalType) if typed.nothing else accepts(wanted, typed.type)


def _shown(typed: Typed) -> str:
    return "none" if typed.nothing else describe(typed.type)
