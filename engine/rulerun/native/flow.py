"""The blocks of a program in one function: branches instead of a driver, and fuel burned where a block says so.

What happens at a choice differs between stepping (`stepping`) and playing out (`playout`); both extend `Flow`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from rulerun.facts import faults
from rulerun.facts.domains import by_cards
from rulerun.facts.flow import successors
from rulerun.facts.options import DONE, PASS
from rulerun.facts.spots import TAIL
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import FoldKind
from rulerun.ir.program import CHOOSER, LIMITED, PICKED, Procedure
from rulerun.ir.types import INT, SetType
from rulerun.ir.typing import element_type, is_card_set
from rulerun.native.cards.chance import random_number
from rulerun.native.choices import Choices, words_held
from rulerun.native.counting import Rate, burn, unburned
from rulerun.native.domains import Item, each, number_bounds, pick_set, single
from rulerun.native.effects import check_depth, clear_words, parameter_type, store_at, write_op
from rulerun.native.expressions import Emitter, Shared
from rulerun.native.sets.lists import CARD_PICK
from rulerun.native.text import Writer


class Flow:
    """Writes the blocks into the function of ``w``."""

    def __init__(self, shared: Shared, w: Writer, scalars: dict[int, str]) -> None:
        self.shared = shared
        self.program = shared.program
        self.w = w
        self.e = Emitter(shared, w, scalars)
        self.choices: dict[int, Choices] = {}
        self.listed: set[int] = set()
        self.backs: dict[int, list[int]] = {}
        for number in self.reached():  # a rule that nothing calls may itself call others
            end = self.program.blocks[number].end
            if isinstance(end, ir.CallProcedure):
                found = self.backs.setdefault(end.procedure, [0])
                if end.back not in found:
                    found.append(end.back)

    def reached(self) -> list[int]:
        """All blocks that can be reached, the entry first."""
        found, waiting = [0], [self.program.entry]
        while waiting:
            number = waiting.pop()
            if number in found:
                continue
            found.append(number)
            end = self.program.blocks[number].end
            more = successors(end, self.program)
            if isinstance(end, ir.Choose):
                more = [line.target for line in end.lines] + ([] if end.passing is None else [end.passing])
            elif isinstance(end, ir.CallProcedure):
                more = [*more, end.back]
            waiting += reversed(more)
        return found

    def write_blocks(self) -> None:
        """All blocks that can be reached."""
        for number in self.reached():
            self.w.label(f"b{number}")
            block = self.program.blocks[number]
            if block.fuel:
                burn(self.e, str(block.fuel), block.at)
            for op in block.ops:
                write_op(self.e, op)
            self.end(number, block)

    def reset(self) -> None:
        """Fuel is counted from one decision to the next."""
        self.w.put("%fuel", "0")

    # ---------------------------------------------------------------------- ends

    def end(self, number: int, block: ir.Block) -> None:
        e, w = self.e, self.w
        match block.end:
            case ir.Jump(to):
                w.jump(f"b{to}")
            case ir.Branch(condition, then, otherwise):
                w.branch(e.test(condition), f"b{then}", f"b{otherwise}")
            case ir.Switch(value, targets, default):
                cases = [(i, f"b{to}") for i, to in enumerate(targets)]
                w.switch(e.emit(value), cases, f"b{default}")
            case ir.CallProcedure(procedure, given, back):
                callee = self.program.procedures[procedure]
                values = [e.value(argument) for argument in given]
                if callee.nested > 1:
                    self.keep_frame(callee, block.end.at)
                for offset, words, argument in zip(callee.params, values, given, strict=True):
                    wide = is_card_set(parameter_type(argument))
                    store_at(e, e.words_at(str(offset), len(words) if wide else 1), words)
                e.write(callee.return_place, str(back))
                w.jump(f"b{callee.entry}")
            case ir.Return(procedure, value):
                assert procedure is not None
                self.leave(procedure, value)
            case ir.Choose():
                e.write(CHOOSER, e.not_none(block.end.chooser, block.end.at))
                self.ask(number, block.end)
            case ir.Draw():
                self.draw(block.end)
            case ir.Pick():
                self.pick(block.end)
            case ir.Finish():
                self.finish()
            case ir.Fail(_, fail_at, fault):
                e.fail(faults.MESSAGES[fault][0], fail_at)
            case _:
                assert_never(block.end)

    def leave(self, procedure: int, value: ir.Expr | None) -> None:
        e, w = self.e, self.w
        mine = self.program.procedures[procedure]
        if value is not None and mine.result_place >= 0:
            words = e.value(value)
            store_at(e, e.words_at(str(mine.result_place), len(words)), words)
        back = e.read(mine.return_place)
        first, last = mine.frame, mine.frame + mine.frame_words
        if mine.result_place < 0:
            clear_words(e, first, last - first)
        else:
            clear_words(e, first, mine.result_place - first)
            after = mine.result_place + mine.result_words
            clear_words(e, after, last - after)
        if mine.nested > 1:
            self.restore_frame(mine)
        backs = self.backs.get(procedure, [0])
        w.switch(back, [(to, f"b{to}") for to in backs[1:]], "b0")

    def keep_frame(self, facts: Procedure, at: int) -> None:
        """Puts the frame aside, if the procedure is in progress, for a call of it that is nested in that one."""
        e, w = self.e, self.w
        with w.when(w.compare("ne", e.read(facts.return_place), "0")):
            kept = e.read(facts.kept)
            e.fail_if(w.compare("sge", kept, str(facts.nested - 1)), faults.TOO_DEEP, at)
            start = w.add(w.mul(kept, str(facts.frame_words)), str(facts.kept + 1))
            for i in range(facts.frame_words):
                w.store("%v", w.add(start, str(i)), e.read(facts.frame + i))
            clear_words(e, facts.frame, facts.frame_words)
            e.write(facts.kept, w.add(kept, "1"))

    def restore_frame(self, facts: Procedure) -> None:
        """Brings the frame that was put aside last back, but for the result of the call that has just ended."""
        e, w = self.e, self.w
        with w.when(w.compare("ne", e.read(facts.kept), "0")):
            kept = w.sub(e.read(facts.kept), "1")
            start = w.add(w.mul(kept, str(facts.frame_words)), str(facts.kept + 1))
            result = range(facts.result_place, facts.result_place + facts.result_words)
            for i in range(facts.frame_words):
                word = w.add(start, str(i))
                if facts.frame + i not in result:
                    e.write(facts.frame + i, w.load("%v", word))
                w.store("%v", word, "0")
            e.write(facts.kept, kept)

    def draw(self, end: ir.Draw) -> None:
        e, w = self.e, self.w
        z = e.record(end.zone)
        if isinstance(end.spot, ir.Depth):
            spot = e.emit(end.spot.index)
            if end.empty is not None:
                spot = w.pick(w.compare("slt", spot, "0"), str(2**30), spot)
            else:
                check_depth(e, spot, w.get(e.cards.word(w, z, 2)), end.at)
            card = e.cards.call(w, "draw", [z, spot])[0]
        elif end.spot is ir.End.HEAD:
            card = e.cards.call(w, "draw_head", [z])[0]
        else:
            card = e.cards.call(w, "draw", [z, str(TAIL)])[0]
        none = w.compare("slt", card, "0")
        if end.empty is None:
            e.fail_if(none, faults.NOTHING_THERE, end.at)
        else:
            go = w.new_label()
            w.branch(none, f"b{end.empty}", go)
            w.label(go)
        store_at(e, e.addresses(end.into), [card])
        w.jump(f"b{end.next}")

    def pick(self, end: ir.Pick) -> None:
        e, w = self.e, self.w
        domain = end.domain
        words = pick_set(e, domain)
        first = last = ""
        if words is not None:
            size = e.cards.size(w, words)
        elif isinstance(domain, ir.NumberDomain):
            first, last = number_bounds(e, domain.low, domain.high, Rate(end.fuel, end.at))
            size = w.greatest(w.add(w.sub(last, first), "1"), "0")
        else:
            size = e.emit(ir.Fold(FoldKind.COUNT, -1, domain, None, None, None, INT, end.at, end.fuel))
        none = w.compare("eq", size, "0")
        if end.empty is None:
            e.fail_if(none, faults.NOTHING_THERE, end.at)
        else:
            go = w.new_label()
            w.branch(none, f"b{end.empty}", go)
            w.label(go)
        k = random_number(e.cards, w, size)
        if words is not None:
            sets = e.sets(SetType(element_type(domain)))
            chosen = e.cards.nth_bit(w, words[0], k) if sets is None else sets.nth(w, words, k)
        elif first:
            chosen = w.add(first, k)
        else:
            left, found, out = w.slot(k), w.slot("0"), w.new_label("out")

            def one(item: Item) -> None:
                have = w.get(left)
                with w.when(w.compare("eq", have, "0")):
                    w.put(found, single(item))
                    w.jump(out)
                w.put(left, w.sub(have, "1"))

            with unburned(e):
                each(e, domain, one)
                w.label(out)
            chosen = w.get(found)
        store_at(e, e.addresses(end.into), [chosen])
        w.jump(f"b{end.next}")

    # ------------------------------------------------------------------- choices

    def ask(self, number: int, choose: ir.Choose) -> None:
        """Asks at the choice in block ``number``."""
        raise NotImplementedError

    def finish(self) -> None:
        """The game is over."""
        raise NotImplementedError

    def choice(self, number: int) -> Choices:
        found = self.choices.get(number)
        if found is None:
            choose = self.program.blocks[number].end
            assert isinstance(choose, ir.Choose)
            found = self.choices[number] = Choices(self.shared, number, choose)
        return found

    def list_options(self, number: int) -> list[str]:
        """Lists the options of a choice into ``%out``; their number, and how many cards to pick are among them while a
        set is picked card by card."""
        choices = self.choice(number)
        if number not in self.listed:
            self.listed.add(number)
            choices.write_list()
        count, zeroed, picking = choices.call_list(self.e)
        for i, line in enumerate(choices.choose.lines):
            if by_cards(line) is not None and i < 63:
                with self.w.when(self.w.has(zeroed, str(i))):
                    self.store_values(line, [["0"] * self.e.cards.width])
        return [count, picking]

    def store_values(self, line: ir.Line, values: Sequence[Sequence[str]]) -> None:
        """Stores what was chosen."""
        e = self.e
        targets = [e.addresses(binder.place) for binder in line.binders]
        for target, words in zip(targets, values, strict=True):
            store_at(e, target, words)

    def go_without(self, choose: ir.Choose) -> None:
        """There is no option."""
        if choose.passing is None:
            self.e.fail(faults.NO_OPTIONS, choose.at)
        else:
            if choose.fuel:
                burn(self.e, str(choose.fuel), choose.at)
            self.w.jump(f"b{choose.passing}")

    def take_record(self, number: int, choose: ir.Choose, record: str, again: str, count: str) -> None:
        """Takes the option of a record and goes on. ``again``: where to go, the number of options in slot ``count``,
        when one more card is to be picked.

        The first word of a record says what it is: passing, a line (with the values that it stores), one more card of
        the set of a line (`CARD_PICK` and the line), or that such a set is done (with the line behind)."""
        w = self.w
        passing, done = w.new_label("pass"), w.new_label("done")
        lines = [w.new_label("line") for _ in choose.lines]
        by_card = {i: w.new_label("pick") for i, line in enumerate(choose.lines) if by_cards(line) is not None}
        cases = [(PASS, passing), *enumerate(lines), *((CARD_PICK + i, label) for i, label in by_card.items())]
        w.switch(w.get(record), [*cases, (DONE, done)] if by_card else cases, passing)
        w.label(passing)
        self.go_on(choose.passing or 0)
        for line, label in zip(choose.lines, lines, strict=True):
            w.label(label)
            self.take_line(line, record)
        for i, label in by_card.items():
            w.label(label)
            self.take_card(number, choose.lines[i], w.load(record, "1"), again, count)
        if by_card:
            w.label(done)
            self.take_set({i: choose.lines[i] for i in by_card}, w.load(record, "1"))

    def go_on(self, block: int) -> None:
        """Goes on with a block after a decision."""
        self.reset()
        self.w.jump(f"b{block}")

    def take_line(self, line: ir.Line, record: str) -> None:
        """Stores the values that a record holds, one after the other."""
        values, place = [], 1
        for binder in line.binders:
            words, room = words_held(binder, self.e.cards.width)
            values.append([self.w.load(record, str(place + j)) for j in range(words)])
            place += room
        self.store_values(line, values)
        self.go_on(line.target)

    def take_card(self, number: int, line: ir.Line, card: str, again: str, count: str) -> None:
        """Puts one more card into the set of a line; on to the next pick, or if there is none, to the line's block."""
        e, w = self.e, self.w
        self.store_values(line, [self.picked_so_far(line, card)])
        e.write(PICKED, w.add(e.read(PICKED), "1"))
        self.reset()
        left, picking = self.list_options(number)
        w.put(count, left)
        finished = w.new_label("finished")
        w.branch(w.compare("ne", picking, "0"), again, finished)
        w.label(finished)
        e.write(PICKED, "0")
        self.go_on(line.target)

    def take_set(self, lines: dict[int, ir.Line], number: str) -> None:
        """Goes on with the set that was picked so far of the line with a number."""
        w = self.w
        labels = [(i, w.new_label("line")) for i in lines]
        w.switch(number, labels, labels[0][1])
        for i, label in labels:
            w.label(label)
            self.store_values(lines[i], [self.picked_so_far(lines[i], None)])
            self.e.write(PICKED, "0")
            self.go_on(lines[i].target)

    def picked_so_far(self, line: ir.Line, card: str | None) -> list[str]:
        """The set picked card by card, with one more card."""
        e, w = self.e, self.w
        begun = w.compare("ne", e.read(PICKED), "0")
        words = [w.pick(begun, w.get(address), "0") for address in e.addresses(line.binders[0].place)]
        if card is None:
            return words
        return [w.either(a, b) for a, b in zip(words, e.cards.single(w, card), strict=True)]

    def clear_frames(self) -> None:
        layout = self.program.layout
        clear_words(self.e, layout.frames, layout.zone_base - layout.frames)

    def write_scores(self, answer: str) -> str:
        """Scores of all seats to ``answer``; the set of winners."""
        e, w = self.e, self.w
        program = self.program
        self.reset()
        with w.counting("0", str(program.players)) as seat:
            w.store(answer, seat, e.call_with(program.score, [seat])[0])
        self.reset()
        everyone = str((1 << program.players) - 1)
        left = w.slot(everyone)
        limited = w.compare("ne", e.read(LIMITED), "0")
        with w.when(w.no(limited)):
            if program.won >= 0:
                with w.when(w.compare("eq", e.call_with(program.won, [])[0], "0")):
                    w.put(left, "0")
            for criterion in program.criteria:
                with w.when(w.compare("sgt", w.ones(w.get(left)), "1")):
                    best, equal = w.slot("0"), w.slot("0")

                    def look(
                        seat: str, function: int = criterion.function, highest: bool = criterion.highest,
                        best: str = best, equal: str = equal,
                    ) -> None:  # fmt: skip
                        value = e.call_with(function, [seat])[0]
                        new = w.compare("eq", w.get(equal), "0")
                        better = w.any_of(new, w.compare("sgt" if highest else "slt", value, w.get(best)))
                        same = w.compare("eq", value, w.get(best))
                        bit = w.bit(seat)
                        joined = w.pick(same, w.either(w.get(equal), bit), w.get(equal))
                        w.put(equal, w.pick(better, bit, joined))
                        w.put(best, w.pick(better, value, w.get(best)))

                    e.cards.each_bit(w, w.get(left), look)
                    w.put(left, w.get(equal))
        return w.get(left)
