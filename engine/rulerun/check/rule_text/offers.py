"""A line of a choice: what it offers to whom, what is stored for an option, and what settles a card chosen unseen.

What a choice offers may depend on what its chooser sees only (see `visibility`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rulerun.check.rule_text import by_sight, drawing, driver, fallbacks, simplify, templates, visibility
from rulerun.check.rule_text.scope import Binding
from rulerun.check.rule_text.typed import DomainUse
from rulerun.check.rule_text.units import Observer, ProcedureUnit
from rulerun.check.rule_text.wording import source_text
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import Identity
from rulerun.ir.program import SeenBy
from rulerun.ir.types import BOOL, CARD, CARDS, INT, Type
from rulerun.source.diagnostic import ToldError
from rulerun.syntax import nodes as syn

SITES_PER_UNIT = 100_000
"""Choice sites are numbered within their procedure first; `link` makes the numbers dense."""


PlaceFor = Callable[[str, Type], ir.Place]
"""Where what a binder chooses is stored, by its name and type."""


@dataclass(frozen=True, slots=True)
class BoundName:
    """A binder as offered: its name, how its value is held, and where it is stored. ``unsettled``: it may be no card
    yet that is chosen, but a place, or one of those that the chooser does not see. ``alike``: whether it may stand for
    several cards that the chooser cannot tell apart."""

    node: syn.Binder
    identity: Identity
    place: ir.Place
    type: Type
    unsettled: bool
    alike: bool

    @property
    def stored(self) -> ir.Place:
        """The place as it is read afterwards: a chosen place of a pile has become the card that lies there."""
        return ir.Place(self.place.offset, self.place.axes, self.type, self.place.at)


@dataclass
class PreparedLine:
    """A line as offered. ``target`` begins what happens when it is chosen. ``dropped``: its guard is never true."""

    node: syn.Line
    target: int
    bound: list[BoundName] = field(default_factory=list)
    line: ir.Line | None = None
    dropped: bool = False
    cleanups: list[ir.Place] = field(default_factory=list)
    some: tuple[ir.Expr, ...] = ()
    """For each rung of its ladder whether some option satisfies it."""

    def clean_up(self, unit: ProcedureUnit) -> None:
        """Clears what was drawn for the choice."""
        for place in self.cleanups:
            unit.clear(place)


def prepare(
    unit: ProcedureUnit, node: syn.Line, chooser: ir.Expr, place_for: PlaceFor, what: str = "choice"
) -> PreparedLine:
    """Lowers what a line offers. Raises `ToldError` if it is faulty."""
    flow = unit.flow
    at = unit.at(node.span)
    result = PreparedLine(node, flow.new())
    guard: ir.Expr | None = None
    if node.condition is not None:
        guard = _sound(unit, chooser, f"the `if` of this {what}", node.condition)
        known = simplify.truth(guard) if guard is not None else None
        if known is not None:
            guard = None
            result.dropped = not known
    where: ir.Expr | None = None
    binders: list[ir.Binder] = []
    offered: list[fallbacks.OfferedBinder] = []
    tests: list[ir.Expr | None] = []
    with unit.block():
        if node.pick is not None:
            if node.pick.quantity is not None and len(node.pick.binders) > 1:
                unit.refuse(
                    "RR0515",
                    "several cards are chosen by themselves, without a second name",
                    node.pick.span,
                    help=_one_after_the_other(node.pick),
                )
            for binder in node.pick.binders:
                bound, lowered, drawn = _binder(unit, node.pick, binder, chooser, place_for, result, what)
                result.bound.append(bound)
                binders.append(lowered)
                offered.append(fallbacks.OfferedBinder(binder, drawn, bound.identity is Identity.BY_POSITION))
            if node.pick.where is not None:
                _refuse_sets(unit, node.pick)
                reader = f"the `where` of this {what}"
                tests = [_sound(unit, chooser, reader, test) for test in fallbacks.conditions(node.pick.where)]
        label = _label(unit, node, chooser, binders)
    if node.pick is not None and node.pick.where is not None:
        where = _where(unit, node.pick.where, tests, offered, result, Observer(chooser, f"the `where` of this {what}"))
    result.line = ir.Line(guard, tuple(binders), where, label, result.target, at)
    return result


def _where(
    unit: ProcedureUnit,
    node: syn.Expr | syn.Ladder,
    tests: list[ir.Expr | None],
    offered: list[fallbacks.OfferedBinder],
    result: PreparedLine,
    observer: Observer,
) -> ir.Expr | None:
    """The condition of what is picked; None where it is faulty, which is told."""
    sound = [test for test in tests if test is not None]
    if not isinstance(node, syn.Ladder) or len(sound) < len(tests):
        return sound[0] if len(sound) == len(tests) else None
    try:
        with unit.shown_to(observer):
            result.some = fallbacks.possible(unit, node, offered)
    except ToldError:
        unit.give_up()
        return None
    return fallbacks.joined(sound, result.some, unit.at(node.span))


def _refuse_sets(unit: ProcedureUnit, pick: syn.Pick) -> None:
    if pick.quantity is not None and isinstance(pick.where, syn.Ladder):
        number, of = source_text(pick.quantity.span), source_text(pick.binders[0].domain.span)
        from_ = f"subsets({of})" if pick.quantity.open else f"subsets({of}, {number})"
        unit.refuse(
            "RR0515",
            "`if possible` is not said of cards that are chosen several at a time",
            pick.where.span,
            help=f"choose one of the sets: `{pick.binders[0].name.text} from {from_} where … if possible`",
        )


def _one_after_the_other(pick: syn.Pick) -> str:
    """A choice of several cards and of something else as two choices."""
    assert pick.quantity is not None
    first, *others = (f"{b.name.text} from {source_text(b.domain.span)}" for b in pick.binders)
    lines = [f"`chooses {source_text(pick.quantity.span)} {first}`", *(f"`chooses {other}`" for other in others)]
    return f"make them choices of their own, on one line each: {', then '.join(lines)}"


def _sound(unit: ProcedureUnit, chooser: ir.Expr, what: str, node: syn.Expr) -> ir.Expr | None:
    """A condition of a line; None where it is faulty, which is told: what the line binds is known all the same, and the
    statements after it are looked at too."""
    try:
        with unit.shown_to(Observer(chooser, what)):
            return driver.condition(unit, node)
    except ToldError:
        unit.give_up()
        return None


def _label(unit: ProcedureUnit, node: syn.Line, chooser: ir.Expr, binders: list[ir.Binder]) -> ir.Label:
    if node.label is not None:
        with unit.shown_to(Observer(chooser, "this label")):
            return ir.Label(templates.template(unit, node.label))
    parts: list[str | ir.Expr] = ["choose "]
    for i, binder in enumerate(binders):
        if i:
            parts.append(", ")
        match binder.identity:
            case Identity.MULTISET:
                type_: Type = CARDS
            case Identity.BY_POSITION:
                type_ = CARD
            case _:
                type_ = binder.place.type
        parts.append(ir.Local(binder.local, type_))
    return ir.Label(tuple(parts))


def _binder(
    unit: ProcedureUnit,
    pick: syn.Pick,
    node: syn.Binder,
    chooser: ir.Expr,
    place_for: PlaceFor,
    result: PreparedLine,
    what: str,
) -> tuple[BoundName, ir.Binder, DomainUse | None]:
    """What a binder offers, and its domain if that was drawn beforehand."""
    drawn = len(result.cleanups)
    with unit.shown_to(Observer(chooser, f"what this {what} offers")):
        domain = _domain(unit, node.domain, result)
    held, type_ = Identity.EXACT, domain.element
    least: ir.Expr | None = None
    most: ir.Expr | None = None
    if pick.quantity is not None:
        held, type_ = Identity.MULTISET, CARDS
        with unit.shown_to(Observer(chooser, "the number to choose")):
            least, most = _quantity(unit, pick.quantity)
        _check_set(unit, domain, node, chooser)
    elif domain.element == CARDS:
        held = Identity.GIVEN_SET
        _refuse_blind(unit, domain, node, chooser)
    elif domain.source is not None and domain.element == CARD and _over_zone(domain.domain):
        if not domain.source.symbol.kind.ordered:
            held = Identity.BY_KIND
        elif domain.undrawn:
            held = Identity.BY_POSITION
    place = place_for(node.name.text, INT if held is Identity.BY_POSITION else type_)
    local = unit.local(type_)
    unit.bind(
        Binding(
            node.name.text,
            "choice",
            node.name.span,
            type_,
            ir.Local(local, type_),
            local=local,
            source=domain.source,
            unsettled=held is Identity.BY_POSITION,
        )
    )
    span = node.domain.span
    sighted = by_sight.is_needed(unit, domain.domain, held, chooser, span)
    lowered = ir.Binder(local, domain.domain, held, place, least, most, by_sight=sighted)
    is_drawn = len(result.cleanups) > drawn
    alike = sighted and not is_drawn and by_sight.may_be_alike(unit, domain.domain, chooser, span)
    seen = domain.source is not None and visibility.surely_sees(domain.source, chooser)
    unsettled = held is Identity.BY_POSITION or (held is Identity.BY_KIND and not seen)
    return BoundName(node, held, place, type_, unsettled, alike), lowered, domain if is_drawn else None


def _over_zone(domain: ir.Domain) -> bool:
    while isinstance(domain, ir.FilteredDomain):
        domain = domain.domain
    return isinstance(domain, ir.ZoneDomain)


def _domain(unit: ProcedureUnit, node: syn.Expr, result: PreparedLine) -> DomainUse:
    """What a binder is chosen from; ``top 3 of Z`` is drawn first."""
    domain, cards = drawing.drawn_domain(unit, node)
    if cards is not None:
        result.cleanups.append(cards)
    if domain.element == BOOL:
        unit.refuse("RR0403", "there is nothing to choose from here", node.span)
    return domain


def _quantity(unit: ProcedureUnit, node: syn.Quantity) -> tuple[ir.Expr, ir.Expr | None]:
    low = driver.expect(unit, node.low, INT, "as the number to choose")
    if node.open:
        return low, None
    if node.high is None:
        return low, low
    high = driver.expect(unit, node.high, INT, "as the most to choose")
    if isinstance(low, ir.Const) and isinstance(high, ir.Const) and high.value < low.value:
        unit.refuse("RR0412", f"at least {low.value} and at most {high.value} is no number", node.span)
    return low, high


def _check_set(unit: ProcedureUnit, domain: DomainUse, node: syn.Binder, chooser: ir.Expr) -> None:
    if domain.element != CARD:
        unit.refuse(
            "RR0515",
            f"only cards are chosen several at a time, and not what `{source_text(node.domain.span)}` holds",
            node.domain.span,
        )
    if domain.source is not None and domain.undrawn:
        drawing.draw_all(unit, domain.source, unit.at(node.domain.span))
    _refuse_blind(unit, domain, node, chooser)


def _refuse_blind(unit: ProcedureUnit, domain: DomainUse, node: syn.Binder, chooser: ir.Expr) -> None:
    use = domain.source
    if use is None:
        return
    if not use.symbol.kind.ordered and visibility.surely_blind(unit, use, chooser):
        unit.refuse(
            "RR0507",
            f"cards of `{use.symbol.name}` that the player cannot see cannot be chosen several at a time: "
            "the sets on offer would show what is there",
            node.domain.span,
            help="take them one by one, `repeat … times`, or `move random of …`",
        )


def settle_alike(unit: ProcedureUnit, prepared: PreparedLine, chooser: ir.Expr) -> None:
    """Lets chance settle which of several cards that the chooser cannot tell apart were chosen, before `bind_chosen`
    does. Its names are bound meanwhile: what is offered second may depend on what was chosen first."""
    if any(bound.alike for bound in prepared.bound):
        with unit.block():
            for bound in prepared.bound:
                if bound.alike:
                    _pick_alike(unit, prepared, bound, chooser)
                _bind_name(unit, bound)


def bind_chosen(unit: ProcedureUnit, prepared: PreparedLine, chooser: ir.Expr, *, settled: bool = False) -> None:
    """Binds the names of a chosen line to what was stored, and lets chance settle a card chosen unseen. ``settled``:
    `settle_alike` has been done."""
    prepared.clean_up(unit)
    for bound in prepared.bound:
        if bound.identity is Identity.BY_POSITION:
            _draw_chosen(unit, bound)
        elif bound.unsettled:
            _pick_unseen(unit, prepared, bound)
        elif bound.alike and not settled:
            _pick_alike(unit, prepared, bound, chooser)
        _bind_name(unit, bound)


def _bind_name(unit: ProcedureUnit, bound: BoundName) -> None:
    name, place = bound.node.name, bound.stored
    unit.bind(Binding(name.text, "choice", name.span, bound.type, ir.Load(place), place, secret=unit.secret))


def _draw_chosen(unit: ProcedureUnit, bound: BoundName) -> None:
    """The card that lies at a chosen place of a shuffled zone."""
    at, place = unit.at(bound.node.name.span), bound.stored
    use = driver.domain_of(unit, bound.node.domain).source
    assert use is not None
    unit.flow.across(lambda after: ir.Draw(use.ref, ir.Depth(ir.Load(bound.place)), place, after, None, at))


def _pick_unseen(unit: ProcedureUnit, of: PreparedLine, bound: BoundName) -> None:
    """A card of a zone that the chooser does not see is any of those that could be chosen."""
    at, place = unit.at(bound.node.name.span), bound.stored
    domain = _that_passed(unit, of, bound, driver.domain_of(unit, bound.node.domain))
    flow = unit.flow
    after = flow.new()
    if domain.source is not None and domain.source.symbol.seen_by is not SeenBy.NOBODY:
        unseen, seen = flow.new(), after
        test = ir.Binary("==", ir.Load(place), ir.Const(ir.UNSEEN, CARD), BOOL, at)
        flow.branch(test, unseen, seen)
        flow.start(unseen)
    flow.end(ir.Pick(domain.domain, place, after, None, False, at))
    flow.start(after)


def _pick_alike(unit: ProcedureUnit, of: PreparedLine, bound: BoundName, chooser: ir.Expr) -> None:
    """What was chosen is any of those that the chooser cannot tell from it."""
    at, place = unit.at(bound.node.name.span), bound.stored
    domain = driver.domain_of(unit, bound.node.domain)
    if bound.type == CARDS:
        by_sight.settle_set(unit, domain.domain, place, chooser, at)
        return
    domain = _that_passed(unit, of, bound, by_sight.alike(unit, domain, place, chooser))
    unit.flow.across(lambda after: ir.Pick(domain.domain, place, after, None, False, at))


def _that_passed(unit: ProcedureUnit, of: PreparedLine, bound: BoundName, domain: DomainUse) -> DomainUse:
    """Those that could be chosen: the `where` of the line lets them through."""
    where = of.node.pick.where if of.node.pick is not None else None
    with unit.block():
        for later in of.bound[of.bound.index(bound) + 1 :]:
            if not later.unsettled:
                _bind_name(unit, later)
        return fallbacks.filtered(unit, domain, bound.node.name, where, of.some)


def in_frame(unit: ProcedureUnit, at: int) -> PlaceFor:
    """What is chosen is stored in named places of the frame."""
    return lambda name, type_: unit.variable(name, type_, at)


def offered(lines: Sequence[PreparedLine]) -> tuple[ir.Line, ...]:
    """The lines that can be chosen."""
    return tuple(p.line for p in lines if p.line is not None and not p.dropped)


def site(unit: ProcedureUnit) -> int:
    """The number of a new choice."""
    unit.sites += 1
    return unit.index * SITES_PER_UNIT + unit.sites - 1
