"""The cards that a statement is about.

Here cards of shuffled zones get their identities: every statement that needs to know which cards it touches draws them
first, so that the operations of the IR never meet an undrawn card but where they say so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from rulerun.check.rule_text import drawing, driver, fitting, simplify, sources
from rulerun.check.rule_text.drawing import Top
from rulerun.check.rule_text.typed import Typed, ZoneUse, bare, describe
from rulerun.check.rule_text.units import ProcedureUnit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.types import BOOL, CARD, CARDS, INT
from rulerun.syntax import nodes as syn


@dataclass(frozen=True, slots=True)
class Zones:
    """All cards of these zones."""

    zones: Sequence[ZoneUse]


@dataclass(frozen=True, slots=True)
class OneCard:
    typed: Typed
    drawn: ir.Place | None
    """The frame place that it was drawn into, to be cleared in the end."""
    lies_at: ZoneUse | None = None
    """The place of a board, where the card was named by that."""


@dataclass(frozen=True, slots=True)
class CardSet:
    typed: Typed


Operand = Zones | Top | OneCard | CardSet


def operand(unit: ProcedureUnit, node: syn.Expr, what: str) -> Operand:
    """What a statement is about; ``what`` says in a message for what it is wanted."""
    source = sources.named(unit, node)
    if isinstance(source, sources.BoardPlace):
        use = source.use
        return OneCard(Typed(ir.ZoneEnd(use.ref, ir.End.HEAD, unit.at(node.span)), CARD, use), None, use)
    if source is not None:
        return Zones(sources.zones_of(unit, source))
    if isinstance(node, syn.End) and node.count is not None:
        return drawing.top(unit, node)
    drawn = drawing.draw_operand(unit, node)
    if drawn is not None:
        fitting.check(unit, drawn.typed, CARD, node.span, what)
        return OneCard(drawn.typed, drawn.place)
    _refuse_misspelt(unit, node, what)
    typed = driver.lower(unit, node, CARD)
    if typed.type == CARDS:
        return CardSet(typed)
    if bare(typed.type) != CARD or typed.nothing:
        unit.refuse(
            "RR0403",
            f"a card, a set of cards or a zone is wanted {what}, and `{source_text(node.span)}` is "
            f"{'none' if typed.nothing else describe(typed.type)}",
            node.span,
        )
    fitting.check(unit, typed, CARD, node.span, what)
    return OneCard(typed, None)


def _refuse_misspelt(unit: ProcedureUnit, node: syn.Expr, what: str) -> None:
    """``move all of hnad[me]``: where only cards can stand, an unknown name with an index is a misspelt zone."""
    inner = node.zone if isinstance(node, syn.AllOf) else node
    base = inner.of if isinstance(inner, syn.Index) else inner
    if (
        isinstance(base, syn.Name)
        and unit.scope.find(base.text) is None
        and base.text not in unit.symbols.names
        and (inner is not base or node is not inner)
    ):
        sources.one(unit, inner, what)


# ------------------------------------------------------------------------- as sets


def card_sets(unit: ProcedureUnit, node: syn.Expr, what: str, at: int) -> Iterator[tuple[ir.Expr, ir.Place | None]]:
    """The cards that a statement is about, drawn, as sets one after the other; and what is to be cleared when that is
    done."""
    cards = operand(unit, node, what)
    match cards:
        case Zones(zones):
            for use in zones:
                drawing.draw_all(unit, use, at)
                yield ir.ZoneCards(use.ref), None
        case Top():
            gathered = drawing.gather(unit, cards, at)
            yield ir.Load(gathered), gathered
        case OneCard(typed, drawn):
            yield simplify.single(typed.expr, CARDS), drawn
        case CardSet(typed):
            yield typed.expr, None
        case _:
            assert_never(cards)


# ---------------------------------------------------------------------- one by one

Mover = Callable[[ir.Expr], None]
"""Writes where one card goes."""


def take(unit: ProcedureUnit, top: Top, put: Mover, at: int) -> None:
    """Up to `top.count` cards go one by one to where `put` says; falls short silently."""
    flow, count = unit.flow, top.count
    if isinstance(count, ir.Const) and count.value <= 1:
        drawn = None
        done = flow.new()
        if count.value == 1:
            drawn = _take_one(unit, top, put, done, at)
        flow.jump(done)
        flow.start(done)
        unit.clear(drawn)
        return
    counter = unit.temporary(INT, at)
    flow.op(ir.Store(counter, count, at))
    left = ir.Binary(">", ir.Load(counter), simplify.number(0), BOOL, at)
    fewer = ir.Store(counter, ir.Binary("-", ir.Load(counter), simplify.number(1), INT, at), at)
    with flow.while_(left, fewer) as loop:
        drawn = _take_one(unit, top, put, loop.done, at)
    unit.clear(counter)
    unit.clear(drawn)


def _take_one(unit: ProcedureUnit, top: Top, put: Mover, empty: int, at: int) -> ir.Place | None:
    """One card; the block `empty` where there is none. The frame place that held it, if any."""
    use = top.use
    if sources.is_undrawn(unit, use):
        place = unit.temporary(CARD, at)
        drawing.draw(unit, use, top.end, place, empty, at)
        put(ir.Load(place))
        return place
    drawing.refill(unit, use, at)
    some = unit.flow.new()
    unit.flow.branch(ir.Binary(">", ir.ZoneCount(use.ref), simplify.number(0), BOOL, at), some, empty)
    unit.flow.start(some)
    put(ir.ZoneEnd(use.ref, top.end, at))
    return None
