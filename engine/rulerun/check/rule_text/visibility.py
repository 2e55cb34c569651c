"""Who may read which face, and which value of the state: what a choice offers, and what a note says, must follow from
what its reader can see.

Here is refused what `seen_by` settles; the rest is left to the executor, which knows who was shown what.
"""

from __future__ import annotations

from typing import assert_never

from rulerun.check.declarations.symbols import VariableSymbol, ZoneSymbol
from rulerun.check.rule_text.compilation import FaceRead, FunctionInfo
from rulerun.check.rule_text.narrowing import Fact, Says
from rulerun.check.rule_text.typed import Typed, ZoneUse, same_expression
from rulerun.check.rule_text.units import FunctionUnit, Observer, ProcedureUnit, Unit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.program import SeenBy
from rulerun.ir.types import PlayerType, RangeKey, Type
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn


def face_read(unit: Unit, card: Typed, name: str | None, span: Span) -> None:
    """A face field of `card` is read at `span`; `name` is the card's name, where it has one."""
    match unit:
        case FunctionUnit():
            _remember(unit, card, span)
        case ProcedureUnit(observer=Observer(who=None)):
            pass  # a note: see `check.sight`
        case ProcedureUnit(observer=Observer()):
            known = name is not None and Fact(name, Says.KNOWN) in unit.facts
            if not known and card.source is not None and not may_see(unit, card.source):
                refuse_read(unit, card.source.symbol, span)
        case ProcedureUnit():
            pass  # nobody reads it: what is lowered happens
        case _:
            assert_never(unit)


def _remember(unit: FunctionUnit, card: Typed, span: Span) -> None:
    text = source_text(span)
    if isinstance(card.expr, ir.Local) and card.expr.index < unit.param_count:
        unit.reads.append(FaceRead(card.expr.index, None, None, False, text))
    elif card.source is not None:
        _remember_owned(unit, card.source.symbol, card.source.owner, text)


def _remember_owned(
    unit: FunctionUnit, of: ZoneSymbol | VariableSymbol, owner: ir.Expr | None, text: str, *, anyone: bool = False
) -> None:
    """A function reads of what `owner` owns. ``anyone``: one that it calls runs over all players."""
    param = owner.index if isinstance(owner, ir.Local) and owner.index < unit.param_count else None
    anyone = anyone or (isinstance(owner, ir.Local) and owner.index in unit.roaming)
    unit.reads.append(FaceRead(None, of, param, anyone, text))


def value_read(
    unit: Unit,
    variable: VariableSymbol,
    keys: tuple[Type | RangeKey, ...],
    values: tuple[ir.Expr, ...],
    span: Span,
) -> None:
    """A value of a state variable is read at `span`; `keys` are those of its type, `values` which one it is."""
    if variable.seen_by is SeenBy.EVERYONE:
        return
    owner = next((value for key, value in zip(keys, values, strict=True) if isinstance(key, PlayerType)), None)
    _owned_read(unit, variable, owner, source_text(span), span)


def function_reads(unit: Unit, node: syn.Call, info: FunctionInfo, values: list[Typed]) -> None:
    """A function is called: the faces and values that it reads are read here."""
    for read in info.reads:
        if read.card is not None:
            argument = node.arguments[read.card]
            name = argument.text if isinstance(argument, syn.Name) else None
            face_read(unit, values[read.card], name, argument.span)
        elif read.of is not None:
            owner = values[read.owner].expr if read.owner is not None else None
            also = f"`{node.name.text}` reads `{read.text}`"
            _owned_read(unit, read.of, owner, read.text, node.span, also, anyone=read.anyone)


def _owned_read(
    unit: Unit,
    of: ZoneSymbol | VariableSymbol,
    owner: ir.Expr | None,
    text: str,
    span: Span,
    also: str | None = None,
    *,
    anyone: bool = False,
) -> None:
    """What `owner` owns is read at `span`, written as `text`; ``also`` says so in a message, if `span` does not."""
    match unit:
        case FunctionUnit():
            _remember_owned(unit, of, owner, text, anyone=anyone)
        case ProcedureUnit(observer=Observer(who=None)):
            pass  # a note: see `check.sight`
        case ProcedureUnit(observer=Observer() as observer):
            if _verdict(unit, observer, of, owner, anyone=anyone) is False:
                refuse_read(unit, of, span, also)
        case ProcedureUnit():
            pass  # nobody reads it: what is lowered happens
        case _:
            assert_never(unit)


def may_see(unit: ProcedureUnit, use: ZoneUse) -> bool:
    """False where it is settled that the reader cannot see the faces in a zone."""
    observer = unit.observer
    assert observer is not None
    undrawn = use.symbol.kind.ordered and use.symbol.index in unit.compilation.shuffled
    if undrawn and use.symbol.seen_by is not SeenBy.EVERYONE and not _may_lie_open(unit, observer, use.symbol):
        return False
    return _verdict(unit, observer, use.symbol, use.owner) is not False


def surely_sees(use: ZoneUse, who: ir.Expr) -> bool:
    """Whether it is settled that a player sees the faces in a zone."""
    if use.symbol.seen_by is SeenBy.EVERYONE:
        return True
    owner = use.owner
    return use.symbol.seen_by is SeenBy.OWNER and owner is not None and same_expression(owner, who)


def surely_blind(unit: ProcedureUnit, use: ZoneUse, who: ir.Expr) -> bool:
    """Whether it is settled that a player does not see the faces in a zone."""
    return _verdict(unit, Observer(who, ""), use.symbol, use.owner) is False


def _verdict(
    unit: ProcedureUnit,
    observer: Observer,
    of: ZoneSymbol | VariableSymbol,
    owner: ir.Expr | None,
    *,
    anyone: bool = False,
) -> bool | None:
    """Whether the reader sees a zone or value, by `seen_by` alone; None where that is not settled."""
    seen = _verdict_of_words(unit, observer, of, owner, anyone=anyone)
    return None if seen is False and _may_lie_open(unit, observer, of) else seen


def _may_lie_open(unit: ProcedureUnit, observer: Observer, of: ZoneSymbol | VariableSymbol) -> bool:
    """Whether a choice may read cards of a zone because they may lie face up; whether they do shows when it is offered.
    A note is looked through by nobody when it is told."""
    return isinstance(of, ZoneSymbol) and of.index in unit.compilation.turned and observer.who is not None


def _verdict_of_words(
    unit: ProcedureUnit, observer: Observer, of: ZoneSymbol | VariableSymbol, owner: ir.Expr | None, *, anyone: bool
) -> bool | None:
    match of.seen_by:
        case SeenBy.EVERYONE:
            return True
        case SeenBy.NOBODY:
            return False
        case SeenBy.OWNER:
            if observer.who is None:
                return False if unit.symbols.players > 1 else None
            return False if anyone else _owns(unit, owner, observer.who)
        case SeenBy.OTHERS:
            if observer.who is None:
                return False
            owns = None if anyone else _owns(unit, owner, observer.who)
            return False if anyone or owns is True else None if owns is None else True


def _owns(unit: ProcedureUnit, owner: ir.Expr | None, who: ir.Expr) -> bool | None:
    """Whether `who` is the owner; None if that is not settled."""
    if owner is None:
        return None
    if isinstance(owner, ir.Local) and owner.index in unit.roaming:
        return False
    owner, who = _resolve(unit, owner), _resolve(unit, who)
    if same_expression(owner, who):
        return True
    for one, other in ((owner, who), (who, owner)):
        if isinstance(one, ir.Neighbour) and same_expression(_resolve(unit, one.player), other):
            return False
    if isinstance(owner, ir.Const) and isinstance(who, ir.Const):
        return owner.value == who.value
    return None


def _resolve(unit: ProcedureUnit, expr: ir.Expr) -> ir.Expr:
    """A name that always holds another expression, as that expression."""
    if isinstance(expr, ir.Load) and not expr.place.axes and expr.place.offset in unit.aliases:
        return unit.aliases[expr.place.offset]
    return expr


_SEEN = {
    SeenBy.EVERYONE: "everyone sees",
    SeenBy.NOBODY: "nobody sees",
    SeenBy.OWNER: "only its owner sees",
    SeenBy.OTHERS: "its owner does not see",
}


def refuse_read(unit: ProcedureUnit, of: ZoneSymbol | VariableSymbol, span: Span, also: str | None = None) -> None:
    """Tells that the reader may not read there; ``also`` says what is read, if `span` does not."""
    observer = unit.observer
    assert observer is not None
    reads = also or f"`{source_text(span)}` is read"
    if isinstance(of, VariableSymbol):
        if observer.who is None:
            unit.refuse(
                "RR0508",
                f"a note is told to everyone, and {reads}, which {_SEEN[of.seen_by]}",
                span,
                help="store it in a variable that everyone sees first: then it is told, and can be said",
            )
        unit.refuse(
            "RR0507",
            f"{observer.what} must follow from what the player sees, and {reads}, which {_SEEN[of.seen_by]}",
            span,
            help="choose first and look afterwards",
        )
    zone = of
    if observer.who is None:
        unit.refuse(
            "RR0508",
            f"a note is told to everyone, and {reads} from `{zone.name}`, whose faces not everyone sees",
            span,
            help="reveal the card first and say it then, or leave it out",
        )
    unit.refuse(
        "RR0507",
        f"{observer.what} must follow from what the player sees, and {reads} from `{zone.name}`, whose faces "
        f"{_SEEN[zone.seen_by]}",
        span,
        help="choose first and look afterwards, or ask `knows(player, card) and …`",
    )
