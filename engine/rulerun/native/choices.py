"""Choices in machine code: options listed into a buffer, as the reference lists them (`counted_lines` only counts).

A record of the buffer is the line's number and the words that the choice would store. ``@oN`` lists the options of the
choice in block N and gives their number, the lines whose set is from now on picked card by card, whether such picking
goes on, and a fault.
"""

from __future__ import annotations

from collections.abc import Callable

from rulerun.facts import faults
from rulerun.facts.domains import by_cards, counts_by_kind
from rulerun.facts.options import DONE, PASS
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import Identity
from rulerun.ir.program import CHOOSER, MAX_OPTIONS, MAX_SET_OPTIONS, PICKED, Program
from rulerun.ir.typing import is_card
from rulerun.native.by_sight import each_by_sight
from rulerun.native.counted_lines import Counted, CountedLines
from rulerun.native.counting import Rate
from rulerun.native.domains import Item, bind, each, single
from rulerun.native.expressions import Emitter, Shared
from rulerun.native.functions import give
from rulerun.native.regions import PARAMETERS, arguments
from rulerun.native.sets.lists import CARD_PICK, NAMES, Sets
from rulerun.native.text import Writer

ANSWER = "{ i64, i64, i64, i64 }"
WORK_WORDS = 10
"""Words of scratch per card for listing sets."""


def record_words(program: Program, choose: ir.Choose) -> int:
    """Words of a record."""
    width = program.layout.words_per_set
    return 1 + max([1, *(sum(words_held(binder, width)[1] for binder in line.binders) for line in choose.lines)])


def words_held(binder: ir.Binder, width: int) -> tuple[int, int]:
    """Words of what a binder would store, and its words in a record: a set out of a domain of sets is followed by what
    tells it from others, and a card that is told by sight by its name."""
    match binder.identity:
        case Identity.GIVEN_SET:
            return width, 2 * width
        case Identity.MULTISET:
            return width, width
        case _:
            return 1, 2 if binder.by_sight else 1


def buffer_words(program: Program, choose: ir.Choose) -> int:
    """Words that the options of a choice can take at most."""
    most = MAX_OPTIONS + 2 + (len(choose.lines) + 1) * (program.card_count + 2)
    return most * record_words(program, choose)


def scratch_words(program: Program) -> int:
    """Words of scratch for listing sets."""
    width = program.layout.words_per_set
    levels = 0
    for block in program.blocks:
        if isinstance(block.end, ir.Choose):
            for line in block.end.lines:
                levels = max(levels, sum(binder.identity is Identity.MULTISET for binder in line.binders))
    return WORK_WORDS * (program.card_count + 8) + levels * (MAX_SET_OPTIONS + 1) * width


class Choices(CountedLines):
    """Writes the list of one `Choose`."""

    def __init__(self, shared: Shared, block: int, choose: ir.Choose) -> None:
        super().__init__(shared, choose)
        self.block = block
        self.burns = False
        """Whether listing the options burns fuel."""
        self.stride = record_words(shared.program, choose)
        self.read = sorted(shared.promotion.read_in(choose.lines) | {CHOOSER, PICKED})

    def write_list(self) -> None:
        """Writes ``@oN``."""
        w = Writer(self.shared.module)
        scalars = {word: w.slot(f"%r{word}") for word in self.read}
        e = Emitter(self.shared, w, scalars)
        self.count = w.slot("0")
        self.zeroed = w.slot("0")
        for i, line in enumerate(self.choose.lines):
            if by_cards(line) is not None:
                self.resume_picking(e, i, line)
        for i, line in enumerate(self.choose.lines):
            if line.guard is not None:
                with w.when(e.test(line.guard)):
                    self.list_line(e, i, line)
            else:
                self.list_line(e, i, line)
        if self.choose.optional:
            self.add(e, PASS, [], None)
        give(w, ANSWER, [w.get(self.count), w.get(self.zeroed), "0", "0"])
        self.burns = e.burns
        fault = e.write_exits()
        give(w, ANSWER, ["0", "0", "0", fault])
        known = "".join(f", i64 %r{word}" for word in self.read)
        w.define(
            f"internal {ANSWER} @o{self.block}({PARAMETERS}, ptr noalias %out, ptr noalias %work{known})",
            "nounwind noinline",
        )

    def call_list(self, e: Emitter) -> list[str]:
        """Lists the options into ``%out``: their number, lines to be picked card by card, whether picking goes on. A
        fault is passed on."""
        w = e.w
        known = "".join(f", i64 {e.read(word)}" for word in self.read)
        with e.lent_fuel(self.burns) as fuel:
            answer = w.op(f"call {ANSWER} @o{self.block}({arguments('null', fuel)}, ptr %out, ptr %work{known})")
        e.pass_on(w.op(f"extractvalue {ANSWER} {answer}, 3"))
        return [w.op(f"extractvalue {ANSWER} {answer}, {i}") for i in range(3)]

    def add(self, e: Emitter, line: int, values: list[list[str]], at: int | None) -> None:
        """Appends a record. ``at``: the origin of the fault of too many."""
        w = e.w
        have = w.get(self.count)
        base = w.mul(have, str(self.stride))
        for place, word in enumerate([str(line), *(word for value in values for word in value)]):
            w.store("%out", w.add(base, str(place)), word)
        more = w.add(have, "1")
        w.put(self.count, more)
        if at is not None:
            e.fail_if(w.compare("sgt", more, str(MAX_OPTIONS)), faults.TOO_MANY_OPTIONS, at)

    def list_line(self, e: Emitter, i: int, line: ir.Line) -> None:
        w = e.w
        e.at = line.at
        if not line.binders:
            if line.where is None:
                self.add(e, i, [], None)
                return
            with w.when(e.test(line.where)):
                self.add(e, i, [], None)
            return
        if self.sort(line) == "set":
            counted = self.count_set(e, line, line.binders[0])
            if counted.hidden != "false":
                with w.when(counted.hidden) as which:
                    with w.when(w.compare("ne", counted.count, "0")):
                        self.add(e, i, [[str(ir.UNSEEN)]], line.at)
                    which.otherwise()
                    self.add_each(e, i, line, counted)
                return
            self.add_each(e, i, line, counted)
            return
        self.list_nested(e, i, line)

    def add_each(self, e: Emitter, i: int, line: ir.Line, counted: Counted) -> None:
        w = e.w
        if len(counted.words) == e.cards.width and is_card(line.binders[0].place.type):
            e.cards.each_card(w, counted.words, lambda item: self.add(e, i, [[item]], line.at))
        else:
            e.cards.each_bit(w, counted.words[0], lambda item: self.add(e, i, [[item]], line.at))

    def list_nested(self, e: Emitter, i: int, line: ir.Line) -> None:
        """Any line: loops within loops."""
        w = e.w
        loose = [b for b in line.binders if b.identity is not Identity.MULTISET]
        dedupe = any(map(self.may_repeat, loose))
        start = w.slot(w.get(self.count)) if dedupe else ""
        stored: list[list[str]] = []
        firsts: list[str] = []
        level = [0]

        def go(n: int) -> None:
            if n == len(line.binders):
                finish()
                return
            binder = line.binders[n]

            def chosen(words: list[str]) -> None:
                stored.append(words)
                go(n + 1)
                stored.pop()

            if binder.identity is Identity.MULTISET:
                self.list_sets(e, i, line, binder, level, chosen)
                return
            hidden = self.hidden(e, binder)

            def one(item: Item) -> None:
                bind(e, binder.local, item, binder.domain)
                firsts.append("false" if self.may_repeat(binder) else "true")
                if binder.identity is Identity.GIVEN_SET:
                    alike = self.shared.cards.words_of(w, "canon", item) if self.twins else item
                    chosen([*item, *alike])
                else:
                    chosen([w.pick(hidden, str(ir.UNSEEN), single(item))])
                firsts.pop()

            def by_sight(item: Item, alike: list[str], first: str) -> None:
                bind(e, binder.local, item, binder.domain)
                firsts.append(first)
                chosen([*item, *alike])
                firsts.pop()

            rate = Rate(binder.fuel, line.at)
            if binder.by_sight:
                each_by_sight(e, binder.domain, by_sight, rate)
            elif binder.identity is Identity.BY_POSITION:
                self.places(e, binder.domain, one, rate)
            else:
                each(e, binder.domain, one, rate)

        def finish() -> None:
            if line.where is None:
                add()
                return
            with w.when(e.test(line.where)):
                add()

        def add() -> None:
            if not dedupe:
                self.add(e, i, stored, line.at)
                return
            new = w.slot("1")
            with w.when(w.no(first_of_all())):
                w.put(new, w.number(w.no(self.listed_before(e, line, w.get(start), stored))))
            with w.when(e.truth(w.get(new))):
                self.add(e, i, stored, line.at)

        def first_of_all() -> str:
            """Whether nothing with the same names can have come before."""
            found = "true"
            for first in firsts:
                found = w.all_of(found, first)
            return found

        go(0)

    def may_repeat(self, binder: ir.Binder) -> bool:
        """Whether several elements of a binder may be one option. (Sets of a MULTISET are listed once each.)"""
        if binder.by_sight or binder.identity is Identity.BY_KIND:
            return True
        return self.twins and (binder.identity is Identity.GIVEN_SET or counts_by_kind(self.program, binder))

    def listed_before(self, e: Emitter, line: ir.Line, start: str, stored: list[list[str]]) -> str:
        """Whether an option that names the same stands in the list already."""
        w = e.w
        kinds = [-2, -1, *self.program.kinds]
        found, out = w.slot("0"), w.new_label("out")
        with w.counting(start, w.get(self.count)) as record:
            base = w.mul(record, str(self.stride))
            same = "true"
            place = 1
            for binder, words in zip(line.binders, stored, strict=True):
                by_kind = self.by_kind(binder) and binder.identity not in (Identity.MULTISET, Identity.GIVEN_SET)
                held, room = words_held(binder, e.cards.width)
                skipped = held if room > held else 0  # what tells the option from others stands behind it
                place += skipped
                for word in words[skipped:]:
                    other = w.load("%out", w.add(base, str(place)))
                    place += 1
                    if by_kind:
                        word = w.look_up(kinds, w.add(word, "2"))
                        other = w.look_up(kinds, w.add(other, "2"))
                    same = w.all_of(same, w.compare("eq", word, other))
            with w.when(same):
                w.put(found, "1")
                w.jump(out)
        w.label(out)
        return e.truth(w.get(found))

    # ---------------------------------------------------------------------- sets

    def alike(self, binder: ir.Binder) -> str:
        """Which cards of a set count as equal."""
        return "sight" if binder.by_sight else "kinds" if self.by_kind(binder) else "cards"

    def set_parts(self, e: Emitter, binder: ir.Binder) -> tuple[str, str, str]:
        """Lists the cards that a set is chosen from at the start of the scratch: how many; least and most."""
        w = e.w
        least = e.emit(binder.least) if binder.least is not None else "0"
        most = e.emit(binder.most) if binder.most is not None else None
        length = w.slot("0")

        def one(item: Item) -> None:
            have = w.get(length)
            w.store("%work", have, single(item))
            w.put(length, w.add(have, "1"))

        if binder.by_sight:
            names = w.at("%work", str(NAMES * (self.program.card_count + 8)))

            def named(item: Item, name: list[str], _first: str) -> None:
                w.store(names, w.get(length), single(name))
                one(item)

            each_by_sight(e, binder.domain, named)
        else:
            each(e, binder.domain, one)
        count = w.get(length)
        return count, least, count if most is None else w.least(most, count)

    def list_sets(
        self, e: Emitter, i: int, line: ir.Line, binder: ir.Binder, level: list[int],
        chosen: Callable[[list[str]], None],
    ) -> None:  # fmt: skip
        """A loop over the sets that a binder offers; or, if they are too many, the first picks of one."""
        w = e.w
        width = e.cards.width
        sets = Sets(self.shared.cards, self.alike(binder))
        area = WORK_WORDS * (self.program.card_count + 8) + level[0] * (MAX_SET_OPTIONS + 1) * width
        level[0] += 1
        number_of, least, most = self.set_parts(e, binder)
        self.burn_sets(e, line, binder, number_of)
        base = w.at("%work", str(area))
        number = sets.call_list(w, number_of, least, most, base)
        many = w.compare("slt", number, "0")
        alone = by_cards(line) is not None
        if not alone:
            e.fail_if(many, faults.TOO_MANY_SETS, line.at)
        else:
            with w.when(many):
                before = w.get(self.count)
                sets.call_picks(w, self.count, self.stride, i, ["0"] * width, number_of, least, most)
                with w.when(w.compare("ne", before, w.get(self.count))):
                    w.put(self.zeroed, w.either(w.get(self.zeroed), str(1 << i if i < 63 else 0)))
        with w.counting("0", number) as at:
            first = w.mul(at, str(width))
            words = [w.load(base, w.add(first, str(j))) for j in range(width)]
            e.scope.names[binder.local] = words
            e.scope.ranges.pop(binder.local, None)
            chosen(words)

    def resume_picking(self, e: Emitter, i: int, line: ir.Line) -> None:
        """While a set is being picked only its further picks are offered."""
        w = e.w
        binder = line.binders[0]
        with w.when(w.compare("ne", e.read(PICKED), "0")):
            picked = e.words(ir.Load(binder.place))
            with w.when(e.cards.some(w, picked)):
                count, least, most = self.set_parts(e, binder)
                sets = Sets(self.shared.cards, self.alike(binder))
                more = sets.call_picks(w, self.count, self.stride, i, picked, count, least, most)
                give(w, ANSWER, [w.get(self.count), "0", more, "0"])


assert DONE == -2
assert CARD_PICK > 2**31
