"""Zones: families and their instances, who sees them, where cards start, how piles are refilled."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import product

from rulerun.check.declarations.card_names import Printed
from rulerun.check.declarations.constant_text import text_of
from rulerun.check.declarations.constants import Constant, ConstantScope, evaluate
from rulerun.check.declarations.names import Namespace
from rulerun.check.declarations.seen_by import has_owner, words_said
from rulerun.check.declarations.symbols import EnumSymbol, Symbols, ZoneSymbol
from rulerun.check.declarations.teams import is_team
from rulerun.check.declarations.types import did_you_mean, listed
from rulerun.check.declarations.values import condition, parse_piece, read_int
from rulerun.document.model import RefillDecl, Scalar, ZoneDecl
from rulerun.ir.nodes import key_size
from rulerun.ir.program import RefillRule, SeenBy, Zone, ZoneKind
from rulerun.ir.types import INT, PLAYER, EnumType, PlayerType, RangeKey, Type
from rulerun.source.diagnostic import Diagnostics, Note, ToldError
from rulerun.source.text import Piece, Span
from rulerun.syntax import parse_range

MAX_ZONES = 500
"""Zone instances of a game, all families together."""

Keys = tuple[Type | RangeKey, ...]


def declare_zones(decls: tuple[ZoneDecl, ...], space: Namespace, scope: ConstantScope, found: Diagnostics) -> None:
    """Fills the zone symbols and ``zones_data``. RR0320 to RR0324."""
    instances: list[Zone] = []
    declared: list[tuple[ZoneDecl, ZoneSymbol]] = []
    for decl in decls:
        kind = ZoneKind(decl.kind.text)
        keys = _keys(decl, scope, found)
        if decl.places is not None:
            keys = (*keys, _places(decl.places, decl, scope, found))
        seen_by = _seen_by(decl, kind, keys, scope, found)
        size = 1
        for key in keys:
            size *= key_size(key, space.symbols.players, 0)
        if len(instances) + size > MAX_ZONES:
            found.error(
                "RR0328",
                f"`{decl.name}` makes {size:,} zones; a game has at most {MAX_ZONES} in all",
                decl.per[0].span() if decl.per else decl.span,
            )
            keys, size = (), 1
        columns = decl.columns
        symbol = ZoneSymbol(
            decl.name.text,
            len(declared),
            kind,
            seen_by,
            keys,
            len(instances),
            size,
            None,
            columns,
            decl.about,
            decl.name.span,
            decl.seen_by is not None and decl.seen_by.text.strip() == SeenBy.EVERYONE.value,
        )
        if not space.declare(decl.name, "a zone", symbol):
            continue
        declared.append((decl, symbol))
        instances += _instances(symbol, space.symbols)
    space.symbols.zones_data = tuple(instances)
    for decl, symbol in declared:
        if decl.refill is not None and (rule := _refill(decl.refill, symbol, space.symbols, scope, found)) is not None:
            space.symbols.names[symbol.name] = replace(symbol, refill=rule)


def _keys(decl: ZoneDecl, scope: ConstantScope, found: Diagnostics) -> Keys:
    keys = []
    for piece in decl.per:
        key = zone_key(piece, scope, found, f"the zone `{decl.name}`")
        if key is not None:
            keys.append(key)
    return tuple(keys)


def _places(piece: Piece, decl: ZoneDecl, scope: ConstantScope, found: Diagnostics) -> RangeKey:
    """The numbers of a board's places: ``1..6``, or ``6``, which means the same."""
    if ".." in piece.text:
        key = zone_key(piece, scope, found, f"the places of `{decl.name}`")
        return key if isinstance(key, RangeKey) else RangeKey(1, 1)
    try:
        count = evaluate(parse_piece(piece, scope), scope, INT).value
    except ToldError:
        return RangeKey(1, 1)
    if count < 1:
        found.error("RR0308", f"a board of {count} places has none", piece.span(), help="write `1..6`, or `6`")
        return RangeKey(1, 1)
    return RangeKey(1, count)


def zone_key(piece: Piece, scope: ConstantScope, found: Diagnostics, what: str) -> Type | RangeKey | None:
    """A key as written: ``player``, an enum, a range. RR0323 if it is none of these."""
    text = piece.text.strip()
    if text in {"player", "Player"}:
        return PLAYER
    symbol = scope.symbols.names.get(text)
    if isinstance(symbol, EnumSymbol):
        return symbol.type
    if ".." in text:
        written = parse_range(piece, found)
        if written is None:
            return None
        try:
            low, high = evaluate(written.low, scope, INT).value, evaluate(written.high, scope, INT).value
        except ToldError:
            return None
        if low > high:
            found.error(
                "RR0308", f"the range {low}..{high} holds nothing: its first number is the lower one", piece.span()
            )
            return None
        return RangeKey(low, high)
    enums = [n for n, s in scope.symbols.names.items() if isinstance(s, EnumSymbol)]
    near = did_you_mean(text, ["player", *enums])
    found.error(
        "RR0323",
        f"`{text}` cannot be the key of {what}",
        piece.span(),
        help=near or f"a key is `player`, a range such as `1..4`, or an enum{': ' + listed(enums) if enums else ''}",
    )
    return None


def _seen_by(decl: ZoneDecl, kind: ZoneKind, keys: Keys, scope: ConstantScope, found: Diagnostics) -> SeenBy:
    owned = has_owner(keys, scope.symbols)
    if decl.seen_by is None:
        if kind is ZoneKind.HAND and owned:
            return SeenBy.OWNER
        allowed = "everyone, owner, others or nobody" if owned else "everyone or nobody"
        found.error(
            "RR0320",
            f"`{decl.name}` does not say who sees its faces",
            decl.name.span,
            help=f"add `seen_by:` {allowed}; only a `hand` per player has a default, `owner`",
        )
        return SeenBy.EVERYONE
    said = words_said(decl.seen_by, scope)
    for word in said:
        if word in {SeenBy.OWNER, SeenBy.OTHERS} and not owned:
            found.error(
                "RR0321",
                f"`{decl.name}` has no owner, so it cannot be seen by `{word.value}`",
                decl.seen_by.span(),
                help="a zone `per: player` has owners; any other is seen by `everyone` or `nobody`",
            )
            return SeenBy.EVERYONE
    return said[0] if said else SeenBy.EVERYONE


def _instances(symbol: ZoneSymbol, symbols: Symbols) -> list[Zone]:
    """One zone per combination of keys, row by row; names for people. Whoever plays alone owns the team's zone."""
    ranges = [range(key_size(key, symbols.players, 0)) for key in symbol.keys]
    zones = []
    for values in product(*ranges):
        name = symbol.name.replace("_", " ")
        owner = team = -1
        for key, value in zip(symbol.keys, values, strict=True):
            match key:
                case PlayerType():
                    name += f" of P{value + 1}"
                    owner = value if owner < 0 else owner
                case EnumType() if is_team(key, symbols) and symbols.teams == symbols.players:
                    name += f" of P{value + 1}"
                    owner = value if owner < 0 else owner
                case EnumType() if is_team(key, symbols):
                    name += f" of team {value + 1}"
                    team = value
                case RangeKey(low) if key is symbol.place_key:
                    name = f"place {low + value} of {name}"
                case RangeKey(low):
                    name += f" {low + value}"
                case _:
                    name += f" {text_of(Constant(key, (value,)), symbols)}"
        everyone = (1 << symbols.players) - 1
        owners = 1 << owner if owner >= 0 else 0
        if owner < 0 and team >= 0:
            owners = sum(1 << seat for seat in range(team, symbols.players, symbols.teams))
        match symbol.seen_by:
            case SeenBy.EVERYONE:
                seen = everyone
            case SeenBy.NOBODY:
                seen = 0
            case SeenBy.OWNER:
                seen = owners
            case SeenBy.OTHERS:
                seen = everyone & ~owners
        zones.append(Zone(symbol.index, tuple(values), name, owner, seen))
    return zones


def _refill(
    decl: RefillDecl, symbol: ZoneSymbol, symbols: Symbols, scope: ConstantScope, found: Diagnostics
) -> RefillRule | None:
    """RR0324 if a refill cannot work."""
    source = symbols.names.get(decl.source.text)
    if not isinstance(source, ZoneSymbol):
        zones = [n for n, s in symbols.names.items() if isinstance(s, ZoneSymbol)]
        near = did_you_mean(decl.source.text, zones)
        found.error("RR0324", f"there is no zone `{decl.source}` to refill from", decl.source.span, help=near)
        return None
    problem = None
    if source.name == symbol.name:
        problem = f"`{symbol.name}` cannot be refilled from itself"
    elif not symbol.kind.ordered:
        problem = f"`{symbol.name}` is a hand: only piles and rows are refilled"
    elif source.keys and source.keys != symbol.keys:
        problem = f"`{source.name}` has other keys than `{symbol.name}`, so it is not told which one refills which"
    if problem is not None:
        found.error("RR0324", problem, decl.source.span)
        return None
    keep = 0
    if decl.keep is not None:
        try:
            keep = read_int(decl.keep, scope)
        except ToldError:
            return None
        if keep < 0 or (keep and not source.kind.ordered):
            why = "a hand has no top to keep" if keep > 0 else "it is a number of cards"
            found.error("RR0324", f"`keep:` cannot be {keep}: {why}", decl.keep.span)
            return None
    return RefillRule(source.index, keep, decl.shuffle)


# ---------------------------------------------------------------- where cards start


@dataclass(frozen=True, slots=True)
class _Filter:
    decl: ZoneDecl
    symbol: ZoneSymbol
    scalar: Scalar


def is_whole_deck(start: Scalar) -> bool:
    """Whether ``start:`` is the word `deck`: all cards that no filter takes."""
    return isinstance(start.value, str) and start.value.strip() == "deck"


def place_cards(decls: tuple[ZoneDecl, ...], symbols: Symbols, scope: ConstantScope, found: Diagnostics) -> None:
    """Fills ``symbols.start``. RR0325 for cards that start nowhere, RR0326 for one that starts in two zones, RR0327 for
    two zones that start with the deck."""
    rest: _Filter | None = None
    filters: list[_Filter] = []
    for decl in decls:
        symbol = symbols.names.get(decl.name.text)
        if decl.start is None or not isinstance(symbol, ZoneSymbol):
            continue
        entry = _Filter(decl, symbol, decl.start)
        if not is_whole_deck(decl.start):
            filters.append(entry)
        elif rest is not None:
            found.error(
                "RR0327",
                f"`{rest.symbol.name}` starts with the deck already",
                decl.start.span,
                notes=(Note("said here", rest.scalar.span),),
                help="one zone starts with `deck`; others take theirs by a filter, such as `start: rank == joker`",
            )
        elif symbol.size != 1:
            found.error(
                "RR0327",
                f"there are {symbol.size} zones `{symbol.name}`: it is not told which one starts with the deck",
                decl.start.span,
                help="start the deck in a zone without `per:` and deal from it",
            )
            rest = entry
        else:
            rest = entry
    symbols.start = tuple(
        _start_of(card, filters, rest, decls, symbols, scope, found) for card in range(symbols.card_count)
    )
    _one_card_a_place(decls, symbols, found)


def _one_card_a_place(decls: tuple[ZoneDecl, ...], symbols: Symbols, found: Diagnostics) -> None:
    """RR0348 where more than one card starts at a place of a board."""
    if found.has_errors:
        return
    lying = Counter(symbols.start)
    for decl in decls:
        symbol = symbols.names.get(decl.name.text)
        if not isinstance(symbol, ZoneSymbol) or symbol.kind is not ZoneKind.BOARD or decl.start is None:
            continue
        for zone in range(symbol.first, symbol.first + symbol.size):
            if lying[zone] > 1 and not (is_whole_deck(decl.start) and symbol.size > 1):
                found.error(
                    "RR0348",
                    f"{lying[zone]} cards would start at {symbols.zones_data[zone].name}, which holds one",
                    decl.start.span,
                    help="`place` is the number of the place: `start: number == place`",
                )
                break


def _start_of(
    card: int,
    filters: list[_Filter],
    rest: _Filter | None,
    decls: tuple[ZoneDecl, ...],
    symbols: Symbols,
    scope: ConstantScope,
    found: Diagnostics,
) -> int:
    """The zone instance that a card starts in. What is wrong is told once per place."""
    row = Printed(symbols, card)
    name = symbols.kind_names[symbols.kinds[card]]
    taken: list[tuple[int, Span]] = []
    for entry in filters:
        for i in range(entry.symbol.size):
            instance = symbols.zones_data[entry.symbol.first + i]
            inner = scope.with_fields(row, _key_names(entry.symbol, instance))
            try:
                if _holds(entry.scalar, inner):
                    taken.append((entry.symbol.first + i, entry.scalar.span))
            except ToldError:
                entry_index = filters.index(entry)
                del filters[entry_index]  # told once, not once per card
                return rest.symbol.first if rest is not None else 0
    if len(taken) > 1:
        (one, first), (two, second) = taken[:2]
        _once(
            found,
            "RR0326",
            f"the card {name} would start in {symbols.zones_data[one].name} and in {symbols.zones_data[two].name}",
            second,
            notes=(Note(f"{symbols.zones_data[one].name} takes it here", first),),
            help="the filters of `start:` must not overlap",
        )
    if taken:
        return taken[0][0]
    if rest is not None:
        return rest.symbol.first
    if not any(d.code == "RR0325" for d in found) and not found.has_errors:
        missing = "no zone says `start:`" if not any(d.start for d in decls) else f"the card {name} starts in no zone"
        found.error(
            "RR0325",
            missing,
            decls[0].span if decls else None,
            help="the zone that holds the cards at first says `start: deck`",
        )
    return 0


def _holds(start: Scalar, scope: ConstantScope) -> bool:
    if isinstance(start.value, bool):
        return start.value
    return condition(start.piece, scope)


def _key_names(symbol: ZoneSymbol, instance: Zone) -> dict[str, Constant]:
    """The keys of a zone as names of its filter: an enum's name in lower case, ``player``; ``place`` for a range."""
    names = {}
    for key, value in zip(symbol.keys, instance.keys, strict=True):
        match key:
            case PlayerType():
                names["player"] = Constant(PLAYER, (value,))
            case EnumType(name):
                names[name.lower()] = Constant(key, (value,))
            case RangeKey(low):
                names["place"] = Constant(INT, (low + value,))
            case _:
                pass
    return names


def _once(found: Diagnostics, code: str, message: str, span: Span, notes: tuple[Note, ...], help: str) -> None:  # noqa: A002
    if not any(d.code == code and d.span == span for d in found):
        found.error(code, message, span, notes=notes, help=help)
