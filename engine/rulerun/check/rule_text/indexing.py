"""What stands in square brackets: is every key there, of its type, within its range."""

from __future__ import annotations

from rulerun.check.declarations.symbols import VariableSymbol
from rulerun.check.rule_text import driver, simplify
from rulerun.check.rule_text.typed import key_text
from rulerun.check.rule_text.units import Unit
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import key_size
from rulerun.ir.types import INT, ArrayType, EnumType, PlayerType, RangeKey, Type
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


def axes(
    unit: Unit,
    keys: tuple[Type | RangeKey, ...],
    indices: tuple[syn.Expr, ...],
    width: int,
    span: Span,
    name: str,
) -> tuple[tuple[ir.Axis, ...], tuple[ir.Expr, ...]]:
    """The indices of a zone, variable, table or field, checked against its keys (outermost first), and their values."""
    players, cards = unit.symbols.players, unit.symbols.card_count
    if len(keys) != len(indices):
        wanted = ", ".join(key_text(k) for k in keys)
        sample = ", ".join(example(unit, k) for k in keys)
        if not keys:
            unit.refuse("RR0404", f"`{name}` takes no index: there is only one", span, help=f"write `{name}`")
        unit.refuse(
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
            value = driver.expect(unit, written, INT, f"as index of `{name}`")
            checked = not isinstance(value, ir.Const)
            if isinstance(value, ir.Const) and not key.low <= value.value <= key.high:
                unit.refuse(
                    "RR0412", f"`{name}` goes from {key.low} to {key.high}: there is no {value.value}", written.span
                )
            result.append(ir.Axis(value, key.low, sizes[i], stride, checked))
        else:
            value = driver.expect(unit, written, key, f"as index of `{name}`")
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


def variable_place(unit: Unit, symbol: VariableSymbol, node: syn.Index) -> ir.Place:
    keys, value = array_keys(symbol.type)
    found, _ = axes(unit, keys, node.indices, unit.compilation.words(value), node.span, symbol.name)
    return simplify.place(symbol.offset, found, value, unit.at(node.span))
