"""Small sets of cards as nested loops, in machine code: a loop for each further card, over the cards above the last
one that can still be with those chosen (`carried`). What is carried along stays in registers, and a set that cannot
become one that passes is left at its second card."""

from __future__ import annotations

from collections.abc import Callable

from rulerun.native.expressions import Emitter
from rulerun.native.sets.carried import Carried, Carry, SetTest
from rulerun.native.sets.unrank import lowest_alone

Words = list[str]


def each_passing(
    e: Emitter, found: SetTest, local: int, of: Words, sizes: range, body: Callable[[Words], None]
) -> None:
    """A loop over the sets of some sizes, out of ``of``, that pass the test: in the order of their card numbers, a set
    before those that it begins. ``local`` and the carried values are bound in ``body``."""
    w, cards = e.w, e.cards
    wanted = [passes_by_size(e, found, size) if size in sizes else "false" for size in range(sizes.stop)]
    further = ["false"] * sizes.stop
    """Whether a larger set than one of so many cards can pass."""
    for size in range(sizes.stop - 1, 0, -1):
        further[size - 1] = w.any_of(wanted[size], further[size])
    friends = None if found.friends is None else [cards.split(mask) for mask in found.friends]

    def level(size: int, candidates: Words, chosen: Words, values: list[str]) -> None:
        """All sets that have one card more than ``chosen``, and those that they begin."""
        rest = [w.slot(word) for word in candidates]
        with w.loop() as loop:
            left = [w.get(slot) for slot in rest]
            loop.leave_if(w.no(cards.some(w, left)))
            one, card = lowest_alone(w, left), cards.first(w, left)
            above = [w.differ(a, b) for a, b in zip(left, one, strict=True)]
            for slot, word in zip(rest, above, strict=True):
                w.put(slot, word)
            more = [w.either(a, b) for a, b in zip(chosen, one, strict=True)]
            carried = [carry_on(e, *pair, card, size) for pair in zip(found.carried, values, strict=True)]
            if size in sizes:
                bind_set(e, found, local, more, carried)
                with w.when(wanted[size]):
                    if found.test is None:
                        body(more)
                    else:
                        with w.when(e.test(found.test)):
                            body(more)
            if size + 1 < sizes.stop:
                if friends is not None:
                    masks = [w.look_up([int(entry[i]) for entry in friends], card) for i in range(cards.width)]
                    above = [w.both(a, b) for a, b in zip(above, masks, strict=True)]
                missing = sizes.start - size
                enough = w.compare("sge", cards.size(w, above), str(missing)) if missing > 1 else "true"
                with w.when(w.all_of(further[size], enough)):
                    level(size + 1, above, more, carried)

    with w.when(further[0]):
        level(1, of, ["0"] * cards.width, ["0"] * len(found.carried))


def passes_by_size(e: Emitter, found: SetTest, size: int) -> str:
    """Whether the sets of a size can pass at all."""
    if found.by_size is None:
        return "true"
    for which in found.carried:
        if which.carry is Carry.SIZE:
            e.scope.names[which.local] = [str(size)]
            e.scope.ranges[which.local] = size, size
    return e.test(found.by_size)


def carry_on(e: Emitter, which: Carried, value: str, card: str, size: int) -> str:
    """A carried value with one more card, the ``size``-th."""
    w = e.w
    match which.carry:
        case Carry.SIZE:
            return str(size)
        case Carry.SUM:
            return w.add(value, w.look_up(which.column, card))
        case Carry.VALUES:
            return w.either(value, w.bit(w.look_up(which.column, card)))
        case Carry.LEAST | Carry.GREATEST:
            here = w.look_up(which.column, card)
            if size == 1:
                return here
            return w.least(value, here) if which.carry is Carry.LEAST else w.greatest(value, here)


def bind_set(e: Emitter, found: SetTest, local: int, words: Words, values: list[str]) -> None:
    """Names a set and the values carried along with it."""
    e.scope.names[local] = words
    e.scope.slots.pop(local, None)
    e.scope.ranges.pop(local, None)
    for which, value in zip(found.carried, values, strict=True):
        e.scope.names[which.local] = [e.w.ones(value) if which.carry is Carry.VALUES else value]
        e.scope.ranges[which.local] = which.of_any(found.most)
