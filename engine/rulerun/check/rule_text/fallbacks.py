"""Fallbacks: ``where A if possible, else B if possible, else C`` of what is picked, a ladder of soft constraints.

Ladders become plain conditions here. An option passes a rung if the rung holds for it, and goes on to the next if it
holds for no option: ``A(x) or not some(A(y) for y in the same domain) and (…)``, over the state that the choice is
made in. What a rung says of all options alike is left out of the question whether some option satisfies it: where it
is asked, it does not hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulerun.check.rule_text import cost, driver, elements, simplify
from rulerun.check.rule_text.typed import DomainUse
from rulerun.check.rule_text.units import Unit
from rulerun.ir import nodes as ir
from rulerun.ir.traverse import walk
from rulerun.ir.types import BOOL
from rulerun.syntax import nodes as syn


@dataclass(frozen=True, slots=True)
class OfferedBinder:
    """What a binder runs over. ``drawn``: the domain, where it was drawn beforehand and must not be again.
    ``unsettled``: it offers places of a shuffled zone and no cards."""

    node: syn.Binder
    drawn: DomainUse | None
    unsettled: bool


def conditions(node: syn.Expr | syn.Ladder) -> tuple[syn.Expr, ...]:
    """The conditions of a `where`, in order."""
    if not isinstance(node, syn.Ladder):
        return (node,)
    return (*node.rungs, node.last) if node.last is not None else node.rungs


def possible(unit: Unit, node: syn.Ladder, offered: Sequence[OfferedBinder]) -> tuple[ir.Expr, ...]:
    """For each rung whether some option satisfies it. The names of the binders are free."""
    return tuple(_some(unit, rung, offered, frozenset()) for rung in node.rungs)


def _some(unit: Unit, rung: syn.Expr, offered: Sequence[OfferedBinder], own: frozenset[int]) -> ir.Expr:
    """Whether a rung holds for something that the binders from the first of `offered` on run over; `own` are the
    registers of those before."""
    first, rest = offered[0], offered[1:]
    binder = first.node
    domain = first.drawn or driver.domain_of(unit, binder.domain)
    with unit.block():
        local = elements.bind_element(unit, binder.name, domain, "choice", unsettled=first.unsettled)
        own |= {local}
        inner = _some(unit, rung, rest, own) if rest else _of_option(driver.condition(unit, rung), own)
    if simplify.truth(inner) is False:
        return simplify.FALSE
    at = unit.at(rung.span)
    fold = ir.Fold(ir.FoldKind.SOME, local, domain.domain, None, inner, None, BOOL, at)
    cost.check(unit, fold, syn.Clause(binder.name, binder.domain, None, binder.domain.span), domain)
    return fold


def _of_option(test: ir.Expr, own: frozenset[int]) -> ir.Expr:
    """A condition without those of its alternatives that read nothing of the option."""
    if isinstance(test, ir.Or):
        return simplify.either(_of_option(test.left, own), _of_option(test.right, own))
    return test if any(isinstance(n, ir.Local) and n.index in own for n in walk(test)) else simplify.FALSE


def joined(tests: Sequence[ir.Expr], some: Sequence[ir.Expr], at: int) -> ir.Expr:
    """The condition that a ladder comes to: `tests` are those of one option, `some` whether any satisfies each rung."""
    result = tests[-1] if len(tests) > len(some) else simplify.TRUE
    for test, any_ in zip(reversed(tests[: len(some)]), reversed(some), strict=True):
        result = simplify.either(test, simplify.both(simplify.negation(any_, at), result))
    return result


def filtered(
    unit: Unit, inner: DomainUse, name: syn.Ident, where: syn.Expr | syn.Ladder | None, some: Sequence[ir.Expr]
) -> DomainUse:
    """The elements of `inner` that `where` lets through; `some` as `possible` gave it."""
    if not isinstance(where, syn.Ladder):
        return elements.filtered(unit, inner, name, where)
    with elements.each(unit, name, inner, None) as (local, _):
        tests = [driver.condition(unit, node) for node in conditions(where)]
    return elements.only(inner, local, joined(tests, some, unit.at(where.span)))
