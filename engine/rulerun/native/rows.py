"""Lines of a choice with several binders, counted in a playout without a list, in machine code.

"ask {q} for {r}": for each choice of all binders but the last there is a row: which elements of the last go with it, as
a set, and how many they are. The option at a place is found by going through the rows.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from rulerun.facts.domains import domain_size
from rulerun.facts.known import flattened, reads
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import Identity
from rulerun.ir.typing import is_card
from rulerun.native.counting import Rate
from rulerun.native.domains import Item, bind, each, single
from rulerun.native.expressions import Emitter
from rulerun.native.sets.carried import conjunction

if TYPE_CHECKING:
    from rulerun.native.counted_lines import CountedLines

MOST_ROWS = 64


def in_rows(counted: CountedLines, line: ir.Line) -> bool:
    """Whether the options of a line all differ, the elements of the last binder are a set, and those of the others are
    few."""
    *outer, last = line.binders
    for binder in line.binders:
        differ = binder.identity is Identity.BY_KIND and not counted.twins and counted.surely_seen(binder)
        if binder.identity is not Identity.EXACT and not differ:
            return False
    rows = prod(domain_size(binder.domain, counted.program) for binder in outer)
    return rows <= MOST_ROWS and counted.is_bits(last)


def count_rows(counted: CountedLines, e: Emitter, line: ir.Line) -> tuple[str, str]:
    """Writes the rows of a line: how many options there are, and the address of the rows."""
    w = e.w
    *outer, last = line.binders
    words = row_words(e, line)
    most = prod(domain_size(binder.domain, e.program) for binder in outer)
    rows, used, total = w.slot(words=words * most + 1), w.slot("0"), w.slot("0")
    # What does not look at the last element is the same for the whole row.
    parts = flattened(line.where, ir.And) if line.where is not None else []
    before = 0
    while before < len(parts) and not reads(parts[before], last.local) and e.known().is_quiet(parts[before]):
        before += 1
    row_test = conjunction(parts[:before])
    row_line = replace(line, binders=(last,), where=conjunction(parts[before:]))
    chosen: list[str] = []

    def go(number: int) -> None:
        if number == len(outer):
            with w.when("true" if row_test is None else e.test(row_test)):
                row()
            return
        binder = outer[number]

        def one(item: Item) -> None:
            bind(e, binder.local, item, binder.domain)
            chosen.append(single(item))
            go(number + 1)
            chosen.pop()

        each(e, binder.domain, one, Rate(binder.fuel, line.at))

    def row() -> None:
        found = counted.count_set(e, row_line, last)
        with w.when(w.compare("ne", found.count, "0")):
            at = w.get(used)
            for i, word in enumerate([found.count, *found.words, *chosen]):
                w.store(rows, w.add(at, str(i)), word)
            w.put(used, w.add(at, str(words)))
            w.put(total, w.add(w.get(total), found.count))

    go(0)
    return w.get(total), rows


def row_words(e: Emitter, line: ir.Line) -> int:
    """Words of a row: how many there are, which they are, and the elements of the binders before."""
    return len(line.binders) + (e.cards.width if is_card(line.binders[-1].place.type) else 1)


def chosen_in_rows(e: Emitter, line: ir.Line, rows: str, k: str) -> list[list[str]]:
    """What option ``k`` of rows would store."""
    w = e.w
    words, outer = row_words(e, line), len(line.binders) - 1
    left, at = w.slot(k), w.slot("0")
    with w.loop() as loop:
        have, here = w.get(left), w.get(at)
        count = w.load(rows, here)
        loop.leave_if(w.compare("slt", have, count))
        w.put(left, w.sub(have, count))
        w.put(at, w.add(here, str(words)))
    row = w.at(rows, w.get(at))
    values = [[w.load(row, str(words - outer + i))] for i in range(outer)]
    held = [w.load(row, str(1 + i)) for i in range(words - outer - 1)]
    wide = is_card(line.binders[-1].place.type)
    last = e.cards.nth(w, held, w.get(left)) if wide else e.cards.nth_bit(w, held[0], w.get(left))
    return [*values, [last]]
