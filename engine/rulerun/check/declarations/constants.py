"""Constants: what an expression of a deck row, a filter, a table or a start value comes to, before any game begins.

The evaluator works on syntax nodes, since decks decide which cards exist and so come before everything that rule
text is compiled to. It knows numbers, truth values, enums, sets and lists of them; players' hands and zones do not
exist yet. Whatever goes wrong is told once, as a diagnostic with its place; work is bounded by a budget of steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from rulerun.check.declarations.symbols import EnumSymbol, OptionSymbol, Symbols, TableSymbol
from rulerun.check.declarations.types import did_you_mean, fits, how_to_order, keys_of, listed, noun, plain
from rulerun.ir import arithmetic
from rulerun.ir.nodes import key_size
from rulerun.ir.types import (
    BOOL,
    INT,
    INT_MAX,
    INT_MIN,
    NONE,
    PLAYER,
    WORD_BITS,
    ArrayType,
    EnumType,
    IntType,
    OptionalType,
    PlayerType,
    RangeKey,
    SetType,
    Type,
)
from rulerun.source.diagnostic import Diagnostics, ToldError
from rulerun.source.text import Piece, Span
from rulerun.syntax import nodes as syn

MAX_STEPS = 300_000
"""Steps that all constants of a ruleset may take together (under half a second)."""

SWITCHES = {"yes": "true", "on": "true", "true": "true", "no": "false", "off": "false", "false": "false"}
"""How a truth is called elsewhere, and how it is written here."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A value: its type (None for a bare ``none``) and its words; one word but for a list (``int per Colour``)."""

    type: Type | None
    words: tuple[int, ...]

    @property
    def value(self) -> int:
        return self.words[0]


NOTHING = Constant(None, (NONE,))


class Names(Protocol):
    """Values that have names of their own here: the fields of a row."""

    def get(self, name: str) -> Constant | None:
        """The value of the name, None if it is not one of these. May raise `ToldError`."""
        ...

    def names(self) -> list[str]: ...


@dataclass
class Budget:
    steps: int = MAX_STEPS


@dataclass(frozen=True)
class ConstantScope:
    """What an expression can name. ``keys``: keys of a zone, names that folds bind; ``fields``: those of the card."""

    symbols: Symbols
    found: Diagnostics
    fields: Names | None = None
    keys: Mapping[str, Constant] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    parsed: dict[Piece, syn.Expr] = field(default_factory=dict)
    place: str = "here"
    """What is being written, for messages: "in a deck row"."""
    later: frozenset[str] = frozenset()
    """Names of zones, variables and procedures, which mean something in rule text only."""

    def at(self, place: str) -> ConstantScope:
        """The same names for another place of the ruleset."""
        return replace(self, fields=None, keys={}, place=place)

    def bind(self, name: str, value: Constant) -> ConstantScope:
        return replace(self, keys={**self.keys, name: value})

    def with_fields(self, fields: Names | None, keys: Mapping[str, Constant] | None = None) -> ConstantScope:
        return replace(self, fields=fields, keys=self.keys if keys is None else keys)

    def refusal(self, code: str, message: str, span: Span, help: str | None = None) -> ToldError:  # noqa: A002
        """Tells what is wrong; the caller raises what this returns."""
        self.found.error(code, message, span, help=help)
        return ToldError()


def conform(value: Constant, wanted: Type, span: Span, scope: ConstantScope) -> Constant:
    """The value as one of the wanted type. RR0305 if it is none."""
    if value.type is None:
        if isinstance(wanted, OptionalType):
            return Constant(wanted, (NONE,))
        raise scope.refusal("RR0305", f"{noun(wanted)} is wanted {scope.place}, and this is none", span)
    if fits(value.type, wanted):
        return Constant(wanted, value.words)
    raise scope.refusal("RR0305", f"{noun(wanted)} is wanted {scope.place}, and this is {noun(value.type)}", span)


def evaluate(expr: syn.Expr, scope: ConstantScope, wanted: Type | None = None) -> Constant:
    """The value of an expression, of the wanted type if one is given. Raises `ToldError` when it has told why."""
    value = _value(expr, scope, wanted)
    return value if wanted is None else conform(value, wanted, expr.span, scope)


def whole_number(number: int, span: Span, scope: ConstantScope, told: str = "") -> Constant:
    """A number as a constant. RR0312, which calls it ``told``, if it does not fit into 32 bits."""
    if not INT_MIN <= number <= INT_MAX:
        raise scope.refusal("RR0312", f"{told or number} is out of range: numbers go from {INT_MIN} to {INT_MAX}", span)
    return Constant(INT, (number,))


def _truth(value: bool) -> Constant:
    return Constant(BOOL, (int(value),))


def _value(expr: syn.Expr, scope: ConstantScope, wanted: Type | None) -> Constant:
    _step(scope, expr.span)
    match expr:
        case syn.Int(value, span):
            return whole_number(value, span, scope)
        case syn.Bool(value):
            return _truth(value)
        case syn.NoneValue():
            return NOTHING
        case syn.Players():
            return Constant(SetType(PLAYER), ((1 << scope.symbols.players) - 1,))
        case syn.Name(text, span):
            return _name(text, span, scope, wanted)
        case syn.SetOf(items, span):
            return _set(items, span, scope, wanted)
        case syn.Negate(operand, span):
            return whole_number(-evaluate(operand, scope, INT).value, span, scope)
        case syn.Not(operand):
            return _truth(not evaluate(operand, scope, BOOL).value)
        case syn.Arithmetic():
            return _arithmetic(expr, scope)
        case syn.Compare():
            return _compare(expr, scope)
        case syn.And(left, right):
            return _truth(bool(evaluate(left, scope, BOOL).value and evaluate(right, scope, BOOL).value))
        case syn.Or(left, right):
            return _truth(bool(evaluate(left, scope, BOOL).value or evaluate(right, scope, BOOL).value))
        case syn.In(item, domain, negated):
            return _truth(_is_in(item, domain, scope) != negated)
        case syn.Is():
            return _is(expr, scope)
        case syn.Conditional(condition, then, otherwise):
            chosen = then if evaluate(condition, scope, BOOL).value else otherwise
            return _value(chosen, scope, wanted)
        case syn.Field():
            return _field(expr, scope)
        case syn.Index():
            return _index(expr, scope)
        case syn.Call():
            return _call(expr, scope, wanted)
        case syn.Fold():
            return _fold(expr, scope)
        case syn.SetOperation(op, left, right, span):
            a, b = _pair(left, right, scope)
            if not isinstance(a.type, SetType) or a.type != b.type:
                raise scope.refusal("RR0305", f"`{op}` joins two sets of one type", span)
            x, y = a.value, b.value
            return Constant(a.type, (x | y if op == "union" else x & y if op == "common" else x & ~y,))
        case syn.Broken():
            raise ToldError
        case _:
            raise scope.refusal(
                "RR0311",
                f"this cannot be worked out before a game begins, as it must {scope.place}",
                expr.span,
                help="numbers, options, enum values, tables and the fields of the card can stand here",
            )


def _step(scope: ConstantScope, span: Span) -> None:
    scope.budget.steps -= 1
    if scope.budget.steps < 0:
        raise scope.refusal("RR0312", "the constants of this ruleset take too long to work out", span)


# ---------------------------------------------------------------------- names


def _name(text: str, span: Span, scope: ConstantScope, wanted: Type | None) -> Constant:
    if text in scope.keys:
        return scope.keys[text]
    enum = plain(wanted) if wanted is not None else None
    if isinstance(enum, EnumType) and text in enum.values:
        return Constant(enum, (enum.values.index(text),))
    if scope.fields is not None and (value := scope.fields.get(text)) is not None:
        return value
    symbol = scope.symbols.names.get(text)
    enums = scope.symbols.enum_values.get(text, [])
    if isinstance(symbol, OptionSymbol):
        return Constant(symbol.type, (symbol.value,))
    if isinstance(symbol, EnumSymbol) and len(symbol.type.values) <= WORD_BITS:
        return Constant(SetType(symbol.type), ((1 << len(symbol.type.values)) - 1,))
    if isinstance(enum, EnumType) and enums:
        raise scope.refusal(
            "RR0310",
            f"`{text}` is {f'not {noun(enum)}' if enum.of_option else f'no {enum}'}, it is {noun(enums[0])}",
            span,
            help=did_you_mean(text, enum.values) or f"{enum} has the values {listed(enum.values)}",
        )
    if len(enums) == 1:
        return Constant(enums[0], (enums[0].values.index(text),))
    if len(enums) > 1:
        raise scope.refusal(
            "RR0310",
            f"`{text}` is a value of {' and of '.join(str(e) for e in enums)}: which is meant cannot be told here",
            span,
        )
    if symbol is not None or text in scope.later:
        raise scope.refusal(
            "RR0311",
            f"`{text}` cannot be read {scope.place}: it has no value before a game begins",
            span,
            help="options, enum values, tables and the fields of the card have one",
        )
    raise _unknown(text, span, scope, enum)


def _unknown(text: str, span: Span, scope: ConstantScope, enum: Type | None) -> ToldError:
    known = list(scope.keys)
    if isinstance(enum, EnumType):
        known += enum.values
    if scope.fields is not None:
        known += scope.fields.names()
    known += [n for n, s in scope.symbols.names.items() if isinstance(s, OptionSymbol | TableSymbol | EnumSymbol)]
    known += list(scope.symbols.enum_values)
    near = did_you_mean(text, known)
    if isinstance(enum, EnumType):
        message = f"{f'the option `{enum}`' if enum.of_option else enum} has no value `{text}`"
        near = did_you_mean(text, enum.values) or near or f"{enum} has the values {listed(enum.values)}"
    else:
        message = f"nothing is called `{text}` {scope.place}"
        if (truth := SWITCHES.get(text.casefold())) is not None:
            near = f"write `{truth}`"
    return scope.refusal("RR0310", message, span, near)


# ----------------------------------------------------------------- operations


def _arithmetic(expr: syn.Arithmetic, scope: ConstantScope) -> Constant:
    left = evaluate(expr.left, scope, INT).value
    right = evaluate(expr.right, scope, INT).value
    if not arithmetic.is_defined(expr.op, right):
        why = f"an exponent of {right} gives no whole number" if expr.op == "**" else "this divides by zero"
        raise scope.refusal("RR0312", why, expr.span)
    number = arithmetic.CHECKED[expr.op](left, right)
    return whole_number(number, expr.span, scope, told=f"{left} ** {right}" if expr.op == "**" else str(number))


def _needs_help(expr: syn.Expr, scope: ConstantScope) -> bool:
    """Whether what an operand means may depend on the other one: an enum value, a set of them, none."""
    match expr:
        case syn.Name(text):
            known = text in scope.keys or (scope.fields is not None and text in scope.fields.names())
            return not known and not isinstance(scope.symbols.names.get(text), OptionSymbol)
        case syn.SetOf() | syn.NoneValue():
            return True
        case syn.Conditional(_, then, otherwise):
            return _needs_help(then, scope) and _needs_help(otherwise, scope)
        case _:  # it says its type itself
            return False


def _pair(left: syn.Expr, right: syn.Expr, scope: ConstantScope) -> tuple[Constant, Constant]:
    """Both operands, the one that is clear by itself first, so that it can tell what the other means."""
    if _needs_help(left, scope) and not _needs_help(right, scope):
        b = _value(right, scope, None)
        return _value(left, scope, b.type), b
    a = _value(left, scope, None)
    return a, _value(right, scope, a.type)


def _compare(expr: syn.Compare, scope: ConstantScope) -> Constant:
    a, b = _pair(expr.left, expr.right, scope)
    if a.type is not None and b.type is not None:
        if plain(a.type) != plain(b.type):
            raise scope.refusal("RR0305", f"{noun(a.type)} cannot be compared with {noun(b.type)}", expr.span)
        if isinstance(a.type, ArrayType):
            raise scope.refusal("RR0305", "lists of values cannot be compared; compare their elements", expr.span)
    if expr.op in {"==", "!="}:
        return _truth((a.value == b.value) == (expr.op == "=="))
    if not isinstance(a.type, IntType) and not (isinstance(a.type, EnumType) and a.type.ordered):
        what = "none" if a.type is None else noun(a.type)
        way = how_to_order(a.type) if isinstance(a.type, EnumType) else None
        raise scope.refusal("RR0305", f"{what} is neither more nor less than another", expr.span, way)
    x, y = a.value, b.value
    return _truth({"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[expr.op])


def _is_in(item: syn.Expr, domain: syn.Expr, scope: ConstantScope) -> bool:
    if isinstance(domain, syn.Range):
        number = evaluate(item, scope, INT).value
        return evaluate(domain.low, scope, INT).value <= number <= evaluate(domain.high, scope, INT).value
    if isinstance(domain, syn.SetOf) or not _needs_help(item, scope):
        element = _value(item, scope, None)
        if isinstance(element.type, IntType) and isinstance(domain, syn.SetOf):
            return any(evaluate(e, scope, INT).value == element.value for e in domain.items)
        enum = plain(element.type) if element.type is not None else None
        members = _value(domain, scope, SetType(enum) if enum is not None else None)
    else:
        members = _value(domain, scope, None)
        element = _value(item, scope, members.type.of if isinstance(members.type, SetType) else None)
    if not isinstance(members.type, SetType):
        raise scope.refusal("RR0305", "a set or a range is wanted after `in`", domain.span)
    if element.type is not None and plain(element.type) != members.type.of:
        raise scope.refusal("RR0305", f"{noun(element.type)} cannot be in {noun(members.type)}", item.span)
    return element.value >= 0 and bool(members.value >> element.value & 1)


def _is(expr: syn.Is, scope: ConstantScope) -> Constant:
    value = _value(expr.operand, scope, None)
    match expr.predicate:
        case "none":
            return _truth((value.type is None or (_may_be_none(value.type) and value.value == NONE)) != expr.negated)
        case "some":
            return _truth(
                (value.type is not None and not (_may_be_none(value.type) and value.value == NONE)) != expr.negated
            )
        case "empty" if isinstance(value.type, SetType):
            return _truth((value.value == 0) != expr.negated)
        case _:
            raise scope.refusal("RR0311", f"`is {expr.predicate}` cannot be asked {scope.place}", expr.span)


def _may_be_none(type_: Type) -> bool:
    return isinstance(type_, OptionalType)


def _set(items: tuple[syn.Expr, ...], span: Span, scope: ConstantScope, wanted: Type | None) -> Constant:
    of = wanted.of if isinstance(wanted, SetType) else None
    if not items:
        if of is None:
            raise scope.refusal("RR0305", "what this empty set would hold cannot be told here", span)
        return Constant(SetType(of), (0,))
    bits = 0
    for item in items:
        value = _value(item, scope, of)
        if of is None and value.type is not None:
            of = plain(value.type)
            if not isinstance(of, EnumType | PlayerType):
                raise scope.refusal("RR0305", f"a set holds values of an enum, and this is {noun(of)}", item.span)
            if isinstance(of, EnumType) and len(of.values) > WORD_BITS:
                raise scope.refusal("RR0304", f"`{of}` has too many values for a set (at most {WORD_BITS})", item.span)
        assert of is not None or value.type is None
        bits |= 1 << conform(value, of or INT, item.span, scope).value
    assert of is not None
    return Constant(SetType(of), (bits,))


def _field(expr: syn.Field, scope: ConstantScope) -> Constant:
    if scope.fields is not None and isinstance(expr.of, syn.Name) and expr.of.text == "card":
        value = scope.fields.get(expr.name.text)
        if value is not None:
            return value
        near = did_you_mean(expr.name.text, scope.fields.names())
        way = near or f"the fields are {listed(scope.fields.names())}"
        raise scope.refusal("RR0310", f"a card has no field `{expr.name.text}`", expr.name.span, way)
    raise scope.refusal("RR0311", f"only `card` has fields {scope.place}", expr.span)


def _index(expr: syn.Index, scope: ConstantScope) -> Constant:
    of = expr.of
    table = scope.symbols.names.get(of.text) if isinstance(of, syn.Name) else None
    if isinstance(table, TableSymbol):
        keys, value_type = table.keys, table.value
        words = scope.symbols.tables_data[table.index].values
        type_: Type = value_type
    else:
        base = _value(of, scope, None)
        if not isinstance(base.type, ArrayType):
            raise scope.refusal("RR0305", "only a table or a field with keys can be read with `[...]`", expr.span)
        keys, words = keys_of(base.type), base.words
        type_ = base.type
        for _ in expr.indices:
            if not isinstance(type_, ArrayType):
                break
            type_ = type_.value
    if len(expr.indices) > len(keys) or (isinstance(table, TableSymbol) and len(expr.indices) < len(keys)):
        raise scope.refusal("RR0305", f"{len(keys)} keys are wanted here, not {len(expr.indices)}", expr.span)
    for index, key in zip(expr.indices, keys, strict=False):
        size = key_size(key, scope.symbols.players, 0)
        if isinstance(key, RangeKey):
            at = evaluate(index, scope, INT).value - key.low
            if not 0 <= at < size:
                raise scope.refusal("RR0312", f"{at + key.low} is outside {key}", index.span)
        else:
            at = evaluate(index, scope, key).value
        width = len(words) // size
        words = words[at * width : (at + 1) * width]
    return Constant(type_, words)


def _call(expr: syn.Call, scope: ConstantScope, wanted: Type | None) -> Constant:
    name, arguments = expr.name.text, expr.arguments
    if name in {"min", "max"} and len(arguments) == 2:
        a, b = (evaluate(x, scope, INT).value for x in arguments)
        return Constant(INT, (min(a, b) if name == "min" else max(a, b),))
    if name in {"order", "count"} and len(arguments) == 1:
        value = _value(arguments[0], scope, None)
        if name == "count" and isinstance(value.type, SetType):
            return Constant(INT, (value.value.bit_count(),))
        if name == "order" and isinstance(value.type, EnumType) and value.type.ordered:
            return Constant(INT, (value.value,))
        what = "an ordered enum" if name == "order" else "a set"
        raise scope.refusal("RR0305", f"`{name}` wants {what} {scope.place}", arguments[0].span)
    if name in {"next", "previous"} and len(arguments) == 1:
        value = _value(arguments[0], scope, wanted)
        if isinstance(value.type, EnumType):
            step = 1 if name == "next" else -1
            return Constant(value.type, ((value.value + step) % len(value.type.values),))
        raise scope.refusal("RR0305", f"`{name}` wants a value of a type {scope.place}", arguments[0].span)
    raise scope.refusal(
        "RR0311",
        f"`{name}` cannot be called {scope.place}",
        expr.span,
        help="`min`, `max`, `order`, `next`, `previous`, `count` and sums over enums and ranges can",
    )


# ---------------------------------------------------------------------- folds


def elements(domain: syn.Expr, scope: ConstantScope) -> Iterator[Constant]:
    """The elements of a constant domain: a range, an enum, a set, the players."""
    if isinstance(domain, syn.Range):
        low, high = evaluate(domain.low, scope, INT).value, evaluate(domain.high, scope, INT).value
        for number in range(low, high + 1):
            yield Constant(INT, (number,))
        return
    if isinstance(domain, syn.Name) and isinstance(symbol := scope.symbols.names.get(domain.text), EnumSymbol):
        for i in range(len(symbol.type.values)):
            yield Constant(symbol.type, (i,))
        return
    value = _value(domain, scope, None)
    if not isinstance(value.type, SetType):
        raise scope.refusal("RR0311", f"only enums, ranges and sets can be gone through {scope.place}", domain.span)
    for i in range(value.value.bit_length()):
        if value.value >> i & 1:
            yield Constant(value.type.of, (i,))


def _inner_scopes(clauses: tuple[syn.Clause, ...], scope: ConstantScope) -> Iterator[ConstantScope]:
    if not clauses:
        yield scope
        return
    first, *rest = clauses
    for item in elements(first.domain, scope):
        inner = scope.bind(first.name.text, item)
        _step(scope, first.name.span)
        if first.where is None or evaluate(first.where, inner, BOOL).value:
            yield from _inner_scopes(tuple(rest), inner)


def _fold(expr: syn.Fold, scope: ConstantScope) -> Constant:
    kind = expr.kind.text
    scopes = _inner_scopes(expr.clauses, scope)
    match kind:
        case "count":
            return Constant(INT, (sum(1 for _ in scopes),))
        case "sum":
            total = 0
            for inner in scopes:
                total = whole_number(total + evaluate(expr.value, inner, INT).value, expr.span, scope).value
            return Constant(INT, (total,))
        case "some":
            return _truth(any(evaluate(expr.value, inner, BOOL).value for inner in scopes))
        case "every":
            return _truth(all(evaluate(expr.value, inner, BOOL).value for inner in scopes))
        case "min" | "max":
            numbers = [evaluate(expr.value, inner, INT).value for inner in scopes]
            if numbers:
                return Constant(INT, (min(numbers) if kind == "min" else max(numbers),))
            if expr.default is None:
                way = f"write `{kind}(...) or else 0`"
                raise scope.refusal("RR0312", f"`{kind}` of nothing has no value", expr.span, way)
            return evaluate(expr.default, scope, INT)
        case "same" | "distinct":
            values = {_value(expr.value, inner, None).words for inner in scopes}
            return _truth(len(values) <= 1) if kind == "same" else Constant(INT, (len(values),))
        case _:
            raise scope.refusal("RR0311", f"`{kind}` cannot be used {scope.place}", expr.span)
