"""Whole games played by random choices without leaving machine code: ``@playouts``.

``@playouts(sums, faults, options, scratch, stop, seed's state, first, count, one, policy's state)`` plays games
``first`` to ``first + count``, adds them to the sums and gives how many it has played (fewer if ``stop`` was raised).
Seeds and choices are those of `play.simulate`. With ``one`` not 0 both states are those of a single game. Sums are
whole numbers, so they come out the same however the games are cut into calls.
"""

from __future__ import annotations

from rulerun.facts import faults
from rulerun.facts.rng import GOLDEN, MIX_2, SEED_BITS
from rulerun.facts.start import blank_vector
from rulerun.ir import nodes as ir
from rulerun.ir.program import DECISIONS, LIMITED, MAX_OPTIONS, MAX_SET_OPTIONS, PICKED
from rulerun.native.cards.chance import mix, random_below
from rulerun.native.counted_lines import Counted
from rulerun.native.counting import fuel_burned, put_back
from rulerun.native.expressions import Shared
from rulerun.native.flow import Flow
from rulerun.native.promotion import Promotion
from rulerun.native.text import Writer, as_signed

(
    GAMES, FAULTS, DECIDED, OFFERED, TIES, SHORTEST, LONGEST, LONGEST_GAME, SQUARES, SQUARES_HIGH, FIRST_TIE,
    SHORTEST_GAME, LIMIT_GAMES,
) = range(13)  # fmt: skip
"""Words of the sums; squares of the numbers of decisions in two words, LIMIT_GAMES are those that the decision limit
ended."""
SEATS = 16
"""Then per seat: sum of scores, of their squares (two words), least, greatest, wins shared by 1, 2, ... players."""
SCORE, SCORE_SQUARES, SCORE_SQUARES_HIGH, SCORE_LEAST, SCORE_GREATEST, WINS = range(6)
FAULT_WORDS = 3
"""Of a fault: the game's number, the fault, decisions made."""
LOOK_UP = 1_024
"""Decisions after which a long game looks whether it is to stop."""


def seat_words(players: int) -> int:
    return WINS + players


def sums_words(players: int) -> int:
    return SEATS + players * seat_words(players)


class Playout(Flow):
    """Writes ``@playouts``."""

    def __init__(self, shared: Shared) -> None:
        w = Writer(shared.module)
        self.blank = blank_vector(shared.program, knowledge=False)
        promotion: Promotion = shared.promotion
        scalars = {}
        for word in range(shared.program.layout.zone_base):
            if promotion.is_scalar(word):
                scalars[word] = f"%s{word}"
                w.slots.append(f"  %s{word} = alloca i64")
        super().__init__(shared, w, scalars)
        self.policy = w.slot()
        self.offered = w.slot()
        self.look = w.slot()

    def write(self) -> None:
        w, e = self.w, self.e
        game, over, fail_next, done = "game", "over", "next", "done"
        number = w.slot("%first")
        last = w.add("%first", "%count")
        w.put("%rng", "0")
        w.jump(game)
        w.label(game)
        index = w.get(number)
        go = w.new_label()
        w.branch(w.compare("slt", index, last), go, done)
        w.label(go)
        w.branch(w.compare("eq", w.op("load volatile i64, ptr %stop"), "0"), go := w.new_label(), done)
        w.label(go)
        single = w.compare("ne", "%one", "0")
        state = w.pick(single, "%seed", seeded(w, derived(w, "%seed", index)))
        w.put("%rng", state)
        w.put(self.policy, w.pick(single, "%policy", seeded(w, derived(w, state, "1"))))
        self.start_over()
        w.put(self.offered, "0")
        w.put(self.look, str(min(LOOK_UP, self.program.decision_limit)))
        self.reset()
        w.jump(f"b{self.program.entry}")
        self.write_blocks()
        w.label(over)
        scores = w.slot(words=self.program.players)
        winners = self.write_scores(scores)
        self.add_up(index, scores, winners)
        w.jump(fail_next)
        fault = e.write_exits()
        count = w.load("%sums", str(FAULTS))
        base = w.mul(count, str(FAULT_WORDS))
        for i, word in enumerate((index, fault, e.read(DECISIONS))):
            w.store("%faults", w.add(base, str(i)), word)
        w.store("%sums", str(FAULTS), w.add(count, "1"))
        w.label(fail_next)
        w.put(number, w.add(index, "1"))
        w.jump(game)
        w.label(done)
        w.line(f"ret i64 {w.sub(w.get(number), '%first')}")
        w.open = False
        w.define(
            "i64 @playouts(ptr noalias %sums, ptr noalias %faults, ptr noalias %out, ptr noalias %work, ptr %stop, "
            "i64 %seed, i64 %first, i64 %count, i64 %one, i64 %policy)"
        )

    def start_over(self) -> None:
        """The vector as it is before a game."""
        w = self.w
        layout = self.program.layout
        parts = {
            "%v": (0, layout.zone_base),
            "%zn": (layout.zone_base, layout.next_base),
            "%nx": (layout.next_base, layout.previous_base),
            "%bk": (layout.previous_base, layout.gap_base),
            "%gp": (layout.gap_base, layout.loc_base),
            "%lc": (layout.loc_base, layout.size),
        }
        for name, (first, end) in parts.items():
            words = max(1, end - first)
            w.slots.append(f"  {name} = alloca [{words} x i64], align 64")
            values = self.blank[first:end]
            if name == "%v":
                if self.shared.promotion.indexed:
                    low, high = min(self.shared.promotion.indexed), max(self.shared.promotion.indexed) + 1
                    self.copy(name, low, values[low:high])
            elif any(values):
                self.copy(name, 0, values)
            elif values:
                w.clear(name, "0", len(values))
        w.slots += ["  %fuel = alloca i64", "  %rng = alloca i64"]
        for word, slot in self.e.scalars.items():
            w.put(slot, str(self.blank[word]))

    def copy(self, name: str, first: int, values: list[int]) -> None:
        w = self.w
        if not any(values):
            w.clear(name, str(first), len(values))
            return
        constant = f"@blank{len(w.module.constants)}"
        items = ", ".join(f"i64 {value}" for value in values)
        w.module.constants.append(f"{constant} = private constant [{len(values)} x i64] [{items}], align 64")
        w.line(
            f"call void @llvm.memcpy.p0.p0.i64(ptr {w.at(name, str(first))}, ptr {constant}, "
            f"i64 {8 * len(values)}, i1 false)"
        )

    # -------------------------------------------------------------------- choices

    def ask(self, number: int, choose: ir.Choose) -> None:
        choices = self.choice(number)
        if choices.is_quick():
            self.ask_quickly(number, choose)
        else:
            self.ask_by_list(number, choose)

    def decide(self, choose: ir.Choose, count: str) -> str:
        """One more decision between ``count`` options: which."""
        w, e = self.w, self.e
        made = e.read(DECISIONS)
        go, look = w.new_label("go"), w.new_label("look")
        w.branch(w.compare("sge", made, w.get(self.look)), look, go, rare=True)
        w.label(look)
        limit = str(self.program.decision_limit)
        limited, on = w.new_label("limited"), w.new_label("on")
        w.branch(w.compare("sge", made, limit), limited, on)
        w.label(limited)
        if self.program.limit_is_draw:
            e.write(LIMITED, "1")
            w.jump("over")
        else:
            e.fail(faults.DECISION_LIMIT, choose.at)
        w.label(on)
        w.put(self.look, w.least(limit, w.add(made, str(LOOK_UP))))
        w.branch(w.compare("eq", w.op("load volatile i64, ptr %stop"), "0"), go, "done")
        w.label(go)
        w.put(self.offered, w.add(w.get(self.offered), count))
        e.write(DECISIONS, w.add(made, "1"))
        return random_below(w, self.policy, count)

    def ask_quickly(self, number: int, choose: ir.Choose) -> None:
        """Counts the options, then finds the one that was chosen. Sets that are too many for a list are picked card by
        card, from a list."""
        w, e = self.w, self.e
        choices = self.choice(number)
        counted: list[Counted] = []
        total, most = ("1", MAX_OPTIONS + 1) if choose.optional else ("0", MAX_OPTIONS)
        listing = w.new_label("listing")
        sets = [line for line in choose.lines if choices.sort(line) == "subsets"]
        before = fuel_burned(e) if sets else ""
        for line in choose.lines:
            found = choices.count_line(e, line)
            counted.append(found)
            total = w.add(found.count, total)
            if line in sets:
                go = w.new_label()
                w.branch(w.compare("sgt", found.count, str(MAX_SET_OPTIONS)), listing, go, rare=True)
                w.label(go)
            if choices.sort(line) in ("loop", "subsets", "rows"):  # numbers can be too many, cards and players cannot
                e.fail_if(w.compare("sgt", total, str(most)), faults.TOO_MANY_OPTIONS, line.at)
        if not choose.optional:
            none, some = w.new_label("none"), w.new_label("some")
            w.branch(w.compare("eq", total, "0"), none, some, rare=choose.passing is None)
            w.label(none)
            self.go_without(choose)
            w.label(some)
        k = self.decide(choose, total)
        self.reset()
        for i, (line, found) in enumerate(zip(choose.lines, counted, strict=True)):
            last = i == len(choose.lines) - 1 and not choose.optional
            beyond = w.new_label("beyond")
            if not last:
                here = w.new_label("here")
                w.branch(w.compare("slt", k, found.count), here, beyond)
                w.label(here)
            self.store_values(line, choices.chosen(e, line, found, k))
            w.jump(f"b{line.target}")
            if not last:
                w.label(beyond)
                k = w.sub(k, found.count)
        if choose.optional:
            w.jump(f"b{choose.passing or 0}")
        if sets:
            w.label(listing)
            put_back(e, before)
            self.ask_by_list(number, choose)

    def ask_by_list(self, number: int, choose: ir.Choose) -> None:
        w = self.w
        count = w.slot()
        listed, _ = self.list_options(number)
        w.put(count, listed)
        offer = f"offer{number}"
        if not choose.optional:
            none = w.new_label("none")
            w.branch(w.compare("eq", listed, "0"), none, offer)
            w.label(none)
            self.go_without(choose)
        w.label(offer)
        k = self.decide(choose, w.get(count))
        record = w.at("%out", w.mul(k, str(self.choice(number).stride)))
        self.take_record(number, choose, record, offer, count)

    def finish(self) -> None:
        self.w.jump("over")

    # ----------------------------------------------------------------------- sums

    def add_up(self, index: str, scores: str, winners: str) -> None:
        """Adds a finished game to the sums."""
        w, e = self.w, self.e
        made = e.read(DECISIONS)
        self.more(GAMES, "1")
        self.more(DECIDED, made)
        self.more(OFFERED, w.get(self.offered))
        if self.program.limit_is_draw:
            self.more(LIMIT_GAMES, e.read(LIMITED))
        self.more_square("%sums", SQUARES, made)
        for best, which, sign in ((SHORTEST, SHORTEST_GAME, "slt"), (LONGEST, LONGEST_GAME, "sgt")):
            with w.when(w.compare(sign, made, w.load("%sums", str(best)))):
                w.store("%sums", str(best), made)
                w.store("%sums", str(which), index)
        sharing = w.ones(winners)
        with w.when(w.compare("sgt", sharing, "1")):
            self.more(TIES, "1")
            with w.when(w.compare("slt", w.load("%sums", str(FIRST_TIE)), "0")):
                w.store("%sums", str(FIRST_TIE), index)
        with w.counting("0", str(self.program.players)) as seat:
            at = w.at("%sums", w.add(w.mul(seat, str(seat_words(self.program.players))), str(SEATS)))
            score = w.load(scores, seat)
            w.store(at, str(SCORE), w.add(w.load(at, str(SCORE)), score))
            self.more_square(at, SCORE_SQUARES, score)
            w.store(at, str(SCORE_LEAST), w.least(w.load(at, str(SCORE_LEAST)), score))
            w.store(at, str(SCORE_GREATEST), w.greatest(w.load(at, str(SCORE_GREATEST)), score))
            place = w.add(sharing, str(WINS - 1))
            won = w.both(w.down(winners, seat), "1")
            w.store(at, place, w.add(w.load(at, place), won))

    def more(self, word: int, by: str) -> None:
        w = self.w
        w.store("%sums", str(word), w.add(w.load("%sums", str(word)), by))

    def more_square(self, base: str, word: int, value: str) -> None:
        """Adds a square to a sum of two words."""
        w = self.w
        square = w.mul(value, value)
        low = w.add(w.load(base, str(word)), square)
        carry = w.number(w.op(f"icmp ult i64 {low}, {square}"))
        w.store(base, str(word), low)
        w.store(base, str(word + 1), w.add(w.load(base, str(word + 1)), carry))


def derived(w: Writer, state: str, index: str) -> str:
    """`facts.rng.derive`, from the state of the seed."""
    turned = w.differ(state, w.mul(index, str(as_signed(MIX_2))))
    return w.down(mix(w, w.add(turned, str(as_signed(GOLDEN)))), str(64 - SEED_BITS))


def seeded(w: Writer, seed: str) -> str:
    """`facts.rng.seed_state`, of a seed from 0 to 2**63."""
    return mix(w, w.add(seed, str(as_signed(GOLDEN))))


assert PICKED == 4
