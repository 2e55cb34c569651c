"""Which cards a text means: zones, boards and their places.

A zone is not a value: where a set of cards is wanted it stands for the cards in it. `named` says once what a node
names; whoever counts, tests, moves or runs over cards takes it from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import assert_never

from rulerun.check.declarations.symbols import ZoneSymbol
from rulerun.check.rule_text import driver, indexing, simplify
from rulerun.check.rule_text.typed import Typed, ZoneUse, describe
from rulerun.check.rule_text.units import Unit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import key_size
from rulerun.ir.program import ZoneKind
from rulerun.ir.types import BOOL, CARD, CARDS, INT, RangeKey, Type
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn


@dataclass(frozen=True, slots=True)
class OneZone:
    """``stock``, ``hand[p]``, ``all of hand[p]``"""

    use: ZoneUse


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """``layout[me, 3]``: a place of a board. Where a card is wanted, the card that lies there."""

    use: ZoneUse


@dataclass(frozen=True, slots=True)
class Board:
    """``layout[me]``: a whole board, as `ZoneUse` says; or (not ``single``) ``all of layout``, all boards of a family,
    from the first place on."""

    use: ZoneUse
    places: int
    """How many there are."""
    single: bool


@dataclass(frozen=True, slots=True)
class Family:
    """``all of hand``: all zones of a family, in order."""

    zones: Sequence[ZoneUse]


Source = OneZone | BoardPlace | Board | Family


def named(unit: Unit, node: syn.Expr) -> Source | None:
    """What a node names that holds cards; None if it is anything else. An index that is missing or too much, or out of
    range, is refused."""
    inner = node.zone if isinstance(node, syn.AllOf) else node
    if isinstance(inner, syn.AllOf):
        return named(unit, inner)
    symbol = symbol_of(unit, inner)
    if symbol is None:
        return None
    if is_whole_board(symbol, inner):
        return _board(unit, symbol, inner, node.span)
    if inner is node:
        use = zone(unit, node)
        return OneZone(use) if symbol.place_key is None else BoardPlace(use)
    if not symbol.keys or isinstance(inner, syn.Index):
        return OneZone(zone(unit, inner))
    zones = instances(unit, symbol, node.span)
    if symbol.place_key is None:
        return Family(zones)
    return Board(ZoneUse(symbol, zones[0].ref, (), node.span), symbol.size, single=False)


def _board(unit: Unit, symbol: ZoneSymbol, node: syn.Expr, span: Span) -> Board:
    written = node.indices if isinstance(node, syn.Index) else ()
    key = symbol.place_key
    assert key is not None
    size = key_size(key, 0, 0)
    axes, keys = indexing.axes(unit, symbol.keys[:-1], written, size, node.span, symbol.name)
    first = ir.Axis(simplify.number(key.low), key.low, size, 1, False)
    return Board(ZoneUse(symbol, ir.ZoneRef(symbol.index, (*axes, first), unit.at(node.span)), keys, span), size, True)


# ---------------------------------------------------------------- what a source is


def zones_of(unit: Unit, source: Source) -> Sequence[ZoneUse]:
    """The zones of a source, in order: of a board its places."""
    match source:
        case OneZone(use) | BoardPlace(use):
            return (use,)
        case Family(zones):
            return zones
        case Board(use, _, single):
            return places(use) if single else instances(unit, use.symbol, use.span)
        case _:
            assert_never(source)


def cards_of(unit: Unit, source: Source, at: int) -> Typed:
    """The cards of a source as a set."""
    match source:
        case OneZone(use) | BoardPlace(use):
            return Typed(ir.ZoneCards(use.ref), CARDS, use)
        case Family(zones):
            result: ir.Expr = ir.ZoneCards(zones[0].ref)
            for use in zones[1:]:
                result = simplify.binary("union", result, ir.ZoneCards(use.ref), CARDS, at)
            return Typed(result, CARDS, zones[0])
        case Board(use, count):
            local = unit.local(CARD)
            domain = ir.BoardDomain(use.ref, count)
            fold = ir.Fold(ir.FoldKind.SET, local, domain, None, ir.Local(local, CARD), None, CARDS, at)
            return Typed(fold, CARDS, use)
        case _:
            assert_never(source)


def value_of(unit: Unit, source: Source, wanted: Type | None, at: int) -> Typed:
    """A source where a value is wanted: the set of its cards; a place of a board is the card that lies there."""
    if isinstance(source, BoardPlace) and wanted != CARDS:
        return Typed(ir.ZoneEnd(source.use.ref, ir.End.HEAD, at), CARD, source.use)
    return cards_of(unit, source, at)


def count_of(unit: Unit, source: Source, at: int) -> ir.Expr:
    """How many cards lie there."""
    if isinstance(source, Board):
        return _over_board(unit, source, ir.FoldKind.COUNT, INT, at)
    first, *more = zones_of(unit, source)
    result: ir.Expr = ir.ZoneCount(first.ref)
    for use in more:
        result = simplify.binary("+", result, ir.ZoneCount(use.ref), INT, at)
    return result


def is_empty(unit: Unit, source: Source, at: int) -> ir.Expr:
    """Whether no card lies there."""
    if isinstance(source, Board):
        return simplify.negation(_over_board(unit, source, ir.FoldKind.SOME, BOOL, at), at)
    result: ir.Expr = simplify.TRUE
    for use in zones_of(unit, source):
        result = simplify.both(result, ir.Binary("==", ir.ZoneCount(use.ref), simplify.number(0), BOOL, at))
    return result


def holds(unit: Unit, source: Source, card: ir.Expr, at: int) -> ir.Expr:
    """Whether a card lies there."""
    if isinstance(source, Board):
        return simplify.contains(card, cards_of(unit, source, at).expr)
    result: ir.Expr = simplify.FALSE
    for use in zones_of(unit, source):
        result = simplify.either(result, ir.InZone(card, use.ref))
    return result


def _over_board(unit: Unit, board: Board, kind: ir.FoldKind, type_: Type, at: int) -> ir.Expr:
    domain = ir.BoardDomain(board.use.ref, board.places)
    return ir.Fold(kind, unit.local(CARD), domain, None, None, None, type_, at)


# --------------------------------------------------------------------- single zones


def symbol_of(unit: Unit, node: syn.Expr) -> ZoneSymbol | None:
    """The zone that a name (indexed or not) means; None if it means something else."""
    if isinstance(node, syn.Index):
        node = node.of
    if not isinstance(node, syn.Name) or unit.scope.find(node.text) is not None:
        return None
    symbol = unit.symbols.names.get(node.text)
    return symbol if isinstance(symbol, ZoneSymbol) else None


def zone(unit: Unit, node: syn.Expr) -> ZoneUse:
    """One zone instance; an index that is missing or too much is refused. `symbol_of` has said that it is a zone."""
    symbol = symbol_of(unit, node)
    assert symbol is not None
    written = node.indices if isinstance(node, syn.Index) else ()
    if is_whole_board(symbol, node):
        _refuse_whole_board(unit, symbol, node)
    if symbol.keys and not written:
        sample = ", ".join(indexing.example(unit, k) for k in symbol.keys)
        whose = " and ".join(f"per {k}" for k in symbol.keys).replace("per Player", "per player")
        unit.refuse(
            "RR0404",
            f"there is one `{symbol.name}` {whose}: say which",
            node.span,
            help=f"did you mean `{symbol.name}[{sample}]`? (`all of {symbol.name}` are all of them together)",
        )
    axes, keys = indexing.axes(unit, symbol.keys, written, 1, node.span, symbol.name)
    return ZoneUse(symbol, ir.ZoneRef(symbol.index, axes, unit.at(node.span)), keys, node.span)


def is_whole_board(symbol: ZoneSymbol, node: syn.Expr) -> bool:
    """Whether a node names a board without saying which place of it."""
    written = node.indices if isinstance(node, syn.Index) else ()
    return symbol.place_key is not None and len(written) == len(symbol.keys) - 1


def _refuse_whole_board(unit: Unit, symbol: ZoneSymbol, node: syn.Expr) -> None:
    assert symbol.place_key is not None
    text, low = source_text(node.span), symbol.place_key.low
    one = f"{text[:-1]}, {low}]" if isinstance(node, syn.Index) else f"{text}[{low}]"
    unit.refuse(
        "RR0404",
        f"`{text}` is a board: a place of it is wanted here",
        node.span,
        help=f"did you mean `{one}`? A board has no top and no order of its own, and cannot be shuffled",
    )


def places(use: ZoneUse) -> list[ZoneUse]:
    """The places of a whole board, in order."""
    key = use.symbol.place_key
    assert key is not None
    found = []
    for number in range(key.low, key.high + 1):
        value = simplify.number(number)
        axes = (*use.ref.axes[:-1], ir.Axis(value, key.low, key.high - key.low + 1, 1, False))
        found.append(ZoneUse(use.symbol, ir.ZoneRef(use.symbol.index, axes, use.ref.at), (*use.keys, value), use.span))
    return found


def place(unit: Unit, use: ZoneUse, number: ir.Expr, span: Span) -> ZoneUse:
    """A place of a whole board by its number."""
    key = use.symbol.place_key
    assert key is not None
    if isinstance(number, ir.Const) and not key.low <= number.value <= key.high:
        unit.refuse(
            "RR0412", f"`{use.symbol.name}` goes from {key.low} to {key.high}: there is no {number.value}", span
        )
    axis = ir.Axis(number, key.low, key.high - key.low + 1, 1, not isinstance(number, ir.Const))
    ref = ir.ZoneRef(use.symbol.index, (*use.ref.axes[:-1], axis), unit.at(span))
    return ZoneUse(use.symbol, ref, (*use.keys, number), span)


def instances(unit: Unit, symbol: ZoneSymbol, span: Span) -> list[ZoneUse]:
    """All instances of a zone, in order."""
    players, cards = unit.symbols.players, unit.symbols.card_count
    sizes = [key_size(k, players, cards) for k in symbol.keys]
    strides = [1] * len(sizes)
    for i in range(len(sizes) - 2, -1, -1):
        strides[i] = strides[i + 1] * sizes[i + 1]
    at = unit.at(span)
    result = []
    for combination in product(*(range(s) for s in sizes)):
        axes = []
        values: list[ir.Expr] = []
        for key, n, size, stride in zip(symbol.keys, combination, sizes, strides, strict=True):
            low = key.low if isinstance(key, RangeKey) else 0
            value = ir.Const(low + n, INT if isinstance(key, RangeKey) else key)
            axes.append(ir.Axis(value, low, size, stride, False))
            values.append(value)
        result.append(ZoneUse(symbol, ir.ZoneRef(symbol.index, tuple(axes), at), tuple(values), span))
    return result


def one(unit: Unit, node: syn.Expr, what: str) -> ZoneUse:
    """A zone where only a zone will do; `what` says for what ("to shuffle")."""
    if isinstance(node, syn.AllOf) and symbol_of(unit, node.zone) is not None:
        return zone(unit, node.zone)
    if symbol_of(unit, node) is not None:
        return zone(unit, node)
    base = node.of if isinstance(node, syn.Index) else node
    zones = tuple(n for n, s in unit.symbols.names.items() if isinstance(s, ZoneSymbol))
    known_names = unit.symbols.names
    if isinstance(base, syn.Name) and unit.scope.find(base.text) is None and base.text not in known_names:
        near = unit.suggestion(base.text, (zones,))
        known = f"the zones are {', '.join(zones)}" if zones else None
        unit.refuse(
            "RR0401",
            f"there is no zone named `{base.text}`",
            base.span,
            help=f"did you mean `{near}`?" if near else known,
        )
    typed = driver.lower(unit, node)
    return unit.refuse(
        "RR0403",
        f"a zone is wanted {what}, and `{source_text(node.span)}` is {describe(typed.type)}",
        node.span,
        help=f"the zones are {', '.join(zones)}" if zones else None,
    )


def mixable(unit: Unit, node: syn.Expr, what: str) -> ZoneUse:
    """As `one`, where cards are to lie in no order: never a place of a board."""
    use = one(unit, node, what)
    if use.symbol.place_key is not None:
        unit.refuse(
            "RR0403",
            f"`{source_text(node.span)}` is a place of a board and holds one card, and a pile is wanted {what}",
            node.span,
            help="shuffle a pile, and deal from it to the board",
        )
    return use


def is_undrawn(unit: Unit, use: ZoneUse) -> bool:
    """Whether a zone may hold cards that nobody has drawn yet."""
    return use.symbol.index in unit.compilation.shuffled


def end_of(kind: ZoneKind, which: str) -> ir.End:
    """``top`` of a pile is its HEAD, of a row its last place."""
    top = which == "top"
    if kind is ZoneKind.ROW:
        return ir.End.TAIL if top else ir.End.HEAD
    return ir.End.HEAD if top else ir.End.TAIL


def want_order(unit: Unit, symbol: ZoneSymbol, span: Span) -> None:
    """Refuses a zone whose cards have no order, where an end of it is meant."""
    if not symbol.kind.ordered:
        unit.refuse(
            "RR0403",
            f"the cards of `{symbol.name}` have no order",
            span,
            help="choose from it, or take `random of` it",
        )
