"""Options and enums: the settings of a ruleset with their values in this program, and the types it declares."""

from __future__ import annotations

from rulerun.check.declarations.constants import ConstantScope, evaluate
from rulerun.check.declarations.names import Namespace, sound_name
from rulerun.check.declarations.symbols import EnumSymbol, OptionSymbol, Symbols
from rulerun.check.declarations.types import did_you_mean, noun, resolve_type
from rulerun.check.declarations.values import NUMBER, read_scalar
from rulerun.document.model import OptionDecl, TypeDecl, Word
from rulerun.ir.types import BOOL, INT, BoolType, EnumType, IntType, Type
from rulerun.source.diagnostic import Diagnostics, Note, ToldError
from rulerun.source.text import Span
from rulerun.syntax import parse_range, parse_type

MAX_VALUES = 1000


def declare_enum(decl: TypeDecl, space: Namespace, found: Diagnostics) -> None:
    """An enum of the ruleset. RR0309 for values named twice or too many, or none."""
    values = _values(decl.name, decl.values, "list them: `Side: [left, right]`", found)
    if values:
        enter_enum(EnumType(decl.name.text, values, decl.ordered), decl.name.span, space)


def _values(of: Word, words: tuple[Word, ...], way_out: str, found: Diagnostics) -> tuple[str, ...]:
    """The values of an enum, or of an option that lists its choices; what is wrong with them is told."""
    values: dict[str, Span] = {}
    for word in words:
        if word.text in values:
            found.error(
                "RR0309",
                f"`{word.text}` stands twice in `{of}`",
                word.span,
                notes=(Note("it stands here first", values[word.text]),),
                help="take one of them out",
            )
        elif sound_name(word.text, word.span, f"a value of `{of}`", found, value=True):
            values[word.text] = word.span
    if len(values) > MAX_VALUES:
        found.error("RR0309", f"`{of}` has {len(values):,} values, at most {MAX_VALUES:,} are possible", of.span)
        values = dict(list(values.items())[:MAX_VALUES])
    if not words:
        found.error("RR0309", f"`{of}` has no values", of.span, help=way_out)
    return tuple(values)


def enter_enum(type_: EnumType, span: Span | None, space: Namespace) -> None:
    """Enters an enum and its values into the tables of names; ``span`` None for a built-in one."""
    if not space.claim(type_.name, span, "a type"):
        return
    space.symbols.names[type_.name] = EnumSymbol(type_, span)
    for value in type_.values:
        space.symbols.enum_values.setdefault(value, []).append(type_)


def declare_option(decl: OptionDecl, space: Namespace, scope: ConstantScope, found: Diagnostics) -> None:
    """An option with its value. RR0305 if the value is of another type, RR0306 if it is out of range, RR0307 if its
    type cannot be told, RR0308 for a range that is none."""
    type_ = _option_type(decl, space.symbols, found) if decl.choices is None else _own_type(decl, space, found)
    low, high = _range(decl, type_, scope, found)
    value = declared = 0
    if type_ is not None:
        try:
            value = read_scalar(decl.default, type_, _option_scope(decl, type_, low, high, scope)).value
            declared = read_scalar(decl.declared, type_, scope).value if decl.declared is not None else value
        except ToldError:
            value = declared = low or 0
        else:
            if low is not None and high is not None and not low <= value <= high:
                found.error(
                    "RR0306",
                    f"the option `{decl.name}` cannot be {value}",
                    decl.default.span,
                    help=f"it goes from {low} to {high}",
                )
                value = min(max(value, low), high)
    symbol = OptionSymbol(decl.name.text, type_ or INT, value, low, high, declared, decl.about, decl.name.span)
    space.declare(decl.name, "an option", symbol)


def _own_type(decl: OptionDecl, space: Namespace, found: Diagnostics) -> Type | None:
    """The type of the choices that an option lists (``one_of``): it goes by the option's name and is no other's."""
    assert decl.choices is not None
    if decl.type is not None:
        found.error(
            "RR0307",
            f"the option `{decl.name}` has a `type` and lists its values by `one_of` too",
            decl.type.span(),
            help="take one of the two out: `one_of` makes a type of its own",
        )
    values = _values(decl.name, decl.choices, "list them: `one_of: [left, right]`", found)
    if not values:
        return None
    type_ = EnumType(decl.name.text, values, of_option=True)
    for value in values:
        space.symbols.enum_values.setdefault(value, []).append(type_)
    return type_


def _option_scope(
    decl: OptionDecl, type_: Type, low: int | None, high: int | None, scope: ConstantScope
) -> ConstantScope:
    wanted = noun(type_)
    place = f"for the option `{decl.name}`"
    if low is not None and high is not None:
        place += f" ({low} to {high})"
    elif isinstance(type_, EnumType):
        values = ", ".join(type_.values[:12])
        place += f" ({values})" if type_.of_option else f" ({wanted}: {values})"
    return scope.at(place)


def _option_type(decl: OptionDecl, symbols: Symbols, found: Diagnostics) -> Type | None:
    """The written type; or int for a range or a number, bool for true and false, the enum that has the default."""
    if decl.type is not None:
        text = parse_type(decl.type, found)
        type_ = resolve_type(text, symbols, found) if text is not None else None
        if type_ is not None and not isinstance(type_, IntType | BoolType | EnumType):
            found.error(
                "RR0307", f"an option cannot be `{type_}`", decl.type.span(), help="it is `int`, `bool` or an enum"
            )
            return None
        return type_
    told_by = decl.declared or decl.default
    value = told_by.value
    if isinstance(value, bool) or value in {"true", "false"}:
        return BOOL
    if decl.range is not None or isinstance(value, int) or (isinstance(value, str) and NUMBER.fullmatch(value)):
        return INT
    enums = symbols.enum_values.get(str(value), [])
    if len(enums) == 1:
        return enums[0]
    if enums:
        message = f"`{value}` is a value of {' and of '.join(str(e) for e in enums)}: say which with `type:`"
        help_ = f"type: {enums[0]}"
    else:
        message = f"the type of the option `{decl.name}` cannot be told from `{'' if value is None else value}`"
        help_ = did_you_mean(str(value), symbols.enum_values) or "write a number, true, false or the value of an enum"
    found.error("RR0307", message, told_by.span, help=help_)
    return None


def _range(
    decl: OptionDecl, type_: Type | None, scope: ConstantScope, found: Diagnostics
) -> tuple[int | None, int | None]:
    if decl.range is None:
        return None, None
    if type_ is not None and not isinstance(type_, IntType):
        is_ = "one of some words" if isinstance(type_, EnumType) and type_.of_option else noun(type_)
        found.error("RR0308", f"the option `{decl.name}` is {is_}: it has no range", decl.range.span())
        return None, None
    text = parse_range(decl.range, found)
    if text is None:
        return None, None
    try:
        low, high = evaluate(text.low, scope, INT).value, evaluate(text.high, scope, INT).value
    except ToldError:
        return None, None
    if low > high:
        found.error(
            "RR0308", f"the range {low}..{high} holds nothing: its first number is the lower one", decl.range.span()
        )
        return None, None
    return low, high
