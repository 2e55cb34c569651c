"""One decision after the other over a vector that the caller holds: ``@run``.

``@run(vector, options, scratch, mode, record, answer)`` gives a fault (0: none). Modes: begin a game; take the option
of a record; list the options of the choice that waits; scores and winners. ``answer`` gets the number of options (0:
the game is over), or the winners and then the scores.
"""

from __future__ import annotations

from rulerun.facts import faults
from rulerun.ir import nodes as ir
from rulerun.ir.program import CHOOSER, DECISIONS, LIMITED, PC, PICKED, RNG
from rulerun.native.expressions import Shared
from rulerun.native.flow import Flow
from rulerun.native.text import Writer

BEGIN, TAKE, LIST, SCORES = range(4)


class Stepping(Flow):
    """Writes ``@run``."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared, Writer(shared.module), {})
        self.offered = self.w.slot("0")

    def write(self) -> None:
        w, e = self.w, self.e
        layout = self.program.layout
        parts = {
            "%zn": layout.zone_base,
            "%nx": layout.next_base,
            "%bk": layout.previous_base,
            "%gp": layout.gap_base,
            "%lc": layout.loc_base,
            "%rng": RNG,
        }
        for name, word in parts.items():
            w.line(f"{name} = getelementptr inbounds i64, ptr %v, i64 {word}")
        w.slots.append("  %fuel = alloca i64")
        self.reset()
        chooses = [
            (number, block.end)
            for number, block in enumerate(self.program.blocks)
            if isinstance(block.end, ir.Choose) and number in set(self.reached())
        ]
        take, listing, scores, over = "take", "list", "scores", "over"
        w.switch("%mode", [(BEGIN, f"b{self.program.entry}"), (TAKE, take), (LIST, listing)], scores)
        w.label(take)
        w.switch(e.read(PC), [(number, f"take{number}") for number, _ in chooses], over)
        w.label(listing)
        w.switch(e.read(PC), [(number, f"list{number}") for number, _ in chooses], over)
        for number, choose in chooses:
            w.label(f"take{number}")
            e.write(DECISIONS, w.add(e.read(DECISIONS), "1"))
            self.take_record(number, choose, "%record", f"offer{number}", self.offered)
            w.label(f"list{number}")
            count, _ = self.list_options(number)
            w.put("%answer", count)
            self.stop()
        w.label(scores)
        w.put("%answer", self.write_scores(w.at("%answer", "1")))
        self.stop()
        self.write_blocks()
        w.label(over)
        w.put("%answer", "0")
        self.stop()
        fault = e.write_exits()
        w.line(f"ret i64 {fault}")
        w.open = False
        w.define("i64 @run(ptr %v, ptr %out, ptr %work, i64 %mode, ptr %record, ptr %answer)")

    def stop(self) -> None:
        self.w.line("ret i64 0")
        self.w.open = False

    def ask(self, number: int, choose: ir.Choose) -> None:
        w, e = self.w, self.e
        count, _ = self.list_options(number)
        w.put(self.offered, count)
        if not choose.optional:
            none = w.new_label("none")
            w.branch(w.compare("eq", count, "0"), none, f"offer{number}")
            w.label(none)
            self.go_without(choose)
        w.label(f"offer{number}")
        e.write(PC, str(number))
        limited = w.new_label("limited")
        go = w.new_label("go")
        limit = str(self.program.decision_limit)
        w.branch(w.compare("sge", e.read(DECISIONS), limit), limited, go, rare=True)
        w.label(limited)
        if self.program.limit_is_draw:
            self.clear_frames()
            e.write(PC, "0")
            e.write(PICKED, "0")
            e.write(CHOOSER, "-1")
            e.write(LIMITED, "1")
            w.jump("over")
        else:
            e.fail(faults.DECISION_LIMIT, choose.at)
        w.label(go)
        w.put("%answer", w.get(self.offered))
        self.stop()

    def finish(self) -> None:
        self.clear_frames()
        self.e.write(PC, "0")
        self.e.write(CHOOSER, "-1")
        self.w.jump("over")
