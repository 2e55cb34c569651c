"""Names: local ones, those of the ruleset, values of enums, and what is said of a name that nobody knows."""

from __future__ import annotations

from typing import assert_never

from rulerun.check.declarations.symbols import (
    EnumSymbol,
    OptionSymbol,
    ProcedureSymbol,
    Symbol,
    TableSymbol,
    VariableSymbol,
    ZoneSymbol,
)
from rulerun.check.declarations.types import noun
from rulerun.check.rule_text import elements, false_friends, indexing, sources, visibility
from rulerun.check.rule_text.driver import guided
from rulerun.check.rule_text.narrowing import Fact
from rulerun.check.rule_text.scope import Binding
from rulerun.check.rule_text.typed import Typed, bare
from rulerun.check.rule_text.units import Unit
from rulerun.check.rule_text.wording import symbol_sort
from rulerun.ir import nodes as ir
from rulerun.ir.types import CARDS, PLAYER, ArrayType, EnumType, OptionalType, SetType, Type
from rulerun.source.diagnostic import ToldError
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn


@guided(syn.Name)
def name(unit: Unit, node: syn.Name, wanted: Type | None) -> Typed:
    binding = unit.scope.find(node.text)
    if binding is not None:
        return _read_binding(unit, binding, node)
    symbol = unit.symbols.names.get(node.text)
    enum: Type | None = None
    if wanted is not None:
        enum = bare(wanted)
    enum = enum.of if isinstance(enum, SetType) else enum
    if isinstance(enum, EnumType) and node.text in enum.values:
        plain = isinstance(symbol, OptionSymbol | VariableSymbol) and bare(symbol.type) == enum
        if not plain:
            return Typed(ir.Const(enum.values.index(node.text), enum), enum)
    if symbol is not None:
        return _symbol(unit, node, symbol, wanted)
    if node.text == elements.SEATS:
        seats = SetType(PLAYER)
        return Typed(ir.Const((1 << unit.symbols.players) - 1, seats), seats)
    return _enum_value(unit, node, enum if isinstance(enum, EnumType) else None, wanted)


def _read_binding(unit: Unit, binding: Binding, node: syn.Name) -> Typed:
    """The value of a local name; a fact about it takes ``or none`` away."""
    if binding.type is None or binding.read is None:
        raise ToldError
    if binding.unsettled:
        unit.refuse(
            "RR0507",
            f"`{node.text}` is a place of a shuffled pile: which card lies there is settled only when it is drawn",
            node.span,
            help="choose first and look afterwards",
        )
    type_ = binding.type
    if isinstance(type_, OptionalType) and Fact(node.text) in unit.facts:
        type_ = type_.inner
    return Typed(binding.read, type_, binding.source, binding.secret)


def _symbol(unit: Unit, node: syn.Name, symbol: Symbol, wanted: Type | None) -> Typed:
    match symbol:
        case OptionSymbol():
            return Typed(ir.Const(symbol.value, symbol.type), symbol.type)
        case VariableSymbol():
            if isinstance(symbol.type, ArrayType):
                unit.refuse(
                    "RR0404",
                    f"`{symbol.name}` holds one value per {symbol.type.key}: say which",
                    node.span,
                    help=f"write `{symbol.name}[{indexing.example(unit, symbol.type.key)}]`",
                )
            visibility.value_read(unit, symbol, (), (), node.span)
            place = ir.Place(symbol.offset, (), symbol.type, unit.at(node.span))
            return Typed(ir.Load(place), bare(symbol.type) if Fact(node.text) in unit.facts else symbol.type)
        case ZoneSymbol():
            source = sources.named(unit, node)
            assert source is not None
            return sources.value_of(unit, source, wanted, unit.at(node.span))
        case EnumSymbol():
            return Typed(ir.Const((1 << len(symbol.type.values)) - 1, SetType(symbol.type)), SetType(symbol.type))
        case TableSymbol():
            return unit.refuse(
                "RR0404",
                f"the table `{symbol.name}` holds one value per {symbol.keys[0]}: say which",
                node.span,
                help=f"write `{symbol.name}[{indexing.example(unit, symbol.keys[0])}]`",
            )
        case ProcedureSymbol():
            arguments = ", ".join(name for name, _ in symbol.params)
            return unit.refuse(
                "RR0409",
                f"`{symbol.name}` is {symbol_sort(symbol)}, and not a value",
                node.span,
                help=f"call it: `{symbol.name}({arguments})`" if symbol.sort == "function" else None,
            )
        case _:
            assert_never(symbol)


def _enum_value(unit: Unit, node: syn.Name, enum: EnumType | None, wanted: Type | None) -> Typed:
    holders = unit.symbols.enum_values.get(node.text, [])
    if len(holders) == 1:
        return Typed(ir.Const(holders[0].values.index(node.text), holders[0]), holders[0])
    if holders and wanted is not None and enum is None and not isinstance(bare(wanted), SetType):
        return Typed(ir.Const(holders[0].values.index(node.text), holders[0]), holders[0])  # it does not fit anyway
    if len(holders) > 1 and enum is not None:
        names = " and ".join(f"`{h.name}`" for h in holders)
        unit.refuse("RR0403", f"`{node.text}` is a value of {names}, and {noun(enum)} is wanted", node.span)
    if len(holders) > 1:
        names = " and ".join(f"`{h.name}`" for h in holders)
        named = next((h.name for h in holders if not h.of_option), None)
        unit.refuse(
            "RR0408",
            f"`{node.text}` is a value of {names}, and nothing here says which is meant",
            node.span,
            help="compare it with something of that type"
            + (f", or say the type: `let x: {named} = {node.text}`" if named else ""),
        )
    return _unknown(unit, node.text, node.span, enum, wanted)


def _unknown(unit: Unit, word: str, span: Span, enum: EnumType | None, wanted: Type | None) -> Typed:
    """Tells an unknown name, with the nearest that fits; never returns."""
    symbols = unit.symbols
    local_names = tuple(b.name for b in unit.scope)
    zones = tuple(n for n, s in symbols.names.items() if isinstance(s, ZoneSymbol))
    types = tuple(n for n, s in symbols.names.items() if isinstance(s, EnumSymbol))
    others = tuple(
        n
        for n, s in symbols.names.items()
        if n not in types and (not isinstance(s, ProcedureSymbol) or s.sort == "function")
    )
    values = tuple(symbols.enum_values)
    own = (*local_names, *others)
    groups: tuple[tuple[str, ...], ...] = (*((enum.values,) if enum else ()), own, values, types)
    if wanted == CARDS:
        groups = (zones, *groups)
    near = unit.suggestion(word, groups)
    if enum is not None:
        message = f"`{word}` is no value of `{enum.name}`, and no other name"
        options: str | None = f"the values of `{enum.name}` are {', '.join(enum.values)}"
    else:
        message = f"there is nothing named `{word}` here"
        options = _help_for(word, unit)
    return unit.refuse(
        "RR0401", message, span, help=options if near is None or word in symbols.fields else f"did you mean `{near}`?"
    )


def _help_for(word: str, unit: Unit) -> str | None:
    if word == "others":
        return "the other players: `players after me`"
    if word == "possible":
        return "`if possible` stands in a choice: `card from ZONE where CONDITION if possible`"
    if hint := false_friends.value_hint(word):
        return hint
    field = unit.symbols.fields.get(word)
    if field is not None:
        return f"`{word}` is a field of the cards: write `card.{word}`"
    return None
