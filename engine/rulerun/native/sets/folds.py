"""Folds over sets of cards whose result does not depend on the order of the sets, in machine code by carried values."""

from __future__ import annotations

from rulerun.facts import faults
from rulerun.facts.ranges import raw_sum_range
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import FoldKind
from rulerun.native.counting import Rate
from rulerun.native.expressions import Emitter
from rulerun.native.sets.carried import set_test
from rulerun.native.sets.elements import Words, check_known
from rulerun.native.sets.lanes import MOST_LANED, Lanes, fits_lanes
from rulerun.native.sets.search import each_passing

UNORDERED = (FoldKind.COUNT, FoldKind.SUM, FoldKind.MIN, FoldKind.MAX, FoldKind.SOME, FoldKind.EVERY)


def fold_sets(e: Emitter, fold: ir.Fold) -> str | None:
    """A fold over sets whose result does not depend on their order, by carried values; None if it is no such fold."""
    domain = fold.domain
    if fold.kind not in UNORDERED or not isinstance(domain, ir.SubsetDomain):
        return None
    found = set_test(e, fold.local, domain.least, domain.most, fold.where, fold.value)
    if found is None:
        return None
    w, cards = e.w, e.cards
    of = e.words(domain.of)
    check_known(e, of, found.least, found.most, Rate(fold.fuel, domain.at))
    result, have = w.slot("1" if fold.kind is FoldKind.EVERY else "0"), w.slot("0")
    out = w.new_label("out")

    def step(_: Words) -> None:
        match fold.kind:
            case FoldKind.COUNT:
                w.put(result, w.add(w.get(result), "1"))
            case FoldKind.SOME | FoldKind.EVERY:
                some = fold.kind is FoldKind.SOME
                holds = e.test(found.value) if found.value is not None else "true"
                with w.when(holds if some else w.no(holds)):
                    w.put(result, "1" if some else "0")
                    w.jump(out)
            case _:
                assert found.value is not None
                x = e.emit(found.value)
                if fold.kind is FoldKind.SUM:
                    w.put(result, w.add(w.get(result), x))
                    return
                better = w.compare("slt" if fold.kind is FoldKind.MIN else "sgt", x, w.get(result))
                w.put(result, w.pick(w.any_of(w.compare("eq", w.get(have), "0"), better), x, w.get(result)))
                w.put(have, "1")

    sizes = range(found.least, found.most + 1)
    if fits_lanes(e, fold, found, fold.local):
        with w.when(w.compare("sle", cards.size(w, of), str(MOST_LANED))) as which:
            for slot, value in zip((result, have), Lanes(e, found, of).fold(fold), strict=True):
                w.put(slot, value)
            which.otherwise()
            each_passing(e, found, fold.local, of, sizes, step)
    else:
        each_passing(e, found, fold.local, of, sizes, step)
    w.label(out)
    if fold.kind is FoldKind.SUM:
        return e.checked(w.get(result), raw_sum_range(fold, e.program, e.scope.ranges), fold.at)
    if fold.kind in (FoldKind.MIN, FoldKind.MAX):
        none = w.compare("eq", w.get(have), "0")
        if fold.default is None:
            e.fail_if(none, faults.EMPTY_FOLD, fold.at)
        else:
            with w.when(none):
                w.put(result, e.emit(fold.default))
    return w.get(result)
