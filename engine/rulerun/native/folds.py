"""Domains as loops, and folds over them, in machine code."""

from __future__ import annotations

from collections.abc import Callable

from rulerun.facts import faults
from rulerun.facts.domains import domain_size
from rulerun.facts.ranges import raw_sum_range
from rulerun.facts.types import element_type, is_card_set, type_of
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import FoldKind
from rulerun.ir.program import DIRECTION, ZONE_HEAD
from rulerun.ir.types import CARD, PlayerType
from rulerun.native.counting import tally, tally_bits, tally_cards, tally_zone
from rulerun.native.expressions import Emitter
from rulerun.native.masks import apply, card_test, split
from rulerun.native.setdomains import each_group, each_subset
from rulerun.run.loops import NOTHING, NUMBERS_UNCOUNTED, Charge, domain_range
from rulerun.run.masks import column

MOST_DISTINCT = 1_100
MOST_WORDS = 64
FEW_VALUES = 6
Words = list[str]
Item = list[str]
"""An element of a domain: the words of a set of cards, else one."""


class UnsupportedError(Exception):
    """The program holds something that only the reference executor does."""


# ------------------------------------------------------------------- domains


def card_set(e: Emitter, domain: ir.Domain, charge: Charge = NOTHING) -> Words | None:
    """The domain as a set of cards where it is one that runs by number, filters as masks; None if it is not."""
    match domain:
        case ir.ZoneDomain(zone) if not e.family(zone).kind.ordered:
            tally_zone(e, zone, charge)
            return e.cards_in(zone)
        case ir.SetDomain(of) if is_card_set(type_of(of)):
            words = e.words(of)
            tally_cards(e, words, charge)
            return words
        case ir.FilteredDomain(local, inner, where):
            mark = e.w.mark()
            base = card_set(e, inner, charge)
            mask = card_test(e, where, local) if base is not None else None
            if base is None or mask is None:
                e.w.back(mark)
                return None
            return apply(e, "and", base, mask)
        case _:
            return None


def single(item: Item) -> str:
    """An element that is one word."""
    assert len(item) == 1
    return item[0]


def bind(e: Emitter, local: int, item: Item, domain: ir.Domain) -> None:
    """Names an element of a domain."""
    e.scope.names[local] = item
    e.scope.slots.pop(local, None)
    e.scope.ranges[local] = domain_range(e, domain)  # type: ignore[arg-type]


def each(e: Emitter, domain: ir.Domain, body: Callable[[Item], None], charge: Charge = NOTHING) -> None:
    """Writes a loop over a domain."""
    w = e.w

    def one(item: str) -> None:
        body([item])

    match domain:
        case ir.NumberDomain(low, high):
            first, last = number_bounds(e, low, high, charge)
            i = w.slot(first)
            with w.loop() as loop:
                value = w.get(i)
                loop.leave_if(w.compare("sgt", value, last))
                w.put(i, w.add(value, "1"))
                body([value])
        case ir.SteppedDomain():
            each_step(e, domain, body, charge)
        case ir.SubsetDomain(of, least, most, at):
            words, fewest = e.words(of), e.emit(least)
            largest = None if most is None else e.emit(most)
            each_subset(e, words, fewest, largest, Charge(charge.fuel, at), lambda item, _: body(item))
        case ir.GroupDomain(of, field):
            words = e.words(of)
            tally_cards(e, words, charge)
            each_group(e, words, field, body)
        case ir.SetDomain(of):
            if is_card_set(type_of(of)):
                words = e.words(of)
                tally_cards(e, words, charge)
                e.cards.each_card(w, words, one)
            else:
                held = e.emit(of)
                tally_bits(e, held, charge)
                e.cards.each_bit(w, held, one)
        case ir.SeatDomain():
            each_seat(e, domain, body, charge)
        case ir.ZoneDomain(zone):
            tally_zone(e, zone, charge)
            z = e.record(zone)
            family = e.family(zone)
            e.cards.each_in_zone(w, z, family.kind.ordered, one)
            if family.kind.ordered and family.shuffled:
                e.cards.each_card(w, e.cards.read_set(w, z), one)
        case ir.BoardDomain(zone, places):
            first = e.record(zone)
            if charge.fuel:
                tally(e, str(places * charge.fuel), charge.at)
            with w.counting("0", str(places)) as place:
                z = w.add(first, w.mul(place, str(e.layout.zone_words)))
                head = w.get(e.cards.word(w, z, ZONE_HEAD))
                with w.when(w.compare("ne", head, "0")):
                    body([w.sub(head, "1")])
        case ir.FilteredDomain(local, inner, where):
            passing = card_set(e, domain, charge)
            if passing is not None:
                e.cards.each_card(w, passing, one)
                return

            def filtered(item: Item) -> None:
                bind(e, local, item, inner)
                with w.when(e.test(where)):
                    body(item)

            each(e, inner, filtered, charge)


def number_bounds(e: Emitter, low: ir.Expr, high: ir.Expr, charge: Charge = NOTHING) -> tuple[str, str]:
    """The least and greatest of a domain of numbers. Many numbers run over are a fault."""
    w = e.w
    at = charge.at if charge.at >= 0 else e.at
    (a, b), (c, d) = e.range(low), e.range(high)
    first, last = e.emit(low), e.emit(high)
    if charge.fuel or not (a == b and c == d and c - a < NUMBERS_UNCOUNTED):
        more = w.greatest(w.add(w.sub(last, first), "1"), "0")
        tally(e, w.mul(more, str(max(1, charge.fuel))), at)
    return first, last


def each_step(e: Emitter, domain: ir.SteppedDomain, body: Callable[[Item], None], charge: Charge) -> None:
    """A loop over numbers with a step."""
    w = e.w
    at = charge.at if charge.at >= 0 else e.at
    first, last = e.emit(domain.low), e.emit(domain.high)
    step = domain.step
    width = w.sub(last, first) if step > 0 else w.sub(first, last)
    many = w.add(w.op(f"sdiv i64 {width}, {abs(step)}"), "1")
    more = w.pick(w.compare("slt", width, "0"), "0", many)
    tally(e, w.mul(more, str(max(1, charge.fuel))), at)
    i = w.slot(first)
    with w.loop() as loop:
        value = w.get(i)
        loop.leave_if(w.compare("sgt" if step > 0 else "slt", value, last))
        w.put(i, w.add(value, str(step)))
        body([value])


def each_seat(e: Emitter, domain: ir.SeatDomain, body: Callable[[Item], None], charge: Charge) -> None:
    w = e.w
    players = e.program.players
    of = e.emit(domain.of)
    tally_bits(e, of, charge)
    start = e.emit(domain.start)
    if not isinstance(type_of(domain.start), PlayerType):
        start = e.floored("%", start, str(players))
    step = e.read(DIRECTION)
    if domain.backwards:
        step = w.sub("0", step)
    at = w.slot(start if domain.inclusive else e.wrapped(w.add(start, step)))
    with w.counting("0" if domain.inclusive else "1", str(players)):
        seat = w.get(at)
        w.put(at, e.wrapped(w.add(seat, step)))
        with w.when(w.has(of, seat)):
            body([seat])


# --------------------------------------------------------------------- folds


def test_fold(e: Emitter, fold: ir.Fold) -> str:
    """A fold that is a truth value."""
    e.at = fold.at
    quick = quick_test(e, fold)
    return quick if quick is not None else e.truth(loop_fold(e, fold)[0])


def set_fold(e: Emitter, fold: ir.Fold) -> Words:
    """A fold that is a set of cards."""
    e.at = fold.at
    if isinstance(fold.value, ir.Local) and fold.value.index == fold.local:
        mark = e.w.mark()
        base, rest = masked(e, fold)
        if base is not None and rest is None:
            return base
        e.w.back(mark)
    return loop_fold(e, fold)


def number_fold(e: Emitter, fold: ir.Fold) -> str:
    """A fold that is a number, a seat, a card, ..."""
    if fold.kind in (FoldKind.SOME, FoldKind.EVERY, FoldKind.SAME):
        return e.w.number(test_fold(e, fold))
    e.at = fold.at
    quick = quick_number(e, fold)
    return quick if quick is not None else loop_fold(e, fold)[0]


def masked(e: Emitter, fold: ir.Fold) -> tuple[Words | None, ir.Expr | None]:
    """The cards that a fold runs over, as a set, and what of its `where` is left to test; None if it is not such."""
    base = card_set(e, fold.domain, Charge(fold.fuel, fold.at))
    if base is None:
        return None, fold.where
    passed, rest = split(e, fold.where, fold.local)
    return (apply(e, "and", base, passed) if passed is not None else base), rest


def quick_test(e: Emitter, fold: ir.Fold) -> str | None:
    """Whether some or all cards of a set pass, by masks."""
    if fold.kind not in (FoldKind.SOME, FoldKind.EVERY):
        return None
    w = e.w
    mark = w.mark()
    base, rest = masked(e, fold)
    if base is not None and rest is None:
        if fold.value is None:
            if fold.kind is FoldKind.SOME:
                return e.cards.some(w, base)
        else:
            mask = card_test(e, fold.value, fold.local)
            if mask is not None:
                if fold.kind is FoldKind.SOME:
                    return e.cards.some(w, apply(e, "and", base, mask))
                return w.no(e.cards.some(w, [w.without(a, b) for a, b in zip(base, mask, strict=True)]))
    w.back(mark)
    return None


def quick_number(e: Emitter, fold: ir.Fold) -> str | None:
    """A count, a first card or a sum of printed values over a set of cards, without a loop."""
    w = e.w
    if fold.kind not in (FoldKind.COUNT, FoldKind.FIRST, FoldKind.SUM):
        return None
    mark = w.mark()
    base, rest = masked(e, fold)
    if base is not None and rest is None:
        if fold.kind is FoldKind.COUNT:
            return e.cards.size(w, base)
        if fold.kind is FoldKind.FIRST:
            none = w.no(e.cards.some(w, base))
            if fold.default is None:
                e.fail_if(none, faults.EMPTY_FOLD, fold.at)
                return e.cards.first(w, base)
            result = w.slot()
            with w.when(none) as which:
                w.put(result, e.emit(fold.default))
                which.otherwise()
                w.put(result, e.cards.first(w, base))
            return w.get(result)
        assert fold.value is not None
        values = column(e, fold.value, fold.local)  # type: ignore[arg-type]
        if values is not None and len(set(values) - {0}) <= FEW_VALUES:
            total = "0"
            for value in sorted(set(values) - {0}):
                holders = e.cards.split(sum(1 << card for card, other in enumerate(values) if other == value))
                total = w.add(total, w.mul(e.cards.size(w, apply(e, "and", base, holders)), str(value)))
            return checked_sum(e, fold, total)
    w.back(mark)
    return None


def checked_sum(e: Emitter, fold: ir.Fold, total: str) -> str:
    return e.checked(total, raw_sum_range(fold, e.program, e.scope.ranges), fold.at)


def loop_fold(e: Emitter, fold: ir.Fold) -> Words:
    """A fold as a loop."""
    w = e.w
    kind = fold.kind
    wide = is_card_set(fold.type)
    start = "1" if kind in (FoldKind.EVERY, FoldKind.SAME) else "0"
    results = [w.slot(start) for _ in range(e.cards.width if wide else 1)]
    result = results[0]
    have, first = w.slot("0"), w.slot("0")
    out = w.new_label("out")
    distinct = Distinct(e, fold) if kind is FoldKind.DISTINCT else None

    def value() -> str:
        assert fold.value is not None
        if is_card_set(type_of(fold.value)):
            raise UnsupportedError("a fold whose values are sets of cards")
        return e.emit(fold.value)

    def step(item: Item) -> None:
        match kind:
            case FoldKind.SUM:
                more = value()
                w.put(result, w.add(w.get(result), more))
            case FoldKind.COUNT:
                w.put(result, w.add(w.get(result), "1"))
            case FoldKind.SOME | FoldKind.EVERY:
                some = kind is FoldKind.SOME
                holds = "true" if fold.value is None else e.test(fold.value)
                with w.when(holds if some else w.no(holds)):
                    w.put(result, "1" if some else "0")
                    w.jump(out)
            case FoldKind.MIN | FoldKind.MAX:
                x = value()
                better = w.compare("slt" if kind is FoldKind.MIN else "sgt", x, w.get(result))
                with w.when(w.any_of(w.compare("eq", w.get(have), "0"), better)):
                    w.put(result, x)
                w.put(have, "1")
            case FoldKind.SAME:
                x = value()
                with w.when(w.compare("eq", w.get(have), "0")) as which:
                    w.put(first, x)
                    w.put(have, "1")
                    which.otherwise()
                    with w.when(w.compare("ne", w.get(first), x)):
                        w.put(result, "0")
                        w.jump(out)
            case FoldKind.BEST:
                x = value()
                better = w.compare("sgt", x, w.get(first))
                with w.when(w.any_of(w.compare("eq", w.get(have), "0"), better)):
                    take(item)
                    w.put(first, x)
                w.put(have, "1")
            case FoldKind.FIRST:
                take(item)
                w.put(have, "1")
                w.jump(out)
            case FoldKind.DISTINCT:
                assert distinct is not None
                distinct.add(value())
            case FoldKind.SET:
                if wide:
                    assert fold.value is not None
                    value_type = type_of(fold.value)
                    added = e.words(fold.value) if is_card_set(value_type) else e.cards.single(w, value())
                    for slot, word in zip(results, added, strict=True):
                        w.put(slot, w.either(w.get(slot), word))
                else:
                    w.put(result, w.either(w.get(result), w.bit(value())))

    def take(item: Item) -> None:
        for slot, word in zip(results, item, strict=True):
            w.put(slot, word)

    def body(item: Item) -> None:
        bind(e, fold.local, item, fold.domain)
        if where is None:
            step(item)
            return
        with w.when(e.test(where)):
            step(item)

    mark = w.mark()
    base, where = masked(e, fold)
    if base is not None:
        e.cards.each_card(w, base, lambda card: body([card]))
    else:
        w.back(mark)
        where = fold.where
        each(e, fold.domain, body, Charge(fold.fuel, fold.at))
    w.label(out)
    if kind is FoldKind.SUM:
        return [checked_sum(e, fold, w.get(result))]
    if distinct is not None:
        return [distinct.count()]
    if kind in (FoldKind.MIN, FoldKind.MAX, FoldKind.BEST, FoldKind.FIRST):
        none = w.compare("eq", w.get(have), "0")
        if fold.default is None:
            e.fail_if(none, faults.EMPTY_FOLD, fold.at)
        else:
            with w.when(none):
                take(e.value(fold.default))
    return [w.get(slot) for slot in results]


class Distinct:
    """The different values met so far: as bits where they are few, else in a list that is searched."""

    def __init__(self, e: Emitter, fold: ir.Fold) -> None:
        w = e.w
        assert fold.value is not None
        self.e = e
        inner = dict(e.scope.ranges)
        inner[fold.local] = domain_range(e, fold.domain)  # type: ignore[arg-type]
        e.scope.ranges, outer = inner, e.scope.ranges
        self.low, high = e.range(fold.value)
        e.scope.ranges = outer
        self.words = (high - self.low) // 64 + 1
        if self.words <= MOST_WORDS:
            self.bits = w.slot(words=self.words)
            if self.words == 1:
                w.put(self.bits, "0")
            else:
                w.clear(self.bits, "0", self.words)
            return
        size = domain_size(fold.domain, e.program)
        if size > MOST_DISTINCT:
            raise UnsupportedError("distinct values over a domain without bounds")
        self.list = w.slot(words=max(1, size))
        self.length = w.slot("0")

    def add(self, value: str) -> None:
        w = self.e.w
        if self.words <= MOST_WORDS:
            offset = w.sub(value, str(self.low))
            address = w.at(self.bits, w.down(offset, "6") if self.words > 1 else "0")
            w.put(address, w.either(w.get(address), w.bit(offset)))
            return
        known = w.new_label("known")
        with w.counting("0", w.get(self.length)) as i:
            go = w.new_label()
            w.branch(w.compare("eq", w.load(self.list, i), value), known, go)
            w.label(go)
        length = w.get(self.length)
        w.store(self.list, length, value)
        w.put(self.length, w.add(length, "1"))
        w.label(known)

    def count(self) -> str:
        w = self.e.w
        if self.words > MOST_WORDS:
            return w.get(self.length)
        total = w.slot("0")
        with w.counting("0", str(self.words)) as i:
            w.put(total, w.add(w.get(total), w.ones(w.load(self.bits, i))))
        return w.get(total)


def pick_set(e: Emitter, domain: ir.Domain) -> Words | None:
    """The elements of a domain as bits, lowest first, where that is their order: cards, enum values, players of a
    set."""
    words = card_set(e, domain)
    if words is not None:
        return words
    base = domain
    while isinstance(base, ir.FilteredDomain):
        base = base.domain
    is_cards = isinstance(base, ir.ZoneDomain) and not e.family(base.zone).kind.ordered
    if not is_cards and not isinstance(base, ir.SetDomain):
        return None
    w = e.w
    wide = element_type(domain) == CARD
    slots = [w.slot("0") for _ in range(e.cards.width if wide else 1)]

    def include(item: Item) -> None:
        bits = e.cards.single(w, single(item)) if wide else [w.bit(single(item))]
        for slot, word in zip(slots, bits, strict=True):
            w.put(slot, w.either(w.get(slot), word))

    if isinstance(domain, ir.SetDomain):
        return [e.emit(domain.of)]
    each(e, domain, include)
    return [w.get(slot) for slot in slots]



