"""Fields of cards, and values behind an index: zones, state variables, tables."""

from __future__ import annotations

from rulerun.check.declarations.symbols import ProcedureSymbol, TableSymbol, VariableSymbol, ZoneSymbol
from rulerun.check.rule_text import driver, false_friends, fitting, indexing, narrowing, simplify, sources, visibility
from rulerun.check.rule_text.driver import expression, guided
from rulerun.check.rule_text.typed import Typed, bare, describe
from rulerun.check.rule_text.units import Unit
from rulerun.check.rule_text.wording import reads_as, source_text, symbol_sort
from rulerun.ir import nodes as ir
from rulerun.ir.types import CARD, CARDS, Type
from rulerun.syntax import nodes as syn


@expression(syn.Field)
def field(unit: Unit, node: syn.Field) -> Typed:
    return _field(unit, node, None)


def _field(unit: Unit, node: syn.Field, indices: tuple[syn.Expr, ...] | None) -> Typed:
    """``c.rank``, or with indices ``c.flowers[red]``."""
    of = driver.lower(unit, node.of, CARD)
    if bare(of.type) != CARD:
        help_ = None
        if of.type == CARDS:
            text = source_text(node.of.span)
            one = f"`top of {text}`"
            source = sources.named(unit, node.of)
            if isinstance(source, sources.Board) and source.single:
                one = f"a place such as `{text[:-1]}, 1]`" if text.endswith("]") else f"a place such as `{text}[1]`"
            help_ = f"of which card? {one}, or a `for c in` over them"
        many = of.type == CARDS
        help_ = false_friends.field_hint(unit.symbols, source_text(node.of.span), node.name.text, many=many) or help_
        unit.refuse(
            "RR0405",
            f"`{source_text(node.of.span)}` is {describe(of.type)}: only a card has fields",
            node.span,
            help=help_,
        )
    fitting.check(unit, of, CARD, node.of.span, "before a field")
    printed = unit.symbols.fields.get(node.name.text)
    if printed is None:
        near = unit.suggestion(node.name.text, (tuple(unit.symbols.fields),))
        names = ", ".join(unit.symbols.fields)
        unit.refuse(
            "RR0405",
            f"the cards have no field `{node.name.text}`",
            node.name.span,
            help=f"did you mean `{near}`?" if near else f"the fields are {names}" if names else None,
        )
    if printed.keys and indices is None:
        unit.refuse(
            "RR0404",
            f"`{printed.name}` is one value per {printed.keys[0]}: say which",
            node.span,
            help=f"write `{source_text(node.span)}[{indexing.example(unit, printed.keys[0])}]`",
        )
    if not printed.keys and indices is not None:
        unit.refuse("RR0404", f"`{printed.name}` is a single value: it takes no index", node.span)
    if not printed.on_back:
        visibility.face_read(unit, of, reads_as(node.of), node.span)
    found, _ = indexing.axes(unit, printed.keys, indices or (), 1, node.span, printed.name)
    value = printed.value
    if isinstance(node.of, syn.Name) and not printed.keys and narrowing.field_is_some(unit.facts, node.of, node.name):
        value = bare(value)
    return Typed(ir.CardField(printed.index, of.expr, found, printed.value, unit.at(node.span)), value)


@guided(syn.Index)
def index(unit: Unit, node: syn.Index, wanted: Type | None = None) -> Typed:
    if isinstance(node.of, syn.Field):
        return _field(unit, node.of, node.indices)
    if isinstance(node.of, syn.Name):
        binding = unit.scope.find(node.of.text)
        symbol = unit.symbols.names.get(node.of.text) if binding is None else None
        if isinstance(symbol, ZoneSymbol):
            source = sources.named(unit, node)
            assert source is not None
            return sources.value_of(unit, source, wanted, unit.at(node.span))
        if isinstance(symbol, VariableSymbol):
            keys, value = indexing.array_keys(symbol.type)
            found, values = indexing.axes(
                unit, keys, node.indices, unit.compilation.words(value), node.span, symbol.name
            )
            visibility.value_read(unit, symbol, keys, values, node.span)
            return Typed(ir.Load(simplify.place(symbol.offset, found, value, unit.at(node.span))), value)
        if isinstance(symbol, TableSymbol):
            found, values = indexing.axes(unit, symbol.keys, node.indices, 1, node.span, symbol.name)
            lookup = ir.Lookup(symbol.index, found, symbol.value, unit.at(node.span))
            if all(isinstance(v, ir.Const) for v in values):
                at = sum((a.index.value - a.low) * a.stride for a in found if isinstance(a.index, ir.Const))
                return Typed(ir.Const(unit.symbols.tables_data[symbol.index].values[at], symbol.value), symbol.value)
            return Typed(lookup, symbol.value)
        if binding is None and symbol is None:
            arrays = tuple(
                n
                for n, s in unit.symbols.names.items()
                if isinstance(s, ZoneSymbol | TableSymbol)
                or (isinstance(s, VariableSymbol) and indexing.array_keys(s.type)[0])
            )
            near = unit.suggestion(node.of.text, (arrays, tuple(unit.symbols.names)))
            unit.refuse(
                "RR0401",
                f"there is no zone, table or variable named `{node.of.text}`",
                node.of.span,
                help=f"did you mean `{near}`?" if near else None,
            )
        if isinstance(symbol, ProcedureSymbol):
            unit.refuse(
                "RR0404",
                f"`{symbol.name}` is {symbol_sort(symbol)}: it takes its arguments in round brackets",
                node.span,
                help=f"write `{symbol.name}({', '.join(source_text(i.span) for i in node.indices)})`",
            )
    seats = "a single one is `first p in players`, or `next(p)`" if isinstance(node.of, syn.Players) else None
    return unit.refuse("RR0404", f"`{source_text(node.of.span)}` takes no index", node.span, help=seats)
