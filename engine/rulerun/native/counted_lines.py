"""The lines of a choice counted in a playout, without a list, in machine code: how many options each has, and which is
the one at a place. The place is that of the list (`choices`), so that both offer the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rulerun.facts.domains import SETS_COUNTED, base_zone, counts_by_kind
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import Identity
from rulerun.ir.program import CHOOSER, ZONE_COUNT, SeenBy
from rulerun.ir.typing import is_card, is_card_set, type_of
from rulerun.native.counting import UNMETERED, Rate, burn, burn_zone, unburned
from rulerun.native.domains import Item, bind, card_set, each, single
from rulerun.native.expressions import Emitter, Shared
from rulerun.native.rows import chosen_in_rows, count_rows, in_rows
from rulerun.native.sets.unrank import MOST_CARDS, count_sets, nth_set


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


class CountedLines:
    """Counts the lines of one `Choose`."""

    def __init__(self, shared: Shared, choose: ir.Choose) -> None:
        self.shared = shared
        self.program = shared.program
        self.choose = choose
        kinds = shared.program.kinds
        self.twins = len(set(kinds)) < len(kinds)

    def is_quick(self) -> bool:
        """Whether a playout can choose without a list."""
        return all(self.sort(line) for line in self.choose.lines)

    def sort(self, line: ir.Line) -> str:
        """How a line is counted: "flag", "set", "loop", "subsets", "rows", or "" if it must be listed."""
        if not line.binders:
            return "flag"
        if any(binder.by_sight for binder in line.binders):
            return ""
        binder = line.binders[0]
        if len(line.binders) > 1:
            return "rows" if in_rows(self, line) else ""
        if binder.identity is Identity.GIVEN_SET:
            return ""
        if binder.identity is Identity.BY_POSITION:
            return "loop"
        if binder.identity is Identity.MULTISET:
            all_differ = not self.by_kind(binder) and self.program.card_count <= MOST_CARDS
            return "subsets" if line.where is None and all_differ and self.is_bits(binder) else ""
        if self.is_bits(binder):
            return "set"
        match plain_domain(binder.domain):
            case ir.SetDomain():
                return "loop"
            case ir.ZoneDomain(zone) if self.program.families[zone.family].shuffled:
                return "" if self.twins or binder.identity is Identity.BY_KIND else "loop"
            case _:
                return "" if binder.identity is Identity.BY_KIND else "loop"

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

        if binder.identity is Identity.BY_POSITION:
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
        if binder.identity is not Identity.BY_KIND or self.surely_seen(binder):
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
        if line.where is None and isinstance(binder.domain, ir.ZoneDomain) and binder.identity is Identity.BY_POSITION:
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

    def by_kind(self, binder: ir.Binder) -> bool:
        return self.twins and counts_by_kind(self.program, binder)
