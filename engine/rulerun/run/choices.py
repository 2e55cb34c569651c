"""Choices as Python: what is offered (``o``), what choosing stores (``c``), and the values of a label (``l``).

Each function is named by the block of its `Choose`.
"""

from __future__ import annotations

from collections.abc import Callable

from rulerun.facts.domains import SETS_COUNTED, base_zone, by_cards, counts_by_kind
from rulerun.facts.options import PASS, Option
from rulerun.facts.types import is_card, is_card_set, type_of
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import Held
from rulerun.ir.program import CHOOSER, MAX_OPTIONS, PICKED, ZONE_COUNT, Program, SeenBy
from rulerun.ir.types import PLAYER
from rulerun.run.expressions import Emitter, Pool
from rulerun.run.loops import Charge, card_set, domain_range, tally, tally_zone, write_loop
from rulerun.run.masks import reads
from rulerun.run.source import Writer

MANY = 64
"""Beyond so many options at once the number is checked while listing."""


class Choices:
    """Writes the functions of one `Choose`."""

    def __init__(self, program: Program, pool: Pool, block: int, choose: ir.Choose, guarded: bool, plain: bool) -> None:
        self.program = program
        self.pool = pool
        self.block = block
        self.choose = choose
        self.guarded = guarded
        self.plain = plain
        self.twins = len(set(program.kinds)) < len(program.kinds)
        pool.name("KIND", "kinds", program.kinds)

    def emitter(self) -> Emitter:
        e = Emitter(self.program, self.pool, Writer(), self.guarded, self.plain)
        e.w.depth = 1
        return e

    def kinds_name(self) -> str:
        return self.pool.name("KIND", "kinds", self.program.kinds)

    # ------------------------------------------------------------ what is offered

    def options(self) -> str:
        e = self.emitter()
        w = e.w
        w.line("out = []")
        for i, line in enumerate(self.choose.lines):
            if by_cards(line) is not None:
                self.resume_picking(e, i, line)
        for i, line in enumerate(self.choose.lines):
            if line.guard is not None:
                w.line(f"if {e.emit(line.guard)}:")
                with w.indented():
                    w.line("pass")
                    self.line(e, i, line)
            else:
                self.line(e, i, line)
        if self.choose.optional:
            w.line(f"out.append({self.pool.name('P', PASS, Option(PASS, ()))})")
        w.line("return out")
        return f"def o{self.block}(v):\n{w.text()}"

    def resume_picking(self, e: Emitter, i: int, line: ir.Line) -> None:
        """While a set is being picked only its further picks are offered: its place is the one that is not empty."""
        w = e.w
        binder = line.binders[0]
        w.line(f"if v[{PICKED}]:")
        with w.indented():
            picked = e.atom(e.emit(ir.Load(binder.place)))
            w.line(f"if {picked}:")
            with w.indented():
                cards, least, most, kinds = self.set_parts(e, binder)
                w.line(f"return resume({i}, {cards}, {kinds}, {picked}, {least}, {most})")

    def line(self, e: Emitter, i: int, line: ir.Line) -> None:
        w = e.w
        e.at = line.at
        if not line.binders:
            text = f"out.append({self.pool.name('P', (i,), Option(i, ()))})"
            if line.where is not None:
                text = f"if {e.emit(line.where)}: {text}"
            w.line(text)
            return
        quick = self.quick_line(e, i, line)
        if quick:
            return
        dedupe = self.twins and any(counts_by_kind(self.program, b) and b.held is not Held.SET for b in line.binders)
        dedupe = dedupe or any(b.held is Held.KIND for b in line.binders)
        dedupe = dedupe or (self.twins and any(b.held is Held.WHOLE for b in line.binders))
        seen = w.fresh("seen")
        if dedupe:
            w.line(f"{seen} = set()")
        stored: list[str] = []
        keys: list[str] = []

        def bind(n: int) -> None:
            if n == len(line.binders):
                finish()
                return
            binder = line.binders[n]
            if binder.held is Held.SET:
                self.bind_set(e, i, line, binder, n, stored, keys, bind)
                return
            self.bind_one(e, binder, n, stored, keys, bind, line.at)

        def finish() -> None:
            if line.where is not None and not any(b.held is Held.SET for b in line.binders[-1:]):
                condition = e.emit(line.where)
                w.line(f"if {condition}:")
                w.depth += 1
                add()
                w.depth -= 1
            else:
                add()

        def add() -> None:
            values = f"({', '.join(stored)},)"
            if dedupe:
                key = e.w.fresh("k")
                w.line(f"{key} = ({', '.join(keys)},)")
                w.line(f"if {key} not in {seen}:")
                w.depth += 1
                w.line(f"{seen}.add({key})")
            w.line(f"out.append(Option({i}, {values}))")
            w.line(f"if len(out) > {MAX_OPTIONS}: too_many_options({line.at})")
            if dedupe:
                w.depth -= 1

        bind(0)

    def quick_line(self, e: Emitter, i: int, line: ir.Line) -> bool:
        """One card out of a set: the options are made beforehand, one per card; equal cards leave the set together."""
        if len(line.binders) != 1 or line.binders[0].held not in (Held.VALUE, Held.KIND):
            return False
        binder = line.binders[0]
        if not is_card(binder.place.type):
            return False
        w = e.w
        rest = line.where
        if line.sifted is not None and not e.plain and not e.guarded:
            base: str | None = e.emit(line.sifted.cards)
            rest = line.sifted.rest
        else:
            base = card_set(e, binder.domain)
        if base is None:
            return False
        left = w.fresh("m")
        w.line(f"{left} = {base}")
        if binder.held is Held.KIND and not self.surely_seen(binder):
            zone = base_zone(binder.domain)
            assert zone is not None
            w.line(f"if not SEEN[{e.instance(zone)}] >> v[{CHOOSER}] & 1:")
            with w.indented():
                unseen = self.pool.name("P", (i, ir.UNSEEN), Option(i, (ir.UNSEEN,)))
                self.card_loop(e, left, binder, rest, [f"out.append({unseen})", "break"])
                w.line(f"{left} = 0")
        options = self.pool.name("O", i, tuple(Option(i, (card,)) for card in range(self.program.card_count)))
        steps = [f"out.append({options}[{{card}}])"]
        if self.twins and counts_by_kind(self.program, binder):
            others = [0] * (max(self.program.kinds) + 1)
            for card, kind in enumerate(self.program.kinds):
                others[kind] |= 1 << card
            table = tuple(~others[kind] for kind in self.program.kinds)
            steps.append(f"{left} &= {self.pool.name('D', 'other kinds', table)}[{{card}}]")
        self.card_loop(e, left, binder, rest, steps)
        return True

    def card_loop(self, e: Emitter, left: str, binder: ir.Binder, rest: ir.Expr | None, steps: list[str]) -> None:
        """Goes through the set ``left``, using it up; ``steps`` are written for each card that passes ``rest``."""
        w = e.w
        card, low = w.fresh("c"), w.fresh("b")
        e.scope.names[binder.local] = card
        w.line(f"while {left}:")
        with w.indented():
            w.line(f"{low} = {left} & -{left}")
            w.line(f"{left} ^= {low}")
            w.line(f"{card} = {low}.bit_length() - 1")
            depth = w.depth
            if rest is not None:
                condition = e.emit(rest)
                w.line(f"if {condition}:")
                w.depth += 1
            for step in steps:
                w.line(step.format(card=card))
            w.depth = depth

    def surely_seen(self, binder: ir.Binder) -> bool:
        """Whether the zone of a binder is one that its chooser sees, whoever that is."""
        zone = base_zone(binder.domain)
        if zone is None:
            return False
        family = self.program.families[zone.family]
        if family.seen_by is SeenBy.EVERYONE:
            return True
        if family.seen_by is not SeenBy.OWNER or family.keys != (PLAYER,):
            return False
        e = self.emitter()
        chooser = e.emit(self.choose.chooser)
        return e.emit(zone.axes[0].index) == chooser and not e.w.lines

    def bind_one(
        self, e: Emitter, binder: ir.Binder, n: int, stored: list[str], keys: list[str], bind: Callable[[int], None],
        at: int,
    ) -> None:
        w = e.w
        zone = base_zone(binder.domain)
        hidden = ""
        if binder.held is Held.KIND:
            assert zone is not None
            hidden = w.fresh("hidden")
            w.line(f"{hidden} = not SEEN[{e.instance(zone)}] >> v[{CHOOSER}] & 1")
        by_kind = self.twins and counts_by_kind(self.program, binder)
        charge = Charge(binder.fuel, at)

        def body(item: str) -> None:
            e.scope.names[binder.local] = item
            e.scope.ranges[binder.local] = domain_range(e, binder.domain)
            stored.append(f"({ir.UNSEEN} if {hidden} else {item})" if hidden else item)
            kind = f"{self.kinds_name()}[{item}]" if by_kind else item
            if binder.held is Held.WHOLE and self.twins:
                kind = f"whole_key(v, {item})"
            keys.append(f"({ir.UNSEEN} if {hidden} else {kind})" if hidden else kind)
            bind(n + 1)
            stored.pop()
            keys.pop()

        if binder.held is Held.PLACE:
            self.places(e, binder.domain, body, charge)
        else:
            write_loop(e, binder.domain, body, charge=charge)

    def places(self, e: Emitter, domain: ir.Domain, body: Callable[[str], None], charge: Charge) -> None:
        """A loop over the places of an ordered zone; a filter reads the place."""
        w = e.w
        filters: list[ir.FilteredDomain] = []
        while isinstance(domain, ir.FilteredDomain):
            filters.append(domain)
            domain = domain.domain
        assert isinstance(domain, ir.ZoneDomain)
        item = w.fresh("i")
        tally_zone(e, domain.zone, charge)
        w.line(f"for {item} in range(v[{e.zone_word(domain.zone, ZONE_COUNT)}]):")
        with w.indented():
            depth = w.depth
            for filtered in reversed(filters):
                e.scope.names[filtered.local] = item
                condition = e.emit(filtered.where)
                w.line(f"if {condition}:")
                w.depth += 1
            body(item)
            w.depth = depth

    def set_parts(self, e: Emitter, binder: ir.Binder) -> tuple[str, str, str, str]:
        """Texts of the cards to choose from, the least and the most, and how equal ones are told."""
        w = e.w
        cards = w.fresh("cards")
        least = e.atom(e.emit(binder.least)) if binder.least is not None else "0"
        most = e.atom(e.emit(binder.most)) if binder.most is not None else "None"
        w.line(f"{cards} = []")
        write_loop(e, binder.domain, lambda item: w.line(f"{cards}.append({item})"))
        kinds = self.kinds_name() if counts_by_kind(self.program, binder) and self.twins else "None"
        return cards, least, most, kinds

    def bind_set(
        self,
        e: Emitter,
        i: int,
        line: ir.Line,
        binder: ir.Binder,
        n: int,
        stored: list[str],
        keys: list[str],
        bind: Callable[[int], None],
    ) -> None:
        w = e.w
        cards, least, most, kinds = self.set_parts(e, binder)
        if binder.fuel:
            tally(e, f"(1 << min(len({cards}), {SETS_COUNTED})) * {binder.fuel}", line.at)
        last = n == len(line.binders) - 1
        test = "None"
        item = w.fresh("s")
        e.scope.names[binder.local] = item
        e.scope.ranges.pop(binder.local, None)
        if last and line.where is not None:
            test = w.fresh("test")
            w.line(f"def {test}({item}):")
            with w.indented():
                condition = e.emit(line.where)
                w.line(f"return {condition}")
        sets = w.fresh("sets")
        alone = by_cards(line) is not None
        w.line(
            f"{sets} = set_options({i}, {cards}, {kinds}, {least}, {most}, {test}, {alone}, "
            f"lambda n: too_many_sets({line.at}, n))"
        )
        if alone:
            w.line(f"if {sets} and {sets}[0].__class__ is not int:")
            with w.indented():
                e.store(e.offset(binder.place.offset, binder.place.axes, binder.place.at), binder.place.type, "0")
                w.line(f"out += {sets}")
                w.line(f"{sets} = ()")
        w.line(f"for {item} in {sets}:")
        with w.indented():
            stored.append(item)
            keys.append(item)
            bind(n + 1)
            stored.pop()
            keys.pop()

    # ------------------------------------------------------- what choosing stores

    def store(self) -> str:
        """``c(v, line, values)`` stores a choice and gives the block to go on with."""
        e = Emitter(self.program, self.pool, Writer(), plain=True)
        w = e.w
        w.depth = 1
        for i, line in enumerate(self.choose.lines):
            w.line(f"if line == {i}:")
            with w.indented():
                names = [w.fresh("a") for _ in line.binders]
                if names:
                    w.line(f"{', '.join(names)}, = values")
                targets = [e.atom(e.offset(b.place.offset, b.place.axes, b.place.at)) for b in line.binders]
                for binder, target, name in zip(line.binders, targets, names, strict=True):
                    e.store(target, binder.place.type, name)
                w.line(f"return {line.target}")
        w.line(f"return {self.choose.passing if self.choose.passing is not None else 0}")
        return f"def c{self.block}(v, line, values):\n{w.text()}"

    def stored(self) -> str:
        """``r(v, line)`` gives what the places of a line hold."""
        e = Emitter(self.program, self.pool, Writer(), plain=True)
        w = e.w
        w.depth = 1
        for i, line in enumerate(self.choose.lines):
            w.line(f"if line == {i}:")
            with w.indented():
                parts = [e.emit(ir.Load(binder.place)) for binder in line.binders]
                w.line(f"return ({''.join(f'{part}, ' for part in parts)})")
        w.line("return ()")
        return f"def r{self.block}(v, line):\n{w.text()}"

    # ------------------------------------------------------------------ labels

    def labels(self) -> str:
        """``l(v, line, values)`` gives the parts of an option's label."""
        e = self.emitter()
        w = e.w
        for i, line in enumerate(self.choose.lines):
            w.line(f"if line == {i}:")
            with w.indented():
                names = [w.fresh("a") for _ in line.binders]
                if names:
                    w.line(f"{', '.join(names)}, = values")
                held: dict[int, tuple[ir.Binder, str]] = {}
                for binder, name in zip(line.binders, names, strict=True):
                    e.scope.names[binder.local] = name
                    held[binder.local] = (binder, name)
                parts = [self.label_part(e, part, held) for part in (line.label.parts if line.label else ())]
                w.line(f"return [{', '.join(parts)}]")
        w.line("return []")
        return f"def l{self.block}(v, line, values):\n{w.text()}"

    def unsettled_part(self, e: Emitter, part: ir.Expr, type_name: str, card: str) -> str:
        """What is said of a card that may not be settled yet: nothing, then."""
        w = e.w
        said = w.fresh("said")
        w.line(f"{said} = {ir.UNSEEN}")
        w.line(f"if {card} >= 0:")
        with w.indented():
            w.line(f"{said} = {e.number(part)}")
        if is_card(type_of(part)):
            return f"card_value(v, {type_name}, {said})"
        return f"LabelValue({said}, {type_name})"

    def label_part(self, e: Emitter, part: str | ir.Expr, held: dict[int, tuple[ir.Binder, str]]) -> str:
        if isinstance(part, str):
            return self.pool.name("W", part, part)
        type_ = type_of(part)
        type_name = self.pool.name("Y", type_, type_)
        if isinstance(part, ir.Local) and part.index in held:
            binder, name = held[part.index]
            zone = base_zone(binder.domain)
            if binder.held is Held.PLACE and zone is not None:
                return f"place_value(v, {type_name}, {e.instance(zone)}, {name})"
            if binder.held is Held.KIND and zone is not None:
                return f"kind_value(v, {type_name}, {e.instance(zone)}, {name})"
        unsettled = [n for n, (b, _) in held.items() if b.held is Held.KIND and reads(part, n)]
        if unsettled:
            return self.unsettled_part(e, part, type_name, held[unsettled[0]][1])
        text = e.number(part)
        if is_card(type_) and not is_card_set(type_):
            return f"card_value(v, {type_name}, {text})"
        return f"LabelValue({text}, {type_name})"
