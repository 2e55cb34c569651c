"""Choices in machine code: options listed into a buffer, as the reference lists them; or, in a playout, only counted.

A record of the buffer is the line's number and the words that the choice would store. ``@oN`` lists the options of the
choice in block N and gives their number, the lines whose set is from now on picked card by card, whether such picking
goes on, and a fault.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rulerun.facts import faults
from rulerun.facts.domains import SETS_COUNTED, base_zone, by_cards, counts_by_kind
from rulerun.facts.options import DONE, PASS
from rulerun.facts.types import is_card, is_card_set, type_of
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import Held
from rulerun.ir.program import CHOOSER, MAX_OPTIONS, MAX_SET_OPTIONS, PICKED, ZONE_COUNT, Program, SeenBy
from rulerun.native.counting import UNMETERED, Rate, burn, burn_zone, unburned
from rulerun.native.domains import Item, bind, card_set, each, single
from rulerun.native.expressions import Emitter, Shared
from rulerun.native.functions import give
from rulerun.native.regions import PARAMETERS, arguments
from rulerun.native.rows import chosen_in_rows, count_rows, in_rows
from rulerun.native.setlists import CARD_PICK, Sets
from rulerun.native.text import Writer
from rulerun.native.unrank import MOST_CARDS, count_sets, nth_set

ANSWER = "{ i64, i64, i64, i64 }"
WORK_WORDS = 10
"""Words of scratch per card for listing sets."""


def record_words(program: Program, choose: ir.Choose) -> int:
    """Words of a record."""
    width = program.layout.words_per_set
    return 1 + max([1, *(sum(words_held(binder, width)[1] for binder in line.binders) for line in choose.lines)])


def words_held(binder: ir.Binder, width: int) -> tuple[int, int]:
    """Words of what a binder would store, and its words in a record: a set out of a domain of sets is followed by what
    tells it from others."""
    if binder.held is Held.WHOLE:
        return width, 2 * width
    return (width, width) if binder.held is Held.SET else (1, 1)


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
                levels = max(levels, sum(binder.held is Held.SET for binder in line.binders))
    return WORK_WORDS * (program.card_count + 8) + levels * (MAX_SET_OPTIONS + 1) * width


def plain_domain(domain: ir.Domain) -> ir.Domain:
    """A domain without its filters."""
    while isinstance(domain, ir.FilteredDomain):
        domain = domain.domain
    return domain


@dataclass
class Counted:
    """A line of which only the number of options is known: ``words`` holds the cards (or elements) that may be chosen,
    ``hidden`` whether they are one option. Of a line with several binders ``rows`` is the address of the `rows`."""

    count: str
    words: list[str]
    hidden: str
    rows: str = ""


class Choices:
    """Writes one `Choose`."""

    def __init__(self, shared: Shared, block: int, choose: ir.Choose) -> None:
        self.shared = shared
        self.program = shared.program
        self.block = block
        self.choose = choose
        kinds = shared.program.kinds
        self.twins = len(set(kinds)) < len(kinds)
        self.burns = False
        """Whether listing the options burns fuel."""
        self.stride = record_words(shared.program, choose)
        self.read = sorted(shared.promotion.read_in(choose.lines) | {CHOOSER, PICKED})

    # ------------------------------------------------------------------ counting

    def is_quick(self) -> bool:
        """Whether a playout can choose without a list."""
        return all(self.sort(line) for line in self.choose.lines)

    def sort(self, line: ir.Line) -> str:
        """How a line is counted: "flag", "set", "loop", "subsets", "rows", or "" if it must be listed."""
        if not line.binders:
            return "flag"
        binder = line.binders[0]
        if len(line.binders) > 1:
            return "rows" if in_rows(self, line) else ""
        if binder.held is Held.WHOLE:
            return ""
        if binder.held is Held.PLACE:
            return "loop"
        if binder.held is Held.SET:
            all_differ = not self.by_kind(binder) and self.program.card_count <= MOST_CARDS
            return "subsets" if line.where is None and all_differ and self.is_bits(binder) else ""
        if self.is_bits(binder):
            return "set"
        match plain_domain(binder.domain):
            case ir.SetDomain():
                return "loop"
            case ir.ZoneDomain(zone) if self.program.families[zone.family].shuffled:
                return "" if self.twins or binder.held is Held.KIND else "loop"
            case _:
                return "" if binder.held is Held.KIND else "loop"

    def is_bits(self, binder: ir.Binder) -> bool:
        """Whether a binder's elements come in the order of their numbers, as bits of a set."""
        match plain_domain(binder.domain):
            case ir.SetDomain(of):
                return is_card(binder.place.type) or is_card_set(type_of(of)) or self.shared.sets(type_of(of)) is None
            case ir.ZoneDomain(zone):
                return not self.program.families[zone.family].kind.ordered
            case _:
                return False

    def count_line(self, e: Emitter, line: ir.Line) -> Counted:
        """Counts the options of a line."""
        w = e.w
        sort = self.sort(line)
        width = 1
        if sort == "set" and is_card(line.binders[0].place.type):
            width = e.cards.width
        elif sort == "subsets":
            width = e.cards.width + 1
        if line.guard is None:
            return self.count_open(e, line, sort)
        guard = e.test(line.guard)
        if guard == "true":
            return self.count_open(e, line, sort)
        mark, labels = w.mark(), w.labels
        counted = self.count_open(e, line, sort)
        if w.labels == labels:
            words = [w.pick(guard, word, "0") for word in counted.words]
            return Counted(w.pick(guard, counted.count, "0"), words, counted.hidden)
        w.back(mark)
        count = w.slot("0")
        held = [w.slot("0") for _ in range(width)]
        hidden = w.slot("0")
        with w.when(guard):
            counted = self.count_open(e, line, sort)
            w.put(count, counted.count)
            w.put(hidden, w.number(counted.hidden))
            for slot, word in zip(held, counted.words, strict=False):
                w.put(slot, word)
        return Counted(w.get(count), [w.get(slot) for slot in held], e.truth(w.get(hidden)), counted.rows)

    def count_open(self, e: Emitter, line: ir.Line, sort: str) -> Counted:
        w = e.w
        e.at = line.at
        if sort == "flag":
            return Counted(w.number(e.test(line.where)) if line.where is not None else "1", [], "false")
        binder = line.binders[0]
        if sort == "set":
            return self.count_set(e, line, binder)
        if sort == "subsets":
            return self.count_subsets(e, line, binder)
        if sort == "rows":
            total, rows = count_rows(self, e, line)
            return Counted(total, [], "false", rows)
        if line.where is None and isinstance(binder.domain, ir.ZoneDomain):
            return Counted(e.zone_word(binder.domain.zone, ZONE_COUNT), [], "false")
        count = w.slot("0")
        self.each_option(e, line, binder, lambda _: w.put(count, w.add(w.get(count), "1")))
        return Counted(w.get(count), [], "false")

    def each_option(self, e: Emitter, line: ir.Line, binder: ir.Binder, body: Callable[[str], None]) -> None:
        """A loop over the elements of a single binder that pass."""

        def one(item: Item) -> None:
            bind(e, binder.local, item, binder.domain)
            if line.where is None:
                body(single(item))
                return
            with e.w.when(e.test(line.where)):
                body(single(item))

        if binder.held is Held.PLACE:
            self.places(e, binder.domain, one)
        else:
            each(e, binder.domain, one)

    def count_set(self, e: Emitter, line: ir.Line, binder: ir.Binder) -> Counted:
        """A line over a set: which elements may be chosen."""
        w = e.w
        hidden = self.hidden(e, binder)
        by_kind = self.twins and counts_by_kind(self.program, binder)
        wide = is_card(binder.place.type)
        base, rest = None, line.where
        if line.sifted is not None and not binder.fuel:
            base, rest = e.words(line.sifted.cards), line.sifted.rest
            if rest is None:
                return self.counted(e, self.lowest_of_kinds(e, base) if by_kind else base, hidden)
        slots = [w.slot("0") for _ in range(e.cards.width if wide else 1)]
        gone = [w.slot("0") for _ in slots]
        out = w.new_label("out")

        def one(item: str) -> None:
            bind(e, binder.local, [item], binder.domain)
            if by_kind:
                again = e.cards.contains(w, [w.get(slot) for slot in gone], item)
                with w.when(w.no(again)):
                    test(item)
            else:
                test(item)

        def test(item: str) -> None:
            if rest is None:
                keep(item)
                return
            with w.when(e.test(rest)):
                keep(item)

        def keep(item: str) -> None:
            bits = e.cards.single(w, item) if wide else [w.bit(item)]
            for slot, bit in zip(slots, bits, strict=True):
                w.put(slot, w.either(w.get(slot), bit))
            if by_kind:
                for slot, word in zip(gone, self.kind_of(e, item), strict=True):
                    w.put(slot, w.either(w.get(slot), word))
            if hidden != "false":
                go = w.new_label()
                w.branch(hidden, out, go)
                w.label(go)

        if base is not None:
            e.cards.each_card(w, base, one)
        else:
            each(e, binder.domain, lambda item: one(single(item)), Rate(binder.fuel, line.at))
        w.label(out)
        return self.counted(e, [w.get(slot) for slot in slots], hidden)

    def count_subsets(self, e: Emitter, line: ir.Line, binder: ir.Binder) -> Counted:
        """A line over sets of cards: the cards that they are chosen from, and the size of the smallest."""
        w = e.w
        least = w.greatest(e.emit(binder.least), "0") if binder.least is not None else "0"
        most = e.emit(binder.most) if binder.most is not None else None
        words = card_set(e, binder.domain)
        if words is None:
            of = [w.slot("0") for _ in range(e.cards.width)]

            def one(item: Item) -> None:
                for slot, word in zip(of, e.cards.single(w, single(item)), strict=True):
                    w.put(slot, w.either(w.get(slot), word))

            each(e, binder.domain, one)
            words = [w.get(slot) for slot in of]
        n = e.cards.size(w, words)
        self.burn_sets(e, line, binder, n)
        count = count_sets(w, e.cards, n, least, n if most is None else w.least(most, n))
        return Counted(count, [*words, least], "false")

    def burn_sets(self, e: Emitter, line: ir.Line, binder: ir.Binder, number_of: str) -> None:
        """Burns for the sets of so many cards."""
        if binder.fuel:
            sets = e.w.up("1", e.w.least(number_of, str(SETS_COUNTED)))
            burn(e, e.w.mul(sets, str(binder.fuel)), line.at)

    def counted(self, e: Emitter, words: list[str], hidden: str) -> Counted:
        w = e.w
        size = e.cards.size(w, words)
        if hidden != "false":
            size = w.pick(hidden, w.least(size, "1"), size)
        return Counted(size, words, hidden)

    def hidden(self, e: Emitter, binder: ir.Binder) -> str:
        """Whether the chooser cannot tell the cards apart."""
        if binder.held is not Held.KIND or self.surely_seen(binder):
            return "false"
        zone = base_zone(binder.domain)
        assert zone is not None
        return e.w.no(e.w.has(e.w.look_up(e.cards.sees, e.instance(zone)), e.read(CHOOSER)))

    def surely_seen(self, binder: ir.Binder) -> bool:
        """Whether the zone of a binder is one that its chooser sees, whoever that is."""
        zone = base_zone(binder.domain)
        if zone is None:
            return False
        family = self.program.families[zone.family]
        if family.seen_by is SeenBy.EVERYONE:
            return True
        mine = len(zone.axes) == 1 and zone.axes[0].index == self.choose.chooser
        return family.seen_by is SeenBy.OWNER and mine

    def kind_masks(self) -> list[int]:
        masks = [0] * (max(self.program.kinds, default=0) + 1)
        for card, kind in enumerate(self.program.kinds):
            masks[kind] |= 1 << card
        return masks

    def kind_of(self, e: Emitter, card: str) -> list[str]:
        """All cards of the kind of a card."""
        masks = self.kind_masks()
        split_sets = [e.cards.split(masks[kind]) for kind in self.program.kinds]
        return [e.w.look_up([int(words[i]) for words in split_sets], card) for i in range(e.cards.width)]

    def lowest_of_kinds(self, e: Emitter, words: list[str]) -> list[str]:
        """Of each kind in a set the lowest card."""
        w = e.w
        masks = self.kind_masks()
        runs = [(mask & -mask, mask ^ (mask & mask >> 1)) for mask in masks if mask]
        if e.cards.width == 1 and all(top.bit_count() == 1 for _, top in runs):
            # Every kind is a field of neighbouring bits: subtract 1 in each field at once.
            lows, tops = str(sum(low for low, _ in runs)), sum(top for _, top in runs)
            below, above = str(int(e.cards.every_card[0]) & ~tops), str(tops)
            other = w.differ(words[0], e.cards.every_card[0])
            added = w.add(w.both(other, below), w.both(lows, below))
            return [w.both(words[0], w.differ(added, w.both(w.differ(other, lows), above)))]
        slots, gone = [w.slot("0") for _ in words], [w.slot("0") for _ in words]

        def one(card: str) -> None:
            again = e.cards.contains(w, [w.get(slot) for slot in gone], card)
            with w.when(w.no(again)):
                for slot, bit in zip(slots, e.cards.single(w, card), strict=True):
                    w.put(slot, w.either(w.get(slot), bit))
                for slot, word in zip(gone, self.kind_of(e, card), strict=True):
                    w.put(slot, w.either(w.get(slot), word))

        e.cards.each_card(w, words, one)
        return [w.get(slot) for slot in slots]

    def chosen(self, e: Emitter, line: ir.Line, counted: Counted, k: str) -> list[list[str]]:
        """What option ``k`` of a counted line would store for each of its binders."""
        match self.sort(line):
            case "flag":
                return []
            case "subsets":
                *of, least = counted.words
                return [nth_set(e.w, e.cards, of, least, k)]
            case "rows":
                return chosen_in_rows(e, line, counted.rows, k)
            case _:
                return [[self.chosen_word(e, line, counted, k)]]

    def chosen_word(self, e: Emitter, line: ir.Line, counted: Counted, k: str) -> str:
        """The same where it is one word."""
        w = e.w
        binder = line.binders[0]
        if self.sort(line) == "set":
            wide = is_card(binder.place.type)
            item = e.cards.nth(w, counted.words, k) if wide else e.cards.nth_bit(w, counted.words[0], k)
            return w.pick(counted.hidden, str(ir.UNSEEN), item) if counted.hidden != "false" else item
        if line.where is None and isinstance(binder.domain, ir.ZoneDomain) and binder.held is Held.PLACE:
            return k
        left, result = w.slot(k), w.slot("0")
        out = w.new_label("out")

        def one(item: str) -> None:
            have = w.get(left)
            with w.when(w.compare("eq", have, "0")):
                w.put(result, item)
                w.jump(out)
            w.put(left, w.sub(have, "1"))

        with unburned(e):
            self.each_option(e, line, binder, one)
            w.label(out)
        return w.get(result)

    def places(
        self, e: Emitter, domain: ir.Domain, body: Callable[[Item], None], rate: Rate = UNMETERED
    ) -> None:
        """A loop over the places of an ordered zone; a filter reads the place."""
        filters: list[ir.FilteredDomain] = []
        while isinstance(domain, ir.FilteredDomain):
            filters.append(domain)
            domain = domain.domain
        assert isinstance(domain, ir.ZoneDomain)
        w = e.w
        burn_zone(e, domain.zone, rate)
        with w.counting("0", e.zone_word(domain.zone, ZONE_COUNT)) as item:
            next_one = w.new_label("next")
            for filtered in reversed(filters):
                bind(e, filtered.local, [item], filtered.domain)
                go = w.new_label()
                w.branch(e.test(filtered.where), go, next_one)
                w.label(go)
            body([item])
            w.label(next_one)

    # ------------------------------------------------------------------- listing

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
        loose = [b for b in line.binders if b.held is not Held.SET]
        dedupe = self.twins and any(counts_by_kind(self.program, b) for b in loose)
        dedupe = dedupe or any(b.held is Held.KIND for b in line.binders)
        dedupe = dedupe or (self.twins and any(b.held is Held.WHOLE for b in line.binders))
        start = w.slot(w.get(self.count)) if dedupe else ""
        stored: list[list[str]] = []
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

            if binder.held is Held.SET:
                self.list_sets(e, i, line, binder, level, chosen)
                return
            hidden = self.hidden(e, binder)

            def one(item: Item) -> None:
                bind(e, binder.local, item, binder.domain)
                if binder.held is Held.WHOLE:
                    alike = self.shared.cards.words_of(w, "canon", item) if self.twins else item
                    chosen([*item, *alike])
                else:
                    chosen([w.pick(hidden, str(ir.UNSEEN), single(item))])

            rate = Rate(binder.fuel, line.at)
            if binder.held is Held.PLACE:
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
            with w.when(w.no(self.listed_before(e, line, w.get(start), stored))):
                self.add(e, i, stored, line.at)

        go(0)

    def listed_before(self, e: Emitter, line: ir.Line, start: str, stored: list[list[str]]) -> str:
        """Whether an option that names the same kinds stands in the list already."""
        w = e.w
        kinds = [-2, -1, *self.program.kinds]
        found, out = w.slot("0"), w.new_label("out")
        with w.counting(start, w.get(self.count)) as record:
            base = w.mul(record, str(self.stride))
            same = "true"
            place = 1
            for binder, words in zip(line.binders, stored, strict=True):
                by_kind = self.by_kind(binder) and binder.held not in (Held.SET, Held.WHOLE)
                skipped = e.cards.width if binder.held is Held.WHOLE else 0
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

        each(e, binder.domain, one)
        count = w.get(length)
        return count, least, count if most is None else w.least(most, count)

    def by_kind(self, binder: ir.Binder) -> bool:
        return self.twins and counts_by_kind(self.program, binder)

    def list_sets(
        self, e: Emitter, i: int, line: ir.Line, binder: ir.Binder, level: list[int],
        chosen: Callable[[list[str]], None],
    ) -> None:  # fmt: skip
        """A loop over the sets that a binder offers; or, if they are too many, the first picks of one."""
        w = e.w
        width = e.cards.width
        sets = Sets(self.shared.cards, self.by_kind(binder))
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
                sets = Sets(self.shared.cards, self.by_kind(binder))
                more = sets.call_picks(w, self.count, self.stride, i, picked, count, least, most)
                give(w, ANSWER, [w.get(self.count), "0", more, "0"])


assert DONE == -2
assert CARD_PICK > 2**31
