"""Rules and events to procedures. An event is one procedure that holds its whole chain of triggers."""

from __future__ import annotations

from rulerun.check.declarations.symbols import ProcedureSymbol
from rulerun.check.rule_text import driver, looping, narrowing
from rulerun.check.rule_text.compilation import Compilation, ProcedureInfo
from rulerun.check.rule_text.scope import Binding
from rulerun.check.rule_text.survey import TriggerText, assigned, walk
from rulerun.check.rule_text.units import EventText, Exit, ProcedureUnit
from rulerun.ir import nodes as ir
from rulerun.ir.program import Procedure
from rulerun.ir.types import INT
from rulerun.source.diagnostic import ToldError
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn


def uses_own_text(triggers: list[TriggerText]) -> bool:
    """Whether some trigger says `as usual`, so that the event's own text is a procedure of its own."""
    return any(isinstance(n, syn.AsUsual) for t in triggers for n in walk(t.body))


class Lowering:
    """One procedure: its frame, its blocks."""

    def __init__(self, compilation: Compilation, info: ProcedureInfo, symbol: ProcedureSymbol, kind: str) -> None:
        self.compilation, self.info, self.symbol, self.kind = compilation, info, symbol, kind
        self.at = compilation.origin(symbol.span)
        self.frame = compilation.next_word
        self.unit = ProcedureUnit(compilation, symbol.name, info.index, self.at)
        self.return_place = self.unit.words(1)
        self.unit.params = tuple(self.unit.variable(name, type_, self.at) for name, type_ in symbol.params)

    def bind_params(self, names: tuple[tuple[str, Span], ...] | None = None) -> None:
        """Binds the parameters: by their own names, or by those of a trigger."""
        own = tuple((p.name.text, p.name.span) for p in self.symbol.signature.params)
        for (name, span), place in zip(names or own, self.unit.params, strict=False):
            self.unit.scope.add(Binding(name, "parameter", span, place.type, ir.Load(place), place, assignable=True))

    def finish(self) -> tuple[Procedure, list[ir.Block]]:
        unit = self.unit

        def last() -> ir.Terminator:
            return ir.Finish() if unit.name == "play" and self.kind == "rule" else ir.Return(unit.index, None)

        blocks, falls = unit.flow.finish(unit.index, last)
        if unit.result_type is not None and falls and not unit.refused:
            self.compilation.found.error(
                "RR0511",
                f"`{self.symbol.name}` returns a value in some cases, and comes to its end without one in others",
                self.symbol.span,
                help="let every way end in `return …`",
            )
        words = self.compilation.next_word - self.frame
        result_words = self.compilation.words(unit.result_type) if unit.result_type is not None else 0
        self.info.result, self.info.result_place = unit.result_type, unit.result_place
        self.info.lowered = True
        procedure = Procedure(
            name=self.symbol.name,
            kind=self.kind,
            entry=0,
            frame=self.frame,
            frame_words=words,
            params=tuple(p.offset for p in self.unit.params),
            return_place=self.return_place,
            result_place=unit.result_place if result_words else -1,
            result_words=result_words,
            locals=tuple(unit.locals),
            at=self.at,
            nested=self.info.nested,
        )
        self.compilation.next_word = procedure.end
        return procedure, blocks


def lower_body(
    compilation: Compilation, info: ProcedureInfo, symbol: ProcedureSymbol, kind: str
) -> tuple[Procedure, list[ir.Block]]:
    """A rule, or an event's own text as a procedure of its own."""
    lowering = Lowering(compilation, info, symbol, kind)
    unit = lowering.unit
    body = compilation.texts.of(symbol)
    unit.assigned = assigned(body)
    errors = len(compilation.found.found)
    lowering.bind_params()
    if kind == "own text":
        end = unit.flow.new()
        unit.event = EventText(None, end)
        driver.body(unit, body)
        unit.flow.jump(end)
        unit.flow.start(end)
    else:
        driver.body(unit, body)
        if unit.result_type is None and any(t.nothing for t, _ in unit.results):
            _, span = unit.results[0]
            compilation.found.error("RR0408", "none of what? no other `return` of this rule says it", span)
    info.faulty = len(compilation.found.found) > errors or unit.refused
    return lowering.finish()


def lower_event(
    compilation: Compilation, info: ProcedureInfo, symbol: ProcedureSymbol
) -> tuple[Procedure, list[ir.Block]]:
    """An event: its `before` triggers; the first `instead of` that applies, or its own text; its `after` triggers."""
    lowering = Lowering(compilation, info, symbol, "event")
    unit = lowering.unit
    triggers = compilation.texts.triggers.get(symbol.name, [])
    own = compilation.texts.of(symbol)
    unit.assigned = assigned((own, tuple(t.body for t in triggers)))
    for text in triggers:
        if text.symbol.timing == "before":
            _trigger(lowering, text, None)
    after = unit.flow.new()
    for text in triggers:
        if text.symbol.timing == "instead of":
            _trigger(lowering, text, after)
    if uses_own_text(triggers):
        own_info = compilation.own_texts[symbol.name]
        arguments = tuple(ir.Load(place) for place in unit.params)
        unit.flow.across(lambda back: ir.CallProcedure(own_info.index, arguments, back, lowering.at))
    else:
        unit.event = EventText(None, after)
        unit.facts = narrowing.NOTHING
        with unit.block():
            lowering.bind_params()
            driver.body(unit, own)
        unit.event = None
    unit.flow.jump(after)
    unit.flow.start(after)
    for text in triggers:
        if text.symbol.timing == "after":
            _trigger(lowering, text, None)
    return lowering.finish()


def _trigger(lowering: Lowering, text: TriggerText, instead: int | None) -> None:
    """A trigger's text, run if its condition holds; with `instead` it then goes on there, else it falls through."""
    unit, flow = lowering.unit, lowering.unit.flow
    unit.facts = narrowing.NOTHING
    pattern = text.symbol.pattern
    end = flow.new()
    flow.at = unit.at(pattern.span)
    unit.event = EventText(text.symbol.timing, None)
    with unit.block():
        lowering.bind_params(tuple((n.text, n.span) for n in pattern.params))
        if text.over:
            _run_for_each(lowering, text, text.over, instead, unit.compilation.next_word)
        else:
            _if_it_applies(lowering, text, end, end if instead is None else instead)
        flow.jump(end)
    unit.event = None
    flow.start(end)


def _run_for_each(
    lowering: Lowering, text: TriggerText, clauses: tuple[syn.Clause, ...], instead: int | None, first: int
) -> None:
    """A trigger with `for:`, run for each in turn, or (with `instead`) for the first to which it applies. Its words of
    the frame begin at `first`."""
    unit, flow = lowering.unit, lowering.unit.flow
    clause, *more = clauses

    def each(_: Exit) -> None:
        own = unit.compilation.next_word
        if more:
            _run_for_each(lowering, text, tuple(more), instead, first)
            return
        goes_on = flow.new()
        taken = goes_on if instead is None else flow.new()
        unit.exits.append(Exit(-1, goes_on if instead is None else None, "trigger", []))
        _if_it_applies(lowering, text, goes_on, taken)
        unit.exits.pop()
        if instead is not None:
            flow.start(taken)
            flow.op(ir.Clear(first, unit.compilation.next_word - first))
            flow.jump(instead)
        flow.start(goes_on)
        if instead is None and unit.compilation.next_word > own:
            flow.op(ir.Clear(own, unit.compilation.next_word - own))

    try:
        looping.run_for(unit, clause, (text.body, more), each)
    except ToldError:
        unit.give_up()
        if unit.scope.find(clause.name.text) is None:
            unit.scope.add(Binding(clause.name.text, "loop name", clause.name.span, None))
        each(Exit(0, None, "loop", []))  # told already; the text is still looked at


def _if_it_applies(lowering: Lowering, text: TriggerText, otherwise: int, then: int) -> None:
    """A trigger's condition and text, which goes on with block `then`; where the condition fails, with `otherwise`."""
    unit, flow = lowering.unit, lowering.unit.flow
    if text.condition is not None:
        try:
            test = driver.condition(unit, text.condition)
        except ToldError:
            unit.give_up()
            test = ir.Load(ir.Place(0, (), INT, 0))  # told already; the text is still looked at
        inside = flow.new()
        flow.branch(test, inside, otherwise)
        flow.start(inside)
        unit.facts |= narrowing.holding(text.condition)
    unit.event = EventText(text.symbol.timing, then)
    driver.body(unit, text.body)
    unit.event = EventText(text.symbol.timing, None)
    flow.jump(then)
