"""Fields of cards, and what stands in square brackets: is every key there, of its type, within its range."""

from __future__ import annotations

from rulerun.check.declarations.symbols import ProcedureSymbol, TableSymbol, VariableSymbol, ZoneSymbol
from rulerun.check.rule_text import expressions, habits, simplify, visibility, zone_uses
from rulerun.check.rule_text.typed import Typed, bare, describe, key_text
from rulerun.check.rule_text.unit import Unit, reads_as, source_text, symbol_sort
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import key_size
from rulerun.ir.types import CARD, CARDS, INT, ArrayType, EnumType, PlayerType, RangeKey, Type
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn


def example(unit: Unit, key: Type | RangeKey) -> str:
    """An index that would fit, for a help: a name in scope if there is one."""
    if isinstance(key, RangeKey):
        return str(key.low)
    for binding in reversed(list(unit.scope)):
        if binding.type == key:
            return binding.name
    if isinstance(key, EnumType):
        return key.values[0]
    return "p" if isinstance(key, PlayerType) else "c"


def field(unit: Unit, node: syn.Field, indices: tuple[syn.Expr, ...] | None) -> Typed:
    """``c.rank``, or with indices ``c.flowers[red]``."""
    checker = unit.checker
    of = expressions.lower(unit, node.of, CARD)
    if bare(of.type) != CARD:
        help_ = None
        if of.type == CARDS:
            text = source_text(node.of.span)
            one = f"`top of {text}`"
            if zone_uses.board(unit, node.of) is not None:
                one = f"a place such as `{text[:-1]}, 1]`" if text.endswith("]") else f"a place such as `{text}[1]`"
            help_ = f"of which card? {one}, or a `for c in` over them"
        many = of.type == CARDS
        help_ = habits.field_hint(checker.symbols, source_text(node.of.span), node.name.text, many=many) or help_
        checker.refuse(
            "RR0405",
            f"`{source_text(node.of.span)}` is {describe(of.type)}: only a card has fields",
            node.span,
            help=help_,
        )
    expressions.check(unit, of, CARD, node.of.span, "before a field")
    printed = checker.symbols.fields.get(node.name.text)
    if printed is None:
        near = unit.suggestion(node.name.text, (tuple(checker.symbols.fields),))
        names = ", ".join(checker.symbols.fields)
        checker.refuse(
            "RR0405",
            f"the cards have no field `{node.name.text}`",
            node.name.span,
            help=f"did you mean `{near}`?" if near else f"the fields are {names}" if names else None,
        )
    if printed.keys and indices is None:
        checker.refuse(
            "RR0404",
            f"`{printed.name}` is one value per {printed.keys[0]}: say which",
            node.span,
            help=f"write `{source_text(node.span)}[{example(unit, printed.keys[0])}]`",
        )
    if not printed.keys and indices is not None:
        checker.refuse("RR0404", f"`{printed.name}` is a single value: it takes no index", node.span)
    if not printed.on_back:
        visibility.face_read(unit, of, reads_as(node.of), node.span)
    found, _ = axes(unit, printed.keys, indices or (), 1, node.span, printed.name)
    return Typed(ir.CardField(printed.index, of.expr, found, printed.value, unit.at(node.span)), printed.value)


def axes(
    unit: Unit,
    keys: tuple[Type | RangeKey, ...],
    indices: tuple[syn.Expr, ...],
    width: int,
    span: Span,
    name: str,
) -> tuple[tuple[ir.Axis, ...], tuple[ir.Expr, ...]]:
    """The indices of a zone, variable, table or field, checked against its keys (outermost first), and their values."""
    checker = unit.checker
    players, cards = checker.symbols.players, checker.symbols.card_count
    if len(keys) != len(indices):
        wanted = ", ".join(key_text(k) for k in keys)
        sample = ", ".join(example(unit, k) for k in keys)
        if not keys:
            checker.refuse("RR0404", f"`{name}` takes no index: there is only one", span, help=f"write `{name}`")
        checker.refuse(
            "RR0404",
            f"`{name}` takes {_count(len(keys), 'index', 'indices')} ({wanted}), and here are {len(indices)}",
            span,
            help=f"write `{name}[{sample}]`",
        )
    sizes = [key_size(k, players, cards) for k in keys]
    result: list[ir.Axis] = []
    values: list[ir.Expr] = []
    for i, (key, written) in enumerate(zip(keys, indices, strict=True)):
        stride = width
        for inner in sizes[i + 1 :]:
            stride *= inner
        if isinstance(key, RangeKey):
            value = expressions.expect(unit, written, INT, f"as index of `{name}`")
            checked = not isinstance(value, ir.Const)
            if isinstance(value, ir.Const) and not key.low <= value.value <= key.high:
                checker.refuse(
                    "RR0412", f"`{name}` goes from {key.low} to {key.high}: there is no {value.value}", written.span
                )
            result.append(ir.Axis(value, key.low, sizes[i], stride, checked))
        else:
            value = expressions.expect(unit, written, key, f"as index of `{name}`")
            result.append(ir.Axis(value, 0, sizes[i], stride, False))
        values.append(value)
    return tuple(result), tuple(values)


def _count(n: int, one: str, many: str) -> str:
    words = {1: "one", 2: "two", 3: "three"}
    return f"{words.get(n, str(n))} {one if n == 1 else many}"


def array_keys(type_: Type) -> tuple[tuple[Type | RangeKey, ...], Type]:
    """The keys of a ``T per K`` type, outermost first, and the type of one value."""
    keys: list[Type | RangeKey] = []
    while isinstance(type_, ArrayType):
        keys.append(type_.key)
        type_ = type_.value
    return tuple(keys), type_


def index(unit: Unit, node: syn.Index, wanted: Type | None = None) -> Typed:
    checker = unit.checker
    if isinstance(node.of, syn.Field):
        return field(unit, node.of, node.indices)
    if isinstance(node.of, syn.Name):
        binding = unit.scope.find(node.of.text)
        symbol = checker.symbols.names.get(node.of.text) if binding is None else None
        if isinstance(symbol, ZoneSymbol):
            return zone_uses.value(unit, node, wanted)
        if isinstance(symbol, VariableSymbol):
            keys, value = array_keys(symbol.type)
            found, values = axes(unit, keys, node.indices, unit.checker.words(value), node.span, symbol.name)
            visibility.value_read(unit, symbol, keys, values, node.span)
            return Typed(ir.Load(simplify.place(symbol.offset, found, value, unit.at(node.span))), value)
        if isinstance(symbol, TableSymbol):
            found, values = axes(unit, symbol.keys, node.indices, 1, node.span, symbol.name)
            lookup = ir.Lookup(symbol.index, found, symbol.value, unit.at(node.span))
            if all(isinstance(v, ir.Const) for v in values):
                at = sum((a.index.value - a.low) * a.stride for a in found if isinstance(a.index, ir.Const))
                return Typed(ir.Const(checker.symbols.tables_data[symbol.index].values[at], symbol.value), symbol.value)
            return Typed(lookup, symbol.value)
        if binding is None and symbol is None:
            arrays = tuple(
                n
                for n, s in checker.symbols.names.items()
                if isinstance(s, ZoneSymbol | TableSymbol) or (isinstance(s, VariableSymbol) and array_keys(s.type)[0])
            )
            near = unit.suggestion(node.of.text, (arrays, tuple(checker.symbols.names)))
            checker.refuse(
                "RR0401",
                f"there is no zone, table or variable named `{node.of.text}`",
                node.of.span,
                help=f"did you mean `{near}`?" if near else None,
            )
        if isinstance(symbol, ProcedureSymbol):
            checker.refuse(
                "RR0404",
                f"`{symbol.name}` is {symbol_sort(symbol)}: it takes its arguments in round brackets",
                node.span,
                help=f"write `{symbol.name}({', '.join(source_text(i.span) for i in node.indices)})`",
            )
    seats = "a single one is `first p in players`, or `next(p)`" if isinstance(node.of, syn.Players) else None
    return checker.refuse("RR0404", f"`{source_text(node.of.span)}` takes no index", node.span, help=seats)


def variable_place(unit: Unit, symbol: VariableSymbol, node: syn.Index) -> ir.Place:
    keys, value = array_keys(symbol.type)
    found, _ = axes(unit, keys, node.indices, unit.checker.words(value), node.span, symbol.name)
    return simplify.place(symbol.offset, found, value, unit.at(node.span))
