"""Domains as Python loops, and folds over them.

A loop is written where it stands; only a fold that lies very deep becomes a function of its own (Python allows twenty
loops inside one another).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, assert_never

from rulerun.facts.ranges import Range, of_type, raw_sum_range
from rulerun.facts.types import element_type, is_card_set, type_of
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import FoldKind
from rulerun.ir.program import MAX_FUEL, ZONE_COUNT, ZONE_HEAD
from rulerun.ir.types import INT_MAX, INT_MIN
from rulerun.run.source import Writer

if TYPE_CHECKING:
    from rulerun.run.expressions import Emitter

DEEPEST = 6
NUMBERS_UNCOUNTED = 64
"""Loops over so few numbers, all known beforehand, are not counted."""

Body = Callable[[str], None]


class Charge(NamedTuple):
    """What is counted for each element of a domain, and the place that is told if it is too much."""

    fuel: int
    at: int


NOTHING = Charge(0, -1)


def tally(e: Emitter, units: str, at: int) -> None:
    """Counts work."""
    e.w.line(f"WORK[0] += {units}")
    e.w.line(f"if WORK[0] > {MAX_FUEL}: out_of_fuel({at})")


def tally_zone(e: Emitter, zone: ir.ZoneRef, charge: Charge) -> None:
    """Counts the cards of a zone."""
    if charge.fuel:
        times = f" * {charge.fuel}" if charge.fuel > 1 else ""
        tally(e, f"v[{e.zone_word(zone, ZONE_COUNT)}]{times}", charge.at)


def tallied(e: Emitter, text: str, charge: Charge) -> str:
    """Counts the elements of a set; its text."""
    if not charge.fuel:
        return text
    if text.isdecimal():
        tally(e, str(int(text).bit_count() * charge.fuel), charge.at)
        return text
    text = e.atom(text)
    times = f" * {charge.fuel}" if charge.fuel > 1 else ""
    tally(e, f"{text if text.isidentifier() else f'({text})'}.bit_count(){times}", charge.at)
    return text


def domain_range(e: Emitter, domain: ir.Domain) -> Range:
    """Bounds of a domain's elements."""
    if isinstance(domain, ir.NumberDomain):
        return e.range(domain.low)[0], e.range(domain.high)[1]
    if isinstance(domain, ir.SteppedDomain):
        first, last = e.range(domain.low), e.range(domain.high)
        return (first[0], last[1]) if domain.step > 0 else (last[0], first[1])
    if isinstance(domain, ir.FilteredDomain):
        return domain_range(e, domain.domain)
    return of_type(element_type(domain), e.program)


def card_set(e: Emitter, domain: ir.Domain, charge: Charge = NOTHING) -> str | None:
    """The domain as a set of cards where it is one that runs by number (the filter written as a mask if it can be)."""
    match domain:
        case ir.ZoneDomain(zone) if not e.family(zone).kind.ordered:
            tally_zone(e, zone, charge)
            return e.cards_in(zone)
        case ir.SetDomain(of) if is_card_set(type_of(of)):
            return tallied(e, e.emit(of), charge)
        case ir.FilteredDomain(sets=sets) if sets is not None and not e.plain and not e.guarded:
            return e.emit(sets)
        case _:
            return None


def write_loop(
    e: Emitter, domain: ir.Domain, body: Body, name: str | None = None, charge: Charge = NOTHING
) -> None:
    """Writes a loop over a domain. ``body`` gets the name of the element (``name`` if given)."""
    w = e.w
    item = name or w.fresh("c")
    weight = charge.fuel
    at = charge.at if charge.at >= 0 else e.at
    match domain:
        case ir.NumberDomain(low, high):
            known = not weight
            start, stop = e.emit(low), e.emit(high)
            more = f", {weight}" if weight > 1 else ""
            span = f"range({start}, {stop} + 1)" if known else f"numbers({start}, {stop}, {at}{more})"
            w.line(f"for {item} in {span}:")
            with w.indented():
                body(item)
        case ir.SteppedDomain(low, high, step):
            start, stop = e.emit(low), e.emit(high)
            w.line(f"for {item} in stepped({start}, {stop}, {step}, {at}, {weight}):")
            with w.indented():
                body(item)
        case ir.SubsetDomain(of, least, most, origin):
            cards, fewest = e.emit(of), e.emit(least)
            size = e.emit(most) if most is not None else "None"
            w.line(f"for {item} in subsets({cards}, {fewest}, {size}, {origin}, {weight}):")
            with w.indented():
                body(item)
        case ir.GroupDomain(of, field, origin):
            text = tallied(e, e.atom(e.emit(of)), charge)
            if e.guarded and not e.program.fields[field].on_back:
                card = w.fresh("c")
                write_bits(e, text, card, lambda card: w.line(f"see(v, {card}, {origin})"))
            column = e.pool.name("F", field, e.program.fields[field].values)
            w.line(f"for {item} in groups({text}, {column}):")
            with w.indented():
                body(item)
        case ir.SetDomain(of):
            text = tallied(e, e.emit(of), charge)
            if is_card_set(type_of(of)):
                write_bits(e, text, item, body)
            else:
                w.line(f"for {item} in elements({text}):")
                with w.indented():
                    body(item)
        case ir.SeatDomain(of, start, inclusive, backwards):
            players, first_seat = tallied(e, e.emit(of), charge), e.emit(start)
            w.line(f"for {item} in seats({players}, {first_seat}, {inclusive}, {backwards}, v[6]):")
            with w.indented():
                body(item)
        case ir.ZoneDomain(zone):
            tally_zone(e, zone, charge)
            write_zone(e, zone, item, body)
        case ir.BoardDomain(zone, places):
            write_board(e, zone, places, item, body, charge)
        case ir.FilteredDomain(local, inner, where):
            text_set = card_set(e, domain, charge)
            if text_set is not None:
                e.scope.names[local] = item
                write_bits(e, text_set, item, body)
                return

            def filtered(element: str) -> None:
                e.scope.names[local] = element
                e.scope.ranges[local] = domain_range(e, inner)
                condition = e.emit(where)
                w.line(f"if {condition}:")
                with w.indented():
                    body(element)

            write_loop(e, inner, filtered, item, charge)
        case _:
            assert_never(domain)


def write_bits(e: Emitter, text: str, item: str, body: Body) -> None:
    """A loop over a set of cards, the lowest number first."""
    w = e.w
    rest, low = w.fresh("m"), w.fresh("b")
    w.line(f"{rest} = {text}")
    w.line(f"while {rest}:")
    with w.indented():
        w.line(f"{low} = {rest} & -{rest}")
        w.line(f"{rest} ^= {low}")
        w.line(f"{item} = {low}.bit_length() - 1")
        body(item)


def write_zone(e: Emitter, zone: ir.ZoneRef, item: str, body: Body) -> None:
    """A loop over the cards of a zone."""
    w = e.w
    family = e.family(zone)
    if not family.kind.ordered:
        write_bits(e, e.cards_in(zone), item, body)
        return
    if family.shuffled:
        # Rare: the drawn cards along the chain, then the undrawn ones by number.
        w.line(f"for {item} in in_order(v, {e.instance(zone)}):")
        with w.indented():
            body(item)
        return
    chain = w.fresh("n")
    w.line(f"{chain} = v[{e.zone_word(zone, ZONE_HEAD)}]")
    w.line(f"while {chain}:")
    with w.indented():
        w.line(f"{item} = {chain} - 1")
        w.line(f"{chain} = v[{item} + {e.layout.next_base}]")
        body(item)


def write_board(e: Emitter, zone: ir.ZoneRef, places: int, item: str, body: Body, charge: Charge) -> None:
    """A loop over the first cards of zones that follow each other."""
    w = e.w
    first = e.atom(e.zone_word(zone, ZONE_HEAD))
    place = w.fresh("z")
    if charge.fuel:
        tally(e, str(places * charge.fuel), charge.at)
    words = e.layout.zone_words
    w.line(f"for {place} in range({first}, {first} + {places * words}, {words}):")
    with w.indented():
        w.line(f"{item} = v[{place}] - 1")
        w.line(f"if {item} >= 0:")
        with w.indented():
            body(item)


def emit_fold(e: Emitter, fold: ir.Fold) -> str:
    """Writes a fold and gives the name of its value."""
    if e.loops >= DEEPEST:
        return outlined(e, fold)
    e.loops += 1
    e.at = fold.at
    simple = fold.kind is FoldKind.FIRST and isinstance(fold.domain, ir.SetDomain) and fold.where is None
    if fold.sets is not None and not e.plain and not e.guarded and not simple:
        text = e.emit(fold.sets)
    else:
        text = plain_fold(e, fold, fold.domain, fold.where)
    e.loops -= 1
    return text


def plain_fold(e: Emitter, fold: ir.Fold, domain: ir.Domain | str, where: ir.Expr | None) -> str:
    """A fold as a loop. ``domain`` as a text is a set of cards that replaces the fold's own, ``where`` what is left to
    test."""
    w = e.w
    kind = fold.kind
    item = w.fresh("c")
    result = w.fresh("r")
    value_name = w.fresh("x")
    start = {
        FoldKind.SUM: "0",
        FoldKind.COUNT: "0",
        FoldKind.SOME: "False",
        FoldKind.EVERY: "True",
        FoldKind.SAME: "True",
        FoldKind.DISTINCT: "set()",
        FoldKind.SET: "0",
    }.get(kind, "None")
    w.line(f"{result} = {start}")
    first = w.fresh("y")
    if kind in (FoldKind.SAME, FoldKind.BEST):
        w.line(f"{first} = None")

    def value() -> str:
        assert fold.value is not None
        return e.emit(fold.value)

    def step(element: str) -> None:
        if kind is FoldKind.SUM:
            w.line(f"{result} += {value()}")
        elif kind is FoldKind.COUNT:
            w.line(f"{result} += 1")
        elif kind in (FoldKind.SOME, FoldKind.EVERY):
            if fold.value is not None:
                text = value()
                w.line(f"if {text}:" if kind is FoldKind.SOME else f"if not {text}:")
            else:
                w.line("if True:" if kind is FoldKind.SOME else "if False:")
            with w.indented():
                w.line(f"{result} = {kind is FoldKind.SOME}")
                w.line("break")
        elif kind in (FoldKind.MIN, FoldKind.MAX):
            w.line(f"{value_name} = {value()}")
            sign = "<" if kind is FoldKind.MIN else ">"
            w.line(f"if {result} is None or {value_name} {sign} {result}: {result} = {value_name}")
        elif kind is FoldKind.SAME:
            w.line(f"{value_name} = {value()}")
            w.line(f"if {first} is None: {first} = {value_name}")
            w.line(f"elif {first} != {value_name}:")
            with w.indented():
                w.line(f"{result} = False")
                w.line("break")
        elif kind is FoldKind.DISTINCT:
            w.line(f"{result}.add({value()})")
        elif kind is FoldKind.BEST:
            w.line(f"{value_name} = {value()}")
            w.line(f"if {result} is None or {value_name} > {first}:")
            with w.indented():
                w.line(f"{result} = {element}")
                w.line(f"{first} = {value_name}")
        elif kind is FoldKind.FIRST:
            w.line(f"{result} = {element}")
            w.line("break")
        else:
            w.line(f"{result} |= 1 << {value()}")

    def body(element: str) -> None:
        e.scope.names[fold.local] = element
        e.scope.ranges[fold.local] = domain_range(e, fold.domain)
        if where is None:
            step(element)
            return
        condition = e.emit(where)
        w.line(f"if {condition}:")
        with w.indented():
            step(element)

    if isinstance(domain, str):
        write_bits(e, domain, item, body)
    else:
        write_loop(e, domain, body, item, Charge(fold.fuel, fold.at))
    if kind is FoldKind.SUM:
        low, high = raw_sum_range(fold, e.program, e.scope.ranges)
        if low < INT_MIN or high > INT_MAX:
            w.line(f"if not {INT_MIN} <= {result} <= {INT_MAX}: overflow({fold.at}, {result})")
    elif kind is FoldKind.DISTINCT:
        return f"len({result})"
    elif start == "None":
        w.line(f"if {result} is None:")
        with w.indented():
            if fold.default is None:
                w.line(f"empty_fold({fold.at}, {kind.value!r})")
            else:
                w.line(f"{result} = {e.emit(fold.default)}")
    return result


def outlined(e: Emitter, fold: ir.Fold | ir.Cover) -> str:
    """A fold or cover as a function of its own: its parameters are the locals that are bound where it stands."""
    from rulerun.run.expressions import Emitter, Scope

    bound = sorted(e.scope.names.items())
    names = sorted({name for _, name in bound if name.isidentifier()})
    writer = Writer()
    inner = Emitter(e.program, e.pool, writer, e.guarded, e.plain)
    inner.scope = Scope(dict(bound), dict(e.scope.ranges))
    inner.inlined = e.inlined
    writer.fresh_names = e.w.fresh_names
    with writer.indented():
        value = inner.emit(fold)
        writer.line(f"return {value}")
    number = len(e.pool.outlined)
    e.pool.outlined.append(f"def h{number}({', '.join(['v', *names])}):\n{writer.text()}")
    return e.atom(f"h{number}({', '.join(['v', *names])})")

