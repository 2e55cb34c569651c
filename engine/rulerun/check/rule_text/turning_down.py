"""Cards that lie face up no more, because they are moved or their zone loses its order: a pass over finished blocks.

It puts what sees to that around the operations, so that nothing else that moves cards needs to know of it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from rulerun.check.declarations.symbols import Symbols
from rulerun.check.rule_text import simplify
from rulerun.ir import nodes as ir
from rulerun.ir.program import words_of
from rulerun.ir.types import BOOL, CARDS


def turn_down(blocks: tuple[ir.Block, ...], symbols: Symbols, turned: frozenset[int]) -> tuple[ir.Block, ...]:
    """The blocks of a program, with cards turned down that are moved or lose their order. ``turned``: zones in which
    any can lie face up."""
    if symbols.face_up < 0:
        return blocks
    words = words_of(CARDS, symbols.players, symbols.card_count)
    keeper = _Keeper(symbols.face_up, words, turned)
    return tuple(replace(block, ops=tuple(part for op in block.ops for part in keeper.around(op))) for block in blocks)


class _Keeper:
    """Turns cards down that lie face up no more. Nothing is turned where nothing is moved, of which all are told."""

    def __init__(self, face_up: int, words: int, turned: frozenset[int]) -> None:
        self.face_up = face_up
        self.words = words
        self.turned = turned

    def around(self, op: ir.Op) -> tuple[ir.Op, ...]:
        """An operation with those before and after it."""
        match op:
            case ir.MoveCard(card, to, spot, at):
                return (*self.down([self.one(card), self.hidden_among(to, spot)], at), op)
            case ir.MoveCards(cards, to, spot, at):
                return (*self.down([cards, self.hidden_among(to, spot)], at), op)
            case ir.MoveAll(source, to, spot, at):
                same = _same(source, to)
                return (*self.down([self.all_in(source), self.hidden_among(to, spot)], at, unless=same), op)
            case ir.CollectAll():
                return ir.Clear(self.face_up, self.words), op
            case ir.Collect(source, to, at):
                return (*self.down([self.all_in(source), self.all_in(to)], at), op)
            case ir.Shuffle(zone, at) | ir.TurnOver(zone, at):
                return (*self.down([self.all_in(zone)], at), op)
            case ir.Refill(zone, source, _, _, at):
                if source.family not in self.turned:
                    return (op,)
                before = ir.Place(self.face_up + self.words, (), CARDS, at)
                came = ir.Binary("without", ir.ZoneCards(zone), ir.Load(before), CARDS, at)
                keep = ir.Store(before, ir.ZoneCards(zone), at)
                return keep, op, *self.down([came], at), ir.Clear(before.offset, self.words)
            case ir.SwapCards(left, right, at):
                same_card = ir.Binary("==", left, right, BOOL, at)
                return (*self.down([self.one(left), self.one(right)], at, unless=same_card), op)
            case ir.SwapZones() | ir.Flip() | ir.Reveal() | ir.Inform():  # who lies open comes along, or is set there
                return (op,)
            case ir.Store() | ir.Snapshot() | ir.SetLocal() | ir.Clear() | ir.Announce() | ir.Tell():
                return (op,)
            case ir.Leave() | ir.Rejoin() | ir.Reverse():
                return (op,)
            case _:
                assert_never(op)

    def one(self, card: ir.Expr) -> ir.Expr | None:
        never = isinstance(card, ir.ZoneEnd) and card.zone.family not in self.turned
        return None if never else ir.Single(card, CARDS)

    def all_in(self, zone: ir.ZoneRef) -> ir.Expr | None:
        return ir.ZoneCards(zone) if zone.family in self.turned else None

    def hidden_among(self, to: ir.ZoneRef, spot: ir.Spot) -> ir.Expr | None:
        """The cards among which one comes to lie at a place not told to all: else where they lie would tell it."""
        return self.all_in(to) if isinstance(spot, ir.Depth) and spot.secret else None

    def down(self, sets: list[ir.Expr | None], at: int, unless: ir.Expr | None = None) -> tuple[ir.Op, ...]:
        """These cards lie face up no more."""
        place = ir.Place(self.face_up, (), CARDS, at)
        left: ir.Expr = ir.Load(place)
        for cards in sets:
            left = ir.Binary("without", left, cards, CARDS, at) if cards is not None else left
        if isinstance(left, ir.Load):
            return ()
        if unless is not None:
            left = ir.Conditional(unless, ir.Load(place), left, CARDS)
        return (ir.Store(place, left, at),)


def _same(left: ir.ZoneRef, right: ir.ZoneRef) -> ir.Expr | None:
    """Whether two references mean the same zone; None if they never do."""
    if left.family != right.family:
        return None
    result: ir.Expr = simplify.TRUE
    for one, other in zip(left.axes, right.axes, strict=True):
        result = simplify.both(result, simplify.binary("==", one.index, other.index, BOOL, left.at))
    return None if simplify.truth(result) is False else result
