"""Expressions: syntax in, IR and type out. The wanted type flows down to enum values, `none` and sets; every fault of
types is told with what was found and what was expected.

This file settles names and hands on; fields and indices, operators, folds, domains, calls and zones have files of
their own, which call back here (the language is recursive).
"""

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
from rulerun.check.rule_text import (
    calls,
    card_sets,
    domains,
    folds,
    habits,
    indices,
    operators,
    simplify,
    usual,
    visibility,
    zone_uses,
)
from rulerun.check.rule_text.scope import Binding
from rulerun.check.rule_text.typed import (
    RefusedError,
    Typed,
    accepts,
    bare,
    can_be_none,
    describe,
    join,
    optional,
)
from rulerun.check.rule_text.unit import Unit, source_text, symbol_sort
from rulerun.ir import nodes as ir
from rulerun.ir.types import (
    BOOL,
    CARDS,
    INT,
    INT_MAX,
    NONE,
    PLAYER,
    ArrayType,
    CardType,
    EnumType,
    OptionalType,
    PlayerType,
    SetType,
    Type,
)
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn


def lower(unit: Unit, node: syn.Expr, wanted: Type | None = None) -> Typed:
    """The meaning of an expression. `wanted` guides enum values, none and sets, but is not enforced: see `expect`."""
    match node:
        case syn.Name():
            return _name(unit, node, wanted)
        case syn.Int(value):
            if value > INT_MAX:
                unit.checker.refuse("RR0412", f"{value} is too big: numbers end at {INT_MAX}", node.span)
            return Typed(simplify.number(value), INT)
        case syn.Bool(truth):
            return Typed(simplify.TRUE if truth else simplify.FALSE, BOOL)
        case syn.NoneValue():
            if wanted is not None and can_be_none(wanted):
                return Typed(ir.Const(NONE, optional(wanted)), optional(wanted), nothing=wanted != optional(wanted))
            return Typed(ir.Const(NONE, OptionalType(PLAYER)), OptionalType(PLAYER), nothing=True)
        case syn.Players():
            return Typed(ir.PlayersIn(), SetType(PLAYER))
        case syn.SetOf():
            return operators.set_of(unit, node, wanted)
        case syn.Negate():
            return Typed(simplify.minus(expect(unit, node.operand, INT), unit.at(node.span)), INT)
        case syn.Not():
            return Typed(simplify.negation(condition(unit, node.operand), unit.at(node.span)), BOOL)
        case syn.Arithmetic():
            return operators.arithmetic(unit, node)
        case syn.Compare():
            return operators.compare(unit, node)
        case syn.And() | syn.Or():
            return operators.logic(unit, node)
        case syn.In():
            return operators.contained(unit, node)
        case syn.Is():
            return operators.predicate(unit, node)
        case syn.Conditional():
            return _conditional(unit, node, wanted)
        case syn.Field():
            return indices.field(unit, node, None)
        case syn.Index():
            return indices.index(unit, node, wanted)
        case syn.Call():
            if card_sets.names_subsets(unit, node):
                return card_sets.not_a_value(unit, node)
            return calls.call(unit, node)
        case syn.Fold():
            return folds.fold(unit, node)
        case syn.Best():
            return folds.best(unit, node)
        case syn.First():
            return folds.first(unit, node)
        case syn.Generator() | syn.Seats():
            return domains.as_set(unit, node)
        case syn.SetOperation():
            return operators.set_operation(unit, node, wanted)
        case syn.End():
            return zone_uses.end_in_expression(unit, node)
        case syn.AllOf():
            return zone_uses.all_cards(unit, node)
        case syn.Groups():
            return card_sets.not_a_value(unit, node)
        case syn.Cover():
            return card_sets.cover(unit, node)
        case syn.RandomOf():
            return unit.checker.refuse(
                "RR0502",
                "chance cannot happen inside an expression",
                node.span,
                help=f"write `let x = {source_text(node.span)}` on a line of its own, and then use `x`",
            )
        case syn.Range():
            return unit.checker.refuse(
                "RR0409",
                "a range of numbers is not a value",
                node.span,
                help="a range may follow `in` or `from`: `x in 1..3`, `for x in 1..3`",
            )
        case syn.AsUsual():
            return usual.refuse(unit, node)
        case syn.Broken():
            raise RefusedError
        case _:
            assert_never(node)


def expect(unit: Unit, node: syn.Expr, wanted: Type, what: str | None = None) -> ir.Expr:
    """The expression, where only `wanted` will do. `what` says in a message what the value is for."""
    return expect_typed(unit, node, wanted, what).expr


def expect_typed(unit: Unit, node: syn.Expr, wanted: Type, what: str | None = None) -> Typed:
    typed = lower(unit, node, wanted)
    check(unit, typed, wanted, node.span, what)
    return typed


def check(unit: Unit, typed: Typed, wanted: Type, span: Span, what: str | None = None) -> None:
    """Refuses a value that does not fit `wanted`."""
    if not typed.nothing and accepts(wanted, typed.type):
        return
    place = what or "here"
    text = source_text(span)
    if isinstance(typed.type, OptionalType) and not typed.nothing and typed.type.inner == wanted:
        kind = {PlayerType: "a player", CardType: "a card"}.get(type(wanted), "not none")
        unit.checker.refuse(
            "RR0407",
            f"`{text}` may be none, and {describe(wanted)} is wanted {place}",
            span,
            help=f"ask first: `if {text} is {kind}:`",
        )
    if typed.nothing:
        if isinstance(wanted, OptionalType):
            return
        unit.checker.refuse("RR0403", f"`none` cannot stand {place}: {describe(wanted)} is wanted", span)
    unit.checker.refuse(
        "RR0403",
        f"`{text}` is {describe(typed.type)}, and {describe(wanted)} is wanted {place}",
        span,
        help=_conversion_help(typed, wanted, text),
    )


def _conversion_help(typed: Typed, wanted: Type, text: str) -> str | None:
    given = typed.type
    if isinstance(given, SetType) and wanted == INT:
        return f"how many there are: `count({text})`"
    if isinstance(given, SetType) and wanted == BOOL:
        return f"whether there are any: `{text} is not empty`"
    if given == CARDS and isinstance(bare(wanted), CardType) and isinstance(typed.expr, ir.ZoneCards):
        return f"one card of it: `top of {text}`"
    if given == BOOL and wanted == INT:
        return "1 where it holds: write `1 if … else 0`, or `count(A, B)` for how many conditions hold"
    if given == INT and wanted == BOOL:
        return f"compare it: `{text} > 0`" if " " not in text else "compare it with something"
    if isinstance(given, EnumType) and wanted == INT and given.ordered:
        return f"its place in the order: `order({text})`"
    if isinstance(given, OptionalType) and wanted == BOOL:
        return f"`{text} is not none`"
    return None


def condition(unit: Unit, node: syn.Expr) -> ir.Expr:
    """An expression that is asked: true or false."""
    return expect(unit, node, BOOL, "as a condition")


# ------------------------------------------------------------------------ names


def _name(unit: Unit, node: syn.Name, wanted: Type | None) -> Typed:
    binding = unit.scope.find(node.text)
    if binding is not None:
        return read_binding(unit, binding, node)
    symbol = unit.checker.symbols.names.get(node.text)
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
    if node.text == domains.SEATS:
        seats = SetType(PLAYER)
        return Typed(ir.Const((1 << unit.checker.symbols.players) - 1, seats), seats)
    return _enum_value(unit, node, enum if isinstance(enum, EnumType) else None, wanted)


def read_binding(unit: Unit, binding: Binding, node: syn.Name) -> Typed:
    """The value of a local name; a fact about it takes ``or none`` away."""
    if binding.type is None or binding.read is None:
        raise RefusedError
    if binding.local is not None and binding.local in unit.places:
        unit.checker.refuse(
            "RR0507",
            f"`{node.text}` is a place of a shuffled pile: which card lies there is settled only when it is drawn",
            node.span,
            help="choose first and look afterwards",
        )
    type_ = binding.type
    if isinstance(type_, OptionalType) and node.text in unit.facts:
        type_ = type_.inner
    return Typed(binding.read, type_, binding.source, binding.secret)


def _symbol(unit: Unit, node: syn.Name, symbol: Symbol, wanted: Type | None) -> Typed:
    checker = unit.checker
    match symbol:
        case OptionSymbol():
            return Typed(ir.Const(symbol.value, symbol.type), symbol.type)
        case VariableSymbol():
            if isinstance(symbol.type, ArrayType):
                checker.refuse(
                    "RR0404",
                    f"`{symbol.name}` holds one value per {symbol.type.key}: say which",
                    node.span,
                    help=f"write `{symbol.name}[{indices.example(unit, symbol.type.key)}]`",
                )
            visibility.value_read(unit, symbol, (), (), node.span)
            place = ir.Place(symbol.offset, (), symbol.type, unit.at(node.span))
            return Typed(ir.Load(place), bare(symbol.type) if node.text in unit.facts else symbol.type)
        case ZoneSymbol():
            return zone_uses.value(unit, node, wanted)
        case EnumSymbol():
            return Typed(ir.Const((1 << len(symbol.type.values)) - 1, SetType(symbol.type)), SetType(symbol.type))
        case TableSymbol():
            return checker.refuse(
                "RR0404",
                f"the table `{symbol.name}` holds one value per {symbol.keys[0]}: say which",
                node.span,
                help=f"write `{symbol.name}[{indices.example(unit, symbol.keys[0])}]`",
            )
        case ProcedureSymbol():
            arguments = ", ".join(name for name, _ in symbol.params)
            return checker.refuse(
                "RR0409",
                f"`{symbol.name}` is {symbol_sort(symbol)}, and not a value",
                node.span,
                help=f"call it: `{symbol.name}({arguments})`" if symbol.sort == "function" else None,
            )
        case _:
            assert_never(symbol)


def _enum_value(unit: Unit, node: syn.Name, enum: EnumType | None, wanted: Type | None) -> Typed:
    holders = unit.checker.symbols.enum_values.get(node.text, [])
    if len(holders) == 1:
        return Typed(ir.Const(holders[0].values.index(node.text), holders[0]), holders[0])
    if holders and wanted is not None and enum is None and not isinstance(bare(wanted), SetType):
        return Typed(ir.Const(holders[0].values.index(node.text), holders[0]), holders[0])  # it does not fit anyway
    if len(holders) > 1 and enum is not None:
        names = " and ".join(f"`{h.name}`" for h in holders)
        unit.checker.refuse("RR0403", f"`{node.text}` is a value of {names}, and {noun(enum)} is wanted", node.span)
    if len(holders) > 1:
        names = " and ".join(f"`{h.name}`" for h in holders)
        named = next((h.name for h in holders if not h.of_option), None)
        unit.checker.refuse(
            "RR0408",
            f"`{node.text}` is a value of {names}, and nothing here says which is meant",
            node.span,
            help="compare it with something of that type"
            + (f", or say the type: `let x: {named} = {node.text}`" if named else ""),
        )
    return unknown(unit, node.text, node.span, enum, wanted)


def unknown(unit: Unit, word: str, span: Span, enum: EnumType | None, wanted: Type | None) -> Typed:
    """Tells an unknown name, with the nearest that fits; never returns."""
    symbols = unit.checker.symbols
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
    return unit.checker.refuse(
        "RR0401", message, span, help=options if near is None or word in symbols.fields else f"did you mean `{near}`?"
    )


def _help_for(word: str, unit: Unit) -> str | None:
    if word == "others":
        return "the other players: `players after me`"
    if word == "possible":
        return "`if possible` stands in a choice: `card from ZONE where CONDITION if possible`"
    if hint := habits.value_hint(word):
        return hint
    field = unit.checker.symbols.fields.get(word)
    if field is not None:
        return f"`{word}` is a field of the cards: write `card.{word}`"
    return None


# ------------------------------------------------------------------- conditional


def _conditional(unit: Unit, node: syn.Conditional, wanted: Type | None) -> Typed:
    test = condition(unit, node.condition)
    yes, no = operators.facts(unit, node.condition)
    hint = wanted
    with unit.knowing(yes):
        then = lower(unit, node.then, wanted)
    if hint is None and not then.nothing:
        hint = then.type
    with unit.knowing(no):
        otherwise = lower(unit, node.otherwise, hint)
    if wanted is None and then.nothing and not otherwise.nothing:
        then = lower(unit, node.then, otherwise.type)
    type_ = wanted if wanted is not None and all(_fits(t, wanted) for t in (then, otherwise)) else join(then, otherwise)
    if type_ is None:
        if then.nothing and otherwise.nothing:
            return then
        unit.checker.refuse(
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
