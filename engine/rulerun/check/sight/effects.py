"""What operations change of what is known: cards that move, are shown, are mixed; values that are stored."""

from __future__ import annotations

from typing import assert_never

from rulerun.check.sight.expressions import (
    Scope,
    elements_of,
    knowers_of,
    named_zone,
    seers_of,
    value_of,
    zone_of,
)
from rulerun.check.sight.labels import OPEN, Label, Secret, Sort, Source, Symbol, shared
from rulerun.check.sight.values import ANYWHERE, PUBLIC, State, Value, join, shown_to, tainted
from rulerun.ir import nodes as ir
from rulerun.ir.program import SeenBy
from rulerun.ir.types import PlayerType, SetType
from rulerun.ir.typing import is_card

Here = tuple[int, int]
"""A block and the number of an operation in it (-1: its end)."""


def carry_out(scope: Scope, op: ir.Op, here: Here, way: Label) -> None:
    """Changes ``scope.state`` as an operation does. ``way``: who may know that it is carried out."""
    state = scope.state
    match op:
        case ir.Store(place, value):
            found = value_of(scope, value)
            if isinstance(value, ir.SnapshotItem):
                state.fresh -= {value.offset}
            variable = scope.sights.variables.get(place.offset)
            if variable is not None and variable.seen_by is SeenBy.EVERYONE:
                told_keys(scope, place.axes)
                _told_value(scope, value)
            store(scope, place, found, here, way)
            if isinstance(value, ir.Single) and not place.axes:
                state.full |= {place.offset}
        case ir.SetLocal(local, value):
            scope.locals[local] = tainted(value_of(scope, value), way)
        case ir.Clear(offset, words):
            state.clear(offset, words)
        case ir.Snapshot(domain, offset):
            elements = elements_of(scope, domain)
            each, label = elements.each, elements.each.label | elements.order
            taken = each._replace(label=label, size=elements.size | elements.all)
            state.write(offset, tainted(taken, way))
            if _is_full(domain):
                state.fresh |= {offset}
        case ir.MoveCard(card, to, spot):
            moved(scope, card, to, spot)
        case ir.MoveCards(cards, to, spot):
            moved(scope, cards, to, spot)
        case ir.MoveAll(source, to, spot):
            _all_moved(scope, source, to, spot)
        case ir.CollectAll():
            _mixed(state, None, op.at, op.to.family)
            state.shown.clear()
            nothing_lies(scope, {op.to.family})
        case ir.Collect(source, to):
            _forget_shown(state, to.family)
            _mixed(state, {source.family, to.family}, op.at, ANYWHERE)
        case ir.Shuffle(zone):
            if scope.sights.program.families[zone.family].kind.ordered:
                _forget_shown(state, zone.family)
                _mixed(state, {zone.family}, op.at, zone.family)
        case ir.TurnOver():
            pass
        case ir.Refill(zone, source):
            _forget_shown(state, zone.family)
            _mixed(state, {source.family}, op.at, ANYWHERE)
        case ir.SwapCards(left, right):
            _swapped(scope, left, right, op.at)
        case ir.SwapZones(left, right):
            _forget_shown(state, left.family)
            _forget_shown(state, right.family)
            told_keys(scope, left.axes)
            told_keys(scope, right.axes)
            _lose_track(state, {left.family, right.family}, scope, op.at)
        case ir.Reveal(cards, to):
            _shown(scope, cards, _seats(scope, to))
        case ir.Flip(cards, up):
            if up:
                _shown(scope, cards, None)
        case ir.Tell(_, chooser):
            state.told(value_of(scope, chooser).symbol)
        case ir.Announce() | ir.Leave() | ir.Rejoin() | ir.Reverse() | ir.Inform():
            pass
        case _:
            assert_never(op)


def moves_by(scope: Scope, op: ir.Op) -> Label:
    """Who may know, by what all know before, which cards an operation moves and where to."""
    match op:
        case ir.MoveCard(card, to, spot) | ir.MoveCards(card, to, spot):
            value = value_of(scope, card)
            depth = value_of(scope, spot.index).label if isinstance(spot, ir.Depth) else OPEN
            return value.label | value.size | depth | _keys_by(scope, to)
        case ir.MoveAll(source, to, spot):
            depth = value_of(scope, spot.index).label if isinstance(spot, ir.Depth) else OPEN
            return depth | _keys_by(scope, source) | _keys_by(scope, to)
        case ir.SwapCards(left, right):
            one, other = value_of(scope, left), value_of(scope, right)
            return one.label | other.label
        case _:
            return OPEN


def _keys_by(scope: Scope, zone: ir.ZoneRef) -> Label:
    return OPEN.union(*(value_of(scope, axis.index).label for axis in zone.axes))


def store(scope: Scope, place: ir.Place, value: Value, here: Here, way: Label) -> None:
    """A value is stored at a place. What goes into a variable of the state is told to whoever sees it, so its own
    secrets end there; `Sights.value_label` says who that is."""
    state = scope.state
    if place.offset == scope.sights.program.face_up:
        return
    if place.offset in scope.sights.variables:
        if not place.axes:
            symbol = value.symbol or _written(state, place, here)
            told = Value(symbol=symbol, face=value.face, home=value.home)
            state.write(place.offset, told if value.home is not None or symbol is not None else PUBLIC)
        return
    value = tainted(value, way)
    if place.axes:
        index = OPEN.union(*(value_of(scope, axis.index).label for axis in place.axes))
        kept = state.values.get(place.offset)
        value = tainted(value._replace(symbol=None), index)
        state.write(place.offset, value if kept is None else join(kept, value)._replace(symbol=None))
        return
    if value.symbol is None and (isinstance(place.type, PlayerType) or is_card(place.type)):
        value = value._replace(symbol=_written(state, place, here))
    state.write(place.offset, value)


def _is_full(domain: ir.Domain) -> bool:
    """Whether a domain surely has elements."""
    match domain:
        case ir.SetDomain(ir.Const(value)):
            return value != 0
        case ir.SetDomain(ir.PlayersIn()):
            return True
        case ir.SeatDomain(ir.PlayersIn(), _, inclusive):
            return inclusive
        case _:
            return False


def told_keys(scope: Scope, axes: tuple[ir.Axis, ...]) -> None:
    """Something happens for everyone to see at one of several zones or entries: now all know which it is."""
    for axis in axes:
        scope.state.told(value_of(scope, axis.index).symbol)


def _told_value(scope: Scope, expr: ir.Expr) -> None:
    """Everyone is told a value: then also a name that it just repeats, or adds to what all knew before."""
    match expr:
        case ir.Load(ir.Place(offset, ())) if offset not in scope.sights.variables:
            scope.state.put(offset, scope.state.get(offset)._replace(label=OPEN, size=OPEN))
        case ir.Binary("+" | "-", left, right):
            for known, other in ((left, right), (right, left)):
                if not value_of(scope, known).label:
                    _told_value(scope, other)
                    return
        case _:
            pass


def nothing_lies(scope: Scope, but: set[int]) -> None:
    """No card lies in any zone but those of some families: of what comes there openly everyone knows all that lies
    there."""
    for number in range(len(scope.sights.program.families)):
        if number not in but:
            shown_to(scope.state, (number, None), None)


def _written(state: State, place: ir.Place, here: Here) -> Symbol | None:
    if not (isinstance(place.type, PlayerType) or is_card(place.type) or _is_optional_player(place)):
        return None
    symbol: Symbol = ("at", *here, place.offset)
    state.forget(symbol)
    return symbol


def _is_optional_player(place: ir.Place) -> bool:
    return isinstance(getattr(place.type, "inner", None), PlayerType)


# ------------------------------------------------------------------------ cards


def moved(scope: Scope, expr: ir.Expr, to: ir.ZoneRef, spot: ir.Spot) -> None:
    """Cards that an expression names go to a zone."""
    state, value = scope.state, value_of(scope, expr)
    after = _after_move(scope, value, to, spot)
    if value.face or value.label:
        _forget_shown(state, to.family)
    if isinstance(expr, ir.Load | ir.ZoneEnd):
        told_keys(scope, to.axes)
    places = set(state.same_as(value.symbol))
    named = _named(expr)
    if named is not None:
        places.add(named)
    for place in places:
        before = state.get(place)
        state.put(place, after._replace(symbol=before.symbol))
    if isinstance(expr, ir.Local):
        scope.locals[expr.index] = after


def _after_move(scope: Scope, value: Value, to: ir.ZoneRef, spot: ir.Spot) -> Value:
    """What is known of cards that have come to a zone: all have seen where they went, and whoever sees the zone sees
    them."""
    family = scope.sights.program.families[to.family]
    seers = seers_of(scope, to)
    face = OPEN if seers is None else shared(value.face, seers)
    if family.kind.ordered:
        place = value_of(scope, spot.index).label if isinstance(spot, ir.Depth) else OPEN
        return Value(place, None, face, face | place, OPEN, to.family)
    if seers is None or not value.face:
        which = OPEN if seers is None else value.label
    else:
        known = seers.union(*(secret.knowers for secret in value.face))
        which = frozenset((Secret(known, Source(Sort.WHICH, family.name, to.at)),))
    return Value(which, None, face, which, OPEN, to.family)


def _all_moved(scope: Scope, source: ir.ZoneRef, to: ir.ZoneRef, spot: ir.Spot) -> None:
    """All of a zone goes to another."""
    state = scope.state
    if knowers_of(scope, source) is not None:
        _forget_shown(state, to.family)
    families = scope.sights.program.families
    for place, value in state.cards():
        if value.home not in (source.family, ANYWHERE):
            continue
        after = _after_move(scope, value, to, spot)
        # The card may have lain in another zone of that family.
        stays = value.home == source.family == to.family or families[source.family].size == 1
        home = to.family if stays else ANYWHERE
        state.put(place, join(value, after)._replace(symbol=value.symbol, home=home))


def _swapped(scope: Scope, left: ir.Expr, right: ir.Expr, at: int) -> None:
    state = scope.state
    one, other = value_of(scope, left), value_of(scope, right)
    for family in (one.home, other.home):
        if family is not None:
            _forget_shown(state, family)
    for expr, value, home in ((left, one, other.home), (right, other, one.home)):
        lost = _which(scope, home, value, at)
        for place in {*state.same_as(value.symbol), *([named] if (named := _named(expr)) is not None else [])}:
            before = state.get(place)
            state.put(place, before._replace(label=before.label | lost, home=home))


def _which(scope: Scope, home: int | None, value: Value, at: int) -> Label:
    """Who may know which card it is when it lies in a zone of this family, whichever it is."""
    families = scope.sights.program.families
    if home is not None and home >= 0 and families[home].kind.ordered:
        return OPEN
    knowers = frozenset().union(*(secret.knowers for secret in value.face))
    return OPEN if not value.face else frozenset((Secret(knowers, Source(Sort.MIXED, "", at)),))


def _lose_track(state: State, families: set[int], scope: Scope, at: int) -> None:
    for place, value in state.cards():
        if value.home in families or value.home == ANYWHERE:
            state.put(place, value._replace(label=value.label | _which(scope, value.home, value, at)))


def _mixed(state: State, families: set[int] | None, at: int, home: int) -> None:
    """The cards of some zones (None: all) are mixed: nobody can follow one any more."""
    lost = frozenset((Secret(frozenset(), Source(Sort.MIXED, "", at)),))
    for place, value in state.cards():
        if families is None or value.home in families or value.home == ANYWHERE:
            label = value.label | lost
            state.put(place, value._replace(label=label, member=value.member | lost, home=home))


def _forget_shown(state: State, family: int) -> None:
    """Other cards have come to zones of a family."""
    for zone in [zone for zone in state.shown if zone[0] == family]:
        del state.shown[zone]


def _shown(scope: Scope, cards: ir.Expr, to: frozenset[Symbol] | None) -> None:
    """The faces of cards are shown to some players (None: everyone)."""
    state = scope.state
    if to is not None and not to:
        return
    match cards:
        case ir.ZoneCards(zone):
            _, keys, _ = zone_of(scope, zone)
            if None not in keys:
                shown_to(state, named_zone(zone, keys), to)
            if to is None and all((zone.family, each) in state.shown for each in _each_zone(scope, zone.family)):
                shown_to(state, (zone.family, None), None)
        case ir.Single(ir.Load() as card) | (ir.Load() as card):
            value = value_of(scope, card)
            for place in {*state.same_as(value.symbol), *([n] if (n := _named(card)) is not None else [])}:
                before = state.get(place)
                state.put(place, _shown_value(before, to))
        case _:
            pass


def _shown_value(value: Value, to: frozenset[Symbol] | None) -> Value:
    """A card (or a set) whose face is shown where it lies."""
    if to is None:
        return value._replace(label=OPEN, face=OPEN, member=OPEN, size=OPEN)
    return value._replace(
        label=shared(value.label, to),
        face=shared(value.face, to),
        member=shared(value.member, to),
        size=shared(value.size, to),
    )


def _each_zone(scope: Scope, family: int) -> list[tuple[Symbol | int, ...]]:
    """The keys of all zones of a family."""
    types = scope.sights.program.families[family].keys
    found: list[tuple[Symbol | int, ...]] = []
    for zone in scope.sights.program.zones:
        if zone.family == family:
            keys = zip(types, zone.keys, strict=True)
            found.append(tuple(("seat", key) if isinstance(type_, PlayerType) else key for type_, key in keys))
    return found


def _seats(scope: Scope, to: ir.Expr | None) -> frozenset[Symbol] | None:
    """Who is meant by a set of players, as far as it is settled."""
    match to:
        case None | ir.PlayersIn():
            return None
        case ir.Single(player):
            symbol = value_of(scope, player).symbol
            return frozenset(() if symbol is None else (symbol,))
        case ir.Binary("union", left, right):
            one, other = _seats(scope, left), _seats(scope, right)
            return None if one is None or other is None else one | other
        case ir.Const(value, SetType()):
            return frozenset(("seat", seat) for seat in range(value.bit_length()) if value >> seat & 1)
        case _:
            return frozenset()


def _named(expr: ir.Expr) -> int | None:
    """The place that an expression just reads."""
    match expr:
        case ir.Single(item):
            return _named(item)
        case ir.Load(ir.Place(offset, ())):
            return offset
        case _:
            return None

