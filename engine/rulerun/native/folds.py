"""Folds over domains in machine code: by sets of cards where the program says them so, else as loops."""

from __future__ import annotations

from collections.abc import Callable

from rulerun.facts import faults
from rulerun.facts.domains import domain_size
from rulerun.facts.ranges import element_range, raw_sum_range
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import FoldKind
from rulerun.ir.typing import is_card_set, type_of
from rulerun.native import UnsupportedError
from rulerun.native.counting import Rate
from rulerun.native.domains import Item, Words, bind, card_set, each
from rulerun.native.expressions import Emitter
from rulerun.native.printed_folds import printed_fold
from rulerun.native.sets.folds import fold_sets

MOST_DISTINCT = 1_100
MOST_WORDS = 64


def test_fold(e: Emitter, fold: ir.Fold) -> str:
    """A fold that is a truth value."""
    if fold.sets is not None:
        return e.test(fold.sets)
    by_values = printed_fold(e, fold) or fold_sets(e, fold)
    return e.truth(by_values) if by_values is not None else e.truth(loop_fold(e, fold)[0])


def set_fold(e: Emitter, fold: ir.Fold) -> Words:
    """A fold that is a set of cards, or of the values of a large type."""
    return e.words(fold.sets) if fold.sets is not None else loop_fold(e, fold)


def number_fold(e: Emitter, fold: ir.Fold) -> str:
    """A fold that is a number, a seat, a card, ..."""
    if fold.kind in (FoldKind.SOME, FoldKind.EVERY, FoldKind.SAME):
        return e.w.number(test_fold(e, fold))
    if fold.sets is not None:
        return e.emit(fold.sets)
    if fold.kind is FoldKind.FIRST and fold.where is None and not fold.fuel:
        cards = card_set(e, fold.domain)
        if cards is not None:
            return first_card(e, fold, cards)
    return printed_fold(e, fold) or fold_sets(e, fold) or loop_fold(e, fold)[0]


def first_card(e: Emitter, fold: ir.Fold, cards: Words) -> str:
    """The lowest card of a set, without a loop."""
    w = e.w
    none = w.no(e.cards.some(w, cards))
    if fold.default is None:
        e.fail_if(none, faults.EMPTY_FOLD, fold.at)
        return e.cards.first(w, cards)
    result = w.slot()
    with w.when(none) as which:
        w.put(result, e.emit(fold.default))
        which.otherwise()
        w.put(result, e.cards.first(w, cards))
    return w.get(result)


def loop_fold(e: Emitter, fold: ir.Fold) -> Words:
    """A fold as a loop."""
    e.at = fold.at
    return FOLDS[fold.kind](e, fold).written()


class Loop:
    """A fold being written as a loop: `step` for each element that passes, then `ended`.

    ``results``: the variables of the value; ``out``: where to go once nothing more can change it."""

    start = "0"

    def __init__(self, e: Emitter, fold: ir.Fold) -> None:
        self.e, self.w, self.fold = e, e.w, fold
        self.sets = e.sets(fold.type)
        self.results = [self.w.slot(self.start) for _ in range(1 if self.sets is None else self.sets.width)]
        self.out = self.w.new_label("out")

    @property
    def result(self) -> str:
        """The variable of a value of one word."""
        return self.results[0]

    def written(self) -> Words:
        """Writes it all; the words of the value."""
        fold, w = self.fold, self.w

        def body(item: Item) -> None:
            bind(self.e, fold.local, item, fold.domain)
            if fold.where is None:
                self.step(item)
                return
            with w.when(self.e.test(fold.where)):
                self.step(item)

        each(self.e, fold.domain, body, Rate(fold.fuel, fold.at))
        w.label(self.out)
        return self.ended()

    def step(self, item: Item) -> None:
        """What is done with an element that passes."""
        raise NotImplementedError

    def ended(self) -> Words:
        """The words of the value, when the loop is over."""
        return [self.w.get(slot) for slot in self.results]

    def value(self) -> str:
        """The value at the element that is bound."""
        assert self.fold.value is not None
        if is_card_set(type_of(self.fold.value)):
            raise UnsupportedError("a fold whose values are sets of cards")
        return self.e.emit(self.fold.value)

    def take(self, words: Words) -> None:
        """Makes these words the value."""
        for slot, word in zip(self.results, words, strict=True):
            self.w.put(slot, word)

    def settle(self, value: str) -> None:
        """Makes this the value, for good."""
        self.w.put(self.result, value)
        self.w.jump(self.out)


class Sum(Loop):
    def step(self, item: Item) -> None:
        del item
        more = self.value()
        self.w.put(self.result, self.w.add(self.w.get(self.result), more))

    def ended(self) -> Words:
        bounds = raw_sum_range(self.fold, self.e.program, self.e.scope.ranges)
        return [self.e.checked(self.w.get(self.result), bounds, self.fold.at)]


class Count(Loop):
    def step(self, item: Item) -> None:
        del item
        self.w.put(self.result, self.w.add(self.w.get(self.result), "1"))


class Some(Loop):
    def step(self, item: Item) -> None:
        del item
        holds = "true" if self.fold.value is None else self.e.test(self.fold.value)
        with self.w.when(holds):
            self.settle("1")


class Every(Loop):
    start = "1"

    def step(self, item: Item) -> None:
        del item
        assert self.fold.value is not None
        with self.w.when(self.w.no(self.e.test(self.fold.value))):
            self.settle("0")


class Same(Loop):
    """Whether all values are those of the first element."""

    start = "1"

    def __init__(self, e: Emitter, fold: ir.Fold) -> None:
        super().__init__(e, fold)
        self.have, self.first = self.w.slot("0"), self.w.slot("0")

    def step(self, item: Item) -> None:
        del item
        w = self.w
        value = self.value()
        with w.when(w.compare("eq", w.get(self.have), "0")) as which:
            w.put(self.first, value)
            w.put(self.have, "1")
            which.otherwise()
            with w.when(w.compare("ne", w.get(self.first), value)):
                self.settle("0")


class Chosen(Loop):
    """The value of one of the elements, or the default where there is none (a fault without one)."""

    def __init__(self, e: Emitter, fold: ir.Fold) -> None:
        super().__init__(e, fold)
        self.have = self.w.slot("0")

    def is_first(self) -> str:
        return self.w.compare("eq", self.w.get(self.have), "0")

    def ended(self) -> Words:
        none = self.is_first()
        if self.fold.default is None:
            self.e.fail_if(none, faults.EMPTY_FOLD, self.fold.at)
        else:
            with self.w.when(none):
                self.take(self.e.value(self.fold.default))
        return super().ended()


class First(Chosen):
    def step(self, item: Item) -> None:
        self.take(item)
        self.w.put(self.have, "1")
        self.w.jump(self.out)


class Extreme(Chosen):
    """The least or the greatest value."""

    def step(self, item: Item) -> None:
        del item
        w = self.w
        value = self.value()
        better = w.compare("slt" if self.fold.kind is FoldKind.MIN else "sgt", value, w.get(self.result))
        with w.when(w.any_of(self.is_first(), better)):
            w.put(self.result, value)
        w.put(self.have, "1")


class Best(Chosen):
    """The first element of those with the greatest value."""

    def __init__(self, e: Emitter, fold: ir.Fold) -> None:
        super().__init__(e, fold)
        self.greatest = self.w.slot("0")

    def step(self, item: Item) -> None:
        w = self.w
        value = self.value()
        better = w.compare("sgt", value, w.get(self.greatest))
        with w.when(w.any_of(self.is_first(), better)):
            self.take(item)
            w.put(self.greatest, value)
        w.put(self.have, "1")


class Union(Loop):
    """The set of all values."""

    def step(self, item: Item) -> None:
        del item
        w, value = self.w, self.fold.value
        assert value is not None
        if self.sets is None:
            added = [w.bit(self.value())]
        else:
            added = self.e.words(value) if is_card_set(type_of(value)) else self.sets.single(w, self.value())
        for slot, word in zip(self.results, added, strict=True):
            w.put(slot, w.either(w.get(slot), word))


class Different(Loop):
    """How many different values there are."""

    def __init__(self, e: Emitter, fold: ir.Fold) -> None:
        super().__init__(e, fold)
        self.met = Distinct(e, fold)

    def step(self, item: Item) -> None:
        del item
        self.met.add(self.value())

    def ended(self) -> Words:
        return [self.met.count()]


FOLDS: dict[FoldKind, Callable[[Emitter, ir.Fold], Loop]] = {
    FoldKind.SUM: Sum,
    FoldKind.COUNT: Count,
    FoldKind.SOME: Some,
    FoldKind.EVERY: Every,
    FoldKind.MIN: Extreme,
    FoldKind.MAX: Extreme,
    FoldKind.SAME: Same,
    FoldKind.BEST: Best,
    FoldKind.FIRST: First,
    FoldKind.DISTINCT: Different,
    FoldKind.SET: Union,
}


class Distinct:
    """The different values met so far: as bits where they are few, else in a list that is searched."""

    def __init__(self, e: Emitter, fold: ir.Fold) -> None:
        w = e.w
        assert fold.value is not None
        self.e = e
        inner = dict(e.scope.ranges)
        inner[fold.local] = element_range(fold.domain, e.program, e.scope.ranges)
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
