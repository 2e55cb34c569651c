"""Zones inside rule text: which one is meant, is its index complete, what lies at its end.

A zone is not a value: where a set of cards is wanted it stands for the cards in it.
"""

from __future__ import annotations

from itertools import product

from rulerun.check.declarations.symbols import ZoneSymbol
from rulerun.check.rule_text import expressions, indices, simplify
from rulerun.check.rule_text.typed import Typed, ZoneUse, describe
from rulerun.check.rule_text.unit import Unit, source_text
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import key_size
from rulerun.ir.program import ZoneKind
from rulerun.ir.types import CARD, CARDS, INT, RangeKey, Type
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn


def symbol_of(unit: Unit, node: syn.Expr) -> ZoneSymbol | None:
    """The zone that a name (indexed or not) means; None if it means something else."""
    if isinstance(node, syn.Index):
        node = node.of
    if not isinstance(node, syn.Name) or unit.scope.find(node.text) is not None:
        return None
    symbol = unit.checker.symbols.names.get(node.text)
    return symbol if isinstance(symbol, ZoneSymbol) else None


def zone(unit: Unit, node: syn.Expr) -> ZoneUse:
    """One zone instance; an index that is missing or too much is refused. `symbol_of` has said that it is a zone."""
    symbol = symbol_of(unit, node)
    assert symbol is not None
    written = node.indices if isinstance(node, syn.Index) else ()
    if is_whole_board(symbol, node):
        _refuse_whole_board(unit, symbol, node)
    if symbol.keys and not written:
        sample = ", ".join(indices.example(unit, k) for k in symbol.keys)
        whose = " and ".join(f"per {k}" for k in symbol.keys).replace("per Player", "per player")
        unit.checker.refuse(
            "RR0404",
            f"there is one `{symbol.name}` {whose}: say which",
            node.span,
            help=f"did you mean `{symbol.name}[{sample}]`? (`all of {symbol.name}` are all of them together)",
        )
    axes, keys = indices.axes(unit, symbol.keys, written, 1, node.span, symbol.name)
    return ZoneUse(symbol, ir.ZoneRef(symbol.index, axes, unit.at(node.span)), keys, node.span)


def is_whole_board(symbol: ZoneSymbol, node: syn.Expr) -> bool:
    """Whether a node names a board without saying which place of it."""
    written = node.indices if isinstance(node, syn.Index) else ()
    return symbol.place_key is not None and len(written) == len(symbol.keys) - 1


def _refuse_whole_board(unit: Unit, symbol: ZoneSymbol, node: syn.Expr) -> None:
    assert symbol.place_key is not None
    text, low = source_text(node.span), symbol.place_key.low
    one = f"{text[:-1]}, {low}]" if isinstance(node, syn.Index) else f"{text}[{low}]"
    unit.checker.refuse(
        "RR0404",
        f"`{text}` is a board: a place of it is wanted here",
        node.span,
        help=f"did you mean `{one}`? A board has no top and no order of its own, and cannot be shuffled",
    )


def board(unit: Unit, node: syn.Expr) -> ZoneUse | None:
    """The whole board that a node names, as `ZoneUse` says; None if it names anything else."""
    inner = node.zone if isinstance(node, syn.AllOf) else node
    symbol = symbol_of(unit, inner)
    if symbol is None or not is_whole_board(symbol, inner):
        return None
    written = inner.indices if isinstance(inner, syn.Index) else ()
    key = symbol.place_key
    assert key is not None
    size = key_size(key, 0, 0)
    axes, keys = indices.axes(unit, symbol.keys[:-1], written, size, inner.span, symbol.name)
    first = ir.Axis(simplify.number(key.low), key.low, size, 1, False)
    return ZoneUse(symbol, ir.ZoneRef(symbol.index, (*axes, first), unit.at(inner.span)), keys, node.span)


def boards(unit: Unit, node: syn.Expr) -> tuple[ZoneUse, int] | None:
    """The cards that lie on one board, or (``all of layout``) on all of a family, and how many places these have."""
    whole = board(unit, node)
    if whole is not None:
        assert whole.symbol.place_key is not None
        return whole, key_size(whole.symbol.place_key, 0, 0)
    if isinstance(node, syn.AllOf) and not isinstance(node.zone, syn.Index):
        symbol = symbol_of(unit, node.zone)
        if symbol is not None and symbol.place_key is not None:
            first = instances(unit, symbol, node)[0]
            return ZoneUse(symbol, first.ref, (), node.span), symbol.size
    return None


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
        unit.checker.refuse(
            "RR0412", f"`{use.symbol.name}` goes from {key.low} to {key.high}: there is no {number.value}", span
        )
    axis = ir.Axis(number, key.low, key.high - key.low + 1, 1, not isinstance(number, ir.Const))
    ref = ir.ZoneRef(use.symbol.index, (*use.ref.axes[:-1], axis), unit.at(span))
    return ZoneUse(use.symbol, ref, (*use.keys, number), span)


def board_place(unit: Unit, node: syn.Expr) -> ZoneUse | None:
    """The place of a board that a node names (``layout[me, 3]``): where a card is wanted, the card there."""
    symbol = symbol_of(unit, node)
    if symbol is None or symbol.place_key is None or is_whole_board(symbol, node):
        return None
    return zone(unit, node)


def board_cards(unit: Unit, use: ZoneUse, count: int, at: int) -> Typed:
    """The cards of a board as a set."""
    local = unit.local(CARD)
    domain = ir.BoardDomain(use.ref, count)
    fold = ir.Fold(ir.FoldKind.SET, local, domain, None, ir.Local(local, CARD), None, CARDS, at)
    return Typed(fold, CARDS, use)


def value(unit: Unit, node: syn.Expr, wanted: Type | None) -> Typed:
    """A zone where a value is wanted: the set of its cards; a place of a board is the card that lies there."""
    at = unit.at(node.span)
    whole = boards(unit, node)
    if whole is not None:
        return board_cards(unit, *whole, at)
    use = zone(unit, node)
    if use.symbol.place_key is not None and wanted != CARDS:
        return Typed(ir.ZoneEnd(use.ref, ir.End.HEAD, at), CARD, use)
    return Typed(ir.ZoneCards(use.ref), CARDS, use)


def instances(unit: Unit, symbol: ZoneSymbol, node: syn.Expr) -> list[ZoneUse]:
    """All instances of a zone, in order."""
    players, cards = unit.checker.symbols.players, unit.checker.symbols.card_count
    sizes = [key_size(k, players, cards) for k in symbol.keys]
    strides = [1] * len(sizes)
    for i in range(len(sizes) - 2, -1, -1):
        strides[i] = strides[i + 1] * sizes[i + 1]
    at = unit.at(node.span)
    result = []
    for combination in product(*(range(s) for s in sizes)):
        axes = []
        values: list[ir.Expr] = []
        for key, n, size, stride in zip(symbol.keys, combination, sizes, strides, strict=True):
            low = key.low if isinstance(key, RangeKey) else 0
            value = ir.Const(low + n, INT if isinstance(key, RangeKey) else key)
            axes.append(ir.Axis(value, low, size, stride, False))
            values.append(value)
        result.append(ZoneUse(symbol, ir.ZoneRef(symbol.index, tuple(axes), at), tuple(values), node.span))
    return result


def several(unit: Unit, node: syn.Expr) -> list[ZoneUse] | None:
    """The zones that a node means: one, the places of a board, or (``all of hand``) all instances of a family. None if
    it means no zone."""
    if isinstance(node, syn.AllOf):
        symbol = symbol_of(unit, node.zone)
        if symbol is None:
            return several(unit, node.zone) if isinstance(node.zone, syn.AllOf) else None
        if symbol.keys and not isinstance(node.zone, syn.Index):
            return instances(unit, symbol, node)
        whole = board(unit, node.zone)
        return places(whole) if whole is not None else [zone(unit, node.zone)]
    if symbol_of(unit, node) is None:
        return None
    whole = board(unit, node)
    return places(whole) if whole is not None else [zone(unit, node)]


def one(unit: Unit, node: syn.Expr, what: str) -> ZoneUse:
    """A zone where only a zone will do; `what` says for what ("to shuffle")."""
    if isinstance(node, syn.AllOf) and symbol_of(unit, node.zone) is not None:
        return zone(unit, node.zone)
    if symbol_of(unit, node) is not None:
        return zone(unit, node)
    base = node.of if isinstance(node, syn.Index) else node
    zones = tuple(n for n, s in unit.checker.symbols.names.items() if isinstance(s, ZoneSymbol))
    known_names = unit.checker.symbols.names
    if isinstance(base, syn.Name) and unit.scope.find(base.text) is None and base.text not in known_names:
        near = unit.suggestion(base.text, (zones,))
        known = f"the zones are {', '.join(zones)}" if zones else None
        unit.checker.refuse(
            "RR0401",
            f"there is no zone named `{base.text}`",
            base.span,
            help=f"did you mean `{near}`?" if near else known,
        )
    typed = expressions.lower(unit, node)
    return unit.checker.refuse(
        "RR0403",
        f"a zone is wanted {what}, and `{source_text(node.span)}` is {describe(typed.type)}",
        node.span,
        help=f"the zones are {', '.join(zones)}" if zones else None,
    )


def mixable(unit: Unit, node: syn.Expr, what: str) -> ZoneUse:
    """As `one`, where cards are to lie in no order: never a place of a board."""
    use = one(unit, node, what)
    if use.symbol.place_key is not None:
        unit.checker.refuse(
            "RR0403",
            f"`{source_text(node.span)}` is a place of a board and holds one card, and a pile is wanted {what}",
            node.span,
            help="shuffle a pile, and deal from it to the board",
        )
    return use


def is_undrawn(unit: Unit, use: ZoneUse) -> bool:
    """Whether a zone may hold cards that nobody has drawn yet."""
    return use.symbol.index in unit.checker.shuffled


def spot_of(kind: ZoneKind, which: str) -> ir.End:
    """``top`` of a pile is its HEAD, of a row its last place."""
    top = which == "top"
    if kind is ZoneKind.ROW:
        return ir.End.TAIL if top else ir.End.HEAD
    return ir.End.HEAD if top else ir.End.TAIL


def end_in_expression(unit: Unit, node: syn.End) -> Typed:
    """``top of Z`` where no chance may happen."""
    use = one(unit, node.zone, f"after `{node.which} of`")
    text = source_text(node.span)
    if node.count is not None:
        return _top_cards(unit, node, use)
    if is_undrawn(unit, use):
        unit.checker.refuse(
            "RR0502",
            f"`{use.symbol.name}` is shuffled, so chance decides what `{text}` is: not inside an expression",
            node.span,
            help=f"write `let c = {text}` on a line of its own, and then use `c`",
        )
    return Typed(ir.ZoneEnd(use.ref, spot_of(use.symbol.kind, node.which), unit.at(node.span)), CARD, use)


def want_order(unit: Unit, symbol: ZoneSymbol, span: Span) -> None:
    """Refuses a zone whose cards have no order, where an end of it is meant."""
    if not symbol.kind.ordered:
        unit.checker.refuse(
            "RR0403",
            f"the cards of `{symbol.name}` have no order",
            span,
            help="choose from it, or take `random of` it",
        )


def _top_cards(unit: Unit, node: syn.End, use: ZoneUse) -> Typed:
    """``top 3 of Z`` as a set of cards."""
    assert node.count is not None
    symbol, text = use.symbol, source_text(node.span)
    want_order(unit, symbol, node.span)
    if is_undrawn(unit, use):
        unit.checker.refuse(
            "RR0502",
            f"`{symbol.name}` is shuffled, so chance decides what `{text}` are: not inside an expression",
            node.span,
            help="move, deal, reveal or show them, or choose from them",
        )
    count = expressions.expect(unit, node.count, INT, f"after `{node.which}`")
    expr = ir.ZoneTop(use.ref, spot_of(symbol.kind, node.which), count, unit.at(node.span))
    return Typed(expr, CARDS, use)


def all_cards(unit: Unit, node: syn.AllOf) -> Typed:
    """``all of Z`` as a set of cards."""
    whole = boards(unit, node)
    if whole is not None:
        return board_cards(unit, *whole, unit.at(node.span))
    zones = several(unit, node)
    if zones is None:
        typed = expressions.lower(unit, node.zone, CARDS)
        expressions.check(unit, typed, CARDS, node.zone.span, "after `all of`")
        return typed
    result: ir.Expr = ir.ZoneCards(zones[0].ref)
    for use in zones[1:]:
        result = simplify.binary("union", result, ir.ZoneCards(use.ref), CARDS, unit.at(node.span))
    return Typed(result, CARDS, zones[0])
