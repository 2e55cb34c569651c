"""How secrets go through expressions: of each node, who may know its value.

A value is as secret as all that it follows from. Only cards and sets of cards know more than one label (`Value`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, assert_never

from rulerun.check.sight.facts import Keys, Sights
from rulerun.check.sight.labels import OPEN, Label, Secret, Sort, Source, Symbol, joined, neighbour, shared
from rulerun.check.sight.values import ANYWHERE, PUBLIC, State, Value, Zone, all_of, join, tainted
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import FoldKind
from rulerun.ir.program import ZoneFamily
from rulerun.ir.types import CardType, PlayerType
from rulerun.ir.typing import is_card, is_card_set, type_of

Call = Callable[[int, tuple[Value, ...], "Scope"], Value]
"""What a function gives for these arguments."""


class Elements(NamedTuple):
    """What is known of the elements of a domain. ``each``: of one of them; ``all``: who may know which they are, and
    ``size`` how many; ``order``: who may know in which order they come."""

    each: Value
    all: Label = OPEN
    size: Label = OPEN
    order: Label = OPEN


class Scope:
    """What an expression is looked at with: the state, the registers, and how functions are called.

    ``guarded``: what is read of the table itself is not looked at, since the executor looks when it is offered (see
    `run.seeing`): there only what has a name already can be secret."""

    __slots__ = ("call", "guarded", "locals", "sights", "state")

    def __init__(
        self, sights: Sights, state: State, call: Call, locals_: dict[int, Value], *, guarded: bool = False
    ) -> None:
        self.sights = sights
        self.state = state
        self.call = call
        self.locals = locals_
        self.guarded = guarded

    def narrowed(self, condition: ir.Expr) -> Scope:
        """What is known besides where a condition holds: who knows a card, and what lies face up."""
        found = known_if(self, condition)
        if not found:
            return self
        state, locals_ = self.state.copy(), self.locals.copy()
        for card, knowers in found:
            match card:
                case ir.Load(ir.Place(offset, ())):
                    for place in {offset, *state.same_as(state.get(offset).symbol)}:
                        state.put(place, _seen(state.get(place), knowers))
                case ir.Local(index):
                    locals_[index] = _seen(locals_.get(index, PUBLIC), knowers)
                case _:
                    pass
        return Scope(self.sights, state, self.call, locals_, guarded=self.guarded)


def _seen(value: Value, knowers: frozenset[Symbol] | None) -> Value:
    return value._replace(face=OPEN if knowers is None else shared(value.face, knowers))


def known_if(scope: Scope, condition: ir.Expr) -> list[tuple[ir.Expr, frozenset[Symbol] | None]]:
    """The cards of which somebody (None: everyone) knows the face where a condition holds."""
    match condition:
        case ir.And(left, right):
            return known_if(scope, left) + known_if(scope, right)
        case ir.Knows(player, card):
            symbol = value_of(scope, player).symbol
            return [] if symbol is None else [(card, frozenset((symbol,)))]
        case ir.Contains(card, ir.Load(place)) if place.offset == scope.sights.program.face_up >= 0:
            return [(card, None)]
        case _:
            return []


# ------------------------------------------------------------------ the table


def zone_of(scope: Scope, ref: ir.ZoneRef) -> tuple[ZoneFamily, Keys, Label]:
    """A zone, and who may know which zone it is."""
    family = scope.sights.program.families[ref.family]
    values = [value_of(scope, axis.index) for axis in ref.axes]
    keys = tuple(_key(axis, value) for axis, value in zip(ref.axes, values, strict=True))
    return family, keys, joined(value.label for value in values)


def _key(axis: ir.Axis, value: Value) -> Symbol | int | None:
    if value.symbol is None and isinstance(axis.index, ir.Const):
        return axis.index.value
    return value.symbol


def seers_of(scope: Scope, ref: ir.ZoneRef) -> frozenset[Symbol] | None:
    """Who sees the faces in a zone; None: everyone."""
    family, keys, _ = zone_of(scope, ref)
    return scope.sights.zone_knowers(family, keys)


def knowers_of(scope: Scope, ref: ir.ZoneRef) -> frozenset[Symbol] | None:
    """Who sees the faces that lie in a zone or was shown them; None: everyone."""
    seeing = seers_of(scope, ref)
    if seeing is None:
        return None
    _, keys, _ = zone_of(scope, ref)
    nobody: frozenset[Symbol] = frozenset()
    shown = scope.state.shown
    one, each = shown.get(named_zone(ref, keys), nobody), shown.get((ref.family, None), nobody)
    return None if one is None or each is None else seeing | one | each


def named_zone(ref: ir.ZoneRef, keys: Keys) -> Zone:
    return ref.family, keys


def faces_in(scope: Scope, ref: ir.ZoneRef, sort: Sort = Sort.FACE) -> Label:
    """Who may know the faces of the cards in a zone."""
    if scope.guarded:
        return OPEN
    knowers = knowers_of(scope, ref)
    if knowers is None:
        return OPEN
    name = scope.sights.program.families[ref.family].name
    return frozenset((Secret(knowers, Source(sort, name, ref.at)),))


def lying_in(scope: Scope, ref: ir.ZoneRef, label: Label = OPEN) -> Value:
    """A card of a zone, ``label`` saying who may know which of the zone's cards it is taken as."""
    family, _, zone_label = zone_of(scope, ref)
    which = OPEN if family.kind.ordered else faces_in(scope, ref, Sort.WHICH)
    return Value(label | zone_label | which, None, faces_in(scope, ref), home=ref.family)


def cards_in(scope: Scope, ref: ir.ZoneRef) -> Value:
    """All the cards of a zone."""
    one = lying_in(scope, ref)
    _, _, zone_label = zone_of(scope, ref)
    return Value(zone_label, None, one.face, one.label, zone_label, ref.family)


def in_its_zone(label: Label) -> Label:
    """Who may know what is the same for all cards of a zone without order."""
    return frozenset(secret for secret in label if secret.source.sort is not Sort.WHICH or secret.fork >= 0)


# -------------------------------------------------------------------- domains


def elements_of(scope: Scope, domain: ir.Domain) -> Elements:
    """What is known of a domain."""
    match domain:
        case ir.NumberDomain(low, high) | ir.SteppedDomain(low, high):
            label = value_of(scope, low).label | value_of(scope, high).label
            return Elements(Value(label), label, label)
        case ir.SetDomain(of):
            value = value_of(scope, of)
            if not is_card_set(type_of(of)):
                return Elements(Value(value.label), value.label, value.label)
            each = Value(value.label | value.member, None, value.face, home=value.home)
            return Elements(each, value.label, value.size, value.face)
        case ir.SeatDomain(of, start):
            first = value_of(scope, start)
            label = value_of(scope, of).label
            return Elements(Value(label | first.label), label, label, first.label)
        case ir.ZoneDomain(zone) | ir.BoardDomain(zone):
            _, _, label = zone_of(scope, zone)
            return Elements(lying_in(scope, zone), label, label)
        case ir.SubsetDomain(of, least, most):
            value = value_of(scope, of)
            sizes = joined(value_of(scope, bound).label for bound in (least, most) if bound is not None)
            label = value.label | sizes
            each = Value(label, None, value.face, value.member, sizes | value.size, value.home)
            return Elements(each, label, label | value.size, value.face | value.member)
        case ir.GroupDomain(of, field) | ir.RunDomain(of, field):
            value = value_of(scope, of)
            printed = OPEN if scope.sights.program.fields[field].on_back else value.face
            label = value.label | value.member | printed
            return Elements(Value(label, None, value.face, value.member, label, value.home), label, label)
        case ir.FilteredDomain(local, inner, where):
            found = elements_of(scope, inner)
            passing = passes(scope, local, found, where)
            each = scope.narrowed(where).locals[local]
            each = each._replace(label=each.label | passing)
            return Elements(each, found.all | passing, found.size | passing, found.order)
        case _:
            assert_never(domain)


def passes(scope: Scope, local: int, elements: Elements, where: ir.Expr | None) -> Label:
    """Who may know which elements pass a test."""
    scope.locals[local] = elements.each
    return OPEN if where is None else value_of(scope, where).label


# ---------------------------------------------------------------- expressions


def value_of(scope: Scope, expr: ir.Expr) -> Value:
    """What is known of the value of an expression."""
    match expr:
        case ir.Const(number, type_):
            return Value(symbol=("seat", number)) if isinstance(type_, PlayerType) else PUBLIC
        case ir.Local(index):
            return scope.locals.get(index, PUBLIC)
        case ir.Load(place):
            return _loaded(scope, place)
        case ir.Unary(_, operand):
            return Value(all_of(value_of(scope, operand)))
        case ir.Binary(_, _, ir.Const(ir.UNSEEN, CardType())):
            return PUBLIC  # whether the chooser sees the zone that a card is chosen from
        case ir.Binary():
            return _binary(scope, expr)
        case ir.And(left, right):
            return Value(value_of(scope, left).label | value_of(scope.narrowed(left), right).label)
        case ir.Or(left, right):
            return Value(value_of(scope, left).label | value_of(scope, right).label)
        case ir.Conditional(condition, then, otherwise):
            asked = value_of(scope, condition).label
            one, other = value_of(scope.narrowed(condition), then), value_of(scope, otherwise)
            return tainted(join(one, other), asked)
        case ir.Contains(item, ir.Load(place)) if place.offset == scope.sights.program.face_up:
            return Value(in_its_zone(value_of(scope, item).label))  # in a zone without order none lies face up
        case ir.Contains(item, ir.ZoneCards(zone)):
            return Value(in_its_zone(value_of(scope, item).label) | zone_of(scope, zone)[2])
        case ir.Contains(item, of):
            value, whole = value_of(scope, item), value_of(scope, of)
            return Value(value.label | whole.label)
        case ir.Single(item):
            value = value_of(scope, item)
            return Value(value.label, value.symbol, value.face, value.label, OPEN, value.home)
        case ir.CardTable(_, _, index):
            return Value(value_of(scope, index).label)
        case ir.HoldersOf(_, of) | ir.SumOf(_, of):
            return Value(all_of(value_of(scope, of)) | value_of(scope, of).face)
        case ir.Size(of):
            value = value_of(scope, of)
            return Value(value.size if is_card_set(type_of(of)) else value.label)
        case ir.Lookup(_, axes):
            return Value(joined(value_of(scope, axis.index).label for axis in axes))
        case ir.CardField(field, card, axes):
            value = value_of(scope, card)
            printed = OPEN if scope.sights.program.fields[field].on_back or scope.guarded else value.face
            return Value(joined([value.label, printed, *(value_of(scope, axis.index).label for axis in axes)]))
        case ir.ZoneCount(zone) | ir.UndrawnCount(zone):
            return Value(zone_of(scope, zone)[2])
        case ir.ZoneCards(zone):
            return cards_in(scope, zone)
        case ir.ZoneEnd(zone):
            return lying_in(scope, zone)
        case ir.ZoneTop(zone, _, count):
            how_many = value_of(scope, count).label
            one = lying_in(scope, zone, how_many)
            return Value(one.label, None, one.face, one.label, how_many, one.home)
        case ir.InZone(card, zone):
            return Value(in_its_zone(value_of(scope, card).label) | zone_of(scope, zone)[2])
        case ir.PlayersIn():
            return PUBLIC
        case ir.Neighbour(player, step):
            value = value_of(scope, player)
            return Value(value.label, neighbour(value.symbol, step))
        case ir.Sees(player, zone):
            return Value(value_of(scope, player).label | zone_of(scope, zone)[2])
        case ir.Knows(player, card):
            return Value(value_of(scope, player).label | value_of(scope, card).label)
        case ir.Alike(player, left, right):
            return Value(joined(value_of(scope, part).label for part in (player, left, right)))
        case ir.Fold():
            return _fold(scope, expr)
        case ir.Cover():
            return _cover(scope, expr)
        case ir.CallFunction(function, arguments):
            return scope.call(function, tuple(value_of(scope, argument) for argument in arguments), scope)
        case ir.SnapshotCount(offset):
            return Value(scope.state.get(offset).size)
        case ir.SnapshotItem(offset, index):
            taken = scope.state.get(offset)
            return Value(taken.label | value_of(scope, index).label, None, taken.face, home=taken.home)
        case _:
            assert_never(expr)


def _loaded(scope: Scope, place: ir.Place) -> Value:
    if place.offset == scope.sights.program.face_up:
        return PUBLIC  # how a card lies is no secret
    values = [value_of(scope, axis.index) for axis in place.axes]
    index = joined(value.label for value in values)
    variable = scope.sights.variables.get(place.offset)
    if variable is None:
        return tainted(scope.state.get(place.offset), index)
    keys = tuple(_key(axis, value) for axis, value in zip(place.axes, values, strict=True))
    seen = OPEN if scope.guarded else scope.sights.value_label(variable, place, keys, place.at)
    if not place.axes:
        return tainted(scope.state.get(place.offset), index | seen)
    if is_card(place.type) or is_card_set(place.type):
        nobody = frozenset((Secret(frozenset(), Source(Sort.VALUE, variable.name, place.at)),))
        return Value(index | seen, None, OPEN if scope.guarded else nobody, seen, seen, -1)
    return Value(index | seen)


def _binary(scope: Scope, expr: ir.Binary) -> Value:
    left, right = value_of(scope, expr.left), value_of(scope, expr.right)
    label = left.label | right.label
    if is_card_set(expr.type):
        home = left.home if right.home in (None, left.home) else right.home if left.home is None else -1
        # How many two sets have in common is told by no count of either.
        size = left.size | right.size | label
        return Value(label, None, left.face | right.face, left.member | right.member, size, home)
    is_team = expr.op == "%" and isinstance(type_of(expr.left), PlayerType) and left.symbol is not None
    return Value(label, ("team", left.symbol) if is_team else None)


def _fold(scope: Scope, fold: ir.Fold) -> Value:
    elements = elements_of(scope, fold.domain)
    passing = passes(scope, fold.local, elements, fold.where)
    inner = scope if fold.where is None else scope.narrowed(fold.where)
    value = PUBLIC if fold.value is None else value_of(inner, fold.value)
    default = PUBLIC if fold.default is None else value_of(scope, fold.default)
    number = elements.size | passing
    match fold.kind:
        case FoldKind.COUNT:
            return Value(number)
        case FoldKind.SUM | FoldKind.SOME | FoldKind.EVERY | FoldKind.SAME | FoldKind.DISTINCT:
            return Value(number | value.label)
        case FoldKind.MIN | FoldKind.MAX:
            return Value(number | value.label | default.label)
        case FoldKind.BEST | FoldKind.FIRST:
            label = joined([number, elements.order, elements.each.label, value.label, default.label])
            each = elements.each
            if each.home is None:
                return Value(label)
            home = each.home if default.home in (None, each.home) else ANYWHERE
            return Value(label, None, each.face | default.face, each.member | label, each.size | label, home)
        case FoldKind.SET:
            label = elements.all | number
            if isinstance(fold.value, ir.Local) and fold.value.index == fold.local and is_card_set(fold.type):
                each = value
                member = each.label | elements.order
                return Value(label, None, each.face, member, number, each.home)
            label |= value.label
            return Value(label, None, value.face, label, label, value.home)
        case _:
            assert_never(fold.kind)


def _cover(scope: Scope, cover: ir.Cover) -> Value:
    of = value_of(scope, cover.of)
    sizes = value_of(scope, cover.least).label | value_of(scope, cover.most).label
    scope.locals[cover.local] = of
    tests = joined(value_of(scope, test).label for test in (cover.where, cover.value) if test is not None)
    label = of.label | sizes | tests
    return Value(label) if cover.best else Value(label, None, of.face, of.member | label, label, of.home)
