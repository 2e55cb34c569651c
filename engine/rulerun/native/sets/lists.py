"""Sets of cards as options, in machine code: all sets of a size, or the next picks of one; as `run.offered_sets` lists
them."""

from __future__ import annotations

from collections.abc import Sequence

from rulerun.facts.options import DONE
from rulerun.ir.program import MAX_SET_OPTIONS
from rulerun.native.cards import CardStore
from rulerun.native.text import Writer

CLAMP = 1 << 40
CARD_PICK = 1 << 32
LISTED, ORDER, START, SIZE, TAKEN, REST, WAYS, NEXT, MASK, NAMES = range(10)
"""Parts of the scratch, each with room for all cards."""


class Sets:
    """Writes calls of the two functions, and the functions the first time. ``name``: which cards count as equal:
    none ("cards"), those of a kind ("kinds"), or neighbours with the same entry among NAMES ("sight")."""

    def __init__(self, arena: CardStore, name: str) -> None:
        self.arena = arena
        self.name = name
        self.room = arena.cards + 8

    def part(self, w: Writer, number: int) -> str:
        return w.at("%work", str(number * self.room))

    def call_list(self, w: Writer, count: str, least: str, most: str, into: str) -> str:
        """Lists all sets of the first ``count`` cards in the scratch; their number, -1 if they are too many."""
        name = f"sets.{self.name}"
        if name not in self.arena.written:
            self.arena.written.add(name)
            self.write_list(name)
        return w.op(f"call i64 @{name}(ptr %work, ptr {into}, i64 {count}, i64 {least}, i64 {most})")

    def call_picks(
        self, w: Writer, counter: str, stride: int, line: int, picked: Sequence[str], count: str, least: str, most: str
    ) -> str:
        """Appends the next picks to ``%out``; how many cards are among them (beside "done")."""
        name = f"picks.{self.name}.{stride}"
        if name not in self.arena.written:
            self.arena.written.add(name)
            self.write_picks(name, stride)
        words = "".join(f", i64 {word}" for word in picked)
        given = f"ptr %work, ptr %out, ptr {counter}, i64 {line}, i64 {count}, i64 {least}, i64 {most}{words}"
        return w.op(f"call i64 @{name}({given})")

    # ------------------------------------------------------------------ groups

    def group(self, w: Writer, count: str) -> str:
        """Sorts the listed cards into groups; how many there are."""
        listed, order = self.part(w, LISTED), self.part(w, ORDER)
        start, size = self.part(w, START), self.part(w, SIZE)
        groups = w.slot("0")
        if self.name == "sight":
            return self.group_by_names(w, count)
        if self.name == "cards":
            with w.counting("0", count) as i:
                w.store(order, i, w.load(listed, i))
                w.store(start, i, i)
                w.store(size, i, "1")
            return count
        kinds = self.arena.program.kinds
        number = max(kinds, default=0) + 1
        held, place = self.part(w, WAYS), w.slot("0")
        with w.counting("0", str(number)) as kind:
            w.store(held, kind, "0")
        with w.counting("0", count) as i:
            kind = w.look_up(kinds, w.load(listed, i))
            w.store(held, kind, w.add(w.load(held, kind), "1"))
        with w.counting("0", str(number)) as kind:
            here = w.load(held, kind)
            with w.when(w.compare("ne", here, "0")):
                group = w.get(groups)
                w.store(start, group, w.get(place))
                w.store(size, group, here)
                w.store(held, kind, w.get(place))
                w.put(place, w.add(w.get(place), here))
                w.put(groups, w.add(group, "1"))
        with w.counting("0", count) as i:
            card = w.load(listed, i)
            kind = w.look_up(kinds, card)
            spot = w.load(held, kind)
            w.store(order, spot, card)
            w.store(held, kind, w.add(spot, "1"))
        return w.get(groups)

    def group_by_names(self, w: Writer, count: str) -> str:
        """As `group`; the cards come in the order of their names."""
        listed, order, names = self.part(w, LISTED), self.part(w, ORDER), self.part(w, NAMES)
        start, size = self.part(w, START), self.part(w, SIZE)
        groups, current = w.slot("0"), w.slot("-1")
        with w.counting("0", count) as i:
            w.store(order, i, w.load(listed, i))
            name = w.load(names, i)
            with w.when(w.compare("ne", name, w.get(current))):
                w.put(current, name)
                w.store(start, w.get(groups), i)
                w.store(size, w.get(groups), "0")
                w.put(groups, w.add(w.get(groups), "1"))
            last = w.sub(w.get(groups), "1")
            w.store(size, last, w.add(w.load(size, last), "1"))
        return w.get(groups)

    def flip(self, w: Writer, base: str, card: str) -> None:
        number, bit = self.arena.where(w, card)
        address = w.at(base, number)
        w.put(address, w.differ(w.get(address), bit))

    # -------------------------------------------------------------------- lists

    def write_list(self, name: str) -> None:
        w = Writer(self.arena.module)
        with w.when(w.compare("slt", "%most", w.greatest("%least", "0"))):
            w.line("ret i64 0")
            w.open = False
        groups = self.group(w, "%count")
        start, size = self.part(w, START), self.part(w, SIZE)
        self.count_ways(w, groups)
        taken, rest, mask = self.part(w, TAKEN), self.part(w, REST), self.part(w, MASK)
        order = self.part(w, ORDER)
        w.store(rest, groups, "0")
        group = w.slot(groups)
        with w.loop() as loop:
            here = w.get(group)
            loop.leave_if(w.compare("eq", here, "0"))
            below = w.sub(here, "1")
            w.store(rest, below, w.add(w.load(rest, here), w.load(size, below)))
            w.put(group, below)
        found, level, wanted = w.slot("0"), w.slot("0"), w.slot("0")
        width = self.arena.width
        with w.counting(w.greatest("%least", "0"), w.add("%most", "1")) as total:
            w.put(level, "0")
            w.put(wanted, total)
            w.clear(mask, "0", width)
            down, back, done = w.new_label("down"), w.new_label("back"), w.new_label("done")
            w.label(down)
            more = w.get(wanted)
            keep, go = w.new_label("keep"), w.new_label("go")
            w.branch(w.compare("eq", more, "0"), keep, go)
            w.label(keep)
            have = w.get(found)
            base = w.mul(have, str(width))
            for word in range(width):
                w.store("%into", w.add(base, str(word)), w.load(mask, str(word)))
            w.put(found, w.add(have, "1"))
            w.jump(back)
            w.label(go)
            at = w.get(level)
            take = w.new_label("take")
            w.branch(w.compare("sgt", more, w.load(rest, at)), back, take)
            w.label(take)
            k = w.least(w.load(size, at), more)
            w.store(taken, at, k)
            first = w.load(start, at)
            with w.counting(first, w.add(first, k)) as j:
                self.flip(w, mask, w.load(order, j))
            w.put(wanted, w.sub(more, k))
            w.put(level, w.add(at, "1"))
            w.jump(down)
            w.label(back)
            at = w.get(level)
            up, one = w.new_label("up"), w.new_label("one")
            w.branch(w.compare("eq", at, "0"), done, up)
            w.label(up)
            above = w.sub(at, "1")
            w.put(level, above)
            k = w.load(taken, above)
            w.branch(w.compare("eq", k, "0"), back, one)
            w.label(one)
            less = w.sub(k, "1")
            w.store(taken, above, less)
            self.flip(w, mask, w.load(order, w.add(w.load(start, above), less)))
            w.put(wanted, w.add(w.get(wanted), "1"))
            w.put(level, at)
            w.jump(down)
            w.label(done)
        w.line(f"ret i64 {w.get(found)}")
        w.open = False
        w.define(
            f"internal i64 @{name}(ptr %work, ptr %into, i64 %count, i64 %least, i64 %most)", "nounwind noinline"
        )

    def count_ways(self, w: Writer, groups: str) -> None:
        """Returns -1 from the function if there are too many sets."""
        ways, size = self.part(w, WAYS), self.part(w, SIZE)
        with w.counting("0", w.add("%most", "1")) as i:
            w.store(ways, i, "0")
        w.store(ways, "0", "1")
        with w.counting("0", groups) as group:
            here = w.load(size, group)
            left = w.slot("%most")
            with w.loop() as loop:
                wanted = w.get(left)
                loop.leave_if(w.compare("slt", wanted, "0"))
                total = w.slot("0")
                with w.counting("0", w.add(w.least(here, wanted), "1")) as k:
                    w.put(total, w.add(w.get(total), w.load(ways, w.sub(wanted, k))))
                w.store(ways, wanted, w.least(w.get(total), str(CLAMP)))
                w.put(left, w.sub(wanted, "1"))
        total = w.slot("0")
        with w.counting(w.greatest("%least", "0"), w.add("%most", "1")) as i:
            w.put(total, w.add(w.get(total), w.load(ways, i)))
        with w.when(w.compare("sgt", w.get(total), str(MAX_SET_OPTIONS))):
            w.line("ret i64 -1")
            w.open = False

    # -------------------------------------------------------------------- picks

    def write_picks(self, name: str, stride: int) -> None:
        w = Writer(self.arena.module)
        words = [f"%p{i}" for i in range(self.arena.width)]
        groups = self.group(w, "%count")
        order, start, size = self.part(w, ORDER), self.part(w, START), self.part(w, SIZE)
        have = self.arena.size(w, words)
        begin, left, offered = w.slot("0"), w.slot("0"), w.slot("0")
        with w.counting("0", groups) as i:
            first = w.load(start, i)
            with (
                w.counting(first, w.add(first, w.load(size, i))) as j,
                w.when(self.arena.contains(w, words, w.load(order, j))),
            ):
                w.put(begin, i)
        with w.counting(w.get(begin), groups) as i:
            w.put(left, w.add(w.get(left), w.load(size, i)))
        with w.counting(w.get(begin), groups) as i:
            # ``left``: the cards of this group and all that follow, picked ones of this group left out.
            first, length = w.load(start, i), w.load(size, i)
            free, card = w.slot("0"), w.slot("-1")
            with w.counting(first, w.add(first, length)) as j:
                one = w.load(order, j)
                with w.when(w.no(self.arena.contains(w, words, one))):
                    w.put(free, w.add(w.get(free), "1"))
                    with w.when(w.compare("slt", w.get(card), "0")):
                        w.put(card, one)
            after = w.sub(w.get(left), length)
            w.put(left, after)
            reach = w.add(have, w.add(w.get(free), after))
            some = w.all_of(w.compare("ne", w.get(free), "0"), w.compare("slt", have, "%most"))
            with w.when(w.all_of(some, w.compare("sge", reach, "%least"))):
                self.append(w, stride, w.add("%line", str(CARD_PICK)), w.get(card))
                w.put(offered, w.add(w.get(offered), "1"))
        with w.when(w.compare("sge", have, "%least")):
            self.append(w, stride, str(DONE), "%line")
        w.line(f"ret i64 {w.get(offered)}")
        w.open = False
        given = "".join(f", i64 {word}" for word in words)
        w.define(
            f"internal i64 @{name}(ptr %work, ptr %out, ptr %counter, i64 %line, i64 %count, i64 %least, "
            f"i64 %most{given})",
            "nounwind noinline",
        )

    def append(self, w: Writer, stride: int, line: str, value: str) -> None:
        have = w.get("%counter")
        base = w.mul(have, str(stride))
        w.store("%out", base, line)
        w.store("%out", w.add(base, "1"), value)
        w.put("%counter", w.add(have, "1"))
